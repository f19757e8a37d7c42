/* SPDX-License-Identifier: MIT */
/* Support vector machines as pictures, where the history knows the points: over two features the
 * boundary with the bounds of the street (curves for kernels that are not linear), support vectors
 * with their row numbers, perpendiculars and slacks, and the class means; over one feature, for
 * numbers, the curve with its tube. */
#include "learners/kernel/svm_shown.h"

#include "base/memory.h"
#include "draw/contour.h"
#include "model/chain.h"
#include "plots/margin_plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { GRID = 90, CURVE = 200, NAMED = 40, STREET_ROWS = 60 };

/* The only machine of a model, if its points were kept. */
static const cairn_svm_machine *machine_of(const cairn_svm_model *m, const cairn_job *job)
{
    const cairn_svm_history *history = job->history;
    if (!history || history->n_machines != 1 || !history->machines[0].points) return NULL;
    size_t wanted = m->task == CAIRN_REGRESS ? 1 : 2;
    const cairn_svm_machine *one = &history->machines[0];
    return m->n_terms == wanted && one->n_coordinates == wanted ? one : NULL;
}

/* Scores at places of the plane, n x n_terms numbers. */
static cairn_status score_places(cairn_context *ctx, const cairn_svm_model *m, const double *places,
                                 size_t n, double *out)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    cairn_view view;
    double *column;
    CHECK(SCRATCH(ctx, &column, n));
    CHECK(cairn_table_new(ctx, &table, n));
    for (size_t t = 0; t < m->n_terms; t++) {
        for (size_t i = 0; i < n; i++) column[i] = places[i * m->n_terms + t];
        CHECK(cairn_table_put_numbers(ctx, table, t ? "y" : "x", column));
    }
    CHECK(cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    return cairn_svm_scores(ctx, m, &view, out);
}

/* The name of a column, and whether its units are those of the data. */
static cairn_status axis_title(cairn_context *ctx, const char **out, const cairn_svm_shown *s,
                               size_t term)
{
    double value = 1;
    char *title;
    *out = s->terms[term];
    if (!s->job->described || !cairn_chain_restore(s->job->described, *out, &value))
        return CAIRN_OK;
    CHECK(SCRATCH(ctx, &title, strlen(*out) + 16));
    snprintf(title, strlen(*out) + 16, "%s, scaled", *out);
    *out = title;
    return CAIRN_OK;
}

/* -- classes -- */

/* Curves of score 0 and of ±1 by a grid over the picture. */
static cairn_status draw_curves(cairn_context *ctx, cairn_figure *figure,
                                const cairn_margin_scene *scene, const cairn_svm_model *m)
{
    double *places, *scores;
    cairn_contour line = {0}, street = {0}, other = {0};
    cairn_contour_grid grid = {.nx = GRID, .ny = GRID, .x = scene->low[0], .y = scene->low[1]};
    grid.dx = (scene->high[0] - scene->low[0]) / (GRID - 1);
    grid.dy = (scene->high[1] - scene->low[1]) / (GRID - 1);
    CHECK(SCRATCH(ctx, &places, (size_t)2 * GRID * GRID));
    CHECK(SCRATCH(ctx, &scores, (size_t)GRID * GRID));
    for (size_t i = 0; i < (size_t)GRID * GRID; i++) {
        size_t across = i % GRID, up = i / GRID;
        places[2 * i] = grid.x + grid.dx * (double)across;
        places[2 * i + 1] = grid.y + grid.dy * (double)up;
    }
    CHECK(score_places(ctx, m, places, (size_t)GRID * GRID, scores));
    grid.values = scores;
    CHECK(cairn_contour_trace(ctx, &line, &grid, 0));
    CHECK(cairn_contour_trace(ctx, &street, &grid, 1));
    CHECK(cairn_contour_trace(ctx, &other, &grid, -1));
    CHECK(cairn_contour_join(ctx, &street, &other));
    if (line.n) cairn_figure_line(figure, "boundary", line.x, line.y, line.n);
    if (street.n) cairn_figure_beside(figure, "street", street.x, street.y, street.n);
    return CAIRN_OK;
}

/* Linear machines have lines and distances; others curves, along which no distance is straight. */
static cairn_status draw_classes(cairn_context *ctx, cairn_figure **out, const cairn_svm_shown *s)
{
    const cairn_svm_model *m = s->model;
    /* Classes have the colours that they have in other pictures: by their places. */
    size_t n_names = (size_t)(m->plus[0] > m->minus[0] ? m->plus[0] : m->minus[0]) + 1;
    double plane[3] = {0};
    const char **names;
    int32_t *groups;
    CHECK(SCRATCH(ctx, &names, n_names));
    CHECK(SCRATCH(ctx, &groups, s->one->n));
    for (size_t k = 0; k < n_names; k++) names[k] = cairn_schema_class(s->job->schema, (int32_t)k);
    for (size_t i = 0; i < s->one->n; i++)
        groups[i] = s->one->targets[i] < 0 ? m->minus[0] : m->plus[0];
    for (size_t t = 0; m->weights && t < 3; t++)
        plane[t] = t < 2 ? cairn_svm_weight(s, t) : m->constants[s->k];
    cairn_margin_scene scene = {.points = s->one->points,
                                .n = s->one->n,
                                .stride = 2,
                                .groups = groups,
                                .group_names = names,
                                .n_groups = n_names,
                                .plane = m->weights ? plane : NULL};
    CHECK(axis_title(ctx, &scene.x, s, 0));
    CHECK(axis_title(ctx, &scene.y, s, 1));
    CHECK(cairn_margin_start(ctx, out, &scene, "margin", "Boundary, street and support vectors"));
    if (m->weights) {
        /* Of two and three points also the lines of the construction: between points of both
         * classes, and between the two of one class. */
        cairn_figure *figure = *out;
        const double *p = s->one->points;
        for (size_t i = 0; s->one->n <= 3 && i < s->one->n; i++)
            for (size_t j = i + 1; j < s->one->n; j++)
                cairn_figure_faint(figure, (double[]){p[2 * i], p[2 * j]},
                                   (double[]){p[2 * i + 1], p[2 * j + 1]}, 2);
        /* The line, the bounds of its street, distances of the rows on it, and slacks of those
         * beyond. */
        cairn_margin_line(figure, &scene, plane, "boundary");
        cairn_margin_street(figure, &scene, plane, 1, "street");
        for (size_t i = 0; s->one->n <= STREET_ROWS && i < s->one->n; i++) {
            if (cairn_svm_slack(s, i) > 0)
                cairn_margin_perpendicular(figure, &scene, plane, s->one->targets[i], i);
            else if (cairn_svm_group_of(s, i) != CAIRN_SVM_ZERO)
                cairn_margin_perpendicular(figure, &scene, plane, 0, i);
        }
    } else {
        CHECK(draw_curves(ctx, *out, &scene, m));
    }
    cairn_figure *figure = *out;
    char buffer[24];
    size_t n = 0;
    for (size_t i = 0; i < s->one->n; i++) n += cairn_svm_group_of(s, i) != CAIRN_SVM_ZERO;
    for (size_t i = 0; i < s->one->n; i++)
        if (cairn_svm_group_of(s, i) != CAIRN_SVM_ZERO)
            cairn_margin_ring(figure, &scene, i,
                              n <= NAMED ? cairn_svm_row_name(s, i, buffer) : NULL);
    return cairn_margin_means(ctx, *out, &scene);
}

/* -- numbers -- */

/* The curve and the tube around it. */
static cairn_status draw_tube(cairn_context *ctx, cairn_figure *figure, const cairn_svm_shown *s,
                              double low, double high)
{
    double *x, *f, *both, *side;
    CHECK(SCRATCH(ctx, &x, CURVE));
    CHECK(SCRATCH(ctx, &f, CURVE));
    CHECK(SCRATCH(ctx, &both, 2 * CURVE + 1));
    CHECK(SCRATCH(ctx, &side, 2 * CURVE + 1));
    for (size_t i = 0; i < CURVE; i++) x[i] = low + (high - low) * (double)i / (CURVE - 1);
    CHECK(score_places(ctx, s->model, x, CURVE, f));
    cairn_figure_line(figure, "f(x)", x, f, CURVE);
    for (size_t i = 0; i < CURVE; i++) {
        both[i] = x[i];
        both[CURVE + 1 + i] = x[i];
        side[i] = f[i] + s->one->rho;
        side[CURVE + 1 + i] = f[i] - s->one->rho;
    }
    both[CURVE] = side[CURVE] = NAN;
    cairn_figure_beside(figure, "tube", both, side, 2 * CURVE + 1);
    return CAIRN_OK;
}

/* Rows outside of the tube have a line down or up to the curve. */
static cairn_status draw_numbers(cairn_context *ctx, cairn_figure **out, const cairn_svm_shown *s)
{
    static const char *const names[] = {"rows"};
    const double *x = s->one->points, *t = s->one->targets;
    double low = INFINITY, high = -INFINITY;
    const char *title;
    char buffer[24];
    CHECK(cairn_figure_new(ctx, out, "tube", "Curve, tube and support vectors"));
    CHECK(axis_title(ctx, &title, s, 0));
    cairn_figure_axes(*out, title, cairn_schema_target(s->job->schema)->name);
    cairn_figure_points(*out, x, t, NULL, s->one->n, names, 1);
    for (size_t i = 0; i < s->one->n; i++) {
        low = fmin(low, x[i]);
        high = fmax(high, x[i]);
        if (cairn_svm_slack(s, i) > 0)
            cairn_figure_guide(*out, (double[]){x[i], x[i]}, (double[]){t[i], s->one->scores[i]},
                               2);
    }
    CHECK(draw_tube(ctx, *out, s, low, high));
    for (size_t i = 0; i < s->one->n; i++) {
        if (cairn_svm_group_of(s, i) == CAIRN_SVM_ZERO) continue;
        cairn_figure_mark(*out, NULL, x[i], t[i]);
        if (s->one->n <= NAMED)
            cairn_figure_label(*out, x[i], t[i], cairn_svm_row_name(s, i, buffer));
    }
    return CAIRN_OK;
}

/* -- for the record -- */

static cairn_status make(cairn_context *ctx, cairn_figure **out, const void *model,
                         const cairn_job *job, bool numbers)
{
    const cairn_svm_model *m = model;
    cairn_svm_shown shown;
    *out = NULL;
    if ((m->task == CAIRN_REGRESS) != numbers || !machine_of(m, job)) return CAIRN_OK;
    CHECK(cairn_svm_shown_of(ctx, &shown, m, job->history, job, 0));
    return numbers ? draw_numbers(ctx, out, &shown) : draw_classes(ctx, out, &shown);
}

static cairn_status make_margin(cairn_context *ctx, cairn_figure **out, const void *model,
                                const cairn_job *job)
{
    return make(ctx, out, model, job, false);
}

static cairn_status make_tube(cairn_context *ctx, cairn_figure **out, const void *model,
                              const cairn_job *job)
{
    return make(ctx, out, model, job, true);
}

const cairn_model_figure cairn_svm_figures[] = {
    {.name = "margin", .make = make_margin},
    {.name = "tube", .make = make_tube},
    {0},
};

void cairn_svm_draw(cairn_report *out, const cairn_svm_model *m, const cairn_job *job)
{
    for (const cairn_model_figure *figure = cairn_svm_figures; figure->name; figure++) {
        cairn_figure *made = NULL;
        cairn_status status = figure->make(cairn_report_context(out), &made, m, job);
        cairn_describe_figure(out, status, &made, true);
    }
}
