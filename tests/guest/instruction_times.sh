# SPDX-License-Identifier: MIT
# Times of single instructions on four cores against measurements on silicon: nine in ten are within 10 %.
. "$SRC/tests/guest/lib.sh"

python3 "$SRC/tests/accuracy/instructions.py" "$BUILD/tests/guest/instruction_kernels" --least 90 > "$work/table" ||
	{ grep "all" "$work/table"; fail "instructions that were right within 10 % no longer are: tests/accuracy/instructions.py --rows"; }

# Sequences of loads and stores with other instructions, which test dual issue on Cortex-A53: nineteen in twenty.
python3 "$SRC/tests/accuracy/instructions.py" "$BUILD/tests/guest/instruction_kernels" --table "$SRC/tests/accuracy/sequences.tsv" --core cortex-a53 --least 95 > "$work/table" ||
	{ grep "all" "$work/table"; fail "sequences that took what they take on silicon no longer do: tests/accuracy/instructions.py --table tests/accuracy/sequences.tsv --rows"; }
finish
