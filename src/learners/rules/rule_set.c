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

#include "base/number.h"
#include "learners/tree/tree.h"
#include <string.h>

enum { SCORE_PRECISION, SCORE_LAPLACE, SCORE_M };

typedef struct set_params {
    int heuristic;
    double m;
    bool seed_example;
    int tie, beam, max_literals, max_rules;
    double min_cover;
    int overlap;
    cairn_smoothing_option smoothing;
} set_params;

static const cairn_choice heuristics[] = {
    {"precision", SCORE_PRECISION, "TP / (TP + FP)"},
    {"laplace", SCORE_LAPLACE, "(TP + 1) / (TP + FP + k), k classes: large rules count more"},
    {"m-estimate", SCORE_M, "(TP + m·prior) / (TP + FP + m)"},
    {NULL, 0, NULL},
};
static const cairn_choice ties[] = {
    {"coverage", CAIRN_TIE_COVERAGE, "the larger coverage of the class, then the first"},
    {"first", CAIRN_TIE_FIRST, "the first in the order of columns and levels"},
    {NULL, 0, NULL},
};
static const cairn_choice overlaps[] = {
    {"average", CAIRN_OVERLAP_AVERAGE, "the average of the coverages of the rules that fire"},
    {"sum", CAIRN_OVERLAP_SUM, "their sum, which smoothing changes less"},
    {"first", CAIRN_OVERLAP_FIRST, "the first rule that fires: the set as a list"},
    {"tree", CAIRN_OVERLAP_TREE,
     "the training rows in which exactly these rules fire: the set as a rule tree"},
    {NULL, 0, NULL},
};
static const cairn_param set_table[] = {
    CAIRN_PARAM_CHOICE(set_params, heuristic, "precision", heuristics,
                       "how good the rows that a condition covers are for the class"),
    CAIRN_PARAM(set_params, m, "2", "[0,inf)", "m of the m-estimate"),
    CAIRN_PARAM(set_params, seed_example, "no", NULL,
                "only conditions that the first row of the class that is not covered yet meets"),
    CAIRN_PARAM_CHOICE(set_params, tie, "coverage", ties, "which of equally good conditions"),
    CAIRN_PARAM(set_params, beam, "1", "[1,1000]",
                "how many conjunctions are refined side by side"),
    CAIRN_PARAM(set_params, max_literals, "0", "[0,inf)",
                "most conditions of a rule; 0 = any number"),
    CAIRN_PARAM(set_params, max_rules, "0", "[0,inf)", "most rules of a class; 0 = any number"),
    CAIRN_PARAM(set_params, min_cover, "0", "[0,inf)",
                "a condition must leave rows of the class of at least this weight"),
    CAIRN_PARAM_CHOICE(set_params, overlap, "average", overlaps,
                       "how rules that fire together answer"),
    CAIRN_PARAM_GROUP(set_params, smoothing, cairn_smoothing_group),
    CAIRN_PARAM_END,
};

static cairn_status check_params(cairn_context *ctx, const void *values)
{
    const set_params *p = values;
    cairn_smoothing smoothing;
    return cairn_smoothing_read(ctx, &smoothing, p->smoothing.smooth);
}

/* -- learning -- */

typedef struct precision_score {
    int heuristic;
    int32_t goal;
    double m, prior;
} precision_score;

static double precision(const void *data, const double *counts, const double *before, size_t k)
{
    const precision_score *p = data;
    double tp = counts[p->goal], total = 0;
    (void)before;
    for (size_t l = 0; l < k; l++) total += counts[l];
    if (p->heuristic == SCORE_LAPLACE) return (tp + 1) / (total + (double)k);
    if (p->heuristic == SCORE_M) return (tp + p->m * p->prior) / (total + p->m);
    return tp / total;
}

typedef struct set_run {
    const set_params *params;
    const cairn_job *job;
    cairn_rule_rows rows;
    cairn_rule_search search;
    precision_score score;
    uint32_t *alive; /* rows of other classes, and rows of the class that no rule covers yet */
    size_t n_alive, n_goal;
    cairn_kept_rules kept;
} set_run;

static cairn_status learn_rule(cairn_context *ctx, set_run *run, bool *ended)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_report *steps = run->job->steps;
    int32_t goal = run->score.goal;
    cairn_conjunction found;
    char prefix[64] = "rule";
    cairn_status status;
    cairn_number_format(prefix + 4, (double)run->kept.n + 1, CAIRN_SHORTEST);
    run->search.prefix = prefix;
    run->search.seed_row = -1;
    for (size_t i = 0; run->params->seed_example && i < run->n_alive; i++) {
        if (run->rows.classes[run->alive[i]] != goal) continue;
        run->search.seed_row = (ptrdiff_t)run->alive[i];
        break;
    }
    cairn_report_step_begin(steps, "Rule %zu, for %s: %zu of its rows are not covered",
                            run->kept.n + 1, cairn_tree_class(run->job->schema, goal), run->n_goal);
    TRY(cairn_rule_find(ctx, &found, &run->search, run->alive, run->n_alive));
    *ended = found.n_literals == 0;
    if (!*ended) {
        cairn_rule_show_found(steps, &found, &run->rows, run->kept.n + 1, goal);
        TRY(cairn_kept_add(ctx, &run->kept, &found, goal));
        size_t left = cairn_rows_without(run->alive, run->n_alive, &found, &run->rows, goal);
        run->n_goal -= run->n_alive - left;
        run->n_alive = left;
    } else {
        cairn_report_paragraph(steps, "No condition tells the rows of this class from others.");
    }
    cairn_report_step_end(steps);
done:
    cairn_scratch_release(ctx, mark);
    return status;
}

static cairn_status learn_class(cairn_context *ctx, set_run *run, int32_t goal)
{
    size_t most = run->params->max_rules > 0 ? (size_t)run->params->max_rules : SIZE_MAX;
    size_t before = run->kept.n;
    double total = 0, of_goal = 0;
    bool ended = false;
    cairn_status status = CAIRN_OK;
    run->n_alive = run->rows.n;
    run->n_goal = 0;
    for (size_t i = 0; i < run->rows.n; i++) {
        bool is_goal = run->rows.classes[i] == goal;
        run->alive[i] = (uint32_t)i;
        run->n_goal += is_goal;
        total += run->rows.weights[i];
        of_goal += is_goal ? run->rows.weights[i] : 0;
    }
    run->score.goal = run->search.goal = goal;
    run->search.upward = run->rows.n_classes == 2 ? goal : -1;
    run->score.prior = of_goal / total;
    while (!ended && run->n_goal > 0 && run->kept.n - before < most) {
        TRY(cairn_tick(ctx, NULL, 0, 1));
        TRY(learn_rule(ctx, run, &ended));
    }
done:
    return status;
}

static cairn_status set_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    const set_params *p = job->params;
    set_run run = {.params = p, .job = job, .score = {.heuristic = p->heuristic, .m = p->m}};
    cairn_rule_draft *drafts = NULL;
    cairn_status status;
    TRY(cairn_rule_rows_make(ctx, &run.rows, job));
    run.search = (cairn_rule_search){.rows = &run.rows,
                                     .tie = (cairn_rule_tie)p->tie,
                                     .beam = (size_t)p->beam,
                                     .most_literals = (size_t)p->max_literals,
                                     .least_cover = p->min_cover,
                                     .score = precision,
                                     .data = &run.score,
                                     .steps = job->steps,
                                     .score_name = heuristics[p->heuristic].name};
    TRY(SCRATCH_RAW(ctx, &run.alive, run.rows.n));
    for (size_t l = 0; l < job->n_classes; l++) TRY(learn_class(ctx, &run, (int32_t)l));
    TRY(cairn_kept_drafts(ctx, &drafts, &run.kept));
    TRY(cairn_rules_make(ctx, model, drafts, run.kept.n + 1, false, job));
done:
    cairn_kept_clear(&run.kept);
    return status;
}

static cairn_status set_read(cairn_context *ctx, void *model, const cairn_job *job,
                             const cairn_given *given)
{
    cairn_rule_draft *drafts = NULL;
    size_t n;
    cairn_status status;
    TRY(cairn_rules_read(ctx, &drafts, &n, given, job, false));
    TRY(cairn_rules_make(ctx, model, drafts, n, false, job));
    if (job->steps) TRY(cairn_rules_show_rows(ctx, job->steps, model, job));
done:
    return status;
}

/* -- the rest -- */

static cairn_smoothing smoothing_of(const cairn_job *job)
{
    const set_params *p = job->params;
    return cairn_rules_smoothing(&p->smoothing);
}

static cairn_rule_overlap overlap_of(const cairn_job *job)
{
    return (cairn_rule_overlap)((const set_params *)job->params)->overlap;
}

static cairn_status set_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                const cairn_job *job)
{
    return cairn_rules_predict(ctx, out, model, job, overlap_of(job), smoothing_of(job));
}

static void set_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    cairn_rules_describe(out, model, job, overlap_of(job), smoothing_of(job));
}

static void set_explain(cairn_report *out, const void *model, const cairn_job *job, size_t row)
{
    cairn_rules_explain(out, model, job, row, overlap_of(job), smoothing_of(job));
}

const cairn_learner cairn_rule_set = {
    .entry =
        {.kind = CAIRN_ENTRY_LEARNER,
         .name = "rule-set",
         .title = "Rule set",
         .summary =
             "Rules without an order, learned for each class in turn: the conjunction of highest "
             "precision becomes a rule, the rows of the class that it covers are removed, rows "
             "of other classes stay. Rules that fire together answer with the average or the sum "
             "of their coverages, as a list, or as a rule tree with the exact counts of each "
             "combination. --given reads rules that were written by hand and tells where they "
             "contradict each other and where none fires.",
         .references = "Clark, Boswell: Rule induction with CN2, EWSL 1991; Fürnkranz: "
                       "Separate-and-conquer rule learning (1999)",
         .example = "cairn fit rule-set @dolphins --heuristic laplace --steps",
         .params = set_table,
         .params_size = sizeof(set_params),
         .check = check_params},
    .tasks = CAIRN_CLASSIFY,
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_LEVELS | CAIRN_ACCEPTS_MISSING |
               CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_ONE_CLASS,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_LOGICAL | CAIRN_GROUPING |
              CAIRN_GIVES_PROBABILITIES,
    .model_size = sizeof(cairn_rules),
    .gives_scores = true,
    .sets_codes = true,
    .outputs = cairn_rules_outputs,
    .fit = set_fit,
    .read = set_read,
    .forms = cairn_rules_forms,
    .predict = set_predict,
    .describe = set_describe,
    .explain = set_explain,
    .archive = cairn_rules_archive,
    .check = cairn_rules_check,
    .clear = cairn_rules_clear,
    .size = cairn_rules_size,
    .pieces = cairn_rules_count,
    .pieces_name = "rules",
};
