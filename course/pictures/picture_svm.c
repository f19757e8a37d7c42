/* SPDX-License-Identifier: MIT */
/* cairn draw svm: the boundary of a support vector machine with its street, or its tube. */
#include "pictures/picture.h"

typedef struct svm_picture_params {
    int none;
} svm_picture_params;

static const cairn_param svm_picture_table[] = {CAIRN_PARAM_END};

static cairn_status svm_picture_draw(cairn_context *ctx, cairn_figure **out,
                                     const cairn_compute_job *job)
{
    CHECK(cairn_model_draw(ctx, out, job->model, "tube", NULL, 0));
    if (*out) return CAIRN_OK;
    CHECK(cairn_model_draw(ctx, out, job->model, "margin", NULL, 0));
    if (*out) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE,
                      "this model of %s has no street to draw: wanted is a support vector machine "
                      "of two classes over two number columns, or of numbers over one, with its "
                      "account and up to 1,000 rows; choose columns with {features} when you fit "
                      "it",
                      cairn_model_learner(job->model));
}

const cairn_calculator cairn_picture_svm = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "svm",
                .also = "support vectors, margin, street, support vector machine, epsilon tube",
                .title = "Boundary, street and support vectors of a machine",
                .summary = "Draws a support vector machine over two columns: the boundary, the "
                           "dashed bounds of the street (curves for kernels that are not linear), "
                           "support vectors in rings with their row numbers, the perpendiculars of "
                           "those on the street, the slacks of those beyond it, and asterisks at "
                           "the class means; over one column for numbers: the curve and its tube.",
                .example = "cairn fit svm @tennis --kernel linear --c 0.01 --save tennis.cairn && "
                           "cairn draw svm tennis.cairn --out street.svg",
                .params = svm_picture_table,
                .params_size = sizeof(svm_picture_params)},
    .arguments = "MODEL",
    .needs_model = true,
    .draw = svm_picture_draw,
};
