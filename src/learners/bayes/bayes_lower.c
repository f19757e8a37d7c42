/* SPDX-License-Identifier: MIT */
/* Naive Bayes as a program: the logarithms of every part, added up, and made probabilities. A
 * missing cell adds nothing. */
#include "base/memory.h"
#include "learners/bayes/bayes.h"
#include <math.h>

/* Levels, or values and bins of a number: a row of logarithms for each. */
static cairn_status lower_table(cairn_program *p, const cairn_bayes_model *m,
                                const cairn_bayes_part *part, int32_t in, int32_t *out)
{
    double *none;
    CHECK(SCRATCH(p->ctx, &none, m->n_classes + 1));
    return cairn_lower_lookup(p, in, part->n_values, m->n_classes, part->logs, none, out);
}

/* The place of a number among the values or between the edges that the part knows. */
static cairn_status lower_place(cairn_program *p, const cairn_bayes_part *part, int32_t in,
                                int32_t *out)
{
    bool exact = part->density == CAIRN_BAYES_CATEGORICAL;
    size_t n = exact ? part->n_values : part->n_values - 1;
    int32_t *below;
    cairn_operation *op;
    CHECK(cairn_program_add(p, CAIRN_OP_CUTS, &in, 1, 1, &op));
    op->sizes[0] = (int32_t)n;
    op->sizes[1] = exact;
    CHECK(cairn_op_codes(p, op, 0, n, &below));
    for (size_t i = 0; i < n; i++) below[i] = exact || part->closed_right;
    CHECK(cairn_op_copy_numbers(p, op, 0, part->places + !exact, n));
    *out = op->out;
    return CAIRN_OK;
}

static cairn_status lower_normal(cairn_program *p, const cairn_bayes_model *m,
                                 const cairn_bayes_part *part, int32_t in, int32_t *out)
{
    cairn_operation *op;
    CHECK(cairn_program_add(p, CAIRN_OP_NORMAL, &in, 1, m->n_classes, &op));
    CHECK(cairn_op_copy_numbers(p, op, 0, part->centres, m->n_classes));
    CHECK(cairn_op_copy_numbers(p, op, 1, part->rates, m->n_classes));
    CHECK(cairn_op_copy_numbers(p, op, 2, part->base, m->n_classes));
    *out = op->out;
    return CAIRN_OK;
}

/* An exported program has no grid and adds over every kept value, which a large sample would
 * make useless; so it is refused. */
static cairn_status lower_kernel(cairn_program *p, const cairn_bayes_model *m,
                                 const cairn_bayes_part *part, int32_t in, int32_t *out)
{
    enum { MOST = 20000 }; /* beyond, densities are made on a grid */
    size_t k = m->n_classes;
    int32_t *starts;
    double *totals, total = 0;
    cairn_operation *op;
    CHECK(cairn_program_add(p, CAIRN_OP_KERNEL, &in, 1, k, &op));
    CHECK(cairn_op_codes(p, op, 0, k + 1, &starts));
    CHECK(cairn_op_numbers(p, op, 3, k, &totals));
    for (size_t c = 0; c < k; c++) {
        if (part->kept_of[c] > MOST)
            return cairn_program_refuse(p, "its kernel densities have more than %d values", MOST);
        starts[c + 1] = starts[c] + (int32_t)part->kept_of[c];
        total += part->totals[c];
    }
    for (size_t c = 0; c < k; c++) totals[c] = part->totals[c] / total;
    op->sizes[0] = m->kernel;
    CHECK(cairn_op_copy_numbers(p, op, 0, part->kept, part->n_kept));
    CHECK(cairn_op_copy_numbers(p, op, 1, part->kept_weights, part->n_kept));
    CHECK(cairn_op_copy_numbers(p, op, 2, part->rates, k));
    *out = op->out;
    return cairn_op_copy_numbers(p, op, 4, &part->floor, 1);
}

/* A number that is there (above 0) or not. */
static cairn_status lower_bit(cairn_program *p, const cairn_bayes_model *m,
                              const cairn_bayes_part *part, int32_t in, int32_t *out)
{
    size_t k = m->n_classes;
    double *table, *none, zero = 0;
    int32_t below = 1;
    cairn_operation *op;
    CHECK(cairn_program_add(p, CAIRN_OP_CUTS, &in, 1, 1, &op));
    op->sizes[0] = 1;
    CHECK(cairn_op_copy_codes(p, op, 0, &below, 1));
    CHECK(cairn_op_copy_numbers(p, op, 0, &zero, 1));
    CHECK(SCRATCH(p->ctx, &table, 2 * k));
    CHECK(SCRATCH(p->ctx, &none, k));
    for (size_t c = 0; c < k; c++) {
        table[c] = part->base[c];
        table[k + c] = part->logs[c];
    }
    return cairn_lower_lookup(p, op->out, 2, k, table, none, out);
}

/* Number columns that make one bag, or the items of a bag. */
static cairn_status lower_counts(cairn_program *p, const cairn_bayes_model *m,
                                 const cairn_bayes_part *part, const int32_t *features,
                                 int32_t *out)
{
    size_t n = part->of_numbers ? part->n_features : part->n_values;
    int32_t *in;
    cairn_operation *op;
    CHECK(SCRATCH(p->ctx, &in, n + 1));
    for (size_t j = 0; j < n; j++)
        in[j] = part->of_numbers ? features[part->features[j]]
                                 : features[part->features[0]] + (int32_t)j;
    CHECK(cairn_program_add(p, CAIRN_OP_COUNTS, in, n, m->n_classes, &op));
    op->sizes[0] = m->coefficient;
    *out = op->out;
    return cairn_op_copy_numbers(p, op, 0, part->logs, cairn_product(n, m->n_classes));
}

static cairn_status lower_part(cairn_program *p, const cairn_bayes_model *m,
                               const cairn_bayes_part *part, const int32_t *features, int32_t *out)
{
    int32_t in = features[part->features[0]];
    if (part->density == CAIRN_BAYES_MULTINOMIAL) return lower_counts(p, m, part, features, out);
    if (!part->of_numbers && part->density != CAIRN_BAYES_CATEGORICAL)
        return cairn_program_refuse(p, "words that are there or not have no program");
    if (part->of_numbers && part->density == CAIRN_BAYES_GAUSSIAN)
        return lower_normal(p, m, part, in, out);
    if (part->of_numbers && part->density == CAIRN_BAYES_KERNEL)
        return lower_kernel(p, m, part, in, out);
    if (part->of_numbers && part->density == CAIRN_BAYES_BERNOULLI)
        return lower_bit(p, m, part, in, out);
    if (part->of_numbers) CHECK(lower_place(p, part, in, &in));
    return lower_table(p, m, part, in, out);
}

cairn_status cairn_bayes_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_bayes_model *m = model;
    size_t k = m->n_classes, n_parts = 1;
    const int32_t *features;
    int32_t *firsts, *in, sum, *places;
    double *shares, total = 0;
    cairn_operation *op;
    (void)job;
    features = out->slots; /* all columns are features */
    CHECK(SCRATCH(out->ctx, &firsts, m->n_parts + 1));
    CHECK(cairn_lower_constants(out, m->log_prior, k, &firsts[0]));
    for (size_t i = 0; i < m->n_parts; i++)
        if (!m->parts[i].idle && (m->parts[i].n_values || !m->parts[i].places))
            CHECK(lower_part(out, m, &m->parts[i], features, &firsts[n_parts++]));
    CHECK(cairn_lower_sum(out, firsts, n_parts, k, &sum));
    CHECK(SCRATCH(out->ctx, &in, k + 1));
    for (size_t c = 0; c < k; c++) in[c] = sum + (int32_t)c;
    CHECK(cairn_program_add(out, CAIRN_OP_SOFTMAX, in, k, k, &op));
    CHECK(cairn_op_codes(out, op, 0, k, &places));
    CHECK(cairn_op_numbers(out, op, 0, k, &shares));
    for (size_t c = 0; c < k; c++) total += m->classes[c];
    for (size_t c = 0; c < k; c++) {
        places[c] = (int32_t)c;
        shares[c] = m->classes[c] / total;
    }
    out->answer.scores = op->out;
    return CAIRN_OK;
}
