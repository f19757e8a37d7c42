/* SPDX-License-Identifier: MIT */
/* Learners around learners: calibrated probabilities, decisions by cost and threshold. */
#include "evaluate/evaluate.h"
#include "model/model.h"
#include "support/fail_alloc.h"
#include "support/learn.h"

enum { ROWS = 600, LEVELS = 150 };

static const char *const classes[] = {"no", "yes"};

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

/* x says yes with probability x, `place` says nothing; `flipped` (may be NULL) turns classes
 * round, `signal` false makes x noise too. */
static cairn_table *noisy(cairn_context *ctx, const uint8_t *flipped, bool signal)
{
    static char names[LEVELS][8];
    const char *levels[LEVELS];
    int32_t place[ROWS], target[ROWS];
    double x[ROWS], y[ROWS];
    uint32_t seed = 11;
    for (size_t k = 0; k < LEVELS; k++) {
        snprintf(names[k], sizeof names[k], "v%zu", k);
        levels[k] = names[k];
    }
    for (size_t i = 0; i < ROWS; i++) {
        place[i] = (int32_t)(next(&seed) % LEVELS);
        x[i] = (next(&seed) % 10000) / 10000.0;
        y[i] = next(&seed) % 1000;
        double share = signal ? x[i] : 0.5;
        target[i] = (int32_t)(next(&seed) % 10000 < share * 10000) ^ (flipped && flipped[i]);
    }
    cairn_table *table;
    assert_ok(ctx, cairn_table_new(ctx, &table, ROWS));
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "x", x));
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "y", y));
    assert_ok(ctx, cairn_table_add_levels(ctx, table, "place", place, levels, LEVELS));
    assert_ok(ctx, cairn_table_add_levels(ctx, table, "answer", target, classes, 2));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "answer", CAIRN_TARGET));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "place", CAIRN_IGNORED));
    return table;
}

/* Squared error of p(yes) on held-out rows. */
static double brier(cairn_context *ctx, const cairn_table *table, const char *spec,
                    const char *around, const char *with)
{
    const char *const chain[] = {with, NULL};
    const cairn_params *wrap[] = {NULL, NULL};
    cairn_fit_options fit = CAIRN_FIT_OPTIONS_INIT;
    cairn_evaluate_how options = {.by = "cv:10", .fit = &fit};
    cairn_evaluation e;
    cairn_params *params, *wrapper = NULL;
    double sum = 0;
    if (around) assert_ok(ctx, cairn_params_new(ctx, &wrapper, around));
    wrap[0] = wrapper;
    fit.around = wrap;
    if (with) fit.with = chain;
    assert_ok(ctx, cairn_params_new(ctx, &params, spec));
    assert_ok(ctx, cairn_evaluate_learner(ctx, &e, params, table, &options));
    assert_int_equal(e.n, ROWS);
    for (size_t i = 0; i < e.n; i++) {
        double away = e.scores[2 * i + 1] - (e.actual[i] == 1);
        assert_true(fabs(e.scores[2 * i] + e.scores[2 * i + 1] - 1) < 1e-12);
        sum += away * away;
    }
    cairn_evaluation_clear(&e);
    cairn_params_free(wrapper);
    cairn_params_free(params);
    return sum / ROWS;
}

/* A tree that is grown to the end is sure of everything and wrong about a third. The best that can
 * be done here is the mean of x (1 - x), 1/6. */
static void test_calibrated__overconfident_tree_gets_better(void **state)
{
    static const char *const specs[] = {"calibrated", "calibrated:method=platt",
                                        "calibrated:method=logistic", "calibrated:method=beta",
                                        "calibrated:map=steps,laplace=yes,inner=cv:3"};
    cairn_table *table = noisy(*state, NULL, true);
    double plain = brier(*state, table, "tree:full", NULL, NULL);
    assert_true(plain > 0.27);
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        double mapped = brier(*state, table, "tree:full", specs[i], NULL);
        if (!(mapped < 0.23 && mapped > 0.16))
            fail_msg("%s: squared error %g against %g", specs[i], mapped, plain);
    }
    cairn_table_free(table);
}

/* The transform looks at the class and would give rows away that are held out inside, were it
 * fitted before the inner resampling: then the map would believe in it. */
static void test_calibrated__transforms_are_fitted_inside(void **state)
{
    const char *with = "calibrate:categorical,columns=place,missing=prior";
    cairn_table *table = noisy(*state, NULL, false);
    assert_ok(*state, cairn_table_set_role(*state, table, "x", CAIRN_IGNORED));
    assert_ok(*state, cairn_table_set_role(*state, table, "y", CAIRN_IGNORED));
    assert_ok(*state, cairn_table_set_role(*state, table, "place", CAIRN_FEATURE));
    double plain = brier(*state, table, "tree:full", NULL, with);
    double mapped = brier(*state, table, "tree:full", "calibrated:method=platt", with);
    double named = brier(*state, table, "calibrated:learner=(tree:full),method=platt", NULL, with);
    if (!(plain > 0.3)) fail_msg("squared error without calibration is only %g", plain);
    if (!(mapped < 0.265)) fail_msg("squared error with calibration is %g", mapped);
    assert_true(mapped == named);
    cairn_table_free(table);
}

/* Classes of rows that are not learned from do not change one byte. */
static void test_calibrated__outer_test_rows_are_never_seen(void **state)
{
    static const char *const specs[] = {"calibrated", "calibrated:method=beta",
                                        "cost-sensitive:threshold=tuned,cost-fn=3"};
    uint8_t flipped[ROWS] = {0};
    uint32_t train[ROWS];
    size_t n = 0;
    for (size_t i = 0; i < ROWS; i++) {
        flipped[i] = i % 4 == 1;
        if (!flipped[i]) train[n++] = (uint32_t)i;
    }
    cairn_table *tables[] = {noisy(*state, NULL, true), noisy(*state, flipped, true)};
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
        char *bytes[2];
        size_t lengths[2];
        for (size_t k = 0; k < 2; k++) {
            cairn_params *params;
            cairn_model *model;
            assert_ok(*state, cairn_params_new(*state, &params, specs[s]));
            assert_ok(*state, cairn_model_fit_rows(*state, &model, params, tables[k],
                                                   (cairn_rows){train, n, NULL}, NULL));
            assert_ok(*state, cairn_model_save_memory(*state, model, &bytes[k], &lengths[k]));
            cairn_model_free(model);
            cairn_params_free(params);
        }
        if (lengths[0] != lengths[1] || memcmp(bytes[0], bytes[1], lengths[0]))
            fail_msg("%s: the model changes with rows that are held out", specs[s]);
        cairn_string_free(bytes[0]);
        cairn_string_free(bytes[1]);
    }
    cairn_table_free(tables[0]);
    cairn_table_free(tables[1]);
}

/* -- decisions; the majority learner says 0.3 yes of everything -- */

static cairn_table *three_in_ten(cairn_context *ctx)
{
    double x[10];
    int32_t target[10];
    cairn_table *table;
    for (size_t i = 0; i < 10; i++) {
        x[i] = (double)i;
        target[i] = i < 3;
    }
    assert_ok(ctx, cairn_table_new(ctx, &table, 10));
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "x", x));
    assert_ok(ctx, cairn_table_add_levels(ctx, table, "answer", target, classes, 2));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "answer", CAIRN_TARGET));
    return table;
}

static cairn_status fit(cairn_context *ctx, cairn_model **model, const cairn_table *table,
                        const char *spec)
{
    cairn_params *params = NULL;
    *model = NULL;
    cairn_status status = cairn_params_new(ctx, &params, spec);
    if (status == CAIRN_OK) status = cairn_model_fit(ctx, model, params, table, NULL);
    cairn_params_free(params);
    return status;
}

static const char *first_answer(cairn_context *ctx, const char *spec)
{
    cairn_table *table = three_in_ten(ctx), *said;
    cairn_model *model;
    static char cell[16];
    assert_ok(ctx, fit(ctx, &model, table, spec));
    assert_ok(ctx, cairn_model_predict(ctx, &said, model, table, true));
    assert_string_equal(cairn_table_name(said, 2), "p(yes)");
    assert_true(fabs(cairn_table_numbers(said, 2)[0] - 0.3) < 1e-12);
    cairn_table_cell(said, 0, 0, cell, sizeof cell);
    cairn_table_free(said);
    cairn_model_free(model);
    cairn_table_free(table);
    return cell;
}

/* yes when 0.3 * fn >= 0.7 * fp, scores as they were. */
static void test_costs__least_expected_cost(void **state)
{
    assert_string_equal(first_answer(*state, "cost-sensitive:majority"), "no");
    assert_string_equal(first_answer(*state, "cost-sensitive:majority,cost-fn=2"), "no");
    assert_string_equal(first_answer(*state, "cost-sensitive:majority,cost-fn=3"), "yes");
    assert_string_equal(first_answer(*state, "cost-sensitive:majority,cost-fn=3,cost-fp=2"), "no");
    assert_string_equal(first_answer(*state, "cost-sensitive:majority,costs=[0,1;3,0]"), "yes");
    assert_string_equal(first_answer(*state, "cost-sensitive:majority,costs=[0,3;1,0]"), "no");
}

static void test_costs__fixed_threshold(void **state)
{
    assert_string_equal(first_answer(*state, "cost-sensitive:majority,threshold=0.3"), "yes");
    assert_string_equal(first_answer(*state, "cost-sensitive:majority,threshold=0.31"), "no");
}

static double mean_cost(cairn_context *ctx, const cairn_table *table, const char *spec, double fn)
{
    cairn_evaluate_how options = {.by = "cv:10"};
    cairn_evaluation e;
    cairn_params *params;
    double sum = 0;
    assert_ok(ctx, cairn_params_new(ctx, &params, spec));
    assert_ok(ctx, cairn_evaluate_learner(ctx, &e, params, table, &options));
    for (size_t i = 0; i < e.n; i++)
        if (e.actual[i] != e.predicted[i]) sum += e.actual[i] == 1 ? fn : 1;
    cairn_evaluation_clear(&e);
    cairn_params_free(params);
    return sum / ROWS;
}

/* A tree that is too sure of itself decides badly; honest probabilities and tuned thresholds cost
 * less on held-out rows. */
static void test_costs__wrappers_lower_the_cost(void **state)
{
    cairn_table *table = noisy(*state, NULL, true);
    double plain = mean_cost(*state, table, "tree:full", 8);
    double expected = mean_cost(*state, table, "cost-sensitive:learner=(tree:full),cost-fn=8", 8);
    double honest = mean_cost(
        *state, table, "cost-sensitive:learner=(calibrated:learner=(tree:full)),cost-fn=8", 8);
    double tuned =
        mean_cost(*state, table, "cost-sensitive:learner=(tree:full),cost-fn=8,threshold=tuned", 8);
    if (!(honest < 0.7 * plain) || !(tuned < 0.7 * plain) || !(honest <= expected))
        fail_msg("%g, expected %g, honest %g, tuned %g", plain, expected, honest, tuned);
    cairn_table_free(table);
}

/* -- specs, refusals, memory -- */

static void test_wrappers__nest_and_keep_their_settings(void **state)
{
    cairn_table *table = noisy(*state, NULL, true), *answers[2];
    cairn_model *model, *loaded;
    char *bytes;
    size_t length;
    assert_ok(*state,
              fit(*state, &model, table,
                  "cost-sensitive:learner=(calibrated:learner=(tree:max-depth=3,min-leaf=4),"
                  "method=platt),cost-fn=2"));
    assert_ok(*state, cairn_model_save_memory(*state, model, &bytes, &length));
    assert_ok(*state, cairn_model_load_memory(*state, &loaded, "m", bytes, length));
    assert_ok(*state, cairn_model_predict(*state, &answers[0], model, table, true));
    assert_ok(*state, cairn_model_predict(*state, &answers[1], loaded, table, true));
    for (size_t i = 0; i < ROWS; i++)
        assert_true(cairn_table_numbers(answers[0], 2)[i] == cairn_table_numbers(answers[1], 2)[i]);
    cairn_table_free(answers[0]);
    cairn_table_free(answers[1]);
    cairn_string_free(bytes);
    cairn_model_free(loaded);
    cairn_model_free(model);
    cairn_table_free(table);
}

static void assert_refused(cairn_context *ctx, const char *spec, const char *part)
{
    cairn_table *table = three_in_ten(ctx);
    cairn_model *model;
    if (fit(ctx, &model, table, spec) == CAIRN_OK) fail_msg("%s is accepted", spec);
    if (!strstr(cairn_message(ctx), part)) fail_msg("%s: '%s'", spec, cairn_message(ctx));
    cairn_table_free(table);
}

static void test_wrappers__refuse_what_cannot_be(void **state)
{
    assert_refused(*state, "calibrated:linear", "linear cannot predict classes");
    assert_refused(*state, "calibrated:tre", "there is no learner 'tre'");
    assert_refused(*state, "calibrated:inner=cv:11", "cv:11 needs at least 11 rows");
    assert_refused(*state, "calibrated:inner=cw", "cw");
    assert_refused(*state, "calibrated:with=nothing", "nothing");
    assert_refused(*state, "cost-sensitive:cost-fn=0,cost-fp=0", "both 0");
    assert_refused(*state, "cost-sensitive:costs=[0,1;1,0],cost-fn=2", "one or the other");
    assert_refused(*state, "cost-sensitive:costs=[0,1,1;1,0,1;1,1,0]", "2 classes");
    assert_refused(*state, "cost-sensitive:threshold=high", "number or tuned");
    assert_refused(
        *state,
        "calibrated:learner=(calibrated:learner=(calibrated:learner=(calibrated:learner=("
        "calibrated:"
        "learner=(calibrated:learner=(calibrated:learner=(calibrated:learner=(calibrated:learner=("
        "tree)))))))))",
        "deep");
}

static void test_wrappers__one_class_is_refused(void **state)
{
    static const char *const specs[] = {"calibrated", "cost-sensitive:threshold=tuned"};
    for (size_t i = 0; i < 2; i++) {
        cairn_table *table = three_in_ten(*state), *part;
        cairn_model *model;
        static const uint32_t rows[] = {3, 4, 5, 6, 7, 8, 9};
        assert_ok(*state, cairn_table_take_rows(*state, &part, table, rows, 7));
        assert_int_equal(fit(*state, &model, part, specs[i]), CAIRN_BAD_DATA);
        assert_non_null(strstr(cairn_message(*state), "one class"));
        cairn_table_free(part);
        cairn_table_free(table);
    }
}

static cairn_status whole_way(cairn_context *ctx, void *data)
{
    cairn_model *model = NULL, *loaded = NULL;
    char *bytes = NULL;
    size_t length;
    cairn_status status;
    TRY(fit(ctx, &model, data, "cost-sensitive:learner=calibrated,threshold=tuned,inner=cv:3"));
    TRY(cairn_model_save_memory(ctx, model, &bytes, &length));
    TRY(cairn_model_load_memory(ctx, &loaded, "m", bytes, length));
done:
    cairn_string_free(bytes);
    cairn_model_free(loaded);
    cairn_model_free(model);
    return status;
}

static void test_wrappers__survive_failing_allocations(void **state)
{
    cairn_table *table = three_in_ten(*state);
    assert_survives_allocation_failures(whole_way, table);
    cairn_table_free(table);
}

/* The likelihood has no slope, plateaus are those of pooled neighbours. */
static void test_calibrated__maps_are_proved(void **state)
{
    static const char *const specs[] = {
        "calibrated:learner=bayes,method=platt", "calibrated:learner=bayes,method=platt,laplace=no",
        "calibrated:learner=tree,method=beta", "calibrated:learner=tree,method=isotonic",
        "calibrated:learner=bayes,method=isotonic,laplace=no"};
    cairn_table *table = noisy(*state, NULL, true);
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        fitted f = {0};
        assert_ok(*state, learn(*state, &f.model, &f.report, table, specs[i], NULL, NULL));
        const cairn_certificate *c = &f.model->certificate;
        cairn_proof proof = i < 3 ? CAIRN_PROOF_GRADIENT : CAIRN_PROOF_CONDITIONS;
        assert_true(c->has & 1 << proof);
        assert_true(c->left[proof] <= 1e-9);
        drop(&f);
    }
    cairn_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_calibrated__maps_are_proved),
        context_test(test_calibrated__overconfident_tree_gets_better),
        context_test(test_calibrated__transforms_are_fitted_inside),
        context_test(test_calibrated__outer_test_rows_are_never_seen),
        context_test(test_costs__least_expected_cost),
        context_test(test_costs__fixed_threshold),
        context_test(test_costs__wrappers_lower_the_cost),
        context_test(test_wrappers__nest_and_keep_their_settings),
        context_test(test_wrappers__refuse_what_cannot_be),
        context_test(test_wrappers__one_class_is_refused),
        context_test(test_wrappers__survive_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
