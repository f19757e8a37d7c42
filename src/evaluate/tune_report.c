/* SPDX-License-Identifier: MIT */
/* What a search found: the table of trials and its picture. */
#include "evaluate/overfit.h"
#include "report/table_rows.h"
#include "base/memory.h"
#include "base/number.h"
#include <math.h>
#include <string.h>

enum { MOST_CELLS = 400 };

/* The marked trial is the chosen one; trials that halving left early show how many rows they were
 * judged on. A clusterer that leaves rows out must show how many: the others look the better for
 * it. */
static void show_trials(cairn_report *out, const cairn_search *s)
{
    const char *measure = s->measure->entry.name;
    bool clusters = s->measure->task == CAIRN_CLUSTER;
    cairn_report_table_begin(out, "Trials", 0);
    for (size_t a = 0; a < s->space->n; a++) cairn_report_column(out, s->space->axes[a].name, 'l');
    cairn_report_columns(out, "rr", measure, "standard error");
    if (clusters)
        cairn_report_columns(out, "rr", "clusters", "rows in none");
    else
        cairn_report_column(
            out, s->measure->task == CAIRN_CLASSIFY ? "training accuracy" : "training mse", 'r');
    cairn_report_column(out, "parameters", 'r');
    if (s->n_rounds > 1) cairn_report_column(out, "rows", 'r');
    for (size_t i = 0; i < s->n; i++) {
        const cairn_trial *t = &s->trials[i];
        if (i == s->best) cairn_report_row_mark(out);
        for (size_t a = 0; a < s->space->n; a++)
            cairn_report_cell(out, t->values[a] ? t->values[a] : "");
        cairn_report_prefix(out, "trial%zu", i + 1);
        cairn_report_cell_number(out, t->value, 5, "trial%zu.%s", i + 1, measure);
        cairn_report_cells(
            out, "@.error:3 @.clusters:4 @.without:5 @.training:5 @.parameters @.rows", t->error,
            cairn_cell_if(clusters, t->clusters), cairn_cell_if(clusters, t->without),
            cairn_cell_if(!clusters, t->training), t->parameters,
            cairn_cell_if(s->n_rounds > 1, (double)t->rows));
    }
}

static bool is_number(const char *text, double *out)
{
    return text && cairn_number_parse(text, strlen(text), out) && isfinite(*out);
}

static bool all_numbers(const cairn_search *s, size_t axis)
{
    double x;
    for (size_t i = 0; i < s->n; i++)
        if (!is_number(s->trials[i].values[axis], &x)) return false;
    return true;
}

/* -- a curve over one number -- */

typedef struct curve_point {
    double x, value, low, high, training;
} curve_point;

/* Trials in the order of the parameter; few enough for insertion. */
static void sort_points(curve_point *points, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        curve_point point = points[i];
        size_t at = i;
        for (; at > 0 && points[at - 1].x > point.x; at--) points[at] = points[at - 1];
        points[at] = point;
    }
}

static void draw_points(cairn_figure *figure, const cairn_search *s, double *columns,
                        const curve_point *points, size_t n)
{
    double *x = columns, *value = x + n, *low = value + n, *high = low + n, *training = high + n;
    for (size_t i = 0; i < n; i++) {
        x[i] = points[i].x;
        value[i] = points[i].value;
        low[i] = points[i].low;
        high[i] = points[i].high;
        training[i] = points[i].training;
    }
    cairn_figure_band(figure, "± one standard error", x, low, high, n);
    cairn_figure_line(figure,
                      s->measure->task == CAIRN_CLUSTER ? s->measure->entry.name : "held-out rows",
                      x, value, n);
    if (cairn_overfit_comparable(s)) cairn_figure_dashed(figure, "training rows", x, training, n);
    cairn_overfit overfit = cairn_overfit_find(s);
    double turn;
    if (overfit.found && is_number(s->trials[overfit.against].values[0], &turn))
        cairn_figure_rule_x(figure, "turning point", turn);
}

/* For one number parameter: training and held-out values over it. Only trials of the last round
 * are comparable. */
static cairn_status curve_figure(cairn_context *ctx, cairn_report *out, const cairn_search *s)
{
    cairn_figure *figure = NULL;
    const cairn_space_axis *axis = &s->space->axes[0];
    curve_point *points;
    double *columns, best;
    size_t n = 0;
    CHECK(SCRATCH(ctx, &points, s->n));
    CHECK(SCRATCH(ctx, &columns, 5 * s->n));
    for (size_t i = 0; i < s->n; i++) {
        const cairn_trial *t = &s->trials[i];
        double x, error = isnan(t->error) ? 0 : t->error;
        if (!is_number(t->values[0], &x) || isnan(t->value) || t->round < s->n_rounds) continue;
        points[n++] = (curve_point){x, t->value, t->value - error, t->value + error, t->training};
    }
    if (n < 2) return CAIRN_OK;
    sort_points(points, n);
    CHECK(cairn_figure_new(ctx, &figure, "search",
                           s->measure->task == CAIRN_CLUSTER ? s->measure->entry.title
                                                             : "Training and held-out rows"));
    cairn_figure_axes(figure, axis->name, s->measure->entry.name);
    if (axis->log && points[0].x > 0)
        cairn_figure_scales(figure, CAIRN_SCALE_LOG, CAIRN_SCALE_LINEAR);
    draw_points(figure, s, columns, points, n);
    if (is_number(s->trials[s->best].values[0], &best))
        cairn_figure_mark(figure, "chosen", best, s->trials[s->best].value);
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

/* -- a map over two parameters -- */

static size_t value_index(const cairn_space_axis *axis, const char *value)
{
    for (size_t v = 0; v < axis->n; v++)
        if (value && strcmp(axis->values[v], value) == 0) return v;
    return axis->n;
}

static cairn_status map_figure(cairn_context *ctx, cairn_report *out, const cairn_search *s)
{
    cairn_figure *figure;
    const cairn_space_axis *rows = &s->space->axes[0], *columns = &s->space->axes[1];
    double *values;
    CHECK(SCRATCH(ctx, &values, rows->n * columns->n));
    for (size_t i = 0; i < rows->n * columns->n; i++) values[i] = NAN;
    for (size_t i = 0; i < s->n; i++) {
        size_t r = value_index(rows, s->trials[i].values[0]);
        size_t c = value_index(columns, s->trials[i].values[1]);
        if (r < rows->n && c < columns->n) values[r * columns->n + c] = s->trials[i].value;
    }
    CHECK(cairn_figure_new(ctx, &figure, "search", s->measure->entry.title));
    cairn_figure_heat(figure, values, rows->values, rows->n, columns->values, columns->n);
    cairn_figure_axes(figure, columns->name, rows->name);
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

/* -- all trials in order -- */

/* For several parameters there is no axis, so trials are shown in their order, by which a search
 * that still improves is seen. */
static cairn_status order_figure(cairn_context *ctx, cairn_report *out, const cairn_search *s)
{
    cairn_figure *figure;
    double *x, *value;
    size_t n = 0;
    CHECK(SCRATCH(ctx, &x, s->n));
    CHECK(SCRATCH(ctx, &value, s->n));
    for (size_t i = 0; i < s->n; i++) {
        if (isnan(s->trials[i].value)) continue;
        x[n] = (double)i + 1;
        value[n++] = s->trials[i].value;
    }
    if (n < 2) return CAIRN_OK;
    CHECK(cairn_figure_new(ctx, &figure, "search", "All trials"));
    cairn_figure_axes(figure, "trial", s->measure->entry.name);
    cairn_figure_points(figure, x, value, NULL, n, NULL, 0);
    cairn_figure_mark(figure, "chosen", (double)s->best + 1, s->trials[s->best].value);
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

cairn_status cairn_search_report(cairn_context *ctx, cairn_report *out, const cairn_search *s)
{
    SCOPED_SCRATCH(ctx);
    const cairn_trial *best = &s->trials[s->best];
    const cairn_space *space = s->space;
    show_trials(out, s);
    cairn_report_word(out, "chosen", best->label, "best");
    cairn_report_hidden(out, (double)s->best + 1, "best.trial");
    for (size_t a = 0; a < space->n; a++)
        if (best->values[a])
            cairn_report_hidden_word(out, best->values[a], "best.%s",
                                     cairn_report_key(out, space->axes[a].name));
    cairn_report_value(out,
                       s->measure->task == CAIRN_CLUSTER ? "its value"
                       : s->chosen_apart                 ? "its value on the validation rows"
                                                         : "its value over the inner splits",
                       best->value, "best.value");
    if (best->without > 0)
        cairn_report_note(out,
                          "The chosen point leaves rows in no cluster, and the shape of the others "
                          "is measured without them; compare the points in that, too.");
    cairn_report_hidden(out, (double)s->n_tied, "best.tied");
    if (s->n_tied)
        cairn_report_note(
            out,
            s->n_tied == 1 ? "%zu other point is as good, and the number of learned parameters "
                             "does not say which is simpler: the one that was typed first was "
                             "taken, so type values from simple to flexible."
                           : "%zu other points are as good, and the number of learned parameters "
                             "does not say which is simpler: the one that was typed first was "
                             "taken, so type values from simple to flexible.",
            s->n_tied);
    if (s->n_failed)
        cairn_report_note(out, "%zu of %zu points could not be fitted; the first: %s", s->n_failed,
                          s->n, s->first_failure ? s->first_failure : "see an earlier run");
    cairn_overfit_report(out, s);
    if (space->n == 1 && all_numbers(s, 0))
        CHECK(curve_figure(ctx, out, s));
    else if (space->n == 2 && (double)space->axes[0].n * (double)space->axes[1].n <= MOST_CELLS &&
             s->n == space->axes[0].n * space->axes[1].n)
        CHECK(map_figure(ctx, out, s));
    else
        CHECK(order_figure(ctx, out, s));
    return CAIRN_OK;
}
