/* SPDX-License-Identifier: MIT */
/* Rows that a program is checked with before it is written, and takes along to be checked again
 * where it is used: the user's, or made up so that every level and missing cells occur. */
#include "base/memory.h"
#include "data/column.h"
#include "export/export_rows.h"
#include <math.h>
#include <string.h>

enum { MADE_ROWS = 24, LONGEST = 4096 };

/* -- rows that are made up -- */

/* Made rows for the self-test, for a model without data at hand: small numbers, every level and
 * missing cells, in cycles that differ from column to column. */
static cairn_status made_column(cairn_context *ctx, cairn_column **out, const cairn_field *field,
                                size_t at, size_t n_rows)
{
    static const double numbers[] = {0, 1, -1, 0.5, NAN, 2, 5, 3.25, 10, -4, 0.1};
    size_t n = sizeof numbers / sizeof *numbers;
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    CHECK(cairn_column_new(ctx, &column, (cairn_kind)field->kind, n_rows));
    column->ordered = field->ordered;
    column->declared = field->declared;
    CHECK(cairn_map_copy(ctx, &column->names, &field->names));
    for (size_t i = 0; column->numbers && i < n_rows; i++)
        column->numbers[i] = numbers[(i * (at + 1) + at) % n];
    for (size_t i = 0; column->codes && i < n_rows; i++)
        column->codes[i] = (int32_t)((i + at) % (field->names.n + 1)) - 1;
    cairn_column_count_missing(column);
    *out = TAKE(column);
    return CAIRN_OK;
}

static cairn_status make_up(cairn_context *ctx, cairn_table **out, const cairn_schema *schema)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    CHECK(cairn_table_new(ctx, &table, MADE_ROWS));
    for (size_t i = 0; i < schema->n_fields; i++) {
        cairn_column *column;
        CHECK(made_column(ctx, &column, &schema->fields[i], i, MADE_ROWS));
        CHECK(cairn_table_add_column(ctx, table, schema->fields[i].name, CAIRN_FEATURE, column));
    }
    *out = TAKE(table);
    return CAIRN_OK;
}

/* -- cells and answers -- */

static double cell_of(const cairn_column *column, size_t row)
{
    if (column->numbers) return column->numbers[row];
    if (column->codes && column->codes[row] >= 0) return column->codes[row];
    return NAN;
}

/* The name of a level as the table has it, which training need not have known. */
static cairn_status text_of(cairn_context *ctx, const char **out, const cairn_table *table,
                            const char *column, size_t row)
{
    ptrdiff_t at = cairn_table_find(table, column);
    char *text;
    *out = NULL;
    if (at < 0 || cairn_column_is_missing(table->slots[at].column, row)) return CAIRN_OK;
    char cell[LONGEST];
    (void)cairn_table_cell(table, (size_t)at, row, cell, sizeof cell);
    CHECK(SCRATCH(ctx, &text, strlen(cell) + 1));
    memcpy(text, cell, strlen(cell));
    *out = text;
    return CAIRN_OK;
}

/* How much of each item a bag holds, NaN when it is missing and the model looks at that; the cells
 * are zeros. */
static void take_items(double *cells, const cairn_column *bag, size_t n_items, size_t row,
                       bool missing)
{
    missing &= bag->absent && bag->absent[row];
    for (size_t k = 0; missing && k < n_items; k++) cells[k] = NAN;
    for (size_t e = bag->starts[row]; e < bag->starts[row + 1]; e++)
        cells[bag->items[e]] = bag->amounts ? bag->amounts[e] : 1;
}

/* Cells of the rows as the program reads them. */
static cairn_status take_cells(cairn_export *e, const cairn_table *table)
{
    const cairn_schema *raw = &e->program.raw;
    cairn_export_rows *rows = &e->rows;
    size_t width = e->program.inputs.n_fields;
    bool missing = cairn_model_sees_missing_bags(e->model);
    OWNED(cairn_table_free) cairn_table *matched = NULL;
    cairn_match match;
    CHECK(cairn_schema_match(e->ctx, &matched, raw, table, false, &match));
    CHECK(SCRATCH_EACH(e->ctx, cairn_product(rows->n, width) + 1, &rows->cells, &rows->texts));
    for (size_t i = 0; i < rows->n; i++)
        for (size_t j = 0, at = i * width; j < raw->n_fields; j++) {
            bool bag = raw->fields[j].kind == CAIRN_BAG;
            if (bag)
                take_items(rows->cells + at, matched->slots[j].column, raw->fields[j].names.n, i,
                           missing);
            else
                rows->cells[at] = cell_of(matched->slots[j].column, i);
            if (raw->fields[j].kind == CAIRN_LEVEL)
                CHECK(text_of(e->ctx, &rows->texts[at], table, raw->fields[j].name, i));
            at += bag ? raw->fields[j].names.n : 1;
        }
    return CAIRN_OK;
}

/* The answers of the library itself to the test rows: the exported program must give the same. */
static cairn_status take_answers(cairn_export *e, const cairn_table *table)
{
    const cairn_program_answer *answer = &e->program.answer;
    cairn_export_rows *rows = &e->rows;
    SCOPED(cairn_prediction_clear) cairn_prediction p = {0};
    cairn_match match;
    cairn_predict_wants wants = {.scores = true};
    size_t n_scores = cairn_product(rows->n, answer->n_scores);
    CHECK(cairn_model_predict_rows(e->ctx, &p, e->model, table, cairn_all_rows(table), wants,
                                   &match));
    if (p.codes && answer->code >= 0) {
        CHECK(SCRATCH(e->ctx, &rows->codes, rows->n + 1));
        for (size_t i = 0; i < rows->n; i++) rows->codes[i] = p.codes[i];
    }
    if (p.numbers && answer->number >= 0) {
        CHECK(SCRATCH(e->ctx, &rows->numbers, rows->n + 1));
        memcpy(rows->numbers, p.numbers, rows->n * sizeof *p.numbers);
    }
    if (p.scores && answer->scores >= 0) {
        CHECK(SCRATCH(e->ctx, &rows->scores, n_scores + 1));
        memcpy(rows->scores, p.scores, n_scores * sizeof *p.scores);
    }
    return CAIRN_OK;
}

/* -- checking -- */

static bool near(const cairn_export *e, double a, double b)
{
    double rounding = fmax(1e-9, e->program.rounding);
    if (isnan(a) || isnan(b)) return isnan(a) && isnan(b);
    return a == b || fabs(a - b) <= rounding * fmax(1e-3, fmax(fabs(a), fabs(b)));
}

/* Whether two classes have the same score but for rounding: then either is an answer. */
static bool is_tie(const cairn_export *e, const double *v, size_t i)
{
    const cairn_program_answer *a = &e->program.answer;
    double mine = v[a->code], other = e->rows.codes[i];
    double most = (double)a->n_scores; /* an answer may be no number */
    if (a->scores < 0 || !(mine >= 0 && mine < most && other >= 0 && other < most)) return false;
    return near(e, v[a->scores + (int32_t)mine], v[a->scores + (int32_t)other]);
}

static bool agrees(const cairn_export *e, const double *v, size_t i)
{
    const cairn_program_answer *a = &e->program.answer;
    const cairn_export_rows *rows = &e->rows;
    if (rows->codes && rows->codes[i] != v[a->code] && !is_tie(e, v, i)) return false;
    if (rows->numbers && !near(e, rows->numbers[i], v[a->number])) return false;
    for (size_t k = 0; rows->scores && k < a->n_scores; k++)
        if (!near(e, rows->scores[i * a->n_scores + k], v[a->scores + (int32_t)k])) return false;
    return true;
}

/* Whether the answer is infinite or no number: the model clamps what a program lets overflow. */
static bool overflows(const cairn_export *e, const double *v)
{
    const cairn_program_answer *a = &e->program.answer;
    bool found = e->rows.numbers && !isfinite(v[a->number]);
    for (size_t k = 0; e->rows.scores && k < a->n_scores; k++)
        found |= !isfinite(v[a->scores + (int32_t)k]);
    return found;
}

static cairn_status refuse_row(const cairn_export *e, const double *v, size_t i)
{
    if (overflows(e, v))
        return cairn_fail(e->ctx, CAIRN_BAD_DATA,
                          "row %zu has numbers with which the program of this model overflows, so "
                          "nothing is written; leave such rows out of {rows FILE}",
                          i + 1);
    return cairn_fail(e->ctx, CAIRN_NO_SOLUTION,
                      "the program of this model and the model itself disagree about row %zu, so "
                      "nothing is written; either the model is not one that Cairn made, or this is "
                      "a mistake of Cairn's",
                      i + 1);
}

cairn_status cairn_export_check(cairn_export *e)
{
    size_t width = e->program.inputs.n_fields;
    double *v;
    CHECK(SCRATCH(e->ctx, &v, e->program.n_slots + 1));
    for (size_t i = 0; i < e->rows.n; i++) {
        memcpy(v, e->rows.cells + i * width, width * sizeof *v);
        cairn_program_run(&e->program, v);
        if (!agrees(e, v, i)) return refuse_row(e, v, i);
        if (e->program.rounding > 0) {
            /* Where the model rounds in its own way, what is written down to be compared with is
             * what the program itself answers. */
            const cairn_program_answer *a = &e->program.answer;
            cairn_export_rows *rows = &e->rows;
            if (rows->codes) rows->codes[i] = v[a->code];
            if (rows->numbers) rows->numbers[i] = v[a->number];
            for (size_t k = 0; rows->scores && k < a->n_scores; k++)
                rows->scores[i * a->n_scores + k] = v[a->scores + (int32_t)k];
        }
    }
    return CAIRN_OK;
}

cairn_status cairn_export_take_rows(cairn_export *e, const cairn_table *table)
{
    OWNED(cairn_table_free) cairn_table *made = NULL;
    if (!table) {
        CHECK(make_up(e->ctx, &made, &e->program.raw));
        table = made;
    }
    e->rows.n = table->n_rows;
    CHECK(take_cells(e, table));
    return take_answers(e, table);
}
