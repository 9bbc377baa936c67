#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Parameters of core rows against the fact sheet on microarchitecture: tests/accuracy/facts.txt.
. "$(dirname "$0")/../lib.sh"

python3 "$SRC/tests/accuracy/facts.py" "$APMU" || fail "a row is not what the fact sheet says, nor what facts.txt says of it"
verdict
