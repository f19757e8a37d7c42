/* SPDX-License-Identifier: MIT */
/* Rows to hold others against.
 *
 * What a cell does to an answer is told beside the cells that rows have there as a rule, and that
 * is known from the rows that the model was fitted to: beside a single row to be explained there is
 * nothing else. A model keeps some of them, one from each of as many stretches of the training
 * rows, as part of its history. */
#ifndef CAIRN_MODEL_BACKGROUND_H
#define CAIRN_MODEL_BACKGROUND_H

#include "model/model.h"

/* Keep rows of the table that the model's schema was made of, its columns being the fields. */
CAIRN_CHECKED cairn_status cairn_background_keep(cairn_context *ctx, cairn_model *model,
                                                 const cairn_table *table, cairn_rows rows);
/* The cells of the section. */
CAIRN_CHECKED cairn_status cairn_background_archive(cairn_archive *archive, cairn_model *model);
void cairn_background_clear(cairn_background *background);

/* Where background rows come from. */
typedef enum cairn_background_from {
    CAIRN_FROM_TRAINING, /* the model kept them */
    CAIRN_FROM_DATA,     /* it kept none, so those that are explained stand for them */
    CAIRN_FROM_GIVEN     /* the user named them */
} cairn_background_from;

typedef struct cairn_background_rows {
    cairn_background_from from;
    const cairn_table *table;
    cairn_table *own; /* the table where it was made here */
    size_t n_from;    /* TRAINING: how many rows they were taken from */
} cairn_background_rows;

/* `given` if there are any, else those of the model, else the data itself. */
CAIRN_CHECKED cairn_status cairn_background_choose(cairn_context *ctx, cairn_background_rows *out,
                                                   const cairn_model *model,
                                                   const cairn_table *given,
                                                   const cairn_table *data);
void cairn_background_rows_clear(cairn_background_rows *rows);
/* Which they are, with n of them taken; a note where the model kept none. */
void cairn_background_show(cairn_report *out, const cairn_background_rows *rows, size_t n);

#endif
