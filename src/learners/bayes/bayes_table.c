/* SPDX-License-Identifier: MIT */
/* What the learners from Bayes' rule know, as tables. */
#include "learners/bayes/bayes.h"
#include "learners/bayes/bayes_net.h"
#include "learners/bayes/gaussian.h"
#include "base/functions.h"
#include "model/learned.h"
#include <math.h>

/* -- naive Bayes -- */

static void write_priors(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_bayes_model *m = model;
    cairn_ledger_columns(out, "lnn", "class", "rows", "prior");
    for (size_t c = 0; c < m->n_classes; c++) {
        cairn_ledger_word(out, cairn_learned_class(job, (int64_t)c));
        cairn_ledger_number(out, m->classes[c]);
        cairn_ledger_number(out, cairn_exp(m->log_prior[c]));
    }
}

/* A part whose values are counted: a row for each value and class. */
static void write_counted(cairn_ledger *out, const cairn_bayes_model *m,
                          const cairn_bayes_part *part, const cairn_job *job)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(out->ctx);
    for (size_t v = 0; v < part->n_values; v++)
        for (size_t c = 0; c < m->n_classes; c++) {
            cairn_ledger_word(out, cairn_learned_class(job, (int64_t)c));
            cairn_ledger_word(out, cairn_bayes_part_name(part, job));
            cairn_ledger_word(out, cairn_bayes_density_names[part->density]);
            cairn_ledger_word(out, cairn_bayes_value_name(&text, part, job, v));
            cairn_ledger_number(out, part->counts[v * m->n_classes + c]);
            cairn_ledger_number(out, cairn_bayes_probability(m, part, v, c));
            for (int i = 0; i < 3; i++) cairn_ledger_number(out, NAN);
        }
    cairn_ledger_failed(out, cairn_text_status(&text));
}

/* A part with a density: a row for each class. */
static void write_density(cairn_ledger *out, const cairn_bayes_model *m,
                          const cairn_bayes_part *part, const cairn_job *job)
{
    bool normal = part->means;
    for (size_t c = 0; c < m->n_classes; c++) {
        double rate = part->rates ? part->rates[c] : NAN;
        cairn_ledger_word(out, cairn_learned_class(job, (int64_t)c));
        cairn_ledger_word(out, cairn_bayes_part_name(part, job));
        cairn_ledger_word(out, cairn_bayes_density_names[part->density]);
        cairn_ledger_word(out, NULL);
        cairn_ledger_number(out, part->totals ? part->totals[c] : NAN);
        cairn_ledger_number(out, NAN);
        cairn_ledger_number(out, normal && part->centres ? part->centres[c] : NAN);
        cairn_ledger_number(out, normal ? 1 / (rate * sqrt(2)) : NAN);
        cairn_ledger_number(out, normal ? NAN : rate);
    }
}

static void write_distributions(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_bayes_model *m = model;
    cairn_ledger_columns(out, "llltnnnnn", "class", "column", "distribution", "value", "rows",
                         "probability", "mean", "sd", "bandwidth");
    for (size_t i = 0; i < m->n_parts && !out->status; i++) {
        if (m->parts[i].n_values)
            write_counted(out, m, &m->parts[i], job);
        else
            write_density(out, m, &m->parts[i], job);
    }
}

const cairn_learned cairn_bayes_tables[] = {
    CAIRN_LEARNED("priors", "class, and its probability before a row is seen", write_priors),
    CAIRN_LEARNED("distributions", "value of a column in a class, or its density there",
                  write_distributions),
    CAIRN_LEARNED_END};

/* -- Gaussian classes -- */

static void write_means(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_gaussian_model *m = model;
    cairn_ledger_columns(out, "lnn", "class", "rows", "prior");
    cairn_learned_features(out, job, m->n_columns, false);
    for (size_t c = 0; c < m->n_classes; c++) {
        cairn_ledger_word(out, cairn_learned_class(job, (int64_t)c));
        cairn_ledger_number(out, m->totals[c]);
        cairn_ledger_number(out, cairn_exp(m->log_prior[c]));
        cairn_ledger_numbers(out, m->means + c * m->n_columns, m->n_columns);
    }
}

/* Variances alone where the model has no others; one matrix for all classes is that of none. */
static void write_covariances(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_gaussian_model *m = model;
    size_t d = m->n_columns, at_a = 0;
    cairn_ledger_columns(out, "llln", "class", "column", "with", "covariance");
    for (size_t a = 0; a < d; a++) {
        const char *name = cairn_schema_next_name(job->schema, &at_a);
        size_t at_b = 0;
        for (size_t b = 0; b < d; b++) {
            const char *with = cairn_schema_next_name(job->schema, &at_b);
            for (size_t f = 0; f < m->n_factors && (a == b || !m->diagonal); f++) {
                cairn_ledger_word(out,
                                  m->n_factors > 1 ? cairn_learned_class(job, (int64_t)f) : NULL);
                cairn_ledger_word(out, name);
                cairn_ledger_word(out, with);
                cairn_ledger_number(out, m->diagonal ? m->covariance_of[f * d + a]
                                                     : m->covariance_of[(f * d + a) * d + b]);
            }
        }
    }
}

static bool has_covariances(const void *model, const cairn_job *job)
{
    (void)job;
    return ((const cairn_gaussian_model *)model)->covariance_of;
}

const cairn_learned cairn_gaussian_tables[] = {
    CAIRN_LEARNED("centres", "class: its prior, and its mean as the learner saw the columns",
                  write_means),
    CAIRN_LEARNED("covariances", "pair of columns in a class; of all classes where that is missing",
                  write_covariances, .has = has_covariances),
    CAIRN_LEARNED_END};

/* -- networks of variables -- */

static void write_arcs(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_network *net = &((const cairn_bayes_net_model *)model)->net;
    cairn_network_names names;
    int32_t *n_values;
    cairn_ledger_columns(out, "ll", "from", "to");
    cairn_ledger_failed(out, cairn_net_names(out->ctx, &names, &n_values, job->schema, net->n));
    for (size_t v = 0; v < net->n && !out->status; v++)
        for (int32_t i = net->starts[v]; i < net->starts[v + 1]; i++) {
            cairn_ledger_word(out, names.variables[net->parents[i]]);
            cairn_ledger_word(out, names.variables[v]);
        }
}

/* "outlook=sunny, windy=yes": the values of the parents in a row of the table of v. */
static void add_parents(cairn_text *text, const cairn_network *net, size_t v, size_t row,
                        const cairn_network_names *names)
{
    size_t rows = cairn_network_rows(net, v);
    for (int32_t i = net->starts[v]; i < net->starts[v + 1]; i++) {
        int32_t parent = net->parents[i];
        rows /= (size_t)net->n_values[parent];
        cairn_text_addf(text, "%s%s=%s", text->length ? ", " : "", names->variables[parent],
                        names->values[parent][row / rows % (size_t)net->n_values[parent]]);
    }
}

static void write_table(cairn_ledger *out, const cairn_bayes_net_model *m, size_t v,
                        const cairn_network_names *names)
{
    SCOPED(cairn_text_clear) cairn_text given = cairn_text_start(out->ctx);
    size_t k = (size_t)m->net.n_values[v];
    for (size_t row = 0; row < cairn_network_rows(&m->net, v); row++) {
        given.length = 0;
        add_parents(&given, &m->net, v, row, names);
        for (size_t l = 0; l < k; l++) {
            size_t cell = (size_t)m->net.cells[v] + row * k + l;
            cairn_ledger_word(out, names->variables[v]);
            cairn_ledger_word(out, given.length ? cairn_text_string(&given) : NULL);
            cairn_ledger_word(out, names->values[v][l]);
            cairn_ledger_number(out, m->counts ? m->counts[cell] : NAN);
            cairn_ledger_number(out, m->net.p[cell]);
        }
    }
    cairn_ledger_failed(out, cairn_text_status(&given));
}

static void write_tables(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_bayes_net_model *m = model;
    cairn_network_names names;
    int32_t *n_values;
    cairn_ledger_columns(out, "lttnn", "variable", "given", "value", "rows", "probability");
    cairn_ledger_failed(out, cairn_net_names(out->ctx, &names, &n_values, job->schema, m->net.n));
    for (size_t v = 0; v < m->net.n && !out->status; v++) write_table(out, m, v, &names);
}

const cairn_learned cairn_net_tables[] = {
    CAIRN_LEARNED("arcs", "arc from a variable to one that depends on it", write_arcs),
    CAIRN_LEARNED("probabilities", "value of a variable, given those of its parents", write_tables),
    CAIRN_LEARNED_END};
