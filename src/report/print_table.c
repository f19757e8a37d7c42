/* SPDX-License-Identifier: MIT */
/* A table for a terminal.
 *
 * 1. Every cell becomes clean text; numbers of a right-aligned column are padded so that their
 *    points stand below each other.
 * 2. A table that fits is shown as it is. Otherwise long columns shrink to one level (text wraps
 *    inside its column, numbers never shrink); words of heads are broken only when nothing else
 *    helps, and
 * 3. if that is not enough, columns go into groups shown below each other, each beginning with the
 *    columns that name a row: the first, or as many columns of words as tell rows apart. */
#include "report/print_table.h"
#include "report/wrap.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

enum {
    GAP = 2,
    GUTTER = 2,
    TEXT_COMFORT = 24,
    WORD_LEAST = 14, /* shorter words of cells are never broken */
    NAME_LEAST = 24, /* of the first column, which names the rows: names are typed whole */
    HEAD_WORD = 16,
    CELL_LINES = 6,  /* a longer cell is cut */
    WHOLE_LINES = 99 /* in tables of which nothing is left out, such as the help */
};

typedef struct column_plan {
    size_t natural; /* cells that the widest text takes */
    size_t least;   /* cells that it can be shown in */
    size_t broken;  /* the same when words of its head may be broken */
    bool numeric;   /* numbers only: nothing but its head can wrap */
    size_t width;   /* cells that it gets */
    const char *at; /* what is left of the cell being printed */
} column_plan;

typedef struct table_layout {
    const cairn_report_table *table;
    cairn_text pool; /* texts of heads and cells, each ended with a zero byte */
    size_t *starts;  /* (1 + n_rows) x n_columns offsets into pool, heads first */
    column_plan *plans;
    size_t *group; /* columns of the group being printed */
    size_t n_group;
    size_t gutter; /* cells in front of each row for marks */
    size_t width;  /* cells of a line, without the gutter */
    bool colour;
} table_layout;

/* Text of a cell; row 0 holds the heads. */
static const char *cell_text(const table_layout *layout, size_t row, size_t column)
{
    return layout->pool.bytes + layout->starts[row * layout->table->n_columns + column];
}

static void put_number(table_layout *layout, const cairn_column_style *style,
                       const cairn_shown_cell *cell, char align, int digits)
{
    char text[CAIRN_NUMBER_SIZE];
    size_t before = cairn_cell_format(text, style, cell, digits);
    size_t after = strlen(text) - before;
    cairn_text_add(&layout->pool, text);
    if (align == 'r' && isfinite(cell->number))
        cairn_text_add_repeat(&layout->pool, ' ', style->after - after);
}

/* Cells of the longest word, or with `parts` of the longest part of one: see CAIRN_JOINTS. */
static size_t longest_word(const char *text, bool parts)
{
    size_t longest = 0;
    while (*text) {
        size_t length = strcspn(text, parts ? " " CAIRN_JOINTS : " ");
        bool joint = text[length] && text[length] != ' ';
        size_t width = cairn_clean_width(text, length + joint);
        if (width > longest) longest = width;
        text += length + (text[length] != 0);
    }
    return longest;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Texts and widths of one column. */
static void lay_column(table_layout *layout, size_t column, int digits)
{
    const cairn_report_table *table = layout->table;
    cairn_column_style style = cairn_column_examine(table, column, digits);
    size_t words = 0, numbers = 0, longest = 0, part = 0;
    for (size_t row = 0; row <= table->n_rows; row++) {
        size_t start = layout->pool.length;
        const cairn_shown_cell *cell =
            row ? &table->cells[(row - 1) * table->n_columns + column] : NULL;
        layout->starts[row * table->n_columns + column] = start;
        if (!cell || cell->text)
            cairn_text_add_clean(&layout->pool, cell ? cell->text : table->columns[column].head,
                                 false);
        else
            put_number(layout, &style, cell, table->columns[column].align, digits);
        size_t length = layout->pool.length - start;
        cairn_text_add_bytes(&layout->pool, "", 1);
        if (layout->pool.status) return;
        size_t width = cairn_clean_width(layout->pool.bytes + start, length);
        if (cell && !cell->text)
            numbers = larger(numbers, width);
        else
            words = larger(words, width);
        if (cell && !cell->text) continue;
        longest = larger(longest, longest_word(layout->pool.bytes + start, false));
        part = larger(part, longest_word(layout->pool.bytes + start, true));
    }
    column_plan *plan = &layout->plans[column];
    plan->numeric = style.has_numbers && !style.has_words;
    plan->natural = larger(1, larger(words, numbers));
    plan->least = smaller(longest, plan->numeric ? HEAD_WORD : column ? WORD_LEAST : NAME_LEAST);
    plan->least = larger(1, larger(numbers, plan->least));
    plan->broken =
        plan->numeric ? larger(1, larger(numbers, smaller(part, HEAD_WORD))) : plan->least;
}

static cairn_status layout_start(cairn_context *ctx, table_layout *layout, int digits)
{
    const cairn_report_table *table = layout->table;
    layout->pool = cairn_text_start(ctx);
    CHECK(NEW(ctx, &layout->starts, cairn_product(table->n_rows + 1, table->n_columns)));
    CHECK(NEW_EACH(ctx, table->n_columns, &layout->plans, &layout->group));
    for (size_t j = 0; j < table->n_columns; j++) lay_column(layout, j, digits);
    return cairn_text_status(&layout->pool);
}

/* Width of a column when text may take `level` cells. Heads of numbers wrap first. */
static size_t width_at(const column_plan *plan, size_t level)
{
    if (plan->numeric && level != SIZE_MAX) return plan->least;
    return larger(plan->least, smaller(plan->natural, level));
}

static size_t group_width(const table_layout *layout, size_t level)
{
    size_t total = (layout->n_group - 1) * GAP;
    for (size_t i = 0; i < layout->n_group; i++)
        total += width_at(&layout->plans[layout->group[i]], level);
    return total;
}

/* Widths for the group by the highest level that fits; false when even the least do not. */
static bool fit_group(table_layout *layout)
{
    size_t low = 0, high = layout->width; /* level `low` fits if anything does */
    if (group_width(layout, 0) > layout->width) return false;
    if (group_width(layout, SIZE_MAX) <= layout->width) low = high = SIZE_MAX;
    while (low < high) {
        size_t middle = low + (high - low + 1) / 2;
        if (group_width(layout, middle) <= layout->width)
            low = middle;
        else
            high = middle - 1;
    }
    size_t left = layout->width - group_width(layout, low);
    for (size_t i = 0; i < layout->n_group; i++) {
        column_plan *plan = &layout->plans[layout->group[i]];
        plan->width = width_at(plan, low);
        size_t more = smaller(left, plan->natural - plan->width);
        plan->width += more;
        left -= more;
    }
    return true;
}

/* Whether two rows that follow one another say the same in all of the first `n` columns. */
static bool rows_alike(const table_layout *layout, size_t n)
{
    for (size_t row = 1; row < layout->table->n_rows; row++) {
        size_t j = 0;
        while (j < n && cairn_same(cell_text(layout, row, j), cell_text(layout, row + 1, j))) j++;
        if (j == n) return true;
    }
    return false;
}

/* The columns that stand in every group: the first, and where it does not tell rows apart the
 * columns of words beside it that do. When even they leave rows alike, the first alone stands for
 * them. */
static size_t key_columns(const table_layout *layout)
{
    size_t n = 1;
    while (n < layout->table->n_columns && rows_alike(layout, n)) {
        if (layout->plans[n].numeric) return 1;
        n++;
    }
    return n < layout->table->n_columns ? n : 1;
}

/* The first `n_keys` columns and as many from `from` on as go beside them; whether that fits. */
static bool take_group(table_layout *layout, size_t from, size_t n_keys, size_t *next)
{
    size_t n_columns = layout->table->n_columns, used = 0;
    layout->n_group = 0;
    for (size_t j = 0; j < n_keys; j++) {
        used += width_at(&layout->plans[j], layout->width / 3) + (j ? GAP : 0);
        layout->group[layout->n_group++] = j;
    }
    for (*next = from; *next < n_columns; ++*next) {
        size_t level = *next ? TEXT_COMFORT : layout->width / 3;
        size_t more = width_at(&layout->plans[*next], level) + (layout->n_group ? GAP : 0);
        if (*next > larger(from, 1) && used + more > layout->width) break;
        used += more;
        layout->group[layout->n_group++] = *next;
    }
    return fit_group(layout);
}

/* The next group: with all columns that name a row where they leave room, else with the first. */
static size_t choose_group(table_layout *layout, size_t from)
{
    size_t next, n_keys = smaller(from, key_columns(layout));
    if (n_keys > 1 && take_group(layout, from, n_keys, &next)) return next;
    if (!take_group(layout, from, smaller(from, 1), &next)) {
        /* Widths when even the least do not fit: the last column of the pair has precedence. */
        column_plan *last = &layout->plans[layout->group[layout->n_group - 1]];
        last->width = smaller(last->least, layout->width);
        if (!(layout->n_group < 2)) {
            column_plan *first = &layout->plans[layout->group[0]];
            size_t buffer = larger(layout->width, GAP + 8) - GAP;
            last->width = smaller(last->least, buffer - 4);
            first->width = smaller(first->natural, buffer - last->width);
        }
    }
    return next;
}

static void pad(cairn_text *out, size_t cells)
{
    cairn_text_add_repeat(out, ' ', cells);
}

/* One piece of a cell inside its column. */
static void put_piece(cairn_text *out, const char *text, size_t length, size_t used, size_t width,
                      char align)
{
    size_t left = width > used ? width - used : 0;
    size_t before = align == 'r' ? left : align == 'c' ? left / 2 : 0;
    pad(out, before);
    cairn_text_add_bytes(out, text, length);
    pad(out, left - before);
}

/* The next line of a column's cell; `last` cuts what is left with an ellipsis. */
static void put_line_of_cell(cairn_text *out, column_plan *plan, char align, bool last)
{
    const char *line = "", *rest = plan->at;
    size_t length = 0, used = cairn_clean_width(rest, strlen(rest));
    if (used <= plan->width) { /* whole, with the blanks that align a number */
        put_piece(out, rest, strlen(rest), used, plan->width, align);
        plan->at = rest + strlen(rest);
        return;
    }
    cairn_wrap_next(&plan->at, plan->width, &line, &length);
    if (!last || !*plan->at) {
        put_piece(out, line, length, cairn_clean_width(line, length), plan->width, align);
        return;
    }
    size_t cells = cairn_text_add_cut(out, rest, plan->width);
    pad(out, plan->width > cells ? plan->width - cells : 0);
}

static size_t lines_of(const table_layout *layout, const char *text, size_t width)
{
    const char *line;
    size_t length, n = 0;
    while (cairn_wrap_next(&text, width, &line, &length)) n++;
    return smaller(n, layout->table->limit == (size_t)-1 ? WHOLE_LINES : CELL_LINES);
}

/* One row of the group, over as many lines as its longest cell needs. Heads stand at the bottom of
 * theirs, cells at the top. */
static void put_row(cairn_text *out, table_layout *layout, size_t row, bool marked)
{
    size_t n_lines = 1;
    for (size_t i = 0; i < layout->n_group; i++) {
        column_plan *plan = &layout->plans[layout->group[i]];
        plan->at = cell_text(layout, row, layout->group[i]);
        n_lines = larger(n_lines, lines_of(layout, plan->at, plan->width));
    }
    for (size_t line = 0; line < n_lines; line++) {
        bool bold = layout->colour && (marked || row == 0);
        if (layout->gutter) cairn_text_add(out, marked && line == 0 ? "* " : "  ");
        if (bold) cairn_text_add(out, "\x1b[1m");
        for (size_t i = 0; i < layout->n_group; i++) {
            column_plan *plan = &layout->plans[layout->group[i]];
            bool early = row == 0 && line + lines_of(layout, plan->at, plan->width) < n_lines;
            if (i) pad(out, GAP);
            if (early)
                pad(out, plan->width);
            else
                put_line_of_cell(out, plan, layout->table->columns[layout->group[i]].align,
                                 line + 1 == n_lines);
        }
        if (bold) {
            while (out->length && out->bytes[out->length - 1] == ' ') out->length--;
            cairn_text_add(out, "\x1b[0m");
        }
        /* Trailing blanks are of no use to anybody. */
        while (out->length && out->bytes[out->length - 1] == ' ') out->length--;
        cairn_text_add_char(out, '\n');
    }
}

static void put_group(cairn_text *out, table_layout *layout)
{
    const cairn_report_table *table = layout->table;
    size_t next_mark = 0;
    bool headed = false;
    for (size_t i = 0; i < layout->n_group; i++)
        headed |= *cell_text(layout, 0, layout->group[i]) != 0;
    if (headed) {
        put_row(out, layout, 0, false);
        pad(out, layout->gutter);
        for (size_t i = 0; i < layout->n_group; i++) {
            if (i) pad(out, GAP);
            for (size_t k = 0; k < layout->plans[layout->group[i]].width; k++)
                cairn_text_add(out, "─");
        }
        cairn_text_add_char(out, '\n');
    }
    for (size_t row = 0; row < table->n_rows && !out->status; row++)
        put_row(out, layout, row + 1, cairn_table_row_marked(table, row, &next_mark));
}

/* The lines below a table: what was left out, what the mark means. */
static void put_remarks(cairn_text *out, const table_layout *layout, size_t width)
{
    const cairn_report_table *table = layout->table;
    cairn_text line = cairn_text_start(out->ctx);
    if (table->n_rows == 0) cairn_text_add_wrapped(out, "(no rows)", width, "", "");
    if (table->n_seen > table->n_rows) {
        cairn_text_add(&line, "… ");
        cairn_text_add_more_rows(&line, table);
        cairn_text_add_wrapped(out, cairn_text_string(&line), width, "", "");
    }
    size_t n_marked = cairn_table_marked_rows(table);
    if (n_marked)
        cairn_text_add_wrapped(out,
                               n_marked == 1 ? "* marks the chosen row" : "* marks the chosen rows",
                               width, "", "");
    if (!out->status) out->status = line.status;
    cairn_text_clear(&line);
}

/* All columns side by side with broken heads; where that does not help either, words stay whole. */
static bool fit_broken(table_layout *layout)
{
    bool fits = false;
    for (int turn = 0; turn < 2 && !fits; turn++) {
        for (size_t j = 0; j < layout->table->n_columns; j++) {
            column_plan *plan = &layout->plans[j];
            size_t least = plan->least;
            plan->least = plan->broken;
            plan->broken = least;
        }
        if (turn == 0) fits = fit_group(layout);
    }
    return fits;
}

static void put_groups(cairn_text *out, table_layout *layout)
{
    size_t n_columns = layout->table->n_columns, next = 0;
    if (!n_columns) return;
    for (size_t j = 0; j < n_columns; j++) layout->group[j] = j;
    layout->n_group = n_columns;
    if (fit_group(layout) || fit_broken(layout)) {
        put_group(out, layout);
        return;
    }
    while (next < n_columns && !out->status) {
        if (next) cairn_text_add_char(out, '\n');
        next = choose_group(layout, next);
        put_group(out, layout);
    }
}

void cairn_text_add_table(cairn_text *out, const cairn_report_table *table,
                          const cairn_print_options *options)
{
    size_t width = (size_t)options->width;
    table_layout layout = {.table = table, .colour = options->colour};
    layout.gutter = cairn_table_marked_rows(table) ? GUTTER : 0;
    layout.width = width - layout.gutter;
    cairn_status status = layout_start(out->ctx, &layout, options->digits);
    if (status == CAIRN_OK) {
        put_groups(out, &layout);
        put_remarks(out, &layout, width);
    }
    if (!out->status) out->status = status;
    cairn_text_clear(&layout.pool);
    FREE_EACH(layout.starts, layout.plans, layout.group);
}
