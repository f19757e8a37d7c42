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

/* Learners whose answers have the bits of cairn_model_predict's. */
static const char *const same_bits[] = {"boost", "forest", "linear", "majority", "tree"};

static bool has_same_bits(const char *learner)
{
    for (size_t i = 0; i < sizeof same_bits / sizeof *same_bits; i++)
        if (strcmp(same_bits[i], learner) == 0) return true;
    return false;
}

typedef struct compared {
    const char *what;
    bool bits; /* every bit must be the same */
    size_t n_other_bits;
} compared;

static bool is_near(double a, double b, double rounding)
{
    if (isnan(a) || isnan(b)) return isnan(a) && isnan(b);
    return a == b || fabs(a - b) <= rounding * fmax(1e-3, fmax(fabs(a), fabs(b)));
}

static void compare_numbers(compared *c, size_t row, double a, double b)
{
    c->n_other_bits += !is_near(a, b, 0);
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
        cairn_answer answer;
        read_row(p, table, i, row);
        if (cairn_predictor_row(p, row, &answer, scores))
            fail_msg("%s, row %zu: %s", c->what, i, cairn_predictor_message(p));
        compare_row(c, i, wanted, answer, scores);
    }
    cairn_free(scores);
}

/* The same of all rows at once, column by column. */
static void compare_matrix(cairn_context *ctx, compared *c, cairn_predictor *p,
                           const cairn_table *table, const cairn_prediction *wanted)
{
    size_t n = table->n_rows, d = cairn_predictor_columns(p), k = cairn_predictor_scores(p);
    double *cells, *numbers, *scores, row[64];
    int32_t *codes;
    assert_ok(ctx, NEW(ctx, &cells, n * d + 1));
    assert_ok(ctx, NEW(ctx, &numbers, n));
    assert_ok(ctx, NEW(ctx, &codes, n));
    assert_ok(ctx, NEW(ctx, &scores, n * k + 1));
    for (size_t i = 0; i < n; i++) {
        read_row(p, table, i, row);
        for (size_t j = 0; j < d; j++) cells[j * n + i] = row[j];
    }
    cairn_matrix m = CAIRN_MATRIX_COLUMNS(cells, n, d);
    if (cairn_predictor_rows(p, &m, codes, numbers, scores))
        fail_msg("%s, rows: %s", c->what, cairn_predictor_message(p));
    for (size_t i = 0; i < n; i++)
        compare_row(c, i, wanted, (cairn_answer){codes[i], numbers[i]}, scores + i * k);
    cairn_free(cells);
    cairn_free(numbers);
    cairn_free(codes);
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

/* The predictor of a model beside the model, on rows with missing cells. */
static void compare_model(cairn_context *ctx, const cairn_model *model, cairn_task task,
                          const char *what)
{
    cairn_table *rows = contract_table(ctx, (contract_data){ROWS, task, .missing = true});
    cairn_predictor_options options = CAIRN_PREDICTOR_OPTIONS_INIT;
    compared c = {.what = what, .bits = has_same_bits(cairn_model_learner(model))};
    cairn_prediction wanted;
    cairn_predictor *p;
    options.blank_missing = true;
    assert_ok(ctx, cairn_model_predict_rows(ctx, &wanted, model, rows, cairn_all_rows(rows),
                                            (cairn_predict_wants){.scores = true}, NULL));
    assert_ok(ctx, cairn_predictor_new_with(ctx, &p, model, NULL, 0, &options));
    if (cairn_predictor_is_prepared(p)) {
        compare_cells(ctx, &c, p, rows, &wanted);
        compare_rows(ctx, &c, p, rows, &wanted);
    } else {
        compare_alone(ctx, &c, p, model, rows);
    }
    if (is_plain(p)) compare_matrix(ctx, &c, p, rows, &wanted);
    if (getenv("PREDICTOR_SHOW"))
        print_message("%-24s %s %zu\n", what, cairn_predictor_is_prepared(p) ? "plan" : "learner",
                      c.n_other_bits);
    cairn_predictor_free(p);
    cairn_prediction_clear(&wanted);
    cairn_table_free(rows);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_predictor__every_learner_answers_rows_as_it_predicts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
