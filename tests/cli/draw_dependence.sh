# SPDX-License-Identifier: MIT
# Classes are told apart by dashes, too, and panels have the same y axis.
cairn fit bayes @iris --save b.cairn --quiet
cairn draw dependence b.cairn @iris --columns sepal_width,petal_width --out two.svg
grep -o 'stroke-dasharray="[^"]*"' two.svg | sort | uniq -c
grep -o '>0[.][0-9]*<' two.svg | sort | uniq -c
