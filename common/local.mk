noinst_LIBRARIES += common/libcommon.a
common_libcommon_a_SOURCES = \
	common/buf.c common/buf.h \
	common/errors.c common/errors.h \
	common/frame.c common/frame.h \
	common/limits.h common/text.h \
	common/wire.c common/wire.h
