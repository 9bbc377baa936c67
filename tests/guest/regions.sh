# SPDX-License-Identifier: MIT
# Regions between marks, between addresses, and inside a function; in each instruction set, fixed and position-independent.
# In a region `record` adds up to `stat`, with --exact exactly.
. "$SRC/tests/guest/lib.sh"
apmu=$BUILD/apmu
dump=$BUILD/tests/guest/profile_dump
src=$SRC/tests/guest/src/record
cd "$work" || exit 1

cc64="aarch64-linux-gnu-gcc -O1 -I$SRC/include"
cc32="arm-linux-gnueabi-gcc -O1 -I$SRC/include"
$cc64 -static "$src/marks.c" -o a64 || exit 1
$cc64 -pie -fPIE "$src/marks.c" -o pie || exit 1
$cc32 -static -marm "$src/marks.c" -o a32 || exit 1
$cc32 -static -mthumb -march=armv7-a "$src/marks.c" -o t32 || exit 1
$cc32 -static -O1 "$src/work.c" -o work || exit 1

# counted CORE REGION PROGRAM...: prints the instructions that stat counts
counted() {
	local core=$1 region=$2
	shift 2
	"$apmu" stat -c "$core" -x , -e instructions --region "$region" -o out.csv -- "$@" >out 2>said ||
		fail "stat $region $*: $(cat said)"
	cut -d, -f1 out.csv | grep -E '^[0-9]+$' | head -1
}
same() { [ "$1" = "$2" ] || fail "$3: $1, not $2"; }

for program in a64 pie a32 t32; do
	same "$(counted cortex-a53 mark:1,mark:2 ./$program)" 6003 "$program between marks"
	# a region with one mark only goes from its first occurrence to the second, and from the third on: the loop, mark 2 and what
	# is between two iterations; the last region has no end, so it counts until the program ends
	[ "$(counted cortex-a53 mark:1 ./$program)" -gt 4002 ] || fail "$program mark 1 alone"
	for n in 0 7 8 31 32 63; do
		next=$(((n + 1) % 64))
		[ $n = 63 ] && continue
		same "$(counted cortex-a53 mark:$n,mark:$next ./$program row)" 1 "$program marks $n to $next"
	done
	"$apmu" stat -c cortex-a53 -e instructions --region mark:9 -- ./$program >out 2>said
	grep -q "never came to the region 'mark:9'" said || fail "$program: $(cat said)"
	# the function: the loop, two marks, a return
	same "$(counted cortex-a53 marked ./$program)" 6012 "$program inside a function"
	start=0x$(nm $program | sed -n 's/ [Tt] marked$//p')
	[ $program = t32 ] && start=$(printf '0x%x' $((start & ~1)))
	same "$(counted cortex-a53 "$start,row" ./$program)" "$(counted cortex-a53 "marked,row" ./$program)" \
		"$program symbol and address"
	size=4
	same "$(counted cortex-a53 "marked,$(printf '0x%x' $((start + size)))" ./$program)" 3 "$program one instruction"
done

# A mark that both begins and ends the region counts on neither side.
cat >alone.c <<'END'
#include <apmu/mark.h>
int main(void)
{
	APMU_MARK(5);
	__asm__ volatile("nop\n nop\n nop");
	APMU_MARK(5);
	__asm__ volatile("nop\n nop");
	return 0;
}
END
for way in "$cc64" "$cc32 -marm" "$cc32 -mthumb -march=armv7-a"; do
	$way -static alone.c -o alone || exit 1
	same "$(counted cortex-a53 mark:5 ./alone)" 3 "$way: one mark twice"
done

# A boundary between accesses whose addresses differ by constants: each access and its miss count on their own side. Instructions, accesses, misses.
cat >amid.c <<'END'
char data[4096] __attribute__((aligned(4096)));
void part(char *);
__asm__(".text\n .global part, mid, done\n .type part, %function\npart: ldr x1, [x0]\n ldr x2, [x0, #8]\n"
	"mid: ldr x3, [x0, #64]\n str x4, [x0, #72]\n ldr x5, [x0, #80]\ndone: str x6, [x0, #88]\n ldr x7, [x0, #96]\n ret");
int main(void) { part(data); return 0; }
END
$cc64 -static amid.c -o amid || exit 1
for core in cortex-a53 cortex-a72; do
	while read -r region want; do
		"$apmu" stat -c $core -x , -e instructions,L1D_CACHE,L1D_CACHE_REFILL --region "$region" -o out.csv -- ./amid >out 2>said ||
			fail "$core $region: $(cat said)"
		same "$(cut -d, -f1 out.csv | head -3 | tr '\n' ' ')" "$want " "$core $region"
	done <<-END
		part,mid 2 2 1
		mid,done 3 3 1
		part 8 7 2
	END
done
# Recorded exactly, each instruction between the boundaries has its count, and no other one.
"$apmu" record --core cortex-a53 -q --exact -e instructions --region mid,done -o data -- ./amid >out 2>said || fail "record amid: $(cat said)"
mid=$(nm amid | sed -n 's/ T mid$//p')
same "$("$dump" data 2>about | awk '{ print $2, $3 }' | paste -sd ,)" "$(for i in 0 4 8; do printf '%#x 1\n' $((0x$mid + i)); done | paste -sd ,)" "exactly, amid a block"

# record and stat agree inside a region.
for event in instructions cycles cache-misses branch-misses; do
	"$apmu" stat -c cortex-a9 -x , -e $event --region scatter -o out.csv -- ./work >out 2>said || fail "stat $event: $(cat said)"
	total=$(cut -d, -f1 out.csv | grep -E '^[0-9]+$' | head -1)
	for way in --exact "-c 101"; do
		"$apmu" record --core cortex-a9 -q $way -e $event --region scatter -o data -- ./work >out 2>said || fail "record $event"
		sum=$("$dump" data 2>about | awk '{ n += $3 } END { print n + 0 }')
		rest=$((total - sum))
		if [ "$way" = --exact ]; then
			same "$rest" 0 "$event, exactly, of $total"
		else
			[ $rest -ge 0 ] && [ $rest -lt 101 ] || fail "$event: $sum sampled of $total"
		fi
		grep -q "^total 0 0 $total " about || fail "$event: $(grep total about), stat $total"
	done
done

# Periods that follow the rate count what is inside: with nearly all instructions in a function that is called many times, there are
# about as many samples as without the region.
cat >often.c <<'END'
volatile unsigned x;
__attribute__((noinline)) void often(void) { for (int i = 0; i < 250; i++) x += i; }
int main(void) { for (int i = 0; i < 4000; i++) often(); return 0; }
END
$cc64 -static often.c -o often || exit 1
# samples OPTION...: how many record makes
samples() {
	"$apmu" record --core cortex-a53 -q -o data "$@" -- ./often >out 2>said || fail "record $*: $(cat said)"
	"$dump" data 2>about | wc -l
}
for event in instructions cycles; do
	for way in "" "-F 1000"; do
		# shellcheck disable=SC2086
		all=$(samples -e $event $way) part=$(samples -e $event $way --region often)
		[ "$part" -gt $((all * 9 / 10)) ] && [ "$part" -lt $((all * 11 / 10)) ] ||
			fail "record -e $event $way: $part samples in the region, $all in all"
	done
done

# A function that another one ends in, by a tail call after a call, returns to the caller of that one.
cat >tail.c <<'END'
volatile int x;
__attribute__((noinline)) void inner(void) { for (int i = 0; i < 10; i++) x += i; }
__attribute__((noinline)) void other(void) { x++; }
__attribute__((noinline)) void outer(void) { other(); inner(); }
__attribute__((noinline)) void outside(void) { for (int i = 0; i < 10000; i++) x += i; }
int main(void) { for (int i = 0; i < 10; i++) { outer(); outside(); } return 0; }
END
for way in "$cc64 -O2" "$cc32 -O2 -marm" "$cc32 -O2 -mthumb -march=armv7-a"; do
	$way -static tail.c -o tails && $way -fno-optimize-sibling-calls -static tail.c -o calls || exit 1
	same "$(counted cortex-a53 inner ./tails)" "$(counted cortex-a53 inner ./calls)" "$way: a function entered by a tail call"
done

# Faults, and what comes after them, outside the region and inside: exact counts are what stat counts.
cat >fault.c <<'END'
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
static sigjmp_buf back;
static void handler(int number) { (void)number; siglongjmp(back, 1); }
__attribute__((noinline)) void part(volatile int *p, volatile int *q)
{
	for (int i = 0; i < 100; i++) *p += i;
	*q = 1;
}
__attribute__((noinline)) void outside(volatile int *p) { for (int i = 0; i < 5000; i++) *p += i; }
int main(void)
{
	int x = 0;
	signal(SIGSEGV, handler);
	for (volatile int i = 0; i < 3; i++) {
		outside(&x);
		if (sigsetjmp(back, 1) == 0) *(volatile int *)8 = 1;
		part(&x, &x);
	}
	outside(&x);
	if (sigsetjmp(back, 1) == 0) part(&x, (int *)8);
	return 0;
}
END
$cc32 -static fault.c -o fault || exit 1
for event in instructions cycles cache-misses; do
	"$apmu" stat -c cortex-a9 -x , -e $event --region part -o out.csv -- ./fault >out 2>said || fail "stat $event: $(cat said)"
	"$apmu" record --core cortex-a9 -q --exact -e $event --region part -o data -- ./fault >out 2>said || fail "record $event of faults"
	same "$("$dump" data 2>about | awk '{ n += $3 } END { print n + 0 }')" "$(cut -d, -f1 out.csv | grep -E '^[0-9]+$' | head -1)" \
		"$event, exactly, with faults"
done

# A child of fork goes on counting where its parent did, if requests decide.
cat >child.c <<'END'
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	int child = fork();
	for (volatile int i = 0; child == 0 && i < 1000; i++) ;
	if (child > 0) wait(0);
	_exit(0);
}
END
$cc64 -static child.c -o child || exit 1
for region in "" "--region requests"; do
	# shellcheck disable=SC2086
	"$apmu" stat -c cortex-a53 --per-thread -x , -e instructions $region -o out.csv -- ./child >out 2>said || fail "stat: $(cat said)"
	grep -oE '[0-9]+,,instructions' out.csv | sort >"counts$region"
done
[ "$(wc -l <counts)" = 2 ] && cmp -s counts "counts--region requests" || fail "a child of fork: $(cat "counts--region requests")"

# Its frequency is that of its own instructions, however many its parent ran before the region.
cp -r /usr/include/valgrind . || fail "no valgrind headers"
cat >began.c <<'END'
#include "valgrind/callgrind.h"
#include <sys/wait.h>
#include <unistd.h>
volatile unsigned x;
int main(void)
{
	for (int i = 0; i < 400000; i++) x++;
	CALLGRIND_START_INSTRUMENTATION;
	int child = fork();
	for (int i = 0; child == 0 && i < 250000; i++) x++;
	if (child > 0) wait(0);
	_exit(0);
}
END
$cc64 -static -I. began.c -o began || exit 1
"$apmu" record --core cortex-a53 -q -F 1000 -e instructions --region requests -o data -- ./began >out 2>said ||
	fail "record began: $(cat said)"
got=$("$dump" data 2>about | wc -l) all=$(awk '$1 == "total" && $4 > n { n = $4 } END { print n }' about)
[ "$all" -gt 1000000 ] && [ "$got" -gt $((all / 1000 * 9 / 10)) ] && [ "$got" -lt $((all / 1000 * 11 / 10)) ] ||
	fail "record -F 1000 of a child: $got samples of $all instructions"

"$apmu" stat -c cortex-a9 --region scater -- ./work >out 2>said
[ $? = 2 ] && grep -q "did you mean 'scatter'" said || fail "unknown symbol: $(cat said)"
"$apmu" stat -c cortex-a9 --region mark:64 -- ./work >out 2>said
[ $? = 2 ] && grep -q "N from 0 to 63" said || fail "mark 64: $(cat said)"
finish
