/* SPDX-License-Identifier: MIT */
/* The contract of learners: properties that hold for every registered one. */
#include "contract/contract.h"
#include "support/digest.h"
#include <jansson.h>
#include <math.h>

/* What a model says of a table, and the model itself, as bytes. */
typedef struct outcome {
    char *model;
    size_t model_length;
    char *steps;
    cairn_table *answer;
} outcome;

static void outcome_clear(outcome *o)
{
    cairn_string_free(o->model);
    cairn_string_free(o->steps);
    cairn_table_free(o->answer);
}

static outcome run(cairn_context *ctx, const cairn_learner *learner, contract_data data,
                   const cairn_table *asked)
{
    outcome o = {0};
    cairn_model *model;
    cairn_report *report;
    cairn_table *table = contract_table(ctx, data);
    assert_ok(ctx, cairn_report_new(ctx, &report));
    assert_ok(ctx, contract_fit(ctx, &model, learner, table, data.task, report));
    assert_ok(ctx, cairn_model_describe(ctx, report, model));
    assert_ok(ctx, cairn_report_print(ctx, report, CAIRN_FORMAT_JSON, NULL, &o.steps));
    assert_ok(ctx, cairn_model_save_memory(ctx, model, &o.model, &o.model_length));
    if (learner->predict || (learner->labels_rows && !asked))
        assert_ok(ctx, cairn_model_predict(ctx, &o.answer, model, asked ? asked : table, true));
    cairn_report_free(report);
    cairn_model_free(model);
    cairn_table_free(table);
    return o;
}

static void assert_same_table(const char *name, const cairn_table *a, const cairn_table *b,
                              double tolerance)
{
    if (!a && !b) return;
    assert_int_equal(a->n_rows, b->n_rows);
    assert_int_equal(a->n_columns, b->n_columns);
    for (size_t c = 0; c < a->n_columns; c++)
        for (size_t i = 0; i < a->n_rows; i++) {
            char x[64], y[64];
            if (a->slots[c].column->kind == CAIRN_NUMBER) {
                double p = cairn_table_numbers(a, c)[i], q = cairn_table_numbers(b, c)[i];
                if (fabs(p - q) <= tolerance * fmax(1, fabs(q)) || (isnan(p) && isnan(q))) continue;
            }
            cairn_table_cell(a, c, i, x, sizeof x);
            cairn_table_cell(b, c, i, y, sizeof y);
            if (strcmp(x, y))
                fail_msg("%s: row %zu, %s: %s is not %s", name, i + 1, cairn_table_name(a, c), x,
                         y);
        }
}

/* Run a check for every learner and every task of it. */
static void for_every_learner(cairn_context *ctx,
                              void (*check)(cairn_context *, const cairn_learner *, cairn_task))
{
    const cairn_learner *learner;
    size_t n = 0;
    for (; (learner = contract_learner(n)); n++)
        for (cairn_task task = 0; (task = contract_next_task(ctx, learner, task));)
            check(ctx, learner, task);
    assert_true(n > 0);
}

/* Of model, steps and answers. */
static void write_digest(const char *name, const outcome *o)
{
    uint64_t digest = digest_add(DIGEST_START, o->model, o->model_length);
    digest_write("learner-report", name, digest_add(DIGEST_START, o->steps, strlen(o->steps)));
    for (size_t c = 0; o->answer && c < o->answer->n_columns; c++)
        for (size_t i = 0; i < o->answer->n_rows; i++) {
            char cell[64];
            cairn_table_cell(o->answer, c, i, cell, sizeof cell);
            digest = digest_add(digest, cell, strlen(cell) + 1);
        }
    digest_write("learner", name, digest);
}

/* The numbers of threads whose bytes are compared: what sanitizers look for, two of them show. */
#ifdef CAIRN_SANITIZED
static const int thread_counts[] = {1, 4};
#else
static const int thread_counts[] = {1, 2, 4};
#endif

static void check_threads(cairn_context *ctx, const cairn_learner *learner, cairn_task task)
{
    contract_data data = {.n_rows = 700, .task = task, .missing = true};
    outcome first = {0};
    for (size_t k = 0; k < sizeof thread_counts / sizeof *thread_counts; k++) {
        int threads = thread_counts[k];
        cairn_context_set_threads(ctx, threads);
        outcome o = run(ctx, learner, data, NULL);
        if (k) {
            assert_int_equal(first.model_length, o.model_length);
            if (memcmp(first.model, o.model, o.model_length))
                fail_msg("%s: the model differs with %d threads", learner->entry.name, threads);
            assert_string_equal(first.steps, o.steps);
            assert_same_table(learner->entry.name, first.answer, o.answer, 0);
            outcome_clear(&o);
        } else {
            first = o;
        }
    }
    write_digest(learner->entry.name, &first);
    outcome_clear(&first);
    cairn_context_set_threads(ctx, 2);
}

static void test_learners__same_bytes_for_any_number_of_threads(void **state)
{
    for_every_learner(*state, check_threads);
}

static void check_save_load(cairn_context *ctx, const cairn_learner *learner, cairn_task task)
{
    contract_data data = {.n_rows = 90, .task = task, .missing = true};
    outcome o = run(ctx, learner, data, NULL);
    cairn_model *loaded;
    cairn_table *table = contract_table(ctx, data), *answer = NULL;
    char *again;
    size_t length;
    assert_ok(ctx, cairn_model_load_memory(ctx, &loaded, "m", o.model, o.model_length));
    assert_ok(ctx, cairn_model_save_memory(ctx, loaded, &again, &length));
    assert_int_equal(length, o.model_length);
    assert_memory_equal(again, o.model, length);
    if (learner->predict || learner->labels_rows)
        assert_ok(ctx, cairn_model_predict(ctx, &answer, loaded, table, true));
    assert_same_table(learner->entry.name, o.answer, answer, 0);
    cairn_string_free(again);
    cairn_table_free(answer);
    cairn_table_free(table);
    cairn_model_free(loaded);
    outcome_clear(&o);
}

static void test_learners__save_and_load(void **state)
{
    for_every_learner(*state, check_save_load);
}

static void check_damage(cairn_context *ctx, const cairn_learner *learner, cairn_task task)
{
    contract_data data = {.n_rows = 30, .task = task};
    outcome o = run(ctx, learner, data, NULL);
    cairn_model *model;
    size_t step = o.model_length / 199 + 1;
    for (size_t at = 0; at < o.model_length; at += step) {
        o.model[at] ^= 0x10;
        assert_int_equal(cairn_model_load_memory(ctx, &model, "m", o.model, o.model_length),
                         CAIRN_BAD_DATA);
        o.model[at] ^= 0x10;
        assert_int_equal(cairn_model_load_memory(ctx, &model, "m", o.model, at), CAIRN_BAD_DATA);
    }
    outcome_clear(&o);
}

static void test_learners__damaged_files_are_refused(void **state)
{
    for_every_learner(*state, check_damage);
}

static void check_weights(cairn_context *ctx, const cairn_learner *learner, cairn_task task)
{
    if (!(learner->claims & CAIRN_CLAIM_WEIGHTS_REPEAT)) return;
    contract_data asked_data = {.n_rows = 60, .task = task};
    contract_data weighted = {.n_rows = 200, .task = task, .weighted = true, .missing = true};
    contract_data repeated = weighted;
    repeated.repeated = true;
    cairn_table *asked = contract_table(ctx, asked_data);
    outcome a = run(ctx, learner, weighted, asked), b = run(ctx, learner, repeated, asked);
    assert_same_table(learner->entry.name, a.answer, b.answer, 1e-9);
    outcome_clear(&a);
    outcome_clear(&b);
    cairn_table_free(asked);
}

static void test_learners__weights_are_repeated_rows(void **state)
{
    for_every_learner(*state, check_weights);
}

static void check_order(cairn_context *ctx, const cairn_learner *learner, cairn_task task)
{
    if (!(learner->claims & CAIRN_CLAIM_ROW_ORDER)) return;
    contract_data asked_data = {.n_rows = 60, .task = task};
    contract_data forward = {.n_rows = 200, .task = task, .missing = true};
    contract_data backward = forward;
    backward.reversed = true;
    cairn_table *asked = contract_table(ctx, asked_data);
    outcome a = run(ctx, learner, forward, asked), b = run(ctx, learner, backward, asked);
    assert_same_table(learner->entry.name, a.answer, b.answer, 1e-9);
    outcome_clear(&a);
    outcome_clear(&b);
    cairn_table_free(asked);
}

static void test_learners__row_order_does_not_matter(void **state)
{
    for_every_learner(*state, check_order);
}

/* Odd tables end in a model or in a message, never in a crash or an internal error. */
static void check_odd(cairn_context *ctx, const cairn_learner *learner, cairn_task task)
{
    for (size_t n = 1; n <= 6; n++) {
        contract_data data = {.n_rows = n, .task = task, .missing = n > 3};
        cairn_table *table = contract_table(ctx, data), *answer;
        cairn_model *model;
        cairn_status status = contract_fit(ctx, &model, learner, table, task, NULL);
        if (status == CAIRN_OK) {
            if (learner->predict) {
                assert_ok(ctx, cairn_model_predict(ctx, &answer, model, table, true));
                cairn_table_free(answer);
            }
            cairn_model_free(model);
        } else {
            bool expected = status == CAIRN_BAD_DATA || status == CAIRN_NO_SOLUTION;
            if (!expected || !*cairn_message(ctx))
                fail_msg("%s on %zu rows: status %d, '%s'", learner->entry.name, n, status,
                         cairn_message(ctx));
        }
        cairn_table_free(table);
    }
}

static void test_learners__one_row_and_few_rows(void **state)
{
    for_every_learner(*state, check_odd);
}

/* Only the constant column is left. */
static void check_constant(cairn_context *ctx, const cairn_learner *learner, cairn_task task)
{
    contract_data data = {.n_rows = 20, .task = task};
    cairn_table *table = contract_table(ctx, data), *answer;
    cairn_model *model;
    assert_ok(ctx, cairn_table_set_roles(ctx, table, "x,y,colour", CAIRN_IGNORED));
    cairn_status status = contract_fit(ctx, &model, learner, table, task, NULL);
    if (status == CAIRN_OK) {
        if (learner->predict) {
            assert_ok(ctx, cairn_model_predict(ctx, &answer, model, table, true));
            for (size_t c = 0; c < answer->n_columns; c++)
                assert_int_equal(answer->slots[c].column->n_missing, 0);
            cairn_table_free(answer);
        }
        cairn_model_free(model);
    } else {
        assert_true(status == CAIRN_BAD_DATA || status == CAIRN_NO_SOLUTION);
    }
    cairn_table_free(table);
}

static void test_learners__constant_column_alone(void **state)
{
    for_every_learner(*state, check_constant);
}

/* A level that training never saw, and missing cells, still get an answer. */
static void check_unseen(cairn_context *ctx, const cairn_learner *learner, cairn_task task)
{
    static const char *const names[] = {"violet"};
    static const double x[] = {1, NAN}, y[] = {3, 4}, constant[] = {7, 7};
    static const int32_t colour[] = {0, -1};
    if (!learner->predict || task == CAIRN_LABEL_ITEMS) return; /* items: test_buffers */
    contract_data data = {.n_rows = 90, .task = task};
    cairn_table *table = contract_table(ctx, data), *asked, *answer;
    cairn_model *model;
    assert_ok(ctx, contract_fit(ctx, &model, learner, table, task, NULL));
    assert_ok(ctx, cairn_table_new(ctx, &asked, 2));
    assert_ok(ctx, cairn_table_add_levels(ctx, asked, "colour", colour, names, 1));
    assert_ok(ctx, cairn_table_add_numbers(ctx, asked, "y", y));
    assert_ok(ctx, cairn_table_add_numbers(ctx, asked, "x", x));
    assert_ok(ctx, cairn_table_add_numbers(ctx, asked, "constant", constant));
    assert_ok(ctx, cairn_model_predict(ctx, &answer, model, asked, true));
    for (size_t c = 0; c < answer->n_columns; c++)
        if (answer->slots[c].column->n_missing)
            fail_msg("%s: no %s for a row with unseen values", learner->entry.name,
                     answer->slots[c].name);
    cairn_table_free(answer);
    cairn_table_free(asked);
    cairn_model_free(model);
    cairn_table_free(table);
}

static void test_learners__unseen_levels_and_missing_cells(void **state)
{
    for_every_learner(*state, check_unseen);
}

static void check_cancel(cairn_context *unused, const cairn_learner *learner, cairn_task task)
{
    (void)unused;
    cairn_context *ctx;
    cairn_model *model;
    assert_int_equal(cairn_context_new(&ctx, NULL), CAIRN_OK);
    contract_data data = {.n_rows = 90, .task = task};
    cairn_table *table = contract_table(ctx, data);
    cairn_context_cancel(ctx);
    assert_int_equal(contract_fit(ctx, &model, learner, table, task, NULL), CAIRN_CANCELLED);
    cairn_table_free(table);
    cairn_context_free(ctx);
}

static void test_learners__cancel(void **state)
{
    for_every_learner(*state, check_cancel);
}

/* A table of rows from .. to - 1. */
static cairn_table *rows_of(cairn_context *ctx, const cairn_table *table, size_t from, size_t to)
{
    uint32_t rows[1000];
    cairn_table *part;
    assert_true(to - from <= 1000);
    for (size_t i = from; i < to; i++) rows[i - from] = (uint32_t)i;
    assert_ok(ctx, cairn_table_take_rows(ctx, &part, table, rows, to - from));
    return part;
}

/* Rows that come later make the model that all rows at once make. */
static void check_update(cairn_context *ctx, const cairn_learner *learner, cairn_task task)
{
    if (!learner->update || !(learner->claims & CAIRN_CLAIM_ROW_ORDER)) return;
    contract_data data = {.n_rows = 400, .task = task, .missing = true, .weighted = true};
    cairn_table *all = contract_table(ctx, data), *answers[2];
    cairn_model *models[2];
    assert_ok(ctx, contract_fit(ctx, &models[0], learner, all, task, NULL));
    for (size_t i = 0; i < 3; i++) {
        static const size_t ends[] = {0, 90, 91, 400};
        cairn_table *part = rows_of(ctx, all, ends[i], ends[i + 1]);
        if (i)
            assert_ok(ctx, cairn_model_update(ctx, models[1], part, NULL));
        else
            assert_ok(ctx, contract_fit(ctx, &models[1], learner, part, task, NULL));
        cairn_table_free(part);
    }
    for (int i = 0; i < 2; i++) {
        char *bytes;
        size_t length;
        cairn_model *loaded;
        assert_int_equal(models[i]->n_rows, 400);
        assert_ok(ctx, cairn_model_save_memory(ctx, models[i], &bytes, &length));
        assert_ok(ctx, cairn_model_load_memory(ctx, &loaded, "m", bytes, length));
        assert_ok(ctx, cairn_model_predict(ctx, &answers[i], loaded, all, true));
        cairn_string_free(bytes);
        cairn_model_free(loaded);
    }
    assert_same_table(learner->entry.name, answers[0], answers[1], 1e-9);
    for (int i = 0; i < 2; i++) {
        cairn_model_free(models[i]);
        cairn_table_free(answers[i]);
    }
    cairn_table_free(all);
}

static void test_learners__more_rows_later(void **state)
{
    for_every_learner(*state, check_update);
}

/* The JSON is valid and no named value is a NaN written as a number. */
static void check_report(cairn_context *ctx, const cairn_learner *learner, cairn_task task)
{
    contract_data data = {.n_rows = 40, .task = task};
    outcome o = run(ctx, learner, data, NULL);
    json_error_t error;
    json_t *root = json_loads(o.steps, 0, &error);
    if (!root) fail_msg("%s: %s", learner->entry.name, error.text);
    assert_true(json_object_size(json_object_get(root, "values")) > 0);
    json_decref(root);
    outcome_clear(&o);
}

static void test_learners__reports_have_values(void **state)
{
    for_every_learner(*state, check_report);
}

/* Scores that are said to be probabilities are shares of 1. */
static void check_probabilities(cairn_context *ctx, const cairn_learner *learner, cairn_task task)
{
    if (!(learner->traits & CAIRN_GIVES_PROBABILITIES) || task != CAIRN_CLASSIFY) return;
    contract_data data = {.n_rows = 300, .task = task, .missing = true};
    cairn_table *table = contract_table(ctx, data);
    cairn_model *model;
    cairn_prediction p;
    cairn_match match = {0};
    cairn_predict_wants wants = {.scores = true};
    assert_ok(ctx, contract_fit(ctx, &model, learner, table, task, NULL));
    assert_ok(
        ctx, cairn_model_predict_rows(ctx, &p, model, table, cairn_all_rows(table), wants, &match));
    for (size_t i = 0; i < p.n_rows; i++) {
        double sum = 0;
        for (size_t c = 0; c < p.n_classes; c++) {
            double share = p.scores[i * p.n_classes + c];
            if (!(share >= 0 && share <= 1 + 1e-12))
                fail_msg("%s: row %zu: %.17g is no probability", learner->entry.name, i + 1, share);
            sum += share;
        }
        if (fabs(sum - 1) > 1e-9)
            fail_msg("%s: row %zu: probabilities add up to %.17g; without "
                     "CAIRN_GIVES_PROBABILITIES they are scores",
                     learner->entry.name, i + 1, sum);
    }
    cairn_prediction_clear(&p);
    cairn_model_free(model);
    cairn_table_free(table);
}

static void test_learners__probabilities_add_up_to_one(void **state)
{
    for_every_learner(*state, check_probabilities);
}

int main(int argc, char **argv)
{
    only_tests(argc, argv);
    const struct CMUnitTest tests[] = {
        context_test(test_learners__same_bytes_for_any_number_of_threads),
        context_test(test_learners__save_and_load),
        context_test(test_learners__damaged_files_are_refused),
        context_test(test_learners__weights_are_repeated_rows),
        context_test(test_learners__row_order_does_not_matter),
        context_test(test_learners__one_row_and_few_rows),
        context_test(test_learners__constant_column_alone),
        context_test(test_learners__unseen_levels_and_missing_cells),
        context_test(test_learners__cancel),
        context_test(test_learners__more_rows_later),
        context_test(test_learners__reports_have_values),
        context_test(test_learners__probabilities_add_up_to_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
