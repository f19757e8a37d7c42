# SPDX-License-Identifier: MIT
cairn compute impurity --counts 3,-2
