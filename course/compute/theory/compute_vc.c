/* SPDX-License-Identifier: MIT */
/* cairn compute vc: the Vapnik-Chervonenkis dimension, the size of the largest set of points that a
 * class shatters.
 *
 * For named classes it is known. On a finite space it is found by trying: every hypothesis is the
 * set of points that it labels 1; sets of points grow by one point at a time, and only shattered
 * ones grow further, because every part of a shattered set is shattered. A class of |H| hypotheses
 * shatters at most log2|H| points, each labeling needing one of its own. */
#include "compute/theory/dichotomies.h"

#include "base/functions.h"
#include "base/memory.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SPACE = 64, MOST_BITS = 5, MOST_TYPED = 16, MOST_HYPOTHESES = 1 << 20 };
#define MOST_WORK 2e10

typedef struct vc_params {
    const char *points;
    int class, dimension, variables;
    bool empty;
} vc_params;

static const cairn_param vc_table[] = {
    CAIRN_PARAM_CHOICE(vc_params, class, "linear", cairn_hypotheses_choices,
                       "the hypotheses; conjunctions without points label all vectors of "
                       "--variables bits"),
    CAIRN_PARAM(vc_params, points, NULL, NULL,
                "a finite space: points separated by ; with coordinates separated by commas"),
    CAIRN_PARAM(vc_params, dimension, "2", "[1,1000000]", "p, the dimensions of the named classes"),
    CAIRN_PARAM(vc_params, variables, "2", "[1,1000000]", "n, the variables of conjunctions"),
    CAIRN_PARAM(vc_params, empty, "yes", NULL, "the contradiction is one of the conjunctions"),
    CAIRN_PARAM_END,
};

/* -- named classes -- */

static void named(cairn_report *out, const char *name, const char *what, const char *formula,
                  double dimension)
{
    cairn_report_prefix(out, "table.%s", name);
    cairn_report_cells(out, "- - - @", name, what, formula, dimension);
}

/* What is known of the classes, in the order of cairn_hypotheses_choices. */
static const char *const formulas[] = {"1", "2", "2", "3", "p + 1", "2p", "n"};

/* Dimensions that are proved, with p and n put in; small cases in which the formula does not
 * hold are noted. */
static void show_named(cairn_report *out, const vc_params *p)
{
    size_t d = (size_t)p->dimension, n = (size_t)p->variables;
    cairn_report_table_of(out, "Classes whose dimension is known", (size_t)-1, "lllr", "class",
                          "hypotheses", "in general", "VC dimension");
    named(out, "single", "one hypothesis, such as x >= 0", "0", 0);
    for (const cairn_choice *c = cairn_hypotheses_choices; c->name && c->value != CAIRN_LISTED;
         c++) {
        cairn_hypotheses kind = (cairn_hypotheses)c->value;
        named(out, c->name,
              kind == CAIRN_CONJUNCTIONS ? "conjunctions of literals over n variables" : c->help,
              formulas[kind],
              cairn_class_dimension(kind, kind == CAIRN_CONJUNCTIONS ? n : d, p->empty));
    }
    named(out, "linear-through-origin", "hyperplanes through the origin", "p", (double)d);
    named(out, "convex-polygons", "any number of corners", "infinite", INFINITY);
    named(out, "sine", "sin(a x) > 0 on a line", "infinite", INFINITY);
    cairn_report_paragraph(out, "p = %d dimensions, n = %d variables.", p->dimension, p->variables);
    if (n == 1)
        cairn_report_note(out,
                          "One variable: with the contradiction all four labelings of 0 and 1 are "
                          "produced, so the dimension is 2; without it, 1. From two variables on "
                          "it is n either way.");
}

/* -- finite spaces -- */

typedef struct space {
    size_t n;           /* points */
    const char **names; /* n */
    uint64_t *sets;     /* n_sets hypotheses, bit i = point i is labelled 1 */
    size_t n_sets;
    double work;
    size_t counts[MOST_SPACE + 1]; /* shattered sets by size */
    size_t chosen[MOST_SPACE], best[MOST_SPACE], n_best;
    unsigned char *seen; /* a flag for every labeling */
} space;

static int compare_sets(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* All vectors of n bits, and every conjunction: each variable is 1, 0 or absent. */
static cairn_status all_conjunctions(cairn_context *ctx, space *s, const vc_params *p)
{
    size_t bits = (size_t)p->variables, terms = 1;
    char *texts;
    if (bits > MOST_BITS)
        CHECK(cairn_fail(ctx, CAIRN_USAGE,
                         "{variables}: %d variables have too many instances to try; at most %d",
                         p->variables, MOST_BITS));
    s->n = (size_t)1 << bits;
    for (size_t i = 0; i < bits; i++) terms *= 3;
    CHECK(SCRATCH(ctx, &s->sets, terms + 1));
    CHECK(SCRATCH(ctx, &s->names, s->n));
    CHECK(SCRATCH(ctx, &texts, s->n * (bits + 1)));
    for (size_t x = 0; x < s->n; x++) {
        s->names[x] = texts + x * (bits + 1);
        for (size_t j = 0; j < bits; j++)
            texts[x * (bits + 1) + j] = x >> (bits - 1 - j) & 1 ? '1' : '0';
    }
    for (size_t term = 0; term < terms; term++)
        for (size_t x = 0; x < s->n; x++) {
            bool covered = true;
            size_t rest = term;
            for (size_t j = 0; j < bits; j++, rest /= 3)
                covered = covered && (rest % 3 == 2 || rest % 3 == (x >> j & 1));
            if (covered) s->sets[term] |= (uint64_t)1 << x;
        }
    s->n_sets = terms + p->empty; /* the contradiction is the last, of no instance */
    return CAIRN_OK;
}

/* The labelings of the points that the class produces stand for its hypotheses. */
static cairn_status on_points(cairn_context *ctx, space *s, const vc_params *p,
                              const cairn_table *table)
{
    cairn_instances at;
    int labels[MOST_SPACE];
    SCOPED(cairn_text_clear) cairn_text words = cairn_text_start(ctx);
    CHECK(
        cairn_instances_read(ctx, &at, (cairn_hypotheses)p->class, p->points, table, 0, p->empty));
    s->n = at.n;
    s->names = at.names;
    if (at.n_labels > 2)
        CHECK(cairn_fail(ctx, CAIRN_USAGE, "the VC dimension is about two labels; these have %d",
                         at.n_labels));
    if (at.kind == CAIRN_LISTED) {
        CHECK(SCRATCH(ctx, &s->sets, at.p));
        s->n_sets = at.p;
        for (size_t j = 0; j < at.p; j++)
            for (size_t i = 0; i < at.n; i++)
                if (at.x[i * at.p + j] == 1) s->sets[j] |= (uint64_t)1 << i;
        return CAIRN_OK;
    }
    if (at.n > MOST_TYPED)
        CHECK(cairn_fail(ctx, CAIRN_USAGE,
                         "%zu points have too many labelings to try; at most %d points", at.n,
                         MOST_TYPED));
    CHECK(SCRATCH(ctx, &s->sets, (size_t)1 << at.n));
    for (size_t code = 0; code < (size_t)1 << at.n; code++) {
        bool realised;
        if (code % 256 == 0)
            CHECK(cairn_tick(ctx, "labelings", (double)code, (double)((size_t)1 << at.n)));
        cairn_labeling_of(&at, code, labels);
        cairn_text_clear(&words);
        words = cairn_text_start(ctx);
        CHECK(cairn_labeling_realised(ctx, &at, labels, &realised, &words, NULL));
        CHECK(cairn_text_status(&words));
        if (!realised) continue;
        for (size_t i = 0; i < at.n; i++)
            if (labels[i]) s->sets[s->n_sets] |= (uint64_t)1 << i;
        s->n_sets++;
    }
    return CAIRN_OK;
}

/* Whether all 2^k labelings of the chosen points occur. */
static bool is_shattered(space *s, size_t k)
{
    size_t wanted = (size_t)1 << k, found = 0;
    if (k >= 21 || wanted > s->n_sets) return false;
    memset(s->seen, 0, wanted);
    for (size_t h = 0; h < s->n_sets && found < wanted; h++) {
        size_t labels = 0;
        for (size_t i = 0; i < k; i++) labels |= (size_t)(s->sets[h] >> s->chosen[i] & 1) << i;
        found += !s->seen[labels];
        s->seen[labels] = 1;
    }
    s->work += (double)s->n_sets * (double)(k + 1);
    return found == wanted;
}

/* Grow the chosen set of k points by later points. Depth is at most log2|H|. */
static cairn_status grow(cairn_context *ctx, space *s, size_t k, size_t from)
{
    CHECK(cairn_tick(ctx, NULL, 0, 0));
    for (size_t x = from; x < s->n; x++) {
        if (s->work > MOST_WORK)
            CHECK(cairn_fail(ctx, CAIRN_USAGE,
                             "too many sets of points are shattered to look at all; use a smaller "
                             "space"));
        s->chosen[k] = x;
        if (!is_shattered(s, k + 1)) continue;
        s->counts[k + 1]++;
        if (k + 1 > s->n_best) {
            s->n_best = k + 1;
            memcpy(s->best, s->chosen, (k + 1) * sizeof *s->best);
        }
        CHECK(grow(ctx, s, k + 1, x + 1));
    }
    return CAIRN_OK;
}

/* Sets by size until none is shattered: the size before is the dimension. */
static cairn_status show_space(cairn_context *ctx, cairn_report *out, const space *s)
{
    double subsets = 1;
    cairn_text text = cairn_text_start(ctx);
    cairn_report_table_of(out, "Shattered sets of points", (size_t)-1, "rrr", "points", "sets",
                          "shattered");
    for (size_t k = 0; k <= s->n && k <= s->n_best + 1; k++) {
        cairn_report_prefix(out, "shattered.size%zu", k);
        cairn_report_cells(out, "- - @", (double)k, subsets,
                           k ? (double)s->counts[k] : s->n_sets > 0);
        subsets = subsets * (double)(s->n - k) / (double)(k + 1);
    }
    cairn_text_add_char(&text, '{');
    for (size_t i = 0; i < s->n_best; i++)
        cairn_text_addf(&text, "%s%s", i ? ", " : "", s->names[s->best[i]]);
    cairn_text_add_char(&text, '}');
    cairn_report_word(out, "a largest one", cairn_text_string(&text), "largest");
    cairn_report_value(out, "VC dimension", s->n_sets ? (double)s->n_best : NAN, "vc");
    cairn_status status = cairn_text_status(&text);
    cairn_text_clear(&text);
    return status;
}

/* How many hypotheses give the chosen points each labeling; the counts are scratch, 2^k of them. */
static cairn_status count_labelings(cairn_context *ctx, const space *s, const size_t *chosen,
                                    size_t k, size_t **out)
{
    CHECK(SCRATCH(ctx, out, (size_t)1 << k));
    for (size_t h = 0; h < s->n_sets; h++) {
        size_t labels = 0;
        for (size_t i = 0; i < k; i++) labels = 2 * labels + (s->sets[h] >> chosen[i] & 1);
        (*out)[labels]++;
    }
    return CAIRN_OK;
}

static void digits_of(char *out, size_t labels, size_t k)
{
    for (size_t i = 0; i < k; i++) out[i] = labels >> (k - 1 - i) & 1 ? '1' : '0';
    out[k] = 0;
}

/* All labelings of the largest set, with the number of hypotheses for each. */
static cairn_status work_largest(cairn_context *ctx, cairn_report *out, const space *s)
{
    char digits[MOST_SPACE + 1];
    size_t *counts;
    CHECK(count_labelings(ctx, s, s->best, s->n_best, &counts));
    cairn_report_step_begin(out, "Every labeling of the largest set");
    cairn_report_table_of(out, "Labelings", 0, "lr", "labels", "hypotheses that give it");
    for (size_t i = 0; i < (size_t)1 << s->n_best && cairn_report_row_wanted(out); i++) {
        digits_of(digits, i, s->n_best);
        cairn_report_cell(out, digits);
        cairn_report_cell_number(out, (double)counts[i], 0, "largest.%s", digits);
    }
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* Why no set with one more point is shattered: a labeling of each that nothing gives. */
static cairn_status work_larger(cairn_context *ctx, cairn_report *out, const space *s)
{
    size_t chosen[MOST_SPACE + 1], k = s->n_best + 1, *counts;
    if (k > s->n || k > 16) return CAIRN_OK;
    cairn_report_step_begin(out, "No set of %zu points has every labeling", k);
    cairn_report_formula(out, "2^%zu = %zu labelings, |H| = %zu%s", k, (size_t)1 << k, s->n_sets,
                         (size_t)1 << k > s->n_sets ? ": too few for any set" : "");
    cairn_report_table_of(out, "A labeling that nothing gives", 10, "ll", "points", "labels");
    for (size_t i = 0; i < k; i++) chosen[i] = i;
    while (cairn_report_row_wanted(out)) {
        SCOPED_SCRATCH(ctx);
        SCOPED(cairn_text_clear) cairn_text points = cairn_text_start(ctx);
        char digits[MOST_SPACE + 1];
        size_t missing = 0;
        CHECK(count_labelings(ctx, s, chosen, k, &counts));
        while (counts[missing]) missing++;
        for (size_t c = 0; c < k; c++)
            cairn_text_addf(&points, "%s%s", c ? ", " : "", s->names[chosen[c]]);
        CHECK(cairn_text_status(&points));
        digits_of(digits, missing, k);
        cairn_report_cells(out, NULL, cairn_text_string(&points), digits);
        if (!cairn_next_subset(chosen, k, s->n)) break;
    }
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* Hypotheses that agree on all points are one: only different labelings are counted. */
static cairn_status by_trying(cairn_context *ctx, cairn_report *out, const vc_params *p,
                              const cairn_table *table, bool steps)
{
    space *s;
    CHECK(SCRATCH(ctx, &s, 1));
    CHECK(SCRATCH(ctx, &s->seen, MOST_HYPOTHESES));
    if (p->points || table)
        CHECK(on_points(ctx, s, p, table));
    else
        CHECK(all_conjunctions(ctx, s, p));
    size_t n = 0;
    qsort(s->sets, s->n_sets, sizeof *s->sets, compare_sets);
    for (size_t i = 0; i < s->n_sets; i++)
        if (n == 0 || s->sets[n - 1] != s->sets[i]) s->sets[n++] = s->sets[i];
    s->n_sets = n;
    CHECK(grow(ctx, s, 0, 0));
    cairn_report_heading(out, 2, "By trying on %zu points", s->n);
    cairn_report_value(out, "different hypotheses on the points, |H|", (double)s->n_sets, "size_h");
    cairn_report_value(out, "bound VC ≤ log2|H|", cairn_log2((double)s->n_sets), "log2_h");
    if (steps && s->n_sets) {
        CHECK(work_largest(ctx, out, s));
        CHECK(work_larger(ctx, out, s));
    }
    return show_space(ctx, out, s);
}

/* Points are always tried, and so are conjunctions; of other classes the dimension is known. */
static cairn_status vc_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const vc_params *p = job->params;
    bool space_given = p->points || job->table;
    if (!space_given && p->class == CAIRN_LISTED)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{class list} needs a table: rows are points, columns hypotheses");
    cairn_report_heading(out, 1, "Vapnik-Chervonenkis dimension");
    if (!space_given) show_named(out, p);
    if (space_given || p->class == CAIRN_CONJUNCTIONS)
        return by_trying(ctx, out, p, job->table, job->steps);
    if (job->steps) {
        cairn_report_step_begin(out, "The dimension that is known of the class");
        cairn_report_formula(out, "VC = %s with p = %d and n = %d", formulas[p->class],
                             p->dimension, p->variables);
        cairn_report_step_end(out);
    }
    cairn_report_value(
        out, "VC dimension of the class",
        cairn_class_dimension((cairn_hypotheses)p->class, (size_t)p->dimension, p->empty), "vc");
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_vc = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "vc",
              .also = "VC dimension, Vapnik-Chervonenkis, capacity",
              .title = "Vapnik-Chervonenkis dimension",
              .summary =
                  "The size of the largest set of points that a class of hypotheses can label in "
                  "every way: from a table for named classes, and by trying all sets on a finite "
                  "space, which is typed, a table, or all vectors of some bits; with the bound "
                  "log2|H| beside it.",
              .references = "Vapnik, Chervonenkis: On the uniform convergence of relative "
                            "frequencies, 1971; Natschläger, Schmitt: Exact VC-dimension of "
                            "Boolean monomials, 1996",
              .example = "cairn compute vc --class conjunction --variables 3",
              .params = vc_table,
              .params_size = sizeof(vc_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .run = vc_run,
};
