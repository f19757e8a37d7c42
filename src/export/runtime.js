// SPDX-License-Identifier: MIT
// What the operations of a program do, in JavaScript. The JavaScript that is exported holds those
// parts of this file that it needs; a part begins at a line "// == name ==". docs/export.md names
// the sizes, codes and numbers of a step.
//
// A step gets the numbers x that it reads and returns those that it writes; NaN is a missing cell.

// == always ==
const cairnModel = (() => {
"use strict";
const steps = {};

// ln gamma: the reflection below 1/2, then Stirling's series once x was shifted to 15 and more.
function lgamma(x) {
    if (x <= 0 && Number.isInteger(x)) return Infinity;
    if (x < 0.5) return Math.log(Math.PI / Math.abs(Math.sin(Math.PI * x))) - lgamma(1 - x);
    if (x === 1 || x === 2 || !isFinite(x)) return isFinite(x) ? 0 : x;
    let shift = 1;
    for (; x < 15; x++) shift *= x;
    const z = 1 / (x * x);
    const series = 1 / 12 + z * (-1 / 360 + z * (1 / 1260 + z * (-1 / 1680 + z * (1 / 1188 +
        z * (-691 / 360360 + z / 156)))));
    return (x - 0.5) * Math.log(x) - x + 0.9189385332046728 + series / x - Math.log(shift);
}

function firstLargest(x) {
    let best = 0;
    for (let i = 1; i < x.length; i++) if (x[i] > x[best]) best = i;
    return best;
}

// == constant ==
steps.constant = (s) => s.numbers.values;

// == fill ==
steps.fill = (s, x) => x.map((cell, i) => (isNaN(cell) ? s.numbers.values[i] : cell));

// == scale ==
steps.scale = (s, x) => x.map((cell, i) => {
    const t = s.numbers;
    const y = t.factors[i] * ((cell * t.parts[i] - t.centres[i]) / t.spreads[i]);
    return y < t.lows[i] ? t.lows[i] : y > t.highs[i] ? t.highs[i] : y;
});

// == affine ==
steps.affine = (s, x) => s.numbers.constants.map((constant, k) => {
    const {weights, centres} = s.numbers;
    let sum = constant;
    for (let j = 0; j < x.length; j++)
        sum += weights[k * x.length + j] * (centres.length ? x[j] - centres[j] : x[j]);
    return sum;
});

// == products ==
steps.products = (s, x) => s.numbers.coefficients.map((coefficient, k) => {
    let product = 1;
    for (let f = s.codes.starts[k]; f < s.codes.starts[k + 1]; f++) product *= x[s.codes.factors[f]];
    return product * coefficient;
});

// == compute ==
// The error function: its series near 0, a continued fraction of the rest further out.
function erf(x) {
    const a = Math.abs(x), factor = 1.1283791670955126 * Math.exp(-a * a);
    if (a > 6) return Math.sign(x);
    if (a < 2.5) {
        let term = a, sum = a;
        for (let n = 1; term > 1e-18 * sum; n++) sum += term *= 2 * a * a / (2 * n + 1);
        return Math.sign(x) * factor * sum;
    }
    let rest = 0;
    for (let n = 60; n > 0; n--) rest = n / 2 / (a + rest);
    return Math.sign(x) * (1 - factor / 2 / (a + rest));
}

// Halves away from 0.
const halfUp = (x) => {
    const a = Math.abs(x), whole = Math.floor(a);
    return isFinite(x) ? Math.sign(x) * (a - whole >= 0.5 ? whole + 1 : whole) : x;
};

// Functions of one number, in the order of docs/export.md.
const computeFunctions = [
    Math.abs, Math.sign, Math.sqrt, (x) => x * x, Math.cbrt, Math.exp, Math.expm1, Math.log,
    Math.log2, Math.log10, Math.log1p, Math.sin, Math.cos, Math.tan, Math.asin, Math.acos,
    Math.atan, Math.sinh, Math.cosh, Math.tanh, (x) => 1 / (1 + Math.exp(-x)),
    (x) => (x > 0 ? x : 0), erf, lgamma, Math.floor, Math.ceil, Math.trunc,
];

// Missing, not, finite, or a function whose answer is missing where it is none.
function computeOne(what, x) {
    if (what === 26) return Number(isNaN(x));
    if (what === 27) return isNaN(x) ? x : Number(x === 0);
    if (what === 28) return Math.abs(x) === Infinity ? NaN : x;
    const y = isNaN(x) ? x : computeFunctions[what - 29](x);
    return isFinite(x) && !isFinite(y) ? NaN : y;
}

// Rounded to so many decimals.
function computeRound(x, digits) {
    digits = Math.trunc(digits);
    if (isNaN(digits)) return digits;
    if (digits === 0) return halfUp(x);
    if (digits > 15) return x;
    const scale = Math.pow(10, Math.abs(digits)), scaled = digits > 0 ? x * scale : x / scale;
    if (scale === Infinity) return x * 0;
    if (!isFinite(scaled)) return x;
    return digits > 0 ? halfUp(scaled) / scale : halfUp(scaled) * scale;
}

function computePower(x, y) {
    const z = y === 2 ? x * x : x === 1 ? 1 : Math.pow(x, y);
    return isFinite(x) && isFinite(y) && !isFinite(z) ? NaN : z;
}

// Two numbers; conditions are 0, 1 or missing.
const computeTwo = [
    (x, y) => x - y, (x, y) => x * y, (x, y) => (y === 0 ? NaN : x / y),
    (x, y) => (y === 0 ? NaN : x - y * Math.floor(x / y)), computePower, Math.atan2, Math.hypot,
    computeRound, (x, y) => Number(x === y), (x, y) => Number(x !== y), (x, y) => Number(x < y),
    (x, y) => Number(x <= y), (x, y) => Number(x > y), (x, y) => Number(x >= y),
];

// Divides by n - 1.
function computeVariance(x) {
    let mean = 0, squares = 0;
    x.forEach((cell, i) => {
        const away = cell - mean;
        mean += away / (i + 1);
        squares += away * (cell - mean);
    });
    return x.length > 1 ? squares / (x.length - 1) : NaN;
}

// One more number of a sum, least, greatest, count, first, and, or.
function computeJoin(what, x, y) {
    if (what === 3 || what === 7) return x + y;
    if (what === 4) return isNaN(y) || y < x ? y : x;
    if (what === 5) return isNaN(y) || y > x ? y : x;
    if (what === 8) return isNaN(x) ? y : x;
    const decides = what === 9 ? 0 : 1;
    if (x === decides || y === decides) return decides;
    return isNaN(x) || isNaN(y) ? NaN : 1 - decides;
}

// The last numbers of the stack become one.
function computeMany(what, x) {
    if (what === 6) return computeVariance(x);
    if (what === 11) return isNaN(x[0]) ? x[0] : x[0] === 1 ? x[1] : x[2];
    if (what >= 26) return computeOne(what, x[0]);
    if (what >= 12) return isNaN(x[0]) || isNaN(x[1]) ? NaN : computeTwo[what - 12](x[0], x[1]);
    if (what === 7) x = x.map((cell) => Number(!isNaN(cell)));
    return x.reduce((y, cell) => computeJoin(what, y, cell));
}

// Instructions, each with the number of an input, constant or output, or with how many.
steps.compute = (s, x) => {
    const stack = [], out = new Array(s.nOut).fill(NaN), codes = s.codes.instructions;
    for (let i = 0; i < s.sizes.instructions; i++) {
        const what = codes[2 * i], which = codes[2 * i + 1];
        if (what === 0) stack.push(x[which]);
        else if (what === 1) stack.push(s.numbers.constants[which]);
        else if (what === 2) out[which] = stack.pop();
        else stack.push(computeMany(what, stack.splice(stack.length - which)));
    }
    return out;
};

// == calendar ==
// Days from 1970-01-01 to the first of January.
function calendarNewYear(year) {
    const y = year - 1, part = (n) => Math.trunc(y / n);
    return y * 365 + part(4) - part(100) + part(400) - 719162;
}

// Days from the Monday of the year's first week, which holds its first Thursday, to a day.
function calendarInWeeks(year, days) {
    const first = calendarNewYear(year), weekday = (((first + 3) % 7) + 7) % 7;
    return days - first + (weekday <= 3 ? weekday : weekday - 7);
}

// Year, quarter, month, week, day, weekday, day of the year, weekend, hour, minute, second of the
// seconds since 1970; weeks of the year, days of the month, days of the year.
steps.calendar = (s, x) => {
    if (!(x[0] >= -62135596800 && x[0] < 253402300800)) return new Array(14).fill(NaN);
    const days = Math.floor(x[0] / 86400), rest = x[0] - 86400 * days;
    let year = 1 + Math.trunc((days + 719162) / 365.2425), month = 0;
    while (calendarNewYear(year) > days) year--;
    while (calendarNewYear(year + 1) <= days) year++;
    const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
    const lengths = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    const ofYear = days - calendarNewYear(year);
    let day = ofYear, of = year;
    for (; day >= lengths[month]; month++) day -= lengths[month];
    if (calendarInWeeks(year, days) < 0) of = year - 1;
    if (calendarInWeeks(year + 1, days) >= 0) of = year + 1;
    const week = Math.trunc(calendarInWeeks(of, days) / 7);
    const weeks = Math.trunc(calendarInWeeks(of, calendarNewYear(of + 1) - 4) / 7);
    const weekday = (((days + 3) % 7) + 7) % 7 + 1;
    const hour = Math.floor(rest / 3600), minute = Math.floor((rest - 3600 * hour) / 60);
    return [year, Math.trunc(month / 3) + 1, month + 1, week + 1, day + 1, weekday, ofYear + 1,
            Number(weekday >= 6), hour, minute, rest - 3600 * hour - 60 * minute, weeks + 1,
            lengths[month], leap ? 366 : 365];
};

// == lookup ==
steps.lookup = (s, x) => {
    if (!(x[0] >= 0 && x[0] < s.sizes.levels)) return s.numbers.otherwise;
    return s.numbers.table.slice(x[0] * s.nOut, (x[0] + 1) * s.nOut);
};

// == cuts ==
// How many cuts lie below the number; `exact`: the place of the number itself.
steps.cuts = (s, x) => {
    const {at} = s.numbers;
    let low = 0, high = s.sizes.cuts;
    if (isNaN(x[0])) return [NaN];
    while (low < high) {
        const middle = low + ((high - low) >> 1);
        if (x[0] > at[middle] || (x[0] === at[middle] && !s.codes.below[middle])) low = middle + 1;
        else high = middle;
    }
    return [s.sizes.exact && (low === s.sizes.cuts || at[low] !== x[0]) ? NaN : low];
};

// == trees ==
// The branch of a test: 0 = at most the cut, 1 = below it, 2 = this level, 3 = a branch per level,
// 4 = sets of levels; -1 = the cell is missing, or no branch takes its level.
function treeSide(s, x, test, cut) {
    if (isNaN(x)) return -1;
    if (test === 0) return Number(!(x <= cut));
    if (test === 1) return Number(!(x < cut));
    if (test === 2) return Number(x !== cut);
    if (test === 3) return x < cut ? x : -1;
    return x < s.codes.sets[cut] ? s.codes.sets[cut + 1 + x] - 1 : -1;
}

// Where a row goes whose cell is missing: as a surrogate says, or the usual way; -1 = nowhere.
function treeInstead(s, x, node) {
    const {surrogate_starts: starts, surrogates, usual} = s.codes;
    for (let i = starts.length ? starts[node] : 0; starts.length && i < starts[node + 1]; i++) {
        const [column, test, turned] = surrogates.slice(3 * i, 3 * i + 3);
        const side = treeSide(s, x[column], test, s.numbers.surrogate_cuts[i]);
        if (side >= 0) return side ^ turned;
    }
    return usual.length ? usual[node] : -1;
}

// Follow the branches from a node as far as one of them is certain.
function treeWalk(s, x, at) {
    const {nodes, links} = s.codes;
    for (;;) {
        const column = nodes[4 * at], test = nodes[4 * at + 1], link = nodes[4 * at + 2];
        if (column < 0) return at;
        const cut = s.numbers.cuts[at];
        let side = treeSide(s, x[column], test, cut);
        let child = links[link + (side >= 0 ? side : test === 3 ? cut : 2)];
        if (child < 0) {
            side = treeInstead(s, x, at);
            child = side < 0 ? -1 : links[link + side];
        }
        if (child < 0) return at;
        at = child;
    }
}

// Add what a leaf says, times a share.
function treeAdd(s, x, sums, row, share) {
    const n = s.sizes.regressors, k = s.sizes.values;
    const linear = s.codes.linear.length ? s.codes.linear[row] : 0;
    let slope = 0;
    for (let j = 0; linear && j < n; j++) {
        const cell = x[s.codes.regressors[j]], at = (linear - 1) * n + j;
        if (!isNaN(cell)) slope += s.numbers.slopes[at] * (cell - s.numbers.centres[at]);
    }
    for (let i = 0; i < k; i++) sums[i] += share * (s.numbers.values[row * k + i] + slope);
}

// The class of averaged shares: the largest after some were taken off or multiplied.
function treeChoose(s, sums) {
    const n = s.sizes.values, {choice} = s.numbers;
    let best = s.codes.order[0], most = -Infinity;
    for (const k of s.codes.order.slice(0, n)) {
        const y = (sums[k] - choice[k]) * choice[n + k];
        if (!(y > most + choice[2 * n])) continue;
        most = y;
        best = k;
    }
    return best;
}

// The branches of a node with their parts of the share.
function treeBranches(s, at, share) {
    const column = s.codes.nodes[4 * at], test = s.codes.nodes[4 * at + 1];
    const link = s.codes.nodes[4 * at + 2];
    const n = column < 0 ? 0 : test === 3 ? s.numbers.cuts[at] : 2;
    const parts = s.numbers.parts.slice(link, link + n), out = [];
    const total = parts.reduce((sum, part) => sum + part, 0);
    parts.forEach((part, b) => {
        const child = s.codes.links[link + b];
        if (child >= 0 && part > 0)
            out.push([child, s.sizes.forest ? share * part : share * part / total]);
    });
    return out;
}

// Add the answer of a tree to sums, and return its label. Where a missing cell leaves the way open,
// all leaves that the row can reach are averaged.
function treeAsk(s, x, root, sums) {
    const {nodes, labels} = s.codes, leaf = treeWalk(s, x, root);
    if (nodes[4 * leaf] < 0) {
        treeAdd(s, x, sums, nodes[4 * leaf + 3], 1);
        return labels.length ? labels[nodes[4 * leaf + 3]] : 0;
    }
    const stack = [[root, 1]];
    let most = -1, best = 0;
    while (stack.length) {
        const [node, share] = stack.pop(), at = treeWalk(s, x, node);
        const branches = treeBranches(s, at, share), row = nodes[4 * at + 3];
        stack.push(...branches.reverse());
        if (branches.length || row < 0) continue;
        treeAdd(s, x, sums, row, share);
        if (share > most) {
            most = share;
            best = row;
        }
    }
    if (!labels.length) return 0;
    return s.sizes.chooses && labels[best] >= 0 ? treeChoose(s, sums) : labels[best];
}

// One tree: its values and its label. A forest: votes or values of all trees, averaged, and the
// first largest.
steps.trees = (s, x) => {
    const k = s.sizes.values;
    let out = new Array(k).fill(0), best = 0;
    for (const root of s.codes.roots.slice(0, s.sizes.trees)) {
        const sums = new Array(k).fill(0);
        best = treeAsk(s, x, root, sums);
        for (let i = 0; i < k; i++) out[i] += s.sizes.votes ? Number(i === best) : sums[i];
    }
    if (s.sizes.forest) {
        best = firstLargest(out);
        out = out.map((y) => y / s.sizes.trees);
    }
    return s.nOut > k ? [...out, best] : out;
};

// == rules ==
// Whether a condition holds; relations are =, !=, <, <=, >, >=, missing.
function ruleMeets(s, x, c) {
    const [column, relation, levels] = s.codes.conditions.slice(3 * c, 3 * c + 3);
    const cell = x[column], cut = s.numbers.numbers[c], starts = s.codes.level_starts;
    if (isNaN(cell) || relation === 6) return isNaN(cell) && relation === 6;
    if (levels && relation < 2)
        return s.codes.levels.slice(starts[c], starts[c + 1]).includes(cell) !== (relation === 1);
    return [cell === cut, cell !== cut, cell < cut, cell <= cut, cell > cut, cell >= cut][relation];
}

// Which rules fire, and the first of them (the last rule where none does).
function rulesFire(s, x) {
    const n = s.sizes.rules - 1, {starts} = s.codes, fired = new Array(n).fill(false);
    let first = n;
    for (let r = 0; r < n; r++) {
        let fires = true;
        for (let c = starts[r]; fires && c < starts[r + 1]; c++) fires = ruleMeets(s, x, c);
        fired[r] = fires;
        if (fires && first === n) first = r;
        if (first < n && s.sizes.mode < 2) break;
    }
    return [fired, first];
}

// Sums over the rules that fire.
function rulesSum(s, fired, table) {
    const k = s.sizes.classes, out = new Array(k).fill(0);
    fired.forEach((fires, r) => {
        for (let c = 0; fires && c < k; c++) out[c] += table[r * k + c];
    });
    return out;
}

// Shares of several rules together: of their counts, or the mean of the shares.
function rulesJoin(s, fired, n) {
    const [add, all] = s.numbers.smoothing;
    const counts = rulesSum(s, fired, s.numbers.counts);
    const out = s.sizes.mode === 3 ? counts : counts.map((y) => y / n);
    const total = out.reduce((sum, y) => sum + y, 0);
    if (fired.some((fires, r) => fires && s.codes.stated[r] >= 0) || !(total > 0))
        return rulesSum(s, fired, s.numbers.shares).map((y) => y / n);
    return out.map((y) => (y + add) / (total + all));
}

// The combination of rules among those that training had; -1 = it is not there.
function rulesPattern(s, fired) {
    for (let p = 0; s.sizes.mode === 4 && p < s.sizes.patterns; p++)
        if (fired.every((fires, r) => s.codes.patterns[p * fired.length + r] === Number(fires)))
            return p;
    return -1;
}

steps.rules = (s, x) => {
    const k = s.sizes.classes, [fired, first] = rulesFire(s, x), pattern = rulesPattern(s, fired);
    const n = fired.filter((fires) => fires).length;
    let out = s.numbers.shares.slice(first * k, (first + 1) * k);
    if (pattern >= 0) out = s.numbers.pattern_shares.slice(pattern * k, (pattern + 1) * k);
    else if (n > 1 && s.sizes.mode >= 2) out = rulesJoin(s, fired, n);
    return [...out, s.sizes.mode === 0 ? s.codes.labels[first] : firstLargest(out)];
};

// == nearest ==
// The nearest centre and the distance from it; of equally near ones the first, or the last.
steps.nearest = (s, x) => {
    let least = Infinity, best = s.sizes.last ? s.sizes.centres - 1 : 0;
    for (let c = 0; c < s.sizes.centres; c++) {
        let sum = 0;
        x.forEach((cell, j) => {
            const gap = cell - s.numbers.centres[c * x.length + j];
            sum += gap * gap;
        });
        if (sum < least || (s.sizes.last && sum === least)) {
            least = sum;
            best = c;
        }
    }
    return [best, Math.sqrt(least)];
};

// == neighbours ==
// What orders rows by their distance: 0 = squares, 1 = absolute differences, 2 = powers, 3 = the
// largest difference, 4 = cells that differ, 5 = Canberra, 6 = Gower.
function rowsApart(s, x, at) {
    const kind = s.sizes.distance, power = s.numbers.power_and_width[0];
    const row = s.numbers.places.slice(at, at + x.length);
    const gaps = x.map((cell, j) => Math.abs(cell - row[j]));
    let sum = 0, known = 0, largest = 0;
    if (kind === 2 || kind === 3) {
        for (const gap of gaps) if (gap > largest || isNaN(gap)) largest = gap;
        if (kind === 3 || !(largest > 0)) return largest;
    }
    gaps.forEach((gap, j) => {
        if (kind === 0) sum += gap * gap;
        if (kind === 1) sum += gap;
        if (kind === 2) sum += Math.pow(gap / largest, power);
        if (kind === 4) sum += Number(x[j] !== row[j]);
        if (kind === 5 && x[j] !== row[j]) sum += gap / (Math.abs(x[j]) + Math.abs(row[j]));
        if (kind !== 6 || isNaN(gap)) return;
        known++;
        const factor = s.numbers.factors[j];
        sum += factor > 0 ? gap * factor : Number(x[j] !== row[j]);
    });
    if (kind === 6) return known > 0 ? sum / known : NaN;
    return kind === 2 ? largest * Math.pow(sum, 1 / power) : sum;
}

// The nearest rows, pairs of distance and row: the nearest first, of equally near ones the first.
function rowsNearest(s, x) {
    const all = [];
    for (let i = 0; i < s.sizes.rows; i++) {
        const apart = rowsApart(s, x, i * x.length);
        if (!isNaN(apart)) all.push([apart, i]);
    }
    all.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : a[1] - b[1]));
    const best = all.slice(0, s.sizes.neighbours);
    return s.sizes.root ? best.map(([apart, i]) => [Math.sqrt(apart), i]) : best;
}

function windowWeight(window, u) {
    const rest = 1 - u * u * u;
    if (window === 0) return Math.exp(-0.5 * u * u);
    if (!(u < 1)) return 0;
    return window === 1 ? 1 - u * u : window === 2 ? rest * rest * rest : 1 - u;
}

// Weights by distance: 0 = equal, 1 = 1/d, 2 = its square, 3 = a window.
function rowsByDistance(s, best) {
    const kind = s.sizes.weights;
    let width = s.numbers.power_and_width[1], scale = 1, weights = [];
    if (isNaN(width)) width = best[best.length - 1][0];
    for (let round = 0; round < 2; round++) {
        weights = best.map(([d]) => {
            const u = width > 0 ? d / width : 0;
            let w = 1;
            if (kind === 1 || kind === 2) w = best[0][0] === 0 ? Number(d === 0) : scale / d;
            if (kind === 3) w = isNaN(u) ? 0 : windowWeight(s.sizes.window, u);
            return kind === 2 ? w * w : w;
        });
        if (weights.every(isFinite)) break;
        scale = best[0][0];
    }
    return weights;
}

// Weights of the neighbours, with those of their rows.
function rowsWeigh(s, best) {
    const own = s.numbers.row_weights, rows = best.map(([, i]) => (own.length ? own[i] : 1));
    let weights = rowsByDistance(s, best);
    if (!weights.some((w) => w > 0)) weights = weights.map(() => 1);
    const most = Math.max(0, ...weights), heaviest = Math.max(own.length ? 0 : 1, ...rows);
    const small = most * heaviest * best.length <= 1e150;
    return weights.map((w, i) => (small ? w * rows[i] : w / most * (rows[i] / heaviest)));
}

// Shares of the classes, and those that have the largest.
function rowsVote(s, best, weights) {
    const sums = new Array(s.sizes.classes).fill(0);
    let total = 0;
    best.forEach(([, i], at) => {
        sums[s.codes.classes[i]] += weights[at];
        total += weights[at];
    });
    const shares = sums.map((y) => y / total);
    const most = shares.reduce((a, b) => (b > a ? b : a), 0);
    const tied = shares.map((y, c) => (y >= most - 1e-12 ? c : -1)).filter((c) => c >= 0);
    return [shares, tied];
}

// Shares and class; ties: 0 = the class of the nearest, 1 = fewer neighbours, 2 = the first.
function rowsDecide(s, best) {
    const [shares, among] = rowsVote(s, best, rowsWeigh(s, best));
    let tied = among;
    if (tied.length > 1 && s.sizes.tie === 0)
        tied = best.map(([, i]) => s.codes.classes[i]).filter((c) => among.includes(c));
    for (let n = best.length - 1; tied.length > 1 && n > 0 && s.sizes.tie === 1; n--)
        tied = rowsVote(s, best.slice(0, n), rowsWeigh(s, best.slice(0, n)))[1];
    return [...shares, tied.length ? tied[0] : 0];
}

steps.neighbours = (s, x) => {
    const best = rowsNearest(s, x), none = new Array(s.nOut).fill(NaN);
    if (s.sizes.classes && !best.length) none[s.sizes.classes] = -1;
    if (!best.length) return none;
    if (s.sizes.classes) return rowsDecide(s, best);
    const weights = rowsWeigh(s, best);
    let sum = 0, total = 0;
    best.forEach(([, i], at) => {
        sum += weights[at] * s.numbers.targets[i];
        total += weights[at];
    });
    return [sum / total];
};

// == kernels ==
// The kernel of the row and row `i` of the places: 0 x.y, 1 a power of it, 2 Gaussian, 3 Laplacian,
// 4 tanh; parameters are gamma, factor and offset.
function kernelsValue(s, x, i) {
    const [gamma, factor, offset] = s.numbers.parameters, {kernel} = s.sizes;
    let dot = 0, square = 0, absolute = 0;
    for (let j = 0; j < x.length; j++) {
        const place = s.numbers.places[i * x.length + j], gap = x[j] - place;
        dot += x[j] * place;
        square += gap * gap;
        absolute += Math.abs(gap);
    }
    if (kernel === 2) return Math.exp(-gamma * square);
    if (kernel === 3) return Math.exp(-gamma * (s.sizes.absolute ? absolute : Math.sqrt(square)));
    if (kernel === 0) return dot;
    dot = factor * dot + offset;
    if (kernel === 4) return Math.tanh(dot);
    let value = dot;
    for (let d = 1; d < s.sizes.degree; d++) value *= dot;
    return value;
}

steps.kernels = (s, x) => {
    const out = [...s.numbers.constants], n = s.sizes.rows;
    for (let i = 0; i < n; i++) {
        const value = kernelsValue(s, x, i);
        for (let k = 0; k < s.nOut; k++) out[k] += s.numbers.coefficients[k * n + i] * value;
    }
    return out;
};

// == normal ==
// Logarithms of normal densities; beyond 1e140 deviations they fall with the logarithm of the
// distance, so that they remain numbers. A missing cell adds nothing.
steps.normal = (s, [x]) => s.numbers.bases.map((base, k) => {
    const centre = s.numbers.centres[k], rate = s.numbers.rates[k], far = 1e140;
    const d = (x - centre) * rate;
    if (!(Math.abs(d) >= far)) return isNaN(x) ? 0 : base - d * d;
    const away = Math.log(Math.abs(x / 2 - centre / 2)) + Math.log(2 * rate) - Math.log(far);
    return base - far * far * (1 + away);
});

// == gaussians ==
// The lower factor of the covariance of the columns that are there.
function gaussiansFactor(own, p, at) {
    const a = at.map(() => new Array(at.length).fill(0));
    for (let i = 0; i < at.length; i++)
        for (let j = 0; j <= i; j++) {
            let sum = own[at[i] * p + at[j]];
            for (let k = 0; k < j; k++) sum -= a[i][k] * a[j][k];
            a[i][j] = i === j ? Math.sqrt(sum > 2.3e-308 ? sum : 2.3e-308) : sum / a[j][j];
        }
    return a;
}

// Logarithms of normal densities of the cells that are there, with the covariance of these: the
// other cells are summed over. A column without variance is left out.
steps.gaussians = (s, x) => {
    const p = x.length, columns = x.map((cell, j) => j);
    let own, at, a;
    return s.numbers.bases.map((base, c) => {
        const mean = s.numbers.means.slice(c * p, (c + 1) * p), u = [];
        if (c === 0 || s.sizes.covariances > 1) {
            own = s.numbers.covariances.slice(c * p * p, (c + 1) * p * p);
            at = columns.filter((j) => !isNaN(x[j]) && own[j * p + j] > 0);
            a = gaussiansFactor(own, p, at);
        }
        let squares = 0, roots = 0;
        at.forEach((j, i) => {
            let sum = x[j] - mean[j];
            for (let k = 0; k < i; k++) sum -= a[i][k] * u[k];
            u.push(sum / a[i][i]);
            squares += u[i] * u[i];
            roots += Math.log(a[i][i]);
        });
        return base - 0.9189385332046727 * at.length - roots - squares / 2;
    });
};

// == kernel ==
function kernelHeight(kernel, u) {
    const reach = [9, 2.23606797749979, 2.449489742783178, 1.7320508075688772][kernel];
    const share = Math.abs(u) / reach;
    if (kernel === 1) return share < 1 ? 0.75 * (1 - share * share) / reach : 0;
    if (kernel === 2) return share < 1 ? (1 - share) / reach : 0;
    if (kernel === 3) return share <= 1 ? 0.5 / reach : 0;
    return Math.abs(u) <= reach ? Math.exp(-u * u / 2) * 0.3989422804014327 : 0;
}

// Logarithms of kernel densities of the classes; one without values has the density of all.
steps.kernel = (s, [x]) => {
    const {starts} = s.codes, {values, weights, bandwidths, totals, floor} = s.numbers;
    let all = 0;
    const out = bandwidths.map((width, k) => {
        let sum = 0, total = 0;
        for (let i = starts[k]; i < starts[k + 1]; i++) {
            sum += weights[i] * kernelHeight(s.sizes.kernel, (x - values[i]) / width);
            total += weights[i];
        }
        const density = sum / (total * width);
        if (starts[k] < starts[k + 1]) all += totals[k] * density;
        return density;
    });
    return out.map((own, k) => {
        const density = starts[k] < starts[k + 1] ? own : all;
        return isNaN(x) ? 0 : Math.log(density > floor[0] ? density : floor[0]);
    });
};

// == votes ==
// Each machine votes for one class of its pair; what the scores add up to decides between equal
// votes. A class that no machine knows has the least.
steps.votes = (s, x) => {
    const {plus, minus, present} = s.codes;
    const votes = new Array(s.nOut).fill(0), sums = new Array(s.nOut).fill(0);
    let least = Infinity;
    x.forEach((score, k) => {
        votes[score >= 0 ? plus[k] : minus[k]] += 1;
        sums[plus[k]] += score;
        sums[minus[k]] -= score;
    });
    for (let c = 0; c < s.nOut; c++) {
        if (!present[c]) continue;
        votes[c] += isFinite(sums[c]) ? sums[c] / (3 * (Math.abs(sums[c]) + 1)) : 0;
        if (votes[c] < least) least = votes[c];
    }
    return votes.map((y, c) => (present[c] ? y : least - 1 - Math.abs(least)));
};

// == counts ==
// Counts times logarithms; `orders` adds the logarithm of the number of orders of the words.
steps.counts = (s, x) => {
    const k = s.nOut, out = new Array(k).fill(0);
    let n = 0, logs = 0;
    x.forEach((count, j) => {
        if (!(count > 0) || count === Infinity) return;
        for (let i = 0; i < k; i++) out[i] += count * s.numbers.logs[j * k + i];
        n += count;
        logs += lgamma(count + 1);
    });
    const orders = s.sizes.orders && x.some((count) => !isNaN(count));
    return orders ? out.map((y) => y + (lgamma(n + 1) - logs)) : out;
};

// == sum ==
steps.sum = (s, x) => {
    const out = new Array(s.nOut).fill(0);
    x.forEach((cell, i) => {
        out[i % s.nOut] += cell;
    });
    return out;
};

// == softmax ==
// Probabilities from scores, put at their places; `pinned`: there is one more class, whose score is
// 0. Where no class is possible the shares of `otherwise` are taken.
steps.softmax = (s, x) => {
    const {places} = s.codes, {otherwise} = s.numbers, out = new Array(s.nOut).fill(0);
    let most = s.sizes.pinned ? 0 : -Infinity, rest = 1;
    for (const score of x) if (score > most || isNaN(score)) most = score;
    if (otherwise.length && !(most > -Infinity)) return otherwise;
    let sum = s.sizes.pinned ? Math.exp(-most) : 0;
    x.forEach((score, i) => {
        sum += out[places[i]] = Math.exp(score - most);
    });
    for (let i = 0; i < x.length; i++) rest -= out[places[i]] /= sum;
    if (s.sizes.pinned) out[places[x.length]] = rest > 0 || isNaN(rest) ? rest : 0;
    return out;
};

// == logistic ==
// Probabilities of the two classes, each exact where the other is nearly 1.
steps.logistic = (s, [x]) => {
    const e = Math.exp(-Math.abs(x)), out = new Array(s.nOut).fill(0), [first, second] = s.codes.places;
    out[first] = x >= 0 ? 1 / (1 + e) : e / (1 + e);
    out[second] = x >= 0 ? e / (1 + e) : 1 / (1 + e);
    return out;
};

// == calibrate ==
// Forms: 0 = plateaus and lines between them, 1 = plateaus and steps, 2 = a logistic curve about a
// centre, 3 = one of a line, 4 = one of the logarithms of the score and of its rest, 5 = always the
// same.
function calibrated(s, x) {
    const {lows, highs, values, curve: c} = s.numbers, {form, pieces} = s.sizes;
    const low = x < 1e-15 ? 1e-15 : x, rest = 1 - x < 1e-15 ? 1e-15 : 1 - x;
    if (form === 5) return c[0];
    if (form === 2) return 1 / (1 + Math.exp(-c[0] * (x - c[1])) / c[2]);
    if (form === 3) return 1 / (1 + Math.exp(-(c[0] * x + c[1])));
    if (form === 4)
        return 1 / (1 + Math.exp(-(c[0] * Math.log(low) - c[1] * Math.log(rest) + c[2])));
    let i = 0;
    while (i < pieces && highs[i] < x) i++;
    if (i === pieces) return values[i - 1];
    if (i === 0 || x >= lows[i]) return values[i];
    const from = highs[i - 1], to = lows[i];
    if (form === 1) return values[x < from + (to - from) / 2 ? i - 1 : i];
    return values[i - 1] + (x - from) / (to - from) * (values[i] - values[i - 1]);
}

steps.calibrate = (s, [x]) => [isNaN(x) ? x : calibrated(s, x)];

// == shares ==
steps.shares = (s, x) => {
    const sum = x.reduce((total, cell) => total + cell, 0);
    return sum === 0 ? s.numbers.otherwise : x.map((cell) => cell / sum);
};

// == decide ==
function decisionCost(s, x, decision) {
    return x.reduce((sum, share, i) => sum + share * s.numbers.costs[i * x.length + decision], 0);
}

// The class of least expected cost, or the positive one from a threshold on; -2 where no answer is
// cheaper, -1 where nothing is known.
steps.decide = (s, x) => {
    const [threshold, reject] = s.numbers.threshold_and_reject, {positive} = s.sizes;
    let best = 0, score = x[positive];
    if (s.sizes.by_threshold) {
        best = score >= threshold ? positive : 1 - positive;
    } else {
        const costs = x.map((share, c) => decisionCost(s, x, c));
        score = costs[0];
        costs.forEach((cost, c) => {
            if (cost < costs[best]) best = c;
        });
    }
    if (!isNaN(reject) && decisionCost(s, x, best) > reject) best = -2;
    return [isNaN(score) ? -1 : best];
};

// == largest ==
steps.largest = (s, x) => {
    const best = firstLargest(x);
    return [!x.length || (s.sizes.known && isNaN(x[best])) ? -1 : best];
};

// == blank ==
steps.blank = (s, x) => {
    const n = s.sizes.looked_at;
    return x.slice(0, n).some(isNaN) ? s.numbers.instead : x.slice(n);
};

// == model ==
// What JSON has no number for is written as null and as texts.
const number = (x) => (x === null ? NaN : x === "inf" ? Infinity : x === "-inf" ? -Infinity : x);

// Tables by name; those that are empty are left out.
const tables = (given) => new Proxy(given, {get: (all, name) => all[name] || []});

const STEPS = PROGRAM.steps.map((op) => {
    const numbers = {};
    for (const name of Object.keys(op.numbers)) numbers[name] = op.numbers[name].map(number);
    return {run: steps[op.op], slots: op.in, first: op.out[0], nOut: op.out[1], sizes: op.sizes,
            codes: tables(op.codes), numbers: tables(numbers)};
});

const LEVELS = PROGRAM.columns.map((column) => new Map((column.levels || []).map((l, i) => [l, i])));

// Seconds since 1970 of a Date, a text or a number; a text without a zone is read as it stands.
function seconds(time) {
    if (time instanceof Date) return time.getTime() / 1000;
    if (typeof time !== "string" || time.trim() === "" || !isNaN(time)) return toNumber(time);
    const zoned = /(Z|[+-]\d\d:?\d\d)$/i.test(time) || /^\d{4}-\d\d-\d\d$/.test(time);
    return Date.parse(zoned ? time : `${time.trim().replace(" ", "T")}Z`) / 1000;
}

// What is no number is missing.
function toNumber(x) {
    if (x === null || x === undefined || (typeof x === "string" && x.trim() === "")) return NaN;
    return Number(x);
}

// A cell as the program reads it: a number, the code of a level, NaN where it is missing or a level
// that training did not know.
function cell(column, x) {
    const {kind} = PROGRAM.columns[column];
    if (kind === "time") return seconds(x);
    if (kind !== "level") return toNumber(x);
    const code = x === null || x === undefined ? undefined : LEVELS[column].get(String(x));
    return code === undefined ? NaN : code;
}

// The answer to cells as the program reads them.
function answer(cells) {
    const v = [...cells], told = PROGRAM.answer;
    for (const step of STEPS)
        step.run(step, step.slots.map((slot) => v[slot])).forEach((y, i) => {
            v[step.first + i] = y;
        });
    const code = told.code === null ? -1 : v[told.code];
    return {
        code,
        class: code >= 0 && code < told.classes.length ? told.classes[code] : null,
        number: told.number === null ? NaN : v[told.number],
        scores: told.scores === null ? [] : v.slice(told.scores, told.scores + told.n_scores),
    };
}

// The answer to a row: an object by names of columns, or its cells in their order; null is a missing
// cell. `code` is -1 where nothing is known and -2 where no answer is given.
function predict(row) {
    const names = PROGRAM.columns.map((column) => column.name);
    if (!Array.isArray(row)) {
        const absent = names.find((name) => !Object.hasOwn(row, name));
        if (absent !== undefined) throw new Error(`the row has no column '${absent}'`);
        row = names.map((name) => row[name]);
    }
    if (row.length !== names.length)
        throw new Error(`a row has ${names.length} cells, not ${row.length}`);
    return answer(row.map((x, i) => cell(i, x)));
}

// Equal to twelve digits, or both missing.
function near(a, b) {
    b = number(b);
    if (isNaN(a) || isNaN(b)) return isNaN(a) && isNaN(b);
    const size = 1e-12 * Math.max(Math.abs(a), Math.abs(b));
    return a === b || Math.abs(a - b) <= Math.max(size, PROGRAM.slack);
}

// Whether the rows that came along are answered as Cairn answered them.
function test() {
    let wrong = 0;
    PROGRAM.tests.forEach((t, i) => {
        const said = answer(t.row.map(number));
        const good = said.code === (t.code === null ? -1 : t.code) && near(said.number, t.number) &&
            t.scores.every((score, k) => near(said.scores[k], score));
        if (good) return;
        console.log(`row ${i + 1}: ${JSON.stringify(said)} instead of ${JSON.stringify(t)}`);
        wrong++;
    });
    console.log(`${PROGRAM.tests.length - wrong} of ${PROGRAM.tests.length} rows as Cairn answers them`);
    return wrong === 0;
}

return {columns: PROGRAM.columns, answerName: PROGRAM.answer.name, predict, answer, cell, test};
})();

if (typeof module === "object" && module.exports) {
    module.exports = cairnModel;
    if (require.main === module && process.argv[2] === "--test")
        process.exitCode = cairnModel.test() ? 0 : 1;
}

// == end ==
