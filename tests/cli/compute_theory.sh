# SPDX-License-Identifier: MIT
cairn compute shatter --points '0,0;1,0;1,1;0,1'
cairn compute vc --class conjunction --variables 2
cairn compute unify --vars upper --apart --terms 'p(X, f(X)); p(g(a), Y)'
cairn compute horn --theory 'a & b -> c; c & d -> false'
cairn compute horn @horn-negatives --target class --unlisted positive
cairn compute horn --variables a,b,c --answers 'yes; -a,b; -a'
