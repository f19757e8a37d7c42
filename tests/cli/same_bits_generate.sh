# SPDX-License-Identifier: MIT
for n in 1 2 4; do cairn compute generate classify --rows 20000 --features 5 --threads $n --out g$n.csv --quiet; cairn convert g$n.csv h$n.csv --threads $n --with 'formula:z=normal()+x1*x2' --with basis:poly --with noise --with flip --target class --quiet; done
cmp g1.csv g2.csv && cmp g1.csv g4.csv && cmp h1.csv h2.csv && cmp h1.csv h4.csv && echo same
