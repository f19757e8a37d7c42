# SPDX-License-Identifier: MIT
# Number columns are cut where the gain is largest.
cairn compute split @iris
cairn compute split @iris --log e | grep -E 'petal_length|largest'
