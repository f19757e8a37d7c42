# SPDX-License-Identifier: MIT
cairn evaluate majorty @weather
