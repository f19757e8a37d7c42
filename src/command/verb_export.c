/* SPDX-License-Identifier: MIT */
/* cairn export: a model in a form that other programs, or people, read. */
#include "cairn/learned.h"
#include "command/command.h"
#include "export/export.h"

#include <string.h>

typedef struct export_options {
    cairn_common common;
    const char *to, *table, *rows;
    int tests;
    bool matrix;
} export_options;

static const cairn_param export_params[] = {
    CAIRN_PARAM(export_options, to, "text", NULL,
                "the form; those that a model has are listed by 'cairn help' with its learner; "
                "when not given, an ending of --out that is a form's name chooses it",
                .often = true),
    CAIRN_PARAM(export_options, table, NULL, NULL,
                "instead, one of the tables of what it learned (nodes, coefficients, centres, "
                "...), as CSV or in the format of {out}; 'cairn describe MODEL' lists those that "
                "it has",
                .often = true),
    CAIRN_PARAM_AS(export_options, rows, CAIRN_TYPE_FILE, NULL,
                   "c, py, js, json, onnx: rows that the program is checked with and takes along; "
                   "rows are made "
                   "up when not given"),
    CAIRN_PARAM(export_options, tests, "20", "[0,inf)",
                "c, py, js, json, onnx: how many of these rows it takes along at most"),
    CAIRN_PARAM(export_options, matrix, "no", NULL,
                "onnx: all columns are one tensor of numbers, levels as their codes, instead of an "
                "input for each"),
    CAIRN_READING(export_options),
    CAIRN_RUNNING(export_options),
    CAIRN_PRINTING(export_options),
    CAIRN_PARAM_END,
};

/* Without --out it goes to standard output, alone. */
static cairn_status give(cairn_command *c, cairn_text *written)
{
    const char *out = c->common->printing.out;
    if (!out || strcmp(out, "-") == 0) return cairn_command_give(c, written);
    CHECK(cairn_command_write_bytes(c, out, cairn_text_string(written), written->length));
    c->out_done = c->no_report = true;
    cairn_remark(c, "wrote %s", out);
    return CAIRN_OK;
}

/* The form that --to names; without it the one that the ending of --out names, if the model has
 * it. */
static const char *chosen_form(const cairn_command *c, const cairn_model *model)
{
    const export_options *options = c->options->values;
    const char *out = c->common->printing.out, *ending = out ? strrchr(out, '.') : NULL;
    cairn_form_help forms[CAIRN_MOST_FORMS];
    if (!ending || !model->learner || cairn_params_is_set(c->options, "to")) return options->to;
    size_t n = cairn_export_forms(forms, model->learner);
    for (size_t i = 0; i < n; i++)
        if (cairn_same(forms[i].name, ending + 1)) return forms[i].name;
    return options->to;
}

/* Write one of the tables of what the model learned, to standard output as CSV. */
static cairn_status export_table(cairn_command *c, const cairn_model *model, const char *name)
{
    const char *out = c->common->printing.out;
    bool file = out && strcmp(out, "-") != 0;
    OWNED(cairn_table_free) cairn_table *table = NULL;
    if (cairn_params_is_set(c->options, "to"))
        return cairn_fail(c->ctx, CAIRN_USAGE,
                          "--table writes a table, in the format that --out names, and --to a "
                          "form of the model; leave one of them out");
    CHECK(cairn_model_table(c->ctx, &table, model, name));
    CHECK(cairn_command_write(c, table, file ? out : "-",
                              file && cairn_out_is_data(c->ctx, out) ? NULL : "csv"));
    c->out_done = c->no_report = true;
    if (file) cairn_remark(c, "wrote %s", out);
    return CAIRN_OK;
}

static cairn_status export_run(cairn_command *c)
{
    const export_options *options = c->options->values;
    OWNED(cairn_model_free) cairn_model *model = NULL;
    OWNED(cairn_table_free) cairn_table *rows = NULL;
    SCOPED(cairn_text_clear) cairn_text written = cairn_text_start(c->ctx);
    if (c->common->printing.format != CAIRN_FORMAT_TEXT)
        CHECK(cairn_fail(c->ctx, CAIRN_USAGE,
                         "export writes the model itself, in the form of --to, and no report that "
                         "--format could print; leave --format out"));
    CHECK(cairn_command_model(c, &model, c->words[0]));
    if (options->table) return export_table(c, model, options->table);
    if (options->rows) CHECK(cairn_command_read(c, &rows, options->rows));
    const char *form = chosen_form(c, model);
    if (options->matrix && strcmp(form, "onnx") != 0)
        return cairn_fail(c->ctx, CAIRN_USAGE, "{matrix} is for {to onnx}; leave it out for '%s'",
                          form);
    CHECK(cairn_export_write(&written, model, form,
                             &(cairn_export_options){.rows = rows,
                                                     .n_tests = (size_t)options->tests,
                                                     .matrix = options->matrix}));
    return give(c, &written);
}

const cairn_verb cairn_verb_export = {
    .entry =
        {.kind = CAIRN_ENTRY_VERB,
         .name = "export",
         .also = "deploy, C code, Python code, JavaScript, PMML, ONNX, DOT, write as text",
         .title = "Write a model down",
         .summary =
             "Writes a model in another form. c, py, js, json, onnx and dot write all of it, from "
             "the raw columns over the transforms to the answer, for every learner that "
             "has a closed form: as one file of C, Python or JavaScript with a self-test, "
             "as data, as ONNX, as a graph. "
             "The program is compared with the model before it is written. Other "
             "forms (text that --given reads again, rules, tables) are the learner's "
             "own; its help lists them. {table NAME} writes what the model learned as a "
             "table: nodes, coefficients, rules, centres and so on, all rows of it. "
             "The text goes to --out, or to standard output.",
         .example = "cairn fit tree @weather --save weather.cairn && "
                    "cairn export weather.cairn --to text",
         .params = export_params,
         .params_size = sizeof(export_options)},
    .arguments = "MODEL",
    .least = 1,
    .most = 1,
    .run = export_run,
};
