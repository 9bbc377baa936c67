# SPDX-License-Identifier: MIT
# The time of an integer division depends on the length of its quotient. Each division here divides 2^2K by 2^K, the result of
# the one before.
. "$SRC/tests/guest/lib.sh"

# build NAME ROUNDS K W|X: 16 divisions a round
build() {
	local sized="${4,,}" program=$work/$1.S
	{
		printf '\t.text\n\t.global _start\n_start:\tmov x3, #%s\n\tmov x0, #1\n\tlsl x0, x0, #%s\n\tmov x2, #1\n\tlsl x2, x2, #%s\n1:\n' "$2" "$3" $(($3 * 2))
		printf "\tudiv ${sized}0, ${sized}2, ${sized}0\n%.0s" {1..16}
		printf '\tsubs x3, x3, #1\n\tb.ne 1b\n\tmov x0, #0\n\tmov x8, #94\n\tsvc #0\n'
	} >"$program"
	aarch64-linux-gnu-gcc -nostdlib -static "$program" -o "$work/$1" || exit 1
}

cycles() {
	"$APMU" $1 -c "$2" -e cpu_cycles "$work/$3" 2>&1 </dev/null | sed -nE 's/,//g; s/^ *([0-9]+) +cpu_cycles.*/\1/p' | head -n 1
}

# takes HOW CORE W|X-K CYCLES: checks the cycles per division; the loop may add half a cycle
takes() {
	local few many tenths
	few=$(cycles "$1" "$2" "$3-few")
	many=$(cycles "$1" "$2" "$3-many")
	tenths=$(((${many:-0} - ${few:-0}) * 10 / 1600))
	[ "$tenths" -ge $(($4 * 10)) ] && [ "$tenths" -le $(($4 * 10 + 5)) ] ||
		fail "$1, $2: a division of $3 takes $tenths tenths of a cycle, not $4 cycles"
}

for kind in W-0 W-15 X-0 X-31; do
	build "$kind-few" 100 "${kind#*-}" "${kind%-*}"
	build "$kind-many" 200 "${kind#*-}" "${kind%-*}"
done

# The machine reads the operands: a quotient of K + 1 bits, four bits per cycle
while read -r core small middle large; do
	takes 'run --linux' "$core" W-0 "$small"
	takes 'run --linux' "$core" X-0 "$small"
	takes 'run --linux' "$core" W-15 "$middle"
	takes 'run --linux' "$core" X-31 "$large"
done <<'FIGURES'
cortex-a53 3 7 11
cortex-a72 4 8 12
neoverse-n1 5 8 12
FIGURES

# two bits per cycle
takes 'run --linux' cortex-a57 W-15 12
takes 'run --linux' cortex-a57 X-31 20

# QEMU shows no registers: the model assumes a quotient of divide.typical bits
for kind in W-0 X-31; do
	takes stat cortex-a72 "$kind" 7
	takes stat neoverse-n1 "$kind" 7
	takes 'stat --set divide.typical=32' neoverse-n1 "$kind" 12
	takes 'stat --set divide.bits=0' neoverse-n1 "$kind" 4
done
finish
