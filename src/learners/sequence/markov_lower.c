/* SPDX-License-Identifier: MIT */
/* Chains of classes as a program, where the steps stand in columns of levels: a step and those that
 * it depends on are one place in a table of logarithms, which are added up and made probabilities.
 * A missing cell adds nothing, nor do the steps that depend on it. */
#include "learners/sequence/markov.h"

#include "base/functions.h"
#include "base/memory.h"
#include "learners/sequence/markov_contexts.h"

enum { MOST_PLACES = 1 << 20 };

/* The columns of the steps, from left to right. Scratch. */
typedef struct step_columns {
    const cairn_field **fields;
    int32_t *slots;
    size_t n;
} step_columns;

static cairn_status find_columns(cairn_program *p, const cairn_job *job, step_columns *out)
{
    int32_t *slots;
    size_t n, feature = 0;
    for (size_t i = 0; i < job->schema->n_fields; i++)
        if (job->schema->fields[i].role == CAIRN_FEATURE &&
            job->schema->fields[i].kind == CAIRN_SEQUENCE)
            return cairn_program_refuse(p,
                                        "its steps stand in the sequences of '%s', and a program "
                                        "reads numbers and levels",
                                        job->schema->fields[i].name);
    CHECK(cairn_program_features(p, &slots, &n));
    CHECK(SCRATCH(p->ctx, &out->fields, n + 1));
    CHECK(SCRATCH(p->ctx, &out->slots, n + 1));
    for (size_t i = 0; i < job->schema->n_fields && feature < n; i++) {
        const cairn_field *field = &job->schema->fields[i];
        if (field->role != CAIRN_FEATURE) continue;
        if (field->kind == CAIRN_LEVEL && field->names.n) {
            out->fields[out->n] = field;
            out->slots[out->n++] = slots[feature];
        }
        feature++;
    }
    return CAIRN_OK;
}

/* The logarithms of one place: the levels of columns first .. last, the last changing fastest. */
static void fill_place(const cairn_markov_model *m, const step_columns *c, size_t first,
                       size_t last, size_t place, double *out)
{
    size_t context = m->n_contexts - 1, span = 1;
    for (size_t t = first + 1; t <= last; t++) span *= c->fields[t]->names.n;
    for (size_t t = first; t <= last; t++) {
        size_t level = place / span % c->fields[t]->names.n;
        int64_t symbol = cairn_map_find(&m->symbols, cairn_map_key(&c->fields[t]->names, level),
                                        c->fields[t]->names.lengths[level]);
        if (symbol < 0) return; /* a level that training did not have */
        for (size_t k = 0; k < m->n_classes && t == last; k++)
            out[k] = m->logs[(k * m->n_contexts + context) * m->n_symbols + (size_t)symbol];
        context = cairn_markov_after(m, context, (size_t)symbol);
        if (t < last) span /= c->fields[t + 1]->names.n;
    }
}

/* Step t: a row of logarithms for everything that it and the steps before it can be. */
static cairn_status lower_step(cairn_program *p, const cairn_markov_model *m, const step_columns *c,
                               size_t t, int32_t *out)
{
    SCOPED_SCRATCH(p->ctx);
    size_t order = (size_t)m->order, first = t > order ? t - order : 0, n = 1,
           classes = m->n_classes;
    double weights[16], constant = 0, *table, *none;
    int32_t place;
    for (size_t k = t + 1; k-- > first;) {
        weights[k - first] = (double)n;
        n *= c->fields[k]->names.n;
        if (n * classes > MOST_PLACES)
            return cairn_program_refuse(p, "its table of what follows what is too large; chains of "
                                           "a smaller order have smaller ones");
    }
    CHECK(cairn_lower_affine(p, c->slots + first, t + 1 - first, 1, &constant, weights, NULL,
                             &place));
    CHECK(SCRATCH(p->ctx, &table, n * classes));
    CHECK(SCRATCH(p->ctx, &none, classes));
    for (size_t k = 0; k < n; k++) fill_place(m, c, first, t, k, table + k * classes);
    return cairn_lower_lookup(p, place, n, classes, table, none, out);
}

/* Sums to probabilities; the shares of the classes where none can have such a row. */
static cairn_status lower_shares(cairn_program *p, const cairn_markov_model *m, int32_t sum)
{
    size_t k = m->n_classes;
    int32_t *in, *places;
    double *shares, total = 0;
    cairn_operation *op;
    CHECK(SCRATCH(p->ctx, &in, k + 1));
    for (size_t c = 0; c < k; c++) in[c] = sum + (int32_t)c;
    CHECK(cairn_program_add(p, CAIRN_OP_SOFTMAX, in, k, k, &op));
    CHECK(cairn_op_codes(p, op, 0, k, &places));
    CHECK(cairn_op_numbers(p, op, 0, k, &shares));
    for (size_t c = 0; c < k; c++) total += m->weights[c];
    for (size_t c = 0; c < k; c++) {
        places[c] = (int32_t)c;
        shares[c] = m->weights[c] / total;
    }
    p->answer.scores = op->out;
    return CAIRN_OK;
}

cairn_status cairn_markov_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_markov_model *m = model;
    step_columns columns = {0};
    double *priors;
    int32_t *firsts, sum;
    CHECK(find_columns(out, job, &columns));
    CHECK(SCRATCH(out->ctx, &priors, m->n_classes));
    CHECK(SCRATCH(out->ctx, &firsts, columns.n + 1));
    for (size_t c = 0; c < m->n_classes; c++) priors[c] = cairn_log(m->weights[c]);
    CHECK(cairn_lower_constants(out, priors, m->n_classes, &firsts[0]));
    for (size_t t = 0; t < columns.n; t++) CHECK(lower_step(out, m, &columns, t, &firsts[t + 1]));
    CHECK(cairn_lower_sum(out, firsts, columns.n + 1, m->n_classes, &sum));
    return lower_shares(out, m, sum);
}
