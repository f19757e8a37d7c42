# SPDX-License-Identifier: MIT
# A picture goes to standard output, alone, also that of a verb that judges; several do not.
cairn draw scatter @iris --x petal_length --y petal_width --out -.svg --quiet > a.svg
cairn draw scatter @iris --x petal_length --y petal_width --out b.svg --quiet
cmp a.svg b.svg && head -c 4 a.svg && echo
cairn draw scatter @iris --x petal_length --y petal_width --out -.png | head -c 4 | od -c | head -1
cairn evaluate tree @titanic --figure roc --out -.svg | head -c 4; echo
ls
cairn fit tree @iris --out -.svg
cairn describe @iris --out -.svg
cairn fit tree @iris --save @mine
echo "status $?"
