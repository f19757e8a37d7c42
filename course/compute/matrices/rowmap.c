/* SPDX-License-Identifier: MIT */
/* From a table to a map of its rows: which column names them, which columns count, their distances,
 * and classical scaling. */
#include "compute/matrices/rowmap.h"

#include "base/memory.h"
#include "data/column.h"
#include "data/shape.h"
#include "stats/covariance.h"
#include "stats/distance.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const cairn_choice signs[] = {
    {"first", CAIRN_SIGN_FIRST, "the first row that is not at 0 lies on the positive side"},
    {"largest", CAIRN_SIGN_LARGEST, "the row that is farthest from 0 lies on the positive side"},
    {0},
};

const cairn_param cairn_rowmap_table[] = {
    CAIRN_PARAM_AS(cairn_rowmap_params, distance, CAIRN_TYPE_SPEC, "euclidean",
                   "distance between rows (cairn list distances), unless distances are given (--as "
                   "distances)",
                   .names = "distance"),
    CAIRN_PARAM(cairn_rowmap_params, scale, "no", NULL,
                "divide number columns by their deviations first"),
    CAIRN_PARAM_CHOICE(cairn_rowmap_params, sign, "first", signs, "which side is up"),
    CAIRN_PARAM_AS(cairn_rowmap_params, label, CAIRN_TYPE_COLUMNS, NULL,
                   "column that names the rows; an id column, or one of text or of levels that are "
                   "all different, if not given"),
    CAIRN_PARAM_AS(cairn_rowmap_params, colour, CAIRN_TYPE_COLUMNS, NULL,
                   "level column that chooses the colours, or none; the target if not given"),
    CAIRN_PARAM_END,
};

/* -- names and groups -- */

static bool can_name(const cairn_slot *slot, size_t n_rows)
{
    bool all_different =
        slot->column->kind == CAIRN_LEVEL && slot->column->names.n >= n_rows && n_rows > 1;
    return slot->role == CAIRN_ID || slot->column->kind == CAIRN_TEXT ||
           (slot->role != CAIRN_TARGET && all_different);
}

/* The column of names, or -1: the named one, else the first id, else the first that can. */
static cairn_status find_label(cairn_context *ctx, ptrdiff_t *out, const cairn_table *table,
                               const char *label)
{
    size_t at;
    *out = cairn_table_role_column(table, CAIRN_ID);
    if (label) {
        CHECK(cairn_table_get(ctx, table, label, &at));
        *out = (ptrdiff_t)at;
    }
    for (size_t i = 0; *out < 0 && i < table->n_columns; i++)
        if (can_name(&table->slots[i], table->n_rows)) *out = (ptrdiff_t)i;
    return CAIRN_OK;
}

static cairn_status name_rows(cairn_context *ctx, const char ***out, const cairn_table *table,
                              ptrdiff_t label)
{
    CHECK(SCRATCH(ctx, out, table->n_rows));
    for (size_t i = 0; i < table->n_rows; i++) {
        char cell[64], *name;
        if (label >= 0)
            cairn_table_cell(table, (size_t)label, i, cell, sizeof cell);
        else
            snprintf(cell, sizeof cell, "%zu", i + 1);
        CHECK(SCRATCH(ctx, &name, strlen(cell) + 1));
        memcpy(name, cell, strlen(cell) + 1);
        (*out)[i] = name;
    }
    return CAIRN_OK;
}

/* The target colours the rows unless another column is named; a target of numbers gives no
 * colours, a named one is refused. */
static cairn_status find_groups(cairn_context *ctx, cairn_rowmap *map, const cairn_table *table,
                                const char *colour)
{
    ptrdiff_t at = cairn_table_role_column(table, CAIRN_TARGET);
    size_t named;
    if (cairn_same(colour, "none")) return CAIRN_OK;
    if (colour) {
        CHECK(cairn_table_get(ctx, table, colour, &named));
        at = (ptrdiff_t)named;
    }
    if (at < 0) return CAIRN_OK;
    const cairn_slot *slot = &table->slots[at];
    if (slot->column->kind != CAIRN_LEVEL) {
        if (!colour) return CAIRN_OK;
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{colour}: '%s' holds no levels; {kinds \"%s=level\"} takes its values "
                          "as levels",
                          slot->name, slot->name);
    }
    map->n_groups = slot->column->names.n;
    map->groups = slot->column->codes;
    CHECK(SCRATCH(ctx, &map->group_names, map->n_groups + 1));
    for (size_t g = 0; g < map->n_groups; g++)
        map->group_names[g] = cairn_map_key(&slot->column->names, g);
    return CAIRN_OK;
}

/* -- distances -- */

/* The features without the columns of names and colours. */
static cairn_status choose_features(cairn_context *ctx, cairn_view *view, const cairn_table *table,
                                    ptrdiff_t label, const char *colour)
{
    size_t n = 0;
    CHECK(cairn_view_make(ctx, view, table, cairn_all_rows(table)));
    for (size_t j = 0; j < view->n_features; j++) {
        bool names = label >= 0 && view->features[j] == table->slots[label].column;
        if (names || cairn_same(view->names[j], colour)) continue;
        view->features[n] = view->features[j];
        view->names[n++] = view->names[j];
    }
    view->n_features = n;
    if (n == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "no column is left to measure distances by; name them with {features}");
    return CAIRN_OK;
}

static cairn_status deviations(cairn_context *ctx, double **out, const cairn_view *view)
{
    CHECK(SCRATCH(ctx, out, view->n_features));
    for (size_t j = 0; j < view->n_features; j++) {
        const cairn_column *column = view->features[j];
        double mean = 0, squares = 0, n = 0;
        for (size_t i = 0; column->kind == CAIRN_NUMBER && i < view->rows.n; i++) {
            double x = column->numbers[i];
            if (isnan(x)) continue;
            double d = x - mean;
            mean += d / ++n;
            squares += d * (x - mean);
        }
        double deviation = n > 1 ? sqrt(squares / (n - 1)) : 0;
        (*out)[j] = deviation > 1e-15 * fabs(mean) ? deviation : 1;
    }
    return CAIRN_OK;
}

static cairn_status measure_rows(cairn_context *ctx, cairn_rowmap *map, const cairn_table *table,
                                 const cairn_rowmap_params *p)
{
    cairn_view view;
    ptrdiff_t label;
    double *given, *scales = NULL;
    CHECK(find_label(ctx, &label, table, p->label));
    CHECK(name_rows(ctx, &map->names, table, label));
    CHECK(choose_features(ctx, &view, table, label, p->colour));
    if (p->scale) CHECK(deviations(ctx, &scales, &view));
    CHECK(SCRATCH_RAW(ctx, &given, cairn_product(map->n, map->n)));
    CHECK(cairn_distance_matrix(ctx, given, &view, p->distance, scales));
    map->given = given;
    map->distance = p->distance;
    return CAIRN_OK;
}

static cairn_status take_matrix(cairn_context *ctx, cairn_rowmap *map, const cairn_table *table)
{
    cairn_square_matrix matrix;
    bool gram = table->shape == CAIRN_SHAPE_GRAM;
    CHECK(cairn_matrix_of_table(ctx, &matrix, table, (cairn_shape)table->shape));
    if (gram) {
        double *given;
        CHECK(SCRATCH_RAW(ctx, &given, cairn_product(map->n, map->n)));
        CHECK(cairn_distances_of_gram(ctx, given, matrix.values, map->n));
        map->given = given;
    } else {
        map->given = matrix.values;
    }
    map->names = matrix.names;
    map->distance = gram ? "of the Gram matrix" : "given";
    return CAIRN_OK;
}

cairn_status cairn_rowmap_make(cairn_context *ctx, cairn_rowmap *out, const cairn_table *table,
                               const cairn_rowmap_params *p, size_t n_dimensions, bool centred)
{
    cairn_rowmap map = {.n = table->n_rows};
    bool matrix = table->shape == CAIRN_SHAPE_DISTANCES || table->shape == CAIRN_SHAPE_GRAM;
    if (map.n < 2) return cairn_fail(ctx, CAIRN_BAD_DATA, "a map needs two rows at least");
    if (n_dimensions > map.n)
        return cairn_fail(
            ctx, CAIRN_BAD_DATA,
            "map: more dimensions than rows: %zu asked for, but there are %zu rows; ask for "
            "fewer",
            n_dimensions, map.n);
    CHECK(cairn_memory_check(ctx, 8.0 * 3 * (double)map.n * (double)map.n,
                             "the distances between all pairs of rows",
                             cairn_say(ctx, "take a sample of the rows or raise {memory}")));
    if (matrix)
        CHECK(take_matrix(ctx, &map, table));
    else
        CHECK(measure_rows(ctx, &map, table, p));
    CHECK(find_groups(ctx, &map, table, p->colour));
    CHECK(cairn_classical_scaling(ctx, &map.s, map.given, map.n, n_dimensions, (cairn_sign)p->sign,
                                  centred ? &map.centred : NULL));
    *out = map;
    return CAIRN_OK;
}

cairn_status cairn_rowmap_figure(cairn_context *ctx, cairn_figure **out, const cairn_rowmap *map,
                                 const char *title)
{
    enum { MOST_LABELS = 60 };
    const double *x = map->s.places, *y = x + map->n;
    double *zero;
    CHECK(SCRATCH(ctx, &zero, map->n));
    if (map->s.n_dimensions < 2) y = zero;
    CHECK(cairn_figure_new(ctx, out, "map", title));
    cairn_figure_size(*out, 560, 420);
    cairn_figure_axes(*out, "dimension 1", map->s.n_dimensions < 2 ? "" : "dimension 2");
    cairn_figure_equal_axes(*out);
    cairn_figure_points(*out, x, y, map->groups, map->n, map->group_names, map->n_groups);
    for (size_t i = 0; i < map->n && map->n <= MOST_LABELS; i++)
        cairn_figure_label(*out, x[i], y[i], map->names[i]);
    return CAIRN_OK;
}
