# SPDX-License-Identifier: MIT
cairn fit --full majority @weather --save m.cairn --quiet
cairn predict m.cairn @weather --quiet | head -n 3
cairn describe --full m.cairn
ls
