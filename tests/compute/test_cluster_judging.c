/* SPDX-License-Identifier: MIT */
/* Judging clusters: partitions against numbers of scikit-learn, clusterers compared and tuned, and
 * all of it when memory runs out. */
#include "support/fail_alloc.h"
#include "support/run.h"

#include "evaluate/clusters.h"
#include "evaluate/compare.h"

#include <math.h>
#include <string.h>

/* adjusted_rand_score, pair_confusion_matrix and adjusted_mutual_info_score of scikit-learn. */
static void test_partition__beside_classes(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    assert_ok(ctx, run_words(ctx, &r,
                             WORDS("compute", "partition", "--actual-labels", "a,a,a,a,b,b,b,c,c,c",
                                   "--labels", "1,1,1,2,2,2,3,3,3,1")));
    assert_number(r, "adjusted-rand", 0.20454545454545456, 1e-12);
    assert_number(r, "pairs.both", 5, 1e-12);
    assert_number(r, "pairs.apart", 26, 1e-12);
    assert_number(r, "adjusted-mutual-information", 0.23728877770133572, 1e-9);
    cairn_report_free(r);
}

/* Two far groups: two clusters are best, and they come again in every sample. */
static const char far_groups[] = "x,y,g\n0,0,a\n0,1,a\n1,0,a\n1,1,a\n0.5,0.4,a\n0.2,0.7,a\n"
                                 "9,9,b\n9,8,b\n8,9,b\n8,8,b\n8.5,8.4,b\n8.2,8.7,b\n";

/* A command on the far groups; the caller frees the report. */
static cairn_status run_far(cairn_context *ctx, cairn_report **out, const char *const *words)
{
    cairn_virtual_files files = {0};
    cairn_status status = cairn_virtual_put(ctx, &files, "far.csv", far_groups, strlen(far_groups));
    if (!status) status = run_words_with(ctx, out, &files, words);
    cairn_virtual_clear(&files);
    return status;
}

static const char *const *tune_words(void)
{
    static const char *const words[] = {"tune", "kmeans",  "far.csv",      "--ignore",
                                        "g",    "--over",  "clusters=2:3", "--by",
                                        "cv:2", "--outer", "cv:2",         NULL};
    return words;
}

static const char *const *compare_words(void)
{
    static const char *const words[] = {"compare",
                                        "kmeans:clusters=2",
                                        "kmeans:clusters=3",
                                        "--on",
                                        "far.csv",
                                        "--target",
                                        "g",
                                        "--by",
                                        "cv:2",
                                        NULL};
    return words;
}

static const char *const *stability_words(void)
{
    static const char *const words[] = {"evaluate",   "kmeans", "far.csv",     "--ignore", "g",
                                        "--clusters", "2",      "--stability", "6",        NULL};
    return words;
}

static const char *const *partition_words(void)
{
    static const char *const words[] = {"compute",
                                        "partition",
                                        "far.csv",
                                        "--actual",
                                        "g",
                                        "--labels",
                                        "1,1,1,1,1,2,2,2,2,2,2,2",
                                        "--must-link",
                                        "1,6",
                                        "--steps",
                                        NULL};
    return words;
}

static void test_clusterers__far_groups(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    assert_ok(ctx, run_far(ctx, &r, tune_words()));
    assert_string_equal(cairn_report_string(r, "best.clusters"), "2");
    cairn_report_free(r);
    assert_ok(ctx, run_far(ctx, &r, compare_words()));
    assert_string_equal(cairn_report_string(r, "best"), "kmeans:clusters=2");
    assert_number(r, "kmeans:clusters=2.adjusted-rand", 1, 1e-12);
    cairn_report_free(r);
    assert_ok(ctx, run_far(ctx, &r, stability_words()));
    assert_number(r, "stability.jaccard", 1, 1e-12);
    assert_number(r, "stability.adjusted-rand", 1, 1e-12);
    cairn_report_free(r);
    assert_ok(ctx, run_far(ctx, &r, partition_words()));
    assert_number(r, "must_link.violated", 1, 1e-12);
    assert_number(r, "rand", 55.0 / 66, 1e-12);
    cairn_report_free(r);
}

/* Two groups of four as a table. */
static cairn_status make_groups(cairn_context *ctx, cairn_table **out)
{
    static const double x[8] = {0, 0, 1, 1, 8, 8, 9, 9}, y[8] = {0, 1, 0, 1, 8, 9, 8, 9};
    static const int32_t codes[8] = {0, 0, 0, 0, 1, 1, 1, 1};
    static const char *const names[] = {"a", "b"};
    CHECK(cairn_table_new(ctx, out, 8));
    CHECK(cairn_table_add_numbers(ctx, *out, "x", x));
    CHECK(cairn_table_add_numbers(ctx, *out, "y", y));
    CHECK(cairn_table_add_levels(ctx, *out, "g", codes, names, 2));
    return cairn_table_set_role(ctx, *out, "g", CAIRN_TARGET);
}

/* Evaluated with stability, compared, tuned: all of the library's side. */
static cairn_status judge_groups(cairn_context *ctx, const cairn_params *params,
                                 const cairn_table *table, cairn_report *report)
{
    cairn_contestant both[2] = {{"one", params}, {"two", params}};
    SCOPED(cairn_contest_clear) cairn_contest contest = {0};
    cairn_contest_options wanted = {.costs = CAIRN_JUDGE_OPTIONS_INIT};
    cairn_evaluate_how how = {.by = "cv:2"};
    cairn_clusters_options options = {.stability = 2};
    CHECK(cairn_evaluate_clusterer(ctx, report, params, table, &options));
    options = (cairn_clusters_options){.by = "cv:2"};
    CHECK(cairn_evaluate_clusterer(ctx, report, params, table, &options));
    CHECK(cairn_contest_clusters(ctx, &contest, report, both, 2, "groups", table, &how, NULL,
                                 &wanted, 0.05, ""));
    return cairn_report_status(report);
}

static cairn_status groups_work(cairn_context *ctx, void *data)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    OWNED(cairn_report_free) cairn_report *report = NULL;
    cairn_params *params = NULL;
    (void)data;
    CHECK(cairn_params_from_spec(ctx, &params, CAIRN_ENTRY_LEARNER, "kmeans:clusters=2"));
    cairn_status status = make_groups(ctx, &table);
    if (!status) status = cairn_report_new(ctx, &report);
    if (!status) status = judge_groups(ctx, params, table, report);
    cairn_params_free(params);
    return status;
}

static cairn_status partition_work(cairn_context *ctx, void *data)
{
    OWNED(cairn_report_free) cairn_report *report = NULL;
    (void)data;
    return run_words(ctx, &report,
                     WORDS("compute", "partition", "--actual-labels", "a,a,b,b", "--labels",
                           "1,1,1,2", "--must-link", "1,2;3,4", "--steps"));
}

static void test_judging__survives_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(partition_work, NULL);
    assert_survives_allocation_failures(groups_work, NULL);
}

/* Five rows that are joined first at 2, 2, 5, 5 and 7 in a tree of the height 49/6. */
static void test_dendrogram__has_a_coefficient(void **state)
{
    cairn_context *ctx = *state;
    OWNED(cairn_report_free) cairn_report *tree = NULL, *fit = NULL;
    assert_ok(ctx, run_words(ctx, &tree, WORDS("compute", "dendrogram", "@distances-five")));
    assert_number(tree, "coefficient", 1 - 21.0 / 5 / (49.0 / 6), 1e-12);
    assert_ok(ctx, run_words(ctx, &fit, WORDS("fit", "hierarchy", "@distances-five", "--steps")));
    assert_number(fit, "coefficient", number_of(tree, "coefficient"), 0);
    assert_number(fit, "cophenetic_correlation", number_of(tree, "cophenetic_correlation"), 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_dendrogram__has_a_coefficient),
        context_test(test_partition__beside_classes),
        context_test(test_clusterers__far_groups),
        context_test(test_judging__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
