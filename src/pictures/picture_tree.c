/* SPDX-License-Identifier: MIT */
/* cairn draw tree: the tree inside a model, as its learner draws it in its description. */
#include "pictures/picture.h"

static cairn_status tree_draw(cairn_context *ctx, cairn_figure **out, const cairn_picture_job *job)
{
    cairn_report *description = NULL;
    cairn_status status;
    TRY(cairn_report_new(ctx, &description));
    TRY(cairn_model_describe(ctx, description, job->model));
    *out = cairn_report_take_figure(description, "tree");
    if (!*out)
        status = cairn_fail(ctx, CAIRN_USAGE, "a model of %s has no tree to draw",
                            cairn_model_learner(job->model));
done:
    cairn_report_free(description);
    return status;
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
