/* SPDX-License-Identifier: MIT */
/* Measures of confusion tables. */
#include "stats/confusion.h"
#include "base/functions.h"

#include <math.h>

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
