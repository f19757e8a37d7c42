# SPDX-License-Identifier: MIT
# What the completion scripts ask for; what cannot be read gives nothing and no noise.
printf 'age,"a,b",it''s,ratio:x\n1,2,3,4\n' >x.csv
printf '\000\001\002' >bad.csv
cairn fit majority @iris --save m.cairn --quiet >/dev/null
cairn complete -- fit rid
cairn complete -- fit tree @weather-c
cairn complete -- fit tree x.csv --preset ca
cairn complete -- fit tree x.csv --target ''
cairn complete -- fit tree x.csv --target age,
cairn complete -- compare tree knn --on x.csv --target r
cairn complete -- fit tree x.csv --with impute:numbers=me
cairn complete -- predict ''
cairn complete -- convert x.csv out.csv --to libs
cairn complete -- evaluate tree x.csv --save=m
cairn complete -- list top
cairn complete -- fit tree bad.csv --target ''
cairn complete -- fit tree none.csv --target ''
cairn complete -- nonsense ''
cairn complete -- fit tree '~/x'
cairn complete
cairn complete --line 'cairn fit tree x.csv --target "a' --breaks ':='
cairn complete --line 'cairn fit tree x.csv --target ratio:' --breaks ':='
cairn complete --line 'cairn describe @titan' --breaks '@:='
