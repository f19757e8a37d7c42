/* SPDX-License-Identifier: MIT */
/* Scaling of columns: see affine.h. */
#include "data/ledger.h"
#include "transforms/affine.h"
#include "data/scaled.h"
#include <math.h>
#include <string.h>

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

/* Differences that might overflow are worked out in halves. */
static cairn_scaled scaled_by(const cairn_affine *affine, size_t i, cairn_affine_scale scale)
{
    double part = affine->spreads[i] > HUGE_SPREAD ? 0.5 : 1;
    return (cairn_scaled){.part = part,
                          .centre = affine->centres[i] * part,
                          .spread = affine->spreads[i] * part,
                          .factor = scale.factor,
                          .low = scale.low,
                          .high = scale.high};
}

/* Columns whose numbers are worked out where they are read take the place of those of the table. */
static cairn_status promise(cairn_context *ctx, const cairn_affine *affine,
                            cairn_affine_scale scale, cairn_table *table)
{
    for (size_t i = 0, at = 0; i < affine->names.n; i++) {
        cairn_column *column;
        cairn_scaled how = scaled_by(affine, i, scale);
        CHECK(cairn_next_column(ctx, table, cairn_map_key(&affine->names, i), &at));
        CHECK(cairn_expect_kind(ctx, &table->slots[at], CAIRN_NUMBER));
        how.from = table->slots[at].column;
        CHECK(cairn_scaled_new(ctx, &column, &how));
        cairn_table_replace_column(table, at, column);
    }
    return CAIRN_OK;
}

cairn_status cairn_affine_apply(cairn_context *ctx, const cairn_affine *affine,
                                cairn_affine_scale scale, cairn_table *table)
{
    CHECK(promise(ctx, affine, scale, table));
    return cairn_table_settle(ctx, table);
}

cairn_status cairn_affine_table(cairn_context *ctx, cairn_table **out, const cairn_affine *affine,
                                cairn_affine_scale scale, const cairn_table *table, bool promised)
{
    OWNED(cairn_table_free) cairn_table *copy = NULL;
    CHECK(cairn_table_share(ctx, &copy, table));
    CHECK((promised ? promise : cairn_affine_apply)(ctx, affine, scale, copy));
    *out = TAKE(copy);
    return CAIRN_OK;
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
        cairn_scaled how = scaled_by(affine, i, scale);
        tables[0][i] = how.part;
        tables[1][i] = how.centre;
        tables[2][i] = how.spread;
        tables[3][i] = how.factor;
        tables[4][i] = how.low;
        tables[5][i] = how.high;
    }
    return cairn_program_put_all(p, &affine->names, op->out);
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

void cairn_affine_write(cairn_ledger *out, const cairn_affine *s)
{
    cairn_ledger_columns(out, "tnn", "column", "centre", "spread");
    for (size_t i = 0; i < s->names.n; i++)
        cairn_ledger_cells(out, cairn_map_key(&s->names, i), s->centres[i], s->spreads[i]);
}
