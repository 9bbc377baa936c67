#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Names and lines of Arm programs: each answer against binutils (nm, addr2line, objcopy), on programs with inlined functions,
# C++ names, separate debug files or no symbols; and broken files, which must not cause a crash.
. "$(dirname "$0")/lib.sh"
tool=$BUILD/tests/guest/symbol_ask
from=$SRC/tests/guest/src/symbols
cd "$work" || exit 1

ask() { "$tool" "$@"; }

# addresses FILE FUNCTION: every second byte of the function, one address per line.
addresses() {
	nm -S "$1" | awk -v f="$2" '$4 == f { print $1, $2 }' | head -n 1 | {
		read -r start size
		for ((i = 0; i < 0x$size; i += 2)); do printf '%x\n' $((0x$start / 2 * 2 + i)); done
	}
}

# binutils' answer in symbol_ask's form.
by_addr2line() {
	addr2line -afiCe "$1" | awk '/^0x/ { sub(/^0x0*/, ""); at = $0; next } !f { f = $0; next }
		{ sub(/ \(discriminator.*/, ""); print at, f, $0; f = "" }'
}

# same FILE FUNCTION [OPTION...]: compares the answers for each address of the function.
same() {
	local file=$1 function=$2
	shift 2
	addresses "$file" "$function" >list
	[ "$(wc -l <list)" -ge 4 ] || fail "$file has no $function"
	by_addr2line "$file" <list >want
	ask "$@" "$file" frames <list >got
	cmp -s want got || fail "$file $function: $(diff want got | head -n 6)"
}

build() {
	local name=$1 compiler=$2
	shift 2
	$compiler -g -gdwarf-4 -O2 "$@" -o "$name" || exit 1
}

build a64 aarch64-linux-gnu-gcc "$from/inlined.c"
build a32 arm-linux-gnueabi-gcc "$from/inlined.c"
build t32 arm-linux-gnueabi-gcc -mthumb -march=armv7-a "$from/inlined.c"
build fixed aarch64-linux-gnu-gcc -static -no-pie "$from/inlined.c"
for file in a64 a32 t32 fixed; do
	same $file outer
	same $file main
done
grep -q ' leaf ' got || [ "$(ask a64 frames < <(addresses a64 outer) | grep -c ' leaf ')" -gt 2 ] || fail "nothing is inlined"

# DWARF 5, and a compiler that writes no .debug_aranges.
clang --target=aarch64-linux-gnu -g -O2 -c "$from/inlined.c" -o clang.o && aarch64-linux-gnu-gcc clang.o -o clang
ask clang frames < <(addresses clang outer) >got
[ "$(head -n 3 got | awk '{ print $2 }' | paste -sd ' ')" = "leaf middle outer" ] || fail "clang: $(head -n 3 got)"
grep -q 'inlined.c:18$' got || fail "clang: no line of outer's call"

# A unit of strict DWARF 2 has one range, which leaves out main() in .text.startup.
aarch64-linux-gnu-gcc -O2 -gdwarf-2 -gstrict-dwarf "$from/inlined.c" -o strict || exit 1
ask strict frames < <(addresses strict main) >got
[ -s got ] && ! grep -q '??:0$' got || fail "strict DWARF 2: $(head -n 3 got)"

# The answers are the same if the DWARF is split (.dwo), compressed, or shared with another program (dwz).
addresses fixed outer >list
ask fixed frames <list >want
for kind in "-gdwarf-5" "-gdwarf-4 -gsplit-dwarf" "-gdwarf-5 -gsplit-dwarf" -gz=zlib -gz=zlib-gnu; do
	# shellcheck disable=SC2086
	aarch64-linux-gnu-gcc -g -O2 -static -no-pie $kind "$from/inlined.c" -o other || fail "cannot build $kind"
	ask other frames <list >got
	cmp -s want got || fail "$kind: $(diff want got | head -n 4)"
done
build other aarch64-linux-gnu-gcc -static -no-pie -gdwarf-4 -gsplit-dwarf "$from/inlined.c"
aarch64-linux-gnu-dwp -e other -o other.dwp || fail "dwp"
rm -f -- *.dwo
# (A package is not read: libdw of Debian 12 cannot. accuracy.md has it; should this fail, take it out there.)
ask other frames <list | awk '$2 != "outer"' >got
[ ! -s got ] && [ "$(ask other frames <list | grep -vc '??:0$')" -gt 0 ] || fail "without its .dwo: $(head -n 3 got)"
cp fixed one && cp fixed two && dwz -m common.dwz one two || fail "dwz"
ask two frames <list | cmp -s want - || fail "dwz: $(ask two frames <list | diff want - | head -n 4)"

# Encodings.
[ "$(ask a32 isa "$(nm a32 | awk '$3 == "outer" { print $1 }')")" = a32 ] || fail "a32 is not A32"
[ "$(ask t32 isa "$(nm t32 | awk '$3 == "outer" { print $1 }')")" = t32 ] || fail "t32 is not T32"
[ "$(ask a64 isa "$(nm a64 | awk '$3 == "outer" { print $1 }')")" = a64 ] || fail "a64 is not A64"
literal=$(nm -a a32 | awk '$3 == "$d" { print $1 }' | while read -r at; do
	[ $((0x$at)) -gt $((0x$(nm a32 | awk '$3 == "outer" { print $1 }'))) ] && echo "$at"; done | head -n 1)
[ "$(ask a32 isa "$literal")" = data ] || fail "the literal pool at $literal is not data"

# Functions that clang describes inside their namespace or class, and what was inlined into them.
clang++ --target=aarch64-linux-gnu -g -O2 -c "$from/scopes.cc" -o scopes.o && aarch64-linux-gnu-g++ scopes.o -o scopes || fail "cannot build scopes"
for function in _ZN6apples5countEi _ZN6apples12_GLOBAL__N_16hiddenEi _ZN6apples6Basket5weighEi _ZN6apples6Basket3Lid4liftEi; do
	same scopes $function
	grep -q ' apples::leaf(int) ' got || fail "$function: nothing is inlined"
done

# Names, mangled and plain.
build names aarch64-linux-gnu-g++ "$from/names.cc"
nm -SC --defined-only names | grep -E 'apples' | sed -E 's/^0*([0-9a-f]+) 0*([0-9a-f]+) . (.*)$/\3 \1 \2/' | sort >want
ask names names | grep apples | sort >got
cmp -s want got || fail "C++ names: $(diff want got)"
[ "$(ask names find 'apples::count(double)')" = "$(grep 'count(double)' want)" ] || fail "find by signature"
[ "$(ask names find 'apples::count')" = "$(ask names find 'apples::count(int)')" ] || fail "find without parameters"
[ "$(ask names find 'apples::nothing')" = none ] || fail "found what is not there"

# Two symbols that start together: the global one where it reaches, the longer one behind that.
printf '\t.global f\n\t.type f, %%function\n\t.type g, %%function\nf:\ng:\t.rept 25\n\tnop\n\t.endr\n\t.size f, 4\n\t.size g, 100\n' |
	aarch64-linux-gnu-gcc -shared -nostdlib -x assembler - -o together || fail "cannot build together"
start=$((16#$(nm together | awk '$3 == "g" { print $1 }')))
printf '%x\n' $start $((start + 4)) $((start + 96)) $((start + 100)) | ask together frames | awk '{ print $2 }' | tr '\n' ' ' >got
[ "$(cat got)" = "f g g ?? " ] || fail "symbols that start together: $(cat got)"
# Of equal ones that with fewer underscores, as perf shows it.
printf '\t.global twin, _twin\n\t.type twin, %%function\n\t.type _twin, %%function\n_twin:\ntwin:\tnop\n\tret\n\t.size twin, 8\n\t.size _twin, 8\n' |
	aarch64-linux-gnu-gcc -shared -nostdlib -x assembler - -o twins || fail "cannot build twins"
nm twins | awk '$3 == "twin" { print $1 }' | ask twins frames | grep -q ' twin ' || fail "underscores: $(ask twins names)"
# Of equal ones that without an old version, which only programs linked long ago use (glibc's cfree, for free); versions are not shown.
printf '\t.type a, %%function\n\t.type b, %%function\na:\nb:\tnop\n\tnop\n\t.size a, 8\n\t.size b, 8\n\t.global a, b\n\t.symver a, cfree@V1\n\t.symver b, free@@V2\n' >old.s
printf 'V1 { };\nV2 { global: free; local: *; };\n' >old.map
for gcc in aarch64-linux-gnu-gcc "arm-linux-gnueabi-gcc -mthumb"; do
	$gcc -shared -nostdlib -Wl,--version-script=old.map old.s -o old || fail "cannot build old"
	cp old old.bare && "${gcc%%gcc*}strip" old.bare
	for file in old old.bare; do
		readelf -sW $file | grep -q ' cfree@V1' && nm -D old | awk '/ free@@V2/ { print $1 }' | ask $file frames | grep -q ' free ' &&
			! ask $file names | grep -q @ || fail "an old name, $gcc $file: $(ask $file names)"
	done
done
# A function may begin with '$' (Swift's do); mapping symbols, which have no type, name nothing.
printf '\t.global "$sF"\n\t.type "$sF", %%function\n"$sF":\tnop\n\tret\n\t.size "$sF", 8\n' |
	aarch64-linux-gnu-gcc -shared -nostdlib -x assembler - -o dollar || fail "cannot build dollar"
nm dollar | awk '$3 == "$sF" { print $1 }' | ask dollar frames | grep -qF ' $sF ' || fail "a '\$': $(ask dollar names)"
[ "$(ask dollar names | grep -cF '$x')" = 0 ] || fail "a mapping symbol: $(ask dollar names)"
# A name of 9,000 bytes, as C++ templates have, is cut short and stands for its whole function, with and without debugging data.
cat >deep.cc <<'CODE'
template <class... T> struct type_list_of_a_long_name {};
template <class L> struct wrap { static __attribute__((noinline)) int run(int x) { asm volatile("nop" : "+r"(x)); return x; } };
CODE
python3 -c 'print(*(f"struct name_{i:04}_{40 * chr(97 + i % 26)} {{}};" for i in range(180)),
	"int main() { return wrap<type_list_of_a_long_name<" + ", ".join(f"name_{i:04}_{40 * chr(97 + i % 26)}" for i in range(180)) + ">>::run(3); }")' >>deep.cc
for debug in -g0 -g; do
	aarch64-linux-gnu-g++ -O1 $debug deep.cc -o deep || fail "cannot build deep.cc"
	read -r start size <<<"$(nm -S deep | awk '/ _ZN4wrap/ { print $1, $2 }')"
	printf '%x\n' $((16#$start)) $((16#$start + 16#$size - 4)) | ask deep frames | awk '{ $1 = ""; print substr($0, 1, 48), (length($0) > 4000) }' | sort | uniq -c >got
	grep -q '^ *2 *wrap<type_list_of_a_long_name<name_0000_aaaaa' got && grep -q ' 1$' got || fail "a long name $debug: $(cat got)"
done

# Code, and addresses past the end.
start=$(nm a64 | awk '$3 == "outer" { print $1 }')
aarch64-linux-gnu-objdump -s --start-address=0x"$start" --stop-address=$((0x$start + 16)) a64 | tail -n 1 | awk '{ print $2 $3 $4 $5 }' >want
[ "$(ask a64 code "$start" 16)" = "$(cat want)" ] || fail "code of outer"
[ -z "$(ask a64 code ffffffffffffff00 16)" ] || fail "code where there is none"

# Stubs of the procedure linkage table: objdump's names, in programs of three compilers' ways and in Debian's.
cat >calls.cc <<'END'
#include <cstdio>
#include <cstring>
namespace far { int away(int); }
int main(int n, char **v) { puts(v[0]); return far::away(n) + (int)strlen(v[0]); }
END
echo 'namespace far { int away(int x) { return x; } }' >away.cc
for flags in "" "-mbranch-protection=standard -Wl,-z,force-bti"; do
	aarch64-linux-gnu-g++ $flags -shared -fPIC away.cc -o libaway.so 2>/dev/null
	aarch64-linux-gnu-g++ $flags calls.cc -L. -laway -o "calls${flags:+bti}" 2>/dev/null || fail "cannot build calls.cc $flags"
done
"$SRC/tools/fetch-guests" "$BUILD/guests" --all || fail "Debian's programs cannot be fetched"
all=$BUILD/guests/all
for file in calls callsbti a64 a32 t32 "$all"/arm{64,el,hf}/usr/bin/{sqlite3,lua5.4} "$all"/arm{64,el,hf}/usr/lib/*/libsqlite3.so.0; do
	dump=arm-linux-gnueabi-objdump
	readelf -h "$file" | grep -q AArch64 && dump=aarch64-linux-gnu-objdump
	$dump -dC "$file" 2>/dev/null | sed -nE 's/^0*([0-9a-f]+) <(.*@plt)>:$/\2 \1/p' | sort >want
	ask "$file" names | grep '@plt ' | sed -E 's/ [0-9a-f]+$//' | sort >got
	[ -s want ] && cmp -s want got || fail "$file, stubs: $(diff want got | head -n 4)"
done
grep -q '^sqlite3_[a-z_]*@plt' got && ask calls names | grep -q '^far::away(int)@plt ' || fail "stubs: $(head -n 3 got)"
at=$(ask calls find 'far::away(int)@plt' | awk '{ print $2 }')
[ "$(printf '%x\n' $((0x$at + 12)) | ask calls frames)" = "$(printf %x $((0x$at + 12))) far::away(int)@plt ??:0" ] || fail "inside a stub"
# With signed pointers a stub is longer, with and without BTI: its name holds up to its branch.
for flags in "" "-no-pie -Wl,-z,force-bti"; do
	# shellcheck disable=SC2086
	aarch64-linux-gnu-g++ -mbranch-protection=standard -Wl,-z,pac-plt $flags calls.cc -L. -laway -o signed 2>/dev/null || fail "cannot build calls.cc signed"
	aarch64-linux-gnu-objdump -dC -j .plt signed | sed -nE '/@plt>:$/,$ { s/^ *([0-9a-f]+):.*br\tx17.*/\1/p; }' >list
	ask signed frames <list | grep -c '@plt ' | cmp -s - <(wc -l <list) && [ -s list ] || fail "stubs with signed pointers: $(ask signed frames <list)"
done
# Without a loader a stub goes to the target of an indirect function, whose name it gets.
aarch64-linux-gnu-gcc -static -O1 -x c - -o chooses <<'END' || exit 1
static int one(void) { return 1; }
static int (*choose(void))(void) { return one; }
int chosen(void) __attribute__((ifunc("choose")));
int main(void) { return chosen(); }
END
ask chooses names | grep -q '^chosen@plt ' || fail "an indirect function's stub: $(ask chooses names | grep @plt)"

# A separate debug file by .gnu_debuglink, by build-id, in a sysroot; a wrong one is not taken.
by_addr2line a64 < <(addresses a64 outer) >want
addresses a64 outer >list
aarch64-linux-gnu-objcopy --only-keep-debug a64 a64.debug
aarch64-linux-gnu-strip -o linked a64 && aarch64-linux-gnu-objcopy --add-gnu-debuglink=a64.debug linked
ask linked frames <list | cmp -s - want || fail "by .gnu_debuglink"
mv a64.debug elsewhere
[ "$(ask linked frames <list | grep -vc '??:0$')" = 0 ] || fail "lines out of nowhere"
id=$(readelf -n a64 | awk '/Build ID/ { print $3 }')
mkdir -p "root/usr/lib/debug/.build-id/${id:0:2}"
cp elsewhere "root/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
ask --root "$work/root" linked frames <list | cmp -s - want || fail "by build-id in a sysroot"
ask --debug "$work/root/usr/lib/debug" linked frames <list | cmp -s - want || fail "by build-id in --debug"
[ "$(ask linked about | sed 's/.*build-id //')" = "$id" ] || fail "build-id"
aarch64-linux-gnu-objcopy --only-keep-debug clang a64.debug
[ "$(ask linked frames <list | grep -vc '??:0$')" = 0 ] || fail "took a debug file of another program"

# Stripped programs have no names, but their functions begin and end where those of the unstripped twin do.
cat >local.c <<'END'
volatile int sink;
#define PIECE(name, text) static __attribute__((noinline)) int name(int x) { text; return x + sink; }
PIECE(first, sink = x)
PIECE(second, for (int i = 0; i < x; i++) sink += first(i))
PIECE(third, int room[20]; for (int i = 0; i < x; i++) room[i % 20] = second(i); sink = room[x % 20])
int seen(int x) { return third(x) * 3; }
int main(int n, char **v) { (void)v; return seen(n) + second(n); }
END
# twin NAME COMPILER FLAG...: NAME and NAME.bare
twin()
{
	local name=$1
	shift
	"$@" -O1 local.c -o "$name" && cp "$name" "$name.bare" && ${1%gcc}strip "$name.bare" || fail "cannot build $name"
}
# every second byte of the program's functions: START SIZE by nm
by_nm()
{
	nm -S "$1" | awk '$4 ~ /^(first|second|third|seen|main)$/ { print $1, $2 }' | while read -r start size; do
		for ((i = 0; i < 0x$size; i += 4)); do
			printf '%x %x %x\n' $((0x$start / 2 * 2 + i)) $((0x$start / 2 * 2)) "0x$size"
		done
	done
}
twin local64 aarch64-linux-gnu-gcc
twin local64static aarch64-linux-gnu-gcc -static
for file in local64 local64static; do
	by_nm $file >want
	[ "$(awk '{ print $2 }' want | sort -u | wc -l)" = 5 ] || fail "$file: not five functions"
	awk '{ print $1 }' want | ask $file.bare bounds >got
	cmp -s want got || fail "$file, stripped: $(diff want got | head -n 6)"
	ask $file.bare about | grep -q 'lines 0' || fail "$file.bare is not stripped"
done
# 32-bit: an entry has only a start address, so padding belongs to the function before it; T32 and A32.
for flag in -marm -mthumb; do
	twin local32 arm-linux-gnueabi-gcc -march=armv7-a -funwind-tables $flag
	by_nm local32 | awk '{ print $1, $2 }' >want
	awk '{ print $1 }' want | ask local32.bare bounds | awk '{ print $1, $2 }' >got
	[ -s want ] && cmp -s want got || fail "32-bit $flag, stripped: $(diff want got | head -n 6)"
done
# Debian's libc: each entry that readelf finds begins a function, or lies in one with a name (armhf: in vfork).
for arch in arm64 armhf; do
	libc=$(echo "$all/$arch"/lib/*/libc.so.6)
	if [ $arch = arm64 ]; then
		readelf --debug-dump=frames "$libc" 2>/dev/null |
			sed -nE 's/.* FDE .*pc=0*([0-9a-f]+)\.\.0*([0-9a-f]+)$/\1/p' | sort -u >want
	else
		# except code that cannot be unwound: adjacent functions of that kind are one entry
		readelf -u "$libc" 2>/dev/null | grep -v cantunwind | sed -nE 's/^0x([0-9a-f]+)( <.*>)?: .*/\1/p' | sort -u >want
	fi
	ask "$libc" names | awk '{ print $2 }' >named
	ask "$libc" bounds <want | awk 'NR == FNR { named[$1]; next } $1 == $2 || $2 in named { print $1 }' named - >got
	[ "$(wc -l <want)" -gt 500 ] && [ "$(comm -23 <(sort got) <(sort named) | wc -l)" -gt 100 ] && cmp -s want got || fail "$libc: $(diff want got | head -n 4)"
done
# Without unwind tables nothing is known either.
aarch64-linux-gnu-strip -R .eh_frame -R .eh_frame_hdr -o bare fixed
[ "$(ask bare frames < <(addresses fixed outer) | head -n 1)" = "$(addresses fixed outer | head -n 1) ?? ??:0" ] ||
	fail "stripped: $(ask bare frames < <(addresses fixed outer) | head -n 1)"
[ "$(ask bare bounds < <(addresses fixed outer) | head -n 1)" = "$(addresses fixed outer | head -n 1) none" ] ||
	fail "stripped: $(ask bare bounds < <(addresses fixed outer) | head -n 1)"
ask bare about | grep -q 'names 0 lines 0' || fail "stripped: $(ask bare about)"

# Not an ELF file.
: >empty
echo text >text
for file in empty text nowhere "$work"; do
	ask "$file" about >said && fail "$file was opened"
	grep -q "^$file: " said || fail "$file: $(cat said)"
done

# Broken files: cut short anywhere, and with bytes changed; each is answered in time.
python3 - "$work/a64" <<'PYTHON'
import random, sys
data = open(sys.argv[1], "rb").read()
random.seed(7)
for i in range(60):
    broken = bytearray(data)
    for _ in range(random.choice((1, 4, 60, 2000))):
        where = random.choice((random.randrange(64), random.randrange(len(data)), len(data) - 1 - random.randrange(2600)))
        broken[where] = random.choice((0, 1, 0x7f, 0x80, 0xff, random.randrange(256)))
    open(f"broken-{i}", "wb").write(broken if i % 3 else broken[:random.randrange(len(broken))])
PYTHON
for file in broken-*; do
	timeout 40 "$tool" "$file" frames <list >said
	code=$?
	[ $code -le 1 ] || fail "$file: exit $code"
	timeout 40 "$tool" "$file" bounds <list >said
	code=$?
	[ $code -le 1 ] || fail "$file bounds: exit $code"
	timeout 40 "$tool" "$file" names >said
	code=$?
	[ $code -le 1 ] || fail "$file names: exit $code"
done

finish
