#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds OpenSSL's assembly with openssl.c: tests/accuracy/loops/openssl.sh SOURCE FOLDER
#
# SOURCE is what `tools/fetch-guests GUESTS --openssl` fetched (GUESTS/openssl/openssl-VERSION). Makes FOLDER/openssl-a64
# and FOLDER/openssl-a32, and the assembly in FOLDER/openssl-asm.
set -euo pipefail

source=$(cd "${1:?usage: tests/accuracy/loops/openssl.sh SOURCE FOLDER}" && pwd)
folder=${2:?usage: tests/accuracy/loops/openssl.sh SOURCE FOLDER}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder/openssl-asm"
asm=$(cd "$folder" && pwd)/openssl-asm

# text FLAVOUR SCRIPT OUTPUT: the assembly of one of OpenSSL's scripts
text()
{
	(cd "$source/crypto/${2%/asm/*}" && CC=gcc perl "$source/crypto/$2" "$1" "$asm/$3.S")
}
a64=(aarch64-linux-gnu-gcc -O2 -static -Wall -Wextra -I "$source/crypto" -march=armv8-a+crypto)
a32=(arm-linux-gnueabi-gcc -O2 -static -Wall -Wextra -I "$source/crypto" -D__ARM_MAX_ARCH__=8)

text linux64 sha/asm/sha1-armv8.pl a64-sha1
text linux64 sha/asm/sha512-armv8.pl a64-sha256
text linux64 sha/asm/sha512-armv8.pl a64-sha512
text linux64 aes/asm/aesv8-armx.pl a64-aesv8
text linux64 aes/asm/vpaes-armv8.pl a64-vpaes
text linux64 modes/asm/ghashv8-armx.pl a64-ghashv8
text linux64 chacha/asm/chacha-armv8.pl a64-chacha
text linux64 poly1305/asm/poly1305-armv8.pl a64-poly1305
text linux64 sha/asm/keccak1600-armv8.pl a64-keccak
# ChaCha20 without the loop of 512 bytes and more, under another name
sed -e '/\tcmp\t/s/#512$/#0xfff000/' -e 's/ChaCha20_/chacha_4_1_/g' "$asm/a64-chacha.S" >"$asm/a64-chacha-4-1.S"
"${a64[@]}" "$here/openssl.c" "$asm"/a64-*.S -o "$folder/openssl-a64"

text linux32 sha/asm/sha1-armv4-large.pl a32-sha1
text linux32 sha/asm/sha256-armv4.pl a32-sha256
text linux32 sha/asm/sha512-armv4.pl a32-sha512
text linux32 aes/asm/aesv8-armx.pl a32-aesv8
text linux32 aes/asm/aes-armv4.pl a32-aes
text linux32 aes/asm/bsaes-armv7.pl a32-bsaes
text linux32 modes/asm/ghashv8-armx.pl a32-ghashv8
text linux32 modes/asm/ghash-armv4.pl a32-ghash
text linux32 chacha/asm/chacha-armv4.pl a32-chacha
text linux32 poly1305/asm/poly1305-armv4.pl a32-poly1305
text linux32 sha/asm/keccak1600-armv4.pl a32-keccak
# Two files once more for Armv6, whose integer loops load bytes, and one in T32, under other names.
again()
{
	arm-linux-gnueabi-gcc -c -I "$source/crypto" "${@:3}" "$asm/a32-$2.S" -o "$asm/$1-$2.o"
	arm-linux-gnueabi-objcopy --prefix-symbols="$1_" "$asm/$1-$2.o"
	arm-linux-gnueabi-objcopy --redefine-sym "$1_OPENSSL_armcap_P=OPENSSL_armcap_P" "$asm/$1-$2.o"
}
again v6 poly1305 -march=armv6 -marm -D__ARM_MAX_ARCH__=6
again v6 keccak -march=armv6 -marm -D__ARM_MAX_ARCH__=6
again t32 keccak -march=armv7-a -mthumb -D__ARM_MAX_ARCH__=7
(cd "$asm" && "${a32[@]}" -march=armv7-a -marm -c a32-*.S)
"${a32[@]}" -march=armv6 -marm -Wl,-z,noexecstack "$here/openssl.c" "$asm"/*.o -o "$folder/openssl-a32"
