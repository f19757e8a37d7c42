# SPDX-License-Identifier: MIT
printf 'x,g\n1,a\n2,a\n3,a\n10,b\n11,b\n12,b\n30,b\n31,b\n' >t.csv
cairn compute percentiles t.csv --by g --percents 25,50 --at 3
cairn compute modality t.csv --by g --method histogram --cuts 0,5,10,15,20,25,30,35
cairn compute modality --distribution chi-squared --df 1 --format json | grep '"peak'
cairn compute modality --distribution t --df 4 --format json | grep '"peak'
cairn compute modality --mixture '0.5,0,1;0.5,1.9,1' --format json | grep '"peak'
