# SPDX-License-Identifier: MIT
cairn evaluate none.cairn @weather
