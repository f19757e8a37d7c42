/* SPDX-License-Identifier: MIT */
/* cairn describe: how columns go together. Numbers with numbers by correlation, levels with levels
 * by chi-squared and Cramér's V, numbers with levels by the correlation ratio.
 *
 * Wide tables are kept within bounds: matrices are printed for a dozen columns, the strongest pairs
 * for any number; at most MOST_MATRIX columns enter, and of very many rows an even sample does. */
#include "command/describe.h"

#include "base/memory.h"
#include "base/number.h"
#include "parallel/parallel.h"
#include "report/table_rows.h"
#include "stats/contingency.h"
#include "stats/correlation.h"

#include <math.h>

enum {
    MOST_PRINTED = 12,
    MOST_HEAT = 40,
    MOST_MATRIX = 1000,
    MOST_LISTED = 15,
    MOST_LEVEL_COLUMNS = 60,
    MOST_CELLS = 1000000
};
#define MOST_WORK      2e10 /* products of a matrix */
#define MOST_RANK_WORK 2e8
#define WEAKEST_LISTED 0.1

/* -- association with the target -- */

/* The square root of a share of explained variance that `parts` groups of n rows would not reach by
 * chance: epsilon squared, which is adjusted R squared where there are two. */
static double corrected(double share, double parts, double n)
{
    double left = n > parts ? 1 - (1 - share) * (n - 1) / (n - parts) : 0;
    return isnan(share) ? NAN : sqrt(fmax(0, left));
}

static size_t used_levels(const double *totals, size_t n)
{
    size_t used = 0;
    for (size_t i = 0; i < n; i++) used += totals[i] > 0;
    return used;
}

/* Cramér's V without what chance adds to it (Bergsma 2013). */
static double corrected_v(const cairn_contingency *t, double rows, double columns)
{
    double n = t->total, phi = t->chi_squared / n - (rows - 1) * (columns - 1) / (n - 1);
    double r = rows - (rows - 1) * (rows - 1) / (n - 1);
    double c = columns - (columns - 1) * (columns - 1) / (n - 1);
    double least = fmin(r, c) - 1;
    return isnan(t->cramer_v) ? NAN : least > 0 && phi > 0 ? sqrt(fmin(1, phi / least)) : 0;
}

typedef struct association {
    size_t column;
    double strength; /* 0 .. 1: eta squared, V, or |r| */
    double order;    /* the same on one scale, that of a correlation, corrected for chance */
    double statistic, degrees, p_value, r;
    const char *measure;
    bool known;
} association;

typedef struct association_work {
    const cairn_describing *d;
    association *all;
} association_work;

/* Pairs with more cells than MOST_CELLS stay unknown: such a table would be nearly empty, and
 * its statistic means nothing. */
static cairn_status levels_with_levels(cairn_context *ctx, const cairn_describing *d,
                                       association *out, const cairn_column *a,
                                       const cairn_column *b)
{
    SCOPED_SCRATCH(ctx);
    cairn_contingency t;
    double *cells;
    size_t width = b->names.n;
    if ((double)a->names.n * (double)width > MOST_CELLS) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &cells, a->names.n * width + 1));
    for (size_t i = 0; i < d->table->n_rows; i++)
        if (a->codes[i] >= 0 && b->codes[i] >= 0)
            cells[(size_t)a->codes[i] * width + (size_t)b->codes[i]] += cairn_describe_weight(d, i);
    CHECK(cairn_contingency_make(ctx, &t, cells, a->names.n, width));
    out->known = true;
    out->measure = "Cramér's V";
    out->strength = t.cramer_v;
    out->statistic = t.chi_squared;
    out->degrees = (double)t.degrees;
    out->p_value = t.p_value;
    out->order = corrected_v(&t, (double)used_levels(t.row_totals, a->names.n),
                             (double)used_levels(t.column_totals, width));
    return CAIRN_OK;
}

static cairn_status numbers_with_levels(cairn_context *ctx, const cairn_describing *d,
                                        association *out, const cairn_column *numbers,
                                        const cairn_column *levels)
{
    SCOPED_SCRATCH(ctx);
    cairn_group_stats *groups;
    cairn_correlation_ratio ratio;
    CHECK(SCRATCH(ctx, &groups, levels->names.n + 1));
    cairn_correlation_ratio_of(&ratio, groups, levels->names.n, numbers->numbers, levels->codes,
                               d->weights, d->table->n_rows);
    out->known = true;
    out->measure = "η²";
    out->strength = ratio.eta_squared;
    out->statistic = ratio.f;
    out->degrees = (double)ratio.n_groups - 1;
    out->p_value = ratio.p_value;
    out->order = corrected(ratio.eta_squared, (double)ratio.n_groups, ratio.total);
    return CAIRN_OK;
}

static cairn_status numbers_with_numbers(cairn_context *ctx, const cairn_describing *d,
                                         association *out, const cairn_column *a,
                                         const cairn_column *b)
{
    SCOPED_SCRATCH(ctx);
    const double *columns[2] = {a->numbers, b->numbers};
    cairn_correlations c;
    CHECK(cairn_correlations_make(ctx, &c, columns, 2, d->table->n_rows, d->weights));
    out->known = true;
    out->measure = "r";
    out->r = c.correlation[1];
    out->strength = fabs(out->r);
    out->statistic = out->r;
    out->degrees = c.weight[1] - 2;
    out->p_value = cairn_correlation_p(out->r, c.weight[1]);
    out->order = corrected(out->r * out->r, 2, c.weight[1]);
    return CAIRN_OK;
}

static bool is_numbers(const cairn_describing *d, size_t i)
{
    return d->facts[i].measurement == CAIRN_QUANTITATIVE;
}

static bool is_levels(const cairn_describing *d, size_t i)
{
    return d->table->slots[i].column->kind == CAIRN_LEVEL;
}

static cairn_status associate(cairn_context *ctx, void *data, size_t i)
{
    const association_work *w = data;
    const cairn_describing *d = w->d;
    size_t t = (size_t)d->target;
    association *out = &w->all[i];
    const cairn_column *a = d->table->slots[i].column, *b = d->table->slots[t].column;
    out->column = i;
    if (i == t || d->table->slots[i].role != CAIRN_FEATURE) return CAIRN_OK;
    if (is_numbers(d, i))
        return is_numbers(d, t) ? numbers_with_numbers(ctx, d, out, a, b)
                                : numbers_with_levels(ctx, d, out, a, b);
    if (!is_levels(d, i)) return CAIRN_OK;
    return is_levels(d, t) ? levels_with_levels(ctx, d, out, a, b)
                           : numbers_with_levels(ctx, d, out, b, a);
}

static bool stronger(const association *a, const association *b)
{
    double x = isnan(a->order) ? -1 : a->order, y = isnan(b->order) ? -1 : b->order;
    if (x == y) x = -a->p_value, y = -b->p_value; /* strengths of 0 for chance */
    return x != y && !isnan(x + y) ? x > y : a->column < b->column;
}

/* Strongest first: a heap, because there may be a million columns. */
static void sift(association *all, size_t root, size_t n)
{
    for (size_t child; (child = 2 * root + 1) < n; root = child) {
        if (child + 1 < n && stronger(&all[child], &all[child + 1])) child++;
        if (!stronger(&all[root], &all[child])) return;
        association swap = all[root];
        all[root] = all[child];
        all[child] = swap;
    }
}

static void sort_by_strength(association *all, size_t n)
{
    for (size_t i = n / 2; i-- > 0;) sift(all, i, n);
    for (size_t end = n; end > 1; end--) {
        association swap = all[0];
        all[0] = all[end - 1];
        all[end - 1] = swap;
        sift(all, 0, end - 1);
    }
}

/* Measures for different kinds of columns do not compare, so they are sorted by one that is
 * corrected to the scale of a correlation. */
static void show_associations(cairn_describing *d, const association *all, size_t n)
{
    static const char *const heads[] = {"column",     "measure", "strength", "corrected",
                                        "χ², F or r", "degrees", "p-value"};
    cairn_report *r = d->report;
    cairn_report_table_begin(r, NULL, d->limit);
    for (size_t h = 0; h < 7; h++) cairn_report_column(r, heads[h], h < 2 ? 'l' : 'r');
    for (size_t i = 0; i < n; i++) {
        cairn_report_cells(r,
                           "- target.measure.$1 target.strength.$1:4 target.corrected.$1:4 "
                           "target.statistic.$1:5 target.degrees.$1 target.p_value.$1:3",
                           d->table->slots[all[i].column].name, all[i].measure, all[i].strength,
                           all[i].order, all[i].statistic, all[i].degrees, all[i].p_value);
    }
    cairn_report_paragraph(
        r,
        "Strength runs from 0 to 1: η² is the share of the variance that groups explain (F test), "
        "Cramér's V comes from χ², r is Pearson's correlation (its size counts). Corrected is the "
        "same on one scale, that of a correlation, without what chance alone would give a column "
        "of so many levels. Strongest first by it; p-values are for one column looked at alone.");
}

/* In brief: the columns that go with the target most. */
static void glance_associations(cairn_describing *d, const association *all, size_t n)
{
    enum { MOST = 4 };
    SCOPED(cairn_text_clear) cairn_text line = cairn_text_start(d->ctx);
    unsigned before = cairn_report_only(d->report, CAIRN_IN_BOTH);
    for (size_t i = 0; i < n && i < MOST; i++) {
        char strength[CAIRN_NUMBER_SIZE];
        cairn_number_fixed(strength, all[i].order, 2);
        cairn_text_addf(&line, "%s%s %s", i ? ", " : "", d->table->slots[all[i].column].name,
                        strength);
    }
    cairn_report_failed(d->report, cairn_text_status(&line));
    cairn_report_for(d->report, CAIRN_IN_BRIEF);
    cairn_report_paragraph(d->report, "Goes with %s (0 not at all, 1 wholly): %s.",
                           d->table->slots[d->target].name, cairn_text_string(&line));
    cairn_report_for(d->report, before);
}

/* A feature that gives a number target away is often a leak; classes are looked at by one split. */
static void warn_leaks(cairn_describing *d, const association *all, size_t n)
{
    if (is_levels(d, (size_t)d->target)) return;
    for (size_t i = 0; i < n && i < 5 && all[i].order > 0.999; i++)
        if (d->facts[all[i].column].n > 10)
            cairn_report_note(d->report,
                              "'%s' determines the target almost completely; make sure that it is "
                              "known before the target is.",
                              d->table->slots[all[i].column].name);
}

cairn_status cairn_describe_target(cairn_describing *d)
{
    association_work w = {.d = d};
    size_t n = d->table->n_columns, known = 0;
    if (d->target < 0 || d->facts[d->target].measurement == CAIRN_NO_STATISTICS) return CAIRN_OK;
    CHECK(SCRATCH(d->ctx, &w.all, n + 1));
    CHECK(cairn_tasks_sized(d->ctx, n, 4.0 * (double)n * (double)d->table->n_rows, associate, &w));
    for (size_t i = 0; i < n; i++)
        if (w.all[i].known) w.all[known++] = w.all[i];
    if (!known) return CAIRN_OK;
    sort_by_strength(w.all, known);
    cairn_report_heading(d->report, 2, "Association with the target %s",
                         d->table->slots[d->target].name);
    show_associations(d, w.all, known);
    if (d->brief) glance_associations(d, w.all, known);
    warn_leaks(d, w.all, known);
    return cairn_describe_leaks(d);
}

/* -- correlations -- */

typedef struct matrix_columns {
    const double **columns;
    size_t *index; /* in the table */
    size_t n, n_left_out;
    const char **names;
    const double *weights;
    size_t n_rows, step; /* every step-th row was taken */
} matrix_columns;

/* Number columns that learn, at most MOST_MATRIX of them. */
static cairn_status gather_columns(cairn_describing *d, matrix_columns *out)
{
    const cairn_table *table = d->table;
    CHECK(SCRATCH_EACH(d->ctx, MOST_MATRIX, &out->columns, &out->index, &out->names));
    for (size_t i = 0; i < table->n_columns; i++) {
        if (!is_numbers(d, i) || !cairn_describe_learns(&table->slots[i])) continue;
        if (!(d->facts[i].summary.range > 0)) continue; /* constant or empty */
        if (out->n == MOST_MATRIX) {
            out->n_left_out++;
            continue;
        }
        out->columns[out->n] = table->slots[i].column->numbers;
        out->names[out->n] = table->slots[i].name;
        out->index[out->n++] = i;
    }
    out->weights = d->weights;
    out->n_rows = table->n_rows;
    out->step = 1;
    return CAIRN_OK;
}

/* Every k-th row, when all of them would be too much work. */
static cairn_status thin_rows(cairn_describing *d, matrix_columns *m, double most)
{
    double work = (double)m->n_rows * (double)m->n * (double)m->n;
    if (work <= most || m->n_rows < 2000) return CAIRN_OK;
    size_t step = (size_t)ceil(work / most), wanted = m->n_rows / 1000;
    m->step = step < wanted ? step : wanted;
    size_t rows = (m->n_rows + m->step - 1) / m->step;
    for (size_t j = 0; j <= m->n; j++) {
        const double *from = j < m->n ? m->columns[j] : m->weights;
        double *to;
        if (!from) continue;
        CHECK(SCRATCH_RAW(d->ctx, &to, rows));
        for (size_t i = 0; i < rows; i++) to[i] = from[i * m->step];
        *(j < m->n ? &m->columns[j] : &m->weights) = to;
    }
    m->n_rows = rows;
    return CAIRN_OK;
}

static void print_matrix(cairn_report *r, const matrix_columns *m, const double *values,
                         double factor, const char *title, const char *name)
{
    cairn_report_table_of(r, title, (size_t)-1, "l", "");
    for (size_t j = 0; j < m->n; j++) cairn_report_column(r, m->names[j], 'r');
    for (size_t i = 0; i < m->n; i++) {
        cairn_report_cell(r, m->names[i]);
        for (size_t j = 0; j < m->n; j++)
            cairn_report_cell_number(r, factor * values[i * m->n + j], 4, "%s.%s.%s", name,
                                     cairn_report_key(r, m->names[i]),
                                     cairn_report_key(r, m->names[j]));
    }
}

/* A pair of columns and how strong it is. */
typedef struct pair {
    size_t a, b;
    double value;
} pair;

/* Keep the `buffer` strongest pairs, strongest first. */
static void keep_pair(pair *pairs, size_t *n, size_t buffer, pair candidate)
{
    size_t at = *n;
    if (isnan(candidate.value)) return;
    while (at > 0 && fabs(pairs[at - 1].value) < fabs(candidate.value)) at--;
    if (at >= buffer) return;
    if (*n < buffer) ++*n;
    for (size_t i = *n - 1; i > at; i--) pairs[i] = pairs[i - 1];
    pairs[at] = candidate;
}

/* Keeps the strongest pairs only, as there are too many of all; what lies below WEAKEST_LISTED
 * is not worth a line. */
static void list_pairs(cairn_describing *d, const matrix_columns *m, const cairn_correlations *c,
                       const char *title, const char *name)
{
    pair pairs[MOST_LISTED];
    size_t n = 0;
    for (size_t i = 0; i < m->n; i++)
        for (size_t j = i + 1; j < m->n; j++)
            keep_pair(pairs, &n, MOST_LISTED, (pair){i, j, c->correlation[i * m->n + j]});
    while (n && fabs(pairs[n - 1].value) < WEAKEST_LISTED) n--;
    if (!n) {
        cairn_report_paragraph(d->report, "No pair of columns has a %s of 0.1 or more.", name);
        return;
    }
    cairn_report_table_of(d->report, title, MOST_LISTED, "llrr", "column", "column", "correlation",
                          "p-value");
    for (size_t i = 0; i < n; i++) {
        const pair *p = &pairs[i];
        cairn_report_prefix(d->report, "%s", name);
        cairn_report_cells(d->report, "- - @.$1.$2:4 -:3", m->names[p->a], m->names[p->b], p->value,
                           cairn_correlation_p(p->value, c->weight[p->a * m->n + p->b]));
    }
}

static cairn_status heat_map(cairn_describing *d, const matrix_columns *m,
                             const cairn_correlations *c, const char *title)
{
    cairn_figure *figure = NULL;
    size_t n = m->n < MOST_HEAT ? m->n : MOST_HEAT;
    double *part;
    if (n < 2 || !(d->show & CAIRN_SHOW_FIGURES)) return CAIRN_OK;
    CHECK(SCRATCH(d->ctx, &part, n * n));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            part[i * n + j] = round(100 * c->correlation[i * m->n + j]) / 100;
    CHECK(cairn_figure_new(d->ctx, &figure, "correlation", title));
    cairn_figure_heat(figure, part, m->names, n, m->names, n);
    cairn_report_page_figure(d->report, figure);
    return CAIRN_OK;
}

static cairn_status show_correlation(cairn_describing *d, const matrix_columns *m,
                                     const cairn_correlations *c, bool ranks)
{
    const char *name = ranks ? "spearman" : "correlation";
    if (m->n <= MOST_PRINTED)
        print_matrix(d->report, m, c->correlation, 1,
                     ranks ? "Spearman's rank correlation" : "Pearson's correlation", name);
    else
        list_pairs(d, m, c,
                   ranks ? "Strongest pairs, Spearman's rank correlation"
                         : "Strongest pairs, Pearson's correlation",
                   name);
    return heat_map(d, m, c, ranks ? "Spearman's rank correlation" : "Pearson's correlation");
}

/* Columns that are nearly multiples of another. */
static void warn_near_copies(cairn_describing *d, const matrix_columns *m,
                             const cairn_correlations *c)
{
    size_t reported = 0;
    for (size_t i = 0; i < m->n; i++)
        for (size_t j = i + 1; j < m->n; j++) {
            double r = c->correlation[i * m->n + j];
            if (!(fabs(r) >= 0.999) || !(c->weight[i * m->n + j] > 10)) continue;
            if (d->facts[m->index[i]].hash == d->facts[m->index[j]].hash) continue;
            if (reported++ < 10)
                cairn_report_note(d->report,
                                  "'%s' and '%s' are nearly the same up to scale (correlation "
                                  "%s0.999 or more); one of them is enough for most learners.",
                                  m->names[i], m->names[j], r < 0 ? "-" : "");
        }
    cairn_report_hidden(d->report, (double)reported, "checks.near_copies");
}

static void tell_bounds(cairn_describing *d, const matrix_columns *m)
{
    if (m->step > 1)
        cairn_report_paragraph(d->report, "Correlations are those of every %zuth row (%zu rows).",
                               m->step, m->n_rows);
    if (m->n_left_out)
        cairn_report_paragraph(d->report, "%zu more columns are left out of the correlations.",
                               m->n_left_out);
}

cairn_status cairn_describe_correlations(cairn_describing *d)
{
    SCOPED_SCRATCH(d->ctx);
    matrix_columns m = {0}, ranked;
    cairn_correlations c;
    CHECK(gather_columns(d, &m));
    if (m.n < 2) return CAIRN_OK;
    ranked = m;
    CHECK(SCRATCH(d->ctx, &ranked.columns, MOST_MATRIX));
    for (size_t i = 0; i < m.n; i++) ranked.columns[i] = m.columns[i];
    CHECK(thin_rows(d, &m, MOST_WORK));
    CHECK(cairn_correlations_make(d->ctx, &c, m.columns, m.n, m.n_rows, m.weights));
    bool covariance = (d->show & CAIRN_SHOW_COVARIANCE) != 0;
    if (d->show & CAIRN_SHOW_CORRELATION || covariance)
        cairn_report_heading(d->report, 2, "Numbers with numbers");
    if (covariance && m.n <= MOST_PRINTED) {
        double n = c.weight[0];
        bool by_n = d->options->divisor == CAIRN_DIVISOR_N;
        print_matrix(d->report, &m, c.covariance, by_n ? 1 : n / (n - 1), "Covariance",
                     "covariance");
        cairn_report_paragraph(d->report, "Covariances divide by %s.",
                               cairn_divisors[d->options->divisor].name);
    }
    if (covariance && m.n > MOST_PRINTED)
        cairn_report_paragraph(d->report,
                               "The covariance matrix is printed for at most %d columns; "
                               "--features chooses them.",
                               MOST_PRINTED);
    if (!(d->show & CAIRN_SHOW_CORRELATION)) {
        warn_near_copies(d, &m, &c);
        return CAIRN_OK;
    }
    if (d->options->correlation != CAIRN_SPEARMAN) CHECK(show_correlation(d, &m, &c, false));
    tell_bounds(d, &m);
    warn_near_copies(d, &m, &c);
    if (d->options->correlation == CAIRN_PEARSON) return CAIRN_OK;
    CHECK(thin_rows(d, &ranked, MOST_RANK_WORK));
    CHECK(cairn_rank_correlations(d->ctx, &c, ranked.columns, ranked.n, ranked.n_rows,
                                  ranked.weights));
    CHECK(show_correlation(d, &ranked, &c, true));
    if (ranked.step > 1) tell_bounds(d, &ranked);
    return CAIRN_OK;
}

/* -- levels with levels -- */

typedef struct pair_work {
    const cairn_describing *d;
    const size_t *index;
    size_t n;
    association *all; /* n x n */
} pair_work;

static cairn_status pair_row(cairn_context *ctx, void *data, size_t i)
{
    const pair_work *w = data;
    for (size_t j = i + 1; j < w->n; j++)
        CHECK(levels_with_levels(ctx, w->d, &w->all[i * w->n + j],
                                 w->d->table->slots[w->index[i]].column,
                                 w->d->table->slots[w->index[j]].column));
    return CAIRN_OK;
}

/* The strongest pairs of level columns by Cramér's V; the text names the command that shows a
 * whole table. */
static void show_level_pairs(cairn_describing *d, const pair_work *w)
{
    static const char *const heads[] = {"column", "column",  "Cramér's V",
                                        "χ²",     "degrees", "p-value"};
    pair pairs[MOST_LISTED];
    size_t n = 0;
    for (size_t i = 0; i < w->n; i++)
        for (size_t j = i + 1; j < w->n; j++)
            if (w->all[i * w->n + j].known)
                keep_pair(pairs, &n, MOST_LISTED, (pair){i, j, w->all[i * w->n + j].strength});
    if (!n) return;
    cairn_report_heading(d->report, 2, "Levels with levels");
    cairn_report_table_begin(d->report, NULL, MOST_LISTED);
    for (size_t h = 0; h < 6; h++) cairn_report_column(d->report, heads[h], h < 2 ? 'l' : 'r');
    for (size_t k = 0; k < n; k++) {
        const association *a = &w->all[pairs[k].a * w->n + pairs[k].b];
        const char *first = d->table->slots[w->index[pairs[k].a]].name;
        const char *second = d->table->slots[w->index[pairs[k].b]].name;
        const char *x = cairn_report_key(d->report, first),
                   *y = cairn_report_key(d->report, second);
        cairn_report_prefix(d->report, "%s.%s", x, y);
        cairn_report_cells(d->report, "- - cramer_v.@:4 chi_squared.@:5 degrees.@ p_value.@:3",
                           first, second, a->strength, a->statistic, a->degrees, a->p_value);
    }
    cairn_report_paragraph(d->report, "'cairn compute contingency DATA --rows A --columns B' shows "
                                      "one pair in full.");
}

cairn_status cairn_describe_pairs(cairn_describing *d)
{
    SCOPED_SCRATCH(d->ctx);
    size_t index[MOST_LEVEL_COLUMNS];
    pair_work w = {.d = d, .index = index};
    for (size_t i = 0; i < d->table->n_columns && w.n < MOST_LEVEL_COLUMNS; i++)
        if (is_levels(d, i) && (d->table->slots[i].role == CAIRN_FEATURE)) index[w.n++] = i;
    if (w.n < 2) return CAIRN_OK;
    CHECK(SCRATCH(d->ctx, &w.all, w.n * w.n));
    CHECK(cairn_tasks_sized(d->ctx, w.n - 1, (double)w.n * (double)w.n * (double)d->table->n_rows,
                            pair_row, &w));
    show_level_pairs(d, &w);
    return CAIRN_OK;
}
