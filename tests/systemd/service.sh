#!/bin/sh
# SPDX-License-Identifier: MIT
# service.sh: the packages of package.sh in a real systemd: see inside.sh, which prints the TAP.

top_srcdir=${top_srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
top_builddir=${top_builddir:-$top_srcdir/build}
here=$top_srcdir/tests/systemd
seconds=170

skip()
{
	echo "1..0 # SKIP $*"
	exit 0
}

ls "$top_builddir"/tests/systemd/packages/puzzled_*.deb >/dev/null 2>&1 ||
	skip 'there are no packages: see what package.sh says'
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
trap 'exit 143' INT TERM HUP # and so boot.sh, which has got the same
cp "$top_builddir"/tests/systemd/packages/*.deb "$top_builddir/tests/systemd/flood" \
	"$top_builddir/tests/plugins/breakout.so" "$here/inside.sh" "$folder/" &&
	cp -r "$top_srcdir/debian/tests" "$folder/autopkgtests" || exit 99
# A later version, to upgrade to.
dpkg-deb -R "$folder"/puzzled_*.deb "$folder/next" &&
	sed -i 's/^Version: .*/&+next/' "$folder/next/DEBIAN/control" &&
	dpkg-deb --root-owner-group -Zgzip -z1 -b "$folder/next" "$folder/next.deb" >/dev/null || exit 99
rm -rf "$folder/next"

"$here/boot.sh" $seconds "$folder" "$folder/inside.sh" "$folder" 2>"$folder/why"
code=$?
case $code in
0 | 1) ;;
124) echo "Bail out! it took longer than $seconds s" ;;
125) skip "$(cat "$folder/why")" ;;
*) echo "Bail out! inside.sh ended with status $code" ;;
esac
exit $code
