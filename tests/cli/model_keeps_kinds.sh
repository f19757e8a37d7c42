# SPDX-License-Identifier: MIT
# A table that is read for a model is read as the model knows its columns: the level 01 is not the
# number 1, whatever verb reads it, and a date is read by the pattern of the training file.
printf 'zip,y\n01,a\n1,b\n01,a\n1,b\n01,a\n1,b\n' >t.csv
cairn fit bayes t.csv --target y --kinds zip=level --smooth laplace --save m.cairn --quiet >/dev/null
cairn predict m.cairn t.csv
printf 'zip\n01\n1\n07\n1.0\n' >n.csv
cairn predict m.cairn n.csv
cairn predict m.cairn n.csv --kinds zip=number
cairn evaluate m.cairn t.csv --format json | grep -A3 '"accuracy"' | head -4 |
    sed -E 's/(\.[0-9]{10})[0-9]*/\1/'
cairn compute confusion m.cairn t.csv | head -12
cairn convert t.csv - --to csv --recipe m.cairn
printf 'zip,y\nx,a\n1,b\n01,a\n1,b\n01,a\n1,b\n' >c.csv
cairn fit bayes c.csv --target y --smooth laplace --chunk 2 --save c.cairn --quiet >/dev/null
cairn predict c.cairn t.csv
# a class may be a code, too
printf 'x,y\n1,01\n2,1\n1,01\n2,1\n1,01\n2,1\n' >k.csv
cairn fit bayes k.csv --target y --kinds y=level,x=level --save k.cairn --quiet >/dev/null
cairn predict k.cairn k.csv
# digits that are a date
printf 'day,y\n01022026,1\n02032026,2\n03042026,3\n04052026,4\n' >d.csv
cairn fit linear d.csv --target y --kinds 'day=time(%d%m%Y)' --with time:parts=[month] --save d.cairn --quiet >/dev/null
cairn predict d.cairn d.csv
# the header of a table for a model is known by its names
printf 'zip,y\nzip,a\n01,b\n' >h.csv
cairn predict m.cairn h.csv
