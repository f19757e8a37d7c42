/* SPDX-License-Identifier: MIT */
/* Columns on another scale: see scaled.h. */
#include "data/scaled.h"
#include "base/memory.h"
#include "data/column.h"
#include "parallel/parallel.h"
#include <math.h>

/* Rows of a chunk, and chunks that a thread takes at once: threads that write into the same large
 * page for the first time would both clear one. */
enum { CHUNK_ROWS = 1 << 15, CHUNKS = 16 };

static void release_scaled(void *owner)
{
    cairn_scaled *how = owner;
    cairn_column_drop(how->from);
    cairn_free(how);
}

cairn_status cairn_scaled_new(cairn_context *ctx, cairn_column **out, const cairn_scaled *how)
{
    OWNED(cairn_free) cairn_scaled *own = NULL;
    cairn_column *column;
    CHECK(NEW_EACH(ctx, 1, &own, &column));
    *own = *how;
    cairn_column_hold(own->from);
    *column = (cairn_column){.holders = 1,
                             .kind = CAIRN_NUMBER,
                             .n_rows = how->from->n_rows,
                             .n_missing = how->from->n_missing,
                             .release = release_scaled};
    column->owner = TAKE(own);
    *out = column;
    return CAIRN_OK;
}

const cairn_scaled *cairn_column_scaled(const cairn_column *column)
{
    return column->release == release_scaled ? column->owner : NULL;
}

void cairn_scaled_numbers(const cairn_scaled *how, const double *restrict from, size_t n,
                          double *restrict to)
{
    double part = how->part, centre = how->centre, spread = how->spread;
    double factor = how->factor, low = how->low, high = how->high;
    if (factor == 1 && isinf(low) && isinf(high)) {
        for (size_t i = 0; i < n; i++) to[i] = (from[i] * part - centre) / spread;
        return;
    }
    for (size_t i = 0; i < n; i++) {
        double x = factor * ((from[i] * part - centre) / spread);
        to[i] = x < low ? low : x > high ? high : x; /* NaN stays */
    }
}

typedef struct settling {
    const cairn_scaled **how;
    cairn_column **to;
    size_t n_rows, n_chunks; /* of a column */
} settling;

static void settle_chunks(void *data, size_t block, size_t first, size_t last, int worker)
{
    const settling *s = data;
    (void)block, (void)worker;
    for (size_t chunk = first; chunk < last; chunk++) {
        size_t column = chunk / s->n_chunks, begin = chunk % s->n_chunks * CHUNK_ROWS;
        size_t left = s->n_rows - begin, n = left < CHUNK_ROWS ? left : CHUNK_ROWS;
        cairn_scaled_numbers(s->how[column], s->how[column]->from->numbers + begin, n,
                             s->to[column]->numbers + begin);
    }
}

cairn_status cairn_table_settle(cairn_context *ctx, cairn_table *table)
{
    SCOPED_SCRATCH(ctx);
    settling s = {.n_rows = table->n_rows};
    size_t n = 0, *places;
    cairn_status status;
    CHECK(SCRATCH_EACH(ctx, table->n_columns + 1, &places, &s.how, &s.to));
    for (size_t i = 0; i < table->n_columns; i++)
        if ((s.how[n] = cairn_column_scaled(table->slots[i].column))) places[n++] = i;
    if (!n) return CAIRN_OK;
    s.n_chunks = cairn_block_count(table->n_rows, CHUNK_ROWS);
    CHECK(cairn_columns_new(ctx, s.to, n, table->n_rows, true));
    status = cairn_blocks_sized(ctx, n * s.n_chunks, CHUNKS, (double)n * (double)s.n_rows,
                                settle_chunks, &s);
    for (size_t i = 0; i < n; i++) {
        s.to[i]->n_missing = s.how[i]->from->n_missing;
        cairn_table_replace_column(table, places[i], s.to[i]);
    }
    return status;
}
