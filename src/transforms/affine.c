/* SPDX-License-Identifier: MIT */
/* Scaling of columns: see affine.h. */
#include "transforms/affine.h"
#include "data/column.h"
#include "parallel/parallel.h"
#include <math.h>
#include <string.h>

/* Rows of a chunk, and chunks that a thread takes at once: threads that write into the same large
 * page for the first time would both clear one. */
enum { SCALE_BLOCK = 1 << 15, SCALE_CHUNKS = 16 };

#define HUGE_SPREAD 0x1p1000

cairn_status cairn_affine_new(cairn_context *ctx, cairn_affine *affine, size_t n)
{
    CHECK(NEW(ctx, &affine->centres, n));
    return NEW(ctx, &affine->spreads, n);
}

cairn_status cairn_affine_add(cairn_context *ctx, cairn_affine *affine, const char *name,
                              double centre, double spread)
{
    size_t index;
    cairn_status status = cairn_map_add(ctx, &affine->names, name, strlen(name), &index);
    if (status) return status;
    affine->centres[index] = isnan(centre) ? 0 : centre;
    affine->spreads[index] = spread > 0 ? spread : 1; /* NaN and 0: nothing to divide by */
    return CAIRN_OK;
}

typedef struct scale_work {
    const cairn_affine *affine;
    cairn_affine_scale scale;
    const cairn_column **from;
    cairn_column **to;
    size_t n_rows, n_chunks;
} scale_work;

/* One chunk of rows of one column. */
static void scale_chunk(const scale_work *w, size_t chunk)
{
    size_t column = chunk / w->n_chunks, begin = chunk % w->n_chunks * SCALE_BLOCK;
    size_t end = begin + SCALE_BLOCK < w->n_rows ? begin + SCALE_BLOCK : w->n_rows;
    const double *restrict from = w->from[column]->numbers;
    double *restrict to = w->to[column]->numbers;
    double centre = w->affine->centres[column], spread = w->affine->spreads[column];
    double factor = w->scale.factor, low = w->scale.low, high = w->scale.high;
    double part = spread > HUGE_SPREAD ? 0.5 : 1; /* of differences that might overflow */
    centre *= part;
    spread *= part;
    if (factor == 1 && isinf(low) && isinf(high)) {
        for (size_t i = begin; i < end; i++) to[i] = (from[i] * part - centre) / spread;
        return;
    }
    for (size_t i = begin; i < end; i++) {
        double x = factor * ((from[i] * part - centre) / spread);
        to[i] = x < low ? low : x > high ? high : x; /* NaN stays */
    }
}

static void scale_chunks(void *data, size_t block, size_t first, size_t last, int worker)
{
    (void)block, (void)worker;
    for (size_t chunk = first; chunk < last; chunk++) scale_chunk(data, chunk);
}

cairn_status cairn_affine_apply(cairn_context *ctx, const cairn_affine *affine,
                                cairn_affine_scale scale, cairn_table *table)
{
    cairn_status status;
    size_t n = affine->names.n, *places;
    scale_work work = {.affine = affine, .scale = scale, .n_rows = table->n_rows};
    work.n_chunks = cairn_block_count(table->n_rows, SCALE_BLOCK);
    TRY(SCRATCH(ctx, &places, n + 1));
    TRY(SCRATCH(ctx, &work.from, n + 1));
    TRY(SCRATCH(ctx, &work.to, n + 1));
    for (size_t i = 0, at = 0; i < n; i++) {
        TRY(cairn_next_column(ctx, table, cairn_map_key(&affine->names, i), &at));
        TRY(cairn_expect_kind(ctx, &table->slots[at], CAIRN_NUMBER));
        places[i] = at;
        work.from[i] = table->slots[at].column;
    }
    TRY(cairn_columns_new(ctx, work.to, n, table->n_rows, true));
    for (size_t i = 0; i < n; i++) work.to[i]->n_missing = work.from[i]->n_missing;
    double cells = (double)n * (double)table->n_rows;
    TRY(cairn_blocks_sized(ctx, n * work.n_chunks, SCALE_CHUNKS, cells, scale_chunks, &work));
    for (size_t i = 0; i < n; i++) {
        cairn_table_replace_column(table, places[i], work.to[i]);
        work.to[i] = NULL;
    }
done:
    for (size_t i = 0; work.to && i < n; i++) cairn_column_drop(work.to[i]);
    return status;
}

cairn_status cairn_affine_lower(cairn_program *p, const cairn_affine *affine,
                                cairn_affine_scale scale)
{
    size_t n = affine->names.n;
    double *tables[6];
    int32_t *in;
    cairn_operation *op;
    if (n == 0) return CAIRN_OK;
    CHECK(cairn_program_columns(p, &affine->names, &in));
    CHECK(cairn_program_add(p, CAIRN_OP_SCALE, in, n, n, &op));
    for (size_t t = 0; t < 6; t++) CHECK(cairn_op_numbers(p, op, t, n, &tables[t]));
    for (size_t i = 0; i < n; i++) {
        double part = affine->spreads[i] > HUGE_SPREAD ? 0.5 : 1;
        tables[0][i] = part;
        tables[1][i] = affine->centres[i] * part;
        tables[2][i] = affine->spreads[i] * part;
        tables[3][i] = scale.factor;
        tables[4][i] = scale.low;
        tables[5][i] = scale.high;
    }
    return cairn_program_put_all(p, &affine->names, op->out);
}

cairn_status cairn_affine_archive(cairn_archive *a, cairn_affine *affine, const char *centres,
                                  const char *spreads)
{
    CHECK(cairn_archive_map(a, "names", &affine->names));
    CHECK(cairn_archive_reals(a, centres, &affine->centres, affine->names.n));
    return cairn_archive_reals(a, spreads, &affine->spreads, affine->names.n);
}

void cairn_affine_clear(cairn_affine *affine)
{
    cairn_map_clear(&affine->names);
    cairn_free(affine->centres);
    cairn_free(affine->spreads);
    *affine = (cairn_affine){0};
}

bool cairn_affine_restore(const cairn_affine *affine, double factor, const char *column,
                          double *value)
{
    int64_t at = cairn_map_find(&affine->names, column, strlen(column));
    if (at < 0) return false;
    *value = *value / factor * affine->spreads[at] + affine->centres[at];
    return true;
}

double cairn_deviation(const cairn_moments *m, bool less_one)
{
    double below = less_one ? m->weight - 1 : m->weight;
    double deviation = below > 0 ? sqrt(m->squares / below) * m->unit : 0;
    bool constant = m->low == m->high || deviation <= 1e-15 * fabs(m->mean);
    return constant ? 0 : deviation;
}
