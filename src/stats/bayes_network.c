/* SPDX-License-Identifier: MIT */
/* Bayesian networks: making them, and what their graphs say. */
#include "stats/bayes_network.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

void cairn_network_clear(cairn_network *net)
{
    cairn_free(net->n_values);
    cairn_free(net->starts);
    cairn_free(net->parents);
    cairn_free(net->cells);
    cairn_free(net->p);
    *net = (cairn_network){0};
}

/* -- making -- */

static int compare_arcs(const void *a, const void *b)
{
    const cairn_arc *x = a, *y = b;
    if (x->to != y->to) return x->to < y->to ? -1 : 1;
    return (x->from > y->from) - (x->from < y->from);
}

/* Arcs sorted by their ends become lists of parents; equal neighbours count once. */
static cairn_status set_parents(cairn_context *ctx, cairn_network *net, const cairn_arc *arcs,
                                size_t n_arcs)
{
    cairn_arc *sorted;
    size_t kept = 0;
    CHECK(SCRATCH_RAW(ctx, &sorted, n_arcs + 1));
    if (n_arcs) memcpy(sorted, arcs, n_arcs * sizeof *arcs);
    qsort(sorted, n_arcs, sizeof *sorted, compare_arcs);
    CHECK(NEW(ctx, &net->starts, net->n + 1));
    CHECK(NEW(ctx, &net->parents, n_arcs));
    for (size_t i = 0; i < n_arcs; i++) {
        if (i && !compare_arcs(&sorted[i], &sorted[i - 1])) continue;
        net->parents[kept++] = sorted[i].from;
        net->starts[sorted[i].to + 1]++;
    }
    for (size_t v = 0; v < net->n; v++) net->starts[v + 1] += net->starts[v];
    return CAIRN_OK;
}

/* Where the tables begin; `large` gets the first variable whose table is too large, else -1. */
static cairn_status set_cells(cairn_context *ctx, cairn_network *net, ptrdiff_t *large)
{
    *large = -1;
    CHECK(NEW(ctx, &net->cells, net->n + 1));
    for (size_t v = 0; v < net->n && *large < 0; v++) {
        double size = net->n_values[v];
        for (int32_t k = net->starts[v]; k < net->starts[v + 1]; k++)
            size *= net->n_values[net->parents[k]];
        if ((double)net->cells[v] + size > CAIRN_MOST_CELLS)
            *large = (ptrdiff_t)v;
        else
            net->cells[v + 1] = net->cells[v] + (int64_t)size;
    }
    return CAIRN_OK;
}

/* Take away again and again a variable whose parents are all gone, the lowest number first; what
 * remains when there is none lies on circles or behind them. */
static cairn_status sort_parents_first(cairn_context *ctx, size_t **out, size_t *n_sorted,
                                       bool **taken, const cairn_network *net)
{
    CHECK(SCRATCH(ctx, out, net->n + 1));
    CHECK(SCRATCH(ctx, taken, net->n + 1));
    *n_sorted = 0;
    for (bool moved = true; moved;) {
        moved = false;
        for (size_t v = 0; v < net->n; v++) {
            if ((*taken)[v]) continue;
            size_t waiting = 0;
            for (int32_t k = net->starts[v]; k < net->starts[v + 1]; k++)
                waiting += !(*taken)[net->parents[k]];
            if (waiting) continue;
            (*taken)[v] = moved = true;
            (*out)[(*n_sorted)++] = v;
        }
    }
    return CAIRN_OK;
}

/* "a -> b -> c -> a": from a variable that is left, parents that are left lead into the circle, and
 * the way back through it is written in the direction of the arcs. */
static cairn_status fail_circle(cairn_context *ctx, const cairn_network *net, const bool *taken,
                                const cairn_network_names *names)
{
    SCOPED(cairn_text_clear) cairn_text way = cairn_text_start(ctx);
    size_t *path, n = 0, v = 0, first = 0;
    bool *met;
    CHECK(SCRATCH(ctx, &path, net->n + 1));
    CHECK(SCRATCH(ctx, &met, net->n + 1));
    while (taken[v]) v++;
    while (!met[v]) {
        met[v] = true;
        path[n++] = v;
        int32_t k = net->starts[v];
        while (taken[net->parents[k]]) k++;
        v = (size_t)net->parents[k];
    }
    while (path[first] != v) first++;
    cairn_text_add(&way, names->variables[v]);
    for (size_t i = n; i-- > first;) cairn_text_addf(&way, " -> %s", names->variables[path[i]]);
    CHECK(cairn_text_status(&way));
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "the arcs go round in a circle: %s; a Bayesian network has none, so take one "
                      "of these arcs away or turn it round",
                      cairn_text_string(&way));
}

static cairn_status check_ends(cairn_context *ctx, size_t n, const cairn_arc *arcs, size_t n_arcs,
                               const cairn_network_names *names)
{
    for (size_t i = 0; i < n_arcs; i++) {
        if (arcs[i].from < 0 || arcs[i].to < 0 || (size_t)arcs[i].from >= n ||
            (size_t)arcs[i].to >= n)
            return cairn_fail(ctx, CAIRN_INTERNAL, "an arc leads to no variable");
        if (arcs[i].from == arcs[i].to)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "'%s' has an arc to itself; a variable cannot be its own parent",
                              names->variables[arcs[i].from]);
    }
    return CAIRN_OK;
}

cairn_status cairn_network_make(cairn_context *ctx, cairn_network *out, size_t n,
                                const int32_t *n_values, const cairn_arc *arcs, size_t n_arcs,
                                const cairn_network_names *names)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_network_clear) cairn_network net = {.n = n};
    size_t *order, n_sorted;
    bool *taken;
    ptrdiff_t large;
    CHECK(check_ends(ctx, n, arcs, n_arcs, names));
    CHECK(NEW(ctx, &net.n_values, n));
    if (n) memcpy(net.n_values, n_values, n * sizeof *n_values);
    CHECK(set_parents(ctx, &net, arcs, n_arcs));
    CHECK(sort_parents_first(ctx, &order, &n_sorted, &taken, &net));
    if (n_sorted < n) return fail_circle(ctx, &net, taken, names);
    CHECK(set_cells(ctx, &net, &large));
    if (large >= 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the table of '%s' and its %zu parents is too large (more than %d "
                          "numbers in all); give it fewer parents, or these fewer values",
                          names->variables[large], cairn_network_n_parents(&net, (size_t)large),
                          CAIRN_MOST_CELLS);
    CHECK(NEW(ctx, &net.p, (size_t)net.cells[n]));
    *out = net;
    net = (cairn_network){0};
    return CAIRN_OK;
}

/* Whether the lists of parents are lists of variables, ascending. */
static bool has_lists(const cairn_network *net)
{
    if (net->starts[0] != 0) return false;
    for (size_t v = 0; v < net->n; v++) /* all of them before a list is looked at */
        if (net->starts[v + 1] < net->starts[v] || net->n_values[v] < 1) return false;
    for (size_t v = 0; v < net->n; v++) {
        for (int32_t k = net->starts[v]; k < net->starts[v + 1]; k++) {
            if (net->parents[k] < 0 || (size_t)net->parents[k] >= net->n) return false;
            if (k > net->starts[v] && net->parents[k] <= net->parents[k - 1]) return false;
        }
    }
    return true;
}

cairn_status cairn_network_restore(cairn_context *ctx, cairn_network *net, bool *sound)
{
    SCOPED_SCRATCH(ctx);
    size_t *order, n_sorted;
    bool *taken;
    ptrdiff_t large;
    *sound = has_lists(net);
    if (!*sound) return CAIRN_OK;
    CHECK(sort_parents_first(ctx, &order, &n_sorted, &taken, net));
    CHECK(set_cells(ctx, net, &large));
    *sound = n_sorted == net->n && large < 0;
    return CAIRN_OK;
}

/* -- tables -- */

int64_t cairn_network_row(const cairn_network *net, size_t v, const int32_t *values)
{
    int64_t row = 0;
    for (int32_t k = net->starts[v]; k < net->starts[v + 1]; k++) {
        int32_t parent = net->parents[k];
        if (values[parent] < 0) return -1;
        row = row * net->n_values[parent] + values[parent];
    }
    return row;
}

int32_t cairn_network_row_value(const cairn_network *net, size_t v, size_t row, size_t k)
{
    size_t last = cairn_network_n_parents(net, v);
    for (size_t i = last; i-- > k + 1;)
        row /= (size_t)net->n_values[net->parents[net->starts[v] + (int32_t)i]];
    return (int32_t)(row % (size_t)net->n_values[net->parents[net->starts[v] + (int32_t)k]]);
}

double cairn_network_parameters(const cairn_network *net)
{
    double sum = 0;
    for (size_t v = 0; v < net->n; v++)
        sum += (double)(net->n_values[v] - 1) * (double)cairn_network_rows(net, v);
    return sum;
}

double cairn_network_joint(const cairn_network *net, const int32_t *values)
{
    double p = 1;
    for (size_t v = 0; v < net->n; v++) {
        size_t row = (size_t)cairn_network_row(net, v, values);
        p *= cairn_network_table(net, v)[row * (size_t)net->n_values[v] + (size_t)values[v]];
    }
    return p;
}

/* -- the graph -- */

cairn_status cairn_network_order(cairn_context *ctx, size_t **out, const cairn_network *net)
{
    size_t n_sorted;
    bool *taken;
    return sort_parents_first(ctx, out, &n_sorted, &taken, net);
}

void cairn_network_ancestors(const cairn_network *net, bool *marked, const size_t *order)
{
    for (size_t i = net->n; i-- > 0;) {
        size_t v = order[i];
        for (int32_t k = net->starts[v]; marked[v] && k < net->starts[v + 1]; k++)
            marked[net->parents[k]] = true;
    }
}

/* A ball that rolls over the arcs: it came to a variable from one of its children (up) or from one
 * of its parents (down). */
typedef struct ball {
    const cairn_network *net;
    const bool *known;
    bool *opens; /* known, or with a known descendant: lets it through between two parents */
    bool *up, *down;
    size_t *waiting; /* variable x 2 + whether it goes down */
    size_t n_waiting;
} ball;

static void roll(ball *b, size_t v, bool down)
{
    bool *seen = down ? b->down : b->up;
    if (seen[v]) return;
    seen[v] = true;
    b->waiting[b->n_waiting++] = 2 * v + down;
}

static void roll_to_parents(ball *b, size_t v)
{
    for (int32_t k = b->net->starts[v]; k < b->net->starts[v + 1]; k++)
        roll(b, (size_t)b->net->parents[k], false);
}

static void roll_to_children(ball *b, size_t v)
{
    for (size_t child = 0; child < b->net->n; child++)
        for (int32_t k = b->net->starts[child]; k < b->net->starts[child + 1]; k++)
            if (b->net->parents[k] == (int32_t)v) roll(b, child, true);
}

/* Chains and forks are open unless the middle is known; two arcs that meet are open when where they
 * meet, or something below it, is known. */
cairn_status cairn_network_separates(cairn_context *ctx, bool *out, const cairn_network *net,
                                     size_t a, size_t b, const bool *known, bool *reached)
{
    SCOPED_SCRATCH(ctx);
    ball rolling = {.net = net, .known = known};
    size_t *order;
    CHECK(cairn_network_order(ctx, &order, net));
    CHECK(SCRATCH(ctx, &rolling.opens, net->n + 1));
    CHECK(SCRATCH(ctx, &rolling.up, net->n + 1));
    CHECK(SCRATCH(ctx, &rolling.down, net->n + 1));
    CHECK(SCRATCH(ctx, &rolling.waiting, 2 * net->n + 2));
    memcpy(rolling.opens, known, net->n * sizeof *known);
    cairn_network_ancestors(net, rolling.opens, order);
    roll(&rolling, a, false);
    while (rolling.n_waiting) {
        size_t at = rolling.waiting[--rolling.n_waiting], v = at / 2;
        bool down = at % 2;
        if (!known[v]) roll_to_children(&rolling, v);
        if (down ? rolling.opens[v] : !known[v]) roll_to_parents(&rolling, v);
    }
    for (size_t v = 0; v < net->n && reached; v++)
        reached[v] = !known[v] && (rolling.up[v] || rolling.down[v]);
    *out = known[b] || !(rolling.up[b] || rolling.down[b]);
    return CAIRN_OK;
}
