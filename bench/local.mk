# bench/local.mk

# In process: `make bench/bench_solvers && bench/bench_solvers`.
EXTRA_PROGRAMS = bench/bench_solvers
bench_bench_solvers_SOURCES = bench/bench_solvers.c tests/naive_host.c tests/naive_host.h
bench_bench_solvers_CPPFLAGS = $(AM_CPPFLAGS) -DPZ_TEST_PLUGINS='"$(abs_top_builddir)/plugins"'
