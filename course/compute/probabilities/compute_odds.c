/* SPDX-License-Identifier: MIT */
/* cairn compute odds: what is believed, as odds, and what each piece of evidence makes of it.
 *
 *     posterior odds = prior odds · Π P(evidence | yes) / P(evidence | no)
 *
 * The product is right where the pieces are independent in both classes. */
#include "model/calculator.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Pieces of evidence whose work is shown; more are only in the table. */
enum { WORKED = 20 };

typedef struct odds_params {
    const char *prior, *evidence;
} odds_params;

static const cairn_param odds_table[] = {
    CAIRN_PARAM(odds_params, prior, "1:1", NULL,
                "odds before the evidence, such as 1:6, or the probability as a fraction of two "
                "parts, such as 0.2:0.8",
                .often = true),
    {.name = "evidence",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(odds_params, evidence),
     .help = "a likelihood ratio, perhaps with a name in front, such as 'Viagra=4:1'; parts may be "
             "shares, as in 'Viagra=20/100:5/100': 20 of 100 mails of the class, 5 of 100 others",
     .often = true,
     .required = true,
     .repeated = true},
    CAIRN_PARAM_END,
};

typedef struct piece {
    const char *name;
    double yes, no, ratio;
    double odds; /* after it */
} piece;

/* -- reading -- */

/* A number or a share a/b of that length; false when it is none. */
static bool read_part(const char *text, size_t length, double *out)
{
    const char *slash = memchr(text, '/', length);
    size_t above = slash ? (size_t)(slash - text) : length;
    double below = 1;
    if (!cairn_number_parse(text, above, out)) return false;
    if (slash && !cairn_number_parse(slash + 1, length - above - 1, &below)) return false;
    *out /= below;
    return below > 0 && isfinite(*out) && *out >= 0;
}

/* "4:1", "20/100:5/100" or a single number. Neither part may be negative, nor both 0. */
static cairn_status read_ratio(cairn_context *ctx, const char *option, const char *text, piece *out)
{
    const char *colon = strchr(text, ':');
    bool read = read_part(text, colon ? (size_t)(colon - text) : strlen(text), &out->yes);
    out->no = 1;
    if (colon) read = read && read_part(colon + 1, strlen(colon + 1), &out->no);
    if (!read || (out->yes == 0 && out->no == 0))
        return cairn_fail(ctx, CAIRN_USAGE, "{%s}: '%s' is no ratio; 4:1, 20/100:5/100 and 0.5 are",
                          option, text);
    out->ratio = out->yes / out->no;
    return CAIRN_OK;
}

/* The prior and the pieces with the odds after each; certainty for and against at once fails. */
static cairn_status read_pieces(cairn_context *ctx, const odds_params *p, piece *prior, piece **out,
                                size_t *n)
{
    const char *const *lines;
    CHECK(read_ratio(ctx, "prior", p->prior, prior));
    prior->odds = prior->ratio;
    CHECK(cairn_list_lines(ctx, p->evidence, &lines));
    for (*n = 0; lines[*n];) ++*n;
    CHECK(SCRATCH(ctx, out, *n + 1));
    double odds = prior->ratio;
    for (size_t i = 0; i < *n; i++) {
        piece *now = &(*out)[i];
        /* NAME=RATIO or RATIO; the last = ends the name. */
        const char *text = lines[i];
        size_t number = i + 1;
        const char *equals = strrchr(text, '=');
        size_t length = equals ? (size_t)(equals - text) : 0;
        char *name;
        CHECK(SCRATCH_RAW(ctx, &name, length + 32));
        if (length)
            memcpy(name, text, length), name[length] = 0;
        else
            snprintf(name, 32, "evidence %zu", number);
        now->name = name;
        CHECK(read_ratio(ctx, "evidence", equals ? equals + 1 : text, now));
        if ((odds == 0 && isinf(now->ratio)) || (isinf(odds) && now->ratio == 0))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "'%s' is impossible for what is certain after the others: a ratio of "
                              "0 and one without bound cannot be combined",
                              now->name);
        now->odds = odds *= now->ratio;
    }
    return CAIRN_OK;
}

/* -- showing -- */

static double probability(double odds)
{
    return isinf(odds) ? 1 : odds / (1 + odds);
}

/* Infinite odds have no quotient for the probability, and that line is left out. */
static void show_steps(cairn_report *out, const piece *prior, const piece *pieces, size_t n)
{
    double odds = prior->ratio;
    cairn_report_formula(out, "posterior odds = prior odds · Π P(e | yes) / P(e | no),   "
                              "P = odds / (1 + odds)");
    cairn_report_worked(out, "prior odds", "# / # = #", prior->yes, prior->no, odds);
    for (size_t i = 0; i < n && i < WORKED; i++) {
        const piece *now = &pieces[i];
        cairn_report_step_begin(out, "%s", now->name);
        if (now->no != 1)
            cairn_report_worked(out, "ratio", "# / # = #", now->yes, now->no, now->ratio);
        cairn_report_worked(out, "odds", "# · # = #", odds, now->ratio, now->odds);
        if (isfinite(now->odds))
            cairn_report_worked(out, "P", "# / (1 + #) = #", now->odds, now->odds,
                                probability(now->odds));
        cairn_report_step_end(out);
        odds = now->odds;
    }
}

/* What each piece would say with even odds before it, and what it says here. */
static void show_course(cairn_report *out, const piece *prior, const piece *pieces, size_t n)
{
    cairn_report_table_of(out, "Evidence by evidence", 0, "lrrrr", "evidence", "ratio",
                          "P by it alone", "odds after it", "P after it");
    cairn_report_cells(out, "- - - prior.odds prior.p", "(before)", "", "", prior->ratio,
                       probability(prior->ratio));
    for (size_t i = 0; i < n; i++) {
        cairn_report_prefix(out, "evidence%zu", i + 1);
        cairn_report_cells(out, "- @.ratio @.alone @.odds @.p", pieces[i].name, pieces[i].ratio,
                           probability(pieces[i].ratio), pieces[i].odds,
                           probability(pieces[i].odds));
    }
}

/* A prior typed as one number below 1 may be meant as a probability: a note says how it is read. */
static cairn_status odds_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    piece prior, *pieces;
    size_t n;
    double all = 1;
    CHECK(read_pieces(ctx, job->params, &prior, &pieces, &n));
    for (size_t i = 0; i < n; i++) all *= pieces[i].ratio;
    double odds = n ? pieces[n - 1].odds : prior.ratio;
    cairn_report_heading(out, 1, "Odds and evidence");
    if (job->steps) show_steps(out, &prior, pieces, n);
    show_course(out, &prior, pieces, n);
    cairn_report_value(out, "ratio of all evidence", all, "evidence.ratio");
    cairn_report_value(out, "posterior odds", odds, "posterior.odds");
    cairn_report_value(out, "posterior probability", probability(odds), "posterior.p");
    const odds_params *p = job->params;
    if (!strchr(p->prior, ':') && prior.ratio < 1)
        cairn_report_note(
            out,
            "The prior %s is taken as odds, not as a probability, which is typed as its two "
            "parts, such as 0.2:0.8.",
            p->prior);
    if (n > 1)
        cairn_report_note(out, "Ratios may be multiplied where the pieces of evidence are "
                               "independent in both classes; else they are counted twice.");
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_odds = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "odds",
              .also = "odds updating, Bayes factor, likelihood ratio, prior odds, posterior odds",
              .title = "Odds updated by evidence",
              .summary = "Multiplies prior odds by the likelihood ratio of one piece of evidence "
                         "after the other and shows odds and probability after each. Ratios are "
                         "typed as such or as the shares of the two classes in which the evidence "
                         "is met.",
              .references = "Good: Probability and the Weighing of Evidence, Griffin 1950",
              .example = "cairn compute odds --prior 1:6 --evidence Viagra=4:1 --evidence 'blue "
                         "pill=3:1' --steps",
              .params = odds_table,
              .params_size = sizeof(odds_params)},
    .arguments = "",
    .run = odds_run,
};
