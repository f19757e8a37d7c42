# SPDX-License-Identifier: MIT
# What is 0 but for rounding is printed and named 0; what is small by itself is not.
printf 'a,amount\n1,0.1\n2,0.1\n3,0.1\n4,0.7\n5,0.7\n6,0.7\n' >steps.csv
cairn fit tree steps.csv --target amount --min-leaf 1 --steps --format json | grep -o '"node1.part[^,]*variance": [^,]*'
cairn compute split --table '4,4;2,2' --steps --full | grep 'gain ='
printf 'r,w\n2,90\n3,180\n' >turns.csv
cairn convert turns.csv out.csv --with polar:to=cartesian,unit=degrees --quiet; cat out.csv
cairn compute distribution binomial --parameters 90,0.5 --at 0 --format json | grep -o '8[.0-9]*e-28' | head -1
