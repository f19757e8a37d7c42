# SPDX-License-Identifier: MIT
cairn fit majority @weather --features outlook,play; echo $?
cairn fit majority @weather --target play --ignore play; echo $?
cairn fit majority @weather --id outlook --ignore wind,outlook; echo $?
