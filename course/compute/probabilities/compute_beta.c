/* SPDX-License-Identifier: MIT */
/* cairn compute beta: what is known of a proportion after d of n, from a beta prior.
 *
 *     prior Beta(a, b), d of n  ->  posterior Beta(a + d, b + n − d)
 *     mode (a − 1) / (a + b − 2),  mean a / (a + b),  variance ab / ((a + b)² (a + b + 1)) */
#include "model/calculator.h"
#include "typed/law_draws.h"

#include "base/memory.h"
#include "base/number.h"
#include "stats/distributions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { POINTS = 401, MOST_DRAWS = 1000000 };

typedef struct beta_params {
    const char *seen;
    cairn_list prior, between;
    double level;
    int64_t draws;
} beta_params;

static const cairn_param beta_table[] = {
    {.name = "seen",
     .type = CAIRN_TYPE_LIST,
     .offset = offsetof(beta_params, seen),
     .required = true,
     .often = true,
     .help = "d of n, such as 9/10; several, such as 1/2,2/3,3/4, are compared, each by itself"},
    CAIRN_PARAM_CELLS(beta_params, prior, NUMBERS, "1,1", NULL,
                      "a and b of the prior; 1,1 says that all proportions are alike",
                      .often = true),
    CAIRN_PARAM_CELLS(beta_params, between, NUMBERS, "0.5,1", NULL,
                      "two proportions: the probability that the true one lies between them",
                      .often = true),
    CAIRN_PARAM(beta_params, level, "0.95", "(0,1)",
                "of the interval that leaves equal tails on both sides"),
    CAIRN_PARAM(beta_params, draws, "0", "[0,1000000]",
                "proportions to draw from the last posterior; --out FILE writes them"),
    CAIRN_PARAM_END,
};

typedef struct posterior {
    double d, n, a, b;
} posterior;

typedef struct beta_work {
    double prior[2], between[2];
    posterior *list;
    size_t n;
} beta_work;

/* -- reading -- */

static cairn_status read_seen(cairn_context *ctx, const char *text, posterior *out)
{
    const char *slash = strchr(text, '/');
    if (slash && cairn_number_parse(text, (size_t)(slash - text), &out->d) &&
        cairn_number_parse(slash + 1, strlen(slash + 1), &out->n) && out->d >= 0 &&
        out->n >= out->d && out->n <= 1e15)
        return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE,
                      "{seen}: '%s' is not d of n; 9/10 is, where d lies between 0 and n", text);
}

/* Both parameters of the prior must be above 0: otherwise its density has no finite mass. */
static cairn_status read_work(cairn_context *ctx, beta_work *w, const beta_params *p)
{
    char **items;
    if (p->prior.n != 2 || p->between.n != 2)
        return cairn_fail(ctx, CAIRN_USAGE, "{%s} is two numbers, not %zu",
                          p->prior.n != 2 ? "prior" : "between",
                          p->prior.n != 2 ? p->prior.n : p->between.n);
    memcpy(w->prior, p->prior.values, sizeof w->prior);
    memcpy(w->between, p->between.values, sizeof w->between);
    if (!(w->prior[0] > 0 && w->prior[1] > 0))
        return cairn_fail(ctx, CAIRN_USAGE, "{prior}: a and b are above 0");
    if (!(w->between[0] >= 0 && w->between[0] < w->between[1] && w->between[1] <= 1))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{between}: two proportions from 0 to 1, the smaller first");
    CHECK(cairn_list_split(ctx, p->seen, &items, &w->n));
    if (!w->n) return cairn_fail(ctx, CAIRN_USAGE, "{seen} names no counts");
    CHECK(SCRATCH(ctx, &w->list, w->n));
    for (size_t i = 0; i < w->n; i++) {
        CHECK(read_seen(ctx, items[i], &w->list[i]));
        w->list[i].a = w->prior[0] + w->list[i].d;
        w->list[i].b = w->prior[1] + w->list[i].n - w->list[i].d;
    }
    return CAIRN_OK;
}

/* -- computing -- */

/* NaN where there is none or the density is largest at both ends. */
static double mode(const posterior *q)
{
    if (q->a > 1 && q->b > 1) return (q->a - 1) / (q->a + q->b - 2);
    if (q->a <= 1 && q->b <= 1) return NAN;
    return q->a <= 1 ? 0 : 1;
}

static double variance(const posterior *q)
{
    double sum = q->a + q->b;
    return q->a / sum * (q->b / sum) / (sum + 1);
}

/* By the smaller of the two tails, which keeps its digits. */
static double mass(const posterior *q, const double *between)
{
    double low = cairn_beta_lower(between[0], q->a, q->b);
    if (low > 0.5)
        return cairn_beta_upper(between[0], q->a, q->b) - cairn_beta_upper(between[1], q->a, q->b);
    return cairn_beta_lower(between[1], q->a, q->b) - low;
}

/* -- showing -- */

/* The formula of the mode holds only where both parameters are above 1. */
static void show_step(cairn_report *out, const beta_work *w, const posterior *q)
{
    char d[CAIRN_NUMBER_SIZE], n[CAIRN_NUMBER_SIZE];
    cairn_number_format(d, q->d, 6);
    cairn_number_format(n, q->n, 6);
    cairn_report_step_begin(out, "%s of %s", d, n);
    cairn_report_worked(out, "a", "# + # = #", w->prior[0], q->d, q->a);
    cairn_report_worked(out, "b", "# + (# − #) = #", w->prior[1], q->n, q->d, q->b);
    if (q->a > 1 && q->b > 1)
        cairn_report_worked(out, "mode", "(a − 1) / (a + b − 2) = (# − 1) / (# + # − 2) = #", q->a,
                            q->a, q->b, mode(q));
    cairn_report_worked(out, "mean", "a / (a + b) = # / (# + #) = #", q->a, q->a, q->b,
                        q->a / (q->a + q->b));
    cairn_report_worked(out, "variance", "a·b / ((a + b)²·(a + b + 1)) = #·# / (#²·#) = #", q->a,
                        q->b, q->a + q->b, q->a + q->b + 1, variance(q));
    cairn_report_worked(out, "density", "θ^(a − 1)·(1 − θ)^(b − 1) / B(a, b), a = #, b = #", q->a,
                        q->b);
    cairn_report_worked(out, NULL, "P(# ≤ θ ≤ #) = I(#; a, b) − I(#; a, b) = # − # = #",
                        w->between[0], w->between[1], w->between[1], w->between[0],
                        cairn_beta_lower(w->between[1], q->a, q->b),
                        cairn_beta_lower(w->between[0], q->a, q->b), mass(q, w->between));
    cairn_report_step_end(out);
}

static void show_posteriors(cairn_report *out, const beta_work *w, double level)
{
    char head[128], interval[64];
    char low[CAIRN_NUMBER_SIZE], high[CAIRN_NUMBER_SIZE], percent[CAIRN_NUMBER_SIZE];
    cairn_number_format(low, w->between[0], 6);
    cairn_number_format(high, w->between[1], 6);
    snprintf(head, sizeof head, "P(%s to %s)", low, high);
    cairn_number_format(percent, 100 * level, 6);
    snprintf(interval, sizeof interval, "%s%% from", percent);
    cairn_report_table_of(out, "Posteriors of the proportion", 0, "rrrrrrrrrr", "d", "n", "a", "b",
                          "mode", "mean", "variance", head, interval, "to");
    for (size_t i = 0; i < w->n; i++) {
        const posterior *q = &w->list[i];
        cairn_report_prefix(out, "posterior%zu", i + 1);
        cairn_report_cells(out, "- - @.a @.b @.mode @.mean @.variance @.between @.low @.high", q->d,
                           q->n, q->a, q->b, mode(q), q->a / (q->a + q->b), variance(q),
                           mass(q, w->between), cairn_beta_quantile((1 - level) / 2, q->a, q->b),
                           cairn_beta_quantile_upper((1 - level) / 2, q->a, q->b));
    }
}

static cairn_status show_draws(cairn_context *ctx, cairn_report *out, const beta_work *w, size_t n,
                               cairn_table **result)
{
    const posterior *q = &w->list[w->n - 1];
    cairn_law_draws draws = {.law = cairn_law_find("beta"),
                             .a = q->a,
                             .b = q->b,
                             .n = n,
                             .title = "Drawn from the last posterior",
                             .head = "θ",
                             .column = "theta"};
    return cairn_show_law_draws(ctx, out, &draws, result);
}

/* The densities, and under the last one the part that is asked for. A density without bound at an
 * end is left out there. */
static cairn_status make_figure(cairn_context *ctx, cairn_figure **out, const beta_work *w)
{
    double *x, *y, *zero;
    CHECK(SCRATCH_EACH(ctx, POINTS, &x, &y, &zero));
    CHECK(cairn_figure_new(ctx, out, "beta", "Posterior of the proportion"));
    cairn_figure_axes(*out, "proportion", "density");
    for (size_t i = 0; i < w->n; i++) {
        const posterior *q = &w->list[i];
        char label[200];
        size_t first = POINTS, end = 0;
        for (size_t k = 0; k < POINTS; k++) {
            x[k] = (double)k / (POINTS - 1);
            y[k] = cairn_beta_density(x[k], q->a, q->b);
            if (isinf(y[k])) y[k] = NAN;
            if (x[k] < w->between[0] || x[k] > w->between[1] || isnan(y[k])) continue;
            if (first == POINTS) first = k;
            end = k + 1;
        }
        /* "9 of 10: Beta(10, 2)" */
        size_t size = sizeof label;
        char text[4][CAIRN_NUMBER_SIZE];
        const double numbers[4] = {q->d, q->n, q->a, q->b};
        for (size_t j = 0; j < 4; j++) cairn_number_format(text[j], numbers[j], 6);
        snprintf(label, size, "%s of %s: Beta(%s, %s)", text[0], text[1], text[2], text[3]);
        if (i + 1 == w->n && first < end)
            cairn_figure_shade(*out, NULL, (int32_t)i, 0.2, x + first, zero, y + first,
                               end - first);
        cairn_figure_line(*out, label, x, y, POINTS);
    }
    return CAIRN_OK;
}

static cairn_status beta_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const beta_params *p = job->params;
    beta_work w = {0};
    cairn_figure *figure;
    CHECK(read_work(ctx, &w, p));
    cairn_report_heading(out, 1, "A proportion after counts");
    cairn_report_formula(out, "prior Beta(a, b), d of n:   posterior Beta(a + d, b + n − d)");
    if (job->steps)
        cairn_report_formula(out,
                             "I(x; a, b) = ∫ density from 0 to x, the incomplete beta function");
    for (size_t i = 0; job->steps && i < w.n; i++) show_step(out, &w, &w.list[i]);
    show_posteriors(out, &w, p->level);
    if (p->draws) CHECK(show_draws(ctx, out, &w, (size_t)p->draws, job->result));
    CHECK(make_figure(ctx, &figure, &w));
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

static cairn_status beta_draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    beta_work w = {0};
    CHECK(read_work(ctx, &w, job->params));
    return make_figure(ctx, out, &w);
}

const cairn_calculator cairn_compute_beta = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "beta",
              .also = "beta posterior, Bayesian estimate of a proportion, beta-binomial, conjugate "
                      "prior, credible interval",
              .title = "Bayesian estimate of a proportion",
              .summary =
                  "From a beta prior and d of n: the posterior, its mode (the MAP estimate), mean "
                  "and variance, the probability that the proportion lies between two bounds, an "
                  "interval with equal tails, and proportions drawn from it. Several counts are "
                  "compared, which shows how the curve narrows as n grows.",
              .references = "Flach, Machine Learning, Cambridge University Press 2012, section 9.1",
              .example = "cairn compute beta --seen 1/2,4/5,9/10 --between 0,0.5 --steps",
              .params = beta_table,
              .params_size = sizeof(beta_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "beta",
                .also = "beta posterior",
                .title = "Posteriors of a proportion",
                .summary = "The density of a proportion after d of n for each of the counts, and "
                           "under the last the part between two bounds shaded.",
                .example = "cairn draw beta --seen 1/2,2/3,4/5,9/10 --between 0,0.5 --out beta.svg",
                .params = beta_table,
                .params_size = sizeof(beta_params)},
    .arguments = "",
    .run = beta_run,
    .draw = beta_draw,
};
