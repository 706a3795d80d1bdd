# tests/local.mk
include tests/search.mk
include tests/worker.mk
