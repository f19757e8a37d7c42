/* SPDX-License-Identifier: MIT */
/* A tree fitted in one line, with its report and steps. */
#ifndef CAIRN_TESTS_FITTED_H
#define CAIRN_TESTS_FITTED_H

#include "support/unit.h"
#include "cairn/cairn.h"
#include "learners/tree/grow/grow.h"
#include "model/model.h"
#include "report/report.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct fitted {
    cairn_context *ctx;
    cairn_table *table;
    cairn_model *model;
    cairn_report *report;
} fitted;

/* `source` is "@name" or the text of a CSV file; the target is its last column unless named. */
static inline cairn_table *table_of(cairn_context *ctx, const char *source, const char *target,
                                    const char *kinds)
{
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    cairn_table *table = NULL;
    options.kinds = kinds;
    if (source[0] == '@')
        assert_ok(ctx, cairn_table_read(ctx, &table, source, &options));
    else
        assert_ok(ctx, cairn_table_read_memory(ctx, &table, "data.csv", source, strlen(source),
                                               &options));
    if (!target) target = cairn_table_name(table, cairn_table_columns(table) - 1);
    assert_ok(ctx, cairn_table_set_role(ctx, table, target, CAIRN_TARGET));
    return table;
}

static inline cairn_status try_fit(cairn_context *ctx, cairn_model **out, const cairn_table *table,
                                   const char *spec, cairn_task task, cairn_report *steps)
{
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_params *params = NULL;
    cairn_status status;
    options.task = task;
    options.steps = steps;
    status = cairn_params_new(ctx, &params, spec);
    if (!status) status = cairn_model_fit(ctx, out, params, table, &options);
    cairn_params_free(params);
    return status;
}

/* Fit with a given text; NULL and a message in the context when it is refused. */
static inline cairn_model *fit_given(cairn_context *ctx, const cairn_table *table, const char *spec,
                                     const char *text)
{
    char path[] = "/tmp/cairn-test-given-XXXXXX";
    int file = mkstemp(path);
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_params *params = NULL;
    cairn_model *model = NULL;
    assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    options.given = path;
    assert_ok(ctx, cairn_params_new(ctx, &params, spec));
    if (cairn_model_fit(ctx, &model, params, table, &options) != CAIRN_OK) model = NULL;
    cairn_params_free(params);
    unlink(path);
    return model;
}

static inline void assert_form(cairn_context *ctx, const cairn_model *model, const char *form,
                               const char *wanted)
{
    char *text = NULL;
    assert_ok(ctx, cairn_model_export(ctx, model, form, &text));
    assert_string_equal(text, wanted);
    cairn_string_free(text);
}

/* Fit on a table (which is taken over) and show it, with steps if wanted. */
static inline fitted fit_table(cairn_context *ctx, cairn_table *table, const char *spec,
                               cairn_task task, bool steps)
{
    fitted f = {.ctx = ctx, .table = table};
    assert_ok(ctx, cairn_report_new(ctx, &f.report));
    assert_ok(ctx, try_fit(ctx, &f.model, table, spec, task, steps ? f.report : NULL));
    assert_ok(ctx, cairn_model_describe(ctx, f.report, f.model));
    assert_ok(ctx, cairn_report_status(f.report));
    return f;
}

static inline fitted fit(cairn_context *ctx, const char *source, const char *spec)
{
    return fit_table(ctx, table_of(ctx, source, NULL, NULL), spec, CAIRN_TASK_AUTO, true);
}

static inline void drop(fitted *f)
{
    cairn_report_free(f->report);
    cairn_model_free(f->model);
    cairn_table_free(f->table);
}

static inline double value(const fitted *f, const char *name)
{
    double number = NAN;
    if (!cairn_report_number(f->report, name, &number)) fail_msg("there is no value '%s'", name);
    return number;
}

static inline const char *word(const fitted *f, const char *name)
{
    const char *text = cairn_report_string(f->report, name);
    if (!text) fail_msg("there is no word '%s'", name);
    return text;
}

static inline void assert_near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance)) fail_msg("%.17g is not %.17g", a, b);
}

#define assert_value(f, name, expected) assert_near(value(f, name), expected, 1e-9)
#define assert_word(f, name, expected)  assert_string_equal(word(f, name), expected)

static inline const cairn_tree_model *tree_in(const fitted *f)
{
    return f->model->state;
}

#endif
