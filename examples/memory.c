/* SPDX-License-Identifier: MIT */
/* A table made in memory, a linear model, and its report as JSON: no files at all. */
#include <cairn/cairn.h>
#include <stdio.h>

enum { N_ROWS = 12 };

/* price = 50 + 2 size - 3 age, with a little noise */
static const double size[N_ROWS] = {30, 45, 52, 60, 64, 70, 75, 81, 90, 95, 110, 120};
static const double age[N_ROWS] = {5, 30, 12, 1, 22, 40, 8, 15, 3, 27, 10, 18};
static const double noise[N_ROWS] = {1, -2, 0, 2, -1, 1, 0, -2, 1, 0, 2, -2};

static bool make_table(cairn_context *ctx, cairn_table **out)
{
    double price[N_ROWS];
    for (int i = 0; i < N_ROWS; i++) price[i] = 50 + 2 * size[i] - 3 * age[i] + noise[i];
    return cairn_table_new(ctx, out, N_ROWS) || cairn_table_add_numbers(ctx, *out, "size", size) ||
           cairn_table_add_numbers(ctx, *out, "age", age) ||
           cairn_table_add_numbers(ctx, *out, "price", price) ||
           cairn_table_set_role(ctx, *out, "price", CAIRN_TARGET);
}

int main(void)
{
    cairn_context *ctx = NULL;
    cairn_table *table = NULL;
    cairn_params *params = NULL;
    cairn_model *model = NULL;
    cairn_report *report = NULL;
    char *json = NULL;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    options.task = CAIRN_REGRESS;

    bool failed = cairn_context_new(&ctx, NULL) || make_table(ctx, &table) ||
                  cairn_params_new(ctx, &params, "linear") ||
                  cairn_model_fit(ctx, &model, params, table, &options) ||
                  cairn_report_new(ctx, &report) || cairn_model_describe(ctx, report, model) ||
                  cairn_report_print(ctx, report, CAIRN_FORMAT_JSON, NULL, &json);
    if (failed)
        fprintf(stderr, "memory: %s\n", cairn_message(ctx));
    else
        fputs(json, stdout);
    cairn_string_free(json);
    cairn_report_free(report);
    cairn_model_free(model);
    cairn_params_free(params);
    cairn_table_free(table);
    cairn_context_free(ctx);
    return failed;
}
