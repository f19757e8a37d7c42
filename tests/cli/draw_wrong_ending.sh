# SPDX-License-Identifier: MIT
cairn draw scatter @iris --out iris.gif
