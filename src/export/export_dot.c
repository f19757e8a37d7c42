/* SPDX-License-Identifier: MIT */
/* A program as a graph for Graphviz: the columns, the operations that read them, the answer; the
 * trees of an operation hang below it. */
#include "base/number.h"
#include "export/export.h"

/* The inside of a string of DOT; what could turn the line around or end it is a blank. */
static void add_label(cairn_text *out, const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        bool control = *c < 32 || *c == 127 || (c[0] == 0xe2 && c[1] == 0x80 && c[2] >= 0x8b) ||
                       (c[0] == 0xe2 && c[1] == 0x81);
        if (*c == '"' || *c == '\\') cairn_text_add_char(out, '\\');
        cairn_text_add_char(out, control ? ' ' : (char)*c);
        if (control && *c == 0xe2) c += 2;
    }
}

/* Which operation wrote a slot; -1 = it is a column. */
static ptrdiff_t writer_of(const cairn_program *p, int32_t slot)
{
    for (size_t i = 0; i < p->n_ops; i++) {
        const cairn_operation *op = p->ops[i];
        if (slot >= op->out && slot < op->out + (int32_t)op->n_out) return (ptrdiff_t)i;
    }
    return -1;
}

static void add_source(cairn_text *out, const cairn_program *p, int32_t slot)
{
    ptrdiff_t from = writer_of(p, slot);
    if (from < 0)
        cairn_text_addf(out, "    c%d", slot + 1);
    else
        cairn_text_addf(out, "    s%td", from + 1);
}

static void add_edges(cairn_text *out, const cairn_program *p, size_t i)
{
    const cairn_operation *op = p->ops[i];
    ptrdiff_t before = -2;
    for (size_t j = 0; j < op->n_in; j++) {
        ptrdiff_t from = writer_of(p, op->in[j]);
        if (from >= 0 && from == before) continue; /* one arrow for slots that stand together */
        before = from;
        add_source(out, p, op->in[j]);
        cairn_text_addf(out, " -> s%zu;\n", i + 1);
    }
}

/* -- trees -- */

/* Writes what leads into a branch: a comparison, the levels of a set, or the level itself; slots
 * that are inputs have names for levels, computed ones have not. */
static void add_branch(cairn_text *out, const cairn_program *p, const cairn_operation *op,
                       int32_t node, int32_t branch)
{
    static const char *const signs[][2] = {{"<=", ">"}, {"<", ">="}, {"=", "!="}};
    const int32_t *at = op->codes[1] + 4 * (size_t)node;
    int32_t slot = op->in[at[0]];
    double with = op->numbers[0][node];
    const cairn_map *names = writer_of(p, slot) < 0 ? &p->inputs.fields[slot].names : NULL;
    bool levels = names && names->n > 0;
    if (branch < 0) {
        cairn_text_add(out, "missing");
    } else if (at[1] == 4) {
        const int32_t *set = op->codes[7] + (int32_t)with;
        for (int32_t l = 0, n = 0; l < set[0]; l++) {
            if (set[1 + l] != branch + 1) continue;
            if (n++) cairn_text_add(out, ", ");
            if (levels && (size_t)l < names->n)
                add_label(out, cairn_map_key(names, (size_t)l));
            else
                cairn_text_addf(out, "%d", l);
        }
    } else {
        double level = at[1] == 3 ? branch : with;
        if (at[1] < 3) cairn_text_addf(out, "%s ", signs[at[1]][branch]);
        if (at[1] > 1 && levels && level < (double)names->n)
            add_label(out, cairn_map_key(names, (size_t)level));
        else
            cairn_text_add_number(out, level, 6);
    }
}

/* The edge for missing cells, the last one, is left out when it leads where the first branch leads.
 * */
static void add_node(cairn_text *out, const cairn_export *e, size_t step, int32_t node)
{
    const cairn_operation *op = e->program.ops[step];
    const int32_t *at = op->codes[1] + 4 * (size_t)node;
    int32_t branches = at[1] == 3 ? (int32_t)op->numbers[0][node] : 2;
    cairn_text_addf(out, "    t%zu_%d [shape=%s, label=\"", step + 1, node,
                    at[0] < 0 ? "box" : "ellipse");
    if (at[0] < 0) {
        int32_t row = at[3];
        size_t k = (size_t)op->sizes[1];
        const int32_t *labels = op->codes[3];
        if (labels && e->classes && labels[row] >= 0 && (size_t)labels[row] < k)
            add_label(out, e->classes[labels[row]]);
        else if (labels)
            cairn_text_addf(out, "%d", labels[row]);
        else
            cairn_text_add_number(out, op->numbers[2][(size_t)row * k], 6);
    } else {
        /* The name of what input j of an operation holds: a column's, or the operation that made
         * it. */
        int32_t slot = op->in[at[0]];
        ptrdiff_t from = writer_of(&e->program, slot);
        if (from < 0)
            add_label(out, e->program.inputs.fields[slot].name);
        else
            cairn_text_addf(out, "%s %td.%d", cairn_op_forms[e->program.ops[from]->kind].name,
                            from + 1, slot - e->program.ops[from]->out + 1);
    }
    cairn_text_add(out, "\"];\n");
    for (int32_t b = 0; at[0] >= 0 && b <= branches; b++) {
        int32_t child = op->codes[2][at[2] + b];
        if (child < 0 || (b == branches && child == op->codes[2][at[2]])) continue;
        cairn_text_addf(out, "    t%zu_%d -> t%zu_%d [label=\"", step + 1, node, step + 1, child);
        add_branch(out, &e->program, op, node, b < branches ? b : -1);
        cairn_text_add(out, "\"];\n");
    }
}

static void add_trees(cairn_text *out, const cairn_export *e, size_t step)
{
    const cairn_operation *op = e->program.ops[step];
    for (size_t i = 0; i < op->n_codes[1] / 4; i++) add_node(out, e, step, (int32_t)i);
    for (int32_t t = 0; t < op->sizes[0]; t++)
        cairn_text_addf(out, "    s%zu -> t%zu_%d [style=dashed];\n", step + 1, step + 1,
                        op->codes[0][t]);
}

void cairn_export_dot(cairn_text *out, const cairn_export *e)
{
    const cairn_program *p = &e->program;
    const cairn_program_answer *a = &p->answer;
    const cairn_field *target = cairn_model_target(e->model);
    cairn_text_add(out, "digraph program {\n    node [fontname=\"sans-serif\"];\n"
                        "    edge [fontname=\"sans-serif\"];\n");
    for (size_t i = 0; i < p->inputs.n_fields; i++) {
        cairn_text_addf(out, "    c%zu [shape=plaintext, label=\"", i + 1);
        add_label(out, p->inputs.fields[i].name);
        cairn_text_add(out, "\"];\n");
    }
    for (size_t i = 0; i < p->n_ops; i++) {
        cairn_text_addf(out, "    s%zu [shape=box, style=rounded, label=\"%s %zu\"];\n", i + 1,
                        cairn_op_forms[p->ops[i]->kind].name, i + 1);
        add_edges(out, p, i);
        if (p->ops[i]->kind == CAIRN_OP_TREES) add_trees(out, e, i);
    }
    cairn_text_add(out, "    answer [shape=doubleoctagon, label=\"");
    add_label(out, target ? target->name : "cluster");
    cairn_text_add(out, "\"];\n");
    add_source(out, p, a->code >= 0 ? a->code : a->number);
    cairn_text_add(out, " -> answer;\n}\n");
}
