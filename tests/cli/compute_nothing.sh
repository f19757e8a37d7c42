# SPDX-License-Identifier: MIT
cairn compute impurity
