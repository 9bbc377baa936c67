#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds FFmpeg's assembly and its own tests of it with checkasm.c: tests/accuracy/loops/ffmpeg.sh SOURCE FOLDER
#
# SOURCE is what `tools/fetch-guests GUESTS --video` fetched (GUESTS/video/ffmpeg-VERSION). Makes FOLDER/ffmpeg-a64 and
# FOLDER/ffmpeg-a32, from objects in FOLDER/ffmpeg-objects.
set -euo pipefail

usage='usage: tests/accuracy/loops/ffmpeg.sh SOURCE FOLDER'
source=$(cd "${1:?$usage}" && pwd)
folder=$(mkdir -p "${2:?$usage}" && cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
tests=(vp9dsp vp8dsp)

# program NAME ARCH CPU PREFIX FLAG...: FFmpeg's configure and make know how its files are compiled
program()
{
	local name=$1 arch=$2 cpu=$3 prefix=$4 objects=$folder/ffmpeg-objects/$1 files=() f
	shift 4
	rm -rf "$objects" && mkdir -p "$objects/checkasm"
	cd "$objects"
	"$source/configure" --enable-cross-compile --cross-prefix="$prefix" --arch="$arch" --cpu="$cpu" --target-os=linux \
		--disable-everything --enable-decoder=vp8,vp9 --disable-{programs,doc,avdevice,avformat,avfilter,swscale,swresample} \
		--disable-{network,autodetect,pthreads,debug,inline-asm} --extra-cflags="$*" >configure.log
	for f in "$source/libavcodec/$arch"/vp[89]*.[cS]; do
		case $f in *template.c | *vp8_armv6.S) ;; *) files+=("$arch/$(basename "${f%.[cS]}")") ;; esac
	done
	files+=(mathtables vp9data vp8dsp vp9dsp vp9dsp_8bpp vp9dsp_10bpp vp9dsp_12bpp)
	files=("${files[@]/#/libavcodec/}")
	make -s -j"$(nproc)" "${files[@]/%/.o}" >make.log
	cp "$here/checkasm.h" checkasm
	for f in "${tests[@]}"; do
		cp "$source/tests/checkasm/$f.c" checkasm
		"${prefix}gcc" "$@" -O1 -w -I . -I "$source" -D_GNU_SOURCE -D_ISOC99_SOURCE -DHAVE_AV_CONFIG_H -c "checkasm/$f.c" -o "checkasm/$f.o"
	done
	"${prefix}gcc" "$@" -O2 -Wall -Wextra -static "-DTESTS=$(printf 'TEST(%s) ' "${tests[@]}")" "$here/checkasm.c" checkasm/*.o "${files[@]/%/.o}" \
		-lm -o "$folder/$name"
}
program ffmpeg-a64 aarch64 armv8-a aarch64-linux-gnu-
program ffmpeg-a32 arm armv7-a arm-linux-gnueabi- -march=armv7-a -mfpu=neon -mfloat-abi=softfp -marm
