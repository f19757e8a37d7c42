# SPDX-License-Identifier: MIT
# What a mixture refuses: starts that do not fit, more components than rows, numbers without squares.
mix() { cairn fit mixture "$@" 2>&1 | tail -3; }
mix @mixture --components 0
mix @mixture --components 5:2
mix @mixture --components 500
mix @mixture --start-means '1;2;3'
mix @mixture --start-means 'a;2'
mix @mixture --start-means '1;inf'
mix @iris --ignore species --start-means '1;2'
mix @mixture --start-means '1;2' --start-weights 0.5,0.6
mix @mixture --start-means '1;2' --start-weights 1
mix @mixture --start-means '1;2' --start-variances '1;-1'
mix @mixture --start-means '1;2' --start-variances '1,1;1,1'
mix @mixture --start-weights 0.5,0.5
mix @mixture --given 1,2
mix @mixture --components 1:90 --choose held-out --starts 1
printf 'a,b\n1,1e200\n2,3\n3,4\n' > huge.csv
mix huge.csv
