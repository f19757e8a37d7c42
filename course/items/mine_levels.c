/* SPDX-License-Identifier: MIT */
/* Level by level, as it is done on the board.
 *
 *     apriori   sets of k + 1 items are joined from two frequent sets of k items that differ in the
 *               last one; a candidate with an infrequent subset is dropped before it is counted
 *     breadth   a queue that begins with the empty set; each set is extended by every later item
 *               and counted; a set that cannot be extended is maximal
 *
 * Both count by the transactions of the sets, as lists. What is found is brought into the order of
 * the other engines at the end. */
#include "items/items.h"

#include "base/sort_by.h"
#include "report/table_rows.h"
#include <string.h>

enum { SHOWN_SETS = 40 };
#define NOT_COUNTED UINT64_MAX

/* The frequent sets of one size: codes, transactions, supports. */
typedef struct layer {
    size_t n, size;
    uint32_t *codes; /* n x size */
    uint32_t *where; /* transactions of all sets */
    size_t *starts;  /* n + 1 */
    uint64_t *supports;
    size_t n_tried, n_pruned; /* candidates that were counted, and dropped before */
    size_t codes_capacity, where_capacity, starts_capacity, supports_capacity;
    uint32_t *lost; /* steps of apriori: the first of the n_lost candidates that are not frequent */
    uint64_t lost_supports[SHOWN_SETS];
    size_t n_lost, lost_capacity;
} layer;

static void layer_clear(layer *l)
{
    FREE_EACH(l->codes, l->where, l->starts, l->supports, l->lost);
    *l = (layer){0};
}

static cairn_status layer_add(cairn_context *ctx, layer *l, const uint32_t *codes, size_t n_where,
                              uint64_t support)
{
    CHECK(GROW(ctx, &l->codes, &l->codes_capacity, (l->n + 1) * l->size));
    CHECK(GROW(ctx, &l->starts, &l->starts_capacity, l->n + 2));
    CHECK(GROW(ctx, &l->supports, &l->supports_capacity, l->n + 1));
    if (l->n == 0) l->starts[0] = 0;
    memcpy(l->codes + l->n * l->size, codes, l->size * sizeof *codes);
    l->supports[l->n] = support;
    l->starts[l->n + 1] = l->starts[l->n] + n_where;
    l->n++;
    return CAIRN_OK;
}

/* Single items and their transactions. */
static cairn_status first_layer(const cairn_mining *m, layer *out)
{
    size_t *at;
    out->size = 1;
    out->n_tried = m->t->n_items;
    CHECK(SCRATCH(m->ctx, &at, m->n_items + 1));
    for (size_t j = 0; j < m->starts[m->n]; j++) at[m->codes[j]]++;
    for (size_t i = 0; i < m->n_items; i++) {
        uint32_t code = (uint32_t)i;
        CHECK(layer_add(m->ctx, out, &code, at[i], m->supports[i]));
    }
    CHECK(GROW(m->ctx, &out->where, &out->where_capacity, m->starts[m->n] + 1));
    for (size_t i = 0; i < m->n_items; i++) at[i] = out->starts[i];
    for (size_t i = 0; i < m->n; i++)
        for (size_t j = m->starts[i]; j < m->starts[i + 1]; j++)
            out->where[at[m->codes[j]]++] = (uint32_t)i;
    return CAIRN_OK;
}

static const uint32_t *codes_of(const layer *l, size_t i)
{
    return l->codes + i * l->size;
}

/* Where the set is in the layer, whose sets are in the order of their codes; SIZE_MAX = nowhere. */
static size_t find_set(const layer *l, const uint32_t *codes)
{
    size_t low = 0, high = l->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const uint32_t *at = codes_of(l, middle);
        size_t i = 0;
        while (i < l->size && at[i] == codes[i]) i++;
        if (i == l->size) return middle;
        if (at[i] < codes[i])
            low = middle + 1;
        else
            high = middle;
    }
    return SIZE_MAX;
}

typedef struct levels {
    cairn_mining *m;
    cairn_set_sink sink;
    bool apriori;
    uint32_t *set, *smaller;
} levels;

/* Whether all subsets with one item less are frequent; those that it was joined from are. */
static bool subsets_are_frequent(levels *w, const layer *from, const uint32_t *set)
{
    for (size_t leave = 0; leave + 2 < from->size + 1; leave++) {
        size_t n = 0;
        for (size_t i = 0; i <= from->size; i++)
            if (i != leave) w->smaller[n++] = set[i];
        if (find_set(from, w->smaller) == SIZE_MAX) return false;
    }
    return true;
}

/* Transactions of both, behind those of the layer; returns how many and their weight. */
static cairn_status meet(const cairn_mining *m, layer *to, const uint32_t *a, size_t n_a,
                         const uint32_t *b, size_t n_b, size_t *n, uint64_t *support)
{
    size_t begin = to->n ? to->starts[to->n] : 0, i = 0, j = 0;
    *n = 0;
    *support = 0;
    CHECK(GROW(m->ctx, &to->where, &to->where_capacity, begin + (n_a < n_b ? n_a : n_b) + 1));
    while (i < n_a && j < n_b) {
        if (a[i] == b[j]) {
            to->where[begin + (*n)++] = a[i];
            *support += m->counts ? m->counts[a[i]] : 1;
            i++, j++;
        } else if (a[i] < b[j]) {
            i++;
        } else {
            j++;
        }
    }
    return CAIRN_OK;
}

/* Remember a candidate that is not frequent, for the steps. */
static cairn_status keep_lost(const levels *w, layer *to, uint64_t support)
{
    size_t size = to->size;
    if (!w->m->options->steps || !w->apriori || to->n_lost++ >= SHOWN_SETS) return CAIRN_OK;
    CHECK(GROW(w->m->ctx, &to->lost, &to->lost_capacity, to->n_lost * size));
    memcpy(to->lost + (to->n_lost - 1) * size, w->set, size * sizeof *w->set);
    to->lost_supports[to->n_lost - 1] = support;
    return CAIRN_OK;
}

/* Extend set i of the layer by the last item of set j, or by item j. */
static cairn_status try_candidate(levels *w, const layer *from, const layer *items, size_t i,
                                  uint32_t code, layer *to)
{
    const uint32_t *other = items->where + items->starts[code];
    size_t n;
    uint64_t support;
    memcpy(w->set, codes_of(from, i), from->size * sizeof *w->set);
    w->set[from->size] = code;
    if (w->apriori && !subsets_are_frequent(w, from, w->set)) {
        to->n_pruned++;
        CHECK(keep_lost(w, to, NOT_COUNTED));
        return CAIRN_OK;
    }
    to->n_tried++;
    if ((to->n_tried & 4095) == 0) {
        CHECK(cairn_tick(w->m->ctx, NULL, 0, 0));
        CHECK(cairn_mining_check(w->m->ctx, w->m, to->n, &w->sink.estimate_at));
    }
    CHECK(meet(w->m, to, from->where + from->starts[i], from->starts[i + 1] - from->starts[i],
               other, items->starts[code + 1] - items->starts[code], &n, &support));
    if (support >= w->m->options->support)
        CHECK(layer_add(w->m->ctx, to, w->set, n, support));
    else
        CHECK(keep_lost(w, to, support));
    return CAIRN_OK;
}

static bool same_beginning(const layer *l, size_t i, size_t j)
{
    return memcmp(codes_of(l, i), codes_of(l, j), (l->size - 1) * sizeof *l->codes) == 0;
}

/* Apriori joins two sets that differ in the last item, which come next to each other in order; the
 * plain way tries every later item, for comparison. */
static cairn_status next_layer(levels *w, const layer *from, const layer *items, layer *to)
{
    to->size = from->size + 1;
    for (size_t i = 0; i < from->n; i++) {
        uint32_t last = codes_of(from, i)[from->size - 1];
        if ((i & 255) == 0) {
            CHECK(cairn_tick(w->m->ctx, NULL, 0, 0));
            CHECK(cairn_mining_check(w->m->ctx, w->m, to->n, &w->sink.estimate_at));
        }
        if (w->apriori) {
            for (size_t j = i + 1; j < from->n && same_beginning(from, i, j); j++)
                CHECK(try_candidate(w, from, items, i, codes_of(from, j)[from->size - 1], to));
        } else {
            for (uint32_t code = last + 1; code < w->m->n_items; code++)
                CHECK(try_candidate(w, from, items, i, code, to));
        }
    }
    return CAIRN_OK;
}

static void add_set(const levels *w, const uint32_t *codes, size_t n, cairn_text *text)
{
    text->length = 0;
    cairn_text_add_char(text, '{');
    for (size_t j = 0; j < n; j++)
        cairn_text_addf(text, "%s%s", j ? ", " : "",
                        cairn_map_key(&w->m->t->names, (size_t)w->m->item[codes[j]]));
    cairn_text_add_char(text, '}');
}

/* Candidates that came to nothing. */
static void show_lost(const levels *w, const layer *l, cairn_text *text)
{
    cairn_report *out = w->m->options->steps;
    if (l->n_lost == 0) return;
    cairn_report_table_of(out, "Candidates that are not frequent", SHOWN_SETS, "ll", "set",
                          "support");
    for (size_t i = 0; i < l->n_lost; i++) {
        if (i < SHOWN_SETS) add_set(w, l->lost + i * l->size, l->size, text);
        cairn_report_cell(out, cairn_text_string(text));
        if (i < SHOWN_SETS && l->lost_supports[i] != NOT_COUNTED)
            cairn_report_cell_number(out, (double)l->lost_supports[i], 0, NULL);
        else
            cairn_report_cell(out, "not counted: a smaller set in it is not frequent");
    }
}

/* Marks of the sets that a frequent set of the next layer holds; SCRATCH. */
static cairn_status mark_held(levels *w, const layer *l, const layer *next, uint8_t **out)
{
    CHECK(SCRATCH(w->m->ctx, out, l->n + 1));
    for (size_t i = 0; i < next->n; i++) {
        const uint32_t *set = codes_of(next, i);
        for (size_t leave = 0; leave < next->size; leave++) {
            size_t n = 0;
            for (size_t j = 0; j < next->size; j++)
                if (j != leave) w->smaller[n++] = set[j];
            size_t at = find_set(l, w->smaller);
            if (at != SIZE_MAX) (*out)[at] = 1;
        }
    }
    return CAIRN_OK;
}

/* A layer; with the one that was made from it also what became of its sets. */
static cairn_status show_layer(levels *w, const layer *l, const layer *next)
{
    cairn_report *out = w->m->options->steps;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(w->m->ctx);
    uint8_t *held = NULL;
    if (!out) return CAIRN_OK;
    if (next) CHECK(mark_held(w, l, next, &held));
    cairn_report_step_begin(out, "Sets of %zu item%s", l->size, l->size == 1 ? "" : "s");
    cairn_report_value(out, "candidates counted", (double)l->n_tried, "level%zu.counted", l->size);
    if (w->apriori && l->size > 1)
        cairn_report_value(out, "dropped for an infrequent subset", (double)l->n_pruned,
                           "level%zu.dropped", l->size);
    cairn_report_value(out, "frequent", (double)l->n, "level%zu.frequent", l->size);
    cairn_report_table_of(out, NULL, SHOWN_SETS, "lr", "set", "support");
    if (next) cairn_report_column(out, "goes on with", 'l');
    if (next) cairn_report_column(out, "is", 'l');
    for (size_t i = 0; i < l->n && cairn_report_row_wanted(out); i++) {
        add_set(w, codes_of(l, i), l->size, &text);
        cairn_report_cells(out, NULL, cairn_text_string(&text), (double)l->supports[i]);
        if (!next) continue;
        /* What the queue gets when set i is taken from it: items that go on with it. */
        text.length = 0;
        for (size_t k = 0; k < next->n; k++) {
            const uint32_t *set = codes_of(next, k);
            if (memcmp(set, codes_of(l, i), l->size * sizeof *set) != 0) continue;
            cairn_text_addf(&text, "%s%s", text.length ? ", " : "",
                            cairn_map_key(&w->m->t->names, (size_t)w->m->item[set[l->size]]));
        }
        if (!text.length) cairn_text_add(&text, "-");
        cairn_report_cells(out, NULL, cairn_text_string(&text), held[i] ? "" : "maximal");
    }
    show_lost(w, l, &text);
    cairn_report_step_end(out);
    cairn_report_failed(out, cairn_text_status(&text));
    return CAIRN_OK;
}

/* Breadth first begins with the empty set, alone in the queue. */
static void show_empty(const levels *w, const layer *first)
{
    cairn_report *out = w->m->options->steps;
    if (!out || w->apriori) return;
    cairn_report_step_begin(out, "The queue begins with the empty set");
    cairn_report_paragraph(out,
                           "Sets are taken from the queue in turn. Each is extended by every item "
                           "behind its last one, in the order of rising support, so that every "
                           "set is met once; extensions that are frequent go to the end of the "
                           "queue. A set is maximal when no frequent set has one item more.");
    cairn_report_value(out, "its support", (double)w->m->t->total, "level0.support");
    cairn_report_value(out, "items counted", (double)first->n_tried, "level0.extensions");
    if (!first->n) cairn_report_paragraph(out, "No item is frequent: the empty set is maximal.");
    cairn_report_step_end(out);
}

/* -- order of the other engines: depth first -- */

typedef struct place {
    size_t layer, set;
} place;

/* Whether set a comes before b in a depth-first walk: a prefix first, else the smaller code. */
static bool walks_before(const void *one, const void *other, const void *data)
{
    const place *a = one, *b = other;
    const layer *layers = data, *la = &layers[a->layer], *lb = &layers[b->layer];
    const uint32_t *ca = codes_of(la, a->set), *cb = codes_of(lb, b->set);
    size_t n = la->size < lb->size ? la->size : lb->size;
    for (size_t i = 0; i < n; i++)
        if (ca[i] != cb[i]) return ca[i] < cb[i];
    return la->size < lb->size;
}

static cairn_status gather(levels *w, const layer *layers, size_t n_layers)
{
    place *places;
    size_t n = 0, at = 0;
    w->sink.estimate_at = SIZE_MAX; /* it is known how many there are */
    for (size_t k = 0; k < n_layers; k++) n += layers[k].n;
    CHECK(SCRATCH_RAW(w->m->ctx, &places, n));
    for (size_t k = 0; k < n_layers; k++)
        for (size_t i = 0; i < layers[k].n; i++) places[at++] = (place){k, i};
    CHECK(cairn_sort_by(w->m->ctx, places, n, sizeof *places, walks_before, layers));
    for (size_t i = 0; i < n; i++) {
        const layer *l = &layers[places[i].layer];
        CHECK(cairn_sink_add(&w->sink, l->size - 1, codes_of(l, places[i].set)[l->size - 1],
                             l->supports[places[i].set]));
    }
    return CAIRN_OK;
}

cairn_status cairn_mine_levels(cairn_mining *m, cairn_itemsets *out)
{
    levels w = {
        .m = m, .sink = cairn_sink_start(m->ctx, m), .apriori = out->miner == CAIRN_MINE_APRIORI};
    layer *layers = NULL;
    size_t n = 0, capacity = 0;
    cairn_status status;
    TRY(SCRATCH_EACH(m->ctx, m->n_items + 1, &w.set, &w.smaller));
    TRY(GROW(m->ctx, &layers, &capacity, 1));
    layers[n++] = (layer){0};
    TRY(first_layer(m, &layers[0]));
    show_empty(&w, &layers[0]);
    while (layers[n - 1].n > 0 && (!m->options->most || layers[n - 1].size < m->options->most)) {
        TRY(GROW(m->ctx, &layers, &capacity, n + 1));
        layers[n++] = (layer){0};
        TRY(next_layer(&w, &layers[n - 2], &layers[0], &layers[n - 1]));
        if (n > 2) { /* its transactions are not needed any more */
            cairn_free(layers[n - 2].where);
            layers[n - 2].where = NULL;
        }
        TRY(show_layer(&w, &layers[n - 2], w.apriori ? NULL : &layers[n - 1]));
    }
    if (layers[n - 1].n || n == 1 || layers[n - 1].n_tried + layers[n - 1].n_pruned)
        TRY(show_layer(&w, &layers[n - 1], NULL));
    TRY(gather(&w, layers, n));
    TRY(cairn_sinks_join(m, out, &w.sink, 1));
done:
    cairn_sink_clear(&w.sink);
    for (size_t i = 0; i < n; i++) layer_clear(&layers[i]);
    cairn_free(layers);
    return status;
}
