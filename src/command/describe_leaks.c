/* SPDX-License-Identifier: MIT */
/* cairn describe: features that give the classes away. One split of each column, at the best cut of
 * a number or by every level, tells: what hardly errs where guessing the commonest class does is
 * rarely known before the target is. */
#include "command/describe.h"

#include "base/memory.h"
#include "base/number.h"
#include "parallel/parallel.h"
#include "parallel/sort.h"

#include <math.h>

enum { MOST_CLASSES = 50, LEAST_ROWS = 10, ROWS_PER_LEVEL = 5, MOST_REPORTED = 5 };
#define FEW_ERRORS 0.05 /* of those that the commonest class makes */

/* What one split of a column gets right. */
typedef struct one_split {
    double right, total; /* weights of rows */
    double common;       /* of the commonest class */
    double cut;          /* NaN = by levels */
} one_split;

typedef struct leak_work {
    const cairn_describing *d;
    const cairn_column *target;
    size_t n_classes;
    one_split *splits; /* per column */
} leak_work;

static double largest(const double *counts, size_t n)
{
    double most = 0;
    for (size_t k = 0; k < n; k++) most = fmax(most, counts[k]);
    return most;
}

/* The best cut of a number column: a sweep over the rows in the order of their values. */
static cairn_status split_numbers(cairn_context *ctx, const leak_work *w,
                                  const cairn_column *column, one_split *out)
{
    double below[MOST_CLASSES] = {0}, above[MOST_CLASSES] = {0};
    uint64_t *keys, *rows;
    size_t n = 0;
    CHECK(SCRATCH_RAW_EACH(ctx, column->n_rows, &keys, &rows));
    for (size_t i = 0; i < column->n_rows; i++) {
        if (isnan(column->numbers[i]) || w->target->codes[i] < 0) continue;
        keys[n] = cairn_order_key(column->numbers[i]);
        rows[n++] = i;
        above[w->target->codes[i]] += cairn_describe_weight(w->d, i);
    }
    CHECK(cairn_sort_keys(ctx, keys, rows, n));
    out->common = out->right = largest(above, w->n_classes);
    for (size_t k = 0; k < w->n_classes; k++) out->total += above[k];
    for (size_t i = 0; i + 1 < n; i++) {
        double weight = cairn_describe_weight(w->d, rows[i]);
        below[w->target->codes[rows[i]]] += weight;
        above[w->target->codes[rows[i]]] -= weight;
        double here = column->numbers[rows[i]], next = column->numbers[rows[i + 1]];
        if (!(here < next)) continue;
        double right = largest(below, w->n_classes) + largest(above, w->n_classes);
        if (!(right > out->right)) continue;
        out->right = right;
        out->cut = here + (next - here) / 2;
    }
    return CAIRN_OK;
}

/* The commonest class of each level; columns of levels that are nearly as many as the rows tell
 * nothing. */
static cairn_status split_levels(cairn_context *ctx, const leak_work *w, const cairn_column *column,
                                 one_split *out)
{
    size_t n = column->names.n, k = w->n_classes;
    double *counts, all[MOST_CLASSES] = {0};
    if (n * ROWS_PER_LEVEL > column->n_rows) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &counts, cairn_product(n + 1, k)));
    for (size_t i = 0; i < column->n_rows; i++) {
        if (column->codes[i] < 0 || w->target->codes[i] < 0) continue;
        double weight = cairn_describe_weight(w->d, i);
        counts[(size_t)column->codes[i] * k + (size_t)w->target->codes[i]] += weight;
        all[w->target->codes[i]] += weight;
        out->total += weight;
    }
    for (size_t l = 0; l < n; l++) out->right += largest(counts + l * k, k);
    out->common = largest(all, k);
    return CAIRN_OK;
}

static cairn_status split_column(cairn_context *ctx, void *data, size_t i)
{
    const leak_work *w = data;
    const cairn_slot *slot = &w->d->table->slots[i];
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status = CAIRN_OK;
    w->splits[i].cut = NAN;
    if (slot->role != CAIRN_FEATURE) return CAIRN_OK;
    if (slot->column->kind == CAIRN_NUMBER || slot->column->kind == CAIRN_TIME)
        status = split_numbers(ctx, w, slot->column, &w->splits[i]);
    else if (slot->column->kind == CAIRN_LEVEL)
        status = split_levels(ctx, w, slot->column, &w->splits[i]);
    cairn_scratch_release(ctx, mark);
    return status;
}

static void tell(cairn_describing *d, size_t i, const one_split *s)
{
    const cairn_slot *slot = &d->table->slots[i];
    const char *target = d->table->slots[d->target].name;
    char share[CAIRN_NUMBER_SIZE], cut[CAIRN_NUMBER_SIZE];
    cairn_number_format(share, 100 * s->right / s->total, 3);
    cairn_number_format(cut, s->cut, 6);
    bool number = slot->column->kind == CAIRN_NUMBER;
    cairn_report_note(
        d->report, "'%s' %s '%s'%s%s%s%s%s: make sure that it is known before the target is.",
        slot->name, s->right == s->total ? "determines" : "alone gives away", target,
        number ? ", by the one cut at " : "", number ? cut : "", s->right == s->total ? "" : " (",
        s->right == s->total ? "" : share, s->right == s->total ? "" : "% of the rows)");
    cairn_report_hidden(d->report, s->right / s->total, "checks.gives_away.%s",
                        cairn_report_key(d->report, slot->name));
}

cairn_status cairn_describe_leaks(cairn_describing *d)
{
    leak_work w = {.d = d, .target = d->table->slots[d->target].column};
    size_t n = d->table->n_columns, reported = 0;
    w.n_classes = w.target->kind == CAIRN_LEVEL ? w.target->names.n : 0;
    if (w.n_classes < 2 || w.n_classes > MOST_CLASSES) return CAIRN_OK;
    CHECK(SCRATCH(d->ctx, &w.splits, n + 1));
    CHECK(cairn_tasks_sized(d->ctx, n, 50.0 * (double)n * (double)d->table->n_rows, split_column,
                            &w));
    for (size_t i = 0; i < n; i++) {
        const one_split *s = &w.splits[i];
        double wrong = s->total - s->right, usual = s->total - s->common;
        if (s->total <= LEAST_ROWS || !(usual > 0) || wrong > FEW_ERRORS * usual) continue;
        if (reported++ < MOST_REPORTED) tell(d, i, s);
    }
    if (reported > MOST_REPORTED)
        cairn_report_note(d->report, "%zu more columns give the target away.",
                          reported - MOST_REPORTED);
    return CAIRN_OK;
}
