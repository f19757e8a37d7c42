/* SPDX-License-Identifier: MIT */
/* cairn draw folds: which rows every split of a resampling learns from, tests on and sets aside. A
 * row of marks per split, the first at the bottom, a mark per row of the table. */
#include "pictures/picture.h"

#include "base/memory.h"
#include "resample/resample.h"

#include <stdio.h>

enum { MOST_MARKS = 100000 };

typedef struct folds_params {
    const char *by;
    int rows;
} folds_params;

static const cairn_param folds_table[] = {
    CAIRN_PARAM_AS(folds_params, by, CAIRN_TYPE_SPEC, "cv:5,shuffle=no",
                   "the resampling, such as cv:10, holdout:0.3,validation=0.2 or boot:5",
                   .names = "resampling"),
    CAIRN_PARAM(folds_params, rows, "30", "[2,10000]", "number of rows when there is no DATA"),
    CAIRN_PARAM_END,
};

/* The rows that can be used, and the classes that keep their shares. */
static cairn_status find_rows(cairn_context *ctx, cairn_plan_job *out, const cairn_table *table,
                              size_t n)
{
    uint32_t *rows;
    ptrdiff_t at = table ? cairn_table_role_column(table, CAIRN_TARGET) : -1;
    const cairn_column *target = at >= 0 ? table->slots[at].column : NULL;
    *out = (cairn_plan_job){0};
    if (table) n = table->n_rows;
    CHECK(SCRATCH_RAW(ctx, &rows, n + 1));
    for (size_t i = 0; i < n; i++)
        if (!target || !cairn_column_is_missing(target, i)) rows[out->n++] = (uint32_t)i;
    out->rows = rows;
    ptrdiff_t time = table ? cairn_time_column(table) : -1;
    if (time >= 0) out->times = table->slots[time].column->numbers;
    if (target && target->kind == CAIRN_LEVEL) {
        out->classes = target->codes;
        out->n_classes = target->names.n;
    }
    if (out->n < 2)
        CHECK(cairn_fail(ctx, CAIRN_BAD_DATA, "at least two rows are needed to part them"));
    return CAIRN_OK;
}

typedef struct marks {
    double *x, *y;
    int32_t *group; /* 0 learned from, 1 tested, 2 set aside, 3 learned from several times */
    size_t n;
} marks;

/* Rows across, splits down; only the uses that occur are in the legend, and a picture of too many
 * marks is refused rather than thinned. */
static cairn_status folds_draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    static const char *const names[] = {"learned from", "tested", "set aside",
                                        "learned from several times"};
    const folds_params *p = job->params;
    cairn_plan_job rows;
    cairn_plan plan;
    marks m = {0};
    char title[160];
    size_t used = 2;
    CHECK(find_rows(ctx, &rows, job->table, (size_t)p->rows));
    CHECK(cairn_plan_make(ctx, &plan, p->by, rows));
    size_t splits = cairn_plan_splits(&plan), n = cairn_product(splits, plan.n);
    if (n > MOST_MARKS)
        CHECK(cairn_fail(ctx, CAIRN_USAGE,
                         "%zu splits of %zu rows are too many marks for a picture; draw fewer",
                         splits, plan.n));
    CHECK(SCRATCH(ctx, &m.x, n + 1));
    CHECK(SCRATCH(ctx, &m.y, n + 1));
    CHECK(SCRATCH(ctx, &m.group, n + 1));
    for (size_t s = 0; s < splits; s++) {
        const int32_t *folds = plan.folds + s / plan.n_tested * plan.n;
        int32_t tested = (int32_t)(s % plan.n_tested);
        for (size_t i = 0; i < plan.n; i++) {
            int32_t group = folds[i] == tested ? 1 : folds[i] < 0 ? 2 : 0;
            if (plan.draws) group = folds[i] == 0 ? 1 : folds[i] > 1 ? 3 : 0;
            m.x[m.n] = plan.rows[i] + 1;
            m.y[m.n] = (double)s + 1;
            m.group[m.n++] = group;
        }
    }
    for (size_t i = 0; i < m.n; i++)
        if ((size_t)m.group[i] >= used) used = (size_t)m.group[i] + 1;
    snprintf(title, sizeof title, "%s of %zu rows", p->by, plan.n);
    CHECK(cairn_figure_new(ctx, out, "folds", title));
    cairn_figure_axes(*out, "row", "split");
    cairn_figure_points(*out, m.x, m.y, m.group, m.n, names, used);
    cairn_figure_y_range(*out, 0.5, (double)splits + 0.5);
    double height = 90 + 22 * (double)splits;
    cairn_figure_size(*out, 560, height > 900 ? 900 : height < 200 ? 200 : height);
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_folds = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "folds",
                .also = "cross-validation picture, splits of the data",
                .title = "Parts of the rows in every split",
                .summary = "Draws a resampling: for every split which rows are learned from, which "
                           "are tested, and which are set aside (or drawn several times by a "
                           "bootstrap). With DATA its rows and classes are split, else so many "
                           "rows as --rows says.",
                .example = "cairn draw folds --by cv:5,shuffle=no --out folds.svg",
                .params = folds_table,
                .params_size = sizeof(folds_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .draw = folds_draw,
};
