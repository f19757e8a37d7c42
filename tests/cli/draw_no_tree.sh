# SPDX-License-Identifier: MIT
cairn fit majority @weather --save m.cairn --quiet
cairn draw tree m.cairn
