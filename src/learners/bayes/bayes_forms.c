/* SPDX-License-Identifier: MIT */
/* Naive Bayes written down: every count, probability, mean and bandwidth in one CSV table, a row
 * for each value and class. What a density does not have stays empty. */
#include "learners/bayes/bayes.h"
#include "base/functions.h"
#include "base/number.h"
#include <math.h>

/* -- cells -- */

static void add_word(cairn_text *out, const char *text)
{
    cairn_text_add_csv(out, text);
    cairn_text_add_char(out, ',');
}

static void add_number(cairn_text *out, double x, char end)
{
    if (isfinite(x)) cairn_text_add_number(out, x, CAIRN_SHORTEST);
    cairn_text_add_char(out, end);
}

typedef struct numbers {
    double count, probability, mean, variance, bandwidth;
} numbers;

static const numbers none = {NAN, NAN, NAN, NAN, NAN};

static void add_row(cairn_text *out, const char *column, const char *density, const char *value,
                    const char *class, numbers n)
{
    add_word(out, column);
    add_word(out, density);
    add_word(out, value);
    add_word(out, class);
    add_number(out, n.count, ',');
    add_number(out, n.probability, ',');
    add_number(out, n.mean, ',');
    add_number(out, n.variance, ',');
    add_number(out, n.bandwidth, '\n');
}

/* -- parts -- */

static numbers of_class(const cairn_bayes_model *m, const cairn_bayes_part *part, size_t c)
{
    numbers n = none;
    n.count = part->totals[c];
    if (part->density == CAIRN_BAYES_GAUSSIAN && !part->idle) {
        n.mean = part->centres[c];
        n.variance = cairn_bayes_variance(m, part, c);
    }
    if (part->density == CAIRN_BAYES_KERNEL && part->kept_of[c] > 0) n.bandwidth = part->rates[c];
    return n;
}

static void add_part(cairn_text *out, const cairn_bayes_model *m, const cairn_bayes_part *part,
                     const char *name, const cairn_job *job)
{
    cairn_text text = cairn_text_start(out->ctx);
    const char *density = cairn_bayes_density_names[part->density];
    size_t k = m->n_classes;
    for (size_t c = 0; c < k && !part->n_values; c++)
        add_row(out, name, density, "", cairn_bayes_class(job->schema, c), of_class(m, part, c));
    for (size_t v = 0; v < part->n_values; v++)
        for (size_t c = 0; c < k; c++) {
            numbers n = none;
            n.count = part->counts[v * k + c];
            n.probability = cairn_bayes_probability(m, part, v, c);
            add_row(out, name, density, cairn_bayes_value_name(&text, part, job, v),
                    cairn_bayes_class(job->schema, c), n);
        }
    if (out->status == CAIRN_OK) out->status = text.status;
    cairn_text_clear(&text);
}

/* Number columns that make one bag have no single name and are listed together as "words". */
static void write_table(cairn_text *out, const void *model, const cairn_job *job)
{
    const cairn_bayes_model *m = model;
    cairn_scratch_mark mark = cairn_scratch_now(out->ctx);
    const cairn_field **fields;
    cairn_status status = cairn_bayes_fields(out->ctx, &fields, job->schema);
    cairn_text_add(out, "column,density,value,class,count,probability,mean,variance,bandwidth\n");
    for (size_t c = 0; c < m->n_classes; c++) {
        numbers n = none;
        n.count = m->classes[c];
        n.probability = cairn_exp(m->log_prior[c]);
        add_row(out, "", "prior", "", cairn_bayes_class(job->schema, c), n);
    }
    for (size_t i = 0; !status && i < m->n_parts; i++) {
        const cairn_bayes_part *part = &m->parts[i];
        bool together = part->of_numbers && part->density == CAIRN_BAYES_MULTINOMIAL;
        add_part(out, m, part, together ? "words" : fields[part->features[0]]->name, job);
    }
    if (out->status == CAIRN_OK) out->status = status;
    cairn_scratch_release(out->ctx, mark);
}

const cairn_export_form cairn_bayes_forms[] = {
    {"table", "CSV of all counts, probabilities, means, variances and bandwidths", write_table},
    {NULL, NULL, NULL},
};
