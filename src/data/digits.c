/* SPDX-License-Identifier: MIT */
/* Whether a decimal number survives as a double.
 *
 * 15 significant digits always do, 17 are the most that can. Between them, and beyond, the digits
 * of the double are compared with those that were read. */
#include "data/digits.h"
#include "base/number.h"
#include <string.h>

enum { ALWAYS_KEPT = 15, MOST_KEPT = 17 };

/* The significant digits of a number, the first `size` of them; returns how many there are. */
static size_t significant(const char *text, size_t length, char *out, size_t size)
{
    size_t n = 0, last = 0; /* up to the last that is not zero */
    for (size_t i = 0; i < length && (text[i] | 0x20) != 'e'; i++) {
        if (text[i] < '0' || text[i] > '9' || (n == 0 && text[i] == '0')) continue;
        if (n < size) out[n] = text[i];
        n++;
        if (text[i] != '0') last = n;
    }
    return last;
}

size_t cairn_digits_lost(const char *text, size_t length, double number)
{
    char read[MOST_KEPT], held[MOST_KEPT], written[CAIRN_NUMBER_SIZE];
    size_t n = significant(text, length, read, sizeof read), same = 0;
    if (n <= ALWAYS_KEPT) return 0;
    size_t m = significant(written, cairn_number_format(written, number, CAIRN_SHORTEST), held,
                           sizeof held);
    if (n == m && memcmp(read, held, n) == 0) return 0;
    memset(held, '0', sizeof held);
    significant(written, cairn_number_format(written, number, MOST_KEPT), held, sizeof held);
    while (same < MOST_KEPT && same < n && read[same] == held[same]) same++;
    if (same < ALWAYS_KEPT) same = ALWAYS_KEPT; /* 0.9999999999999999999 is 1 */
    return n > same ? n - same : 1;
}

void cairn_digits_take(cairn_lost_digits *lost, const char *text, size_t length, double number)
{
    size_t n = cairn_digits_lost(text, length, number);
    lost->n_cells += n > 0;
    if (n > lost->most) lost->most = n;
}

void cairn_digits_warn(cairn_context *ctx, const cairn_lost_digits *lost, const char *source,
                       const char *column)
{
    if (lost->n_cells)
        cairn_warn(ctx,
                   "%s, column '%s': %zu number%s more digits than a double holds; up to "
                   "%zu of them %s lost",
                   source, column, lost->n_cells, lost->n_cells == 1 ? " has" : "s have",
                   lost->most, lost->most == 1 ? "is" : "are");
}
