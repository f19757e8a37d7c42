/* SPDX-License-Identifier: MIT */
/* Where a tree of clusters comes from. */
#include "compute/clusters/dendrogram_source.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "data/shape.h"
#include "model/chain.h"
#include "model/model.h"
#include "model/scale_choice.h"
#include "rows/used.h"
#include "stats/dendrogram_forms.h"
#include <math.h>
#include <string.h>

const cairn_param cairn_dendrogram_options_group[] = {
    CAIRN_PARAM_OBJECT(cairn_dendrogram_options, learner, learner_params, CAIRN_ENTRY_LEARNER,
                       "hierarchy",
                       "how a tree is made of rows, such as hierarchy:linkage=single or "
                       "hierarchy:method=diana,distance=manhattan",
                       .names = "learner", .often = true),
    CAIRN_PARAM_TRANSFORMS(
        cairn_dendrogram_options,
        "a transform that comes before the learner, such as impute:numbers=median; may be "
        "given several times, in order"),
    CAIRN_PARAM_CHOICE(cairn_dendrogram_options, scale, "auto", cairn_scale_choices,
                       "bring number columns to a common scale, after the transforms of --with"),
    CAIRN_PARAM(cairn_dendrogram_options, clusters, "0", "[0,inf)",
                "cut the tree into so many clusters; 0 = do not", .often = true),
    CAIRN_PARAM_CALLED("height", cairn_dendrogram_options, cut, CAIRN_NOT_GIVEN, NULL,
                       "cut the tree at this height: merges above it are undone",
                       .when = "clusters=0", .often = true, .was = "cut"),
    CAIRN_PARAM_END,
};

void cairn_dendrogram_source_clear(cairn_dendrogram_source *s)
{
    cairn_dendrogram_clear(&s->own);
    cairn_model_free(s->fitted);
    cairn_table_free(s->seen);
}

/* One text behind another, where there is another. */
static cairn_status join_texts(cairn_context *ctx, const char **out, const char *first,
                               const char *between, const char *second)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    char *copy;
    cairn_text_add(&text, first);
    if (second) cairn_text_addf(&text, "%s%s", between, second);
    CHECK(cairn_text_status(&text));
    CHECK(SCRATCH(ctx, &copy, text.length + 1));
    memcpy(copy, text.bytes, text.length);
    *out = copy;
    return CAIRN_OK;
}

/* -- of a model -- */

static const char *method_name(const cairn_hierarchy_model *m)
{
    static const char *const linkages[] = {
        "Single linkage",   "Complete linkage", "Average linkage", "Weighted linkage",
        "Centroid linkage", "Median linkage",   "Ward linkage"};
    if (m->method == CAIRN_HIERARCHY_DIANA) return "Divisive analysis (DIANA)";
    if (m->method == CAIRN_HIERARCHY_BISECTING) return "Bisecting 2-means";
    return linkages[m->linkage];
}

static cairn_status take_model(cairn_context *ctx, cairn_dendrogram_source *s,
                               const cairn_model *model, const char *source)
{
    if (!model->learner || !cairn_same(model->learner->entry.name, "hierarchy"))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s makes no tree of clusters; cairn fit hierarchy does",
                          model->learner ? model->learner->entry.name : "a recipe");
    const cairn_hierarchy_model *m = model->state;
    s->model = model;
    s->tree = &m->tree;
    s->scaled = cairn_model_scaled(model);
    CHECK(join_texts(ctx, &s->height, cairn_hierarchy_height(m), ", ", s->scaled));
    return join_texts(ctx, &s->title, method_name(m), " of ", source);
}

/* The rows as the learner sees them, if the table is the one of the leaves. */
static cairn_status see_rows(cairn_context *ctx, cairn_dendrogram_source *s,
                             const cairn_table *table)
{
    OWNED(cairn_table_free) cairn_table *matched = NULL;
    cairn_match match;
    if (!table || table->n_rows != s->tree->n_leaves) return CAIRN_OK;
    CHECK(cairn_schema_match(ctx, &matched, &s->model->schema, table, false, &match));
    return cairn_chain_apply(ctx, s->model, &s->seen, matched);
}

/* -- of rows -- */

/* The tree is made by a fit as of the command `fit`; learners that make no tree are refused. */
static cairn_status fit_rows(cairn_context *ctx, cairn_dendrogram_source *s,
                             const cairn_compute_job *job, const cairn_dendrogram_options *options,
                             const char *linkage, cairn_report *steps)
{
    OWNED(cairn_params_free) cairn_params *params = NULL, *transforms = NULL;
    cairn_fit_options fit = CAIRN_FIT_OPTIONS_INIT;
    CHECK(cairn_params_copy(ctx, &params, options->learner_params));
    if (linkage) CHECK(cairn_params_set(ctx, params, "linkage", linkage));
    CHECK(cairn_params_check(ctx, params));
    if (!cairn_same(params->entry->name, "hierarchy"))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{learner %s} makes no tree of clusters; hierarchy does",
                          params->entry->name);
    CHECK(cairn_scaled_with(ctx, options->transforms, options->scale, &transforms));
    fit.transforms = transforms;
    fit.task = CAIRN_CLUSTER;
    fit.steps = steps;
    CHECK(cairn_model_fit(ctx, &s->fitted, params, job->table, &fit));
    CHECK(take_model(ctx, s, s->fitted, job->table->source));
    return see_rows(ctx, s, job->table);
}

/* -- all -- */

static cairn_status take_merges(cairn_context *ctx, cairn_dendrogram_source *s,
                                const cairn_table *table)
{
    cairn_status status = cairn_dendrogram_of_table(ctx, &s->own, table);
    if (status && table->source) cairn_message_prefix(ctx, "%s", table->source);
    CHECK(status);
    s->tree = &s->own;
    return join_texts(ctx, &s->title, "Dendrogram", " of ", table->source);
}

/* A number of clusters comes before a height, and both before the cut of the model. */
static cairn_status cut_tree(cairn_context *ctx, cairn_dendrogram_source *s,
                             const cairn_dendrogram_options *options)
{
    s->has_cut = options->clusters > 0 || !isnan(options->cut);
    if (options->clusters)
        return cairn_dendrogram_cut_number(ctx, &s->cut, s->tree, (size_t)options->clusters);
    if (s->has_cut && options->cut > cairn_dendrogram_top(s->tree)) {
        char cut[CAIRN_NUMBER_SIZE], top[CAIRN_NUMBER_SIZE];
        cairn_number_format(cut, options->cut, 6);
        cairn_number_format(top, cairn_dendrogram_top(s->tree), 6);
        return cairn_fail(
            ctx, CAIRN_BAD_DATA,
            "{height %s} lies above the root of the tree, which is at %s: everything would "
            "be one cluster; cut below it",
            cut, top);
    }
    if (s->has_cut) return cairn_dendrogram_cut_height(ctx, &s->cut, s->tree, options->cut);
    const cairn_hierarchy_model *m = s->model ? s->model->state : NULL;
    if (!m || isnan(m->cut)) return CAIRN_OK;
    s->has_cut = true; /* as the model was cut */
    return cairn_hierarchy_cut(ctx, &s->cut, m);
}

cairn_status cairn_dendrogram_source_open(cairn_context *ctx, cairn_dendrogram_source *out,
                                          const cairn_compute_job *job,
                                          const cairn_dendrogram_options *options,
                                          const char *linkage, cairn_report *steps)
{
    if (job->model) {
        CHECK(take_model(ctx, out, job->model, job->table ? job->table->source : NULL));
        CHECK(see_rows(ctx, out, job->table));
    } else if (!job->table) {
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'%s' needs a tree: a Newick file or a table of merges, a model of "
                          "hierarchy, or rows to make one of",
                          job->what);
    } else if (cairn_is_merge_table(job->table)) {
        CHECK(take_merges(ctx, out, job->table));
    } else {
        CHECK(fit_rows(ctx, out, job, options, linkage, steps));
    }
    return cut_tree(ctx, out, options);
}

cairn_status cairn_dendrogram_source_pairs(cairn_context *ctx, double **out,
                                           const cairn_dendrogram_source *s)
{
    SCOPED(cairn_distance_rows_clear) cairn_distance_rows rows = {0};
    size_t n = s->tree->n_leaves;
    cairn_view view, used;
    *out = NULL;
    if (!s->seen || !s->model) return CAIRN_OK;
    const cairn_hierarchy_params *p = s->model->params->values;
    CHECK(cairn_view_make(ctx, &view, s->seen, cairn_all_rows(s->seen)));
    CHECK(cairn_view_used(ctx, &used, &view));
    if (used.rows.n != n) return CAIRN_OK;
    CHECK(cairn_distance_rows_open(ctx, &rows, &used, p->distance));
    CHECK(SCRATCH_RAW(ctx, out, n * (n - 1) / 2 + 1));
    return cairn_distances_condensed(ctx, &rows, *out);
}
