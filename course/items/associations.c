/* SPDX-License-Identifier: MIT */
/* Association rules: body -> head from frequent sets.
 *
 * For a frequent set and every way to part it into a body and a head (not empty), the confidence is
 * supp(body and head) / supp(body). Subsets of frequent sets are frequent, so all supports are
 * known already. The lift compares with what independence of body and head would give, the
 * leverage is the difference in shares, the conviction compares the errors. The p-value is the
 * chance of at least so many common transactions when body and head are independent (Fisher's exact
 * test, one sided).
 *
 * A larger head leaves a smaller body, which is at least as frequent: where a head is not confident
 * enough, no larger one is looked at.
 *
 * A set of k items can be parted in 2^k ways. When that may be too many rules, some ways are drawn
 * at random: the share of them that gives a rule tells how many rules to expect. */
#include "items/items.h"

#include "base/number.h"
#include "base/random.h"
#include "parallel/parallel.h"
#include "parallel/sort.h"
#include "stats/hypergeometric.h"
#include <math.h>
#include <string.h>

enum { MOST_ITEMS = 24, MOST_PIECES = 256 }; /* items of a set that is parted in all ways */

/* The rules of some of the sets. */
typedef struct rule_list {
    cairn_association *rules;
    size_t n, capacity;
} rule_list;

typedef struct finder {
    const cairn_transactions *t;
    const cairn_itemsets *sets;
    const cairn_rule_options *o;
    cairn_set_index index;
    rule_list *pieces;
    size_t n_pieces;
} finder;

/* What one task works with. */
typedef struct parting {
    cairn_context *ctx;
    const finder *f;
    rule_list *out;
    uint8_t *confident; /* by the bits of a head of the set: whether it was confident enough */
    size_t capacity;
} parting;

static size_t size_of(const cairn_itemsets *s, size_t i)
{
    return i == SIZE_MAX ? 0 : s->starts[i + 1] - s->starts[i];
}

static uint64_t support_of(const finder *f, size_t set)
{
    return set == SIZE_MAX ? f->t->total : f->sets->supports[set];
}

static bool is_confident(const cairn_rule_options *o, uint64_t support, uint64_t body_support)
{
    return (double)support / (double)body_support >= o->confidence - 1e-12;
}

/* Supports are whole numbers, so that ratios are rounded once; a rule without exception has
 * infinite conviction, or none when its head is always there. */
static cairn_association rate(const finder *f, size_t both, size_t body, size_t head)
{
    double n = (double)f->t->total;
    cairn_association r = {.both = both,
                           .body = body,
                           .head = head,
                           .support = f->sets->supports[both],
                           .body_support = support_of(f, body),
                           .head_support = f->sets->supports[head]};
    double xy = (double)r.support, x = (double)r.body_support, y = (double)r.head_support;
    r.confidence = xy / x;
    r.lift = n * xy / (x * y);
    r.leverage = xy / n - x / n * (y / n);
    if (r.support < r.body_support)
        r.conviction = (1 - y / n) / (1 - r.confidence);
    else
        r.conviction = y < n ? INFINITY : NAN; /* nothing could contradict it */
    return r;
}

/* The filters, the costly one last. */
static bool is_wanted(const finder *f, cairn_association *r)
{
    typedef unsigned __int128 wide;
    const cairn_rule_options *o = f->o;
    if (o->above_chance &&
        (wide)r->support * f->t->total <= (wide)r->body_support * r->head_support)
        return false;
    if (!isnan(o->lift) && r->lift < o->lift - 1e-12) return false;
    r->p_value =
        cairn_hypergeometric_upper(r->support, r->body_support, r->head_support, f->t->total);
    return isnan(o->level) || r->p_value <= o->level;
}

/* The set of the items of `both` whose bit is set. */
static size_t part_of(const finder *f, size_t both, uint32_t bits)
{
    const int32_t *items = f->sets->items + f->sets->starts[both];
    int32_t part[MOST_ITEMS];
    size_t n = 0;
    for (; bits; bits &= bits - 1) part[n++] = items[__builtin_ctz(bits)];
    if (n == 0) return SIZE_MAX;
    return cairn_set_find(&f->index, part, n, cairn_set_key(&f->index, part, n));
}

/* Whether the heads with one item less were confident, the single items excepted. */
static bool may_be_confident(const parting *p, uint32_t head)
{
    if (!(head & (head - 1))) return true;
    for (uint32_t left = head; left; left &= left - 1) {
        uint32_t smaller = head & ~(left & -left);
        if (!p->confident[smaller]) return false;
    }
    return true;
}

/* -- how many there will be -- */

/* Whether this way to part a set gives a rule, but for the filter of better ones. */
static bool gives_rule(const finder *f, size_t both, uint32_t heads)
{
    uint32_t all = ((uint32_t)1 << size_of(f->sets, both)) - 1;
    if (!heads || (heads == all && !f->o->empty_body)) return false;
    if (f->o->most_head && (size_t)__builtin_popcount(heads) > f->o->most_head) return false;
    size_t body = part_of(f, both, all & ~heads);
    if (!is_confident(f->o, f->sets->supports[both], support_of(f, body))) return false;
    cairn_association r = rate(f, both, body, part_of(f, both, heads));
    return is_wanted(f, &r);
}

/* Share of the ways to part the sets that give a rule; `ways` are those of the sets up to each. */
static double share_of_rules(const finder *f, const double *ways)
{
    enum { DRAWN = 8192 };
    cairn_random random;
    size_t hits = 0;
    cairn_random_start(&random, 20, 27);
    for (size_t i = 0; i < DRAWN; i++) {
        double at = cairn_random_uniform(&random) * ways[f->sets->n - 1];
        size_t low = 0, high = f->sets->n - 1;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (ways[middle] > at)
                high = middle;
            else
                low = middle + 1;
        }
        size_t n = size_of(f->sets, low);
        if (n <= MOST_ITEMS)
            hits += gives_rule(f, low, (uint32_t)cairn_random_below(&random, (uint64_t)1 << n));
    }
    return (double)hits / DRAWN;
}

/* Few want millions of rules: what does not fit into memory is refused, and what takes minutes
 * to find and write. */
static cairn_status check_number(cairn_context *ctx, const finder *f)
{
    const double bytes = 2.5 * sizeof(cairn_association); /* found, and in order */
    double available = (double)cairn_memory_available(ctx), *ways, sum = 0;
    double most = fmin(CAIRN_MANY_RULES, available / bytes);
    char about[CAIRN_NUMBER_SIZE], size[CAIRN_NUMBER_SIZE], left[CAIRN_NUMBER_SIZE];
    if (f->o->force || f->sets->n == 0) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &ways, f->sets->n));
    for (size_t i = 0; i < f->sets->n; i++) ways[i] = sum += ldexp(1, (int)size_of(f->sets, i));
    if (sum <= most) return CAIRN_OK;
    double rules = sum * share_of_rules(f, ways);
    if (rules <= most) return CAIRN_OK;
    cairn_number_format(about, rules, 2);
    cairn_size_format(size, rules * bytes);
    cairn_size_format(left, available);
    return cairn_fail(
        ctx, CAIRN_NO_MEMORY,
        "the %zu frequent sets give about %s rules%s, for which %s of memory are needed "
        "(%s are left) and much time. Raise {support} or {confidence}, limit {max-size} "
        "or {max-head}, or go on with {force}",
        f->sets->n, about, f->o->only_better ? " before the better ones are chosen" : "", size,
        left);
}

/* -- rules -- */

/* Heads are tried from small to large as bit sets: a head can only be confident if all smaller ones
 * within it are, which saves most of the 2^n. */
static cairn_status part_set(parting *p, size_t both)
{
    const finder *f = p->f;
    const cairn_rule_options *o = f->o;
    size_t n = size_of(f->sets, both);
    if (n > MOST_ITEMS)
        return cairn_fail(p->ctx, CAIRN_BAD_DATA,
                          "a frequent set has %zu items, which can be split in more than %d "
                          "million ways; raise {support} or limit {max-size}",
                          n, 1 << (MOST_ITEMS - 20));
    uint32_t all = ((uint32_t)1 << n) - 1;
    CHECK(GROW(p->ctx, &p->confident, &p->capacity, (size_t)all + 1));
    for (uint32_t heads = 1; heads <= all; heads++) {
        p->confident[heads] = 0;
        if ((heads & 0xfffff) == 0) CHECK(cairn_tick(p->ctx, NULL, 0, 0));
        if (o->most_head && (size_t)__builtin_popcount(heads) > o->most_head) continue;
        if (!may_be_confident(p, heads)) continue;
        size_t body = part_of(f, both, all & ~heads);
        if (!is_confident(o, f->sets->supports[both], support_of(f, body))) continue;
        p->confident[heads] = 1;
        if (heads == all && !o->empty_body) continue;
        cairn_association r = rate(f, both, body, part_of(f, both, heads));
        if (!is_wanted(f, &r)) continue;
        CHECK(GROW(p->ctx, &p->out->rules, &p->out->capacity, p->out->n + 1));
        p->out->rules[p->out->n++] = r;
    }
    return CAIRN_OK;
}

/* Whether a rule with a smaller body and the same head is at least as confident. */
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
        if ((double)s->supports[joint] / (double)support_of(f, smaller) >= r->confidence - 1e-12)
            return true;
    }
    return false;
}

/* A task takes a run of the sets, so the rules come in the order of the sets; where asked for,
 * rules go that are no better than one with a smaller body. */
static cairn_status find_task(cairn_context *ctx, void *data, size_t i)
{
    finder *f = data;
    parting p = {.ctx = ctx, .f = f, .out = &f->pieces[i]};
    size_t kept = 0;
    cairn_status status = CAIRN_OK;
    for (size_t s = f->sets->n * i / f->n_pieces; s < f->sets->n * (i + 1) / f->n_pieces; s++) {
        if ((s & 255) == 0) TRY(cairn_tick(ctx, NULL, 0, 0));
        if (size_of(f->sets, s) > 0) TRY(part_set(&p, s));
    }
    for (size_t r = 0; f->o->only_better && r < p.out->n; r++) {
        if ((r & 255) == 0) TRY(cairn_tick(ctx, NULL, 0, 0));
        if (!has_better(f, &p.out->rules[r])) p.out->rules[kept++] = p.out->rules[r];
    }
    if (f->o->only_better) p.out->n = kept;
done:
    cairn_free(p.confident);
    return status;
}

/* -- order -- */

/* Rules in the order of falling confidence, then support, then of smaller bodies, then as the sets
 * come: stable sorts by what counts least first. */
static cairn_status order_rules(cairn_context *ctx, const cairn_itemsets *sets,
                                const cairn_association *rules, size_t n, uint64_t *order)
{
    uint64_t *keys;
    CHECK(SCRATCH_RAW(ctx, &keys, n + 1));
    for (size_t i = 0; i < n; i++) {
        order[i] = i;
        keys[i] = (uint64_t)rules[i].both << 32 | rules[i].head;
    }
    CHECK(cairn_sort_keys(ctx, keys, order, n));
    for (size_t i = 0; i < n; i++) {
        const cairn_association *r = &rules[order[i]];
        keys[i] = ~r->support << 8 | size_of(sets, r->body);
    }
    CHECK(cairn_sort_keys(ctx, keys, order, n));
    for (size_t i = 0; i < n; i++) keys[i] = ~cairn_order_key(rules[order[i]].confidence);
    return cairn_sort_keys(ctx, keys, order, n);
}

/* The rules of all pieces, in order. */
static cairn_status join_rules(cairn_context *ctx, finder *f, cairn_association **out, size_t *n)
{
    cairn_association *rules;
    uint64_t *order;
    size_t all = 0;
    for (size_t i = 0; i < f->n_pieces; i++) all += f->pieces[i].n;
    CHECK(SCRATCH_RAW(ctx, out, all + 1));
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    CHECK(SCRATCH_RAW_EACH(ctx, all + 1, &rules, &order));
    *n = all;
    all = 0;
    for (size_t i = 0; i < f->n_pieces; i++) {
        rule_list *piece = &f->pieces[i];
        if (piece->n) memcpy(rules + all, piece->rules, piece->n * sizeof *rules);
        all += piece->n;
        cairn_free(piece->rules);
        *piece = (rule_list){0};
    }
    CHECK(order_rules(ctx, f->sets, rules, all, order));
    for (size_t i = 0; i < all; i++) (*out)[i] = rules[order[i]];
    cairn_scratch_release(ctx, mark);
    return CAIRN_OK;
}

cairn_status cairn_associations(cairn_context *ctx, cairn_association **out, size_t *n,
                                const cairn_transactions *t, const cairn_itemsets *sets,
                                const cairn_rule_options *options)
{
    finder f = {.t = t, .sets = sets, .o = options, .n_pieces = MOST_PIECES};
    cairn_status status;
    if (f.n_pieces > sets->n) f.n_pieces = sets->n;
    TRY(NEW(ctx, &f.pieces, f.n_pieces));
    TRY(cairn_set_index_make(ctx, &f.index, sets, t->n_items));
    TRY(check_number(ctx, &f));
    TRY(cairn_tasks_sized(ctx, f.n_pieces, 1000 * (double)sets->n, find_task, &f));
    TRY(join_rules(ctx, &f, out, n));
done:
    for (size_t i = 0; f.pieces && i < f.n_pieces; i++) cairn_free(f.pieces[i].rules);
    cairn_free(f.pieces);
    return status;
}
