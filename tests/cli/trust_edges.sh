# SPDX-License-Identifier: MIT
# Numbers at the edge end in an answer or a refusal, never in a loop: ranges that overflow, counts above 2^53, typed
# numbers that are not finite, columns that overflow, names that look like separators.
say() { timeout -s KILL 20 cairn "$@" 2>&1 | grep -v '^ *$' | head -"${lines:-3}"; }
printf 'x,w\n-1.7e308,1\n1.7e308,2\n1e308,1\n-1e308,2\n5,1\n' >huge.csv
lines=6 say describe --full huge.csv
lines=6 say describe --full huge.csv --weight w
timeout -s KILL 20 cairn compute proportion --successes 80 --n 1e17 --against 0.5 --format json | tr ',{' '\n\n' | grep -c exact
timeout -s KILL 20 cairn compute distribution binomial --parameters 1e18,0.5 --lower 0.3 | grep -c x
say compute impurity --counts '1e308,1e308'
timeout -s KILL 20 cairn compute impurity --counts 1e308,5 | grep -c inf
say compute frequency @mixture --bin-width 1e-320
say compute version-boxes @family-car --box nan,66,170,290
say compute version-discs @family-car --centre nan,10
say compute box @mixture --reach inf
for with in basis 'formula:y=x*x'; do say convert huge.csv - --to csv --with "$with"; done
say convert huge.csv - --to csv --with bins:bins=3
printf 'x,y\n0,0\n1,20\n2,40\n' >line.csv && printf 'x\n1\n-1e308\n' >far.csv
cairn fit linear line.csv --target y --save line.cairn --quiet >/dev/null
say predict line.cairn far.csv --out far_y.csv
say predict line.cairn far.csv --out sqlite:far.db?table=y
ls far_y.csv far.db 2>&1 | grep -c 'No such'
printf '"a; b; c",n,"d; e; f"\n"u; v; w",1,"x; y; z"\n"v; u; w",2,"z; y; x"\n' >names.csv
cairn convert names.csv again.csv --quiet && cairn convert again.csv - --to json --quiet | head -2
printf '{" a":"x"}\n' >blank.ndjson
say convert blank.ndjson - --to csv
printf '{"a":"NA","b":""}\n{"a":"x","b":"y"}\n' >marks.ndjson
cairn convert marks.ndjson - --to csv 2>&1
exit 0
