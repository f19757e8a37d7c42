/* SPDX-License-Identifier: MIT */
/* cairn compute map: places for rows in a plane (or in more dimensions) from their distances, by
 * classical multidimensional scaling. */
#include "model/calculator.h"
#include "base/memory.h"
#include "data/view.h"
#include "draw/figure.h"
#include "entry/entry.h"
#include "stats/scaling.h"
#include "data/column.h"
#include "data/shape.h"
#include "stats/covariance.h"
#include "stats/distance.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct rowmap_params {
    const char *distance; /* a spec */
    int sign;             /* cairn_sign */
    bool scale;
    const char *label, *colour;
} rowmap_params;

typedef struct cairn_rowmap {
    size_t n;
    const char **names;    /* n: what the rows are called */
    const double *given;   /* n x n distances */
    double *centred;       /* n x n; NULL unless asked for */
    const char *distance;  /* name of the distance; "given" or "of the Gram matrix" */
    const int32_t *groups; /* n; NULL = all alike */
    const char **group_names;
    size_t n_groups;
    cairn_scaling s;
} cairn_rowmap;

/* -- rowmap -- */

/* From a table to a map of its rows: which column names them, which columns count, their distances,
 * and classical scaling. */

static const cairn_choice signs[] = {
    {"first", CAIRN_SIGN_FIRST, "the first row that is not at 0 lies on the positive side"},
    {"largest", CAIRN_SIGN_LARGEST, "the row that is farthest from 0 lies on the positive side"},
    {0},
};

static const cairn_param rowmap_table[] = {
    CAIRN_PARAM_AS(rowmap_params, distance, CAIRN_TYPE_SPEC, "euclidean",
                   "distance between rows (cairn list distances), unless distances are given (--as "
                   "distances)",
                   .names = "distance"),
    CAIRN_PARAM(rowmap_params, scale, "no", NULL,
                "divide number columns by their deviations first"),
    CAIRN_PARAM_CHOICE(rowmap_params, sign, "first", signs, "which side is up"),
    CAIRN_PARAM_AS(rowmap_params, label, CAIRN_TYPE_COLUMNS, NULL,
                   "column that names the rows; an id column, or one of text or of levels that are "
                   "all different, if not given"),
    CAIRN_PARAM_AS(rowmap_params, colour, CAIRN_TYPE_COLUMNS, NULL,
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
                                 const rowmap_params *p)
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

/* From a table of rows, distances or a Gram matrix (table->shape). All from scratch. */
static cairn_status rowmap_make(cairn_context *ctx, cairn_rowmap *out, const cairn_table *table,
                                const rowmap_params *p, size_t n_dimensions, bool centred)
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

/* Labelled points of the first two dimensions, coloured by group. */
static cairn_status rowmap_figure(cairn_context *ctx, cairn_figure **out, const cairn_rowmap *map,
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

enum { MOST_MATRIX = 12 };

typedef struct map_params {
    rowmap_params rows;
    int dimensions;
} map_params;

static const cairn_param map_table[] = {
    CAIRN_PARAM(map_params, dimensions, "2", "[1,inf)", "number of coordinates; a picture has two"),
    CAIRN_PARAM_GROUP(map_params, rows, rowmap_table),
    CAIRN_PARAM_END,
};

/* One matrix, if it is small; the values get names when `name` is given. */
static void show_matrix(cairn_report *out, const cairn_rowmap *map, const char *title,
                        const double *values, bool squared, const char *name)
{
    if (map->n > MOST_MATRIX) return;
    cairn_report_table_of(out, title, 0, "l", "");
    for (size_t j = 0; j < map->n; j++) cairn_report_column(out, map->names[j], 'r');
    for (size_t i = 0; i < map->n; i++) {
        cairn_report_cell(out, map->names[i]);
        for (size_t j = 0; j < map->n; j++) {
            double value = values[i * map->n + j];
            if (squared) value *= value;
            cairn_report_cell_number(out, value, 0, "map.%s.row%zu.row%zu", name, i + 1, j + 1);
        }
    }
}

/* With more rows, eigenvalues that are 0 are only counted. */
enum { SHOWN_VALUES = 20 };

/* Negative eigenvalues say that no arrangement has these distances; a long tail of zeros is
 * counted instead of listed. */
static void show_values(cairn_report *out, const cairn_rowmap *map)
{
    cairn_report_table_of(out, "Eigenvalues", 0, "rrl", "number", "eigenvalue", "used");
    size_t zeros = 0;
    for (size_t k = 0; k < map->n; k++) {
        double value = map->s.values[k];
        if (map->n > SHOWN_VALUES && fabs(value) <= 1e-12 * fabs(map->s.values[0])) {
            cairn_report_hidden(out, value, "map.eigenvalue%zu", k + 1);
            zeros++;
            continue;
        }
        bool used = k < map->s.n_dimensions && value > 0;
        cairn_report_cells(out, "- map.eigenvalue$1", k + 1, value, used ? "yes" : "no");
    }
    if (zeros) cairn_report_paragraph(out, "%zu more eigenvalues are 0.", zeros);
    cairn_report_value(out, "share of the positive eigenvalues", map->s.goodness, "map.goodness");
    cairn_report_value(out, "share of the absolute values of all", map->s.goodness_all,
                       "map.goodness_all");
    cairn_report_value(out, "stress", map->s.stress, "map.stress");
    cairn_report_hidden(out, (double)map->s.n_negative, "map.negative");
    if (map->s.n_negative)
        cairn_report_note(out,
                          "%zu eigenvalue%s negative: no arrangement of points has exactly these "
                          "distances, and the map is an approximation.",
                          map->s.n_negative, map->s.n_negative == 1 ? " is" : "s are");
}

static void show_places(cairn_report *out, const cairn_rowmap *map)
{
    size_t shown = map->s.n_dimensions < 8 ? map->s.n_dimensions : 8;
    cairn_report_table_of(out, "Places", 0, "l", "row");
    for (size_t k = 0; k < shown; k++) {
        char head[32];
        snprintf(head, sizeof head, "dimension %zu", k + 1);
        cairn_report_column(out, head, 'r');
    }
    for (size_t i = 0; i < map->n; i++) {
        cairn_report_cell(out, map->names[i]);
        for (size_t k = 0; k < shown; k++)
            cairn_report_cell_number(out, map->s.places[k * map->n + i], 0, "map.row%zu.x%zu",
                                     i + 1, k + 1);
    }
}

/* Names, groups and coordinates as a table. */
static cairn_status make_result(cairn_context *ctx, cairn_table **out, const cairn_rowmap *map)
{
    OWNED(cairn_table_free) cairn_table *made = NULL;
    CHECK(cairn_table_new(ctx, &made, map->n));
    CHECK(cairn_table_add_texts(ctx, made, "row", map->names));
    for (size_t k = 0; k < map->s.n_dimensions; k++) {
        char name[32];
        snprintf(name, sizeof name, "x%zu", k + 1);
        CHECK(cairn_table_put_numbers(ctx, made, name, map->s.places + k * map->n));
    }
    if (map->groups)
        CHECK(cairn_table_add_levels(ctx, made, "group", map->groups, map->group_names,
                                     map->n_groups));
    *out = TAKE(made);
    return CAIRN_OK;
}

/* With steps the matrices of classical scaling one after the other, as they are made by hand. */
static cairn_status map_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const map_params *p = job->params;
    cairn_rowmap map;
    cairn_figure *figure = NULL;
    CHECK(rowmap_make(ctx, &map, job->table, &p->rows, (size_t)p->dimensions, job->steps));
    cairn_report_heading(out, 1, "Map of the rows of %s",
                         job->table->source ? job->table->source : "the table");
    cairn_report_word(out, "distance", map.distance, "map.distance");
    if (job->steps) {
        show_matrix(out, &map, "Distances", map.given, false, "given");
        show_matrix(out, &map, "Squared distances", map.given, true, "squared");
        cairn_report_formula(out, "b = −½ (d² − mean of the row − mean of the column + mean of "
                                  "all)");
        show_matrix(out, &map, "Doubly centred: inner products", map.centred, false, "centred");
        cairn_report_formula(out, "coordinate k = √(eigenvalue k) · eigenvector k");
    }
    show_values(out, &map);
    show_places(out, &map);
    CHECK(rowmap_figure(ctx, &figure, &map, "Rows by their distances"));
    cairn_report_figure(out, figure);
    if (job->result) CHECK(make_result(ctx, job->result, &map));
    return CAIRN_OK;
}

static cairn_status map_draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    const map_params *p = job->params;
    cairn_rowmap map;
    CHECK(rowmap_make(ctx, &map, job->table, &p->rows, 2, false));
    return rowmap_figure(ctx, out, &map, job->table->source);
}

const cairn_calculator cairn_compute_map = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "map",
              .also = "multidimensional scaling, MDS, principal coordinates, classical scaling",
              .title = "Map of rows from their distances",
              .summary =
                  "Places the rows of a table in a plane so that similar rows lie close together: "
                  "classical multidimensional scaling. Distances are measured between the rows, or "
                  "given as a matrix (--as distances; --as gram for inner products). Eigenvalues, "
                  "stress and goodness of fit are shown, with --steps the squared and the doubly "
                  "centred distances; --out FILE.csv writes the coordinates. With Euclidean "
                  "distances these are the scores of the principal components.",
              .references =
                  "Torgerson: Multidimensional scaling, Psychometrika 17, 1952; Gower: Some "
                  "distance properties of latent root and vector methods, Biometrika 53, 1966",
              .example = "cairn compute map @distances-five --as distances --steps",
              .params = map_table,
              .params_size = sizeof(map_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "map",
                .also = "MDS plot, map of distances",
                .title = "Map of rows",
                .summary =
                    "Rows as labelled points in a plane, placed by classical scaling of their "
                    "distances, which are measured between the rows of a table or given as a "
                    "matrix (--as distances); coloured by the target or by --colour.",
                .references = "Gower: Some distance properties of latent root and vector methods, "
                              "Biometrika 53, 1966",
                .example = "cairn draw map @mlm",
                .params = map_table,
                .params_size = sizeof(map_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .run = map_run,
    .draw = map_draw,
};
