/* SPDX-License-Identifier: MIT */
/* Cutting columns into bins: what bins, threshold, discretise and merge have in common once the cut
 * points are found. A column of numbers, or of ordered levels (by their place), becomes a column of
 * ordered levels or of bin numbers; the cuts are kept and applied to new rows. */
#ifndef CAIRN_TRANSFORMS_CUTS_H
#define CAIRN_TRANSFORMS_CUTS_H

#include "transforms/columns.h"

/* What becomes of the column; a group of parameters. */
typedef struct cairn_cut_form {
    bool keep;       /* the column stays, its bins stand in a new one */
    int output;      /* cairn_cut_output */
    int missing_bin; /* 1: missing cells get a bin of their own */
} cairn_cut_form;

typedef enum cairn_cut_output { CAIRN_CUT_LEVELS, CAIRN_CUT_CODES } cairn_cut_output;

extern const cairn_param cairn_cut_form_params[];

/* The cuts of one column: n cuts make n + 1 bins. */
typedef struct cairn_cuts {
    size_t n;
    double *at;       /* n, ascending */
    uint8_t *below;   /* n: 1 = the cut itself belongs to the bin below it */
    cairn_map labels; /* n + 1, and one more when missing cells have a bin */
    double *counts;   /* labels.n x groups: weights of the training rows */
    double *means;    /* labels.n: means of a number target; NULL = none */
    bool of_levels;   /* the column holds ordered levels */
} cairn_cuts;

typedef struct cairn_cutting {
    cairn_map names;   /* columns */
    cairn_cuts *cuts;  /* names.n */
    cairn_map classes; /* of the target; empty when it has none */
    bool has_means;
} cairn_cutting;

/* A column to be cut, as numbers by table row; NaN = missing. */
typedef struct cairn_cut_source {
    const char *name;
    const double *numbers;
    const cairn_map *levels; /* names of ordered levels, or NULL */
} cairn_cut_source;

/* The cuts of one source; `data` is the transform's own. */
typedef cairn_status (*cairn_cut_finder)(cairn_context *ctx, cairn_cuts *out, const void *data,
                                         const cairn_job *job, const cairn_cut_source *source);

/* The features that can be cut: number columns and, when `levels` is set, ordered level columns;
 * those named in `list`, or all. Memory is scratch. */
CAIRN_CHECKED cairn_status cairn_cut_sources(cairn_context *ctx, const cairn_job *job,
                                             const char *transform, const char *list, bool levels,
                                             cairn_cut_source **out, size_t *n);

/* Find the cuts of every source, columns side by side unless steps are wanted; label and count the
 * bins. `labels` (NULL = intervals) is a list of names. */
CAIRN_CHECKED cairn_status cairn_cutting_fit(cairn_context *ctx, cairn_cutting *out,
                                             const cairn_job *job, const char *transform,
                                             const cairn_cut_source *sources, size_t n,
                                             const cairn_cut_form *form, const char *labels,
                                             cairn_cut_finder find, const void *data);
/* Copy n cuts (ascending) into `out`. */
CAIRN_CHECKED cairn_status cairn_cuts_set(cairn_context *ctx, cairn_cuts *out, const double *at,
                                          const uint8_t *below, size_t n);
/* The bin of a number, from 0; not for NaN. */
size_t cairn_cuts_bin(const cairn_cuts *cuts, double x);
/* A column of bins from numbers by row. */
CAIRN_CHECKED cairn_status cairn_cuts_column(cairn_context *ctx, cairn_column **out,
                                             const cairn_cuts *cuts, const cairn_cut_form *form,
                                             const double *numbers, size_t n);

/* All of `apply` for a transform that cuts: the columns become bins in their places. */
CAIRN_CHECKED cairn_status cairn_cutting_apply(cairn_context *ctx, cairn_table **out,
                                               const cairn_cutting *cutting,
                                               const cairn_cut_form *form,
                                               const cairn_table *table);
/* The same as operations on a row: all of `lower` for a transform that cuts. */
CAIRN_CHECKED cairn_status cairn_cutting_lower(cairn_program *program, const cairn_cutting *cutting,
                                               const cairn_cut_form *form);
void cairn_cutting_describe(cairn_report *out, const cairn_cutting *cutting, const char *transform);
extern const cairn_kept cairn_cutting_keeps[];

/* The training values of a source in ascending order, without missing cells, rows of weight 0 and
 * rows of unknown class. Memory is scratch. */
typedef struct cairn_sorted {
    size_t n;
    double *values;
    int32_t *classes; /* NULL without classes */
    double *weights;  /* NULL = all 1 */
    double total;     /* of the weights */
    size_t n_distinct;
    bool places; /* of ordered levels: a mean says nothing */
} cairn_sorted;

CAIRN_CHECKED cairn_status cairn_sort_source(cairn_context *ctx, cairn_sorted *out,
                                             const cairn_job *job, const cairn_cut_source *source,
                                             bool classes);

/* The classes of the target, or a message that says how to declare them. */
CAIRN_CHECKED cairn_status cairn_need_classes(cairn_context *ctx, const cairn_job *job,
                                              const char *transform);
/* The class named `name`, else the positive one of two; -1 with more classes and no name. */
CAIRN_CHECKED cairn_status cairn_choose_class(cairn_context *ctx, const cairn_job *job,
                                              const char *transform, const char *name,
                                              int32_t *out);

/* A row for each bin: its column, its ends, its label. For the record of a transform whose state is
 * a cairn_cutting. */
void cairn_cutting_write(struct cairn_ledger *out, const void *state, const cairn_job *job);

#endif
