# tests/e2e.mk: the daemon as a whole, from outside: with a worker that misbehaves on command, and with the real one.

check_PROGRAMS += tests/fake_worker
tests_fake_worker_SOURCES = tests/fake_worker.c tests/fake_worker.h tests/fake_boards.c
tests_fake_worker_LDADD = common/libcommon.a

# What all of them have in common; each is one program.
if TESTS_ENABLED
check_LIBRARIES = tests/e2e/libharness.a
endif
tests_e2e_libharness_a_SOURCES = tests/e2e/harness.c tests/e2e/harness.h tests/e2e/client.c
tests_e2e_libharness_a_CPPFLAGS = $(e2e_cppflags)

e2e_cppflags = $(test_cppflags) $(JANSSON_CFLAGS)
e2e_ldadd = tests/e2e/libharness.a common/libcommon.a $(JANSSON_LIBS) $(CMOCKA_LIBS)

test_programs += tests/e2e/test_nonsense
tests_e2e_test_nonsense_SOURCES = tests/e2e/test_nonsense.c
tests_e2e_test_nonsense_CPPFLAGS = $(e2e_cppflags)
tests_e2e_test_nonsense_LDADD = $(e2e_ldadd)

test_programs += tests/e2e/test_races
tests_e2e_test_races_SOURCES = tests/e2e/test_races.c
tests_e2e_test_races_CPPFLAGS = $(e2e_cppflags)
tests_e2e_test_races_LDADD = $(e2e_ldadd)

test_programs += tests/e2e/test_deaths
tests_e2e_test_deaths_SOURCES = tests/e2e/test_deaths.c
tests_e2e_test_deaths_CPPFLAGS = $(e2e_cppflags)
tests_e2e_test_deaths_LDADD = $(e2e_ldadd)

test_programs += tests/e2e/test_answers
tests_e2e_test_answers_SOURCES = tests/e2e/test_answers.c
tests_e2e_test_answers_CPPFLAGS = $(e2e_cppflags)
tests_e2e_test_answers_LDADD = $(e2e_ldadd)

test_programs += tests/e2e/test_bad_input
tests_e2e_test_bad_input_SOURCES = tests/e2e/test_bad_input.c
tests_e2e_test_bad_input_CPPFLAGS = $(e2e_cppflags)
tests_e2e_test_bad_input_LDADD = $(e2e_ldadd)

test_programs += tests/e2e/test_reload
tests_e2e_test_reload_SOURCES = tests/e2e/test_reload.c
tests_e2e_test_reload_CPPFLAGS = $(e2e_cppflags)
tests_e2e_test_reload_LDADD = $(e2e_ldadd)

test_programs += tests/e2e/test_users
tests_e2e_test_users_SOURCES = tests/e2e/test_users.c
tests_e2e_test_users_CPPFLAGS = $(e2e_cppflags)
tests_e2e_test_users_LDADD = $(e2e_ldadd)

test_programs += tests/e2e/test_metrics
tests_e2e_test_metrics_SOURCES = tests/e2e/test_metrics.c
tests_e2e_test_metrics_CPPFLAGS = $(e2e_cppflags)
tests_e2e_test_metrics_LDADD = $(e2e_ldadd) -lm

test_programs += tests/e2e/test_sessions
tests_e2e_test_sessions_SOURCES = tests/e2e/test_sessions.c
tests_e2e_test_sessions_CPPFLAGS = $(e2e_cppflags)
tests_e2e_test_sessions_LDADD = $(e2e_ldadd)

test_programs += tests/e2e/test_plugins
tests_e2e_test_plugins_SOURCES = tests/e2e/test_plugins.c
tests_e2e_test_plugins_CPPFLAGS = $(e2e_cppflags)
tests_e2e_test_plugins_LDADD = $(e2e_ldadd)

test_programs += tests/e2e/test_socket
tests_e2e_test_socket_SOURCES = tests/e2e/test_socket.c
tests_e2e_test_socket_CPPFLAGS = $(e2e_cppflags)
tests_e2e_test_socket_LDADD = $(e2e_ldadd)

test_programs += tests/e2e/test_storms
tests_e2e_test_storms_SOURCES = tests/e2e/test_storms.c
tests_e2e_test_storms_CPPFLAGS = $(e2e_cppflags)
tests_e2e_test_storms_LDADD = $(e2e_ldadd)

test_programs += tests/e2e/test_drain
tests_e2e_test_drain_SOURCES = tests/e2e/test_drain.c
tests_e2e_test_drain_CPPFLAGS = $(e2e_cppflags)
tests_e2e_test_drain_LDADD = $(e2e_ldadd)

test_programs += tests/e2e/test_tables
tests_e2e_test_tables_SOURCES = tests/e2e/test_tables.c
tests_e2e_test_tables_CPPFLAGS = $(e2e_cppflags)
tests_e2e_test_tables_LDADD = $(e2e_ldadd)

# What examines plugins, on right ones and wrong ones.
dist_check_SCRIPTS += tests/e2e/check_plugin.sh
test_scripts += tests/e2e/check_plugin.sh

# The plugin kit as it is installed, and the guide to it, followed to the letter.
dist_check_SCRIPTS += tests/e2e/guide.sh tests/e2e/kit.sh
test_scripts += tests/e2e/guide.sh tests/e2e/kit.sh
EXTRA_DIST += tests/e2e/stage.sh tests/kit/bridge.c tests/kit/pancakes.c
