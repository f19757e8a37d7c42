/* SPDX-License-Identifier: MIT */
/* Measures of confusion tables. */
#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "entry/entry.h"
#include "parallel/parallel.h"
#include "parallel/sort.h"
#include "stats/confusion.h"
#include "stats/cost_matrix.h"
#include "stats/multiclass.h"
#include "stats/ranking.h"

#include <math.h>
#include <string.h>

const cairn_choice cairn_undefined_choices[] = {
    {"na", CAIRN_UNDEFINED_NA, "0/0 is undefined"},
    {"zero", CAIRN_UNDEFINED_ZERO, "precision, recall and F of 0/0 are 0"},
    {"one", CAIRN_UNDEFINED_ONE, "they are 1: nothing claimed, nothing wrong"},
    {NULL, 0, NULL},
};

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : NAN;
}

/* A ratio that the policy may define. */
static double ratio_by(double part, double whole, cairn_undefined undefined)
{
    if (whole > 0 || undefined == CAIRN_UNDEFINED_NA) return ratio(part, whole);
    return undefined == CAIRN_UNDEFINED_ONE ? 1 : 0;
}

/* Harmonic mean; 0 when either is 0. */
static double harmonic(double a, double b)
{
    if (isnan(a) || isnan(b)) return NAN;
    return a > 0 && b > 0 ? 2 * a * b / (a + b) : 0;
}

double cairn_f_measure(cairn_binary_counts c, double beta)
{
    double b = beta * beta;
    return ratio((1 + b) * c.tp, (1 + b) * c.tp + b * c.fn + c.fp);
}

void cairn_binary_measures_of(cairn_binary_measures *out, cairn_binary_counts c,
                              cairn_undefined undefined)
{
    cairn_binary_measures m = {0};
    m.positives = c.tp + c.fn;
    m.negatives = c.fp + c.tn;
    m.predicted_positives = c.tp + c.fp;
    m.predicted_negatives = c.fn + c.tn;
    m.total = m.positives + m.negatives;
    m.pos = ratio(m.positives, m.total);
    m.neg = ratio(m.negatives, m.total);
    m.class_ratio = m.negatives > 0 || isnan(m.negatives) ? m.positives / m.negatives
                    : m.positives > 0                     ? INFINITY
                                                          : NAN;
    m.accuracy = ratio(c.tp + c.tn, m.total);
    m.error = ratio(c.fp + c.fn, m.total);
    m.tpr = ratio_by(c.tp, m.positives, undefined);
    m.tnr = ratio_by(c.tn, m.negatives, undefined);
    m.fpr = ratio(c.fp, m.negatives);
    m.fnr = ratio(c.fn, m.positives);
    m.precision = ratio_by(c.tp, m.predicted_positives, undefined);
    m.negative_precision = ratio_by(c.tn, m.predicted_negatives, undefined);
    m.average_recall = (m.tpr + m.tnr) / 2;
    m.f = ratio_by(2 * c.tp, 2 * c.tp + c.fp + c.fn, undefined);
    m.f_harmonic = harmonic(m.precision, m.tpr);
    m.youden = m.tpr - m.fpr;
    double chance = m.positives * m.predicted_positives + m.negatives * m.predicted_negatives;
    double square = m.total * m.total;
    m.kappa = square > chance ? (m.accuracy * square - chance) / (square - chance) : NAN;
    double margins = sqrt(m.positives) * sqrt(m.negatives) * sqrt(m.predicted_positives) *
                     sqrt(m.predicted_negatives);
    m.correlation = ratio(c.tp * c.tn - c.fp * c.fn, margins);
    double precision = ratio(c.tp, m.predicted_positives);
    m.quetelet_absolute = precision - m.pos;
    m.quetelet_relative = m.pos > 0 ? (precision - m.pos) / m.pos : NAN;
    m.distance = cairn_hypot(m.fpr, m.fnr);
    *out = m;
}

double cairn_average_recall_variance(cairn_binary_counts c)
{
    double pos = c.tp + c.fn, neg = c.fp + c.tn;
    double tpr = c.tp / pos, tnr = c.tn / neg;
    return (tpr * (1 - tpr) / pos + tnr * (1 - tnr) / neg) / 4;
}

/* With D = (1+b) TP + b FN + FP, b = beta²: dF/dTP = (1+b)(b FN + FP)/D², dF/dFN = -b(1+b)TP/D²,
 * dF/dFP = -(1+b)TP/D²; F does not change when all counts grow alike, so that no mean comes off. */
double cairn_f_variance(cairn_binary_counts c, double beta)
{
    double b = beta * beta, wrong = b * c.fn + c.fp, whole = (1 + b) * c.tp + wrong;
    double scale = (1 + b) / (whole * whole);
    return scale * scale * (c.tp * wrong * wrong + c.tp * c.tp * (b * b * c.fn + c.fp));
}

cairn_binary_counts cairn_binary_swap(cairn_binary_counts c)
{
    return (cairn_binary_counts){.tp = c.tn, .fn = c.fp, .fp = c.fn, .tn = c.tp};
}

cairn_binary_counts cairn_binary_by_chance(cairn_binary_counts c)
{
    double n = c.tp + c.fn + c.fp + c.tn;
    double positives = c.tp + c.fn, negatives = c.fp + c.tn;
    double said = c.tp + c.fp, denied = c.fn + c.tn;
    return (cairn_binary_counts){.tp = ratio(positives * said, n),
                                 .fn = ratio(positives * denied, n),
                                 .fp = ratio(negatives * said, n),
                                 .tn = ratio(negatives * denied, n)};
}

void cairn_confusion_add(double *cells, size_t n, const int32_t *actual, const int32_t *predicted,
                         const double *weights, size_t n_rows)
{
    for (size_t i = 0; i < n_rows; i++) {
        size_t a = (size_t)(uint32_t)actual[i], p = (size_t)(uint32_t)predicted[i];
        if (a < n && p < n) cells[a * n + p] += weights ? weights[i] : 1;
    }
}

cairn_binary_counts cairn_confusion_against_rest(const double *cells, size_t n, size_t class)
{
    cairn_binary_counts c = {0};
    for (size_t a = 0; a < n; a++)
        for (size_t p = 0; p < n; p++) {
            double cell = cells[a * n + p];
            if (a == class)
                *(p == class ? &c.tp : &c.fn) += cell;
            else
                *(p == class ? &c.fp : &c.tn) += cell;
        }
    return c;
}

cairn_binary_counts cairn_confusion_pair(const double *cells, size_t n, size_t i, size_t j)
{
    return (cairn_binary_counts){.tp = cells[i * n + i],
                                 .fn = cells[i * n + j],
                                 .fp = cells[j * n + i],
                                 .tn = cells[j * n + j]};
}

/* A mean of what is defined. */
typedef struct mean {
    double sum, weight;
} mean;

static void add(mean *m, double value, double weight)
{
    if (isnan(value)) return;
    m->sum += value * weight;
    m->weight += weight;
}

void cairn_confusion_summary_of(cairn_confusion_summary *out, const double *cells, size_t n,
                                cairn_undefined undefined)
{
    cairn_confusion_summary s = {0};
    mean precision = {0, 0}, recall = {0, 0}, f = {0, 0};
    double chance = 0, most = -1;
    for (size_t i = 0; i < n * n; i++) s.total += cells[i];
    for (size_t class = 0; class < n; class ++) {
        cairn_binary_counts c = cairn_confusion_against_rest(cells, n, class);
        cairn_binary_measures m;
        cairn_binary_measures_of(&m, c, undefined);
        s.right += c.tp;
        chance += m.positives * m.predicted_positives;
        if (m.positives > most) most = m.positives, s.majority_class = class;
        if (!(m.positives > 0)) continue;
        double own = isnan(m.precision) ? 0 : m.precision; /* it has rows and is never predicted */
        add(&precision, own, 1);
        add(&recall, m.tpr, 1);
        add(&f, m.f, 1);
        s.weighted_precision += own * m.positives / s.total;
        s.weighted_f += m.f * m.positives / s.total;
    }
    s.accuracy = ratio(s.right, s.total);
    s.error = ratio(s.total - s.right, s.total);
    s.weighted_recall = s.accuracy;
    if (!(s.total > 0)) s.weighted_precision = s.weighted_f = NAN;
    s.precision = ratio(precision.sum, precision.weight);
    s.recall = ratio(recall.sum, recall.weight);
    s.f = ratio(f.sum, f.weight);
    s.majority = ratio(most, s.total);
    double square = s.total * s.total;
    s.kappa = square > chance ? (s.right * s.total - chance) / (square - chance) : NAN;
    *out = s;
}

static double row_sum(const double *cells, size_t n, size_t i)
{
    double sum = 0;
    for (size_t j = 0; j < n; j++) sum += cells[i * n + j];
    return sum;
}

static double column_sum(const double *cells, size_t n, size_t j)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += cells[i * n + j];
    return sum;
}

double cairn_kappa_variance(const double *cells, size_t n)
{
    double total = 0, agreed = 0, chance = 0, same = 0, other = 0;
    for (size_t i = 0; i < n * n; i++) total += cells[i];
    for (size_t i = 0; i < n; i++) {
        agreed += cells[i * n + i] / total;
        chance += row_sum(cells, n, i) / total * (column_sum(cells, n, i) / total);
    }
    double kappa = (agreed - chance) / (1 - chance);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double margins = (row_sum(cells, n, j) + column_sum(cells, n, i)) / total;
            double share = cells[i * n + j] / total, away = 1 - margins * (1 - kappa);
            if (i == j)
                same += share * away * away;
            else
                other += share * margins * margins;
        }
    double less = kappa - chance * (1 - kappa);
    return (same + (1 - kappa) * (1 - kappa) * other - less * less) /
           ((1 - chance) * (1 - chance) * total);
}

double cairn_confusion_cost(const double *cells, const double *costs, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n * n; i++)
        if (cells[i] > 0) sum += cells[i] * costs[i];
    return sum;
}

/* -- areas -- */

typedef struct auc_work {
    const double *scores;
    const int32_t *classes;
    const double *weights;
    size_t n, k;
    const size_t *counts; /* k: rows of each class */
    double *areas;        /* k x k; on the diagonal a class against all others */
} auc_work;

/* Area of class i = task / k against class j = task % k, or against all others when they are the
 * same. Only the rows that count are ranked. */
static cairn_status one_area(cairn_context *ctx, void *data, size_t task)
{
    const auc_work *w = data;
    SCOPED_SCRATCH(ctx);
    cairn_ranking ranking;
    size_t i = task / w->k, j = task % w->k, n = 0, buffer = w->counts[i] + w->counts[j];
    double *column, *weights = NULL;
    int8_t *sides;
    if (i == j) buffer = w->n;
    CHECK(SCRATCH_RAW_EACH(ctx, buffer + 1, &column, &sides));
    if (w->weights) CHECK(SCRATCH_RAW(ctx, &weights, buffer + 1));
    for (size_t r = 0; r < w->n; r++) {
        int32_t class = w->classes[r];
        if (class < 0 || (size_t) class >= w->k) continue;
        if (i != j && (size_t) class != i && (size_t) class != j) continue;
        if (weights) weights[n] = w->weights[r];
        sides[n] = (size_t) class == i;
        column[n++] = w->scores[r * w->k + i];
    }
    CHECK(cairn_ranking_make(ctx, &ranking, column, sides, weights, n));
    w->areas[task] = cairn_ranking_auc(&ranking);
    return CAIRN_OK;
}

static void add_class(mean *m, double value, double weight)
{
    if (isnan(value) || !(weight > 0)) return;
    m->sum += value * weight;
    m->weight += weight;
}

static double mean_of(mean m)
{
    return m.weight > 0 ? m.sum / m.weight : NAN;
}

/* Means over classes and over pairs of classes, plain and weighted by sizes, by pairs of rows and
 * by sums of sizes; what has no AUC drops out. */
void cairn_multiclass_auc_average(cairn_multiclass_auc *a)
{
    mean rest = {0, 0}, rest_weighted = {0, 0}, one = {0, 0}, pairs = {0, 0}, shares = {0, 0};
    for (size_t i = 0; i < a->k; i++) {
        add_class(&rest, a->against_rest[i], 1);
        add_class(&rest_weighted, a->against_rest[i], a->sizes[i]);
        for (size_t j = 0; j < a->k; j++) {
            double value = a->against_one[i * a->k + j];
            add_class(&one, value, 1);
            add_class(&pairs, value, a->sizes[i] * a->sizes[j]);
            add_class(&shares, value, a->sizes[i] + a->sizes[j]);
        }
    }
    a->rest_mean = mean_of(rest);
    a->rest_weighted = mean_of(rest_weighted);
    a->one_mean = mean_of(one);
    a->one_pairs = mean_of(pairs);
    a->one_shares = mean_of(shares);
}

cairn_status cairn_multiclass_auc_of(cairn_context *ctx, cairn_multiclass_auc *out,
                                     const double *scores, const int32_t *classes,
                                     const double *weights, size_t n, size_t k)
{
    cairn_multiclass_auc a = {.k = k};
    size_t *counts;
    CHECK(SCRATCH_EACH(ctx, k, &a.sizes, &a.against_rest));
    CHECK(SCRATCH(ctx, &a.against_one, cairn_product(k, k)));
    CHECK(SCRATCH(ctx, &counts, k));
    for (size_t r = 0; r < n; r++)
        if (classes[r] >= 0 && (size_t)classes[r] < k) {
            a.sizes[classes[r]] += weights ? weights[r] : 1;
            counts[classes[r]]++;
        }
    auc_work work = {scores, classes, weights, n, k, counts, a.against_one};
    CHECK(cairn_tasks_sized(ctx, cairn_product(k, k), 20 * (double)n * (double)k, one_area, &work));
    for (size_t i = 0; i < k; i++) {
        a.against_rest[i] = a.against_one[i * k + i];
        a.against_one[i * k + i] = NAN;
    }
    cairn_multiclass_auc_average(&a);
    *out = a;
    return CAIRN_OK;
}

/* -- coverage counts -- */

void cairn_coverage_scores(double *out, const double *fires, const double *counts, size_t n,
                           size_t m, size_t k)
{
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < k; c++) {
            double sum = 0;
            for (size_t r = 0; r < m; r++) sum += fires[i * m + r] * counts[r * k + c];
            out[i * k + c] = sum;
        }
}

/* -- weights of the classes -- */

int32_t cairn_weighted_decision(const double *scores, const double *weights, size_t k)
{
    size_t best = 0;
    for (size_t i = 1; i < k; i++)
        if (weights[i] * scores[i] > weights[best] * scores[best]) best = i;
    return (int32_t)best;
}

typedef struct reweighting {
    const double *scores, *row_weights, *costs;
    const int32_t *classes;
    const size_t *order;
    size_t n, k;
    double *weights;     /* k */
    uint64_t *keys, *at; /* n: rows by the weight from which they go to the class at hand */
    double *change;      /* n: what each row's cost changes by then */
    const cairn_reweight_watch *watch; /* NULL = nobody looks */
    size_t class;                      /* at hand */
} reweighting;

static double cost_of(const reweighting *w, size_t actual, size_t said)
{
    return w->costs ? w->costs[actual * w->k + said] : actual != said;
}

/* Rows of the classes tuned so far and of the class at hand, with the weight from which on each is
 * given to that class. Returns their number. */
static size_t collect_rows(reweighting *w, size_t step, const bool *known)
{
    size_t n = 0, class = w->order[step];
    for (size_t r = 0; r < w->n; r++) {
        int32_t actual = w->classes[r];
        const double *s = w->scores + r * w->k;
        double value;
        if (actual < 0 || (size_t)actual >= w->k || !known[actual]) continue;
        /* The class among the first `step` that wins a row, and its weighted score. */
        size_t before = w->order[0];
        for (size_t t = 1; t < step; t++)
            if (w->weights[w->order[t]] * s[w->order[t]] > w->weights[before] * s[before])
                before = w->order[t];
        value = w->weights[before] * s[before];
        if (!(s[class] > 0)) continue; /* no weight gives it to the class */
        w->change[r] = (w->row_weights ? w->row_weights[r] : 1) *
                       (cost_of(w, (size_t)actual, class) - cost_of(w, (size_t)actual, before));
        w->keys[n] = cairn_order_key(value / s[class]);
        w->at[n++] = r;
    }
    return n;
}

/* Distance of a weight from 1: how many times it is larger or smaller. */
static double away_from_one(double weight)
{
    return weight > 0 ? fabs(cairn_log(weight)) : INFINITY;
}

/* Between neighbouring places the cost is constant; take the middle of the cheapest stretch. */
static double cheapest_weight(const reweighting *w, size_t n)
{
    double cost = 0, best_cost = INFINITY, best = 1;
    for (size_t i = 0; i <= n; i++) {
        double low = i > 0 ? cairn_order_number(w->keys[i - 1]) : 0;
        double high = i < n ? cairn_order_number(w->keys[i]) : INFINITY;
        if (i > 0) cost += w->change[w->at[i - 1]];
        if (i > 0 && i < n && low == high) continue;
        double middle = low <= 1 && 1 < high && low < 1 ? 1
                        : isinf(high)                   ? (low > 0 ? 2 * low : 1)
                                                        : low + (high - low) / 2;
        if (w->watch) w->watch->candidate(w->watch->data, w->class, low, high, middle, cost);
        bool better = cost < best_cost - 1e-12;
        bool equal = !better && cost <= best_cost + 1e-12;
        if (better || (equal && away_from_one(middle) < away_from_one(best)))
            best_cost = better ? cost : best_cost, best = middle;
    }
    return best;
}

cairn_status cairn_reweight_classes(cairn_context *ctx, double *out, const double *scores,
                                    const int32_t *classes, const double *weights, size_t n,
                                    size_t k, const size_t *order, const double *costs,
                                    const cairn_reweight_watch *watch)
{
    reweighting w = {scores, weights, costs, classes, order, n, k, out, NULL, NULL, NULL, watch, 0};
    size_t *plain;
    bool *known;
    for (size_t i = 0; i < n * k; i++)
        if (!(scores[i] >= 0) || isinf(scores[i]))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "row %zu has a score that is negative or no finite number: weights "
                              "of classes need scores from 0 up",
                              i / k + 1);
    CHECK(SCRATCH_EACH(ctx, k, &plain, &known));
    CHECK(SCRATCH_EACH(ctx, n, &w.keys, &w.at, &w.change));
    for (size_t i = 0; i < k; i++) plain[i] = i;
    if (!w.order) w.order = plain;
    out[w.order[0]] = 1;
    known[w.order[0]] = true;
    for (size_t step = 1; step < k; step++) {
        known[w.order[step]] = true;
        size_t n_rows = collect_rows(&w, step, known);
        w.class = w.order[step];
        CHECK(cairn_sort_keys(ctx, w.keys, w.at, n_rows));
        out[w.order[step]] = cheapest_weight(&w, n_rows);
    }
    return CAIRN_OK;
}

/* -- costs as text -- */

static cairn_status check_square(cairn_context *ctx, size_t rows, size_t columns,
                                 const cairn_map *classes)
{
    if (rows != columns)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{costs} has %zu rows and %zu columns; there is one of each per class",
                          rows, columns);
    if (!classes || rows == classes->n) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE,
                      "{costs} is a %zu x %zu table, but there are %zu classes; one row per actual "
                      "and one column per predicted class, in the order of the confusion table, or "
                      "by name as in '%s>%s=5'",
                      rows, columns, classes->n, cairn_map_key(classes, 0),
                      cairn_map_key(classes, classes->n > 1));
}

/* The class of that name, blanks at the ends aside. */
static int64_t find_class(const cairn_map *classes, const char *name, size_t length)
{
    while (length && *name == ' ') name++, length--;
    while (length && name[length - 1] == ' ') length--;
    return cairn_map_find(classes, name, length);
}

/* "ACTUAL>PREDICTED" as two classes: a name may hold the mark itself, so that every place of it is
 * tried. */
static bool read_pair(const cairn_map *classes, const char *text, size_t length, size_t pair[2])
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] != '>') continue;
        int64_t actual = find_class(classes, text, i);
        int64_t predicted = find_class(classes, text + i + 1, length - i - 1);
        if (actual < 0 || predicted < 0) continue;
        pair[0] = (size_t)actual;
        pair[1] = (size_t)predicted;
        return true;
    }
    return false;
}

/* Class names may hold '=', so the last one in the item separates; without `classes` only the form
 * is checked, because they are not known yet. */
static cairn_status read_item(cairn_context *ctx, double *costs, const char *item, size_t length,
                              const cairn_map *classes)
{
    const char *equals = NULL;
    double cost;
    size_t pair[2];
    for (size_t i = 0; i < length; i++)
        if (item[i] == '=') equals = item + i;
    size_t left = equals ? (size_t)(equals - item) : 0;
    bool number = equals && memchr(item, '>', left) &&
                  cairn_number_parse(equals + 1, length - left - 1, &cost);
    if (!number || !(cost >= 0) || isinf(cost))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{costs}: '%.*s' is not ACTUAL>PREDICTED=COST with a number that is not "
                          "negative",
                          (int)length, item);
    if (!classes) return CAIRN_OK;
    if (!read_pair(classes, item, left, pair))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{costs}: '%.*s' does not name two classes; they are called '%s', '%s'%s",
                          (int)left, item, cairn_map_key(classes, 0),
                          cairn_map_key(classes, classes->n > 1), classes->n > 2 ? " ..." : "");
    costs[pair[0] * classes->n + pair[1]] = cost;
    return CAIRN_OK;
}

static cairn_status read_named(cairn_context *ctx, double *costs, const char *text,
                               const cairn_map *classes)
{
    bool bracketed = *text == '[' && text[strlen(text) - 1] == ']';
    size_t length = strlen(text) - 2 * (size_t)bracketed;
    text += bracketed;
    for (size_t i = 0, end; i < length; i = end + 1) {
        for (end = i; end < length && text[end] != ';';) end++;
        if (strspn(text + i, " ") >= end - i) continue;
        CHECK(read_item(ctx, costs, text + i, end - i, classes));
    }
    return CAIRN_OK;
}

cairn_status cairn_costs_read(cairn_context *ctx, double **out, const char *text,
                              const cairn_map *classes)
{
    size_t rows, columns, k = classes ? classes->n : 0;
    double *costs;
    if (!strchr(text, '>')) {
        CHECK(cairn_read_counts(ctx, "costs", text, &costs, &rows, &columns));
        CHECK(check_square(ctx, rows, columns, classes));
        if (classes) *out = costs;
        return CAIRN_OK;
    }
    CHECK(SCRATCH(ctx, &costs, cairn_product(k, k) + 1));
    for (size_t a = 0; a < k; a++)
        for (size_t p = 0; p < k; p++) costs[a * k + p] = a != p;
    CHECK(read_named(ctx, costs, text, classes));
    if (classes) *out = costs;
    return CAIRN_OK;
}
