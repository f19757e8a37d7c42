/* SPDX-License-Identifier: MIT */
/* cairn draw rule-curves: as the model of rules draws it in its description. */
#include "pictures/picture.h"

static cairn_status draw(cairn_context *ctx, cairn_figure **out, const cairn_picture_job *job)
{
    return cairn_picture_described(ctx, out, job->model, "rule-curves", "curves of rules");
}

const cairn_picture cairn_picture_rule_curves = {
    .entry = {.kind = CAIRN_ENTRY_PICTURE,
              .name = "rule-curves",
              .title = "Coverage curves of rules",
              .summary = "Draws the training rows as the rules rank them, in a coverage plot: a "
                         "list by its segments; a set as a list in its order, by averaged "
                         "coverages, and as a rule tree, in the same axes.",
              .example =
                  "cairn fit rule-set @dolphins --features length,beak --save rules.cairn && "
                  "cairn draw rule-curves rules.cairn --out rules.svg"},
    .arguments = "MODEL",
    .needs_model = true,
    .draw = draw,
};
