# SPDX-License-Identifier: MIT
# A target of 0 and 1 is described as classes; columns are ordered on one scale; what gives the
# target away by one split is told.
{ echo weight,region,noise,low
  i=0
  while [ $i -lt 60 ]; do
      w=$((2000 + i * 17)); l=0; [ $w -le 2509 ] && l=1
      echo "$w,r$((i % 3)),n$i,$l"
      i=$((i + 1))
  done; } >birth.csv
cairn describe birth.csv --target low --show target,checks
