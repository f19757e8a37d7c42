# SPDX-License-Identifier: MIT
cairn fit majority @weather --save m.cairn --quiet
cairn predict m.cairn @weather --output all | head -n 3 | cut -c 1-20
