/* SPDX-License-Identifier: MIT */
/* cairn draw penalty: what a penalty |c|^q does to two coefficients. Ellipses are the coefficients
 * of one sum of squares, around least squares in their middle; the contour of the penalty is the
 * one that the penalised coefficients lie on, where it touches an ellipse. A corner of the contour
 * is a coefficient that is 0. One panel for each q. */
#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "pictures/picture.h"
#include "solve/penalised.h"

#include <math.h>
#include <stdio.h>

enum { ROUND = 360, MOST_PANELS = 8, ELLIPSES = 4, HALVINGS = 60 };

typedef struct penalty_params {
    const char *q, *best, *squares, *x, *y;
    double lambda, left;
} penalty_params;

static const cairn_param penalty_table[] = {
    CAIRN_PARAM_AS(penalty_params, q, CAIRN_TYPE_LIST, "0.5,1,2,4",
                   "powers of the penalty |c|^q, one panel for each", .often = true),
    CAIRN_PARAM(penalty_params, lambda, CAIRN_NOT_GIVEN, "[0,inf)",
                "strength λ of the penalty beside half the sum of squares; as `left` says if not "
                "given",
                .often = true),
    CAIRN_PARAM(penalty_params, left, "0.5", "(0,1)",
                "share of the penalty of least squares that the coefficients may have",
                .when = "!lambda"),
    CAIRN_PARAM_AS(penalty_params, best, CAIRN_TYPE_LIST, "0.5,2",
                   "without data: the coefficients of least squares"),
    CAIRN_PARAM_AS(penalty_params, squares, CAIRN_TYPE_LIST, "3,1,3",
                   "without data: xᵀx, xᵀy and yᵀy of the two columns x and y"),
    CAIRN_PARAM_AS(penalty_params, x, CAIRN_TYPE_COLUMNS, NULL,
                   "with data: first column, standardised; the first number column if not given"),
    CAIRN_PARAM_AS(penalty_params, y, CAIRN_TYPE_COLUMNS, NULL,
                   "with data: second column; the second number column if not given"),
    CAIRN_PARAM_END,
};

/* Two columns about their means, and their coefficients by least squares. */
typedef struct squares {
    double gram[4], side[2], best[2], size;
    const char *names[2];
} squares;

/* -- the sums -- */

/* `wanted` numbers of a list. */
static cairn_status read_list(cairn_context *ctx, const char *name, const char *list, size_t wanted,
                              double *out)
{
    double *numbers;
    size_t n;
    CHECK(cairn_list_numbers(ctx, name, list, &numbers, &n));
    if (n != wanted)
        return cairn_fail(ctx, CAIRN_USAGE, "%s: %zu numbers are wanted, not %zu", name, wanted, n);
    for (size_t i = 0; i < n; i++) {
        out[i] = numbers[i];
        if (!isfinite(out[i])) return cairn_fail(ctx, CAIRN_USAGE, "%s: finite numbers", name);
    }
    return CAIRN_OK;
}

static cairn_status typed_squares(cairn_context *ctx, squares *s, const penalty_params *p)
{
    double sums[3];
    CHECK(read_list(ctx, cairn_say(ctx, "{squares}"), p->squares, 3, sums));
    CHECK(read_list(ctx, cairn_say(ctx, "{best}"), p->best, 2, s->best));
    s->gram[0] = sums[0];
    s->gram[1] = s->gram[2] = sums[1];
    s->gram[3] = sums[2];
    if (!(sums[0] > 0 && sums[0] * sums[2] - sums[1] * sums[1] > 0))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{squares}: xᵀx and xᵀx·yᵀy − (xᵀy)² must be above 0, or there are no "
                          "ellipses");
    s->names[0] = "first coefficient";
    s->names[1] = "second coefficient";
    return CAIRN_OK;
}

/* Mean and deviation of the complete rows of a column. */
static void moments(const double *const *columns, size_t n, size_t j, double *mean, double *spread,
                    double *rows)
{
    double sum = 0, squared = 0;
    *rows = *mean = 0;
    for (size_t pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < n; i++) {
            if (!isfinite(columns[0][i] + columns[1][i] + columns[2][i])) continue;
            if (pass == 0) sum += columns[j][i], *rows += 1;
            double off = columns[j][i] - (pass ? *mean : 0);
            if (pass) squared += off * off;
            if (!pass) *mean = sum / *rows;
        }
    *spread = sqrt(squared / *rows);
}

/* Products of two standardised columns with each other and with the target. */
static cairn_status data_squares(cairn_context *ctx, squares *s, const penalty_params *p,
                                 const cairn_table *table)
{
    size_t at[2];
    ptrdiff_t target = cairn_table_role_column(table, CAIRN_TARGET);
    double mean[3], spread[3], rows;
    if (target < 0 || table->slots[target].column->kind != CAIRN_NUMBER)
        return cairn_fail(ctx, CAIRN_USAGE, "a target of numbers is needed; name it with {target}");
    CHECK(cairn_picture_pair(ctx, at, table, p->x, p->y));
    if (at[0] == (size_t)target || at[1] == (size_t)target)
        return cairn_fail(ctx, CAIRN_USAGE, "'%s' is the target; {x} and {y} name other columns",
                          table->slots[target].name);
    const double *columns[] = {cairn_table_numbers(table, at[0]), cairn_table_numbers(table, at[1]),
                               table->slots[target].column->numbers};
    for (size_t j = 0; j < 3; j++) moments(columns, table->n_rows, j, &mean[j], &spread[j], &rows);
    for (size_t i = 0; i < table->n_rows; i++) {
        double z[3];
        for (size_t j = 0; j < 3; j++) z[j] = (columns[j][i] - mean[j]) / (j < 2 ? spread[j] : 1);
        if (!isfinite(z[0] + z[1] + z[2])) continue;
        for (size_t j = 0; j < 4; j++) s->gram[j] += z[j / 2] * z[j % 2];
        for (size_t j = 0; j < 2; j++) s->side[j] += z[j] * z[2];
    }
    double det = s->gram[0] * s->gram[3] - s->gram[1] * s->gram[1];
    if (!(det > 1e-10 * s->gram[0] * s->gram[3]))
        return cairn_fail(
            ctx, CAIRN_BAD_DATA,
            "'%s' and '%s' do not vary, or vary together: least squares has no single "
            "answer",
            table->slots[at[0]].name, table->slots[at[1]].name);
    s->best[0] = (s->gram[3] * s->side[0] - s->gram[1] * s->side[1]) / det;
    s->best[1] = (s->gram[0] * s->side[1] - s->gram[1] * s->side[0]) / det;
    for (size_t j = 0; j < 2; j++) s->names[j] = table->slots[at[j]].name;
    return CAIRN_OK;
}

/* -- coefficients -- */

static double penalty_of(const double c[2], double q)
{
    static const double ones[] = {1, 1};
    return cairn_penalised_sum(ones, c, 2, q);
}

/* The lower one of the minima that are found from 0 and from least squares. */
static cairn_status solve_at(cairn_context *ctx, const squares *s, double lambda, double q,
                             double out[2])
{
    const double lassos[] = {lambda, lambda}, ridges[] = {0, 0};
    cairn_penalised f = {2, s->gram, s->side, lassos, ridges, q, s->size, 1e-24};
    double from0[2] = {0}, slopes0[] = {s->side[0], s->side[1]}, from[2] = {s->best[0], s->best[1]};
    double slopes[2] = {0};
    bool converged;
    CHECK(cairn_penalised_solve(ctx, &f, from0, slopes0, &converged, NULL));
    CHECK(cairn_penalised_solve(ctx, &f, from, slopes, &converged, NULL));
    bool back = cairn_penalised_value(&f, from, slopes) < cairn_penalised_value(&f, from0, slopes0);
    out[0] = back ? from[0] : from0[0];
    out[1] = back ? from[1] : from0[1];
    return CAIRN_OK;
}

/* The weakest strength, about, that leaves no more of the penalty; where that would leave nothing,
 * because coefficients jump to 0, the strongest that leaves more. */
static cairn_status find_strength(cairn_context *ctx, const squares *s, double q, double left,
                                  double *out)
{
    double low = 0, high = 0, c[2], whole = penalty_of(s->best, q);
    for (size_t j = 0; j < 2; j++)
        high = fmax(high, cairn_penalised_first(s->gram[3 * j], s->side[j], q));
    for (int i = 0; i < HALVINGS; i++) {
        double middle = (low + high) / 2;
        CHECK(solve_at(ctx, s, middle, q, c));
        if (penalty_of(c, q) <= left * whole)
            high = middle;
        else
            low = middle;
    }
    CHECK(solve_at(ctx, s, high, q, c));
    *out = penalty_of(c, q) > 0 ? high : low;
    return CAIRN_OK;
}

/* -- drawing -- */

static double angle(int i)
{
    return 2 * 3.14159265358979323846 * i / ROUND;
}

/* Σ |c|^q = level, by |c1| = (level cos²)^(1/q). */
static void draw_contour(cairn_figure *figure, double level, double q, const char *label)
{
    double x[ROUND + 1], y[ROUND + 1];
    for (int i = 0; i <= ROUND; i++) {
        double a = cairn_cos(angle(i)), b = cairn_sin(angle(i));
        if (fabs(a) < 1e-12) a = 0;
        if (fabs(b) < 1e-12) b = 0;
        x[i] = copysign(cairn_pow(level * a * a, 1 / q), a);
        y[i] = copysign(cairn_pow(level * b * b, 1 / q), b);
    }
    if (label)
        cairn_figure_line(figure, label, x, y, ROUND + 1);
    else
        cairn_figure_guide(figure, x, y, ROUND + 1);
}

/* (c − best)'H(c − best) = level, by the Cholesky factor of H. */
static void draw_ellipse(cairn_figure *figure, const squares *s, double level, const char *label)
{
    double x[ROUND + 1], y[ROUND + 1], a = sqrt(s->gram[0]), b = s->gram[1] / a;
    double d = sqrt(fmax(0, s->gram[3] - b * b));
    for (int i = 0; i <= ROUND; i++) {
        y[i] = sqrt(level) * cairn_sin(angle(i)) / d;
        x[i] = s->best[0] + (sqrt(level) * cairn_cos(angle(i)) - b * y[i]) / a;
        y[i] += s->best[1];
    }
    if (label)
        cairn_figure_dashed(figure, label, x, y, ROUND + 1);
    else
        cairn_figure_faint(figure, x, y, ROUND + 1);
}

static double squares_at(const squares *s, const double c[2])
{
    double x = c[0] - s->best[0], y = c[1] - s->best[1];
    return s->gram[0] * x * x + 2 * s->gram[1] * x * y + s->gram[3] * y * y;
}

/* "q = 1, λ = 2.1: 0.9, 0" */
static cairn_status title_panel(cairn_context *ctx, cairn_figure **out, double q, double lambda,
                                const double c[2])
{
    SCOPED(cairn_text_clear) cairn_text title = cairn_text_start(ctx);
    cairn_text_add(&title, "q = ");
    cairn_text_add_number(&title, q, 4);
    cairn_text_add(&title, ", λ = ");
    cairn_text_add_number(&title, lambda, 3);
    cairn_text_add(&title, ": ");
    cairn_text_add_number(&title, c[0], 3);
    cairn_text_add(&title, " and ");
    cairn_text_add_number(&title, c[1], 3);
    CHECK(cairn_text_status(&title));
    return cairn_figure_new(ctx, out, "penalty", cairn_text_string(&title));
}

/* The penalty's contour and the ellipse of squares that touches it; where no strength is given,
 * a panel finds its own. */
static cairn_status draw_panel(cairn_context *ctx, cairn_figure **out, const squares *s,
                               const penalty_params *p, double q, bool legend)
{
    double lambda = p->lambda, c[2], reach = 0;
    const char *with = "with the penalty";
    if (isnan(lambda)) CHECK(find_strength(ctx, s, q, p->left, &lambda));
    CHECK(solve_at(ctx, s, lambda, q, c));
    CHECK(title_panel(ctx, out, q, lambda, c));
    cairn_figure_axes(*out, s->names[0], s->names[1]);
    cairn_figure_equal_axes(*out);
    double level = penalty_of(c, q), touching = squares_at(s, c);
    for (int i = 1; i <= ELLIPSES; i++)
        if (touching > 0) draw_ellipse(*out, s, touching * i * i / 6.25, NULL);
    if (touching > 0) draw_ellipse(*out, s, touching, legend ? "squares" : "");
    if (level > 0) draw_contour(*out, level, q, legend ? "penalty" : "");
    for (size_t j = 0; j < 2; j++) reach = fmax(reach, fmax(fabs(s->best[j]), fabs(c[j])));
    double buffer = level > 0 ? fmax(1.5 * reach, 1.1 * cairn_pow(level, 1 / q)) : 1.5 * reach;
    if (!(buffer > 0)) buffer = 1;
    const double zeros[] = {0, 0}, ends[] = {-buffer, buffer};
    cairn_figure_x_range(*out, -buffer, buffer);
    cairn_figure_y_range(*out, -buffer, buffer);
    cairn_figure_guide(*out, ends, zeros, 2);
    cairn_figure_guide(*out, zeros, ends, 2);
    cairn_figure_mark(*out, legend ? "least squares" : NULL, s->best[0], s->best[1]);
    cairn_figure_points(*out, &c[0], &c[1], NULL, 1, legend ? &with : NULL, legend ? 1 : 0);
    cairn_figure_size(*out, 300, 300);
    return CAIRN_OK;
}

static cairn_status draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    const penalty_params *p = job->params;
    squares s = {0};
    double *powers;
    size_t n;
    CHECK(cairn_list_numbers(ctx, cairn_say(ctx, "{q}"), p->q, &powers, &n));
    if (!n || n > MOST_PANELS)
        return cairn_fail(ctx, CAIRN_USAGE, "{q}: 1 to %d powers can be drawn", MOST_PANELS);
    for (size_t i = 0; i < n; i++)
        if (!(powers[i] >= 0.1 && powers[i] <= 20))
            return cairn_fail(ctx, CAIRN_USAGE, "{q}: powers are numbers from 0.1 to 20");
    CHECK(job->table ? data_squares(ctx, &s, p, job->table) : typed_squares(ctx, &s, p));
    for (size_t j = 0; j < 2; j++) {
        s.side[j] = s.gram[2 * j] * s.best[0] + s.gram[2 * j + 1] * s.best[1];
        s.size += fabs(s.side[j] * s.best[j]);
    }
    CHECK(cairn_figure_new(ctx, out, "penalty", "Penalties on two coefficients"));
    cairn_figure_columns(*out, n > 4 ? 4 : 2);
    for (size_t i = 0; i < n; i++) {
        cairn_figure *panel = NULL;
        cairn_status status = draw_panel(ctx, &panel, &s, p, powers[i], i + 1 == n);
        if (panel) cairn_figure_panel(*out, panel);
        CHECK(status);
    }
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_penalty = {
    .picture =
        {.kind = CAIRN_ENTRY_PICTURE,
         .name = "penalty",
         .also = "penalty contours, lasso diamond, ridge circle, q-norm balls, constraint region",
         .title = "Penalties on two coefficients",
         .summary =
             "What a penalty |c|^q does to two coefficients: the ellipses of equal sums of squares "
             "around least squares, and the contour of the penalty that the penalised coefficients "
             "lie on, one panel for each power q. Of data two standardised columns and the target "
             "give the ellipses; without data they are typed.",
         .example = "cairn draw penalty @used-cars --target price --q 0.5,1,2,4 --out penalty.svg",
         .params = penalty_table,
         .params_size = sizeof(penalty_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .draw = draw,
};
