#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# guide.sh: doc/plugin-guide.md, followed to the letter in a folder of its own, with what `make install` installs.
#
# A block of c or ini is written to the file that its first line names; in one of console, each line `$ command` is
# run and what follows must be what it prints, where `...` is anything.  Durations may differ.  Prints TAP.

top_srcdir=${top_srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
top_builddir=${top_builddir:-$top_srcdir/build}
if grep -q '^#define PZ_SANITIZED' "$top_builddir/config.h"; then
	echo '1..0 # SKIP plugins that are built as authors build them do not go with AddressSanitizer'
	exit 0
fi
for program in make "${PKG_CONFIG:-pkg-config}" cc; do
	command -v "$program" >/dev/null || { echo "1..0 # SKIP there is no $program"; exit 0; }
done
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
. "$top_srcdir/tests/e2e/stage.sh"

mkdir "$folder/steps" "$folder/work"
cd "$folder/work" || exit 99

# Files are written; of commands, steps/N.command and steps/N.expected are made.
awk -v steps="$folder/steps" -v here="$folder/work" '
/^```/ {
	kind = kind == "" ? substr($0, 4) : ""
	file = ""
	next
}
(kind == "c" || kind == "ini") && file == "" {
	file = match($0, /[a-z]+\.(c|ini)/) ? substr($0, RSTART, RLENGTH) : "nameless"
}
kind == "c" || kind == "ini" {
	gsub(/@PWD@/, here)
	print > file
}
kind == "console" && /^\$ / {
	step = sprintf("%s/%02d", steps, ++n)
	print NR > (step ".line")
	print substr($0, 3) > (step ".command")
	printf "" > (step ".expected")
	next
}
kind == "console" { print > (step ".expected") }' "$top_srcdir/doc/plugin-guide.md"

# like EXPECTED GOT: whether they are the same; `...` at a line'\''s end or alone is anything.
like()
{
	awk '
	function plain(line)
	{
		gsub(/[0-9.]+ (us|ms|s)/, "TIME", line)
		gsub(/ +/, " ", line)
		return line
	}
	function matches(want, have,    head, tail, at)
	{
		at = index(want, "...")
		if (!at) return want == have
		head = substr(want, 1, at - 1)
		want = substr(want, at + 3)
		if (substr(have, 1, length(head)) != head) return 0
		have = substr(have, length(head) + 1)
		if (want == "") return 1
		while (have != "") {
			if (matches(want, have)) return 1
			have = substr(have, 2)
		}
		return 0
	}
	NR == FNR { want[++wanted] = plain($0); next }
	{ have[++had] = plain($0) }
	END {
		for (at = 1; at <= wanted; at++) {
			if (want[at] == "...") { skip = 1; continue }
			do line++; while (skip && line <= had && !matches(want[at], have[line]))
			if (line > had || !matches(want[at], have[line])) {
				print "missing: " want[at]
				exit 1
			}
			skip = 0
		}
		if (!skip && line < had) {
			print "not told: " have[line + 1]
			exit 1
		}
	}' "$1" "$2"
}

number=0
for command in "$folder"/steps/*.command; do
	step=${command%.command}
	number=$((number + 1))
	eval "$(cat "$command")" >"$step.got" 2>&1 </dev/null
	name="line $(cat "$step.line"): $(cat "$command")"
	if like "$step.expected" "$step.got" >"$step.why"; then
		echo "ok $number - ${name//#/}"
	else
		echo "not ok $number - ${name//#/}"
		sed 's/^/# /' "$step.why" "$step.got"
	fi
done

number=$((number + 1))
lines=$(wc -l <jugs.c)
if [ "$lines" -le 60 ]; then
	echo "ok $number - the puzzle has $lines lines, at most 60"
else
	echo "not ok $number - the puzzle has $lines lines"
fi
echo "1..$number"
