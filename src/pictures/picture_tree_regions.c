/* SPDX-License-Identifier: MIT */
/* cairn draw tree-regions: as the model of a tree draws it in its description. */
#include "pictures/picture.h"

static cairn_status draw(cairn_context *ctx, cairn_figure **out, const cairn_picture_job *job)
{
    return cairn_picture_described(ctx, out, job->model, "tree-regions",
                                   "regions of one or two columns");
}

const cairn_picture cairn_picture_tree_regions = {
    .entry = {.kind = CAIRN_ENTRY_PICTURE,
              .name = "tree-regions",
              .title = "What each leaf of a tree answers for",
              .summary = "Draws the instance space of a tree that tests one or two columns, of "
                         "numbers or levels, divided into the rectangles of its leaves, each in "
                         "the colour of its class with its answer and class counts.",
              .example = "cairn fit tree @weather --features outlook,humidity --save weather.cairn "
                         "&& cairn draw tree-regions weather.cairn --out weather.svg"},
    .arguments = "MODEL",
    .needs_model = true,
    .draw = draw,
};
