/* SPDX-License-Identifier: MIT */
/* Discretise: cuts a column where the cut tells most about the classes, from the top down.
 *
 *  1. sort the column once; equal values are never parted
 *  2. score every place between two neighbouring distinct values
 *  3. cut at the best one, if it is worth it, and go on with both sides. The segment whose best
 *     score times rows is largest comes first (chi-squared and bernoulli grow with the rows by
 *     themselves)
 *
 * A segment stays whole when it is pure, when no cut scores above 0 or min-score, and then by one
 * of three rules: with `bins`, when there are that many; with `mdl`, when the gain does not pay for
 * describing the cut (Fayyad and Irani: gain > (log2(N-1) + log2(3^k - 2) - k H + k1 H1 + k2 H2) /
 * N, k the classes present); else when chi-squared of the cut is not significant at `alpha`. The
 * test does not know that the best of many cuts was chosen, so alpha is more generous than it
 * looks; `most` keeps it in bounds.
 *
 * Ties, within 1e-12, go to the lowest cut. Cost: sorting, and rows x classes per level of cuts. */
#include "transforms/cuts.h"
#include "transforms/cutscore.h"
#include "base/functions.h"
#include "base/number.h"
#include "stats/distributions.h"
#include "stats/impurity.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LOOK_SUMS = 1 << 22 }; /* additions between two looks at the cancel flag */

typedef enum { CUT_MID, CUT_LT, CUT_LE } cut_form;

typedef struct discretise_params {
    const char *columns;
    int score;
    int bins, most;
    double alpha;
    bool mdl;
    double min_score, purity, min_rows;
    int cut;
    cairn_cut_form form;
} discretise_params;

static const cairn_choice cut_forms[] = {
    {"mid", CUT_MID, "halfway between two neighbours"},
    {"lt", CUT_LT, "x < the upper neighbour"},
    {"le", CUT_LE, "x ≤ the lower neighbour"},
    {0},
};

static const cairn_param discretise_param_table[] = {
    CAIRN_PARAM_AS(discretise_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "the columns to cut, of numbers or ordered levels; all number features and "
                   "ordered levels when not given"),
    CAIRN_PARAM_CHOICE(discretise_params, score, "gain", cairn_cut_scores,
                       "what cuts are compared by"),
    CAIRN_PARAM(discretise_params, bins, "0", "[0,10000]",
                "stop at this number of bins, whatever alpha says; 0 = by the other rules"),
    CAIRN_PARAM(discretise_params, alpha, "0.05", "(0,1]",
                "a cut must be significant at this level (chi-squared); 1 = any cut",
                .when = "!mdl,!bins"),
    CAIRN_PARAM(discretise_params, mdl, "no", NULL,
                "stop by minimum description length in place of alpha", .when = "!bins"),
    CAIRN_PARAM(discretise_params, min_score, "0", "[0,inf)", "a cut must score this much"),
    CAIRN_PARAM(discretise_params, purity, "1", "(0,1]",
                "a segment in which one class has this share is not cut"),
    CAIRN_PARAM(discretise_params, min_rows, "0", "[0,inf)", "least weight of a bin"),
    CAIRN_PARAM(discretise_params, most, "100", "[2,10000]", "never more bins than this",
                .when = "!bins"),
    CAIRN_PARAM_CHOICE(discretise_params, cut, "mid", cut_forms, "where between two values to cut"),
    CAIRN_PARAM_GROUP(discretise_params, form, cairn_cut_form_params),
    CAIRN_PARAM_END,
};

static const double tie = CAIRN_CUT_TIE;

/* What all columns share. */
typedef struct discretise_work {
    const discretise_params *p;
    const double *logs; /* c log2 c of whole c up to the number of rows; NULL = weighted rows */
} discretise_work;

/* A stretch of the sorted column and its best cut. */
typedef struct segment {
    size_t number, begin, end;
    double weight;
    double *counts; /* classes */
    size_t cut;     /* the left side is begin .. cut - 1 */
    double score;
    double *left; /* classes: counts left of the cut */
    bool open;    /* worth cutting */
} segment;

/* The search in one column. */
typedef struct search {
    const discretise_work *work;
    const discretise_params *p;
    cairn_sorted sorted;
    size_t n_classes;
    double *left; /* n_classes: running counts */
    segment *segments;
    size_t n_segments;
    cairn_report *steps;
    const char *key;
    const cairn_column *target;
} search;

/* -- showing -- */

static double cut_point(const search *s, size_t cut, bool *below)
{
    double a = s->sorted.values[cut - 1], b = s->sorted.values[cut];
    *below = s->p->cut != CUT_LT;
    if (s->p->cut == CUT_MID) return cairn_number_between(a, b);
    return s->p->cut == CUT_LE ? a : b;
}

/* "3 +, 1 -": counts with the names of the classes. */
static void counts_cell(cairn_report *out, const search *s, const double *counts)
{
    cairn_text text = cairn_text_start(cairn_report_context(out));
    for (size_t k = 0; k < s->n_classes; k++) {
        char digits[CAIRN_NUMBER_SIZE];
        cairn_number_format(digits, counts[k], 6);
        cairn_text_addf(&text, "%s%s %s", k ? ", " : "", digits,
                        cairn_level_name(s->target, (int32_t)k));
    }
    if (cairn_text_status(&text)) cairn_report_failed(out, cairn_text_status(&text));
    cairn_report_cell(out, cairn_text_string(&text));
    cairn_text_clear(&text);
}

static void show_candidate(const search *s, const segment *g, size_t cut, size_t number,
                           double score)
{
    cairn_report *out = s->steps;
    bool below;
    if (!out || !cairn_report_row_wanted(out)) return;
    cairn_report_cell_number(out, cut_point(s, cut, &below), 0,
                             "discretise.%s.segment%zu.candidate%zu.cut", s->key, g->number,
                             number);
    counts_cell(out, s, s->left);
    double *right = s->left + s->n_classes; /* the second half is for this */
    for (size_t k = 0; k < s->n_classes; k++) right[k] = fmax(0, g->counts[k] - s->left[k]);
    counts_cell(out, s, right);
    cairn_report_cell_number(out, score, 0, "discretise.%s.segment%zu.candidate%zu.score", s->key,
                             g->number, number);
}

static void show_best(const search *s, const segment *g)
{
    cairn_report *out = s->steps;
    bool below;
    if (!out) return;
    cairn_report_value(out, "best cut", cut_point(s, g->cut, &below),
                       "discretise.%s.segment%zu.cut", s->key, g->number);
    cairn_report_value(out, cairn_cut_score_name(s->p->score), g->score,
                       "discretise.%s.segment%zu.score", s->key, g->number);
    for (size_t k = 0; k < s->n_classes; k++) {
        const char *name = cairn_report_key(out, cairn_level_name(s->target, (int32_t)k));
        cairn_report_hidden(out, g->left[k], "discretise.%s.segment%zu.left.%s", s->key, g->number,
                            name);
        cairn_report_hidden(out, g->counts[k] - g->left[k], "discretise.%s.segment%zu.right.%s",
                            s->key, g->number, name);
    }
}

/* -- whether a cut is worth it -- */

static size_t present(const double *counts, size_t n)
{
    size_t there = 0;
    for (size_t k = 0; k < n; k++) there += counts[k] > 0;
    return there;
}

static bool passes_test(const search *s, const segment *g, const cairn_split_scores *exact)
{
    double p = cairn_chi2_upper(exact->chi_squared, (double)exact->degrees);
    cairn_report_value(s->steps, "chi-squared", exact->chi_squared, "discretise.%s.segment%zu.chi2",
                       s->key, g->number);
    cairn_report_value(s->steps, "its p-value", p, "discretise.%s.segment%zu.p", s->key, g->number);
    return p < s->p->alpha;
}

/* `table` is 2 x classes of working memory. */
static bool is_worth(const search *s, const segment *g, double *table)
{
    cairn_split_scores exact;
    if (!(g->score > 0) || g->score < s->p->min_score) return false;
    if (s->p->bins > 0) return true;
    for (size_t k = 0; k < s->n_classes; k++) {
        table[k] = g->left[k];
        table[s->n_classes + k] = fmax(0, g->counts[k] - g->left[k]);
    }
    cairn_split_scores_of(&exact, table, 2, s->n_classes, 0);
    if (s->p->mdl) {
        /* What the description of the cut costs per row, by Fayyad and Irani. */
        const double *right = table + s->n_classes;
        double k = (double)present(g->counts, s->n_classes), n = g->weight;
        double k1 = (double)present(g->left, s->n_classes),
               k2 = (double)present(right, s->n_classes);
        double labels = k > 30 ? k * cairn_log2(3) : cairn_log2(cairn_pow(3, k) - 2);
        double delta = labels - (k * cairn_entropy(g->counts, s->n_classes) -
                                 k1 * cairn_entropy(g->left, s->n_classes) -
                                 k2 * cairn_entropy(right, s->n_classes));
        double cost = (cairn_log2(n - 1) + delta) / n;
        cairn_report_value(s->steps, "gain", exact.gain, "discretise.%s.segment%zu.gain", s->key,
                           g->number);
        cairn_report_value(s->steps, "cost of describing the cut", cost,
                           "discretise.%s.segment%zu.mdl", s->key, g->number);
        return exact.gain > cost;
    }
    return s->p->alpha >= 1 || passes_test(s, g, &exact);
}

static bool is_pure(const search *s, const segment *g)
{
    double most = 0;
    for (size_t k = 0; k < s->n_classes; k++) most = fmax(most, g->counts[k]);
    return most >= s->p->purity * g->weight * (1 - tie);
}

/* -- the search -- */

/* Score every cut of the segment and keep the first of the best. */
static cairn_status search_cuts(cairn_context *ctx, search *s, segment *g)
{
    size_t often = LOOK_SUMS / (s->n_classes + 1) + 1;
    const cairn_sorted *sorted = &s->sorted;
    double weight = 0, least = s->p->min_rows * (1 - tie);
    size_t number = 0;
    g->cut = 0;
    g->score = -1;
    for (size_t k = 0; k < s->n_classes; k++) s->left[k] = 0;
    cairn_report *out = s->steps;
    char title[64];
    if (out) {
        snprintf(title, sizeof title, "Segment %zu", g->number);
        cairn_report_table_of(out, title, 0, "rllr", "cut", "left", "right",
                              cairn_cut_score_name(s->p->score));
    }
    for (size_t i = g->begin; i + 1 < g->end; i++) {
        double w = sorted->weights ? sorted->weights[i] : 1;
        s->left[sorted->classes[i]] += w;
        weight += w;
        if (sorted->values[i + 1] == sorted->values[i]) continue;
        if (weight < least || g->weight - weight < least) continue;
        if (number % often == 0) CHECK(cairn_tick(ctx, NULL, 0, 0));
        double score = cairn_cut_score_of(s->p->score, s->left, g->counts, s->n_classes, weight,
                                          g->weight, s->work->logs);
        show_candidate(s, g, i + 1, ++number, score);
        if (!(score > g->score + tie * fmax(1, g->score))) continue;
        g->score = score;
        g->cut = i + 1;
        for (size_t k = 0; k < s->n_classes; k++) g->left[k] = s->left[k];
    }
    cairn_report_table_end(s->steps);
    return CAIRN_OK;
}

/* Look at a new segment: count, search, decide. */
static cairn_status examine(cairn_context *ctx, search *s, size_t begin, size_t end,
                            const double *counts)
{
    segment *g = &s->segments[s->n_segments];
    *g = (segment){.number = s->n_segments + 1, .begin = begin, .end = end};
    CHECK(SCRATCH_EACH(ctx, s->n_classes, &g->counts, &g->left));
    for (size_t k = 0; k < s->n_classes; k++) {
        g->counts[k] = counts[k];
        g->weight += counts[k];
    }
    s->n_segments++;
    CHECK(cairn_tick(ctx, NULL, 0, 0));
    if (is_pure(s, g)) {
        cairn_report_paragraph(s->steps, "Segment %zu is pure enough and stays whole.", g->number);
        return CAIRN_OK;
    }
    CHECK(search_cuts(ctx, s, g));
    if (g->cut == 0) {
        cairn_report_paragraph(s->steps, "Segment %zu cannot be cut.", g->number);
        return CAIRN_OK;
    }
    show_best(s, g);
    g->open = is_worth(s, g, s->left);
    cairn_report_paragraph(s->steps,
                           g->open ? "Segment %zu may be cut there."
                                   : "Segment %zu stays whole: the cut is not worth it.",
                           g->number);
    return CAIRN_OK;
}

static double urgency(const search *s, const segment *g)
{
    bool grows = s->p->score == CAIRN_CUT_CHI2 || s->p->score == CAIRN_CUT_BERNOULLI;
    return grows ? g->score : g->score * g->weight;
}

/* The open segment that gains most, the lowest of equals; NULL = none. */
static segment *most_urgent(search *s)
{
    segment *best = NULL;
    for (size_t i = 0; i < s->n_segments; i++) {
        segment *g = &s->segments[i];
        if (!g->open) continue;
        double over = best ? urgency(s, g) - urgency(s, best) : 1;
        double slack = best ? tie * fmax(1, urgency(s, best)) : 0;
        if (!best || over > slack || (over >= -slack && g->begin < best->begin)) best = g;
    }
    return best;
}

static int by_place(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* Cut until no open segment is left or there are enough bins. */
static cairn_status cut_all(cairn_context *ctx, search *s, size_t **cuts, size_t *n)
{
    size_t limit = (size_t)(s->p->bins > 0 ? s->p->bins : s->p->most);
    double *counts;
    segment *g;
    CHECK(SCRATCH(ctx, &counts, s->n_classes));
    CHECK(SCRATCH(ctx, &s->left, 2 * s->n_classes + 1));
    CHECK(SCRATCH(ctx, &s->segments, 2 * limit + 1));
    CHECK(SCRATCH(ctx, cuts, limit + 1));
    for (size_t i = 0; i < s->sorted.n; i++)
        counts[s->sorted.classes[i]] += s->sorted.weights ? s->sorted.weights[i] : 1;
    CHECK(examine(ctx, s, 0, s->sorted.n, counts));
    while (*n + 1 < limit && (g = most_urgent(s))) {
        (*cuts)[(*n)++] = g->cut;
        if (*n + 1 == limit) {
            cairn_report_paragraph(s->steps, "Segment %zu is cut, which makes %zu bins.", g->number,
                                   limit);
            break;
        }
        cairn_report_paragraph(s->steps, "Segment %zu is cut into segments %zu and %zu.", g->number,
                               s->n_segments + 1, s->n_segments + 2);
        double *right;
        size_t cut = g->cut, begin = g->begin, end = g->end;
        g->open = false;
        CHECK(SCRATCH(ctx, &right, s->n_classes));
        for (size_t k = 0; k < s->n_classes; k++) right[k] = fmax(0, g->counts[k] - g->left[k]);
        CHECK(examine(ctx, s, begin, cut, g->left));
        CHECK(examine(ctx, s, cut, end, right));
    }
    if (s->p->bins == 0 && *n + 1 == limit)
        cairn_report_note(s->steps, "There may be more to cut; most=%d ends it.", s->p->most);
    qsort(*cuts, *n, sizeof **cuts, by_place);
    return CAIRN_OK;
}

/* From positions in the sorted values to cut points: `side` tells whether a value on the cut
 * belongs below it. */
static cairn_status find_cuts(cairn_context *ctx, cairn_cuts *out, const void *data,
                              const cairn_job *job, const cairn_cut_source *source)
{
    const discretise_work *work = data;
    search s = {.work = work,
                .p = work->p,
                .steps = job->steps,
                .key = cairn_report_key(job->steps, source->name),
                .target = job->view->target,
                .n_classes = job->view->target->names.n};
    size_t *cuts = NULL, n = 0;
    double *at;
    uint8_t *below;
    CHECK(cairn_sort_source(ctx, &s.sorted, job, source, true));
    if (s.sorted.n) CHECK(cut_all(ctx, &s, &cuts, &n));
    CHECK(SCRATCH_EACH(ctx, n + 1, &at, &below));
    for (size_t i = 0; i < n; i++) {
        bool side;
        at[i] = cut_point(&s, cuts[i], &side);
        below[i] = side;
    }
    return cairn_cuts_set(ctx, out, at, below, n);
}

static cairn_status discretise_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const discretise_params *p = job->params;
    discretise_work work = {.p = p};
    cairn_cut_source *sources;
    size_t n;
    CHECK(cairn_need_classes(ctx, job, "discretise"));
    CHECK(cairn_cut_sources(ctx, job, "discretise", p->columns, true, &sources, &n));
    CHECK(cairn_cut_logs(ctx, &work.logs, job->view));
    return cairn_cutting_fit(ctx, state, job, "discretise", sources, n, &p->form, NULL, find_cuts,
                             &work);
}

static cairn_status discretise_apply(cairn_context *ctx, cairn_table **out, const void *state,
                                     const void *params, const cairn_table *table)
{
    const discretise_params *p = params;
    return cairn_cutting_apply(ctx, out, state, &p->form, table);
}

static cairn_status discretise_lower(const void *state, const cairn_job *job, cairn_program *out)
{
    const discretise_params *p = job->params;
    return cairn_cutting_lower(out, state, &p->form);
}

static void discretise_describe(cairn_report *out, const void *state, const void *params)
{
    (void)params;
    cairn_cutting_describe(out, state, "discretise");
}

static const cairn_learned discretise_tables[] = {
    CAIRN_LEARNED("discretise.bins", "bin of a column; the ends of the first and last are missing",
                  cairn_cutting_write),
    CAIRN_LEARNED_END};

const cairn_transform cairn_discretise = {
    .entry =
        {.kind = CAIRN_ENTRY_TRANSFORM,
         .name = "discretise",
         .also =
             "supervised discretisation, Fayyad-Irani, MDL discretisation, entropy discretisation",
         .about = "discretisation of numeric data, discretisation of numbers, class-sensitive "
                  "discretisation",
         .title = "Cut numbers where the classes change",
         .summary =
             "Cuts a number column at the place that tells most about the classes, then both "
             "sides again, until a cut is no longer worth it: by significance, by minimum "
             "description length, or at a number of bins. Any number of classes; the score of "
             "a cut can be information gain, gain ratio, Gini, chi-squared and others. The "
             "target is looked at in the training rows only.",
         .references = "Fayyad and Irani, Multi-interval discretization of continuous-valued "
                       "attributes, IJCAI 1993",
         .example = "cairn fit tree @iris --with discretise:mdl=yes --steps",
         .params = discretise_param_table,
         .params_size = sizeof(discretise_params)},
    .state_size = sizeof(cairn_cutting),
    .tables = discretise_tables,
    .fit = discretise_fit,
    .apply = discretise_apply,
    .lower = discretise_lower,
    .describe = discretise_describe,
    .keeps = cairn_cutting_keeps,
};
