/* SPDX-License-Identifier: MIT */
/* cairn draw feature-map: from a feature to the probability of a class. For a number column the
 * logistic curve, the isotonic plateaus, and these with Laplace; for a level column the share of
 * the class per level. */
#include "pictures/two_classes.h"
#include "base/memory.h"
#include <math.h>

enum { CURVE = 400 };

typedef struct map_params {
    const char *column, *of_class;
    int map;
} map_params;

typedef enum { MAP_LINEAR, MAP_STEPS } map_form;

static const cairn_choice maps[] = {
    {"linear", MAP_LINEAR, "straight lines between plateaus"},
    {"steps", MAP_STEPS, "a step in the middle of the gap"},
    {0},
};

static const cairn_param map_table[] = {
    CAIRN_PARAM_AS(map_params, column, CAIRN_TYPE_COLUMNS, NULL,
                   "a number or level column; the first number column if not given"),
    CAIRN_PARAM(map_params, of_class, NULL, NULL,
                "the class whose probability is drawn; the positive one of two if not given"),
    CAIRN_PARAM_CHOICE(map_params, map, "linear", maps, "between the isotonic plateaus"),
    CAIRN_PARAM_END,
};

/* The rows as two bands of points: the class at 1, the others at 0. */
static cairn_status add_rows(cairn_context *ctx, cairn_figure *figure, const cairn_two_classes *c,
                             const double *numbers)
{
    double *x, *y;
    int32_t *group;
    size_t n = 0;
    CHECK(SCRATCH_EACH(ctx, c->table->n_rows + 1, &x, &y, &group));
    for (size_t i = 0; i < c->table->n_rows; i++) {
        if (!isfinite(numbers[i]) || c->is_positive[i] < 0) continue;
        x[n] = numbers[i];
        y[n] = c->is_positive[i];
        group[n++] = c->group[c->is_positive[i]];
    }
    cairn_figure_points(figure, x, y, group, n, c->group_names, c->n_groups);
    return CAIRN_OK;
}

static cairn_status add_curve(cairn_context *ctx, cairn_figure *figure, const cairn_two_classes *c,
                              size_t column, const char *label, cairn_calibration_options options,
                              double low, double high)
{
    cairn_calibration map = {0};
    double x[CURVE], y[CURVE];
    CHECK(cairn_two_classes_map(ctx, &map, c, column, options));
    for (size_t i = 0; i < CURVE; i++) {
        x[i] = low + (high - low) * (double)i / (CURVE - 1);
        y[i] = cairn_calibration_apply(&map, x[i]);
    }
    cairn_figure_line(figure, label, x, y, CURVE);
    cairn_calibration_clear(&map);
    return CAIRN_OK;
}

/* Draws the maps from value to probability over the range of the rows: isotonic with and without
 * smoothing, and logistic, with the rows at 0 and 1. */
static cairn_status draw_numbers(cairn_context *ctx, cairn_figure *figure,
                                 const cairn_two_classes *c, size_t column, bool steps)
{
    const cairn_slot *slot = &c->table->slots[column];
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < c->table->n_rows; i++) {
        if (!isfinite(slot->column->numbers[i])) continue;
        low = fmin(low, slot->column->numbers[i]);
        high = fmax(high, slot->column->numbers[i]);
    }
    if (!(low < high))
        return cairn_fail(ctx, CAIRN_BAD_DATA, "column '%s' has fewer than two values to draw",
                          slot->name);
    cairn_figure_y_range(figure, -0.03, 1.03);
    CHECK(add_rows(ctx, figure, c, slot->column->numbers));
    cairn_calibration_options isotonic = {.kind = CAIRN_CALIBRATE_ISOTONIC, .steps = steps};
    CHECK(add_curve(ctx, figure, c, column, "isotonic", isotonic, low, high));
    isotonic.laplace = true;
    CHECK(add_curve(ctx, figure, c, column, "isotonic, Laplace", isotonic, low, high));
    CHECK(add_curve(ctx, figure, c, column, "logistic",
                    (cairn_calibration_options){.kind = CAIRN_CALIBRATE_LOGISTIC}, low, high));
    cairn_figure_rule_y(figure, NULL, 0.5);
    return CAIRN_OK;
}

/* The share of the class by level as bars; a level without rows divides by 0 and has no bar. */
static cairn_status draw_levels(cairn_context *ctx, cairn_figure *figure,
                                const cairn_two_classes *c, const cairn_column *column)
{
    double *positives, *totals;
    const char **names;
    size_t n = column->names.n;
    CHECK(SCRATCH_EACH(ctx, n + 1, &positives, &totals, &names));
    for (size_t i = 0; i < c->table->n_rows; i++) {
        if (column->codes[i] < 0 || c->is_positive[i] < 0) continue;
        totals[column->codes[i]] += c->weights[i];
        if (c->is_positive[i]) positives[column->codes[i]] += c->weights[i];
    }
    for (size_t k = 0; k < n; k++) {
        names[k] = cairn_map_key(&column->names, k);
        positives[k] /= totals[k];
    }
    cairn_figure_y_range(figure, 0, 1);
    cairn_figure_bars(figure, NULL, names, positives, n);
    return CAIRN_OK;
}

/* A column that is named may hold levels or numbers; without a name the first number column is
 * taken. */
static cairn_status map_draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    const map_params *p = job->params;
    cairn_two_classes classes = {0};
    cairn_text axis = cairn_text_start(ctx);
    cairn_status status;
    size_t column;
    TRY(cairn_two_classes_find(ctx, &classes, job->table, p->of_class));
    if (p->column)
        TRY(cairn_table_get(ctx, job->table, p->column, &column));
    else
        TRY(cairn_picture_numbers(ctx, &column, job->table, "column", NULL, 0));
    const cairn_slot *slot = &classes.table->slots[column];
    bool levels = slot->column->kind == CAIRN_LEVEL;
    if (!levels) TRY(cairn_picture_numbers(ctx, &column, job->table, "column", slot->name, 0));
    cairn_text_addf(&axis, "probability of %s", classes.name);
    TRY(cairn_text_status(&axis));
    TRY(cairn_picture_new(ctx, out, "feature-map", job->table,
                          "From a feature to the probability of a class"));
    cairn_figure_axes(*out, slot->name, cairn_text_string(&axis));
    if (levels)
        TRY(draw_levels(ctx, *out, &classes, slot->column));
    else
        TRY(draw_numbers(ctx, *out, &classes, column, p->map == MAP_STEPS));
done:
    cairn_text_clear(&axis);
    cairn_table_free(classes.table);
    return status;
}

const cairn_calculator cairn_picture_feature_map = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "feature-map",
                .also = "calibrated feature, feature calibration",
                .title = "From a feature to the probability of a class",
                .summary =
                    "The calibration maps of one column: logistic curve, isotonic plateaus, and "
                    "these with Laplace, over the rows of both classes; for a level column the "
                    "share of the class per level.",
                .references = "Flach, Machine Learning, Cambridge University Press 2012",
                .example = "cairn draw feature-map @breast-cancer --column mean_texture",
                .params = map_table,
                .params_size = sizeof(map_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .draw = map_draw,
};
