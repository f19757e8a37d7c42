/* SPDX-License-Identifier: MIT */
/* The facts of every column, found side by side: sorted samples of numbers, counts of levels, a
 * small histogram, outliers, and a hash by which equal columns are known. */
#include "command/describe.h"

#include "base/hash.h"
#include "base/memory.h"
#include "parallel/parallel.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    unsigned flag;
} sections[] = {
    {"columns", CAIRN_SHOW_COLUMNS},
    {"statistics", CAIRN_SHOW_STATISTICS},
    {"shape", CAIRN_SHOW_SHAPE},
    {"levels", CAIRN_SHOW_LEVELS},
    {"target", CAIRN_SHOW_TARGET},
    {"correlation", CAIRN_SHOW_CORRELATION},
    {"covariance", CAIRN_SHOW_COVARIANCE},
    {"pairs", CAIRN_SHOW_PAIRS},
    {"checks", CAIRN_SHOW_CHECKS},
    {"rows", CAIRN_SHOW_ROWS},
    {"figures", CAIRN_SHOW_FIGURES},
    {"all", (unsigned)-1},
    {"default", (unsigned)~CAIRN_SHOW_COVARIANCE},
};
enum { N_SECTIONS = sizeof sections / sizeof *sections, FINEST_GRID = 1000 };

static const char *section_name(size_t i, const void *data)
{
    (void)data;
    return i < N_SECTIONS ? sections[i].name : NULL;
}

cairn_status cairn_describe_sections(cairn_context *ctx, const char *list, unsigned *out)
{
    char **words;
    size_t n;
    *out = 0;
    CHECK(cairn_list_split(ctx, list, &words, &n));
    for (size_t i = 0; i < n; i++) {
        size_t s = 0;
        while (s < N_SECTIONS && strcmp(sections[s].name, words[i]) != 0) s++;
        if (s == N_SECTIONS) {
            const char *near = cairn_nearest_word(words[i], section_name, NULL);
            return cairn_fail(ctx, CAIRN_USAGE, "--show: there is no section '%s'%s%s%s", words[i],
                              near ? "; did you mean '" : "; 'cairn help describe' lists them",
                              near ? near : "", near ? "'?" : "");
        }
        *out |= sections[s].flag;
    }
    return CAIRN_OK;
}

bool cairn_describe_learns(const cairn_slot *slot)
{
    return slot->role == CAIRN_FEATURE || slot->role == CAIRN_TARGET;
}

static cairn_measurement measurement_of(const cairn_column *column)
{
    switch (column->kind) {
    case CAIRN_NUMBER:
    case CAIRN_TIME: return CAIRN_QUANTITATIVE;
    case CAIRN_LEVEL:
        return column->ordered        ? CAIRN_ORDINAL
               : column->names.n == 2 ? CAIRN_BOOLEAN
                                      : CAIRN_CATEGORICAL;
    case CAIRN_TEXT:
    case CAIRN_BAG:
    case CAIRN_SEQUENCE:
    case CAIRN_SERIES: break;
    }
    return CAIRN_NO_STATISTICS;
}

/* -- numbers -- */

/* Values beyond the fences of Tukey; none when half of the values are equal. */
static void find_outliers(cairn_column_facts *f, const cairn_sample *sample)
{
    const cairn_summary *s = &f->summary;
    f->fences[0] = s->q1 - 1.5 * s->iqr;
    f->fences[1] = s->q3 + 1.5 * s->iqr;
    if (!(s->iqr > 0) || !isfinite(s->iqr)) return;
    f->n_outliers = cairn_sample_place(sample, f->fences[0], false) + sample->n -
                    cairn_sample_place(sample, f->fences[1], true);
    f->n_far = cairn_sample_place(sample, s->q1 - 3 * s->iqr, false) + sample->n -
               cairn_sample_place(sample, s->q3 + 3 * s->iqr, true);
}

/* The step of values that stand on a grid (whole numbers, tenths), 0 where they do not or where it
 * is too fine to matter: bins that do not hold the same number of grid points show false gaps. */
static double grid_step(const double *values, size_t n)
{
    double range = values[n - 1] - values[0], step = range;
    if (!isfinite(range)) return 0; /* both ends are near the largest number there is */
    for (size_t i = 1; i < n; i++) {
        double gap = values[i] - values[i - 1];
        if (gap > 1e-9 * range && gap < step) step = gap;
    }
    if (!(range <= FINEST_GRID * step)) return 0;
    for (size_t i = 1; i < n; i++) {
        double at = (values[i] - values[0]) / step;
        if (fabs(at - floor(at + 0.5)) > 1e-6) return 0;
    }
    return step;
}

/* At most ten bins of one width from the least finite value on, by the places of their edges; on a
 * grid each bin has as many points. */
static void small_histogram(cairn_column_facts *f, const cairn_sample *sample)
{
    size_t first = cairn_sample_place(sample, -INFINITY, true);
    size_t end = cairn_sample_place(sample, INFINITY, false);
    f->n_infinite = sample->n - (end > first ? end - first : 0);
    if (end <= first || sample->values[first] == sample->values[end - 1]) return;
    double low = sample->values[first], high = sample->values[end - 1];
    double step = grid_step(sample->values + first, end - first);
    size_t from = first;
    f->n_bars = CAIRN_FACT_BARS;
    if (step > 0) {
        double points = floor((high - low) / step + 0.5) + 1, each = ceil(points / CAIRN_FACT_BARS);
        f->n_bars = (size_t)ceil(points / each);
        high = low - step / 2 + (double)f->n_bars * each * step;
        low -= step / 2;
    }
    for (size_t b = 0; b < f->n_bars; b++) {
        double share = (double)(b + 1) / (double)f->n_bars;
        size_t to = b + 1 == f->n_bars
                        ? end
                        : cairn_sample_place(sample, low * (1 - share) + high * share, false);
        for (size_t i = from; sample->weights && i < to; i++) f->bars[b] += sample->weights[i];
        if (!sample->weights) f->bars[b] = (double)(to - from);
        from = to;
    }
}

static cairn_status number_facts(cairn_context *ctx, const cairn_describing *d, size_t i)
{
    SCOPED_SCRATCH(ctx);
    cairn_column_facts *f = &d->facts[i];
    cairn_sample sample;
    const double *numbers = d->table->slots[i].column->numbers;
    bool is_weight = d->table->slots[i].role == CAIRN_WEIGHT; /* does not count by itself */
    CHECK(cairn_sample_make(ctx, &sample, numbers, is_weight ? NULL : d->weights, d->table->n_rows,
                            (cairn_part){NULL, 0}));
    f->n = sample.n;
    cairn_summarise(&f->summary, &sample, (cairn_divisor)d->options->divisor,
                    (cairn_quantile_rule)d->options->quantile);
    find_outliers(f, &sample);
    small_histogram(f, &sample);
    if (f->picture) CHECK(cairn_describe_picture(ctx, d, i, &sample));
    f->hash = cairn_hash(numbers, d->table->n_rows * sizeof *numbers, 1);
    return CAIRN_OK;
}

/* -- levels -- */

/* Sort the codes by falling weight, ties by code: counting weights are few, so a heap will do. */
static void sift(uint32_t *order, const double *counts, size_t root, size_t n)
{
    for (;;) {
        size_t child = 2 * root + 1;
        if (child >= n) return;
        uint32_t a = order[child], b = child + 1 < n ? order[child + 1] : a;
        bool second = child + 1 < n && (counts[b] < counts[a] || (counts[b] == counts[a] && b > a));
        if (second) child++;
        uint32_t top = order[root], low = order[child];
        if (!(counts[low] < counts[top] || (counts[low] == counts[top] && low > top))) return;
        order[root] = low;
        order[child] = top;
        root = child;
    }
}

static void sort_codes(uint32_t *order, const double *counts, size_t n)
{
    for (size_t i = n / 2; i-- > 0;) sift(order, counts, i, n);
    for (size_t end = n; end > 1; end--) {
        uint32_t swap = order[0];
        order[0] = order[end - 1];
        order[end - 1] = swap;
        sift(order, counts, 0, end - 1);
    }
}

/* Codes are named anew in the order of arrival, so that renamed copies have the same hash. */
static cairn_status hash_codes(cairn_context *ctx, const cairn_column *column, uint64_t *out)
{
    SCOPED_SCRATCH(ctx);
    int32_t *names, next = 0, block[256];
    uint64_t hash = 2;
    CHECK(SCRATCH(ctx, &names, column->names.n + 1));
    for (size_t i = 0, n = 0; i < column->n_rows; i++) {
        int32_t code = column->codes[i];
        if (code >= 0 && !names[code]) names[code] = ++next;
        block[n++] = code < 0 ? 0 : names[code];
        if (n == 256 || i + 1 == column->n_rows) {
            hash = cairn_hash(block, n * sizeof *block, hash);
            n = 0;
        }
    }
    *out = hash;
    return CAIRN_OK;
}

/* Counts are by weight while n counts rows. */
static cairn_status level_facts(cairn_context *ctx, const cairn_describing *d, size_t i)
{
    cairn_column_facts *f = &d->facts[i];
    const cairn_column *column = d->table->slots[i].column;
    size_t n = column->names.n;
    for (size_t row = 0; row < column->n_rows; row++) {
        double weight = cairn_describe_weight(d, row);
        if (column->codes[row] < 0) continue;
        f->n += weight > 0;
        f->counts[column->codes[row]] += weight;
    }
    for (size_t k = 0; k < n; k++) {
        f->order[k] = (uint32_t)k;
        f->n_used += f->counts[k] > 0;
    }
    sort_codes(f->order, f->counts, n);
    /* A bar for every level that occurs: ordered levels keep their order, others come by
     * frequency. */
    bool ordered = f->measurement == CAIRN_ORDINAL;
    for (size_t k = 0; k < n && f->n_bars < CAIRN_FACT_BARS; k++) {
        double count = f->counts[ordered ? k : f->order[k]];
        if (count > 0) f->bars[f->n_bars++] = count;
    }
    if (f->measurement == CAIRN_ORDINAL) {
        /* Quartiles and median of ordered levels: the least level that enough rows do not
         * exceed. */
        double total = 0;
        for (size_t k = 0; k < n; k++) total += f->counts[k];
        for (int q = 0; q < 3; q++) {
            double sum = 0;
            size_t k = 0;
            for (; k + 1 < n; k++) {
                sum += f->counts[k];
                if (sum >= total * (q + 1) / 4 * (1 - 1e-12)) break;
            }
            f->quantiles[q] = total > 0 ? (double)k : NAN;
        }
    }
    return hash_codes(ctx, column, &f->hash);
}

/* How many texts there are and which is the commonest, the first of those that are equally so. */
static cairn_status text_facts(cairn_context *ctx, const cairn_describing *d, size_t i)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_map_clear) cairn_map texts = {0};
    cairn_column_facts *f = &d->facts[i];
    const cairn_column *column = d->table->slots[i].column;
    size_t *counts, *rows, text;
    CHECK(SCRATCH_EACH(ctx, column->n_rows + 1, &counts, &rows));
    for (size_t row = 0; row < column->n_rows; row++) {
        if (cairn_column_is_missing(column, row)) continue;
        CHECK(cairn_map_add(ctx, &texts, column->bytes + column->starts[row],
                            column->starts[row + 1] - column->starts[row], &text));
        if (counts[text]++ == 0) rows[text] = row;
    }
    f->n_texts = texts.n;
    for (text = 0; text < texts.n; text++) {
        if (counts[text] <= f->n_top) continue;
        f->n_top = counts[text];
        f->top_row = rows[text];
    }
    return CAIRN_OK;
}

static cairn_status column_facts(cairn_context *ctx, void *data, size_t i)
{
    const cairn_describing *d = data;
    cairn_column_facts *f = &d->facts[i];
    CHECK(cairn_tick(ctx, "columns", (double)i, (double)d->table->n_columns));
    if (f->measurement == CAIRN_QUANTITATIVE)
        CHECK(number_facts(ctx, d, i));
    else if (f->measurement != CAIRN_NO_STATISTICS)
        CHECK(level_facts(ctx, d, i));
    else
        f->n = d->table->n_rows - d->table->slots[i].column->n_missing;
    if (d->table->slots[i].column->kind == CAIRN_TEXT) CHECK(text_facts(ctx, d, i));
    return CAIRN_OK;
}

cairn_status cairn_describe_facts(cairn_describing *d)
{
    const cairn_table *table = d->table;
    CHECK(SCRATCH(d->ctx, &d->facts, table->n_columns + 1));
    for (size_t i = 0; i < table->n_columns; i++) {
        cairn_column_facts *f = &d->facts[i];
        const cairn_column *column = table->slots[i].column;
        f->measurement = measurement_of(column);
        if (column->kind != CAIRN_LEVEL) continue;
        CHECK(SCRATCH_EACH(d->ctx, column->names.n + 1, &f->counts, &f->order));
    }
    if (d->show & CAIRN_SHOW_FIGURES) CHECK(cairn_describe_choose_figures(d));
    return cairn_tasks_sized(d->ctx, table->n_columns,
                             20.0 * (double)table->n_columns * (double)table->n_rows, column_facts,
                             d);
}
