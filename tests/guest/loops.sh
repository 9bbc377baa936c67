# SPDX-License-Identifier: MIT
# Loops of GNU MP, OpenSSL, Linux, Nettle, FFmpeg, dav1d and x264, and calls of libraries of cryptography, on the models, against a checked-in table of earlier results: four cores, or all with APMU_TEST_ALL.
. "$SRC/tests/guest/lib.sh"

"$SRC/tools/fetch-guests" "$BUILD/guests" --gmp || fail "the source of GNU MP cannot be fetched"
"$SRC/tools/fetch-guests" "$BUILD/guests" --openssl || fail "the source of OpenSSL cannot be fetched"
part=(--core cortex-a5 --core cortex-a17 --core arm1176jzf-s --core neoverse-n1)
"$SRC/tools/fetch-guests" "$BUILD/guests" --libcrypto || fail "OpenSSL's libcrypto cannot be fetched"
"$SRC/tools/fetch-guests" "$BUILD/guests" --ciphers || fail "Mbed TLS and libtomcrypt cannot be fetched"
if [ -n "${APMU_TEST_ALL:-}" ]; then
	part=()
	"$SRC/tools/fetch-guests" "$BUILD/guests" --crypto || fail "the sources of Linux and Nettle cannot be fetched"
	"$SRC/tools/fetch-guests" "$BUILD/guests" --video || fail "the sources of FFmpeg, dav1d and x264 cannot be fetched"
	"$SRC/tools/fetch-guests" "$BUILD/guests" --video-trixie || fail "the source of Debian 13's FFmpeg cannot be fetched"
fi
python3 "$SRC/tests/accuracy/loops.py" "$BUILD/apmu" "$BUILD" --check "${part[@]}" ||
	fail "the table tests/accuracy/loops.txt: see tests/accuracy/loops.py"
finish
