/* SPDX-License-Identifier: MIT */
/* Bits of what a model leaves to say about rows: see compute_description_length.c. */
#ifndef CAIRN_COMPUTE_THEORY_DESCRIPTION_CODES_H
#define CAIRN_COMPUTE_THEORY_DESCRIPTION_CODES_H

#include "model/model.h"

/* What is sent of a row. */
typedef enum cairn_sent {
    CAIRN_SENT_CLASS,
    CAIRN_SENT_NUMBER,
    CAIRN_SENT_ROW /* all of it, by a model that says how probable it is */
} cairn_sent;

typedef struct cairn_length_code {
    bool by_probability; /* of a class; else as exceptions */
    double number_bits;  /* of a learned number; NaN = half the binary logarithm of the rows */
    double precision;    /* of numbers that are sent; NaN = their least difference */
} cairn_length_code;

typedef struct cairn_data_length {
    cairn_sent sent;
    double rows;        /* their weight */
    double classes;     /* CLASS */
    double wrong;       /* CLASS: exceptions; NUMBER: Σ error²; ROW: −Σ ln f */
    double precision;   /* NUMBER */
    double cell_bits;   /* ROW: Σ −log2 of the precision of every number cell */
    double number_bits; /* of a learned number */
    double bits;        /* L(D | m) */
    double alone;       /* bits of the same rows without a model */
} cairn_data_length;

/* Whether the model predicts classes or numbers, or has a density of its rows, and counts what it
 * learned. */
bool cairn_has_data_length(const cairn_model *model);
/* What `model`, called `name` in messages, leaves to say about the table. */
CAIRN_CHECKED cairn_status cairn_data_length_of(cairn_context *ctx, cairn_data_length *out,
                                                const cairn_length_code *code,
                                                const cairn_model *model, const char *name,
                                                const cairn_table *table);

#endif
