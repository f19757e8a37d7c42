# SPDX-License-Identifier: MIT
# Code matrices that are given, rows that are rejected, the votes of a row, export, and what cannot be done.
printf 'kind,a,b\nsetosa,1,1\nvirginica,0,-1\nversicolor,-1,0\n' > codes.csv
cairn fit --full output-codes @iris --learner basic-linear --codes given --code-file codes.csv --save codes.cairn | sed -n '/^base/,/^Model 1/p'
cairn predict codes.cairn @iris --explain --where 'row() = 51'
cairn fit one-vs-rest @iris --learner basic-linear --ovr reject --save rest.cairn --quiet
cairn predict rest.cairn @iris --output label,votes,fired,ambiguous --where 'row() = 1 or row() = 60'
cairn fit --full output-codes @iris --codes given || echo "exit $?"
cairn fit --full output-codes @iris --codes given --matrix '[1,1;-1,1;1,1]' || echo "exit $?"
cairn fit --full output-codes @iris --codes given --matrix '[1,-1;-1,1;1,-1]' || echo "exit $?"
cairn fit --full output-codes @iris --codes given --matrix '[1,1;-1,-1;0,0]' || echo "exit $?"
cairn fit --full output-codes @iris --codes given --matrix '[1,2;-1,1;1,-1]' || echo "exit $?"
cairn fit --full output-codes @iris --codes given --matrix '[1;-1]' || echo "exit $?"
cairn fit --full output-codes @iris --decode loss:lost || echo "exit $?"
cairn fit --full one-vs-one @iris --decode reject || echo "exit $?"
cairn fit --full one-vs-one @iris --learner linear || echo "exit $?"
cairn fit --full one-vs-rest @iris --learner knn:nearness=0 || echo "exit $?"
cairn compute decode --scores 1,2 || echo "exit $?"
cairn compute decode --scores 1,2,3 --decode argmax || echo "exit $?"
cairn compute decode --scores 1,2,3 --classes a || echo "exit $?"
