/* SPDX-License-Identifier: MIT */
/* Separate and conquer: find a rule, take away the rows that it covers, find the next one.
 *
 * Against noise there are a least coverage, most conditions and rules, a test of significance, and
 * pruning: part of the rows is held out, drawn with the seed from each class; a rule that was grown
 * on the others loses conditions from its end as long as its corrected share of right answers,
 * (p + 1) / (p + n + classes), does not fall on those. Where a rule loses all of them, or fails the
 * test, the rows that it was grown for are set aside and the search goes on without them. */
#include "learners/rules/rule_search.h"

#include "base/number.h"
#include "base/random.h"
#include "report/table_rows.h"
#include <math.h>
#include <string.h>

static const cairn_choice grows[] = {
    {"pure", CAIRN_GROW_PURE, "until the rows that a rule covers agree, or no condition is left"},
    {"best", CAIRN_GROW_BEST,
     "as long as the beam can be refined; the best conjunction of any length is the rule (CN2)"},
    {NULL, 0, NULL},
};
static const cairn_choice ties[] = {
    {"coverage", CAIRN_TIE_COVERAGE, "the larger coverage (of the learned class), then the first"},
    {"first", CAIRN_TIE_FIRST, "the first in the order of columns and levels"},
    {"rare", CAIRN_TIE_RARE,
     "the larger coverage, then the class of which fewer rows are left, then the first"},
    {NULL, 0, NULL},
};
const cairn_param cairn_cover_group[] = {
    CAIRN_PARAM_CHOICE(cairn_cover_options, grow, "pure", grows, "how long rules grow"),
    CAIRN_PARAM_CHOICE(cairn_cover_options, tie, "coverage", ties,
                       "which of equally good conditions"),
    CAIRN_PARAM(cairn_cover_options, beam, "1", "[1,1000]",
                "how many conjunctions are refined side by side", .often = true),
    CAIRN_PARAM(cairn_cover_options, max_literals, "0", "[0,inf)",
                "most conditions of a rule; 0 = any number"),
    CAIRN_PARAM(cairn_cover_options, max_rules, "0", "[0,inf)",
                "most rules before the default rule, of a set for each class; 0 = any number",
                .often = true),
    CAIRN_PARAM(cairn_cover_options, min_cover, "0", "[0,inf)",
                "a condition must leave rows (of a set: of the class) of at least this weight"),
    CAIRN_PARAM(cairn_cover_options, rule_level, "0", "[0,1)",
                "a rule whose rows do not differ significantly at this level from those it was "
                "chosen from (likelihood ratio test) is not made; 0 = no test"),
    CAIRN_PARAM(cairn_cover_options, prune_share, "0", "[0,1)",
                "share of the rows that is held out, drawn with --seed class by class, to prune "
                "each rule by; 0 = no pruning"),
    CAIRN_PARAM_END,
};

/* -- what is kept -- */

cairn_status cairn_kept_add(cairn_context *ctx, cairn_kept_rules *kept,
                            const cairn_conjunction *found, int32_t label)
{
    CHECK(GROW(ctx, &kept->literals, &kept->literal_buffer,
               kept->n_literals + found->n_literals + 1));
    CHECK(GROW(ctx, &kept->rules, &kept->rule_buffer, kept->n + 1));
    if (found->n_literals)
        memcpy(kept->literals + kept->n_literals, found->literals,
               found->n_literals * sizeof *found->literals);
    kept->rules[kept->n++] = (cairn_kept_rule){kept->n_literals, found->n_literals, label};
    kept->n_literals += found->n_literals;
    return CAIRN_OK;
}

void cairn_kept_rules_clear(cairn_kept_rules *kept)
{
    FREE_EACH(kept->literals, kept->rules);
}

cairn_status cairn_kept_drafts(cairn_context *ctx, cairn_rule_draft **out,
                               const cairn_kept_rules *kept)
{
    cairn_condition *conditions = NULL;
    int32_t *levels = NULL;
    CHECK(SCRATCH(ctx, out, kept->n + 1));
    CHECK(SCRATCH_EACH(ctx, kept->n_literals, &conditions, &levels));
    for (size_t i = 0; i < kept->n_literals; i++) {
        const cairn_literal *literal = &kept->literals[i];
        levels[i] = literal->level;
        conditions[i] = (cairn_condition){.column = (size_t)literal->column,
                                          .relation = literal->relation,
                                          .number = literal->number,
                                          .levels = &levels[i],
                                          .n_levels = literal->relation == CAIRN_EQUAL};
    }
    for (size_t r = 0; r < kept->n; r++)
        (*out)[r] = (cairn_rule_draft){.body = conditions + kept->rules[r].first,
                                       .n = kept->rules[r].n,
                                       .label = kept->rules[r].label,
                                       .stated = -1};
    (*out)[kept->n] = (cairn_rule_draft){.label = -1, .stated = -1};
    return CAIRN_OK;
}

void cairn_rule_show_found(cairn_report *out, const cairn_conjunction *found,
                           const cairn_rule_rows *rows, size_t number, int32_t label)
{
    if (!out) return;
    cairn_text text = cairn_text_start(cairn_report_context(out));
    cairn_literals_add(&text, found->literals, found->n_literals, rows->schema);
    cairn_text_addf(&text, " then %s. It covers", rows->class_names[label]);
    for (size_t l = 0, shown = 0; l < rows->n_classes; l++) {
        if (found->counts[l] == 0) continue;
        cairn_text_add(&text, shown++ ? ", " : " ");
        cairn_text_add_number(&text, found->counts[l], 6);
        cairn_text_addf(&text,
                        rows->class_names[l] == cairn_other_classes ? " of %s" : " of class %s",
                        rows->class_names[l]);
    }
    cairn_report_paragraph(out, "Rule %zu: if %s.", number, cairn_text_string(&text));
    cairn_report_text_end(out, &text);
}

/* -- one rule after the other -- */

static int32_t largest_class(const double *counts, size_t k)
{
    size_t best = 0;
    for (size_t l = 1; l < k; l++)
        if (counts[l] > counts[best]) best = l;
    return (int32_t)best;
}

/* Hold a share of the rows of each class out. */
static cairn_status hold_rows(cairn_covering *c)
{
    cairn_context *ctx = c->ctx;
    cairn_random random;
    size_t *order = NULL;
    CHECK(SCRATCH(ctx, &c->is_held, c->rows.n));
    if (!(c->options->prune_share > 0)) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &order, c->rows.n));
    cairn_random_start(&random, cairn_context_seed(ctx), 77);
    for (size_t l = 0; l < c->rows.n_classes; l++) {
        size_t m = 0;
        for (size_t i = 0; i < c->rows.n; i++)
            if (c->rows.classes[i] == (int32_t)l) order[m++] = i;
        cairn_random_shuffle(&random, order, m);
        size_t n = (size_t)floor((double)m * c->options->prune_share + 0.5);
        for (size_t i = 0; i < n; i++) c->is_held[order[i]] = 1;
    }
    return CAIRN_OK;
}

cairn_status cairn_covering_start(cairn_covering *c, cairn_context *ctx, const cairn_job *job,
                                  const cairn_cover_options *options)
{
    *c = (cairn_covering){.ctx = ctx, .job = job, .options = options};
    CHECK(cairn_rule_rows_make(ctx, &c->all, job));
    c->rows = c->all;
    CHECK(SCRATCH_RAW_EACH(ctx, c->rows.n, &c->alive, &c->held));
    CHECK(hold_rows(c));
    c->search = (cairn_rule_search){.rows = &c->rows,
                                    .root = &c->root,
                                    .tie = (cairn_rule_tie)options->tie,
                                    .grow = (cairn_rule_grow)options->grow,
                                    .beam = (size_t)options->beam,
                                    .most_literals = (size_t)options->max_literals,
                                    .least_cover = options->min_cover,
                                    .level = options->rule_level,
                                    .seed_row = -1,
                                    .target = -1,
                                    .steps = job->steps};
    return CAIRN_OK;
}

static bool covers(const cairn_literal *literals, size_t n, const cairn_rule_rows *rows, size_t row)
{
    for (size_t l = 0; l < n; l++)
        if (!cairn_literal_holds(&literals[l], rows, row)) return false;
    return true;
}

/* How many of the first conditions do best on the rows that are held out; ties keep fewer. */
static size_t best_length(const cairn_covering *c, const cairn_conjunction *found, int32_t label)
{
    double best = -1;
    size_t keep = 0;
    for (size_t length = 0; length <= found->n_literals; length++) {
        double right = 0, total = 0;
        for (size_t i = 0; i < c->n_held; i++) {
            if (!covers(found->literals, length, &c->rows, c->held[i])) continue;
            total += c->rows.weights[c->held[i]];
            if (c->rows.classes[c->held[i]] == label) right += c->rows.weights[c->held[i]];
        }
        double worth = (right + 1) / (total + (double)c->all.n_classes);
        if (worth > best + 1e-12) {
            best = worth;
            keep = length;
        }
    }
    return keep;
}

/* Drop conditions: `out` has what is left, with its rows. */
static cairn_status prune_found(cairn_covering *c, cairn_conjunction *out,
                                const cairn_conjunction *found, int32_t label)
{
    size_t keep = c->n_held ? best_length(c, found, label) : found->n_literals;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(c->ctx);
    *out = *found;
    if (keep == found->n_literals) return CAIRN_OK;
    out->n_literals = keep;
    out->n_rows = 0;
    CHECK(SCRATCH_RAW(c->ctx, &out->rows, c->n_alive));
    CHECK(SCRATCH(c->ctx, &out->counts, c->rows.n_classes));
    for (size_t i = 0; i < c->n_alive; i++) {
        uint32_t row = c->alive[i];
        if (!covers(found->literals, keep, &c->rows, row)) continue;
        out->rows[out->n_rows++] = row;
        out->counts[c->rows.classes[row]] += c->rows.weights[row];
    }
    cairn_literals_add(&text, found->literals, keep, c->rows.schema);
    cairn_report_paragraph(c->job->steps, "Pruned on %zu row%s to %zu of %zu conditions%s%s.",
                           c->n_held, c->n_held == 1 ? "" : "s", keep, found->n_literals,
                           keep ? ": " : "", cairn_text_string(&text));
    return cairn_text_status(&text);
}

/* Whether the rows of the rule differ from those it was chosen from, shown. */
static bool passes_test(const cairn_covering *c, const cairn_conjunction *found,
                        const double *before)
{
    cairn_report *steps = c->job->steps;
    double level = c->options->rule_level;
    if (!(level > 0)) return true;
    cairn_ratio_test test =
        cairn_rule_test(found->counts, before, c->rows.n_classes, c->search.target);
    cairn_report_value(steps, "likelihood ratio, 2·Σ o·ln(o/e)", test.statistic, "%s.ratio",
                       c->search.prefix);
    cairn_report_value(steps, "degrees of freedom", test.df, "%s.df", c->search.prefix);
    cairn_report_value(steps, "p (chi-squared)", test.p, "%s.p", c->search.prefix);
    return test.p <= level;
}

void cairn_covering_show_score(const cairn_covering *c, const char *formula)
{
    static const char *const words[] = {
        [CAIRN_TIE_COVERAGE] = "the one of larger coverage is taken, then the first",
        [CAIRN_TIE_FIRST] = "the first is taken",
        [CAIRN_TIE_RARE] = "the one of larger coverage is taken, then the one of the rarer class, "
                           "then the first"};
    cairn_report_formula(c->job->steps, "%s", formula);
    cairn_report_paragraph(c->job->steps, "Of conditions with equal scores %s.",
                           words[c->options->tie]);
}

/* Leave the covered rows out of an ascending list, of class `only` (-1 = of any); returns how many
 * stay. */
static size_t rows_without(uint32_t *rows, size_t n, const cairn_conjunction *found,
                           const cairn_rule_rows *data, int32_t only)
{
    size_t left = 0, at = 0;
    for (size_t i = 0; i < n; i++) {
        bool covered = at < found->n_rows && found->rows[at] == rows[i];
        at += covered;
        if (!covered || (only >= 0 && data->classes[rows[i]] != only)) rows[left++] = rows[i];
    }
    return left;
}

/* Take the rows of a rule away, those held out only if the rule is kept. */
static void separate(cairn_covering *c, const cairn_conjunction *found, uint32_t *gone, bool kept)
{
    int32_t target = c->search.target;
    size_t n = 0, left = 0;
    for (size_t i = 0; i < found->n_rows; i++)
        if (target < 0 || c->rows.classes[found->rows[i]] == target) gone[n++] = found->rows[i];
    c->n_target -= n;
    cairn_root_remove(&c->root, gone, n);
    c->n_alive = rows_without(c->alive, c->n_alive, found, &c->rows, target);
    for (size_t i = 0; kept && i < c->n_held; i++) {
        uint32_t row = c->held[i];
        bool stays = (target >= 0 && c->rows.classes[row] != target) ||
                     !covers(found->literals, found->n_literals, &c->rows, row);
        if (stays) c->held[left++] = row;
    }
    if (kept) c->n_held = left;
}

/* Prune and test what was found; it becomes a rule, or its rows are set aside. */
static cairn_status judge_found(cairn_covering *c, const cairn_conjunction *found,
                                const double *before, int32_t label)
{
    cairn_report *steps = c->job->steps;
    cairn_conjunction left;
    uint32_t *gone = NULL;
    cairn_rule_show_found(steps, found, &c->rows, c->kept.n + 1, label);
    CHECK(prune_found(c, &left, found, label));
    bool good = left.n_literals > 0 && passes_test(c, &left, before);
    CHECK(SCRATCH_RAW(c->ctx, &gone, left.n_rows + found->n_rows));
    if (good) {
        if (c->search.target < 0) label = largest_class(left.counts, c->rows.n_classes);
        CHECK(cairn_kept_add(c->ctx, &c->kept, &left, c->label < 0 ? label : c->label));
    } else {
        cairn_report_paragraph(
            steps, left.n_literals ? "That is no significant difference at {rule-level}: no rule "
                                     "is made, and the rows are set aside."
                                   : "No part of it does better on the rows held out than no "
                                     "condition: no rule is made, and its rows are set aside.");
    }
    separate(c, good ? &left : found, gone, good);
    return CAIRN_OK;
}

/* One rule; *ended when there is none. */
static cairn_status next_rule(cairn_covering *c, bool *ended)
{
    cairn_context *ctx = c->ctx;
    SCOPED_SCRATCH(ctx);
    cairn_conjunction found;
    double *before = NULL;
    char prefix[64] = "rule";
    cairn_number_format(prefix + 4, (double)c->kept.n + 1, CAIRN_SHORTEST);
    c->search.prefix = prefix;
    c->search.seed_row = -1;
    for (size_t i = 0; c->seeded && i < c->n_alive && c->search.seed_row < 0; i++)
        if (c->rows.classes[c->alive[i]] == c->search.target)
            c->search.seed_row = (ptrdiff_t)c->alive[i];
    if (c->search.target < 0)
        cairn_report_step_begin(c->job->steps, "Rule %zu: %zu row%s left", c->kept.n + 1,
                                c->n_alive, c->n_alive == 1 ? " is" : "s are");
    else
        cairn_report_step_begin(
            c->job->steps, "Rule %zu, for class %s: %zu of its rows %s not covered", c->kept.n + 1,
            c->rows.class_names[c->search.target], c->n_target, c->n_target == 1 ? "is" : "are");
    CHECK(SCRATCH(ctx, &before, c->rows.n_classes));
    for (size_t i = 0; c->options->rule_level > 0 && i < c->n_alive; i++)
        before[c->rows.classes[c->alive[i]]] += c->rows.weights[c->alive[i]];
    CHECK(cairn_rule_find(ctx, &found, &c->search, c->alive, c->n_alive));
    int32_t target = c->search.target;
    int32_t label = target >= 0 ? target : largest_class(found.counts, c->rows.n_classes);
    *ended = found.n_literals == 0;
    if (*ended) {
        if (c->search.target >= 0)
            cairn_report_paragraph(c->job->steps,
                                   "No condition tells the rows of this class from others.");
        else
            cairn_report_paragraph(
                c->job->steps,
                "The rows that are left agree, or nothing divides them: they make "
                "the default rule, otherwise %s.",
                c->rows.class_names[label]);
    } else
        CHECK(judge_found(c, &found, before, label));
    cairn_report_step_end(c->job->steps);
    return CAIRN_OK;
}

int32_t cairn_covering_target(const cairn_covering *c, int32_t target)
{
    return target >= 0 && c->all.n_classes > 2 ? 0 : target;
}

cairn_status cairn_covering_learn(cairn_covering *c, int32_t target)
{
    size_t most = c->options->max_rules > 0 ? (size_t)c->options->max_rules : SIZE_MAX;
    size_t first = c->kept.n, all;
    bool ended = false;
    cairn_scratch_mark mark = cairn_scratch_now(c->ctx);
    cairn_status status = CAIRN_OK;
    c->label = target;
    c->search.target = cairn_covering_target(c, target);
    if (target >= 0 && c->all.n_classes > 2)
        TRY(cairn_rule_rows_against(c->ctx, &c->rows, &c->all, target));
    TRY(cairn_root_make(c->ctx, &c->root, &c->rows));
    c->n_alive = c->n_held = c->n_target = 0;
    for (size_t i = 0; i < c->rows.n; i++) {
        if (c->is_held[i]) {
            c->held[c->n_held++] = (uint32_t)i;
            continue;
        }
        c->alive[c->n_alive++] = (uint32_t)i;
        c->n_target += target < 0 || c->all.classes[i] == target;
    }
    all = c->n_target;
    TRY(cairn_root_fill(c->ctx, &c->root, c->alive, c->n_alive));
    while (!ended && c->n_target > 0 && c->kept.n - first < most) {
        TRY(cairn_tick(c->ctx, "rules", (double)(all - c->n_target), (double)all));
        TRY(next_rule(c, &ended));
    }
done:
    c->rows = c->all;
    cairn_scratch_release(c->ctx, mark);
    return status;
}

cairn_status cairn_covering_fork(cairn_covering *out, cairn_context *ctx, const cairn_covering *c)
{
    *out = *c;
    out->ctx = ctx;
    out->kept = (cairn_kept_rules){0};
    out->search.rows = &out->rows;
    out->search.root = &out->root;
    CHECK(SCRATCH_RAW(ctx, &out->alive, c->all.n));
    return SCRATCH_RAW(ctx, &out->held, c->all.n);
}

cairn_status cairn_covering_join(cairn_covering *c, const cairn_kept_rules *more)
{
    for (size_t r = 0; r < more->n; r++) {
        const cairn_kept_rule *rule = &more->rules[r];
        cairn_conjunction found = {.literals = more->literals + rule->first, .n_literals = rule->n};
        CHECK(cairn_kept_add(c->ctx, &c->kept, &found, rule->label));
    }
    return CAIRN_OK;
}

cairn_status cairn_covering_finish(cairn_covering *c, cairn_rules *out, bool ordered)
{
    cairn_rule_draft *drafts = NULL;
    CHECK(cairn_kept_drafts(c->ctx, &drafts, &c->kept));
    return cairn_rules_make(c->ctx, out, drafts, c->kept.n + 1, ordered, c->job);
}

void cairn_covering_clear(cairn_covering *c)
{
    cairn_kept_rules_clear(&c->kept);
}
