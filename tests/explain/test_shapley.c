/* SPDX-License-Identifier: MIT */
/* Shapley values: all sets of columns as a check, sums, ways for other models. */
#include "base/memory.h"
#include "explain/shapley.h"
#include "support/fail_alloc.h"
#include "support/learn.h"

enum { ROWS = 60, COLUMNS = 5, SETS = 1 << COLUMNS };

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

/* Three columns of numbers, two of levels, a target of classes (0 = a number). */
static cairn_table *make_rows(cairn_context *ctx, size_t classes, bool missing)
{
    static const char *const levels[] = {"u", "v", "w"}, *const answers[] = {"no", "yes", "maybe"};
    static const char *const numbers[] = {"a", "b", "c"};
    double x[3][ROWS], y[ROWS];
    int32_t p[ROWS], q[ROWS], target[ROWS];
    uint32_t seed = 7;
    cairn_table *table;
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; j < 3; j++) x[j][i] = next(&seed) % 9;
        p[i] = (int32_t)(next(&seed) % 3);
        q[i] = (int32_t)(next(&seed) % 2);
        y[i] = x[0][i] * (p[i] == 1) - x[1][i] + 2 * q[i] + (next(&seed) % 100) / 50.0;
        target[i] = y[i] < -2 ? 0 : y[i] < 1 || classes < 3 ? 1 : 2;
        if (missing && i % 7 == 0) x[i % 3][i] = NAN;
        if (missing && i % 11 == 0) p[i] = -1;
    }
    assert_ok(ctx, cairn_table_new(ctx, &table, ROWS));
    for (size_t j = 0; j < 3; j++)
        assert_ok(ctx, cairn_table_add_numbers(ctx, table, numbers[j], x[j]));
    assert_ok(ctx, cairn_table_add_levels(ctx, table, "p", p, levels, 3));
    assert_ok(ctx, cairn_table_add_levels(ctx, table, "q", q, levels, 2));
    if (classes)
        assert_ok(ctx, cairn_table_add_levels(ctx, table, "y", target, answers, classes));
    else
        assert_ok(ctx, cairn_table_add_numbers(ctx, table, "y", y));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "y", CAIRN_TARGET));
    return table;
}

static cairn_model *fit(cairn_context *ctx, const cairn_table *table, const char *spec)
{
    cairn_params *params;
    cairn_model *model;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    assert_ok(ctx, cairn_params_new(ctx, &params, spec));
    assert_ok(ctx, cairn_model_fit(ctx, &model, params, table, &options));
    cairn_params_free(params);
    return model;
}

static const cairn_shapley_options usual = {.most_background = 1000, .permutations = 200};

static double weight_of(size_t size, size_t m)
{
    double weight = 1 / (double)m;
    for (size_t k = 1; k <= size; k++) weight *= (double)k / (double)(m - k);
    return weight;
}

/* Values of a game by its definition. */
static void from_sets(const double *sets, double *out)
{
    for (size_t j = 0; j < COLUMNS; j++) {
        out[j] = 0;
        for (size_t set = 0; set < SETS; set++)
            if (!(set >> j & 1))
                out[j] += weight_of((size_t)__builtin_popcountll(set), COLUMNS) *
                          (sets[set | (size_t)1 << j] - sets[set]);
    }
}

static void assert_near(double a, double b)
{
    if (!(fabs(a - b) < 1e-11)) fail_msg("%.17g is not %.17g", a, b);
}

/* -- trees by the shares of branches -- */

static void check_sets(cairn_context *ctx, const char *spec, size_t classes, bool missing)
{
    cairn_table *table = make_rows(ctx, classes, missing);
    cairn_model *model = fit(ctx, table, spec);
    cairn_shapley s;
    assert_ok(ctx, cairn_shapley_find(ctx, &s, model, table, &usual));
    assert_true(s.exact && s.trees && s.n_players == COLUMNS && s.sum.n_trees == 1);
    for (size_t i = 0; i < 9; i++) {
        double sets[8][SETS], values[COLUMNS], sums[8];
        for (size_t set = 0; set < SETS; set++) {
            uint8_t known[COLUMNS];
            for (size_t j = 0; j < COLUMNS; j++) known[j] = set >> j & 1;
            assert_ok(ctx,
                      cairn_tree_paths_game(ctx, &s.paths[0], s.cells + i * COLUMNS, known, sums));
            for (size_t c = 0; c < s.n_outputs; c++) sets[c][set] = sums[c];
        }
        for (size_t c = 0; c < s.n_outputs; c++) {
            from_sets(sets[c], values);
            for (size_t j = 0; j < COLUMNS; j++)
                assert_near(s.values[(i * s.n_outputs + c) * COLUMNS + j], values[j]);
            assert_near(s.base[c], sets[c][0]);
            assert_near(s.sums[i * s.n_outputs + c], s.answers[i * s.n_outputs + c]);
        }
    }
    cairn_shapley_clear(&s);
    cairn_model_free(model);
    cairn_table_free(table);
}

static void test_shapley__trees_are_as_all_sets_say(void **state)
{
    check_sets(*state, "tree", 2, false);
    check_sets(*state, "tree:split=binary", 3, false);
    check_sets(*state, "tree:max-depth=3", 0, false);
    check_sets(*state, "forest:trees=5", 3, false);
    check_sets(*state, "forest:trees=4,max-depth=4", 0, false);
}

static void test_shapley__missing_cells_go_as_in_the_model(void **state)
{
    check_sets(*state, "tree", 2, true);
    check_sets(*state, "tree:missing-in-model=weights", 3, true);
    check_sets(*state, "tree:missing-in-model=mode", 0, true);
    check_sets(*state, "forest:trees=5,combine=shares", 3, true);
    check_sets(*state, "forest:trees=4", 0, true);
}

/* -- against rows -- */

/* The cells of a set of columns come from row i, the others from another row. */
static double mixed_answer(cairn_context *ctx, const cairn_model *model, const cairn_table *table,
                           size_t i, size_t set)
{
    cairn_table *mixed;
    cairn_prediction p;
    cairn_match match = {0};
    uint32_t rows[ROWS];
    double sum = 0;
    for (size_t j = 0; j < ROWS; j++) rows[j] = (uint32_t)i;
    assert_ok(ctx, cairn_table_take_rows(ctx, &mixed, table, rows, ROWS));
    for (size_t c = 0; c < COLUMNS; c++)
        if (!(set >> c & 1))
            cairn_table_replace_column(mixed, c, cairn_column_hold(table->slots[c].column));
    assert_ok(ctx, cairn_model_predict_rows(ctx, &p, model, mixed, cairn_all_rows(mixed),
                                            (cairn_predict_wants){.scores = true}, &match));
    for (size_t j = 0; j < ROWS; j++)
        sum += p.numbers ? p.numbers[j] : p.scores[j * p.n_classes + 1];
    cairn_prediction_clear(&p);
    cairn_table_free(mixed);
    return sum / ROWS;
}

static void check_against(cairn_context *ctx, const char *spec, size_t classes)
{
    cairn_table *table = make_rows(ctx, classes, false);
    cairn_model *model = fit(ctx, table, spec);
    cairn_shapley_options options = usual;
    cairn_shapley s;
    options.against_rows = true;
    assert_ok(ctx, cairn_shapley_find(ctx, &s, model, table, &options));
    for (size_t i = 0; i < 4; i++) {
        double sets[SETS], values[COLUMNS];
        for (size_t set = 0; set < SETS; set++) sets[set] = mixed_answer(ctx, model, table, i, set);
        from_sets(sets, values);
        for (size_t j = 0; j < COLUMNS; j++)
            assert_near(s.values[(i * s.n_outputs + (classes ? 1 : 0)) * COLUMNS + j], values[j]);
    }
    cairn_shapley_clear(&s);
    cairn_model_free(model);
    cairn_table_free(table);
}

static void test_shapley__other_rows_are_asked_one_by_one(void **state)
{
    check_against(*state, "tree", 2);
    check_against(*state, "forest:trees=5", 3);
    check_against(*state, "forest:trees=3", 0);
}

/* -- pairs -- */

static void check_pairs(cairn_context *ctx, bool against)
{
    cairn_table *table = make_rows(ctx, 3, !against);
    cairn_model *model = fit(ctx, table, "forest:trees=5,combine=shares");
    cairn_shapley_options options = usual;
    cairn_shapley s;
    double met = 0;
    options.pairs = true;
    options.against_rows = against;
    assert_ok(ctx, cairn_shapley_find(ctx, &s, model, table, &options));
    for (size_t i = 0; i < ROWS * s.n_outputs; i++)
        for (size_t a = 0; a < COLUMNS; a++) {
            double sum = 0;
            for (size_t b = 0; b < COLUMNS; b++) {
                sum += s.pairs[(i * COLUMNS + a) * COLUMNS + b];
                if (a != b) met += fabs(s.pairs[(i * COLUMNS + a) * COLUMNS + b]);
                assert_near(s.pairs[(i * COLUMNS + a) * COLUMNS + b],
                            s.pairs[(i * COLUMNS + b) * COLUMNS + a]);
            }
            assert_near(sum, s.values[i * COLUMNS + a]);
        }
    assert_true(met > 1);
    cairn_shapley_clear(&s);
    cairn_model_free(model);
    cairn_table_free(table);
}

static void test_shapley__pairs_are_symmetric_and_add_up(void **state)
{
    check_pairs(*state, false);
    check_pairs(*state, true);
}

/* The interaction of two players is what both together add beyond each alone, on average over the
 * sets of the others. */
static void test_shapley__pairs_are_as_all_sets_say(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = make_rows(ctx, 0, false);
    cairn_model *model = fit(ctx, table, "tree:max-depth=4");
    for (int against = 0; against < 2; against++) {
        cairn_shapley_options options = usual;
        cairn_shapley s;
        options.pairs = true;
        options.against_rows = against;
        assert_ok(ctx, cairn_shapley_find(ctx, &s, model, table, &options));
        double sets[SETS], sum = 0;
        for (size_t set = 0; set < SETS; set++) {
            uint8_t known[COLUMNS];
            for (size_t j = 0; j < COLUMNS; j++) known[j] = set >> j & 1;
            assert_ok(ctx, cairn_tree_paths_game(ctx, &s.paths[0], s.cells, known, &sets[set]));
            if (against) sets[set] = mixed_answer(ctx, model, table, 0, set);
        }
        for (size_t set = 0; set < SETS; set++) /* players 0 and 3 */
            if (!(set & 9))
                sum += weight_of((size_t)__builtin_popcountll(set), COLUMNS - 1) / 2 *
                       (sets[set | 9] - sets[set | 1] - sets[set | 8] + sets[set]);
        assert_near(s.pairs[3], sum);
        assert_true(fabs(sum) > 1e-3);
        cairn_shapley_clear(&s);
    }
    cairn_model_free(model);
    cairn_table_free(table);
}

/* -- sums of columns -- */

/* Levels are indicators to the learner and one column to the reader. */
static void test_shapley__lines_are_exact_by_column_of_the_data(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = make_rows(ctx, 0, false);
    cairn_model *model = fit(ctx, table, "linear");
    cairn_shapley s;
    assert_ok(ctx, cairn_shapley_find(ctx, &s, model, table, &usual));
    assert_true(s.exact && !s.trees && s.n_players == COLUMNS && s.n_outputs == 1);
    for (size_t i = 0; i < 4; i++) {
        double sets[SETS], values[COLUMNS];
        for (size_t set = 0; set < SETS; set++) sets[set] = mixed_answer(ctx, model, table, i, set);
        from_sets(sets, values);
        for (size_t j = 0; j < COLUMNS; j++) assert_near(s.values[i * COLUMNS + j], values[j]);
        assert_near(s.sums[i], s.answers[i]);
    }
    cairn_shapley_clear(&s);
    cairn_model_free(model);
    cairn_table_free(table);
}

/* Log odds of two classes; scores about their mean of three. */
static void check_logistic(cairn_context *ctx, size_t classes)
{
    cairn_table *table = make_rows(ctx, classes, false);
    cairn_model *model = fit(ctx, table, "logistic:penalty=l2,lambda=0.1");
    cairn_shapley s;
    assert_ok(ctx, cairn_shapley_find(ctx, &s, model, table, &usual));
    assert_true(s.exact);
    assert_int_equal(s.scale, classes == 2 ? CAIRN_SUM_LOG_ODDS : CAIRN_SUM_SOFTMAX);
    for (size_t i = 0; i < ROWS; i++) {
        const double *shares = s.predictions.scores + i * classes;
        cairn_shapley_side a = cairn_shapley_side_of(&s, 0), b = cairn_shapley_side_of(&s, 1);
        double score = a.sign * s.sums[i * s.n_outputs + a.output];
        double other = classes == 2 ? 0 : b.sign * s.sums[i * s.n_outputs + b.output];
        assert_true(fabs(score - other - log(shares[0] / shares[1])) < 1e-9);
    }
    cairn_shapley_clear(&s);
    cairn_model_free(model);
    cairn_table_free(table);
}

static void test_shapley__scores_of_classes_are_log_odds(void **state)
{
    check_logistic(*state, 2);
    check_logistic(*state, 3);
}

/* -- sampled -- */

static void test_shapley__draws_are_near_and_add_up(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = make_rows(ctx, 0, false);
    cairn_model *model = fit(ctx, table, "forest:trees=5");
    cairn_shapley_options options = usual;
    cairn_shapley exact, drawn, again;
    size_t far = 0;
    options.against_rows = true;
    assert_ok(ctx, cairn_shapley_find(ctx, &exact, model, table, &options));
    options.method = CAIRN_SHAPLEY_SAMPLED;
    cairn_context_set_threads(ctx, 1);
    assert_ok(ctx, cairn_shapley_find(ctx, &drawn, model, table, &options));
    cairn_context_set_threads(ctx, 3);
    assert_ok(ctx, cairn_shapley_find(ctx, &again, model, table, &options));
    assert_true(!drawn.exact && drawn.permutations % ROWS == 0);
    for (size_t i = 0; i < ROWS * COLUMNS; i++) {
        far += fabs(drawn.values[i] - exact.values[i]) > 3 * drawn.errors[i] + 1e-9;
        assert_true(drawn.values[i] == again.values[i]);
    }
    assert_true(far < ROWS * COLUMNS / 50);
    for (size_t i = 0; i < ROWS; i++) assert_near(drawn.sums[i], drawn.answers[i]);
    cairn_shapley_clear(&exact);
    cairn_shapley_clear(&drawn);
    cairn_shapley_clear(&again);
    cairn_model_free(model);
    cairn_table_free(table);
}

static void test_shapley__any_model_can_be_asked(void **state)
{
    cairn_context *ctx = *state;
    static const char *const specs[] = {"knn:k=3", "bayes", "svm"};
    cairn_table *table = make_rows(ctx, 3, false);
    cairn_shapley_options options = usual;
    uint32_t rows[] = {3, 3};
    options.rows = rows;
    options.n_rows = 2;
    for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
        cairn_model *model = fit(ctx, table, specs[k]);
        cairn_shapley s;
        assert_ok(ctx, cairn_shapley_find(ctx, &s, model, table, &options));
        assert_true(!s.exact && s.n_rows == 2 && s.refused);
        for (size_t c = 0; c < s.n_outputs; c++) assert_near(s.sums[c], s.answers[c]);
        cairn_shapley_clear(&s);
        cairn_model_free(model);
    }
    cairn_table_free(table);
}

/* A learner that gives no scores says only which cluster: the base is the share of the background
 * that is in the row's, and values lead from there to 1. */
static void test_shapley__clusters_without_scores_are_in_or_out(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = make_rows(ctx, 0, false);
    assert_ok(ctx, cairn_table_set_role(ctx, table, "y", CAIRN_IGNORED));
    cairn_model *model = fit(ctx, table, "clustering-tree");
    cairn_shapley s;
    assert_ok(ctx, cairn_shapley_find(ctx, &s, model, table, &usual));
    assert_true(s.n_outputs > 1 && !s.predictions.scores);
    for (size_t i = 0; i < s.n_rows; i++) {
        size_t output = cairn_shapley_side_of(&s, s.predictions.codes[i]).output, same = 0;
        for (size_t j = 0; j < s.n_rows; j++)
            same += s.predictions.codes[j] == s.predictions.codes[i];
        assert_near(s.base[output], (double)same / (double)s.n_rows);
        assert_near(s.sums[i * s.n_outputs + output], 1);
    }
    cairn_shapley_clear(&s);
    cairn_model_free(model);
    cairn_table_free(table);
}

/* -- edges -- */

static void test_shapley__what_cannot_be_is_refused(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = make_rows(ctx, 3, true);
    cairn_model *knn = fit(ctx, table, "knn:k=3"),
                *votes = fit(ctx, table, "forest:trees=5,combine=votes,missing-in-model=weights");
    cairn_shapley_options options = usual;
    cairn_shapley s;
    uint32_t none;
    options.method = CAIRN_SHAPLEY_EXACT;
    assert_fails(ctx, cairn_shapley_find(ctx, &s, knn, table, &options), CAIRN_USAGE,
                 "no exact values");
    cairn_shapley_clear(&s);
    assert_fails(ctx, cairn_shapley_find(ctx, &s, votes, table, &options), CAIRN_BAD_DATA,
                 "row 8 has a missing cell");
    cairn_shapley_clear(&s);
    options.against_rows = true;
    assert_fails(ctx, cairn_shapley_find(ctx, &s, votes, table, &options), CAIRN_BAD_DATA,
                 "row 8 has a missing cell");
    cairn_shapley_clear(&s);
    options = usual;
    options.pairs = true;
    assert_fails(ctx, cairn_shapley_find(ctx, &s, knn, table, &options), CAIRN_USAGE,
                 "interaction values");
    cairn_shapley_clear(&s);
    options.pairs = false;
    options.rows = &none;
    assert_fails(ctx, cairn_shapley_find(ctx, &s, knn, table, &options), CAIRN_BAD_DATA,
                 "no rows to explain");
    cairn_shapley_clear(&s);
    cairn_model_free(knn);
    cairn_model_free(votes);
    cairn_table_free(table);
}

/* A tree that is one leaf says the same of all rows. */
static void test_shapley__a_leaf_alone_explains_nothing(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = make_rows(ctx, 2, false);
    cairn_model *model = fit(ctx, table, "tree:min-rows=1000");
    cairn_shapley_options options = usual;
    cairn_shapley s;
    uint32_t row = 5;
    options.rows = &row;
    options.n_rows = 1;
    for (int against = 0; against < 2; against++) {
        options.against_rows = against;
        assert_ok(ctx, cairn_shapley_find(ctx, &s, model, table, &options));
        for (size_t i = 0; i < 2 * COLUMNS; i++) assert_true(s.values[i] == 0);
        assert_near(s.base[0], s.answers[0]);
        cairn_shapley_clear(&s);
    }
    cairn_model_free(model);
    cairn_table_free(table);
}

static cairn_status all_ways(cairn_context *ctx, void *data)
{
    const cairn_model *const *models = data;
    for (size_t k = 0; k < 6; k++) {
        SCOPED_SCRATCH(ctx);
        SCOPED(cairn_shapley_clear) cairn_shapley s = {0};
        cairn_shapley_options options = usual;
        uint32_t rows[] = {0, 4};
        options.rows = rows;
        options.n_rows = 2;
        options.permutations = 2;
        options.most_background = 3;
        options.against_rows = k == 3;
        options.pairs = k == 4;
        options.method = k == 5 ? CAIRN_SHAPLEY_SAMPLED : CAIRN_SHAPLEY_AUTO;
        CHECK(cairn_shapley_find(ctx, &s, models[k < 3 ? k : 0], (const cairn_table *)models[3],
                                 &options));
    }
    return CAIRN_OK;
}

static void test_shapley__allocations_may_fail(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = make_rows(ctx, 2, false);
    cairn_model *tree = fit(ctx, table, "tree"), *line = fit(ctx, table, "logistic"),
                *knn = fit(ctx, table, "knn:k=2");
    const void *models[] = {tree, line, knn, table};
    assert_survives_allocation_failures(all_ways, (void *)models);
    cairn_model_free(tree);
    cairn_model_free(line);
    cairn_model_free(knn);
    cairn_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_shapley__trees_are_as_all_sets_say),
        context_test(test_shapley__missing_cells_go_as_in_the_model),
        context_test(test_shapley__other_rows_are_asked_one_by_one),
        context_test(test_shapley__pairs_are_symmetric_and_add_up),
        context_test(test_shapley__pairs_are_as_all_sets_say),
        context_test(test_shapley__lines_are_exact_by_column_of_the_data),
        context_test(test_shapley__scores_of_classes_are_log_odds),
        context_test(test_shapley__draws_are_near_and_add_up),
        context_test(test_shapley__any_model_can_be_asked),
        context_test(test_shapley__clusters_without_scores_are_in_or_out),
        context_test(test_shapley__what_cannot_be_is_refused),
        context_test(test_shapley__a_leaf_alone_explains_nothing),
        context_test(test_shapley__allocations_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
