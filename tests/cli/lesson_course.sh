# SPDX-License-Identifier: MIT
# the topics, one of them, and what is refused
cairn lesson
cairn lesson --topic logistic
cairn lesson --topic treees 2>&1
cairn lesson --ask 2>&1
cairn lesson knn-six-neighbours --topic trees 2>&1
cairn lesson entropy-curve --answer 1=2 2>&1
true
