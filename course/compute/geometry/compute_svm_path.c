/* SPDX-License-Identifier: MIT */
/* cairn compute svm-path and cairn draw svm-path: how the soft-margin classifier with a linear
 * kernel changes with the cost C of errors.
 *
 * The multipliers α of the dual problem are linear in C as long as the same rows have α = 0,
 * 0 < α < C and α = C. From the solution at one C (exact, by an active set) the slopes of all α
 * follow by a system of equations, and with them the next smaller C at which a row changes its
 * group: a breakpoint. A little below it the problem is solved anew. Two breakpoints that are
 * nearer than one part in ten million are taken for one. */
#include "typed/vectors.h"

#include "base/number.h"
#include "base/text.h"
#include "kernels/kernels.h"
#include "decompose/linalg.h"
#include "solve/certificate.h"
#include "solve/constrained.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ROWS = 400, MOST_BREAKS = 400, SHOWN_ROWS = 60 };

enum { CURVE_MULTIPLIERS, CURVE_MARGIN };

typedef struct path_params {
    const char *positive;
    cairn_list at;
    double from;
    int curve;
} path_params;

static const cairn_choice curves[] = {
    {"multipliers", CURVE_MULTIPLIERS, "α of every row"},
    {"margin", CURVE_MARGIN, "the margin 1 / |w|"},
    {0},
};

static const cairn_param path_table[] = {
    CAIRN_PARAM_CELLS(path_params, at, NUMBERS, NULL, "(0,inf)",
                      "costs C at which the whole solution is shown, beside the breakpoints"),
    CAIRN_PARAM(path_params, from, "0", "[0,inf)",
                "largest C; 0 = where the hard margin begins, or a large one where no plane "
                "separates the classes"),
    CAIRN_PARAM(path_params, positive, NULL, NULL,
                "class on the positive side; the usual one if not given"),
    CAIRN_PARAM_CHOICE(path_params, curve, "multipliers", curves, "what the picture shows over C"),
    CAIRN_PARAM_END,
};

typedef struct path {
    cairn_class_points data;
    size_t n, p;
    int32_t positive;
    double *y;           /* n */
    cairn_wide *hessian; /* n x n: y y x·x */
    double *middle;      /* p: taken off the points, which changes nothing but rounding */
    double *alpha;       /* n: the solution at c */
    double *slope;       /* n: H α - 1 */
    double c, low, high; /* the constant may lie between low and high */
    double constant;     /* of w·x + constant */
    double *w;           /* p */
    cairn_certificate certificate;
} path;

/* -- the solution at one C -- */

static const double *point(const path *h, size_t i)
{
    return h->data.points.values + i * h->p;
}

static double score(const path *h, size_t i)
{
    return cairn_dot(h->w, point(h, i), h->p) + h->constant;
}

static double slack(const path *h, size_t i)
{
    double short_of = 1 - h->y[i] * score(h, i);
    return short_of > 1e-10 ? short_of : 0;
}

/* Row i of the Hessian times v. */
static double product(const path *h, size_t i, const double *v)
{
    cairn_wide sum = 0;
    for (size_t j = 0; j < h->n; j++) sum += h->hessian[i * h->n + j] * v[j];
    return (double)sum;
}

static double margin(const path *h)
{
    double norm = cairn_plane_norm(h->w, h->p);
    return norm > 0 ? 1 / norm : NAN;
}

/* From 0, which is feasible for every C. */
static cairn_status solve_at(cairn_context *ctx, path *h, double c, cairn_ending *ending)
{
    cairn_box_program program = {.n = h->n, .hessian = h->hessian, .factors = h->y, .n_groups = 1};
    cairn_box_answer answer;
    cairn_wide *numbers, *alpha;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &numbers, cairn_product(h->n, 3)));
    CHECK(SCRATCH(ctx, &alpha, h->n));
    for (size_t i = 0; i < h->n; i++) {
        numbers[i] = -1;
        numbers[2 * h->n + i] = c;
    }
    program.gradient = numbers;
    program.lower = numbers + h->n;
    program.upper = numbers + 2 * h->n;
    CHECK(cairn_active_set(ctx, &answer, alpha, &program));
    *ending = answer.ending;
    h->c = c;
    /* w and the slopes belong to α; the constant is moved back to the points' own place. */
    double back = 0;
    for (size_t j = 0; j < h->p; j++) {
        cairn_wide sum = 0;
        for (size_t i = 0; i < h->n; i++)
            sum += alpha[i] * h->y[i] * ((cairn_wide)point(h, i)[j] - h->middle[j]);
        h->w[j] = (double)sum;
        back += h->w[j] * h->middle[j];
    }
    h->low = answer.low[0] - back;
    h->high = answer.high[0] - back;
    h->constant = answer.multipliers[0] - back;
    for (size_t i = 0; i < h->n; i++) {
        cairn_wide slope = -1;
        for (size_t j = 0; j < h->n; j++) slope += h->hessian[i * h->n + j] * alpha[j];
        h->slope[i] = (double)slope;
        h->alpha[i] = (double)alpha[i];
    }
    return CAIRN_OK;
}

/* The same at a C where there is a solution. Where steps no longer lower the value by more than
 * rounding, ties may keep the active set from an end, so that the proof alone decides. */
static cairn_status must_solve(cairn_context *ctx, path *h, double c)
{
    cairn_ending ending;
    CHECK(solve_at(ctx, h, c, &ending));
    /* Both objectives at the solution, from rows, weights and multipliers alone. */
    cairn_wide squared = 0, primal = 0, dual = 0, sum = 0, size = 0;
    for (size_t j = 0; j < h->p; j++) {
        cairn_wide w = 0;
        for (size_t i = 0; i < h->n; i++)
            w += (cairn_wide)h->alpha[i] * h->y[i] * ((cairn_wide)point(h, i)[j] - h->middle[j]);
        squared += w * w;
        primal += (cairn_wide)h->w[j] * h->w[j] / 2;
    }
    for (size_t i = 0; i < h->n; i++) {
        cairn_wide score = h->constant;
        for (size_t j = 0; j < h->p; j++) score += (cairn_wide)h->w[j] * point(h, i)[j];
        primal += h->c * fmaxl(0, 1 - h->y[i] * score);
        dual += h->alpha[i];
        sum += h->y[i] * h->alpha[i];
        size = fmaxl(size, h->alpha[i]);
    }
    cairn_certify(&h->certificate, CAIRN_PROOF_GAP,
                  (double)(fabsl(primal - dual + squared / 2) / primal), 1e-6);
    cairn_certify(&h->certificate, CAIRN_PROOF_CONDITIONS, (double)(fabsl(sum) / size), 1e-9);
    return CAIRN_OK;
}

static char group(const path *h, size_t i)
{
    return h->alpha[i] <= 0 ? '0' : h->alpha[i] >= h->c ? 'C' : 'f';
}

/* -- breakpoints -- */

/* How fast α, the multiplier and the slopes H α - 1 change with C. */
typedef struct rates {
    double *alpha, *slope; /* n */
    double multiplier;     /* where there are free rows */
    size_t n_free;
} rates;

/* The change of C, below 0, at which `at` + rate · change is 0; -inf where it never is. */
static double zero_below(double at, double rate, double c)
{
    double change = -at / rate;
    return rate != 0 && change < -1e-12 * c ? change : -INFINITY;
}

/* With free rows: one of them meets a bound, or the slope of another becomes that of a free one. */
static double next_with_free(const path *h, const rates *r, double multiplier)
{
    double next = -INFINITY;
    for (size_t i = 0; i < h->n; i++) {
        if (group(h, i) == 'f') {
            next = fmax(next, zero_below(h->alpha[i], r->alpha[i], h->c));
            next = fmax(next, zero_below(h->alpha[i] - h->c, r->alpha[i] - 1, h->c));
        } else {
            next = fmax(next, zero_below(h->slope[i] + multiplier * h->y[i],
                                         r->slope[i] + r->multiplier * h->y[i], h->c));
        }
    }
    return next;
}

/* Without: the interval of the constant shrinks to a point. */
static double next_without(const path *h, const rates *r)
{
    double next = -INFINITY;
    for (size_t a = 0; a < h->n; a++)
        for (size_t b = 0; b < h->n; b++) {
            bool below = (group(h, a) == '0') == (h->y[a] > 0);
            bool above = (group(h, b) == '0') != (h->y[b] > 0);
            if (!below || !above) continue;
            next = fmax(next, zero_below(h->slope[b] / h->y[b] - h->slope[a] / h->y[a],
                                         r->slope[b] / h->y[b] - r->slope[a] / h->y[a], h->c));
        }
    return next;
}

/* The next smaller C at which a row changes its group; 0 = none does. */
static cairn_status next_break(cairn_context *ctx, const path *h, double *out)
{
    rates r = {0};
    double multiplier = h->constant, change;
    SCOPED_SCRATCH(ctx);
    /* Rows at the bound rise with C; free ones so that their slopes stay equal and the sum 0. */
    size_t n = 0, *free;
    double *a, *side, condition;
    CHECK(SCRATCH_EACH(ctx, h->n, &r.alpha, &r.slope, &free));
    for (size_t i = 0; i < h->n; i++) {
        r.alpha[i] = group(h, i) == 'C';
        if (group(h, i) == 'f') free[n++] = i;
    }
    r.n_free = n;
    CHECK(SCRATCH(ctx, &a, cairn_product(n + 1, n + 1)));
    CHECK(SCRATCH(ctx, &side, n + 1));
    for (size_t k = 0; k < n; k++) {
        for (size_t l = 0; l < n; l++)
            a[k * (n + 1) + l] = (double)h->hessian[free[k] * h->n + free[l]];
        a[k * (n + 1) + n] = a[n * (n + 1) + k] = h->y[free[k]];
        side[k] = -product(h, free[k], r.alpha);
    }
    side[n] = -cairn_dot(h->y, r.alpha, h->n);
    if (n) CHECK(cairn_solve(ctx, a, n + 1, side, 1, &condition));
    for (size_t k = 0; k < n; k++) r.alpha[free[k]] = side[k];
    r.multiplier = side[n];
    for (size_t i = 0; i < h->n; i++) r.slope[i] = product(h, i, r.alpha);
    for (size_t j = 0; j < h->p; j++) multiplier += h->w[j] * h->middle[j];
    change = r.n_free ? next_with_free(h, &r, multiplier) : next_without(h, &r);
    *out = change > -h->c * (1 - 1e-9) ? h->c + change : 0;
    return CAIRN_OK;
}

typedef struct breaks {
    double *c;
    size_t n;
    bool separable, cut; /* cut: there are more than were looked for */
} breaks;

/* Where the path begins: at the largest multiplier of the hard margin, or at a large C. */
static cairn_status find_start(cairn_context *ctx, path *h, double from, breaks *out)
{
    cairn_ending ending = CAIRN_ENDING_OPTIMAL;
    cairn_least_violation least;
    double most = 0, spread = 0;
    CHECK(
        cairn_separate(ctx, &least, h->data.points.values, h->y, h->n, h->p, CAIRN_SEPARATE_TINY));
    cairn_separate_certify(&least, &h->certificate);
    out->separable = least.separable;
    if (out->separable) CHECK(solve_at(ctx, h, INFINITY, &ending));
    if (ending != CAIRN_ENDING_OPTIMAL)
        return cairn_fail(ctx, CAIRN_NO_SOLUTION,
                          "the classes are separable, but so narrowly that the hard margin cannot "
                          "be found; begin at a finite C ({from})");
    for (size_t i = 0; i < h->n; i++) {
        if (out->separable) most = fmax(most, h->alpha[i]);
        spread += (double)h->hessian[i * h->n + i] / (double)h->n;
    }
    if (!out->separable) most = 1e4 / (spread > 0 ? spread : 1);
    if (from > 0 && (!out->separable || from < most))
        most = from;
    else if (out->separable)
        out->c[out->n++] = most;
    h->c = most;
    return CAIRN_OK;
}

static cairn_status find_breaks(cairn_context *ctx, path *h, double from, breaks *out)
{
    double c;
    CHECK(SCRATCH(ctx, &out->c, MOST_BREAKS + 1));
    CHECK(find_start(ctx, h, from, out));
    for (c = h->c; c > 0;) {
        CHECK(cairn_tick(ctx, "path", (double)out->n, 0));
        CHECK(must_solve(ctx, h, c * (1 - 1e-7)));
        CHECK(next_break(ctx, h, &c));
        out->cut = c > 0 && out->n == MOST_BREAKS;
        if (out->cut || c <= 0) break;
        out->c[out->n++] = c;
    }
    return CAIRN_OK;
}

/* -- reading -- */

/* Two classes and few rows: the matrix over them is kept whole. */
static cairn_status read_path(cairn_context *ctx, path *h, const cairn_compute_job *job)
{
    const path_params *p = job->params;
    const cairn_classes *classes = &h->data.classes;
    *h = (path){0};
    CHECK(cairn_class_points_read(ctx, &h->data, job->table, true, job->what));
    h->n = h->data.points.n;
    h->p = h->data.points.width;
    if (classes->n != 2)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the target '%s' has %zu classes, and the path is of two; choose rows "
                          "with {where}",
                          classes->target, classes->n);
    if (h->n > MOST_ROWS)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%zu rows are too many for an exact path, which takes at most %d; take a "
                          "sample ({sample}), or fit svm for several {c}",
                          h->n, MOST_ROWS);
    CHECK(cairn_find_positive(ctx, classes, h->n, p->positive, &h->positive));
    CHECK(SCRATCH_EACH(ctx, h->n, &h->y, &h->alpha, &h->slope));
    CHECK(SCRATCH_EACH(ctx, h->p, &h->middle, &h->w));
    CHECK(SCRATCH(ctx, &h->hessian, cairn_product(h->n, h->n)));
    for (size_t i = 0; i < h->n; i++) h->y[i] = classes->codes[i] == h->positive ? 1 : -1;
    /* The mean is taken off first, so that far-off points do not cost digits. */
    double *own;
    CHECK(SCRATCH(ctx, &own, cairn_product(h->n, h->p)));
    for (size_t j = 0; j < h->p; j++) {
        for (size_t i = 0; i < h->n; i++) h->middle[j] += point(h, i)[j] / (double)h->n;
        for (size_t i = 0; i < h->n; i++) own[i * h->p + j] = point(h, i)[j] - h->middle[j];
    }
    for (size_t i = 0; i < h->n; i++)
        for (size_t k = 0; k < h->n; k++) {
            cairn_wide sum = 0;
            for (size_t j = 0; j < h->p; j++)
                sum += (cairn_wide)own[i * h->p + j] * own[k * h->p + j];
            h->hessian[i * h->n + k] = h->y[i] * h->y[k] * sum;
        }
    for (size_t i = 0; i < h->n; i++)
        if (!(h->hessian[i * h->n + i] < 1e150))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "row %s has numbers that are so large that their squares overflow; "
                              "scale the columns first ({with scale})",
                              h->data.points.names[i]);
    return CAIRN_OK;
}

/* -- the report -- */

/* One line: C, the weights, the constant, the margin, the slacks and how many rows are where. */
static void show_line(cairn_report *out, const path *h, const char *name)
{
    size_t free = 0, bound = 0;
    double slacks = 0;
    for (size_t i = 0; i < h->n; i++) {
        slacks += slack(h, i);
        free += group(h, i) == 'f';
        bound += group(h, i) == 'C';
    }
    cairn_report_cell_number(out, h->c, 0, "%s.c", name);
    for (size_t j = 0; j < h->p; j++)
        cairn_report_cell_number(out, h->w[j], 0, "%s.w.%s", name,
                                 cairn_report_key(out, h->data.columns[j]));
    /* A number, or where no row is free the interval that it may lie in. */
    double t = -h->constant, size = 1;
    for (size_t j = 0; j < h->p; j++) size += fabs(h->w[j] * h->middle[j]);
    if (h->high > h->low) {
        char low[CAIRN_NUMBER_SIZE], high[CAIRN_NUMBER_SIZE];
        cairn_number_format(low, -h->high, 6);
        cairn_number_format(high, -h->low, 6);
        cairn_report_cellf(out, "%s to %s", low, high);
    } else {
        cairn_report_cell_difference(out, t, size, 0, NULL);
    }
    cairn_report_hidden(out, t, "%s.t", name);
    cairn_report_hidden(out, -h->high, "%s.t.low", name);
    cairn_report_hidden(out, -h->low, "%s.t.high", name);
    cairn_report_prefix(out, "%s", name);
    cairn_report_cells(out, "@.margin @.slacks @.free @.bound", margin(h), slacks, free, bound);
}

static void begin_lines(cairn_report *out, const path *h, const char *title)
{
    cairn_report_table_of(out, title, 0, "r", "C");
    for (size_t j = 0; j < h->p; j++) cairn_report_column(out, h->data.columns[j], 'r');
    cairn_report_columns(out, "rrrrr", "t", "1/‖w‖", "Σ ξ", "free", "at C");
}

/* What the boundary does between two breakpoints, from its weights at both. */
static const char *movement(const double *w, const double *next, size_t p)
{
    double inner = cairn_dot(w, next, p), a = cairn_plane_norm(w, p), b = cairn_plane_norm(next, p);
    if (a == 0 || b == 0) return "";
    if (inner / a / b < 1 - 1e-12) return "rotates";
    return fabs(a - b) <= 1e-9 * a ? "stays" : "keeps its direction";
}

/* Each breakpoint is solved, and the next one, to see what the boundary does in between. */
static cairn_status show_breaks(cairn_context *ctx, cairn_report *out, path *h, const breaks *found)
{
    double *next;
    CHECK(SCRATCH(ctx, &next, h->p));
    begin_lines(out, h, "Breakpoints, from large C to small");
    cairn_report_column(out, "below", 'l');
    for (size_t k = 0; k < found->n; k++) {
        char name[32];
        snprintf(name, sizeof name, "break%zu", k + 1);
        double below = k + 1 < found->n ? found->c[k + 1] : found->c[k] / 2;
        CHECK(must_solve(ctx, h, below));
        memcpy(next, h->w, h->p * sizeof *next);
        CHECK(must_solve(ctx, h, found->c[k]));
        show_line(out, h, name);
        cairn_report_cell_word(out, movement(h->w, next, h->p), "%s.below", name);
    }
    cairn_report_paragraph(out,
                           "The boundary is w·x = t with w in the columns of the features; free "
                           "rows have 0 < α < C. The last column says what the boundary does "
                           "down to the next breakpoint.");
    cairn_report_value(out, "breakpoints", (double)found->n, "breaks");
    return CAIRN_OK;
}

/* The whole solution at the costs that were asked for. */
static cairn_status show_asked(cairn_context *ctx, cairn_report *out, path *h,
                               const cairn_list *list)
{
    const double *at = list->values;
    for (size_t k = 0; k < list->n; k++) {
        char name[32], number[CAIRN_NUMBER_SIZE];
        snprintf(name, sizeof name, "at%zu", k + 1);
        cairn_number_format(number, at[k], 6);
        CHECK(must_solve(ctx, h, at[k]));
        cairn_report_heading(out, 2, "C = %s", number);
        begin_lines(out, h, "");
        show_line(out, h, name);
        /* Every row at one C. */
        cairn_report_table_of(out, "", SHOWN_ROWS, "llrrrl", "row", "class", "α", "y (w·x − t)",
                              "ξ", "group");
        for (size_t i = 0; i < h->n; i++) {
            cairn_report_prefix(out, "%s", name);
            cairn_report_cells(out, "- - @.alpha.$1 - @.slack.$1", h->data.points.names[i],
                               h->data.classes.names[h->data.classes.codes[i]], h->alpha[i],
                               h->y[i] * score(h, i), slack(h, i),
                               group(h, i) == '0'   ? "α = 0"
                               : group(h, i) == 'C' ? "α = C"
                                                    : "0 < α < C");
        }
    }
    return CAIRN_OK;
}

/* For small C, w is C times the sum of y x where both classes are equally large: the direction
 * between the means. */
static cairn_status show_small(cairn_context *ctx, cairn_report *out, path *h, const breaks *found)
{
    double *means, count[2] = {0}, cosine;
    double c = found->n ? found->c[found->n - 1] / 2 : h->c / 2;
    CHECK(SCRATCH(ctx, &means, h->p));
    CHECK(must_solve(ctx, h, c));
    for (size_t i = 0; i < h->n; i++) count[h->y[i] > 0]++;
    for (size_t i = 0; i < h->n; i++)
        for (size_t j = 0; j < h->p; j++) means[j] += h->y[i] * point(h, i)[j] / count[h->y[i] > 0];
    cosine =
        cairn_dot(means, h->w, h->p) / cairn_plane_norm(means, h->p) / cairn_plane_norm(h->w, h->p);
    cairn_report_heading(out, 2, "Below the last breakpoint");
    cairn_report_paragraph(out, "Multipliers and weights are proportional to C, and so the "
                                "boundary has one direction.");
    cairn_report_value(out, "cosine with the difference of the class means", cosine,
                       "small.cosine");
    cairn_report_word(out, "parallel to the basic linear classifier",
                      fabs(cosine) > 1 - 1e-9 ? "yes" : "no", "small.parallel");
    cairn_report_word(out, "t is known", h->high > h->low ? "up to an interval" : "exactly",
                      "small.t");
    return CAIRN_OK;
}

/* Between breakpoints α is a straight line, so that these and both ends are enough. */
static cairn_status draw_path(cairn_context *ctx, cairn_figure **out, path *h, const breaks *found)
{
    enum { MOST_NAMED = 12 };
    size_t n = found->n + 2;
    double *x, *y;
    CHECK(SCRATCH(ctx, &x, n));
    CHECK(SCRATCH(ctx, &y, cairn_product(n, h->n)));
    double top = found->n ? found->c[0] : h->c, bottom = found->n ? found->c[found->n - 1] : h->c;
    for (size_t k = 0; k < n; k++) {
        x[k] = k == 0 ? top * 1.25 : k == n - 1 ? bottom / 2 : found->c[k - 1];
        CHECK(must_solve(ctx, h, x[k]));
        for (size_t i = 0; i < h->n; i++) y[i * n + k] = h->alpha[i];
    }
    CHECK(cairn_figure_new(ctx, out, "svm-path", "Multipliers over the cost of errors"));
    cairn_figure_axes(*out, "C", "α");
    cairn_figure_legend_title(*out, "rows");
    for (size_t i = 0, named = 0; i < h->n; i++) {
        char label[32];
        const char *name = h->data.points.names ? h->data.points.names[i] : NULL;
        double most = 0;
        for (size_t k = 0; k < n; k++) most = fmax(most, y[i * n + k]);
        snprintf(label, sizeof label, "row %zu", i + 1);
        if (most > 0 && named < MOST_NAMED) {
            cairn_figure_line(*out, name ? name : label, x, y + i * n, n);
            named++;
        } else
            cairn_figure_faint(*out, x, y + i * n, n);
    }
    for (size_t k = 0; h->n <= MOST_NAMED && k < found->n; k++)
        cairn_figure_rule_x(*out, k ? NULL : "a row changes its group", found->c[k]);
    if (h->n > MOST_NAMED)
        cairn_figure_subtitle(*out, "in colour the first rows that ever have a multiplier");
    return CAIRN_OK;
}

/* The margin is no straight line between breakpoints: some places there are looked at as well. */
static cairn_status draw_margin(cairn_context *ctx, cairn_figure **out, path *h,
                                const breaks *found)
{
    enum { MOST = 200 };
    size_t between = MOST / (found->n + 1), n = 0;
    double *x, *y;
    if (between < 1) between = 1;
    CHECK(SCRATCH_EACH(ctx, (found->n + 1) * between + 1, &x, &y));
    double top = found->n ? found->c[0] * 1.25 : h->c,
           bottom = found->n ? found->c[found->n - 1] / 2 : h->c / 2;
    for (size_t k = 0; k <= found->n; k++) {
        double high = k == 0 ? top : found->c[k - 1], low = k == found->n ? bottom : found->c[k];
        for (size_t i = 0; i < between; i++)
            x[n++] = high + (low - high) * (double)i / (double)between;
    }
    x[n++] = bottom;
    for (size_t k = 0; k < n; k++) {
        CHECK(must_solve(ctx, h, x[k]));
        y[k] = margin(h);
    }
    CHECK(cairn_figure_new(ctx, out, "svm-path", "Margin over the cost of errors"));
    cairn_figure_axes(*out, "C", "margin 1 / |w|");
    cairn_figure_line(*out, h->n <= 12 ? "margin" : NULL, x, y, n);
    for (size_t k = 0; h->n <= 12 && k < found->n; k++)
        cairn_figure_rule_x(*out, k ? NULL : "a row changes its group", found->c[k]);
    return CAIRN_OK;
}

static cairn_status draw_curve(cairn_context *ctx, cairn_figure **out, path *h, const breaks *found,
                               int curve)
{
    return curve == CURVE_MARGIN ? draw_margin(ctx, out, h, found) : draw_path(ctx, out, h, found);
}

static cairn_status path_draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    const path_params *p = job->params;
    path h;
    breaks found = {0};
    CHECK(read_path(ctx, &h, job));
    CHECK(find_breaks(ctx, &h, p->from, &found));
    CHECK(draw_curve(ctx, out, &h, &found, p->curve));
    return cairn_certificate_judge(ctx, &h.certificate, "svm-path");
}

/* What holds for every C, the breakpoints, chosen costs, and the end towards 0. */
static cairn_status path_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const path_params *p = job->params;
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    path h;
    breaks found = {0};
    CHECK(read_path(ctx, &h, job));
    CHECK(find_breaks(ctx, &h, p->from, &found));
    cairn_report_heading(out, 1, "Soft margins of %zu points over C", h.n);
    cairn_report_word(out, "class on the positive side", h.data.classes.names[h.positive],
                      "positive");
    cairn_report_word(out, "linearly separable", found.separable ? "yes" : "no", "separable");
    if (job->steps) {
        /* The way from one group to the next, as equations. */
        cairn_report_step_begin(out, "How the breakpoints are found");
        cairn_report_formula(out,
                             "most of Σ αᵢ − ½ Σ αᵢ αⱼ yᵢ yⱼ xᵢ·xⱼ,  Σ αᵢ yᵢ = 0,  0 ≤ αᵢ ≤ C");
        cairn_report_paragraph(
            out,
            "Rows with α = C follow C. Those with 0 < α < C are on the margin, yᵢ (w·xᵢ − t) = 1, "
            "which together with Σ αᵢ yᵢ = 0 is a system of equations for their α and t, linear "
            "in C. The next breakpoint is the largest C below at which such an α becomes 0 or C, "
            "or "
            "another row comes to the margin.");
        cairn_report_step_end(out);
    }
    CHECK(show_breaks(ctx, out, &h, &found));
    if (found.cut) cairn_report_note(out, "There are more breakpoints below the last of these.");
    if (p->at.text) CHECK(show_asked(ctx, out, &h, &p->at));
    if (!found.cut) CHECK(show_small(ctx, out, &h, &found));
    CHECK(draw_curve(ctx, &figure, &h, &found, p->curve));
    cairn_certificate_report(out, &h.certificate);
    CHECK(cairn_certificate_judge(ctx, &h.certificate, "svm-path"));
    cairn_report_page_figure(out, TAKE(figure));
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_svm_path = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "svm-path",
              .also = "regularisation path, complexity parameter, soft margin, breakpoints, "
                      "support vector machine",
              .title = "Soft-margin classifiers over the cost of errors",
              .summary = "The exact path of the linear support vector machine of two classes: the "
                         "costs C at which a row changes between α = 0, 0 < α < C and α = C, what "
                         "the boundary does between them, and the whole solution at chosen C.",
              .references =
                  "Hastie, Rosset, Tibshirani and Zhu: The entire regularization path for "
                  "the support vector machine, JMLR 5, 2004",
              .example = "cairn compute svm-path @margin-four --at 0.4,0.05",
              .params = path_table,
              .params_size = sizeof(path_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "svm-path",
                .also = "regularisation path, multipliers, margin against C",
                .title = "Multipliers or margin of a soft-margin classifier over C",
                .summary = "The multiplier of every row, or the margin, over the cost C of errors, "
                           "with the breakpoints as vertical lines.",
                .example = "cairn draw svm-path @margin-four",
                .params = path_table,
                .params_size = sizeof(path_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .run = path_run,
    .draw = path_draw,
};
