/* SPDX-License-Identifier: MIT */
/* Rows of cells of any kind: numbers, codes of levels, or texts as a file holds them. */
#include "base/memory.h"
#include "base/number.h"
#include "data/cell.h"
#include "data/column.h"
#include "predict/predictor.h"
#include <math.h>
#include <string.h>

/* Fails with the text of a cell that is not what its column holds. */
static cairn_status refuse_text(cairn_predictor *p, size_t column, const cairn_cell *cell,
                                const char *what)
{
    int shown = cell->length < 60 ? (int)cell->length : 60;
    return cairn_fail(p->ctx, CAIRN_BAD_DATA,
                      "column '%s': '%.*s'%s is no %s; correct the cell, or give it as missing",
                      p->columns[column].name, shown, cell->text, cell->length > 60 ? "..." : "",
                      what);
}

/* -- numbers, levels and times -- */

static cairn_status make_marks(cairn_predictor *p)
{
    if (p->marks.n) return CAIRN_OK;
    return cairn_cell_marks(p->ctx, &p->marks, p->model->marks, p->model->only_marks);
}

static bool read_number(const cairn_predictor *p, const cairn_cell *cell, double *out)
{
    char decimal = p->model->decimal ? (char)p->model->decimal : '.';
    if (p->model->thousands &&
        cairn_cell_grouped(cell->text, cell->length, decimal, (char)p->model->thousands, out))
        return true;
    return cairn_cell_number(cell->text, cell->length, decimal, out);
}

/* The text of a number, a level or a time; a level that training did not see is missing. */
static cairn_status read_text(cairn_predictor *p, size_t column, const cairn_field *field,
                              const cairn_cell *cell, double *out)
{
    cairn_kind kind = field ? (cairn_kind)field->kind : CAIRN_NUMBER;
    if (kind == CAIRN_LEVEL) {
        int64_t code = cairn_map_find(&field->names, cell->text, cell->length);
        *out = code < 0 ? NAN : (double)code;
        return CAIRN_OK;
    }
    CHECK(make_marks(p));
    *out = NAN;
    if (cairn_cell_is_missing(&p->marks, cell->text, cell->length)) return CAIRN_OK;
    if (kind == CAIRN_TIME &&
        !cairn_time_parse(cell->text, cell->length, field->pattern, out, NULL, NULL))
        return refuse_text(p, column, cell, "time");
    if (kind == CAIRN_NUMBER && !read_number(p, cell, out))
        return refuse_text(p, column, cell, "number");
    return CAIRN_OK;
}

/* A cell as a number of the row. */
static cairn_status read_cell(cairn_predictor *p, size_t column, const cairn_field *field,
                              const cairn_cell *cell, double *out)
{
    *out = NAN;
    switch (cell->kind) {
    case CAIRN_CELL_MISSING: return CAIRN_OK;
    case CAIRN_CELL_NUMBER: *out = cell->number; return CAIRN_OK;
    case CAIRN_CELL_TEXT: return cell->text ? read_text(p, column, field, cell, out) : CAIRN_OK;
    case CAIRN_CELL_CODE:
        if (field && field->kind == CAIRN_LEVEL) {
            *out = cell->code;
            return CAIRN_OK;
        }
        return cairn_fail(p->ctx, CAIRN_USAGE,
                          "column '%s' has no levels and its cell a code; give a number or a text",
                          p->columns[column].name);
    }
    return cairn_fail(p->ctx, CAIRN_USAGE,
                      "column '%s': the cell is of kind %d, which is none of cairn_cell_kind",
                      p->columns[column].name, (int)cell->kind);
}

/* -- texts, bags, sequences and series -- */

/* A column of one row with the text, or with a missing cell. */
static cairn_status text_column(cairn_context *ctx, cairn_column **out, const cairn_cell *cell)
{
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    bool there = cell->kind == CAIRN_CELL_TEXT && cell->text;
    size_t length = there ? cell->length : 0;
    CHECK(cairn_column_new(ctx, &column, CAIRN_TEXT, 1));
    CHECK(NEW(ctx, &column->bytes, length + 1));
    if (length) memcpy(column->bytes, cell->text, length);
    column->starts[1] = length;
    if (!there) CHECK(cairn_column_mark_absent(ctx, column, 0));
    cairn_column_count_missing(column);
    *out = TAKE(column);
    return CAIRN_OK;
}

/* The cell as the field wants it: a new column of one row. */
static cairn_status match_cell(cairn_predictor *p, cairn_column **out, const cairn_field *field,
                               const cairn_cell *cell)
{
    OWNED(cairn_column_drop) cairn_column *text = NULL;
    if (!p->table) CHECK(cairn_predictor_table(p->ctx, &p->table, p->model, 1));
    if (cell->kind == CAIRN_CELL_NUMBER && !isnan(cell->number))
        return cairn_fail(p->ctx, CAIRN_USAGE,
                          "column '%s' is a %s and its cell a number; give a text", field->name,
                          cairn_kind_name((cairn_kind)field->kind));
    CHECK(text_column(p->ctx, &text, cell));
    return cairn_field_match(p->ctx, out, field, text, p->table);
}

/* A bag that is given as a whole: how much of each item it holds. Where the model looks at missing
 * bags, their items are missing, too. */
static cairn_status take_bag(cairn_predictor *p, size_t field, const cairn_cell *cell, double *v)
{
    OWNED(cairn_column_drop) cairn_column *bag = NULL;
    size_t first = 0;
    CHECK(match_cell(p, &bag, &p->model->schema.fields[field], cell));
    while (p->inputs[first].field != field) first++;
    size_t n_items = p->model->schema.fields[field].names.n;
    bool missing = bag->absent && bag->absent[0] && cairn_model_sees_missing_bags(p->model);
    for (size_t k = 0; missing && k < n_items; k++) v[first + k] = NAN;
    for (size_t e = bag->starts[0]; e < bag->starts[1]; e++)
        v[first + (size_t)bag->items[e]] = bag->amounts ? bag->amounts[e] : 1;
    return CAIRN_OK;
}

/* A text, sequence or series goes into the table that the learner is asked about. */
static cairn_status take_text(cairn_predictor *p, const cairn_row_input *input,
                              const cairn_cell *cell)
{
    cairn_column *column;
    CHECK(match_cell(p, &column, &p->model->schema.fields[input->field], cell));
    cairn_table_replace_column(p->table, input->feature, column);
    p->texts = true;
    return CAIRN_OK;
}

static cairn_status take_cell(cairn_predictor *p, size_t column, const cairn_cell *cell, double *v)
{
    const cairn_given_column *given = &p->columns[column];
    if (given->bag >= 0) return take_bag(p, (size_t)given->bag, cell, v);
    if (given->input < 0) return CAIRN_OK;
    const cairn_row_input *input = &p->inputs[given->input];
    const cairn_field *field = &p->model->schema.fields[input->field];
    if (input->item >= 0) return read_cell(p, column, NULL, cell, &v[given->input]);
    if (field->kind == CAIRN_TEXT || field->kind == CAIRN_SEQUENCE || field->kind == CAIRN_SERIES)
        return take_text(p, input, cell);
    return read_cell(p, column, field, cell, &v[given->input]);
}

cairn_status cairn_predictor_cells(cairn_predictor *p, const cairn_cell *cells,
                                   cairn_answer *answer, double *scores)
{
    SCOPED_SCRATCH(p->ctx);
    double *v = p->slots;
    for (size_t i = 0; i < p->n_inputs; i++) v[i] = p->inputs[i].item < 0 ? NAN : 0;
    for (size_t c = 0; c < p->n_columns; c++) CHECK(take_cell(p, c, &cells[c], v));
    if (cairn_predictor_answer_quickly(p, v, v, answer, scores)) return CAIRN_OK;
    return cairn_predictor_answer(p->ctx, p, v, 0, answer, scores);
}
