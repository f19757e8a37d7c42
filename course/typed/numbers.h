/* SPDX-License-Identifier: MIT */
/* Numbers for a calculator: typed, or a column of a table, with weights and groups. */
#ifndef CAIRN_TYPED_NUMBERS_H
#define CAIRN_TYPED_NUMBERS_H

#include "model/calculator.h"
#include "stats/summary.h"

/* A group of parameters. */
typedef struct cairn_numbers_options {
    cairn_list values, weights, groups; /* typed */
    const char *column, *by;            /* of a table */
} cairn_numbers_options;
extern const cairn_param cairn_numbers_params[];

typedef struct cairn_numbers {
    const char *name;               /* of the column; "the values" when typed */
    const double *values, *weights; /* weights NULL = all 1 */
    size_t n;
    const int32_t *codes; /* group of each; NULL = no groups */
    const char *const *groups;
    size_t n_groups;
    bool is_time;
} cairn_numbers;

/* The typed values, else the named column, else the only or first number column of the table. The
 * arrays are borrowed or scratch. `what` is the calculator's name for messages. */
CAIRN_CHECKED cairn_status cairn_numbers_get(cairn_context *ctx, cairn_numbers *out,
                                             const cairn_numbers_options *options,
                                             const cairn_table *table, const char *what);
/* The sample of all of them, or of one group (-1 = all). */
CAIRN_CHECKED cairn_status cairn_numbers_sample(cairn_context *ctx, cairn_sample *out,
                                                const cairn_numbers *numbers, int32_t group);
/* The numbers with the groups of a picture: by the option, else by a target that holds levels;
 * "none" asks for none. */
CAIRN_CHECKED cairn_status cairn_grouped_numbers(cairn_context *ctx, cairn_numbers *out,
                                                 const cairn_numbers_options *options,
                                                 const cairn_table *table, const char *what,
                                                 const char **by);
/* Groups that are drawn side by side at the most. */
enum { CAIRN_MOST_BOXES = 200 };
/* Samples of the groups, or one of all. */
CAIRN_CHECKED cairn_status cairn_group_samples(cairn_context *ctx, cairn_sample **out, size_t *n,
                                               const cairn_numbers *numbers);
/* The numbers of a column. One that holds something else fails with the first cell that is no
 * number: as bad data when few cells are wrong, else as the wrong choice of the option. */
CAIRN_CHECKED cairn_status cairn_number_column(cairn_context *ctx, const double **out,
                                               const cairn_table *table, size_t column,
                                               const char *option);

/* The number columns of a table as a matrix with names: of the rows by the column that names them,
 * else by its columns of levels, joined by commas; NULL where there are none. */
typedef struct cairn_named_matrix {
    size_t n, m;
    double *values; /* n x m, row-major */
    const char **rows, **columns;
    const char *row_title; /* what the names of rows are called, or "row" */
} cairn_named_matrix;
/* Features alone count. A missing or infinite cell fails; scratch. */
CAIRN_CHECKED cairn_status cairn_named_matrix_read(cairn_context *ctx, cairn_named_matrix *out,
                                                   const cairn_table *table);
/* The matrix as it is typed: "1,2;3,4", or with its names in front, "a=1,2;b=3,4". Scratch. */
CAIRN_CHECKED cairn_status cairn_named_matrix_text(cairn_context *ctx, const char **out,
                                                   const cairn_named_matrix *m, bool named);

/* Note that numbers are so large that sums of squares overflow, where a result is infinite. */
void cairn_note_overflow(cairn_report *out, double result);

#endif
