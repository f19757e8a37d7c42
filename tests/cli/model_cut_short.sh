# SPDX-License-Identifier: MIT
cairn fit majority @weather --save m.cairn --quiet
head -c 200 m.cairn >cut.cairn
cairn predict cut.cairn @weather
