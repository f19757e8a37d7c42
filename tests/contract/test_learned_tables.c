/* SPDX-License-Identifier: MIT */
/* Every table that every learner offers: there, well-formed, and the same after saving and loading;
 * and every learner has one of its own. */
#include "cairn/learned.h"
#include "contract/contract.h"
#include "data/table.h"
#include <math.h>

/* Learners without a table of their own, and why. */
static const struct {
    const char *learner, *why;
} without[] = {
    {"boost-three", "its members are three models, which are all there is to it"},
    {"calibrated", "a wrapper of one model: what it adds is drawn, its tables are the members'"},
    {"cost-sensitive", "a wrapper of one model: it adds costs that are parameters"},
    {"multi-target", "a model for each target, whose tables are the members'"},
    {"self-training", "a wrapper of one model"},
};

static bool needs_none(const cairn_learner *learner)
{
    for (size_t i = 0; i < sizeof without / sizeof *without; i++)
        if (!strcmp(without[i].learner, learner->entry.name)) return true;
    return false;
}

/* Names are unique, numbers are finite or missing, the table is not without columns. */
static void check_table(const cairn_learner *learner, const char *name, const cairn_table *table)
{
    const char *who = learner->entry.name;
    if (!cairn_table_columns(table)) fail_msg("%s: %s has no columns", who, name);
    for (size_t j = 0; j < cairn_table_columns(table); j++) {
        const double *numbers = cairn_table_numbers(table, j);
        if (!*cairn_table_name(table, j)) fail_msg("%s: %s: a column without a name", who, name);
        if (cairn_table_find(table, cairn_table_name(table, j)) != (ptrdiff_t)j)
            fail_msg("%s: %s: column '%s' twice", who, name, cairn_table_name(table, j));
        for (size_t i = 0; numbers && i < cairn_table_rows(table); i++)
            if (isinf(numbers[i]))
                fail_msg("%s: %s: %s is infinite in row %zu", who, name, cairn_table_name(table, j),
                         i + 1);
    }
}

/* So many rows make sense: none of a table that a model says to have is empty, but those that may
 * be. */
static void check_rows(const cairn_learner *learner, const char *name, const cairn_table *table)
{
    static const char *const may_be_empty[] = {"levels",   "transforms", "conditions",
                                               "arcs",     "merges",     "cores",
                                               "features", "parameters", "support-vectors"};
    if (!strncmp(name, "members.", 8)) name += 8;
    for (size_t i = 0; i < sizeof may_be_empty / sizeof *may_be_empty; i++)
        if (!strcmp(name, may_be_empty[i])) return;
    if (!cairn_table_rows(table)) fail_msg("%s: %s has no rows", learner->entry.name, name);
}

/* The tables of a model, and of the same model from a file: they agree to the bit. */
static void check_model(cairn_context *ctx, const cairn_learner *learner, const cairn_model *model,
                        const cairn_model *loaded)
{
    const char *name;
    size_t n = cairn_model_table_count(model);
    assert_int_equal(n, cairn_model_table_count(loaded));
    for (size_t i = 0; (name = cairn_model_table_name(model, i)); i++) {
        cairn_table *table = NULL, *again = NULL;
        if (!cairn_model_table_help(model, i)) fail_msg("%s: no help", name);
        for (size_t j = 0; j < i; j++)
            if (!strcmp(name, cairn_model_table_name(model, j)))
                fail_msg("%s: '%s' twice", learner->entry.name, name);
        if (cairn_model_table(ctx, &table, model, name))
            fail_msg("%s: %s: %s", learner->entry.name, name, cairn_message(ctx));
        check_table(learner, name, table);
        check_rows(learner, name, table);
        assert_ok(ctx, cairn_model_table(ctx, &again, loaded, name));
        if (cairn_table_hash(table) != cairn_table_hash(again))
            fail_msg("%s: %s is another one after loading", learner->entry.name, name);
        cairn_table_free(table);
        cairn_table_free(again);
    }
}

/* Whether the first table is one that only this learner has. */
static bool has_own(const cairn_model *model, const cairn_learner *learner)
{
    const char *first = cairn_model_table_name(model, 0);
    for (const cairn_learned *t = learner->tables; t && t->name; t++)
        if (!strcmp(t->name, first)) return true;
    return false;
}

static void check_learner(cairn_context *ctx, const cairn_learner *learner, cairn_task task)
{
    cairn_table *table = contract_table(ctx, (contract_data){.n_rows = 80, .task = task});
    cairn_model *model = NULL, *loaded = NULL;
    char *bytes = NULL;
    size_t length;
    assert_ok(ctx, contract_fit(ctx, &model, learner, table, task, NULL));
    assert_ok(ctx, cairn_model_save_memory(ctx, model, &bytes, &length));
    assert_ok(ctx, cairn_model_load_memory(ctx, &loaded, "model", bytes, length));
    check_model(ctx, learner, model, loaded);
    if (has_own(model, learner) == needs_none(learner))
        fail_msg("%s: %s", learner->entry.name,
                 needs_none(learner) ? "is listed as one without a table" : "no table of its own");
    cairn_string_free(bytes);
    cairn_model_free(loaded);
    cairn_model_free(model);
    cairn_table_free(table);
}

static void test_learned_tables__every_learner_tells_what_it_learned(void **state)
{
    cairn_context *ctx = *state;
    const cairn_learner *learner;
    for (size_t i = 0; (learner = contract_learner(i)); i++)
        for (cairn_task task = contract_next_task(ctx, learner, 0); task;
             task = contract_next_task(ctx, learner, task))
            check_learner(ctx, learner, task);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_learned_tables__every_learner_tells_what_it_learned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
