/* SPDX-License-Identifier: MIT */
/* cairn compute split: every score of a partition, from typed tables of counts or for each column
 * of a data table against its target; a column of numbers is cut where the information gain is
 * largest.
 *
 * Scores come in families that meet: the Gini reduction is the average absolute Quetelet index and
 * the scatter that the parts explain of the plain indicators of the classes; chi-squared / N is the
 * average relative Quetelet index and the same scatter of indicators divided by the root of their
 * share; information gain is the mutual information of part and class. All are shown, so that the
 * identities can be seen. */
#include "base/functions.h"
#include "model/calculator.h"

#include "base/memory.h"
#include "base/number.h"
#include "data/view.h"
#include "learners/tree/grow/tree_costs.h"
#include "stats/distributions.h"
#include "stats/impurity.h"
#include "stats/losses.h"

#include <math.h>
#include <stdio.h>

typedef struct split_params {
    const char *table;
    double cell_add, inflate;
    int inflated_class;
    const char *attribute_costs;
    double cost_weight;
    int log;
} split_params;

static const cairn_param split_table[] = {
    {.name = "table",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(split_params, table),
     .help = "counts: one row per part, separated by semicolons, one column per class, "
             "separated by commas, such as 3,2;4,0;2,3; several are compared",
     .repeated = true},
    CAIRN_PARAM(split_params, cell_add, "0", "[0,inf)",
                "added to every cell before anything is computed"),
    CAIRN_PARAM(split_params, inflate, "1", "(0,inf)",
                "compare with the same splits after every row of a class was repeated so often"),
    CAIRN_PARAM(split_params, inflated_class, "1", "[1,inf)",
                "the class that --inflate repeats, by its number (of DATA: in the order of the "
                "levels)",
                .when = "inflate"),
    CAIRN_PARAM(split_params, attribute_costs, NULL, NULL,
                "DATA: what asking a column costs, such as blood=5,age=0.1, or a file with names "
                "and costs; others cost 1"),
    CAIRN_PARAM(split_params, cost_weight, "1", "[0,1]",
                "how much costs count in (2^gain − 1) / (cost + 1)^w", .when = "attribute_costs"),
    CAIRN_PARAM_CHOICE(split_params, log, "2", cairn_log_choices,
                       "base of the logarithm in entropies and gains"),
    CAIRN_PARAM_END,
};

/* Scores nearer than this are equal, as in the tree. */
#define TIE 1e-12

typedef struct contingency {
    const double *cells; /* n_parts x n_classes */
    size_t n_parts, n_classes;
    const char *const *parts, *const *classes; /* names; NULL = numbers */
    double bit;                                /* one bit in the base of --log */
    double log_base;
} contingency;

static void cell_name(cairn_report *out, const char *const *names, size_t i)
{
    if (names)
        cairn_report_cell(out, names[i]);
    else
        cairn_report_cellf(out, "%zu", i + 1);
}

/* The average impurity of the parts. */
static double after_split(const contingency *t, cairn_impurity kind)
{
    return cairn_impurity_after(kind, t->cells, t->n_parts, t->n_classes) *
           (kind == CAIRN_ENTROPY ? t->bit : 1);
}

/* All scores, entropies and gains in the base of --log. */
static cairn_split_scores scores_of(const contingency *t)
{
    cairn_split_scores s;
    cairn_split_scores_of(&s, t->cells, t->n_parts, t->n_classes, 0);
    s.entropy *= t->bit;
    s.gain *= t->bit;
    s.split_information *= t->bit;
    return s;
}

/* The counts with the impurity of each part and their weighted averages. */
static void show_counts(cairn_report *out, const contingency *t, const char *prefix)
{
    cairn_report_table_of(out, "Counts and impurity of each part", 0, "l", "part");
    for (size_t k = 0; k < t->n_classes; k++) {
        char head[32];
        snprintf(head, sizeof head, "class %zu", k + 1);
        cairn_report_column(out, t->classes ? t->classes[k] : head, 'r');
    }
    cairn_report_columns(out, "rrrr", "entropy", "Gini", "minority", "√Gini");
    for (size_t i = 0; i < t->n_parts; i++) {
        const double *row = t->cells + i * t->n_classes;
        cell_name(out, t->parts, i);
        cairn_report_prefix(out, "%spart%zu", prefix, i + 1);
        cairn_report_cells(out, "- @.entropy @.gini @.minority @.sqrt_gini",
                           cairn_cell_row(row, t->n_classes),
                           t->bit * cairn_entropy(row, t->n_classes), cairn_gini(row, t->n_classes),
                           cairn_minority(row, t->n_classes), cairn_sqrt_gini(row, t->n_classes));
    }
}

/* All scores of one split with their p; names get the prefix of the table that they belong to. */
static void show_scores(cairn_report *out, const cairn_split_scores *s, const char *prefix)
{
    const struct {
        const char *label, *name;
        double value;
    } rows[] = {{"rows", "total", s->total},
                {"entropy before", "entropy", s->entropy},
                {"Gini before", "gini", s->gini},
                {"information gain", "gain", s->gain},
                {"split information", "split_information", s->split_information},
                {"gain ratio", "gain_ratio", s->gain_ratio},
                {"Gini reduction", "gini_reduction", s->gini_reduction},
                {"minority reduction", "minority_reduction", s->minority_reduction},
                {"√Gini reduction", "sqrt_gini_reduction", s->sqrt_gini_reduction},
                {"chi-squared", "chi_squared", s->chi_squared},
                {"chi-squared / N", "chi_squared_share", s->chi_squared_share},
                {"degrees of freedom", "degrees", (double)s->degrees},
                {"p of chi-squared", "p",
                 s->degrees ? cairn_chi2_upper(s->chi_squared, (double)s->degrees) : NAN}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cairn_report_value(out, rows[i].label, rows[i].value, "%s%s", prefix, rows[i].name);
}

/* Entropy of all cells together: H(T, S). */
static double joint_entropy(const contingency *t)
{
    return t->bit * cairn_entropy(t->cells, t->n_parts * t->n_classes);
}

/* The same scores divided by what there was to gain. */
static void show_normalised(cairn_report *out, const contingency *t, const cairn_split_scores *s,
                            const char *prefix)
{
    double sizes = s->split_information, both = s->entropy + sizes;
    cairn_report_value(out, "joint entropy of class and part", joint_entropy(t), "%sjoint_entropy",
                       prefix);
    cairn_report_value(out, "mutual information H(T) + H(S) − H(T,S)",
                       cairn_number_left(both - joint_entropy(t), both), "%smutual_information",
                       prefix);
    cairn_report_value(out, "gain / entropy before", s->entropy > 0 ? s->gain / s->entropy : NAN,
                       "%sgain_share", prefix);
    cairn_report_value(out, "gain / mean of both entropies", both > 0 ? 2 * s->gain / both : NAN,
                       "%sgain_both", prefix);
    cairn_report_value(out, "Gini reduction / Gini before",
                       s->gini > 0 ? s->gini_reduction / s->gini : NAN, "%sgini_share", prefix);
}

/* What is left of each impurity: the average after the split, divided by what there was. Repeating
 * the rows of a class does not change that of the root of Gini of two classes. */
static void show_relative(cairn_report *out, const contingency *t, const cairn_split_scores *s,
                          const char *prefix)
{
    double root = cairn_impurity_after(CAIRN_SQRT_GINI, t->cells, t->n_parts, t->n_classes);
    double before = root + s->sqrt_gini_reduction;
    double gini = cairn_impurity_after(CAIRN_GINI, t->cells, t->n_parts, t->n_classes);
    cairn_report_table_of(out, "Share of the impurity that is left in each part", 0, "lrr", "part",
                          "Gini", "√Gini");
    for (size_t i = 0; i < t->n_parts; i++) {
        const double *row = t->cells + i * t->n_classes;
        double share = 0;
        for (size_t k = 0; k < t->n_classes; k++) share += row[k] / s->total;
        cell_name(out, t->parts, i);
        cairn_report_prefix(out, "%spart%zu.relative", prefix, i + 1);
        cairn_report_cells(
            out, "@_gini @_sqrt_gini",
            share > 0 ? share * cairn_gini(row, t->n_classes) / s->gini : 0 / s->gini,
            share > 0 ? share * cairn_sqrt_gini(row, t->n_classes) / before : 0 / before);
    }
    cairn_report_value(out, "relative Gini", s->gini > 0 ? gini / s->gini : NAN, "%srelative_gini",
                       prefix);
    cairn_report_value(out, "relative √Gini", before > 0 ? root / before : NAN,
                       "%srelative_sqrt_gini", prefix);
}

/* -- contributions of parts to classes -- */

typedef struct margins {
    double total, *parts, *classes; /* shares */
} margins;

static cairn_status find_margins(cairn_context *ctx, margins *out, const contingency *t)
{
    CHECK(SCRATCH(ctx, &out->parts, t->n_parts));
    CHECK(SCRATCH(ctx, &out->classes, t->n_classes));
    out->total = 0;
    for (size_t i = 0; i < t->n_parts * t->n_classes; i++) out->total += t->cells[i];
    for (size_t k = 0; k < t->n_parts; k++)
        for (size_t l = 0; l < t->n_classes; l++) {
            double share = t->cells[k * t->n_classes + l] / out->total;
            out->parts[k] += share;
            out->classes[l] += share;
        }
    return CAIRN_OK;
}

/* A table of parts and classes with the values NAME.PART.CLASS, and sums of both ways if wanted. */
static void show_cells(cairn_report *out, const contingency *t, const double *cells,
                       const char *title, const char *prefix, const char *name, bool sums)
{
    cairn_report_table_of(out, title, 0, "l", "part");
    for (size_t l = 0; l < t->n_classes; l++) {
        char head[32];
        snprintf(head, sizeof head, "class %zu", l + 1);
        cairn_report_column(out, t->classes ? t->classes[l] : head, 'r');
    }
    if (sums) cairn_report_column(out, "sum", 'r');
    for (size_t k = 0; k < t->n_parts; k++) {
        double sum = 0;
        cell_name(out, t->parts, k);
        for (size_t l = 0; l < t->n_classes; l++) {
            double x = cells[k * t->n_classes + l];
            cairn_report_cell_number(out, x, 0, "%s%s.part%zu.class%zu", prefix, name, k + 1,
                                     l + 1);
            sum += x;
        }
        if (sums) cairn_report_cell_number(out, sum, 0, "%s%s.part%zu", prefix, name, k + 1);
    }
    if (sums) {
        double all = 0;
        cairn_report_cell(out, "sum");
        for (size_t l = 0; l < t->n_classes; l++) {
            double sum = 0;
            for (size_t k = 0; k < t->n_parts; k++) sum += cells[k * t->n_classes + l];
            cairn_report_cell_number(out, sum, 0, "%s%s.class%zu", prefix, name, l + 1);
            all += sum;
        }
        cairn_report_cell_number(out, all, 0, "%s%s", prefix, name);
    }
}

/* How the share of a class changes in a part, as it is and in terms of the share. */
static void show_quetelet(cairn_report *out, const contingency *t, const margins *m, double *cells,
                          const char *prefix)
{
    double averages[2] = {0, 0};
    for (int relative = 0; relative < 2; relative++) {
        for (size_t k = 0; k < t->n_parts; k++)
            for (size_t l = 0; l < t->n_classes; l++) {
                double p = t->cells[k * t->n_classes + l] / m->total;
                double change = m->parts[k] > 0 ? p / m->parts[k] - m->classes[l] : NAN;
                if (relative) change = m->classes[l] > 0 ? change / m->classes[l] : NAN;
                cells[k * t->n_classes + l] = change;
                if (p > 0) averages[relative] += p * change;
            }
        show_cells(out, t, cells,
                   relative ? "Relative change of the share: P(class | part) / P(class) − 1"
                            : "Change of the share: P(class | part) − P(class)",
                   prefix, relative ? "quetelet.relative" : "quetelet.absolute", false);
    }
    cairn_report_value(out, "average absolute change", averages[0], "%squetelet.absolute", prefix);
    cairn_report_value(out, "average relative change", averages[1], "%squetelet.relative", prefix);
}

/* B / N for the three scales of a class, cell by cell. */
static cairn_status show_contributions(cairn_context *ctx, cairn_report *out, const contingency *t,
                                       const char *prefix)
{
    static const struct {
        cairn_contribution scale;
        const char *title, *name;
    } scales[] = {{CAIRN_CONTRIBUTION_PLAIN, "Contribution / N, plain: sums to the Gini reduction",
                   "contribution.plain"},
                  {CAIRN_CONTRIBUTION_POISSON,
                   "Contribution / N, divided by p: sums to chi-squared / N",
                   "contribution.poisson"},
                  {CAIRN_CONTRIBUTION_BERNOULLI, "Contribution / N, divided by p (1 − p)",
                   "contribution.bernoulli"}};
    margins m = {0};
    double *cells;
    char name[64];
    CHECK(find_margins(ctx, &m, t));
    CHECK(SCRATCH(ctx, &cells, t->n_parts * t->n_classes));
    if (!(m.total > 0)) return CAIRN_OK;
    /* The shares of the classes in each part. */
    for (size_t i = 0; i < t->n_parts * t->n_classes; i++)
        cells[i] = t->cells[i] / m.total / m.parts[i / t->n_classes];
    show_cells(out, t, cells, "Share of the class in the part", prefix, "share", false);
    show_quetelet(out, t, &m, cells, prefix);
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        cairn_class_contributions(cells, scales[i].scale, t->cells, t->n_parts, t->n_classes);
        double sum = 0;
        for (size_t j = 0; j < t->n_parts * t->n_classes; j++) sum += cells[j] /= m.total;
        show_cells(out, t, cells, scales[i].title, prefix, scales[i].name, true);
        if (!(sum > 0)) continue;
        for (size_t j = 0; j < t->n_parts * t->n_classes; j++) cells[j] *= 100 / sum;
        snprintf(name, sizeof name, "%s.percent", scales[i].name);
        show_cells(out, t, cells, "The same in per cent of the sum", prefix, name, true);
    }
    return CAIRN_OK;
}

/* -- the work -- */

/* "H(part 1) = − 3/5 · log2(3/5) − 2/5 · log2(2/5) = 0.970951" */
static double work_impurity(cairn_report *out, const contingency *t, cairn_impurity kind,
                            const double *counts, size_t n, const char *label)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(cairn_report_context(out));
    bool entropy = kind == CAIRN_ENTROPY;
    double value = entropy ? t->bit * cairn_entropy(counts, n) : cairn_gini(counts, n);
    cairn_text_addf(&text, "%s(%s) = ", entropy ? "H" : "Gini", label);
    cairn_impurity_add_terms(&text, kind, counts, n, t->log_base);
    cairn_text_add(&text, " = ");
    cairn_text_add_number(&text, value, 6);
    cairn_report_formula(out, "%s", cairn_text_string(&text));
    cairn_report_failed(out, cairn_text_status(&text));
    return value;
}

/* What there was, what each part has, and the difference to their weighted average. */
static void work_gain(cairn_report *out, const contingency *t, cairn_impurity kind,
                      const double *classes, const double *sizes, double total)
{
    SCOPED(cairn_text_clear) cairn_text gain = cairn_text_start(cairn_report_context(out));
    bool entropy = kind == CAIRN_ENTROPY;
    char number[32];
    double before = work_impurity(out, t, kind, classes, t->n_classes, "before"), left = before;
    cairn_text_addf(&gain, "%s = ", entropy ? "gain" : "Gini reduction");
    cairn_text_add_number(&gain, left, 6);
    for (size_t i = 0; i < t->n_parts; i++) {
        snprintf(number, sizeof number, "part %zu", i + 1);
        if (!(sizes[i] > 0)) continue;
        double own = work_impurity(out, t, kind, t->cells + i * t->n_classes, t->n_classes,
                                   t->parts ? t->parts[i] : number);
        cairn_text_add(&gain, " − ");
        cairn_text_add_number(&gain, sizes[i], 6);
        cairn_text_add(&gain, "/");
        cairn_text_add_number(&gain, total, 6);
        cairn_text_add(&gain, " · ");
        cairn_text_add_number(&gain, own, 6);
        left -= sizes[i] / total * own;
    }
    cairn_text_add(&gain, " = ");
    cairn_text_add_number(&gain, cairn_number_left(left, before), 6);
    cairn_report_formula(out, "%s", cairn_text_string(&gain));
    cairn_report_failed(out, cairn_text_status(&gain));
}

/* The counts to be expected of independent parts and classes, and what each cell adds to
 * chi-squared. */
static void work_chi(cairn_report *out, const contingency *t, const double *classes,
                     const double *sizes, double total, const char *prefix)
{
    cairn_report_formula(out,
                         "χ² = Σ (count − expected)² / expected,   expected = row · column / N");
    cairn_report_table_of(out, "Expected counts", 0, "llrrr", "part", "class", "count", "expected",
                          "(count − expected)² / expected");
    for (size_t i = 0; i < t->n_parts; i++)
        for (size_t k = 0; k < t->n_classes; k++) {
            double count = t->cells[i * t->n_classes + k];
            double expected = sizes[i] * classes[k] / total, away = count - expected;
            if (!(expected > 0)) continue;
            cell_name(out, t->parts, i);
            cell_name(out, t->classes, k);
            cairn_report_prefix(out, "%sexpected.part%zu.class%zu", prefix, i + 1, k + 1);
            cairn_report_cells(out, "- @", count, expected);
            cairn_report_cell_number(out, away * away / expected, 0, "%schi.part%zu.class%zu",
                                     prefix, i + 1, k + 1);
        }
}

static cairn_status work(cairn_context *ctx, cairn_report *out, const contingency *t,
                         const cairn_split_scores *s, const char *prefix)
{
    double *classes, *sizes;
    CHECK(SCRATCH(ctx, &classes, t->n_classes));
    CHECK(SCRATCH(ctx, &sizes, t->n_parts));
    for (size_t i = 0; i < t->n_parts; i++)
        for (size_t k = 0; k < t->n_classes; k++) {
            classes[k] += t->cells[i * t->n_classes + k];
            sizes[i] += t->cells[i * t->n_classes + k];
        }
    if (!(s->total > 0)) return CAIRN_OK;
    cairn_report_step_begin(out, "Gain");
    work_gain(out, t, CAIRN_ENTROPY, classes, sizes, s->total);
    work_impurity(out, t, CAIRN_ENTROPY, sizes, t->n_parts, "sizes");
    if (s->split_information > 0)
        cairn_report_worked(out, "gain ratio", "# / # = #", s->gain, s->split_information,
                            s->gain_ratio);
    cairn_report_step_end(out);
    cairn_report_step_begin(out, "Gini");
    work_gain(out, t, CAIRN_GINI, classes, sizes, s->total);
    cairn_report_step_end(out);
    cairn_report_step_begin(out, "Chi-squared");
    work_chi(out, t, classes, sizes, s->total, prefix);
    cairn_report_step_end(out);
    return CAIRN_OK;
}

static cairn_status show_split(cairn_context *ctx, cairn_report *out, const contingency *t,
                               const char *prefix, bool steps)
{
    cairn_split_scores scores = scores_of(t);
    if (steps) CHECK(work(ctx, out, t, &scores, prefix));
    show_counts(out, t, prefix);
    /* The weighted averages of the four impurities after the split. */
    static const struct {
        const char *label, *name;
        cairn_impurity kind;
    } rows[] = {{"average entropy of the parts", "entropy_after", CAIRN_ENTROPY},
                {"Gini split index", "gini_after", CAIRN_GINI},
                {"average minority share", "minority_after", CAIRN_MINORITY},
                {"average square root of Gini", "sqrt_gini_after", CAIRN_SQRT_GINI}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cairn_report_value(out, rows[i].label, after_split(t, rows[i].kind), "%s%s", prefix,
                           rows[i].name);
    show_scores(out, &scores, prefix);
    show_normalised(out, t, &scores, prefix);
    show_relative(out, t, &scores, prefix);
    return CAIRN_OK;
}

/* -- several splits -- */

/* The order of the splits by one score, of which little is good; equal ones stand together. */
static cairn_status show_order(cairn_context *ctx, cairn_report *out, const double *scores,
                               size_t n, const char *const *names, const char *label,
                               const char *prefix, const char *key)
{
    size_t *order;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    char head[64];
    CHECK(SCRATCH(ctx, &order, n));
    for (size_t i = 0; i < n; i++) {
        size_t at = i;
        for (; at > 0 && scores[order[at - 1]] > scores[i] + TIE; at--) order[at] = order[at - 1];
        order[at] = i;
    }
    for (size_t i = 0; i < n; i++) {
        bool tied = i && scores[order[i]] <= scores[order[i - 1]] + TIE;
        cairn_text_add(&text, i == 0 ? "" : tied ? " = " : ", ");
        if (names)
            cairn_text_add(&text, names[order[i]]);
        else
            cairn_text_addf(&text, "%zu", order[i] + 1);
    }
    snprintf(head, sizeof head, "order by %s", label);
    cairn_report_word(out, head, cairn_text_string(&text), "%sorder.%s", prefix, key);
    cairn_report_hidden(out, (double)(order[0] + 1), "%sbest.%s", prefix, key);
    return cairn_text_status(&text);
}

/* The splits side by side, and their order by each score. `names` = NULL: they have numbers. */
static cairn_status compare_splits(cairn_context *ctx, cairn_report *out, const contingency *tables,
                                   const char *const *names, size_t n, const char *prefix)
{
    static const struct {
        const char *label, *name;
        cairn_impurity kind;
    } kinds[] = {{"entropy", "entropy", CAIRN_ENTROPY},
                 {"Gini", "gini", CAIRN_GINI},
                 {"√Gini", "sqrt_gini", CAIRN_SQRT_GINI}};
    double *scores[4];
    for (size_t k = 0; k < 4; k++) CHECK(SCRATCH(ctx, &scores[k], n));
    cairn_report_table_of(out, "Average impurity after each split", (size_t)-1, "l",
                          names ? "column" : "split");
    for (size_t k = 0; k < 3; k++) cairn_report_column(out, kinds[k].label, 'r');
    cairn_report_column(out, "chi² / N", 'r');
    for (size_t i = 0; i < n; i++) {
        const contingency *t = &tables[i];
        char number[32];
        snprintf(number, sizeof number, "split%zu", i + 1);
        const char *key = names ? cairn_report_key(out, names[i]) : number;
        cell_name(out, names, i);
        for (size_t k = 0; k < 3; k++) {
            scores[k][i] = after_split(t, kinds[k].kind);
            cairn_report_cell_number(out, scores[k][i], 0, "%s%s.%s", prefix, kinds[k].name, key);
        }
        cairn_split_scores all = scores_of(t);
        cairn_report_cell_number(out, all.chi_squared_share, 0, "%schi.%s", prefix, key);
        scores[3][i] = -all.chi_squared_share;
    }
    for (size_t k = 0; k < 4; k++)
        CHECK(show_order(ctx, out, scores[k], n, names, k < 3 ? kinds[k].label : "chi-squared",
                         prefix, k < 3 ? kinds[k].name : "chi"));
    return CAIRN_OK;
}

/* The tables with one class repeated. */
static cairn_status inflate_tables(cairn_context *ctx, const split_params *p, contingency *tables,
                                   size_t n)
{
    for (size_t i = 0; i < n; i++) {
        contingency *t = &tables[i];
        double *cells;
        CHECK(SCRATCH(ctx, &cells, t->n_parts * t->n_classes));
        for (size_t j = 0; j < t->n_parts * t->n_classes; j++)
            cells[j] =
                t->cells[j] * (j % t->n_classes == (size_t)p->inflated_class - 1 ? p->inflate : 1);
        t->cells = cells;
    }
    return CAIRN_OK;
}

/* The tables with --cell-add in every cell: copies, from which all numbers come. */
static cairn_status add_to_cells(cairn_context *ctx, contingency **out, const contingency *tables,
                                 size_t n, double add)
{
    CHECK(SCRATCH(ctx, out, n + 1));
    for (size_t i = 0; i < n; i++) {
        const contingency *t = &tables[i];
        double *cells;
        (*out)[i] = *t;
        if (!(add > 0) || !t->cells) continue;
        CHECK(SCRATCH(ctx, &cells, t->n_parts * t->n_classes));
        for (size_t j = 0; j < t->n_parts * t->n_classes; j++) cells[j] = t->cells[j] + add;
        (*out)[i].cells = cells;
    }
    return CAIRN_OK;
}

static void note_addition(cairn_report *out, double add)
{
    char number[CAIRN_NUMBER_SIZE];
    if (!(add > 0)) return;
    cairn_number_format(number, add, 6);
    cairn_report_paragraph(out, "%s was added to every cell.", number);
}

/* -- every column of a table -- */

/* A table of the classes of the target and so many parts, without counts. */
static cairn_status empty_table(cairn_context *ctx, contingency *out, size_t n_parts,
                                const cairn_view *view, double **cells, const char ***parts)
{
    size_t n_classes = view->target->names.n;
    const char **classes;
    CHECK(SCRATCH(ctx, cells, cairn_product(n_parts, n_classes)));
    CHECK(SCRATCH(ctx, parts, n_parts));
    CHECK(SCRATCH(ctx, &classes, n_classes));
    for (size_t k = 0; k < n_classes; k++) classes[k] = cairn_map_key(&view->target->names, k);
    *out = (contingency){*cells, n_parts, n_classes, *parts, classes, 1, 2};
    return CAIRN_OK;
}

/* Counts of a level column against the target; missing cells are left out. */
static cairn_status count_levels(cairn_context *ctx, contingency *out, const cairn_column *column,
                                 const cairn_view *view)
{
    double *cells;
    const char **parts;
    CHECK(empty_table(ctx, out, column->names.n, view, &cells, &parts));
    for (size_t i = 0; i < column->names.n; i++) parts[i] = cairn_map_key(&column->names, i);
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        int32_t part = column->codes[row], class = view->target->codes[row];
        if (part >= 0 && class >= 0)
            cells[(size_t)part * out->n_classes + (size_t) class] += cairn_view_weight(view, i);
    }
    return CAIRN_OK;
}

/* The same for a column of numbers, below a cut and above it. */
static cairn_status count_sides(cairn_context *ctx, contingency *out, const cairn_column *column,
                                const cairn_view *view, double cut)
{
    enum { NAME = CAIRN_NUMBER_SIZE + 8 };
    double *cells;
    const char **parts;
    char number[CAIRN_NUMBER_SIZE], *names;
    CHECK(empty_table(ctx, out, 2, view, &cells, &parts));
    CHECK(SCRATCH(ctx, &names, 2 * NAME));
    cairn_number_format(number, cut, CAIRN_SHORTEST);
    snprintf(names, NAME, "≤ %s", number);
    snprintf(names + NAME, NAME, "> %s", number);
    parts[0] = names;
    parts[1] = names + NAME;
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        double x = column->numbers[row];
        int32_t class = view->target->codes[row];
        if (!isnan(x) && class >= 0)
            cells[(size_t)(x > cut) * out->n_classes + (size_t) class] +=
                cairn_view_weight(view, i);
    }
    return CAIRN_OK;
}

/* Where number columns are cut: as a tree by entropy would, with the rows whose cell is known. */
static cairn_status find_cuts(cairn_context *ctx, double *cuts, const cairn_view *view)
{
    const cairn_grow_options options = {.impurity = CAIRN_ENTROPY,
                                        .missing_gain = CAIRN_GAIN_KNOWN};
    SCOPED(cairn_binned_clear) cairn_binned data = {0};
    cairn_split_space space = {0};
    uint32_t *rows;
    CHECK(cairn_binned_make(ctx, &data, view, view->target->names.n));
    CHECK(cairn_split_space_make(ctx, &space, &data, &options, data.n_rows));
    CHECK(SCRATCH(ctx, &rows, data.n_rows));
    for (size_t i = 0; i < data.n_rows; i++) rows[i] = (uint32_t)i;
    cairn_node_rows node = {.rows = rows, .weights = data.weights, .n = data.n_rows};
    for (size_t c = 0; c < data.n_columns; c++) {
        cairn_split split = {0};
        cuts[c] = NAN;
        if (view->features[c]->kind != CAIRN_NUMBER) continue;
        cairn_split_column(&split, &data, &options, &node, c, &space);
        if (split.test == CAIRN_TEST_CUT)
            cuts[c] = cairn_cut_between(&data.columns[c], split.code, split.next, options.cut);
    }
    return CAIRN_OK;
}

/* A line of the ranking for one column. */
static void rank_column(cairn_report *out, const char *name, const cairn_split_scores *s,
                        double gini_after, const contingency *t, bool cut)
{
    const char *key = cairn_report_key(out, name);
    cairn_report_cell(out, name);
    if (cut)
        cairn_report_cell_word(out, t->parts[0], "test.%s", key);
    else
        cairn_report_cellf(out, "%zu", t->n_parts);
    cairn_report_cell_number(out, s->gain, 0, "gain.%s", key);
    cairn_report_cell_number(out, s->split_information, 0, "split_information.%s", key);
    cairn_report_cell_number(out, s->gain_ratio, 0, "gain_ratio.%s", key);
    cairn_report_cell_number(out, s->gini_reduction, 0, "gini_reduction.%s", key);
    cairn_report_cell_number(out, gini_after, 0, "gini_after.%s", key);
    cairn_report_cell_number(out, s->chi_squared, 0, "chi_squared.%s", key);
}

/* Columns that lead by the three usual scores; of equal ones the first. */
typedef struct leaders {
    const char *gain, *ratio, *gini;
    double best_gain, best_ratio, best_gini;
} leaders;

/* Columns that say nothing although they rank high, and those that have no place. */
static void note_columns(cairn_report *out, const cairn_view *view, const contingency *tables)
{
    size_t skipped = 0, cut = 0;
    for (size_t i = 0; i < view->n_features; i++) {
        skipped += !tables[i].cells;
        cut += tables[i].cells && view->features[i]->kind == CAIRN_NUMBER;
        if (tables[i].n_parts == view->rows.n && view->rows.n > 2)
            cairn_report_note(out,
                              "'%s' has as many levels as there are rows: it sorts them out one "
                              "by one and says nothing about new rows.",
                              view->names[i]);
    }
    if (cut)
        cairn_report_note(out,
                          "Columns of numbers are cut in two where the gain is largest; {kinds "
                          "COLUMN=level} takes their values as levels.");
    if (skipped)
        cairn_report_note(out,
                          "%zu columns have no parts (text, times, or one value only) and are "
                          "left out.",
                          skipped);
}

/* A ranking of the columns, then each in full when the steps are wanted. */
static cairn_status split_columns(cairn_context *ctx, cairn_report *out, const cairn_view *view,
                                  const contingency *tables, bool steps)
{
    cairn_status status = CAIRN_OK;
    leaders best = {0};
    static const char *const heads[] = {"parts", "gain",       "split info", "ratio",
                                        "ΔGini", "Gini split", "chi²"};
    cairn_report_table_of(out, "Scores of every column", (size_t)-1, "l", "column");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        cairn_report_column(out, heads[i], 'r');
    for (size_t i = 0; i < view->n_features; i++) {
        const contingency *t = &tables[i];
        if (!t->cells) continue;
        cairn_split_scores scores = scores_of(t);
        double gini = after_split(t, CAIRN_GINI);
        rank_column(out, view->names[i], &scores, gini, t, view->features[i]->kind == CAIRN_NUMBER);
        const char *name = view->names[i];
        if (!best.gain || scores.gain > best.best_gain + TIE)
            best.gain = name, best.best_gain = scores.gain;
        if (!best.ratio || scores.gain_ratio > best.best_ratio + TIE)
            best.ratio = name, best.best_ratio = scores.gain_ratio;
        if (!best.gini || gini < best.best_gini - TIE) best.gini = name, best.best_gini = gini;
    }
    if (best.gain) {
        cairn_report_word(out, "largest gain", best.gain, "best.gain");
        cairn_report_word(out, "largest gain ratio", best.ratio, "best.gain_ratio");
        cairn_report_word(out, "smallest Gini split", best.gini, "best.gini");
    }
    note_columns(out, view, tables);
    for (size_t i = 0; i < view->n_features; i++) {
        cairn_text prefix = cairn_text_start(ctx);
        if (!tables[i].cells) continue;
        cairn_text_addf(&prefix, "%s.", cairn_report_key(out, view->names[i]));
        status = cairn_text_status(&prefix);
        if (status == CAIRN_OK && steps) {
            cairn_report_step_begin(out, "%s", view->names[i]);
            status = show_split(ctx, out, &tables[i], cairn_text_string(&prefix), true);
            cairn_report_step_end(out);
        }
        cairn_text_clear(&prefix);
        if (status) return status;
    }
    return status;
}

/* The columns once more, with what they cost. */
static cairn_status rank_by_cost(cairn_context *ctx, cairn_report *out, const cairn_view *view,
                                 const contingency *tables, const split_params *p)
{
    static const char *const names[] = {"gain² / cost", "(2^gain − 1) / (cost + 1)^w",
                                        "gain / cost"};
    static const char *const keys[] = {"squared", "powers", "ratio"};
    ptrdiff_t best[3] = {-1, -1, -1};
    double most[3], *costs;
    CHECK(cairn_costs_of(ctx, &costs, view, p->attribute_costs));
    cairn_report_table_of(out, "Gain and cost", (size_t)-1, "lrr", "column", "gain", "cost");
    for (size_t r = 0; r < 3; r++) cairn_report_column(out, names[r], 'r');
    for (size_t i = 0; i < view->n_features; i++) {
        if (!tables[i].cells) continue;
        cairn_split_scores scores = scores_of(&tables[i]);
        const char *key = cairn_report_key(out, view->names[i]);
        cairn_report_cells(out, "- - cost.$1", view->names[i], scores.gain, costs[i]);
        for (size_t r = 0; r < 3; r++) {
            double score =
                cairn_cost_score((cairn_cost_rule)r, scores.gain, costs[i], p->cost_weight);
            cairn_report_cell_number(out, score, 0, "gain_%s.%s", keys[r], key);
            if (best[r] < 0 || score > most[r] + TIE) best[r] = (ptrdiff_t)i, most[r] = score;
        }
    }
    for (size_t r = 0; r < 3; r++)
        if (best[r] >= 0)
            cairn_report_word(out, names[r], view->names[best[r]], "best.gain_%s", keys[r]);
    return CAIRN_OK;
}

/* The columns by their average impurity, as they are and with a class repeated. */
static cairn_status rank_inflated(cairn_context *ctx, cairn_report *out, const cairn_view *view,
                                  const contingency *counted, const split_params *p)
{
    contingency *tables, *added;
    const char **names;
    size_t n = 0;
    char times[CAIRN_NUMBER_SIZE];
    if ((size_t)p->inflated_class > view->target->names.n)
        return cairn_fail(ctx, CAIRN_USAGE, "{inflated-class %d}: '%s' has %zu classes only",
                          p->inflated_class, view->target_name, view->target->names.n);
    CHECK(SCRATCH_EACH(ctx, view->n_features, &tables, &names));
    for (size_t i = 0; i < view->n_features; i++) {
        if (!counted[i].cells) continue;
        names[n] = view->names[i];
        tables[n++] = counted[i];
    }
    if (n == 0) return CAIRN_OK;
    CHECK(add_to_cells(ctx, &added, tables, n, p->cell_add));
    CHECK(compare_splits(ctx, out, added, names, n, ""));
    cairn_number_format(times, p->inflate, 6);
    cairn_report_heading(out, 1, "With every row of '%s' %s times",
                         cairn_map_key(&view->target->names, (size_t)p->inflated_class - 1), times);
    CHECK(inflate_tables(ctx, p, tables, n));
    CHECK(add_to_cells(ctx, &added, tables, n, p->cell_add));
    return compare_splits(ctx, out, added, names, n, "inflated.");
}

/* Every column is scored against the target; a target that differs in every row makes all scores
 * meaningless, which is warned of. */
static cairn_status split_data(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const split_params *p = job->params;
    contingency *tables, *added;
    cairn_view view;
    bool names;
    CHECK(cairn_view_make(ctx, &view, job->table, cairn_all_rows(job->table)));
    if (!view.target)
        return cairn_fail(ctx, CAIRN_USAGE, "name the column of the classes with {target}");
    if (view.target->kind != CAIRN_LEVEL)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the target '%s' holds numbers, not classes; {kinds \"%s=level\"} takes "
                          "its values as classes",
                          view.target_name, view.target_name);
    CHECK(cairn_view_is_name(ctx, &view, view.target, &names));
    if (names)
        cairn_warn(
            ctx,
            "the target '%s' has another class in every row, so the scores say nothing about "
            "new rows; name another one with {target}",
            view.target_name);
    cairn_report_heading(out, 1, "How well each column sorts out '%s'", view.target_name);
    note_addition(out, p->cell_add);
    /* The tables of all columns that have parts; the others have no cells. */
    double log_base = cairn_log_base(p->log);
    double *cuts;
    CHECK(SCRATCH_EACH(ctx, view.n_features + 1, &tables, &cuts));
    for (size_t i = 0; i < view.n_features; i++)
        if (view.features[i]->kind == CAIRN_NUMBER) {
            CHECK(find_cuts(ctx, cuts, &view));
            break;
        }
    for (size_t i = 0; i < view.n_features; i++) {
        const cairn_column *column = view.features[i];
        if (column->kind == CAIRN_LEVEL)
            CHECK(count_levels(ctx, &(tables)[i], column, &view));
        else if (column->kind == CAIRN_NUMBER && !isnan(cuts[i]))
            CHECK(count_sides(ctx, &(tables)[i], column, &view, cuts[i]));
        (tables)[i].bit = 1 / cairn_log2(log_base);
        (tables)[i].log_base = log_base;
    }
    CHECK(add_to_cells(ctx, &added, tables, view.n_features, p->cell_add));
    CHECK(split_columns(ctx, out, &view, added, job->steps));
    if (p->attribute_costs) CHECK(rank_by_cost(ctx, out, &view, added, p));
    if (p->inflate != 1) CHECK(rank_inflated(ctx, out, &view, tables, p));
    return CAIRN_OK;
}

/* -- typed tables -- */

/* All splits in full, then compared. `prefix` is in front of all names. */
static cairn_status show_tables(cairn_context *ctx, cairn_report *out, const split_params *p,
                                const contingency *counted, size_t n, const char *prefix,
                                bool steps)
{
    contingency *tables;
    CHECK(add_to_cells(ctx, &tables, counted, n, p->cell_add));
    for (size_t i = 0; i < n; i++) {
        char own[80];
        snprintf(own, sizeof own, "%s", prefix);
        if (n > 1) {
            snprintf(own, sizeof own, "%ssplit%zu.", prefix, i + 1);
            cairn_report_heading(out, 2, "Split %zu", i + 1);
        }
        CHECK(show_split(ctx, out, &tables[i], own, steps));
        CHECK(show_contributions(ctx, out, &tables[i], own));
    }
    if (n > 1) cairn_report_heading(out, 2, "The splits compared");
    if (n > 1) CHECK(compare_splits(ctx, out, tables, NULL, n, prefix));
    return CAIRN_OK;
}

/* With inflation the same tables are scored twice, to see which scores depend on the shares of
 * the classes. */
static cairn_status split_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const split_params *p = job->params;
    contingency *tables = NULL;
    size_t n = 0;
    if (job->table) return split_data(ctx, out, job);
    if (!p->table)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'compute split' needs {table}, or DATA with a "
                          "target");
    /* A line is a table, a row of it a part; the inflated class must exist in each. */
    const char *const *lines;
    double *cells;
    CHECK(cairn_list_lines(ctx, p->table, &lines));
    for (n = 0; lines[n];) ++n;
    CHECK(SCRATCH(ctx, &tables, n));
    for (size_t i = 0; i < n; i++) {
        contingency *t = &(tables)[i];
        CHECK(cairn_read_counts(ctx, "table", lines[i], &cells, &t->n_parts, &t->n_classes));
        t->cells = cells;
        t->log_base = cairn_log_base(p->log);
        t->bit = 1 / cairn_log2(t->log_base);
        if (p->inflate != 1 && (size_t)p->inflated_class > t->n_classes)
            CHECK(cairn_fail(ctx, CAIRN_USAGE,
                             "{inflated-class %d}: the table '%s' has %zu classes only",
                             p->inflated_class, lines[i], t->n_classes));
    }
    cairn_report_heading(out, 1, n == 1 ? "Scores of a split" : "Scores of %zu splits", n);
    cairn_report_formula(out, "gain = H(before) − Σ size/N · H(part)");
    cairn_report_formula(out, "gain ratio = gain / H(sizes of the parts)");
    note_addition(out, p->cell_add);
    CHECK(show_tables(ctx, out, p, tables, n, "", job->steps));
    if (p->inflate == 1) return CAIRN_OK;
    char times[CAIRN_NUMBER_SIZE];
    cairn_number_format(times, p->inflate, 6);
    cairn_report_heading(out, 1, "With every row of class %d %s times", p->inflated_class, times);
    CHECK(inflate_tables(ctx, p, tables, n));
    return show_tables(ctx, out, p, tables, n, "inflated.", job->steps);
}

const cairn_calculator cairn_compute_split = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "split",
              .also = "information gain, gain ratio, split information, Gini gain, chi-squared of "
                      "a split, best split, mutual information",
              .about =
                  "skew sensitivity of splitting criteria, search heuristics, splitting criteria, "
                  "feature selection measures, best attribute, choosing an attribute, "
                  "attribute selection",
              .title = "Scores of a split",
              .summary =
                  "Information gain, split information, gain ratio, Gini reduction and split "
                  "index, chi-squared, contributions of parts to classes and more for partitions "
                  "that are typed as tables of counts, or for every column of a table "
                  "against its target (numbers are cut where the gain is largest); with --steps "
                  "each column's counts are shown. --inflate "
                  "shows which scores prefer another split when a class becomes more frequent.",
              .references =
                  "Quinlan: Induction of Decision Trees, Machine Learning 1, 1986; Quinlan: "
                  "C4.5, 1993; Breiman et al.: Classification and Regression Trees, 1984",
              .example = "cairn compute split --table '3,2;4,0;2,3'",
              .params = split_table,
              .params_size = sizeof(split_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .run = split_run,
};
