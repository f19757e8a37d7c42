/* SPDX-License-Identifier: MIT */
/* Centres, medoids and exemplars of models: see model_centres.h. */
#include "compute/geometry/model_centres.h"

#include "base/memory.h"
#include "learners/cluster/kmeans.h"
#include "learners/cluster/kmedoids.h"
#include "learners/neighbours/nearest_exemplar.h"
#include "model/model.h"

#include <stdio.h>
#include <string.h>

/* Places of a model that each answer for what is nearest to them. */
typedef struct centres {
    size_t n, width;
    const double *values; /* n x width; NULL = the model has none */
    const int32_t *codes; /* n: classes; NULL = clusters in their order */
    const char *distance;
} centres;

/* Rows of a distance that moves places are no longer those of the columns. */
static centres centres_of(const cairn_model *model)
{
    const char *name = model->learner ? model->learner->entry.name : "";
    if (strcmp(name, "kmeans") == 0) {
        const cairn_kmeans_model *m = model->state;
        const cairn_kmeans_params *p = model->params->values;
        if (p->form == CAIRN_KMEANS_SPHERICAL) return (centres){0};
        return (centres){m->n_clusters, m->n_columns, m->centres, NULL, "euclidean"};
    }
    if (strcmp(name, "kmedoids") == 0) {
        const cairn_kmedoids_model *m = model->state;
        const cairn_kmedoids_params *p = model->params->values;
        if (m->rows.given || m->rows.metric.distance->place) return (centres){0};
        return (centres){m->n_clusters, m->rows.points.width, m->rows.points.places, NULL,
                         p->distance};
    }
    if (strcmp(name, "nearest-exemplar") == 0) {
        cairn_exemplar_places e = cairn_nearest_exemplar_places(model->state);
        return (centres){e.n, e.width, e.values, e.codes,
                         cairn_params_text(model->params, "distance")};
    }
    return (centres){0};
}

/* "cluster 1", or the class. Scratch. */
static cairn_status name_centres(cairn_context *ctx, const char ***out, const centres *c,
                                 const cairn_model *model)
{
    enum { SIZE = 32 };
    char *texts;
    CHECK(SCRATCH(ctx, out, c->n + 1));
    CHECK(SCRATCH(ctx, &texts, cairn_product(c->n + 1, SIZE)));
    for (size_t i = 0; i < c->n; i++) {
        snprintf(texts + i * SIZE, SIZE, "cluster %zu", i + 1);
        (*out)[i] = c->codes ? cairn_schema_class(&model->schema, c->codes[i]) : texts + i * SIZE;
    }
    return CAIRN_OK;
}

/* A column for each feature that the learner saw. */
static cairn_status fill_table(cairn_context *ctx, cairn_table *table, const centres *c,
                               const cairn_schema *schema)
{
    double *column;
    size_t at = 0;
    CHECK(SCRATCH_RAW(ctx, &column, c->n + 1));
    for (size_t f = 0; f < schema->n_fields && at < c->width; f++) {
        if (schema->fields[f].role != CAIRN_FEATURE) continue;
        for (size_t i = 0; i < c->n; i++) column[i] = c->values[i * c->width + at];
        CHECK(cairn_table_put_numbers(ctx, table, schema->fields[f].name, column));
        at++;
    }
    return CAIRN_OK;
}

cairn_status cairn_model_centres(cairn_context *ctx, cairn_table **out, const char **distance,
                                 const cairn_compute_job *job)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    const cairn_model *model = job->model;
    centres c = centres_of(model);
    const char **names;
    if (!c.values)
        return cairn_fail(
            ctx, CAIRN_USAGE,
            "'%s' takes a model whose answer is the nearest of some places: kmeans, "
            "kmedoids of number columns, nearest-exemplar; 'cairn draw regions' shows "
            "what this model of %s says over two columns",
            job->what, cairn_model_learner(model));
    if (c.width != 2)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'%s' draws the plane of two columns, and the model compares %zu; fit it "
                          "to two ({features A,B}), or cut through it with 'cairn draw regions'",
                          job->what, c.width);
    CHECK(name_centres(ctx, &names, &c, model));
    CHECK(cairn_table_new(ctx, &table, c.n));
    CHECK(fill_table(ctx, table, &c, &model->inner));
    CHECK(cairn_table_add_texts(ctx, table, "centre of", names));
    CHECK(cairn_table_set_role(ctx, table, "centre of", CAIRN_ID));
    *distance = c.distance;
    *out = TAKE(table);
    return CAIRN_OK;
}
