# tests/common.mk: what all programs share, the configuration, and the rules of the tree.

EXTRA_DIST += tests/corpus/ini tests/corpus/config
dist_check_SCRIPTS += tests/architecture.sh
test_scripts += tests/architecture.sh

corpus_sources = tests/corpus.c tests/corpus.h

test_programs += tests/test_units
tests_test_units_SOURCES = tests/test_units.c
tests_test_units_CPPFLAGS = $(test_cppflags)
tests_test_units_LDADD = common/libcommon.a $(CMOCKA_LIBS)

test_programs += tests/test_utf8
tests_test_utf8_SOURCES = tests/test_utf8.c
tests_test_utf8_CPPFLAGS = $(test_cppflags)
tests_test_utf8_LDADD = common/libcommon.a $(CMOCKA_LIBS)

test_programs += tests/test_ini
tests_test_ini_SOURCES = tests/test_ini.c $(corpus_sources)
tests_test_ini_CPPFLAGS = $(test_cppflags)
tests_test_ini_LDADD = common/libcommon.a $(INIH_LIBS) $(CMOCKA_LIBS)

test_programs += tests/test_log
tests_test_log_SOURCES = tests/test_log.c
tests_test_log_CPPFLAGS = $(test_cppflags)
tests_test_log_LDADD = common/libcommon.a $(CMOCKA_LIBS)

test_programs += tests/test_config
tests_test_config_SOURCES = tests/test_config.c $(corpus_sources)
tests_test_config_CPPFLAGS = $(test_cppflags) -DPZ_TEST_SAMPLE='"$(abs_top_builddir)/etc/puzzled.ini"'
tests_test_config_LDADD = daemon/libdaemon.a common/libcommon.a $(INIH_LIBS) $(CMOCKA_LIBS)

test_programs += tests/test_config_keys
tests_test_config_keys_SOURCES = tests/test_config_keys.c
tests_test_config_keys_CPPFLAGS = $(test_cppflags)
tests_test_config_keys_LDADD = daemon/libdaemon.a common/libcommon.a $(INIH_LIBS) $(CMOCKA_LIBS)
