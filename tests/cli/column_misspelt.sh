# SPDX-License-Identifier: MIT
cairn fit majority @weather --target pley
