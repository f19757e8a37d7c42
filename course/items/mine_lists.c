/* SPDX-License-Identifier: MIT */
/* Frequent sets of sparse transactions by projection: the transactions that hold an item, each cut
 * down to what stands behind the item, are the data in which the sets that begin with it are
 * looked for. A projection keeps only items that are frequent in it, under new small codes, so that
 * it soon fits into the cache. */
#include "items/items.h"

#include <string.h>

/* Transactions of a projection and its own codes. */
typedef struct projection {
    size_t n, n_items;
    uint32_t *starts;   /* n + 1 */
    uint32_t *codes;    /* ascending, own codes */
    uint32_t *counts;   /* n */
    uint32_t *original; /* n_items: codes of the whole */
    uint64_t *supports; /* n_items */
    /* places of every item: transaction and position behind it */
    uint32_t *first, *where, *after; /* n_items + 1, cells, cells */
    size_t capacity, rows_capacity, items_capacity;
} projection;

typedef struct search {
    cairn_set_sink *sink;
    const cairn_mining *m;
    projection *levels;
    size_t n_levels, levels_capacity;
    uint64_t *sums;    /* n_items: supports while counting */
    uint32_t *renamed; /* n_items */
} search;

static void projection_clear(projection *p)
{
    cairn_free(p->starts);
    cairn_free(p->codes);
    cairn_free(p->counts);
    cairn_free(p->original);
    cairn_free(p->supports);
    cairn_free(p->first);
    cairn_free(p->where);
    cairn_free(p->after);
    *p = (projection){0};
}

/* Room for so many transactions, cells and items. */
static cairn_status reserve(cairn_context *ctx, projection *p, size_t rows, size_t cells,
                            size_t items)
{
    if (rows > p->rows_capacity || !p->starts) { /* starts[0] is there without rows, too */
        p->rows_capacity = rows + rows / 2;
        CHECK(RESIZE(ctx, &p->starts, p->rows_capacity + 1));
        CHECK(RESIZE(ctx, &p->counts, p->rows_capacity));
    }
    if (cells > p->capacity) {
        p->capacity = cells + cells / 2;
        CHECK(RESIZE(ctx, &p->codes, p->capacity));
        CHECK(RESIZE(ctx, &p->where, p->capacity));
        CHECK(RESIZE(ctx, &p->after, p->capacity));
    }
    if (items > p->items_capacity) {
        p->items_capacity = items + items / 2;
        CHECK(RESIZE(ctx, &p->original, p->items_capacity));
        CHECK(RESIZE(ctx, &p->supports, p->items_capacity));
        CHECK(RESIZE(ctx, &p->first, p->items_capacity + 1));
    }
    return CAIRN_OK;
}

/* List the places of every item. */
static void index_places(projection *p)
{
    memset(p->first, 0, (p->n_items + 1) * sizeof *p->first);
    for (size_t j = 0; j < p->starts[p->n]; j++) p->first[p->codes[j] + 1]++;
    for (size_t i = 0; i < p->n_items; i++) p->first[i + 1] += p->first[i];
    for (size_t i = 0; i < p->n; i++)
        for (uint32_t j = p->starts[i]; j < p->starts[i + 1]; j++) {
            uint32_t at = p->first[p->codes[j]]++;
            p->where[at] = (uint32_t)i;
            p->after[at] = j + 1;
        }
    for (size_t i = p->n_items; i > 0; i--) p->first[i] = p->first[i - 1];
    p->first[0] = 0;
}

/* Supports of what stands behind item i; returns the number of cells there. */
static size_t count_behind(search *s, const projection *p, size_t i)
{
    size_t cells = 0;
    for (uint32_t k = p->first[i]; k < p->first[i + 1]; k++) {
        uint32_t row = p->where[k], end = p->starts[row + 1], count = p->counts[row];
        for (uint32_t j = p->after[k]; j < end; j++) s->sums[p->codes[j]] += count;
        cells += end - p->after[k];
    }
    return cells;
}

/* The projection of p on item i into the level `depth`; *n_items is 0 when nothing is frequent. */
static cairn_status project(search *s, size_t depth, size_t i)
{
    projection *p = &s->levels[depth - 1], *to;
    size_t cells = count_behind(s, p, i), n_items = 0, used = 0;
    if (depth >= s->n_levels) {
        CHECK(GROW(s->sink->ctx, &s->levels, &s->levels_capacity, depth + 1));
        while (s->n_levels <= depth) s->levels[s->n_levels++] = (projection){0};
    }
    p = &s->levels[depth - 1];
    to = &s->levels[depth];
    CHECK(reserve(s->sink->ctx, to, p->first[i + 1] - p->first[i], cells, p->n_items - i));
    for (size_t j = i + 1; j < p->n_items; j++) {
        s->renamed[j] = UINT32_MAX;
        if (s->sums[j] >= s->m->options->support) {
            s->renamed[j] = (uint32_t)n_items;
            to->original[n_items] = p->original[j];
            to->supports[n_items++] = s->sums[j];
        }
        s->sums[j] = 0;
    }
    to->n_items = n_items;
    to->n = 0;
    if (n_items == 0) return CAIRN_OK;
    to->starts[0] = 0;
    for (uint32_t k = p->first[i]; k < p->first[i + 1]; k++) {
        uint32_t row = p->where[k], end = p->starts[row + 1];
        size_t begin = used;
        for (uint32_t j = p->after[k]; j < end; j++) {
            uint32_t code = s->renamed[p->codes[j]];
            to->codes[used] = code;
            used += code != UINT32_MAX;
        }
        if (used == begin) continue;
        to->counts[to->n] = p->counts[row];
        to->starts[++to->n] = (uint32_t)used;
    }
    index_places(to);
    return CAIRN_OK;
}

/* All sets of the prefix, which has `depth` codes, and items of the level of that number. */
static cairn_status extend(search *s, size_t depth)
{
    size_t n = s->levels[depth].n_items, most = s->m->options->most;
    for (size_t i = 0; i < n; i++) {
        const projection *p = &s->levels[depth];
        CHECK(cairn_sink_add(s->sink, depth, p->original[i], p->supports[i]));
        if (i + 1 == n || (most && depth + 1 >= most)) continue;
        CHECK(project(s, depth + 1, i));
        if (s->levels[depth + 1].n_items) CHECK(extend(s, depth + 1));
    }
    return CAIRN_OK;
}

/* Sets that begin with one code. The whole is borrowed as level 0 while it is projected to level 1;
 * the search then goes on from level 1. */
static cairn_status search_from(search *s, size_t first)
{
    const cairn_mining *m = s->m;
    CHECK(cairn_sink_add(s->sink, 0, (uint32_t)first, m->supports[first]));
    if (m->options->most == 1 || first + 1 == m->n_items) return CAIRN_OK;
    CHECK(project(s, 1, first));
    if (s->levels[1].n_items) CHECK(extend(s, 1));
    return CAIRN_OK;
}

/* Level 0 is lent by the whole projection and shared by all tasks, so clearing starts at level 1.
 * */
static cairn_status mine_piece(cairn_set_sink *sink, const void *engine, size_t first, size_t last)
{
    const projection *whole = engine;
    const cairn_mining *m = sink->m;
    search s = {.sink = sink, .m = m};
    cairn_status status;
    TRY(NEW(sink->ctx, &s.sums, m->n_items));
    TRY(NEW(sink->ctx, &s.renamed, m->n_items));
    TRY(GROW(sink->ctx, &s.levels, &s.levels_capacity, 8));
    s.levels[s.n_levels++] = *whole;
    for (size_t i = first; i < last; i++) {
        TRY(cairn_tick(sink->ctx, NULL, 0, 0));
        TRY(search_from(&s, i));
    }
done:
    for (size_t i = 1; i < s.n_levels; i++) projection_clear(&s.levels[i]);
    cairn_free(s.levels);
    cairn_free(s.sums);
    cairn_free(s.renamed);
    return status;
}

cairn_status cairn_mine_lists(cairn_mining *m, cairn_itemsets *out)
{
    SCOPED(projection_clear) projection whole = {0};
    size_t cells = m->starts[m->n];
    if (cells > UINT32_MAX / 2)
        return cairn_fail(m->ctx, CAIRN_BAD_DATA,
                          "%zu items in all transactions are more than can be looked at", cells);
    CHECK(reserve(m->ctx, &whole, m->n, cells, m->n_items));
    whole.n = m->n;
    whole.n_items = m->n_items;
    for (size_t i = 0; i <= m->n; i++) whole.starts[i] = (uint32_t)m->starts[i];
    for (size_t i = 0; i < m->n; i++) whole.counts[i] = m->counts ? m->counts[i] : 1;
    if (cells) memcpy(whole.codes, m->codes, cells * sizeof *whole.codes);
    for (size_t i = 0; i < m->n_items; i++) whole.original[i] = (uint32_t)i;
    if (m->n_items) memcpy(whole.supports, m->supports, m->n_items * sizeof *whole.supports);
    if (m->n_items) index_places(&whole);
    CHECK(cairn_mine_side_by_side(m, out, mine_piece, &whole));
    cairn_show_lists(m, out);
    return CAIRN_OK;
}
