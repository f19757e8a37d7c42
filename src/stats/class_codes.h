/* SPDX-License-Identifier: MIT */
/* Many classes from two: code matrices, and how the answers of two-class models become a class.
 *
 * A matrix has a row for every class and a column for every model: +1 where the class is on the
 * positive side of the model, −1 on the negative one, 0 where the model knows nothing of it. */
#ifndef CAIRN_STATS_CLASS_CODES_H
#define CAIRN_STATS_CLASS_CODES_H

#include "base/random.h"
#include "report/report.h"
#include "stats/losses.h"

typedef struct cairn_code_matrix {
    size_t n_classes, n_models;
    double *codes; /* n_classes x n_models */
    /* codes that are not 0, class after class: see cairn_codes_index; NULL = not made */
    size_t *starts; /* n_classes + 1 */
    uint32_t *models;
} cairn_code_matrix;

typedef enum cairn_code_decoder {
    CAIRN_DECODE_VOTE,     /* most models on the side of the class */
    CAIRN_DECODE_DISTANCE, /* least Σ (1 − w c)/2, with w = ±1 the side that the model takes */
    CAIRN_DECODE_LOSS,     /* least Σ L(c s), with s the score of the model */
    CAIRN_DECODE_LARGEST,  /* one model per class: the largest score */
    CAIRN_DECODE_UNIQUE,   /* the only model that fires, else the row is rejected */
    CAIRN_DECODE_ORDER     /* the first model that fires, else the last class */
} cairn_code_decoder;
typedef enum cairn_vote_tie {
    CAIRN_TIE_SCORE, /* the larger sum of scores, then the first class */
    CAIRN_TIE_FIRST,
    CAIRN_TIE_RANDOM
} cairn_vote_tie;

typedef struct cairn_decoding {
    cairn_code_decoder decoder;
    cairn_loss loss;
    cairn_vote_tie tie;
} cairn_decoding;

extern const cairn_choice cairn_vote_ties[];

/* What becomes of a row. */
typedef struct cairn_decoded {
    ptrdiff_t class; /* -1 = nothing is known, -2 = rejected */
    size_t fired;    /* models with a score above 0 */
    bool ambiguous;  /* several classes are equally good, or none or several models fire where one
                        should */
} cairn_decoded;

/* `scores` are those of the models (NaN = no answer: it counts as if its codes were 0); `values`
 * (n_classes) gets votes, distances, losses or scores. A score of 0 takes the negative side. With
 * one model less than classes, the last class is meant where the others are denied. */
cairn_decoded cairn_decode(const cairn_code_matrix *m, const cairn_decoding *how,
                           const double *scores, cairn_random *random, double *values);
/* List the codes that are not 0, so that decoding many rows looks at no others. Scratch. */
CAIRN_CHECKED cairn_status cairn_codes_index(cairn_context *ctx, cairn_code_matrix *m);
/* Whether less of a value is better; what the values are: "votes", "distance", "loss", "score". */
bool cairn_decoder_lowers(cairn_code_decoder decoder);
const char *cairn_decoder_word(cairn_code_decoder decoder);
/* The matrix as a table, of many classes or models the first ones: "code.CLASS.MODEL". */
void cairn_codes_show(cairn_report *out, const cairn_code_matrix *m, const char *const *names);

/* vote, distance, loss:NAME, argmax, reject, order; `what` begins the message. */
CAIRN_CHECKED cairn_status cairn_decoding_parse(cairn_context *ctx, cairn_decoding *out,
                                                const char *what, const char *text);

/* -- matrices; the codes are scratch -- */

/* One against the rest, for all classes or all but the last. */
CAIRN_CHECKED cairn_status cairn_codes_one_vs_rest(cairn_context *ctx, cairn_code_matrix *out,
                                                   size_t n_classes, bool but_last);
/* One against one: first and second, first and third, ... */
CAIRN_CHECKED cairn_status cairn_codes_one_vs_one(cairn_context *ctx, cairn_code_matrix *out,
                                                  size_t n_classes);
/* All ways to split the classes into two sides, up to eleven classes. */
CAIRN_CHECKED cairn_status cairn_codes_exhaustive(cairn_context *ctx, cairn_code_matrix *out,
                                                  size_t n_classes);
/* Random sides; with `draws` above 1 the matrix of so many whose rows are farthest apart. Rows and
 * columns differ; fails where there are not so many different columns. Of very many classes fewer
 * are drawn. */
CAIRN_CHECKED cairn_status cairn_codes_random(cairn_context *ctx, cairn_code_matrix *out,
                                              size_t n_classes, size_t n_models, size_t draws,
                                              uint64_t seed);
/* Fails (CAIRN_BAD_DATA) where two rows or two columns are the same, a column has one sign only,
 * or a code is none of -1, 0, 1. `what` begins the message. */
CAIRN_CHECKED cairn_status cairn_codes_check(cairn_context *ctx, const cairn_code_matrix *m,
                                             const char *what);
/* The least number of models in which two classes take different sides, zeros counting half. */
CAIRN_CHECKED cairn_status cairn_codes_apart(cairn_context *ctx, const cairn_code_matrix *m,
                                             double *out);
/* How many codes that compares. */
double cairn_codes_work(const cairn_code_matrix *m);

#endif
