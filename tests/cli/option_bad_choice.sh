# SPDX-License-Identifier: MIT
cairn fit majority @weather --task clasify
