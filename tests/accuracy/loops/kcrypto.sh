#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds assembly of Linux's crypto routines with kcrypto.c: tests/accuracy/loops/kcrypto.sh SOURCE FOLDER
#
# SOURCE is what `tools/fetch-guests GUESTS --crypto` fetched (GUESTS/crypto/linux-VERSION). Makes FOLDER/kcrypto-a64 and FOLDER/kcrypto-a32.
set -euo pipefail

source=$(cd "${1:?usage: tests/accuracy/loops/kcrypto.sh SOURCE FOLDER}" && pwd)
mkdir -p "${2:?usage: tests/accuracy/loops/kcrypto.sh SOURCE FOLDER}"
folder=$(cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
headers=$folder/kcrypto-headers # empty: kcrypto.inc has what the assembly uses of them
mkdir -p "$headers"/{linux,asm}
touch "$headers"/linux/{linkage,cfi_types}.h "$headers"/asm/{assembler,cache}.h
common=(-O2 -static -Wall -Wextra -Wa,--noexecstack -I "$headers" -include "$here/kcrypto.inc")

cd "$source/arch/arm64/crypto"
aarch64-linux-gnu-gcc "${common[@]}" "$here/kcrypto.c" aes-cipher-core.S aes-neon.S aes-neonbs-core.S -o "$folder/kcrypto-a64"

perl "$source/arch/arm/crypto/sha256-armv4.pl" >"$folder/kcrypto-sha256.S"
cd "$source/arch/arm/crypto"
arm-linux-gnueabi-gcc "${common[@]}" -march=armv7-a -marm -mfpu=neon -mfloat-abi=softfp -D__KERNEL__ -D__LINUX_ARM_ARCH__=7 "$here/kcrypto.c" \
	aes-cipher-core.S aes-neonbs-core.S blake2b-neon-core.S blake2s-core.S chacha-neon-core.S nh-neon-core.S sha1-armv4-large.S sha1-armv7-neon.S \
	"$folder/kcrypto-sha256.S" -o "$folder/kcrypto-a32"
