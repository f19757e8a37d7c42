/* SPDX-License-Identifier: MIT */
/* Rule set: for each class, as long as some of its rows are not covered, find the conjunction of
 * highest precision and take away the rows of the class that it covers; rows of other classes stay,
 * so every rule stands for itself and the order of rules means nothing.
 *
 * Rules that fire together answer with the average of their coverages, with the sum, as a list, or
 * as a rule tree, which has the exact counts of every combination. Where none fires, the default
 * rule answers.
 *
 * Cost: about O(rows x columns x conditions). */
#include "learners/rules/rule_search.h"

#include "parallel/parallel.h"
#include <string.h>

enum { SCORE_PRECISION, SCORE_LAPLACE, SCORE_M };

typedef struct set_params {
    cairn_rules_options options; /* first: the functions of rules take it from here */
    int preset, heuristic;
    double m;
    bool seed_example;
    cairn_cover_options cover;
} set_params;

static const cairn_choice heuristics[] = {
    {"precision", SCORE_PRECISION, "TP / (TP + FP)"},
    {"laplace", SCORE_LAPLACE, "(TP + 1) / (TP + FP + k), k classes: large rules count more"},
    {"m-estimate", SCORE_M, "(TP + m·prior) / (TP + FP + m)"},
    {NULL, 0, NULL},
};
enum { PRESET_NONE, PRESET_CN2 };
static const cairn_choice preset_choices[] = {
    {"none", PRESET_NONE, "every option as it is given"},
    {"cn2", PRESET_CN2,
     "unordered CN2: corrected precision, beam of 5, significance test, coverages are summed"},
    {NULL, 0, NULL},
};
static const cairn_setting cn2_settings[] = {
    {"heuristic", "laplace"}, {"grow", "best"},   {"beam", "5"},
    {"rule_level", "0.01"},   {"overlap", "sum"}, {NULL, NULL}};
static const cairn_setting *const preset_settings[] = {NULL, cn2_settings};

static const cairn_choice overlaps[] = {
    {"average", CAIRN_OVERLAP_AVERAGE, "the average of the coverages of the rules that fire"},
    {"sum", CAIRN_OVERLAP_SUM, "their sum, which smoothing changes less"},
    {"first", CAIRN_OVERLAP_FIRST, "the first rule that fires: the set as a list"},
    {"tree", CAIRN_OVERLAP_TREE,
     "the training rows in which exactly these rules fire: the set as a rule tree"},
    {NULL, 0, NULL},
};
static const cairn_param answer_group[] = {
    CAIRN_PARAM_CHOICE(cairn_rules_options, overlap, "average", overlaps,
                       "how rules that fire together answer", .often = true),
    CAIRN_PARAM_GROUP(cairn_rules_options, smoothing, cairn_smoothing_group),
    CAIRN_PARAM_END,
};
static const cairn_param set_table[] = {
    {.name = "preset",
     .often = true,
     .type = CAIRN_TYPE_CHOICE,
     .offset = offsetof(set_params, preset),
     .initial = "none",
     .choices = preset_choices,
     .presets = preset_settings,
     .help = "a well-known way of learning; an option that is given by itself counts more"},
    CAIRN_PARAM_CHOICE(set_params, heuristic, "precision", heuristics,
                       "how good the rows that a condition covers are for the class",
                       .often = true),
    CAIRN_PARAM(set_params, m, "2", "[0,inf)", "m of the m-estimate",
                .when = "heuristic=m-estimate"),
    CAIRN_PARAM(set_params, seed_example, "no", NULL,
                "only conditions that the first row of the class that is not covered yet meets"),
    CAIRN_PARAM_GROUP(set_params, cover, cairn_cover_group),
    CAIRN_PARAM_GROUP(set_params, options, answer_group),
    CAIRN_PARAM_END,
};

static const char *const formulas[] = {
    [SCORE_PRECISION] =
        "precision = TP / (TP + FP), of the rows that a condition leaves: TP of the "
        "class, FP of others",
    [SCORE_LAPLACE] = "laplace = (TP + 1) / (TP + FP + k), of the rows that a condition leaves: TP "
                      "of the class, FP of others; k classes",
    [SCORE_M] = "m-estimate = (TP + m·prior) / (TP + FP + m), of the rows that a condition leaves: "
                "TP of the class, FP of others; prior = share of the class among all rows"};

typedef struct precision_score {
    int heuristic;
    int32_t target; /* among the classes that are searched */
    double m, prior, n_classes;
} precision_score;

static double precision(const void *data, const double *counts, const double *before, size_t k)
{
    const precision_score *p = data;
    double tp = counts[p->target], total = 0;
    (void)before;
    for (size_t l = 0; l < k; l++) total += counts[l];
    if (p->heuristic == SCORE_LAPLACE) return (tp + 1) / (total + p->n_classes);
    if (p->heuristic == SCORE_M) return (tp + p->m * p->prior) / (total + p->m);
    return tp / total;
}

/* -- all classes -- */

typedef struct set_run {
    const cairn_covering *all;
    const set_params *params;
    cairn_kept_rules *kept; /* classes */
} set_run;

static cairn_status learn_class(cairn_covering *c, const set_params *p, int32_t target)
{
    precision_score score = {.heuristic = p->heuristic, .m = p->m};
    c->search.data = &score;
    /* Begin with class `target`: its share of all rows is the prior of the m-estimate. */
    double total = 0, of_target = 0;
    for (size_t i = 0; i < c->all.n; i++) {
        total += c->all.weights[i];
        if (c->all.classes[i] == target) of_target += c->all.weights[i];
    }
    score.target = c->search.upward = cairn_covering_target(c, target);
    score.prior = of_target / total;
    score.n_classes = (double)c->all.n_classes;
    return cairn_covering_learn(c, target);
}

static cairn_status class_task(cairn_context *ctx, void *data, size_t task)
{
    const set_run *run = data;
    cairn_covering c;
    cairn_status status;
    TRY(cairn_covering_fork(&c, ctx, run->all));
    status = learn_class(&c, run->params, (int32_t)task);
    run->kept[task] = c.kept;
done:
    return status;
}

/* The rules of a class do not depend on those of others: classes are learned side by side, unless
 * the work is shown in its order, or the rows are so many that threads do more inside a class. */
static cairn_status learn_classes(cairn_covering *c, const set_params *p)
{
    enum { MANY_CELLS = 1 << 24 };
    size_t k = c->job->n_classes;
    bool few = k < (size_t)cairn_workers(c->ctx);
    set_run run = {.all = c, .params = p};
    cairn_status status = CAIRN_OK;
    if (c->job->steps || (few && (double)c->all.n * (double)c->all.n_columns > MANY_CELLS)) {
        for (size_t l = 0; l < k; l++) TRY(learn_class(c, p, (int32_t)l));
        goto done;
    }
    TRY(SCRATCH(c->ctx, &run.kept, k));
    TRY(cairn_tasks(c->ctx, k, class_task, &run));
    for (size_t l = 0; l < k; l++) TRY(cairn_covering_join(c, &run.kept[l]));
done:
    for (size_t l = 0; run.kept && l < k; l++) cairn_kept_rules_clear(&run.kept[l]);
    return status;
}

static cairn_status set_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    const set_params *p = job->params;
    SCOPED(cairn_covering_clear) cairn_covering c = {0};
    CHECK(cairn_covering_start(&c, ctx, job, &p->cover));
    c.seeded = p->seed_example;
    c.search.score = precision;
    c.search.rises = true;
    c.search.score_name = heuristics[p->heuristic].name;
    cairn_covering_show_score(&c, formulas[p->heuristic]);
    CHECK(learn_classes(&c, p));
    return cairn_covering_finish(&c, model, false);
}

const cairn_learner cairn_rule_set = {
    .entry =
        {.kind = CAIRN_ENTRY_LEARNER,
         .name = "rule-set",
         .also = "unordered rules, unordered CN2 (preset=cn2)",
         .about = "rule sets as rankers, learning a rule set for a class, learning a rule set",
         .title = "Rule set",
         .summary =
             "Rules without an order, learned for each class in turn: the conjunction of highest "
             "precision becomes a rule, the rows of the class that it covers are removed, rows "
             "of other classes stay. Rules that fire together answer with the average or the sum "
             "of their coverages, as a list, or as a rule tree with the exact counts of each "
             "combination. --preset cn2 learns as CN2 does; --rule-level, --min-cover, --max-rules "
             "and --prune-share stop it where only noise is left. --given reads rules that were "
             "written by hand and reports where they "
             "contradict each other and where none fires.",
         .references = "Clark, Boswell: Rule induction with CN2, EWSL 1991; Fürnkranz: "
                       "Separate-and-conquer rule learning (1999)",
         .example = "cairn fit rule-set @dolphins --heuristic laplace --steps",
         .params = set_table,
         .params_size = sizeof(set_params),
         .check = cairn_rules_check_params},
    .space = "min-cover=20,8,3,0\n"
             "beam=1,3",
    CAIRN_RULES_RECORD,
    CAIRN_RULES_ALONE,
    .history = &cairn_rules_histories,
    .fit = set_fit,
    .read = cairn_rules_read_set,
};
