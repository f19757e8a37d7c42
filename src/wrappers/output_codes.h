/* SPDX-License-Identifier: MIT */
/* Many classes from two: what the parts of the wrappers one-vs-rest, one-vs-one and output-codes
 * share. */
#ifndef CAIRN_WRAPPERS_OUTPUT_CODES_H
#define CAIRN_WRAPPERS_OUTPUT_CODES_H

#include "stats/class_codes.h"
#include "wrappers/nested.h"

typedef enum { CAIRN_SCHEME_REST, CAIRN_SCHEME_ONE, CAIRN_SCHEME_CODES } cairn_scheme;
enum { CAIRN_MANY_SHOWN = 8 }; /* models whose steps and descriptions are shown */

/* Of all three records; what one of them does not have stays 0. */
typedef struct cairn_many_params {
    cairn_wrapper_params wrapper;
    int ovr, models;
    const char *decode;
    int vote_tie;
    int codes;
    const char *matrix, *code_file;
    int length;
} cairn_many_params;

typedef struct cairn_many_model {
    int32_t scheme;
    size_t n_classes; /* levels of the target */
    int32_t *classes; /* matrix.n_classes codes */
    cairn_code_matrix matrix;
    cairn_model **models; /* matrix.n_models */
} cairn_many_model;

typedef struct cairn_many_history {
    double accuracy, rejected, ambiguous; /* of the training rows */
} cairn_many_history;

/* How the settings decode. */
CAIRN_CHECKED cairn_status cairn_many_decoding(cairn_context *ctx, cairn_decoding *out,
                                               int32_t scheme, const cairn_many_params *p);
const char *cairn_many_class(const cairn_job *job, int32_t code);
/* Add the name of a side of model i: a class where it stands alone, else a list. */
void cairn_many_side(cairn_text *out, const cairn_many_model *m, const cairn_job *job, size_t i,
                     double sign);

typedef struct cairn_many_asked {
    const cairn_many_model *m;
    const cairn_table *table;
    cairn_rows rows;
    double *scores; /* n_models x rows */
} cairn_many_asked;

/* Scores of one model for all rows of a chunk: a task. */
CAIRN_CHECKED cairn_status cairn_many_ask(cairn_context *ctx, void *data, size_t i);

#endif
