/* SPDX-License-Identifier: MIT */
/* Building and reading a report.
 *
 * Strings are packed into chunks that never move; blocks, tables, figures and values are growing
 * arrays that point into them. Names of values are looked up in a hash map, so a million values
 * cost a million look-ups and nothing more. The first failure sticks and later calls do nothing. */
#include "report/document.h"
#include "base/call.h"
#include "base/options.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

enum {
    CHUNK_FIRST = 1024,
    CHUNK_LARGEST = 1 << 18,
    ROWS_KEPT = 50,
    ROWS_NAMED = 1000000,
    DIGITS = 6
};

struct cairn_report_chunk {
    cairn_report_chunk *older;
    size_t size, used;
    char bytes[];
};

cairn_status cairn_report_new(cairn_context *ctx, cairn_report **out)
{
    PUBLIC_CALL(ctx);
    cairn_report *report;
    cairn_status status = NEW(ctx, &report, 1);
    if (status) return status;
    report->ctx = ctx;
    report->buffer = report->prefix = report->name = cairn_text_start(ctx);
    report->lengths = CAIRN_IN_BOTH;
    *out = report;
    return CAIRN_OK;
}

/* Free the arrays and make the report empty; tables and figures must be gone or moved. */
static void drop_arrays(cairn_report *report)
{
    FREE_EACH(report->blocks, report->tables, report->figures, report->values, report->keys);
    cairn_map_clear(&report->names);
    cairn_map_clear(&report->parts);
    cairn_text_clear(&report->buffer);
    cairn_text_clear(&report->prefix);
    cairn_text_clear(&report->name);
    *report = (cairn_report){.ctx = report->ctx,
                             .lengths = CAIRN_IN_BOTH,
                             .buffer = report->buffer,
                             .prefix = report->prefix,
                             .name = report->name};
}

static void clear_report(cairn_report *report)
{
    for (size_t i = 0; i < report->n_tables; i++) {
        cairn_report_table *table = &report->tables[i];
        FREE_EACH(table->columns, table->cells, table->marked);
    }
    for (size_t i = 0; i < report->n_figures; i++) cairn_figure_free(report->figures[i]);
    cairn_report_chunk *chunk = report->chunks;
    while (chunk) {
        cairn_report_chunk *older = chunk->older;
        cairn_free(chunk);
        chunk = older;
    }
    drop_arrays(report);
}

void cairn_report_free(cairn_report *report)
{
    if (!report) return;
    clear_report(report);
    cairn_free(report);
}

cairn_status cairn_report_status(const cairn_report *report)
{
    return report ? report->status : CAIRN_OK;
}

/* Remember the first failure; true when all is well. */
static bool keep(cairn_report *report, cairn_status status)
{
    if (!report->status) report->status = status;
    return report->status == CAIRN_OK;
}

void cairn_report_failed(cairn_report *report, cairn_status status)
{
    if (report) (void)keep(report, status);
}

cairn_context *cairn_report_context(const cairn_report *report)
{
    return report ? report->ctx : NULL;
}

static bool usable(const cairn_report *report)
{
    return report && report->status == CAIRN_OK;
}

/* Long reports come by here every 256 KB, and ask whether to go on. */
static cairn_status chunk_new(cairn_report *report, size_t needed)
{
    char *block;
    CHECK(cairn_tick(report->ctx, NULL, 0, 0));
    size_t size = report->chunks ? report->chunks->size * 2 : CHUNK_FIRST;
    if (size > CHUNK_LARGEST) size = CHUNK_LARGEST;
    if (size < needed) size = needed;
    cairn_status status = NEW_RAW(report->ctx, &block, sizeof(cairn_report_chunk) + size);
    if (status) return status;
    cairn_report_chunk *chunk = (cairn_report_chunk *)(void *)block;
    chunk->older = report->chunks;
    chunk->size = size;
    chunk->used = 0;
    report->chunks = chunk;
    return CAIRN_OK;
}

/* A copy of the bytes that lives as long as the report; NULL once anything failed. */
static const char *store_bytes(cairn_report *report, const char *bytes, size_t length)
{
    cairn_report_chunk *chunk = report->chunks;
    if (!chunk || chunk->size - chunk->used < length + 1) {
        if (!keep(report, chunk_new(report, length + 1))) return NULL;
        chunk = report->chunks;
    }
    char *copy = chunk->bytes + chunk->used;
    if (length) memcpy(copy, bytes, length);
    copy[length] = 0;
    chunk->used += length + 1;
    return copy;
}

static const char *store(cairn_report *report, const char *text)
{
    return text ? store_bytes(report, text, strlen(text)) : store_bytes(report, "", 0);
}

/* Format into the report's buffer; false once anything failed. */
static bool format_buffer(cairn_report *report, const char *format, va_list arguments)
{
    report->buffer.length = 0;
    if (format)
        cairn_text_addv(&report->buffer, format, arguments);
    else
        cairn_text_add(&report->buffer, "");
    return keep(report, cairn_text_status(&report->buffer));
}

static const char *store_format(cairn_report *report, const char *format, va_list arguments)
{
    if (!format_buffer(report, format, arguments)) return NULL;
    return store_bytes(report, cairn_text_string(&report->buffer), report->buffer.length);
}

static void add_block(cairn_report *report, cairn_block block)
{
    block.lengths = report->lengths;
    if (!block.lengths) return;
    if (block.kind == CAIRN_BLOCK_NOTE && block.lengths & CAIRN_NOTES)
        block.lengths |= CAIRN_IN_BRIEF;
    if (!keep(report,
              GROW(report->ctx, &report->blocks, &report->blocks_capacity, report->n_blocks + 1)))
        return;
    report->blocks[report->n_blocks++] = block;
}

static void add_text_block(cairn_report *report, cairn_block_kind kind, int level,
                           const char *format, va_list arguments)
{
    char said[CAIRN_MESSAGE_SIZE];
    if (!usable(report)) return;
    if (kind == CAIRN_BLOCK_PARAGRAPH || kind == CAIRN_BLOCK_NOTE) /* they may name parameters */
        format = cairn_format_said(report->ctx, said, sizeof said, format);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" /* the literal with its marks written out */
    const char *text = store_format(report, format, arguments);
#pragma GCC diagnostic pop
    if (text) add_block(report, (cairn_block){.kind = kind, .level = level, .text = text});
}

void cairn_report_add_key(cairn_text *out, const char *part)
{
    for (; *part; part++) {
        if (*part == '.' || *part == '\\') cairn_text_add_char(out, '\\');
        cairn_text_add_char(out, *part);
    }
}

const char *cairn_report_key(cairn_report *report, const char *part)
{
    if (!usable(report) || !part) return "";
    size_t index, known = report->parts.n;
    if (!keep(report, cairn_map_add(report->ctx, &report->parts, part, strlen(part), &index)))
        return "";
    if (index < known) return report->keys[index];
    report->buffer.length = 0;
    cairn_report_add_key(&report->buffer, part);
    if (!keep(report, cairn_text_status(&report->buffer))) return "";
    const char *key =
        store_bytes(report, cairn_text_string(&report->buffer), report->buffer.length);
    if (!key || !keep(report, GROW(report->ctx, &report->keys, &report->keys_capacity, known + 1)))
        return "";
    report->keys[index] = key;
    return key;
}

unsigned cairn_report_only(cairn_report *report, unsigned lengths)
{
    if (!report) return CAIRN_IN_BOTH;
    unsigned before = report->lengths;
    cairn_report_table_end(report);
    report->lengths &= lengths;
    if (report->lengths == CAIRN_NOTES) report->lengths = 0;
    return before;
}

void cairn_report_for(cairn_report *report, unsigned lengths)
{
    if (!report) return;
    cairn_report_table_end(report);
    report->lengths = lengths;
}

void cairn_report_clip_begin(cairn_report *report, size_t least)
{
    if (!usable(report)) return;
    cairn_report_table_end(report);
    add_block(report, (cairn_block){.kind = CAIRN_BLOCK_CLIP, .index = least});
}

void cairn_report_clip_end(cairn_report *report)
{
    if (!usable(report)) return;
    cairn_report_table_end(report);
    add_block(report, (cairn_block){.kind = CAIRN_BLOCK_CLIP_END});
}

void cairn_report_more(cairn_report *report, const char *format, ...)
{
    if (!usable(report) || !(report->lengths & CAIRN_IN_BRIEF)) return;
    char said[CAIRN_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    format = cairn_format_said(report->ctx, said, sizeof said, format);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" /* the literal with its marks written out */
    report->more = store_format(report, format, arguments);
#pragma GCC diagnostic pop
    va_end(arguments);
}

void cairn_report_heading(cairn_report *report, int level, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    level = level < 1 ? 1 : level > 3 ? 3 : level;
    add_text_block(report, CAIRN_BLOCK_HEADING, level, format, arguments);
    va_end(arguments);
}

void cairn_report_paragraph(cairn_report *report, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_text_block(report, CAIRN_BLOCK_PARAGRAPH, 0, format, arguments);
    va_end(arguments);
}

void cairn_report_note(cairn_report *report, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_text_block(report, CAIRN_BLOCK_NOTE, 0, format, arguments);
    va_end(arguments);
}

void cairn_report_run(cairn_report *report, const char *command)
{
    if (usable(report)) report->run = store(report, command);
}

void cairn_report_page_warning(cairn_report *report, const char *message)
{
    const char *text = usable(report) ? store(report, message) : NULL;
    if (text) add_block(report, (cairn_block){.kind = CAIRN_BLOCK_NOTE, .level = 1, .text = text});
}

bool cairn_block_is_for_pages(const cairn_block *block)
{
    return block->level && (block->kind == CAIRN_BLOCK_FIGURE || block->kind == CAIRN_BLOCK_NOTE);
}

void cairn_report_formula(cairn_report *report, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_text_block(report, CAIRN_BLOCK_FORMULA, 0, format, arguments);
    va_end(arguments);
}

void cairn_report_verbatim(cairn_report *report, const char *text)
{
    if (!usable(report)) return;
    const char *copy = store(report, text);
    if (copy) add_block(report, (cairn_block){.kind = CAIRN_BLOCK_VERBATIM, .text = copy});
}

/* Give a value its name. Returns the number of the name plus 1, 0 when it has none. */
static size_t set_value(cairn_report *report, const char *name, size_t length, cairn_value value)
{
    size_t index, known = report->names.n;
    if (!keep(report, GROW(report->ctx, &report->values, &report->values_capacity, known + 1)))
        return 0;
    if (!keep(report, cairn_map_add(report->ctx, &report->names, name, length, &index))) return 0;
    report->values[index] = value;
    return index + 1;
}

static size_t name_value(cairn_report *report, cairn_value value, const char *name,
                         va_list arguments)
{
    if (!name || !format_buffer(report, name, arguments)) return 0;
    return set_value(report, cairn_text_string(&report->buffer), report->buffer.length, value);
}

void cairn_report_value(cairn_report *report, const char *label, double value, const char *name,
                        ...)
{
    if (!usable(report)) return;
    va_list arguments;
    va_start(arguments, name);
    size_t index = name_value(report, (cairn_value){.number = value}, name, arguments);
    va_end(arguments);
    const char *text = usable(report) ? store(report, label) : NULL;
    if (text)
        add_block(report, (cairn_block){
                              .kind = CAIRN_BLOCK_NUMBER,
                              .index = index,
                              .text = text,
                              .number = value,
                          });
}

void cairn_report_word(cairn_report *report, const char *label, const char *word, const char *name,
                       ...)
{
    if (!usable(report)) return;
    const char *copy = store(report, word);
    if (!copy) return;
    va_list arguments;
    va_start(arguments, name);
    size_t index = name_value(report, (cairn_value){.word = copy}, name, arguments);
    va_end(arguments);
    const char *text = usable(report) ? store(report, label) : NULL;
    if (text)
        add_block(report, (cairn_block){
                              .kind = CAIRN_BLOCK_WORD,
                              .index = index,
                              .text = text,
                              .word = copy,
                          });
}

void cairn_report_hidden(cairn_report *report, double value, const char *name, ...)
{
    if (!usable(report)) return;
    va_list arguments;
    va_start(arguments, name);
    name_value(report, (cairn_value){.number = value}, name, arguments);
    va_end(arguments);
}

void cairn_report_hidden_word(cairn_report *report, const char *word, const char *name, ...)
{
    if (!usable(report)) return;
    const char *copy = store(report, word);
    if (!copy) return;
    va_list arguments;
    va_start(arguments, name);
    name_value(report, (cairn_value){.word = copy}, name, arguments);
    va_end(arguments);
}

/* The table being filled, NULL when there is none. */
static cairn_report_table *open_table(const cairn_report *report)
{
    if (!usable(report) || !report->table_is_open) return NULL;
    return &report->tables[report->n_tables - 1];
}

void cairn_report_table_begin(cairn_report *report, const char *title, size_t limit)
{
    cairn_report_table_end(report);
    if (!usable(report)) return;
    const char *copy = title && *title ? store(report, title) : NULL;
    if (!keep(report,
              GROW(report->ctx, &report->tables, &report->tables_capacity, report->n_tables + 1)))
        return;
    report->tables[report->n_tables++] = (cairn_report_table){
        .title = copy, .limit = limit ? limit : ROWS_KEPT, .lengths = report->lengths};
    report->table_is_open = true;
    report->prefix.length = 0;
    add_block(report, (cairn_block){.kind = CAIRN_BLOCK_TABLE, .index = report->n_tables - 1});
}

void cairn_report_column(cairn_report *report, const char *head, char align)
{
    cairn_report_table *table = open_table(report);
    if (!table || table->n_cells || table->n_seen) return;
    const char *copy = store(report, head);
    if (!copy || !keep(report, GROW(report->ctx, &table->columns, &table->columns_capacity,
                                    table->n_columns + 1)))
        return;
    if (align != 'r' && align != 'c') align = 'l';
    table->columns[table->n_columns++] = (cairn_report_column_head){copy, align};
}

void cairn_report_column_heads(cairn_report *report, const char *align, const char *const *heads)
{
    for (size_t i = 0; align[i]; i++) cairn_report_column(report, heads[i], align[i]);
}

void cairn_report_table_heads(cairn_report *report, const char *title, size_t limit,
                              const char *align, const char *const *heads)
{
    cairn_report_table_begin(report, title, limit);
    cairn_report_column_heads(report, align, heads);
}

/* Whether the next cell will be kept. */
static bool cell_wanted(const cairn_report *report)
{
    const cairn_report_table *table = open_table(report);
    return table && table->n_columns && table->n_seen < table->limit;
}

/* Whether the next cell may have a name: what is not shown may still be wanted by a program. */
static bool cell_named(const cairn_report *report)
{
    const cairn_report_table *table = open_table(report);
    return table && table->n_columns && table->n_seen < ROWS_NAMED;
}

/* Put the next cell in its place, or only count it beyond the limit. */
static void add_cell(cairn_report *report, cairn_shown_cell cell)
{
    cairn_report_table *table = open_table(report);
    if (!table || !table->n_columns) return;
    if (table->n_seen < table->limit) {
        if (!keep(report,
                  GROW(report->ctx, &table->cells, &table->cells_capacity, table->n_cells + 1)))
            return;
        table->cells[table->n_cells++] = cell;
        table->n_rows += table->at + 1 == table->n_columns;
    }
    if (++table->at == table->n_columns) {
        table->at = 0;
        table->n_seen++;
    }
}

void cairn_report_cell(cairn_report *report, const char *text)
{
    const char *copy = cell_wanted(report) ? store(report, text) : "";
    if (copy) add_cell(report, (cairn_shown_cell){.text = copy});
}

void cairn_report_cellf(cairn_report *report, const char *format, ...)
{
    const char *copy = "";
    if (cell_wanted(report)) {
        va_list arguments;
        va_start(arguments, format);
        copy = store_format(report, format, arguments);
        va_end(arguments);
    }
    if (copy) add_cell(report, (cairn_shown_cell){.text = copy});
}

static void add_number(cairn_report *report, double value, int digits, const char *name,
                       va_list arguments)
{
    if (cell_named(report)) name_value(report, (cairn_value){.number = value}, name, arguments);
    digits = digits < 1 ? DIGITS : digits > 17 ? 17 : digits;
    add_cell(report, (cairn_shown_cell){.number = value, .digits = digits});
}

void cairn_report_cell_number(cairn_report *report, double value, int digits, const char *name, ...)
{
    va_list arguments;
    va_start(arguments, name);
    add_number(report, value, digits, name, arguments);
    va_end(arguments);
}

void cairn_report_cell_difference(cairn_report *report, double value, double of, int digits,
                                  const char *name, ...)
{
    va_list arguments;
    va_start(arguments, name);
    add_number(report, cairn_number_left(value, of), digits, name, arguments);
    va_end(arguments);
}

void cairn_report_cell_word(cairn_report *report, const char *word, const char *name, ...)
{
    const char *copy = "";
    if (cell_named(report)) {
        copy = store(report, word);
        if (!copy) return;
        va_list arguments;
        va_start(arguments, name);
        name_value(report, (cairn_value){.word = copy}, name, arguments);
        va_end(arguments);
    }
    add_cell(report, (cairn_shown_cell){.text = copy});
}

void cairn_report_row_mark(cairn_report *report)
{
    cairn_report_table *table = open_table(report);
    if (!table || table->n_seen >= table->limit) return;
    if (table->n_marked && table->marked[table->n_marked - 1] == table->n_seen) return;
    if (!keep(report,
              GROW(report->ctx, &table->marked, &table->marked_capacity, table->n_marked + 1)))
        return;
    table->marked[table->n_marked++] = table->n_seen;
}

bool cairn_report_row_wanted(const cairn_report *report)
{
    return cell_wanted(report);
}

void cairn_report_table_end(cairn_report *report)
{
    cairn_report_table *table = open_table(report);
    if (!table) return;
    while (table->at && usable(report)) add_cell(report, (cairn_shown_cell){.text = ""});
    report->table_is_open = false;
}

static void add_figure(cairn_report *report, cairn_figure *figure, bool page_only)
{
    if (!figure) return;
    bool whole = usable(report) && keep(report, cairn_figure_status(figure));
    if (whole && report->take_figure) {
        report->take_figure(report->taker, figure);
        return;
    }
    if (!whole || !keep(report, GROW(report->ctx, &report->figures, &report->figures_capacity,
                                     report->n_figures + 1))) {
        cairn_figure_free(figure);
        return;
    }
    report->figures[report->n_figures++] = figure;
    add_block(report, (cairn_block){.kind = CAIRN_BLOCK_FIGURE,
                                    .level = page_only,
                                    .index = report->n_figures - 1});
}

void cairn_report_figure(cairn_report *report, cairn_figure *figure)
{
    add_figure(report, figure, false);
}

void cairn_report_page_figure(cairn_report *report, cairn_figure *figure)
{
    add_figure(report, figure, true);
}

void cairn_report_hand_figures(cairn_report *report, cairn_figure_taker take, void *data)
{
    report->take_figure = take;
    report->taker = data;
}

void cairn_report_step_begin(cairn_report *report, const char *format, ...)
{
    if (!usable(report)) return;
    va_list arguments;
    va_start(arguments, format);
    add_text_block(report, CAIRN_BLOCK_STEP, 0, format, arguments);
    va_end(arguments);
    report->open_steps += usable(report);
}

void cairn_report_step_end(cairn_report *report)
{
    if (!usable(report) || !report->open_steps) return;
    cairn_report_table_end(report);
    add_block(report, (cairn_block){.kind = CAIRN_BLOCK_STEP_END});
    report->open_steps -= usable(report);
}

void cairn_report_chapter(cairn_report *report)
{
    if (!usable(report) || report->open_steps) return;
    cairn_report_table_end(report);
    add_block(report, (cairn_block){.kind = CAIRN_BLOCK_CHAPTER});
}

void cairn_report_space(cairn_report *report, size_t lines)
{
    if (!usable(report)) return;
    cairn_report_table_end(report);
    add_block(report, (cairn_block){.kind = CAIRN_BLOCK_SPACE, .index = lines});
}

void cairn_report_page(cairn_report *report)
{
    if (!usable(report)) return;
    cairn_report_table_end(report);
    add_block(report, (cairn_block){.kind = CAIRN_BLOCK_PAGE});
}

void cairn_report_fold_begin(cairn_report *report, const char *format, ...)
{
    if (!usable(report) || report->open_steps) return;
    va_list arguments;
    va_start(arguments, format);
    add_text_block(report, CAIRN_BLOCK_FOLD, 0, format, arguments);
    va_end(arguments);
}

void cairn_report_fold_end(cairn_report *report)
{
    if (!usable(report)) return;
    while (usable(report) && report->open_steps) cairn_report_step_end(report);
    cairn_report_table_end(report);
    add_block(report, (cairn_block){.kind = CAIRN_BLOCK_FOLD_END});
}

/* Give the values of `part` to `report`; places[i] becomes the new number of name i plus 1. */
static void move_values(cairn_report *report, const cairn_report *part, const char *prefix,
                        size_t *places)
{
    for (size_t i = 0; i < part->names.n && usable(report); i++) {
        cairn_text *name = &report->buffer;
        name->length = 0;
        if (prefix) cairn_text_add(name, prefix);
        if (prefix) cairn_text_add_char(name, '.');
        cairn_text_add_bytes(name, cairn_map_key(&part->names, i), part->names.lengths[i]);
        if (keep(report, cairn_text_status(name)))
            places[i] = set_value(report, cairn_text_string(name), name->length, part->values[i]);
    }
}

/* Hand over blocks, tables, figures and chunks; room for them is there, so it cannot fail. */
static void move_contents(cairn_report *report, cairn_report *part, const size_t *places)
{
    for (size_t i = 0; i < part->n_blocks; i++) {
        cairn_block block = part->blocks[i];
        bool told = block.kind == CAIRN_BLOCK_NOTE && report->lengths & CAIRN_NOTES;
        block.lengths &= report->lengths | (told ? CAIRN_IN_BRIEF : 0u);
        if (!(block.lengths & (CAIRN_IN_BRIEF | CAIRN_IN_FULL))) continue;
        bool is_value = block.kind == CAIRN_BLOCK_NUMBER || block.kind == CAIRN_BLOCK_WORD;
        if (block.kind == CAIRN_BLOCK_TABLE) block.index += report->n_tables;
        if (block.kind == CAIRN_BLOCK_FIGURE && report->take_figure) continue;
        if (block.kind == CAIRN_BLOCK_FIGURE) block.index += report->n_figures;
        if (is_value && block.index) block.index = places[block.index - 1];
        report->blocks[report->n_blocks++] = block;
    }
    for (size_t i = 0; i < part->n_tables; i++) {
        part->tables[i].lengths &= report->lengths;
        report->tables[report->n_tables++] = part->tables[i];
    }
    for (size_t i = 0; i < part->n_figures; i++)
        if (report->take_figure)
            report->take_figure(report->taker, part->figures[i]);
        else
            report->figures[report->n_figures++] = part->figures[i];
    cairn_report_chunk **last = &part->chunks;
    while (*last) last = &(*last)->older;
    /* the report's newest chunk stays first, because there is room in it */
    if (report->chunks) {
        *last = report->chunks->older;
        report->chunks->older = part->chunks;
    } else {
        report->chunks = part->chunks;
    }
    part->chunks = NULL;
    part->n_tables = part->n_figures = 0;
}

void cairn_report_append(cairn_report *report, cairn_report *part, const char *prefix)
{
    if (!part || report == part) return;
    size_t *places = NULL;
    cairn_context *ctx = report ? report->ctx : NULL;
    if (report) {
        part->ctx = part->buffer.ctx = part->prefix.ctx = part->name.ctx =
            ctx; /* that of a finished task may be gone */
        cairn_report_table_end(report);
        cairn_report_table_end(part);
        while (usable(part) && part->open_steps) cairn_report_step_end(part);
    }
    if (usable(report) && part->status) {
        if (!*cairn_message(ctx))
            (void)cairn_fail(ctx, part->status, "a part of the report could not be made");
        keep(report, part->status);
    }
    bool buffer = usable(report) && keep(report, NEW(ctx, &places, part->names.n)) &&
                  keep(report, GROW(ctx, &report->blocks, &report->blocks_capacity,
                                    report->n_blocks + part->n_blocks)) &&
                  keep(report, GROW(ctx, &report->tables, &report->tables_capacity,
                                    report->n_tables + part->n_tables)) &&
                  keep(report, GROW(ctx, &report->figures, &report->figures_capacity,
                                    report->n_figures + part->n_figures));
    if (buffer) {
        move_values(report, part, prefix, places);
        move_contents(report, part, places); /* also after a failure: words point into the chunks */
    }
    cairn_free(places);
    clear_report(part);
}

size_t cairn_report_figure_count(const cairn_report *report)
{
    return report ? report->n_figures : 0;
}

const cairn_figure *cairn_report_figure_at(const cairn_report *report, size_t i)
{
    return report && i < report->n_figures ? report->figures[i] : NULL;
}

static const cairn_value *find_value(const cairn_report *report, const char *name)
{
    if (!report || !name) return NULL;
    int64_t index = cairn_map_find(&report->names, name, strlen(name));
    return index < 0 ? NULL : &report->values[index];
}

bool cairn_report_number(const cairn_report *report, const char *name, double *out)
{
    const cairn_value *value = find_value(report, name);
    if (!value || value->word) return false;
    *out = value->number;
    return true;
}

const char *cairn_report_string(const cairn_report *report, const char *name)
{
    const cairn_value *value = find_value(report, name);
    return value ? value->word : NULL;
}

const char *cairn_report_value_name(const cairn_report *report, size_t i)
{
    return report && i < report->names.n ? cairn_map_key(&report->names, i) : NULL;
}

size_t cairn_report_value_count(const cairn_report *report)
{
    return report ? report->names.n : 0;
}

bool cairn_report_value_at(const cairn_report *report, size_t i, cairn_named_value *out)
{
    if (i >= cairn_report_value_count(report)) return false;
    const cairn_value *value = &report->values[i];
    cairn_named_value named = {.name = cairn_map_key(&report->names, i),
                               .text = value->word,
                               .number = value->word ? NAN : value->number};
    return cairn_options_fill(out, &named, sizeof named);
}

const cairn_block *cairn_report_title_block(const cairn_report *report)
{
    for (size_t i = 0; i < report->n_blocks; i++)
        if (report->blocks[i].kind == CAIRN_BLOCK_HEADING && report->blocks[i].level == 1 &&
            report->blocks[i].lengths & CAIRN_IN_FULL)
            return &report->blocks[i];
    return NULL;
}

const char *cairn_report_title(const cairn_report *report)
{
    const cairn_block *title = cairn_report_title_block(report);
    return title ? title->text : "";
}

bool cairn_table_row_marked(const cairn_report_table *table, size_t row, size_t *next)
{
    while (*next < table->n_marked && table->marked[*next] < row) ++*next;
    return *next < table->n_marked && table->marked[*next] == row;
}

size_t cairn_table_marked_rows(const cairn_report_table *table)
{
    size_t n = table->n_marked;
    return n && table->marked[n - 1] >= table->n_rows ? n - 1 : n;
}

/* Texts lie in the report's own chunks and only become shorter; those that others lent do not hold
 * the part. */
static void leave_out(const char *text, const char *part)
{
    size_t length = strlen(part);
    char *at = text && length ? strstr(text, part) : NULL;
    for (; at; at = strstr(at, part)) memmove(at, at + length, strlen(at + length) + 1);
}

void cairn_report_leave_out(cairn_report *report, const char *part)
{
    for (size_t i = 0; i < report->n_blocks; i++) {
        leave_out(report->blocks[i].text, part);
        leave_out(report->blocks[i].word, part);
    }
    for (size_t t = 0; t < report->n_tables; t++) {
        const cairn_report_table *table = &report->tables[t];
        leave_out(table->title, part);
        for (size_t i = 0; i < table->n_cells; i++) leave_out(table->cells[i].text, part);
    }
    for (size_t i = 0; i < report->names.n; i++) leave_out(report->values[i].word, part);
    leave_out(report->run, part);
}
