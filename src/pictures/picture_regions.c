/* SPDX-License-Identifier: MIT */
/* cairn draw regions: what a model says over the plane of two of its features, whatever transforms
 * stand between: so the boundary of a linear model over squares is drawn back as a circle. A grid
 * of cells is predicted with the other features held: numbers at their mean, levels at their most
 * common one, or where --at puts them. Classes and clusters become areas: the cells beside a border
 * are divided further and predicted again, so that no steps are seen. A number target becomes lines
 * of equal predicted value, each crossing a side of a cell where the line through both ends has the
 * value. */
#include "pictures/picture.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "data/column.h"
#include "draw/contour.h"
#include "draw/figure.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct regions_params {
    const char *x, *y, *at, *levels;
    int64_t grid;
} regions_params;

static const cairn_param regions_table[] = {
    CAIRN_PARAM_AS(regions_params, x, CAIRN_TYPE_COLUMNS, NULL,
                   "column along the horizontal axis; the first number column if not given"),
    CAIRN_PARAM_AS(regions_params, y, CAIRN_TYPE_COLUMNS, NULL,
                   "column along the vertical axis; the second number column if not given"),
    CAIRN_PARAM(regions_params, at, NULL, NULL,
                "where other columns are held, such as petal_length=4,size=small; mean or most "
                "common value if not given"),
    CAIRN_PARAM(regions_params, levels, NULL, NULL,
                "number targets: values whose lines are drawn; half-way between the two if the "
                "target has two values, else five"),
    CAIRN_PARAM(regions_params, grid, "160", "[10,1000]", "cells along each axis"),
    CAIRN_PARAM_END,
};

enum { FINER = 4, MOST_CELLS = 1200 };

/* A grid of n x n cells; centre (i, j) has the row j n + i. */
typedef struct region_grid {
    size_t n, x, y; /* cells along a side; columns of the table */
    double low[2], step[2];
    double *numbers; /* what is predicted in every cell: numbers */
    int32_t *codes;  /* or classes */
    bool torn;       /* most cells lie beside a border */
} region_grid;

/* Where the model is asked. */
typedef struct places {
    double *x, *y;
    size_t n;
} places;

static double grid_edge(const region_grid *g, int axis, size_t i)
{
    return g->low[axis] + g->step[axis] * (double)i;
}

static double grid_centre(const region_grid *g, int axis, size_t i)
{
    return g->low[axis] + g->step[axis] * ((double)i + 0.5);
}

/* -- the table of the grid -- */

static cairn_status set_range(cairn_context *ctx, region_grid *g, int axis,
                              const cairn_table *table, size_t column)
{
    const double *numbers = cairn_table_numbers(table, column);
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < table->n_rows; i++) {
        if (isnan(numbers[i])) continue;
        low = fmin(low, numbers[i]);
        high = fmax(high, numbers[i]);
    }
    if (!(low <= high))
        return cairn_fail(ctx, CAIRN_BAD_DATA, "column '%s' has no values to draw",
                          table->slots[column].name);
    double pad = high > low ? 0.06 * (high - low) : 1;
    g->low[axis] = low - pad;
    g->step[axis] = (high - low + 2 * pad) / (double)g->n;
    return CAIRN_OK;
}

static double mean_of(const double *numbers, size_t n)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        if (isnan(numbers[i])) continue;
        sum += numbers[i];
        count++;
    }
    return count ? sum / (double)count : NAN;
}

/* The most common level, the first of equals; -1 when all are missing. */
static cairn_status mode_of(cairn_context *ctx, const cairn_column *column, int32_t *out)
{
    size_t *counts;
    CHECK(SCRATCH(ctx, &counts, column->names.n));
    *out = -1;
    for (size_t i = 0; i < column->n_rows; i++)
        if (column->codes[i] >= 0) counts[column->codes[i]]++;
    for (size_t k = 0; k < column->names.n; k++)
        if (counts[k] && (*out < 0 || counts[k] > counts[*out])) *out = (int32_t)k;
    return CAIRN_OK;
}

/* What --at says about the column; NULL = nothing. */
static const char *find_held(char **held, size_t n, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < n; i++)
        if (strncmp(held[i], name, length) == 0 && held[i][length] == '=')
            return held[i] + length + 1;
    return NULL;
}

static cairn_status check_held(cairn_context *ctx, char **held, size_t n, const cairn_table *table)
{
    for (size_t i = 0; i < n; i++) {
        char *equals = strrchr(held[i], '=');
        if (!equals || equals == held[i])
            return cairn_fail(ctx, CAIRN_USAGE, "{at}: '%s' is not of the form COLUMN=VALUE",
                              held[i]);
        size_t found;
        *equals = '\0';
        cairn_status status = cairn_table_get(ctx, table, held[i], &found);
        *equals = '=';
        if (status) return status;
    }
    return CAIRN_OK;
}

static cairn_status held_number(cairn_context *ctx, const cairn_slot *slot, const char *wanted,
                                double *out)
{
    *out = mean_of(slot->column->numbers, slot->column->n_rows);
    if (!wanted || cairn_number_parse(wanted, strlen(wanted), out)) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE, "{at}: '%s' is not a number, but '%s' holds numbers",
                      wanted, slot->name);
}

static cairn_status held_level(cairn_context *ctx, const cairn_slot *slot, const char *wanted,
                               int32_t *out)
{
    if (!wanted) return mode_of(ctx, slot->column, out);
    *out = (int32_t)cairn_map_find(&slot->column->names, wanted, strlen(wanted));
    if (*out >= 0) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE, "{at}: '%s' has no level '%s'", slot->name, wanted);
}

/* One column of the table of the places. Texts, bags and sequences are those of the first row. */
static cairn_status make_column(cairn_context *ctx, cairn_column **out, const region_grid *g,
                                const places *asked, const cairn_table *table, size_t at,
                                const char *wanted, const uint32_t *zeros)
{
    const cairn_slot *slot = &table->slots[at];
    size_t n = asked->n;
    double number = NAN;
    int32_t code = -1;
    cairn_column *column = NULL;
    bool is_axis = at == g->x || at == g->y;
    if (slot->column->numbers && !is_axis) CHECK(held_number(ctx, slot, wanted, &number));
    if (slot->column->codes) CHECK(held_level(ctx, slot, wanted, &code));
    CHECK(cairn_column_take(ctx, &column, slot->column, zeros, n));
    for (size_t i = 0; i < n; i++) {
        if (column->codes) column->codes[i] = code;
        if (!column->numbers) continue;
        column->numbers[i] = at == g->x ? asked->x[i] : at == g->y ? asked->y[i] : number;
    }
    cairn_column_count_missing(column);
    *out = column;
    return CAIRN_OK;
}

/* All columns besides the two drawn are held at one value, a given or a typical one: the regions
 * are a slice through the model. */
static cairn_status predict_places(cairn_context *ctx, cairn_prediction *said, const region_grid *g,
                                   const places *asked, const cairn_compute_job *job)
{
    const regions_params *p = job->params;
    const cairn_table *table = job->table;
    OWNED(cairn_table_free) cairn_table *made = NULL;
    cairn_match match;
    uint32_t *zeros;
    char **held = NULL;
    size_t n_held = 0;
    if (table->n_rows == 0) return cairn_fail(ctx, CAIRN_BAD_DATA, "the table has no rows");
    if (p->at) CHECK(cairn_list_split(ctx, p->at, &held, &n_held));
    CHECK(check_held(ctx, held, n_held, table));
    CHECK(SCRATCH(ctx, &zeros, asked->n));
    CHECK(cairn_table_new(ctx, &made, asked->n));
    for (size_t c = 0; c < table->n_columns; c++) {
        const cairn_slot *slot = &table->slots[c];
        cairn_column *column;
        if (slot->role == CAIRN_TARGET) continue;
        CHECK(make_column(ctx, &column, g, asked, table, c, find_held(held, n_held, slot->name),
                          zeros));
        CHECK(cairn_table_add_column(ctx, made, slot->name, slot->role, column));
    }
    return cairn_model_predict_rows(ctx, said, job->model, made, cairn_all_rows(made),
                                    (cairn_predict_wants){0}, &match);
}

static cairn_status new_places(cairn_context *ctx, places *out, size_t most)
{
    out->n = 0;
    CHECK(SCRATCH_RAW(ctx, &out->x, most));
    return SCRATCH_RAW(ctx, &out->y, most);
}

static void add_place(places *asked, double x, double y)
{
    asked->x[asked->n] = x;
    asked->y[asked->n++] = y;
}

static cairn_status predict_grid(cairn_context *ctx, region_grid *g, const cairn_compute_job *job)
{
    SCOPED(cairn_prediction_clear) cairn_prediction said = {0};
    places asked;
    CHECK(new_places(ctx, &asked, g->n * g->n));
    for (size_t j = 0; j < g->n; j++)
        for (size_t i = 0; i < g->n; i++)
            add_place(&asked, grid_centre(g, 0, i), grid_centre(g, 1, j));
    CHECK(predict_places(ctx, &said, g, &asked, job));
    if (said.numbers) CHECK(SCRATCH_RAW(ctx, &g->numbers, asked.n));
    if (said.codes) CHECK(SCRATCH_RAW(ctx, &g->codes, asked.n));
    for (size_t k = 0; k < asked.n; k++) {
        if (said.numbers) g->numbers[k] = said.numbers[k];
        if (said.codes) g->codes[k] = said.codes[k];
    }
    return CAIRN_OK;
}

/* -- areas of classes -- */

static int32_t code_at(const region_grid *g, size_t i, size_t j)
{
    return g->codes[j * g->n + i];
}

/* Whether one of the cells around has another class. */
static bool is_beside_border(const region_grid *g, size_t i, size_t j)
{
    for (size_t b = j ? j - 1 : 0; b <= j + 1 && b < g->n; b++)
        for (size_t a = i ? i - 1 : 0; a <= i + 1 && a < g->n; a++)
            if (code_at(g, a, b) != code_at(g, i, j)) return true;
    return false;
}

/* The cells beside a border, as a flag each; `n` counts them. */
static cairn_status find_borders(cairn_context *ctx, const region_grid *g, bool **beside, size_t *n)
{
    *n = 0;
    CHECK(SCRATCH_RAW(ctx, beside, g->n * g->n));
    for (size_t j = 0; j < g->n; j++)
        for (size_t i = 0; i < g->n; i++) *n += (*beside)[j * g->n + i] = is_beside_border(g, i, j);
    return CAIRN_OK;
}

/* Put a grid with FINER times as many cells along a side in the place of g. */
static cairn_status refine(cairn_context *ctx, region_grid *g, const cairn_compute_job *job)
{
    SCOPED(cairn_prediction_clear) cairn_prediction said = {0};
    region_grid fine = *g;
    bool *beside;
    size_t n, next = 0;
    places asked;
    CHECK(find_borders(ctx, g, &beside, &n));
    g->torn = n > g->n * g->n / 2;
    if (n == 0 || g->torn || g->n * FINER > MOST_CELLS) return CAIRN_OK;
    fine.n *= FINER;
    for (int axis = 0; axis < 2; axis++) fine.step[axis] /= FINER;
    CHECK(new_places(ctx, &asked, n * FINER * FINER));
    CHECK(SCRATCH_RAW(ctx, &fine.codes, fine.n * fine.n));
    for (size_t j = 0; j < fine.n; j++)
        for (size_t i = 0; i < fine.n; i++)
            if (beside[j / FINER * g->n + i / FINER])
                add_place(&asked, grid_centre(&fine, 0, i), grid_centre(&fine, 1, j));
    CHECK(predict_places(ctx, &said, g, &asked, job));
    for (size_t j = 0; j < fine.n; j++)
        for (size_t i = 0; i < fine.n; i++)
            fine.codes[j * fine.n + i] = beside[j / FINER * g->n + i / FINER]
                                             ? said.codes[next++]
                                             : code_at(g, i / FINER, j / FINER);
    *g = fine;
    return CAIRN_OK;
}

/* The end of the run of cells with this class that begins at row j of column i. */
static size_t run_end(const region_grid *g, size_t i, size_t j)
{
    size_t end = j + 1;
    while (end < g->n && code_at(g, i, end) == code_at(g, i, j)) end++;
    return end;
}

/* A band under way: x, low, high, two points per column of cells. */
typedef struct band {
    double *x, *low, *high;
    size_t n;
} band;

static void widen(band *b, const region_grid *g, size_t i, size_t from, size_t to)
{
    for (size_t side = 0; side < 2; side++) {
        b->x[b->n] = grid_edge(g, 0, i + side);
        b->low[b->n] = grid_edge(g, 1, from);
        b->high[b->n++] = grid_edge(g, 1, to);
    }
}

/* The run of class `code` in column i that lies beside the cells from..to and is not yet drawn;
 * false when there is none. */
static bool next_run(const region_grid *g, const bool *drawn, size_t i, int32_t code, size_t *from,
                     size_t *to)
{
    for (size_t j = 0; i < g->n && j < *to; j = run_end(g, i, j)) {
        size_t end = run_end(g, i, j);
        if (end <= *from || code_at(g, i, j) != code || drawn[j * g->n + i]) continue;
        *from = j;
        *to = end;
        return true;
    }
    return false;
}

/* Runs of neighbouring columns are joined as far as they go, so that an area is few pieces. */
static cairn_status draw_areas(cairn_context *ctx, cairn_figure *figure, const region_grid *g)
{
    band b;
    bool *drawn;
    CHECK(SCRATCH_RAW(ctx, &b.x, 2 * g->n));
    CHECK(SCRATCH_RAW(ctx, &b.low, 2 * g->n));
    CHECK(SCRATCH_RAW(ctx, &b.high, 2 * g->n));
    CHECK(SCRATCH(ctx, &drawn, g->n * g->n));
    for (size_t i = 0; i < g->n; i++) {
        for (size_t j = 0; j < g->n; j++) {
            int32_t code = code_at(g, i, j);
            if (drawn[j * g->n + i] || code < 0) continue;
            size_t from = j, to = run_end(g, i, j), at = i;
            b.n = 0;
            do {
                widen(&b, g, at, from, to);
                for (size_t k = from; k < to; k++) drawn[k * g->n + at] = true;
                at++;
            } while (next_run(g, drawn, at, code, &from, &to));
            cairn_figure_area(figure, code, b.x, b.low, b.high, b.n);
        }
    }
    return CAIRN_OK;
}

/* -- lines -- */

/* Whether the side between cell k of line `at` and the same cell of the next line is a border;
 * lines are columns of cells (axis 0) or rows of them. */
static bool is_border(const region_grid *g, int axis, size_t at, size_t k)
{
    return axis == 0 ? code_at(g, at, k) != code_at(g, at + 1, k)
                     : code_at(g, k, at) != code_at(g, k, at + 1);
}

/* The sides where the answers of two cells differ, neighbours in one piece; p NULL only counts. */
static size_t collect_borders(const region_grid *g, places *p)
{
    size_t n = 0;
    for (int axis = 0; axis < 2; axis++)
        for (size_t at = 0; at + 1 < g->n; at++)
            for (size_t k = 0, end; k < g->n; k = end + 1) {
                for (end = k; end < g->n && is_border(g, axis, at, end);) end++;
                if (end == k) continue;
                n += 3;
                if (!p) continue;
                double across = grid_edge(g, axis, at + 1), from = grid_edge(g, !axis, k);
                double to = grid_edge(g, !axis, end);
                add_place(p, axis ? from : across, axis ? across : from);
                add_place(p, axis ? to : across, axis ? across : to);
                add_place(p, NAN, NAN);
            }
    return n;
}

/* Where most cells lie beside a border, lines would hide all else. */
static cairn_status draw_borders(cairn_context *ctx, cairn_figure *figure, const region_grid *g)
{
    places p;
    if (g->torn) return CAIRN_OK;
    CHECK(new_places(ctx, &p, collect_borders(g, NULL)));
    collect_borders(g, &p);
    cairn_figure_guide(figure, p.x, p.y, p.n);
    return CAIRN_OK;
}

/* A line of equal value through the centres of the cells. */
static cairn_status draw_level(cairn_context *ctx, cairn_figure *figure, const region_grid *g,
                               double value)
{
    char label[CAIRN_NUMBER_SIZE + 16] = "predicted ";
    const cairn_contour_grid grid = {
        g->numbers, g->n, g->n, grid_centre(g, 0, 0), grid_centre(g, 1, 0), g->step[0], g->step[1]};
    cairn_number_format(label + strlen(label), value, 4);
    return cairn_contour_add(ctx, figure, label, &grid, &value, 1);
}

/* The two values of a number target that has no more; false when it has. */
static bool two_values(const double *numbers, size_t n, double value[2])
{
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        if (isnan(numbers[i]) || (found > 0 && numbers[i] == value[0]) ||
            (found > 1 && numbers[i] == value[1]))
            continue;
        if (found == 2) return false;
        value[found++] = numbers[i];
    }
    return found == 2;
}

/* A target of two numbers is a coded class, whose boundary is half-way; any other gets five lines
 * over the range of predictions. */
static cairn_status choose_levels(cairn_context *ctx, const region_grid *g, const char *wanted,
                                  const double *target, size_t n_rows, double **out, size_t *n)
{
    enum { LINES = 5 };
    double low = INFINITY, high = -INFINITY, value[2];
    if (wanted) return cairn_list_numbers(ctx, cairn_say(ctx, "{levels}"), wanted, out, n);
    CHECK(SCRATCH(ctx, out, LINES));
    *n = 1;
    if (target && two_values(target, n_rows, value)) {
        **out = (value[0] + value[1]) / 2;
        return CAIRN_OK;
    }
    for (size_t i = 0; i < g->n * g->n; i++) {
        low = fmin(low, g->numbers[i]);
        high = fmax(high, g->numbers[i]);
    }
    *n = LINES;
    for (size_t k = 0; k < LINES; k++)
        (*out)[k] = low + (high - low) * (double)(k + 1) / (LINES + 1);
    return CAIRN_OK;
}

/* -- the rows -- */

/* Names of what the areas say. */
static cairn_status area_names(cairn_context *ctx, const char ***out, const cairn_model *model,
                               size_t n)
{
    const cairn_field *target = cairn_model_target(model);
    CHECK(SCRATCH(ctx, out, n + 1));
    for (size_t k = 0; k < n; k++) {
        char *name;
        if (target && k < target->names.n) {
            (*out)[k] = cairn_map_key(&target->names, k);
            continue;
        }
        CHECK(SCRATCH(ctx, &name, 32));
        snprintf(name, 32, "cluster %zu", k + 1);
        (*out)[k] = name;
    }
    return CAIRN_OK;
}

/* The class of every row in the model's numbering, -1 where the table does not say; clusters are
 * those that the model puts the rows in. */
static cairn_status row_codes(cairn_context *ctx, int32_t **out, const cairn_compute_job *job)
{
    const cairn_table *table = job->table;
    const cairn_field *field = cairn_model_target(job->model);
    SCOPED(cairn_prediction_clear) cairn_prediction said = {0};
    cairn_match match;
    CHECK(SCRATCH(ctx, out, table->n_rows));
    if (!field) {
        CHECK(cairn_model_predict_rows(ctx, &said, job->model, table, cairn_all_rows(table),
                                       (cairn_predict_wants){0}, &match));
        memcpy(*out, said.codes, table->n_rows * sizeof **out);
        return CAIRN_OK;
    }
    ptrdiff_t at = cairn_table_find(table, field->name);
    for (size_t i = 0; i < table->n_rows; i++) {
        char cell[200];
        (*out)[i] = -1;
        if (at < 0 || cairn_column_is_missing(table->slots[at].column, i)) continue;
        size_t length = cairn_column_cell(table->slots[at].column, i, cell, sizeof cell);
        if (length < sizeof cell) (*out)[i] = (int32_t)cairn_map_find(&field->names, cell, length);
    }
    return CAIRN_OK;
}

static cairn_status draw_classes(cairn_context *ctx, cairn_figure *figure, const region_grid *g,
                                 const cairn_compute_job *job)
{
    const cairn_table *table = job->table;
    int32_t *codes, most = -1;
    const char **names;
    CHECK(row_codes(ctx, &codes, job));
    for (size_t i = 0; i < g->n * g->n; i++)
        if (g->codes[i] > most) most = g->codes[i];
    for (size_t i = 0; i < table->n_rows; i++)
        if (codes[i] > most) most = codes[i];
    CHECK(area_names(ctx, &names, job->model, (size_t)(most + 1)));
    CHECK(draw_areas(ctx, figure, g));
    CHECK(draw_borders(ctx, figure, g));
    cairn_figure_points(figure, cairn_table_numbers(table, g->x), cairn_table_numbers(table, g->y),
                        codes, table->n_rows, names, (size_t)(most + 1));
    return CAIRN_OK;
}

/* Rows of a target with two values are coloured by them, as this is classification by regression;
 * the lines are where the model predicts a level. */
static cairn_status draw_numbers(cairn_context *ctx, cairn_figure *figure, const region_grid *g,
                                 const cairn_compute_job *job)
{
    const cairn_table *table = job->table;
    const cairn_field *field = cairn_model_target(job->model);
    ptrdiff_t at = field ? cairn_table_find(table, field->name) : -1;
    const double *target = at < 0 ? NULL : cairn_table_numbers(table, (size_t)at);
    double *levels, value[2];
    size_t n;
    int32_t *codes = NULL;
    char words[2][CAIRN_NUMBER_SIZE];
    const char *names[] = {words[0], words[1]};
    CHECK(choose_levels(ctx, g, ((const regions_params *)job->params)->levels, target,
                        table->n_rows, &levels, &n));
    if (target && two_values(target, table->n_rows, value)) {
        CHECK(SCRATCH(ctx, &codes, table->n_rows));
        for (size_t i = 0; i < table->n_rows; i++)
            codes[i] = isnan(target[i]) ? -1 : target[i] != value[0];
        for (size_t k = 0; k < 2; k++) cairn_number_format(words[k], value[k], CAIRN_SHORTEST);
    }
    cairn_figure_points(figure, cairn_table_numbers(table, g->x), cairn_table_numbers(table, g->y),
                        codes, table->n_rows, codes ? names : NULL, codes ? 2 : 0);
    for (size_t k = 0; k < n; k++) CHECK(draw_level(ctx, figure, g, levels[k]));
    return CAIRN_OK;
}

/* The i-th feature of the model that is a number column of the table, or NULL. */
static const char *model_number(const cairn_compute_job *job, size_t i)
{
    const cairn_schema *schema = &job->model->schema;
    for (size_t f = 0; f < schema->n_fields; f++) {
        const cairn_field *field = &schema->fields[f];
        ptrdiff_t at = cairn_table_find(job->table, field->name);
        if (field->role != CAIRN_FEATURE || field->kind != CAIRN_NUMBER || at < 0) continue;
        if (cairn_table_numbers(job->table, (size_t)at) && i-- == 0) return field->name;
    }
    return NULL;
}

/* Columns default to the first two numbers that the model uses; borders between classes are refined
 * where neighbouring cells differ. */
static cairn_status regions_draw(cairn_context *ctx, cairn_figure **out,
                                 const cairn_compute_job *job)
{
    const regions_params *p = job->params;
    const cairn_table *table = job->table;
    region_grid g = {.n = (size_t)p->grid};
    if (!cairn_model_learner(job->model))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "this file holds a recipe of transforms, which predicts nothing");
    const char *first = model_number(job, 0), *second = model_number(job, 1);
    CHECK(cairn_picture_numbers(ctx, &g.x, table, "x", p->x ? p->x : first, 0));
    if (!p->y && cairn_same(p->x, second)) second = first;
    CHECK(cairn_picture_numbers(ctx, &g.y, table, "y", p->y ? p->y : second, p->x ? 0 : 1));
    if (!p->y && g.x == g.y) CHECK(cairn_picture_numbers(ctx, &g.y, table, "y", NULL, 1));
    if (g.x == g.y) return cairn_fail(ctx, CAIRN_USAGE, "{x} and {y} name the same column");
    CHECK(set_range(ctx, &g, 0, table, g.x));
    CHECK(set_range(ctx, &g, 1, table, g.y));
    CHECK(predict_grid(ctx, &g, job));
    if (!g.numbers) CHECK(refine(ctx, &g, job));
    CHECK(cairn_figure_new(ctx, out, "regions", table->source));
    cairn_figure_axes(*out, table->slots[g.x].name, table->slots[g.y].name);
    cairn_figure_x_range(*out, g.low[0], grid_edge(&g, 0, g.n));
    cairn_figure_y_range(*out, g.low[1], grid_edge(&g, 1, g.n));
    if (g.numbers)
        CHECK(draw_numbers(ctx, *out, &g, job));
    else
        CHECK(draw_classes(ctx, *out, &g, job));
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_regions = {
    .picture =
        {.kind = CAIRN_ENTRY_PICTURE,
         .name = "regions",
         .also = "decision boundary, decision regions, decision surface",
         .title = "What a model says over two features",
         .summary =
             "Colours the plane of two number features by the class or cluster that a model "
             "gives there, with the rows of a table on top; a number target becomes lines of "
             "equal predicted value, and one that has two values the line half-way between "
             "them. The model's transforms are applied to every place, so boundaries are "
             "drawn back in the space of the input: squares give circles and ellipses. Other "
             "features are held at their mean or most common value, or where --at says.",
         .example = "cairn fit tree @iris --save iris.cairn && cairn draw regions iris.cairn "
                    "@iris --x petal_length --y petal_width --out regions.svg",
         .params = regions_table,
         .params_size = sizeof(regions_params)},
    .arguments = "MODEL DATA",
    .needs_model = true,
    .needs_data = true,
    .draw = regions_draw,
};
