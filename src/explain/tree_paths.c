/* SPDX-License-Identifier: MIT */
/* Trees as edges between nodes: which one a row takes, and which the background takes. */
#include "explain/tree_paths.h"
#include "base/functions.h"
#include "base/memory.h"
#include "learners/tree/tree_lower.h"
#include "parallel/parallel.h"
#include <math.h>
#include <string.h>

static const int32_t *node_at(const cairn_tree_paths *f, size_t node)
{
    return f->op->codes[CAIRN_TREES_NODES] + 4 * node;
}

static double compared_with(const cairn_tree_paths *f, size_t node)
{
    return f->op->numbers[CAIRN_TREES_CUTS][node];
}

static size_t branches_of(const cairn_tree_paths *f, size_t node)
{
    const int32_t *at = node_at(f, node);
    if (at[0] < 0) return 0;
    return at[1] == CAIRN_LOWER_LEVELS ? (size_t)compared_with(f, node) : 2;
}

/* -- the edge of a row -- */

/* The branch of a test; -1 = the cell is missing, or no branch takes its level. */
static int32_t side_of(const cairn_tree_paths *f, int32_t test, double x, double with)
{
    const int32_t *set = f->op->codes[CAIRN_TREES_SETS];
    if (isnan(x)) return -1;
    switch (test) {
    case CAIRN_LOWER_AT_MOST: return !(x <= with);
    case CAIRN_LOWER_BELOW: return !(x < with);
    case CAIRN_LOWER_LEVEL: return x != with;
    case CAIRN_LOWER_LEVELS: return x < with ? (int32_t)x : -1;
    default: set += (size_t)with; return x < set[0] ? set[1 + (size_t)x] - 1 : -1;
    }
}

/* Where a row goes whose cell is missing: as a surrogate says, or the usual way; -1 = nowhere. */
static int32_t side_instead(const cairn_tree_paths *f, size_t node, const double *row, size_t step)
{
    const int32_t *starts = f->op->codes[CAIRN_TREES_SURROGATE_STARTS];
    const int32_t *usual = f->op->codes[CAIRN_TREES_USUAL];
    for (int32_t i = starts ? starts[node] : 0; starts && i < starts[node + 1]; i++) {
        const int32_t *at = f->op->codes[CAIRN_TREES_SURROGATES] + 3 * (size_t)i;
        int32_t side = side_of(f, at[1], row[(size_t)at[0] * step],
                               f->op->numbers[CAIRN_TREES_SURROGATE_CUTS][i]);
        if (side >= 0) return side ^ at[2];
    }
    return usual ? usual[node] : -1;
}

int32_t cairn_tree_paths_edge(const cairn_tree_paths *f, size_t node, const double *row,
                              size_t step)
{
    const int32_t *at = node_at(f, node);
    const int32_t *edges = f->edges + at[2];
    int32_t side = side_of(f, at[1], row[(size_t)at[0] * step], compared_with(f, node));
    int32_t edge = edges[side >= 0 ? (size_t)side : branches_of(f, node)];
    if (edge >= 0) return edge;
    side = side_instead(f, node, row, step);
    return side < 0 ? -1 : edges[side];
}

/* -- edges -- */

/* Links of a node that lead to the same child are one edge. */
static size_t join_links(cairn_tree_paths *f, size_t node, size_t n_edges)
{
    const int32_t *at = node_at(f, node), *links = f->op->codes[CAIRN_TREES_LINKS] + at[2];
    size_t first = n_edges, n = branches_of(f, node);
    double total = 0;
    for (size_t b = 0; n && b <= n; b++) {
        size_t edge = first;
        f->edges[(size_t)at[2] + b] = -1;
        if (links[b] < 0) continue;
        while (edge < n_edges && f->children[edge] != links[b]) edge++;
        if (edge == n_edges) f->children[n_edges++] = links[b];
        f->edges[(size_t)at[2] + b] = (int32_t)edge;
        double part = b < n ? f->op->numbers[CAIRN_TREES_PARTS][(size_t)at[2] + b] : 0;
        f->parts[edge] += part;
        total += part;
    }
    for (size_t e = first; e < n_edges; e++)
        f->parts[e] = total > 0 ? f->parts[e] / total : 1 / (double)(n_edges - first);
    return n_edges;
}

/* Edges of all nodes, and how long a path can be: children come behind their parents. */
static cairn_status make_edges(cairn_context *ctx, cairn_tree_paths *f)
{
    size_t n_links = f->op->n_codes[CAIRN_TREES_LINKS], n_edges = 0, *depths;
    CHECK(SCRATCH(ctx, &f->starts, f->n_nodes + 1));
    CHECK(SCRATCH_EACH(ctx, n_links + 1, &f->children, &f->parts, &f->shares, &f->edges));
    for (size_t i = 0; i < f->n_nodes; i++) {
        n_edges = join_links(f, i, n_edges);
        f->starts[i + 1] = (uint32_t)n_edges;
    }
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &depths, f->n_nodes + 1));
    for (size_t i = 0; i < f->n_nodes; i++)
        for (uint32_t e = f->starts[i]; e < f->starts[i + 1]; e++) {
            size_t child = (size_t)f->children[e], below = depths[i] + 1;
            if (child <= i || child >= f->n_nodes)
                return cairn_fail(ctx, CAIRN_BAD_DATA,
                                  "the nodes of the model's trees are not in their order; fit it "
                                  "again");
            if (depths[child] < below) depths[child] = below;
            if (f->depth < below) f->depth = below;
        }
    return CAIRN_OK;
}

/* What every leaf adds to the outputs: its values, or a vote for its class, times the factors. */
static cairn_status make_values(cairn_context *ctx, cairn_tree_paths *f, const double *factors)
{
    const cairn_operation *op = f->op;
    size_t width = (size_t)op->sizes[CAIRN_TREES_WIDTH], k = f->n_outputs;
    CHECK(SCRATCH(ctx, &f->values, cairn_product(f->n_nodes, k) + 1));
    for (size_t i = 0; i < f->n_nodes; i++) {
        int32_t row = node_at(f, i)[3];
        if (row < 0 || branches_of(f, i)) continue;
        for (size_t v = 0; v < width; v++) {
            double value = op->sizes[CAIRN_TREES_VOTES]
                               ? op->codes[CAIRN_TREES_LABELS][row] == (int32_t)v
                               : op->numbers[CAIRN_TREES_VALUES][(size_t)row * width + v];
            for (size_t c = 0; c < k && value != 0; c++)
                f->values[i * k + c] += factors[c * width + v] * value;
        }
    }
    return CAIRN_OK;
}

cairn_status cairn_tree_paths_make(cairn_context *ctx, cairn_tree_paths *out,
                                   const cairn_additive *sum, size_t which, const int32_t *players,
                                   size_t n_players)
{
    const cairn_operation *op = sum->trees[which].op;
    *out = (cairn_tree_paths){.op = op,
                              .n_nodes = op->n_codes[CAIRN_TREES_NODES] / 4,
                              .n_columns = sum->n_columns,
                              .n_outputs = sum->n_outputs,
                              .n_players = n_players,
                              .players = players};
    CHECK(make_edges(ctx, out));
    return make_values(ctx, out, sum->trees[which].factors);
}

/* -- the background -- */

typedef struct pending {
    size_t node;
    double weight;
} pending;

typedef struct covering {
    cairn_tree_paths *paths;
    cairn_cell_rows rows;
} covering;

/* One row down one tree: its weight is added to the edges that it takes. */
static cairn_status cover_row(cairn_context *ctx, cairn_tree_paths *f, const double *row,
                              pending first, pending **stack, size_t *buffer)
{
    size_t n = 0;
    CHECK(GROW(ctx, stack, buffer, 1));
    (*stack)[n++] = first;
    while (n > 0) {
        pending at = (*stack)[--n];
        uint32_t begin = f->starts[at.node], end = f->starts[at.node + 1];
        if (begin == end) continue;
        int32_t edge = cairn_tree_paths_edge(f, at.node, row, 1);
        CHECK(GROW(ctx, stack, buffer, n + (end - begin)));
        for (uint32_t e = begin; e < end; e++) {
            double part = edge < 0 ? f->parts[e] : e == (uint32_t)edge;
            if (!(part > 0)) continue;
            f->shares[e] += part * at.weight;
            (*stack)[n++] = (pending){(size_t)f->children[e], part * at.weight};
        }
    }
    return CAIRN_OK;
}

/* Trees have no edges in common, so each is a task. */
static cairn_status cover_tree(cairn_context *ctx, void *data, size_t task)
{
    const covering *w = data;
    OWNED(cairn_free) pending *stack = NULL;
    size_t buffer = 0, root = (size_t)w->paths->op->codes[CAIRN_TREES_ROOTS][task];
    CHECK(cairn_tick(ctx, NULL, 0, 0));
    for (size_t i = 0; i < w->rows.n; i++) {
        pending first = {root, w->rows.weights ? w->rows.weights[i] : 1};
        if (first.weight > 0)
            CHECK(cover_row(ctx, w->paths, w->rows.values + i * w->rows.n_columns, first, &stack,
                            &buffer));
    }
    return CAIRN_OK;
}

cairn_status cairn_tree_paths_cover(cairn_context *ctx, cairn_tree_paths *f,
                                    cairn_cell_rows background)
{
    covering w = {f, background};
    size_t n_trees = (size_t)f->op->sizes[CAIRN_TREES_N];
    double work = 10 * (double)n_trees * (double)background.n;
    CHECK(cairn_tasks_sized(ctx, n_trees, work, cover_tree, &w));
    for (size_t i = 0; i < f->n_nodes; i++) {
        double total = 0;
        uint32_t begin = f->starts[i], end = f->starts[i + 1];
        for (uint32_t e = begin; e < end; e++) total += f->shares[e];
        for (uint32_t e = begin; e < end; e++)
            f->shares[e] = total > 0 ? f->shares[e] / total : 1 / (double)(end - begin);
    }
    return CAIRN_OK;
}

/* -- one set of players -- */

cairn_status cairn_tree_paths_reach(cairn_context *ctx, const cairn_tree_paths *f,
                                    const double *row, const uint8_t *known, double *reached)
{
    CHECK(cairn_tick(ctx, NULL, 0, 0));
    for (size_t t = 0; t < (size_t)f->op->sizes[CAIRN_TREES_N]; t++)
        reached[f->op->codes[CAIRN_TREES_ROOTS][t]] += 1;
    for (size_t i = 0; i < f->n_nodes; i++) {
        uint32_t begin = f->starts[i], end = f->starts[i + 1];
        bool follows = begin < end && known[f->players[node_at(f, i)[0]]];
        int32_t edge = follows ? cairn_tree_paths_edge(f, i, row, 1) : -1;
        for (uint32_t e = begin; e < end; e++) {
            double part = !follows ? f->shares[e] : edge < 0 ? f->parts[e] : e == (uint32_t)edge;
            reached[f->children[e]] += reached[i] * part;
        }
    }
    return CAIRN_OK;
}

cairn_status cairn_tree_paths_game(cairn_context *ctx, const cairn_tree_paths *f, const double *row,
                                   const uint8_t *known, double *out)
{
    SCOPED_SCRATCH(ctx);
    double *reached;
    CHECK(SCRATCH(ctx, &reached, f->n_nodes + 1));
    CHECK(cairn_tree_paths_reach(ctx, f, row, known, reached));
    memset(out, 0, f->n_outputs * sizeof *out);
    for (size_t i = 0; i < f->n_nodes; i++)
        for (size_t c = 0; c < f->n_outputs; c++)
            out[c] += reached[i] * f->values[i * f->n_outputs + c];
    return CAIRN_OK;
}

/* -- Gauss' rule -- */

/* P(n) of Legendre and its derivative. */
static double legendre(size_t n, double x, double *slope)
{
    double before = 1, p = x;
    for (size_t k = 2; k <= n; k++) {
        double next = ((2 * (double)k - 1) * x * p - ((double)k - 1) * before) / (double)k;
        before = p;
        p = next;
    }
    *slope = (double)n * (x * p - before) / (x * x - 1);
    return p;
}

cairn_status cairn_gauss_make(cairn_context *ctx, cairn_gauss_rule *out, size_t n)
{
    const double pi = 3.14159265358979323846;
    out->n = n;
    CHECK(SCRATCH_EACH(ctx, n + 1, &out->points, &out->weights));
    for (size_t i = 0; i < n; i++) {
        double x = cairn_cos(pi * ((double)i + 0.75) / ((double)n + 0.5)), slope = 1;
        for (int round = 0; round < 100; round++) {
            double move = legendre(n, x, &slope) / slope;
            x -= move;
            if (fabs(move) <= 1e-16) break;
        }
        (void)legendre(n, x, &slope);
        out->points[i] = (1 - x) / 2;
        out->weights[i] = 1 / ((1 - x * x) * slope * slope);
    }
    return CAIRN_OK;
}
