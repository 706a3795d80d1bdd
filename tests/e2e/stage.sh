# SPDX-License-Identifier: MIT
# stage.sh: for scripts to source: what `make install` installs, in a folder, and an environment in which it is as if it were
# in its place.  Needs $top_builddir and $folder; leaves $stage, PATH and what programs look for.

stage=$folder/stage
# The make that runs this test has its own wishes, which are not ours.
(unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES DESTDIR
	${MAKE:-make} -s -C "$top_builddir" install DESTDIR="$stage") >"$folder/install.log" 2>&1 || {
	sed 's/^/# /' "$folder/install.log" >&2
	exit 99
}
installed=$stage$(cd "$top_builddir" && sed -n 's/^prefix=//p' etc/puzzled-plugin.pc)
PKG_CONFIG_PATH=$(dirname "$(find "$stage" -name puzzled-plugin.pc)")
PKG_CONFIG_SYSROOT_DIR=$stage
PATH=$installed/bin:$PATH
# The worker's place is compiled into the daemon; here it is another, so the configuration says which.
mkdir "$folder/bin"
cat >"$folder/bin/puzzled" <<END
#!/bin/sh
worker=\$(find '$stage' -name puzzled-worker)
for word; do
	[ "\$before" != --config ] || config=\$word
	before=\$word
done
case \$(cat "\$config") in
*'[daemon]'*) sed "/^\[daemon\]/a worker = \$worker" "\$config" ;;
*) printf '[daemon]\nworker = %s\ntable_dir = %s\n' "\$worker" '$folder'; cat "\$config" ;;
esac >'$folder/as-installed.ini'
exec '$(find "$stage" -name puzzled -type f -path '*bin*')' --session-fd 3 --config '$folder/as-installed.ini'
END
chmod +x "$folder/bin/puzzled"
PUZZLED_DAEMON=$folder/bin/puzzled
unset PUZZLED_CONFIG PUZZLED_SOCKET PUZZLED_TEMPLATE PUZZLED_CHECK_PLUGIN XDG_RUNTIME_DIR
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR PATH PUZZLED_DAEMON
