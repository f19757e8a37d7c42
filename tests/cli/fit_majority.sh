# SPDX-License-Identifier: MIT
cairn fit --full majority @weather
