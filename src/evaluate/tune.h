/* SPDX-License-Identifier: MIT */
/* Searching for good parameters. */
#ifndef CAIRN_EVALUATE_TUNE_H
#define CAIRN_EVALUATE_TUNE_H

#include "evaluate/journal.h"
#include "evaluate/measured.h"
#include "evaluate/space.h"

typedef enum cairn_search_kind {
    CAIRN_SEARCH_GRID,
    CAIRN_SEARCH_RANDOM,
    CAIRN_SEARCH_HALVING
} cairn_search_kind;

typedef enum cairn_choosing { CAIRN_CHOOSE_BEST, CAIRN_CHOOSE_ONE_SE } cairn_choosing;

typedef struct cairn_tune_how {
    cairn_search_kind search;
    size_t tries;          /* random search, and the field of halving when not 0 */
    double factor;         /* halving: the best 1/factor go on to factor times the rows */
    size_t least_rows;     /* halving: rows of the first round */
    cairn_choosing choose; /* the best, or the simplest within one standard error of it */
    const char *by; /* inner resampling; clusterers: NULL = all rows are learned from and judged */
    const char *measure;
    const char *cluster_distance; /* clusterers: of the rows; NULL = one that fits their columns */
    const cairn_fit_options *fit;
    bool steps; /* keep the values of the splits */
} cairn_tune_how;

/* One point that was tried. */
typedef struct cairn_trial {
    const char **values; /* per axis; scratch */
    const char *label;   /* scratch */
    double value;        /* of the measure over the held-out rows; NaN = could not be fitted */
    double error;        /* standard error over the splits */
    double *splits;      /* n_splits, when they are kept; scratch */
    size_t n_splits;
    double mean;              /* over the splits, when they are kept */
    double training;          /* accuracy or mean squared error on the rows learned from */
    double parameters;        /* of a model of all rows; NaN = unknown */
    double clusters, without; /* clusterers: clusters, and rows in none; the mean over the splits */
    size_t rows;              /* that it was judged on (halving) */
    size_t round;             /* last round that it took part in */
    bool out;                 /* halving: left behind */
} cairn_trial;

typedef struct cairn_search {
    const cairn_space *space;
    const cairn_measure *measure;
    cairn_trial *trials;
    size_t n;
    size_t best; /* the chosen trial */
    size_t top;  /* the one with the best value */
    cairn_choosing choose;
    size_t n_rounds; /* 1 but for halving */
    size_t n_failed;
    size_t n_tied;     /* other trials that are as good as the chosen one and not more complex */
    bool chosen_apart; /* judged on a validation part; the test part is untouched */
    const char *first_failure; /* message; scratch; NULL = none */
} cairn_search;

/* Everything is scratch of the context. `scope` names the search in the journal's keys: the outer
 * split, or "all". */
CAIRN_CHECKED cairn_status cairn_search_run(cairn_context *ctx, cairn_search *out,
                                            const cairn_space *space, const cairn_params *params,
                                            const cairn_table *table, const cairn_tune_how *options,
                                            cairn_journal *journal, const char *scope);

/* In brief: the best setting, how good the search is on rows that had no say in it (`honest`, NULL
 * where that was not found out), and the points next to the best. */
CAIRN_CHECKED cairn_status cairn_search_glance(cairn_context *ctx, cairn_report *out,
                                               const cairn_search *search,
                                               const cairn_evaluation *honest);

/* Every point in every split, means and standard errors, and how the choice was made. */
void cairn_search_steps(cairn_report *out, const cairn_search *search);

/* The table of trials with the winner marked, and a picture: a curve over one number, a map over
 * two parameters, else all trials in order. */
CAIRN_CHECKED cairn_status cairn_search_report(cairn_context *ctx, cairn_report *out,
                                               const cairn_search *search);

#endif
