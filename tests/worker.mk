# tests/worker.mk: what tests the worker, the wire and the buffers.

# Plugins that misbehave, and a good one; built like real ones, never installed.
test_plugins = \
	tests/plugins/bad_abi.so tests/plugins/bad_meta.so tests/plugins/bad_size.so \
	tests/plugins/closer.so tests/plugins/crash_ctor.so tests/plugins/crash_open.so \
	tests/plugins/crash_solve.so tests/plugins/faulty.so tests/plugins/good.so tests/plugins/hang.so tests/plugins/hog.so \
	tests/plugins/liar.so tests/plugins/next.so tests/plugins/no_symbol.so tests/plugins/noisy.so \
	tests/plugins/previous.so tests/plugins/slow_open.so tests/plugins/tabled.so
check_PROGRAMS += $(test_plugins)

tests_plugins_bad_abi_so_SOURCES = tests/plugins/bad_abi.c tests/plugins/counting.h
tests_plugins_bad_abi_so_CFLAGS = $(plugin_cflags)
tests_plugins_bad_abi_so_LDFLAGS = $(plugin_ldflags)

tests_plugins_bad_meta_so_SOURCES = tests/plugins/bad_meta.c tests/plugins/counting.h
tests_plugins_bad_meta_so_CFLAGS = $(plugin_cflags)
tests_plugins_bad_meta_so_LDFLAGS = $(plugin_ldflags)

tests_plugins_bad_size_so_SOURCES = tests/plugins/bad_size.c tests/plugins/counting.h
tests_plugins_bad_size_so_CFLAGS = $(plugin_cflags)
tests_plugins_bad_size_so_LDFLAGS = $(plugin_ldflags)

tests_plugins_closer_so_SOURCES = tests/plugins/closer.c tests/plugins/counting.h
tests_plugins_closer_so_CFLAGS = $(plugin_cflags)
tests_plugins_closer_so_LDFLAGS = $(plugin_ldflags)

tests_plugins_crash_ctor_so_SOURCES = tests/plugins/crash_ctor.c tests/plugins/counting.h
tests_plugins_crash_ctor_so_CFLAGS = $(plugin_cflags)
tests_plugins_crash_ctor_so_LDFLAGS = $(plugin_ldflags)

tests_plugins_crash_open_so_SOURCES = tests/plugins/crash_open.c tests/plugins/counting.h
tests_plugins_crash_open_so_CFLAGS = $(plugin_cflags)
tests_plugins_crash_open_so_LDFLAGS = $(plugin_ldflags)

tests_plugins_crash_solve_so_SOURCES = tests/plugins/crash_solve.c tests/plugins/counting.h
tests_plugins_crash_solve_so_CFLAGS = $(plugin_cflags)
tests_plugins_crash_solve_so_LDFLAGS = $(plugin_ldflags)

tests_plugins_faulty_so_SOURCES = tests/plugins/faulty.c
tests_plugins_faulty_so_CFLAGS = $(plugin_cflags)
tests_plugins_faulty_so_LDFLAGS = $(plugin_ldflags)

tests_plugins_good_so_SOURCES = tests/plugins/good.c tests/plugins/counting.h
tests_plugins_good_so_CFLAGS = $(plugin_cflags)
tests_plugins_good_so_LDFLAGS = $(plugin_ldflags)

tests_plugins_hang_so_SOURCES = tests/plugins/hang.c tests/plugins/counting.h
tests_plugins_hang_so_CFLAGS = $(plugin_cflags)
tests_plugins_hang_so_LDFLAGS = $(plugin_ldflags)

tests_plugins_hog_so_SOURCES = tests/plugins/hog.c tests/plugins/counting.h
tests_plugins_hog_so_CFLAGS = $(plugin_cflags)
tests_plugins_hog_so_LDFLAGS = $(plugin_ldflags)

tests_plugins_liar_so_SOURCES = tests/plugins/liar.c tests/plugins/counting.h
tests_plugins_liar_so_CFLAGS = $(plugin_cflags)
tests_plugins_liar_so_LDFLAGS = $(plugin_ldflags)

tests_plugins_next_so_SOURCES = tests/plugins/next.c tests/plugins/counting.h
tests_plugins_next_so_CFLAGS = $(plugin_cflags)
tests_plugins_next_so_LDFLAGS = $(plugin_ldflags)

# With plugin.h as it was before the last members were appended to struct pz_plugin.
tests_plugins_previous_so_SOURCES = tests/plugins/previous.c tests/plugins/counting.h \
	tests/plugins/abi1/puzzled/plugin.h
tests_plugins_previous_so_CPPFLAGS = -I$(srcdir)/tests/plugins/abi1 $(AM_CPPFLAGS)
tests_plugins_previous_so_CFLAGS = $(plugin_cflags)
tests_plugins_previous_so_LDFLAGS = $(plugin_ldflags)

tests_plugins_no_symbol_so_SOURCES = tests/plugins/no_symbol.c
tests_plugins_no_symbol_so_CFLAGS = $(plugin_cflags)
tests_plugins_no_symbol_so_LDFLAGS = $(plugin_ldflags)

tests_plugins_noisy_so_SOURCES = tests/plugins/noisy.c tests/plugins/counting.h
tests_plugins_noisy_so_CFLAGS = $(plugin_cflags)
tests_plugins_noisy_so_LDFLAGS = $(plugin_ldflags)

tests_plugins_slow_open_so_SOURCES = tests/plugins/slow_open.c tests/plugins/counting.h
tests_plugins_slow_open_so_CFLAGS = $(plugin_cflags)
tests_plugins_slow_open_so_LDFLAGS = $(plugin_ldflags)

tests_plugins_tabled_so_SOURCES = tests/plugins/tabled.c tests/plugins/counting.h
tests_plugins_tabled_so_CFLAGS = $(plugin_cflags)
tests_plugins_tabled_so_LDFLAGS = $(plugin_ldflags)

# A puzzled-worker of its own is what most of these talk to.
worker_test_peer = tests/cmocka_first.h tests/worker_peer.c tests/worker_peer.h
worker_test_ldadd = worker/libworker.a common/libcommon.a $(CMOCKA_LIBS)

test_programs += tests/test_worker_abi
tests_test_worker_abi_SOURCES = tests/test_worker_abi.c $(worker_test_peer)
tests_test_worker_abi_CPPFLAGS = $(test_cppflags)
tests_test_worker_abi_LDADD = $(worker_test_ldadd)

test_programs += tests/test_worker_build
tests_test_worker_build_SOURCES = tests/test_worker_build.c $(worker_test_peer)
tests_test_worker_build_CPPFLAGS = $(test_cppflags)
tests_test_worker_build_LDADD = $(worker_test_ldadd)

test_programs += tests/test_worker_channel
tests_test_worker_channel_SOURCES = tests/test_worker_channel.c $(worker_test_peer)
tests_test_worker_channel_CPPFLAGS = $(test_cppflags)
tests_test_worker_channel_LDADD = $(worker_test_ldadd)

test_programs += tests/test_worker_ends
tests_test_worker_ends_SOURCES = tests/test_worker_ends.c $(worker_test_peer)
tests_test_worker_ends_CPPFLAGS = $(test_cppflags)
tests_test_worker_ends_LDADD = $(worker_test_ldadd)

test_programs += tests/test_worker_jobs
tests_test_worker_jobs_SOURCES = tests/test_worker_jobs.c $(worker_test_peer)
tests_test_worker_jobs_CPPFLAGS = $(test_cppflags)
tests_test_worker_jobs_LDADD = $(worker_test_ldadd)

test_programs += tests/test_worker_start
tests_test_worker_start_SOURCES = tests/test_worker_start.c $(worker_test_peer)
tests_test_worker_start_CPPFLAGS = $(test_cppflags)
tests_test_worker_start_LDADD = $(worker_test_ldadd)

test_programs += tests/test_worker_metadata
tests_test_worker_metadata_SOURCES = tests/test_worker_metadata.c tests/cmocka_first.h
tests_test_worker_metadata_CPPFLAGS = $(test_cppflags)
tests_test_worker_metadata_LDADD = $(worker_test_ldadd)

test_programs += tests/test_worker_options
tests_test_worker_options_SOURCES = tests/test_worker_options.c tests/cmocka_first.h
tests_test_worker_options_CPPFLAGS = $(test_cppflags)
tests_test_worker_options_LDADD = $(worker_test_ldadd)

test_programs += tests/test_worker_output
tests_test_worker_output_SOURCES = tests/test_worker_output.c tests/cmocka_first.h
tests_test_worker_output_CPPFLAGS = $(test_cppflags)
tests_test_worker_output_LDADD = $(worker_test_ldadd)

test_programs += tests/test_worker_tables
tests_test_worker_tables_SOURCES = tests/test_worker_tables.c tests/cmocka_first.h
tests_test_worker_tables_CPPFLAGS = $(test_cppflags)
tests_test_worker_tables_LDADD = $(worker_test_ldadd)

test_programs += tests/test_worker_vigil
tests_test_worker_vigil_SOURCES = tests/test_worker_vigil.c tests/cmocka_first.h
tests_test_worker_vigil_CPPFLAGS = $(test_cppflags)
tests_test_worker_vigil_LDADD = $(worker_test_ldadd)

test_programs += tests/test_wire
tests_test_wire_SOURCES = tests/test_wire.c tests/cmocka_first.h
tests_test_wire_CPPFLAGS = $(test_cppflags)
tests_test_wire_LDADD = common/libcommon.a $(CMOCKA_LIBS)

test_programs += tests/test_buf
tests_test_buf_SOURCES = tests/test_buf.c tests/cmocka_first.h
tests_test_buf_CPPFLAGS = $(test_cppflags)
tests_test_buf_LDADD = common/libcommon.a $(CMOCKA_LIBS)

test_programs += tests/test_errors
tests_test_errors_SOURCES = tests/test_errors.c tests/cmocka_first.h
tests_test_errors_CPPFLAGS = $(test_cppflags)
tests_test_errors_LDADD = common/libcommon.a $(CMOCKA_LIBS)
