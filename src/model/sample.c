/* SPDX-License-Identifier: MIT */
/* Rows drawn from a model, and what learners need to draw them. */
#include "model/sample.h"
#include "base/memory.h"
#include "model/chain.h"
#include <string.h>

size_t cairn_sample_one(cairn_random *random, const double *weights, size_t n)
{
    double sum = 0, at;
    size_t last = 0;
    for (size_t i = 0; i < n; i++) sum += weights[i];
    at = cairn_random_uniform(random) * sum;
    for (size_t i = 0; i < n; i++) {
        if (!(weights[i] > 0)) continue;
        last = i;
        if (at < weights[i]) break;
        at -= weights[i];
    }
    return last;
}

cairn_status cairn_sample_add_levels(cairn_context *ctx, cairn_table *out, const cairn_field *field,
                                     const int32_t *codes)
{
    const char **names;
    CHECK(SCRATCH(ctx, &names, field->names.n + 1));
    for (size_t i = 0; i < field->names.n; i++) names[i] = cairn_map_key(&field->names, i);
    return cairn_table_add_levels(ctx, out, field->name, codes, names, field->names.n);
}

cairn_status cairn_sample_classes(cairn_context *ctx, int32_t **out, cairn_table *table,
                                  const cairn_job *job, const double *priors, size_t n,
                                  cairn_random *random)
{
    const cairn_field *target = cairn_schema_target(job->schema);
    CHECK(SCRATCH(ctx, out, table->n_rows + 1));
    for (size_t i = 0; i < table->n_rows; i++)
        (*out)[i] = (int32_t)cairn_sample_one(random, priors, n);
    CHECK(cairn_sample_add_levels(ctx, table, target, *out));
    return cairn_table_set_role(ctx, table, target->name, CAIRN_TARGET);
}

/* Numbers back into the units of the data; *inner where a column is none of the data's. */
static void restore_units(cairn_table *table, const cairn_model *model, bool *inner)
{
    for (size_t c = 0; c < table->n_columns; c++) {
        cairn_column *column = table->slots[c].column;
        const char *name = table->slots[c].name;
        bool raw = false;
        for (size_t f = 0; f < model->schema.n_fields; f++)
            raw |= strcmp(model->schema.fields[f].name, name) == 0;
        *inner |= !raw;
        for (size_t i = 0; column->kind == CAIRN_NUMBER && i < table->n_rows; i++)
            if (!cairn_chain_restore(model, name, &column->numbers[i])) break;
    }
}

cairn_status cairn_model_sample(cairn_context *ctx, cairn_table **out, const cairn_model *model,
                                size_t n, uint64_t seed, bool *inner)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_table_free) cairn_table *table = NULL;
    cairn_random random;
    *inner = false;
    if (!model->learner || !model->learner->sample)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s does not say how rows come about, so none can be drawn; learners of "
                          "densities do, such as bayes and gaussian",
                          model->learner ? model->learner->entry.name : "a recipe");
    cairn_job job = cairn_model_job(model);
    cairn_random_start(&random, seed, 0);
    CHECK(cairn_table_new(ctx, &table, n));
    CHECK(model->learner->sample(ctx, table, model->state, &job, &random));
    restore_units(table, model, inner);
    *out = TAKE(table);
    return CAIRN_OK;
}
