#!/bin/sh
# SPDX-License-Identifier: MIT
# judge_cases.sh: judges' inputs through `puzzlectl judge`, with a daemon and with a private one.
#
# The cases are those of tests/corpus/judge/cases.tsv, and those of a collection, ../shared/cases beside
# the source tree, when it is there.  Each is a name, a format, a checker, an input and an output.
# Checkers:
#	exact           just this output, and exit status 0
#	path:N          the blank's moves, N of them, that lead to the goal: played here, by awk
#	paths:A,B,...   the same for board after board; `unsolvable` where there is no way
#	same-or-error   the output, or an error
#	error           nothing on stdout, a message on stderr, another exit status than 0
# Prints TAP.

top_srcdir=${top_srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
top_builddir=${top_builddir:-$top_srcdir/build}
puzzlectl=$top_builddir/client/puzzlectl
collection=$top_srcdir/../shared/cases
own=$top_srcdir/tests/corpus/judge/cases.tsv
patience=20 # seconds that one case may take

unset PUZZLED_SOCKET XDG_RUNTIME_DIR
# Not below $TMPDIR: the path of a socket has at most 107 bytes.
folder=$(mktemp -d /tmp/puzzled-judge.XXXXXX) || exit 99
daemon=
stop()
{
	[ -z "$daemon" ] || { kill "$daemon" && wait "$daemon"; } 2>/dev/null
	rm -rf "$folder"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

tab=$(printf '\t')

# ---- the cases: $folder/list has NAME, FORMAT, CHECKER, and NAME.in and NAME.out the texts ----

mkdir "$folder/cases" || exit 99
: >"$folder/list"
while IFS=$tab read -r name format checker input output; do
	case $name in '' | '#'*) continue ;; esac
	printf -- "$input" >"$folder/cases/$name.in"
	printf -- "$output" >"$folder/cases/$name.out"
	printf '%s\t%s\t%s\n' "$name" "$format" "$checker" >>"$folder/list"
done <"$own"
if [ -d "$collection" ]; then
	tail -n +2 "$collection/cases.tsv" | cut -f 1-3 | while IFS=$tab read -r name format checker; do
		format=${format#format-}
		case $format in p1379 | p2324 | poj1077 | hdu1043) ;; *) continue ;; esac
		cp "$collection/$name.in" "$collection/$name.out" "$folder/cases/" || exit 99
		printf '%s\t%s\t%s\n' "$name" "$format" "$checker"
	done >>"$folder/list"
fi
count=$(wc -l <"$folder/list")
echo "1..$((2 * count))"
[ -d "$collection" ] || echo "# no ../shared/cases beside the source tree: only the project's own cases"

# ---- the checkers ----

# Plays the lines of `out` on the boards of `in`, one after the other.
replay()
{
	tr -d ' \t\r\n' <"$1.in" | tr xX 00 | fold -w 9 >"$folder/boards"
	echo >>"$folder/boards"
	awk -v wanted="$2" -v boards="$folder/boards" '
		function play(board, moves,   i, at, to, move, cell) {
			at = index(board, "0")
			for (i = 1; i <= length(moves); i++) {
				move = substr(moves, i, 1)
				to = at
				if (move == "u" && at > 3) to = at - 3
				if (move == "d" && at < 7) to = at + 3
				if (move == "l" && (at - 1) % 3 > 0) to = at - 1
				if (move == "r" && (at - 1) % 3 < 2) to = at + 1
				if (to == at) return "move " i " (" move ") cannot be made"
				cell = substr(board, to, 1)
				board = substr(board, 1, to - 1) "0" substr(board, to + 1)
				board = substr(board, 1, at - 1) cell substr(board, at + 1)
				at = to
			}
			return board
		}
		BEGIN { count = split(wanted, lengths, ",") }
		{
			if ((getline board < boards) <= 0 || NR > count) { bad = "more lines than boards"; exit }
			if (lengths[NR] == "unsolvable") {
				if ($0 != "unsolvable") { bad = "line " NR " is " $0; exit }
				next
			}
			if (length($0) != lengths[NR]) { bad = "line " NR " has " length($0) " moves"; exit }
			end = play(board, $0)
			if (end != "123456780") { bad = "line " NR " ends in " end; exit }
		}
		END {
			if (!bad && NR != count) bad = NR " lines for " count " boards"
			if (bad) { print bad; exit 1 }
		}' "$folder/out"
}

is_error()
{
	[ "$status" -ne 0 ] && [ "$status" -lt 124 ] && [ ! -s "$folder/out" ] && [ -s "$folder/err" ]
}

# Is what is in out, err and $status right for the case?  Prints what is wrong.
check()
{
	case $2 in
	exact)
		[ "$status" -eq 0 ] && cmp "$1.out" "$folder/out" ;;
	path:* | paths:*)
		[ "$status" -eq 0 ] && replay "$1" "${2#*:}" ;;
	same-or-error)
		is_error || { [ "$status" -eq 0 ] && cmp "$1.out" "$folder/out"; } ;;
	error)
		is_error ;;
	*)
		echo "no such checker"; false ;;
	esac
}

# ---- the run ----

number=0
# run_all HOW OPTION...: every case by `puzzlectl OPTION... judge`.
run_all()
{
	how=$1
	shift
	while IFS=$tab read -r name format checker; do
		number=$((number + 1))
		timeout "$patience" "$puzzlectl" "$@" judge "$format" \
			<"$folder/cases/$name.in" >"$folder/out" 2>"$folder/err"
		status=$?
		if check "$folder/cases/$name" "$checker" >"$folder/why" 2>&1; then
			echo "ok $number - $name, $how"
		else
			echo "not ok $number - $name, $how"
			{
				echo "checker $checker, exit status $status"
				cat "$folder/why"
				head -c 300 "$folder/out"
				head -c 300 "$folder/err"
			} | sed 's/^/# /'
		fi
	done <"$folder/list"
}

cat >"$folder/puzzled.ini" <<END
[daemon]
socket = $folder/socket
plugin_dir = $top_builddir/plugins
table_dir = $folder
worker = $top_builddir/puzzled-worker
[puzzle:8puzzle]
plugin = 8puzzle.so
[puzzle:knights]
plugin = knights.so
END

"$top_builddir/puzzled" --config "$folder/puzzled.ini" </dev/null 2>"$folder/log" &
daemon=$!
tries=0
until "$puzzlectl" --socket "$folder/socket" ping >/dev/null 2>&1; do
	tries=$((tries + 1))
	if [ $tries -gt 100 ]; then
		echo "Bail out! the daemon does not answer"
		sed 's/^/# /' "$folder/log"
		exit 1
	fi
	sleep 0.1
done
run_all 'with a daemon' --socket "$folder/socket"

PUZZLED_DAEMON=$top_builddir/puzzled PUZZLED_CONFIG=$folder/puzzled.ini
export PUZZLED_DAEMON PUZZLED_CONFIG
run_all 'with a private daemon' --local
