# SPDX-License-Identifier: MIT
cairn fit majority -t play @weather
