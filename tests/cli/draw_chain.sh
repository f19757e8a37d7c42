# SPDX-License-Identifier: MIT
# State diagrams: arrows and loops with their probabilities, none for what cannot happen; what is refused.
cairn draw chain --states rain,dry --transitions '0.3,0.7;0.2,0.8' --out w.svg
grep -o '>[a-z0-9.]*</text>' w.svg | sort
cairn draw chain --given 'states a b; from a 0 1; from b 0 1' --out b.svg
grep -o '>[a-z0-9.]*</text>' b.svg | sort
cairn draw chain --sequences 'a b c d e f g h i j k l m n o p q a' --out big.svg
cairn draw chain --out none.svg
# a long name fits into its state, every state lies in the picture, and numbers of many lines keep apart
cairn draw chain --states 'a rather long name,x' --transitions '0.3,0.7;1,0' --out name.svg
cairn draw chain --states 'a name that is much longer than any state should have,x' --transitions '0.3,0.7;1,0' --out cut.svg
grep -o '>[^<>]*</text>' cut.svg | sort
cairn draw chain --transitions '0,.1,.2,.3,.4,0,0,0;.1,0,.2,.3,.4,0,0,0;0,.1,.2,0,.3,.4,0,0;0,0,.1,.2,0,.3,.4,0;0,0,0,.1,.2,.3,0,.4;.4,0,.3,0,.2,0,.1,0;0,.4,0,.3,0,.2,0,.1;.1,0,0,.2,0,.3,.4,0' --out eight.svg
python3 - <<'END'
import re
def texts(name):
    found = re.findall(r'<text[^>]*?x="([-0-9.]+)"[^>]*?y="([-0-9.]+)"[^>]*>([^<]*)</text>', open(name).read())
    return [(float(x), float(y), t) for x, y, t in found]
numbers = [t for t in texts("eight.svg") if re.fullmatch(r"0\.\d", t[2])]
near = [(a, b) for i, a in enumerate(numbers) for b in numbers[:i] if abs(a[0] - b[0]) < 20 and abs(a[1] - b[1]) < 11]
print(len(numbers), "numbers,", len(near), "on each other")
END
exit 0
