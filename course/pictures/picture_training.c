/* SPDX-License-Identifier: MIT */
/* cairn draw training: how the error of a model fell while it was fitted. */
#include "pictures/picture.h"

enum { PART_CURVE, PART_MARGINS };

typedef struct training_params {
    int part;
} training_params;

static const cairn_choice parts[] = {
    {"curve", PART_CURVE,
     "errors or losses by round: of the training rows, of rows held out or out of bag"},
    {"margins", PART_MARGINS, "adaboost: margins of the training rows"},
    {NULL, 0, NULL},
};

static const cairn_param training_table[] = {
    CAIRN_PARAM_CHOICE(training_params, part, "curve", parts, "what is drawn"),
    CAIRN_PARAM_END,
};

/* Learners call their curves by what is on them. */
static cairn_status training_draw(cairn_context *ctx, cairn_figure **out,
                                  const cairn_compute_job *job)
{
    static const char *const curves[] = {"curve", "loss", "oob"};
    const training_params *p = job->params;
    if (p->part == PART_MARGINS)
        return cairn_picture_of_model(ctx, out, job->model, "margins", "margins");
    for (size_t i = 0; i < sizeof curves / sizeof *curves; i++) {
        CHECK(cairn_model_draw(ctx, out, job->model, curves[i], NULL, 0));
        if (*out) return CAIRN_OK;
    }
    return cairn_fail(ctx, CAIRN_USAGE,
                      "a model of %s has no training curve to draw, or its file keeps none",
                      cairn_model_learner(job->model));
}

const cairn_calculator cairn_picture_training = {
    .picture =
        {.kind = CAIRN_ENTRY_PICTURE,
         .name = "training",
         .also = "training curve, learning curve of rounds, error by round, out-of-bag "
                 "error, margins of boosting, early stopping",
         .title = "Training curves of a model",
         .summary =
             "Draws how a model of adaboost, boost, bagging, forest or network came about: the "
             "error or loss after every round or epoch, of the training rows, of rows held out, "
             "or out of bag; or the margins of the training rows of adaboost.",
         .example = "cairn fit adaboost @breast-cancer --hold-out 0.3 --save a.cairn && "
                    "cairn draw training a.cairn --out a.svg",
         .params = training_table,
         .params_size = sizeof(training_params)},
    .arguments = "MODEL",
    .needs_model = true,
    .draw = training_draw,
};
