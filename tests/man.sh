#!/bin/sh
# SPDX-License-Identifier: MIT
# man.sh: the manual pages tell the truth: they are held to the tables of the programs, and their examples are run.
# Prints TAP.

top_srcdir=${top_srcdir:-$(cd "$(dirname "$0")/.." && pwd)}
top_builddir=${top_builddir:-$top_srcdir/build}
CC=${CC:-cc}
man=$top_builddir/man
puzzled=$top_builddir/puzzled
puzzlectl=$top_builddir/client/puzzlectl
tab=$(printf '\t')
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

number=0

# result NAME: ok if $scratch/faults is empty.
result()
{
	number=$((number + 1))
	if [ -s "$scratch/faults" ]; then
		echo "not ok $number - $1"
		head -n 40 "$scratch/faults" | sed 's/^/# /'
	else
		echo "ok $number - $1"
	fi
}

skip()
{
	number=$((number + 1))
	echo "ok $number - $1 # SKIP $2"
}

# section PAGE NAME: the lines between `.Sh NAME` and the next section.
section()
{
	awk -v name=".Sh $2" '/^\.Sh / { inside = $0 == name; next } inside' "$man/$1"
}

# same WHAT WANTED FOUND: files of sorted lines that must be equal.
same()
{
	sort -u "$2" >"$scratch/wanted.sorted"
	sort -u "$3" >"$scratch/found.sorted"
	[ -s "$scratch/wanted.sorted" ] || echo "$1: nothing to compare with"
	comm -23 "$scratch/wanted.sorted" "$scratch/found.sorted" | sed "s/^/$1: missing: /"
	comm -13 "$scratch/wanted.sorted" "$scratch/found.sorted" | sed "s/^/$1: too much: /"
}

# ---- mandoc ----

pages='puzzled.8 puzzled.ini.5 puzzlectl.1 puzzled-plugin.7 puzzled-protocol.7'
if command -v mandoc >/dev/null 2>&1; then
	for page in $pages; do
		mandoc -Tlint -W warning "$man/$page" || echo "$page: not clean"
	done >"$scratch/faults" 2>&1
	result 'mandoc has nothing to complain of'
else
	skip 'mandoc has nothing to complain of' 'there is no mandoc'
fi
grep -n '@[a-z]*@' $(printf "$man/%s " $pages) >"$scratch/faults"
result 'every place is filled in'

# ---- puzzled.ini(5): the table of keys ----

: >"$scratch/faults"
"$puzzled" --print keys >"$scratch/keys"
for scope in 'daemon:THE DAEMON' both:JOBS puzzle:PUZZLES; do
	awk -F '\t' -v scope="${scope%%:*}" '$1 == scope {
		line = ".It Ic " $2 " Pq " $3 ", " ($4 == "-" ? "no default" : "default " $4)
		if ($5 != "-")
			line = line ", from " $5 " to " $6
		if ($7 == "restart")
			line = line ", needs a restart"
		print line
	}' "$scratch/keys" >"$scratch/wanted"
	section puzzled.ini.5 "${scope#*:}" | grep '^\.It' >"$scratch/found"
	same "${scope#*:}" "$scratch/wanted" "$scratch/found" >>"$scratch/faults"
done
result 'puzzled.ini(5) has every key with its type, default and range'

# ---- puzzled(8): its options ----

"$puzzled" --help | sed -n 's/^  \(    \|\(-.\), \)\(--[a-z-]*\).*/\2 \3/p' | while read -r a b; do
	case $b in '') echo "Fl ${a#-}" ;; *) echo "Fl ${a#-} , Fl ${b#-}" ;; esac
done >"$scratch/wanted"
section puzzled.8 DESCRIPTION | sed -n 's/^\.It \(Fl .*\)$/\1/p' | sed 's/ Ar .*//' >"$scratch/found"
same 'puzzled(8)' "$scratch/wanted" "$scratch/found" >"$scratch/faults"
result 'puzzled(8) has every option'

# ---- puzzlectl(1): commands and options ----

# options COMMAND: `LETTER NAME ARGUMENT` of each, with - for what there is not; no command: those of all.
options()
{
	if [ -n "$1" ]; then
		"$puzzlectl" help "$1" | sed '/^Options of every command/,$d'
	else
		"$puzzlectl" help
	fi | awk '/^  (-., |    )--/ {
		letter = "-"
		if ($1 ~ /^-.,$/) {
			letter = substr($1, 2, 1)
			sub(/^ *-., /, "")
		}
		print letter, substr($1, 3), $2 ~ /^[A-Z][A-Z=]*$/ ? $2 : "-"
	}'
}

commands=$("$puzzlectl" help | awk '/^Commands:/ { on = 1; next } !NF { on = 0 } on { print $1 }')
printf '%s\n' $commands >"$scratch/wanted"
section puzzlectl.1 COMMANDS | sed -n 's/^\.Ss //p' >"$scratch/found"
same 'commands' "$scratch/wanted" "$scratch/found" >"$scratch/faults"
result 'puzzlectl(1) has every command'

: >"$scratch/faults"
for command in $commands; do
	[ "$command" != help ] || continue
	options "$command" | awk '{ print ".Op Fl " ($1 == "-" ? "-" $2 : $1) ($3 == "-" ? "" : " Ar " $3) }' \
		>"$scratch/wanted"
	section puzzlectl.1 COMMANDS | awk -v name=".Ss $command" '/^\.Ss/ { on = $0 == name } on && /^\.Op Fl/' \
		>"$scratch/found"
	[ ! -s "$scratch/wanted" ] && [ ! -s "$scratch/found" ] ||
		same "$command" "$scratch/wanted" "$scratch/found" >>"$scratch/faults"
done
result 'puzzlectl(1) has the options of each command'

for command in $commands ''; do
	[ "$command" = help ] || options "$command"
done | awk '{ print ".It " ($1 == "-" ? "" : "Fl " $1 " , ") "Fl -" $2 ($3 == "-" ? "" : " Ar " $3) }' >"$scratch/wanted"
section puzzlectl.1 OPTIONS | grep '^\.It' >"$scratch/found"
same options "$scratch/wanted" "$scratch/found" >"$scratch/faults"
result 'puzzlectl(1) explains each option'

# ---- puzzled-protocol(7): methods and errors ----

"$puzzled" --print methods | sed 's/\tall$//; s/\tadmin$/ Pq admin/; s/^/.It Ic /' >"$scratch/wanted"
section puzzled-protocol.7 METHODS | grep '^\.It Ic' >"$scratch/found"
same methods "$scratch/wanted" "$scratch/found" >"$scratch/faults"
result 'puzzled-protocol(7) has every method'

"$puzzled" --print errors | awk -F '\t' '{
	print ".It Sy " $1 " Pq \\" $2 ($4 == "yes" ? ", may succeed later" : "")
}' >"$scratch/wanted"
section puzzled-protocol.7 'KINDS OF ERROR' | grep '^\.It' >"$scratch/found"
same errors "$scratch/wanted" "$scratch/found" >"$scratch/faults"
result 'puzzled-protocol(7) has every kind of error'

# ---- examples ----

# Each page's displays in which a line begins with `$ `: that is a command, and what follows is its output, in
# which a line `...` stands for any number of lines.  `literal PAGE` prints them with the escapes of mdoc undone.
literal()
{
	awk '/^\.Bd -literal/ { on = 1; next } /^\.Ed/ { on = 0; print "" } on' "$man/$1" |
		sed 's/^\\&//; s/\\e/\\/g'
}

# Where commands find what they name: puzzlectl and puzzled of the build, and a private daemon with all puzzles.
mkdir "$scratch/bin" "$scratch/plugins" "$scratch/home"
ln -s "$puzzlectl" "$puzzled" "$scratch/bin/"
ln -s "$top_builddir"/plugins/*.so "$scratch/plugins/"
cat >"$scratch/puzzled.ini" <<END
[daemon]
plugin_dir = $scratch/plugins
table_dir = $scratch
worker = $top_builddir/puzzled-worker
END
for plugin in 8puzzle numbers; do
	printf '[puzzle:%s]\nplugin = %s.so\n' $plugin $plugin >>"$scratch/puzzled.ini"
done
cat >"$scratch/bin/cc" <<END
#!/bin/sh
PATH='$PATH'
exec $CC -std=c11 -Wall -Wextra -Werror -I$top_srcdir/include "\$@"
END
chmod +x "$scratch/bin/cc"

# example NUMBER: runs $scratch/command and compares with $scratch/output.
example()
{
	(
		cd "$scratch" || exit
		PATH=$scratch/bin:$PATH HOME=$scratch/home PUZZLED_CONFIG=$scratch/puzzled.ini
		PUZZLED_DAEMON=$puzzled
		unset XDG_RUNTIME_DIR XDG_CACHE_HOME XDG_CONFIG_HOME
		# Not the system's daemon, if there is one.
		puzzlectl()
		{
			command puzzlectl --local "$@"
		}
		export PATH HOME PUZZLED_CONFIG PUZZLED_DAEMON
		. ./command
	) >"$scratch/got" 2>&1 </dev/null
	status=$?
	[ $status -eq 0 ] || echo "exit status $status: $(cat "$scratch/command")"
	awk -v wanted="$scratch/output" '
		{ got[++n] = $0 }
		END {
			at = 1
			while ((getline line <wanted) > 0) {
				if (line == "...") { any = 1; continue }
				while (any && at <= n && got[at] != line)
					at++
				if (at > n || got[at] != line) { print "wanted: " line; print "got: " got[at]; exit }
				any = 0
				at++
			}
			if (!any && at <= n)
				print "more than wanted: " got[at]
		}' "$scratch/got"
}

literal puzzled-plugin.7 | awk '/^#include/ { on = 1 } /^$/ && done { exit } on { print } /unit_cost = true\)/ { done = 1 }' \
	>"$scratch/numbers.c"

ran=0
: >"$scratch/faults"
for page in puzzled-plugin.7 puzzlectl.1 puzzled.8; do
	literal $page >"$scratch/text"
	lines=$(grep -n '^\$ ' "$scratch/text" | cut -d : -f 1)
	for line in $lines; do
		sed -n "${line}s/^\\$ //p" "$scratch/text" >"$scratch/command"
		sed -n "$((line + 1)),\$p" "$scratch/text" | sed '/^\$ /,$d; /^$/,$d' >"$scratch/output"
		# The plugin goes where the daemon looks for it.
		case $(cat "$scratch/command") in
		'cc '*) sed -i 's/$/ \&\& ln -sf ..\/numbers.so plugins\//' "$scratch/command" ;;
		esac
		example >"$scratch/fault"
		[ ! -s "$scratch/fault" ] || (echo "$page:" && cat "$scratch/command" "$scratch/fault") >>"$scratch/faults"
		ran=$((ran + 1))
	done
done
[ $ran -ge 10 ] || echo "only $ran examples were found" >>"$scratch/faults"
result "the $ran commands of the pages do as they say"

# puzzled.ini(5): whole configurations.
awk -v stem="$scratch/example" '/^\.Bd -literal/ { n++; on = 1; next } /^\.Ed/ { on = 0 }
	on { print >(stem n ".ini") }' "$man/puzzled.ini.5"
: >"$scratch/faults"
count=0
for file in "$scratch"/example*.ini; do
	count=$((count + 1))
	sed "s|^\[daemon\]|&\nplugin_dir = $top_builddir/plugins\nworker = $top_builddir/puzzled-worker\ntable_dir = $scratch|
		s/^allow_groups = .*/allow_groups = $(id -gn)/" "$file" >"$scratch/check.ini"
	"$puzzled" --config "$scratch/check.ini" --check-config >>"$scratch/log" 2>&1 ||
		tail -n 3 "$scratch/log" >>"$scratch/faults"
done
[ $count -gt 0 ] || echo 'none were found' >>"$scratch/faults"
result 'the configurations of puzzled.ini(5) are right'

echo "1..$number"
