# SPDX-License-Identifier: MIT
cairn fit majority @weather --save m.cairn --quiet
cairn evaluate m.cairn @weather --with standardise; echo $?
cairn evaluate m.cairn @weather --missing drop; echo $?
cairn evaluate m.cairn @weather --task classify; echo $?
cairn evaluate m.cairn @weather --positive yes; echo $?
