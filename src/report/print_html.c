/* SPDX-License-Identifier: MIT */
/* A report as one HTML page that needs nothing else: no network, style and script inside, figures
 * as inline SVG. Every step is a section; the script makes a walk of them. Headings never skip a
 * level: the title is the only h1, steps and headings follow below what surrounds them. */
#include "report/document.h"
#include "report/html_page.h"
#include "report/wrap.h"
#include "base/memory.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Parsers give up on sections nested too deep; deeper steps are headings inside. */
enum {
    DIGITS = 6,
    DEEPEST_SECTION = 12,
    WIDE_FIGURE = 760,
    SMALL_FIGURE = 260, /* stands beside its neighbours */
    LARGEST_FIGURE = 30000,
    LONG_CELL = 40,
    LEAST_ENTRIES = 3, /* that need a list of contents */
    MOST_ENTRIES = 200,
    ENTRY_WIDTH = 44,
    MOST_ALERTS = 12,
    ALERT_WIDTH = 160
};

typedef struct html_printer {
    cairn_text *out;
    const cairn_report *report;
    int digits;
    size_t n_entries; /* of the list of contents */
    bool has_alerts;  /* there are warnings, or notes that are named on top as well */
    bool has_cut;     /* numbers of which digits were left out */
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

/* Text of which the end is left out where it is too long, on one line. */
static void put_cut(html_printer *p, const char *text, size_t width)
{
    cairn_text cut = cairn_text_start(p->out->ctx);
    p->clean.length = 0;
    cairn_text_add(&p->clean, "");
    cairn_text_add_clean(&p->clean, text, false);
    cairn_text_add_cut(&cut, cairn_text_string(&p->clean), width);
    cairn_text_add_html(p->out, cairn_text_string(&cut));
    if (!p->out->status) p->out->status = cut.status;
    cairn_text_clear(&cut);
}

/* What other places of the page point to: "part-7" for the seventh block. */
static size_t place_of(const html_printer *p, const cairn_block *block)
{
    return (size_t)(block - p->report->blocks) + 1;
}

/* The level for a heading that wants `wanted`: at most one below the last. */
static size_t next_level(html_printer *p, size_t wanted)
{
    if (wanted > p->level + 1) wanted = p->level + 1;
    p->level = wanted > 6 ? 6 : wanted;
    return p->level;
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

static void end_walk(html_printer *p)
{
    if (p->in_walk) cairn_text_add(p->out, "</div>\n");
    p->in_walk = false;
}

/* Past a depth that no history needs, a step is a heading only: neither a section nor a link. */
static void put_step(html_printer *p, const cairn_block *block)
{
    size_t number = p->outline.total, level = next_level(p, p->section_level + p->outline.depth);
    if (p->outline.depth == 1) {
        /* The steps of a chapter and the buttons that walk through them, shown by the script. */
        if (!p->in_walk && !(steps_ahead(p, block) < 2)) {
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
    }
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

/* A number as shown; where digits were left out, the title has them all and the page's switch
 * brings them forward. */
static void put_exact(html_printer *p, const char *shown, double number)
{
    char all[CAIRN_NUMBER_SIZE];
    double back = 0;
    bool same =
        !isfinite(number) || (cairn_number_parse(shown, strlen(shown), &back) && back == number);
    if (same) {
        cairn_text_add_html(p->out, shown);
        return;
    }
    cairn_number_format(all, number, CAIRN_SHORTEST);
    cairn_text_addf(p->out, "<span class=\"cut\" title=\"%s\">%s</span>", all, shown);
    p->has_cut = true;
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
        put_exact(p, number, block->number);
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
static const char *cell_class(const cairn_shown_cell *cell, char align)
{
    bool is_long = cell->text && align == 'l' && strlen(cell->text) > LONG_CELL;
    return is_long ? " class=\"long\"" : align_class(align);
}

/* The first cell is the head of its row for readers of screens; a chosen row is told by a sign, not
 * by its colour alone. */
static void put_table_row(html_printer *p, const cairn_report_table *table, size_t row, bool marked,
                          const cairn_column_style *styles)
{
    cairn_text_add(p->out, marked ? "<tr class=\"chosen\">" : "<tr>");
    for (size_t j = 0; j < table->n_columns; j++) {
        const cairn_shown_cell *cell = &table->cells[row * table->n_columns + j];
        char align = table->columns[j].align;
        bool names_row = j == 0 && cell->text && *cell->text;
        cairn_text_addf(p->out, names_row ? "<th scope=\"row\"%s>" : "<td%s>",
                        cell_class(cell, align));
        if (marked && j == 0)
            cairn_text_add(p->out,
                           "<span class=\"mark\" role=\"img\" aria-label=\"chosen\">▶</span>");
        if (cell->text)
            put_text(p, cell->text, true);
        else {
            /* A number, followed by the invisible rest that brings its point below the others. */
            const cairn_column_style *style = &styles[j];
            char number[CAIRN_NUMBER_SIZE];
            size_t before = cairn_cell_format(number, style, cell, p->digits);
            size_t after = strlen(number) - before;
            put_exact(p, number, cell->number);
            if (align == 'r' && isfinite(cell->number) && !(after >= style->after)) {
                cairn_text_add(p->out, "<span data-pad=\"");
                if (after == 0) cairn_text_add_char(p->out, '.');
                cairn_text_add_repeat(p->out, '0', style->after - after - (after == 0));
                cairn_text_add(p->out, "\"></span>");
            }
        }
        cairn_text_add(p->out, names_row ? "</th>" : "</td>");
    }
    cairn_text_add(p->out, "</tr>\n");
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
    cairn_text_add(p->out, "<thead><tr>");
    for (size_t j = 0; j < table->n_columns; j++) {
        cairn_text_addf(p->out, "<th scope=\"col\"%s>", align_class(table->columns[j].align));
        put_text(p, table->columns[j].head, true);
        cairn_text_add(p->out, "</th>");
    }
    cairn_text_add(p->out, "</tr></thead>\n");
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
    cairn_text_add(p->out, "</div>\n");
    cairn_free(styles);
}

/* Where the width that the svg element asks for begins; NULL when it does not say. */
static const char *svg_width_at(const char *svg)
{
    const char *at = strstr(svg, " width=\""), *end = strchr(svg, '>');
    return at && end && at < end ? at + strlen(" width=\"") : NULL;
}

/* The drawing with a width of our own: a number or 100%. It is an attribute and not a style, which
 * the page's policy would have to allow for everybody. */
static void put_svg(html_printer *p, const char *svg, const char *width)
{
    const char *at = svg_width_at(svg);
    if (!at) {
        cairn_text_add(p->out, svg);
        return;
    }
    cairn_text_add_bytes(p->out, svg, (size_t)(at - svg));
    cairn_text_add(p->out, width);
    cairn_text_add(p->out, at + strcspn(at, "\""));
}

/* Figures are drawn in points and shown a little larger. They shrink to the page, wide ones only so
 * far that they stay readable; then they scroll. */
static void put_figure(html_printer *p, const cairn_figure *figure)
{
    char *drawing = NULL, shown[16];
    cairn_status status = cairn_figure_svg(p->out->ctx, figure, &drawing);
    if (!p->out->status) p->out->status = status;
    if (status) return;
    const char *svg = strstr(drawing, "<svg"), *title = cairn_figure_title(figure);
    const char *at = svg ? svg_width_at(svg) : NULL;
    double asked = 0;
    if (at && !cairn_number_scan(at, at + strcspn(at, "\""), &asked)) asked = 0;
    int width = (int)fmin(asked, LARGEST_FIGURE);
    if (width > WIDE_FIGURE) {
        cairn_text_add(p->out, "<figure class=\"wide\" role=\"region\" tabindex=\"0\" "
                               "aria-label=\"");
        put_text(p, title && *title ? title : "Figure", false);
        cairn_text_add(p->out, "\">\n");
        snprintf(shown, sizeof shown, "%d", width * 9 / 10);
    } else if (width > 0 && width <= SMALL_FIGURE) {
        cairn_text_add(p->out, "<figure class=\"small\">\n");
        snprintf(shown, sizeof shown, "100%%");
    } else {
        cairn_text_add(p->out, "<figure>\n");
        snprintf(shown, sizeof shown, "%d", width * 5 / 4);
    }
    if (svg) put_svg(p, svg, shown);
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

/* A note where it belongs; that of pages stands on top. */
static void put_note(html_printer *p, const cairn_block *block)
{
    if (block->level) return;
    cairn_text_addf(p->out, "<div class=\"note\" role=\"note\" id=\"part-%zu\"><p><b>Note</b>",
                    place_of(p, block));
    put_text(p, block->text, true);
    cairn_text_add(p->out, "</p></div>\n");
}

/* The title of the page is a block, too, but stands in its head already; ends of steps are handled
 * by the outline. */
static void put_block(html_printer *p, const cairn_block *block)
{
    switch (block->kind) {
    case CAIRN_BLOCK_HEADING:
        if (!p->outline.depth && p->in_walk && !steps_ahead(p, block)) end_walk(p);
        if (block != p->title) {
            size_t wanted = block->level < 2 ? 2 : (size_t)block->level;
            if (p->outline.depth) wanted += p->section_level + p->outline.depth - 1;
            size_t level = next_level(p, wanted);
            if (!p->outline.depth) p->section_level = level;
            cairn_text_addf(p->out, "<h%zu", level);
            if (!p->outline.depth) cairn_text_addf(p->out, " id=\"part-%zu\"", place_of(p, block));
            cairn_text_add(p->out, ">");
            put_text(p, block->text, true);
            cairn_text_addf(p->out, "</h%zu>\n", level);
        }
        break;
    case CAIRN_BLOCK_PARAGRAPH: put_element(p, "<p>", block, "</p>\n"); break;
    case CAIRN_BLOCK_NOTE: put_note(p, block); break;
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
    case CAIRN_BLOCK_STEP_END:
    case CAIRN_BLOCK_CLIP:
    case CAIRN_BLOCK_CLIP_END: break;
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

/* How much deeper a block leads: into steps and folds +1, out of them -1. */
static int depth_change(const cairn_block *block)
{
    return (block->kind == CAIRN_BLOCK_STEP || block->kind == CAIRN_BLOCK_FOLD) -
           (block->kind == CAIRN_BLOCK_STEP_END || block->kind == CAIRN_BLOCK_FOLD_END);
}

/* Whether a block outside steps and folds is listed in the contents: sections and steps. */
static bool is_entry(const html_printer *p, const cairn_block *block, ptrdiff_t depth)
{
    if (depth > 0 || block == p->title) return false;
    return block->kind == CAIRN_BLOCK_STEP ||
           (block->kind == CAIRN_BLOCK_HEADING && block->level <= 2);
}

/* Whether a note stands on top only: it has no other place. */
static bool is_warning(const cairn_block *block)
{
    return block->kind == CAIRN_BLOCK_NOTE && block->level;
}

/* Whether a note is named on top as well: one below a section's heading. Those before it are on top
 * anyway, those inside a step belong to its calculation. */
static bool is_alert(const cairn_block *block, ptrdiff_t depth, size_t entries_before)
{
    return block->kind == CAIRN_BLOCK_NOTE && !block->level && depth <= 0 && entries_before > 0;
}

/* What the page needs to know beforehand: its title, and whether its lists are needed. */
static void look_ahead(html_printer *p)
{
    ptrdiff_t depth = 0;
    p->title = cairn_report_title_block(p->report);
    for (size_t i = 0; i < p->report->n_blocks; i++) {
        const cairn_block *block = &p->report->blocks[i];
        p->n_entries += is_entry(p, block, depth);
        p->has_alerts |= is_warning(block) || is_alert(block, depth, p->n_entries);
        depth += depth_change(block);
    }
}

/* The contents: beside the page where there is room, folded by the script where there is not. */
static void put_contents(html_printer *p)
{
    ptrdiff_t depth = 0;
    size_t n = 0, step = 0;
    if (p->n_entries < LEAST_ENTRIES) return;
    cairn_text_add(p->out, "<nav class=\"contents\" aria-label=\"Contents\">\n<details open>"
                           "<summary>Contents</summary>\n<ul>\n");
    for (size_t i = 0; i < p->report->n_blocks && n < MOST_ENTRIES && !p->out->status; i++) {
        const cairn_block *block = &p->report->blocks[i];
        bool entry = is_entry(p, block, depth);
        if (entry) {
            /* One line of the contents; `step` is the number of steps before it. */
            if (block->kind == CAIRN_BLOCK_STEP)
                cairn_text_addf(p->out, "<li class=\"sub\"><a href=\"#step-%zu\">", step + 1);
            else
                cairn_text_addf(p->out, "<li><a href=\"#part-%zu\">", place_of(p, block));
            put_cut(p, block->text, ENTRY_WIDTH);
            cairn_text_add(p->out, "</a></li>\n");
        }
        n += entry;
        step += block->kind == CAIRN_BLOCK_STEP;
        depth += depth_change(block);
    }
    if (n < p->n_entries) cairn_text_addf(p->out, "<li>… and %zu more</li>\n", p->n_entries - n);
    cairn_text_add(p->out, "</ul>\n</details>\n</nav>\n");
}

/* The warnings of the run, or the notes that stand below a section's heading. */
static void put_alerts_of(html_printer *p, bool warnings)
{
    size_t n_entries = 0, n = 0;
    ptrdiff_t depth = 0;
    for (size_t i = 0; i < p->report->n_blocks && !p->out->status; i++) {
        const cairn_block *block = &p->report->blocks[i];
        n_entries += is_entry(p, block, depth);
        if (warnings ? is_warning(block) : is_alert(block, depth, n_entries))
            if (n++ < MOST_ALERTS) {
                if (block->level) {
                    cairn_text_add(p->out, "<li><b>Warning</b>");
                    put_text(p, block->text, false);
                } else {
                    cairn_text_addf(p->out, "<li><b>Note</b><a href=\"#part-%zu\">",
                                    place_of(p, block));
                    put_cut(p, block->text, ALERT_WIDTH);
                    cairn_text_add(p->out, "</a>");
                }
                cairn_text_add(p->out, "</li>\n");
            }
        depth += depth_change(block);
    }
    if (n > MOST_ALERTS) cairn_text_addf(p->out, "<li>… and %zu more</li>\n", n - MOST_ALERTS);
}

/* What the reader must not miss, and the way to it. */
static void put_alerts(html_printer *p)
{
    if (!p->has_alerts) return;
    cairn_text_add(p->out, "<div class=\"alerts\" role=\"note\" aria-label=\"Warnings and notes\">"
                           "\n<ul>\n");
    put_alerts_of(p, true);
    put_alerts_of(p, false);
    cairn_text_add(p->out, "</ul>\n</div>\n");
}

/* The page admits its own style and script by their hashes, and nothing else. */
static void put_page_start(html_printer *p)
{
    const char *title = p->title && *p->title->text ? p->title->text : "Report";
    cairn_text_add(p->out,
                   "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                   "style-src '" CAIRN_HTML_STYLE_HASH "'; script-src '" CAIRN_HTML_SCRIPT_HASH
                   "'\">\n"
                   "<meta name=\"generator\" content=\"Cairn " CAIRN_VERSION "\">\n<title>");
    put_text(p, title, false);
    if (p->report->run) {
        cairn_text_add(p->out, " · ");
        put_cut(p, p->report->run, ALERT_WIDTH);
    }
    cairn_text_addf(p->out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n", cairn_html_style);
    put_contents(p);
    cairn_text_add(p->out, "<main>\n<h1>");
    put_text(p, title, true);
    cairn_text_add(p->out, "</h1>\n");
    if (!p->report->run) return;
    cairn_text_add(p->out, "<p class=\"run\"><code>");
    put_text(p, p->report->run, false);
    cairn_text_add(p->out, "</code></p>\n");
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
    look_ahead(&p);
    put_page_start(&p);
    put_alerts(&p);
    put_blocks(&p);
    cairn_text_add(out, "</main>\n");
    if (p.walks || p.has_cut || p.n_entries >= LEAST_ENTRIES)
        cairn_text_addf(out, "<script>\n%s</script>\n", cairn_html_script);
    cairn_text_add(out, "</body>\n</html>\n");
    if (!out->status) out->status = p.outline.status ? p.outline.status : p.clean.status;
    cairn_outline_clear(&p.outline);
    cairn_text_clear(&p.clean);
}
