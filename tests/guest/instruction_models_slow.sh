# SPDX-License-Identifier: MIT
# Latency and rate of 1273 instruction forms, most of which nothing was fitted to, against LLVM's scheduling models.
. "$SRC/tests/guest/lib.sh"

python3 "$SRC/tests/accuracy/models.py" "$BUILD/tests/guest/instruction_kernels" --least 80 > "$work/table" ||
	{ cat "$work/table"; fail "forms that agreed within 10 % no longer do: tests/accuracy/models.py --rows"; }
finish
