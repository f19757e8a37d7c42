# SPDX-License-Identifier: MIT
cairn draw shattering --points 3.25,4.75 --class threshold
cairn draw shattering --points '0,0;1,0;1,1;0,1' --out square.svg && grep -o '>[^<]*impossible' square.svg
cairn draw subsets --of a,b --out subsets.svg && grep -c '<svg' subsets.svg
cairn draw shattering --points '1,2,3,4,5,6,7' --class threshold
