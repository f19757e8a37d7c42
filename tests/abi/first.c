/* SPDX-License-Identifier: MIT */
/* A program as it was built against the first headers of 0.1: their structs and prototypes are
 * written down here and must never be changed. The library that it meets may be any that has the
 * same soname (docs/c/abi.md). It fits, keeps, predicts, joins, prints and runs; it ends with the
 * number of the line that was not as it was then. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef int cairn_status;
typedef struct cairn_context cairn_context;
typedef struct cairn_table cairn_table;
typedef struct cairn_params cairn_params;
typedef struct cairn_model cairn_model;
typedef struct cairn_report cairn_report;
struct cairn_schema;

enum { OK = 0, USAGE = 2, TARGET = 1, CLASSIFY = 1, LEFT = 1, JSON = 1 };

typedef struct read_options {
    size_t size;
    const char *format;
    char separator;
    char decimal;
    int header;
    bool transpose;
    const char *missing, *encoding, *kinds, *time_format;
    bool only_marks;
    const struct cairn_schema *expected;
    size_t skip;
    const char *comment;
    char thousands;
    int bad_lines;
    const char *sheet;
} read_options;

typedef struct fit_options {
    size_t size;
    int task;
    const char *positive, *missing;
    const char *const *with;
    cairn_report *steps;
    const char *command;
    bool scale_on_all;
    const cairn_params *const *around;
    const char *given;
    bool more_follow;
    const read_options *reading;
    bool no_history, strict;
} fit_options;

typedef struct print_options {
    size_t size;
    int width;
    bool colour;
    int digits;
} print_options;

typedef struct join_options {
    size_t size;
    int kind;
    const char *suffix;
    bool match_missing;
} join_options;

typedef struct join_counts {
    size_t left_matched, left_unmatched, right_matched, right_unmatched;
    size_t pairs, left_several, many_to_many;
} join_counts;

typedef struct run_output {
    size_t size;
    int format;
    bool silent;
    char *document;
    size_t length;
} run_output;

const char *cairn_version(void);
cairn_status cairn_context_new(cairn_context **out, const void *allocator);
void cairn_context_free(cairn_context *ctx);
const char *cairn_message(const cairn_context *ctx);
void cairn_context_set_threads(cairn_context *ctx, int threads);
cairn_status cairn_table_read_memory(cairn_context *ctx, cairn_table **out, const char *name,
                                     const void *bytes, size_t length, const read_options *options);
cairn_status cairn_table_new(cairn_context *ctx, cairn_table **out, size_t n_rows);
cairn_status cairn_table_add_numbers(cairn_context *ctx, cairn_table *table, const char *name,
                                     const double *numbers);
cairn_status cairn_table_add_levels(cairn_context *ctx, cairn_table *table, const char *name,
                                    const int32_t *codes, const char *const *names, size_t n);
cairn_status cairn_table_set_role(cairn_context *ctx, cairn_table *table, const char *column,
                                  int role);
size_t cairn_table_rows(const cairn_table *table);
const int32_t *cairn_table_codes(const cairn_table *table, size_t column);
void cairn_table_free(cairn_table *table);
cairn_status cairn_table_join(cairn_context *ctx, cairn_table **out, const cairn_table *left,
                              const cairn_table *right, const char *on, const join_options *options,
                              join_counts *counts);
cairn_status cairn_params_new(cairn_context *ctx, cairn_params **out, const char *learner);
void cairn_params_free(cairn_params *params);
cairn_status cairn_model_fit(cairn_context *ctx, cairn_model **out, const cairn_params *params,
                             const cairn_table *table, const fit_options *options);
void cairn_model_reading(const cairn_model *model, read_options *options);
cairn_status cairn_model_predict(cairn_context *ctx, cairn_table **out, const cairn_model *model,
                                 const cairn_table *table, bool scores);
int cairn_model_task(const cairn_model *model);
void cairn_model_free(cairn_model *model);
cairn_status cairn_report_new(cairn_context *ctx, cairn_report **out);
cairn_status cairn_report_print(cairn_context *ctx, const cairn_report *report, int format,
                                const print_options *options, char **out);
bool cairn_report_number(const cairn_report *report, const char *name, double *out);
void cairn_report_free(cairn_report *report);
void cairn_string_free(char *string);
cairn_status cairn_run_printing(cairn_context *ctx, cairn_report *report, run_output *output,
                                int argc, const char *const *argv);

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "line %d: %s (%s)\n", __LINE__, #condition, cairn_message(ctx));       \
            return __LINE__ % 250 + 1;                                                             \
        }                                                                                          \
    } while (0)

/* A struct of that time in front of memory that must not be touched. */
#define GUARDED(type, name)                                                                        \
    struct {                                                                                       \
        type options;                                                                              \
        unsigned char guard[64];                                                                   \
    } name;                                                                                        \
    memset(&name, 0, sizeof name);                                                                 \
    memset(name.guard, 0xA5, sizeof name.guard);                                                   \
    name.options.size = sizeof name.options

static bool is_untouched(const unsigned char *guard)
{
    for (size_t i = 0; i < 64; i++)
        if (guard[i] != 0xA5) return false;
    return true;
}

static int use_model(cairn_context *ctx, cairn_table *table)
{
    cairn_params *params = NULL;
    cairn_model *model = NULL;
    cairn_table *answers = NULL;
    GUARDED(fit_options, fit);
    GUARDED(read_options, reading);
    MUST(cairn_table_set_role(ctx, table, "class", TARGET) == OK);
    MUST(cairn_params_new(ctx, &params, "tree") == OK);
    fit.options.task = CLASSIFY;
    MUST(cairn_model_fit(ctx, &model, params, table, &fit.options) == OK);
    MUST(cairn_model_task(model) == CLASSIFY);
    reading.options.header = -1;
    cairn_model_reading(model, &reading.options);
    MUST(reading.options.expected && is_untouched(reading.guard));
    MUST(cairn_model_predict(ctx, &answers, model, table, true) == OK);
    MUST(cairn_table_codes(answers, 0)[0] == 0 && cairn_table_codes(answers, 0)[3] == 1);
    fit.options.size = 0;
    cairn_model *none = NULL;
    MUST(cairn_model_fit(ctx, &none, params, table, &fit.options) == USAGE && !none);
    cairn_table_free(answers);
    cairn_model_free(model);
    cairn_params_free(params);
    return 0;
}

static int use_tables(cairn_context *ctx, const cairn_table *table)
{
    static const char text[] = "x;label\n1,5;one\n2,5;two\n";
    cairn_table *read = NULL, *joined = NULL;
    join_counts counts;
    GUARDED(read_options, reading);
    GUARDED(join_options, join);
    reading.options.header = 1;
    reading.options.separator = ';';
    reading.options.decimal = ',';
    MUST(cairn_table_read_memory(ctx, &read, "a.csv", text, sizeof text - 1, &reading.options) ==
         OK);
    join.options.kind = LEFT;
    MUST(cairn_table_join(ctx, &joined, table, read, "x", &join.options, &counts) == OK);
    MUST(cairn_table_rows(joined) == 4 && counts.left_matched == 1);
    cairn_table_free(joined);
    cairn_table_free(read);
    return 0;
}

static int use_reports(cairn_context *ctx)
{
    static const char *const words[] = {"fit", "majority", "@weather", "--quiet"};
    cairn_report *report = NULL;
    char *printed = NULL;
    GUARDED(run_output, output);
    GUARDED(print_options, print);
    MUST(cairn_report_new(ctx, &report) == OK);
    MUST(cairn_run_printing(ctx, report, &output.options, 4, words) == OK);
    MUST(is_untouched(output.guard) && output.options.size == sizeof(run_output));
    print.options.width = 60;
    MUST(cairn_report_print(ctx, report, JSON, &print.options, &printed) == OK);
    MUST(printed[0] == '{');
    cairn_string_free(printed);
    cairn_string_free(output.options.document);
    cairn_report_free(report);
    return 0;
}

int main(void)
{
    static const double x[] = {1, 1.5, 8, 9};
    static const int32_t codes[] = {0, 0, 1, 1};
    static const char *const names[] = {"low", "high"};
    cairn_context *ctx = NULL;
    cairn_table *table = NULL;
    MUST(cairn_context_new(&ctx, NULL) == OK);
    cairn_context_set_threads(ctx, 2);
    MUST(cairn_table_new(ctx, &table, 4) == OK);
    MUST(cairn_table_add_numbers(ctx, table, "x", x) == OK);
    MUST(cairn_table_add_levels(ctx, table, "class", codes, names, 2) == OK);
    int failed = use_tables(ctx, table);
    if (!failed) failed = use_model(ctx, table);
    if (!failed) failed = use_reports(ctx);
    cairn_table_free(table);
    cairn_context_free(ctx);
    if (!failed) printf("runs with %s\n", cairn_version());
    return failed;
}
