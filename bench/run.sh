#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh RESULTS: runs every bench of the build tree it is started in and writes RESULTS, a Markdown file.
#
# `make bench` calls it, with the programs built and these set: top_srcdir, CC, CFLAGS, PACKAGE_VERSION,
# perhaps BENCH_TABLES and BENCH_LONG (bench/local.mk).
# Nothing is installed; what is started is stopped again, and the folder it runs in is removed.

set -eu

results=$1
here=$(pwd)
site=$(mktemp -d "${TMPDIR:-/tmp}/puzzled-bench.XXXXXX")
echo_pid=
daemon_pid=

stop()
{
	for pid in $daemon_pid $echo_pid; do
		kill "$pid" 2>/dev/null && wait "$pid" || :
	done
	rm -rf "$site"
}
trap stop EXIT
trap 'exit 1' HUP INT TERM

say()
{
	printf '%s\n' "$*" >&2
}

# wait_for PATH: until a socket is there.
wait_for()
{
	tries=0
	until [ -S "$1" ]; do
		tries=$((tries + 1))
		[ $tries -lt 1000 ] || { say "bench: nobody listens on $1"; cat "$site/log" >&2; exit 1; }
		sleep 0.01
	done
}

cat >"$site/ini" <<EOF
[daemon]
socket = $site/socket
plugin_dir = $here/plugins
table_dir = $site
worker = $here/puzzled-worker
build_tables = no

[puzzle:8puzzle]
plugin = 8puzzle.so

[puzzle:knights]
plugin = knights.so
EOF

load=$(cut -d ' ' -f 1 /proc/loadavg)
figures=$site/figures
: >"$figures"

say 'bench: start, memory, the table through the daemon'
bench/bench_start ./puzzled "$site/ini" "$site/socket" >>"$figures" 2>"$site/log" ||
	{ cat "$site/log" >&2; exit 1; }

say 'bench: the daemon beside a null echo'
bench/null_echo "$site/echo" &
echo_pid=$!
./puzzled --config "$site/ini" 2>"$site/log" &
daemon_pid=$!
wait_for "$site/echo"
wait_for "$site/socket"
bench/bench_daemon "$site/echo" "$site/socket" >>"$figures"
kill "$daemon_pid" "$echo_pid"
wait "$daemon_pid" "$echo_pid" 2>/dev/null || :
daemon_pid=
echo_pid=

say 'bench: the solvers in process'
bench/bench_solvers >>"$figures"
bench/bench_sliding ${BENCH_TABLES:+"$BENCH_TABLES"} >>"$figures"

say 'bench: the generic kernel beside hand-written searches'
printf '#\tThe generic IDA* kernel\n' >>"$figures"
for cc in gcc clang; do
	command -v $cc >/dev/null || continue
	$cc -O2 -I"$top_srcdir" -I"$top_srcdir/include" -o "$site/kernel" \
		"$top_srcdir/bench/bench_kernel.c" "$top_srcdir/bench/figure.c"
	"$site/kernel" >>"$figures"
done

# version CC: what it calls itself, without the name that it was called by.
version()
{
	"$1" --version | sed -n '1s/^[^ ]* //p'
}

{
	cat <<EOF
# Results

Written by \`make bench\`; \`doc/performance.md\` says what to make of it. Each figure is the median of its rounds, with the
least and the greatest in brackets; what is compared was measured by turns within each round.

| | |
|---|---|
| date | $(date -u +%Y-%m-%d) |
| puzzled | $PACKAGE_VERSION$(cd "$top_srcdir" && git describe --always --dirty --exclude '*' 2>/dev/null | sed 's/^/, commit /') |
| processor | $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | sort | uniq -c | sed 's/^ *\([0-9]*\) /\1 x /') |
| kernel | $(uname -sr) |
| compiler | $CC $CFLAGS, $(version "${CC%% *}") |
| load average before and after | $load, $(cut -d ' ' -f 1 /proc/loadavg) (0 to 1 is a quiet machine) |
EOF
	awk -f "$top_srcdir/bench/report.awk" "$figures"
} >"$site/results"
cp "$site/results" "$results"
sed -n '/^## What/,/^## [^W]/p' "$results" | sed '$d'
say "bench: all of it is in $results"
