# SPDX-License-Identifier: MIT
# An option that a calculator has of its own is listed once; what helps against the floor of a
# mixture fits the mixture; levels that there are are listed in one form.
cairn help compute posterior --full | grep -c -- '^--features'
cairn compute posterior --help | tail -n 1
printf 'x\n1\n1\n1\n' >const.csv
cairn fit --full mixture const.csv --components 1 | grep -A 1 'floor of'
printf 'x\n1\n1\n1\n5\n' >eq.csv
cairn fit --full mixture eq.csv --covariance diagonal | grep -A 2 'floor of'
cairn fit --full mixture @iris --features petal_length,petal_width --components 40 --starts 1 | grep -A 2 'floor of'
cairn fit --full tree @weather --against-rest snow
cairn fit --full tree @weather --positive snow
cairn compute joint @weather --query 'P(outlook = snow)'
exit 0
