/* SPDX-License-Identifier: MIT */
/* The one reader of rows. */
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "data/scaled.h"
#include "kernels/kernels.h"
#include "kernels/products.h"
#include "parallel/parallel.h"
#include "rows/matrix.h"
#include "rows/tiles.h"
#include "rows/used.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- bags by columns, in blocks of rows -- */

enum {
    BLOCK_NUMBERS = 64 * 1024, /* scores of a block of rows */
    LEAST_TILE_BLOCK = 256,
    MOST_BLOCK = 32 * 1024,
    RANGES = 64 /* of terms, for products with the transposed matrix */
};

size_t cairn_tile_rows(size_t n_scores)
{
    size_t rows = BLOCK_NUMBERS / n_scores;
    return rows < LEAST_TILE_BLOCK ? LEAST_TILE_BLOCK : rows > MOST_BLOCK ? MOST_BLOCK : rows;
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
    /* How often every item occurs in the block. */
    size_t from, to;
    for (size_t b = 0; b < m->n_bags; b++)
        for (size_t i = number * m->block; i < block_end(m, number); i++) {
            bag_row(m, b, i, &from, &to);
            for (size_t e = from; e < to; e++)
                places[(size_t)m->bags[b]->items[e] + m->bag_starts[b] - m->n_dense]++;
        }
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
static cairn_status tile_buffer(cairn_context *ctx, cairn_row_matrix *m, size_t number)
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
    CHECK(SCRATCH_RAW_EACH(ctx, n + 1, &tile->rows, &tile->values));
    return SCRATCH(ctx, &tile->ranges, m->n_ranges + 1);
}

cairn_status cairn_tiles_make(cairn_context *ctx, cairn_row_matrix *m)
{
    size_t n_items = m->n_terms - m->n_dense;
    m->range = n_items / RANGES + 1;
    m->n_ranges = cairn_block_count(n_items, m->range);
    CHECK(SCRATCH(ctx, &m->tiles, m->n_blocks + 1));
    for (size_t b = 0; b < m->n_blocks; b++) CHECK(tile_buffer(ctx, m, b));
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
        cairn_sparse_transposed(out, stride, &sparse, r + b * m->block * stride);
    }
}

/* -- the rows that count -- */

cairn_status cairn_view_used(cairn_context *ctx, cairn_view *out, const cairn_view *view)
{
    uint32_t *indices;
    double *weights = NULL;
    size_t n = 0;
    *out = *view;
    if (!cairn_view_is_weighted(view)) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &indices, view->rows.n));
    if (view->rows.weights) CHECK(SCRATCH_RAW(ctx, &weights, view->rows.n));
    for (size_t i = 0; i < view->rows.n; i++) {
        if (!(cairn_view_weight(view, i) > 0)) continue;
        if (weights) weights[n] = view->rows.weights[i];
        indices[n++] = (uint32_t)cairn_view_row(view, i);
    }
    out->rows = (cairn_rows){indices, n, weights};
    return CAIRN_OK;
}

/* -- the names of the terms of a matrix, and sums of terms as text -- */

void cairn_terms_count(const cairn_schema *schema, size_t *n_dense, size_t *n_terms)
{
    *n_dense = *n_terms = 0;
    for (size_t i = 0; i < schema->n_fields; i++) {
        const cairn_field *field = &schema->fields[i];
        if (field->role != CAIRN_FEATURE) continue;
        *n_dense += field->kind != CAIRN_BAG;
        *n_terms += field->kind == CAIRN_BAG ? field->names.n : 1;
    }
}

const char *cairn_term_name(cairn_text *buffer, const cairn_schema *schema, size_t n_dense,
                            size_t term)
{
    size_t dense = 0, item = term - n_dense;
    for (size_t i = 0; i < schema->n_fields; i++) {
        const cairn_field *field = &schema->fields[i];
        if (field->role != CAIRN_FEATURE) continue;
        if (field->kind != CAIRN_BAG) {
            if (term < n_dense && dense++ == term) return field->name;
            continue;
        }
        if (term < n_dense) continue;
        if (item < field->names.n) {
            buffer->length = 0;
            cairn_text_addf(buffer, "%s=%s", field->name, cairn_map_key(&field->names, item));
            return cairn_text_string(buffer);
        }
        item -= field->names.n;
    }
    return "?";
}

/* BAG=ITEM of every item, in scratch. */
static cairn_status name_items(cairn_context *ctx, const char **out, const cairn_field *field)
{
    for (size_t i = 0; i < field->names.n; i++) {
        const char *item = cairn_map_key(&field->names, i);
        size_t size = strlen(field->name) + strlen(item) + 2;
        char *name;
        CHECK(SCRATCH_RAW(ctx, &name, size));
        snprintf(name, size, "%s=%s", field->name, item);
        out[i] = name;
    }
    return CAIRN_OK;
}

cairn_status cairn_term_names(cairn_context *ctx, const char *const **out,
                              const cairn_schema *schema)
{
    size_t n_dense, n_terms, dense = 0;
    const char **names;
    cairn_terms_count(schema, &n_dense, &n_terms);
    CHECK(SCRATCH(ctx, &names, n_terms + 1));
    size_t item = n_dense;
    for (size_t i = 0; i < schema->n_fields; i++) {
        const cairn_field *field = &schema->fields[i];
        if (field->role != CAIRN_FEATURE) continue;
        if (field->kind != CAIRN_BAG) {
            names[dense++] = field->name;
            continue;
        }
        CHECK(name_items(ctx, names + item, field));
        item += field->names.n;
    }
    *out = names;
    return CAIRN_OK;
}

const char *cairn_term_key(cairn_report *report, const char *name)
{
    return strcmp(name, "intercept") == 0 ? "\"intercept\"" : cairn_report_key(report, name);
}

cairn_status cairn_terms_check(cairn_archive *archive, const cairn_schema *schema, size_t n_terms)
{
    size_t n_dense, there;
    cairn_terms_count(schema, &n_dense, &there);
    if (there == n_terms) return CAIRN_OK;
    return cairn_archive_damaged(archive, "the learner has %zu terms, the schema %zu", n_terms,
                                 there);
}

void cairn_add_term(cairn_text *text, bool *any, double factor, const char *name, bool hide_one)
{
    cairn_text_add(text, *any ? (factor < 0 ? " − " : " + ") : factor < 0 ? "−" : "");
    *any = true;
    bool shown = !name || !hide_one || fabs(fabs(factor) - 1) > 1e-9;
    if (shown) cairn_text_add_number(text, fabs(factor), 6);
    if (name) cairn_text_addf(text, "%s%s", shown ? "·" : "", name);
}

enum {
    ROUGH_ROWS = 1024,         /* sample behind shift and scale */
    MOST_BLOCKS = 64,          /* partial results in memory */
    LEAST_BLOCK = 1024,        /* rows */
    PIECE_NUMBERS = 16 * 1024, /* numbers in a worker's buffer */
    LEAST_PIECE = 16,
    MOST_PARTIAL = 1 << 24 /* numbers in all partial results, where that is possible */
};

/* -- opening -- */

/* Number columns, bags and the numbers of their terms. */
static cairn_status list_columns(cairn_context *ctx, cairn_row_matrix *m)
{
    const cairn_view *view = m->view;
    size_t n = view->n_features;
    CHECK(SCRATCH_EACH(ctx, n + 1, &m->columns, &m->bags));
    CHECK(SCRATCH(ctx, &m->bag_starts, n + 2));
    for (size_t j = 0; j < n; j++)
        if (view->features[j]->kind == CAIRN_BAG)
            m->bags[m->n_bags++] = view->features[j];
        else
            m->columns[m->n_dense++] = view->features[j]->numbers;
    m->n_terms = m->n_dense;
    for (size_t b = 0; b < m->n_bags; b++) {
        m->bag_starts[b] = m->n_terms;
        m->n_terms += m->bags[b]->names.n;
    }
    m->bag_starts[m->n_bags] = m->n_terms;
    if (m->target) m->columns[m->n_dense] = view->target->numbers;
    return CAIRN_OK;
}

/* Of a model that knows fewer terms than the data have, the others are left out. */
static cairn_status limit_terms(cairn_context *ctx, cairn_row_matrix *m, size_t n_terms)
{
    if (m->n_terms < n_terms || m->n_dense > n_terms)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "the model has %zu terms, the data %zu", n_terms,
                          m->n_terms);
    m->n_terms = n_terms;
    return CAIRN_OK;
}

/* A rough centre and a power of two near the size of a column, from rows spread over the view. A
 * column that is constant in the sample is shifted by exactly its value. */
static void rough_scale(const size_t *rows, size_t m, const double *column, double *shift,
                        double *scale)
{
    if (m == 0) return;
    double first = column[rows[0]], mean = 0, size = 0;
    bool same = true;
    for (size_t i = 0; i < m; i++) {
        double x = column[rows[i]];
        mean += (x - mean) / (double)(i + 1);
        same = same && x == first;
    }
    if (same || !isfinite(mean)) mean = first;
    for (size_t i = 0; i < m; i++) size = fmax(size, fabs(column[rows[i]] - mean));
    if (!(size > 0) || !isfinite(size)) size = fabs(mean);
    if (!(size > 0) || !isfinite(size)) size = 1;
    int exponent;
    frexp(size, &exponent);
    if (exponent < -1000) exponent = -1000;
    if (!same && fabs(mean) <= size && exponent > -100 && exponent < 100) mean = exponent = 0;
    *shift = isfinite(mean) ? mean : 0;
    *scale = ldexp(1, exponent > 1000 ? -1000 : -exponent);
}

/* Shift and scale of every term and the target. */
static cairn_status choose_units(cairn_context *ctx, cairn_row_matrix *m,
                                 const cairn_matrix_options *options)
{
    CHECK(SCRATCH(ctx, &m->shift, m->n_terms + 1));
    CHECK(SCRATCH_RAW(ctx, &m->scale, m->n_terms + 1));
    for (size_t t = 0; t <= m->n_terms; t++) m->scale[t] = 1;
    m->plain = true;
    if (options->units == CAIRN_UNITS_OWN) return CAIRN_OK;
    size_t n = m->view->rows.n, n_rough = n < ROUGH_ROWS ? n : ROUGH_ROWS, *rough;
    CHECK(SCRATCH_RAW(ctx, &rough, n_rough + 1));
    for (size_t i = 0; i < n_rough; i++) rough[i] = cairn_view_row(m->view, i * n / n_rough);
    for (size_t j = 0; j < m->n_dense + (m->target ? 1 : 0); j++) {
        size_t t = j < m->n_dense ? j : m->n_terms;
        rough_scale(rough, n_rough, m->columns[j], &m->shift[t], &m->scale[t]);
        if (options->largest_scale > 0) m->scale[t] = fmin(m->scale[t], options->largest_scale);
        if (options->units == CAIRN_UNITS_SCALED) m->shift[t] = 0;
        m->plain = m->plain && m->shift[t] == 0 && m->scale[t] == 1;
    }
    return CAIRN_OK;
}

/* Rows per block and per piece, by the shape of the data alone. */
static void choose_sizes(cairn_row_matrix *m, size_t tile)
{
    size_t most = MOST_BLOCKS, numbers = m->written + m->buffer + 1;
    if (m->sum_size > MOST_PARTIAL / MOST_BLOCKS)
        most = m->sum_size >= MOST_PARTIAL / 4 ? 4 : MOST_PARTIAL / m->sum_size;
    m->block = (m->n + most - 1) / most;
    if (m->block < LEAST_BLOCK) m->block = LEAST_BLOCK;
    if (m->block < 2 * m->written) m->block = 2 * m->written; /* triangles of blocks are small */
    if (tile) m->block = cairn_tile_rows(tile);
    m->n_blocks = cairn_block_count(m->n, m->block);
    m->piece = PIECE_NUMBERS / numbers / 32 * 32;
    if (m->piece < 32) m->piece = PIECE_NUMBERS / numbers / 8 * 8;
    if (m->piece < LEAST_PIECE) m->piece = LEAST_PIECE;
    if (m->piece > CAIRN_PIECE_ROWS) m->piece = CAIRN_PIECE_ROWS;
}

/* Numbers of a worker's buffer. */
static size_t buffer_size(const cairn_row_matrix *m)
{
    return cairn_product(m->piece, m->written + m->buffer + 1) + m->product;
}

static cairn_status make_buffers(cairn_context *ctx, cairn_row_matrix *m)
{
    size_t longest = m->piece > m->written ? m->piece : m->written;
    m->product = m->scores ? cairn_matmul_buffer(longest, m->scores, longest) : 0;
    return SCRATCH_RAW(ctx, &m->buffers, cairn_product((size_t)cairn_workers(ctx), buffer_size(m)));
}

cairn_status cairn_matrix_open(cairn_context *ctx, cairn_row_matrix *out, const cairn_view *view,
                               const cairn_matrix_options *options)
{
    cairn_row_matrix m = {.view = view, .n = view->rows.n, .buffer = options->buffer};
    m.sum_size = options->sum_size;
    m.scores = options->scores;
    m.target = options->target;
    m.ones = options->ones;
    m.unit = options->unit;
    m.weighted = cairn_view_is_weighted(view);
    CHECK(list_columns(ctx, &m));
    if (options->n_terms) CHECK(limit_terms(ctx, &m, options->n_terms));
    m.width = m.n_terms + (m.target ? 1 : 0) + (m.ones ? 1 : 0);
    m.written = options->apart || options->tile ? m.n_dense : m.width;
    CHECK(choose_units(ctx, &m, options));
    choose_sizes(&m, options->tile);
    CHECK(make_buffers(ctx, &m));
    if (options->tile) CHECK(cairn_tiles_make(ctx, &m));
    *out = m;
    return CAIRN_OK;
}

cairn_status cairn_matrix_part(cairn_context *ctx, cairn_row_matrix *out, cairn_view *view,
                               const cairn_row_matrix *matrix, const uint32_t *rows, size_t n)
{
    *out = *matrix;
    *view = *matrix->view;
    view->rows = (cairn_rows){.indices = rows, .n = n};
    out->view = view;
    out->n = n;
    out->tiles = NULL;
    out->weights = NULL;
    choose_sizes(out, 0);
    return make_buffers(ctx, out);
}

/* -- reading -- */

enum { SCALED_ROWS = 128, SCALED_COLUMNS = 8 };

/* Rows of a number column, in `buffer` unless they lie in the table one after the other. */
static const double *column_rows(const cairn_row_matrix *m, const cairn_column *column,
                                 size_t first, size_t n, double *buffer)
{
    const cairn_scaled *how = cairn_column_scaled(column);
    const double *from = how ? how->from->numbers : column->numbers;
    const uint32_t *rows = m->view->rows.indices;
    double gathered[SCALED_ROWS];
    if (rows) cairn_gather(gathered, from, rows + first, n);
    from = rows ? gathered : from + first;
    if (!how && !rows) return from;
    if (how)
        cairn_scaled_numbers(how, from, n, buffer);
    else
        memcpy(buffer, from, n * sizeof *buffer);
    return buffer;
}

/* The same as pack() where numbers of some columns are only promised: a few columns at a time. */
static void pack_scaled(const cairn_row_matrix *m, size_t first, size_t n, double *z, size_t stride)
{
    double buffer[SCALED_COLUMNS][SCALED_ROWS];
    const double *columns[SCALED_COLUMNS];
    size_t at = 0, k = 0;
    for (size_t j = 0; j < m->view->n_features; j++) {
        const cairn_column *column = m->view->features[j];
        if (column->kind == CAIRN_BAG) continue;
        columns[k] = column_rows(m, column, first, n, buffer[k]);
        if (++k < SCALED_COLUMNS && at + k < m->n_dense) continue;
        cairn_pack_rows(z + at, stride, columns, k, NULL, 0, n);
        at += k;
        k = 0;
    }
}

static bool is_promised(const cairn_row_matrix *m)
{
    for (size_t j = 0; j < m->n_dense; j++)
        if (!m->columns[j]) return true;
    return false;
}

/* Number columns, and the target when it follows them, to `stride`. */
static void pack(const cairn_row_matrix *m, size_t first, size_t n, double *z, size_t stride,
                 size_t n_columns)
{
    const uint32_t *rows = m->view->rows.indices;
    if (!n_columns) return;
    size_t from = is_promised(m) ? m->n_dense : 0, begin = rows ? 0 : first;
    for (size_t i = 0; from && i < n; i += SCALED_ROWS)
        pack_scaled(m, first + i, n - i < SCALED_ROWS ? n - i : SCALED_ROWS, z + i * stride,
                    stride);
    cairn_pack_rows(z + from, stride, m->columns + from, n_columns - from,
                    rows ? rows + first : NULL, begin, n);
    if (!m->plain) cairn_standardise_rows(z, stride, n, n_columns, m->shift, m->scale);
}

void cairn_matrix_dense(const cairn_row_matrix *m, size_t first, size_t n, double *z)
{
    pack(m, first, n, z, m->n_dense, m->n_dense);
}

static double amount(const cairn_column *bag, size_t e)
{
    return bag->amounts ? bag->amounts[e] : 1;
}

/* Term of an entry of a bag; n_terms and more are those that a model does not know. */
static size_t term_of(const cairn_row_matrix *m, size_t b, size_t e)
{
    return m->bag_starts[b] + (size_t)m->bags[b]->items[e];
}

/* Rows brought to the length 1; squares that leave the range of numbers are those of the row over
 * its largest number. */
static void make_unit(double *z, size_t stride, size_t n, size_t n_terms)
{
    for (size_t i = 0; i < n; i++) {
        double *row = z + i * stride, square = cairn_dot(row, row, n_terms), largest = 0;
        if (!(square > 1e-280) || !(square < 1e280)) {
            for (size_t j = 0; j < n_terms; j++) largest = fmax(largest, fabs(row[j]));
            for (size_t j = 0; largest > 0 && j < n_terms; j++) row[j] /= largest;
            square = cairn_dot(row, row, n_terms);
        }
        double length = sqrt(square);
        for (size_t j = 0; length > 0 && j < n_terms; j++) row[j] /= length;
    }
}

void cairn_matrix_rows(const cairn_row_matrix *m, size_t first, size_t n, double *z)
{
    size_t width = m->width, items = m->n_terms - m->n_dense;
    bool beside = m->target && !items; /* the target lies right behind the number columns */
    pack(m, first, n, z, width, m->n_dense + (beside ? 1 : 0));
    for (size_t i = 0; i < n; i++) {
        double *row = z + i * width;
        size_t at = cairn_view_row(m->view, first + i);
        if (m->ones) row[width - 1] = 1;
        if (!items) continue;
        memset(row + m->n_dense, 0, items * sizeof *row);
        for (size_t b = 0; b < m->n_bags; b++)
            for (size_t e = m->bags[b]->starts[at]; e < m->bags[b]->starts[at + 1]; e++)
                if (term_of(m, b, e) < m->n_terms) row[term_of(m, b, e)] = amount(m->bags[b], e);
        if (m->target)
            row[m->n_terms] =
                (m->columns[m->n_dense][at] - m->shift[m->n_terms]) * m->scale[m->n_terms];
    }
    if (m->unit) make_unit(z, width, n, m->n_terms);
}

size_t cairn_matrix_entries(const cairn_row_matrix *m, size_t i, size_t *terms, double *values)
{
    size_t n = 0, row = cairn_view_row(m->view, i);
    for (size_t j = 0; j < m->n_dense; j++) {
        terms[n] = j;
        values[n] = m->columns[j][row];
        n += values[n] != 0;
    }
    for (size_t b = 0; b < m->n_bags; b++)
        for (size_t e = m->bags[b]->starts[row]; e < m->bags[b]->starts[row + 1]; e++) {
            terms[n] = term_of(m, b, e);
            values[n] = amount(m->bags[b], e);
            n += terms[n] < m->n_terms;
        }
    return n;
}

double cairn_matrix_value(const cairn_row_matrix *m, size_t i, size_t t)
{
    size_t row = cairn_view_row(m->view, i);
    if (t < m->n_dense) return m->columns[t][row];
    for (size_t b = 0; b < m->n_bags; b++)
        for (size_t e = m->bags[b]->starts[row]; e < m->bags[b]->starts[row + 1]; e++)
            if (term_of(m, b, e) == t) return amount(m->bags[b], e);
    return 0;
}

size_t cairn_matrix_used(const cairn_row_matrix *m)
{
    size_t used = 0;
    for (size_t i = 0; i < m->n; i++)
        used += (m->weights ? m->weights[i] : cairn_view_weight(m->view, i)) > 0;
    return used;
}

const double *cairn_matrix_weights(const cairn_row_matrix *m, size_t first, size_t n,
                                   double *buffer)
{
    if (m->weights) return m->weights + first;
    if (!m->weighted) return NULL;
    cairn_view_weights(m->view, first, n, buffer);
    return buffer;
}

/* z of a number column: where it lies in the table, or made in `buffer`. */
static const double *read_column(const cairn_row_matrix *m, size_t j, size_t t, size_t first,
                                 size_t n, double *buffer)
{
    const uint32_t *rows = m->view->rows.indices;
    const double *from = m->columns[j] + (rows ? 0 : first);
    double shift = m->shift[t], scale = m->scale[t];
    if (!rows && shift == 0 && scale == 1) return from;
    if (rows) cairn_gather(buffer, from, rows + first, n);
    for (size_t i = 0; i < n; i++) buffer[i] = ((rows ? buffer[i] : from[i]) - shift) * scale;
    return buffer;
}

const double *cairn_matrix_target(const cairn_row_matrix *m, size_t first, size_t n, double *buffer)
{
    return read_column(m, m->n_dense, m->n_terms, first, n, buffer);
}

void cairn_matrix_times(const cairn_row_matrix *m, size_t first, size_t n, const double *w,
                        double *out, double *buffer)
{
    for (size_t j = 0; j < m->n_dense; j++)
        if (w[j] != 0) cairn_axpy(out, w[j], read_column(m, j, j, first, n, buffer), n);
    for (size_t i = 0; m->n_bags && i < n; i++) {
        size_t row = cairn_view_row(m->view, first + i);
        for (size_t b = 0; b < m->n_bags; b++)
            for (size_t e = m->bags[b]->starts[row]; e < m->bags[b]->starts[row + 1]; e++)
                if (term_of(m, b, e) < m->n_terms)
                    out[i] += w[term_of(m, b, e)] * amount(m->bags[b], e);
    }
}

void cairn_matrix_transposed(const cairn_row_matrix *m, size_t first, size_t n, const double *r,
                             double *out, double *buffer)
{
    for (size_t j = 0; j < m->n_dense; j++)
        out[j] += cairn_dot(r, read_column(m, j, j, first, n, buffer), n);
    for (size_t i = 0; m->n_bags && i < n; i++) {
        size_t row = cairn_view_row(m->view, first + i);
        for (size_t b = 0; b < m->n_bags; b++)
            for (size_t e = m->bags[b]->starts[row]; e < m->bags[b]->starts[row + 1]; e++)
                if (term_of(m, b, e) < m->n_terms)
                    out[term_of(m, b, e)] += r[i] * amount(m->bags[b], e);
    }
}

void cairn_matrix_transposed_some(const cairn_row_matrix *m, size_t first, size_t n,
                                  const double *r, const uint32_t *which, size_t n_which,
                                  double *out, double *buffer)
{
    for (size_t k = 0; k < n_which; k++)
        out[k] += cairn_dot(r, read_column(m, which[k], which[k], first, n, buffer), n);
}

void cairn_matrix_squares(const cairn_row_matrix *m, size_t first, size_t n, const double *w,
                          double *out, double *buffer)
{
    for (size_t j = 0; j < m->n_dense; j++) {
        const double *z = read_column(m, j, j, first, n, buffer);
        double sum = w ? 0 : cairn_dot(z, z, n);
        for (size_t i = 0; w && i < n; i++) sum += w[i] * z[i] * z[i];
        out[j] += sum;
    }
    for (size_t i = 0; m->n_bags && i < n; i++) {
        size_t row = cairn_view_row(m->view, first + i);
        for (size_t b = 0; b < m->n_bags; b++)
            for (size_t e = m->bags[b]->starts[row]; e < m->bags[b]->starts[row + 1]; e++)
                if (term_of(m, b, e) < m->n_terms)
                    out[term_of(m, b, e)] +=
                        (w ? w[i] : 1) * amount(m->bags[b], e) * amount(m->bags[b], e);
    }
}

void cairn_matrix_scores(const cairn_row_matrix *m, const cairn_piece *piece, const double *weights,
                         size_t n_scores)
{
    size_t n = piece->n, first = piece->first;
    double *out = piece->buffer, *z = out + n * n_scores;
    const double *last = weights + m->n_terms * n_scores;
    cairn_matrix_dense(m, first, n, z);
    cairn_rows_product(out, n_scores, z, m->n_dense, n, m->n_dense, weights, n_scores, n_scores,
                       piece->product);
    for (size_t i = 0; i < n; i++) {
        size_t row = cairn_view_row(m->view, first + i);
        double *to = out + i * n_scores;
        for (size_t k = 0; k < n_scores; k++) to[k] += last[k];
        for (size_t b = 0; b < m->n_bags; b++)
            for (size_t e = m->bags[b]->starts[row]; e < m->bags[b]->starts[row + 1]; e++) {
                size_t t = term_of(m, b, e);
                double x = amount(m->bags[b], e);
                for (size_t k = 0; t < m->n_terms && k < n_scores; k++)
                    to[k] += x * weights[t * n_scores + k];
            }
    }
}

void cairn_matrix_small_scores(const cairn_row_matrix *m, size_t i, const double *weights,
                               size_t n_scores, double *out)
{
    const double down = 0x1p-600;
    size_t row = cairn_view_row(m->view, i);
    for (size_t k = 0; k < n_scores; k++) {
        out[k] = 0;
        for (size_t t = 0; t < m->n_dense; t++)
            out[k] += (m->columns[t][row] * down) * (weights[t * n_scores + k] * down);
        for (size_t b = 0; b < m->n_bags; b++)
            for (size_t e = m->bags[b]->starts[row]; e < m->bags[b]->starts[row + 1]; e++) {
                size_t t = term_of(m, b, e);
                if (t < m->n_terms)
                    out[k] += (amount(m->bags[b], e) * down) * (weights[t * n_scores + k] * down);
            }
    }
}

/* -- sums -- */

typedef struct sum_work {
    const cairn_context *ctx;
    const cairn_row_matrix *m;
    const cairn_row_sum *sum;
    double *partial; /* of the blocks */
} sum_work;

/* Rows of a block are written out piece by piece into the worker's buffer and handed to the sum, so
 * a matrix is never held whole; blocks are summed in order by the caller. */
static void sum_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const sum_work *work = data;
    const cairn_row_matrix *m = work->m;
    double *sums = work->partial + block * work->sum->size;
    double *z = m->buffers + (size_t)worker * buffer_size(m);
    double *weights = z + m->piece * m->written;
    if (work->sum->size) memset(sums, 0, work->sum->size * sizeof *sums);
    size_t rows = work->sum->rows ? work->sum->rows : m->piece;
    for (size_t first = begin; first < end; first += rows) {
        size_t n = end - first < rows ? end - first : rows;
        if (cairn_is_cancelled(work->ctx)) return; /* rows may be very wide */
        cairn_piece piece = {.first = first, .n = n, .block = block, .opens = first == begin};
        piece.buffer = weights + m->piece;
        piece.product = piece.buffer + m->piece * m->buffer;
        if (!work->sum->unread) {
            if (m->written == m->width)
                cairn_matrix_rows(m, first, n, z);
            else
                cairn_matrix_dense(m, first, n, z);
            piece.z = z;
            piece.weights = cairn_matrix_weights(m, first, n, weights);
        }
        work->sum->piece(work->sum->data, &piece, sums);
    }
}

cairn_status cairn_matrix_sum(cairn_context *ctx, const cairn_row_matrix *m,
                              const cairn_row_sum *sum, double *out)
{
    SCOPED_SCRATCH(ctx);
    sum_work work = {.ctx = ctx, .m = m, .sum = sum};
    size_t size = sum->size;
    CHECK(SCRATCH_RAW(ctx, &work.partial, cairn_product(m->n_blocks, size) + 1));
    CHECK(cairn_blocks(ctx, m->n, m->block, sum_block, &work));
    if (size) memset(out, 0, size * sizeof *out);
    for (size_t b = 0; size && b < m->n_blocks; b++) {
        const double *part = work.partial + b * size;
        if (b == 0)
            memcpy(out, part, size * sizeof *out);
        else if (sum->join)
            sum->join(sum->data, out, part, size);
        else
            for (size_t i = 0; i < size; i++) out[i] += part[i];
    }
    if (size && !sum->join) CHECK(cairn_all_sum(ctx, out, size));
    return CAIRN_OK;
}

/* -- numbers that are none -- */

cairn_status cairn_refuse_number(cairn_context *ctx, const char *column, size_t row, double number)
{
    char value[CAIRN_NUMBER_SIZE];
    cairn_number_format(value, number, CAIRN_SHORTEST);
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "column '%s', row %zu: %s is not a finite number; leave the row out or treat "
                      "the cell as missing",
                      column, row + 1, value);
}

/* The largest number of a cell or a bag of row `at`, if it is larger than *most. */
static void take_larger(const cairn_column *c, size_t at, double *most, double *best, bool *taken)
{
    bool bag = c->kind == CAIRN_BAG;
    size_t from = bag ? c->starts[at] : 0, to = bag ? c->starts[at + 1] : 1;
    for (size_t e = from; e < to; e++) {
        const cairn_scaled *how = cairn_column_scaled(c);
        double x = 0;
        if (how)
            cairn_scaled_numbers(how, how->from->numbers + at, 1, &x);
        else
            x = bag ? amount(c, e) : c->numbers[at];
        if (fabs(x) <= *most || isnan(*best)) continue;
        *most = fabs(x);
        *best = x;
        *taken = true;
    }
}

double cairn_matrix_largest(const cairn_row_matrix *m, const char **column, size_t *row)
{
    const cairn_view *view = m->view;
    size_t n = view->n_features;
    double most = -1, best = 0;
    *column = NULL;
    *row = 0;
    for (size_t j = 0; j < n + (m->target ? 1 : 0); j++)
        for (size_t i = 0; i < m->n; i++) {
            size_t at = cairn_view_row(view, i);
            bool taken = false;
            take_larger(j < n ? view->features[j] : view->target, at, &most, &best, &taken);
            if (!taken) continue;
            *column = j < n ? view->names[j] : view->target_name;
            *row = at;
        }
    return best;
}

cairn_status cairn_matrix_refuse(cairn_context *ctx, const cairn_row_matrix *m,
                                 const char *otherwise)
{
    char value[CAIRN_NUMBER_SIZE], place[256];
    const char *column;
    size_t row;
    double x = cairn_matrix_largest(m, &column, &row);
    if (!isfinite(x)) return cairn_refuse_number(ctx, column, row, x);
    cairn_number_format(value, x, CAIRN_SHORTEST);
    snprintf(place, sizeof place, "%s in column '%s', row %zu", value, column ? column : "?",
             row + 1);
    if (!otherwise)
        otherwise = "the sums of squares overflow: some numbers are too large (the largest is %s); "
                    "rescale the columns";
    const char *at = strstr(otherwise, "%s");
    if (!at) return cairn_fail(ctx, CAIRN_BAD_DATA, "%s", otherwise);
    return cairn_fail(ctx, CAIRN_BAD_DATA, "%.*s%s%s", (int)(at - otherwise), otherwise, place,
                      at + 2);
}

/* -- units -- */

void cairn_matrix_raw(const cairn_row_matrix *m, const double *theta, size_t stride,
                      size_t n_scores, double *out)
{
    double *constants = out + m->n_terms * n_scores;
    for (size_t k = 0; k < n_scores; k++)
        constants[k] = m->ones ? theta[m->n_terms * stride + k] : 0;
    for (size_t t = 0; t < m->n_terms; t++)
        for (size_t k = 0; k < n_scores; k++) {
            double w = theta[t * stride + k] * m->scale[t];
            constants[k] -= w * m->shift[t];
            out[t * n_scores + k] = w;
        }
}

void cairn_matrix_from_raw(const cairn_row_matrix *m, const double *weights, size_t n_scores,
                           double *theta, size_t stride)
{
    memset(theta, 0, m->width * stride * sizeof *theta);
    for (size_t k = 0; k < n_scores; k++) {
        double constant = weights[m->n_terms * n_scores + k];
        for (size_t t = 0; t < m->n_terms; t++) {
            double w = weights[t * n_scores + k];
            theta[t * stride + k] = w / m->scale[t];
            constant += w * m->shift[t];
        }
        if (m->ones) theta[m->n_terms * stride + k] = constant;
    }
}

void cairn_matrix_raw_slopes(const cairn_row_matrix *m, const double *slopes, size_t stride,
                             size_t n_scores, double *out)
{
    for (size_t t = 0; t <= m->n_terms; t++)
        for (size_t k = 0; k < n_scores; k++) {
            double slope = t < m->n_terms || m->ones ? slopes[t * stride + k] : NAN;
            if (t < m->n_terms) slope /= m->scale[t];
            if (t < m->n_terms && m->ones) slope += m->shift[t] * slopes[m->n_terms * stride + k];
            out[t * n_scores + k] = slope;
        }
}
