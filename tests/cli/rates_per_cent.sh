# SPDX-License-Identifier: MIT
# Rates above 1 are per cent; a warning names the cell where others could be shares.
printf 'size,rate\n100,0.5\n100,0.25\n100,1.5\n' >mixed.csv
printf 'size,rate\n100,50\n100,25\n100,0\n' >percent.csv
cairn compute lift-chart mixed.csv --size size --rate rate
cairn compute lift-chart percent.csv --size size --rate rate
