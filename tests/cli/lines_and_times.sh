# SPDX-License-Identifier: MIT
# Features that stand in lines, dates with names of months and times of the day: read with a line
# that says so, or told how they are read.
say() { echo "> $*"; cairn "$@" 2>&1 | grep -E "${only:-.}" | head -${lines:-6}; }
printf 'play,no,no,yes,yes\ntemp,85,80,83,70\nwind,weak,strong,weak,weak\n' >words.csv
printf 'x,1,2,3,4\ny,2,4,6,8\n' >numbers.csv
printf 'size,small,large,large\nweight,3,4,5\nclass,a,b,a\n' >classes.csv
only='cairn:|    y =|classified'
say fit --full tree words.csv --target play
say fit --full tree words.csv --target play --transpose
say fit --full linear numbers.csv --target y
say fit --full linear numbers.csv --target y --transpose
say compute distances numbers.csv
say compute distances numbers.csv --header no
say fit --full tree classes.csv --target class
printf 'city,a,b\nOslo,1,2\nRome,3,4\n' >header.csv
printf 'Oslo,x,2\nRome,y,4\nParis,x,4\n' >rows.csv
say describe --full header.csv
say describe --full rows.csv
only='cairn:|^ *when'
for form in 'Oct 11 2002' '11 October 2002' '11-Oct-2002' '1:30' '13:05:10' '2:1' 'Oct 41 2002'; do
    printf 'when,x\n%s,1\n%s,2\n' "$form" "$form" >t.csv
    say describe --full t.csv --show columns
done
printf 'when,x\n"Oct 11, 2002",1\n"Nov 3, 2002",2\n"May 4, 2003",2\n' >t.csv
say describe --full t.csv --show columns
say describe --full t.csv --show columns --kinds 'when=level'
cairn convert t.csv - --to csv --quiet
printf 'Oct 11 2002,1\nNov 3 2002,2\n' >t.csv
cairn convert t.csv - --to csv --quiet
printf 'when,x\n1:30,1\n2:05,2\nnoon,3\n' >t.csv
say describe --full t.csv --show columns
