/* SPDX-License-Identifier: MIT */
/* Tables whose columns are in lines: the text is turned over and then read as any other. */
#include "base/memory.h"
#include "base/text.h"
#include "data/csv.h"
#include <string.h>

typedef struct transposed {
    cairn_csv_cell *cells; /* n_lines x n_cells */
    size_t n_lines, n_cells, capacity;
} transposed;

/* The first line fixes the number of cells, which becomes the number of rows; cells point into the
 * file's bytes until all lines are there. */
static cairn_status take_line(cairn_context *ctx, const cairn_csv_reader *reader, transposed *t,
                              const char *line, const char *end)
{
    cairn_csv_cell cell = {0};
    size_t n = 0, before = t->n_lines * t->n_cells;
    size_t offset = (size_t)(line - reader->source.memory);
    for (const char *at = line; !cell.last; n++) {
        at = cairn_csv_take(&reader->dialect, at, end, &cell);
        if (cell.broken)
            return cairn_csv_refuse(ctx, reader, offset, SIZE_MAX,
                                    "the quote of cell %zu is not closed properly", n + 1);
        CHECK(GROW(ctx, &t->cells, &t->capacity, before + n + 1));
        t->cells[before + n] = cell;
    }
    if (t->n_lines == 0) t->n_cells = n;
    for (; n < t->n_cells && reader->dialect.bad == CAIRN_BAD_LINES_PAD; n++) {
        CHECK(GROW(ctx, &t->cells, &t->capacity, before + n + 1));
        t->cells[before + n] = (cairn_csv_cell){.text = ""};
    }
    if (n != t->n_cells)
        return cairn_csv_refuse(ctx, reader, offset, SIZE_MAX,
                                "%zu cells where the lines before have %zu", n, t->n_cells);
    t->n_lines++;
    return CAIRN_OK;
}

static cairn_status take_lines(cairn_context *ctx, const cairn_csv_reader *reader, transposed *t)
{
    const cairn_csv_source *source = &reader->source;
    const char *end = source->memory + source->length;
    for (const char *at = source->memory + source->start; at < end;) {
        bool broken;
        const char *next = cairn_csv_row_end(&reader->dialect, at, end, &broken);
        if (!cairn_csv_is_empty_row(&reader->dialect, at, next))
            CHECK(take_line(ctx, reader, t, at, next));
        at = next;
    }
    return CAIRN_OK;
}

/* A cell in quotes, whatever it holds. */
static void add_cell(cairn_text *text, const cairn_csv_cell *cell)
{
    cairn_text_add_char(text, '"');
    for (size_t i = 0; i < cell->length; i++) {
        if (cell->text[i] == '"' && !cell->quoted) cairn_text_add_char(text, '"');
        cairn_text_add_char(text, cell->text[i]);
    }
    cairn_text_add_char(text, '"');
}

cairn_status cairn_csv_transpose(cairn_context *ctx, cairn_csv_reader *reader, char **out,
                                 size_t *length)
{
    cairn_status status;
    transposed t = {0};
    cairn_text text = cairn_text_start(ctx);
    TRY(take_lines(ctx, reader, &t));
    for (size_t j = 0; j < t.n_cells; j++) {
        for (size_t i = 0; i < t.n_lines; i++) {
            if (i) cairn_text_add_char(&text, '\t');
            add_cell(&text, &t.cells[i * t.n_cells + j]);
        }
        cairn_text_add_char(&text, '\n');
    }
    *length = text.length;
    TRY(cairn_text_take(&text, out));
done:
    cairn_text_clear(&text);
    cairn_free(t.cells);
    return status;
}
