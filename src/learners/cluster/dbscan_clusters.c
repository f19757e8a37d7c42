/* SPDX-License-Identifier: MIT */
/* Core points, the sets that they make, and who stands at their borders.
 *
 * The visits of the textbook (one point after the other, with a queue) give a result that can be
 * said without them, and is found on all threads that way:
 * 1. A row is a core point when enough weight lies within eps of it.
 * 2. Core points within eps of each other are in one cluster; clusters are numbered by their first
 *    core point.
 * 3. Any other row within eps of core points goes to the cluster of the lowest number among theirs:
 *    the one that a visit in the order of rows would reach first. The rest is noise.
 *
 * Cost: two searches for every core point and one or two for the others; memory grows with n. */
#include "base/memory.h"
#include "learners/cluster/dbscan.h"
#include "parallel/joined.h"
#include "parallel/parallel.h"
#include "parallel/sort.h"

bool cairn_dbscan_is_core(const cairn_dbscan_wish *wish, double weight)
{
    return wish->rule == CAIRN_DBSCAN_USUAL ? weight >= wish->min_points * (1 - 1e-12)
                                            : weight > wish->min_points * (1 + 1e-12);
}

const char *cairn_dbscan_kind_name(cairn_dbscan_kind kind)
{
    return kind == CAIRN_DBSCAN_CORE ? "core" : kind == CAIRN_DBSCAN_BORDER ? "border" : "noise";
}

void cairn_dbscan_clusters_clear(cairn_dbscan_clusters *clusters)
{
    cairn_free(clusters->counts);
    cairn_free(clusters->core);
    cairn_free(clusters->clusters);
    *clusters = (cairn_dbscan_clusters){0};
}

cairn_status cairn_dbscan_number(cairn_context *ctx, uint32_t *firsts, size_t n, size_t *n_clusters)
{
    SCOPED_SCRATCH(ctx);
    uint64_t *keys, *sets;
    size_t found = 0;
    for (size_t i = 0; i < n; i++) found += firsts[i] != UINT32_MAX;
    CHECK(SCRATCH_RAW(ctx, &keys, found + 1));
    CHECK(SCRATCH_RAW(ctx, &sets, found + 1));
    found = 0;
    for (size_t i = 0; i < n; i++)
        if (firsts[i] != UINT32_MAX) keys[found] = firsts[i], sets[found++] = i;
    CHECK(cairn_sort_keys(ctx, keys, sets, found));
    for (size_t c = 0; c < found; c++) firsts[sets[c]] = (uint32_t)c;
    *n_clusters = found;
    return CAIRN_OK;
}

/* -- by searching -- */

typedef struct searching {
    const cairn_density *density;
    cairn_dbscan_clusters *out;
    double *counts;
    uint32_t *sets; /* n */
} searching;

static void count_other(void *data, size_t query, uint32_t row, double order, int worker)
{
    (void)order, (void)worker;
    const searching *s = data;
    if (row != query) s->counts[query] += cairn_density_weight(s->density, row);
}

static void join_cores(void *data, size_t query, uint32_t row, double order, int worker)
{
    (void)order, (void)worker;
    const searching *s = data;
    if (row < query && s->out->core[row]) cairn_joined_join(s->sets, (uint32_t)query, row);
}

static void reach_border(void *data, size_t query, uint32_t row, double order, int worker)
{
    (void)order, (void)worker;
    const searching *s = data;
    if (!s->out->core[row]) return; /* its cluster is being found by another worker */
    int32_t *mine = s->out->clusters + query, theirs = s->out->clusters[row];
    if (*mine < 0 || theirs < *mine) *mine = theirs;
}

/* Rows that are core points, or those that are not. */
static size_t select_rows(const cairn_dbscan_clusters *c, bool core, uint32_t *out)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n; i++)
        if (c->core[i] == core) out[n++] = (uint32_t)i;
    return n;
}

/* Core points have the cluster of their set; the sets are known by their first rows already. */
static cairn_status number_sets(cairn_context *ctx, searching *s, const uint32_t *cores, size_t n)
{
    SCOPED_SCRATCH(ctx);
    uint32_t *firsts;
    CHECK(SCRATCH_RAW(ctx, &firsts, s->out->n + 1));
    for (size_t i = 0; i < s->out->n; i++) firsts[i] = UINT32_MAX;
    for (size_t i = 0; i < n; i++) {
        uint32_t root = cairn_joined_find(s->sets, cores[i]);
        firsts[root] = root;
    }
    CHECK(cairn_dbscan_number(ctx, firsts, s->out->n, &s->out->n_clusters));
    for (size_t i = 0; i < n; i++)
        s->out->clusters[cores[i]] = (int32_t)firsts[cairn_joined_find(s->sets, cores[i])];
    return CAIRN_OK;
}

/* Three searches: who is a core point, who hangs together, and whom the others are near to. */
static cairn_status by_search(cairn_context *ctx, cairn_dbscan_clusters *out,
                              cairn_density *density, const cairn_dbscan_wish *wish)
{
    SCOPED_SCRATCH(ctx);
    searching s = {.density = density, .out = out, .counts = out->counts};
    uint32_t *rows;
    CHECK(cairn_density_search(ctx, density));
    if (!s.counts) CHECK(SCRATCH_RAW(ctx, &s.counts, out->n));
    CHECK(SCRATCH_RAW(ctx, &s.sets, out->n));
    CHECK(SCRATCH_RAW(ctx, &rows, out->n));
    for (size_t i = 0; i < out->n; i++) s.counts[i] = cairn_density_weight(density, i);
    CHECK(cairn_density_within(ctx, density, NULL, out->n, out->reach, count_other, &s));
    for (size_t i = 0; i < out->n; i++) out->core[i] = cairn_dbscan_is_core(wish, s.counts[i]);
    cairn_joined_start(s.sets, out->n);
    size_t n = select_rows(out, true, rows);
    CHECK(cairn_density_within(ctx, density, rows, n, out->reach, join_cores, &s));
    CHECK(number_sets(ctx, &s, rows, n));
    n = select_rows(out, false, rows);
    return cairn_density_within(ctx, density, rows, n, out->reach, reach_border, &s);
}

/* -- both -- */

static void count_kinds(cairn_dbscan_clusters *c)
{
    for (size_t i = 0; i < c->n; i++) {
        c->n_core += c->core[i];
        c->n_border += !c->core[i] && c->clusters[i] >= 0;
    }
    c->n_noise = c->n - c->n_core - c->n_border;
}

cairn_status cairn_dbscan_run(cairn_context *ctx, cairn_dbscan_clusters *out,
                              cairn_density *density, const cairn_dbscan_wish *wish)
{
    SCOPED(cairn_dbscan_clusters_clear) cairn_dbscan_clusters c = {.n = density->n};
    bool done = false;
    c.reach = cairn_density_reach(density, wish->eps, wish->rule == CAIRN_DBSCAN_SEED);
    if (wish->counts) CHECK(NEW_RAW(ctx, &c.counts, c.n));
    CHECK(NEW(ctx, &c.core, c.n));
    CHECK(NEW_RAW(ctx, &c.clusters, c.n));
    for (size_t i = 0; i < c.n; i++) c.clusters[i] = -1;
    if (!wish->counts) CHECK(cairn_dbscan_by_grid(ctx, &c, density, wish, &done));
    if (!done) CHECK(by_search(ctx, &c, density, wish));
    count_kinds(&c);
    *out = c;
    c = (cairn_dbscan_clusters){0};
    return CAIRN_OK;
}
