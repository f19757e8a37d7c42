/* SPDX-License-Identifier: MIT */
/* Eclat: every item is the list of its transactions, here one bit per transaction; the support of
 * a set is the number of bits that all its items share. Depth first: the bits of a set are those of
 * its prefix and of its last item, and only items that were frequent with the prefix are tried.
 * Transactions that stand several times in the data are repeated bits. */
#include "items/items.h"

#include "kernels/kernels.h"

#include <string.h>

typedef struct bits_engine {
    const cairn_mining *m;
    size_t n_words;
    const uint64_t *bits; /* n_items x n_words */
} bits_engine;

/* One level of the search: items that may follow the prefix, with the bits of prefix and item. */
typedef struct level {
    uint32_t *codes;
    uint64_t *supports;
    uint64_t *bits; /* room for n_items x n_words */
    size_t n, capacity;
} level;

typedef struct search {
    cairn_set_sink *sink;
    const bits_engine *engine;
    level *levels;
    size_t n_levels, levels_capacity;
    uint32_t *prefix;
} search;

static cairn_status level_at(search *s, size_t depth, size_t n, level **out)
{
    cairn_status status = CAIRN_OK;
    if (depth >= s->n_levels) {
        TRY(GROW(s->sink->ctx, &s->levels, &s->levels_capacity, depth + 1));
        while (s->n_levels <= depth) s->levels[s->n_levels++] = (level){0};
    }
    level *l = &s->levels[depth];
    if (l->capacity < n) {
        cairn_free(l->codes);
        cairn_free(l->supports);
        cairn_free(l->bits);
        *l = (level){0};
        TRY(NEW_RAW(s->sink->ctx, &l->codes, n));
        TRY(NEW_RAW(s->sink->ctx, &l->supports, n));
        TRY(NEW_RAW(s->sink->ctx, &l->bits, cairn_product(n, s->engine->n_words)));
        l->capacity = n;
    }
    l->n = 0;
    *out = l;
done:
    return status;
}

/* All sets that begin with the prefix of `depth` codes and go on with an item of its level. */
static cairn_status extend(search *s, size_t depth)
{
    const bits_engine *e = s->engine;
    const cairn_mine_options *o = e->m->options;
    cairn_status status = CAIRN_OK;
    for (size_t i = 0; i < s->levels[depth - 1].n; i++) {
        level *from = &s->levels[depth - 1], *to;
        size_t rest = from->n - i - 1;
        s->prefix[depth] = from->codes[i];
        TRY(cairn_sink_add(s->sink, s->prefix, depth + 1, from->supports[i]));
        if (rest == 0 || (o->most && depth + 1 >= o->most)) continue;
        TRY(level_at(s, depth, rest, &to));
        from = &s->levels[depth - 1];
        for (size_t j = i + 1; j < from->n; j++) {
            uint64_t count =
                cairn_bits_meet(to->bits + to->n * e->n_words, from->bits + i * e->n_words,
                                from->bits + j * e->n_words, e->n_words);
            if (count < o->support) continue;
            to->codes[to->n] = from->codes[j];
            to->supports[to->n++] = count;
        }
        if (to->n) TRY(extend(s, depth + 1));
    }
done:
    return status;
}

/* Sets that begin with one code. */
static cairn_status search_from(search *s, size_t first)
{
    const bits_engine *e = s->engine;
    const cairn_mining *m = e->m;
    level *l;
    cairn_status status;
    s->prefix[0] = (uint32_t)first;
    TRY(cairn_sink_add(s->sink, s->prefix, 1, m->supports[first]));
    if (m->options->most == 1) goto done;
    TRY(level_at(s, 0, m->n_items - first, &l));
    for (size_t j = first + 1; j < m->n_items; j++) {
        uint64_t count = cairn_bits_meet(l->bits + l->n * e->n_words, e->bits + first * e->n_words,
                                         e->bits + j * e->n_words, e->n_words);
        if (count < m->options->support) continue;
        l->codes[l->n] = (uint32_t)j;
        l->supports[l->n++] = count;
    }
    TRY(extend(s, 1));
done:
    return status;
}

static cairn_status mine_piece(cairn_set_sink *sink, const void *engine, size_t first, size_t last)
{
    const bits_engine *e = engine;
    search s = {.sink = sink, .engine = e};
    cairn_status status;
    TRY(NEW(sink->ctx, &s.prefix, e->m->n_items + 1));
    for (size_t i = first; i < last; i++) {
        TRY(cairn_tick(sink->ctx, NULL, 0, 0));
        TRY(search_from(&s, i));
    }
done:
    for (size_t i = 0; i < s.n_levels; i++) {
        cairn_free(s.levels[i].codes);
        cairn_free(s.levels[i].supports);
        cairn_free(s.levels[i].bits);
    }
    cairn_free(s.levels);
    cairn_free(s.prefix);
    return status;
}

cairn_status cairn_mine_bits(cairn_mining *m, cairn_itemsets *out)
{
    size_t n_bits = 0, at = 0;
    uint64_t *bits;
    cairn_status status;
    for (size_t i = 0; i < m->n; i++) n_bits += m->counts ? m->counts[i] : 1;
    bits_engine e = {.m = m, .n_words = (n_bits + 63) / 64};
    TRY(cairn_memory_check(m->ctx, 16.0 * (double)m->n_items * (double)e.n_words,
                           "the transactions of every item as bits",
                           "use --algorithm lists, which takes less"));
    TRY(SCRATCH(m->ctx, &bits, cairn_product(m->n_items, e.n_words)));
    for (size_t i = 0; i < m->n; i++)
        for (uint32_t c = m->counts ? m->counts[i] : 1; c > 0; c--, at++)
            for (size_t j = m->starts[i]; j < m->starts[i + 1]; j++)
                bits[m->codes[j] * e.n_words + at / 64] |= UINT64_C(1) << at % 64;
    e.bits = bits;
    TRY(cairn_mine_side_by_side(m, out, mine_piece, &e));
done:
    return status;
}
