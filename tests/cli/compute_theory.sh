# SPDX-License-Identifier: MIT
cairn compute shatter --points '0,0;1,0;1,1;0,1'
cairn compute vc --class conjunction --variables 2
cairn compute unify --vars upper --apart --terms 'p(X, f(X)); p(g(a), Y)'
