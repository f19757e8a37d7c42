/* SPDX-License-Identifier: MIT */
/* A program as JSON; docs/export.md says what it means. What JSON has no number for is written as
 * null (missing) and as the texts "inf" and "-inf". */
#include "base/number.h"
#include "export/export.h"
#include <math.h>

static void add_number(cairn_text *out, double x)
{
    if (isnan(x))
        cairn_text_add(out, "null");
    else if (isinf(x))
        cairn_text_add(out, x > 0 ? "\"inf\"" : "\"-inf\"");
    else
        cairn_text_add_number(out, x, CAIRN_SHORTEST);
}

static void add_numbers(cairn_text *out, const double *numbers, size_t n)
{
    cairn_text_add_char(out, '[');
    for (size_t i = 0; i < n; i++) {
        if (i) cairn_text_add_char(out, ',');
        add_number(out, numbers[i]);
    }
    cairn_text_add_char(out, ']');
}

static void add_codes(cairn_text *out, const int32_t *codes, size_t n)
{
    cairn_text_add_char(out, '[');
    for (size_t i = 0; i < n; i++) cairn_text_addf(out, "%s%d", i ? "," : "", codes[i]);
    cairn_text_add_char(out, ']');
}

static void add_columns(cairn_text *out, const cairn_schema *inputs)
{
    cairn_text_add(out, " \"columns\": [");
    for (size_t i = 0; i < inputs->n_fields; i++) {
        const cairn_field *field = &inputs->fields[i];
        cairn_text_add(out, i ? ",\n  {\"name\": " : "\n  {\"name\": ");
        cairn_text_add_json(out, field->name);
        cairn_text_addf(out, ", \"kind\": \"%s\"", cairn_kind_name((cairn_kind)field->kind));
        if (field->kind == CAIRN_LEVEL) {
            cairn_text_add(out, ", \"levels\": ");
            cairn_text_add_char(out, '[');
            for (size_t j = 0; j < field->names.n; j++) {
                if (j) cairn_text_add_char(out, ',');
                cairn_text_add_json(out, cairn_map_key(&field->names, j));
            }
            cairn_text_add_char(out, ']');
        }
        cairn_text_add_char(out, '}');
    }
    cairn_text_add(out, "],\n");
}

/* Names come from the same table of forms as those of the other exports; empty arrays are left out.
 * */
static void add_op(cairn_text *out, const cairn_operation *op)
{
    const cairn_op_form *form = &cairn_op_forms[op->kind];
    cairn_text_addf(out, "{\"op\": \"%s\", \"in\": ", form->name);
    add_codes(out, op->in, op->n_in);
    cairn_text_addf(out, ", \"out\": [%d, %zu], \"sizes\": {", op->out, op->n_out);
    for (size_t k = 0; k < CAIRN_OP_SIZES && form->sizes[k]; k++)
        cairn_text_addf(out, "%s\"%s\": %d", k ? ", " : "", form->sizes[k], op->sizes[k]);
    cairn_text_add(out, "}, \"codes\": {");
    for (size_t k = 0, n = 0; k < CAIRN_OP_CODES && form->codes[k]; k++) {
        if (!op->n_codes[k]) continue;
        cairn_text_addf(out, "%s\"%s\": ", n++ ? ", " : "", form->codes[k]);
        add_codes(out, op->codes[k], op->n_codes[k]);
    }
    cairn_text_add(out, "}, \"numbers\": {");
    for (size_t k = 0, n = 0; k < CAIRN_OP_NUMBERS && form->numbers[k]; k++) {
        if (!op->n_numbers[k]) continue;
        cairn_text_addf(out, "%s\"%s\": ", n++ ? ", " : "", form->numbers[k]);
        add_numbers(out, op->numbers[k], op->n_numbers[k]);
    }
    cairn_text_add(out, "}}");
}

static void add_slot(cairn_text *out, const char *name, int32_t slot)
{
    cairn_text_addf(out, "\"%s\": ", name);
    if (slot < 0)
        cairn_text_add(out, "null, ");
    else
        cairn_text_addf(out, "%d, ", slot);
}

static void add_answer(cairn_text *out, const cairn_export *e)
{
    const cairn_program_answer *a = &e->program.answer;
    const cairn_field *target = cairn_model_target(e->model);
    cairn_text_add(out, " \"answer\": {\"name\": ");
    cairn_text_add_json(out, target ? target->name : "cluster");
    cairn_text_add(out, ", ");
    add_slot(out, "code", a->code);
    add_slot(out, "number", a->number);
    add_slot(out, "scores", a->scores);
    cairn_text_addf(out, "\"n_scores\": %zu, ", a->n_scores);
    cairn_text_add(out, "\"classes\": [");
    for (size_t c = 0; e->classes && c < a->n_scores; c++) {
        if (c) cairn_text_add_char(out, ',');
        cairn_text_add_json(out, e->classes[c]);
    }
    cairn_text_add(out, "]},\n");
}

static void add_tests(cairn_text *out, const cairn_export *e)
{
    const cairn_export_rows *rows = &e->rows;
    size_t width = e->program.inputs.n_fields, k = e->program.answer.n_scores;
    cairn_text_add(out, " \"tests\": [");
    for (size_t i = 0; i < rows->n; i++) {
        cairn_text_add(out, i ? ",\n  {\"row\": " : "\n  {\"row\": ");
        add_numbers(out, rows->cells + i * width, width);
        cairn_text_add(out, ", \"code\": ");
        add_number(out, rows->codes ? rows->codes[i] : NAN);
        cairn_text_add(out, ", \"number\": ");
        add_number(out, rows->numbers ? rows->numbers[i] : NAN);
        cairn_text_add(out, ", \"scores\": ");
        add_numbers(out, rows->scores ? rows->scores + i * k : NULL, rows->scores ? k : 0);
        cairn_text_add_char(out, '}');
    }
    cairn_text_add(out, "]\n");
}

void cairn_export_json_tests(cairn_text *out, const cairn_export *e)
{
    cairn_text_add(out, "{\n");
    add_columns(out, &e->program.inputs);
    add_answer(out, e);
    cairn_text_add(out, " \"slack\": ");
    add_number(out, cairn_export_slack(&e->program));
    cairn_text_add(out, ",\n");
    add_tests(out, e);
    cairn_text_add(out, "}\n");
}

void cairn_export_json(cairn_text *out, const cairn_export *e)
{
    const cairn_program *p = &e->program;
    cairn_text_addf(out, "{\"format\": \"cairn-program\", \"version\": 1, \"learner\": \"%s\",\n",
                    e->model->learner->entry.name);
    add_columns(out, &p->inputs);
    cairn_text_addf(out, " \"slots\": %zu,\n \"steps\": [", p->n_slots);
    for (size_t i = 0; i < p->n_ops; i++) {
        cairn_text_add(out, i ? ",\n  " : "\n  ");
        add_op(out, p->ops[i]);
    }
    cairn_text_add(out, "],\n");
    add_answer(out, e);
    cairn_text_add(out, " \"slack\": ");
    add_number(out, cairn_export_slack(p));
    cairn_text_add(out, ",\n");
    add_tests(out, e);
    cairn_text_add(out, "}\n");
}
