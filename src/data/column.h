/* SPDX-License-Identifier: MIT */
/* What src/data does with single columns, beyond table.h. */
#ifndef CAIRN_DATA_COLUMN_H
#define CAIRN_DATA_COLUMN_H

#include "base/text.h"
#include "data/table.h"

/* n number columns of zeros that lie in one block of memory, which goes when the last of them goes.
 * `dense` says that most of it will be written to. */
CAIRN_CHECKED cairn_status cairn_columns_new(cairn_context *ctx, cairn_column **out, size_t n,
                                             size_t n_rows, bool dense);
void cairn_columns_drop(cairn_column **columns, size_t n);
/* A copy of the given rows; CAIRN_NO_ROW gives a missing cell. */
enum { CAIRN_NO_ROW = UINT32_MAX };
CAIRN_CHECKED cairn_status cairn_column_take(cairn_context *ctx, cairn_column **out,
                                             const cairn_column *column, const uint32_t *rows,
                                             size_t n);
/* Make a text, bag or sequence cell missing. */
CAIRN_CHECKED cairn_status cairn_column_mark_absent(cairn_context *ctx, cairn_column *column,
                                                    size_t row);
/* The cell as text: see cairn_table_cell. */
size_t cairn_column_cell(const cairn_column *column, size_t row, char *out, size_t size);
/* "'a', 'b' and 3 more": the first of the names, for messages that say what there is. */
void cairn_add_names(cairn_text *out, const cairn_map *names);
uint64_t cairn_column_hash(const cairn_column *column, uint64_t seed);
size_t cairn_column_bytes(const cairn_column *column);
/* A cell holds several things: it has no order and is no name. */
bool cairn_kind_is_many(cairn_kind kind);
/* The levels are false and true, in this order. */
bool cairn_column_has_truths(const cairn_column *column);
/* Bytes of one unit that `starts` counts, a letter or an item, without its amount. */
size_t cairn_column_width(const cairn_column *column);

/* cairn_table_add_column for names that are known to be new: looks for no other of the name. */
CAIRN_CHECKED cairn_status cairn_table_append(cairn_context *ctx, cairn_table *table,
                                              const char *name, cairn_role role,
                                              cairn_column *column);

/* The same for n columns, all of which pass over, also on failure: `names`, checked as those that
 * come from memory are, or, when that is NULL, `prefix` and a number from `first` on. */
CAIRN_CHECKED cairn_status cairn_table_append_all(cairn_context *ctx, cairn_table *table,
                                                  cairn_column **columns, size_t n,
                                                  const char *const *names, const char *prefix,
                                                  size_t first);

/* Whether the name stands in the first row of a table whose columns have made-up names: its header
 * was taken for data. */
bool cairn_table_heads(const cairn_table *table, const char *name);

/* Fill a new column with the cells of n others of its kind, one behind the other; its rows are as
 * many as theirs together. Levels and items are joined by name: those of the first keep their
 * codes, new names of later ones follow. Missing cells are not counted. */
CAIRN_CHECKED cairn_status cairn_column_join(cairn_context *ctx, cairn_column *to,
                                             cairn_column *const *parts, size_t n);

/* The cells of `second` behind those of `first`, in a new column; both are of the same kind and
 * coding, as cairn_schema_match makes them. */
CAIRN_CHECKED cairn_status cairn_column_extend(cairn_context *ctx, cairn_column **out,
                                               const cairn_column *first,
                                               const cairn_column *second);

/* `name` as it is, or with _2, _3 ... behind it when `names` has it already. */
CAIRN_CHECKED cairn_status cairn_free_name(const cairn_map *names, cairn_text *name);

/* Add the name of the next column: the wanted one, or with _2, _3 ... when it is taken, which
 * warns. `source` is the file, for the warning. */
CAIRN_CHECKED cairn_status cairn_name_column(cairn_context *ctx, cairn_map *names,
                                             const char *wanted, size_t length, const char *source);

/* -- changing the kind -- */

/* Texts of a column are levels when there are at most this many different ones. */
size_t cairn_most_levels(size_t n_rows);
/* Every word as a time by the pattern (NULL = as usual); false when one is none. */
bool cairn_words_to_times(const cairn_map *words, const char *pattern, double *out,
                          cairn_time_form *form);
/* Find the kind of a column of texts that is held as levels in the order of arrival: numbers,
 * times (by the usual ways or by `time_format`, may be NULL), levels or text. `numbers` false:
 * never numbers. */
CAIRN_CHECKED cairn_status cairn_column_settle(cairn_context *ctx, cairn_column **column,
                                               const char *time_format, bool numbers);

/* The same cells as another kind, a new column. `name`, `source` (a file, may be NULL) and `advice`
 * (what to do about a cell that does not fit; NULL = another kind) are for messages; `pattern` is
 * how times are written, NULL = as usual. */
CAIRN_CHECKED cairn_status cairn_column_convert(cairn_context *ctx, cairn_column **out,
                                                const cairn_column *column, cairn_kind kind,
                                                const char *name, const char *source,
                                                const char *advice, const char *pattern);
/* A time column that has no pattern gets the one that its cells need. */
void cairn_column_set_pattern(cairn_column *column);
/* "col=level,size=ordered(low,high),other=time(%d.%m.%Y)" taken apart; arrays and names come from
 * scratch. */
typedef struct cairn_kind_choice {
    const char *column;
    cairn_kind kind;
    const char *pattern; /* of times; NULL = none given */
    char **levels;       /* declared values; NULL = none given */
    size_t n_levels;
    bool ordered; /* they go from low to high */
} cairn_kind_choice;
CAIRN_CHECKED cairn_status cairn_kinds_split(cairn_context *ctx, const char *kinds,
                                             cairn_kind_choice **out, size_t *n);
/* The kind of that name ("number"), -1 when there is none. */
int cairn_kind_find(const char *name);

/* Put the levels into this order; names that are not listed follow in their old order. */
CAIRN_CHECKED cairn_status cairn_column_declare(cairn_context *ctx, cairn_column *column,
                                                const char *const *names, size_t n);
/* Levels that are all numbers are put in ascending order; others stay as they were first seen. */
CAIRN_CHECKED cairn_status cairn_column_sort_levels(cairn_context *ctx, cairn_column *column);

/* The places of ordered levels as numbers, NaN = missing; scratch. */
CAIRN_CHECKED cairn_status cairn_column_places(cairn_context *ctx, const double **out,
                                               const cairn_column *column);

#endif
