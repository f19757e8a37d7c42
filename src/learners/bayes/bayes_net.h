/* SPDX-License-Identifier: MIT */
/* Bayesian networks, the inside. The variables are the features in the order of the view and, where
 * there is one, last the target.
 *
 * bayes_net_pairs.c counts pairs of columns, bayes_net_tree.c finds trees of largest information,
 * bayes_net_climb.c improves a graph move by move, bayes_net_answer.c answers for rows and says
 * why, bayes_net_joint.c does where there is no target, bayes_net_report.c shows the work. */
#ifndef CAIRN_LEARNERS_BAYES_NET_H
#define CAIRN_LEARNERS_BAYES_NET_H

#include "model/learner.h"
#include "stats/bayes_network.h"
#include "stats/smoothing.h"

typedef enum cairn_net_structure {
    CAIRN_NET_AUTO,
    CAIRN_NET_TAN,
    CAIRN_NET_TREE,
    CAIRN_NET_CLIMB,
    CAIRN_NET_NAIVE,
    CAIRN_NET_EMPTY
} cairn_net_structure;

typedef struct cairn_bayes_net_params {
    int structure; /* cairn_net_structure */
    const char *arcs;
    const char *root;
    int max_parents;
    const char *smooth;
} cairn_bayes_net_params;

typedef struct cairn_bayes_net_model {
    cairn_network net; /* tables hold what counts became */
    double *counts;    /* as many as the tables have cells: weight of the training rows */
    double *shares;    /* of the values of the last variable, the classes, in the training rows */
    double *logs;      /* ln of the tables; made, not kept in files */
    double rows, log_likelihood;
} cairn_bayes_net_model;

/* Whether the last variable is the target: else the network is of the columns alone. */
static inline bool cairn_net_has_target(const cairn_job *job)
{
    return job->task != CAIRN_CLUSTER;
}

/* The rows as codes, a column after the other; a missing cell has the code n_values. */
typedef struct cairn_net_rows {
    size_t n_rows, n; /* n variables */
    int32_t *n_values;
    uint16_t **codes; /* n x n_rows */
    double *weights;  /* n_rows; NULL = all 1 */
    double total;
    bool has_target; /* the last variable is it */
    cairn_network_names names;
    cairn_report *steps;
} cairn_net_rows;

/* Arcs that were chosen; scratch. */
typedef struct cairn_net_arcs {
    cairn_arc *list;
    size_t n;
} cairn_net_arcs;

/* Weight of the rows for every combination of the values of some variables, the last changing
 * fastest and each with one place more for missing cells; `out` has the product of (n_values + 1)
 * zeros. */
void cairn_net_count(double *out, const cairn_net_rows *rows, const size_t *variables, size_t n);

/* -- bayes_net_pairs.c -- */

/* The values of a column as sets of rows. */
typedef struct cairn_net_sets {
    uint64_t *bits; /* values x words; NULL = there are too many values */
    double *sizes;  /* groups x values */
    bool lacks;     /* a cell is missing */
} cairn_net_sets;

/* What counting pairs needs; scratch. Groups are the values of the given variable, else one. */
typedef struct cairn_net_pairs {
    const cairn_net_rows *rows;
    size_t n;        /* the first so many variables are counted */
    ptrdiff_t given; /* -1 = none */
    size_t n_groups, n_words;
    size_t *begins;       /* n_groups + 1: words */
    size_t *places;       /* n_rows: the bit of each row; NULL = its number */
    cairn_net_sets *sets; /* n; NULL = rows have weights */
} cairn_net_pairs;

CAIRN_CHECKED cairn_status cairn_net_pairs_open(cairn_context *ctx, cairn_net_pairs *out,
                                                const cairn_net_rows *rows, size_t n,
                                                ptrdiff_t given);
/* Weight of the rows for every group and every pair of values of x and y, groups x values of x x
 * values of y; rows that lack one of the cells do not count. Safe side by side. */
CAIRN_CHECKED cairn_status cairn_net_pair(cairn_context *ctx, double **out,
                                          const cairn_net_pairs *pairs, size_t x, size_t y);

/* Mutual information of a table of ka x kb weights, whose rows are `stride` apart, times their
 * sum, which is added to *present. `a` and `b` are room for ka and kb numbers. */
double cairn_net_information(const double *table, size_t ka, size_t kb, size_t stride, double *a,
                             double *b, double *present);

/* -- bayes_net_tree.c -- */
/* Chow and Liu: the tree of largest mutual information over the first n variables, directed away
 * from `root`; with given >= 0 the information is conditional on that variable. Pairs that tell
 * nothing about each other are not joined. */
CAIRN_CHECKED cairn_status cairn_net_tree(cairn_context *ctx, cairn_net_arcs *out,
                                          const cairn_net_rows *rows, size_t n, size_t root,
                                          ptrdiff_t given);

/* -- bayes_net_climb.c -- */
/* Hill climbing by BIC from the graph without arcs. */
CAIRN_CHECKED cairn_status cairn_net_climb(cairn_context *ctx, cairn_net_arcs *out,
                                           const cairn_net_rows *rows, size_t max_parents);

/* -- bayes_net_answer.c -- */
/* Cells of row i of the view, CAIRN_UNOBSERVED for the target and where one is missing or was never
 * seen in training; whether there is a value for every variable. */
bool cairn_net_read_values(int32_t *values, const cairn_network *net, const cairn_view *view,
                           size_t i);
/* Which of the first n variables were summed out. */
void cairn_net_name_missing(cairn_report *out, const cairn_network_names *names,
                            const int32_t *values, size_t n);
CAIRN_CHECKED cairn_status cairn_net_predict(cairn_context *ctx, cairn_prediction *out,
                                             const void *model, const cairn_job *job);
void cairn_net_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row);
CAIRN_CHECKED cairn_status cairn_net_sample(cairn_context *ctx, cairn_table *out, const void *model,
                                            const cairn_job *job, cairn_random *random);

/* -- bayes_net_joint.c -- */
/* Without a target: ln of the probability of every row, and what its missing cells most probably
 * are. */
CAIRN_CHECKED cairn_status cairn_net_predict_joint(cairn_context *ctx, cairn_prediction *out,
                                                   const void *model, const cairn_job *job);
void cairn_net_explain_joint(cairn_report *out, const void *model, const cairn_job *job,
                             size_t row);
extern const cairn_output cairn_net_outputs[];

/* -- bayes_net_report.c -- */
/* Names of n variables and of their values; scratch. */
CAIRN_CHECKED cairn_status cairn_net_names(cairn_context *ctx, cairn_network_names *out,
                                           int32_t **n_values, const cairn_schema *schema,
                                           size_t n);
/* How counts became the tables. */
void cairn_net_show_counts(cairn_report *out, const cairn_bayes_net_model *m,
                           const cairn_network_names *names, cairn_smoothing smoothing);
void cairn_net_describe(cairn_report *out, const void *model, const cairn_job *job);
extern const cairn_export_form cairn_net_forms[];
extern const cairn_model_figure cairn_net_figures[];

extern const cairn_learned cairn_net_tables[];

#endif
