# tests/puzzles.mk: the tests of the puzzles beyond the first two, in process.

EXTRA_DIST += tests/data/sliding-lengths.tsv tests/data/korf-fifteen-100.txt tests/data/fifteen-80.txt

if TESTS_ENABLED
puzzle_tests = \
	tests/test_sliding_prune \
	tests/test_fifteen_pattern \
	tests/test_fifteen \
	tests/test_fifteen_korf \
	tests/test_npuzzle \
	tests/test_bridge
check_PROGRAMS += $(puzzle_tests)
TESTS += $(puzzle_tests)

naive_sliding = tests/naive_sliding.c tests/naive_sliding.h

tests_test_sliding_prune_SOURCES = tests/test_sliding_prune.c $(naive_sliding) plugins/sliding_prune.c
tests_test_sliding_prune_CPPFLAGS = $(search_test_cppflags)
tests_test_sliding_prune_LDADD = $(CMOCKA_LIBS)

tests_test_fifteen_pattern_SOURCES = tests/test_fifteen_pattern.c $(naive_sliding) \
	plugins/fifteen_pattern.c plugins/fifteen_build.c
tests_test_fifteen_pattern_CPPFLAGS = $(search_test_cppflags)
tests_test_fifteen_pattern_LDADD = $(CMOCKA_LIBS)

tests_test_fifteen_SOURCES = tests/test_fifteen.c $(naive_sliding) $(search_test_puzzle)
tests_test_fifteen_CPPFLAGS = $(search_test_cppflags)
tests_test_fifteen_LDADD = $(CMOCKA_LIBS)

tests_test_fifteen_korf_SOURCES = tests/test_fifteen_korf.c $(search_test_host)
tests_test_fifteen_korf_CPPFLAGS = $(search_test_cppflags)
tests_test_fifteen_korf_LDADD = $(CMOCKA_LIBS)

tests_test_npuzzle_SOURCES = tests/test_npuzzle.c $(naive_sliding) $(search_test_puzzle)
tests_test_npuzzle_CPPFLAGS = $(search_test_cppflags)
tests_test_npuzzle_LDADD = $(CMOCKA_LIBS)

tests_test_bridge_SOURCES = tests/test_bridge.c $(search_test_puzzle)
tests_test_bridge_CPPFLAGS = $(search_test_cppflags)
tests_test_bridge_LDADD = $(CMOCKA_LIBS)
endif
