/* SPDX-License-Identifier: MIT */
/* Verbs on tables and models in memory: evaluate, tune, draw, and any command line.
 *
 *     cc verbs.c $(pkg-config --cflags --libs cairn) -o verbs && ./verbs */
#include <cairn/cairn.h>
#include <stdio.h>

/* Rows that a program has: a point is red inside a circle, else blue. */
static cairn_status make_table(cairn_context *ctx, cairn_table **out)
{
    enum { ROWS = 400 };
    static const char *const colours[] = {"blue", "red"};
    static double x[ROWS], y[ROWS];
    static int32_t colour[ROWS];
    for (int i = 0; i < ROWS; i++) {
        x[i] = (i * 37 % ROWS) / 200.0 - 1;
        y[i] = (i * 211 % ROWS) / 200.0 - 1;
        colour[i] = x[i] * x[i] + y[i] * y[i] < 0.5;
    }
    cairn_status status = cairn_table_new(ctx, out, ROWS);
    if (!status) status = cairn_table_add_numbers(ctx, *out, "x", x);
    if (!status) status = cairn_table_add_numbers(ctx, *out, "y", y);
    if (!status) status = cairn_table_add_levels(ctx, *out, "colour", colour, colours, 2);
    if (!status) status = cairn_table_set_role(ctx, *out, "colour", CAIRN_TARGET);
    return status;
}

/* How good a tree is on rows that it has not seen. */
static cairn_status judge(cairn_context *ctx, cairn_report *report, const cairn_table *table)
{
    double accuracy = 0;
    cairn_evaluate_options how = CAIRN_EVALUATE_OPTIONS_INIT;
    how.by = "cv:5";
    how.measures = "kappa";
    cairn_status status = cairn_evaluate(ctx, report, "tree:max-depth=4", table, &how);
    if (!status && cairn_report_number(report, "accuracy", &accuracy))
        printf("accuracy of a tree: %.3f\n", accuracy);
    return status;
}

/* The best number of neighbours, and the model with it. */
static cairn_status search(cairn_context *ctx, cairn_model **model, const cairn_table *table)
{
    static const char *const over[] = {"k=1,3,5,9,15", NULL};
    cairn_tune_options how = CAIRN_TUNE_OPTIONS_INIT;
    how.outer = "none";
    how.out_model = model;
    return cairn_tune(ctx, NULL, "knn", over, table, &how);
}

/* A picture as bytes. */
static cairn_status draw(cairn_context *ctx, const cairn_table *table)
{
    static const char *const axes[] = {"--x", "x", "--y", "y", NULL};
    cairn_run_output output = CAIRN_RUN_OUTPUT_INIT;
    cairn_draw_options how = CAIRN_DRAW_OPTIONS_INIT;
    how.title = "Points";
    how.more = axes;
    cairn_status status = cairn_draw(ctx, NULL, &output, "scatter", table, &how);
    if (!status) printf("a picture of %s bytes\n", output.length > 1000 ? "many" : "few");
    cairn_string_free(output.document);
    return status;
}

/* Any command: @points and @best are objects, and so is what it makes, @answers. */
static cairn_status run(cairn_context *ctx, cairn_report *report, const cairn_table *table,
                        const cairn_model *model)
{
    static const char *const words[] = {"predict",      "@best", "@points", "--output",
                                        "label,scores", "--out", "@answers"};
    cairn_objects *objects = NULL;
    cairn_status status = cairn_objects_new(ctx, &objects);
    if (!status) status = cairn_objects_put_table(ctx, objects, "points", table);
    if (!status) status = cairn_objects_put_model(ctx, objects, "best", model);
    if (!status) status = cairn_run_with(ctx, report, NULL, objects, 7, words);
    if (!status) {
        const cairn_table *answers = cairn_objects_table(objects, "answers");
        printf("%zu answers in %zu columns\n", cairn_table_rows(answers),
               cairn_table_columns(answers));
    }
    cairn_objects_free(objects);
    return status;
}

int main(void)
{
    cairn_context *ctx = NULL;
    cairn_table *table = NULL;
    cairn_model *model = NULL;
    cairn_report *report = NULL;
    cairn_status status = cairn_context_new(&ctx, NULL);
    if (!status) status = make_table(ctx, &table);
    if (!status) status = cairn_report_new(ctx, &report);
    if (!status) status = judge(ctx, report, table);
    if (!status) status = search(ctx, &model, table);
    if (!status) status = draw(ctx, table);
    if (!status) status = run(ctx, report, table, model);
    if (status) fprintf(stderr, "%s\n", ctx ? cairn_message(ctx) : cairn_status_name(status));
    cairn_report_free(report);
    cairn_model_free(model);
    cairn_table_free(table);
    cairn_context_free(ctx);
    return cairn_status_exit_code(status);
}
