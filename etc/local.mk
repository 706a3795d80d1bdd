# etc/local.mk: what is installed beside the programs.

EXTRA_DIST += etc/puzzled.ini.in
noinst_DATA = etc/puzzled.ini
CLEANFILES += etc/puzzled.ini

etc/puzzled.ini: etc/puzzled.ini.in Makefile
	$(AM_V_GEN)$(MKDIR_P) etc && $(SED) -e 's,@rundir[@],$(rundir),' -e 's,@plugindir[@],$(plugindir),' \
		-e 's,@tabledir[@],$(tabledir),' -e 's,@workerdir[@],$(libexecworkerdir),' \
		$(srcdir)/etc/puzzled.ini.in >$@.tmp && mv $@.tmp $@

# A configuration that is there already is somebody's work: it stays, and is not removed either.
install-data-local: etc/puzzled.ini
	$(MKDIR_P) '$(DESTDIR)$(sysconfdir)/puzzled'
	test -e '$(DESTDIR)$(sysconfdir)/puzzled/puzzled.ini' \
		|| $(INSTALL_DATA) etc/puzzled.ini '$(DESTDIR)$(sysconfdir)/puzzled/puzzled.ini'

# distcheck wants everything gone: what was never changed goes.
uninstall-local:
	if cmp -s etc/puzzled.ini '$(DESTDIR)$(sysconfdir)/puzzled/puzzled.ini'; then \
		rm -f '$(DESTDIR)$(sysconfdir)/puzzled/puzzled.ini'; \
	fi
