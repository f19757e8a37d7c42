/* SPDX-License-Identifier: MIT */
/* What a predictor takes and refuses, row by row, cell by cell and as a matrix; threads. */
#include "base/context.h"
#include "cairn/cairn.h"
#include "support/fail_alloc.h"
#include "support/unit.h"
#include <math.h>
#include <pthread.h>

enum { THREADS = 8 };

/* A model of the learner on built-in data. */
static cairn_model *fit(cairn_context *ctx, const char *learner, const char *data,
                        const cairn_fit_options *options)
{
    cairn_params *params;
    cairn_table *table;
    cairn_model *model;
    assert_ok(ctx, cairn_table_read(ctx, &table, data, NULL));
    assert_ok(ctx, cairn_params_new(ctx, &params, learner));
    assert_ok(ctx, cairn_model_fit(ctx, &model, params, table, options));
    cairn_params_free(params);
    cairn_table_free(table);
    return model;
}

static void assert_refused(cairn_predictor *p, cairn_status got, cairn_status wanted,
                           const char *part)
{
    assert_int_equal(got, wanted);
    if (!strstr(cairn_predictor_message(p), part))
        fail_msg("no \"%s\" in \"%s\"", part, cairn_predictor_message(p));
}

static void test_predictor__a_row_of_numbers(void **state)
{
    cairn_model *model = fit(*state, "tree:max-depth=2", "@iris", NULL);
    cairn_predictor *p;
    cairn_answer answer;
    double row[] = {5.1, 3.5, 1.4, 0.2}, scores[3] = {0};
    assert_ok(*state, cairn_predictor_new(*state, &p, model, NULL, 0));
    assert_true(cairn_predictor_is_prepared(p));
    assert_int_equal(cairn_predictor_columns(p), 4);
    assert_int_equal(cairn_predictor_classes(p), 3);
    assert_int_equal(cairn_predictor_scores(p), 3);
    assert_int_equal(cairn_predictor_row(p, row, &answer, scores), CAIRN_OK);
    assert_int_equal(answer.code, 0);
    assert_true(isnan(answer.number));
    assert_true(scores[0] == 1 && scores[1] == 0 && scores[2] == 0);
    assert_int_equal(cairn_predictor_row(p, row, NULL, NULL), CAIRN_OK);
    assert_null(cairn_predictor_column(p, 4));
    assert_null(cairn_predictor_class(p, 3));
    assert_string_equal(cairn_predictor_message(p), "");
    cairn_predictor_free(p);
    cairn_model_free(model);
}

static void test_predictor__columns_in_the_order_of_the_caller(void **state)
{
    cairn_model *model = fit(*state, "tree", "@iris", NULL);
    cairn_predictor *p, *q;
    assert_ok(*state, cairn_predictor_new(*state, &p, model, NULL, 0));
    const char *transposed[4];
    for (size_t i = 0; i < 4; i++) transposed[i] = cairn_predictor_column(p, 3 - i);
    assert_ok(*state, cairn_predictor_new(*state, &q, model, transposed, 4));
    double row[] = {6.1, 2.8, 4.7, 1.2}, other[] = {1.2, 4.7, 2.8, 6.1};
    cairn_answer a, b;
    assert_int_equal(cairn_predictor_row(p, row, &a, NULL), CAIRN_OK);
    assert_int_equal(cairn_predictor_row(q, other, &b, NULL), CAIRN_OK);
    assert_int_equal(a.code, 1);
    assert_int_equal(b.code, 1);
    cairn_predictor_free(p);
    cairn_predictor_free(q);
    cairn_model_free(model);
}

static void test_predictor__columns_that_do_not_fit_are_named(void **state)
{
    cairn_model *model = fit(*state, "tree", "@weather", NULL);
    cairn_predictor_options options = CAIRN_PREDICTOR_OPTIONS_INIT;
    cairn_predictor *p;
    assert_ok(*state, cairn_predictor_new(*state, &p, model, NULL, 0));
    size_t n = cairn_predictor_columns(p);
    const char *names[16];
    for (size_t i = 0; i < n; i++) names[i] = cairn_predictor_column(p, i);
    cairn_predictor *other;
    names[n] = "outlok";
    assert_fails(*state, cairn_predictor_new(*state, &other, model, names, n + 1), CAIRN_USAGE,
                 "'outlok' (did you mean 'outlook'?)");
    assert_fails(*state, cairn_predictor_new(*state, &other, model, names + 1, n - 1), CAIRN_USAGE,
                 names[0]);
    names[n] = names[0];
    assert_fails(*state, cairn_predictor_new(*state, &other, model, names, n + 1), CAIRN_USAGE,
                 "named twice");
    names[n] = NULL;
    assert_fails(*state, cairn_predictor_new(*state, &other, model, names, n + 1), CAIRN_USAGE,
                 "no name");
    options.ignore_unknown = options.missing_columns = true;
    names[0] = "something";
    assert_ok(*state, cairn_predictor_new_with(*state, &other, model, names, n, &options));
    cairn_predictor_free(other);
    options.size = 0;
    assert_fails(*state, cairn_predictor_new_with(*state, &other, model, names, n, &options),
                 CAIRN_USAGE, "cairn_predictor_options");
    cairn_predictor_free(p);
    cairn_model_free(model);
}

static void test_predictor__cells_that_are_none_are_named(void **state)
{
    cairn_model *model = fit(*state, "tree", "@weather", NULL);
    cairn_predictor *p;
    double row[16];
    cairn_answer answer;
    assert_ok(*state, cairn_predictor_new(*state, &p, model, NULL, 0));
    for (size_t i = 0; i < 16; i++) row[i] = 0;
    size_t level = 0;
    while (cairn_predictor_kind(p, level) != CAIRN_LEVEL) level++;
    row[level] = 99;
    assert_refused(p, cairn_predictor_row(p, row, &answer, NULL), CAIRN_BAD_DATA, "99 is no code");
    row[level] = 0.5;
    assert_refused(p, cairn_predictor_row(p, row, &answer, NULL), CAIRN_BAD_DATA, "0.5 is no code");
    row[level] = INFINITY;
    assert_refused(p, cairn_predictor_row(p, row, &answer, NULL), CAIRN_BAD_DATA, "infinite");
    row[level] = -1; /* a level that training did not see */
    assert_int_equal(cairn_predictor_row(p, row, &answer, NULL), CAIRN_OK);
    assert_int_equal(cairn_predictor_code(p, level, "no such", 7), -1);
    assert_int_equal(cairn_predictor_code(p, 99, "sunny", 5), -1);
    cairn_predictor_free(p);
    cairn_model_free(model);
}

/* Also those of columns that the answer does not depend on. */
static void test_predictor__infinite_numbers_are_refused_in_every_column(void **state)
{
    static const char *const learners[] = {"tree:max-depth=1", "forest:trees=2,max-depth=1",
                                           "logistic", "boost:rounds=1"};
    for (size_t l = 0; l < sizeof learners / sizeof *learners; l++) {
        cairn_model *model = fit(*state, learners[l], "@iris", NULL);
        cairn_predictor *p;
        assert_ok(*state, cairn_predictor_new(*state, &p, model, NULL, 0));
        for (size_t c = 0; c < 4; c++) {
            double rows[100][4], scores[3] = {7, 7, 7};
            cairn_answer answer = {.code = 77};
            cairn_matrix m = CAIRN_MATRIX_ROWS(rows, 100, 4);
            for (size_t i = 0; i < 400; i++) rows[i / 4][i % 4] = 1 + (double)(i % 7);
            rows[90][c] = c % 2 ? INFINITY : -INFINITY;
            assert_refused(p, cairn_predictor_row(p, rows[90], &answer, scores), CAIRN_BAD_DATA,
                           cairn_predictor_column(p, c));
            assert_true(answer.code == 77 && scores[0] == 7);
            assert_refused(p, cairn_predictor_rows(p, &m, NULL, NULL, NULL), CAIRN_BAD_DATA,
                           "row 91: the number is infinite");
        }
        cairn_predictor_free(p);
        cairn_model_free(model);
    }
}

/* The class of a number, which is the same with scores and without. */
static int32_t class_of(cairn_predictor *p, double x)
{
    cairn_answer scored, alone;
    double scores[2];
    assert_int_equal(cairn_predictor_row(p, &x, &scored, scores), CAIRN_OK);
    assert_int_equal(cairn_predictor_row(p, &x, &alone, NULL), CAIRN_OK);
    assert_int_equal(scored.code, scores[1] > scores[0]);
    assert_int_equal(alone.code, scored.code);
    return alone.code;
}

/* Classes of rows on and beside the border between two, where the class must be that of the first
 * of the largest scores, whether scores are asked for or not. */
static void test_predictor__rows_between_two_classes(void **state)
{
    const double x[] = {-2, -1, 1, 2, -2, -1, 1, 2};
    const int32_t answers[] = {0, 0, 1, 1, 0, 1, 0, 1};
    const char *const names[] = {"no", "yes"};
    cairn_table *table;
    cairn_params *params;
    cairn_model *model;
    cairn_predictor *p;
    assert_ok(*state, cairn_table_new(*state, &table, 8));
    assert_ok(*state, cairn_table_add_numbers(*state, table, "x", x));
    assert_ok(*state, cairn_table_add_levels(*state, table, "answer", answers, names, 2));
    assert_ok(*state, cairn_table_set_role(*state, table, "answer", CAIRN_TARGET));
    assert_ok(*state, cairn_params_new(*state, &params, "logistic"));
    assert_ok(*state, cairn_model_fit(*state, &model, params, table, NULL));
    assert_ok(*state, cairn_predictor_new(*state, &p, model, NULL, 0));
    double low = -2, high = 2; /* the border is between them */
    for (int i = 0; i < 200; i++) {
        double middle = low + (high - low) / 2;
        *(class_of(p, middle) == class_of(p, 2) ? &high : &low) = middle;
    }
    for (int i = -400; i <= 400; i++) {
        (void)class_of(p, high + i * 1e-17);
        (void)class_of(p, high + i * 1e-8);
    }
    cairn_predictor_free(p);
    cairn_model_free(model);
    cairn_params_free(params);
    cairn_table_free(table);
}

static void test_predictor__missing_cells_of_a_model_that_refuses_them(void **state)
{
    cairn_fit_options fitting = CAIRN_FIT_OPTIONS_INIT;
    cairn_predictor_options options = CAIRN_PREDICTOR_OPTIONS_INIT;
    fitting.missing = "fail";
    cairn_model *model = fit(*state, "logistic", "@iris", &fitting);
    cairn_predictor *p;
    cairn_answer answer = {7, 7};
    double rows[8] = {5.1, 3.5, 1.4, 0.2, 6, NAN, 4, 1}, scores[6];
    int32_t codes[2];
    assert_ok(*state, cairn_predictor_new(*state, &p, model, NULL, 0));
    assert_refused(p, cairn_predictor_row(p, rows + 4, &answer, NULL), CAIRN_BAD_DATA,
                   cairn_predictor_column(p, 1));
    assert_int_equal(answer.code, 7);
    cairn_matrix m = CAIRN_MATRIX_ROWS(rows, 2, 4);
    assert_refused(p, cairn_predictor_rows(p, &m, codes, NULL, NULL), CAIRN_BAD_DATA, "row 2");
    cairn_predictor_free(p);
    options.blank_missing = true;
    assert_ok(*state, cairn_predictor_new_with(*state, &p, model, NULL, 0, &options));
    assert_int_equal(cairn_predictor_rows(p, &m, codes, NULL, scores), CAIRN_OK);
    assert_int_equal(codes[0], 0);
    assert_int_equal(codes[1], -1);
    assert_true(isnan(scores[3]) && isnan(scores[4]) && isnan(scores[5]));
    cairn_predictor_free(p);
    cairn_model_free(model);
}

/* Numbers and codes of all rows of a table, row by row. */
static double *cells_of(cairn_context *ctx, const cairn_predictor *p, const char *data, size_t *n)
{
    cairn_table *table;
    assert_ok(ctx, cairn_table_read(ctx, &table, data, NULL));
    size_t d = cairn_predictor_columns(p);
    *n = cairn_table_rows(table);
    double *cells = test_calloc(*n * d, sizeof *cells);
    for (size_t j = 0; j < d; j++) {
        size_t at = (size_t)cairn_table_find(table, cairn_predictor_column(p, j));
        for (size_t i = 0; i < *n; i++) cells[i * d + j] = cairn_table_numbers(table, at)[i];
    }
    cairn_table_free(table);
    return cells;
}

static void test_predictor__matrices_of_any_strides_and_types(void **state)
{
    static const char *const learners[] = {"tree", "logistic", "forest:trees=40", "knn:k=3"};
    for (size_t l = 0; l < sizeof learners / sizeof *learners; l++) {
        cairn_model *model = fit(*state, learners[l], "@iris", NULL);
        cairn_predictor *p;
        size_t n;
        int32_t codes[150], transposed[150], narrow[150];
        float floats[600];
        assert_ok(*state, cairn_predictor_new(*state, &p, model, NULL, 0));
        double *cells = cells_of(*state, p, "@iris", &n);
        cairn_matrix m = CAIRN_MATRIX_ROWS(cells, n, 4);
        assert_int_equal(n, 150);
        assert_int_equal(cairn_predictor_rows(p, &m, codes, NULL, NULL), CAIRN_OK);
        for (size_t i = 0; i < n; i++) {
            cairn_answer answer;
            assert_int_equal(cairn_predictor_row(p, cells + 4 * i, &answer, NULL), CAIRN_OK);
            assert_int_equal(answer.code, codes[i]);
        }
        for (size_t i = 0; i < 600; i++) floats[i] = (float)cells[i];
        cairn_matrix from_below = m,
                     of_floats = {sizeof of_floats,  floats,       CAIRN_FLOAT32, n, 4,
                                  4 * sizeof(float), sizeof(float)};
        from_below.data = cells + 4 * (n - 1);
        from_below.row_stride = -m.row_stride;
        assert_int_equal(cairn_predictor_rows(p, &from_below, transposed, NULL, NULL), CAIRN_OK);
        assert_int_equal(cairn_predictor_rows(p, &of_floats, narrow, NULL, NULL), CAIRN_OK);
        for (size_t i = 0; i < n; i++) assert_int_equal(transposed[i], codes[n - 1 - i]);
        assert_int_equal(narrow[0], codes[0]);
        test_free(cells);
        cairn_predictor_free(p);
        cairn_model_free(model);
    }
}

static void test_predictor__matrices_that_do_not_fit(void **state)
{
    cairn_model *model = fit(*state, "tree", "@iris", NULL);
    double rows[8] = {5.1, 3.5, 1.4, 0.2, 5, 3, INFINITY, 1};
    cairn_matrix m = CAIRN_MATRIX_ROWS(rows, 2, 4);
    cairn_predictor *p;
    int32_t codes[2];
    assert_ok(*state, cairn_predictor_new(*state, &p, model, NULL, 0));
    assert_refused(p, cairn_predictor_rows(p, &m, codes, NULL, NULL), CAIRN_BAD_DATA, "row 2");
    m.n_columns = 3;
    assert_refused(p, cairn_predictor_rows(p, &m, codes, NULL, NULL), CAIRN_USAGE,
                   "3 columns and the predictor 4");
    m.size = 0;
    assert_refused(p, cairn_predictor_rows(p, &m, codes, NULL, NULL), CAIRN_USAGE, "cairn_matrix");
    m.size = sizeof m;
    m.n_columns = 4;
    m.type = (cairn_number_type)9;
    assert_refused(p, cairn_predictor_rows(p, &m, codes, NULL, NULL), CAIRN_USAGE, "type");
    m.type = CAIRN_FLOAT64;
    m.data = NULL;
    assert_refused(p, cairn_predictor_rows(p, &m, codes, NULL, NULL), CAIRN_USAGE, "no data");
    m.n_rows = 0;
    assert_int_equal(cairn_predictor_rows(p, &m, codes, NULL, NULL), CAIRN_OK);
    cairn_predictor_free(p);
    cairn_model_free(model);
}

static cairn_cell text_cell(const char *text)
{
    return (cairn_cell){.kind = CAIRN_CELL_TEXT, .text = text, .length = strlen(text)};
}

static void test_predictor__cells_by_value(void **state)
{
    cairn_model *model = fit(*state, "tree", "@iris", NULL);
    cairn_predictor *p;
    cairn_answer answer;
    cairn_cell cells[4] = {text_cell("5.1"),
                           {.kind = CAIRN_CELL_NUMBER, .number = 3.5},
                           text_cell("1.4"),
                           text_cell("0.2")};
    assert_ok(*state, cairn_predictor_new(*state, &p, model, NULL, 0));
    assert_int_equal(cairn_predictor_cells(p, cells, &answer, NULL), CAIRN_OK);
    assert_int_equal(answer.code, 0);
    cells[3] = text_cell("?");
    assert_int_equal(cairn_predictor_cells(p, cells, &answer, NULL), CAIRN_OK);
    cells[3] = text_cell("wide");
    assert_refused(p, cairn_predictor_cells(p, cells, &answer, NULL), CAIRN_BAD_DATA,
                   "'wide' is no number");
    cells[3] = (cairn_cell){.kind = CAIRN_CELL_CODE, .code = 1};
    assert_refused(p, cairn_predictor_cells(p, cells, &answer, NULL), CAIRN_USAGE, "no levels");
    cells[3] = (cairn_cell){.kind = (cairn_cell_kind)77};
    assert_refused(p, cairn_predictor_cells(p, cells, &answer, NULL), CAIRN_USAGE, "kind 77");
    cells[3] = (cairn_cell){.kind = CAIRN_CELL_NUMBER, .number = -INFINITY};
    assert_refused(p, cairn_predictor_cells(p, cells, &answer, NULL), CAIRN_BAD_DATA, "infinite");
    cairn_predictor_free(p);
    cairn_model_free(model);
}

static void test_predictor__the_learner_itself_is_asked_when_bits_count(void **state)
{
    cairn_predictor_options options = CAIRN_PREDICTOR_OPTIONS_INIT;
    cairn_model *model = fit(*state, "svm", "@iris", NULL);
    cairn_table *table, *said;
    cairn_predictor *p;
    size_t n;
    double scores[3];
    options.exact = true;
    assert_ok(*state, cairn_predictor_new_with(*state, &p, model, NULL, 0, &options));
    assert_false(cairn_predictor_is_prepared(p));
    assert_ok(*state, cairn_table_read(*state, &table, "@iris", NULL));
    assert_ok(*state, cairn_model_predict(*state, &said, model, table, true));
    double *cells = cells_of(*state, p, "@iris", &n);
    for (size_t i = 0; i < n; i += 7) {
        assert_int_equal(cairn_predictor_row(p, cells + 4 * i, NULL, scores), CAIRN_OK);
        for (size_t k = 0; k < 3; k++)
            assert_true(scores[k] == cairn_table_numbers(said, 1 + k)[i]);
    }
    test_free(cells);
    cairn_table_free(said);
    cairn_table_free(table);
    cairn_predictor_free(p);
    cairn_model_free(model);
}

static void test_predictor__what_answers_no_rows_is_refused(void **state)
{
    const char *const with[] = {"standardise", NULL};
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_predictor *p;
    cairn_table *table;
    cairn_model *recipe;
    options.with = with;
    assert_ok(*state, cairn_table_read(*state, &table, "@iris", NULL));
    assert_ok(*state, cairn_recipe_fit(*state, &recipe, NULL, table, &options));
    assert_fails(*state, cairn_predictor_new(*state, &p, recipe, NULL, 0), CAIRN_USAGE,
                 "no learner");
    cairn_model_free(recipe);
    cairn_table_free(table);
}

static void test_predictor__predictions_with_the_outputs_that_are_asked_for(void **state)
{
    cairn_model *model = fit(*state, "tree", "@iris", NULL);
    cairn_predict_options options = CAIRN_PREDICT_OPTIONS_INIT;
    cairn_table *table, *said;
    assert_ok(*state, cairn_table_read(*state, &table, "@iris", NULL));
    assert_ok(*state, cairn_model_predict_with(*state, &said, model, table, NULL));
    assert_int_equal(cairn_table_columns(said), 1);
    cairn_table_free(said);
    options.answer = false;
    options.scores = true;
    assert_ok(*state, cairn_model_predict_with(*state, &said, model, table, &options));
    assert_int_equal(cairn_table_columns(said), 3);
    cairn_table_free(said);
    options.scores = false;
    options.extra = true;
    assert_ok(*state, cairn_model_predict_with(*state, &said, model, table, &options));
    assert_true(cairn_table_find(said, "leaf") == 0);
    cairn_table_free(said);
    options.size = 0;
    assert_fails(*state, cairn_model_predict_with(*state, &said, model, table, &options),
                 CAIRN_USAGE, "cairn_predict_options");
    cairn_table_free(table);
    cairn_model_free(model);
}

/* A predictor and all its ways to answer. */
static cairn_status answer_ways(cairn_context *ctx, void *data)
{
    const double rows[] = {5.1, 3.5, 1.4, 0.2, 6.3, 2.8, 5.6, NAN};
    cairn_matrix m = CAIRN_MATRIX_ROWS(rows, 2, 4);
    cairn_predictor *p = NULL;
    int32_t codes[2];
    cairn_status status = cairn_predictor_new(ctx, &p, data, NULL, 0);
    if (status) return status;
    status = cairn_predictor_row(p, rows, NULL, NULL);
    if (!status) status = cairn_predictor_rows(p, &m, codes, NULL, NULL);
    if (status) (void)cairn_fail(ctx, status, "%s", cairn_predictor_message(p));
    cairn_predictor_free(p);
    return status;
}

static void test_predictor__allocations_may_fail(void **state)
{
    static const char *const learners[] = {"tree", "forest:trees=20", "logistic", "bayes-net"};
    for (size_t l = 0; l < sizeof learners / sizeof *learners; l++) {
        cairn_model *model = fit(*state, learners[l], "@iris", NULL);
        assert_survives_allocation_failures(answer_ways, model);
        cairn_model_free(model);
    }
}

/* -- threads -- */

typedef struct sharing {
    const cairn_model *model;
    const double *cells;
    int threads; /* of its matrices */
    size_t n, wrong;
    int32_t codes[150];
} sharing;

/* A context and a predictor of its own on the shared model. */
static void *answer_all(void *data)
{
    sharing *s = data;
    cairn_context *ctx;
    cairn_predictor *p;
    s->wrong = 1;
    if (cairn_context_new(&ctx, NULL)) return NULL;
    cairn_context_set_threads(ctx, s->threads);
    if (cairn_predictor_new(ctx, &p, s->model, NULL, 0)) return NULL;
    cairn_matrix m = CAIRN_MATRIX_ROWS(s->cells, s->n, 4);
    s->wrong = cairn_predictor_rows(p, &m, s->codes, NULL, NULL) != CAIRN_OK;
    for (size_t i = 0; i < s->n; i++) {
        cairn_answer answer;
        double scores[3];
        s->wrong += cairn_predictor_row(p, s->cells + 4 * i, &answer, NULL) != CAIRN_OK;
        s->wrong += answer.code != s->codes[i];
        s->wrong += cairn_predictor_row(p, s->cells + 4 * i, &answer, scores) != CAIRN_OK;
        s->wrong += answer.code != s->codes[i];
    }
    cairn_predictor_free(p);
    cairn_context_free(ctx);
    return NULL;
}

static void test_predictor__eight_threads_share_a_model(void **state)
{
    static const char *const learners[] = {"tree",     "forest:trees=30", "boost:rounds=5",
                                           "logistic", "gaussian",        "bayes-net"};
    for (size_t l = 0; l < sizeof learners / sizeof *learners; l++) {
        cairn_model *model = fit(*state, learners[l], "@iris", NULL);
        cairn_predictor *p;
        static sharing work[THREADS];
        pthread_t threads[THREADS];
        size_t n;
        assert_ok(*state, cairn_predictor_new(*state, &p, model, NULL, 0));
        double *cells = cells_of(*state, p, "@iris", &n);
        for (size_t t = 0; t < THREADS; t++) {
            work[t] = (sharing){.model = model, .cells = cells, .threads = 1 + (int)t % 2, .n = n};
            assert_int_equal(pthread_create(&threads[t], NULL, answer_all, &work[t]), 0);
        }
        for (size_t t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
        for (size_t t = 0; t < THREADS; t++) {
            assert_int_equal(work[t].wrong, 0);
            assert_memory_equal(work[t].codes, work[0].codes, n * sizeof *work->codes);
        }
        test_free(cells);
        cairn_predictor_free(p);
        cairn_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_predictor__a_row_of_numbers),
        context_test(test_predictor__columns_in_the_order_of_the_caller),
        context_test(test_predictor__columns_that_do_not_fit_are_named),
        context_test(test_predictor__cells_that_are_none_are_named),
        context_test(test_predictor__infinite_numbers_are_refused_in_every_column),
        context_test(test_predictor__rows_between_two_classes),
        context_test(test_predictor__missing_cells_of_a_model_that_refuses_them),
        context_test(test_predictor__matrices_of_any_strides_and_types),
        context_test(test_predictor__matrices_that_do_not_fit),
        context_test(test_predictor__cells_by_value),
        context_test(test_predictor__the_learner_itself_is_asked_when_bits_count),
        context_test(test_predictor__what_answers_no_rows_is_refused),
        context_test(test_predictor__predictions_with_the_outputs_that_are_asked_for),
        context_test(test_predictor__allocations_may_fail),
        context_test(test_predictor__eight_threads_share_a_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
