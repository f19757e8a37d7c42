/* SPDX-License-Identifier: MIT */
/* The tree of a model of `hierarchy` written down and drawn. */
#include "learners/cluster/hierarchy.h"
#include "plots/dendrogram_plot.h"
#include "stats/dendrogram_forms.h"
#include <math.h>
#include <string.h>

/* -- forms -- */

static void write_newick(cairn_text *out, const void *model, const cairn_job *job)
{
    (void)job;
    cairn_newick_write(out, &((const cairn_hierarchy_model *)model)->tree);
}

static void write_tree(cairn_text *out, const void *model, const cairn_job *job)
{
    (void)job;
    cairn_dendrogram_json(out, &((const cairn_hierarchy_model *)model)->tree);
}

const cairn_export_form cairn_hierarchy_forms[] = {
    {"newick", "the tree in brackets, with the lengths of its branches", write_newick},
    {"tree", "the tree as JSON: names and weights of the leaves, and the merges", write_tree},
    {NULL, NULL, NULL},
};

/* -- figures -- */

/* A cut at a height is one by number, too, unless an inversion lies across it. */
cairn_status cairn_hierarchy_cut(cairn_context *ctx, cairn_cut *out, const cairn_hierarchy_model *m)
{
    size_t n = m->tree.n_leaves;
    CHECK(cairn_dendrogram_cut_number(ctx, out, &m->tree, m->n_clusters));
    if (memcmp(out->codes, m->codes, n * sizeof *m->codes) == 0) return CAIRN_OK;
    return cairn_dendrogram_cut_height(ctx, out, &m->tree, m->cut);
}

const char *cairn_hierarchy_height(const cairn_hierarchy_model *m)
{
    if (m->method == CAIRN_HIERARCHY_DIANA) return "diameter";
    bool ward = m->method == CAIRN_HIERARCHY_BISECTING || m->linkage == CAIRN_LINKAGE_WARD;
    return ward ? "Ward's distance" : "distance";
}

static cairn_status draw_tree(cairn_context *ctx, cairn_figure **out, const void *model,
                              const cairn_job *job)
{
    SCOPED_SCRATCH(ctx);
    const cairn_hierarchy_model *m = model;
    cairn_dendrogram_look look = CAIRN_DENDROGRAM_LOOK_INIT;
    cairn_cut cut;
    bool is_cut = !isnan(m->cut);
    (void)job;
    if (m->tree.n_leaves < 2) return CAIRN_OK;
    if (is_cut) CHECK(cairn_hierarchy_cut(ctx, &cut, m));
    return cairn_dendrogram_figure(ctx, out, &m->tree, &look, is_cut ? &cut : NULL,
                                   "Tree of clusters", cairn_hierarchy_height(m));
}

const cairn_model_figure cairn_hierarchy_figures[] = {
    {"dendrogram", draw_tree, false},
    {NULL, NULL, false},
};
