/* SPDX-License-Identifier: MIT */
/* Predictors: making them, what they are, and answers to single rows. */
#include "base/call.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/options.h"
#include "data/cell.h"
#include "data/column.h"
#include "parallel/parallel.h"
#include "parallel/team.h"
#include "predict/predictor.h"
#include <math.h>
#include <string.h>

/* Rows of cells of any kind: numbers, codes of levels, or texts as a file holds them. */

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
    if (!p->marks.n) {
        CHECK(cairn_cell_marks(p->ctx, &p->marks, p->model->marks, p->model->only_marks));
    }
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

cairn_status cairn_predictor_cells(cairn_predictor *p, const cairn_cell *cells,
                                   cairn_answer *answer, double *scores)
{
    SCOPED_SCRATCH(p->ctx);
    double *v = p->slots;
    for (size_t i = 0; i < p->n_inputs; i++) v[i] = p->inputs[i].item < 0 ? NAN : 0;
    for (size_t c = 0; c < p->n_columns; c++) {
        const cairn_cell *cell = &cells[c];
        const cairn_given_column *given = &p->columns[c];
        if (given->bag >= 0)
            CHECK(take_bag(p, (size_t)given->bag, cell, v));
        else if (!(given->input < 0)) {
            const cairn_row_input *input = &p->inputs[given->input];
            const cairn_field *field = &p->model->schema.fields[input->field];
            if (input->item >= 0)
                CHECK(read_cell(p, c, NULL, cell, &v[given->input]));
            else if (field->kind == CAIRN_TEXT || field->kind == CAIRN_SEQUENCE ||
                     field->kind == CAIRN_SERIES)
                CHECK(take_text(p, input, cell));
            else
                CHECK(read_cell(p, c, field, cell, &v[given->input]));
        }
    }
    if (cairn_predictor_answer_quickly(p, v, v, answer, scores)) return CAIRN_OK;
    return cairn_predictor_answer(p->ctx, p, v, 0, answer, scores);
}

/* Many rows of a matrix: through the plan, block by block over the threads, or as tables that the
 * learner is asked about. */

/* Rows of a block; rows from which the learner is asked where that is sooner; of a table then. */
enum { BLOCK = 128, MANY = 64, TABLE_ROWS = 65536 };
/* Rows that are copied at a time, column by column: as many as a line of the cache has numbers. */
enum { TILE = 8 };

/* -- tables -- */

/* A column of missing cells. */
static cairn_status missing_column(cairn_context *ctx, cairn_column **out, const cairn_field *field,
                                   size_t n_rows)
{
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    CHECK(cairn_column_new(ctx, &column, (cairn_kind)field->kind, n_rows));
    column->ordered = field->ordered;
    column->declared = field->declared;
    CHECK(cairn_map_copy(ctx, &column->names, &field->names));
    for (size_t i = 0; i < n_rows; i++) {
        if (column->numbers) column->numbers[i] = NAN;
        if (column->codes) column->codes[i] = -1;
        if (!column->numbers && !column->codes && field->kind != CAIRN_BAG)
            CHECK(cairn_column_mark_absent(ctx, column, i));
    }
    if (field->kind == CAIRN_BAG) {
        CHECK(NEW_EACH(ctx, field->names.n + 1, &column->items, &column->amounts));
    }
    cairn_column_count_missing(column);
    *out = TAKE(column);
    return CAIRN_OK;
}

cairn_status cairn_predictor_table(cairn_context *ctx, cairn_table **out, const cairn_model *model,
                                   size_t n_rows)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    CHECK(cairn_table_new(ctx, &table, n_rows));
    for (size_t i = 0; i < model->schema.n_fields; i++) {
        const cairn_field *field = &model->schema.fields[i];
        cairn_column *column;
        if (field->role != CAIRN_FEATURE) continue;
        CHECK(missing_column(ctx, &column, field, n_rows));
        CHECK(cairn_table_append(ctx, table, field->name, CAIRN_FEATURE, column));
    }
    *out = TAKE(table);
    return CAIRN_OK;
}

/* -- blocks of rows through the plan -- */

typedef struct running {
    cairn_predictor *p;
    const cairn_matrix *rows;
    int32_t *codes;
    double *numbers, *scores;
    bool direct;    /* the rows of the matrix are the inputs as they lie */
    size_t *failed; /* per block: the first row that fails, counted from 1; 0 = none */
} running;

static cairn_row_source source_of(const cairn_matrix *m, size_t row)
{
    return (cairn_row_source){.data = (const char *)m->data + (ptrdiff_t)row * m->row_stride,
                              .stride = m->column_stride,
                              .row_stride = m->row_stride,
                              .floats = m->type == CAIRN_FLOAT32};
}

static double *scores_of(const running *r, size_t row)
{
    return r->scores ? r->scores + row * r->p->n_scores : NULL;
}

static void put_answer(const running *r, size_t row, cairn_answer answer)
{
    if (r->codes) r->codes[row] = answer.code;
    if (r->numbers) r->numbers[row] = answer.number;
}

/* Rows in memory where steps can read them: those of the matrix itself, or copies in the slots. */
typedef struct near_rows {
    const double *x;
    ptrdiff_t step;
} near_rows;

/* Rows from `at` on that are complete. */
static size_t count_complete(const running *r, near_rows rows, size_t at, size_t n)
{
    size_t i = at;
    while (i < n && cairn_predictor_is_complete(r->p, rows.x + (ptrdiff_t)i * rows.step)) i++;
    return i - at;
}

/* Complete rows, which are those of the matrix from `first` on, by the short way; false = the long
 * one is needed. */
static bool run_complete(const running *r, size_t first, cairn_row_block rows)
{
    const cairn_predictor *p = r->p;
    const cairn_quick_plan *plan = p->quick[r->scores != NULL];
    for (size_t i = 0; plan->copies && rows.x != rows.v && i < rows.n; i++)
        memcpy(rows.v + i * p->width, rows.x + (ptrdiff_t)i * rows.x_step,
               p->n_inputs * sizeof *rows.v);
    if (!cairn_quick_plan_run_all(plan, &rows)) return false;
    for (size_t i = 0; i < rows.n; i++) {
        cairn_answer answer;
        cairn_predictor_take(&plan->answer, rows.v + i * p->width, &answer,
                             scores_of(r, first + i));
        put_answer(r, first + i, answer);
    }
    return true;
}

/* The same by the long way, for any rows; returns the first that fails, counted from 1. */
static size_t run_long(const running *r, size_t first, cairn_row_block rows)
{
    cairn_predictor *p = r->p;
    for (size_t i = 0; i < rows.n; i++) {
        double *v = rows.v + i * p->width;
        cairn_answer answer;
        if (rows.x != rows.v)
            memcpy(v, rows.x + (ptrdiff_t)i * rows.x_step, p->n_inputs * sizeof *v);
        if (cairn_predictor_answer(NULL, p, v, 0, &answer, scores_of(r, first + i)))
            return first + i + 1;
        put_answer(r, first + i, answer);
    }
    return 0;
}

/* Some rows by the plan, whose slots are v; returns the first that fails, counted from 1. */
static size_t run_some(const running *r, size_t first, size_t n, double *v)
{
    near_rows rows;
    cairn_row_source source = source_of(r->rows, first);
    if (r->direct) {
        rows = (near_rows){(const double *)(const void *)source.data,
                           r->rows->row_stride / (ptrdiff_t)sizeof(double)};
    } else {
        for (size_t i = 0, some; i < n; i += some, source.data += TILE * r->rows->row_stride) {
            some = n - i < TILE ? n - i : TILE;
            cairn_predictor_load(r->p, &source, v + i * r->p->width, some);
        }
        rows = (near_rows){v, (ptrdiff_t)r->p->width};
    }
    size_t width = r->p->width, failed = 0;
    for (size_t i = 0, k; i < n && !failed; i += k) {
        bool complete = (k = count_complete(r, rows, i, n)) > 0;
        if (!complete) k = 1;
        cairn_row_block some = {.x = rows.x + (ptrdiff_t)i * rows.step,
                                .x_step = rows.step,
                                .v = v + i * width,
                                .width = width,
                                .n = k};
        if (!complete || !run_complete(r, first + i, some)) failed = run_long(r, first + i, some);
    }
    return failed;
}

static void run_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const running *r = data;
    size_t together = r->p->n_together;
    double *v = r->p->slots + (size_t)worker * together * r->p->width;
    for (size_t i = begin; i < end && !r->failed[block]; i += together)
        r->failed[block] = run_some(r, i, end - i < together ? end - i : together, v);
}

/* All rows by the plan. */
static cairn_status run_rows(running *r)
{
    cairn_predictor *p = r->p;
    size_t n = r->rows->n_rows, n_blocks = cairn_block_count(n, BLOCK);
    double work = (double)n * 10 * (double)(p->n_inputs + p->plan->n_slots);
    /* Whether the rows of the matrix are the inputs as they lie. */
    const cairn_matrix *m = r->rows;
    const ptrdiff_t size = (ptrdiff_t)sizeof(double);
    r->direct = r->p->straight && m->type == CAIRN_FLOAT64 && m->row_stride % size == 0 &&
                (m->column_stride == size || m->n_columns < 2);
    CHECK(cairn_predictor_slots(p, (size_t)cairn_workers(p->ctx) * p->n_together));
    CHECK(SCRATCH(p->ctx, &r->failed, n_blocks));
    CHECK(cairn_blocks_sized(p->ctx, n, BLOCK, work, run_block, r));
    for (size_t b = 0; b < n_blocks; b++)
        if (r->failed[b]) {
            /* One row again, for the message of its failure. */
            size_t row = r->failed[b] - 1;
            cairn_row_source source = source_of(r->rows, row);
            cairn_predictor_load(p, &source, p->slots, 1);
            return cairn_predictor_answer(p->ctx, p, p->slots, row + 1, NULL, NULL);
        }
    return CAIRN_OK;
}

/* -- the learner itself -- */

/* The inputs of n rows, whose slots are v, in a table from `row` on. */
static void put_cells(const cairn_predictor *p, cairn_table *table, size_t row, const double *v,
                      size_t n)
{
    for (size_t i = 0; i < p->n_inputs; i++) {
        cairn_column *column = table->slots[p->inputs[i].feature].column;
        for (size_t r = 0; r < n; r++) {
            double x = v[r * p->width + i];
            if (column->numbers)
                column->numbers[row + r] = x;
            else
                column->codes[row + r] = isnan(x) ? -1 : (int32_t)x;
        }
    }
}

/* The inputs of a row of the matrix into v, checked. */
static cairn_status load_row(const running *r, size_t row, double *v)
{
    cairn_row_source source = source_of(r->rows, row);
    cairn_predictor_load(r->p, &source, v, 1);
    if (cairn_predictor_is_complete(r->p, v)) return CAIRN_OK;
    return cairn_predictor_check(r->p->ctx, r->p, v, row + 1);
}

/* Rows from `first` on as one table. */
static cairn_status ask_table(const running *r, size_t first, cairn_table *table)
{
    cairn_predictor *p = r->p;
    SCOPED(cairn_prediction_clear) cairn_prediction said = {0};
    cairn_predict_wants wants = {.scores = r->scores != NULL};
    /* Rows of the matrix from `first` on as a table of the model's features. */
    CHECK(cairn_predictor_slots(p, p->n_together));
    for (size_t i = 0, n; i < table->n_rows; i += n) {
        n = table->n_rows - i < p->n_together ? table->n_rows - i : p->n_together;
        for (size_t k = 0; k < n; k++) CHECK(load_row(r, first + i + k, p->slots + k * p->width));
        put_cells(p, table, i, p->slots, n);
    }
    for (size_t i = 0; i < table->n_columns; i++)
        cairn_column_count_missing(table->slots[i].column);
    CHECK(cairn_model_answer(p->ctx, &said, p->model, table, cairn_all_rows(table), wants));
    /* Fails at the first row that has no answer, for the sake of a missing cell. */
    for (size_t i = 0; p->refuses && i < said.n_rows; i++) {
        bool answered = said.codes ? said.codes[i] != -1 : !isnan(said.numbers[i]);
        if (answered) continue;
        CHECK(load_row(r, first + i, p->slots));
        CHECK(cairn_predictor_refuse(p->ctx, p, p->slots, first + i + 1));
    }
    for (size_t i = 0; i < said.n_rows; i++)
        put_answer(
            r, first + i,
            (cairn_answer){said.codes ? said.codes[i] : -1, said.numbers ? said.numbers[i] : NAN});
    if (r->scores && said.scores)
        memcpy(scores_of(r, first), said.scores, said.n_rows * p->n_scores * sizeof *r->scores);
    return CAIRN_OK;
}

/* Whether all inputs are columns of numbers or codes. */
static bool is_plain(const cairn_predictor *p)
{
    for (size_t i = 0; i < p->n_inputs; i++)
        if (p->inputs[i].item >= 0) return false;
    for (size_t i = 0; i < p->n_coded; i++)
        if (p->coded[i].n_levels == 0) return false;
    return true;
}

/* Tables of many rows; without a plan it is one of all rows, as they may depend on each other:
 * steps of a sequence. */
static cairn_status ask_rows(const running *r)
{
    cairn_predictor *p = r->p;
    size_t all = r->rows->n_rows, most = p->plan && all > TABLE_ROWS ? TABLE_ROWS : all;
    if (!is_plain(p)) {
        /* Rows with bags are asked about one by one. */
        for (size_t i = 0; i < r->rows->n_rows; i++) {
            cairn_row_source source = source_of(r->rows, i);
            cairn_answer answer;
            cairn_predictor_load(p, &source, p->slots, 1);
            CHECK(cairn_predictor_answer(p->ctx, p, p->slots, i + 1, &answer, scores_of(r, i)));
            put_answer(r, i, answer);
        }
        return CAIRN_OK;
    }
    for (size_t first = 0; first < all; first += most) {
        OWNED(cairn_table_free) cairn_table *table = NULL;
        size_t n = all - first < most ? all - first : most;
        CHECK(cairn_predictor_table(p->ctx, &table, p->model, n));
        CHECK(ask_table(r, first, table));
    }
    return CAIRN_OK;
}

/* -- the whole -- */

static cairn_status check_matrix(cairn_predictor *p, const cairn_matrix *m)
{
    if (m->type != CAIRN_FLOAT64 && m->type != CAIRN_FLOAT32)
        return cairn_fail(p->ctx, CAIRN_USAGE,
                          "the type of the matrix is %d; it must be CAIRN_FLOAT64 or "
                          "CAIRN_FLOAT32",
                          (int)m->type);
    if (m->n_columns != p->n_columns)
        return cairn_fail(p->ctx, CAIRN_USAGE,
                          "the matrix has %zu columns and the predictor %zu; give the columns "
                          "that the predictor was made for, in their order",
                          m->n_columns, p->n_columns);
    if (!m->data && m->n_rows && m->n_columns)
        return cairn_fail(p->ctx, CAIRN_USAGE, "the matrix has %zu rows and no data", m->n_rows);
    return CAIRN_OK;
}

cairn_status cairn_predictor_rows(cairn_predictor *p, const cairn_matrix *rows, int32_t *codes,
                                  double *numbers, double *scores)
{
    PUBLIC_CALL(p->ctx);
    SCOPED_SCRATCH(p->ctx);
    cairn_matrix own = {.size = sizeof own};
    running r = {.p = p, .rows = &own, .codes = codes, .numbers = numbers};
    CHECK(cairn_options_take(p->ctx, &own, sizeof own, rows, "cairn_matrix"));
    CHECK(check_matrix(p, &own));
    if (p->whole) return cairn_predictor_refuse_whole(p);
    if (p->texts) cairn_predictor_forget(p);
    if (p->n_scores) r.scores = scores;
    p->ctx->threads = p->threads;
    bool planned =
        p->quick[r.scores != NULL] && !(p->plan->heavy && own.n_rows >= MANY && is_plain(p));
    cairn_status status = planned ? run_rows(&r) : ask_rows(&r);
    p->ctx->threads = 1;
    return status;
}

/* Slots of rows that are answered together, which stay near the processor; the least of rows. */
enum { SLOTS = 32768, LEAST_ROWS = 8 };

/* -- making -- */

/* A context that outlives the caller's: the same heap and seed, its own message and cancel flag,
 * no log. Rows are answered on one thread; matrices take what the caller's context had. */
static cairn_status own_context(cairn_context *ctx, cairn_context **out)
{
    CHECK(cairn_child_new(ctx, out));
    (*out)->cancelled = &(*out)->own_cancelled;
    (*out)->options = false;
    cairn_status status = cairn_team_make(*out);
    if (status) memcpy(ctx->message, (*out)->message, sizeof ctx->message);
    return status;
}

/* Whether a missing cell may leave a row without an answer. */
static bool refuses_missing(const cairn_model *model)
{
    return !(cairn_model_accepts(model) & (CAIRN_ACCEPTS_MISSING | CAIRN_IGNORES_FEATURES));
}

/* Models that answer rows one by one. */
static cairn_status check_model(cairn_context *ctx, const cairn_model *model)
{
    CHECK(cairn_model_check_answers(ctx, model));
    if (model->task == CAIRN_LABEL_ITEMS)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the model answers with a class for every item of a sequence, which is "
                          "no single answer; use cairn_model_predict");
    return CAIRN_OK;
}

static size_t count_classes(const cairn_model *model)
{
    if (model->task == CAIRN_REGRESS) return 0;
    if (model->n_classes || !model->learner->clusters) return model->n_classes;
    return model->learner->clusters(model->state);
}

/* Rows of so many slots that are answered together. */
static size_t rows_together(size_t width)
{
    size_t n = SLOTS / (width + 1);
    return n < LEAST_ROWS ? LEAST_ROWS : n < CAIRN_PLAN_ROWS ? n : CAIRN_PLAN_ROWS;
}

/* Everything but the context, which the failure's message is taken from. */
static cairn_status fill(cairn_predictor *p, const char *const *columns, size_t n_columns)
{
    CHECK(check_model(p->ctx, p->model));
    CHECK(cairn_predictor_match(p->ctx, p, columns, n_columns));
    if (!p->options.exact) CHECK(cairn_row_plan_new(p->ctx, &p->plan, p->model));
    p->refuses = !p->options.blank_missing && refuses_missing(p->model);
    p->n_scores = cairn_model_scores(p->model);
    p->n_classes = count_classes(p->model);
    p->width = p->plan && p->plan->n_slots > p->n_inputs ? p->plan->n_slots : p->n_inputs;
    p->n_together = rows_together(p->width);
    p->is_finite = cairn_row_finite_check();
    /* The plans that have what is wanted. Where there are no scores none are copied. */
    cairn_row_plan *plan = p->plan;
    if (plan) {
        bool scored = plan->answer.scores >= 0 && plan->answer.n_scores == p->n_scores;
        p->quick[false] = &plan->quick[false];
        if (scored || !p->n_scores) p->quick[true] = &plan->quick[scored];
        if (!p->n_scores) {
            plan->answer.n_scores = 0;
            for (int with = 0; with < 2; with++) plan->quick[with].answer.n_scores = 0;
        }
    }
    p->direct = p->straight && !p->whole;
    return cairn_predictor_slots(p, 1);
}

cairn_status cairn_predictor_slots(cairn_predictor *p, size_t n_rows)
{
    double *slots;
    if (n_rows <= p->n_slotted) return CAIRN_OK;
    CHECK(NEW(p->ctx, &slots, cairn_product(p->width, n_rows)));
    cairn_free(p->slots);
    p->slots = slots;
    p->n_slotted = n_rows;
    return CAIRN_OK;
}

cairn_status cairn_predictor_new_with(cairn_context *ctx, cairn_predictor **out,
                                      const cairn_model *model, const char *const *columns,
                                      size_t n_columns, const cairn_predictor_options *options)
{
    PUBLIC_CALL(ctx);
    cairn_predictor_options own = CAIRN_PREDICTOR_OPTIONS_INIT;
    cairn_predictor *p;
    CHECK(cairn_options_take(ctx, &own, sizeof own, options, "cairn_predictor_options"));
    CHECK(NEW(ctx, &p, 1));
    p->model = model;
    p->options = own;
    p->threads = ctx->threads;
    cairn_status status = own_context(ctx, &p->ctx);
    if (!status) {
        status = fill(p, columns, n_columns);
        if (status) memcpy(ctx->message, p->ctx->message, sizeof ctx->message);
    }
    if (status)
        cairn_predictor_free(p);
    else
        *out = p;
    return status;
}

cairn_status cairn_predictor_new(cairn_context *ctx, cairn_predictor **out,
                                 const cairn_model *model, const char *const *columns,
                                 size_t n_columns)
{
    PUBLIC_CALL(ctx);
    return cairn_predictor_new_with(ctx, out, model, columns, n_columns, NULL);
}

void cairn_predictor_free(cairn_predictor *p)
{
    if (!p) return;
    for (size_t i = 0; i < p->n_inputs; i++) cairn_free(p->inputs[i].name);
    for (size_t i = 0; i < p->n_columns; i++) cairn_free(p->columns[i].name);
    cairn_free(p->inputs);
    cairn_free(p->sources);
    cairn_free(p->coded);
    cairn_free(p->columns);
    cairn_free(p->slots);
    cairn_row_plan_free(p->plan);
    cairn_table_free(p->table);
    cairn_map_clear(&p->marks);
    cairn_context_free(p->ctx);
    cairn_free(p);
}

void cairn_predictor_forget(cairn_predictor *p)
{
    cairn_table_free(p->table);
    p->table = NULL;
    p->texts = false;
}

/* -- what it is -- */

size_t cairn_predictor_columns(const cairn_predictor *p)
{
    return p->n_columns;
}

const char *cairn_predictor_column(const cairn_predictor *p, size_t column)
{
    return column < p->n_columns ? p->columns[column].name : NULL;
}

/* The field that a column of the caller's belongs to; NULL = none. */
static const cairn_field *field_of(const cairn_predictor *p, size_t column)
{
    if (column >= p->n_columns) return NULL;
    const cairn_given_column *given = &p->columns[column];
    if (given->bag >= 0) return &p->model->schema.fields[given->bag];
    if (given->input < 0 || p->inputs[given->input].item >= 0) return NULL;
    return &p->model->schema.fields[p->inputs[given->input].field];
}

cairn_kind cairn_predictor_kind(const cairn_predictor *p, size_t column)
{
    const cairn_field *field = field_of(p, column);
    return field ? (cairn_kind)field->kind : CAIRN_NUMBER;
}

int32_t cairn_predictor_code(const cairn_predictor *p, size_t column, const char *level,
                             size_t length)
{
    const cairn_field *field = field_of(p, column);
    if (!field || field->kind != CAIRN_LEVEL || !level) return -1;
    return (int32_t)cairn_map_find(&field->names, level, length);
}

size_t cairn_predictor_classes(const cairn_predictor *p)
{
    return p->n_classes;
}

const char *cairn_predictor_class(const cairn_predictor *p, size_t code)
{
    const cairn_field *target = cairn_model_target(p->model);
    if (p->model->task != CAIRN_CLASSIFY || !target || code >= target->names.n) return NULL;
    return cairn_map_key(&target->names, code);
}

size_t cairn_predictor_scores(const cairn_predictor *p)
{
    return p->n_scores;
}

bool cairn_predictor_is_prepared(const cairn_predictor *p)
{
    return p->plan != NULL;
}

const char *cairn_predictor_message(const cairn_predictor *p)
{
    return cairn_message(p->ctx);
}

/* -- the learner itself -- */

/* The items of a bag in row 0 of a column that has room for all of them. */
static void put_items(const cairn_predictor *p, size_t first, cairn_column *bag, const double *v)
{
    size_t n = 0, field = p->inputs[first].field;
    for (size_t i = first; i < p->n_inputs && p->inputs[i].field == field; i++) {
        if (isnan(v[i]) || v[i] == 0) continue;
        bag->items[n] = (int32_t)p->inputs[i].item;
        bag->amounts[n++] = v[i];
    }
    bag->starts[1] = n;
}

/* What the learner says about the table of one row. */
static cairn_status ask_learner(cairn_predictor *p, const double *v, cairn_answer *answer,
                                double *scores)
{
    SCOPED(cairn_prediction_clear) cairn_prediction said = {0};
    cairn_predict_wants wants = {.scores = scores != NULL};
    if (!p->table) CHECK(cairn_predictor_table(p->ctx, &p->table, p->model, 1));
    /* The inputs in the table of one row. Texts, sequences and series are there already, or
     * missing. */
    for (size_t i = 0; i < p->n_inputs; i++) {
        cairn_column *column = p->table->slots[p->inputs[i].feature].column;
        if (column->numbers) column->numbers[0] = v[i];
        if (column->codes) column->codes[0] = isnan(v[i]) ? -1 : (int32_t)v[i];
        if (column->numbers || column->codes) column->n_missing = isnan(v[i]) != 0;
        if (column->kind == CAIRN_BAG && column->amounts && p->inputs[i].item == 0)
            put_items(p, i, column, v);
    }
    CHECK(cairn_model_answer(p->ctx, &said, p->model, p->table, cairn_all_rows(p->table), wants));
    answer->code = said.codes ? said.codes[0] : -1;
    answer->number = said.numbers ? said.numbers[0] : NAN;
    if (scores && said.scores) memcpy(scores, said.scores, p->n_scores * sizeof *scores);
    return CAIRN_OK;
}

/* -- answers -- */

/* Whether a row has no answer, and that must be told. */
static bool is_refused(const cairn_predictor *p, const cairn_answer *answer)
{
    return p->refuses && answer->code == -1 && isnan(answer->number);
}

cairn_status cairn_predictor_answer(cairn_context *ctx, cairn_predictor *p, double *v, size_t row,
                                    cairn_answer *answer, double *scores)
{
    bool planned = p->quick[scores != NULL] != NULL;
    cairn_answer own;
    CHECK(cairn_predictor_check(ctx, p, v, row));
    if (planned) {
        cairn_row_plan_run(p->plan, v);
        cairn_predictor_take(&p->plan->answer, v, &own, NULL);
    } else {
        CHECK(ask_learner(p, v, &own, scores));
    }
    if (is_refused(p, &own)) CHECK(cairn_predictor_refuse(ctx, p, v, row));
    if (planned) cairn_predictor_take(&p->plan->answer, v, NULL, scores);
    if (answer) *answer = own;
    return CAIRN_OK;
}

cairn_status cairn_predictor_row(cairn_predictor *p, const double *row, cairn_answer *answer,
                                 double *scores)
{
    if (p->direct && cairn_predictor_answer_quickly(p, row, p->slots, answer, scores))
        return CAIRN_OK;
    /* Rows whose columns are not the inputs in their order, or that are not complete. */
    double *v = p->slots;
    if (p->whole) return cairn_predictor_refuse_whole(p);
    if (p->texts) cairn_predictor_forget(p);
    cairn_predictor_load_row(p, row, v);
    if (!p->direct && cairn_predictor_answer_quickly(p, v, v, answer, scores)) return CAIRN_OK;
    return cairn_predictor_answer(p->ctx, p, v, 0, answer, scores);
}
