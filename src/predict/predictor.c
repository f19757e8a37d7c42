/* SPDX-License-Identifier: MIT */
/* Predictors: making them, what they are, and answers to single rows. */
#include "predict/predictor.h"
#include "base/call.h"
#include "base/memory.h"
#include "base/options.h"
#include "data/column.h"
#include "parallel/team.h"
#include <math.h>
#include <string.h>

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

/* The plans that have what is wanted. Where there are no scores none are copied. */
static void choose_quick(cairn_predictor *p)
{
    cairn_row_plan *plan = p->plan;
    if (!plan) return;
    bool scored = plan->answer.scores >= 0 && plan->answer.n_scores == p->n_scores;
    p->quick[false] = &plan->quick[false];
    if (scored || !p->n_scores) p->quick[true] = &plan->quick[scored];
    if (p->n_scores) return;
    plan->answer.n_scores = 0;
    for (int with = 0; with < 2; with++) plan->quick[with].answer.n_scores = 0;
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
    choose_quick(p);
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

/* The inputs in the table of one row. Texts, sequences and series are there already, or missing. */
static void put_row(const cairn_predictor *p, const double *v)
{
    for (size_t i = 0; i < p->n_inputs; i++) {
        cairn_column *column = p->table->slots[p->inputs[i].feature].column;
        if (column->numbers) column->numbers[0] = v[i];
        if (column->codes) column->codes[0] = isnan(v[i]) ? -1 : (int32_t)v[i];
        if (column->numbers || column->codes) column->n_missing = isnan(v[i]) != 0;
        if (column->kind == CAIRN_BAG && column->amounts && p->inputs[i].item == 0)
            put_items(p, i, column, v);
    }
}

/* What the learner says about the table of one row. */
static cairn_status ask_learner(cairn_predictor *p, const double *v, cairn_answer *answer,
                                double *scores)
{
    SCOPED(cairn_prediction_clear) cairn_prediction said = {0};
    cairn_predict_wants wants = {.scores = scores != NULL};
    if (!p->table) CHECK(cairn_predictor_table(p->ctx, &p->table, p->model, 1));
    put_row(p, v);
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

/* Rows whose columns are not the inputs in their order, or that are not complete. */
static cairn_status answer_row(cairn_predictor *p, const double *row, cairn_answer *answer,
                               double *scores)
{
    double *v = p->slots;
    if (p->whole) return cairn_predictor_refuse_whole(p);
    if (p->texts) cairn_predictor_forget(p);
    cairn_predictor_load_row(p, row, v);
    if (!p->direct && cairn_predictor_answer_quickly(p, v, v, answer, scores)) return CAIRN_OK;
    return cairn_predictor_answer(p->ctx, p, v, 0, answer, scores);
}

cairn_status cairn_predictor_row(cairn_predictor *p, const double *row, cairn_answer *answer,
                                 double *scores)
{
    if (p->direct && cairn_predictor_answer_quickly(p, row, p->slots, answer, scores))
        return CAIRN_OK;
    return answer_row(p, row, answer, scores);
}
