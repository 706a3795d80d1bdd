# client/local.mk
