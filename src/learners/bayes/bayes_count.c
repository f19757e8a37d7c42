/* SPDX-License-Identifier: MIT */
/* Adding rows to the counts and moments of the parts.
 *
 * Gaussian columns without missing cells go through one pass together: rows are read in blocks,
 * each block sums d = x - shift and d squared per class, and the blocks are joined in order, so the
 * number of threads does not show. The shift of a class is the mean of some of its rows, which
 * keeps the digits that a sum of squares would lose; where it turns out to be far from the mean,
 * the pass is made again about the mean. All other parts are counted side by side, each by one
 * thread in row order.
 *
 * What is there already is joined with the new rows (Chan, Golub and LeVeque), so adding rows in
 * two goes gives the counts of one go exactly, and moments to about 1e-14 of their size. */
#include "learners/bayes/bayes.h"
#include "base/memory.h"
#include "base/number.h"
#include "kernels/kernels.h"
#include "parallel/parallel.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLE_ROWS = 4096,        /* behind the shifts */
    MOST_BLOCKS = 64,          /* partial sums in memory */
    LEAST_BLOCK = 2048,        /* rows */
    PIECE_NUMBERS = 16 * 1024, /* in a worker's buffer */
    MOST_PARTIAL = 1 << 24     /* numbers in all partial sums, where that is possible */
};

/* Join a sample of n rows with the moments that are there. */
static void join_moments(double *total, double *mean, double *squares, double n, double new_mean,
                         double new_squares)
{
    double all = *total + n, step = new_mean - *mean;
    if (!(n > 0)) return;
    if (*total == 0) {
        *mean = new_mean;
        *squares = new_squares;
    } else {
        *mean += step * n / all;
        *squares += new_squares + step * step * *total * n / all;
    }
    *total = all;
}

/* -- the pass over dense Gaussian columns -- */

typedef struct pass {
    const cairn_view *view;
    size_t n_rows, n_classes, n_columns, chunk, piece;
    bool weighted;
    const double **columns; /* n_columns */
    cairn_bayes_part **parts;
    double *shift;   /* n_classes x n_columns */
    double *partial; /* a block's sums and squares: 2 x n_classes x n_columns */
    double *buffers; /* workers x piece x n_columns */
    double *weights; /* workers x piece */
    int32_t *codes;  /* workers x piece */
    double *sums, *squares;
    const double *rows_of; /* n_classes: weight of the view's rows */
} pass;

static void moments_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const pass *p = data;
    size_t size = p->n_classes * p->n_columns, room = (size_t)worker * p->piece;
    double *sums = p->partial + block * 2 * size;
    double *x = p->buffers + room * p->n_columns;
    const uint32_t *rows = p->view->rows.indices;
    for (size_t i = begin; i < end; i += p->piece) {
        size_t n = end - i < p->piece ? end - i : p->piece;
        cairn_pack_rows(x, p->n_columns, p->columns, p->n_columns, rows ? rows + i : NULL,
                        rows ? 0 : i, n);
        cairn_view_target_codes(p->view, i, n, p->codes + room);
        if (p->weighted) cairn_view_weights(p->view, i, n, p->weights + room);
        cairn_class_moments_add(sums, sums + size, x, p->n_columns, n, p->n_columns,
                                p->codes + room, p->weighted ? p->weights + room : NULL, p->shift);
    }
}

static cairn_status sum_blocks(cairn_context *ctx, pass *p)
{
    SCOPED_SCRATCH(ctx);
    size_t size = p->n_classes * p->n_columns, n_blocks = cairn_block_count(p->n_rows, p->chunk);
    CHECK(SCRATCH(ctx, &p->partial, cairn_product(n_blocks, 2 * size)));
    CHECK(cairn_blocks(ctx, p->n_rows, p->chunk, moments_block, p));
    memset(p->sums, 0, size * sizeof *p->sums);
    memset(p->squares, 0, size * sizeof *p->squares);
    for (size_t b = 0; b < n_blocks; b++)
        for (size_t i = 0; i < size; i++) {
            p->sums[i] += p->partial[b * 2 * size + i];
            p->squares[i] += p->partial[b * 2 * size + size + i];
        }
    return CAIRN_OK;
}

/* A value near the mean of every class: the mean of its first row and of some rows spread over the
 * view. Where the class is constant it is that constant. */
static cairn_status find_shifts(cairn_context *ctx, pass *p)
{
    SCOPED_SCRATCH(ctx);
    size_t n = p->n_rows, m = n < SAMPLE_ROWS ? n : SAMPLE_ROWS, left = p->n_classes, *seen;
    CHECK(SCRATCH(ctx, &seen, p->n_classes));
    for (size_t pass_no = 0; pass_no < 2; pass_no++)
        for (size_t i = 0; i < (pass_no ? m : n) && (pass_no || left); i++) {
            size_t row = cairn_view_row(p->view, pass_no ? i * n / m : i);
            int32_t c = p->view->target->codes[row];
            if (c < 0 || (!pass_no && seen[c])) continue;
            double *shift = p->shift + (size_t)c * p->n_columns;
            if (!seen[c]++) left--;
            for (size_t j = 0; j < p->n_columns; j++)
                shift[j] += (p->columns[j][row] - shift[j]) / (double)seen[c];
        }
    return CAIRN_OK;
}

/* Move shifts that are far from the mean, beside the spread, to the mean; false = none is. */
static bool move_shifts(pass *p)
{
    bool moved = false;
    for (size_t c = 0; c < p->n_classes; c++)
        for (size_t j = 0; j < p->n_columns; j++) {
            size_t at = c * p->n_columns + j;
            double n = p->rows_of[c], off = n > 0 ? p->sums[at] * p->sums[at] / n : 0;
            if (!(off > 1e4 * (p->squares[at] - off)) || !(off > 0) || !isfinite(off)) continue;
            p->shift[at] += p->sums[at] / n;
            moved = true;
        }
    return moved;
}

/* The number of blocks follows from rows, columns and classes alone, never from the threads,
 * since it decides in which order sums are joined. */
static cairn_status open_pass(cairn_context *ctx, pass *p, const cairn_bayes_model *m,
                              const cairn_view *view)
{
    size_t workers = (size_t)cairn_workers(ctx), most = MOST_BLOCKS;
    *p = (pass){.view = view, .n_rows = view->rows.n, .n_classes = m->n_classes};
    p->weighted = cairn_view_is_weighted(view);
    CHECK(SCRATCH(ctx, &p->columns, m->n_parts + 1));
    CHECK(SCRATCH(ctx, &p->parts, m->n_parts + 1));
    for (size_t i = 0; i < m->n_parts; i++) {
        const cairn_column *column = view->features[m->parts[i].features[0]];
        if (m->parts[i].density != CAIRN_BAYES_GAUSSIAN || column->n_missing) continue;
        p->columns[p->n_columns] = column->numbers;
        p->parts[p->n_columns++] = &m->parts[i];
    }
    if (!p->n_columns) return CAIRN_OK;
    size_t size = cairn_product(m->n_classes, p->n_columns);
    if (size > MOST_PARTIAL / 2 / MOST_BLOCKS)
        most = size >= MOST_PARTIAL / 4 ? 2 : MOST_PARTIAL / 2 / size;
    p->chunk = (p->n_rows + most - 1) / most;
    if (p->chunk < LEAST_BLOCK) p->chunk = LEAST_BLOCK;
    p->piece = PIECE_NUMBERS / p->n_columns / 8 * 8;
    if (p->piece < 16) p->piece = 16;
    CHECK(SCRATCH(ctx, &p->shift, size));
    CHECK(SCRATCH(ctx, &p->sums, size));
    CHECK(SCRATCH(ctx, &p->squares, size));
    CHECK(SCRATCH_RAW(ctx, &p->buffers, cairn_product(workers * p->piece, p->n_columns)));
    CHECK(SCRATCH_RAW(ctx, &p->weights, workers * p->piece));
    return SCRATCH_RAW(ctx, &p->codes, workers * p->piece);
}

/* Sums around a shift near the mean do not cancel; where the guess was poor the rows are summed
 * once more around the mean itself. */
static cairn_status count_normals(cairn_context *ctx, cairn_bayes_model *m, const cairn_view *view,
                                  const double *rows_of)
{
    SCOPED_SCRATCH(ctx);
    pass p;
    CHECK(open_pass(ctx, &p, m, view));
    if (!p.n_columns) return CAIRN_OK;
    p.rows_of = rows_of;
    CHECK(find_shifts(ctx, &p));
    CHECK(sum_blocks(ctx, &p));
    if (move_shifts(&p)) CHECK(sum_blocks(ctx, &p));
    for (size_t j = 0; j < p.n_columns; j++)
        for (size_t c = 0; c < p.n_classes; c++) {
            size_t at = c * p.n_columns + j;
            double n = rows_of[c], off = n > 0 ? p.sums[at] / n : 0;
            join_moments(&p.parts[j]->totals[c], &p.parts[j]->means[c], &p.parts[j]->squares[c], n,
                         p.shift[at] + off, fmax(p.squares[at] - off * p.sums[at], 0));
        }
    return CAIRN_OK;
}

/* -- the other parts -- */

typedef struct counting {
    cairn_bayes_model *m;
    const cairn_job *job;
} counting;

static const char no_count[] =
    "is no count; a multinomial column counts how often something occurs, so choose another "
    "{density} for it";
static const char too_many[] =
    "makes the counts of the class add up to more than the largest number; correct it, or choose "
    "another {density}";

/* `fault` follows the value. */
static cairn_status refuse_cell(cairn_context *ctx, const cairn_view *view, size_t feature,
                                size_t row, double x, const char *fault)
{
    char value[CAIRN_NUMBER_SIZE];
    cairn_number_format(value, x, CAIRN_SHORTEST);
    return cairn_fail(ctx, CAIRN_BAD_DATA, "column '%s', row %zu: %s %s", view->names[feature],
                      row + 1, value, cairn_say(ctx, fault));
}

static void count_levels(cairn_bayes_part *part, const cairn_view *view, size_t k)
{
    const int32_t *codes = view->features[part->features[0]]->codes;
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i), c = (size_t)view->target->codes[row];
        double w = cairn_view_weight(view, i);
        if (codes[row] < 0) continue;
        part->counts[(size_t)codes[row] * k + c] += w;
        part->totals[c] += w;
    }
}

/* Numbers that fall on values or into bins, or are there or not. */
static void count_places(cairn_bayes_part *part, const cairn_view *view, size_t k)
{
    const double *numbers = view->features[part->features[0]]->numbers;
    bool bits = part->density == CAIRN_BAYES_BERNOULLI;
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i), c = (size_t)view->target->codes[row];
        double w = cairn_view_weight(view, i), x = numbers[row];
        if (isnan(x)) continue;
        ptrdiff_t at = bits ? (x > 0 ? 0 : -1) : cairn_bayes_place(part, x);
        part->totals[c] += w;
        if (at >= 0) part->counts[(size_t)at * k + c] += w;
    }
}

/* Words of a bag column; `terms` says whether a row counts once or as often as the word occurs. */
static cairn_status count_bag(cairn_context *ctx, cairn_bayes_part *part, const cairn_view *view,
                              size_t k, bool once)
{
    size_t feature = (size_t)part->features[0];
    const cairn_column *column = view->features[feature];
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i), c = (size_t)view->target->codes[row];
        double w = cairn_view_weight(view, i), sum = 0;
        if (column->absent && column->absent[row]) continue;
        for (size_t t = column->starts[row]; t < column->starts[row + 1]; t++) {
            double x = column->amounts ? column->amounts[t] : 1;
            if (!(x >= 0) || isinf(x)) return refuse_cell(ctx, view, feature, row, x, no_count);
            double add = once ? w * (x > 0) : w * x;
            part->counts[(size_t)column->items[t] * k + c] += add;
            sum += add;
            if (isinf(part->totals[c] + sum))
                return refuse_cell(ctx, view, feature, row, x, too_many);
        }
        part->totals[c] += once ? w : sum;
    }
    return CAIRN_OK;
}

/* The same for number columns that make one bag. */
static cairn_status count_numbers(cairn_context *ctx, cairn_bayes_part *part,
                                  const cairn_view *view, size_t k, bool once)
{
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i), c = (size_t)view->target->codes[row];
        double w = cairn_view_weight(view, i);
        if (once) part->totals[c] += w;
        for (size_t j = 0; j < part->n_features; j++) {
            double x = view->features[part->features[j]]->numbers[row];
            if (isnan(x)) continue;
            if (x < 0 || isinf(x))
                return refuse_cell(ctx, view, (size_t)part->features[j], row, x, no_count);
            double add = once ? w * (x > 0) : w * x;
            part->counts[j * k + c] += add;
            if (!once) part->totals[c] += add;
            if (isinf(part->totals[c]))
                return refuse_cell(ctx, view, (size_t)part->features[j], row, x, too_many);
        }
    }
    return CAIRN_OK;
}

/* A Gaussian column with missing cells, row after row (Welford). */
static cairn_status count_moments(cairn_context *ctx, cairn_bayes_part *part,
                                  const cairn_view *view, size_t k)
{
    const double *numbers = view->features[part->features[0]]->numbers;
    double *n, *mean, *squares;
    CHECK(SCRATCH(ctx, &n, k));
    CHECK(SCRATCH(ctx, &mean, k));
    CHECK(SCRATCH(ctx, &squares, k));
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i), c = (size_t)view->target->codes[row];
        double w = cairn_view_weight(view, i), x = numbers[row], step = x - mean[c];
        if (isnan(x) || !(w > 0)) continue;
        n[c] += w;
        mean[c] += step * w / n[c];
        squares[c] += w * step * (x - mean[c]);
    }
    for (size_t c = 0; c < k; c++)
        join_moments(&part->totals[c], &part->means[c], &part->squares[c], n[c], mean[c],
                     squares[c]);
    return CAIRN_OK;
}

typedef struct kept_value {
    double x, w;
    int32_t c;
} kept_value;

static int by_class_and_size(const void *a, const void *b)
{
    const kept_value *x = a, *y = b;
    if (x->c != y->c) return x->c < y->c ? -1 : 1;
    if (x->x != y->x) return x->x < y->x ? -1 : 1;
    return (x->w > y->w) - (x->w < y->w);
}

/* The values themselves, for a kernel density. */
static cairn_status keep_values(cairn_context *ctx, cairn_bayes_part *part, const cairn_view *view,
                                size_t k)
{
    const double *numbers = view->features[part->features[0]]->numbers;
    cairn_status status;
    kept_value *all;
    double *kept = NULL, *weights = NULL;
    size_t n = 0;
    TRY(SCRATCH_RAW(ctx, &all, part->n_kept + view->rows.n + 1));
    for (size_t c = 0; c < k; c++)
        for (double left = part->kept_of[c]; left > 0; left--, n++)
            all[n] = (kept_value){part->kept[n], part->kept_weights[n], (int32_t)c};
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        kept_value v = {numbers[row], cairn_view_weight(view, i), view->target->codes[row]};
        if (!isfinite(v.x) || !(v.w > 0)) continue;
        all[n++] = v;
        part->kept_of[v.c]++;
        part->totals[v.c] += v.w;
    }
    if (n) qsort(all, n, sizeof *all, by_class_and_size);
    TRY(NEW_RAW(ctx, &kept, n));
    TRY(NEW_RAW(ctx, &weights, n));
    for (size_t i = 0; i < n; i++) kept[i] = all[i].x, weights[i] = all[i].w;
    cairn_free(part->kept);
    cairn_free(part->kept_weights);
    part->kept = kept;
    part->kept_weights = weights;
    part->n_kept = n;
    return CAIRN_OK;
done:
    cairn_free(kept);
    cairn_free(weights);
    return status;
}

/* Gaussian columns without missing cells were counted by count_normals, all at once; every other
 * part is a task of its own. */
static cairn_status count_part(cairn_context *ctx, void *data, size_t task)
{
    const counting *work = data;
    cairn_bayes_part *part = &work->m->parts[task];
    const cairn_view *view = work->job->view;
    SCOPED_SCRATCH(ctx);
    size_t k = work->m->n_classes;
    bool once = part->density == CAIRN_BAYES_BERNOULLI || work->m->terms == CAIRN_TERMS_DOCUMENTS;
    CHECK(cairn_tick(ctx, NULL, 0, 0));
    if (part->density == CAIRN_BAYES_GAUSSIAN) {
        if (view->features[part->features[0]]->n_missing) CHECK(count_moments(ctx, part, view, k));
    } else if (part->density == CAIRN_BAYES_KERNEL) {
        CHECK(keep_values(ctx, part, view, k));
    } else if (part->density == CAIRN_BAYES_MULTINOMIAL && part->of_numbers) {
        CHECK(count_numbers(ctx, part, view, k, once));
    } else if (part->of_numbers) {
        count_places(part, view, k);
    } else if (part->density == CAIRN_BAYES_CATEGORICAL) {
        count_levels(part, view, k);
    } else {
        CHECK(count_bag(ctx, part, view, k, once));
    }
    return CAIRN_OK;
}

/* -- numbers that are too large or too small -- */

/* The row with the number of largest size. */
static size_t largest_row(const cairn_view *view, const double *numbers)
{
    size_t best = cairn_view_row(view, 0);
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        if (isnan(numbers[best]) || fabs(numbers[row]) > fabs(numbers[best])) best = row;
    }
    return best;
}

static cairn_status refuse_large(cairn_context *ctx, const cairn_view *view, size_t feature)
{
    const double *numbers = view->features[feature]->numbers;
    size_t row = largest_row(view, numbers);
    char value[CAIRN_NUMBER_SIZE];
    cairn_number_format(value, numbers[row], CAIRN_SHORTEST);
    if (isinf(numbers[row]))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "column '%s', row %zu: %s is not a finite number; leave the row out or "
                          "treat the cell as missing",
                          view->names[feature], row + 1, value);
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "column '%s', row %zu: %s is too large for a normal density, since the sum "
                      "of squares is beyond all numbers; correct it, divide the columns by their "
                      "largest number ({with scale:max-abs}), or use {density '%s=binned'}",
                      view->names[feature], row + 1, value, view->names[feature]);
}

/* A column whose squares vanish although its numbers differ is not constant. */
static cairn_status refuse_small(cairn_context *ctx, const cairn_view *view, size_t feature)
{
    const double *numbers = view->features[feature]->numbers;
    double first = NAN;
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        if (isnan(numbers[row]) || !(cairn_view_weight(view, i) > 0)) continue;
        if (isnan(first)) first = numbers[row];
        if (numbers[row] == first) continue;
        char value[CAIRN_NUMBER_SIZE], other[CAIRN_NUMBER_SIZE];
        cairn_number_format(value, numbers[row], CAIRN_SHORTEST);
        cairn_number_format(other, first, CAIRN_SHORTEST);
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "column '%s', row %zu: %s and %s differ by so little that the squares "
                          "of the differences are no numbers; divide the columns by their largest "
                          "number ({with scale:max-abs}), or use {density '%s=binned'}",
                          view->names[feature], row + 1, other, value, view->names[feature]);
    }
    return CAIRN_OK;
}

/* Means and variances must be numbers, and 0 only where nothing varies. */
static cairn_status check_moments(cairn_context *ctx, const cairn_bayes_model *m,
                                  const cairn_view *view)
{
    for (size_t i = 0; i < m->n_parts; i++) {
        const cairn_bayes_part *part = &m->parts[i];
        size_t feature = (size_t)part->features[0];
        double mean, variance;
        bool fine = true;
        if (part->density != CAIRN_BAYES_GAUSSIAN) continue;
        for (size_t c = 0; c < m->n_classes; c++)
            fine = fine && isfinite(part->means[c]) && isfinite(part->squares[c]);
        cairn_bayes_pooled(m, part, &mean, &variance);
        if (!fine || isinf(variance) || isinf(m->add_variance * variance))
            CHECK(refuse_large(ctx, view, feature));
        if (m->least_variance * variance < DBL_MIN) CHECK(refuse_small(ctx, view, feature));
    }
    return CAIRN_OK;
}

cairn_status cairn_bayes_count(cairn_context *ctx, cairn_bayes_model *m, const cairn_job *job)
{
    SCOPED_SCRATCH(ctx);
    const cairn_view *view = job->view;
    counting work = {m, job};
    double *rows_of;
    CHECK(SCRATCH(ctx, &rows_of, m->n_classes));
    for (size_t i = 0; i < view->rows.n; i++)
        rows_of[view->target->codes[cairn_view_row(view, i)]] += cairn_view_weight(view, i);
    CHECK(count_normals(ctx, m, view, rows_of));
    CHECK(cairn_tasks_sized(ctx, m->n_parts, (double)view->rows.n * (double)m->n_parts, count_part,
                            &work));
    CHECK(check_moments(ctx, m, view));
    for (size_t c = 0; c < m->n_classes; c++) m->classes[c] += rows_of[c];
    return CAIRN_OK;
}
