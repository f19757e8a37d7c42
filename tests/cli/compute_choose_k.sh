# SPDX-License-Identifier: MIT
# Numbers of clusters by five criteria; without references; of a clusterer of medoids; only silhouettes where there are no means.
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
said compute choose-k @kmeans-twelve --to 4 --references 0 --learner kmeans:starts=5 --with scale:none | sed -n '/^Numbers/,/^Elbow/p'
said compute choose-k @kmeans-twelve --to 3 --reference components --references 5 --steps | sed -n '/^Step 2/,/^How/p'
said compute choose-k @iris --ignore species --from 2 --to 4 --learner kmedoids --references 0 | sed -n '/^Numbers/,/^Elbow/p'
said compute choose-k @distances-five --as distances --from 2 --to 3 --learner kmedoids | sed -n '/^Numbers/,/^Silhouette/p'
said compute choose-k @iris --from 4 --to 3
said compute choose-k @iris --learner kmeans:clusters=3
said compute choose-k @iris --learner tree
said draw choose-k @iris --from 3 --to 3
printf 'x\n1\n1\n1\n' >equal.csv
said compute choose-k equal.csv --to 2 | sed -n '/^Numbers/,/^Elbow/p'
