# SPDX-License-Identifier: MIT
# Ctrl-C inside an iteration
awk 'BEGIN {
    srand(1)
    print "a,b,c,d,e,f"
    for (i = 0; i < 150000; i++) print rand() "," rand() "," rand() "," rand() "," rand() "," rand()
}' >t.csv
timeout --preserve-status --foreground -s INT 0.6 cairn fit kmeans t.csv --clusters 200 --max-iter 100000 --threads 1
