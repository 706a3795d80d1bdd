noinst_LIBRARIES += worker/libworker.a
worker_libworker_a_CPPFLAGS = $(AM_CPPFLAGS) $(SECCOMP_CFLAGS)
worker_libworker_a_SOURCES = \
	worker/build.c worker/build.h \
	worker/channel.c worker/channel.h worker/clock.h \
	worker/filter.c worker/filter.h \
	worker/generate.c \
	worker/host.c worker/host.h \
	worker/landlock.c worker/landlock.h \
	worker/metadata.c worker/metadata.h \
	worker/moves.c worker/moves.h \
	worker/options.c worker/options.h \
	worker/params.c worker/params.h \
	worker/plain.c worker/plain.h \
	worker/runner.c worker/runner.h \
	worker/sandbox.c worker/sandbox.h \
	worker/services.c worker/services.h \
	worker/shelf.c worker/shelf.h \
	worker/solve.c \
	worker/tables.c worker/tables.h \
	worker/verify.c \
	worker/vigil.c worker/vigil.h \
	worker/work.c worker/work.h

libexecworker_PROGRAMS = puzzled-worker
puzzled_worker_SOURCES = worker/main.c
puzzled_worker_LDADD = worker/libworker.a common/libcommon.a $(SECCOMP_LIBS)
