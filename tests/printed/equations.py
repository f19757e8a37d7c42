# SPDX-License-Identifier: MIT
"""Every printed equation is true.

    equations.py PROGRAM    reads the steps of all lessons, of all examples and of the examples with
                            other options, works out the equations A = B = C in them, and lists those
                            whose sides differ. --passed-over FILE writes the lines that it could not
                            work out.

A printed number stands for all numbers that are printed so: half a unit of its sixth significant
digit to either side, or, if that is not enough, of the last digit that it shows (of two at least).
A side of an equation is therefore an interval, and two sides agree if their intervals meet."""
import math
import re
import sys
from corpus import Corpus, texts

TOKEN = re.compile(r"""\s*(?:
    (?P<number>\d+(?:,\d{3})+(?![\d])|\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)
  | (?P<raised>[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)
  | (?P<word>log₂|log₁₀|log2|log10|[A-Za-zα-ωΑ-Ω_′']+[₀-₉0-9]*)
  | (?P<sign>[-−+*·×/^(),|√½¼¾∞‖%!±\[\]])
)""", re.X)
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
HALVES = {"½": 0.5, "¼": 0.25, "¾": 0.75}
PLAIN = re.compile(r"[-−]?[\d.,]+(?:e[-+]?\d+)?(?: ?%)?")
NAME = re.compile(r"[^\W\d_]+[₀-₉]*")
SLACK = 1e-12  # of doubles that are worked out in another order


class Unread(Exception):
    """A side that is no arithmetic; its text is the shape that was met."""


class Span:
    """The numbers from lo to hi."""

    def __init__(self, lo, hi=None):
        self.lo, self.hi = lo, lo if hi is None else hi

    def __neg__(self):
        return Span(-self.hi, -self.lo)

    def __add__(self, other):
        ends = [abs(x) for x in (self.lo, self.hi, other.lo, other.hi)]
        noise = SLACK * max(ends) if all(map(math.isfinite, ends)) else 0
        return Span(self.lo + other.lo - noise, self.hi + other.hi + noise)

    def __sub__(self, other):
        return self + -other

    def __mul__(self, other):
        return hull([times(a, b) for a in (self.lo, self.hi) for b in (other.lo, other.hi)])

    def __truediv__(self, other):
        if other.lo <= 0 <= other.hi:
            if other.lo == other.hi:
                if self.lo <= 0 <= self.hi:
                    return Span(math.nan)
                return Span(math.copysign(math.inf, self.lo))
            return Span(-math.inf, math.inf)
        return self * Span(1 / other.hi, 1 / other.lo)

    def meets(self, other):
        """Whether some number is in both, or both are undefined."""
        ends = (self.lo, self.hi, other.lo, other.hi)
        if any(math.isnan(x) for x in ends):
            return math.isnan(self.lo) and math.isnan(other.lo)
        size = max([abs(x) for x in ends if math.isfinite(x)], default=0)
        slack = SLACK * size
        return self.lo <= other.hi + slack and other.lo <= self.hi + slack


def times(a, b):
    """0 times anything is 0, as in p log p."""
    return 0.0 if a == 0 or b == 0 else a * b


def hull(numbers):
    if any(math.isnan(x) for x in numbers):
        return Span(math.nan)
    return Span(min(numbers), max(numbers))


def rising(function):
    """A function that rises, on a span."""
    return lambda x: Span(function(x.lo), function(x.hi))


def logarithm(base):
    def of(x):
        if x <= 0:
            return -math.inf
        return math.log(x) / math.log(base)
    return rising(of)


def root(x):
    if x.hi < 0:
        raise Unread("root of a negative number")
    return Span(math.sqrt(max(x.lo, 0)), math.sqrt(x.hi))


def size(x):
    if x.lo <= 0 <= x.hi:
        return Span(0, max(-x.lo, x.hi))
    return Span(min(abs(x.lo), abs(x.hi)), max(abs(x.lo), abs(x.hi)))


def exponential(x):
    return math.exp(x) if x < 709 else math.inf


def power(base, exponent):
    if exponent.lo == exponent.hi and exponent.lo == int(exponent.lo):
        n = int(exponent.lo)
        ends = [base.lo ** n if base.lo or n >= 0 else math.inf,
                base.hi ** n if base.hi or n >= 0 else math.inf]
        if n % 2 == 0 and n > 0 and base.lo <= 0 <= base.hi:
            ends.append(0.0)
        return hull(ends)
    if base.hi < 0:
        raise Unread("power of a negative number")
    low = max(base.lo, 0.0)
    return hull([0.0 if a == 0 and b > 0 else a ** b if a else math.inf
                 for a in (low, base.hi) for b in (exponent.lo, exponent.hi)])


def least(*spans):
    return Span(min(s.lo for s in spans), min(s.hi for s in spans))


def largest(*spans):
    return Span(max(s.lo for s in spans), max(s.hi for s in spans))


def choices(n, k):
    if n.lo != n.hi or k.lo != k.hi or n.lo % 1 or k.lo % 1:
        raise Unread("letters")
    return Span(float(math.comb(int(n.lo), int(k.lo))))


def sigmoid(x):
    return 1 / (1 + exponential(-x))


FUNCTIONS = {
    "ln": logarithm(math.e), "log": None, "log₂": logarithm(2), "log2": logarithm(2),
    "lb": logarithm(2), "ld": logarithm(2), "log₁₀": logarithm(10), "log10": logarithm(10),
    "lg": logarithm(10), "exp": rising(exponential), "sqrt": root, "abs": size,
    "tanh": rising(math.tanh), "sigmoid": rising(sigmoid), "arctan": rising(math.atan),
    "max": largest, "min": least,
    "Φ": rising(lambda x: math.erfc(-x / math.sqrt(2)) / 2), "C": choices,
    "sign": rising(lambda x: (x > 0) - (x < 0)),
}
CONSTANTS = {"π": math.pi, "pi": math.pi, "e": math.e}


def number_span(text, loose):
    """The numbers that are printed as `text`."""
    plain = text.replace(",", "")
    value = float(plain)
    mantissa, _, exponent = plain.lower().partition("e")
    places = len(mantissa.partition(".")[2])
    shown = 10.0 ** (int(exponent or 0) - places)
    sixth = 10.0 ** (math.floor(math.log10(value)) - 5) if value else 0.0
    if "." not in plain and "e" not in plain.lower():
        half = sixth / 2 if value >= 1e5 or loose else 0.0
    else:
        few = len(mantissa.replace(".", "").strip("0")) < 2  # 0.1 is a tenth, not 0.05 to 0.15
        half = max(shown, sixth) / 2 if loose and not few else min(shown, sixth) / 2
    return Span(value - half, value + half)


class Reader:
    """Reads one side of an equation."""

    def __init__(self, text, names, loose):
        self.tokens, self.at, self.names, self.loose = [], 0, names, loose
        position = 0
        while position < len(text) and text[position:].strip():
            token = TOKEN.match(text, position)
            if not token:
                raise Unread("a sign that is none of arithmetic")
            self.tokens.append((token.lastgroup, token.group(token.lastgroup)))
            position = token.end()

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else (None, None)

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def whole(self):
        value = self.sum()
        if self.at < len(self.tokens):
            raise Unread("words and numbers")
        return value

    def sum(self):
        value = self.product()
        while self.peek()[1] in ("+", "-", "−", "±"):
            sign = self.take()[1]
            other = self.product()
            if sign == "±":
                value, other = scalar(value), scalar(other)
                value = [value - other, value + other]
                continue
            value = apply(value, other, Span.__add__ if sign == "+" else Span.__sub__)
        return value

    def product(self):
        value = self.signed()
        while True:
            kind, text = self.peek()
            if text in ("*", "·", "×", "/"):
                self.take()
                other = self.signed()
                value = divided(value, other) if text == "/" else product(value, other)
            elif kind == "word" or (kind == "sign" and text in "(√½¼¾") or (
                    kind == "number" and self.tokens[self.at - 1][1] in (")", "½", "¼", "¾")):
                if isinstance(value, list):
                    raise Unread("a list beside a number")
                value = product(value, self.signed())
            else:
                return value

    def signed(self):
        if self.peek()[1] in ("-", "−"):
            self.take()
            return negative(self.signed())
        if self.peek()[1] == "+":
            self.take()
            return self.signed()
        return self.raised()

    def raised(self):
        value = self.atom()
        while True:
            kind, text = self.peek()
            if kind == "raised":
                self.take()
                value = power(scalar(value), Span(float(text.translate(RAISED))))
            elif text == "^":
                self.take()
                value = power(scalar(value), scalar(self.signed()))
            elif text == "%":
                whole = self.tokens[self.at - 1][1].isdigit()
                self.take()
                half = 0.5 if whole and self.loose else 0
                value = (scalar(value) + Span(-half, half)) / Span(100)
            elif text == "!":
                self.take()
                whole = scalar(value)
                if whole.lo != whole.hi or not 0 <= whole.lo <= 170 or whole.lo % 1:
                    raise Unread("factorial")
                value = Span(float(math.factorial(int(whole.lo))))
            else:
                return value

    def listed(self, closing):
        """What stands in brackets: one value, or several behind commas."""
        values = [self.sum()]
        while self.peek()[1] == ",":
            self.take()
            values.append(self.sum())
        if self.peek()[1] != closing:
            raise Unread("words in brackets")
        self.take()
        return values

    def atom(self):
        if self.at == len(self.tokens):
            raise Unread("a side that ends early")
        kind, text = self.take()
        if kind == "number":
            return number_span(text, self.loose)
        if text == "(":
            values = self.listed(")")
            return values[0] if len(values) == 1 else [scalar(v) for v in values]
        if text == "[":
            values = [scalar(v) for v in self.listed("]")]
            return values[0] if len(values) == 1 else values
        if text == "|":
            inner = self.listed("|")
            return size(scalar(inner[0]))
        if text == "‖":
            inner = self.listed("‖")
            return length(inner[0])
        if text == "√":
            return root(scalar(self.raised_of_root()))
        if text in HALVES:
            return Span(HALVES[text])
        if text == "∞":
            return Span(math.inf)
        if kind == "word" and text in self.names:
            return self.names[text]
        if text == "e" and self.peek()[0] != "raised" and self.peek()[1] != "^":
            raise Unread("letters")
        if kind == "word" and text in CONSTANTS:
            return Span(CONSTANTS[text])
        if kind == "word" and text == "n" and self.peek()[1] == "/":
            self.take()
            if self.take()[1] == "a":
                return Span(math.nan)
            raise Unread("letters")
        if kind == "word" and text == "inf":
            return Span(math.inf)
        if kind == "word" and FUNCTIONS.get(text):
            return self.call(FUNCTIONS[text])
        raise Unread("letters" if kind == "word" else f"the sign {text}")

    def raised_of_root(self):
        """√ binds closer than a power: √2² is the square of a root."""
        return self.atom()

    def call(self, function):
        if self.peek()[1] == "(":
            self.take()
            values = [scalar(v) for v in self.listed(")")]
        else:
            values = [scalar(self.raised())]
        try:
            return function(*values)
        except TypeError:
            raise Unread("a function of several numbers") from None


def scalar(value):
    if isinstance(value, list):
        raise Unread("a list where a number belongs")
    return value


def length(value):
    if not isinstance(value, list):
        return size(value)
    total = Span(0)
    for part in value:
        total = total + power(part, Span(2))
    return root(total)


def apply(a, b, operation):
    if isinstance(a, list) != isinstance(b, list) or (
            isinstance(a, list) and len(a) != len(b)):
        raise Unread("a number and a list")
    if isinstance(a, list):
        return [operation(x, y) for x, y in zip(a, b)]
    return operation(a, b)


def negative(a):
    return [-x for x in a] if isinstance(a, list) else -a


def product(a, b):
    if isinstance(a, list) and isinstance(b, list):
        if len(a) != len(b):
            raise Unread("lists of two lengths")
        total = Span(0)
        for x, y in zip(a, b):
            total = total + x * y
        return total
    if isinstance(a, list):
        return [x * b for x in a]
    if isinstance(b, list):
        return [a * x for x in b]
    return a * b


def divided(a, b):
    if isinstance(b, list):
        raise Unread("division by a list")
    return [x / b for x in a] if isinstance(a, list) else a / b


def value_of(text, names, loose=False):
    try:
        return Reader(text, names, loose).whole()
    except (OverflowError, ValueError, ZeroDivisionError) as error:
        raise Unread("not to be worked out") from error


def agree(a, b):
    if isinstance(a, list) or isinstance(b, list):
        return isinstance(a, list) and isinstance(b, list) and len(a) == len(b) and \
            all(x.meets(y) for x, y in zip(a, b))
    return a.meets(b)


def parts(line):
    """A line cut where one statement ends and the next begins: outside brackets at a comma, a
    semicolon, a colon, an arrow, an "and" or two blanks."""
    depth, begin, at = 0, 0, 0
    while at < len(line):
        sign = line[at]
        depth += (sign in "([{") - (sign in ")]}")
        cut = 0
        if depth <= 0:
            cut = 1 if sign in ";⇒←" or (sign in ",:" and line[at + 1:at + 2] == " ") else 0
            if line.startswith((". ", "  "), at):
                cut = 2
            if line.startswith(" and ", at):
                cut = 5
        if cut:
            yield line[begin:at]
            begin = at + cut
            at = begin
        else:
            at += 1
    yield line[begin:]


EQUALS = re.compile(r"(?<![=<>!≤≥:]) [=≈] (?!=)")
OPERATION = re.compile(r"[-−+*·×/^√|(]|[²³½]|\b(?:ln|log|exp|max|min)")
UNIT = re.compile(r"(?<=[\d)²³½]) +\(?(?!ln|log|lb|exp|of|max|min|√)[A-Za-z][^·*/+=−]*$")  # a word behind the last number
SHARE = re.compile(r"^(\d+) of (\d+)$")  # 3 of 6
PROSE = ("paragraph", "note", "heading")
WORD = re.compile(r" (?!ln\b|lb\b|log\b|exp\b|max\b|min\b)[A-Za-z][a-z]+\b(?!\()")


def equations(line, kind):
    """The chains A = B = C of a line as lists of sides. In a sentence only arithmetic between words
    counts."""
    prose = kind in PROSE
    for part in parts(line.replace(" per cent", " %")):
        for chain in WORD.split(part) if prose else [part]:
            sides = [SHARE.sub(r"\1/\2", UNIT.sub("", side.strip().rstrip(".")))
                     for side in EQUALS.split(chain)]
            first = sides[0].lstrip("-−(")
            if len(sides) > 1 and not (prose and (not OPERATION.search(first) or
                                                  first[:1] in "+·/")):
                yield sides


class Verdict:
    """What became of the equations of a text."""

    def __init__(self):
        self.worked, self.loosely = 0, []
        self.false, self.passed_over = [], {}

    def line(self, line, kind, where):
        names = {}
        if line.lstrip().startswith("cairn "):
            return
        for sides in equations(line, kind):
            self.chain(sides, names, line, where)

    def chain(self, sides, names, line, where):
        """Compare the sides that are arithmetic. A line's own names, SSE = 3, are known behind."""
        values, why = [], None
        for side in sides:
            try:
                values.append((side, value_of(side, names)))
            except Unread as shape:
                why = str(shape)
        if len(values) < 2 and why and any(c.isdigit() for c in "".join(sides)):
            plain = values and PLAIN.fullmatch(values[-1][0])
            shape = "a name and its number" if plain else why
            self.passed_over.setdefault(shape, []).append((where, line))
        for (left, a), (right, b) in zip(values, values[1:]):
            self.worked += 1
            if agree(a, b):
                continue
            pair = (where, f"{left} = {right}", line)
            loosely = agree(value_of(left, names, True), value_of(right, names, True))
            (self.loosely if loosely else self.false).append(pair)
        if values and NAME.fullmatch(sides[0]):
            names[sides[0]] = values[-1][1]


LEAST = 60000  # equations that are worked out; fewer say that this test has lost its sight


# What this reader must know to be true, and to be false.
TRUE = ["H = −5/14·log₂(5/14) − 9/14·log₂(9/14) = 0.940286", "x = 0 − 2/2·log₂(2/2) = 0",
        "SSE = 3.1,  SST = 7.2,  R² = 1 − SSE/SST = 0.569444", "e ± z · s = 0.3 ± 2 · 0.1 = [0.1, 0.5]",
        "w ← (1, 0) + (2)·(1, -1) = (3, -2)", "z² = (0.41 − 0.3)² / 0.04 = 0.3025"]
FALSE = ["dual = 2.24719 − ½ · 1.61596 = 1.1236", "leaf = 0.1 · (-8.9e-16) / (7 + 1) = -1.7e-17",
         "w ← (1, 0) + (2)·(1, -1) = (3, 2)", "mean = 0 / 0 = 0", "p = 3/7 = 0.4286714"]


def sees(line):
    verdict = Verdict()
    verdict.line(line, "formula", "")
    return verdict.worked > 0 and not verdict.false


def main():
    for line in [x for x in TRUE if not sees(x)] + [x for x in FALSE if sees(x)]:
        sys.exit(f"this test misreads: {line}")
    corpus = Corpus(sys.argv[1])
    verdict = Verdict()
    lines = corpus.lessons() + corpus.examples() + list(corpus.otherwise())
    for where, report in corpus.reports(lines):
        for kind, line in texts(report):
            verdict.line(line, kind, where)
    if "--passed-over" in sys.argv:
        with open(sys.argv[-1], "w", encoding="utf-8") as file:
            for shape, found in verdict.passed_over.items():
                file.writelines(f"{shape}\t{where}\t{line}\n" for where, line in found)
            file.writelines(f"loosely\t{found}\n" for found in verdict.loosely)
    print(f"{corpus.ran} commands, {corpus.refused} of them refused")
    print(f"{verdict.worked} equations worked out, {len(verdict.loosely)} of them only with the "
          "digits shown")
    for shape, found in sorted(verdict.passed_over.items(), key=lambda pair: -len(pair[1])):
        print(f"passed over, {shape}: {len(found)}, such as {found[0][1].strip()[:80]}")
    for where, equation, line in verdict.false:
        print(f"FALSE {equation}\n    in {line.strip()}\n    of {where}")
    if verdict.worked < LEAST:
        print(f"only {verdict.worked} equations")
    return 1 if verdict.false or verdict.worked < LEAST else 0


if __name__ == "__main__":
    sys.exit(main())
