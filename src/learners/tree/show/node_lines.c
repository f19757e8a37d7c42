/* SPDX-License-Identifier: MIT */
/* Nodes as rows of a table: see node_lines.h. */
#include "learners/tree/show/node_lines.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "model/learned.h"
#include "report/table_rows.h"
#include <math.h>

const char *cairn_node_feature(const cairn_job *job, int64_t column)
{
    const cairn_field *field =
        column < 0 ? NULL : cairn_schema_feature(job->schema, (size_t)column);
    return field ? field->name : NULL;
}

void cairn_node_lines_begin(cairn_ledger *out, const cairn_job *job, const char *head, size_t n)
{
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(out->ctx);
    cairn_ledger_columns(out, "nnnnntltlnnnnln", "tree", "node", "parent", "branch", "depth",
                         "condition", "sign", "levels", "column", "threshold", "usual", "rows",
                         "gain", "answer", "value");
    for (size_t l = 0; l < n; l++) {
        const char *class = cairn_learned_class(job, (int64_t)l);
        name.length = 0;
        if (class)
            cairn_text_addf(&name, "%s(%s)", head, class);
        else
            cairn_text_addf(&name, "%s(%zu)", head, l + 1);
        cairn_ledger_column(out, CAIRN_NUMBER, cairn_text_string(&name));
    }
    cairn_ledger_failed(out, cairn_text_status(&name));
}

/* The levels that go this way, as a line of a CSV file. */
static void add_levels(cairn_text *text, const cairn_node_branch *b)
{
    const cairn_field *field = b->field;
    bool any = false;
    for (size_t v = 0; field && v < field->names.n; v++) {
        bool taken = b->sides ? v < b->n_sides && b->sides[v] == b->side : (int32_t)v == b->level;
        if (!taken) continue;
        if (any) cairn_text_add_char(text, ',');
        cairn_text_add_csv(text, cairn_map_key(&field->names, v));
        any = true;
    }
}

/* The condition as a text, and then its parts in columns of their own. */
static void write_branch(cairn_ledger *out, const cairn_node_branch *b)
{
    SCOPED(cairn_text_clear) cairn_text levels = cairn_text_start(out->ctx);
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(out->ctx);
    char number[CAIRN_NUMBER_SIZE];
    bool missing = cairn_same(b->sign, "missing");
    add_levels(&levels, b);
    cairn_number_format(number, b->bound, CAIRN_SHORTEST);
    bool names = !b->is_cut || levels.length; /* a cut of ordered levels is named by a level */
    cairn_text_addf(&text, "%s %s",
                    b->name    ? b->name
                    : b->field ? b->field->name
                               : "?",
                    missing ? "is missing" : b->sign);
    if (!missing) cairn_text_addf(&text, " %s", names ? cairn_text_string(&levels) : number);
    cairn_ledger_failed(out, cairn_text_status(&levels));
    cairn_ledger_failed(out, cairn_text_status(&text));
    cairn_ledger_cells(out, cairn_text_string(&text), b->sign,
                       levels.length ? cairn_text_string(&levels) : NULL);
}

/* A number that counts from 1; 0 is missing. */
static void write_count(cairn_ledger *out, size_t count)
{
    cairn_ledger_number(out, count ? (double)count : NAN);
}

void cairn_node_line_write(cairn_ledger *out, const cairn_node_line *line)
{
    write_count(out, line->tree);
    write_count(out, line->node);
    write_count(out, line->parent);
    write_count(out, line->branch.number);
    cairn_ledger_number(out, (double)line->depth);
    if (line->branch.number)
        write_branch(out, &line->branch);
    else
        for (int i = 0; i < 3; i++) cairn_ledger_missing(out);
    cairn_ledger_cells(out, line->column, line->threshold);
    write_count(out, line->usual);
    cairn_ledger_cells(out, line->rows, line->gain, line->answer, line->value);
    for (size_t l = 0; l < line->n_classes; l++)
        cairn_ledger_number(out, line->classes ? line->classes[l] : NAN);
}

void cairn_node_stack_clear(cairn_node_stack *stack)
{
    cairn_free(stack->list);
    *stack = (cairn_node_stack){0};
}

void cairn_node_push(cairn_ledger *out, cairn_node_stack *stack, cairn_node_waiting next)
{
    if (out->status) return;
    cairn_ledger_failed(out, GROW(out->ctx, &stack->list, &stack->capacity, stack->n + 1));
    if (!out->status) stack->list[stack->n++] = next;
}

cairn_node_line cairn_node_line_of(const cairn_node_waiting *at, size_t tree, size_t node)
{
    return (cairn_node_line){.tree = tree,
                             .node = node,
                             .parent = at->parent,
                             .depth = at->depth,
                             .branch = at->branch,
                             .threshold = NAN,
                             .rows = NAN,
                             .gain = NAN,
                             .value = NAN};
}
