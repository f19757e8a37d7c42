/* SPDX-License-Identifier: MIT */
/* Records of a program's own for tests: a classifier by class means, a clusterer by halves, a
 * transform that subtracts the training mean, one that drops rows, and a format of lines. They use
 * the public headers only. */
#ifndef CAIRN_TESTS_OWN_RECORDS_H
#define CAIRN_TESTS_OWN_RECORDS_H

#include <cairn/cairn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int own_states; /* alive; atomic */

/* -- class means: the class whose mean is nearest, or for numbers the mean of the target -- */

typedef struct means_settings {
    double shrink; /* towards the mean of all rows */
    int power;
    bool loud;
    int distance;
    const char *note;
} means_settings;

typedef struct means_state {
    uint64_t n_columns, n_classes; /* 0 classes: a regression */
    double *numbers;               /* n_classes x (n_columns + 1) or one: mean, share */
} means_state;

static size_t means_length(const means_state *s)
{
    return s->n_classes ? s->n_classes * (s->n_columns + 1) : 1;
}

static means_state *means_new(uint64_t n_columns, uint64_t n_classes)
{
    means_state *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->n_columns = n_columns;
    s->n_classes = n_classes;
    s->numbers = calloc(means_length(s) ? means_length(s) : 1, sizeof *s->numbers);
    __atomic_add_fetch(&own_states, 1, __ATOMIC_RELAXED);
    return s;
}

static void means_release(void *state, void *data)
{
    means_state *s = state;
    (void)data;
    free(s->numbers);
    free(s);
    __atomic_sub_fetch(&own_states, 1, __ATOMIC_RELAXED);
}

/* Weighted sums of each class, then means. */
static void means_of_classes(const cairn_job *job, means_state *s, double *row)
{
    size_t width = s->n_columns + 1;
    double total = 0;
    for (size_t i = 0; i < cairn_job_rows(job); i++) {
        int32_t code;
        double weight;
        cairn_job_read(job, i, 1, row);
        cairn_job_target_codes(job, i, 1, &code);
        cairn_job_weights(job, i, 1, &weight);
        double *sums = s->numbers + (size_t)code * width;
        for (size_t j = 0; j < s->n_columns; j++) sums[j] += weight * row[j];
        sums[s->n_columns] += weight;
        total += weight;
    }
    for (size_t c = 0; c < s->n_classes; c++) {
        double *sums = s->numbers + c * width, share = sums[s->n_columns];
        for (size_t j = 0; j < s->n_columns; j++) sums[j] /= share > 0 ? share : 1;
        sums[s->n_columns] = share / total;
    }
}

static void mean_of_target(const cairn_job *job, means_state *s)
{
    double sum = 0, total = 0;
    for (size_t i = 0; i < cairn_job_rows(job); i++) {
        double y, weight;
        cairn_job_target_numbers(job, i, 1, &y);
        cairn_job_weights(job, i, 1, &weight);
        sum += weight * y;
        total += weight;
    }
    s->numbers[0] = sum / total;
}

static cairn_status means_fit(cairn_context *ctx, const cairn_job *job, void **state, void *data)
{
    const means_settings *p = cairn_job_settings(job);
    bool classes = cairn_job_task(job) == CAIRN_CLASSIFY;
    size_t n = cairn_job_columns(job);
    double *row = calloc(n + 1, sizeof *row);
    means_state *s = row ? means_new(n, classes ? cairn_job_class_count(job) : 0) : NULL;
    *state = s;
    if (data && !strcmp(data, "fails")) {
        free(row);
        return CAIRN_NO_SOLUTION; /* without a word */
    }
    if (!s) return cairn_plugin_fail(ctx, CAIRN_NO_MEMORY, "no memory for the means");
    if (classes)
        means_of_classes(job, s, row);
    else
        mean_of_target(job, s);
    free(row);
    cairn_report *steps = cairn_job_steps(job);
    cairn_show_heading(steps, 2, "Means");
    cairn_show_formula(steps, "m = \xce\xa3 x / n");
    cairn_show_number(steps, "columns", (double)n, "means.columns");
    if (p->loud) cairn_show_word(steps, "note", p->note ? p->note : "none", "means.note");
    return cairn_plugin_tick(ctx, NULL, 1, 1);
}

static cairn_status means_predict(cairn_context *ctx, const cairn_job *job, const void *state,
                                  cairn_plugin_answers *out, void *data)
{
    const means_settings *p = cairn_job_settings(job);
    const means_state *s = state;
    size_t width = s->n_columns + 1;
    double *row = calloc(width, sizeof *row);
    (void)data;
    if (!row) return cairn_plugin_fail(ctx, CAIRN_NO_MEMORY, "no memory for a row");
    for (size_t i = 0; i < out->n_rows; i++) {
        double sum = 0;
        if (out->numbers) out->numbers[i] = s->numbers[0];
        if (!out->scores) continue;
        cairn_job_read(job, i, 1, row);
        for (size_t c = 0; c < s->n_classes; c++) {
            double d = 0;
            for (size_t j = 0; j < s->n_columns; j++)
                d += pow(fabs(row[j] - s->numbers[c * width + j]), p->power);
            out->scores[i * s->n_classes + c] = 1 / (1 + d + p->shrink);
            sum += 1 / (1 + d + p->shrink);
        }
        for (size_t c = 0; c < s->n_classes; c++) out->scores[i * s->n_classes + c] /= sum;
    }
    free(row);
    return CAIRN_OK;
}

static cairn_status means_save(cairn_context *ctx, const void *state, cairn_sink *out, void *data)
{
    const means_state *s = state;
    cairn_status status = cairn_sink_write(ctx, out, &s->n_columns, 2 * sizeof s->n_columns);
    (void)data;
    if (status) return status;
    return cairn_sink_write(ctx, out, s->numbers, means_length(s) * sizeof *s->numbers);
}

static cairn_status means_load(cairn_context *ctx, const cairn_job *job, const void *bytes,
                               size_t n, void **state, void *data)
{
    uint64_t head[2];
    (void)data;
    if (n < sizeof head) return cairn_plugin_fail(ctx, CAIRN_BAD_DATA, "the head is cut off");
    memcpy(head, bytes, sizeof head);
    if (head[0] != cairn_job_columns(job) || head[1] != cairn_job_class_count(job))
        return cairn_plugin_fail(ctx, CAIRN_BAD_DATA, "columns or classes differ");
    means_state *s = means_new(head[0], head[1]);
    *state = s;
    if (!s) return cairn_plugin_fail(ctx, CAIRN_NO_MEMORY, "no memory for the means");
    if (n - sizeof head != means_length(s) * sizeof *s->numbers)
        return cairn_plugin_fail(ctx, CAIRN_BAD_DATA, "the means are cut off");
    memcpy(s->numbers, (const char *)bytes + sizeof head, n - sizeof head);
    return CAIRN_OK;
}

static void means_describe(cairn_report *report, const cairn_job *job, const void *state,
                           void *data)
{
    const means_state *s = state;
    (void)data;
    cairn_show_heading(report, 2, "Class means");
    for (size_t c = 0; c < s->n_classes; c++) {
        char name[64];
        snprintf(name, sizeof name, "share.%zu", c + 1);
        cairn_show_number(report, cairn_job_class(job, c),
                          s->numbers[c * (s->n_columns + 1) + s->n_columns], name);
    }
    if (!s->n_classes) cairn_show_number(report, "mean", s->numbers[0], "mean");
}

static double means_parameters(const void *state, void *data)
{
    (void)data;
    return (double)means_length(state);
}

static const char *const means_distances[] = {"plain", "squared", NULL};
static const cairn_plugin_param means_params[] = {
    {"shrink", CAIRN_TYPE_REAL, offsetof(means_settings, shrink), "0", "[0,inf)", NULL,
     "added to every distance", NULL},
    {"power", CAIRN_TYPE_INT, offsetof(means_settings, power), "2", "[1,8]", NULL,
     "of the differences", NULL},
    {"loud", CAIRN_TYPE_BOOL, offsetof(means_settings, loud), "no", NULL, NULL,
     "show the note among the steps", NULL},
    {"distance-kind", CAIRN_TYPE_CHOICE, offsetof(means_settings, distance), "plain", NULL,
     means_distances, "which distance", NULL},
    {"note", CAIRN_TYPE_TEXT, offsetof(means_settings, note), NULL, NULL, NULL, "what to show",
     "loud"},
    {0}};

static const cairn_plugin_learner own_means = {
    .size = sizeof(cairn_plugin_learner),
    .name = "class-means",
    .title = "Class means",
    .summary = "The class whose mean is nearest. For numbers the mean of the target.",
    .also = "nearest centroid of mine",
    .params = means_params,
    .params_size = sizeof(means_settings),
    .tasks = CAIRN_CLASSIFY | CAIRN_REGRESS,
    .flags = CAIRN_PLUGIN_WEIGHTS | CAIRN_PLUGIN_SCORES | CAIRN_PLUGIN_PROBABILITIES,
    .fit = means_fit,
    .predict = means_predict,
    .save = means_save,
    .load = means_load,
    .release = means_release,
    .describe = means_describe,
    .parameters = means_parameters,
};

/* -- halves: two clusters by the mean of the first column; codes without scores -- */

static cairn_status halves_fit(cairn_context *ctx, const cairn_job *job, void **state, void *data)
{
    means_state *s = means_new(cairn_job_columns(job), 0);
    double *row = calloc(cairn_job_columns(job) + 1, sizeof *row);
    (void)data;
    *state = s;
    if (!s || !row) return cairn_plugin_fail(ctx, CAIRN_NO_MEMORY, "no memory");
    for (size_t i = 0; i < cairn_job_rows(job); i++) {
        cairn_job_read(job, i, 1, row);
        s->numbers[0] += row[0] / (double)cairn_job_rows(job);
    }
    free(row);
    return CAIRN_OK;
}

static cairn_status halves_predict(cairn_context *ctx, const cairn_job *job, const void *state,
                                   cairn_plugin_answers *out, void *data)
{
    const means_state *s = state;
    double *row = calloc(cairn_job_columns(job) + 1, sizeof *row);
    if (!row) return cairn_plugin_fail(ctx, CAIRN_NO_MEMORY, "no memory");
    for (size_t i = 0; i < out->n_rows; i++) {
        cairn_job_read(job, i, 1, row);
        out->codes[i] = data ? 7 : row[0] > s->numbers[0];
    }
    out->codes_set = true;
    free(row);
    return CAIRN_OK;
}

static size_t halves_clusters(const void *state, void *data)
{
    (void)state, (void)data;
    return 2;
}

static const cairn_plugin_learner own_halves = {
    .size = sizeof(cairn_plugin_learner),
    .name = "halves",
    .tasks = CAIRN_CLUSTER,
    .fit = halves_fit,
    .predict = halves_predict,
    .save = means_save,
    .load = means_load,
    .release = means_release,
    .clusters = halves_clusters,
};

/* -- centre: every number column less its training mean -- */

typedef struct centre_state {
    uint64_t n;
    double means[64];
} centre_state;

static cairn_status centre_fit(cairn_context *ctx, const cairn_job *job, void **state, void *data)
{
    centre_state *s = calloc(1, sizeof *s);
    double row[64];
    (void)data;
    if (!s) return cairn_plugin_fail(ctx, CAIRN_NO_MEMORY, "no memory");
    __atomic_add_fetch(&own_states, 1, __ATOMIC_RELAXED);
    *state = s;
    s->n = cairn_job_columns(job);
    if (s->n > 64) return cairn_plugin_fail(ctx, CAIRN_BAD_DATA, "centre takes 64 columns");
    for (size_t i = 0; i < cairn_job_rows(job); i++) {
        cairn_job_read(job, i, 1, row);
        for (size_t j = 0; j < s->n; j++) s->means[j] += row[j] / (double)cairn_job_rows(job);
    }
    cairn_show_paragraph(cairn_job_steps(job), "Means are subtracted.");
    return CAIRN_OK;
}

static cairn_status centre_apply(cairn_context *ctx, const void *settings, const void *state,
                                 const cairn_table *table, cairn_table **out, void *data)
{
    const centre_state *s = state;
    size_t n_rows = cairn_table_rows(table), feature = 0;
    double *numbers = calloc(n_rows + 1, sizeof *numbers);
    cairn_status status = cairn_table_copy(ctx, out, table);
    (void)settings, (void)data;
    for (size_t j = 0; !status && j < cairn_table_columns(table); j++) {
        const char *name = cairn_table_name(table, j);
        char moved[128];
        if (cairn_table_role(table, j) != CAIRN_FEATURE || feature >= s->n) continue;
        double mean = s->means[feature++];
        if (cairn_table_kind(table, j) != CAIRN_NUMBER) continue;
        for (size_t i = 0; i < n_rows; i++) numbers[i] = cairn_table_numbers(table, j)[i] - mean;
        snprintf(moved, sizeof moved, "%s centred", name);
        status = cairn_table_drop(ctx, *out, name);
        if (!status) status = cairn_table_add_numbers(ctx, *out, moved, numbers);
    }
    free(numbers);
    return status;
}

static cairn_status centre_save(cairn_context *ctx, const void *state, cairn_sink *out, void *data)
{
    (void)data;
    return cairn_sink_write(ctx, out, state, sizeof(centre_state));
}

static cairn_status centre_load(cairn_context *ctx, const cairn_job *job, const void *bytes,
                                size_t n, void **state, void *data)
{
    (void)job, (void)data;
    if (n != sizeof(centre_state) || ((const centre_state *)bytes)->n > 64)
        return cairn_plugin_fail(ctx, CAIRN_BAD_DATA, "this is no state of centre");
    if (!(*state = malloc(n))) return cairn_plugin_fail(ctx, CAIRN_NO_MEMORY, "no memory");
    __atomic_add_fetch(&own_states, 1, __ATOMIC_RELAXED);
    memcpy(*state, bytes, n);
    return CAIRN_OK;
}

static void centre_release(void *state, void *data)
{
    (void)data;
    free(state);
    __atomic_sub_fetch(&own_states, 1, __ATOMIC_RELAXED);
}

static void centre_describe(cairn_report *report, const cairn_job *job, const void *state,
                            void *data)
{
    (void)job, (void)data;
    cairn_show_number(report, "first mean", ((const centre_state *)state)->means[0],
                      "centre.first");
}

static const cairn_plugin_transform own_centre = {
    .size = sizeof(cairn_plugin_transform),
    .name = "centre-mine",
    .title = "Centre",
    .flags = CAIRN_PLUGIN_COMPLETE,
    .fit = centre_fit,
    .apply = centre_apply,
    .save = centre_save,
    .load = centre_load,
    .release = centre_release,
    .describe = centre_describe,
};

/* -- half: every second training row -- */

static cairn_status half_apply(cairn_context *ctx, const void *settings, const void *state,
                               const cairn_table *table, cairn_table **out, void *data)
{
    size_t n = (cairn_table_rows(table) + 1) / 2;
    size_t *rows = calloc(n + 1, sizeof *rows);
    (void)settings, (void)state, (void)data;
    if (!rows) return cairn_plugin_fail(ctx, CAIRN_NO_MEMORY, "no memory");
    for (size_t i = 0; i < n; i++) rows[i] = 2 * i;
    cairn_status status = cairn_table_take(ctx, out, table, rows, n);
    free(rows);
    return status;
}

static const cairn_plugin_transform own_half = {.size = sizeof(cairn_plugin_transform),
                                                .name = "half",
                                                .flags = CAIRN_PLUGIN_CHANGES_ROWS,
                                                .apply = half_apply};

/* -- tally: a number on each line, in a column `tally` -- */

static bool tally_detect(const char *name, const char *head, size_t n, void *data)
{
    (void)name, (void)data;
    return n > 6 && memcmp(head, "tally\n", 6) == 0;
}

static cairn_status tally_read(cairn_context *ctx, cairn_stream *in, cairn_table **out, void *data)
{
    char bytes[4096];
    size_t n = 0, got = 1;
    double numbers[512];
    size_t rows = 0;
    (void)data;
    while (n < sizeof bytes - 1 && got) {
        cairn_status status = cairn_stream_read(ctx, in, bytes + n, sizeof bytes - 1 - n, &got);
        if (status) return status;
        n += got;
    }
    bytes[n] = 0;
    for (char *at = strchr(bytes, '\n'), *end; at && at[1] && rows < 512; at = end) {
        numbers[rows++] = strtod(at + 1, &end);
        if (end == at + 1) {
            char said[200];
            snprintf(said, sizeof said, "%s: line %zu holds no number; mend it",
                     cairn_stream_name(in), rows + 1);
            return cairn_plugin_fail(ctx, CAIRN_BAD_DATA, said);
        }
    }
    cairn_status status = cairn_table_new(ctx, out, rows);
    return status ? status : cairn_table_add_numbers(ctx, *out, "tally", numbers);
}

static cairn_status tally_write(cairn_context *ctx, const cairn_table *table, cairn_sink *out,
                                void *data)
{
    cairn_status status = cairn_sink_write(ctx, out, "tally\n", 6);
    (void)data;
    for (size_t i = 0; !status && i < cairn_table_rows(table); i++) {
        char line[128];
        size_t n = cairn_table_cell(table, 0, i, line, sizeof line - 1);
        line[n++] = '\n';
        status = cairn_sink_write(ctx, out, line, n);
    }
    return status;
}

static const cairn_plugin_format own_tally = {.size = sizeof(cairn_plugin_format),
                                              .name = "tally",
                                              .title = "Numbers, one on a line",
                                              .extensions = "tal",
                                              .detect = tally_detect,
                                              .read = tally_read,
                                              .write = tally_write};

#endif
