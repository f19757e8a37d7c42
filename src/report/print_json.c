/* SPDX-License-Identifier: MIT */
/* A report as JSON: title, the flat map of values, blocks in order, steps by number and title.
 * Blocks are a flat list (each tells its step) so that deep steps need no deep parser. */
#include "report/document.h"
#include <math.h>
#include <string.h>

/* NaN becomes null, infinities become words, all else reads back as the same double. */
static void add_number(cairn_text *out, double number)
{
    if (isnan(number))
        cairn_text_add(out, "null");
    else if (isinf(number))
        cairn_text_add(out, number > 0 ? "\"inf\"" : "\"-inf\"");
    else
        cairn_text_add_number(out, number, CAIRN_SHORTEST);
}

static void add_values(cairn_text *out, const cairn_report *report)
{
    cairn_text_add(out, "  \"values\": {");
    for (size_t i = 0; i < report->names.n; i++) {
        const cairn_value *value = &report->values[i];
        cairn_text_add(out, i ? ",\n    " : "\n    ");
        cairn_text_add_json(out, cairn_map_key(&report->names, i));
        cairn_text_add(out, ": ");
        if (value->word)
            cairn_text_add_json(out, value->word);
        else
            add_number(out, value->number);
    }
    cairn_text_add(out, report->names.n ? "\n  },\n" : "},\n");
}

static void add_member(cairn_text *out, const char *name, const char *text)
{
    cairn_text_addf(out, ", \"%s\": ", name);
    cairn_text_add_json(out, text);
}

/* Rows carry the numbers as they are, not as they are printed; "more_rows" counts those that the
 * report left out. */
static void add_table(cairn_text *out, const cairn_report_table *table)
{
    if (table->title) add_member(out, "title", table->title);
    cairn_text_add(out, ", \"columns\": [");
    for (size_t j = 0; j < table->n_columns; j++) {
        if (j) cairn_text_add(out, ", ");
        cairn_text_add_json(out, table->columns[j].head);
    }
    cairn_text_add(out, "], \"rows\": [");
    for (size_t i = 0; i < table->n_rows; i++) {
        cairn_text_add(out, i ? ",\n      " : "\n      ");
        cairn_text_add_char(out, '[');
        for (size_t j = 0; j < table->n_columns; j++) {
            const cairn_shown_cell *cell = &table->cells[i * table->n_columns + j];
            if (j) cairn_text_add(out, ", ");
            if (cell->text)
                cairn_text_add_json(out, cell->text);
            else
                add_number(out, cell->number);
        }
        cairn_text_add_char(out, ']');
    }
    cairn_text_add(out, "], \"marked\": [");
    size_t n_marked = cairn_table_marked_rows(table);
    for (size_t i = 0; i < n_marked; i++)
        cairn_text_addf(out, i ? ", %zu" : "%zu", table->marked[i]);
    cairn_text_addf(out, "], \"more_rows\": %zu", table->n_seen - table->n_rows);
}

/* Empty for the blocks that only shape a page. */
static const char *kind_name(cairn_block_kind kind)
{
    switch (kind) {
    case CAIRN_BLOCK_HEADING: return "heading";
    case CAIRN_BLOCK_PARAGRAPH: return "paragraph";
    case CAIRN_BLOCK_NOTE: return "note";
    case CAIRN_BLOCK_FORMULA: return "formula";
    case CAIRN_BLOCK_VERBATIM: return "verbatim";
    case CAIRN_BLOCK_NUMBER:
    case CAIRN_BLOCK_WORD: return "value";
    case CAIRN_BLOCK_TABLE: return "table";
    case CAIRN_BLOCK_FIGURE: return "figure";
    case CAIRN_BLOCK_STEP: return "step";
    case CAIRN_BLOCK_SPACE:
    case CAIRN_BLOCK_PAGE:
    case CAIRN_BLOCK_STEP_END:
    case CAIRN_BLOCK_CHAPTER:
    case CAIRN_BLOCK_FOLD:
    case CAIRN_BLOCK_FOLD_END:
    case CAIRN_BLOCK_CLIP:
    case CAIRN_BLOCK_CLIP_END: break;
    }
    return "";
}

/* Every block names its step, so that a reader needs no stack to know where it belongs. */
static void add_block(cairn_text *out, const cairn_report *report, const cairn_block *block,
                      const cairn_outline *outline)
{
    cairn_text_addf(out, "{\"kind\": \"%s\"", kind_name(block->kind));
    if (outline->depth) {
        cairn_text_add(out, ", \"step\": \"");
        cairn_outline_add_label(outline, out);
        cairn_text_add_char(out, '"');
    }
    if (block->kind == CAIRN_BLOCK_HEADING) cairn_text_addf(out, ", \"level\": %d", block->level);
    if (block->kind == CAIRN_BLOCK_TABLE)
        add_table(out, &report->tables[block->index]);
    else if (block->kind == CAIRN_BLOCK_FIGURE) {
        const cairn_figure *figure = report->figures[block->index];
        const char *name = cairn_figure_name(figure), *title = cairn_figure_title(figure);
        add_member(out, "figure", name ? name : "");
        add_member(out, "title", title ? title : "");
    } else if (block->kind == CAIRN_BLOCK_NUMBER || block->kind == CAIRN_BLOCK_WORD) {
        add_member(out, "label", block->text);
        if (block->kind == CAIRN_BLOCK_WORD) {
            add_member(out, "value", block->word);
        } else {
            cairn_text_add(out, ", \"value\": ");
            add_number(out, block->number);
        }
        if (block->index) add_member(out, "name", cairn_map_key(&report->names, block->index - 1));
    } else
        add_member(out, block->kind == CAIRN_BLOCK_STEP ? "title" : "text", block->text);
    cairn_text_add_char(out, '}');
}

/* One line per block, or with `steps_only` one per step. */
static void add_list(cairn_text *out, const cairn_report *report, bool steps_only)
{
    cairn_outline outline = {.ctx = out->ctx};
    bool any = false;
    cairn_text_add_char(out, '[');
    for (size_t i = 0; i < report->n_blocks; i++) {
        const cairn_block *block = &report->blocks[i];
        if (!cairn_outline_follow(&outline, block)) break;
        if (cairn_block_is_bracket(block)) continue;
        if (steps_only && block->kind != CAIRN_BLOCK_STEP) continue;
        cairn_text_add(out, any ? ",\n    " : "\n    ");
        any = true;
        if (!steps_only) {
            add_block(out, report, block, &outline);
            continue;
        }
        cairn_text_add(out, "{\"number\": \"");
        cairn_outline_add_label(&outline, out);
        cairn_text_add_char(out, '"');
        add_member(out, "title", block->text);
        cairn_text_add_char(out, '}');
    }
    cairn_text_add(out, any ? "\n  ]" : "]");
    if (!out->status) out->status = outline.status;
    cairn_outline_clear(&outline);
}

void cairn_report_print_json(cairn_text *out, const cairn_report *report,
                             const cairn_print_options *options)
{
    (void)options; /* JSON always holds the numbers whole */
    cairn_text_add(out, "{\n  \"title\": ");
    cairn_text_add_json(out, cairn_report_title(report));
    cairn_text_add(out, ",\n");
    add_values(out, report);
    cairn_text_add(out, "  \"blocks\": ");
    add_list(out, report, false);
    cairn_text_add(out, ",\n  \"steps\": ");
    add_list(out, report, true);
    cairn_text_add(out, "\n}\n");
}
