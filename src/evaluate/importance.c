/* SPDX-License-Identifier: MIT */
/* Permutation importance, measured and reported.
 *
 * Shuffling keeps the distribution of a column and breaks its tie to everything else. Of two
 * columns that say the same, each can stand in for the other, so both come out unimportant; the
 * report says so. Values over the splits give the interval (corrected for the overlap of training
 * sets). */
#include "evaluate/importance.h"
#include "evaluate/measured.h"
#include "model/judged_rows.h"
#include "base/memory.h"
#include "base/random.h"
#include "data/column.h"
#include "report/table_rows.h"
#include "stats/significance.h"
#include <math.h>
#include <string.h>

enum { MOST_BARS = 20 };

static bool is_feature(const cairn_model *model, const char *name)
{
    for (size_t f = 0; f < model->schema.n_fields; f++)
        if (model->schema.fields[f].role == CAIRN_FEATURE &&
            strcmp(model->schema.fields[f].name, name) == 0)
            return true;
    return false;
}

/* The number of a column among those that the model knows, so that others change no random
 * numbers. */
static size_t feature_number(const cairn_model *model, const cairn_table *table, size_t column)
{
    size_t n = 0;
    for (size_t j = 0; j < column; j++) n += is_feature(model, table->slots[j].name);
    return n;
}

/* A table whose column j is shuffled among the rows. */
static cairn_status shuffle_column(cairn_context *ctx, cairn_table **out, const cairn_table *table,
                                   size_t j, cairn_rows rows, size_t stream)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_table_free) cairn_table *copy = NULL;
    cairn_column *column;
    cairn_random random;
    size_t *order;
    uint32_t *from;
    CHECK(SCRATCH_RAW(ctx, &order, rows.n + 1));
    CHECK(SCRATCH_RAW(ctx, &from, table->n_rows + 1));
    for (size_t i = 0; i < rows.n; i++) order[i] = i;
    for (size_t i = 0; i < table->n_rows; i++) from[i] = (uint32_t)i;
    cairn_random_start(&random, cairn_context_seed(ctx), stream);
    cairn_random_shuffle(&random, order, rows.n);
    for (size_t i = 0; i < rows.n; i++) {
        size_t to = rows.indices ? rows.indices[i] : i;
        from[to] = rows.indices ? rows.indices[order[i]] : (uint32_t)order[i];
    }
    CHECK(cairn_table_share(ctx, &copy, table));
    CHECK(cairn_column_take(ctx, &column, table->slots[j].column, from, table->n_rows));
    cairn_table_replace_column(copy, j, column);
    *out = TAKE(copy);
    return CAIRN_OK;
}

static cairn_status loss_without(cairn_context *ctx, double *out, const cairn_model *model,
                                 const cairn_table *table, size_t j, cairn_rows rows, size_t stream,
                                 double whole)
{
    OWNED(cairn_table_free) cairn_table *shuffled = NULL;
    double value;
    CHECK(shuffle_column(ctx, &shuffled, table, j, rows, stream));
    CHECK(cairn_measure_model(ctx, &value, model, shuffled, rows));
    *out = model->task == CAIRN_CLASSIFY ? whole - value : value - whole;
    return CAIRN_OK;
}

cairn_status cairn_importance_of(cairn_context *ctx, double *out, const cairn_model *model,
                                 const cairn_table *table, cairn_rows rows, size_t repeats,
                                 size_t stream)
{
    double whole, loss;
    CHECK(cairn_measure_model(ctx, &whole, model, table, rows));
    for (size_t j = 0; j < table->n_columns; j++) {
        out[j] = NAN;
        if (!is_feature(model, table->slots[j].name)) continue;
        out[j] = 0;
        for (size_t r = 0; r < repeats; r++) {
            size_t own = (stream * table->n_columns + j) * repeats + r;
            CHECK(cairn_tick(ctx, NULL, 0, 0));
            CHECK(loss_without(ctx, &loss, model, table, j, rows, own, whole));
            out[j] += loss / (double)repeats;
        }
    }
    return CAIRN_OK;
}

static cairn_status measure_table(cairn_context *ctx, double *out, const cairn_shuffling *s,
                                  const cairn_table *table)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_prediction_clear) cairn_prediction prediction = {0};
    cairn_judged judged;
    CHECK(cairn_judged_model(ctx, &judged, &prediction, s->model, table, s->rows,
                             s->measure->needs_scores));
    return s->measure->value(ctx, out, &judged);
}

cairn_status cairn_shuffling_whole(cairn_context *ctx, double *out, const cairn_shuffling *s)
{
    return measure_table(ctx, out, s, s->table);
}

cairn_status cairn_shuffling_values(cairn_context *ctx, double *out, const cairn_shuffling *s,
                                    size_t column, size_t repeats)
{
    size_t first = feature_number(s->model, s->table, column) * repeats;
    for (size_t r = 0; r < repeats; r++) {
        OWNED(cairn_table_free) cairn_table *shuffled = NULL;
        CHECK(cairn_tick(ctx, NULL, 0, 0));
        CHECK(shuffle_column(ctx, &shuffled, s->table, column, s->rows, first + r));
        CHECK(measure_table(ctx, &out[r], s, shuffled));
    }
    return CAIRN_OK;
}

/* -- the report -- */

typedef struct importance_row {
    size_t column;
    cairn_t_test test;
} importance_row;

/* Means over the splits, largest first; equal ones in table order. */
static cairn_status rank_columns(cairn_context *ctx, importance_row **out, size_t *n,
                                 const cairn_evaluation *e)
{
    importance_row *rows;
    double *values;
    double share = e->share;
    *n = 0;
    CHECK(SCRATCH(ctx, &rows, e->columns.n + 1));
    CHECK(SCRATCH(ctx, &values, e->n_splits + 1));
    for (size_t j = 0; j < e->columns.n; j++) {
        importance_row row = {.column = j};
        size_t counted = 0, at = *n;
        for (size_t s = 0; s < e->n_splits; s++) {
            double value = e->importance[s * e->columns.n + j];
            if (!isnan(value)) values[counted++] = value;
        }
        if (counted == 0) continue;
        cairn_t_test_of(&row.test, values, counted, share, e->level);
        for (; at > 0 && rows[at - 1].test.mean < row.test.mean; at--) rows[at] = rows[at - 1];
        rows[at] = row;
        ++*n;
    }
    *out = rows;
    return CAIRN_OK;
}

/* Only the first MOST_BARS rows of the table: more bars would not be legible. */
static cairn_status draw_bars(cairn_context *ctx, cairn_report *out, const cairn_evaluation *e,
                              const importance_row *rows, size_t n)
{
    cairn_figure *figure;
    const char **names;
    double *heights;
    if (n > MOST_BARS) n = MOST_BARS;
    CHECK(SCRATCH_EACH(ctx, n + 1, &names, &heights));
    for (size_t i = 0; i < n; i++) {
        names[i] = cairn_map_key(&e->columns, rows[i].column);
        heights[i] = rows[i].test.mean;
    }
    CHECK(cairn_figure_new(ctx, &figure, "importance", "What is lost when a column is shuffled"));
    cairn_figure_axes(figure, "",
                      e->task == CAIRN_CLASSIFY ? "accuracy lost" : "squared error added");
    cairn_figure_bars(figure, NULL, names, heights, n);
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

cairn_status cairn_importance_report(cairn_context *ctx, cairn_report *out,
                                     const cairn_evaluation *e)
{
    SCOPED_SCRATCH(ctx);
    importance_row *rows;
    size_t n;
    CHECK(rank_columns(ctx, &rows, &n, e));
    cairn_report_heading(out, 2, "Importance of the columns");
    cairn_report_table_of(out, NULL, 0, "lrrr", "column",
                          e->task == CAIRN_CLASSIFY ? "accuracy lost" : "squared error added",
                          "low", "high");
    for (size_t i = 0; i < n; i++) {
        const char *name = cairn_map_key(&e->columns, rows[i].column);
        cairn_report_cells(out, "- importance.$1:4 importance.$1.low:4 importance.$1.high:4", name,
                           rows[i].test.mean, rows[i].test.interval.low,
                           rows[i].test.interval.high);
    }
    cairn_report_note(out,
                      "Each column was shuffled among the tested rows. Columns that say the same "
                      "stand in for each other, so a low value does not mean that a column is "
                      "useless.");
    if (n) CHECK(draw_bars(ctx, out, e, rows, n));
    return CAIRN_OK;
}
