/* SPDX-License-Identifier: MIT */
/* cairn compute choose-k and cairn draw choose-k: how many clusters there are, by five criteria.
 *
 * A clusterer is fitted with every number of clusters k in turn. Of its clusters are told
 *
 * - the within sum of squares W(k) and its drop: the curve bends at the elbow, which is where it
 *   lies farthest below the line from its first to its last point;
 * - the mean silhouette;
 * - the index of Calinski and Harabasz, (B / (k - 1)) / (W / (n - k));
 * - BIC of a mixture of equally wide spherical normal distributions whose members are known:
 *   -2 L + p ln n, L = sum n_c ln(n_c / n) - n d / 2 (ln(2 pi W / (n d)) + 1), p = k - 1 + k d + 1;
 * - the gap statistic of Tibshirani, Walther and Hastie: the mean of ln W of reference sets without
 *   clusters less ln W, with its standard error s = sd sqrt(1 + 1/B). The rule takes the first k
 *   with gap(k) >= gap(k + 1) - s(k + 1). Reference sets are uniform over the ranges of the
 *   columns, or of the principal components.
 *
 * Sums are in the columns as the learner sees them, after scaling. */
#include "model/calculator.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/random.h"
#include "data/shape.h"
#include "entry/entry.h"
#include "kernels/kernels.h"
#include "decompose/linalg.h"
#include "model/judged_clusters.h"
#include "model/scale_choice.h"
#include "parallel/parallel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BOX_COLUMNS, BOX_COMPONENTS };
enum { MOST_COMPONENTS = 500, MOST_K = 1000 };

typedef struct choose_params {
    const char *learner, *with, *distance;
    const cairn_params *transforms; /* what `with` stands for */
    int from, to, references, reference, scale;
} choose_params;

static const cairn_choice boxes[] = {
    {"ranges", BOX_COLUMNS, "uniform over the range of every column"},
    {"components", BOX_COMPONENTS, "uniform over the range of every principal component"},
    {0},
};

static const cairn_param choose_table[] = {
    CAIRN_PARAM_AS(choose_params, learner, CAIRN_TYPE_SPEC, "kmeans",
                   "the clusterer, which has a parameter clusters, with its other settings",
                   .names = "learner", .often = true),
    CAIRN_PARAM(choose_params, from, "1", "[1,1000]", "the least number of clusters",
                .often = true),
    CAIRN_PARAM(choose_params, to, "10", "[1,1000]",
                "the largest number of clusters; fewer where there are fewer rows", .often = true),
    CAIRN_PARAM(choose_params, references, "10", "[0,1000]",
                "reference sets of the gap statistic; 0 = leave it out", .often = true),
    CAIRN_PARAM_CHOICE(choose_params, reference, "ranges", boxes, "how reference sets are drawn",
                       .when = "!references=0"),
    CAIRN_PARAM_AS(choose_params, distance, CAIRN_TYPE_SPEC, NULL,
                   "what rows are compared by in silhouettes; one that fits the columns if not "
                   "given",
                   .names = "distance"),
    CAIRN_PARAM_TRANSFORMS(
        choose_params, "transforms before the learner, in order, such as impute:numbers=median"),
    CAIRN_PARAM_CHOICE(choose_params, scale, "auto", cairn_scale_choices,
                       "bring number columns to a common scale, after the transforms of --with"),
    CAIRN_PARAM_END,
};

/* What is told of one number of clusters; NaN = unknown. */
typedef struct candidate {
    size_t k, used; /* asked for, and found */
    double within, between, silhouette, index, bic;
    double gap, error; /* of the gap */
    double reference;  /* mean ln W of the reference sets */
} candidate;

typedef struct choosing {
    const choose_params *p;
    const cairn_compute_job *job;
    cairn_params *transforms; /* with the scaling behind them; owned */
    const char *scaled;       /* how the learner saw number columns; NULL = in their units */
    candidate *list;
    size_t n;
    size_t n_rows, width;
    double weight;
    double *places;  /* n_rows x width: the rows as the learner sees them; NULL = no numbers */
    double *weights; /* n_rows, or NULL */
    size_t elbow, best_silhouette, best_index, best_bic, best_gap; /* SIZE_MAX = none */
} choosing;

static void clear_choosing(choosing *c)
{
    cairn_params_free(c->transforms);
}

/* -- fitting -- */

/* Every fit has its own copy of the settings, of which only the number of clusters varies. */
static cairn_status fit_k(cairn_context *ctx, cairn_model **out, const choosing *c, size_t k,
                          const cairn_table *table, const cairn_params *transforms)
{
    OWNED(cairn_params_free) cairn_params *params = NULL;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    char number[24];
    snprintf(number, sizeof number, "%zu", k);
    CHECK(cairn_params_new(ctx, &params, c->p->learner));
    if (!cairn_params_has(params->entry, "clusters"))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{learner %s} has no parameter 'clusters' to choose; kmeans, kmedoids "
                          "and hierarchy have",
                          params->entry->name);
    if (cairn_params_is_set(params, "clusters"))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{learner}: leave out clusters, which {from} and {to} set");
    CHECK(cairn_params_set(ctx, params, "clusters", number));
    options.task = CAIRN_CLUSTER;
    options.transforms = transforms;
    return cairn_model_fit_rows(ctx, out, params, table, cairn_all_rows(table), &options);
}

/* BIC of spherical normal distributions around the means of the clusters. */
static double bic_of(const choosing *c, const cairn_scatter *s)
{
    const double pi = 3.14159265358979323846;
    double n = s->total, d = (double)c->width, likelihood = 0;
    double parameters = (double)s->n_used * (d + 1);
    for (size_t k = 0; k < s->n_clusters; k++)
        if (s->weights[k] > 0) likelihood += s->weights[k] * cairn_log(s->weights[k] / n);
    likelihood -= n * d / 2 * (cairn_log(2 * pi * s->within / (n * d)) + 1);
    return s->within > 0 ? parameters * cairn_log(n) - 2 * likelihood : NAN;
}

/* Sums of squares need places, silhouettes only distances: each is left out where it has none. */
static cairn_status judge_k(cairn_context *ctx, choosing *c, candidate *at)
{
    OWNED(cairn_model_free) cairn_model *model = NULL;
    SCOPED(cairn_judged_clusters_clear) cairn_judged_clusters clusters = {0};
    const cairn_table *table = c->job->table;
    cairn_scatter scatter;
    cairn_silhouettes silhouettes;
    bool pairs = at->k > 1;
    CHECK(fit_k(ctx, &model, c, at->k, table, c->transforms));
    CHECK(cairn_judged_clusters_of(ctx, &clusters, model, table, cairn_all_rows(table),
                                   c->p->distance, pairs));
    /* The rows as the learner sees them, once. */
    const cairn_cluster_space *space = clusters.shape.space;
    if (!c->places && space && space->places && c->job->table->shape == CAIRN_SHAPE_TABLE) {
        c->n_rows = clusters.shape.n;
        c->width = space->width;
        CHECK(SCRATCH_RAW(ctx, &c->places, cairn_product(c->n_rows, c->width) + 1));
        memcpy(c->places, space->places, c->n_rows * c->width * sizeof *c->places);
        CHECK(SCRATCH_RAW(ctx, &c->weights, c->n_rows + 1));
        for (size_t i = 0; i < c->n_rows; i++) {
            c->weights[i] = cairn_judged_weight(&clusters.shape, i);
            c->weight += c->weights[i];
        }
    }
    c->scaled = cairn_model_scaled(model);
    SCOPED_SCRATCH(ctx);
    if (c->places) {
        CHECK(cairn_scatter_of(ctx, &scatter, &clusters.shape));
        double k = (double)scatter.n_used, n = scatter.total;
        at->used = scatter.n_used;
        at->within = scatter.within;
        at->between = scatter.between;
        if (k > 1 && n > k && scatter.within > 0)
            at->index = scatter.between / (k - 1) / (scatter.within / (n - k));
        at->bic = bic_of(c, &scatter);
    }
    if (!pairs || !clusters.distance) return CAIRN_OK;
    CHECK(cairn_silhouettes_of(ctx, &silhouettes, &clusters.shape, NULL));
    at->silhouette = silhouettes.mean;
    return CAIRN_OK;
}

/* -- reference sets -- */

/* Directions that span the box, width x width: the columns, or the principal components. */
static cairn_status box_axes(cairn_context *ctx, const choosing *c, double *axes)
{
    size_t d = c->width;
    double *mean, *gram, *values, *row;
    memset(axes, 0, d * d * sizeof *axes);
    for (size_t j = 0; j < d; j++) axes[j * d + j] = 1;
    if (c->p->reference == BOX_COLUMNS) return CAIRN_OK;
    if (d > MOST_COMPONENTS)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{reference components} takes at most %d columns, and there are %zu; "
                          "{reference ranges} takes any number",
                          MOST_COMPONENTS, d);
    CHECK(SCRATCH(ctx, &mean, d));
    CHECK(SCRATCH(ctx, &gram, d * d));
    CHECK(SCRATCH_EACH(ctx, d, &values, &row));
    for (size_t i = 0; i < c->n_rows; i++)
        cairn_axpy(mean, c->weights[i] / c->weight, c->places + i * d, d);
    for (size_t i = 0; i < c->n_rows; i++) {
        for (size_t j = 0; j < d; j++) row[j] = c->places[i * d + j] - mean[j];
        for (size_t j = 0; j < d; j++)
            cairn_axpy(gram + j * d + j, c->weights[i] * row[j], row + j, d - j);
    }
    return cairn_symmetric_eigen(ctx, values, axes, gram, d);
}

/* Ranges of the rows along the axes. */
static void box_ranges(const choosing *c, const double *axes, double *low, double *high)
{
    size_t d = c->width;
    for (size_t a = 0; a < d; a++) low[a] = INFINITY, high[a] = -INFINITY;
    for (size_t i = 0; i < c->n_rows; i++)
        for (size_t a = 0; a < d; a++) {
            double x = c->p->reference == BOX_COLUMNS
                           ? c->places[i * d + a]
                           : cairn_dot(axes + a * d, c->places + i * d, d);
            low[a] = fmin(low[a], x);
            high[a] = fmax(high[a], x);
        }
}

/* Rows without clusters: uniform over the box. */
static cairn_status draw_reference(cairn_context *ctx, cairn_table **out, const choosing *c,
                                   size_t number, const double *axes, const double *low,
                                   const double *high)
{
    static const uint64_t STREAM = UINT64_C(0x67617000);
    OWNED(cairn_table_free) cairn_table *made = NULL;
    size_t d = c->width, n = c->n_rows;
    double *columns, *at;
    cairn_random random;
    cairn_random_start(&random, cairn_context_seed(ctx), STREAM + number);
    CHECK(SCRATCH(ctx, &columns, cairn_product(d, n) + 1));
    CHECK(SCRATCH(ctx, &at, d));
    for (size_t i = 0; i < n; i++)
        for (size_t a = 0; a < d; a++) {
            double x = low[a] + (high[a] - low[a]) * cairn_random_uniform(&random);
            for (size_t j = 0; j < d; j++)
                if (axes[a * d + j] != 0) columns[j * n + i] += x * axes[a * d + j];
        }
    CHECK(cairn_table_new(ctx, &made, n));
    for (size_t j = 0; j < d; j++) {
        char name[32];
        snprintf(name, sizeof name, "x%zu", j + 1);
        CHECK(cairn_table_put_numbers(ctx, made, name, columns + j * n));
    }
    CHECK(cairn_table_put_numbers(ctx, made, "weight", c->weights));
    CHECK(cairn_table_set_role(ctx, made, "weight", CAIRN_WEIGHT));
    *out = TAKE(made);
    return CAIRN_OK;
}

/* ln W of k clusters of a reference set. */
static cairn_status reference_within(cairn_context *ctx, const choosing *c,
                                     const cairn_table *table, size_t k, double *out)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_params_free) cairn_params *as_it_is = NULL;
    OWNED(cairn_model_free) cairn_model *model = NULL;
    SCOPED(cairn_judged_clusters_clear) cairn_judged_clusters clusters = {0};
    cairn_scatter scatter;
    CHECK(cairn_scaled_with(ctx, NULL, CAIRN_SCALE_NONE, &as_it_is));
    CHECK(fit_k(ctx, &model, c, k, table, as_it_is));
    CHECK(
        cairn_judged_clusters_of(ctx, &clusters, model, table, cairn_all_rows(table), NULL, false));
    CHECK(cairn_scatter_of(ctx, &scatter, &clusters.shape));
    *out = cairn_log(scatter.within);
    return CAIRN_OK;
}

typedef struct reference_work {
    const choosing *c;
    const double *axes, *low, *high;
    double *logs; /* references x n */
} reference_work;

/* One reference set with every number of clusters. */
static cairn_status run_reference(cairn_context *ctx, void *data, size_t b)
{
    const reference_work *w = data;
    OWNED(cairn_table_free) cairn_table *table = NULL;
    CHECK(draw_reference(ctx, &table, w->c, b, w->axes, w->low, w->high));
    for (size_t i = 0; i < w->c->n; i++)
        CHECK(reference_within(ctx, w->c, table, w->c->list[i].k, &w->logs[b * w->c->n + i]));
    return CAIRN_OK;
}

static void keep_gap(const choosing *c, candidate *at, const double *logs, size_t step)
{
    double b = c->p->references, mean = 0, square = 0;
    for (size_t i = 0; i < (size_t)c->p->references; i++) mean += logs[i * step] / b;
    for (size_t i = 0; i < (size_t)c->p->references; i++)
        square += (logs[i * step] - mean) * (logs[i * step] - mean) / b;
    at->reference = mean;
    at->gap = at->within > 0 ? mean - cairn_log(at->within) : NAN;
    at->error = sqrt(square * (1 + 1 / b));
}

static cairn_status find_gaps(cairn_context *ctx, choosing *c)
{
    size_t d = c->width, b = (size_t)c->p->references;
    double *axes, *low, *high;
    reference_work work = {.c = c};
    if (!b || !c->places) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &axes, cairn_product(d, d)));
    CHECK(SCRATCH_EACH(ctx, d, &low, &high));
    CHECK(SCRATCH(ctx, &work.logs, cairn_product(b, c->n)));
    CHECK(box_axes(ctx, c, axes));
    box_ranges(c, axes, low, high);
    work.axes = axes, work.low = low, work.high = high;
    CHECK(cairn_tasks(ctx, b, run_reference, &work));
    for (size_t i = 0; i < c->n; i++) keep_gap(c, &c->list[i], work.logs + i, c->n);
    return CAIRN_OK;
}

/* -- choosing -- */

/* Where the curve of W lies farthest below the line between its ends, both axes from 0 to 1. */
static size_t find_elbow(const choosing *c)
{
    const candidate *first = &c->list[0], *last = &c->list[c->n - 1];
    double most = 0, fall = first->within - last->within;
    size_t best = SIZE_MAX;
    for (size_t i = 1; i + 1 < c->n && fall > 0; i++) {
        double across = (double)(c->list[i].k - first->k) / (double)(last->k - first->k);
        double below = 1 - across - (c->list[i].within - last->within) / fall;
        if (below > most) most = below, best = i;
    }
    return best;
}

/* The first best of the candidates by a number that stands at `offset`. */
static size_t find_best(const choosing *c, size_t offset, bool largest)
{
    size_t best = SIZE_MAX;
    double value = 0;
    for (size_t i = 0; i < c->n; i++) {
        double x = *(const double *)(const void *)((const char *)&c->list[i] + offset);
        if (!isfinite(x)) continue;
        if (best == SIZE_MAX || (largest ? x > value : x < value)) best = i, value = x;
    }
    return best;
}

/* The first k whose gap is not below the next one by more than its error; none when there is no
 * such k. */
static size_t find_gap(const choosing *c)
{
    for (size_t i = 0; i + 1 < c->n; i++)
        if (c->list[i].gap >= c->list[i + 1].gap - c->list[i + 1].error) return i;
    return SIZE_MAX;
}

/* More clusters than rows cannot be; the range ends there. */
static cairn_status choose(cairn_context *ctx, choosing *c, const cairn_compute_job *job)
{
    const choose_params *p = job->params;
    size_t from = (size_t)p->from, to = (size_t)p->to;
    *c = (choosing){.p = p, .job = job};
    if (to > job->table->n_rows) to = job->table->n_rows;
    if (from > to)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{from} is %zu and {to} %zu (there are %zu rows): nothing lies between "
                          "them",
                          from, to, job->table->n_rows);
    CHECK(cairn_scaled_with(ctx, p->transforms, p->scale, &c->transforms));
    c->n = to - from + 1;
    CHECK(SCRATCH(ctx, &c->list, c->n));
    for (size_t i = 0; i < c->n; i++) {
        c->list[i] = (candidate){.k = from + i, .used = from + i};
        candidate *at = &c->list[i];
        at->within = at->between = at->silhouette = at->index = at->bic = NAN;
        at->gap = at->error = at->reference = NAN;
        CHECK(judge_k(ctx, c, at));
        CHECK(cairn_tick(ctx, "numbers of clusters", (double)i, (double)c->n));
    }
    CHECK(find_gaps(ctx, c));
    c->elbow = c->places ? find_elbow(c) : SIZE_MAX;
    c->best_silhouette = find_best(c, offsetof(candidate, silhouette), true);
    c->best_index = find_best(c, offsetof(candidate, index), true);
    c->best_bic = find_best(c, offsetof(candidate, bic), false);
    c->best_gap = find_gap(c);
    return CAIRN_OK;
}

/* -- the report -- */

/* The number of clusters that most criteria take, of equally many the least; *votes of *of. */
static size_t most_taken(const choosing *c, size_t *votes, size_t *of)
{
    const size_t choices[] = {
        c->places ? c->elbow : SIZE_MAX, c->best_silhouette, c->places ? c->best_index : SIZE_MAX,
        c->places ? c->best_bic : SIZE_MAX, c->places && c->p->references ? c->best_gap : SIZE_MAX};
    size_t best = 0, n = sizeof choices / sizeof *choices;
    *votes = *of = 0;
    for (size_t i = 0; i < n; i++) {
        size_t count = 0, k = choices[i] == SIZE_MAX ? 0 : c->list[choices[i]].k;
        if (!k) continue;
        for (size_t j = 0; j < n; j++) count += choices[j] == choices[i];
        ++*of;
        if (count > *votes || (count == *votes && k < best)) *votes = count, best = k;
    }
    return best;
}

/* "3 clusters: 3 of 5 criteria take them", or that they do not agree. */
static void say_verdict(const choosing *c, char *out, size_t size)
{
    size_t votes, of, k = most_taken(c, &votes, &of);
    if (!of)
        snprintf(out, size, "No criterion takes a number of clusters");
    else if (of == 1)
        snprintf(out, size, "%zu cluster%s by the only criterion there is", k, k == 1 ? "" : "s");
    else if (2 * votes > of)
        snprintf(out, size, "%zu cluster%s: %zu of %zu criteria take %s", k, k == 1 ? "" : "s",
                 votes, of, k == 1 ? "it" : "them");
    else
        snprintf(out, size, "The criteria do not agree; %zu of %zu take %zu cluster%s", votes, of,
                 k, k == 1 ? "" : "s");
}

static void show_choice(cairn_report *out, const choosing *c, const char *criterion, size_t at,
                        const char *rule, const char *name)
{
    cairn_report_cell(out, criterion);
    if (at == SIZE_MAX)
        cairn_report_cell(out, "none");
    else
        cairn_report_cell_number(out, (double)c->list[at].k, 0, "%s", name);
    cairn_report_cell(out, rule);
}

static void show_choices(cairn_report *out, const choosing *c)
{
    char verdict[96];
    size_t votes, of, k = most_taken(c, &votes, &of);
    say_verdict(c, verdict, sizeof verdict);
    cairn_report_note(out, "Verdict: %s.", verdict);
    cairn_report_hidden(out, (double)k, "verdict");
    cairn_report_hidden(out, (double)votes, "verdict.votes");
    cairn_report_hidden(out, (double)of, "verdict.criteria");
    cairn_report_table_of(out, "What each criterion takes", 0, "lrl", "criterion", "k", "rule");
    if (c->places)
        show_choice(out, c, "elbow", c->elbow, "farthest below the line between the ends", "elbow");
    show_choice(out, c, "silhouette", c->best_silhouette, "largest mean", "silhouette");
    if (c->places) {
        show_choice(out, c, "Calinski-Harabasz", c->best_index, "largest", "calinski_harabasz");
        show_choice(out, c, "BIC", c->best_bic, "least", "bic");
    }
    if (c->places && c->p->references)
        show_choice(out, c, "gap", c->best_gap, "first gap(k) ≥ gap(k+1) − error(k+1)", "gap");
    if (!c->places)
        cairn_report_note(out, "The columns have no means (levels, texts, missing cells or given "
                               "distances), so only silhouettes compare the numbers of clusters.");
}

/* One number of clusters with the numbers put in; the first of several that has all of them. */
static void show_work(cairn_report *out, const choosing *c)
{
    size_t i = c->n > 1 && c->list[0].k == 1 ? 1 : 0;
    const candidate *at = &c->list[i];
    double n = c->weight, d = (double)c->width, k = (double)at->used;
    if (!c->places) return;
    cairn_report_step_begin(out, "k = %zu", at->k);
    cairn_report_worked(out, "n, d, W, B", "#, #, #, #", n, d, at->within, at->between);
    cairn_report_formula(out, "CH = (B / (k − 1)) / (W / (n − k))");
    if (k > 1)
        cairn_report_worked(out, "CH", "(# / (# − 1)) / (# / (# − #)) = #", at->between, k,
                            at->within, n, k, at->index);
    cairn_report_formula(out, "BIC = −2 L + p ln n,  L = Σ n_c ln(n_c/n) − n d/2 (ln(2π W/(n d)) + "
                              "1),  p = k (d + 1)");
    cairn_report_worked(out, "BIC", "# parameters · ln # − 2 · # = #", k * (d + 1), n,
                        (k * (d + 1) * cairn_log(n) - at->bic) / 2, at->bic);
    if (c->p->references) {
        cairn_report_formula(out, "gap = mean of ln W* − ln W,  error = sd √(1 + 1/B)");
        cairn_report_worked(out, "gap", "# − ln # = # − # = #", at->reference, at->within,
                            at->reference, cairn_log(at->within), at->gap);
    }
    cairn_report_step_end(out);
    if (!c->p->references) return;
    cairn_report_step_begin(out, "The first k whose gap the next one does not beat");
    for (size_t j = 0; j + 1 < c->n && j <= c->best_gap; j++) {
        const candidate *a = &c->list[j], *b = &c->list[j + 1];
        bool holds = a->gap >= b->gap - b->error;
        char label[32];
        snprintf(label, sizeof label, "k = %zu: gap", a->k);
        cairn_report_worked(out, label, holds ? "# ≥ # − # = #" : "# < # − # = #", a->gap, b->gap,
                            b->error, b->gap - b->error);
    }
    cairn_report_step_end(out);
}

/* -- the picture -- */

/* A curve over k with the choice marked; nothing where there are not two numbers. */
static cairn_status panel(cairn_context *ctx, cairn_figure *all, const choosing *c,
                          const char *title, const char *axis, size_t offset, size_t chosen,
                          bool band)
{
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    double *x, *y, *low, *high;
    size_t n = 0;
    CHECK(SCRATCH(ctx, &x, 4 * c->n));
    y = x + c->n, low = y + c->n, high = low + c->n;
    for (size_t i = 0; i < c->n; i++) {
        double value = *(const double *)(const void *)((const char *)&c->list[i] + offset);
        if (!isfinite(value)) continue;
        x[n] = (double)c->list[i].k;
        y[n] = value;
        low[n] = value - (band ? c->list[i].error : 0);
        high[n++] = value + (band ? c->list[i].error : 0);
    }
    if (n < 2) return CAIRN_OK;
    CHECK(cairn_figure_new(ctx, &figure, title, title));
    cairn_figure_size(figure, 300, 220);
    cairn_figure_axes(figure, "clusters", axis);
    if (band) cairn_figure_band(figure, NULL, x, low, high, n);
    cairn_figure_line(figure, NULL, x, y, n);
    cairn_figure_points(figure, x, y, NULL, n, NULL, 0);
    for (size_t i = 0; chosen != SIZE_MAX && i < n; i++)
        if (x[i] == (double)c->list[chosen].k) cairn_figure_mark(figure, NULL, x[i], y[i]);
    cairn_figure_panel(all, TAKE(figure));
    return CAIRN_OK;
}

/* A panel for each criterion with its own choice marked; only the gap has a band for its error. */
static cairn_status draw_panels(cairn_context *ctx, cairn_figure **out, const choosing *c)
{
    OWNED(cairn_figure_free) cairn_figure *all = NULL;
    char title[96], below[96];
    say_verdict(c, title, sizeof title);
    snprintf(below, sizeof below, "the choice of each criterion is marked%s%s",
             c->scaled ? "; " : "", c->scaled ? c->scaled : "");
    CHECK(cairn_figure_new(ctx, &all, "choose-k", title));
    cairn_figure_subtitle(all, below);
    cairn_figure_columns(all, 3);
    CHECK(panel(ctx, all, c, "Elbow", "within sum of squares", offsetof(candidate, within),
                c->elbow, false));
    CHECK(panel(ctx, all, c, "Silhouette", "mean silhouette", offsetof(candidate, silhouette),
                c->best_silhouette, false));
    CHECK(panel(ctx, all, c, "Gap", "gap statistic", offsetof(candidate, gap), c->best_gap, true));
    CHECK(panel(ctx, all, c, "BIC", "BIC", offsetof(candidate, bic), c->best_bic, false));
    CHECK(panel(ctx, all, c, "Calinski-Harabasz", "index", offsetof(candidate, index),
                c->best_index, false));
    *out = TAKE(all);
    return CAIRN_OK;
}

/* The picture says what the table says, so a single number of clusters has none. */
static cairn_status choose_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    SCOPED(clear_choosing) choosing c = {0};
    cairn_figure *figure = NULL;
    CHECK(choose(ctx, &c, job));
    cairn_report_heading(out, 1, "How many clusters in %s",
                         job->table->source ? job->table->source : "the table");
    cairn_report_word(out, "clusterer", c.p->learner, "learner");
    cairn_report_value(out, "rows", (double)job->table->n_rows, "rows");
    cairn_report_word(out, "sums and distances are in",
                      c.scaled ? c.scaled : "units of the columns", "units");
    if (c.scaled && c.p->scale == CAIRN_SCALE_AUTO && !c.p->with)
        cairn_report_note(out, "Columns were standardised unasked, as fitting the clusterer does; "
                               "{scale none} leaves them in their units.");
    if (c.places && c.p->references)
        cairn_report_value(out, "reference sets", c.p->references, "references");
    if (job->steps) show_work(out, &c);
    /* The columns of the gap are left out where no reference sets were drawn. */
    bool gap = c.places && c.p->references;
    cairn_report_table_of(out, "Numbers of clusters", MOST_K, "rrrrrr", "k", "within", "drop",
                          "silhouette", "Calinski-Harabasz", "BIC");
    if (gap) cairn_report_columns(out, "rr", "gap", "error");
    for (size_t i = 0; i < c.n; i++) {
        const candidate *at = &c.list[i];
        double drop = i ? c.list[i - 1].within - at->within : NAN;
        cairn_report_cells(
            out, "- k$1.within k$1.drop:5 k$1.silhouette:4 k$1.calinski_harabasz:5 k$1.bic", at->k,
            at->within, drop, at->silhouette, at->index, at->bic);
        if (gap) {
            cairn_report_cell_number(out, at->gap, 4, "k%zu.gap", at->k);
            cairn_report_cell_number(out, at->error, 3, "k%zu.gap_error", at->k);
        }
        cairn_report_hidden(out, (double)at->used, "k%zu.found", at->k);
    }
    show_choices(out, &c);
    if (c.n < 2) return CAIRN_OK;
    CHECK(draw_panels(ctx, &figure, &c));
    cairn_report_figure(out, figure);
    return CAIRN_OK;
}

static cairn_status choose_draw(cairn_context *ctx, cairn_figure **out,
                                const cairn_compute_job *job)
{
    SCOPED(clear_choosing) choosing c = {0};
    CHECK(choose(ctx, &c, job));
    if (c.n < 2)
        return cairn_fail(ctx, CAIRN_USAGE, "a curve needs two numbers of clusters; raise {to}");
    return draw_panels(ctx, out, &c);
}

const cairn_calculator cairn_compute_choose_k = {
    .entry =
        {.kind = CAIRN_ENTRY_CALCULATOR,
         .name = "choose-k",
         .also = "number of clusters, elbow, gap statistic, BIC, how many clusters",
         .title = "How many clusters there are, by five criteria",
         .summary =
             "Fits a clusterer with every number of clusters from --from to --to and puts five "
             "criteria side by side, in one table and one picture: the within sum of squares and "
             "its drop (elbow), the mean silhouette, the index of Calinski and Harabasz, BIC of "
             "spherical normal distributions, and the gap statistic against reference sets "
             "without clusters, with its standard error and rule. They need not agree: nobody "
             "knows the number of clusters, and each criterion means something else by it.",
         .references = "Tibshirani, Walther and Hastie, Estimating the number of clusters in a "
                       "data set via the gap statistic, JRSS B 63 (2001); Pelleg and Moore, "
                       "X-means (2000); Caliński and Harabasz (1974); Rousseeuw (1987)",
         .example = "cairn compute choose-k @iris --ignore species --to 6",
         .params = choose_table,
         .params_size = sizeof(choose_params)},
    .picture =
        {.kind = CAIRN_ENTRY_PICTURE,
         .name = "choose-k",
         .also = "elbow plot, gap curve, number of clusters",
         .title = "How many clusters there are",
         .summary =
             "Within sum of squares, mean silhouette, gap statistic with its errors, BIC and "
             "the index of Calinski and Harabasz over the number of clusters; the choice of "
             "each is marked.",
         .references = "Tibshirani, Walther and Hastie, Estimating the number of clusters in a "
                       "data set via the gap statistic, JRSS B 63 (2001)",
         .example = "cairn draw choose-k @iris --ignore species --to 6 --out k.svg",
         .params = choose_table,
         .params_size = sizeof(choose_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .run = choose_run,
    .draw = choose_draw,
};
