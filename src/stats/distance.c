/* SPDX-License-Identifier: MIT */
/* Rows as points, and comparing them: what all distances share. The rows are packed once, side by
 * side; the records are in distance_records.c. */
#include "base/functions.h"
#include "base/number.h"
#include "data/column.h"
#include "kernels/kernels.h"
#include "kernels/row_pairs.h"
#include "parallel/parallel.h"
#include "stats/distance.h"
#include "stats/edit_distance.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* -- a distance with its parameters -- */

const cairn_distance *cairn_distance_named(const char *spec)
{
    char name[64];
    size_t length = strcspn(spec, ":");
    if (length >= sizeof name) return NULL;
    memcpy(name, spec, length);
    name[length] = 0;
    return (const cairn_distance *)cairn_entry_find(NULL, CAIRN_ENTRY_DISTANCE, name);
}

void cairn_metric_clear(cairn_metric *metric)
{
    cairn_params_free(metric->params);
    FREE_EACH(metric->spec, metric->factors, metric->offsets);
    *metric = (cairn_metric){0};
}

cairn_status cairn_metric_open(cairn_context *ctx, cairn_metric *out, const char *option,
                               const char *spec)
{
    cairn_status status;
    cairn_metric m = {.family = CAIRN_BY_PAIRS, .is_metric = true};
    TRY(cairn_params_from_spec(ctx, &m.params, CAIRN_ENTRY_DISTANCE, spec));
    TRY(cairn_params_check(ctx, m.params));
    TRY(cairn_copy_text(ctx, &m.spec, spec, strlen(spec)));
    m.distance = (const cairn_distance *)m.params->entry;
    if (m.distance->open) TRY(m.distance->open(ctx, &m));
    *out = m;
    return CAIRN_OK;
done:
    cairn_metric_clear(&m);
    cairn_message_prefix(ctx, "%s", option);
    return status;
}

cairn_status cairn_metric_check(cairn_context *ctx, const char *option, const char *spec)
{
    cairn_metric metric;
    cairn_status status = cairn_metric_open(ctx, &metric, option, spec);
    if (status == CAIRN_OK) cairn_metric_clear(&metric);
    return status;
}

static cairn_status copy_bytes(cairn_context *ctx, void *out, const void *from, size_t n,
                               size_t size)
{
    void *made;
    if (!from) return CAIRN_OK;
    CHECK(cairn_new(ctx, &made, n, size, false));
    memcpy(made, from, n * size);
    memcpy(out, &made, sizeof made);
    return CAIRN_OK;
}

cairn_status cairn_metric_copy(cairn_context *ctx, cairn_metric *out, const cairn_metric *metric)
{
    SCOPED(cairn_metric_clear) cairn_metric m = {0};
    CHECK(cairn_metric_open(ctx, &m, "distance", metric->spec));
    m.n_columns = metric->n_columns;
    m.n_factors = metric->n_factors;
    CHECK(copy_bytes(ctx, &m.factors, metric->factors, m.n_factors, sizeof *m.factors));
    CHECK(copy_bytes(ctx, &m.offsets, metric->offsets, m.n_columns + 1, sizeof *m.offsets));
    *out = m;
    m = (cairn_metric){0};
    return CAIRN_OK;
}

/* Numbers that may be squared and added, and only added, without an overflow. */
static const double most_squared = 1e150, most_added = 1e300;

/* -- what it learns -- */

static const char *holds(cairn_kind kind)
{
    switch (kind) {
    case CAIRN_NUMBER: return "numbers";
    case CAIRN_LEVEL: return "levels";
    case CAIRN_TIME: return "times";
    case CAIRN_BAG: return "bags";
    case CAIRN_SEQUENCE: return "sequences";
    case CAIRN_SERIES: return "series";
    default: return "text";
    }
}

static bool takes_kind(const cairn_distance *distance, cairn_kind kind)
{
    unsigned wanted = kind == CAIRN_BAG                              ? CAIRN_DISTANCE_BAGS
                      : kind == CAIRN_NUMBER                         ? CAIRN_DISTANCE_NUMBERS
                      : kind == CAIRN_LEVEL                          ? CAIRN_DISTANCE_LEVELS
                      : kind == CAIRN_TEXT || kind == CAIRN_SEQUENCE ? CAIRN_DISTANCE_TEXTS
                                                                     : 0;
    return distance->takes & wanted;
}

/* Missing cells and infinities are found before any distance is computed, where row and column can
 * still be named. */
static cairn_status check_column(cairn_context *ctx, const cairn_view *view, size_t j,
                                 const cairn_distance *distance)
{
    const cairn_column *column = view->features[j];
    const char *name = distance->entry.name;
    if (!takes_kind(distance, column->kind))
        return cairn_fail(
            ctx, CAIRN_BAD_DATA, "column '%s' holds %s, which the %s distance cannot use; %s",
            view->names[j], holds(column->kind), name,
            cairn_say(ctx, column->kind == CAIRN_LEVEL
                               ? "take {distance hamming} or gower, or leave it out with "
                                 "{ignore}"
                           : column->kind == CAIRN_TEXT
                               ? "take {distance edit}, or leave it out with {ignore}"
                               : "leave it out with {ignore}"));
    if (column->kind == CAIRN_TEXT || column->kind == CAIRN_SEQUENCE || column->kind == CAIRN_BAG)
        return CAIRN_OK;
    bool takes_missing = distance->takes & CAIRN_DISTANCE_MISSING;
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        bool missing = column->n_missing && cairn_column_is_missing(column, row);
        bool infinite = column->kind == CAIRN_NUMBER && isinf(column->numbers[row]);
        if ((missing && !takes_missing) || infinite)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "column '%s' is %s in row %zu, which the %s distance cannot use; "
                              "fill it, leave the row out, or take {distance gower} for missing "
                              "cells",
                              view->names[j], missing ? "missing" : "infinite", row + 1, name);
    }
    return CAIRN_OK;
}

/* Squares of numbers below this are 0 or nearly so, and all rows would seem the same. */
static cairn_status check_smallest(cairn_context *ctx, const cairn_metric *metric,
                                   const cairn_view *view)
{
    const double least = 1e-150;
    double largest = 0;
    size_t at = 0;
    if (metric->family != CAIRN_BY_SQUARES || metric->distance->place) return CAIRN_OK;
    for (size_t j = 0; j < view->n_features; j++) {
        const cairn_column *column = view->features[j];
        if (column->kind != CAIRN_NUMBER) return CAIRN_OK;
        for (size_t i = 0; i < view->rows.n && largest < least; i++) {
            double x = fabs(column->numbers[cairn_view_row(view, i)]);
            if (x > largest) largest = x, at = j;
        }
        if (largest >= least) return CAIRN_OK;
    }
    if (largest == 0) return CAIRN_OK;
    char value[CAIRN_NUMBER_SIZE];
    cairn_number_format(value, largest, CAIRN_SHORTEST);
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "column '%s': no number is larger than %s, which is too small for the %s "
                      "distance, because its squares vanish; multiply the columns by a power of "
                      "ten",
                      view->names[at], value, metric->distance->entry.name);
}

/* Where there are bags, every item and every number column is a column of one long row. */
static cairn_status lay_out_bags(cairn_context *ctx, cairn_metric *metric, const cairn_view *view)
{
    bool bags = false;
    size_t at = 0;
    for (size_t j = 0; j < view->n_features; j++) bags |= view->features[j]->kind == CAIRN_BAG;
    if (!bags) return CAIRN_OK;
    CHECK(NEW(ctx, &metric->offsets, view->n_features + 1));
    for (size_t j = 0; j < view->n_features; j++) {
        at += view->features[j]->kind == CAIRN_BAG ? view->features[j]->names.n : 1;
        if (at > INT32_MAX)
            CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "the bags have more than 2147483647 items"));
        metric->offsets[j + 1] = (int32_t)at;
    }
    return CAIRN_OK;
}

cairn_status cairn_metric_learn(cairn_context *ctx, cairn_metric *metric, const cairn_view *view)
{
    metric->n_columns = view->n_features;
    for (size_t j = 0; j < view->n_features; j++)
        CHECK(check_column(ctx, view, j, metric->distance));
    /* For equal parts the distance is columns^(1/p) times one of them. */
    double p = metric->power, n = (double)metric->n_columns;
    char given[CAIRN_NUMBER_SIZE], least[CAIRN_NUMBER_SIZE];
    if (metric->family == CAIRN_BY_POWERS && !(p >= 1) && !(cairn_pow(n, 1 / p) <= most_squared)) {
        cairn_number_format(given, p, CAIRN_SHORTEST);
        cairn_number_format(least, ceil(1e4 * cairn_log(n) / cairn_log(most_squared)) / 1e4,
                            CAIRN_SHORTEST);
        return cairn_fail(
            ctx, CAIRN_BAD_DATA,
            "{distance %s}: with p = %s distances of %zu columns reach beyond all "
            "numbers; take p = 0, which counts the columns that differ, or at least %s",
            metric->distance->entry.name, given, metric->n_columns, least);
    }
    CHECK(check_smallest(ctx, metric, view));
    CHECK(lay_out_bags(ctx, metric, view));
    if (metric->distance->learn) CHECK(metric->distance->learn(ctx, metric, view));
    return CAIRN_OK;
}

/* -- points -- */

void cairn_points_clear(cairn_points *points)
{
    FREE_EACH(points->places, points->lengths, points->starts, points->letters, points->begins,
              points->items, points->amounts, points->squares);
    *points = (cairn_points){0};
}

/* Lengths first, so that the letters can be taken in one piece. */
static cairn_status take_texts(cairn_context *ctx, cairn_points *out, const cairn_points *from,
                               const uint32_t *which)
{
    size_t cells = cairn_product(out->n_texts, out->n), at = 0;
    CHECK(NEW_RAW_EACH(ctx, cells, &out->lengths, &out->starts));
    for (size_t c = 0; c < cells; c++) {
        size_t length = (size_t)from->lengths[c / out->n * from->n + which[c % out->n]];
        out->lengths[c] = (int32_t)length;
        out->starts[c] = out->n_letters;
        out->n_letters += length;
        out->longest = length > out->longest ? length : out->longest;
    }
    CHECK(NEW_RAW(ctx, &out->letters, out->n_letters));
    for (size_t c = 0; c < cells; c++) {
        const int32_t *letters =
            from->letters + from->starts[c / out->n * from->n + which[c % out->n]];
        for (int32_t i = 0; i < out->lengths[c]; i++) out->letters[at++] = letters[i];
    }
    return CAIRN_OK;
}

static cairn_status take_bags(cairn_context *ctx, cairn_points *out, const cairn_points *from,
                              const uint32_t *which)
{
    CHECK(NEW(ctx, &out->begins, out->n + 1));
    CHECK(NEW_RAW(ctx, &out->squares, out->n));
    for (size_t i = 0; i < out->n; i++) {
        out->begins[i + 1] = out->begins[i] + from->begins[which[i] + 1] - from->begins[which[i]];
        out->squares[i] = from->squares[which[i]];
    }
    CHECK(NEW_RAW_EACH(ctx, out->begins[out->n], &out->items, &out->amounts));
    for (size_t i = 0; i < out->n; i++)
        for (size_t at = out->begins[i], c = from->begins[which[i]]; at < out->begins[i + 1];
             at++, c++) {
            out->items[at] = from->items[c];
            out->amounts[at] = from->amounts[c];
        }
    return CAIRN_OK;
}

cairn_status cairn_points_take(cairn_context *ctx, cairn_points *out, const cairn_points *from,
                               const uint32_t *which, size_t n)
{
    SCOPED(cairn_points_clear)
    cairn_points points = {
        .n = n, .width = from->width, .n_texts = from->n_texts, .n_items = from->n_items};
    if (from->n_texts) CHECK(take_texts(ctx, &points, from, which));
    if (from->n_items) CHECK(take_bags(ctx, &points, from, which));
    if (from->places) CHECK(NEW_RAW(ctx, &points.places, cairn_product(n, points.width)));
    for (size_t i = 0; from->places && i < n; i++)
        memcpy(points.places + i * points.width, from->places + which[i] * points.width,
               points.width * sizeof *points.places);
    *out = points;
    points = (cairn_points){0};
    return CAIRN_OK;
}

/* -- numbers that are too large --
 *
 * Places are bounded so that no distance of two of them overflows: 1e150 where squares are added,
 * 1e300 where differences are; a kernel must also be finite for a row with itself, which bounds it
 * for all pairs. */

static double largest_place(const cairn_metric *metric, size_t width)
{
    switch (metric->family) {
    case CAIRN_BY_SQUARES: return most_squared;
    case CAIRN_BY_POWERS: /* the root of a sum is at most width^(1/p) times its largest part */
        return metric->power < 1 ? most_added / cairn_pow((double)width, 1 / metric->power)
                                 : most_added;
    case CAIRN_BY_PAIRS:
        if (metric->kernel.function) return most_squared;
        return metric->distance->subtracts ? most_added : DBL_MAX;
    default: return most_added;
    }
}

/* `row` are the numbers that `place` comes from; a missing one makes no place too large. */
static bool is_too_large(const cairn_metric *metric, const double *place, const double *row,
                         size_t n, double limit)
{
    bool large = false, unknown = false, missing = false;
    for (size_t t = 0; t < n; t++) large |= fabs(place[t]) > limit;
    if (large) return true;
    for (size_t t = 0; place != row && t < n; t++) {
        unknown |= isnan(place[t]);
        missing |= isnan(row[t]);
    }
    if (unknown && !missing) return true;
    if (metric->family != CAIRN_BY_PAIRS || !metric->kernel.function) return false;
    return !(fabs(cairn_kernel_value(&metric->kernel, place, place, n)) <= most_added) &&
           !isnan(cairn_absolute_distance(place, place, n)); /* NaN where a cell is missing */
}

/* The row is known to overflow; the message names its largest number, which is the likeliest
 * reason. */
static cairn_status refuse_large(cairn_context *ctx, const cairn_metric *metric,
                                 const cairn_view *view, size_t i)
{
    size_t row = cairn_view_row(view, i), most = 0;
    double largest = 0;
    char value[CAIRN_NUMBER_SIZE];
    for (size_t j = 0; j < view->n_features; j++) {
        const cairn_column *column = view->features[j];
        bool bag = column->kind == CAIRN_BAG;
        if (!bag && column->kind != CAIRN_NUMBER) continue;
        size_t begin = bag ? column->starts[row] : row,
               end = bag ? column->starts[row + 1] : row + 1;
        for (size_t at = begin; at < end; at++) {
            double x = !bag ? column->numbers[at] : column->amounts ? column->amounts[at] : 1;
            if (fabs(x) > fabs(largest)) largest = x, most = j;
        }
    }
    cairn_number_format(value, largest, CAIRN_SHORTEST);
    const char *source = view->table->source;
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "%s%scolumn '%s', row %zu: %s is too large for the %s distance, which would "
                      "overflow; divide the column by a power of ten, or leave the row out",
                      source ? source : "", source ? ": " : "", view->names[most], row + 1, value,
                      metric->spec);
}

typedef struct packing {
    const cairn_metric *metric;
    const cairn_view *view;
    const double *scales;
    bool numbers; /* all features are */
    cairn_points *out;
    double *rows;  /* a worker's block */
    size_t *large; /* per worker: the first row that is too large, SIZE_MAX = none */
} packing;

enum { PACK_ROWS = 64 };

static double cell_of(const cairn_column *column, size_t row)
{
    if (column->kind == CAIRN_NUMBER) return column->numbers[row];
    return column->codes[row] < 0 ? NAN : (double)column->codes[row];
}

/* Scales a row, then puts it where the distance wants it; each worker keeps the first row that
 * would overflow, and the least of them is refused. */
static void pack_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block;
    const packing *p = data;
    size_t n = end - begin, width = p->out->width;
    double *places = p->out->places + begin * width;
    void (*place)(const cairn_metric *, double *, const double *) = p->metric->distance->place;
    double *rows = place ? p->rows + (size_t)worker * PACK_ROWS * width : places;
    if (p->numbers)
        cairn_view_block(p->view, begin, n, rows);
    else
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < width; j++)
                rows[i * width + j] =
                    cell_of(p->view->features[j], cairn_view_row(p->view, begin + i));
    for (size_t j = 0; p->scales && j < width; j++)
        for (size_t i = 0; p->view->features[j]->kind == CAIRN_NUMBER && i < n; i++)
            rows[i * width + j] /= p->scales[j];
    for (size_t i = 0; place && i < n; i++) place(p->metric, places + i * width, rows + i * width);
    double limit = largest_place(p->metric, width);
    for (size_t i = n; i-- > 0;)
        if (begin + i < p->large[worker] &&
            is_too_large(p->metric, places + i * width, rows + i * width, width, limit))
            p->large[worker] = begin + i;
}

/* Scales are used only where they matter to the distance; overflow is looked for while packing, as
 * later it would show as distances that are no numbers. */
static cairn_status pack_numbers(cairn_context *ctx, const cairn_metric *metric, cairn_points *out,
                                 const cairn_view *view, const double *scales)
{
    size_t workers = (size_t)cairn_workers(ctx), large = SIZE_MAX;
    packing p = {.metric = metric, .view = view, .numbers = true, .out = out};
    if (metric->distance->scale_matters) p.scales = scales;
    out->width = view->n_features;
    for (size_t j = 0; j < view->n_features; j++)
        p.numbers &= view->features[j]->kind == CAIRN_NUMBER;
    CHECK(NEW_RAW(ctx, &out->places, cairn_product(out->n, out->width)));
    CHECK(SCRATCH_RAW(ctx, &p.large, workers));
    for (size_t w = 0; w < workers; w++) p.large[w] = SIZE_MAX;
    if (metric->distance->place)
        CHECK(SCRATCH_RAW(ctx, &p.rows, cairn_product(workers * PACK_ROWS, out->width)));
    CHECK(cairn_blocks_sized(ctx, out->n, PACK_ROWS, (double)out->n * (double)out->width,
                             pack_block, &p));
    for (size_t w = 0; w < workers; w++) large = p.large[w] < large ? p.large[w] : large;
    if (large < SIZE_MAX) CHECK(refuse_large(ctx, metric, view, large));
    return CAIRN_OK;
}

/* Code points of UTF-8 text; a byte that is none counts for itself, beyond all code points. */
static size_t letters_of(int32_t *out, const char *text, size_t length)
{
    size_t n = 0;
    for (size_t i = 0; i < length;) {
        unsigned char first = (unsigned char)text[i];
        size_t more = first < 0x80 ? 0 : first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0;
        int32_t letter = more == 0 ? first : first & (0x3f >> more);
        bool good = first < 0x80 || (more > 0 && i + more < length);
        for (size_t k = 1; good && k <= more; k++) {
            good = ((unsigned char)text[i + k] & 0xc0) == 0x80;
            letter = letter << 6 | (text[i + k] & 0x3f);
        }
        out[n++] = good ? letter : 0x200000 + first;
        i += good ? more + 1 : 1;
    }
    return n;
}

/* The cell as letters; returns how many. `out` NULL only gives room enough. */
static size_t cell_letters(int32_t *out, const cairn_column *column, size_t row)
{
    if (cairn_column_is_missing(column, row)) return 0;
    if (column->kind == CAIRN_LEVEL) {
        const char *name = cairn_level_name(column, column->codes[row]);
        return out ? letters_of(out, name, strlen(name)) : strlen(name);
    }
    size_t begin = column->starts[row], n = column->starts[row + 1] - begin;
    if (column->kind == CAIRN_TEXT) return out ? letters_of(out, column->bytes + begin, n) : n;
    if (out) memcpy(out, column->items + begin, n * sizeof *out);
    return n;
}

/* The letters of all texts lie in one array, counted before it is taken, so that a distance reads
 * memory in order. */
static cairn_status pack_texts(cairn_context *ctx, cairn_points *out, const cairn_view *view)
{
    size_t buffer = 0, at = 0;
    out->n_texts = view->n_features;
    CHECK(NEW_RAW_EACH(ctx, cairn_product(out->n_texts, out->n), &out->lengths, &out->starts));
    for (size_t j = 0; j < out->n_texts; j++)
        for (size_t i = 0; i < out->n; i++)
            buffer += cell_letters(NULL, view->features[j], cairn_view_row(view, i));
    CHECK(NEW_RAW(ctx, &out->letters, buffer));
    for (size_t j = 0; j < out->n_texts; j++)
        for (size_t i = 0; i < out->n; i++) {
            size_t n = cell_letters(out->letters + at, view->features[j], cairn_view_row(view, i));
            if (n > INT32_MAX)
                CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "column '%s', row %zu: the text is too long",
                                 view->names[j], cairn_view_row(view, i) + 1));
            out->lengths[j * out->n + i] = (int32_t)n;
            out->starts[j * out->n + i] = at;
            out->longest = n > out->longest ? n : out->longest;
            at += n;
        }
    out->n_letters = at;
    return CAIRN_OK;
}

/* Cells of a row that are not 0; `points` NULL only counts them. */
static size_t pack_bag(cairn_points *points, size_t at, const cairn_metric *metric,
                       const cairn_view *view, size_t row)
{
    for (size_t j = 0; j < view->n_features; j++) {
        const cairn_column *column = view->features[j];
        int32_t first = metric->offsets[j], end = metric->offsets[j + 1];
        bool bag = column->kind == CAIRN_BAG;
        size_t begin = bag ? column->starts[row] : row,
               stop = bag ? column->starts[row + 1] : row + 1;
        for (size_t i = begin; i < stop; i++) {
            double x = !bag ? column->numbers[i] : column->amounts ? column->amounts[i] : 1;
            int32_t item = bag ? first + column->items[i] : first;
            if (x == 0 || item >= end) continue;
            if (points) points->items[at] = item;
            if (points) points->amounts[at] = metric->distance->presence && !isnan(x) ? 1 : x;
            at++;
        }
    }
    return at;
}

static void add_squares(cairn_points *points)
{
    for (size_t i = 0; i < points->n; i++)
        for (size_t at = points->begins[i]; at < points->begins[i + 1]; at++)
            points->squares[i] += points->amounts[at] * points->amounts[at];
}

/* Bags are counted in a first pass and packed in a second; squares are kept, because with them a
 * distance follows from the product of two bags. */
static cairn_status pack_bags(cairn_context *ctx, const cairn_metric *metric, cairn_points *out,
                              const cairn_view *view)
{
    out->n_items = (size_t)metric->offsets[metric->n_columns];
    CHECK(NEW(ctx, &out->begins, out->n + 1));
    for (size_t i = 0; i < out->n; i++)
        out->begins[i + 1] = pack_bag(NULL, out->begins[i], metric, view, cairn_view_row(view, i));
    CHECK(NEW_RAW_EACH(ctx, out->begins[out->n], &out->items, &out->amounts));
    CHECK(NEW(ctx, &out->squares, out->n));
    for (size_t i = 0; i < out->n; i++)
        (void)pack_bag(out, out->begins[i], metric, view, cairn_view_row(view, i));
    add_squares(out);
    for (size_t i = 0; i < out->n; i++) {
        double square = out->squares[i];
        if (metric->kernel.function && !metric->kernel.function->of_distance)
            square = cairn_kernel_together(&metric->kernel, square);
        if (out->squares[i] > most_added || fabs(square) > most_added)
            CHECK(refuse_large(ctx, metric, view, i));
    }
    return CAIRN_OK;
}

cairn_status cairn_metric_points(cairn_context *ctx, const cairn_metric *metric, cairn_points *out,
                                 const cairn_view *view, const double *scales)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_points_clear) cairn_points points = {.n = view->rows.n};
    if (metric->distance->takes & CAIRN_DISTANCE_TEXTS)
        CHECK(pack_texts(ctx, &points, view));
    else if (metric->offsets)
        CHECK(pack_bags(ctx, metric, &points, view));
    else
        CHECK(pack_numbers(ctx, metric, &points, view, scales));
    *out = points;
    points = (cairn_points){0};
    return CAIRN_OK;
}

/* -- comparing -- */

size_t cairn_metric_buffer(const cairn_points *a, const cairn_points *b)
{
    return (a->longest > b->longest ? a->longest : b->longest) + 1;
}

enum { NO_LETTER = INT32_MIN };

static size_t slot_of(const cairn_edit_table *table, int32_t letter)
{
    size_t at = (uint32_t)letter % CAIRN_EDIT_SLOTS;
    while (table->letters[at] != letter && table->letters[at] != NO_LETTER)
        at = (at + 1) % CAIRN_EDIT_SLOTS;
    return at;
}

void cairn_edit_prepare(cairn_edit_table *out, const int32_t *a, size_t n_a)
{
    for (size_t i = 0; i < CAIRN_EDIT_SLOTS; i++) {
        out->letters[i] = NO_LETTER;
        out->places[i] = 0;
    }
    for (size_t i = 0; i < n_a; i++) {
        size_t at = slot_of(out, a[i]);
        out->letters[at] = a[i];
        out->places[at] |= UINT64_C(1) << i;
    }
}

/* Levenshtein's distance, 64 letters at a time.
 *
 * Neighbouring entries of the table of the dynamic program differ by -1, 0 or 1. So the differences
 * down a column are kept as two words of bits, where they rise and where they fall, and one letter
 * of the other text moves a whole column by a dozen operations on words. Longer texts are cut into
 * runs of 64 letters; what one run hands down to the next are the differences along its last row.
 *
 * Sources: Myers, A fast bit-vector algorithm for approximate string matching based on dynamic
 * programming, Journal of the ACM 46 (1999); Hyyrö, A bit-vector algorithm for computing
 * Levenshtein and Damerau edit distances, Nordic Journal of Computing 10 (2003). */

/* A column of up to 64 entries: where they rise, and where they fall, from one to the next. */
typedef struct edit_column {
    uint64_t rises, falls;
} edit_column;

static uint64_t bit_of_last(size_t n)
{
    return UINT64_C(1) << (n - 1);
}

/* One letter further, which stands at `equal` in the text of the column. `above` is the difference
 * along the row above the column; returns that along its last row, which `last` marks. */
static inline int next_column(edit_column *column, uint64_t equal, int above, uint64_t last)
{
    uint64_t rises = column->rises, falls = column->falls;
    uint64_t down = equal | falls;
    equal |= above < 0;
    uint64_t along = (((equal & rises) + rises) ^ rises) | equal;
    uint64_t more = falls | ~(along | rises), less = rises & along;
    int below = (more & last ? 1 : 0) - (less & last ? 1 : 0);
    more = more << 1 | (above > 0);
    less = less << 1 | (above < 0);
    column->rises = less | ~(down | more);
    column->falls = more & down;
    return below;
}

size_t cairn_edit_prepared(const cairn_edit_table *table, size_t n_a, const int32_t *b, size_t n_b)
{
    if (n_a == 0) return n_b;
    edit_column column = {.rises = ~UINT64_C(0)};
    uint64_t last = bit_of_last(n_a);
    size_t distance = n_a;
    for (size_t j = 0; j < n_b; j++) {
        int below = next_column(&column, table->places[slot_of(table, b[j])], 1, last);
        distance += (size_t)(ptrdiff_t)below;
    }
    return distance;
}

size_t cairn_edit_distance(const int32_t *a, size_t n_a, const int32_t *b, size_t n_b,
                           int32_t *buffer)
{
    cairn_edit_table table;
    size_t distance = n_a;
    if (n_a <= CAIRN_EDIT_LETTERS) {
        cairn_edit_prepare(&table, a, n_a);
        return cairn_edit_prepared(&table, n_a, b, n_b);
    }
    for (size_t j = 0; j < n_b; j++) buffer[j] = 1;
    for (size_t first = 0; first < n_a; first += CAIRN_EDIT_LETTERS) {
        size_t n = n_a - first < CAIRN_EDIT_LETTERS ? n_a - first : CAIRN_EDIT_LETTERS;
        edit_column column = {.rises = ~UINT64_C(0)};
        uint64_t last = bit_of_last(n);
        cairn_edit_prepare(&table, a + first, n);
        for (size_t j = 0; j < n_b; j++)
            buffer[j] = next_column(&column, table.places[slot_of(&table, b[j])], buffer[j], last);
    }
    for (size_t j = 0; j < n_b; j++) distance += (size_t)(ptrdiff_t)buffer[j];
    return distance;
}

static double text_order(const cairn_points *a, size_t i, const cairn_points *b, size_t j,
                         int32_t *buffer)
{
    size_t sum = 0;
    for (size_t t = 0; t < a->n_texts; t++) {
        size_t x = t * a->n + i, y = t * b->n + j;
        sum += cairn_edit_distance(a->letters + a->starts[x], (size_t)a->lengths[x],
                                   b->letters + b->starts[y], (size_t)b->lengths[y], buffer);
    }
    return (double)sum;
}

/* Products are added in the order of the items. */
static double bag_order(const cairn_metric *metric, const cairn_points *a, size_t i,
                        const cairn_points *b, size_t j)
{
    size_t x = a->begins[i], y = b->begins[j];
    double product = 0;
    while (x < a->begins[i + 1] && y < b->begins[j + 1]) {
        int32_t left = a->items[x], right = b->items[y];
        if (left == right) product += a->amounts[x] * b->amounts[y];
        x += left <= right;
        y += right <= left;
    }
    return metric->distance->of_product(metric, product, a->squares[i], b->squares[j]);
}

/* Parts are measured by the largest, so that no power overflows or vanishes. */
static double power_distance(const double *x, const double *y, size_t n, double power)
{
    double largest = cairn_largest_distance(x, y, n), sum = 0;
    if (!(largest > 0)) return largest;
    for (size_t t = 0; t < n; t++) sum += cairn_pow(fabs(x[t] - y[t]) / largest, power);
    return largest * cairn_pow(sum, 1 / power);
}

_Static_assert((int)CAIRN_FEW_COLUMNS == (int)CAIRN_PAIR_PLAIN, "both add in the same order");

double cairn_metric_order(const cairn_metric *metric, const cairn_points *a, size_t i,
                          const cairn_points *b, size_t j, int32_t *buffer)
{
    if (a->n_texts) return text_order(a, i, b, j, buffer);
    if (a->n_items) return bag_order(metric, a, i, b, j);
    const double *x = a->places + i * a->width, *y = b->places + j * b->width;
    size_t n = a->width;
    bool few = n <= CAIRN_FEW_COLUMNS;
    double sum = 0;
    switch (metric->family) {
    case CAIRN_BY_PAIRS: return metric->distance->order(metric, x, y);
    case CAIRN_BY_LARGEST: return cairn_largest_distance(x, y, n);
    case CAIRN_BY_SQUARES:
        if (!few) return cairn_squared_distance(x, y, n);
        for (size_t t = 0; t < n; t++) sum += (x[t] - y[t]) * (x[t] - y[t]);
        return sum;
    case CAIRN_BY_ABSOLUTES:
        if (!few) return cairn_absolute_distance(x, y, n);
        for (size_t t = 0; t < n; t++) sum += fabs(x[t] - y[t]);
        return sum;
    case CAIRN_BY_POWERS: return power_distance(x, y, n, metric->power);
    }
    return NAN;
}

double cairn_metric_value(const cairn_metric *metric, double order)
{
    if (metric->rooted) return sqrt(order);
    return metric->distance->value ? metric->distance->value(metric, order) : order;
}

/* -- keeping -- */

cairn_status cairn_metric_archive(cairn_archive *a, cairn_metric *metric)
{
    cairn_status status;
    char *spec = NULL;
    if (!cairn_archive_reading(a)) spec = metric->spec;
    TRY(cairn_archive_text(a, "distance", &spec));
    if (cairn_archive_reading(a)) {
        status = spec ? cairn_metric_open(cairn_archive_context(a), metric, "distance", spec)
                      : CAIRN_BAD_DATA;
        if (status == CAIRN_NO_MEMORY) goto done;
        if (status) TRY(cairn_archive_damaged(a, "its distance is none"));
    }
    TRY(cairn_archive_size(a, "distance_columns", &metric->n_columns, UINT32_MAX));
    TRY(cairn_archive_size(a, "n_factors", &metric->n_factors, (size_t)1 << 40));
    TRY(cairn_archive_reals(a, "factors", &metric->factors, metric->n_factors));
    bool bags = metric->offsets;
    TRY(cairn_archive_bool(a, "bags", &bags));
    if (bags) TRY(cairn_archive_ints(a, "offsets", &metric->offsets, metric->n_columns + 1));
    for (size_t j = 0; bags && j < metric->n_columns; j++)
        if (metric->offsets[0] != 0 || metric->offsets[j] > metric->offsets[j + 1])
            TRY(cairn_archive_damaged(a, "the items of column %zu have no place", j + 1));
    if (bags && !metric->distance->of_product)
        TRY(cairn_archive_damaged(a, "its distance cannot compare bags"));
    bool square = metric->n_factors == cairn_product(metric->n_columns, metric->n_columns);
    bool learns = metric->distance->learn;
    if (learns ? !square && metric->n_factors != metric->n_columns : metric->n_factors != 0)
        TRY(cairn_archive_damaged(a, "the factors of the distance do not fit its columns"));
    if (learns && metric->distance->place && !square)
        TRY(cairn_archive_damaged(a, "the matrix of the distance is not square"));
done:
    if (cairn_archive_reading(a)) cairn_free(spec);
    return status;
}

static cairn_status archive_texts(cairn_archive *a, cairn_points *points)
{
    size_t cells = cairn_product(points->n_texts, points->n), at = 0;
    CHECK(cairn_archive_size(a, "n_letters", &points->n_letters, (size_t)1 << 40));
    CHECK(cairn_archive_ints(a, "lengths", &points->lengths, cells));
    CHECK(cairn_archive_ints(a, "letters", &points->letters, points->n_letters));
    if (!cairn_archive_reading(a)) return CAIRN_OK;
    CHECK(NEW_RAW(cairn_archive_context(a), &points->starts, cells));
    for (size_t i = 0; i < cells; i++) {
        size_t length = (size_t)points->lengths[i];
        if (points->lengths[i] < 0 || length > points->n_letters - at)
            CHECK(cairn_archive_damaged(a, "texts are longer than their letters"));
        points->starts[i] = at;
        points->longest = length > points->longest ? length : points->longest;
        at += length;
    }
    return CAIRN_OK;
}

/* Rows are saved by their counts; when read, items must ascend within a row, because the distances
 * merge two rows as sorted lists. */
static cairn_status archive_bags(cairn_archive *a, cairn_points *points)
{
    bool reading = cairn_archive_reading(a);
    size_t n_cells = reading ? 0 : points->begins[points->n];
    OWNED(cairn_free) int32_t *counts = NULL;
    CHECK(NEW(cairn_archive_context(a), &counts, reading ? 0 : points->n));
    for (size_t i = 0; !reading && i < points->n; i++)
        counts[i] = (int32_t)(points->begins[i + 1] - points->begins[i]);
    if (reading) {
        cairn_free(counts);
        counts = NULL;
    }
    CHECK(cairn_archive_size(a, "cells", &n_cells, (size_t)1 << 40));
    CHECK(cairn_archive_ints(a, "counts", &counts, points->n));
    CHECK(cairn_archive_ints(a, "items", &points->items, n_cells));
    CHECK(cairn_archive_reals(a, "amounts", &points->amounts, n_cells));
    if (!reading) return CAIRN_OK;
    CHECK(NEW(cairn_archive_context(a), &points->begins, points->n + 1));
    CHECK(NEW(cairn_archive_context(a), &points->squares, points->n));
    for (size_t i = 0; i < points->n; i++) {
        size_t at = points->begins[i], count = (size_t)counts[i];
        if (counts[i] < 0 || count > n_cells - at)
            CHECK(cairn_archive_damaged(a, "row %zu has more items than there are", i + 1));
        points->begins[i + 1] = at + count;
        for (size_t c = at; c < at + count; c++)
            if (points->items[c] < (c > at ? points->items[c - 1] + 1 : 0) ||
                (size_t)points->items[c] >= points->n_items)
                CHECK(cairn_archive_damaged(a, "the items of row %zu are out of order", i + 1));
    }
    if (points->begins[points->n] != n_cells)
        CHECK(cairn_archive_damaged(a, "there are items of no row"));
    add_squares(points);
    return CAIRN_OK;
}

/* Numbers are written in the shortest form that gives them back: pixels take a byte each. */
typedef enum place_form { AS_BYTES, AS_FLOATS, AS_REALS } place_form;

static place_form form_of(const double *places, size_t n)
{
    place_form form = AS_BYTES;
    for (size_t i = 0; i < n && form != AS_REALS; i++) {
        double x = places[i];
        if (form == AS_BYTES && !(x >= 0 && x <= UINT8_MAX && x == floor(x))) form = AS_FLOATS;
        if (form == AS_FLOATS && (double)(float)x != x) form = AS_REALS;
    }
    return form;
}

static cairn_status archive_bytes(cairn_archive *a, double **places, size_t n)
{
    bool reading = cairn_archive_reading(a);
    OWNED(cairn_free) uint8_t *bytes = NULL;
    if (!reading) CHECK(NEW_RAW(cairn_archive_context(a), &bytes, n));
    for (size_t i = 0; !reading && i < n; i++) bytes[i] = (uint8_t)(*places)[i];
    CHECK(cairn_archive_bytes(a, "places", &bytes, n));
    if (reading) CHECK(NEW_RAW(cairn_archive_context(a), places, n));
    for (size_t i = 0; reading && i < n; i++) (*places)[i] = bytes[i];
    return CAIRN_OK;
}

static cairn_status archive_floats(cairn_archive *a, double **places, size_t n)
{
    bool reading = cairn_archive_reading(a);
    OWNED(cairn_free) float *floats = NULL;
    if (!reading) CHECK(NEW_RAW(cairn_archive_context(a), &floats, n));
    for (size_t i = 0; !reading && i < n; i++) floats[i] = (float)(*places)[i];
    CHECK(cairn_archive_floats(a, "places", &floats, n));
    if (reading) CHECK(NEW_RAW(cairn_archive_context(a), places, n));
    for (size_t i = 0; reading && i < n; i++) (*places)[i] = floats[i];
    return CAIRN_OK;
}

static cairn_status archive_places(cairn_archive *a, double **places, size_t n)
{
    int32_t form = cairn_archive_reading(a) ? AS_REALS : (int32_t)form_of(*places, n);
    CHECK(cairn_archive_int(a, "form", &form));
    switch (form) {
    case AS_BYTES: return archive_bytes(a, places, n);
    case AS_FLOATS: return archive_floats(a, places, n);
    case AS_REALS: return cairn_archive_reals(a, "places", places, n);
    default: return cairn_archive_damaged(a, "numbers are in a form that there is not");
    }
    return CAIRN_OK;
}

cairn_status cairn_points_archive(cairn_archive *a, cairn_points *points)
{
    CHECK(cairn_archive_size(a, "points", &points->n, UINT32_MAX));
    CHECK(cairn_archive_size(a, "width", &points->width, UINT32_MAX));
    CHECK(cairn_archive_size(a, "texts", &points->n_texts, UINT32_MAX));
    CHECK(cairn_archive_size(a, "n_items", &points->n_items, INT32_MAX));
    CHECK(archive_places(a, &points->places, cairn_product(points->n, points->width)));
    if (points->n_texts) CHECK(archive_texts(a, points));
    if (points->n_items) CHECK(archive_bags(a, points));
    return CAIRN_OK;
}

/* Numbers, texts or bags, as the distance takes them, and as many columns as it has learned of. */
cairn_status cairn_points_check(cairn_archive *a, const cairn_metric *metric,
                                const cairn_points *points)
{
    size_t columns = points->n_texts   ? points->n_texts
                     : points->n_items ? metric->n_columns
                                       : points->width;
    if (columns != metric->n_columns)
        CHECK(cairn_archive_damaged(a, "the rows do not fit together"));
    size_t items = metric->offsets ? (size_t)metric->offsets[metric->n_columns] : 0;
    if (items != points->n_items || (items && (points->width || points->n_texts)))
        CHECK(cairn_archive_damaged(a, "the rows do not fit their bags"));
    bool texts = metric->distance->takes & CAIRN_DISTANCE_TEXTS;
    if (texts != (points->n_texts > 0) || (texts && points->width))
        CHECK(cairn_archive_damaged(a, "the rows do not fit their distance"));
    return CAIRN_OK;
}

/* Many pairs of points at once: the same numbers as pair by pair, quicker. Points of numbers are
 * compared by the loops of kernels/row_pairs.h; what a distance makes of their sums follows while a
 * tile is in the cache. */

/* Rows and columns of a tile. */
enum { TILE_ROWS = 32, TILE_COLUMNS = 256 };

/* Points row[0 .. m-1] of a against points first .. first+n-1 of b; out[r] is where the distances
 * of row[r] begin. */
typedef struct tile {
    const cairn_metric *metric;
    const cairn_points *a, *b;
    size_t row[TILE_ROWS], m, first, n;
    double *out[TILE_ROWS];
    int32_t *buffer;
} tile;

/* -- pair by pair -- */

static void tile_pairs(const tile *t)
{
    for (size_t r = 0; r < t->m; r++)
        for (size_t j = 0; j < t->n; j++)
            t->out[r][j] =
                cairn_metric_value(t->metric, cairn_metric_order(t->metric, t->a, t->row[r], t->b,
                                                                 t->first + j, t->buffer));
}

/* A text of at most 64 letters is looked at once for all that it is compared with. */
static void tile_texts(const tile *t)
{
    const cairn_points *a = t->a, *b = t->b;
    cairn_edit_table table;
    for (size_t r = 0; r < t->m; r++)
        for (size_t text = 0; text < a->n_texts; text++) {
            size_t x = text * a->n + t->row[r], n = (size_t)a->lengths[x];
            const int32_t *letters = a->letters + a->starts[x];
            bool brief = n <= CAIRN_EDIT_LETTERS;
            if (brief) cairn_edit_prepare(&table, letters, n);
            for (size_t j = 0; j < t->n; j++) {
                size_t y = text * b->n + t->first + j, length = (size_t)b->lengths[y];
                const int32_t *other = b->letters + b->starts[y];
                double d =
                    (double)(brief ? cairn_edit_prepared(&table, n, other, length)
                                   : cairn_edit_distance(letters, n, other, length, t->buffer));
                t->out[r][j] = text ? t->out[r][j] + d : d;
            }
        }
}

/* -- by columns -- */

static void tile_sums(const tile *t, cairn_pairing pairing, bool root)
{
    const double *rows[TILE_ROWS];
    size_t width = t->a->width;
    for (size_t r = 0; r < t->m; r++) rows[r] = t->a->places + t->row[r] * width;
    cairn_pair_rows(t->out, rows, t->m, t->b->places + t->first * width, t->n, width, pairing,
                    root);
}

static double dot_itself(const cairn_points *points, size_t i)
{
    const double *x = points->places + i * points->width;
    return cairn_dot(x, x, points->width);
}

/* Distances that follow from inner products: those of a point with itself are made once. */
static void tile_products(const tile *t)
{
    double own[TILE_COLUMNS];
    const cairn_metric *metric = t->metric;
    tile_sums(t, CAIRN_PAIR_PRODUCTS, false);
    for (size_t j = 0; j < t->n; j++) own[j] = dot_itself(t->b, t->first + j);
    for (size_t r = 0; r < t->m; r++) {
        double aa = dot_itself(t->a, t->row[r]);
        for (size_t j = 0; j < t->n; j++)
            t->out[r][j] = cairn_metric_value(
                metric, metric->distance->of_dot(metric, t->out[r][j], aa, own[j]));
    }
}

static void fill_tile(const tile *t)
{
    const cairn_metric *metric = t->metric;
    if (t->a->n_texts) return tile_texts(t);
    if (t->a->n_items || metric->family == CAIRN_BY_POWERS) return tile_pairs(t);
    if (metric->family == CAIRN_BY_PAIRS)
        return metric->distance->of_dot ? tile_products(t) : tile_pairs(t);
    tile_sums(t,
              metric->family == CAIRN_BY_SQUARES     ? CAIRN_PAIR_SQUARES
              : metric->family == CAIRN_BY_ABSOLUTES ? CAIRN_PAIR_ABSOLUTES
                                                     : CAIRN_PAIR_LARGEST,
              metric->rooted);
    if (!metric->rooted && metric->distance->value) {
        for (size_t r = 0; r < t->m; r++)
            for (size_t j = 0; j < t->n; j++)
                t->out[r][j] = cairn_metric_value(t->metric, t->out[r][j]);
    }
}

void cairn_metric_block(const cairn_metric *metric, const cairn_points *a, const uint32_t *which,
                        size_t m, const cairn_points *b, size_t first, size_t n, double *out,
                        size_t stride, int32_t *buffer)
{
    tile t = {.metric = metric, .a = a, .b = b, .buffer = buffer};
    for (size_t row = 0; row < m; row += TILE_ROWS) {
        t.m = m - row < TILE_ROWS ? m - row : TILE_ROWS;
        for (size_t r = 0; r < t.m; r++) t.row[r] = which ? which[row + r] : row + r;
        for (size_t column = 0; column < n; column += TILE_COLUMNS) {
            t.first = first + column;
            t.n = n - column < TILE_COLUMNS ? n - column : TILE_COLUMNS;
            for (size_t r = 0; r < t.m; r++) t.out[r] = out + (row + r) * stride + column;
            fill_tile(&t);
        }
    }
}

/* -- all pairs -- */

typedef struct all_pairs {
    const cairn_metric *metric;
    const cairn_points *points;
    int32_t *buffer; /* per worker */
    double *out;
    bool square; /* n x n, of which the upper triangle is filled; else condensed */
} all_pairs;

/* Where the distance of points i < j stands; those to j + 1, j + 2, ... follow it. */
static double *place_of(const all_pairs *w, size_t i, size_t j)
{
    size_t n = w->points->n;
    return w->out + (w->square ? i * n + j : cairn_pair_at(n, i, j));
}

/* Some rows against all that come after them. */
static void pairs_of_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const all_pairs *w = data;
    const cairn_points *points = w->points;
    tile t = {.metric = w->metric,
              .a = points,
              .b = points,
              .m = end - begin,
              .buffer = w->buffer + (size_t)worker * cairn_metric_buffer(points, points)};
    (void)block;
    for (size_t r = 0; r < t.m; r++) t.row[r] = begin + r;
    /* Pairs among the rows of a block: a square of which one half is kept. */
    double values[TILE_ROWS * TILE_ROWS] = {0};
    t.first = t.row[0];
    t.n = t.m;
    for (size_t r = 0; r < t.m; r++) t.out[r] = values + r * TILE_ROWS;
    fill_tile(&t);
    for (size_t r = 0; r + 1 < t.m; r++) {
        double *to = place_of(w, t.row[r], t.row[r + 1]);
        for (size_t j = r + 1; j < t.m; j++) *to++ = values[r * TILE_ROWS + j];
    }
    memset(t.out, 0, sizeof t.out);
    for (size_t column = end; column < points->n; column += TILE_COLUMNS) {
        t.first = column;
        t.n = points->n - column < TILE_COLUMNS ? points->n - column : TILE_COLUMNS;
        for (size_t r = 0; r < t.m; r++) t.out[r] = place_of(w, begin + r, column);
        fill_tile(&t);
    }
}

static cairn_status make_pairs(cairn_context *ctx, all_pairs *w)
{
    SCOPED_SCRATCH(ctx);
    const cairn_points *points = w->points;
    size_t each = cairn_metric_buffer(points, points);
    size_t steps = points->width + points->longest + points->n_items / 8 + 1;
    double work = (double)points->n * (double)points->n * (double)steps;
    CHECK(SCRATCH(ctx, &w->buffer, cairn_product((size_t)cairn_workers(ctx), each)));
    return cairn_blocks_sized(ctx, points->n, TILE_ROWS, work, pairs_of_block, w);
}

cairn_status cairn_metric_condensed(cairn_context *ctx, const cairn_metric *metric,
                                    const cairn_points *points, double *out)
{
    all_pairs work = {.metric = metric, .points = points, .out = out};
    return make_pairs(ctx, &work);
}

cairn_status cairn_distance_matrix(cairn_context *ctx, double *out, const cairn_view *view,
                                   const char *spec, const double *scales)
{
    SCOPED(cairn_metric_clear) cairn_metric metric = {0};
    SCOPED(cairn_points_clear) cairn_points points = {0};
    all_pairs work = {.metric = &metric, .points = &points, .out = out, .square = true};
    CHECK(cairn_metric_open(ctx, &metric, cairn_say(ctx, "{distance}"), spec));
    CHECK(cairn_metric_learn(ctx, &metric, view));
    CHECK(cairn_metric_points(ctx, &metric, &points, view, scales));
    CHECK(make_pairs(ctx, &work));
    for (size_t i = 0, n = points.n; i < n; i++) {
        out[i * n + i] = 0;
        for (size_t j = i + 1; j < n; j++)
            if (isnan(out[i * n + j])) out[i * n + j] = 0;
    }
    cairn_mirror_upper(out, points.n);
    return CAIRN_OK;
}
