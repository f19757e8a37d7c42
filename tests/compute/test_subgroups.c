/* SPDX-License-Identifier: MIT */
/* Subgroups: named, typed, searched, and covered with weights. */
#include "support/run.h"
#include <math.h>

static void assert_value(const cairn_report *report, const char *name, double expected)
{
    assert_number(report, name, expected, 1e-9);
}

static void assert_word(const cairn_report *report, const char *name, const char *expected)
{
    const char *found = cairn_report_string(report, name);
    if (!found) fail_msg("there is no word %s", name);
    assert_string_equal(found, expected);
}

/* Both measures and their ranks. */
static void test_subgroups__typed_counts(void **state)
{
    cairn_report *r;
    assert_ok(*state,
              run_words(*state, &r, WORDS("compute", "subgroups", "--counts", "5,5;0,4;5,1;2,0")));
    assert_value(r, "group.1.recall", 0.1);
    assert_value(r, "group.2.lift", 5.0 / 3);
    assert_value(r, "group.3.precision", 0.75);
    assert_word(r, "group.2.rank_precision", "2-3");
    assert_word(r, "group.2.rank_recall", "1-2");
    cairn_report_free(r);
}

static void test_subgroups__searched(void **state)
{
    cairn_report *r;
    assert_ok(*state, run_words(*state, &r,
                                WORDS("compute", "subgroups", "@dolphins", "--max-literals", "1")));
    assert_value(r, "subgroups", 9);
    assert_word(r, "group.best", "gills = no");
    cairn_report_free(r);
    assert_ok(*state, run_words(*state, &r,
                                WORDS("compute", "subgroups", "@dolphins", "--max-literals", "3",
                                      "--min-size", "4", "--quality", "precision")));
    assert_word(r, "group.best", "gills = yes");
    cairn_report_free(r);
    assert_ok(*state, run_words(*state, &r,
                                WORDS("compute", "subgroups", "@iris", "--positive", "virginica",
                                      "--depth", "2", "--cuts", "9")));
    assert_value(r, "share", 1.0 / 3);
    cairn_report_free(r);
}

/* Covering ends when the best subgroup comes again, be it of an earlier round. */
static void test_subgroups__covering_does_not_go_round(void **state)
{
    cairn_report *r;
    assert_ok(*state,
              run_words(*state, &r, WORDS("compute", "subgroups", "@weather", "--covering")));
    assert_value(r, "rounds", 2);
    assert_word(r, "ended", "the best subgroup was taken in an earlier round");
    cairn_report_free(r);
}

/* A condition that changes nothing is left out wherever its column stands. */
static void test_subgroups__order_of_columns(void **state)
{
    /* every x is hot, so that "a = x & b = hot" is "a = x" */
    static const char *const tables[] = {
        "a,b,c,play\nx,hot,u,yes\nx,hot,v,no\ny,hot,u,no\ny,cold,v,yes\nz,cold,u,no\n",
        "b,a,c,play\nhot,x,u,yes\nhot,x,v,no\nhot,y,u,no\ncold,y,v,yes\ncold,z,u,no\n",
        "c,b,a,play\nu,hot,x,yes\nv,hot,x,no\nu,hot,y,no\nv,cold,y,yes\nu,cold,z,no\n"};
    double first = 0;
    for (size_t i = 0; i < 3; i++) {
        cairn_report *r;
        cairn_virtual_files files = {0};
        assert_ok(*state, cairn_virtual_put(*state, &files, "w.csv", tables[i], strlen(tables[i])));
        assert_ok(*state, run_words_with(*state, &r, &files,
                                         WORDS("compute", "subgroups", "w.csv", "--target", "play",
                                               "--depth", "3")));
        double n = number_of(r, "subgroups");
        if (i == 0) first = n;
        assert_true(n == first);
        cairn_report_free(r);
        cairn_virtual_clear(&files);
    }
}

/* The second round sees the rows of the first at a quarter of their weight. */
static void test_subgroups__covering_ends(void **state)
{
    cairn_report *r;
    assert_ok(*state, run_words(*state, &r,
                                WORDS("compute", "subgroups", "@dolphins", "--covering", "--groups",
                                      "gills = yes; gills = no", "--factor", "0.25")));
    assert_word(r, "round1.taken", "gills = yes");
    assert_value(r, "round2.negatives", 2);
    assert_value(r, "round2.positives", 5);
    cairn_report_free(r);
}

/* Five of five positives among six of ten rows: 2 x 5/210; four tests. */
static void test_subgroups__chances_and_corrections(void **state)
{
    static const struct {
        const char *correct;
        double gills_no, length3;
    } cases[] = {
        {"none", 10.0 / 210, 4.0 / 9},
        {"bonferroni", 40.0 / 210, 1},
        {"holm", 40.0 / 210, 8.0 / 9},
        {"fdr", 20.0 / 210, 4.0 / 9 * 4 / 3},
    };
    cairn_report *r;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_ok(*state, run_words(*state, &r,
                                    WORDS("compute", "subgroups", "@dolphins", "--groups",
                                          "gills = no; gills = yes; length = 3; teeth = many",
                                          "--correct", cases[i].correct)));
        assert_value(r, "group.gills = no.p", 10.0 / 210);
        assert_value(r, "group.gills = no.p_corrected", cases[i].gills_no);
        assert_value(r, "group.length = 3.p", 4.0 / 9);
        assert_value(r, "group.length = 3.p_corrected", cases[i].length3);
        assert_value(r, "group.gills = no.wracc", 0.5 - 0.6 * 0.5);
        assert_value(r, "group.gills = no.size", 6);
        assert_word(r, "group.gills = yes.rank_wracc", "1-2");
        cairn_report_free(r);
    }
    assert_ok(*state, run_words(*state, &r,
                                WORDS("compute", "subgroups", "@dolphins", "--max-literals", "1",
                                      "--test", "ratio", "--correct", "none", "--level", "0.02")));
    assert_value(r, "subgroups", 9);
    assert_value(r, "significant", 2);
    cairn_report_free(r);
}

/* A beam that holds everything finds what the whole search finds. */
static void test_subgroups__beam(void **state)
{
    cairn_report *all, *beam;
    assert_ok(*state, run_words(*state, &all,
                                WORDS("compute", "subgroups", "@dolphins", "--max-literals", "3")));
    assert_ok(*state, run_words(*state, &beam,
                                WORDS("compute", "subgroups", "@dolphins", "--max-literals", "3",
                                      "--beam", "1000", "--quality", "wracc")));
    double n, m;
    assert_true(cairn_report_number(all, "subgroups", &n));
    assert_true(cairn_report_number(beam, "subgroups", &m));
    assert_true(m >= n); /* whether a condition says something new may depend on the order */
    assert_word(beam, "group.best", "gills = no");
    cairn_report_free(all);
    cairn_report_free(beam);
    assert_ok(*state, run_words(*state, &beam,
                                WORDS("compute", "subgroups", "@dolphins", "--max-literals", "3",
                                      "--beam", "2")));
    assert_true(cairn_report_number(beam, "subgroups", &m));
    assert_true(m < n);
    cairn_report_free(beam);
}

/* Weights 1, 1/2, 1/3 by how often a row was covered; the end is said. */
static void test_subgroups__fading_by_count(void **state)
{
    cairn_report *r;
    assert_ok(*state,
              run_words(*state, &r,
                        WORDS("compute", "subgroups", "@dolphins", "--covering", "--max-literals",
                              "1", "--quality", "precision", "--fade", "count")));
    assert_word(r, "taken1.group", "gills = yes");
    assert_value(r, "round2.negatives", 3);
    assert_value(r, "round1.covered1.negatives", 4);
    assert_value(r, "round1.covered0.positives", 5);
    cairn_report_free(r);
    assert_ok(*state,
              run_words(*state, &r,
                        WORDS("compute", "subgroups", "@dolphins", "--covering", "--max-literals",
                              "1", "--quality", "precision", "--min-quality", "0.4")));
    assert_value(r, "rounds", 0);
    assert_word(r, "ended", "the best quality is below --min-quality");
    cairn_report_free(r);
}

/* Times are written as dates, and read. */
static void test_subgroups__of_times(void **state)
{
    static const char rows[] = "when,y\n2026-01-05,a\n2026-02-07,a\n2026-03-09,b\n2026-04-02,b\n";
    cairn_virtual_files files = {0};
    cairn_report *r;
    assert_ok(*state, cairn_virtual_put(*state, &files, "t.csv", rows, strlen(rows)));
    assert_ok(*state, run_words_with(*state, &r, &files,
                                     WORDS("compute", "subgroups", "t.csv", "--target", "y",
                                           "--positive", "b")));
    assert_word(r, "group.best", "when <= 2026-02-07");
    cairn_report_free(r);
    assert_ok(*state, run_words_with(*state, &r, &files,
                                     WORDS("compute", "subgroups", "t.csv", "--target", "y",
                                           "--positive", "b", "--groups",
                                           "when > 2026-03-01; when > \"2026-03-09 12:00\"")));
    assert_value(r, "group.when > 2026-03-01.positives", 2);
    assert_value(r, "group.when > \"2026-03-09 12:00\".positives", 1);
    cairn_report_free(r);
    assert_fails(*state,
                 run_words_with(*state, &r, &files,
                                WORDS("compute", "subgroups", "t.csv", "--target", "y", "--groups",
                                      "when > soon")),
                 CAIRN_BAD_DATA, "'when' is a time, and 'soon' is none");
    cairn_report_free(r);
    cairn_virtual_clear(&files);
}

/* A target without two classes. */
static void test_subgroups__of_one_class(void **state)
{
    static const char *const rows[][2] = {{"x,y\n1,a\n2,a\n", "has one class only ('a')"},
                                          {"x,y\n1,?\n2,?\n", "every cell of the target"}};
    for (size_t i = 0; i < 2; i++) {
        cairn_virtual_files files = {0};
        cairn_report *r;
        assert_ok(*state,
                  cairn_virtual_put(*state, &files, "t.csv", rows[i][0], strlen(rows[i][0])));
        assert_fails(*state,
                     run_words_with(*state, &r, &files,
                                    WORDS("compute", "subgroups", "t.csv", "--target", "y",
                                          "--kinds", "y=level")),
                     CAIRN_BAD_DATA, rows[i][1]);
        cairn_report_free(r);
        cairn_virtual_clear(&files);
    }
}

static void test_subgroups__refusals(void **state)
{
    static const struct {
        const char *words[8];
        cairn_status status;
        const char *part;
    } bad[] = {
        {{"compute", "subgroups"}, CAIRN_USAGE, "name a data file"},
        {{"compute", "subgroups", "@iris"}, CAIRN_USAGE, "--positive"},
        {{"compute", "subgroups", "@iris", "--positive", "rose"}, CAIRN_USAGE, "no class 'rose'"},
        {{"compute", "subgroups", "@dolphins", "--groups", "gils = yes"},
         CAIRN_BAD_DATA,
         "did you mean 'gills'"},
        {{"compute", "subgroups", "@dolphins", "--groups", "gills = yes beak = no"},
         CAIRN_BAD_DATA,
         "column 13: '&' or ';'"},
        {{"compute", "subgroups", "@dolphins", "--groups", " ; "}, CAIRN_USAGE, "no subgroup"},
        {{"compute", "subgroups", "@dolphins", "--min-size", "11"}, CAIRN_BAD_DATA, "--min-size"},
        {{"compute", "subgroups", "@dolphins", "--alpha", "1e-6"}, CAIRN_NO_SOLUTION, "--alpha"},
        {{"compute", "subgroups", "--counts", "5,5;6,1"}, CAIRN_USAGE, "subgroup 1 has more rows"},
        {{"compute", "subgroups", "--counts", "5,5"}, CAIRN_USAGE, "all rows first"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cairn_report *r = NULL;
        assert_fails(*state, run_words(*state, &r, bad[i].words), bad[i].status, bad[i].part);
        cairn_report_free(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_subgroups__typed_counts),
        context_test(test_subgroups__searched),
        context_test(test_subgroups__covering_ends),
        context_test(test_subgroups__covering_does_not_go_round),
        context_test(test_subgroups__order_of_columns),
        context_test(test_subgroups__of_times),
        context_test(test_subgroups__of_one_class),
        context_test(test_subgroups__chances_and_corrections),
        context_test(test_subgroups__beam),
        context_test(test_subgroups__fading_by_count),
        context_test(test_subgroups__refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
