/* SPDX-License-Identifier: MIT */
/* A small share of bench/agree/search_random.py: tables of nasty kinds, whose answers are proved or
 * refused for what the data are. */
#include "base/random.h"
#include "model/model.h"
#include "support/learn.h"

enum { MOST_ROWS = 24, MOST_COLUMNS = 3, KINDS = 8, PROBLEMS = 40 };

static const char *const specs[] = {
    "kmeans:clusters=3",
    "kmeans:clusters=2,form=spherical",
    "kmeans:clusters=4,method=bounds,starts=1",
    "kmedoids:clusters=3",
    "kmedoids:clusters=2,method=eager,distance=manhattan",
    "kmedoids:clusters=2,method=alternate",
    "kernel-kmeans:clusters=2,assign=mean",
    "hierarchy:linkage=single",
    "hierarchy:linkage=complete",
    "hierarchy:linkage=average",
    "hierarchy:linkage=weighted",
    "hierarchy:linkage=centroid",
    "hierarchy:linkage=median",
    "hierarchy:linkage=ward",
    "hierarchy:method=diana",
    "hierarchy:method=bisecting",
    "hdbscan:min-size=3",
    "optics:min-points=3",
    "mixture:components=2,starts=2",
    "mixture:components=3,covariance=tied,starts=1,init=random",
    "mixture:components=2,covariance=spherical,starts=1",
    "hmm:states=2,starts=1,floor=1e-6",
};

/* Equal rows, ties, columns that are others, constant ones, scales of all sizes, places far off. */
static double cell(cairn_random *random, size_t kind, size_t j, const double *row)
{
    double x = cairn_random_normal(random);
    switch (kind) {
    case 0: return x;
    case 1: return (double)cairn_random_below(random, 4);
    case 2: return (double)cairn_random_below(random, 2);
    case 3: return j ? 2 * row[0] : x;
    case 4: return j == 1 ? 7e5 : x;
    case 5: return x * pow(10, 8.0 - 8 * (double)j);
    case 6: return x + 1e8;
    default: return x * 1e-8;
    }
}

/* Whether there is an answer. */
static bool solve(cairn_context *ctx, const char *spec, cairn_random *random, size_t kind)
{
    double x[MOST_ROWS * (MOST_COLUMNS + 1)];
    size_t d = 1 + cairn_random_below(random, MOST_COLUMNS);
    size_t n = 1 + cairn_random_below(random, MOST_ROWS), width = d + 1;
    static const char *const names[] = {"w a", "w a b", "w a b c"};
    bool weighted = cairn_random_below(random, 3) == 0;
    fitted f = {0};
    for (size_t i = 0; i < n; i++) {
        double *row = x + i * width;
        row[0] = weighted ? (double)cairn_random_below(random, 3) : 1;
        for (size_t j = 0; j < d; j++) row[1 + j] = cell(random, kind, j, row + 1);
    }
    assert_ok(ctx, table_of(ctx, &f.table, names[d - 1], x, n, width));
    cairn_status status = learn(ctx, &f.model, &f.report, f.table, spec, NULL, "w");
    if (status != CAIRN_OK && status != CAIRN_BAD_DATA)
        fail_msg("%s, kind %zu, %zu rows: %s", spec, kind, n, cairn_message(ctx));
    if (status == CAIRN_OK && !f.model->certificate.has)
        fail_msg("%s, kind %zu: nothing is proved", spec, kind);
    drop(&f);
    return status == CAIRN_OK;
}

static void test_random__answers_are_proved(void **state)
{
    cairn_random random;
    cairn_random_start(&random, 20, 1);
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
        size_t answered = 0;
        for (size_t i = 0; i < PROBLEMS; i++)
            answered += solve(*state, specs[s], &random, i % KINDS);
        assert_true(answered > PROBLEMS / 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_random__answers_are_proved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
