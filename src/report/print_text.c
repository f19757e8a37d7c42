/* SPDX-License-Identifier: MIT */
/* A report as text for a terminal: everything fits the width, in cells, except verbatim text. */
#include "report/document.h"
#include "report/print_table.h"
#include "report/wrap.h"
#include "base/memory.h"
#include <string.h>

enum {
    DIGITS = 6,
    CLIP_BELOW = 6, /* lines that are kept for what stands below a part that was cut */
    LEAST_LINES = 5 /* of a table with its title that is cut */
};

typedef struct text_printer {
    cairn_text *out;
    const cairn_report *report;
    const cairn_print_options *options;
    size_t width;
    cairn_text clean;      /* the block's text, made safe to show */
    cairn_outline outline; /* where we are among the steps */
    bool any;              /* something was printed */
    bool tight;            /* the next block follows without an empty line */
    size_t label_width;    /* of the run of value lines being printed, 0 = not in one */
    size_t clip;           /* where the part begins that may be cut, plus 1; 0 = not in one */
    size_t least;          /* lines of it that are shown in any case */
    bool cut;              /* something of what was printed was cut */
} text_printer;

/* Clean a text of the report; valid until the next call. */
static const char *clean(text_printer *p, const char *text, bool keep_lines)
{
    p->clean.length = 0;
    cairn_text_add(&p->clean, "");
    cairn_text_add_clean(&p->clean, text, keep_lines);
    return cairn_text_string(&p->clean);
}

static void separate(text_printer *p)
{
    if (p->any && !p->tight) cairn_text_add_char(p->out, '\n');
    p->any = true;
    p->tight = false;
}

/* Colour codes must not be counted as cells, so they stand around whole lines. */
static void put_coloured(text_printer *p, const char *code, const char *text, const char *first,
                         const char *rest)
{
    if (p->options->colour) cairn_text_addf(p->out, "\x1b[%sm", code);
    cairn_text_add_wrapped(p->out, text, p->width, first, rest);
    if (!p->options->colour || p->out->status) return;
    p->out->length--; /* the reset comes before the last line end */
    cairn_text_add(p->out, "\x1b[0m\n");
}

static void put_heading(text_printer *p, const cairn_block *block)
{
    const char *text = clean(p, block->text, false);
    put_coloured(p, block->level == 1 ? "1;4" : "1", text, "", "");
    p->tight = true;
    if (p->options->colour || block->level == 3) return;
    size_t width = cairn_text_width(text);
    if (width > p->width) width = p->width;
    for (size_t i = 0; i < width; i++) cairn_text_add(p->out, block->level == 1 ? "═" : "─");
    cairn_text_add_char(p->out, '\n');
}

static void put_step(text_printer *p, const cairn_block *block)
{
    cairn_text title = cairn_text_start(p->out->ctx);
    cairn_text_add(&title, "Step ");
    cairn_outline_add_label(&p->outline, &title);
    cairn_text_add(&title, ". ");
    cairn_text_add_clean(&title, block->text, false);
    put_coloured(p, "1;36", cairn_text_string(&title), "", "  ");
    p->tight = true;
    if (!p->out->status) p->out->status = title.status;
    cairn_text_clear(&title);
}

/* Lines as they are; only unsafe letters change. */
static void put_verbatim(text_printer *p, const cairn_block *block)
{
    cairn_text_add(p->out, clean(p, block->text, true));
    size_t length = p->out->length;
    if (length && p->out->bytes[length - 1] != '\n') cairn_text_add_char(p->out, '\n');
}

static bool is_value(const cairn_block *block)
{
    return block->kind == CAIRN_BLOCK_NUMBER || block->kind == CAIRN_BLOCK_WORD;
}

/* Widest label of the value lines from block i on, but no more than half a line. */
static size_t label_width(text_printer *p, size_t i)
{
    size_t widest = 0;
    for (; i < p->report->n_blocks && is_value(&p->report->blocks[i]); i++) {
        size_t width = cairn_text_width(clean(p, p->report->blocks[i].text, false)) + 1;
        if (width > widest && width <= p->width / 2) widest = width;
    }
    return widest + 1;
}

/* "label:  value", the values of a run below each other. */
static void put_value(text_printer *p, const cairn_block *block)
{
    char number[CAIRN_NUMBER_SIZE];
    int digits = p->options->digits ? p->options->digits : DIGITS;
    if (block->kind == CAIRN_BLOCK_NUMBER) cairn_number_show(number, block->number, digits);
    cairn_text line = cairn_text_start(p->out->ctx), indent = cairn_text_start(p->out->ctx);
    const char *value = block->kind == CAIRN_BLOCK_NUMBER ? number : block->word;
    cairn_text_add(&line, clean(p, block->text, false));
    cairn_text_add_char(&line, ':');
    size_t used = cairn_text_width(cairn_text_string(&line));
    cairn_text_add_repeat(&indent, ' ', p->label_width);
    if (used < p->label_width) {
        cairn_text_add_repeat(&line, ' ', p->label_width - used);
        value = clean(p, value, true);
        cairn_text_add_wrapped(p->out, value, p->width, cairn_text_string(&line),
                               cairn_text_string(&indent));
    } else { /* a label that is too long for its column runs on into its value */
        cairn_text_add_char(&line, ' ');
        cairn_text_add(&line, clean(p, value, true));
        cairn_text_add_wrapped(p->out, cairn_text_string(&line), p->width, "", "  ");
    }
    if (!p->out->status) p->out->status = line.status ? line.status : indent.status;
    cairn_text_clear(&line);
    cairn_text_clear(&indent);
}

static void put_table(text_printer *p, const cairn_block *block)
{
    const cairn_report_table *table = &p->report->tables[block->index];
    if (table->title) put_coloured(p, "1", clean(p, table->title, false), "", "");
    cairn_text_add_table(p->out, table, p->options);
}

static void put_figure(text_printer *p, const cairn_block *block)
{
    char *drawing = NULL;
    cairn_status status = cairn_figure_terminal(p->out->ctx, p->report->figures[block->index],
                                                p->options->width, p->options->colour, &drawing);
    if (status == CAIRN_OK) {
        size_t length = strlen(drawing);
        cairn_text_add(p->out, drawing);
        if (length && drawing[length - 1] != '\n') cairn_text_add_char(p->out, '\n');
    }
    if (!p->out->status) p->out->status = status;
    cairn_free(drawing);
}

/* Colours set notes and formulas off where the terminal has them; the words say it alone as well.
 * */
static void put_block(text_printer *p, const cairn_block *block)
{
    switch (block->kind) {
    case CAIRN_BLOCK_HEADING: put_heading(p, block); break;
    case CAIRN_BLOCK_PARAGRAPH:
        cairn_text_add_wrapped(p->out, clean(p, block->text, true), p->width, "", "");
        break;
    case CAIRN_BLOCK_NOTE:
        put_coloured(p, "33", clean(p, block->text, true), "Note: ", "  ");
        break;
    case CAIRN_BLOCK_FORMULA:
        put_coloured(p, "35", clean(p, block->text, true), "    ", "      ");
        break;
    case CAIRN_BLOCK_VERBATIM: put_verbatim(p, block); break;
    case CAIRN_BLOCK_NUMBER:
    case CAIRN_BLOCK_WORD: put_value(p, block); break;
    case CAIRN_BLOCK_TABLE: put_table(p, block); break;
    case CAIRN_BLOCK_FIGURE: put_figure(p, block); break;
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

static size_t count_lines(const char *text, size_t length)
{
    size_t n = 0;
    for (size_t i = 0; i < length; i++) n += text[i] == '\n';
    return n;
}

/* Where a text that goes on behind `cut` had better end: not with a heading or the first rows of a
 * table, and not with an empty line. */
static size_t good_cut(const char *text, size_t cut)
{
    size_t part = cut; /* where the lines begin that no empty line parts from the cut */
    while (part > 1 && !(text[part - 1] == '\n' && text[part - 2] == '\n')) part--;
    if (part > 1 && text[cut] != '\n' && count_lines(text + part, cut - part) < LEAST_LINES)
        cut = part;
    while (cut > 1 && text[cut - 1] == '\n' && text[cut - 2] == '\n') cut--;
    return cut;
}

/* Cut what may be cut to what the screen has left for it, at the end of a line. */
static void end_clip(text_printer *p)
{
    size_t begin = p->clip - 1, lines = p->options->lines, at = begin;
    p->clip = 0;
    if (!lines || p->out->status) return;
    size_t above = count_lines(p->out->bytes, begin), has, room = p->least;
    if (above + CLIP_BELOW + room < lines) room = lines - CLIP_BELOW - above;
    has = count_lines(p->out->bytes + begin, p->out->length - begin);
    if (has <= room) return;
    for (size_t n = 0; n + 1 < room; at++) n += p->out->bytes[at] == '\n';
    at = good_cut(p->out->bytes + begin, at - begin) + begin;
    has -= count_lines(p->out->bytes + begin, at - begin);
    p->out->length = at;
    if (p->options->colour) cairn_text_add(p->out, "\x1b[0m"); /* the cut may lie in a colour */
    cairn_text_addf(p->out, "… and %zu more lines\n", has);
    p->cut = true;
}

/* The last line in brief: where the rest is. */
static void put_more(text_printer *p)
{
    SCOPED(cairn_text_clear) cairn_text line = cairn_text_start(p->out->ctx);
    if (!p->options->lines || !(p->report->left_out || p->cut) || !p->report->more) return;
    cairn_text_addf(&line, "More: %s", clean(p, p->report->more, false));
    p->tight = false;
    separate(p);
    put_coloured(p, "2", cairn_text_string(&line), "", "  ");
    if (!p->out->status) p->out->status = line.status;
}

void cairn_report_print_text(cairn_text *out, const cairn_report *report,
                             const cairn_print_options *options)
{
    text_printer p = {
        .out = out,
        .report = report,
        .options = options,
        .width = (size_t)options->width,
        .clean = cairn_text_start(out->ctx),
        .outline = {.ctx = out->ctx},
    };
    for (size_t i = 0; i < report->n_blocks && !out->status; i++) {
        const cairn_block *block = &report->blocks[i];
        if (!cairn_outline_follow(&p.outline, block)) break;
        if (cairn_block_is_bracket(block)) {
            if (p.clip && block->kind >= CAIRN_BLOCK_CLIP) end_clip(&p);
            if (block->kind == CAIRN_BLOCK_CLIP) p.clip = out->length + 1, p.least = block->index;
            p.tight = false;
            p.label_width = 0;
            continue;
        }
        if (cairn_block_is_for_pages(block)) continue;
        if (p.clip && p.least < options->lines && block->kind == CAIRN_BLOCK_FIGURE) {
            p.cut = true; /* half a picture is none */
            continue;
        }
        if (!is_value(block)) p.label_width = 0;
        if (!is_value(block) || !p.label_width) separate(&p);
        if (is_value(block) && !p.label_width) p.label_width = label_width(&p, i);
        put_block(&p, block);
    }
    if (p.clip) end_clip(&p);
    put_more(&p);
    if (!out->status) out->status = p.outline.status ? p.outline.status : p.clean.status;
    cairn_outline_clear(&p.outline);
    cairn_text_clear(&p.clean);
}
