# template/local.mk: what `puzzlectl new-plugin` copies: a plugin, its Makefile, its test, its README.

templatedir = $(pkgdatadir)/template
dist_template_DATA = template/mypuzzle.c template/Makefile template/README.md
dist_template_SCRIPTS = template/test.sh

# It tells the folder of plugins, which is below libdir, and so it is. (Debian's package, whose libdir is no architecture's,
# puts it where all architectures look: debian/rules.)
pkgconfigdir = $(libdir)/pkgconfig
nodist_pkgconfig_DATA = etc/puzzled-plugin.pc
EXTRA_DIST += etc/puzzled-plugin.pc.in
CLEANFILES += etc/puzzled-plugin.pc

etc/puzzled-plugin.pc: etc/puzzled-plugin.pc.in include/puzzled/plugin.h Makefile
	$(AM_V_GEN)$(MKDIR_P) etc && $(SED) -e 's,@prefix[@],$(prefix),' -e 's,@exec_prefix[@],$(exec_prefix),' \
		-e 's,@libdir[@],$(libdir),' -e 's,@includedir[@],$(includedir),' -e 's,@plugindir[@],$(plugindir),' \
		-e 's,@version[@],$(PACKAGE_VERSION),' \
		-e "s,@abi[@],`$(SED) -n 's/^#define PZ_ABI //p' $(srcdir)/include/puzzled/plugin.h`," \
		$(srcdir)/etc/puzzled-plugin.pc.in >$@.tmp && mv $@.tmp $@
