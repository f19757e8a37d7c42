# SPDX-License-Identifier: MIT
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
cairn fit gaussian @iris --covariance own --features petal_length,petal_width --save iris.cairn --quiet > /dev/null
said compute sample iris.cairn --rows 6 --seed 3
said compute sample iris.cairn --rows 3 --out rows.csv
cat rows.csv
cairn fit bayes @weather --save weather.cairn --quiet > /dev/null
said compute sample weather.cairn --rows 4
cairn fit tree @weather --save tree.cairn --quiet > /dev/null
said compute sample tree.cairn
said compute sample @iris
said compute sample
said draw contours iris.cairn
cairn fit gaussian @iris --covariance own --features petal_length --save one.cairn --quiet > /dev/null
said draw contours one.cairn
said draw contours tree.cairn
