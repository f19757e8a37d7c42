/* SPDX-License-Identifier: MIT */
/* cairn draw splits: the class counts in every part of every candidate split, side by side. A good
 * question is one whose bars are of one colour each. Level columns divide by their levels, number
 * columns at the cut that the user names. Many parts stand in several rows. */
#include "pictures/picture.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

typedef struct splits_params {
    const char *columns, *cuts;
} splits_params;

static const cairn_param splits_table[] = {
    CAIRN_PARAM_AS(splits_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "level columns to compare; all level features if not given"),
    CAIRN_PARAM(splits_params, cuts, NULL, NULL,
                "number columns with a cut each, such as age=30,income=50000"),
    CAIRN_PARAM_END,
};

enum { MOST_PARTS = 240, MOST_IN_ROW = 20 };

typedef struct split_bars {
    const cairn_view *view;
    size_t n_classes, n; /* parts so far */
    char **names;        /* MOST_PARTS */
    size_t *column;      /* MOST_PARTS: number of the column that makes the part */
    size_t n_columns;
    double *heights; /* n_classes x MOST_PARTS */
    size_t left_out; /* parts beyond the most */
} split_bars;

/* A part named "column: what"; false when there is no room. */
static cairn_status add_part(cairn_context *ctx, split_bars *b, const char *column,
                             const char *what, size_t *place)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    *place = MOST_PARTS;
    if (b->n == MOST_PARTS) {
        b->left_out++;
        return CAIRN_OK;
    }
    cairn_text_addf(&text, "%s: %s", column, what);
    CHECK(cairn_text_status(&text));
    CHECK(SCRATCH(ctx, &b->names[b->n], text.length + 1));
    memcpy(b->names[b->n], text.bytes, text.length);
    b->column[b->n] = b->n_columns;
    *place = b->n++;
    return CAIRN_OK;
}

static void count_row(split_bars *b, size_t row, size_t place)
{
    int32_t class = b->view->target->codes[row];
    if (class >= 0 && place < MOST_PARTS)
        b->heights[(size_t) class * MOST_PARTS + place] += cairn_view_weight(b->view, row);
}

static cairn_status add_levels(cairn_context *ctx, split_bars *b, const cairn_slot *slot)
{
    size_t *places, n = slot->column->names.n;
    CHECK(SCRATCH(ctx, &places, n + 1));
    for (size_t k = 0; k < n; k++)
        CHECK(add_part(ctx, b, slot->name, cairn_map_key(&slot->column->names, k), &places[k]));
    for (size_t i = 0; i < slot->column->n_rows; i++)
        if (slot->column->codes[i] >= 0) count_row(b, i, places[slot->column->codes[i]]);
    b->n_columns++;
    return CAIRN_OK;
}

/* Without names all level columns are split by their levels; numbers need a cut each, which only
 * the user can choose. */
static cairn_status add_columns(cairn_context *ctx, split_bars *b, const cairn_table *table,
                                const splits_params *p)
{
    char **words;
    size_t n, at;
    for (size_t i = 0; !p->columns && i < table->n_columns; i++)
        if (table->slots[i].role == CAIRN_FEATURE && table->slots[i].column->kind == CAIRN_LEVEL)
            CHECK(add_levels(ctx, b, &table->slots[i]));
    if (p->columns) {
        CHECK(cairn_list_split(ctx, p->columns, &words, &n));
        for (size_t i = 0; i < n; i++) {
            CHECK(cairn_table_get(ctx, table, words[i], &at));
            if (table->slots[at].column->kind != CAIRN_LEVEL)
                return cairn_fail(
                    ctx, CAIRN_USAGE,
                    "{columns}: '%s' holds no levels; name its cut with {cuts %s=...}", words[i],
                    words[i]);
            CHECK(add_levels(ctx, b, &table->slots[at]));
        }
    }
    if (p->cuts) {
        CHECK(cairn_list_split(ctx, p->cuts, &words, &n));
        for (size_t i = 0; i < n; i++) {
            /* Below the cut, and at or above it. */
            const char *text = words[i];
            const char *equals = strrchr(text, '=');
            char *name, what[CAIRN_NUMBER_SIZE + 8];
            double cut;
            size_t column, places[2];
            if (!equals || !cairn_number_parse(equals + 1, strlen(equals + 1), &cut))
                return cairn_fail(ctx, CAIRN_USAGE, "{cuts}: '%s' is not COLUMN=NUMBER", text);
            CHECK(SCRATCH(ctx, &name, (size_t)(equals - text) + 1));
            memcpy(name, text, (size_t)(equals - text));
            CHECK(cairn_picture_numbers(ctx, &column, table, "cuts", name, 0));
            const double *values = cairn_table_numbers(table, column);
            for (int side = 0; side < 2; side++) {
                const char *sign = side ? "≥ " : "< ";
                memcpy(what, sign, strlen(sign));
                cairn_number_format(what + strlen(sign), cut, 6);
                CHECK(add_part(ctx, b, name, what, &places[side]));
            }
            for (size_t j = 0; j < table->n_rows; j++)
                if (!isnan(values[j])) count_row(b, j, places[values[j] >= cut]);
            b->n_columns++;
        }
    }
    return CAIRN_OK;
}

static double tallest_part(const split_bars *b)
{
    double most = 0;
    for (size_t i = 0; i < b->n; i++) {
        double sum = 0;
        for (size_t k = 0; k < b->n_classes; k++) sum += b->heights[k * MOST_PARTS + i];
        most = fmax(most, sum);
    }
    return most;
}

/* One bar for each part and class; rows of panels are broken between columns, never within one. */
static cairn_status splits_draw(cairn_context *ctx, cairn_figure **out,
                                const cairn_compute_job *job)
{
    const cairn_table *table = job->table;
    split_bars b = {0};
    cairn_view view;
    CHECK(cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    if (!view.target || view.target->kind != CAIRN_LEVEL)
        return cairn_fail(ctx, CAIRN_USAGE, "name the column of the classes with {target}");
    b.view = &view;
    b.n_classes = view.target->names.n;
    CHECK(SCRATCH_EACH(ctx, MOST_PARTS, &b.names, &b.column));
    CHECK(SCRATCH(ctx, &b.heights, cairn_product(b.n_classes, MOST_PARTS)));
    CHECK(add_columns(ctx, &b, table, job->params));
    if (!b.n)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "there is no level column to split by; {cuts "
                          "COLUMN=NUMBER} cuts a number column");
    if (b.left_out) cairn_warn(ctx, "%zu parts are not drawn; {columns} chooses", b.left_out);
    CHECK(cairn_picture_new(ctx, out, "splits", table, "Class counts of splits"));
    cairn_figure_columns(*out, 1);
    for (size_t from = 0, to; from < b.n; from = to) {
        cairn_figure *row = *out;
        /* The end of the row that begins with a part: as many whole columns as fit, parts of a
         * column only where it is alone. */
        size_t end = from + MOST_IN_ROW < b.n ? from + MOST_IN_ROW : b.n, whole = end;
        while (whole > from && whole < b.n && b.column[whole] == b.column[whole - 1]) whole--;
        to = whole > from ? whole : end;
        if (to - from < b.n) CHECK(cairn_figure_new(ctx, &row, "splits", ""));
        /* The bars of a row; only the first row says what the colours mean. */
        cairn_figure_size(row, fmax(480, 34 * (double)(to - from)), 340);
        cairn_figure_axes(row, NULL, b.view->row_weights ? "weight" : "rows");
        cairn_figure_stacked(row);
        if (to - from < b.n) cairn_figure_y_range(row, 0, 1.05 * tallest_part(&b));
        for (size_t k = 0; k < b.n_classes; k++)
            cairn_figure_bars(row, from ? NULL : cairn_map_key(&b.view->target->names, k),
                              (const char *const *)b.names + from,
                              b.heights + k * MOST_PARTS + from, to - from);
        if (row != *out) cairn_figure_panel(*out, row);
    }
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_splits = {
    .picture =
        {.kind = CAIRN_ENTRY_PICTURE,
         .name = "splits",
         .also = "competing splits, class counts of splits",
         .title = "Class counts of competing splits",
         .summary =
             "For every candidate question the rows of each class in each of its parts, "
             "stacked: level columns by their levels, number columns at a cut. The purer the "
             "bars, the better the question.",
         .references = "Quinlan: Induction of Decision Trees, Machine Learning 1, 1986",
         .example = "cairn draw splits @weather",
         .params = splits_table,
         .params_size = sizeof(splits_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .draw = splits_draw,
};
