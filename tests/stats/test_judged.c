/* SPDX-License-Identifier: MIT */
/* Measures of predictions beside the truth, against naive sums on random small tables, and what
 * the sums mean by hand. */
#include "support/unit.h"
#include "base/memory.h"
#include "base/random.h"
#include "stats/measure.h"
#include <math.h>

enum { CASES = 2000, MOST_ROWS = 24, MOST_CLASSES = 5 };

typedef struct small {
    double weights[MOST_ROWS], scores[MOST_ROWS * MOST_CLASSES];
    double number[MOST_ROWS], said[MOST_ROWS];
    int32_t actual[MOST_ROWS], predicted[MOST_ROWS];
    cairn_judged j;
} small;

static double measured(cairn_context *ctx, const char *name, const cairn_judged *j)
{
    const cairn_measure *m =
        (const cairn_measure *)cairn_entry_find(NULL, CAIRN_ENTRY_MEASURE, name);
    double value;
    assert_non_null(m);
    assert_ok(ctx, m->value(ctx, &value, j));
    return value;
}

static void assert_same(const char *name, double got, double wanted, size_t at)
{
    if (isnan(got) && isnan(wanted)) return;
    if (!(fabs(got - wanted) < 1e-9))
        fail_msg("case %zu, %s: %.17g is not %.17g", at, name, got, wanted);
}

static size_t below(cairn_random *r, size_t n)
{
    return (size_t)cairn_random_below(r, n);
}

/* Few rows, some of no weight, of unknown class or without an answer, many tied scores. */
static void draw(small *s, cairn_random *r, bool classes)
{
    size_t n = 1 + below(r, MOST_ROWS), k = classes ? 1 + below(r, MOST_CLASSES) : 0;
    bool gaps = below(r, 2);
    s->j = (cairn_judged){.n = n, .weights = s->weights, .n_classes = k, .positive = -1};
    if (k == 2 && below(r, 4)) s->j.positive = (int32_t)below(r, 2);
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        s->weights[i] = below(r, 3) ? 1 : (double)below(r, 4) / 2;
        s->actual[i] = gaps && !below(r, 8) ? -1 : (int32_t)below(r, k ? k : 1);
        s->predicted[i] =
            gaps && !below(r, 8) ? -1 - (int32_t)below(r, 2) : (int32_t)below(r, k ? k : 1);
        for (size_t c = 0; c < k; c++) sum += s->scores[i * k + c] = 1 + (double)below(r, 4);
        for (size_t c = 0; c < k; c++) s->scores[i * k + c] /= sum;
        s->number[i] = (double)below(r, 7) - 3;
        s->said[i] = gaps && !below(r, 8) ? NAN : (double)below(r, 7) - 3;
    }
    if (classes) {
        s->j.actual = s->actual;
        s->j.predicted = s->predicted;
        s->j.scores = s->scores;
    } else {
        s->j.actual_number = s->number;
        s->j.predicted_number = s->said;
    }
}

/* Weight of the rows of which both are so; class -1 = whatever it is. */
static double cell(const small *s, int32_t actual, int32_t predicted)
{
    double sum = 0;
    for (size_t i = 0; i < s->j.n; i++)
        if ((actual < 0 || s->actual[i] == actual) &&
            (predicted < 0 || s->predicted[i] == predicted))
            sum += s->weights[i];
    return sum;
}

typedef double (*class_measure)(double tp, double is, double says);

static double precision_of(double tp, double is, double says)
{
    return says > 0 ? tp / says : is > 0 ? 0 : NAN;
}

static double recall_of(double tp, double is, double says)
{
    (void)says;
    return is > 0 ? tp / is : NAN;
}

static double f1_of(double tp, double is, double says)
{
    return is + says > 0 ? 2 * tp / (is + says) : NAN;
}

static double naive_classes(const small *s, class_measure of, bool positive)
{
    double sum = 0, n = 0;
    for (int32_t c = 0; c < (int32_t)s->j.n_classes; c++) {
        double is = cell(s, c, -1), value = of(cell(s, c, c), is, cell(s, -1, c));
        if (positive && s->j.positive == c) return value;
        if (!(is > 0)) continue;
        sum += value;
        n++;
    }
    return n > 0 ? sum / n : NAN;
}

static double naive_auc(const small *s, int32_t c)
{
    double right = 0, pairs = 0;
    size_t k = s->j.n_classes;
    for (size_t a = 0; a < s->j.n; a++)
        for (size_t b = 0; b < s->j.n; b++) {
            if (s->actual[a] != c || s->actual[b] == c || s->actual[b] < 0) continue;
            double w = s->weights[a] * s->weights[b];
            double x = s->scores[a * k + (size_t)c], y = s->scores[b * k + (size_t)c];
            right += w * (x > y ? 1 : x == y ? 0.5 : 0);
            pairs += w;
        }
    return pairs > 0 ? right / pairs : NAN;
}

/* Precision at the score of every positive row, each as often as it weighs. */
static double naive_average_precision(const small *s, int32_t c)
{
    double sum = 0, all = 0;
    size_t k = s->j.n_classes;
    for (size_t a = 0; a < s->j.n; a++) {
        double tp = 0, said = 0;
        if (s->actual[a] != c) continue;
        for (size_t b = 0; b < s->j.n; b++) {
            if (s->actual[b] < 0 || s->scores[b * k + (size_t)c] < s->scores[a * k + (size_t)c])
                continue;
            said += s->weights[b];
            tp += s->actual[b] == c ? s->weights[b] : 0;
        }
        if (said > 0) sum += s->weights[a] * tp / said;
        all += s->weights[a];
    }
    return all > 0 ? sum / all : NAN;
}

static double naive_ranking(const small *s, double (*of)(const small *s, int32_t c))
{
    double sum = 0, total = 0;
    if (s->j.positive >= 0) return of(s, s->j.positive);
    for (int32_t c = 0; c < (int32_t)s->j.n_classes; c++) {
        double value = of(s, c), w = cell(s, c, -1);
        if (isnan(value) || !(w > 0)) continue;
        sum += w * value;
        total += w;
    }
    return total > 0 ? sum / total : NAN;
}

/* Correlation of the indicators of all classes; what is unknown and what is not answered are two
 * values of their own. */
static double naive_mcc(const small *s)
{
    int32_t k = (int32_t)s->j.n_classes;
    double total = cell(s, -1, -1), xy = 0, xx = 0, yy = 0, unknown = total, silent = total;
    for (int32_t c = 0; c < k; c++) {
        double x = cell(s, c, -1) / total, y = cell(s, -1, c) / total;
        xy += cell(s, c, c) / total - x * y;
        xx += x - x * x;
        yy += y - y * y;
        unknown -= cell(s, c, -1);
        silent -= cell(s, -1, c);
    }
    xx += unknown / total - unknown / total * unknown / total;
    yy += silent / total - silent / total * silent / total;
    return xx > 1e-12 && yy > 1e-12 ? xy / sqrt(xx * yy) : NAN;
}

static double naive_kappa(const small *s)
{
    double total = cell(s, -1, -1), right = 0, chance = 0;
    for (int32_t c = 0; c < (int32_t)s->j.n_classes; c++) {
        right += cell(s, c, c) / total;
        chance += cell(s, c, -1) / total * cell(s, -1, c) / total;
    }
    return chance < 1 - 1e-12 ? (right - chance) / (1 - chance) : NAN;
}

static void check_classes(cairn_context *ctx, const small *s, size_t at)
{
    double right = 0, total = cell(s, -1, -1), brier = 0, known = 0;
    size_t k = s->j.n_classes;
    for (int32_t c = 0; c < (int32_t)k; c++) right += cell(s, c, c);
    for (size_t i = 0; i < s->j.n; i++) {
        if (s->actual[i] < 0) continue;
        for (size_t c = 0; c < k; c++)
            brier +=
                s->weights[i] * pow(s->scores[i * k + c] - ((int32_t)c == s->actual[i]), 2) / 2;
        known += s->weights[i];
    }
    assert_same("accuracy", measured(ctx, "accuracy", &s->j), total > 0 ? right / total : NAN, at);
    assert_same("precision", measured(ctx, "precision", &s->j),
                naive_classes(s, precision_of, true), at);
    assert_same("recall", measured(ctx, "recall", &s->j), naive_classes(s, recall_of, true), at);
    assert_same("f1", measured(ctx, "f1", &s->j), naive_classes(s, f1_of, true), at);
    assert_same("average-recall", measured(ctx, "average-recall", &s->j),
                naive_classes(s, recall_of, false), at);
    assert_same("auc", measured(ctx, "auc", &s->j), naive_ranking(s, naive_auc), at);
    assert_same("average-precision", measured(ctx, "average-precision", &s->j),
                naive_ranking(s, naive_average_precision), at);
    assert_same("brier", measured(ctx, "brier", &s->j), known > 0 ? brier / known : NAN, at);
    if (!(total > 0)) return;
    assert_same("kappa", measured(ctx, "kappa", &s->j), naive_kappa(s), at);
    assert_same("mcc", measured(ctx, "mcc", &s->j), naive_mcc(s), at);
}

static void check_numbers(cairn_context *ctx, const small *s, size_t at)
{
    double weight = 0, squares = 0, absolute = 0, mean = 0, spread = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < s->j.n; i++) {
            if (isnan(s->said[i])) continue;
            double w = s->weights[i], error = s->said[i] - s->number[i];
            if (pass)
                spread += w * pow(s->number[i] - mean / weight, 2);
            else
                weight += w, squares += w * error * error, absolute += w * fabs(error),
                    mean += w * s->number[i];
        }
    bool any = weight > 0;
    assert_same("mse", measured(ctx, "mse", &s->j), any ? squares / weight : NAN, at);
    assert_same("rmse", measured(ctx, "rmse", &s->j), any ? sqrt(squares / weight) : NAN, at);
    assert_same("mae", measured(ctx, "mae", &s->j), any ? absolute / weight : NAN, at);
    if (spread > 1e-9) assert_same("r2", measured(ctx, "r2", &s->j), 1 - squares / spread, at);
}

static void test_measures__agree_with_naive_sums(void **state)
{
    cairn_random random;
    small s;
    for (size_t at = 0; at < CASES; at++) {
        cairn_scratch_mark mark = cairn_scratch_now(*state);
        cairn_random_start(&random, 15, at);
        draw(&s, &random, true);
        check_classes(*state, &s, at);
        draw(&s, &random, false);
        check_numbers(*state, &s, at);
        cairn_scratch_release(*state, mark);
    }
}

/* Three groups of rows are three things that were seen, however many rows they have. */
static void test_judged__groups_and_weights_are_not_rows(void **state)
{
    int32_t codes[] = {0, 0, 0, 0, 0, 0};
    double twos[] = {2, 2, 2, 2, 2, 2}, rows;
    uint32_t units[] = {0, 0, 1, 1, 2, 2};
    cairn_judged j = {.n = 6, .n_classes = 1, .positive = -1, .actual = codes, .predicted = codes};
    assert_ok(*state, cairn_judged_effective(*state, &rows, &j));
    assert_true(rows == 6);
    j.weights = twos;
    assert_ok(*state, cairn_judged_effective(*state, &rows, &j));
    assert_true(rows == 6);
    j.units = units;
    assert_ok(*state, cairn_judged_effective(*state, &rows, &j));
    assert_true(fabs(rows - 3) < 1e-12);
    j.units = NULL;
    j.repeats = 2;
    assert_ok(*state, cairn_judged_effective(*state, &rows, &j));
    assert_true(rows == 3);
}

/* Of 3 rows of class a and 1 of b, where missing a b costs 9: saying b is cheaper than the
 * majority. */
static void test_judged__cheapest_constant(void **state)
{
    int32_t actual[] = {0, 0, 0, 1}, predicted[] = {0, 0, 1, -1};
    double costs[] = {0, 1, 9, 0};
    cairn_judged j = {.n = 4, .n_classes = 2, .actual = actual, .predicted = predicted};
    cairn_cost cost;
    assert_ok(*state, cairn_judged_cost(*state, &cost, &j, costs));
    assert_true(cost.total == 10 && cost.mean == 2.5); /* no answer costs as the worst */
    assert_true(cost.cheapest == 1 && cost.baseline == 0.75);
    assert_true(fabs(cost.error - 10.0 / 12) < 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_measures__agree_with_naive_sums),
        context_test(test_judged__groups_and_weights_are_not_rows),
        context_test(test_judged__cheapest_constant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
