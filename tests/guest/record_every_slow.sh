# SPDX-License-Identifier: MIT
# The same of every event alone.
. "$SRC/tests/guest/record_every.sh" alone
