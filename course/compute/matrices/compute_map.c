/* SPDX-License-Identifier: MIT */
/* cairn compute map: places for rows in a plane (or in more dimensions) from their distances, by
 * classical multidimensional scaling. */
#include "model/calculator.h"

#include "base/memory.h"
#include "compute/matrices/rowmap.h"

#include <math.h>
#include <stdio.h>

enum { MOST_MATRIX = 12 };

typedef struct map_params {
    cairn_rowmap_params rows;
    int dimensions;
} map_params;

static const cairn_param map_table[] = {
    CAIRN_PARAM(map_params, dimensions, "2", "[1,inf)", "number of coordinates; a picture has two"),
    CAIRN_PARAM_GROUP(map_params, rows, cairn_rowmap_table),
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
    cairn_report_table_end(out);
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
        cairn_report_cellf(out, "%zu", k + 1);
        cairn_report_cell_number(out, value, 0, "map.eigenvalue%zu", k + 1);
        cairn_report_cell(out, used ? "yes" : "no");
    }
    cairn_report_table_end(out);
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
    cairn_report_table_end(out);
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
    CHECK(cairn_rowmap_make(ctx, &map, job->table, &p->rows, (size_t)p->dimensions, job->steps));
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
    CHECK(cairn_rowmap_figure(ctx, &figure, &map, "Rows by their distances"));
    cairn_report_figure(out, figure);
    if (job->result) CHECK(make_result(ctx, job->result, &map));
    return CAIRN_OK;
}

static cairn_status map_draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    const map_params *p = job->params;
    cairn_rowmap map;
    CHECK(cairn_rowmap_make(ctx, &map, job->table, &p->rows, 2, false));
    return cairn_rowmap_figure(ctx, out, &map, job->table->source);
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
