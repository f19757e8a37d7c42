/* SPDX-License-Identifier: MIT */
/* Cuts in whole numbers.
 *
 * A key is a code with the class in its low bits, and below it how many rows the row counts for
 * where that is not always 1. The keys of a node are sorted, by counting when they are dense and by
 * a radix sort or by insertion otherwise; equal codes and classes are a run. Walking over
 * the runs moves counts from the right side to the left, and between two codes the measure
 *     Gini      sum_l L_l^2 / n_L + sum_l R_l^2 / n_R
 *     entropy   sum_l f(L_l) + sum_l f(R_l) - f(n_L) - f(n_R),  f(x) = x log2 x
 * is as large as the remaining impurity is small. Sums of squares are whole numbers; f comes from a
 * table of whole numbers (x log2 x times a power of 2, rounded), so that sums which are changed
 * step by step stay exact and depend on the counts alone.
 *
 * Where most rows have one value, zero for instance, only the others are sorted: what the value has
 * of each class is what they leave of the node's counts.
 *
 * Bit columns need no sort: the set bits of every row are counted by class, for all columns of a
 * word at once. */
#include "learners/tree/grow/fast_split.h"
#include "base/functions.h"
#include <math.h>
#include <string.h>

enum {
    TABLE_MOST = 1 << 20,
    LEFTS_MOST = 1 << 24, /* counts below the cuts of all columns */
    FEW_CLASSES = 64,     /* so few counts are copied sooner than found again */
    INSERTION = 32,
    DENSE = 2
};

static int64_t total_weight(const cairn_binned *data)
{
    int64_t sum = 0;
    if (!data->repeats) return (int64_t)data->n_rows;
    for (size_t i = 0; i < data->n_rows; i++) sum += data->repeats[i];
    return sum;
}

bool cairn_fast_fits(const cairn_binned *data, const cairn_grow_options *options)
{
    return data->n_classes > 0 && !data->weights && !options->random_cuts &&
           total_weight(data) < INT32_MAX &&
           (options->impurity == CAIRN_ENTROPY || options->impurity == CAIRN_GINI) &&
           options->select == CAIRN_SELECT_SCORE && options->cut != CAIRN_TREE_DISCRIMINANT &&
           options->score != CAIRN_TREE_CHI && !options->own_score && options->cell_add == 0;
}

bool cairn_fast_buffer(const cairn_binned *data)
{
    return data->n_classes <= LEFTS_MOST / (data->n_columns + 1);
}

void cairn_fast_classes(cairn_fast *fast, size_t n_classes)
{
    fast->class_bits = 0;
    while ((size_t)1 << fast->class_bits < n_classes) fast->class_bits++;
}

static double times_log(double x)
{
    return x > 1 ? x * cairn_log2(x) : 0;
}

cairn_status cairn_fast_make(cairn_context *ctx, cairn_fast *out, const cairn_binned *data,
                             const cairn_grow_options *options)
{
    *out = (cairn_fast){
        .gini = options->impurity == CAIRN_GINI, .scale = 1, .counts_cuts = options->cut_penalty};
    cairn_fast_classes(out, data->n_classes);
    uint32_t most = 0;
    for (size_t i = 0; data->repeats && i < data->n_rows; i++)
        if (data->repeats[i] > most) most = data->repeats[i];
    while (most >> out->repeat_bits) out->repeat_bits++;
    if (out->gini) return CAIRN_OK;
    int exponent;
    size_t weight = (size_t)total_weight(data);
    frexp(times_log((double)weight) + 1, &exponent);
    out->scale = ldexp(1, 61 - exponent);
    out->n_table = weight < TABLE_MOST ? weight + 1 : TABLE_MOST;
    CHECK(SCRATCH_RAW(ctx, &out->table, out->n_table));
    for (size_t x = 0; x < out->n_table; x++)
        out->table[x] = (int64_t)rint(times_log((double)x) * out->scale);
    return CAIRN_OK;
}

bool cairn_fast_column(const cairn_binned *data, const cairn_fast *fast, size_t c)
{
    const cairn_binned_column *column = &data->columns[c];
    int bits = fast->class_bits + fast->repeat_bits;
    return column->is_number && ((uint64_t)column->n_codes + 1) << bits < UINT32_MAX;
}

void cairn_fast_marks(uint32_t *marks, int64_t *totals, uint32_t *counts, const cairn_binned *data,
                      const cairn_fast *fast, const uint32_t *rows, size_t n)
{
    const int32_t *classes = data->classes;
    const uint32_t *repeats = data->repeats;
    size_t k = data->n_classes;
    int bits = fast->repeat_bits;
    memset(counts, 0, 2 * k * sizeof *counts); /* two of each: neighbours do not wait */
    if (bits)
        for (size_t i = 0; i < n; i++) {
            uint32_t class = (uint32_t)classes[rows[i]], repeat = repeats[rows[i]];
            marks[i] = class << bits | repeat;
            counts[2 * class + (i & 1)] += repeat;
        }
    else
        for (size_t i = 0; i < n; i++) {
            marks[i] = (uint32_t)classes[rows[i]];
            counts[2 * marks[i] + (i & 1)]++;
        }
    for (size_t l = 0; l < k; l++) totals[l] = (int64_t)counts[2 * l] + counts[2 * l + 1];
}

static inline int64_t f_of(const cairn_fast *fast, int64_t x)
{
    if ((size_t)x < fast->n_table) return fast->table[x];
    return (int64_t)rint(times_log((double)x) * fast->scale);
}

void cairn_fast_node_make(cairn_fast_node *node, const cairn_fast *fast, size_t k)
{
    int64_t sum = 0;
    for (size_t l = 0; l < k; l++)
        sum += fast->gini ? node->totals[l] * node->totals[l] : f_of(fast, node->totals[l]);
    node->base =
        fast->gini ? (double)sum / (double)node->weight : (double)(sum - f_of(fast, node->weight));
}

double cairn_fast_error(const cairn_fast *fast, const cairn_fast_node *node, size_t k)
{
    double units = fast->gini ? 0 : 2 * (double)k + 4;
    return 1e-9 + units / fast->scale / (double)node->weight;
}

/* The gain in impurity for a value of the measure. */
static double gain_of(const cairn_fast *fast, const cairn_fast_node *node, double value)
{
    return (value - node->base) / fast->scale / (double)node->weight;
}

/* -- walking over runs -- */

typedef struct walk {
    const cairn_fast *fast;
    int64_t *left, *right; /* per class */
    int64_t n_left, n_right;
    int64_t sum_left, sum_right; /* of squares, or of f */
    double best, least;          /* value so far; what the next one must exceed */
    double tie;
    double side; /* least weight of either side */
    bool found;
} walk;

static void start_walk(walk *w, const cairn_fast *fast, const cairn_fast_node *node, size_t k,
                       cairn_split_space *space)
{
    *w = (walk){.fast = fast,
                .left = space->whole,
                .right = space->whole + k,
                .n_right = node->weight,
                .side = node->least,
                .least = -INFINITY};
    w->tie = (double)node->weight * CAIRN_TREE_TIE * fast->scale;
    if (!fast->gini && w->tie < 8 * (double)(k + 2)) w->tie = 8 * (double)(k + 2);
    for (size_t l = 0; l < k; l++) {
        w->left[l] = 0;
        w->right[l] = node->totals[l];
        w->sum_right +=
            fast->gini ? node->totals[l] * node->totals[l] : f_of(fast, node->totals[l]);
    }
}

/* Move `count` rows of a class from the right to the left. */
static inline void move_run(walk *w, size_t class, int64_t count, bool gini)
{
    int64_t l = w->left[class], r = w->right[class];
    if (gini) {
        w->sum_left += count * (2 * l + count);
        w->sum_right -= count * (2 * r - count);
    } else {
        w->sum_left += f_of(w->fast, l + count) - f_of(w->fast, l);
        w->sum_right += f_of(w->fast, r - count) - f_of(w->fast, r);
    }
    w->left[class] = l + count;
    w->right[class] = r - count;
    w->n_left += count;
    w->n_right -= count;
}

static inline double value_here(const walk *w, bool gini)
{
    if (gini)
        return (double)w->sum_left / (double)w->n_left + (double)w->sum_right / (double)w->n_right;
    return (double)(w->sum_left + w->sum_right - f_of(w->fast, w->n_left) -
                    f_of(w->fast, w->n_right));
}

/* Whether a cut here is the best so far. */
static inline bool better_here(walk *w, bool gini)
{
    double value = value_here(w, gini);
    if (!(value > w->least)) return false;
    if ((double)w->n_left < w->side || (double)w->n_right < w->side) return false;
    w->best = value;
    w->least = value + w->tie;
    return w->found = true;
}

/* -- runs -- */

static void insertion_sort(uint32_t *keys, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        uint32_t key = keys[i];
        size_t at = i;
        for (; at > 0 && keys[at - 1] > key; at--) keys[at] = keys[at - 1];
        keys[at] = key;
    }
}

/* Sort keys by their low bytes that differ; the result is in space->keys. */
static void radix_sort(cairn_split_space *space, size_t n, uint32_t low, uint32_t high)
{
    uint32_t *from = space->keys, *to = space->order, starts[256];
    for (int shift = 0; shift < 32 && (high - low) >> shift; shift += 8) {
        uint32_t sum = 0;
        memset(starts, 0, sizeof starts);
        for (size_t i = 0; i < n; i++) starts[(from[i] - low) >> shift & 255]++;
        for (size_t b = 0; b < 256; b++) {
            uint32_t count = starts[b];
            starts[b] = sum;
            sum += count;
        }
        for (size_t i = 0; i < n; i++) to[starts[(from[i] - low) >> shift & 255]++] = from[i];
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    space->keys = from;
    space->order = to;
}

/* Runs of equal codes and classes, ascending, in space->order (both) and space->other (sizes), from
 * keys between `low` and `high`. */
static size_t make_runs(cairn_split_space *space, size_t n, uint32_t low, uint32_t high,
                        int repeat_bits)
{
    uint32_t first = low >> repeat_bits;
    size_t range = (size_t)((high >> repeat_bits) - first) + 1;
    if (range <= DENSE * n) {
        /* Count dense codes with classes from `first` on and list those that occur. */
        uint32_t *counts = space->counts, *keys = space->order, *sizes = space->other;
        uint32_t mask = ((uint32_t)1 << repeat_bits) - 1;
        size_t m = 0;
        memset(counts, 0, range * sizeof *counts);
        if (repeat_bits)
            for (size_t i = 0; i < n; i++)
                counts[(space->keys[i] >> repeat_bits) - first] += space->keys[i] & mask;
        else
            for (size_t i = 0; i < n; i++) counts[space->keys[i] - first]++;
        for (size_t at = 0; at < range; at++) {
            keys[m] = first + (uint32_t)at;
            sizes[m] = counts[at];
            m += counts[at] > 0;
        }
        return m;
    }
    if (n <= INSERTION)
        insertion_sort(space->keys, n);
    else
        radix_sort(space, n, low, high);
    /* List the runs of sorted keys. */
    const uint32_t *from = space->keys;
    uint32_t *keys = space->order, *sizes = space->other;
    uint32_t mask = ((uint32_t)1 << repeat_bits) - 1, one = repeat_bits == 0;
    size_t m = 0;
    keys[0] = from[0] >> repeat_bits;
    sizes[0] = (from[0] & mask) | one;
    for (size_t i = 1; i < n; i++) {
        uint32_t key = from[i] >> repeat_bits, count = (from[i] & mask) | one;
        bool next = key != keys[m];
        m += next;
        keys[m] = key;
        sizes[m] = next ? count : sizes[m] + count;
    }
    return m + 1;
}

/* In line at both places, so that each has the code of one measure only. */
static inline __attribute__((always_inline)) void walk_runs(walk *w, cairn_split *out, double *left,
                                                            const cairn_split_space *space,
                                                            size_t n_runs, size_t k, bool gini)
{
    int bits = w->fast->class_bits;
    uint32_t mask = ((uint32_t)1 << bits) - 1, before = space->order[0] >> bits;
    for (size_t i = 0; i < n_runs; i++) {
        uint32_t key = space->order[i], code = key >> bits;
        if (code != before) {
            if (better_here(w, gini)) {
                out->code = before;
                out->next = code;
                for (size_t l = 0; l < k && k <= FEW_CLASSES; l++) left[l] = (double)w->left[l];
            }
            before = code;
        }
        move_run(w, key & mask, space->other[i], gini);
    }
}

/* Counts of many classes below the cut that was found. */
static void recount_left(double *left, const cairn_split *cut, const cairn_split_space *space,
                         size_t n_runs, int bits, size_t k)
{
    uint32_t mask = ((uint32_t)1 << bits) - 1;
    memset(left, 0, k * sizeof *left);
    for (size_t i = 0; i < n_runs && space->order[i] >> bits < cut->next; i++)
        left[space->order[i] & mask] += space->other[i];
}

/* Places where either side is large enough. */
static uint32_t count_cuts(const cairn_fast_node *node, const cairn_split_space *space,
                           size_t n_runs, int bits)
{
    int64_t left = 0;
    uint32_t n = 0;
    for (size_t i = 1; i < n_runs; i++) {
        left += space->other[i - 1];
        n += space->order[i] >> bits != space->order[i - 1] >> bits &&
             (double)left >= node->least && (double)(node->weight - left) >= node->least;
    }
    return n;
}

/* Keys of a node's rows in one column. */
static size_t gather_all(uint32_t *keys, const cairn_binned_column *column,
                         const cairn_fast_node *node, int bits)
{
    const uint8_t *bytes = column->codes;
    const uint16_t *pairs = column->codes;
    const uint32_t *quads = column->codes, *rows = node->rows;
    if (column->width == 1)
        for (size_t i = 0; i < node->n; i++)
            keys[i] = (uint32_t)bytes[rows[i]] << bits | node->marks[i];
    else if (column->width == 2)
        for (size_t i = 0; i < node->n; i++)
            keys[i] = (uint32_t)pairs[rows[i]] << bits | node->marks[i];
    else
        for (size_t i = 0; i < node->n; i++) keys[i] = quads[rows[i]] << bits | node->marks[i];
    return node->n;
}

/* The same without the rows that have the common code; gives the number of keys. */
static size_t gather_rare(uint32_t *keys, const cairn_binned_column *column,
                          const cairn_fast_node *node, size_t c, int bits)
{
    const uint8_t *bytes = column->codes;
    const uint16_t *pairs = column->codes;
    const uint32_t *quads = column->codes, *rows = node->rows, common = column->common;
    const cairn_node_items *items = node->items;
    size_t m = 0;
    if (column->width == CAIRN_ITEMS)
        for (size_t k = items->firsts[c], end = k + items->counts[c]; k < end; k++)
            keys[m++] = items->codes[k] << bits | node->marks[items->entries[k]];
    else if (column->width == 1)
        for (size_t i = 0; i < node->n; i++) {
            uint32_t code = bytes[rows[i]];
            if (code != common) keys[m++] = code << bits | node->marks[i];
        }
    else if (column->width == 2)
        for (size_t i = 0; i < node->n; i++) {
            uint32_t code = pairs[rows[i]];
            if (code != common) keys[m++] = code << bits | node->marks[i];
        }
    else
        for (size_t i = 0; i < node->n; i++) {
            uint32_t code = quads[rows[i]];
            if (code != common) keys[m++] = code << bits | node->marks[i];
        }
    return m;
}

/* Put the runs of the common code, which are all rows that no other run has, into their place. */
static size_t add_common(cairn_split_space *space, size_t n_runs, const cairn_fast *fast,
                         const cairn_fast_node *node, uint32_t common, size_t k)
{
    uint32_t *keys = space->order, *sizes = space->other;
    uint32_t first = common << fast->class_bits, mask = ((uint32_t)1 << fast->class_bits) - 1;
    size_t at = 0, more = 0;
    memcpy(space->whole, node->totals, k * sizeof *space->whole);
    for (size_t i = 0; i < n_runs; i++) {
        space->whole[keys[i] & mask] -= sizes[i];
        at += keys[i] < first;
    }
    for (size_t l = 0; l < k; l++) more += space->whole[l] > 0;
    memmove(keys + at + more, keys + at, (n_runs - at) * sizeof *keys);
    memmove(sizes + at + more, sizes + at, (n_runs - at) * sizeof *sizes);
    for (size_t l = 0; l < k; l++)
        if (space->whole[l] > 0) {
            keys[at] = first | (uint32_t)l;
            sizes[at++] = (uint32_t)space->whole[l];
        }
    return n_runs + more;
}

/* Runs of a column in a node; 0 when it cannot be cut, SIZE_MAX when a cell is missing. */
static size_t runs_of_column(cairn_split_space *space, const cairn_binned *data,
                             const cairn_fast *fast, const cairn_fast_node *node, size_t c)
{
    const cairn_binned_column *column = &data->columns[c];
    int bits = fast->class_bits + fast->repeat_bits;
    uint32_t *keys = space->keys, low = UINT32_MAX, high = 0;
    bool rare = column->common != UINT32_MAX || column->width == CAIRN_ITEMS;
    size_t n =
        rare ? gather_rare(keys, column, node, c, bits) : gather_all(keys, column, node, bits);
    if (n == 0) return 0;
    for (size_t i = 0; i < n; i++) {
        low = keys[i] < low ? keys[i] : low;
        high = keys[i] > high ? keys[i] : high;
    }
    if (high >> bits == column->n_codes) return SIZE_MAX;
    if (low >> bits == high >> bits && n == node->n) return 0;
    size_t n_runs = make_runs(space, n, low, high, fast->repeat_bits);
    if (n == node->n) return n_runs;
    return add_common(space, n_runs, fast, node, column->common, data->n_classes);
}

bool cairn_fast_cut(cairn_split *out, double *left, const cairn_binned *data,
                    const cairn_fast *fast, const cairn_fast_node *node, size_t c,
                    cairn_split_space *space)
{
    size_t k = data->n_classes;
    walk w;
    *out = (cairn_split){.column = (int32_t)c, .rough = true};
    size_t n_runs = runs_of_column(space, data, fast, node, c);
    if (n_runs == SIZE_MAX) return false;
    if (n_runs == 0) return true;
    start_walk(&w, fast, node, k, space);
    if (fast->gini)
        walk_runs(&w, out, left, space, n_runs, k, true);
    else
        walk_runs(&w, out, left, space, n_runs, k, false);
    if (!w.found) return true;
    if (k > FEW_CLASSES) recount_left(left, out, space, n_runs, fast->class_bits, k);
    out->test = CAIRN_TEST_CUT;
    out->gain = out->score = gain_of(fast, node, w.best);
    if (fast->counts_cuts) out->n_cuts = count_cuts(node, space, n_runs, fast->class_bits);
    return true;
}

/* -- bits -- */

/* Counts of set bits by class, for the bits of `active`. */
static void count_bits(uint32_t *counts, const uint64_t *words, const cairn_fast *fast,
                       const cairn_fast_node *node, uint64_t active, size_t k)
{
    int repeat_bits = fast->repeat_bits;
    uint32_t mask = ((uint32_t)1 << repeat_bits) - 1, one = repeat_bits == 0;
    for (uint64_t left = active; left; left &= left - 1)
        memset(counts + (size_t)__builtin_ctzll(left) * k, 0, k * sizeof *counts);
    for (size_t i = 0; i < node->n; i++) {
        uint64_t set = words[node->rows[i]] & active;
        uint32_t class = node->marks[i] >> repeat_bits, count = (node->marks[i] & mask) | one;
        for (; set; set &= set - 1) counts[(size_t)__builtin_ctzll(set) * k + class] += count;
    }
}

static double bit_value(const cairn_fast *fast, const cairn_fast_node *node, const uint32_t *counts,
                        size_t k, int64_t *n_set)
{
    int64_t set = 0, sum_set = 0, sum_rest = 0;
    for (size_t l = 0; l < k; l++) {
        int64_t count = counts[l], rest = node->totals[l] - count;
        set += count;
        sum_set += fast->gini ? count * count : f_of(fast, count);
        sum_rest += fast->gini ? rest * rest : f_of(fast, rest);
    }
    int64_t unset = node->weight - set;
    *n_set = set;
    if (fast->gini) return (double)sum_set / (double)set + (double)sum_rest / (double)unset;
    return (double)(sum_set + sum_rest - f_of(fast, set) - f_of(fast, unset));
}

uint64_t cairn_fast_bits(cairn_split *splits, double *lefts, const cairn_binned *data,
                         const cairn_fast *fast, const cairn_fast_node *node, size_t word,
                         uint64_t mask, cairn_split_space *space)
{
    const uint64_t *words = data->words[word];
    uint64_t any = 0, all = UINT64_MAX, done = 0;
    size_t k = data->n_classes;
    for (size_t i = 0; i < node->n; i++) {
        any |= words[node->rows[i]];
        all &= words[node->rows[i]];
    }
    uint64_t active = any & ~all & mask;
    if (!active) return 0;
    count_bits(space->bit_counts, words, fast, node, active, k);
    for (uint64_t left = active; left; left &= left - 1) {
        size_t b = (size_t)__builtin_ctzll(left);
        const uint32_t *counts = space->bit_counts + b * k;
        size_t c = data->word_column[word * 64 + b];
        int64_t n_set;
        double value = bit_value(fast, node, counts, k, &n_set);
        if ((double)n_set < node->least || (double)(node->weight - n_set) < node->least) continue;
        splits[b] =
            (cairn_split){.column = (int32_t)c, .test = CAIRN_TEST_CUT, .next = 1, .rough = true};
        splits[b].n_cuts = 1;
        splits[b].gain = splits[b].score = gain_of(fast, node, value);
        for (size_t l = 0; l < k; l++)
            lefts[b * k + l] = data->columns[c].flipped
                                   ? (double)counts[l]
                                   : (double)(node->totals[l] - (int64_t)counts[l]);
        done |= (uint64_t)1 << b;
    }
    return done;
}
