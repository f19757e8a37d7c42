# SPDX-License-Identifier: MIT
cairn fit majority @weather --save m.cairn --quiet
cairn predict m.cairn no-such.csv --output lable
