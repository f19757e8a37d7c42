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
cairn draw chain --transitions '0.1,0.2,0.3,0.4;0.4,0.1,0.2,0.3;0.25,0.25,0.25,0.25;0.7,0.1,0.1,0.1' --out four.svg
python3 - <<'END'
import re
def texts(name):
    found = re.findall(r'<text[^>]*?x="([-0-9.]+)"[^>]*?y="([-0-9.]+)"[^>]*>([^<]*)</text>', open(name).read())
    return [(float(x), float(y), t) for x, y, t in found]
numbers = [t for t in texts("eight.svg") if re.fullmatch(r"0\.\d", t[2])]
near = [(a, b) for i, a in enumerate(numbers) for b in numbers[:i] if abs(a[0] - b[0]) < 20 and abs(a[1] - b[1]) < 11]
print(len(numbers), "numbers,", len(near), "on each other")
def lines_of(path):
    lines = []
    for letter, rest in re.findall(r"([MlhvLz])([^MlhvLz]*)", path):
        numbers = [float(n) for n in re.findall(r"-?[\d.]+", rest)]
        pairs = {"h": [(n, 0) for n in numbers], "v": [(0, n) for n in numbers]}.get(letter) or list(zip(numbers[::2], numbers[1::2]))
        for x, y in pairs:
            if letter == "M":
                lines.append([(x, y)])
            else:
                lines[-1].append((lines[-1][-1][0] + x, lines[-1][-1][1] + y))
    return lines
lines = [line for d in re.findall(r'<path stroke="[^>]*d="([^"z]*)"', open("four.svg").read()) for line in lines_of(d)]
def distance(x, y, a, b):
    wide, high = b[0] - a[0], b[1] - a[1]
    t = max(0, min(1, ((x - a[0]) * wide + (y - a[1]) * high) / max(wide * wide + high * high, 1e-9)))
    return ((x - a[0] - t * wide) ** 2 + (y - a[1] - t * high) ** 2) ** 0.5
numbers = [t for t in texts("four.svg") if re.fullmatch(r"0\.\d+", t[2])]
crossed = [t for t in numbers if any(distance(t[0], t[1] - 4, a, b) < 6 for l in lines for a, b in zip(l, l[1:]))]
print(len(lines), "lines,", len(numbers), "numbers,", len(crossed), "on a line")
END
exit 0
