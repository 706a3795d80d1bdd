#!/bin/sh
# test_search_calls.sh: looks into the plugins that were built (x86_64 only).
# - The searches make no indirect call for a node.  Each is compiled into one function of its own, everything
#   inlined; what it calls is kept out of line and called directly.
# - A plugin exports pz_plugin and nothing else.
# Prints TAP.
objdump=${OBJDUMP:-objdump}
nm=${NM:-nm}
count=0
failed=0

skip() {
	echo "1..0 # SKIP $1"
	exit 0
}

# tap OK NAME [DETAIL]
tap() {
	count=$((count + 1))
	if [ "$1" = yes ]; then
		echo "ok $count - $2"
	else
		echo "not ok $count - $2"
		echo "$3" | sed 's/^/# /'
		failed=1
	fi
}

command -v "$objdump" >/dev/null 2>&1 || skip "$objdump is not installed (Debian: binutils)"
[ "$(uname -m)" = x86_64 ] || skip "knows the calls of x86_64 only"
"$nm" -D plugins/8puzzle.so | grep -q __asan_ && skip "a sanitizer adds calls of its own"
grep -q '^CFLAGS = .*-O0' Makefile 2>/dev/null && skip "nothing is inlined at -O0"

for object in plugins/8puzzle.so plugins/15puzzle.so plugins/npuzzle.so plugins/knights.so plugins/bridge.so; do
	plugin=$(basename "$object")
	exported=$("$nm" -D --defined-only "$object" | awk '{ print $NF }')
	ok=no
	[ "$exported" = pz_plugin ] && ok=yes
	tap $ok "$plugin exports pz_plugin alone" "$exported"
	# Lines "function kind", kind being `entry` once for each search and `indirect` for each such call.
	found=$("$objdump" -d --no-show-raw-insn "$object" | awk '
		/^[0-9a-f]+ <.*>:$/ {
			name = $2
			gsub(/[<>:]/, "", name)
			# A compiler may split a function, into NAME.cold or NAME.part.0.
			is = name ~ /_(ida|astar|bfs|bidirectional|table_path|table_build)($|\.)/ && name !~ /^(pz|eight)_/
			if (is) print name, "entry"
		}
		is && ($2 == "call" || $2 == "callq") && $3 ~ /^\*/ { print name, "indirect", $0 }')
	searches=$(echo "$found" | awk '$2 == "entry" { print $1 }')
	ok=no
	[ "$(echo "$searches" | wc -l)" -ge 12 ] && ok=yes
	tap $ok "$plugin has its searches in functions of their own" "$searches"
	for name in $searches; do
		bad=$(echo "$found" | awk -v name="$name" '$1 == name && $2 == "indirect"')
		ok=no
		[ -z "$bad" ] && ok=yes
		tap $ok "$plugin: no indirect call in $name" "$bad"
	done
done
echo "1..$count"
exit $failed
