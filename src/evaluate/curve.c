/* SPDX-License-Identifier: MIT */
/* Learning curves: see curve.h.
 *
 * In each split the training rows are put into one order, seeded and such that every beginning of
 * it has about the class shares of the whole; the subsets are its beginnings, so that a larger one
 * holds the smaller ones and a curve does not jump because other rows were drawn. Each subset is
 * learned from, transforms included, and judged on itself and on the rows held out. */
#include "evaluate/curve.h"
#include "base/number.h"
#include "base/random.h"
#include "model/judged_rows.h"
#include "report/table_rows.h"
#include "stats/distributions.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 1000, CURVE_STREAM = 0x6375 };

void cairn_curve_clear(cairn_curve *curve)
{
    cairn_free(curve->sizes);
    cairn_free(curve->rows);
    cairn_free(curve->training);
    cairn_free(curve->held_out);
    *curve = (cairn_curve){0};
}

static cairn_status bad_sizes(cairn_context *ctx, const char *text)
{
    return cairn_fail(ctx, CAIRN_USAGE,
                      "{learning-curve %s}: a number of steps such as 10, shares such as "
                      "0.1,0.5,1, or rising numbers of rows such as 20,50,100 are needed",
                      text);
}

cairn_status cairn_curve_parse(cairn_context *ctx, cairn_curve *out, const char *text)
{
    cairn_status status;
    char **items;
    size_t n;
    *out = (cairn_curve){0};
    TRY(cairn_list_split(ctx, text, &items, &n));
    if (n == 0 || n > MOST_POINTS) TRY(bad_sizes(ctx, text));
    TRY(NEW(ctx, &out->sizes, n > MOST_POINTS ? 1 : (size_t)MOST_POINTS));
    for (size_t i = 0; i < n; i++) {
        double x;
        bool good = cairn_number_parse(items[i], strlen(items[i]), &x) && isfinite(x) && x > 0;
        if (!good || (x > 1 && x != floor(x)) || (i && x <= out->sizes[i - 1]))
            TRY(bad_sizes(ctx, text));
        out->sizes[i] = x;
    }
    out->n = n;
    if (n == 1 && out->sizes[0] > 1) { /* so many steps */
        double steps = out->sizes[0];
        if (steps > MOST_POINTS) TRY(bad_sizes(ctx, text));
        out->n = (size_t)steps;
        for (size_t i = 0; i < out->n; i++) out->sizes[i] = (double)(i + 1) / steps;
    }
done:
    if (status) cairn_curve_clear(out);
    return status;
}

/* -- the splits -- */

static cairn_status begin(cairn_context *ctx, void *data, const cairn_evaluation *e)
{
    cairn_curve *curve = data;
    size_t n = cairn_product(e->n_splits, curve->n);
    curve->n_splits = e->n_splits;
    CHECK(NEW_EACH(ctx, n, &curve->rows, &curve->training, &curve->held_out));
    for (size_t i = 0; i < n; i++) curve->rows[i] = curve->training[i] = curve->held_out[i] = NAN;
    return CAIRN_OK;
}

/* A row and its place between 0 and 1 among the rows of its class. */
typedef struct placed {
    double place;
    size_t shuffled;
    uint32_t row;
} placed;

static int compare_places(const void *left, const void *right)
{
    const placed *a = left, *b = right;
    if (a->place != b->place) return a->place < b->place ? -1 : 1;
    return (a->shuffled > b->shuffled) - (a->shuffled < b->shuffled);
}

/* The training rows in an order whose beginnings are like the whole. */
static cairn_status nest_rows(cairn_context *ctx, uint32_t **out, const cairn_split_job *job)
{
    size_t n = job->train.n, *order, *seen, *counts;
    const cairn_column *target =
        job->table->slots[cairn_table_role_column(job->table, CAIRN_TARGET)].column;
    size_t n_classes = target->kind == CAIRN_LEVEL ? target->names.n : 0;
    placed *places;
    cairn_random random;
    CHECK(SCRATCH_RAW_EACH(ctx, n + 1, &order, &places, out));
    CHECK(SCRATCH_EACH(ctx, n_classes + 1, &seen, &counts));
    for (size_t i = 0; i < n; i++) order[i] = i;
    cairn_random_start(&random, cairn_context_seed(ctx), CURVE_STREAM + job->split);
    cairn_random_shuffle(&random, order, n);
    for (size_t i = 0; i < n; i++)
        counts[n_classes ? (size_t)target->codes[job->train.indices[i]] : 0]++;
    for (size_t i = 0; i < n; i++) {
        uint32_t row = job->train.indices[order[i]];
        size_t class = n_classes ? (size_t)target->codes[row] : 0;
        places[i] = (placed){((double)seen[class]++ + 0.5) / (double)counts[class], i, row};
    }
    if (n > 1) qsort(places, n, sizeof *places, compare_places);
    for (size_t i = 0; i < n; i++) (*out)[i] = places[i].row;
    return CAIRN_OK;
}

static int compare_rows(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

/* One point; what so few rows cannot give (one class only, say) stays undefined. */
static cairn_status fit_point(cairn_context *ctx, cairn_curve *curve, const cairn_split_job *job,
                              size_t at, const uint32_t *rows, size_t n)
{
    cairn_status status;
    cairn_model *model = NULL;
    uint32_t *sorted;
    TRY(SCRATCH_RAW(ctx, &sorted, n + 1));
    memcpy(sorted, rows, n * sizeof *rows);
    if (n > 1) qsort(sorted, n, sizeof *sorted, compare_rows); /* as the whole part is: by table */
    cairn_rows part = {sorted, n, NULL};
    curve->rows[at] = (double)n;
    status = cairn_model_fit_rows(ctx, &model, job->params, job->table, part, job->fit);
    if (status == CAIRN_BAD_DATA || status == CAIRN_NO_SOLUTION) return CAIRN_OK;
    if (status) return status;
    TRY(cairn_measure_model(ctx, &curve->training[at], model, job->table, part));
    TRY(cairn_measure_model(ctx, &curve->held_out[at], model, job->table, job->test));
done:
    cairn_model_free(model);
    return status;
}

static cairn_status visit(cairn_context *ctx, void *data, const cairn_split_job *job)
{
    cairn_curve *curve = data;
    uint32_t *rows;
    CHECK(nest_rows(ctx, &rows, job));
    for (size_t p = 0; p < curve->n; p++) {
        double size = curve->sizes[p];
        if (size <= 1) size = fmax(1, floor(size * (double)job->train.n + 0.5));
        if (size > (double)job->train.n) continue;
        cairn_scratch_mark mark = cairn_scratch_now(ctx);
        CHECK(cairn_tick(ctx, NULL, 0, 0));
        CHECK(fit_point(ctx, curve, job, job->split * curve->n + p, rows, (size_t)size));
        cairn_scratch_release(ctx, mark);
    }
    return CAIRN_OK;
}

cairn_split_visit cairn_curve_visit(cairn_curve *curve)
{
    return (cairn_split_visit){begin, visit, curve};
}

/* -- the report -- */

typedef struct summary {
    double mean, low, high;
    size_t n;
} summary;

/* Mean over the splits with the t interval of their spread. */
static summary summarise(const cairn_curve *curve, const double *values, size_t point, double level)
{
    double sum = 0, squares = 0;
    summary s = {NAN, NAN, NAN, 0};
    for (size_t i = 0; i < curve->n_splits; i++) {
        double x = values[i * curve->n + point];
        if (isnan(x)) continue;
        s.n++;
        sum += x;
    }
    if (!s.n) return s;
    s.mean = sum / (double)s.n;
    for (size_t i = 0; i < curve->n_splits; i++) {
        double x = values[i * curve->n + point];
        if (!isnan(x)) squares += (x - s.mean) * (x - s.mean);
    }
    if (s.n < 2) return s;
    double n = (double)s.n, reach = cairn_t_quantile((1 + level) / 2, n - 1);
    reach *= sqrt(squares / (n - 1) / n);
    s.low = s.mean - reach;
    s.high = s.mean + reach;
    return s;
}

double cairn_curve_mean(const cairn_curve *curve, const double *values, size_t point)
{
    return summarise(curve, values, point, 0.95).mean;
}

typedef struct curve_columns {
    double *x, *training, *held_out, *low, *high;
    size_t n;
} curve_columns;

static cairn_status draw_curve(cairn_context *ctx, cairn_report *out, const curve_columns *c,
                               const char *measure)
{
    cairn_figure *figure = NULL;
    bool banded = false;
    if (c->n < 2) return CAIRN_OK;
    for (size_t i = 0; i < c->n; i++) {
        banded |= !isnan(c->low[i]);
        if (isnan(c->low[i])) c->low[i] = c->high[i] = c->held_out[i];
    }
    CHECK(cairn_figure_new(ctx, &figure, "learning-curve", "Learning curve"));
    cairn_figure_axes(figure, "training rows", measure);
    if (banded) cairn_figure_band(figure, "interval", c->x, c->low, c->high, c->n);
    cairn_figure_line(figure, "held-out rows", c->x, c->held_out, c->n);
    cairn_figure_dashed(figure, "training rows", c->x, c->training, c->n);
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

static void show_point(cairn_report *out, size_t point, double rows, summary train, summary test,
                       size_t n_splits)
{
    cairn_report_prefix(out, "learning_curve.%zu", point);
    cairn_report_cells(out, "@.rows @.training:4 @.held_out:4 @.low:4 @.high:4 @.gap:4", rows,
                       train.mean, test.mean, test.low, test.high, test.mean - train.mean);
    cairn_report_cellf(out, test.n < n_splits ? "%zu of %zu" : "%zu", test.n, n_splits);
}

cairn_status cairn_curve_report(cairn_context *ctx, cairn_report *out, const cairn_curve *curve,
                                const cairn_evaluation *e)
{
    static const char *const heads[] = {
        "training rows", "on them", "on held-out rows", "low", "high", "gap", "splits"};
    SCOPED_SCRATCH(ctx);
    curve_columns c = {0};
    bool few = false;
    const char *measure = e->task == CAIRN_CLASSIFY ? "accuracy" : "mean squared error";
    double **columns[] = {&c.x, &c.training, &c.held_out, &c.low, &c.high};
    for (size_t k = 0; k < 5; k++) CHECK(SCRATCH(ctx, columns[k], curve->n + 1));
    cairn_report_heading(out, 2, "Learning curve");
    cairn_report_table_begin(out, e->task == CAIRN_CLASSIFY ? "Accuracy" : "Mean squared error", 0);
    for (size_t k = 0; k < 7; k++) cairn_report_column(out, heads[k], 'r');
    for (size_t p = 0; p < curve->n; p++) {
        summary rows = summarise(curve, curve->rows, p, e->level);
        summary train = summarise(curve, curve->training, p, e->level);
        summary test = summarise(curve, curve->held_out, p, e->level);
        if (e->task == CAIRN_CLASSIFY) { /* a share */
            test.low = isnan(test.low) ? NAN : fmax(0, test.low);
            test.high = isnan(test.high) ? NAN : fmin(1, test.high);
        }
        few |= test.n < curve->n_splits;
        show_point(out, p + 1, rows.mean, train, test, curve->n_splits);
        if (!test.n) continue;
        c.x[c.n] = rows.mean;
        c.training[c.n] = train.mean;
        c.held_out[c.n] = test.mean;
        c.low[c.n] = test.low;
        c.high[c.n++] = test.high;
    }
    cairn_report_paragraph(
        out, "Smaller parts are nested in larger ones. The interval is that of the mean over the "
             "splits, whose training rows overlap: read it as spread. A gap that stays says that "
             "more rows help; two curves that have met say that a more flexible learner might.");
    if (few)
        cairn_report_note(out, "Some parts were too small or too large in some splits, or could "
                               "not be learned from; the mean is over the others.");
    return draw_curve(ctx, out, &c, measure);
}
