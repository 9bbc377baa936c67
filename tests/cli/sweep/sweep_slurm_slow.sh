#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# apmu sweep --engine slurm on a one-node Slurm has the same results as the sweep on this machine.
. "$(dirname "$0")/../lib.sh"
build_loop
printf 'program ./loop\ncore arm1136 xscale2\nevent instructions branch-misses\nset predict 0 1\n' >a.plan
apmu sweep -o local.jsonl a.plan
exits 0
bash "$SRC/tests/slurm/one_node.sh" "$APMU" sweep --engine slurm --sbatch --time=5 -o slurm.jsonl a.plan >table 2>err ||
	fail "slurm: $(cat err table)"
cmp -s out table || fail "tables differ: $(diff out table)"
sort local.jsonl >a && sort slurm.jsonl >b && cmp -s a b || fail "results differ: $(diff a b)"
[ "$(ls slurm.jsonl.runs/slurm-*.log | wc -l)" = 4 ] || fail "not four tasks of Slurm: $(ls slurm.jsonl.runs)"
verdict
