/* SPDX-License-Identifier: MIT */
/* cairn draw feature-space: the same rows and the same boundary in the space of the input and in
 * the space that a transform maps it to: a circle there, a line here. A learner is fitted to the
 * mapped columns; in the input its boundary is asked through the map. A panel between shows where
 * rows move. Where the map makes more than two columns, two are drawn and the others held at their
 * mean. */
#include "pictures/slice.h"

#include "base/memory.h"
#include "base/text.h"
#include "model/chain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { GRID = 220, MOST_ARROWS = 400, MOST_LABELS = 60 };

typedef struct feature_space_params {
    const char *x, *y, *u, *v, *with, *fit;
    const cairn_params *transforms; /* what `with` stands for */
    bool arrows, label;
} feature_space_params;

static const cairn_param feature_space_table[] = {
    CAIRN_PARAM_TRANSFORMS(
        feature_space_params,
        "the transforms that make the features of the input, such as basis:poly,degree=2",
        .often = true, .initial = "basis:squares"),
    {.name = "fit",
     .names = "learner",
     .type = CAIRN_TYPE_SPEC,
     .offset = offsetof(feature_space_params, fit),
     .initial = "basic-linear",
     .help = "the learner that is fitted to the features",
     .often = true},
    CAIRN_PARAM_AS(feature_space_params, x, CAIRN_TYPE_COLUMNS, NULL,
                   "input along the horizontal axis; the first number column if not given"),
    CAIRN_PARAM_AS(feature_space_params, y, CAIRN_TYPE_COLUMNS, NULL,
                   "input along the vertical axis; the second number column if not given"),
    CAIRN_PARAM(feature_space_params, u, NULL, NULL,
                "feature along the horizontal axis; the first one made if not given"),
    CAIRN_PARAM(feature_space_params, v, NULL, NULL,
                "feature along the vertical axis; the second one made if not given"),
    CAIRN_PARAM(feature_space_params, arrows, "no", NULL,
                "a panel with arrows from the inputs of every row to its features"),
    CAIRN_PARAM(feature_space_params, label, "no", NULL,
                "the number of every row beside its point"),
    CAIRN_PARAM_END,
};

typedef struct mapping {
    cairn_context *ctx;
    const feature_space_params *p;
    const cairn_table *table; /* the data */
    cairn_table *mapped;      /* with the features in place of the inputs; owned */
    size_t input[2], feature[2];
    cairn_groups groups;
} mapping;

static void clear_mapping(mapping *m)
{
    cairn_table_free(m->mapped);
}

/* The map is fitted to the two inputs; the target stays beside what it makes. */
static cairn_status map_rows(mapping *m)
{
    OWNED(cairn_table_free) cairn_table *own = NULL;
    OWNED(cairn_model_free) cairn_model *recipe = NULL;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    CHECK(cairn_slice_table(m->ctx, &own, m->table, m->input[0], m->input[1]));
    options.transforms = m->p->transforms;
    CHECK(cairn_recipe_fit(m->ctx, &recipe, &m->mapped, own, &options));
    if (m->mapped->n_rows == m->table->n_rows) return CAIRN_OK;
    return cairn_fail(m->ctx, CAIRN_USAGE,
                      "{with}: this transform changes the rows, so that they cannot be drawn in "
                      "both spaces");
}

/* The named features, else the first two that are no inputs, else the first two. */
static cairn_status choose_features(mapping *m)
{
    const cairn_table *t = m->mapped;
    const char *made[2] = {NULL, NULL};
    size_t n = 0;
    for (size_t c = 0; c < t->n_columns && n < 2; c++)
        if (t->slots[c].role == CAIRN_FEATURE && cairn_table_numbers(t, c) &&
            cairn_table_find(m->table, t->slots[c].name) < 0)
            made[n++] = t->slots[c].name;
    const char *u = m->p->u ? m->p->u : made[0], *v = m->p->v ? m->p->v : made[1];
    if (!m->p->v && cairn_same(u, v)) v = made[0];
    CHECK(cairn_picture_numbers(m->ctx, &m->feature[0], t, "u", u, 0));
    CHECK(cairn_picture_numbers(m->ctx, &m->feature[1], t, "v", v, u ? 0 : 1));
    if (m->feature[0] != m->feature[1]) return CAIRN_OK;
    return cairn_fail(m->ctx, CAIRN_USAGE,
                      "the map makes one feature, '%s'; name another column with {v}",
                      t->slots[m->feature[0]].name);
}

/* One of the two spaces: rows and boundary. */
static cairn_status draw_space(mapping *m, cairn_figure *all, const char *title,
                               const cairn_table *table, const size_t at[2],
                               const cairn_params *transforms, bool legend)
{
    OWNED(cairn_figure_free) cairn_figure *panel = NULL;
    OWNED(cairn_model_free) cairn_model *model = NULL;
    cairn_contour line;
    cairn_model_slice slice = {.table = table, .x = at[0], .y = at[1], .n = GRID};
    if (transforms)
        CHECK(cairn_slice_fit(m->ctx, &model, table, at[0], at[1], m->p->fit, transforms));
    else
        CHECK(cairn_slice_fit_all(m->ctx, &model, table, m->p->fit));
    slice.model = model;
    CHECK(cairn_slice_range(m->ctx, &slice));
    CHECK(cairn_slice_boundary(m->ctx, &line, &slice));
    CHECK(cairn_figure_new(m->ctx, &panel, "space", title));
    cairn_figure_size(panel, 350, 300);
    cairn_figure_axes(panel, table->slots[at[0]].name, table->slots[at[1]].name);
    const double *x = cairn_table_numbers(table, at[0]), *y = cairn_table_numbers(table, at[1]);
    cairn_figure_points(panel, x, y, m->groups.codes, table->n_rows,
                        legend ? m->groups.names : NULL, legend ? m->groups.n : 0);
    if (line.n) cairn_figure_line(panel, legend ? m->p->fit : NULL, line.x, line.y, line.n);
    for (size_t i = 0; m->p->label && i < table->n_rows && table->n_rows <= MOST_LABELS; i++) {
        char text[24];
        (void)snprintf(text, sizeof text, "%zu", i + 1);
        if (isfinite(x[i]) && isfinite(y[i])) cairn_figure_label(panel, x[i], y[i], text);
    }
    cairn_figure_panel(all, TAKE(panel));
    return cairn_figure_status(all);
}

/* From (x, y) to (u, v) of every row, on the same axes, as lines with the class of the row at their
 * end. */
static cairn_status draw_arrows(mapping *m, cairn_figure *all)
{
    cairn_figure *panel = NULL;
    const double *from_x = cairn_table_numbers(m->table, m->input[0]);
    const double *from_y = cairn_table_numbers(m->table, m->input[1]);
    const double *to_x = cairn_table_numbers(m->mapped, m->feature[0]);
    const double *to_y = cairn_table_numbers(m->mapped, m->feature[1]);
    size_t n = m->table->n_rows;
    if (n > MOST_ARROWS)
        return cairn_fail(m->ctx, CAIRN_USAGE, "{arrows}: at most %d rows can be followed, not %zu",
                          MOST_ARROWS, n);
    CHECK(cairn_figure_new(m->ctx, &panel, "map", "the map"));
    cairn_figure_size(panel, 350, 300);
    cairn_figure_axes(panel, "x, u", "y, v");
    for (size_t i = 0; i < n; i++) {
        const double x[2] = {from_x[i], to_x[i]}, y[2] = {from_y[i], to_y[i]};
        cairn_figure_grey_arrow(panel, x, y, 2);
    }
    cairn_figure_points(panel, to_x, to_y, m->groups.codes, n, NULL, 0);
    cairn_figure_panel(all, panel);
    return CAIRN_OK;
}

static cairn_status feature_space_draw(cairn_context *ctx, cairn_figure **out,
                                       const cairn_compute_job *job)
{
    const feature_space_params *p = job->params;
    SCOPED(clear_mapping) mapping m = {.ctx = ctx, .p = p, .table = job->table};
    CHECK(cairn_picture_pair(ctx, m.input, job->table, p->x, p->y));
    CHECK(cairn_picture_groups(ctx, &m.groups, job->table, NULL));
    CHECK(map_rows(&m));
    CHECK(choose_features(&m));
    CHECK(
        cairn_picture_new(ctx, out, "feature-space", job->table, "Input space and feature space"));
    CHECK(draw_space(&m, *out, "input", m.table, m.input, p->transforms, false));
    if (p->arrows) CHECK(draw_arrows(&m, *out));
    return draw_space(&m, *out, "features", m.mapped, m.feature, NULL, true);
}

const cairn_calculator cairn_picture_feature_space = {
    .picture =
        {.kind = CAIRN_ENTRY_PICTURE,
         .name = "feature-space",
         .also = "feature map, input space and feature space, kernel trick, basis expansion",
         .title = "Input space beside feature space",
         .summary =
             "The rows and the boundary of one learner in the space of two inputs and in the "
             "space of the features that transforms make of them: what is a line among the "
             "features is a circle or another curve among the inputs. --arrows shows where each "
             "row goes.",
         .references = "Flach, Machine Learning, Cambridge University Press 2012",
         .example = "cairn draw feature-space @iris --x petal_length --y petal_width --out map.svg",
         .params = feature_space_table,
         .params_size = sizeof(feature_space_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .draw = feature_space_draw,
};
