# SPDX-License-Identifier: MIT
# Debian's static busybox under `apmu run --linux` and under QEMU's user mode: the same output and exit status. Each
# applet is a program of its own; what they print must not depend on where they run.
. "$SRC/tests/guest/lib.sh"
"$SRC/tools/fetch-guests" "$BUILD/guests" --all || fail "Debian's programs cannot be fetched"

mkdir "$work/folder"
cd "$work/folder" || exit 1
printf 'pear\napple\nfig\napple\n' >fruit
printf 'one two three\nfour five six\n' >words
seq 1 500 >numbers

# both ARCHITECTURE CORE EMULATOR ARGUMENT...
both() {
	local program=$BUILD/guests/all/$1/bin/busybox core=$2 emulator=$3 want got status
	shift 3
	want=$(printf 'in\n' | env -i "$emulator" "$program" "$@" 2>/dev/null; echo "status $?")
	got=$(printf 'in\n' | "$APMU" run -c "$core" --folder . --linux "$program" "$@" 2>"$work/err"; echo "status $?")
	[ "$got" = "$want" ] || fail "$core busybox $*: '${got:0:200}', not '${want:0:200}'; $(head -1 "$work/err")"
	case $want in *"status 127"* | *"status 126"*) fail "busybox has no applet $1" ;; esac
}

all() {
	both "$@" echo hello world
	both "$@" sort fruit
	both "$@" sort -u fruit
	both "$@" uniq -c fruit
	both "$@" wc words
	both "$@" cut -d ' ' -f 2 words
	both "$@" tr a-z A-Z
	both "$@" rev words
	both "$@" tac fruit
	both "$@" head -n 1 words
	both "$@" tail -n 3 numbers
	both "$@" grep -n five words
	both "$@" grep nothing words
	both "$@" sed -n 's/o/0/gp' words
	both "$@" awk '{ s += $1 } END { print s, NR }' numbers
	both "$@" md5sum numbers
	both "$@" sha256sum numbers
	both "$@" od -c fruit
	both "$@" base64 words
	both "$@" expr 6 '*' 7
	both "$@" factor 1234567
	both "$@" seq 3 9
	both "$@" printf '%05d %s\n' 42 x
	both "$@" cat words
	both "$@" cat /etc/no-such-file
	both "$@" test 3 -lt 4
	both "$@" false
	both "$@" sh -c 'i=0; while [ $i -lt 5 ]; do echo $((i * i)); i=$((i + 1)); done; exit 5'
	both "$@" sh -c 'read x; echo "<$x>"; case $x in in) exit 3 ;; esac'
}
all armel arm1176jzf-s qemu-arm
all arm64 cortex-a53 qemu-aarch64
both armel xscale2 qemu-arm sort fruit
both armel cortex-a9 qemu-arm sha256sum numbers
finish
