/* SPDX-License-Identifier: MIT */
/* Missing cells from the t nearest training rows that have a value there.
 *
 * Two rows are compared over the columns that both have. Gower: the mean of |x - y| / range for
 * numbers, of |place - place| / (levels - 1) for ordered levels and of 0 or 1 (same or another) for
 * other levels. Euclidean: the square root of the sum of squares over those columns, times the
 * number of all columns over theirs; numbers as they are, levels as with Gower. Either way the
 * order of the rows is that of (sum / columns compared), so that is all that is kept. Equally near
 * rows are taken in table order. A number becomes the weighted mean of what the t rows have, a
 * level their most common one, the nearest of equals. A row that can be compared with no other
 * falls back to the mean or the most common level.
 *
 * Cost: rows to fill x training rows x columns, in blocks of training rows that stay in the cache;
 * rows are filled side by side. */
#include "transforms/impute.h"
#include "transforms/levels.h"
#include "data/column.h"
#include "parallel/parallel.h"
#include "report/table_rows.h"
#include <math.h>
#include <string.h>

typedef enum { DONOR_NUMBER, DONOR_LEVEL, DONOR_ORDERED } donor_kind;

enum { DONOR_BLOCK = 1024, FILL_BLOCK = 8 };
static const double most_work = 1e12, work_per_second = 3e8;

/* -- keeping the training rows -- */

static donor_kind kind_of(const cairn_column *column)
{
    if (column->kind == CAIRN_NUMBER) return DONOR_NUMBER;
    return column->ordered ? DONOR_ORDERED : DONOR_LEVEL;
}

/* What a difference of the column is divided by. */
static double scale_of(const cairn_column *column, const double *values, size_t n)
{
    double low = INFINITY, high = -INFINITY;
    if (column->kind == CAIRN_LEVEL)
        return column->ordered && column->names.n > 1 ? (double)(column->names.n - 1) : 1;
    for (size_t i = 0; i < n; i++) {
        if (values[i] < low) low = values[i];
        if (values[i] > high) high = values[i];
    }
    return high > low && isfinite(high - low) ? high - low : 1;
}

static void copy_column(double *out, const cairn_view *view, const cairn_column *column)
{
    size_t n = 0;
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        if (cairn_view_weight(view, i) <= 0) continue;
        if (column->kind == CAIRN_NUMBER)
            out[n++] = column->numbers[row];
        else
            out[n++] = column->codes[row] < 0 ? NAN : (double)column->codes[row];
    }
}

cairn_status cairn_donors_keep(cairn_context *ctx, cairn_donors *d, const cairn_view *view)
{
    size_t n_columns = 0, index;
    for (size_t c = 0; c < view->n_features; c++)
        n_columns += cairn_fits_number_or_level(view->features[c]);
    for (size_t i = 0; i < view->rows.n; i++) d->n_rows += cairn_view_weight(view, i) > 0;
    CHECK(NEW_EACH(ctx, n_columns, &d->levels, &d->kinds, &d->scales));
    CHECK(NEW_RAW(ctx, &d->values, cairn_product(n_columns, d->n_rows)));
    CHECK(NEW_RAW(ctx, &d->weights, d->n_rows));
    for (size_t c = 0; c < view->n_features; c++) {
        const cairn_column *column = view->features[c];
        if (!cairn_fits_number_or_level(column)) continue;
        CHECK(cairn_map_add(ctx, &d->names, view->names[c], strlen(view->names[c]), &index));
        double *values = d->values + index * d->n_rows;
        copy_column(values, view, column);
        d->kinds[index] = (uint8_t)kind_of(column);
        d->scales[index] = scale_of(column, values, d->n_rows);
        if (column->kind == CAIRN_LEVEL)
            CHECK(cairn_map_copy(ctx, &d->levels[index], &column->names));
    }
    for (size_t i = 0, n = 0; i < view->rows.n; i++)
        if (cairn_view_weight(view, i) > 0) d->weights[n++] = cairn_view_weight(view, i);
    return CAIRN_OK;
}

static cairn_status check_donors(cairn_archive *a, const void *donors, const void *around)
{
    const cairn_donors *d = donors;
    (void)around;
    for (size_t c = 0; c < d->names.n; c++) {
        bool number = d->kinds[c] == DONOR_NUMBER;
        for (size_t i = 0; i < d->n_rows && !number; i++) {
            double code = d->values[c * d->n_rows + i];
            if (!isnan(code) && !(code >= 0 && code < (double)d->levels[c].n))
                return cairn_archive_damaged(a, "a training row has a level that there is not");
        }
        if (d->kinds[c] > DONOR_ORDERED || !(d->scales[c] > 0))
            return cairn_archive_damaged(a, "a column of the training rows is of no kind");
    }
    return CAIRN_OK;
}

const cairn_kept cairn_donors_keeps[] = {
    KEEP_AS(cairn_donors, names, .name = "donor_names"),
    KEEP_SIZE(cairn_donors, n_rows, UINT32_MAX, .name = "donor_rows"),
    KEEP_ARRAY(cairn_donors, kinds, "names", .name = "donor_kinds"),
    KEEP_ARRAY(cairn_donors, scales, "names", .name = "donor_scales"),
    KEEP_ARRAY(cairn_donors, values, "names*n_rows", .name = "donor_values"),
    KEEP_ARRAY(cairn_donors, weights, "n_rows", .name = "donor_weights"),
    KEEP_MAPS(cairn_donors, levels, "names", .name = "donor_levels"),
    KEEP_CHECK(check_donors),
    KEEP_END,
};

/* -- filling -- */

/* One of the nearest rows so far. */
typedef struct neighbour {
    double gap;
    size_t row;
} neighbour;

/* A column that is to be filled. */
typedef struct wanted {
    size_t donor;         /* its number among the donors' columns */
    cairn_column *column; /* the new column, in the donors' codes */
    double fallback;
} wanted;

/* Working memory of one worker. */
typedef struct slice {
    double *row;        /* n_columns: the row at hand */
    double *sums;       /* DONOR_BLOCK */
    double *counts;     /* DONOR_BLOCK */
    neighbour *nearest; /* n_wanted x t */
    size_t *n_nearest;  /* n_wanted */
    double *votes;      /* most levels */
} slice;

typedef struct fill_work {
    const cairn_donors *donors;
    const cairn_column **columns; /* per donor column: the table's column, NULL = not there */
    int32_t **places;             /* per donor column: donor code of a table code */
    wanted *wanted;
    size_t n_wanted, t;
    bool euclidean;
    const uint32_t *rows; /* table rows with something to fill */
    slice *slices;
} fill_work;

/* Add one column's differences to the sums of a block of training rows. */
static void add_gaps(const fill_work *w, size_t c, double x, size_t begin, size_t n, slice *s)
{
    const double *restrict values = w->donors->values + c * w->donors->n_rows + begin;
    double *restrict sums = s->sums, *restrict counts = s->counts;
    bool number = w->donors->kinds[c] == DONOR_NUMBER;
    double scale = number && w->euclidean ? 1 : w->donors->scales[c];
    if (w->donors->kinds[c] == DONOR_LEVEL)
        for (size_t i = 0; i < n; i++) {
            bool there = values[i] == values[i];
            sums[i] += there && values[i] != x ? 1 : 0;
            counts[i] += there ? 1 : 0;
        }
    else
        for (size_t i = 0; i < n; i++) {
            double gap = fabs(x - values[i]) / scale;
            bool there = values[i] == values[i];
            gap = w->euclidean ? gap * gap : gap;
            sums[i] += there ? gap : 0;
            counts[i] += there ? 1 : 0;
        }
}

/* Put a row among the nearest t of a column, behind all that are as near. */
static void offer(neighbour *nearest, size_t *n, size_t t, double gap, size_t row)
{
    if (*n == t && !(gap < nearest[t - 1].gap)) return;
    size_t at = *n < t ? (*n)++ : t - 1;
    for (; at > 0 && nearest[at - 1].gap > gap; at--) nearest[at] = nearest[at - 1];
    nearest[at] = (neighbour){gap, row};
}

static void search_block(const fill_work *w, size_t begin, size_t n, slice *s)
{
    const cairn_donors *d = w->donors;
    memset(s->sums, 0, n * sizeof *s->sums);
    memset(s->counts, 0, n * sizeof *s->counts);
    for (size_t c = 0; c < d->names.n; c++)
        if (!isnan(s->row[c])) add_gaps(w, c, s->row[c], begin, n, s);
    for (size_t k = 0; k < w->n_wanted; k++) {
        size_t donor = w->wanted[k].donor;
        if (!isnan(s->row[donor])) continue;
        const double *values = d->values + donor * d->n_rows + begin;
        for (size_t i = 0; i < n; i++)
            if (s->counts[i] > 0 && !isnan(values[i]))
                offer(s->nearest + k * w->t, &s->n_nearest[k], w->t, s->sums[i] / s->counts[i],
                      begin + i);
    }
}

/* Mean, or the level with the greatest weight, the first of equals in order of nearness. */
static double value_of(const fill_work *w, size_t k, slice *s)
{
    const cairn_donors *d = w->donors;
    const wanted *want = &w->wanted[k];
    const neighbour *nearest = s->nearest + k * w->t;
    const double *values = d->values + want->donor * d->n_rows;
    size_t n = s->n_nearest[k];
    double sum = 0, weight = 0, best = NAN;
    if (n == 0) return want->fallback;
    if (d->kinds[want->donor] == DONOR_NUMBER) {
        for (size_t i = 0; i < n; i++) {
            sum += d->weights[nearest[i].row] * values[nearest[i].row];
            weight += d->weights[nearest[i].row];
        }
        return sum / weight;
    }
    for (size_t i = 0; i < n; i++) s->votes[(size_t)values[nearest[i].row]] = 0;
    for (size_t i = 0; i < n; i++)
        s->votes[(size_t)values[nearest[i].row]] += d->weights[nearest[i].row];
    for (size_t i = 0; i < n; i++) {
        double code = values[nearest[i].row];
        if (isnan(best) || s->votes[(size_t)code] > s->votes[(size_t)best]) best = code;
    }
    return best;
}

/* The nearest training rows of a table row, for each column that it lacks. */
static void search_row(const fill_work *w, size_t row, slice *s)
{
    for (size_t c = 0; c < w->donors->names.n; c++) {
        const cairn_column *column = w->columns[c];
        if (!column)
            s->row[c] = NAN;
        else if (column->kind == CAIRN_NUMBER) {
            s->row[c] = column->numbers[row];
        } else {
            int32_t code = column->codes[row];
            s->row[c] = code < 0 || w->places[c][code] < 0 ? NAN : (double)w->places[c][code];
        }
    }
    memset(s->n_nearest, 0, w->n_wanted * sizeof *s->n_nearest);
    for (size_t first = 0; first < w->donors->n_rows; first += DONOR_BLOCK) {
        size_t left = w->donors->n_rows - first;
        search_block(w, first, left < DONOR_BLOCK ? left : DONOR_BLOCK, s);
    }
}

/* A row reads the donors and its own cells alone, so rows may be filled in any order; donors come
 * in blocks that stay in the cache. */
static void fill_rows(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block;
    const fill_work *w = data;
    slice *s = &w->slices[worker];
    for (size_t at = begin; at < end; at++) {
        size_t row = w->rows[at];
        search_row(w, row, s);
        for (size_t k = 0; k < w->n_wanted; k++) {
            cairn_column *column = w->wanted[k].column;
            if (!isnan(s->row[w->wanted[k].donor])) continue;
            double value = value_of(w, k, s);
            if (column->kind == CAIRN_NUMBER)
                column->numbers[row] = value;
            else
                column->codes[row] = (int32_t)value;
        }
    }
}

/* The donors' columns in the table. */
static cairn_status find_columns(cairn_context *ctx, fill_work *w, const cairn_table *table)
{
    const cairn_donors *d = w->donors;
    CHECK(SCRATCH_EACH(ctx, d->names.n + 1, &w->columns, &w->places));
    for (size_t c = 0, at = 0; c < d->names.n; c++) {
        CHECK(cairn_next_column(ctx, table, cairn_map_key(&d->names, c), &at));
        bool number = d->kinds[c] == DONOR_NUMBER;
        CHECK(cairn_expect_kind(ctx, &table->slots[at], number ? CAIRN_NUMBER : CAIRN_LEVEL));
        w->columns[c] = table->slots[at].column;
        if (!number) CHECK(cairn_level_places(ctx, &w->places[c], &d->levels[c], w->columns[c]));
    }
    return CAIRN_OK;
}

/* A copy of the column that can be filled; levels in the donors' codes. */
static cairn_status open_column(cairn_context *ctx, const fill_work *w, size_t donor,
                                cairn_column **out)
{
    const cairn_column *from = w->columns[donor];
    if (from->kind == CAIRN_LEVEL)
        return cairn_relevel(ctx, out, from, &w->donors->levels[donor], w->places[donor],
                             from->ordered);
    CHECK(cairn_column_new(ctx, out, CAIRN_NUMBER, from->n_rows));
    if (from->n_rows) memcpy((*out)->numbers, from->numbers, from->n_rows * sizeof *from->numbers);
    (*out)->n_missing = from->n_missing;
    return CAIRN_OK;
}

/* Whether the levels of the column are those of the training rows, in their order. */
static bool knows_all(const fill_work *w, size_t donor)
{
    const cairn_column *column = w->columns[donor];
    for (size_t k = 0; column->kind == CAIRN_LEVEL && k < column->names.n; k++)
        if (w->places[donor][k] != (int32_t)k) return false;
    return true;
}

/* Columns with something to fill; each replaces its old one, which the caller's table still
 * holds. */
static cairn_status open_wanted(cairn_context *ctx, fill_work *w, const cairn_map *columns,
                                const double *fallback, cairn_table *table)
{
    size_t at = 0;
    CHECK(SCRATCH(ctx, &w->wanted, columns->n + 1));
    for (size_t i = 0; i < columns->n; i++) {
        const char *name = cairn_map_key(columns, i);
        int64_t donor = cairn_map_find(&w->donors->names, name, strlen(name));
        cairn_column *column;
        if (donor < 0)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "the model is damaged: it has no rows for column '%s'; fit and save "
                              "it again",
                              name);
        if (!w->columns[donor]->n_missing && knows_all(w, (size_t)donor)) continue;
        CHECK(open_column(ctx, w, (size_t)donor, &column));
        CHECK(cairn_next_column(ctx, table, name, &at));
        w->wanted[w->n_wanted++] = (wanted){(size_t)donor, column, fallback[i]};
        cairn_table_replace_column(table, at, column);
    }
    return CAIRN_OK;
}

static cairn_status rows_to_fill(cairn_context *ctx, const fill_work *w, size_t n_rows,
                                 uint32_t **out, size_t *n)
{
    *n = 0;
    CHECK(SCRATCH_RAW(ctx, out, n_rows + 1));
    for (size_t i = 0; i < n_rows; i++)
        for (size_t k = 0; k < w->n_wanted; k++)
            if (cairn_column_is_missing(w->wanted[k].column, i)) {
                (*out)[(*n)++] = (uint32_t)i;
                break;
            }
    return CAIRN_OK;
}

static cairn_status check_work(cairn_context *ctx, const fill_work *w, size_t n_rows)
{
    double work = (double)n_rows * (double)w->donors->n_rows * (double)w->donors->names.n;
    if (work <= most_work) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "impute: comparing %zu rows with %zu training rows over %zu columns would "
                      "take about %zu minutes; use another method, fewer columns ({features}), or "
                      "a sample of the rows",
                      n_rows, w->donors->n_rows, w->donors->names.n,
                      (size_t)(work / work_per_second / 60));
}

static cairn_status make_slices(cairn_context *ctx, fill_work *w)
{
    size_t n_workers = (size_t)cairn_workers(ctx), most = 1;
    for (size_t c = 0; c < w->donors->names.n; c++)
        if (w->donors->levels[c].n > most) most = w->donors->levels[c].n;
    CHECK(SCRATCH(ctx, &w->slices, n_workers));
    for (size_t i = 0; i < n_workers; i++) {
        slice *s = &w->slices[i];
        CHECK(SCRATCH(ctx, &s->row, w->donors->names.n + 1));
        CHECK(SCRATCH_EACH(ctx, DONOR_BLOCK, &s->sums, &s->counts));
        CHECK(SCRATCH(ctx, &s->nearest, cairn_product(w->n_wanted + 1, w->t)));
        CHECK(SCRATCH(ctx, &s->n_nearest, w->n_wanted + 1));
        CHECK(SCRATCH(ctx, &s->votes, most));
    }
    return CAIRN_OK;
}

cairn_status cairn_donors_fill(cairn_context *ctx, const cairn_donors *donors,
                               const cairn_impute_params *p, const cairn_map *columns,
                               const double *fallback, cairn_table *table)
{
    cairn_status status;
    cairn_table *before = NULL; /* keeps the old columns alive */
    uint32_t *rows;
    size_t n;
    fill_work w = {.donors = donors, .euclidean = p->distance == CAIRN_DISTANCE_EUCLIDEAN};
    w.t = (size_t)p->t < donors->n_rows ? (size_t)p->t : donors->n_rows;
    TRY(cairn_table_share(ctx, &before, table));
    TRY(find_columns(ctx, &w, before));
    TRY(open_wanted(ctx, &w, columns, fallback, table));
    TRY(rows_to_fill(ctx, &w, table->n_rows, &rows, &n));
    TRY(check_work(ctx, &w, n));
    w.rows = rows;
    TRY(make_slices(ctx, &w));
    TRY(cairn_blocks(ctx, n, FILL_BLOCK, fill_rows, &w));
    for (size_t k = 0; k < w.n_wanted; k++) cairn_column_count_missing(w.wanted[k].column);
done:
    cairn_table_free(before);
    return status;
}

/* -- the work -- */

/* One cell that was filled: its nearest rows, how far they are and what they have. */
static void show_nearest(cairn_report *out, const fill_work *w, size_t k, const slice *s,
                         uint32_t row)
{
    const cairn_donors *d = w->donors;
    size_t donor = w->wanted[k].donor;
    const char *name = cairn_map_key(&d->names, donor);
    for (size_t i = 0; i < s->n_nearest[k]; i++) {
        neighbour near = s->nearest[k * w->t + i];
        double value = d->values[donor * d->n_rows + near.row];
        double distance = w->euclidean ? sqrt(near.gap * (double)d->names.n) : near.gap;
        cairn_report_cells(out, NULL, row + 1, name, near.row + 1);
        cairn_report_cell_number(out, distance, 0, "nearest.row%u.%s.%zu", row + 1,
                                 cairn_report_key(out, name), i + 1);
        if (d->kinds[donor] == DONOR_NUMBER)
            cairn_report_cell_number(out, value, 0, NULL);
        else
            cairn_report_cell(out, cairn_map_key(&d->levels[donor], (size_t)value));
    }
}

cairn_status cairn_donors_show(cairn_context *ctx, cairn_report *out, const cairn_donors *donors,
                               const cairn_impute_params *p, const cairn_map *columns,
                               const cairn_table *table, const uint32_t *rows)
{
    OWNED(cairn_table_free) cairn_table *copy = NULL;
    fill_work w = {.donors = donors, .euclidean = p->distance == CAIRN_DISTANCE_EUCLIDEAN};
    double *fallback;
    w.t = (size_t)p->t < donors->n_rows ? (size_t)p->t : donors->n_rows;
    CHECK(SCRATCH(ctx, &fallback, columns->n + 1));
    CHECK(cairn_table_share(ctx, &copy, table));
    CHECK(find_columns(ctx, &w, table));
    CHECK(open_wanted(ctx, &w, columns, fallback, copy));
    CHECK(make_slices(ctx, &w));
    cairn_report_formula(out, w.euclidean
                                  ? "d = √(all columns / compared columns · Σ (x − y)²)"
                                  : "d = mean over the compared columns of |x − y| / range");
    cairn_report_table_of(out, "Nearest rows", 0, "rlrrl", "row", "lacks", "training row",
                          "distance", "has");
    for (size_t i = 0; i < table->n_rows; i++) {
        search_row(&w, i, &w.slices[0]);
        for (size_t k = 0; k < w.n_wanted; k++)
            if (isnan(w.slices[0].row[w.wanted[k].donor]))
                show_nearest(out, &w, k, &w.slices[0], rows[i]);
    }
    cairn_report_table_end(out);
    return CAIRN_OK;
}
