# SPDX-License-Identifier: MIT
"""Programs that call FFmpeg 5.1's assembly: checkasm.py."""
from functools import partial

import checkasm

build = partial(checkasm.build, "ffmpeg", "ffmpeg.sh", "video/ffmpeg-*")
