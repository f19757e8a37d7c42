/* SPDX-License-Identifier: MIT */
/* cairn compute hyperplane: sides and distances of points, and the largest of several linear
 * functions. */
#include "typed/vectors.h"

#include "base/text.h"
#include "kernels/kernels.h"

#include <math.h>
#include <stdio.h>

enum { MOST_WORKED = 12 };

typedef struct hyperplane_params {
    const char *planes, *points;
    double tolerance;
} hyperplane_params;

static const cairn_param hyperplane_table[] = {
    CAIRN_PARAM(hyperplane_params, planes, NULL, NULL,
                "coefficients of w·x + constant = 0, the constant last, such as 3,-4,12,-1; "
                "several are separated by ; and may have names: A=1,0,0;B=-1,1,1",
                .required = true),
    CAIRN_PARAM(hyperplane_params, points, NULL, NULL,
                "points such as 1,-2,3;0,0,1, with names if you like; else the rows of DATA"),
    CAIRN_PARAM(hyperplane_params, tolerance, "1e-12", "[0,inf)",
                "a point this near, measured by the size of the terms, lies on the plane"),
    CAIRN_PARAM_END,
};

typedef struct setting {
    cairn_vectors planes, points;
    const char **columns; /* of the coordinates */
    double tolerance;
    size_t p;
} setting;

static const double *point(const setting *s, size_t i)
{
    return s->points.values + i * s->p;
}

static double value(const setting *s, size_t plane, size_t i)
{
    return cairn_plane_value(cairn_plane(&s->planes, plane), point(s, i), s->p);
}

/* 1, -1, or 0 where the value is rounding beside its terms. */
static int side(const setting *s, size_t plane, size_t i)
{
    const double *w = cairn_plane(&s->planes, plane);
    double size = fabs(w[s->p]), at = value(s, plane, i);
    for (size_t j = 0; j < s->p; j++) size += fabs(w[j] * point(s, i)[j]);
    if (fabs(at) <= s->tolerance * size) return 0;
    return at > 0 ? 1 : -1;
}

/* Points are typed, or the rows of a table; planes must fit their number of coordinates. */
static cairn_status read_setting(cairn_context *ctx, setting *s, const cairn_compute_job *job)
{
    const hyperplane_params *p = job->params;
    *s = (setting){.tolerance = p->tolerance};
    if (!p->points == !job->table)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "give the points either as {points '1,2;3,4'} or as the rows of a table");
    CHECK(cairn_read_vectors(ctx, &s->planes, "planes", p->planes, ""));
    if (p->points) {
        CHECK(cairn_read_vectors(ctx, &s->points, "points", p->points, ""));
        CHECK(cairn_coordinate_names(ctx, &s->columns, s->points.width));
    } else {
        cairn_class_points rows;
        CHECK(cairn_class_points_read(ctx, &rows, job->table, false, job->what));
        s->points = rows.points;
        s->columns = rows.columns;
    }
    s->p = s->points.width;
    return cairn_planes_check(ctx, &s->planes, s->p, "planes");
}

/* Value, side and distances of every point from one plane. */
static cairn_status show_plane(cairn_context *ctx, cairn_report *out, const setting *s, size_t k)
{
    const double *w = cairn_plane(&s->planes, k);
    const char *name = cairn_report_key(out, s->planes.names[k]);
    double norm = cairn_plane_norm(w, s->p);
    SCOPED(cairn_text_clear) cairn_text equation = cairn_text_start(ctx);
    cairn_add_plane(&equation, w, s->columns, s->p);
    CHECK(cairn_text_status(&equation));
    cairn_report_heading(out, 2, "Plane %s: %s", s->planes.names[k], cairn_text_string(&equation));
    cairn_report_value(out, "norm of the normal vector", norm, "norm.%s", name);
    cairn_report_value(out, "distance of the origin", fabs(w[s->p]) / norm, "origin.%s", name);
    cairn_report_table_of(out, NULL, 0, "lrlrr", "point", "w·x + constant", "side",
                          "signed distance", "distance");
    for (size_t i = 0; i < s->points.n; i++) {
        const char *of = cairn_report_key(out, s->points.names[i]);
        int on = side(s, k, i);
        double at = on ? value(s, k, i) : 0;
        cairn_report_cell(out, s->points.names[i]);
        cairn_report_cell_number(out, at, 0, "value.%s.%s", name, of);
        cairn_report_cell_word(out, on > 0 ? "+" : on < 0 ? "-" : "on", "side.%s.%s", name, of);
        cairn_report_cell_number(out, at / norm, 0, "signed.%s.%s", name, of);
        cairn_report_cell_number(out, fabs(at) / norm, 0, "distance.%s.%s", name, of);
    }
    return CAIRN_OK;
}

/* Which function is largest at every point; equal ones are all named. */
static cairn_status show_largest(cairn_context *ctx, cairn_report *out, const setting *s)
{
    cairn_report_heading(out, 2, "The largest function");
    cairn_report_table_of(out, NULL, 0, "l", "point");
    for (size_t k = 0; k < s->planes.n; k++) cairn_report_column(out, s->planes.names[k], 'r');
    cairn_report_column(out, "largest", 'l');
    for (size_t i = 0; i < s->points.n; i++) {
        double most = -INFINITY;
        bool any = false;
        SCOPED(cairn_text_clear) cairn_text names = cairn_text_start(ctx);
        for (size_t k = 0; k < s->planes.n; k++) most = fmax(most, value(s, k, i));
        cairn_report_cell(out, s->points.names[i]);
        for (size_t k = 0; k < s->planes.n; k++) {
            cairn_report_cell_number(out, value(s, k, i), 0, NULL);
            if (value(s, k, i) < most) continue;
            cairn_text_addf(&names, "%s%s", any ? " = " : "", s->planes.names[k]);
            any = true;
        }
        cairn_report_cell_word(out, cairn_text_string(&names), "argmax.%s",
                               cairn_report_key(out, s->points.names[i]));
        CHECK(cairn_text_status(&names));
    }
    return CAIRN_OK;
}

/* "w·x + c = 3·1 + (-4)·(-2) + 12·3 + (-1) = 46;  distance |46| / 13" for the first points. */
static cairn_status work_plane(cairn_context *ctx, cairn_report *out, const setting *s, size_t k)
{
    const double *w = cairn_plane(&s->planes, k);
    double *terms, norm = cairn_plane_norm(w, s->p), inner = cairn_dot(w, w, s->p);
    CHECK(SCRATCH(ctx, &terms, cairn_product(s->p, 2)));
    cairn_report_step_begin(out, "Distances from plane %s", s->planes.names[k]);
    cairn_report_formula(out, "distance = |w·x + constant| / ‖w‖");
    cairn_report_worked_sum(out, "‖w‖²", "#²", w, 1, s->p, inner);
    cairn_report_worked(out, "‖w‖", "√# = #", inner, norm);
    for (size_t i = 0; i < s->points.n && i < MOST_WORKED; i++) {
        double product = cairn_dot(w, point(s, i), s->p), at = value(s, k, i);
        for (size_t j = 0; j < s->p; j++) {
            terms[2 * j] = w[j];
            terms[2 * j + 1] = point(s, i)[j];
        }
        cairn_report_paragraph(out, "Point %s:", s->points.names[i]);
        cairn_report_worked_sum(out, "w·x", "#·#", terms, 2, s->p, product);
        cairn_report_worked(out, "w·x + constant", "# + # = #", product, w[s->p], at);
        cairn_report_worked(out, "distance", "|#| / # = #", at, norm, fabs(at) / norm);
    }
    cairn_report_step_end(out);
    return CAIRN_OK;
}

static cairn_status hyperplane_run(cairn_context *ctx, cairn_report *out,
                                   const cairn_compute_job *job)
{
    setting s;
    CHECK(read_setting(ctx, &s, job));
    cairn_report_heading(out, 1, "%zu point%s and %zu hyperplane%s in %zu dimension%s", s.points.n,
                         s.points.n == 1 ? "" : "s", s.planes.n, s.planes.n == 1 ? "" : "s", s.p,
                         s.p == 1 ? "" : "s");
    for (size_t k = 0; k < s.planes.n; k++) {
        CHECK(show_plane(ctx, out, &s, k));
        if (job->steps) CHECK(work_plane(ctx, out, &s, k));
    }
    return s.planes.n > 1 ? show_largest(ctx, out, &s) : CAIRN_OK;
}

const cairn_calculator cairn_compute_hyperplane = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "hyperplane",
              .also = "plane, line, half-space, distance from a plane, signed distance, linear "
                      "discriminant, argmax",
              .title = "Sides and distances of points from hyperplanes",
              .summary = "For typed hyperplanes w·x + constant = 0 in any dimension and typed "
                         "points or the rows of a table: the value, the side, the signed and the "
                         "absolute distance; of several functions the largest at each point.",
              .example = "cairn compute hyperplane --planes 3,-4,12,-1 --points 1,-2,3 --steps",
              .params = hyperplane_table,
              .params_size = sizeof(hyperplane_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .run = hyperplane_run,
};
