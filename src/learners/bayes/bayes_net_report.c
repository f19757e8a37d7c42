/* SPDX-License-Identifier: MIT */
/* What a Bayesian network shows: its names, its graph, its tables and how they came about. */
#include "learners/bayes/bayes_net.h"

#include "base/functions.h"
#include "base/memory.h"
#include "model/network_text.h"

#include <math.h>

enum { MOST_TABLES = 20, MOST_WORKED = 64, MOST_DRAWN = 60 };

static cairn_status field_values(cairn_context *ctx, const char *const **out, int32_t *n,
                                 const cairn_field *field)
{
    const char **list;
    CHECK(SCRATCH(ctx, &list, field->names.n + 1));
    list[0] = "?"; /* a column of missing cells has no other value */
    for (size_t l = 0; l < field->names.n; l++) list[l] = cairn_map_key(&field->names, l);
    *n = field->names.n ? (int32_t)field->names.n : 1;
    *out = list;
    return CAIRN_OK;
}

cairn_status cairn_net_names(cairn_context *ctx, cairn_network_names *out, int32_t **n_values,
                             const cairn_schema *schema, size_t n)
{
    const char **variables, *const **values;
    size_t at = 0;
    CHECK(SCRATCH(ctx, &variables, n + 1));
    CHECK(SCRATCH(ctx, &values, n + 1));
    CHECK(SCRATCH(ctx, n_values, n + 1));
    for (size_t v = 0; v < n; v++) {
        const cairn_field *field = cairn_schema_next_feature(schema, &at);
        if (!field) field = cairn_schema_target(schema);
        variables[v] = field->name;
        CHECK(field_values(ctx, &values[v], &(*n_values)[v], field));
    }
    *out = (cairn_network_names){variables, values};
    return CAIRN_OK;
}

/* -- steps -- */

/* (n + 1) / (N + k) with the numbers put in, for every value of a row. */
static void work_row(cairn_report *out, const cairn_bayes_net_model *m, size_t v, size_t row,
                     const cairn_network_names *names, cairn_smoothing smoothing)
{
    size_t k = (size_t)m->net.n_values[v];
    const double *counts = m->counts + m->net.cells[v] + row * k;
    const double *p = cairn_network_table(&m->net, v) + row * k;
    double total = 0, each = 0;
    for (size_t l = 0; l < k; l++) total += counts[l];
    if (smoothing.kind == CAIRN_SMOOTH_LAPLACE) each = 1;
    if (smoothing.kind == CAIRN_SMOOTH_LAMBDA) each = smoothing.amount;
    if (smoothing.kind == CAIRN_SMOOTH_M) each = smoothing.amount / (double)k;
    for (size_t l = 0; l < k; l++) {
        if (each > 0)
            cairn_report_worked(out, names->values[v][l], "(# + #) / (# + #·#) = #", counts[l],
                                each, total, (double)k, each, p[l]);
        else
            cairn_report_worked(out, names->values[v][l], "# / # = #", counts[l], total, p[l]);
    }
}

/* The rows of a table as "outlook = sunny, play = yes:" and the fractions below. */
static void work_table(cairn_report *out, const cairn_bayes_net_model *m, size_t v,
                       const cairn_network_names *names, cairn_smoothing smoothing)
{
    const cairn_network *net = &m->net;
    cairn_context *ctx = cairn_report_context(out);
    for (size_t row = 0; row < cairn_network_rows(net, v); row++) {
        SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
        for (size_t k = 0; k < cairn_network_n_parents(net, v); k++) {
            size_t parent = (size_t)net->parents[(size_t)net->starts[v] + k];
            cairn_text_addf(&text, "%s%s = %s", k ? ", " : "", names->variables[parent],
                            names->values[parent][cairn_network_row_value(net, v, row, k)]);
        }
        if (text.length) cairn_report_paragraph(out, "Rows with %s:", cairn_text_string(&text));
        work_row(out, m, v, row, names, smoothing);
        cairn_report_failed(out, cairn_text_status(&text));
    }
}

void cairn_net_show_counts(cairn_report *out, const cairn_bayes_net_model *m,
                           const cairn_network_names *names, cairn_smoothing smoothing)
{
    cairn_context *ctx = cairn_report_context(out);
    for (size_t v = 0; v < m->net.n && v < MOST_TABLES; v++) {
        SCOPED(cairn_text_clear) cairn_text head = cairn_text_start(ctx);
        size_t cells = (size_t)(m->net.cells[v + 1] - m->net.cells[v]);
        cairn_network_add_head(&head, &m->net, names, v);
        cairn_report_step_begin(out, "The table %s", cairn_text_string(&head));
        if (cells <= MOST_WORKED) work_table(out, m, v, names, smoothing);
        cairn_network_show_table(out, &m->net, names, v);
        cairn_report_step_end(out);
        cairn_report_failed(out, cairn_text_status(&head));
    }
    if (m->net.n > MOST_TABLES)
        cairn_report_paragraph(out, "(%zu more tables are made alike.)", m->net.n - MOST_TABLES);
}

/* -- description -- */

/* The graph as a list, for terminals and for graphs that are too large to draw. */
static void show_graph(cairn_report *out, const cairn_bayes_net_model *m,
                       const cairn_network_names *names)
{
    const cairn_network *net = &m->net;
    cairn_report_table_of(out, "Variables and their parents", 0, "lrlr", "variable", "values",
                          "parents", "free numbers");
    for (size_t v = 0; v < net->n; v++) {
        SCOPED(cairn_text_clear) cairn_text parents = cairn_text_start(cairn_report_context(out));
        for (int32_t k = net->starts[v]; k < net->starts[v + 1]; k++)
            cairn_text_addf(&parents, "%s%s", k > net->starts[v] ? ", " : "",
                            names->variables[net->parents[k]]);
        cairn_report_cell(out, names->variables[v]);
        cairn_report_cell_number(out, net->n_values[v], 0, NULL);
        cairn_report_cell_word(out, cairn_text_string(&parents), "parents.%s",
                               cairn_report_key(out, names->variables[v]));
        cairn_report_cell_number(
            out, (double)(net->n_values[v] - 1) * (double)cairn_network_rows(net, v), 0, NULL);
        cairn_report_failed(out, cairn_text_status(&parents));
    }
    cairn_report_table_end(out);
}

static void show_sums(cairn_report *out, const cairn_bayes_net_model *m)
{
    double numbers = cairn_network_parameters(&m->net);
    cairn_report_value(out, "arcs", m->net.starts[m->net.n], "arcs");
    cairn_report_value(out, "free numbers", numbers, "parameters");
    cairn_report_value(out, "ln-likelihood of the training rows", m->log_likelihood,
                       "log_likelihood");
    if (m->rows > 1)
        cairn_report_value(out, "BIC", -2 * m->log_likelihood + cairn_log(m->rows) * numbers,
                           "bic");
}

void cairn_net_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const cairn_bayes_net_model *m = model;
    cairn_context *ctx = cairn_report_context(out);
    cairn_network_names names;
    int32_t *n_values;
    if (!ctx) return;
    SCOPED_SCRATCH(ctx);
    cairn_status status = cairn_net_names(ctx, &names, &n_values, job->schema, m->net.n);
    cairn_report_failed(out, status);
    if (status) return;
    cairn_report_heading(out, 2, "The network");
    show_graph(out, m, &names);
    show_sums(out, m);
    for (size_t v = 0; v < m->net.n && v < MOST_TABLES; v++)
        cairn_network_show_table(out, &m->net, &names, v);
    cairn_figure *figure = NULL;
    status = cairn_net_figures[0].make(ctx, &figure, model, job);
    cairn_describe_figure(out, status, &figure, true);
}

/* -- other forms -- */

static cairn_status make_figure(cairn_context *ctx, cairn_figure **out, const void *model,
                                const cairn_job *job)
{
    const cairn_bayes_net_model *m = model;
    cairn_network_names names;
    int32_t *n_values;
    *out = NULL;
    if (m->net.n > MOST_DRAWN) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    CHECK(cairn_net_names(ctx, &names, &n_values, job->schema, m->net.n));
    return cairn_network_figure(ctx, out, &m->net, &names,
                                cairn_net_has_target(job) ? (ptrdiff_t)m->net.n - 1 : -1);
}

const cairn_model_figure cairn_net_figures[] = {
    {.name = "network", .make = make_figure},
    {0},
};

static void write_text(cairn_text *out, const void *model, const cairn_job *job)
{
    const cairn_bayes_net_model *m = model;
    cairn_network_names names;
    int32_t *n_values;
    SCOPED_SCRATCH(out->ctx);
    cairn_status status = cairn_net_names(out->ctx, &names, &n_values, job->schema, m->net.n);
    if (!status) cairn_network_write(out, &m->net, &names);
    if (status && out->status == CAIRN_OK) out->status = status;
}

const cairn_export_form cairn_net_forms[] = {
    {"text", "the network in the notation that 'cairn compute network' and --given read",
     write_text},
    {NULL, NULL, NULL},
};
