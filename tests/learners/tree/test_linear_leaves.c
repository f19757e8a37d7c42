/* SPDX-License-Identifier: MIT */
/* Model trees: lines and planes in the leaves. */
#include "fitted.h"

#include "base/text.h"
#include "support/fail_alloc.h"
#include <stdlib.h>
#include <unistd.h>

static fitted fit_numbers(cairn_context *ctx, const char *source, const char *spec)
{
    return fit_table(ctx, table_of(ctx, source, "y", NULL), spec, CAIRN_REGRESS, true);
}

/* The number that a model answers for row `row` of a table. */
static double answer(cairn_context *ctx, const cairn_model *model, const cairn_table *table,
                     size_t row)
{
    cairn_prediction p = {0};
    cairn_match match = {0};
    assert_ok(ctx, cairn_model_predict_rows(ctx, &p, model, table, cairn_all_rows(table),
                                            (cairn_predict_wants){0}, &match));
    double number = p.numbers[row];
    cairn_prediction_clear(&p);
    return number;
}

/* y = cos(pi x) at n + 1 places from -1 to 1. */
static cairn_table *cosine(cairn_context *ctx, int n)
{
    cairn_text text = cairn_text_start(ctx);
    cairn_text_add(&text, "x,y\n");
    for (int i = 0; i <= n; i++) {
        char line[64];
        double x = 2.0 * i / n - 1;
        snprintf(line, sizeof line, "%.17g,%.17g\n", x, cos(3.14159265358979323846 * x));
        cairn_text_add(&text, line);
    }
    cairn_table *table = table_of(ctx, cairn_text_string(&text), "y", NULL);
    cairn_text_clear(&text);
    return table;
}

static cairn_model *fit_at_0(cairn_context *ctx, const cairn_table *table, cairn_report *steps)
{
    char path[] = "/tmp/cairn-test-planes-XXXXXX";
    static const char text[] = "x <= 0: ?\nx > 0: ?\n";
    int file = mkstemp(path);
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_params *params = NULL;
    cairn_model *model = NULL;
    assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    options.given = path;
    options.steps = steps;
    assert_ok(ctx, cairn_params_new(ctx, &params, "tree:leaf=linear"));
    assert_ok(ctx, cairn_model_fit(ctx, &model, params, table, &options));
    cairn_params_free(params);
    unlink(path);
    return model;
}

/* Over [0, 1] the least-squares line of cos(pi x) is 12/pi^2 - 24/pi^2 x: one line over all of
 * [-1, 1] would be flat. The column that is split by is the regressor. */
static void test_linear_leaves__a_cosine_becomes_two_lines(void **state)
{
    cairn_table *table = cosine(*state, 20000);
    fitted f = {.ctx = *state, .table = table};
    double pi2 = 3.14159265358979323846 * 3.14159265358979323846;
    assert_ok(*state, cairn_report_new(*state, &f.report));
    f.model = fit_at_0(*state, table, f.report);
    assert_ok(*state, cairn_model_describe(*state, f.report, f.model));
    assert_near(value(&f, "leaf2.slope.x"), 24 / pi2, 1e-3);
    assert_near(value(&f, "leaf2.constant"), 12 / pi2, 1e-3);
    assert_near(value(&f, "leaf3.slope.x"), -24 / pi2, 1e-3);
    assert_near(value(&f, "leaf3.constant"), 12 / pi2, 1e-3);
    assert_near(value(&f, "training.mse"), 0.5 - 48 / (pi2 * pi2), 1e-3);
    assert_near(value(&f, "leaf3.centre.x"), 0.5, 1e-3);
    assert_near(answer(*state, f.model, table, 15000), 0, 1e-3);
    drop(&f);
}

/* Three pieces with jumps: the tree finds the cuts, the leaves the lines. */
static void test_linear_leaves__pieces_are_found(void **state)
{
    cairn_text text = cairn_text_start(*state);
    cairn_text_add(&text, "x,z,y\n");
    for (int i = 0; i < 300; i++) {
        char line[64];
        int z = i * 7 % 11;
        double base = i < 100 ? 0 : i < 200 ? 1000 : -1000;
        snprintf(line, sizeof line, "%d,%d,%.17g\n", i, z, base + 0.5 * i - 2 * z);
        cairn_text_add(&text, line);
    }
    fitted f = fit_table(*state, table_of(*state, cairn_text_string(&text), "y", NULL),
                         "tree:leaf=linear,max_leaves=3", CAIRN_REGRESS, false);
    cairn_text_clear(&text);
    assert_value(&f, "tree.leaves", 3);
    assert_near(value(&f, "training.sse"), 0, 1e-9);
    assert_near(value(&f, "leaf3.slope.x") + value(&f, "leaf4.slope.x"), 1, 1e-9);
    assert_near(value(&f, "leaf4.slope.z"), -2, 1e-9);
    drop(&f);
}

/* Columns that depend on each other, and a column that does not vary. */
static void test_linear_leaves__singular_leaves_keep_their_mean(void **state)
{
    fitted f =
        fit_numbers(*state, "a,b,y\n1,2,1\n2,4,2\n3,6,3\n4,8,4\n5,10,5\n", "tree:leaf=linear");
    assert_value(&f, "tree.leaves", 1);
    assert_value(&f, "leaf.everything", 3);
    assert_int_equal(tree_in(&f)->n_linear, 0);
    drop(&f);
    f = fit_numbers(*state, "a,b,y\n1,2,1\n2,4,2\n3,6,3\n4,8,4\n5,10,5\n",
                    "tree:leaf=linear,singular=drop");
    assert_near(value(&f, "leaf1.slope.a") + 2 * value(&f, "leaf1.slope.b"), 1, 1e-12);
    assert_near(value(&f, "training.sse"), 0, 1e-20);
    drop(&f);
    f = fit_numbers(*state, "a,b,y\n1,7,1\n2,7,2\n3,7,3\n4,7,4\n5,7,5\n", "tree:leaf=linear");
    assert_value(&f, "leaf1.slope.a", 1);
    assert_value(&f, "leaf1.slope.b", 0);
    drop(&f);
}

/* A missing cell of a regressor counts as the mean of the leaf; weights count as repeated rows. */
static void test_linear_leaves__missing_cells_and_weights(void **state)
{
    fitted f = fit_numbers(*state, "a,y\n1,1\n2,2\n3,3\n4,4\n5,5\n",
                           "tree:leaf=linear,max_depth=0,leaf_rows=5");
    cairn_table *asked = table_of(*state, "a,y\n?,0\n7,0\n", "y", "a=number");
    assert_near(answer(*state, f.model, asked, 0), 3, 1e-12);
    assert_near(answer(*state, f.model, asked, 1), 7, 1e-12);
    cairn_table_free(asked);
    drop(&f);
    cairn_table *weighted = table_of(*state, "a,w,y\n1,3,1\n2,1,4\n3,2,3\n4,1,9\n", "y", NULL);
    assert_ok(*state, cairn_table_set_role(*state, weighted, "w", CAIRN_WEIGHT));
    f = fit_table(*state, weighted, "tree:leaf=linear,leaf_rows=7", CAIRN_REGRESS, false);
    fitted g = fit_numbers(*state, "a,y\n1,1\n1,1\n1,1\n2,4\n3,3\n3,3\n4,9\n",
                           "tree:leaf=linear,leaf_rows=7");
    assert_near(value(&f, "leaf1.slope.a"), value(&g, "leaf1.slope.a"), 1e-12);
    assert_near(value(&f, "leaf1.constant"), value(&g, "leaf1.constant"), 1e-12);
    drop(&f);
    drop(&g);
}

static void test_linear_leaves__saved_and_loaded(void **state)
{
    cairn_table *table = cosine(*state, 40);
    cairn_model *model = fit_at_0(*state, table, NULL), *loaded = NULL;
    char path[] = "/tmp/cairn-test-planes-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    assert_ok(*state, cairn_model_save(*state, model, path));
    assert_ok(*state, cairn_model_load(*state, &loaded, path));
    for (size_t i = 0; i <= 40; i++)
        assert_true(answer(*state, model, table, i) == answer(*state, loaded, table, i));
    unlink(path);
    cairn_model_free(loaded);
    cairn_model_free(model);
    cairn_table_free(table);
}

static void test_linear_leaves__classes_have_none(void **state)
{
    cairn_table *table = table_of(*state, "@weather", "play", NULL);
    cairn_model *model = NULL;
    assert_int_equal(try_fit(*state, &model, table, "tree:leaf=linear", CAIRN_TASK_AUTO, NULL),
                     CAIRN_USAGE);
    cairn_table_free(table);
}

static cairn_status fit_and_show(cairn_context *ctx, void *data)
{
    static const char text[] =
        "x,z,y\n1,2,1\n2,1,2.5\n3,4,2\n4,?,4\n5,3,11\n6,1,12.5\n7,2,13\n8,5,15\n";
    cairn_table *table = NULL;
    cairn_model *model = NULL;
    cairn_params *params = NULL;
    cairn_report *report = NULL;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    char *written = NULL;
    cairn_status status;
    TRY(cairn_table_read_memory(ctx, &table, "data.csv", text, strlen(text), NULL));
    TRY(cairn_table_set_role(ctx, table, "y", CAIRN_TARGET));
    TRY(cairn_params_new(ctx, &params, data));
    TRY(cairn_report_new(ctx, &report));
    options.task = CAIRN_REGRESS;
    options.steps = report;
    TRY(cairn_model_fit(ctx, &model, params, table, &options));
    TRY(cairn_model_describe(ctx, report, model));
    TRY(cairn_report_status(report));
    TRY(cairn_model_export(ctx, model, "c", &written));
done:
    cairn_string_free(written);
    cairn_table_free(table);
    cairn_params_free(params);
    cairn_model_free(model);
    cairn_report_free(report);
    return status;
}

/* By residuals the kink of two lines is found, which the variance does not see. */
static void test_linear_leaves__searched_by_what_they_leave(void **state)
{
    cairn_table *table = cosine(*state, 200);
    fitted f = fit_table(*state, table, "tree:leaf=linear,leaf_search=residuals,max_leaves=2",
                         CAIRN_REGRESS, true);
    const cairn_tree_model *tree = tree_in(&f);
    assert_near(tree->nodes[0].cut, 0, 0.011);
    assert_near(tree->nodes[0].error - tree->nodes[1].error - tree->nodes[2].error,
                tree->nodes[0].gain * tree->nodes[0].weight, 1e-9);
    drop(&f);
    /* y = x up to 4, then 12 - 2 x; g changes nothing */
    f = fit_numbers(*state, "g,x,y\na,1,1\nb,2,2\na,3,3\nb,4,4\na,5,2\nb,6,0\na,7,-2\nb,8,-4\n",
                    "tree:leaf=linear,leaf_search=residuals");
    assert_word(&f, "node1.chosen", "x");
    assert_value(&f, "node1.cut.x", 4.5);
    assert_value(&f, "tree.leaves", 2);
    /* the line of all: mean 0.75, slope -33/42, and a cut at 4.5 leaves nothing */
    assert_value(&f, "node1.sse", 49.5 - 33.0 * 33 / 42);
    assert_value(&f, "node1.gain.x", (49.5 - 33.0 * 33 / 42) / 8);
    drop(&f);
}

/* Many regressors in a large node: not all cuts are tried, but those beside the best are. */
static void test_linear_leaves__search_of_many_columns_is_bounded(void **state)
{
    enum { ROWS = 1200, COLUMNS = 24 };
    cairn_table *table = NULL;
    double *x, *y = calloc(ROWS, sizeof *y);
    uint64_t bits = 1;
    char name[8];
    assert_non_null(x = calloc(ROWS, sizeof *x));
    assert_ok(*state, cairn_table_new(*state, &table, ROWS));
    for (int c = 0; c < COLUMNS; c++) {
        for (int i = 0; i < ROWS; i++) {
            bits = bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            x[i] = (double)(bits >> 40) / (1 << 24);
            if (c == 0) y[i] = x[i];
            if (c == 1) y[i] = x[i] <= 0.3 ? 2 * y[i] : 1 - 3 * y[i];
        }
        snprintf(name, sizeof name, "x%d", c);
        assert_ok(*state, cairn_table_add_numbers(*state, table, name, x));
    }
    assert_ok(*state, cairn_table_add_numbers(*state, table, "y", y));
    assert_ok(*state, cairn_table_set_role(*state, table, "y", CAIRN_TARGET));
    fitted f = fit_table(*state, table, "tree:leaf=linear,leaf_search=residuals,max_depth=1",
                         CAIRN_REGRESS, false);
    assert_int_equal(tree_in(&f)->nodes[0].column, 1);
    assert_near(tree_in(&f)->nodes[0].cut, 0.3, 0.01);
    assert_near(tree_in(&f)->nodes[1].error + tree_in(&f)->nodes[2].error, 0, 1e-9);
    drop(&f);
    free(x);
    free(y);
}

static void test_linear_leaves__survive_failing_allocations(void **state)
{
    static char spec[] = "tree:leaf=linear,max-leaves=2";
    (void)state;
    static char residuals[] = "tree:leaf=linear,leaf-search=residuals,max-leaves=2";
    assert_survives_allocation_failures(fit_and_show, spec);
    assert_survives_allocation_failures(fit_and_show, residuals);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_linear_leaves__a_cosine_becomes_two_lines),
        context_test(test_linear_leaves__pieces_are_found),
        context_test(test_linear_leaves__singular_leaves_keep_their_mean),
        context_test(test_linear_leaves__missing_cells_and_weights),
        context_test(test_linear_leaves__saved_and_loaded),
        context_test(test_linear_leaves__classes_have_none),
        context_test(test_linear_leaves__searched_by_what_they_leave),
        context_test(test_linear_leaves__search_of_many_columns_is_bounded),
        context_test(test_linear_leaves__survive_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
