/* SPDX-License-Identifier: MIT */
/* The classes that some rows have, numbered anew.
 *
 * A node has no more classes than rows. Where a tree has far more of them, sums over all classes at
 * every node would take rows times classes; subtrees that are grown as tasks count only the classes
 * of their own rows. Their order stays, so ties are broken as before. */
#ifndef CAIRN_LEARNERS_TREE_FEW_CLASSES_H
#define CAIRN_LEARNERS_TREE_FEW_CLASSES_H

#include "learners/tree/grow/grow.h"

typedef struct cairn_few_classes {
    size_t n;
    int32_t *class; /* n: what they are called outside; NULL = as inside */
} cairn_few_classes;

/* Number the classes of `data`, which was taken from data with all of them, where that pays and the
 * options do not ask for a class or their number. Scratch. */
CAIRN_CHECKED cairn_status cairn_few_classes_make(cairn_context *ctx, cairn_few_classes *out,
                                                  cairn_binned *data,
                                                  const cairn_grow_options *options);
/* The number inside of a class outside; -1 = no row has it. */
int32_t cairn_few_classes_find(const cairn_few_classes *few, int32_t class);
/* Give the classes of a tree their names outside. */
void cairn_few_classes_restore(const cairn_few_classes *few, cairn_tree_model *tree);

#endif
