# SPDX-License-Identifier: MIT
printf 'a,w,y\n1,1,p\n2,heavy,q\n3,2,p\n' >t.csv
cairn fit majority t.csv --target y --weight w; echo $?
cairn fit majority @weather --kinds temperature=level --weight temperature; echo $?
