# SPDX-License-Identifier: MIT
# Two lengths of a report: what cannot be both, what is always full, and that evaluate and compare
# give the same interval of the same thing.
say() { echo "> $*"; cairn "$@" 2>&1; }
say evaluate tree @iris --full --brief
say evaluate tree @iris --brief --format json
say evaluate tree @iris --brief --out page.html
cairn evaluate tree @iris >short.txt
cairn evaluate tree @iris --brief | cmp - short.txt && echo 'brief is what is done'
cairn evaluate tree @iris --full >long.txt
cairn evaluate tree @iris --out file.txt 2>/dev/null && cmp file.txt long.txt && echo 'files are full'
for format in json markdown html; do
    cairn evaluate tree @iris --format $format >a
    cairn evaluate tree @iris --format $format --full >b
    cmp a b && echo "$format is full"
done
cairn evaluate tree @titanic | grep -o 'accuracy.*95%: .*'
cairn compare tree majority --on @titanic | grep '^tree'
cairn evaluate linear @diabetes | grep -E 'RMSE +[0-9]'
cairn compare linear majority --on @diabetes | grep '^linear'
say fit tree @titanic
say tune tree @iris --over max-depth=1:4
say evaluate knn @digits --by cv:3
say describe @titanic
cairn fit tree @titanic --steps | grep -c '^Step'
cairn fit tree @titanic --steps --full | grep -c '^Step'
