/* SPDX-License-Identifier: MIT */
/* A program as one file of Python or JavaScript: the parts of runtime.py or runtime.js that it
 * needs, and the program as data between them, the very text of --to json. Names come from files
 * and may hold anything: quotes and angle brackets are written by their numbers, so that none ends
 * a string, or the element of a page that holds the script. */
#include "cairn/cairn.h"
#include "export/export.h"

/* What a language has around the program. */
typedef struct script {
    const char *runtime, *comment, *usage, *begin, *end;
} script;

/* The head tells a reader of the file alone how to call it, and what the cells of a row are. */
static void add_head(cairn_text *out, const cairn_export *e, const script *s)
{
    const cairn_schema *inputs = &e->program.inputs;
    const cairn_field *target = cairn_model_target(e->model);
    cairn_text_addf(out, "%s A model of %s, written by Cairn %s.\n%s\n", s->comment,
                    e->model->learner->entry.name, CAIRN_VERSION, s->usage);
    for (size_t i = 0; i < inputs->n_fields; i++) {
        cairn_text_addf(out, "%s   row[%zu] ", s->comment, i);
        cairn_text_add_c(out, inputs->fields[i].name);
        cairn_text_addf(out, ", a %s\n", cairn_kind_name((cairn_kind)inputs->fields[i].kind));
    }
    cairn_text_addf(out, "%s   answer ", s->comment);
    cairn_text_add_c(out, target ? target->name : "cluster, counted from 0");
    cairn_text_add(out, "\n\n");
}

/* JSON is made of double quotes only, so what stands for other quotes is always inside a string. */
static void add_program(cairn_text *out, const cairn_export *e)
{
    cairn_text json = cairn_text_start(out->ctx);
    cairn_export_json(&json, e);
    if (json.status != CAIRN_OK) out->status = json.status;
    for (const char *c = cairn_text_string(&json); *c; c++) {
        if (*c == '\'' || *c == '<' || *c == '`')
            cairn_text_addf(out, "\\u%04x", (unsigned)*c);
        else
            cairn_text_add_char(out, *c);
    }
    cairn_text_clear(&json);
}

static void add_script(cairn_text *out, const cairn_export *e, const script *s)
{
    add_head(out, e, s);
    cairn_export_parts(out, e, s->runtime, s->comment);
    cairn_text_add(out, s->begin);
    add_program(out, e);
    cairn_text_add(out, s->end);
    cairn_export_part(out, s->runtime, s->comment, "model");
}

void cairn_export_python(cairn_text *out, const cairn_export *e)
{
    static const script python = {
        .runtime = cairn_export_runtime_py,
        .comment = "#",
        .usage = "# Python 3.7 or later, nothing else. predict(row) answers a dict or a list of "
                 "cells; None is a\n# missing cell. python3 model.py FILE.csv answers a file, "
                 "python3 model.py --test compares answers\n# with those of Cairn.\n#",
        .begin = "PROGRAM = json.loads(r'''\n",
        .end = "''')\n\n\n",
    };
    add_script(out, e, &python);
}

void cairn_export_javascript(cairn_text *out, const cairn_export *e)
{
    static const script javascript = {
        .runtime = cairn_export_runtime_js,
        .comment = "//",
        .usage = "// For browsers (the global cairnModel) and node (what require gives); nothing "
                 "else is needed.\n// predict(row) answers an object or an array of cells; null "
                 "is a missing cell. node model.js --test\n// compares answers with those of "
                 "Cairn.\n//",
        .begin = "const PROGRAM =\n",
        .end = ";\n\n",
    };
    add_script(out, e, &javascript);
}
