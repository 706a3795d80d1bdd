# plugins/local.mk
