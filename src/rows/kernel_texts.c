/* SPDX-License-Identifier: MIT */
/* Rows of texts for kernels: letters as the distance of edits has them. Several columns of texts
 * are compared one by one, and their kernels added, or their edits. */
#include "rows/kernel.h"
#include "base/functions.h"
#include "base/memory.h"
#include <math.h>
#include <string.h>

static cairn_letters letters_of(const cairn_kernel_rows *rows, size_t i, size_t column)
{
    const cairn_points *p = &rows->texts;
    size_t at = column * p->n + i, start = p->starts[at];
    return (cairn_letters){p->letters + start, (size_t)p->lengths[at],
                           rows->orders ? rows->orders + start : NULL};
}

/* Sum over the columns, not divided by lengths. */
static double raw_value(const cairn_kernel *kernel, const cairn_kernel_rows *a, size_t i,
                        const cairn_kernel_rows *b, size_t j, double *room)
{
    double sum = 0;
    for (size_t t = 0; t < a->n_terms; t++) {
        cairn_letters x = letters_of(a, i, t), y = letters_of(b, j, t);
        sum += cairn_text_kernel(kernel, &x, &y, room);
    }
    return sum;
}

double cairn_kernel_texts_value(const cairn_kernel *kernel, const cairn_kernel_rows *a, size_t i,
                                const cairn_kernel_rows *b, size_t j, double *room)
{
    double value = raw_value(kernel, a, i, b, j, room);
    if (cairn_kernel_kind_of(kernel) == CAIRN_KERNEL_EDIT) return cairn_exp(-kernel->gamma * value);
    if (!kernel->normalise) return value;
    double lengths = a->norms[i] * b->norms[j];
    return lengths > 0 ? value / sqrt(lengths) : 0;
}

/* What is made of the letters: sorted runs, and k of every row with itself. */
static cairn_status prepare(cairn_context *ctx, cairn_kernel_rows *rows, const cairn_kernel *kernel)
{
    const cairn_points *p = &rows->texts;
    bool edits = cairn_kernel_kind_of(kernel) == CAIRN_KERNEL_EDIT;
    SCOPED_SCRATCH(ctx);
    double *room;
    CHECK(SCRATCH_RAW(ctx, &room, cairn_text_kernel_room(kernel, p->longest)));
    CHECK(NEW_RAW(ctx, &rows->norms, rows->n));
    if (cairn_kernel_kind_of(kernel) == CAIRN_KERNEL_SPECTRUM) {
        CHECK(NEW(ctx, &rows->orders, p->n_letters));
        for (size_t c = 0; c < p->n * p->n_texts; c++)
            (void)cairn_letters_sort(rows->orders + p->starts[c], p->letters + p->starts[c],
                                     (size_t)p->lengths[c], (size_t)kernel->length);
    }
    for (size_t i = 0; i < rows->n; i++)
        rows->norms[i] = edits ? 1 : raw_value(kernel, rows, i, rows, i, room);
    return CAIRN_OK;
}

cairn_status cairn_kernel_texts_open(cairn_context *ctx, cairn_kernel_rows *rows,
                                     const cairn_kernel *kernel, const cairn_view *view,
                                     const cairn_kernel_rows *like)
{
    SCOPED(cairn_metric_clear) cairn_metric metric = {0};
    for (size_t j = 0; j < view->n_features; j++) {
        cairn_kind kind = view->features[j]->kind;
        if (kind != CAIRN_TEXT && kind != CAIRN_LEVEL && kind != CAIRN_SEQUENCE)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "{kernel %s} compares texts, and '%s' holds %s; {ignore} leaves the "
                              "column out",
                              kernel->function->entry.name, view->names[j],
                              cairn_kind_plural(kind));
    }
    if (like && view->n_features != like->n_terms)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "the model has %zu columns of texts, the data %zu",
                          like->n_terms, view->n_features);
    rows->layout = CAIRN_KERNEL_LETTERS;
    rows->n_terms = view->n_features;
    CHECK(cairn_metric_open(ctx, &metric, "kernel", "edit"));
    CHECK(cairn_metric_points(ctx, &metric, &rows->texts, view, NULL));
    return prepare(ctx, rows, kernel);
}

cairn_status cairn_kernel_texts_keep(cairn_context *ctx, cairn_kernel_rows *out,
                                     const cairn_kernel_rows *from, const uint32_t *which)
{
    const cairn_points *p = &from->texts;
    cairn_points *to = &out->texts;
    size_t at = 0, n = out->n;
    *to = (cairn_points){.n = n, .n_texts = p->n_texts};
    CHECK(NEW_RAW(ctx, &to->lengths, cairn_product(n, p->n_texts)));
    CHECK(NEW_RAW(ctx, &to->starts, cairn_product(n, p->n_texts)));
    for (size_t t = 0; t < p->n_texts; t++)
        for (size_t r = 0; r < n; r++) {
            size_t length = (size_t)p->lengths[t * p->n + which[r]];
            to->lengths[t * n + r] = (int32_t)length;
            to->starts[t * n + r] = at;
            to->longest = length > to->longest ? length : to->longest;
            at += length;
        }
    to->n_letters = at;
    CHECK(NEW_RAW(ctx, &to->letters, at));
    if (from->orders) CHECK(NEW_RAW(ctx, &out->orders, at));
    for (size_t t = 0; t < p->n_texts; t++)
        for (size_t r = 0; r < n; r++) {
            size_t start = p->starts[t * p->n + which[r]], to_start = to->starts[t * n + r];
            size_t size = (size_t)to->lengths[t * n + r] * sizeof *to->letters;
            if (size) memcpy(to->letters + to_start, p->letters + start, size);
            if (size && from->orders) memcpy(out->orders + to_start, from->orders + start, size);
        }
    return CAIRN_OK;
}

cairn_status cairn_kernel_texts_archive(cairn_archive *a, const cairn_kernel *kernel,
                                        cairn_kernel_rows *rows)
{
    CHECK(cairn_points_archive(a, &rows->texts));
    if (!cairn_archive_reading(a)) return CAIRN_OK;
    if (rows->texts.n != rows->n || rows->texts.n_texts != rows->n_terms)
        CHECK(cairn_archive_damaged(a, "texts and rows do not fit together"));
    if (rows->texts.n_texts == 0) CHECK(cairn_archive_damaged(a, "there are no texts"));
    return prepare(cairn_archive_context(a), rows, kernel);
}
