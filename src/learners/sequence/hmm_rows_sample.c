/* SPDX-License-Identifier: MIT */
/* Rows drawn from learned hidden Markov models: a class where there are classes, then states and
 * what they give off. A model says nothing of how long a sequence goes on, so that it gets the mean
 * length of those that it was learned from; where rows are steps, all rows are one sequence. */
#include "learners/sequence/hmm_model.h"

#include "base/memory.h"
#include "data/column.h"
#include "model/sample.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Steps of all rows, one behind the other; scratch. */
typedef struct drawn {
    const cairn_hmm_model *m;
    size_t *begins; /* n_rows + 1, or 2 where rows are steps */
    int32_t *states, *symbols;
    double *numbers; /* steps x width */
    size_t width;
    const int32_t *classes; /* of the rows; NULL = there are none */
    cairn_random *random;
    double *shares; /* n_symbols: room */
    const cairn_sample_notes *notes;
} drawn;

static bool rows_are_steps(const cairn_hmm_model *m)
{
    return m->shape == CAIRN_HMM_NUMBER_ROWS || m->shape == CAIRN_HMM_LEVEL_ROWS;
}

/* Columns whose cells are the steps of a row, where they are. */
static size_t count_columns(const cairn_hmm_model *m, const cairn_schema *schema)
{
    cairn_kind kind = m->shape == CAIRN_HMM_LEVEL_COLUMNS ? CAIRN_LEVEL : CAIRN_NUMBER;
    size_t n = 0;
    for (size_t f = 0; f < schema->n_fields; f++)
        n += schema->fields[f].role == CAIRN_FEATURE && schema->fields[f].kind == (int32_t)kind;
    return n;
}

static size_t length_of(const drawn *d, const cairn_schema *schema, size_t class)
{
    if (d->m->shape == CAIRN_HMM_LEVEL_COLUMNS || d->m->shape == CAIRN_HMM_NUMBER_COLUMNS)
        return count_columns(d->m, schema);
    return (size_t)floor(d->m->lengths[class] + 0.5);
}

static const cairn_hmm *model_of(const drawn *d, size_t row)
{
    return &d->m->models[d->classes ? d->classes[row] : 0];
}

/* The numbers of a step as mean plus noise; the parts of the noise are what the normal numbers make
 * of the covariance. */
static void note_numbers(cairn_report *note, const cairn_hmm *model, size_t state,
                         const double *numbers, cairn_random *random)
{
    const double *mean = model->mean + state * model->n_numbers;
    for (size_t k = 0; k < model->n_numbers; k++) {
        char label[32];
        double g = cairn_random_normal(random);
        snprintf(label, sizeof label, "number %zu", k + 1);
        if (model->n_numbers == 1)
            cairn_report_worked(note, label, "mean + deviation · g = # + #·# = #", mean[k],
                                sqrt(model->covariance[state]), g, numbers[k]);
        else
            cairn_report_worked(note, label, "mean + noise = # + # = #, g = #", mean[k],
                                numbers[k] - mean[k], numbers[k], g);
    }
}

/* The first steps of a sequence once more, with the random numbers that they were drawn by. */
static void note_sequence(cairn_report *note, const drawn *d, const cairn_hmm *model, size_t at,
                          size_t n, cairn_random random)
{
    const double *shares = model->start;
    const char *after = "start";
    char label[200];
    for (size_t t = 0; t < n && t < CAIRN_SAMPLE_STEPS; t++) {
        size_t state = (size_t)d->states[at + t];
        snprintf(label, sizeof label, "state after %.150s", after);
        cairn_sample_say(note, label, cairn_random_uniform(&random), shares, model->n_states,
                         &model->states);
        after = cairn_map_key(&model->states, state);
        shares = model->move + state * model->n_states;
        snprintf(label, sizeof label, "given off by %.150s", after);
        double u = model->n_symbols ? cairn_random_uniform(&random) : 0;
        if (model->n_symbols && d->m->shape != CAIRN_HMM_LEVEL_COLUMNS)
            cairn_sample_say(note, label, u, model->emit + state * model->n_symbols,
                             model->n_symbols, &model->symbols);
        if (model->n_numbers)
            note_numbers(note, model, state, d->numbers + (at + t) * d->width, &random);
    }
    if (n > CAIRN_SAMPLE_STEPS) cairn_report_paragraph(note, "and so on");
}

/* Every sequence by the model of its class. */
static cairn_status draw_steps(cairn_context *ctx, drawn *d, const cairn_schema *schema,
                               size_t n_rows)
{
    bool one = rows_are_steps(d->m);
    size_t n = one ? 1 : n_rows;
    CHECK(SCRATCH(ctx, &d->begins, n + 1));
    for (size_t i = 0; i < n; i++)
        d->begins[i + 1] =
            d->begins[i] +
            (one ? n_rows : length_of(d, schema, d->classes ? (size_t)d->classes[i] : 0));
    d->width = d->m->models->n_numbers;
    CHECK(SCRATCH(ctx, &d->states, d->begins[n]));
    CHECK(SCRATCH(ctx, &d->symbols, d->begins[n]));
    CHECK(SCRATCH(ctx, &d->numbers, cairn_product(d->begins[n], d->width)));
    for (size_t i = 0; i < n; i++) {
        const cairn_hmm *model = model_of(d, i);
        size_t at = d->begins[i];
        cairn_random before = *d->random;
        CHECK(cairn_hmm_sample(ctx, model, d->random, d->begins[i + 1] - at, d->states + at,
                               d->symbols + at, d->numbers + at * d->width));
        if (cairn_sample_note(d->notes, i))
            note_sequence(cairn_sample_note(d->notes, i), d, model, at, d->begins[i + 1] - at,
                          before);
    }
    return CAIRN_OK;
}

/* The code that a field has for every name of a map, -1 = none; scratch. */
static cairn_status code_names(cairn_context *ctx, int32_t **out, const cairn_map *names,
                               const cairn_field *field)
{
    CHECK(SCRATCH(ctx, out, names->n));
    for (size_t k = 0; k < names->n; k++) {
        const char *name = cairn_map_key(names, k);
        (*out)[k] = (int32_t)cairn_map_find(&field->names, name, strlen(name));
    }
    return CAIRN_OK;
}

/* A column of sequences: symbols, or the states where they are the target. */
static cairn_status add_sequences(cairn_context *ctx, cairn_table *out, const drawn *d,
                                  const cairn_field *field, const int32_t *codes,
                                  const cairn_map *names)
{
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    int32_t *code_of;
    size_t steps = d->begins[out->n_rows];
    CHECK(code_names(ctx, &code_of, names, field));
    CHECK(cairn_column_new(ctx, &column, CAIRN_SEQUENCE, out->n_rows));
    CHECK(cairn_map_copy(ctx, &column->names, &field->names));
    memcpy(column->starts, d->begins, (out->n_rows + 1) * sizeof *column->starts);
    CHECK(NEW_RAW(ctx, &column->items, steps + 1));
    for (size_t t = 0; t < steps; t++) column->items[t] = code_of[codes[t]];
    return cairn_table_add_column(ctx, out, field->name, field->role, TAKE(column));
}

static cairn_status add_series(cairn_context *ctx, cairn_table *out, const drawn *d,
                               const cairn_field *field, size_t k)
{
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    size_t steps = d->begins[out->n_rows];
    CHECK(cairn_column_new(ctx, &column, CAIRN_SERIES, out->n_rows));
    memcpy(column->starts, d->begins, (out->n_rows + 1) * sizeof *column->starts);
    CHECK(NEW_RAW(ctx, &column->amounts, steps + 1));
    for (size_t t = 0; t < steps; t++) column->amounts[t] = d->numbers[t * d->width + k];
    return cairn_table_add_column(ctx, out, field->name, CAIRN_FEATURE, TAKE(column));
}

/* What the state of a step gives off, among the symbols that a column has; -1 = it has none. */
static int32_t draw_level(const drawn *d, size_t row, size_t step, const int32_t *code_of)
{
    const cairn_hmm *model = model_of(d, row);
    const double *emit = model->emit + (size_t)d->states[step] * model->n_symbols;
    double sum = 0;
    size_t known = 0;
    char label[200];
    for (size_t k = 0; k < model->n_symbols; k++) {
        d->shares[k] = code_of[k] < 0 ? 0 : emit[k];
        known += code_of[k] >= 0;
        sum += d->shares[k];
    }
    if (!known) return -1;
    for (size_t k = 0; !(sum > 0) && k < model->n_symbols; k++) d->shares[k] = code_of[k] >= 0;
    snprintf(label, sizeof label, "given off by %.150s",
             cairn_map_key(&model->states, (size_t)d->states[step]));
    cairn_report *note =
        step - d->begins[row] < CAIRN_SAMPLE_STEPS ? cairn_sample_note(d->notes, row) : NULL;
    return code_of[cairn_sample_noted(note, label, d->random, d->shares, model->n_symbols,
                                      &model->symbols)];
}

/* The cells of a column: the number or level of step `at` of every row, or number `at` of rows that
 * are steps. */
static cairn_status add_cells(cairn_context *ctx, cairn_table *out, const drawn *d,
                              const cairn_field *field, size_t at)
{
    bool one = rows_are_steps(d->m);
    int32_t *code_of, *codes;
    double *numbers;
    CHECK(SCRATCH(ctx, &codes, out->n_rows));
    CHECK(SCRATCH(ctx, &numbers, out->n_rows));
    CHECK(code_names(ctx, &code_of, &d->m->models->symbols, field));
    for (size_t i = 0; i < out->n_rows; i++) {
        size_t step = one ? i : d->begins[i] + at;
        if (field->kind == CAIRN_NUMBER)
            numbers[i] = d->numbers[step * d->width + (one ? at : 0)];
        else
            codes[i] = one ? code_of[d->symbols[step]] : draw_level(d, i, step, code_of);
    }
    return field->kind == CAIRN_NUMBER ? cairn_table_put_numbers(ctx, out, field->name, numbers)
                                       : cairn_sample_add_levels(ctx, out, field, codes);
}

/* The kind of the columns that hold what is given off. */
static cairn_kind steps_kind(const cairn_hmm_model *m)
{
    switch (m->shape) {
    case CAIRN_HMM_SEQUENCES: return CAIRN_SEQUENCE;
    case CAIRN_HMM_SERIES: return CAIRN_SERIES;
    case CAIRN_HMM_LEVEL_COLUMNS:
    case CAIRN_HMM_LEVEL_ROWS: return CAIRN_LEVEL;
    default: return CAIRN_NUMBER;
    }
}

static cairn_status add_columns(cairn_context *ctx, cairn_table *out, const drawn *d,
                                const cairn_schema *schema)
{
    size_t at = 0;
    for (size_t f = 0; f < schema->n_fields; f++) {
        SCOPED_SCRATCH(ctx);
        const cairn_field *field = &schema->fields[f];
        if (field->role != CAIRN_FEATURE || field->kind != (int32_t)steps_kind(d->m)) continue;
        if (field->kind == CAIRN_SEQUENCE)
            return add_sequences(ctx, out, d, field, d->symbols, &d->m->models->symbols);
        if (field->kind == CAIRN_SERIES)
            CHECK(add_series(ctx, out, d, field, at++));
        else
            CHECK(add_cells(ctx, out, d, field, at++));
    }
    return CAIRN_OK;
}

cairn_status cairn_hmm_sample_rows(cairn_context *ctx, cairn_table *out, const void *model,
                                   const cairn_job *job, cairn_random *random)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_sample_notes_clear) cairn_sample_notes notes = {0};
    drawn d = {.m = model, .random = random, .notes = &notes};
    int32_t *classes = NULL;
    ptrdiff_t target = cairn_schema_role(job->schema, CAIRN_TARGET);
    CHECK(cairn_sample_notes_open(ctx, &notes, job->steps, rows_are_steps(d.m) ? 1 : out->n_rows));
    if (job->task == CAIRN_CLASSIFY)
        CHECK(cairn_sample_classes(ctx, &classes, out, job, d.m->weights, d.m->n_models, random,
                                   &notes));
    d.classes = classes;
    CHECK(SCRATCH(ctx, &d.shares, d.m->models->n_symbols));
    CHECK(draw_steps(ctx, &d, job->schema, out->n_rows));
    if (d.m->known && target >= 0)
        CHECK(add_sequences(ctx, out, &d, &job->schema->fields[target], d.states,
                            &d.m->models->states));
    CHECK(add_columns(ctx, out, &d, job->schema));
    cairn_sample_notes_show(&notes, job->steps);
    return CAIRN_OK;
}
