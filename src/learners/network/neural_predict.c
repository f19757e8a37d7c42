/* SPDX-License-Identifier: MIT */
/* The answers of a network: outputs of the last layer as numbers and classes. */
#include "base/memory.h"
#include "learners/network/neural.h"
#include "parallel/parallel.h"
#include <math.h>
#include <string.h>

enum { PIECE = 256 };

/* -- outputs -- */

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
    cairn_prediction *out;
    cairn_row_matrix x;
    cairn_pass *passes; /* of every worker */
    double *z;          /* of every worker PIECE x n_in */
} answers;

/* Answers of rows from `first` on, from their outputs. */
static void put_rows(const answers *a, const double *y, size_t first, size_t n)
{
    cairn_prediction *out = a->out;
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

/* A pass with room of its own does not fail. */
static void rows_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const answers *a = data;
    cairn_pass *pass = &a->passes[worker];
    double *z = a->z + (size_t)worker * PIECE * a->m->layers.n_in;
    (void)block;
    cairn_matrix_rows(&a->x, begin, end - begin, z);
    if (cairn_pass_forward(NULL, pass, &a->m->layers, a->m->weights, z, end - begin)) return;
    put_rows(a, pass->outs[a->m->layers.n - 1], begin, end - begin);
}

/* Every worker's pass and rows. */
static cairn_status open_passes(cairn_context *ctx, answers *a)
{
    size_t workers = (size_t)cairn_workers(ctx);
    size_t room = cairn_pass_room(&a->m->layers, PIECE);
    CHECK(SCRATCH(ctx, &a->passes, workers));
    for (size_t i = 0; i < workers; i++) {
        CHECK(cairn_pass_open(ctx, &a->passes[i], &a->m->layers, PIECE));
        CHECK(SCRATCH_RAW(ctx, &a->passes[i].room, room));
        a->passes[i].products = true;
    }
    return SCRATCH_RAW(ctx, &a->z,
                       cairn_product(cairn_product(workers, PIECE), a->m->layers.n_in) + 1);
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
    return cairn_table_put_numbers(ctx, out, target->field->name, column);
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
    size_t n = job->view->rows.n;
    answers a = {.m = m, .job = job, .out = out};
    cairn_matrix_wish wish = {.n_terms = m->layers.n_in};
    a.n_out = cairn_neural_layers_last(&m->layers)->n_out;
    CHECK(cairn_neural_model_targets(ctx, &a.list, &a.n, job->schema, &m->layers, &a.lead));
    if (!a.lead)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the network has %zu outputs, which are not those of its targets",
                          a.n_out);
    CHECK(cairn_matrix_open(ctx, &a.x, job->view, &wish));
    CHECK(open_passes(ctx, &a));
    if (out->extra && a.n > 1) CHECK(SCRATCH(ctx, &a.all, cairn_product(n, a.n_out) + 1));
    CHECK(cairn_blocks_sized(ctx, n, PIECE, (double)n * (double)m->layers.n_weights / 4, rows_block,
                             &a));
    return a.all && out->extra ? add_others(ctx, out->extra, &a) : CAIRN_OK;
}
