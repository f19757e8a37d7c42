# SPDX-License-Identifier: MIT
cairn fit linear @quadratic --with 'formula:z=(x-1^2'
