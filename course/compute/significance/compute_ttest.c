/* SPDX-License-Identifier: MIT */
/* cairn compute t-test: learners compared over the folds of one data set, pair by pair.
 *
 * The differences of two learners on the same folds have the mean m and the deviation s (by k - 1);
 * t = m / (s / sqrt k) with k - 1 degrees of freedom. Training sets of a resampling overlap, which
 * makes this test too eager; --share (test rows / training rows) puts 1/k + share in place of
 * 1/k. */
#include "typed/results.h"

#include "base/memory.h"
#include "plots/test_steps.h"
#include "typed/shown.h"
#include "report/table_rows.h"

#include <math.h>

typedef struct ttest_params {
    const char *differences;
    double share, alpha;
    bool five_by_two;
    int columns;
} ttest_params;

static const cairn_param ttest_table[] = {
    CAIRN_PARAM_AS(ttest_params, differences, CAIRN_TYPE_LIST, NULL,
                   "differences per fold, typed; otherwise those of each pair of number columns"),
    CAIRN_PARAM_CHOICE(ttest_params, columns, "auto", cairn_columns_choices,
                       "what the number columns of a table hold", .when = "!differences"),
    CAIRN_PARAM(ttest_params, share, "0", "[0,inf)",
                "test rows / training rows: corrects for overlapping training sets (Nadeau and "
                "Bengio); 0 = Student's test"),
    CAIRN_PARAM(ttest_params, alpha, "0.05", "(0,1)", "level of the test"),
    CAIRN_PARAM(ttest_params, five_by_two, "no", NULL,
                "the ten rows are five halvings, each used both ways: add Dietterich's t and "
                "Alpaydin's F"),
    CAIRN_PARAM_END,
};

/* -- one comparison -- */

static void begin_intervals(cairn_report *out, double level)
{
    cairn_begin_intervals(out, "Intervals of the mean difference", level);
    cairn_report_columns(out, "lrrr", "difference", "mean", "low", "high");
}

static void show_interval(cairn_report *out, const char *label, const cairn_t_test *t,
                          const char *prefix)
{
    cairn_report_cell(out, label);
    cairn_report_cell_difference(out, t->mean, t->deviation, 0, NULL);
    cairn_report_cell_number(out, t->interval.low, 0, "%slow", prefix);
    cairn_report_cell_number(out, t->interval.high, 0, "%shigh", prefix);
}

static void begin_tests(cairn_report *out)
{
    static const char *const heads[] = {"mean", "deviation", "t", "df", "p, two sides"};
    cairn_report_table_of(out, "Paired tests", (size_t)-1, "l", "difference");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        cairn_report_column(out, heads[i], 'r');
}

/* `prefix` ends with a dot or is empty. */
static void show_test(cairn_report *out, const char *label, const cairn_t_test *t, double alpha,
                      const char *prefix)
{
    cairn_report_hidden(out, t->p_upper, "%sp.upper", prefix);
    cairn_report_hidden(out, t->p_lower, "%sp.lower", prefix);
    cairn_report_hidden(out, t->error, "%serror", prefix);
    cairn_report_hidden_word(out, t->p_two <= alpha ? "yes" : "no", "%ssignificant", prefix);
    if (t->p_two <= alpha) cairn_report_row_mark(out);
    cairn_report_cell(out, label);
    cairn_report_cell_difference(out, t->mean, t->deviation, 0, "%smean", prefix);
    cairn_report_prefix(out, "%s", prefix);
    cairn_report_cells(out, "@deviation @t @df @p.two", t->deviation, t->t, t->df, t->p_two);
}

static cairn_status show_five_by_two(cairn_context *ctx, cairn_report *out, const double *d,
                                     size_t n, const char *prefix, bool steps)
{
    cairn_five_by_two f;
    if (n != 10)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "{five-by-two} wants ten differences, two of each of five halvings, and "
                          "there are %zu",
                          n);
    cairn_five_by_two_of(&f, d);
    cairn_report_value(out, "t of 5 x 2 (5 degrees)", f.t, "%sfive_by_two.t", prefix);
    cairn_report_value(out, "p", f.p_t, "%sfive_by_two.p", prefix);
    cairn_report_value(out, "F of 5 x 2 (10 and 5 degrees)", f.f, "%sfive_by_two.f", prefix);
    cairn_report_value(out, "p", f.p_f, "%sfive_by_two.p_f", prefix);
    if (steps) cairn_steps_five_by_two(out, d, &f);
    return CAIRN_OK;
}

/* What is tested: the difference of every pair of columns, or columns that hold differences, each
 * by itself: `b` is then the number of columns. */
typedef struct test_pairs {
    const cairn_results *r;
    bool differences;
} test_pairs;

static size_t first_other(const test_pairs *pairs, size_t a)
{
    return pairs->differences ? pairs->r->k : a + 1;
}

static size_t end_other(const test_pairs *pairs)
{
    return pairs->r->k + pairs->differences;
}

static void add_pair(cairn_text *text, const test_pairs *pairs, size_t a, size_t b)
{
    cairn_text_add(text, pairs->r->names[a]);
    if (!pairs->differences) cairn_text_addf(text, " − %s", pairs->r->names[b]);
}

static double difference_at(const test_pairs *pairs, size_t i, size_t a, size_t b)
{
    const double *row = pairs->r->values + i * pairs->r->k;
    return pairs->differences ? row[a] : row[a] - row[b];
}

/* What is shown of every pair: its test, its interval, the tests of five halvings, or the work. */
typedef enum pair_part { PART_TEST, PART_INTERVAL, PART_FIVE, PART_STEPS } pair_part;

/* Called once for each table, so that tests and intervals of all pairs stand together. */
static cairn_status compare_pairs(cairn_context *ctx, cairn_report *out, const ttest_params *p,
                                  const test_pairs *pairs, pair_part part, bool steps)
{
    cairn_status status;
    const cairn_results *r = pairs->r;
    double *d, *first, *second;
    TRY(SCRATCH_EACH(ctx, r->n, &d, &first, &second));
    for (size_t a = 0; a < r->k; a++)
        for (size_t b = first_other(pairs, a); b < end_other(pairs); b++) {
            cairn_t_test t;
            cairn_text name = cairn_text_start(ctx), prefix = cairn_text_start(ctx);
            for (size_t i = 0; i < r->n; i++) {
                d[i] = difference_at(pairs, i, a, b);
                first[i] = r->values[i * r->k + a];
                second[i] = first[i] - d[i];
            }
            cairn_t_test_of(&t, d, r->n, p->share, 1 - p->alpha);
            add_pair(&name, pairs, a, b);
            cairn_text_add(&prefix, cairn_report_key(out, r->names[a]));
            if (!pairs->differences)
                cairn_text_addf(&prefix, "-%s", cairn_report_key(out, r->names[b]));
            cairn_text_add(&prefix, ".");
            const char *label = cairn_text_string(&name), *key = cairn_text_string(&prefix);
            status = cairn_text_status(&prefix);
            if (part == PART_TEST) show_test(out, label, &t, p->alpha, key);
            if (part == PART_INTERVAL) show_interval(out, label, &t, key);
            if (part == PART_STEPS)
                cairn_steps_t_test(out,
                                   &(cairn_paired){label, pairs->differences ? NULL : first,
                                                   pairs->differences ? NULL : second, d, r->n},
                                   &t, p->share, key);
            if (part == PART_FIVE && !status)
                status = show_five_by_two(ctx, out, d, r->n, key, steps);
            cairn_text_clear(&name);
            cairn_text_clear(&prefix);
            if (status) goto done;
        }
done:
    return status;
}

/* All pairs side by side: the difference in every fold, then average, deviation and p. Too many
 * pairs for a page are left to the table of tests. */
static cairn_status show_differences(cairn_context *ctx, cairn_report *out, const ttest_params *p,
                                     const test_pairs *pairs)
{
    const cairn_results *r = pairs->r;
    enum { MOST_PAIRS = 6, N_SUMMARIES = 3 };
    static const char *const titles[N_SUMMARIES] = {"average", "deviation", "p, two sides"};
    double *d;
    if (pairs->differences || r->k * (r->k - 1) / 2 > MOST_PAIRS) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &d, r->n));
    cairn_report_table_of(out, "Differences by fold", (size_t)-1, "l", "fold");
    for (size_t a = 0; a < r->k; a++)
        for (size_t b = a + 1; b < r->k; b++) {
            cairn_text head = cairn_text_start(ctx);
            cairn_text_addf(&head, "%s − %s", r->names[a], r->names[b]);
            cairn_report_column(out, cairn_text_string(&head), 'r');
            cairn_report_failed(out, cairn_text_status(&head));
            cairn_text_clear(&head);
        }
    for (size_t i = 0; i < r->n; i++) {
        char fold[CAIRN_NUMBER_SIZE];
        cairn_number_format(fold, (double)i + 1, 0);
        cairn_report_cell(out, fold);
        for (size_t a = 0; a < r->k; a++)
            for (size_t b = a + 1; b < r->k; b++)
                cairn_report_cell_number(out, r->values[i * r->k + a] - r->values[i * r->k + b], 0,
                                         NULL);
    }
    for (size_t s = 0; s < N_SUMMARIES; s++) {
        cairn_report_cell(out, titles[s]);
        for (size_t a = 0; a < r->k; a++)
            for (size_t b = a + 1; b < r->k; b++) {
                cairn_t_test t;
                for (size_t i = 0; i < r->n; i++)
                    d[i] = r->values[i * r->k + a] - r->values[i * r->k + b];
                cairn_t_test_of(&t, d, r->n, p->share, 1 - p->alpha);
                const double summaries[N_SUMMARIES] = {t.mean, t.deviation, t.p_two};
                cairn_report_cell_number(out, summaries[s], 0, NULL);
            }
    }
    return CAIRN_OK;
}

static cairn_status test_typed(cairn_context *ctx, cairn_report *out, const ttest_params *p,
                               bool steps)
{
    double *d;
    size_t n;
    cairn_t_test t;
    CHECK(cairn_differences_of(ctx, &d, &n, p->differences, NULL));
    cairn_t_test_of(&t, d, n, p->share, 1 - p->alpha);
    begin_tests(out);
    show_test(out, "first − second", &t, p->alpha, "");
    begin_intervals(out, 1 - p->alpha);
    show_interval(out, "first − second", &t, "");
    if (p->five_by_two) CHECK(show_five_by_two(ctx, out, d, n, "", steps));
    if (steps)
        cairn_steps_t_test(out, &(cairn_paired){"first − second", NULL, NULL, d, n}, &t, p->share,
                           "");
    cairn_report_verdict(out, t.p_two, p->alpha, "significant");
    return CAIRN_OK;
}

/* With more than two learners some pair differs by chance; the note names the test for all of
 * them. */
static cairn_status ttest_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const ttest_params *p = job->params;
    cairn_results results;
    cairn_report_heading(out, 1, "Paired t-test");
    cairn_report_formula(out, p->share > 0 ? "t = mean / (s · √(1/k + test/train))"
                                           : "t = mean / (s / √k)");
    if (p->differences) return test_typed(ctx, out, p, job->steps);
    if (!job->table)
        return cairn_fail(
            ctx, CAIRN_USAGE,
            "name a table with a column of results per learner, or type {differences}");
    CHECK(cairn_results_of(ctx, &results, job->table,
                           p->columns == CAIRN_COLUMNS_DIFFERENCES ? 1 : 2));
    test_pairs pairs = {&results, cairn_are_differences(ctx, &results, p->columns)};
    cairn_report_table_of(out, pairs.differences ? "Differences by fold" : "Results", (size_t)-1,
                          "l", "fold");
    for (size_t j = 0; j < results.k; j++) cairn_report_column(out, results.names[j], 'r');
    for (size_t i = 0; i < results.n; i++) {
        cairn_report_cells(out, NULL, i + 1,
                           cairn_cell_row(results.values + i * results.k, results.k));
    }
    /* One column's mean and deviation are those of its differences from 0. */
    double *column;
    cairn_t_test t;
    CHECK(SCRATCH(ctx, &column, results.n));
    cairn_report_table_of(out, "Averages", (size_t)-1, "lrr",
                          pairs.differences ? "difference" : "learner", "average",
                          "deviation (k − 1)");
    for (size_t j = 0; j < results.k; j++) {
        for (size_t i = 0; i < results.n; i++) column[i] = results.values[i * results.k + j];
        cairn_t_test_of(&t, column, results.n, 0, 0.95);
        cairn_report_cells(out, "- $1.mean $1.deviation", results.names[j], t.mean, t.deviation);
    }
    CHECK(show_differences(ctx, out, p, &pairs));
    begin_tests(out);
    CHECK(compare_pairs(ctx, out, p, &pairs, PART_TEST, job->steps));
    begin_intervals(out, 1 - p->alpha);
    CHECK(compare_pairs(ctx, out, p, &pairs, PART_INTERVAL, job->steps));
    if (p->five_by_two) CHECK(compare_pairs(ctx, out, p, &pairs, PART_FIVE, job->steps));
    if (job->steps) CHECK(compare_pairs(ctx, out, p, &pairs, PART_STEPS, job->steps));
    if (results.k > 2 || (pairs.differences && results.k > 1))
        cairn_report_note(out, "With several pairs, some come out significant by chance; "
                               "'compute friedman' compares all learners at once.");
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_ttest = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "t-test",
              .also = "paired t-test, Student t, Student test, corrected resampled t-test",
              .title = "Paired t-test",
              .summary =
                  "Compares learners over the same folds: the mean difference, its deviation, "
                  "Student's t with the two-sided p-value and an interval, for every pair of "
                  "number columns of a table or for typed differences. The corrected resampled "
                  "test and the tests for five halvings are options.",
              .references =
                  "Mitchell: Machine Learning, 1997, chapter 5; Nadeau and Bengio: Machine "
                  "Learning 52, 2003; Dietterich: Neural Computation 10, 1998; Alpaydin: "
                  "Neural Computation 11, 1999",
              .example = "cairn compute t-test @cv-accuracies",
              .params = ttest_table,
              .params_size = sizeof(ttest_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .run = ttest_run,
};
