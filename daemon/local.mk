# What knows sockets, JSON-RPC, queues and processes, as a library so that tests can link its parts.
noinst_LIBRARIES += daemon/libdaemon.a
daemon_libdaemon_a_SOURCES = \
	daemon/access.c daemon/access.h \
	daemon/answer.c \
	daemon/blame.c daemon/blame.h \
	daemon/builder.c daemon/builder.h \
	daemon/burst.h \
	daemon/catalog.c \
	daemon/checkup.c daemon/checkup.h \
	daemon/child.c daemon/child.h \
	daemon/config.c daemon/config.h \
	daemon/config_keys.c daemon/config_keys.h \
	daemon/dispatch.c \
	daemon/ending.c \
	daemon/deadline.c daemon/deadline.h \
	daemon/job.c daemon/job.h \
	daemon/listener.c daemon/listener.h \
	daemon/loop.c daemon/loop.h \
	daemon/metrics.c \
	daemon/methods.c daemon/methods.h \
	daemon/notify.c daemon/notify.h \
	daemon/output.c daemon/output.h \
	daemon/params.c daemon/params.h \
	daemon/pool.c daemon/pool.h \
	daemon/print.c daemon/print.h \
	daemon/puzzle.c daemon/puzzle.h \
	daemon/queue.c daemon/queue.h \
	daemon/reload.c daemon/reload.h \
	daemon/request.c daemon/request.h \
	daemon/rpc.c daemon/rpc.h \
	daemon/server.c daemon/server.h \
	daemon/session.c daemon/session.h \
	daemon/settings.c daemon/settings.h \
	daemon/solve.c \
	daemon/stream.c daemon/stream.h \
	daemon/tables.c \
	daemon/tally.c daemon/tally.h \
	daemon/trust.c daemon/trust.h \
	daemon/user.c daemon/user.h \
	daemon/worker.c daemon/worker.h daemon/worker_frame.c
daemon_libdaemon_a_CFLAGS = $(AM_CFLAGS) $(EVENT_CFLAGS) $(JANSSON_CFLAGS) $(SYSTEMD_CFLAGS)

sbin_PROGRAMS += puzzled
puzzled_SOURCES = daemon/main.c
puzzled_CFLAGS = $(AM_CFLAGS) $(EVENT_CFLAGS) $(JANSSON_CFLAGS)
puzzled_LDADD = daemon/libdaemon.a common/libcommon.a $(EVENT_LIBS) $(JANSSON_LIBS) $(INIH_LIBS) \
	$(SYSTEMD_LIBS)
