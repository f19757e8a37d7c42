/* SPDX-License-Identifier: MIT */
/* Association rules: body -> head from frequent sets.
 *
 * For a frequent set and every way to part it into a body and a head (not empty), the confidence is
 * supp(body and head) / supp(body). Subsets of frequent sets are frequent, so all supports are
 * known already. The lift compares with what independence of body and head would give, the
 * leverage is the difference in shares, the conviction compares the errors. The p-value is the
 * chance of at least so many common transactions when body and head are independent (Fisher's exact
 * test, one sided). */
#include "items/items.h"

#include "base/order.h"
#include "stats/hypergeometric.h"
#include <math.h>
#include <string.h>

enum { MOST_ITEMS = 24 }; /* of a set that is parted in all ways */

typedef struct finder {
    cairn_context *ctx;
    const cairn_transactions *t;
    const cairn_itemsets *sets;
    const cairn_rule_options *o;
    cairn_set_index index;
    cairn_association *rules;
    size_t n, capacity;
} finder;

static size_t size_of(const cairn_itemsets *s, size_t i)
{
    return i == SIZE_MAX ? 0 : s->starts[i + 1] - s->starts[i];
}

static cairn_association rate(const finder *f, size_t both, size_t body, size_t head)
{
    double n = (double)f->t->total;
    cairn_association r = {.both = both,
                           .body = body,
                           .head = head,
                           .support = f->sets->supports[both],
                           .body_support = body == SIZE_MAX ? f->t->total : f->sets->supports[body],
                           .head_support = f->sets->supports[head]};
    double xy = (double)r.support, x = (double)r.body_support, y = (double)r.head_support;
    r.confidence = xy / x;
    r.lift = n * xy / (x * y);
    r.leverage = xy / n - x / n * (y / n);
    r.conviction = r.confidence < 1 ? (1 - y / n) / (1 - r.confidence) : INFINITY;
    r.p_value = cairn_hypergeometric_upper(r.support, r.body_support, r.head_support, f->t->total);
    return r;
}

static bool wanted(const finder *f, const cairn_association *r)
{
    const cairn_rule_options *o = f->o;
    if (r->confidence < o->confidence - 1e-12) return false;
    if (!isnan(o->lift) && r->lift < o->lift - 1e-12) return false;
    return isnan(o->level) || r->p_value <= o->level;
}

/* The set of the items of `both` whose bit is set (or is not). */
static size_t part_of(const finder *f, size_t both, uint32_t bits, bool set, int32_t *room)
{
    const int32_t *items = f->sets->items + f->sets->starts[both];
    size_t n = 0;
    for (size_t i = 0; i < size_of(f->sets, both); i++)
        if ((bool)(bits >> i & 1) == set) room[n++] = items[i];
    if (n == 0) return SIZE_MAX;
    return cairn_set_find(&f->index, room, n, cairn_set_key(&f->index, room, n));
}

static cairn_status part_set(finder *f, size_t both)
{
    size_t n = size_of(f->sets, both);
    int32_t room[MOST_ITEMS];
    cairn_status status = CAIRN_OK;
    if (n > MOST_ITEMS)
        return cairn_fail(f->ctx, CAIRN_BAD_DATA,
                          "a frequent set has %zu items, which can be parted in more than %d "
                          "million ways; raise --support or limit --max-size",
                          n, 1 << (MOST_ITEMS - 20));
    for (uint32_t heads = 1; heads < (uint32_t)1 << n; heads++) {
        size_t in_head = (size_t)__builtin_popcount(heads);
        if (f->o->most_head && in_head > f->o->most_head) continue;
        if (in_head == n && !f->o->empty_body) continue;
        size_t body = part_of(f, both, heads, false, room);
        size_t head = part_of(f, both, heads, true, room);
        cairn_association r = rate(f, both, body, head);
        if (!wanted(f, &r)) continue;
        TRY(GROW(f->ctx, &f->rules, &f->capacity, f->n + 1));
        f->rules[f->n++] = r;
        if ((f->n & 4095) == 0) TRY(cairn_tick(f->ctx, NULL, 0, 0));
    }
done:
    return status;
}

/* -- order and filters -- */

static bool comes_first(const void *one, const void *other, const void *data)
{
    const cairn_association *a = one, *b = other;
    const cairn_itemsets *sets = data;
    if (a->confidence != b->confidence) return a->confidence > b->confidence;
    if (a->support != b->support) return a->support > b->support;
    size_t size_a = size_of(sets, a->body), size_b = size_of(sets, b->body);
    if (size_a != size_b) return size_a < size_b;
    return a->both != b->both ? a->both < b->both : a->head < b->head;
}

/* Whether a rule with a smaller body and the same head is at least as confident: it is enough to
 * look at bodies with one item less, again and again, since those that are no better go too. */
static bool has_better(const finder *f, const cairn_association *r)
{
    const cairn_itemsets *s = f->sets;
    size_t n = size_of(s, r->body), m = size_of(s, r->head);
    int32_t body[MOST_ITEMS], both[2 * MOST_ITEMS];
    if (n == 0 || n > MOST_ITEMS) return false;
    const int32_t *items = s->items + s->starts[r->body], *head = s->items + s->starts[r->head];
    for (uint32_t bits = 0; bits + 1 < (uint32_t)1 << n; bits++) {
        size_t k = 0, h = 0, b = 0, all = 0;
        for (size_t i = 0; i < n; i++)
            if (bits >> i & 1) body[k++] = items[i];
        while (b < k || h < m)
            both[all++] = h >= m || (b < k && body[b] < head[h]) ? body[b++] : head[h++];
        size_t smaller =
            k ? cairn_set_find(&f->index, body, k, cairn_set_key(&f->index, body, k)) : SIZE_MAX;
        size_t joint = cairn_set_find(&f->index, both, all, cairn_set_key(&f->index, both, all));
        if (joint == SIZE_MAX || (k && smaller == SIZE_MAX)) continue;
        double weight = (double)(k ? s->supports[smaller] : f->t->total);
        if ((double)s->supports[joint] / weight >= r->confidence - 1e-12) return true;
    }
    return false;
}

cairn_status cairn_associations(cairn_context *ctx, cairn_association **out, size_t *n,
                                const cairn_transactions *t, const cairn_itemsets *sets,
                                const cairn_rule_options *options)
{
    finder f = {.ctx = ctx, .t = t, .sets = sets, .o = options};
    size_t kept = 0;
    cairn_status status;
    TRY(cairn_set_index_make(ctx, &f.index, sets, t->n_items));
    for (size_t i = 0; i < sets->n; i++)
        if (size_of(sets, i) > 0) TRY(part_set(&f, i));
    TRY(SCRATCH_RAW(ctx, out, f.n + 1));
    for (size_t i = 0; i < f.n; i++)
        if (!options->only_better || !has_better(&f, &f.rules[i])) (*out)[kept++] = f.rules[i];
    *n = kept;
    TRY(cairn_sort_by(ctx, *out, kept, sizeof **out, comes_first, sets));
done:
    cairn_free(f.rules);
    return status;
}
