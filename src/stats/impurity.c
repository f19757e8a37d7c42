/* SPDX-License-Identifier: MIT */
/* An impurity with its numbers put in, as on a board: −9/14·log₂(9/14) − 5/14·log₂(5/14). */
#include "base/functions.h"
#include "stats/impurity.h"

#include <math.h>
#include <stdbool.h>

enum { MOST_TERMS = 12 };

static void add_fraction(cairn_text *out, double part, double whole)
{
    cairn_text_add_number(out, part, 6);
    cairn_text_add_char(out, '/');
    cairn_text_add_number(out, whole, 6);
}

static const char *log_name(double base)
{
    return base == 2 ? "log₂" : base == 10 ? "log₁₀" : "ln";
}

/* What one class adds; `first` = nothing stands before it. */
static void add_term(cairn_text *out, cairn_impurity kind, double count, double total, double base,
                     bool first)
{
    switch (kind) {
    case CAIRN_ENTROPY:
        cairn_text_add(out, first ? "−" : " − ");
        add_fraction(out, count, total);
        cairn_text_addf(out, "·%s(", log_name(base));
        add_fraction(out, count, total);
        cairn_text_add_char(out, ')');
        break;
    case CAIRN_GINI:
        cairn_text_add(out, first ? "1 − (" : " − (");
        add_fraction(out, count, total);
        cairn_text_add(out, ")²");
        break;
    case CAIRN_MINORITY:
        cairn_text_add(out, first ? "1 − max(" : ", ");
        add_fraction(out, count, total);
        break;
    case CAIRN_SQRT_GINI:
        cairn_text_add(out, first ? "½·(√(" : " + √(");
        add_fraction(out, count, total);
        cairn_text_add(out, "·");
        add_fraction(out, total - count, total);
        cairn_text_add_char(out, ')');
        break;
    }
}

void cairn_impurity_add_terms(cairn_text *out, cairn_impurity kind, const double *counts, size_t n,
                              double log_base)
{
    double total = 0;
    size_t shown = 0;
    for (size_t l = 0; l < n; l++) total += counts[l];
    for (size_t l = 0; l < n; l++) {
        if (!(counts[l] > 0)) continue;
        if (shown == MOST_TERMS) cairn_text_add(out, " ...");
        if (shown < MOST_TERMS) add_term(out, kind, counts[l], total, log_base, shown == 0);
        shown++;
    }
    if (shown && (kind == CAIRN_MINORITY || kind == CAIRN_SQRT_GINI)) cairn_text_add_char(out, ')');
}

/* Impurities and split scores, straight from their definitions. They serve calculations that are
 * shown; tree learners have faster loops of their own for the same numbers. */

static double total_of(const double *counts, size_t n)
{
    double total = 0;
    for (size_t i = 0; i < n; i++) total += counts[i];
    return total;
}

/* - p log2 p */
static double information(double p)
{
    return p > 0 ? -p * cairn_log2(p) : 0;
}

double cairn_entropy(const double *counts, size_t n_classes)
{
    double total = total_of(counts, n_classes), sum = 0;
    for (size_t i = 0; total > 0 && i < n_classes; i++) sum += information(counts[i] / total);
    return sum;
}

double cairn_gini(const double *counts, size_t n_classes)
{
    double total = total_of(counts, n_classes), sum = 0;
    for (size_t i = 0; total > 0 && i < n_classes; i++) {
        double p = counts[i] / total;
        sum += p * (1 - p);
    }
    return sum;
}

double cairn_minority(const double *counts, size_t n_classes)
{
    double total = total_of(counts, n_classes), largest = 0;
    for (size_t i = 0; i < n_classes; i++)
        if (counts[i] > largest) largest = counts[i];
    return total > 0 ? (total - largest) / total : 0;
}

double cairn_sqrt_gini(const double *counts, size_t n_classes)
{
    double total = total_of(counts, n_classes), sum = 0;
    for (size_t i = 0; total > 0 && i < n_classes; i++) {
        double product = fmax(counts[i] * (total - counts[i]), 0);
        double root = isfinite(product) ? sqrt(product) : sqrt(counts[i]) * sqrt(total - counts[i]);
        sum += root / total;
    }
    return sum / 2;
}

double cairn_impurity_of(cairn_impurity kind, const double *counts, size_t n_classes)
{
    switch (kind) {
    case CAIRN_ENTROPY: return cairn_entropy(counts, n_classes);
    case CAIRN_GINI: return cairn_gini(counts, n_classes);
    case CAIRN_MINORITY: return cairn_minority(counts, n_classes);
    case CAIRN_SQRT_GINI: return cairn_sqrt_gini(counts, n_classes);
    }
    return NAN;
}

double cairn_impurity_after(cairn_impurity kind, const double *table, size_t n_parts,
                            size_t n_classes)
{
    double total = total_of(table, n_parts * n_classes), sum = 0;
    for (size_t k = 0; total > 0 && k < n_parts; k++) {
        const double *part = table + k * n_classes;
        sum += total_of(part, n_classes) / total * cairn_impurity_of(kind, part, n_classes);
    }
    return sum;
}

/* A table read with something added to every cell; sums of its rows and columns. */
typedef struct cells {
    const double *table;
    size_t n_parts, n_classes;
    double add;
} cells;

static double cell(const cells *c, size_t part, size_t class)
{
    return c->table[part * c->n_classes + class] + c->add;
}

static double part_size(const cells *c, size_t part)
{
    double sum = 0;
    for (size_t l = 0; l < c->n_classes; l++) sum += cell(c, part, l);
    return sum;
}

static double class_size(const cells *c, size_t class)
{
    double sum = 0;
    for (size_t k = 0; k < c->n_parts; k++) sum += cell(c, k, class);
    return sum;
}

/* One class's term of an impurity, so that sums over classes need no array of counts. */
static double class_term(cairn_impurity kind, double p)
{
    switch (kind) {
    case CAIRN_ENTROPY: return information(p);
    case CAIRN_GINI: return p * (1 - p);
    case CAIRN_SQRT_GINI: return sqrt(fmax(p * (1 - p), 0)) / 2;
    case CAIRN_MINORITY: break;
    }
    return 0;
}

static double impurity_before(const cells *c, cairn_impurity kind, double total)
{
    double sum = 0, largest = 0;
    for (size_t l = 0; l < c->n_classes; l++) {
        double p = class_size(c, l) / total;
        sum += class_term(kind, p);
        largest = fmax(largest, p);
    }
    return kind == CAIRN_MINORITY ? 1 - largest : sum;
}

static double impurity_within(const cells *c, cairn_impurity kind, size_t part, double size)
{
    double sum = 0, largest = 0;
    for (size_t l = 0; l < c->n_classes; l++) {
        double p = cell(c, part, l) / size;
        sum += class_term(kind, p);
        largest = fmax(largest, p);
    }
    return kind == CAIRN_MINORITY ? 1 - largest : sum;
}

static double reduction(const cells *c, cairn_impurity kind, double total)
{
    double fall = impurity_before(c, kind, total);
    for (size_t k = 0; k < c->n_parts; k++) {
        double size = part_size(c, k);
        if (size > 0) fall -= size / total * impurity_within(c, kind, k, size);
    }
    return fabs(fall) < 1e-12 ? 0 : fall;
}

/* X2 / N = sum over cells of (p_kl - p_k p_l)^2 / (p_k p_l) */
static double chi_squared_share(const cells *c, double total)
{
    double sum = 0;
    for (size_t l = 0; l < c->n_classes; l++) {
        double class = class_size(c, l) / total;
        for (size_t k = 0; class > 0 && k < c->n_parts; k++) {
            double part = part_size(c, k) / total;
            double difference = cell(c, k, l) / total - part * class;
            if (part > 0) sum += difference * difference / (part * class);
        }
    }
    return sum;
}

void cairn_split_scores_of(cairn_split_scores *out, const double *table, size_t n_parts,
                           size_t n_classes, double cell_add)
{
    cells c = {table, n_parts, n_classes, cell_add};
    double total = 0;
    *out = (cairn_split_scores){0};
    for (size_t k = 0; k < n_parts; k++) total += part_size(&c, k);
    if (!(total > 0)) return;
    out->total = total;
    out->entropy = impurity_before(&c, CAIRN_ENTROPY, total);
    out->gini = impurity_before(&c, CAIRN_GINI, total);
    out->gain = reduction(&c, CAIRN_ENTROPY, total);
    out->gini_reduction = reduction(&c, CAIRN_GINI, total);
    out->minority_reduction = reduction(&c, CAIRN_MINORITY, total);
    out->sqrt_gini_reduction = reduction(&c, CAIRN_SQRT_GINI, total);
    for (size_t k = 0; k < n_parts; k++)
        out->split_information += information(part_size(&c, k) / total);
    if (out->split_information > 0) out->gain_ratio = out->gain / out->split_information;
    out->chi_squared_share = chi_squared_share(&c, total);
    out->chi_squared = out->chi_squared_share * total;
    size_t parts = 0, classes = 0;
    for (size_t k = 0; k < c.n_parts; k++) parts += part_size(&c, k) > 0;
    for (size_t l = 0; l < c.n_classes; l++) classes += class_size(&c, l) > 0;
    out->degrees = parts && classes ? (parts - 1) * (classes - 1) : 0;
}

static double scale_squared(cairn_contribution scale, double p)
{
    switch (scale) {
    case CAIRN_CONTRIBUTION_PLAIN: return 1;
    case CAIRN_CONTRIBUTION_POISSON: return p;
    case CAIRN_CONTRIBUTION_BERNOULLI: return p * (1 - p);
    }
    return 0;
}

void cairn_class_contributions(double *out, cairn_contribution scale, const double *table,
                               size_t n_parts, size_t n_classes)
{
    cells c = {table, n_parts, n_classes, 0};
    double total = total_of(table, n_parts * n_classes);
    for (size_t l = 0; l < n_classes; l++) {
        double class = total > 0 ? class_size(&c, l) / total : 0, b = scale_squared(scale, class);
        for (size_t k = 0; k < n_parts; k++) {
            double part = total > 0 ? part_size(&c, k) / total : 0;
            double difference = part > 0 ? cell(&c, k, l) / total - part * class : 0;
            bool counts = part > 0 && class > 0 && b > 0;
            out[k * n_classes + l] = counts ? total * difference * difference / (part * b) : 0;
        }
    }
}
