# SPDX-License-Identifier: MIT
cairn predict nothing.cairn @weather
