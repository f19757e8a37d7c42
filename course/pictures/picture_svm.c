/* SPDX-License-Identifier: MIT */
/* cairn draw svm: the boundary of a support vector machine with its street, or its tube. */
#include "pictures/picture.h"
#include "pictures/slice.h"

typedef struct svm_picture_params {
    const char *fit;
} svm_picture_params;

static const cairn_param svm_picture_table[] = {
    CAIRN_PARAM_AS(svm_picture_params, fit, CAIRN_TYPE_SPEC, NULL,
                   "of DATA: the machine that is fitted to it, such as svm:kernel=linear,c=1; svm "
                   "with its defaults if not given",
                   .names = "learner", .often = true),
    CAIRN_PARAM_END,
};

/* The machine of the model, or one that is fitted to the table; a model is drawn with the rows that
 * it was fitted to, whatever table stands beside it. */
static cairn_status svm_picture_draw(cairn_context *ctx, cairn_figure **out,
                                     const cairn_compute_job *job)
{
    const svm_picture_params *p = job->params;
    OWNED(cairn_model_free) cairn_model *fitted = NULL;
    if (job->model && p->fit)
        return cairn_fail(ctx, CAIRN_USAGE, "either a model or {fit}, not both");
    if (!job->model && !job->table)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'draw svm' needs a model of a machine, or DATA that one is fitted to "
                          "({fit svm:kernel=linear})");
    if (job->model && job->table)
        cairn_warn(ctx, "the machine is drawn with the rows that it was fitted to, not with %s",
                   job->table->source ? job->table->source : "the table");
    if (!job->model) CHECK(cairn_slice_fit_all(ctx, &fitted, job->table, p->fit ? p->fit : "svm"));
    const cairn_model *model = job->model ? job->model : fitted;
    CHECK(cairn_model_draw(ctx, out, model, "tube", NULL, 0));
    if (*out) return CAIRN_OK;
    CHECK(cairn_model_draw(ctx, out, model, "margin", NULL, 0));
    if (*out) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE,
                      "this model of %s has no street to draw: wanted is a support vector machine "
                      "of two classes over two number columns, or of numbers over one, with its "
                      "account and up to 1,000 rows; choose columns with {features} when you fit "
                      "it",
                      cairn_model_learner(model));
}

const cairn_calculator cairn_picture_svm = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "svm",
                .also = "support vectors, margin, street, support vector machine, epsilon tube",
                .title = "Boundary, street and support vectors of a machine",
                .summary =
                    "Draws a support vector machine over two columns: the boundary, the "
                    "dashed bounds of the street (curves for kernels that are not linear), "
                    "support vectors in rings with their row numbers, the perpendiculars of "
                    "those on the street, the slacks of those beyond it, and asterisks at "
                    "the class means; over one column for numbers: the curve and its tube. Of DATA "
                    "a machine is fitted first.",
                .example = "cairn fit svm @tennis --kernel linear --c 0.01 --save tennis.cairn && "
                           "cairn draw svm tennis.cairn --out street.svg",
                .params = svm_picture_table,
                .params_size = sizeof(svm_picture_params)},
    .arguments = "[MODEL] [DATA]",
    .takes_model = true,
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .draw = svm_picture_draw,
};
