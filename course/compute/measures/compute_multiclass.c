/* SPDX-License-Identifier: MIT */
/* Scores of several classes: cairn compute multiclass-auc, class-weights and coverage-scores. */
#include "typed/class_scores.h"
#include "typed/numbers.h"

#include "base/memory.h"
#include "base/number.h"
#include "typed/shown.h"
#include "plots/triangle_plot.h"
#include "stats/confusion.h"
#include "stats/curves.h"
#include "stats/multiclass.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- areas -- */

enum { AVERAGE_PAIRS, AVERAGE_SHARES };

typedef struct auc_params {
    cairn_class_scores_option scores;
    int average;
    double level;
    cairn_list areas, pair_areas, sizes;
} auc_params;

static const cairn_choice average_choices[] = {
    {"pairs", AVERAGE_PAIRS, "a pair weighs as much as it has pairs of rows"},
    {"shares", AVERAGE_SHARES, "a pair weighs as much as its two classes have rows"},
    {NULL, 0, NULL},
};

static const cairn_param auc_table[] = {
    CAIRN_PARAM_GROUP(auc_params, scores, cairn_class_scores_group),
    CAIRN_PARAM_CHOICE(auc_params, average, "pairs", average_choices,
                       "weights of the weighted average over pairs of classes"),
    CAIRN_PARAM(auc_params, level, "0.95", "(0,1)", "level of the intervals"),
    CAIRN_PARAM_CELLS(auc_params, areas, NUMBERS, NULL, "[0,1]",
                      "areas of the classes against the rest, typed, in place of DATA: only their "
                      "averages"),
    CAIRN_PARAM_CELLS(auc_params, pair_areas, MATRIX, NULL, NULL,
                      "areas of each class (row) against each other one (column), typed, such as "
                      "0,0.9,0.8;0.7,0,0.6;0.9,0.8,0; the diagonal does not count"),
    CAIRN_PARAM_CELLS(auc_params, sizes, NUMBERS, NULL, "[0,inf)",
                      "rows, or shares, of these classes, for the weighted averages",
                      .when = "areas or pair_areas"),
    CAIRN_PARAM_END,
};

/* Intervals of the areas against the rest, by DeLong. */
static cairn_status show_intervals(cairn_context *ctx, cairn_report *out,
                                   const cairn_class_scores *s, double level)
{
    double *scores;
    int8_t *classes;
    CHECK(SCRATCH_RAW_EACH(ctx, s->n, &scores, &classes));
    cairn_begin_intervals(out, "Intervals against the rest (DeLong)", level);
    cairn_report_columns(out, "lrrr", "class", "area", "low", "high");
    for (size_t k = 0; k < s->k; k++) {
        cairn_ranking ranking;
        for (size_t r = 0; r < s->n; r++) {
            scores[r] = s->scores[r * s->k + k];
            classes[r] = s->classes[r] < 0 ? -1 : (size_t)s->classes[r] == k;
        }
        CHECK(cairn_ranking_make(ctx, &ranking, scores, classes, s->weights, s->n));
        double auc = cairn_ranking_auc(&ranking);
        cairn_interval interval = cairn_auc_interval(&ranking, auc, 1, level);
        cairn_report_cells(out, "- - rest.$1.low rest.$1.high", s->names[k], auc, interval.low,
                           interval.high);
    }
    return CAIRN_OK;
}

/* The two areas of a pair differ, since each ranks by another class's score; so the matrix is
 * not symmetric. */
static void show_areas(cairn_report *out, const cairn_multiclass_auc *a, const char *const *names)
{
    cairn_report_table_of(out, "Each class against the rest, and against each other class", 0,
                          "lrr", "class", "rows", "rest");
    for (size_t j = 0; j < a->k; j++) cairn_report_column(out, names[j], 'r');
    for (size_t i = 0; i < a->k; i++) {
        const char *key = cairn_report_key(out, names[i]);
        cairn_report_cells(out, "- rows.$1 rest.$1", names[i], a->sizes[i], a->against_rest[i]);
        for (size_t j = 0; j < a->k; j++) {
            if (i == j)
                cairn_report_cell(out, "");
            else
                cairn_report_cell_number(out, a->against_one[i * a->k + j], 0, "pair.%s.%s", key,
                                         cairn_report_key(out, names[j]));
        }
    }
}

/* The averages as sums over the classes, and over the ordered pairs, with the numbers put in. */
static cairn_status work_averages(cairn_context *ctx, cairn_report *out,
                                  const cairn_multiclass_auc *a)
{
    double *plain, *weighted, *pairs, rest = 0, all = 0, rest_weighted = 0, one = 0, sizes = 0;
    size_t n = 0, n_pairs = 0;
    CHECK(SCRATCH(ctx, &plain, a->k));
    CHECK(SCRATCH(ctx, &weighted, 2 * a->k));
    CHECK(SCRATCH(ctx, &pairs, cairn_product(a->k, 3 * a->k)));
    for (size_t i = 0; i < a->k; i++) {
        if (!isnan(a->against_rest[i])) {
            rest += plain[n] = a->against_rest[i];
            weighted[2 * n] = a->sizes[i], weighted[2 * n + 1] = a->against_rest[i];
            rest_weighted += a->sizes[i] * a->against_rest[i], all += a->sizes[i], n++;
        }
        for (size_t j = 0; j < a->k; j++) {
            double area = a->against_one[i * a->k + j], size = a->sizes[i] * a->sizes[j];
            if (i == j || isnan(area)) continue;
            pairs[3 * n_pairs] = a->sizes[i], pairs[3 * n_pairs + 1] = a->sizes[j];
            pairs[3 * n_pairs++ + 2] = area;
            one += size * area, sizes += size;
        }
    }
    if (n) {
        cairn_report_step_begin(out, "One against the rest");
        cairn_report_worked_sum(out, "sum of the areas", "#", plain, 1, n, rest);
        cairn_report_worked(out, "plain mean", "# / # = #", rest, (double)n, a->rest_mean);
        cairn_report_worked_sum(out, "Σ rows · area", "# · #", weighted, 2, n, rest_weighted);
        cairn_report_worked(out, "weighted by class shares", "# / # = #", rest_weighted, all,
                            a->rest_weighted);
        cairn_report_step_end(out);
    }
    if (!n_pairs) return CAIRN_OK;
    cairn_report_step_begin(out, "One against one");
    cairn_report_worked_sum(out, "Σ |Ci| · |Cj| · area", "# · # · #", pairs, 3, n_pairs, one);
    cairn_report_worked(out, "weighted by |Ci| · |Cj|", "# / # = #", one, sizes, a->one_pairs);
    cairn_report_worked(out, "plain mean", "sum of # areas / # = #", (double)n_pairs,
                        (double)n_pairs, a->one_mean);
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* -- typed areas -- */

static void show_typed(cairn_report *out, const cairn_multiclass_auc *a, const auc_params *p)
{
    cairn_report_table_of(out, "The areas", 0, "rr", "class", "size");
    if (p->areas.text) cairn_report_column(out, "rest", 'r');
    for (size_t j = 0; p->pair_areas.text && j < a->k; j++) {
        char name[24];
        snprintf(name, sizeof name, "%zu", j + 1);
        cairn_report_column(out, name, 'r');
    }
    for (size_t i = 0; i < a->k; i++) {
        cairn_report_cells(out, "- - rest.$1", i + 1, p->sizes.text ? a->sizes[i] : NAN,
                           cairn_cell_if(p->areas.text, a->against_rest[i]));
        for (size_t j = 0; p->pair_areas.text && j < a->k; j++) {
            if (i == j)
                cairn_report_cell(out, "");
            else
                cairn_report_cell_number(out, a->against_one[i * a->k + j], 0, "pair.%zu.%zu",
                                         i + 1, j + 1);
        }
    }
}

/* The means; those with weights where there are some. */
static void show_means(cairn_report *out, const cairn_multiclass_auc *a, int average, bool rest,
                       bool pairs, bool weighted)
{
    bool products = average == AVERAGE_PAIRS;
    if (rest) {
        cairn_report_value(out, "one against the rest, plain mean", a->rest_mean, "rest.mean");
        if (weighted)
            cairn_report_value(out, "  weighted by class shares", a->rest_weighted,
                               "rest.weighted");
    }
    if (!pairs) return;
    cairn_report_value(out, "one against one, plain mean", a->one_mean, "one.mean");
    if (weighted)
        cairn_report_value(out, products ? "  weighted by |Ci|·|Cj|" : "  weighted by |Ci| + |Cj|",
                           products ? a->one_pairs : a->one_shares, "one.weighted");
}

/* Areas that are known already, with the sizes of their classes: only the averages are left to
 * make. */
static cairn_status typed_areas(cairn_context *ctx, cairn_report *out, const auc_params *p,
                                bool steps)
{
    cairn_multiclass_auc a = {0};
    /* The areas of both options; a list fixes the number of classes, and so does a matrix. Sizes
     * are all alike where none are typed. */
    size_t rows = p->pair_areas.rows, columns = p->pair_areas.columns;
    a.k = p->areas.text ? p->areas.n : rows;
    if (p->pair_areas.text && (rows != columns || rows != a.k))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{pair-areas} has %zu rows of %zu numbers; it needs a row and a column "
                          "for each class, as many as {areas} where both are given",
                          rows, columns);
    CHECK(cairn_list_or(ctx, &a.against_rest, &p->areas, "areas", a.k, "classes", NAN));
    CHECK(cairn_list_or(ctx, &a.against_one, &p->pair_areas, "pair-areas", cairn_product(a.k, a.k),
                        "pairs", NAN));
    for (size_t i = 0; i < a.k; i++)
        for (size_t j = 0; j < a.k && p->pair_areas.text; j++) {
            double *area = &a.against_one[i * a.k + j];
            if (i == j)
                *area = NAN;
            else if (!(*area >= 0 && *area <= 1))
                return cairn_fail(ctx, CAIRN_USAGE,
                                  "{pair-areas}: an area lies in 0 .. 1, number %zu does not",
                                  i * a.k + j + 1);
        }
    CHECK(cairn_list_or(ctx, &a.sizes, &p->sizes, "sizes", a.k, "classes", 1));
    cairn_multiclass_auc_average(&a);
    cairn_report_heading(out, 1, "Averages of areas under curves");
    show_typed(out, &a, p);
    show_means(out, &a, p->average, p->areas.text, p->pair_areas.text, p->sizes.text);
    return steps ? work_averages(ctx, out, &a) : CAIRN_OK;
}

/* A class without rows has no area: it is left out of the means, and a note says so. */
static cairn_status auc_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const auc_params *p = job->params;
    cairn_class_scores s;
    cairn_multiclass_auc a;
    size_t empty = 0;
    if (p->areas.text || p->pair_areas.text) return typed_areas(ctx, out, p, job->steps);
    CHECK(cairn_read_class_scores(ctx, &s, &p->scores, NULL, job->table, "multiclass-auc"));
    CHECK(cairn_multiclass_auc_of(ctx, &a, s.scores, s.classes, s.weights, s.n, s.k));
    cairn_report_heading(out, 1, "Area under the curve for several classes");
    cairn_report_paragraph(out, "Against the rest: the score of a class ranks its rows against all "
                                "others. Against another class: the score of the row's class ranks "
                                "these two only, so the two areas of a pair differ.");
    show_areas(out, &a, s.names);
    CHECK(show_intervals(ctx, out, &s, p->level));
    show_means(out, &a, p->average, true, true, true);
    for (size_t i = 0; i < s.k; i++) empty += a.sizes[i] == 0;
    if (empty)
        cairn_report_note(out,
                          "%zu class%s no rows: their areas are undefined and left out of the "
                          "means.",
                          empty, empty == 1 ? " has" : "es have");
    return job->steps ? work_averages(ctx, out, &a) : CAIRN_OK;
}

const cairn_calculator cairn_compute_multiclass_auc = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "multiclass-auc",
              .also = "one-versus-rest AUC, Hand and Till, pairwise AUC",
              .title = "Area under the curve for several classes",
              .summary = "Areas of each class against the rest and of each ordered pair of "
                         "classes, with plain and weighted means, from one column of scores per "
                         "class; or the means of areas that are typed.",
              .references =
                  "Hand, Till: A Simple Generalisation of the Area Under the ROC Curve "
                  "for Multiple Class Classification Problems, Machine Learning 45, 2001; "
                  "Provost, Domingos: Well-Trained PETs, 2001",
              .example = "cairn compute multiclass-auc @scores-three",
              .params = auc_table,
              .params_size = sizeof(auc_params)},
    .arguments = "[MODEL] [DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .answers = CAIRN_ANSWERS_CLASSES,
    .run = auc_run,
};

/* -- weights of the classes -- */

typedef struct weights_params {
    cairn_class_scores_option scores;
    const char *order;
    cairn_list costs;
} weights_params;

static const cairn_param weights_table[] = {
    CAIRN_PARAM_GROUP(weights_params, scores, cairn_class_scores_group),
    CAIRN_PARAM(weights_params, order, NULL, NULL,
                "classes in the order in which they are tuned; as in the data if not given"),
    CAIRN_PARAM_CELLS(
        weights_params, costs, COUNTS, NULL, NULL,
        "cost of each actual (row) and predicted (column) class, such as 0,1,4;1,0,1;1,1,0; "
        "1 per error if not given"),
    CAIRN_PARAM_END,
};

/* All classes in some order, each once: the order decides the weights that are found. */
static cairn_status read_order(cairn_context *ctx, size_t **out, const char *text,
                               const cairn_class_scores *s)
{
    char **names;
    size_t n;
    bool *seen;
    *out = NULL;
    if (!text) return CAIRN_OK;
    CHECK(cairn_list_split(ctx, text, &names, &n));
    if (n != s->k) return cairn_fail(ctx, CAIRN_USAGE, "{order} names %zu classes of %zu", n, s->k);
    CHECK(SCRATCH_EACH(ctx, n, out, &seen));
    for (size_t i = 0; i < n; i++) {
        size_t c = 0;
        while (c < n && !cairn_same(names[i], s->names[c])) c++;
        if (c == n || seen[c])
            return cairn_fail(
                ctx, CAIRN_USAGE,
                c == n ? "{order}: there is no class '%s'" : "{order} names '%s' twice", names[i]);
        seen[c] = true;
        (*out)[i] = c;
    }
    return CAIRN_OK;
}

/* Accuracy and mean cost of the decisions by some weights. */
static cairn_status judge_weights(cairn_context *ctx, cairn_report *out, const char *title,
                                  const char *name, const cairn_class_scores *s,
                                  const double *weights, const double *costs)
{
    double *cells;
    int32_t *said;
    cairn_confusion_summary sum;
    CHECK(SCRATCH(ctx, &cells, s->k * s->k));
    CHECK(SCRATCH(ctx, &said, s->n));
    for (size_t r = 0; r < s->n; r++)
        said[r] = cairn_weighted_decision(s->scores + r * s->k, weights, s->k);
    cairn_confusion_add(cells, s->k, s->classes, said, s->weights, s->n);
    cairn_confusion_summary_of(&sum, cells, s->k, CAIRN_UNDEFINED_NA);
    cairn_report_cell(out, title);
    cairn_interval interval;
    cairn_share_interval(sum.accuracy, sum.total, 0.95, &interval);
    cairn_report_prefix(out, "%s", name);
    cairn_report_cells(out, "@.accuracy @.accuracy.low @.accuracy.high @.cost", sum.accuracy,
                       interval.low, interval.high,
                       costs ? cairn_confusion_cost(cells, costs, s->k) / sum.total : sum.error);
    return CAIRN_OK;
}

/* Weights are found greedily, class by class; the table shows what they gain in accuracy and
 * cost. */
/* The candidates as they are tried; a new class begins a new table. */
typedef struct candidates {
    cairn_report *out;
    const cairn_class_scores *scores;
    size_t class, n;
    bool open;
} candidates;

/* Candidates come class by class: another class ends the table of the one before it. */
static void show_candidate(void *data, size_t class, double low, double high, double weight,
                           double cost)
{
    candidates *c = data;
    if (!c->open || class != c->class) {
        if (c->open) cairn_report_step_end(c->out);
        cairn_report_step_begin(c->out, "Candidates for the weight of %s", c->scores->names[class]);
        cairn_report_table_of(c->out, "The first of least cost, or the one nearest to 1 of equals",
                              0, "rrrrr", "candidate", "from", "to", "weight", "cost against none");
        c->class = class, c->n = 0, c->open = true;
    }
    c->n++;
    cairn_report_prefix(c->out, "steps.%s", cairn_report_key(c->out, c->scores->names[class]));
    cairn_report_cells(c->out, "- - - @.$1.weight @.$1.cost", c->n, low, high, weight, cost);
}

static cairn_status weights_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    OWNED(cairn_report_free) cairn_report *work = NULL;
    const weights_params *p = job->params;
    cairn_class_scores s;
    cairn_figure *figure;
    const double *costs = p->costs.values;
    double *weights, *ones;
    size_t *order;
    CHECK(cairn_read_class_scores(ctx, &s, &p->scores, NULL, job->table, "class-weights"));
    CHECK(read_order(ctx, &order, p->order, &s));
    if (costs && (p->costs.rows != s.k || p->costs.columns != s.k))
        return cairn_fail(ctx, CAIRN_USAGE, "{costs}: %zu x %zu numbers for %zu classes",
                          p->costs.rows, p->costs.columns, s.k);
    CHECK(SCRATCH_EACH(ctx, s.k, &weights, &ones));
    for (size_t i = 0; i < s.k; i++) ones[i] = 1;
    if (job->steps) CHECK(cairn_report_new(ctx, &work));
    candidates tried = {.out = work, .scores = &s};
    const cairn_reweight_watch watch = {show_candidate, &tried};
    CHECK(cairn_reweight_classes(ctx, weights, s.scores, s.classes, s.weights, s.n, s.k, order,
                                 costs, work ? &watch : NULL));
    cairn_report_heading(out, 1, "Weights of the classes");
    cairn_report_formula(out, "decision = argmax wᵢ · scoreᵢ");
    cairn_report_paragraph(out,
                           "The first class keeps the weight 1. Each next class is set against "
                           "the winner of those before it, as a threshold of two classes.");
    cairn_report_table_of(out, "Weights", 0, "lr", "class", "weight");
    for (size_t i = 0; i < s.k; i++) {
        size_t c = order ? order[i] : i;
        cairn_report_cells(out, "- weight.$1", s.names[c], weights[c]);
    }
    cairn_report_table_of(out, "Before and after", 0, "lrrrr", "weights", "accuracy", "low (95%)",
                          "high", "mean cost");
    CHECK(judge_weights(ctx, out, "all 1", "before", &s, ones, costs));
    CHECK(judge_weights(ctx, out, "tuned", "after", &s, weights, costs));
    if (work) {
        if (tried.open) cairn_report_step_end(work);
        cairn_report_append(out, work, NULL);
    }
    if (s.k == 3) {
        CHECK(cairn_plot_triangle(ctx, &figure, s.scores, s.classes, s.n, s.names, weights));
        cairn_report_page_figure(out, figure);
    }
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_class_weights = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "class-weights",
              .also = "class weights, reweighting, per-class weights",
              .title = "Weights of the classes for better decisions",
              .summary =
                  "Tunes a weight per class for the decision argmax wᵢ·scoreᵢ, one class "
                  "after the other, for accuracy or for given costs, and reports accuracy and "
                  "cost before and after.",
              .references = "Lachiche, Flach: Improving Accuracy and Cost of Two-Class and Multi-"
                            "Class Probabilistic Classifiers Using ROC Curves, ICML 2003",
              .example = "cairn compute class-weights @scores-three",
              .params = weights_table,
              .params_size = sizeof(weights_params)},
    .arguments = "[MODEL] DATA",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .answers = CAIRN_ANSWERS_CLASSES,
    .run = weights_run,
};

/* -- scores from coverage counts -- */

typedef struct coverage_params {
    cairn_list counts, fires;
} coverage_params;

static const cairn_param coverage_table[] = {
    CAIRN_PARAM_CELLS(
        coverage_params, counts, COUNTS, NULL, NULL,
        "training rows of each class that each classifier or rule covers: one row per rule, "
        "such as 8,0,2;2,17,1;4,2,8; or DATA with these numbers"),
    CAIRN_PARAM_CELLS(
        coverage_params, fires, COUNTS, NULL, NULL,
        "which rules fire: one row per case, one 0 or 1 per rule, such as 1,0,1;1,1,1; every "
        "set of up to five rules, else each rule alone, if not given"),
    CAIRN_PARAM_END,
};

/* Number columns of a table as a matrix. */
static cairn_status table_counts(cairn_context *ctx, cairn_named_matrix *m,
                                 const cairn_table *table)
{
    CHECK(cairn_named_matrix_read(ctx, m, table));
    for (size_t i = 0; i < m->n * m->m; i++)
        if (m->values[i] < 0)
            return cairn_fail(
                ctx, CAIRN_BAD_DATA, "%s, row %zu, column '%s': a count is not negative",
                table->source ? table->source : "the table", i / m->m + 1, m->columns[i % m->m]);
    return CAIRN_OK;
}

static double row_sum(const double *row, size_t k)
{
    double sum = 0;
    for (size_t c = 0; c < k; c++) sum += row[c];
    return sum;
}

/* Counts and, beside them, shares by class: a rule's own probabilities. */
static void show_rules(cairn_report *out, const double *counts, size_t m, size_t k)
{
    cairn_report_table_of(out, "Rules: counts and shares", 0, "r", "rule");
    for (int part = 0; part < 2; part++)
        for (size_t c = 0; c < k; c++) {
            char head[CAIRN_NUMBER_SIZE + 8] = {part ? 'p' : 'n'};
            cairn_number_format(head + 1, (double)(c + 1), 0);
            cairn_report_column(out, head, 'r');
        }
    for (size_t r = 0; r < m; r++) {
        double sum = row_sum(counts + r * k, k);
        cairn_report_cells(out, NULL, r + 1, cairn_cell_row(counts + r * k, k));
        for (size_t c = 0; c < k; c++)
            cairn_report_cell_number(out, sum > 0 ? counts[r * k + c] / sum : NAN, 0,
                                     "rule%zu.p%zu", r + 1, c + 1);
    }
}

/* Scores are sums of counts, so a rule that covers more weighs more; the weights are named. */
static void show_cases(cairn_report *out, const double *fires, const double *counts,
                       const double *scores, size_t n, size_t m, size_t k)
{
    cairn_report_table_of(out, "Cases: scores and probabilities", 0, "rl", "case", "fire");
    for (int part = 0; part < 2; part++)
        for (size_t c = 0; c < k; c++) {
            char head[CAIRN_NUMBER_SIZE + 8] = {part ? 'p' : 's'};
            cairn_number_format(head + 1, (double)(c + 1), 0);
            cairn_report_column(out, head, 'r');
        }
    for (size_t i = 0; i < n; i++) {
        double sum = row_sum(scores + i * k, k);
        SCOPED(cairn_text_clear) cairn_text fired = cairn_text_start(cairn_report_context(out));
        for (size_t r = 0; r < m; r++)
            if (fires[i * m + r] > 0)
                cairn_text_addf(&fired, "%s%zu", fired.length ? ", " : "", r + 1);
        cairn_report_failed(out, cairn_text_status(&fired));
        cairn_report_cells(out, "- - case$1.score$n", i + 1, cairn_text_string(&fired),
                           cairn_cell_row(scores + i * k, k));
        for (size_t c = 0; c < k; c++)
            cairn_report_cell_number(out, sum > 0 ? scores[i * k + c] / sum : NAN, 0,
                                     "case%zu.p%zu", i + 1, c + 1);
        for (size_t r = 0; r < m; r++)
            cairn_report_hidden(out,
                                sum > 0 ? fires[i * m + r] * row_sum(counts + r * k, k) / sum : NAN,
                                "case%zu.rule%zu.weight", i + 1, r + 1);
    }
}

/* Every set of rules that may fire together, the smaller ones first; of many rules each alone. */
static cairn_status all_sets(cairn_context *ctx, double **out, size_t *n, size_t m)
{
    enum { MOST_RULES = 5 };
    size_t largest = m <= MOST_RULES ? m : 1, last = m <= MOST_RULES ? (size_t)1 << m : 0;
    *n = 0;
    CHECK(SCRATCH(ctx, out, cairn_product(last ? last : m, m)));
    for (size_t r = 0; !last && r < m; r++) (*out)[(*n)++ * m + r] = 1;
    for (size_t size = 1; last && size <= largest; size++)
        for (size_t set = last - 1; set > 0; set--) {
            size_t members = 0;
            for (size_t r = 0; r < m; r++) members += set >> (m - 1 - r) & 1;
            if (members != size) continue;
            for (size_t r = 0; r < m; r++) (*out)[*n * m + r] = (double)(set >> (m - 1 - r) & 1);
            ++*n;
        }
    return CAIRN_OK;
}

/* Counts come typed or as a table; which rules fire for which case is typed. */
static cairn_status coverage_run(cairn_context *ctx, cairn_report *out,
                                 const cairn_compute_job *job)
{
    const coverage_params *p = job->params;
    const double *counts = p->counts.values, *fires = p->fires.values;
    double *scores, *sets;
    size_t n = p->fires.rows, m = p->counts.rows, k = p->counts.columns;
    if (!counts && !job->table)
        return cairn_fail(ctx, CAIRN_USAGE, "'compute coverage-scores' needs {counts}, or DATA");
    if (job->table) {
        cairn_named_matrix read;
        CHECK(table_counts(ctx, &read, job->table));
        counts = read.values, m = read.n, k = read.m;
    }
    if (!p->fires.text) {
        CHECK(all_sets(ctx, &sets, &n, m));
        fires = sets;
    } else if (p->fires.columns != m)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{fires} has %zu numbers per case and there are %zu rules",
                          p->fires.columns, m);
    CHECK(SCRATCH(ctx, &scores, cairn_product(n, k)));
    cairn_coverage_scores(scores, fires, counts, n, m, k);
    cairn_report_heading(out, 1, "Scores from what rules cover");
    cairn_report_formula(out, "scores = fires × counts;  p = scores / their sum");
    cairn_report_paragraph(out,
                           "The counts of all rules that fire are added up. As probabilities "
                           "this is the mixture of the rules' own shares, each weighted by the "
                           "number of rows that it covers.");
    show_rules(out, counts, m, k);
    show_cases(out, fires, counts, scores, n, m, k);
    if (job->steps) {
        /* Every score of the first cases as a sum over the rules that fire, and its share. */
        enum { MOST_WORKED = 5, MOST_RULES = 20 };
        double terms[2 * MOST_RULES];
        for (size_t i = 0; i < n && i < MOST_WORKED && m <= MOST_RULES; i++) {
            double sum = row_sum(scores + i * k, k);
            cairn_report_step_begin(out, "Case %zu", i + 1);
            for (size_t c = 0; c < k; c++) {
                for (size_t r = 0; r < m; r++)
                    terms[2 * r] = fires[i * m + r], terms[2 * r + 1] = counts[r * k + c];
                cairn_report_worked_sum(out, "score", "# · #", terms, 2, m, scores[i * k + c]);
                if (sum > 0)
                    cairn_report_worked(out, "p", "# / # = #", scores[i * k + c], sum,
                                        scores[i * k + c] / sum);
            }
            cairn_report_step_end(out);
        }
    }
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_coverage_scores = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "coverage-scores",
              .also = "scores of rules, rule overlap",
              .title = "Scores from what rules cover",
              .summary = "Scores of several classes for cases on which some classifiers or rules "
                         "fire: the class counts of those that fire are added up, and normalised "
                         "they are probabilities.",
              .references = "Flach: Machine Learning, 2012, chapter 3",
              .example = "cairn compute coverage-scores @coverage-counts --fires '1,0,1;1,1,1'",
              .params = coverage_table,
              .params_size = sizeof(coverage_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .run = coverage_run,
};
