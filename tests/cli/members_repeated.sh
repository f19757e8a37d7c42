# SPDX-License-Identifier: MIT
# A row that a member's list names several times counts as often: a bootstrap sample can be given.
printf 'x,y\n1,1\n2,5\n3,9\n' >d.csv
printf 'learner,rows\nlinear,"1,1,1,1,2,3"\n' >often.csv
printf 'learner,rows\nlinear,"1-3"\n' >once.csv
printf 'x,y\n1,1\n1,1\n1,1\n1,1\n2,5\n3,9\n' >rows.csv
printf 'learner,rows\nmajority,"1,1,1,1,2,3"\n' >mean.csv
printf 'x\n2\n' >new.csv
cairn fit vote d.csv --target y --task regress --members-file mean.csv --save v.cairn --quiet >/dev/null
cairn predict v.cairn new.csv
cairn fit majority rows.csv --target y --task regress --save m.cairn --quiet >/dev/null
cairn predict m.cairn new.csv
