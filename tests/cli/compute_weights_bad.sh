# SPDX-License-Identifier: MIT
printf 'name,weight\na,2\n' >t.csv
cairn compute weights t.csv
echo $?
printf 'name,weight,sd\na,2,x\n' >t.csv
cairn compute weights t.csv
echo $?
printf 'weight,sd\n2,1\n' >t.csv
cairn compute weights t.csv
echo $?
cairn compute weights @iris
echo $?
cairn compute weights
echo $?
