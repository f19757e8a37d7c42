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

/* Whether the rows of the matrix are the inputs as they lie. */
static bool is_direct(const running *r)
{
    const cairn_matrix *m = r->rows;
    const ptrdiff_t size = (ptrdiff_t)sizeof(double);
    return r->p->straight && m->type == CAIRN_FLOAT64 && m->row_stride % size == 0 &&
           (m->column_stride == size || m->n_columns < 2);
}

static near_rows fetch_rows(const running *r, size_t first, size_t n, double *v)
{
    cairn_row_source source = source_of(r->rows, first);
    if (r->direct)
        return (near_rows){(const double *)(const void *)source.data,
                           r->rows->row_stride / (ptrdiff_t)sizeof(double)};
    for (size_t i = 0, some; i < n; i += some, source.data += TILE * r->rows->row_stride) {
        some = n - i < TILE ? n - i : TILE;
        cairn_predictor_load(r->p, &source, v + i * r->p->width, some);
    }
    return (near_rows){v, (ptrdiff_t)r->p->width};
}

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
    near_rows rows = fetch_rows(r, first, n, v);
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

/* One row again, for the message of its failure. */
static cairn_status explain_row(const running *r, size_t row)
{
    cairn_predictor *p = r->p;
    cairn_row_source source = source_of(r->rows, row);
    cairn_predictor_load(p, &source, p->slots, 1);
    return cairn_predictor_answer(p->ctx, p, p->slots, row + 1, NULL, NULL);
}

/* All rows by the plan. */
static cairn_status run_rows(running *r)
{
    cairn_predictor *p = r->p;
    size_t n = r->rows->n_rows, n_blocks = cairn_block_count(n, BLOCK);
    double work = (double)n * 10 * (double)(p->n_inputs + p->plan->n_slots);
    r->direct = is_direct(r);
    CHECK(cairn_predictor_slots(p, (size_t)cairn_workers(p->ctx) * p->n_together));
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

/* The inputs of a row of the matrix into v, checked. */
static cairn_status load_row(const running *r, size_t row, double *v)
{
    cairn_row_source source = source_of(r->rows, row);
    cairn_predictor_load(r->p, &source, v, 1);
    if (cairn_predictor_is_complete(r->p, v)) return CAIRN_OK;
    return cairn_predictor_check(r->p->ctx, r->p, v, row + 1);
}

/* Rows of the matrix from `first` on as a table of the model's features. */
static cairn_status fill_table(const running *r, size_t first, cairn_table *table)
{
    cairn_predictor *p = r->p;
    CHECK(cairn_predictor_slots(p, p->n_together));
    for (size_t i = 0, n; i < table->n_rows; i += n) {
        n = table->n_rows - i < p->n_together ? table->n_rows - i : p->n_together;
        for (size_t k = 0; k < n; k++) CHECK(load_row(r, first + i + k, p->slots + k * p->width));
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
        bool answered = said->codes ? said->codes[i] != -1 : !isnan(said->numbers[i]);
        if (answered) continue;
        CHECK(load_row(r, first + i, p->slots));
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
        cairn_predictor_load(p, &source, p->slots, 1);
        CHECK(cairn_predictor_answer(p->ctx, p, p->slots, i + 1, &answer, scores_of(r, i)));
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
    bool planned =
        p->quick[r.scores != NULL] && !(p->plan->heavy && own.n_rows >= MANY && is_plain(p));
    cairn_status status = planned ? run_rows(&r) : ask_rows(&r);
    p->ctx->threads = 1;
    return status;
}
