# SPDX-License-Identifier: MIT
# Without -c a function's share of the samples is its share of the counts: in a loop that keeps step with the period, and in processes and threads
# that end within their first periods.
. "$SRC/tests/guest/lib.sh"
apmu=$BUILD/apmu
cd "$work" || exit 1

# shares PROGRAM POINTS OPTION...: no function's share is off by POINTS per cent of the whole or more, of those that have 2 or more
shares() {
	"$apmu" record --core cortex-a53 -q -o some "${@:3}" -- ./"$1" >out 2>&1 || fail "$1, ${*:3}: $(cat out)"
	"$apmu" record --core cortex-a53 -q --exact -e "$event" -o all -- ./"$1" >out 2>&1 || fail "$1, exact: $(cat out)"
	for of in some all; do
		"$apmu" report -i $of --no-children 2>out | awk '/%/ { print $NF == "'"$1"'" ? $(NF - 1) : $NF, $1 + 0 }' | sort >$of.txt
	done
	join -a 1 -a 2 -e 0 -o 0,1.2,2.2 some.txt all.txt | awk -v most="$2" '
		{ off = $2 > $3 ? $2 - $3 : $3 - $2 } ($2 >= 2 || $3 >= 2) { n++ } ($2 >= 2 || $3 >= 2) && off >= most { print; bad = 1 }
		END { exit bad || n < 3 }' >off || fail "$1, ${*:3}: shares sampled and exact: $(tr '\n' ';' <off)"
}

# A loop of 128 instructions, four times 30 of which are in functions.
{
	printf '\t.global _start\n'
	for name in fa fb fc fd; do
		printf '\t.type %s, %%function\n%s:\n' $name $name
		printf '\tadd x1, x1, #1\n%.0s' $(seq 29)
		printf '\tret\n\t.size %s, . - %s\n' $name $name
	done
	printf '\t.type _start, %%function\n_start:\tmov x19, #20000\n1:\tbl fa\n\tbl fb\n\tbl fc\n\tbl fd\n\tnop\n\tnop\n\tsubs x19, x19, #1\n\tb.ne 1b\n'
	printf '\tmov x0, #0\n\tmov x8, #93\n\tsvc #0\n\t.size _start, . - _start\n'
} >loop.s
aarch64-linux-gnu-gcc -nostdlib -static loop.s -o loop || exit 1
for event in instructions cycles; do
	shares loop 5 -e $event
	shares loop 5 -e $event -F 1000
done

# 300 processes and threads, each of three functions.
cat >short.c <<'END'
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
#define WORK(name, n)                                               \
	static __attribute__((noinline)) void name(void)            \
	{                                                           \
		for (int i = 0; i < n; i++)                         \
			__asm__ volatile("add x9, x9, #1" ::: "x9"); \
	}
WORK(begin, 300) WORK(middle, 3000) WORK(end, 6000)
static void *all(void *argument)
{
	begin();
	middle();
	end();
	return argument;
}
int main(void)
{
	for (int i = 0; i < 150; i++) {
		pthread_t thread;
		pid_t child = fork();
		if (child == 0) {
			all(NULL);
			_exit(0);
		}
		if (child < 0 || waitpid(child, NULL, 0) != child || pthread_create(&thread, NULL, all, NULL) != 0 || pthread_join(thread, NULL) != 0)
			return 9;
	}
	return 0;
}
END
aarch64-linux-gnu-gcc -O1 -static -pthread short.c -o short || exit 1
event=cycles
shares short 9
shares short 6 -F 1000
finish
