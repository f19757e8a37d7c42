/* SPDX-License-Identifier: MIT */
/* From a tree of clusters to the branches of a figure: the highest merges are shown until there are
 * as many branches as can be read; what hangs below them is collapsed. */
#include "plots/dendrogram_plot.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "stats/dendrogram_forms.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_NAMED = 6, MOST_KEYS = 16 };

static const cairn_choice root_choices[] = {
    {"left", CAIRN_ROOT_LEFT, "the root on the left, names on the right"},
    {"right", CAIRN_ROOT_RIGHT, "the root on the right"},
    {"top", CAIRN_ROOT_TOP, "the root on top, names below"},
    {"bottom", CAIRN_ROOT_BOTTOM, "the root at the bottom"},
    {0},
};

static const cairn_choice axis_choices[] = {
    {"auto", CAIRN_AXIS_AUTO, "heights, or levels where sets are written"},
    {"heights", CAIRN_AXIS_HEIGHTS, "merges lie at their heights"},
    {"levels", CAIRN_AXIS_LEVELS, "merges lie one step apart, with their heights beside them"},
    {"none", CAIRN_AXIS_NONE, "heights without an axis"},
    {0},
};

const cairn_param cairn_dendrogram_look_group[] = {
    CAIRN_PARAM_CHOICE(cairn_dendrogram_look, root, "left", root_choices,
                       "side on which the root stands", .often = true),
    CAIRN_PARAM(cairn_dendrogram_look, sets, "no", NULL, "write the leaves of every merge at it",
                .often = true),
    CAIRN_PARAM_CHOICE(cairn_dendrogram_look, axis, "auto", axis_choices,
                       "what the axis of heights shows"),
    CAIRN_PARAM(cairn_dendrogram_look, most, "40", "[2,1000]",
                "most branches to draw; further subtrees become triangles with the number of "
                "their leaves",
                .often = true),
    CAIRN_PARAM_END,
};

/* What is shown of a tree. Scratch. */
typedef struct shown {
    cairn_context *ctx;
    const cairn_dendrogram *tree;
    const cairn_dendrogram_look *look;
    const cairn_cut *cut;
    cairn_leaf_sets sets;
    uint32_t *ends; /* clusters that are not divided any further */
    size_t n_ends;
    bool *joins; /* per merge: it is drawn as one */
    size_t n_collapsed;
    cairn_branch *branches;
    int *number; /* per cluster: its branch */
    size_t n;
} shown;

/* Undo the highest merge among the ends again and again; the first of equally high ones. */
static cairn_status choose_ends(shown *s)
{
    size_t n = s->tree->n_leaves, most = (size_t)s->look->most;
    CHECK(SCRATCH(s->ctx, &s->ends, (most < n ? most : n) + 1));
    CHECK(SCRATCH(s->ctx, &s->joins, n));
    s->ends[s->n_ends++] = (uint32_t)(2 * n - 2);
    while (s->n_ends < most) {
        size_t best = s->n_ends;
        for (size_t i = 0; i < s->n_ends; i++) {
            if (s->ends[i] < n) continue;
            if (best == s->n_ends || cairn_dendrogram_height(s->tree, s->ends[i]) >
                                         cairn_dendrogram_height(s->tree, s->ends[best]))
                best = i;
        }
        if (best == s->n_ends) break;
        const cairn_merge *m = &s->tree->merges[s->ends[best] - n];
        s->joins[s->ends[best] - n] = true;
        s->ends[best] = m->left;
        s->ends[s->n_ends++] = m->right;
    }
    return CAIRN_OK;
}

/* The cluster of the cut that all leaves of a cluster of the tree are in; -1 = there is none. */
static int32_t cut_group(const shown *s, size_t cluster)
{
    if (!s->cut) return -1;
    const uint32_t *leaves = s->sets.order + s->sets.first[cluster];
    int32_t group = s->cut->codes[leaves[0]];
    for (size_t i = 1; i < s->sets.count[cluster]; i++)
        if (s->cut->codes[leaves[i]] != group) return -1;
    return group;
}

static cairn_status copy_name(shown *s, const char **out, const char *text)
{
    char *copy;
    size_t length = strlen(text);
    CHECK(SCRATCH(s->ctx, &copy, length + 1));
    memcpy(copy, text, length);
    *out = copy;
    return CAIRN_OK;
}

static cairn_status add_end(shown *s, size_t cluster)
{
    cairn_branch *b = &s->branches[s->n];
    size_t count = s->sets.count[cluster];
    char text[64];
    *b = (cairn_branch){.left = -1,
                        .right = -1,
                        .height = cairn_dendrogram_height(s->tree, cluster),
                        .size = (double)count,
                        .group = cut_group(s, cluster)};
    s->number[cluster] = (int)s->n++;
    s->n_collapsed += count > 1;
    if (count == 1) return copy_name(s, &b->text, cairn_leaf_name(s->tree, cluster, text));
    snprintf(text, sizeof text, "%zu leaves", count);
    return copy_name(s, &b->text, text);
}

static cairn_status add_join(shown *s, size_t merge)
{
    const cairn_merge *m = &s->tree->merges[merge];
    size_t cluster = s->tree->n_leaves + merge;
    cairn_branch *b = &s->branches[s->n];
    *b = (cairn_branch){.left = s->number[m->left],
                        .right = s->number[m->right],
                        .height = m->height,
                        .group = cut_group(s, cluster)};
    s->number[cluster] = (int)s->n++;
    if (!s->look->sets) return CAIRN_OK;
    SCOPED(cairn_text_clear) cairn_text set = cairn_text_start(s->ctx);
    CHECK(cairn_leaf_set_text(s->ctx, &set, s->tree, &s->sets, cluster, MOST_NAMED));
    return copy_name(s, &b->text, cairn_text_string(&set));
}

/* -- the cut -- */

/* Where a line divides the merges that the cut keeps from those that it undoes; NaN when heights do
 * not divide them. */
static cairn_status cut_height(const shown *s, double *out)
{
    SCOPED_SCRATCH(s->ctx);
    size_t n = s->tree->n_leaves;
    bool *kept;
    double low = 0, high = INFINITY;
    CHECK(SCRATCH(s->ctx, &kept, 2 * n));
    for (size_t c = 0; c < s->cut->n_clusters; c++) kept[s->cut->nodes[c]] = true;
    for (size_t i = n - 1; i-- > 0;) {
        const cairn_merge *m = &s->tree->merges[i];
        if (kept[n + i]) kept[m->left] = kept[m->right] = true;
        if (kept[n + i])
            low = fmax(low, m->height);
        else
            high = fmin(high, m->height);
    }
    bool between = s->cut->height > low && s->cut->height < high;
    *out = between                        ? s->cut->height
           : high > low && isfinite(high) ? cairn_number_between(low, high)
                                          : NAN;
    return CAIRN_OK;
}

/* The line stands only where heights divide the merges; clusters have a key only while they are
 * few. */
static cairn_status add_cut(shown *s, cairn_figure *figure)
{
    const char **names;
    double at;
    char number[CAIRN_NUMBER_SIZE], text[128];
    size_t k = s->cut->n_clusters;
    CHECK(cut_height(s, &at));
    cairn_number_format(number, at, 6);
    snprintf(text, sizeof text, "cut at %s: %zu clusters", number, k);
    if (isfinite(at) && k > 1) cairn_figure_rule_y(figure, text, at);
    if (k < 2 || k > MOST_KEYS) return CAIRN_OK;
    CHECK(SCRATCH(s->ctx, &names, k));
    for (size_t c = 0; c < k; c++) {
        cairn_number_format(number, cairn_dendrogram_size(s->tree, s->cut->nodes[c]), 6);
        snprintf(text, sizeof text, "cluster %zu (%s)", c + 1, number);
        CHECK(copy_name(s, &names[c], text));
    }
    cairn_figure_tree_groups(figure, names, k);
    return CAIRN_OK;
}

/* -- the figure -- */

static cairn_status add_note(const shown *s, cairn_text *out)
{
    size_t inversions = cairn_dendrogram_inversions(s->tree), seen = 0;
    const char *between = s->n_collapsed ? "; " : "";
    for (size_t i = 0; i + 1 < s->tree->n_leaves; i++)
        seen += s->joins[i] && cairn_dendrogram_inverted(s->tree, i);
    if (s->n_collapsed) cairn_text_add(out, "triangles: subtrees with the number of their leaves");
    if (seen)
        cairn_text_addf(out, "%sdashed: inversions, merges below a part (%zu)", between, seen);
    else if (inversions)
        cairn_text_addf(out, "%s%zu inversion%s inside", between, inversions,
                        inversions == 1 ? "" : "s");
    return cairn_text_status(out);
}

static cairn_status fill_figure(shown *s, cairn_figure *figure, const char *height)
{
    SCOPED(cairn_text_clear) cairn_text note = cairn_text_start(s->ctx);
    const cairn_dendrogram_look *look = s->look;
    CHECK(add_note(s, &note));
    cairn_dendro_look drawn = {
        .root = (cairn_root_side)look->root,
        .ranks = look->axis == CAIRN_AXIS_LEVELS || (look->axis == CAIRN_AXIS_AUTO && look->sets),
        .no_axis = look->axis == CAIRN_AXIS_NONE,
        .note = note.length ? cairn_text_string(&note) : NULL,
    };
    cairn_figure_axes(figure, NULL, height ? height : "height");
    cairn_figure_dendrogram(figure, s->branches, s->n, &drawn);
    return s->cut ? add_cut(s, figure) : CAIRN_OK;
}

cairn_status cairn_dendrogram_figure(cairn_context *ctx, cairn_figure **out,
                                     const cairn_dendrogram *tree,
                                     const cairn_dendrogram_look *look, const cairn_cut *cut,
                                     const char *title, const char *height)
{
    SCOPED_SCRATCH(ctx);
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    shown s = {.ctx = ctx, .tree = tree, .look = look, .cut = cut};
    CHECK(cairn_leaf_sets_make(ctx, &s.sets, tree));
    CHECK(choose_ends(&s));
    size_t n = s.tree->n_leaves;
    CHECK(SCRATCH(s.ctx, &s.branches, 2 * s.n_ends));
    CHECK(SCRATCH(s.ctx, &s.number, 2 * n));
    for (size_t i = 0; i < s.n_ends; i++) CHECK(add_end(&s, s.ends[i]));
    for (size_t i = 0; i + 1 < n; i++)
        if (s.joins[i]) CHECK(add_join(&s, i));
    CHECK(cairn_figure_new(ctx, &figure, "dendrogram", title));
    CHECK(fill_figure(&s, figure, height));
    CHECK(cairn_figure_status(figure));
    *out = TAKE(figure);
    return CAIRN_OK;
}
