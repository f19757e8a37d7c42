/* SPDX-License-Identifier: MIT */
/* The values of the rows of any learner's model add up to what the model says. */
#include "contract/contract.h"
#include "explain/shapley.h"
#include <math.h>

/* The answer behind a sum: the number, or the share of a class, as far as one output tells it. */
static double linked(const cairn_shapley *s, size_t row, size_t output)
{
    double sum = s->sums[row * s->n_outputs + output], total = 0;
    switch (s->scale) {
    case CAIRN_SUM_LOGARITHM: return exp(sum);
    case CAIRN_SUM_LOG_ODDS: return 1 / (1 + exp(-sum));
    case CAIRN_SUM_SOFTMAX:
        for (size_t c = 0; c < s->n_outputs; c++)
            total += exp(s->sums[row * s->n_outputs + c] - sum);
        return 1 / total;
    default: return sum;
    }
}

/* What the model says of the output. */
static double said(const cairn_shapley *s, size_t row, size_t output)
{
    const cairn_prediction *p = &s->predictions;
    if (p->numbers) return p->numbers[row];
    size_t code = (size_t)s->classes[output];
    if (p->scores) return p->scores[row * p->n_classes + code];
    return p->codes[row] == (int32_t)code;
}

static void check_sums(cairn_context *ctx, const cairn_learner *learner, contract_data data)
{
    cairn_table *table = contract_table(ctx, data);
    cairn_model *model;
    cairn_shapley s;
    cairn_shapley_options options = {.most_background = 4, .permutations = 2};
    assert_ok(ctx, contract_fit(ctx, &model, learner, table, data.task, NULL));
    assert_ok(ctx, cairn_shapley_find(ctx, &s, model, table, &options));
    for (size_t i = 0; i < s.n_rows && !s.other_units; i++)
        for (size_t c = 0; c < s.n_outputs; c++) {
            double a = linked(&s, i, c), b = said(&s, i, c);
            if (isnan(b) || fabs(a - b) <= 1e-9 * fmax(1, fabs(b))) continue;
            fail_msg("%s, %s: row %zu, output %zu: %.17g is not %.17g", learner->entry.name,
                     s.exact ? "exact" : "sampled", i + 1, c, a, b);
        }
    cairn_shapley_clear(&s);
    cairn_model_free(model);
    cairn_table_free(table);
}

static void test_contract__values_add_up_to_answers(void **state)
{
    cairn_context *ctx = *state;
    const cairn_learner *learner;
    for (size_t i = 0; (learner = contract_learner(i)); i++) {
        cairn_task task = 0;
        if (!learner->predict || learner->accepts & CAIRN_IGNORES_FEATURES) continue;
        while ((task = contract_next_task(ctx, learner, task))) {
            if (task == CAIRN_LABEL_ITEMS) continue;
            check_sums(ctx, learner, (contract_data){.n_rows = 24, .task = task});
            check_sums(ctx, learner, (contract_data){.n_rows = 24, .task = task, .missing = true});
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {context_test(test_contract__values_add_up_to_answers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
