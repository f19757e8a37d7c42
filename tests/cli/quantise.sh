# SPDX-License-Identifier: MIT
# Codes of a code book as a transform, typed books, pictures in a few colours; what is refused.
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
printf 'x,y,c\n0,0,a\n1,0,a\n9,9,b\n10,9,b\n,5,b\n' >five.csv
said convert five.csv codes.csv --with quantise:codes=2
cat codes.csv
said convert five.csv both.csv --with 'quantise:codes=2,give=both,name=symbol'
cat both.csv
said fit bayes five.csv --target c --with quantise:codes=2 --save m.cairn --quiet
printf 'x,y\n2,1\n8,8\n' >new.csv
said predict m.cairn new.csv
said export m.cairn --to c --out m.c
said fit linear @iris --target petal_width --ignore species --with quantise:codes=9,give=both --save l.cairn --quiet
said export l.cairn --to c --out l.c
said compute quantise five.csv --where 'x >= 0' --features x,y --book '0,0;9,9' --bits 8 --points 'here=4,4;5,5' | sed -n '/^Bits/,$p'
said compute quantise five.csv --features x,y
said compute quantise new.csv --book '1,2,3'
said compute quantise new.csv --codes 3
printf 'P3\n# four pixels\n2 2\n255\n10 0 0  12 0 0\n100 0 0  104 0 0\n' >reds.ppm
said describe --full reds.ppm | grep -E 'rows|green'
said compute palette reds.ppm --colours 2 --out small.ppm | sed -n '/^Palette$/,$p'
head -c 11 small.ppm
od -An -tu1 -j11 small.ppm
said convert small.ppm small.csv
cat small.csv
printf 'x,y,red,green,blue\n0,0,1,1,1\n0,0,2,2,2\n' >twice.csv
said convert twice.csv twice.ppm
printf 'x,y,red,green,blue\n0,0,1,1,1\n1,1,2,2,2\n' >gap.csv
said convert gap.csv gap.ppm
said convert five.csv five.ppm
printf 'P3\n2 2\n255\n10 0 0\n' >short.ppm
said compute palette short.ppm
said compute palette five.csv
