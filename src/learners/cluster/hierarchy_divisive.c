/* SPDX-License-Identifier: MIT */
/* From splits to a tree of clusters: what was divided first is merged last. */
#include "learners/cluster/hierarchy_divisive.h"
#include "base/memory.h"
#include "base/text.h"

/* The number of a part of a split: a row, or the merge that its own split becomes. */
static uint32_t part_number(const uint32_t *order, const uint32_t *number, uint32_t split,
                            uint32_t first)
{
    return split == CAIRN_NO_SPLIT ? order[first] : number[split];
}

cairn_status cairn_splits_to_tree(cairn_context *ctx, cairn_dendrogram *tree, const uint32_t *order,
                                  const cairn_split_node *splits, const uint32_t *sequence)
{
    SCOPED_SCRATCH(ctx);
    size_t n = tree->n_leaves;
    uint32_t *number; /* of each split: the cluster that it takes apart */
    CHECK(SCRATCH(ctx, &number, n));
    for (size_t k = 0; k + 1 < n; k++)
        number[sequence ? sequence[k] : k] = (uint32_t)(n + (n - 2 - k));
    for (size_t k = 0; k + 1 < n; k++) {
        const cairn_split_node *s = &splits[k];
        tree->merges[number[k] - n] = (cairn_merge){
            .left = part_number(order, number, s->left, s->first),
            .right = part_number(order, number, s->right, s->first + s->kept),
            .height = s->height,
        };
    }
    return cairn_dendrogram_complete(ctx, tree);
}

void cairn_rows_text(cairn_text *out, const cairn_hierarchy_data *data, const uint32_t *rows,
                     size_t n)
{
    enum { MOST = 12 };
    size_t shown = n <= MOST ? n : MOST;
    cairn_text_add_char(out, '{');
    for (size_t i = 0; i < shown; i++)
        cairn_text_addf(out, "%s%s", i ? ", " : "", data->names[rows[i]]);
    if (shown < n) cairn_text_addf(out, ", … %zu more", n - shown);
    cairn_text_add_char(out, '}');
}

cairn_status cairn_hierarchy_divide(cairn_context *ctx, cairn_dendrogram *tree,
                                    const cairn_hierarchy_data *data,
                                    const cairn_hierarchy_params *params, cairn_report *steps)
{
    if (data->n < 2) return CAIRN_OK;
    if (params->method == CAIRN_HIERARCHY_DIANA)
        return cairn_hierarchy_diana(ctx, tree, data, params, steps);
    return cairn_hierarchy_bisect(ctx, tree, data, steps);
}
