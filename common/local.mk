# common/local.mk
