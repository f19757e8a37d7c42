/* SPDX-License-Identifier: MIT */
/* cairn draw calibrated: two number columns as they are, as log-odds and as probabilities of a
 * class, side by side. The dashed line is where what the two say cancels out. */
#include "pictures/two_classes.h"
#include "base/functions.h"
#include "base/memory.h"
#include <math.h>

typedef struct calibrated_params {
    const char *x, *y, *of_class;
    int method;
} calibrated_params;

static const cairn_choice methods[] = {
    {"logistic", CAIRN_CALIBRATE_LOGISTIC, "from the class means and a common variance"},
    {"isotonic", CAIRN_CALIBRATE_ISOTONIC, "plateaus, with Laplace"},
    {0},
};

static const cairn_param calibrated_table[] = {
    CAIRN_PARAM_AS(calibrated_params, x, CAIRN_TYPE_COLUMNS, NULL,
                   "the first number column if not given"),
    CAIRN_PARAM_AS(calibrated_params, y, CAIRN_TYPE_COLUMNS, NULL,
                   "the second number column if not given"),
    CAIRN_PARAM_CHOICE(calibrated_params, method, "logistic", methods, "of calibration"),
    CAIRN_PARAM(calibrated_params, of_class, NULL, NULL,
                "the class whose probability is meant; the positive one of two if not given"),
    CAIRN_PARAM_END,
};

typedef enum { SPACE_ORIGINAL, SPACE_LOG_ODDS, SPACE_PROBABILITY } space;

/* The dashed line is where the two columns' log-odds sum to 0, or their probabilities to 1: the
 * boundary when both count alike. It has no place in the original columns. */
static cairn_status add_panel(cairn_context *ctx, cairn_figure *figure, space where,
                              const cairn_two_classes *c, const size_t columns[2],
                              const cairn_calibration maps[2])
{
    static const char *const titles[] = {"original", "log-odds", "probability"};
    cairn_figure *panel = NULL;
    double *xy[2], reach[2] = {0, 0};
    int32_t *group;
    size_t n = c->table->n_rows;
    CHECK(SCRATCH_EACH(ctx, n + 1, &xy[0], &xy[1], &group));
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < 2; k++) {
            const double *numbers = c->table->slots[columns[k]].column->numbers;
            const cairn_calibration *map = &maps[k];
            double x = numbers[i];
            if (where == SPACE_ORIGINAL) {
                xy[k][i] = x;
            } else {
                double p = cairn_calibration_apply(map, x);
                if (where == SPACE_PROBABILITY)
                    xy[k][i] = p;
                else if (map->options.kind == CAIRN_CALIBRATE_LOGISTIC)
                    xy[k][i] = map->gamma * (x - map->centre);
                else
                    xy[k][i] = cairn_log(p / (1 - p));
            }
            if (isfinite(xy[k][i])) reach[k] = fmax(reach[k], fabs(xy[k][i]));
        }
        group[i] = c->is_positive[i] < 0 ? -1 : c->group[c->is_positive[i]];
    }
    CHECK(cairn_figure_new(ctx, &panel, titles[where], titles[where]));
    cairn_figure_size(panel, 340, 320);
    cairn_figure_axes(panel, c->table->slots[columns[0]].name, c->table->slots[columns[1]].name);
    /* one legend is enough */
    bool first = where == SPACE_ORIGINAL;
    cairn_figure_points(panel, xy[0], xy[1], group, n, first ? c->group_names : NULL,
                        first ? c->n_groups : 0);
    double both = fmin(reach[0], reach[1]), ends[2][2] = {{-both, both}, {both, -both}};
    if (where == SPACE_PROBABILITY) ends[0][0] = ends[1][1] = 0, ends[0][1] = ends[1][0] = 1;
    if (where != SPACE_ORIGINAL) cairn_figure_dashed(panel, NULL, ends[0], ends[1], 2);
    cairn_figure_panel(figure, panel);
    return CAIRN_OK;
}

/* The same rows in three spaces side by side: as they are, as log-odds and as probabilities. */
static cairn_status calibrated_draw(cairn_context *ctx, cairn_figure **out,
                                    const cairn_compute_job *job)
{
    const calibrated_params *p = job->params;
    cairn_two_classes classes = {0};
    cairn_calibration maps[2] = {{.n = 0}, {.n = 0}};
    cairn_calibration_options options = {.kind = (cairn_calibration_kind)p->method,
                                         .laplace = true};
    cairn_status status;
    size_t columns[2];
    TRY(cairn_picture_numbers(ctx, &columns[0], job->table, "x", p->x, 0));
    TRY(cairn_picture_numbers(ctx, &columns[1], job->table, "y", p->y, 1));
    TRY(cairn_two_classes_find(ctx, &classes, job->table, p->of_class));
    for (size_t k = 0; k < 2; k++)
        TRY(cairn_two_classes_map(ctx, &maps[k], &classes, columns[k], options));
    TRY(cairn_picture_new(ctx, out, "calibrated", job->table,
                          "Two features before and after calibration"));
    for (space where = SPACE_ORIGINAL; where <= SPACE_PROBABILITY; where++)
        TRY(add_panel(ctx, *out, where, &classes, columns, maps));
done:
    cairn_calibration_clear(&maps[0]);
    cairn_calibration_clear(&maps[1]);
    cairn_table_free(classes.table);
    return status;
}

const cairn_calculator cairn_picture_calibrated = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "calibrated",
                .title = "Two features as they are, as log-odds and as probabilities",
                .summary = "Three scatter plots of two number columns: original values, calibrated "
                           "log-odds and calibrated probabilities of a class, by logistic or "
                           "isotonic calibration of each column by itself.",
                .references = "Flach, Machine Learning, Cambridge University Press 2012",
                .example = "cairn draw calibrated @breast-cancer --x mean_radius --y mean_texture",
                .params = calibrated_table,
                .params_size = sizeof(calibrated_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .draw = calibrated_draw,
};
