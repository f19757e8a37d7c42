/* SPDX-License-Identifier: MIT */
/* cairn draw tree-regions: as the model of a tree draws it, with or without the
 * tree itself beside it. */
#include "pictures/picture.h"

typedef struct regions_params {
    bool tree;
} regions_params;

static const cairn_param regions_table[] = {
    CAIRN_PARAM(regions_params, tree, "no", NULL, "draw the tree beside its regions"),
    CAIRN_PARAM_END,
};

static cairn_status draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    const regions_params *p = job->params;
    OWNED(cairn_figure_free) cairn_figure *regions = NULL;
    OWNED(cairn_figure_free) cairn_figure *tree = NULL;
    CHECK(cairn_picture_of_model(ctx, &regions, job->model, "tree-regions",
                                 "regions of one or two columns"));
    if (!p->tree) {
        *out = TAKE(regions);
        return CAIRN_OK;
    }
    CHECK(cairn_picture_of_model(ctx, &tree, job->model, "tree", "tree"));
    CHECK(cairn_figure_new(ctx, out, "tree-regions", ""));
    cairn_figure_panel(*out, tree);
    cairn_figure_panel(*out, regions);
    tree = regions = NULL;
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_tree_regions = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "tree-regions",
                .also = "leaves in the plane, partition of the plane",
                .title = "What each leaf of a tree answers for",
                .summary = "Draws the instance space of a tree that tests one or two columns, of "
                           "numbers or levels, divided into the rectangles of its leaves, each in "
                           "the colour of its class with its answer and class counts; with --tree "
                           "the tree itself beside it.",
                .example =
                    "cairn fit tree @weather --features outlook,humidity --save weather.cairn "
                    "&& cairn draw tree-regions weather.cairn --tree --out weather.svg",
                .params = regions_table,
                .params_size = sizeof(regions_params)},
    .arguments = "MODEL",
    .needs_model = true,
    .draw = draw,
};
