# SPDX-License-Identifier: MIT
# The registers that SVE instructions read and write, against the text of another disassembler.
. "$SRC/tests/guest/lib.sh"
"$BUILD/tests/guest/sve_operands" >"$work/words" || exit 1
sed 's/ .*//; s/^/.inst 0x/' "$work/words" >"$work/words.s"
aarch64-linux-gnu-as -march=armv8.6-a+sve2+sve2-aes+sve2-sm4+sve2-sha3+sve2-bitperm+f64mm "$work/words.s" -o "$work/words.o" || exit 1
aarch64-linux-gnu-objdump -d -M no-aliases "$work/words.o" >"$work/text" || exit 1
python3 "$SRC/tests/guest/sve_operands.py" "$work/words" "$work/text" || fail "SVE operands"
finish
