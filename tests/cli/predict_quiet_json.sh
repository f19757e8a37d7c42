# SPDX-License-Identifier: MIT
cairn fit majority @weather --save m.cairn --quiet
cairn predict m.cairn @weather --quiet --format json | grep -c '"accuracy"'
