# SPDX-License-Identifier: MIT
# Instructions one by one, on four cores, against what silicon takes: nine in ten figures within 10 %.
. "$SRC/tests/guest/lib.sh"

python3 "$SRC/tests/accuracy/instructions.py" "$BUILD/tests/guest/instruction_kernels" --least 90 > "$work/table" ||
	{ grep "all" "$work/table"; fail "instructions that were right within 10 % no longer are: tests/accuracy/instructions.py --rows"; }
finish
