/* SPDX-License-Identifier: MIT */
/* A report as one HTML page that needs nothing else: no network, style and script inside, figures
 * as inline SVG. Every step is a section; the script makes a walk of them. Headings never skip a
 * level: the title is the only h1, steps and headings follow below what surrounds them. */
#include "report/document.h"
#include "report/html_page.h"
#include "report/wrap.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

/* Parsers give up on sections nested too deep; deeper steps are headings inside. */
enum {
    DIGITS = 6,
    DEEPEST_SECTION = 12,
    WIDE_FIGURE = 760,
    SMALL_FIGURE = 260, /* stands beside its neighbours */
    LARGEST_FIGURE = 30000,
    LONG_CELL = 40
};

typedef struct html_printer {
    cairn_text *out;
    const cairn_report *report;
    int digits;
    cairn_text clean;
    cairn_outline outline;
    const cairn_block *title; /* the heading that became the page's title */
    size_t level;             /* of the last heading */
    size_t section_level;     /* of the last heading outside steps */
    bool in_list;             /* a <dl> is open */
    bool in_walk;             /* steps with buttons of their own are open */
    bool walks;               /* there were some */
} html_printer;

/* Text with everything escaped; line ends are kept as breaks if asked for. */
static void put_text(html_printer *p, const char *text, bool keep_lines)
{
    p->clean.length = 0;
    cairn_text_add(&p->clean, "");
    cairn_text_add_clean(&p->clean, text, keep_lines);
    const char *at = cairn_text_string(&p->clean);
    char *end;
    while (keep_lines && (end = strchr(at, '\n'))) {
        *end = 0;
        cairn_text_add_html(p->out, at);
        cairn_text_add(p->out, "<br>");
        at = end + 1;
    }
    cairn_text_add_html(p->out, at);
}

/* The level for a heading that wants `wanted`: at most one below the last. */
static size_t next_level(html_printer *p, size_t wanted)
{
    if (wanted > p->level + 1) wanted = p->level + 1;
    p->level = wanted > 6 ? 6 : wanted;
    return p->level;
}

static void put_heading(html_printer *p, const cairn_block *block)
{
    size_t wanted = block->level < 2 ? 2 : (size_t)block->level;
    if (p->outline.depth) wanted += p->section_level + p->outline.depth - 1;
    size_t level = next_level(p, wanted);
    if (!p->outline.depth) p->section_level = level;
    cairn_text_addf(p->out, "<h%zu>", level);
    put_text(p, block->text, true);
    cairn_text_addf(p->out, "</h%zu>\n", level);
}

/* Steps from block `at` to the end of the chapter or fold. */
static size_t steps_ahead(const html_printer *p, const cairn_block *at)
{
    const cairn_block *end = p->report->blocks + p->report->n_blocks;
    size_t n = 0;
    for (; at < end && at->kind != CAIRN_BLOCK_CHAPTER && at->kind != CAIRN_BLOCK_FOLD &&
           at->kind != CAIRN_BLOCK_FOLD_END;
         at++)
        n += at->kind == CAIRN_BLOCK_STEP;
    return n;
}

/* The steps of a chapter and the buttons that walk through them, shown by the script. */
static void begin_walk(html_printer *p, const cairn_block *block)
{
    if (p->in_walk || steps_ahead(p, block) < 2) return;
    p->in_walk = p->walks = true;
    cairn_text_add(p->out, "<div class=\"walk\">\n"
                           "<nav class=\"bar\" aria-label=\"Steps\" hidden>\n"
                           "<button type=\"button\" class=\"back\" "
                           "aria-label=\"Previous step\">← Back</button>\n"
                           "<p aria-live=\"polite\"></p>\n"
                           "<button type=\"button\" class=\"next\" "
                           "aria-label=\"Next step\">Next →</button>\n"
                           "<label><input type=\"checkbox\">Show all</label>\n"
                           "<div class=\"track\"><span></span></div>\n"
                           "</nav>\n");
}

static void end_walk(html_printer *p)
{
    if (p->in_walk) cairn_text_add(p->out, "</div>\n");
    p->in_walk = false;
}

/* Past a depth that no account needs, a step is a heading only: neither a section nor a link. */
static void put_step(html_printer *p, const cairn_block *block)
{
    size_t number = p->outline.total, level = next_level(p, p->section_level + p->outline.depth);
    if (p->outline.depth == 1) begin_walk(p, block);
    if (p->outline.depth <= DEEPEST_SECTION)
        cairn_text_addf(p->out,
                        "<section class=\"step\" id=\"step-%zu\" "
                        "aria-labelledby=\"step-%zu-title\">\n",
                        number, number);
    cairn_text_addf(p->out, "<h%zu class=\"title\" id=\"step-%zu-title\">", level, number);
    if (p->outline.depth <= DEEPEST_SECTION)
        cairn_text_addf(p->out, "<a href=\"#step-%zu\">", number);
    cairn_text_add(p->out, "<span class=\"number\">Step ");
    cairn_outline_add_label(&p->outline, p->out);
    cairn_text_add(p->out, "</span> ");
    put_text(p, block->text, false);
    if (p->outline.depth <= DEEPEST_SECTION) cairn_text_add(p->out, "</a>");
    cairn_text_addf(p->out, "</h%zu>\n", level);
}

/* Called before the end is followed, while the step is still open. */
static void end_step(html_printer *p)
{
    if (p->outline.depth && p->outline.depth <= DEEPEST_SECTION)
        cairn_text_add(p->out, "</section>\n");
}

static void put_value(html_printer *p, const cairn_block *block)
{
    char number[CAIRN_NUMBER_SIZE];
    if (!p->in_list) cairn_text_add(p->out, "<dl>\n");
    p->in_list = true;
    cairn_text_add(p->out, "<div><dt>");
    put_text(p, block->text, false);
    cairn_text_add(p->out, "</dt><dd>");
    if (block->kind == CAIRN_BLOCK_NUMBER) {
        cairn_number_show(number, block->number, p->digits ? p->digits : DIGITS);
        put_text(p, number, false);
    } else {
        put_text(p, block->word, true);
    }
    cairn_text_add(p->out, "</dd></div>\n");
}

static const char *align_class(char align)
{
    return align == 'r' ? " class=\"r\"" : align == 'c' ? " class=\"c\"" : "";
}

/* Long text keeps some width of its own; the table rather scrolls. */
static const char *cell_class(const cairn_cell *cell, char align)
{
    bool is_long = cell->text && align == 'l' && strlen(cell->text) > LONG_CELL;
    return is_long ? " class=\"long\"" : align_class(align);
}

static void put_table_head(html_printer *p, const cairn_report_table *table)
{
    cairn_text_add(p->out, "<thead><tr>");
    for (size_t j = 0; j < table->n_columns; j++) {
        cairn_text_addf(p->out, "<th scope=\"col\"%s>", align_class(table->columns[j].align));
        put_text(p, table->columns[j].head, true);
        cairn_text_add(p->out, "</th>");
    }
    cairn_text_add(p->out, "</tr></thead>\n");
}

/* A number, followed by the invisible rest that brings its point below the others. */
static void put_number(html_printer *p, const cairn_cell *cell, const cairn_column_style *style,
                       char align)
{
    char number[CAIRN_NUMBER_SIZE];
    size_t before = cairn_cell_format(number, style, cell, p->digits);
    size_t after = strlen(number) - before;
    cairn_text_add_html(p->out, number);
    if (align != 'r' || !isfinite(cell->number) || after >= style->after) return;
    cairn_text_add(p->out, "<span data-pad=\"");
    if (after == 0) cairn_text_add_char(p->out, '.');
    cairn_text_add_repeat(p->out, '0', style->after - after - (after == 0));
    cairn_text_add(p->out, "\"></span>");
}

/* The first cell is the head of its row for readers of screens; a chosen row is told by a sign, not
 * by its colour alone. */
static void put_table_row(html_printer *p, const cairn_report_table *table, size_t row, bool marked,
                          const cairn_column_style *styles)
{
    cairn_text_add(p->out, marked ? "<tr class=\"chosen\">" : "<tr>");
    for (size_t j = 0; j < table->n_columns; j++) {
        const cairn_cell *cell = &table->cells[row * table->n_columns + j];
        char align = table->columns[j].align;
        bool names_row = j == 0 && cell->text && *cell->text;
        cairn_text_addf(p->out, names_row ? "<th scope=\"row\"%s>" : "<td%s>",
                        cell_class(cell, align));
        if (marked && j == 0)
            cairn_text_add(p->out,
                           "<span class=\"mark\" role=\"img\" aria-label=\"chosen\">▶</span>");
        if (cell->text)
            put_text(p, cell->text, true);
        else
            put_number(p, cell, &styles[j], align);
        cairn_text_add(p->out, names_row ? "</th>" : "</td>");
    }
    cairn_text_add(p->out, "</tr>\n");
}

static void put_table_remarks(html_printer *p, const cairn_report_table *table)
{
    size_t n_marked = cairn_table_marked_rows(table);
    if (table->n_rows == 0) cairn_text_add(p->out, "<p class=\"remark\">(no rows)</p>\n");
    if (table->n_seen > table->n_rows) {
        cairn_text_add(p->out, "<p class=\"remark\">… ");
        cairn_text_add_more_rows(p->out, table);
        cairn_text_add(p->out, "</p>\n");
    }
    if (n_marked)
        cairn_text_addf(p->out, "<p class=\"remark\">▶ marks the chosen row%s</p>\n",
                        n_marked == 1 ? "" : "s");
}

/* Wide tables scroll in a box of their own, which the keyboard can reach and which is named by the
 * table's title. */
static void put_table_body(html_printer *p, const cairn_report_table *table,
                           const cairn_column_style *styles)
{
    size_t next_mark = 0;
    size_t number = (size_t)(table - p->report->tables) + 1;
    if (table->title) {
        cairn_text_addf(p->out, "<p class=\"caption\" id=\"table-%zu\">", number);
        put_text(p, table->title, false);
        cairn_text_addf(p->out,
                        "</p>\n<div class=\"box\" role=\"region\" tabindex=\"0\" "
                        "aria-labelledby=\"table-%zu\">\n<table aria-labelledby=\"table-%zu\">\n",
                        number, number);
    } else {
        cairn_text_add(p->out, "<div class=\"box\" role=\"region\" tabindex=\"0\" "
                               "aria-label=\"Table\">\n<table>\n");
    }
    put_table_head(p, table);
    cairn_text_add(p->out, "<tbody>\n");
    for (size_t i = 0; i < table->n_rows && !p->out->status; i++)
        put_table_row(p, table, i, cairn_table_row_marked(table, i, &next_mark), styles);
    cairn_text_add(p->out, "</tbody>\n</table>\n</div>\n");
}

/* Columns are looked at as wholes, so that their numbers have the same digits; a table without
 * columns is its title. */
static void put_table(html_printer *p, const cairn_report_table *table)
{
    cairn_column_style *styles;
    cairn_status status = NEW(p->out->ctx, &styles, table->n_columns);
    if (status) {
        if (!p->out->status) p->out->status = status;
        return;
    }
    for (size_t j = 0; j < table->n_columns; j++)
        styles[j] = cairn_column_examine(table, j, p->digits);
    cairn_text_add(p->out, "<div class=\"table\">\n");
    if (table->n_columns) {
        put_table_body(p, table, styles);
    } else if (table->title) {
        cairn_text_add(p->out, "<p>");
        put_text(p, table->title, false);
        cairn_text_add(p->out, "</p>\n");
    }
    put_table_remarks(p, table);
    cairn_text_add(p->out, "</div>\n");
    cairn_free(styles);
}

/* Width that the svg element asks for, 0 when it does not say. */
static double svg_width(const char *svg)
{
    const char *at = strstr(svg, " width=\""), *end = strchr(svg, '>');
    double width = 0;
    if (!at || !end || at > end) return 0;
    at += strlen(" width=\"");
    return cairn_number_scan(at, end, &width) ? width : 0;
}

/* Figures are drawn in points and shown a little larger. They shrink to the page, wide ones only so
 * far that they stay readable; then they scroll. */
static void put_figure(html_printer *p, const cairn_figure *figure)
{
    char *drawing = NULL;
    cairn_status status = cairn_figure_svg(p->out->ctx, figure, &drawing);
    if (!p->out->status) p->out->status = status;
    if (status) return;
    const char *svg = strstr(drawing, "<svg"), *title = cairn_figure_title(figure);
    int width = svg ? (int)fmin(svg_width(svg), LARGEST_FIGURE) : 0;
    if (width > WIDE_FIGURE) {
        cairn_text_add(p->out, "<figure class=\"wide\" role=\"region\" tabindex=\"0\" "
                               "aria-label=\"");
        put_text(p, title && *title ? title : "Figure", false);
        cairn_text_addf(p->out, "\">\n<svg style=\"width:100%%;min-width:%dpx\"", width * 9 / 10);
    } else if (width > 0 && width <= SMALL_FIGURE) {
        cairn_text_add(p->out, "<figure class=\"small\">\n<svg style=\"width:100%\"");
    } else {
        cairn_text_addf(p->out, "<figure>\n<svg style=\"width:%dpx\"", width * 5 / 4);
    }
    if (svg) cairn_text_add(p->out, svg + strlen("<svg"));
    cairn_text_add(p->out, "</figure>\n");
    cairn_free(drawing);
}

static void put_element(html_printer *p, const char *open, const cairn_block *block,
                        const char *close)
{
    cairn_text_add(p->out, open);
    put_text(p, block->text, true);
    cairn_text_add(p->out, close);
}

/* Lines stay lines; the first one may be empty, which <pre> would swallow. */
static void put_verbatim(html_printer *p, const cairn_block *block)
{
    cairn_text_add(p->out, "<pre tabindex=\"0\">\n");
    p->clean.length = 0;
    cairn_text_add(&p->clean, "");
    cairn_text_add_clean(&p->clean, block->text, true);
    cairn_text_add_html(p->out, cairn_text_string(&p->clean));
    cairn_text_add(p->out, "</pre>\n");
}

/* The title of the page is a block, too, but stands in its head already; ends of steps are handled
 * by the outline. */
static void put_block(html_printer *p, const cairn_block *block)
{
    switch (block->kind) {
    case CAIRN_BLOCK_HEADING:
        if (block != p->title) put_heading(p, block);
        break;
    case CAIRN_BLOCK_PARAGRAPH: put_element(p, "<p>", block, "</p>\n"); break;
    case CAIRN_BLOCK_NOTE:
        put_element(p, "<div class=\"note\" role=\"note\"><p><b>Note</b>", block, "</p></div>\n");
        break;
    case CAIRN_BLOCK_FORMULA: put_element(p, "<p class=\"formula\">", block, "</p>\n"); break;
    case CAIRN_BLOCK_VERBATIM: put_verbatim(p, block); break;
    case CAIRN_BLOCK_NUMBER:
    case CAIRN_BLOCK_WORD: put_value(p, block); break;
    case CAIRN_BLOCK_TABLE: put_table(p, &p->report->tables[block->index]); break;
    case CAIRN_BLOCK_FIGURE: put_figure(p, p->report->figures[block->index]); break;
    case CAIRN_BLOCK_STEP: put_step(p, block); break;
    case CAIRN_BLOCK_FOLD:
        end_walk(p);
        put_element(p, "<details>\n<summary>", block, "</summary>\n");
        break;
    case CAIRN_BLOCK_FOLD_END:
        end_walk(p);
        cairn_text_add(p->out, "</details>\n");
        break;
    case CAIRN_BLOCK_CHAPTER: end_walk(p); break;
    case CAIRN_BLOCK_SPACE:
        for (size_t i = 0; i < block->index; i++)
            cairn_text_add(p->out, "<p class=\"rule\"></p>\n");
        break;
    case CAIRN_BLOCK_PAGE: cairn_text_add(p->out, "<div class=\"page\"></div>\n"); break;
    case CAIRN_BLOCK_STEP_END: break;
    }
}

static void put_blocks(html_printer *p)
{
    for (size_t i = 0; i < p->report->n_blocks && !p->out->status; i++) {
        const cairn_block *block = &p->report->blocks[i];
        bool is_value = block->kind == CAIRN_BLOCK_NUMBER || block->kind == CAIRN_BLOCK_WORD;
        if (p->in_list && !is_value) {
            cairn_text_add(p->out, "</dl>\n");
            p->in_list = false;
        }
        if (block->kind == CAIRN_BLOCK_STEP_END) end_step(p);
        if (!cairn_outline_follow(&p->outline, block)) break;
        put_block(p, block);
    }
    if (p->in_list) cairn_text_add(p->out, "</dl>\n");
    for (; p->outline.depth && !p->out->status; p->outline.depth--) end_step(p);
    end_walk(p);
}

/* The title stands above everything, wherever its heading comes. */
static void find_title(html_printer *p)
{
    for (size_t i = 0; i < p->report->n_blocks; i++) {
        const cairn_block *block = &p->report->blocks[i];
        if (!p->title && block->kind == CAIRN_BLOCK_HEADING && block->level == 1) p->title = block;
    }
}

static void put_page_start(html_printer *p)
{
    const char *title = p->title && *p->title->text ? p->title->text : "Report";
    cairn_text_add(p->out,
                   "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                   "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
                   "<meta name=\"generator\" content=\"Cairn " CAIRN_VERSION "\">\n<title>");
    put_text(p, title, false);
    cairn_text_addf(p->out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n<h1>",
                    cairn_html_style);
    put_text(p, title, true);
    cairn_text_add(p->out, "</h1>\n");
}

void cairn_report_print_html(cairn_text *out, const cairn_report *report,
                             const cairn_print_options *options)
{
    html_printer p = {
        .out = out,
        .report = report,
        .digits = options->digits,
        .clean = cairn_text_start(out->ctx),
        .outline = {.ctx = out->ctx},
        .level = 1,
        .section_level = 1,
    };
    find_title(&p);
    put_page_start(&p);
    put_blocks(&p);
    cairn_text_add(out, "</main>\n");
    if (p.walks) cairn_text_addf(out, "<script>\n%s</script>\n", cairn_html_script);
    cairn_text_add(out, "</body>\n</html>\n");
    if (!out->status) out->status = p.outline.status ? p.outline.status : p.clean.status;
    cairn_outline_clear(&p.outline);
    cairn_text_clear(&p.clean);
}
