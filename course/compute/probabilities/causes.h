/* SPDX-License-Identifier: MIT */
/* Hypotheses (causes, classes) that exclude each other, with their priors and with what each of
 * them says about the outcomes of an observation: typed, or a row each of a table. */
#ifndef CAIRN_COMPUTE_PROBABILITIES_CAUSES_H
#define CAIRN_COMPUTE_PROBABILITIES_CAUSES_H

#include "data/table.h"
#include "entry/entry.h"

/* A group of parameters. */
typedef struct cairn_causes_option {
    const char *hypotheses, *outcomes;
    cairn_list prior, likelihood;
    double evidence; /* NaN = not given */
} cairn_causes_option;
extern const cairn_param cairn_causes_params[];

/* All scratch, or of the table. */
typedef struct cairn_causes {
    size_t n, n_outcomes;
    const char **names, **outcomes;
    double *prior;      /* n, sums to 1 */
    double *likelihood; /* n x n_outcomes; what a row lacks to 1 is the last outcome, 'other' */
} cairn_causes;

/* Probabilities out of range, or that sum to more than 1, fail with the place. */
CAIRN_CHECKED cairn_status cairn_causes_read(cairn_context *ctx, cairn_causes *out,
                                             const cairn_causes_option *option,
                                             const cairn_table *table);

/* P(outcome | cause h). */
static inline double cairn_cause_says(const cairn_causes *causes, size_t h, size_t outcome)
{
    return causes->likelihood[h * causes->n_outcomes + outcome];
}

#endif
