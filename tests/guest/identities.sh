# SPDX-License-Identifier: MIT
# Identities that must hold for every program and core, whatever the parameters: tests/accuracy/identities.txt. Cores not named here run fewer programs.
. "$SRC/tests/guest/lib.sh"

"$SRC/tests/accuracy/build.sh" "$BUILD/accuracy" || fail "the kernels do not build"
# The cores with parameters of their own, the three with the longest lists of events, and three with events
# of their own.
python3 "$SRC/tests/accuracy/identities.py" "$BUILD/apmu" "$BUILD/accuracy" arm1136jf-s arm1156t2-s arm1176jzf-s \
	xscale1 xscale2 cortex-a5 cortex-a7 cortex-a8 cortex-a9 cortex-a15 cortex-a17 cortex-a35 cortex-a53 cortex-a55 cortex-a57 cortex-a72 \
	cortex-a76 neoverse-n1 neoverse-v1 neoverse-n2 cortex-a510 neoverse-v3 generic-v9 cortex-a75 a64fx cortex-r52 || fail "identities"
finish
