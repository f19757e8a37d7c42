/* SPDX-License-Identifier: MIT */
/* Answers for rows that a program holds in memory: one row at a time without a table and without
 * an allocation, or many rows of a matrix; and predicting with a choice of the outputs. */
#ifndef CAIRN_PREDICTOR_H
#define CAIRN_PREDICTOR_H

#include "cairn/matrix.h"
#include "cairn/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A model prepared to answer rows of certain columns. It reads the model, which must outlive it,
 * and writes to itself only: one predictor serves one thread at a time, and any number of them may
 * share a model. */
typedef struct cairn_predictor cairn_predictor;

typedef struct cairn_predictor_options {
    size_t size;          /* sizeof(cairn_predictor_options) */
    bool ignore_unknown;  /* columns that the model does not know are passed over; else they fail */
    bool missing_columns; /* inputs of the model that are not among the columns are missing in
                             every row; else they fail */
    bool blank_missing;   /* a row with a missing cell that the model has no use for gets no answer
                             (code -1, number and scores NaN), as cairn_model_predict gives it; else
                             it fails and the column is named */
    bool exact; /* every answer is that of cairn_model_predict to the last bit: learners whose
                   prepared form sums in another order are asked themselves, which takes
                   microseconds and allocates */
} cairn_predictor_options;

#define CAIRN_PREDICTOR_OPTIONS_INIT                                                               \
    {                                                                                              \
        sizeof(cairn_predictor_options), false, false, false, false                                \
    }

/* The answer to a row. */
typedef struct cairn_answer {
    int32_t code;  /* number of the class or cluster, from 0; -1 = no answer, -2 = rejected. Of a
                      model that answers numbers: -1 */
    double number; /* of a model that answers numbers; NaN = no answer. Of others: NaN */
} cairn_answer;

typedef enum cairn_cell_kind {
    CAIRN_CELL_MISSING,
    CAIRN_CELL_NUMBER, /* `number`: a number, or seconds since 1970-01-01 UTC; NaN = missing */
    CAIRN_CELL_CODE,   /* `code`: of a level, from cairn_predictor_code; -1 = missing */
    CAIRN_CELL_TEXT    /* `text`: what would stand in a file */
} cairn_cell_kind;

/* One cell by value. */
typedef struct cairn_cell {
    cairn_cell_kind kind;
    double number;
    int32_t code;
    const char *text; /* borrowed, UTF-8; NULL = missing */
    size_t length;    /* of the text in bytes */
} cairn_cell;

/* Prepare a model for rows of the named columns, in this order; `columns` NULL = the inputs of the
 * model in their order, of which cairn_predictor_column tells the names. A bag of items has a
 * column for each of them, "BAG=ITEM": how much of it there is.
 *
 * Fails with CAIRN_USAGE and the name of a column that the model does not know, that it misses, or
 * that stands there twice, and of a model that answers no single rows (recipes, learners that only
 * label the rows they are fitted to, classes for every item of a sequence). Takes the number of
 * threads and the memory functions of the context, which may be freed before the predictor. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_predictor_new(cairn_context *ctx, cairn_predictor **out,
                                                         const cairn_model *model,
                                                         const char *const *columns,
                                                         size_t n_columns);
/* Prepare a model as cairn_predictor_new does, with options; NULL = the defaults. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_predictor_new_with(
    cairn_context *ctx, cairn_predictor **out, const cairn_model *model, const char *const *columns,
    size_t n_columns, const cairn_predictor_options *options);
/* Free a predictor; NULL is accepted. The model stays. */
CAIRN_API void cairn_predictor_free(cairn_predictor *predictor);

/* How many cells a row has. */
CAIRN_API size_t cairn_predictor_columns(const cairn_predictor *predictor);
/* The name of a column, borrowed; NULL when there are fewer. */
CAIRN_API const char *cairn_predictor_column(const cairn_predictor *predictor, size_t column);
/* The kind that the model wants of a column; CAIRN_NUMBER when it does not know it. */
CAIRN_API cairn_kind cairn_predictor_kind(const cairn_predictor *predictor, size_t column);
/* The code of a level of that column by its name of `length` bytes; -1 when training did not see
 * it, or the column has no levels. In a row, -1 counts as missing, as an unseen level does. */
CAIRN_API int32_t cairn_predictor_code(const cairn_predictor *predictor, size_t column,
                                       const char *level, size_t length);

/* How many classes there are, or clusters where their number is known; 0 of a model that answers
 * numbers. */
CAIRN_API size_t cairn_predictor_classes(const cairn_predictor *predictor);
/* The name of the class of that code, borrowed; NULL when there is none, as of clusters. */
CAIRN_API const char *cairn_predictor_class(const cairn_predictor *predictor, size_t code);
/* How many scores a row gets: one for each class or cluster, 0 when the learner has none. */
CAIRN_API size_t cairn_predictor_scores(const cairn_predictor *predictor);
/* Whether rows are answered by the prepared form of the model, without an allocation. Otherwise the
 * learner itself is asked about a table of one row, which allocates: models that have no closed
 * form (hidden Markov and recurrent models, what reads text). */
CAIRN_API bool cairn_predictor_is_prepared(const cairn_predictor *predictor);

/* Answer one row of cairn_predictor_columns() numbers: numbers as they are, times in seconds since
 * 1970, levels as their codes, NaN = missing. `answer` and `scores` (cairn_predictor_scores() of
 * them) may be NULL and are written on success only.
 *
 * Fails with CAIRN_BAD_DATA and the name of the column on an infinite number, on a code that is
 * none, and on a missing cell that the model has no use for (see blank_missing); with CAIRN_USAGE
 * where a column holds no numbers. The message is that of the predictor. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_predictor_row(cairn_predictor *predictor,
                                                         const double *row, cairn_answer *answer,
                                                         double *scores);

/* Answer one row of cells of any kind as cairn_predictor_row does: numbers, codes, or texts as a
 * file holds them. Texts of numbers, levels and times allocate nothing; those of bags, sequences
 * and series do. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_predictor_cells(cairn_predictor *predictor,
                                                           const cairn_cell *cells,
                                                           cairn_answer *answer, double *scores);

/* Answer all rows of a matrix, whose columns are those of the predictor and may lie in any order of
 * memory, on as many threads as its context had. `codes`, `numbers` (one per row) and `scores`
 * (rows x cairn_predictor_scores(), row by row) may be NULL; codes are -1 of a model that answers
 * numbers, numbers NaN of others. Fails as cairn_predictor_row, and names the row, counted from 1;
 * what the arrays then hold is undefined. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_predictor_rows(cairn_predictor *predictor,
                                                          const cairn_matrix *rows, int32_t *codes,
                                                          double *numbers, double *scores);

/* The message of the last call on the predictor that failed; "" when none did. Borrowed. */
CAIRN_API const char *cairn_predictor_message(const cairn_predictor *predictor);

/* Which columns a prediction has; those that are not asked for are not made. */
typedef struct cairn_predict_options {
    size_t size; /* sizeof(cairn_predict_options) */
    bool answer; /* the class, cluster or number, named as the target, or "cluster" */
    bool scores; /* one column for each class or cluster, where the learner has them */
    bool extra;  /* what else the learner gives: leaf, distance, interval, further targets ... */
} cairn_predict_options;

#define CAIRN_PREDICT_OPTIONS_INIT                                                                 \
    {                                                                                              \
        sizeof(cairn_predict_options), true, false, false                                          \
    }

/* Apply a model to raw rows as cairn_model_predict does, with the outputs that the options choose;
 * NULL = the answer alone. The caller frees the table. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_model_predict_with(cairn_context *ctx, cairn_table **out,
                                                              const cairn_model *model,
                                                              const cairn_table *table,
                                                              const cairn_predict_options *options);

#ifdef __cplusplus
}
#endif
#endif
