# SPDX-License-Identifier: MIT
# texts as bags of words, compared by their angle
printf 'text,kind\nthe cat sat on the mat,animal\na cat and a dog,animal\nstocks fell on the market,money\nthe market and the stocks rose,money\n' >t.csv
cairn fit knn t.csv --target kind --kinds text=text --with bag --distance cosine --k 1 --save m.cairn --quiet
printf 'text\nmy cat and her dog\nthe stocks of another market\nquite unknown words\n' | cairn predict m.cairn - --output label,neighbours,nearest --format text | sed -n '/^row/,$p'
cairn fit knn t.csv --target kind --kinds text=text --with bag --distance cosine --method kd --k 1
