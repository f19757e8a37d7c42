/* SPDX-License-Identifier: MIT */
/* Random hostile tables: every answer of a linear learner is proved or refused. bench/agree/
 * linear_random.py does thousands of them, with peers. */
#include "support/learn.h"
#include "base/random.h"

enum { CASES = 60, MOST_ROWS = 30, MOST_COLUMNS = 8 };

typedef struct hostile {
    size_t n, p; /* rows, columns with the target */
    double cells[MOST_ROWS * MOST_COLUMNS];
} hostile;

/* Columns of many scales, copies of columns and rows, constants, means far from 0. */
static void draw(cairn_random *random, hostile *h, bool classes)
{
    h->n = 3 + (size_t)cairn_random_below(random, MOST_ROWS - 3);
    h->p = 2 + (size_t)cairn_random_below(random, MOST_COLUMNS - 2);
    for (size_t j = 0; j + 1 < h->p; j++) {
        double scale = pow(10, (double)cairn_random_below(random, 13) - 6);
        double mean = cairn_random_below(random, 3) ? 0 : 100;
        bool copy = j && cairn_random_below(random, 4) == 0;
        bool same = cairn_random_below(random, 8) == 0;
        for (size_t i = 0; i < h->n; i++) {
            double *row = h->cells + i * h->p, draw = cairn_random_uniform(random) - 0.5;
            row[j] = copy ? 2 * row[j - 1] + 1 : same ? mean : (draw + mean) * scale;
        }
    }
    for (size_t i = 0; i < h->n; i++) {
        double *row = h->cells + i * h->p, draw = cairn_random_uniform(random);
        row[h->p - 1] = classes ? i < 2 ? (double)i : draw < 0.4 : 3 * draw;
        if (i && cairn_random_below(random, 5) == 0)
            memcpy(row, h->cells, (h->p - 1) * sizeof *row);
    }
}

static void judge(cairn_context *ctx, const char *spec, uint64_t stream, bool classes)
{
    static const char *const names[] = {"y",         "a y",         "a b y",         "a b c y",
                                        "a b c d y", "a b c d e y", "a b c d e f y", NULL};
    size_t proved = 0;
    for (uint64_t c = 0; c < CASES; c++) {
        cairn_random random;
        hostile h;
        fitted f = {0};
        cairn_random_start(&random, 17 + c, stream);
        draw(&random, &h, classes);
        assert_ok(ctx, table_of(ctx, &f.table, names[h.p - 1], h.cells, h.n, h.p));
        assert_ok(ctx, cairn_table_set_role(ctx, f.table, "y", CAIRN_TARGET));
        cairn_status status =
            learn(ctx, &f.model, &f.report, f.table, spec, classes ? NULL : "y", NULL);
        const char *said = status ? cairn_message(ctx) : "";
        if (strstr(said, "not the one that is sought"))
            fail_msg("%s, case %d: %s", spec, (int)c, said);
        if (status == CAIRN_USAGE) fail_msg("%s", said);
        assert_true(status == CAIRN_OK || status == CAIRN_NO_SOLUTION || status == CAIRN_BAD_DATA);
        proved += status == CAIRN_OK;
        drop(&f);
    }
    assert_true(proved > CASES / 2);
}

static void test_linear_proofs__numbers(void **state)
{
    static const char *const specs[] = {"linear",
                                        "linear:intercept=no,solver=svd",
                                        "ridge:lambda=1e-6",
                                        "ridge:lambda=1000",
                                        "gls:rho=0.7",
                                        "lasso:lambda=1",
                                        "lasso:lambda=0.1,mix=0.5",
                                        "huber:deviation=0.5",
                                        "kernel-ridge:lambda=0.1",
                                        "quantile-regression",
                                        "glm"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) judge(*state, specs[i], i, false);
}

static void test_linear_proofs__classes(void **state)
{
    judge(*state, "logistic:lambda=0.1", 100, true);
    judge(*state, "logistic:lambda=1,penalty=l1", 101, true);
    judge(*state, "least-squares-classifier", 102, true);
    judge(*state, "discriminant", 103, true);
    judge(*state, "basic-linear:matrix=pooled", 104, true);
}

/* More columns than rows: the solution of least norm, which meets every row. */
static void test_linear_proofs__more_columns_than_rows(void **state)
{
    enum { ROWS = 6, COLUMNS = 601 };
    static double cells[ROWS * COLUMNS];
    static char text[COLUMNS * 6];
    static const char *const specs[] = {"linear", "gls:rho=0.3", "tls", "pls"};
    cairn_random random;
    cairn_random_start(&random, 5, 0);
    for (size_t i = 0; i < ROWS * COLUMNS; i++) cells[i] = cairn_random_uniform(&random);
    for (size_t j = 0, at = 0; j < COLUMNS; j++)
        at += (size_t)snprintf(text + at, sizeof text - at, j + 1 < COLUMNS ? "c%zu " : "y", j);
    for (size_t i = 0; i < 4; i++) {
        fitted f = fit_numbers(*state, specs[i], text, cells, ROWS, COLUMNS, "y");
        if (i == 0) assert_value(f.report, "rank", ROWS - 1, 0);
        drop(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_linear_proofs__numbers),
        context_test(test_linear_proofs__classes),
        context_test(test_linear_proofs__more_columns_than_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
