# daemon/local.mk
