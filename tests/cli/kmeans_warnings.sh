# SPDX-License-Identifier: MIT
cairn fit kmeans @titanic --clusters 2 --features age,sex --format json | grep -o '"warning[^,]*'
{
    seq -s, 1 60
    seq -s, 2 61
    seq -s, 9 68
} >wide.csv
cairn fit kmeans wide.csv --header no --clusters 2 --format json | grep -o '"warning[^,]*'
