/* SPDX-License-Identifier: MIT */
/* cairn draw path: coefficients over the strength of a penalty, and what held-out rows say. */
#include "pictures/picture.h"

typedef struct path_params {
    bool validation;
} path_params;

static const cairn_param path_table[] = {
    CAIRN_PARAM(path_params, validation, "no", NULL,
                "draw the error of held-out rows beside it, where a strength was chosen by it"),
    CAIRN_PARAM_END,
};

static cairn_status draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    const path_params *p = job->params;
    OWNED(cairn_figure_free) cairn_figure *path = NULL;
    OWNED(cairn_figure_free) cairn_figure *beside = NULL;
    CHECK(cairn_picture_of_model(ctx, &path, job->model, "path", "path of several strengths"));
    if (!p->validation) {
        *out = TAKE(path);
        return CAIRN_OK;
    }
    CHECK(cairn_picture_of_model(ctx, &beside, job->model, "validation",
                                 "errors of held-out rows along a path"));
    CHECK(cairn_figure_new(ctx, out, "path", ""));
    cairn_figure_panel(*out, path);
    cairn_figure_panel(*out, beside);
    path = beside = NULL;
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_path = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "path",
                .also = "coefficient path, regularisation path, lasso path, lambda curve, "
                        "cross-validation curve",
                .title = "Coefficients over the strength of a penalty",
                .summary = "Draws the coefficients of a penalised model over the strength λ of the "
                           "penalty, with the strength that was taken; with --validation also the "
                           "error of held-out rows with a band of one standard error.",
                .example = "cairn fit lasso @used-cars --target price --save cars.cairn && cairn "
                           "draw path cars.cairn --validation --out path.svg",
                .params = path_table,
                .params_size = sizeof(path_params)},
    .arguments = "MODEL",
    .needs_model = true,
    .draw = draw,
};
