/* SPDX-License-Identifier: MIT */
/* Every learner of the registry, every task: a predictor answers rows with missing cells and levels
 * that training did not see as cairn_model_predict does. */
#include "cairn/predictor.h"
#include "contract/contract.h"
#include "contract/transform_specs.h"
#include "data/column.h"
#include "registry.h"
#include <math.h>
#include <stdlib.h>

enum { TRAINING = 240, ROWS = 200 };

/* Memory of the C library, and how often it was asked for. */
static size_t n_calls;

static void *count_allocate(size_t size, void *data)
{
    (void)data;
    __atomic_add_fetch(&n_calls, 1, __ATOMIC_RELAXED);
    return malloc(size);
}

static void *count_resize(void *block, size_t size, void *data)
{
    (void)data;
    __atomic_add_fetch(&n_calls, 1, __ATOMIC_RELAXED);
    return realloc(block, size);
}

static void count_release(void *block, void *data)
{
    (void)data;
    __atomic_add_fetch(&n_calls, 1, __ATOMIC_RELAXED);
    free(block);
}

static int setup_counting(void **state)
{
    const cairn_allocator counting = {count_allocate, count_resize, count_release, NULL};
    return cairn_context_new((cairn_context **)state, &counting) != CAIRN_OK;
}

/* Learners whose programs sum in another order than they do: their answers are the same but for
 * rounding. All others have the bits of cairn_model_predict. */
static const char *const rounding[] = {
    "bayes",   "gaussian", "glm", "kernel-perceptron", "kernel-ridge", "least-squares-classifier",
    "mixture", "network",  "svm"};

static bool has_same_bits(const char *learner)
{
    for (size_t i = 0; i < sizeof rounding / sizeof *rounding; i++)
        if (strcmp(rounding[i], learner) == 0) return false;
    return true;
}

typedef struct compared {
    const char *what;
    bool bits; /* every bit must be the same */
} compared;

static bool is_near(double a, double b, double tolerance)
{
    if (isnan(a) || isnan(b)) return isnan(a) && isnan(b);
    return a == b || fabs(a - b) <= tolerance * fmax(1e-3, fmax(fabs(a), fabs(b)));
}

static void compare_numbers(compared *c, size_t row, double a, double b)
{
    if (!is_near(a, b, c->bits ? 0 : 1e-8))
        fail_msg("%s, row %zu: %.17g, not %.17g", c->what, row, a, b);
}

/* The answer of the predictor beside that of the model. A class that has the same score as the
 * model's but for rounding is as good. */
static void compare_row(compared *c, size_t i, const cairn_prediction *wanted, cairn_answer answer,
                        const double *scores)
{
    size_t k = wanted->n_classes;
    const double *own = wanted->scores ? wanted->scores + i * k : NULL;
    if (wanted->numbers) compare_numbers(c, i, answer.number, wanted->numbers[i]);
    for (size_t l = 0; own && l < k; l++) compare_numbers(c, i, scores[l], own[l]);
    if (!wanted->codes || answer.code == wanted->codes[i]) return;
    bool tie = !c->bits && own && answer.code >= 0 && wanted->codes[i] >= 0 &&
               is_near(own[answer.code], own[wanted->codes[i]], 1e-8);
    if (!tie) fail_msg("%s, row %zu: code %d, not %d", c->what, i, answer.code, wanted->codes[i]);
}

/* The cells of a row as the predictor wants them: levels by name. */
static void read_row(const cairn_predictor *p, const cairn_table *table, size_t row, double *out)
{
    for (size_t c = 0; c < cairn_predictor_columns(p); c++) {
        ptrdiff_t at = cairn_table_find(table, cairn_predictor_column(p, c));
        assert_true(at >= 0);
        const cairn_column *column = table->slots[at].column;
        out[c] = column->numbers ? column->numbers[row] : NAN;
        if (!column->codes || column->codes[row] < 0) continue;
        const char *name = cairn_map_key(&column->names, (size_t)column->codes[row]);
        out[c] = cairn_predictor_code(p, c, name, strlen(name));
    }
}

/* Whether numbers stand for all cells. */
static bool is_plain(const cairn_predictor *p)
{
    for (size_t c = 0; c < cairn_predictor_columns(p); c++) {
        cairn_kind kind = cairn_predictor_kind(p, c);
        if (kind != CAIRN_NUMBER && kind != CAIRN_LEVEL && kind != CAIRN_TIME) return false;
    }
    return true;
}

/* The cells of a row: numbers as they are, all others as texts. */
static void read_cells(const cairn_predictor *p, const cairn_table *table, size_t row,
                       cairn_cell *out, char texts[][512])
{
    for (size_t c = 0; c < cairn_predictor_columns(p); c++) {
        ptrdiff_t at = cairn_table_find(table, cairn_predictor_column(p, c));
        const cairn_column *column = table->slots[at].column;
        out[c] = (cairn_cell){.kind = CAIRN_CELL_MISSING};
        if (cairn_column_is_missing(column, row)) continue;
        out[c].kind = column->numbers ? CAIRN_CELL_NUMBER : CAIRN_CELL_TEXT;
        if (column->numbers) out[c].number = column->numbers[row];
        if (column->numbers) continue;
        out[c].text = texts[c];
        out[c].length = cairn_table_cell(table, (size_t)at, row, texts[c], 512);
        assert_true(out[c].length < 512);
    }
}

static void compare_cells(cairn_context *ctx, compared *c, cairn_predictor *p,
                          const cairn_table *table, const cairn_prediction *wanted)
{
    static char texts[64][512];
    cairn_cell cells[64];
    double *scores;
    assert_true(cairn_predictor_columns(p) <= 64);
    assert_ok(ctx, NEW(ctx, &scores, cairn_predictor_scores(p) + 1));
    for (size_t i = 0; i < table->n_rows; i++) {
        cairn_answer answer;
        read_cells(p, table, i, cells, texts);
        if (cairn_predictor_cells(p, cells, &answer, scores))
            fail_msg("%s, row %zu: %s", c->what, i, cairn_predictor_message(p));
        compare_row(c, i, wanted, answer, scores);
    }
    cairn_free(scores);
}

static void compare_rows(cairn_context *ctx, compared *c, cairn_predictor *p,
                         const cairn_table *table, const cairn_prediction *wanted)
{
    double row[64], *scores;
    assert_true(cairn_predictor_columns(p) <= 64);
    assert_ok(ctx, NEW(ctx, &scores, cairn_predictor_scores(p) + 1));
    for (size_t i = 0; i < table->n_rows; i++) {
        cairn_answer answer, alone;
        read_row(p, table, i, row);
        if (cairn_predictor_row(p, row, &answer, scores) ||
            cairn_predictor_row(p, row, &alone, NULL))
            fail_msg("%s, row %zu: %s", c->what, i, cairn_predictor_message(p));
        compare_row(c, i, wanted, answer, scores);
        assert_int_equal(alone.code, answer.code); /* also without its scores */
        compare_numbers(&(compared){c->what, true}, i, alone.number, answer.number);
    }
    cairn_free(scores);
}

/* The same of all rows at once, column by column, or row by row with a gap behind each. */
static void compare_matrix(cairn_context *ctx, compared *c, cairn_predictor *p,
                           const cairn_table *table, const cairn_prediction *wanted, bool by_rows)
{
    size_t n = table->n_rows, d = cairn_predictor_columns(p), k = cairn_predictor_scores(p);
    double *cells, *numbers, *scores, row[64];
    int32_t *codes, *alone;
    assert_ok(ctx, NEW(ctx, &cells, n * (d + 1) + 1));
    assert_ok(ctx, NEW(ctx, &numbers, n));
    assert_ok(ctx, NEW(ctx, &codes, n));
    assert_ok(ctx, NEW(ctx, &alone, n));
    assert_ok(ctx, NEW(ctx, &scores, n * k + 1));
    for (size_t i = 0; i < n; i++) {
        read_row(p, table, i, row);
        for (size_t j = 0; j < d; j++) cells[by_rows ? i * (d + 1) + j : j * n + i] = row[j];
    }
    cairn_matrix m = CAIRN_MATRIX_COLUMNS(cells, n, d);
    if (by_rows) {
        m.row_stride = (ptrdiff_t)((d + 1) * sizeof *cells);
        m.column_stride = (ptrdiff_t)sizeof *cells;
    }
    if (cairn_predictor_rows(p, &m, codes, numbers, scores) ||
        cairn_predictor_rows(p, &m, alone, NULL, NULL))
        fail_msg("%s, rows: %s", c->what, cairn_predictor_message(p));
    for (size_t i = 0; i < n; i++)
        compare_row(c, i, wanted, (cairn_answer){codes[i], numbers[i]}, scores + i * k);
    assert_memory_equal(alone, codes, n * sizeof *codes);
    cairn_free(cells);
    cairn_free(numbers);
    cairn_free(codes);
    cairn_free(alone);
    cairn_free(scores);
}

/* What the model says about each row alone: rows of one table may depend on each other, as the
 * steps of a sequence do. */
static void compare_alone(cairn_context *ctx, compared *c, cairn_predictor *p,
                          const cairn_model *model, const cairn_table *table)
{
    for (uint32_t i = 0; i < table->n_rows; i++) {
        cairn_table *one;
        cairn_prediction wanted;
        assert_ok(ctx, cairn_table_take_rows(ctx, &one, table, &i, 1));
        assert_ok(ctx, cairn_model_predict_rows(ctx, &wanted, model, one, cairn_all_rows(one),
                                                (cairn_predict_wants){.scores = true}, NULL));
        compare_cells(ctx, c, p, one, &wanted);
        if (is_plain(p)) compare_rows(ctx, c, p, one, &wanted);
        cairn_prediction_clear(&wanted);
        cairn_table_free(one);
    }
}

/* How often the predictor asks for memory while it answers the rows. */
static size_t count_calls(cairn_context *ctx, cairn_predictor *p, const cairn_table *table)
{
    double row[64], *scores;
    cairn_answer answer;
    assert_ok(ctx, NEW(ctx, &scores, cairn_predictor_scores(p) + 1));
    size_t before = n_calls;
    for (size_t i = 0; i < table->n_rows; i++) {
        read_row(p, table, i, row);
        assert_int_equal(cairn_predictor_row(p, row, &answer, NULL), CAIRN_OK);
    }
    size_t after = n_calls;
    cairn_free(scores);
    return after - before;
}

/* A predictor whose columns are the inputs from the last to the first. */
static cairn_predictor *turned(cairn_context *ctx, const cairn_model *model,
                               const cairn_predictor *p, const cairn_predictor_options *options)
{
    const char *names[64];
    size_t n = cairn_predictor_columns(p);
    cairn_predictor *out;
    assert_true(n <= 64);
    for (size_t i = 0; i < n; i++) names[i] = cairn_predictor_column(p, n - 1 - i);
    assert_ok(ctx, cairn_predictor_new_with(ctx, &out, model, names, n, options));
    return out;
}

/* The predictor of a model beside the model, on rows some of which have missing cells, or none. */
static void compare_on(cairn_context *ctx, const cairn_model *model, cairn_task task,
                       const char *what, bool missing)
{
    cairn_table *rows = contract_table(ctx, (contract_data){ROWS, task, .missing = missing});
    cairn_predictor_options options = CAIRN_PREDICTOR_OPTIONS_INIT;
    compared c = {.what = what, .bits = has_same_bits(cairn_model_learner(model))};
    if (strstr(what, "leaf=linear")) c.bits = false; /* slopes are summed by the program's rule */
    cairn_prediction wanted;
    cairn_predictor *p, *other;
    options.blank_missing = true;
    assert_ok(ctx, cairn_model_predict_rows(ctx, &wanted, model, rows, cairn_all_rows(rows),
                                            (cairn_predict_wants){.scores = true}, NULL));
    assert_ok(ctx, cairn_predictor_new_with(ctx, &p, model, NULL, 0, &options));
    other = turned(ctx, model, p, &options);
    if (cairn_predictor_is_prepared(p)) {
        compare_cells(ctx, &c, p, rows, &wanted);
        compare_rows(ctx, &c, p, rows, &wanted);
        compare_rows(ctx, &c, other, rows, &wanted);
    } else if (missing) {
        compare_alone(ctx, &c, p, model, rows);
    }
    for (int by_rows = 0; is_plain(p) && by_rows < 2; by_rows++) {
        compare_matrix(ctx, &c, p, rows, &wanted, by_rows);
        compare_matrix(ctx, &c, other, rows, &wanted, by_rows);
    }
    if (cairn_predictor_is_prepared(p)) assert_int_equal(count_calls(ctx, p, rows), 0);
    cairn_predictor_free(p);
    cairn_predictor_free(other);
    cairn_prediction_clear(&wanted);
    cairn_table_free(rows);
}

static void compare_model(cairn_context *ctx, const cairn_model *model, cairn_task task,
                          const char *what)
{
    compare_on(ctx, model, task, what, true);
    compare_on(ctx, model, task, what, false);
}

static bool check_learner(cairn_context *ctx, const cairn_learner *learner, cairn_task task)
{
    cairn_model *model;
    cairn_table *table = contract_table(ctx, (contract_data){TRAINING, task, .missing = true});
    bool fits = contract_fit(ctx, &model, learner, table, task, NULL) == CAIRN_OK;
    if (fits && learner->predict) compare_model(ctx, model, task, learner->entry.name);
    if (fits) cairn_model_free(model);
    cairn_table_free(table);
    return fits;
}

static void test_predictor__every_learner_answers_rows_as_it_predicts(void **state)
{
    const cairn_learner *learner;
    size_t n = 0;
    for (size_t i = 0; (learner = contract_learner(i)); i++)
        for (cairn_task task = contract_next_task(*state, learner, CAIRN_TASK_AUTO); task;
             task = contract_next_task(*state, learner, task))
            if (task != CAIRN_LABEL_ITEMS) n += check_learner(*state, learner, task);
    assert_true(n >= 50);
}

/* A learner by its spec, behind transforms. */
static void check_spec(cairn_context *ctx, const char *spec, const char *const *with,
                       cairn_task task)
{
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_table *table = contract_table(ctx, (contract_data){TRAINING, task, .missing = true});
    cairn_params *params;
    cairn_model *model;
    options.task = task;
    options.with = with;
    assert_ok(ctx, cairn_params_new(ctx, &params, spec));
    assert_ok(ctx, cairn_model_fit(ctx, &model, params, table, &options));
    compare_model(ctx, model, task, spec);
    cairn_model_free(model);
    cairn_params_free(params);
    cairn_table_free(table);
}

static void test_predictor__ways_of_trees_with_missing_cells(void **state)
{
    static const char *const specs[] = {
        "tree:preset=cart,missing-in-model=surrogate",
        "tree:split=subset,missing-in-model=mode,smooth=laplace",
        "tree:missing-in-model=branch,leaf-label=relative,reject-below=4",
        "tree:missing-in-model=weights",
        "forest:trees=27,combine=shares,missing-in-model=weights",
        "forest:trees=19,combine=votes,missing-in-model=branch",
        "forest:trees=1",
        "tree:max-depth=1",
        "forest:trees=20,max-depth=3",
        "boost:rounds=30",
        "boost:rounds=3,max-depth=2",
    };
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        check_spec(*state, specs[i], NULL, CAIRN_CLASSIFY);
    check_spec(*state, "tree:leaf=linear,max-depth=3", NULL, CAIRN_REGRESS);
    check_spec(*state, "boost:rounds=40", NULL, CAIRN_REGRESS);
    check_spec(*state, "forest:trees=11", NULL, CAIRN_REGRESS);
}

static void test_predictor__chains_of_transforms(void **state)
{
    static const char *const chains[][4] = {{"standardise", NULL},
                                            {"impute", "indicators", "standardise", NULL},
                                            {"scale:method=range", NULL},
                                            {"bins", NULL},
                                            {"impute", "pca:components=2", NULL},
                                            /* missing for a row in which no cell is */
                                            {"formula:x=log(x),y=log(y)", "drop:colour", NULL}};
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
        check_spec(*state, "logistic", chains[i], CAIRN_CLASSIFY);
        check_spec(*state, "tree", chains[i], CAIRN_CLASSIFY);
        check_spec(*state, "forest:trees=9", chains[i], CAIRN_CLASSIFY);
        check_spec(*state, "ridge", chains[i], CAIRN_REGRESS);
    }
    check_spec(*state, "linear", (const char *const[]){"scale:method=range,target=yes", NULL},
               CAIRN_REGRESS);
}

#define counting_test(function)                                                                    \
    cmocka_unit_test_setup_teardown(function, setup_counting, teardown_context)

int main(void)
{
    const struct CMUnitTest tests[] = {
        counting_test(test_predictor__every_learner_answers_rows_as_it_predicts),
        counting_test(test_predictor__ways_of_trees_with_missing_cells),
        counting_test(test_predictor__chains_of_transforms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
