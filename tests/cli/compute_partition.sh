# SPDX-License-Identifier: MIT
# Partitions beside classes: typed, columns, two files, a model; weights as repeated rows, rows
# without a class or a cluster; links typed and from a file; category utility; what is refused.
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
said compute partition --actual-labels a,a,b,b,b --labels 1,1,1,2,2 --steps --must-link '1,2;3,4' --cannot-link '1,3;2,5'
printf 'class\na\na\nb\nb\nb\n' > classes.csv
printf 'cluster\n1\n1\n1\n2\n2\n' > clusters.csv
said compute partition classes.csv clusters.csv --format json | grep -E '"(rand|adjusted-rand|pairs.both|by|actual)":'
printf 'first,second,link\n1,2,must\n3,4,must\n1,3,cannot\n' > links.csv
said compute partition classes.csv clusters.csv --links links.csv | tail -14
printf 'g,k,w\na,1,2\na,2,1\nb,2,3\n,1,1\nb,,1\n' > gaps.csv
said compute partition gaps.csv --actual g --clusters k --weight w
printf 'g,k\na,1\na,1\na,2\nb,2\nb,2\nb,2\n,1\nb,\n' > repeated.csv
said compute partition gaps.csv --actual g --clusters k --weight w --format json | grep -E '^ +"(rand|pair-f|mutual-information)":'
said compute partition repeated.csv --actual g --clusters k --format json | grep -E '^ +"(rand|pair-f|mutual-information)":'
said compute partition @weather --ignore play --clusters outlook --steps
cairn fit --full kmeans @iris --ignore species --clusters 3 --save m.cairn --quiet > fit.txt
said compute partition m.cairn @iris --target species --format json | grep -E '^ +"(rand|adjusted-rand|rows.setosa.1)":'
said evaluate m.cairn @iris --target species --format json | grep -E '^ +"(rand|pair-f|variation-of-information)":'
cairn fit --full kmeans @weather --target play --clusters 2 --save w.cairn --quiet > fit.txt
said evaluate --full w.cairn @weather --measure category-utility | tail -4
said compute partition
said compute partition classes.csv
said compute partition @iris --ignore species --labels 1,2
said compute partition classes.csv @iris --clusters species
said compute partition @iris --clusters species
said compute partition --actual-labels a,b --labels 1,1 --must-link '1,3'
said compute partition --actual-labels a,b --labels 1,1 --must-link 'one'
said compute partition --actual-labels a --labels 1
said compute partition classes.csv clusters.csv --links classes.csv
said compute partition --actual-labels a,b,c --labels 1,2
