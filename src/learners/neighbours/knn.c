/* SPDX-License-Identifier: MIT */
/* k nearest neighbours: a row is answered by the training rows that are most like it.
 *
 * 1. Training keeps the rows, and puts them into a tree where that speeds up the search.
 * 2. The k nearest rows of a query are found, exactly; of equally near ones the first.
 * 3. Classes: shares of the classes among them, weighted by distance if asked; the class of the
 *    largest share. Numbers: their mean, or a line or polynomial fitted to them.
 *
 * A vote that is tied goes to the class with the nearest neighbour, or is taken again with one
 * neighbour less, or goes to the first class. Row weights multiply votes; rows of weight 0 are left
 * out. A query that cannot be compared (a missing cell that was not filled) has no answer.
 *
 * Cost: brute force n d per query; a tree some log n in few dimensions. Memory: the rows.
 *
 * Sources: Cover and Hart, Nearest neighbor pattern classification (1967); Cleveland, Robust
 * locally weighted regression (1979); Friedman, Bentley and Finkel, An algorithm for finding best
 * matches in logarithmic expected time (1977); Omohundro, Five balltree construction algorithms
 * (1989). */
#include "base/call.h"
#include "base/memory.h"
#include "base/number.h"
#include "data/shape.h"
#include "decompose/linalg.h"
#include "learners/neighbours/exemplars_lower.h"
#include "learners/neighbours/knn.h"
#include "model/by_distance.h"
#include "model/kept_parts.h"
#include "model/learned.h"
#include "parallel/parallel.h"
#include "report/table_rows.h"
#include "rows/distances.h"
#include "rows/used.h"
#include <math.h>
#include <string.h>

/* Nearest neighbours as a program: the training rows are exemplars. */

/* The model as a program (model/program.h). */
static cairn_status cairn_knn_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_knn_model *m = model;
    const cairn_knn_params *params = job->params;
    cairn_exemplars rows = {
        .metric = &m->metric,
        .points = &m->points,
        .neighbours = (size_t)params->k < m->n ? (size_t)params->k : m->n,
        .n_classes = job->task == CAIRN_CLASSIFY ? job->n_classes : 0,
        .codes = m->codes,
        .targets = m->targets,
        .weights = m->weights,
        .weighting = params->weights,
        .window = params->window,
        .tie = params->tie,
        .width = params->width,
    };
    if (params->local != CAIRN_KNN_MEAN)
        return cairn_program_refuse(out, "local models are fitted anew for every row");
    if (m->given)
        return cairn_program_refuse(out,
                                    "its rows are distances, and there are no columns to read");
    return cairn_exemplars_lower(&rows, out);
}

/* The rows that nearest neighbours keep, as a table. */

static void write_rows(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_knn_model *m = model;
    /* Whether the places of the rows are the numbers of their columns, which have names. */
    bool places = !m->given && m->points.places && m->points.width == m->n_columns &&
                  m->metric.distance && !m->metric.distance->place && !m->points.n_texts &&
                  !m->points.n_items;
    cairn_ledger_columns(out, "nlnn", "row", "class", "target", "weight");
    if (places) cairn_learned_features(out, job, m->n_columns, false);
    for (size_t i = 0; i < m->n; i++) {
        cairn_ledger_cells(out, (double)m->numbers[i] + 1,
                           m->codes ? cairn_learned_class(job, m->codes[i]) : NULL,
                           m->targets ? m->targets[i] : NAN, m->weights ? m->weights[i] : 1);
        if (places)
            cairn_learned_place(out, job, m->points.places + i * m->n_columns, m->n_columns, false);
    }
}

const cairn_learned cairn_knn_tables[] = {
    CAIRN_LEARNED("rows", "row that it keeps: its number in the table that it was fitted to",
                  write_rows),
    CAIRN_LEARNED_END};

/* -- neighbours of rows -- */

/* The model of nearest neighbours, or the one inside a wrapper; NULL where there is none. */
static const cairn_model *knn_inside(const cairn_model *model)
{
    while (model && model->learner && model->learner->tables != cairn_knn_tables)
        model = model->learner->base ? model->learner->base(model->state) : NULL;
    return model && model->learner ? model : NULL;
}

/* No more neighbours are listed than rows were kept; numbers of rows begin with 1. */
static cairn_status find_neighbours(cairn_context *ctx, cairn_ledger *out, const cairn_model *model,
                                    const cairn_view *view)
{
    const cairn_knn_model *m = model->state;
    const cairn_knn_params *params = model->params->values;
    SCOPED(cairn_knn_queries_clear) cairn_knn_queries queries = {0};
    SCOPED(cairn_neighbours_clear) cairn_neighbours near = {0};
    size_t k = (size_t)params->k < m->n ? (size_t)params->k : m->n;
    cairn_job job = cairn_model_job(model);
    CHECK(cairn_knn_ask(ctx, &queries, m, params, view));
    CHECK(cairn_search_nearest(ctx, &m->search, &queries.points, k, false, &near));
    /* A row for every neighbour of every query. */
    cairn_ledger_columns(out, "nnnnln", "query", "rank", "row", "distance", "class", "target");
    for (size_t i = 0; i < near.n; i++)
        for (size_t r = 0; r < near.found[i]; r++) {
            size_t at = near.rows[i * near.k + r];
            cairn_ledger_cells(out, (double)i + 1, (double)r + 1, (double)m->numbers[at] + 1,
                               near.distances[i * near.k + r],
                               m->codes ? cairn_learned_class(&job, m->codes[at]) : NULL,
                               m->targets ? m->targets[at] : NAN);
        }
    return CAIRN_OK;
}

cairn_status cairn_model_neighbours(cairn_context *ctx, cairn_table **out, const cairn_model *model,
                                    const cairn_table *table)
{
    PUBLIC_CALL(ctx);
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_ledger_clear) cairn_ledger ledger = cairn_ledger_start(ctx);
    OWNED(cairn_table_free) cairn_table *inner = NULL;
    const cairn_model *knn = knn_inside(model);
    cairn_view view;
    if (!knn)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "only models of knn know the neighbours of rows, and this one is %s%s",
                          model->learner ? "of " : "a recipe",
                          model->learner ? model->learner->entry.name : "");
    CHECK(cairn_recipe_apply(ctx, &inner, knn, table));
    CHECK(cairn_view_make(ctx, &view, inner, cairn_all_rows(inner)));
    view.target = NULL;
    CHECK(find_neighbours(ctx, &ledger, knn, &view));
    return cairn_ledger_table(&ledger, out);
}

/* What the neighbours say: a vote, a mean, or a small model that is fitted to them.
 *
 * A local model is least squares on the neighbours, weighted like a vote, in columns measured from
 * the query, so that its constant is the answer; where a cell is missing, it is flat: the mean.
 * Slopes that the neighbours do not determine (fewer
 * of them than coefficients, or equal numbers) are as small as they can be: the model is flat
 * there, and with one neighbour it is his number. */

static const double tie_tolerance = 1e-12;

size_t cairn_knn_terms(const cairn_knn_params *params, size_t n_columns)
{
    if (params->local == CAIRN_KNN_MEAN) return 0;
    return 1 + n_columns * (params->local == CAIRN_KNN_POWERS ? (size_t)params->degree : 1);
}

cairn_status cairn_knn_answer_make(cairn_context *ctx, cairn_knn_answer *out,
                                   const cairn_knn_params *params, size_t k, size_t n_classes,
                                   size_t n_columns)
{
    *out = (cairn_knn_answer){0};
    CHECK(SCRATCH(ctx, &out->weights, k));
    CHECK(SCRATCH(ctx, &out->shares, n_classes));
    return SCRATCH(ctx, &out->terms, cairn_knn_terms(params, n_columns));
}

const double *cairn_knn_row(const cairn_knn_model *m, size_t i)
{
    if (m->given || !m->points.places || m->points.width == 0) return NULL;
    return (m->values ? m->values : m->points.places) + i * m->n_columns;
}

/* -- weights -- */

/* By distance alone; `scale` takes the place of 1 where 1/d is beyond all numbers. */
static void weigh_inverse(double *weights, const double *distances, size_t n, double scale,
                          bool square)
{
    for (size_t i = 0; i < n; i++) {
        double w = distances[0] == 0 ? distances[i] == 0 : scale / distances[i];
        weights[i] = square ? w * w : w;
    }
}

static bool all_finite(const double *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(numbers[i])) return false;
    return true;
}

/* Weights of the neighbours, with those of their rows. True when equal ones had to be taken. */
static bool weigh(double *weights, const cairn_knn_model *m, const cairn_knn_params *p,
                  const uint32_t *rows, const double *distances, size_t n)
{
    bool square = p->weights == CAIRN_KNN_INVERSE_SQUARE, some = false;
    for (size_t i = 0; i < n; i++) weights[i] = 1;
    if (p->weights == CAIRN_KNN_INVERSE || square) {
        weigh_inverse(weights, distances, n, 1, square);
        if (!all_finite(weights, n)) weigh_inverse(weights, distances, n, distances[0], square);
    } else if (p->weights == CAIRN_KNN_KERNEL) {
        double width = isnan(p->width) ? distances[n - 1] : p->width;
        for (size_t i = 0; i < n; i++) {
            double u = width > 0 ? distances[i] / width : 0;
            weights[i] = isnan(u) ? 0 : cairn_window_weight((cairn_window)p->window, u);
        }
    }
    for (size_t i = 0; i < n; i++) some |= weights[i] > 0;
    for (size_t i = 0; !some && i < n; i++) weights[i] = 1;
    /* Times the weights of the rows. What is large is measured by the largest, so that no sum of
     * weighted targets overflows. */
    const double large = 1e150;
    double most = 0, heaviest = m->weights ? 0 : 1;
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, weights[i]);
        if (m->weights) heaviest = fmax(heaviest, m->weights[rows[i]]);
    }
    bool scaled = !(most * heaviest * (double)n <= large);
    for (size_t i = 0; i < n; i++) {
        double row = m->weights ? m->weights[rows[i]] : 1;
        weights[i] = scaled ? weights[i] / most * (row / heaviest) : weights[i] * row;
    }
    return !some;
}

/* -- votes -- */

/* Shares of the classes; returns how many have the largest. */
static size_t count_votes(cairn_knn_answer *answer, const cairn_knn_model *m, size_t n_classes,
                          const uint32_t *rows, size_t n, size_t *first)
{
    double total = 0, most = 0;
    size_t tied = 0;
    memset(answer->shares, 0, n_classes * sizeof *answer->shares);
    for (size_t i = 0; i < n; i++) {
        answer->shares[m->codes[rows[i]]] += answer->weights[i];
        total += answer->weights[i];
    }
    for (size_t c = 0; c < n_classes; c++) {
        answer->shares[c] /= total;
        most = fmax(most, answer->shares[c]);
    }
    for (size_t c = n_classes; c-- > 0;)
        if (answer->shares[c] >= most - tie_tolerance) tied++, *first = c;
    return tied;
}

/* A tie goes to the first class, to the class of the nearest neighbour, or to fewer neighbours
 * until there is none; the shares stay those of all k. */
static void vote(cairn_knn_answer *answer, const cairn_knn_model *m, const cairn_job *job,
                 const uint32_t *rows, const double *distances, size_t n)
{
    const cairn_knn_params *p = job->params;
    size_t first = 0, tied = count_votes(answer, m, job->n_classes, rows, n, &first);
    double most = answer->shares[first];
    answer->tied = tied > 1 ? tied : 0;
    answer->code = (int32_t)first;
    if (tied == 1 || p->tie == CAIRN_KNN_FIRST) return;
    if (p->tie == CAIRN_KNN_NEAREST) {
        for (size_t i = n; i-- > 0;)
            if (answer->shares[m->codes[rows[i]]] >= most - tie_tolerance)
                answer->code = m->codes[rows[i]];
        return;
    }
    while (tied > 1 && answer->used > 1) {
        answer->used--;
        weigh(answer->weights, m, p, rows, distances, answer->used);
        tied = count_votes(answer, m, job->n_classes, rows, answer->used, &first);
    }
    answer->code = (int32_t)first;
    weigh(answer->weights, m, p, rows, distances, n); /* the shares are those of all k */
    count_votes(answer, m, job->n_classes, rows, n, &first);
}

/* -- local models -- */

/* Columns of the local model, n numbers each, without the constant: powers of the differences from
 * the query, as shares of the largest difference (`scales`, one per column). False when a cell is
 * missing. */
static bool fill_terms(double *x, double *scales, const cairn_knn_model *m, const uint32_t *rows,
                       size_t n, const double *place, size_t powers)
{
    for (size_t j = 0; j < m->n_columns; j++) {
        double largest = 0;
        for (size_t i = 0; i < n; i++) {
            double gap = cairn_knn_row(m, rows[i])[j] - place[j];
            if (isnan(gap)) return false;
            largest = fmax(largest, fabs(gap));
        }
        scales[j] = largest > 0 ? largest : 1;
        for (size_t i = 0; i < n; i++) {
            double part = (cairn_knn_row(m, rows[i])[j] - place[j]) / scales[j], product = 1;
            for (size_t power = 0; power < powers; power++)
                x[(j * powers + power) * n + i] = product *= part;
        }
    }
    return true;
}

/* Take the weighted mean off, multiply by the roots of the weights. Returns the mean. */
static double centre(double *column, const double *weights, size_t n)
{
    double sum = 0, total = 0;
    for (size_t i = 0; i < n; i++) {
        sum += weights[i] * column[i];
        total += weights[i];
    }
    for (size_t i = 0; i < n; i++) column[i] = sqrt(weights[i]) * (column[i] - sum / total);
    return sum / total;
}

/* To a largest size of 1, so that small coefficients mean the same for all. Returns the factor. */
static double shrink(double *column, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(column[i]));
    for (size_t i = 0; most > 0 && i < n; i++) column[i] /= most;
    return most > 0 ? most : 1;
}

/* A model that is flat: the mean of the neighbours. */
static double mean_of(const cairn_knn_answer *answer, const cairn_knn_model *m,
                      const uint32_t *rows, size_t n)
{
    double sum = 0, total = 0;
    for (size_t i = 0; i < n; i++) {
        sum += answer->weights[i] * m->targets[rows[i]];
        total += answer->weights[i];
    }
    return sum / total;
}

/* Slopes in the scales of the columns themselves. */
static void unscale(double *slopes, const double *scales, size_t n_columns, size_t powers)
{
    for (size_t j = 0; j < n_columns; j++)
        for (size_t power = 0; power < powers; power++)
            for (size_t times = 0; times <= power; times++) slopes[j * powers + power] /= scales[j];
}

/* Centred and scaled columns keep the least squares well conditioned; singular directions get
 * slope 0 instead of a wild one. */
static cairn_status fit_local(cairn_context *ctx, cairn_knn_answer *answer,
                              const cairn_knn_model *m, const cairn_knn_params *p,
                              const uint32_t *rows, size_t n, const double *place)
{
    SCOPED_SCRATCH(ctx);
    size_t n_slopes = cairn_knn_terms(p, m->n_columns) - 1;
    size_t powers = p->local == CAIRN_KNN_POWERS ? (size_t)p->degree : 1;
    double *x, *y, *means, *sizes, *scales, *slopes = answer->terms + 1;
    CHECK(SCRATCH(ctx, &x, cairn_product(n, n_slopes)));
    CHECK(SCRATCH(ctx, &y, n));
    CHECK(SCRATCH_EACH(ctx, n_slopes, &means, &sizes));
    CHECK(SCRATCH(ctx, &scales, m->n_columns));
    answer->flat = !fill_terms(x, scales, m, rows, n, place, powers);
    if (answer->flat) {
        answer->number = mean_of(answer, m, rows, n);
        return CAIRN_OK;
    }
    for (size_t i = 0; i < n; i++) y[i] = m->targets[rows[i]];
    answer->number = centre(y, answer->weights, n);
    for (size_t t = 0; t < n_slopes; t++) {
        means[t] = centre(x + t * n, answer->weights, n);
        sizes[t] = shrink(x + t * n, n);
    }
    CHECK(cairn_svd_least_squares(ctx, slopes, NULL, &answer->rank, x, y, n, n_slopes, 1e-12));
    answer->rank++;
    for (size_t t = 0; t < n_slopes; t++) {
        slopes[t] /= sizes[t];
        answer->number -= slopes[t] * means[t];
    }
    unscale(slopes, scales, m->n_columns, powers);
    answer->terms[0] = answer->number;
    return CAIRN_OK;
}

/* -- the answer -- */

cairn_status cairn_knn_decide(cairn_context *ctx, cairn_knn_answer *answer,
                              const cairn_knn_model *m, const cairn_job *job, const uint32_t *rows,
                              const double *distances, size_t n, const double *place)
{
    const cairn_knn_params *p = job->params;
    answer->used = n;
    answer->tied = 0;
    answer->code = -1;
    answer->number = NAN;
    for (size_t c = 0; c < job->n_classes && m->codes; c++) answer->shares[c] = NAN;
    answer->flat = false;
    if (n == 0) return CAIRN_OK;
    answer->equal = weigh(answer->weights, m, p, rows, distances, n);
    if (job->task == CAIRN_CLASSIFY) {
        vote(answer, m, job, rows, distances, n);
        return CAIRN_OK;
    }
    if (p->local != CAIRN_KNN_MEAN) return fit_local(ctx, answer, m, p, rows, n, place);
    answer->number = mean_of(answer, m, rows, n);
    return CAIRN_OK;
}

enum { ANSWER_ROWS = 256, CURVE_ROWS = 1000, LOCAL_CURVE = 20000, MOST_CURVE = 1000 };

static const cairn_choice weightings[] = {
    {"equal", CAIRN_KNN_EQUAL, "every neighbour counts the same"},
    {"inverse", CAIRN_KNN_INVERSE, "1/d; neighbours at distance 0 alone decide if there are some"},
    {"inverse-square", CAIRN_KNN_INVERSE_SQUARE, "1/d²; likewise"},
    {"kernel", CAIRN_KNN_KERNEL, "a window of d / width (--window, --width)"},
    {0},
};
static const cairn_choice ties[] = {
    {"nearest", CAIRN_KNN_NEAREST, "the tied class whose nearest neighbour is nearest"},
    {"smaller-k", CAIRN_KNN_SMALLER_K, "leave out the farthest neighbour until there is no tie"},
    {"first", CAIRN_KNN_FIRST, "the first of the tied classes"},
    {0},
};
static const cairn_choice locals[] = {
    {"mean", CAIRN_KNN_MEAN, "their mean"},
    {"line", CAIRN_KNN_LINE, "a straight line (plane) through them, read off at the query"},
    {"powers", CAIRN_KNN_POWERS, "powers of every column up to --degree"},
    {0},
};
static const cairn_choice methods[] = {
    {"auto", CAIRN_SEARCH_AUTO,
     "by the number of rows and columns, the distance, and a search of some rows"},
    {"brute", CAIRN_SEARCH_BRUTE, "compare with all rows"},
    {"kd", CAIRN_SEARCH_KD, "a tree of boxes"},
    {"ball", CAIRN_SEARCH_BALL, "a tree of balls"},
    {0},
};
static const cairn_choice curves[] = {
    {"auto", CAIRN_KNN_AUTO, "when there are at most 1000 training rows"},
    {"yes", CAIRN_KNN_YES, "always"},
    {"no", CAIRN_KNN_NO, "never"},
    {0},
};

static const cairn_param knn_params[] = {
    CAIRN_PARAM(cairn_knn_params, k, "5", "[1,inf)", "number of neighbours", .often = true),
    CAIRN_DISTANCE_PARAM(cairn_knn_params),
    CAIRN_PARAM_CHOICE(cairn_knn_params, weights, "equal", weightings,
                       "how much a neighbour counts by its distance d", .often = true),
    CAIRN_PARAM_CHOICE(cairn_knn_params, window, "gaussian", cairn_windows,
                       "how weights fall with u = d / width", .when = "weights=kernel"),
    CAIRN_PARAM(cairn_knn_params, width, CAIRN_NOT_GIVEN, "(0,inf)",
                "the width; the distance of the farthest neighbour when not given",
                .when = "weights=kernel"),
    CAIRN_PARAM_CHOICE(cairn_knn_params, tie, "nearest", ties, "who wins a tied vote"),
    CAIRN_PARAM_CHOICE(cairn_knn_params, local, "mean", locals,
                       "numbers: what is made of the neighbours", .often = true),
    CAIRN_PARAM(cairn_knn_params, degree, "2", "[1,9]", "the highest power",
                .when = "local=powers"),
    CAIRN_PARAM_CHOICE(cairn_knn_params, method, "auto", methods,
                       "how neighbours are found; the answer is the same"),
    CAIRN_PARAM_CHOICE(cairn_knn_params, curve, "auto", curves,
                       "table of k against the accuracy of training rows that are answered by the "
                       "others"),
    CAIRN_PARAM(cairn_knn_params, curve_k, "20", "[1,1000]", "largest k of that table",
                .when = "!curve=no"),
    {.name = "query",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(cairn_knn_params, query),
     .help = "rows to answer among the steps, values of the data's columns in their order, such "
             "as \"2.8,2.6\"; several are separated by semicolons",
     .steps = true},
    CAIRN_PARAM_END,
};

static cairn_status knn_check(cairn_context *ctx, const void *values)
{
    const cairn_knn_params *p = values;
    return cairn_metric_check(ctx, cairn_say(ctx, "{distance}"), p->distance);
}

static unsigned knn_accepts(const void *params)
{
    return cairn_distance_accepts(((const cairn_knn_params *)params)->distance);
}

/* -- fitting -- */

/* What the parameters ask and the data cannot give, each with its remedy, before a search is
 * begun. */
static cairn_status check_request(cairn_context *ctx, const cairn_job *job, const cairn_view *view,
                                  bool given)
{
    const cairn_knn_params *p = job->params;
    size_t n = view->rows.n;
    if ((size_t)p->k > n)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%d neighbours cannot be found among %zu training row%s; {k} must be at "
                          "most %zu here",
                          p->k, n, n == 1 ? "" : "s", n);
    if (p->local == CAIRN_KNN_MEAN) return CAIRN_OK;
    if (job->task == CAIRN_CLASSIFY)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{local} fits numbers, and '%s' is classified; {task regress} predicts "
                          "it as a number, or leave {local} out",
                          view->target_name);
    if (given)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{local} needs columns to fit, and there are only distances; leave it "
                          "out");
    for (size_t j = 0; j < view->n_features; j++)
        if (view->features[j]->kind != CAIRN_NUMBER)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "{local} fits number columns, and '%s' holds %s; {with indicators} "
                              "turns levels into numbers, {ignore} leaves the column out",
                              view->names[j],
                              view->features[j]->kind == CAIRN_LEVEL ? "levels"
                              : view->features[j]->kind == CAIRN_BAG ? "bags"
                                                                     : "texts");
    return CAIRN_OK;
}

/* Numbers of the view's rows as they are, where the places of the points are something else. */
static cairn_status keep_values(cairn_context *ctx, double **out, const cairn_metric *metric,
                                const cairn_knn_params *p, const cairn_view *view)
{
    *out = NULL;
    if (p->local == CAIRN_KNN_MEAN || !metric->distance->place) return CAIRN_OK;
    CHECK(NEW_RAW(ctx, out, cairn_product(view->rows.n, view->n_features)));
    cairn_view_block(view, 0, view->rows.n, *out);
    return CAIRN_OK;
}

static cairn_status keep_targets(cairn_context *ctx, cairn_knn_model *m, const cairn_view *view,
                                 cairn_task task)
{
    if (task == CAIRN_CLASSIFY) {
        CHECK(NEW_RAW(ctx, &m->codes, m->n));
        cairn_view_target_codes(view, 0, m->n, m->codes);
    } else {
        CHECK(NEW_RAW(ctx, &m->targets, m->n));
        cairn_view_target_numbers(view, 0, m->n, m->targets);
    }
    if (cairn_view_is_weighted(view)) {
        CHECK(NEW_RAW(ctx, &m->weights, m->n));
        cairn_view_weights(view, 0, m->n, m->weights);
    }
    CHECK(NEW_RAW(ctx, &m->numbers, m->n));
    for (size_t i = 0; i < m->n; i++) m->numbers[i] = (uint32_t)cairn_view_row(view, i);
    return CAIRN_OK;
}

/* Standard deviation of the numbers that are there; NaN of fewer than two. Sums are those of
 * differences from the first number, as shares of the largest one, so that no square overflows. */
static double spread_of(const cairn_view *view, const cairn_column *column)
{
    double first = NAN, largest = 0, sum = 0, squares = 0, n = 0;
    for (size_t i = 0; i < view->rows.n; i++) {
        double x = column->numbers[cairn_view_row(view, i)];
        if (isnan(x)) continue;
        if (n++ == 0) first = x;
        largest = fmax(largest, fabs(x - first));
    }
    if (n < 2 || largest == 0) return n < 2 ? NAN : 0;
    for (size_t i = 0; i < view->rows.n; i++) {
        double part = (column->numbers[cairn_view_row(view, i)] - first) / largest;
        if (isnan(part)) continue;
        sum += part;
        squares += part * part;
    }
    double rest = squares - sum * sum / n;
    return largest * sqrt((rest > 0 ? rest : 0) / (n - 1));
}

typedef struct spread_work {
    const cairn_view *view;
    double *out;
} spread_work;

static void spread_column(void *data, size_t j, size_t begin, size_t end, int worker)
{
    (void)begin, (void)end, (void)worker;
    const spread_work *w = data;
    bool number = w->view->features[j]->kind == CAIRN_NUMBER;
    w->out[j] = number ? spread_of(w->view, w->view->features[j]) : NAN;
}

/* Deviations of the number columns, and whether all rows are alike. */
static cairn_status look_at_columns(cairn_context *ctx, cairn_knn_model *m, const cairn_view *view)
{
    CHECK(NEW(ctx, &m->spreads, m->n_columns));
    spread_work work = {view, m->spreads};
    CHECK(cairn_blocks_sized(ctx, m->n_columns, 1, (double)m->n * (double)m->n_columns,
                             spread_column, &work));
    m->same = m->points.places && m->n > 1;
    for (size_t i = 1; i < m->n && m->same; i++)
        m->same = memcmp(m->points.places, m->points.places + i * m->points.width,
                         m->points.width * sizeof *m->points.places) == 0;
    return CAIRN_OK;
}

/* What new rows are compared with: places in a matrix of distances, or the rows themselves. */
static cairn_status keep_points(cairn_context *ctx, cairn_knn_model *m, const cairn_job *job,
                                const cairn_view *view)
{
    const cairn_knn_params *p = job->params;
    if (m->given) {
        /* Feature j of a matrix of distances belongs to table row j. */
        CHECK(cairn_given_square(ctx, view));
        m->points = (cairn_points){.n = m->n, .width = view->n_features};
        CHECK(cairn_given_rows(ctx, &m->points.places, view));
        CHECK(NEW_RAW(ctx, &m->columns, m->n));
        for (size_t i = 0; i < m->n; i++) m->columns[i] = (uint32_t)cairn_view_row(view, i);
        return CAIRN_OK;
    }
    CHECK(cairn_memory_check(ctx, 12.0 * (double)m->n * (double)m->n_columns, "keeping all rows",
                             cairn_say(ctx, "use fewer rows or columns, or raise {memory}")));
    CHECK(cairn_metric_open(ctx, &m->metric, cairn_say(ctx, "{distance}"), p->distance));
    CHECK(cairn_metric_learn(ctx, &m->metric, view));
    CHECK(cairn_metric_points(ctx, &m->metric, &m->points, view, NULL));
    return keep_values(ctx, &m->values, &m->metric, p, view);
}

/* -- leaving one out -- */

static double score_row(const cairn_knn_model *m, const cairn_knn_answer *answer, size_t row,
                        bool classify)
{
    if (classify) return answer->code == m->codes[row];
    double d = answer->number - m->targets[row];
    return d * d;
}

/* Every training row is answered by the others, for k = 1 to n_curve. */
static cairn_status fill_curve(cairn_context *ctx, cairn_knn_history *history,
                               const cairn_knn_model *m, const cairn_job *job,
                               const cairn_neighbours *all)
{
    bool classify = job->task == CAIRN_CLASSIFY;
    double total = 0;
    cairn_knn_answer answer;
    CHECK(cairn_knn_answer_make(ctx, &answer, job->params, history->n_curve, job->n_classes,
                                m->n_columns));
    for (size_t i = 0; i < m->n; i++) {
        double weight = m->weights ? m->weights[i] : 1;
        const double *place = cairn_knn_row(m, i);
        total += weight;
        for (size_t k = 1; k <= history->n_curve; k++) {
            size_t n = all->found[i] < k ? all->found[i] : k;
            CHECK(cairn_knn_decide(ctx, &answer, m, job, all->rows + i * all->k,
                                   all->distances + i * all->k, n, place));
            history->curve[k - 1] += weight * score_row(m, &answer, i, classify);
            history->tied[k - 1] += answer.tied > 0;
        }
    }
    for (size_t k = 0; k < history->n_curve; k++)
        history->curve[k] = classify ? history->curve[k] / total : sqrt(history->curve[k] / total);
    return CAIRN_OK;
}

static cairn_status make_curve(cairn_context *ctx, cairn_knn_history *history,
                               const cairn_knn_model *m, const cairn_job *job)
{
    const cairn_knn_params *p = job->params;
    SCOPED(cairn_neighbours_clear) cairn_neighbours all = {0};
    size_t most = (size_t)p->curve_k < m->n - 1 ? (size_t)p->curve_k : m->n - 1;
    bool small = m->n <= CURVE_ROWS && (p->local == CAIRN_KNN_MEAN || m->n * most <= LOCAL_CURVE);
    CHECK(NEW_EACH(ctx, MOST_CURVE, &history->curve, &history->tied));
    if (p->curve == CAIRN_KNN_NO || (p->curve == CAIRN_KNN_AUTO && !small)) return CAIRN_OK;
    history->n_curve = most;
    if (most == 0) return CAIRN_OK;
    CHECK(cairn_search_nearest(ctx, &m->search, &m->points, most, true, &all));
    return fill_curve(ctx, history, m, job, &all);
}

static cairn_status make_search(cairn_context *ctx, cairn_knn_model *m, int method)
{
    return cairn_search_make(ctx, &m->search, &m->metric, &m->points, m->columns,
                             (cairn_search_method)method);
}

static cairn_status knn_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    const cairn_knn_params *p = job->params;
    cairn_knn_model *m = model;
    cairn_view view;
    CHECK(cairn_view_used(ctx, &view, job->view));
    m->n = view.rows.n;
    m->n_columns = view.n_features;
    m->given = view.table->shape == CAIRN_SHAPE_DISTANCES;
    CHECK(check_request(ctx, job, &view, m->given));
    CHECK(keep_points(ctx, m, job, &view));
    CHECK(keep_targets(ctx, m, &view, job->task));
    CHECK(look_at_columns(ctx, m, &view));
    CHECK(make_search(ctx, m, p->method));
    if (job->history) CHECK(make_curve(ctx, job->history, m, job));
    if (job->steps) CHECK(cairn_knn_steps(ctx, m, job));
    return CAIRN_OK;
}

/* -- predicting -- */

cairn_status cairn_knn_ask(cairn_context *ctx, cairn_knn_queries *out, const cairn_knn_model *m,
                           const cairn_knn_params *params, const cairn_view *view)
{
    cairn_status status;
    cairn_knn_queries queries = {0};
    if (m->given) {
        queries.points = (cairn_points){.n = view->rows.n, .width = m->n_columns};
        TRY(cairn_given_rows(ctx, &queries.points.places, view));
    } else {
        TRY(cairn_metric_points(ctx, &m->metric, &queries.points, view, NULL));
        TRY(keep_values(ctx, &queries.values, &m->metric, params, view));
    }
    *out = queries;
    return CAIRN_OK;
done:
    cairn_knn_queries_clear(&queries);
    return status;
}

void cairn_knn_queries_clear(cairn_knn_queries *queries)
{
    cairn_points_clear(&queries->points);
    cairn_free(queries->values);
    *queries = (cairn_knn_queries){0};
}

typedef struct answer_run {
    const cairn_knn_model *m;
    const cairn_job *job;
    const cairn_knn_queries *queries;
    const cairn_neighbours *found;
    cairn_prediction *out;
    size_t first;    /* row of the prediction that the first query is */
    double *nearest; /* NULL = not wanted */
    double *tied;    /* NULL = not wanted */
    size_t alone;    /* rows so far that have no neighbours */
    size_t *equal;   /* per block: rows whose neighbours have no weight by their distance */
    size_t n_equal;  /* ... in all so far */
} answer_run;

/* Rows whose neighbours all have weight 0 are counted per block, to be told in one warning. */
static cairn_status answer_block(cairn_context *ctx, void *data, size_t block)
{
    const answer_run *run = data;
    const cairn_knn_model *m = run->m;
    const cairn_neighbours *f = run->found;
    size_t begin = block * ANSWER_ROWS,
           end = begin + ANSWER_ROWS < f->n ? begin + ANSWER_ROWS : f->n;
    const double *values = run->queries->values;
    cairn_knn_answer answer;
    if (!values) values = run->queries->points.places;
    CHECK(cairn_knn_answer_make(ctx, &answer, run->job->params, f->k, run->job->n_classes,
                                m->n_columns));
    for (size_t q = begin; q < end; q++) {
        size_t row = run->first + q;
        const double *place = values ? values + q * m->n_columns : NULL;
        CHECK(cairn_knn_decide(ctx, &answer, m, run->job, f->rows + q * f->k,
                               f->distances + q * f->k, f->found[q], place));
        if (run->out->codes) run->out->codes[row] = answer.code;
        if (run->out->numbers) run->out->numbers[row] = answer.number;
        if (run->out->scores)
            memcpy(run->out->scores + row * run->job->n_classes, answer.shares,
                   run->job->n_classes * sizeof *answer.shares);
        if (run->nearest) run->nearest[row] = f->found[q] ? f->distances[q * f->k] : NAN;
        if (run->tied) run->tied[row] = (double)answer.tied;
        run->equal[block] += f->found[q] > 0 && answer.equal;
    }
    return CAIRN_OK;
}

/* The columns `neighbours` and `distances`; texts are kept one after the other. */
typedef struct lists {
    cairn_text rows, distances;
    size_t *row_ends, *distance_ends; /* one per query */
    size_t n;
} lists;

static void keep_lists(lists *l, const cairn_knn_model *m, const cairn_neighbours *f)
{
    for (size_t q = 0; q < f->n; q++) {
        /* Lists of neighbours as text: row numbers and distances of one query. */
        for (size_t i = 0; i < f->found[q]; i++) {
            cairn_text_addf(&l->rows, "%s%u", i ? " " : "", m->numbers[f->rows[q * f->k + i]] + 1);
            if (i) cairn_text_add_char(&l->distances, ' ');
            cairn_text_add_number(&l->distances, f->distances[q * f->k + i], 6);
        }
        cairn_text_add_char(&l->rows, '\0');
        cairn_text_add_char(&l->distances, '\0');
        l->row_ends[l->n] = l->rows.length;
        l->distance_ends[l->n++] = l->distances.length;
    }
}

static cairn_status add_texts(cairn_context *ctx, cairn_table *extra, const char *name,
                              const cairn_text *text, const size_t *ends, size_t n)
{
    const char **cells;
    CHECK(cairn_text_status(text));
    CHECK(SCRATCH(ctx, &cells, n));
    for (size_t i = 0; i < n; i++) cells[i] = text->bytes + (i ? ends[i - 1] : 0);
    return cairn_table_add_texts(ctx, extra, name, cells);
}

/* Queries first .. first+n-1 of the view. */
static cairn_status predict_part(cairn_context *ctx, answer_run *run, size_t first, size_t n,
                                 lists *l)
{
    const cairn_knn_params *p = run->job->params;
    SCOPED_SCRATCH(ctx);
    cairn_view part = *run->job->view;
    SCOPED(cairn_knn_queries_clear) cairn_knn_queries queries = {0};
    SCOPED(cairn_neighbours_clear) cairn_neighbours found = {0};
    uint32_t *indices;
    size_t k = (size_t)p->k, n_blocks = cairn_block_count(n, ANSWER_ROWS);
    CHECK(SCRATCH_RAW(ctx, &indices, n));
    for (size_t i = 0; i < n; i++) indices[i] = (uint32_t)cairn_view_row(run->job->view, first + i);
    if (first || n < part.rows.n) part.rows = (cairn_rows){.indices = indices, .n = n};
    CHECK(cairn_knn_ask(ctx, &queries, run->m, p, &part));
    CHECK(cairn_search_nearest(ctx, &run->m->search, &queries.points, k, false, &found));
    run->queries = &queries;
    run->found = &found;
    run->first = first;
    double each = (double)(k + run->job->n_classes + 8);
    if (p->local != CAIRN_KNN_MEAN) each *= 100;
    CHECK(SCRATCH(ctx, &run->equal, n_blocks));
    CHECK(cairn_tasks_sized(ctx, n_blocks, (double)n * each, answer_block, run));
    for (size_t b = 0; b < n_blocks; b++) run->n_equal += run->equal[b];
    for (size_t q = 0; q < n; q++) run->alone += found.found[q] == 0;
    if (l->row_ends) keep_lists(l, run->m, &found);
    return CAIRN_OK;
}

static cairn_status predict_all(cairn_context *ctx, answer_run *run, lists *l)
{
    enum { LEAST = 1024 };
    const double most_numbers = 1 << 26; /* of queries and neighbours that are held at once */
    const cairn_knn_params *p = run->job->params;
    size_t n = run->job->view->rows.n;
    double each = 2 * (double)run->m->n_columns + 2 * (double)p->k;
    size_t part = most_numbers / each > LEAST ? (size_t)(most_numbers / each) : LEAST;
    for (size_t first = 0; first < n; first += part) {
        CHECK(predict_part(ctx, run, first, n - first < part ? n - first : part, l));
        CHECK(cairn_tick(ctx, "neighbours", (double)first, (double)n));
    }
    return CAIRN_OK;
}

/* Neighbours and distances as texts are made only where further columns are wanted; rows without
 * an answer are told once with their number. */
static cairn_status knn_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                const cairn_job *job)
{
    const cairn_knn_model *m = model;
    size_t n = job->view->rows.n;
    answer_run run = {.m = m, .job = job, .out = out};
    lists l = {.rows = cairn_text_start(ctx), .distances = cairn_text_start(ctx)};
    cairn_status status;
    if (out->extra) {
        TRY(SCRATCH_EACH(ctx, n, &run.nearest, &run.tied, &l.row_ends, &l.distance_ends));
    }
    TRY(predict_all(ctx, &run, &l));
    if (run.alone)
        cairn_warn(ctx,
                   "%zu of %zu rows have no cell in common with a training row and get no answer",
                   run.alone, n);
    if (run.n_equal && !isnan(((const cairn_knn_params *)job->params)->width))
        cairn_warn(ctx,
                   "%zu of %zu rows have no neighbour with a weight, so all k of them count the "
                   "same; a larger {width} reaches farther",
                   run.n_equal, n);
    out->codes_set = true;
    if (!out->extra) goto done;
    TRY(add_texts(ctx, out->extra, "neighbours", &l.rows, l.row_ends, n));
    TRY(add_texts(ctx, out->extra, "distances", &l.distances, l.distance_ends, n));
    TRY(cairn_table_put_numbers(ctx, out->extra, "nearest", run.nearest));
    if (job->task == CAIRN_CLASSIFY)
        TRY(cairn_table_put_numbers(ctx, out->extra, "tied", run.tied));
done:
    cairn_text_clear(&l.rows);
    cairn_text_clear(&l.distances);
    return status;
}

/* -- keeping -- */

static cairn_status check_points(cairn_archive *a, const void *model, const void *around)
{
    const cairn_knn_model *m = model;
    (void)around;
    if (m->points.n != m->n || (m->given ? m->points.width : m->metric.n_columns) != m->n_columns)
        return cairn_archive_damaged(a, "the rows do not fit together");
    if (m->given && (m->points.n_texts || m->points.n_items))
        return cairn_archive_damaged(a, "the rows do not fit their distance");
    return m->given ? CAIRN_OK : cairn_points_check(a, &m->metric, &m->points);
}

/* The rows are the model, so each is checked: a weight above 0 and an answer of the kind that
 * the model has. */
static cairn_status check_rows(cairn_archive *a, const void *model, const void *around)
{
    const cairn_knn_model *m = model;
    (void)around;
    for (size_t i = 0; i < m->n; i++)
        if ((m->weights && !(m->weights[i] > 0 && isfinite(m->weights[i]))) ||
            (m->codes ? m->codes[i] < 0 : !isfinite(m->targets[i])))
            return cairn_archive_damaged(a, "row %zu has no weight or answer", i + 1);
    return CAIRN_OK;
}

/* A tree is made again from the points: nothing in a file can lead it astray. */
static cairn_status archive_search(cairn_archive *a, void *model, const void *around)
{
    cairn_knn_model *m = model;
    int32_t method = (int32_t)m->search.method;
    (void)around;
    CHECK(cairn_archive_int(a, "search", &method));
    if (!cairn_archive_reading(a)) return CAIRN_OK;
    bool tree = method == CAIRN_SEARCH_KD || method == CAIRN_SEARCH_BALL;
    for (size_t i = 0; tree && i < m->n * m->points.width; i++)
        if (!isfinite(m->points.places[i]))
            return cairn_archive_damaged(a, "row %zu has no place", i / m->points.width + 1);
    if (method < CAIRN_SEARCH_BRUTE || method > CAIRN_SEARCH_BALL)
        return cairn_archive_damaged(a, "its search is none");
    cairn_status status = make_search(cairn_archive_context(a), m, method);
    if (status != CAIRN_USAGE) return status;
    return cairn_archive_damaged(a, "its search does not fit its distance");
}

static void clear_search(void *model)
{
    cairn_search_clear(&((cairn_knn_model *)model)->search);
}

static const cairn_kept history_keeps[] = {
    KEEP_SIZE(cairn_knn_history, n_curve, MOST_CURVE),
    KEEP_ARRAYS(cairn_knn_history, "n_curve", curve, tied),
    KEEP_END,
};

static const cairn_kept knn_keeps[] = {
    KEEP_SIZE(cairn_knn_model, n, UINT32_MAX),
    KEEP_SIZE(cairn_knn_model, n_columns, UINT32_MAX),
    KEEP(cairn_knn_model, given),
    KEEP_PART(cairn_knn_model, metric, .part = &cairn_kept_metric, .when = "!given"),
    KEEP_PART(cairn_knn_model, points, .part = &cairn_kept_points),
    KEEP_CHECK(check_points),
    KEEP_FLAG(cairn_knn_model, codes, "classes"),
    KEEP_FLAG(cairn_knn_model, weights, "weighted"),
    KEEP_FLAG(cairn_knn_model, values, "has_values"),
    KEEP_ARRAY(cairn_knn_model, codes, "n", .when = "classes"),
    KEEP_ARRAY(cairn_knn_model, targets, "n", .when = "!classes"),
    KEEP_ARRAY(cairn_knn_model, weights, "n", .when = "weighted"),
    KEEP_ARRAY(cairn_knn_model, values, "n*n_columns", .when = "has_values"),
    KEEP_ARRAYS(cairn_knn_model, "n", numbers),
    KEEP_CODES(cairn_knn_model, columns, "n", 0, "n_columns", "row # has no column of distances",
               .when = "given"),
    KEEP_CHECK(check_rows),
    KEEP(cairn_knn_model, same),
    KEEP_ARRAYS(cairn_knn_model, "n_columns", spreads),
    KEEP_HISTORY(history_keeps),
    KEEP_BY(archive_search, .clear = clear_search),
    KEEP_END,
};

static const cairn_history knn_history = {
    .size = sizeof(cairn_knn_history),
    .keeps = history_keeps,
};

/* What can be judged only with the schema and parameters: classes that exist, a distance that is
 * the model's own, rows enough for k. */
static cairn_status knn_check_model(cairn_archive *a, const void *model, const cairn_job *job)
{
    const cairn_knn_model *m = model;
    const cairn_knn_params *p = job->params;
    if ((job->task == CAIRN_CLASSIFY) != (m->codes != NULL))
        CHECK(cairn_archive_damaged(a, "the rows have answers of another kind"));
    for (size_t i = 0; m->codes && i < m->n; i++)
        if ((size_t)m->codes[i] >= job->n_classes)
            CHECK(cairn_archive_damaged(a, "row %zu is of a class that there is not", i + 1));
    if (!m->given && strcmp(m->metric.spec, p->distance) != 0)
        CHECK(cairn_archive_damaged(a, "it has two distances"));
    bool local = p->local != CAIRN_KNN_MEAN;
    bool numbers = !m->given && m->points.width > 0;
    if ((size_t)p->k > m->n || (local && (m->codes || !numbers)) ||
        (local && m->metric.distance->place && !m->values))
        CHECK(cairn_archive_damaged(a, "its rows do not fit its parameters"));
    return CAIRN_OK;
}

static const cairn_output knn_outputs[] = {
    {"neighbours", "numbers of the nearest training rows, the nearest first"},
    {"distances", "their distances"},
    {"nearest", "distance of the nearest"},
    {"tied", "classes: how many share the first place, 0 when there is no tie"},
    {0},
};

const cairn_learner cairn_knn = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "knn",
            .also = "k-NN, nearest neighbour, nearest neighbours, k nearest neighbor, "
                    "instance-based learning, lazy learning, KNeighborsClassifier, "
                    "KNeighborsRegressor, IBk, IB1 (k=1), kknn, lazy learner, nearest-neighbour "
                    "classifier, nearest-neighbour classification",
            .about = "locally weighted regression, distance weighting",
            .title = "k nearest neighbours",
            .summary =
                "Answers a row by the k training rows that are nearest to it: the most common "
                "class with the shares of all classes, or the mean of their numbers, or a line "
                "fitted to them (locally weighted regression, --local). Neighbours may count by "
                "their distance. Any distance of 'cairn list distances' can be used; columns are "
                "standardised first where their scale matters, unless --scale says otherwise. "
                "k = 1 repeats the training rows, k = all rows gives the most common class. With "
                "--as distances the columns are distances to the training rows.",
            .references = "Cover and Hart, Nearest neighbor pattern classification, IEEE "
                          "Transactions on Information Theory 13 (1967); Cleveland, Robust locally "
                          "weighted regression and smoothing scatterplots (1979)",
            .example = "cairn fit knn @iris --k 5",
            .params = knn_params,
            .params_size = sizeof(cairn_knn_params),
            .check = knn_check,
        },
    .tasks = CAIRN_CLASSIFY | CAIRN_REGRESS,
    .space = "k=25,15,9,5,3,1\n"
             "weights=equal,inverse",
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_DISTANCES |
               CAIRN_USES_DISTANCES | CAIRN_ACCEPTS_BAGS | CAIRN_WANTS_SCALING,
    .accepts_with = knn_accepts,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_GEOMETRIC | CAIRN_GRADING |
              CAIRN_GIVES_PROBABILITIES,
    .model_size = sizeof(cairn_knn_model),
    .tables = cairn_knn_tables,
    .gives_scores = true,
    .sets_codes = true,
    .answers_slowly = true,
    .outputs = knn_outputs,
    .fit = knn_fit,
    .lower = cairn_knn_lower,
    .predict = knn_predict,
    .describe = cairn_knn_describe,
    .explain = cairn_knn_explain,
    .history = &knn_history,
    .keeps = knn_keeps,
    .parameters = "n*n_columns+n",
    .grows = true,
    .columns = "n_columns",
    .check = knn_check_model,
};
