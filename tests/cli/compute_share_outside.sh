# SPDX-License-Identifier: MIT
cairn compute impurity --at 0.5,1.5
