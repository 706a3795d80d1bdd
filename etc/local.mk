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

# ---- the programs as they are in the build tree, with a configuration for it: PATH=$PWD/bin:$PATH ----

tree = $(abs_builddir)
noinst_SCRIPTS = bin/puzzlectl bin/puzzled
noinst_DATA += bin/puzzled.ini
CLEANFILES += bin/puzzlectl bin/puzzled bin/puzzled.ini tables/*

bin/puzzled.ini: etc/puzzled.ini
	$(AM_V_GEN)$(MKDIR_P) bin && $(SED) -e 's,^;\(plugin_dir =\).*,\1 $(tree)/plugins,' \
		-e 's,^;\(table_dir =\).*,\1 $(tree)/tables,' -e 's,^;\(worker =\).*,\1 $(tree)/puzzled-worker,' \
		etc/puzzled.ini >$@.tmp && chmod 644 $@.tmp && mv $@.tmp $@

bin/puzzled: Makefile
	$(AM_V_GEN)$(MKDIR_P) bin && printf '%s\n' '#!/bin/sh' \
		'exec "$(tree)/puzzled" --config "$(tree)/bin/puzzled.ini" "$$@"' >$@.tmp && chmod +x $@.tmp && mv $@.tmp $@

bin/puzzlectl: Makefile
	$(AM_V_GEN)$(MKDIR_P) bin && printf '%s\n' '#!/bin/sh' \
		': "$${PUZZLED_DAEMON:=$(tree)/puzzled}" "$${PUZZLED_CONFIG:=$(tree)/bin/puzzled.ini}"' \
		': "$${PUZZLED_TEMPLATE:=$(abs_top_srcdir)/template}"' \
		'export PUZZLED_DAEMON PUZZLED_CONFIG PUZZLED_TEMPLATE' \
		'exec "$(tree)/client/puzzlectl" "$$@"' >$@.tmp && chmod +x $@.tmp && mv $@.tmp $@

# ---- systemd ----

unit_templates = etc/puzzled.socket.in etc/puzzled.service.in etc/user.socket.in etc/user.service.in \
	etc/puzzled-metrics.service.in
EXTRA_DIST += $(unit_templates) etc/puzzled-metrics.timer etc/puzzled.sysusers

# What node_exporter's package of Debian reads.
textfiledir = $(localstatedir)/lib/prometheus/node-exporter
fill_unit = $(AM_V_GEN)$(MKDIR_P) $(@D) && $(SED) -e 's,@sbindir[@],$(sbindir),' -e 's,@bindir[@],$(bindir),' \
	-e 's,@rundir[@],$(rundir),' -e 's,@textfiledir[@],$(textfiledir),' $< >$@.tmp && mv $@.tmp $@

etc/system/puzzled.socket: etc/puzzled.socket.in Makefile
	$(fill_unit)
etc/system/puzzled.service: etc/puzzled.service.in Makefile
	$(fill_unit)
etc/system/puzzled-metrics.service: etc/puzzled-metrics.service.in Makefile
	$(fill_unit)
etc/user/puzzled.socket: etc/user.socket.in Makefile
	$(fill_unit)
etc/user/puzzled.service: etc/user.service.in Makefile
	$(fill_unit)
etc/sysusers/puzzled.conf: etc/puzzled.sysusers Makefile
	$(fill_unit)

units = etc/system/puzzled.socket etc/system/puzzled.service etc/system/puzzled-metrics.service \
	etc/user/puzzled.socket etc/user/puzzled.service etc/sysusers/puzzled.conf
CLEANFILES += $(units)
if SYSTEMD
systemunit_DATA = etc/system/puzzled.socket etc/system/puzzled.service etc/system/puzzled-metrics.service \
	etc/puzzled-metrics.timer
userunit_DATA = etc/user/puzzled.socket etc/user/puzzled.service
sysusers_DATA = etc/sysusers/puzzled.conf
endif
