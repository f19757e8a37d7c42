/* SPDX-License-Identifier: MIT */
/* Single cells of a CSV row.
 *
 * A cell may be quoted when its first byte after blanks is a double quote; it then ends at the next
 * quote that is not doubled. A quote elsewhere is an ordinary letter (5" pipe). Blanks around a
 * cell do not count, inside quotes they do. A line that begins with the mark of comments is none of
 * the table's, whatever quotes it holds. */
#include "data/cell.h"
#include "data/csv.h"
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static const char *skip_blanks(const cairn_csv_dialect *d, const char *at, const char *end)
{
    while (at < end && is_blank(*at) && (d->blanks || *at != d->separator)) at++;
    return at;
}

/* The closing quote of a cell whose content begins at `at`, or `end`. */
static const char *closing_quote(const char *at, const char *end, bool *doubled)
{
    while (at < end) {
        const char *quote = memchr(at, '"', (size_t)(end - at));
        if (!quote) return end;
        if (quote + 1 >= end || quote[1] != '"') return quote;
        *doubled = true;
        at = quote + 2;
    }
    return end;
}

static bool is_separator(const cairn_csv_dialect *d, char c)
{
    return c == d->separator || (d->blanks && c == '\t');
}

static const char *plain_end(const cairn_csv_dialect *d, const char *at, const char *end)
{
    while (at < end && *at != d->eol && !is_separator(d, *at)) at++;
    return at;
}

/* A row may end with a carriage return before its line feed. */
static const char *without_return(const cairn_csv_dialect *d, const char *from, const char *to,
                                  const char *end)
{
    if (d->eol == '\n' && to > from && to[-1] == '\r' && (to == end || *to == '\n')) return to - 1;
    return to;
}

/* Step over what ends the cell. */
static const char *finish(const cairn_csv_dialect *d, const char *at, const char *end,
                          cairn_csv_cell *cell)
{
    if (d->blanks) at = skip_blanks(d, at, end);
    if (d->eol == '\n' && at + 1 < end && at[0] == '\r' && at[1] == '\n') at++;
    if (d->eol == '\n' && at + 1 == end && at[0] == '\r') at++;
    cell->last = at >= end || *at == d->eol;
    if (at >= end) return end;
    return d->blanks && !cell->last ? at : at + 1;
}

const char *cairn_csv_take(const cairn_csv_dialect *d, const char *at, const char *end,
                           cairn_csv_cell *cell)
{
    *cell = (cairn_csv_cell){0};
    at = skip_blanks(d, at, end);
    if (at < end && *at == '"') {
        cell->quoted = true;
        cell->text = at + 1;
        const char *close = closing_quote(at + 1, end, &cell->doubled);
        cell->length = (size_t)(close - cell->text);
        const char *after = close < end ? skip_blanks(d, close + 1, end) : end;
        const char *stop = plain_end(d, after, end);
        bool blank_between = d->blanks && after > close + 1;
        cell->broken =
            close == end || (!blank_between && without_return(d, after, stop, end) != after);
        return finish(d, blank_between ? after : stop, end, cell);
    }
    const char *stop = plain_end(d, at, end);
    const char *trimmed = without_return(d, at, stop, end);
    cell->text = at;
    cell->length = (size_t)(trimmed - at);
    cairn_cell_trim(&cell->text, &cell->length);
    return finish(d, stop, end, cell);
}

size_t cairn_csv_unquote(const cairn_csv_cell *cell, char *out)
{
    const char *at = cell->text, *end = at + cell->length;
    char *to = out;
    while (at < end) {
        const char *quote = memchr(at, '"', (size_t)(end - at));
        size_t n = (size_t)((quote ? quote + 1 : end) - at); /* the first of the two quotes, too */
        memcpy(to, at, n);
        to += n;
        at += n + (quote ? 1 : 0);
    }
    return (size_t)(to - out);
}

const char *cairn_csv_row_end(const cairn_csv_dialect *d, const char *at, const char *end,
                              bool *broken)
{
    *broken = false;
    if (cairn_csv_is_comment(d, at, end)) {
        const char *eol = memchr(at, d->eol, (size_t)(end - at));
        return eol ? eol + 1 : end;
    }
    for (;;) {
        const char *cell = skip_blanks(d, at, end);
        if (cell < end && *cell == '"') {
            bool doubled;
            cell = closing_quote(cell + 1, end, &doubled);
            if (cell == end) {
                *broken = true;
                return end;
            }
            cell++;
        }
        cell = plain_end(d, cell, end);
        if (cell == end) return end;
        if (*cell == d->eol) return cell + 1;
        at = cell + 1;
    }
}

bool cairn_csv_is_empty_row(const cairn_csv_dialect *d, const char *at, const char *end)
{
    if (d->n_comment && cairn_csv_is_comment(d, at, end)) return true;
    if (d->blanks) at = skip_blanks(d, at, end);
    if (at < end && d->eol == '\n' && *at == '\r') at++;
    return at >= end || *at == d->eol;
}

bool cairn_csv_is_comment(const cairn_csv_dialect *d, const char *at, const char *end)
{
    if (!d->n_comment) return false;
    while (at < end && is_blank(*at) && *at != *d->comment) at++;
    return (size_t)(end - at) >= d->n_comment && memcmp(at, d->comment, d->n_comment) == 0;
}

bool cairn_csv_is_bad_row(const cairn_csv_dialect *d, const char *at, const char *end)
{
    cairn_csv_cell cell = {0};
    size_t n = 0;
    for (; !cell.last; n++) {
        at = cairn_csv_take(d, at, end, &cell);
        if (cell.broken) return true;
    }
    return n != d->n_cells;
}

bool cairn_csv_is_row(const cairn_csv_dialect *d, const char *at, const char *end)
{
    if (cairn_csv_is_empty_row(d, at, end)) return false;
    return d->bad != CAIRN_BAD_LINES_SKIP || !cairn_csv_is_bad_row(d, at, end);
}

bool cairn_csv_number(const cairn_csv_dialect *d, const char *text, size_t length, double *out)
{
    if (cairn_cell_number(text, length, d->decimal, out)) return true;
    return d->thousands && cairn_cell_grouped(text, length, d->decimal, d->thousands, out);
}
