# SPDX-License-Identifier: MIT
# what a set of features adds: the reduced model is that of a fit without them
cairn fit --full linear @iris --target sepal_length --ignore species --without petal_length,petal_width | sed -n '/^Without/,/its p/p'
value() { tr ',' '\n' | sed -n "s/.*\"$1\": \([0-9.e-]*\).*/\1/p" | head -1; }
cairn fit linear @iris --target sepal_length --ignore species --without petal_length,petal_width --format json > full.json
cairn fit linear @iris --target sepal_length --ignore species,petal_length,petal_width --format json > reduced.json
echo "$(value reduced.r2 < full.json) $(value reduced.intercept < full.json) $(value reduced.sepal_width < full.json)" | awk '{ printf "%.9g %.9g %.9g\n", $1, $2, $3 }'
echo "$(value r2 < reduced.json) $(value coefficient.intercept < reduced.json) $(value coefficient.sepal_width < reduced.json)" | awk '{ printf "%.9g %.9g %.9g\n", $1, $2, $3 }'
cairn fit --full linear @iris --target sepal_length --without species | sed -n '/^Without/,/its p/p'
cairn fit --full linear @iris --target sepal_length --ignore species --without petals 2>&1 || echo "exit $?"
