/* SPDX-License-Identifier: MIT */
/* Cuts in whole numbers.
 *
 * A key is a code with the class in its low bits. The keys of a node are sorted, by counting when
 * they are dense and by a radix sort or by insertion otherwise; equal keys are a run. Walking over
 * the runs moves counts from the right side to the left, and between two codes the measure
 *     Gini      sum_l L_l^2 / n_L + sum_l R_l^2 / n_R
 *     entropy   sum_l f(L_l) + sum_l f(R_l) - f(n_L) - f(n_R),  f(x) = x log2 x
 * is as large as the remaining impurity is small. Sums of squares are whole numbers; f comes from a
 * table of whole numbers (x log2 x times a power of 2, rounded), so that sums which are changed
 * step by step stay exact and depend on the counts alone.
 *
 * Bit columns need no sort: the set bits of every row are counted by class, for all columns of a
 * word at once. */
#include "learners/tree/fast_split.h"
#include <math.h>
#include <string.h>

enum { TABLE_MOST = 1 << 20, MOST_CLASSES = 1 << 12, INSERTION = 32, DENSE = 2 };

bool cairn_fast_fits(const cairn_coded *data, const cairn_grow_options *options)
{
    return data->n_classes > 0 && data->n_classes <= MOST_CLASSES && !data->weights &&
           (options->impurity == CAIRN_ENTROPY || options->impurity == CAIRN_GINI) &&
           options->score != CAIRN_TREE_CHI && !options->own_score && options->cell_add == 0;
}

static double times_log(double x)
{
    return x > 1 ? x * log2(x) : 0;
}

cairn_status cairn_fast_make(cairn_context *ctx, cairn_fast *out, const cairn_coded *data,
                             const cairn_grow_options *options)
{
    cairn_status status = CAIRN_OK;
    *out = (cairn_fast){.gini = options->impurity == CAIRN_GINI,
                        .scale = 1,
                        .min_leaf = options->min_leaf * (1 - CAIRN_TREE_TIE)};
    while ((size_t)1 << out->class_bits < data->n_classes) out->class_bits++;
    if (out->gini) return CAIRN_OK;
    int exponent;
    frexp(times_log((double)data->n_rows) + 1, &exponent);
    out->scale = ldexp(1, 61 - exponent);
    out->n_table = data->n_rows < TABLE_MOST ? data->n_rows + 1 : TABLE_MOST;
    TRY(SCRATCH_RAW(ctx, &out->table, out->n_table));
    for (size_t x = 0; x < out->n_table; x++)
        out->table[x] = (int64_t)rint(times_log((double)x) * out->scale);
done:
    return status;
}

bool cairn_fast_column(const cairn_coded *data, const cairn_fast *fast, size_t c)
{
    const cairn_coded_column *column = &data->columns[c];
    return column->is_number && ((uint64_t)column->n_codes + 1) << fast->class_bits < UINT32_MAX;
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
        fast->gini ? (double)sum / (double)node->n : (double)(sum - f_of(fast, (int64_t)node->n));
}

double cairn_fast_error(const cairn_fast *fast, const cairn_fast_node *node, size_t k)
{
    double units = fast->gini ? 0 : 2 * (double)k + 4;
    return 1e-9 + units / fast->scale / (double)node->n;
}

/* The gain in impurity for a value of the measure. */
static double gain_of(const cairn_fast *fast, const cairn_fast_node *node, double value)
{
    return (value - node->base) / fast->scale / (double)node->n;
}

/* -- walking over runs -- */

typedef struct walk {
    const cairn_fast *fast;
    int64_t *left, *right; /* per class */
    int64_t n_left, n_right;
    int64_t sum_left, sum_right; /* of squares, or of f */
    double best, least;          /* value so far; what the next one must exceed */
    double tie;
    bool found;
} walk;

static void start_walk(walk *w, const cairn_fast *fast, const cairn_fast_node *node, size_t k,
                       cairn_split_space *space)
{
    *w = (walk){.fast = fast,
                .left = space->whole,
                .right = space->whole + k,
                .n_right = (int64_t)node->n,
                .least = -INFINITY};
    w->tie = (double)node->n * CAIRN_TREE_TIE * fast->scale;
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
    if ((double)w->n_left < w->fast->min_leaf || (double)w->n_right < w->fast->min_leaf)
        return false;
    w->best = value;
    w->least = value + w->tie;
    return w->found = true;
}

/* -- runs -- */

/* Count dense keys from `low` on and list those that occur. */
static size_t runs_by_counting(cairn_split_space *space, size_t n, uint32_t low, size_t range)
{
    uint32_t *counts = space->counts, *keys = space->order, *sizes = space->other;
    size_t m = 0;
    memset(counts, 0, range * sizeof *counts);
    for (size_t i = 0; i < n; i++) counts[space->keys[i] - low]++;
    for (size_t at = 0; at < range; at++) {
        keys[m] = low + (uint32_t)at;
        sizes[m] = counts[at];
        m += counts[at] > 0;
    }
    return m;
}

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

/* List the runs of sorted keys. */
static size_t runs_of_sorted(cairn_split_space *space, size_t n)
{
    const uint32_t *from = space->keys;
    uint32_t *keys = space->order, *sizes = space->other;
    size_t m = 0;
    keys[0] = from[0];
    sizes[0] = 1;
    for (size_t i = 1; i < n; i++) {
        bool next = from[i] != from[i - 1];
        m += next;
        keys[m] = from[i];
        sizes[m] = next ? 1 : sizes[m] + 1;
    }
    return m + 1;
}

/* Runs of equal keys, ascending, in space->order (keys) and space->other (sizes). */
static size_t make_runs(cairn_split_space *space, size_t n, uint32_t low, uint32_t high)
{
    size_t range = (size_t)(high - low) + 1;
    if (range <= DENSE * n) return runs_by_counting(space, n, low, range);
    if (n <= INSERTION)
        insertion_sort(space->keys, n);
    else
        radix_sort(space, n, low, high);
    return runs_of_sorted(space, n);
}

static inline void walk_runs(walk *w, cairn_split *out, double *left,
                             const cairn_split_space *space, size_t n_runs, size_t k, bool gini)
{
    int bits = w->fast->class_bits;
    uint32_t mask = ((uint32_t)1 << bits) - 1, before = space->order[0] >> bits;
    for (size_t i = 0; i < n_runs; i++) {
        uint32_t key = space->order[i], code = key >> bits;
        if (code != before) {
            if (better_here(w, gini)) {
                out->code = before;
                out->next = code;
                for (size_t l = 0; l < k; l++) left[l] = (double)w->left[l];
            }
            before = code;
        }
        move_run(w, key & mask, space->other[i], gini);
    }
}

/* Keys of a node's rows in one column, with the least and the greatest. */
static void gather_keys(uint32_t *keys, uint32_t *low, uint32_t *high, const cairn_coded *data,
                        const cairn_fast *fast, const cairn_fast_node *node, size_t c)
{
    const cairn_coded_column *column = &data->columns[c];
    const uint8_t *bytes = column->codes;
    const uint16_t *pairs = column->codes;
    const uint32_t *quads = column->codes, *rows = node->rows;
    uint32_t least = UINT32_MAX, most = 0;
    int bits = fast->class_bits;
    if (column->width == 1)
        for (size_t i = 0; i < node->n; i++)
            keys[i] = (uint32_t)bytes[rows[i]] << bits | node->classes[i];
    else if (column->width == 2)
        for (size_t i = 0; i < node->n; i++)
            keys[i] = (uint32_t)pairs[rows[i]] << bits | node->classes[i];
    else
        for (size_t i = 0; i < node->n; i++) keys[i] = quads[rows[i]] << bits | node->classes[i];
    for (size_t i = 0; i < node->n; i++) {
        least = keys[i] < least ? keys[i] : least;
        most = keys[i] > most ? keys[i] : most;
    }
    *low = least;
    *high = most;
}

bool cairn_fast_cut(cairn_split *out, double *left, const cairn_coded *data, const cairn_fast *fast,
                    const cairn_fast_node *node, size_t c, cairn_split_space *space)
{
    size_t k = data->n_classes;
    uint32_t low, high;
    walk w;
    *out = (cairn_split){.column = (int32_t)c, .rough = true};
    gather_keys(space->keys, &low, &high, data, fast, node, c);
    if (high >> fast->class_bits == data->columns[c].n_codes) return false;
    if (low >> fast->class_bits == high >> fast->class_bits) return true;
    size_t n_runs = make_runs(space, node->n, low, high);
    start_walk(&w, fast, node, k, space);
    if (fast->gini)
        walk_runs(&w, out, left, space, n_runs, k, true);
    else
        walk_runs(&w, out, left, space, n_runs, k, false);
    if (!w.found) return true;
    out->test = CAIRN_TEST_CUT;
    out->gain = out->score = gain_of(fast, node, w.best);
    return true;
}

/* -- bits -- */

/* Counts of set bits by class, for the bits of `active`. */
static void count_bits(uint32_t *counts, const uint64_t *words, const cairn_fast_node *node,
                       uint64_t active, size_t k)
{
    memset(counts, 0, 64 * k * sizeof *counts);
    for (size_t i = 0; i < node->n; i++) {
        uint64_t set = words[node->rows[i]] & active;
        for (; set; set &= set - 1) counts[(size_t)__builtin_ctzll(set) * k + node->classes[i]]++;
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
    int64_t unset = (int64_t)node->n - set;
    *n_set = set;
    if (fast->gini) return (double)sum_set / (double)set + (double)sum_rest / (double)unset;
    return (double)(sum_set + sum_rest - f_of(fast, set) - f_of(fast, unset));
}

uint64_t cairn_fast_bits(cairn_split *splits, double *lefts, const cairn_coded *data,
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
    count_bits(space->bit_counts, words, node, active, k);
    for (uint64_t left = active; left; left &= left - 1) {
        size_t b = (size_t)__builtin_ctzll(left);
        const uint32_t *counts = space->bit_counts + b * k;
        size_t c = data->word_column[word * 64 + b];
        int64_t n_set;
        double value = bit_value(fast, node, counts, k, &n_set);
        if ((double)n_set < fast->min_leaf || (double)((int64_t)node->n - n_set) < fast->min_leaf)
            continue;
        splits[b] =
            (cairn_split){.column = (int32_t)c, .test = CAIRN_TEST_CUT, .next = 1, .rough = true};
        splits[b].gain = splits[b].score = gain_of(fast, node, value);
        for (size_t l = 0; l < k; l++)
            lefts[b * k + l] = data->columns[c].flipped
                                   ? (double)counts[l]
                                   : (double)(node->totals[l] - (int64_t)counts[l]);
        done |= (uint64_t)1 << b;
    }
    return done;
}
