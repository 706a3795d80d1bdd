#!/bin/sh
# SPDX-License-Identifier: MIT
# architecture.sh: who may know whom.  Prints TAP.
#
# Each rule is a function that prints the breaches it finds in the tree $root.  Each is run twice: over
# the project, where it must find nothing, and over a small tree that breaks every rule, where it must find
# what was put there: a rule that can't see a breach is worth nothing.

top_srcdir=${top_srcdir:-$(cd "$(dirname "$0")/.." && pwd)}
top_builddir=${top_builddir:-$top_srcdir/build}
CC=${CC:-cc}
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

# Files of the daemon that own events, and so may include libevent; each with its header.
event_owners='main|loop|deadline|server|ending|listener|session|stream|output|request|pool|dispatch|worker|worker_frame|child|checkup|notify'
lines_max=450
lines_max_of_test=600 # cases stand one below the other there, and nothing is gained by parting them
longer=common/wire.c  # both directions of one codec
folders='include common daemon worker checker plugins client template tests bench'
libraries='libevent_core jansson inih cmocka'

# sources FOLDER...: the C files below these folders of the tree, as far as they exist.
sources()
{
	for folder; do
		[ ! -d "$root/$folder" ] || (cd "$root" && find "$folder" -name '*.[ch]' | sort)
	done
}

# includes PATTERN FOLDER...: FILE:LINE of each #include in these folders whose file matches.
includes()
{
	pattern=$1
	shift
	(cd "$root" && sources "$@" | xargs -r grep -nE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]($pattern)" /dev/null)
}

# ---- the rules ----

programs_share_only_common()
{
	includes '(worker|checker|client|plugins|tests|bench)/' daemon
	includes '(daemon|checker|client|plugins|tests|bench)/' worker
	includes '(daemon|worker|checker|plugins|tests|bench)/' client
	includes '(daemon|worker|checker|client|plugins|tests|bench)/' common
	includes '(daemon|worker|checker|client|common|tests|bench)/' plugins
	includes '(daemon|worker|checker|client|common|plugins|tests|bench)/' include
}

# The checker loads and judges a plugin as a worker does: by the worker's own code.
the_checker_knows_the_worker()
{
	includes '(daemon|client|plugins|tests|bench)/' checker
}

# What an author gets is what an author may use: nothing but what is installed.
the_template_uses_what_is_installed()
{
	includes '(daemon|worker|checker|client|common|plugins|tests|bench)/' template
	includes '"' template
}

the_abi_is_for_workers_and_plugins()
{
	includes 'puzzled/plugin\.h' common daemon client
}

the_kernels_are_for_plugins()
{
	includes 'puzzled/search/' common daemon worker checker client
	includes 'puzzled/search/' include | grep -v '^include/puzzled/search/'
}

libevent_is_where_events_are_owned()
{
	includes '(event2?/|event|evutil|evhttp|evdns)' include common worker checker plugins client template
	includes '(event2?/|event|evutil|evhttp|evdns)' daemon |
		grep -vE "^daemon/($event_owners)\.[ch]:"
	includes 'event2/(http|dns|rpc)' daemon
}

json_is_at_the_edge()
{
	includes 'jansson' include common worker checker plugins template
}

rpc_does_no_io()
{
	includes '(event2/|sys/socket|sys/un|sys/uio|unistd|fcntl|poll)' daemon | grep '^daemon/rpc[a-z_]*\.[ch]:'
	(cd "$root" && sources daemon | grep '^daemon/rpc[a-z_]*\.[ch]$' | xargs -r grep -nwE \
		'(f?open|f?read|f?write|f?printf|f?puts|f?putc|recv|recvmsg|send|sendmsg|log_[a-z]+) ?\(' /dev/null)
}

headers_compile_alone()
{
	flags=$(${PKG_CONFIG:-pkg-config} --cflags $libraries 2>/dev/null)
	sources $folders | grep '\.h$' | while read -r header; do
		case $header in
		include/*) strict='-std=c11 -pedantic' ;;
		*) strict=-std=gnu11 ;;
		esac
		printf '#include "%s"\nextern int not_empty;\n' "$root/$header" >"$scratch/alone.c"
		$CC $strict -Wall -Wextra -Wno-unused-function -Werror -fsyntax-only $flags \
			-I"$root/include" -I"$root" -I"$top_builddir" "$scratch/alone.c" 2>&1 |
			sed "s|^|$header: |"
	done
}

the_abi_is_also_cxx17()
{
	echo "#include \"$root/include/puzzled/plugin.h\"" >"$scratch/alone.cc"
	${CXX:-c++} -std=c++17 -pedantic -Wall -Wextra -Werror -fsyntax-only -I"$root/include" \
		"$scratch/alone.cc" 2>&1
}

files_are_short()
{
	(cd "$root" && for file in $(sources $folders; find tests -name '*.sh' -o -name '*.py'); do
		lines=$(wc -l <"$file")
		max=$lines_max
		case $file in tests/*) max=$lines_max_of_test ;; esac
		[ "$lines" -le $max ] || [ "$file" = "$longer" ] || echo "$file: $lines lines, at most $max"
	done)
}

the_worker_links_no_json_and_no_events()
{
	readelf -d "$root/puzzled-worker" | grep NEEDED | grep -E 'jansson|event'
}

# ---- the tree that breaks them ----

put()
{
	mkdir -p "$scratch/bad/$(dirname "$1")"
	printf '%s\n' "$2" >>"$scratch/bad/$1"
}

make_bad_tree()
{
	put daemon/queue.c '#include "client/conn.h"'
	put common/buf.c '  #  include "daemon/job.h"'
	put include/puzzled/plugin.h '#include "common/text.h"'
	put client/main.c '#include <puzzled/plugin.h>'
	put worker/main.c '#include "puzzled/search/ida.h"'
	put include/puzzled/plugin.h '#include "puzzled/search/ida.h"'
	put checker/main.c '#include "client/command.h"'
	put checker/graph.c '#include <puzzled/search/bfs.h>'
	put template/mypuzzle.c '#include "worker/host.h"'
	put daemon/job.c '#include <event2/event.h>'
	put daemon/server.c '#include <event2/http.h>'
	put worker/runner.c '#include <jansson.h>'
	put daemon/rpc.c '#include <unistd.h>'
	put daemon/rpc_parse.c 'printf("x");'
	put common/alone.h 'size_t alone(void);'
	put tests/long.sh "$(seq $((lines_max_of_test + 1)))"
	put plugins/long.c "$(seq $((lines_max + 1)))"
	echo 'int main(void) { return 0; }' |
		$CC -x c -o "$scratch/bad/puzzled-worker" - -Wl,--no-as-needed -ljansson
}

# ---- running them ----

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

# rule FUNCTION TREE BREACH...: holds in TREE, and each BREACH is found in the bad tree.
rule()
{
	function=$1
	name=$(echo "$1" | tr _ ' ')
	root=$2
	shift 2
	found=$($function)
	result "$([ -z "$found" ] && echo yes)" "$name" "$found"
	root=$scratch/bad
	found=$($function)
	missed=
	for breach; do
		case $found in
		*"$breach"*) ;;
		*) missed="$missed $breach" ;;
		esac
	done
	result "$([ -z "$missed" ] && echo yes)" "$name: breaches are seen" "not seen:$missed in: $found"
}

skip()
{
	for half in '' ': breaches are seen'; do
		number=$((number + 1))
		echo "ok $number - $(echo "$1" | tr _ ' ')$half # SKIP $2"
	done
}

make_bad_tree
rule programs_share_only_common "$top_srcdir" daemon/queue.c common/buf.c include/puzzled/plugin.h:1
rule the_checker_knows_the_worker "$top_srcdir" checker/main.c:1
rule the_template_uses_what_is_installed "$top_srcdir" template/mypuzzle.c:1
rule the_abi_is_for_workers_and_plugins "$top_srcdir" client/main.c:1
rule the_kernels_are_for_plugins "$top_srcdir" worker/main.c:1 checker/graph.c:1 include/puzzled/plugin.h:2
rule libevent_is_where_events_are_owned "$top_srcdir" daemon/job.c:1 daemon/server.c:1
rule json_is_at_the_edge "$top_srcdir" worker/runner.c:1
rule rpc_does_no_io "$top_srcdir" daemon/rpc.c:1 daemon/rpc_parse.c:1
rule headers_compile_alone "$top_srcdir" common/alone.h
if command -v "${CXX:-c++}" >/dev/null 2>&1; then
	rule the_abi_is_also_cxx17 "$top_srcdir" error:
else
	skip the_abi_is_also_cxx17 'there is no C++ compiler'
fi
rule files_are_short "$top_srcdir" 'tests/long.sh: 601 lines' 'plugins/long.c: 451 lines'
if [ ! -x "$top_builddir/puzzled-worker" ]; then
	skip the_worker_links_no_json_and_no_events 'the worker is not built'
elif ! command -v readelf >/dev/null 2>&1; then
	skip the_worker_links_no_json_and_no_events 'there is no readelf'
else
	rule the_worker_links_no_json_and_no_events "$top_builddir" libjansson
fi
echo "1..$number"
