# SPDX-License-Identifier: MIT
cairn compute generate clouds --means '0,0;2,0' --rows 400 --out c.csv --quiet >/dev/null
cairn compute generate formula --y '3*x' --sd 1 --rows 100 --high 10 --out f.csv --quiet >/dev/null
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
said evaluate --full tree c.csv --target class --max-depth 1 --by holdout:0.5 --truth p_b,p_a | sed -n '/Against/,$p'
said evaluate --full linear f.csv --target y --by cv:5 --truth true | sed -n '/Against/,$p'
cairn fit tree c.csv --target class --ignore p_a,p_b --max-depth 1 --save c.model --quiet >/dev/null
said evaluate --full c.model c.csv --truth p_a,p_b | sed -n '/Against/,$p'
said evaluate --full tree c.csv --target class --truth p_a
said evaluate --full tree c.csv --target class --truth class,p_a
said evaluate --full tree c.csv --target class --truth p_a,x1
