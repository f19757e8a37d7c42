/* SPDX-License-Identifier: MIT */
/* Rows drawn from a model that says how they come about: a class, then the columns. */
#ifndef CAIRN_MODEL_SAMPLE_H
#define CAIRN_MODEL_SAMPLE_H

#include "model/model.h"

/* n rows in the units of the data, where transforms can be undone; *inner tells that some column is
 * one that a transform made, such as an indicator, and is left as the learner sees it. `steps` (may
 * be NULL) gets how the first rows came about, as the learner sees them. A learner that draws no
 * rows fails (CAIRN_USAGE) with those that do. */
CAIRN_CHECKED cairn_status cairn_model_sample(cairn_context *ctx, cairn_table **out,
                                              const cairn_model *model, size_t n, uint64_t seed,
                                              bool *inner, cairn_report *steps);

/* -- for `sample` of a learner -- */

/* One of n by their weights, which are not negative and not all 0. */
size_t cairn_sample_one(cairn_random *random, const double *weights, size_t n);
/* Add a column of levels with the names of the field; -1 is a missing cell. */
CAIRN_CHECKED cairn_status cairn_sample_add_levels(cairn_context *ctx, cairn_table *out,
                                                   const cairn_field *field, const int32_t *codes);

enum {
    CAIRN_SAMPLE_NOTED = 3, /* rows whose way is shown ... */
    CAIRN_SAMPLE_STEPS = 6  /* ... and of sequences so many steps */
};

/* How the first rows were drawn: a report for each, since columns are drawn one after the other. */
typedef struct cairn_sample_notes {
    cairn_report *of[CAIRN_SAMPLE_NOTED];
} cairn_sample_notes;

/* None are taken where `steps` is NULL. */
CAIRN_CHECKED cairn_status cairn_sample_notes_open(cairn_context *ctx, cairn_sample_notes *notes,
                                                   const cairn_report *steps, size_t n_rows);
/* Move them to the steps, a step for each row. */
void cairn_sample_notes_show(cairn_sample_notes *notes, cairn_report *steps);
void cairn_sample_notes_clear(cairn_sample_notes *notes);
/* What is noted of a row; NULL = nothing. */
static inline cairn_report *cairn_sample_note(const cairn_sample_notes *notes, size_t row)
{
    return row < CAIRN_SAMPLE_NOTED ? notes->of[row] : NULL;
}
/* "class: u = 0.42, cumulated a 0.3, b 1, so b": which of n weights a uniform number u chose;
 * `names` NULL = they are numbered. Nothing where the note is NULL. */
void cairn_sample_say(cairn_report *note, const char *what, double u, const double *weights,
                      size_t n, const cairn_map *names);
/* cairn_sample_one, and what it says. */
size_t cairn_sample_noted(cairn_report *note, const char *what, cairn_random *random,
                          const double *weights, size_t n, const cairn_map *names);

/* The class of every row by the priors of n classes, as the column of the target; scratch. */
CAIRN_CHECKED cairn_status cairn_sample_classes(cairn_context *ctx, int32_t **out,
                                                cairn_table *table, const cairn_job *job,
                                                const double *priors, size_t n,
                                                cairn_random *random,
                                                const cairn_sample_notes *notes);

#endif
