#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds dav1d's assembly and its own tests of it with checkasm.c: tests/accuracy/loops/dav1d.sh SOURCE FOLDER
#
# SOURCE is what `tools/fetch-guests GUESTS --video` fetched (GUESTS/video/dav1d-VERSION). Makes FOLDER/dav1d-a64 and
# FOLDER/dav1d-a32, from objects in FOLDER/dav1d-objects.
set -euo pipefail

usage='usage: tests/accuracy/loops/dav1d.sh SOURCE FOLDER'
source=$(cd "${1:?$usage}" && pwd)
folder=$(mkdir -p "${2:?$usage}" && cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
tests=(cdef filmgrain looprestoration mc) # of 8 and of 16 bits a pixel

# program NAME BITS COMPILER...
program()
{
	local name=$1 bits=$2 objects=$folder/dav1d-objects/$1 all='' f b
	shift 2
	rm -rf "$objects" && mkdir -p "$objects/tests/checkasm"
	cd "$objects"
	cp "$here/checkasm.h" tests/checkasm
	touch version.h
	# What meson would say of a Linux on Arm.
	cat >config.h <<-END
		#define ARCH_AARCH64 $((bits == 64))
		#define ARCH_ARM $((bits == 32))
		#define ARCH_X86 0
		#define ARCH_X86_64 0
		#define ARCH_PPC64LE 0
		#define CONFIG_8BPC 1
		#define CONFIG_16BPC 1
		#define CONFIG_LOG 0
		#define ENDIANNESS_BIG 0
		#define HAVE_ASM 1
		#define HAVE_AS_FUNC 0
		#define HAVE_GETAUXVAL 1
		#define PIC 3
	END
	# compile OUTPUT FILE FLAG...
	compile()
	{
		echo "$1.o: $2; @$compiler -O1 -w -std=gnu11 -D_GNU_SOURCE -DDAV1D -I. -I$source -I$source/include -I$source/include/dav1d ${*:3} -c $2 -o $1.o"
		all+=" $1.o"
	}
	local compiler=$*
	{
		for f in "${tests[@]}"; do
			cp "$source/tests/checkasm/$f.c" tests/checkasm
			for b in 8 16; do
				compile "$f-$b" "$source/src/${f}_tmpl.c" "-DBITDEPTH=$b"
				compile "$f-init-$b" "$source/src/arm/${f}_init_tmpl.c" "-DBITDEPTH=$b"
				compile "checkasm-$f-$b" "tests/checkasm/$f.c" "-DBITDEPTH=$b"
			done
			for b in "$source/src/arm/$bits/$f"*.S; do compile "$(basename "$b" .S)" "$b"; done
		done
		compile tables "$source/src/tables.c"
		compile cpu "$source/src/cpu.c"
		compile arm-cpu "$source/src/arm/cpu.c"
		compile util "$source/src/arm/$bits/util.S"
		echo "all: $all"
	} >Makefile
	make -s -j"$(nproc)" all
	# shellcheck disable=SC2086 # a list
	"$@" -O2 -Wall -Wextra -static "-DTESTS=$(printf 'TEST(%s_8bpc) ' "${tests[@]}")$(printf 'TEST(%s_16bpc) ' "${tests[@]}")" "$here/checkasm.c" $all -lm -lpthread -o "$folder/$name"
}
program dav1d-a64 64 aarch64-linux-gnu-gcc
program dav1d-a32 32 arm-linux-gnueabi-gcc -march=armv7-a -mfpu=neon -mfloat-abi=softfp -marm
