/* SPDX-License-Identifier: MIT */
/* A program as one C99 file: the parts of runtime.h that it needs, its tables, and functions from
 * raw columns to the answer. Names come from files and may hold anything; in strings and comments
 * of C they are written with octal numbers wherever they are not plain letters. */
#include "base/number.h"
#include "export/export.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- letters and numbers -- */

static void add_string(cairn_text *out, const char *text)
{
    cairn_text_add_char(out, '"');
    cairn_text_add_c(out, text);
    cairn_text_add_char(out, '"');
}

static void add_number(cairn_text *out, double x)
{
    if (isnan(x))
        cairn_text_add(out, "NAN");
    else if (isinf(x))
        cairn_text_add(out, x > 0 ? "INFINITY" : "-INFINITY");
    else
        cairn_text_add_number(out, x, CAIRN_SHORTEST);
}

/* The separator before entry i: lines of about twelve entries. */
static void add_comma(cairn_text *out, size_t i)
{
    cairn_text_add(out, i == 0 ? "\n    " : i % 12 ? ", " : ",\n    ");
}

/* -- tables -- */

static void add_table_name(cairn_text *out, size_t step, const char *kind, const char *name)
{
    cairn_text_addf(out, "step%zu_%s_%s", step, kind, name);
}

/* Tables that are empty are not written, as C has no arrays of length 0; the step refers to NULL
 * for them. */
static void add_op_tables(cairn_text *out, const cairn_operation *op, size_t step)
{
    const cairn_op_form *form = &cairn_op_forms[op->kind];
    if (op->n_in) {
        cairn_text_addf(out, "static const int step%zu_in[] = {", step);
        for (size_t i = 0; i < op->n_in; i++) {
            add_comma(out, i);
            cairn_text_addf(out, "%d", op->in[i]);
        }
        cairn_text_add(out, "\n};\n");
    }
    for (size_t k = 0; k < CAIRN_OP_CODES && form->codes[k]; k++) {
        if (!op->n_codes[k]) continue;
        cairn_text_add(out, "static const int ");
        add_table_name(out, step, "codes", form->codes[k]);
        cairn_text_add(out, "[] = {");
        for (size_t i = 0; i < op->n_codes[k]; i++) {
            add_comma(out, i);
            cairn_text_addf(out, "%d", op->codes[k][i]);
        }
        cairn_text_add(out, "\n};\n");
    }
    for (size_t k = 0; k < CAIRN_OP_NUMBERS && form->numbers[k]; k++) {
        if (!op->n_numbers[k]) continue;
        cairn_text_add(out, "static const double ");
        add_table_name(out, step, "numbers", form->numbers[k]);
        cairn_text_add(out, "[] = {");
        for (size_t i = 0; i < op->n_numbers[k]; i++) {
            add_comma(out, i);
            add_number(out, op->numbers[k][i]);
        }
        cairn_text_add(out, "\n};\n");
    }
}

/* A table of the record; `name` NULL = it is empty. */
static void add_pointer(cairn_text *out, size_t step, const char *kind, const char *name)
{
    if (name)
        add_table_name(out, step, kind, name);
    else
        cairn_text_add(out, "NULL");
    cairn_text_add(out, ",\n     ");
}

/* The record of an operation, pointing to its tables. */
static void add_op(cairn_text *out, const cairn_operation *op, size_t step)
{
    const cairn_op_form *form = &cairn_op_forms[op->kind];
    cairn_text_addf(out, "static const step step%zu = {\n    %zu, %d, %zu, %d,\n    {", step,
                    op->n_in, op->out, op->n_out, op->work);
    for (size_t k = 0; k < CAIRN_OP_SIZES; k++)
        cairn_text_addf(out, "%s%d", k ? ", " : "", op->sizes[k]);
    cairn_text_add(out, "},\n    ");
    if (op->n_in)
        cairn_text_addf(out, "step%zu_in", step);
    else
        cairn_text_add(out, "NULL");
    cairn_text_add(out, ",\n    {");
    for (size_t k = 0; k < CAIRN_OP_CODES && form->codes[k]; k++)
        add_pointer(out, step, "codes", op->n_codes[k] ? form->codes[k] : NULL);
    cairn_text_add(out, "NULL},\n    {");
    for (size_t k = 0; k < CAIRN_OP_NUMBERS && form->numbers[k]; k++)
        add_pointer(out, step, "numbers", op->n_numbers[k] ? form->numbers[k] : NULL);
    cairn_text_add(out, "NULL},\n};\n\n");
}

/* -- columns and classes -- */

static bool has_levels(const cairn_field *field)
{
    return field->kind == CAIRN_LEVEL && field->names.n > 0;
}

/* The list of columns ends with an empty entry, so that it has an element even when the model needs
 * no column. */
static void add_columns(cairn_text *out, const cairn_export *e)
{
    const cairn_schema *inputs = &e->program.inputs;
    for (size_t i = 0; i < inputs->n_fields; i++)
        if (has_levels(&inputs->fields[i])) {
            const cairn_field *field = &inputs->fields[i];
            cairn_text_addf(out, "static const char *const levels_%zu[] = {", i);
            for (size_t l = 0; l < field->names.n; l++) {
                add_comma(out, l);
                add_string(out, cairn_map_key(&field->names, l));
            }
            cairn_text_add(out, "\n};\n");
        }
    cairn_text_add(out, "static const struct {\n    const char *name;\n    int is_level, n_levels;"
                        "\n    const char *const *levels;\n} columns[] = {\n");
    for (size_t i = 0; i < inputs->n_fields; i++) {
        const cairn_field *field = &inputs->fields[i];
        cairn_text_add(out, "    {");
        add_string(out, field->name);
        cairn_text_addf(out, ", %d, %zu, ", field->kind == CAIRN_LEVEL, field->names.n);
        if (has_levels(field))
            cairn_text_addf(out, "levels_%zu},\n", i);
        else
            cairn_text_add(out, "NULL},\n");
    }
    cairn_text_add(out, "    {NULL, 0, 0, NULL},\n};\n");
    if (e->classes) {
        const char *const *names = e->classes;
        size_t n = e->program.answer.n_scores;
        cairn_text_add(out, "static const char *const classes[]");
        cairn_text_add(out, " = {");
        for (size_t i = 0; i < n; i++) {
            add_comma(out, i);
            add_string(out, names[i]);
        }
        cairn_text_add(out, n ? "\n};\n" : "\n    NULL\n};\n");
    }
    cairn_text_add_char(out, '\n');
}

/* -- functions -- */

/* The head tells a reader of the file alone how to call it: the order of cells, what missing is,
 * and what the answer means. */
static void add_head(cairn_text *out, const cairn_export *e)
{
    const cairn_schema *inputs = &e->program.inputs;
    const cairn_field *target = cairn_model_target(e->model);
    cairn_text_addf(out,
                    "/* A model of %s, written by Cairn %s. C99; link with -lm.\n *\n"
                    " * model_cell(column, text) makes a cell of a text, model_predict(row, "
                    "&answer) answers a row of\n * MODEL_COLUMNS cells. NAN is a missing cell; "
                    "so is a level that is not in the list.\n"
                    " * With -DCAIRN_SELF_TEST there is a main() that compares answers with those "
                    "of Cairn.\n *\n",
                    e->model->learner->entry.name, CAIRN_VERSION);
    for (size_t i = 0; i < inputs->n_fields; i++) {
        cairn_text_addf(out, " *   row[%zu] ", i);
        cairn_text_add_c(out, inputs->fields[i].name);
        cairn_text_add(out, inputs->fields[i].kind == CAIRN_LEVEL ? ", a level\n" : "\n");
    }
    cairn_text_add(out, " *   answer ");
    cairn_text_add_c(out, target ? target->name : "cluster, counted from 0");
    cairn_text_add(out, e->program.answer.code >= 0 ? ": a code; -1 = unknown, -2 = rejected\n */\n"
                                                    : "\n */\n");
}

static void add_interface(cairn_text *out, const cairn_export *e)
{
    const cairn_program_answer *a = &e->program.answer;
    bool scored = a->scores >= 0;
    cairn_text_add(out, "#include <stdlib.h>\n#include <string.h>\n\n");
    cairn_text_addf(out, "enum { MODEL_COLUMNS = %zu, MODEL_SCORES = %zu };\n\n",
                    e->program.inputs.n_fields, scored ? a->n_scores : 0);
    cairn_text_add(out, "typedef struct model_answer {\n"
                        "    int code;      /* class or cluster */\n"
                        "    double number; /* NAN unless a number is answered */\n"
                        "    double scores[MODEL_SCORES + 1];\n"
                        "} model_answer;\n\n"
                        "double model_cell(int column, const char *text);\n"
                        "void model_predict(const double *row, model_answer *answer);\n"
                        "const char *model_column(int column);\n"
                        "const char *model_class(int code);\n\n");
}

/* Levels are looked up before numbers are read, as a level may be called "1"; a text that is
 * neither is a missing cell. */
static void add_cell_function(cairn_text *out, const cairn_export *e)
{
    cairn_text_add(
        out,
        "/* A text as a cell: the number, or the place of the level; NAN where there is none. */\n"
        "double model_cell(int column, const char *text)\n{\n"
        "    char *end;\n"
        "    if (!text || column < 0 || column >= MODEL_COLUMNS) return NAN;\n"
        "    for (int l = 0; l < columns[column].n_levels; l++)\n"
        "        if (strcmp(text, columns[column].levels[l]) == 0) return l;\n"
        "    if (columns[column].is_level) return NAN;\n"
        "    double number = strtod(text, &end);\n"
        "    return end == text || *end ? NAN : number;\n}\n\n"
        "const char *model_column(int column)\n{\n"
        "    return column < 0 || column >= MODEL_COLUMNS ? NULL : columns[column].name;\n}\n\n"
        "const char *model_class(int code)\n{\n");
    if (e->classes)
        cairn_text_addf(out, "    return code < 0 || code >= %zu ? NULL : classes[code];\n}\n\n",
                        e->program.answer.n_scores);
    else
        cairn_text_add(out, "    (void)code;\n    return NULL;\n}\n\n");
}

/* Steps run in order over one array of slots; a level out of range counts as missing, as it does in
 * Cairn. Arrays are one longer, so that none is empty. */
static void add_predict(cairn_text *out, const cairn_export *e)
{
    const cairn_program *p = &e->program;
    const cairn_program_answer *a = &p->answer;
    cairn_text_addf(out,
                    "void model_predict(const double *row, model_answer *answer)\n{\n"
                    "    double v[%zu];\n"
                    "    for (int i = 0; i < MODEL_COLUMNS; i++) {\n"
                    "        int known = !columns[i].is_level || (row[i] >= 0 && row[i] < "
                    "columns[i].n_levels);\n"
                    "        v[i] = known ? row[i] : NAN;\n    }\n",
                    p->n_slots + 1);
    for (size_t i = 0; i < p->n_ops; i++)
        cairn_text_addf(out, "    step_%s(&step%zu, v);\n", cairn_op_forms[p->ops[i]->kind].name,
                        i + 1);
    if (a->code >= 0)
        cairn_text_addf(out, "    answer->code = (int)v[%d];\n", a->code);
    else
        cairn_text_add(out, "    answer->code = -1;\n");
    if (a->number >= 0)
        cairn_text_addf(out, "    answer->number = v[%d];\n", a->number);
    else
        cairn_text_add(out, "    answer->number = NAN;\n");
    if (a->scores >= 0)
        cairn_text_addf(out,
                        "    for (int i = 0; i < MODEL_SCORES; i++) answer->scores[i] = v[%d + "
                        "i];\n",
                        a->scores);
    cairn_text_add(out, "    answer->scores[MODEL_SCORES] = 0;\n}\n");
}

/* -- the self-test -- */

/* One row: its cells as numbers or texts, then what Cairn answered. */
static void add_test_row(cairn_text *out, const cairn_export *e, size_t i)
{
    const cairn_export_rows *rows = &e->rows;
    size_t width = e->program.inputs.n_fields, k = e->program.answer.n_scores;
    cairn_text_add(out, "    {{");
    for (size_t j = 0; j < width; j++) {
        const char *text = rows->texts[i * width + j];
        cairn_text_add(out, j ? ", " : "");
        if (text)
            add_string(out, text);
        else
            cairn_text_add(out, "NULL");
    }
    cairn_text_add(out, width ? "},\n     {" : "NULL},\n     {");
    for (size_t j = 0; j < width; j++) {
        cairn_text_add(out, j ? ", " : "");
        add_number(out, rows->cells[i * width + j]);
    }
    cairn_text_add(out, width ? "},\n     " : "0},\n     ");
    add_number(out, rows->codes ? rows->codes[i] : -1);
    cairn_text_add(out, ", ");
    add_number(out, rows->numbers ? rows->numbers[i] : NAN);
    cairn_text_add(out, ", {");
    for (size_t c = 0; rows->scores && c < k; c++) {
        add_number(out, rows->scores[i * k + c]);
        cairn_text_add(out, ", ");
    }
    cairn_text_add(out, "0}},\n");
}

/* The program that is written prints numbers itself, in the locale of whoever runs it. */
static void add_self_test(cairn_text *out, const cairn_export *e)
{
    cairn_text_add(out, "\n#ifdef CAIRN_SELF_TEST\n#include <stdio.h>\n\n"
                        "static const struct {\n"
                        "    const char *texts[MODEL_COLUMNS + 1]; /* of levels */\n"
                        "    double numbers[MODEL_COLUMNS + 1];\n"
                        "    double code, number;\n"
                        "    double scores[MODEL_SCORES + 1];\n"
                        "} tests[] = {\n");
    for (size_t i = 0; i < e->rows.n; i++) add_test_row(out, e, i);
    if (e->rows.n == 0) cairn_text_add(out, "    {{NULL}, {0}, 0, 0, {0}},\n");
    cairn_text_addf(out, "};\nstatic const int n_tests = %zu;\n", e->rows.n);
    cairn_text_add(out, "\n/* Equal to twelve digits, or both missing. */\n"
                        "static int near(double a, double b)\n{\n"
                        "    if (isnan(a) || isnan(b)) return isnan(a) && isnan(b);\n"
                        "    return a == b || fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b)) ||\n"
                        "           fabs(a - b) <= ");
    add_number(out, cairn_export_slack(&e->program));
    cairn_text_add(
        out, ";\n}\n\n"
             "int main(void)\n{\n"
             "    int wrong = 0;\n"
             "    for (int t = 0; t < n_tests; t++) {\n"
             "        double row[MODEL_COLUMNS + 1];\n"
             "        model_answer answer;\n"
             "        int good;\n"
             "        for (int i = 0; i < MODEL_COLUMNS; i++)\n"
             "            row[i] = columns[i].is_level ? model_cell(i, tests[t].texts[i]) : "
             "tests[t].numbers[i];\n"
             "        model_predict(row, &answer);\n"
             "        good = answer.code == (int)tests[t].code && near(answer.number, "
             "tests[t].number);\n"
             "        for (int i = 0; i < MODEL_SCORES; i++)\n"
             "            good = good && near(answer.scores[i], tests[t].scores[i]);\n"
             "        if (good) continue;\n"
             "        printf(\"row %d: %d instead of %d, %.17"
             "g instead of %.17"
             "g\\n\", t + 1, "
             "answer.code,\n"
             "               (int)tests[t].code, answer.number, tests[t].number);\n"
             "        for (int i = 0; i < MODEL_SCORES; i++)\n"
             "            printf(\"    score %.17"
             "g instead of %.17"
             "g\\n\", answer.scores[i], "
             "tests[t].scores[i]);\n"
             "        wrong++;\n"
             "    }\n"
             "    printf(\"%d of %d rows as Cairn answers them\\n\", n_tests - wrong, n_tests);\n"
             "    return wrong > 0;\n}\n#endif\n");
}

void cairn_export_c(cairn_text *out, const cairn_export *e)
{
    const cairn_program *p = &e->program;
    add_head(out, e);
    cairn_export_parts(out, e, cairn_export_runtime_h, "/*");
    add_interface(out, e);
    for (size_t i = 0; i < p->n_ops; i++) {
        add_op_tables(out, p->ops[i], i + 1);
        add_op(out, p->ops[i], i + 1);
    }
    add_columns(out, e);
    add_cell_function(out, e);
    add_predict(out, e);
    add_self_test(out, e);
}
