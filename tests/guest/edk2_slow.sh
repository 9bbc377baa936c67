# SPDX-License-Identifier: MIT
# Debian's EDK2 for QEMU's virt (qemu-efi-aarch64), unmodified: from the board's flash to its shell. It keeps variables in the flash's
# second bank and reads the clock; its shell waits five seconds of modelled time, so the core's clock is a slow one.
. "$SRC/tests/guest/lib.sh"
"$SRC/tools/fetch-guests" "$BUILD/guests" --firmware || fail "EDK2 cannot be fetched"

"$APMU" run -c cortex-a53 -b virt --cpi 1 --hz 50000000 --max-insns 900000000 \
	--bios "$BUILD/guests/firmware/usr/share/qemu-efi-aarch64/QEMU_EFI.fd" >"$work/out" 2>"$work/err"
for word in 'UEFI firmware' 'starting Boot0001 "EFI Internal Shell"' 'UEFI Interactive Shell v2.2' 'Shell>'; do
	grep -q "$word" "$work/out" || fail "no '$word': $(tail -n 3 "$work/out")"
done
finish
