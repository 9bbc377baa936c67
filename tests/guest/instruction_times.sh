# SPDX-License-Identifier: MIT
# Times of single instructions on four cores against measurements on silicon: nine in ten are within 10 %.
. "$SRC/tests/guest/lib.sh"

python3 "$SRC/tests/accuracy/instructions.py" "$BUILD/tests/guest/instruction_kernels" --least 90 > "$work/table" ||
	{ grep "all" "$work/table"; fail "instructions that were right within 10 % no longer are: tests/accuracy/instructions.py --rows"; }

# Sequences of loads and stores with other instructions, which test dual issue on Cortex-A53: nineteen in twenty.
python3 "$SRC/tests/accuracy/instructions.py" "$BUILD/tests/guest/instruction_kernels" --table "$SRC/tests/accuracy/sequences.tsv" --core cortex-a53 --least 95 > "$work/table" ||
	{ grep "all" "$work/table"; fail "sequences that took what they take on silicon no longer do: tests/accuracy/instructions.py --table tests/accuracy/sequences.tsv --rows"; }
# Integer instructions in turn, which test the pipes that multiplications share with others (fitted: those with UMULH on Neoverse V1).
for least in cortex-a72=90 neoverse-n1=95 neoverse-v1=70 neoverse-v2=50; do
	python3 "$SRC/tests/accuracy/instructions.py" "$BUILD/tests/guest/instruction_kernels" --table "$SRC/tests/accuracy/sequences-multiply.tsv" --core "${least%=*}" --least "${least#*=}" > "$work/table" ||
		{ grep "all" "$work/table"; fail "multiplications beside other instructions no longer take what they take on silicon: tests/accuracy/instructions.py --table tests/accuracy/sequences-multiply.tsv --rows"; }
done
# Multiply-adds of 128 bits that wait for nothing (fitted: Cortex-A520, and double precision on Kunpeng 920).
for least in cortex-a53=100 cortex-a55=100 cortex-a72=100 cortex-a76=100 cortex-a520=90 cortex-a720=100 kunpeng920=100; do
	python3 "$SRC/tests/accuracy/instructions.py" "$BUILD/tests/guest/instruction_kernels" --table "$SRC/tests/accuracy/sequences-multiply-add.tsv" --core "${least%=*}" --least "${least#*=}" > "$work/table" ||
		{ grep "all" "$work/table"; fail "multiply-adds no longer take what they take on silicon: tests/accuracy/instructions.py --table tests/accuracy/sequences-multiply-add.tsv --rows"; }
done
# What pull requests of LLVM measured (fitted: the halfword on Neoverse V1).
python3 "$SRC/tests/accuracy/instructions.py" "$BUILD/tests/guest/instruction_kernels" --table "$SRC/tests/accuracy/sequences-llvm.tsv" --least 100 > "$work/table" ||
	{ grep "all" "$work/table"; fail "instructions no longer take what LLVM's pull requests measured: tests/accuracy/instructions.py --table tests/accuracy/sequences-llvm.tsv --rows"; }
# Floating-point divisions and square roots against Arm's guides and GCC's model of VFP11.
for core in arm1136 cortex-a55 neoverse-v1 cortex-a720 cortex-x4; do
	python3 "$SRC/tests/accuracy/instructions.py" "$BUILD/tests/guest/instruction_kernels" --table "$SRC/tests/accuracy/sequences-divide.tsv" --core $core --least 100 > "$work/table" ||
		{ grep "all" "$work/table"; fail "divisions no longer take what their source says: tests/accuracy/instructions.py --table tests/accuracy/sequences-divide.tsv --rows"; }
done
finish
