/* SPDX-License-Identifier: MIT */
/* The contract of transforms: properties that hold for every registered one.
 *
 * The table has numbers (x with gaps, y, constant), levels (colour with gaps, size, which is
 * ordered), text (note), times (when), bags (basket), a group, an id, weights when asked for, and a
 * target (answer) of three classes, of two, or of numbers. */
#include "cairn/learned.h"
#include "support/digest.h"
#include "support/fail_alloc.h"
#include "contract/contract.h"
#include "contract/transform_specs.h"
#include "data/bag.h"
#include "model/chain.h"
#include <jansson.h>
#include <math.h>
#include <stdio.h>

typedef struct rich {
    size_t n_rows;
    cairn_task task;
    bool weighted;
    bool two_classes;
    bool plain; /* numbers and levels only */
} rich;

static void add_size(cairn_context *ctx, cairn_table *table)
{
    static const char *const sizes[] = {"small", "medium", "large"};
    cairn_column *column;
    size_t index;
    assert_ok(ctx, cairn_column_new(ctx, &column, CAIRN_LEVEL, table->n_rows));
    column->ordered = column->declared = true;
    for (size_t k = 0; k < 3; k++)
        assert_ok(ctx, cairn_map_add(ctx, &column->names, sizes[k], strlen(sizes[k]), &index));
    for (size_t i = 0; i < table->n_rows; i++) column->codes[i] = (int32_t)(i * 7 / 3 % 3);
    assert_ok(ctx, cairn_table_add_column(ctx, table, "size", CAIRN_FEATURE, column));
}

static void add_note(cairn_context *ctx, cairn_table *table)
{
    static const char *const notes[] = {"a fine day", "no rain at all", "rain; rain", "Fine, dry"};
    const char **cells = malloc((table->n_rows + 1) * sizeof *cells);
    for (size_t i = 0; i < table->n_rows; i++) cells[i] = i % 17 == 5 ? NULL : notes[i * 5 % 4];
    assert_ok(ctx, cairn_table_add_texts(ctx, table, "note", cells));
    free(cells);
}

static void add_when(cairn_context *ctx, cairn_table *table)
{
    cairn_column *column;
    assert_ok(ctx, cairn_column_new(ctx, &column, CAIRN_TIME, table->n_rows));
    for (size_t i = 0; i < table->n_rows; i++)
        column->numbers[i] = i % 19 == 6 ? NAN : 1.6e9 + 86400.0 * 3.3 * (double)i;
    cairn_column_count_missing(column);
    assert_ok(ctx, cairn_table_add_column(ctx, table, "when", CAIRN_FEATURE, column));
}

static void add_basket(cairn_context *ctx, cairn_table *table)
{
    static const char *const items[] = {"milk", "bread", "tea"};
    cairn_bag_builder bag = {0};
    cairn_column *column;
    for (size_t i = 0; i < table->n_rows; i++) {
        assert_ok(ctx, cairn_bag_begin_row(ctx, &bag));
        for (size_t k = 0; k < 3; k++)
            if ((i + k) % 3 != 2)
                assert_ok(
                    ctx, cairn_bag_add(ctx, &bag, items[k], strlen(items[k]), 1 + (double)(i % 2)));
    }
    assert_ok(ctx, cairn_bag_finish(ctx, &column, &bag));
    assert_ok(ctx, cairn_table_add_column(ctx, table, "basket", CAIRN_FEATURE, column));
}

/* Fold the third class into the second and forget its name. */
static void merge_classes(cairn_context *ctx, cairn_table *table)
{
    static const char *const names[] = {"no", "yes"};
    ptrdiff_t at = cairn_table_find(table, "answer");
    const int32_t *codes = cairn_table_codes(table, (size_t)at);
    int32_t *merged = malloc((table->n_rows + 1) * sizeof *merged);
    for (size_t i = 0; i < table->n_rows; i++) merged[i] = codes[i] > 0;
    cairn_table_remove_column(table, (size_t)at);
    assert_ok(ctx, cairn_table_add_levels(ctx, table, "answer", merged, names, 2));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "answer", CAIRN_TARGET));
    free(merged);
}

static cairn_table *make_table(cairn_context *ctx, rich r)
{
    contract_data data = {
        .n_rows = r.n_rows, .task = r.task, .weighted = r.weighted, .missing = true};
    cairn_table *table = contract_table(ctx, data);
    double *number = malloc((r.n_rows + 1) * sizeof *number);
    for (size_t i = 0; i < r.n_rows; i++) number[i] = (double)(i / 4);
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "block", number));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "block", CAIRN_GROUP));
    for (size_t i = 0; i < r.n_rows; i++) number[i] = (double)(1000 + i);
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "key", number));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "key", CAIRN_ID));
    free(number);
    add_size(ctx, table);
    if (!r.plain) add_note(ctx, table);
    if (!r.plain) add_when(ctx, table);
    if (!r.plain) add_basket(ctx, table);
    if (r.two_classes && r.task == CAIRN_CLASSIFY) merge_classes(ctx, table);
    return table;
}

static cairn_status fit_recipe(cairn_context *ctx, cairn_model **out, cairn_table **made,
                               const cairn_table *table, const char *spec, cairn_report *steps)
{
    const char *const with[] = {spec, NULL};
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    options.with = with;
    options.steps = steps;
    return cairn_recipe_fit(ctx, out, made, table, &options);
}

static bool is_of(const char *spec, const char *name)
{
    size_t n = strlen(name);
    return strncmp(spec, name, n) == 0 && (spec[n] == ':' || spec[n] == '\0');
}

/* Run a check for every transform: with each spec that is listed, else with its defaults. */
static void for_every_transform(cairn_context *ctx,
                                void (*check)(cairn_context *, const char *spec))
{
    size_t n, n_specs = sizeof transform_specs / sizeof *transform_specs, seen = 0;
    const cairn_entry *const *entries = cairn_registry(&n);
    for (size_t i = 0; i < n; i++) {
        bool listed = false;
        if (entries[i]->kind != CAIRN_ENTRY_TRANSFORM) continue;
        for (size_t k = 0; k < n_specs; k++)
            if (is_of(transform_specs[k], entries[i]->name)) {
                check(ctx, transform_specs[k]);
                listed = true;
            }
        if (!listed) check(ctx, entries[i]->name);
        seen++;
    }
    assert_true(seen > 0);
}

/* The target on which the transform works: two classes suit all but those of numbers. */
static rich rich_for(cairn_context *ctx, const char *spec, size_t n_rows)
{
    rich r = {.n_rows = n_rows, .task = CAIRN_CLASSIFY, .two_classes = true};
    cairn_table *table = make_table(ctx, (rich){.n_rows = 60, .task = r.task, .two_classes = true});
    cairn_model *model;
    cairn_status status = fit_recipe(ctx, &model, NULL, table, spec, NULL);
    cairn_table_free(table);
    if (status == CAIRN_OK) {
        cairn_model_free(model);
        return r;
    }
    r = (rich){.n_rows = n_rows, .task = CAIRN_REGRESS};
    table = make_table(ctx, (rich){.n_rows = 60, .task = r.task});
    status = fit_recipe(ctx, &model, NULL, table, spec, NULL);
    if (status)
        fail_msg("%s: %s (if it needs parameters, list it in transform_specs.h)", spec,
                 cairn_message(ctx));
    cairn_model_free(model);
    cairn_table_free(table);
    return r;
}

static bool acts_alike(const cairn_model *model)
{
    const cairn_link *link = &model->chain[0];
    return link->transform->acting ? !link->transform->acting(link->params->values)
                                   : !link->transform->changes_rows;
}

static void assert_same_cells(const char *spec, const cairn_table *a, const cairn_table *b,
                              bool with_target)
{
    for (size_t c = 0; c < a->n_columns; c++) {
        const cairn_slot *slot = &a->slots[c];
        if (slot->role == CAIRN_TARGET && !with_target) continue;
        ptrdiff_t at = cairn_table_find(b, slot->name);
        if (at < 0) fail_msg("%s: there is no column %s", spec, slot->name);
        assert_int_equal(slot->column->kind, b->slots[at].column->kind);
        assert_int_equal(a->n_rows, b->n_rows);
        for (size_t i = 0; i < a->n_rows; i++) {
            char x[300], y[300];
            cairn_table_cell(a, c, i, x, sizeof x);
            cairn_table_cell(b, (size_t)at, i, y, sizeof y);
            if (strcmp(x, y))
                fail_msg("%s: row %zu, %s: %s is not %s", spec, i + 1, slot->name, x, y);
        }
    }
}

static void drop_column(cairn_table *table, const char *name)
{
    ptrdiff_t at = cairn_table_find(table, name);
    assert_true(at >= 0);
    cairn_table_remove_column(table, (size_t)at);
}

static char *steps_of(cairn_context *ctx, const cairn_model *model, cairn_report *report)
{
    char *text;
    assert_ok(ctx, cairn_model_describe(ctx, report, model));
    assert_ok(ctx, cairn_report_print(ctx, report, CAIRN_FORMAT_JSON, NULL, &text));
    return text;
}

/* Applied to its own training rows a transform gives what fitting gave; other rows, fewer or more,
 * come out with the same columns, and no row is lost. */
static void check_other_rows(cairn_context *ctx, const char *spec)
{
    rich r = rich_for(ctx, spec, 120);
    cairn_table *table = make_table(ctx, r), *made, *again, *other, *applied;
    cairn_model *model;
    assert_ok(ctx, fit_recipe(ctx, &model, &made, table, spec, NULL));
    assert_ok(ctx, cairn_recipe_apply(ctx, &again, model, table));
    if (acts_alike(model)) assert_same_cells(spec, made, again, true);
    assert_int_equal(again->n_rows, 120);
    r.n_rows = 33;
    other = make_table(ctx, r);
    assert_ok(ctx, cairn_recipe_apply(ctx, &applied, model, other));
    assert_int_equal(applied->n_rows, 33);
    assert_int_equal(applied->n_columns, again->n_columns);
    cairn_table_free(applied);
    cairn_table_free(other);
    cairn_table_free(again);
    cairn_table_free(made);
    cairn_table_free(table);
    cairn_model_free(model);
}

static void test_transforms__other_rows(void **state)
{
    for_every_transform(*state, check_other_rows);
}

/* What is applied does not depend on the target being there. */
static void check_target_unseen(cairn_context *ctx, const char *spec)
{
    rich r = rich_for(ctx, spec, 80);
    cairn_table *table = make_table(ctx, r), *with, *without;
    cairn_model *model;
    assert_ok(ctx, fit_recipe(ctx, &model, NULL, table, spec, NULL));
    assert_ok(ctx, cairn_recipe_apply(ctx, &with, model, table));
    drop_column(table, "answer");
    assert_ok(ctx, cairn_recipe_apply(ctx, &without, model, table));
    assert_same_cells(spec, with, without, false);
    cairn_table_free(with);
    cairn_table_free(without);
    cairn_table_free(table);
    cairn_model_free(model);
}

static void test_transforms__apply_never_sees_the_target(void **state)
{
    for_every_transform(*state, check_target_unseen);
}

/* Training rows in new numbers keep id, group and features of the same name and kind, so that the
 * rest of the chain fits new rows as well. */
static void check_carried(cairn_context *ctx, const char *spec)
{
    rich r = rich_for(ctx, spec, 120);
    r.weighted = true;
    cairn_table *table = make_table(ctx, r), *made, *applied;
    cairn_model *model;
    assert_ok(ctx, fit_recipe(ctx, &model, &made, table, spec, NULL));
    assert_ok(ctx, cairn_recipe_apply(ctx, &applied, model, table));
    for (size_t c = 0; c < applied->n_columns; c++) {
        const cairn_slot *slot = &applied->slots[c];
        ptrdiff_t at = cairn_table_find(made, slot->name);
        if (at < 0 || made->slots[at].column->kind != slot->column->kind)
            fail_msg("%s: column %s of new rows is not one of the training rows", spec, slot->name);
        assert_int_equal(made->slots[at].role, slot->role);
    }
    if (!acts_alike(model)) {
        assert_true(cairn_table_role_column(made, CAIRN_GROUP) >= 0);
        assert_true(cairn_table_role_column(made, CAIRN_ID) >= 0);
        assert_true(cairn_table_role_column(made, CAIRN_WEIGHT) >= 0);
    }
    cairn_table_free(applied);
    cairn_table_free(made);
    cairn_table_free(table);
    cairn_model_free(model);
}

static void test_transforms__columns_are_carried(void **state)
{
    for_every_transform(*state, check_carried);
}

static void check_save_load(cairn_context *ctx, const char *spec)
{
    rich r = rich_for(ctx, spec, 90);
    cairn_table *table = make_table(ctx, r), *a, *b;
    cairn_model *model, *loaded;
    cairn_report *report, *report_b;
    char *bytes, *again, *said, *said_b;
    size_t length, length_b;
    assert_ok(ctx, fit_recipe(ctx, &model, NULL, table, spec, NULL));
    assert_ok(ctx, cairn_model_save_memory(ctx, model, &bytes, &length));
    assert_ok(ctx, cairn_model_load_memory(ctx, &loaded, "m", bytes, length));
    assert_ok(ctx, cairn_model_save_memory(ctx, loaded, &again, &length_b));
    assert_int_equal(length, length_b);
    assert_memory_equal(bytes, again, length);
    assert_ok(ctx, cairn_recipe_apply(ctx, &a, model, table));
    assert_ok(ctx, cairn_recipe_apply(ctx, &b, loaded, table));
    assert_same_cells(spec, a, b, true);
    assert_ok(ctx, cairn_report_new(ctx, &report));
    assert_ok(ctx, cairn_report_new(ctx, &report_b));
    said = steps_of(ctx, model, report);
    said_b = steps_of(ctx, loaded, report_b);
    assert_string_equal(said, said_b);
    for (size_t at = 0; at < length; at += length / 97 + 1) {
        cairn_model *broken;
        bytes[at] ^= 0x10;
        assert_int_equal(cairn_model_load_memory(ctx, &broken, "m", bytes, length), CAIRN_BAD_DATA);
        bytes[at] ^= 0x10;
        assert_int_equal(cairn_model_load_memory(ctx, &broken, "m", bytes, at), CAIRN_BAD_DATA);
    }
    cairn_string_free(bytes);
    cairn_string_free(again);
    cairn_string_free(said);
    cairn_string_free(said_b);
    cairn_report_free(report);
    cairn_report_free(report_b);
    cairn_table_free(a);
    cairn_table_free(b);
    cairn_table_free(table);
    cairn_model_free(model);
    cairn_model_free(loaded);
}

static void test_transforms__save_and_load(void **state)
{
    for_every_transform(*state, check_save_load);
}

/* The tables that a recipe has: there, with names, and the same after saving and loading. */
static void check_tables(cairn_context *ctx, const char *spec)
{
    cairn_table *table = make_table(ctx, rich_for(ctx, spec, 60));
    cairn_model *model, *loaded;
    char *bytes;
    const char *name;
    size_t length;
    assert_ok(ctx, fit_recipe(ctx, &model, NULL, table, spec, NULL));
    assert_ok(ctx, cairn_model_save_memory(ctx, model, &bytes, &length));
    assert_ok(ctx, cairn_model_load_memory(ctx, &loaded, "m", bytes, length));
    for (size_t i = 0; (name = cairn_model_table_name(model, i)); i++) {
        cairn_table *a = NULL, *b = NULL;
        if (cairn_model_table(ctx, &a, model, name))
            fail_msg("%s: %s: %s", spec, name, cairn_message(ctx));
        assert_ok(ctx, cairn_model_table(ctx, &b, loaded, name));
        if (!cairn_table_columns(a)) fail_msg("%s: %s has no columns", spec, name);
        assert_same_cells(spec, a, b, true);
        cairn_table_free(a);
        cairn_table_free(b);
    }
    cairn_string_free(bytes);
    cairn_model_free(model);
    cairn_model_free(loaded);
    cairn_table_free(table);
}

static void test_transforms__tell_what_they_learned(void **state)
{
    for_every_transform(*state, check_tables);
}

/* Model, steps and table with any number of threads. */
static void check_threads(cairn_context *ctx, const char *spec)
{
    rich r = rich_for(ctx, spec, 900);
    cairn_table *table = make_table(ctx, r), *first = NULL;
    char *first_bytes = NULL, *first_said = NULL;
    size_t first_length = 0;
    for (int threads = 1; threads <= 4; threads += 3) {
        cairn_model *model;
        cairn_table *made;
        cairn_report *report;
        char *bytes, *said;
        size_t length;
        cairn_context_set_threads(ctx, threads);
        assert_ok(ctx, cairn_report_new(ctx, &report));
        assert_ok(ctx, fit_recipe(ctx, &model, &made, table, spec, report));
        assert_ok(ctx, cairn_model_save_memory(ctx, model, &bytes, &length));
        said = steps_of(ctx, model, report);
        cairn_report_free(report);
        cairn_model_free(model);
        if (threads == 1) {
            first = made, first_bytes = bytes, first_said = said, first_length = length;
            continue;
        }
        assert_int_equal(first_length, length);
        assert_memory_equal(first_bytes, bytes, length);
        assert_string_equal(first_said, said);
        assert_same_cells(spec, first, made, true);
        cairn_table_free(made);
        cairn_string_free(bytes);
        cairn_string_free(said);
    }
    uint64_t digest = digest_add(DIGEST_START, first_bytes, first_length);
    digest_write("transform", spec, digest_add(digest, first_said, strlen(first_said)));
    json_t *root = json_loads(first_said, 0, NULL);
    if (!root) fail_msg("%s: the report is not JSON", spec);
    if (!json_object_size(json_object_get(root, "values")))
        fail_msg("%s: the report has no values", spec);
    json_decref(root);
    cairn_context_set_threads(ctx, 2);
    cairn_table_free(first);
    cairn_string_free(first_bytes);
    cairn_string_free(first_said);
    cairn_table_free(table);
}

static void test_transforms__same_bytes_for_any_number_of_threads(void **state)
{
    for_every_transform(*state, check_threads);
}

/* Success, or a refusal in words. */
static bool fits_or_says_why(cairn_context *ctx, const char *spec, const char *what,
                             const cairn_table *table)
{
    cairn_model *model;
    cairn_table *made, *applied;
    cairn_status status = fit_recipe(ctx, &model, &made, table, spec, NULL);
    if (status) {
        bool expected =
            status == CAIRN_BAD_DATA || status == CAIRN_NO_SOLUTION || status == CAIRN_USAGE;
        if (!expected || !*cairn_message(ctx))
            fail_msg("%s on %s: status %d, '%s'", spec, what, status, cairn_message(ctx));
        return false;
    }
    assert_ok(ctx, cairn_recipe_apply(ctx, &applied, model, table));
    assert_int_equal(applied->n_rows, table->n_rows);
    cairn_table_free(applied);
    cairn_table_free(made);
    cairn_model_free(model);
    return true;
}

static void check_odd(cairn_context *ctx, const char *spec)
{
    rich r = rich_for(ctx, spec, 20);
    for (r.n_rows = 1; r.n_rows <= 6; r.n_rows++) {
        cairn_table *few = make_table(ctx, r);
        (void)fits_or_says_why(ctx, spec, "few rows", few);
        cairn_table_free(few);
    }
    r.n_rows = 20;
    cairn_table *table = make_table(ctx, r);
    assert_ok(ctx,
              cairn_table_set_roles(ctx, table, "x,y,size,colour,note,when,basket", CAIRN_IGNORED));
    (void)fits_or_says_why(ctx, spec, "a constant column", table);
    cairn_table_free(table);
    double none[20];
    int32_t nothing[20];
    for (size_t i = 0; i < 20; i++) none[i] = NAN, nothing[i] = -1;
    table = make_table(ctx, r);
    assert_ok(ctx, cairn_table_add_numbers(ctx, table, "void", none));
    assert_ok(ctx, cairn_table_add_levels(ctx, table, "blank", nothing, NULL, 0));
    (void)fits_or_says_why(ctx, spec, "columns without values", table);
    cairn_table_free(table);
}

static void test_transforms__few_rows_constant_and_empty_columns(void **state)
{
    for_every_transform(*state, check_odd);
}

/* One column of one kind: the transform works on it, leaves it alone or refuses it in words. */
static void check_unsuitable(cairn_context *ctx, const char *spec)
{
    static const char *const left[] = {"x", "colour", "size", "note", "when", "basket", NULL};
    static const char others[] = "x,y,constant,colour,size,note,when,basket";
    rich r = rich_for(ctx, spec, 30);
    for (size_t i = 0; left[i]; i++) {
        cairn_table *table = make_table(ctx, r);
        assert_ok(ctx, cairn_table_set_roles(ctx, table, others, CAIRN_IGNORED));
        assert_ok(ctx, cairn_table_set_role(ctx, table, left[i], CAIRN_FEATURE));
        (void)fits_or_says_why(ctx, spec, left[i], table);
        cairn_table_free(table);
    }
}

static void test_transforms__unsuitable_columns(void **state)
{
    for_every_transform(*state, check_unsuitable);
}

/* A level, a word and an item that training never saw. */
static void check_unseen(cairn_context *ctx, const char *spec)
{
    static const char *const names[] = {"violet"};
    rich r = rich_for(ctx, spec, 60);
    cairn_table *table = make_table(ctx, r), *asked, *applied;
    int32_t codes[3] = {0, -1, 0};
    cairn_model *model;
    assert_ok(ctx, fit_recipe(ctx, &model, NULL, table, spec, NULL));
    r.n_rows = 3;
    asked = make_table(ctx, r);
    drop_column(asked, "colour");
    assert_ok(ctx, cairn_table_add_levels(ctx, asked, "colour", codes, names, 1));
    assert_ok(ctx, cairn_recipe_apply(ctx, &applied, model, asked));
    assert_int_equal(applied->n_rows, 3);
    cairn_table_free(applied);
    cairn_table_free(asked);
    cairn_table_free(table);
    cairn_model_free(model);
}

static void test_transforms__unseen_levels(void **state)
{
    for_every_transform(*state, check_unseen);
}

static void check_cancel(cairn_context *unused, const char *spec)
{
    cairn_context *ctx;
    cairn_model *model;
    rich r = rich_for(unused, spec, 60);
    assert_int_equal(cairn_context_new(&ctx, NULL), CAIRN_OK);
    cairn_table *table = make_table(ctx, r), *made;
    assert_ok(ctx, fit_recipe(ctx, &model, NULL, table, spec, NULL));
    cairn_context_cancel(ctx);
    cairn_model *other;
    assert_int_equal(fit_recipe(ctx, &other, NULL, table, spec, NULL), CAIRN_CANCELLED);
    cairn_context_cancel(ctx); /* the one before ended with the call that it stopped */
    if (acts_alike(model))
        assert_int_equal(cairn_recipe_apply(ctx, &made, model, table), CAIRN_CANCELLED);
    cairn_model_free(model);
    cairn_table_free(table);
    cairn_context_free(ctx);
}

static void test_transforms__cancel(void **state)
{
    for_every_transform(*state, check_cancel);
}

typedef struct work {
    const char *spec;
    const cairn_table *table;
} work;

static cairn_status whole_way(cairn_context *ctx, void *data)
{
    const work *w = data;
    cairn_status status;
    cairn_report *report = NULL;
    cairn_model *model = NULL, *loaded = NULL;
    cairn_table *made = NULL, *applied = NULL;
    char *bytes = NULL;
    size_t length;
    TRY(cairn_report_new(ctx, &report));
    TRY(fit_recipe(ctx, &model, &made, w->table, w->spec, report));
    TRY(cairn_model_describe(ctx, report, model));
    TRY(cairn_model_save_memory(ctx, model, &bytes, &length));
    TRY(cairn_model_load_memory(ctx, &loaded, "m", bytes, length));
    TRY(cairn_recipe_apply(ctx, &applied, loaded, w->table));
done:
    cairn_string_free(bytes);
    cairn_table_free(applied);
    cairn_table_free(made);
    cairn_model_free(loaded);
    cairn_model_free(model);
    cairn_report_free(report);
    return status;
}

static void check_allocations(cairn_context *ctx, const char *spec)
{
    rich r = rich_for(ctx, spec, 24);
    work w = {spec, make_table(ctx, r)};
    assert_survives_allocation_failures(whole_way, &w);
    cairn_table_free((cairn_table *)w.table);
}

static void test_transforms__survive_failing_allocations(void **state)
{
    for_every_transform(*state, check_allocations);
}

/* Inside a model: transforms are fitted on training rows, saved with the learner, and new rows are
 * predicted one for one. */
static void check_before_a_learner(cairn_context *ctx, const char *spec)
{
    rich r = rich_for(ctx, spec, 150);
    const char *const with[] = {spec, NULL};
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_table *table = make_table(ctx, r), *answer;
    cairn_params *params;
    cairn_model *model;
    options.with = with;
    assert_ok(ctx,
              cairn_params_new(ctx, &params, r.task == CAIRN_CLASSIFY ? "majority" : "linear"));
    r.plain = true;
    if (r.task == CAIRN_REGRESS) {
        cairn_table_free(table);
        table = make_table(ctx, r);
    }
    cairn_status status = cairn_model_fit(ctx, &model, params, table, &options);
    if (status == CAIRN_OK) {
        assert_ok(ctx, cairn_model_predict(ctx, &answer, model, table, false));
        assert_int_equal(answer->n_rows, 150);
        cairn_table_free(answer);
        cairn_model_free(model);
    } else if (!*cairn_message(ctx) || status == CAIRN_INTERNAL) {
        fail_msg("%s before a learner: status %d", spec, status);
    }
    cairn_params_free(params);
    cairn_table_free(table);
}

static void test_transforms__before_a_learner(void **state)
{
    for_every_transform(*state, check_before_a_learner);
}

int main(int argc, char **argv)
{
    only_tests(argc, argv);
    const struct CMUnitTest tests[] = {
        context_test(test_transforms__other_rows),
        context_test(test_transforms__apply_never_sees_the_target),
        context_test(test_transforms__columns_are_carried),
        context_test(test_transforms__save_and_load),
        context_test(test_transforms__tell_what_they_learned),
        context_test(test_transforms__same_bytes_for_any_number_of_threads),
        context_test(test_transforms__few_rows_constant_and_empty_columns),
        context_test(test_transforms__unsuitable_columns),
        context_test(test_transforms__unseen_levels),
        context_test(test_transforms__cancel),
        context_test(test_transforms__survive_failing_allocations),
        context_test(test_transforms__before_a_learner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
