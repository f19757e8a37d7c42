# SPDX-License-Identifier: MIT
cairn compute distribution cauchy --at 1
cairn compute distribution f --parameters 1 --at 1
cairn compute distribution t --parameters -1 --at 1
cairn compute distribution t --parameters 4 --lower 1.5
cairn compute distribution multinomial --parameters 0.5,0.3 --at 1,1
cairn compute distribution multinomial --parameters 0.5,0.5 --at 1,1,1
cairn compute distribution categorical --at 1
cairn compute distribution categorical --parameters 0.5,0.5 --lower 0.5
cairn compute distribution multivariate-normal --covariance '1,1;1,1'
cairn compute distribution multivariate-normal --covariance '1,2;1,1'
cairn compute distribution multivariate-normal --covariance '1,2;2,1'
cairn compute distribution multivariate-normal --covariance '1,0;0,1' --mean 1
cairn compute distribution geometric --parameters 1
cairn draw distribution
cairn compute distribution normal --grid 3
cairn compute distribution multivariate-normal --covariance 4 --grid 3
cairn compute distribution multivariate-normal --covariance '1,0;0,1' --grid 3 --draws 2
cairn compute distribution multinomial --parameters 0.5,0.5 --at 1e15,1
cairn draw distribution t --parameters 0.001
