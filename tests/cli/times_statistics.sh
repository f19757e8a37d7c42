# SPDX-License-Identifier: MIT
# Means of times are times, deviations and ranges of times are lengths of time; values are in seconds.
printf 'when,x\n2024-01-01,1\n2024-02-01,2\n2024-03-05,3\n2024-03-07,9\n' >times.csv
cairn compute statistics times.csv
cairn describe times.csv --show statistics,shape
cairn compute statistics times.csv --format json | grep -E '"(mean|sd|range)"'
