/* SPDX-License-Identifier: MIT */
/* cairn compute memberships: a clustering as matrices.
 *
 * The exemplar matrix has a row for each cluster (c x d): it answers for new rows, which belong to
 * the nearest exemplar. The membership matrix has a row for each row of the data (n x c): zeros and
 * a one, or degrees that add up to 1; the largest degree makes it hard again. A partition predicts
 * a target by what it is in each cluster: its mean, or the most frequent class; with degrees by
 * their mixture. */
#include "typed/labelled_rows.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "draw/canvas.h"
#include "draw/figure.h"
#include "kernels/kernels.h"
#include "model/model.h"
#include "stats/memberships.h"
#include "typed/vectors.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_NAMED = 500, MOST_SHOWN = 20, MOST_WORKED = 3 };
enum { SOFT_NONE, SOFT_MODEL, SOFT_FUZZY, SOFT_BELL };

typedef struct memberships_params {
    cairn_labelled_options labelled;
    const char *degrees, *exemplars;
    int soft;
    double fuzzifier, width;
    bool normalise;
} memberships_params;

static const cairn_choice softenings[] = {
    {"none", SOFT_NONE, "zeros and ones"},
    {"model", SOFT_MODEL, "the scores of the model"},
    {"fuzzy", SOFT_FUZZY, "in proportion to (1/d²)^(1/(m−1)), d to the exemplars, m the fuzzifier"},
    {"bell", SOFT_BELL, "in proportion to exp(−d²/(2 width²))"},
    {0},
};

static const cairn_param memberships_table[] = {
    CAIRN_PARAM_GROUP(memberships_params, labelled, cairn_labelled_group),
    CAIRN_PARAM_AS(memberships_params, degrees, CAIRN_TYPE_COLUMNS, NULL,
                   "columns of DATA that hold the memberships, one for each cluster",
                   .when = "!clusters,!labels,!partition,!exemplars", .often = true),
    CAIRN_PARAM(memberships_params, exemplars, NULL, NULL,
                "exemplars over the number columns, separated by semicolons and perhaps with "
                "names, such as a=0,1;b=2,3; every row belongs to the nearest",
                .when = "!clusters,!labels,!partition", .often = true),
    CAIRN_PARAM_CHOICE(memberships_params, soft, "none", softenings,
                       "how memberships in several clusters are found", .when = "!degrees",
                       .often = true),
    CAIRN_PARAM(memberships_params, fuzzifier, "2", "(1,inf)",
                "near 1 the memberships are nearly hard, large ones make all alike",
                .when = "soft=fuzzy"),
    CAIRN_PARAM(memberships_params, width, "1", "(0,inf)", "deviation of the bells",
                .when = "soft=bell"),
    CAIRN_PARAM(memberships_params, normalise, "no", NULL,
                "divide the degrees of a row by their sum", .when = "degrees"),
    CAIRN_PARAM_END,
};

typedef struct clustering {
    cairn_labelled_rows rows;
    cairn_labelled_places at; /* width 0 = there are no places, and so no exemplars */
    size_t n, k;
    const char **names; /* k */
    double *exemplars;  /* k x width, or NULL */
    double *degrees;    /* n x k */
    int32_t *hard;      /* n */
    size_t n_tied;      /* rows whose largest degree is not alone */
    bool soft;
} clustering;

/* -- reading -- */

/* Without labels every row is taken; they are made of exemplars or of given degrees. */
static cairn_status all_rows(cairn_context *ctx, clustering *c, const cairn_compute_job *job,
                             const char *by)
{
    CHECK(cairn_table_share(ctx, &c->rows.table, job->table));
    CHECK(cairn_view_make(ctx, &c->rows.view, c->rows.table, cairn_all_rows(c->rows.table)));
    c->rows.by = by;
    return CAIRN_OK;
}

/* A column of degrees is no coordinate. */
static cairn_status read_degrees(cairn_context *ctx, clustering *c, const cairn_compute_job *job)
{
    const memberships_params *p = job->params;
    const double **columns;
    char **names;
    CHECK(cairn_list_split(ctx, p->degrees, &names, &c->k));
    CHECK(all_rows(ctx, c, job, "columns of memberships"));
    CHECK(SCRATCH(ctx, &columns, c->k + 1));
    for (size_t k = 0; k < c->k; k++) {
        size_t at;
        CHECK(cairn_table_get(ctx, c->rows.table, names[k], &at));
        columns[k] = cairn_table_numbers(c->rows.table, at);
        if (!columns[k])
            return cairn_fail(ctx, CAIRN_BAD_DATA, "{degrees}: column '%s' does not hold numbers",
                              names[k]);
        c->rows.table->slots[at].role = CAIRN_IGNORED;
    }
    CHECK(cairn_view_make(ctx, &c->rows.view, c->rows.table, cairn_all_rows(c->rows.table)));
    c->n = c->rows.view.rows.n;
    c->names = (const char **)names;
    CHECK(SCRATCH_RAW(ctx, &c->degrees, cairn_product(c->n, c->k) + 1));
    for (size_t i = 0; i < c->n; i++)
        for (size_t k = 0; k < c->k; k++) c->degrees[i * c->k + k] = columns[k][i];
    c->soft = true;
    return CAIRN_OK;
}

static cairn_status refuse_degree(cairn_context *ctx, const clustering *c, size_t i, size_t k)
{
    char number[CAIRN_NUMBER_SIZE];
    cairn_number_format(number, c->degrees[i * c->k + k], 6);
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "row %zu, column '%s': a membership is a number from 0 to 1, not %s", i + 1,
                      c->names[k], number);
}

/* Degrees are shares of 1; what is not is refused, since nobody can say what it means. */
static cairn_status check_degrees(cairn_context *ctx, clustering *c, bool normalise)
{
    char number[CAIRN_NUMBER_SIZE];
    for (size_t i = 0; i < c->n; i++) {
        double sum = 0, *row = c->degrees + i * c->k;
        for (size_t k = 0; k < c->k; k++) {
            if (!(row[k] >= 0 && isfinite(row[k]))) return refuse_degree(ctx, c, i, k);
            sum += row[k];
        }
        if (normalise && sum > 0 && isfinite(sum)) {
            for (size_t k = 0; k < c->k; k++) row[k] /= sum;
            continue;
        }
        if (fabs(sum - 1) <= 1e-6) continue;
        cairn_number_format(number, sum, 6);
        return cairn_fail(ctx, CAIRN_BAD_DATA, "row %zu: the memberships add up to %s, not to 1%s",
                          i + 1, number,
                          normalise ? "" : cairn_say(ctx, " ({normalise} divides by the sum)"));
    }
    return CAIRN_OK;
}

/* Exemplars as the means of the clusters, where there are number columns; by memberships when these
 * are given. */
static cairn_status find_exemplars(cairn_context *ctx, clustering *c)
{
    size_t d = c->at.width;
    double *sizes;
    CHECK(SCRATCH(ctx, &c->exemplars, cairn_product(c->k, d) + 1));
    CHECK(SCRATCH(ctx, &sizes, c->k + 1));
    for (size_t i = 0; i < c->n; i++)
        for (size_t k = 0; k < c->k; k++) {
            double w = c->at.weights[i] * c->degrees[i * c->k + k];
            sizes[k] += w;
            if (w > 0) cairn_axpy(c->exemplars + k * d, w, c->at.values + i * d, d);
        }
    for (size_t k = 0; k < c->k; k++)
        for (size_t j = 0; j < d; j++) c->exemplars[k * d + j] /= sizes[k];
    return CAIRN_OK;
}

static cairn_status read_exemplars(cairn_context *ctx, clustering *c, const cairn_compute_job *job)
{
    const memberships_params *p = job->params;
    cairn_vectors typed;
    CHECK(all_rows(ctx, c, job, "nearest exemplar"));
    CHECK(cairn_labelled_places_read(ctx, &c->at, &c->rows, job->what));
    CHECK(cairn_read_vectors(ctx, &typed, "exemplars", p->exemplars, ""));
    if (typed.width != c->at.width)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{exemplars}: they have %zu coordinate%s, and there are %zu number "
                          "columns ({features} chooses some)",
                          typed.width, typed.width == 1 ? "" : "s", c->at.width);
    c->n = c->at.n;
    c->k = typed.n;
    c->names = typed.names;
    c->exemplars = typed.values;
    return SCRATCH(ctx, &c->degrees, cairn_product(c->n, c->k) + 1);
}

/* A one in the column of each row's cluster. */
static cairn_status read_labels(cairn_context *ctx, clustering *c, const cairn_compute_job *job)
{
    const memberships_params *p = job->params;
    CHECK(cairn_labelled_rows_read(ctx, &c->rows, &p->labelled, job));
    c->n = c->rows.view.rows.n;
    c->k = c->rows.n_clusters;
    c->names = c->rows.names;
    CHECK(SCRATCH(ctx, &c->degrees, cairn_product(c->n, c->k) + 1));
    for (size_t i = 0; i < c->n; i++) c->degrees[i * c->k + (size_t)c->rows.codes[i]] = 1;
    return CAIRN_OK;
}

/* -- soft and hard -- */

/* A model's own degrees, in the order of its clusters; not every clusterer has them. */
static cairn_status scores_of_model(cairn_context *ctx, clustering *c, const cairn_compute_job *job)
{
    SCOPED(cairn_prediction_clear) cairn_prediction p = {0};
    cairn_match match;
    if (!job->model)
        return cairn_fail(ctx, CAIRN_USAGE, "{soft model}: put a model before the data");
    CHECK(cairn_model_predict_rows(ctx, &p, job->model, job->table, cairn_all_rows(job->table),
                                   (cairn_predict_wants){.scores = true}, &match));
    if (!p.scores)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{soft model}: %s gives no memberships; {soft fuzzy} makes them of "
                          "distances",
                          cairn_model_learner(job->model));
    /* A model may have clusters that no row is nearest to. */
    size_t k = p.n_classes;
    enum { SIZE = 24 };
    char *texts;
    CHECK(SCRATCH(ctx, &c->names, k + 1));
    CHECK(SCRATCH(ctx, &texts, cairn_product(k + 1, SIZE)));
    for (size_t i = 0; i < k; i++) {
        c->names[i] = texts + i * SIZE;
        snprintf(texts + i * SIZE, SIZE, "%zu", i + 1);
    }
    c->k = k;
    CHECK(SCRATCH_RAW(ctx, &c->degrees, cairn_product(c->n, c->k) + 1));
    for (size_t i = 0; i < c->n; i++)
        memcpy(c->degrees + i * c->k, p.scores + cairn_view_row(&c->rows.view, i) * c->k,
               c->k * sizeof *c->degrees);
    return CAIRN_OK;
}

/* Degrees by the distances to the exemplars: soft, or a one for the nearest. */
static void by_distance(clustering *c, const memberships_params *p)
{
    size_t d = c->at.width;
    for (size_t i = 0; i < c->n; i++) {
        double *row = c->degrees + i * c->k;
        for (size_t k = 0; k < c->k; k++) {
            row[k] = cairn_squared_distance(c->at.values + i * d, c->exemplars + k * d, d);
            if (isnan(row[k])) row[k] = INFINITY; /* a cluster without rows has no exemplar */
        }
        if (p->soft == SOFT_BELL)
            cairn_memberships_bell(row, row, c->k, p->width);
        else
            cairn_memberships_fuzzy(row, row, c->k, p->soft == SOFT_FUZZY ? p->fuzzifier : 2);
        if (p->soft != SOFT_NONE) continue;
        int32_t nearest = cairn_membership_harden(row, c->k);
        for (size_t k = 0; k < c->k; k++) row[k] = (int32_t)k == nearest;
    }
}

static cairn_status soften(cairn_context *ctx, clustering *c, const cairn_compute_job *job)
{
    const memberships_params *p = job->params;
    bool numbers = cairn_view_first(&c->rows.view, CAIRN_NUMBER) >= 0;
    if (p->soft == SOFT_MODEL) CHECK(scores_of_model(ctx, c, job));
    if (!p->exemplars && (numbers || p->soft > SOFT_MODEL)) {
        CHECK(cairn_labelled_places_read(ctx, &c->at, &c->rows, job->what));
        CHECK(find_exemplars(ctx, c));
    }
    if (p->soft > SOFT_MODEL || p->exemplars) by_distance(c, p);
    c->soft |= p->soft != SOFT_NONE;
    return CAIRN_OK;
}

/* Degrees, however they are given; rows whose largest degree is shared are counted as ties. */
static cairn_status read_clustering(cairn_context *ctx, clustering *c, const cairn_compute_job *job)
{
    const memberships_params *p = job->params;
    if (p->degrees) {
        CHECK(read_degrees(ctx, c, job));
        CHECK(check_degrees(ctx, c, p->normalise));
    } else {
        CHECK((p->exemplars ? read_exemplars : read_labels)(ctx, c, job));
    }
    CHECK(soften(ctx, c, job));
    /* The first largest degree of each row. */
    CHECK(SCRATCH_RAW(ctx, &c->hard, c->n + 1));
    for (size_t i = 0; i < c->n; i++) {
        const double *row = c->degrees + i * c->k;
        size_t same = 0;
        c->hard[i] = cairn_membership_harden(row, c->k);
        for (size_t k = 0; c->hard[i] >= 0 && k < c->k; k++) same += row[k] == row[c->hard[i]];
        c->n_tied += same > 1;
    }
    return CAIRN_OK;
}

/* -- the report -- */

static size_t row_number(const clustering *c, size_t i)
{
    return cairn_view_row(&c->rows.view, i) + 1;
}

static void show_exemplars(cairn_report *out, const clustering *c)
{
    size_t d = c->at.width, shown = d < MOST_SHOWN ? d : MOST_SHOWN;
    if (!c->exemplars || !d) return;
    cairn_report_table_of(out, "Exemplars", 0, "l", "cluster");
    for (size_t j = 0; j < shown; j++) cairn_report_column(out, c->at.columns[j], 'r');
    for (size_t k = 0; k < c->k; k++) {
        cairn_report_cell(out, c->names[k]);
        for (size_t j = 0; j < shown; j++)
            cairn_report_cell_number(out, c->exemplars[k * d + j], 0, "exemplar.%s.%s",
                                     cairn_report_key(out, c->names[k]),
                                     cairn_report_key(out, c->at.columns[j]));
    }
}

/* Sums of degrees beside counts of rows: they differ where clusters overlap. */
static cairn_status show_sizes(cairn_context *ctx, cairn_report *out, const clustering *c)
{
    double *counts;
    CHECK(SCRATCH(ctx, &counts, c->k + 1));
    for (size_t i = 0; i < c->n; i++)
        if (c->hard[i] >= 0) counts[c->hard[i]]++;
    cairn_report_table_of(out, "Clusters", 200, "lrr", "cluster", "sum of memberships", "rows");
    for (size_t k = 0; k < c->k; k++) {
        double sum = 0;
        for (size_t i = 0; i < c->n; i++) sum += c->degrees[i * c->k + k];
        cairn_report_cells(out, "- cluster.$1.sum cluster.$1.rows", c->names[k], sum, counts[k]);
    }
    if (c->n_tied)
        cairn_report_note(out,
                          "%zu row%s a largest membership that is not alone; the first counts.",
                          c->n_tied, c->n_tied == 1 ? " has" : "s have");
    cairn_report_hidden(out, (double)c->n_tied, "tied");
    return CAIRN_OK;
}

/* -- the partition as a predictor -- */

typedef struct prediction {
    const cairn_column *target;
    const char *name;
    size_t m;       /* 1 for a number, else the classes */
    double *values; /* k x m: mean, or shares of the classes */
    double *whole;  /* m: of all rows */
    double *counts; /* k: weight with a target */
    double weight;
} prediction;

static double row_weight(const clustering *c, size_t i)
{
    return cairn_view_weight(&c->rows.view, i);
}

static bool has_target(const prediction *p, size_t row)
{
    return !cairn_column_is_missing(p->target, row);
}

/* What the target is in each cluster, weighted by the memberships. */
static cairn_status learn_target(cairn_context *ctx, prediction *p, const clustering *c)
{
    bool number = p->target->kind == CAIRN_NUMBER;
    p->m = number ? 1 : p->target->names.n;
    CHECK(SCRATCH(ctx, &p->values, cairn_product(c->k, p->m) + 1));
    CHECK(SCRATCH(ctx, &p->whole, p->m + 1));
    CHECK(SCRATCH(ctx, &p->counts, c->k + 1));
    for (size_t i = 0; i < c->n; i++) {
        size_t row = cairn_view_row(&c->rows.view, i);
        if (!has_target(p, row)) continue;
        size_t at = number ? 0 : (size_t)p->target->codes[row];
        double y = number ? p->target->numbers[row] : 1, w = row_weight(c, i);
        p->weight += w;
        p->whole[at] += w * y;
        for (size_t k = 0; k < c->k; k++) {
            p->counts[k] += w * c->degrees[i * c->k + k];
            p->values[k * p->m + at] += w * c->degrees[i * c->k + k] * y;
        }
    }
    for (size_t a = 0; a < p->m; a++) p->whole[a] /= p->weight;
    for (size_t k = 0; k < c->k; k++)
        for (size_t a = 0; a < p->m && p->counts[k] > 0; a++)
            p->values[k * p->m + a] /= p->counts[k];
    return CAIRN_OK;
}

static size_t largest(const double *values, size_t m)
{
    size_t best = 0;
    for (size_t a = 1; a < m; a++)
        if (values[a] > values[best]) best = a;
    return best;
}

/* Mean squared error, or share of wrong classes, of the mixture of the clusters' answers. */
static double error_of(const prediction *p, const clustering *c, double *mixed, double *baseline)
{
    double error = 0, alone = 0;
    for (size_t i = 0; i < c->n; i++) {
        size_t row = cairn_view_row(&c->rows.view, i);
        if (!has_target(p, row)) continue;
        double w = row_weight(c, i);
        memset(mixed, 0, p->m * sizeof *mixed);
        for (size_t k = 0; k < c->k; k++)
            cairn_axpy(mixed, c->degrees[i * c->k + k], p->values + k * p->m, p->m);
        if (p->target->kind == CAIRN_NUMBER) {
            double y = p->target->numbers[row];
            error += w * (y - mixed[0]) * (y - mixed[0]);
            alone += w * (y - p->whole[0]) * (y - p->whole[0]);
        } else {
            error += w * ((size_t)p->target->codes[row] != largest(mixed, p->m));
            alone += w * ((size_t)p->target->codes[row] != largest(p->whole, p->m));
        }
    }
    *baseline = alone / p->weight;
    return error / p->weight;
}

/* A number is answered by a mean, a class by the most frequent one and its share. */
static void show_answers(cairn_report *out, const prediction *p, const clustering *c)
{
    bool number = p->target->kind == CAIRN_NUMBER;
    cairn_report_table_of(out, "What each cluster predicts", 200, "lr", "cluster", "weight");
    if (number)
        cairn_report_column(out, "mean", 'r');
    else
        cairn_report_columns(out, "lr", "most frequent class", "share");
    for (size_t k = 0; k < c->k; k++) {
        const char *key = cairn_report_key(out, c->names[k]);
        const double *v = p->values + k * p->m;
        size_t best = largest(v, p->m);
        bool any = p->counts[k] > 0;
        cairn_report_cells(out, "- cluster.$1.weight", c->names[k], p->counts[k]);
        if (number) {
            cairn_report_cell_number(out, any ? v[0] : NAN, 0, "cluster.%s.mean", key);
            continue;
        }
        cairn_report_cell_word(out, any ? cairn_map_key(&p->target->names, best) : "?",
                               "cluster.%s.class", key);
        cairn_report_cell_number(out, any ? v[best] : NAN, 0, "cluster.%s.share", key);
    }
}

/* A target that is not where the clusters come from. */
static cairn_status show_prediction(cairn_context *ctx, cairn_report *out, const clustering *c,
                                    const cairn_compute_job *job)
{
    const memberships_params *params = job->params;
    ptrdiff_t at = cairn_table_role_column(job->table, CAIRN_TARGET);
    bool typed = params->degrees || params->exemplars || params->labelled.labels ||
                 params->labelled.partition;
    if (at < 0 || (!typed && !job->model && !params->labelled.clusters)) return CAIRN_OK;
    const cairn_slot *slot = &job->table->slots[at];
    prediction p = {.target = slot->column, .name = slot->name};
    double *mixed, baseline;
    if (params->labelled.clusters && cairn_same(params->labelled.clusters, slot->name))
        return CAIRN_OK;
    if (p.target->kind != CAIRN_NUMBER && p.target->kind != CAIRN_LEVEL) return CAIRN_OK;
    CHECK(learn_target(ctx, &p, c));
    if (!(p.weight > 0)) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &mixed, p.m + 1));
    double error = error_of(&p, c, mixed, &baseline);
    cairn_report_heading(out, 2, "The clusters as a predictor of %s", p.name);
    show_answers(out, &p, c);
    bool number = p.target->kind == CAIRN_NUMBER;
    cairn_report_value(out, number ? "mean squared error" : "share of wrong classes", error,
                       "error");
    cairn_report_value(out, number ? "of the mean of all rows" : "of the most frequent class",
                       baseline, "baseline");
    return CAIRN_OK;
}

/* -- the work -- */

/* The degrees of one row with its squared distances put in. */
static void work_row(cairn_report *out, const clustering *c, const memberships_params *p, size_t i)
{
    size_t d = c->at.width;
    cairn_report_paragraph(out, "Row %zu", row_number(c, i));
    for (size_t k = 0; k < c->k && k < MOST_SHOWN; k++) {
        double square = cairn_squared_distance(c->at.values + i * d, c->exemplars + k * d, d);
        double u = c->degrees[i * c->k + k];
        SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(cairn_report_context(out));
        cairn_text_addf(&label, "u(%s)", c->names[k]);
        const char *name = cairn_text_string(&label);
        if (p->soft == SOFT_BELL)
            cairn_report_worked(out, name, "exp(−# / (2 · #²)) / sum = #", square, p->width, u);
        else if (p->soft == SOFT_FUZZY)
            cairn_report_worked(out, name, "(1 / #)^(1 / (# − 1)) / sum = #", square, p->fuzzifier,
                                u);
        else
            cairn_report_worked(out, name, "# at d² = #", u, square);
    }
}

/* Distances are shown where degrees come from them; hardening always. */
static void show_work(cairn_report *out, const clustering *c, const memberships_params *p)
{
    if (c->exemplars && c->at.width && p->soft != SOFT_MODEL && !p->degrees) {
        cairn_report_step_begin(out, "Memberships by the distances to the exemplars");
        cairn_report_formula(out, "%s",
                             p->soft == SOFT_BELL    ? "u_k ∝ exp(−d_k² / (2 width²))"
                             : p->soft == SOFT_FUZZY ? "u_k ∝ (1 / d_k²)^(1 / (m − 1))"
                                                     : "u_k = 1 for the nearest exemplar, else 0");
        for (size_t i = 0; i < c->n && i < MOST_WORKED; i++) work_row(out, c, p, i);
        cairn_report_step_end(out);
    }
    cairn_report_step_begin(out, "Hard by the largest of each row");
    cairn_report_formula(out, "h_ik = 1 where u_ik is the first largest of row i, else 0");
    for (size_t i = 0; i < c->n && i < 12; i++) {
        char label[40];
        snprintf(label, sizeof label, "row %zu", row_number(c, i));
        cairn_report_worked_sum(out, label, "#", c->degrees + i * c->k, 1, c->k, 1);
        cairn_report_paragraph(out, "largest: %s", c->hard[i] < 0 ? "?" : c->names[c->hard[i]]);
    }
    cairn_report_step_end(out);
}

/* The matrix as a table: p(NAME) for each cluster, and the cluster. */
static cairn_status make_result(cairn_context *ctx, cairn_table **out, const clustering *c)
{
    OWNED(cairn_table_free) cairn_table *made = NULL;
    double *column;
    CHECK(SCRATCH_RAW(ctx, &column, c->n + 1));
    CHECK(cairn_table_new(ctx, &made, c->n));
    CHECK(cairn_table_add_levels(ctx, made, "cluster", c->hard, c->names, c->k));
    for (size_t k = 0; k < c->k; k++) {
        size_t size = strlen(c->names[k]) + 4;
        char *name;
        CHECK(SCRATCH(ctx, &name, size));
        snprintf(name, size, "p(%s)", c->names[k]);
        for (size_t i = 0; i < c->n; i++) column[i] = c->degrees[i * c->k + k];
        CHECK(cairn_table_put_numbers(ctx, made, name, column));
    }
    *out = TAKE(made);
    return CAIRN_OK;
}

/* From the exemplars over the matrix to what it says about a target. */
static cairn_status report_clustering(cairn_context *ctx, cairn_report *out, const clustering *c,
                                      const cairn_compute_job *job)
{
    const memberships_params *p = job->params;
    cairn_report_heading(out, 1, "Memberships of %s",
                         job->table->source ? job->table->source : "the table");
    cairn_report_word(out, "clusters by", c->rows.by, "by");
    cairn_report_value(out, "rows", (double)c->n, "rows");
    cairn_report_value(out, "clusters", (double)c->k, "clusters");
    cairn_report_word(out, "memberships", c->soft ? "soft" : "hard", "memberships");
    if (c->rows.n_without)
        cairn_report_value(out, "rows in no cluster, left out", (double)c->rows.n_without,
                           "left_out");
    if (job->steps) show_work(out, c, p);
    show_exemplars(out, c);
    size_t shown = c->k < MOST_SHOWN ? c->k : MOST_SHOWN;
    cairn_report_table_of(out, "Memberships", 0, "r", "row");
    for (size_t k = 0; k < shown; k++) cairn_report_column(out, c->names[k], 'r');
    cairn_report_columns(out, "rl", "sum", "largest");
    for (size_t i = 0; i < c->n && i < MOST_NAMED; i++) {
        /* A row of the matrix, its sum, and the column of the largest degree. */
        size_t row = row_number(c, i);
        double sum = 0;
        for (size_t k = 0; k < c->k; k++) sum += c->degrees[i * c->k + k];
        cairn_report_cellf(out, "%zu", row);
        for (size_t k = 0; k < c->k; k++) {
            const char *key = cairn_report_key(out, c->names[k]);
            double u = c->degrees[i * c->k + k];
            if (k < shown)
                cairn_report_cell_number(out, u, 0, "membership.%zu.%s", row, key);
            else
                cairn_report_hidden(out, u, "membership.%zu.%s", row, key);
            cairn_report_hidden(out, (int32_t)k == c->hard[i], "hard.%zu.%s", row, key);
        }
        cairn_report_cell_number(out, sum, 0, "sum.%zu", row);
        cairn_report_hidden(out, c->hard[i] + 1.0, "label.%zu", row);
        cairn_report_cell(out, c->hard[i] < 0 ? "?" : c->names[c->hard[i]]);
    }
    if (c->n > MOST_NAMED)
        cairn_report_paragraph(out, "and %zu more rows; {out FILE.csv} writes them all",
                               c->n - MOST_NAMED);
    CHECK(show_sizes(ctx, out, c));
    CHECK(show_prediction(ctx, out, c, job));
    return job->result ? make_result(ctx, job->result, c) : CAIRN_OK;
}

static cairn_status memberships_run(cairn_context *ctx, cairn_report *out,
                                    const cairn_compute_job *job)
{
    clustering c = {0};
    cairn_status status = read_clustering(ctx, &c, job);
    if (status == CAIRN_OK) status = report_clustering(ctx, out, &c, job);
    cairn_labelled_rows_clear(&c.rows);
    return status;
}

/* -- the picture -- */

/* Over the first two number columns; the exemplars name the colours. */
static cairn_status draw_clustering(cairn_context *ctx, cairn_figure **out, const clustering *c,
                                    const cairn_compute_job *job)
{
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    size_t d = c->at.width, most = c->n > c->k ? c->n : c->k;
    double *x, *y;
    uint32_t *colours;
    int32_t *groups;
    if (d < 2)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "'%s' needs two number columns as places, and there %s", job->what,
                          d ? "is one" : "are none");
    CHECK(SCRATCH_RAW_EACH(ctx, most, &x, &y));
    CHECK(SCRATCH_RAW(ctx, &colours, c->n));
    CHECK(SCRATCH_RAW(ctx, &groups, c->k));
    CHECK(cairn_figure_new(ctx, &figure, "memberships", "Memberships as blended colours"));
    cairn_figure_axes(figure, c->at.columns[0], c->at.columns[1]);
    for (size_t i = 0; i < c->n; i++) {
        x[i] = c->at.values[i * d], y[i] = c->at.values[i * d + 1];
        /* The colours of the clusters, mixed by the memberships of a row. */
        double parts[3] = {0};
        uint32_t mixed = 0;
        for (size_t k = 0; k < c->k; k++) {
            cairn_colour colour = cairn_group_colour((int64_t)k);
            for (size_t j = 0; j < 3; j++)
                parts[j] += c->degrees[i * c->k + k] * (double)(colour >> (16 - 8 * j) & 255);
        }
        for (size_t j = 0; j < 3; j++)
            mixed = mixed << 8 | (uint32_t)fmin(255, fmax(0, floor(parts[j] + 0.5)));
        colours[i] = mixed;
    }
    cairn_figure_colours(figure, x, y, colours, c->n, false);
    for (size_t k = 0; k < c->k; k++) {
        x[k] = c->exemplars[k * d], y[k] = c->exemplars[k * d + 1];
        groups[k] = (int32_t)k;
        cairn_figure_mark(figure, k ? NULL : "exemplar", x[k], y[k]);
    }
    cairn_figure_points(figure, x, y, groups, c->k, c->names, c->k);
    *out = TAKE(figure);
    return CAIRN_OK;
}

static cairn_status memberships_draw(cairn_context *ctx, cairn_figure **out,
                                     const cairn_compute_job *job)
{
    clustering c = {0};
    cairn_status status = read_clustering(ctx, &c, job);
    if (status == CAIRN_OK) status = draw_clustering(ctx, out, &c, job);
    cairn_labelled_rows_clear(&c.rows);
    return status;
}

const cairn_calculator cairn_compute_memberships = {
    .entry =
        {.kind = CAIRN_ENTRY_CALCULATOR,
         .name = "memberships",
         .also = "cluster matrices, soft clustering, fuzzy clustering, membership matrix",
         .title = "Clusterings as matrices, hard and soft",
         .summary =
             "A clustering as a matrix of exemplars (a row for each cluster) and a matrix of "
             "memberships (a row for each row, which adds up to 1): zeros and ones, or degrees by "
             "the distances to the exemplars, of a model, or from columns of a file; the largest "
             "of a row makes them hard. Where there is a target beside the clusters, what each "
             "cluster predicts for it, and the error. --out FILE.csv writes the matrix.",
         .references = "Bezdek, Pattern Recognition with Fuzzy Objective Function Algorithms, 1981",
         .example = "cairn compute memberships @kmeans-six --exemplars '1,1;4,3' --soft fuzzy",
         .params = memberships_table,
         .params_size = sizeof(memberships_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "memberships",
                .also = "soft clustering, blended colours, fuzzy clusters",
                .title = "Memberships as blended colours",
                .summary = "Rows over their first two number columns, each in the colours of its "
                           "clusters mixed by its memberships; the exemplars are marked.",
                .references =
                    "Bezdek, Pattern Recognition with Fuzzy Objective Function Algorithms, 1981",
                .example =
                    "cairn draw memberships @iris --clusters species --soft fuzzy --features "
                    "petal_length,petal_width --out soft.svg",
                .params = memberships_table,
                .params_size = sizeof(memberships_params)},
    .arguments = "[MODEL] DATA",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .takes_model = true,
    .run = memberships_run,
    .draw = memberships_draw,
};
