# tests/systemd.mk: the daemon as a service: what it tells a manager, its units, manual pages and package.

test_programs += tests/e2e/test_notify
tests_e2e_test_notify_SOURCES = tests/e2e/test_notify.c
tests_e2e_test_notify_CPPFLAGS = $(e2e_cppflags)
tests_e2e_test_notify_LDADD = $(e2e_ldadd)

dist_check_SCRIPTS += tests/systemd/units.sh
test_scripts += tests/systemd/units.sh

dist_check_SCRIPTS += tests/man.sh
test_scripts += tests/man.sh

# The service as it is installed.  service.sh takes what package.sh has built.
EXTRA_DIST += tests/systemd/inside.sh tests/systemd/boot.sh
dist_check_SCRIPTS += tests/systemd/package.sh tests/systemd/service.sh
test_scripts += tests/systemd/package.sh tests/systemd/service.sh
tests/systemd/service.log: tests/systemd/package.log
check_PROGRAMS += tests/systemd/flood
tests_systemd_flood_SOURCES = tests/systemd/flood.c

# debian/ is a part of a release: package.sh builds from one.
EXTRA_DIST += debian/changelog debian/control debian/copyright debian/puzzled-dev.install debian/puzzled.docs \
	debian/puzzled.install debian/puzzled.postrm debian/rules debian/source/format debian/tests/control \
	debian/tests/plugin debian/tests/service

clean-local:
	rm -rf tests/systemd/packages
