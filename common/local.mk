noinst_LIBRARIES += common/libcommon.a
common_libcommon_a_SOURCES = \
	common/buf.c common/buf.h \
	common/errors.c common/errors.h \
	common/frame.c common/frame.h \
	common/ini.c common/ini.h \
	common/limits.h \
	common/log.c common/log.h \
	common/reason.c common/reason.h \
	common/text.h \
	common/units.c common/units.h \
	common/utf8.c common/utf8.h \
	common/wire.c common/wire.h
