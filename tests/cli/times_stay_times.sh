# SPDX-License-Identifier: MIT
# Computed times come out as dates in the pattern of the column that they come of, also from a model; what needs a clock
# gets one. Dates that are written in several ways are told of, with rows.
printf 'id,day,at,y\n1,15.11.2026,2026-11-15T10:00:00+02:00,1\n2,16.11.2026,2026-11-16T11:30:00.250+02:00,2\n3,,,3\n' > d.csv
K="--time-format %d.%m.%Y"
cairn convert d.csv - --to csv $K
cairn convert d.csv - --to csv $K --with 'formula:due=day+86400*14,noon=day+43200,first=min(day,date(2026,11,15)),late=if(y>1,day,missing),gap=at-day,seconds=number(day),later=at+1.5' --ignore y
cairn convert d.csv - --to ndjson $K --with 'formula:due=day+86400' --ignore y
cairn fit majority d.csv --target y $K --id day --save m.cairn --quiet --out fitted.txt
cairn predict m.cairn d.csv --quiet
printf 'd,x\n2026-11-15,1\n16.11.2026,2\n2026-11-17,3\n18.11.2026,4\n11/19/2026,5\n' > mixed.csv
cairn convert mixed.csv - --to csv 2>&1
