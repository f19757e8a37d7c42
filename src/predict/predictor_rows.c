/* SPDX-License-Identifier: MIT */
/* Many rows of a matrix: through the plan, block by block over the threads, or as tables that the
 * learner is asked about. */
#include "base/call.h"
#include "base/memory.h"
#include "base/options.h"
#include "data/column.h"
#include "parallel/parallel.h"
#include "predict/predictor.h"
#include <math.h>
#include <string.h>

/* Rows of a block; rows from which the learner is asked where that is sooner; of a table then. */
enum { BLOCK = 128, MANY = 64, TABLE_ROWS = 65536 };

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

/* Some rows by the plan, whose slots are v; returns the first that fails, counted from 1. */
static size_t run_some(const running *r, size_t first, size_t n, double *v)
{
    const cairn_predictor *p = r->p;
    size_t failed = 0;
    for (size_t i = 0; i < n && !failed; i++) {
        cairn_row_source source = source_of(r->rows, first + i);
        double *own = v + i * p->width;
        if (!cairn_predictor_load(p, &source, own) && cairn_predictor_check(NULL, p, own, 0))
            failed = first + i + 1;
    }
    if (failed) return failed;
    cairn_row_plan_run_all(p->plan, v, p->width, n);
    for (size_t i = 0; i < n && !failed; i++) {
        cairn_answer answer;
        double *scores = scores_of(r, first + i);
        if (cairn_predictor_take(NULL, p, v + i * p->width, 0, &answer, scores))
            failed = first + i + 1;
        else
            put_answer(r, first + i, answer);
    }
    return failed;
}

static void run_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const running *r = data;
    double *v = r->p->slots + (size_t)worker * CAIRN_PLAN_ROWS * r->p->width;
    for (size_t i = begin; i < end && !r->failed[block]; i += CAIRN_PLAN_ROWS) {
        size_t n = end - i < CAIRN_PLAN_ROWS ? end - i : CAIRN_PLAN_ROWS;
        r->failed[block] = run_some(r, i, n, v);
    }
}

/* One row again, for the message of its failure. */
static cairn_status explain_row(const running *r, size_t row)
{
    cairn_predictor *p = r->p;
    cairn_row_source source = source_of(r->rows, row);
    double *v = p->slots;
    if (!cairn_predictor_load(p, &source, v)) CHECK(cairn_predictor_check(p->ctx, p, v, row + 1));
    return cairn_predictor_answer(p, v, row + 1, NULL, NULL);
}

/* All rows by the plan. */
static cairn_status run_rows(running *r)
{
    cairn_predictor *p = r->p;
    size_t n = r->rows->n_rows, n_blocks = cairn_block_count(n, BLOCK);
    double work = (double)n * 10 * (double)(p->n_inputs + p->plan->n_slots);
    CHECK(cairn_predictor_slots(p, (size_t)cairn_workers(p->ctx) * CAIRN_PLAN_ROWS));
    CHECK(SCRATCH(p->ctx, &r->failed, n_blocks));
    CHECK(cairn_blocks_sized(p->ctx, n, BLOCK, work, run_block, r));
    for (size_t b = 0; b < n_blocks; b++)
        if (r->failed[b]) return explain_row(r, r->failed[b] - 1);
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

/* Rows of the matrix from `first` on as a table of the model's features. */
static cairn_status fill_table(const running *r, size_t first, cairn_table *table)
{
    cairn_predictor *p = r->p;
    CHECK(cairn_predictor_slots(p, CAIRN_PLAN_ROWS));
    for (size_t i = 0, n; i < table->n_rows; i += n) {
        n = table->n_rows - i < CAIRN_PLAN_ROWS ? table->n_rows - i : CAIRN_PLAN_ROWS;
        for (size_t k = 0; k < n; k++) {
            cairn_row_source source = source_of(r->rows, first + i + k);
            double *v = p->slots + k * p->width;
            if (!cairn_predictor_load(p, &source, v))
                CHECK(cairn_predictor_check(p->ctx, p, v, first + i + k + 1));
        }
        put_cells(p, table, i, p->slots, n);
    }
    for (size_t i = 0; i < table->n_columns; i++)
        cairn_column_count_missing(table->slots[i].column);
    return CAIRN_OK;
}

/* Fails at the first row that has no answer, for the sake of a missing cell. */
static cairn_status refuse_rows(const running *r, size_t first, const cairn_prediction *said)
{
    cairn_predictor *p = r->p;
    for (size_t i = 0; p->refuses && i < said->n_rows; i++) {
        cairn_row_source source = source_of(r->rows, first + i);
        bool answered = said->codes ? said->codes[i] != -1 : !isnan(said->numbers[i]);
        if (answered) continue;
        if (!cairn_predictor_load(p, &source, p->slots))
            CHECK(cairn_predictor_check(p->ctx, p, p->slots, first + i + 1));
        CHECK(cairn_predictor_refuse(p->ctx, p, p->slots, first + i + 1));
    }
    return CAIRN_OK;
}

/* Rows from `first` on as one table. */
static cairn_status ask_table(const running *r, size_t first, cairn_table *table)
{
    cairn_predictor *p = r->p;
    SCOPED(cairn_prediction_clear) cairn_prediction said = {0};
    cairn_predict_wants wants = {.scores = r->scores != NULL};
    CHECK(fill_table(r, first, table));
    CHECK(cairn_model_answer(p->ctx, &said, p->model, table, cairn_all_rows(table), wants));
    CHECK(refuse_rows(r, first, &said));
    for (size_t i = 0; i < said.n_rows; i++)
        put_answer(
            r, first + i,
            (cairn_answer){said.codes ? said.codes[i] : -1, said.numbers ? said.numbers[i] : NAN});
    if (r->scores && said.scores)
        memcpy(scores_of(r, first), said.scores, said.n_rows * p->n_scores * sizeof *r->scores);
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
    if (!is_plain(p)) return ask_each(r);
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
    bool planned = cairn_predictor_is_planned(p, r.scores) &&
                   !(p->plan->heavy && own.n_rows >= MANY && is_plain(p));
    cairn_status status = planned ? run_rows(&r) : ask_rows(&r);
    p->ctx->threads = 1;
    return status;
}
