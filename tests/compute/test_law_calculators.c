/* SPDX-License-Identifier: MIT */
/* Distributions, estimates and description lengths with each allocation failing in turn, and
 * estimates beside what SciPy finds. */
#include "support/fail_alloc.h"
#include "support/run.h"

#include <stdio.h>

static const struct {
    const char *const words[14]; /* ended by NULL */
} commands[] = {
    {{"compute", "distribution", "poisson", "--parameters", "4.5", "--at", "3", "--lower", "0.9",
      "--draws", "3", "--steps"}},
    {{"compute", "distribution", "multinomial", "--parameters", "0.5,0.3,0.2", "--at", "2,1,1",
      "--steps"}},
    {{"compute", "distribution", "multivariate-normal", "--covariance", "1,0.8;0.8,1", "--at",
      "1,1", "--grid", "3", "--steps"}},
    {{"compute", "estimate", "--law", "poisson", "--values", "5,2,12,9", "--steps"}},
    {{"compute", "estimate", "--law", "multivariate-normal", "--points", "1,2;3,1;2,5", "--steps"}},
    {{"compute", "estimate", "--law", "categorical", "--counts", "fish=2,bird=3", "--steps"}},
    {{"compute", "estimate", "--law", "gamma", "--values", "5,2,12,9", "--steps"}},
    {{"compute", "estimate", "--law", "multinomial", "--points", "2,1;0,3", "--weights", "1,2",
      "--steps"}},
    {{"compute", "estimate", "--law", "categorical", "@tennis"}},
    {{"compute", "estimate", "--likelihood", "p^x * (1-p)^(1-x)", "--start", "p=0.3", "--values",
      "1,0,1", "--steps"}},
    {{"compute", "distribution", "multivariate-bernoulli", "--parameters", "0.3,0.5", "--at", "1,0",
      "--draws", "2", "--steps"}},
    {{"compute", "venn", "--probabilities", "A=0.5, B=0.4, A&B=0.2", "--steps"}},
    {{"draw", "venn", "@weather", "--event", "sunny: outlook = sunny", "--event", "play = yes"}},
    {{"compute", "folds", "@weather", "--by", "boot:2", "--steps"}},
    {{"draw", "distribution", "beta", "--parameters", "2,3", "--at", "0.5"}},
    {{"draw", "estimate", "--law", "poisson", "--values", "5,2,12,9"}},
    {{"draw", "description-length", "@five-points", "--learners", "majority;linear"}},
    {{"compute", "description-length", "@five-points", "--learners", "mixture:components=1",
      "--steps"}},
    {{"compute", "description-length", "@iris", "--where", "petal_width > 1.7", "--learners",
      "bins:bins=2>bayes"}},
    {{"compute", "description-length", "@five-points", "--learners", "majority;linear", "--steps"}},
};

static const char *const classes[] = {
    "compute",      "gaussian-classes", "--means",  "3,6;3,-2",  "--covariance", "0.5,0;0,2",
    "--covariance", "2,0;0,2",          "--points", "3,6;0,3.4", "--steps",      NULL};

static cairn_status run_command(cairn_context *ctx, void *data)
{
    OWNED(cairn_report_free) cairn_report *report = NULL;
    return run_words(ctx, &report, data);
}

static void test_laws__survive_failing_allocations(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        assert_survives_allocation_failures(run_command, (void *)commands[i].words);
    assert_survives_allocation_failures(run_command, (void *)classes);
}

static void test_estimates__are_those_of_scipy(void **state)
{
    static const struct {
        const char *law, *values, *name[2];
        double estimate[2], likelihood;
    } cases[] = {
        {"beta",
         "0.1,0.2,0.3,0.15,0.7",
         {"estimate.a", "estimate.b"},
         {1.43110132, 3.29671332},
         1.6798225773065962},
        {"f",
         "0.5,1.2,2,0.3,0.9,4,0.7",
         {"estimate.df1", "estimate.df2"},
         {8.42562014, 6.07298028},
         -8.34417087852785},
        {"gamma",
         "1,2,3,1,1,4.5",
         {"estimate.shape", "estimate.scale"},
         {2.863411706694467, 0.7275703065900855},
         -8.99995407387859},
        {"gamma",
         "100,101,102",
         {"estimate.shape", "estimate.scale"},
         {15300.916652657334, 0.006600911716126444},
         -3.6486097672094697},
        {"t",
         "0.1,0.2,-3,0.15,8,-1",
         {"estimate.df", NULL},
         {0.9970841530236801, 0},
         -14.109910431126467},
    };
    cairn_context *ctx = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(cairn_report_free) cairn_report *report = NULL;
        assert_ok(ctx, run_words(ctx, &report,
                                 WORDS("compute", "estimate", "--law", cases[i].law, "--values",
                                       cases[i].values)));
        for (size_t k = 0; k < 2 && cases[i].name[k]; k++)
            assert_number(report, cases[i].name[k], cases[i].estimate[k],
                          1e-6 * cases[i].estimate[k]);
        assert_number(report, "log-likelihood", cases[i].likelihood, 1e-6);
    }
}

/* The parabola 0.1875 x² − 1.125 x − y + 3.514 = 0 of a well-known example, times 4, with + above
 * it; D = 64/2/8 + ½ ln(2.5 / √(1·4)). */
static void test_gaussian_classes__have_a_boundary_and_a_bound(void **state)
{
    cairn_context *ctx = *state;
    OWNED(cairn_report_free) cairn_report *report = NULL;
    assert_ok(ctx, run_words(ctx, &report, classes));
    assert_number(report, "boundary.quadratic.x.x", -0.75, 1e-12);
    assert_number(report, "boundary.quadratic.y.y", 0, 1e-12);
    assert_number(report, "boundary.linear.x", 4.5, 1e-12);
    assert_number(report, "boundary.linear.y", 4, 1e-12);
    assert_number(report, "boundary.constant", -4 * 3.514, 2e-3);
    assert_number(report, "bhattacharyya.class1.class2.distance", 4 + log(1.25) / 2, 1e-12);
    assert_number(report, "bhattacharyya.class1.class2.bound", exp(-4) / 2 / sqrt(1.25), 1e-12);
    /* the first point is a mean, the other mean lies 64/2 away in squares */
    double odds = log(2) + 64.0 / 4;
    assert_number(report, "point1.discriminant", 1 - 2 / (1 + exp(odds)), 1e-12);
    assert_number(report, "point2.score.class1",
                  log(0.5) - log(2 * 3.14159265358979323846) - (18 + 2.6 * 2.6 / 2) / 2, 1e-9);
}

/* Two fair coins and whether they are alike: pairwise independent, and no region of exactly one
 * event; the typed form of the same has the same regions. */
static void test_venn__regions_are_typed_or_counted(void **state)
{
    cairn_context *ctx = *state;
    OWNED(cairn_report_free) cairn_report *counted = NULL, *typed = NULL, *wrong = NULL;
    assert_ok(ctx, run_words(ctx, &counted,
                             WORDS("compute", "venn", "--variables", "first=H/T,second=H/T",
                                   "--table", "0.25,0.25,0.25,0.25", "--event", "A: first = H",
                                   "--event", "B: second = H", "--event", "C: first = second")));
    assert_ok(ctx, run_words(ctx, &typed,
                             WORDS("compute", "venn", "--probabilities",
                                   "A=1/2, B=0.5, C=0.5, A&B=0.25, A & C=0.25, C&B=1/4, A&B&C=0.25",
                                   "--steps")));
    static const char *const zero[] = {"region.A_B", "region.A_C", "region.B_C", "region.none"};
    static const char *const quarter[] = {"region.A", "region.B", "region.C", "region.A_B_C",
                                          "together.B_C"};
    for (size_t i = 0; i < 4; i++) {
        assert_number(counted, zero[i], 0, 0);
        assert_number(typed, zero[i], 0, 0);
    }
    for (size_t i = 0; i < 5; i++) {
        assert_number(counted, quarter[i], 0.25, 1e-15);
        assert_number(typed, quarter[i], 0.25, 1e-15);
    }
    assert_number(typed, "union", 1, 1e-15);
    assert_number(counted, "given.A.B", 0.5, 1e-15);
    assert_fails(
        ctx,
        run_words(ctx, &wrong, WORDS("compute", "venn", "--probabilities", "A=0.2,B=0.4,A&B=0.3")),
        CAIRN_BAD_DATA, "'A, not B' would have -0.1");
}

/* Four classes and six pairs: votes and distance of each class add up to (k − 1)(k + 2)/4. */
static void test_decode__votes_and_distances_add_up(void **state)
{
    static const double votes[] = {2, 1, 3, 0};
    cairn_context *ctx = *state;
    OWNED(cairn_report_free) cairn_report *report = NULL;
    assert_ok(ctx, run_words(ctx, &report,
                             WORDS("compute", "decode", "--scores=1,-1,1,-1,1,1", "--steps")));
    assert_number(report, "constant", 4.5, 0);
    for (int j = 0; j < 4; j++) {
        char name[40];
        snprintf(name, sizeof name, "row1.both.votes.C%d", j + 1);
        assert_number(report, name, votes[j], 0);
        snprintf(name, sizeof name, "row1.both.distance.C%d", j + 1);
        assert_number(report, name, 4.5 - votes[j], 0);
    }
}

/* The sequence of a table is the one that is typed. */
static void test_hmm__sequences_of_a_table(void **state)
{
    static const char model[] =
        "states fair loaded; symbols H T; start 0.6 0.4; from fair 0.7 0.3; "
        "from loaded 0.4 0.6; emit fair 0.5 0.5; emit loaded 0.8 0.2";
    static const char *const names[] = {"sequence1.log", "sequence1.viterbi.log"};
    cairn_context *ctx = *state;
    OWNED(cairn_report_free) cairn_report *typed = NULL, *data = NULL;
    assert_ok(ctx,
              run_words(ctx, &typed,
                        WORDS("compute", "hmm", "--given", model, "--of", "H H T H H T T T H")));
    assert_ok(ctx, run_words(ctx, &data, WORDS("compute", "hmm", "--given", model, "@coins")));
    for (size_t i = 0; i < 2; i++) assert_number(data, names[i], number_of(typed, names[i]), 0);
    assert_number(data, "log", number_of(typed, "sequence1.log"), 0);
}

/* Mean and product agree, the median does not; the learner 'vote' says the same of a row. */
static void test_vote__products_and_medians_of_probabilities(void **state)
{
    cairn_context *ctx = *state;
    OWNED(cairn_report_free) cairn_report *report = NULL, *zero = NULL, *wrong = NULL;
    assert_ok(ctx, run_words(ctx, &report,
                             WORDS("compute", "vote", "--probabilities",
                                   "0.6,0.4;0.7,0.3;0.05,0.95", "--classes", "yes,no")));
    assert_number(report, "mean.yes", 0.45, 1e-15);
    assert_number(report, "product.yes", 0.6 * 0.7 * 0.05, 1e-16);
    assert_number(report, "product_share.no", 0.114 / (0.114 + 0.021), 1e-14);
    assert_number(report, "median.yes", 0.6, 0);
    /* a single 0 rules a class out of the product */
    assert_ok(ctx, run_words(ctx, &zero,
                             WORDS("compute", "vote", "--probabilities", "0,1;0.9,0.1;0.9,0.1")));
    assert_number(zero, "product_share.C1", 0, 0);
    assert_number(zero, "mean.C1", 0.6, 1e-15);
    assert_fails(ctx,
                 run_words(ctx, &wrong, WORDS("compute", "vote", "--probabilities", "0.5,0.4")),
                 CAIRN_USAGE, "adds up to 0.9");
}

/* Twelve rows: distances by the covariance with n below are √(12/11) of those with n - 1. */
static void test_mahalanobis__covariance_with_n_below(void **state)
{
    cairn_context *ctx = *state;
    OWNED(cairn_report_free)
    cairn_report *first = NULL, *second = NULL, *usual = NULL, *other = NULL;
    assert_ok(ctx, run_words(ctx, &first,
                             WORDS("compute", "ellipse", "@fisher-points", "--target", "none",
                                   "--features", "x1,x2", "--points", "P=1,1")));
    assert_ok(ctx, run_words(ctx, &second,
                             WORDS("compute", "ellipse", "@fisher-points", "--target", "none",
                                   "--features", "x1,x2", "--points", "P=1,1", "--divisor", "n")));
    assert_number(second, "distance.P", number_of(first, "distance.P") * sqrt(12.0 / 11), 1e-12);
    assert_ok(ctx, run_words(ctx, &usual,
                             WORDS("fit", "hierarchy", "@fisher-points", "--features", "x1,x2",
                                   "--distance", "mahalanobis", "--scale", "none")));
    assert_ok(ctx, run_words(ctx, &other,
                             WORDS("fit", "hierarchy", "@fisher-points", "--features", "x1,x2",
                                   "--distance", "mahalanobis:divisor=n", "--scale", "none")));
    assert_number(other, "height", number_of(usual, "height") * sqrt(12.0 / 11), 1e-12);
}

/* With one covariance the error of the best rule is known: here that of two normal tails. */
static void test_gaussian_classes__with_one_covariance_have_an_error(void **state)
{
    cairn_context *ctx = *state;
    OWNED(cairn_report_free) cairn_report *report = NULL;
    assert_ok(ctx, run_words(ctx, &report,
                             WORDS("compute", "gaussian-classes", "--means", "a=0;b=2",
                                   "--deviations", "1", "--points", "1;1.5")));
    assert_number(report, "error", erfc(1 / sqrt(2)) / 2, 1e-14);
    assert_number(report, "boundary.root1", 1, 1e-14);
    assert_number(report, "point1.posterior.a", 0.5, 1e-14);
    assert_number(report, "point2.posterior.b", 1 / (1 + exp(-1)), 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_laws__survive_failing_allocations),
        context_test(test_estimates__are_those_of_scipy),
        context_test(test_gaussian_classes__have_a_boundary_and_a_bound),
        context_test(test_venn__regions_are_typed_or_counted),
        context_test(test_decode__votes_and_distances_add_up),
        context_test(test_hmm__sequences_of_a_table),
        context_test(test_vote__products_and_medians_of_probabilities),
        context_test(test_mahalanobis__covariance_with_n_below),
        context_test(test_gaussian_classes__with_one_covariance_have_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
