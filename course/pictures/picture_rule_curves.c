/* SPDX-License-Identifier: MIT */
/* cairn draw rule-curves: as the model of rules draws it. */
#include "pictures/picture.h"

typedef struct rule_curves_params {
    int part;
} rule_curves_params;

enum { PART_CURVES, PART_ORDERS };

static const cairn_choice parts[] = {
    {"curves", PART_CURVES, "the rules as a list, as a set and as a rule tree"},
    {"orders", PART_ORDERS,
     "two or three rules of a set as lists in all orders, and what only the "
     "rule tree can answer"},
    {NULL, 0, NULL},
};

static const cairn_param rule_curves_table[] = {
    CAIRN_PARAM_CHOICE(rule_curves_params, part, "curves", parts, "what is drawn"),
    CAIRN_PARAM_END,
};

static cairn_status draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    const rule_curves_params *p = job->params;
    if (p->part == PART_ORDERS)
        return cairn_picture_of_model(ctx, out, job->model, "rule-orders",
                                      "two or three unordered rules with two classes");
    return cairn_picture_of_model(ctx, out, job->model, "rule-curves", "curves of rules");
}

const cairn_calculator cairn_picture_rule_curves = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "rule-curves",
                .also = "curves of rules",
                .title = "Coverage curves of rules",
                .summary =
                    "Draws the training rows as the rules rank them, in a coverage plot: a "
                    "list by its segments; a set as a list in its order, by averaged "
                    "coverages, and as a rule tree, in the same axes; or two or three rules in "
                    "all their orders.",
                .example =
                    "cairn fit rule-set @dolphins --features length,beak --save rules.cairn && "
                    "cairn draw rule-curves rules.cairn --out rules.svg",
                .params = rule_curves_table,
                .params_size = sizeof(rule_curves_params)},
    .arguments = "MODEL",
    .needs_model = true,
    .draw = draw,
};
