/* SPDX-License-Identifier: MIT */
/* The rows that nearest neighbours keep, as a table. */
#include "learners/neighbours/knn.h"
#include "base/call.h"
#include "model/learned.h"
#include <math.h>

/* Whether the places of the rows are the numbers of their columns, which have names. */
static bool has_places(const cairn_knn_model *m)
{
    return !m->given && m->points.places && m->points.width == m->n_columns && m->metric.distance &&
           !m->metric.distance->place && !m->points.n_texts && !m->points.n_items;
}

static void write_rows(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_knn_model *m = model;
    bool places = has_places(m);
    cairn_ledger_columns(out, "nlnn", "row", "class", "target", "weight");
    if (places) cairn_learned_features(out, job, m->n_columns, false);
    for (size_t i = 0; i < m->n; i++) {
        cairn_ledger_number(out, (double)m->numbers[i] + 1);
        cairn_ledger_word(out, m->codes ? cairn_learned_class(job, m->codes[i]) : NULL);
        cairn_ledger_number(out, m->targets ? m->targets[i] : NAN);
        cairn_ledger_number(out, m->weights ? m->weights[i] : 1);
        if (places)
            cairn_learned_place(out, job, m->points.places + i * m->n_columns, m->n_columns, false);
    }
}

const cairn_learned cairn_knn_tables[] = {
    CAIRN_LEARNED("rows", "row that it keeps: its number in the table that it was fitted to",
                  write_rows),
    CAIRN_LEARNED_END};

/* -- neighbours of rows -- */

/* The model of nearest neighbours, or the one inside a wrapper; NULL where there is none. */
static const cairn_model *knn_inside(const cairn_model *model)
{
    while (model && model->learner && model->learner->tables != cairn_knn_tables)
        model = model->learner->base ? model->learner->base(model->state) : NULL;
    return model && model->learner ? model : NULL;
}

/* A row for every neighbour of every query. */
static void write_neighbours(cairn_ledger *out, const cairn_neighbours *near,
                             const cairn_knn_model *m, const cairn_job *job)
{
    cairn_ledger_columns(out, "nnnnln", "query", "rank", "row", "distance", "class", "target");
    for (size_t i = 0; i < near->n; i++)
        for (size_t r = 0; r < near->found[i]; r++) {
            size_t at = near->rows[i * near->k + r];
            cairn_ledger_number(out, (double)i + 1);
            cairn_ledger_number(out, (double)r + 1);
            cairn_ledger_number(out, (double)m->numbers[at] + 1);
            cairn_ledger_number(out, near->distances[i * near->k + r]);
            cairn_ledger_word(out, m->codes ? cairn_learned_class(job, m->codes[at]) : NULL);
            cairn_ledger_number(out, m->targets ? m->targets[at] : NAN);
        }
}

static cairn_status find_neighbours(cairn_context *ctx, cairn_ledger *out, const cairn_model *model,
                                    const cairn_view *view)
{
    const cairn_knn_model *m = model->state;
    const cairn_knn_params *params = model->params->values;
    SCOPED(cairn_knn_queries_clear) cairn_knn_queries queries = {0};
    SCOPED(cairn_neighbours_clear) cairn_neighbours near = {0};
    size_t k = (size_t)params->k < m->n ? (size_t)params->k : m->n;
    cairn_job job = cairn_model_job(model);
    CHECK(cairn_knn_ask(ctx, &queries, m, params, view));
    CHECK(cairn_search_nearest(ctx, &m->search, &queries.points, k, false, &near));
    write_neighbours(out, &near, m, &job);
    return CAIRN_OK;
}

cairn_status cairn_model_neighbours(cairn_context *ctx, cairn_table **out, const cairn_model *model,
                                    const cairn_table *table)
{
    PUBLIC_CALL(ctx);
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_ledger_clear) cairn_ledger ledger = cairn_ledger_start(ctx);
    OWNED(cairn_table_free) cairn_table *inner = NULL;
    const cairn_model *knn = knn_inside(model);
    cairn_view view;
    if (!knn)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "only models of knn know the neighbours of rows, and this one is %s%s",
                          model->learner ? "of " : "a recipe",
                          model->learner ? model->learner->entry.name : "");
    CHECK(cairn_recipe_apply(ctx, &inner, knn, table));
    CHECK(cairn_view_make(ctx, &view, inner, cairn_all_rows(inner)));
    view.target = NULL;
    CHECK(find_neighbours(ctx, &ledger, knn, &view));
    return cairn_ledger_table(&ledger, out);
}
