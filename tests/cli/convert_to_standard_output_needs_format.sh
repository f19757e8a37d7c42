# SPDX-License-Identifier: MIT
cairn convert @weather -
