/* SPDX-License-Identifier: MIT */
/* The calculators about concepts: failing allocations leak nothing, and the answers do not depend
 * on how a hypothesis is written. */
#include "support/fail_alloc.h"
#include "support/unit.h"
#include "cairn/cairn.h"
#include "command/command.h"
#include "draw/figure_data.h"
#include "report/report.h"

#include <math.h>
#include <stdio.h>

typedef struct command {
    const char *words[12];
    size_t n;
} command;

static cairn_status run_command(cairn_context *ctx, void *data)
{
    const command *c = data;
    cairn_report *report = NULL;
    cairn_status status = cairn_report_new(ctx, &report);
    if (status == CAIRN_OK) status = cairn_run(ctx, report, (int)c->n, c->words);
    cairn_report_free(report);
    return status;
}

static void test_concept_calculators__failing_allocations_leak_nothing(void **state)
{
    static const command commands[] = {
        {{"compute", "version-space", "@enjoysport", "--hypothesis", "(sunny, ?, ?, ?, ?, ?)",
          "--predict", "sunny,warm,high,strong,cool,same"},
         7},
        {{"compute", "version-space", "@weather", "--language", "subsets"}, 5},
        {{"compute", "hypothesis-space", "@boolean-four"}, 3},
        {{"compute", "version-line", "@threshold", "--predict", "18"}, 5},
        {{"compute", "version-boxes", "@family-car", "--box", "27,66,170,290"}, 5},
        {{"compute", "version-discs", "@disc-points", "--centre", "9,10"}, 5},
        {{"compute", "generalise", "@dolphins", "--language", "disjunction"}, 5},
        {{"compute", "specialise", "@dolphins", "--language", "disjunction"}, 5},
        {{"compute", "closed-concepts", "@dolphins", "--concept", "gills=no"}, 5},
        {{"compute", "concept-path", "@dolphins", "--language", "disjunction"}, 5},
        {{"compute", "consistency", "@pass-fail", "--free", "M", "--rule", "score1 + score2 >= M"},
         7},
        {{"compute", "consistency", "@weather", "--search", "rules"}, 5},
        {{"compute", "consistency", "@pass-fail", "--rule", "score1 > 20"}, 5},
        {{"compute", "version-space", "@weather", "--where", "day = \"D3\"", "--limit", "5"}, 7},
        {{"compute", "generality", "--hypothesis", "x > 1", "--hypothesis", "x > 2"}, 6},
        {{"compute", "itemsets", "@baskets", "--support", "3"}, 5},
        {{"compute", "associations", "@weather", "--support", "0.6", "--by", "play"}, 7},
        {{"compute", "shatter", "--points", "0,0;1,0;0,1"}, 4},
        {{"compute", "version-space", "@enjoysport", "--steps"}, 4},
        {{"compute", "specialise", "@dolphins", "--steps"}, 4},
        {{"compute", "closed-concepts", "@dolphins", "--concept", "gills=no", "--steps"}, 6},
        {{"compute", "consistency", "@pass-fail", "--free", "M", "--rule", "score1 >= M",
          "--steps"},
         8},
        {{"compute", "consistency", "@pass-fail", "--rule", "score1 > 20", "--steps"}, 6},
        {{"compute", "itemsets", "@baskets", "--support", "3", "--algorithm", "fp-growth",
          "--steps"},
         8},
        {{"compute", "unify", "--terms", "P(A,F(B));P(C,y);P(C,D)", "--steps"}, 5},
        {{"compute", "horn", "--theory", "a & b -> c", "--steps"}, 5},
        {{"compute", "vc", "--class", "conjunction", "--steps"}, 5},
        {{"compute", "split", "--table", "3,2;4,0;2,3", "--steps"}, 5},
    };
    (void)state;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        assert_survives_allocation_failures(run_command, (void *)&commands[i]);
}

static double number_of(cairn_context *ctx, const command *c, const char *name)
{
    cairn_report *report = NULL;
    double value = NAN;
    assert_ok(ctx, cairn_report_new(ctx, &report));
    assert_ok(ctx, cairn_run(ctx, report, (int)c->n, c->words));
    assert_true(cairn_report_number(report, name, &value));
    cairn_report_free(report);
    return value;
}

/* Points on the sides are decided alike whichever sides belong to the boxes. Boxes that hold
 * (2,2) and (4,4) hold (2,4), with their sides or just beyond it; those that also hold (6,5) hold
 * (6,3), which is negative; (5,3) is in some of them. */
static void test_boxes__answers_do_not_depend_on_sides(void **state)
{
    static const char rows[] = "x,y,c\n2,2,pos\n4,4,pos\n6,3,neg\n";
    static const char *const sides[] = {"both", "open", "closed"};
    cairn_context *ctx = *state;
    for (size_t i = 0; i < 3; i++) {
        cairn_virtual_files files = {0};
        cairn_run_output output = CAIRN_RUN_OUTPUT_INIT;
        cairn_report *report = NULL;
        const char *words[] = {
            "compute", "version-boxes", "p.csv", "--positive", "pos", "--target",  "c",  "--sides",
            sides[i],  "--predict",     "2,4",   "--predict",  "6,5", "--predict", "5,3"};
        assert_ok(ctx, cairn_report_new(ctx, &report));
        assert_ok(ctx, cairn_virtual_put(ctx, &files, "p.csv", rows, strlen(rows)));
        assert_ok(ctx, cairn_run_files(ctx, report, &output, &files, 15, words));
        assert_string_equal(cairn_report_string(report, "predict1"), "yes");
        assert_string_equal(cairn_report_string(report, "predict2"), "no");
        assert_string_equal(cairn_report_string(report, "predict3"), "unknown");
        cairn_string_free(output.document);
        cairn_report_free(report);
        cairn_virtual_clear(&files);
    }
}

/* The region of two parameters that depend on each other is found, and said not to be a product. */
static void test_consistency__dependent_parameters(void **state)
{
    command c = {{"compute", "consistency", "@pass-fail", "--positive", "Pass", "--free", "a,b",
                  "--rule", "score1 >= a or score2 >= b"},
                 9};
    /* (20, 41) passed and (10, 47) failed: one of them is wrong whatever the bounds */
    assert_true(number_of(*state, &c, "rule1.errors") == 1);
    /* a = 30 is as good with b = 35, b = 50 with a = 25, and both together are not */
    assert_true(number_of(*state, &c, "rule1.independent") == 0);
}

/* A table with a number of columns of bits whose class is a function of them. */
static void write_bits(const char *path, unsigned n, uint32_t truth)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (unsigned j = 0; j < n; j++) fprintf(file, "x%u,", j);
    fprintf(file, "y\n");
    for (unsigned i = 0; i < 1u << n; i++) {
        for (unsigned j = 0; j < n; j++) fprintf(file, "%u,", i >> j & 1);
        fprintf(file, "%u\n", (unsigned)(truth >> i & 1));
    }
    assert_int_equal(fclose(file), 0);
}

/* Known numbers of conditions of functions of three bits; the rule that is found is consistent. */
static void test_consistency__shortest_rules(void **state)
{
    static const struct {
        uint32_t truth;
        double conditions;
    } cases[] = {{0xAA, 1}, {0x88, 2}, {0x66, 4}, {0xE8, 5}, {0x96, 10}, {0xFE, 3}, {0xCA, 4}};
    cairn_context *ctx = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cairn_report *report;
        double value;
        write_bits("bits.csv", 3, cases[i].truth);
        command c = {{"compute", "consistency", "bits.csv", "--target", "y", "--search", "rules"},
                     7};
        assert_ok(ctx, cairn_report_new(ctx, &report));
        assert_ok(ctx, cairn_run(ctx, report, (int)c.n, c.words));
        assert_true(cairn_report_number(report, "shortest1.conditions", &value));
        assert_true(value == cases[i].conditions);
        command check = {{"compute", "consistency", "bits.csv", "--target", "y", "--rule",
                          cairn_report_string(report, "shortest1")},
                         7};
        assert_true(number_of(ctx, &check, "rule1.errors") == 0);
        cairn_report_free(report);
    }
    remove("bits.csv");
}

/* Whole numbers are classes and values; a target without its positive class is asked about. */
static void test_concepts__numbers_as_levels(void **state)
{
    cairn_context *ctx = *state;
    write_bits("bits.csv", 3, 0x88);
    command c = {{"compute", "version-space", "bits.csv", "--target", "y"}, 5};
    assert_true(number_of(ctx, &c, "members") == 1);
    assert_true(number_of(ctx, &c, "converged") == 1);
    write_bits("bits.csv", 2, 0);
    cairn_report *report;
    assert_ok(ctx, cairn_report_new(ctx, &report));
    assert_fails(ctx, cairn_run(ctx, report, (int)c.n, c.words), CAIRN_USAGE, "all rows");
    cairn_report_free(report);
    remove("bits.csv");
}

/* Intervals of many numbers: what the positives span, and the negatives within. */
static void test_generalise__many_numbers(void **state)
{
    cairn_context *ctx = *state;
    FILE *file = fopen("numbers.csv", "w");
    assert_non_null(file);
    fprintf(file, "x,y\n");
    double low = INFINITY, high = -INFINITY, inside = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < 300; i++) {
            double x = (i * 113 % 300) / 8.0;
            bool positive = x > 10 && x < 20 && i % 3 > 0;
            if (!pass) fprintf(file, "%.3f,%s\n", x, positive ? "yes" : "no");
            if (!pass && positive) low = fmin(low, x), high = fmax(high, x);
            if (pass) inside += !positive && x >= low && x <= high;
        }
    assert_int_equal(fclose(file), 0);
    command c = {{"compute", "generalise", "numbers.csv", "--target", "y"}, 5};
    cairn_report *report;
    char expected[64];
    assert_ok(ctx, cairn_report_new(ctx, &report));
    assert_ok(ctx, cairn_run(ctx, report, (int)c.n, c.words));
    snprintf(expected, sizeof expected, "(%.12g..%.12g)", low, high);
    assert_string_equal(cairn_report_string(report, "lgg"), expected);
    cairn_report_free(report);
    assert_true(inside > 0 && number_of(ctx, &c, "lgg.negatives") == inside);
    remove("numbers.csv");
}

/* The figure that a calculator puts on its page: its bars, points or panels; 0 = there is none. */
static size_t drawn_by(cairn_context *ctx, const command *c)
{
    cairn_report *report;
    size_t n = 0;
    assert_ok(ctx, cairn_report_new(ctx, &report));
    assert_ok(ctx, cairn_run(ctx, report, (int)c->n, c->words));
    if (cairn_report_figure_count(report)) {
        const cairn_figure *figure = cairn_report_figure_at(report, 0);
        assert_ok(ctx, cairn_figure_status(figure));
        n = figure->n_panels ? figure->n_panels : figure->series[0].n;
    }
    cairn_report_free(report);
    return n;
}

static void test_pages__sets_rules_and_labelings_are_drawn(void **state)
{
    static const struct {
        command command;
        size_t n;
    } cases[] = {
        {{{"compute", "itemsets", "@baskets", "--support", "2"}, 5}, 10},
        {{{"compute", "itemsets", "@baskets", "--support", "1"}, 5}, 15},
        {{{"compute", "associations", "@baskets", "--support", "3"}, 5}, 3},
        {{{"compute", "associations", "@baskets", "--min-lift", "100"}, 5}, 0},
        {{{"compute", "shatter", "--points", "0,0;1,0;1,1;0,1"}, 4}, 16},
        /* 2^7 labelings are too many to draw, and so are the impossible ones */
        {{{"compute", "shatter", "--points", "1,2,3,4,5,6,7", "--class", "threshold"}, 6}, 0},
        {{{"compute", "shatter", "--points", "1,2,3,4,5,6", "--class", "interval"}, 6}, 64}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n = drawn_by(*state, &cases[i].command);
        if (n != cases[i].n) fail_msg("case %zu draws %zu, not %zu", i, n, cases[i].n);
    }
}

/* What the steps write, against numbers that were worked out by hand. */
static void test_steps__the_work_has_its_numbers(void **state)
{
    static const struct {
        command command;
        const char *name;
        double value;
    } cases[] = {
        /* √((2 − 9)² + (12 − 10)²) */
        {{{"compute", "version-discs", "@disc-points", "--centre", "9,10", "--steps"}, 6},
         "centre1.d1",
         7.280109889280518},
        /* one negative below four positives and beside a fifth */
        {{{"compute", "concept-path", "@dolphins", "--language", "disjunction", "--from", "p3",
           "--steps"},
          8},
         "area3",
         4.5},
        /* a rule that passes everybody is wrong about the three who failed */
        {{{"compute", "consistency", "@pass-fail", "--positive", "Pass", "--free", "M", "--rule",
           "score1 + score2 >= M", "--steps"},
          10},
         "rule1.M.cell1",
         3},
        {{{"compute", "split", "--table", "3,2;4,0;2,3", "--steps"}, 5},
         "expected.part1.class1",
         45.0 / 14},
        {{{"compute", "split", "--table", "3,2;4,0;2,3", "--steps"}, 5},
         "chi.part2.class2",
         20.0 / 14},
        {{{"compute", "leaves", "--leaves", "((29,10)(1,25))((15,3)(5,62))", "--steps"}, 5},
         "area.leaf1",
         10 * (15 + 29 / 2.0)},
        {{{"compute", "itemsets", "@baskets", "--support", "2", "--algorithm", "fp-growth",
           "--steps"},
          8},
         "fp.nappies, beer",
         2},
        /* of the 28 conjunctions over three bits, nine cover none of 000, 011 and 101 */
        {{{"compute", "vc", "--class", "conjunction", "--variables", "3", "--steps"}, 7},
         "largest.000",
         9},
        {{{"compute", "version-line", "@threshold", "--steps"}, 4}, "positive.least", 20},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_true(fabs(number_of(*state, &cases[i].command, cases[i].name) - cases[i].value) <
                    1e-12);
}

static void word_is(cairn_context *ctx, const command *c, const char *name, const char *word)
{
    cairn_report *report = NULL;
    assert_ok(ctx, cairn_report_new(ctx, &report));
    assert_ok(ctx, cairn_run(ctx, report, (int)c->n, c->words));
    assert_string_equal(cairn_report_string(report, name), word);
    cairn_report_free(report);
}

/* The hypothesis after each instance, of columns and of first-order terms. */
static void test_steps__the_hypothesis_after_each_instance(void **state)
{
    static const command space = {{"compute", "version-space", "@enjoysport", "--steps"}, 4};
    static const command terms = {{"compute", "unify", "--terms", "P(A,F(B));P(C,F(B));P(C,D)"}, 4};
    static const command order = {
        {"compute", "generality", "--hypothesis", "x >= 20", "--hypothesis", "x >= 19", "--steps"},
        7};
    static const command rows = {{"compute", "consistency", "@pass-fail", "--positive", "Pass",
                                  "--rule", "score1 >= 25", "--steps"},
                                 8};
    word_is(*state, &space, "work2.humidity", "?");
    word_is(*state, &space, "work2.sky", "sunny");
    word_is(*state, &terms, "anti_unification.after1", "P(A, F(B))");
    word_is(*state, &terms, "anti_unification.after2", "P(x, F(B))");
    word_is(*state, &terms, "anti_unification.after3", "P(x, y)");
    word_is(*state, &order, "instance1.h1", "0");
    word_is(*state, &order, "instance1.h2", "1");
    word_is(*state, &rows, "rule1.agrees1", "yes");
    word_is(*state, &rows, "rule1.agrees8", "no");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_concept_calculators__failing_allocations_leak_nothing),
        context_test(test_boxes__answers_do_not_depend_on_sides),
        context_test(test_consistency__dependent_parameters),
        context_test(test_consistency__shortest_rules),
        context_test(test_concepts__numbers_as_levels),
        context_test(test_generalise__many_numbers),
        context_test(test_steps__the_work_has_its_numbers),
        context_test(test_steps__the_hypothesis_after_each_instance),
        context_test(test_pages__sets_rules_and_labelings_are_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
