# SPDX-License-Identifier: MIT
# Another value in every row: trees, rules, evaluations, scores and item sets warn.
printf 'id,a,b\nr1,x,u\nr2,y,u\nr3,x,v\nr4,y,v\nr5,x,v\n' > names.csv
cairn fit tree names.csv --target id > report
cairn fit ripper names.csv --target id > report
cairn evaluate tree names.csv --target id --by cv:5 > report
cairn compute split names.csv --target id > report
cairn compute itemsets names.csv > report
cairn compute associations names.csv > report
cairn compute itemsets names.csv --id id > report
