/* SPDX-License-Identifier: MIT */
/* Where the engines put the sets that they find.
 *
 * The sets come depth first, so that a set is an earlier one and one code more: a code, a depth and
 * a support say all. At the end they are written out with their items, piece by piece side by
 * side: a set is copied from its prefix, with the new item where it belongs.
 *
 * How many sets there will be is not known before they are found. When there are very many, some
 * random ways down the search tree tell about how many: every set on a way and beside it, divided
 * by the chance of coming there, adds up to their number on average (Knuth 1975). A branch with b
 * branches behind it is taken with a chance like base^b. Base 1 is right for thin trees, base 2 for
 * a tree of all subsets; each is right on average, and a base that does not suit the tree misses
 * its rare large parts, so the largest answer of several bases counts. */
#include "items/items.h"

#include "base/functions.h"
#include "base/number.h"
#include "base/random.h"
#include "parallel/parallel.h"
#include <math.h>
#include <string.h>

/* -- how many there will be -- */

enum { PROBES = 64, LEAST_PROBES = 8, ESTIMATE_FROM = 1 << 20 }; /* per base */

static const double bases[] = {1, 1.2, 1.5, 2};

enum { BASES = sizeof bases / sizeof *bases };

/* Cells that the probes of a base may look at together, and that one of them may. */
static const double most_steps = 3e7, most_probe_steps = 1e8;
/* Nobody lists so many sets: how many more there are is of no interest. */
static const double more_than_enough = 1e100;

typedef struct probing {
    const cairn_mining *m;
    cairn_random random;
    uint32_t *covered; /* transactions of the set */
    size_t n_covered;
    uint64_t *sums;     /* n_items */
    uint32_t *branches; /* n_items: codes that may follow */
    double steps;
} probing;

/* Codes behind `last` that are frequent in the covered transactions. */
static size_t count_branches(probing *p, uint32_t last)
{
    const cairn_mining *m = p->m;
    size_t n = 0;
    memset(p->sums, 0, m->n_items * sizeof *p->sums);
    for (size_t i = 0; i < p->n_covered; i++) {
        size_t row = p->covered[i];
        for (size_t j = m->starts[row]; j < m->starts[row + 1]; j++)
            p->sums[m->codes[j]] += m->counts ? m->counts[row] : 1;
        p->steps += (double)(m->starts[row + 1] - m->starts[row]);
    }
    for (size_t i = last + 1; i < m->n_items; i++)
        if (p->sums[i] >= m->options->support) p->branches[n++] = (uint32_t)i;
    return n;
}

/* One of the n branches, the first of which has the most behind it; *chance is that of it. */
static size_t take_branch(probing *p, size_t n, double base, double *chance)
{
    double part = base == 1 ? 1 / (double)n : (base - 1) / base / (1 - cairn_pow(base, -(double)n));
    double left = cairn_random_uniform(&p->random);
    size_t i = 0;
    for (; i + 1 < n && left >= part; i++) {
        left -= part;
        part /= base;
    }
    *chance = part;
    return i;
}

/* One way down. Where a transaction has very many items it may be very long: then what was met so
 * far is the answer. */
static cairn_status probe(cairn_context *ctx, probing *p, double base, double *out)
{
    const cairn_mining *m = p->m;
    size_t most = m->options->most, n = m->n_items;
    double ways = 1, sum = 0, chance, most_here = p->steps + most_probe_steps;
    p->n_covered = m->n;
    for (size_t i = 0; i < m->n; i++) p->covered[i] = (uint32_t)i;
    for (size_t i = 0; i < n; i++) p->branches[i] = (uint32_t)i;
    for (size_t size = 1; n > 0; size++) {
        sum += ways * (double)n;
        if (size == most || sum > more_than_enough || p->steps > most_here) break;
        CHECK(cairn_tick(ctx, NULL, 0, 0));
        uint32_t code = p->branches[take_branch(p, n, base, &chance)];
        ways /= chance;
        /* Keep the transactions that hold the code. */
        size_t kept = 0;
        for (size_t i = 0; i < p->n_covered; i++) {
            size_t row = p->covered[i], j = m->starts[row];
            while (j < m->starts[row + 1] && m->codes[j] < code) j++;
            if (j < m->starts[row + 1] && m->codes[j] == code) p->covered[kept++] = (uint32_t)row;
            p->steps += (double)(j - m->starts[row]) + 1;
        }
        p->n_covered = kept;
        n = count_branches(p, code);
    }
    *out = sum;
    return CAIRN_OK;
}

cairn_status cairn_mining_estimate(cairn_context *ctx, const cairn_mining *m, double *out)
{
    SCOPED_SCRATCH(ctx);
    probing p = {.m = m};
    CHECK(SCRATCH_RAW(ctx, &p.covered, m->n));
    CHECK(SCRATCH_RAW_EACH(ctx, m->n_items, &p.sums, &p.branches));
    cairn_random_start(&p.random, 20, 26);
    *out = 0;
    for (size_t b = 0; b < BASES && *out < more_than_enough; b++) {
        double sum = 0, one;
        size_t n = 0;
        p.steps = 0;
        for (; n < PROBES && (n < LEAST_PROBES || p.steps < most_steps); n++) {
            CHECK(probe(ctx, &p, bases[b], &one));
            sum += one;
            if (sum > PROBES * more_than_enough) n = PROBES - 1;
        }
        if (sum / (double)n > *out) *out = sum / (double)n;
    }
    return CAIRN_OK;
}

static cairn_status too_many(cairn_context *ctx, const cairn_mining *m, double n)
{
    char size[CAIRN_NUMBER_SIZE], about[CAIRN_NUMBER_SIZE];
    cairn_size_format(size, (double)cairn_memory_available(ctx));
    cairn_number_format(about, fmin(n, more_than_enough), 2);
    return cairn_fail(ctx, CAIRN_NO_MEMORY,
                      "%s %s item sets have a support of at least %llu, more than the memory "
                      "that is left (%s) is good for. Raise {support}, limit {max-size}, or go on "
                      "with {force}",
                      n > more_than_enough ? "more than" : "about", about,
                      (unsigned long long)m->options->support, size);
}

cairn_status cairn_mining_check(cairn_context *ctx, const cairn_mining *m, size_t n,
                                size_t *estimate_at)
{
    enum { BYTES_OF_A_SET = 64 };
    double estimate = 0;
    if (m->options->force) return CAIRN_OK;
    bool full = cairn_memory_in_use(ctx) > m->memory_most;
    if (!full && n < *estimate_at) return CAIRN_OK;
    *estimate_at = SIZE_MAX;
    CHECK(cairn_mining_estimate(ctx, m, &estimate));
    if (estimate * BYTES_OF_A_SET > (double)cairn_memory_available(ctx)) full = true;
    if (full) CHECK(too_many(ctx, m, estimate > (double)n ? estimate : (double)n));
    return CAIRN_OK;
}

/* -- sinks -- */

cairn_set_sink cairn_sink_start(cairn_context *ctx, const cairn_mining *m)
{
    return (cairn_set_sink){.ctx = ctx, .m = m, .estimate_at = ESTIMATE_FROM};
}

void cairn_sink_clear(cairn_set_sink *sink)
{
    cairn_free(sink->found);
    sink->found = NULL;
    sink->n = sink->capacity = 0;
}

static cairn_status make_buffer(cairn_set_sink *sink, size_t n)
{
    CHECK(cairn_mining_check(sink->ctx, sink->m, sink->n, &sink->estimate_at));
    return GROW(sink->ctx, &sink->found, &sink->capacity, n);
}

cairn_status cairn_sink_add(cairn_set_sink *sink, size_t depth, uint32_t code, uint64_t support)
{
    if (sink->n == sink->capacity) {
        cairn_status status = make_buffer(sink, sink->n + 1);
        if (status) return status;
    }
    sink->found[sink->n++] = (cairn_found_set){code, (uint32_t)depth, support};
    return CAIRN_OK;
}

cairn_status cairn_sink_repeat(cairn_set_sink *sink, size_t first)
{
    size_t n = sink->n - first;
    if (sink->n + n > sink->capacity) {
        cairn_status status = make_buffer(sink, sink->n + n);
        if (status) return status;
    }
    const cairn_found_set *from = sink->found + first;
    cairn_found_set *to = sink->found + sink->n;
    for (size_t i = 0; i < n; i++)
        to[i] = (cairn_found_set){from[i].code, from[i].depth - 1, from[i].support};
    sink->n += n;
    return CAIRN_OK;
}

/* -- sets with their items -- */

typedef struct joining {
    const cairn_mining *m;
    cairn_itemsets *out;
    cairn_set_sink *sinks;
    size_t *first_set, *first_cell; /* n + 1: where the sets and items of each sink begin */
} joining;

static void measure(const cairn_set_sink *sink, size_t *cells, size_t *deepest)
{
    *cells = *deepest = 0;
    for (size_t i = 0; i < sink->n; i++) {
        size_t depth = sink->found[i].depth;
        *cells += depth + 1;
        if (depth > *deepest) *deepest = depth;
    }
}

/* Write the items of a sink's sets. */
static cairn_status write_sets(cairn_context *ctx, void *data, size_t s)
{
    const joining *j = data;
    cairn_set_sink *sink = &j->sinks[s];
    size_t cells, deepest, cell = j->first_cell[s], *latest;
    size_t *starts = j->out->starts + j->first_set[s] + 1;
    uint64_t *supports = j->out->supports + j->first_set[s];
    measure(sink, &cells, &deepest);
    CHECK(SCRATCH(ctx, &latest, deepest + 1)); /* by depth: where the items of the last set begin */
    for (size_t i = 0; i < sink->n; i++) {
        cairn_found_set set = sink->found[i];
        size_t n = set.depth, at = 0;
        int32_t x = j->m->item[set.code], *to = j->out->items + cell;
        const int32_t *from = j->out->items + (n ? latest[n - 1] : 0);
        for (; at < n && from[at] < x; at++) to[at] = from[at];
        to[at] = x;
        for (; at < n; at++) to[at + 1] = from[at];
        latest[n] = cell;
        cell += n + 1;
        starts[i] = cell;
        supports[i] = set.support;
    }
    cairn_sink_clear(sink);
    return CAIRN_OK;
}

/* Lists of the tasks are measured before they are joined, which gives each its place and lets the
 * limit of memory refuse in time. */
static cairn_status join_buffer(joining *j, size_t n)
{
    cairn_context *ctx = j->m->ctx;
    cairn_itemsets *out = j->out;
    size_t deepest, sets, cells;
    CHECK(SCRATCH_EACH(ctx, n + 1, &j->first_set, &j->first_cell));
    j->first_set[0] = out->n;
    j->first_cell[0] = out->n ? out->starts[out->n] : 0;
    for (size_t i = 0; i < n; i++) {
        measure(&j->sinks[i], &cells, &deepest);
        j->first_set[i + 1] = j->first_set[i] + j->sinks[i].n;
        j->first_cell[i + 1] = j->first_cell[i] + cells;
    }
    sets = j->first_set[n];
    cells = j->first_cell[n];
    if (!j->m->options->force)
        CHECK(cairn_memory_check(
            ctx, 16.0 * (double)sets + 4.0 * (double)cells, "the list of the frequent item sets",
            cairn_say(ctx, "raise {support}, limit {max-size}, or go on with {force}")));
    CHECK(RESIZE(ctx, &out->starts, sets + 1));
    CHECK(RESIZE(ctx, &out->items, cells + 1));
    CHECK(RESIZE(ctx, &out->supports, sets + 1));
    cairn_expect_dense(out->items);
    out->starts[0] = 0;
    out->n = sets;
    return CAIRN_OK;
}

cairn_status cairn_sinks_join(cairn_mining *m, cairn_itemsets *out, cairn_set_sink *sinks, size_t n)
{
    enum { STEPS_OF_A_CELL = 2 };
    joining j = {.m = m, .out = out, .sinks = sinks};
    CHECK(join_buffer(&j, n));
    return cairn_tasks_sized(m->ctx, n, STEPS_OF_A_CELL * (double)j.first_cell[n], write_sets, &j);
}

/* -- side by side -- */

typedef struct sharing {
    cairn_mining *m;
    cairn_set_sink *sinks;
    cairn_mine_piece function;
    const void *engine;
    size_t n; /* pieces */
} sharing;

/* Pieces are many enough for an even share of the work and few enough for what each begins with.
 * Their number does not depend on the threads. */
enum { MOST_PIECES = 128 };

static size_t piece_begin(const sharing *s, size_t i)
{
    return s->m->n_items * i / s->n;
}

static cairn_status mine_task(cairn_context *ctx, void *data, size_t i)
{
    sharing *s = data;
    s->sinks[i] = cairn_sink_start(ctx, s->m);
    return s->function(&s->sinks[i], s->engine, piece_begin(s, i), piece_begin(s, i + 1));
}

cairn_status cairn_mine_side_by_side(cairn_mining *m, cairn_itemsets *out,
                                     cairn_mine_piece function, const void *engine)
{
    sharing s = {.m = m, .function = function, .engine = engine};
    cairn_status status;
    s.n = m->n_items < MOST_PIECES ? m->n_items : MOST_PIECES;
    TRY(NEW(m->ctx, &s.sinks, s.n));
    TRY(cairn_tasks(m->ctx, s.n, mine_task, &s));
    TRY(cairn_sinks_join(m, out, s.sinks, s.n));
done:
    for (size_t i = 0; s.sinks && i < s.n; i++) cairn_sink_clear(&s.sinks[i]);
    cairn_free(s.sinks);
    return status;
}
