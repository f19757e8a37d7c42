# SPDX-License-Identifier: MIT
cairn compute estimate --values 1,2
cairn compute estimate --law cauchy --values 1,2
cairn compute estimate --law bernoulli --values 1,2
cairn compute estimate --law binomial --values 1,2
cairn compute estimate --law binomial --trials 3 --values 1,4
cairn compute estimate --law geometric --support 1 --values 0,4
cairn compute estimate --law normal --values 4,4
cairn compute estimate --law uniform --values 4
cairn compute estimate --law poisson --values nan
cairn compute estimate --law poisson
cairn compute estimate --law categorical
cairn compute estimate --law categorical --counts fish
cairn compute estimate --likelihood 'p^x' --values 1,2
cairn compute estimate --likelihood 'p^x' --start x=1 --values 1,2
cairn compute estimate --likelihood 'q^x' --start p=1 --values 1,2
cairn compute estimate --likelihood 'p^x' --start p=1 --values 1,2
cairn compute estimate --likelihood 'p-x' --start p=1 --values 1,2
cairn compute estimate --law multivariate-normal --points '1,2;2,4;3,6'
cairn compute estimate --law multivariate-normal
cairn compute estimate --law normal --values 1e200,2e200
cairn compute estimate --law multivariate-normal --points '1e200,2;3,1'
cairn compute estimate --law multivariate-normal --points '1,2;3,1' --weights 1
cairn compute estimate --law multivariate-normal --points '1,2;3,1' --weights 0,0
cairn compute estimate --law multivariate-bernoulli --points '1,0;2,1'
cairn compute estimate --law multinomial --points '0,0'
cairn compute estimate --law multinomial --points '0.5,1'
cairn compute estimate --law categorical @iris --column petal_length
cairn draw estimate --law categorical @iris
