# SPDX-License-Identifier: MIT
# What pages print as it stands: concepts without brackets, levels without quotes, first centres and
# weights as text, powers in formulas, a free parameter and a new row.
say() { echo "> $*"; cairn "$@" 2>&1 | grep -E "${only:-.}" | head -${lines:-6}; }
only='cairn:|^ *\(sunny|^h1|\^$' lines=4
say compute version-space @enjoysport --hypothesis 'sunny, warm, ?, strong, ?, ?'
say compute version-space @enjoysport --hypothesis '<sunny, warm, ?, strong, ?, ?>'
say compute version-space @enjoysport --hypothesis '(sunny, warm, ?, strong, ?, ?)'
say compute version-space @enjoysport --hypothesis 'sunny, warm, ?'
say compute version-space @enjoysport --hypothesis '<sunny, warm, ?, strong, ?, ?'
say compute generality @enjoysport --hypothesis 'sunny, ?, ?, ?, ?, ?' --hypothesis 'sunny, warm, ?, ?, ?, ?'
only='cairn:|wrong|^consistent|^rows|^new row|^M:' lines=9
say compute consistency @weather --rule 'IF outlook=sunny THEN play=no ELSE play=yes'
say compute consistency @weather --rule 'IF outlook="sunny" THEN no ELSE yes'
say compute consistency @weather --rule 'IF outlook=suny THEN no ELSE yes'
say describe --full @weather --where 'outlook in (sunny, rain) and wind != weak'
say compute consistency @pass-fail --positive Pass --free M --rule 'score1 + score2 >= M' --predict 25,36 --predict 30,30 --predict 20,20
say compute consistency @pass-fail --positive Pass --free M,N --rule 'score1 >= M and score2 >= N' --predict 25,36
printf 'x\n2\n4\n10\n12\n3\n20\n30\n11\n25\n' >one.csv
printf 'x\n2\n16\n38\n' >centres.csv
only='cairn:|^ *[123]  ' lines=6
say fit kmeans one.csv --clusters 3 --init 2,16,38 --max-iter 0 --quiet
say fit kmeans one.csv --clusters 3 --init centres.csv --max-iter 0 --quiet
say fit --full kmeans one.csv --clusters 3 --init 2,16
say fit --full kmeans @iris --ignore species --clusters 2 --init 5,3,1,0
printf 'x,y\n0,0\n1,2\n2,4\n3,6\n' >line.csv
printf 'h1 = tanh(0.1 + 0.2*x)\no1 = 0.5 + h1\n' >net.txt
cairn fit --full network line.csv --target y --epochs 1 --start 'h1 = tanh(0.1 + 0.2*x); o1 = 0.5 + h1' --save a.cairn --quiet >/dev/null
cairn fit network line.csv --target y --epochs 1 --start net.txt --save b.cairn --quiet >/dev/null
cairn predict a.cairn line.csv --quiet >a.txt; cairn predict b.cairn line.csv --quiet | cmp - a.txt && echo same
only=
say fit --full network line.csv --target y --start 'h1 = tanh(0.1 + 0.2*z); o1 = 0.5 + h1'
say fit --full linear @rides --formula 'rides ~ temperature + temperature^2'
only='cairn:|^P|collapsed|^Note|  version' lines=4
printf 'age,buys\n25,yes\n30,yes\n45,no\n' >ages.csv
say compute version-space ages.csv --target buys
say fit --full bayes @newspaper
say fit --full bayes @newspaper --density multinomial
only='^ *4  '
say compute density --values 1,2,3,4 --bins 3 --at 1,4
