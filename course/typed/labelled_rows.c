/* SPDX-License-Identifier: MIT */
/* Rows that are in clusters: see labelled_rows.h. */
#include "typed/labelled_rows.h"

#include "base/memory.h"
#include "base/number.h"
#include "entry/split.h"
#include "model/chain.h"

#include <stdio.h>
#include <string.h>

const cairn_param cairn_labelled_group[] = {
    CAIRN_PARAM_AS(cairn_labelled_options, clusters, CAIRN_TYPE_COLUMNS, NULL,
                   "column that holds the clusters; the target if nothing says otherwise",
                   .when = "!labels,!partition", .often = true),
    CAIRN_PARAM_AS(cairn_labelled_options, labels, CAIRN_TYPE_LIST, NULL,
                   "the cluster of every row, such as a,a,b,b,b", .when = "!partition",
                   .often = true),
    CAIRN_PARAM(cairn_labelled_options, partition, NULL, NULL,
                "row numbers of every cluster, separated by semicolons and perhaps with names: "
                "1,2;3-5 or near=1,2;far=3-5; other rows are in none",
                .often = true),
    CAIRN_PARAM_END,
};

/* -- where the labels come from; codes are those of all rows of the table -- */

/* "column species", "model of kmeans". */
static cairn_status say_source(cairn_context *ctx, cairn_labelled_rows *out, const char *what,
                               const char *name)
{
    char *text;
    size_t size = strlen(what) + strlen(name) + 2;
    CHECK(SCRATCH(ctx, &text, size));
    snprintf(text, size, "%s %s", what, name);
    out->by = text;
    return CAIRN_OK;
}

/* Levels of a column, which is no feature from now on. */
static cairn_status labels_of_column(cairn_context *ctx, cairn_labelled_rows *out, size_t at,
                                     int32_t *codes)
{
    cairn_slot *slot = &out->table->slots[at];
    if (slot->column->kind != CAIRN_LEVEL)
        CHECK(cairn_table_change_kind(ctx, out->table, at, CAIRN_LEVEL));
    slot->role = CAIRN_IGNORED;
    memcpy(codes, slot->column->codes, out->table->n_rows * sizeof *codes);
    out->n_clusters = slot->column->names.n;
    CHECK(SCRATCH(ctx, &out->names, out->n_clusters + 1));
    for (size_t k = 0; k < out->n_clusters; k++)
        out->names[k] = cairn_map_key(&slot->column->names, k);
    return say_source(ctx, out, "column", slot->name);
}

/* Clusters that have no names are called by their numbers, from 1. */
static cairn_status number_clusters(cairn_context *ctx, cairn_labelled_rows *out)
{
    enum { SIZE = 24 };
    char *texts;
    CHECK(SCRATCH(ctx, &out->names, out->n_clusters + 1));
    CHECK(SCRATCH(ctx, &texts, cairn_product(out->n_clusters + 1, SIZE)));
    for (size_t k = 0; k < out->n_clusters; k++) {
        snprintf(texts + k * SIZE, SIZE, "%zu", k + 1);
        out->names[k] = texts + k * SIZE;
    }
    return CAIRN_OK;
}

/* One cluster of a typed partition: "name=1,2,5-7", the name being optional. */
static cairn_status take_part(cairn_context *ctx, cairn_labelled_rows *out, char *part,
                              int32_t *codes)
{
    char *mark = strchr(part, '='), *rows = mark ? mark + 1 : part;
    size_t k = out->n_clusters, n;
    uint32_t *list;
    if (mark) {
        *mark = 0;
        out->names[k] = part + strspn(part, " ");
    }
    cairn_status status = cairn_row_list(ctx, &list, &n, rows, out->table->n_rows);
    if (status) cairn_message_prefix(ctx, "%s", cairn_say(ctx, "{partition}"));
    CHECK(status);
    for (size_t i = 0; i < n; i++) {
        if (codes[list[i]] >= 0)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{partition}: row %u is in cluster %s and in cluster %s; a row is in "
                              "one ({labels} takes a label for each row)",
                              list[i] + 1, out->names[codes[list[i]]], out->names[k]);
        codes[list[i]] = (int32_t)k;
    }
    out->n_clusters++;
    return CAIRN_OK;
}

static cairn_status labels_of_partition(cairn_context *ctx, cairn_labelled_rows *out,
                                        const char *text, int32_t *codes)
{
    size_t most = 1;
    for (const char *at = text; *at; at++) most += *at == ';';
    out->n_clusters = most;
    CHECK(number_clusters(ctx, out));
    out->n_clusters = 0;
    for (const char *at = text; *at;) {
        const char *end = cairn_split_next(at, ';');
        char *part;
        CHECK(SCRATCH(ctx, &part, (size_t)(end - at) + 1));
        memcpy(part, at, (size_t)(end - at));
        if (strspn(part, " ") < strlen(part)) CHECK(take_part(ctx, out, part, codes));
        at = *end ? end + 1 : end;
    }
    out->by = "typed partition";
    return CAIRN_OK;
}

/* The clusters that a model puts the rows in, and the columns as its learner sees them. */
static cairn_status labels_of_model(cairn_context *ctx, cairn_labelled_rows *out,
                                    const cairn_compute_job *job, int32_t *codes)
{
    SCOPED(cairn_prediction_clear) cairn_prediction p = {0};
    OWNED(cairn_table_free) cairn_table *matched = NULL;
    cairn_predict_wants wants = {.fitted = true};
    cairn_match match = {0};
    out->model = cairn_model_learner(job->model);
    if (cairn_model_task(job->model) != CAIRN_CLUSTER)
        return cairn_fail(ctx, CAIRN_USAGE, "'%s' needs clusters, and a model of %s makes none",
                          job->what, out->model);
    CHECK(cairn_model_predict_rows(ctx, &p, job->model, job->table, cairn_all_rows(job->table),
                                   wants, &match));
    cairn_warn_unseen(ctx, &job->model->schema, &match);
    CHECK(cairn_schema_match(ctx, &matched, &job->model->schema, job->table, false, &match));
    cairn_table_free(TAKE(out->table));
    CHECK(cairn_chain_apply(ctx, job->model, &out->table, matched));
    for (size_t i = 0; i < p.n_rows; i++) {
        codes[i] = p.codes[i];
        if (p.codes[i] >= 0 && (size_t)p.codes[i] >= out->n_clusters)
            out->n_clusters = (size_t)p.codes[i] + 1;
    }
    CHECK(say_source(ctx, out, "model of", out->model));
    return number_clusters(ctx, out);
}

/* A number that names no column was meant as the number of clusters. */
static cairn_status check_column(cairn_context *ctx, const cairn_table *table, const char *name,
                                 const char *what)
{
    double number;
    if (!cairn_number_parse(name, strlen(name), &number)) return CAIRN_OK;
    for (size_t c = 0; c < table->n_columns; c++)
        if (strcmp(table->slots[c].name, name) == 0) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE,
                      "{clusters} names the column that holds the clusters, and there is no column "
                      "'%s'; '%s' makes no clusters: fit a model ('cairn fit kmeans DATA {clusters "
                      "%s} {save MODEL}') and put it before the data",
                      name, what, name);
}

/* Which of the sources is meant. */
static cairn_status find_labels(cairn_context *ctx, cairn_labelled_rows *out,
                                const cairn_labelled_options *o, const cairn_compute_job *job,
                                int32_t *codes)
{
    ptrdiff_t target = cairn_table_role_column(out->table, CAIRN_TARGET);
    size_t column;
    if (o->labels) {
        /* A label for every row; equal ones are one cluster, in order of arrival. */
        const char *list = o->labels;
        SCOPED(cairn_map_clear) cairn_map known = {0};
        char **items;
        size_t n, k;
        CHECK(cairn_list_split(ctx, list, &items, &n));
        if (n != out->table->n_rows)
            return cairn_fail(
                ctx, CAIRN_USAGE,
                "{labels} has %zu label%s and the table %zu row%s; each row needs one", n,
                n == 1 ? "" : "s", out->table->n_rows, out->table->n_rows == 1 ? "" : "s");
        CHECK(SCRATCH(ctx, &out->names, n + 1));
        for (size_t i = 0; i < n; i++) {
            CHECK(cairn_map_add(ctx, &known, items[i], strlen(items[i]), &k));
            if (k == out->n_clusters) out->names[out->n_clusters++] = items[i];
            codes[i] = (int32_t)k;
        }
        out->by = "typed labels";
        return CAIRN_OK;
    }
    if (o->partition) return labels_of_partition(ctx, out, o->partition, codes);
    if (o->clusters) {
        CHECK(check_column(ctx, out->table, o->clusters, job->what));
        CHECK(cairn_table_get(ctx, out->table, o->clusters, &column));
        return labels_of_column(ctx, out, column, codes);
    }
    if (job->model) return labels_of_model(ctx, out, job, codes);
    if (target >= 0) return labels_of_column(ctx, out, (size_t)target, codes);
    return cairn_fail(ctx, CAIRN_USAGE,
                      "'%s' needs clusters: name their column with {clusters COLUMN}, type them "
                      "with {labels} or {partition}, or put a model before the data",
                      job->what);
}

cairn_status cairn_labelled_rows_read(cairn_context *ctx, cairn_labelled_rows *out,
                                      const cairn_labelled_options *options,
                                      const cairn_compute_job *job)
{
    SCOPED(cairn_labelled_rows_clear) cairn_labelled_rows made = {0};
    uint32_t *rows;
    size_t n = 0, all = job->table->n_rows;
    CHECK(cairn_table_share(ctx, &made.table, job->table));
    CHECK(SCRATCH_RAW_EACH(ctx, all + 1, &made.codes, &rows));
    memset(made.codes, -1, all * sizeof *made.codes);
    CHECK(find_labels(ctx, &made, options, job, made.codes));
    for (size_t i = 0; i < all; i++) {
        if (made.codes[i] < 0) continue;
        made.codes[n] = made.codes[i];
        rows[n++] = (uint32_t)i;
    }
    made.n_without = all - n;
    if (!n)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "'%s': no row is in a cluster (%s)", job->what,
                          made.by);
    CHECK(cairn_view_make(ctx, &made.view, made.table, (cairn_rows){.indices = rows, .n = n}));
    *out = made;
    made = (cairn_labelled_rows){0};
    return CAIRN_OK;
}

void cairn_labelled_rows_clear(cairn_labelled_rows *rows)
{
    cairn_table_free(rows->table);
    *rows = (cairn_labelled_rows){0};
}

cairn_status cairn_labelled_places_read(cairn_context *ctx, cairn_labelled_places *out,
                                        const cairn_labelled_rows *rows, const char *what)
{
    const cairn_view *view = &rows->view;
    size_t *chosen, n = view->rows.n;
    *out = (cairn_labelled_places){.n = n};
    CHECK(SCRATCH_EACH(ctx, view->n_features + 1, &chosen, &out->columns));
    for (size_t j = 0; j < view->n_features; j++) {
        if (view->features[j]->kind != CAIRN_NUMBER) continue;
        out->columns[out->width] = view->names[j];
        chosen[out->width++] = j;
    }
    out->n_other = view->n_features - out->width;
    if (!out->width)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "'%s' needs number columns, which have means, and there is none", what);
    CHECK(SCRATCH_RAW(ctx, &out->values, cairn_product(n, out->width)));
    CHECK(SCRATCH_RAW(ctx, &out->weights, n));
    cairn_view_weights(view, 0, n, out->weights);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < out->width; j++) {
            size_t row = cairn_view_row(view, i);
            double x = view->features[chosen[j]]->numbers[row];
            CHECK(cairn_need_finite(ctx, what, out->columns[j], row, x));
            out->values[i * out->width + j] = x;
        }
    return CAIRN_OK;
}
