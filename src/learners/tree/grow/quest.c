/* SPDX-License-Identifier: MIT */
/* Selection by tests and cuts by discriminants.
 *
 * 1. Every column is tested against the classes: numbers by the F test of one-way analysis of
 *    variance, levels by chi-squared. The smallest p decides if it is below level / columns
 *    (Bonferroni). Else the spreads of the numbers are tested by Levene's test (F test of the
 *    distances from the class means), and the smallest p decides if it is below level / (columns +
 *    number columns). Else the smallest p of the first tests is taken all the same.
 * 2. More than two classes become two groups, by 2-means of their means that starts at the
 *    outermost ones; when all means are equal, the largest class stands against the others.
 * 3. The cut is where the two normal densities, times the sizes of the groups, are equal: a root of
 *    a quadratic equation. Of two roots the one between the means is taken, or else the one nearer
 *    to the first mean. When it does not divide the rows, the middle of the means is the cut; a
 *    group without spread is cut off right behind its value.
 * 4. Levels first become numbers: the scores of the first axis of correspondence analysis, which is
 *    the discriminant coordinate of their indicators (for two classes: the share of one of them),
 *    found by turning the table over and over again; then they are cut like numbers. */
#include "learners/tree/grow/quest.h"
#include "base/functions.h"
#include "base/number.h"
#include "stats/distributions.h"
#include <math.h>
#include <string.h>

/* -- numbers by class -- */

typedef struct class_moments {
    double *weight, *mean, *squares; /* per class: squares of what is off the mean */
    double *away;                    /* mean distance from the mean */
    size_t k;
} class_moments;

static class_moments moments_in(const cairn_split_space *space, size_t k)
{
    double *m = space->moments;
    return (class_moments){m, m + k, m + 2 * k, m + 3 * k, k};
}

/* The rows of a node whose cell is known as numbers, weights and classes side by side; with `codes`
 * in space->keys. */
typedef struct known_rows {
    const double *numbers, *weights;
    const uint32_t *classes, *codes;
    size_t n;
} known_rows;

/* Numbers of the codes in space->keys: values (of bins the middle), or scores of levels. The keys
 * of rows that are not known are left out. */
static known_rows gather(const cairn_binned *data, size_t c, const double *scores,
                         const cairn_node_rows *node, cairn_split_space *space)
{
    const cairn_binned_column *column = &data->columns[c];
    double *numbers = space->numbers, *weights = space->known_weights;
    size_t n = 0;
    for (size_t i = 0; i < node->n; i++) {
        uint32_t code = space->keys[i];
        if (code >= column->n_codes) continue;
        numbers[n] = scores          ? scores[code]
                     : column->highs ? column->values[code] / 2 + column->highs[code] / 2
                                     : column->values[code];
        weights[n] = cairn_entry_weight(data, node, i);
        space->order[n] = (uint32_t)data->classes[node->rows[i]];
        space->other[n++] = code;
    }
    return (known_rows){numbers, weights, space->order, space->other, n};
}

static void find_moments(class_moments *m, const known_rows *x)
{
    memset(m->weight, 0, 4 * m->k * sizeof *m->weight);
    for (size_t i = 0; i < x->n; i++) {
        m->weight[x->classes[i]] += x->weights[i];
        m->mean[x->classes[i]] += x->weights[i] * x->numbers[i];
    }
    for (size_t l = 0; l < m->k; l++)
        if (m->weight[l] > 0) m->mean[l] /= m->weight[l];
    for (size_t i = 0; i < x->n; i++) {
        uint32_t l = x->classes[i];
        double off = fabs(x->numbers[i] - m->mean[l]);
        m->squares[l] += x->weights[i] * off * off;
        m->away[l] += x->weights[i] * off;
    }
    for (size_t l = 0; l < m->k; l++)
        if (m->weight[l] > 0) m->away[l] /= m->weight[l];
}

/* F of the class means and its p-value. */
static double f_test(const class_moments *m, double *statistic)
{
    double n = 0, mean = 0, between = 0, within = 0, groups = 0;
    for (size_t l = 0; l < m->k; l++) {
        n += m->weight[l];
        mean += m->weight[l] * m->mean[l];
        within += m->squares[l];
        groups += m->weight[l] > 0;
    }
    *statistic = 0;
    if (groups < 2 || n - groups <= 0) return 1;
    mean /= n;
    for (size_t l = 0; l < m->k; l++)
        between += m->weight[l] * (m->mean[l] - mean) * (m->mean[l] - mean);
    if (!(between > 0)) return 1;
    if (!(within > 0)) {
        *statistic = INFINITY;
        return 0;
    }
    *statistic = between / (groups - 1) / (within / (n - groups));
    return cairn_f_upper(*statistic, groups - 1, n - groups);
}

/* -- the cut -- */

/* Which of two means is nearer; the first of equals. */
static int nearer(double x, const double means[2])
{
    return fabs(x - means[1]) < fabs(x - means[0]);
}

/* The group of every class by 2-means of the class means. */
static void group_classes(const class_moments *m, uint8_t *group)
{
    enum { ROUNDS = 100 };
    double centres[2] = {INFINITY, -INFINITY};
    size_t largest = 0;
    for (size_t l = 0; l < m->k; l++) {
        group[l] = 2;
        if (!(m->weight[l] > 0)) continue;
        centres[0] = fmin(centres[0], m->mean[l]);
        centres[1] = fmax(centres[1], m->mean[l]);
        if (m->weight[l] > m->weight[largest]) largest = l;
    }
    if (!(centres[1] > centres[0])) {
        for (size_t l = 0; l < m->k; l++)
            if (m->weight[l] > 0) group[l] = l != largest;
        return;
    }
    for (int round = 0; round < ROUNDS; round++) {
        double sums[2] = {0, 0}, n[2] = {0, 0};
        bool moved = false;
        for (size_t l = 0; l < m->k; l++) {
            if (!(m->weight[l] > 0)) continue;
            const int to = nearer(m->mean[l], centres) ? 1 : 0;
            moved |= group[l] != to;
            group[l] = (uint8_t)to;
            sums[to] += m->mean[l];
            n[to]++;
        }
        for (int g = 0; g < 2; g++)
            if (n[g] > 0) centres[g] = sums[g] / n[g];
        if (!moved) break;
    }
}

/* Size, mean and variance of both groups, the one with the smaller mean first. */
static void join_classes(cairn_discriminant *d, const class_moments *m, uint8_t *group)
{
    *d = (cairn_discriminant){0};
    for (size_t l = 0; l < m->k; l++) {
        if (group[l] > 1) continue;
        d->n[group[l]] += m->weight[l];
        d->mean[group[l]] += m->weight[l] * m->mean[l];
    }
    for (int g = 0; g < 2; g++)
        if (d->n[g] > 0) d->mean[g] /= d->n[g];
    for (size_t l = 0; l < m->k; l++) {
        if (group[l] > 1) continue;
        double off = m->mean[l] - d->mean[group[l]];
        d->variance[group[l]] += m->squares[l] + m->weight[l] * off * off;
    }
    for (int g = 0; g < 2; g++) d->variance[g] = d->n[g] > 1 ? d->variance[g] / (d->n[g] - 1) : 0;
    if (d->mean[0] <= d->mean[1]) return;
    *d = (cairn_discriminant){.n = {d->n[1], d->n[0]},
                              .mean = {d->mean[1], d->mean[0]},
                              .variance = {d->variance[1], d->variance[0]}};
    for (size_t l = 0; l < m->k; l++)
        if (group[l] < 2) group[l] ^= 1;
}

/* Where n0 f0(x) = n1 f1(x) for normal densities; NaN = nowhere. */
static double equal_place(const cairn_discriminant *d)
{
    double v0 = d->variance[0], v1 = d->variance[1], apart = d->mean[1] - d->mean[0];
    double odds = cairn_log(d->n[0] / d->n[1]);
    double a = v0 - v1, b = -2 * apart * v0; /* of x less the first mean */
    double c = apart * apart * v0 + 2 * v0 * v1 * (odds + 0.5 * cairn_log(v1 / v0));
    if (fabs(a) <= 1e-12 * (v0 + v1))
        return apart > 0 ? d->mean[0] + apart / 2 + v0 * odds / apart : NAN;
    double square = b * b - 4 * a * c;
    if (!(square >= 0)) return NAN;
    double q = -0.5 * (b + copysign(sqrt(square), b));
    double roots[2] = {q / a, q != 0 ? c / q : q / a};
    bool inside[2];
    for (int i = 0; i < 2; i++) inside[i] = roots[i] >= 0 && roots[i] <= apart;
    bool second = inside[0] != inside[1] ? inside[1] : fabs(roots[1]) < fabs(roots[0]);
    return d->mean[0] + roots[second];
}

/* What a cut has on either side: the nearest numbers and their codes. */
typedef struct sides {
    double below, above;
    uint32_t low, high;
} sides;

/* False = there is nothing on one of them. */
static bool look_around(const known_rows *x, double cut, sides *out)
{
    *out = (sides){.below = -INFINITY, .above = INFINITY};
    if (!isfinite(cut)) return false;
    for (size_t i = 0; i < x->n; i++) {
        double number = x->numbers[i];
        if (number <= cut && number > out->below) {
            out->below = number;
            out->low = x->codes[i];
        } else if (number > cut && number < out->above) {
            out->above = number;
            out->high = x->codes[i];
        }
    }
    return isfinite(out->below) && isfinite(out->above);
}

/* Cut off a group without spread right behind its value. */
static double behind_constant(const cairn_discriminant *d, const known_rows *x)
{
    bool first = d->variance[0] == 0;
    sides around;
    bool two = look_around(x, first ? d->mean[0] : nextafter(d->mean[1], -INFINITY), &around);
    return two ? around.below / 2 + around.above / 2 : NAN;
}

/* A shorter number that divides the rows in the same way. */
static double shorten(double cut, double below, double above)
{
    char digits[CAIRN_NUMBER_SIZE];
    double rounded;
    size_t length = cairn_number_format(digits, cut, 6);
    bool fits = cairn_number_parse(digits, length, &rounded) && rounded >= below && rounded < above;
    return fits ? rounded : cut;
}

/* The groups and the cut between them; the moments stay in space->moments. */
static void find_cut(cairn_discriminant *d, sides *around, const known_rows *x, size_t n_classes,
                     cairn_split_space *space)
{
    class_moments m = moments_in(space, n_classes);
    find_moments(&m, x);
    group_classes(&m, space->group);
    join_classes(d, &m, space->group);
    if (!(d->n[0] > 0) || !(d->n[1] > 0)) return;
    bool constant = (d->variance[0] == 0 || d->variance[1] == 0) && d->mean[0] < d->mean[1];
    d->found = constant ? CAIRN_FOUND_CONSTANT : CAIRN_FOUND_ROOT;
    d->cut = constant ? behind_constant(d, x) : equal_place(d);
    bool two = look_around(x, d->cut, around);
    if (!two) {
        d->found = CAIRN_FOUND_MIDDLE;
        d->cut = (d->mean[0] + d->mean[1]) / 2;
        two = look_around(x, d->cut, around);
    }
    if (two)
        d->cut = shorten(d->cut, around->below, around->above);
    else
        d->found = CAIRN_FOUND_NONE;
}

void cairn_discriminant_cut(cairn_split *out, cairn_discriminant *about, const cairn_binned *data,
                            const cairn_grow_options *options, const cairn_node_rows *node,
                            size_t c, cairn_split_space *space)
{
    sides around;
    cairn_node_gather(data, c, node, space->keys);
    known_rows x = gather(data, c, NULL, node, space);
    find_cut(about, &around, &x, data->n_classes, space);
    if (!about->found) return;
    *out = (cairn_split){.column = (int32_t)c,
                         .test = CAIRN_TEST_CUT,
                         .code = around.low,
                         .next = around.high,
                         .cut = about->cut,
                         .sides = out->sides};
    if (data->columns[c].highs) /* rows of a bin stay together */
        about->cut = out->cut =
            cairn_cut_between(&data->columns[c], around.low, around.high, options->cut);
}

/* -- levels as numbers -- */

/* Class scores less their weighted mean, with weighted sum of squares 1; false = all are equal. */
static bool standardise(double *b, const double *weights, size_t k)
{
    double n = 0, mean = 0, squares = 0;
    for (size_t l = 0; l < k; l++) {
        n += weights[l];
        mean += weights[l] * b[l];
    }
    for (size_t l = 0; l < k; l++) {
        b[l] -= mean / n;
        squares += weights[l] * b[l] * b[l];
    }
    for (size_t l = 0; l < k; l++) b[l] /= squares > 0 ? sqrt(squares / n) : 1;
    return squares > 1e-24 * n;
}

/* The first axis of the table of levels and classes: level scores are averages of class scores,
 * class scores averages of level scores, over and over. */
static void score_levels(const cairn_binned *data, size_t n, cairn_split_space *space)
{
    enum { ROUNDS = 200 };
    size_t k = data->n_classes;
    double *b = space->moments, *next = space->moments + k;
    for (size_t l = 0; l < k; l++) b[l] = fmod((double)(l + 1) * 0.7548776662466927, 1);
    bool differ = standardise(b, space->known, k);
    for (int round = 0; round < ROUNDS; round++) {
        double change = 0;
        memset(next, 0, k * sizeof *next);
        for (size_t i = 0; i < n; i++) {
            const double *cells = space->levels + space->listed[i] * k;
            double weight = 0, sum = 0;
            for (size_t l = 0; l < k; l++) {
                weight += cells[l];
                sum += cells[l] * b[l];
            }
            space->scores[space->listed[i]] = sum / weight;
            for (size_t l = 0; l < k; l++)
                if (cells[l] > 0) next[l] += cells[l] / space->known[l] * (sum / weight);
        }
        if (!differ || !standardise(next, space->known, k)) break;
        for (size_t l = 0; l < k; l++) {
            change = fmax(change, space->known[l] > 0 ? fabs(next[l] - b[l]) : 0);
            b[l] = next[l];
        }
        if (change < 1e-12) break;
    }
}

/* Of two classes the share of one of them says the same. */
static void score_shares(const cairn_binned *data, size_t n, cairn_split_space *space)
{
    size_t k = data->n_classes, last = 0;
    for (size_t l = 0; l < k; l++)
        if (space->known[l] > 0) last = l;
    for (size_t i = 0; i < n; i++) {
        const double *cells = space->levels + space->listed[i] * k;
        double weight = 0;
        for (size_t l = 0; l < k; l++) weight += cells[l];
        space->scores[space->listed[i]] = cells[last] / weight;
    }
}

bool cairn_discriminant_set(cairn_discriminant *about, const cairn_binned *data,
                            const cairn_node_rows *node, size_t c, size_t n,
                            cairn_split_space *space)
{
    size_t k = data->n_classes, present = 0;
    sides around;
    for (size_t l = 0; l < k; l++) present += space->known[l] > 0;
    if (present < 2) return false;
    if (present == 2)
        score_shares(data, n, space);
    else
        score_levels(data, n, space);
    known_rows x = gather(data, c, space->scores, node, space);
    find_cut(about, &around, &x, k, space);
    if (!about->found) return false;
    memset(space->left, 0, k * sizeof *space->left);
    for (size_t i = 0; i < n; i++) {
        uint32_t level = space->listed[i];
        bool left = space->scores[level] <= about->cut;
        space->sides[level] = left ? 1 : 2;
        for (size_t l = 0; left && l < k; l++) space->left[l] += space->levels[level * k + l];
    }
    return true;
}

/* -- tests -- */

static double chi_test(const cairn_binned *data, const cairn_node_rows *node, size_t c,
                       cairn_split_space *space, double *statistic)
{
    size_t k = data->n_classes, n_codes = data->columns[c].n_codes;
    cairn_split_scores scores;
    memset(space->levels, 0, n_codes * k * sizeof *space->levels);
    for (size_t i = 0; i < node->n; i++)
        if (space->keys[i] < n_codes)
            space->levels[space->keys[i] * k + (size_t)data->classes[node->rows[i]]] +=
                cairn_entry_weight(data, node, i);
    cairn_split_scores_of(&scores, space->levels, n_codes, k, 0);
    *statistic = scores.chi_squared;
    return scores.degrees ? cairn_chi2_upper(scores.chi_squared, (double)scores.degrees) : 1;
}

void cairn_split_test(cairn_split *split, const cairn_binned *data, const cairn_node_rows *node,
                      cairn_split_space *space)
{
    size_t c = (size_t)split->column;
    class_moments m = moments_in(space, data->n_classes);
    double levene;
    cairn_node_gather(data, c, node, space->keys);
    split->spread_p = NAN;
    if (!data->columns[c].is_number) {
        split->p = chi_test(data, node, c, space, &split->statistic);
        return;
    }
    known_rows x = gather(data, c, NULL, node, space);
    find_moments(&m, &x);
    split->p = f_test(&m, &split->statistic);
    /* The same for the distances from the class means. */
    class_moments away = {
        .weight = m.weight, .mean = m.away, .squares = space->moments + 4 * m.k, .k = m.k};
    memset(away.squares, 0, m.k * sizeof *away.squares);
    for (size_t i = 0; i < x.n; i++) {
        uint32_t l = x.classes[i];
        double off = fabs(x.numbers[i] - m.mean[l]) - m.away[l];
        away.squares[l] += x.weights[i] * off * off;
    }
    split->spread_p = f_test(&away, &levene);
}

/* Smaller p first; of equal ones, such as 0, the larger statistic. */
static bool is_stronger(const cairn_split *a, const cairn_split *b)
{
    return a->p < b->p || (a->p == b->p && a->statistic > b->statistic * (1 + CAIRN_TREE_TIE));
}

bool cairn_choose_by_test(cairn_test_choice *out, const cairn_split *splits, size_t n, double level)
{
    size_t all = 0, numbers = 0, best = n, spread = n;
    for (size_t i = 0; i < n; i++) {
        if (splits[i].test == CAIRN_TEST_NONE) continue;
        all++;
        if (best == n || is_stronger(&splits[i], &splits[best])) best = i;
        if (isnan(splits[i].spread_p)) continue;
        numbers++;
        if (spread == n || splits[i].spread_p < splits[spread].spread_p) spread = i;
    }
    if (all == 0) return false;
    *out = (cairn_test_choice){.chosen = best,
                               .rule = CAIRN_RULE_MEANS,
                               .level = level / (double)all,
                               .spread_level = level / (double)(all + numbers)};
    if (splits[best].p < out->level) return true;
    out->rule = CAIRN_RULE_NEITHER;
    if (spread < n && splits[spread].spread_p < out->spread_level) {
        out->rule = CAIRN_RULE_SPREAD;
        out->chosen = spread;
    }
    return true;
}
