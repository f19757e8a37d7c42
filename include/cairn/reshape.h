/* SPDX-License-Identifier: MIT */
/* Tables made of tables: sorted, grouped, joined, pivoted. The table that goes in stays as it is;
 * columns that stay the same are shared with it. Lists of columns are separated by commas, as on
 * the command line; roles go along with their columns. What comes out does not depend on the number
 * of threads. docs/reshape.md describes every step. */
#ifndef CAIRN_RESHAPE_H
#define CAIRN_RESHAPE_H

#include "cairn/table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The rows in the order of some columns, "size,-price" or "size,price:desc": numbers and times by
 * value, levels in their declared order or else by name, text by its bytes. Missing cells come
 * last either way, and equal rows keep their order. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_sort(cairn_context *ctx, cairn_table **out,
                                                      const cairn_table *table,
                                                      const char *columns);

/* The first row of each combination of values of the columns (NULL = of all columns). Missing
 * cells are equal to each other. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_distinct(cairn_context *ctx, cairn_table **out,
                                                          const cairn_table *table,
                                                          const char *columns);

/* One row per combination of values of `group_by` (NULL = one row for the whole table), in the
 * order in which they first occur, with one column per aggregate: "n=count(), mean(price),
 * p90=quantile(price, 0.9)" (NULL = "count()"). Missing cells of a group column are a group of
 * their own; missing cells of an aggregated column are skipped. The weights of the weight column
 * count. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_aggregate(cairn_context *ctx, cairn_table **out,
                                                           const cairn_table *table,
                                                           const char *group_by,
                                                           const char *aggregates);

/* Which rows a join keeps. */
typedef enum cairn_join_kind {
    CAIRN_JOIN_INNER, /* pairs of rows whose keys are equal */
    CAIRN_JOIN_LEFT,  /* and left rows without a partner */
    CAIRN_JOIN_RIGHT, /* pairs, and right rows without a partner */
    CAIRN_JOIN_FULL,  /* pairs, and rows without a partner of both */
    CAIRN_JOIN_SEMI,  /* left rows that have a partner, once each */
    CAIRN_JOIN_ANTI   /* left rows that have none */
} cairn_join_kind;

/* How tables are joined. */
typedef struct cairn_join_options {
    size_t size; /* sizeof(cairn_join_options) */
    cairn_join_kind kind;
    const char *suffix; /* of right columns whose name is taken; NULL = "_2" */
    bool match_missing; /* missing keys are equal to each other; else they have no partner */
} cairn_join_options;

#define CAIRN_JOIN_OPTIONS_INIT                                                                    \
    {                                                                                              \
        sizeof(cairn_join_options), CAIRN_JOIN_INNER, NULL, false                                  \
    }

/* What a join found. */
typedef struct cairn_join_counts {
    size_t left_matched, left_unmatched;   /* rows */
    size_t right_matched, right_unmatched; /* rows */
    size_t pairs;                          /* of a left and a right row with equal keys */
    size_t left_several;                   /* left rows with more than one partner */
    size_t many_to_many;                   /* keys that several rows of both sides have */
} cairn_join_counts;

/* Put the columns of `right` beside those of `left` where the keys are equal. `on` names the keys,
 * "id,day" or "id=customer,day" where they are called differently; keys are of the same kind (level
 * and text go together, levels by name). Pairs come in the order of the left rows, then of the
 * right ones; right rows without a partner are last. The keys of `left` stay, those of `right` go.
 * `options` and `counts` may be NULL. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_join(cairn_context *ctx, cairn_table **out,
                                                      const cairn_table *left,
                                                      const cairn_table *right, const char *on,
                                                      const cairn_join_options *options,
                                                      cairn_join_counts *counts);

/* A column for every value of `column`, in ascending order, that holds the cells of `values`; one
 * row per combination of `rows` (NULL = of all other columns). With several columns of values the
 * names are VALUES_VALUE. Two values for one cell fail with both rows, unless `aggregates` says
 * what is put into the cells instead, as for cairn_table_aggregate; then `values` is NULL. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_pivot(cairn_context *ctx, cairn_table **out,
                                                       const cairn_table *table, const char *column,
                                                       const char *values, const char *rows,
                                                       const char *aggregates);

/* One row for every row and column of `columns` ("*" = all features): the name of the column in
 * `names_to`, its cell in `values_to`, and all other columns. The columns are of one kind. With
 * `drop_missing`, missing cells make no row. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_unpivot(cairn_context *ctx, cairn_table **out,
                                                         const cairn_table *table,
                                                         const char *columns, const char *names_to,
                                                         const char *values_to, bool drop_missing);

/* A new table of the first `n` rows, or all when there are fewer. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_limit(cairn_context *ctx, cairn_table **out,
                                                       const cairn_table *table, size_t n);

/* A new table of `n` rows (at most all) drawn without replacement by the context's seed, in their
 * order. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_sample(cairn_context *ctx, cairn_table **out,
                                                        const cairn_table *table, size_t n);

#ifdef __cplusplus
}
#endif
#endif
