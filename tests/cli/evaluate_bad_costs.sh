# SPDX-License-Identifier: MIT
# costs that do not suit: found before the splits are run
cairn evaluate --full tree @iris --cost-fn 3
cairn compare --full tree majority --on @iris --cost-fn 3
cairn evaluate --full linear @used-cars --cost-fn 2
cairn evaluate --full tree @weather --costs '0,-1;2,0'
cairn evaluate --full tree @weather --costs '0,x;2,0'
cairn evaluate --full tree @weather --costs '0,1,2;2,0,1'
cairn tune --full tree @iris --over max-depth=1:2 --measure mse
printf 'x,y\n1,a\n2,a\n3,a\n4,a\n' > one.csv
cairn evaluate --full majority one.csv --target y --by cv:2 | grep area
printf 'x,y\n1,a\n2,b\n3,a\n4,a\n5,a\n6,a\n7,b\n' > small.csv
cairn compare majority tree --on small.csv --target y --by cv:3 --quiet --out x.json
cairn compare majority tree --on small.csv --target y --by cv:3 --out x.json
cairn compare --full majority tree --on small.csv --target y --by cv:10
