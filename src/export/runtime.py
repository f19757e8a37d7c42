# SPDX-License-Identifier: MIT
# What the operations of a program do, in Python. The Python that is exported holds those parts of
# this file that it needs; a part begins at a line "# == name ==". docs/export.md names the sizes,
# codes and numbers of a step.
#
# A step gets the numbers x that it reads and returns those that it writes; nan is a missing cell.

# == always ==
import csv
import datetime
import json
import math
import sys

nan, inf = math.nan, math.inf


def isnan(x):
    return x != x


def exp(x):
    return math.exp(x) if x < 709.7 else inf if not isnan(x) else nan


def log(x):
    return math.log(x) if x > 0 else -inf if x == 0 else nan


def divide(x, y):
    if y != 0:
        return x / y
    return nan if x == 0 or isnan(x) else math.copysign(inf, x) * math.copysign(1, y)


def power(x, y):
    try:
        return x * x if y == 2 else math.pow(x, y)
    except OverflowError:
        return inf
    except ValueError:
        return nan


def lgamma(x):
    if isnan(x) or math.isinf(x):
        return nan if isnan(x) else inf
    return inf if x <= 0 and x == math.floor(x) else math.lgamma(x)


def first_largest(x):
    best = 0
    for i, cell in enumerate(x):
        if cell > x[best]:
            best = i
    return best


# == constant ==
def step_constant(s, x):
    return s.numbers["values"]


# == fill ==
def step_fill(s, x):
    return [value if isnan(cell) else cell for cell, value in zip(x, s.numbers["values"])]


# == scale ==
def step_scale(s, x):
    names = ("parts", "centres", "spreads", "factors", "lows", "highs")
    out = []
    for cell, part, centre, spread, factor, low, high in zip(x, *(s.numbers[n] for n in names)):
        y = factor * divide(cell * part - centre, spread)
        out.append(low if y < low else high if y > high else y)
    return out


# == affine ==
def step_affine(s, x):
    centres, weights, n = s.numbers["centres"], s.numbers["weights"], len(x)
    if centres:
        x = [cell - centre for cell, centre in zip(x, centres)]
    out = []
    for k in range(s.n_out):
        total = s.numbers["constants"][k]
        for j in range(n):
            total += weights[k * n + j] * x[j]
        out.append(total)
    return out


# == products ==
def step_products(s, x):
    starts, out = s.codes["starts"], []
    for k in range(s.n_out):
        product = 1.0
        for f in range(starts[k], starts[k + 1]):
            product *= x[s.codes["factors"][f]]
        out.append(product * s.numbers["coefficients"][k])
    return out


# == compute ==
def compute_function(which, x):
    """A function of one number, in the order of docs/export.md."""
    if which == 1:
        return (x > 0) - (x < 0)
    if which == 3:
        return x * x
    if which == 4:
        root = math.copysign(power(abs(x), 1 / 3), x)
        return root - (root * root * root - x) / (3 * root * root) if 0 < abs(x) < 1e100 else root
    if which == 5:
        return exp(x)
    if which == 20:
        return 1 / (1 + exp(-x))
    if which == 21:
        return x if x > 0 else 0.0
    if which == 23:
        return lgamma(x)
    functions = {
        0: abs, 2: math.sqrt, 6: math.expm1, 7: math.log, 8: math.log2, 9: math.log10,
        10: math.log1p, 11: math.sin, 12: math.cos, 13: math.tan, 14: math.asin, 15: math.acos,
        16: math.atan, 17: math.sinh, 18: math.cosh, 19: math.tanh, 22: math.erf,
        24: math.floor, 25: math.ceil, 26: math.trunc,
    }
    try:
        return float(functions[which](x))
    except (OverflowError, ValueError):
        return x if which >= 24 else nan


def compute_one(what, x):
    """Missing, not, finite, or a function whose answer is missing where it is none."""
    if what == 26:
        return float(isnan(x))
    if what == 27:
        return x if isnan(x) else float(x == 0)
    if what == 28:
        return nan if math.isinf(x) else x
    y = x if isnan(x) else compute_function(what - 29, x)
    return nan if math.isfinite(x) and not math.isfinite(y) else y


def half_up(x):
    """Rounded, halves away from 0."""
    if not math.isfinite(x):
        return x
    whole = math.floor(abs(x))
    return math.copysign(whole + (abs(x) - whole >= 0.5), x)


def compute_round(x, digits):
    """Rounded to so many decimals."""
    if isnan(digits):
        return digits
    digits = float(math.trunc(digits)) if math.isfinite(digits) else digits
    if digits == 0:
        return half_up(x)
    if digits > 15:
        return x
    scale = power(10.0, abs(digits))
    if math.isinf(scale):
        return x * 0
    scaled = x * scale if digits > 0 else x / scale
    if not math.isfinite(scaled):
        return x
    return half_up(scaled) / scale if digits > 0 else half_up(scaled) * scale


def compute_two(what, x, y):
    """Two numbers; conditions are 0, 1 or missing."""
    if isnan(x) or isnan(y):
        return nan
    if what == 12:
        return x - y
    if what == 13:
        return x * y
    if what == 14:
        return nan if y == 0 else x / y
    if what == 15:
        return nan if y == 0 else x - y * compute_function(24, x / y)
    if what == 16:
        z = power(x, y)
        return nan if math.isfinite(x) and math.isfinite(y) and not math.isfinite(z) else z
    if what == 17:
        return math.atan2(x, y)
    if what == 18:
        return math.hypot(x, y)
    if what == 19:
        return compute_round(x, y)
    return float((x == y, x != y, x < y, x <= y, x > y, x >= y)[what - 20])


def compute_variance(x):
    """Divides by n - 1."""
    mean = squares = 0.0
    for i, cell in enumerate(x):
        away = cell - mean
        mean += away / (i + 1)
        squares += away * (cell - mean)
    return squares / (len(x) - 1) if len(x) > 1 else nan


def compute_join(what, x, y):
    """One more number of a sum, least, greatest, count, first, and, or."""
    if what in (3, 7):
        return x + y
    if what == 4:
        return y if isnan(y) or y < x else x
    if what == 5:
        return y if isnan(y) or y > x else x
    if what == 8:
        return y if isnan(x) else x
    decides = 0 if what == 9 else 1
    if x == decides or y == decides:
        return float(decides)
    return nan if isnan(x) or isnan(y) else float(1 - decides)


def compute_many(what, x):
    """The last numbers of the stack become one."""
    if what == 6:
        return compute_variance(x)
    if what == 11:
        return x[0] if isnan(x[0]) else x[1] if x[0] == 1 else x[2]
    if what >= 26:
        return compute_one(what, x[0])
    if what >= 12:
        return compute_two(what, x[0], x[1])
    if what == 7:
        x = [float(not isnan(cell)) for cell in x]
    y = x[0]
    for cell in x[1:]:
        y = compute_join(what, y, cell)
    return y


def step_compute(s, x):
    """Instructions, each with the number of an input, constant or output, or with how many."""
    stack, out, codes = [], [nan] * s.n_out, s.codes["instructions"]
    for i in range(s.sizes["instructions"]):
        what, which = codes[2 * i], codes[2 * i + 1]
        if what == 0:
            stack.append(x[which])
        elif what == 1:
            stack.append(s.numbers["constants"][which])
        elif what == 2:
            out[which] = stack.pop()
        else:
            stack[-which:] = [compute_many(what, stack[-which:])]
    return out


# == calendar ==
def calendar_new_year(year):
    """Days from 1970-01-01 to the first of January."""
    y = year - 1
    return y * 365 + y // 4 - y // 100 + y // 400 - 719162


def calendar_in_weeks(year, days):
    """Days from the Monday of the year's first week, which holds its first Thursday, to a day."""
    first = calendar_new_year(year)
    weekday = (first + 3) % 7
    return days - first + (weekday if weekday <= 3 else weekday - 7)


def step_calendar(s, x):
    """Year, quarter, month, week, day, weekday, day of the year, weekend, hour, minute, second of
    the seconds since 1970; weeks of the year, days of the month, days of the year."""
    if not -62135596800.0 <= x[0] < 253402300800.0:
        return [nan] * 14
    days = math.floor(x[0] / 86400)
    rest, year = x[0] - 86400.0 * days, 1 + int((days + 719162) / 365.2425)
    while calendar_new_year(year) > days:
        year -= 1
    while calendar_new_year(year + 1) <= days:
        year += 1
    lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    lengths[1] += year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    of_year = day = days - calendar_new_year(year)
    month = 0
    while day >= lengths[month]:
        day -= lengths[month]
        month += 1
    of = year
    if calendar_in_weeks(year, days) < 0:
        of = year - 1
    if calendar_in_weeks(year + 1, days) >= 0:
        of = year + 1
    weeks = calendar_in_weeks(of, calendar_new_year(of + 1) - 4) // 7 + 1
    weekday, hour = (days + 3) % 7 + 1, math.floor(rest / 3600)
    minute = math.floor((rest - 3600 * hour) / 60)
    return [year, month // 3 + 1, month + 1, calendar_in_weeks(of, days) // 7 + 1, day + 1, weekday,
            of_year + 1, int(weekday >= 6), hour, minute, rest - 3600 * hour - 60 * minute, weeks,
            lengths[month], sum(lengths)]


# == lookup ==
def step_lookup(s, x):
    if not 0 <= x[0] < s.sizes["levels"]:
        return s.numbers["otherwise"]
    at = int(x[0]) * s.n_out
    return s.numbers["table"][at:at + s.n_out]


# == cuts ==
def step_cuts(s, x):
    """How many cuts lie below the number; `exact`: the place of the number itself."""
    at, low, high = s.numbers["at"], 0, s.sizes["cuts"]
    if isnan(x[0]):
        return [nan]
    while low < high:
        middle = low + (high - low) // 2
        if x[0] > at[middle] or (x[0] == at[middle] and not s.codes["below"][middle]):
            low = middle + 1
        else:
            high = middle
    if s.sizes["exact"] and (low == s.sizes["cuts"] or at[low] != x[0]):
        return [nan]
    return [low]


# == trees ==
def tree_side(s, x, test, cut):
    """The branch of a test: 0 = at most the cut, 1 = below it, 2 = this level, 3 = a branch per
    level, 4 = sets of levels; -1 = the cell is missing, or no branch takes its level."""
    if isnan(x):
        return -1
    if test == 0:
        return int(not x <= cut)
    if test == 1:
        return int(not x < cut)
    if test == 2:
        return int(x != cut)
    if test == 3:
        return int(x) if x < cut else -1
    sets, at = s.codes["sets"], int(cut)
    return sets[at + 1 + int(x)] - 1 if x < sets[at] else -1


def tree_instead(s, x, node):
    """Where a row goes whose cell is missing: as a surrogate says, or the usual way."""
    starts, usual = s.codes["surrogate_starts"], s.codes["usual"]
    for i in range(starts[node], starts[node + 1]) if starts else ():
        column, test, turned = s.codes["surrogates"][3 * i:3 * i + 3]
        side = tree_side(s, x[column], test, s.numbers["surrogate_cuts"][i])
        if side >= 0:
            return side ^ turned
    return usual[node] if usual else -1


def tree_walk(s, x, at):
    """Follow the branches from a node as far as one of them is certain."""
    nodes, links = s.codes["nodes"], s.codes["links"]
    while nodes[4 * at] >= 0:
        column, test, link = nodes[4 * at:4 * at + 3]
        cut = s.numbers["cuts"][at]
        side = tree_side(s, x[column], test, cut)
        child = links[link + (side if side >= 0 else int(cut) if test == 3 else 2)]
        if child < 0:
            side = tree_instead(s, x, at)
            child = -1 if side < 0 else links[link + side]
        if child < 0:
            break
        at = child
    return at


def tree_add(s, x, sums, row, share):
    """Add what a leaf says, times a share."""
    k, n, slope = s.sizes["values"], s.sizes["regressors"], 0.0
    linear = s.codes["linear"][row] if s.codes["linear"] else 0
    for j in range(n if linear else 0):
        cell, at = x[s.codes["regressors"][j]], (linear - 1) * n + j
        if not isnan(cell):
            slope += s.numbers["slopes"][at] * (cell - s.numbers["centres"][at])
    for i in range(k):
        sums[i] += share * (s.numbers["values"][row * k + i] + slope)


def tree_choose(s, sums):
    """The class of averaged shares: the largest after some were taken off or multiplied."""
    n, choice, most = s.sizes["values"], s.numbers["choice"], -inf
    best = s.codes["order"][0]
    for k in s.codes["order"][:n]:
        y = (sums[k] - choice[k]) * choice[n + k]
        if y > most + choice[2 * n]:
            most, best = y, k
    return best


def tree_branches(s, at, share):
    """The branches of a node with their parts of the share."""
    column, test, link, _ = s.codes["nodes"][4 * at:4 * at + 4]
    n = 0 if column < 0 else int(s.numbers["cuts"][at]) if test == 3 else 2
    parts, links = s.numbers["parts"][link:link + n], s.codes["links"][link:link + n]
    total = 0.0
    for part in parts:
        total += part
    return [(child, share * part if s.sizes["forest"] else share * part / total)
            for child, part in zip(links, parts) if child >= 0 and part > 0]


def tree_ask(s, x, root, sums):
    """Add the answer of a tree to sums, and return its label. Where a missing cell leaves the way
    open, all leaves that the row can reach are averaged."""
    nodes, labels, at = s.codes["nodes"], s.codes["labels"], tree_walk(s, x, root)
    if nodes[4 * at] < 0:
        tree_add(s, x, sums, nodes[4 * at + 3], 1.0)
        return labels[nodes[4 * at + 3]] if labels else 0
    stack, most, best = [(root, 1.0)], -1.0, 0
    while stack:
        node, share = stack.pop()
        at = tree_walk(s, x, node)
        branches, row = tree_branches(s, at, share), nodes[4 * at + 3]
        stack.extend(reversed(branches))
        if branches or row < 0:
            continue
        tree_add(s, x, sums, row, share)
        if share > most:
            most, best = share, row
    if not labels:
        return 0
    return tree_choose(s, sums) if s.sizes["chooses"] and labels[best] >= 0 else labels[best]


def step_trees(s, x):
    """One tree: its values and its label. A forest: votes or values of all trees, averaged, and
    the first largest."""
    k, best = s.sizes["values"], 0
    out = [0.0] * k
    for root in s.codes["roots"][:s.sizes["trees"]]:
        sums = [0.0] * k
        best = tree_ask(s, x, root, sums)
        for i in range(k):
            out[i] += float(i == best) if s.sizes["votes"] else sums[i]
    if s.sizes["forest"]:
        best = first_largest(out)
        out = [y / s.sizes["trees"] for y in out]
    return out + [best] if s.n_out > k else out


# == rules ==
def rule_meets(s, x, c):
    """Whether a condition holds; relations are =, !=, <, <=, >, >=, missing."""
    column, relation, levels = s.codes["conditions"][3 * c:3 * c + 3]
    cell, cut = x[column], s.numbers["numbers"][c]
    if isnan(cell) or relation == 6:
        return isnan(cell) and relation == 6
    if levels and relation < 2:
        starts = s.codes["level_starts"]
        return (cell in s.codes["levels"][starts[c]:starts[c + 1]]) != bool(relation)
    return (cell == cut, cell != cut, cell < cut, cell <= cut, cell > cut, cell >= cut)[relation]


def rules_fire(s, x):
    """Which rules fire, and the first of them (the last rule where none does)."""
    n, starts = s.sizes["rules"] - 1, s.codes["starts"]
    fired, first = [False] * n, n
    for r in range(n):
        fired[r] = all(rule_meets(s, x, c) for c in range(starts[r], starts[r + 1]))
        if fired[r]:
            first = min(first, r)
            if s.sizes["mode"] < 2:
                break
    return fired, first


def rules_mean(s, fired, table):
    """Sums over the rules that fire, and how many these are."""
    k, out = s.sizes["classes"], [0.0] * s.sizes["classes"]
    for r, fires in enumerate(fired):
        for c in range(k if fires else 0):
            out[c] += s.numbers[table][r * k + c]
    return out, sum(fired)


def rules_join(s, fired):
    """Shares of several rules together: of their counts, or the mean of the shares."""
    out, n = rules_mean(s, fired, "counts")
    if s.sizes["mode"] != 3:
        out = [y / n for y in out]
    total, add = 0.0, s.numbers["smoothing"]
    for y in out:
        total += y
    if any(fires and s.codes["stated"][r] >= 0 for r, fires in enumerate(fired)) or not total > 0:
        out, n = rules_mean(s, fired, "shares")
        return [y / n for y in out]
    return [(y + add[0]) / (total + add[1]) for y in out]


def rules_pattern(s, fired):
    """The combination of rules among those that training had; -1 = it is not there."""
    width = len(fired)
    for p in range(s.sizes["patterns"] if s.sizes["mode"] == 4 else 0):
        if [c > 0 for c in s.codes["patterns"][p * width:(p + 1) * width]] == fired:
            return p
    return -1


def step_rules(s, x):
    k = s.sizes["classes"]
    fired, first = rules_fire(s, x)
    pattern = rules_pattern(s, fired)
    if pattern >= 0:
        out = list(s.numbers["pattern_shares"][pattern * k:(pattern + 1) * k])
    elif sum(fired) > 1 and s.sizes["mode"] >= 2:
        out = rules_join(s, fired)
    else:
        out = list(s.numbers["shares"][first * k:(first + 1) * k])
    return out + [s.codes["labels"][first] if s.sizes["mode"] == 0 else first_largest(out)]


# == nearest ==
def step_nearest(s, x):
    """The nearest centre and the distance from it; of equally near ones the first, or the last."""
    least, best, last = inf, s.sizes["centres"] - 1 if s.sizes["last"] else 0, s.sizes["last"]
    for c in range(s.sizes["centres"]):
        total = 0.0
        for j, cell in enumerate(x):
            gap = cell - s.numbers["centres"][c * len(x) + j]
            total += gap * gap
        if total < least or (last and total == least):
            least, best = total, c
    return [best, math.sqrt(least)]


# == neighbours ==
def rows_apart(s, x, at):
    """What orders rows by their distance: 0 = squares, 1 = absolute differences, 2 = powers, 3 =
    the largest difference, 4 = cells that differ, 5 = Canberra, 6 = Gower."""
    kind, p = s.sizes["distance"], s.numbers["power_and_width"][0]
    row = s.numbers["places"][at:at + len(x)]
    gaps = [abs(cell - place) for cell, place in zip(x, row)]
    total = known = largest = 0.0
    if kind in (2, 3):
        for gap in gaps:
            if gap > largest or isnan(gap):
                largest = gap
        if kind == 3 or not largest > 0:
            return largest
    for j, gap in enumerate(gaps):
        if kind == 0:
            total += gap * gap
        elif kind == 1:
            total += gap
        elif kind == 2:
            total += power(gap / largest, p)
        elif kind == 4:
            total += x[j] != row[j]
        elif kind == 5 and x[j] != row[j]:
            total += divide(gap, abs(x[j]) + abs(row[j]))
        elif kind == 6 and not isnan(gap):
            known += 1
            factor = s.numbers["factors"][j]
            total += gap * factor if factor > 0 else x[j] != row[j]
    if kind == 6:
        return total / known if known > 0 else nan
    return largest * power(total, 1 / p) if kind == 2 else total


def rows_nearest(s, x):
    """The nearest rows, the nearest first and of equally near ones the first."""
    all_rows = ((rows_apart(s, x, i * len(x)), i) for i in range(s.sizes["rows"]))
    best = sorted(pair for pair in all_rows if not isnan(pair[0]))[:s.sizes["neighbours"]]
    return [(math.sqrt(d), i) for d, i in best] if s.sizes["root"] else best


def window_weight(window, u):
    if window == 0:
        return exp(-0.5 * u * u)
    if not u < 1:
        return 0.0
    rest = 1 - u * u * u
    return (1 - u * u, rest * rest * rest, 1 - u)[window - 1]


def rows_by_distance(s, best):
    """Weights by distance: 0 = equal, 1 = 1/d, 2 = its square, 3 = a window."""
    kind, width, scale = s.sizes["weights"], s.numbers["power_and_width"][1], 1.0
    if isnan(width):
        width = best[-1][0]
    weights = []
    for _ in range(2):
        weights = []
        for d, _row in best:
            w = 1.0
            if kind in (1, 2):
                w = float(d == 0) if best[0][0] == 0 else divide(scale, d)
            elif kind == 3:
                u = d / width if width > 0 else 0.0
                w = 0.0 if isnan(u) else window_weight(s.sizes["window"], u)
            weights.append(w * w if kind == 2 else w)
        if all(math.isfinite(w) for w in weights):
            break
        scale = best[0][0]
    return weights


def rows_weigh(s, best):
    """Weights of the neighbours, with those of their rows."""
    weights, own = rows_by_distance(s, best), s.numbers["row_weights"]
    if not any(w > 0 for w in weights):
        weights = [1.0] * len(best)
    rows = [own[i] if own else 1.0 for _, i in best]
    most, heaviest = max(weights), max(rows + [0.0 if own else 1.0])
    if most * heaviest * len(best) <= 1e150:
        return [w * row for w, row in zip(weights, rows)]
    return [w / most * (row / heaviest) for w, row in zip(weights, rows)]


def rows_vote(s, best, weights):
    """Shares of the classes, and those that have the largest."""
    shares, total = [0.0] * s.sizes["classes"], 0.0
    for (_, i), w in zip(best, weights):
        shares[s.codes["classes"][i]] += w
        total += w
    shares = [divide(y, total) for y in shares]
    most = max([0.0] + [y for y in shares if not isnan(y)])
    return shares, [c for c, y in enumerate(shares) if y >= most - 1e-12]


def rows_decide(s, best):
    """Shares and class; ties: 0 = the class of the nearest, 1 = fewer neighbours, 2 = the first."""
    shares, tied = rows_vote(s, best, rows_weigh(s, best))
    used = len(best)
    if len(tied) > 1 and s.sizes["tie"] == 0:
        tied = [s.codes["classes"][i] for _, i in best if s.codes["classes"][i] in tied]
    while len(tied) > 1 and used > 1 and s.sizes["tie"] == 1:
        used -= 1
        tied = rows_vote(s, best[:used], rows_weigh(s, best[:used]))[1]
    return shares, tied[0] if tied else 0


def step_neighbours(s, x):
    best = rows_nearest(s, x)
    if s.sizes["classes"]:
        if not best:
            return [nan] * (s.n_out - 1) + [-1]
        shares, code = rows_decide(s, best)
        return shares + [code]
    if not best:
        return [nan] * s.n_out
    weights, total, weight = rows_weigh(s, best), 0.0, 0.0
    for (_, i), w in zip(best, weights):
        total += w * s.numbers["targets"][i]
        weight += w
    return [divide(total, weight)]


# == kernels ==
def kernels_value(s, x, i):
    """The kernel of the row and row `i` of the places: 0 x.y, 1 a power of it, 2 Gaussian, 3
    Laplacian, 4 tanh; parameters are gamma, factor and offset."""
    gamma, factor, offset = s.numbers["parameters"]
    kernel, at = s.sizes["kernel"], i * len(x)
    dot = square = absolute = 0.0
    for j, cell in enumerate(x):
        place = s.numbers["places"][at + j]
        gap = cell - place
        dot += cell * place
        square += gap * gap
        absolute += abs(gap)
    if kernel == 2:
        return exp(-gamma * square)
    if kernel == 3:
        return exp(-gamma * (absolute if s.sizes["absolute"] else math.sqrt(square)))
    if kernel == 0:
        return dot
    dot = factor * dot + offset
    if kernel == 4:
        return math.tanh(dot)
    value = dot
    for _ in range(1, s.sizes["degree"]):
        value *= dot
    return value


def step_kernels(s, x):
    n, out = s.sizes["rows"], list(s.numbers["constants"])
    for i in range(n):
        value = kernels_value(s, x, i)
        for k in range(s.n_out):
            out[k] += s.numbers["coefficients"][k * n + i] * value
    return out


# == normal ==
def step_normal(s, x):
    """Logarithms of normal densities; beyond 1e140 deviations they fall with the logarithm of the
    distance, so that they remain numbers. A missing cell adds nothing."""
    out, far, cell = [], 1e140, x[0]
    for centre, rate, base in zip(s.numbers["centres"], s.numbers["rates"], s.numbers["bases"]):
        d = (cell - centre) * rate
        if abs(d) >= far:
            away = log(abs(cell / 2 - centre / 2)) + log(2 * rate) - log(far)
            out.append(base - far * far * (1 + away))
        else:
            out.append(0.0 if isnan(cell) else base - d * d)
    return out


# == gaussians ==
def gaussians_factor(own, p, at):
    """The lower factor of the covariance of the columns that are there."""
    n, a = len(at), []
    for i in range(n):
        a.append([0.0] * n)
        for j in range(i + 1):
            total = own[at[i] * p + at[j]]
            for k in range(j):
                total -= a[i][k] * a[j][k]
            a[i][j] = math.sqrt(max(total, 2.3e-308)) if i == j else total / a[j][j]
    return a


def step_gaussians(s, x):
    """Logarithms of normal densities of the cells that are there, with the covariance of these:
    the other cells are summed over. A column without variance is left out."""
    p, out, own, at, a, roots = len(x), [], [], [], [], 0.0
    for c in range(s.n_out):
        mean = s.numbers["means"][c * p:(c + 1) * p]
        if c == 0 or s.sizes["covariances"] > 1:
            own = s.numbers["covariances"][c * p * p:(c + 1) * p * p]
            at = [j for j in range(p) if not isnan(x[j]) and own[j * p + j] > 0]
            a, roots = gaussians_factor(own, p, at), 0.0
            for i in range(len(at)):
                roots += log(a[i][i])
        u, squares = [], 0.0
        for i, j in enumerate(at):
            total = x[j] - mean[j]
            for k in range(i):
                total -= a[i][k] * u[k]
            u.append(total / a[i][i])
            squares += u[i] * u[i]
        base = s.numbers["bases"][c]
        out.append(base - 0.9189385332046727 * len(at) - roots - squares / 2)
    return out


# == kernel ==
def kernel_height(kernel, u):
    reach = (9, 2.23606797749979, 2.449489742783178, 1.7320508075688772)[kernel]
    share = abs(u) / reach
    if kernel == 1:
        return 0.75 * (1 - share * share) / reach if share < 1 else 0.0
    if kernel == 2:
        return (1 - share) / reach if share < 1 else 0.0
    if kernel == 3:
        return 0.5 / reach if share <= 1 else 0.0
    return exp(-u * u / 2) * 0.3989422804014327 if abs(u) <= reach else 0.0


def step_kernel(s, x):
    """Logarithms of kernel densities of the classes; one without values has the density of all."""
    starts, out, overall = s.codes["starts"], [], 0.0
    for k in range(s.n_out):
        total = weight = 0.0
        width = s.numbers["bandwidths"][k]
        for i in range(starts[k], starts[k + 1]):
            u = divide(x[0] - s.numbers["values"][i], width)
            total += s.numbers["weights"][i] * kernel_height(s.sizes["kernel"], u)
            weight += s.numbers["weights"][i]
        out.append(divide(total, weight * width))
        if starts[k] < starts[k + 1]:
            overall += s.numbers["totals"][k] * out[k]
    if isnan(x[0]):
        return [0.0] * s.n_out
    floor = s.numbers["floor"][0]
    return [log(max(out[k] if starts[k] < starts[k + 1] else overall, floor))
            for k in range(s.n_out)]


# == votes ==
def step_votes(s, x):
    """Each machine votes for one class of its pair; what the scores add up to decides between
    equal votes. A class that no machine knows has the least."""
    votes, sums, least = [0.0] * s.n_out, [0.0] * s.n_out, inf
    for score, plus, minus in zip(x, s.codes["plus"], s.codes["minus"]):
        votes[plus if score >= 0 else minus] += 1
        sums[plus] += score
        sums[minus] -= score
    for c in range(s.n_out):
        if s.codes["present"][c]:
            votes[c] += sums[c] / (3 * (abs(sums[c]) + 1)) if math.isfinite(sums[c]) else 0
            least = min(least, votes[c])
    return [votes[c] if s.codes["present"][c] else least - 1 - abs(least) for c in range(s.n_out)]


# == counts ==
def step_counts(s, x):
    """Counts times logarithms; `orders` adds the logarithm of the number of orders of the words."""
    k, out, n, logs = s.n_out, [0.0] * s.n_out, 0.0, 0.0
    for j, count in enumerate(x):
        if count > 0 and not math.isinf(count):
            for i in range(k):
                out[i] += count * s.numbers["logs"][j * k + i]
            n += count
            logs += lgamma(count + 1)
    if s.sizes["orders"] and any(not isnan(count) for count in x):
        out = [y + (lgamma(n + 1) - logs) for y in out]
    return out


# == sum ==
def step_sum(s, x):
    out = []
    for k in range(s.n_out):
        total = 0.0
        for cell in x[k::s.n_out]:
            total += cell
        out.append(total)
    return out


# == softmax ==
def step_softmax(s, x):
    """Probabilities from scores, put at their places; `pinned`: there is one more class, whose
    score is 0. Where no class is possible the shares of `otherwise` are taken."""
    pinned, places, otherwise = s.sizes["pinned"], s.codes["places"], s.numbers["otherwise"]
    most, out = 0.0 if pinned else -inf, [0.0] * s.n_out
    for score in x:
        if score > most or isnan(score):
            most = score
    if otherwise and not most > -inf:
        return otherwise
    total, rest = exp(-most) if pinned else 0.0, 1.0
    for score, place in zip(x, places):
        out[place] = exp(score - most)
        total += out[place]
    for place in places[:len(x)]:
        out[place] = divide(out[place], total)
        rest -= out[place]
    if pinned:
        out[places[len(x)]] = rest if rest > 0 or isnan(rest) else 0.0
    return out


# == logistic ==
def step_logistic(s, x):
    """Probabilities of the two classes, each exact where the other is nearly 1."""
    e, out = exp(-abs(x[0])), [0.0] * s.n_out
    large, small = 1 / (1 + e), e / (1 + e)
    first, second = s.codes["places"]
    out[first], out[second] = (large, small) if x[0] >= 0 else (small, large)
    return out


# == calibrate ==
def calibrated(s, x):
    """Forms: 0 = plateaus and lines between them, 1 = plateaus and steps, 2 = a logistic curve
    about a centre, 3 = one of a line, 4 = one of the logarithms of the score and of its rest, 5 =
    always the same."""
    form, c = s.sizes["form"], s.numbers["curve"]
    lows, highs, values = s.numbers["lows"], s.numbers["highs"], s.numbers["values"]
    if form == 5:
        return c[0]
    if form == 2:
        return 1 / (1 + exp(-c[0] * (x - c[1])) / c[2])
    if form == 3:
        return 1 / (1 + exp(-(c[0] * x + c[1])))
    if form == 4:
        score = c[0] * log(max(x, 1e-15)) - c[1] * log(max(1 - x, 1e-15)) + c[2]
        return 1 / (1 + exp(-score))
    i, n = 0, s.sizes["pieces"]
    while i < n and highs[i] < x:
        i += 1
    if i == n:
        return values[i - 1]
    if i == 0 or x >= lows[i]:
        return values[i]
    start, end = highs[i - 1], lows[i]
    if form == 1:
        return values[i - 1 if x < start + (end - start) / 2 else i]
    return values[i - 1] + (x - start) / (end - start) * (values[i] - values[i - 1])


def step_calibrate(s, x):
    return [x[0] if isnan(x[0]) else calibrated(s, x[0])]


# == shares ==
def step_shares(s, x):
    total = 0.0
    for cell in x:
        total += cell
    return s.numbers["otherwise"] if total == 0 else [cell / total for cell in x]


# == decide ==
def decision_cost(s, x, decision):
    total = 0.0
    for i, share in enumerate(x):
        total += share * s.numbers["costs"][i * len(x) + decision]
    return total


def step_decide(s, x):
    """The class of least expected cost, or the positive one from a threshold on; -2 where no
    answer is cheaper, -1 where nothing is known."""
    threshold, reject = s.numbers["threshold_and_reject"]
    positive, best = s.sizes["positive"], 0
    if s.sizes["by_threshold"]:
        score = x[positive]
        best = positive if score >= threshold else 1 - positive
    else:
        costs = [decision_cost(s, x, c) for c in range(len(x))]
        score = costs[0]
        for c, cost in enumerate(costs):
            if cost < costs[best]:
                best = c
    if not isnan(reject) and decision_cost(s, x, best) > reject:
        best = -2
    return [-1 if isnan(score) else best]


# == largest ==
def step_largest(s, x):
    best = first_largest(x)
    return [-1 if not x or (s.sizes["known"] and isnan(x[best])) else best]


# == blank ==
def step_blank(s, x):
    n = s.sizes["looked_at"]
    return s.numbers["instead"] if any(isnan(cell) for cell in x[:n]) else x[n:]


# == model ==
class Step:
    """An operation: what it does, the slots that it reads and writes, its sizes and tables."""

    def __init__(self, op):
        self.run = globals()["step_" + op["op"]]
        self.slots, (self.out, self.n_out) = op["in"], op["out"]
        self.sizes, self.codes, self.numbers = op["sizes"], Tables(op["codes"]), Tables()
        for name, table in op["numbers"].items():
            self.numbers[name] = [nan if x is None else float(x) for x in table]


class Tables(dict):
    """Tables that are empty are left out."""

    def __missing__(self, name):
        return []


STEPS = [Step(op) for op in PROGRAM["steps"]]
COLUMNS = PROGRAM["columns"]
LEVELS = [{level: code for code, level in enumerate(c.get("levels", ()))} for c in COLUMNS]


def seconds(time):
    """A time as seconds since 1970; one without a zone is read as it stands."""
    if isinstance(time, str):
        try:
            time = datetime.datetime.fromisoformat(time.strip().replace("Z", "+00:00"))
        except ValueError:
            return number(time)
    if isinstance(time, datetime.date) and not isinstance(time, datetime.datetime):
        time = datetime.datetime(time.year, time.month, time.day)
    if isinstance(time, datetime.datetime):
        zone = time.tzinfo or datetime.timezone.utc
        return time.replace(tzinfo=zone).timestamp()
    return number(time)


def number(x):
    """What is no number is missing."""
    try:
        return nan if x is None else float(x)
    except (TypeError, ValueError):
        return nan


def cell(column, x):
    """A cell as the program reads it: a number, the code of a level, nan where it is missing or a
    level that training did not know."""
    kind = COLUMNS[column]["kind"]
    if kind == "level":
        if isinstance(x, float) and x.is_integer():
            x = int(x)
        return float(LEVELS[column].get(str(x), nan))
    return seconds(x) if kind == "time" else number(x)


def predict(row):
    """The answer to a row: a dict by names of columns, or its cells in their order; None is a
    missing cell. "code" is -1 where nothing is known and -2 where no answer is given."""
    if isinstance(row, dict):
        absent = [c["name"] for c in COLUMNS if c["name"] not in row]
        if absent:
            raise KeyError("the row has no column " + repr(absent[0]))
        row = [row[c["name"]] for c in COLUMNS]
    if len(row) != len(COLUMNS):
        raise ValueError("a row has %d cells, not %d" % (len(COLUMNS), len(row)))
    return answer([cell(i, x) for i, x in enumerate(row)])


def answer(cells):
    """The answer to cells as the program reads them."""
    v, told = cells + [nan] * (PROGRAM["slots"] - len(cells)), PROGRAM["answer"]
    for step in STEPS:
        v[step.out:step.out + step.n_out] = step.run(step, [v[slot] for slot in step.slots])
    code, scores, classes = told["code"], told["scores"], told["classes"]
    code = -1 if code is None else int(v[code])
    return {
        "code": code,
        "class": classes[code] if 0 <= code < len(classes) else None,
        "number": nan if told["number"] is None else v[told["number"]],
        "scores": [] if scores is None else v[scores:scores + told["n_scores"]],
    }


def near(a, b):
    """Equal to twelve digits, or both missing."""
    a, b = (nan if x is None else float(x) for x in (a, b))
    if isnan(a) or isnan(b):
        return isnan(a) and isnan(b)
    return a == b or abs(a - b) <= max(1e-12 * max(abs(a), abs(b)), PROGRAM["slack"])


def test():
    """Whether the rows that came along are answered as Cairn answered them."""
    wrong = 0
    for i, t in enumerate(PROGRAM["tests"]):
        said = answer([nan if x is None else float(x) for x in t["row"]])
        good = said["code"] == (-1 if t["code"] is None else t["code"])
        good = good and near(said["number"], t["number"])
        good = good and all(near(a, b) for a, b in zip(said["scores"], t["scores"]))
        if not good:
            print("row %d: %s instead of %s" % (i + 1, said, t))
            wrong += 1
    n = len(PROGRAM["tests"])
    print("%d of %d rows as Cairn answers them" % (n - wrong, n))
    return wrong == 0


def answer_file(path):
    """The rows of a CSV file, answered, as CSV on standard output."""
    out = csv.writer(sys.stdout, lineterminator="\n")
    classes = PROGRAM["answer"]["classes"]
    with sys.stdin if path == "-" else open(path, newline="", encoding="utf-8-sig") as file:
        out.writerow([PROGRAM["answer"]["name"]] + classes)
        for row in csv.DictReader(file):
            said = predict({k: None if x in ("", "?", "NA") else x for k, x in row.items()})
            code = said["code"]
            shown = said["class"] if classes else code if code >= 0 else said["number"]
            out.writerow([shown] + said["scores"])


def main(words):
    """Answer the rows of a CSV file, or of standard input for "-"; --test compares with Cairn."""
    if words == ["--test"]:
        return 0 if test() else 1
    if len(words) != 1 or words[0].startswith("--"):
        print("usage: python3 model.py FILE.csv | - | --test", file=sys.stderr)
        return 2
    try:
        answer_file(words[0])
        sys.stdout.flush()
    except (OSError, ValueError, KeyError, csv.Error) as error:
        print("%s: %s" % (words[0], error), file=sys.stderr)
        return 3 if isinstance(error, (ValueError, KeyError, csv.Error)) else 5
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

# == end ==
