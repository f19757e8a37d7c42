/* SPDX-License-Identifier: MIT */
/* cairn compute separability: whether a hyperplane separates two classes, by linear programming.
 *
 * Wanted is the least total violation Σ ξ with class · (w·x + c) >= 1 − ξ and ξ >= 0 (solve/
 * constrained.h). Where it is not 0, both classes, weighted by the dual solution, have the same
 * mean: a point that both hulls hold. */
#include "typed/vectors.h"

#include "base/text.h"
#include "plots/margin_plot.h"
#include "solve/certificate.h"
#include "solve/constrained.h"
#include "report/table_rows.h"

#include <math.h>
#include <string.h>

enum { SHOWN_ROWS = 200, MOST_CELLS = 40000000 };

typedef struct separability_params {
    double tolerance;
} separability_params;

static const cairn_param separability_table[] = {
    CAIRN_PARAM(separability_params, tolerance, "1e-10", "(0,0.01]",
                "gaps of this size, beside the range of a column, are rounding"),
    CAIRN_PARAM_END,
};

/* Two classes and what the program says about them. */
typedef struct matter {
    const cairn_class_points *data;
    int32_t positive, negative;
    size_t *rows, n, p;          /* points of the two classes */
    cairn_least_violation found; /* the positive class on the positive side */
    cairn_certificate certificate;
    const char *prefix; /* of names of values */
} matter;

static const double *point(const matter *m, size_t i)
{
    return m->data->points.values + m->rows[i] * m->p;
}

static double sign(const matter *m, size_t i)
{
    return m->data->classes.codes[m->rows[i]] == m->positive ? 1 : -1;
}

static double functional_margin(const matter *m, size_t i)
{
    return sign(m, i) * cairn_plane_value(m->found.plane, point(m, i), m->p);
}

static double violation(const matter *m, size_t i)
{
    double short_of = 1 - functional_margin(m, i);
    return short_of > 1e-9 ? short_of : 0;
}

/* Rows of the two classes; refuses a program that would not fit into memory. */
static cairn_status choose_rows(cairn_context *ctx, matter *m)
{
    const cairn_class_points *data = m->data;
    m->p = data->points.width;
    CHECK(SCRATCH(ctx, &m->rows, data->points.n));
    for (size_t i = 0; i < data->points.n; i++) {
        int32_t code = data->classes.codes[i];
        if (code == m->positive || code == m->negative) m->rows[m->n++] = i;
    }
    if (m->n > MOST_CELLS / (m->p + 1))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%zu rows of %zu columns are too many for a program that looks at all of "
                          "them at once; take a sample ({sample}), or fit svm and see its errors",
                          m->n, m->p);
    return CAIRN_OK;
}

static cairn_status separate(cairn_context *ctx, matter *m, double tolerance)
{
    double *points, *signs;
    CHECK(SCRATCH_RAW(ctx, &points, cairn_product(m->n, m->p)));
    CHECK(SCRATCH_RAW(ctx, &signs, m->n));
    for (size_t i = 0; i < m->n; i++) {
        signs[i] = sign(m, i);
        memcpy(points + i * m->p, point(m, i), m->p * sizeof *points);
    }
    CHECK(cairn_separate(ctx, &m->found, points, signs, m->n, m->p, tolerance));
    if (m->found.ending == CAIRN_ENDING_LIMIT)
        return cairn_fail(ctx, CAIRN_NO_SOLUTION,
                          "the simplex method found no end within %zu steps", m->found.steps);
    m->certificate.remedy = "scale the columns first ({with scale})";
    cairn_separate_certify(&m->found, &m->certificate);
    return cairn_certificate_judge(ctx, &m->certificate, "separability");
}

/* -- what is shown -- */

/* The plane, and how near the points come to it. */
static cairn_status show_plane(cairn_context *ctx, cairn_report *out, const matter *m)
{
    SCOPED(cairn_text_clear) cairn_text equation = cairn_text_start(ctx);
    double norm = cairn_plane_norm(m->found.plane, m->p), nearest = INFINITY;
    cairn_add_plane(&equation, m->found.plane, m->data->columns, m->p);
    CHECK(cairn_text_status(&equation));
    for (size_t i = 0; i < m->n; i++) nearest = fmin(nearest, functional_margin(m, i));
    cairn_report_word(
        out, m->found.separable ? "a plane that separates" : "plane of the least violation",
        cairn_text_string(&equation), "%sequation", m->prefix);
    for (size_t j = 0; j < m->p; j++)
        cairn_report_hidden(out, m->found.plane[j], "%sweight.%s", m->prefix,
                            cairn_report_key(out, m->data->columns[j]));
    cairn_report_hidden(out, m->found.plane[m->p], "%sconstant", m->prefix);
    if (m->found.separable && norm > 0)
        cairn_report_value(out, "distance of the nearest point", nearest / norm, "%snearest",
                           m->prefix);
    return CAIRN_OK;
}

/* Both hulls hold the mean of either class, weighted by α. */
static cairn_status show_common_point(cairn_context *ctx, cairn_report *out, const matter *m)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    double sum = 0;
    for (size_t i = 0; i < m->n; i++)
        if (sign(m, i) > 0) sum += m->found.alpha[i];
    cairn_text_add_char(&text, '(');
    for (size_t j = 0; j < m->p; j++) {
        double at = 0;
        for (size_t i = 0; i < m->n; i++)
            if (sign(m, i) > 0) at += m->found.alpha[i] / sum * point(m, i)[j];
        if (j) cairn_text_add(&text, ", ");
        cairn_text_add_number(&text, at, 6);
        cairn_report_hidden(out, at, "%scommon.%s", m->prefix,
                            cairn_report_key(out, m->data->columns[j]));
    }
    cairn_text_add_char(&text, ')');
    CHECK(cairn_text_status(&text));
    cairn_report_word(out, "a point that both hulls hold", cairn_text_string(&text), "%scommon",
                      m->prefix);
    return CAIRN_OK;
}

/* The program with its numbers, and every constraint at its solution. */
static void work(cairn_report *out, const matter *m)
{
    cairn_report_step_begin(out, "The linear program");
    cairn_report_formula(out, "least Σ ξᵢ   with   yᵢ (w·xᵢ + c) ≥ 1 − ξᵢ,  ξᵢ ≥ 0");
    cairn_report_paragraph(out,
                           "%zu constraints, %zu unknowns of the plane; y is 1 for %s and -1 for "
                           "%s. The simplex method took %zu step%s.",
                           m->n, m->p + 1, m->data->classes.names[m->positive],
                           m->data->classes.names[m->negative], m->found.steps,
                           m->found.steps == 1 ? "" : "s");
    cairn_report_table_of(out, "The constraints at the solution", SHOWN_ROWS, "lrrrr", "row", "y",
                          "w·x + c", "y (w·x + c)", "ξ");
    for (size_t i = 0; i < m->n; i++) {
        const char *name = m->data->points.names[m->rows[i]];
        cairn_report_prefix(out, "%svalue", m->prefix);
        cairn_report_cells(out, "- - @.$1", name, sign(m, i), sign(m, i) * functional_margin(m, i),
                           functional_margin(m, i), violation(m, i));
    }
    cairn_report_worked(out, "Σ ξ",
                        m->found.separable
                            ? "#: the plane separates the classes"
                            : "#: more than 0, so that no plane separates the classes",
                        m->found.violation);
    cairn_report_step_end(out);
}

/* The answer, its plane, and without one that separates who stands in the way. */
static cairn_status show(cairn_context *ctx, cairn_report *out, const matter *m, bool steps)
{
    size_t n = 0;
    for (size_t j = 0; j <= m->p; j++)
        if (!isfinite(m->found.plane[j]))
            return cairn_fail(ctx, CAIRN_NO_SOLUTION,
                              "the numbers are so small that the coefficients of the plane pass "
                              "the largest number there is; bring the columns to a common scale, "
                              "as {with standardise} does");
    for (size_t i = 0; i < m->n; i++) n += violation(m, i) > 0;
    cairn_report_word(out, "linearly separable", m->found.separable ? "yes" : "no", "%sseparable",
                      m->prefix);
    cairn_report_value(out, "least total violation", m->found.violation, "%sviolation", m->prefix);
    CHECK(show_plane(ctx, out, m));
    if (!m->found.separable) {
        cairn_report_value(out, "rows with a violation", (double)n, "%sviolations", m->prefix);
        CHECK(show_common_point(ctx, out, m));
        /* The rows that the plane with the least violation cannot serve. */
        cairn_report_table_of(out, "Rows with a violation", SHOWN_ROWS, "llrrl", "row", "class",
                              "class · (w·x + c)", "violation", "");
        for (size_t i = 0; i < m->n; i++) {
            const char *name = m->data->points.names[m->rows[i]];
            double over = violation(m, i);
            if (over == 0) continue;
            cairn_report_prefix(out, "%sviolation", m->prefix);
            cairn_report_cells(out, "- - - @.$1", name,
                               m->data->classes.names[m->data->classes.codes[m->rows[i]]],
                               functional_margin(m, i), over,
                               over < 1   ? "right side"
                               : over > 1 ? "wrong side"
                                          : "on the plane");
        }
    }
    if (steps) work(out, m);
    return CAIRN_OK;
}

/* Over one or two coordinates: the plane, and rings around the rows that it cannot serve. */
static cairn_status draw(cairn_context *ctx, cairn_report *out, const matter *m)
{
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    const char *const *all = m->data->classes.names;
    const char *names[2] = {all[m->positive], all[m->negative]};
    double *points, plane[3] = {m->found.plane[0], 0, m->found.plane[m->p]};
    int32_t *groups;
    CHECK(SCRATCH(ctx, &points, cairn_product(m->n, m->p)));
    CHECK(SCRATCH(ctx, &groups, m->n));
    for (size_t i = 0; i < m->n; i++) {
        memcpy(points + i * m->p, point(m, i), m->p * sizeof *points);
        groups[i] = sign(m, i) < 0;
    }
    cairn_margin_scene scene = {.points = points,
                                .n = m->n,
                                .stride = m->p,
                                .groups = groups,
                                .group_names = names,
                                .n_groups = 2,
                                .x = m->data->columns[0],
                                .y = m->p > 1 ? m->data->columns[1] : ""};
    if (m->p > 1) plane[1] = m->found.plane[1];
    CHECK(cairn_margin_start(ctx, &figure, &scene, "separability",
                             m->found.separable ? "A plane that separates the classes"
                                                : "The plane of the least violation"));
    cairn_margin_line(figure, &scene, plane, "plane");
    for (size_t i = 0; i < m->n; i++)
        if (violation(m, i) > 0)
            cairn_margin_ring(figure, &scene, i, m->data->points.names[m->rows[i]]);
    cairn_report_page_figure(out, TAKE(figure));
    return CAIRN_OK;
}

/* Every two of the classes. */
static cairn_status show_pairs(cairn_context *ctx, cairn_report *out,
                               const cairn_class_points *data, double tolerance, bool steps)
{
    bool all = true;
    const cairn_classes *c = &data->classes;
    for (size_t a = 0; a < c->n; a++)
        for (size_t b = a + 1; b < c->n; b++) {
            matter m = {.data = data, .positive = (int32_t)b, .negative = (int32_t)a};
            SCOPED(cairn_text_clear) cairn_text prefix = cairn_text_start(ctx);
            SCOPED_SCRATCH(ctx);
            cairn_text_addf(&prefix, "%s.", cairn_report_key(out, c->names[a]));
            cairn_text_addf(&prefix, "%s.", cairn_report_key(out, c->names[b]));
            CHECK(cairn_text_status(&prefix));
            m.prefix = c->n == 2 ? "" : cairn_text_string(&prefix);
            CHECK(choose_rows(ctx, &m));
            CHECK(separate(ctx, &m, tolerance));
            if (c->n > 2) cairn_report_heading(out, 2, "%s and %s", c->names[a], c->names[b]);
            CHECK(show(ctx, out, &m, steps));
            if (c->n == 2) cairn_certificate_report(out, &m.certificate);
            if (m.p <= 2) CHECK(draw(ctx, out, &m));
            all = all && m.found.separable;
        }
    if (c->n > 2) {
        cairn_report_heading(out, 2, "All pairs");
        cairn_report_word(out, "every two classes are separable", all ? "yes" : "no", "separable");
    }
    return CAIRN_OK;
}

/* Columns without numbers are told of, since a plane over them could separate the classes. */
static cairn_status separability_run(cairn_context *ctx, cairn_report *out,
                                     const cairn_compute_job *job)
{
    const separability_params *p = job->params;
    cairn_class_points data;
    CHECK(cairn_class_points_read(ctx, &data, job->table, true, job->what));
    if (data.classes.n < 2)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the target '%s' has one class only, and two are to be separated; add "
                          "rows of another class or choose another {target}",
                          data.classes.target);
    cairn_report_heading(out, 1, "Linear separability of %zu points", data.points.n);
    if (data.n_other)
        cairn_report_note(out, "Columns without numbers, which are left out: %zu.", data.n_other);
    return show_pairs(ctx, out, &data, p->tolerance, job->steps);
}

const cairn_calculator cairn_compute_separability = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "separability",
              .also = "linearly separable, linear separability, linear programming, simplex, "
                      "separating hyperplane, convex hulls",
              .title = "Whether a hyperplane separates the classes",
              .summary = "Linear programming decides for every two classes whether a hyperplane "
                         "has all rows of one on either side: such a plane, or the least total "
                         "violation with its rows and a point that both convex hulls hold.",
              .references = "Bennett and Mangasarian: Robust linear programming discrimination of "
                            "two linearly inseparable sets, Optimization Methods and Software 1, "
                            "1992",
              .example = "cairn compute separability @xor --target class --steps",
              .params = separability_table,
              .params_size = sizeof(separability_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .run = separability_run,
};
