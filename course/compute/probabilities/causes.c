/* SPDX-License-Identifier: MIT */
/* Reading of hypotheses, their priors and what they say. */
#include "compute/probabilities/causes.h"
#include "entry/split.h"

#include "base/memory.h"
#include "base/number.h"
#include "data/column.h"
#include "typed/labels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const cairn_param cairn_causes_params[] = {
    CAIRN_PARAM_CELLS(
        cairn_causes_option, prior, NUMBERS, NULL, NULL,
        "prior probability of each hypothesis, such as 0.3,0.7; all alike if not given",
        .often = true),
    CAIRN_PARAM_CELLS(
        cairn_causes_option, likelihood, MATRIX, NULL, NULL,
        "a row per hypothesis, a number per outcome: how probable the hypothesis makes it, "
        "such as 0.9;0.1 or 0.2,0.8;0.5,0.5; what a row lacks to 1 is the outcome 'other'",
        .often = true),
    CAIRN_PARAM(cairn_causes_option, hypotheses, NULL, NULL, "names of the hypotheses",
                .often = true),
    CAIRN_PARAM(cairn_causes_option, outcomes, NULL, NULL, "names of the outcomes", .often = true),
    CAIRN_PARAM(cairn_causes_option, evidence, CAIRN_NOT_GIVEN, "(0,1]",
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
        w->outcomes[at] = slot->name;
        for (size_t h = 0; h < w->n; h++) w->likelihood[h * (w->n_outcomes + 1) + at] = numbers[h];
        at++;
    }
    return CAIRN_OK;
}

/* One hypothesis and the evidence in all: the second is that the first does not hold, and it makes
 * the outcome as probable as the rest of the evidence asks for. */
static cairn_status add_rest(cairn_context *ctx, cairn_causes *w, const cairn_causes_option *p)
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

/* One name for each outcome, and perhaps one more for what the rows lack to 1. */
static cairn_status name_outcomes(cairn_context *ctx, cairn_causes *w, const char *typed)
{
    const char **names;
    char **items;
    size_t n = w->n_outcomes;
    if (typed) CHECK(cairn_list_split(ctx, typed, &items, &n));
    if (n != w->n_outcomes + 1) n = w->n_outcomes;
    CHECK(cairn_read_names(ctx, &names, typed, n, "outcomes", "x"));
    CHECK(SCRATCH(ctx, &w->outcomes, w->n_outcomes + 1));
    memcpy(w->outcomes, names, n * sizeof *names);
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

cairn_status cairn_causes_read(cairn_context *ctx, cairn_causes *out, const cairn_causes_option *p,
                               const cairn_table *table)
{
    cairn_causes read = {0}, *w = &read;
    if (p->likelihood.text) {
        const double *typed = p->likelihood.values;
        w->n = p->likelihood.rows;
        w->n_outcomes = p->likelihood.columns;
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
    bool told = !isnan(p->evidence); /* of one hypothesis */
    if (told) CHECK(add_rest(ctx, w, p));
    if (told)
        CHECK(name_rest(ctx, w, p->hypotheses));
    else if (p->hypotheses || !w->names)
        CHECK(cairn_read_names(ctx, &w->names, p->hypotheses, w->n, "hypotheses", "h"));
    if (p->outcomes || !w->outcomes) CHECK(name_outcomes(ctx, w, p->outcomes));
    CHECK(complete_rows(ctx, w));
    CHECK(read_prior(ctx, w, told ? &(cairn_list){0} : &p->prior));
    *out = read;
    return CAIRN_OK;
}
