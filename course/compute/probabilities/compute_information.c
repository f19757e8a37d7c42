/* SPDX-License-Identifier: MIT */
/* cairn compute information: how many bits tell that something of probability p has happened, and
 * the most probable class as the shortest message.
 *
 *     IC(x) = −log p,   total(y) = IC(x | y) + IC(y)
 *
 * The class with the fewest bits is that of the largest posterior. */
#include "compute/probabilities/causes.h"
#include "model/calculator.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "entry/entry.h"

#include <math.h>
#include <string.h>

enum { BASE_2, BASE_E, BASE_10 };

typedef struct information_params {
    cairn_causes_option causes;
    cairn_list p;
    int log;
} information_params;

static const cairn_choice bases[] = {
    {"2", BASE_2, "bits"}, {"e", BASE_E, "nats"}, {"10", BASE_10, "decimal digits"}, {0}};
static const char *const units[] = {"bits", "nats", "digits"};

static const cairn_param information_table[] = {
    CAIRN_PARAM_CELLS(information_params, p, NUMBERS, NULL, "[0,1]",
                      "probabilities whose information is wanted, such as 0.5,1/6", .often = true),
    CAIRN_PARAM_GROUP(information_params, causes, cairn_causes_params),
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
    cairn_report_table_end(out);
}

/* One outcome: the lengths of the messages of all classes, of which the first shortest is taken. */
static void show_outcome(cairn_report *out, const cairn_causes *c, size_t o, int base, bool steps)
{
    const char *key = cairn_report_key(out, c->outcomes[o]);
    size_t best = 0;
    double least = INFINITY;
    for (size_t h = 0; h < c->n; h++) {
        double given = information(cairn_cause_says(c, h, o), base);
        double prior = information(c->prior[h], base), total = given + prior;
        if (total < least) least = total, best = h;
        if (steps && isfinite(total))
            cairn_report_worked(out, c->names[h], "−log # − log # = # + # = #",
                                cairn_cause_says(c, h, o), c->prior[h], given, prior, total);
    }
    cairn_report_table_of(out, c->outcomes[o], 0, "lrrr", "class", "IC(outcome | class)",
                          "IC(class)", "total");
    for (size_t h = 0; h < c->n; h++) {
        const char *name = cairn_report_key(out, c->names[h]);
        double given = information(cairn_cause_says(c, h, o), base);
        double prior = information(c->prior[h], base);
        if (h == best) cairn_report_row_mark(out);
        cairn_report_cell(out, c->names[h]);
        cairn_report_cell_number(out, given, 0, "%s.%s.ic", key, name);
        cairn_report_cell_number(out, prior, 0, "%s.%s.prior", key, name);
        cairn_report_cell_number(out, given + prior, 0, "%s.%s.total", key, name);
    }
    cairn_report_table_end(out);
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
    CHECK(cairn_causes_read(ctx, &causes, &p->causes, job->table));
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
