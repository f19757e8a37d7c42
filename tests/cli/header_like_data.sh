# SPDX-License-Identifier: MIT
# A header whose name is a class, too, is taken as data: that is told, and how to say otherwise.
printf 'spam,x\nspam,a\nham,b\nspam,c\n' >t.csv
cairn fit bayes t.csv --target spam || echo "exit $?"
cairn fit bayes t.csv --target spam --header yes --quiet >/dev/null && echo fine
cairn describe t.csv --show columns
cairn describe t.csv --show columns --header no
cairn fit bayes t.csv --target spam --header yes --save m.cairn --quiet >/dev/null
cairn predict m.cairn t.csv
cairn predict m.cairn t.csv --header no || echo "exit $?"
printf '5,1\n6,2\n' >n.csv
cairn describe n.csv --show columns
printf 'a,b\na,b\nb,a\na,a\n' >all.csv
cairn describe all.csv --show columns
