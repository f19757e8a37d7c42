/* SPDX-License-Identifier: MIT */
/* cairn draw tree: the tree inside a model, as its learner draws it in its description. */
#include "pictures/picture.h"

static cairn_status tree_draw(cairn_context *ctx, cairn_figure **out, const cairn_picture_job *job)
{
    return cairn_picture_described(ctx, out, job->model, "tree", "tree");
}

const cairn_picture cairn_picture_tree = {
    .entry = {.kind = CAIRN_ENTRY_PICTURE,
              .name = "tree",
              .title = "The tree of a model",
              .summary = "Draws the tree that a model holds: tests in the nodes, values on the "
                         "branches, classes or numbers in the leaves.",
              .example = "cairn fit tree @weather --save weather.cairn && "
                         "cairn draw tree weather.cairn --out weather.svg"},
    .arguments = "MODEL",
    .needs_model = true,
    .draw = tree_draw,
};
