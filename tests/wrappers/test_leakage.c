/* SPDX-License-Identifier: MIT */
/* Transforms that look at the target see training rows only, also inside cross-validation. */
#include "evaluate/evaluate.h"
#include "model/chain.h"
#include "support/unit.h"
#include <math.h>
#include <stdio.h>

enum { ROWS = 600, LEVELS = 300 };

static const char *const classes[] = {"no", "yes"};

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

/* Noise: a level column with many levels, two number columns, and classes that depend on none of
 * them. `flipped` (may be NULL) says which rows have the other class. */
static cairn_table *noise(cairn_context *ctx, const uint8_t *flipped)
{
    static char names[LEVELS][8];
    const char *levels[LEVELS];
    int32_t code[ROWS], target[ROWS];
    double x[ROWS], y[ROWS];
    uint32_t seed = 7;
    for (size_t k = 0; k < LEVELS; k++) {
        snprintf(names[k], sizeof names[k], "v%zu", k);
        levels[k] = names[k];
    }
    for (size_t i = 0; i < ROWS; i++) {
        code[i] = (int32_t)(next(&seed) % LEVELS);
        x[i] = next(&seed) % 1000;
        y[i] = next(&seed) % 17;
        target[i] = (int32_t)(next(&seed) % 1000 < 500) ^ (flipped && flipped[i]);
    }
    cairn_table *table;
    assert_ok(ctx, cairn_table_new(ctx, &table, ROWS));
    assert_ok(ctx, cairn_table_add_levels(ctx, table, "place", code, levels, LEVELS));
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "x", x));
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "y", y));
    assert_ok(ctx, cairn_table_add_levels(ctx, table, "answer", target, classes, 2));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "answer", CAIRN_TARGET));
    return table;
}

/* Cross-validated accuracy of a tree of depth 1. */
static double accuracy(cairn_context *ctx, const cairn_table *table, const char *with)
{
    const char *const chain[] = {with, NULL};
    cairn_fit_options fit = CAIRN_FIT_OPTIONS_INIT;
    cairn_evaluate_how options = {.by = "cv:10", .fit = &fit};
    cairn_evaluation e;
    cairn_params *params;
    double right = 0;
    if (with) fit.with = chain;
    assert_ok(ctx, cairn_params_new(ctx, &params, "tree:max-depth=1"));
    assert_ok(ctx, cairn_evaluate_learner(ctx, &e, params, table, &options));
    assert_int_equal(e.n, ROWS);
    for (size_t i = 0; i < e.n; i++) right += e.actual[i] == e.predicted[i];
    right /= (double)e.n;
    cairn_evaluation_clear(&e);
    cairn_params_free(params);
    return right;
}

/* The same transform on all rows before the evaluation: what must not be done. */
static double accuracy_after(cairn_context *ctx, const cairn_table *table, const char *with)
{
    const char *const chain[] = {with, NULL};
    cairn_fit_options fit = CAIRN_FIT_OPTIONS_INIT;
    cairn_model *recipe;
    cairn_table *made;
    fit.with = chain;
    assert_ok(ctx, cairn_recipe_fit(ctx, &recipe, &made, table, &fit));
    double right = accuracy(ctx, made, NULL);
    cairn_table_free(made);
    cairn_model_free(recipe);
    return right;
}

static void test_leakage__calibration_on_noise_stays_at_chance(void **state)
{
    const char *with = "calibrate:categorical,columns=place,missing=prior";
    cairn_table *table = noise(*state, NULL);
    double inside = accuracy(*state, table, with);
    double before = accuracy_after(*state, table, with);
    if (!(fabs(inside - 0.5) < 0.07)) fail_msg("accuracy inside the folds is %g", inside);
    if (!(before > 0.65)) fail_msg("accuracy after seeing all rows is only %g", before);
    cairn_table_free(table);
}

static void test_leakage__discretising_noise_stays_at_chance(void **state)
{
    /* a branch for every bin: cut like numbers, the bins would leak less */
    const char *with = "recode:to=categorical,columns=x,settings=(bins=200)";
    cairn_table *table = noise(*state, NULL);
    assert_ok(*state, cairn_table_set_role(*state, table, "place", CAIRN_IGNORED));
    assert_ok(*state, cairn_table_set_role(*state, table, "y", CAIRN_IGNORED));
    double inside = accuracy(*state, table, with);
    double before = accuracy_after(*state, table, with);
    if (!(fabs(inside - 0.5) < 0.07)) fail_msg("accuracy inside the folds is %g", inside);
    if (!(before > 0.62)) fail_msg("accuracy after seeing all rows is only %g", before);
    cairn_table_free(table);
}

/* The classes of rows that are held out do not change one byte of the fold's model. */
static void test_leakage__held_out_classes_change_nothing(void **state)
{
    static const char *const specs[] = {"bins:4,method=frequency",
                                        "discretise:alpha=1",
                                        "merge:bins=5",
                                        "merge:monotone",
                                        "threshold",
                                        "calibrate:missing=prior",
                                        "calibrate:isotonic",
                                        "select:learner=tree:max-depth=2,by=cv:3"};
    uint8_t flipped[ROWS] = {0};
    uint32_t train[ROWS];
    size_t n = 0;
    for (size_t i = 0; i < ROWS; i++) {
        flipped[i] = i % 5 == 2;
        if (!flipped[i]) train[n++] = (uint32_t)i;
    }
    cairn_table *tables[] = {noise(*state, NULL), noise(*state, flipped)};
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
        const char *const with[] = {specs[s], NULL};
        char *bytes[2];
        size_t lengths[2];
        for (size_t k = 0; k < 2; k++) {
            cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
            cairn_params *params;
            cairn_model *model;
            options.with = with;
            assert_ok(*state, cairn_params_new(*state, &params, "tree:max-depth=3"));
            assert_ok(*state, cairn_model_fit_rows(*state, &model, params, tables[k],
                                                   (cairn_rows){train, n, NULL}, &options));
            assert_ok(*state, cairn_model_save_memory(*state, model, &bytes[k], &lengths[k]));
            cairn_model_free(model);
            cairn_params_free(params);
        }
        if (lengths[0] != lengths[1] || memcmp(bytes[0], bytes[1], lengths[0]))
            fail_msg("%s: the model changes with classes of rows that are held out", specs[s]);
        cairn_string_free(bytes[0]);
        cairn_string_free(bytes[1]);
    }
    cairn_table_free(tables[0]);
    cairn_table_free(tables[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_leakage__calibration_on_noise_stays_at_chance),
        context_test(test_leakage__discretising_noise_stays_at_chance),
        context_test(test_leakage__held_out_classes_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
