/* SPDX-License-Identifier: MIT */
/* Columns that would hold numbers or times if the file were read another way: decimal commas, dates
 * in other orders, signs of money and of thousands. The first cells tell; nothing is changed. */
#include "base/text.h"
#include "data/cell.h"
#include "data/column.h"
#include "data/csv.h"
#include <math.h>
#include <string.h>

enum { LOOKED_AT = 200, LONGEST = 40 };

/* Texts of the first cells, or of the first levels. */
typedef struct first_cells {
    const char *texts[LOOKED_AT];
    size_t lengths[LOOKED_AT];
    size_t n;
} first_cells;

static void look(first_cells *cells, const cairn_column *column)
{
    cells->n = 0;
    for (size_t k = 0; column->kind == CAIRN_LEVEL && k < column->names.n && k < LOOKED_AT; k++) {
        cells->texts[k] = cairn_map_key(&column->names, k);
        cells->lengths[k] = column->names.lengths[k];
        cells->n = k + 1;
    }
    for (size_t i = 0; column->kind == CAIRN_TEXT && i < column->n_rows && cells->n < LOOKED_AT;
         i++) {
        if (cairn_column_is_missing(column, i)) continue;
        cells->texts[cells->n] = column->bytes + column->starts[i];
        cells->lengths[cells->n++] = column->starts[i + 1] - column->starts[i];
    }
}

/* -- numbers with signs -- */

/* Bytes of a sign of money at the beginning of the text; 0 = there is none. */
static size_t money(const char *text, size_t length)
{
    static const char *const signs[] = {"$",   "\xE2\x82\xAC", "\xC2\xA3", "\xC2\xA5",
                                        "USD", "EUR",          "GBP",      "CHF"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t n = strlen(signs[i]);
        if (length > n && memcmp(text, signs[i], n) == 0) return n;
    }
    return 0;
}

static void strip_money(const char **text, size_t *length)
{
    size_t n = money(*text, *length);
    *text += n;
    *length -= n;
    for (size_t k = 1; k <= 3 && k < *length && !n; k++)
        if (money(*text + *length - k, k + 1) == k) { /* one byte more: a sign alone is no price */
            *length -= k;
            break;
        }
    cairn_cell_trim(text, length);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Whether three digits and no more follow the mark at i, which stands behind a digit. */
static bool parts_thousands(const char *text, size_t length, size_t i)
{
    if (i == 0 || i + 3 >= length || !is_digit(text[i - 1])) return false;
    return is_digit(text[i + 1]) && is_digit(text[i + 2]) && is_digit(text[i + 3]) &&
           (i + 4 == length || !is_digit(text[i + 4]));
}

/* A number once signs of money and marks between thousands are taken out. */
static bool is_adorned(const char *text, size_t length, char decimal)
{
    char plain[LONGEST];
    size_t n = 0;
    double number;
    char between = decimal == '.' ? ',' : '.';
    cairn_cell_trim(&text, &length);
    if (length >= LONGEST) return false;
    strip_money(&text, &length);
    for (size_t i = 0; i < length; i++) {
        bool mark = text[i] == between || text[i] == ' ' || text[i] == '\'';
        if (mark && parts_thousands(text, length, i)) continue;
        plain[n++] = text[i];
    }
    return n && cairn_cell_number(plain, n, decimal, &number);
}

/* -- what most cells are -- */

/* A way to write numbers: the decimal mark, and the mark between thousands (0 = none); or with
 * signs of money. */
typedef struct spelling {
    char decimal, thousands;
    bool money;
} spelling;

static bool is_spelt(spelling how, const char *text, size_t length)
{
    double number;
    if (how.money) return is_adorned(text, length, how.decimal);
    if (how.thousands && cairn_cell_grouped(text, length, how.decimal, how.thousands, &number))
        return true;
    return cairn_cell_number(text, length, how.decimal, &number);
}

/* Whether nine cells in ten are numbers in this spelling and some are not in the usual one; *which
 * is the first of these. */
static bool spelt(const cairn_csv_reader *reader, const first_cells *cells, spelling how,
                  size_t *which)
{
    size_t n_fit = 0, n_other = 0;
    double number;
    for (size_t i = 0; i < cells->n; i++) {
        const char *text = cells->texts[i];
        size_t length = cells->lengths[i];
        bool plain = cairn_csv_number(&reader->dialect, text, length, &number);
        bool fits = plain || is_spelt(how, text, length);
        n_fit += fits;
        if (fits && !plain && n_other++ == 0) *which = i;
    }
    return n_other && n_fit * 10 >= cells->n * 9;
}

/* Whether nine cells in ten are such times; *which is the first of them. */
static bool fits_pattern(const first_cells *cells, const char *pattern, size_t *which)
{
    size_t n = 0;
    double time;
    for (size_t i = 0; pattern && i < cells->n; i++) {
        bool fits =
            cairn_time_parse(cells->texts[i], cells->lengths[i], pattern, &time, NULL, NULL);
        if (fits && n++ == 0) *which = i;
        if ((i + 1 - n) * 10 > cells->n) return false;
    }
    return n > 0;
}

/* Ways to write dates; those that can be taken for each other stand together. */
static const char *const patterns[][2] = {
    {"%d.%m.%Y", NULL},
    {"%d/%m/%Y", "%m/%d/%Y"},
    {"%d-%m-%Y", "%m-%d-%Y"},
    {"%d.%m.%y", NULL},
    {"%d/%m/%y", "%m/%d/%y"},
    {"%d.%m.%Y %H:%M", NULL},
    {"%d.%m.%Y %H:%M:%S", NULL},
    {"%d/%m/%Y %H:%M", "%m/%d/%Y %H:%M"},
    {"%d/%m/%Y %H:%M:%S", "%m/%d/%Y %H:%M:%S"},
    {"%d %b %Y", NULL},
    {"%d-%b-%Y", NULL},
    {"%b %d, %Y", NULL},
    {"%b %d %Y", NULL},
};

/* Those that name the month, and times of the day. */
static const char *const sure[] = {"%d %b %Y", "%d-%b-%Y", "%b %d, %Y",
                                   "%b %d %Y", "%H:%M",    "%H:%M:%S"};

/* Minutes and seconds have two digits: 2:1 is a result. */
static bool is_clock(const char *text, size_t length)
{
    const char *colon = memchr(text, ':', length);
    size_t after = colon ? (size_t)(text + length - colon) - 1 : 0;
    return !colon || after == 2 || (after == 5 && colon[3] == ':');
}

const char *cairn_csv_way(const cairn_csv_cell *cell, const char *pattern)
{
    const char *text = cell->text;
    size_t length = cell->length;
    double time;
    cairn_cell_trim(&text, &length);
    if (!length || !is_clock(text, length)) return NULL;
    if (pattern) return cairn_time_parse(text, length, pattern, &time, NULL, NULL) ? pattern : NULL;
    for (size_t i = 0; i < sizeof sure / sizeof *sure; i++)
        if (cairn_time_parse(text, length, sure[i], &time, NULL, NULL)) return sure[i];
    return NULL;
}

void cairn_csv_tell_way(cairn_context *ctx, const cairn_csv_reader *reader, size_t column)
{
    const cairn_column *c = reader->columns[column];
    const char *name = cairn_map_key(&reader->names, column), *pattern = reader->patterns[column];
    char shown[CAIRN_TIME_SIZE];
    bool found = false;
    for (size_t i = 0; i < sizeof sure / sizeof *sure; i++) found |= pattern == sure[i];
    if (!found || c->kind != CAIRN_TIME || c->n_missing == c->n_rows) return;
    size_t first = 0;
    while (isnan(c->numbers[first])) first++;
    cairn_time_format(shown, c->numbers[first], pattern);
    cairn_warn(ctx,
               "%s, column '%s': cells such as %s are taken as %s; {kinds '%s=level'} takes them "
               "as words, {kinds '%s=time(%s)'} keeps this quiet",
               reader->source.name, name, shown, strchr(pattern, 'Y') ? "dates" : "times of a day",
               name, name, pattern);
}

/* The way in which a date is written: NULL = as usual, "" = none of the ways. */
static const char *way_of(const char *text, size_t length)
{
    double time;
    if (cairn_time_parse(text, length, NULL, &time, NULL, NULL)) return NULL;
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        for (size_t k = 0; k < 2 && patterns[i][k]; k++)
            if (cairn_time_parse(text, length, patterns[i][k], &time, NULL, NULL))
                return patterns[i][k];
    return "";
}

/* The first row that has the cell, from 1. */
static size_t row_of(const cairn_column *column, size_t at)
{
    size_t seen = 0, i = 0;
    for (; i < column->n_rows; i++) {
        if (column->kind == CAIRN_LEVEL && column->codes[i] == (int32_t)at) break;
        if (column->kind == CAIRN_TEXT && !cairn_column_is_missing(column, i) && seen++ == at)
            break;
    }
    return i + 1;
}

/* Tell of dates that are written in several ways in one column; whether they are. */
static bool tell_mixed(cairn_context *ctx, const cairn_csv_reader *reader, size_t column,
                       const first_cells *cells)
{
    const cairn_column *c = reader->columns[column];
    const char *ways[2] = {"", ""};
    size_t first[2] = {0, 0}, n_dates = 0, n_ways = 0;
    for (size_t i = 0; i < cells->n; i++) {
        const char *way = way_of(cells->texts[i], cells->lengths[i]);
        if (way && !*way) continue;
        n_dates++;
        if (n_ways == 2 || (n_ways == 1 && way == ways[0])) continue;
        ways[n_ways] = way;
        first[n_ways++] = i;
    }
    if (n_ways < 2 || n_dates * 10 < cells->n * 9) return false;
    cairn_warn(ctx,
               "%s, column '%s': dates are written in several ways, as in row %zu ('%.*s', %s) and "
               "row %zu ('%.*s', %s), so the column is read as %s; write all of them in one way",
               reader->source.name, cairn_map_key(&reader->names, column), row_of(c, first[0]),
               (int)cells->lengths[first[0]], cells->texts[first[0]],
               ways[0] ? ways[0] : "%Y-%m-%d", row_of(c, first[1]), (int)cells->lengths[first[1]],
               cells->texts[first[1]], ways[1] ? ways[1] : "%Y-%m-%d",
               c->kind == CAIRN_TEXT ? "text" : "levels");
    return true;
}

/* Tell of dates that a pattern would read; whether there are any. */
static bool tell_dates(cairn_context *ctx, const cairn_csv_reader *reader, size_t column,
                       const first_cells *cells)
{
    const char *name = cairn_map_key(&reader->names, column);
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        size_t at = 0;
        bool second = fits_pattern(cells, patterns[i][1], &at);
        bool first = fits_pattern(cells, patterns[i][0], &at);
        const char *pattern = patterns[i][first ? 0 : 1];
        if (!first && !second) continue;
        cairn_warn(
            ctx,
            "%s, column '%s': cells such as '%.*s' seem to be dates; {time-format '%s'}%s%s%s "
            "or {kinds '%s=time(%s)'} reads them as times",
            reader->source.name, name, (int)cells->lengths[at], cells->texts[at], pattern,
            first && second ? " (or '" : "", first && second ? patterns[i][1] : "",
            first && second ? "')" : "", name, pattern);
        return true;
    }
    return false;
}

/* Tell of numbers that a mark between thousands would read; whether there are any. With the usual
 * decimal mark first: 1,234 is more often a thousand than one and a bit. */
static bool tell_thousands(cairn_context *ctx, const cairn_csv_reader *reader, size_t column,
                           const first_cells *cells, const char *kind)
{
    static const char marks[] = {',', '.', ' ', '\'', '_'};
    char usual = reader->dialect.decimal, other = usual == '.' ? ',' : '.';
    for (size_t i = 0; i < 2 * sizeof marks; i++) {
        char decimal = i < sizeof marks ? usual : other, mark = marks[i % sizeof marks];
        size_t at;
        if (mark == decimal || !spelt(reader, cells, (spelling){decimal, mark, false}, &at))
            continue;
        if (!cairn_cell_grouped(cells->texts[at], cells->lengths[at], decimal, mark, &(double){0}))
            continue;
        const char *name = mark == ' ' ? "blank" : (char[]){mark, 0};
        cairn_warn(
            ctx,
            "%s, column '%s': cells such as '%.*s' are numbers with a mark between "
            "thousands, but the column is read as %s; {thousands %s}%s reads them as numbers",
            reader->source.name, cairn_map_key(&reader->names, column), (int)cells->lengths[at],
            cells->texts[at], kind, name,
            cairn_say(ctx, decimal == usual ? ""
                           : other == ','   ? " with {decimal ,}"
                                            : " with {decimal .}"));
        return true;
    }
    return false;
}

/* A column of words whose first cells would be numbers in another spelling is worth a warning, with
 * the option that reads them; it changes nothing by itself. */
static void tell_numbers(cairn_context *ctx, const cairn_csv_reader *reader, size_t column,
                         const first_cells *cells, const char *kind)
{
    const char *source = reader->source.name, *name = cairn_map_key(&reader->names, column);
    char usual = reader->dialect.decimal, other = usual == '.' ? ',' : '.';
    size_t at;
    if (tell_thousands(ctx, reader, column, cells, kind)) return;
    bool adorned = spelt(reader, cells, (spelling){usual, 0, true}, &at);
    if (!adorned && spelt(reader, cells, (spelling){other, 0, false}, &at)) {
        cairn_warn(ctx,
                   "%s, column '%s': cells such as '%.*s' are numbers with a decimal %s, but the "
                   "column is read as %s; {decimal %c} reads them as numbers",
                   source, name, (int)cells->lengths[at], cells->texts[at],
                   other == ',' ? "comma" : "point", kind, other);
        return;
    }
    if (!adorned && !spelt(reader, cells, (spelling){other, 0, true}, &at)) return;
    cairn_warn(
        ctx,
        "%s, column '%s': cells such as '%.*s' would be numbers but for signs of money or of "
        "thousands, so the column is read as %s; take the signs out of the file",
        source, name, (int)cells->lengths[at], cells->texts[at], kind);
}

void cairn_csv_hint(cairn_context *ctx, const cairn_csv_reader *reader, size_t column)
{
    first_cells cells;
    const cairn_column *c = reader->columns[column];
    look(&cells, c);
    if (!cells.n || tell_dates(ctx, reader, column, &cells)) return;
    if (tell_mixed(ctx, reader, column, &cells)) return;
    tell_numbers(ctx, reader, column, &cells, c->kind == CAIRN_TEXT ? "text" : "levels");
}
