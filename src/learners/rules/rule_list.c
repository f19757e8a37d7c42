/* SPDX-License-Identifier: MIT */
/* Rule list by separate and conquer: find the conjunction whose rows are purest, let their largest
 * class be its answer, put the rule at the end of the list, take all rows away that it covers, and
 * go on with the rest. What is left when the rows agree, or when nothing divides them, is the
 * default rule.
 *
 * Choices: ties go to the larger coverage, then to the first condition in the order of columns and
 * levels; a missing cell meets no condition.
 *
 * Cost: about O(rows x columns x conditions), and O(values x columns) for every further rule. */
#include "learners/rules/rule_search.h"

#include "stats/impurity.h"
#include <math.h>
#include <string.h>

typedef struct list_params {
    cairn_rules_options options; /* first: the functions of rules take it from here */
    int preset, purity;
    const char *score_smooth;
    cairn_cover_options cover;
} list_params;

static const cairn_choice purities[] = {
    {"entropy", CAIRN_ENTROPY, "−Σ p·log₂ p of the covered rows"},
    {"gini", CAIRN_GINI, "1 − Σ p²"},
    {"minority", CAIRN_MINORITY, "1 − max p"},
    {NULL, 0, NULL},
};

enum { PRESET_NONE, PRESET_CN2, PRESET_CN2_ENTROPY };
static const cairn_choice preset_choices[] = {
    {"none", PRESET_NONE, "every option as it is given"},
    {"cn2", PRESET_CN2, "CN2 of 1991: corrected accuracy, beam of 5, significance test"},
    {"cn2-entropy", PRESET_CN2_ENTROPY, "CN2 of 1989: entropy, beam of 5, significance test"},
    {NULL, 0, NULL},
};
static const cairn_setting cn2_settings[] = {{"purity", "minority"}, {"score_smooth", "laplace"},
                                             {"grow", "best"},       {"beam", "5"},
                                             {"rule_level", "0.01"}, {NULL, NULL}};
static const cairn_setting cn2_entropy_settings[] = {
    {"purity", "entropy"}, {"score_smooth", "none"}, {"grow", "best"},
    {"beam", "5"},         {"rule_level", "0.01"},   {NULL, NULL}};
static const cairn_setting *const preset_settings[] = {NULL, cn2_settings, cn2_entropy_settings};

static const cairn_param list_table[] = {
    {.name = "preset",
     .often = true,
     .type = CAIRN_TYPE_CHOICE,
     .offset = offsetof(list_params, preset),
     .initial = "none",
     .choices = preset_choices,
     .presets = preset_settings,
     .help = "a well-known way of learning; an option that is given by itself counts more"},
    CAIRN_PARAM_CHOICE(list_params, purity, "entropy", purities,
                       "how mixed the rows that a condition covers are; of two classes all three "
                       "give the same order",
                       .often = true),
    CAIRN_PARAM(list_params, score_smooth, "none", NULL,
                "how counts become shares in the search: none, laplace, lambda:X or m:X, which "
                "draws towards the shares of all rows"),
    CAIRN_PARAM_GROUP(list_params, cover, cairn_cover_group),
    CAIRN_PARAM_GROUP(list_params, options, cairn_smoothing_group),
    CAIRN_PARAM_END,
};

static cairn_status check_params(cairn_context *ctx, const void *values)
{
    const list_params *p = values;
    cairn_smoothing smoothing;
    CHECK(cairn_smoothing_read(ctx, &smoothing, p->score_smooth));
    return cairn_rules_check_params(ctx, values);
}

static const char *const formulas[] = {
    [CAIRN_ENTROPY] =
        "purity = Σ p·log₂ p (minus the entropy), p = share of a class among the rows "
        "that a condition leaves; 0 is pure",
    [CAIRN_GINI] = "purity = Σ p² − 1 (minus the Gini index), p = share of a class among the rows "
                   "that a condition leaves; 0 is pure",
    [CAIRN_MINORITY] = "purity = max p − 1, p = share of a class among the rows that a condition "
                       "leaves; 0 is pure"};

typedef struct purity_score {
    cairn_impurity impurity;
    cairn_smoothing smoothing;
    double *prior; /* shares of the classes among all rows */
} purity_score;

enum { MOST_SMOOTHED = 1024 }; /* classes */

/* Minus the impurity of the (smoothed) shares. */
static double purity(const void *data, const double *counts, const double *before, size_t k)
{
    const purity_score *p = data;
    double shares[MOST_SMOOTHED];
    (void)before;
    if (p->smoothing.kind == CAIRN_SMOOTH_NONE) return -cairn_impurity_of(p->impurity, counts, k);
    cairn_smooth_counts(shares, p->smoothing, counts, k, p->prior);
    return -cairn_impurity_of(p->impurity, shares, k);
}

/* Of two classes every purity falls as the share of the smaller one rises. */
static bool purity_is_worse(const void *data, const double *counts, const double *best, size_t k)
{
    (void)data;
    (void)k;
    double a = fmin(counts[0], counts[1]) * (best[0] + best[1]);
    double b = fmin(best[0], best[1]) * (counts[0] + counts[1]);
    return a > b * (1 + 1e-9);
}

/* Two classes without smoothing have a quick test for worse candidates, as every purity then
 * falls with the share of the smaller class; else each is scored in full. */
static cairn_status list_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    const list_params *p = job->params;
    purity_score score = {.impurity = (cairn_impurity)p->purity};
    SCOPED(cairn_covering_clear) cairn_covering c = {0};
    double total = 0;
    CHECK(cairn_smoothing_read(ctx, &score.smoothing, p->score_smooth));
    if (score.smoothing.kind != CAIRN_SMOOTH_NONE && job->n_classes > MOST_SMOOTHED)
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA,
                         "{score-smooth} is for at most %d classes, and the target has %zu; learn "
                         "with {score-smooth} none",
                         MOST_SMOOTHED, job->n_classes));
    CHECK(cairn_covering_start(&c, ctx, job, &p->cover));
    CHECK(SCRATCH(ctx, &score.prior, job->n_classes));
    for (size_t i = 0; i < c.rows.n; i++) total += c.rows.weights[i];
    for (size_t i = 0; i < c.rows.n; i++)
        score.prior[c.rows.classes[i]] += c.rows.weights[i] / total;
    c.search.upward = job->n_classes == 2 ? job->positive : -1;
    c.search.score = purity;
    if (job->n_classes == 2 && score.smoothing.kind == CAIRN_SMOOTH_NONE)
        c.search.worse = purity_is_worse;
    c.search.data = &score;
    c.search.score_name = "purity (− impurity)";
    cairn_covering_show_score(&c, formulas[p->purity]);
    CHECK(cairn_covering_learn(&c, -1));
    return cairn_covering_finish(&c, model, true);
}

const cairn_learner cairn_rule_list = {
    .entry =
        {.kind = CAIRN_ENTRY_LEARNER,
         .name = "rule-list",
         .also = "decision list, ordered rules, CN2 (preset=cn2), separate and conquer, "
                 "sequential covering, covering algorithm",
         .about = "rule models, learning a single rule, rule learning",
         .title = "Rule list",
         .summary =
             "Rules in an order, of which the first that fires answers: if, else if, otherwise. "
             "Learned by separate and conquer: the purest conjunction of conditions becomes a "
             "rule, its rows are removed, and so on until the rest agrees. Numbers are cut, a "
             "missing cell meets no condition, --beam widens the search. --preset cn2 learns as "
             "CN2 does; --rule-level, --min-cover, --max-rules and --prune-share stop it where "
             "only noise is left. --given reads a list that was written by hand, whose heads are "
             "classes, probabilities or odds a:b of the positive class.",
         .references = "Rivest: Learning decision lists, Machine Learning 2 (1987); Clark, "
                       "Niblett: The CN2 induction algorithm, Machine Learning 3 (1989); Clark, "
                       "Boswell: Rule induction with CN2: some recent improvements (1991); "
                       "Fürnkranz: Separate-and-conquer rule learning (1999)",
         .example = "cairn fit rule-list @dolphins --steps",
         .params = list_table,
         .params_size = sizeof(list_params),
         .check = check_params},
    .space = "min-cover=20,8,3,0\n"
             "beam=1,3",
    CAIRN_RULES_RECORD,
    CAIRN_RULES_ALONE,
    .claims = CAIRN_CLAIM_WEIGHTS_REPEAT,
    .fit = list_fit,
    .read = cairn_rules_read_list,
};
