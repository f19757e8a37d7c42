# SPDX-License-Identifier: MIT
# coefficients in the units of the data beside those of standardised columns
cairn fit --full ridge @regression-line --lambda 0 | grep -A3 'units of the data'
cairn fit lasso @regression-line --lambda 0.1 --format json | grep -oE '"(equation|coefficient)\.raw[^"]*"'
cairn fit --full linear @regression-line --with standardise | grep -A3 'units of the data'
cairn fit --full glm @regression-line --with standardise | grep -A3 'In the units of the data'
# a mean that is large beside the deviation, and a column that is constant
printf 'a,b,y\n100000000.1,1,1\n100000000.7,1,3\n100000000.4,1,2.5\n99999999.9,1,0.5\n' > far.csv
cairn fit lasso far.csv --target y --lambda 0.1 --format json | grep -oE '"coefficient\.raw[^,]*' | cut -c1-30
