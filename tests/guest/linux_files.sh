# SPDX-License-Identifier: MIT
# Directories, pipes, mapped files and signal handlers of `apmu run --linux`: a program prints the same under QEMU's user mode.
# Nothing outside the folder can be reached.
. "$SRC/tests/guest/lib.sh"

program=$SRC/tests/guest/src/process.c
a32() { arm-linux-gnueabi-gcc -O1 -static "$@" || exit 1; }
a64() { aarch64-linux-gnu-gcc -O1 -static "$@" || exit 1; }
a32 -march=armv5te -marm "$program" -o "$work/process-5"
a32 -march=armv7-a -mthumb "$program" -o "$work/process-7"
a64 "$program" -o "$work/process-8"
a32 -march=armv7-a -mthumb "$SRC/tests/guest/src/errors.c" -o "$work/errors-7"
a64 "$SRC/tests/guest/src/errors.c" -o "$work/errors-8"

# same CORE EMULATOR PROGRAM LAST: LAST is a line that it prints. EMULATOR may hold options: newer versions of QEMU run a default
# processor whose misaligned exclusives do not fault.
same() {
	rm -rf "$work/folder"
	mkdir "$work/folder"
	(cd "$work/folder" && $2 "$work/$3" </dev/null 2>&1; echo "status $?") >"$work/want" 2>/dev/null
	rm -rf "$work/folder"
	mkdir "$work/folder"
	("$APMU" run -c "$1" --folder "$work/folder" --linux "$work/$3" </dev/null 2>"$work/err"; echo "status $?") >"$work/got"
	diff "$work/want" "$work/got" >&2 || fail "$1 $3: not as under $2: $(head -1 "$work/err")"
	grep -qx "$4" "$work/want" || fail "$3 did not come to its end"
}
same xscale2 qemu-arm process-5 'illegal: 99'
same arm1176jzf-s qemu-arm process-5 'illegal: 99'
same cortex-a9 qemu-arm process-7 'illegal: 99'
same cortex-a53 'qemu-aarch64 -cpu cortex-a53' process-8 'illegal: 99'
same neoverse-n1 'qemu-aarch64 -cpu neoverse-n1' process-8 'illegal: 99'
same cortex-a9 qemu-arm errors-7 'the end'
same cortex-a53 'qemu-aarch64 -cpu cortex-a53' errors-8 'the end'

# A segment without data in the file, whose file offset may be beyond the file's end.
aarch64-linux-gnu-gcc -nostdlib -static -Wl,--section-start=.bss=0x41f000 "$SRC/tests/guest/src/same/walk.s" -o "$work/blank" || exit 1
"$APMU" run -c cortex-a53 --linux "$work/blank" 2>"$work/err" || fail "a program with .bss alone: $(head -1 "$work/err")"

# Attempts to get outside: "..", absolute names, links, and objects that are neither file nor directory.
cat >"$work/out.c" <<'C'
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	struct stat about;
	char text[100] = "";
	int reached = 0;
	for (int i = 1; i < argc; i++) {
		reached += open(argv[i], O_RDONLY) >= 0;
		reached += open(argv[i], O_WRONLY | O_CREAT, 0600) >= 0;
		reached += stat(argv[i], &about) == 0;
		reached += chdir(argv[i]) == 0;
		reached += strchr(argv[i], '/') && rename("inside", argv[i]) == 0;
	}
	printf("%d %d %d\n", reached, lstat("link", &about) == 0 && S_ISLNK(about.st_mode),
	       (int)readlink("link", text, sizeof text));
	return 0;
}
C
a64 "$work/out.c" -o "$work/out"
mkdir -p "$work/house/folder/below"
echo secret >"$work/house/secret"
echo inside >"$work/house/folder/inside"
ln -s ../secret "$work/house/folder/link"
ln -s .. "$work/house/folder/up"
mkfifo "$work/house/folder/fifo"
"$APMU" run -c cortex-a53 --folder "$work/house/folder" --linux "$work/out" link up up/secret up/new below/../up/secret \
	"$work/house/secret" >"$work/got" 2>"$work/err" || fail "$(head -1 "$work/err")"
[ "$(cat "$work/got")" = "0 1 9" ] || fail "outside was reached, or a link not told: $(cat "$work/got")"
[ "$(cat "$work/house/secret")" = secret ] && [ "$(ls "$work/house")" = "folder
secret" ] || fail "something was made outside: $(ls "$work/house")"

# ".." stops at the folder.
"$APMU" run -c cortex-a53 --folder "$work/house/folder" --linux "$work/out" ../../../etc/passwd /etc/passwd \
	>"$work/got" 2>&1
[ "$(cat "$work/got")" = "0 1 9" ] || fail "the root has something above: $(cat "$work/got")"
# Opening a FIFO must not wait for ever.
"$APMU" run -c cortex-a53 --folder "$work/house/folder" --linux "$work/out" fifo >"$work/got" 2>&1
[ "$(cat "$work/got")" = "1 1 9" ] || fail "a FIFO is told, and not opened: $(cat "$work/got")"

# A wait without a child ends.
printf '#include <unistd.h>\nint main(void) { int p[2]; char c; pipe(p); return (int)read(p[0], &c, 1); }\n' >"$work/wait.c"
a64 "$work/wait.c" -o "$work/wait"
"$APMU" run -c cortex-a53 --linux "$work/wait" >"$work/got" 2>&1
[ $? = 1 ] || fail "a read of an empty pipe ended well"
grep -q 'read waits for another thread or process' "$work/got" || fail "an empty pipe: $(head -1 "$work/got")"
finish
