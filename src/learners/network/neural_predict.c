/* SPDX-License-Identifier: MIT */
/* The answers of a network: outputs of the last layer as numbers and classes. */
#include "base/memory.h"
#include "learners/network/neural.h"
#include <math.h>
#include <string.h>

enum { PIECE = 1024 };

/* -- outputs -- */

/* Outputs of rows first .. first + m - 1. */
static cairn_status outputs(cairn_context *ctx, cairn_pass *pass, const cairn_neural_model *m,
                            const cairn_matrix *x, size_t first, size_t n, double *z)
{
    cairn_matrix_rows(x, first, n, z);
    return cairn_pass_forward(ctx, pass, &m->layers, m->weights, z, n);
}

/* Shares of a target's classes from its outputs: as they are, the second class being the rest of
 * one, or brought to a sum of 1 where each output is a share of its own. */
static void class_scores(const cairn_neural_model *m, const cairn_neural_target *target,
                         int32_t positive, const double *y, double *scores)
{
    size_t n = target->field->names.n;
    const cairn_activated *a = &cairn_neural_layers_last(&m->layers)->activation;
    if (target->n == 1 && n == 2) {
        size_t yes = cairn_neural_yes(target, positive);
        scores[yes] = (*y - m->low) / (m->high - m->low);
        scores[1 - yes] = 1 - scores[yes];
        return;
    }
    double sum = 0;
    for (size_t k = 0; k < target->n; k++) sum += scores[k] = y[k];
    for (size_t k = 0; k < target->n && strcmp(a->f->name, "sigmoid") == 0; k++)
        scores[k] = sum > 0 ? scores[k] / sum : 1 / (double)target->n;
}

typedef struct answers {
    const cairn_neural_model *m;
    const cairn_job *job;
    cairn_neural_target *list;
    const cairn_neural_target *lead;
    size_t n, n_out;
    double *all; /* rows x n_out, kept where further targets are wanted */
} answers;

static void put_piece(const answers *a, cairn_prediction *out, const double *y, size_t first,
                      size_t n)
{
    size_t k = a->lead->first;
    for (size_t i = 0; i < n; i++) {
        const double *row = y + i * a->n_out + k;
        if (out->numbers) out->numbers[first + i] = a->m->shift[k] + a->m->unit[k] * *row;
        if (out->scores)
            class_scores(a->m, a->lead, a->job->positive, row,
                         out->scores + (first + i) * out->n_classes);
    }
    if (a->all) memcpy(a->all + first * a->n_out, y, n * a->n_out * sizeof *y);
}

/* -- further targets -- */

static cairn_status add_numbers(cairn_context *ctx, cairn_table *out, const answers *a,
                                const cairn_neural_target *target)
{
    double *column;
    size_t k = target->first;
    CHECK(SCRATCH(ctx, &column, out->n_rows + 1));
    for (size_t i = 0; i < out->n_rows; i++)
        column[i] = a->m->shift[k] + a->m->unit[k] * a->all[i * a->n_out + k];
    return cairn_table_add_numbers(ctx, out, target->field->name, column);
}

static cairn_status add_classes(cairn_context *ctx, cairn_table *out, const answers *a,
                                const cairn_neural_target *target)
{
    const cairn_map *names = &target->field->names;
    const char **keys;
    double *scores;
    int32_t *codes;
    CHECK(SCRATCH(ctx, &keys, names->n + 1));
    CHECK(SCRATCH(ctx, &scores, names->n + 1));
    CHECK(SCRATCH(ctx, &codes, out->n_rows + 1));
    for (size_t k = 0; k < names->n; k++) keys[k] = cairn_map_key(names, k);
    for (size_t i = 0; i < out->n_rows; i++) {
        class_scores(a->m, target, a->job->positive, a->all + i * a->n_out + target->first, scores);
        for (size_t k = 1; k < names->n; k++)
            if (scores[k] > scores[codes[i]]) codes[i] = (int32_t)k;
    }
    return cairn_table_add_levels(ctx, out, target->field->name, codes, keys, names->n);
}

static cairn_status add_others(cairn_context *ctx, cairn_table *out, const answers *a)
{
    for (size_t t = 0; t < a->n; t++) {
        if (a->list[t].leads) continue;
        if (a->list[t].field->kind == CAIRN_LEVEL)
            CHECK(add_classes(ctx, out, a, &a->list[t]));
        else
            CHECK(add_numbers(ctx, out, a, &a->list[t]));
    }
    return CAIRN_OK;
}

cairn_status cairn_neural_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                  const cairn_job *job)
{
    const cairn_neural_model *m = model;
    size_t n = job->view->rows.n, rows = n < PIECE ? n : PIECE;
    answers a = {.m = m, .job = job, .n_out = cairn_neural_layers_last(&m->layers)->n_out};
    cairn_matrix_wish wish = {.n_terms = m->layers.n_in};
    cairn_matrix x;
    cairn_pass pass;
    double *z;
    CHECK(cairn_neural_model_targets(ctx, &a.list, &a.n, job->schema, &m->layers, &a.lead));
    if (!a.lead)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the network has %zu outputs, which are not those "
                          "of its targets",
                          a.n_out);
    CHECK(cairn_matrix_open(ctx, &x, job->view, &wish));
    CHECK(cairn_pass_open(ctx, &pass, &m->layers, rows));
    pass.products = true;
    CHECK(SCRATCH(ctx, &z, cairn_product(rows, m->layers.n_in) + 1));
    if (out->extra && a.n > 1) CHECK(SCRATCH(ctx, &a.all, cairn_product(n, a.n_out) + 1));
    for (size_t first = 0; first < n; first += rows) {
        size_t part = n - first < rows ? n - first : rows;
        CHECK(outputs(ctx, &pass, m, &x, first, part, z));
        put_piece(&a, out, pass.outs[m->layers.n - 1], first, part);
    }
    return a.all ? add_others(ctx, out->extra, &a) : CAIRN_OK;
}
