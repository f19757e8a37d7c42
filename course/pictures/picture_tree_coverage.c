/* SPDX-License-Identifier: MIT */
/* cairn draw tree-coverage: a tree in coverage space. The tree comes from a model or is typed as
 * the counts of its leaves. */
#include "pictures/picture.h"

#include "compute/trees/leaf_tree.h"

typedef struct tree_coverage_params {
    const char *leaves, *positive, *labels;
    int part, order, stages;
} tree_coverage_params;

enum { PART_NODES, PART_GROWTH, PART_CURVES, PART_LABELLINGS, PART_PRUNED };

static const cairn_choice parts[] = {
    {"nodes", PART_NODES, "every node as a segment, and the leaves by share as the curve"},
    {"growth", PART_GROWTH, "the curve after each split, in panels"},
    {"curves", PART_CURVES, "the same curves in one plot"},
    {"labellings", PART_LABELLINGS, "all labellings of the leaves and the path of the best"},
    {"pruned", PART_PRUNED, "tree and curve before and after splits of one label are taken back"},
    {NULL, 0, NULL},
};

static const cairn_param tree_coverage_table[] = {
    CAIRN_PARAM_CHOICE(tree_coverage_params, part, "nodes", parts, "what is drawn"),
    CAIRN_PARAM(tree_coverage_params, leaves, NULL, NULL,
                "without a model: positives and negatives of the leaves, "
                "((29,10)(1,25))((15,3)(5,62)), for labellings also 29,10;1,25;15,3"),
    CAIRN_PARAM(tree_coverage_params, positive, NULL, NULL,
                "of a model: the class that counts as positive, against all others"),
    CAIRN_PARAM(tree_coverage_params, labels, NULL, NULL,
                "the labels of the leaves, such as +-++; majorities if not given",
                .when = "part=pruned"),
    CAIRN_PARAM_CHOICE(tree_coverage_params, order, "levels", cairn_growth_orders,
                       "which splits come first when the tree grows", .when = "part=growth|curves"),
    CAIRN_PARAM(tree_coverage_params, stages, "8", "[1,100]",
                "most stages of growth that are drawn", .when = "part=growth|curves"),
    CAIRN_PARAM_END,
};

static cairn_status tree_coverage_draw(cairn_context *ctx, cairn_figure **out,
                                       const cairn_compute_job *job)
{
    const tree_coverage_params *p = job->params;
    cairn_leaf_tree tree;
    CHECK(cairn_leaf_tree_find(ctx, &tree, p->leaves, job->model, p->positive));
    switch (p->part) {
    case PART_NODES: CHECK(cairn_leaf_tree_figure(ctx, out, &tree)); break;
    case PART_GROWTH:
    case PART_CURVES:
        CHECK(cairn_growth_figure(ctx, out, &tree, p->order, (size_t)p->stages,
                                  p->part == PART_CURVES));
        break;
    case PART_LABELLINGS: CHECK(cairn_labellings_figure(ctx, out, &tree)); break;
    default: CHECK(cairn_pruned_figure(ctx, out, &tree, p->labels)); break;
    }
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_tree_coverage = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "tree-coverage",
                .also = "coverage curve of a tree",
                .title = "A tree in coverage space",
                .summary =
                    "Draws what a tree does to two classes in a coverage plot: every node as "
                    "a segment and the leaves, by their share of positives, as a curve; the "
                    "curve after each split; all labellings of the leaves with those that are "
                    "best for some costs; or what pruning splits of one label takes from the "
                    "curve.",
                .references = "Ferri, Flach, Hernández-Orallo: Learning decision trees using the "
                              "area under the ROC curve, ICML 2002",
                .example = "cairn fit tree @dolphins --save dolphins.cairn && "
                           "cairn draw tree-coverage dolphins.cairn --out dolphins.svg",
                .params = tree_coverage_table,
                .params_size = sizeof(tree_coverage_params)},
    .arguments = "[MODEL]",
    .takes_model = true,
    .draw = tree_coverage_draw,
};
