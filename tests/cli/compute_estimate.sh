# SPDX-License-Identifier: MIT
cairn compute estimate --law poisson --values 5,2,12,9,15,6,25,16 --steps
cairn compute estimate --law normal --values 4,8,13,7 --divisor n-1 --steps
cairn compute estimate --law normal --values 4,8 --weights 2,1
cairn compute estimate --law uniform --values 4,8,13,7 --steps
cairn compute estimate --law exponential --values 4,8,13,7 --steps
cairn compute estimate --law geometric --values 1,2,3,1,1,4 --support 1 --steps
cairn compute estimate --law categorical --counts fish=2,bird=3 --steps
cairn compute estimate --law gamma --values 1,2,3,1,1,4.5 --steps
cairn compute estimate --law beta --values 0.1,0.2,0.3,0.15,0.7
cairn compute estimate --law t --values 0.1,0.2,-3,0.15,8,-1
cairn compute estimate --law normal --column petal_length @iris
cairn compute estimate --likelihood 'p^x * (1-p)^(1-x)' --start p=0.3 --values 1,0,1,1,1,0,0,1,1,0 --steps
cairn compute estimate --likelihood '-((x-m)/s)^2/2 - log(s)' --logged --start m=0,s=1 --values 4,8,13,7
cairn compute estimate --law multivariate-normal --points '1,2;3,1;2,5;4,4' --steps
cairn compute estimate --law multivariate-normal @iris --features petal_length,petal_width
cairn compute estimate --law multivariate-normal --points '1,2;3,1;2,5;4,4' --weights 1,2,1,1
cairn compute estimate --law multivariate-bernoulli --points '1,0,1;1,1,0;1,0,0' --weights 1,2,1 --steps
cairn compute estimate --law multinomial --points '2,1,1;0,3,1' --steps
cairn compute estimate --law categorical @iris
cairn compute estimate --law f --values 0.5,1.2,2,0.3,0.9,4,0.7
cairn compute estimate --law gamma --values 100,101,102
