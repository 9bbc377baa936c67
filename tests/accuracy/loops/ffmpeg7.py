# SPDX-License-Identifier: MIT
"""Programs that call FFmpeg 7.1's assembly: checkasm.py."""
from functools import partial

import checkasm

build = partial(checkasm.build, "ffmpeg7", "ffmpeg.sh", "video-trixie/ffmpeg-*")
