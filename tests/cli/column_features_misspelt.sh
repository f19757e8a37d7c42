# SPDX-License-Identifier: MIT
cairn fit majority @weather --features outlok
