# SPDX-License-Identifier: MIT
cairn fit majority @iris --save m.cairn --quiet
cairn draw clusters m.cairn @iris
