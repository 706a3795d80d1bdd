# checker/local.mk: what examines plugins; beside the worker, whose code it is built on.
libexecworker_PROGRAMS += puzzled-check-plugin
puzzled_check_plugin_SOURCES = \
	checker/answers.c checker/answers.h \
	checker/check_bounds.c \
	checker/check_domain.c \
	checker/check_guest.c \
	checker/check_rules.c \
	checker/check_search.c \
	checker/check_text.c \
	checker/checks.h \
	checker/exports.c \
	checker/graph.c checker/graph.h \
	checker/main.c \
	checker/page.c checker/page.h \
	checker/random.h \
	checker/report.c checker/report.h \
	checker/request.h \
	checker/samples.c \
	checker/subject.c checker/subject.h \
	checker/suite.c checker/suite.h
puzzled_check_plugin_LDADD = worker/libworker.a common/libcommon.a
