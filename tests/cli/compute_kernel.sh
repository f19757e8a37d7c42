# SPDX-License-Identifier: MIT
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
cairn compute kernel --x 1,2 --y 3,-1 --kernel poly --offset 1 --steps
cairn compute kernel --x 1,2 --y 3,-1 --kernel laplace --sigma 2 --manhattan --steps
cairn compute kernel @xor --rows 1,4 --gamma 0.5 --ignore class
cairn compute kernel --kernel spectrum --length 2 --x banana --y ananas --steps
cairn compute kernel --kernel edit --x kitten --y sitting --steps
cairn compute gram @squares --kernel sigmoid --factor 0.1 --offset -1 --target t --steps
cairn compute gram @squares --target t --out gram.csv >/dev/null
cairn compute gram gram.csv --as gram --target t
said compute kernel --x 1,2 --y 3,4 --gamma 1 --sigma 2
said compute kernel --x 1,2 --y 3,4 --degree 2
said compute kernel --x 1,2 --y 3,4 --kernel precomputed
said compute kernel --x 1,2 --y 3,4 --kernel poly --degree 0
said compute kernel --x 1,2 --y 3
said compute kernel --x 1,2
said compute kernel @iris --rows 1,2
said compute kernel @xor --rows 1
said compute kernel --x 1e200,1 --y 1,1 --kernel poly
said compute gram @squares --target t --kernel spectrum
