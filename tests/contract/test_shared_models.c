/* SPDX-License-Identifier: MIT */
/* A model is read only in every call: threads that predict, describe, explain, export, draw, judge
 * and save one model of every learner at once each get what one thread alone gets: three of them,
 * and eight under the thread sanitizer, which says whether they write to it. */
#include "contract/contract.h"
#include "base/text.h"
#include "evaluate/evaluate.h"
#include "export/export.h"
#include "model/explain.h"
#include "report/report.h"
#include "model/calculator.h"
#include <pthread.h>
#include <stdlib.h>

#ifndef N_THREADS
#define N_THREADS 8
#endif
enum { N_ROWS = 40 };

/* One thread's view of what all share, and the text of all that it was told. */
typedef struct sharer {
    const cairn_model *model;
    const cairn_table *table;
    size_t first; /* the use that it begins with, so that different ones meet */
    int threads;
    char *reported;
} sharer;

/* What a use came to: the report, or why there is none. */
static void add_report(cairn_text *reported, cairn_context *ctx, cairn_report *report,
                       cairn_status status)
{
    char *text = NULL;
    if (status == CAIRN_OK)
        status = cairn_report_print(ctx, report, CAIRN_FORMAT_HTML, NULL, &text);
    cairn_text_add(reported, status == CAIRN_OK ? text : cairn_message(ctx));
    cairn_string_free(text);
    cairn_report_free(report);
}

static void use_predict(cairn_context *ctx, const sharer *s, cairn_text *reported)
{
    cairn_table *out = NULL;
    cairn_status status = cairn_model_predict(ctx, &out, s->model, s->table, true);
    if (status == CAIRN_OK)
        cairn_text_addf(reported, "%llx", (unsigned long long)cairn_table_hash(out));
    else
        cairn_text_add(reported, cairn_message(ctx));
    cairn_table_free(out);
}

static void use_describe(cairn_context *ctx, const sharer *s, cairn_text *reported)
{
    cairn_report *report = NULL;
    cairn_status status = cairn_report_new(ctx, &report);
    if (status == CAIRN_OK) status = cairn_model_describe(ctx, report, s->model);
    add_report(reported, ctx, report, status);
}

static void use_explain(cairn_context *ctx, const sharer *s, cairn_text *reported)
{
    static const uint32_t rows[] = {0, 3};
    for (int by_columns = 0; by_columns < 2; by_columns++) {
        cairn_explain_how options = {
            .rows = rows, .n_rows = 2, .by_columns = by_columns, .draws = 4};
        cairn_report *report = NULL;
        cairn_status status = cairn_report_new(ctx, &report);
        if (status == CAIRN_OK)
            status = cairn_model_explain(ctx, report, s->model, s->table, &options);
        add_report(reported, ctx, report, status);
    }
}

static void use_evaluate(cairn_context *ctx, const sharer *s, cairn_text *reported)
{
    cairn_evaluation evaluation = {0};
    cairn_status status = cairn_evaluate_model(ctx, &evaluation, s->model, s->table, 0, 0);
    if (status != CAIRN_OK) cairn_text_add(reported, cairn_message(ctx));
    for (size_t i = 0; status == CAIRN_OK && i < evaluation.n; i++)
        if (evaluation.predicted) cairn_text_addf(reported, "%d ", (int)evaluation.predicted[i]);
    cairn_evaluation_clear(&evaluation);
}

static void use_export(cairn_context *ctx, const sharer *s, cairn_text *reported)
{
    cairn_form_help forms[CAIRN_MOST_FORMS];
    size_t n = cairn_export_forms(forms, s->model->learner);
    for (size_t i = 0; i < n; i++) {
        cairn_text text = cairn_text_start(ctx);
        cairn_export_options options = {.rows = s->table, .n_tests = 5};
        cairn_status status = cairn_export_write(&text, s->model, forms[i].name, &options);
        if (status == CAIRN_OK)
            cairn_text_add_bytes(reported, cairn_text_string(&text), text.length);
        else
            cairn_text_add(reported, cairn_message(ctx));
        cairn_text_clear(&text);
    }
}

static void use_save(cairn_context *ctx, const sharer *s, cairn_text *reported)
{
    char *bytes = NULL;
    size_t length = 0;
    if (cairn_model_save_memory(ctx, s->model, &bytes, &length))
        cairn_text_add(reported, cairn_message(ctx));
    for (size_t i = 0; i < length; i++) cairn_text_addf(reported, "%02x", (unsigned char)bytes[i]);
    cairn_string_free(bytes);
}

static void draw_one(cairn_context *ctx, const sharer *s, const cairn_calculator *one,
                     cairn_text *reported)
{
    cairn_params *params = NULL;
    cairn_report *report = NULL;
    cairn_figure *figure = NULL;
    cairn_status status = cairn_params_for(ctx, &params, &one->picture);
    bool with_rows = one->needs_data || one->takes_data;
    if (status == CAIRN_OK) {
        cairn_compute_job job = {.what = "draw",
                                 .params = params->values,
                                 .table = with_rows ? s->table : NULL,
                                 .tables = {&s->table, with_rows},
                                 .model = s->model};
        status = one->draw(ctx, &figure, &job);
    }
    if (status == CAIRN_OK) status = cairn_report_new(ctx, &report);
    if (status == CAIRN_OK) cairn_report_figure(report, figure);
    add_report(reported, ctx, report, status);
    cairn_params_free(params);
}

/* Every picture that takes a model; most refuse most models. */
static void use_draw(cairn_context *ctx, const sharer *s, cairn_text *reported)
{
    size_t n;
    const cairn_entry *const *entries = cairn_registry(&n);
    for (size_t i = 0; i < n; i++) {
        if (entries[i]->kind != CAIRN_ENTRY_PICTURE) continue;
        const cairn_calculator *one = cairn_calculator_of(entries[i]);
        if (one->draw && (one->needs_model || one->takes_model)) draw_one(ctx, s, one, reported);
    }
}

typedef void (*use)(cairn_context *ctx, const sharer *s, cairn_text *reported);
static const use uses[] = {use_predict, use_describe, use_explain, use_evaluate,
                           use_export,  use_save,     use_draw};
enum { N_USES = sizeof uses / sizeof *uses };

/* All uses, each told in its own place whatever the order. */
static void *share(void *data)
{
    sharer *s = data;
    cairn_context *ctx = NULL;
    if (cairn_context_new(&ctx, NULL)) return NULL;
    cairn_context_set_threads(ctx, s->threads);
    cairn_text reported[N_USES], all = cairn_text_start(ctx);
    for (size_t i = 0; i < N_USES; i++) {
        size_t at = (s->first + i) % N_USES;
        reported[at] = cairn_text_start(ctx);
        uses[at](ctx, s, &reported[at]);
    }
    for (size_t i = 0; i < N_USES; i++) {
        cairn_text_addf(&all, "\n-- use %zu --\n", i);
        cairn_text_add(&all, cairn_text_string(&reported[i]));
        cairn_text_clear(&reported[i]);
    }
    s->reported = strdup(cairn_text_string(&all));
    cairn_text_clear(&all);
    cairn_context_free(ctx);
    return NULL;
}

static void check_model(const cairn_model *model, const cairn_table *table)
{
    sharer alone = {.model = model, .table = table, .threads = 1}, sharers[N_THREADS];
    pthread_t threads[N_THREADS];
    for (size_t i = 0; i < N_THREADS; i++) {
        sharers[i] = (sharer){model, table, i % N_USES, 1 + (int)i % 2, NULL};
        assert_int_equal(pthread_create(&threads[i], NULL, share, &sharers[i]), 0);
    }
    for (size_t i = 0; i < N_THREADS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    share(&alone);
    assert_non_null(alone.reported);
    for (size_t i = 0; i < N_THREADS; i++) {
        assert_non_null(sharers[i].reported);
        size_t at = 0;
        while (alone.reported[at] && alone.reported[at] == sharers[i].reported[at]) at++;
        if (alone.reported[at] != sharers[i].reported[at])
            fail_msg("%s: thread %zu says '%.60s' where it is '%.60s' alone",
                     cairn_model_learner(model), i, sharers[i].reported + at, alone.reported + at);
        free(sharers[i].reported);
    }
    free(alone.reported);
}

static void test_shared_models__are_only_read(void **state)
{
    cairn_context *ctx = *state;
    const cairn_learner *learner;
    size_t models = 0;
    for (size_t i = 0; (learner = contract_learner(i)); i++)
        for (cairn_task task = 0; (task = contract_next_task(ctx, learner, task));) {
            cairn_table *table = contract_table(
                ctx, (contract_data){.n_rows = N_ROWS, .task = task, .missing = true});
            cairn_model *model = NULL;
            if (contract_fit(ctx, &model, learner, table, task, NULL) == CAIRN_OK) {
                check_model(model, table);
                models++;
            }
            cairn_model_free(model);
            cairn_table_free(table);
        }
    assert_true(models > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {context_test(test_shared_models__are_only_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
