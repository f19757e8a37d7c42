/* SPDX-License-Identifier: MIT */
/* cairn draw rule-regions: as the model of rules draws it. */
#include "pictures/picture.h"

static cairn_status draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    return cairn_picture_of_model(ctx, out, job->model, "rule-regions", "regions of rules");
}

const cairn_calculator cairn_picture_rule_regions = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "rule-regions",
                .also = "regions of rules, rules in the plane",
                .title = "Regions of rules",
                .summary = "Draws where the rules of a set fire when their conditions are about "
                           "one or two columns: a cell for each combination of values, in the "
                           "colour of its class, divided where rules contradict each other and "
                           "empty where none fires.",
                .example =
                    "cairn fit rule-set @dolphins --features length,beak --save rules.cairn && "
                    "cairn draw rule-regions rules.cairn --out rules.svg"},
    .arguments = "MODEL",
    .needs_model = true,
    .draw = draw,
};
