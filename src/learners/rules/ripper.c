/* SPDX-License-Identifier: MIT */
/* RIPPER: an ordered list of rules that are grown, pruned and revised.
 *
 * Classes come from rare to frequent; the most frequent one is the default. For each class the rows
 * that no rule covers yet are divided at random into two thirds to grow a rule on and one third to
 * prune it on. A rule grows by the condition of highest information gain (FOIL) until it covers no
 * other class; then conditions are dropped from its end as long as that helps on the other rows.
 * Rules are added until the description length (rules and exceptions, in bits) is 64 bits above the
 * least so far, or a rule is wrong more often than not. Then each rule in turn is compared with one
 * that is grown anew and with one that is grown on from it; the one with which the whole list is
 * shortest to describe stays.
 *
 * Choices: shares of pruning are (p + 1) / (p + n + 2), ties keep the shorter rule; a list of rules
 * is described by half the bits of its conditions (Cohen), exceptions as in Quinlan's coding. The
 * division of the rows comes from the seed.
 *
 * Cost: about O(rows x columns x conditions), twice that for every pass of revision. */
#include "base/number.h"
#include "base/random.h"
#include "learners/rules/rule_search.h"
#include "learners/tree/tree.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BITS = 64 };
static const double slack = 64; /* bits above the least description at which building ends */

typedef struct ripper_params {
    cairn_rules_options options; /* first: the functions of rules take it from here */
    int folds, passes;
    double min_cover;
    bool pruning;
} ripper_params;

static const cairn_param ripper_table[] = {
    CAIRN_PARAM(ripper_params, folds, "3", "[2,100]",
                "one part in this many prunes rules, the others grow them"),
    CAIRN_PARAM(ripper_params, passes, "2", "[0,100]", "how often all rules are revised"),
    CAIRN_PARAM(ripper_params, min_cover, "2", "[0,inf)",
                "a condition must leave rows of the class of at least this weight"),
    CAIRN_PARAM(ripper_params, pruning, "yes", NULL,
                "prune rules; no: grow them on all rows until they are pure"),
    CAIRN_PARAM_GROUP(ripper_params, options, cairn_smoothing_group),
    CAIRN_PARAM_END,
};

/* -- rules of one class -- */

typedef struct rule {
    cairn_literal *literals; /* own memory */
    size_t n;
    uint64_t *covers; /* own memory: bits of the rows of the stage */
} rule;

typedef struct stage {
    cairn_context *ctx;
    const ripper_params *params;
    const cairn_rule_rows *rows;
    cairn_report *steps;
    cairn_random random;
    int32_t goal;
    uint32_t *all; /* rows that rules of earlier classes left */
    size_t n_all, n_words;
    uint64_t *positive; /* bits */
    double conditions;  /* how many there are to choose from */
    double share;       /* expected share of false positives among errors */
    rule *rules;
    size_t n_rules, room;
    double least; /* description length so far */
} stage;

static void rule_clear(rule *r)
{
    cairn_free(r->literals);
    cairn_free(r->covers);
    *r = (rule){0};
}

static void remove_rule(stage *s, size_t i)
{
    rule_clear(&s->rules[i]);
    for (size_t j = i; j + 1 < s->n_rules; j++) s->rules[j] = s->rules[j + 1];
    s->n_rules--;
}

static bool rule_covers(const stage *s, const cairn_literal *literals, size_t n, size_t row)
{
    for (size_t l = 0; l < n; l++)
        if (!cairn_literal_holds(&literals[l], s->rows, row)) return false;
    return true;
}

/* A rule in memory of its own, with its rows. */
static cairn_status rule_make(stage *s, rule *out, const cairn_literal *literals, size_t n)
{
    rule made = {.n = n};
    cairn_status status;
    TRY(NEW_RAW(s->ctx, &made.literals, n));
    TRY(NEW(s->ctx, &made.covers, s->n_words));
    if (n) memcpy(made.literals, literals, n * sizeof *literals);
    for (size_t i = 0; i < s->n_all; i++)
        if (rule_covers(s, literals, n, s->all[i]))
            made.covers[i / BITS] |= (uint64_t)1 << (i % BITS);
    *out = made;
    made = (rule){0};
done:
    rule_clear(&made);
    return status;
}

/* -- description length -- */

/* Bits to name k of n things when each is among them with probability p. */
static double subset_bits(double n, double k, double p)
{
    double bits = k > 0 ? -k * log2(p) : 0;
    return bits + (n - k > 0 ? -(n - k) * log2(1 - p) : 0);
}

/* Bits of the conditions of a rule; half, for conditions depend on each other. */
static double theory_bits(const stage *s, size_t n)
{
    double k = (double)n, bits;
    if (n == 0) return 0;
    bits = log2(k);
    if (k > 1) bits += 2 * log2(bits);
    return 0.5 * (bits + subset_bits(s->conditions, k, fmin(k / s->conditions, 0.5)));
}

/* Bits to say which of the covered rows are of another class and which of the others are not. */
static double exception_bits(double share, double cover, double uncover, double fp, double fn)
{
    double bits = log2(cover + uncover + 1), errors = fp + fn;
    if (cover > uncover) {
        if (cover > 0) bits += subset_bits(cover, fp, fmin(share * errors / cover, 1));
        if (uncover > 0) bits += subset_bits(uncover, fn, fn / uncover);
    } else {
        if (cover > 0) bits += subset_bits(cover, fp, fp / cover);
        if (uncover > 0) bits += subset_bits(uncover, fn, fmin((1 - share) * errors / uncover, 1));
    }
    return bits;
}

static double weigh(const stage *s, uint64_t bits, size_t word)
{
    double sum = 0;
    for (; bits; bits &= bits - 1)
        sum += s->rows->weights[s->all[word * BITS + (size_t)__builtin_ctzll(bits)]];
    return sum;
}

/* The whole list of the class, with `other` in place of rule `at` (NULL = without that rule, `at`
 * behind the last = as it is). */
static double description(const stage *s, size_t at, const rule *other)
{
    double cover = 0, uncover = 0, fp = 0, fn = 0, bits = 0;
    for (size_t i = 0; i < s->n_rules; i++)
        bits += i != at ? theory_bits(s, s->rules[i].n) : other ? theory_bits(s, other->n) : 0;
    for (size_t w = 0; w < s->n_words; w++) {
        uint64_t covered = 0, there = ~(uint64_t)0;
        if (w + 1 == s->n_words && s->n_all % BITS) there >>= BITS - s->n_all % BITS;
        for (size_t i = 0; i < s->n_rules; i++) {
            const rule *r = i != at ? &s->rules[i] : other;
            if (r) covered |= r->covers[w];
        }
        cover += weigh(s, covered, w);
        uncover += weigh(s, ~covered & there, w);
        fp += weigh(s, covered & ~s->positive[w], w);
        fn += weigh(s, ~covered & s->positive[w], w);
    }
    return bits + exception_bits(s->share, cover, uncover, fp, fn);
}

/* -- one rule -- */

/* What a condition gains in bits for the class, FOIL's way; nothing is no candidate. */
static double foil_gain(const void *data, const double *counts, const double *before, size_t k)
{
    const stage *s = data;
    double p = counts[s->goal], old = before[s->goal], total = 0, all = 0;
    for (size_t l = 0; l < k; l++) {
        total += counts[l];
        all += before[l];
    }
    double gain = p * (log2((p + 1) / (total + 1)) - log2((old + 1) / (all + 1)));
    return gain > 1e-9 ? gain : -INFINITY;
}

static cairn_status grow(stage *s, cairn_conjunction *out, const uint32_t *rows, size_t n)
{
    cairn_rule_search search = {.rows = s->rows,
                                .beam = 1,
                                .least_cover = s->params->min_cover,
                                .seed_row = -1,
                                .goal = s->goal,
                                .again = true,
                                .upward = -1,
                                .score = foil_gain,
                                .data = s};
    return cairn_rule_find(s->ctx, out, &search, rows, n);
}

/* Divide rows at random, each class by itself, into those to grow on and those to prune on; both
 * ascend. */
static cairn_status divide(stage *s, const uint32_t *rows, size_t n, uint32_t **grown,
                           size_t *n_grown, uint32_t **pruned, size_t *n_pruned)
{
    size_t *order = NULL;
    uint8_t *for_pruning = NULL;
    cairn_status status;
    TRY(SCRATCH_RAW(s->ctx, grown, n));
    TRY(SCRATCH_RAW(s->ctx, pruned, n));
    TRY(SCRATCH_RAW(s->ctx, &order, n));
    TRY(SCRATCH(s->ctx, &for_pruning, n));
    *n_grown = *n_pruned = 0;
    for (int side = 0; side < 2 && s->params->pruning; side++) {
        size_t m = 0, folds = (size_t)s->params->folds;
        for (size_t i = 0; i < n; i++)
            if ((s->rows->classes[rows[i]] == s->goal) == (side == 1)) order[m++] = i;
        cairn_random_shuffle(&s->random, order, m);
        for (size_t i = 0; i < m / folds; i++) for_pruning[order[i]] = 1;
    }
    for (size_t i = 0; i < n; i++)
        if (for_pruning[i])
            (*pruned)[(*n_pruned)++] = rows[i];
        else
            (*grown)[(*n_grown)++] = rows[i];
done:
    return status;
}

/* How many of the first conditions are best on the pruning rows: by the share of the class among
 * what they cover, or (`whole`) by what the list then answers rightly. */
static size_t prune(const stage *s, const cairn_literal *literals, size_t n, const uint32_t *rows,
                    size_t n_rows, bool whole)
{
    double best = -1;
    size_t keep = n;
    if (!s->params->pruning || n_rows == 0) return n;
    for (size_t length = 0; length <= n; length++) {
        double p = 0, other = 0, right = 0, total = 0;
        for (size_t i = 0; i < n_rows; i++) {
            bool positive = s->rows->classes[rows[i]] == s->goal;
            bool covered = rule_covers(s, literals, length, rows[i]);
            double weight = s->rows->weights[rows[i]];
            total += weight;
            if (covered && positive) p += weight;
            if (covered && !positive) other += weight;
            if (covered == positive) right += weight;
        }
        double worth = whole ? right / total : (p + 1) / (p + other + 2);
        if (worth > best + 1e-12) {
            best = worth;
            keep = length;
        }
    }
    return keep;
}

/* -- building -- */

/* Rows of the stage that no rule from `first` to before `end` covers; ascending, scratch. */
static cairn_status uncovered(const stage *s, size_t first, size_t end, uint32_t **out, size_t *n)
{
    cairn_status status;
    TRY(SCRATCH_RAW(s->ctx, out, s->n_all));
    *n = 0;
    for (size_t i = 0; i < s->n_all; i++) {
        bool covered = false;
        for (size_t r = first; r < end && !covered; r++)
            covered = s->rules[r].covers[i / BITS] >> (i % BITS) & 1;
        if (!covered) (*out)[(*n)++] = s->all[i];
    }
done:
    return status;
}

/* Whether the rule is right more often than not on these rows, and ever. */
static bool good_enough(const stage *s, const cairn_literal *literals, size_t n,
                        const uint32_t *rows, size_t n_rows)
{
    double p = 0, other = 0;
    for (size_t i = 0; i < n_rows; i++) {
        if (!rule_covers(s, literals, n, rows[i])) continue;
        if (s->rows->classes[rows[i]] == s->goal)
            p += s->rows->weights[rows[i]];
        else
            other += s->rows->weights[rows[i]];
    }
    return p > 0 && other < p;
}

static void show_found(const stage *s, const cairn_conjunction *found, size_t kept, double bits)
{
    cairn_conjunction shown = *found;
    if (!s->steps) return;
    cairn_report_paragraph(s->steps, "Grown:");
    cairn_rule_show_found(s->steps, found, s->rows, s->n_rules, s->goal);
    if (kept < found->n_literals) {
        cairn_text text = cairn_text_start(s->ctx);
        for (size_t l = 0; l < kept; l++) {
            if (l) cairn_text_add(&text, " & ");
            cairn_literal_add(&text, &shown.literals[l], s->rows->schema);
        }
        cairn_report_paragraph(s->steps, "Pruned to %zu of %zu conditions: %s.", kept,
                               found->n_literals, cairn_text_string(&text));
        cairn_report_failed(s->steps, cairn_text_status(&text));
        cairn_text_clear(&text);
    }
    cairn_report_value(s->steps, "description length in bits", bits, NULL);
}

/* One more rule; *ended when there is none worth having. */
static cairn_status add_rule(stage *s, bool *ended)
{
    cairn_scratch_mark mark = cairn_scratch_now(s->ctx);
    uint32_t *rest = NULL, *grown = NULL, *pruned = NULL;
    size_t n, n_grown, n_pruned, keep;
    cairn_conjunction found;
    cairn_status status;
    *ended = true;
    TRY(uncovered(s, 0, s->n_rules, &rest, &n));
    bool any = false;
    for (size_t i = 0; i < n && !any; i++) any = s->rows->classes[rest[i]] == s->goal;
    if (!any) goto done;
    TRY(divide(s, rest, n, &grown, &n_grown, &pruned, &n_pruned));
    TRY(grow(s, &found, grown, n_grown));
    keep = prune(s, found.literals, found.n_literals, pruned, n_pruned, false);
    if (keep == 0 || !good_enough(s, found.literals, keep, rest, n)) goto done;
    TRY(GROW(s->ctx, &s->rules, &s->room, s->n_rules + 1));
    TRY(rule_make(s, &s->rules[s->n_rules], found.literals, keep));
    s->n_rules++;
    double bits = description(s, s->n_rules, NULL);
    show_found(s, &found, keep, bits);
    if (s->params->pruning && bits > s->least + slack) {
        cairn_report_paragraph(s->steps,
                               "That is more than %d bits above the least so far: the "
                               "rule is left out and no further one is tried.",
                               (int)slack);
        remove_rule(s, s->n_rules - 1);
        goto done;
    }
    s->least = fmin(s->least, bits);
    *ended = false;
done:
    cairn_scratch_release(s->ctx, mark);
    return status;
}

/* Rules without which the list is shorter to describe, from the last. */
static void drop_needless(stage *s)
{
    double bits = description(s, s->n_rules, NULL);
    for (size_t i = s->n_rules; s->params->pruning && i-- > 0;) {
        double without = description(s, i, NULL);
        if (without >= bits) continue;
        cairn_report_paragraph(s->steps, "Without rule %zu the description is shorter: it goes.",
                               i + 1);
        remove_rule(s, i);
        bits = without;
    }
    s->least = bits;
}

static cairn_status build(stage *s)
{
    bool ended = false;
    cairn_status status = CAIRN_OK;
    s->least = description(s, s->n_rules, NULL);
    while (!ended) {
        TRY(cairn_tick(s->ctx, NULL, 0, 1));
        TRY(add_rule(s, &ended));
    }
    drop_needless(s);
done:
    return status;
}

/* -- revising -- */

/* A rule grown from `base` (n conditions; 0 = anew), pruned for the whole list, if it is better
 * than rule `at`. */
static cairn_status try_variant(stage *s, size_t at, size_t n_base, const uint32_t *grown,
                                size_t n_grown, const uint32_t *pruned, size_t n_pruned,
                                const char *what)
{
    const rule *old = &s->rules[at];
    uint32_t *rows = NULL;
    cairn_literal *literals = NULL;
    cairn_conjunction found;
    rule made = {0};
    size_t n = 0, keep;
    cairn_status status;
    TRY(SCRATCH_RAW(s->ctx, &rows, n_grown));
    for (size_t i = 0; i < n_grown; i++)
        if (rule_covers(s, old->literals, n_base, grown[i])) rows[n++] = grown[i];
    TRY(grow(s, &found, rows, n));
    TRY(SCRATCH_RAW(s->ctx, &literals, n_base + found.n_literals));
    if (n_base) memcpy(literals, old->literals, n_base * sizeof *literals);
    if (found.n_literals)
        memcpy(literals + n_base, found.literals, found.n_literals * sizeof *literals);
    keep = prune(s, literals, n_base + found.n_literals, pruned, n_pruned, true);
    if (keep == 0) goto done;
    TRY(rule_make(s, &made, literals, keep));
    if (description(s, at, &made) < description(s, s->n_rules, NULL) - 1e-9) {
        cairn_report_paragraph(s->steps, "Rule %zu is replaced by one that was %s.", at + 1, what);
        rule_clear(&s->rules[at]);
        s->rules[at] = made;
        made = (rule){0};
    }
done:
    rule_clear(&made);
    return status;
}

static cairn_status revise_rule(stage *s, size_t at)
{
    cairn_scratch_mark mark = cairn_scratch_now(s->ctx);
    uint32_t *rows = NULL, *grown = NULL, *pruned = NULL;
    size_t n, n_grown, n_pruned, left = 0;
    cairn_status status;
    TRY(uncovered(s, 0, at, &rows, &n));
    TRY(divide(s, rows, n, &grown, &n_grown, &pruned, &n_pruned));
    for (size_t i = 0; i < n_pruned; i++) { /* what later rules cover is answered anyway */
        bool covered = false;
        for (size_t r = at + 1; r < s->n_rules && !covered; r++)
            covered = rule_covers(s, s->rules[r].literals, s->rules[r].n, pruned[i]);
        if (!covered) pruned[left++] = pruned[i];
    }
    TRY(try_variant(s, at, 0, grown, n_grown, pruned, left, "grown anew"));
    TRY(try_variant(s, at, s->rules[at].n, grown, n_grown, pruned, left, "grown on from it"));
done:
    cairn_scratch_release(s->ctx, mark);
    return status;
}

static cairn_status revise(stage *s)
{
    cairn_status status = CAIRN_OK;
    for (int pass = 0; pass < s->params->passes && s->params->pruning; pass++) {
        cairn_report_step_begin(s->steps, "Pass %d of revision", pass + 1);
        for (size_t i = 0; i < s->n_rules; i++) TRY(revise_rule(s, i));
        TRY(build(s));
        cairn_report_step_end(s->steps);
    }
done:
    return status;
}

/* -- all classes -- */

typedef struct class_size {
    double weight;
    int32_t code;
} class_size;

static int by_weight(const void *a, const void *b)
{
    const class_size *p = a, *q = b;
    if (p->weight != q->weight) return p->weight < q->weight ? -1 : 1;
    return p->code < q->code ? -1 : p->code > q->code;
}

/* Conditions that there are: a level is one, a place between two numbers two. */
static double count_conditions(const cairn_rule_rows *rows)
{
    double n = 0;
    for (size_t c = 0; c < rows->n_columns; c++) {
        double bins = (double)rows->n_bins[c];
        n += rows->codes[c] ? bins : 2 * fmax(bins - 1, 0);
    }
    return fmax(n, 2);
}

/* Leave out cuts that a later, narrower one of the same side makes needless; returns what stays. */
static size_t tidy(cairn_literal *literals, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        bool needless = false;
        for (size_t j = i + 1; j < n && !needless; j++)
            needless = literals[i].relation != CAIRN_EQUAL &&
                       literals[j].column == literals[i].column &&
                       literals[j].relation == literals[i].relation;
        if (!needless) literals[kept++] = literals[i];
    }
    return kept;
}

/* Learn one class and take away what its rules cover. */
static cairn_status learn_class(stage *s, int32_t goal, cairn_kept_rules *kept)
{
    cairn_scratch_mark mark = cairn_scratch_now(s->ctx);
    double goal_weight = 0, total = 0;
    uint32_t *rest = NULL;
    size_t n;
    cairn_status status;
    s->goal = goal;
    s->n_words = (s->n_all + BITS - 1) / BITS;
    TRY(SCRATCH(s->ctx, &s->positive, s->n_words));
    for (size_t i = 0; i < s->n_all; i++) {
        double weight = s->rows->weights[s->all[i]];
        total += weight;
        if (s->rows->classes[s->all[i]] != goal) continue;
        s->positive[i / BITS] |= (uint64_t)1 << (i % BITS);
        goal_weight += weight;
    }
    s->share = goal_weight / total;
    cairn_report_step_begin(s->steps, "Rules for %s: %zu rows are left",
                            cairn_tree_class(s->rows->schema, goal), s->n_all);
    TRY(build(s));
    TRY(revise(s));
    cairn_report_step_end(s->steps);
    for (size_t r = 0; r < s->n_rules; r++) {
        cairn_conjunction learned = {.literals = s->rules[r].literals,
                                     .n_literals = tidy(s->rules[r].literals, s->rules[r].n)};
        TRY(cairn_kept_add(s->ctx, kept, &learned, goal));
    }
    TRY(uncovered(s, 0, s->n_rules, &rest, &n));
    memcpy(s->all, rest, n * sizeof *rest);
    s->n_all = n;
done:
    while (s->n_rules > 0) remove_rule(s, s->n_rules - 1);
    cairn_scratch_release(s->ctx, mark);
    return status;
}

static cairn_status ripper_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    cairn_rule_rows rows;
    stage s = {.ctx = ctx, .params = job->params, .rows = &rows, .steps = job->steps};
    cairn_kept_rules kept = {0};
    class_size *classes = NULL;
    cairn_rule_draft *drafts = NULL;
    size_t k = job->n_classes;
    cairn_status status;
    TRY(cairn_rule_rows_make(ctx, &rows, job));
    TRY(SCRATCH(ctx, &classes, k));
    TRY(SCRATCH(ctx, &s.all, rows.n));
    for (size_t l = 0; l < k; l++) classes[l].code = (int32_t)l;
    for (size_t i = 0; i < rows.n; i++) {
        s.all[i] = (uint32_t)i;
        classes[rows.classes[i]].weight += rows.weights[i];
    }
    s.n_all = rows.n;
    s.conditions = count_conditions(&rows);
    cairn_random_start(&s.random, cairn_context_seed(ctx), 0);
    qsort(classes, k, sizeof *classes, by_weight);
    for (size_t l = 0; l + 1 < k && s.n_all > 0; l++)
        if (classes[l].weight > 0) TRY(learn_class(&s, classes[l].code, &kept));
    TRY(cairn_kept_drafts(ctx, &drafts, &kept));
    drafts[kept.n].label = classes[k - 1].code;
    TRY(cairn_rules_make(ctx, model, drafts, kept.n + 1, true, job));
done:
    cairn_free(s.rules);
    cairn_kept_clear(&kept);
    return status;
}

const cairn_learner cairn_ripper = {
    .entry =
        {.kind = CAIRN_ENTRY_LEARNER,
         .name = "ripper",
         .title = "RIPPER",
         .summary =
             "An ordered list of rules for all classes but the most frequent, from the rarest on. "
             "Each rule is grown on two thirds of the rows and pruned on the rest; the list ends "
             "when its description gets longer, and is then revised rule by rule. Few, short "
             "rules that stand up to noise; fast on large data.",
         .references = "Cohen: Fast effective rule induction, ICML 1995",
         .example = "cairn fit ripper @iris --steps",
         .params = ripper_table,
         .params_size = sizeof(ripper_params),
         .check = cairn_rules_check_params},
    CAIRN_RULES_RECORD,
    CAIRN_RULES_ALONE,
    .fit = ripper_fit,
};
