# SPDX-License-Identifier: MIT
# Ctrl-C during fit: nothing is written, nothing is left behind
awk 'BEGIN {
    srand(1)
    print "a,b,c,d,e,f,g,h,y"
    for (i = 0; i < 200000; i++) {
        for (j = 0; j < 8; j++) printf "%.6f,", rand()
        print int(rand() * 5)
    }
}' >t.csv
timeout --preserve-status --foreground -s INT 0.5 cairn fit tree t.csv --target y --threads 1 --save m.cairn
code=$?
ls
exit $code
