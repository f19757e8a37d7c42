/* SPDX-License-Identifier: MIT */
/* What every way of learning rules keeps: the same bytes for any number of threads, weights as
 * repeated rows, ending when asked to, and no leak when memory ends. */
#include "../tree/fitted.h"

#include "base/text.h"
#include "support/fail_alloc.h"

static const char *const variants[] = {
    "rule-list:preset=cn2,rule-level=0.2",
    "rule-list:preset=cn2-entropy,rule-level=0.3",
    "rule-list:beam=3,score-smooth=m:2,tie=rare",
    "rule-list:prune-share=0.4,min-cover=2",
    "rule-set:preset=cn2,rule-level=0.2",
    "rule-set:seed-example=yes,prune-share=0.3",
    "rule-set:heuristic=m-estimate,beam=2,max-rules=3,overlap=tree",
    "ripper:passes=3",
    "ripper:prune=no",
    "tree-rules:estimate=laplace",
    "one-r:min-bucket=2",
};
enum { N_VARIANTS = sizeof variants / sizeof *variants };

/* Levels, numbers with ties, missing cells and three classes with noise; `repeat` writes a row as
 * often as its weight says, in place of the weight. */
static void write_rows(cairn_text *out, size_t n, bool repeat)
{
    cairn_text_add(out, repeat ? "x,z,k,y\n" : "x,z,k,n,y\n");
    for (unsigned i = 0, r = 3; i < n; i++) {
        r = r * 1103515245u + 12345u;
        unsigned x = r >> 16 & 15, z = r >> 9 & 511, k = r >> 24 & 3, weight = 1 + i % 3;
        const char *class = x > 9 && k == 1 ? "rare" : z < 200 ? "some" : "many";
        if (i % 9 == 4) class = "some";
        for (unsigned j = 0; j < (repeat ? weight : 1); j++) {
            if (i % 11 == 5)
                cairn_text_addf(out, "?,%u,%c", z, "abcd"[k]);
            else
                cairn_text_addf(out, "%u,%u,%c", x, z, "abcd"[k]);
            if (!repeat) cairn_text_addf(out, ",%u", weight);
            cairn_text_addf(out, ",%s\n", class);
        }
    }
}

static cairn_table *make_table(cairn_context *ctx, size_t n, bool repeat, bool weighted)
{
    cairn_text text = cairn_text_start(ctx);
    write_rows(&text, n, repeat);
    cairn_table *table = table_of(ctx, cairn_text_string(&text), "y", NULL);
    if (!repeat)
        assert_ok(ctx,
                  cairn_table_set_role(ctx, table, "n", weighted ? CAIRN_WEIGHT : CAIRN_IGNORED));
    cairn_text_clear(&text);
    return table;
}

static char *rules_of(cairn_context *ctx, const cairn_table *table, const char *spec)
{
    cairn_model *model = NULL;
    char *text = NULL;
    assert_ok(ctx, try_fit(ctx, &model, table, spec, CAIRN_TASK_AUTO, NULL));
    assert_ok(ctx, cairn_model_export(ctx, model, "text", &text));
    cairn_model_free(model);
    return text;
}

static void test_variants__threads_change_nothing(void **state)
{
    cairn_table *table = make_table(*state, 4000, false, false);
    for (size_t v = 0; v < N_VARIANTS; v++) {
        cairn_context_set_threads(*state, 1);
        char *one = rules_of(*state, table, variants[v]);
        cairn_context_set_threads(*state, 4);
        char *four = rules_of(*state, table, variants[v]);
        assert_string_equal(one, four);
        cairn_string_free(one);
        cairn_string_free(four);
    }
    cairn_table_free(table);
}

/* Cuts that cannot win are left out unless the work is shown. */
static void test_variants__showing_changes_nothing(void **state)
{
    cairn_table *table = make_table(*state, 600, false, false);
    for (size_t v = 0; v < N_VARIANTS; v++) {
        cairn_report *report = NULL;
        cairn_model *model = NULL;
        char *shown = NULL, *plain = rules_of(*state, table, variants[v]);
        assert_ok(*state, cairn_report_new(*state, &report));
        assert_ok(*state, try_fit(*state, &model, table, variants[v], CAIRN_TASK_AUTO, report));
        assert_ok(*state, cairn_model_export(*state, model, "text", &shown));
        assert_string_equal(plain, shown);
        cairn_string_free(plain);
        cairn_string_free(shown);
        cairn_model_free(model);
        cairn_report_free(report);
    }
    cairn_table_free(table);
}

/* Rows are matched 64 at a time, and conditions that rules share once for many rows: single rows
 * have neither. */
static void test_variants__rows_alone_get_the_same_answers(void **state)
{
    cairn_table *table = make_table(*state, 700, false, false);
    for (size_t v = 0; v < N_VARIANTS; v++) {
        cairn_model *model = NULL;
        cairn_table *all = NULL;
        assert_ok(*state, try_fit(*state, &model, table, variants[v], CAIRN_TASK_AUTO, NULL));
        assert_ok(*state, cairn_model_predict(*state, &all, model, table, true));
        assert_true(cairn_table_columns(all) > 2);
        for (size_t i = 0; i < 700; i += 23) {
            cairn_table *row = NULL, *alone = NULL;
            char where[40], a[4000], b[4000];
            snprintf(where, sizeof where, "row() == %zu", i + 1);
            assert_ok(*state, cairn_table_filter(*state, &row, table, where));
            assert_ok(*state, cairn_model_predict(*state, &alone, model, row, true));
            assert_int_equal(cairn_table_rows(alone), 1);
            for (size_t c = 0; c < cairn_table_columns(all); c++) {
                cairn_table_cell(all, c, i, a, sizeof a);
                cairn_table_cell(alone, c, 0, b, sizeof b);
                assert_string_equal(a, b);
            }
            cairn_table_free(alone);
            cairn_table_free(row);
        }
        cairn_table_free(all);
        cairn_model_free(model);
    }
    cairn_table_free(table);
}

/* Where no rows are drawn at random. */
static void test_variants__weights_are_repeated_rows(void **state)
{
    cairn_table *weighted = make_table(*state, 300, false, true);
    cairn_table *repeated = make_table(*state, 300, true, false);
    for (size_t v = 0; v < N_VARIANTS; v++) {
        if (strstr(variants[v], "prune-share") || strstr(variants[v], "passes")) continue;
        char *a = rules_of(*state, weighted, variants[v]);
        char *b = rules_of(*state, repeated, variants[v]);
        assert_string_equal(a, b);
        cairn_string_free(a);
        cairn_string_free(b);
    }
    cairn_table_free(weighted);
    cairn_table_free(repeated);
}

/* The column of 1R is chosen by shares of errors, however small the weights are. */
static void test_variants__tiny_weights_choose_as_large_ones(void **state)
{
    static const char rows[] = "a,b,w,y\np,u,1e-13,x\nq,u,1e-13,x\np,v,1e-13,z\nq,v,1e-13,z\n";
    cairn_table *table = table_of(*state, rows, "y", NULL);
    assert_ok(*state, cairn_table_set_role(*state, table, "w", CAIRN_WEIGHT));
    char *text = rules_of(*state, table, "one-r");
    assert_non_null(strstr(text, "b = u"));
    cairn_string_free(text);
    cairn_table_free(table);
}

static void test_variants__end_when_cancelled(void **state)
{
    cairn_table *table = make_table(*state, 500, false, true);
    for (size_t v = 0; v < N_VARIANTS; v++) {
        cairn_context *ctx = NULL;
        cairn_model *model = NULL;
        assert_ok(ctx, cairn_context_new(&ctx, NULL));
        cairn_context_cancel(ctx);
        assert_int_equal(try_fit(ctx, &model, table, variants[v], CAIRN_TASK_AUTO, NULL),
                         CAIRN_CANCELLED);
        assert_null(model);
        cairn_context_free(ctx);
    }
    cairn_table_free(table);
}

/* With steps and the report of the model. Sets and ripper draw lines of equal score in each step,
 * which takes nearly all the time of hundreds of runs: they get few rows, and steps of one way of
 * learning each. */
static cairn_status fit_and_show(cairn_context *ctx, void *data)
{
    static const char many[] = "x,k,y\n1,a,u\n2,b,u\n3,a,v\n4,b,v\n5,c,w\n?,a,u\n?,?,v\n2,c,w\n";
    static const char few[] = "x,k,y\n1,a,u\n2,b,u\n3,a,v\n?,b,v\n1,?,w\n";
    bool draws = !strncmp(data, "rule-set", 8) || !strncmp(data, "ripper", 6);
    bool shows = !draws || strstr(data, "seed-example") || strstr(data, "passes");
    const char *rows = draws ? few : many;
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    cairn_table *table = NULL;
    cairn_model *model = NULL;
    cairn_report *report = NULL;
    cairn_status status =
        cairn_table_read_memory(ctx, &table, "data.csv", rows, strlen(rows), &options);
    if (!status) status = cairn_table_set_role(ctx, table, "y", CAIRN_TARGET);
    if (!status) status = cairn_report_new(ctx, &report);
    if (!status) status = try_fit(ctx, &model, table, data, CAIRN_TASK_AUTO, shows ? report : NULL);
    if (!status) status = cairn_model_describe(ctx, report, model);
    if (!status) status = cairn_report_status(report);
    cairn_report_free(report);
    cairn_model_free(model);
    cairn_table_free(table);
    return status;
}

static void test_variants__memory_may_end(void **state)
{
    (void)state;
    for (size_t v = 0; v < N_VARIANTS; v++) {
        char spec[80];
        snprintf(spec, sizeof spec, "%s", variants[v]);
        assert_survives_allocation_failures(fit_and_show, spec);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_variants__threads_change_nothing),
        context_test(test_variants__showing_changes_nothing),
        context_test(test_variants__rows_alone_get_the_same_answers),
        context_test(test_variants__weights_are_repeated_rows),
        context_test(test_variants__tiny_weights_choose_as_large_ones),
        context_test(test_variants__end_when_cancelled),
        context_test(test_variants__memory_may_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
