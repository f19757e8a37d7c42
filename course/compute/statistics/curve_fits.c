/* SPDX-License-Identifier: MIT */
/* The points and curves of `curve-fit`, and their picture. */
#include "compute/statistics/curve_fits.h"

#include "base/memory.h"
#include "base/number.h"
#include "model/model.h"
#include "typed/numbers.h"
#include "typed/typed_functions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_CURVES = 20, PLACES = 401, MOST_BARS = 500 };

/* -- points -- */

/* The named column, else the target for y and the first feature of numbers for x. */
static cairn_status choose_column(cairn_context *ctx, size_t *out, const cairn_table *table,
                                  const char *name, bool target)
{
    if (name) return cairn_table_get(ctx, table, name, out);
    ptrdiff_t at = cairn_table_role_column(table, CAIRN_TARGET);
    *out = (size_t)at;
    if (target && at >= 0) return CAIRN_OK;
    if (target)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "name the column that is fitted: {y COLUMN}, or {target COLUMN}");
    for (size_t c = 0; c < table->n_columns; c++)
        if (table->slots[c].role == CAIRN_FEATURE && cairn_table_numbers(table, c)) {
            *out = c;
            return CAIRN_OK;
        }
    return cairn_fail(ctx, CAIRN_BAD_DATA, "there is no feature of numbers for {x}");
}

/* Rows with both numbers and a weight. */
static cairn_status read_points(cairn_context *ctx, cairn_curve_fits *f)
{
    const cairn_table *table = f->table;
    size_t cx, cy, n = 0;
    const double *x, *y;
    double *px, *py, *pw;
    cairn_view view;
    CHECK(choose_column(ctx, &cx, table, f->params->x, false));
    CHECK(choose_column(ctx, &cy, table, f->params->y, true));
    CHECK(cairn_number_column(ctx, &x, table, cx, "x"));
    CHECK(cairn_number_column(ctx, &y, table, cy, "y"));
    CHECK(cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    CHECK(SCRATCH(ctx, &px, table->n_rows + 1));
    CHECK(SCRATCH(ctx, &py, table->n_rows + 1));
    CHECK(SCRATCH(ctx, &pw, table->n_rows + 1));
    CHECK(SCRATCH(ctx, &f->rows, table->n_rows + 1));
    for (size_t i = 0; i < table->n_rows; i++) {
        double w = cairn_view_weight(&view, i);
        if (isnan(x[i]) || isnan(y[i]) || !(w > 0)) continue;
        CHECK(cairn_need_finite(ctx, "a curve", table->slots[cx].name, i, x[i]));
        CHECK(cairn_need_finite(ctx, "a curve", table->slots[cy].name, i, y[i]));
        px[n] = x[i], py[n] = y[i], pw[n] = w, f->rows[n++] = i;
    }
    f->x_name = table->slots[cx].name;
    f->y_name = table->slots[cy].name;
    f->points = (cairn_points_xy){px, py, view.row_weights ? pw : NULL, n};
    if (n == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "no row has numbers in '%s' and '%s'", f->x_name,
                          f->y_name);
    return cairn_points_distinct(ctx, &f->distinct, &f->points);
}

/* The same points with one that is moved or left out. */
static cairn_status move_point(cairn_context *ctx, cairn_curve_fits *f)
{
    size_t n = f->points.n, kept = 0;
    double *x, *y, *w;
    if (!f->params->move) return CAIRN_OK;
    CHECK(cairn_read_moved(ctx, &f->how, f->params->move, n));
    CHECK(SCRATCH(ctx, &x, n + 1));
    CHECK(SCRATCH(ctx, &y, n + 1));
    CHECK(SCRATCH(ctx, &w, n + 1));
    for (size_t i = 0; i < n; i++) {
        bool here = i == f->how.row;
        if (here && f->how.out) continue;
        x[kept] = here ? f->how.x : f->points.x[i];
        y[kept] = here ? f->how.y : f->points.y[i];
        w[kept++] = f->points.weights ? f->points.weights[i] : 1;
    }
    f->moved = true;
    f->after = (cairn_points_xy){x, y, w, kept};
    return CAIRN_OK;
}

/* -- curves -- */

/* Room for a curve; too many are refused. */
static cairn_status next_curve(cairn_context *ctx, cairn_curve_fits *f, cairn_fitted_curve **out,
                               const char *key, const char *label)
{
    if (f->n == MOST_CURVES)
        return cairn_fail(ctx, CAIRN_USAGE, "at most %d curves are fitted together", MOST_CURVES);
    *out = &f->curves[f->n++];
    snprintf((*out)->key, sizeof(*out)->key, "%s", key);
    snprintf((*out)->label, sizeof(*out)->label, "%s", label);
    return CAIRN_OK;
}

/* The curves of the parameters, fitted to these points. */
static cairn_status fit_curves(cairn_context *ctx, cairn_curve_fits *f,
                               const cairn_points_xy *points)
{
    const cairn_curve_fit_params *p = f->params;
    cairn_fitted_curve *to;
    const double *sizes = p->degrees.values;
    double most = 0;
    size_t n = p->degrees.n;
    char key[32], label[64];
    for (size_t i = 0; i < n; i++) {
        snprintf(key, sizeof key, "degree%zu", (size_t)sizes[i]);
        snprintf(label, sizeof label, "degree %zu", (size_t)sizes[i]);
        CHECK(next_curve(ctx, f, &to, key, label));
        CHECK(cairn_curve_polynomial(ctx, &to->curve, points, (size_t)sizes[i]));
    }
    sizes = p->segments.values;
    n = p->segments.n;
    for (size_t i = 0; i < n; i++) most = fmax(most, sizes[i]);
    cairn_curve_fit *steps = NULL;
    if (n) CHECK(SCRATCH(ctx, &steps, (size_t)most));
    if (n) CHECK(cairn_curve_steps(ctx, steps, points, (size_t)most));
    for (size_t i = 0; i < n; i++) {
        snprintf(key, sizeof key, "steps%zu", (size_t)sizes[i]);
        snprintf(label, sizeof label, "%zu segment%s", (size_t)sizes[i], sizes[i] == 1 ? "" : "s");
        CHECK(next_curve(ctx, f, &to, key, label));
        to->curve = steps[(size_t)sizes[i] - 1];
    }
    if (p->power) {
        CHECK(next_curve(ctx, f, &to, "power", "power, by logarithms"));
        CHECK(cairn_curve_of_form(ctx, &to->curve, points, CAIRN_CURVE_POWER));
        CHECK(next_curve(ctx, f, &to, "direct", "power, directly"));
        CHECK(cairn_curve_of_form(ctx, &to->curve, points, CAIRN_CURVE_POWER_DIRECT));
    }
    if (!p->log) return CAIRN_OK;
    CHECK(next_curve(ctx, f, &to, "log", "logarithm"));
    return cairn_curve_of_form(ctx, &to->curve, points, CAIRN_CURVE_LOGARITHM);
}

/* A table of x and y alone, y as the target. */
static cairn_status two_columns(cairn_context *ctx, cairn_table **out, const cairn_curve_fits *f)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    CHECK(cairn_table_new(ctx, &table, f->points.n));
    CHECK(cairn_table_put_numbers(ctx, table, f->x_name, f->points.x));
    CHECK(cairn_table_put_numbers(ctx, table, f->y_name, f->points.y));
    CHECK(cairn_table_set_role(ctx, table, f->y_name, CAIRN_TARGET));
    if (f->points.weights) {
        CHECK(cairn_table_put_numbers(ctx, table, "weight of the row", f->points.weights));
        CHECK(cairn_table_set_role(ctx, table, "weight of the row", CAIRN_WEIGHT));
    }
    *out = TAKE(table);
    return CAIRN_OK;
}

/* Models of the learners that are named, of y by x alone. */
static cairn_status fit_models(cairn_context *ctx, cairn_curve_fits *f)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    const char *const *specs;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    char key[32], label[64];
    f->n_own = f->n;
    if (!f->params->learner) return CAIRN_OK;
    CHECK(two_columns(ctx, &table, f));
    CHECK(cairn_list_lines(ctx, f->params->learner, &specs));
    options.task = CAIRN_REGRESS;
    options.transforms = f->params->transforms;
    for (size_t i = 0; specs[i]; i++) {
        OWNED(cairn_params_free) cairn_params *params = NULL;
        cairn_fitted_curve *to;
        CHECK(cairn_params_from_spec(ctx, &params, CAIRN_ENTRY_LEARNER, specs[i]));
        snprintf(key, sizeof key, "learner%zu", i + 1);
        snprintf(label, sizeof label, "%.60s", specs[i]);
        CHECK(next_curve(ctx, f, &to, key, label));
        CHECK(cairn_model_fit(ctx, &to->model, params, table, &options));
    }
    return CAIRN_OK;
}

cairn_status cairn_fitted_values(cairn_context *ctx, const cairn_curve_fits *f,
                                 const cairn_fitted_curve *curve, const double *x, size_t n,
                                 double *out)
{
    if (!curve->model) {
        for (size_t i = 0; i < n; i++) out[i] = cairn_curve_at(&curve->curve, x[i]);
        return CAIRN_OK;
    }
    OWNED(cairn_table_free) cairn_table *places = NULL;
    SCOPED(cairn_prediction_clear) cairn_prediction p = {0};
    cairn_match match = {0};
    cairn_predict_wants wants = {0};
    CHECK(cairn_table_new(ctx, &places, n));
    CHECK(cairn_table_put_numbers(ctx, places, f->x_name, x));
    CHECK(cairn_model_predict_rows(ctx, &p, curve->model, places, cairn_all_rows(places), wants,
                                   &match));
    memcpy(out, p.numbers, n * sizeof *out);
    return CAIRN_OK;
}

/* Sum of the squares of y, which must be a number. */
static cairn_status sum_squares(cairn_context *ctx, const cairn_curve_fits *f, double *out)
{
    size_t largest = 0;
    char y[CAIRN_NUMBER_SIZE];
    *out = 0;
    for (size_t i = 0; i < f->points.n; i++) {
        double w = f->points.weights ? f->points.weights[i] : 1;
        *out += w * f->points.y[i] * f->points.y[i];
        if (fabs(f->points.y[i]) > fabs(f->points.y[largest])) largest = i;
    }
    if (isfinite(4 * *out)) return CAIRN_OK;
    cairn_number_format(y, f->points.y[largest], 6);
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "the sums of squares overflow; the largest number is %s in column '%s', row "
                      "%zu: divide the column by a power of ten",
                      y, f->y_name, f->rows[largest] + 1);
}

/* Squared errors of all curves; what rounding leaves of an exact fit is 0. */
static cairn_status sum_errors(cairn_context *ctx, cairn_curve_fits *f)
{
    double *values, size;
    CHECK(sum_squares(ctx, f, &size));
    CHECK(SCRATCH(ctx, &values, f->points.n + 1));
    for (size_t c = 0; c < f->n; c++) {
        cairn_fitted_curve *to = &f->curves[c];
        to->sse = to->curve.sse;
        if (!to->model) {
            if (to->sse <= 1e-24 * size) to->sse = 0;
            continue;
        }
        CHECK(cairn_fitted_values(ctx, f, to, f->points.x, f->points.n, values));
        for (size_t i = 0; i < f->points.n; i++) {
            double e = f->points.y[i] - values[i];
            to->sse += (f->points.weights ? f->points.weights[i] : 1) * e * e;
        }
    }
    return CAIRN_OK;
}

cairn_status cairn_curve_fits_make(cairn_context *ctx, cairn_curve_fits *out,
                                   const cairn_compute_job *job)
{
    *out = (cairn_curve_fits){.params = job->params, .table = job->table};
    CHECK(SCRATCH(ctx, &out->curves, 2 * MOST_CURVES));
    CHECK(read_points(ctx, out));
    CHECK(move_point(ctx, out));
    CHECK(fit_curves(ctx, out, &out->points));
    CHECK(fit_models(ctx, out));
    if (out->n == 0)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "there is no curve to fit: say {degrees}, {segments}, {power}, {log} or "
                          "{learner}");
    CHECK(sum_errors(ctx, out));
    if (!out->moved) return CAIRN_OK;
    cairn_curve_fits second = *out;
    second.n = 0;
    second.curves = out->again = out->curves + MOST_CURVES;
    CHECK(fit_curves(ctx, &second, &out->after));
    for (size_t c = 0; c < out->n_own; c++) out->again[c].sse = out->again[c].curve.sse;
    return CAIRN_OK;
}

void cairn_curve_fits_clear(cairn_curve_fits *f)
{
    for (size_t c = 0; f->curves && c < f->n; c++) cairn_model_free(f->curves[c].model);
    f->n = 0;
}

/* -- the picture -- */

typedef struct frame {
    double *x, *y; /* PLACES along the axis, and values there */
    double low[2], high[2];
} frame;

static void widen(double *low, double *high, const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        *low = fmin(*low, values[i]);
        *high = fmax(*high, values[i]);
    }
}

/* The range of all points, before and after, with a margin. */
static cairn_status open_frame(cairn_context *ctx, frame *out, const cairn_curve_fits *f)
{
    *out = (frame){.low = {INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY}};
    widen(&out->low[0], &out->high[0], f->points.x, f->points.n);
    widen(&out->low[1], &out->high[1], f->points.y, f->points.n);
    if (f->moved) widen(&out->low[0], &out->high[0], f->after.x, f->after.n);
    if (f->moved) widen(&out->low[1], &out->high[1], f->after.y, f->after.n);
    for (int k = 0; k < 2; k++) {
        double room = (k ? 0.12 : 0.05) * (out->high[k] - out->low[k]);
        if (!(room > 0)) room = 0.5;
        out->low[k] -= room;
        out->high[k] += room;
    }
    CHECK(SCRATCH(ctx, &out->x, PLACES));
    CHECK(SCRATCH(ctx, &out->y, PLACES));
    for (size_t i = 0; i < PLACES; i++)
        out->x[i] = out->low[0] + (out->high[0] - out->low[0]) * (double)i / (PLACES - 1);
    return CAIRN_OK;
}

/* What leaves the frame is not drawn; a jump of steps is upright. */
static void cut_values(const frame *r)
{
    for (size_t i = 0; i < PLACES; i++)
        if (!(r->y[i] >= r->low[1] && r->y[i] <= r->high[1])) r->y[i] = NAN;
}

/* Steps have corners, which a grid would cut off. */
static cairn_status draw_steps(cairn_context *ctx, cairn_figure *figure, const frame *r,
                               const cairn_fitted_curve *curve, const char *label, bool dashed)
{
    size_t n = curve->curve.size;
    double *x, *y;
    CHECK(SCRATCH(ctx, &x, 2 * n));
    CHECK(SCRATCH(ctx, &y, 2 * n));
    for (size_t k = 0; k < n; k++) {
        x[2 * k] = k ? curve->curve.cuts[k - 1] : r->low[0];
        x[2 * k + 1] = k + 1 < n ? curve->curve.cuts[k] : r->high[0];
        y[2 * k] = y[2 * k + 1] = curve->curve.coefficients[k];
    }
    (dashed ? cairn_figure_beside : cairn_figure_line)(figure, label, x, y, 2 * n);
    return CAIRN_OK;
}

static cairn_status draw_curve(cairn_context *ctx, cairn_figure *figure, const cairn_curve_fits *f,
                               const frame *r, const cairn_fitted_curve *curve, const char *label,
                               bool dashed)
{
    if (!curve->model && curve->curve.kind == CAIRN_CURVE_STEPS)
        return draw_steps(ctx, figure, r, curve, label, dashed);
    CHECK(cairn_fitted_values(ctx, f, curve, r->x, PLACES, r->y));
    cut_values(r);
    (dashed ? cairn_figure_beside : cairn_figure_line)(figure, label, r->x, r->y, PLACES);
    return CAIRN_OK;
}

/* An upright segment from each point to the curve. */
static cairn_status draw_errors(cairn_context *ctx, cairn_figure *figure, const cairn_curve_fits *f,
                                const cairn_fitted_curve *curve)
{
    size_t n = f->points.n;
    double *values, x[2], y[2];
    CHECK(SCRATCH(ctx, &values, n + 1));
    CHECK(cairn_fitted_values(ctx, f, curve, f->points.x, n, values));
    for (size_t i = 0; i < n && n <= MOST_BARS; i++) {
        x[0] = x[1] = f->points.x[i];
        y[0] = f->points.y[i];
        y[1] = values[i];
        cairn_figure_guide(figure, x, y, 2);
    }
    return CAIRN_OK;
}

/* The function that the points are said to come from. */
static cairn_status draw_functions(cairn_context *ctx, cairn_figure *figure,
                                   const cairn_curve_fits *f, const frame *r)
{
    cairn_typed_function *functions;
    const char *const names[] = {"x"};
    const double *const columns[] = {r->x};
    cairn_variables variables = {names, columns, 1, PLACES};
    size_t n;
    CHECK(cairn_functions_read(ctx, &functions, &n, f->params->function));
    for (size_t i = 0; i < n; i++) {
        CHECK(cairn_function_values(ctx, r->y, functions[i].expression, &variables, "function"));
        cut_values(r);
        cairn_figure_dashed(figure, functions[i].name, r->x, r->y, PLACES);
    }
    return CAIRN_OK;
}

static void draw_means(cairn_figure *figure, const cairn_curve_fits *f)
{
    double x = 0, y = 0, total = 0;
    for (size_t i = 0; i < f->points.n; i++) {
        double w = f->points.weights ? f->points.weights[i] : 1;
        total += w;
        x += w * (f->points.x[i] - x) / total;
        y += w * (f->points.y[i] - y) / total;
    }
    cairn_figure_rule_x(figure, "mean of x", x);
    cairn_figure_rule_y(figure, "mean of y", y);
}

/* Frame, points, and what belongs to all curves. */
static cairn_status draw_ground(cairn_context *ctx, cairn_figure *figure, const cairn_curve_fits *f,
                                const frame *r)
{
    cairn_figure_axes(figure, f->x_name, f->y_name);
    cairn_figure_x_range(figure, r->low[0], r->high[0]);
    cairn_figure_y_range(figure, r->low[1], r->high[1]);
    if (f->params->means) draw_means(figure, f);
    if (f->params->function) CHECK(draw_functions(ctx, figure, f, r));
    cairn_figure_points(figure, f->points.x, f->points.y, NULL, f->points.n, NULL, 0);
    if (!f->moved) return CAIRN_OK;
    if (f->how.out)
        cairn_figure_mark(figure, "left out", f->points.x[f->how.row], f->points.y[f->how.row]);
    else
        cairn_figure_mark(figure, "moved to", f->how.x, f->how.y);
    return CAIRN_OK;
}

/* Curves from first to last into one plot; after a move the new ones are dashed beside them. A
 * panel is named by its title, so its curve needs no label unless there is more in it. */
static cairn_status draw_curves(cairn_context *ctx, cairn_figure *figure, const cairn_curve_fits *f,
                                const frame *r, size_t first, size_t last)
{
    bool named = !f->params->panels || f->moved || f->params->function || f->params->means;
    char label[80];
    if (f->params->errors && last - first == 1)
        CHECK(draw_errors(ctx, figure, f, &f->curves[first]));
    for (size_t c = first; c < last; c++) {
        CHECK(
            draw_curve(ctx, figure, f, r, &f->curves[c], named ? f->curves[c].label : NULL, false));
        if (!f->moved || c >= f->n_own) continue;
        snprintf(label, sizeof label, "%s, after", f->curves[c].label);
        CHECK(draw_curve(ctx, figure, f, r, &f->again[c], label, true));
    }
    return CAIRN_OK;
}

/* A panel for each curve, with its squared error above it. */
static cairn_status draw_panels(cairn_context *ctx, cairn_figure *figure, const cairn_curve_fits *f,
                                const frame *r)
{
    for (size_t c = 0; c < f->n; c++) {
        OWNED(cairn_figure_free) cairn_figure *panel = NULL;
        char title[120], name[40], sse[CAIRN_NUMBER_SIZE];
        cairn_number_format(sse, f->curves[c].sse, 4);
        snprintf(title, sizeof title, "%s: SSE %s", f->curves[c].label, sse);
        snprintf(name, sizeof name, "curve%zu", c + 1);
        CHECK(cairn_figure_new(ctx, &panel, name, title));
        cairn_figure_size(panel, 330, 260);
        CHECK(draw_ground(ctx, panel, f, r));
        CHECK(draw_curves(ctx, panel, f, r, c, c + 1));
        cairn_figure_panel(figure, TAKE(panel));
    }
    return CAIRN_OK;
}

cairn_status cairn_curve_fits_draw(cairn_context *ctx, cairn_figure **out,
                                   const cairn_curve_fits *f)
{
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    frame r;
    CHECK(open_frame(ctx, &r, f));
    CHECK(cairn_figure_new(ctx, &figure, "curve-fit", "Curves fitted to the points"));
    if (f->params->panels) {
        CHECK(draw_panels(ctx, figure, f, &r));
    } else {
        CHECK(draw_ground(ctx, figure, f, &r));
        CHECK(draw_curves(ctx, figure, f, &r, 0, f->n));
    }
    CHECK(cairn_figure_status(figure));
    *out = TAKE(figure);
    return CAIRN_OK;
}
