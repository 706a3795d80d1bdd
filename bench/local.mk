# bench/local.mk: `make bench` measures this build, with nothing installed, and writes bench/RESULTS.md.

bench_programs = bench/bench_daemon bench/bench_kernel bench/bench_sliding bench/bench_solvers \
	bench/bench_start bench/null_echo
EXTRA_PROGRAMS = $(bench_programs)
CLEANFILES += $(bench_programs)
EXTRA_DIST += bench/run.sh bench/report.awk bench/RESULTS.md doc/performance.md

# Where it is written; another place: make bench BENCH_RESULTS=/tmp/results.md
BENCH_RESULTS = $(top_srcdir)/bench/RESULTS.md
# A daemon's folder of tables that has the 15-puzzle's large ones; none: they are not measured.
BENCH_TABLES =
# yes: also what takes minutes, the 15-puzzle's farthest boards with the small tables.
BENCH_LONG = yes

.PHONY: bench
bench: all $(bench_programs)
	BENCH_TABLES='$(BENCH_TABLES)' BENCH_LONG='$(BENCH_LONG)' \
	top_srcdir='$(top_srcdir)' CC='$(CC)' CFLAGS='$(CFLAGS)' PACKAGE_VERSION='$(PACKAGE_VERSION)' \
		$(SHELL) $(top_srcdir)/bench/run.sh '$(BENCH_RESULTS)'

bench_bench_solvers_SOURCES = bench/bench_solvers.c bench/figure.c bench/figure.h \
	tests/naive_host.c tests/naive_host.h
bench_bench_solvers_CPPFLAGS = $(AM_CPPFLAGS) -DPZ_TEST_PLUGINS='"$(abs_top_builddir)/plugins"'

bench_bench_sliding_SOURCES = bench/bench_sliding.c bench/figure.c bench/figure.h \
	tests/naive_host.c tests/naive_host.h worker/tables.c worker/tables.h
bench_bench_sliding_CPPFLAGS = $(AM_CPPFLAGS) -DPZ_TEST_PLUGINS='"$(abs_top_builddir)/plugins"' \
	-DPZ_TEST_DATA='"$(abs_top_srcdir)/tests/data"'

bench_bench_daemon_SOURCES = bench/bench_daemon.c bench/load.c bench/load.h bench/figure.c bench/figure.h

bench_null_echo_SOURCES = bench/null_echo.c
bench_null_echo_CFLAGS = $(AM_CFLAGS) $(EVENT_CFLAGS)
bench_null_echo_LDADD = $(EVENT_LIBS)

bench_bench_start_SOURCES = bench/bench_start.c bench/load.c bench/load.h bench/figure.c bench/figure.h

bench_bench_kernel_SOURCES = bench/bench_kernel.c bench/figure.c bench/figure.h
