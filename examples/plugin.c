/* SPDX-License-Identifier: MIT */
/* A learner of the program's own: the mean of the k target values whose rows are nearest in one
 * column. It is registered once; then cross-validation, tuning, bagging and model files know it. */
#include <cairn/cairn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    int k;
} settings;

static const cairn_plugin_param params[] = {
    {"k", CAIRN_TYPE_INT, offsetof(settings, k), "3", "[1,inf)", NULL, "rows that are averaged",
     NULL},
    {NULL, CAIRN_TYPE_INT, 0, NULL, NULL, NULL, NULL, NULL}};

/* What is learned: n pairs of a feature and a target, sorted by the feature. */
typedef struct pairs {
    size_t n;
    double xy[][2];
} pairs;

static int by_x(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return x[0] < y[0] ? -1 : x[0] > y[0];
}

static cairn_status fit(cairn_context *ctx, const cairn_job *job, void **state, void *data)
{
    size_t n = cairn_job_rows(job);
    const settings *set = cairn_job_settings(job);
    (void)data;
    if (cairn_job_columns(job) != 1)
        return cairn_plugin_fail(ctx, CAIRN_BAD_DATA,
                                 "'near-mean' learns from one column; choose it with features");
    if ((size_t)set->k > n)
        return cairn_plugin_fail(ctx, CAIRN_BAD_DATA, "'k' is larger than the number of rows");
    pairs *p = malloc(sizeof *p + n * sizeof *p->xy);
    if (!p) return cairn_plugin_fail(ctx, CAIRN_NO_MEMORY, "there is no memory for the rows");
    p->n = n;
    for (size_t i = 0; i < n; i++) {
        cairn_job_read(job, i, 1, &p->xy[i][0]);
        cairn_job_target_numbers(job, i, 1, &p->xy[i][1]);
    }
    qsort(p->xy, n, sizeof *p->xy, by_x);
    cairn_show_paragraph(cairn_job_steps(job), "The rows are sorted by their one feature.");
    *state = p;
    return CAIRN_OK;
}

/* The mean target of the k rows nearest to x: a window over the sorted rows moves to the right as
 * long as that brings it nearer. */
static double answer(const pairs *p, size_t k, double x)
{
    size_t first = 0;
    double sum = 0;
    while (first + k < p->n && fabs(p->xy[first + k][0] - x) < fabs(p->xy[first][0] - x)) first++;
    for (size_t i = first; i < first + k; i++) sum += p->xy[i][1];
    return sum / (double)k;
}

static cairn_status predict(cairn_context *ctx, const cairn_job *job, const void *state,
                            cairn_plugin_answers *out, void *data)
{
    const settings *set = cairn_job_settings(job);
    (void)ctx, (void)data;
    for (size_t i = 0; i < out->n_rows; i++) {
        double x;
        cairn_job_read(job, i, 1, &x);
        out->numbers[i] = answer(state, (size_t)set->k, x);
    }
    return CAIRN_OK;
}

static cairn_status save(cairn_context *ctx, const void *state, cairn_sink *out, void *data)
{
    const pairs *p = state;
    (void)data;
    return cairn_sink_write(ctx, out, p->xy, p->n * sizeof *p->xy);
}

/* A file may come from a stranger: what `fit` promises is looked for. */
static cairn_status load(cairn_context *ctx, const cairn_job *job, const void *bytes, size_t n,
                         void **state, void *data)
{
    const settings *set = cairn_job_settings(job);
    size_t rows = n / sizeof(double[2]);
    (void)data;
    if (n % sizeof(double[2]) || rows < (size_t)set->k)
        return cairn_plugin_fail(ctx, CAIRN_BAD_DATA, "there are fewer rows than 'k'");
    pairs *p = malloc(sizeof *p + n);
    if (!p) return cairn_plugin_fail(ctx, CAIRN_NO_MEMORY, "there is no memory for the rows");
    p->n = rows;
    memcpy(p->xy, bytes, n);
    *state = p;
    return CAIRN_OK;
}

static void release(void *state, void *data)
{
    (void)data;
    free(state);
}

static const cairn_plugin_learner near_mean = {
    .size = sizeof(cairn_plugin_learner),
    .name = "near-mean",
    .title = "Mean of the nearest rows",
    .summary = "The mean target of the {k} rows that are nearest in the one feature.",
    .params = params,
    .params_size = sizeof(settings),
    .tasks = CAIRN_REGRESS,
    .fit = fit,
    .predict = predict,
    .save = save,
    .load = load,
    .release = release,
};

int main(void)
{
    static const char *const line[] = {"evaluate",   "near-mean:k=5", "@piq",
                                       "--features", "brain",         "--by",
                                       "cv:5",       "--measure",     "mae"};
    cairn_context *ctx = NULL;
    cairn_report *report = NULL;
    double mae = 0;
    bool failed = cairn_context_new(&ctx, NULL) || cairn_register_learner(ctx, &near_mean) ||
                  cairn_report_new(ctx, &report) ||
                  cairn_run(ctx, report, (int)(sizeof line / sizeof *line), line) ||
                  !cairn_report_number(report, "mae", &mae);
    if (failed)
        fprintf(stderr, "%s\n", cairn_message(ctx));
    else
        printf("mean absolute error of near-mean: %.2f\n", mae);
    cairn_report_free(report);
    cairn_context_free(ctx);
    return failed;
}
