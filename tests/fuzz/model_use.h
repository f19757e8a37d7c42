/* SPDX-License-Identifier: MIT */
/* A model file put to every use: what loads must describe itself, save and load again, predict,
 * explain and be judged on rows of a table made from its own schema, be written down, be drawn, and
 * take more rows, whatever nonsense it holds. */
#ifndef CAIRN_TESTS_FUZZ_MODEL_USE_H
#define CAIRN_TESTS_FUZZ_MODEL_USE_H

#include "fuzz/fuzz.h"
#include "base/memory.h"
#include "cairn/learned.h"
#include "command/command.h"
#include "evaluate/evaluate.h"
#include "export/export.h"
#include "model/explain.h"
#include "model/model.h"
#include <math.h>
#include <xxhash.h>

enum { N_ROWS = 4, HEADER = 16, TRAILER = 8 };

static inline uint64_t get_number(const uint8_t *at, size_t bytes)
{
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; i++) value |= (uint64_t)at[i] << (8 * i);
    return value;
}

static inline void put_number(uint8_t *at, uint64_t value)
{
    for (size_t i = 0; i < 8; i++) at[i] = (uint8_t)(value >> (8 * i));
}

/* Every section that fits, and the whole, get the checksum of what is there. */
static inline void repair(uint8_t *bytes, size_t size)
{
    if (size < HEADER + TRAILER) return;
    size_t end = size - TRAILER, at = HEADER;
    while (end - at >= 4) {
        uint64_t name = get_number(bytes + at, 4);
        if (name > 255 || end - at < 20 + name) break;
        uint8_t *sizes = bytes + at + 4 + name;
        uint64_t length = get_number(sizes, 8);
        at += 20 + name;
        if (length > end - at) break;
        put_number(sizes + 8, XXH3_64bits(bytes + at, length));
        at += length;
    }
    put_number(bytes + end, XXH3_64bits(bytes, end));
}

/* A column that fits the field: numbers good and bad, each level in turn, and missing cells. */
static inline cairn_status add_field(cairn_context *ctx, cairn_table *table,
                                     const cairn_field *field)
{
    static const double numbers[N_ROWS] = {0, -1e300, NAN, 3.5};
    static const char *const texts[N_ROWS] = {"a", "", "some words", "b"};
    if (field->kind == CAIRN_NUMBER)
        return cairn_table_add_numbers(ctx, table, field->name, numbers);
    if (field->kind != CAIRN_LEVEL) return cairn_table_add_texts(ctx, table, field->name, texts);
    int32_t codes[N_ROWS];
    const char *names[N_ROWS + 1] = {"none"};
    size_t n = field->names.n < N_ROWS ? field->names.n : N_ROWS;
    for (size_t i = 0; i < n; i++) names[i] = cairn_map_key(&field->names, i);
    for (int32_t i = 0; i < N_ROWS; i++) codes[i] = i < (int32_t)n ? i : -1;
    return cairn_table_add_levels(ctx, table, field->name, codes, names, n ? n : 1);
}

static inline void evaluate(cairn_context *ctx, const cairn_model *model, const cairn_table *table)
{
    cairn_evaluation evaluation = {0};
    cairn_report *report = NULL;
    cairn_status status = cairn_report_new(ctx, &report);
    if (status == CAIRN_OK) status = cairn_evaluate_model(ctx, &evaluation, model, table, 0, 0);
    if (status == CAIRN_OK) status = cairn_evaluation_judge(ctx, report, &evaluation, NULL);
    fuzz_check(ctx, status);
    cairn_evaluation_clear(&evaluation);
    cairn_report_free(report);
}

/* A recipe of transforms has no learner to ask. */
static inline void apply(cairn_context *ctx, const cairn_model *recipe, const cairn_table *table)
{
    cairn_table *out = NULL;
    fuzz_check(ctx, cairn_recipe_apply(ctx, &out, recipe, table));
    cairn_table_free(out);
}

/* A reason for every row, by the learner and by exchanging columns. */
static inline void explain(cairn_context *ctx, const cairn_model *model, const cairn_table *table)
{
    static const uint32_t rows[N_ROWS] = {0, 1, 2, 3};
    for (int by_columns = 0; by_columns < 2; by_columns++) {
        cairn_explain_how options = {
            .rows = rows, .n_rows = N_ROWS, .by_columns = by_columns, .draws = 4};
        cairn_report *report = NULL;
        cairn_status status = cairn_report_new(ctx, &report);
        if (status == CAIRN_OK) status = cairn_model_explain(ctx, report, model, table, &options);
        fuzz_check(ctx, status);
        cairn_report_free(report);
    }
}

/* A table of the model's own columns; `left_out` is the number of one that is not there. */
static inline cairn_status make_table(cairn_context *ctx, cairn_table **table,
                                      const cairn_model *model, size_t left_out)
{
    cairn_status status = cairn_table_new(ctx, table, N_ROWS);
    for (size_t i = 0; i < model->schema.n_fields && status == CAIRN_OK; i++)
        if (i != left_out) status = add_field(ctx, *table, &model->schema.fields[i]);
    return status;
}

static inline void predict(cairn_context *ctx, const cairn_model *model, size_t left_out)
{
    cairn_table *table = NULL, *out = NULL;
    cairn_status status = make_table(ctx, &table, model, left_out);
    if (status == CAIRN_OK) status = cairn_model_predict(ctx, &out, model, table, true);
    fuzz_check(ctx, status);
    if (status == CAIRN_OK && cairn_table_rows(out) != N_ROWS) abort();
    if (model->learner && table) {
        evaluate(ctx, model, table);
        explain(ctx, model, table);
    } else if (table) {
        apply(ctx, model, table);
    }
    cairn_table_free(out);
    cairn_table_free(table);
}

static inline void describe(cairn_context *ctx, const cairn_model *model)
{
    cairn_report *report = NULL;
    char *text = NULL;
    cairn_status status = cairn_report_new(ctx, &report);
    if (status == CAIRN_OK) cairn_model_run_card(report, model);
    if (status == CAIRN_OK) status = cairn_model_describe(ctx, report, model);
    if (status == CAIRN_OK)
        status = cairn_report_print(ctx, report, CAIRN_FORMAT_TEXT, NULL, &text);
    fuzz_check(ctx, status);
    cairn_string_free(text);
    cairn_report_free(report);
}

/* Every table of what it learned. */
static inline void tell(cairn_context *ctx, const cairn_model *model)
{
    const char *name;
    for (size_t i = 0; (name = cairn_model_table_name(model, i)); i++) {
        cairn_table *table = NULL;
        fuzz_check(ctx, cairn_model_table(ctx, &table, model, name));
        cairn_table_free(table);
    }
}

/* Every form in which the model can be written, and the pictures that need nothing but a model. */
static inline void write_down(cairn_context *ctx, const cairn_model *model)
{
    static const char *const pictures[] = {"tree", "forest", "rule-curves", "rule-regions",
                                           "tree-regions"};
    char *bytes = NULL;
    size_t length;
    cairn_virtual_files files = {0};
    cairn_form_help forms[CAIRN_MOST_FORMS];
    size_t n_forms = model->learner ? cairn_export_forms(forms, model->learner) : 0;
    for (size_t i = 0; i < n_forms; i++) {
        cairn_text text = cairn_text_start(ctx);
        cairn_export_options options = {.n_tests = 3};
        fuzz_check(ctx, cairn_export_write(&text, model, forms[i].name, &options));
        cairn_text_clear(&text);
    }
    tell(ctx, model);
    if (cairn_model_save_memory(ctx, model, &bytes, &length)) return;
    if (cairn_virtual_put(ctx, &files, "m.cairn", bytes, length)) abort();
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
        const char *words[] = {"draw", pictures[i], "m.cairn"};
        cairn_report *report = NULL;
        if (cairn_report_new(ctx, &report)) abort();
        fuzz_check(ctx, cairn_run_files(ctx, report, NULL, &files, 3, words));
        cairn_report_free(report);
    }
    cairn_virtual_clear(&files);
    cairn_string_free(bytes);
}

/* More rows for the model, which is changed by them or can only be freed. */
static inline void update(cairn_context *ctx, cairn_model *model)
{
    cairn_table *table = NULL;
    cairn_status status = make_table(ctx, &table, model, SIZE_MAX);
    if (status == CAIRN_OK) status = cairn_model_update(ctx, model, table, NULL);
    fuzz_check(ctx, status);
    if (status == CAIRN_OK) predict(ctx, model, SIZE_MAX);
    cairn_table_free(table);
}

static inline void save_again(cairn_context *ctx, const cairn_model *model)
{
    cairn_model *again = NULL;
    char *bytes = NULL;
    size_t length;
    cairn_status status = cairn_model_save_memory(ctx, model, &bytes, &length);
    if (status == CAIRN_OK) {
        status = cairn_model_load_memory(ctx, &again, "again", bytes, length);
        if (status != CAIRN_OK && status != CAIRN_NO_MEMORY) abort();
    }
    fuzz_check(ctx, status);
    cairn_model_free(again);
    cairn_string_free(bytes);
}

static inline void try_model(const uint8_t *data, size_t size)
{
    cairn_context *ctx = fuzz_begin();
    cairn_model *model = NULL;
    cairn_status status = cairn_model_load_memory(ctx, &model, "fuzz", data, size);
    fuzz_check(ctx, status);
    if (status == CAIRN_OK) {
        describe(ctx, model);
        save_again(ctx, model);
        predict(ctx, model, SIZE_MAX);
        ptrdiff_t target = cairn_schema_role(&model->schema, CAIRN_TARGET);
        if (target >= 0) predict(ctx, model, (size_t)target);
        write_down(ctx, model);
        update(ctx, model);
    }
    cairn_model_free(model);
    fuzz_end();
}

#endif
