# SPDX-License-Identifier: MIT
cairn fit --full majority @weather --seed 42 | grep seed
