/* SPDX-License-Identifier: MIT */
/* cairn compute scatter: how much of the scatter of rows lies within clusters and how much between
 * them.
 *
 * The scatter matrix of rows x_i of weights w_i about their mean m is S = sum w_i (x_i - m)(x_i -
 * m)'; its trace is the sum of the squared distances from the mean. For any partition into clusters
 * D_j of weight |D_j| and mean m_j, S = sum S_j + B with B = sum |D_j| (m_j - m)(m_j - m)'. */
#include "typed/labelled_rows.h"

#include "base/memory.h"
#include "base/text.h"
#include "kernels/kernels.h"
#include "report/table_rows.h"

#include <math.h>

enum {
    MOST_COLUMNS = 10,
    MOST_WORKED = 12,
    MOST_CLUSTERS = 200,
    MOST_NAMED = 40,
    SHOWN_ENTRIES = 4
};

typedef struct scatter_params {
    cairn_labelled_options labelled;
    double penalty;
} scatter_params;

static const cairn_param scatter_table[] = {
    CAIRN_PARAM_GROUP(scatter_params, labelled, cairn_labelled_group),
    CAIRN_PARAM(scatter_params, penalty, "0", "[0,inf)",
                "price of a cluster: the objective is the scatter within clusters and this for "
                "each of them, so that more clusters have to pay"),
    CAIRN_PARAM_END,
};

/* Weight, mean and scatter matrix of some rows. */
typedef struct part {
    double weight;
    double *mean;   /* d */
    double *matrix; /* d x d */
    double trace;
    size_t *members; /* n: which rows */
    size_t n;
} part;

typedef struct decomposition {
    cairn_labelled_rows rows;
    cairn_labelled_places at;
    size_t d, k;
    part whole;
    part *clusters; /* k */
    double *within; /* d x d */
    double *between;
    double within_trace, between_trace;
} decomposition;

/* -- the calculation -- */

static cairn_status make_part(cairn_context *ctx, part *out, size_t d)
{
    CHECK(SCRATCH(ctx, &out->mean, d));
    return SCRATCH(ctx, &out->matrix, cairn_product(d, d));
}

static double trace_of(const double *matrix, size_t d)
{
    double sum = 0;
    for (size_t j = 0; j < d; j++) sum += matrix[j * d + j];
    return sum;
}

/* matrix += w * x x' */
static void add_square(double *matrix, const double *x, double w, size_t d)
{
    for (size_t j = 0; j < d; j++) cairn_axpy(matrix + j * d, w * x[j], x, d);
}

/* The mean of the first row and of what the others differ from it, so that numbers far from 0 do
 * not cancel; then the matrix about the mean. */
static void scatter_of(const decomposition *s, part *out, double *x)
{
    size_t d = s->d;
    const double *first = s->at.values + (out->n ? out->members[0] * d : 0);
    for (size_t m = 0; m < out->n; m++) {
        const double *row = s->at.values + out->members[m] * d;
        double w = s->at.weights[out->members[m]];
        for (size_t j = 0; j < d; j++) out->mean[j] += w * (row[j] - first[j]);
        out->weight += w;
    }
    for (size_t j = 0; out->n && j < d; j++)
        out->mean[j] = out->weight > 0 ? first[j] + out->mean[j] / out->weight : NAN;
    for (size_t m = 0; m < out->n && out->weight > 0; m++) {
        const double *row = s->at.values + out->members[m] * d;
        for (size_t j = 0; j < d; j++) x[j] = row[j] - out->mean[j];
        add_square(out->matrix, x, s->at.weights[out->members[m]], d);
    }
    out->trace = trace_of(out->matrix, d);
}

static void join_parts(decomposition *s, double *x)
{
    size_t d = s->d;
    for (size_t k = 0; k < s->k; k++) {
        const part *c = &s->clusters[k];
        cairn_axpy(s->within, 1, c->matrix, d * d);
        for (size_t j = 0; j < d; j++) x[j] = c->mean[j] - s->whole.mean[j];
        if (c->weight > 0) add_square(s->between, x, c->weight, d);
    }
    s->within_trace = trace_of(s->within, d);
    s->between_trace = trace_of(s->between, d);
}

/* Clusters without rows, such as declared levels, are left out of the tables but keep their names.
 */
static cairn_status decompose(cairn_context *ctx, decomposition *s, const cairn_compute_job *job)
{
    const scatter_params *p = job->params;
    double *x;
    CHECK(cairn_labelled_rows_read(ctx, &s->rows, &p->labelled, job));
    CHECK(cairn_labelled_places_read(ctx, &s->at, &s->rows, job->what));
    size_t d = s->d = s->at.width;
    s->k = s->rows.n_clusters;
    CHECK(cairn_memory_check(ctx, 8 * (double)(s->k + 3) * (double)d * (double)d,
                             "the scatter matrices",
                             cairn_say(ctx, "use fewer columns ({features}) or raise {memory}")));
    CHECK(SCRATCH(ctx, &x, d));
    CHECK(make_part(ctx, &s->whole, d));
    CHECK(SCRATCH(ctx, &s->clusters, s->k));
    CHECK(SCRATCH_EACH(ctx, d * d, &s->within, &s->between));
    /* Which rows belong to each part; all of them in their order to the whole. */
    size_t *members, n = s->at.n;
    CHECK(SCRATCH_EACH(ctx, n, &s->whole.members, &members));
    for (size_t i = 0; i < n; i++) {
        s->whole.members[i] = i;
        s->clusters[s->rows.codes[i]].n++;
    }
    s->whole.n = n;
    for (size_t k = 0; k < s->k; k++) {
        s->clusters[k].members = members;
        members += s->clusters[k].n;
        s->clusters[k].n = 0;
    }
    for (size_t i = 0; i < n; i++) {
        part *c = &s->clusters[s->rows.codes[i]];
        c->members[c->n++] = i;
    }
    scatter_of(s, &s->whole, x);
    if (!(s->whole.weight > 0))
        return cairn_fail(ctx, CAIRN_BAD_DATA, "all rows in clusters have weight 0");
    for (size_t k = 0; k < s->k; k++) {
        CHECK(make_part(ctx, &s->clusters[k], d));
        scatter_of(s, &s->clusters[k], x);
        CHECK(cairn_tick(ctx, "scatter", (double)k, (double)s->k));
    }
    join_parts(s, x);
    if (isfinite(s->whole.trace)) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "the squared distances from the mean overflow: some numbers are too large; "
                      "rescale the columns");
}

/* -- the report -- */

/* A matrix with the names of the columns on both sides; `name` is the first part of its values. */
static void show_matrix(cairn_report *out, const decomposition *s, const char *title,
                        const double *matrix, const char *name)
{
    size_t d = s->d;
    if (d > MOST_NAMED) return;
    if (d <= MOST_COLUMNS) {
        cairn_report_table_of(out, title, 0, "l", "");
        for (size_t j = 0; j < d; j++) cairn_report_column(out, s->at.columns[j], 'r');
    }
    for (size_t i = 0; i < d; i++) {
        const char *row = cairn_report_key(out, s->at.columns[i]);
        if (d <= MOST_COLUMNS) cairn_report_cell(out, s->at.columns[i]);
        for (size_t j = 0; j < d; j++) {
            const char *column = cairn_report_key(out, s->at.columns[j]);
            double x = matrix[i * d + j];
            if (d <= MOST_COLUMNS)
                cairn_report_cell_difference(out, x, s->whole.trace, 0, "%s.%s.%s", name, row,
                                             column);
            else
                cairn_report_hidden(out, x, "%s.%s.%s", name, row, column);
        }
    }
}

static void show_sums(cairn_report *out, const decomposition *s, double penalty)
{
    size_t used = 0;
    for (size_t k = 0; k < s->k; k++) used += s->clusters[k].weight > 0;
    cairn_report_value(out, "scatter of all rows", s->whole.trace, "scatter");
    cairn_report_value(out, "within clusters", s->within_trace, "within");
    cairn_report_value(out, "between clusters", s->between_trace, "between");
    cairn_report_value(out, "share between clusters",
                       s->whole.trace > 0 ? s->between_trace / s->whole.trace : NAN, "explained");
    cairn_report_value(out, "clusters", (double)used, "clusters");
    cairn_report_value(out, "objective", s->within_trace + penalty * (double)used, "objective");
    if (penalty > 0)
        cairn_report_formula(out, "objective = Σ Scat(D_j) + penalty · K");
    else
        cairn_report_paragraph(out, "The objective compares partitions into the same number of "
                                    "clusters: with a cluster for each row it is 0. {penalty} "
                                    "puts a price on each cluster.");
}

static void show_matrices(cairn_report *out, const decomposition *s)
{
    show_matrix(out, s, "Scatter matrix S of all rows", s->whole.matrix, "scatter_matrix");
    for (size_t k = 0; k < s->k && s->k <= MOST_NAMED; k++) {
        SCOPED(cairn_text_clear) cairn_text title = cairn_text_start(cairn_report_context(out));
        SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(cairn_report_context(out));
        if (!s->clusters[k].n) continue;
        cairn_text_addf(&title, "Scatter matrix of cluster %s", s->rows.names[k]);
        cairn_text_addf(&name, "cluster.%s.matrix", cairn_report_key(out, s->rows.names[k]));
        show_matrix(out, s, cairn_text_string(&title), s->clusters[k].matrix,
                    cairn_text_string(&name));
    }
    show_matrix(out, s, "Within clusters, W = Σ S_j", s->within, "within_matrix");
    show_matrix(out, s, "Between clusters, B", s->between, "between_matrix");
}

/* -- the work -- */

/* Entry (a, b) of a scatter matrix: the products of the two deviations of its rows. */
static void work_entry(cairn_report *out, const decomposition *s, const part *of, size_t a,
                       size_t b, double *terms)
{
    SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(cairn_report_context(out));
    bool weighted = cairn_view_is_weighted(&s->rows.view);
    size_t n = of->n, d = s->d;
    double *next = terms;
    for (size_t m = 0; m < n; m++) {
        const double *row = s->at.values + of->members[m] * d;
        if (weighted) *next++ = s->at.weights[of->members[m]];
        *next++ = row[a] - of->mean[a];
        *next++ = row[b] - of->mean[b];
    }
    cairn_text_addf(&label, "(%s, %s)", s->at.columns[a], s->at.columns[b]);
    cairn_report_worked_sum(out, cairn_text_string(&label), weighted ? "#·#·#" : "#·#", terms,
                            weighted ? 3 : 2, n, of->matrix[a * d + b]);
}

static void work_part(cairn_report *out, const decomposition *s, const part *of, double *terms)
{
    cairn_report_formula(out, "%s",
                         of == &s->whole ? "S = Σ (x − µ)(x − µ)ᵀ,   Scat = trace S"
                                         : "S_j = Σ (x − µ_j)(x − µ_j)ᵀ");
    for (size_t j = 0; j < s->d && j < MOST_WORKED; j++) {
        SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(cairn_report_context(out));
        cairn_text_addf(&label, "mean of %s", s->at.columns[j]);
        cairn_report_worked(out, cairn_text_string(&label), "#", of->mean[j]);
    }
    for (size_t a = 0; a < s->d && a < SHOWN_ENTRIES; a++)
        for (size_t b = a; b < s->d && b < SHOWN_ENTRIES; b++) work_entry(out, s, of, a, b, terms);
    cairn_report_worked(out, "Scat", "trace = #", of->trace);
}

/* Entry (a, b) of B. */
static void work_apart(cairn_report *out, const decomposition *s, size_t a, size_t b, double *terms)
{
    SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(cairn_report_context(out));
    size_t n = 0;
    for (size_t k = 0; k < s->k; k++) {
        const part *c = &s->clusters[k];
        if (!c->n) continue;
        terms[3 * n] = c->weight;
        terms[3 * n + 1] = c->mean[a] - s->whole.mean[a];
        terms[3 * n++ + 2] = c->mean[b] - s->whole.mean[b];
    }
    cairn_text_addf(&label, "(%s, %s)", s->at.columns[a], s->at.columns[b]);
    cairn_report_worked_sum(out, cairn_text_string(&label), "#·#·#", terms, 3, n,
                            s->between[a * s->d + b]);
}

/* The whole, every cluster, what lies between, and that they add up, in this order. */
static cairn_status show_work(cairn_context *ctx, cairn_report *out, const decomposition *s)
{
    double *terms;
    size_t most = s->at.n > s->k ? s->at.n : s->k;
    CHECK(SCRATCH(ctx, &terms, 3 * most + 3));
    cairn_report_step_begin(out, "All rows about their mean");
    work_part(out, s, &s->whole, terms);
    cairn_report_step_end(out);
    for (size_t k = 0; k < s->k && k < MOST_WORKED; k++) {
        if (!s->clusters[k].n) continue;
        cairn_report_step_begin(out, "Cluster %s about its mean", s->rows.names[k]);
        work_part(out, s, &s->clusters[k], terms);
        cairn_report_step_end(out);
    }
    /* What lies between: every cluster as all its rows at its mean. */
    size_t n = 0;
    cairn_report_step_begin(out, "Between the clusters: every row at the mean of its cluster");
    cairn_report_formula(out, "B = Σ |D_j| (µ_j − µ)(µ_j − µ)ᵀ");
    for (size_t a = 0; a < s->d && a < SHOWN_ENTRIES; a++)
        for (size_t b = a; b < s->d && b < SHOWN_ENTRIES; b++) work_apart(out, s, a, b, terms);
    for (size_t k = 0; k < s->k; k++) {
        const part *c = &s->clusters[k];
        if (!c->n) continue;
        terms[2 * n] = c->weight;
        terms[2 * n++ + 1] = cairn_squared_distance(c->mean, s->whole.mean, s->d);
    }
    cairn_report_worked_sum(out, "trace B", "#·#", terms, 2, n, s->between_trace);
    cairn_report_step_end(out);
    cairn_report_step_begin(out, "The two parts add up");
    cairn_report_formula(out, "S = Σ S_j + B,   Scat(D) = Σ Scat(D_j) + Σ |D_j| ‖µ_j − µ‖²");
    for (size_t k = 0; k < s->k; k++) terms[k] = s->clusters[k].trace;
    cairn_report_worked_sum(out, "within", "#", terms, 1, s->k, s->within_trace);
    cairn_report_worked(out, "Scat(D)", "# + # = #", s->within_trace, s->between_trace,
                        s->whole.trace);
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* Numbers first, matrices last: these are long. */
static cairn_status scatter_report(cairn_context *ctx, cairn_report *out, const decomposition *s,
                                   const cairn_compute_job *job)
{
    const scatter_params *p = job->params;
    cairn_report_heading(out, 1, "Scatter of %s",
                         job->table->source ? job->table->source : "the table");
    cairn_report_word(out, "clusters by", s->rows.by, "by");
    cairn_report_value(out, "rows", (double)s->at.n, "rows");
    if (s->rows.n_without)
        cairn_report_value(out, "rows in no cluster, left out", (double)s->rows.n_without,
                           "left_out");
    if (s->at.n_other)
        cairn_report_note(out, "%zu column%s no numbers and left out: they have no mean.",
                          s->at.n_other, s->at.n_other == 1 ? " holds" : "s hold");
    if (job->steps) CHECK(show_work(ctx, out, s));
    show_sums(out, s, p->penalty);
    /* Clusters without rows are left out. */
    size_t shown = s->d < MOST_COLUMNS ? s->d : MOST_COLUMNS;
    cairn_report_table_of(out, "Clusters", MOST_CLUSTERS, "lrrr", "cluster", "size", "scatter",
                          "between");
    for (size_t j = 0; j < shown; j++) cairn_report_column(out, s->at.columns[j], 'r');
    for (size_t k = 0; k < s->k; k++) {
        const part *c = &s->clusters[k];
        const char *key = cairn_report_key(out, s->rows.names[k]);
        if (!c->n) continue;
        double away = c->weight * cairn_squared_distance(c->mean, s->whole.mean, s->d);
        cairn_report_cells(out, "- cluster.$1.size cluster.$1.scatter cluster.$1.between",
                           s->rows.names[k], c->weight, c->trace, away);
        for (size_t j = 0; j < shown; j++)
            cairn_report_cell_number(out, c->mean[j], 0, "cluster.%s.mean.%s", key,
                                     cairn_report_key(out, s->at.columns[j]));
    }
    show_matrices(out, s);
    if (s->d > MOST_COLUMNS)
        cairn_report_paragraph(out, "Matrices of more than %d columns are not printed.",
                               MOST_COLUMNS);
    return CAIRN_OK;
}

static cairn_status scatter_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    decomposition s = {0};
    cairn_status status = decompose(ctx, &s, job);
    if (status == CAIRN_OK) status = scatter_report(ctx, out, &s, job);
    cairn_labelled_rows_clear(&s.rows);
    return status;
}

const cairn_calculator cairn_compute_scatter = {
    .entry =
        {.kind = CAIRN_ENTRY_CALCULATOR,
         .name = "scatter",
         .also = "scatter matrix, within and between clusters, sum of squares decomposition",
         .title = "Scatter within and between clusters",
         .summary =
             "The scatter matrix of the rows about their mean, of every cluster about its own, and "
             "of the clusters about the mean of all: the first is the sum of the others, and so "
             "are their traces, the sums of squared distances. The clusters are those of a column, "
             "of a model that stands before the data (then in the columns as the model sees them), "
             "or typed.",
         .references = "Duda, Hart and Stork, Pattern Classification, 2001",
         .example = "cairn compute scatter @iris --target species",
         .params = scatter_table,
         .params_size = sizeof(scatter_params)},
    .arguments = "[MODEL] DATA",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .takes_model = true,
    .run = scatter_run,
};
