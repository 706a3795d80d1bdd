# tests/sandbox.mk: plugins that try to break out of their worker.

check_PROGRAMS += tests/plugins/breakout.so
tests_plugins_breakout_so_SOURCES = tests/plugins/breakout.c tests/plugins/breakout_attempts.c \
	tests/plugins/breakout_attempts.h tests/plugins/counting.h
# One of its deaths is of a stack that was written over.
tests_plugins_breakout_so_CFLAGS = $(plugin_cflags) -fstack-protector-all
tests_plugins_breakout_so_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
tests_plugins_breakout_so_LDFLAGS = $(plugin_ldflags)

test_programs += tests/test_sandbox
tests_test_sandbox_SOURCES = tests/test_sandbox.c $(worker_test_peer)
tests_test_sandbox_CPPFLAGS = $(test_cppflags)
tests_test_sandbox_LDADD = $(worker_test_ldadd)


test_programs += tests/e2e/test_confined
tests_e2e_test_confined_SOURCES = tests/e2e/test_confined.c
tests_e2e_test_confined_CPPFLAGS = $(e2e_cppflags)
tests_e2e_test_confined_LDADD = $(e2e_ldadd)
