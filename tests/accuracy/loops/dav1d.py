# SPDX-License-Identifier: MIT
"""Programs that call dav1d's assembly: checkasm.py."""
from functools import partial

import checkasm

build = partial(checkasm.build, "dav1d", "dav1d.sh", "video/dav1d-*")
