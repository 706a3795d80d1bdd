#!/bin/sh
# SPDX-License-Identifier: MIT
# completion.sh: what bash offers after some words of puzzlectl.  Prints TAP.

top_srcdir=${top_srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
top_builddir=${top_builddir:-$top_srcdir/build}
if ! command -v bash >/dev/null; then
	echo '1..0 # SKIP there is no bash'
	exit 0
fi
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT

# A private daemon that has two puzzles.
cat >"$folder/puzzled" <<'END'
#!/bin/sh
read -r line <&3
echo '{"id":1,"result":{"puzzles":[{"name":"8puzzle"},{"name":"knights"}]}}' >&3
END
chmod +x "$folder/puzzled"
PUZZLED_DAEMON=$folder/puzzled PATH=$top_builddir/client:$PATH
export PUZZLED_DAEMON PATH

# offers EXPECTED WORD...: what is offered for the last of the words, sorted, with spaces between.
number=0
offers()
{
	expected=$1
	shift
	number=$((number + 1))
	got=$(bash -c '
		compopt() { :; }
		. "$0"
		COMP_WORDS=(puzzlectl "$@") COMP_CWORD=$#
		_puzzlectl
		printf "%s\n" "${COMPREPLY[@]}" | sort | tr "\n" " "' \
		"$top_srcdir/etc/completions/puzzlectl" "$@" 2>&1)
	if [ "${got% }" = "$expected" ]; then
		echo "ok $number - puzzlectl $*"
	else
		echo "not ok $number - puzzlectl $*"
		echo "# offered: $got"
	fi
}

echo 1..12
offers 'solve status' s
offers 'batch' ba
offers 'describe' help de
offers '8puzzle knights' --local solve ''
offers 'knights' --local solve --goal 123 k
offers '' --local solve knights ''
offers 'p1379 p2324 poj1077' judge p
offers '--max-cost --max-length' solve --ma
offers '--socket' --so
offers '--socket' judge --so
offers 'astar auto' solve -a a
offers '8puzzle' -l judge --puzzle 8
