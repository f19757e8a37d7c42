# SPDX-License-Identifier: MIT
# A grey picture in a few greys: PGM files have no columns of colours, and do not say how wide a line is.
printf 'P2\n4 3\n255\n0 10 200 210\n5 12 190 220\n8 9 205 215\n' >grey.pgm
cairn compute palette grey.pgm --colours 2 --width 4 --out small.ppm | head -24
head -c 11 small.ppm
cairn draw palette grey.pgm --colours 2 --width 4 --out grey.svg
printf 'P2\n2 2\n255\n0 1\n200 201\n' >square.pgm
cairn compute palette square.pgm --colours 2 --format json | grep -E '"(width|height|colour.[12].red|distortion)"'
echo "== refused"
cairn compute palette grey.pgm || echo $?
cairn compute palette grey.pgm --width 5 || echo $?
cat square.pgm square.pgm >two.pgm
cairn compute palette two.pgm || echo $?
cairn compute palette @iris || echo $?
