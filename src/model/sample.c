/* SPDX-License-Identifier: MIT */
/* Rows drawn from a model, and what learners need to draw them. */
#include "model/sample.h"
#include "base/memory.h"
#include "model/chain.h"
#include <string.h>

/* The one of n that u, from 0 to 1, chooses by their weights, of this sum. */
static size_t one_at(double u, const double *weights, size_t n, double sum)
{
    double at = u * sum;
    size_t last = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(weights[i] > 0)) continue;
        last = i;
        if (at < weights[i]) break;
        at -= weights[i];
    }
    return last;
}

static double sum_of(const double *weights, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += weights[i];
    return sum;
}

size_t cairn_sample_one(cairn_random *random, const double *weights, size_t n)
{
    return one_at(cairn_random_uniform(random), weights, n, sum_of(weights, n));
}

/* -- notes -- */

cairn_status cairn_sample_notes_open(cairn_context *ctx, cairn_sample_notes *notes,
                                     const cairn_report *steps, size_t n_rows)
{
    for (size_t i = 0; steps && i < CAIRN_SAMPLE_NOTED && i < n_rows; i++)
        CHECK(cairn_report_new(ctx, &notes->of[i]));
    return CAIRN_OK;
}

void cairn_sample_notes_show(cairn_sample_notes *notes, cairn_report *steps)
{
    for (size_t i = 0; i < CAIRN_SAMPLE_NOTED && notes->of[i]; i++) {
        cairn_report_step_begin(steps, "Row %zu", i + 1);
        cairn_report_append(steps, notes->of[i], NULL);
        cairn_report_step_end(steps);
    }
}

void cairn_sample_notes_clear(cairn_sample_notes *notes)
{
    for (size_t i = 0; i < CAIRN_SAMPLE_NOTED; i++) cairn_report_free(notes->of[i]);
    *notes = (cairn_sample_notes){0};
}

static void add_name(cairn_text *text, const cairn_map *names, size_t i)
{
    if (names && i < names->n)
        cairn_text_add(text, cairn_map_key(names, i));
    else
        cairn_text_addf(text, "%zu", i + 1);
}

/* All sums where there are few, else those around what was chosen. */
static void add_cumulated(cairn_text *text, const double *weights, size_t n, double sum,
                          size_t chosen, const cairn_map *names)
{
    enum { DIGITS = 6, FEW = 6 };
    double below = sum_of(weights, chosen) / sum, so_far = 0;
    if (n > FEW) {
        cairn_text_add(text, " lies between ");
        cairn_text_add_number(text, below, DIGITS);
        cairn_text_add(text, " and ");
        cairn_text_add_number(text, below + weights[chosen] / sum, DIGITS);
        return;
    }
    cairn_text_add(text, ", cumulated ");
    for (size_t i = 0; i < n; i++) {
        so_far += weights[i];
        if (i) cairn_text_add(text, ", ");
        add_name(text, names, i);
        cairn_text_add(text, " ");
        cairn_text_add_number(text, so_far / sum, DIGITS);
    }
}

void cairn_sample_say(cairn_report *note, const char *what, double u, const double *weights,
                      size_t n, const cairn_map *names)
{
    if (!note || !n) return;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(cairn_report_context(note));
    double sum = sum_of(weights, n);
    size_t chosen = one_at(u, weights, n, sum);
    cairn_text_addf(&text, "%s: u = ", what);
    cairn_text_add_number(&text, u, 6);
    add_cumulated(&text, weights, n, sum, chosen, names);
    cairn_text_add(&text, ", so ");
    add_name(&text, names, chosen);
    cairn_report_formula(note, "%s", cairn_text_string(&text));
    cairn_report_failed(note, cairn_text_status(&text));
}

size_t cairn_sample_noted(cairn_report *note, const char *what, cairn_random *random,
                          const double *weights, size_t n, const cairn_map *names)
{
    double u = cairn_random_uniform(random);
    cairn_sample_say(note, what, u, weights, n, names);
    return one_at(u, weights, n, sum_of(weights, n));
}

/* -- columns -- */

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
                                  cairn_random *random, const cairn_sample_notes *notes)
{
    const cairn_field *target = cairn_schema_target(job->schema);
    CHECK(SCRATCH(ctx, out, table->n_rows + 1));
    for (size_t i = 0; i < table->n_rows; i++)
        (*out)[i] = (int32_t)cairn_sample_noted(cairn_sample_note(notes, i), target->name, random,
                                                priors, n, &target->names);
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
                                size_t n, uint64_t seed, bool *inner, cairn_report *steps)
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
    job.steps = steps;
    cairn_random_start(&random, seed, 0);
    CHECK(cairn_table_new(ctx, &table, n));
    CHECK(model->learner->sample(ctx, table, model->state, &job, &random));
    restore_units(table, model, inner);
    *out = TAKE(table);
    return CAIRN_OK;
}
