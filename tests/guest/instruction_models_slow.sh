# SPDX-License-Identifier: MIT
# Latency and throughput of 1273 instruction forms, and up to 457 of SVE, against LLVM's scheduling models; most of the forms were not used for fitting.
. "$SRC/tests/guest/lib.sh"

python3 "$SRC/tests/accuracy/models.py" "$BUILD/tests/guest/instruction_kernels" --least 80 > "$work/table" ||
	{ cat "$work/table"; fail "forms that agreed within 10 % no longer do: tests/accuracy/models.py --rows"; }
finish
