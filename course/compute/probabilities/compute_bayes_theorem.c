/* SPDX-License-Identifier: MIT */
/* cairn compute bayes-theorem: hypotheses (causes, models) with their prior probabilities and what
 * each of them says about an observation, and what is left of them after one observation or many.
 *
 *     P(h | x) = P(x | h) P(h) / P(x),   P(x) = Σ P(x | h) P(h)
 *
 * After every observation: the posteriors, the hypothesis of the largest (MAP) and of the largest
 * likelihood (ML), and the probability of the next observation, averaged over all hypotheses, whose
 * largest is the Bayes-optimal answer. Sums are of logarithms, so that thousands of observations do
 * not underflow. Of equally probable hypotheses all are named. */
#include "compute/probabilities/causes.h"
#include "model/calculator.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Observations whose work is shown; more are only in the table at the end. */
enum { WORKED = 20, MOST_OBSERVED = 1000000, SHOWN_ROWS = 200, DRAWN_LINES = 12 };

typedef struct theorem_params {
    cairn_causes_option causes;
    const char *observed;
} theorem_params;

static const cairn_param theorem_table[] = {
    CAIRN_PARAM_GROUP(theorem_params, causes, cairn_causes_params),
    CAIRN_PARAM(theorem_params, observed, NULL, NULL,
                "outcomes in the order in which they were seen, such as lime,lime,cherry; lime*10 "
                "is ten of them; the first outcome once if not given",
                .often = true),
    CAIRN_PARAM_END,
};

typedef struct theorem_work {
    cairn_causes causes;
    size_t n_seen;
    size_t *seen;      /* n_seen */
    double *logs;      /* n: ln P(D | h) so far */
    double *posterior; /* (n_seen + 1) x n */
    double *next;      /* (n_seen + 1) x n_outcomes */
} theorem_work;

/* -- reading -- */

static cairn_status find_outcome(cairn_context *ctx, const theorem_work *w, const char *name,
                                 size_t length, size_t *out)
{
    for (*out = 0; *out < w->causes.n_outcomes; ++*out)
        if (strlen(w->causes.outcomes[*out]) == length &&
            !strncmp(w->causes.outcomes[*out], name, length))
            return CAIRN_OK;
    cairn_text names = cairn_text_start(ctx);
    for (size_t o = 0; o < w->causes.n_outcomes && o < 10; o++)
        cairn_text_addf(&names, o ? ", %s" : "%s", w->causes.outcomes[o]);
    cairn_status status = cairn_text_status(&names);
    if (!status)
        status =
            cairn_fail(ctx, CAIRN_USAGE, "{observed}: there is no outcome '%.*s'; there are %s",
                       (int)length, name, cairn_text_string(&names));
    cairn_text_clear(&names);
    return status;
}

/* One item of the list: NAME or NAME*TIMES. A name may itself hold a star. */
static cairn_status read_item(cairn_context *ctx, const theorem_work *w, const char *item,
                              size_t *outcome, size_t *times)
{
    const char *star = strrchr(item, '*');
    double n;
    *times = 1;
    if (star && cairn_number_parse(star + 1, strlen(star + 1), &n) && n >= 1 && n == floor(n) &&
        n <= MOST_OBSERVED) {
        *times = (size_t)n;
        return find_outcome(ctx, w, item, (size_t)(star - item), outcome);
    }
    return find_outcome(ctx, w, item, strlen(item), outcome);
}

static cairn_status read_observed(cairn_context *ctx, theorem_work *w, const char *text)
{
    char **items = NULL;
    size_t n = 0, outcome = 0, times = 1, at = 0;
    if (text) CHECK(cairn_list_split(ctx, text, &items, &n));
    for (size_t i = 0; i < n; i++) {
        CHECK(read_item(ctx, w, items[i], &outcome, &times));
        w->n_seen += times;
        if (w->n_seen > MOST_OBSERVED)
            return cairn_fail(ctx, CAIRN_USAGE, "{observed}: at most %d observations are taken",
                              MOST_OBSERVED);
    }
    if (!text) w->n_seen = 1;
    CHECK(SCRATCH(ctx, &w->seen, w->n_seen + 1));
    for (size_t i = 0; i < n; i++) {
        CHECK(read_item(ctx, w, items[i], &outcome, &times));
        while (times-- > 0) w->seen[at++] = outcome;
    }
    return CAIRN_OK;
}

static cairn_status read_work(cairn_context *ctx, theorem_work *w, const cairn_compute_job *job)
{
    const theorem_params *p = job->params;
    CHECK(cairn_causes_read(ctx, &w->causes, &p->causes, job->table));
    return read_observed(ctx, w, p->observed);
}

/* -- computing -- */

static double likelihood(const theorem_work *w, size_t h, size_t outcome)
{
    return cairn_cause_says(&w->causes, h, outcome);
}

/* From ln P(D | h) and the priors, after `seen` observations; fails when nothing is possible. */
static cairn_status fill_posterior(cairn_context *ctx, theorem_work *w, size_t seen)
{
    double *to = w->posterior + seen * w->causes.n, *next = w->next + seen * w->causes.n_outcomes;
    double most = -INFINITY, sum = 0;
    for (size_t h = 0; h < w->causes.n; h++) {
        to[h] = w->logs[h] + cairn_log(w->causes.prior[h]);
        most = fmax(most, to[h]);
    }
    if (isinf(most))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "observation %zu, '%s', is impossible under every hypothesis that the "
                          "others have left",
                          seen, seen ? w->causes.outcomes[w->seen[seen - 1]] : "");
    for (size_t h = 0; h < w->causes.n; h++) sum += to[h] = cairn_exp(to[h] - most);
    for (size_t h = 0; h < w->causes.n; h++) {
        to[h] /= sum;
        for (size_t o = 0; o < w->causes.n_outcomes; o++) next[o] += to[h] * likelihood(w, h, o);
    }
    return CAIRN_OK;
}

static cairn_status compute(cairn_context *ctx, theorem_work *w)
{
    CHECK(SCRATCH(ctx, &w->logs, w->causes.n));
    CHECK(SCRATCH(ctx, &w->posterior, cairn_product(w->n_seen + 1, w->causes.n)));
    CHECK(SCRATCH(ctx, &w->next, cairn_product(w->n_seen + 1, w->causes.n_outcomes)));
    CHECK(fill_posterior(ctx, w, 0));
    for (size_t i = 0; i < w->n_seen; i++) {
        for (size_t h = 0; h < w->causes.n; h++)
            w->logs[h] += cairn_log(likelihood(w, h, w->seen[i]));
        CHECK(fill_posterior(ctx, w, i + 1));
    }
    return CAIRN_OK;
}

static size_t largest(const double *x, size_t n)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        if (x[i] > x[best]) best = i;
    return best;
}

/* The names of all that are as large as the largest but for rounding, into a text. */
static void name_largest(cairn_text *out, const double *x, size_t n, const char *const *names)
{
    double most = x[largest(x, n)];
    out->length = 0;
    for (size_t i = 0; i < n; i++)
        if (x[i] >= most - 1e-12 * fabs(most))
            cairn_text_addf(out, out->length ? ", %s" : "%s", names[i]);
}

/* -- showing -- */

static void show_hypotheses(cairn_report *out, const theorem_work *w)
{
    cairn_report_table_of(out, "Hypotheses", SHOWN_ROWS, "lr", "hypothesis", "prior");
    for (size_t o = 0; o < w->causes.n_outcomes; o++) {
        char head[100];
        snprintf(head, sizeof head, "P(%.60s | h)", w->causes.outcomes[o]);
        cairn_report_column(out, head, 'r');
    }
    for (size_t h = 0; h < w->causes.n; h++) {
        cairn_report_cell(out, w->causes.names[h]);
        cairn_report_cell_number(out, w->causes.prior[h], 0, "prior.%s",
                                 cairn_report_key(out, w->causes.names[h]));
        for (size_t o = 0; o < w->causes.n_outcomes; o++)
            cairn_report_cell_number(out, likelihood(w, h, o), 0, "p.%s.%s",
                                     cairn_report_key(out, w->causes.names[h]),
                                     cairn_report_key(out, w->causes.outcomes[o]));
    }
    cairn_report_table_end(out);
}

/* One observation as on the board: likelihood times what was believed, and the sum to divide by. */
static void show_update(cairn_report *out, const theorem_work *w, size_t i, double *products)
{
    const double *before = w->posterior + i * w->causes.n, *after = before + w->causes.n;
    double evidence = 0;
    cairn_report_step_begin(out, "Observation %zu: %s", i + 1, w->causes.outcomes[w->seen[i]]);
    for (size_t h = 0; h < w->causes.n; h++) {
        products[2 * h] = likelihood(w, h, w->seen[i]);
        products[2 * h + 1] = before[h];
        evidence += products[2 * h] * before[h];
    }
    cairn_report_worked_sum(out, "evidence", "#·#", products, 2, w->causes.n, evidence);
    cairn_report_hidden(out, evidence, "after%zu.evidence", i + 1);
    cairn_report_worked(out, "alpha", "1 / # = #", evidence, 1 / evidence);
    cairn_report_hidden(out, 1 / evidence, "after%zu.alpha", i + 1);
    cairn_report_table_of(out, "From prior to posterior", SHOWN_ROWS, "lrrrr", "hypothesis",
                          "prior", "likelihood", "product", "posterior");
    for (size_t h = 0; h < w->causes.n; h++) {
        cairn_report_cell(out, w->causes.names[h]);
        cairn_report_cell_number(out, before[h], 0, NULL);
        cairn_report_cell_number(out, products[2 * h], 0, NULL);
        cairn_report_cell_number(out, products[2 * h] * before[h], 0, "after%zu.joint.%s", i + 1,
                                 cairn_report_key(out, w->causes.names[h]));
        cairn_report_cell_number(out, after[h], 0, NULL);
    }
    cairn_report_table_end(out);
    cairn_report_step_end(out);
}

static cairn_status show_updates(cairn_context *ctx, cairn_report *out, const theorem_work *w)
{
    double *products;
    CHECK(SCRATCH(ctx, &products, 2 * w->causes.n));
    cairn_report_formula(out, "P(h | x) = P(x | h)·P(h) / P(x),   P(x) = Σ P(x | h)·P(h)");
    for (size_t i = 0; i < w->n_seen && i < WORKED; i++) show_update(out, w, i, products);
    if (w->n_seen > WORKED)
        cairn_report_paragraph(out, "%zu more observations are in the table.", w->n_seen - WORKED);
    return CAIRN_OK;
}

/* What has been seen, and by name what is believed and expected then. */
static void show_after(cairn_report *out, const theorem_work *w, size_t i, double *logs,
                       cairn_text *text)
{
    const double *posterior = w->posterior + i * w->causes.n,
                 *next = w->next + i * w->causes.n_outcomes;
    size_t map = largest(posterior, w->causes.n);
    cairn_report_cellf(out, "%zu", i);
    cairn_report_cell(out, i ? w->causes.outcomes[w->seen[i - 1]] : "");
    for (size_t h = 0; h < w->causes.n; h++)
        cairn_report_cell_number(out, posterior[h], 0, "after%zu.posterior.%s", i,
                                 cairn_report_key(out, w->causes.names[h]));
    for (size_t o = 0; o < w->causes.n_outcomes; o++) {
        cairn_report_cell_number(out, next[o], 0, "after%zu.next.%s", i,
                                 cairn_report_key(out, w->causes.outcomes[o]));
        cairn_report_hidden(out, likelihood(w, map, o), "after%zu.map_next.%s", i,
                            cairn_report_key(out, w->causes.outcomes[o]));
    }
    name_largest(text, posterior, w->causes.n, w->causes.names);
    cairn_report_cell_word(out, cairn_text_string(text), "after%zu.map", i);
    name_largest(text, logs, w->causes.n, w->causes.names);
    cairn_report_cell_word(out, i ? cairn_text_string(text) : "", "after%zu.ml", i);
    name_largest(text, next, w->causes.n_outcomes, w->causes.outcomes);
    cairn_report_cell_word(out, cairn_text_string(text), "after%zu.best", i);
    for (size_t h = 0; h < w->causes.n && i < w->n_seen; h++)
        logs[h] += cairn_log(likelihood(w, h, w->seen[i]));
}

static cairn_status show_course(cairn_context *ctx, cairn_report *out, const theorem_work *w)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    double *logs;
    char head[100];
    CHECK(SCRATCH(ctx, &logs, w->causes.n));
    cairn_report_table_of(out, "After each observation", SHOWN_ROWS, "rl", "seen", "last");
    for (size_t h = 0; h < w->causes.n; h++) {
        snprintf(head, sizeof head, "P(%.60s)", w->causes.names[h]);
        cairn_report_column(out, head, 'r');
    }
    for (size_t o = 0; o < w->causes.n_outcomes; o++) {
        snprintf(head, sizeof head, "next %.60s", w->causes.outcomes[o]);
        cairn_report_column(out, head, 'r');
    }
    cairn_report_columns(out, "lll", "MAP", "ML", "optimal");
    for (size_t i = 0; i <= w->n_seen; i++) show_after(out, w, i, logs, &text);
    cairn_report_table_end(out);
    return cairn_text_status(&text);
}

/* Whether the most probable hypothesis alone would answer something else than all together. */
static void note_difference(cairn_report *out, const theorem_work *w)
{
    const double *posterior = w->posterior + w->n_seen * w->causes.n;
    const double *next = w->next + w->n_seen * w->causes.n_outcomes;
    size_t map = largest(posterior, w->causes.n);
    size_t alone = largest(w->causes.likelihood + map * w->causes.n_outcomes, w->causes.n_outcomes);
    size_t best = largest(next, w->causes.n_outcomes);
    bool differs = likelihood(w, map, alone) > likelihood(w, map, best) &&
                   next[best] > next[alone] * (1 + 1e-12);
    cairn_report_hidden(out, differs, "map_differs");
    if (differs)
        cairn_report_note(out,
                          "The most probable hypothesis, %s, expects '%s' next; all hypotheses "
                          "together, each as far as it is believed, expect '%s'.",
                          w->causes.names[map], w->causes.outcomes[alone],
                          w->causes.outcomes[best]);
}

/* Posteriors over the observations; of many hypotheses those that are most probable at the end. */
static cairn_status make_figure(cairn_context *ctx, cairn_figure **out, const theorem_work *w)
{
    size_t n = w->n_seen + 1;
    double *x, *y;
    bool *drawn;
    CHECK(SCRATCH(ctx, &x, n));
    CHECK(SCRATCH(ctx, &y, n));
    CHECK(SCRATCH(ctx, &drawn, w->causes.n));
    CHECK(cairn_figure_new(ctx, out, "bayes-theorem", "Posteriors of the hypotheses"));
    cairn_figure_axes(*out, "observations", "posterior probability");
    cairn_figure_y_range(*out, 0, 1);
    for (size_t i = 0; i < n; i++) x[i] = (double)i;
    for (size_t k = 0; k < w->causes.n && k < DRAWN_LINES; k++) {
        size_t best = w->causes.n;
        for (size_t h = 0; h < w->causes.n; h++) {
            const double *last = w->posterior + w->n_seen * w->causes.n;
            if (w->causes.n <= DRAWN_LINES
                    ? h == k
                    : !drawn[h] && (best == w->causes.n || last[h] > last[best]))
                best = h;
        }
        drawn[best] = true;
        for (size_t i = 0; i < n; i++) y[i] = w->posterior[i * w->causes.n + best];
        cairn_figure_line(*out, w->causes.names[best], x, y, n);
    }
    return CAIRN_OK;
}

static cairn_status theorem_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    theorem_work w = {0};
    cairn_figure *figure;
    CHECK(read_work(ctx, &w, job));
    CHECK(compute(ctx, &w));
    cairn_report_heading(out, 1, "Hypotheses and what was observed");
    show_hypotheses(out, &w);
    if (job->steps) CHECK(show_updates(ctx, out, &w));
    CHECK(show_course(ctx, out, &w));
    note_difference(out, &w);
    cairn_report_hidden(out, (double)w.n_seen, "observations");
    if (w.n_seen < 2) return CAIRN_OK;
    CHECK(make_figure(ctx, &figure, &w));
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

static cairn_status theorem_draw(cairn_context *ctx, cairn_figure **out,
                                 const cairn_compute_job *job)
{
    theorem_work w = {0};
    CHECK(read_work(ctx, &w, job));
    CHECK(compute(ctx, &w));
    return make_figure(ctx, out, &w);
}

const cairn_calculator cairn_compute_bayes_theorem = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "bayes-theorem",
              .also = "Bayes, Bayes' theorem, Bayes' rule, hypotheses, posterior of causes, total "
                      "probability, MAP "
                      "hypothesis, ML hypothesis, Bayes optimal classifier, Bayesian learning, "
                      "predictive probability, candy bags",
              .title = "Bayes' theorem, observation by observation",
              .summary =
                  "Any number of hypotheses that exclude each other, with their priors and with "
                  "what each says about an observation: evidence and posteriors after every "
                  "observation, the most probable hypothesis (MAP), the one of the largest "
                  "likelihood (ML), and the probability of the next observation averaged over all "
                  "of them, whose largest is the Bayes-optimal answer. Typed, or a table with a "
                  "row for every hypothesis, a column 'prior' and a column for every outcome.",
              .references = "Mitchell, Machine Learning, McGraw-Hill 1997, chapter 6",
              .example = "cairn compute bayes-theorem --prior 0.1,0.2,0.4,0.2,0.1 --likelihood "
                         "'0;0.25;0.5;0.75;1' --outcomes lime --observed lime*3 --steps",
              .params = theorem_table,
              .params_size = sizeof(theorem_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "bayes-theorem",
                .also = "posterior curves, posterior of hypotheses",
                .title = "Posteriors of hypotheses",
                .summary = "The posterior probability of each hypothesis against the number of "
                           "observations; of more than twelve those that are most probable at the "
                           "end.",
                .example = "cairn draw bayes-theorem --prior 0.1,0.2,0.4,0.2,0.1 --likelihood "
                           "'0;0.25;0.5;0.75;1' --outcomes lime --observed lime*10 --out candy.svg",
                .params = theorem_table,
                .params_size = sizeof(theorem_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .run = theorem_run,
    .draw = theorem_draw,
};
