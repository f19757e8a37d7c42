/* SPDX-License-Identifier: MIT */
/* Scores of rows: the logarithm of prior times factors, for every class.
 *
 * Rows go in blocks over the threads. Gaussian columns without missing cells are taken all at once
 * by a kernel, everything else cell by cell; a missing cell leaves its factor out. Kernel densities
 * are made before, for the distinct values of the rows. */
#include "learners/bayes/bayes.h"
#include "base/functions.h"
#include "base/memory.h"
#include "base/sort_by.h"
#include "kernels/elementwise.h"
#include "kernels/kernels.h"
#include "parallel/parallel.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BLOCK_ROWS = 256, BLOCK_SCORES = 1 << 18 }; /* of rows x classes */

/* Distances, in spreads of a class, that are squared; many such squares still add up to a
 * number. */
static const double FAR = 1e140;

/* ln of a kernel density at the distinct values that the rows have. */
typedef struct point_table {
    double *points; /* n, ascending */
    double *logs;   /* n x n_classes */
    size_t n;
} point_table;

typedef struct scoring {
    const cairn_bayes_model *m;
    const cairn_view *view;
    size_t block_rows;   /* fewer when there are many classes: room, and time between ticks */
    point_table *tables; /* n_parts; those of other densities are empty */
    double **musts;      /* n_parts: words per class that must be there; NULL = none */
    /* Gaussian columns without missing cells */
    size_t n_dense;
    const double **dense;           /* n_dense columns */
    double *means, *rates, *base;   /* n_classes x n_dense, n_classes x n_dense, n_classes */
    bool *apart;                    /* n_parts: a Gaussian with missing cells here */
    double *sums;                   /* workers x block_rows */
    double *gathered;               /* workers x n_dense x block_rows when rows are chosen */
    const double **gathered_starts; /* workers x n_dense */
    /* what is wanted; any may be NULL */
    double *scores;       /* n x n_classes, ln of prior x factors */
    cairn_prediction *to; /* codes and probabilities */
    double *joint, *evidence;
    double *room;       /* workers x block_rows x n_classes */
    size_t *impossible; /* one per block */
    size_t *far;        /* one per block: rows whose squares are no numbers */
} scoring;

/* -- single cells -- */

static double log_factorial(double x)
{
    return cairn_lgamma(x + 1);
}

/* ln(n! / prod x!), the number of orders in which the words can come. */
static double log_orders(double n, double sum_of_logs)
{
    return log_factorial(n) - sum_of_logs;
}

static void add_logs(double *out, const double *logs, double times, size_t k)
{
    for (size_t c = 0; c < k; c++) out[c] += times * logs[c];
}

/* ln of a normal density. Where the square of the distance is beyond all numbers, what is taken off
 * grows with the logarithm of the distance from there on: still a number, and the class to which
 * the value is nearest in its own spread still has the largest. */
static double normal_log(double x, double centre, double rate, double base)
{
    double d = (x - centre) * rate;
    if (fabs(d) < FAR) return base - d * d;
    double beyond = cairn_log(fabs(x / 2 - centre / 2)) + cairn_log(2 * rate) - cairn_log(FAR);
    return base - FAR * FAR * (1 + beyond);
}

static bool add_bag(double *out, const cairn_bayes_model *m, const cairn_bayes_part *part,
                    const cairn_column *column, size_t row)
{
    size_t k = m->n_classes;
    bool bits = part->density == CAIRN_BAYES_BERNOULLI;
    double n = 0, logs = 0;
    if (column->absent && column->absent[row]) return false;
    if (bits) add_logs(out, part->base, 1, k);
    for (size_t t = column->starts[row]; t < column->starts[row + 1]; t++) {
        double x = column->amounts ? column->amounts[t] : 1;
        if (!(x > 0)) continue;
        add_logs(out, part->logs + (size_t)column->items[t] * k, bits ? 1 : x, k);
        n += x;
        if (m->coefficient && !bits) logs += log_factorial(x);
    }
    if (m->coefficient && !bits)
        for (size_t c = 0; c < k; c++) out[c] += log_orders(n, logs);
    return true;
}

/* Number columns that make one bag. */
static bool add_counts(double *out, const cairn_bayes_model *m, const cairn_bayes_part *part,
                       const cairn_view *view, size_t row)
{
    size_t k = m->n_classes;
    double n = 0, logs = 0;
    bool there = false;
    for (size_t j = 0; j < part->n_features; j++) {
        double x = view->features[part->features[j]]->numbers[row];
        there |= !isnan(x);
        if (!(x > 0) || isinf(x)) continue;
        add_logs(out, part->logs + j * k, x, k);
        n += x;
        if (m->coefficient) logs += log_factorial(x);
    }
    if (m->coefficient && there)
        for (size_t c = 0; c < k; c++) out[c] += log_orders(n, logs);
    return there;
}

static bool add_points(double *out, const point_table *table, double x, size_t k)
{
    size_t low = 0, high = table->n;
    if (isnan(x) || !high) return false;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (table->points[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    add_logs(out, table->logs + low * k, 1, k);
    return true;
}

/* Add the logarithms of a part for one row of the table; false = left out. Words that must be there
 * are not looked at. */
static bool add_cell(double *out, const cairn_bayes_model *m, const cairn_bayes_part *part,
                     const cairn_view *view, size_t row, const point_table *table)
{
    const cairn_column *column = view->features[part->features[0]];
    size_t k = m->n_classes;
    if (part->idle) return false;
    if (part->density == CAIRN_BAYES_MULTINOMIAL && part->of_numbers)
        return add_counts(out, m, part, view, row);
    if (!part->of_numbers && part->density != CAIRN_BAYES_CATEGORICAL)
        return add_bag(out, m, part, column, row);
    if (!part->of_numbers) {
        int32_t code = column->codes[row];
        if (code < 0 || (size_t)code >= part->n_values) return false;
        add_logs(out, part->logs + (size_t)code * k, 1, k);
        return true;
    }
    double x = column->numbers[row];
    if (isnan(x)) return false;
    if (part->density == CAIRN_BAYES_KERNEL) return add_points(out, table, x, k);
    if (part->density == CAIRN_BAYES_GAUSSIAN) {
        for (size_t c = 0; c < k; c++)
            out[c] += normal_log(x, part->centres[c], part->rates[c], part->base[c]);
        return true;
    }
    if (part->density == CAIRN_BAYES_BERNOULLI) {
        add_logs(out, x > 0 ? part->logs : part->base, 1, k);
        return true;
    }
    ptrdiff_t at = cairn_bayes_place(part, x);
    if (at >= 0) add_logs(out, part->logs + (size_t)at * k, 1, k);
    return at >= 0;
}

/* -- words that must be there -- */

static bool must(const cairn_bayes_model *m, const cairn_bayes_part *part, size_t word, size_t c)
{
    return cairn_bayes_probability(m, part, word, c) >= 1;
}

static void count_musts(double *out, const cairn_bayes_model *m, const cairn_bayes_part *part)
{
    for (size_t v = 0; v < part->n_values; v++)
        for (size_t c = 0; c < m->n_classes; c++) out[c] += must(m, part, v, c);
}

/* A class in whose rows some word always was is impossible for a row without it. */
static void check_musts(double *out, const cairn_bayes_model *m, const cairn_bayes_part *part,
                        const double *musts, const cairn_column *column, size_t row)
{
    if (column->absent && column->absent[row]) return;
    for (size_t c = 0; c < m->n_classes; c++) {
        double left = musts[c];
        for (size_t t = column->starts[row]; t < column->starts[row + 1] && left > 0; t++)
            left -= (!column->amounts || column->amounts[t] > 0) &&
                    must(m, part, (size_t)column->items[t], c);
        if (left > 0) out[c] = -INFINITY;
    }
}

cairn_status cairn_bayes_factors(cairn_context *ctx, double *out, bool *there,
                                 const cairn_bayes_model *m, const cairn_bayes_part *part,
                                 const cairn_view *view, size_t row)
{
    SCOPED_SCRATCH(ctx);
    const cairn_column *column = view->features[part->features[0]];
    size_t at = cairn_view_row(view, row), k = m->n_classes;
    point_table table = {0};
    double *musts;
    memset(out, 0, k * sizeof *out);
    if (part->density == CAIRN_BAYES_KERNEL && !part->idle && !isnan(column->numbers[at])) {
        CHECK(SCRATCH(ctx, &table.logs, k));
        CHECK(SCRATCH(ctx, &table.points, 1));
        table.points[0] = column->numbers[at];
        table.n = 1;
        CHECK(cairn_bayes_kernel_logs(ctx, table.logs, m, part, table.points, 1));
    }
    *there = add_cell(out, m, part, view, at, &table);
    if (part->has_musts) {
        CHECK(SCRATCH(ctx, &musts, k));
        count_musts(musts, m, part);
        check_musts(out, m, part, musts, column, at);
    }
    return CAIRN_OK;
}

/* -- blocks of rows -- */

/* Make a row's scores again where the sum of squares left the numbers, or nearly so. */
static void add_far_normals(const scoring *s, double *out, const double *const *columns, size_t row)
{
    size_t g = s->n_dense;
    bool far = false;
    for (size_t c = 0; c < s->m->n_classes; c++) far |= !(out[c] > -FAR * FAR);
    for (size_t c = 0; far && c < s->m->n_classes; c++) {
        out[c] = s->m->log_prior[c] + s->base[c];
        for (size_t j = 0; j < g; j++)
            out[c] += normal_log(columns[j][row], s->means[c * g + j], s->rates[c * g + j], 0);
    }
}

/* The kernel squares distances, which overflow for absurd values; rows where it did are added
 * again cell by cell, with distances that stay in order. */
static void add_normals(const scoring *s, double *out, size_t begin, size_t n, int worker)
{
    size_t k = s->m->n_classes, g = s->n_dense;
    const double **columns = s->dense;
    double *sums = s->sums + (size_t)worker * s->block_rows;
    const uint32_t *rows = s->view->rows.indices;
    if (rows) {
        double *gathered = s->gathered + (size_t)worker * g * s->block_rows;
        columns = s->gathered_starts + (size_t)worker * g;
        for (size_t j = 0; j < g; j++) {
            cairn_gather(gathered + j * s->block_rows, s->dense[j], rows + begin, n);
            columns[j] = gathered + j * s->block_rows;
        }
    }
    bool far = false;
    for (size_t c = 0; c < k; c++) {
        cairn_normal_logs(sums, columns, rows ? 0 : begin, n, g, s->means + c * g,
                          s->rates + c * g);
        for (size_t i = 0; i < n; i++) {
            out[i * k + c] += s->base[c] + sums[i];
            far |= !(sums[i] > -FAR * FAR);
        }
    }
    if (!far) return;
    size_t first = rows ? 0 : begin;
    for (size_t i = 0; i < n; i++) add_far_normals(s, out + i * k, columns, first + i);
}

static size_t largest(const double *x, size_t n)
{
    size_t best = 0;
    for (size_t c = 1; c < n; c++)
        if (x[c] > x[best]) best = c;
    return best;
}

double cairn_bayes_posterior(double *scores, const cairn_bayes_model *m)
{
    size_t k = m->n_classes;
    double most = scores[largest(scores, k)], sum = 0;
    if (!(most > -INFINITY)) {
        for (size_t c = 0; c < k; c++) sum += m->classes[c];
        for (size_t c = 0; c < k; c++) scores[c] = m->classes[c] / sum;
        return -INFINITY;
    }
    double log_sum;
    cairn_softmax_rows(scores, &log_sum, k, 1, k);
    return log_sum;
}

/* Hand a row's scores out in the forms that are wanted; returns whether no class is possible. */
static bool give_row(const scoring *s, double *scores, size_t i)
{
    size_t k = s->m->n_classes, best = largest(scores, k);
    bool impossible = !(scores[best] > -INFINITY);
    if (s->scores) memcpy(s->scores + i * k, scores, k * sizeof *scores);
    if (!s->to) return impossible;
    if (s->to->codes) s->to->codes[i] = (int32_t)(impossible ? largest(s->m->classes, k) : best);
    if (s->joint) s->joint[i] = impossible ? NAN : scores[best];
    if (!s->to->scores && !s->evidence) return impossible;
    double evidence = cairn_bayes_posterior(scores, s->m);
    if (s->evidence) s->evidence[i] = impossible ? NAN : evidence;
    if (s->to->scores) memcpy(s->to->scores + i * k, scores, k * sizeof *scores);
    return impossible;
}

/* Counts rows that no class can explain, or only far out, per block: the warning about them must
 * not depend on the threads. */
static void score_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const scoring *s = data;
    const cairn_bayes_model *m = s->m;
    size_t k = m->n_classes, n = end - begin;
    double *out = s->room + (size_t)worker * s->block_rows * k;
    for (size_t i = 0; i < n; i++) memcpy(out + i * k, m->log_prior, k * sizeof *out);
    if (s->n_dense) add_normals(s, out, begin, n, worker);
    for (size_t p = 0; p < m->n_parts; p++) {
        const cairn_bayes_part *part = &m->parts[p];
        if (part->density == CAIRN_BAYES_GAUSSIAN && !s->apart[p]) continue;
        for (size_t i = 0; i < n; i++) {
            size_t row = cairn_view_row(s->view, begin + i);
            add_cell(out + i * k, m, part, s->view, row, &s->tables[p]);
            if (s->musts[p])
                check_musts(out + i * k, m, part, s->musts[p], s->view->features[part->features[0]],
                            row);
        }
    }
    for (size_t i = 0; i < n; i++) {
        double best = out[i * k + largest(out + i * k, k)];
        s->far[block] += best < -FAR * FAR / 2 && best > -INFINITY;
        s->impossible[block] += give_row(s, out + i * k, begin + i);
    }
}

/* -- preparing -- */

static cairn_status make_points(cairn_context *ctx, void *data, size_t p)
{
    scoring *s = data;
    const cairn_bayes_part *part = &s->m->parts[p];
    point_table *table = &s->tables[p];
    if (!table->n) return CAIRN_OK;
    return cairn_bayes_kernel_logs(ctx, table->logs, s->m, part, table->points, table->n);
}

/* Room for the distinct values of the rows; the tables are then filled side by side. */
static cairn_status find_points(cairn_context *ctx, scoring *s)
{
    bool any = false;
    CHECK(SCRATCH(ctx, &s->tables, s->m->n_parts + 1));
    CHECK(SCRATCH(ctx, &s->musts, s->m->n_parts + 1));
    for (size_t p = 0; p < s->m->n_parts; p++) {
        const cairn_bayes_part *part = &s->m->parts[p];
        point_table *table = &s->tables[p];
        if (part->has_musts) {
            CHECK(SCRATCH(ctx, &s->musts[p], s->m->n_classes));
            count_musts(s->musts[p], s->m, part);
        }
        if (part->density != CAIRN_BAYES_KERNEL || part->idle) continue;
        const double *numbers = s->view->features[part->features[0]]->numbers;
        size_t n = 0, distinct = 0;
        CHECK(SCRATCH_RAW(ctx, &table->points, s->view->rows.n + 1));
        for (size_t i = 0; i < s->view->rows.n; i++) {
            double x = numbers[cairn_view_row(s->view, i)];
            if (!isnan(x)) table->points[n++] = x;
        }
        if (n) qsort(table->points, n, sizeof *table->points, cairn_by_number);
        for (size_t i = 0; i < n; i++)
            if (distinct == 0 || table->points[i] != table->points[distinct - 1])
                table->points[distinct++] = table->points[i];
        table->n = distinct;
        CHECK(SCRATCH(ctx, &table->logs, cairn_product(distinct, s->m->n_classes)));
        any = true;
    }
    if (any) CHECK(cairn_tasks(ctx, s->m->n_parts, make_points, s));
    return CAIRN_OK;
}

/* Columns with missing cells cannot go through the kernel that takes all at once; the others are
 * packed so that it reads no gaps. */
static cairn_status find_dense(cairn_context *ctx, scoring *s)
{
    const cairn_bayes_model *m = s->m;
    size_t k = m->n_classes, *of;
    CHECK(SCRATCH(ctx, &s->apart, m->n_parts + 1));
    CHECK(SCRATCH(ctx, &s->dense, m->n_normal + 1));
    CHECK(SCRATCH(ctx, &of, m->n_normal + 1));
    for (size_t j = 0; j < m->n_normal; j++) {
        const cairn_bayes_part *part = &m->parts[m->normal_parts[j]];
        const cairn_column *column = s->view->features[part->features[0]];
        if (column->n_missing) {
            s->apart[m->normal_parts[j]] = true;
        } else {
            of[s->n_dense] = j;
            s->dense[s->n_dense++] = column->numbers;
        }
    }
    CHECK(SCRATCH(ctx, &s->means, cairn_product(k, s->n_dense)));
    CHECK(SCRATCH(ctx, &s->rates, cairn_product(k, s->n_dense)));
    CHECK(SCRATCH(ctx, &s->base, k));
    for (size_t c = 0; c < k; c++)
        for (size_t j = 0; j < s->n_dense; j++) {
            s->means[c * s->n_dense + j] = m->normal_means[c * m->n_normal + of[j]];
            s->rates[c * s->n_dense + j] = m->normal_rates[c * m->n_normal + of[j]];
            s->base[c] += m->normal_base[c * m->n_normal + of[j]];
        }
    return CAIRN_OK;
}

/* All room is taken before the blocks start, one piece for each worker, as workers may not
 * allocate. */
static cairn_status score(cairn_context *ctx, scoring *s, size_t *n_impossible, size_t *n_far)
{
    size_t n = s->view->rows.n, workers = (size_t)cairn_workers(ctx), k = s->m->n_classes;
    s->block_rows = MOST_BLOCK_ROWS;
    while (s->block_rows > 1 && s->block_rows * k > BLOCK_SCORES) s->block_rows /= 2;
    size_t blocks = cairn_block_count(n, s->block_rows);
    CHECK(find_points(ctx, s));
    CHECK(find_dense(ctx, s));
    CHECK(SCRATCH_RAW(ctx, &s->sums, workers * s->block_rows));
    CHECK(SCRATCH_RAW(ctx, &s->room, cairn_product(workers * s->block_rows, k)));
    CHECK(SCRATCH(ctx, &s->impossible, blocks + 1));
    CHECK(SCRATCH(ctx, &s->far, blocks + 1));
    if (s->view->rows.indices && s->n_dense) {
        CHECK(SCRATCH_RAW(ctx, &s->gathered, cairn_product(workers * s->block_rows, s->n_dense)));
        CHECK(SCRATCH(ctx, &s->gathered_starts, cairn_product(workers, s->n_dense)));
    }
    CHECK(cairn_blocks_sized(ctx, n, s->block_rows, (double)n * (double)(k * (s->m->n_parts + 1)),
                             score_block, s));
    *n_impossible = *n_far = 0;
    for (size_t b = 0; b < blocks; b++) {
        *n_impossible += s->impossible[b];
        *n_far += s->far[b];
    }
    return CAIRN_OK;
}

cairn_status cairn_bayes_scores(cairn_context *ctx, double *out, const cairn_bayes_model *m,
                                const cairn_view *view)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    scoring s = {.m = m, .view = view, .scores = out};
    size_t n_impossible, n_far;
    cairn_status status = score(ctx, &s, &n_impossible, &n_far);
    cairn_scratch_release(ctx, mark);
    return status;
}

/* Counts of 0 make a class impossible. */
static void warn_impossible(cairn_context *ctx, const cairn_bayes_model *m, size_t n)
{
    bool counted = false;
    for (size_t i = 0; i < m->n_parts; i++)
        counted |= m->parts[i].n_values &&
                   cairn_bayes_smoothing(m, &m->parts[i]).kind == CAIRN_SMOOTH_NONE;
    cairn_warn(
        ctx, "%zu row%s a probability of 0 in every class and get%s the shares of the classes; %s",
        n, n == 1 ? " has" : "s have", n == 1 ? "s" : "",
        cairn_say(ctx, counted
                           ? "{smooth} laplace in fitting leaves no probability of a level at 0"
                           : "look for numbers that are far beyond those of the training rows"));
}

cairn_status cairn_bayes_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                 const cairn_job *job)
{
    SCOPED_SCRATCH(ctx);
    scoring s = {.m = model, .view = job->view, .to = out};
    size_t n_impossible, n_far;
    if (out->extra) {
        CHECK(SCRATCH_RAW(ctx, &s.joint, out->n_rows + 1));
        CHECK(SCRATCH_RAW(ctx, &s.evidence, out->n_rows + 1));
    }
    CHECK(score(ctx, &s, &n_impossible, &n_far));
    out->codes_set = true;
    if (out->extra) {
        CHECK(cairn_table_put_numbers(ctx, out->extra, "log_joint", s.joint));
        CHECK(cairn_table_put_numbers(ctx, out->extra, "log_evidence", s.evidence));
    }
    if (n_impossible) warn_impossible(ctx, s.m, n_impossible);
    if (n_far)
        cairn_warn(ctx,
                   "%zu row%s numbers so far beyond those of the training rows that all classes "
                   "are next to impossible, and get%s the class with the widest spread; look for "
                   "wrong cells",
                   n_far, n_far == 1 ? " has" : "s have", n_far == 1 ? "s" : "");
    return CAIRN_OK;
}
