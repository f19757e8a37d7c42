/* SPDX-License-Identifier: MIT */
/* cairn compute sample: rows drawn from a model that says how they come about. */
#include "base/memory.h"
#include "model/sample.h"
#include "model/calculator.h"
#include "typed/shown.h"

typedef struct sample_params {
    int64_t rows;
} sample_params;

static const cairn_param sample_table[] = {
    CAIRN_PARAM(sample_params, rows, "100", "[1,100000000]", "number of rows", .often = true),
    CAIRN_PARAM_END,
};

/* How often each class was drawn. */
static void show_classes(cairn_report *out, const cairn_table *table)
{
    ptrdiff_t target = cairn_table_role_column(table, CAIRN_TARGET);
    if (target < 0 || table->slots[target].column->kind != CAIRN_LEVEL) return;
    const cairn_column *column = table->slots[target].column;
    cairn_report_table_of(out, "Classes", 50, "lrr", "class", "rows", "share");
    for (size_t k = 0; k < column->names.n; k++) {
        const char *name = cairn_level_name(column, (int32_t)k);
        double n = 0;
        for (size_t i = 0; i < table->n_rows; i++) n += column->codes[i] == (int32_t)k;
        cairn_report_cells(out, "- rows.$1 share.$1", name, n, n / (double)table->n_rows);
    }
}

/* How the first rows came about. */
static void show_steps(cairn_report *out, cairn_report *steps, const cairn_model *model)
{
    cairn_report_paragraph(out,
                           "u is drawn evenly from 0 to 1, and takes the first value whose "
                           "cumulated probability is above it; g is drawn from the normal "
                           "distribution with mean 0 and deviation 1.%s",
                           model->n_chain ? " Numbers are as the learner sees them, behind the "
                                            "transforms."
                                          : "");
    cairn_report_append(out, steps, NULL);
}

static cairn_status sample_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const sample_params *p = job->params;
    OWNED(cairn_table_free) cairn_table *table = NULL;
    OWNED(cairn_report_free) cairn_report *steps = NULL;
    bool inner;
    if (!job->model)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'%s' needs a model, such as one that 'cairn fit bayes' with {save} "
                          "writes",
                          job->what);
    if (job->steps) CHECK(cairn_report_new(ctx, &steps));
    CHECK(cairn_model_sample(ctx, &table, job->model, (size_t)p->rows, cairn_context_seed(ctx),
                             &inner, steps));
    cairn_report_heading(out, 1, "Rows drawn from a model: %s", job->model->learner->entry.title);
    cairn_report_value(out, "rows", (double)table->n_rows, "rows");
    if (steps) show_steps(out, steps, job->model);
    show_classes(out, table);
    if (inner)
        cairn_report_note(out, "Some columns were made by transforms before the learner, such as "
                               "indicators of levels, and are as the learner sees them.");
    if (job->result)
        *job->result = TAKE(table);
    else
        cairn_show_first_rows(out, table);
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_sample = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "sample",
              .also = "draw rows, simulate from a model, generative model, sampling from a model",
              .title = "Rows drawn from a model",
              .summary = "Draws rows from a model that says how they come about: a class by its "
                         "prior, then the columns by their densities in the class. The seed "
                         "decides which; numbers are in the units of the data where transforms can "
                         "be undone. --out FILE writes the rows.",
              .references = "Bishop: Pattern Recognition and Machine Learning, 2006, 1.5.4 and 11",
              .example = "cairn fit gaussian @iris --save iris.cairn && cairn compute sample "
                         "iris.cairn --rows 5",
              .params = sample_table,
              .params_size = sizeof(sample_params)},
    .arguments = "MODEL",
    .takes_model = true,
    .run = sample_run,
};
