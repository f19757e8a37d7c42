/* SPDX-License-Identifier: MIT */
/* Rows drawn from naive Bayes: a class by its prior, then every column by its density in the class,
 * independent of the others. */
#include "base/functions.h"
#include "base/memory.h"
#include "learners/bayes/bayes.h"
#include "model/sample.h"
#include <math.h>

typedef struct drawing {
    const cairn_bayes_model *m;
    const cairn_bayes_part *part;
    const double *shares; /* n_classes x n_values: of a part with values or bins */
    cairn_random *random;
    const cairn_field *field; /* the column that is drawn */
    cairn_report *note;       /* of the row that is drawn; NULL = none */
} drawing;

static double between(cairn_random *random, double low, double high)
{
    return low + cairn_random_uniform(random) * (high - low);
}

/* Noise with the shape of the kernel and the deviation 1. */
static double kernel_noise(cairn_random *random, int kernel)
{
    double a = between(random, -1, 1), b = between(random, -1, 1), c = between(random, -1, 1);
    switch (kernel) {
    case CAIRN_DENSITY_UNIFORM: return a * sqrt(3);
    case CAIRN_DENSITY_TRIANGULAR: return (a + b) / 2 * sqrt(6);
    case CAIRN_DENSITY_EPANECHNIKOV: /* of three, the last unless it is the largest */
        return (fabs(c) >= fabs(a) && fabs(c) >= fabs(b) ? b : c) * sqrt(5);
    default: return cairn_random_normal(random);
    }
}

/* One of the training values of the class, with the noise of the kernel. */
static double draw_kernel(const drawing *d, size_t c)
{
    size_t first = 0, n = (size_t)d->part->kept_of[c];
    for (size_t k = 0; k < c; k++) first += (size_t)d->part->kept_of[k];
    if (!n) return NAN;
    size_t i = first + cairn_sample_noted(d->note, "training value", d->random,
                                          d->part->kept_weights + first, n, NULL);
    double noise = kernel_noise(d->random, d->m->kernel);
    double x = d->part->kept[i] + d->part->rates[c] * noise;
    cairn_report_worked(d->note, d->field->name, "# + width · noise = # + #·# = #",
                        d->part->kept[i], d->part->kept[i], d->part->rates[c], noise, x);
    return x;
}

/* The normal number of the column in class c. */
static double draw_normal(const drawing *d, size_t c)
{
    const cairn_bayes_part *part = d->part;
    double sd = part->idle ? 0 : 1 / (part->rates[c] * sqrt(2));
    double noise = cairn_random_normal(d->random);
    double x = part->idle ? part->means[c] : part->centres[c] + sd * noise;
    cairn_report_worked(d->note, d->field->name, "mean + deviation · g = # + #·# = #",
                        part->idle ? part->means[c] : part->centres[c], sd, noise, x);
    return x;
}

/* Evenly from one of the bins, or the place of a value. */
static double draw_place(const drawing *d, size_t c)
{
    const cairn_bayes_part *part = d->part;
    bool bins = part->density != CAIRN_BAYES_CATEGORICAL;
    size_t v = cairn_sample_noted(d->note, bins ? "bin" : d->field->name, d->random,
                                  d->shares + c * part->n_values, part->n_values, NULL);
    if (!bins) {
        cairn_report_worked(d->note, d->field->name, "#", part->places[v]);
        return part->places[v];
    }
    double low = part->places[v], high = part->places[v + 1], x = between(d->random, low, high);
    cairn_report_worked(d->note, d->field->name, "evenly from # to #: #", low, high, x);
    return x;
}

/* 1 with the probability of the class. */
static double draw_bit(const drawing *d, size_t c)
{
    double u = cairn_random_uniform(d->random);
    cairn_report_worked(d->note, d->field->name,
                        u < d->shares[c] ? "1, since u = # is below #"
                                         : "0, since u = # is not below #",
                        u, d->shares[c]);
    return u < d->shares[c];
}

/* A number of the column in class c. */
static double draw_number(const drawing *d, size_t c)
{
    switch (d->part->density) {
    case CAIRN_BAYES_GAUSSIAN: return draw_normal(d, c);
    case CAIRN_BAYES_KERNEL: return draw_kernel(d, c);
    case CAIRN_BAYES_BERNOULLI: return draw_bit(d, c);
    default: return draw_place(d, c);
    }
}

/* Probabilities of the values of a part in every class, side by side. */
static cairn_status find_shares(cairn_context *ctx, drawing *d)
{
    const cairn_bayes_part *part = d->part;
    size_t k = d->m->n_classes, n = part->n_values;
    double *shares;
    CHECK(SCRATCH(ctx, &shares, cairn_product(k, n) + 1));
    for (size_t c = 0; c < k; c++)
        for (size_t v = 0; v < n; v++)
            shares[c * n + v] = cairn_bayes_probability(d->m, part, v, c);
    d->shares = shares;
    return CAIRN_OK;
}

static cairn_status draw_part(cairn_context *ctx, cairn_table *out, drawing *d,
                              const int32_t *classes, const cairn_sample_notes *notes)
{
    const cairn_field *field = d->field;
    SCOPED_SCRATCH(ctx);
    size_t n = out->n_rows, n_values = d->part->n_values;
    double *numbers;
    int32_t *codes;
    if (d->part->density == CAIRN_BAYES_MULTINOMIAL || field->kind == CAIRN_BAG)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the words of '%s' cannot be drawn: the model does not say how many a "
                          "row has",
                          field->name);
    CHECK(find_shares(ctx, d));
    if (d->part->of_numbers) {
        CHECK(SCRATCH_RAW(ctx, &numbers, n + 1));
        for (size_t i = 0; i < n; i++) {
            d->note = cairn_sample_note(notes, i);
            numbers[i] = draw_number(d, (size_t)classes[i]);
        }
        return cairn_table_put_numbers(ctx, out, field->name, numbers);
    }
    CHECK(SCRATCH_RAW(ctx, &codes, n + 1));
    for (size_t i = 0; i < n; i++)
        codes[i] = n_values ? (int32_t)cairn_sample_noted(cairn_sample_note(notes, i), field->name,
                                                          d->random,
                                                          d->shares + (size_t)classes[i] * n_values,
                                                          n_values, &field->names)
                            : -1;
    return cairn_sample_add_levels(ctx, out, field, codes);
}

cairn_status cairn_bayes_sample(cairn_context *ctx, cairn_table *out, const void *model,
                                const cairn_job *job, cairn_random *random)
{
    const cairn_bayes_model *m = model;
    const cairn_field **fields;
    int32_t *classes;
    double *priors;
    drawing d = {.m = m, .random = random};
    SCOPED(cairn_sample_notes_clear) cairn_sample_notes notes = {0};
    CHECK(cairn_sample_notes_open(ctx, &notes, job->steps, out->n_rows));
    CHECK(SCRATCH(ctx, &priors, m->n_classes + 1));
    CHECK(cairn_bayes_fields(ctx, &fields, job->schema));
    for (size_t c = 0; c < m->n_classes; c++) priors[c] = cairn_exp(m->log_prior[c]);
    CHECK(cairn_sample_classes(ctx, &classes, out, job, priors, m->n_classes, random, &notes));
    for (size_t i = 0; i < m->n_parts; i++) {
        d.part = &m->parts[i];
        d.field = fields[d.part->features[0]];
        CHECK(draw_part(ctx, out, &d, classes, &notes));
    }
    cairn_sample_notes_show(&notes, job->steps);
    return CAIRN_OK;
}
