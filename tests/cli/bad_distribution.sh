# SPDX-License-Identifier: MIT
cairn compute distribution cauchy --at 1
cairn compute distribution f --parameters 1 --at 1
cairn compute distribution t --parameters -1 --at 1
cairn compute distribution t --parameters 4
cairn compute distribution t --parameters 4 --lower 1.5
