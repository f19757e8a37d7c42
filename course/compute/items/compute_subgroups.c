/* SPDX-License-Identifier: MIT */
/* `cairn compute subgroups`: conjunctions of conditions whose rows have another share of a class
 * than all rows have.
 *
 * The subgroups are named by the user or searched: every conjunction of up to --max-literals
 * conditions
 * that covers enough rows, levels as they are, numbers at a few cuts. Rows of a condition are bits,
 * so a conjunction is an "and" of words. All measures are told for each: how far the corrected
 * precision is from the share of positives, how far the average recall is from one half, and how
 * many more positives there are than expected (weighted relative accuracy, which for the same rows
 * orders as average recall does). Each has a test of whether its share differs by chance only, and
 * the chances are corrected for the number of subgroups that were looked at.
 *
 * Weighted covering takes the best subgroup again and again, and after each time the rows that it
 * covers count less, so that others get their turn. */
#include "base/functions.h"
#include "base/sort_by.h"
#include "base/number.h"
#include "base/sort_by.h"
#include "model/calculator.h"
#include "typed/concept_data.h"
#include "typed/labels.h"
#include "data/schema.h"
#include "data/view.h"
#include "draw/contour.h"
#include "learners/rules/rule_search.h"
#include "parallel/parallel.h"
#include "report/table_rows.h"
#include "stats/distributions.h"
#include "stats/hypergeometric.h"
#include "stats/quantile.h"
#include "stats/significance.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { QUALITY_PRECISION, QUALITY_RECALL, QUALITY_ACCURACY, N_QUALITIES };
enum { TEST_NONE, TEST_FISHER, TEST_RATIO };
enum { FADE_FACTOR, FADE_COUNT };
enum { MOST_DEPTH = 5, MOST_GROUPS = 200000, MOST_ROUNDS = 1000, BLOCK_GROUPS = 64, BITS = 64 };
enum { MOST_DRAWN = 12, DRAWN_ROUNDS = 8 };
#define SAME 1e-12

typedef struct subgroups_params {
    const char *groups, *counts, *positive, *first;
    int quality, depth, cuts, beam, top, test, correct, fade, rounds;
    double min_size, level, factor, min_quality;
    bool covering;
} subgroups_params;

static const cairn_choice qualities[] = {
    {"precision", QUALITY_PRECISION, "|(a + 1)/(a + b + 2) − share of positives|"},
    {"recall", QUALITY_RECALL,
     "|(a/P + 1 − b/N)/2 − ½|: a subgroup and its complement are as good"},
    {"wracc", QUALITY_ACCURACY,
     "weighted relative accuracy, |a/n − (a + b)/n·P/n|: ordered as by recall"},
    {NULL, 0, NULL},
};
static const cairn_choice tests[] = {
    {"fisher", TEST_FISHER,
     "Fisher's exact test, twice the smaller side; weights that are no whole numbers get the "
     "likelihood ratio"},
    {"ratio", TEST_RATIO, "likelihood ratio 2·Σ o·ln(o/e) against chi-squared"},
    {"none", TEST_NONE, "no test"},
    {NULL, 0, NULL},
};
static const cairn_choice fades[] = {
    {"factor", FADE_FACTOR, "its weight is multiplied by --factor"},
    {"count", FADE_COUNT, "it counts 1/(1 + i) after it was covered i times"},
    {NULL, 0, NULL},
};
static const cairn_param subgroups_table[] = {
    CAIRN_PARAM(subgroups_params, groups, NULL, NULL,
                "subgroups to judge: conditions such as 'a = x; a = x & b > 2'; without it they "
                "are searched"),
    CAIRN_PARAM(subgroups_params, counts, NULL, NULL,
                "typed coverages 'a,b;a,b;...' (positives, negatives), all rows first"),
    CAIRN_PARAM(subgroups_params, positive, NULL, NULL, "the class that subgroups are about"),
    CAIRN_PARAM_CHOICE(subgroups_params, quality, "recall", qualities,
                       "what they are ranked by; all are reported"),
    CAIRN_PARAM_CALLED("max_literals", subgroups_params, depth, "2", "[1,5]",
                       "most conditions of a searched subgroup", .when = "!groups,!counts",
                       .was = "depth"),
    CAIRN_PARAM(subgroups_params, cuts, "4", "[1,100]",
                "cuts of a number column in the search, at quantiles", .when = "!groups,!counts"),
    CAIRN_PARAM(subgroups_params, beam, "0", "[0,inf)",
                "the search refines this many of the best subgroups of each length only; 0 = all",
                .when = "!groups,!counts"),
    CAIRN_PARAM(subgroups_params, min_size, "1", "[0,inf)", "least weight of rows of a subgroup"),
    CAIRN_PARAM(subgroups_params, top, "20", "[1,inf)", "how many searched subgroups are listed",
                .when = "!groups,!counts"),
    CAIRN_PARAM_CHOICE(subgroups_params, test, "fisher", tests,
                       "whether the share of positives differs by chance only"),
    CAIRN_PARAM_CHOICE(subgroups_params, correct, "holm", cairn_corrections,
                       "correction for all subgroups that were looked at"),
    CAIRN_PARAM_CALLED(
        "alpha", subgroups_params, level, "1", "(0,1]",
        "only subgroups whose corrected p is at most this are listed and covered with",
        .was = "level"),
    CAIRN_PARAM(subgroups_params, covering, "no", NULL,
                "weighted covering: one subgroup after the other, covered rows count less"),
    CAIRN_PARAM_CHOICE(subgroups_params, fade, "factor", fades, "what a covered row counts",
                       .when = "covering"),
    CAIRN_PARAM(subgroups_params, factor, "0.5", "[0,1)",
                "what the weight of a covered row is multiplied by",
                .when = "covering,fade=factor"),
    CAIRN_PARAM(subgroups_params, first, NULL, NULL,
                "the subgroup that covering begins with, in place of the best", .when = "covering"),
    CAIRN_PARAM(subgroups_params, min_quality, "0", "[0,inf)",
                "covering ends when the best quality is below this", .when = "covering"),
    CAIRN_PARAM(subgroups_params, rounds, "0", "[0,1000]",
                "most rounds of covering; 0 = until no row has its full weight or the best one "
                "comes again",
                .when = "covering"),
    CAIRN_PARAM_END,
};

/* One condition and its rows. */
typedef struct literal {
    cairn_condition condition;
    uint64_t *rows;
} literal;

typedef struct group {
    uint32_t literals[MOST_DEPTH];
    size_t n;
    uint64_t *rows; /* of named groups, whose conditions may be many; else NULL */
    char *name;     /* named groups; else NULL */
    double size;    /* plain weight of its rows */
    double positives, negatives;
    double precision, recall, accuracy;
    double quality[N_QUALITIES];
    size_t low[N_QUALITIES], high[N_QUALITIES]; /* ranks from 1 */
    double p, corrected;
} group;

typedef struct search {
    cairn_context *ctx;
    const subgroups_params *params;
    const cairn_view *view;
    cairn_schema schema;
    cairn_classes classes;
    size_t n_rows, n_words;
    int32_t positive;
    double *weights; /* n_rows: as they count now */
    double *plain;   /* n_rows: as they are in the data */
    uint8_t *is_positive;
    uint64_t *live, *positive_rows; /* bits: rows with weight, positives among them */
    uint32_t *covered;              /* n_rows: how often */
    bool counted;                   /* weights are 1 or 0 */
    bool whole;                     /* plain weights are whole numbers */
    literal *literals;
    size_t n_literals, literal_buffer;
    group *groups;
    size_t n_groups, group_buffer;
    double positives, negatives; /* totals of the weights */
} search;

/* -- judging -- */

static void judge(group *g, double positives, double negatives)
{
    double all = positives + negatives, share = positives / all;
    double size = g->positives + g->negatives;
    g->precision = (g->positives + 1) / (size + 2);
    g->recall = (g->positives / positives + 1 - g->negatives / negatives) / 2;
    g->accuracy = g->positives / all - size / all * share;
    g->quality[QUALITY_PRECISION] = fabs(g->precision - share);
    g->quality[QUALITY_RECALL] = fabs(g->positives / positives - g->negatives / negatives) / 2;
    g->quality[QUALITY_ACCURACY] = fabs(g->accuracy);
}

/* The chance of a share at least as far from that of all rows. */
static double chance(const group *g, double positives, double negatives, bool exact)
{
    double size = g->positives + g->negatives, all = positives + negatives;
    double counts[2] = {g->positives, g->negatives}, totals[2] = {positives, negatives};
    double rest[2] = {positives - g->positives, negatives - g->negatives};
    if (!exact) {
        double ratio = cairn_rule_test(counts, totals, 2, -1).statistic +
                       cairn_rule_test(rest, totals, 2, -1).statistic;
        return cairn_chi2_upper(ratio, 1);
    }
    double more = cairn_hypergeometric_upper((uint64_t)g->positives, (uint64_t)positives,
                                             (uint64_t)size, (uint64_t)all);
    double less = cairn_hypergeometric_upper((uint64_t)g->negatives, (uint64_t)negatives,
                                             (uint64_t)size, (uint64_t)all);
    return fmin(1, 2 * fmin(more, less));
}

typedef struct placed {
    double quality;
    size_t at;
} placed;

static int by_quality(const void *a, const void *b)
{
    const placed *p = a, *q = b;
    if (p->quality != q->quality) return p->quality > q->quality ? -1 : 1;
    return p->at < q->at ? -1 : p->at > q->at;
}

/* Order by quality, and ranks with ties as ranges. Equal but for rounding is equal. */
static cairn_status rank(cairn_context *ctx, placed **out, group *groups, size_t n, int quality)
{
    placed *order = NULL;
    CHECK(SCRATCH_RAW(ctx, &order, n));
    for (size_t i = 0; i < n; i++) {
        double q = groups[i].quality[quality];
        order[i] = (placed){isnan(q) ? -1 : round(q / SAME) * SAME, i};
    }
    if (n) qsort(order, n, sizeof *order, by_quality);
    for (size_t i = 0; i < n;) {
        size_t end = i + 1;
        while (end < n && order[i].quality - order[end].quality <= SAME) end++;
        for (size_t j = i; j < end; j++) {
            groups[order[j].at].low[quality] = i + 1;
            groups[order[j].at].high[quality] = end;
        }
        i = end;
    }
    *out = order;
    return CAIRN_OK;
}

/* -- rows of conditions -- */

static bool holds(const cairn_condition *c, const cairn_column *column, size_t row)
{
    double x = column->kind == CAIRN_LEVEL ? column->codes[row] : column->numbers[row], with;
    bool level = column->kind == CAIRN_LEVEL, among = false;
    if (level ? column->codes[row] < 0 : isnan(x)) return c->relation == CAIRN_IS_MISSING;
    for (size_t i = 0; level && i < c->n_levels; i++) among |= c->levels[i] == column->codes[row];
    with = level && c->n_levels ? c->levels[0] : c->number;
    if (level && c->relation == CAIRN_EQUAL) return among;
    if (level && c->relation == CAIRN_UNEQUAL) return !among;
    return cairn_relation_holds(c->relation, x, with);
}

static cairn_status mark_rows(search *s, uint64_t **out, const cairn_condition *conditions,
                              size_t n)
{
    CHECK(SCRATCH(s->ctx, out, s->n_words));
    for (size_t i = 0; i < s->n_rows; i++) {
        bool all = true;
        for (size_t c = 0; c < n && all; c++)
            all = holds(&conditions[c], s->view->features[conditions[c].column],
                        cairn_view_row(s->view, i));
        if (all) (*out)[i / BITS] |= (uint64_t)1 << (i % BITS);
    }
    return CAIRN_OK;
}

/* Rows of a group, 64 at a time. */
static uint64_t group_word(const search *s, const group *g, size_t word)
{
    if (g->rows) return g->rows[word];
    uint64_t bits = s->literals[g->literals[0]].rows[word];
    for (size_t l = 1; l < g->n; l++) bits &= s->literals[g->literals[l]].rows[word];
    return bits;
}

/* Without weights a group is counted by bits; with weights, which covering changes from round to
 * round, row by row. */
static void cover(const search *s, group *g)
{
    g->size = g->positives = g->negatives = 0;
    for (size_t w = 0; s->counted && w < s->n_words; w++) {
        uint64_t bits = group_word(s, g, w);
        g->size += (double)__builtin_popcountll(bits & s->live[w]);
        g->positives += (double)__builtin_popcountll(bits & s->positive_rows[w]);
    }
    g->negatives = g->size - g->positives;
    if (s->counted) return;
    g->negatives = 0;
    for (size_t w = 0; w < s->n_words; w++)
        for (uint64_t bits = group_word(s, g, w); bits; bits &= bits - 1) {
            size_t row = w * BITS + (size_t)__builtin_ctzll(bits);
            g->size += s->plain[row];
            if (s->is_positive[row])
                g->positives += s->weights[row];
            else
                g->negatives += s->weights[row];
        }
}

static void cover_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const search *s = data;
    (void)block;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        cover(s, &s->groups[i]);
        judge(&s->groups[i], s->positives, s->negatives);
    }
}

static cairn_status cover_from(search *s, size_t first)
{
    search part = *s;
    part.groups += first;
    return cairn_blocks(s->ctx, s->n_groups - first, BLOCK_GROUPS, cover_block, &part);
}

static void add_totals(search *s)
{
    s->positives = s->negatives = 0;
    for (size_t i = 0; i < s->n_rows; i++)
        if (s->is_positive[i])
            s->positives += s->weights[i];
        else
            s->negatives += s->weights[i];
}

/* -- groups -- */

static void add_conditions(cairn_text *out, const search *s, const cairn_condition *conditions,
                           size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (i) cairn_text_add(out, " & ");
        cairn_condition_add(out, &conditions[i], &s->schema);
    }
    if (n == 0) cairn_text_add(out, "true");
}

static void add_name(cairn_text *out, const search *s, const group *g)
{
    if (g->name) {
        cairn_text_add(out, g->name);
        return;
    }
    for (size_t i = 0; i < g->n; i++) {
        if (i) cairn_text_add(out, " & ");
        cairn_condition_add(out, &s->literals[g->literals[i]].condition, &s->schema);
    }
}

static cairn_status new_group(search *s, group g)
{
    if (s->n_groups >= MOST_GROUPS)
        return cairn_fail(s->ctx, CAIRN_BAD_DATA,
                          "there are more than %d subgroups of that size; raise {min-size}, or "
                          "lower {max-literals}, {cuts} or {beam}",
                          MOST_GROUPS);
    CHECK(GROW(s->ctx, &s->groups, &s->group_buffer, s->n_groups + 1));
    s->groups[s->n_groups++] = g;
    return CAIRN_OK;
}

/* "a = x; a = x & b > 2" */
static cairn_status read_groups(search *s, const char *option, const char *text)
{
    cairn_given given = {.name = option, .text = text, .length = strlen(text)};
    cairn_word *words = NULL;
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(s->ctx);
    CHECK(cairn_given_words(s->ctx, &given, &words));
    for (const cairn_word *at = words; at->kind != CAIRN_WORD_END;) {
        cairn_condition *conditions = NULL;
        group g = {0};
        if (at->kind == CAIRN_WORD_LINE || cairn_word_is(at, ";")) {
            at++;
            continue;
        }
        CHECK(cairn_conditions_read(s->ctx, &given, &at, &s->schema, &conditions, &g.n));
        if (at->kind != CAIRN_WORD_LINE && at->kind != CAIRN_WORD_END && !cairn_word_is(at, ";"))
            CHECK(cairn_given_fail(s->ctx, &given, at->at, "'&' or ';' is expected here"));
        CHECK(mark_rows(s, &g.rows, conditions, g.n));
        name.length = 0;
        add_conditions(&name, s, conditions, g.n);
        CHECK(cairn_text_status(&name));
        CHECK(SCRATCH(s->ctx, &g.name, name.length + 1));
        memcpy(g.name, name.bytes, name.length);
        CHECK(new_group(s, g));
    }
    if (s->n_groups == 0) CHECK(cairn_fail(s->ctx, CAIRN_USAGE, "%s names no subgroup", option));
    return CAIRN_OK;
}

static cairn_status add_literal(search *s, cairn_condition condition, int32_t level)
{
    CHECK(GROW(s->ctx, &s->literals, &s->literal_buffer, s->n_literals + 1));
    literal *l = &s->literals[s->n_literals];
    *l = (literal){.condition = condition};
    if (condition.relation == CAIRN_EQUAL) {
        CHECK(SCRATCH(s->ctx, &l->condition.levels, 1));
        l->condition.levels[0] = level;
        l->condition.n_levels = 1;
    }
    CHECK(mark_rows(s, &l->rows, &l->condition, 1));
    s->n_literals++;
    return CAIRN_OK;
}

/* Cuts are at quantiles that occur; one at the largest value would leave nothing above it, and
 * repeated ones are dropped. */
static cairn_status cut_column(search *s, size_t c)
{
    const cairn_column *column = s->view->features[c];
    double *values = NULL, last = NAN;
    size_t n = 0, cuts = (size_t)s->params->cuts;
    CHECK(SCRATCH_RAW(s->ctx, &values, s->n_rows));
    for (size_t i = 0; i < s->n_rows; i++) {
        double x = column->numbers[cairn_view_row(s->view, i)];
        if (isfinite(x)) values[n++] = x;
    }
    if (n == 0) return CAIRN_OK;
    qsort(values, n, sizeof *values, cairn_by_number);
    for (size_t i = 1; i <= cuts; i++) {
        double at = cairn_quantile(values, n, (double)i / ((double)cuts + 1), CAIRN_QUANTILE_LOWER);
        if (at == last || !(at < values[n - 1])) continue;
        last = at;
        cairn_condition condition = {.column = c, .number = at, .relation = CAIRN_AT_MOST};
        CHECK(add_literal(s, condition, -1));
        condition.relation = CAIRN_ABOVE;
        CHECK(add_literal(s, condition, -1));
    }
    return CAIRN_OK;
}

/* Whether the literal can stand behind those of the group. */
static bool fits(const search *s, const group *g, size_t l)
{
    const cairn_condition *new = &s->literals[l].condition;
    for (size_t i = 0; i < g->n; i++) {
        const cairn_condition *old = &s->literals[g->literals[i]].condition;
        if (old->column == new->column &&
            (new->relation == CAIRN_EQUAL || old->relation == new->relation))
            return false;
    }
    return true;
}

static int by_place(const void *a, const void *b)
{
    uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;
    return (p > q) - (p < q);
}

/* Whether a condition of the group changes nothing: without it the same rows are covered. Then the
 * same is true of every longer group, so that none is lost, and the order of the columns does not
 * matter. */
static bool is_redundant(const search *s, const group *g)
{
    for (size_t i = 0; i < g->n && g->n > 1; i++) {
        group shorter = {.n = g->n - 1};
        memcpy(shorter.literals, g->literals, i * sizeof *g->literals);
        memcpy(shorter.literals + i, g->literals + i + 1, (g->n - 1 - i) * sizeof *g->literals);
        cover(s, &shorter);
        if (g->size >= shorter.size) return true;
    }
    return false;
}

/* The group with one more condition, if that is large enough, needs all its conditions and is
 * new. */
static cairn_status try_longer(search *s, size_t from, size_t l, cairn_map *known)
{
    group g = s->groups[from];
    size_t before = known->n, at;
    if (!fits(s, &g, l)) return CAIRN_OK;
    g.literals[g.n++] = (uint32_t)l;
    if (s->params->beam > 0) {
        qsort(g.literals, g.n, sizeof *g.literals, by_place);
        CHECK(
            cairn_map_add(s->ctx, known, (const char *)g.literals, g.n * sizeof *g.literals, &at));
        if (known->n == before) return CAIRN_OK;
    }
    cover(s, &g);
    if (!(g.size > 0) || g.size < s->params->min_size || is_redundant(s, &g)) return CAIRN_OK;
    judge(&g, s->positives, s->negatives);
    return new_group(s, g);
}

/* Conjunctions that are large enough, by number of conditions; smaller ones cannot grow. */
static cairn_status find_groups(search *s)
{
    size_t from = 0, n = 0;
    uint32_t *refined = NULL;
    SCOPED(cairn_map_clear) cairn_map known = {0};
    for (size_t c = 0; c < s->view->n_features; c++) {
        const cairn_column *column = s->view->features[c];
        cairn_condition condition = {.column = c, .relation = CAIRN_EQUAL};
        if (column->kind == CAIRN_NUMBER || column->kind == CAIRN_TIME) CHECK(cut_column(s, c));
        for (size_t l = 0; column->kind == CAIRN_LEVEL && l < column->names.n; l++)
            CHECK(add_literal(s, condition, (int32_t)l));
    }
    for (size_t l = 0; l < s->n_literals; l++) {
        group g = {.literals = {(uint32_t)l}, .n = 1};
        cover(s, &g);
        judge(&g, s->positives, s->negatives);
        if (g.size > 0 && g.size >= s->params->min_size) CHECK(new_group(s, g));
    }
    for (int depth = 2; depth <= s->params->depth; depth++) {
        /* Which of the groups from `from` on are refined: all, or the best few. */
        placed *order = NULL;
        n = s->n_groups - from;
        CHECK(SCRATCH_RAW(s->ctx, &refined, n));
        for (size_t i = 0; i < n; i++) (refined)[i] = (uint32_t)(from + i);
        if (s->params->beam != 0) {
            CHECK(rank(s->ctx, &order, s->groups + from, n, s->params->quality));
            if (n > (size_t)s->params->beam) n = (size_t)s->params->beam;
            for (size_t i = 0; i < n; i++) (refined)[i] = (uint32_t)(from + order[i].at);
        }
        from = s->n_groups;
        for (size_t i = 0; i < n; i++) {
            CHECK(cairn_tick(s->ctx, "subgroups", (double)i, (double)n));
            size_t last = s->groups[refined[i]].literals[depth - 2];
            for (size_t l = s->params->beam ? 0 : last + 1; l < s->n_literals; l++)
                CHECK(try_longer(s, refined[i], l, &known));
        }
    }
    if (s->n_groups == 0)
        CHECK(cairn_fail(s->ctx, CAIRN_BAD_DATA,
                         "no subgroup is as large as {min-size} asks for; lower it"));
    return CAIRN_OK;
}

/* -- tests -- */

typedef struct testing {
    const search *s;
    double *p;
} testing;

static void test_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const testing *t = data;
    const search *s = t->s;
    bool exact = s->params->test == TEST_FISHER && s->whole;
    (void)block;
    (void)worker;
    for (size_t i = begin; i < end; i++)
        t->p[i] = chance(&s->groups[i], s->positives, s->negatives, exact);
}

/* Chances of all groups by the plain weights, corrected; those above the level go. */
static cairn_status test_groups(search *s)
{
    testing t = {.s = s};
    double *corrected = NULL;
    size_t kept = 0;
    for (size_t i = 0; i < s->n_groups; i++) s->groups[i].p = s->groups[i].corrected = NAN;
    if (s->params->test == TEST_NONE) return CAIRN_OK;
    CHECK(SCRATCH_RAW_EACH(s->ctx, s->n_groups, &t.p, &corrected));
    CHECK(cairn_blocks(s->ctx, s->n_groups, BLOCK_GROUPS, test_block, &t));
    CHECK(
        cairn_correct_p(s->ctx, corrected, t.p, s->n_groups, (cairn_correction)s->params->correct));
    for (size_t i = 0; i < s->n_groups; i++) {
        s->groups[i].p = t.p[i];
        s->groups[i].corrected = corrected[i];
        if (corrected[i] <= s->params->level) s->groups[kept++] = s->groups[i];
    }
    if (kept == 0)
        CHECK(cairn_fail(
            s->ctx, CAIRN_NO_SOLUTION,
            "no subgroup is significant at {alpha}; raise it, or give another {correct}"));
    s->n_groups = kept;
    return CAIRN_OK;
}

/* -- showing -- */

static void rank_cell(cairn_report *out, const group *g, int quality, const char *prefix,
                      const char *key, const char *what)
{
    cairn_text text = cairn_text_start(cairn_report_context(out));
    size_t low = g->low[quality], high = g->high[quality];
    cairn_text_addf(&text, low == high ? "%zu" : "%zu-%zu", low, high);
    cairn_report_cell_word(out, cairn_text_string(&text), "%s.%s.%s", prefix, key, what);
    cairn_report_failed(out, cairn_text_status(&text));
    cairn_text_clear(&text);
}

/* One row; ranks by precision and recall. */
static void show_group(cairn_report *out, const search *s, const group *g, const char *name,
                       const char *prefix)
{
    const char *key = cairn_report_key(out, name);
    double size = g->positives + g->negatives, all = s->positives + s->negatives;
    cairn_report_prefix(out, "%s", prefix);
    cairn_report_cells(out,
                       "- @.$1.positives @.$1.negatives @.$1.share:4 @.$1.lift:4 @.$1.precision:4 "
                       "@.$1.quality_precision:4",
                       name, g->positives, g->negatives, g->positives / size,
                       g->positives / size / (s->positives / all), g->precision,
                       g->quality[QUALITY_PRECISION]);
    rank_cell(out, g, QUALITY_PRECISION, prefix, key, "rank_precision");
    cairn_report_cell_number(out, g->recall, 4, "%s.%s.recall", prefix, key);
    cairn_report_cell_number(out, g->quality[QUALITY_RECALL], 4, "%s.%s.quality_recall", prefix,
                             key);
    rank_cell(out, g, QUALITY_RECALL, prefix, key, "rank_recall");
}

/* Size, accuracy and test of one row. */
static void show_test(cairn_report *out, const search *s, const group *g, const char *name,
                      const char *prefix)
{
    const char *key = cairn_report_key(out, name);
    double size = g->positives + g->negatives, all = s->positives + s->negatives;
    cairn_report_prefix(out, "%s", prefix);
    cairn_report_cells(out, "- @.$1.size @.$1.coverage:4 @.$1.wracc:4", name, size, size / all,
                       g->accuracy);
    rank_cell(out, g, QUALITY_ACCURACY, prefix, key, "rank_wracc");
    if (s->params->test == TEST_NONE || isnan(g->p)) return;
    cairn_report_cell_number(out, g->p, 4, "%s.%s.p", prefix, key);
    cairn_report_cell_number(out, g->corrected, 4, "%s.%s.p_corrected", prefix, key);
}

/* One table of all groups, or of the first in the order of the chosen measure. */
static cairn_status list_groups(search *s, cairn_report *out, const placed *order,
                                const char *prefix, bool in_order, bool sizes, size_t best)
{
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(s->ctx);
    for (size_t i = 0; i < s->n_groups && cairn_report_row_wanted(out); i++) {
        size_t at = in_order ? i : order[i].at;
        name.length = 0;
        add_name(&name, s, &s->groups[at]);
        if (at == best) cairn_report_row_mark(out);
        (sizes ? show_test : show_group)(out, s, &s->groups[at], cairn_text_string(&name), prefix);
    }
    return cairn_text_status(&name);
}

/* The best by the chosen measure is left in *best. Sizes and tests are told of the plain rows
 * only. */
static cairn_status show_groups(search *s, cairn_report *out, const char *title, const char *prefix,
                                bool in_order, bool sizes, size_t *best)
{
    placed *other = NULL, *chosen = NULL;
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(s->ctx);
    size_t n = s->n_groups, top = in_order ? n : (size_t)s->params->top;
    if (top > 1000) top = 1000;
    for (int quality = 0; quality < N_QUALITIES; quality++)
        CHECK(rank(s->ctx, &other, s->groups, n, quality));
    CHECK(rank(s->ctx, &chosen, s->groups, n, s->params->quality));
    *best = chosen[0].at;
    if (sizes)
        cairn_report_paragraph(
            out,
            "%s by %s. Of a subgroup of a positives and b negatives, precision is "
            "(a + 1)/(a + b + 2) and qp its distance from the share of positives; qr is the "
            "distance of the average recall from ½. Equal ones share a range of ranks.",
            in_order ? "In the order given; * is the best" : "The best first,",
            s->params->quality == QUALITY_PRECISION ? "precision"
            : s->params->quality == QUALITY_RECALL  ? "recall"
                                                    : "weighted relative accuracy");
    static const char *const heads[] = {"+",  "−",      "share",  "lift", "precision",
                                        "qp", "rank p", "recall", "qr",   "rank r"};
    cairn_report_table_of(out, title, top, "l", "subgroup");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        cairn_report_column(out, heads[i], 'r');
    CHECK(list_groups(s, out, chosen, prefix, in_order, false, *best));
    if (sizes) {
        bool tested = s->params->test != TEST_NONE;
        cairn_report_table_of(out, "Sizes and chances", top, "lrrrr", "subgroup", "size", "of all",
                              "WRAcc", "rank");
        if (tested) {
            cairn_report_columns(
                out, "rr", s->params->test == TEST_FISHER && s->whole ? "p (Fisher)" : "p (ratio)",
                cairn_corrections[s->params->correct].name);
        }
        CHECK(list_groups(s, out, chosen, prefix, in_order, true, *best));
    }
    add_name(&name, s, &s->groups[*best]);
    cairn_report_hidden_word(out, cairn_text_string(&name), "%s.best", prefix);
    return cairn_text_status(&name);
}

/* The quality of a group of y positives and x negatives. */
static double quality_at(const void *data, double x, double y)
{
    const search *s = data;
    group g = {.positives = fmin(y, s->positives), .negatives = fmin(x, s->negatives)};
    judge(&g, s->positives, s->negatives);
    return g.quality[s->params->quality];
}

/* The coverage plot of all rows with lines of equal quality, on both sides of the diagonal. */
static cairn_status new_plot(search *s, cairn_figure **out, const char *name, const char *title)
{
    enum { LINES = 8 };
    cairn_contour_grid grid;
    double low, high, levels[LINES];
    CHECK(cairn_figure_new(s->ctx, out, name, title));
    cairn_figure_size(*out, 480, 420);
    cairn_figure_axes(*out, "negatives covered", "positives covered");
    cairn_figure_coverage_box(*out, s->negatives, s->positives);
    CHECK(cairn_contour_sample(s->ctx, &grid, quality_at, s, s->negatives, s->positives, &low,
                               &high));
    for (int i = 0; i < LINES; i++) levels[i] = low + (high - low) * (i + 1) / (LINES + 1);
    if (high > low) CHECK(cairn_contour_add(s->ctx, *out, NULL, &grid, levels, LINES));
    return CAIRN_OK;
}

/* Points with the names of their groups; of groups at the same place the first is named. */
static cairn_status add_points(search *s, cairn_figure *f, const size_t *at, size_t n)
{
    double x[MOST_DRAWN], y[MOST_DRAWN];
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(s->ctx);
    for (size_t i = 0; i < n; i++) {
        x[i] = s->groups[at[i]].negatives;
        y[i] = s->groups[at[i]].positives;
    }
    for (size_t i = 0; i < n; i++) {
        size_t before = 0, after = 0;
        for (size_t j = 0; j < n; j++)
            if (j != i && x[j] == x[i] && y[j] == y[i]) ++*(j < i ? &before : &after);
        if (before) continue;
        name.length = 0;
        add_name(&name, s, &s->groups[at[i]]);
        if (after) cairn_text_addf(&name, " and %zu more", after);
        cairn_figure_label(f, x[i], y[i], cairn_text_string(&name));
    }
    cairn_figure_points(f, x, y, NULL, n, NULL, 0);
    return cairn_text_status(&name);
}

/* The best groups as points of a coverage plot. */
static cairn_status draw_groups(search *s, cairn_report *out)
{
    placed *order = NULL;
    size_t at[MOST_DRAWN], n = s->n_groups < MOST_DRAWN ? s->n_groups : MOST_DRAWN;
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    if (!(s->positives > 0 && s->negatives > 0)) return CAIRN_OK;
    CHECK(rank(s->ctx, &order, s->groups, s->n_groups, s->params->quality));
    CHECK(new_plot(s, &figure, "coverage", "Subgroups and lines of equal quality"));
    for (size_t i = 0; i < n; i++) at[i] = order[i].at;
    CHECK(add_points(s, figure, at, n));
    cairn_report_page_figure(out, figure);
    figure = NULL;
    return CAIRN_OK;
}

/* -- covering -- */

static bool any_full(const search *s)
{
    for (size_t i = 0; i < s->n_rows; i++)
        if (s->plain[i] > 0 && s->weights[i] == s->plain[i]) return true;
    return false;
}

static void fade(search *s, const group *g)
{
    for (size_t w = 0; w < s->n_words; w++)
        for (uint64_t bits = group_word(s, g, w); bits; bits &= bits - 1) {
            size_t row = w * BITS + (size_t)__builtin_ctzll(bits);
            s->covered[row]++;
            if (s->params->fade == FADE_COUNT)
                s->weights[row] = s->plain[row] / (1.0 + s->covered[row]);
            else
                s->weights[row] *= s->params->factor;
        }
    s->counted = false;
    add_totals(s);
}

/* What has been covered how often: rows by their weight, heaviest first. */
static void show_weights(const search *s, cairn_report *out, const char *prefix)
{
    size_t most = 0;
    for (size_t i = 0; i < s->n_rows; i++)
        if (s->plain[i] > 0 && s->covered[i] > most) most = s->covered[i];
    cairn_report_table_of(out, "Rows by weight after the round", 50, "rrrr", "covered", "weight",
                          "+", "−");
    for (size_t times = 0; times <= most && cairn_report_row_wanted(out); times++) {
        double sums[2] = {0, 0};
        for (size_t i = 0; i < s->n_rows; i++)
            if (s->covered[i] == times) sums[s->is_positive[i] ? 0 : 1] += s->plain[i];
        double weight = s->params->fade == FADE_COUNT ? 1 / (1 + (double)times)
                                                      : cairn_pow(s->params->factor, (double)times);
        cairn_report_prefix(out, "%s.covered%zu", prefix, times);
        cairn_report_cells(out, "- - @.positives @.negatives", (double)times, weight, sums[0],
                           sums[1]);
    }
}

/* A row of the summary. */
typedef struct taken {
    size_t at;
    double positives, negatives, quality;
} taken;

/* Counts at the time of choosing are by the weights left over; the last two columns are those of
 * all rows. */
static cairn_status show_taken(search *s, cairn_report *out, const taken *list, size_t n)
{
    static const char *const heads[] = {"weighted +", "weighted −", "quality", "+", "−"};
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(s->ctx);
    cairn_report_table_of(out, "Subgroups taken", 0, "rl", "round", "subgroup");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        cairn_report_column(out, heads[i], 'r');
    for (size_t i = 0; i < n; i++) {
        double sums[2] = {0, 0};
        for (size_t row = 0; row < s->n_rows; row++)
            if (group_word(s, &s->groups[list[i].at], row / BITS) >> (row % BITS) & 1)
                sums[s->is_positive[row] ? 0 : 1] += s->plain[row];
        name.length = 0;
        add_name(&name, s, &s->groups[list[i].at]);
        cairn_report_prefix(out, "taken%zu", i + 1);
        cairn_report_cells(
            out,
            "- @.group @.weighted.positives @.weighted.negatives @.quality @.positives @.negatives",
            (double)i + 1, cairn_text_string(&name), list[i].positives, list[i].negatives,
            list[i].quality, sums[0], sums[1]);
    }
    return cairn_text_status(&name);
}

/* The best groups of a round where they were before it. */
typedef struct moved_groups {
    size_t at[MOST_DRAWN], n;
    double p[MOST_DRAWN], m[MOST_DRAWN]; /* positives and negatives */
    double positives, negatives;         /* of all rows */
} moved_groups;

static cairn_status note_places(search *s, moved_groups *out)
{
    placed *order = NULL;
    CHECK(rank(s->ctx, &order, s->groups, s->n_groups, s->params->quality));
    out->n = s->n_groups < MOST_DRAWN ? s->n_groups : MOST_DRAWN;
    out->positives = s->positives;
    out->negatives = s->negatives;
    for (size_t i = 0; i < out->n; i++) {
        out->at[i] = order[i].at;
        out->p[i] = s->groups[order[i].at].positives;
        out->m[i] = s->groups[order[i].at].negatives;
    }
    return CAIRN_OK;
}

/* Arrows from where the groups were to where the lighter rows put them, in the box of all rows
 * before and after. */
static cairn_status draw_round(search *s, cairn_report *out, const moved_groups *before,
                               size_t round)
{
    OWNED(cairn_figure_free) cairn_figure *f = NULL;
    char title[48], file[32];
    double way_x[3 * MOST_DRAWN], way_y[3 * MOST_DRAWN];
    size_t n_way = 0;
    double right = before->negatives, top = before->positives;
    if (!(s->positives > 0 && s->negatives > 0)) return CAIRN_OK;
    (void)snprintf(title, sizeof title, "What round %zu moves", round);
    (void)snprintf(file, sizeof file, "covering-%zu", round);
    CHECK(new_plot(s, &f, file, title));
    cairn_figure_x_range(f, -0.02 * right, 1.02 * right);
    cairn_figure_y_range(f, -0.02 * top, 1.02 * top);
    cairn_figure_guide(f, (double[]){0, right, right}, (double[]){top, top, 0}, 3);
    for (size_t i = 0; i < before->n; i++) {
        const group *g = &s->groups[before->at[i]];
        if (g->negatives == before->m[i] && g->positives == before->p[i]) continue;
        const double way[2][3] = {{before->m[i], g->negatives, NAN},
                                  {before->p[i], g->positives, NAN}};
        memcpy(way_x + n_way, way[0], sizeof way[0]);
        memcpy(way_y + n_way, way[1], sizeof way[1]);
        n_way += 3;
    }
    CHECK(add_points(s, f, before->at, before->n));
    if (n_way) cairn_figure_arrow(f, NULL, way_x, way_y, n_way);
    cairn_report_page_figure(out, f);
    f = NULL;
    return CAIRN_OK;
}

static cairn_status show_round(search *s, cairn_report *out, size_t round, size_t best,
                               const char *why)
{
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(s->ctx);
    add_name(&name, s, &s->groups[best]);
    cairn_report_paragraph(out, "Round %zu takes %s%s.", round, cairn_text_string(&name), why);
    cairn_report_hidden_word(out, cairn_text_string(&name), "round%zu.taken", round);
    return cairn_text_status(&name);
}

static bool was_taken(const taken *list, size_t n, size_t at)
{
    for (size_t i = 0; i < n; i++)
        if (list[i].at == at) return true;
    return false;
}

/* One round: show all, take the best unless it comes again or is too bad; *why when it ends. */
static cairn_status cover_round(search *s, cairn_report *out, bool in_order, size_t first,
                                taken *list, size_t *n, const char **why)
{
    char prefix[64] = "round";
    size_t best = 0, round = *n + 1;
    moved_groups before;
    cairn_number_format(prefix + 5, (double)round, CAIRN_SHORTEST);
    cairn_report_step_begin(out, "Round %zu", round);
    cairn_report_value(out, "weight of the positives", s->positives, "%s.positives", prefix);
    cairn_report_value(out, "weight of the negatives", s->negatives, "%s.negatives", prefix);
    CHECK(show_groups(s, out, "Weighted coverages", prefix, in_order, false, &best));
    bool asked = round == 1 && first != SIZE_MAX;
    if (asked) best = first;
    const group *g = &s->groups[best];
    if (was_taken(list, *n, best)) {
        *why = *n && list[*n - 1].at == best ? "the best subgroup is the one of the round before"
                                             : "the best subgroup was taken in an earlier round";
    } else if (g->quality[s->params->quality] < s->params->min_quality) {
        *why = "the best quality is below {min-quality}";
    } else {
        list[(*n)++] = (taken){best, g->positives, g->negatives, g->quality[s->params->quality]};
        CHECK(show_round(s, out, round, best, asked ? ", as asked for" : ""));
        CHECK(note_places(s, &before));
        fade(s, g);
        show_weights(s, out, prefix);
        CHECK(cover_from(s, 0));
        if (round <= DRAWN_ROUNDS) CHECK(draw_round(s, out, &before, round));
        if (!any_full(s)) *why = "no row has its full weight any more";
    }
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* Each round takes the best group and lowers the weight of its rows, so that later ones describe
 * others; the reason of its end is told. */
static cairn_status run_covering(search *s, cairn_report *out, bool in_order)
{
    size_t most = s->params->rounds > 0 ? (size_t)s->params->rounds : MOST_ROUNDS;
    size_t n = 0, first = SIZE_MAX;
    const char *why = NULL;
    taken *list = NULL;
    CHECK(SCRATCH(s->ctx, &s->covered, s->n_rows));
    CHECK(SCRATCH(s->ctx, &list, most));
    if (s->params->first) {
        /* The group that --first names: one of the candidates, or a further one. */
        size_t before = s->n_groups;
        SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(s->ctx);
        CHECK(read_groups(s, cairn_say(s->ctx, "{first}"), s->params->first));
        for (first = 0; first < before; (first)++) {
            name.length = 0;
            add_name(&name, s, &s->groups[first]);
            CHECK(cairn_text_status(&name));
            if (strcmp(cairn_text_string(&name), s->groups[before].name) == 0) break;
        }
        s->n_groups = first < before ? before : before + 1;
        CHECK(cover_from(s, 0));
    }
    cairn_report_heading(out, 2, "Weighted covering");
    while (n < most && !why) {
        cairn_scratch_mark mark = cairn_scratch_now(s->ctx);
        CHECK(cairn_tick(s->ctx, "rounds", (double)n, (double)most));
        CHECK(cover_round(s, out, in_order, first, list, &n, &why));
        cairn_scratch_release(s->ctx, mark);
    }
    CHECK(show_taken(s, out, list, n));
    cairn_report_value(out, "rounds", (double)n, "rounds");
    why = cairn_say(s->ctx, why ? why : "the most rounds are done");
    cairn_report_paragraph(out, "It ends because %s.", why);
    cairn_report_hidden_word(out, why, "ended");
    return CAIRN_OK;
}

/* -- the whole -- */

/* Typed coverages, all rows first. */
static cairn_status run_counts(cairn_context *ctx, cairn_report *out, const subgroups_params *p)
{
    search s = {.ctx = ctx, .params = p, .whole = true};
    double *cells = NULL;
    size_t n = 0, columns = 0, best;
    cairn_status status;
    TRY(cairn_read_counts(ctx, "counts", p->counts, &cells, &n, &columns));
    if (columns != 2 || n < 2)
        TRY(cairn_fail(
            ctx, CAIRN_USAGE,
            "{counts}: pairs of positives and negatives are needed, all rows first, such "
            "as '5,5;0,4;5,1'"));
    s.positives = cells[0];
    s.negatives = cells[1];
    for (size_t i = 1; i < n; i++) {
        group g = {.positives = cells[2 * i], .negatives = cells[2 * i + 1]};
        char number[64] = "";
        if (g.positives > s.positives || g.negatives > s.negatives)
            TRY(cairn_fail(ctx, CAIRN_USAGE, "{counts}: subgroup %zu has more rows than there are",
                           i));
        cairn_number_format(number, (double)i, CAIRN_SHORTEST);
        TRY(SCRATCH(ctx, &g.name, sizeof number));
        memcpy(g.name, number, sizeof number);
        judge(&g, s.positives, s.negatives);
        TRY(new_group(&s, g));
    }
    for (size_t i = 0; i < 2 * n; i++) s.whole &= cells[i] == floor(cells[i]);
    TRY(test_groups(&s));
    cairn_report_heading(out, 1, "%zu subgroups", s.n_groups);
    TRY(show_groups(&s, out, NULL, "group", true, true, &best));
    TRY(draw_groups(&s, out));
done:
    cairn_free(s.groups);
    return status;
}

/* With two classes the usual rule chooses the positive one; with more it must be named, as
 * subgroups are about one class. */
static cairn_status choose_class(search *s)
{
    const cairn_classes *classes = &s->classes;
    double weights[2] = {0, 0};
    const char *two[2];
    size_t at = 0;
    if (classes->n == 2) {
        for (size_t i = 0; i < s->view->rows.n; i++) {
            int32_t code = classes->codes[i];
            if (code >= 0 && code < 2) weights[code] += cairn_view_weight(s->view, i);
        }
        two[0] = classes->names[0];
        two[1] = classes->names[1];
        CHECK(cairn_choose_positive(s->ctx, &at, two, weights, s->params->positive));
    } else {
        int32_t found = s->params->positive ? cairn_find_class(classes, s->params->positive) : -1;
        if (classes->n == 0)
            CHECK(cairn_fail(s->ctx, CAIRN_BAD_DATA,
                             "every cell of the target '%s' is missing; choose another {target}",
                             s->view->target_name));
        if (classes->n == 1)
            CHECK(cairn_fail(s->ctx, CAIRN_BAD_DATA,
                             "the target '%s' has one class only ('%s'), so no subgroup can have "
                             "another share of it; choose another {target}",
                             s->view->target_name, classes->names[0]));
        if (found < 0 && !s->params->positive)
            CHECK(cairn_fail(s->ctx, CAIRN_USAGE,
                             "'%s' has %zu classes; name the one that subgroups are about with "
                             "{positive}",
                             s->view->target_name, classes->n));
        if (found < 0)
            CHECK(cairn_fail(s->ctx, CAIRN_USAGE, "{positive}: '%s' has no class '%s'",
                             s->view->target_name, s->params->positive));
        at = (size_t)found;
    }
    s->positive = (int32_t)at;
    return CAIRN_OK;
}

/* Rows without a class or weight are in no count; `counted` and `whole` say whether bits or
 * exact tests can be used. */
static cairn_status open_rows(search *s, cairn_view *view, const cairn_table *table)
{
    CHECK(cairn_view_make(s->ctx, view, table, cairn_all_rows(table)));
    s->view = view;
    CHECK(cairn_read_classes(s->ctx, &s->classes, view, "compute subgroups"));
    CHECK(cairn_schema_from_table(s->ctx, &s->schema, table));
    CHECK(choose_class(s));
    s->n_rows = view->rows.n;
    s->n_words = (s->n_rows + BITS - 1) / BITS;
    CHECK(SCRATCH_EACH(s->ctx, s->n_rows, &s->weights, &s->plain, &s->is_positive));
    CHECK(SCRATCH_EACH(s->ctx, s->n_words, &s->live, &s->positive_rows));
    s->counted = s->whole = true;
    for (size_t i = 0; i < s->n_rows; i++) {
        int32_t code = s->classes.codes[i];
        double weight = code < 0 ? 0 : cairn_view_weight(view, i);
        uint64_t bit = (uint64_t)(weight > 0) << (i % BITS);
        s->weights[i] = s->plain[i] = weight;
        s->is_positive[i] = code == s->positive;
        s->live[i / BITS] |= bit;
        if (s->is_positive[i]) s->positive_rows[i / BITS] |= bit;
        s->counted &= weight == 0 || weight == 1;
        s->whole &= weight == floor(weight);
    }
    add_totals(s);
    if (!(s->positives > 0) || !(s->negatives > 0))
        CHECK(cairn_fail(s->ctx, CAIRN_BAD_DATA, "there must be rows of class '%s' and of others",
                         s->classes.names[s->positive]));
    return CAIRN_OK;
}

/* Text, bags and the like have no conditions. */
static void show_left_out(cairn_report *out, const cairn_table *table)
{
    for (size_t c = 0; c < table->n_columns; c++) {
        cairn_kind kind = table->slots[c].column->kind;
        if (table->slots[c].role == CAIRN_FEATURE && kind != CAIRN_LEVEL && kind != CAIRN_NUMBER &&
            kind != CAIRN_TIME)
            cairn_report_paragraph(out, "Column '%s' holds %s and is left out.",
                                   table->slots[c].name, cairn_kind_name(kind));
    }
}

/* All groups as a table, best first. */
static cairn_status make_result(search *s, cairn_table **out)
{
    static const char *const names[] = {"size", "positives",  "negatives", "share",
                                        "lift", "precision",  "recall",    "wracc",
                                        "p",    "p_corrected"};
    enum { N = sizeof names / sizeof *names };
    cairn_column *columns[N + 1] = {NULL};
    cairn_table *table = NULL;
    placed *order = NULL;
    cairn_text name = cairn_text_start(s->ctx);
    cairn_status status;
    TRY(rank(s->ctx, &order, s->groups, s->n_groups, s->params->quality));
    TRY(cairn_column_new(s->ctx, &columns[N], CAIRN_LEVEL, s->n_groups));
    for (size_t c = 0; c < N; c++)
        TRY(cairn_column_new(s->ctx, &columns[c], CAIRN_NUMBER, s->n_groups));
    for (size_t i = 0; i < s->n_groups; i++) {
        const group *g = &s->groups[order[i].at];
        double size = g->positives + g->negatives, share = g->positives / size;
        double lift = share / (s->positives / (s->positives + s->negatives));
        double cells[N] = {size,         g->positives, g->negatives, share, lift,
                           g->precision, g->recall,    g->accuracy,  g->p,  g->corrected};
        size_t code;
        for (size_t c = 0; c < N; c++) columns[c]->numbers[i] = cells[c];
        name.length = 0;
        add_name(&name, s, g);
        TRY(cairn_text_status(&name));
        TRY(cairn_map_add(s->ctx, &columns[N]->names, name.bytes, name.length, &code));
        columns[N]->codes[i] = (int32_t)code;
    }
    TRY(cairn_table_new(s->ctx, &table, s->n_groups));
    for (size_t c = 0; c <= N; c++) {
        size_t at = c == 0 ? N : c - 1;
        cairn_column *given = columns[at];
        columns[at] = NULL;
        TRY(cairn_table_add_column(s->ctx, table, c == 0 ? "subgroup" : names[c - 1], CAIRN_FEATURE,
                                   given));
    }
    *out = table;
    table = NULL;
done:
    for (size_t c = 0; c <= N; c++) cairn_column_drop(columns[c]);
    cairn_table_free(table);
    cairn_text_clear(&name);
    return status;
}

/* The measures of the best subgroup, of a positives and b negatives, with the numbers put in. */
static void work_best(const search *s, cairn_report *out, size_t best)
{
    const group *g = &s->groups[best];
    double a = g->positives, b = g->negatives, p = s->positives, n = s->negatives;
    cairn_report_step_begin(out, "The measures of the best subgroup");
    cairn_report_worked(out, "precision", "(a + 1) / (a + b + 2) = (# + 1) / (# + # + 2) = #", a, a,
                        b, g->precision);
    cairn_report_worked(out, "recall", "(a/P + 1 − b/N) / 2 = (#/# + 1 − #/#) / 2 = #", a, p, b, n,
                        g->recall);
    cairn_report_worked(out, "WRAcc", "a/n − (a + b)/n · P/n = #/# − (# + #)/# · #/# = #", a, p + n,
                        a, b, p + n, p, p + n, g->accuracy);
    cairn_report_step_end(out);
}

/* Groups are tested before they are shown, so that those above the level are in no table, file
 * or picture; covering starts from what is left. */
static cairn_status subgroups_run(cairn_context *ctx, cairn_report *out,
                                  const cairn_compute_job *job)
{
    const subgroups_params *p = job->params;
    search s = {.ctx = ctx, .params = p};
    cairn_view view;
    size_t best;
    cairn_status status;
    if (p->counts) return run_counts(ctx, out, p);
    if (!job->table) return cairn_fail(ctx, CAIRN_USAGE, "name a data file, or give {counts}");
    TRY(open_rows(&s, &view, job->table));
    cairn_report_heading(out, 1, "Subgroups of '%s'", s.classes.names[s.positive]);
    cairn_report_value(out, "positives", s.positives, "positives");
    cairn_report_value(out, "negatives", s.negatives, "negatives");
    cairn_report_value(out, "share of positives", s.positives / (s.positives + s.negatives),
                       "share");
    if (p->groups)
        TRY(read_groups(&s, cairn_say(ctx, "{groups}"), p->groups));
    else
        TRY(find_groups(&s));
    TRY(cover_from(&s, 0));
    cairn_report_value(out, "subgroups", (double)s.n_groups, "subgroups");
    show_left_out(out, job->table);
    TRY(test_groups(&s));
    if (p->level < 1) cairn_report_value(out, "significant", (double)s.n_groups, "significant");
    TRY(show_groups(&s, out, NULL, "group", p->groups != NULL, true, &best));
    if (job->steps && s.n_groups) work_best(&s, out, best);
    if (job->result) TRY(make_result(&s, job->result));
    TRY(draw_groups(&s, out));
    if (p->covering) TRY(run_covering(&s, out, p->groups != NULL));
done:
    cairn_schema_clear(&s.schema);
    FREE_EACH(s.groups, s.literals);
    return status;
}

const cairn_calculator cairn_compute_subgroups = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "subgroups",
              .also = "subgroup discovery, WRAcc, weighted relative accuracy, exceptional model "
                      "mining, contrast sets",
              .about = "descriptive rule learning",
              .title = "Subgroups with another share of a class",
              .summary =
                  "Finds conjunctions of conditions whose rows have another share of the positive "
                  "class than all rows, or judges those that are named or typed as counts: "
                  "corrected precision against the share of positives, average recall against "
                  "one half, weighted relative accuracy, size, lift and ranks, ties as ranges, "
                  "and the chance of each, corrected for how many were looked at. --covering "
                  "takes one after the other, and rows that are covered count less from then on; "
                  "--out writes all of them as a table.",
              .references = "Lavrač, Kavšek, Flach, Todorovski: Subgroup discovery with CN2-SD, "
                            "JMLR 5 (2004)",
              .example = "cairn compute subgroups @dolphins --max-literals 2 --covering",
              .params = subgroups_table,
              .params_size = sizeof(subgroups_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .run = subgroups_run,
};
