/* SPDX-License-Identifier: MIT */
/* Resamplings: ways to part the rows into training and test rows, as records.
 *
 * A plan numbers the rows by fold, once per repeat; split s trains on all folds but one and tests
 * on that one. Nothing else is stored, so leaving one out of a million rows costs a million
 * numbers. A bootstrap stores how often each row was drawn in the same place. */
#ifndef CAIRN_RESAMPLE_RESAMPLE_H
#define CAIRN_RESAMPLE_RESAMPLE_H

#include "data/view.h"
#include "entry/entry.h"

/* What a resampling works on. */
typedef struct cairn_plan_job {
    size_t n;               /* rows that may be used */
    const uint32_t *rows;   /* n table rows */
    const int32_t *classes; /* per table row, to keep class shares alike; NULL = none */
    size_t n_classes;
    const int32_t *groups; /* per table row: rows of a group stay together; NULL = none */
    size_t n_groups;
    const double *times; /* per table row; NULL = table order is the order of time */
    const void *params;
    bool choosing; /* rows that are set aside for choosing are tested in place of the test part */
} cairn_plan_job;

/* Rows that a plan does not use, and those that it sets aside for choosing parameters. */
enum { CAIRN_FOLD_UNUSED = -1, CAIRN_FOLD_ASIDE = -2 };

typedef struct cairn_plan {
    size_t n;
    const uint32_t *rows;
    size_t n_repeats;
    size_t n_tested; /* folds 0 .. n_tested-1 of each repeat are tested */
    int32_t *folds;  /* n_repeats x n; below 0 = neither learned from nor tested */
    bool draws;      /* folds say how often a row is learned from instead; 0 = it is tested */
    bool ordered;    /* no row is tested by a model that learned from later ones, or the user parted
                        the rows */
    bool aside;      /* the rows that are tested were set aside for choosing */
} cairn_plan;

typedef struct cairn_resampling {
    cairn_entry entry; /* kind CAIRN_ENTRY_RESAMPLING */
    cairn_status (*plan)(cairn_context *ctx, cairn_plan *out, const cairn_plan_job *job);
} cairn_resampling;

/* Make a plan from a spec such as "cv:10"; memory is scratch. */
CAIRN_CHECKED cairn_status cairn_plan_make(cairn_context *ctx, cairn_plan *out, const char *spec,
                                           cairn_plan_job job);
size_t cairn_plan_splits(const cairn_plan *plan);
size_t cairn_plan_test_size(const cairn_plan *plan, size_t split);
size_t cairn_plan_train_size(const cairn_plan *plan, size_t split); /* repeats counted */
/* The rows of one split, in table order; memory is scratch of `ctx`. */
CAIRN_CHECKED cairn_status cairn_plan_split(cairn_context *ctx, const cairn_plan *plan,
                                            size_t split, cairn_rows *train, cairn_rows *test);

/* What is done with the rows of a split; not called for one that tests none. */
typedef cairn_status (*cairn_split_function)(cairn_context *ctx, void *data, size_t split,
                                             cairn_rows train, cairn_rows test);
/* Every split, side by side on the threads or, for work that uses them itself, `in_turn`. The log
 * is silent within, since each split would repeat its warnings; a failure names its split. */
CAIRN_CHECKED cairn_status cairn_plan_each(cairn_context *ctx, const cairn_plan *plan, bool in_turn,
                                           cairn_split_function function, void *data);
/* Positions of the view as row sets of the table, with their weights. Scratch. */
CAIRN_CHECKED cairn_status cairn_rows_at(cairn_context *ctx, cairn_rows *out,
                                         const cairn_view *view, const uint32_t *positions,
                                         size_t n);
/* Positions of the view whose target is known. Scratch. */
CAIRN_CHECKED cairn_status cairn_known_positions(cairn_context *ctx, const cairn_view *view,
                                                 uint32_t **out, size_t *n);
/* A plan over the positions of a view, which may hold a row several times, whose target is known.
 * `table` is a share of the view's table that may be changed: its group column becomes levels.
 * Scratch. */
CAIRN_CHECKED cairn_status cairn_plan_view(cairn_context *ctx, cairn_plan *out,
                                           const cairn_view *view, cairn_table *table,
                                           const char *by);

/* -- for the resamplings -- */
CAIRN_CHECKED cairn_status cairn_plan_buffer(cairn_context *ctx, cairn_plan *out,
                                             const cairn_plan_job *job, size_t repeats,
                                             size_t tested);
/* Positions 0 .. n-1 shuffled and, when classes are given, laid out class by class; scratch. */
CAIRN_CHECKED cairn_status cairn_plan_order(cairn_context *ctx, size_t **out,
                                            const cairn_plan_job *job, size_t repeat, bool shuffle,
                                            bool stratified);
/* Positions 0 .. n-1 by time, rows of the same time in table order; fails where a time is missing.
 * Scratch. */
CAIRN_CHECKED cairn_status cairn_plan_time_order(cairn_context *ctx, size_t **out,
                                                 const cairn_plan_job *job);
/* The first column of times of a table, or -1. */
ptrdiff_t cairn_time_column(const cairn_table *table);
/* Deal whole groups, in the order in which `order` meets them, to the fold that is furthest below
 * its share. */
CAIRN_CHECKED cairn_status cairn_plan_deal_groups(cairn_context *ctx, int32_t *folds,
                                                  const cairn_plan_job *job, const size_t *order,
                                                  const double *shares, size_t n_folds);

#endif
