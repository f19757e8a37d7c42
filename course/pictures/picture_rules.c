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

/* -- cairn draw rule-regions: as the model of rules draws it -- */

static cairn_status draw_regions(cairn_context *ctx, cairn_figure **out,
                                 const cairn_compute_job *job)
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
    .draw = draw_regions,
};

/* cairn draw rule-search: how a learner of rules chooses conditions. The learner is run on the data
 * and draws every choice in a coverage plot, as its steps have it; here the first choices stand
 * side by side, all in axes as large as the data, so that the box shrinks from choice to choice. */

typedef struct rule_search_params {
    const char *learner;
    int from, choices;
} rule_search_params;

static const cairn_param rule_search_table[] = {
    CAIRN_PARAM_AS(rule_search_params, learner, CAIRN_TYPE_SPEC, "rule-list",
                   "the learner, rule-list or rule-set, perhaps with its parameters: "
                   "rule-set:heuristic=laplace",
                   .names = "learner"),
    CAIRN_PARAM(rule_search_params, from, "1", "[1,inf)", "the first choice that is drawn"),
    CAIRN_PARAM(rule_search_params, choices, "6", "[1,24]", "most choices that are drawn"),
    CAIRN_PARAM_END,
};

/* The choices that become panels. */
typedef struct choosing {
    cairn_figure *all;
    int from, most;
    int seen, taken;
} choosing;

/* Gets every choice as the learner draws it. */
static void take_choice(void *data, cairn_figure *figure)
{
    choosing *c = data;
    if (++c->seen < c->from || c->taken == c->most) {
        cairn_figure_free(figure);
        return;
    }
    cairn_figure_size(figure, 320, 290);
    cairn_figure_panel(c->all, figure);
    c->taken++;
}

/* The search draws itself while a rule learner is fitted: its steps hand their figures on, and the
 * model is thrown away. */
static cairn_status rule_search_draw(cairn_context *ctx, cairn_figure **out,
                                     const cairn_compute_job *job)
{
    const rule_search_params *p = job->params;
    OWNED(cairn_params_free) cairn_params *params = NULL;
    OWNED(cairn_model_free) cairn_model *model = NULL;
    OWNED(cairn_report_free) cairn_report *steps = NULL;
    OWNED(cairn_figure_free) cairn_figure *all = NULL;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    CHECK(cairn_params_from_spec(ctx, &params, CAIRN_ENTRY_LEARNER, p->learner));
    if (!cairn_same(params->entry->name, "rule-list") &&
        !cairn_same(params->entry->name, "rule-set"))
        CHECK(cairn_fail(ctx, CAIRN_USAGE, "{learner %s}: rule-list or rule-set is needed here",
                         params->entry->name));
    CHECK(cairn_figure_new(ctx, &all, "rule-search", "Conditions in coverage space"));
    CHECK(cairn_report_new(ctx, &steps));
    choosing chosen = {.all = all, .from = p->from, .most = p->choices};
    cairn_report_hand_figures(steps, take_choice, &chosen);
    options.steps = steps;
    CHECK(cairn_model_fit(ctx, &model, params, job->table, &options));
    if (!chosen.taken)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "there is no choice to draw: two classes are needed and at most 40 "
                          "conditions at a time ({features} chooses), and {from} must not be too "
                          "large");
    cairn_figure_columns(all, 2);
    CHECK(cairn_figure_status(all));
    *out = TAKE(all);
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_rule_search = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "rule-search",
                .also = "beam search of rules, search for conditions",
                .title = "How rules choose their conditions",
                .summary = "Draws every choice of a learner of rules in a coverage plot: all "
                           "conditions that could be added as points, lines on which the score is "
                           "the same, an arrow to the condition that is taken; the box shrinks as "
                           "conditions are added and covered rows are removed.",
                .references = "Fürnkranz, Flach: ROC 'n' Rule Learning, Machine Learning 58, 2005",
                .example = "cairn draw rule-search @dolphins --learner rule-list",
                .params = rule_search_table,
                .params_size = sizeof(rule_search_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .draw = rule_search_draw,
};
