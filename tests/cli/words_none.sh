# SPDX-License-Identifier: MIT
cairn draw
