/* SPDX-License-Identifier: MIT */
/* cairn compute curve-fit: curves of one input compared: polynomials of several degrees, steps,
 * power laws and logarithms, and what learners make of the same points. */
#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "rows/matrix.h"
#include "learners/linear/linear.h"
#include "stats/curve_fit.h"
#include "model/calculator.h"
#include "model/model.h"
#include "typed/numbers.h"
#include "typed/typed_functions.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct curve_fit_params {
    const char *x, *y, *move, *function, *learner, *with;
    cairn_list degrees, segments, at;
    const cairn_params *transforms; /* what `with` stands for */
    bool power, log, errors, means, panels;
    double lambda;
} curve_fit_params;

/* One curve: of its own kind, or what a learner's model answers. */
typedef struct fitted_curve {
    char key[32];   /* "degree2", the first part of its names */
    char label[64]; /* "degree 2" */
    cairn_curve_fit curve;
    cairn_model *model; /* NULL = the curve */
    double sse;
} fitted_curve;

typedef struct curve_fits {
    const curve_fit_params *params;
    const cairn_table *table;
    const char *x_name, *y_name;
    cairn_points_xy points;
    size_t *rows;    /* of the table, for each point */
    size_t distinct; /* x */
    size_t n, n_own; /* curves; those that are not models come first */
    fitted_curve *curves;
    bool moved;
    cairn_moved how;
    cairn_points_xy after; /* the points with the one that is moved */
    fitted_curve *again;   /* n_own: fitted to them */
    cairn_certificate certificate;
} curve_fits;

/* -- curve fits -- */

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
static cairn_status read_points(cairn_context *ctx, curve_fits *f)
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
    CHECK(SCRATCH_EACH(ctx, table->n_rows + 1, &px, &py, &pw, &f->rows));
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

/* -- curves -- */

/* Room for a curve; too many are refused. */
static cairn_status next_curve(cairn_context *ctx, curve_fits *f, fitted_curve **out,
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
static cairn_status fit_curves(cairn_context *ctx, curve_fits *f, const cairn_points_xy *points)
{
    const curve_fit_params *p = f->params;
    fitted_curve *to;
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
static cairn_status two_columns(cairn_context *ctx, cairn_table **out, const curve_fits *f)
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
static cairn_status fit_models(cairn_context *ctx, curve_fits *f)
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
        fitted_curve *to;
        CHECK(cairn_params_from_spec(ctx, &params, CAIRN_ENTRY_LEARNER, specs[i]));
        snprintf(key, sizeof key, "learner%zu", i + 1);
        snprintf(label, sizeof label, "%.60s", specs[i]);
        CHECK(next_curve(ctx, f, &to, key, label));
        CHECK(cairn_model_fit(ctx, &to->model, params, table, &options));
    }
    return CAIRN_OK;
}

/* Values of a curve at n places. */
static cairn_status fitted_values(cairn_context *ctx, const curve_fits *f,
                                  const fitted_curve *curve, const double *x, size_t n, double *out)
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

/* Squared errors of all curves; what rounding leaves of an exact fit is 0. */
static cairn_status sum_errors(cairn_context *ctx, curve_fits *f)
{
    double *values, size;
    /* Sum of the squares of y, which must be a number. */
    size_t largest = 0;
    char y[CAIRN_NUMBER_SIZE];
    size = 0;
    for (size_t i = 0; i < f->points.n; i++) {
        double w = f->points.weights ? f->points.weights[i] : 1;
        size += w * f->points.y[i] * f->points.y[i];
        if (fabs(f->points.y[i]) > fabs(f->points.y[largest])) largest = i;
    }
    if (!isfinite(4 * size)) {
        cairn_number_format(y, f->points.y[largest], 6);
        return cairn_fail(
            ctx, CAIRN_BAD_DATA,
            "the sums of squares overflow; the largest number is %s in column '%s', row "
            "%zu: divide the column by a power of ten",
            y, f->y_name, f->rows[largest] + 1);
    }
    CHECK(SCRATCH(ctx, &values, f->points.n + 1));
    for (size_t c = 0; c < f->n; c++) {
        fitted_curve *to = &f->curves[c];
        to->sse = to->curve.sse;
        if (!to->model) {
            if (to->sse <= 1e-24 * size) to->sse = 0;
            continue;
        }
        CHECK(fitted_values(ctx, f, to, f->points.x, f->points.n, values));
        for (size_t i = 0; i < f->points.n; i++) {
            double e = f->points.y[i] - values[i];
            to->sse += (f->points.weights ? f->points.weights[i] : 1) * e * e;
        }
    }
    return CAIRN_OK;
}

/* Scratch but for the models; cleared also after a failure. */
static cairn_status curve_fits_make(cairn_context *ctx, curve_fits *out,
                                    const cairn_compute_job *job)
{
    *out = (curve_fits){.params = job->params, .table = job->table};
    CHECK(SCRATCH(ctx, &out->curves, 2 * MOST_CURVES));
    CHECK(read_points(ctx, out));
    /* The same points with one that is moved or left out. */
    size_t n = out->points.n, kept = 0;
    double *x, *y, *w;
    if (out->params->move) {
        CHECK(cairn_read_moved(ctx, &out->how, out->params->move, n));
        CHECK(SCRATCH_EACH(ctx, n + 1, &x, &y, &w));
        for (size_t i = 0; i < n; i++) {
            bool here = i == out->how.row;
            if (here && out->how.out) continue;
            x[kept] = here ? out->how.x : out->points.x[i];
            y[kept] = here ? out->how.y : out->points.y[i];
            w[kept++] = out->points.weights ? out->points.weights[i] : 1;
        }
        out->moved = true;
        out->after = (cairn_points_xy){x, y, w, kept};
    }
    CHECK(fit_curves(ctx, out, &out->points));
    CHECK(fit_models(ctx, out));
    if (out->n == 0)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "there is no curve to fit: say {degrees}, {segments}, {power}, {log} or "
                          "{learner}");
    CHECK(sum_errors(ctx, out));
    for (size_t c = 0; c < out->n_own; c++)
        CHECK(cairn_curve_certify(ctx, &out->certificate, &out->curves[c].curve, &out->points, 0));
    out->certificate.remedy = "divide the columns by powers of ten, or take lower {degrees}";
    if (!out->moved) return CAIRN_OK;
    curve_fits second = *out;
    second.n = 0;
    second.curves = out->again = out->curves + MOST_CURVES;
    CHECK(fit_curves(ctx, &second, &out->after));
    for (size_t c = 0; c < out->n_own; c++) {
        const cairn_curve_fit *curve = &out->again[c].curve;
        out->again[c].sse = curve->sse;
        CHECK(cairn_curve_certify(ctx, &out->certificate, curve, &out->after, 0));
    }
    return CAIRN_OK;
}

static void curve_fits_clear(curve_fits *f)
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

/* What leaves the frame is not drawn; a jump of steps is upright. */
static void cut_values(const frame *r)
{
    for (size_t i = 0; i < PLACES; i++)
        if (!(r->y[i] >= r->low[1] && r->y[i] <= r->high[1])) r->y[i] = NAN;
}

/* Steps are drawn by their corners; every other curve through the places of the frame. */
static cairn_status draw_curve(cairn_context *ctx, cairn_figure *figure, const curve_fits *f,
                               const frame *r, const fitted_curve *curve, const char *label,
                               bool dashed)
{
    if (!curve->model && curve->curve.kind == CAIRN_CURVE_STEPS) {
        /* Steps have corners, which a grid would cut off. */
        size_t n = curve->curve.size;
        double *x, *y;
        CHECK(SCRATCH_EACH(ctx, 2 * n, &x, &y));
        for (size_t k = 0; k < n; k++) {
            x[2 * k] = k ? curve->curve.cuts[k - 1] : r->low[0];
            x[2 * k + 1] = k + 1 < n ? curve->curve.cuts[k] : r->high[0];
            y[2 * k] = y[2 * k + 1] = curve->curve.coefficients[k];
        }
        (dashed ? cairn_figure_beside : cairn_figure_line)(figure, label, x, y, 2 * n);
        return CAIRN_OK;
    }
    CHECK(fitted_values(ctx, f, curve, r->x, PLACES, r->y));
    cut_values(r);
    (dashed ? cairn_figure_beside : cairn_figure_line)(figure, label, r->x, r->y, PLACES);
    return CAIRN_OK;
}

/* Frame, points, and what belongs to all curves. */
static cairn_status draw_ground(cairn_context *ctx, cairn_figure *figure, const curve_fits *f,
                                const frame *r)
{
    cairn_figure_axes(figure, f->x_name, f->y_name);
    cairn_figure_x_range(figure, r->low[0], r->high[0]);
    cairn_figure_y_range(figure, r->low[1], r->high[1]);
    if (f->params->means) {
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
    if (f->params->function) {
        /* The function that the points are said to come from. */
        cairn_typed_function *functions;
        const char *const names[] = {"x"};
        const double *const columns[] = {r->x};
        cairn_variables variables = {names, columns, 1, PLACES};
        size_t n;
        CHECK(cairn_functions_read(ctx, &functions, &n, f->params->function));
        for (size_t i = 0; i < n; i++) {
            CHECK(
                cairn_function_values(ctx, r->y, functions[i].expression, &variables, "function"));
            cut_values(r);
            cairn_figure_dashed(figure, functions[i].name, r->x, r->y, PLACES);
        }
    }
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
static cairn_status draw_curves(cairn_context *ctx, cairn_figure *figure, const curve_fits *f,
                                const frame *r, size_t first, size_t last)
{
    bool named = !f->params->panels || f->moved || f->params->function || f->params->means;
    char label[80];
    if (f->params->errors && last - first == 1) {
        /* An upright segment from each point to the curve. */
        const fitted_curve *curve = &f->curves[first];
        size_t n = f->points.n;
        double *values, x[2], y[2];
        CHECK(SCRATCH(ctx, &values, n + 1));
        CHECK(fitted_values(ctx, f, curve, f->points.x, n, values));
        for (size_t i = 0; i < n && n <= MOST_BARS; i++) {
            x[0] = x[1] = f->points.x[i];
            y[0] = f->points.y[i];
            y[1] = values[i];
            cairn_figure_guide(figure, x, y, 2);
        }
    }
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
static cairn_status draw_panels(cairn_context *ctx, cairn_figure *figure, const curve_fits *f,
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

/* Points and curves: in one plot, or a panel for each curve. */
static cairn_status curve_fits_draw(cairn_context *ctx, cairn_figure **out, const curve_fits *f)
{
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    frame r;
    /* The range of all points, before and after, with a margin. */
    r = (frame){.low = {INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY}};
    widen(&r.low[0], &r.high[0], f->points.x, f->points.n);
    widen(&r.low[1], &r.high[1], f->points.y, f->points.n);
    if (f->moved) widen(&r.low[0], &r.high[0], f->after.x, f->after.n);
    if (f->moved) widen(&r.low[1], &r.high[1], f->after.y, f->after.n);
    for (int k = 0; k < 2; k++) {
        double buffer = (k ? 0.12 : 0.05) * (r.high[k] - r.low[k]);
        if (!(buffer > 0)) buffer = 0.5;
        r.low[k] -= buffer;
        r.high[k] += buffer;
    }
    CHECK(SCRATCH_EACH(ctx, PLACES, &r.x, &r.y));
    for (size_t i = 0; i < PLACES; i++)
        r.x[i] = r.low[0] + (r.high[0] - r.low[0]) * (double)i / (PLACES - 1);
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

enum { SHOWN_WEIGHTS = 10, SHOWN_CURVES = 10, STEP_ROWS = 50, MATRIX = 6 };

static const cairn_param curve_fit_table[] = {
    CAIRN_PARAM_AS(curve_fit_params, x, CAIRN_TYPE_COLUMNS, NULL,
                   "the input; the first feature of numbers if not given"),
    CAIRN_PARAM_AS(curve_fit_params, y, CAIRN_TYPE_COLUMNS, NULL,
                   "the column that is fitted; the target if not given"),
    CAIRN_PARAM_CELLS(curve_fit_params, degrees, WHOLE, "1,2,3", "[0,60]",
                      "degrees of polynomials; empty = none", .often = true),
    CAIRN_PARAM_CELLS(curve_fit_params, segments, WHOLE, NULL, "[1,200]",
                      "numbers of segments with a constant on each, cut where that is best",
                      .often = true),
    CAIRN_PARAM(curve_fit_params, power, "no", NULL,
                "a x^b, as a line through the logarithms and directly", .often = true),
    CAIRN_PARAM(curve_fit_params, log, "no", NULL, "a + b ln x", .often = true),
    {.name = "learner",
     .names = "learner",
     .type = CAIRN_TYPE_SPEC,
     .offset = offsetof(curve_fit_params, learner),
     .help = "what a learner makes of the points, such as knn:k=3; may be given several times",
     .repeated = true},
    CAIRN_PARAM_TRANSFORMS(curve_fit_params,
                           "a transform before the learners; may be given several times, in order",
                           .when = "learner"),
    CAIRN_PARAM_CELLS(curve_fit_params, at, NUMBERS, NULL, NULL, "values of the curves at these x"),
    CAIRN_PARAM(curve_fit_params, lambda, CAIRN_NOT_GIVEN, "[0,inf)",
                "show beside each polynomial the one with the least E + λ/2 Σ w², the constant "
                "penalised too"),
    CAIRN_PARAM(curve_fit_params, move, NULL, NULL,
                "fit again with a point moved to x,y (5:30,2) or left out (5:out)"),
    {.name = "function",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(curve_fit_params, function),
     .help = "a function of x that is drawn with the curves: 'true=65*x^0.3'",
     .repeated = true},
    CAIRN_PARAM(curve_fit_params, errors, "yes", NULL,
                "draw the error of every point where a plot has one curve"),
    CAIRN_PARAM(curve_fit_params, means, "no", NULL, "draw lines at the means of x and y"),
    CAIRN_PARAM(curve_fit_params, panels, "no", NULL, "draw a panel for each curve"),
    CAIRN_PARAM_END,
};

/* -- the comparison -- */

static double total_weight(const cairn_points_xy *p)
{
    double sum = 0;
    for (size_t i = 0; i < p->n; i++) sum += p->weights ? p->weights[i] : 1;
    return sum;
}

/* Sum of squares of y about its mean. */
static double spread_of(const cairn_points_xy *p)
{
    double mean = 0, total = 0, sum = 0;
    for (size_t i = 0; i < p->n; i++) {
        double w = p->weights ? p->weights[i] : 1;
        total += w;
        mean += w * (p->y[i] - mean) / total;
    }
    for (size_t i = 0; i < p->n; i++)
        sum += (p->weights ? p->weights[i] : 1) * (p->y[i] - mean) * (p->y[i] - mean);
    return sum;
}

static void show_row(cairn_report *out, const fitted_curve *c, const cairn_points_xy *points,
                     const char *after)
{
    double n = total_weight(points), spread = spread_of(points), sse = c->sse;
    double variance = sse / n, parameters = c->model ? NAN : (double)c->curve.n_parameters;
    double likelihood =
        variance > 0 ? -n / 2 * (cairn_log(2 * 3.14159265358979323846 * variance) + 1) : INFINITY;
    cairn_report_prefix(out, "%s%s", after, c->key);
    cairn_report_cells(out, "- @.parameters @.points:4 @.sse @.E @.variance @.likelihood @.r2",
                       c->label, parameters, n / parameters, sse, sse / 2, variance, likelihood,
                       spread > 0 ? 1 - sse / spread : NAN);
}

/* Parameters against points, errors, and what maximum likelihood makes of them. */
static void show_table(cairn_report *out, const char *title, const fitted_curve *curves, size_t n,
                       const cairn_points_xy *points, const char *after)
{
    static const char *const heads[] = {"parameters",  "points each", "SSE", "E = ½ SSE",
                                        "1/β = SSE/n", "ln L",        "R²"};
    cairn_report_table_of(out, title, 0, "l", "curve");
    for (size_t i = 0; i < 7; i++) cairn_report_column(out, heads[i], 'r');
    for (size_t c = 0; c < n; c++) show_row(out, &curves[c], points, after);
}

/* -- each curve -- */

static void show_equation(cairn_report *out, const fitted_curve *c, const char *x, const char *y,
                          const char *after)
{
    cairn_text text = cairn_text_start(cairn_report_context(out));
    const double *w = c->curve.coefficients;
    bool any = false;
    char power[80];
    cairn_text_addf(&text, "%s = ", y);
    if (c->curve.kind == CAIRN_CURVE_POLYNOMIAL) {
        for (size_t k = 0; k <= c->curve.size && k < SHOWN_WEIGHTS; k++) {
            snprintf(power, sizeof power, k == 1 ? "%.60s" : "%.60s^%zu", x, k);
            cairn_add_term(&text, &any, w[k], k ? power : NULL, false);
        }
        if (c->curve.size >= SHOWN_WEIGHTS) cairn_text_add(&text, " + …");
    } else if (c->curve.kind == CAIRN_CURVE_LOGARITHM) {
        snprintf(power, sizeof power, "ln %.60s", x);
        cairn_add_term(&text, &any, w[0], NULL, false);
        cairn_add_term(&text, &any, w[1], power, false);
    } else {
        cairn_text_add_number(&text, w[0], 6);
        cairn_text_addf(&text, "·%s^", x);
        cairn_text_add_number(&text, w[1], 6);
    }
    cairn_report_failed(out, cairn_text_status(&text));
    cairn_report_word(out, c->label, cairn_text_string(&text), "%s%s.equation", after, c->key);
    cairn_text_clear(&text);
}

/* Values of the segments and the places where they change. */
static void show_segments(cairn_report *out, const fitted_curve *c, const char *after)
{
    const cairn_curve_fit *curve = &c->curve;
    cairn_report_table_of(out, c->label, 0, "rrrr", "segment", "from", "to", "value");
    for (size_t k = 0; k < curve->size; k++) {
        bool first = k == 0, last = k + 1 == curve->size;
        cairn_report_cellf(out, "%zu", k + 1);
        if (first)
            cairn_report_cell(out, "");
        else
            cairn_report_cell_number(out, curve->cuts[k - 1], 6, NULL);
        if (last)
            cairn_report_cell(out, "");
        else
            cairn_report_cell_number(out, curve->cuts[k], 6, "%s%s.cut.%zu", after, c->key, k + 1);
        cairn_report_cell_number(out, curve->coefficients[k], 6, "%s%s.value.%zu", after, c->key,
                                 k + 1);
    }
}

static void show_coefficients(cairn_report *out, const fitted_curve *curves, size_t n,
                              const char *x, const char *y, const char *after)
{
    for (size_t c = 0; c < n; c++) {
        const cairn_curve_fit *curve = &curves[c].curve;
        if (curves[c].model || curve->kind == CAIRN_CURVE_STEPS) continue;
        show_equation(out, &curves[c], x, y, after);
        bool powers = curve->kind == CAIRN_CURVE_POLYNOMIAL;
        for (size_t k = 0; powers && k <= curve->size; k++)
            cairn_report_hidden(out, curve->coefficients[k], "%s%s.w.%zu", after, curves[c].key, k);
        if (powers) continue;
        cairn_report_hidden(out, curve->coefficients[0], "%s%s.a", after, curves[c].key);
        cairn_report_hidden(out, curve->coefficients[1], "%s%s.b", after, curves[c].key);
    }
    for (size_t c = 0; c < n; c++)
        if (!curves[c].model && curves[c].curve.kind == CAIRN_CURVE_STEPS)
            show_segments(out, &curves[c], after);
}

static void note_loose(cairn_report *out, const curve_fits *f)
{
    for (size_t c = 0; c < f->n_own; c++) {
        const cairn_curve_fit *curve = &f->curves[c].curve;
        if (curve->loose)
            cairn_report_note(
                out,
                "Degree %zu has %zu coefficients for %zu different x: infinitely many "
                "polynomials fit as well, and the one with the least sum of squared "
                "coefficients is given. Degree %zu passes through all of them.",
                curve->size, curve->n_parameters, f->distinct, f->distinct - 1);
        if (!curve->converged)
            cairn_report_note(out, "The direct fit of the power law has not converged; its errors "
                                   "may fall further.");
    }
}

/* -- values, residuals, ridge -- */

static cairn_status show_at(cairn_context *ctx, cairn_report *out, const curve_fits *f)
{
    const double *places = f->params->at.values;
    double *values;
    size_t n = f->params->at.n, shown = f->n < SHOWN_CURVES ? f->n : SHOWN_CURVES;
    if (!places) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &values, n * shown + 1));
    for (size_t c = 0; c < shown; c++)
        CHECK(fitted_values(ctx, f, &f->curves[c], places, n, values + c * n));
    cairn_report_table_of(out, "Values", 0, "r", f->x_name);
    for (size_t c = 0; c < shown; c++) cairn_report_column(out, f->curves[c].label, 'r');
    for (size_t i = 0; i < n; i++) {
        cairn_report_cell_number(out, places[i], 6, NULL);
        for (size_t c = 0; c < shown; c++)
            cairn_report_cell_number(out, values[c * n + i], 6, "%s.at.%zu", f->curves[c].key,
                                     i + 1);
    }
    return CAIRN_OK;
}

static cairn_status show_residuals(cairn_context *ctx, cairn_report *out, const curve_fits *f)
{
    size_t n = f->points.n, shown = f->n < SHOWN_CURVES ? f->n : SHOWN_CURVES;
    double *values;
    CHECK(SCRATCH(ctx, &values, cairn_product(n, shown) + 1));
    for (size_t c = 0; c < shown; c++)
        CHECK(fitted_values(ctx, f, &f->curves[c], f->points.x, n, values + c * n));
    cairn_report_table_of(out, "Residuals", 20, "rrr", "row", f->x_name, f->y_name);
    for (size_t c = 0; c < shown; c++) cairn_report_column(out, f->curves[c].label, 'r');
    for (size_t i = 0; i < n; i++) {
        cairn_report_cells(out, NULL, f->rows[i] + 1, f->points.x[i], f->points.y[i]);
        for (size_t c = 0; c < shown; c++)
            cairn_report_cell_difference(out, f->points.y[i] - values[c * n + i], f->points.y[i], 5,
                                         "%s.residual.%zu", f->curves[c].key, f->rows[i] + 1);
    }
    return CAIRN_OK;
}

/* Every polynomial with a penalty, beside the one without. */
static cairn_status show_ridge(cairn_context *ctx, cairn_report *out, curve_fits *f)
{
    double lambda = f->params->lambda, objective;
    cairn_curve_fit c;
    if (isnan(lambda)) return CAIRN_OK;
    cairn_report_formula(out, "E + λ/2 Σ w²,  w = (ΦᵀΦ + λI)⁻¹ Φᵀy");
    cairn_report_value(out, "λ", lambda, "lambda");
    cairn_report_table_of(out, "Polynomials with a penalty", 0, "lrr", "curve", "objective", "SSE");
    for (size_t k = 0; k < SHOWN_WEIGHTS; k++) {
        char head[8];
        snprintf(head, sizeof head, "w%zu", k);
        cairn_report_column(out, head, 'r');
    }
    for (size_t i = 0; i < f->n_own; i++) {
        const fitted_curve *from = &f->curves[i];
        if (from->curve.kind != CAIRN_CURVE_POLYNOMIAL) continue;
        CHECK(cairn_curve_ridge(ctx, &c, &f->points, from->curve.size, lambda, &objective));
        CHECK(cairn_curve_certify(ctx, &f->certificate, &c, &f->points, lambda));
        cairn_report_prefix(out, "%s.ridge", from->key);
        cairn_report_cells(out, "- @.objective @.sse", from->label, objective, c.sse);
        for (size_t k = 0; k < SHOWN_WEIGHTS; k++)
            if (k <= c.size)
                cairn_report_cell_number(out, c.coefficients[k], 6, "%s.ridge.w.%zu", from->key, k);
            else
                cairn_report_cell(out, "");
    }
    return CAIRN_OK;
}

/* -- steps -- */

/* Σ w x^(i+j) and Σ w y x^i: the normal equations of a polynomial. */
static void show_normal_equations(cairn_report *out, const curve_fits *f, const fitted_curve *c)
{
    size_t d = c->curve.size;
    if (d + 1 > MATRIX || c->curve.loose) return;
    cairn_report_step_begin(out, "Normal equations of %s", c->label);
    cairn_report_formula(out, "ΦᵀΦ w = Φᵀy,  entries Σ x^(i+j) and Σ x^i y");
    cairn_report_table_of(out, "ΦᵀΦ | Φᵀy", 0, "l", "");
    for (size_t j = 0; j <= d + 1; j++) {
        char head[16];
        snprintf(head, sizeof head, j <= d ? "w%zu" : "Φᵀy", j);
        cairn_report_column(out, head, 'r');
    }
    for (size_t i = 0; i <= d; i++) {
        cairn_report_cellf(out, "x^%zu", i);
        for (size_t j = 0; j <= d + 1; j++) {
            double sum = 0;
            for (size_t r = 0; r < f->points.n; r++) {
                double x = f->points.x[r], w = f->points.weights ? f->points.weights[r] : 1;
                double value = j <= d ? 1 : f->points.y[r];
                for (size_t k = 0; k < (j <= d ? i + j : i); k++) value *= x;
                sum += w * value;
            }
            if (j <= d)
                cairn_report_cell_number(out, sum, 8, "%s.normal.%zu.%zu", c->key, i, j);
            else
                cairn_report_cell_number(out, sum, 8, "%s.right.%zu", c->key, i);
        }
    }
    cairn_report_step_end(out);
}

/* Logarithms of the points, through which the line of a power law goes. */
static void show_logs(cairn_report *out, const curve_fits *f, const fitted_curve *c)
{
    bool both = c->curve.kind == CAIRN_CURVE_POWER;
    cairn_report_step_begin(out, both ? "A power law is a line in logarithms"
                                      : "A logarithm is a line in ln x");
    cairn_report_formula(out,
                         both ? "y = a x^b  ⇔  ln y = ln a + b ln x" : "y = a + b z,  z = ln x");
    cairn_report_table_of(out, "Points", STEP_ROWS, "rr", "row", "ln x");
    cairn_report_column(out, both ? "ln y" : "y", 'r');
    for (size_t i = 0; i < f->points.n && i < STEP_ROWS; i++) {
        cairn_report_cells(out, NULL, f->rows[i] + 1, cairn_log(f->points.x[i]),
                           both ? cairn_log(f->points.y[i]) : f->points.y[i]);
    }
    if (both)
        cairn_report_worked(out, "a", "exp(#) = #", cairn_log(c->curve.coefficients[0]),
                            c->curve.coefficients[0]);
    cairn_report_worked(out, "b", "#", c->curve.coefficients[1]);
    cairn_report_step_end(out);
}

/* How segments are found is told once, though several numbers of them may be fitted. */
static void show_work(cairn_report *out, const curve_fits *f)
{
    bool searched = false;
    for (size_t c = 0; c < f->n_own; c++) {
        const fitted_curve *curve = &f->curves[c];
        cairn_curve_form kind = curve->curve.kind;
        if (kind == CAIRN_CURVE_POLYNOMIAL) show_normal_equations(out, f, curve);
        if (kind == CAIRN_CURVE_POWER || kind == CAIRN_CURVE_LOGARITHM) show_logs(out, f, curve);
        if (kind == CAIRN_CURVE_STEPS && !searched) {
            /* How the segments were found, once for all numbers of them. */
            cairn_report_step_begin(out, "The best segments");
            cairn_report_paragraph(out,
                                   "Of all ways to cut the sorted x into k parts the one with the "
                                   "least squared errors about the means of the parts, by dynamic "
                                   "programming: the first i points in k parts are the first j in "
                                   "k − 1 parts and one part more. k values and k − 1 cuts are "
                                   "2k − 1 parameters.");
            cairn_report_formula(out, "E(i, k) = min over j of E(j, k − 1) + SSE(j + 1 .. i)");
            cairn_report_step_end(out);
        }
        searched = searched || kind == CAIRN_CURVE_STEPS;
    }
}

/* -- the record -- */

static cairn_status report_fits(cairn_context *ctx, cairn_report *out, curve_fits *f, bool steps)
{
    cairn_figure *figure = NULL;
    cairn_report_heading(out, 1, "Curves of %s through %s", f->x_name, f->y_name);
    cairn_report_value(out, "points", (double)f->points.n, "points");
    cairn_report_value(out, "different x", (double)f->distinct, "distinct");
    if (steps) show_work(out, f);
    show_table(out, "Curves", f->curves, f->n, &f->points, "");
    note_loose(out, f);
    show_coefficients(out, f->curves, f->n, f->x_name, f->y_name, "");
    CHECK(show_ridge(ctx, out, f));
    if (f->moved) {
        cairn_report_heading(out, 2,
                             f->how.out ? "With point %zu left out" : "With point %zu moved",
                             f->how.row + 1);
        show_table(out, "Curves after it", f->again, f->n_own, &f->after, "after.");
        show_coefficients(out, f->again, f->n_own, f->x_name, f->y_name, "after.");
    }
    CHECK(show_at(ctx, out, f));
    CHECK(show_residuals(ctx, out, f));
    CHECK(cairn_certificate_judge(ctx, &f->certificate, "curve-fit"));
    cairn_certificate_report(out, &f->certificate);
    CHECK(curve_fits_draw(ctx, &figure, f));
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

static cairn_status curve_fit_run(cairn_context *ctx, cairn_report *out,
                                  const cairn_compute_job *job)
{
    SCOPED(curve_fits_clear) curve_fits fits = {0};
    CHECK(curve_fits_make(ctx, &fits, job));
    return report_fits(ctx, out, &fits, job->steps);
}

static cairn_status curve_fit_draw(cairn_context *ctx, cairn_figure **out,
                                   const cairn_compute_job *job)
{
    SCOPED(curve_fits_clear) curve_fits fits = {0};
    CHECK(curve_fits_make(ctx, &fits, job));
    CHECK(cairn_certificate_judge(ctx, &fits.certificate, "curve-fit"));
    return curve_fits_draw(ctx, out, &fits);
}

const cairn_calculator cairn_compute_curve_fit = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "curve-fit",
              .also = "polynomial regression, polyfit, degree sweep, piecewise constant, step "
                      "function, power law, logarithmic fit, segmented regression",
              .title = "Curves through points",
              .summary =
                  "Fits curves of one input to the same points by least squares and compares them: "
                  "polynomials of several degrees, constants on segments that are cut where "
                  "it is best, a power law by logarithms and directly, a logarithm, and what "
                  "any learner makes of the points; with parameters against points, errors, "
                  "noise variance and likelihood.",
              .references = "Gergonne, The application of the method of least squares to the "
                            "interpolation of sequences (1815); Bellman, On the approximation of "
                            "curves by line segments using dynamic programming (1961)",
              .example = "cairn compute curve-fit @five-points --degrees 1,2,3,4 --segments 2",
              .params = curve_fit_table,
              .params_size = sizeof(curve_fit_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "curve-fit",
                .also = "regression line, residuals as segments, overlay of polynomials, outlier",
                .title = "Curves through points",
                .summary =
                    "Points and the curves that are fitted to them: polynomials, constants on "
                    "segments, a power law, a logarithm, what any learner makes of them; with "
                    "the error of every point, the means, the function that the points come "
                    "from, and the curves before and after a point is moved or left out.",
                .example =
                    "cairn draw curve-fit @regression-line --degrees 1 --means --out fit.svg",
                .params = curve_fit_table,
                .params_size = sizeof(curve_fit_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .run = curve_fit_run,
    .draw = curve_fit_draw,
};
