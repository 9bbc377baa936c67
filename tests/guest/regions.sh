# SPDX-License-Identifier: MIT
# Regions: between marks, between addresses, inside a function; in each instruction set, fixed and position-independent;
# `record` sums to `stat` in them, exactly with --exact.
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

# counted CORE REGION PROGRAM...: instructions that stat counts
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
	# after the first mark until it comes again: the loop, its mark 2 and what is between two turns; then the last turn's
	# end is not there, so it counts on. With one mark alone: from the first to the second, from the third on.
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

# A border amid accesses whose addresses differ by constants: each is on its own side, and so is its miss. Instructions, accesses, misses.
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

"$apmu" stat -c cortex-a9 --region scater -- ./work >out 2>said
[ $? = 2 ] && grep -q "did you mean 'scatter'" said || fail "unknown symbol: $(cat said)"
"$apmu" stat -c cortex-a9 --region mark:64 -- ./work >out 2>said
[ $? = 2 ] && grep -q "N from 0 to 63" said || fail "mark 64: $(cat said)"
finish
