# SPDX-License-Identifier: MIT
cairn fit majority @iris --save m.cairn --quiet
cairn fit tree m.cairn; echo $?
cairn predict m.cairn m.cairn; echo $?
cairn compare tree majority --on m.cairn; echo $?
