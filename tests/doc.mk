# What the documentation says, tried.
test_programs += tests/test_protocol
tests_test_protocol_SOURCES = tests/test_protocol.c
tests_test_protocol_CPPFLAGS = $(test_cppflags) $(JANSSON_CFLAGS)
tests_test_protocol_LDADD = $(JANSSON_LIBS) $(CMOCKA_LIBS)

EXTRA_DIST += doc/architecture.md
dist_doc_DATA = doc/plugin-guide.md doc/protocol.md
