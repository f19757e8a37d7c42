/* SPDX-License-Identifier: MIT */
/* Rule list by separate and conquer: find the conjunction whose rows are purest, let their largest
 * class be its answer, put the rule at the end of the list, take all rows away that it covers, and
 * go on with the rest. What is left when the rows agree, or when nothing divides them, is the
 * default rule.
 *
 * Choices: ties go to the larger coverage, then to the first condition in the order of columns and
 * levels; a missing cell meets no condition.
 *
 * Cost: about O(rows x columns x conditions). */
#include "learners/rules/rule_search.h"

#include "base/number.h"
#include "learners/tree/tree.h"
#include "stats/impurity.h"
#include <string.h>

typedef struct list_params {
    int purity;
    const char *score_smooth;
    int tie, beam, max_literals, max_rules;
    double min_cover;
    cairn_smoothing_option smoothing;
} list_params;

static const cairn_choice purities[] = {
    {"entropy", CAIRN_ENTROPY, "−Σ p·log₂ p of the covered rows"},
    {"gini", CAIRN_GINI, "1 − Σ p²"},
    {"minority", CAIRN_MINORITY, "1 − max p"},
    {NULL, 0, NULL},
};
static const cairn_choice ties[] = {
    {"coverage", CAIRN_TIE_COVERAGE, "the larger coverage, then the first"},
    {"first", CAIRN_TIE_FIRST, "the first in the order of columns and levels"},
    {"rare", CAIRN_TIE_RARE,
     "the larger coverage, then the class of which fewer rows are left, then the first"},
    {NULL, 0, NULL},
};
static const cairn_param list_table[] = {
    CAIRN_PARAM_CHOICE(list_params, purity, "entropy", purities,
                       "how mixed the rows that a condition covers are; of two classes all three "
                       "give the same order"),
    CAIRN_PARAM(list_params, score_smooth, "none", NULL,
                "how counts become shares in the search: none, laplace, lambda:X or m:X"),
    CAIRN_PARAM_CHOICE(list_params, tie, "coverage", ties, "which of equally pure conditions"),
    CAIRN_PARAM(list_params, beam, "1", "[1,1000]",
                "how many conjunctions are refined side by side"),
    CAIRN_PARAM(list_params, max_literals, "0", "[0,inf)",
                "most conditions of a rule; 0 = any number"),
    CAIRN_PARAM(list_params, max_rules, "0", "[0,inf)",
                "most rules before the default rule; 0 = any number"),
    CAIRN_PARAM(list_params, min_cover, "0", "[0,inf)",
                "a condition must leave rows of at least this weight"),
    CAIRN_PARAM_GROUP(list_params, smoothing, cairn_smoothing_group),
    CAIRN_PARAM_END,
};

static cairn_status check_params(cairn_context *ctx, const void *values)
{
    const list_params *p = values;
    cairn_smoothing smoothing;
    cairn_status status;
    TRY(cairn_smoothing_read(ctx, &smoothing, p->score_smooth));
    TRY(cairn_smoothing_read(ctx, &smoothing, p->smoothing.smooth));
done:
    return status;
}

/* -- learning -- */

typedef struct purity_score {
    cairn_impurity impurity;
    cairn_smoothing smoothing;
} purity_score;

enum { MOST_STACK = 64 };

/* Minus the impurity of the (smoothed) shares. */
static double purity(const void *data, const double *counts, const double *before, size_t k)
{
    const purity_score *p = data;
    double shares[MOST_STACK];
    (void)before;
    if (p->smoothing.kind == CAIRN_SMOOTH_NONE || k > MOST_STACK)
        return -cairn_impurity_of(p->impurity, counts, k);
    cairn_smooth_counts(shares, p->smoothing, counts, k, NULL);
    return -cairn_impurity_of(p->impurity, shares, k);
}

typedef struct list_run {
    const list_params *params;
    const cairn_job *job;
    cairn_rule_rows rows;
    cairn_rule_search search;
    uint32_t *alive; /* rows that no rule covers yet */
    size_t n_alive;
    cairn_kept_rules kept;
} list_run;

static int32_t largest_class(const double *counts, size_t k)
{
    size_t best = 0;
    for (size_t l = 1; l < k; l++)
        if (counts[l] > counts[best]) best = l;
    return (int32_t)best;
}

/* One rule; *ended when the rest is the default rule. */
static cairn_status learn_rule(cairn_context *ctx, list_run *run, bool *ended)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_report *steps = run->job->steps;
    cairn_conjunction found;
    char prefix[64] = "rule";
    cairn_number_format(prefix + 4, (double)run->kept.n + 1, CAIRN_SHORTEST);
    cairn_status status;
    run->search.prefix = prefix;
    cairn_report_step_begin(steps, "Rule %zu: %zu rows are left", run->kept.n + 1, run->n_alive);
    TRY(cairn_rule_find(ctx, &found, &run->search, run->alive, run->n_alive));
    int32_t label = largest_class(found.counts, run->rows.n_classes);
    if (found.n_literals)
        cairn_rule_show_found(steps, &found, &run->rows, run->kept.n + 1, label);
    else
        cairn_report_paragraph(steps,
                               "The rows that are left agree, or nothing divides them: they make "
                               "the default rule, otherwise %s.",
                               cairn_tree_class(run->job->schema, label));
    cairn_report_step_end(steps);
    *ended = found.n_literals == 0;
    if (!*ended) {
        TRY(cairn_kept_add(ctx, &run->kept, &found, label));
        run->n_alive = cairn_rows_without(run->alive, run->n_alive, &found, &run->rows, -1);
    }
done:
    cairn_scratch_release(ctx, mark);
    return status;
}

static cairn_status learn(cairn_context *ctx, list_run *run)
{
    size_t most = run->params->max_rules > 0 ? (size_t)run->params->max_rules : SIZE_MAX;
    size_t all = run->n_alive;
    bool ended = false;
    cairn_status status = CAIRN_OK;
    while (!ended && run->n_alive > 0 && run->kept.n < most) {
        TRY(cairn_tick(ctx, "rules", (double)(all - run->n_alive), (double)all));
        TRY(learn_rule(ctx, run, &ended));
    }
done:
    return status;
}

static cairn_status list_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    const list_params *p = job->params;
    purity_score score = {.impurity = (cairn_impurity)p->purity};
    list_run run = {.params = p, .job = job};
    cairn_rule_draft *drafts = NULL;
    cairn_status status;
    TRY(cairn_smoothing_read(ctx, &score.smoothing, p->score_smooth));
    TRY(cairn_rule_rows_make(ctx, &run.rows, job));
    run.search = (cairn_rule_search){.rows = &run.rows,
                                     .tie = (cairn_rule_tie)p->tie,
                                     .beam = (size_t)p->beam,
                                     .most_literals = (size_t)p->max_literals,
                                     .least_cover = p->min_cover,
                                     .seed_row = -1,
                                     .goal = -1,
                                     .upward = job->n_classes == 2 ? job->positive : -1,
                                     .score = purity,
                                     .data = &score,
                                     .steps = job->steps,
                                     .score_name = "purity (− impurity)"};
    TRY(SCRATCH_RAW(ctx, &run.alive, run.rows.n));
    for (size_t i = 0; i < run.rows.n; i++) run.alive[i] = (uint32_t)i;
    run.n_alive = run.rows.n;
    TRY(learn(ctx, &run));
    TRY(cairn_kept_drafts(ctx, &drafts, &run.kept));
    TRY(cairn_rules_make(ctx, model, drafts, run.kept.n + 1, true, job));
done:
    cairn_kept_clear(&run.kept);
    return status;
}

static cairn_status list_read(cairn_context *ctx, void *model, const cairn_job *job,
                              const cairn_given *given)
{
    cairn_rule_draft *drafts = NULL;
    size_t n;
    cairn_status status;
    TRY(cairn_rules_read(ctx, &drafts, &n, given, job, true));
    TRY(cairn_rules_make(ctx, model, drafts, n, true, job));
done:
    return status;
}

/* -- the rest -- */

static cairn_smoothing smoothing_of(const cairn_job *job)
{
    const list_params *p = job->params;
    return cairn_rules_smoothing(&p->smoothing);
}

static cairn_status list_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                 const cairn_job *job)
{
    return cairn_rules_predict(ctx, out, model, job, CAIRN_OVERLAP_FIRST, smoothing_of(job));
}

static void list_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    cairn_rules_describe(out, model, job, CAIRN_OVERLAP_FIRST, smoothing_of(job));
}

static void list_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row)
{
    cairn_rules_explain(out, model, job, row, CAIRN_OVERLAP_FIRST, smoothing_of(job));
}

const cairn_learner cairn_rule_list = {
    .entry =
        {.kind = CAIRN_ENTRY_LEARNER,
         .name = "rule-list",
         .title = "Rule list",
         .summary =
             "Rules in an order, of which the first that fires answers: if, else if, otherwise. "
             "Learned by separate and conquer: the purest conjunction of conditions becomes a "
             "rule, its rows are removed, and so on until the rest agrees. Numbers are cut, a "
             "missing cell meets no condition, --beam widens the search. --given reads a list "
             "that was written by hand, whose heads are classes, probabilities or odds a:b of "
             "the positive class.",
         .references = "Rivest: Learning decision lists, Machine Learning 2 (1987); Clark, "
                       "Niblett: The CN2 induction algorithm, Machine Learning 3 (1989); "
                       "Fürnkranz: Separate-and-conquer rule learning (1999)",
         .example = "cairn fit rule-list @dolphins --steps",
         .params = list_table,
         .params_size = sizeof(list_params),
         .check = check_params},
    .tasks = CAIRN_CLASSIFY,
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_LEVELS | CAIRN_ACCEPTS_MISSING |
               CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_ONE_CLASS,
    .claims = CAIRN_CLAIM_WEIGHTS_REPEAT,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_LOGICAL | CAIRN_GROUPING |
              CAIRN_GIVES_PROBABILITIES,
    .model_size = sizeof(cairn_rules),
    .gives_scores = true,
    .sets_codes = true,
    .outputs = cairn_rules_outputs,
    .fit = list_fit,
    .read = list_read,
    .forms = cairn_rules_forms,
    .predict = list_predict,
    .describe = list_describe,
    .explain = list_explain,
    .archive = cairn_rules_archive,
    .check = cairn_rules_check,
    .clear = cairn_rules_clear,
    .size = cairn_rules_size,
    .pieces = cairn_rules_count,
    .pieces_name = "rules",
};
