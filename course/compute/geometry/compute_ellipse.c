/* SPDX-License-Identifier: MIT */
/* cairn compute ellipse: the points at one elliptical distance of a centre, (x - c)'M(x - c) = r².
 *
 * M is typed, or made of a rotation and a scaling, M = R'S²R, or the inverse covariance of rows, of
 * all of them or of each class (Mahalanobis' distance), or the identity. Its eigenvectors are the
 * directions of the axes, and the half axes are r / √eigenvalue: the least eigenvalue has the
 * longest. W = S R with M = W'W turns and stretches the plane so that the ellipse becomes a circle:
 * the distance is the Euclidean one of W x, which is why W whitens rows whose covariance is M⁻¹. */
#include "typed/compared.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/text.h"
#include "draw/figure.h"
#include "decompose/linalg.h"
#include "rows/matrix.h"
#include "stats/covariance.h"
#include "stats/summary.h"
#include "typed/shown.h"
#include "typed/vectors.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_COLUMNS = 20, MOST_GROUPS = 20, ROUND = 180, BY_IDENTITY = 0, BY_COVARIANCE };

typedef struct ellipse_params {
    const char *points;
    cairn_list matrix, rotation, scaling;
    double angle, radius;
    int from, divisor;
} ellipse_params;

static const cairn_choice sources[] = {
    {"identity", BY_IDENTITY, "circles: the Euclidean distance"},
    {"covariance", BY_COVARIANCE, "the inverse covariance of the rows, or of each class"},
    {0},
};

static const cairn_param ellipse_table[] = {
    CAIRN_PARAM_CELLS(ellipse_params, matrix, MATRIX, NULL, NULL,
                      "M itself, such as [2,0;0,1]; symmetric", .often = true),
    CAIRN_PARAM(ellipse_params, angle, CAIRN_NOT_GIVEN, "[-360,360]",
                "rotation in degrees, from the first coordinate to the first axis; two "
                "coordinates",
                .often = true),
    CAIRN_PARAM_CELLS(ellipse_params, rotation, MATRIX, NULL, NULL,
                      "R in M = R'S²R as a matrix, in place of the angle"),
    CAIRN_PARAM_CELLS(ellipse_params, scaling, NUMBERS, NULL, "(0,inf)",
                      "the diagonal of S, one number above 0 for each axis, such as 0.5,1",
                      .often = true),
    CAIRN_PARAM_CHOICE(ellipse_params, from, "covariance", sources, "with data: what M is"),
    CAIRN_PARAM_CHOICE(ellipse_params, divisor, "n-1", cairn_divisors,
                       "with data: divisor of the covariance", .when = "from=covariance"),
    CAIRN_PARAM(ellipse_params, radius, "1", "(0,inf)", "r, the distance from the centre",
                .often = true),
    CAIRN_PARAM(ellipse_params, points, NULL, NULL,
                "points whose distances are measured, such as A=1,2;B=0,1"),
    CAIRN_PARAM_END,
};

/* One ellipse. */
typedef struct ellipse {
    const char *name; /* of the class; NULL = there is one only */
    const char *prefix;
    double *centre;        /* d */
    double *matrix;        /* d x d: M */
    double *inverse;       /* d x d: the covariance */
    double *values, *axes; /* d eigenvalues, rising; d x d, an axis in each row */
    double rows;           /* weight; 0 = of no rows */
} ellipse;

typedef struct ellipses {
    const ellipse_params *p;
    cairn_compared data; /* with a table */
    size_t d, n;
    const char **names; /* of the coordinates */
    ellipse *list;      /* n */
    double *rotation;
    const double *scaling;
    cairn_vectors points;
} ellipses;

static void ellipses_clear(ellipses *e)
{
    cairn_compared_clear(&e->data);
}

/* -- the matrix -- */

static cairn_status make_buffer(cairn_context *ctx, ellipse *e, size_t d)
{
    CHECK(SCRATCH(ctx, &e->centre, d));
    CHECK(SCRATCH_EACH(ctx, cairn_product(d, d), &e->matrix, &e->inverse));
    CHECK(SCRATCH(ctx, &e->values, d));
    return SCRATCH(ctx, &e->axes, cairn_product(d, d));
}

/* out = Σ_k weight_k a_k a_k' of the axes. */
static void put_together(double *out, const double *axes, const double *weights, size_t d)
{
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j < d; j++) {
            out[i * d + j] = 0;
            for (size_t k = 0; k < d; k++)
                out[i * d + j] += weights[k] * axes[k * d + i] * axes[k * d + j];
        }
}

/* Eigenvalues and axes of M or, with `inverse`, of the covariance, whose axes are the same. The
 * first number of an axis that is not 0 is positive. */
static cairn_status find_axes(cairn_context *ctx, ellipse *e, const double *matrix, bool inverse,
                              size_t d)
{
    double *copy, *values, *vectors, *back;
    CHECK(SCRATCH(ctx, &copy, d * d));
    CHECK(SCRATCH(ctx, &values, d));
    CHECK(SCRATCH(ctx, &vectors, d * d));
    CHECK(SCRATCH(ctx, &back, d));
    memcpy(copy, matrix, d * d * sizeof *copy);
    CHECK(cairn_symmetric_eigen(ctx, values, vectors, copy, d));
    if (!(values[d - 1] > 1e-12 * values[0]))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          inverse ? "the covariance has no inverse: a column follows from the "
                                    "others, or there are too few rows; leave a column out with "
                                    "{ignore}"
                                  : "the matrix is not positive definite, so it gives no ellipse");
    for (size_t k = 0; k < d; k++) {
        size_t from = inverse ? k : d - 1 - k, first = 0;
        e->values[k] = inverse ? 1 / values[from] : values[from];
        back[k] = 1 / e->values[k];
        while (first + 1 < d && fabs(vectors[from * d + first]) < 1e-12) first++;
        double sign = vectors[from * d + first] < 0 ? -1 : 1;
        for (size_t j = 0; j < d; j++) e->axes[k * d + j] = sign * vectors[from * d + j];
    }
    put_together(e->matrix, e->axes, e->values, d);
    put_together(e->inverse, e->axes, back, d);
    if (!inverse) memcpy(e->matrix, matrix, d * d * sizeof *matrix);
    if (inverse) memcpy(e->inverse, matrix, d * d * sizeof *matrix);
    return CAIRN_OK;
}

static cairn_status read_square(cairn_context *ctx, double **out, size_t *d, const char *option,
                                const cairn_list *typed)
{
    if (typed->rows != typed->columns || typed->rows > MOST_COLUMNS)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{%s}: a square matrix of at most %d rows is wanted, not %zu x %zu",
                          option, MOST_COLUMNS, typed->rows, typed->columns);
    *d = typed->rows;
    return cairn_list_or(ctx, out, typed, option, typed->n, "cells", 0);
}

static cairn_status typed_matrix(cairn_context *ctx, ellipses *e, double **out)
{
    CHECK(read_square(ctx, out, &e->d, "matrix", &e->p->matrix));
    for (size_t i = 0; i < e->d; i++)
        for (size_t j = 0; j < i; j++)
            if ((*out)[i * e->d + j] != (*out)[j * e->d + i])
                return cairn_fail(ctx, CAIRN_USAGE,
                                  "{matrix}: row %zu, column %zu differs from row %zu, column "
                                  "%zu; it must be symmetric",
                                  i + 1, j + 1, j + 1, i + 1);
    return CAIRN_OK;
}

/* M = R'S²R */
static cairn_status transposed_matrix(cairn_context *ctx, ellipses *e, double **out)
{
    size_t n;
    double *squares;
    /* R is given, or turns by an angle; rows must be orthogonal and of length 1. */
    const ellipse_params *p = e->p;
    size_t d = 2;
    if (p->rotation.text) {
        CHECK(read_square(ctx, &e->rotation, &d, "rotation", &p->rotation));
    } else {
        double turn = (isnan(p->angle) ? 0 : p->angle) * M_PI / 180;
        CHECK(SCRATCH(ctx, &e->rotation, 4));
        e->rotation[0] = e->rotation[3] = cairn_cos(turn);
        e->rotation[1] = cairn_sin(turn);
        e->rotation[2] = -e->rotation[1];
    }
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j < d; j++) {
            double product = 0;
            for (size_t k = 0; k < d; k++)
                product += e->rotation[i * d + k] * e->rotation[j * d + k];
            if (!(fabs(product - (i == j)) <= 1e-3))
                return cairn_fail(ctx, CAIRN_USAGE,
                                  "{rotation}: rows %zu and %zu are not those of a rotation, whose "
                                  "rows have length 1 and are orthogonal",
                                  i + 1, j + 1);
        }
    e->d = d;
    n = e->p->scaling.n;
    e->scaling = e->p->scaling.values;
    if (n != e->d)
        return cairn_fail(ctx, CAIRN_USAGE, "{scaling}: %zu numbers are wanted, not %zu", e->d, n);
    CHECK(SCRATCH(ctx, &squares, n));
    CHECK(SCRATCH(ctx, out, n * n));
    for (size_t k = 0; k < n; k++) squares[k] = e->scaling[k] * e->scaling[k];
    put_together(*out, e->rotation, squares, n);
    return CAIRN_OK;
}

/* -- rows -- */

/* Mean and covariance of the rows of a class, or of all. */
static cairn_status rows_ellipse(cairn_context *ctx, ellipses *e, ellipse *out, int32_t code)
{
    const cairn_view *all = &e->data.view;
    size_t d = e->d;
    cairn_view view = *all;
    cairn_centre centre;
    uint32_t *rows;
    double *products;
    CHECK(SCRATCH(ctx, &rows, all->rows.n));
    CHECK(SCRATCH(ctx, &products, d * d));
    view.rows = (cairn_rows){.indices = rows};
    for (size_t i = 0; i < all->rows.n; i++)
        if (code < 0 || all->target->codes[i] == code) rows[view.rows.n++] = (uint32_t)i;
    if (view.rows.n <= d)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s%s%zu rows are too few for the covariance of %zu columns; more rows "
                          "than columns are needed",
                          out->name ? out->name : "", out->name ? ": " : "", view.rows.n, d);
    CHECK(cairn_centre_of(ctx, &centre, &view, "compute ellipse"));
    CHECK(cairn_column_products(ctx, products, &view, &centre));
    for (size_t j = 0; j < d; j++) out->centre[j] = centre.means[j];
    out->rows = centre.weight;
    double fewer = e->p->divisor == CAIRN_DIVISOR_N_1;
    for (size_t i = 0; i < d * d; i++) products[i] /= centre.weight - fewer;
    if (e->p->from == BY_COVARIANCE) return find_axes(ctx, out, products, true, d);
    for (size_t i = 0; i < d * d; i++) products[i] = i % (d + 1) == 0;
    return find_axes(ctx, out, products, false, d);
}

/* One ellipse for each class of a nominal target, or one of all rows where there is none. */
static cairn_status ellipses_of_rows(cairn_context *ctx, ellipses *e, const cairn_compute_job *job)
{
    const cairn_compared_options none = {0};
    CHECK(cairn_compared_read(ctx, &e->data, &none, job->table, job->what));
    const cairn_view *view = &e->data.view;
    const cairn_column *target = view->target;
    bool classes = target && target->kind == CAIRN_LEVEL;
    e->d = view->n_features;
    e->names = view->names;
    if (e->d > MOST_COLUMNS)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "'%s' takes at most %d columns, and there are %zu; choose some with "
                          "{features}",
                          job->what, MOST_COLUMNS, e->d);
    for (size_t j = 0; j < e->d; j++) {
        if (view->features[j]->kind != CAIRN_NUMBER)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "column '%s' holds no numbers; {ignore} leaves it out",
                              view->names[j]);
        for (size_t i = 0; i < view->rows.n; i++)
            CHECK(cairn_need_finite(ctx, job->what, view->names[j], i,
                                    view->features[j]->numbers[i]));
    }
    e->n = classes ? target->names.n : 1;
    if (e->n > MOST_GROUPS)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "the target has %zu classes; at most %d are shown",
                          e->n, MOST_GROUPS);
    CHECK(SCRATCH(ctx, &e->list, e->n + 1));
    for (size_t k = 0; k < e->n; k++) {
        if (classes) e->list[k].name = cairn_map_key(&target->names, k);
        CHECK(make_buffer(ctx, &e->list[k], e->d));
        CHECK(rows_ellipse(ctx, e, &e->list[k], classes ? (int32_t)k : -1));
    }
    return CAIRN_OK;
}

/* Exactly one source of the ellipse is taken; typed points must have as many numbers as it. */
static cairn_status read_ellipses(cairn_context *ctx, ellipses *e, const cairn_compute_job *job)
{
    const ellipse_params *p = job->params;
    double *matrix;
    e->p = p;
    if ((p->matrix.text != NULL) + (p->scaling.text != NULL) + (job->table != NULL) != 1)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'%s' takes one of {matrix}, {scaling} (with {angle} or {rotation}) and "
                          "a table",
                          job->what);
    if (p->rotation.text && !isnan(p->angle))
        return cairn_fail(ctx, CAIRN_USAGE, "give either {angle} or {rotation}");
    if (job->table) {
        CHECK(ellipses_of_rows(ctx, e, job));
    } else {
        CHECK(p->matrix.text ? typed_matrix(ctx, e, &matrix) : transposed_matrix(ctx, e, &matrix));
        e->n = 1;
        CHECK(SCRATCH(ctx, &e->list, 1));
        CHECK(make_buffer(ctx, e->list, e->d));
        CHECK(find_axes(ctx, e->list, matrix, false, e->d));
        CHECK(cairn_coordinate_names(ctx, &e->names, e->d));
    }
    if (!p->points) return CAIRN_OK;
    CHECK(cairn_read_vectors(ctx, &e->points, "points", p->points, "p"));
    if (e->points.width != e->d)
        return cairn_fail(ctx, CAIRN_USAGE, "{points}: %zu numbers each are wanted, not %zu", e->d,
                          e->points.width);
    return CAIRN_OK;
}

/* -- showing -- */

static void show_square(cairn_report *out, const ellipses *e, const ellipse *l, const char *title,
                        const double *matrix, const char *name)
{
    cairn_report_table_of(out, title, 0, "l", "");
    for (size_t j = 0; j < e->d; j++) cairn_report_column(out, e->names[j], 'r');
    for (size_t i = 0; i < e->d; i++) {
        cairn_report_prefix(out, "%s%s.%zu", l->prefix, name, i + 1);
        cairn_report_cells(out, "- @.$n", e->names[i], cairn_cell_row(matrix + i * e->d, e->d));
    }
}

/* The angle of an axis of two coordinates, above -90 and up to 90 degrees. */
static double angle_of(const double *axis)
{
    double angle = cairn_acos(fmax(-1, fmin(1, axis[0]))) * 180 / M_PI;
    if (axis[1] < 0) angle = -angle;
    return angle > 90 ? angle - 180 : angle <= -90 ? angle + 180 : angle;
}

/* A half axis is the radius over the root of its eigenvalue: the largest eigenvalue has the
 * shortest axis. */
static void show_axes(cairn_report *out, const ellipses *e, const ellipse *l)
{
    double r = e->p->radius;
    cairn_report_table_of(out, "Axes", 0, "rrr", "axis", "eigenvalue of M", "half axis");
    for (size_t j = 0; j < e->d; j++) cairn_report_column(out, e->names[j], 'r');
    for (size_t k = 0; k < e->d; k++) {
        cairn_report_prefix(out, "%s", l->prefix);
        cairn_report_cells(out, "- @eigenvalue$1 @semi_axis$1", k + 1, l->values[k],
                           r / sqrt(l->values[k]));
        for (size_t j = 0; j < e->d; j++)
            cairn_report_cell_difference(out, l->axes[k * e->d + j], 1, 0, "%saxis%zu.%zu",
                                         l->prefix, k + 1, j + 1);
    }
    if (e->d == 2)
        cairn_report_value(out, "angle of the longest axis, degrees", angle_of(l->axes), "%sangle",
                           l->prefix);
}

/* "0.625·x² + 0.625·y² − 0.75·x·y = 0.25", about the centre. */
static cairn_status show_equation(cairn_context *ctx, cairn_report *out, const ellipses *e,
                                  const ellipse *l)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    SCOPED(cairn_text_clear) cairn_text x = cairn_text_start(ctx);
    SCOPED(cairn_text_clear) cairn_text y = cairn_text_start(ctx);
    SCOPED(cairn_text_clear) cairn_text both = cairn_text_start(ctx);
    double r2 = e->p->radius * e->p->radius;
    bool any = false;
    if (e->d != 2) return CAIRN_OK;
    cairn_text_addf(&x, "%s%s²", e->names[0], l->rows > 0 ? "'" : "");
    cairn_text_addf(&y, "%s%s²", e->names[1], l->rows > 0 ? "'" : "");
    cairn_text_addf(&both, "%s%s·%s%s", e->names[0], l->rows > 0 ? "'" : "", e->names[1],
                    l->rows > 0 ? "'" : "");
    cairn_add_term(&text, &any, l->matrix[0], cairn_text_string(&x), true);
    cairn_add_term(&text, &any, l->matrix[3], cairn_text_string(&y), true);
    if (fabs(l->matrix[1]) > 1e-15 * l->matrix[0])
        cairn_add_term(&text, &any, 2 * l->matrix[1], cairn_text_string(&both), true);
    cairn_text_add(&text, " = ");
    cairn_text_add_number(&text, r2, 6);
    CHECK(cairn_text_status(&text));
    cairn_report_word(out, l->rows > 0 ? "the ellipse, from its centre" : "the ellipse",
                      cairn_text_string(&text), "%sequation", l->prefix);
    cairn_report_hidden(out, 2 * l->matrix[1], "%sequation.xy", l->prefix);
    cairn_report_hidden(out, r2, "%sequation.right", l->prefix);
    return CAIRN_OK;
}

static double form_of(const ellipse *l, size_t d, const double *x, const double *y)
{
    double sum = 0;
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j < d; j++)
            sum += (x[i] - (y ? y[i] : 0)) * l->matrix[i * d + j] * (x[j] - (y ? y[j] : 0));
    return sum;
}

/* Points from the centre, and from each other. */
static void show_points(cairn_report *out, const ellipses *e, const ellipse *l)
{
    const cairn_vectors *v = &e->points;
    if (!v->n) return;
    cairn_report_table_of(out, "Points", 0, "lrr", "point", "(x − c)ᵀM(x − c)",
                          "distance from the centre");
    for (size_t i = 0; i < v->n; i++) {
        double form = form_of(l, e->d, v->values + i * e->d, l->centre);
        cairn_report_prefix(out, "%s", l->prefix);
        cairn_report_cells(out, "- @form.$1 @distance.$1", v->names[i], form, sqrt(form));
    }
    if (v->n < 2) return;
    cairn_report_table_of(out, "Distances between points", 0, "llr", "", "", "distance");
    for (size_t i = 0; i < v->n; i++)
        for (size_t j = i + 1; j < v->n; j++) {
            cairn_report_prefix(out, "%sdistance", l->prefix);
            cairn_report_cells(out, "- - @.$1.$2", v->names[i], v->names[j],
                               sqrt(form_of(l, e->d, v->values + i * e->d, v->values + j * e->d)));
        }
}

/* -- steps -- */

/* Entries of M with the numbers of R and S put in, and the half axes. */
static void show_steps(cairn_report *out, const ellipses *e, const ellipse *l)
{
    size_t d = e->d;
    cairn_report_step_begin(out, "The matrix M");
    if (e->scaling) {
        cairn_report_formula(out, "M = RᵀS²R,   M_ij = Σ_k s_k²·R_ki·R_kj");
        for (size_t i = 0; i < d; i++)
            for (size_t j = i; j < d && d <= 3; j++) {
                double terms[9];
                char label[64];
                for (size_t k = 0; k < d; k++) {
                    terms[3 * k] = e->scaling[k];
                    terms[3 * k + 1] = e->rotation[k * d + i];
                    terms[3 * k + 2] = e->rotation[k * d + j];
                }
                snprintf(label, sizeof label, "M_%zu%zu", i + 1, j + 1);
                cairn_report_worked_sum(out, label, "#²·#·#", terms, 3, d, l->matrix[i * d + j]);
            }
    } else if (l->rows > 0 && e->p->from == BY_COVARIANCE) {
        cairn_report_formula(out, "M = Σ⁻¹,   Σ = Σ w·(x − c)(x − c)ᵀ / (n − 1)");
        show_square(out, e, l, "Covariance", l->inverse, "covariance");
    }
    cairn_report_step_end(out);
    cairn_report_step_begin(out, "The axes");
    cairn_report_formula(out, "M a = λ a,   half axis = r / √λ");
    for (size_t k = 0; k < d; k++)
        cairn_report_worked(out, NULL, "# / √# = #", e->p->radius, l->values[k],
                            e->p->radius / sqrt(l->values[k]));
    cairn_report_step_end(out);
}

/* -- drawing -- */

/* The rows, the ellipses around their centres, and two half axes of each. */
static cairn_status draw_ellipses(cairn_context *ctx, cairn_figure **out, const ellipses *e)
{
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    const cairn_view *view = &e->data.view;
    const char **names;
    CHECK(cairn_figure_new(ctx, &figure, "ellipse", "Points at one distance from the centre"));
    cairn_figure_size(figure, 480, 420);
    cairn_figure_axes(figure, e->names[0], e->names[1]);
    cairn_figure_equal_axes(figure);
    CHECK(SCRATCH(ctx, &names, e->n + 1));
    for (size_t k = 0; k < e->n; k++) names[k] = e->list[k].name;
    bool classes = e->list[0].name;
    if (e->data.table)
        cairn_figure_points(figure, view->features[0]->numbers, view->features[1]->numbers,
                            classes ? view->target->codes : NULL, view->rows.n,
                            classes ? names : NULL, classes ? e->n : 0);
    for (size_t k = 0; k < e->n; k++) {
        /* In the colour of its class, behind the rows. */
        const ellipse *l = &e->list[k];
        int32_t group = (int32_t)k;
        double x[ROUND + 1], y[ROUND + 1];
        double a = e->p->radius / sqrt(l->values[0]), b = e->p->radius / sqrt(l->values[1]);
        for (size_t i = 0; i <= ROUND; i++) {
            double turn = 2 * M_PI * (double)(i % ROUND) / ROUND;
            double u = a * cairn_cos(turn), v = b * cairn_sin(turn);
            x[i] = l->centre[0] + u * l->axes[0] + v * l->axes[2];
            y[i] = l->centre[1] + u * l->axes[1] + v * l->axes[3];
        }
        if (l->name)
            cairn_figure_shape(figure, group, x, y, ROUND + 1);
        else
            cairn_figure_line(figure, NULL, x, y, ROUND + 1);
        for (size_t j = 0; j < 2; j++) {
            double half = j ? b : a;
            const double to_x[] = {l->centre[0], l->centre[0] + half * l->axes[2 * j]};
            const double to_y[] = {l->centre[1], l->centre[1] + half * l->axes[2 * j + 1]};
            cairn_figure_guide(figure, to_x, to_y, 2);
        }
    }
    for (size_t i = 0; i < e->points.n; i++) {
        const double *x = e->points.values + 2 * i;
        cairn_figure_points(figure, x, x + 1, NULL, 1, NULL, 0);
        cairn_figure_label(figure, x[0], x[1], e->points.names[i]);
    }
    *out = TAKE(figure);
    return CAIRN_OK;
}

static cairn_status ellipse_draw(cairn_context *ctx, cairn_figure **out,
                                 const cairn_compute_job *job)
{
    SCOPED(ellipses_clear) ellipses e = {0};
    CHECK(read_ellipses(ctx, &e, job));
    if (e.d != 2)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "an ellipse is drawn of two coordinates, and there are %zu; choose two "
                          "columns with {features}",
                          e.d);
    return draw_ellipses(ctx, out, &e);
}

/* -- running -- */

/* Centre and number of rows exist only for ellipses that rows have given. */
static cairn_status show_ellipse(cairn_context *ctx, cairn_report *out, const ellipses *e,
                                 const ellipse *l, bool steps)
{
    if (l->name) cairn_report_heading(out, 2, "%s", l->name);
    if (l->rows > 0) {
        cairn_report_value(out, "rows", l->rows, "%srows", l->prefix);
        for (size_t j = 0; j < e->d; j++)
            cairn_report_value(out, e->names[j], l->centre[j], "%scentre.%zu", l->prefix, j + 1);
    }
    if (steps) show_steps(out, e, l);
    show_square(out, e, l, "M", l->matrix, "m");
    CHECK(show_equation(ctx, out, e, l));
    show_axes(out, e, l);
    show_square(out, e, l, "Covariance, M⁻¹", l->inverse, "covariance");
    /* W = S R: along each axis by the root of its eigenvalue. */
    double *w;
    size_t d = e->d;
    CHECK(SCRATCH(ctx, &w, d * d));
    for (size_t i = 0; i < d * d; i++) w[i] = sqrt(l->values[i / d]) * l->axes[i];
    show_square(out, e, l, "Whitening W, M = WᵀW: distances are those of W·x", w, "whitening");
    show_points(out, e, l);
    return CAIRN_OK;
}

static cairn_status ellipse_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    SCOPED(ellipses_clear) ellipses e = {0};
    cairn_figure *figure = NULL;
    CHECK(read_ellipses(ctx, &e, job));
    cairn_report_heading(out, 1, "Elliptical distance");
    cairn_report_formula(out, "d(x, y) = √((x − y)ᵀ·M·(x − y))");
    cairn_report_value(out, "radius r", e.p->radius, "radius");
    for (size_t k = 0; k < e.n; k++) {
        CHECK(cairn_value_prefix(ctx, &e.list[k].prefix, out, e.list[k].name));
        CHECK(show_ellipse(ctx, out, &e, &e.list[k], job->steps));
    }
    if (e.d != 2) return CAIRN_OK;
    CHECK(draw_ellipses(ctx, &figure, &e));
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_ellipse = {
    .entry =
        {.kind = CAIRN_ENTRY_CALCULATOR,
         .name = "ellipse",
         .also = "elliptical distance, Mahalanobis distance, covariance ellipse, whitening, "
                 "semi-axes",
         .title = "Elliptical distances: axes, equation, whitening",
         .summary =
             "The ellipse (x − c)'M(x − c) = r² for a typed M, for M = R'S²R of a rotation and "
             "a scaling, or for the inverse covariance of the rows of a table, all together or "
             "of each class (Mahalanobis' distance): M, its eigenvalues, the half axes and "
             "their angle, the equation, the covariance, the whitening W with M = W'W, and the "
             "distances of typed points. Learners take such distances as --distance "
             "mahalanobis, and --with pca:whiten=yes whitens columns.",
         .references = "Flach, Machine Learning, 2012; Mahalanobis, On the generalised "
                       "distance in statistics, 1936",
         .example = "cairn compute ellipse --angle 45 --scaling 0.5,1 --radius 0.5 --steps",
         .params = ellipse_table,
         .params_size = sizeof(ellipse_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "ellipse",
                .also = "covariance ellipse, Mahalanobis ellipse",
                .title = "Ellipses of a distance",
                .summary = "The points at one elliptical distance from the centre, with two half "
                           "axes; of rows the ellipse of their covariance, for each class by "
                           "itself where there is a target.",
                .references = "Flach, Machine Learning, 2012",
                .example = "cairn draw ellipse @iris --features petal_length,petal_width --target "
                           "species --radius 2",
                .params = ellipse_table,
                .params_size = sizeof(ellipse_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .run = ellipse_run,
    .draw = ellipse_draw,
};
