# SPDX-License-Identifier: MIT
cairn fit majority @weather --save m.cairn --quiet
cairn predict m.cairn @weather --quiet --out - | head -n 2
cairn describe @iris --out - | head -n 1
