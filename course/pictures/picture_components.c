/* SPDX-License-Identifier: MIT */
/* cairn draw components: principal components of a table.
 *
 * plane   two columns: points, mean, the axes e1 and e2 through it, and the perpendicular
 *         projections of the points on e1
 * range   the same points with their extent along x, y and e1: the spread by range, which is not
 *         what the components maximise
 * strip   the scores on the first component along a line
 * scores  the first two scores of every row */
#include "pictures/picture.h"

#include "base/memory.h"
#include "base/number.h"
#include "plots/number_line.h"
#include "transforms/pca.h"

#include <math.h>
#include <stdio.h>

typedef enum { PART_AUTO, PART_LINEAR, PART_RANGE, PART_STRIP, PART_SCORES } part_choice;

typedef struct components_params {
    int part; /* part_choice */
    const char *columns, *colour;
    bool scale;
} components_params;

static const cairn_choice parts[] = {
    {"auto", PART_AUTO, "plane for two columns, scores for more"},
    {"plane", PART_LINEAR, "two columns with mean, axes e1 and e2, and projections on e1"},
    {"range", PART_RANGE, "two columns with their extent along x, y and e1"},
    {"strip", PART_STRIP, "scores on the first component along a line"},
    {"scores", PART_SCORES, "scores on the first two components"},
    {0},
};

static const cairn_param components_table[] = {
    CAIRN_PARAM_CHOICE(components_params, part, "auto", parts, "what to draw"),
    CAIRN_PARAM_AS(
        components_params, columns, CAIRN_TYPE_COLUMNS, NULL,
        "the columns; all number features if not given (plane and range: the first two)"),
    CAIRN_PARAM(components_params, scale, "no", NULL, "divide columns by their deviations first",
                .when = "part=auto|strip|scores"),
    CAIRN_PARAM_AS(components_params, colour, CAIRN_TYPE_COLUMNS, NULL,
                   "level column that chooses the colours, or none; the target if not given"),
    CAIRN_PARAM_END,
};

/* What all parts draw from. */
typedef struct picture_data {
    cairn_view view;
    cairn_pca_state pca;
    double **scores;
    cairn_groups groups;
} picture_data;

static void draw_points(cairn_figure *figure, const picture_data *d, const double *x,
                        const double *y)
{
    cairn_figure_points(figure, x, y, d->groups.codes, d->view.rows.n, d->groups.names,
                        d->groups.n);
}

/* The point at `score` along vector k. */
static void place_on(const picture_data *d, size_t k, double score, double *x, double *y)
{
    const double *v = d->pca.c.vectors + k * d->pca.c.n_columns;
    *x = d->pca.c.means[0] + score * v[0];
    *y = d->pca.c.means[1] + score * v[1];
}

static void extent(const double *x, size_t n, double *low, double *high)
{
    *low = INFINITY, *high = -INFINITY;
    for (size_t i = 0; i < n; i++) *low = fmin(*low, x[i]), *high = fmax(*high, x[i]);
}

/* An axis through the mean, a little longer than the points need. */
static void draw_axis(cairn_figure *figure, const picture_data *d, size_t k, double least)
{
    double low, high, x[2], y[2];
    char label[96], value[CAIRN_NUMBER_SIZE];
    extent(d->scores[k], d->view.rows.n, &low, &high);
    double size = fmax(fmax(-low, high) * 1.1, least);
    place_on(d, k, -size, &x[0], &y[0]);
    place_on(d, k, size, &x[1], &y[1]);
    cairn_number_format(value, d->pca.c.values[k], 4);
    snprintf(label, sizeof label, "e%zu, variance %s", k + 1, value);
    cairn_figure_line(figure, label, x, y, 2);
}

/* From every point to its foot on e1. */
static cairn_status draw_projections(cairn_context *ctx, cairn_figure *figure,
                                     const picture_data *d)
{
    enum { MOST = 200 };
    size_t n = d->view.rows.n;
    double *x, *y;
    if (n > MOST) return CAIRN_OK;
    CHECK(SCRATCH_EACH(ctx, 3 * n, &x, &y));
    for (size_t i = 0; i < n; i++) {
        x[3 * i] = d->view.features[0]->numbers[i];
        y[3 * i] = d->view.features[1]->numbers[i];
        place_on(d, 0, d->scores[0][i], &x[3 * i + 1], &y[3 * i + 1]);
        x[3 * i + 2] = y[3 * i + 2] = NAN;
    }
    cairn_figure_dashed(figure, "projection on e1", x, y, 3 * n);
    return CAIRN_OK;
}

static cairn_status draw_linear(cairn_context *ctx, cairn_figure *figure, const picture_data *d)
{
    const double *x = d->view.features[0]->numbers, *y = d->view.features[1]->numbers;
    double low, high;
    extent(d->scores[0], d->view.rows.n, &low, &high);
    cairn_figure_axes(figure, d->view.names[0], d->view.names[1]);
    cairn_figure_equal_axes(figure);
    draw_points(figure, d, x, y);
    for (size_t k = 0; k < d->pca.c.n; k++) draw_axis(figure, d, k, 0.2 * (high - low));
    cairn_figure_mark(figure, "mean", d->pca.c.means[0], d->pca.c.means[1]);
    return draw_projections(ctx, figure, d);
}

static void draw_extent(cairn_figure *figure, const char *what, const double x[2],
                        const double y[2], double range)
{
    char label[160], value[CAIRN_NUMBER_SIZE];
    cairn_number_format(value, range, 4);
    snprintf(label, sizeof label, "%.100s: %s", what, value);
    cairn_figure_line(figure, label, x, y, 2);
}

/* Shows in two columns that the range along the first component exceeds both of theirs: brackets
 * outside the points, in true proportion. */
static cairn_status draw_range(cairn_figure *figure, const picture_data *d)
{
    const cairn_components *c = &d->pca.c;
    double width = c->highs[0] - c->lows[0], height = c->highs[1] - c->lows[1];
    double gap = 0.08 * fmax(width, height), low, high, ends[2][2];
    char what[120];
    cairn_figure_axes(figure, d->view.names[0], d->view.names[1]);
    cairn_figure_equal_axes(figure);
    draw_points(figure, d, d->view.features[0]->numbers, d->view.features[1]->numbers);
    snprintf(what, sizeof what, "%.80s", d->view.names[0]);
    draw_extent(figure, what, (double[]){c->lows[0], c->highs[0]},
                (double[]){c->lows[1] - gap, c->lows[1] - gap}, width);
    snprintf(what, sizeof what, "%.80s", d->view.names[1]);
    draw_extent(figure, what, (double[]){c->lows[0] - gap, c->lows[0] - gap},
                (double[]){c->lows[1], c->highs[1]}, height);
    extent(d->scores[0], d->view.rows.n, &low, &high);
    place_on(d, 0, low, &ends[0][0], &ends[1][0]);
    place_on(d, 0, high, &ends[0][1], &ends[1][1]);
    draw_extent(figure, "along e1", ends[0], ends[1], high - low);
    cairn_figure_mark(figure, "mean", c->means[0], c->means[1]);
    return CAIRN_OK;
}

/* The scores on a number line, around the mean at 0. */
static cairn_status draw_strip(cairn_context *ctx, cairn_figure **out, const picture_data *d,
                               const char *title)
{
    cairn_marked mean = {0, "mean"};
    cairn_number_line line = {.x = d->scores[0],
                              .groups = d->groups.codes,
                              .n = d->view.rows.n,
                              .group_names = d->groups.names,
                              .n_groups = d->groups.n,
                              .low = NAN,
                              .high = NAN,
                              .marks = &mean,
                              .n_marks = 1,
                              .axis = "score on the first component"};
    return cairn_number_line_figure(ctx, out, &line, "components", title);
}

static cairn_status draw_scores(cairn_figure *figure, const picture_data *d)
{
    char titles[2][96];
    for (size_t k = 0; k < 2; k++) {
        double share = d->pca.c.total > 0 ? d->pca.c.values[k] / d->pca.c.total : 0;
        char value[CAIRN_NUMBER_SIZE];
        cairn_number_fixed(value, 100 * share, 1);
        snprintf(titles[k], sizeof titles[k], "pc%zu (%s%% of the variance)", k + 1, value);
    }
    cairn_figure_axes(figure, titles[0], titles[1]);
    draw_points(figure, d, d->scores[0], d->scores[1]);
    return CAIRN_OK;
}

/* Pictures of the plane take two columns, unscaled, because axes in true proportion show the angle
 * between components; the picture of scores takes all. */
static cairn_status prepare(cairn_context *ctx, picture_data *d, const cairn_compute_job *job,
                            int *part)
{
    const components_params *p = job->params;
    cairn_view all;
    cairn_pca_params fit = {.keep = 1, .scale = p->scale};
    CHECK(cairn_view_make(ctx, &all, job->table, cairn_all_rows(job->table)));
    CHECK(cairn_pca_view(ctx, &d->view, &all, p->columns, "pca"));
    if (*part == PART_AUTO) *part = d->view.n_features == 2 ? PART_LINEAR : PART_SCORES;
    bool flat = *part == PART_LINEAR || *part == PART_RANGE;
    if (flat && d->view.n_features < 2)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "this picture needs two number columns; name them with {columns}");
    if (flat) {
        d->view.n_features = 2;
        fit.scale = false;
    }
    size_t least = d->view.rows.n < d->view.n_features ? d->view.rows.n : d->view.n_features;
    fit.components = least < 2 ? (int)least : 2;
    CHECK(cairn_pca_fit(ctx, &d->pca, &d->view, &fit, NULL));
    CHECK(cairn_pca_view_scores(ctx, &d->scores, &d->pca, &d->view));
    return cairn_picture_groups(ctx, &d->groups, job->table, p->colour);
}

/* Scores need two components: with one, the strip takes their place. */
static cairn_status components_draw(cairn_context *ctx, cairn_figure **out,
                                    const cairn_compute_job *job)
{
    const components_params *p = job->params;
    cairn_status status;
    picture_data d = {0};
    int part = p->part;
    TRY(prepare(ctx, &d, job, &part));
    if (part == PART_SCORES && d.pca.c.n < 2) part = PART_STRIP;
    if (part == PART_STRIP) {
        TRY(draw_strip(ctx, out, &d, job->table->source));
        goto done;
    }
    TRY(cairn_picture_new(ctx, out, "components", job->table, "Principal components"));
    status = part == PART_LINEAR  ? draw_linear(ctx, *out, &d)
             : part == PART_RANGE ? draw_range(*out, &d)
                                  : draw_scores(*out, &d);
done:
    cairn_pca_clear(&d.pca);
    return status;
}

const cairn_calculator cairn_picture_components = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "components",
                .also = "PCA plot, biplot, scores and loadings",
                .title = "Principal components",
                .summary =
                    "Two columns with their mean, the axes of the principal components and the "
                    "perpendicular projections of the points on the first; their spread by range "
                    "along x, y and the first component; the scores along a line; or the first two "
                    "scores of tables with more columns.",
                .references = "Jolliffe: Principal Component Analysis, 2002",
                .example = "cairn draw components @pca",
                .params = components_table,
                .params_size = sizeof(components_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .draw = components_draw,
};
