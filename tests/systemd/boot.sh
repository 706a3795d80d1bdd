#!/bin/sh
# SPDX-License-Identifier: MIT
# boot.sh SECONDS FOLDER COMMAND [ARGUMENT ...]: boots a real systemd that is thrown away afterwards, and runs COMMAND
# there as root.
#
# Inside, the root is this machine's, under an overlay in memory: what is installed here is there, and
# nothing that is written there comes back, except into FOLDER, which is the same on both sides; COMMAND should be
# found in it.  /tmp is empty there, and there is no network.  COMMAND runs as a unit when the system is up, its
# output goes to ours when it has ended, and its exit status is ours; 124: it took longer than SECONDS.
#
# 125, with a sentence on standard error: this machine cannot do it.

set -u
[ $# -ge 3 ] || { sed -n '3,11s/^# //p' "$0" >&2; exit 125; }
seconds=$1 folder=$(realpath "$2")
shift 2

unable()
{
	echo "$*" >&2
	exit 125
}

[ "$(id -u)" -eq 0 ] || unable 'only root can boot a system'
command -v systemd-nspawn >/dev/null 2>&1 || unable 'there is no systemd-nspawn (Debian: systemd-container)'

work=$(mktemp -d) || exit 125
root=$work/root
nspawn=

# Killing systemd-nspawn kills all that it has started.
finish()
{
	[ -z "$nspawn" ] || kill -KILL "$nspawn" 2>/dev/null
	umount -l "$root" 2>/dev/null
	umount -l "$work/memory" 2>/dev/null
	rm -rf --one-file-system "$work"
}
trap finish EXIT
trap 'exit 143' INT TERM HUP

mkdir "$root" "$work/memory"
mount -t tmpfs -o size=75% tmpfs "$work/memory" 2>/dev/null || unable 'this container may not mount'
mkdir "$work/memory/upper" "$work/memory/work"
mount -t overlay -o "lowerdir=/,upperdir=$work/memory/upper,workdir=$work/memory/work" overlay "$root" 2>/dev/null ||
	unable 'this kernel mounts no overlay over the root'

# A machine of its own, that asks nothing at its first boot, and starts none of the services that this one has.
echo uninitialized >"$root/etc/machine-id"
ln -sf /dev/null "$root/etc/systemd/system/systemd-firstboot.service"
# Images of containers say there that packages may start nothing.
rm -f "$root/usr/sbin/policy-rc.d"
ln -sf /lib/systemd/system/basic.target "$root/etc/systemd/system/default.target"

# A file, because an argument for a unit would have to be quoted as units want it.
mkdir "$root/booted"
for word; do
	printf '%s\n' "$word"
done >"$root/booted/command"
cat >"$root/booted/run" <<'END'
#!/bin/sh
set --
while IFS= read -r word; do
	set -- "$@" "$word"
done </booted/command
"$@" >/booted/output 2>&1
echo $? >/booted/status
systemctl --force exit 0
END
chmod +x "$root/booted/run"
cat >"$root/etc/systemd/system/booted.service" <<'END'
[Unit]
After=basic.target
[Service]
Type=exec
Environment=LC_ALL=C.UTF-8
ExecStart=/booted/run
END
mkdir -p "$root/etc/systemd/system/basic.target.wants"
ln -s ../booted.service "$root/etc/systemd/system/basic.target.wants/booted.service"

# By itself it keeps Landlock from what it boots, which a real machine does not.
SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 timeout -s KILL "$seconds" systemd-nspawn --quiet --boot --directory="$root" \
	--register=no --keep-unit --private-network --link-journal=no --console=pipe --bind="$folder" \
	--system-call-filter='landlock_create_ruleset landlock_add_rule landlock_restrict_self' \
	>"$work/log" 2>&1 </dev/null &
nspawn=$!
wait $nspawn
code=$?
nspawn=
if [ ! -e "$root/booted/output" ]; then
	[ $code -ne 137 ] || exit 124
	unable "no system comes up: $(grep . "$work/log" | tail -n 1)"
fi
cat "$root/booted/output"
[ -e "$root/booted/status" ] || exit 124
exit "$(cat "$root/booted/status")"
