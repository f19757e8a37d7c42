# SPDX-License-Identifier: MIT
# the same bytes for any number of threads
for t in 1 2 4; do
    cairn evaluate tree @digits --by cv:4 --threads $t --format json >evaluate.$t
    cairn fit tree @digits --threads $t --save tree.$t >report.$t 2>/dev/null
    cairn fit kmeans @digits --clusters 10 --threads $t --save kmeans.$t --quiet
    cairn fit linear @diabetes --threads $t --save linear.$t --format json >numbers.$t 2>/dev/null
    cairn describe @digits --threads $t >describe.$t
    cairn predict tree.$t @digits --output all --threads $t --quiet >predict.$t
done
for what in evaluate tree report kmeans linear numbers describe predict; do
    [ -s $what.1 ] || echo "$what is empty"
    cmp $what.1 $what.2
    cmp $what.1 $what.4
done
