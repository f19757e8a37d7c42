# SPDX-License-Identifier: MIT
# Names and cells of a stranger's file reach a terminal spelt out: in warnings, errors, reports,
# pictures, programs, and in documents where standard output is a terminal.
command -v script >/dev/null || exit 77
script -qec true /dev/null </dev/null >/dev/null 2>&1 || { echo 'no terminal device'; exit 77; }
esc=$(printf '\033')
printf 'a\033[31m,b\342\200\256c,y\n1,u\033]0;x\007,p\n2,v,n\n3,u\033]0;x\007,p\n4,v,n\n5,u\033]0;x\007,p\n6,v,n\n' >e.csv
raw() { LC_ALL=C grep -c "$(printf '[\033\007\177]\|\342\200\256')"; }
cairn fit --full tree e.csv --target "q${esc}[31m" 2>&1 | tee err | raw
cat err
cairn fit --full tree e.csv --target y --save m.cairn >report 2>&1
raw <report
grep -c 'x1b\|u202e' report
printf 'b\342\200\256c,a\033[31m\nnew\033[1m,1\n' >new.csv
cairn predict m.cairn new.csv 2>&1 >/dev/null | tee err | raw
cat err
cairn draw tree m.cairn --out t.svg --quiet
raw <t.svg
cairn export m.cairn --to c --out t.c --quiet
raw <t.c
cairn describe e.csv --format json | raw
for form in text rules dot; do
    script -qec "cairn export m.cairn --to $form" /dev/null </dev/null | raw
done
script -qec "cairn convert e.csv - --to csv --quiet" /dev/null </dev/null | raw
cairn convert e.csv - --to csv --quiet | tr -d '"' | cmp - e.csv && echo 'files keep their bytes'
exit 0
