# SPDX-License-Identifier: MIT
"""Programs that call FFmpeg's assembly: checkasm.py."""
from functools import partial

import checkasm

build = partial(checkasm.build, "ffmpeg")
