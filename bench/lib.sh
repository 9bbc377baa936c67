# SPDX-License-Identifier: MIT
# Sourced by the scripts of this folder. BUILD, APMU and SRC may be set, as for the tests. Every run, including plain runs and those of BEFORE's
# command, uses the QEMU that the command uses: both sides of a ratio have one version, which `with_qemu` names.
SRC=${SRC:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)}
BUILD=${BUILD:-$SRC/build}
APMU=${APMU:-$BUILD/apmu}
with_qemu=$("$APMU" --version | grep '^qemu-aarch64 [0-9]') ||
	{ echo "bench: no QEMU to run programs with: $("$APMU" --version | tail -n 1)" >&2; exit 1; }
APMU_QEMU=$(realpath "$(dirname "${with_qemu#*: }")")
PATH=$APMU_QEMU:$PATH
export APMU_QEMU PATH
