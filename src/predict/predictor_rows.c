/* SPDX-License-Identifier: MIT */
/* Many rows of a matrix: through the plan, block by block over the threads, or as tables that the
 * learner is asked about. */
#include "base/memory.h"
#include "base/options.h"
#include "data/column.h"
#include "parallel/parallel.h"
#include "predict/predictor.h"
#include <math.h>
#include <string.h>

enum { BLOCK = 128 };

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
        CHECK(NEW(ctx, &column->items, field->names.n + 1));
        CHECK(NEW(ctx, &column->amounts, field->names.n + 1));
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
    size_t *failed; /* per block: the first row that fails, counted from 1; 0 = none */
} running;

static cairn_row_source source_of(const cairn_matrix *m, size_t row)
{
    return (cairn_row_source){.data = (const char *)m->data + (ptrdiff_t)row * m->row_stride,
                              .stride = m->column_stride,
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

/* One row by the plan; `ctx` NULL = a failure has no message. */
static cairn_status run_row(cairn_context *ctx, const running *r, size_t row, double *v)
{
    const cairn_predictor *p = r->p;
    cairn_row_source source = source_of(r->rows, row);
    cairn_answer answer;
    if (!cairn_predictor_load(p, &source, v)) CHECK(cairn_predictor_check(ctx, p, v, row + 1));
    CHECK(cairn_predictor_run(ctx, p, v, row + 1, &answer, scores_of(r, row)));
    put_answer(r, row, answer);
    return CAIRN_OK;
}

static void run_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const running *r = data;
    double *v = r->p->slots + (size_t)worker * r->p->width;
    for (size_t i = begin; i < end && !r->failed[block]; i++)
        if (run_row(NULL, r, i, v)) r->failed[block] = i + 1;
}

/* All rows by the plan. The first row that fails is answered again, for its message. */
static cairn_status run_rows(running *r)
{
    cairn_predictor *p = r->p;
    cairn_context *ctx = p->ctx;
    size_t n = r->rows->n_rows, n_blocks = cairn_block_count(n, BLOCK);
    double work = (double)n * 10 * (double)(p->n_inputs + p->plan->program.n_slots);
    CHECK(cairn_predictor_slots(p, cairn_workers(ctx)));
    CHECK(SCRATCH(ctx, &r->failed, n_blocks));
    CHECK(cairn_blocks_sized(ctx, n, BLOCK, work, run_block, r));
    for (size_t b = 0; b < n_blocks; b++)
        if (r->failed[b]) return run_row(ctx, r, r->failed[b] - 1, p->slots);
    return CAIRN_OK;
}

/* -- the learner itself -- */

/* Whether all features are columns of numbers or codes. */
static bool is_plain_table(const cairn_table *table)
{
    for (size_t i = 0; i < table->n_columns; i++)
        if (!table->slots[i].column->numbers && !table->slots[i].column->codes) return false;
    return true;
}

/* The inputs of a row in a table of many. */
static void put_cells(const cairn_predictor *p, cairn_table *table, size_t row, const double *v)
{
    for (size_t i = 0; i < p->n_inputs; i++) {
        cairn_column *column = table->slots[p->inputs[i].feature].column;
        if (column->numbers)
            column->numbers[row] = v[i];
        else
            column->codes[row] = isnan(v[i]) ? -1 : (int32_t)v[i];
    }
}

/* All rows of the matrix as a table of the model's features. */
static cairn_status fill_table(const running *r, cairn_table *table)
{
    cairn_predictor *p = r->p;
    for (size_t i = 0; i < table->n_rows; i++) {
        cairn_row_source source = source_of(r->rows, i);
        if (!cairn_predictor_load(p, &source, p->slots))
            CHECK(cairn_predictor_check(p->ctx, p, p->slots, i + 1));
        put_cells(p, table, i, p->slots);
    }
    for (size_t i = 0; i < table->n_columns; i++)
        cairn_column_count_missing(table->slots[i].column);
    return CAIRN_OK;
}

/* Fails at the first row that has no answer, for the sake of a missing cell. */
static cairn_status refuse_rows(const running *r, const cairn_prediction *said)
{
    cairn_predictor *p = r->p;
    for (size_t i = 0; p->refuses && i < said->n_rows; i++) {
        cairn_row_source source = source_of(r->rows, i);
        bool answered = said->codes ? said->codes[i] != -1 : !isnan(said->numbers[i]);
        if (answered) continue;
        if (!cairn_predictor_load(p, &source, p->slots))
            CHECK(cairn_predictor_check(p->ctx, p, p->slots, i + 1));
        CHECK(cairn_predictor_refuse(p->ctx, p, p->slots, i + 1));
    }
    return CAIRN_OK;
}

/* One table of all rows, which may depend on each other: steps of a sequence. */
static cairn_status ask_table(const running *r, cairn_table *table)
{
    cairn_predictor *p = r->p;
    SCOPED(cairn_prediction_clear) cairn_prediction said = {0};
    cairn_predict_wants wants = {.scores = r->scores != NULL};
    CHECK(fill_table(r, table));
    CHECK(cairn_model_answer(p->ctx, &said, p->model, table, cairn_all_rows(table), wants));
    CHECK(refuse_rows(r, &said));
    for (size_t i = 0; i < said.n_rows; i++)
        put_answer(
            r, i,
            (cairn_answer){said.codes ? said.codes[i] : -1, said.numbers ? said.numbers[i] : NAN});
    if (r->scores && said.scores)
        memcpy(r->scores, said.scores, said.n_rows * p->n_scores * sizeof *r->scores);
    return CAIRN_OK;
}

/* Rows with bags are asked about one by one. */
static cairn_status ask_each(const running *r)
{
    cairn_predictor *p = r->p;
    for (size_t i = 0; i < r->rows->n_rows; i++) {
        cairn_row_source source = source_of(r->rows, i);
        cairn_answer answer;
        double *v = p->slots;
        if (!cairn_predictor_load(p, &source, v)) CHECK(cairn_predictor_check(p->ctx, p, v, i + 1));
        CHECK(cairn_predictor_answer(p, v, i + 1, &answer, scores_of(r, i)));
        put_answer(r, i, answer);
    }
    return CAIRN_OK;
}

static cairn_status ask_rows(const running *r)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    CHECK(cairn_predictor_table(r->p->ctx, &table, r->p->model, r->rows->n_rows));
    return is_plain_table(table) ? ask_table(r, table) : ask_each(r);
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
    SCOPED_SCRATCH(p->ctx);
    cairn_matrix own = {.size = sizeof own};
    running r = {.p = p, .rows = &own, .codes = codes, .numbers = numbers};
    CHECK(cairn_options_take(p->ctx, &own, sizeof own, rows, "cairn_matrix"));
    CHECK(check_matrix(p, &own));
    if (p->whole) return cairn_predictor_refuse_whole(p);
    if (p->texts) cairn_predictor_forget(p);
    if (p->n_scores) r.scores = scores;
    p->ctx->threads = p->threads;
    cairn_status status = cairn_predictor_is_planned(p, r.scores) ? run_rows(&r) : ask_rows(&r);
    p->ctx->threads = 1;
    return status;
}
