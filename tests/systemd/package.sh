#!/bin/sh
# SPDX-License-Identifier: MIT
# package.sh: the Debian packages, built from what a release would hold, and what lintian says of them.  Prints TAP.
# They stay in tests/systemd/packages of the build tree, for service.sh.

top_srcdir=${top_srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
top_builddir=${top_builddir:-$top_srcdir/build}
packages=$top_builddir/tests/systemd/packages
rm -rf "$packages"

for tool in dpkg-buildpackage dh; do
	if ! command -v $tool >/dev/null 2>&1; then
		echo "1..0 # SKIP there is no $tool (Debian: debhelper)"
		exit 0
	fi
done
if ! missing=$(cd "$top_srcdir" && dpkg-checkbuilddeps 2>&1); then
	echo "1..0 # SKIP ${missing#*: }"
	exit 0
fi
mkdir -p "$packages" || exit 99
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

number=0

# result OK NAME [DIAGNOSIS]
result()
{
	number=$((number + 1))
	if [ "$1" = yes ]; then
		echo "ok $number - $2"
	else
		echo "not ok $number - $2"
		printf '%s\n' "$3" | tail -n 40 | sed 's/^/# /'
	fi
}

# distdir is what a tarball holds; a make above us must not hand its jobs down.
unset MAKEFLAGS MFLAGS MAKELEVEL CFLAGS
make -C "$top_builddir" distdir distdir="$scratch/puzzled" >"$scratch/log" 2>&1 &&
	(cd "$scratch/puzzled" && CC= && unset CC &&
		DEB_BUILD_OPTIONS='nocheck parallel=2 noautodbgsym' dpkg-buildpackage -b -us -uc) >>"$scratch/log" 2>&1 &&
	built=yes
result "${built:-no}" 'the packages are built from what a release holds' "$(cat "$scratch/log")"
if [ "${built:-no}" != yes ]; then
	echo "1..$number"
	exit 1
fi
cp "$scratch"/*.deb "$packages/"

if command -v lintian >/dev/null 2>&1; then
	found=$(lintian --allow-root --fail-on error,warning --tag-display-limit 0 "$scratch"/*.changes 2>&1)
	result "$([ $? -eq 0 ] && echo yes)" 'lintian finds neither errors nor warnings' "$found"
else
	number=$((number + 1))
	echo "ok $number - lintian finds neither errors nor warnings # SKIP there is no lintian"
fi

# lacks PACKAGE PATTERN...: what of these is not in the package.
lacks()
{
	dpkg-deb -c "$packages/$1"_*.deb | awk '{ print $6 }' >"$scratch/content"
	shift
	for pattern; do
		grep -qE "^\./$pattern\$" "$scratch/content" || echo "$pattern"
	done
}

found=$(lacks puzzled usr/sbin/puzzled usr/bin/puzzlectl usr/lib/puzzled/puzzled-worker 'usr/lib/puzzled/plugins/8puzzle\.so' \
	'usr/lib/puzzled/plugins/knights\.so' 'etc/puzzled/puzzled\.ini' '(usr/)?lib/systemd/system/puzzled\.socket' \
	'(usr/)?lib/systemd/system/puzzled\.service' 'usr/lib/systemd/user/puzzled\.socket' 'usr/lib/sysusers.d/puzzled\.conf' \
	'usr/share/man/man8/puzzled\.8\.gz' 'usr/share/man/man1/puzzlectl\.1\.gz' 'usr/share/man/man5/puzzled\.ini\.5\.gz' \
	'usr/share/man/man7/puzzled-protocol\.7\.gz'
	lacks puzzled-dev 'usr/include/puzzled/plugin\.h' 'usr/include/puzzled/search/domain\.h' \
		'usr/share/man/man7/puzzled-plugin\.7\.gz' 'usr/share/pkgconfig/puzzled-plugin\.pc' \
		'usr/share/puzzled/template/Makefile')
result "$([ -z "$found" ] && echo yes)" 'the packages hold what they should' "$found"

dpkg-deb -e "$packages"/puzzled_*.deb "$scratch/scripts"
found=$(cat "$scratch/scripts/conffiles")
result "$([ "$found" = /etc/puzzled/puzzled.ini ] && echo yes)" 'the configuration is a conffile, and the only one' "$found"

# Restarting the socket would refuse clients; only the service may be.
grep -q "deb-systemd-invoke .* 'puzzled.service'" "$scratch/scripts/postinst" &&
	! grep -E "deb-systemd-invoke .*action.*puzzled.socket" "$scratch/scripts/postinst" >"$scratch/found" && good=yes
result "${good:-no}" 'an upgrade restarts the service and not the socket' "$(cat "$scratch/found")"

echo "1..$number"
