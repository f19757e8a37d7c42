# SPDX-License-Identifier: MIT
cairn convert @weather w.dat --to cvs
