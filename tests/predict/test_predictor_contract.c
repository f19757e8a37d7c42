/* SPDX-License-Identifier: MIT */
/* Every learner of the registry, every task: a predictor answers rows with missing cells and levels
 * that training did not see as cairn_model_predict does, and that of libcairn-predict, which loads
 * the model from its file, to the last bit as that of libcairn. */
#include "base/file.h"
#include "cairn/predict.h"
#include "contract/contract.h"
#include "contract/transform_specs.h"
#include "data/column.h"
#include "registry.h"
#include <dirent.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
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
static cairn_predictor *transposed(cairn_context *ctx, const cairn_model *model,
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

#ifdef CAIRN_PREDICT_LIBRARY
/* -- the same from libcairn-predict -- */

/* Functions of the shared library, whose names this program has itself. */
static struct {
    void *library;
    cairn_context *ctx;
    typeof(&cairn_context_new) context_new;
    typeof(&cairn_context_free) context_free;
    typeof(&cairn_message) message;
    typeof(&cairn_model_load_memory) model_load_memory;
    typeof(&cairn_model_free) model_free;
    typeof(&cairn_predictor_new_with) predictor_new_with;
    typeof(&cairn_predictor_free) predictor_free;
    typeof(&cairn_predictor_columns) predictor_columns;
    typeof(&cairn_predictor_scores) predictor_scores;
    typeof(&cairn_predictor_is_prepared) predictor_is_prepared;
    typeof(&cairn_predictor_cells) predictor_cells;
    typeof(&cairn_predictor_row) predictor_row;
} small;

static int open_small(void **state)
{
    (void)state;
    small.library = dlopen(CAIRN_PREDICT_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!small.library) fail_msg("%s", dlerror());
#define FIND(name) assert_non_null(*(void **)&small.name = dlsym(small.library, "cairn_" #name))
    FIND(context_new);
    FIND(context_free);
    FIND(message);
    FIND(model_load_memory);
    FIND(model_free);
    FIND(predictor_new_with);
    FIND(predictor_free);
    FIND(predictor_columns);
    FIND(predictor_scores);
    FIND(predictor_is_prepared);
    FIND(predictor_cells);
    FIND(predictor_row);
    return small.context_new(&small.ctx, NULL) != CAIRN_OK;
}

static int close_small(void **state)
{
    (void)state;
    small.context_free(small.ctx);
    return dlclose(small.library);
}

/* Answers and scores of both for every row; also what is refused is the same. */
static void compare_small_rows(cairn_context *ctx, const char *what, cairn_predictor *p,
                               cairn_predictor *other, const cairn_table *table)
{
    static char texts[64][512];
    cairn_cell cells[64];
    size_t k = cairn_predictor_scores(p);
    double row[64], *scores, *others;
    assert_true(cairn_predictor_columns(p) <= 64);
    assert_ok(ctx, NEW(ctx, &scores, 2 * k + 2));
    others = scores + k + 1;
    for (size_t i = 0; i < table->n_rows; i++) {
        for (int plain = 0; plain < 1 + is_plain(p); plain++) {
            cairn_answer a = {0}, b = {0};
            if (plain)
                read_row(p, table, i, row);
            else
                read_cells(p, table, i, cells, texts);
            cairn_status full = plain ? cairn_predictor_row(p, row, &a, scores)
                                      : cairn_predictor_cells(p, cells, &a, scores);
            cairn_status status = plain ? small.predictor_row(other, row, &b, others)
                                        : small.predictor_cells(other, cells, &b, others);
            if (full != status || a.code != b.code || memcmp(&a.number, &b.number, 8) != 0 ||
                (!full && memcmp(scores, others, k * sizeof *scores) != 0))
                fail_msg("%s, row %zu: libcairn-predict says %d, %.17g (%d), not %d, %.17g (%d)",
                         what, i, b.code, b.number, status, a.code, a.number, full);
        }
    }
    cairn_free(scores);
}

/* The model of these bytes beside the model, prepared and asked exactly. */
static void compare_bytes(cairn_context *ctx, const char *what, const cairn_model *model,
                          const cairn_table *table, const char *bytes, size_t length)
{
    cairn_model *loaded;
    if (small.model_load_memory(small.ctx, &loaded, "model", bytes, length))
        fail_msg("%s: %s", what, small.message(small.ctx));
    for (int exact = 0; exact < 2; exact++) {
        cairn_predictor_options options = CAIRN_PREDICTOR_OPTIONS_INIT;
        cairn_predictor *p, *other;
        options.blank_missing = true;
        options.exact = exact;
        assert_ok(ctx, cairn_predictor_new_with(ctx, &p, model, NULL, 0, &options));
        if (small.predictor_new_with(small.ctx, &other, loaded, NULL, 0, &options))
            fail_msg("%s: %s", what, small.message(small.ctx));
        assert_int_equal(small.predictor_columns(other), cairn_predictor_columns(p));
        assert_int_equal(small.predictor_scores(other), cairn_predictor_scores(p));
        assert_int_equal(small.predictor_is_prepared(other), cairn_predictor_is_prepared(p));
        compare_small_rows(ctx, what, p, other, table);
        cairn_predictor_free(p);
        small.predictor_free(other);
    }
    small.model_free(loaded);
}

static void compare_small(cairn_context *ctx, const char *what, const cairn_model *model,
                          const cairn_table *table)
{
    char *bytes;
    size_t length;
    assert_ok(ctx, cairn_model_save_memory(ctx, model, &bytes, &length));
    compare_bytes(ctx, what, model, table, bytes, length);
    cairn_free(bytes);
}

/* Files of earlier versions, LEARNER-DATA.cairn, on the built-in table that they were fitted to. */
static size_t compare_folder(cairn_context *ctx, const char *folder)
{
    size_t n = 0;
    DIR *list = opendir(folder);
    assert_non_null(list);
    for (struct dirent *entry; (entry = readdir(list));) {
        const char *end = strstr(entry->d_name, ".cairn"), *data = strchr(entry->d_name, '-');
        char path[600], name[300], *bytes;
        size_t length;
        cairn_model *model;
        cairn_table *table, *matched;
        if (!end) continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        snprintf(name, sizeof name, "@%.*s", (int)(end - data - 1), data + 1);
        assert_ok(ctx, cairn_model_load(ctx, &model, path));
        assert_ok(ctx, cairn_file_read_all(ctx, path, &bytes, &length));
        assert_ok(ctx, cairn_table_read(ctx, &table, name, NULL));
        assert_ok(ctx, cairn_schema_match(ctx, &matched, &model->schema, table, false, NULL));
        compare_bytes(ctx, entry->d_name, model, matched, bytes, length);
        cairn_table_free(matched);
        cairn_table_free(table);
        cairn_free(bytes);
        cairn_model_free(model);
        n++;
    }
    closedir(list);
    return n;
}

static void test_predict_library__models_of_earlier_versions(void **state)
{
    assert_true(compare_folder(*state, "tests/models/0.1.0") >= 12);
    assert_true(compare_folder(*state, "tests/models/format-9") >= 6);
}

/* What answers no rows is not in it. */
static void test_predict_library__refuses_by_name_what_is_in_libcairn(void **state)
{
    cairn_context *ctx = *state;
    cairn_model *model, *loaded;
    cairn_params *params;
    char *bytes;
    size_t length;
    cairn_table *table = contract_table(ctx, (contract_data){60, CAIRN_CLUSTER, .missing = false});
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    options.with = (const char *const[]){"drop:colour", NULL};
    assert_ok(ctx, cairn_params_new(ctx, &params, "optics"));
    assert_ok(ctx, cairn_model_fit(ctx, &model, params, table, &options));
    assert_ok(ctx, cairn_model_save_memory(ctx, model, &bytes, &length));
    assert_int_equal(small.model_load_memory(small.ctx, &loaded, "m.cairn", bytes, length),
                     CAIRN_BAD_DATA);
    assert_non_null(strstr(small.message(small.ctx), "there is no learner 'optics' in "
                                                     "libcairn-predict"));
    assert_non_null(strstr(small.message(small.ctx), "libcairn has all of them"));
    cairn_free(bytes);
    cairn_model_free(model);
    cairn_params_free(params);
    cairn_table_free(table);
}
#endif

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
    other = transposed(ctx, model, p, &options);
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
#ifdef CAIRN_PREDICT_LIBRARY
    compare_small(ctx, what, model, rows);
#endif
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
#ifdef CAIRN_PREDICT_LIBRARY
        counting_test(test_predict_library__models_of_earlier_versions),
        counting_test(test_predict_library__refuses_by_name_what_is_in_libcairn),
    };
    return cmocka_run_group_tests(tests, open_small, close_small);
#else
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
#endif
}
