#!/bin/sh
# SPDX-License-Identifier: MIT
# kit.sh: what an author of puzzles gets, as it is installed: headers, puzzled-plugin.pc, `puzzlectl new-plugin`, with every
# compiler that is here.  Prints TAP.

top_srcdir=${top_srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
top_builddir=${top_builddir:-$top_srcdir/build}
if grep -q '^#define PZ_SANITIZED' "$top_builddir/config.h"; then
	echo '1..0 # SKIP plugins that are built as authors build them do not go with AddressSanitizer'
	exit 0
fi
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
. "$top_srcdir/tests/e2e/stage.sh"
cd "$folder" || exit 99
pkg_config=${PKG_CONFIG:-pkg-config}
number=0

# result OK NAME: with what is in $folder/out for a diagnosis.
result()
{
	number=$((number + 1))
	if [ "$1" = yes ]; then
		echo "ok $number - $2"
	else
		echo "not ok $number - $2"
		sed 's/^/# /' "$folder/out"
	fi
	: >"$folder/out"
}

# ---- puzzled-plugin.pc ----

abi=$(sed -n 's/^#define PZ_ABI //p' "$top_srcdir/include/puzzled/plugin.h")
"$pkg_config" --variable=abi puzzled-plugin >out 2>&1
result "$([ "$(cat out)" = "$abi" ] && echo yes)" 'the .pc file has the ABI of the header'
"$pkg_config" --variable=plugindir puzzled-plugin >out 2>&1
result "$([ -e "$(sed "s,^$stage,," out | sed "s,^,$stage,")/8puzzle.so" ] && echo yes)" \
	'the .pc file has the folder of plugins'
cflags=$("$pkg_config" --cflags puzzled-plugin)

# ---- headers ----

# compiles_alone COMPILER STANDARD HEADER
compiles_alone()
{
	printf '#include <%s>\nextern int not_empty;\n' "$3" >"alone.$4"
	$1 -std="$2" -O1 -Wall -Wextra -pedantic -Werror $cflags -c -o alone.o "alone.$4" >>out 2>&1 ||
		echo "$3" >>out
}

for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	(cd "$installed/include" && find puzzled -name '*.h') >headers
	while read -r header; do
		compiles_alone $compiler c11 "$header" c
	done <headers
	result "$([ "$(wc -l <headers)" -gt 10 ] && [ ! -s out ] && echo yes)" \
		"each header compiles alone, in C11, by $compiler"
done
for compiler in g++ clang++; do
	command -v $compiler >/dev/null || continue
	compiles_alone $compiler c++17 puzzled/plugin.h cc
	result "$([ ! -s out ] && echo yes)" "plugin.h compiles alone, in C++17, by $compiler"
done

# ---- new-plugin ----

for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	rm -rf sorting-2
	puzzlectl new-plugin sorting-2 >out 2>&1
	result "$([ $? -eq 0 ] && [ "$(wc -l <out)" -eq 4 ] && ! grep -rq mypuzzle sorting-2 && echo yes)" \
		'new-plugin writes four files, all named anew'
	make -C sorting-2 check CC=$compiler CFLAGS='-O2 -Wall -Wextra -pedantic -Werror' >out 2>&1
	result "$([ $? -eq 0 ] && grep -q '^[0-9]* ok, 0 failed' out && grep -q '^111111111: 5 moves' out && echo yes)" \
		"make check, by $compiler"
done
make -C sorting-2 install DESTDIR="$folder/there" >out 2>&1
result "$([ -n "$(find there -name sorting-2.so)" ] && echo yes)" 'make install'
make -C sorting-2 clean >out 2>&1
result "$([ "$(ls sorting-2 | tr '\n' ' ')" = 'Makefile README.md sorting-2.c test.sh ' ] && echo yes)" 'make clean'

# Where groups share, what is made can be written to by them, and no daemon would take it.
(umask 002 && rm -rf sorting-2 && puzzlectl new-plugin sorting-2 && make -C sorting-2 check) >out 2>&1
result "$([ $? -eq 0 ] && grep -q '^111111111: 5 moves' out && echo yes)" 'make check, under a umask of 002'
make -C sorting-2 PKG_CONFIG=false >out 2>&1
result "$([ $? -ne 0 ] && grep -q 'set PKG_CONFIG_PATH=PREFIX/lib/pkgconfig' out && echo yes)" 'without a .pc file'

# refuses NAME STATUS WORDS
refuses()
{
	puzzlectl new-plugin "$1" >out 2>&1
	result "$([ $? -eq "$2" ] && grep -q "$3" out && echo yes)" "new-plugin $1: $3"
}
refuses sorting-2 2 'cannot make the folder'
refuses Sorting 2 'a-z, 0-9 and -'
refuses ../sorting 2 'a-z, 0-9 and -'
refuses -x 2 ''
PUZZLED_TEMPLATE=$folder/nowhere refuses sorting-3 3 PUZZLED_TEMPLATE

# ---- what a new author wrote, with costs and an option ----

cp "$top_srcdir/tests/kit/bridge.c" . || exit 99
for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	$compiler -std=c11 -O2 -Wall -Wextra -Wno-unused-parameter -pedantic -Werror -fPIC -fvisibility=hidden -shared $cflags \
		-o bridge.so bridge.c >out 2>&1 && puzzlectl check-plugin ./bridge.so >>out 2>&1
	result "$([ $? -eq 0 ] && grep -q ' 0 failed' out && echo yes)" "an author's puzzle, by $compiler"
done
lines=$(grep -v '^$' bridge.c | grep -vc '^ *[/ ]\*')
result "$([ "$lines" -lt 120 ] && echo yes)" "it has $lines lines of code"
printf '[puzzle:bridge]\nplugin = %s/bridge.so\n[puzzle:slow]\nplugin = %s/bridge.so\ntimes = 5 10 20 25\n' \
	"$folder" "$folder" >bridge.ini
for case in 'bridge 17' 'slow 60'; do # the published least times
	PUZZLED_CONFIG=$folder/bridge.ini puzzlectl --local solve "${case% *}" '0 0 0 0 0' >out 2>&1
	result "$([ $? -eq 0 ] && grep -q "^cost *${case#* }\$" out && echo yes)" "${case% *} costs ${case#* }"
done
PUZZLED_CONFIG=$folder/bridge.ini puzzlectl --local solve bridge '0 0 0 0 0' --max-length 5 >out 2>&1
result "$([ $? -eq 0 ] && grep -q '^cost *17$' out && echo yes)" 'a limit of its length'
PUZZLED_CONFIG=$folder/bridge.ini puzzlectl --local solve bridge '0 0 0 0 0' --max-length 4 >out 2>&1
result "$([ $? -eq 1 ] && echo yes)" 'and one less'
puzzlectl check-plugin ./bridge.so -o 'times=1 2 5 0' >out 2>&1
result "$([ $? -eq 1 ] && grep -q '^FAILED *domain-cost: move 3 costs 0; board' out && echo yes)" 'one who takes no time'

# ---- another, whose boards are of a size that an option says ----

cp "$top_srcdir/tests/kit/pancakes.c" . || exit 99
gcc -std=c11 -O2 -Wall -Wextra -Wno-unused-parameter -Werror -fPIC -fvisibility=hidden -shared $cflags \
	-o pancakes.so pancakes.c >out 2>&1
for option in n=8 n=1 n=5 n=12; do # the example is of 8
	puzzlectl check-plugin ./pancakes.so -o $option >>out 2>&1
	result "$([ $? -eq 0 ] && grep -q ' 0 failed' out && echo yes)" "pancakes, $option"
done
# The table of 8 is of 8! states, and small enough to be built whenever it is needed; that of 10 is not.
printf '[puzzle:pancakes]\nplugin = %s/pancakes.so\n[puzzle:ten]\nplugin = %s/pancakes.so\nn = 10\n' "$folder" "$folder" >pancakes.ini
PUZZLED_CONFIG=$folder/pancakes.ini puzzlectl --local solve pancakes '3 1 2 4 5 6 8 7' >out 2>&1
result "$([ $? -eq 0 ] && grep -q '^algorithm *table' out && echo yes)" 'few pancakes have a small table'
PUZZLED_CONFIG=$folder/pancakes.ini puzzlectl --local solve ten '3 1 2 4 5 6 8 7 10 9' --algorithm table >out 2>&1
result "$([ $? -ne 0 ] && grep -q 'the table pancakes-.* is not built' out && echo yes)" 'more have a larger one'
sed 's/space \*= (uint64_t)i;/space = SPACE + UINT64_C(1);/' pancakes.c >short.c
gcc -std=c11 -O2 -fPIC -fvisibility=hidden -shared $cflags -o short.so short.c >out 2>&1
puzzlectl check-plugin ./short.so >>out 2>&1
result "$([ $? -eq 1 ] && grep -q '^FAILED *open: .*space_in is 479001601; it is from 1 to space, 479001600' out && echo yes)" \
	'a space beyond the largest'
sed 's/ "3 1 2 4 5 6 8 7"/ "3 1 2"/' pancakes.c >short.c
gcc -std=c11 -O2 -fPIC -fvisibility=hidden -shared $cflags -o short.so short.c >out 2>&1
puzzlectl check-plugin ./short.so >>out 2>&1
result "$([ $? -eq 1 ] && grep -q '^FAILED *check: the example is refused: 3 of the 8 numbers.*; board "3 1 2"' out &&
	grep -q ' 1 failed' out && echo yes)" 'an example that is none is told once'
sed 's/\.option_count = 1//' pancakes.c >short.c
gcc -std=c11 -O2 -fPIC -fvisibility=hidden -shared $cflags -o short.so short.c >out 2>&1
puzzlectl check-plugin ./short.so >>out 2>&1
result "$([ $? -eq 1 ] && grep -q '^FAILED *open: .*option_count is 0' out && grep -q '^skipped *for what failed: check, ' out &&
	echo yes)" 'options that nobody counts'
sed 's/^\t*\.path_max = LONGEST,$/.path_max = 99,/' pancakes.c >short.c
gcc -std=c11 -O2 -fPIC -fvisibility=hidden -shared $cflags -o short.so short.c >out 2>&1
puzzlectl check-plugin ./short.so >>out 2>&1
result "$([ $? -eq 1 ] && grep -q '^FAILED *open: .*path_max is 99 in the puzzle and 14 in the plugin' out && echo yes)" \
	'two lengths that differ'
printf '[puzzle:pancakes]\nplugin = %s/pancakes.so\nn = 7\n' "$folder" >pancakes.ini
PUZZLED_CONFIG=$folder/pancakes.ini puzzlectl --local describe pancakes >out 2>&1
result "$(grep -q '^n  *int 1..12  *7  *configuration  *how many' out && echo yes)" 'describe says where the option is set'

# ---- a plugin in C++, without the kit ----

cat >toggle.cc <<'END'
#include <puzzled/plugin.h>
#include <cstring>

static int open_toggle(const pz_setup *, void **, pz_error *) { return 0; }
static int check(void *, const pz_job *job, pz_error *error)
{
	if (job->board.len == 1 && (job->board.data[0] == '0' || job->board.data[0] == '1'))
		return 0;
	error->position = 0;
	std::strcpy(error->reason, "a board is 0 or 1");
	return -1;
}
static void solve(void *, const pz_job *job, pz_result *ret)
{
	ret->length = job->board.data[0] == '1';
	ret->cost = ret->lower_bound = ret->length;
	ret->status = job->max_length == 0 || job->max_cost == 0 ? ret->length ? PZ_LIMIT : PZ_SOLVED : PZ_SOLVED;
	if (ret->length && ret->status == PZ_SOLVED)
		ret->path[0] = 0;
}
static void replay(void *, const pz_job *job, const uint16_t *moves, size_t count, pz_replay *ret)
{
	char cell = job->board.data[0];
	for (ret->done = 0;; ret->done++, cell ^= 1) {
		if (ret->visit)
			ret->visit(ret->arg, pz_text{&cell, 1});
		if (ret->done == count || moves[ret->done] != 0)
			break;
	}
	ret->legal = ret->done == count;
	ret->solved = cell == '0';
	ret->cost = ret->done;
	ret->final.data[0] = cell;
	ret->final.len = 1;
}
static constexpr const char *names[] = {"flip"};
static constexpr const char *algorithms[] = {"auto", nullptr};

const struct pz_plugin pz_plugin = [] {
	struct pz_plugin p {};
	p.abi = PZ_ABI;
	p.size = sizeof(p);
	p.name = "toggle";
	p.version = "1.0";
	p.summary = "switch it off";
	p.syntax = "0 or 1.";
	p.example = "1";
	p.moves = 1;
	p.path_max = 1;
	p.move_names = names;
	p.algorithms = algorithms;
	p.unit_cost = true;
	p.open = open_toggle;
	p.check = check;
	p.solve = solve;
	p.replay = replay;
	p.board_max = 1;
	return p;
}();
END
for compiler in g++ clang++; do
	command -v $compiler >/dev/null || continue
	$compiler -std=c++17 -O2 -Wall -Wextra -pedantic -Werror -fPIC -fvisibility=hidden -shared $cflags \
		-o toggle.so toggle.cc >out 2>&1 && puzzlectl check-plugin ./toggle.so >>out 2>&1
	result "$([ $? -eq 0 ] && grep -q ' 0 failed' out && echo yes)" "a plugin in C++17, by $compiler"
done
echo "1..$number"
