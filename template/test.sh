#!/bin/sh
# Examines mypuzzle.so, then solves with it through a daemon of its own.
set -e
puzzlectl=${PUZZLECTL:-puzzlectl}

"$puzzlectl" check-plugin ./mypuzzle.so

# A daemon trusts nothing that others than its owner can write to, so it gets a folder of its own, whatever the umask.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
umask 022
cp mypuzzle.so "$folder" && chmod 644 "$folder/mypuzzle.so"
printf '[puzzle:mypuzzle]\nplugin = %s/mypuzzle.so\n' "$folder" >"$folder/mypuzzle.ini"
PUZZLED_CONFIG=$folder/mypuzzle.ini
export PUZZLED_CONFIG

# solves BOARD LENGTH: the shortest solution has so many moves.
solves()
{
	got=$("$puzzlectl" --local solve mypuzzle "$1" | sed -n 's/^length *//p')
	if [ "$got" != "$2" ]; then
		echo "$1: $got moves, not $2" >&2
		exit 1
	fi
	echo "$1: $got moves"
}

solves 000000000 0
solves 010111010 1
solves 111111111 5
