# SPDX-License-Identifier: MIT
cairn compute split @weather
