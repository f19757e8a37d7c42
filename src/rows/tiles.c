/* SPDX-License-Identifier: MIT */
/* Bags by columns, in blocks of rows. */
#include "rows/tiles.h"
#include "base/memory.h"
#include "kernels/kernels.h"
#include "parallel/parallel.h"
#include <string.h>

enum {
    BLOCK_NUMBERS = 64 * 1024, /* scores of a block of rows */
    LEAST_BLOCK = 256,
    MOST_BLOCK = 32 * 1024,
    RANGES = 64 /* of terms, for products with the transposed matrix */
};

size_t cairn_tile_rows(size_t n_scores)
{
    size_t rows = BLOCK_NUMBERS / n_scores;
    return rows < LEAST_BLOCK ? LEAST_BLOCK : rows > MOST_BLOCK ? MOST_BLOCK : rows;
}

static size_t block_end(const cairn_row_matrix *m, size_t number)
{
    size_t end = (number + 1) * m->block;
    return end < m->n ? end : m->n;
}

/* Entries from..to-1 of bag b are those of row i. */
static void bag_row(const cairn_row_matrix *m, size_t b, size_t i, size_t *from, size_t *to)
{
    size_t row = cairn_view_row(m->view, i);
    *from = m->bags[b]->starts[row];
    *to = m->bags[b]->starts[row + 1];
}

/* How often every item occurs in the block. */
static void count_items(const cairn_row_matrix *m, size_t number, uint32_t *counts)
{
    size_t from, to;
    for (size_t b = 0; b < m->n_bags; b++)
        for (size_t i = number * m->block; i < block_end(m, number); i++) {
            bag_row(m, b, i, &from, &to);
            for (size_t e = from; e < to; e++)
                counts[(size_t)m->bags[b]->items[e] + m->bag_starts[b] - m->n_dense]++;
        }
}

/* Rows and values to the places of their items. */
static void put_entries(const cairn_row_matrix *m, size_t number, uint32_t *places)
{
    cairn_tile *tile = &m->tiles[number];
    size_t begin = number * m->block, from, to;
    for (size_t b = 0; b < m->n_bags; b++) {
        const cairn_column *bag = m->bags[b];
        for (size_t i = begin; i < block_end(m, number); i++) {
            bag_row(m, b, i, &from, &to);
            for (size_t e = from; e < to; e++) {
                size_t t = (size_t)bag->items[e] + m->bag_starts[b] - m->n_dense;
                tile->rows[places[t]] = (uint32_t)(i - begin);
                tile->values[places[t]++] = bag->amounts ? bag->amounts[e] : 1;
            }
        }
    }
}

/* Entries of the block by item: count, add up, put. */
static cairn_status make_tile(cairn_context *ctx, void *data, size_t number)
{
    const cairn_row_matrix *m = data;
    cairn_tile *tile = &m->tiles[number];
    size_t n_items = m->n_terms - m->n_dense, used = 0;
    SCOPED_SCRATCH(ctx);
    uint32_t *places;
    CHECK(SCRATCH(ctx, &places, n_items + 1));
    count_items(m, number, places);
    for (size_t t = 0, sum = 0; t < n_items; t++) {
        size_t count = places[t];
        if (count) {
            tile->items[used] = (int32_t)(t + m->n_dense);
            tile->starts[used++] = (uint32_t)sum;
        }
        places[t] = (uint32_t)sum;
        sum += count;
        tile->starts[used] = (uint32_t)sum;
    }
    tile->n_items = used;
    put_entries(m, number, places);
    for (size_t r = 0, at = 0; r <= m->n_ranges; r++) {
        size_t first = m->n_dense + r * m->range;
        while (at < used && (size_t)tile->items[at] < first) at++;
        tile->ranges[r] = r == m->n_ranges ? used : at;
    }
    return CAIRN_OK;
}

/* Room for the block's entries; a block of more than 2^32 entries cannot be. */
static cairn_status tile_room(cairn_context *ctx, cairn_row_matrix *m, size_t number)
{
    cairn_tile *tile = &m->tiles[number];
    size_t begin = number * m->block, end = block_end(m, number);
    size_t from, to, n = 0, most = m->n_terms - m->n_dense;
    for (size_t b = 0; b < m->n_bags; b++)
        for (size_t i = begin; i < end; i++) {
            bag_row(m, b, i, &from, &to);
            n += to - from;
        }
    if (n >= UINT32_MAX)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%zu rows hold %zu words, too many for one block; use fewer classes or "
                          "shorter texts",
                          end - begin, n);
    if (n < most) most = n;
    CHECK(SCRATCH_RAW(ctx, &tile->items, most + 1));
    CHECK(SCRATCH(ctx, &tile->starts, most + 2));
    CHECK(SCRATCH_RAW(ctx, &tile->rows, n + 1));
    CHECK(SCRATCH_RAW(ctx, &tile->values, n + 1));
    return SCRATCH(ctx, &tile->ranges, m->n_ranges + 1);
}

cairn_status cairn_tiles_make(cairn_context *ctx, cairn_row_matrix *m)
{
    size_t n_items = m->n_terms - m->n_dense;
    m->range = n_items / RANGES + 1;
    m->n_ranges = cairn_block_count(n_items, m->range);
    CHECK(SCRATCH(ctx, &m->tiles, m->n_blocks + 1));
    for (size_t b = 0; b < m->n_blocks; b++) CHECK(tile_room(ctx, m, b));
    return cairn_tasks(ctx, m->n_blocks, make_tile, m);
}

cairn_status cairn_tiles_square(cairn_context *ctx, cairn_row_matrix *m)
{
    for (size_t b = 0; b < m->n_blocks; b++) {
        cairn_tile *tile = &m->tiles[b];
        size_t n = tile->starts[tile->n_items];
        CHECK(SCRATCH_RAW(ctx, &tile->squares, n + 1));
        for (size_t e = 0; e < n; e++) tile->squares[e] = tile->values[e] * tile->values[e];
    }
    return CAIRN_OK;
}

void cairn_tile_times(const cairn_row_matrix *m, size_t block, const double *weights,
                      double *scores, size_t stride)
{
    const cairn_tile *tile = &m->tiles[block];
    cairn_sparse sparse = {tile->n_items, tile->items, tile->starts, tile->rows, tile->values};
    cairn_sparse_times(scores, stride, &sparse, weights);
}

void cairn_range_of(const cairn_row_matrix *m, size_t r, size_t *first, size_t *last)
{
    *first = m->n_dense + r * m->range;
    *last = *first + m->range < m->n_terms ? *first + m->range : m->n_terms;
}

void cairn_range_transposed(const cairn_row_matrix *m, size_t range, const double *r, double *out,
                            size_t stride, bool squared)
{
    size_t first, last;
    cairn_range_of(m, range, &first, &last);
    memset(out + first * stride, 0, (last - first) * stride * sizeof *out);
    for (size_t b = 0; b < m->n_blocks; b++) {
        const cairn_tile *tile = &m->tiles[b];
        size_t at = tile->ranges[range], n = tile->ranges[range + 1] - at;
        cairn_sparse sparse = {n, tile->items + at, tile->starts + at, tile->rows,
                               squared ? tile->squares : tile->values};
        cairn_sparse_turned(out, stride, &sparse, r + b * m->block * stride);
    }
}
