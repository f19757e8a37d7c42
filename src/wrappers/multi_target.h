/* SPDX-License-Identifier: MIT */
/* Several targets in one model, and several labels per row. */
#ifndef CAIRN_WRAPPERS_MULTI_TARGET_H
#define CAIRN_WRAPPERS_MULTI_TARGET_H

#include "model/model.h"

/* What a model of multi-target holds. Borrowed. */
typedef struct cairn_multi_target_parts {
    size_t n;
    cairn_model *const *models; /* one per target */
    const char *labels;         /* the column whose labels the targets are; NULL = none */
    const char *mark;           /* what stands between labels in a cell */
} cairn_multi_target_parts;

/* False for any other model. */
bool cairn_multi_target_look(cairn_multi_target_parts *out, const cairn_model *model);

/* What to the columns of an answer. */
typedef struct cairn_multi_wants {
    bool labels; /* with labels, the column that lists them; else one column per target */
    bool scores; /* "p(class)" of one target, "p(target=class)" of several, "p(label)" of labels */
    bool each;   /* with labels, also no and yes for each of them */
} cairn_multi_wants;

/* What all models inside say of the rows of a raw table. */
CAIRN_CHECKED cairn_status cairn_multi_target_answer(cairn_context *ctx, cairn_table **out,
                                                     const cairn_model *model,
                                                     const cairn_table *table,
                                                     cairn_multi_wants wants, cairn_match *match);

#endif
