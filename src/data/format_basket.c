/* SPDX-License-Identifier: MIT */
/* Baskets: one transaction per line, its items separated by blanks and tabs, by a comma or the like
 * that is recognised, or by a given byte.
 *
 * The table has one bag column, `items`. Every line is a transaction, so an empty line is one
 * without items; the end of the last line may be missing. An item that stands several times in a
 * line gets that count as its amount. */
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "data/bag.h"
#include "data/format.h"
#include "data/lines.h"
#include <string.h>
#include <strings.h>

enum { TICK_LINES = 1 << 14, FLUSH_AT = 1 << 15, MOST_REPEATS = 1000 };

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* -- files that do not say that they are baskets -- */

static bool ends_with_dat(const char *name)
{
    static const char *const ends[] = {".dat", ".dat.gz", ".dat.zst", ".dat.zstd"};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t n = strlen(ends[i]);
        if (length > n && strcasecmp(name + length - n, ends[i]) == 0) return true;
    }
    return false;
}

/* Whether a line has whole numbers only, none of them twice; of a long line the first ones count.
 * `many` becomes true when there are several, `items` when one is neither 0 nor 1. */
static bool is_basket(const char *at, const char *end, bool *many, bool *items)
{
    enum { MOST = 64, DIGITS = 9 };
    uint32_t seen[MOST];
    size_t n = 0;
    for (;;) {
        uint32_t item = 0;
        while (at < end && is_blank(*at)) at++;
        if (at == end || n == MOST) break;
        const char *from = at;
        for (; at < end && !is_blank(*at); at++) {
            if (*at < '0' || *at > '9' || at - from >= DIGITS) return false;
            item = item * 10 + (uint32_t)(*at - '0');
        }
        for (size_t i = 0; i < n; i++)
            if (seen[i] == item) return false;
        seen[n++] = item;
        *items |= item > 1;
    }
    *many |= n > 1;
    return true;
}

cairn_status cairn_seems_baskets(cairn_context *ctx, bool *out, cairn_input *input)
{
    const char *at, *end;
    size_t n;
    bool many = false, items = false;
    *out = false;
    if (!ends_with_dat(cairn_input_name(input))) return CAIRN_OK;
    CHECK(cairn_input_peek(ctx, input, &at, &n));
    end = at + n;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop && n == CAIRN_PEEK_SIZE) break; /* cut off */
        if (!stop) stop = end;
        if (!is_basket(at, stop, &many, &items)) return CAIRN_OK;
        at = stop + 1;
    }
    *out = many && items;
    return CAIRN_OK;
}

/* -- what separates the items -- */

/* How lines of several words use a byte. */
typedef struct separator_use {
    size_t with, without; /* lines of several words */
    size_t glued;         /* places where it stands at the end of a word, as no name does */
} separator_use;

static separator_use use_of(const cairn_lines *lines, char separator)
{
    separator_use use = {0};
    for (const char *at = lines->begin; at < lines->end;) {
        const char *end = cairn_lines_end(lines, at), *to = cairn_lines_trim(at, end);
        bool has = false, several = false;
        for (const char *p = at; p < to; p++) {
            bool next_blank = p + 1 < to && is_blank(p[1]);
            has |= *p == separator;
            several |= p > at && is_blank(*p) && !is_blank(p[-1]);
            use.glued += *p == separator && next_blank && !is_blank(separator);
        }
        use.with += has;
        use.without += several && !has;
        at = end + 1;
    }
    return use;
}

/* Of comma, semicolon, bar and tab the one that every line of several words has; 0 = blanks, as
 * where nothing else occurs. A comma behind a word separates, and where some lines are without one
 * nobody can tell. */
static cairn_status find_separator(cairn_context *ctx, const cairn_lines *lines, char *out)
{
    static const char candidates[] = {',', ';', '|', '\t'};
    static const char *const names[] = {"a comma", "a semicolon", "a bar", "a tab"};
    static const char *const typed[] = {"','", "';'", "'|'", "tab"};
    size_t n = (size_t)(lines->end - lines->begin);
    *out = 0;
    for (size_t i = 0; i < sizeof candidates && n; i++) {
        bool tab = candidates[i] == '\t';
        if (!memchr(lines->begin, candidates[i], n) || (tab && !memchr(lines->begin, ' ', n)))
            continue;
        separator_use use = use_of(lines, candidates[i]);
        if (use.with && !use.without) {
            *out = candidates[i];
            cairn_warn(ctx,
                       "%s: the items are taken as separated by %s, because every line of several "
                       "words has one; {separator ' '} takes blanks, {separator %s} keeps this "
                       "quiet",
                       lines->name, names[i], typed[i]);
            return CAIRN_OK;
        }
        if (use.glued)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "%s: items may be separated by %s or by blanks: %zu lines have the "
                              "one and %zu only the other; {separator %s} or {separator ' '} says "
                              "which",
                              lines->name, names[i], use.with, use.without, typed[i]);
    }
    return CAIRN_OK;
}

/* -- reading -- */

static cairn_status read_blanks(cairn_context *ctx, cairn_bag_builder *bag, const char *at,
                                const char *end)
{
    for (;;) {
        while (at < end && is_blank(*at)) at++;
        if (at == end) break;
        const char *from = at;
        while (at < end && !is_blank(*at)) at++;
        CHECK(cairn_bag_add(ctx, bag, from, (size_t)(at - from), 1));
    }
    return CAIRN_OK;
}

/* Items may hold blanks inside; those around them do not count, nor do empty items. */
static cairn_status read_separated(cairn_context *ctx, cairn_bag_builder *bag, const char *at,
                                   const char *end, char separator)
{
    while (at < end) {
        const char *stop = memchr(at, separator, (size_t)(end - at));
        if (!stop) stop = end;
        const char *from = at;
        while (from < stop && is_blank(*from)) from++;
        const char *to = cairn_lines_trim(from, stop);
        if (from < to) CHECK(cairn_bag_add(ctx, bag, from, (size_t)(to - from), 1));
        at = stop + 1;
    }
    return CAIRN_OK;
}

/* A blank line between others is an empty transaction; those at the end of a file are none. */
static cairn_status read_lines(cairn_context *ctx, cairn_bag_builder *bag, const cairn_lines *lines,
                               char separator)
{
    bool blanks = !separator || separator == ' ';
    double length = (double)(lines->end - lines->begin);
    /* Behind the last item: lines without any at the end of a file are no transactions. */
    const char *last = lines->end;
    while (last > lines->begin &&
           (is_blank(last[-1]) || last[-1] == '\n' || (separator && last[-1] == separator)))
        last--;
    for (const char *at = lines->begin; at < last;) {
        const char *end = cairn_lines_end(lines, at);
        CHECK(cairn_bag_begin_row(ctx, bag));
        if (blanks)
            CHECK(read_blanks(ctx, bag, at, end));
        else
            CHECK(read_separated(ctx, bag, at, end, separator));
        at = end + 1;
        if (bag->n_rows % TICK_LINES == 0)
            CHECK(cairn_tick(ctx, "reading", (double)(at - lines->begin), length));
    }
    return CAIRN_OK;
}

static cairn_status read_basket(cairn_context *ctx, cairn_table **out, cairn_input *input,
                                const cairn_read_options *options)
{
    SCOPED(cairn_lines_clear) cairn_lines lines = {0};
    SCOPED(cairn_bag_clear) cairn_bag_builder bag = {0};
    OWNED(cairn_table_free) cairn_table *table = NULL;
    cairn_column *column;
    CHECK(cairn_lines_read(ctx, &lines, input, options->encoding));
    char separator = options->separator;
    if (!separator) CHECK(find_separator(ctx, &lines, &separator));
    CHECK(read_lines(ctx, &bag, &lines, separator));
    if (bag.n_items == 0)
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "%s: there is not a single item", lines.name));
    CHECK(cairn_table_new(ctx, &table, bag.n_rows));
    CHECK(cairn_bag_finish(ctx, &column, &bag));
    CHECK(cairn_table_append(ctx, table, "items", CAIRN_FEATURE, column));
    *out = TAKE(table);
    return CAIRN_OK;
}

/* The one bag column of a table. */
static cairn_status find_bag(cairn_context *ctx, const cairn_table *table, const cairn_slot **out)
{
    *out = NULL;
    for (size_t j = 0; j < table->n_columns; j++) {
        const cairn_slot *slot = &table->slots[j];
        if (slot->column->kind != CAIRN_BAG || *out)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "column '%s' (%s): a basket file holds a single bag column and no "
                              "other; leave the rest out, or write csv",
                              slot->name, cairn_kind_name(slot->column->kind));
        *out = slot;
    }
    if (!*out) return cairn_fail(ctx, CAIRN_USAGE, "there is no bag column to write as baskets");
    return CAIRN_OK;
}

/* A name that would not come back as one item, or would vanish, cannot be written. */
static cairn_status check_names(cairn_context *ctx, const cairn_slot *slot)
{
    const cairn_map *names = &slot->column->names;
    for (size_t i = 0; i < names->n; i++) {
        const char *name = cairn_map_key(names, i);
        bool marked = strncmp(name, "\xEF\xBB\xBF", 3) == 0; /* a file may begin with it */
        if (names->lengths[i] && !marked && !strpbrk(name, " \t\r\n,;|")) continue;
        return cairn_fail(
            ctx, CAIRN_USAGE,
            "column '%s', item '%s': the items of a basket file are separated by blanks and hold "
            "none, nor a comma, semicolon or bar, which are taken for separators, and do not begin "
            "with a byte order mark; rename it, or write csv",
            slot->name, name);
    }
    return CAIRN_OK;
}

/* A basket tells amounts only by repeating an item, so whole numbers up to a limit can be written
 * and nothing else. */
static cairn_status add_item(cairn_context *ctx, cairn_text *line, const cairn_slot *slot,
                             size_t row, size_t k)
{
    const cairn_column *column = slot->column;
    size_t item = (size_t)column->items[k];
    double amount = column->amounts ? column->amounts[k] : 1;
    if (!(amount >= 1 && amount <= MOST_REPEATS && amount == (double)(int)amount)) {
        char number[CAIRN_NUMBER_SIZE];
        cairn_number_format(number, amount, CAIRN_SHORTEST);
        return cairn_fail(ctx, CAIRN_USAGE,
                          "column '%s', row %zu, item '%s': the amount %s cannot be written as a "
                          "number of repeats; write libsvm or csv",
                          slot->name, row + 1, cairn_map_key(&column->names, item), number);
    }
    for (int i = 0; i < (int)amount; i++) {
        if (line->length && line->bytes[line->length - 1] != '\n') cairn_text_add_char(line, ' ');
        cairn_text_add_bytes(line, cairn_map_key(&column->names, item),
                             column->names.lengths[item]);
    }
    return CAIRN_OK;
}

static cairn_status flush(cairn_context *ctx, cairn_text *text, cairn_output_file *file)
{
    cairn_status status = cairn_text_status(text);
    if (!status && text->length) status = cairn_output_write(ctx, file, text->bytes, text->length);
    text->length = 0;
    return status;
}

static cairn_status write_basket(cairn_context *ctx, const cairn_table *table,
                                 cairn_output_file *file)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    const cairn_slot *slot;
    CHECK(find_bag(ctx, table, &slot));
    CHECK(check_names(ctx, slot));
    for (size_t i = 0; i < table->n_rows; i++) {
        for (size_t k = slot->column->starts[i]; k < slot->column->starts[i + 1]; k++)
            CHECK(add_item(ctx, &text, slot, i, k));
        cairn_text_add_char(&text, '\n');
        if (text.length < FLUSH_AT) continue;
        CHECK(flush(ctx, &text, file));
        CHECK(cairn_tick(ctx, "writing", (double)i, (double)table->n_rows));
    }
    return flush(ctx, &text, file);
}

const cairn_data_format cairn_basket_format = {
    .entry =
        {
            .kind = CAIRN_ENTRY_FORMAT,
            .name = "basket",
            .also = "transactions, market basket, shopping baskets",
            .title = "Transactions: one basket of items per line",
            .summary = "Every line is a transaction: its items, separated by blanks and tabs, by "
                       "the comma, semicolon, bar or tab that every line of several words has, or "
                       "by the byte that --separator gives. The table has one bag column, items. "
                       "An empty line is a transaction without items, unless no item follows; an "
                       "item that is repeated in a line gets its count as amount.",
            .example = "cairn convert @baskets shop.basket",
        },
    .extensions = "basket baskets",
    .heeds = "separator",
    .read = read_basket,
    .write = write_basket,
};
