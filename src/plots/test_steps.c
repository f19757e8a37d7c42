/* SPDX-License-Identifier: MIT */
/* The work behind tests: see test_steps.h. */
#include "base/number.h"
#include "plots/test_steps.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/text.h"
#include "report/table_rows.h"
#include "stats/distributions.h"
#include "stats/special.h"

#include <math.h>

/* -- Student's t -- */

/* A row per pair of results; without the results themselves only the differences. */
static void show_differences(cairn_report *out, const cairn_paired *p, double mean,
                             const char *prefix)
{
    cairn_report_table_of(out, "Differences", 0, "r", "fold");
    if (p->first) cairn_report_columns(out, "rr", "first", "second");
    cairn_report_columns(out, "rrr", "d", "d − mean", "(d − mean)²");
    cairn_report_prefix(out, "%s", prefix);
    for (size_t i = 0; i < p->n; i++) {
        double d = p->differences[i], off = cairn_number_left(d - mean, mean);
        cairn_report_cells(out, NULL, i + 1);
        if (p->first) cairn_report_cells(out, NULL, p->first[i], p->second[i]);
        cairn_report_cells(out, "@difference.# - @square.#", d, off, off * off);
    }
}

void cairn_steps_t_test(cairn_report *out, const cairn_paired *p, const cairn_t_test *t,
                        double share, const char *prefix)
{
    double sum = 0, sizes = 0, squares = 0, k = (double)p->n;
    if (!out) return;
    for (size_t i = 0; i < p->n; i++) sum += p->differences[i], sizes += fabs(p->differences[i]);
    bool none = fabs(sum) <= 1e-14 * sizes; /* what rounding leaves of differences that cancel */
    double mean = none ? 0 : t->mean, value = none && !isnan(t->t) ? 0 : t->t;
    if (none) sum = 0;
    for (size_t i = 0; i < p->n; i++)
        squares += (p->differences[i] - t->mean) * (p->differences[i] - t->mean);
    cairn_report_step_begin(out, "%s: the differences and their t", p->label);
    show_differences(out, p, t->mean, prefix);
    cairn_report_hidden(out, sum, "%ssum", prefix);
    cairn_report_hidden(out, squares, "%ssquares", prefix);
    if (p->n) cairn_report_worked(out, "mean", "Σ d / k = # / # = #", sum, k, mean);
    if (p->n > 1) {
        cairn_report_worked(out, "s", "√(Σ (d − mean)² / (k − 1)) = √(# / #) = #", squares, t->df,
                            t->deviation);
        if (share > 0)
            cairn_report_worked(out, "error", "s · √(1/k + test/train) = # · √(1/# + #) = #",
                                t->deviation, k, share, t->error);
        else
            cairn_report_worked(out, "error", "s / √k = # / √# = #", t->deviation, k, t->error);
    }
    if (!p->n)
        cairn_report_paragraph(out, "No fold has both values, so there is nothing to compare.");
    else if (isnan(t->t))
        cairn_report_paragraph(out, "The differences do not scatter, so there is no scale for t.");
    else {
        cairn_report_worked(out, "t", "mean / error = # / # = #", mean, t->error, value);
        cairn_report_worked(out, "p, two sides", "2 · P(T > |#|) with # degrees of freedom = #",
                            value, t->df, t->p_two);
    }
    cairn_report_step_end(out);
}

void cairn_steps_five_by_two(cairn_report *out, const double d[10], const cairn_five_by_two *f)
{
    double variances = 0, squares = 0;
    if (!out) return;
    cairn_report_step_begin(out, "Five halvings");
    cairn_report_formula(out, "variance of a halving = (d₁ − m)² + (d₂ − m)²,   m = (d₁ + d₂) / 2");
    cairn_report_table_of(out, NULL, 0, "rrrrr", "halving", "d₁", "d₂", "m", "variance");
    for (size_t i = 0; i < 5; i++) {
        double a = d[2 * i], b = d[2 * i + 1], variance = (a - b) * (a - b) / 2;
        variances += variance;
        squares += a * a + b * b;
        cairn_report_cells(out, NULL, i + 1, a, b, (a + b) / 2, variance);
    }
    cairn_report_worked(out, "t", "first d₁ / √(Σ variance / 5) = # / √(# / 5) = #", d[0],
                        variances, f->t);
    cairn_report_worked(out, "F", "Σ d² / (2 Σ variance) = # / (2 · #) = #", squares, variances,
                        f->f);
    cairn_report_step_end(out);
}

/* -- Wilcoxon -- */

/* "W₊ = 3 + 1.5 + ... = 12" over the differences of one sign. */
static void show_rank_sum(cairn_report *out, const char *label, const double *d,
                          const double *ranks, size_t n, bool positive, double value)
{
    cairn_context *ctx = cairn_report_context(out);
    SCOPED_SCRATCH(ctx);
    double *chosen;
    size_t count = 0;
    cairn_status status = SCRATCH(ctx, &chosen, n + 1);
    if (status) return cairn_report_failed(out, status);
    for (size_t i = 0; i < n; i++)
        if (ranks[i] > 0 && (d[i] > 0) == positive) chosen[count++] = ranks[i];
    cairn_report_worked_sum(out, label, "#", chosen, 1, count, value);
}

void cairn_steps_wilcoxon(cairn_report *out, const cairn_wilcoxon *w, const double *d,
                          const double *ranks, size_t n)
{
    double k = (double)w->n, mean = k * (k + 1) / 4;
    if (!out || !w->n) return;
    double sd = isnan(w->z) || w->z == 0 ? NAN : (w->statistic - mean) / w->z;
    cairn_report_step_begin(out, "Sums of ranks");
    show_rank_sum(out, "W₊", d, ranks, n, true, w->positive);
    show_rank_sum(out, "W₋", d, ranks, n, false, w->negative);
    cairn_report_worked(out, "check", "W₊ + W₋ = # + # = n (n + 1) / 2 = #", w->positive,
                        w->negative, k * (k + 1) / 2);
    cairn_report_worked(out, "W", "min(W₊, W₋) = min(#, #) = #", w->positive, w->negative,
                        w->statistic);
    cairn_report_step_end(out);
    cairn_report_step_begin(out, "How unusual that is");
    if (!isnan(w->p_exact) && w->n <= 50)
        cairn_report_worked(
            out, "p, exact", "2 · (choices of signs with W₊ ≤ #) / 2ⁿ = 2 · # / 2^# = #",
            w->statistic, round(w->p_exact / 2 * ldexp(1, (int)w->n)), k, w->p_exact);
    cairn_report_worked(out, "mean of W", "n (n + 1) / 4 = # · # / 4 = #", k, k + 1, mean);
    if (!isnan(sd)) {
        cairn_report_hidden(out, sd, "steps.deviation");
        cairn_report_worked(out, "deviation of W",
                            w->tied ? "√(n (n + 1) (2n + 1) / 24 − Σ (t³ − t) / 48) = "
                                      "√(# · # · # / 24 − ties) = #"
                                    : "√(n (n + 1) (2n + 1) / 24) = √(# · # · # / 24) = #",
                            k, k + 1, 2 * k + 1, sd);
        cairn_report_worked(out, "z", "(W − mean) / deviation = (# − #) / # = #", w->statistic,
                            mean, sd, w->z);
    }
    cairn_report_hidden(out, mean, "steps.mean");
    cairn_report_step_end(out);
}

/* -- Friedman -- */

/* "R of tree = (1 + 2 + 1) / 3 = 1.33333" */
static void show_average(cairn_report *out, const cairn_friedman *f, const char *name,
                         const double *ranks, size_t j, double average)
{
    enum { MOST = 12 };
    cairn_text line = cairn_text_start(cairn_report_context(out));
    double sum = 0;
    cairn_text_addf(&line, "R of %s = (", name);
    for (size_t i = 0; i < f->n; i++) {
        sum += ranks[i * f->k + j];
        if (f->n > MOST && i >= MOST - 2 && i + 1 < f->n) continue;
        if (f->n > MOST && i + 1 == f->n) cairn_text_add(&line, " + …");
        cairn_text_add(&line, i ? " + " : "");
        cairn_text_add_number(&line, ranks[i * f->k + j], 6);
    }
    cairn_text_add(&line, ") / n = ");
    cairn_text_add_number(&line, sum, 6);
    cairn_text_addf(&line, " / %zu = ", f->n);
    cairn_text_add_number(&line, average, 6);
    cairn_report_formula(out, "%s", cairn_text_string(&line));
    cairn_report_text_end(out, &line);
}

/* "Σ (Rⱼ − R̄)² = (1.5 − 2)² + ...": the spread of the average ranks. */
static void show_spread(cairn_report *out, const cairn_friedman *f, const double *averages)
{
    cairn_context *ctx = cairn_report_context(out);
    SCOPED_SCRATCH(ctx);
    double *terms, sum = 0;
    cairn_status status = SCRATCH(ctx, &terms, 2 * f->k);
    if (status) return cairn_report_failed(out, status);
    for (size_t j = 0; j < f->k; j++) {
        terms[2 * j] = averages[j], terms[2 * j + 1] = f->middle;
        sum += (averages[j] - f->middle) * (averages[j] - f->middle);
    }
    cairn_report_worked_sum(out, "Σ (Rⱼ − R̄)²", "(# − #)²", terms, 2, f->k, sum);
    cairn_report_hidden(out, sum, "steps.spread");
    cairn_report_worked(out, "n Σ (Rⱼ − R̄)²", "# · # = #", (double)f->n, sum, f->between);
}

void cairn_steps_friedman(cairn_report *out, const cairn_friedman *f, const char *const *names,
                          const double *ranks, const double *averages)
{
    double n = (double)f->n, k = (double)f->k;
    if (!out) return;
    cairn_report_step_begin(out, "Average ranks");
    for (size_t j = 0; ranks && j < f->k; j++)
        show_average(out, f, names[j], ranks, j, averages[j]);
    cairn_report_worked(out, "R̄", "(k + 1) / 2 = (# + 1) / 2 = #", k, f->middle);
    cairn_report_step_end(out);
    cairn_report_step_begin(out, "Friedman's statistic");
    show_spread(out, f, averages);
    cairn_report_worked(out, "Σ (rᵢⱼ − R̄)² / (n (k − 1))", "# / (# · #) = #",
                        f->overall * n * (k - 1), n, k - 1, f->overall);
    cairn_report_worked(out, "statistic", "# / # = #", f->between, f->overall, f->statistic);
    cairn_report_worked(out, "p", "P(χ² > #) with # degrees of freedom = #", f->statistic, k - 1,
                        f->p_chi2);
    if (isfinite(f->f) && f->n > 1)
        cairn_report_worked(out, "F",
                            "(n − 1) statistic / (n (k − 1) − statistic) = # · # / (# · # − #) = #",
                            n - 1, f->statistic, n, k - 1, f->statistic, f->f);
    cairn_report_step_end(out);
}

void cairn_steps_critical(cairn_report *out, const cairn_rank_comparison *c)
{
    double n = (double)c->n, k = (double)c->k;
    double q = cairn_nemenyi_q(c->k, c->alpha), dunn = cairn_dunn_q(c->k, c->alpha);
    cairn_report_step_begin(out, "Critical differences");
    cairn_report_worked(out, "all pairs", "q √(k (k + 1) / (6 n)) = # · √(# · # / (6 · #)) = #", q,
                        k, k + 1, n, cairn_critical_difference(q, c->k, c->n));
    cairn_report_worked(out, "against a control", "# · √(# · # / (6 · #)) = #", dunn, k, k + 1, n,
                        cairn_critical_difference(dunn, c->k, c->n));
    cairn_report_step_end(out);
}

/* -- exact tests -- */

/* Chances of counts within the rounding of the one that was seen are as likely as it. */
#define AS_LIKELY (1 + 1e-7)

enum { MOST_COUNTS = 50 };

/* Above it there are too many counts to step through; far above it adding 1 changes nothing. */
static const double most_stepped = 1e9;

void cairn_steps_binomial(cairn_report *out, double x, double n, double p, double two_sided)
{
    double seen = cairn_binomial_mass(x, n, p);
    if (!out || n > most_stepped || x != floor(x)) return;
    cairn_report_step_begin(out, "The exact test: chances of every count");
    cairn_report_worked(out, "P(X = k)", "C(n, k) p₀ᵏ (1 − p₀)ⁿ⁻ᵏ with n = #, p₀ = #", n, p);
    cairn_report_worked(out, "P(X = x)", "C(#, #) · #^# · #^# = #", n, x, p, x, 1 - p, n - x, seen);
    cairn_report_table_of(out, "Counts; those no likelier than the one seen are marked",
                          MOST_COUNTS, "rrr", "k", "P(X = k)", "P(X ≤ k)");
    /* the first counts, and when there are too many, those around the one that was seen */
    double first = n < MOST_COUNTS ? 0 : fmax(0, fmin(x - 0.5 * MOST_COUNTS, n - MOST_COUNTS + 1));
    for (double k = first; k <= n && k < first + MOST_COUNTS; k++) {
        double mass = cairn_binomial_mass(k, n, p);
        if (mass <= seen * AS_LIKELY) cairn_report_row_mark(out);
        cairn_report_prefix(out, "steps.mass.%zu", (size_t)k);
        cairn_report_cells(out, "- @", k, mass, cairn_binomial_lower(k, n, p));
    }
    if (n >= MOST_COUNTS)
        cairn_report_paragraph(out, "Of the counts 0 to %zu, %d around the one seen are listed.",
                               (size_t)n, MOST_COUNTS);
    cairn_report_worked(out, "p, two-sided", "sum of P(X = k) over the marked counts = #",
                        two_sided);
    cairn_report_step_end(out);
}

static double log_choose(double n, double k)
{
    return cairn_lgamma(n + 1) - cairn_lgamma(k + 1) - cairn_lgamma(n - k + 1);
}

static double table_chance(double k, double n, double m, double all)
{
    return cairn_exp(log_choose(n, k) + log_choose(m, all - k) - log_choose(n + m, all));
}

void cairn_steps_fisher(cairn_report *out, double x, double n, double y, double m, double two_sided)
{
    double all = x + y, low = fmax(0, all - m), high = fmin(n, all);
    double seen = table_chance(x, n, m, all);
    if (!out || n + m > most_stepped) return;
    cairn_report_step_begin(out, "Fisher's exact test: all tables with these margins");
    cairn_report_worked(out, "P(k)", "C(n₁, k) C(n₂, s − k) / C(n₁ + n₂, s), s = # + # = #", x, y,
                        all);
    cairn_report_worked(out, "P(x)", "C(#, #) · C(#, #) / C(#, #) = #", n, x, m, y, n + m, all,
                        seen);
    cairn_report_table_of(out,
                          "Counts of the first; those no likelier than the one seen are marked",
                          MOST_COUNTS, "rrr", "k", "s − k", "P(k)");
    double first = high - low < MOST_COUNTS
                       ? low
                       : fmax(low, fmin(x - 0.5 * MOST_COUNTS, high - MOST_COUNTS + 1));
    for (double k = first; k <= high && k < first + MOST_COUNTS; k++) {
        double chance = table_chance(k, n, m, all);
        if (chance <= seen * AS_LIKELY) cairn_report_row_mark(out);
        cairn_report_prefix(out, "steps.table.%zu", (size_t)k);
        cairn_report_cells(out, "- - @", k, all - k, chance);
    }
    if (high - low >= MOST_COUNTS)
        cairn_report_paragraph(out, "Of %zu tables, %d around the one seen are listed.",
                               (size_t)(high - low + 1), MOST_COUNTS);
    cairn_report_worked(out, "p, two-sided", "sum of P(k) over the marked tables = #", two_sided);
    cairn_report_step_end(out);
}

void cairn_steps_mcnemar(cairn_report *out, const cairn_mcnemar *m, double b, double c)
{
    if (!out || !(b + c > 0)) return;
    double apart = fmax(0, fabs(b - c) - 1);
    cairn_report_step_begin(out, "The statistic");
    cairn_report_worked(out, "X²", "(# − #)² / (# + #) = # / # = #", b, c, b, c, (b - c) * (b - c),
                        b + c, m->statistic);
    cairn_report_worked(out, "X², corrected", "(|# − #| − 1)² / (# + #) = # / # = #", b, c, b, c,
                        apart * apart, b + c, m->corrected_statistic);
    cairn_report_worked(out, "p", "P(χ² > #) with 1 degree of freedom = #", m->statistic, m->p);
    cairn_report_step_end(out);
    cairn_steps_binomial(out, b, b + c, 0.5, m->exact_p);
    if (b == c) return;
    cairn_report_step_begin(out, "The mid p-value");
    cairn_report_worked(out, "mid p", "p − P(X = b) = # − # = #", m->exact_p,
                        cairn_binomial_mass(b, b + c, 0.5), m->mid_p);
    cairn_report_step_end(out);
}
