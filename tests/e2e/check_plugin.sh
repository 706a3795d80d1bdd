#!/bin/sh
# SPDX-License-Identifier: MIT
# check_plugin.sh: `puzzlectl check-plugin` finds what is wrong, by name, and nothing wrong with what is right.
# Prints TAP.

top_srcdir=${top_srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
top_builddir=${top_builddir:-$top_srcdir/build}
puzzlectl=$top_builddir/client/puzzlectl
PUZZLED_CHECK_PLUGIN=$top_builddir/puzzled-check-plugin
export PUZZLED_CHECK_PLUGIN
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
number=0
sanitized=
grep -q '^#define PZ_SANITIZED' "$top_builddir/config.h" && sanitized=yes

# result OK NAME
result()
{
	number=$((number + 1))
	if [ "$1" = yes ]; then
		echo "ok $number - $2"
	else
		echo "not ok $number - $2"
		sed 's/^/# /' "$folder/out" "$folder/err" | cut -c 1-300
	fi
}

# examine ARGUMENT...: runs it; $status.
examine()
{
	"$puzzlectl" check-plugin "$@" >"$folder/out" 2>"$folder/err"
	status=$?
}

# ---- what is right passes ----

# The tables that are not there take no search away: it is the searches that are examined.
for plugin in "$top_builddir"/plugins/*.so "$top_builddir"/tests/plugins/good.so \
	"$top_builddir"/tests/plugins/faulty.so "$top_builddir"/tests/plugins/previous.so; do
	examine "$plugin"
	result "$([ $status -eq 0 ] && ! grep -q ^FAILED "$folder/out" && echo yes)" \
		"$(basename "$plugin") passes: $(tail -n 1 "$folder/out")"
done

# ---- what is wrong fails, for its own reason ----

# PLUGIN[:BOARD] or a fault of faulty.so; the check; what it says.
cases='
no_symbol          exports            does not export pz_plugin
bad_abi            abi                built for version 2 of the plugin interface
bad_size           abi                has 16 bytes
bad_meta           metadata           one name, "move"
crash_ctor         abi                died in loading: killed by signal 6
crash_open         open               died in open: killed by signal 11
crash_solve:crash  solve              died in solve by auto: killed by signal 11.*board "crash"
crash_solve:exit   solve              ended its process in solve by auto, with status 7.*board "exit"
hang:hang          poll               did not come back within .*never polled.*board "hang"
hog:hog            memory             died in solve by auto.*board "hog"
liar:illegal       solve              move 2 of the plugin.s solution of 3 is not legal; board "illegal"
liar:short         solve              ends at a board that is no goal.*board "short"
liar:cheap         solve              costs 2; board "cheap"
liar:long          solve              has 4294967295 moves
liar:stopped       solve              stopped without being told to
liar:wait          solve              wait for a table that nobody builds
liar:status        solve              has no status: 99
liar:final         check              replay of no moves does not print it; board "final"
liar:visits        solve              showed 100004 boards; board "visits"
liar:limit         limits             more than max_length 2; board "limit"
noisy              quiet              bytes were written, beginning with
closer:close       descriptors        descriptor 0 was closed
inadmissible       admissible         says that it costs at least .*there is a way that costs .*board
inadmissible       optimal            ida solves it at a cost of .*there is a way that costs .*board
inconsistent       domain-consistent  h falls from .*yet h_consistent is set.*board
wrong_inverse      domain-inverse     its inverse 1 is not legal; board "120453"
unequal_keys       domain-key         equal key bytes.*board
child_h            domain-child-h     child_h of move . is ., h after it is .; board
derive             domain-derive      h is . when kept by apply, . when derived anew
rank               domain-rank        unrank of its rank .* is another state
goal_h             goal-estimate      the heuristic is 1 at a goal; board "123450"
goal_h             domain-goals       h is 1 at a goal; board "123450"
unsolvable         unsolvable         it is called unsolvable, and there is a way that costs .*board
unsolvable         domain-unsolvable  unsolvable, and not so after move
stdout             quiet              beginning with "solving"
stderr             quiet              beginning with "solving"
no_poll            poll               astar went .* ms of processor time without a poll.*board
no_stop            poll               astar took .* ms of processor time to stop when told.*board
wander             check              did not come back within .*never polled.*board "5
memory             memory             takes .* KiB where job.memory allows 4096 KiB; board
crash              check              died in solve by auto: killed by signal 6.*board "5
exit               check              ended its process in solve by auto, with status 0; board "5
random             deterministic      the second time as many nodes are not needed; board
first_time         again              another process
address            again              another process
detour             agree              auto says .* costs .*, table says .* costs .*; board
limit              limits             refuses a solution of just that
path_max           path-max           writes moves beyond the 21 of path_max; board
position           check              position is .* in a text of
no_reason          check              refused without a reason
reprint            domain-key         parse makes another key of what print wrote
overread           check              died in check: killed by signal 11.*board "120453"
wide               render             more than 80 columns; board
cost               rules              costs 0; a move costs at least 1; board
replay             rules              replay makes move ., which neighbours does not show; board
neighbour          rules              move 2 leads to .* by neighbours and to .* by replay; board
generate           generate           what was made cannot be solved
seed               generate           the same seed makes another board
length             generate           asked for exactly 2 moves, it made a board of 0; board "123450"
open_file          descriptors        was left open
close_file         descriptors        descriptor 1 was closed
close              close              did not come back within
byte               check              died in check.*board "[^"]*~
bare               domain-key         goal looks at more than the key; board
deny               agree              auto says a solution of [0-9]* moves, bfs says that none is so short; board
plain              domain-inverse     its inverse . is not legal; the plain domain; board
leak               memory             auto leaves [0-9]* bytes behind each time; board
'
printf '%s' "$cases" | grep . >"$folder/cases"
last=
while read -r subject check pattern; do
	case $sanitized:$check:$subject in
	# AddressSanitizer has memory of its own, is slow, and dies in its own ways.
	yes:memory:* | yes:poll:no_* | yes:again:address | yes:*:hog:* | yes:*:overread | yes:*:crash*) continue ;;
	esac
	if [ "$subject" != "$last" ]; then
		plugin=$top_builddir/tests/plugins/${subject%%:*}.so
		case $subject in
		*:*) examine "$plugin" "${subject#*:}" ;;
		*) if [ -e "$plugin" ]; then
			examine "$plugin"
		else
			examine "$top_builddir/tests/plugins/faulty.so" -o fault="$subject"
		fi ;;
		esac
		last=$subject
	fi
	result "$([ $status -eq 1 ] && grep -Eq "^FAILED +$check: .*$pattern" "$folder/out" && echo yes)" \
		"$subject fails $check"
done <"$folder/cases"

# ---- the command itself ----

examine "$top_builddir/tests/plugins/faulty.so" --json
result "$([ $status -eq 0 ] && [ "$(wc -l <"$folder/out")" -eq 1 ] &&
	grep -q '^{"plugin":".*faulty.so","ok":true,"checks":\[{"check":"exports","outcome":"ok",' "$folder/out" &&
	echo yes)" 'JSON is one line'
examine "$top_builddir/tests/plugins/faulty.so" -o fault=wide --json
result "$([ $status -eq 1 ] && grep -q '"check":"render","outcome":"failed","note":"[^"]*","board":"120453"}' \
	"$folder/out" && echo yes)" 'JSON has what failed, and the board'
examine "$top_builddir/tests/plugins/faulty.so" --seed 2
result "$([ $status -eq 0 ] && echo yes)" 'another seed'
examine "$top_builddir/tests/plugins/faulty.so" --goal 103425
result "$([ $status -eq 0 ] && echo yes)" 'another goal'
examine "$top_builddir/tests/plugins/faulty.so" --goal 103
result "$([ $status -eq 1 ] && grep -q '^FAILED *open: .*goal' "$folder/out" && echo yes)" 'a goal that is none'
examine "$top_builddir/tests/plugins/good.so" -o step=2 -o loud=yes
result "$([ $status -eq 0 ] && echo yes)" "options of the configuration and of requests"
examine "$top_builddir/tests/plugins/faulty.so" -o colour=red
result "$([ $status -eq 1 ] && grep -q 'there is no option "colour"' "$folder/out" && echo yes)" 'an unknown option'
examine "$folder/nowhere.so"
result "$([ $status -eq 2 ] && grep -q 'nowhere.so: No such file' "$folder/err" && echo yes)" 'no such file'
examine
result "$([ $status -eq 2 ] && echo yes)" 'no file'
PUZZLED_CHECK_PLUGIN=/nowhere examine "$top_builddir/tests/plugins/faulty.so"
result "$([ $status -eq 3 ] && grep -q PUZZLED_CHECK_PLUGIN "$folder/err" && echo yes)" 'no checker'
echo "1..$number"
