# SPDX-License-Identifier: MIT
# The SVE accesses that a QEMU reports, by instruction form, and stat's message about those that it does not. A new version of QEMU
# has to be measured and added to the table.
. "$SRC/tests/guest/lib.sh"

# Instruction | MEM_ACCESS per execution under QEMU 7.2 | under QEMU 10.0; "-": the report is incomplete.
forms='
ldr z0, [x20]                                            | 1   | 1
ldr p4, [x20]                                            | 1   | 1
str z0, [x20]                                            | 1   | 1
str p4, [x20]                                            | 1   | 1
ld1rw {z0.s}, p0/z, [x20]                                | 1   | 1
ld1rqw {z0.s}, p0/z, [x20]                               | 0 - | 1
ld1w {z0.s}, p0/z, [x20]                                 | 0 - | 1
ld1b {z0.s}, p0/z, [x20, x21]                            | 0 - | 1
ldnt1w {z0.s}, p0/z, [x20]                               | 0 - | 1
ld2w {z0.s, z1.s}, p0/z, [x20]                           | 0 - | 2
ld4w {z0.s, z1.s, z2.s, z3.s}, p0/z, [x20, x21, lsl #2]  | 0 - | 4
st1w {z0.s}, p0, [x20]                                   | 0 - | 1
st1w {z0.s}, p0, [x20, x21, lsl #2]                      | 0 - | 1
stnt1w {z0.s}, p0, [x20]                                 | 0 - | 1
st2w {z0.s, z1.s}, p0, [x20]                             | 0 - | 2
ldff1w {z0.s}, p0/z, [x20, x21, lsl #2]                  | 0 - | 1 -
ldnf1w {z0.s}, p0/z, [x20]                               | 0 - | 0 -
ld1w {z0.s}, p0/z, [x20, z20.s, uxtw]                    | 0 - | 0 -
ld1w {z0.s}, p0/z, [x20, z20.s, uxtw #2]                 | 0 - | 0 -
ld1d {z0.d}, p1/z, [x20, z21.d]                          | 0 - | 0 -
ld1d {z0.d}, p1/z, [x20, z21.d, lsl #3]                  | 0 - | 0 -
ld1d {z0.d}, p1/z, [z22.d]                               | 0 - | 0 -
ldff1d {z0.d}, p1/z, [z22.d]                             | 1 - | 1 -
ldnt1d {z0.d}, p1/z, [z22.d]                             | 0 - | 0 -
st1w {z0.s}, p0, [x20, z20.s, uxtw]                      | 0 - | 0 -
st1w {z0.s}, p0, [x20, z20.s, uxtw #2]                   | 0 - | 0 -
st1d {z0.d}, p1, [x20, z21.d]                            | 0 - | 0 -
st1d {z0.d}, p1, [x20, z21.d, lsl #3]                    | 0 - | 0 -
st1d {z0.d}, p1, [z22.d]                                 | 0 - | 0 -
stnt1d {z0.d}, p1, [z22.d]                               | 0 - | 0 -'

version=$("$BUILD/apmu" --version | sed -n 's/^qemu-aarch64 \([0-9]*\.[0-9]*\).*/\1/p')
case $version in
7.2) column=2 hidden='most SVE loads and stores \(8\.1 and newer do\)' ;;
10.0) column=3 hidden='SVE gathers and scatters, and few of first-fault and no-fault loads' ;;
*) fail "QEMU '$version' has no column in this test: measure it"; finish ;;
esac

while IFS= read -r line; do
	form=$(cut -d '|' -f 1 <<<"$line" | sed 's/ *$//')
	read -r accesses lacks <<<"$(cut -d '|' -f $column <<<"$line")"
	aarch64-linux-gnu-gcc -nostdlib -static -x assembler-with-cpp "-DFORM=$form" "$SRC/tests/guest/src/sve_accesses.S" -o "$work/form" || exit 1
	"$BUILD/apmu" stat -c neoverse-v1 --cpu max -o "$work/text" -e MEM_ACCESS -- "$work/form" || fail "$form: exit status $?"
	grep -qE "^ +$((accesses * 100)) +MEM_ACCESS" "$work/text" || fail "$form: $(cat "$work/text")"
	said=$(grep -cE "reports no addresses of $hidden:" "$work/text")
	[ "$said" = "$([ -n "$lacks" ] && echo 1 || echo 0)" ] || fail "$form: said of what is missing: $(cat "$work/text")"
	[ "$said" = 1 ] || ! grep 'reports no addresses' "$work/text" || fail "$form: all of it is reported"
done <<<"${forms#?}"
finish
