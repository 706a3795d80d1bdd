# tests/search.mk: the tests of the search kernels and of the plugins, in process.

EXTRA_DIST += tests/test_search_calls.sh tests/data/eight-lengths.tsv tests/data/knights-lengths.tsv

if TESTS_ENABLED
search_tests = \
	tests/test_search_ida \
	tests/test_search_astar \
	tests/test_search_backward \
	tests/test_search_memory \
	tests/test_search_text \
	tests/test_search_eight \
	tests/test_search_knights \
	tests/test_eight_puzzle \
	tests/test_knights
check_PROGRAMS += $(search_tests)
TESTS += $(search_tests) tests/test_search_calls.sh

search_test_cppflags = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS) \
	-DPZ_TEST_PLUGINS='"$(abs_top_builddir)/plugins"' -DPZ_TEST_DATA='"$(abs_top_srcdir)/tests/data"'
search_test_host = tests/naive_host.c tests/naive_host.h
search_test_puzzle = tests/naive_puzzle.c tests/naive_puzzle.h $(search_test_host)

tests_test_search_ida_SOURCES = tests/test_search_ida.c tests/naive_graph.c tests/naive_graph.h
tests_test_search_ida_CPPFLAGS = $(search_test_cppflags)
tests_test_search_ida_LDADD = $(CMOCKA_LIBS)

tests_test_search_astar_SOURCES = tests/test_search_astar.c tests/naive_graph.c tests/naive_graph.h \
	tests/naive_run.h
tests_test_search_astar_CPPFLAGS = $(search_test_cppflags)
tests_test_search_astar_LDADD = $(CMOCKA_LIBS)

tests_test_search_backward_SOURCES = tests/test_search_backward.c tests/naive_ring.c tests/naive_ring.h \
	tests/naive_run.h
tests_test_search_backward_CPPFLAGS = $(search_test_cppflags)
tests_test_search_backward_LDADD = $(CMOCKA_LIBS)

tests_test_search_memory_SOURCES = tests/test_search_memory.c tests/naive_run.h
tests_test_search_memory_CPPFLAGS = $(search_test_cppflags)
tests_test_search_memory_LDADD = $(CMOCKA_LIBS)

tests_test_search_text_SOURCES = tests/test_search_text.c
tests_test_search_text_CPPFLAGS = $(search_test_cppflags)
tests_test_search_text_LDADD = $(CMOCKA_LIBS)

tests_test_search_eight_SOURCES = tests/test_search_eight.c tests/naive_eight.c tests/naive_eight.h \
	$(search_test_puzzle)
tests_test_search_eight_CPPFLAGS = $(search_test_cppflags)
tests_test_search_eight_LDADD = $(CMOCKA_LIBS)

tests_test_eight_puzzle_SOURCES = tests/test_eight_puzzle.c $(search_test_puzzle)
tests_test_eight_puzzle_CPPFLAGS = $(search_test_cppflags)
tests_test_eight_puzzle_LDADD = $(CMOCKA_LIBS)

tests_test_search_knights_SOURCES = tests/test_search_knights.c tests/naive_knights.c tests/naive_knights.h \
	$(search_test_host)
tests_test_search_knights_CPPFLAGS = $(search_test_cppflags)
tests_test_search_knights_LDADD = $(CMOCKA_LIBS)

tests_test_knights_SOURCES = tests/test_knights.c $(search_test_puzzle)
tests_test_knights_CPPFLAGS = $(search_test_cppflags)
tests_test_knights_LDADD = $(CMOCKA_LIBS)
endif
