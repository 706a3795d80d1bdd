# tests/systemd.mk: the daemon as a service: what it tells a manager, its units, manual pages and package.

test_programs += tests/e2e/test_notify
tests_e2e_test_notify_SOURCES = tests/e2e/test_notify.c
tests_e2e_test_notify_CPPFLAGS = $(e2e_cppflags)
tests_e2e_test_notify_LDADD = $(e2e_ldadd)

dist_check_SCRIPTS += tests/systemd/units.sh
TESTS += tests/systemd/units.sh

dist_check_SCRIPTS += tests/man.sh
TESTS += tests/man.sh
