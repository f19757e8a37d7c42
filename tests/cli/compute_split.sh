# SPDX-License-Identifier: MIT
cairn compute split --table '3,2;4,0;2,3'
