# SPDX-License-Identifier: MIT
cairn fti majority @weather
