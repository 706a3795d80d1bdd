# client/local.mk: puzzlectl, and what its tests link of it.
bin_PROGRAMS += client/puzzlectl
noinst_LIBRARIES += client/libclient.a

client_libclient_a_SOURCES = \
	client/batch.c \
	client/boards.c client/boards.h \
	client/cells.c client/cells.h \
	client/channel.c client/channel.h \
	client/check_plugin.c \
	client/client.c client/client.h \
	client/command.c client/command.h \
	client/compare.c \
	client/conn.c client/conn.h \
	client/describe.c \
	client/draw.c client/draw.h \
	client/fault.c client/fault.h \
	client/generate.c \
	client/input.c client/input.h \
	client/job.c client/job.h \
	client/judge.c \
	client/list.c \
	client/local.c client/local.h \
	client/member.h \
	client/metrics.c \
	client/new_plugin.c \
	client/options.c client/options.h \
	client/outcome.c client/outcome.h \
	client/ping.c \
	client/print.c client/print.h \
	client/program.c client/program.h \
	client/progress.c client/progress.h \
	client/reload.c \
	client/solve.c \
	client/status.c \
	client/stream.c client/stream.h \
	client/suggest.c client/suggest.h \
	client/table.c client/table.h \
	client/tables.c \
	client/value.c client/value.h \
	client/verify.c
client_libclient_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)

client_puzzlectl_SOURCES = client/main.c
client_puzzlectl_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
client_puzzlectl_LDADD = client/libclient.a common/libcommon.a $(JANSSON_LIBS)

bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = etc/completions/puzzlectl
