/* SPDX-License-Identifier: MIT */
/* Frequent item sets: what the engines share.
 *
 * Infrequent items are dropped first: a set is at most as frequent as each of its items. The others
 * get codes in the order of rising support, which keeps the search tree narrow. Which engine is
 * taken, unless the user says so, depends on how dense the transactions then are: dense ones are
 * intersected as bits, sparse ones are projected as lists.
 *
 * Closed and maximal sets are told from all frequent ones: a set marks its subsets with one item
 * less as not maximal and, when the support is the same, as not closed. Sets are found again by a
 * key that is the sum of a random number per item, so that the key of a subset is a subtraction. */
#include "items/items.h"

#include "base/sort_by.h"
#include "base/random.h"
#include <string.h>

const char *cairn_miner_name(cairn_miner miner)
{
    static const char *const names[] = {"auto",  "apriori",   "breadth",
                                        "eclat", "fp-growth", "lists"};
    return names[miner];
}

void cairn_itemsets_clear(cairn_itemsets *sets)
{
    cairn_free(sets->starts);
    cairn_free(sets->items);
    cairn_free(sets->supports);
    cairn_free(sets->marks);
    *sets = (cairn_itemsets){0};
}

void cairn_items_add(cairn_text *out, const cairn_transactions *t, const int32_t *items, size_t n)
{
    cairn_text_add_char(out, '{');
    for (size_t i = 0; i < n; i++)
        cairn_text_addf(out, "%s%s", i ? ", " : "", cairn_map_key(&t->names, (size_t)items[i]));
    cairn_text_add_char(out, '}');
}

/* -- codes -- */

typedef struct counted {
    uint64_t support;
    int32_t item;
} counted;

static bool comes_first(const void *one, const void *other, const void *data)
{
    const counted *a = one, *b = other;
    (void)data;
    return a->support != b->support ? a->support < b->support : a->item < b->item;
}

/* Frequent items get codes by rising support, others none: rare items first keep searches short and
 * trees small. */
static cairn_status code_items(cairn_mining *m, uint32_t **code_of)
{
    const cairn_transactions *t = m->t;
    counted *found;
    uint64_t *supports;
    CHECK(SCRATCH(m->ctx, &supports, t->n_items));
    CHECK(SCRATCH(m->ctx, &found, t->n_items));
    CHECK(SCRATCH(m->ctx, code_of, t->n_items));
    for (size_t i = 0; i < t->n; i++) {
        uint32_t count = t->counts ? t->counts[i] : 1;
        for (size_t j = t->starts[i]; j < t->starts[i + 1]; j++) supports[t->items[j]] += count;
    }
    for (size_t i = 0; i < t->n_items; i++) {
        (*code_of)[i] = UINT32_MAX;
        if (supports[i] >= m->options->support)
            found[m->n_items++] = (counted){supports[i], (int32_t)i};
    }
    CHECK(cairn_sort_by(m->ctx, found, m->n_items, sizeof *found, comes_first, NULL));
    CHECK(SCRATCH(m->ctx, &m->item, m->n_items));
    CHECK(SCRATCH(m->ctx, &m->supports, m->n_items));
    for (size_t i = 0; i < m->n_items; i++) {
        m->item[i] = found[i].item;
        m->supports[i] = found[i].support;
        (*code_of)[found[i].item] = (uint32_t)i;
    }
    return CAIRN_OK;
}

static void sort_codes(uint32_t *codes, size_t n)
{
    if (n > 64) { /* gaps first: long transactions are rare but may be very long */
        for (size_t gap = n / 2; gap > 1; gap = gap * 5 / 11)
            for (size_t i = gap; i < n; i++) {
                uint32_t x = codes[i];
                size_t at = i;
                for (; at >= gap && codes[at - gap] > x; at -= gap) codes[at] = codes[at - gap];
                codes[at] = x;
            }
    }
    for (size_t i = 1; i < n; i++) {
        uint32_t x = codes[i];
        size_t at = i;
        for (; at > 0 && codes[at - 1] > x; at--) codes[at] = codes[at - 1];
        codes[at] = x;
    }
}

/* Transactions in codes, sorted and without infrequent items; those that lose all items drop out,
 * since they cannot support a set. */
static cairn_status code_transactions(cairn_mining *m)
{
    const cairn_transactions *t = m->t;
    uint32_t *code_of;
    size_t used = 0;
    CHECK(code_items(m, &code_of));
    CHECK(SCRATCH_RAW(m->ctx, &m->starts, t->n + 1));
    CHECK(SCRATCH_RAW(m->ctx, &m->codes, t->starts[t->n] + 1));
    if (t->counts) CHECK(SCRATCH_RAW(m->ctx, &m->counts, t->n + 1));
    m->starts[0] = 0;
    for (size_t i = 0; i < t->n; i++) {
        size_t begin = used;
        for (size_t j = t->starts[i]; j < t->starts[i + 1]; j++)
            if (code_of[t->items[j]] != UINT32_MAX) m->codes[used++] = code_of[t->items[j]];
        if (used == begin) continue;
        sort_codes(m->codes + begin, used - begin);
        if (t->counts) m->counts[m->n] = t->counts[i];
        m->starts[++m->n] = used;
    }
    return CAIRN_OK;
}

/* -- lookups -- */

uint64_t cairn_set_key(const cairn_set_index *index, const int32_t *items, size_t n)
{
    uint64_t key = 0;
    for (size_t i = 0; i < n; i++) key += index->keys[items[i]];
    return key;
}

static size_t slot_of(const cairn_set_index *index, uint64_t key)
{
    return (size_t)((key ^ key >> 32) * UINT64_C(0x9E3779B97F4A7C15) >> 20) & (index->n_slots - 1);
}

size_t cairn_set_find(const cairn_set_index *index, const int32_t *items, size_t n, uint64_t key)
{
    const cairn_itemsets *s = index->sets;
    for (size_t at = slot_of(index, key); index->slots[at]; at = (at + 1) & (index->n_slots - 1)) {
        size_t i = index->slots[at] - 1;
        if (s->starts[i + 1] - s->starts[i] == n &&
            memcmp(s->items + s->starts[i], items, n * sizeof *items) == 0)
            return i;
    }
    return SIZE_MAX;
}

cairn_status cairn_set_index_make(cairn_context *ctx, cairn_set_index *out,
                                  const cairn_itemsets *sets, size_t n_items)
{
    cairn_random random;
    *out = (cairn_set_index){.sets = sets, .n_slots = 16};
    if (sets->n >= UINT32_MAX)
        return cairn_fail(ctx, CAIRN_NO_MEMORY, "more than four thousand million item sets");
    while (out->n_slots < 2 * sets->n) out->n_slots *= 2;
    CHECK(SCRATCH_RAW(ctx, &out->keys, n_items + 1));
    CHECK(SCRATCH(ctx, &out->slots, out->n_slots));
    cairn_random_start(&random, 20, 26);
    for (size_t i = 0; i < n_items; i++) out->keys[i] = cairn_random_bits(&random);
    for (size_t i = 0; i < sets->n; i++) {
        const int32_t *items = sets->items + sets->starts[i];
        size_t at = slot_of(out, cairn_set_key(out, items, sets->starts[i + 1] - sets->starts[i]));
        while (out->slots[at]) at = (at + 1) & (out->n_slots - 1);
        out->slots[at] = (uint32_t)i + 1;
    }
    return CAIRN_OK;
}

/* A set is not maximal when it lies in a frequent one, and not closed when that has the same
 * support; it suffices to look at sets of one item less. */
static cairn_status mark_sets(cairn_context *ctx, cairn_itemsets *sets, size_t n_items)
{
    SCOPED_SCRATCH(ctx);
    cairn_set_index index;
    size_t longest = 1;
    int32_t *smaller;
    CHECK(NEW_RAW(ctx, &sets->marks, sets->n + 1));
    memset(sets->marks, CAIRN_SET_CLOSED | CAIRN_SET_MAXIMAL, sets->n + 1);
    CHECK(cairn_set_index_make(ctx, &index, sets, n_items));
    for (size_t i = 0; i < sets->n; i++)
        if (sets->starts[i + 1] - sets->starts[i] > longest)
            longest = sets->starts[i + 1] - sets->starts[i];
    CHECK(SCRATCH(ctx, &smaller, longest));
    for (size_t i = 0; i < sets->n; i++) {
        const int32_t *items = sets->items + sets->starts[i];
        size_t n = sets->starts[i + 1] - sets->starts[i];
        uint64_t key = cairn_set_key(&index, items, n);
        if (i % 4096 == 0) CHECK(cairn_tick(ctx, NULL, 0, 0));
        for (size_t j = 0; j < n; j++) { /* without item j */
            memcpy(smaller, items, j * sizeof *items);
            memcpy(smaller + j, items + j + 1, (n - j - 1) * sizeof *items);
            size_t at = cairn_set_find(&index, smaller, n - 1, key - index.keys[items[j]]);
            if (at == SIZE_MAX) continue; /* the empty set, when it was not wanted */
            sets->marks[at] &= (uint8_t)~CAIRN_SET_MAXIMAL;
            if (sets->supports[at] == sets->supports[i])
                sets->marks[at] &= (uint8_t)~CAIRN_SET_CLOSED;
        }
    }
    return CAIRN_OK;
}

void cairn_itemsets_keep(cairn_itemsets *sets, uint8_t marks, size_t least)
{
    size_t kept = 0, used = 0;
    for (size_t i = 0; i < sets->n; i++) {
        size_t begin = sets->starts[i], n = sets->starts[i + 1] - begin;
        if (n < least || (marks && (sets->marks[i] & marks) != marks)) continue;
        if (used != begin)
            memmove(sets->items + used, sets->items + begin, n * sizeof *sets->items);
        sets->starts[kept] = used;
        sets->supports[kept] = sets->supports[i];
        if (sets->marks) sets->marks[kept] = sets->marks[i];
        kept++;
        used += n;
        sets->starts[kept] = used;
    }
    sets->n = kept;
}

/* -- the whole -- */

/* Bits cost a transaction per pair of items, lists only where both are: below a share of about one
 * in forty lists win. */
static cairn_miner choose_miner(const cairn_mining *m)
{
    double cells = (double)m->starts[m->n], all = (double)m->n * (double)m->n_items;
    if (m->counts) return CAIRN_MINE_LISTS;
    return cells * 40 >= all ? CAIRN_MINE_ECLAT : CAIRN_MINE_LISTS;
}

static cairn_status add_empty(cairn_mining *m, cairn_itemsets *out)
{
    CHECK(NEW(m->ctx, &out->starts, 2));
    CHECK(NEW(m->ctx, &out->items, 1));
    CHECK(NEW(m->ctx, &out->supports, 1));
    out->supports[0] = m->t->total;
    out->n = 1;
    return CAIRN_OK;
}

/* A quarter of the memory that is left is for finding sets; listing them takes about as much
 * again for every four items of a set. */
static size_t most_memory(cairn_context *ctx)
{
    return cairn_memory_in_use(ctx) + cairn_memory_available(ctx) / 4;
}

cairn_status cairn_mine(cairn_context *ctx, cairn_itemsets *out, const cairn_transactions *t,
                        const cairn_mine_options *options)
{
    SCOPED_SCRATCH(ctx);
    cairn_mining m = {.ctx = ctx, .t = t, .options = options};
    *out = (cairn_itemsets){0};
    m.memory_most = most_memory(ctx);
    CHECK(code_transactions(&m));
    out->miner = options->miner == CAIRN_MINE_AUTO ? choose_miner(&m) : options->miner;
    if ((options->empty || options->marks) && t->total >= options->support)
        CHECK(add_empty(&m, out));
    switch (out->miner) {
    case CAIRN_MINE_ECLAT: CHECK(cairn_mine_bits(&m, out)); break;
    case CAIRN_MINE_FP_GROWTH: CHECK(cairn_mine_fp(&m, out)); break;
    case CAIRN_MINE_APRIORI:
    case CAIRN_MINE_BREADTH: CHECK(cairn_mine_levels(&m, out)); break;
    default: CHECK(cairn_mine_lists(&m, out)); break;
    }
    if (options->marks) CHECK(mark_sets(ctx, out, t->n_items));
    return CAIRN_OK;
}

cairn_status cairn_mine_estimate(cairn_context *ctx, double *out, const cairn_transactions *t,
                                 const cairn_mine_options *options)
{
    SCOPED_SCRATCH(ctx);
    cairn_mining m = {.ctx = ctx, .t = t, .options = options};
    CHECK(code_transactions(&m));
    return cairn_mining_estimate(ctx, &m, out);
}
