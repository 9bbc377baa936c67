# SPDX-License-Identifier: MIT
# What counting costs on real programs: Debian's gzip, sqlite3, python3, lua and busybox sort for arm64 on whole cores and parts of
# them, Debian's busybox for armel on ARM1136 (tools/fetch-guests --foreign). User CPU seconds of plain QEMU, of a plugin with
# empty callbacks, and of `apmu stat` with several event sets, in alternate runs: medians, quartiles, and shares of plain QEMU's speed and of empty callbacks'.
# Last come arm64 xz and zstd with four threads (user and kernel seconds).
#
#   BUILD=build bash bench/bench_programs.sh [ROUNDS [PROGRAM...]]        APMU and SRC may be set, as for the tests
#
# SETS="plain empty l1" selects columns. BEFORE=OTHER/apmu also runs each set with that command, in turn with APMU.
set -eu
# shellcheck source=bench/lib.sh
. "$(dirname "$0")/lib.sh"
GUESTS=${GUESTS:-$BUILD/guests/foreign}
[ -e "$GUESTS/arm64/usr/bin/python3.11" ] || "$SRC/tools/fetch-guests" "$BUILD/guests" --foreign >/dev/null
export APMU BUILD GUESTS
exec python3 "$SRC/bench/programs.py" "$@"
