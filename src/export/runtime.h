/* SPDX-License-Identifier: MIT */
/* What the operations of a program do, in C99. This file is used twice: `export_run.c` includes it
 * to check programs before they are written, and the C that is exported holds those of its parts
 * that it needs (a part begins at a line "/" "* == name == *" "/"). So it includes nothing of
 * Cairn's.
 *
 * v are the slots of one row; NaN is a missing cell. */
#ifndef CAIRN_EXPORT_RUNTIME_H
#define CAIRN_EXPORT_RUNTIME_H

/* == always == */
#include <math.h>
#include <stddef.h>

/* One operation: the slots that it reads, the first slot that it writes, slots for its work, and
 * its tables, which docs/export.md of Cairn names in this order. */
typedef struct step {
    int n_in, out, n_out, work;
    int n[8];
    const int *in;
    const int *codes[12];
    const double *numbers[8];
} step;

/* == cell == */
static double cell(const step *s, const double *v, int i)
{
    return v[s->in[i]];
}

/* == constant == */
static void step_constant(const step *s, double *v)
{
    for (int i = 0; i < s->n_out; i++) v[s->out + i] = s->numbers[0][i];
}

/* == fill == */
static void step_fill(const step *s, double *v)
{
    for (int i = 0; i < s->n_out; i++) {
        double x = cell(s, v, i);
        v[s->out + i] = isnan(x) ? s->numbers[0][i] : x;
    }
}

/* == scale == */
static void step_scale(const step *s, double *v)
{
    const double *parts = s->numbers[0], *centres = s->numbers[1], *spreads = s->numbers[2];
    const double *factors = s->numbers[3], *lows = s->numbers[4], *highs = s->numbers[5];
    for (int i = 0; i < s->n_out; i++) {
        double x = factors[i] * ((cell(s, v, i) * parts[i] - centres[i]) / spreads[i]);
        v[s->out + i] = x < lows[i] ? lows[i] : x > highs[i] ? highs[i] : x;
    }
}

/* == affine == */
static void step_affine(const step *s, double *v)
{
    const double *centres = s->numbers[2];
    for (int k = 0; k < s->n_out; k++) {
        const double *weights = s->numbers[1] + (size_t)k * (size_t)s->n_in;
        double sum = s->numbers[0][k];
        for (int j = 0; j < s->n_in; j++)
            sum += weights[j] * (centres ? cell(s, v, j) - centres[j] : cell(s, v, j));
        v[s->out + k] = sum;
    }
}

/* == products == */
static void step_products(const step *s, double *v)
{
    const int *starts = s->codes[0], *factors = s->codes[1];
    for (int k = 0; k < s->n_out; k++) {
        double product = 1;
        for (int f = starts[k]; f < starts[k + 1]; f++) product *= cell(s, v, factors[f]);
        v[s->out + k] = product * s->numbers[0][k];
    }
}

/* == compute == */
/* A function of one number, in the order of docs/export.md. */
static double compute_function(int which, double x)
{
    switch (which) {
    case 0: return fabs(x);
    case 1: return (x > 0) - (x < 0);
    case 2: return sqrt(x);
    case 3: return x * x;
    case 4: return cbrt(x);
    case 5: return exp(x);
    case 6: return expm1(x);
    case 7: return log(x);
    case 8: return log2(x);
    case 9: return log10(x);
    case 10: return log1p(x);
    case 11: return sin(x);
    case 12: return cos(x);
    case 13: return tan(x);
    case 14: return asin(x);
    case 15: return acos(x);
    case 16: return atan(x);
    case 17: return sinh(x);
    case 18: return cosh(x);
    case 19: return tanh(x);
    case 20: return 1 / (1 + exp(-x));
    case 21: return x > 0 ? x : 0;
    case 22: return erf(x);
    case 23: return lgamma(x);
    case 24: return floor(x);
    case 25: return ceil(x);
    default: return trunc(x);
    }
}

/* One number: missing, not, finite, or a function whose answer is missing where it is none. */
static double compute_one(int what, double x)
{
    double y;
    if (what == 26) return isnan(x) != 0;
    if (what == 27) return isnan(x) ? x : x == 0;
    if (what == 28) return isinf(x) ? NAN : x;
    y = isnan(x) ? x : compute_function(what - 29, x);
    return isfinite(x) && !isfinite(y) ? NAN : y;
}

/* Rounded to so many decimals. */
static double compute_round(double x, double digits)
{
    digits = trunc(digits);
    if (isnan(digits)) return digits;
    if (digits == 0) return round(x);
    if (digits > 15) return x;
    double scale = pow(10, fabs(digits)), scaled = digits > 0 ? x * scale : x / scale;
    if (isinf(scale)) return x * 0;
    if (!isfinite(scaled)) return x;
    return digits > 0 ? round(scaled) / scale : round(scaled) * scale;
}

/* Two numbers; conditions are 0, 1 or missing. */
static double compute_two(int what, double x, double y)
{
    double z;
    if (isnan(x) || isnan(y)) return NAN;
    switch (what) {
    case 12: return x - y;
    case 13: return x * y;
    case 14: return y == 0 ? NAN : x / y;
    case 15: return y == 0 ? NAN : x - y * floor(x / y);
    case 16:
        z = y == 2 ? x * x : pow(x, y);
        return isfinite(x) && isfinite(y) && !isfinite(z) ? NAN : z;
    case 17: return atan2(x, y);
    case 18: return hypot(x, y);
    case 19: return compute_round(x, y);
    case 20: return x == y;
    case 21: return x != y;
    case 22: return x < y;
    case 23: return x <= y;
    case 24: return x > y;
    default: return x >= y;
    }
}

/* Variance of n numbers, dividing by n - 1. */
static double compute_variance(const double *x, int n)
{
    double mean = 0, squares = 0;
    for (int i = 0; i < n; i++) {
        double away = x[i] - mean;
        mean += away / (i + 1);
        squares += away * (x[i] - mean);
    }
    return n > 1 ? squares / (n - 1) : NAN;
}

/* One more number of a sum, least, greatest, count, first, and, or. */
static double compute_join(int what, double x, double y)
{
    switch (what) {
    case 3: return x + y;
    case 4: return isnan(y) || y < x ? y : x;
    case 5: return isnan(y) || y > x ? y : x;
    case 7: return x + y;
    case 8: return isnan(x) ? y : x;
    case 9: return x == 0 || y == 0 ? 0 : isnan(x) || isnan(y) ? NAN : 1;
    default: return x == 1 || y == 1 ? 1 : isnan(x) || isnan(y) ? NAN : 0;
    }
}

/* The last n numbers of the stack become one. */
static double compute_many(int what, const double *x, int n)
{
    double y = what == 7 ? !isnan(x[0]) : x[0];
    if (what == 6) return compute_variance(x, n);
    if (what == 11) return isnan(x[0]) ? x[0] : x[0] == 1 ? x[1] : x[2];
    if (what >= 26) return compute_one(what, x[0]);
    if (what >= 12) return compute_two(what, x[0], x[1]);
    for (int i = 1; i < n; i++) y = compute_join(what, y, what == 7 ? !isnan(x[i]) : x[i]);
    return y;
}

/* An instruction is what is done, and with which input, constant, output, or with how many. */
static void step_compute(const step *s, double *v)
{
    double *stack = v + s->work;
    int top = 0;
    for (int i = 0; i < s->n[0]; i++) {
        int what = s->codes[0][2 * i], with = s->codes[0][2 * i + 1];
        if (what == 0) {
            stack[top++] = cell(s, v, with);
        } else if (what == 1) {
            stack[top++] = s->numbers[0][with];
        } else if (what == 2) {
            v[s->out + with] = stack[--top];
        } else {
            top -= with - 1;
            stack[top - 1] = compute_many(what, stack + top - 1, with);
        }
    }
}

/* == calendar == */
/* Days from 1970-01-01 to the first of January. */
static int calendar_new_year(int year)
{
    int y = year - 1;
    return y * 365 + y / 4 - y / 100 + y / 400 - 719162;
}

static int calendar_leap(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* Days from the Monday of the year's first week, which holds its first Thursday, to a day. */
static int calendar_in_weeks(int year, int days)
{
    int first = calendar_new_year(year), weekday = ((first + 3) % 7 + 7) % 7;
    return days - first + (weekday <= 3 ? weekday : weekday - 7);
}

/* The week of a day, and how many weeks its year has. */
static void calendar_week(double *out, int year, int days)
{
    int of = year;
    if (calendar_in_weeks(year, days) < 0) of = year - 1;
    if (calendar_in_weeks(year + 1, days) >= 0) of = year + 1;
    int week = calendar_in_weeks(of, days) / 7;
    int last = calendar_in_weeks(of, calendar_new_year(of + 1) - 4) / 7;
    out[3] = week + 1;
    out[11] = last + 1;
}

/* Year, quarter, month, week, day, weekday, day of the year, weekend, hour, minute, second of the
 * seconds since 1970; weeks of the year, days of the month, days of the year. */
static void step_calendar(const step *s, double *v)
{
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    double t = cell(s, v, 0), *out = v + s->out;
    for (int i = 0; i < 14; i++) out[i] = NAN;
    if (!(t >= -62135596800.0 && t < 253402300800.0)) return;
    int days = (int)floor(t / 86400), year = 1 + (int)((days + 719162) / 365.2425), month = 0;
    double rest = t - 86400.0 * days;
    while (calendar_new_year(year) > days) year--;
    while (calendar_new_year(year + 1) <= days) year++;
    int day = days - calendar_new_year(year), leap = calendar_leap(year);
    out[6] = day + 1;
    for (; day >= lengths[month] + (month == 1 && leap); month++)
        day -= lengths[month] + (month == 1 && leap);
    out[0] = year;
    int quarter = month / 3;
    out[1] = quarter + 1;
    out[2] = month + 1;
    calendar_week(out, year, days);
    out[4] = day + 1;
    out[5] = ((days + 3) % 7 + 7) % 7 + 1;
    out[7] = out[5] >= 6;
    out[8] = floor(rest / 3600);
    out[9] = floor((rest - 3600 * out[8]) / 60);
    out[10] = rest - 3600 * out[8] - 60 * out[9];
    out[12] = lengths[month] + (month == 1 && leap);
    out[13] = 365 + leap;
}

/* == lookup == */
static void step_lookup(const step *s, double *v)
{
    double x = cell(s, v, 0);
    const double *row = s->numbers[1];
    if (x >= 0 && x < s->n[0]) row = s->numbers[0] + (size_t)x * (size_t)s->n_out;
    for (int k = 0; k < s->n_out; k++) v[s->out + k] = row[k];
}

/* == cuts == */
/* How many cuts lie below the number; `exact`: the place of the number itself. */
static void step_cuts(const step *s, double *v)
{
    double x = cell(s, v, 0);
    const double *at = s->numbers[0];
    int low = 0, high = s->n[0];
    while (low < high && !isnan(x)) {
        int middle = low + (high - low) / 2;
        if (x > at[middle] || (x == at[middle] && !s->codes[0][middle]))
            low = middle + 1;
        else
            high = middle;
    }
    if (isnan(x) || (s->n[1] && (low == s->n[0] || at[low] != x)))
        v[s->out] = NAN;
    else
        v[s->out] = low;
}

/* == trees == */
/* The branch of a test: 0 = at most the cut, 1 = below it, 2 = this level, 3 = a branch per level,
 * 4 = sets of levels; -1 = the cell is missing, or no branch takes its level. */
static int tree_side(const step *s, const double *v, int column, int test, double with)
{
    double x = cell(s, v, column);
    const int *set = s->codes[7];
    if (isnan(x)) return -1;
    if (test == 0) return !(x <= with);
    if (test == 1) return !(x < with);
    if (test == 2) return x != with;
    if (test == 3) return x < with ? (int)x : -1;
    set += (int)with;
    return x < set[0] ? set[1 + (int)x] - 1 : -1;
}

/* Where a row goes whose cell is missing: as a surrogate says, or the usual way; -1 = nowhere. */
static int tree_instead(const step *s, const double *v, int node)
{
    const int *starts = s->codes[5];
    for (int i = starts ? starts[node] : 0; starts && i < starts[node + 1]; i++) {
        const int *surrogate = s->codes[6] + 3 * (size_t)i;
        int side = tree_side(s, v, surrogate[0], surrogate[1], s->numbers[3][i]);
        if (side >= 0) return side ^ surrogate[2];
    }
    return s->codes[4] ? s->codes[4][node] : -1;
}

/* Follow the branches from a node as far as one of them is certain. */
static int tree_walk(const step *s, const double *v, int at)
{
    for (;;) {
        const int *node = s->codes[1] + 4 * (size_t)at;
        if (node[0] < 0) return at;
        const int *links = s->codes[2] + node[2];
        double with = s->numbers[0][at];
        int side = tree_side(s, v, node[0], node[1], with);
        int child = links[side >= 0 ? side : node[1] == 3 ? (int)with : 2];
        if (child < 0) {
            side = tree_instead(s, v, at);
            child = side < 0 ? -1 : links[side];
        }
        if (child < 0) return at;
        at = child;
    }
}

/* Add what a leaf says, times a share. */
static void tree_add(const step *s, const double *v, double *sums, int row, double share)
{
    const double *values = s->numbers[2] + (size_t)row * (size_t)s->n[1];
    int linear = s->codes[9] ? s->codes[9][row] : 0;
    size_t from = (size_t)(linear ? linear - 1 : 0) * (size_t)s->n[4];
    double slope = 0;
    for (int j = 0; linear && j < s->n[4]; j++) {
        double x = cell(s, v, s->codes[10][j]);
        if (!isnan(x))
            slope += s->numbers[5][from + (size_t)j] * (x - s->numbers[6][from + (size_t)j]);
    }
    for (int k = 0; k < s->n[1]; k++) sums[k] += share * (values[k] + slope);
}

/* The class of averaged shares: the largest after some were taken off or multiplied. */
static int tree_choose(const step *s, const double *sums)
{
    int n = s->n[1], best = s->codes[8][0];
    const double *minus = s->numbers[4], *times = minus + n;
    double most = -INFINITY, tie = minus[2 * n];
    for (int i = 0; i < n; i++) {
        int k = s->codes[8][i];
        double x = (sums[k] - minus[k]) * times[k];
        if (!(x > most + tie)) continue;
        most = x;
        best = k;
    }
    return best;
}

/* Put the branches of a node on the stack, with their parts of the share: parts are weights of
 * training rows, in a forest shares. */
static int tree_push(const step *s, double *stack, int n, int at, double share)
{
    const int *node = s->codes[1] + 4 * (size_t)at;
    const double *parts = s->numbers[1] + node[2];
    int branches = node[0] < 0 ? 0 : node[1] == 3 ? (int)s->numbers[0][at] : 2;
    double total = 0;
    for (int b = 0; b < branches; b++) total += parts[b];
    for (int b = branches; b-- > 0;) {
        int child = s->codes[2][node[2] + b];
        if (child < 0 || !(parts[b] > 0)) continue;
        stack[2 * n] = child;
        stack[2 * n + 1] = s->n[5] ? share * parts[b] : share * parts[b] / total;
        n++;
    }
    return n;
}

/* The answer of the tree at `root` is added to sums; returns its label. Where a missing cell leaves
 * the way open, all leaves that the row can reach are averaged. */
static int tree_ask(const step *s, double *v, int root, double *sums)
{
    const int *nodes = s->codes[1], *labels = s->codes[3];
    double *stack = v + s->work + s->n[1], most = -1;
    int at = tree_walk(s, v, root), n = 1, best = 0;
    if (nodes[4 * (size_t)at] < 0) {
        tree_add(s, v, sums, nodes[4 * (size_t)at + 3], 1);
        return labels ? labels[nodes[4 * (size_t)at + 3]] : 0;
    }
    stack[0] = root;
    stack[1] = 1;
    while (n > 0) {
        double share = stack[2 * --n + 1];
        at = tree_walk(s, v, (int)stack[2 * n]);
        int before = n, row = nodes[4 * (size_t)at + 3];
        n = tree_push(s, stack, n, at, share);
        if (n > before || row < 0) continue;
        tree_add(s, v, sums, row, share);
        if (share > most) {
            most = share;
            best = row;
        }
    }
    if (!labels) return 0;
    return s->n[3] && labels[best] >= 0 ? tree_choose(s, sums) : labels[best];
}

/* One tree: its values and its label. A forest: votes or values of all trees, averaged, and the
 * first largest. */
static void step_trees(const step *s, double *v)
{
    int k = s->n[1], best = 0;
    double *out = v + s->out, *sums = v + s->work;
    for (int i = 0; i < k; i++) out[i] = 0;
    for (int t = 0; t < s->n[0]; t++) {
        for (int i = 0; i < k; i++) sums[i] = 0;
        int label = tree_ask(s, v, s->codes[0][t], sums);
        for (int i = 0; i < k; i++) out[i] += s->n[2] ? i == label : sums[i];
        best = label;
    }
    if (s->n[5]) best = 0;
    for (int i = 1; s->n[5] && i < k; i++)
        if (out[i] > out[best]) best = i;
    for (int i = 0; s->n[5] && i < k; i++) out[i] /= s->n[0];
    if (s->n_out > k) out[k] = best;
}

/* == rules == */
/* Whether a condition holds; relations are =, !=, <, <=, >, >=, missing. */
static int rule_meets(const step *s, const double *v, int c)
{
    const int *condition = s->codes[1] + 3 * (size_t)c;
    double x = cell(s, v, condition[0]), with = s->numbers[0][c];
    int relation = condition[1], found = 0;
    if (isnan(x) || relation == 6) return isnan(x) && relation == 6;
    if (condition[2] && relation < 2) {
        for (int l = s->codes[2][c]; l < s->codes[2][c + 1]; l++) found |= s->codes[3][l] == x;
        return found != relation;
    }
    switch (relation) {
    case 0: return x == with;
    case 1: return x != with;
    case 2: return x < with;
    case 3: return x <= with;
    case 4: return x > with;
    default: return x >= with;
    }
}

/* Which rules fire; returns how many, and the first of them (the last rule where none does). */
static int rules_fire(const step *s, double *v, double *fired, int *first)
{
    int n = 0;
    *first = s->n[0] - 1;
    for (int r = 0; r + 1 < s->n[0]; r++) {
        int fires = 1;
        for (int c = s->codes[0][r]; fires && c < s->codes[0][r + 1]; c++)
            fires = rule_meets(s, v, c);
        fired[r] = fires;
        if (fires && n++ == 0) *first = r;
        if (n && s->n[2] < 2) break;
    }
    return n;
}

/* The mean of the shares of the rules that fire. */
static void rules_average(const step *s, const double *fired, int n, double *out)
{
    int k = s->n[1];
    for (int l = 0; l < k; l++) out[l] = 0;
    for (int r = 0; r + 1 < s->n[0]; r++)
        for (int l = 0; fired[r] > 0 && l < k; l++) out[l] += s->numbers[1][r * k + l];
    for (int l = 0; l < k; l++) out[l] /= n;
}

/* Shares of several rules together: of their counts, or the mean of the shares. */
static void rules_join(const step *s, const double *fired, int n, double *out)
{
    int k = s->n[1], stated = 0;
    double total = 0;
    for (int l = 0; l < k; l++) out[l] = 0;
    for (int r = 0; r + 1 < s->n[0]; r++) {
        for (int l = 0; fired[r] > 0 && l < k; l++) out[l] += s->numbers[2][r * k + l];
        stated |= fired[r] > 0 && s->codes[5][r] >= 0;
    }
    for (int l = 0; l < k; l++) {
        if (s->n[2] != 3) out[l] /= n;
        total += out[l];
    }
    if (stated || !(total > 0)) {
        rules_average(s, fired, n, out);
        return;
    }
    for (int l = 0; l < k; l++) out[l] = (out[l] + s->numbers[4][0]) / (total + s->numbers[4][1]);
}

/* The combination of rules among those that training had; -1 = it is not there. */
static int rules_pattern(const step *s, const double *fired)
{
    int width = s->n[0] - 1;
    for (int p = 0; s->n[2] == 4 && p < s->n[3]; p++) {
        int same = 1;
        for (int r = 0; same && r < width; r++)
            same = s->codes[6][(size_t)p * (size_t)width + (size_t)r] == (fired[r] > 0);
        if (same) return p;
    }
    return -1;
}

static void step_rules(const step *s, double *v)
{
    int k = s->n[1], first, best = 0;
    double *out = v + s->out, *fired = v + s->work;
    int n = rules_fire(s, v, fired, &first), pattern = rules_pattern(s, fired);
    if (pattern < 0 && n > 1 && s->n[2] >= 2) {
        rules_join(s, fired, n, out);
    } else {
        const double *row = pattern < 0 ? s->numbers[1] + first * k : s->numbers[3] + pattern * k;
        for (int l = 0; l < k; l++) out[l] = row[l];
    }
    for (int l = 1; l < k; l++)
        if (out[l] > out[best]) best = l;
    out[k] = s->n[2] == 0 ? s->codes[4][first] : best;
}

/* == nearest == */
/* The nearest centre and the distance from it; of equally near ones the first, or the last. */
static void step_nearest(const step *s, double *v)
{
    double least = INFINITY;
    int best = s->n[1] ? s->n[0] - 1 : 0;
    for (int c = 0; c < s->n[0]; c++) {
        const double *centre = s->numbers[0] + (size_t)c * (size_t)s->n_in;
        double sum = 0;
        for (int j = 0; j < s->n_in; j++)
            sum += (cell(s, v, j) - centre[j]) * (cell(s, v, j) - centre[j]);
        if (sum < least || (s->n[1] && sum == least)) {
            least = sum;
            best = c;
        }
    }
    v[s->out] = best;
    v[s->out + 1] = sqrt(least);
}

/* == neighbours == */
/* What orders rows by their distance: 0 = squares, 1 = absolute differences, 2 = powers, 3 = the
 * largest difference, 4 = cells that differ, 5 = Canberra, 6 = Gower. */
static double rows_apart(const step *s, const double *v, const double *row)
{
    int n = s->n_in, kind = s->n[3];
    double sum = 0, largest = 0, known = 0, power = s->numbers[3][0];
    for (int j = 0; j < n && (kind == 2 || kind == 3); j++) {
        double gap = fabs(cell(s, v, j) - row[j]);
        if (gap > largest || isnan(gap)) largest = gap;
    }
    if (kind == 3 || (kind == 2 && !(largest > 0))) return largest;
    for (int j = 0; j < n; j++) {
        double x = cell(s, v, j), gap = fabs(x - row[j]);
        if (kind == 0) sum += (x - row[j]) * (x - row[j]);
        if (kind == 1) sum += gap;
        if (kind == 2) sum += pow(gap / largest, power);
        if (kind == 4) sum += x != row[j];
        if (kind == 5 && x != row[j]) sum += gap / (fabs(x) + fabs(row[j]));
        if (kind != 6 || isnan(gap)) continue;
        known++;
        sum += s->numbers[4][j] > 0 ? gap * s->numbers[4][j] : x != row[j];
    }
    if (kind == 6) return known > 0 ? sum / known : NAN;
    return kind == 2 ? largest * pow(sum, 1 / power) : sum;
}

/* The nearest rows, the nearest first and of equally near ones the first: pairs of distance and
 * row. Returns how many. */
static int rows_nearest(const step *s, const double *v, double *best)
{
    int n = 0, most = s->n[1];
    for (int i = 0; i < s->n[0]; i++) {
        double apart = rows_apart(s, v, s->numbers[0] + (size_t)i * (size_t)s->n_in);
        if (isnan(apart) || (n == most && !(apart < best[2 * n - 2]))) continue;
        int at = n < most ? n++ : n - 1;
        for (; at > 0 && best[2 * at - 2] > apart; at--) {
            best[2 * at] = best[2 * at - 2];
            best[2 * at + 1] = best[2 * at - 1];
        }
        best[2 * at] = apart;
        best[2 * at + 1] = i;
    }
    for (int i = 0; s->n[7] && i < n; i++) best[2 * i] = sqrt(best[2 * i]);
    return n;
}

static double window_weight(int window, double u)
{
    double rest = 1 - u * u * u;
    if (window == 0) return exp(-0.5 * u * u);
    if (!(u < 1)) return 0;
    return window == 1 ? 1 - u * u : window == 2 ? rest * rest * rest : 1 - u;
}

/* Weights by distance: 0 = equal, 1 = 1/d, 2 = its square, 3 = a window. */
static void rows_by_distance(const step *s, const double *best, int n, double *weights)
{
    double width = s->numbers[3][1], scale = 1;
    int kind = s->n[4], finite = 1;
    if (isnan(width)) width = best[2 * n - 2];
    for (int round = 0; round < 2; round++) {
        finite = 1;
        for (int i = 0; i < n; i++) {
            double d = best[2 * i], w = 1, u = width > 0 ? d / width : 0;
            if (kind == 1 || kind == 2) w = best[0] == 0 ? d == 0 : scale / d;
            if (kind == 3) w = isnan(u) ? 0 : window_weight(s->n[5], u);
            weights[i] = kind == 2 ? w * w : w;
            finite &= isfinite(weights[i]) != 0;
        }
        if (finite) break;
        scale = best[0];
    }
}

/* Weights of the neighbours, with those of their rows. */
static void rows_weigh(const step *s, const double *best, int n, double *weights)
{
    double most = 0, heaviest = s->numbers[2] ? 0 : 1;
    int some = 0;
    rows_by_distance(s, best, n, weights);
    for (int i = 0; i < n; i++) some |= weights[i] > 0;
    for (int i = 0; i < n; i++) {
        if (!some) weights[i] = 1;
        most = fmax(most, weights[i]);
        if (s->numbers[2]) heaviest = fmax(heaviest, s->numbers[2][(int)best[2 * i + 1]]);
    }
    for (int i = 0; i < n; i++) {
        double row = s->numbers[2] ? s->numbers[2][(int)best[2 * i + 1]] : 1;
        weights[i] =
            most * heaviest * n <= 1e150 ? weights[i] * row : weights[i] / most * (row / heaviest);
    }
}

/* Shares of the classes; returns how many have the largest, and the first of them. */
static int rows_vote(const step *s, const double *best, int n, const double *weights, double *out,
                     int *first)
{
    int k = s->n[2], tied = 0;
    double total = 0, most = 0;
    for (int c = 0; c < k; c++) out[c] = 0;
    for (int i = 0; i < n; i++) {
        out[s->codes[0][(int)best[2 * i + 1]]] += weights[i];
        total += weights[i];
    }
    for (int c = 0; c < k; c++) most = fmax(most, out[c] /= total);
    for (int c = k; c-- > 0;)
        if (out[c] >= most - 1e-12) tied++, *first = c;
    return tied;
}

/* Ties: 0 = the class of the nearest neighbour, 1 = fewer neighbours, 2 = the first class. */
static int rows_decide(const step *s, const double *best, int n, double *weights, double *out)
{
    int first = 0, tied = rows_vote(s, best, n, weights, out, &first), used = n;
    double most = out[first];
    if (tied == 1 || s->n[6] == 2) return first;
    for (int i = 0; s->n[6] == 0 && i < n; i++)
        if (out[s->codes[0][(int)best[2 * i + 1]]] >= most - 1e-12)
            return s->codes[0][(int)best[2 * i + 1]];
    while (tied > 1 && used > 1) {
        rows_weigh(s, best, --used, weights);
        tied = rows_vote(s, best, used, weights, out, &first);
    }
    used = first;
    rows_weigh(s, best, n, weights);
    (void)rows_vote(s, best, n, weights, out, &first);
    return used;
}

static void step_neighbours(const step *s, double *v)
{
    double *best = v + s->work, *weights = best + 2 * (size_t)s->n[1], *out = v + s->out;
    double sum = 0, total = 0;
    int n = rows_nearest(s, v, best);
    for (int i = 0; i < s->n_out; i++) out[i] = NAN;
    if (s->n[2]) out[s->n[2]] = -1;
    if (n == 0) return;
    rows_weigh(s, best, n, weights);
    if (s->n[2]) {
        out[s->n[2]] = rows_decide(s, best, n, weights, out);
        return;
    }
    for (int i = 0; i < n; i++) {
        sum += weights[i] * s->numbers[1][(int)best[2 * i + 1]];
        total += weights[i];
    }
    out[0] = sum / total;
}

/* == kernels == */
/* The kernel of the row and row `i` of the places: 0 x·y, 1 a power of it, 2 Gaussian, 3 Laplacian,
 * 4 tanh; parameters are gamma, factor and offset. */
static double kernels_value(const step *s, const double *v, int i)
{
    const double *row = s->numbers[0] + (size_t)i * (size_t)s->n_in, *p = s->numbers[3];
    double dot = 0, square = 0, absolute = 0, power;
    for (int j = 0; j < s->n_in; j++) {
        double x = cell(s, v, j), gap = x - row[j];
        dot += x * row[j];
        square += gap * gap;
        absolute += fabs(gap);
    }
    if (s->n[1] == 2) return exp(-p[0] * square);
    if (s->n[1] == 3) return exp(-p[0] * (s->n[3] ? absolute : sqrt(square)));
    if (s->n[1] == 0) return dot;
    dot = p[1] * dot + p[2];
    if (s->n[1] == 4) return tanh(dot);
    power = dot;
    for (int i_power = 1; i_power < s->n[2]; i_power++) power *= dot;
    return power;
}

static void step_kernels(const step *s, double *v)
{
    double *out = v + s->out;
    for (int k = 0; k < s->n_out; k++) out[k] = s->numbers[2][k];
    for (int i = 0; i < s->n[0]; i++) {
        double value = kernels_value(s, v, i);
        for (int k = 0; k < s->n_out; k++)
            out[k] += s->numbers[1][(size_t)k * (size_t)s->n[0] + (size_t)i] * value;
    }
}

/* == normal == */
/* Logarithms of normal densities; beyond 1e140 deviations they fall with the logarithm of the
 * distance, so that they remain numbers. A missing cell adds nothing. */
static void step_normal(const step *s, double *v)
{
    double x = cell(s, v, 0), far = 1e140;
    for (int k = 0; k < s->n_out; k++) {
        double centre = s->numbers[0][k], rate = s->numbers[1][k], base = s->numbers[2][k];
        double d = (x - centre) * rate;
        if (fabs(d) >= far)
            v[s->out + k] =
                base - far * far * (1 + log(fabs(x / 2 - centre / 2)) + log(2 * rate) - log(far));
        else
            v[s->out + k] = isnan(x) ? 0 : base - d * d;
    }
}

/* == gaussians == */
/* Logarithms of normal densities of the cells that are there, with the covariance of these: the
 * other cells are summed over. A column without variance is left out. Works in the columns that
 * are there, their factor (lower), and what it solves. */
static void step_gaussians(const step *s, double *v)
{
    int p = s->n_in, n = 0;
    double *at = v + s->work, *a = at + p, *u = a + p * p, roots = 0;
    for (int c = 0; c < s->n_out; c++) {
        const double *mean = s->numbers[1] + c * p;
        const double *own = s->numbers[2] + (s->n[0] == 1 ? 0 : c * p * p);
        double sum, squares = 0;
        if (c == 0 || s->n[0] > 1) {
            n = 0;
            roots = 0;
            for (int j = 0; j < p; j++)
                if (!isnan(cell(s, v, j)) && own[j * p + j] > 0) at[n++] = j;
            for (int i = 0; i < n; i++) {
                for (int j = 0; j <= i; j++) {
                    sum = own[(int)at[i] * p + (int)at[j]];
                    for (int k = 0; k < j; k++) sum -= a[i * n + k] * a[j * n + k];
                    a[i * n + j] =
                        i == j ? sqrt(sum > 2.3e-308 ? sum : 2.3e-308) : sum / a[j * n + j];
                }
                roots += log(a[i * n + i]);
            }
        }
        for (int i = 0; i < n; i++) {
            sum = cell(s, v, (int)at[i]) - mean[(int)at[i]];
            for (int k = 0; k < i; k++) sum -= a[i * n + k] * u[k];
            u[i] = sum / a[i * n + i];
            squares += u[i] * u[i];
        }
        v[s->out + c] = s->numbers[0][c] - 0.9189385332046727 * n - roots - squares / 2;
    }
}

/* == kernel == */
static double kernel_height(int kernel, double u)
{
    static const double reaches[] = {9, 2.23606797749979, 2.449489742783178, 1.7320508075688772};
    double reach = reaches[kernel], share = fabs(u) / reach;
    if (kernel == 1) return share < 1 ? 0.75 * (1 - share * share) / reach : 0;
    if (kernel == 2) return share < 1 ? (1 - share) / reach : 0;
    if (kernel == 3) return share <= 1 ? 0.5 / reach : 0;
    return fabs(u) <= reach ? exp(-u * u / 2) * 0.3989422804014327 : 0;
}

/* Logarithms of kernel densities of the classes; one without values has the density of all. */
static void step_kernel(const step *s, double *v)
{
    double x = cell(s, v, 0), all = 0, *out = v + s->out;
    for (int k = 0; k < s->n_out; k++) {
        double sum = 0, total = 0, width = s->numbers[2][k];
        for (int i = s->codes[0][k]; i < s->codes[0][k + 1]; i++) {
            sum += s->numbers[1][i] * kernel_height(s->n[0], (x - s->numbers[0][i]) / width);
            total += s->numbers[1][i];
        }
        out[k] = sum / (total * width);
        if (s->codes[0][k] < s->codes[0][k + 1]) all += s->numbers[3][k] * out[k];
    }
    for (int k = 0; k < s->n_out; k++) {
        double density = s->codes[0][k] < s->codes[0][k + 1] ? out[k] : all;
        out[k] = isnan(x) ? 0 : log(fmax(density, s->numbers[4][0]));
    }
}

/* == votes == */
/* Each machine votes for one class of its pair; what the scores add up to decides between equal
 * votes. A class that no machine knows has the least. */
static void step_votes(const step *s, double *v)
{
    double *votes = v + s->out, *sums = v + s->work, least = INFINITY;
    for (int c = 0; c < s->n_out; c++) votes[c] = sums[c] = 0;
    for (int k = 0; k < s->n_in; k++) {
        double score = cell(s, v, k);
        votes[score >= 0 ? s->codes[0][k] : s->codes[1][k]] += 1;
        sums[s->codes[0][k]] += score;
        sums[s->codes[1][k]] -= score;
    }
    for (int c = 0; c < s->n_out; c++) {
        if (!s->codes[2][c]) continue;
        votes[c] += isfinite(sums[c]) ? sums[c] / (3 * (fabs(sums[c]) + 1)) : 0;
        if (votes[c] < least) least = votes[c];
    }
    for (int c = 0; c < s->n_out; c++)
        if (!s->codes[2][c]) votes[c] = least - 1 - fabs(least);
}

/* == counts == */
/* Counts times logarithms; `orders` adds the logarithm of the number of orders of the words. */
static void step_counts(const step *s, double *v)
{
    double n = 0, logs = 0;
    int there = 0;
    for (int k = 0; k < s->n_out; k++) v[s->out + k] = 0;
    for (int j = 0; j < s->n_in; j++) {
        double x = cell(s, v, j);
        there |= !isnan(x);
        if (!(x > 0) || isinf(x)) continue;
        for (int k = 0; k < s->n_out; k++) v[s->out + k] += x * s->numbers[0][j * s->n_out + k];
        n += x;
        logs += lgamma(x + 1);
    }
    for (int k = 0; s->n[0] && there && k < s->n_out; k++) v[s->out + k] += lgamma(n + 1) - logs;
}

/* == sum == */
static void step_sum(const step *s, double *v)
{
    for (int k = 0; k < s->n_out; k++) {
        double sum = 0;
        for (int i = k; i < s->n_in; i += s->n_out) sum += cell(s, v, i);
        v[s->out + k] = sum;
    }
}

/* == softmax == */
/* Probabilities from scores, put at their places; `pinned`: there is one more class, whose score is
 * 0. Where no class is possible the shares of `otherwise` are taken. */
static void step_softmax(const step *s, double *v)
{
    double most = s->n[0] ? 0 : -INFINITY, sum = 0, *out = v + s->out, rest = 1;
    for (int i = 0; i < s->n_out; i++) out[i] = 0;
    for (int i = 0; i < s->n_in; i++)
        if (cell(s, v, i) > most || isnan(cell(s, v, i))) most = cell(s, v, i);
    if (s->numbers[0] && !(most > -INFINITY)) {
        for (int i = 0; i < s->n_out; i++) out[i] = s->numbers[0][i];
        return;
    }
    if (s->n[0]) sum = exp(-most);
    for (int i = 0; i < s->n_in; i++) sum += out[s->codes[0][i]] = exp(cell(s, v, i) - most);
    for (int i = 0; i < s->n_in; i++) rest -= out[s->codes[0][i]] /= sum;
    if (s->n[0]) out[s->codes[0][s->n_in]] = rest > 0 || isnan(rest) ? rest : 0;
}

/* == logistic == */
/* Probabilities of the two classes, each exact where the other is nearly 1. */
static void step_logistic(const step *s, double *v)
{
    double a = cell(s, v, 0), e = exp(-fabs(a));
    for (int i = 0; i < s->n_out; i++) v[s->out + i] = 0;
    v[s->out + s->codes[0][0]] = a >= 0 ? 1 / (1 + e) : e / (1 + e);
    v[s->out + s->codes[0][1]] = a >= 0 ? e / (1 + e) : 1 / (1 + e);
}

/* == calibrate == */
/* Forms: 0 = plateaus and lines between them, 1 = plateaus and steps, 2 = a logistic curve about a
 * centre, 3 = one of a line, 4 = one of the logarithms of the score and of its rest, 5 = always the
 * same. */
static double calibrated(const step *s, double x)
{
    const double *lows = s->numbers[0], *highs = s->numbers[1], *values = s->numbers[2];
    const double *curve = s->numbers[3];
    double low = x < 1e-15 ? 1e-15 : x, rest = 1 - x < 1e-15 ? 1e-15 : 1 - x;
    int i = 0;
    if (s->n[0] == 5) return curve[0];
    if (s->n[0] == 2) return 1 / (1 + exp(-curve[0] * (x - curve[1])) / curve[2]);
    if (s->n[0] == 3) return 1 / (1 + exp(-(curve[0] * x + curve[1])));
    if (s->n[0] == 4)
        return 1 / (1 + exp(-(curve[0] * log(low) + curve[1] * -log(rest) + curve[2])));
    while (i < s->n[1] && highs[i] < x) i++;
    if (i == s->n[1]) return values[i - 1];
    if (i == 0 || x >= lows[i]) return values[i];
    double from = highs[i - 1], to = lows[i];
    if (s->n[0] == 1) return values[x < from + (to - from) / 2 ? i - 1 : i];
    return values[i - 1] + (x - from) / (to - from) * (values[i] - values[i - 1]);
}

static void step_calibrate(const step *s, double *v)
{
    double x = cell(s, v, 0);
    v[s->out] = isnan(x) ? x : calibrated(s, x);
}

/* == shares == */
static void step_shares(const step *s, double *v)
{
    double sum = 0;
    for (int i = 0; i < s->n_in; i++) sum += cell(s, v, i);
    for (int i = 0; i < s->n_in; i++)
        v[s->out + i] = sum == 0 ? s->numbers[0][i] : cell(s, v, i) / sum;
}

/* == decide == */
static double decision_cost(const step *s, const double *v, int decision)
{
    double sum = 0;
    for (int i = 0; i < s->n_in; i++) sum += cell(s, v, i) * s->numbers[0][i * s->n_in + decision];
    return sum;
}

/* The class of least expected cost, or the positive one from a threshold on; -2 where no answer is
 * cheaper, -1 where nothing is known. */
static void step_decide(const step *s, double *v)
{
    double least = INFINITY, reject = s->numbers[1][1], score = cell(s, v, s->n[1]);
    int best = 0;
    for (int c = 0; !s->n[0] && c < s->n_in; c++) {
        double cost = decision_cost(s, v, c);
        if (c == 0) score = cost;
        if (cost < least) {
            least = cost;
            best = c;
        }
    }
    if (s->n[0]) best = score >= s->numbers[1][0] ? s->n[1] : 1 - s->n[1];
    if (!isnan(reject) && decision_cost(s, v, best) > reject) best = -2;
    v[s->out] = isnan(score) ? -1 : best;
}

/* == largest == */
static void step_largest(const step *s, double *v)
{
    int best = 0;
    for (int i = 1; i < s->n_in; i++)
        if (cell(s, v, i) > cell(s, v, best)) best = i;
    v[s->out] = s->n_in == 0 || (s->n[0] && isnan(cell(s, v, best))) ? -1 : best;
}

/* == blank == */
static void step_blank(const step *s, double *v)
{
    int missing = 0;
    for (int i = 0; i < s->n[0]; i++) missing |= isnan(cell(s, v, i)) != 0;
    for (int i = 0; i < s->n_out; i++)
        v[s->out + i] = missing ? s->numbers[0][i] : cell(s, v, s->n[0] + i);
}

/* == end == */
#endif
