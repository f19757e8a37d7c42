# SPDX-License-Identifier: MIT
# Columns, levels and files with control letters (C0, C1) and marks that turn the direction of writing: whatever
# a command says, on either stream, holds none of them raw.
esc=$(printf '\033') turn=$(printf '\342\200\256') code=$(printf '\302\233')
x="x${esc}]0;T$(printf '\007')" g="g${turn}h" y="y${code}31m"
{
    printf '"%s","%s","%s",n\n' "$x" "$g" "$y"
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
        printf '%s,l%s%s,c%s%s,%s\n' "$i" "$code" $((i % 3)) "$esc" $((i % 2)) $((i * i % 7))
    done
} >"in${esc}[31m.csv"
cp "in${esc}[31m.csv" "e$code.csv"
data=e$code.csv
# Lines of what a command says that hold such a letter; and its exit code where it is not 0.
try() {
    cairn "$@" >said 2>&1
    status=$?
    raw=$(LC_ALL=C grep -c "$(printf '[\033\007\177]\|\302[\200-\237]\|\342\200[\252-\256]\|\342\201[\246-\251]')" said)
    [ "$raw" = 0 ] || { echo "$*: $raw lines" | sed 's/[^ -~]/?/g'; sed 's/[^ -~]/?/g' said; }
    echo "$1 $2 exit $status" | sed 's/[^ -~]/?/g'
}
try describe "$data"
try describe "$data" --target "$y" --format markdown
try describe "$data" --format json
try convert "$data" "o$esc.json"
try convert "$data" "o$turn.csv" --with standardise
try fit tree "$data" --target "$y" --save "m$esc.cairn" --steps
try fit linear "$data" --target "$x" --save "l$code.cairn"
try fit kmeans "$data" --clusters 2
try fit bayes "$data" --target "$y"
try fit tree "$data" --target "no$esc"
try fit tree "none$esc.csv" --target y
try describe "m$esc.cairn"
try predict "m$esc.cairn" "$data" --out "p$turn.csv"
try predict "l$code.cairn" "$data" --out "p$esc.csv"
try evaluate "m$esc.cairn" "$data"
try evaluate tree "$data" --target "$y" --by cv:2 --out "q$esc.csv"
try compare tree bayes --on "$data" --target "$y" --by cv:2
try compare tree bayes --on "$data" --target "$y" --by cv:2 --out "c$code.csv"
try tune tree "$data" --target "$y" --over max-depth=1,2 --by cv:2 --journal "j$esc.txt"
try export "m$esc.cairn" --to c --out "m$code.c"
try draw scatter "$data" --colour "$g"
try draw tree "m$esc.cairn" --out "t$esc.svg"
try draw histogram "$data" --column "$x"
try compute statistics "$data" --column "$x" --by "$g"
try compute frequency "$data" --column "$x"
try compute contingency "$data" --rows "$g" --columns "$y"
try describe "$data" --kinds "$g=number"
try describe "$data" --where "$x > 3"
try predict "m$esc.cairn" "$data" --explain --out "w$esc.txt"
try evaluate "$data" --as predictions --target "$y"
try convert "$data" "r$esc.csv" --with standardise --save "r$code.cairn"
try convert "$data" "s$esc.csv" --recipe "r$code.cairn"
try convert "$data" "u$esc.nothing"
try compute statistics "$data" --column "$x" --out "v$code.csv"
try compute statistics "$data" --column "no$code"
try compute "no$esc"
try fit tree "$data" --target "$y" --out "f$esc.html"
try fit tree "$data" --target "$y" --weight "$g" --id "$x"
try fit kmeans "$data" --clusters 2 --out "k$turn.csv" --save "k$esc.cairn"
try draw scatter "$data" --out "d$code.svg"
try export "l$code.cairn" --to json --out "l$esc.json"
try export "l$code.cairn" --to "no$esc"
try tune tree "$data" --target "$y" --over "no$esc=1"
try lesson "no$turn"
try lesson "$data"
try list "no$esc"
try help "no$code"
try explain "m$esc.cairn" "$data"
try "no$esc"
try fit "tre$esc" "$data"
try fit tree "$data" --target "$y" --max-depth "1$esc"
try fit tree "$data" --target "$y" "--no$esc" 1
exit 0
