/* SPDX-License-Identifier: MIT */
/* k nearest neighbours: votes, ties, weights, local lines, odd requests. */
#include "support/fail_alloc.h"
#include "support/learn.h"
#include "data/bag.h"
#include "data/table.h"

static const double eight[] = {1, 1, 2, 1, 1, 3, 3, 3, 4, 2, 5, 4, 4, 5, 2, 4};
static const int32_t classes[] = {0, 0, 0, 1, 1, 1, 1, 0};
static const char *const names[] = {"A", "B"};

static cairn_table *two_classes(cairn_context *ctx)
{
    cairn_table *table;
    assert_ok(ctx, table_of(ctx, &table, "x1 x2", eight, 8, 2));
    assert_ok(ctx, cairn_table_add_levels(ctx, table, "class", classes, names, 2));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "class", CAIRN_TARGET));
    return table;
}

/* Fit with steps; the report has them and the description. */
static cairn_status fit(cairn_context *ctx, cairn_model **model, cairn_report **report,
                        const cairn_table *table, const char *spec)
{
    cairn_params *params = NULL;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_status status;
    *model = NULL;
    *report = NULL;
    TRY(cairn_params_new(ctx, &params, spec));
    TRY(cairn_report_new(ctx, report));
    options.steps = *report;
    options.with = own_units;
    TRY(cairn_model_fit(ctx, model, params, table, &options));
    TRY(cairn_model_describe(ctx, *report, *model));
done:
    cairn_params_free(params);
    if (status) {
        cairn_model_free(*model);
        cairn_report_free(*report);
    }
    return status;
}

static void assert_word(const cairn_report *report, const char *name, const char *wanted)
{
    const char *word = cairn_report_string(report, name);
    if (!word) fail_msg("there is no value %s", name);
    assert_string_equal(word, wanted);
}

static void test_knn__shares_and_classes(void **state)
{
    cairn_context *ctx = *state;
    static const double share[] = {0, 1.0 / 3, 0.6, 4.0 / 7};
    static const char *const class[] = {"B", "B", "A", "A"};
    cairn_table *table = two_classes(ctx);
    for (size_t i = 0; i < 4; i++) {
        cairn_model *model;
        cairn_report *report;
        char spec[80];
        snprintf(spec, sizeof spec, "knn:k=%zu,query=\"2.8,2.6\"", 2 * i + 1);
        assert_ok(ctx, fit(ctx, &model, &report, table, spec));
        assert_value(report, "query1.share.A", share[i], 1e-12);
        assert_value(report, "query1.rank1.row", 4, 0);
        assert_value(report, "query1.squared.4", 0.2, 1e-12);
        assert_word(report, "query1.class", class[i]);
        cairn_model_free(model);
        cairn_report_free(report);
    }
    cairn_table_free(table);
}

/* One neighbour of each class at the same distance, and farther ones. */
static void test_knn__ties_by_rule(void **state)
{
    cairn_context *ctx = *state;
    static const double x[] = {-1, 1, 1.5, -3, 4, -5};
    static const int32_t codes[] = {1, 0, 0, 1, 2, 2};
    static const char *const three[] = {"a", "b", "c"};
    static const struct {
        const char *spec, *class;
        double tied;
    } wanted[] = {
        {"knn:k=2,query=0", "b", 2},                 /* rows 1 and 2 are as near: the first row */
        {"knn:k=2,query=0,tie=first", "a", 2},       /* the first class */
        {"knn:k=4,query=0.1,tie=smaller-k", "a", 2}, /* three neighbours: a a b */
        {"knn:k=4,query=0.1", "a", 2},
        {"knn:k=6,query=0,tie=first", "a", 3},
        {"knn:k=6,query=-4,tie=first", "a", 3},
        {"knn:k=6,query=-4.2", "c", 3},
        {"knn:k=6,query=-4.2,tie=smaller-k", "b", 3}, /* five neighbours: c b b a a, four: b b */
    };
    cairn_table *table;
    assert_ok(ctx, table_of(ctx, &table, "x", x, 6, 1));
    assert_ok(ctx, cairn_table_add_levels(ctx, table, "class", codes, three, 3));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "class", CAIRN_TARGET));
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        cairn_model *model;
        cairn_report *report;
        assert_ok(ctx, fit(ctx, &model, &report, table, wanted[i].spec));
        if (strcmp(cairn_report_string(report, "query1.class"), wanted[i].class))
            fail_msg("%s gives %s", wanted[i].spec, cairn_report_string(report, "query1.class"));
        assert_value(report, "query1.tied", wanted[i].tied, 0);
        cairn_model_free(model);
        cairn_report_free(report);
    }
    cairn_table_free(table);
}

static void test_knn__distance_weights(void **state)
{
    cairn_context *ctx = *state;
    static const struct {
        const char *spec;
        double share; /* of A */
    } wanted[] = {
        /* distances of 4, 5, 8: 0.4472135955, 1.3416407865, 1.6124515497 */
        {"knn:k=3,query=\"2.8,2.6\",weights=inverse", 0.17223878987785},
        {"knn:k=3,query=\"2.8,2.6\",weights=inverse-square",
         1 / 2.6 / (1 / 0.2 + 1 / 1.8 + 1 / 2.6)},
        {"knn:k=3,query=\"3,3\",weights=inverse", 0}, /* at distance 0 alone */
        /* triangle to the farthest, which itself has no weight */
        {"knn:k=3,query=\"2.8,2.6\",weights=kernel,window=triangle", 0},
        {"knn:k=3,query=\"2.8,2.6\",weights=kernel,window=gaussian,width=1", 0.19447391},
        /* beyond the width nobody counts: all the same */
        {"knn:k=3,query=\"2.8,2.6\",weights=kernel,window=tricube,width=0.1", 1.0 / 3},
    };
    cairn_table *table = two_classes(ctx);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        cairn_model *model;
        cairn_report *report;
        double share = wanted[i].share;
        if (i == 0) share = 1 / sqrt(2.6) / (1 / sqrt(0.2) + 1 / sqrt(1.8) + 1 / sqrt(2.6));
        if (i == 4) share = exp(-1.3) / (exp(-0.1) + exp(-0.9) + exp(-1.3));
        assert_ok(ctx, fit(ctx, &model, &report, table, wanted[i].spec));
        assert_value(report, "query1.share.A", share, 1e-12);
        cairn_model_free(model);
        cairn_report_free(report);
    }
    cairn_table_free(table);
}

static const double squares[] = {0, 0.1,  1, 0.9,  2, 4.2,  3, 8.8,
                                 4, 16.3, 5, 24.8, 6, 36.1, 7, 49.2};

static void test_knn__local_lines(void **state)
{
    cairn_context *ctx = *state;
    static const struct {
        const char *spec;
        double constant, slope, value;
    } wanted[] = {
        {"knn:k=2,local=line,query=3.4", -13.7, 7.5, 11.8},
        {"knn:k=3,local=line,query=3.4", -8.383333333333345, 6.05, 12.186666666666666},
        {"knn:k=4,local=line,query=3.4", -10.73, 6.93, 12.832},
        {"knn:k=1,local=line,query=3.4", 8.8, 0, 8.8}, /* one point: flat */
    };
    cairn_table *table;
    assert_ok(ctx, table_of(ctx, &table, "x t", squares, 8, 2));
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        cairn_model *model;
        cairn_report *report;
        assert_ok(ctx, learn(ctx, &model, &report, table, wanted[i].spec, "t", NULL));
        assert_value(report, "query1.w.constant", wanted[i].constant, 1e-9);
        assert_value(report, "query1.w.x", wanted[i].slope, 1e-9);
        assert_value(report, "query1.value", wanted[i].value, 1e-9);
        cairn_model_free(model);
        cairn_report_free(report);
    }
    cairn_table_free(table);
}

/* A polynomial of degree 2 goes through three points; the mean does not. */
static void test_knn__local_powers_and_mean(void **state)
{
    cairn_context *ctx = *state;
    static const double parabola[] = {0, 1, 1, 2, 2, 5, 3, 10, 4, 17};
    cairn_table *table;
    cairn_model *model;
    cairn_report *report;
    assert_ok(ctx, table_of(ctx, &table, "x t", parabola, 5, 2));
    assert_ok(ctx, learn(ctx, &model, &report, table,
                         "knn:k=4,local=powers,degree=2,weights=kernel,query=1.2", "t", NULL));
    assert_value(report, "query1.value", 2.44, 1e-9);
    assert_value(report, "query1.term.x.2", 1, 1e-9);
    cairn_model_free(model);
    cairn_report_free(report);
    assert_ok(ctx, learn(ctx, &model, &report, table, "knn:k=2,query=1.2", "t", NULL));
    assert_value(report, "query1.value", 3.5, 1e-12);
    cairn_model_free(model);
    cairn_report_free(report);
    cairn_table_free(table);
}

/* k = 1 repeats the training rows, k = n gives the shares of all. */
static void test_knn__one_and_all(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = two_classes(ctx), *answer;
    cairn_model *model;
    cairn_report *report;
    assert_ok(ctx, fit(ctx, &model, &report, table, "knn:k=1"));
    assert_ok(ctx, cairn_model_predict(ctx, &answer, model, table, true));
    for (size_t i = 0; i < 8; i++) assert_int_equal(answer->slots[0].column->codes[i], classes[i]);
    assert_value(report, "k1.accuracy", 1, 0);
    cairn_table_free(answer);
    cairn_model_free(model);
    cairn_report_free(report);
    assert_ok(ctx, fit(ctx, &model, &report, table, "knn:k=8"));
    assert_ok(ctx, cairn_model_predict(ctx, &answer, model, table, true));
    for (size_t i = 0; i < 8; i++) assert_true(cairn_table_numbers(answer, 1)[i] == 0.5);
    cairn_table_free(answer);
    cairn_model_free(model);
    cairn_report_free(report);
    assert_fails(ctx, fit(ctx, &model, &report, table, "knn:k=9"), CAIRN_BAD_DATA,
                 "'k' must be at most 8 here");
    cairn_table_free(table);
}

static void test_knn__neighbour_lists(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = two_classes(ctx), *answer, *asked;
    cairn_model *model;
    cairn_report *report;
    char cell[60];
    static const double query[] = {2.8, 2.6};
    assert_ok(ctx, table_of(ctx, &asked, "x1 x2", query, 1, 2));
    assert_ok(ctx, fit(ctx, &model, &report, table, "knn:k=3"));
    assert_ok(ctx, cairn_model_predict(ctx, &answer, model, asked, false));
    ptrdiff_t at = cairn_table_find(answer, "neighbours");
    assert_true(at > 0);
    cairn_table_cell(answer, (size_t)at, 0, cell, sizeof cell);
    assert_string_equal(cell, "4 5 8");
    cairn_table_cell(answer, (size_t)at + 1, 0, cell, sizeof cell);
    assert_string_equal(cell, "0.447214 1.34164 1.61245");
    cairn_table_free(answer);
    cairn_table_free(asked);
    cairn_model_free(model);
    cairn_report_free(report);
    cairn_table_free(table);
}

/* Words by their letters; new words too. */
static void test_knn__texts(void **state)
{
    cairn_context *ctx = *state;
    static const char *const words[] = {"kitten", "mitten", "sitting", "house", "mouse", "hause"};
    static const char *const asked_words[] = {"bitten", "häuse", NULL};
    static const int32_t codes[] = {0, 0, 0, 1, 1, 1};
    static const char *const kinds[] = {"cat", "home"};
    cairn_table *table, *asked, *answer;
    cairn_model *model;
    cairn_report *report;
    assert_ok(ctx, cairn_table_new(ctx, &table, 6));
    assert_ok(ctx, cairn_table_add_texts(ctx, table, "word", words));
    assert_ok(ctx, cairn_table_add_levels(ctx, table, "kind", codes, kinds, 2));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "kind", CAIRN_TARGET));
    assert_ok(ctx, fit(ctx, &model, &report, table, "knn:k=2,distance=edit,query=bitten"));
    assert_value(report, "query1.distance.1", 1, 0);
    assert_value(report, "query1.distance.3", 3, 0);
    assert_word(report, "query1.class", "cat");
    assert_ok(ctx, cairn_table_new(ctx, &asked, 3));
    assert_ok(ctx, cairn_table_add_texts(ctx, asked, "word", asked_words));
    assert_ok(ctx, cairn_model_predict(ctx, &answer, model, asked, false));
    assert_int_equal(answer->slots[0].column->codes[0], 0);
    assert_int_equal(answer->slots[0].column->codes[1], 1);
    assert_true(answer->slots[0].column->codes[2] >= 0);
    cairn_table_free(answer);
    cairn_table_free(asked);
    cairn_model_free(model);
    cairn_report_free(report);
    assert_fails(ctx, fit(ctx, &model, &report, table, "knn:k=2"), CAIRN_BAD_DATA, "text");
    cairn_table_free(table);
}

/* A matrix of distances: the same answers as from the points. */
static void test_knn__given_distances(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *points = two_classes(ctx), *table, *a, *b;
    cairn_model *from_points, *from_distances, *loaded;
    cairn_report *report;
    char *bytes;
    size_t length;
    assert_ok(ctx, cairn_table_new(ctx, &table, 8));
    for (size_t j = 0; j < 8; j++) {
        double d[8];
        char name[8];
        for (size_t i = 0; i < 8; i++)
            d[i] = hypot(eight[2 * i] - eight[2 * j], eight[2 * i + 1] - eight[2 * j + 1]);
        snprintf(name, sizeof name, "d%zu", j + 1);
        assert_ok(ctx, cairn_table_add_numbers(ctx, table, name, d));
    }
    assert_ok(ctx, cairn_table_add_levels(ctx, table, "class", classes, names, 2));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "class", CAIRN_TARGET));
    assert_ok(ctx, cairn_table_as(ctx, &table, "distances"));
    assert_ok(ctx, fit(ctx, &from_points, &report, points, "knn:k=3"));
    cairn_report_free(report);
    assert_ok(ctx, fit(ctx, &from_distances, &report, table, "knn:k=3"));
    assert_word(report, "distance", "given");
    assert_ok(ctx, cairn_model_save_memory(ctx, from_distances, &bytes, &length));
    assert_ok(ctx, cairn_model_load_memory(ctx, &loaded, "m", bytes, length));
    assert_ok(ctx, cairn_model_predict(ctx, &a, from_points, points, true));
    assert_ok(ctx, cairn_model_predict(ctx, &b, loaded, table, true));
    for (size_t i = 0; i < 8; i++)
        assert_true(cairn_table_numbers(a, 1)[i] == cairn_table_numbers(b, 1)[i]);
    cairn_string_free(bytes);
    cairn_table_free(a);
    cairn_table_free(b);
    cairn_model_free(from_points);
    cairn_model_free(from_distances);
    cairn_model_free(loaded);
    cairn_report_free(report);
    cairn_table_free(table);
    cairn_table_free(points);
}

/* Rows of items with amounts, beside a number column. */
static cairn_table *bags(cairn_context *ctx)
{
    static const struct {
        const char *item;
        double amount;
    } cells[5][3] = {{{"cat", 2}, {"mat", 1}},
                     {{"cat", 1}, {"dog", 1}},
                     {{"stock", 3}, {"market", 1}},
                     {{"market", 2}, {"stock", 1}, {"cat", 1}},
                     {{0}}};
    static const double x[] = {0, 1, 0, 0, 2};
    static const int32_t codes[] = {0, 0, 1, 1, 0};
    cairn_bag_builder builder = {0};
    cairn_column *column;
    cairn_table *table;
    for (size_t i = 0; i < 5; i++) {
        assert_ok(ctx, cairn_bag_begin_row(ctx, &builder));
        for (size_t j = 0; j < 3 && cells[i][j].item; j++)
            assert_ok(ctx, cairn_bag_add(ctx, &builder, cells[i][j].item, strlen(cells[i][j].item),
                                         cells[i][j].amount));
    }
    assert_ok(ctx, cairn_bag_finish(ctx, &column, &builder));
    assert_ok(ctx, cairn_table_new(ctx, &table, 5));
    assert_ok(ctx, cairn_table_add_column(ctx, table, "words", CAIRN_FEATURE, column));
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "x", x));
    assert_ok(ctx, cairn_table_add_levels(ctx, table, "class", codes, names, 2));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "class", CAIRN_TARGET));
    return table;
}

/* Row 1 is (cat 2, mat 1), row 2 (cat 1, dog 1, x 1). */
static void test_knn__bags(void **state)
{
    cairn_context *ctx = *state;
    static const struct {
        const char *spec;
        double second, fourth; /* distances of rows 2 and 4 from row 1 */
    } wanted[] = {
        {"knn:k=2,distance=euclidean", 2, 2.6457513110645907},
        {"knn:k=2,distance=squared", 4, 7},
        {"knn:k=2,distance=cosine", 1 - 2 / 3.872983346207417, 1 - 2 / 5.477225575051661},
        {"knn:k=2,distance=jaccard", 0.75, 0.75},
        {"knn:k=2,distance=\"kernel:poly:degree=2\"", 5.0990195135927845, 7.280109889280518},
        {"knn:k=2,distance=\"kernel:rbf:gamma=0.25\"", 1.124384, 1.2856},
    };
    cairn_table *table = bags(ctx);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        cairn_model *model;
        cairn_report *report;
        double second = wanted[i].second, fourth = wanted[i].fourth;
        if (i == 5) second = sqrt(2 - 2 * exp(-1)), fourth = sqrt(2 - 2 * exp(-7 / 4.0));
        assert_ok(ctx, fit(ctx, &model, &report, table, wanted[i].spec));
        assert_value(report, "row1.distance.2", second, 1e-12);
        assert_value(report, "row1.distance.4", fourth, 1e-12);
        assert_word(report, "search", "brute force over the items of bags");
        cairn_model_free(model);
        cairn_report_free(report);
    }
    cairn_table_free(table);
}

static void test_knn__row_weights(void **state)
{
    cairn_context *ctx = *state;
    static const double rows[] = {0, 1, 1, 1, 3, 2, 2, 0, 9, 9, 1, 7};
    cairn_table *table;
    cairn_model *model;
    cairn_report *report;
    assert_ok(ctx, table_of(ctx, &table, "x w t", rows, 4, 3));
    assert_ok(ctx, learn(ctx, &model, &report, table, "knn:k=2,query=0.4", "t", "w"));
    assert_value(report, "query1.value", (1 * 1 + 3 * 2) / 4.0, 1e-12);
    cairn_model_free(model);
    cairn_report_free(report);
    /* the row of weight 0 is no neighbour: three rows are left */
    assert_fails(ctx, learn(ctx, &model, &report, table, "knn:k=4", "t", "w"), CAIRN_BAD_DATA,
                 "at most 3");
    cairn_table_free(table);
}

static void test_knn__refusals(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = two_classes(ctx);
    cairn_model *model;
    cairn_report *report;
    assert_fails(ctx, fit(ctx, &model, &report, table, "knn:distance=euclid"), CAIRN_USAGE,
                 "did you mean 'euclidean'?");
    assert_fails(ctx, fit(ctx, &model, &report, table, "knn:k=2,local=line"), CAIRN_USAGE,
                 "'local' fits numbers");
    assert_fails(ctx, fit(ctx, &model, &report, table, "knn:k=2,query=1"), CAIRN_BAD_DATA,
                 "has 1 value, but there are 2 columns: x1, x2");
    assert_fails(ctx, fit(ctx, &model, &report, table, "knn:k=2,query=\"1,z\""), CAIRN_BAD_DATA,
                 "'z' is no number for column 'x2'");
    assert_fails(
        ctx, fit(ctx, &model, &report, table, "knn:k=2,distance=\"kernel:rbf:sigma=1,gamma=2\""),
        CAIRN_USAGE, "one width");
    assert_fails(
        ctx, fit(ctx, &model, &report, table, "knn:k=2,distance=\"mahalanobis:matrix=[1,2;2,1]\""),
        CAIRN_BAD_DATA, "not positive definite");
    cairn_table_free(table);
}

/* Numbers so large that a distance would overflow are refused, in training and in queries; what can
 * be computed is. */
static void test_knn__huge_and_tiny_numbers(void **state)
{
    static const char *const refused[] = {
        "euclidean",  "squared", "kernel:linear", "kernel:rbf", "mahalanobis:matrix=[1]",
        "kernel:poly"};
    static const char *const taken[] = {"manhattan",      "chebyshev", "minkowski:p=3",
                                        "minkowski:p=90", "gower",     "canberra"};
    static const double rows[] = {1e299, 10, -1e299, 20, 3e299, 60, 4, 70};
    static const double small[] = {1e-200, 10, 2e-200, 20, 4e-200, 60};
    static const double plain[] = {1, 10, 2, 20, 4, 60}, far[] = {1, 0, 1e200, 0};
    cairn_context *ctx = *state;
    cairn_table *table, *asked, *answer;
    cairn_model *model;
    cairn_report *report;
    char spec[120];
    assert_ok(ctx, table_of(ctx, &table, "x t", rows, 4, 2));
    for (size_t i = 0; i < 6; i++) {
        snprintf(spec, sizeof spec, "knn:k=2,distance=\"%s\"", refused[i]);
        assert_fails(ctx, learn(ctx, &model, &report, table, spec, "t", NULL), CAIRN_BAD_DATA,
                     "column 'x', row 1: 1e+299 is too large for the");
        snprintf(spec, sizeof spec, "knn:k=1,distance=%s,query=2.5e299", taken[i]);
        assert_ok(ctx, learn(ctx, &model, &report, table, spec, "t", NULL));
        assert_value(report, "query1.value", 60, 0);
        if (i < 4) assert_value(report, "query1.distance.3", 5e298, 1e285);
        cairn_model_free(model);
        cairn_report_free(report);
    }
    cairn_table_free(table);
    assert_ok(ctx, table_of(ctx, &table, "x t", small, 3, 2));
    assert_fails(ctx, learn(ctx, &model, &report, table, "knn:k=1", "t", NULL), CAIRN_BAD_DATA,
                 "column 'x': no number is larger than 4e-200");
    cairn_table_free(table);
    assert_ok(ctx, table_of(ctx, &table, "x t", plain, 3, 2));
    assert_ok(ctx, table_of(ctx, &asked, "x t", far, 2, 2));
    assert_ok(ctx, learn(ctx, &model, &report, table, "knn:k=1", "t", NULL));
    assert_fails(ctx, cairn_model_predict(ctx, &answer, model, asked, false), CAIRN_BAD_DATA,
                 "column 'x', row 2: 1e+200 is too large for the euclidean distance");
    cairn_model_free(model);
    cairn_report_free(report);
    cairn_table_free(asked);
    cairn_table_free(table);
}

/* A power that no number has room for, and one that must not be taken of whole differences. */
static void test_knn__powers_beyond_numbers(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = two_classes(ctx);
    cairn_model *model;
    cairn_report *report;
    assert_ok(ctx, fit(ctx, &model, &report, table,
                       "knn:k=1,distance=minkowski:p=2000,query=\"3000,9\""));
    assert_value(report, "query1.distance.6", 2995, 1e-6); /* 2995^2000 is no number */
    cairn_model_free(model);
    cairn_report_free(report);
    assert_fails(ctx, fit(ctx, &model, &report, table, "knn:k=1,distance=minkowski:p=0.001"),
                 CAIRN_BAD_DATA, "at least 0.0021");
    cairn_table_free(table);
}

/* Weights of near neighbours are large, their sums must not be infinite. */
static void test_knn__weights_of_very_near_rows(void **state)
{
    static const double rows[] = {0, 10, 1e-149, 20, 2e-149, 60, 1, 7};
    cairn_context *ctx = *state;
    cairn_table *table;
    cairn_model *model;
    cairn_report *report;
    assert_ok(ctx, table_of(ctx, &table, "x t", rows, 4, 2));
    assert_ok(ctx,
              learn(ctx, &model, &report, table,
                    "knn:k=3,weights=inverse-square,distance=manhattan,query=-1e-149", "t", NULL));
    assert_value(report, "query1.value", (10 + 20.0 / 4 + 60.0 / 9) / (1 + 0.25 + 1.0 / 9), 1e-9);
    cairn_model_free(model);
    cairn_report_free(report);
    cairn_table_free(table);
}

/* A local line where a cell is missing is the mean. */
static void test_knn__local_line_without_a_cell(void **state)
{
    static const double rows[] = {1, 2, 3, 2, NAN, 4, 3, 4, 5, NAN, 5, 6, 5, 6, 8};
    cairn_context *ctx = *state;
    cairn_table *table, *answer;
    cairn_model *model;
    cairn_report *report;
    assert_ok(ctx, table_of(ctx, &table, "x y t", rows, 5, 3));
    assert_ok(ctx,
              learn(ctx, &model, &report, table, "knn:k=3,distance=gower,local=line", "t", NULL));
    assert_ok(ctx, cairn_model_predict(ctx, &answer, model, table, false));
    assert_true(fabs(cairn_table_numbers(answer, 0)[0] - 4) < 1e-12);
    assert_true(fabs(cairn_table_numbers(answer, 0)[4] - 19.0 / 3) < 1e-12);
    cairn_table_free(answer);
    cairn_model_free(model);
    cairn_report_free(report);
    cairn_table_free(table);
}

/* The steps name rows that are as near as the last neighbour, and the sums of a local line. */
static void test_knn__steps_of_ties_and_lines(void **state)
{
    static const double line[] = {2, 4.2, 3, 8.8, 4, 16.3, 9, 0};
    static const char *const left[] = {"ab", "ac", "xy"}, *const right[] = {"p", "q", "q"};
    static const int32_t codes[] = {0, 1, 1};
    cairn_context *ctx = *state;
    cairn_table *table = two_classes(ctx);
    cairn_model *model;
    cairn_report *report;
    assert_ok(ctx, fit(ctx, &model, &report, table, "knn:k=4,query=\"1,2\""));
    assert_value(report, "query1.equals", 1, 0); /* rows 4 and 8 */
    cairn_model_free(model);
    cairn_report_free(report);
    cairn_table_free(table);
    assert_ok(ctx, table_of(ctx, &table, "x t", line, 4, 2));
    assert_ok(ctx, learn(ctx, &model, &report, table, "knn:k=3,local=line,query=3.4", "t", NULL));
    assert_value(report, "query1.sum.products", 12.1, 1e-9);
    assert_value(report, "query1.sum.squares", 2, 1e-9);
    assert_value(report, "query1.w.x", 6.05, 1e-9);
    cairn_model_free(model);
    cairn_report_free(report);
    cairn_table_free(table);
    assert_ok(ctx, cairn_table_new(ctx, &table, 3));
    assert_ok(ctx, cairn_table_add_texts(ctx, table, "left", left));
    assert_ok(ctx, cairn_table_add_texts(ctx, table, "right", right));
    assert_ok(ctx, cairn_table_add_levels(ctx, table, "class", codes, names, 2));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "class", CAIRN_TARGET));
    assert_ok(ctx, fit(ctx, &model, &report, table, "knn:k=1,distance=edit"));
    assert_value(report, "row3.distance.2", 2, 0);
    cairn_model_free(model);
    cairn_report_free(report);
    cairn_table_free(table);
}

/* Rows that differ in every cell: all distances are the same, and it is said. */
static void test_knn__all_distances_equal(void **state)
{
    static const double rows[] = {1, 5, 0, 2, 6, 1, 3, 7, 0, 4, 8, 1};
    cairn_context *ctx = *state;
    cairn_table *table;
    cairn_model *model;
    cairn_report *report;
    double deviation = 1;
    assert_ok(ctx, table_of(ctx, &table, "a b t", rows, 4, 3));
    assert_ok(ctx, learn(ctx, &model, &report, table, "knn:k=2,distance=hamming", "t", NULL));
    assert_value(report, "distances.mean", 2, 0);
    assert_true(cairn_report_number(report, "distances.deviation", &deviation) && deviation == 0);
    assert_value(report, "row1.equals", 1, 0);
    assert_value(report, "row1.value", 0.5, 0); /* rows 2 and 3 */
    cairn_model_free(model);
    cairn_report_free(report);
    cairn_table_free(table);
}

/* Many columns of noise: all rows are about equally far apart, and that is said. */
static void test_knn__distances_that_hardly_differ(void **state)
{
    enum { ROWS = 60, COLUMNS = 200 };
    static double rows[ROWS * COLUMNS];
    cairn_context *ctx = *state;
    cairn_table *table;
    cairn_model *model;
    cairn_report *report;
    char names_of[COLUMNS * 5] = "t";
    for (size_t i = 0; i < ROWS * COLUMNS; i++) {
        double x = sin((double)i * 12.9898) * 43758.5453;
        rows[i] = x - floor(x);
    }
    for (size_t j = 1, at = 1; j < COLUMNS; j++)
        at += (size_t)snprintf(names_of + at, sizeof names_of - at, " c%zu", j);
    assert_ok(ctx, table_of(ctx, &table, names_of, rows, ROWS, COLUMNS));
    assert_ok(ctx, learn(ctx, &model, &report, table, "knn", "t", NULL));
    double mean = 0, deviation = 0;
    assert_true(cairn_report_number(report, "distances.mean", &mean));
    assert_true(cairn_report_number(report, "distances.deviation", &deviation));
    assert_true(fabs(mean - sqrt((COLUMNS - 1) / 6.0)) < 0.1 && deviation < 0.1 * mean);
    cairn_model_free(model);
    cairn_report_free(report);
    cairn_table_free(table);
}

/* All distances equal: said so, and answered. */
static void test_knn__all_rows_alike(void **state)
{
    cairn_context *ctx = *state;
    static const double rows[] = {1, 10, 1, 20, 1, 60};
    cairn_table *table, *answer;
    cairn_model *model;
    cairn_report *report;
    assert_ok(ctx, table_of(ctx, &table, "x t", rows, 3, 2));
    assert_ok(ctx, learn(ctx, &model, &report, table, "knn:k=2,local=line", "t", NULL));
    assert_word(report, "same_point", "yes");
    assert_ok(ctx, cairn_model_predict(ctx, &answer, model, table, false));
    for (size_t i = 0; i < 3; i++) assert_true(fabs(cairn_table_numbers(answer, 0)[i] - 15) < 1e-9);
    cairn_table_free(answer);
    cairn_model_free(model);
    cairn_report_free(report);
    cairn_table_free(table);
}

typedef struct work {
    const cairn_table *table;
    const char *spec;
} work;

static cairn_status whole_way(cairn_context *ctx, void *data)
{
    const work *w = data;
    cairn_model *model = NULL, *loaded = NULL;
    cairn_report *report = NULL;
    cairn_table *answer = NULL;
    char *bytes = NULL;
    size_t length;
    cairn_status status = fit(ctx, &model, &report, w->table, w->spec);
    if (status) return status;
    TRY(cairn_model_save_memory(ctx, model, &bytes, &length));
    TRY(cairn_model_load_memory(ctx, &loaded, "m", bytes, length));
    TRY(cairn_model_predict(ctx, &answer, loaded, w->table, true));
done:
    cairn_string_free(bytes);
    cairn_table_free(answer);
    cairn_model_free(loaded);
    cairn_model_free(model);
    cairn_report_free(report);
    return status;
}

static void test_knn__survives_failing_allocations(void **state)
{
    cairn_table *table = two_classes(*state);
    work w = {table, "knn:k=3,method=ball,query=\"1,1\""};
    assert_survives_allocation_failures(whole_way, &w);
    w.spec = "knn:k=3,distance=mahalanobis";
    assert_survives_allocation_failures(whole_way, &w);
    w.spec = "knn:k=3,distance=\"kernel:poly:degree=3\"";
    assert_survives_allocation_failures(whole_way, &w);
    cairn_table_free(table);
    w = (work){bags(*state), "knn:k=2,distance=cosine"};
    assert_survives_allocation_failures(whole_way, &w);
    cairn_table_free((cairn_table *)w.table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_knn__shares_and_classes),
        context_test(test_knn__ties_by_rule),
        context_test(test_knn__distance_weights),
        context_test(test_knn__local_lines),
        context_test(test_knn__local_powers_and_mean),
        context_test(test_knn__one_and_all),
        context_test(test_knn__neighbour_lists),
        context_test(test_knn__texts),
        context_test(test_knn__given_distances),
        context_test(test_knn__bags),
        context_test(test_knn__row_weights),
        context_test(test_knn__refusals),
        context_test(test_knn__huge_and_tiny_numbers),
        context_test(test_knn__powers_beyond_numbers),
        context_test(test_knn__weights_of_very_near_rows),
        context_test(test_knn__local_line_without_a_cell),
        context_test(test_knn__steps_of_ties_and_lines),
        context_test(test_knn__all_distances_equal),
        context_test(test_knn__distances_that_hardly_differ),
        context_test(test_knn__all_rows_alike),
        context_test(test_knn__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
