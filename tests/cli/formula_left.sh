# SPDX-License-Identifier: MIT
# A function of the target is learned, and answers come back: R's exp(predict(lm(log(y) ~ ...))).
said() { cairn "$@" 2>&1 || echo "exit $?"; }
cairn fit --full linear @used-cars --formula 'log(price) ~ age + distance' --save log.cairn 2> /dev/null | sed -n '/^Transform 1/,/^age/p'
cairn predict log.cairn @used-cars --output number,low,high 2> /dev/null | head -3
for left in 'sqrt(price)' 'I(price^2)' 'price / 1000' 'I(1/price)' 'log10(price + 1)' '2^(price/10000)' '-(price^3)' 'cbrt([price])'; do
  cairn fit --full linear @used-cars --formula "$left ~ age" --save f.cairn 2> /dev/null | grep 'brought back by'
  cairn predict f.cairn @used-cars 2> /dev/null | sed -n 2p
done
cairn export log.cairn --to c --out log.c 2> /dev/null
cc -w -DCAIRN_SELF_TEST -o log log.c -lm 2> /dev/null && ./log
cairn evaluate --full linear @used-cars --formula 'log(price) ~ age' --by loo | grep 'root mean'
cairn compute influence @used-cars --formula 'log(price) ~ age' | grep -i 'watson'
said fit linear @used-cars --formula 'price * price ~ age'
said fit linear @used-cars --formula 'sin(price) ~ age'
said fit linear @used-cars --formula '2 * 3 ~ age'
said fit linear @used-cars --formula 'log(prise) ~ age'
said fit linear @used-cars --formula 'log(price - 14000) ~ age' | tail -2
said fit linear @used-cars --formula 'I((price - 15000)^2) ~ age' | tail -2
said fit linear @used-cars --formula 'log(price) ~ price'
said fit tree @iris --formula 'log(species) ~ petal_width'
