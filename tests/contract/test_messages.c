/* SPDX-License-Identifier: MIT */
/* What a C program is told: no message or warning of a call other than a command line speaks of
 * options with dashes. Every learner, transform and calculator is given wrong values, settings that
 * contradict each other, and data that it cannot use. */
#include "contract/contract.h"

#include "cairn/cairn.h"
#include "entry/condition.h"
#include "entry/entry.h"
#include <math.h>
#include <stdio.h>

typedef struct heard {
    size_t n; /* messages and warnings */
    const char *who;
} heard;

/* A message may quote a whole command line, which begins with the program's name. */
static bool speaks_of_options(const char *message)
{
    const char *at = strstr(message, " --");
    const char *command = strstr(message, "cairn ");
    return (at && (!command || command > at)) || strncmp(message, "--", 2) == 0;
}

static void hear(heard *h, const char *message)
{
    if (speaks_of_options(message)) fail_msg("%s says: %s", h->who, message);
    h->n++;
}

static void hear_warning(cairn_log_level level, const char *message, void *data)
{
    (void)level;
    hear(data, message);
}

static void hear_failure(heard *h, cairn_context *ctx, cairn_status status)
{
    if (status) hear(h, cairn_message(ctx));
}

/* Entries in turn, NULL at the end; the verbs, whose parameters are options, come last. */
static const cairn_entry *entry_at(size_t i)
{
    size_t n;
    const cairn_entry *const *entries = cairn_registry(&n);
    return i < n && entries[i]->kind != CAIRN_ENTRY_VERB ? entries[i] : NULL;
}

static void test_messages__about_values_of_parameters(void **state)
{
    static const char *const values[] = {"", "no such value", "-1e300", "nan", "1,5", "a=b", "--x"};
    cairn_context *ctx = *state;
    heard h = {0};
    const cairn_entry *e;
    const cairn_param *row;
    for (size_t i = 0; (e = entry_at(i)); i++) {
        cairn_params *params;
        h.who = e->name;
        assert_ok(ctx, cairn_params_for(ctx, &params, e));
        for (size_t j = 0; (row = cairn_params_row(e, j, NULL)); j++)
            for (size_t v = 0; v + 1 < sizeof values / sizeof *values; v++)
                hear_failure(&h, ctx, cairn_params_set(ctx, params, row->name, values[v]));
        hear_failure(&h, ctx, cairn_params_set(ctx, params, "max-dept", "1"));
        hear_failure(&h, ctx, cairn_params_check(ctx, params));
        cairn_params_free(params);
    }
    assert_true(h.n > 1000);
}

/* A value of the parameter that is not its default, or NULL. */
static const char *another_value(const cairn_param *row)
{
    for (const cairn_choice *c = row->choices; c && c->name; c++)
        if (!row->initial || strcmp(c->name, row->initial) != 0) return c->name;
    if (row->type == CAIRN_TYPE_BOOL)
        return row->initial && !strcmp(row->initial, "yes") ? "no" : "yes";
    return row->type == CAIRN_TYPE_TEXT || row->type == CAIRN_TYPE_COLUMNS ? "x" : "2";
}

/* Each parameter that counts only with certain settings of others is set without them. */
static void test_messages__about_settings_that_contradict(void **state)
{
    cairn_context *ctx = *state;
    heard h = {0};
    const cairn_entry *e;
    const cairn_param *row;
    for (size_t i = 0; (e = entry_at(i)); i++)
        for (size_t j = 0; (row = cairn_params_row(e, j, NULL)); j++) {
            cairn_params *params;
            if (!row->when) continue;
            h.who = e->name;
            assert_ok(ctx, cairn_params_for(ctx, &params, e));
            if (!cairn_params_set(ctx, params, row->name, another_value(row)))
                hear_failure(&h, ctx, cairn_params_check(ctx, params));
            cairn_params_free(params);
        }
    assert_true(h.n > 100);
}

/* A table without a target, of one row, of one class, with missing cells, with text. */
static cairn_table *odd_table(cairn_context *ctx, int which)
{
    static const double numbers[] = {1, 2, NAN, 4, -3, 0};
    static const int32_t classes[] = {0, 1, -1, 1, 0, 0}, one[] = {0, 0, 0, 0, 0, 0};
    static const char *const names[] = {"a", "b"};
    static const char *const texts[] = {"a b", "c", "d e f", "", "g", "h"};
    cairn_table *table;
    assert_ok(ctx, cairn_table_new(ctx, &table, which == 1 ? 1 : 6));
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "x", numbers));
    if (which == 4) assert_ok(ctx, cairn_table_add_texts(ctx, table, "words", texts));
    if (which == 0) return table;
    if (which == 5)
        assert_ok(ctx, cairn_table_add_numbers(ctx, table, "class", numbers));
    else
        assert_ok(
            ctx, cairn_table_add_levels(ctx, table, "class", which == 2 ? one : classes, names, 2));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "class", CAIRN_TARGET));
    return table;
}

enum { N_ODD = 6 };

static void fit_learner(cairn_context *ctx, heard *h, const cairn_learner *learner,
                        const cairn_table *table)
{
    static const cairn_task tasks[] = {CAIRN_TASK_AUTO, CAIRN_CLASSIFY, CAIRN_REGRESS,
                                       CAIRN_CLUSTER, CAIRN_LABEL_ITEMS};
    cairn_params *params = contract_params(ctx, learner);
    for (size_t t = 0; t < sizeof tasks / sizeof *tasks; t++) {
        cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
        cairn_model *model = NULL;
        options.task = tasks[t];
        options.positive = t == 1 ? "no such class" : NULL;
        options.strict = t == 2;
        cairn_status status = cairn_model_fit(ctx, &model, params, table, &options);
        hear_failure(h, ctx, status);
        cairn_model_free(model);
    }
    cairn_params_free(params);
}

static void test_messages__about_data_that_learners_cannot_use(void **state)
{
    cairn_context *ctx = *state;
    heard h = {0};
    const cairn_learner *learner;
    cairn_context_set_log(ctx, hear_warning, &h);
    for (int which = 0; which < N_ODD; which++) {
        cairn_table *table = odd_table(ctx, which);
        for (size_t i = 0; (learner = contract_learner(i)); i++) {
            h.who = learner->entry.name;
            fit_learner(ctx, &h, learner, table);
        }
        cairn_table_free(table);
    }
    cairn_context_set_log(ctx, NULL, NULL);
    assert_true(h.n > 500);
}

static void test_messages__about_data_that_transforms_cannot_use(void **state)
{
    cairn_context *ctx = *state;
    heard h = {0};
    const cairn_entry *e;
    cairn_context_set_log(ctx, hear_warning, &h);
    for (size_t i = 0; (e = entry_at(i)); i++) {
        if (e->kind != CAIRN_ENTRY_TRANSFORM) continue;
        h.who = e->name;
        for (int which = 0; which < N_ODD; which++) {
            const char *with[] = {e->name, NULL};
            cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
            cairn_table *table = odd_table(ctx, which);
            cairn_model *model = NULL;
            options.with = with;
            hear_failure(&h, ctx, cairn_recipe_fit(ctx, &model, NULL, table, &options));
            cairn_model_free(model);
            cairn_table_free(table);
        }
    }
    cairn_context_set_log(ctx, NULL, NULL);
    assert_true(h.n > 20);
}

static cairn_status kept(cairn_status status, cairn_table *made)
{
    if (!status) cairn_table_free(made);
    return status;
}

static cairn_status read_as(cairn_context *ctx, const char *content, const char *format,
                            const char *kinds, const char *encoding)
{
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    cairn_table *made = NULL;
    options.format = format;
    options.kinds = kinds;
    options.encoding = encoding;
    return kept(cairn_table_read_memory(ctx, &made, "a", content, strlen(content), &options), made);
}

static void test_messages__about_tables(void **state)
{
    static const char *const contents[] = {
        "",        "a,b\n1\n",    "a,a\n1,2\n", "\xff\xfe", "a,b\n\"1,2\n",
        "{\"a\":", "@relation x", "1 1:x"};
    static const char *const formats[] = {NULL, "csv", "arff", "libsvm", "json", "npy", "nothing"};
    cairn_context *ctx = *state;
    heard h = {.who = "a table"};
    cairn_table *iris, *made = NULL;
    cairn_context_set_log(ctx, hear_warning, &h);
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++)
        for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
            hear_failure(&h, ctx, read_as(ctx, contents[i], formats[f], NULL, NULL));
            hear_failure(&h, ctx, read_as(ctx, contents[i], formats[f], "a=time,b=what", NULL));
            hear_failure(&h, ctx, read_as(ctx, contents[i], formats[f], NULL, "utf-3"));
        }
    assert_ok(ctx, cairn_table_read(ctx, &iris, "@iris", NULL));
    hear_failure(&h, ctx, kept(cairn_table_filter(ctx, &made, iris, "nothing > 3"), made));
    hear_failure(&h, ctx, kept(cairn_table_filter(ctx, &made, iris, "3 +"), made));
    hear_failure(&h, ctx, kept(cairn_table_sort(ctx, &made, iris, "nothing"), made));
    hear_failure(&h, ctx, kept(cairn_table_aggregate(ctx, &made, iris, "x", "mean(x"), made));
    hear_failure(&h, ctx, kept(cairn_table_join(ctx, &made, iris, iris, "x", NULL, NULL), made));
    hear_failure(&h, ctx, kept(cairn_table_pivot(ctx, &made, iris, "x", "y", NULL, NULL), made));
    hear_failure(&h, ctx, kept(cairn_table_unpivot(ctx, &made, iris, "x", "", "", false), made));
    hear_failure(&h, ctx, kept(cairn_table_generate(ctx, &made, "what", "rows=x"), made));
    hear_failure(&h, ctx, kept(cairn_table_generate(ctx, &made, "blobs", "rows=-1,sd=x"), made));
    hear_failure(&h, ctx, cairn_table_write(ctx, iris, "/nowhere/a.csv", NULL));
    hear_failure(&h, ctx, cairn_table_write(ctx, iris, "a.csv.gz", NULL));
    hear_failure(&h, ctx, cairn_table_as(ctx, &iris, "distances"));
    cairn_context_set_log(ctx, NULL, NULL);
    cairn_table_free(iris);
    assert_true(h.n > 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_messages__about_values_of_parameters),
        context_test(test_messages__about_settings_that_contradict),
        context_test(test_messages__about_data_that_learners_cannot_use),
        context_test(test_messages__about_data_that_transforms_cannot_use),
        context_test(test_messages__about_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
