# SPDX-License-Identifier: MIT
cairn fit majority @weather --save m.cairn --quiet
cairn predict m.cairn @weather --quiet | head -n 3
cairn describe m.cairn
ls
