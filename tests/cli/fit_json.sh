# SPDX-License-Identifier: MIT
cairn fit majority @weather --format json | grep '"training.accuracy"'
