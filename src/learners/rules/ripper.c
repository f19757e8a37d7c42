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
 * shortest to describe stays (of equals the rule as it is, then the one grown on); further rules
 * are added in the same way, and those that are not worth their bits are dropped.
 *
 * Choices: shares of pruning are (p + 1) / (p + n + 2), ties keep the shorter rule; a list of rules
 * is described by half the bits of its conditions (Cohen), exceptions as in Quinlan's coding. The
 * division of the rows comes from the seed.
 *
 * Cost: about O(rows x columns x conditions), twice that for every pass of revision. */
#include "base/functions.h"
#include "base/number.h"
#include "base/random.h"
#include "learners/rules/rule_search.h"
#include "report/table_rows.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BITS = 64, TARGET = 0 };
static const double slack = 64; /* bits above the least description at which building ends */

typedef struct ripper_params {
    cairn_rules_options options; /* first: the functions of rules take it from here */
    int folds, passes;
    double min_cover;
    bool pruning;
} ripper_params;

static const cairn_param ripper_table[] = {
    CAIRN_PARAM(ripper_params, folds, "3", "[2,100]",
                "one part in this many prunes rules, the others grow them", .when = "prune"),
    CAIRN_PARAM(ripper_params, passes, "2", "[0,100]", "how often all rules are revised",
                .when = "prune"),
    CAIRN_PARAM(ripper_params, min_cover, "2", "[0,inf)",
                "a condition must leave rows of the class of at least this weight"),
    CAIRN_PARAM_CALLED("prune", ripper_params, pruning, "yes", NULL,
                       "prune rules; no: grow them on all rows until they are pure",
                       .was = "pruning"),
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
    const cairn_rule_rows *rows; /* the class that is learned, which is class 0, and the others */
    cairn_report *steps;
    const char *key; /* of names of values: the class */
    cairn_random random;
    uint32_t *all; /* rows that rules of earlier classes left */
    size_t n_all, n_words;
    uint32_t *covered;  /* room for n_all rows */
    uint64_t *positive; /* bits */
    double conditions;  /* how many there are to choose from */
    double share;       /* expected share of false positives among errors */
    rule *rules;
    size_t n_rules, buffer;
    double least; /* description length so far */
} stage;

static void rule_clear(rule *r)
{
    FREE_EACH(r->literals, r->covers);
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
    SCOPED(rule_clear) rule made = {.n = n};
    CHECK(NEW_RAW(s->ctx, &made.literals, n));
    CHECK(NEW(s->ctx, &made.covers, s->n_words));
    if (n) memcpy(made.literals, literals, n * sizeof *literals);
    for (size_t i = 0; i < s->n_all; i++)
        if (rule_covers(s, literals, n, s->all[i]))
            made.covers[i / BITS] |= (uint64_t)1 << (i % BITS);
    *out = made;
    memset(&made, 0, sizeof made);
    return CAIRN_OK;
}

/* -- description length -- */

/* Bits to name k of n things when each is among them with probability p. */
static double subset_bits(double n, double k, double p)
{
    double bits = k > 0 ? -k * cairn_log2(p) : 0;
    return bits + (n - k > 0 ? -(n - k) * cairn_log2(1 - p) : 0);
}

/* Bits of the conditions of a rule; half, for conditions depend on each other. */
static double theory_bits(const stage *s, size_t n)
{
    double k = (double)n, bits;
    if (n == 0) return 0;
    bits = cairn_log2(k);
    if (k > 1) bits += 2 * cairn_log2(bits);
    return 0.5 * (bits + subset_bits(s->conditions, k, fmin(k / s->conditions, 0.5)));
}

/* Bits to say which of the covered rows are of another class and which of the others are not. */
static double exception_bits(double share, double cover, double uncover, double fp, double fn)
{
    double bits = cairn_log2(cover + uncover + 1), errors = fp + fn;
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
    if (s->rows->plain) return (double)__builtin_popcountll(bits);
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

/* What a condition gains in bits for the class, FOIL's way. */
static double foil_gain(const void *data, const double *counts, const double *before, size_t k)
{
    double p = counts[TARGET], total = p + counts[1];
    double old = before[TARGET], all = old + before[1];
    (void)data;
    (void)k;
    return p * (cairn_log2((p + 1) / (total + 1)) - cairn_log2((old + 1) / (all + 1)));
}

/* No more of the class, and a smaller share: a smaller gain. */
static bool gains_less(const void *data, const double *counts, const double *best, size_t k)
{
    (void)data;
    (void)k;
    return counts[TARGET] <= best[TARGET] &&
           (counts[TARGET] + 1) * (best[TARGET] + best[1] + 1) <
               (best[TARGET] + 1) * (counts[TARGET] + counts[1] + 1) * (1 - 1e-9);
}

/* The rule's growth is shown when there is a prefix for its values. */
static cairn_status grow(stage *s, cairn_conjunction *out, const uint32_t *rows, size_t n,
                         const char *prefix)
{
    cairn_rule_search search = {.rows = s->rows,
                                .beam = 1,
                                .least_cover = s->params->min_cover,
                                .seed_row = -1,
                                .target = TARGET,
                                .again = true,
                                .gains = true,
                                .upward = TARGET,
                                .score = foil_gain,
                                .worse = gains_less,
                                .data = s,
                                .steps = prefix ? s->steps : NULL,
                                .prefix = prefix,
                                .score_name = "gain in bits"};
    return cairn_rule_find(s->ctx, out, &search, rows, n);
}

/* Rows that a rule is grown on and pruned on; scratch, ascending. */
typedef struct division {
    uint32_t *grown, *pruned;
    size_t n_grown, n_pruned;
} division;

/* Divide rows at random, the class and the others each by themselves. */
static cairn_status divide(stage *s, division *out, const uint32_t *rows, size_t n)
{
    size_t *order = NULL;
    uint8_t *for_pruning = NULL;
    *out = (division){0};
    CHECK(SCRATCH_RAW_EACH(s->ctx, n, &out->grown, &out->pruned, &order));
    CHECK(SCRATCH(s->ctx, &for_pruning, n));
    for (int side = 0; side < 2 && s->params->pruning; side++) {
        size_t m = 0, folds = (size_t)s->params->folds;
        for (size_t i = 0; i < n; i++)
            if ((s->rows->classes[rows[i]] == TARGET) == (side == 1)) order[m++] = i;
        cairn_random_shuffle(&s->random, order, m);
        for (size_t i = 0; i < m / folds; i++) for_pruning[order[i]] = 1;
    }
    for (size_t i = 0; i < n; i++)
        if (for_pruning[i])
            out->pruned[out->n_pruned++] = rows[i];
        else
            out->grown[out->n_grown++] = rows[i];
    return CAIRN_OK;
}

/* How the first conditions of a rule do on the pruning rows. */
typedef struct worth {
    double p, n; /* covered rows of the class and of others */
    double value;
} worth;

/* For 0 to n conditions: the share of the class among what they cover, or (`whole`) what the list
 * then answers correctly. Returns the best length, of equals the least. */
static size_t prune(const stage *s, worth *worths, const cairn_literal *literals, size_t n,
                    const uint32_t *rows, size_t n_rows, bool whole)
{
    uint32_t *covered = s->covered;
    double others = 0, total = 0;
    size_t best = 0;
    if (!s->params->pruning || n_rows == 0) return n;
    for (size_t i = 0; i < n_rows; i++) {
        double weight = s->rows->weights[rows[i]];
        covered[i] = rows[i];
        total += weight;
        if (s->rows->classes[rows[i]] != TARGET) others += weight;
    }
    for (size_t length = 0; length <= n; length++) {
        worth w = {0};
        size_t left = 0;
        for (size_t i = 0; i < n_rows; i++) {
            uint32_t row = covered[i];
            if (length > 0 && !cairn_literal_holds(&literals[length - 1], s->rows, row)) continue;
            covered[left++] = row;
            *(s->rows->classes[row] == TARGET ? &w.p : &w.n) += s->rows->weights[row];
        }
        n_rows = left;
        w.value = whole ? (w.p + others - w.n) / total : (w.p + 1) / (w.p + w.n + 2);
        worths[length] = w;
        if (w.value > worths[best].value + 1e-12) best = length;
    }
    return best;
}

/* -- building -- */

/* Rows of the stage that no rule before `end` covers; ascending, scratch. */
static cairn_status uncovered(const stage *s, size_t end, uint32_t **out, size_t *n)
{
    CHECK(SCRATCH_RAW(s->ctx, out, s->n_all));
    *n = 0;
    for (size_t w = 0; w < s->n_words; w++) {
        uint64_t left = ~(uint64_t)0;
        if (w + 1 == s->n_words && s->n_all % BITS) left >>= BITS - s->n_all % BITS;
        for (size_t r = 0; r < end; r++) left &= ~s->rules[r].covers[w];
        for (; left; left &= left - 1)
            (*out)[(*n)++] = s->all[w * BITS + (size_t)__builtin_ctzll(left)];
    }
    return CAIRN_OK;
}

/* Whether the rule is right more often than not on these rows, and ever. */
static bool good_enough(const stage *s, const cairn_literal *literals, size_t n,
                        const uint32_t *rows, size_t n_rows)
{
    double p = 0, other = 0;
    for (size_t i = 0; i < n_rows; i++) {
        if (!rule_covers(s, literals, n, rows[i])) continue;
        if (s->rows->classes[rows[i]] == TARGET)
            p += s->rows->weights[rows[i]];
        else
            other += s->rows->weights[rows[i]];
    }
    return p > 0 && other < p;
}

/* Every shortening of the rule with its worth on rows that it was not grown on; the marked one
 * is kept. */
static void show_pruning(const stage *s, const worth *worths, const cairn_conjunction *found,
                         size_t kept, const division *d, const char *prefix)
{
    cairn_text text = cairn_text_start(s->ctx);
    cairn_rule_show_found(s->steps, found, s->rows, s->n_rules + 1, TARGET);
    if (!s->params->pruning || d->n_pruned == 0) return;
    cairn_report_table_of(s->steps, "Conditions kept, judged on the rows for pruning", 0, "lrrr",
                          "first conditions", s->rows->class_names[TARGET], "others",
                          "(p + 1)/(p + n + 2)");
    for (size_t length = 0; length <= found->n_literals; length++) {
        text.length = 0;
        cairn_literals_add(&text, found->literals, length, s->rows->schema);
        if (length == 0) cairn_text_add(&text, "none");
        if (length == kept) cairn_report_row_mark(s->steps);
        cairn_report_prefix(s->steps, "%s.prune%zu", prefix, length);
        cairn_report_cells(s->steps, "- @.p @.n @.worth", cairn_text_string(&text),
                           worths[length].p, worths[length].n, worths[length].value);
    }
    cairn_report_hidden(s->steps, (double)kept, "%s.kept", prefix);
    cairn_report_text_end(s->steps, &text);
}

/* One more rule; *ended when there is none worth having. */
static cairn_status add_rule(stage *s, bool *ended)
{
    SCOPED_SCRATCH(s->ctx);
    SCOPED(cairn_text_clear) cairn_text prefix = cairn_text_start(s->ctx);
    uint32_t *rest = NULL;
    worth *worths = NULL;
    size_t n, keep, n_target = 0;
    division d;
    cairn_conjunction found;
    *ended = true;
    CHECK(uncovered(s, s->n_rules, &rest, &n));
    for (size_t i = 0; i < n; i++) n_target += s->rows->classes[rest[i]] == TARGET;
    if (n_target == 0) return CAIRN_OK;
    CHECK(divide(s, &d, rest, n));
    cairn_report_step_begin(s->steps, "Rule %zu: %zu row%s left, %zu of %s %s; %zu to grow on",
                            s->n_rules + 1, n, n == 1 ? " is" : "s are", n_target,
                            n == 1 ? "it" : "them", s->rows->class_names[TARGET], d.n_grown);
    if (s->steps) cairn_text_addf(&prefix, "%s.rule%zu", s->key, s->n_rules + 1);
    const char *name = cairn_text_string(&prefix);
    CHECK(cairn_text_status(&prefix));
    CHECK(grow(s, &found, d.grown, d.n_grown, s->steps ? name : NULL));
    CHECK(SCRATCH(s->ctx, &worths, found.n_literals + 1));
    keep = prune(s, worths, found.literals, found.n_literals, d.pruned, d.n_pruned, false);
    if (s->steps) show_pruning(s, worths, &found, keep, &d, name);
    if (keep > 0 && good_enough(s, found.literals, keep, rest, n)) {
        /* Keep a rule unless the description gets too long. */
        CHECK(GROW(s->ctx, &s->rules, &s->buffer, s->n_rules + 1));
        CHECK(rule_make(s, &s->rules[s->n_rules], found.literals, keep));
        s->n_rules++;
        double bits = description(s, s->n_rules, NULL);
        cairn_report_value(s->steps, "description length in bits", bits, "%s.bits", name);
        *ended = s->params->pruning && bits > s->least + slack;
        if (*ended) {
            cairn_report_paragraph(s->steps,
                                   "That is more than %d bits above the least so far: the "
                                   "rule is left out and no further one is tried.",
                                   (int)slack);
            remove_rule(s, s->n_rules - 1);
        } else {
            s->least = fmin(s->least, bits);
        }
    } else
        cairn_report_paragraph(s->steps, keep ? "It is wrong more often than not: it is left out, "
                                                "and no further one is tried."
                                              : "Nothing is left of it: no further one is tried.");
    cairn_report_step_end(s->steps);
    return CAIRN_OK;
}

static cairn_status build(stage *s)
{
    bool ended = false;
    s->least = description(s, s->n_rules, NULL);
    while (!ended) {
        CHECK(cairn_tick(s->ctx, NULL, 0, 1));
        CHECK(add_rule(s, &ended));
    }
    return CAIRN_OK;
}

/* -- revising -- */

enum { GROWN_ON, GROWN_ANEW, N_VARIANTS };

/* A rule grown from the first n_base conditions of rule `at`, pruned for the whole list; *bits are
 * those of the list with it, infinity when nothing is left of it. */
static cairn_status make_variant(stage *s, rule *out, double *bits, size_t at, size_t n_base,
                                 const division *d)
{
    const rule *old = &s->rules[at];
    uint32_t *rows = NULL;
    cairn_literal *literals = NULL;
    worth *worths = NULL;
    cairn_conjunction found;
    size_t n = 0, keep;
    *bits = INFINITY;
    CHECK(SCRATCH_RAW(s->ctx, &rows, d->n_grown));
    for (size_t i = 0; i < d->n_grown; i++)
        if (rule_covers(s, old->literals, n_base, d->grown[i])) rows[n++] = d->grown[i];
    CHECK(grow(s, &found, rows, n, NULL));
    CHECK(SCRATCH_RAW(s->ctx, &literals, n_base + found.n_literals));
    if (n_base) memcpy(literals, old->literals, n_base * sizeof *literals);
    if (found.n_literals)
        memcpy(literals + n_base, found.literals, found.n_literals * sizeof *literals);
    n = n_base + found.n_literals;
    CHECK(SCRATCH(s->ctx, &worths, n + 1));
    keep = prune(s, worths, literals, n, d->pruned, d->n_pruned, true);
    if (keep == 0) return CAIRN_OK;
    CHECK(rule_make(s, out, literals, keep));
    *bits = description(s, at, out);
    return CAIRN_OK;
}

/* The rule as it is, grown on, or grown anew: with which the list is shortest; the first of
 * equals. */
static cairn_status revise_rule(stage *s, int pass, size_t at)
{
    cairn_scratch_mark mark = cairn_scratch_now(s->ctx);
    static const char *const words[] = {"grown on", "grown anew"};
    double old = description(s, s->n_rules, NULL), least = old - 1e-9, bits[N_VARIANTS];
    rule variants[N_VARIANTS] = {0};
    size_t n, best = N_VARIANTS;
    uint32_t *rows = NULL;
    division d;
    cairn_status status;
    TRY(uncovered(s, at, &rows, &n));
    TRY(divide(s, &d, rows, n));
    /* The rows for pruning without those that later rules cover, which are answered anyway. */
    size_t left = 0;
    for (size_t i = 0; i < d.n_pruned; i++) {
        bool covered = false;
        for (size_t r = at + 1; r < s->n_rules && !covered; r++)
            covered = rule_covers(s, s->rules[r].literals, s->rules[r].n, d.pruned[i]);
        if (!covered) d.pruned[left++] = d.pruned[i];
    }
    d.n_pruned = left;
    TRY(make_variant(s, &variants[GROWN_ANEW], &bits[GROWN_ANEW], at, 0, &d));
    TRY(make_variant(s, &variants[GROWN_ON], &bits[GROWN_ON], at, s->rules[at].n, &d));
    for (size_t v = 0; v < N_VARIANTS; v++) {
        if (!(bits[v] < least)) continue;
        best = v;
        least = bits[v];
    }
    if (s->steps) {
        const char *taken = best < N_VARIANTS ? words[best] : "as it is";
        cairn_report_prefix(s->steps, "%s.pass%d.rule%zu", s->key, pass, at + 1);
        cairn_report_cells(s->steps, "- @.bits @.anew @.on @.taken", (double)at + 1, old,
                           bits[GROWN_ANEW], bits[GROWN_ON], taken);
    }
    if (best < N_VARIANTS) {
        rule held = s->rules[at];
        s->rules[at] = variants[best];
        variants[best] = held;
    }
done:
    for (size_t v = 0; v < N_VARIANTS; v++) rule_clear(&variants[v]);
    cairn_scratch_release(s->ctx, mark);
    return status;
}

/* Rows by whether the list covers them, and those that it gets wrong. */
typedef struct balance {
    double cover, uncover, fp, fn;
} balance;

static double balance_bits(const stage *s, balance b)
{
    return exception_bits(s->share, b.cover, b.uncover, b.fp, b.fn);
}

/* From the last on, drop rules that are wrong at least as often as right on what they cover first,
 * or that take more bits than the exceptions that these rows would be. Rows that a later rule
 * would cover count as exceptions too, so that rules that share rows do not all go. */
static cairn_status drop_needless(stage *s)
{
    SCOPED_SCRATCH(s->ctx);
    balance *own = NULL, all;
    /* What each rule covers behind those before it (cover and fp), and all of them together. */
    CHECK(SCRATCH(s->ctx, &own, s->n_rules));
    all = (balance){0};
    for (size_t w = 0; w < s->n_words; w++) {
        uint64_t left = ~(uint64_t)0;
        if (w + 1 == s->n_words && s->n_all % BITS) left >>= BITS - s->n_all % BITS;
        for (size_t r = 0; r < s->n_rules; r++) {
            uint64_t bits = left & s->rules[r].covers[w];
            (own)[r].cover += weigh(s, bits, w);
            (own)[r].fp += weigh(s, bits & ~s->positive[w], w);
            left &= ~bits;
        }
        all.uncover += weigh(s, left, w);
        all.fn += weigh(s, left & s->positive[w], w);
    }
    for (size_t r = 0; r < s->n_rules; r++) {
        all.cover += (own)[r].cover;
        all.fp += (own)[r].fp;
    }
    for (size_t r = s->n_rules; r-- > 0;) {
        balance without = {all.cover - own[r].cover, all.uncover + own[r].cover, all.fp - own[r].fp,
                           all.fn + own[r].cover - own[r].fp};
        double bits = balance_bits(s, all) + theory_bits(s, s->rules[r].n);
        double fewer = balance_bits(s, without);
        if (fewer > bits && own[r].fp < 0.5 * own[r].cover) continue;
        cairn_report_paragraph(s->steps,
                               "Rule %zu goes: its rows as exceptions take no more bits "
                               "than it does, or it is wrong on half of them.",
                               r + 1);
        all = without;
        remove_rule(s, r);
    }
    s->least = description(s, s->n_rules, NULL);
    return CAIRN_OK;
}

static cairn_status revise(stage *s)
{
    static const char *const heads[] = {"rule", "bits with it", "grown anew", "grown on"};
    for (int pass = 1; pass <= s->params->passes && s->params->pruning; pass++) {
        cairn_report_step_begin(s->steps, "Pass %d of revision", pass);
        cairn_report_table_begin(s->steps, "Description with each rule and with its variants", 0);
        for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
            cairn_report_column(s->steps, heads[i], 'r');
        cairn_report_column(s->steps, "taken", 'l');
        for (size_t i = 0; i < s->n_rules; i++) CHECK(revise_rule(s, pass, i));
        CHECK(build(s));
        CHECK(drop_needless(s));
        cairn_report_step_end(s->steps);
    }
    return CAIRN_OK;
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
static cairn_status learn_class(stage *s, const cairn_rule_rows *all, int32_t target,
                                cairn_kept_rules *kept)
{
    cairn_scratch_mark mark = cairn_scratch_now(s->ctx);
    double target_weight = 0, total = 0;
    uint32_t *rest = NULL;
    cairn_rule_rows rows;
    size_t n;
    cairn_status status;
    TRY(cairn_rule_rows_against(s->ctx, &rows, all, target));
    s->rows = &rows;
    s->key = s->steps ? cairn_report_key(s->steps, rows.class_names[TARGET]) : "";
    s->n_words = (s->n_all + BITS - 1) / BITS;
    TRY(SCRATCH(s->ctx, &s->positive, s->n_words));
    for (size_t i = 0; i < s->n_all; i++) {
        double weight = rows.weights[s->all[i]];
        total += weight;
        if (rows.classes[s->all[i]] != TARGET) continue;
        s->positive[i / BITS] |= (uint64_t)1 << (i % BITS);
        target_weight += weight;
    }
    s->share = target_weight / total;
    cairn_report_step_begin(s->steps, "Rules for %s: %zu row%s left", rows.class_names[TARGET],
                            s->n_all, s->n_all == 1 ? " is" : "s are");
    TRY(build(s));
    TRY(revise(s));
    cairn_report_step_end(s->steps);
    for (size_t r = 0; r < s->n_rules; r++) {
        cairn_conjunction learned = {.literals = s->rules[r].literals,
                                     .n_literals = tidy(s->rules[r].literals, s->rules[r].n)};
        TRY(cairn_kept_add(s->ctx, kept, &learned, target));
    }
    TRY(uncovered(s, s->n_rules, &rest, &n));
    memcpy(s->all, rest, n * sizeof *rest);
    s->n_all = n;
done:
    while (s->n_rules > 0) remove_rule(s, s->n_rules - 1);
    cairn_scratch_release(s->ctx, mark);
    return status;
}

/* Classes are learned from rare to frequent, each against all later ones; what no rule covers is
 * of the most frequent. */
static cairn_status ripper_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    cairn_rule_rows rows;
    stage s = {.ctx = ctx, .params = job->params, .steps = job->steps};
    cairn_kept_rules kept = {0};
    class_size *classes = NULL;
    cairn_rule_draft *drafts = NULL;
    size_t k = job->n_classes;
    cairn_status status;
    TRY(cairn_rule_rows_make(ctx, &rows, job));
    TRY(SCRATCH(ctx, &classes, k));
    TRY(SCRATCH_EACH(ctx, rows.n, &s.all, &s.covered));
    for (size_t l = 0; l < k; l++) classes[l].code = (int32_t)l;
    for (size_t i = 0; i < rows.n; i++) {
        s.all[i] = (uint32_t)i;
        classes[rows.classes[i]].weight += rows.weights[i];
    }
    s.n_all = rows.n;
    /* Conditions that there are: a level is one, a place between two numbers two. */
    double n = 0;
    for (size_t c = 0; c < rows.n_columns; c++) {
        double bins = (double)rows.n_bins[c];
        n += rows.codes[c] ? bins : 2 * fmax(bins - 1, 0);
    }
    s.conditions = fmax(n, 2);
    cairn_random_start(&s.random, cairn_context_seed(ctx), 0);
    qsort(classes, k, sizeof *classes, by_weight);
    cairn_report_formula(s.steps,
                         "gain = p·(log₂ (p + 1)/(p + n + 1) − log₂ (P + 1)/(P + N + 1)), of "
                         "the P rows of the class and N others that the rule covers, p and "
                         "n stay with one more condition");
    for (size_t l = 0; l + 1 < k && s.n_all > 0; l++)
        if (classes[l].weight > 0) TRY(learn_class(&s, &rows, classes[l].code, &kept));
    TRY(cairn_kept_drafts(ctx, &drafts, &kept));
    drafts[kept.n].label = classes[k - 1].code;
    TRY(cairn_rules_make(ctx, model, drafts, kept.n + 1, true, job));
done:
    cairn_free(s.rules);
    cairn_kept_rules_clear(&kept);
    return status;
}

const cairn_learner cairn_ripper = {
    .entry =
        {.kind = CAIRN_ENTRY_LEARNER,
         .name = "ripper",
         .also = "JRip, IREP, repeated incremental pruning",
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
    .space = "passes=0,2\n"
             "min-cover=8,4,2,1",
    CAIRN_RULES_RECORD,
    CAIRN_RULES_ALONE,
    .fit = ripper_fit,
};
