# tests/local.mk: each part of the tree says in a .mk of its own what tests it has.
#
# A test is a program tests/test_NAME that prints TAP (cmocka does, told so below), or a script
# tests/NAME.sh that does.  The pattern, for one in C:
#
#	test_programs += tests/test_NAME
#	tests_test_NAME_SOURCES = tests/test_NAME.c
#	tests_test_NAME_CPPFLAGS = $(test_cppflags)
#	tests_test_NAME_LDADD = common/libcommon.a $(INIH_LIBS) $(CMOCKA_LIBS)
#
# Scripts find $top_srcdir, $top_builddir and $CC in their environment, all paths absolute.

AM_TESTS_ENVIRONMENT = CMOCKA_MESSAGE_OUTPUT=TAP; \
	top_srcdir='$(abs_top_srcdir)'; top_builddir='$(abs_top_builddir)'; CC='$(CC)'; \
	export CMOCKA_MESSAGE_OUTPUT top_srcdir top_builddir CC;

EXTRA_DIST += tests/run.sh
LOG_COMPILER = $(SHELL) $(top_srcdir)/tests/run.sh

test_cppflags = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS) -DPZ_TEST_CORPUS='"$(abs_top_srcdir)/tests/corpus"'

# The logs of all tests, for who wants to know which of them came to no result.
.PHONY: list-tests
list-tests:
	@printf '%s\n' $(TEST_LOGS)

test_programs =
test_scripts =
if TESTS_ENABLED
check_PROGRAMS += $(test_programs)
TESTS += $(test_programs) $(test_scripts)
endif

include tests/client.mk
include tests/common.mk
include tests/search.mk
include tests/puzzles.mk
include tests/worker.mk
include tests/sandbox.mk
include tests/daemon.mk
include tests/e2e.mk
include tests/doc.mk
include tests/systemd.mk
