# SPDX-License-Identifier: MIT
# Debian's static busybox under `apmu run --linux` and under QEMU's user mode: output and exit status must be the same.
# Each applet is a program of its own whose output must not depend on where it runs.
. "$SRC/tests/guest/lib.sh"
"$SRC/tools/fetch-guests" "$BUILD/guests" --all || fail "Debian's programs cannot be fetched"

mkdir "$work/folder"
cd "$work/folder" || exit 1
printf 'pear\napple\nfig\napple\n' >fruit
printf 'one two three\nfour five six\n' >words
seq 1 500 >numbers
mkdir -p tree/one/deep tree/two
echo fig in a tree >tree/one/deep/leaf
echo no fruit >tree/two/stone
cp words "tree/two/words copy"
: >tree/.hidden
chmod 640 tree/two/stone

# both ARCHITECTURE CORE EMULATOR ARGUMENT...
both() {
	local program=$BUILD/guests/all/$1/bin/busybox core=$2 emulator=$3 want got status
	shift 3
	want=$(printf 'in\n' | env -i "${APMU_QEMU:+$APMU_QEMU/}$emulator" "$program" "$@" 2>/dev/null; echo "status $?")
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
	both "$@" ls
	both "$@" ls -1aF tree
	both "$@" ls -R tree
	both "$@" ls no-such-folder
	both "$@" find tree -name 'le*' -type f
	both "$@" find tree -type d
	both "$@" grep -r fi tree
	both "$@" grep -rl fruit .
	both "$@" du -a tree/one/deep/leaf
	both "$@" stat -c '%s %F %a %n' words tree/two/stone tree/.hidden
	both "$@" readlink words
	both "$@" cmp words tree/two/words\ copy
	both "$@" diff words fruit
	both "$@" dirname /a/b/c
	both "$@" false
	both "$@" sh -c 'i=0; while [ $i -lt 5 ]; do echo $((i * i)); i=$((i + 1)); done; exit 5'
	both "$@" sh -c 'cd tree/two && cd .. && for f in */* */*/*; do echo "$f"; done; echo "${PWD##*/}"'
	both "$@" sh -c 'trap "echo caught" USR1; kill -USR1 $$; echo after; [ -e nowhere ] 2>/dev/null || echo none'
	both "$@" sh -c 'read x; echo "<$x>"; case $x in in) exit 3 ;; esac'
}
# archive ARCHITECTURE CORE: an archive written by it holds the tree, and unpacking makes the files again
archive() {
	local program=$BUILD/guests/all/$1/bin/busybox
	rm -rf "$work/out"
	mkdir "$work/out"
	"$APMU" run -c "$2" --folder . --linux "$program" tar c tree 2>"$work/err" | tar x -C "$work/out" ||
		fail "$2: tar: $(head -1 "$work/err")"
	diff -r tree "$work/out/tree" || fail "$2: the archive differs from the tree"
	local line
	for line in 'mkdir -p a/b' 'cp tree/two/stone a/b' 'mv a/b a/c' 'rm -r tree' 'mkdir a/d' 'rmdir a/d'; do
		# shellcheck disable=SC2086 # words
		"$APMU" run -c "$2" --folder "$work/out" --linux "$program" $line 2>"$work/err" ||
			fail "$2: $line: $(head -1 "$work/err")"
	done
	"$APMU" run -c "$2" --folder "$work/out" --linux "$program" sh -c 'cd a; echo more >>c/stone; exit 4' 2>"$work/err"
	[ $? = 4 ] || fail "$2: sh: $(head -1 "$work/err")"
	[ "$(cd "$work/out" && find . | sort | tr '\n' ' ')" = ". ./a ./a/c ./a/c/stone " ] || fail "$2: left $(find "$work/out")"
	[ "$(cat "$work/out/a/c/stone")" = "no fruit
more" ] || fail "$2: wrote $(cat "$work/out/a/c/stone")"
}
archive armel arm1176jzf-s
archive arm64 cortex-a53
all armel arm1176jzf-s qemu-arm
all arm64 cortex-a53 qemu-aarch64
both armel xscale2 qemu-arm sort fruit
both armel cortex-a9 qemu-arm sha256sum numbers
finish
