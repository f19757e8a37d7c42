/* SPDX-License-Identifier: MIT */
/* Nearest bags: the inner products of a query with all points are added up item by item, from lists
 * of the points that have the item, so that what two rows do not share costs nothing. Products are
 * added in the order of the items, as they are for a single pair. */
#include "base/memory.h"
#include "learners/neighbours/search.h"
#include "parallel/parallel.h"
#include <string.h>

enum { QUERIES = 8 };

cairn_status cairn_postings_make(cairn_context *ctx, cairn_postings *out,
                                 const cairn_points *points)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_postings_clear) cairn_postings p = {0};
    size_t *next, n_cells = points->begins[points->n];
    CHECK(NEW(ctx, &p.begins, points->n_items + 1));
    CHECK(NEW_RAW_EACH(ctx, n_cells, &p.rows, &p.amounts));
    CHECK(SCRATCH(ctx, &next, points->n_items));
    for (size_t at = 0; at < n_cells; at++) p.begins[points->items[at] + 1]++;
    for (size_t item = 0; item < points->n_items; item++) {
        p.begins[item + 1] += p.begins[item];
        next[item] = p.begins[item];
    }
    for (size_t i = 0; i < points->n; i++)
        for (size_t at = points->begins[i]; at < points->begins[i + 1]; at++) {
            size_t place = next[points->items[at]]++;
            p.rows[place] = (uint32_t)i;
            p.amounts[place] = points->amounts[at];
        }
    *out = p;
    memset(&p, 0, sizeof p);
    return CAIRN_OK;
}

void cairn_postings_clear(cairn_postings *postings)
{
    cairn_free(postings->begins);
    cairn_free(postings->rows);
    cairn_free(postings->amounts);
    *postings = (cairn_postings){0};
}

typedef struct items_run {
    const cairn_search_run *run;
    double *products; /* per worker: n */
} items_run;

/* Points that share no item keep product 0 and yet are offered, since some distances of such
 * pairs are finite. */
static void search_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block;
    const items_run *r = data;
    const cairn_neighbour_search *s = r->run->search;
    const cairn_points *queries = r->run->queries, *points = s->points;
    const cairn_metric *metric = s->metric;
    double *products = r->products + (size_t)worker * points->n;
    for (size_t q = begin; q < end; q++) {
        cairn_best best = cairn_search_best(r->run, q);
        memset(products, 0, points->n * sizeof *products);
        for (size_t at = queries->begins[q]; at < queries->begins[q + 1]; at++) {
            size_t item = (size_t)queries->items[at];
            double amount = queries->amounts[at];
            for (size_t i = s->postings.begins[item]; i < s->postings.begins[item + 1]; i++)
                products[s->postings.rows[i]] += amount * s->postings.amounts[i];
        }
        for (size_t j = 0; j < points->n; j++) {
            if (r->run->own && j == q) continue;
            double order = metric->distance->of_product(metric, products[j], queries->squares[q],
                                                        points->squares[j]);
            if (cairn_best_wants(&best, order, (uint32_t)j))
                cairn_best_add(&best, order, (uint32_t)j);
        }
        r->run->out->found[q] = (uint32_t)best.n;
    }
}

cairn_status cairn_search_by_items(cairn_context *ctx, const cairn_search_run *run)
{
    items_run r = {.run = run};
    size_t n = run->search->points->n;
    double work = (double)run->queries->n * (double)n * 4;
    CHECK(SCRATCH_RAW(ctx, &r.products, cairn_product((size_t)cairn_workers(ctx), n)));
    return cairn_blocks_sized(ctx, run->queries->n, QUERIES, work, search_block, &r);
}
