/* SPDX-License-Identifier: MIT */
/* Fit, describe, save, load and predict of every learner with each allocation failing in turn. */
#include "support/fail_alloc.h"
#include "contract/contract.h"

typedef struct work {
    const cairn_learner *learner;
    cairn_task task;
    const cairn_table *table;
    const cairn_params *params;
    bool steps;
} work;

static cairn_status whole_way(cairn_context *ctx, void *data)
{
    const work *w = data;
    cairn_status status;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_report *report = NULL;
    cairn_model *model = NULL, *loaded = NULL;
    cairn_table *answer = NULL;
    char *bytes = NULL;
    size_t length;
    options.task = w->task;
    if (w->steps) {
        TRY(cairn_report_new(ctx, &report));
        options.steps = report;
    }
    TRY(cairn_model_fit(ctx, &model, w->params, w->table, &options));
    if (w->steps) TRY(cairn_model_describe(ctx, report, model));
    TRY(cairn_model_save_memory(ctx, model, &bytes, &length));
    TRY(cairn_model_load_memory(ctx, &loaded, "m", bytes, length));
    if (w->learner->predict || w->learner->labels_rows)
        TRY(cairn_model_predict(ctx, &answer, loaded, w->table, true));
done:
    cairn_string_free(bytes);
    cairn_table_free(answer);
    cairn_model_free(loaded);
    cairn_model_free(model);
    cairn_report_free(report);
    return status;
}

static void test_learners__survive_failing_allocations(void **state)
{
    const cairn_learner *learner;
    for (size_t i = 0; (learner = contract_learner(i)); i++)
        for (cairn_task task = 0; (task = contract_next_task(*state, learner, task));) {
            contract_data data = {.n_rows = 12, .task = task, .missing = true};
            work w = {learner, task, contract_table(*state, data), contract_params(*state, learner),
                      false};
            assert_survives_allocation_failures(whole_way, &w);
            w.steps = true;
            assert_survives_allocation_failures(whole_way, &w);
            cairn_table_free((cairn_table *)w.table);
            cairn_params_free((cairn_params *)w.params);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {context_test(test_learners__survive_failing_allocations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
