/* SPDX-License-Identifier: MIT */
/* Pictures of rows that were clustered by density. */
#include "base/memory.h"
#include "data/shape.h"
#include "learners/cluster/dense_rows.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* -- cells -- */

void cairn_density_cell(cairn_report *out, double value, const char *name, ...)
{
    char full[80] = "";
    va_list arguments;
    va_start(arguments, name);
    if (name) vsnprintf(full, sizeof full, name, arguments);
    va_end(arguments);
    if (!isinf(value)) {
        cairn_report_cell_number(out, value, 6, name ? "%s" : NULL, full);
        return;
    }
    if (name) cairn_report_hidden(out, value, "%s", full);
    cairn_report_cell(out, "∞");
}

/* -- keeping -- */

static void choose_columns(cairn_density_sample *s, const cairn_view *view)
{
    s->n_columns = 0;
    if (view->table->shape == CAIRN_SHAPE_DISTANCES) return;
    for (size_t j = 0; j < view->n_features && s->n_columns < 2; j++)
        if (view->features[j]->kind == CAIRN_NUMBER) s->columns[s->n_columns++] = (int32_t)j;
}

cairn_status cairn_density_sample_keep(cairn_context *ctx, cairn_density_sample *out,
                                       const cairn_density *density, const cairn_view *view,
                                       const int32_t *clusters)
{
    size_t step = (density->n + CAIRN_DENSITY_SAMPLE - 1) / CAIRN_DENSITY_SAMPLE;
    if (step == 0) step = 1;
    size_t n = (density->n + step - 1) / step;
    choose_columns(out, view);
    CHECK(NEW(ctx, &out->places, n * out->n_columns));
    CHECK(NEW_EACH(ctx, n, &out->clusters, &out->rows));
    out->n = n;
    for (size_t i = 0; i < n; i++) {
        size_t row = cairn_view_row(view, cairn_density_at(density, i * step));
        for (size_t t = 0; t < out->n_columns; t++)
            out->places[i * out->n_columns + t] = view->features[out->columns[t]]->numbers[row];
        out->clusters[i] = clusters[i * step];
        out->rows[i] = (int32_t)row;
    }
    return CAIRN_OK;
}

/* -- drawing -- */

static const char *column_title(const cairn_density_sample *s, const cairn_job *job, size_t at)
{
    const cairn_field *field = NULL;
    if (at < s->n_columns) field = cairn_schema_feature(job->schema, (size_t)s->columns[at]);
    return field ? field->name : "";
}

cairn_status cairn_density_figure(cairn_context *ctx, cairn_figure **out,
                                  const cairn_density_sample *sample, const cairn_job *job,
                                  const char *name, const char *title)
{
    *out = NULL;
    if (sample->n_columns == 0 || sample->n < 2) return CAIRN_OK;
    CHECK(cairn_figure_new(ctx, out, name, title));
    cairn_figure_axes(*out, column_title(sample, job, 0), column_title(sample, job, 1));
    return CAIRN_OK;
}

cairn_status cairn_density_points(cairn_context *ctx, cairn_figure *figure,
                                  const cairn_density_sample *sample, const int32_t *groups,
                                  const char *const *names, size_t n_groups)
{
    double *x, *y;
    CHECK(SCRATCH_EACH(ctx, sample->n, &x, &y));
    for (size_t i = 0; i < sample->n; i++) {
        x[i] = sample->places[i * sample->n_columns];
        y[i] = sample->n_columns > 1 ? sample->places[i * sample->n_columns + 1] : groups[i] + 1.0;
    }
    cairn_figure_points(figure, x, y, groups, sample->n, names, n_groups);
    return CAIRN_OK;
}

cairn_status cairn_density_clusters_figure(cairn_context *ctx, cairn_figure **out,
                                           const cairn_density_sample *sample, size_t n_clusters,
                                           const cairn_job *job)
{
    enum { SIZE = 32 };
    const char **names;
    char *text;
    SCOPED_SCRATCH(ctx);
    CHECK(cairn_density_figure(ctx, out, sample, job, "clusters", "Clusters; noise is grey"));
    if (!*out) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &names, n_clusters + 1));
    CHECK(SCRATCH(ctx, &text, (n_clusters + 1) * SIZE));
    for (size_t c = 0; c < n_clusters; c++) {
        snprintf(text + c * SIZE, SIZE, "cluster %zu", c + 1);
        names[c] = text + c * SIZE;
    }
    return cairn_density_points(ctx, *out, sample, sample->clusters, names, n_clusters);
}

const cairn_kept cairn_density_sample_keeps[] = {
    KEEP_SIZE(cairn_density_sample, n, CAIRN_DENSITY_SAMPLE, .name = "n_sample"),
    KEEP_SIZE(cairn_density_sample, n_columns, 2, .name = "sample_columns"),
    KEEP_CHOICE(cairn_density_sample, columns[0], 0, INT32_MAX, "its picture has no columns",
                .name = "sample_x"),
    KEEP_CHOICE(cairn_density_sample, columns[1], 0, INT32_MAX, "its picture has no columns",
                .name = "sample_y"),
    KEEP_ARRAY(cairn_density_sample, places, "n*n_columns", .name = "sample_places"),
    KEEP_ARRAY(cairn_density_sample, clusters, "n", .name = "sample_clusters"),
    KEEP_ARRAY(cairn_density_sample, rows, "n", .name = "sample_rows"),
    KEEP_END,
};

cairn_status cairn_density_sample_archive(cairn_archive *archive, cairn_density_sample *sample)
{
    return cairn_kept_archive(archive, cairn_density_sample_keeps, sample, NULL, NULL, NULL);
}

void cairn_density_sample_clear(cairn_density_sample *sample)
{
    cairn_kept_clear(cairn_density_sample_keeps, sample);
}
