#!/bin/bash
# SPDX-License-Identifier: MIT
# inside.sh FOLDER: the service on a machine of its own, from the installation of its package to its purge.  It is
# for service.sh alone: it installs, stops and removes.  Prints TAP.

folder=$1
socket=/run/puzzled/puzzled.sock
ini=/etc/puzzled/puzzled.ini
export DEBIAN_FRONTEND=noninteractive

number=0 failures=0

# check NAME COMMAND...: ok if the command succeeds; its output is shown if not.
check()
{
	local name=$1 output
	shift
	number=$((number + 1))
	if output=$("$@" 2>&1); then
		echo "ok $number - $name"
	else
		failures=$((failures + 1))
		echo "not ok $number - $name"
		{ printf '%s\n' "$output"; journalctl -q -n 12 -o cat -u puzzled.service -u puzzled.socket; } | tail -n 30 | sed 's/^/# /'
	fi
}

say()
{
	echo "# $*"
}

# until_true COMMAND...: tries for 20 s.
until_true()
{
	local end=$((SECONDS + 20))
	until "$@" >/dev/null 2>&1; do
		[ $SECONDS -lt $end ] || { echo "never true: $*"; return 1; }
		sleep 0.05
	done
}

property()
{
	systemctl show -p "$1" --value "${2:-puzzled.service}"
}

main_pid()
{
	property MainPID
}

is()
{
	[ "$1" = "$2" ] || { echo "it is '$1', not '$2'"; return 1; }
}

solves()
{
	is "$(puzzlectl "$@" solve 8puzzle 867254301 --json 2>&1 | grep -o '"length":[0-9]*')" '"length":31'
}

# as_user USER [GROUP...] -- COMMAND...: as that user, in these groups besides nogroup.
as_user()
{
	local user=$1 groups=
	shift
	while [ "$1" != -- ]; do groups=$groups,$1; shift; done
	shift
	setpriv --reuid="$user" --regid=nogroup --groups="nogroup$groups" "$@"
}

# ---- installation ----

# Whatever there is of ours where packages and services leave things.
traces()
{
	find /etc /usr /var /run /tmp /dev/shm -path "$folder" -prune -o -name '*puzzle*' -print | sort
}
traces >/before
check 'the packages install' dpkg -i "$folder"/puzzled_*.deb "$folder"/puzzled-dev_*.deb
check 'the socket is there, its group is puzzled' is "$(stat -c '%A %U %G' $socket)" 'srw-rw---- root puzzled'
check 'the service runs' is "$(property ActiveState)" active
check 'the socket is enabled' systemctl is-enabled puzzled.socket
check 'no user gets a daemon unasked' is "$(find /etc/systemd/user -name 'puzzled*')" ''

# ---- activation ----

systemctl stop puzzled.service 2>/dev/null # which warns of what is tried next
check 'the service can be stopped, and the socket stays' is "$(property ActiveState) $(property ActiveState puzzled.socket)" 'inactive active'
begun=$(date +%s%N)
check 'the first connection starts it, and is answered' solves
say "answered after $((($(date +%s%N) - begun) / 1000000)) ms, with the client's own start"
is_active()
{
	is "$(property ActiveState)" active
}
check 'it is ready' until_true is_active
ready_us=$(($(property ActiveEnterTimestampMonotonic) - $(property ExecMainStartTimestampMonotonic)))
say "ready $((ready_us / 1000)) ms after its start"

# ---- what it tells, and to whom ----

# tells PATTERN: the status line, which follows what happens with a second's delay at most.
tells()
{
	property StatusText | grep -qE "$1"
}
check 'it tells what it does' until_true tells "^$(grep -c '^\[puzzle:' /etc/puzzled/puzzled.ini) puzzles, [0-9]+ workers?, 0 waiting\$"
check 'a stranger may not connect' is "$(as_user nobody -- puzzlectl -s $socket ping >/dev/null 2>&1; echo $?)" 3
check 'a member of the group may' as_user nobody puzzled -- puzzlectl -s $socket ping
check 'but reloading is not for everybody' is \
	"$(as_user nobody puzzled -- puzzlectl -s $socket --json reload 2>/dev/null | grep -o '"kind":"[a-z_]*"')" '"kind":"forbidden"'

# ---- confinement ----

# status_of PID KEY
status_of()
{
	sed -n "s/^$2:[[:space:]]*//p" "/proc/$1/status"
}
pid=$(main_pid)
workers=$(pgrep -P "$pid")
check 'there are workers' test -n "$workers"
for process in $pid $workers; do
	name=$(status_of "$process" Name)
	check "$name runs as puzzled" is "$(stat -c '%U %G' "/proc/$process")" 'puzzled puzzled'
	check "$name gets no new privileges" is "$(status_of "$process" NoNewPrivs)" 1
	check "$name is under a filter of system calls" is "$(status_of "$process" Seccomp)" 2
	check "$name has no capability" is "$(status_of "$process" CapBnd)$(status_of "$process" CapEff)" "$(printf %032d 0)"
	check "$name has no network" test "$(readlink "/proc/$process/ns/net")" != "$(readlink /proc/self/ns/net)"
done
# /proc shows a filter more for who has confined itself, which the unit must have let it do.
filters=$(status_of "$pid" Seccomp_filters)
if grep -q seccomp_load /usr/lib/puzzled/puzzled-worker; then
	for process in $workers; do
		check 'a worker has confined itself further' test "$(status_of "$process" Seccomp_filters)" -gt "$filters"
	done
else
	say 'workers were built without libseccomp'
fi
# How far workers say that they are confined; outside the unit nothing but the kernel can be in their way.
confined()
{
	puzzlectl "$@" list >/dev/null # when they have started
	puzzlectl "$@" status --json | grep -o '"sandbox":"[^"]*"' | sort -u
}
sed 's/^\[daemon\]/&\nsocket = \/run\/plain.sock\nuser = puzzled/' $ini >/plain.ini
puzzled --config /plain.ini 2>/dev/null &
plain=$!
until_true test -S /run/plain.sock
say "workers say of themselves: $(confined)"
check 'the unit leaves workers all that the kernel has for that' is "$(confined)" "$(confined --socket /run/plain.sock)"
kill $plain
wait $plain

# refuses COMMAND...: fails in the mount namespace of the service, as its user.
refuses()
{
	! nsenter -t "$pid" -m setpriv --reuid=puzzled --regid=puzzled --clear-groups "$@" 2>&1
}
check 'it cannot write to the system' refuses touch /usr/lib/puzzled/x /etc/puzzled/x /var/x
check 'it sees no homes' refuses ls /root/.
check 'it can write its tables' nsenter -t "$pid" -m setpriv --reuid=puzzled --regid=puzzled --clear-groups \
	touch /var/cache/puzzled/x
rm -f /var/cache/puzzled/x

# ---- idle ----

tables_built()
{
	! puzzlectl tables list | grep -qwE 'building|missing'
}
check 'its tables are built' until_true tables_built
check 'and everybody may read them' is "$(find /var/cache/puzzled -type f ! -name '*lock*' ! -perm -444)" ''
sleep 1.5 # the last STATUS
# cost: clock ticks, and how often it was woken
cost()
{
	for process in $(main_pid) $(pgrep -P "$(main_pid)"); do
		awk '{ print $14 + $15 }' "/proc/$process/stat"
		status_of "$process" voluntary_ctxt_switches
	done | paste -sd ' '
}
before=$(cost)
sleep 3
after=$(cost)
# Every 15 s the watchdog wants to be fed: that may fall into it.
say "ticks and wakings of daemon and workers: $before, then $after"
check 'idle, it takes no time and sleeps' test "$(awk -v a="$before" -v b="$after" 'BEGIN {
	n = split(a, x, " "); split(b, y, " ")
	for (i = 1; i <= n; i++) sum += y[i] - x[i]
	print (n >= 4 && sum <= 1) ? "yes" : sum }')" = yes
rss=$(status_of "$(main_pid)" VmRSS)
say "resident: $rss"
check 'the daemon has less than 5 MiB resident' test "${rss% kB}" -lt 5120

cp $ini /puzzled.ini

# ---- a plugin that breaks out ----

# outcome STAGE ATTEMPT: what became of it (tests/plugins/breakout.c).
outcome()
{
	puzzlectl --json solve breakout "$1 $2" 2>&1 | sed -n 's/.*"message":"\([A-Za-z]*\)".*/\1/p'
}
if grep -q seccomp_load /usr/lib/puzzled/puzzled-worker; then
	cp "$folder/breakout.so" /usr/lib/puzzled/plugins/
	printf '[puzzle:breakout]\nplugin = breakout.so\nfolder = /var/cache/puzzled\ndaemon_socket = %s\n' $socket >>$ini
	check 'a plugin that breaks out is loaded' systemctl reload puzzled.service
	for attempt in call_daemon run_shell make_process signal_parent trace_parent limit_parent write_table; do
		check "$attempt fails at each stage" is \
			"$(outcome ctor $attempt) $(outcome open $attempt) $(outcome solve $attempt)" 'EPERM EPERM EPERM'
	done
	check 'all of the sandbox is on' is "$(puzzlectl --json status | grep -o '"name":"breakout"[^[{]*"sandbox":"[^"]*"' | sed 's/.*"sandbox"://')" '"on"'
	for attempt in read_passwd read_environ; do
		check "$attempt fails at each stage" is \
			"$(outcome ctor $attempt) $(outcome open $attempt) $(outcome solve $attempt)" 'EACCES EACCES EPERM'
	done
	check 'and it can do its work' is "$(outcome ctor work) $(outcome open work) $(outcome solve work)" 'done done done'
	# Known only once the table is built, and mapped by new workers.
	builds()
	{
		is "$(outcome build work) $(outcome build run_shell)" 'done EPERM'
	}
	check 'also where it builds its table' until_true builds
	cp /puzzled.ini $ini
	systemctl reload puzzled.service
	rm -f /usr/lib/puzzled/plugins/breakout.so /var/cache/puzzled/breakout.*
fi

# ---- reload ----

printf '\n[puzzle:added]\nplugin = 8puzzle.so\ngoal = 876543210\n' >>$ini
pid=$(main_pid)
check 'a good configuration is taken' systemctl reload puzzled.service
has_added()
{
	puzzlectl list | grep -q ^added
}
check 'and has changed something' has_added
echo 'colour = blue' >>$ini
check 'a bad one fails' is "$(systemctl reload puzzled.service >/dev/null 2>&1; echo $?)" 1
check 'and is told with file and line' is "$(puzzlectl reload 2>&1 | grep -c "$ini:$(wc -l <$ini)")" 1
check 'and has changed nothing' has_added
sed -i 's/^colour = .*/plugin = none.so/; /^plugin = 8puzzle.so$/{N;/876543210/d}' $ini
check 'so does one whose plugin does not start' is "$(systemctl reload puzzled.service >/dev/null 2>&1; echo $?)" 1
check 'with nothing changed' solves
cp /puzzled.ini $ini
# The daemon must see who its clients are, from within all that the unit hides from it.
sed 's/^\[daemon\]/&\nallow_users = daemon/' /puzzled.ini >$ini
check 'one with names of users is taken' systemctl reload puzzled.service
check 'a user who is named may connect' as_user daemon puzzled -- puzzlectl -s $socket ping
check 'another one may not' eval "! as_user nobody puzzled -- puzzlectl -s $socket ping"
cp /puzzled.ini $ini
check 'the old one is taken again' systemctl reload puzzled.service
check 'and it is the same process all the time, which is active' is "$(main_pid) $(property ActiveState)" "$pid active"

# ---- draining ----

# A search that takes longer than its timeout: what it is answered is `timeout`, in whatever the service is meanwhile.
hard=$(puzzlectl generate knights --length 39 --seed 1)
puzzlectl solve knights "$hard" --algorithm ida --timeout 3s >/hard 2>&1 &
hard=$!
sleep 0.5
begun=$(date +%s%N)
check 'a restart waits for what runs' systemctl restart puzzled.service
took=$((($(date +%s%N) - begun) / 1000000))
wait $hard
code=$?
check 'which ends as if nothing had been' eval "cat /hard; is $code 4"
say "the restart took $took ms"
check 'and not longer' test $took -gt 1000 -a $took -lt 10000

# ---- watchdog ----

mkdir -p /run/systemd/system/puzzled.service.d
printf '[Service]\nWatchdogSec=1s\n' >/run/systemd/system/puzzled.service.d/watchdog.conf
systemctl daemon-reload
systemctl restart puzzled.service
pid=$(main_pid)
sleep 2.5
check 'a daemon that lives feeds the watchdog' is "$(main_pid) $(property NRestarts)" "$pid 0"
children=$(pgrep -P "$pid")
kill -STOP "$pid"
check 'one that hangs is replaced, and who connects meanwhile is answered' solves
check 'by another process' test "$(main_pid)" != "$pid"
check 'once, by the watchdog' is "$(property NRestarts)" 1
gone()
{
	for process; do
		! kill -0 "$process" 2>/dev/null || return 1
	done
}
check 'and its workers are gone' until_true gone $children
rm -r /run/systemd/system/puzzled.service.d
systemctl daemon-reload
systemctl restart puzzled.service

# ---- under load ----

"$folder/flood" $socket 64 >/flood 2>/flood.errors &
flood=$!
sleep 1
check '64 clients: restarts' eval 'systemctl restart puzzled.service && sleep 0.5 && systemctl restart puzzled.service'
reloads()
{
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		systemctl reload puzzled.service || return 1
	done
}
check '64 clients: ten reloads' reloads
old=$(main_pid)
check '64 clients: an upgrade' dpkg -i "$folder/next.deb"
check 'which has replaced the daemon' test "$(main_pid)" != "$old"
check '64 clients: a stop, and the socket starts it again' eval 'systemctl stop puzzled.service 2>/dev/null; sleep 0.5; solves'
sleep 0.5
kill "$flood"
wait "$flood"
code=$?
say "$(cat /flood)"
check 'every request got exactly one answer, and the right one' eval "cat /flood.errors; test $code -eq 0"
check 'some were answered after a restart' test "$(grep -o 'connections=[0-9]*' /flood | cut -d = -f 2)" -ge $((64 * 3))
check 'nobody was refused for the drain to be short' grep -q 'shutting_down=0 ' /flood
check 'the configuration is still what it was' cmp $ini /puzzled.ini
check 'nothing has failed' is "$(systemctl --failed --no-legend | grep puzzled)" ''

# ---- what comes with it ----

mkdir -p /var/lib/prometheus/node-exporter
check 'metrics are written for node_exporter' systemctl start puzzled-metrics.service
check 'wholly' is "$(tail -n 1 /var/lib/prometheus/node-exporter/puzzled.prom)" '# EOF'
mkdir /tmp/autopkgtest
for test in service plugin; do
	check "autopkgtest: $test" env AUTOPKGTEST_TMP=/tmp/autopkgtest "$folder/autopkgtests/$test"
done
rm -r /tmp/autopkgtest

# A user's own daemon, as far as this systemd starts managers for users.
useradd --create-home tester
uid=$(id -u tester)
as_tester()
{
	setpriv --reuid=tester --regid=tester --init-groups env -i PATH="$PATH" HOME=/home/tester \
		XDG_RUNTIME_DIR="/run/user/$uid" "$@"
}
if systemctl start "user@$uid.service" 2>/dev/null; then
	check 'a user starts the socket of a daemon of their own' as_tester systemctl --user start puzzled.socket
	check 'which starts at the first connection, and solves' eval "as_tester puzzlectl solve 8puzzle 123456708 | grep -q '^length *1$'"
	check 'as that user' is "$(pgrep -u tester -x puzzled | wc -l)" 1
	check 'and knows its user, who is an admin there' as_tester puzzlectl reload
	check 'and reads the tables of the system, or builds its own' as_tester puzzlectl tables list
else
	say 'this systemd starts no manager for a user, so a daemon of their own is not tried'
fi

# ---- removal ----

systemctl stop "user@$uid.service" 2>/dev/null
userdel -r tester 2>/dev/null
rm -f /var/lib/prometheus/node-exporter/puzzled.prom
check 'the packages can be removed' dpkg --remove puzzled puzzled-dev
check 'nothing runs any more' is "$(pgrep -u puzzled)" ''
check 'nothing listens any more' test ! -e $socket
check 'the configuration stays until the purge' test -e $ini
check 'the packages can be purged' dpkg --purge puzzled puzzled-dev
traces >/after
check 'and leave nothing' diff /before /after
check 'nor anything that is owned by the user' is "$(find /etc /usr /var /run /tmp /dev/shm -user puzzled -o -group puzzled)" ''

echo "1..$number"
[ $failures -eq 0 ]
