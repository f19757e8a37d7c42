# SPDX-License-Identifier: MIT
cairn fit majority @weather --save m.cairn --quiet
size=$(wc -c <m.cairn)
for at in 9 20 60 150 $((size / 2)) $((size - 3)); do
    { head -c $at m.cairn; printf '\377'; tail -c +$((at + 2)) m.cairn; } >bad.cairn
    cmp -s m.cairn bad.cairn && continue
    cairn predict bad.cairn @weather >out 2>message
    echo "exit $?, $(wc -c <out | tr -d ' ') bytes printed"
done
cat message
