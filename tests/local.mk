# tests/local.mk
include tests/search.mk
