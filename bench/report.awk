# SPDX-License-Identifier: MIT
# report.awk: Markdown from the lines that figure.h describes.  First what must be reached, then everything.

BEGIN {
	FS = "\t"
	must("8puzzle.table", "<=", 0.5, "8-puzzle, any board, by the table, in process")
	must("8puzzle.open", "<=", 20, "8-puzzle, opened with its tables")
	must("knights.build", "<=", 3, "knights, table built on one core")
	must("knights.size", "<=", 17, "knights, size of the table")
	must("knights.table", "<=", 5.5, "knights, random boards, by the table, in process")
	must("knights.15.fewer", ">=", 50, "knights, 15 moves, no table: fewer nodes than by misplaced tiles")
	must("knights.15", "<=", 30, "knights, 15 moves, no table")
	must("knights.over15", "<=", 20, "knights, proof that it is over 15 moves")
	must("knights.prepare", "<=", 10, "knights, what that search needs is made")
	must("knights.prepare.memory", "<=", 1024, "knights, memory that it takes")
	must("15puzzle.small.korf", "<=", 2, "15-puzzle, Korf's hundred boards, small tables")
	must("15puzzle.small.far.worst", "<=", 30, "15-puzzle, each board of 80 moves, small tables")
	must("15puzzle.small.size", "<=", 16, "15-puzzle, size of the small tables")
	must("15puzzle.large.korf", "<=", 0.4, "15-puzzle, Korf's hundred boards, large tables")
	must("15puzzle.large.far.worst", "<=", 2.5, "15-puzzle, each board of 80 moves, large tables")
	must("trip1.ratio", "<=", 3, "round trip of a `solve`, all on one core")
	must("trip.ratio", "<=", 3, "round trip of a `solve`, on the cores that the kernel chooses; the echo on one")
	must("window64.daemon", ">=", 100000, "pipelined `solve`, 64 in flight, one client")
	must("boards.daemon", ">=", 500000, "`boards`, 8-puzzle, 10,000 a request")
	must("start.answered", "<=", 50, "daemon started, 8-puzzle answered")
	must("kernel.gcc.ratio", "<=", 1.3, "generic IDA* kernel against one by hand, gcc")
	must("kernel.clang.ratio", "<=", 1.3, "generic IDA* kernel against one by hand, clang")
}

function must(key, relation, bound, what)
{
	wanted[++wanted_count] = key
	relations[key] = relation
	bounds[key] = bound
	whats[key] = what
}

# Three digits that count, thousands apart by commas.
function number(value,   text, at)
{
	if (value + 0 < 1000)
		return sprintf(value + 0 >= 100 ? "%.0f" : "%.3g", value)
	text = sprintf("%.0f", value)
	for (at = length(text) - 3; at > 0; at -= 3)
		text = substr(text, 1, at) "," substr(text, at + 1)
	return text
}

function spread(key)
{
	if (least[key] == most[key])
		return number(median[key])
	return number(median[key]) " (" number(least[key]) " to " number(most[key]) ")"
}

$1 == "#" {
	heading[NR] = $2
	next
}

NF == 6 {
	row[NR] = $1
	unit[$1] = $2
	median[$1] = $3
	least[$1] = $4
	most[$1] = $5
	label[$1] = $6
}

END {
	print "\n## What must be reached\n\n| what | target | measured | unit | |\n|---|---|---|---|---|"
	for (i = 1; i <= wanted_count; i++) {
		key = wanted[i]
		if (!(key in median))
			continue
		met = relations[key] == "<=" ? median[key] <= bounds[key] : median[key] >= bounds[key]
		printf "| %s | %s %s | %s | %s | %s |\n", whats[key],
			relations[key] == "<=" ? "at most" : "at least", number(bounds[key]), spread(key), unit[key],
			met ? "met" : "**missed**"
	}
	for (i = 1; i <= NR; i++) {
		if (i in heading) {
			wide = has_nodes(i)
			printf "\n## %s\n\n", heading[i]
			print wide ? "| what | measured | unit | nodes generated | memory |\n|---|---|---|---|---|" \
				: "| what | measured | unit |\n|---|---|---|"
		} else if (i in row && !is_detail(row[i])) {
			key = row[i]
			printf "| %s | %s | %s |", label[key], spread(key), unit[key]
			print wide ? sprintf(" %s | %s |", detail(key ".nodes", ""), detail(key ".memory", " KiB")) : ""
		}
	}
}

# Nodes and memory of a search stand in its own row.
function is_detail(key,   of)
{
	of = key
	return sub(/\.(nodes|memory)$/, "", of) && of in median
}

function detail(key, suffix)
{
	return key in median ? number(median[key]) suffix : ""
}

# Whether any row under the heading in line `at` has them.
function has_nodes(at)
{
	for (at++; at <= NR && !(at in heading); at++)
		if (at in row && (row[at] ".nodes") in median)
			return 1
	return 0
}
