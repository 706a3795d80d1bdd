# man/local.mk: the manual pages; tests/man.sh holds them to the programs' own tables.

man_templates = man/puzzled.8.in man/puzzled.ini.5.in man/puzzlectl.1.in man/puzzled-plugin.7.in \
	man/puzzled-protocol.7.in
EXTRA_DIST += $(man_templates)
man_MANS = man/puzzled.8 man/puzzled.ini.5 man/puzzlectl.1 man/puzzled-plugin.7 man/puzzled-protocol.7
CLEANFILES += $(man_MANS)

fill_man = $(AM_V_GEN)$(MKDIR_P) man && $(SED) -e 's,@sysconfdir[@],$(sysconfdir),g' -e 's,@rundir[@],$(rundir),g' \
	-e 's,@plugindir[@],$(plugindir),g' -e 's,@tabledir[@],$(tabledir),g' \
	-e 's,@workerdir[@],$(libexecworkerdir),g' $< >$@.tmp && mv $@.tmp $@

man/puzzled.8: man/puzzled.8.in Makefile
	$(fill_man)
man/puzzled.ini.5: man/puzzled.ini.5.in Makefile
	$(fill_man)
man/puzzlectl.1: man/puzzlectl.1.in Makefile
	$(fill_man)
man/puzzled-plugin.7: man/puzzled-plugin.7.in Makefile
	$(fill_man)
man/puzzled-protocol.7: man/puzzled-protocol.7.in Makefile
	$(fill_man)
