# SPDX-License-Identifier: MIT
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
printf 'a,b\n0,1\n2,0\n' > skew.csv
printf 'a,b\n0,-1\n-1,0\n' > negative.csv
printf 'a,b,c\n0,1,2\n1,0,3\n' > long.csv
said compute map skew.csv --as distances
said compute map negative.csv --as distances
said compute map long.csv --as distances
said compute map @weather
said compute map @iris --distance hamming --dimensions 151
said compute map @iris --colour petal_width
