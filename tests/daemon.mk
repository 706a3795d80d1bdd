# tests/daemon.mk: what tests the daemon's parts that own no events.

EXTRA_DIST += tests/corpus/rpc

daemon_test_cppflags = $(test_cppflags) $(JANSSON_CFLAGS)
daemon_test_ldadd = daemon/libdaemon.a common/libcommon.a $(JANSSON_LIBS) $(CMOCKA_LIBS)

test_programs += tests/test_job
tests_test_job_SOURCES = tests/test_job.c tests/cmocka_first.h
tests_test_job_CPPFLAGS = $(daemon_test_cppflags)
tests_test_job_LDADD = $(daemon_test_ldadd)

test_programs += tests/test_deadline
tests_test_deadline_SOURCES = tests/test_deadline.c tests/cmocka_first.h
tests_test_deadline_CPPFLAGS = $(daemon_test_cppflags) $(EVENT_CFLAGS)
tests_test_deadline_LDADD = $(daemon_test_ldadd) $(EVENT_LIBS)

test_programs += tests/test_loop
tests_test_loop_SOURCES = tests/test_loop.c tests/cmocka_first.h
tests_test_loop_CPPFLAGS = $(daemon_test_cppflags) $(EVENT_CFLAGS)
tests_test_loop_LDADD = $(daemon_test_ldadd) $(EVENT_LIBS)

test_programs += tests/test_queue
tests_test_queue_SOURCES = tests/test_queue.c tests/cmocka_first.h
tests_test_queue_CPPFLAGS = $(daemon_test_cppflags)
tests_test_queue_LDADD = $(daemon_test_ldadd)

test_programs += tests/test_print
tests_test_print_SOURCES = tests/test_print.c tests/cmocka_first.h
tests_test_print_CPPFLAGS = $(daemon_test_cppflags)
tests_test_print_LDADD = $(daemon_test_ldadd)

test_programs += tests/test_rpc
tests_test_rpc_SOURCES = tests/test_rpc.c tests/cmocka_first.h
tests_test_rpc_CPPFLAGS = $(daemon_test_cppflags)
tests_test_rpc_LDADD = $(daemon_test_ldadd)

test_programs += tests/test_params
tests_test_params_SOURCES = tests/test_params.c tests/cmocka_first.h
tests_test_params_CPPFLAGS = $(daemon_test_cppflags)
tests_test_params_LDADD = $(daemon_test_ldadd)

test_programs += tests/test_puzzle
tests_test_puzzle_SOURCES = tests/test_puzzle.c tests/cmocka_first.h
tests_test_puzzle_CPPFLAGS = $(daemon_test_cppflags)
tests_test_puzzle_LDADD = $(daemon_test_ldadd)

test_programs += tests/test_tally
tests_test_tally_SOURCES = tests/test_tally.c
tests_test_tally_CPPFLAGS = $(test_cppflags)
tests_test_tally_LDADD = daemon/libdaemon.a common/libcommon.a $(CMOCKA_LIBS)
