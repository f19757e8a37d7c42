# SPDX-License-Identifier: MIT
cairn draw scatter @iris --x petal_length --y petal_width
