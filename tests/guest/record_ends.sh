# SPDX-License-Identifier: MIT
# However a program or a recording ends, its samples are kept, and missing ones are reported.
. "$SRC/tests/guest/lib.sh"
apmu=$BUILD/apmu
dump=$BUILD/tests/guest/profile_dump
src=$SRC/tests/guest/src/record
cd "$work" || exit 1

aarch64-linux-gnu-gcc -O1 "$src/ends.c" -o ends -ldl -Wl,-z,now || exit 1
aarch64-linux-gnu-gcc -O1 -shared -fPIC "$src/library.c" -o library.so || exit 1

# record WAY...: with -c 97 instructions into `data`; its exit status in $code
record() {
	"$apmu" record --core cortex-a53 -e instructions -c 97 -o data "${options[@]}" -- ./ends "$@" >out 2>said
	code=$?
	"$dump" data >dump.txt 2>about.txt || fail "$*: $(cat about.txt)"
	"$apmu" report -i data --no-children >report 2>>said || fail "report of $*"
}
is() { [ "$code" = "$1" ] || fail "$2: exit $code, not $1: $(cat said)"; }
says() { grep -q -- "$1" said || fail "$2: does not say '$1': $(cat said)"; }
shows() { grep -q "$1" report || fail "$2: report lacks $1: $(head -8 report)"; }
lacks() { ! grep -q "$1" report || fail "$2: report has $1"; }
flaws() { grep -q "^flaws $1 " about.txt || fail "$2: $(head -1 about.txt)"; }
options=()

record; is 0 plain; shows spin_before plain; flaws 0 plain
cp data first
record; cp data second
# Two runs are the same except for process numbers.
for file in first second; do
	"$dump" $file >$file.txt 2>/dev/null
	"$apmu" export json -i $file >$file.json || fail "export $file"
done
cmp first.txt second.txt || fail "two runs differ"
cmp first.json second.json || fail "the JSON of two runs differs"

record crash; is 139 crash; shows spin_before crash; flaws 0 crash
grep -q 'signal 11' about.txt || fail "crash: $(head -1 about.txt)"
record abort; is 134 abort; shows spin_before abort
record rewrite; is 0 rewrite; shows spin_before rewrite; shows '\[unknown\]' rewrite
record dlopen "$PWD/library.so"; is 0 dlopen; shows spin_library dlopen; shows library.so dlopen
record exec /nonexistent; is 8 exec; shows spin_before exec
record fork; is 3 fork; shows spin_before fork; shows spin_child fork
options=(-i)
record fork; is 3 "fork, -i"; shows spin_before fork; lacks spin_child "fork, -i"
options=()

# Exact counts and branches beside each other: a child that is not followed ends as it would.
arm-linux-gnueabi-gcc -O1 "$src/ends.c" -o ends32 -ldl || exit 1
"$apmu" record --core cortex-a9 -i --exact -b -e instructions -o data -- ./ends32 fork >out 2>said
code=$?; is 3 "fork, --exact -b"

# A child that lives on while apmu completes the file (which names of code made at run time make long) is in it up to that moment: no
# sample is at an address where the program has no code.
cat >left.c <<'END'
#include <stdio.h>
#include <unistd.h>
volatile unsigned x;
int main(void)
{
	char name[64];
	if (fork() == 0)
		for (alarm(3);;)
			x++;
	usleep(500000);
	snprintf(name, sizeof name, "/tmp/perf-%d.map", getpid());
	FILE *to = fopen(name, "w");
	for (unsigned i = 0; to && i < 100000; i++)
		fprintf(to, "%x 4 name%u\n", 0x10000000 + 4 * i, i);
	if (to)
		fclose(to);
	puts(name);
	return 0;
}
END
aarch64-linux-gnu-gcc -O1 -static left.c -o left || exit 1
"$apmu" record --core cortex-a53 -q --follow -e instructions -c 500 -o data -- ./left >out 2>said || fail "left: $(cat said)"
rm -f "$(cat out)"
"$dump" data >dump.txt 2>about.txt || fail "left: $(cat about.txt)"
flaws 0 left
elsewhere=$(awk '$2 !~ /^0x4[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]$/' dump.txt | wc -l)
[ "$elsewhere" = 0 ] || fail "left: $elsewhere samples are elsewhere"

# A limit that the program sets for its own files, or a reader of the recording that ends, ends no program.
cat >limit.c <<'END'
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	if (argc == 1)
		setrlimit(RLIMIT_FSIZE, &(struct rlimit){limit, limit});
	for (volatile int i = 0; i < 200000; i++)
		;
	return argc == 1 ? write(1, "survived", 8) != 8 : fclose(fopen(argv[1], "w"));
}
END
for limit in 0 20000; do # before a block, and in the middle of one
	aarch64-linux-gnu-gcc -O1 -static -Dlimit=$limit limit.c -o limit || exit 1
	"$apmu" record --core cortex-a53 -q -e instructions -c 10 -o data -- ./limit 2>said | grep -qx survived || fail "a limit: $(cat said)"
	says 'samples could not be written: File too large' "a limit of $limit bytes"
done
rm -f survived
"$apmu" record --core cortex-a53 -q -e instructions -c 10 -o /dev/stdout -- ./limit survived 2>said | head -c 100 >out
[ -e survived ] || fail "a reader that ends: the program did not end by itself: $(cat said)"

# A program that has taken all descriptors but one, with which it loads a library: the recording cannot say where the library lies, and
# apmu says so.
cat >taken.c <<'END'
#include <dlfcn.h>
#include <sys/resource.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int first = dup(1), last = first, next;
	setrlimit(RLIMIT_NOFILE, &(struct rlimit){64, 64});
	while ((next = dup(1)) >= 0)
		last = next;
	close(last);
	void *library = dlopen(argv[1], RTLD_NOW);
	for (int fd = first; fd < last; fd++)
		close(fd);
	void (*spin)(void) = library ? (void (*)(void))dlsym(library, "spin_library") : 0;
	if (spin)
		spin();
	return !spin;
}
END
aarch64-linux-gnu-gcc -O1 taken.c -o taken -ldl || exit 1
for way in "-c 97" --exact; do
	# shellcheck disable=SC2086
	"$apmu" record --core cortex-a53 -e instructions $way -o data -- ./taken "$PWD/library.so" >out 2>said
	code=$?; is 1 "taken descriptors, $way"
	says 'data: a part of the recording could not be written: Too many open files' "taken descriptors, $way"
done

# A signal to apmu goes to the program; the recording is complete.
for signal in INT TERM; do
	rm -f data out
	(exec env --default-signal=INT "$apmu" record --core cortex-a53 -e instructions -c 100 -o data -- ./ends wait) >out 2>said &
	pid=$!
	for _ in $(seq 100); do
		grep -q waiting out 2>/dev/null && break
		sleep 0.1
	done
	kill -$signal $pid
	wait $pid
	code=$?
	is $((128 + $(kill -l $signal))) $signal
	"$dump" data >dump.txt 2>about.txt || fail "$signal: $(cat about.txt)"
	flaws 0 $signal
	"$apmu" report -i data >report 2>&1
	shows spin_before $signal
done

# apmu is killed: the samples written so far are readable.
rm -f data
"$apmu" record --core cortex-a53 -e instructions -c 10 -o data -- ./ends wait >out 2>said &
pid=$!
for _ in $(seq 100); do
	[ "$(stat -c %s data 2>/dev/null || echo 0)" -gt 100000 ] && break
	sleep 0.1
done
program=$(pgrep -P $pid)
kill -KILL $pid
wait $pid 2>/dev/null
# The program ends with it.
for _ in $(seq 100); do
	kill -0 "$program" 2>/dev/null || break
	sleep 0.05
done
! kill -0 "$program" 2>/dev/null || fail "killed: the program lives on"
"$dump" data >dump.txt 2>about.txt || fail "killed: $(cat about.txt said)"
flaws '[13]' killed
"$apmu" report -i data >report 2>said || fail "report of a killed recording: $(cat said)"
shows spin_before killed
says 'cut off' killed

# Children that write samples all the time, up to the moment at which apmu completes the file: nothing is in it twice, nor behind the end.
cat >writers.c <<'END'
#include <unistd.h>
int main(void)
{
	for (int child = 0; child < 3; child++)
		if (fork() == 0) {
			for (volatile unsigned i = 0; i < 1000000; i++)
				;
			_exit(0);
		}
	usleep(20000);
	return 0;
}
END
aarch64-linux-gnu-gcc -O1 -static writers.c -o writers || exit 1
for _ in $(seq 20); do
	"$apmu" record --core cortex-a53 --follow -q -c 1 -e instructions -o data -- ./writers || fail "children that write"
	python3 - <<-'PYTHON' || fail "children that write"
		import struct, sys
		data, at, seen, kinds = open("data", "rb").read(), 24, set(), []
		while at < len(data):
		    kind, size = struct.unpack_from("<II", data, at + 4)
		    payload = data[at + 24 : at + 24 + size]
		    if kind == 3 and payload in seen: sys.exit("a block of samples is in the file twice")
		    seen.add(payload)
		    kinds.append(kind)
		    at += 24 + size
		if kinds.index(4) != len(kinds) - 1: sys.exit("a block behind the end")
	PYTHON
done

# Children that take branches all the time, while apmu writes the counts that they go on changing: no block is damaged.
cat >branches.c <<'END'
#include <unistd.h>
int main(void)
{
	for (int child = 0; child < 2; child++)
		if (fork() == 0)
			for (ualarm(300000, 0);;)
				__asm__ volatile(".rept 1000\n\tcbz xzr, 1f\n1:\n\t.endr");
	usleep(50000);
	return 0;
}
END
aarch64-linux-gnu-gcc -O1 -static branches.c -o branches || exit 1
for _ in $(seq 20); do
	"$apmu" record --core cortex-a53 -q -b -e instructions -o data -- ./branches >out 2>said || fail "children that take branches: $(cat said)"
	"$dump" data >dump.txt 2>about.txt || fail "children that take branches: $(cat about.txt)"
	flaws 0 "children that take branches"
done

# A full disk.
"$apmu" record --core cortex-a53 -e instructions -c 100 -o /dev/full -- ./ends >out 2>said
code=$?
is 1 "full disk"
says 'No space left on device' "full disk"
if mkdir full && mount -t tmpfs -o size=64k none full 2>/dev/null; then
	"$apmu" record --core cortex-a53 -e instructions -c 1 -o full/data -- ./ends >out 2>said
	code=$?
	is 1 "disk full on the way"
	says 'could not be written: No space left on device' "disk full on the way"
	"$apmu" report -i full/data >report 2>said || fail "report from a full disk: $(cat said)"
	shows 'ld-linux' "disk full on the way"
	rm full/*
	head -c 60000 /dev/zero >full/other
	"$apmu" record --core cortex-a53 -e instructions --exact -o full/data -- ./ends >out 2>said
	code=$?
	is 1 "disk full on the way, --exact"
	says 'data: a part of the recording could not be written: No space left on device' "disk full on the way, --exact"
	umount full
fi

# Files that are not profiles, or do not exist.
echo text >text
"$apmu" report -i text >out 2>said; code=$?; is 1 text; says "is not a profile of 'apmu record'" text
"$apmu" report -i nowhere >out 2>said; code=$?; is 1 nowhere; says 'No such file' nowhere
: >empty; "$apmu" report -i empty >out 2>said; code=$?; is 1 empty; says 'is empty' empty
"$apmu" record --core cortex-a53 -o sub/data -- ./ends >out 2>said; code=$?; is 1 "no folder"; says 'cannot be written' "no folder"
cp first data
"$apmu" record --core cortex-a53 -- ./nothing >out 2>said; code=$?; is 1 "no program"; says 'no such program' "no program"
finish
