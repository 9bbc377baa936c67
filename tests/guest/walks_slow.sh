# SPDX-License-Identifier: MIT
# walks.sh with a million steps.
WALKS="10000 1000000" . "$SRC/tests/guest/walks.sh"
