/* SPDX-License-Identifier: MIT */
/* Eclat: every item is the list of its transactions, here one bit per transaction; the support of
 * a set is the number of bits that all its items share. Depth first: the bits of a set are those of
 * its prefix and of its last item, and only items that were frequent with the prefix are tried.
 * Transactions that stand several times in the data are repeated bits.
 *
 * An item that all transactions of the prefix hold changes nothing: the sets with it have the
 * supports of the sets without it. They are found once and written twice. */
#include "items/items.h"

#include "kernels/kernels.h"

#include <string.h>

typedef struct bits_engine {
    const cairn_mining *m;
    size_t n_words;
    const uint64_t *bits; /* n_items x n_words */
} bits_engine;

/* An item that may follow the prefix, with the bits of prefix and item. */
typedef struct follower {
    uint64_t support;
    const uint64_t *bits;
    uint32_t code;
} follower;

/* One step of the search: the items that may follow one prefix. */
typedef struct level {
    follower *followers;
    uint64_t *bits;  /* room for capacity x n_words */
    size_t *repeats; /* capacity: first sets of those that are to be written again */
    size_t n, capacity;
} level;

typedef struct search {
    cairn_set_sink *sink;
    const bits_engine *engine;
    level *levels;
    size_t n_levels, levels_capacity;
} search;

static void level_clear(level *l)
{
    cairn_free(l->followers);
    cairn_free(l->bits);
    cairn_free(l->repeats);
    *l = (level){0};
}

/* An empty level with room for n followers. */
static cairn_status level_start(search *s, size_t at, size_t n)
{
    if (at >= s->n_levels) {
        CHECK(GROW(s->sink->ctx, &s->levels, &s->levels_capacity, at + 1));
        while (s->n_levels <= at) s->levels[s->n_levels++] = (level){0};
    }
    level *l = &s->levels[at];
    if (l->capacity < n) {
        level_clear(l);
        CHECK(NEW_RAW(s->sink->ctx, &l->followers, n));
        CHECK(NEW_RAW(s->sink->ctx, &l->repeats, n));
        CHECK(NEW_RAW(s->sink->ctx, &l->bits, cairn_product(n, s->engine->n_words)));
        l->capacity = n;
    }
    l->n = 0;
    return CAIRN_OK;
}

/* Add an item to a level whose prefix has the bits `prefix`, when it is frequent there. */
static void follow(const search *s, level *l, const uint64_t *prefix, const uint64_t *bits,
                   uint32_t code)
{
    size_t n_words = s->engine->n_words;
    uint64_t *both = l->bits + l->n * n_words;
    uint64_t support = cairn_bits_meet(both, prefix, bits, n_words);
    if (support >= s->engine->m->options->support)
        l->followers[l->n++] = (follower){support, both, code};
}

/* The level behind follower i of level `at`, whose prefix has this support. */
static cairn_status next_level(search *s, size_t at, size_t i, uint64_t support)
{
    CHECK(level_start(s, at + 1, s->levels[at].n - i - 1));
    const level *from = &s->levels[at];
    level *to = &s->levels[at + 1];
    const follower *last = &from->followers[i];
    for (size_t j = i + 1; j < from->n; j++) {
        const follower *f = &from->followers[j];
        if (f->support == support)
            to->followers[to->n++] = (follower){last->support, last->bits, f->code};
        else
            follow(s, to, last->bits, f->bits, f->code);
    }
    return CAIRN_OK;
}

/* All sets that go on from a prefix of `depth` codes, which has this support, with an item of level
 * `at`. Where a follower changes nothing, the sets behind it are found one code deeper and written
 * again without it at the end. */
static cairn_status extend(search *s, size_t at, uint64_t support, size_t depth)
{
    size_t n = s->levels[at].n, most = s->engine->m->options->most, n_repeats = 0;
    for (size_t i = 0; i < n; i++) {
        follower f = s->levels[at].followers[i];
        CHECK(cairn_sink_add(s->sink, depth, f.code, f.support));
        if (i + 1 == n || (most && depth + 1 >= most)) continue;
        if (f.support == support && !most) {
            s->levels[at].repeats[n_repeats++] = s->sink->n;
            depth++;
            continue;
        }
        CHECK(next_level(s, at, i, support));
        if (s->levels[at + 1].n) CHECK(extend(s, at + 1, f.support, depth + 1));
    }
    while (n_repeats > 0) CHECK(cairn_sink_repeat(s->sink, s->levels[at].repeats[--n_repeats]));
    return CAIRN_OK;
}

/* Sets that begin with one code. */
static cairn_status search_from(search *s, size_t first)
{
    const bits_engine *e = s->engine;
    const cairn_mining *m = e->m;
    CHECK(cairn_sink_add(s->sink, 0, (uint32_t)first, m->supports[first]));
    if (m->options->most == 1) return CAIRN_OK;
    CHECK(level_start(s, 0, m->n_items - first));
    for (size_t j = first + 1; j < m->n_items; j++)
        follow(s, &s->levels[0], e->bits + first * e->n_words, e->bits + j * e->n_words,
               (uint32_t)j);
    return extend(s, 0, m->supports[first], 1);
}

static cairn_status mine_piece(cairn_set_sink *sink, const void *engine, size_t first, size_t last)
{
    const bits_engine *e = engine;
    search s = {.sink = sink, .engine = e};
    cairn_status status = CAIRN_OK;
    for (size_t i = first; i < last; i++) {
        TRY(cairn_tick(sink->ctx, NULL, 0, 0));
        TRY(search_from(&s, i));
    }
done:
    for (size_t i = 0; i < s.n_levels; i++) level_clear(&s.levels[i]);
    cairn_free(s.levels);
    return status;
}

cairn_status cairn_mine_bits(cairn_mining *m, cairn_itemsets *out)
{
    size_t n_bits = 0, at = 0;
    uint64_t *bits;
    for (size_t i = 0; i < m->n; i++) n_bits += m->counts ? m->counts[i] : 1;
    bits_engine e = {.m = m, .n_words = (n_bits + 63) / 64};
    CHECK(cairn_memory_check(m->ctx, 16.0 * (double)m->n_items * (double)e.n_words,
                             "the transactions of every item as bits",
                             cairn_say(m->ctx, "use {algorithm lists}, which takes less")));
    CHECK(SCRATCH(m->ctx, &bits, cairn_product(m->n_items, e.n_words)));
    for (size_t i = 0; i < m->n; i++)
        for (uint32_t c = m->counts ? m->counts[i] : 1; c > 0; c--, at++)
            for (size_t j = m->starts[i]; j < m->starts[i + 1]; j++)
                bits[m->codes[j] * e.n_words + at / 64] |= UINT64_C(1) << at % 64;
    e.bits = bits;
    CHECK(cairn_mine_side_by_side(m, out, mine_piece, &e));
    cairn_show_lists(m, out);
    return CAIRN_OK;
}
