/* SPDX-License-Identifier: MIT */
/* cairn compute bayes-theorem and, further down, cairn compute information, with the reader of
 * causes and outcomes that both of them have.
 *
 * cairn compute bayes-theorem: hypotheses (causes, models) with their prior probabilities and what
 * each of them says about an observation, and what is left of them after one observation or many.
 *
 *     P(h | x) = P(x | h) P(h) / P(x),   P(x) = Σ P(x | h) P(h)
 *
 * After every observation: the posteriors, the hypothesis of the largest (MAP) and of the largest
 * likelihood (ML), and the probability of the next observation, averaged over all hypotheses, whose
 * largest is the Bayes-optimal answer. Sums are of logarithms, so that thousands of observations do
 * not underflow. Of equally probable hypotheses all are named. */
#include "model/calculator.h"
#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "data/table.h"
#include "entry/entry.h"
#include "entry/split.h"
#include "data/column.h"
#include "typed/labels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A group of parameters. */
typedef struct causes_option {
    const char *hypotheses, *outcomes;
    cairn_list prior, likelihood;
    double evidence; /* NaN = not given */
} causes_option;

/* All scratch, or of the table. */
typedef struct cairn_causes {
    size_t n, n_outcomes;
    const char **names, **outcomes;
    double *prior;      /* n, sums to 1 */
    double *likelihood; /* n x n_outcomes; what a row lacks to 1 is the last outcome, 'other' */
} cairn_causes;

/* P(outcome | cause h). */
static inline double cause_says(const cairn_causes *causes, size_t h, size_t outcome)
{
    return causes->likelihood[h * causes->n_outcomes + outcome];
}

/* -- causes -- */

static const cairn_param causes_params[] = {
    CAIRN_PARAM_CELLS(
        causes_option, prior, NUMBERS, NULL, NULL,
        "prior probability of each hypothesis, such as 0.3,0.7; all alike if not given",
        .often = true),
    CAIRN_PARAM_CELLS(
        causes_option, likelihood, MATRIX, NULL, NULL,
        "a row per hypothesis, a number per outcome: how probable the hypothesis makes it, "
        "such as 0.9;0.1 or 0.2,0.8;0.5,0.5; what a row lacks to 1 is the outcome 'other'",
        .often = true),
    CAIRN_PARAM(causes_option, hypotheses, NULL, NULL, "names of the hypotheses", .often = true),
    CAIRN_PARAM(causes_option, outcomes, NULL, NULL, "names of the outcomes", .often = true),
    CAIRN_PARAM(causes_option, evidence, CAIRN_NOT_GIVEN, "(0,1]",
                "how probable the outcome is in all, where only one hypothesis is told; the "
                "other is that it does not hold"),
    CAIRN_PARAM_END,
};

/* A table: a column of names, a number column 'prior', the other number columns are outcomes. */
static cairn_status read_table(cairn_context *ctx, cairn_causes *w, const cairn_table *table)
{
    size_t at = 0;
    w->n = table->n_rows;
    for (size_t i = 0; i < table->n_columns; i++)
        w->n_outcomes +=
            cairn_table_numbers(table, i) && strcmp(table->slots[i].name, "prior") != 0;
    if (!w->n_outcomes || !w->n)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the data needs a row for every hypothesis and number columns with the "
                          "probabilities of the outcomes");
    CHECK(SCRATCH(ctx, &w->likelihood, cairn_product(w->n, w->n_outcomes + 1)));
    CHECK(SCRATCH(ctx, &w->outcomes, w->n_outcomes + 1));
    for (size_t i = 0; i < table->n_columns; i++) {
        const cairn_slot *slot = &table->slots[i];
        const double *numbers = cairn_table_numbers(table, i);
        if (!numbers && slot->column->kind == CAIRN_LEVEL && !w->names) {
            CHECK(SCRATCH(ctx, &w->names, w->n));
            for (size_t h = 0; h < w->n; h++)
                w->names[h] = cairn_level_name(slot->column, slot->column->codes[h]);
        }
        if (!numbers) continue;
        if (strcmp(slot->name, "prior") == 0) {
            CHECK(SCRATCH_RAW(ctx, &w->prior, w->n));
            memcpy(w->prior, numbers, w->n * sizeof *numbers);
            continue;
        }
        /* p_lime is the probability of lime. */
        w->outcomes[at] = slot->name + (strncmp(slot->name, "p_", 2) == 0 && slot->name[2] ? 2 : 0);
        for (size_t h = 0; h < w->n; h++) w->likelihood[h * (w->n_outcomes + 1) + at] = numbers[h];
        at++;
    }
    return CAIRN_OK;
}

/* One hypothesis and the evidence in all: the second is that the first does not hold, and it makes
 * the outcome as probable as the rest of the evidence asks for. */
static cairn_status add_rest(cairn_context *ctx, cairn_causes *w, const causes_option *p)
{
    const double *typed = p->prior.values;
    double *row = w->likelihood;
    if (w->n != 1 || w->n_outcomes != 1 || p->prior.n != 1)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{evidence} goes with one hypothesis, its prior and one outcome, such as "
                          "{prior 0.1} {likelihood 0.07}");
    CHECK(SCRATCH(ctx, &w->prior, 2));
    w->prior[0] = typed[0];
    w->prior[1] = 1 - typed[0];
    double rest = p->evidence - typed[0] * row[0];
    row[2] = w->prior[1] > 0 ? rest / w->prior[1] : 0;
    if (!(typed[0] >= 0 && typed[0] <= 1 && rest >= 0 && row[2] <= 1))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{evidence}: an outcome of this probability is impossible with {prior "
                          "%s} and {likelihood %s}",
                          p->prior.text, p->likelihood.text);
    w->n = 2;
    return CAIRN_OK;
}

/* The second name, where one hypothesis was told. */
static cairn_status name_rest(cairn_context *ctx, cairn_causes *w, const char *typed)
{
    const char **one;
    char *rest;
    CHECK(cairn_read_names(ctx, &one, typed, 1, "hypotheses", "h"));
    size_t size = strlen(one[0]) + sizeof "not ";
    CHECK(SCRATCH(ctx, &w->names, 2));
    CHECK(SCRATCH_RAW(ctx, &rest, size));
    snprintf(rest, size, "not %s", one[0]);
    w->names[0] = one[0];
    w->names[1] = rest;
    return CAIRN_OK;
}

/* What the rows lack to 1 is one outcome more, unless none lacks anything. */
static cairn_status complete_rows(cairn_context *ctx, cairn_causes *w)
{
    size_t width = w->n_outcomes + 1;
    bool lacks = false;
    for (size_t h = 0; h < w->n; h++) {
        double *row = w->likelihood + h * width, sum = 0;
        for (size_t o = 0; o < w->n_outcomes; o++) {
            if (!(row[o] >= 0 && row[o] <= 1)) {
                char value[CAIRN_NUMBER_SIZE];
                cairn_number_format(value, row[o], CAIRN_SHORTEST);
                return cairn_fail(ctx, CAIRN_BAD_DATA,
                                  "the probability of %s under %s is %s, but probabilities lie "
                                  "between 0 and 1",
                                  w->outcomes[o], w->names[h], value);
            }
            sum += row[o];
        }
        if (sum > 1 + 1e-6) {
            char value[CAIRN_NUMBER_SIZE];
            cairn_number_format(value, sum, 6);
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "the probabilities of the outcomes under %s sum to %s, and at most 1 "
                              "is possible; outcomes exclude each other",
                              w->names[h], value);
        }
        row[w->n_outcomes] = sum < 1 ? 1 - sum : 0;
        lacks = lacks || 1 - sum > 1e-9;
    }
    for (size_t h = 1; h < w->n && !lacks; h++)
        memmove(w->likelihood + h * w->n_outcomes, w->likelihood + h * width,
                w->n_outcomes * sizeof *w->likelihood);
    if (lacks) {
        if (!w->outcomes[w->n_outcomes]) w->outcomes[w->n_outcomes] = "other";
        w->n_outcomes++;
    }
    return CAIRN_OK;
}

/* Typed numbers stand above a column of the table. */
static cairn_status read_prior(cairn_context *ctx, cairn_causes *w, const cairn_list *typed)
{
    double sum = 0;
    if (typed->text || !w->prior)
        CHECK(cairn_list_or(ctx, &w->prior, typed, "prior", w->n, "hypotheses", 1 / (double)w->n));
    for (size_t h = 0; h < w->n; h++) {
        if (!(w->prior[h] >= 0))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "the prior of %s is negative or missing; probabilities lie between "
                              "0 and 1",
                              w->names[h]);
        sum += w->prior[h];
    }
    if (fabs(sum - 1) <= 1e-6) return CAIRN_OK;
    char value[CAIRN_NUMBER_SIZE];
    cairn_number_format(value, sum, 6);
    return cairn_fail(ctx, CAIRN_BAD_DATA, "the priors sum to %s and not to 1", value);
}

/* Probabilities out of range, or that sum to more than 1, fail with the place. */
static cairn_status causes_read(cairn_context *ctx, cairn_causes *out, const causes_option *p,
                                const cairn_table *table)
{
    cairn_causes read = {0}, *w = &read;
    if (p->likelihood.text) {
        const double *typed = p->likelihood.values;
        w->n = p->likelihood.rows;
        w->n_outcomes = p->likelihood.columns;
        /* One row with a number for each of several priors is one outcome of them all. */
        if (w->n == 1 && w->n_outcomes > 1 && p->prior.n == w->n_outcomes)
            w->n = w->n_outcomes, w->n_outcomes = 1;
        CHECK(SCRATCH(ctx, &w->likelihood, cairn_product(w->n + 1, w->n_outcomes + 1)));
        for (size_t h = 0; h < w->n; h++)
            memcpy(w->likelihood + h * (w->n_outcomes + 1), typed + h * w->n_outcomes,
                   w->n_outcomes * sizeof *typed);
    } else if (table)
        CHECK(read_table(ctx, w, table));
    else
        return cairn_fail(ctx, CAIRN_USAGE,
                          "say how probable each hypothesis makes what was observed: {likelihood "
                          "0.9;0.1}, or a table with a row for every hypothesis");
    bool reported = !isnan(p->evidence); /* of one hypothesis */
    if (reported) CHECK(add_rest(ctx, w, p));
    if (reported)
        CHECK(name_rest(ctx, w, p->hypotheses));
    else if (p->hypotheses || !w->names)
        CHECK(cairn_read_names(ctx, &w->names, p->hypotheses, w->n, "hypotheses", "h"));
    if (p->outcomes || !w->outcomes) {
        /* One name for each outcome, and perhaps one more for what the rows lack to 1. */
        const char *typed = p->outcomes;
        const char **names;
        char **items;
        size_t n = w->n_outcomes;
        if (typed) CHECK(cairn_list_split(ctx, typed, &items, &n));
        if (n != w->n_outcomes + 1) n = w->n_outcomes;
        CHECK(cairn_read_names(ctx, &names, typed, n, "outcomes", "x"));
        CHECK(SCRATCH(ctx, &w->outcomes, w->n_outcomes + 1));
        memcpy(w->outcomes, names, n * sizeof *names);
    }
    CHECK(complete_rows(ctx, w));
    CHECK(read_prior(ctx, w, reported ? &(cairn_list){0} : &p->prior));
    *out = read;
    return CAIRN_OK;
}

/* -- compute information -- */

/* cairn compute information: how many bits tell that something of probability p has happened, and
 * the most probable class as the shortest message.
 *
 *     IC(x) = −log p,   total(y) = IC(x | y) + IC(y)
 *
 * The class with the fewest bits is that of the largest posterior. */

enum { BASE_2, BASE_E, BASE_10 };

typedef struct information_params {
    causes_option causes;
    cairn_list p;
    int log;
} information_params;

static const cairn_choice bases[] = {
    {"2", BASE_2, "bits"}, {"e", BASE_E, "nats"}, {"10", BASE_10, "decimal digits"}, {0}};
static const char *const units[] = {"bits", "nats", "digits"};

static const cairn_param information_table[] = {
    CAIRN_PARAM_CELLS(information_params, p, NUMBERS, NULL, "[0,1]",
                      "probabilities whose information is wanted, such as 0.5,1/6", .often = true),
    CAIRN_PARAM_GROUP(information_params, causes, causes_params),
    CAIRN_PARAM_CHOICE(information_params, log, "2", bases, "base of the logarithm: the unit"),
    CAIRN_PARAM_END,
};

/* Infinite for what cannot happen, never -0. */
static double information(double p, int base)
{
    double nats = p < 1 ? -cairn_log(p) : 0;
    return base == BASE_2 ? nats / cairn_log(2) : base == BASE_10 ? nats / cairn_log(10) : nats;
}

static void show_list(cairn_report *out, const information_params *p, bool steps)
{
    const double *shares = p->p.values;
    size_t n = p->p.n;
    for (size_t i = 0; i < n && steps; i++)
        cairn_report_worked(out, "IC", "−log # = #", shares[i], information(shares[i], p->log));
    cairn_report_table_of(out, "Information content", 0, "rr", "p", units[p->log]);
    for (size_t i = 0; i < n; i++) {
        cairn_report_cell_number(out, shares[i], 0, "p%zu", i + 1);
        cairn_report_cell_number(out, information(shares[i], p->log), 0, "ic%zu", i + 1);
    }
}

/* One outcome: the lengths of the messages of all classes, of which the first shortest is taken. */
static void show_outcome(cairn_report *out, const cairn_causes *c, size_t o, int base, bool steps)
{
    const char *key = cairn_report_key(out, c->outcomes[o]);
    size_t best = 0;
    double least = INFINITY;
    for (size_t h = 0; h < c->n; h++) {
        double given = information(cause_says(c, h, o), base);
        double prior = information(c->prior[h], base), total = given + prior;
        if (total < least) least = total, best = h;
        if (steps && isfinite(total))
            cairn_report_worked(out, c->names[h], "−log # − log # = # + # = #", cause_says(c, h, o),
                                c->prior[h], given, prior, total);
    }
    cairn_report_table_of(out, c->outcomes[o], 0, "lrrr", "class", "IC(outcome | class)",
                          "IC(class)", "total");
    for (size_t h = 0; h < c->n; h++) {
        double given = information(cause_says(c, h, o), base);
        double prior = information(c->prior[h], base);
        if (h == best) cairn_report_row_mark(out);
        cairn_report_prefix(out, "%s", key);
        cairn_report_cells(out, "- @.$1.ic @.$1.prior @.$1.total", c->names[h], given, prior,
                           given + prior);
    }
    cairn_report_word(out, "shortest message", isfinite(least) ? c->names[best] : "none",
                      "%s.class", key);
}

static cairn_status information_run(cairn_context *ctx, cairn_report *out,
                                    const cairn_compute_job *job)
{
    const information_params *p = job->params;
    cairn_causes causes;
    if (!p->p.text && !p->causes.likelihood.text && !job->table)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "give probabilities, {p 0.5,1/6}, or classes and what they say, "
                          "{likelihood 0.4;0.12}");
    cairn_report_heading(out, 1, "Information content");
    if (job->steps) cairn_report_formula(out, "IC = −log p,   total = IC(x | y) + IC(y)");
    if (p->p.text) show_list(out, p, job->steps);
    if (p->p.text && !p->causes.likelihood.text && !job->table) return CAIRN_OK;
    CHECK(causes_read(ctx, &causes, &p->causes, job->table));
    for (size_t o = 0; o < causes.n_outcomes; o++)
        show_outcome(out, &causes, o, p->log, job->steps);
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_information = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "information",
              .also = "information content, self-information, surprisal, code length, compression, "
                      "minimum message length",
              .title = "Information content and the shortest message",
              .summary = "The bits that tell of an event of probability p, and, for classes with "
                         "their priors and what they say about an outcome, the length of the "
                         "message IC(x | y) + IC(y) of each: the class with the shortest is the "
                         "most probable one.",
              .references = "Shannon: A Mathematical Theory of Communication, 1948; Flach, Machine "
                            "Learning, Cambridge University Press 2012, section 9.5",
              .example = "cairn compute information --likelihood '0.4;0.12' --hypotheses spam,ham "
                         "--outcomes Viagra --prior 0.2,0.8 --steps",
              .params = information_table,
              .params_size = sizeof(information_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .run = information_run,
};

/* Observations whose work is shown; more are only in the table at the end. */
enum { WORKED = 20, MOST_OBSERVED = 1000000, SHOWN_ROWS = 200, DRAWN_LINES = 12 };

typedef struct theorem_params {
    causes_option causes;
    const char *observed;
} theorem_params;

static const cairn_param theorem_table[] = {
    CAIRN_PARAM_GROUP(theorem_params, causes, causes_params),
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

/* Nothing typed means that the first outcome was seen once. The list is read twice, to know its
 * length first. */
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
    CHECK(causes_read(ctx, &w->causes, &p->causes, job->table));
    return read_observed(ctx, w, p->observed);
}

/* -- computing -- */

static double likelihood(const theorem_work *w, size_t h, size_t outcome)
{
    return cause_says(&w->causes, h, outcome);
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
        cairn_report_cells(out, "- prior.$1", w->causes.names[h], w->causes.prior[h]);
        for (size_t o = 0; o < w->causes.n_outcomes; o++)
            cairn_report_cell_number(out, likelihood(w, h, o), 0, "p.%s.%s",
                                     cairn_report_key(out, w->causes.names[h]),
                                     cairn_report_key(out, w->causes.outcomes[o]));
    }
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
        cairn_report_prefix(out, "after%zu.joint", i + 1);
        cairn_report_cells(out, "- - - @.$1", w->causes.names[h], before[h], products[2 * h],
                           products[2 * h] * before[h], after[h]);
    }
    cairn_report_step_end(out);
}

/* What has been seen, and by name what is believed and expected then. */
static void show_after(cairn_report *out, const theorem_work *w, size_t i, double *logs,
                       cairn_text *text)
{
    const double *posterior = w->posterior + i * w->causes.n,
                 *next = w->next + i * w->causes.n_outcomes;
    size_t map = largest(posterior, w->causes.n);
    cairn_report_cells(out, NULL, i, i ? w->causes.outcomes[w->seen[i - 1]] : "");
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
    CHECK(SCRATCH_EACH(ctx, n, &x, &y));
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
    if (job->steps) {
        double *products;
        CHECK(SCRATCH(ctx, &products, 2 * w.causes.n));
        cairn_report_formula(out, "P(h | x) = P(x | h)·P(h) / P(x),   P(x) = Σ P(x | h)·P(h)");
        for (size_t i = 0; i < w.n_seen && i < WORKED; i++) show_update(out, &w, i, products);
        if (w.n_seen > WORKED)
            cairn_report_paragraph(out, "%zu more observations are in the table.",
                                   w.n_seen - WORKED);
    }
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
                      "probability, MAP hypothesis, ML hypothesis, Bayes optimal classifier, "
                      "Bayesian learning, predictive probability, candy bags",
              .about = "MAP hypothesis, MAP hypotheses, maximum a posteriori, brute force MAP, "
                       "decision rule, Bayes decision rule",
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
