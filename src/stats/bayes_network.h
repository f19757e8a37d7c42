/* SPDX-License-Identifier: MIT */
/* Bayesian networks over variables of finitely many values: a graph without circles, and for every
 * variable a table P(variable | its parents). The joint probability is the product of the entries.
 *
 * bayes_network.c makes networks and looks at their graphs, bayes_network.c answers
 * questions exactly by variable elimination, bayes_network.c by sampling;
 * bayes_network.c shows networks. */
#ifndef CAIRN_STATS_BAYES_NETWORK_H
#define CAIRN_STATS_BAYES_NETWORK_H

#include "base/context.h"
#include "base/random.h"
#include "base/text.h"
#include "report/report.h"

/* An arc from a cause to what depends on it. */
typedef struct cairn_arc {
    int32_t from, to;
} cairn_arc;

/* What variables and their values are called, for messages and for the work that is shown. */
typedef struct cairn_network_names {
    const char *const *variables;     /* n */
    const char *const *const *values; /* n lists of n_values */
} cairn_network_names;

/* Owned arrays, freed by cairn_network_clear. */
typedef struct cairn_network {
    size_t n;
    int32_t *n_values; /* n, each at least 1 */
    int32_t *starts;   /* n + 1: where the parents of each variable begin */
    int32_t *parents;  /* starts[n]: those of a variable ascending */
    int64_t *cells;    /* n + 1: where the table of each begins */
    double *p; /* cells[n]: a row for each combination of the parents' values, the last parent
                          changing fastest; in it a probability for each value */
} cairn_network;

enum { CAIRN_UNOBSERVED = -1, CAIRN_MOST_CELLS = 1 << 26 };

/* The graph with tables of zeros. Arcs that are given twice count once. Fails on an arc from a
 * variable to itself, on a circle, which is named, and on tables of more than CAIRN_MOST_CELLS
 * numbers. */
CAIRN_CHECKED cairn_status cairn_network_make(cairn_context *ctx, cairn_network *out, size_t n,
                                              const int32_t *n_values, const cairn_arc *arcs,
                                              size_t n_arcs, const cairn_network_names *names);
/* After reading a file: make `cells` of the rest; false when graph and sizes make no network. */
CAIRN_CHECKED cairn_status cairn_network_restore(cairn_context *ctx, cairn_network *net,
                                                 bool *sound);
void cairn_network_clear(cairn_network *net);

static inline size_t cairn_network_n_parents(const cairn_network *net, size_t v)
{
    return (size_t)(net->starts[v + 1] - net->starts[v]);
}

/* Combinations of the values of the parents: rows of the table. */
static inline size_t cairn_network_rows(const cairn_network *net, size_t v)
{
    return (size_t)(net->cells[v + 1] - net->cells[v]) / (size_t)net->n_values[v];
}

static inline double *cairn_network_table(const cairn_network *net, size_t v)
{
    return net->p + net->cells[v];
}

/* The row of the table of v that the values choose; a parent without a value gives -1. */
int64_t cairn_network_row(const cairn_network *net, size_t v, const int32_t *values);
/* Value of the k-th parent in a row of the table. */
int32_t cairn_network_row_value(const cairn_network *net, size_t v, size_t row, size_t k);

/* Variables in an order in which parents stand before their children, the first such by number. */
CAIRN_CHECKED cairn_status cairn_network_order(cairn_context *ctx, size_t **out,
                                               const cairn_network *net);
/* Free numbers: the sum of (values - 1) x rows. */
double cairn_network_parameters(const cairn_network *net);
/* The joint probability of a value for every variable. */
double cairn_network_joint(const cairn_network *net, const int32_t *values);
/* Whether a and b are d-separated by the variables that are marked as known: every way between them
 * is blocked, so that they are independent given those. `reached` (n, may be NULL) gets what a is
 * not separated from. */
CAIRN_CHECKED cairn_status cairn_network_separates(cairn_context *ctx, bool *out,
                                                   const cairn_network *net, size_t a, size_t b,
                                                   const bool *known, bool *reached);

/* A table over some variables. Scratch. */
typedef struct cairn_factor {
    size_t n;
    int32_t *variables; /* n, ascending */
    size_t size;
    double *p; /* size: the last variable changes fastest */
} cairn_factor;

/* A question: P(wanted, evidence) for every combination of the wanted variables. */
typedef struct cairn_network_question {
    const int32_t *evidence; /* n: a value, or CAIRN_UNOBSERVED */
    const int32_t *wanted;   /* n_wanted different variables without evidence */
    size_t n_wanted;
    cairn_report *steps; /* NULL = the work is not shown */
    const cairn_network_names *names;
    bool shares_only;  /* any multiple of the answer will do: factors are brought to a largest
                         number of 1 on the way, so that many of them cannot underflow */
    double *log_scale; /* with shares_only: gets ln of what brings the answer back; may be NULL */
} cairn_network_question;

/* Variable elimination. Variables that are no ancestors of what is wanted or known sum to 1 and are
 * left out; of the others the one whose sum makes the smallest table goes first. The answer is a
 * factor over the wanted variables, ascending, not normalised: its sum is P(evidence). Fails when a
 * table would have more than CAIRN_MOST_CELLS numbers. */
CAIRN_CHECKED cairn_status cairn_network_ask(cairn_context *ctx, cairn_factor *out,
                                             const cairn_network *net,
                                             const cairn_network_question *question);
/* The most probable values of all variables that agree with the evidence, and ln of their joint
 * probability, -inf where that is 0; ties go to the first value. `values` has n. question->wanted
 * is not looked at. */
CAIRN_CHECKED cairn_status cairn_network_explain(cairn_context *ctx, int32_t *values, double *log_p,
                                                 const cairn_network *net,
                                                 const cairn_network_question *question);

/* Many of them: *codes gets a column of n_rows for each variable; scratch. */
CAIRN_CHECKED cairn_status cairn_network_draw_rows(cairn_context *ctx, int32_t **codes,
                                                   const cairn_network *net, size_t n_rows,
                                                   cairn_random *random);

typedef struct cairn_network_estimate {
    double *p;         /* values of the variable: the estimates; scratch */
    double weight;     /* of all samples together */
    double effective;  /* (sum of weights)^2 / sum of squared weights */
    size_t n_agreeing; /* samples that agreed with the evidence (all, when it was fixed) */
} cairn_network_estimate;

/* P(variable | evidence) from n samples: with `weighted` the evidence is fixed and samples are
 * weighted by its likelihood; without, rows are drawn freely and those that disagree are thrown
 * away. All NaN when nothing is left. */
CAIRN_CHECKED cairn_status cairn_network_estimated(cairn_context *ctx, cairn_network_estimate *out,
                                                   const cairn_network *net, size_t variable,
                                                   const int32_t *evidence, size_t n, bool weighted,
                                                   uint64_t stream);

/* "P(alarm | burglary, earthquake)" */
void cairn_network_add_head(cairn_text *out, const cairn_network *net,
                            const cairn_network_names *names, size_t v);
/* The table of a variable; its values are named p.VARIABLE.VALUE and the values of the parents. */
void cairn_network_show_table(cairn_report *out, const cairn_network *net,
                              const cairn_network_names *names, size_t v);
/* The graph, parents above their children, with tables where they are small. `target` is marked, -1
 * = none. */
CAIRN_CHECKED cairn_status cairn_network_figure(cairn_context *ctx, cairn_figure **out,
                                                const cairn_network *net,
                                                const cairn_network_names *names, ptrdiff_t target);

#endif
