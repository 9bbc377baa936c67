#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# firmware.sh CPU PROGRAM: one ELF file, bare metal on `virt`, under QEMU's own PMU and in our machine. What they print must
# be the same but for the lines of firmware-differences.txt, and each of those must still differ as it says.
set -euo pipefail
cpu=$1 program=$2
here=$SRC/tests/peer
elf=$BUILD/examples/firmware/$program.elf
name=$cpu
machine=virt
board=virt
level=1
[[ $program != hyp* ]] || name=$cpu-hyp machine=virt,virtualization=on level=2
[[ $program != *_lists ]] || name=$cpu-lists machine=$machine,gic-version=3 board=virt-gicv3
out=$BUILD/tests/peer/firmware-$name
made_with=7.2

skip()
{
	echo "peer/firmware-$name skipped: $*"
	exit 77
}

case $cpu in
cortex-a15) qemu=qemu-system-arm ;;
*) qemu=qemu-system-aarch64 ;;
esac
command -v $qemu >/dev/null || skip "no $qemu (Debian: qemu-system-arm)"
version=$($qemu --version | sed -nE '1s/.*version ([0-9]+\.[0-9]+).*/\1/p')
[ "$version" = $made_with ] || skip "firmware-differences.txt is for QEMU $made_with, this is $version"

mkdir -p "$out"
timeout 60 $qemu -M $machine -cpu "$cpu" -display none -monitor none -serial stdio -net none -semihosting \
	-icount shift=0,sleep=off -kernel "$elf" </dev/null | tr -d '\r' >"$out/qemu.txt"
timeout 60 "$APMU" run -c "$cpu" --board $board --el $level --cpi 1 --warm "$elf" >"$out/apmu.txt"
[ "$(wc -l <"$out/qemu.txt")" -ge 10 ] || { echo "QEMU printed too little"; exit 1; }

# Lines "name ours theirs" where they differ, and the list of those that may.
join -a 1 -a 2 -e '(none)' -o 0,1.2,2.2 <(sort "$out/apmu.txt") <(sort "$out/qemu.txt") |
	awk '$2 != $3 { print $1, $3 }' | sort >"$out/found.txt"
sed 's/ *| */|/g' "$here/firmware-differences.txt" | awk -F'|' -v cpu="$name" '$1 == cpu { print $2, $3 }' | sort >"$out/listed.txt"
if ! diff "$out/listed.txt" "$out/found.txt" >"$out/diff.txt"; then
	echo "listed differences (<) and those found (>), with QEMU's value:"
	cat "$out/diff.txt"
	exit 1
fi
echo "$(wc -l <"$out/apmu.txt") lines, $(wc -l <"$out/listed.txt") listed differences"
