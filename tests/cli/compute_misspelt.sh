# SPDX-License-Identifier: MIT
cairn compute impurty --counts 1,2
