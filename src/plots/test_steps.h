/* SPDX-License-Identifier: MIT */
/* The work behind tests of differences, with the numbers put in: shared by the calculators of tests
 * and by `compare`. Each is one or more steps of the report; a NULL report does nothing. Names of
 * values begin with `prefix`, which is empty or ends with a dot. */
#ifndef CAIRN_PLOTS_TEST_STEPS_H
#define CAIRN_PLOTS_TEST_STEPS_H

#include "plots/rank_report.h"

/* Two columns of results that are paired; NULL = only their differences are known. */
typedef struct cairn_paired {
    const char *label; /* "tree − forest" */
    const double *first, *second, *differences;
    size_t n;
} cairn_paired;

/* The table of differences, their mean and deviation, t with its degrees of freedom. `share` is
 * that of cairn_t_test_of. */
void cairn_steps_t_test(cairn_report *out, const cairn_paired *paired, const cairn_t_test *t,
                        double share, const char *prefix);
/* The variance of each of five halvings, and t and F made of them. */
void cairn_steps_five_by_two(cairn_report *out, const double differences[10],
                             const cairn_five_by_two *f);
/* The sums of ranks, the exact share of signs and the normal approximation. `ranks` are those of
 * cairn_wilcoxon_of. */
void cairn_steps_wilcoxon(cairn_report *out, const cairn_wilcoxon *w, const double *differences,
                          const double *ranks, size_t n);
/* The average of each column of ranks (NULL = only averages are known) and the statistic. */
void cairn_steps_friedman(cairn_report *out, const cairn_friedman *f, const char *const *names,
                          const double *ranks, const double *averages);
/* Critical differences of average ranks. */
void cairn_steps_critical(cairn_report *out, const cairn_rank_comparison *c);
/* Chances of each count of n trials of chance p; those that are no likelier than x are marked, and
 * their sum is the two-sided p-value. */
void cairn_steps_binomial(cairn_report *out, double x, double n, double p, double two_sided);
/* The chances of all tables with the margins of x of n and y of m. */
void cairn_steps_fisher(cairn_report *out, double x, double n, double y, double m,
                        double two_sided);
void cairn_steps_mcnemar(cairn_report *out, const cairn_mcnemar *m, double b, double c);

#endif
