# SPDX-License-Identifier: MIT
# coefficients in the units of the data beside those of standardised columns
cairn fit ridge @regression-line --lambda 0 | grep -A3 'units of the data'
cairn fit lasso @regression-line --lambda 0.1 --format json | grep -oE '"(equation|coefficient)\.raw[^"]*"'
