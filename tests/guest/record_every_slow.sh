# SPDX-License-Identifier: MIT
# record_every.sh with each event recorded alone.
. "$SRC/tests/guest/record_every.sh" alone
