/* SPDX-License-Identifier: MIT */
/* A report as Markdown (the GitHub kind): tables with pipes, everything whose lines and blanks
 * matter in fenced blocks, figures as drawn for a terminal, so that one plain file holds it all. */
#include "report/document.h"
#include "report/wrap.h"
#include "base/memory.h"
#include <string.h>

enum { DIGITS = 6, FIGURE_WIDTH = 80 };

typedef struct markdown_printer {
    cairn_text *out;
    const cairn_report *report;
    int digits;
    cairn_text clean;
    cairn_outline outline;
    bool any;
    bool in_list; /* the block before was a value line */
} markdown_printer;

static const char *clean(markdown_printer *p, const char *text, bool keep_lines)
{
    p->clean.length = 0;
    cairn_text_add(&p->clean, "");
    cairn_text_add_clean(&p->clean, text, keep_lines);
    return cairn_text_string(&p->clean);
}

static bool is_letter(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (unsigned char)c >= 0x80;
}

/* Whether the letter at `at` would be read as markup. Underscores inside words are not. */
static bool is_markup(const char *text, const char *at, bool line_start)
{
    if (strchr("\\`*[]|~$", *at)) return true;
    if (*at == '_') return at == text || !is_letter(at[-1]) || !is_letter(at[1]);
    if (!line_start) return false;
    if (*at == '#' || *at == '>' || *at == '=' || *at == ':') return true;
    return (*at == '-' || *at == '+') && (at[1] == ' ' || at[1] == *at || !at[1]);
}

/* Length of "12." or "12)" at the start of a line, which would begin a numbered list; else 0. */
static size_t list_number(const char *at)
{
    size_t n = strspn(at, "0123456789");
    return n && n <= 9 && (at[n] == '.' || at[n] == ')') && (at[n + 1] == ' ' || !at[n + 1]) ? n
                                                                                             : 0;
}

/* Clean text with markup escaped; line ends become `line_end`. */
static void put_escaped(cairn_text *out, const char *text, const char *line_end)
{
    bool line_start = true;
    for (const char *at = text; *at; at++) {
        size_t number = line_start ? list_number(at) : 0;
        if (number) {
            cairn_text_add_bytes(out, at, number);
            cairn_text_add_char(out, '\\');
            at += number;
        } else if (is_markup(text, at, line_start)) {
            cairn_text_add_char(out, '\\');
        }
        line_start = *at == '\n' || (line_start && *at == ' ');
        if (*at == '\n')
            cairn_text_add(out, line_end);
        else if (*at == '<')
            cairn_text_add(out, "&lt;");
        else if (*at == '&' && (is_letter(at[1]) || at[1] == '#'))
            cairn_text_add(out, "&amp;");
        else
            cairn_text_add_char(out, *at);
    }
}

/* A fence longer than any run of backticks inside. */
static void put_fenced(cairn_text *out, const char *text)
{
    size_t longest = 2, run = 0, length = strlen(text);
    for (const char *at = text; *at; at++) {
        run = *at == '`' ? run + 1 : 0;
        if (run > longest) longest = run;
    }
    cairn_text_add_repeat(out, '`', longest + 1);
    cairn_text_add(out, "text\n");
    cairn_text_add(out, text);
    if (length && text[length - 1] != '\n') cairn_text_add_char(out, '\n');
    cairn_text_add_repeat(out, '`', longest + 1);
    cairn_text_add_char(out, '\n');
}

static void put_title(markdown_printer *p, size_t level, const char *text)
{
    cairn_text_add_repeat(p->out, '#', level > 6 ? 6 : level);
    cairn_text_add_char(p->out, ' ');
    put_escaped(p->out, clean(p, text, false), " ");
    cairn_text_add_char(p->out, '\n');
}

static void put_step(markdown_printer *p, const cairn_block *block)
{
    size_t level = 2 + p->outline.depth;
    cairn_text_add_repeat(p->out, '#', level > 6 ? 6 : level);
    cairn_text_add(p->out, " Step ");
    cairn_outline_add_label(&p->outline, p->out);
    cairn_text_add(p->out, ". ");
    put_escaped(p->out, clean(p, block->text, false), " ");
    cairn_text_add_char(p->out, '\n');
}

static void put_value(markdown_printer *p, const cairn_block *block)
{
    char number[CAIRN_NUMBER_SIZE];
    cairn_text_add(p->out, "- ");
    put_escaped(p->out, clean(p, block->text, false), " ");
    cairn_text_add(p->out, ": ");
    if (block->kind == CAIRN_BLOCK_NUMBER) {
        cairn_number_show(number, block->number, p->digits ? p->digits : DIGITS);
        cairn_text_add(p->out, number);
    } else {
        put_escaped(p->out, clean(p, block->word, true), "<br>");
    }
    cairn_text_add_char(p->out, '\n');
}

static void put_table_head(markdown_printer *p, const cairn_report_table *table)
{
    for (size_t j = 0; j < table->n_columns; j++) {
        cairn_text_add(p->out, j ? " | " : "| ");
        put_escaped(p->out, clean(p, table->columns[j].head, true), "<br>");
    }
    cairn_text_add(p->out, " |\n");
    for (size_t j = 0; j < table->n_columns; j++) {
        char align = table->columns[j].align;
        cairn_text_add(p->out, j ? " | " : "| ");
        cairn_text_add(p->out, align == 'r' ? "---:" : align == 'c' ? ":---:" : "---");
    }
    cairn_text_add(p->out, " |\n");
}

static void put_table_rows(markdown_printer *p, const cairn_report_table *table,
                           const cairn_column_style *styles)
{
    size_t next_mark = 0;
    for (size_t i = 0; i < table->n_rows; i++) {
        bool marked = cairn_table_row_marked(table, i, &next_mark);
        for (size_t j = 0; j < table->n_columns; j++) {
            const cairn_shown_cell *cell = &table->cells[i * table->n_columns + j];
            char number[CAIRN_NUMBER_SIZE];
            cairn_text_add(p->out, j ? " | " : marked ? "| ▶ " : "| ");
            if (!cell->text) cairn_cell_format(number, &styles[j], cell, p->digits);
            put_escaped(p->out, cell->text ? clean(p, cell->text, true) : number, "<br>");
        }
        cairn_text_add(p->out, " |\n");
    }
}

/* Columns are looked at as wholes, so that their numbers have the same digits; a failure stays in
 * the text for the caller. */
static void put_table(markdown_printer *p, const cairn_report_table *table)
{
    cairn_column_style *styles;
    if (table->title) {
        cairn_text_add(p->out, "**");
        put_escaped(p->out, clean(p, table->title, false), " ");
        cairn_text_add(p->out, "**\n\n");
    }
    cairn_status status = NEW(p->out->ctx, &styles, table->n_columns);
    if (status == CAIRN_OK) {
        for (size_t j = 0; j < table->n_columns; j++)
            styles[j] = cairn_column_examine(table, j, p->digits);
        if (table->n_columns) put_table_head(p, table);
        if (table->n_columns) put_table_rows(p, table, styles);
        size_t n_marked = cairn_table_marked_rows(table);
        if (table->n_rows == 0) cairn_text_add(p->out, "\n(no rows)\n");
        if (table->n_seen > table->n_rows) {
            cairn_text_add(p->out, "\n… ");
            cairn_text_add_more_rows(p->out, table);
            cairn_text_add_char(p->out, '\n');
        }
        if (n_marked)
            cairn_text_add(p->out, n_marked == 1 ? "\n▶ marks the chosen row\n"
                                                 : "\n▶ marks the chosen rows\n");
        cairn_free(styles);
    }
    if (!p->out->status) p->out->status = status;
}

static void put_figure(markdown_printer *p, const cairn_figure *figure)
{
    char *drawing = NULL;
    cairn_status status = cairn_figure_terminal(p->out->ctx, figure, FIGURE_WIDTH, false, &drawing);
    if (status == CAIRN_OK) put_fenced(p->out, drawing);
    if (!p->out->status) p->out->status = status;
    cairn_free(drawing);
}

/* Formulas are fenced like verbatim text, because Markdown would take their signs for emphasis. */
static void put_block(markdown_printer *p, const cairn_block *block)
{
    switch (block->kind) {
    case CAIRN_BLOCK_HEADING: put_title(p, (size_t)block->level, block->text); break;
    case CAIRN_BLOCK_PARAGRAPH:
        put_escaped(p->out, clean(p, block->text, true), "  \n");
        cairn_text_add_char(p->out, '\n');
        break;
    case CAIRN_BLOCK_NOTE:
        cairn_text_add(p->out, "> **Note:** ");
        put_escaped(p->out, clean(p, block->text, true), "  \n> ");
        cairn_text_add_char(p->out, '\n');
        break;
    case CAIRN_BLOCK_FORMULA:
    case CAIRN_BLOCK_VERBATIM: put_fenced(p->out, clean(p, block->text, true)); break;
    case CAIRN_BLOCK_NUMBER:
    case CAIRN_BLOCK_WORD: put_value(p, block); break;
    case CAIRN_BLOCK_TABLE: put_table(p, &p->report->tables[block->index]); break;
    case CAIRN_BLOCK_FIGURE: put_figure(p, p->report->figures[block->index]); break;
    case CAIRN_BLOCK_STEP: put_step(p, block); break;
    case CAIRN_BLOCK_SPACE:
    case CAIRN_BLOCK_PAGE:
    case CAIRN_BLOCK_STEP_END:
    case CAIRN_BLOCK_CHAPTER:
    case CAIRN_BLOCK_FOLD:
    case CAIRN_BLOCK_FOLD_END:
    case CAIRN_BLOCK_CLIP:
    case CAIRN_BLOCK_CLIP_END: break;
    }
}

void cairn_report_print_markdown(cairn_text *out, const cairn_report *report,
                                 const cairn_print_options *options)
{
    markdown_printer p = {
        .out = out,
        .report = report,
        .digits = options->digits,
        .clean = cairn_text_start(out->ctx),
        .outline = {.ctx = out->ctx},
    };
    for (size_t i = 0; i < report->n_blocks && !out->status; i++) {
        const cairn_block *block = &report->blocks[i];
        bool is_value = block->kind == CAIRN_BLOCK_NUMBER || block->kind == CAIRN_BLOCK_WORD;
        if (!cairn_outline_follow(&p.outline, block)) break;
        if (cairn_block_is_bracket(block)) continue;
        if (cairn_block_is_for_pages(block)) continue;
        if (p.any && !(is_value && p.in_list)) cairn_text_add_char(out, '\n');
        put_block(&p, block);
        p.any = true;
        p.in_list = is_value;
    }
    if (!out->status) out->status = p.outline.status ? p.outline.status : p.clean.status;
    cairn_outline_clear(&p.outline);
    cairn_text_clear(&p.clean);
}
