# SPDX-License-Identifier: MIT
# State diagrams: arrows and loops with their probabilities, none for what cannot happen; what is refused.
cairn draw chain --states rain,dry --transitions '0.3,0.7;0.2,0.8' --out w.svg
grep -o '>[a-z0-9.]*</text>' w.svg | sort
cairn draw chain --given 'states a b; from a 0 1; from b 0 1' --out b.svg
grep -o '>[a-z0-9.]*</text>' b.svg | sort
cairn draw chain --sequences 'a b c d e f g h i j k l m n o p q a' --out big.svg
cairn draw chain --out none.svg
exit 0
