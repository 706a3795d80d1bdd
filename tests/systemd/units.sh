#!/bin/sh
# SPDX-License-Identifier: MIT
# units.sh: the units as they are installed: systemd understands each line, and the service is confined.  Prints TAP.

top_builddir=${top_builddir:-$(cd "$(dirname "$0")/../.." && pwd)/build}
exposure_max=0.6
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
		printf '%s\n' "$3" | head -n 40 | sed 's/^/# /'
	fi
}

if ! command -v systemd-analyze >/dev/null 2>&1; then
	echo '1..0 # SKIP there is no systemd-analyze'
	exit 0
fi
if ! make -s -C "$top_builddir" install DESTDIR="$scratch" >"$scratch/log" 2>&1; then
	echo "Bail out! make install: $(tail -n 1 "$scratch/log")"
	exit 1
fi
if ! service=$(find "$scratch" -path '*/system/puzzled.service' | grep .); then
	echo '1..0 # SKIP built without libsystemd, so without units'
	exit 0
fi
system=$(dirname "$service")
user=$(dirname "$system")/user

# unknown FOLDER UNIT...: what systemd does not understand.  Programs are where DESTDIR says, so their
# absence is no fault; nor are the host's own units, of which it complains too.
unknown()
{
	folder=$1
	shift
	mkdir -p "$scratch/verify" && rm -f "$scratch/verify"/*
	for unit; do
		cp "$folder/$unit" "$scratch/verify/$unit"
	done
	(cd "$scratch/verify" && systemd-analyze --man=no $scope verify "$@" 2>&1) |
		grep -F puzzled | grep -vE 'is not executable|textfile|could not be found'
}

for scope in --system --user; do
	case $scope in
	--system) folder=$system units='puzzled.socket puzzled.service puzzled-metrics.service puzzled-metrics.timer' ;;
	--user) folder=$user units='puzzled.socket puzzled.service' ;;
	esac
	found=$(unknown "$folder" $units)
	result "$([ -z "$found" ] && echo yes)" "systemd understands the units (${scope#--})" "$found"
done

# A wrong line is seen, or the two tests above would be worth nothing.
scope=--system
mkdir "$scratch/bad"
cp "$system"/puzzled* "$scratch/bad/"
echo 'NoSuchSetting=yes' >>"$scratch/bad/puzzled.socket"
sed -i 's/^\[Service\]/&\nPrivateNetwork=perhaps\nSystemCallFilter=@nothing/' "$scratch/bad/puzzled.service"
found=$(unknown "$scratch/bad" puzzled.socket puzzled.service)
seen=yes
for word in NoSuchSetting perhaps @nothing; do
	case $found in *$word*) ;; *) seen=no ;; esac
done
result $seen 'a wrong line is seen' "$found"

exposure()
{
	systemd-analyze security --offline=true --no-pager "$1" 2>&1
}

report=$(exposure "$service")
level=$(printf '%s\n' "$report" | sed -n 's/.*exposure level for .*: \([0-9.]*\) .*/\1/p')
result "$(awk -v level="$level" -v most=$exposure_max 'BEGIN { if (level != "" && level + 0 <= most) print "yes" }')" \
	"the service's exposure is ${level:-unknown}, at most $exposure_max" "$(printf '%s\n' "$report" | grep -v '✓')"

# What must not be there, whatever it does for the score; see the comments in the unit.
found=$(grep -nE '^(RuntimeDirectory|PrivateUsers|DynamicUser)=' "$service")
result "$([ -z "$found" ] && echo yes)" 'nothing in the service takes the socket or its clients away' "$found"

# The time that the unit gives must be more than the drain takes, plus the second of last words.
stop=$(sed -n 's/^TimeoutStopSec=\([0-9]*\)s$/\1/p' "$service")
drain=$("$top_builddir/puzzled" --print keys | awk -F '\t' '$2 == "drain_timeout" { print $4 }')
result "$([ "${drain%s}" -gt 0 ] && [ "$stop" -gt "$((${drain%s} + 1))" ] && echo yes)" \
	"TimeoutStopSec (${stop}s) is above drain_timeout ($drain)"

echo "1..$number"
