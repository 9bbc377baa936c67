#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds FFmpeg's assembly and its own tests of it with checkasm.c: tests/accuracy/loops/ffmpeg.sh SOURCE FOLDER
#
# SOURCE is what `tools/fetch-guests GUESTS --video` or `--video-trixie` fetched (GUESTS/video*/ffmpeg-VERSION). Version 5 makes
# FOLDER/ffmpeg-a64 and FOLDER/ffmpeg-a32, version 7 FOLDER/ffmpeg7-a64, from objects in FOLDER/ffmpeg-objects.
set -euo pipefail

usage='usage: tests/accuracy/loops/ffmpeg.sh SOURCE FOLDER'
source=$(cd "${1:?$usage}" && pwd)
folder=$(mkdir -p "${2:?$usage}" && cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)

# program NAME ARCH CPU PREFIX FLAG...: libavutil's memory, libavcodec's $files (without suffix), those of ARCH that $assembly matches, and $tests;
# FFmpeg's configure and make know how its files are compiled
program()
{
	local name=$1 arch=$2 cpu=$3 prefix=$4 objects=$folder/ffmpeg-objects/$1 all=("${files[@]}") f
	shift 4
	rm -rf "$objects" && mkdir -p "$objects/checkasm"
	cd "$objects"
	"$source/configure" --enable-cross-compile --cross-prefix="$prefix" --arch="$arch" --cpu="$cpu" --target-os=linux \
		--disable-everything --enable-decoder="$decoders" --disable-{programs,doc,avdevice,avformat,avfilter,swscale,swresample} \
		--disable-{network,autodetect,pthreads,debug,inline-asm} --extra-cflags="$*" >configure.log
	for f in $(cd "$source/libavcodec/$arch" && ls $assembly 2>/dev/null); do
		case $f in *template.c | *vp8_armv6.S) ;; *) all+=("$arch/${f%.[cS]}") ;; esac
	done
	all=("${all[@]/#/libavcodec/}" libavutil/mem)
	make -s -j"$(nproc)" "${all[@]/%/.o}" >make.log
	cp "$here/checkasm.h" checkasm
	for f in "${tests[@]}"; do
		cp "$source/tests/checkasm/$f.c" checkasm
		"${prefix}gcc" "$@" -O1 -w -I . -I "$source" -D_GNU_SOURCE -D_ISOC99_SOURCE -DHAVE_AV_CONFIG_H -c "checkasm/$f.c" -o "checkasm/$f.o"
	done
	"${prefix}gcc" "$@" -O2 -Wall -Wextra -static "-DTESTS=$(printf 'TEST(%s) ' "${tests[@]}")" "$here/checkasm.c" checkasm/*.o "${all[@]/%/.o}" \
		-lm -o "$folder/$name"
}
case $(cat "$source/RELEASE") in
5.*)
	decoders=vp8,vp9 tests=(vp9dsp vp8dsp)
	files=(mathtables vp9data vp8dsp vp9dsp vp9dsp_8bpp vp9dsp_10bpp vp9dsp_12bpp) assembly='vp[89]*.[cS]'
	program ffmpeg-a32 arm armv7-a arm-linux-gnueabi- -march=armv7-a -mfpu=neon -mfloat-abi=softfp -marm
	decoders+=,dca tests+=(synth_filter)
	files+=(synth_filter dcadata sinewin fft_float fft_init_table mdct_float) assembly+=' synth* *fft* mdct*'
	program ffmpeg-a64 aarch64 armv8-a aarch64-linux-gnu-
	;;
7.*)
	decoders=hevc tests=(motion hevc_pel)
	files=(me_cmp simple_idct hevc/dsp aarch64/h26x/{epel,qpel,sao}_neon) assembly='me_cmp* hevcdsp*'
	program ffmpeg7-a64 aarch64 armv8-a aarch64-linux-gnu-
	;;
*)
	echo "${0##*/}: $source is FFmpeg $(cat "$source/RELEASE"): expected version 5 or 7" >&2
	exit 1
	;;
esac
