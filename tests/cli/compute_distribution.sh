# SPDX-License-Identifier: MIT
cairn compute distribution t --parameters 9 --at 2.26,-40 --upper 0.025,1e-300
cairn compute distribution binomial --parameters 10,0.3 --at 3 --lower 0.5
cairn compute distribution studentized-range --parameters 3,inf --upper 0.05
cairn compute distribution normal --at -37
