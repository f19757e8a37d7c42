# SPDX-License-Identifier: MIT
cairn compute impurity --counts 9,5
