/* SPDX-License-Identifier: MIT */
/* cairn compute margin and cairn draw margin: how well typed lines and hyperplanes separate two
 * classes.
 *
 * A plane has the class on its positive side that makes it misclassify less. The margin of a row
 * is its distance, negative on the wrong side; that of a class is the least of its rows; that of
 * the plane is the least of all (distance), or twice that (street). */
#include "typed/vectors.h"

#include "base/text.h"
#include "model/task.h"
#include "plots/margin_plot.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_ROWS = 200, MOST_WORKED = 12 };

typedef struct margin_params {
    const char *planes, *positive;
    bool distances, means;
} margin_params;

static const cairn_param margin_table[] = {
    CAIRN_PARAM(margin_params, planes, NULL, NULL,
                "coefficients of w·x + constant = 0 over the number columns in their order, the "
                "constant last, such as 5,2,-535; several are separated by ; and may have names: "
                "A=5,2,-535;B=7,6,-995.5",
                .required = true),
    CAIRN_PARAM(margin_params, positive, NULL, NULL,
                "class that should be on the positive side; the one that fits better if not given"),
    CAIRN_PARAM(margin_params, distances, "yes", NULL,
                "in the picture: perpendiculars from the nearest point of each class"),
    CAIRN_PARAM(margin_params, means, "no", NULL, "in the picture: an asterisk at each class mean"),
    CAIRN_PARAM_END,
};

typedef struct case_of_planes {
    cairn_class_points data;
    cairn_vectors planes;
    int32_t wanted; /* class on the positive side; -1 = whichever fits */
    size_t p;
} case_of_planes;

/* What a plane does with the rows. */
typedef struct outcome {
    const double *plane;
    double norm;
    int32_t positive;  /* class on its positive side */
    size_t n_wrong;    /* rows on the wrong side, or on the plane */
    size_t nearest[2]; /* row of each class with the least margin */
    double margins[2]; /* of each class */
    size_t closest;    /* row with the least distance */
    double margin;     /* least of all rows */
} outcome;

static const double *point(const case_of_planes *c, size_t i)
{
    return c->data.points.values + i * c->p;
}

/* Distance, negative on the wrong side. */
static double row_margin(const case_of_planes *c, const outcome *o, size_t i)
{
    double d = cairn_plane_value(o->plane, point(c, i), c->p) / o->norm;
    return c->data.classes.codes[i] == o->positive ? d : -d;
}

static size_t count_wrong(const case_of_planes *c, const outcome *o)
{
    size_t n = 0;
    for (size_t i = 0; i < c->data.points.n; i++) n += !(row_margin(c, o, i) > 0);
    return n;
}

/* Turns the plane the way that misclassifies less, unless a class was asked for. */
static outcome judge(const case_of_planes *c, size_t k)
{
    outcome o = {.plane = cairn_plane(&c->planes, k), .margins = {INFINITY, INFINITY}};
    o.norm = cairn_plane_norm(o.plane, c->p);
    o.positive = c->wanted < 0 ? 1 : c->wanted;
    o.n_wrong = count_wrong(c, &o);
    if (c->wanted < 0) {
        outcome other = o;
        other.positive = 0;
        other.n_wrong = count_wrong(c, &other);
        if (other.n_wrong < o.n_wrong) o = other;
    }
    for (size_t i = 0; i < c->data.points.n; i++) {
        int32_t class = c->data.classes.codes[i];
        double own = row_margin(c, &o, i);
        if (own < o.margins[class]) {
            o.margins[class] = own;
            o.nearest[class] = i;
        }
        if (fabs(own) < fabs(row_margin(c, &o, o.closest))) o.closest = i;
    }
    o.margin = fmin(o.margins[0], o.margins[1]);
    return o;
}

/* Two classes, and planes over all number columns. */
static cairn_status read_case(cairn_context *ctx, case_of_planes *c, const cairn_compute_job *job)
{
    const margin_params *p = job->params;
    *c = (case_of_planes){.wanted = -1};
    CHECK(cairn_class_points_read(ctx, &c->data, job->table, true, job->what));
    if (c->data.classes.n != 2)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the target '%s' has %zu classes, and a plane separates two; choose rows "
                          "with {where}, or ask 'compute separability', which takes every pair",
                          c->data.classes.target, c->data.classes.n);
    c->p = c->data.points.width;
    CHECK(cairn_read_vectors(ctx, &c->planes, "planes", p->planes, ""));
    if (p->positive) {
        c->wanted = cairn_find_class(&c->data.classes, p->positive);
        if (c->wanted < 0)
            return cairn_fail(ctx, CAIRN_USAGE, "{positive %s}: the target '%s' has no such class",
                              p->positive, c->data.classes.target);
    }
    return cairn_planes_check(ctx, &c->planes, c->p, "planes");
}

/* -- the report -- */

/* Does it separate, who is nearest, and the margins under both names. */
static cairn_status show_plane(cairn_context *ctx, cairn_report *out, const case_of_planes *c,
                               size_t k)
{
    outcome o = judge(c, k);
    const char *name = cairn_report_key(out, c->planes.names[k]);
    const cairn_classes *classes = &c->data.classes;
    SCOPED(cairn_text_clear) cairn_text equation = cairn_text_start(ctx);
    cairn_add_plane(&equation, o.plane, c->data.columns, c->p);
    CHECK(cairn_text_status(&equation));
    cairn_report_heading(out, 2, "Plane %s: %s", c->planes.names[k], cairn_text_string(&equation));
    cairn_report_word(out, "separates the classes", o.n_wrong ? "no" : "yes", "separates.%s", name);
    cairn_report_word(out, "class on the positive side", classes->names[o.positive], "positive.%s",
                      name);
    cairn_report_value(out, "rows on the wrong side", (double)o.n_wrong, "wrong.%s", name);
    cairn_report_word(out, "closest row", c->data.points.names[o.closest], "closest.%s", name);
    cairn_report_value(out, "its distance", fabs(row_margin(c, &o, o.closest)), "shortest.%s",
                       name);
    for (size_t j = 0; j < 2; j++) {
        SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(ctx);
        cairn_text_addf(&label, "margin of %s (row %s)", classes->names[j],
                        c->data.points.names[o.nearest[j]]);
        cairn_report_value(out, cairn_text_string(&label), o.margins[j], "class_margin.%s.%s", name,
                           cairn_report_key(out, classes->names[j]));
        CHECK(cairn_text_status(&label));
    }
    cairn_report_value(out, "margin, as the least distance", o.margin, "half.%s", name);
    cairn_report_value(out, "margin, as a street", 2 * o.margin, "full.%s", name);
    cairn_report_value(out, "street between the classes in this direction",
                       o.margins[0] + o.margins[1], "between.%s", name);
    /* Every row with its margin; the nearest of each class are marked. */
    cairn_report_table_of(out, "Rows", SHOWN_ROWS, "llrrrl", "row", "class", "w·x + constant",
                          "distance", "margin", "");
    for (size_t i = 0; i < c->data.points.n; i++) {
        const char *row = cairn_report_key(out, c->data.points.names[i]);
        int32_t class = c->data.classes.codes[i];
        double at = cairn_plane_value(o.plane, point(c, i), c->p), own = row_margin(c, &o, i);
        if (o.nearest[class] == i) cairn_report_row_mark(out);
        cairn_report_cells(out, NULL, c->data.points.names[i], c->data.classes.names[class]);
        cairn_report_cell_number(out, at, 0, "value.%s.%s", name, row);
        cairn_report_cell_number(out, fabs(own), 0, "distance.%s.%s", name, row);
        cairn_report_cell_number(out, own, 0, "margin.%s.%s", name, row);
        cairn_report_cell(out, own < 0 ? "wrong side" : own > 0 ? "" : "on the plane");
    }
    return CAIRN_OK;
}

/* All planes in one table; the one with the largest margin is marked. */
static void compare(cairn_report *out, const case_of_planes *c)
{
    size_t best = 0;
    for (size_t k = 1; k < c->planes.n; k++)
        if (judge(c, k).margin > judge(c, best).margin) best = k;
    cairn_report_heading(out, 2, "Compared");
    cairn_report_table_of(out, NULL, 0, "llrrr", "plane", "separates", "wrong rows", "distance",
                          "street");
    for (size_t k = 0; k < c->planes.n; k++) {
        outcome o = judge(c, k);
        if (k == best) cairn_report_row_mark(out);
        cairn_report_cells(out, NULL, c->planes.names[k], o.n_wrong ? "no" : "yes",
                           (double)o.n_wrong, o.margin, 2 * o.margin);
    }
    cairn_report_word(out, "largest margin", c->planes.names[best], "best");
}

/* -- the picture -- */

static void draw_plane(cairn_figure *figure, const cairn_margin_scene *scene,
                       const case_of_planes *c, size_t k, bool distances)
{
    outcome o = judge(c, k);
    double plane[3] = {o.plane[0], c->p > 1 ? o.plane[1] : 0, o.plane[c->p]};
    cairn_margin_line(figure, scene, plane, c->planes.names[k]);
    if (!o.n_wrong)
        cairn_margin_street(figure, scene, plane, o.margin * o.norm,
                            c->planes.n == 1 ? "street" : "");
    for (size_t j = 0; distances && j < 2; j++)
        cairn_margin_perpendicular(figure, scene, plane, 0, o.nearest[j]);
}

/* All planes in one picture, each with its street where it separates the classes. */
static cairn_status margin_figure(cairn_context *ctx, cairn_figure **out, const case_of_planes *c,
                                  const margin_params *p)
{
    const char *title = c->planes.n == 1 ? "A plane and its margin" : "Planes and their margins";
    cairn_margin_scene scene = {.points = c->data.points.values,
                                .n = c->data.points.n,
                                .stride = c->p,
                                .groups = c->data.classes.codes,
                                .group_names = c->data.classes.names,
                                .n_groups = 2,
                                .x = c->data.columns[0],
                                .y = c->p > 1 ? c->data.columns[1] : ""};
    CHECK(cairn_margin_start(ctx, out, &scene, "margin", title));
    for (size_t k = 0; k < c->planes.n; k++) draw_plane(*out, &scene, c, k, p->distances);
    return p->means ? cairn_margin_means(ctx, *out, &scene) : CAIRN_OK;
}

static cairn_status margin_draw(cairn_context *ctx, cairn_figure **out,
                                const cairn_compute_job *job)
{
    case_of_planes c;
    CHECK(read_case(ctx, &c, job));
    if (c.p > 2)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the picture has two axes, and there are %zu number columns; choose two "
                          "with {features}",
                          c.p);
    return margin_figure(ctx, out, &c, job->params);
}

/* Plane after plane, then all of them in one table. */
static cairn_status margin_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    case_of_planes c;
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    CHECK(read_case(ctx, &c, job));
    cairn_report_heading(out, 1, "Margin of %zu hyperplane%s over %zu points", c.planes.n,
                         c.planes.n == 1 ? "" : "s", c.data.points.n);
    for (size_t k = 0; k < c.planes.n; k++) {
        CHECK(show_plane(ctx, out, &c, k));
        if (job->steps) {
            /* The nearest row of each class with the numbers put in. */
            outcome o = judge(&c, k);
            cairn_report_step_begin(out, "Margin of plane %s", c.planes.names[k]);
            cairn_report_formula(out, "margin of a row = ± (w·x + constant) / ‖w‖,  + for %s",
                                 c.data.classes.names[o.positive]);
            cairn_report_worked_sum(out, "‖w‖²", "#²", o.plane, 1, c.p, o.norm * o.norm);
            for (size_t i = 0; i < c.data.points.n && i < MOST_WORKED; i++) {
                double at = cairn_plane_value(o.plane, point(&c, i), c.p);
                char label[200];
                (void)snprintf(label, sizeof label, "margin of %.150s", c.data.points.names[i]);
                cairn_report_worked(
                    out, label, c.data.classes.codes[i] == o.positive ? "# / # = #" : "−# / # = #",
                    at, o.norm, row_margin(&c, &o, i));
            }
            cairn_report_worked(out, "margin", "min(#, #) = #", o.margins[0], o.margins[1],
                                o.margin);
            cairn_report_worked(out, "street", "2 · # = #", o.margin, 2 * o.margin);
            cairn_report_step_end(out);
        }
    }
    if (c.planes.n > 1) compare(out, &c);
    if (c.p > 2) return CAIRN_OK;
    CHECK(margin_figure(ctx, &figure, &c, job->params));
    cairn_report_page_figure(out, TAKE(figure));
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_margin = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "margin",
              .also = "separating line, separating plane, street, functional margin, geometric "
                      "margin, perpendicular distance",
              .title = "Margins of typed lines and hyperplanes",
              .summary = "Whether a hyperplane separates two classes, the nearest row of each, the "
                         "margin of the classes and of the plane as distance and as street, and "
                         "several planes compared.",
              .example = "cairn compute margin @tennis --planes 'A=5,2,-535;B=7,6,-995.5'",
              .params = margin_table,
              .params_size = sizeof(margin_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "margin",
                .also = "separating line, street, perpendicular",
                .title = "Lines between two classes and their margins",
                .summary = "Rows of two classes, typed lines, for a line that separates them the "
                           "dashed bounds of its street, and the perpendiculars from the nearest "
                           "row of each class.",
                .example = "cairn draw margin @tennis --planes 'A=5,2,-535;B=7,6,-995.5'",
                .params = margin_table,
                .params_size = sizeof(margin_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .run = margin_run,
    .draw = margin_draw,
};
