# SPDX-License-Identifier: MIT
# Histograms of classes along Fisher's direction with the criterion that discriminant finds; scores of
# the first component along a line; what is refused.
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
said draw projection @fisher-points --direction fisher --part histogram
cairn draw projection @fisher-points --direction fisher --part histogram --out f.svg 2>&1
grep -o 'J = [^<]*' f.svg
cairn fit discriminant @fisher-points --format json | grep -E '^ +"criterion":'
said draw projection @iris --of-class setosa --direction fisher --part histogram | tail -5
said draw components @pca --part strip
printf 'x,y,k\n1,2,a\n2,4,a\n3,6,b\n5,10,b\n' > line.csv
said draw projection line.csv --target k --direction fisher --part histogram
said draw projection @fisher-points --part histogram --marks hollow
