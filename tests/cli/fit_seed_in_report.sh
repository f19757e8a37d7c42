# SPDX-License-Identifier: MIT
cairn fit majority @weather --seed 42 | grep seed
