# SPDX-License-Identifier: MIT
cairn compute generate cluods
cairn compute generate
