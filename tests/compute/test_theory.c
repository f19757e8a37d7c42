/* SPDX-License-Identifier: MIT */
/* What can be learned: bounds, labelings, terms and Horn theories against brute force. */
#include "model/calculator.h"
#include "support/fail_alloc.h"
#include "support/run.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double number(const cairn_report *report, const char *name)
{
    double found;
    if (!cairn_report_number(report, name, &found)) fail_msg("there is no value %s", name);
    return found;
}

static void assert_value(const cairn_report *report, const char *name, double expected)
{
    assert_number(report, name, expected, 1e-9);
}

/* Each of the four quantities comes back from the other three. */
static void test_pac__any_of_four(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    assert_ok(ctx, run_words(ctx, &r,
                             WORDS("compute", "pac", "--hypotheses", "487", "--epsilon", "0.05",
                                   "--delta", "0.01")));
    double m = (log(487) + log(100)) / 0.05;
    assert_value(r, "bound", m);
    assert_value(r, "m", ceil(m));
    cairn_report_free(r);
    assert_ok(ctx, run_words(ctx, &r,
                             WORDS("compute", "pac", "--hypotheses", "487", "--m", "216", "--delta",
                                   "0.01")));
    assert_value(r, "epsilon", (log(487) + log(100)) / 216);
    cairn_report_free(r);
    assert_ok(ctx, run_words(ctx, &r,
                             WORDS("compute", "pac", "--hypotheses", "487", "--m", "216",
                                   "--epsilon", "0.05")));
    assert_value(r, "delta", 487 * exp(-0.05 * 216));
    cairn_report_free(r);
    assert_ok(ctx, run_words(ctx, &r,
                             WORDS("compute", "pac", "--delta", "0.01", "--m", "216", "--epsilon",
                                   "0.05")));
    assert_value(r, "hypotheses", exp(0.05 * 216) * 0.01);
    cairn_report_free(r);
}

/* The epsilon that m examples promise needs m examples. */
static void test_pac__vc_round_trip(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    char text[40];
    assert_ok(
        ctx,
        run_words(ctx, &r, WORDS("compute", "pac", "--vc", "4", "--m", "3000", "--delta", "0.05")));
    double epsilon = number(r, "vc.epsilon");
    assert_value(r, "vapnik.gap", sqrt((4 * (log(6000 / 4.0) + 1) + log(80)) / 3000));
    cairn_report_free(r);
    snprintf(text, sizeof text, "%.17g", epsilon);
    assert_ok(
        ctx, run_words(ctx, &r,
                       WORDS("compute", "pac", "--vc", "4", "--epsilon", text, "--delta", "0.05")));
    assert_value(r, "vc.m", 3000);
    cairn_report_free(r);
}

/* With one bit and the target 1, Find-S errs by 1/2 exactly when no positive was drawn. */
static void test_pac__simulation_by_hand(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    assert_ok(ctx, run_words(ctx, &r,
                             WORDS("compute", "pac", "--simulate", "conjunctions", "--features",
                                   "1", "--target", "1", "--at", "2", "--epsilon", "0.1", "--delta",
                                   "0.05", "--runs", "20000")));
    assert_true(fabs(number(r, "sim1.share") - 0.75) < 0.015);
    assert_value(r, "sim1.true_error", 0.5 * (1 - number(r, "sim1.share")));
    assert_value(r, "sim1.training_error", 0);
    cairn_report_free(r);
    /* the range of two points in the unit interval has the mean 1/3 */
    assert_ok(ctx, run_words(ctx, &r,
                             WORDS("compute", "pac", "--simulate", "rectangles", "--features", "1",
                                   "--target", "0,1", "--at", "2", "--epsilon", "0.1", "--delta",
                                   "0.05", "--runs", "20000")));
    assert_true(fabs(number(r, "sim1.true_error") - 2.0 / 3) < 0.01);
    cairn_report_free(r);
}

/* Labels that lines can give to points, counted by a sweep of many lines through the plane. */
static size_t labels_of_lines(const double (*points)[2], size_t n)
{
    bool seen[256] = {0};
    size_t found = 0;
    for (int a = 0; a < 720; a++)
        for (int c = -400; c <= 400; c++) {
            size_t code = 0;
            double angle = a * acos(-1) / 360 + 1e-3;
            for (size_t i = 0; i < n; i++) {
                double height = points[i][0] * cos(angle) + points[i][1] * sin(angle);
                code = 2 * code + (height > c * 0.02 + 1e-4);
            }
            found += !seen[code];
            seen[code] = true;
        }
    return found;
}

static void test_shatter__lines_against_a_sweep(void **state)
{
    static const double sets[][5][2] = {
        {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0.4, 0.5}},
        {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {1, 1}},
        {{0, 0}, {3, 0}, {0, 3}, {1, 1}, {2, 2.5}},
        {{-1, 2}, {2, 1}, {0.5, -2}, {-2, -1}, {2.5, 2.5}},
    };
    cairn_context *ctx = *state;
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
        cairn_report *r;
        char text[200] = "";
        size_t length = 0;
        for (size_t i = 0; i < 5; i++)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%g,%g", i ? ";" : "",
                                       sets[s][i][0], sets[s][i][1]);
        assert_ok(ctx, run_words(ctx, &r, WORDS("compute", "shatter", "--points", text)));
        assert_value(r, "realised", (double)labels_of_lines(sets[s], 5));
        cairn_report_free(r);
    }
}

/* Numbers of labelings that are known: intervals 1 + n(n+1)/2, thresholds n + 1, boxes of points on
 * the diagonal like intervals, Cover's number in four dimensions. */
static void test_shatter__known_counts(void **state)
{
    static const struct {
        const char *class, *points;
        double realised;
    } cases[] = {
        {"threshold", "5,1,4,2,3", 6},
        {"threshold-either", "5,1,4,2,3", 10},
        {"interval", "5,1,4,2,3", 16},
        {"interval-or-complement", "5,1,4,2,3", 22},
        {"rectangle", "1,1;2,2;3,3;4,4;5,5", 16},
        {"rectangle", "0,1;1,0;0,-1;-1,0", 16},
        {"linear", "1;1;2", 4},
        {"linear", "1000.003,1000;1000,1000.003;1000.002,1000.001", 6},
        {"linear",
         "1,1,1,1;2,4,8,16;3,9,27,81;4,16,64,256;5,25,125,625;6,36,216,1296;7,49,343,2401",
         2 * (1 + 6 + 15 + 20 + 15)},
        {"conjunction", "0,0;0,1;1,0;1,1", 10},
        {"conjunction", "0,0;0,0", 2},
    };
    cairn_context *ctx = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cairn_report *r;
        assert_ok(ctx, run_words(ctx, &r,
                                 WORDS("compute", "shatter", "--class", cases[i].class, "--points",
                                       cases[i].points)));
        double found = number(r, "realised");
        if (found != cases[i].realised)
            fail_msg("%s of %s: %g", cases[i].class, cases[i].points, found);
        cairn_report_free(r);
    }
}

static void test_shatter__more_labels(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    assert_ok(ctx, run_words(ctx, &r,
                             WORDS("compute", "shatter", "--points", "1,2,3,4", "--class",
                                   "threshold", "--labels", "3")));
    assert_value(r, "labelings", 81);
    assert_value(r, "realised", 15); /* 4 points into 3 rising blocks */
    cairn_report_free(r);
    /* on a line a score of label 1 can win in the middle, so 010 is there with three labels too;
     * four alternating points are not */
    assert_ok(ctx, run_words(ctx, &r,
                             WORDS("compute", "shatter", "--points", "1;2;3;4", "--class", "linear",
                                   "--labels", "3")));
    assert_string_equal(cairn_report_string(r, "labeling.0120"), "none");
    assert_string_not_equal(cairn_report_string(r, "labeling.0122"), "none");
    cairn_report_free(r);
}

static void test_vc__by_trying(void **state)
{
    static const struct {
        const char *class, *points;
        double vc;
    } cases[] = {
        {"threshold", "1;2;3;4", 1},
        {"threshold-either", "1;2;3;4", 2},
        {"interval", "1;2;3;4;5", 2},
        {"interval-or-complement", "1;2;3;4;5", 3},
        {"linear", "0,0;1,0;0,1;1,1;3,2;2,5", 3},
        {"linear", "0,0;1,1;2,2;3,3", 2},
        {"rectangle", "0,1;1,0;0,-1;-1,0;0,0", 4},
        {"list", "0,1;0,1;0,1", 1},
        {"list", "1;0;1", 0},
    };
    cairn_context *ctx = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cairn_report *r;
        assert_ok(ctx, run_words(ctx, &r,
                                 WORDS("compute", "vc", "--class", cases[i].class, "--points",
                                       cases[i].points)));
        double found = number(r, "vc");
        if (found != cases[i].vc) fail_msg("%s of %s: %g", cases[i].class, cases[i].points, found);
        assert_true(found <= number(r, "log2_h"));
        cairn_report_free(r);
    }
}

static void assert_word(const cairn_report *report, const char *name, const char *expected)
{
    const char *found = cairn_report_string(report, name);
    if (!found) fail_msg("there is no value %s", name);
    assert_string_equal(found, expected);
}

static void test_unify__pairs(void **state)
{
    static const struct {
        const char *terms, *instance, *general;
    } cases[] = {
        {"P(x, F(y)); P(F(z), x)", "P(F(y), F(y))", "P(x, y)"},
        {"P(x, x); P(A, B)", NULL, "P(x, y)"},
        {"P(A, A); P(B, B)", NULL, "P(x, x)"},
        {"P(x); P(F(x))", NULL, "P(x)"},
        {"P(x, y); P(F(y), F(x))", NULL, "P(x, y)"},
        {"P(A); Q(A)", NULL, "x"},
        {"P(A); P(A, B)", NULL, "x"},
        {"P(x, Q); P(x, R)", NULL, "P(x, y)"},
        {"P(G(A), A); P(G(B), B); P(G(C), C)", NULL, "P(G(x), x)"},
        {"P(x, y, z); P(y, z, A)", "P(A, A, A)", "P(x, y, z)"},
        {"x; F(A)", "F(A)", "x"},
    };
    cairn_context *ctx = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cairn_report *r;
        assert_ok(ctx, run_words(ctx, &r, WORDS("compute", "unify", "--terms", cases[i].terms)));
        assert_word(r, "unifiable", cases[i].instance ? "yes" : "no");
        if (cases[i].instance) assert_word(r, "unification", cases[i].instance);
        assert_word(r, "anti_unification", cases[i].general);
        cairn_report_free(r);
    }
}

/* Deep nesting, a unifier of exponential length, and any bytes: a message or a result, never a
 * crash. */
static void test_unify__hard_input(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    char *text;
    assert_ok(ctx, NEW(ctx, &text, 60000));
    for (size_t i = 0; i < 20000; i++) memcpy(text + 2 * i, "F(", 2);
    assert_fails(ctx, run_words(ctx, &r, WORDS("compute", "unify", "--terms", text)), CAIRN_USAGE,
                 "400 deep");
    cairn_report_free(r);
    size_t length = 0;
    const int n = 40;
    length += (size_t)snprintf(text + length, 60000 - length, "P(");
    for (int i = 1; i <= n; i++)
        length += (size_t)snprintf(text + length, 60000 - length, "%sx%d", i > 1 ? "," : "", i);
    length += (size_t)snprintf(text + length, 60000 - length, ");P(");
    for (int i = 0; i < n; i++)
        length +=
            (size_t)snprintf(text + length, 60000 - length, "%sF(x%d,x%d)", i ? "," : "", i, i);
    (void)snprintf(text + length, 60000 - length, ")");
    assert_ok(ctx, run_words(ctx, &r, WORDS("compute", "unify", "--terms", text)));
    assert_word(r, "unifiable", "yes");
    cairn_report_free(r);
    uint32_t seed = 7;
    for (int round = 0; round < 3000; round++) {
        static const char letters[] = "PFxyA(),; ('é\t";
        size_t size = 1 + seed % 40;
        for (size_t i = 0; i < size; i++) {
            seed = seed * 1664525u + 1013904223u;
            text[i] = letters[(seed >> 16) % (sizeof letters - 1)];
        }
        text[size] = 0;
        cairn_status status = run_words(ctx, &r, WORDS("compute", "unify", "--terms", text));
        assert_true(status == CAIRN_OK || status == CAIRN_USAGE);
        cairn_report_free(r);
    }
    cairn_free(text);
}

/* Random Horn theories over five variables, with and without the head false: what is learned has as
 * many models as are counted here, whatever order the counter-examples come in. */
static void test_horn__random_targets(void **state)
{
    static const char *const orders[] = {"most", "fewest", "given", "random"};
    static const char *const preferences[] = {"negative", "positive", "neither"};
    cairn_context *ctx = *state;
    uint32_t seed = 11;
    for (int round = 0; round < 60; round++) {
        char text[400] = "";
        size_t length = 0, models = 0;
        unsigned bodies[4], heads[4];
        for (int c = 0; c < 4; c++) {
            seed = seed * 1664525u + 1013904223u;
            bodies[c] = seed >> 20 & 31;
            heads[c] = (seed >> 10 & 1023) % (round % 2 ? 6 : 5); /* 5 = false */
            const char *join = "";
            for (unsigned v = 0; v < 5; v++)
                if (bodies[c] >> v & 1) {
                    length +=
                        (size_t)snprintf(text + length, sizeof text - length, "%sv%u", join, v);
                    join = " & ";
                }
            length += (size_t)snprintf(text + length, sizeof text - length, "%s -> ",
                                       bodies[c] ? "" : "true");
            if (heads[c] == 5)
                length += (size_t)snprintf(text + length, sizeof text - length, "false;");
            else
                length += (size_t)snprintf(text + length, sizeof text - length, "v%u;", heads[c]);
        }
        for (unsigned x = 0; x < 32; x++) {
            bool model = true;
            for (int c = 0; c < 4; c++)
                model =
                    model && ((x & bodies[c]) != bodies[c] || (heads[c] < 5 && x >> heads[c] & 1));
            models += model;
        }
        cairn_report *r, *again;
        assert_ok(ctx, run_words(ctx, &r,
                                 WORDS("compute", "horn", "--theory", text, "--variables",
                                       "v0,v1,v2,v3,v4", "--order", orders[round % 4], "--prefer",
                                       preferences[round % 3])));
        assert_value(r, "positives", (double)models);
        assert_word(r, "equivalent", "yes");
        /* the learned theory as a target has the same models */
        const char *learned = cairn_report_string(r, "reduced");
        if (strcmp(learned, "true") != 0) {
            assert_ok(ctx, run_words(ctx, &again,
                                     WORDS("compute", "horn", "--variables", "v0,v1,v2,v3,v4",
                                           "--theory", learned)));
            assert_value(again, "positives", (double)models);
            cairn_report_free(again);
        }
        cairn_report_free(r);
    }
}

static void test_horn__answers(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    assert_ok(ctx, run_words(ctx, &r,
                             WORDS("compute", "horn", "--variables", "a,b,c", "--answers", "yes")));
    assert_word(r, "question", "is this theory right?");
    cairn_report_free(r);
    assert_ok(ctx, run_words(ctx, &r,
                             WORDS("compute", "horn", "--variables", "a,b,c", "--answers",
                                   "yes; -a,b; -a")));
    assert_word(r, "theory", "a -> b; a -> c");
    cairn_report_free(r);
    assert_ok(ctx, run_words(ctx, &r,
                             WORDS("compute", "horn", "--variables", "a,b,c", "--answers",
                                   "yes; -a,b; -a; +a,c; right")));
    assert_word(r, "theory", "a -> c");
    assert_word(r, "equivalent", "yes");
    cairn_report_free(r);
    /* a and b are each possible, nothing is not: no Horn theory */
    assert_ok(ctx, run_words(ctx, &r,
                             WORDS("compute", "horn", "--variables", "a,b", "--answers",
                                   "yes; -none; +a; +b; -none")));
    assert_word(r, "equivalent", "no");
    cairn_report_free(r);
}

/* A person who knows the theory and answers as it does, with slips of the pen in between. */
typedef struct person {
    const char *const *lines;
    size_t said;
    char asked[4096]; /* the last question */
} person;

static const char *type_line(const char *question, void *data)
{
    person *p = data;
    snprintf(p->asked, sizeof p->asked, "%s", question);
    return p->lines[p->said] ? p->lines[p->said++] : NULL;
}

static void test_horn__asks(void **state)
{
    cairn_context *ctx = *state;
    cairn_report *r;
    person p = {.lines = WORDS("maybe", "y", "no", "x", "a=1, b=1, c=no", "-a,b,c", "+a", "c; d",
                               "!b, a", "y")};
    assert_fails(ctx, run_words(ctx, &r, WORDS("compute", "horn", "--variables", "a,b", "--ask")),
                 CAIRN_USAGE, "nobody");
    cairn_report_free(r);
    cairn_context_set_ask(ctx, type_line, &p);
    assert_ok(ctx, run_words(ctx, &r, WORDS("compute", "horn", "--variables", "a,b,c", "--ask")));
    /* abc yes; "no" asks for an instance, x is none; ab negative; abc is said to be a model; a is
     * no model already; "c; d" is two answers; then a is negative, and that is right */
    assert_int_equal(p.said, 10);
    assert_non_null(strstr(p.asked, "a -> b\n    a -> c"));
    cairn_report_free(r);

    /* the same answers, given beforehand and gone on with */
    p = (person){.lines = WORDS("+a,c", "right")};
    assert_ok(ctx, run_words(ctx, &r,
                             WORDS("compute", "horn", "--variables", "a,b,c", "--answers",
                                   "yes; -110; a", "--ask")));
    assert_word(r, "theory", "a -> c");
    assert_word(r, "equivalent", "yes");
    assert_word(r, "answers", "yes; -110; -100; +101; right");
    assert_word(r, "query1.answer", "yes");
    assert_value(r, "queries.equivalence", 4);
    cairn_report_free(r);

    /* clauses that come back although an earlier positive violates them need no answer */
    p = (person){.lines = WORDS("y", "a,b", "a,b,c", "a,c", "n", "right")};
    assert_ok(ctx, run_words(ctx, &r, WORDS("compute", "horn", "--variables", "a,b,c,d", "--ask")));
    assert_word(r, "theory", "a -> b; a -> c");
    assert_value(r, "rounds", 4);
    cairn_report_free(r);

    /* the end of input keeps what was said */
    p = (person){.lines = WORDS("n", "c")};
    assert_ok(ctx, run_words(ctx, &r, WORDS("compute", "horn", "--variables", "a,b,c", "--ask")));
    assert_word(r, "question", "is this theory right?");
    assert_word(r, "answers", "no; -001");
    cairn_report_free(r);

    /* a table that leaves questions open */
    p = (person){.lines = WORDS("y", "y")};
    assert_ok(ctx, run_words(ctx, &r,
                             WORDS("compute", "horn", "@horn-negatives", "--target", "class",
                                   "--unlisted", "ask")));
    assert_value(r, "queries.membership", 3); /* one of them is the same again */
    assert_int_equal(p.said, 2);
    cairn_report_free(r);
    cairn_context_set_ask(ctx, NULL, NULL);
}

static void test_horn__refusals(void **state)
{
    static const struct {
        const char *theory, *part;
    } bad[] = {
        {"a & -> b", "a variable is expected"},
        {"a & b", "& or -> is expected"},
        {"a -> b & c", "one head"},
        {"a -> ", "a variable is expected"},
        {";", "a variable is expected"},
        {"a b -> c", "& or ->"},
    };
    cairn_context *ctx = *state;
    cairn_report *r;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_fails(ctx, run_words(ctx, &r, WORDS("compute", "horn", "--theory", bad[i].theory)),
                     CAIRN_USAGE, bad[i].part);
        cairn_report_free(r);
    }
    assert_fails(ctx, run_words(ctx, &r, WORDS("compute", "horn")), CAIRN_USAGE, "who answers");
    cairn_report_free(r);
}

static cairn_status all_work(cairn_context *ctx, void *data)
{
    const char *const *words = data;
    cairn_report *r = NULL;
    cairn_status status = run_words(ctx, &r, words);
    cairn_report_free(r);
    return status;
}

static void test_theory__survives_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(
        all_work, (void *)WORDS("compute", "shatter", "--points", "0,0;1,0;0,1"));
    assert_survives_allocation_failures(
        all_work, (void *)WORDS("compute", "vc", "--class", "conjunction", "--variables", "2"));
    assert_survives_allocation_failures(
        all_work, (void *)WORDS("compute", "unify", "--terms", "P(x, F(A)); P(B, y)"));
    assert_survives_allocation_failures(
        all_work, (void *)WORDS("compute", "horn", "--theory", "a & b -> c; c -> false"));
    assert_survives_allocation_failures(
        all_work, (void *)WORDS("compute", "pac", "--simulate", "rectangles", "--epsilon", "0.2",
                                "--delta", "0.1", "--at", "5", "--runs", "3"));
}

/* Over all targets every learner is right in half of the instances that it has not seen, and as
 * often better as worse than a coin. */
static void test_no_free_lunch__off_the_training_rows_all_are_alike(void **state)
{
    cairn_context *ctx = *state;
    OWNED(cairn_report_free) cairn_report *report = NULL, *wrong = NULL;
    assert_ok(ctx, run_words(ctx, &report,
                             WORDS("compute", "no-free-lunch", "--bits", "3", "--seen", "0,1,2,4,7",
                                   "--labels", "00010", "--learners", "tree;majority;knn:k=1",
                                   "--steps")));
    assert_number(report, "targets", 256, 0);
    for (int k = 1; k <= 3; k++) {
        char name[40];
        snprintf(name, sizeof name, "learner%d.unseen", k);
        assert_number(report, name, 0.5, 1e-15);
        snprintf(name, sizeof name, "agreeing.learner%d", k);
        assert_number(report, name, 0.5, 1e-15);
        snprintf(name, sizeof name, "learner%d.better", k);
        assert_number(report, name, 0.5, 0); /* of three instances */
    }
    assert_number(report, "learner1.seen", 1, 0);
    /* the larger class of five labels: (2·5 + 10·4 + 20·3)/32 of 5 */
    assert_number(report, "learner2.seen", (2 * 5 + 10 * 4 + 20 * 3) / 32.0 / 5, 1e-12);
    assert_number(report, "target1.learner2", 1, 0);
    assert_number(report, "target8.learner2", 0, 0);
    assert_fails(
        ctx,
        run_words(ctx, &wrong, WORDS("compute", "no-free-lunch", "--bits", "2", "--seen", "0,4")),
        CAIRN_USAGE, "are 0 to 3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_no_free_lunch__off_the_training_rows_all_are_alike),
        context_test(test_pac__any_of_four),
        context_test(test_pac__vc_round_trip),
        context_test(test_pac__simulation_by_hand),
        context_test(test_shatter__lines_against_a_sweep),
        context_test(test_shatter__known_counts),
        context_test(test_shatter__more_labels),
        context_test(test_vc__by_trying),
        context_test(test_unify__pairs),
        context_test(test_unify__hard_input),
        context_test(test_horn__random_targets),
        context_test(test_horn__answers),
        context_test(test_horn__asks),
        context_test(test_horn__refusals),
        context_test(test_theory__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
