/* SPDX-License-Identifier: MIT */
/* Levenshtein's distance, 64 letters at a time.
 *
 * Neighbouring entries of the table of the dynamic program differ by -1, 0 or 1. So the differences
 * down a column are kept as two words of bits, where they rise and where they fall, and one letter
 * of the other text moves a whole column by a dozen operations on words. Longer texts are cut into
 * runs of 64 letters; what one run hands down to the next are the differences along its last row.
 *
 * Sources: Myers, A fast bit-vector algorithm for approximate string matching based on dynamic
 * programming, Journal of the ACM 46 (1999); Hyyrö, A bit-vector algorithm for computing
 * Levenshtein and Damerau edit distances, Nordic Journal of Computing 10 (2003). */
#include "stats/edit_distance.h"

enum { NO_LETTER = INT32_MIN };

static size_t slot_of(const cairn_edit_table *table, int32_t letter)
{
    size_t at = (uint32_t)letter % CAIRN_EDIT_SLOTS;
    while (table->letters[at] != letter && table->letters[at] != NO_LETTER)
        at = (at + 1) % CAIRN_EDIT_SLOTS;
    return at;
}

void cairn_edit_prepare(cairn_edit_table *out, const int32_t *a, size_t n_a)
{
    for (size_t i = 0; i < CAIRN_EDIT_SLOTS; i++) {
        out->letters[i] = NO_LETTER;
        out->places[i] = 0;
    }
    for (size_t i = 0; i < n_a; i++) {
        size_t at = slot_of(out, a[i]);
        out->letters[at] = a[i];
        out->places[at] |= UINT64_C(1) << i;
    }
}

/* A column of up to 64 entries: where they rise, and where they fall, from one to the next. */
typedef struct edit_column {
    uint64_t rises, falls;
} edit_column;

/* One letter further, which stands at `equal` in the text of the column. `above` is the difference
 * along the row above the column; returns that along its last row, which `last` marks. */
static inline int next_column(edit_column *column, uint64_t equal, int above, uint64_t last)
{
    uint64_t rises = column->rises, falls = column->falls;
    uint64_t down = equal | falls;
    equal |= above < 0;
    uint64_t along = (((equal & rises) + rises) ^ rises) | equal;
    uint64_t more = falls | ~(along | rises), less = rises & along;
    int below = (more & last ? 1 : 0) - (less & last ? 1 : 0);
    more = more << 1 | (above > 0);
    less = less << 1 | (above < 0);
    column->rises = less | ~(down | more);
    column->falls = more & down;
    return below;
}

static uint64_t bit_of_last(size_t n)
{
    return UINT64_C(1) << (n - 1);
}

size_t cairn_edit_prepared(const cairn_edit_table *table, size_t n_a, const int32_t *b, size_t n_b)
{
    if (n_a == 0) return n_b;
    edit_column column = {.rises = ~UINT64_C(0)};
    uint64_t last = bit_of_last(n_a);
    size_t distance = n_a;
    for (size_t j = 0; j < n_b; j++) {
        int below = next_column(&column, table->places[slot_of(table, b[j])], 1, last);
        distance += (size_t)(ptrdiff_t)below;
    }
    return distance;
}

size_t cairn_edit_distance(const int32_t *a, size_t n_a, const int32_t *b, size_t n_b,
                           int32_t *room)
{
    cairn_edit_table table;
    size_t distance = n_a;
    if (n_a <= CAIRN_EDIT_LETTERS) {
        cairn_edit_prepare(&table, a, n_a);
        return cairn_edit_prepared(&table, n_a, b, n_b);
    }
    for (size_t j = 0; j < n_b; j++) room[j] = 1;
    for (size_t first = 0; first < n_a; first += CAIRN_EDIT_LETTERS) {
        size_t n = n_a - first < CAIRN_EDIT_LETTERS ? n_a - first : CAIRN_EDIT_LETTERS;
        edit_column column = {.rises = ~UINT64_C(0)};
        uint64_t last = bit_of_last(n);
        cairn_edit_prepare(&table, a + first, n);
        for (size_t j = 0; j < n_b; j++)
            room[j] = next_column(&column, table.places[slot_of(&table, b[j])], room[j], last);
    }
    for (size_t j = 0; j < n_b; j++) distance += (size_t)(ptrdiff_t)room[j];
    return distance;
}
