# SPDX-License-Identifier: MIT
said() { cairn "$@" 2>&1 && echo "exit 0" || echo "exit $?"; }
said draw contours --gaussian 0,0,1,1,0.8 --gaussian 3,0,1,1,0.8
said draw contours --function 'x^2 + y^2' --levels 1,4
said draw contours --gaussian 0,0,1,1,2
said draw contours @collinear
said draw distance-circles --distance manhattan --distance euclidean
said draw distance-circles --distance cosine
cairn fit gaussian @iris --covariance own --features petal_length,petal_width --save two.cairn --quiet > /dev/null
cairn draw contours two.cairn --out model.svg 2>/dev/null
cairn draw contours @iris --x petal_length --y petal_width --out rows.svg 2>/dev/null
for file in model rows; do # lines of one style are one path with several beginnings
    echo "$file: $(grep 'stroke="#333333" stroke-width="1.8"' $file.svg | grep -o M | wc -l)"
done
cairn compute world --method q-learning --episodes 200 --out world.svg 2>/dev/null > none.txt
grep -o '>What was[^<]*<\|>?<' world-policy.svg | uniq
