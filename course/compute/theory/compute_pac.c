/* SPDX-License-Identifier: MIT */
/* cairn compute pac: how many examples make a learner probably approximately correct.
 *
 * A learner that finds a hypothesis without training errors in a finite class H has, with chance
 * 1 - delta, a true error of at most epsilon when
 *
 *     m >= (ln|H| + ln(1/delta)) / epsilon
 *
 * and where training errors remain (agnostic), true and training error differ by at most epsilon
 * when m >= (ln|H| + ln(1/delta)) / (2 epsilon^2). For an infinite class its VC dimension d takes
 * the place of ln|H|: m >= (4 log2(2/delta) + 8 d log2(13/epsilon)) / epsilon (Blumer and others,
 * as Mitchell writes it); how far the true error may exceed the training error is told by Vapnik's
 * bound. Any three of the four numbers give the fourth.
 *
 * The simulation draws m points, learns (smallest box around the positives, or Find-S) and has the
 * exact true error of what was learned, because the distribution is uniform on the unit cube, or
 * independent bits. Every run has a random stream of its own. */
#include "model/calculator.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/random.h"
#include "parallel/parallel.h"
#include "stats/intervals.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NO_SIMULATION, RECTANGLES, CONJUNCTIONS };
enum { MOST_FEATURES = 64, RUNS_IN_BLOCK = 32 };
#define MOST_DRAWS 2e10

typedef struct pac_params {
    double hypotheses, log2_h, vc, epsilon, delta, m, training_error;
    bool agnostic;
    int simulate, features, runs;
    const char *target, *at;
    double noise, ones;
    bool empty;
} pac_params;

static const cairn_choice simulations[] = {
    {"no", NO_SIMULATION, "bounds only"},
    {"rectangles", RECTANGLES, "boxes on the unit cube, learned as the tightest fit"},
    {"conjunctions", CONJUNCTIONS, "conjunctions of literals on random bits, learned by Find-S"},
    {0},
};

static const cairn_param pac_table[] = {
    CAIRN_PARAM(pac_params, hypotheses, CAIRN_NOT_GIVEN, "[1,inf)", "number of hypotheses |H|"),
    CAIRN_PARAM(pac_params, log2_h, CAIRN_NOT_GIVEN, "[0,inf)",
                "log2 of that number instead, for spaces that are too large to write down"),
    CAIRN_PARAM(pac_params, vc, CAIRN_NOT_GIVEN, "[0,inf)", "VC dimension of the class"),
    CAIRN_PARAM(pac_params, epsilon, CAIRN_NOT_GIVEN, "(0,1)", "true error that is accepted"),
    CAIRN_PARAM(pac_params, delta, CAIRN_NOT_GIVEN, "(0,1)",
                "chance of a larger error that is accepted"),
    CAIRN_PARAM(pac_params, m, CAIRN_NOT_GIVEN, "[1,inf)", "number of examples"),
    CAIRN_PARAM(pac_params, training_error, "0", "[0,1]",
                "training error to which Vapnik's bound is added"),
    CAIRN_PARAM(pac_params, agnostic, "no", NULL,
                "|H| for learners that leave training errors: 2 epsilon^2 in place of epsilon"),
    CAIRN_PARAM_CHOICE(pac_params, simulate, "no", simulations, "learn again and again"),
    CAIRN_PARAM(pac_params, features, "2", "[1,64]", "dimensions or bits of the simulation",
                .when = "simulate"),
    CAIRN_PARAM(pac_params, runs, "1000", "[1,1000000]", "repetitions of the simulation",
                .when = "simulate"),
    CAIRN_PARAM(pac_params, target, NULL, NULL,
                "what is to be learned: sides of the box, 0.2,0.8;0.3,0.7, or the conjunction with "
                "a letter per bit, 1?0 (default: 0.25,0.75 on every side; every second bit is 1)",
                .when = "simulate"),
    CAIRN_PARAM_AS(pac_params, at, CAIRN_TYPE_LIST, NULL,
                   "numbers of examples to simulate (default: the m of the bound)",
                   .when = "simulate"),
    CAIRN_PARAM(pac_params, noise, "0", "[0,0.5)", "share of labels that are flipped",
                .when = "simulate"),
    CAIRN_PARAM(pac_params, ones, "0.5", "(0,1)", "chance that a bit is 1",
                .when = "simulate=conjunctions"),
    CAIRN_PARAM(pac_params, empty, "yes", NULL,
                "the hypothesis that covers nothing counts in |H| of conjunctions"),
    CAIRN_PARAM_END,
};

/* -- bounds -- */

/* ln|H|, epsilon, delta and m; NaN = to be found. */
typedef struct quantities {
    double complexity, epsilon, delta, m;
} quantities;

static int unknowns(const quantities *q)
{
    return isnan(q->complexity) + isnan(q->epsilon) + isnan(q->delta) + isnan(q->m);
}

static double finite_bound(const quantities *q, bool agnostic)
{
    double top = q->complexity - cairn_log(q->delta);
    return agnostic ? top / (2 * q->epsilon * q->epsilon) : top / q->epsilon;
}

static double vc_bound(const quantities *q)
{
    return (4 * cairn_log2(2 / q->delta) + 8 * q->complexity * cairn_log2(13 / q->epsilon)) /
           q->epsilon;
}

/* The epsilon that m examples give: the bound falls as epsilon grows. NaN when it is above 1. */
static double vc_epsilon(quantities q)
{
    double low = 0, high = 1;
    q.epsilon = 1;
    if (vc_bound(&q) > q.m) return NAN;
    for (int i = 0; i < 200; i++) {
        q.epsilon = (low + high) / 2;
        if (vc_bound(&q) > q.m)
            low = q.epsilon;
        else
            high = q.epsilon;
    }
    return high;
}

/* Vapnik: with chance 1 - delta, true error <= training error + this. */
static double vapnik_gap(double d, double m, double delta)
{
    if (d > m) return NAN;
    double capacity = d > 0 ? d * (cairn_log(2 * m / d) + 1) : 0;
    return sqrt((capacity + cairn_log(4 / delta)) / m);
}

/* Examples that a bound asks for, forgiving rounding in its last digits. */
static double whole(double bound)
{
    double near = round(bound);
    return fabs(bound - near) < 1e-9 * fmax(1, bound) ? near : ceil(bound);
}

static void say_enough(cairn_report *out, double bound, double m, const char *name)
{
    cairn_report_word(out, "are the given examples enough?", m >= whole(bound) ? "yes" : "no", "%s",
                      name);
}

/* The bound of a finite class solved for what is wanted, with the numbers put in. */
static void work_finite(cairn_report *out, const quantities *q, bool agnostic)
{
    double h = q->complexity, e = q->epsilon, d = -cairn_log(q->delta), m = q->m;
    double rate = agnostic ? 2 * e * e : e, ratio = (h + d) / ((agnostic ? 2 : 1) * m);
    cairn_report_step_begin(out, "The bound with the numbers put in");
    if (isnan(h))
        cairn_report_worked(out, "largest ln|H|",
                            agnostic ? "m · 2 · ε² − ln(1/δ) = # · 2 · #² − # = #"
                                     : "m · ε − ln(1/δ) = # · # − # = #",
                            m, e, d, m * rate - d);
    else if (isnan(e))
        cairn_report_worked(out, "ε",
                            agnostic ? "√((ln|H| + ln(1/δ)) / (2 · m)) = √((# + #) / (2 · #)) = #"
                                     : "(ln|H| + ln(1/δ)) / m = (# + #) / # = #",
                            h, d, m, agnostic ? sqrt(ratio) : ratio);
    else if (isnan(q->delta))
        cairn_report_worked(out, "δ",
                            agnostic ? "|H| · exp(−m · 2 · ε²) = exp(# − # · 2 · #²) = #"
                                     : "|H| · exp(−m · ε) = exp(# − # · #) = #",
                            h, m, e, cairn_exp(h - rate * m));
    else
        cairn_report_worked(out, "bound",
                            agnostic ? "(# + #) / (2 · #²) = # / # = #" : "(# + #) / # = # / # = #",
                            h, d, e, h + d, rate, (h + d) / rate);
    cairn_report_step_end(out);
}

/* The same for a class with a VC dimension; epsilon has no closed form. */
static void work_vc(cairn_report *out, const quantities *q)
{
    double d = q->complexity, e = q->epsilon, m = q->m;
    double confidence = 4 * cairn_log2(2 / q->delta), capacity = cairn_log2(13 / e);
    cairn_report_step_begin(out, "The bound with the numbers put in");
    if (isnan(d)) {
        cairn_report_worked(out, "d", "(m ε − 4 log₂(2/δ)) / (8 log₂(13/ε)) = (# − #) / # = #",
                            m * e, confidence, 8 * capacity, (m * e - confidence) / (8 * capacity));
    } else if (isnan(e)) {
        double found = vc_epsilon(*q), there = cairn_log2(13 / found);
        cairn_report_worked(out, "m", "(# + 8 · # · log₂(13/ε)) / ε = #", confidence, d, m);
        cairn_report_worked(out, "at the ε found", "(# + 8 · # · #) / # = #", confidence, d, there,
                            found, (confidence + 8 * d * there) / found);
    } else if (isnan(q->delta)) {
        double rest = m * e - 8 * d * capacity;
        cairn_report_worked(out, "δ",
                            "2 · 2^(−(m ε − 8 d log₂(13/ε)) / 4) = 2 · 2^(−(# − #) / 4) = #", m * e,
                            8 * d * capacity, 2 * cairn_exp2(-rest / 4));
    } else {
        cairn_report_worked(out, "bound", "(4 · # + 8 · # · #) / # = (# + #) / # = #",
                            confidence / 4, d, capacity, e, confidence, 8 * d * capacity, e,
                            vc_bound(q));
    }
    if (d > 0 && d <= m)
        cairn_report_worked(out, "true beyond training error",
                            "√((# · (ln(2 · # / #) + 1) + ln(4 / #)) / #) = √((# + #) / #) = #", d,
                            m, d, q->delta, m, d * (cairn_log(2 * m / d) + 1),
                            cairn_log(4 / q->delta), m, vapnik_gap(d, m, q->delta));
    cairn_report_step_end(out);
}

/* Of the four quantities the one that is missing is computed; a bound of 1 or more promises
 * nothing, which is said. */
static void show_finite(cairn_report *out, quantities q, bool agnostic)
{
    double square = agnostic ? 2 : 1;
    cairn_report_heading(out, 2, "A finite class");
    cairn_report_formula(out,
                         agnostic ? "m ≥ (ln|H| + ln(1/δ)) / (2 ε²)" : "m ≥ (ln|H| + ln(1/δ)) / ε");
    if (isnan(q.complexity)) {
        q.complexity =
            q.m * square * (agnostic ? q.epsilon * q.epsilon : q.epsilon) + cairn_log(q.delta);
        cairn_report_value(out, "largest ln|H|", q.complexity, "ln_h");
        cairn_report_value(out, "largest |H|", cairn_exp(q.complexity), "hypotheses");
        if (q.complexity < 0)
            cairn_report_note(out, "Not even a single hypothesis can be promised this.");
        return;
    }
    cairn_report_value(out, "ln|H|", q.complexity, "ln_h");
    cairn_report_value(out, "log2|H|", q.complexity / cairn_log(2), "log2_h");
    if (!isnan(q.delta)) cairn_report_value(out, "ln(1/δ)", -cairn_log(q.delta), "ln_1_delta");
    if (isnan(q.epsilon)) {
        double ratio = (q.complexity - cairn_log(q.delta)) / (square * q.m);
        double epsilon = agnostic ? sqrt(ratio) : ratio;
        cairn_report_value(out, "ε", epsilon, "epsilon");
        if (epsilon >= 1) cairn_report_note(out, "That the error is at most 1 is no promise.");
    } else if (isnan(q.delta)) {
        double rate = square * (agnostic ? q.epsilon * q.epsilon : q.epsilon);
        double delta = cairn_exp(q.complexity - rate * q.m);
        cairn_report_value(out, "δ", delta, "delta");
        if (delta >= 1) cairn_report_note(out, "That the chance is at most 1 is no promise.");
    } else {
        double bound = finite_bound(&q, agnostic);
        cairn_report_value(out, "bound", bound, "bound");
        if (!isnan(q.m)) say_enough(out, bound, q.m, "enough");
        cairn_report_value(out, "smallest m", whole(bound), "m");
    }
}

/* As for a finite class, with the VC dimension for the logarithm of its size; the lower bound
 * holds for small errors only. */
static void show_vc(cairn_report *out, quantities q, double training_error)
{
    cairn_report_heading(out, 2, "A class with a VC dimension");
    cairn_report_formula(out, "m ≥ (4 log₂(2/δ) + 8 d log₂(13/ε)) / ε");
    if (isnan(q.complexity)) {
        double d =
            (q.m * q.epsilon - 4 * cairn_log2(2 / q.delta)) / (8 * cairn_log2(13 / q.epsilon));
        cairn_report_value(out, "largest VC dimension", d < 0 ? NAN : floor(d + 1e-9),
                           "vc.dimension");
        if (d < 0)
            cairn_report_note(out,
                              "So few examples promise nothing, whatever the class: even for a "
                              "dimension of 0 the bound is larger.");
        return;
    }
    cairn_report_value(out, "VC dimension d", q.complexity, "vc.dimension");
    if (isnan(q.epsilon)) {
        double epsilon = vc_epsilon(q);
        cairn_report_value(out, "ε", epsilon, "vc.epsilon");
        if (isnan(epsilon))
            cairn_report_note(out, "So few examples give no promise by this bound.");
    } else if (isnan(q.delta)) {
        double rest = q.m * q.epsilon - 8 * q.complexity * cairn_log2(13 / q.epsilon);
        double delta = 2 * cairn_exp2(-rest / 4);
        cairn_report_value(out, "δ", delta, "vc.delta");
        if (delta >= 1) cairn_report_note(out, "That the chance is at most 1 is no promise.");
    } else {
        double bound = vc_bound(&q);
        cairn_report_value(out, "bound", bound, "vc.bound");
        if (!isnan(q.m)) say_enough(out, bound, q.m, "vc.enough");
        cairn_report_value(out, "smallest m", whole(bound), "vc.m");
        if (q.epsilon < 0.125 && q.delta < 0.01 && q.complexity >= 2)
            cairn_report_value(
                out, "with fewer, every learner fails on some target",
                fmax(-cairn_log(q.delta) / q.epsilon, (q.complexity - 1) / (32 * q.epsilon)),
                "vc.lower");
    }
    if (isnan(q.m) || isnan(q.delta)) return;
    double gap = vapnik_gap(q.complexity, q.m, q.delta);
    cairn_report_formula(out, "true error ≤ training error + √((d (ln(2m/d) + 1) + ln(4/δ)) / m)");
    cairn_report_value(out, "true beyond training error, at most", gap, "vapnik.gap");
    cairn_report_value(out, "true error, at most", fmin(1, training_error + gap),
                       "vapnik.true_error");
    if (isnan(gap)) cairn_report_note(out, "Vapnik's bound needs at least d examples.");
}

/* -- simulation -- */

typedef struct target_concept {
    int n;
    double low[MOST_FEATURES], high[MOST_FEATURES]; /* rectangles */
    signed char bit[MOST_FEATURES];                 /* conjunctions: 1, 0, -1 = any */
} target_concept;

typedef struct simulation {
    const pac_params *p;
    const target_concept *target;
    uint64_t seed, first_stream;
    size_t m;
    double *true_error, *training_error; /* runs */
} simulation;

/* Without a target the middle half of every side, or a conjunction of every other bit. */
static cairn_status read_target(cairn_context *ctx, target_concept *t, const pac_params *p)
{
    t->n = p->features;
    for (int i = 0; i < t->n; i++) {
        t->low[i] = 0.25;
        t->high[i] = 0.75;
        t->bit[i] = i % 2 ? -1 : 1;
    }
    if (!p->target) return CAIRN_OK;
    if (p->simulate == RECTANGLES) {
        /* A box must lie in the unit cube, from which the examples are drawn. */
        const char *text = p->target;
        double *cells;
        size_t rows, columns;
        CHECK(cairn_read_matrix(ctx, "target", text, &cells, &rows, &columns));
        if (columns != 2 || rows != (size_t)t->n)
            CHECK(cairn_fail(ctx, CAIRN_USAGE,
                             "{target}: a box of %d features is %d pairs low,high separated by ;",
                             t->n, t->n));
        for (int i = 0; i < t->n; i++) {
            t->low[i] = cells[2 * i];
            t->high[i] = cells[2 * i + 1];
            if (!(t->low[i] >= 0 && t->low[i] < t->high[i] && t->high[i] <= 1))
                CHECK(cairn_fail(
                    ctx, CAIRN_USAGE,
                    "{target}: side %d must lie in the unit cube: 0 <= low < high <= 1", i + 1));
        }
        return CAIRN_OK;
    }
    size_t length = strlen(p->target);
    if (length != (size_t)t->n || strspn(p->target, "01?") != length)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{target}: a conjunction of %d bits is %d letters, each 1, 0 or ?: '%s'",
                          t->n, t->n, p->target);
    for (int i = 0; i < t->n; i++)
        t->bit[i] = (signed char)(p->target[i] == '?' ? -1 : p->target[i] - '0');
    return CAIRN_OK;
}

/* One run with boxes. The points are drawn twice from the same stream: to learn, and to count the
 * errors on them. */
static void run_boxes(const simulation *s, size_t run)
{
    const target_concept *t = s->target;
    double low[MOST_FEATURES], high[MOST_FEATURES], x[MOST_FEATURES];
    size_t wrong = 0;
    bool any = false;
    for (int round = 0; round < 2; round++) {
        cairn_random random;
        cairn_random_start(&random, s->seed, s->first_stream + run);
        for (size_t r = 0; r < s->m; r++) {
            bool label = true, covered = any;
            for (int i = 0; i < t->n; i++) {
                x[i] = cairn_random_uniform(&random);
                label = label && x[i] >= t->low[i] && x[i] <= t->high[i];
                covered = covered && x[i] >= low[i] && x[i] <= high[i];
            }
            if (s->p->noise > 0 && cairn_random_uniform(&random) < s->p->noise) label = !label;
            if (round == 1) {
                wrong += covered != label;
            } else if (label) {
                for (int i = 0; i < t->n; i++) {
                    low[i] = any ? fmin(low[i], x[i]) : x[i];
                    high[i] = any ? fmax(high[i], x[i]) : x[i];
                }
                any = true;
            }
        }
    }
    /* Share of the points on which two boxes differ; `any` = the learned one is not empty. */
    double truth = 1, learned = any, both = any;
    for (int i = 0; i < t->n; i++) {
        truth *= t->high[i] - t->low[i];
        if (!any) continue;
        learned *= high[i] - low[i];
        both *= fmax(0, fmin(high[i], t->high[i]) - fmax(low[i], t->low[i]));
    }
    s->true_error[run] = fmax(0, truth + learned - 2 * both);
    s->training_error[run] = (double)wrong / (double)s->m;
}

/* Share of the bit vectors on which two conjunctions differ. */
static double conjunction_error(const target_concept *t, const signed char *learned, bool any,
                                double ones)
{
    double truth = 1, own = any, both = any;
    for (int i = 0; i < t->n; i++) {
        double p_truth = t->bit[i] < 0 ? 1 : t->bit[i] ? ones : 1 - ones;
        double p_own = !any || learned[i] < 0 ? 1 : learned[i] ? ones : 1 - ones;
        truth *= p_truth;
        own *= p_own;
        if (any && t->bit[i] >= 0 && learned[i] >= 0)
            both *= t->bit[i] == learned[i] ? p_own : 0;
        else
            both *= p_truth * p_own; /* one of them is 1 */
    }
    return fmax(0, truth + own - 2 * both);
}

/* One run of Find-S: keep the literals that all positives have. */
static void run_conjunctions(const simulation *s, size_t run)
{
    const target_concept *t = s->target;
    signed char learned[MOST_FEATURES] = {0}, x[MOST_FEATURES];
    size_t wrong = 0;
    bool any = false;
    for (int round = 0; round < 2; round++) {
        cairn_random random;
        cairn_random_start(&random, s->seed, s->first_stream + run);
        for (size_t r = 0; r < s->m; r++) {
            bool label = true, covered = any;
            for (int i = 0; i < t->n; i++) {
                x[i] = cairn_random_uniform(&random) < s->p->ones;
                label = label && (t->bit[i] < 0 || t->bit[i] == x[i]);
                covered = covered && (learned[i] < 0 || learned[i] == x[i]);
            }
            if (s->p->noise > 0 && cairn_random_uniform(&random) < s->p->noise) label = !label;
            if (round == 1) {
                wrong += covered != label;
            } else if (label) {
                for (int i = 0; i < t->n; i++) learned[i] = any && learned[i] != x[i] ? -1 : x[i];
                any = true;
            }
        }
    }
    s->true_error[run] = conjunction_error(t, learned, any, s->p->ones);
    s->training_error[run] = (double)wrong / (double)s->m;
}

static void run_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const simulation *s = data;
    (void)block;
    (void)worker;
    for (size_t run = begin; run < end; run++) {
        if (s->p->simulate == RECTANGLES)
            run_boxes(s, run);
        else
            run_conjunctions(s, run);
    }
}

static void show_runs(cairn_report *out, const simulation *s, double epsilon, size_t line)
{
    double sum = 0, training = 0, worst = 0, good = 0, runs = s->p->runs;
    for (int i = 0; i < s->p->runs; i++) {
        sum += s->true_error[i];
        training += s->training_error[i];
        worst = fmax(worst, s->true_error[i]);
        good += s->true_error[i] <= epsilon;
    }
    cairn_interval interval = cairn_exact_interval(good, runs, 0.95);
    cairn_report_prefix(out, "sim%zu", line);
    cairn_report_cells(
        out, "@.m @.share @.share.low @.share.high @.training_error @.true_error @.worst", s->m,
        good / runs, interval.low, interval.high, training / runs, sum / runs, worst);
}

static cairn_status check_sizes(cairn_context *ctx, const pac_params *p, const double *sizes,
                                size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!(sizes[i] >= 1 && sizes[i] <= 1e9 && sizes[i] == floor(sizes[i])))
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{at}: examples to simulate are whole numbers from 1 to 1e9");
        if (sizes[i] * p->runs * p->features > MOST_DRAWS)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{runs}: %d runs with %zu examples of %d features take too long; "
                              "use fewer runs or a smaller {at}",
                              p->runs, (size_t)sizes[i], p->features);
    }
    return CAIRN_OK;
}

/* Each size has its own streams of random numbers; the share of runs within epsilon is compared
 * with what was promised. */
static cairn_status simulate(cairn_context *ctx, cairn_report *out, const pac_params *p,
                             const double *sizes, size_t n)
{
    target_concept target;
    simulation s = {.p = p, .target = &target, .seed = ctx->seed};
    CHECK(read_target(ctx, &target, p));
    CHECK(check_sizes(ctx, p, sizes, n));
    CHECK(SCRATCH_EACH(ctx, (size_t)p->runs, &s.true_error, &s.training_error));
    cairn_report_heading(out, 2, "Learned %d times", p->runs);
    cairn_report_table_of(out, "Runs with a true error of at most ε", (size_t)-1, "rrrrrrr", "m",
                          "share of runs", "low (95%)", "high", "mean training error",
                          "mean true error", "largest true error");
    for (size_t i = 0; i < n; i++) {
        s.m = (size_t)sizes[i];
        s.first_stream = i * (uint64_t)p->runs;
        CHECK(cairn_blocks(ctx, (size_t)p->runs, RUNS_IN_BLOCK, run_block, &s));
        show_runs(out, &s, p->epsilon, i + 1);
    }
    cairn_report_value(out, "promised share 1 − δ", 1 - p->delta, "promised");
    if (p->noise > 0)
        cairn_report_note(out, "With flipped labels no hypothesis needs to fit the examples: the "
                               "bounds for consistent learners do not hold.");
    return CAIRN_OK;
}

/* What the simulated class brings along when nothing else was given. */
static void class_defaults(cairn_report *out, const pac_params *p, quantities *finite,
                           quantities *vc)
{
    if (p->simulate == CONJUNCTIONS && isnan(finite->complexity) && isnan(vc->complexity)) {
        finite->complexity =
            p->features * cairn_log(3) + (p->empty ? cairn_log1p(cairn_pow(3, -p->features)) : 0);
        cairn_report_paragraph(out, "Conjunctions of literals over %d bits: |H| = 3ⁿ%s.",
                               p->features, p->empty ? " + 1, the empty one counted" : "");
    }
    if (p->simulate == RECTANGLES && isnan(finite->complexity) && isnan(vc->complexity)) {
        double sides = 2 * p->features;
        vc->complexity = sides;
        cairn_report_paragraph(out, "Boxes in %d dimensions have the VC dimension %d.", p->features,
                               2 * p->features);
        cairn_report_formula(out, "tightest fit:   m ≥ (2p/ε) ln(2p/δ)");
        cairn_report_value(out, "enough for the tightest fit",
                           whole(sides / p->epsilon * cairn_log(sides / p->delta)), "tightest.m");
    }
}

/* A class given by its size and its dimension is judged by both bounds; the simulation takes as
 * many examples as the bound asks. */
static cairn_status pac_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const pac_params *p = job->params;
    quantities finite = {NAN, p->epsilon, p->delta, p->m}, vc = finite;
    if (!isnan(p->hypotheses)) finite.complexity = cairn_log(p->hypotheses);
    if (!isnan(p->log2_h)) finite.complexity = p->log2_h * cairn_log(2);
    vc.complexity = p->vc;
    if (!isnan(p->hypotheses) && !isnan(p->log2_h))
        return cairn_fail(ctx, CAIRN_USAGE, "give either {hypotheses} or {log2-h}");
    if (p->simulate && (isnan(p->epsilon) || isnan(p->delta)))
        return cairn_fail(ctx, CAIRN_USAGE, "{simulate} needs {epsilon} and {delta}");
    if (!p->simulate) {
        if (unknowns(&finite) > 1 && unknowns(&vc) > 1)
            return cairn_fail(
                ctx, CAIRN_USAGE,
                "give three of {hypotheses} (or {log2-h}, or {vc}), {epsilon}, {delta} "
                "and {m}; the fourth is computed");
    }
    cairn_report_heading(out, 1, "Probably approximately correct");
    class_defaults(out, p, &finite, &vc);
    bool both = isnan(finite.complexity) == isnan(vc.complexity);
    if (both || !isnan(finite.complexity)) {
        show_finite(out, finite, p->agnostic);
        if (job->steps) work_finite(out, &finite, p->agnostic);
    }
    if (both || !isnan(vc.complexity)) {
        show_vc(out, vc, p->training_error);
        if (job->steps) work_vc(out, &vc);
    }
    if (p->simulate) {
        double bound =
            isnan(finite.complexity) ? vc_bound(&vc) : finite_bound(&finite, p->agnostic);
        double single = isnan(p->m) ? whole(bound) : p->m, *sizes = &single;
        size_t n = 1;
        if (p->at) CHECK(cairn_list_numbers(ctx, "at", p->at, &sizes, &n));
        CHECK(simulate(ctx, out, p, sizes, n));
    }
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_pac = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "pac",
              .also = "PAC learning, sample complexity, probably approximately correct",
              .title = "How many examples are enough",
              .summary =
                  "Bounds of probably approximately correct learning: any three of the size of "
                  "the hypothesis class (or its VC dimension), the error epsilon, the risk delta "
                  "and the number of examples m give the fourth; with a VC dimension also how far "
                  "the true error may exceed the training error. The simulation learns boxes by "
                  "the tightest fit or conjunctions by Find-S again and again and counts how "
                  "often the promise is kept.",
              .references = "Valiant: A theory of the learnable, CACM 27, 1984; Blumer, "
                            "Ehrenfeucht, Haussler, Warmuth: JACM 36, 1989; Vapnik: Statistical "
                            "Learning Theory, 1998; Mitchell: Machine Learning, 1997, chapter 7",
              .example = "cairn compute pac --hypotheses 973 --epsilon 0.1 --delta 0.05",
              .params = pac_table,
              .params_size = sizeof(pac_params)},
    .arguments = "",
    .run = pac_run,
};
