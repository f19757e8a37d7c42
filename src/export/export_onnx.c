/* SPDX-License-Identifier: MIT */
/* A program as ONNX: one input for each column (a double, or the text of a level), or one tensor of
 * all of them; label, code, scores or number as outputs; the test rows as JSON among the properties
 * of the file. Everything is worked out in double, so answers are those of Cairn. */
#include "cairn/cairn.h"
#include "export/onnx.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { IR_VERSION = 8, OPERATORS = 17, ML_OPERATORS = 3 };

/* A column of texts as codes; the empty text and unseen levels are missing. */
static int level_input(cairn_onnx_graph *g, const cairn_export *e, const cairn_field *field)
{
    size_t n = field->names.n;
    const char **names;
    int64_t *codes;
    if (!ONNX_ROOM(g, &names, n + 1) || !ONNX_ROOM(g, &codes, n + 1)) return 0;
    /* an encoder must know something: a text that is no cell's */
    names[n] = "\x01";
    codes[n] = -1;
    for (size_t l = 0; l < n; l++) {
        names[l] = cairn_map_key(&field->names, l);
        codes[l] = (int64_t)l;
    }
    cairn_text a = cairn_text_start(e->ctx);
    cairn_onnx_attribute_texts(&a, "keys_strings", names, n ? n : 1);
    cairn_onnx_attribute_ints(&a, "values_int64s", codes + (n ? 0 : n), n ? n : 1);
    cairn_onnx_attribute_int(&a, "default_int64", -1);
    int given = g->n++;
    cairn_onnx_reader(g, given, field->name);
    int code = cairn_onnx_cast(g, cairn_onnx_node(g, "LabelEncoder", &a, 1, given), ONNX_DOUBLE);
    int unknown = cairn_onnx_two(g, "Less", code, cairn_onnx_number(g, 0));
    return cairn_onnx_where(g, unknown, cairn_onnx_number(g, NAN), code);
}

/* All columns as one tensor: of inputs of their own, or as they come. */
static int read_columns(cairn_onnx_graph *g, const cairn_export *e)
{
    const cairn_schema *inputs = &e->program.inputs;
    size_t n = inputs->n_fields;
    int *columns, given = g->n++;
    if (!ONNX_ROOM(g, &columns, n + 1)) return 0;
    if (e->matrix) {
        cairn_onnx_value(g, false, "columns", ONNX_DOUBLE, (int64_t)n);
        cairn_onnx_reader(g, given, "columns");
        return given;
    }
    for (size_t i = 0; i < n; i++) {
        bool level = inputs->fields[i].kind == CAIRN_LEVEL;
        cairn_onnx_value(g, false, inputs->fields[i].name, level ? ONNX_STRING : ONNX_DOUBLE, 1);
        columns[i] = level ? level_input(g, e, &inputs->fields[i]) : g->n++;
        if (!level) cairn_onnx_reader(g, columns[i], inputs->fields[i].name);
    }
    return cairn_onnx_join(g, columns, n, 1);
}

/* Codes of levels that do not exist are missing cells. */
static int known_codes(cairn_onnx_graph *g, const cairn_export *e, int x)
{
    const cairn_schema *inputs = &e->program.inputs;
    double *ends, none = INFINITY;
    if (!ONNX_ROOM(g, &ends, inputs->n_fields + 1)) return x;
    for (size_t i = 0; i < inputs->n_fields; i++)
        ends[i] = inputs->fields[i].kind == CAIRN_LEVEL ? (double)inputs->fields[i].names.n : none;
    int end = cairn_onnx_numbers(g, ends, 0, inputs->n_fields), zero = cairn_onnx_number(g, 0);
    int level = cairn_onnx_two(g, "Less", end, cairn_onnx_number(g, none));
    int outside = cairn_onnx_two(g, "Or", cairn_onnx_two(g, "Less", x, zero),
                                 cairn_onnx_two(g, "GreaterOrEqual", x, end));
    return cairn_onnx_where(g, cairn_onnx_two(g, "And", level, outside), cairn_onnx_number(g, NAN),
                            x);
}

static void put_slots(cairn_onnx_graph *g, int tensor, int32_t first, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        g->places[(size_t)first + k] = (cairn_onnx_place){tensor, (int32_t)k};
        g->widths[(size_t)first + k] = (int32_t)n;
    }
}

/* Rows and a column of zeros, from the shape of the columns. */
static void measure(cairn_onnx_graph *g, int columns)
{
    static const int64_t from[] = {0}, to[] = {1}, one[] = {1};
    g->rows = cairn_onnx_node(g, "Slice", NULL, 3, cairn_onnx_one(g, "Shape", columns),
                              cairn_onnx_wholes(g, from, 1), cairn_onnx_wholes(g, to, 1));
    int shape[] = {g->rows, cairn_onnx_wholes(g, one, 1)};
    g->zeros =
        cairn_onnx_two(g, "Expand", cairn_onnx_number(g, 0), cairn_onnx_join(g, shape, 2, 0));
}

/* -- outputs -- */

/* A name for an output that no column has: `name`, or with lines behind it. */
static void put_output(cairn_onnx_graph *g, const cairn_export *e, int tensor, const char *name,
                       int type, size_t columns)
{
    char own[64];
    (void)snprintf(own, sizeof own, "%s", name);
    for (bool taken = true; taken && strlen(own) + 2 < sizeof own;) {
        taken = false;
        for (size_t i = 0; i < e->program.inputs.n_fields; i++)
            taken |= strcmp(own, e->program.inputs.fields[i].name) == 0;
        if (taken) memcpy(own + strlen(own), "_", 2);
    }
    cairn_onnx_name(g, tensor, own);
    cairn_onnx_value(g, true, own, type, (int64_t)columns);
}

static void put_code(cairn_onnx_graph *g, const cairn_export *e)
{
    static const int64_t flat[] = {-1};
    const cairn_program_answer *a = &e->program.answer;
    int code = cairn_onnx_cast(g, cairn_onnx_slots(g, &a->code, 1), ONNX_INT64);
    code = cairn_onnx_shaped(g, code, flat, 1);
    put_output(g, e, code, "code", ONNX_INT64, 0);
    if (!e->classes || a->n_scores == 0) return;
    const char **names;
    if (!ONNX_ROOM(g, &names, a->n_scores + 1)) return;
    for (size_t c = 0; c < a->n_scores; c++) names[c] = e->classes[c];
    names[a->n_scores] = "";
    const int64_t zero[] = {0}, none[] = {(int64_t)a->n_scores};
    int unknown = cairn_onnx_two(g, "Less", code, cairn_onnx_wholes(g, zero, 1));
    int at = cairn_onnx_where(g, unknown, cairn_onnx_wholes(g, none, 1), code);
    put_output(g, e, cairn_onnx_gather(g, cairn_onnx_texts(g, names, a->n_scores + 1), at, 0),
               "label", ONNX_STRING, 0);
}

static void put_outputs(cairn_onnx_graph *g, const cairn_export *e)
{
    static const int64_t flat[] = {-1};
    const cairn_program_answer *a = &e->program.answer;
    int32_t *slots;
    if (!ONNX_ROOM(g, &slots, a->n_scores + 1)) return;
    if (a->code >= 0) put_code(g, e);
    if (a->number >= 0)
        put_output(g, e, cairn_onnx_shaped(g, cairn_onnx_slots(g, &a->number, 1), flat, 1),
                   "number", ONNX_DOUBLE, 0);
    for (size_t k = 0; k < a->n_scores; k++) slots[k] = a->scores + (int32_t)k;
    if (a->scores >= 0 && a->n_scores)
        put_output(g, e, cairn_onnx_slots(g, slots, a->n_scores), "scores", ONNX_DOUBLE,
                   a->n_scores);
}

/* -- the model -- */

static void put_property(cairn_text *model, const char *key, const char *value)
{
    cairn_text entry = cairn_text_start(model->ctx);
    cairn_onnx_put_text(&entry, 1, key);
    cairn_onnx_put_text(&entry, 2, value);
    cairn_onnx_put_message(model, 14, &entry);
}

static void put_versions(cairn_text *model)
{
    static const char *const domains[] = {"", "ai.onnx.ml"};
    static const uint64_t versions[] = {OPERATORS, ML_OPERATORS};
    for (size_t i = 0; i < 2; i++) {
        cairn_text set = cairn_text_start(model->ctx);
        cairn_onnx_put_text(&set, 1, domains[i]);
        cairn_onnx_put_number(&set, 2, versions[i]);
        cairn_onnx_put_message(model, 8, &set);
    }
}

void cairn_export_onnx(cairn_text *out, const cairn_export *e)
{
    cairn_program *p = (cairn_program *)&e->program; /* its refusals are written through it */
    cairn_onnx_graph g = {.nodes = cairn_text_start(out->ctx), .program = p};
    cairn_text tests = cairn_text_start(out->ctx);
    if (p->inputs.n_fields == 0)
        g.nodes.status =
            cairn_program_refuse(p, "it reads no column, and ONNX counts rows by columns");
    if (ONNX_ROOM(&g, &g.places, p->n_slots + 1) && ONNX_ROOM(&g, &g.widths, p->n_slots + 1)) {
        cairn_onnx_put_text(&g.nodes, 2, "cairn");
        int columns = read_columns(&g, e);
        if (e->matrix) columns = known_codes(&g, e, columns);
        measure(&g, columns);
        put_slots(&g, columns, 0, p->inputs.n_fields);
        for (size_t i = 0; i < p->n_ops && g.nodes.status == CAIRN_OK; i++) {
            p->part = cairn_op_forms[p->ops[i]->kind].name;
            put_slots(&g, cairn_onnx_operation(&g, p->ops[i]), p->ops[i]->out, p->ops[i]->n_out);
        }
        if (g.nodes.status == CAIRN_OK) put_outputs(&g, e);
    }
    cairn_onnx_finish(&g);
    cairn_onnx_put_number(out, 1, IR_VERSION);
    cairn_onnx_put_text(out, 2, "cairn");
    cairn_onnx_put_text(out, 3, CAIRN_VERSION);
    cairn_onnx_put_message(out, 7, &g.nodes);
    put_versions(out);
    cairn_export_json_tests(&tests, e);
    put_property(out, "cairn.learner", e->model->learner->entry.name);
    put_property(out, "cairn.tests", cairn_text_string(&tests));
    cairn_text_clear(&tests);
}
