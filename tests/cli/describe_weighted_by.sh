# SPDX-License-Identifier: MIT
printf 'x,size,y,w\n1,10,a,1\n2,30,a,2\n4,20,b,0\n8,50,b,3\n' >t.csv
cairn describe t.csv --target y --weight w --by target --divisor n --quantile inverse \
    --show statistics,shape,covariance
