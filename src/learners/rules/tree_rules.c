/* SPDX-License-Identifier: MIT */
/* Rules from a tree, pruned after it was grown.
 *
 * A tree is grown, and every leaf with rows becomes a rule: the conditions on its path, and its
 * class. Then each rule is generalised by itself: while the estimated accuracy of the rule does not
 * fall, the condition whose removal gives the highest estimate is dropped (of equals the one that
 * is farthest from the root). Unlike a pruned tree, a rule may so lose the test at the root and
 * keep a later one. The rules are sorted by their estimates and the first that fires answers; what
 * no rule covers gets the default class.
 *
 * The accuracy is estimated on rows held out, or on the training rows: at the lower end of a
 * confidence interval (pessimistic), or as (hits + 1) / (rows + classes) (Laplace).
 *
 * Rows are judged 64 at a time: of every condition on a path there is a bit for each row, and
 * leaves that follow each other share the bits of the path that they have in common. Leaves are
 * judged in blocks side by side; a rule does not depend on the others.
 *
 * Choices: at least one condition stays; rules that have become equal count once; a missing cell
 * meets no condition. Cost: O(rows x nodes) for the bits and O(rows x leaves x depth² / 64). */
#include "learners/rules/rules.h"
#include "learners/tree/grow/grow.h"
#include "learners/tree/prune/prune.h"
#include "learners/tree/tree.h"

#include "base/number.h"
#include "base/sort_by.h"
#include "parallel/parallel.h"
#include "report/table_rows.h"
#include <math.h>
#include <string.h>

enum { ESTIMATE_PESSIMISTIC, ESTIMATE_LAPLACE, ESTIMATE_VALIDATION };
enum { SHOWN_RULES = 50, BLOCK_LEAVES = 32, BITS = 64 };

static const cairn_choice estimates[] = {
    {"pessimistic", ESTIMATE_PESSIMISTIC,
     "lower confidence limit of the accuracy on the training rows"},
    {"laplace", ESTIMATE_LAPLACE, "(hits + 1) / (rows + classes) on the training rows"},
    {"validation", ESTIMATE_VALIDATION, "accuracy on rows held out"},
    {NULL, 0, NULL},
};

typedef struct tree_rules_params {
    cairn_rules_options options; /* first: the functions of rules take it from here */
    int estimate;
    double confidence, hold_share;
    const char *hold_rows;
    cairn_tree_settings grow;
} tree_rules_params;

static const cairn_param grow_group[] = {
    CAIRN_TREE_SETTINGS("entropy", "multiway", "weights", "first"),
    CAIRN_PARAM_END,
};

static const cairn_param tree_rules_table[] = {
    CAIRN_PARAM_CHOICE(tree_rules_params, estimate, "pessimistic", estimates,
                       "how the accuracy of a rule is estimated when conditions are dropped",
                       .often = true),
    CAIRN_PARAM(tree_rules_params, confidence, "0.25", "(0,0.5]",
                "share of cases beyond the limit; less drops more", .when = "estimate=pessimistic",
                .often = true),
    CAIRN_PARAM_CALLED("hold_out", tree_rules_params, hold_share, "0.3", "(0,1)",
                       "share of the rows that is held out, drawn with --seed class by class",
                       .when = "estimate=validation,!hold_rows", .was = "hold_share"),
    CAIRN_PARAM(tree_rules_params, hold_rows, NULL, NULL, "these rows are held out, such as 2,7-9",
                .when = "estimate=validation"),
    CAIRN_PARAM_GROUP(tree_rules_params, grow, grow_group),
    CAIRN_PARAM_GROUP(tree_rules_params, options, cairn_smoothing_group),
    CAIRN_PARAM_END,
};

/* -- rules of leaves -- */

typedef struct pruned_rule {
    cairn_rule_draft draft;
    double before, estimate; /* estimated accuracy of the whole path and of what is left */
    double covered, hits;    /* weights of the rows that the estimate is from */
    size_t n_before, leaf;
    uint64_t signature; /* a bit for each condition, which others may share */
} pruned_rule;

typedef struct rules_run {
    cairn_context *ctx;
    const tree_rules_params *params;
    const cairn_job *job;
    cairn_view judged; /* the rows that estimates come from */
    uint32_t *rows;    /* those of them that have a class and a weight, as the table has them */
    int32_t *codes;
    double *weights; /* NULL = all are 1 */
    size_t n_rows, n_words;
    const cairn_tree_model *tree;
    pruned_rule *rules;
    size_t n, depth; /* depth: most conditions of a rule */
    size_t skipped;  /* rules that were judged already when the blocks begin */
} rules_run;

/* What a block of leaves is judged with. */
typedef struct judge {
    cairn_context *ctx;
    const rules_run *run;
    uint64_t *bits; /* depth x words: rows that meet the condition at this depth of a path */
    size_t *nodes;  /* depth: the node below that condition; 0, the root, = none yet */
    uint64_t *hits; /* words: rows of the class of the rule */
    int32_t label;  /* that class, -1 = none yet */
    size_t *places; /* depth: where the bits of each condition of the rule are */
    double *counts; /* 2 x (depth + 1): rows and hits, of the rule and of what fails in just one
                       condition */
} judge;

/* The branch after the last is that of missing cells; cuts become open or closed sides as the
 * tree's form says. */
static cairn_status condition_of(rules_run *run, cairn_condition *out, const cairn_tree_model *tree,
                                 const cairn_tree_node *node, size_t branch)
{
    bool lt = tree->cut_form == CAIRN_TREE_LT;
    const cairn_field *field = cairn_schema_feature(run->job->schema, (size_t)node->column);
    *out = (cairn_condition){.column = (size_t)node->column, .field = field};
    if (branch >= (size_t)node->n_branches) {
        out->relation = CAIRN_IS_MISSING;
        return CAIRN_OK;
    }
    if (node->test == CAIRN_TEST_CUT)
        out->relation = branch == 0 ? lt ? CAIRN_BELOW : CAIRN_AT_MOST
                        : lt        ? CAIRN_AT_LEAST
                                    : CAIRN_ABOVE;
    else
        out->relation = node->test == CAIRN_TEST_LEVEL && branch > 0 ? CAIRN_UNEQUAL : CAIRN_EQUAL;
    if (tree->is_number[node->column] == 1) {
        out->number = node->cut;
        return CAIRN_OK;
    }
    CHECK(SCRATCH(run->ctx, &out->levels, 1));
    out->n_levels = 1;
    out->levels[0] = node->test == CAIRN_TEST_CUT     ? (int32_t)node->cut
                     : node->test == CAIRN_TEST_LEVEL ? node->level
                                                      : (int32_t)branch;
    return CAIRN_OK;
}

static cairn_status rule_of_leaf(rules_run *run, const cairn_tree_model *tree, size_t leaf)
{
    pruned_rule *rule = &run->rules[run->n];
    size_t depth = 0;
    for (size_t at = leaf; tree->nodes[at].parent >= 0; at = (size_t)tree->nodes[at].parent)
        depth++;
    if (depth == 0) return CAIRN_OK;
    *rule = (pruned_rule){.draft = {.n = depth, .label = tree->nodes[leaf].label, .stated = -1},
                          .n_before = depth,
                          .leaf = leaf};
    if (depth > run->depth) run->depth = depth;
    CHECK(SCRATCH(run->ctx, &rule->draft.body, depth));
    for (size_t at = leaf, d = depth; d > 0; at = (size_t)tree->nodes[at].parent)
        CHECK(condition_of(run, &rule->draft.body[--d], tree, &tree->nodes[tree->nodes[at].parent],
                           cairn_tree_branch_to(tree, at)));
    run->n++;
    return CAIRN_OK;
}

/* -- estimates -- */

static bool holds(const cairn_condition *c, const cairn_column *column, size_t row)
{
    if (cairn_column_is_missing(column, row)) return c->relation == CAIRN_IS_MISSING;
    if (c->relation == CAIRN_IS_MISSING) return false;
    return c->n_levels ? cairn_relation_holds(c->relation, column->codes[row], c->levels[0])
                       : cairn_relation_holds(c->relation, column->numbers[row], c->number);
}

static double estimate(const rules_run *run, double covered, double hits)
{
    const tree_rules_params *p = run->params;
    if (p->estimate == ESTIMATE_LAPLACE)
        return (hits + 1) / (covered + (double)run->job->n_classes);
    if (!(covered > 0)) return 0;
    if (p->estimate == ESTIMATE_VALIDATION) return hits / covered;
    return 1 - cairn_pessimistic_errors(covered, covered - hits, p->confidence) / covered;
}

/* The bits of the rows that meet a condition. */
static void meet(uint64_t *out, const rules_run *run, const cairn_condition *c)
{
    const cairn_column *column = run->judged.features[c->column];
    bool level = c->relation == CAIRN_EQUAL && c->n_levels == 1;
    bool low = !c->n_levels && c->relation == CAIRN_AT_MOST;
    bool high = !c->n_levels && c->relation == CAIRN_ABOVE;
    for (size_t w = 0; w < run->n_words; w++) {
        const uint32_t *rows = run->rows + w * BITS;
        size_t n = run->n_rows - w * BITS < BITS ? run->n_rows - w * BITS : BITS;
        uint64_t bits = 0;
        for (size_t i = 0; i < n; i++) {
            bool meets = level  ? column->codes[rows[i]] == c->levels[0]
                         : low  ? column->numbers[rows[i]] <= c->number
                         : high ? column->numbers[rows[i]] > c->number
                                : holds(c, column, rows[i]);
            bits |= (uint64_t)meets << i;
        }
        out[w] = bits;
    }
}

/* Add the rows of a word, and the hits among them, to a pair of counts. */
static void add_rows(double *pair, const judge *j, size_t word, uint64_t bits)
{
    const double *weights = j->run->weights;
    if (!weights) {
        pair[0] += (double)__builtin_popcountll(bits);
        pair[1] += (double)__builtin_popcountll(bits & j->hits[word]);
        return;
    }
    for (; bits; bits &= bits - 1) {
        size_t i = (size_t)__builtin_ctzll(bits);
        pair[0] += weights[word * BITS + i];
        if (j->hits[word] >> i & 1) pair[1] += weights[word * BITS + i];
    }
}

/* Weight of the rows that meet a rule, and its hits, in the first pair of counts; in the others
 * the same for rows that fail in just one condition. */
static void count_rows(judge *j, const cairn_rule_draft *draft)
{
    const rules_run *run = j->run;
    memset(j->counts, 0, 2 * (draft->n + 1) * sizeof *j->counts);
    for (size_t w = 0; w < run->n_words; w++) {
        size_t n = run->n_rows - w * BITS;
        uint64_t there = n < BITS ? ((uint64_t)1 << n) - 1 : ~(uint64_t)0;
        uint64_t once = 0, twice = 0;
        for (size_t i = 0; i < draft->n && twice != there; i++) {
            uint64_t fails = there & ~j->bits[j->places[i] * run->n_words + w];
            twice |= once & fails;
            once |= fails;
        }
        if (once != there) add_rows(j->counts, j, w, there & ~once);
        once &= ~twice;
        for (size_t i = 0; i < draft->n && once; i++) {
            uint64_t fails = once & ~j->bits[j->places[i] * run->n_words + w];
            if (fails) add_rows(j->counts + 2 * i + 2, j, w, fails);
            once &= ~fails;
        }
    }
}

static void add_body(cairn_text *out, const cairn_rule_draft *draft, const cairn_schema *schema)
{
    for (size_t j = 0; j < draft->n; j++) {
        if (j) cairn_text_add(out, " & ");
        cairn_condition_add(out, &draft->body[j], schema);
    }
}

/* Table of what dropping each condition would give. */
static void show_drops(const judge *judged, const cairn_rule_draft *draft, double now,
                       size_t chosen)
{
    const rules_run *run = judged->run;
    cairn_report *steps = run->job->steps;
    const double *c = judged->counts;
    cairn_report_table_of(steps, NULL, 0, "lrrr", "without", "rows", "hits", "estimate");
    cairn_report_cells(steps, NULL, "(the whole rule)", c[0], c[1], now);
    for (size_t j = 0; j < draft->n; j++) {
        cairn_text text = cairn_text_start(run->ctx);
        double rows = c[0] + c[2 * j + 2], hits = c[1] + c[2 * j + 3];
        cairn_condition_add(&text, &draft->body[j], run->job->schema);
        cairn_report_cells(steps, NULL, cairn_text_string(&text), rows, hits);
        if (j == chosen) cairn_report_row_mark(steps);
        cairn_report_cell_number(steps, estimate(run, rows, hits), 6, NULL);
        cairn_report_text_end(steps, &text);
    }
}

/* Drop conditions of one rule while its estimate does not fall. */
static cairn_status generalise(judge *j, pruned_rule *rule, bool shown)
{
    const rules_run *run = j->run;
    cairn_rule_draft *draft = &rule->draft;
    const double *counts = j->counts;
    /* The bits of a rule's path, as far as those of the rule before are others. */
    size_t at = rule->leaf;
    for (size_t d = rule->draft.n; d-- > 0; at = (size_t)run->tree->nodes[at].parent) {
        j->places[d] = d;
        if (j->nodes[d] == at) continue;
        j->nodes[d] = at;
        meet(j->bits + d * run->n_words, run, &rule->draft.body[d]);
    }
    if (j->label != rule->draft.label) {
        j->label = rule->draft.label;
        memset(j->hits, 0, run->n_words * sizeof *j->hits);
        for (size_t i = 0; i < run->n_rows; i++)
            j->hits[i / BITS] |= (uint64_t)(run->codes[i] == j->label) << i % BITS;
    }
    for (bool first = true;; first = false) {
        CHECK(cairn_tick(j->ctx, NULL, 0, 0));
        count_rows(j, draft);
        double now = estimate(run, counts[0], counts[1]), best = -INFINITY;
        size_t drop = SIZE_MAX;
        if (first) rule->before = now;
        rule->estimate = now;
        rule->covered = counts[0];
        rule->hits = counts[1];
        for (size_t i = 0; i < draft->n && draft->n > 1; i++) {
            double then =
                estimate(run, counts[0] + counts[2 * i + 2], counts[1] + counts[2 * i + 3]);
            if (then < now - CAIRN_TREE_TIE || then < best - CAIRN_TREE_TIE) continue;
            best = then;
            drop = i;
        }
        if (shown) show_drops(j, draft, now, drop);
        if (drop == SIZE_MAX) break;
        size_t behind = draft->n - drop - 1;
        memmove(&draft->body[drop], &draft->body[drop + 1], behind * sizeof *draft->body);
        memmove(&j->places[drop], &j->places[drop + 1], behind * sizeof *j->places);
        draft->n--;
    }
    return CAIRN_OK;
}

/* -- all leaves -- */

static cairn_status make_judge(cairn_context *ctx, judge *out, const rules_run *run)
{
    *out = (judge){.ctx = ctx, .run = run, .label = -1};
    CHECK(SCRATCH_RAW(ctx, &out->bits, cairn_product(run->depth, run->n_words)));
    CHECK(SCRATCH(ctx, &out->nodes, run->depth));
    CHECK(SCRATCH(ctx, &out->hits, run->n_words));
    CHECK(SCRATCH(ctx, &out->places, run->depth));
    return SCRATCH(ctx, &out->counts, 2 * (run->depth + 1));
}

/* The rules of a block of leaves. */
static cairn_status judge_block(cairn_context *ctx, void *data, size_t block)
{
    const rules_run *run = data;
    size_t begin = run->skipped + block * BLOCK_LEAVES;
    size_t end = begin + BLOCK_LEAVES < run->n ? begin + BLOCK_LEAVES : run->n;
    SCOPED_SCRATCH(ctx);
    judge j;
    CHECK(make_judge(ctx, &j, run));
    for (size_t i = begin; i < end; i++) CHECK(generalise(&j, &run->rules[i], false));
    return CAIRN_OK;
}

/* The first rules one by one, shown. */
static cairn_status judge_shown(rules_run *run)
{
    cairn_report *steps = run->job->steps;
    judge j;
    CHECK(make_judge(run->ctx, &j, run));
    for (; run->skipped < run->n && run->skipped < SHOWN_RULES; run->skipped++) {
        pruned_rule *rule = &run->rules[run->skipped];
        cairn_text text = cairn_text_start(run->ctx);
        add_body(&text, &rule->draft, run->job->schema);
        cairn_report_step_begin(steps, "if %s then %s", cairn_text_string(&text),
                                cairn_schema_class(run->job->schema, rule->draft.label));
        cairn_report_text_end(steps, &text);
        CHECK(generalise(&j, rule, true));
        cairn_report_step_end(steps);
    }
    return CAIRN_OK;
}

/* The judged rows that have a class and a weight. */
static cairn_status take_rows(rules_run *run)
{
    const cairn_view *view = &run->judged;
    bool plain = true;
    CHECK(SCRATCH_RAW_EACH(run->ctx, view->rows.n, &run->rows, &run->codes, &run->weights));
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        double weight = cairn_view_weight(view, i);
        if (view->target->codes[row] < 0 || !(weight > 0)) continue;
        run->rows[run->n_rows] = (uint32_t)row;
        run->codes[run->n_rows] = view->target->codes[row];
        run->weights[run->n_rows++] = weight;
        plain &= weight == 1;
    }
    if (plain) run->weights = NULL;
    run->n_words = (run->n_rows + BITS - 1) / BITS;
    return cairn_memory_check(run->ctx,
                              (double)cairn_workers(run->ctx) * (double)run->depth *
                                  (double)run->n_words * sizeof(uint64_t),
                              "judging the rules",
                              cairn_say(run->ctx, "raise {memory} or limit {max-depth}"));
}

/* -- the list -- */

static bool same_condition(const cairn_condition *a, const cairn_condition *b)
{
    return a->column == b->column && a->relation == b->relation && a->n_levels == b->n_levels &&
           (a->n_levels ? a->levels[0] == b->levels[0] : a->number == b->number);
}

static uint64_t signature(const cairn_rule_draft *draft)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < draft->n; i++) {
        const cairn_condition *c = &draft->body[i];
        double value = c->n_levels ? c->levels[0] : c->number + 0.0; /* -0 is 0 */
        uint64_t hash;
        memcpy(&hash, &value, sizeof hash);
        hash = (hash ^ (c->column * 8 + (uint64_t)c->relation)) * 0x9e3779b97f4a7c15u;
        bits |= (uint64_t)1 << (hash >> 58);
    }
    return bits;
}

/* Whether every condition of a is one of b. */
static bool within(const cairn_rule_draft *a, const cairn_rule_draft *b)
{
    for (size_t i = 0; i < a->n; i++) {
        bool found = false;
        for (size_t j = 0; j < b->n && !found; j++)
            found = same_condition(&a->body[i], &b->body[j]);
        if (!found) return false;
    }
    return true;
}

static bool comes_before(const void *one, const void *other, const void *data)
{
    const pruned_rule *a = one, *b = other;
    (void)data;
    if (fabs(a->estimate - b->estimate) > CAIRN_TREE_TIE) return a->estimate > b->estimate;
    return a->covered > b->covered;
}

/* Conditions and estimates before and after pruning, so that it can be seen what each dropped
 * condition was worth. */
static void show_list(const rules_run *run)
{
    cairn_report *out = run->job->steps;
    cairn_report_table_of(out, "Rules by their estimates", SHOWN_RULES, "rrrrrll", "rule",
                          "conditions before", "now", "estimate before", "now", "if", "then");
    for (size_t i = 0; i < run->n && cairn_report_row_wanted(out); i++) {
        const pruned_rule *rule = &run->rules[i];
        cairn_text text = cairn_text_start(run->ctx);
        add_body(&text, &rule->draft, run->job->schema);
        cairn_report_cells(out,
                           "- pruned#.conditions_before pruned#.conditions "
                           "pruned#.estimate_before:4 pruned#.estimate:4 pruned#.if pruned#.then",
                           i + 1, rule->n_before, rule->draft.n, rule->before, rule->estimate,
                           cairn_text_string(&text),
                           cairn_schema_class(run->job->schema, rule->draft.label));
        cairn_report_text_end(out, &text);
    }
}

/* Rows to judge the rules by are divided off before the tree is grown, as for pruning a tree; a
 * default rule follows the rules. */
static cairn_status tree_rules_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    const tree_rules_params *p = job->params;
    bool held = p->estimate == ESTIMATE_VALIDATION;
    cairn_prune_params division = {.prune = held ? CAIRN_PRUNE_REP : CAIRN_PRUNE_NONE,
                                   .prune_share = held ? p->hold_share : NAN,
                                   .prune_rows = held ? p->hold_rows : NULL};
    cairn_pruning rows = {.ctx = ctx, .params = &division, .job = job};
    cairn_grow_options options = cairn_tree_options(&p->grow, cairn_context_seed(ctx));
    rules_run run = {.ctx = ctx, .params = p, .job = job};
    cairn_rule_draft *drafts = NULL;
    SCOPED(cairn_tree_clear) cairn_tree_model tree = {0};
    SCOPED(cairn_binned_clear) cairn_binned data = {0};
    CHECK(cairn_prune_divide(&rows));
    CHECK(cairn_binned_make(ctx, &data, &rows.kept, job->n_classes));
    CHECK(cairn_tree_grow(ctx, &tree, &data, &options));
    run.judged = held ? rows.tested : rows.kept;
    /* Every leaf that rows reach as a rule. */
    run.tree = &tree;
    CHECK(SCRATCH(run.ctx, &run.rules, cairn_tree_leaves(&tree)));
    for (size_t i = 0; i < tree.n_nodes; i++)
        if (tree.nodes[i].column < 0 && tree.nodes[i].weight > 0)
            CHECK(rule_of_leaf(&run, &tree, i));
    cairn_report *steps = run.job->steps;
    CHECK(take_rows(&run));
    if (steps) CHECK(judge_shown(&run));
    CHECK(cairn_tasks_sized(run.ctx, cairn_block_count(run.n - run.skipped, BLOCK_LEAVES),
                            (double)run.n * (double)run.n_rows, judge_block, &run));
    /* Sort by estimate, equals in the order of the leaves; a rule that an earlier one covers
     * whole can never fire and is left out. */
    size_t kept = 0;
    CHECK(cairn_sort_by(run.ctx, run.rules, run.n, sizeof *run.rules, comes_before, NULL));
    for (size_t i = 0; i < run.n; i++) {
        uint64_t mine = run.rules[i].signature = signature(&run.rules[i].draft);
        bool useless = false;
        for (size_t j = 0; j < kept && !useless; j++)
            useless = !(run.rules[j].signature & ~mine) &&
                      within(&run.rules[j].draft, &run.rules[i].draft);
        CHECK(cairn_tick(run.ctx, NULL, 0, 0));
        if (!useless) run.rules[kept++] = run.rules[i];
    }
    run.n = kept;
    if (steps) show_list(&run);
    CHECK(SCRATCH(ctx, &drafts, run.n + 1));
    for (size_t i = 0; i < run.n; i++) drafts[i] = run.rules[i].draft;
    drafts[run.n] = (cairn_rule_draft){.label = -1, .stated = -1};
    return cairn_rules_make(ctx, model, drafts, run.n + 1, true, job);
}

const cairn_learner cairn_tree_rules = {
    .entry =
        {.kind = CAIRN_ENTRY_LEARNER,
         .name = "tree-rules",
         .also = "C4.5rules, rules of a tree, rule post-pruning",
         .about = "classification tree in rule format",
         .title = "Rules from a tree",
         .summary =
             "Grows a tree, turns every leaf into a rule and prunes each rule by itself: a "
             "condition is dropped while the estimated accuracy of the rule does not fall, "
             "wherever in the tree it stood. The rules are then sorted by their estimates, the "
             "first that fires answers, and the rest gets the default class. Easier to read than "
             "the tree and often better on new rows.",
         .references = "Quinlan: Simplifying decision trees, International Journal of Man-Machine "
                       "Studies 27 (1987); Quinlan: C4.5 (1993)",
         .example = "cairn fit tree-rules @weather --steps",
         .params = tree_rules_table,
         .params_size = sizeof(tree_rules_params),
         .check = cairn_rules_check_params},
    CAIRN_RULES_RECORD,
    CAIRN_RULES_ALONE,
    .space = "confidence=0.05,0.1,0.25,0.5",
    .claims = CAIRN_CLAIM_WEIGHTS_REPEAT,
    .fit = tree_rules_fit,
};
