noinst_LIBRARIES += common/libcommon.a
common_libcommon_a_SOURCES = \
	common/buf.c common/buf.h \
	common/errors.c common/errors.h \
	common/frame.c common/frame.h \
	common/ini.h \
	common/limits.h \
	common/log.h \
	common/text.h \
	common/units.h \
	common/utf8.h \
	common/wire.c common/wire.h
