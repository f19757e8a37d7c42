/* SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "data/column.h"
#include "data/schema.h"
#include "support/fail_alloc.h"
#include <math.h>

static cairn_table *table_of(cairn_context *ctx, const char *text)
{
    cairn_table *t = NULL;
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "new.csv", text, strlen(text), NULL));
    return t;
}

static void schema_of(cairn_context *ctx, cairn_schema *schema, const char *text, const char *kinds,
                      const char *target)
{
    cairn_table *t = table_of(ctx, text);
    assert_ok(ctx, cairn_table_apply_kinds(ctx, t, kinds, NULL));
    if (target) assert_ok(ctx, cairn_table_set_role(ctx, t, target, CAIRN_TARGET));
    assert_ok(ctx, cairn_schema_from_table(ctx, schema, t));
    cairn_table_free(t);
}

static void test_schema__reorders_shares_and_recodes(void **state)
{
    cairn_context *ctx = *state;
    cairn_schema schema;
    cairn_match match;
    cairn_table *matched;
    schema_of(ctx, &schema, "x,colour,y\n1,red,a\n2,green,b\n", NULL, "y");
    assert_int_equal(cairn_schema_role(&schema, CAIRN_TARGET), 2);
    assert_int_equal(cairn_schema_role(&schema, CAIRN_WEIGHT), -1);
    cairn_table *t = table_of(ctx, "extra,colour,x\nq,green,5\nq,blue,?\nr,red,7\nr,?,8\n");
    assert_ok(ctx, cairn_schema_match(ctx, &matched, &schema, t, true, &match));
    assert_int_equal(cairn_table_columns(matched), 2);
    assert_string_equal(cairn_table_name(matched, 0), "x");
    assert_ptr_equal(matched->slots[0].column, t->slots[2].column);
    const int32_t *codes = cairn_table_codes(matched, 1);
    assert_int_equal(codes[0], 1);
    assert_int_equal(codes[1], -1);
    assert_int_equal(codes[2], 0);
    assert_int_equal(codes[3], -1);
    assert_int_equal(match.n_unseen, 1);
    assert_int_equal(match.first_field, 1);
    assert_int_equal(match.first_row, 1);
    assert_int_equal(matched->slots[1].column->n_missing, 2);
    cairn_table_free(matched);
    cairn_table_free(t);
    t = table_of(ctx, "y,x,colour\nb,1,red\na,2,green\n");
    assert_ok(ctx, cairn_schema_match(ctx, &matched, &schema, t, false, NULL));
    assert_int_equal(cairn_table_columns(matched), 2);
    cairn_table_free(matched);
    assert_ok(ctx, cairn_schema_match(ctx, &matched, &schema, t, true, &match));
    assert_int_equal(cairn_table_columns(matched), 3);
    assert_int_equal(cairn_table_codes(matched, 2)[0], 1);
    assert_int_equal(match.first_field, -1);
    cairn_table_free(matched);
    cairn_table_free(t);
    cairn_schema_clear(&schema);
}

static void test_schema__kinds_are_converted_where_cells_allow(void **state)
{
    cairn_context *ctx = *state;
    cairn_schema schema;
    cairn_match match;
    cairn_table *matched = NULL;
    schema_of(ctx, &schema, "code,n,text\n01,1.5,a b\n02,2,c\n", "code=level,text=text", NULL);
    cairn_table *t = table_of(ctx, "code,n,text\n2,3,9\n3,?,8\n");
    assert_ok(ctx, cairn_schema_match(ctx, &matched, &schema, t, true, &match));
    /* levels that are numbers are found by their value */
    assert_int_equal(cairn_table_codes(matched, 0)[0], 1);
    assert_int_equal(cairn_table_codes(matched, 0)[1], -1);
    assert_int_equal(match.n_unseen, 1);
    assert_int_equal(cairn_table_kind(matched, 2), CAIRN_TEXT);
    cairn_table_free(matched);
    cairn_table_free(t);
    matched = NULL;
    t = table_of(ctx, "code,n,text\n2,3,9\n3,many,8\n");
    assert_fails(ctx, cairn_schema_match(ctx, &matched, &schema, t, true, &match), CAIRN_BAD_DATA,
                 "new.csv, column 'n', row 2: 'many' is not a number; the model was trained on");
    assert_null(matched);
    cairn_table_free(t);
    cairn_schema_clear(&schema);
}

/* Read as a table for the schema and matched; codes of the first column. */
static void assert_codes(cairn_context *ctx, const cairn_schema *schema, const char *text,
                         const int32_t *codes)
{
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    cairn_table *t, *matched;
    options.expected = schema;
    assert_ok(ctx, cairn_table_read_memory(ctx, &t, "new.csv", text, strlen(text), &options));
    assert_ok(ctx, cairn_schema_match(ctx, &matched, schema, t, true, NULL));
    for (size_t i = 0; i < t->n_rows; i++)
        assert_int_equal(cairn_table_codes(matched, 0)[i], codes[i]);
    cairn_table_free(matched);
    cairn_table_free(t);
}

static void test_schema__tables_are_read_as_expected(void **state)
{
    cairn_context *ctx = *state;
    cairn_schema schema = {0};
    char zip[] = "zip", n[] = "n";
    cairn_field fields[] = {{.name = zip, .kind = CAIRN_LEVEL}, {.name = n}};
    const char *names[] = {"01", "1", "20"};
    size_t code;
    for (size_t i = 0; i < 3; i++)
        assert_ok(ctx, cairn_map_add(ctx, &fields[0].names, names[i], strlen(names[i]), &code));
    schema = (cairn_schema){fields, 2};
    assert_codes(ctx, &schema, "zip,n\n01,1\n1,2\n1.0,3\n001,4\n020,5\n20.0,6\n",
                 (const int32_t[]){0, 1, 1, -1, -1, 2});
    /* names of the columns that are values, too */
    assert_codes(ctx, &schema, "n,zip\n?,zip\n", (const int32_t[]){-1});
    cairn_map_clear(&fields[0].names);
}

static void test_schema__lacking_columns_are_named(void **state)
{
    cairn_context *ctx = *state;
    cairn_schema schema;
    cairn_table *matched = NULL;
    schema_of(ctx, &schema, "a,b,c,y\n1,2,3,4\n", NULL, "y");
    cairn_table *t = table_of(ctx, "b\n1\n2\n");
    assert_fails(ctx, cairn_schema_match(ctx, &matched, &schema, t, true, NULL), CAIRN_BAD_DATA,
                 "new.csv lacks the columns 'a', 'c' that the model was trained on");
    assert_null(matched);
    cairn_table_free(t);
    cairn_schema_clear(&schema);
}

static void test_schema__ids_of_another_kind_pass(void **state)
{
    cairn_context *ctx = *state;
    cairn_schema schema;
    cairn_table *matched, *t = table_of(ctx, "id,x\n1,2\n2,3\n");
    assert_ok(ctx, cairn_table_set_role(ctx, t, "id", CAIRN_ID));
    assert_ok(ctx, cairn_schema_from_table(ctx, &schema, t));
    cairn_table_free(t);
    t = table_of(ctx, "id,x\nq,2\nr,3\n");
    assert_ok(ctx, cairn_schema_match(ctx, &matched, &schema, t, true, NULL));
    assert_int_equal(cairn_table_kind(matched, 0), CAIRN_LEVEL);
    assert_int_equal(cairn_table_role(matched, 0), CAIRN_ID);
    cairn_table_free(matched);
    cairn_table_free(t);
    cairn_schema_clear(&schema);
}

static void test_schema__items_of_bags(void **state)
{
    cairn_context *ctx = *state;
    cairn_schema schema;
    cairn_match match;
    cairn_table *matched;
    char text[40];
    schema_of(ctx, &schema, "words\na b c\n", "words=bag", NULL);
    cairn_table *t = table_of(ctx, "words\nc d a c\nb\n");
    assert_ok(ctx, cairn_schema_match(ctx, &matched, &schema, t, true, &match));
    cairn_table_cell(matched, 0, 0, text, sizeof text);
    assert_string_equal(text, "a c:2");
    assert_int_equal(match.n_unseen, 1);
    assert_int_equal(matched->slots[0].column->items[0], 0);
    cairn_table_free(matched);
    cairn_table_free(t);
    cairn_schema_clear(&schema);
}

static cairn_status save_and_load(cairn_context *ctx, void *data)
{
    cairn_status status;
    const char *text = data;
    cairn_table *t = NULL, *matched = NULL;
    cairn_schema schema = {0}, loaded = {0};
    cairn_archive *archive = NULL;
    char *bytes = NULL;
    size_t length;
    TRY(cairn_table_read_memory(ctx, &t, "x.csv", text, strlen(text), NULL));
    TRY(cairn_schema_from_table(ctx, &schema, t));
    TRY(cairn_archive_writer(ctx, &archive));
    TRY(cairn_archive_section(archive, "schema"));
    TRY(cairn_schema_archive(archive, &schema));
    TRY(cairn_archive_finish(archive, &bytes, &length));
    cairn_archive_free(archive);
    archive = NULL;
    TRY(cairn_archive_reader(ctx, &archive, "m", bytes, length));
    TRY(cairn_archive_section(archive, "schema"));
    TRY(cairn_schema_archive(archive, &loaded));
    TRY(cairn_archive_finish(archive, NULL, NULL));
    TRY(cairn_schema_match(ctx, &matched, &loaded, t, true, NULL));
    if (cairn_table_hash(matched) != cairn_table_hash(t)) status = CAIRN_INTERNAL;
done:
    cairn_archive_free(archive);
    cairn_free(bytes);
    cairn_schema_clear(&schema);
    cairn_schema_clear(&loaded);
    cairn_table_free(t);
    cairn_table_free(matched);
    return status;
}

static void test_schema__archive(void **state)
{
    cairn_context *ctx = *state;
    char text[] = "a,b\n1,x\n2,y\n";
    assert_ok(ctx, save_and_load(ctx, text));
    assert_survives_allocation_failures(save_and_load, text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_schema__reorders_shares_and_recodes),
        context_test(test_schema__kinds_are_converted_where_cells_allow),
        context_test(test_schema__tables_are_read_as_expected),
        context_test(test_schema__lacking_columns_are_named),
        context_test(test_schema__ids_of_another_kind_pass),
        context_test(test_schema__items_of_bags),
        context_test(test_schema__archive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
