# tests/client.mk: what tests puzzlectl.

test_programs += \
	tests/test_client_cells \
	tests/test_client_commands \
	tests/test_client_conn \
	tests/test_client_judge \
	tests/test_client_local \
	tests/test_client_options \
	tests/test_client_print \
	tests/test_client_solve

client_test_cppflags = $(test_cppflags) $(JANSSON_CFLAGS) \
	-DPUZZLECTL='"$(abs_top_builddir)/client/puzzlectl"'
client_test_libs = client/libclient.a common/libcommon.a $(JANSSON_LIBS) $(CMOCKA_LIBS)
client_test_fake = tests/test_client_fake.c tests/test_client_fake.h

tests_test_client_cells_SOURCES = tests/test_client_cells.c
tests_test_client_cells_CPPFLAGS = $(client_test_cppflags)
tests_test_client_cells_LDADD = $(client_test_libs)

tests_test_client_commands_SOURCES = tests/test_client_commands.c $(client_test_fake)
tests_test_client_commands_CPPFLAGS = $(client_test_cppflags)
tests_test_client_commands_LDADD = $(client_test_libs)

tests_test_client_conn_SOURCES = tests/test_client_conn.c $(client_test_fake)
tests_test_client_conn_CPPFLAGS = $(client_test_cppflags)
tests_test_client_conn_LDADD = $(client_test_libs)

tests_test_client_judge_SOURCES = tests/test_client_judge.c $(client_test_fake)
tests_test_client_judge_CPPFLAGS = $(client_test_cppflags)
tests_test_client_judge_LDADD = $(client_test_libs)

tests_test_client_local_SOURCES = tests/test_client_local.c $(client_test_fake)
tests_test_client_local_CPPFLAGS = $(client_test_cppflags)
tests_test_client_local_LDADD = $(client_test_libs)

tests_test_client_options_SOURCES = tests/test_client_options.c
tests_test_client_options_CPPFLAGS = $(client_test_cppflags)
tests_test_client_options_LDADD = $(client_test_libs)

tests_test_client_print_SOURCES = tests/test_client_print.c
tests_test_client_print_CPPFLAGS = $(client_test_cppflags)
tests_test_client_print_LDADD = $(client_test_libs)

tests_test_client_solve_SOURCES = tests/test_client_solve.c $(client_test_fake)
tests_test_client_solve_CPPFLAGS = $(client_test_cppflags)
tests_test_client_solve_LDADD = $(client_test_libs)

# Whole programs: judges' cases through puzzlectl, with a daemon and with a private one.
EXTRA_DIST += tests/corpus/judge/cases.tsv
dist_check_SCRIPTS += tests/e2e/completion.sh tests/e2e/judge_cases.sh
test_scripts += tests/e2e/completion.sh tests/e2e/judge_cases.sh
