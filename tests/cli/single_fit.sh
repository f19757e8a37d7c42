# SPDX-License-Identifier: MIT
# What is of a single fit is refused where models are fitted again and again; an option that learner and verb share.
cairn fit --full knn @iris --target species --query "5,3,1.5,0.2" --k 3 | grep -c "Query 1"
cairn evaluate --full knn @iris --query "5,3,1.5,0.2" || echo "exit $?"
cairn evaluate --full forest @iris --proximity-file near.csv || echo "exit $?"
cairn tune --full forest @iris --over trees=2,3 --oob-file out.csv || echo "exit $?"
cairn compare --full tree forest:trees=3,filled-file=full.csv --on @iris --by cv:2 || echo "exit $?"
cairn fit --full calibrated @iris --learner forest:trees=3,oob-file=out.csv || echo "exit $?"
cairn evaluate --full majority @iris --with bag:save=words.txt --by cv:2 || echo "exit $?"
ls *.csv *.txt 2> /dev/null || echo "no file was written"
cairn evaluate --full forest @iris --trees 3 --importance none --shuffles 2 --by cv:3 | grep -A 4 "Importance"
cairn evaluate --full linear:level=0.9 @iris --target petal_length --by cv:3 --level 0.99 | grep "99"
cairn fit --full forest @iris --trees 3 --oob-file out.csv | tail -n 2
