/* SPDX-License-Identifier: MIT */
/* The cells of a caller's row as the inputs of a model: found by name, checked in value. */
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "predict/predictor.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* -- names -- */

static cairn_status add_input(cairn_context *ctx, cairn_predictor *p, size_t field, size_t feature,
                              ptrdiff_t item)
{
    const cairn_field *of = &p->model->schema.fields[field];
    cairn_row_input *input = &p->inputs[p->n_inputs];
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(ctx);
    cairn_text_add(&name, of->name);
    if (item >= 0) cairn_text_addf(&name, "=%s", cairn_map_key(&of->names, (size_t)item));
    CHECK(cairn_text_status(&name));
    CHECK(cairn_copy_text(ctx, &input->name, cairn_text_string(&name), name.length));
    input->field = field;
    input->feature = feature;
    input->item = item;
    p->n_inputs++;
    return CAIRN_OK;
}

/* The numbers that the program of a model reads, in its order: its features, and of bags the
 * items. */
static cairn_status list_inputs(cairn_context *ctx, cairn_predictor *p)
{
    const cairn_schema *schema = &p->model->schema;
    size_t n = 0, feature = 0;
    for (size_t i = 0; i < schema->n_fields; i++)
        n += schema->fields[i].kind == CAIRN_BAG ? schema->fields[i].names.n : 1;
    CHECK(NEW(ctx, &p->inputs, n));
    for (size_t i = 0; i < schema->n_fields; i++) {
        const cairn_field *field = &schema->fields[i];
        if (field->role != CAIRN_FEATURE) continue;
        bool bag = field->kind == CAIRN_BAG;
        for (size_t k = 0; k < (bag ? field->names.n : 1); k++)
            CHECK(add_input(ctx, p, i, feature, bag ? (ptrdiff_t)k : -1));
        feature++;
    }
    return CAIRN_OK;
}

/* Whether a number stands for the input: texts, sequences and series have none. */
static bool is_number_or_level(const cairn_predictor *p, size_t input)
{
    int32_t kind = p->model->schema.fields[p->inputs[input].field].kind;
    return kind != CAIRN_TEXT && kind != CAIRN_SEQUENCE && kind != CAIRN_SERIES;
}

/* Inputs that codes or no numbers at all belong to. */
static cairn_status list_coded(cairn_context *ctx, cairn_predictor *p)
{
    CHECK(NEW(ctx, &p->coded, p->n_inputs));
    for (size_t i = 0; i < p->n_inputs; i++) {
        const cairn_field *field = &p->model->schema.fields[p->inputs[i].field];
        cairn_coded_input coded = {.input = i};
        if (field->kind == CAIRN_LEVEL) coded.n_levels = (double)field->names.n;
        if (field->kind == CAIRN_LEVEL || !is_number_or_level(p, i)) p->coded[p->n_coded++] = coded;
    }
    return CAIRN_OK;
}

/* -- columns -- */

typedef struct matching {
    cairn_context *ctx;
    cairn_predictor *p;
    cairn_map inputs; /* names of the inputs */
    cairn_map given;  /* names of the columns so far */
} matching;

static const char *input_candidate(size_t i, const void *data)
{
    const cairn_predictor *p = data;
    return i < p->n_inputs ? p->inputs[i].name : NULL;
}

/* The field of a bag of that name; -1 = there is none. */
static ptrdiff_t find_bag(const cairn_predictor *p, const char *name)
{
    const cairn_schema *schema = &p->model->schema;
    for (size_t i = 0; i < schema->n_fields; i++)
        if (schema->fields[i].role == CAIRN_FEATURE && schema->fields[i].kind == CAIRN_BAG &&
            strcmp(schema->fields[i].name, name) == 0)
            return (ptrdiff_t)i;
    return -1;
}

/* Whether fitting left the column out: a row that has it is as good as one without. */
static bool is_left_out(const cairn_predictor *p, const char *name)
{
    const cairn_schema *schema = &p->model->schema;
    for (size_t i = 0; i < schema->n_fields; i++)
        if (strcmp(schema->fields[i].name, name) == 0)
            return schema->fields[i].role == CAIRN_IGNORED || schema->fields[i].role == CAIRN_ID;
    return false;
}

/* One of the caller's columns. */
static cairn_status take_column(matching *m, const char *name)
{
    cairn_predictor *p = m->p;
    cairn_given_column *column = &p->columns[p->n_columns];
    size_t index, length = name ? strlen(name) : 0;
    if (!name) return cairn_fail(m->ctx, CAIRN_USAGE, "column %zu has no name", p->n_columns + 1);
    CHECK(cairn_map_add(m->ctx, &m->given, name, length, &index));
    if (index < p->n_columns)
        return cairn_fail(m->ctx, CAIRN_USAGE,
                          "the column '%s' is named twice, as column %zu and as column %zu", name,
                          index + 1, p->n_columns + 1);
    CHECK(cairn_copy_text(m->ctx, &column->name, name, length));
    column->input = (ptrdiff_t)cairn_map_find(&m->inputs, name, length);
    column->bag = column->input < 0 ? find_bag(p, name) : -1;
    p->whole |= column->bag >= 0;
    p->n_columns++;
    if (column->input >= 0 || column->bag >= 0 || p->options.ignore_unknown) return CAIRN_OK;
    if (is_left_out(p, name)) return CAIRN_OK;
    const char *near = cairn_nearest_word(name, input_candidate, m->p);
    return cairn_fail(m->ctx, CAIRN_USAGE,
                      "the model does not know the column '%s'%s%s%s; leave it out, or let the "
                      "predictor ignore columns that it does not know",
                      name, near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
}

/* Whether a column gives the input, or the bag that it is an item of. */
static bool is_given(const cairn_predictor *p, size_t input)
{
    if (p->sources[input] >= 0) return true;
    for (size_t c = 0; p->whole && c < p->n_columns; c++)
        if (p->columns[c].bag == (ptrdiff_t)p->inputs[input].field) return true;
    return false;
}

/* Names the inputs that no column gives; items of a bag that are not given are not in it. */
static cairn_status refuse_lacking(const matching *m)
{
    const cairn_predictor *p = m->p;
    SCOPED(cairn_text_clear) cairn_text list = cairn_text_start(m->ctx);
    size_t n = 0;
    for (size_t i = 0; i < p->n_inputs; i++) {
        if (is_given(p, i) || p->options.missing_columns) continue;
        if (n < 10) cairn_text_addf(&list, "%s'%s'", n ? ", " : "", p->inputs[i].name);
        n++;
    }
    CHECK(cairn_text_status(&list));
    if (n == 0) return CAIRN_OK;
    return cairn_fail(m->ctx, CAIRN_USAGE,
                      "the columns lack %s%s that the model was trained on; add %s, or let the "
                      "predictor take missing columns for missing cells",
                      cairn_text_string(&list), n > 10 ? " and others" : "",
                      n == 1 ? "it" : "them");
}

/* Every column of the caller's, or the inputs themselves. */
static cairn_status take_columns(matching *m, const char *const *columns, size_t n_columns)
{
    cairn_predictor *p = m->p;
    size_t index, n = columns ? n_columns : p->n_inputs;
    for (size_t i = 0; i < p->n_inputs; i++)
        CHECK(cairn_map_add(m->ctx, &m->inputs, p->inputs[i].name, strlen(p->inputs[i].name),
                            &index));
    CHECK(NEW(m->ctx, &p->columns, n));
    for (size_t i = 0; i < n; i++) CHECK(take_column(m, columns ? columns[i] : p->inputs[i].name));
    CHECK(NEW(m->ctx, &p->sources, p->n_inputs));
    for (size_t i = 0; i < p->n_inputs; i++) p->sources[i] = -1;
    for (size_t c = 0; c < p->n_columns; c++)
        if (p->columns[c].input >= 0) p->sources[p->columns[c].input] = (ptrdiff_t)c;
    CHECK(refuse_lacking(m));
    p->straight = p->n_columns == p->n_inputs;
    for (size_t i = 0; i < p->n_inputs; i++) p->straight &= p->sources[i] == (ptrdiff_t)i;
    return CAIRN_OK;
}

cairn_status cairn_predictor_match(cairn_context *ctx, cairn_predictor *p,
                                   const char *const *columns, size_t n_columns)
{
    matching m = {.ctx = ctx, .p = p};
    cairn_status status = list_inputs(ctx, p);
    if (!status) status = list_coded(ctx, p);
    if (!status) status = take_columns(&m, columns, n_columns);
    cairn_map_clear(&m.inputs);
    cairn_map_clear(&m.given);
    return status;
}

/* -- cells -- */

bool cairn_predictor_are_codes(const cairn_predictor *p, const double *x)
{
    bool odd = false;
    for (size_t i = 0; i < p->n_coded; i++) {
        double code = x[p->coded[i].input];
        odd |= !(code >= 0 && code < p->coded[i].n_levels && code == (double)(int32_t)code);
    }
    return !odd;
}

/* What stands for an input that no column gives. */
static double absent_input(const cairn_row_input *input)
{
    return input->item < 0 ? NAN : 0;
}

/* The cells of a column in some rows; the slots of the rows are `width` apart. */
static inline void load_column(const cairn_row_source *rows, ptrdiff_t column, double *v,
                               size_t width, size_t n)
{
    const char *at = rows->data + column * rows->stride;
    for (size_t r = 0; r < n && rows->floats; r++, at += rows->row_stride)
        v[r * width] = (double)*(const float *)(const void *)at;
    for (size_t r = 0; r < n && !rows->floats; r++, at += rows->row_stride)
        v[r * width] = *(const double *)(const void *)at;
}

void cairn_predictor_load(const cairn_predictor *p, const cairn_row_source *rows, double *v,
                          size_t n)
{
    for (size_t i = 0; i < p->n_inputs; i++) {
        if (p->sources[i] >= 0) load_column(rows, p->sources[i], v + i, p->width, n);
        for (size_t r = 0; p->sources[i] < 0 && r < n; r++)
            v[r * p->width + i] = absent_input(&p->inputs[i]);
    }
}

void cairn_predictor_load_row(const cairn_predictor *p, const double *row, double *v)
{
    const ptrdiff_t *sources = p->sources;
    for (size_t i = 0; i < p->n_inputs; i++)
        v[i] = sources[i] >= 0 ? row[sources[i]] : absent_input(&p->inputs[i]);
}

/* Where a cell stands, for messages: the context (NULL = no message is wanted), the row. */
typedef struct place {
    cairn_context *ctx;
    const cairn_predictor *p;
    size_t row; /* from 1; 0 = there is but one */
} place;

/* Fails with the place of a cell: "column 'age', row 3: ...". */
CAIRN_PRINTF(4, 5)
static cairn_status refuse_cell(const place *at, cairn_status status, size_t input,
                                const char *format, ...)
{
    if (!at->ctx) return status;
    char why[512], row[32] = "";
    va_list args;
    va_start(args, format);
    (void)vsnprintf(why, sizeof why, format, args);
    va_end(args);
    if (at->row) (void)snprintf(row, sizeof row, ", row %zu", at->row);
    return cairn_fail(at->ctx, status, "column '%s'%s: %s", at->p->inputs[input].name, row, why);
}

/* A code of -1 is a level that training did not see: missing. */
static cairn_status check_code(const place *at, const cairn_coded_input *coded, double *x)
{
    const cairn_field *field = &at->p->model->schema.fields[at->p->inputs[coded->input].field];
    char number[CAIRN_NUMBER_SIZE];
    if (isnan(*x)) return CAIRN_OK;
    if (*x == -1 && field->kind == CAIRN_LEVEL) {
        *x = NAN;
        return CAIRN_OK;
    }
    if (field->kind != CAIRN_LEVEL)
        return refuse_cell(at, CAIRN_USAGE, coded->input,
                           "it is a %s and has no number; give it as text to "
                           "cairn_predictor_cells, or as missing (NaN)",
                           cairn_kind_name((cairn_kind)field->kind));
    if (*x >= 0 && *x < coded->n_levels && *x == trunc(*x)) return CAIRN_OK;
    (void)cairn_number_format(number, *x, 6);
    return refuse_cell(at, CAIRN_BAD_DATA, coded->input,
                       "%s is no code of its %zu levels; codes are 0 to %zu, as "
                       "cairn_predictor_code gives them, and NaN or -1 is a missing cell",
                       number, field->names.n, field->names.n - 1);
}

cairn_status cairn_predictor_check(cairn_context *ctx, const cairn_predictor *p, double *v,
                                   size_t row)
{
    place at = {ctx, p, row};
    for (size_t i = 0; i < p->n_inputs; i++)
        if (isinf(v[i]))
            return refuse_cell(&at, CAIRN_BAD_DATA, i,
                               "the number is infinite; give a finite one, or NaN for a missing "
                               "cell");
    for (size_t i = 0; i < p->n_coded; i++)
        CHECK(check_code(&at, &p->coded[i], &v[p->coded[i].input]));
    return CAIRN_OK;
}

cairn_status cairn_predictor_refuse_whole(cairn_predictor *p)
{
    size_t c = 0;
    while (p->columns[c].bag < 0) c++;
    return cairn_fail(p->ctx, CAIRN_USAGE,
                      "column '%s' is a bag and has no number; name a column for each of its "
                      "items, such as '%s=ITEM', or give it as text to cairn_predictor_cells",
                      p->columns[c].name, p->columns[c].name);
}

cairn_status cairn_predictor_refuse(cairn_context *ctx, const cairn_predictor *p, const double *v,
                                    size_t row)
{
    place at = {ctx, p, row};
    for (size_t i = 0; i < p->n_inputs; i++)
        if (isnan(v[i]) && is_number_or_level(p, i))
            return refuse_cell(&at, CAIRN_BAD_DATA, i,
                               "the cell is missing and the model, which was fitted without a "
                               "rule for missing cells, has no use for it; give a value, fit with "
                               "missing cells imputed, or let the predictor answer such rows with "
                               "nothing (blank_missing)");
    return CAIRN_OK;
}
