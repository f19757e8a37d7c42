# SPDX-License-Identifier: MIT
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
said draw penalty --q 1,2 --lambda 2.75
said draw penalty @used-cars --target price --x age --y weight --q 1
said draw penalty --squares 1,2,1
said draw penalty --best 1,2,3
said draw penalty --q 0,1
said draw penalty @iris
said draw penalty @used-cars --target price --x age --y price
cairn fit ridge @used-cars --target price --lambda 1 --save one.cairn --quiet
said draw path one.cairn
cairn fit logistic @iris --penalty l1 --path 8 --save paths.cairn --quiet
said draw path paths.cairn
said draw path paths.cairn --validation
