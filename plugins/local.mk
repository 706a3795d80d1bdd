# plugins/local.mk: one shared object a puzzle, linked without libtool: nothing else ever links with one.

plugin_PROGRAMS = plugins/8puzzle.so plugins/15puzzle.so plugins/npuzzle.so plugins/knights.so \
	plugins/bridge.so

# Only pz_plugin may be seen, and nothing may be missing.  A sanitizer's own symbols come from the program.
plugin_cflags = $(AM_CFLAGS) -fPIC -fvisibility=hidden
plugin_ldflags = $(AM_LDFLAGS) -shared -Wl,-z,relro -Wl,-z,now
if !SANITIZED
plugin_ldflags += -Wl,-z,defs
endif

plugins_8puzzle_so_SOURCES = plugins/eight_puzzle.c plugins/eight_table.c plugins/eight_table.h
plugins_8puzzle_so_CFLAGS = $(plugin_cflags)
plugins_8puzzle_so_LDFLAGS = $(plugin_ldflags)

# What sliding-tile puzzles share.
sliding_sources = plugins/sliding.c plugins/sliding.h plugins/sliding_prune.c plugins/sliding_prune.h

plugins_15puzzle_so_SOURCES = plugins/fifteen.c plugins/fifteen.h plugins/fifteen_search.c \
	plugins/fifteen_pattern.c plugins/fifteen_pattern.h plugins/fifteen_build.c $(sliding_sources)
plugins_15puzzle_so_CFLAGS = $(plugin_cflags)
plugins_15puzzle_so_LDFLAGS = $(plugin_ldflags)

plugins_npuzzle_so_SOURCES = plugins/npuzzle.c plugins/npuzzle.h plugins/npuzzle_search.c $(sliding_sources)
plugins_npuzzle_so_CFLAGS = $(plugin_cflags)
plugins_npuzzle_so_LDFLAGS = $(plugin_ldflags)

plugins_knights_so_SOURCES = plugins/knights.c plugins/knights.h plugins/knights_search.c \
	plugins/knights_bound.c plugins/knights_bound.h plugins/knights_rank.h
plugins_knights_so_CFLAGS = $(plugin_cflags)
plugins_knights_so_LDFLAGS = $(plugin_ldflags)

plugins_bridge_so_SOURCES = plugins/bridge.c
plugins_bridge_so_CFLAGS = $(plugin_cflags)
plugins_bridge_so_LDFLAGS = $(plugin_ldflags)

searchincludedir = $(includedir)/puzzled
searchdir = $(searchincludedir)/search
dist_search_DATA = \
	include/puzzled/search/domain.h \
	include/puzzled/search/generate.h \
	include/puzzled/search/glue.h \
	include/puzzled/search/grid.h \
	include/puzzled/search/ida.h \
	include/puzzled/search/macros.h \
	include/puzzled/search/puzzle.h \
	include/puzzled/search/astar.h \
	include/puzzled/search/bfs.h \
	include/puzzled/search/bidirectional.h \
	include/puzzled/search/kit.h \
	include/puzzled/search/selftest.h \
	include/puzzled/search/solve.h \
	include/puzzled/search/store.h \
	include/puzzled/search/table.h \
	include/puzzled/search/text.h \
	include/puzzled/search/run.h
