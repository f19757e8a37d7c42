# SPDX-License-Identifier: MIT
# A model that follows a stream: more rows by --from, which needs no settings, and by --chunk; batches in the steps.
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
printf 'x\n0\n100\n1\n103\n' >first.csv
printf 'x\n2\n5\n104\n1\n105\n' >more.csv
said fit kmeans first.csv --clusters 2 --init first --scale none --save m.cairn --quiet
said fit --full kmeans more.csv --from m.cairn --save m.cairn --steps | sed -n '/^Step 1/,/^Clusters/p'
said describe --full m.cairn | grep -A4 '^cluster '
said fit --full kmeans more.csv --from m.cairn --clusters 3
cat first.csv more.csv | grep -v x | sed '1i x' | said fit --full kmeans - --clusters 2 --init first --scale none --chunk 4 | grep -A4 '^cluster '
said fit --full kmeans first.csv --clusters 2 --batch-size 3
said fit --full kmeans @iris --ignore species --clusters 3 --form spherical --exact
