/* SPDX-License-Identifier: MIT */
/* The merges among the steps: the table of distances at each level, the pair that is joined, and
 * the distances of the new cluster with the numbers put in. */
#include "base/memory.h"
#include "learners/cluster/hierarchy_join.h"
#include "stats/dendrogram_forms.h"
#include <math.h>
#include <string.h>

enum { MOST_SHOWN = 20, SET_LEAVES = 12 };

typedef struct level {
    size_t n; /* clusters, in the order of the list */
    size_t slots[MOST_SHOWN];
    const char *sets[MOST_SHOWN], *keys[MOST_SHOWN];
    double values[MOST_SHOWN * MOST_SHOWN]; /* distances */
    size_t a, b;                            /* the pair that is joined */
    size_t n_tied;                          /* pairs as near, with it */
} level;

typedef struct watcher {
    cairn_report *out;
    level *now;
} watcher;

static const char *const formulas[] = {
    "d(A ∪ B, X) = min(d(A, X), d(B, X))",
    "d(A ∪ B, X) = max(d(A, X), d(B, X))",
    "d(A ∪ B, X) = (|A| · d(A, X) + |B| · d(B, X)) / (|A| + |B|)",
    "d(A ∪ B, X) = (d(A, X) + d(B, X)) / 2",
    "d(A ∪ B, X)² = (|A| · d(A, X)² + |B| · d(B, X)²) / (|A| + |B|) − |A| · |B| · d(A, B)² / (|A| "
    "+ |B|)²",
    "d(A ∪ B, X)² = (d(A, X)² + d(B, X)²) / 2 − d(A, B)² / 4",
    "d(A ∪ B, X)² = ((|A| + |X|) · d(A, X)² + (|B| + |X|) · d(B, X)² − |X| · d(A, B)²) / (|A| + "
    "|B| + |X|)",
};

/* Clusters in the order of their numbers. */
static void list_clusters(const cairn_joiner *j, level *l)
{
    l->n = 0;
    for (size_t s = 0; s < j->width; s++) {
        if (j->ids[s] == CAIRN_NO_SLOT) continue;
        size_t at = l->n++;
        for (; at > 0 && j->ids[l->slots[at - 1]] > j->ids[s]; at--)
            l->slots[at] = l->slots[at - 1];
        l->slots[at] = s;
    }
}

/* The leaves of a cluster behind those that are in `order` already, rising. */
static cairn_status gather_leaves(cairn_context *ctx, const cairn_dendrogram *tree,
                                  cairn_leaf_sets *sets, size_t *n_order, uint32_t cluster)
{
    SCOPED_SCRATCH(ctx);
    uint32_t *stack;
    size_t depth = 0, n = tree->n_leaves, first = *n_order;
    CHECK(SCRATCH_RAW(ctx, &stack, n + 1));
    sets->first[cluster] = (uint32_t)first;
    stack[depth++] = cluster;
    while (depth > 0) {
        uint32_t top = stack[--depth];
        if (top < n) {
            sets->order[(*n_order)++] = top;
            continue;
        }
        stack[depth++] = tree->merges[top - n].right;
        stack[depth++] = tree->merges[top - n].left;
    }
    sets->count[cluster] = (uint32_t)(*n_order - first);
    return CAIRN_OK;
}

/* What the clusters are called: the set, and in the names of values the same without brackets. */
static cairn_status name_clusters(cairn_context *ctx, const cairn_joiner *j, cairn_report *out,
                                  level *l)
{
    size_t n = j->n, n_order = 0;
    cairn_leaf_sets sets;
    CHECK(SCRATCH_RAW(ctx, &sets.order, n));
    CHECK(SCRATCH_RAW(ctx, &sets.first, 2 * n));
    CHECK(SCRATCH_RAW(ctx, &sets.count, 2 * n));
    for (size_t i = 0; i < l->n; i++) {
        SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
        uint32_t id = j->ids[l->slots[i]];
        char *set;
        CHECK(gather_leaves(ctx, j->tree, &sets, &n_order, id));
        CHECK(cairn_leaf_set_text(ctx, &text, j->tree, &sets, id, SET_LEAVES));
        CHECK(SCRATCH(ctx, &set, text.length + 1));
        memcpy(set, cairn_text_string(&text) + 1, text.length - 2);
        l->keys[i] = cairn_report_key(out, set);
        CHECK(SCRATCH(ctx, &set, text.length + 1));
        memcpy(set, cairn_text_string(&text), text.length);
        l->sets[i] = set;
    }
    return CAIRN_OK;
}

static cairn_status read_level(cairn_context *ctx, cairn_joiner *j, cairn_report *out, level *l,
                               size_t a, size_t b)
{
    list_clusters(j, l);
    CHECK(name_clusters(ctx, j, out, l));
    for (size_t i = 0; i < l->n; i++) {
        const double *row = cairn_joiner_row(j, l->slots[i], 0);
        for (size_t k = 0; k < l->n; k++) {
            double value = i == k ? 0 : row[l->slots[k]];
            l->values[i * MOST_SHOWN + k] = j->squared ? sqrt(value) : value;
        }
        if (l->slots[i] == a) l->a = i;
        if (l->slots[i] == b) l->b = i;
    }
    return CAIRN_OK;
}

static void show_table(cairn_report *out, const level *l, size_t number)
{
    cairn_report_table_begin(out, "Distances", 0);
    cairn_report_column(out, "", 'l');
    for (size_t i = 0; i < l->n; i++) cairn_report_column(out, l->sets[i], 'r');
    for (size_t i = 0; i < l->n; i++) {
        cairn_report_cell(out, l->sets[i]);
        if (i == l->a || i == l->b) cairn_report_row_mark(out);
        for (size_t k = 0; k < l->n; k++)
            cairn_report_cell_number(out, l->values[i * MOST_SHOWN + k], 0,
                                     "level%zu.distance.%s.%s", number, l->keys[i], l->keys[k]);
    }
    cairn_report_table_end(out);
}

/* The least distance, where it is, and other places where it is, too. */
static void show_pair(cairn_report *out, level *l, size_t number)
{
    double least = l->values[l->a * MOST_SHOWN + l->b];
    size_t first = l->a < l->b ? l->a : l->b, second = l->a < l->b ? l->b : l->a;
    l->n_tied = 0;
    for (size_t i = 0; i < l->n; i++)
        for (size_t k = i + 1; k < l->n; k++)
            l->n_tied += l->values[i * MOST_SHOWN + k] <= least + 1e-12 * least;
    cairn_report_word(out, "joined", l->sets[first], "level%zu.left", number);
    cairn_report_word(out, "with", l->sets[second], "level%zu.right", number);
    cairn_report_value(out, "least distance, the height of the merge", least, "level%zu.height",
                       number);
    cairn_report_hidden(out, (double)l->n_tied, "level%zu.tied", number);
    for (size_t i = 0; l->n_tied > 1 && i < l->n; i++)
        for (size_t k = i + 1; k < l->n; k++)
            if (l->values[i * MOST_SHOWN + k] <= least + 1e-12 * least &&
                (i != first || k != second))
                cairn_report_paragraph(out, "As near: %s and %s; {tie} says which pair is joined.",
                                       l->sets[i], l->sets[k]);
}

/* The distance of the joined pair to cluster x, as it is calculated. */
static void show_distance(cairn_report *out, const cairn_joiner *j, const level *l, size_t x,
                          const char *label)
{
    double a = j->sizes[l->slots[l->a]], b = j->sizes[l->slots[l->b]], s = a + b;
    double p = l->values[l->a * MOST_SHOWN + x], q = l->values[l->b * MOST_SHOWN + x];
    double h = l->values[l->a * MOST_SHOWN + l->b], own = j->sizes[l->slots[x]], square;
    switch (j->linkage) {
    case CAIRN_LINKAGE_SINGLE:
        cairn_report_worked(out, label, "min(#, #) = #", p, q, p < q ? p : q);
        break;
    case CAIRN_LINKAGE_COMPLETE:
        cairn_report_worked(out, label, "max(#, #) = #", p, q, p > q ? p : q);
        break;
    case CAIRN_LINKAGE_AVERAGE:
        cairn_report_worked(out, label, "(# · # + # · #) / # = #", a, p, b, q, s,
                            (a * p + b * q) / s);
        break;
    case CAIRN_LINKAGE_WEIGHTED:
        cairn_report_worked(out, label, "(# + #) / 2 = #", p, q, (p + q) / 2);
        break;
    case CAIRN_LINKAGE_CENTROID:
        square = (a * p * p + b * q * q) / s - a * b * h * h / (s * s);
        cairn_report_worked(out, label, "√((# · #² + # · #²) / # − # · # · #² / #²) = #", a, p, b,
                            q, s, a, b, h, s, sqrt(fmax(0, square)));
        break;
    case CAIRN_LINKAGE_MEDIAN:
        square = (p * p + q * q) / 2 - h * h / 4;
        cairn_report_worked(out, label, "√((#² + #²) / 2 − #² / 4) = #", p, q, h,
                            sqrt(fmax(0, square)));
        break;
    case CAIRN_LINKAGE_WARD:
        square = ((a + own) * p * p + (b + own) * q * q - own * h * h) / (s + own);
        cairn_report_worked(out, label, "√((# · #² + # · #² − # · #²) / #) = #", a + own, p,
                            b + own, q, own, h, s + own, sqrt(fmax(0, square)));
    }
}

static cairn_status show_distances(cairn_context *ctx, cairn_report *out, const cairn_joiner *j,
                                   const level *l)
{
    for (size_t x = 0; x < l->n; x++) {
        SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(ctx);
        if (x == l->a || x == l->b) continue;
        cairn_text_addf(&label, "d(%s ∪ %s, %s)", l->sets[l->a < l->b ? l->a : l->b],
                        l->sets[l->a < l->b ? l->b : l->a], l->sets[x]);
        CHECK(cairn_text_status(&label));
        show_distance(out, j, l, x, cairn_text_string(&label));
    }
    return CAIRN_OK;
}

/* One step per merge, once few enough clusters are left for a table. */
static cairn_status show_level(cairn_context *ctx, cairn_joiner *j, size_t a, size_t b, void *data)
{
    watcher *w = data;
    level *l = w->now;
    size_t number = j->made + 1;
    if (j->live > MOST_SHOWN) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    cairn_report_step_begin(w->out, "Level %zu: %zu clusters", number, j->live);
    CHECK(read_level(ctx, j, w->out, l, a, b));
    show_table(w->out, l, number);
    show_pair(w->out, l, number);
    if (l->n > 2) cairn_report_formula(w->out, "%s", formulas[j->linkage]);
    CHECK(show_distances(ctx, w->out, j, l));
    cairn_report_step_end(w->out);
    return CAIRN_OK;
}

cairn_status cairn_hierarchy_watch(cairn_context *ctx, cairn_joiner *j, cairn_report *steps)
{
    watcher *w;
    CHECK(SCRATCH(ctx, &w, 1));
    CHECK(SCRATCH(ctx, &w->now, 1));
    w->out = steps;
    j->watch = show_level;
    j->watcher = w;
    if (j->n > MOST_SHOWN)
        cairn_report_paragraph(steps,
                               "Tables of distances are shown from %d clusters on; the list of "
                               "merges has all levels.",
                               MOST_SHOWN);
    return CAIRN_OK;
}
