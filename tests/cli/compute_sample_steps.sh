# SPDX-License-Identifier: MIT
# How the first rows were drawn: the uniform numbers beside the cumulated probabilities, the normal
# ones beside mean and deviation, of every model that draws rows.
drawn() {
    cairn compute sample m.cairn --rows "${1:-2}" --steps | sed -n '/^Step 1/,$p'
}
cairn fit gaussian @iris --covariance own --features petal_length,petal_width --save m.cairn --quiet > /dev/null
drawn
cairn fit gaussian @iris --covariance diagonal --features petal_length,petal_width --save m.cairn --quiet > /dev/null
drawn 1
cairn fit bayes @weather --save m.cairn --quiet > /dev/null
drawn
cairn fit bayes @iris --features petal_length,petal_width --density petal_length=kernel,petal_width=histogram --save m.cairn --quiet > /dev/null
drawn 1
printf 'x,y,g\n1,2,a\n2,2,a\n3,3,a\n10,9,b\n9,10,b\n11,12,a\n' >mixed.csv
cairn fit mixture mixed.csv --save m.cairn --quiet > /dev/null
drawn
cairn fit bayes-net @weather --target none --save m.cairn --quiet > /dev/null
drawn 1
cairn fit markov @weather --features outlook,temperature,humidity --save m.cairn --quiet > /dev/null
drawn 1
cairn fit hmm @coins --states 2 --seed 2 --save m.cairn --quiet > /dev/null
drawn 1
cairn fit hmm mixed.csv --features x,y --states 2 --save m.cairn --quiet > /dev/null
drawn 1
cairn fit hmm-classifier @weather --features outlook,temperature --states 2 --save m.cairn --quiet > /dev/null
drawn 1
exit 0
