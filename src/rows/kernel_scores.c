/* SPDX-License-Identifier: MIT */
/* What is made of kernel values: diagonal, Gram matrix, scores. */
#include "rows/kernel.h"
#include "base/memory.h"
#include "kernels/kernels.h"
#include "parallel/parallel.h"
#include <math.h>
#include <string.h>

enum {
    GRAM_ROWS = 256,   /* rows of the Gram matrix computed at a time */
    CHUNK_ROWS = 8192, /* new rows prepared at a time */
    PIECE_ROWS = 252,  /* of them scored at a time, */
    TILE_ROWS = 256,   /* with so many rows of the model */
    FEW_SCORES = 4     /* up to which each is an inner product of its own */
};

static cairn_status refuse_value(cairn_context *ctx, const cairn_kernel *kernel, size_t row)
{
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "the kernel%s%s overflows for row %zu of the training rows; rescale the "
                      "columns, or take a lower {degree} or a smaller {factor}",
                      kernel->function ? " " : "",
                      kernel->function ? kernel->function->entry.name : "", row + 1);
}

cairn_status cairn_kernel_diagonal(cairn_context *ctx, const cairn_kernel *kernel,
                                   const cairn_kernel_rows *rows, double *out)
{
    for (size_t i = 0; i < rows->n; i++) {
        if (rows->layout == CAIRN_KERNEL_LETTERS)
            out[i] = kernel->normalise ? rows->norms[i] > 0 : rows->norms[i];
        else if (rows->layout == CAIRN_KERNEL_VALUES)
            out[i] = rows->dense[i * rows->n_terms + (size_t)rows->columns[i]];
        else if (kernel->function->of_distance)
            out[i] = 1;
        else
            out[i] = cairn_kernel_together(kernel, rows->layout == CAIRN_KERNEL_FLOATS
                                                       ? (double)rows->floats_norms[i]
                                                       : rows->norms[i]);
        if (!isfinite(out[i])) return refuse_value(ctx, kernel, i);
    }
    return CAIRN_OK;
}

/* Rows from `first` on as a set of their own, borrowed. Of texts that cannot be: they are columns;
 * whoever takes them says which. */
static cairn_kernel_rows rows_from(const cairn_kernel_rows *rows, size_t first)
{
    cairn_kernel_rows part = *rows;
    if (part.dense) part.dense += first * rows->n_terms;
    if (part.norms) part.norms += first;
    if (part.floats) part.floats += first * rows->n_terms;
    if (part.floats_norms) part.floats_norms += first;
    if (part.starts) part.starts += first;
    return part;
}

/* Rows [i, i + m) from column i on. */
static cairn_status gram_strip(cairn_context *ctx, const cairn_kernel *kernel,
                               const cairn_kernel_rows *rows, size_t i, size_t m, double *out)
{
    SCOPED_SCRATCH(ctx);
    size_t n = rows->n;
    bool texts = rows->layout == CAIRN_KERNEL_LETTERS;
    cairn_kernel_rows part = texts ? *rows : rows_from(rows, i);
    uint32_t *which = NULL;
    if (texts) CHECK(SCRATCH_RAW(ctx, &which, m));
    for (size_t r = 0; texts && r < m; r++) which[r] = (uint32_t)(i + r);
    CHECK(cairn_kernel_block(ctx, kernel, &part, which, m, rows, i, n - i, out + i * n + i, n));
    bool bounded = kernel->function && (kernel->function->of_distance ||
                                        cairn_kernel_kind_of(kernel) == CAIRN_KERNEL_SIGMOID);
    for (size_t r = i; !bounded && r < i + m; r++)
        for (size_t j = r; j < n; j++)
            if (!isfinite(out[r * n + j])) return refuse_value(ctx, kernel, r);
    return CAIRN_OK;
}

cairn_status cairn_kernel_gram(cairn_context *ctx, const cairn_kernel *kernel,
                               const cairn_kernel_rows *rows, bool upper, double *out)
{
    for (size_t i = 0; i < rows->n; i += GRAM_ROWS) {
        size_t m = rows->n - i < GRAM_ROWS ? rows->n - i : GRAM_ROWS;
        CHECK(gram_strip(ctx, kernel, rows, i, m, out));
        CHECK(cairn_tick(ctx, "kernel values", (double)i, (double)rows->n));
    }
    if (!upper) cairn_mirror_upper(out, rows->n);
    return CAIRN_OK;
}

/* -- scores -- */

typedef struct scoring {
    const cairn_kernel *kernel;
    const cairn_kernel_rows *model, *rows;
    const double *coefficients, *constants;
    size_t m, tile;
    double *scores;
    size_t room; /* numbers of a worker's room */
    double *rooms;
} scoring;

/* values (n x tile) are k(new row, row first + j of the model). */
static void add_values(const scoring *s, const double *values, size_t n, size_t first, size_t tile,
                       double *scores, double *room)
{
    const double *c = s->coefficients + first;
    if (s->m > FEW_SCORES) {
        cairn_matmul p = {.m = n, .n = s->m, .k = tile, .a = values, .a_i = tile, .a_k = 1};
        p.b = c, p.b_k = 1, p.b_j = s->model->n;
        p.c = scores, p.c_i = s->m, p.alpha = 1;
        cairn_matmul_alone(&p, room);
        return;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < s->m; k++)
            scores[i * s->m + k] += cairn_dot(values + i * tile, c + k * s->model->n, tile);
}

/* Values of a piece of the new rows and a tile of the model's, in double. */
static void take_values(const scoring *s, const cairn_kernel_rows *piece, const uint32_t *which,
                        size_t n, size_t first, size_t tile, double *values, double *room)
{
    if (s->model->layout != CAIRN_KERNEL_FLOATS) {
        cairn_kernel_block_alone(s->kernel, piece, which, n, s->model, first, tile, values, tile,
                                 room);
        return;
    }
    float *floats = (float *)(void *)room;
    cairn_kernel_block_alone_floats(s->kernel, piece, which, n, s->model, first, tile, floats, tile,
                                    floats + n * tile);
    for (size_t i = 0; i < n * tile; i++) values[i] = (double)floats[i];
}

static void score_piece(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block;
    const scoring *s = data;
    bool texts = s->rows->layout == CAIRN_KERNEL_LETTERS;
    cairn_kernel_rows piece = texts ? *s->rows : rows_from(s->rows, begin);
    double *values = s->rooms + (size_t)worker * s->room, *room = values + PIECE_ROWS * s->tile;
    double *scores = s->scores + begin * s->m;
    size_t n = end - begin;
    uint32_t which[PIECE_ROWS];
    for (size_t i = 0; i < n; i++) which[i] = (uint32_t)(begin + i);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < s->m; k++) scores[i * s->m + k] = s->constants ? s->constants[k] : 0;
    for (size_t first = 0; first < s->model->n; first += s->tile) {
        size_t tile = s->model->n - first < s->tile ? s->model->n - first : s->tile;
        take_values(s, &piece, texts ? which : NULL, n, first, tile, values, room);
        add_values(s, values, n, first, tile, scores, room);
    }
}

static cairn_status make_rooms(cairn_context *ctx, scoring *s)
{
    const cairn_kernel_rows *model = s->model, *rows = s->rows;
    s->tile = model->n < TILE_ROWS ? model->n : TILE_ROWS;
    size_t values = cairn_product(PIECE_ROWS, s->tile);
    size_t add = s->m > FEW_SCORES ? cairn_matmul_room(PIECE_ROWS, s->m, s->tile) : 0;
    size_t take =
        model->layout == CAIRN_KERNEL_FLOATS
            ? (values + cairn_kernel_room_floats(s->kernel, rows, PIECE_ROWS, model, s->tile)) / 2 +
                  1
            : cairn_kernel_room(s->kernel, rows, PIECE_ROWS, model, s->tile);
    s->room = values + (add > take ? add : take);
    return SCRATCH_RAW(ctx, &s->rooms, cairn_product((size_t)cairn_workers(ctx), s->room));
}

static cairn_status score_rows(cairn_context *ctx, scoring *s)
{
    size_t n = s->rows->n;
    CHECK(make_rooms(ctx, s));
    double work = (double)n * (double)s->model->n * (double)(s->model->n_terms + 20);
    return cairn_blocks_sized(ctx, n, PIECE_ROWS, work, score_piece, s);
}

/* Rows first .. first + n - 1 of the view: read as the model's were, then scored piece by piece. */
static cairn_status score_chunk(cairn_context *ctx, scoring *s, const cairn_view *view,
                                size_t first, size_t n)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_kernel_rows_clear) cairn_kernel_rows rows = {0};
    cairn_kernel kernel = *s->kernel;
    cairn_view part = *view;
    uint32_t *indices;
    CHECK(SCRATCH_RAW(ctx, &indices, n));
    for (size_t i = 0; i < n; i++) indices[i] = (uint32_t)cairn_view_row(view, first + i);
    part.rows = (cairn_rows){.indices = indices, .n = n};
    CHECK(
        cairn_kernel_rows_open(ctx, &rows, &kernel, &part, &(cairn_kernel_wish){.like = s->model}));
    s->rows = &rows;
    return score_rows(ctx, s);
}

cairn_status cairn_kernel_scores(cairn_context *ctx, const cairn_kernel *kernel,
                                 const cairn_kernel_rows *model, const double *coefficients,
                                 size_t m, const double *constants, const cairn_view *view,
                                 double *scores)
{
    SCOPED_SCRATCH(ctx);
    scoring s = {.kernel = kernel, .model = model, .coefficients = coefficients, .m = m};
    s.constants = constants;
    for (size_t first = 0; first < view->rows.n; first += CHUNK_ROWS) {
        size_t left = view->rows.n - first, n = left < CHUNK_ROWS ? left : CHUNK_ROWS;
        s.scores = scores + first * m;
        CHECK(score_chunk(ctx, &s, view, first, n));
        CHECK(cairn_tick(ctx, "predicting", (double)first, (double)view->rows.n));
    }
    return CAIRN_OK;
}

cairn_status cairn_kernel_own_scores(cairn_context *ctx, const cairn_kernel *kernel,
                                     const cairn_kernel_rows *model, const double *coefficients,
                                     size_t m, double *scores)
{
    SCOPED_SCRATCH(ctx);
    scoring s = {.kernel = kernel, .model = model, .coefficients = coefficients, .m = m};
    s.rows = model;
    s.scores = scores;
    return score_rows(ctx, &s);
}
