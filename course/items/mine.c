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
#include "base/random.h"
#include "base/sort_by.h"
#include "items/items.h"
#include "kernels/kernels.h"
#include "report/table_rows.h"
#include <string.h>

/* Eclat: every item is the list of its transactions, here one bit per transaction; the support of
 * a set is the number of bits that all its items share. Depth first: the bits of a set are those of
 * its prefix and of its last item, and only items that were frequent with the prefix are tried.
 * Transactions that stand several times in the data are repeated bits.
 *
 * An item that all transactions of the prefix hold changes nothing: the sets with it have the
 * supports of the sets without it. They are found once and written twice. */

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
    FREE_EACH(l->followers, l->bits, l->repeats);
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
        CHECK(NEW_RAW_EACH(s->sink->ctx, n, &l->followers, &l->repeats));
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

/* A transaction that counts several times has as many bits: a support is a count of bits. */
static cairn_status cairn_mine_bits(cairn_mining *m, cairn_itemsets *out)
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

/* Frequent sets of sparse transactions by projection: the transactions that hold an item, each cut
 * down to what stands behind the item, are the data in which the sets that begin with it are
 * looked for. A projection keeps only items that are frequent in it, under new small codes, so that
 * it soon fits into the cache. */

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

typedef struct lists_search {
    cairn_set_sink *sink;
    const cairn_mining *m;
    projection *levels;
    size_t n_levels, levels_capacity;
    uint64_t *sums;    /* n_items: supports while counting */
    uint32_t *renamed; /* n_items */
} lists_search;

static void projection_clear(projection *p)
{
    FREE_EACH(p->starts, p->codes, p->counts, p->original, p->supports, p->first, p->where,
              p->after);
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
static size_t count_behind(lists_search *s, const projection *p, size_t i)
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
static cairn_status project(lists_search *s, size_t depth, size_t i)
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
static cairn_status lists_extend(lists_search *s, size_t depth)
{
    size_t n = s->levels[depth].n_items, most = s->m->options->most;
    for (size_t i = 0; i < n; i++) {
        const projection *p = &s->levels[depth];
        CHECK(cairn_sink_add(s->sink, depth, p->original[i], p->supports[i]));
        if (i + 1 == n || (most && depth + 1 >= most)) continue;
        CHECK(project(s, depth + 1, i));
        if (s->levels[depth + 1].n_items) CHECK(lists_extend(s, depth + 1));
    }
    return CAIRN_OK;
}

/* Sets that begin with one code. The whole is borrowed as level 0 while it is projected to level 1;
 * the search then goes on from level 1. */
static cairn_status lists_search_from(lists_search *s, size_t first)
{
    const cairn_mining *m = s->m;
    CHECK(cairn_sink_add(s->sink, 0, (uint32_t)first, m->supports[first]));
    if (m->options->most == 1 || first + 1 == m->n_items) return CAIRN_OK;
    CHECK(project(s, 1, first));
    if (s->levels[1].n_items) CHECK(lists_extend(s, 1));
    return CAIRN_OK;
}

/* Level 0 is lent by the whole projection and shared by all tasks, so clearing starts at level 1.
 * */
static cairn_status lists_mine_piece(cairn_set_sink *sink, const void *engine, size_t first,
                                     size_t last)
{
    const projection *whole = engine;
    const cairn_mining *m = sink->m;
    lists_search s = {.sink = sink, .m = m};
    cairn_status status;
    TRY(NEW_EACH(sink->ctx, m->n_items, &s.sums, &s.renamed));
    TRY(GROW(sink->ctx, &s.levels, &s.levels_capacity, 8));
    s.levels[s.n_levels++] = *whole;
    for (size_t i = first; i < last; i++) {
        TRY(cairn_tick(sink->ctx, NULL, 0, 0));
        TRY(lists_search_from(&s, i));
    }
done:
    for (size_t i = 1; i < s.n_levels; i++) projection_clear(&s.levels[i]);
    FREE_EACH(s.levels, s.sums, s.renamed);
    return status;
}

/* Places are kept in 32 bits, so that too many items in all are refused. */
static cairn_status cairn_mine_lists(cairn_mining *m, cairn_itemsets *out)
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
    CHECK(cairn_mine_side_by_side(m, out, lists_mine_piece, &whole));
    cairn_show_lists(m, out);
    return CAIRN_OK;
}

/* FP-growth: the transactions as a tree whose paths begin with the most frequent item, so that
 * transactions share their beginnings and a node counts how many go through it. The sets that begin
 * with an item (in the order of the search: the least frequent first) are found in the tree of the
 * paths above its nodes, and so on. */

typedef struct fp_node {
    uint32_t code;                 /* own code of the tree */
    uint32_t parent;               /* 0 = the root, which is node 0 */
    uint32_t child, sibling, same; /* next node of the same item; 0 = none */
    uint64_t count;
} fp_node;

typedef struct fp_tree {
    fp_node *nodes;
    size_t n, capacity;
    size_t n_items;
    uint32_t *heads;    /* n_items: first node of each item */
    uint32_t *original; /* n_items */
    uint64_t *supports; /* n_items */
} fp_tree;

typedef struct fp_search {
    cairn_set_sink *sink;
    const cairn_mining *m;
    uint64_t *sums;
    uint32_t *renamed, *path;
} fp_search;

static void fp_clear(fp_tree *t)
{
    FREE_EACH(t->nodes, t->heads, t->original, t->supports);
    *t = (fp_tree){0};
}

static cairn_status fp_start(cairn_context *ctx, fp_tree *t, size_t n_items)
{
    t->n_items = n_items;
    CHECK(NEW_EACH(ctx, n_items, &t->heads, &t->original, &t->supports));
    CHECK(GROW(ctx, &t->nodes, &t->capacity, 16));
    t->nodes[0] = (fp_node){.code = UINT32_MAX};
    t->n = 1;
    return CAIRN_OK;
}

/* Put a path into the tree: codes descending, which is the most frequent item first. */
static cairn_status fp_insert(cairn_context *ctx, fp_tree *t, const uint32_t *codes, size_t n,
                              uint64_t count)
{
    uint32_t at = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t next = t->nodes[at].child;
        while (next && t->nodes[next].code != codes[i]) next = t->nodes[next].sibling;
        if (!next) {
            CHECK(GROW(ctx, &t->nodes, &t->capacity, t->n + 1));
            next = (uint32_t)t->n++;
            t->nodes[next] = (fp_node){.code = codes[i],
                                       .parent = at,
                                       .sibling = t->nodes[at].child,
                                       .same = t->heads[codes[i]]};
            t->nodes[at].child = next;
            t->heads[codes[i]] = next;
        }
        t->nodes[next].count += count;
        at = next;
    }
    return CAIRN_OK;
}

/* The tree of the paths above the nodes of item i; n_items is 0 when nothing is frequent there. */
static cairn_status fp_condition(fp_search *s, fp_tree *to, const fp_tree *from, uint32_t i)
{
    size_t n_items = 0;
    for (uint32_t node = from->heads[i]; node; node = from->nodes[node].same)
        for (uint32_t up = from->nodes[node].parent; up; up = from->nodes[up].parent)
            s->sums[from->nodes[up].code] += from->nodes[node].count;
    for (size_t j = i + 1; j < from->n_items; j++) {
        s->renamed[j] = UINT32_MAX;
        if (s->sums[j] >= s->m->options->support) s->renamed[j] = (uint32_t)n_items++;
    }
    if (n_items) CHECK(fp_start(s->sink->ctx, to, n_items));
    for (size_t j = i + 1; j < from->n_items; j++) {
        if (s->renamed[j] != UINT32_MAX) {
            to->original[s->renamed[j]] = from->original[j];
            to->supports[s->renamed[j]] = s->sums[j];
        }
        s->sums[j] = 0;
    }
    for (uint32_t node = from->heads[i]; n_items && node; node = from->nodes[node].same) {
        size_t n = 0; /* upwards the codes rise; the tree wants them falling */
        for (uint32_t up = from->nodes[node].parent; up; up = from->nodes[up].parent)
            if (s->renamed[from->nodes[up].code] != UINT32_MAX)
                s->path[n++] = s->renamed[from->nodes[up].code];
        for (size_t a = 0; a < n / 2; a++) {
            uint32_t kept = s->path[a];
            s->path[a] = s->path[n - 1 - a];
            s->path[n - 1 - a] = kept;
        }
        CHECK(fp_insert(s->sink->ctx, to, s->path, n, from->nodes[node].count));
    }
    return CAIRN_OK;
}

static cairn_status fp_extend(fp_search *s, const fp_tree *tree, size_t depth)
{
    const cairn_mine_options *o = s->m->options;
    SCOPED(fp_clear) fp_tree next = {0};
    for (size_t i = 0; i < tree->n_items; i++) {
        CHECK(cairn_sink_add(s->sink, depth, tree->original[i], tree->supports[i]));
        if (o->most && depth + 1 >= o->most) continue;
        CHECK(fp_condition(s, &next, tree, (uint32_t)i));
        if (next.n_items) CHECK(fp_extend(s, &next, depth + 1));
        fp_clear(&next);
    }
    return CAIRN_OK;
}

/* All sets of which an item is the rarest one are found from its conditional tree alone, so ranges
 * of items are searched independently. */
static cairn_status fp_mine_piece(cairn_set_sink *sink, const void *engine, size_t first,
                                  size_t last)
{
    const fp_tree *whole = engine;
    const cairn_mining *m = sink->m;
    fp_search s = {.sink = sink, .m = m};
    fp_tree next = {0};
    cairn_status status;
    TRY(NEW_EACH(sink->ctx, m->n_items, &s.sums, &s.renamed, &s.path));
    for (size_t i = first; i < last; i++) {
        TRY(cairn_tick(sink->ctx, NULL, 0, 0));
        TRY(cairn_sink_add(sink, 0, (uint32_t)i, m->supports[i]));
        if (m->options->most == 1) continue;
        TRY(fp_condition(&s, &next, whole, (uint32_t)i));
        if (next.n_items) TRY(fp_extend(&s, &next, 1));
        fp_clear(&next);
    }
done:
    fp_clear(&next);
    FREE_EACH(s.sums, s.renamed, s.path);
    return status;
}

enum { SHOWN_NODES = 200, SHOWN_CONDITIONS = 20, SHOWN_PATHS = 20 };

static const char *item_name(const cairn_mining *m, const fp_tree *t, uint32_t code)
{
    return cairn_map_key(&m->t->names, (size_t)m->item[t->original[code]]);
}

/* The tree as it would be drawn: children in the order they came. No larger one comes here. */
static void show_node(const cairn_mining *m, const fp_tree *t, uint32_t node, size_t depth,
                      cairn_text *text)
{
    uint32_t children[SHOWN_NODES];
    size_t n = 0;
    if (node) {
        cairn_text_add_repeat(text, ' ', 3 * (depth - 1));
        cairn_text_addf(text, "%s: %llu\n", item_name(m, t, t->nodes[node].code),
                        (unsigned long long)t->nodes[node].count);
    }
    for (uint32_t c = t->nodes[node].child; c; c = t->nodes[c].sibling) children[n++] = c;
    while (n > 0) show_node(m, t, children[--n], depth + 1, text);
}

/* The paths above the nodes of item i, most frequent item first, with their counts. */
static void show_paths(fp_search *s, cairn_report *out, const fp_tree *t, uint32_t i)
{
    cairn_report_table_of(out, "The paths above it", SHOWN_PATHS, "lr", "path", "count");
    for (uint32_t node = t->heads[i]; node; node = t->nodes[node].same) {
        SCOPED(cairn_text_clear) cairn_text path = cairn_text_start(s->m->ctx);
        size_t n = 0;
        for (uint32_t up = t->nodes[node].parent; up; up = t->nodes[up].parent)
            s->path[n++] = t->nodes[up].code;
        if (!n) cairn_text_add(&path, "none");
        while (n-- > 0)
            cairn_text_addf(&path, "%s%s", item_name(s->m, t, s->path[n]), n ? ", " : "");
        cairn_report_cells(out, NULL, cairn_text_string(&path), (double)t->nodes[node].count);
        cairn_report_failed(out, cairn_text_status(&path));
    }
}

/* The conditional tree of each item of a tree, and of the items of those, until `left` is used up.
 * `ending` is what the sets of this tree end with. */
static cairn_status show_conditions(fp_search *s, const fp_tree *tree, const char *ending,
                                    size_t *left)
{
    cairn_report *out = s->m->options->steps;
    for (uint32_t i = 0; i < tree->n_items && *left; i++, --*left) {
        SCOPED(fp_clear) fp_tree next = {0};
        SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(s->m->ctx);
        SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(s->m->ctx);
        cairn_text_addf(&name, "%s%s%s", item_name(s->m, tree, i), *ending ? ", " : "", ending);
        CHECK(cairn_text_status(&name));
        CHECK(fp_condition(s, &next, tree, i));
        cairn_report_step_begin(out, "The conditional tree of %s", cairn_text_string(&name));
        cairn_report_value(out, "support", (double)tree->supports[i], "fp.%s",
                           cairn_report_key(out, cairn_text_string(&name)));
        show_paths(s, out, tree, i);
        if (next.n_items && next.n <= SHOWN_NODES) {
            show_node(s->m, &next, 0, 0, &text);
            CHECK(cairn_text_status(&text));
            cairn_report_verbatim(out, cairn_text_string(&text));
        } else {
            cairn_report_paragraph(out, next.n_items ? "The tree is too large to be shown."
                                                     : "No item of these paths is frequent.");
        }
        cairn_report_step_end(out);
        if (next.n_items && (!s->m->options->most || s->m->options->most > 2))
            CHECK(show_conditions(s, &next, cairn_text_string(&name), left));
        if (!*left) break;
    }
    return CAIRN_OK;
}

/* The same from the whole tree. */
static cairn_status show_all_conditions(const cairn_mining *m, const fp_tree *whole)
{
    cairn_set_sink sink = {.ctx = m->ctx, .m = m};
    fp_search s = {.sink = &sink, .m = m};
    size_t left = SHOWN_CONDITIONS;
    if (!m->options->steps || m->options->most == 1) return CAIRN_OK;
    CHECK(SCRATCH_EACH(m->ctx, m->n_items, &s.sums, &s.renamed, &s.path));
    CHECK(show_conditions(&s, whole, "", &left));
    if (!left)
        cairn_report_note(m->options->steps, "The first %d conditional trees are shown.",
                          SHOWN_CONDITIONS);
    return CAIRN_OK;
}

/* Trees are drawn only while they can be read; the number of nodes is always told. */
static void show_tree(const cairn_mining *m, const fp_tree *t)
{
    cairn_report *out = m->options->steps;
    cairn_text text = cairn_text_start(m->ctx);
    if (!out) return;
    cairn_report_step_begin(out, "The FP tree");
    cairn_report_paragraph(out, "Items of a transaction are put in from the most frequent to the "
                                "least; a node counts the transactions that pass it.");
    cairn_report_value(out, "nodes", (double)(t->n - 1), "fp.nodes");
    if (t->n <= SHOWN_NODES) {
        show_node(m, t, 0, 0, &text);
        cairn_report_verbatim(out, cairn_text_string(&text));
    } else {
        cairn_report_note(out, "A tree of more than %d nodes is not shown.", SHOWN_NODES);
    }
    cairn_report_step_end(out);
    cairn_report_failed(out, cairn_text_status(&text));
    cairn_text_clear(&text);
}

/* Codes rise with support: a path is put in backwards, from the most frequent item on, so that
 * transactions share its beginning. */
static cairn_status cairn_mine_fp(cairn_mining *m, cairn_itemsets *out)
{
    SCOPED(fp_clear) fp_tree whole = {0};
    uint32_t *path;
    CHECK(SCRATCH(m->ctx, &path, m->n_items + 1));
    CHECK(fp_start(m->ctx, &whole, m->n_items));
    for (size_t i = 0; i < m->n_items; i++) {
        whole.original[i] = (uint32_t)i;
        whole.supports[i] = m->supports[i];
    }
    for (size_t i = 0; i < m->n; i++) {
        size_t n = m->starts[i + 1] - m->starts[i];
        for (size_t j = 0; j < n; j++) path[j] = m->codes[m->starts[i + 1] - 1 - j];
        CHECK(fp_insert(m->ctx, &whole, path, n, m->counts ? m->counts[i] : 1));
    }
    show_tree(m, &whole);
    CHECK(show_all_conditions(m, &whole));
    return cairn_mine_side_by_side(m, out, fp_mine_piece, &whole);
}

const char *cairn_miner_name(cairn_miner miner)
{
    static const char *const names[] = {"auto",  "apriori",   "breadth",
                                        "eclat", "fp-growth", "lists"};
    return names[miner];
}

void cairn_itemsets_clear(cairn_itemsets *sets)
{
    FREE_EACH(sets->starts, sets->items, sets->supports, sets->marks);
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
    /* Frequent items get codes by rising support, others none: rare items first keep searches
     * short and trees small. */
    counted *found;
    uint64_t *supports;
    CHECK(SCRATCH_EACH(m->ctx, t->n_items, &supports, &found, &code_of));
    for (size_t i = 0; i < t->n; i++) {
        uint32_t count = t->counts ? t->counts[i] : 1;
        for (size_t j = t->starts[i]; j < t->starts[i + 1]; j++) supports[t->items[j]] += count;
    }
    for (size_t i = 0; i < t->n_items; i++) {
        (code_of)[i] = UINT32_MAX;
        if (supports[i] >= m->options->support)
            found[m->n_items++] = (counted){supports[i], (int32_t)i};
    }
    CHECK(cairn_sort_by(m->ctx, found, m->n_items, sizeof *found, comes_first, NULL));
    CHECK(SCRATCH_EACH(m->ctx, m->n_items, &m->item, &m->supports));
    for (size_t i = 0; i < m->n_items; i++) {
        m->item[i] = found[i].item;
        m->supports[i] = found[i].support;
        (code_of)[found[i].item] = (uint32_t)i;
    }
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
    CHECK(NEW_EACH(m->ctx, 1, &out->items, &out->supports));
    out->supports[0] = m->t->total;
    out->n = 1;
    return CAIRN_OK;
}

cairn_status cairn_mine(cairn_context *ctx, cairn_itemsets *out, const cairn_transactions *t,
                        const cairn_mine_options *options)
{
    SCOPED_SCRATCH(ctx);
    cairn_mining m = {.ctx = ctx, .t = t, .options = options};
    *out = (cairn_itemsets){0};
    /* A quarter of the memory that is left is for finding sets; listing them takes about as much
     * again for every four items of a set. */
    m.memory_most = cairn_memory_in_use(ctx) + cairn_memory_available(ctx) / 4;
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
