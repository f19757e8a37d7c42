/* SPDX-License-Identifier: MIT */
/* Rows drawn from the chains of markov: a class, then step after step by its chain. A chain says
 * nothing of how long it goes on, so that a sequence gets the mean length of those of its class. */
#include "learners/sequence/markov.h"

#include "base/functions.h"
#include "data/column.h"
#include "model/sample.h"

#include <math.h>

typedef struct drawing {
    const cairn_markov_model *m;
    cairn_random *random;
    const int32_t *classes; /* of the rows */
    double *shares;         /* n_symbols: room */
    const cairn_sample_notes *notes;
} drawing;

/* The code that a field has for each symbol, -1 = none. Scratch. */
static cairn_status code_symbols(cairn_context *ctx, int32_t **out, const cairn_markov_model *m,
                                 const cairn_field *field)
{
    CHECK(SCRATCH_RAW(ctx, out, m->n_symbols));
    for (size_t s = 0; s < m->n_symbols; s++)
        (*out)[s] = (int32_t)cairn_map_find(&field->names, cairn_map_key(&m->symbols, s),
                                            m->symbols.lengths[s]);
    return CAIRN_OK;
}

/* "after sunny: u = 0.3, cumulated ..."; `random` is as it was before the step. */
static void note_step(cairn_report *note, const drawing *d, const cairn_markov_walk *walk,
                      cairn_random random)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(cairn_report_context(note));
    cairn_text_add(&text, "after ");
    cairn_markov_name(&text, d->m, walk->context);
    cairn_sample_say(note, cairn_text_string(&text), cairn_random_uniform(&random), d->shares,
                     d->m->n_symbols, &d->m->symbols);
    cairn_report_failed(note, cairn_text_status(&text));
}

/* The next step of a walk, as a code of its field; symbols that the field does not have are not
 * drawn. */
static int32_t draw_step(const drawing *d, cairn_markov_walk *walk, size_t class,
                         const int32_t *code_of, cairn_report *note)
{
    const cairn_markov_model *m = d->m;
    const double *logs = m->logs + (class * m->n_contexts + walk->context) * m->n_symbols;
    double sum = 0;
    for (size_t s = 0; s < m->n_symbols; s++) {
        d->shares[s] = code_of[s] < 0 ? 0 : cairn_exp(logs[s]);
        sum += d->shares[s];
    }
    for (size_t s = 0; !(sum > 0) && s < m->n_symbols; s++) d->shares[s] = code_of[s] >= 0;
    if (note) note_step(note, d, walk, *d->random);
    size_t symbol = cairn_sample_one(d->random, d->shares, m->n_symbols);
    cairn_markov_go(m, walk, (int32_t)symbol);
    return code_of[symbol];
}

/* The note of a row as long as its steps are shown. */
static cairn_report *note_of(const drawing *d, size_t row, size_t step)
{
    cairn_report *note = cairn_sample_note(d->notes, row);
    if (note && step == CAIRN_SAMPLE_STEPS) cairn_report_paragraph(note, "and so on");
    return step < CAIRN_SAMPLE_STEPS ? note : NULL;
}

/* The mean number of steps of the rows of a class. */
static size_t mean_length(const cairn_markov_model *m, size_t class)
{
    const double *counts = m->counts + class * m->n_contexts * m->n_symbols;
    double steps = 0;
    for (size_t k = 0; k < m->n_contexts * m->n_symbols; k++) steps += counts[k];
    return m->weights[class] > 0 ? (size_t)floor(steps / m->weights[class] + 0.5) : 0;
}

/* All starts are known before the first step is drawn. */
static cairn_status draw_sequences(cairn_context *ctx, cairn_table *out, const drawing *d,
                                   const cairn_field *field)
{
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    int32_t *code_of;
    size_t at = 0, *lengths;
    CHECK(code_symbols(ctx, &code_of, d->m, field));
    CHECK(SCRATCH_RAW(ctx, &lengths, d->m->n_classes));
    for (size_t c = 0; c < d->m->n_classes; c++) lengths[c] = mean_length(d->m, c);
    CHECK(cairn_column_new(ctx, &column, CAIRN_SEQUENCE, out->n_rows));
    CHECK(cairn_map_copy(ctx, &column->names, &field->names));
    for (size_t i = 0; i < out->n_rows; i++)
        column->starts[i + 1] = column->starts[i] + lengths[d->classes[i]];
    CHECK(NEW_RAW(ctx, &column->items, column->starts[out->n_rows] + 1));
    for (size_t i = 0; i < out->n_rows; i++) {
        cairn_markov_walk walk = cairn_markov_begin(d->m);
        for (size_t step = 0; at < column->starts[i + 1]; step++)
            column->items[at++] =
                draw_step(d, &walk, (size_t)d->classes[i], code_of, note_of(d, i, step));
    }
    return cairn_table_add_column(ctx, out, field->name, CAIRN_FEATURE, TAKE(column));
}

/* Columns of levels are the steps from left to right. */
static cairn_status draw_levels(cairn_context *ctx, cairn_table *out, const drawing *d,
                                const cairn_schema *schema)
{
    cairn_markov_walk *walks;
    int32_t *codes;
    CHECK(SCRATCH_RAW(ctx, &walks, out->n_rows));
    CHECK(SCRATCH_RAW(ctx, &codes, out->n_rows));
    for (size_t i = 0; i < out->n_rows; i++) walks[i] = cairn_markov_begin(d->m);
    for (size_t f = 0, step = 0; f < schema->n_fields; f++) {
        const cairn_field *field = &schema->fields[f];
        int32_t *code_of;
        if (field->role != CAIRN_FEATURE || field->kind != CAIRN_LEVEL) continue;
        CHECK(code_symbols(ctx, &code_of, d->m, field));
        for (size_t i = 0; i < out->n_rows; i++)
            codes[i] = field->names.n ? draw_step(d, &walks[i], (size_t)d->classes[i], code_of,
                                                  note_of(d, i, step))
                                      : -1;
        step++;
        CHECK(cairn_sample_add_levels(ctx, out, field, codes));
    }
    return CAIRN_OK;
}

static cairn_status draw_columns(cairn_context *ctx, cairn_table *out, const drawing *d,
                                 const cairn_schema *schema)
{
    for (size_t f = 0; f < schema->n_fields; f++)
        if (schema->fields[f].role == CAIRN_FEATURE && schema->fields[f].kind == CAIRN_SEQUENCE)
            return draw_sequences(ctx, out, d, &schema->fields[f]);
    return draw_levels(ctx, out, d, schema);
}

cairn_status cairn_markov_sample(cairn_context *ctx, cairn_table *out, const void *model,
                                 const cairn_job *job, cairn_random *random)
{
    SCOPED_SCRATCH(ctx);
    const cairn_markov_model *m = model;
    SCOPED(cairn_sample_notes_clear) cairn_sample_notes notes = {0};
    int32_t *classes;
    drawing d = {.m = m, .random = random, .notes = &notes};
    CHECK(cairn_sample_notes_open(ctx, &notes, job->steps, out->n_rows));
    CHECK(SCRATCH(ctx, &d.shares, m->n_symbols));
    if (job->task == CAIRN_CLUSTER)
        CHECK(SCRATCH(ctx, &classes, out->n_rows + 1));
    else
        CHECK(cairn_sample_classes(ctx, &classes, out, job, m->weights, m->n_classes, random,
                                   &notes));
    d.classes = classes;
    CHECK(draw_columns(ctx, out, &d, job->schema));
    cairn_sample_notes_show(&notes, job->steps);
    return CAIRN_OK;
}
