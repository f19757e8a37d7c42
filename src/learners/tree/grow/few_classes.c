/* SPDX-License-Identifier: MIT */
/* Classes of a node's rows: a list of those that occur, ascending, found by marking them. */
#include "learners/tree/grow/few_classes.h"

enum { WORTH = 2 }; /* classes per row from which numbering pays */

/* Whether nothing that the options ask for depends on classes that no row has. */
static bool may_number(const cairn_binned *data, const cairn_grow_options *options)
{
    bool plain = !options->own_score && !options->plan && options->only_class == 0 &&
                 options->cell_add == 0 && !(options->cut_share > 0) &&
                 options->select == CAIRN_SELECT_SCORE && options->cut != CAIRN_TREE_DISCRIMINANT &&
                 (options->impurity == CAIRN_ENTROPY || options->impurity == CAIRN_GINI);
    return plain && data->n_classes / WORTH > data->n_rows;
}

cairn_status cairn_few_classes_make(cairn_context *ctx, cairn_few_classes *out, cairn_binned *data,
                                    const cairn_grow_options *options)
{
    int32_t *number = NULL;
    *out = (cairn_few_classes){0};
    if (!may_number(data, options)) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &number, data->n_classes));
    CHECK(SCRATCH_RAW(ctx, &out->class, data->n_rows));
    for (size_t i = 0; i < data->n_rows; i++) number[data->classes[i]] = 1;
    for (size_t l = 0; l < data->n_classes; l++) {
        if (!number[l]) continue;
        out->class[out->n] = (int32_t)l;
        number[l] = (int32_t)out->n++;
    }
    for (size_t i = 0; i < data->n_rows; i++) data->classes[i] = number[data->classes[i]];
    data->n_classes = data->n_stats = out->n;
    return CAIRN_OK;
}

int32_t cairn_few_classes_find(const cairn_few_classes *few, int32_t class)
{
    size_t low = 0, high = few->n;
    if (!few->class) return class;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (few->class[middle] < class)
            low = middle + 1;
        else
            high = middle;
    }
    return low < few->n && few->class[low] == class ? (int32_t)low : -1;
}

void cairn_few_classes_restore(const cairn_few_classes *few, cairn_tree_model *tree)
{
    if (!few->class) return;
    for (size_t i = 0; i < tree->n_nodes; i++)
        if (tree->nodes[i].label >= 0) tree->nodes[i].label = few->class[tree->nodes[i].label];
    for (size_t j = 0; j < tree->n_counts; j++) tree->classes[j] = few->class[tree->classes[j]];
}
