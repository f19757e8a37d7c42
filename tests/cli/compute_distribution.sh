# SPDX-License-Identifier: MIT
cairn compute distribution t --parameters 9 --at 2.26,-40 --upper 0.025,1e-300
cairn compute distribution binomial --parameters 10,0.3 --at 3 --lower 0.5
cairn compute distribution studentized-range --parameters 3,inf --upper 0.05
cairn compute distribution normal --at -37
cairn compute distribution poisson --parameters 4.5 --at 3,1000 --lower 0.999 --draws 2 --steps
cairn compute distribution geometric --parameters 0.6 --support 1 --at 3
cairn compute distribution multinomial --parameters 0.5,0.3,0.2 --at '2,1,1;4,0,0' --steps
cairn compute distribution multivariate-bernoulli --parameters 0.3,0.5,0.8 --at 1,0,1 --draws 2 --steps
cairn compute distribution categorical --parameters 0.5,0.3,0.2 --at 2,4
cairn compute distribution multivariate-normal --mean 1,2 --covariance '1,0.8;0.8,1' --at 2,1 --draws 2 --steps
cairn compute distribution multivariate-normal --covariance '1,0.8;0.8,1' --grid 3
cairn compute distribution multinomial --parameters 0.5,0.5 --at '1e14,1e14;-1,2' --steps
cairn compute distribution t --parameters 0.001 --at 1
cairn draw distribution binomial --parameters 4,0.5
cairn compute distribution binomial --parameters 10,0.25 --at 3,11 --steps | grep 'P ='
cairn compute distribution beta --parameters 2,5 --at 0.1 --steps | grep 'f ='
cairn compute distribution f --parameters 3,10 --at 4,-1 --steps | grep 'f ='
cairn compute distribution gamma --parameters 2,3 --at 1 --steps | grep 'f ='
cairn compute distribution chi-squared --parameters 4 --at 9 --steps | grep 'f ='
