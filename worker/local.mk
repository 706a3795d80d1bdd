# worker/local.mk
