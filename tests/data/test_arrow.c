/* SPDX-License-Identifier: MIT */
#include "data/format_test.h"
#include "cairn/arrow.h"
#include "cairn/limits.h"
#include <math.h>
#include <stdlib.h>

/* -- a producer: structs on the stack or in static memory, releases counted -- */

typedef struct produced {
    struct ArrowSchema schema, child_schema, dictionary_schema;
    struct ArrowArray array, child, dictionary;
    struct ArrowSchema *schemas[1];
    struct ArrowArray *arrays[1];
    const void *struct_buffers[1];
    const void *buffers[3], *dictionary_buffers[3];
    int arrays_released, schemas_released;
} produced;

static void count_array(struct ArrowArray *array)
{
    produced *p = array->private_data;
    p->arrays_released++;
    array->release = NULL;
}

static void count_schema(struct ArrowSchema *schema)
{
    produced *p = schema->private_data;
    p->schemas_released++;
    schema->release = NULL;
}

/* A table of one column `x` of the given format, length and buffers. */
static void produce(produced *p, const char *format, int64_t length, const void *valid,
                    const void *values, const void *bytes)
{
    *p = (produced){.schemas = {&p->child_schema}, .arrays = {&p->child}};
    p->buffers[0] = valid;
    p->buffers[1] = values;
    p->buffers[2] = bytes;
    p->schema = (struct ArrowSchema){.format = "+s", .n_children = 1, .children = p->schemas};
    p->child_schema = (struct ArrowSchema){.format = format, .name = "x"};
    p->array = (struct ArrowArray){.length = length,
                                   .n_buffers = 1,
                                   .n_children = 1,
                                   .buffers = p->struct_buffers,
                                   .children = p->arrays};
    p->child = (struct ArrowArray){.length = length,
                                   .null_count = valid ? -1 : 0,
                                   .n_buffers = bytes ? 3 : 2,
                                   .buffers = p->buffers};
    p->schema.release = p->child_schema.release = count_schema;
    p->array.release = p->child.release = count_array;
    p->schema.private_data = p->child_schema.private_data = p;
    p->array.private_data = p->child.private_data = p;
}

static void give_dictionary(produced *p, const int32_t *starts, const char *bytes, int64_t n)
{
    p->dictionary_schema = (struct ArrowSchema){.format = "u", .release = count_schema};
    p->dictionary_buffers[1] = starts;
    p->dictionary_buffers[2] = bytes;
    p->dictionary = (struct ArrowArray){
        .length = n, .n_buffers = 3, .buffers = p->dictionary_buffers, .release = count_array};
    p->dictionary_schema.private_data = p->dictionary.private_data = p;
    p->child_schema.dictionary = &p->dictionary_schema;
    p->child.dictionary = &p->dictionary;
}

static cairn_table *take(cairn_context *ctx, produced *p)
{
    cairn_table *t = NULL;
    assert_ok(ctx, cairn_table_from_arrow(ctx, &t, &p->schema, &p->array));
    assert_null(p->schema.release);
    assert_null(p->array.release);
    assert_int_equal(p->schemas_released, 1);
    return t;
}

/* Whatever is wrong, both structs are released once. */
static void refused(cairn_context *ctx, produced *p, const char *part)
{
    cairn_table *t = NULL;
    int arrays = p->array.release != NULL, schemas = p->schema.release != NULL;
    assert_fails(ctx, cairn_table_from_arrow(ctx, &t, &p->schema, &p->array), CAIRN_BAD_DATA, part);
    assert_null(t);
    assert_int_equal(p->arrays_released, arrays);
    assert_int_equal(p->schemas_released, schemas);
}

/* -- in -- */

static const double reals[4] = {1.5, NAN, -2, 4};

static void test_arrow__reals_are_not_copied(void **state)
{
    cairn_context *ctx = *state;
    produced p;
    cairn_table *shared = NULL;
    produce(&p, "g", 4, NULL, reals, NULL);
    cairn_table *t = take(ctx, &p);
    assert_int_equal(t->n_rows, 4);
    assert_ptr_equal(column_of(t, "x")->numbers, reals);
    assert_int_equal(column_of(t, "x")->n_missing, 1);
    assert_int_equal(p.arrays_released, 0);
    assert_ok(ctx, cairn_table_share(ctx, &shared, t));
    cairn_table_free(t);
    assert_int_equal(p.arrays_released, 0); /* another table still uses it */
    cairn_table_free(shared);
    assert_int_equal(p.arrays_released, 1);
}

static void test_arrow__nulls_and_offsets(void **state)
{
    cairn_context *ctx = *state;
    produced p;
    static const uint8_t valid[1] = {0x0D}; /* rows 0, 2, 3 */
    produce(&p, "g", 4, valid, reals, NULL);
    cairn_table *t = take(ctx, &p);
    assert_int_equal(p.arrays_released, 0); /* what is null is not-a-number already */
    assert_int_equal(column_of(t, "x")->n_missing, 1);
    assert_true(column_of(t, "x")->numbers[2] == -2);
    cairn_table_free(t);
    assert_int_equal(p.arrays_released, 1);
    static const uint8_t fewer[1] = {0x05}; /* rows 0, 2 */
    produce(&p, "g", 4, fewer, reals, NULL);
    t = take(ctx, &p);
    assert_int_equal(p.arrays_released, 1);
    assert_true(isnan(column_of(t, "x")->numbers[3]));
    cairn_table_free(t);
    produce(&p, "g", 2, valid, reals, NULL);
    p.child.offset = 1;
    p.child.length = 3;
    p.array.offset = 1; /* rows 2 and 3 of the buffer */
    t = take(ctx, &p);
    assert_true(column_of(t, "x")->numbers[0] == -2 && column_of(t, "x")->numbers[1] == 4);
    cairn_table_free(t);
}

static void test_arrow__types(void **state)
{
    cairn_context *ctx = *state;
    static const struct {
        const char *format;
        unsigned char bytes[16];
        double first, second;
        cairn_kind kind;
    } cases[] = {
        {"b", {0x02}, 0, 1, CAIRN_NUMBER},
        {"c", {0xFE, 3}, -2, 3, CAIRN_NUMBER},
        {"C", {0xFE, 3}, 254, 3, CAIRN_NUMBER},
        {"s", {0xFE, 0xFF, 3, 0}, -2, 3, CAIRN_NUMBER},
        {"S", {0xFE, 0xFF, 3, 0}, 65534, 3, CAIRN_NUMBER},
        {"i", {0xFE, 0xFF, 0xFF, 0xFF, 3}, -2, 3, CAIRN_NUMBER},
        {"I", {0xFE, 0xFF, 0xFF, 0xFF, 3}, 4294967294, 3, CAIRN_NUMBER},
        {"l", {1, 0, 0, 0, 1, 0, 0, 0, 3}, 4294967297, 3, CAIRN_NUMBER},
        {"L", {1, 0, 0, 0, 1, 0, 0, 0, 3}, 4294967297, 3, CAIRN_NUMBER},
        {"e", {0x00, 0x3E, 0x00, 0xC0}, 1.5, -2, CAIRN_NUMBER},
        {"f", {0, 0, 0xC0, 0x3F, 0, 0, 0, 0xC0}, 1.5, -2, CAIRN_NUMBER},
        {"tdD", {1, 0, 0, 0, 2}, 86400, 172800, CAIRN_TIME},
        {"tss:", {5, 0, 0, 0, 0, 0, 0, 0, 6}, 5, 6, CAIRN_TIME},
        {"tsm:UTC", {0xE8, 3, 0, 0, 0, 0, 0, 0, 0}, 1, 0, CAIRN_TIME},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        produced p;
        produce(&p, cases[i].format, 2, NULL, cases[i].bytes, NULL);
        cairn_table *t = take(ctx, &p);
        const cairn_column *x = column_of(t, "x");
        assert_int_equal(x->kind, cases[i].kind);
        assert_true(x->numbers[0] == cases[i].first && x->numbers[1] == cases[i].second);
        cairn_table_free(t);
        assert_int_equal(p.arrays_released, 1);
    }
}

/* 64 bits with their sign as a number of any width. */
static void put_decimal(unsigned char *out, size_t width, int64_t value)
{
    memset(out, value < 0 ? 0xFF : 0, width);
    memcpy(out, &value, width < sizeof value ? width : sizeof value);
}

static void test_arrow__decimals_of_every_width(void **state)
{
    cairn_context *ctx = *state;
    static const struct {
        const char *format;
        size_t width;
        int64_t first, second;
        double is_first, is_second;
    } cases[] = {
        {"d:21,1,128", 16, 199, -5, 19.9, -0.5},
        {"d:21,1", 16, 199, -5, 19.9, -0.5},
        {"d:9,2,32", 4, 999999999, -1999, 9999999.99, -19.99},
        {"d:18,4,64", 8, 123456789, -1, 12345.6789, -0.0001},
        {"d:76,3,256", 32, 1, -123456, 0.001, -123.456},
        {"d:10,0,128", 16, 7, -7, 7, -7},
        {"d:5,-2,128", 16, 12, -3, 1200, -300},
        /* beyond 2^53, where a quotient of doubles would be rounded twice */
        {"d:18,3,64", 8, 900719925474099301, -999999999999999999, 900719925474099.301,
         -999999999999999.999},
        {"d:38,30,128", 16, 1234567890123456789, -1, 1.234567890123456789e-12, -1e-30},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        produced p;
        unsigned char bytes[64];
        put_decimal(bytes, cases[i].width, cases[i].first);
        put_decimal(bytes + cases[i].width, cases[i].width, cases[i].second);
        produce(&p, cases[i].format, 2, NULL, bytes, NULL);
        cairn_table *t = take(ctx, &p);
        const cairn_column *x = column_of(t, "x");
        assert_int_equal(x->kind, CAIRN_NUMBER);
        assert_true(x->numbers[0] == cases[i].is_first && x->numbers[1] == cases[i].is_second);
        cairn_table_free(t);
        assert_int_equal(p.arrays_released, 1);
    }
}

static void test_arrow__decimals_longer_than_64_bits(void **state)
{
    cairn_context *ctx = *state;
    produced p;
    static const uint8_t valid[1] = {0x07};
    static const uint64_t words[4][2] = {
        {UINT64_C(0x098A223FFFFFFFFF), UINT64_C(0x4B3B4CA85A86C47A)}, /* 10^38 - 1 */
        {UINT64_C(0xF675DDC000000001), UINT64_C(0xB4C4B357A5793B85)}, /* 1 - 10^38 */
        {0, 1},                                                       /* 2^64 */
        {UINT64_MAX, UINT64_MAX >> 1},                                /* null */
    };
    produce(&p, "d:38,2,128", 3, valid, words, NULL);
    p.child.offset = 1;
    cairn_table *t = take(ctx, &p);
    const double *x = column_of(t, "x")->numbers;
    assert_true(x[0] == -1e36 && x[1] == 184467440737095516.16 && isnan(x[2]));
    cairn_table_free(t);
    produce(&p, "d:38,2,128", 1, NULL, words, NULL);
    t = take(ctx, &p);
    assert_true(column_of(t, "x")->numbers[0] == 999999999999999999999999999999999999.99);
    cairn_table_free(t);
    static const uint64_t least[4] = {1, 0, 0, UINT64_C(1) << 60}; /* 2^252 + 1 has 76 digits */
    produce(&p, "d:76,76,256", 1, NULL, least, NULL);
    t = take(ctx, &p);
    assert_true(column_of(t, "x")->numbers[0] == 7.237005577332262e-1);
    cairn_table_free(t);
}

static void test_arrow__decimals_that_are_refused(void **state)
{
    cairn_context *ctx = *state;
    produced p;
    static const char *const formats[] = {"d:",         "d:5",         "d:5,",       "d:0,0,128",
                                          "d:39,2,128", "d:19,2,64",   "d:10,2,32",  "d:77,2,256",
                                          "d:5,2,16",   "d:5,2,128,1", "d:5,2,",     "d:5,x,128",
                                          "d:5 ,2,128", "d:5,99999",   "d:5,2,128 ", "d:-5,2"};
    static const uint64_t words[4] = {100000, 0, 0, UINT64_C(1) << 63};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        produce(&p, formats[i], 1, NULL, words, NULL);
        refused(ctx, &p, "values of this type cannot be read");
    }
    produce(&p, "d:5,2,128", 1, NULL, words, NULL);
    refused(ctx, &p, "column 'x' (Arrow format 'd:5,2,128'), row 1: the number has more digits");
    produce(&p, "d:38,2,128", 2, NULL, words, NULL);
    refused(ctx, &p, "row 2: the number has more digits than its type allows");
    produce(&p, "d:6,-1000,128", 1, NULL, words, NULL);
    refused(ctx, &p, "the number is inf");
}

static void test_arrow__text(void **state)
{
    cairn_context *ctx = *state;
    produced p;
    static const int32_t starts[5] = {0, 3, 3, 6, 9};
    static const int64_t large[5] = {0, 3, 3, 6, 9};
    static const uint8_t valid[1] = {0x0D};
    for (int i = 0; i < 2; i++) {
        produce(&p, i ? "U" : "u", 4, valid, i ? (const void *)large : starts, "redredsky");
        cairn_table *t = take(ctx, &p);
        assert_int_equal(column_of(t, "x")->kind, CAIRN_LEVEL);
        assert_int_equal(column_of(t, "x")->names.n, 2);
        assert_string_equal(cell(t, "x", 2), "red");
        assert_string_equal(cell(t, "x", 1), "?");
        cairn_table_free(t);
    }
    int32_t many[101];
    char bytes[300];
    for (int i = 0; i < 100; i++) {
        many[i] = 3 * i;
        snprintf(bytes + 3 * i, sizeof bytes - 3 * (size_t)i, "%03d", i);
    }
    many[100] = 299; /* the last text is shorter */
    produce(&p, "u", 100, NULL, many, bytes);
    cairn_table *t = take(ctx, &p);
    assert_int_equal(column_of(t, "x")->kind, CAIRN_TEXT);
    assert_string_equal(cell(t, "x", 98), "098");
    assert_string_equal(cell(t, "x", 99), "09");
    cairn_table_free(t);
}

/* A view of 16 bytes: a short text itself, or where a long one lies. */
static void put_view(unsigned char out[16], const char *text, int32_t length, int32_t buffer,
                     int32_t offset)
{
    memset(out, 0, 16);
    memcpy(out, &length, 4);
    if (length >= 0 && length <= 12) {
        memcpy(out + 4, text, (size_t)length);
        return;
    }
    memcpy(out + 4, text, 4);
    memcpy(out + 8, &buffer, 4);
    memcpy(out + 12, &offset, 4);
}

static void test_arrow__views_of_text(void **state)
{
    cairn_context *ctx = *state;
    produced p;
    static const char first[] = "a rather long name", second[] = "..and yet another one";
    static const int64_t sizes[2] = {18, 21};
    static const uint8_t valid[1] = {0x17};
    unsigned char views[5][16];
    const void *buffers[5] = {valid, views, first, second, sizes};
    put_view(views[0], "short", 5, 0, 0);
    put_view(views[1], first, 18, 0, 0);
    put_view(views[2], second + 2, 19, 1, 2);
    put_view(views[3], "null", -7, 9, 9); /* null: whatever stands there */
    put_view(views[4], "", 0, 0, 0);
    produce(&p, "vu", 5, valid, views, NULL);
    p.child.buffers = buffers;
    p.child.n_buffers = 5;
    cairn_table *t = take(ctx, &p);
    assert_string_equal(cell(t, "x", 0), "short");
    assert_string_equal(cell(t, "x", 1), first);
    assert_string_equal(cell(t, "x", 2), "and yet another one");
    assert_string_equal(cell(t, "x", 3), "?");
    cairn_table_free(t);
    produce(&p, "vu", 1, NULL, views, NULL); /* all short: no bytes elsewhere */
    p.child.n_buffers = 3;
    t = take(ctx, &p);
    assert_string_equal(cell(t, "x", 0), "short");
    cairn_table_free(t);
    static const struct {
        int32_t length, buffer, offset;
    } bad[] = {{-1, 0, 0}, {18, 2, 0}, {18, -1, 0}, {18, 0, 1}, {18, 0, -1}, {INT32_MAX, 1, 0}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        put_view(views[0], first, bad[i].length, bad[i].buffer, bad[i].offset);
        produce(&p, "vu", 1, NULL, views, NULL);
        p.child.buffers = buffers;
        p.child.n_buffers = 5;
        refused(ctx, &p, "one of its texts lies outside its buffers");
    }
    put_view(views[0], first, 18, 0, 0);
    produce(&p, "vu", 1, NULL, views, NULL);
    p.child.n_buffers = 3;
    refused(ctx, &p, "outside its buffers");
    produce(&p, "vu", 1, NULL, views, NULL);
    p.child.n_buffers = 2;
    refused(ctx, &p, "wrong number of buffers");
}

static void test_arrow__dictionary(void **state)
{
    cairn_context *ctx = *state;
    produced p;
    static const int32_t codes[3] = {2, 0, 0}, starts[4] = {0, 3, 6, 9};
    static const int8_t small[3] = {1, 0, 2};
    static const uint8_t valid[1] = {0x03};
    produce(&p, "i", 3, NULL, codes, NULL);
    give_dictionary(&p, starts, "lowmidtop", 3);
    p.child_schema.flags = ARROW_FLAG_DICTIONARY_ORDERED;
    cairn_table *t = take(ctx, &p);
    const cairn_column *x = column_of(t, "x");
    assert_ptr_equal(x->codes, codes);
    assert_true(x->declared && x->ordered);
    assert_int_equal(x->names.n, 3);
    assert_string_equal(cell(t, "x", 0), "top");
    cairn_table_free(t);
    assert_int_equal(p.arrays_released, 1);
    produce(&p, "c", 3, valid, small, NULL); /* with a value that is there twice */
    give_dictionary(&p, starts, "lowlowtop", 3);
    t = take(ctx, &p);
    x = column_of(t, "x");
    assert_int_equal(x->names.n, 2);
    assert_int_equal(x->codes[0], 0);
    assert_int_equal(x->codes[2], -1);
    assert_int_equal(x->n_missing, 1);
    cairn_table_free(t);
}

static void test_arrow__one_array(void **state)
{
    cairn_context *ctx = *state;
    produced p;
    cairn_table *t = NULL;
    produce(&p, "g", 4, NULL, reals, NULL);
    p.child_schema.name = NULL;
    assert_ok(ctx, cairn_table_from_arrow(ctx, &t, &p.child_schema, &p.child));
    assert_string_equal(cairn_table_name(t, 0), "column1");
    cairn_table_free(t);
    assert_int_equal(p.arrays_released, 1);
    produce(&p, "n", 4, NULL, NULL, NULL);
    p.child.n_buffers = 0;
    t = take(ctx, &p);
    assert_int_equal(column_of(t, "x")->n_missing, 4);
    cairn_table_free(t);
}

static void test_arrow__refuses(void **state)
{
    cairn_context *ctx = *state;
    produced p;
    static const int32_t falling[3] = {0, 4, 2}, negative[3] = {-5, 0, 1};
    static const double infinite[2] = {1, INFINITY};
    static const int32_t codes[2] = {0, 7}, starts[3] = {0, 1, 2};
    static const uint8_t none[1] = {0};
    produce(&p, "+vl", 2, NULL, starts, NULL);
    refused(ctx, &p, "column 'x' (Arrow format '+vl'): values of this type cannot be read");
    produce(&p, "+l", 2, NULL, starts, NULL);
    refused(ctx, &p, "column 'x' (Arrow format '+l'): it has no child for the values of its lists");
    produce(&p, "w:3", 2, NULL, starts, NULL);
    refused(ctx, &p, "(Arrow format 'w:3')");
    produce(&p, "g", -1, NULL, reals, NULL);
    refused(ctx, &p, "negative or absurd");
    produce(&p, "g", 2, NULL, reals, NULL);
    p.child.length = -2;
    refused(ctx, &p, "negative or absurd");
    produce(&p, "g", 2, NULL, reals, NULL);
    p.child.offset = -1;
    refused(ctx, &p, "negative or absurd");
    produce(&p, "g", 2, NULL, reals, NULL);
    p.array.offset = INT64_MAX;
    refused(ctx, &p, "negative or absurd");
    produce(&p, "g", 2, NULL, reals, NULL);
    p.child.length = 1;
    refused(ctx, &p, "shorter than the table");
    produce(&p, "g", 2, NULL, reals, NULL);
    p.child.n_buffers = 3;
    refused(ctx, &p, "wrong number of buffers");
    produce(&p, "g", 2, NULL, NULL, NULL);
    refused(ctx, &p, "one of its buffers is missing");
    produce(&p, "g", 2, NULL, reals, NULL);
    p.child.buffers = NULL;
    refused(ctx, &p, "no buffers");
    produce(&p, "g", 2, NULL, reals, NULL);
    p.child.null_count = 1;
    refused(ctx, &p, "no buffer that says where");
    produce(&p, "g", 2, NULL, infinite, NULL);
    refused(ctx, &p, "row 2: the number is inf");
    produce(&p, "u", 2, NULL, falling, "abcd");
    refused(ctx, &p, "do not ascend");
    produce(&p, "u", 2, NULL, negative, "abcd");
    refused(ctx, &p, "do not ascend");
    produce(&p, "u", 2, NULL, starts, "\xFF\xFF");
    refused(ctx, &p, "not UTF-8");
    produce(&p, "i", 2, NULL, codes, NULL);
    give_dictionary(&p, starts, "ab", 2);
    refused(ctx, &p, "outside its dictionary");
    produce(&p, "g", 2, NULL, reals, NULL);
    give_dictionary(&p, starts, "ab", 2);
    refused(ctx, &p, "not whole numbers");
    produce(&p, "i", 2, NULL, codes, NULL);
    give_dictionary(&p, starts, "ab", 2);
    p.dictionary_schema.format = "g";
    refused(ctx, &p, "wrong number of buffers");
    produce(&p, "i", 2, NULL, codes, NULL);
    give_dictionary(&p, starts, "ab", -2);
    refused(ctx, &p, "the number of its values is negative");
    produce(&p, "g", 2, NULL, reals, NULL);
    p.array.n_children = 2;
    refused(ctx, &p, "not as many as its schema says");
    produce(&p, "g", 2, NULL, reals, NULL);
    p.arrays[0] = NULL;
    refused(ctx, &p, "is missing or was released");
    produce(&p, "g", 2, NULL, reals, NULL);
    p.struct_buffers[0] = none;
    p.array.null_count = -1;
    refused(ctx, &p, "whole rows are null");
    produce(&p, "g", 2, NULL, reals, NULL);
    p.child_schema.format = NULL;
    refused(ctx, &p, "is missing or was released");
    produce(&p, "g", 2, NULL, reals, NULL);
    p.child_schema.name = "\xFF";
    refused(ctx, &p, "not UTF-8");
    produce(&p, "g", 2, NULL, reals, NULL);
    p.schema.release = NULL;
    refused(ctx, &p, "released already");
    produce(&p, "g", 2, NULL, reals, NULL);
    p.array.release = NULL;
    refused(ctx, &p, "released already");
    cairn_table *t = NULL;
    assert_fails(ctx, cairn_table_from_arrow(ctx, &t, NULL, NULL), CAIRN_USAGE, "no Arrow array");
}

/* -- out -- */

static const char sample[] = "@relation r\n@attribute n numeric\n@attribute l {a,b,c}\n"
                             "@attribute t string\n@data\n1.5,b,'one'\n?,?,?\n-3,a,'three 3'\n";

static void test_arrow__round_trip(void **state)
{
    cairn_context *ctx = *state;
    struct ArrowSchema schema;
    struct ArrowArray array;
    cairn_table *t = read_text(ctx, "arff", sample), *back = NULL;
    const double *numbers = column_of(t, "n")->numbers;
    assert_ok(ctx, cairn_table_to_arrow(ctx, t, &schema, &array));
    assert_string_equal(schema.format, "+s");
    assert_int_equal(array.n_children, 3);
    assert_ptr_equal(array.children[0]->buffers[1], numbers);
    assert_int_equal(array.children[1]->null_count, 1);
    assert_ptr_equal(array.children[2]->buffers[2], column_of(t, "t")->bytes);
    cairn_table_free(t); /* the array keeps the columns */
    assert_ok(ctx, cairn_table_from_arrow(ctx, &back, &schema, &array));
    t = read_text(ctx, "arff", sample);
    assert_ok(ctx, cairn_table_apply_kinds(ctx, back, "t=text", NULL));
    assert_true(cairn_table_hash(back) == cairn_table_hash(t));
    cairn_table_free(t);
    cairn_table_free(back);
}

/* A child that was moved away lives on by itself. */
static void test_arrow__moved_child(void **state)
{
    cairn_context *ctx = *state;
    struct ArrowSchema schema;
    struct ArrowArray array, child;
    cairn_table *t = read_text(ctx, "arff", sample);
    assert_ok(ctx, cairn_table_to_arrow(ctx, t, &schema, &array));
    cairn_table_free(t);
    child = *array.children[0];
    array.children[0]->release = NULL;
    array.release(&array);
    assert_null(array.release);
    schema.release(&schema);
    assert_null(schema.release);
    assert_true(((const double *)child.buffers[1])[2] == -3);
    child.release(&child);
}

static void test_arrow__times(void **state)
{
    cairn_context *ctx = *state;
    produced p;
    static const int64_t times[2] = {1500, -250};
    struct ArrowSchema schema;
    struct ArrowArray array;
    produce(&p, "tsm:", 2, NULL, times, NULL);
    cairn_table *t = take(ctx, &p), *back = NULL;
    assert_ok(ctx, cairn_table_to_arrow(ctx, t, &schema, &array));
    assert_int_equal(((const int64_t *)array.children[0]->buffers[1])[1], -250000);
    assert_ok(ctx, cairn_table_from_arrow(ctx, &back, &schema, &array));
    assert_true(column_of(back, "x")->numbers[0] == 1.5);
    cairn_table_free(back);
    cairn_table_free(t);
}

/* Columns that are dates only go out as days. */
static void test_arrow__dates(void **state)
{
    cairn_context *ctx = *state;
    struct ArrowSchema schema;
    struct ArrowArray array;
    static const char text[] = "@relation r\n@attribute d date yyyy-MM-dd\n@data\n"
                               "2026-11-15\n?\n1969-12-31\n0001-01-01\n";
    cairn_table *t = read_text(ctx, "arff", text), *back = NULL;
    assert_ok(ctx, cairn_table_to_arrow(ctx, t, &schema, &array));
    assert_string_equal(schema.children[0]->format, "tdD");
    const int32_t *days = array.children[0]->buffers[1];
    assert_int_equal(days[0], 20772);
    assert_int_equal(days[2], -1);
    assert_ok(ctx, cairn_table_from_arrow(ctx, &back, &schema, &array));
    assert_true(cairn_table_hash(back) == cairn_table_hash(t));
    assert_string_equal(cell(back, "d", 3), "0001-01-01");
    cairn_table_free(t);
    cairn_table_free(back);
}

/* Out and back: every kind of many things, with missing cells, unknown items and amounts. */
static void passes_through(cairn_context *ctx, const char *format, const char *text,
                           const char *arrow_format)
{
    struct ArrowSchema schema;
    struct ArrowArray array;
    cairn_table *t = read_text(ctx, format, text), *back = NULL;
    assert_ok(ctx, cairn_table_to_arrow(ctx, t, &schema, &array));
    assert_string_equal(schema.children[0]->format, arrow_format);
    assert_ok(ctx, cairn_table_from_arrow(ctx, &back, &schema, &array));
    assert_true(cairn_table_hash(back) == cairn_table_hash(t));
    cairn_table_free(t);
    cairn_table_free(back);
}

static void test_arrow__lists_go_around(void **state)
{
    cairn_context *ctx = *state;
    passes_through(ctx, "basket", "a b\nc\n\nb a d\n", "+L");
    passes_through(ctx, "basket", "a a b\nc\n", "+m");
}

/* -- streams -- */

typedef struct stream_state {
    cairn_context *ctx;
    cairn_table *tables[3];
    size_t n, at;
    int fails_at, released;
} stream_state;

static int next_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    stream_state *s = stream->private_data;
    struct ArrowArray array;
    if (cairn_table_to_arrow(s->ctx, s->tables[0], out, &array)) return 12;
    array.release(&array);
    return 0;
}

static int next_array(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    stream_state *s = stream->private_data;
    struct ArrowSchema schema;
    *out = (struct ArrowArray){0};
    if ((int)s->at == s->fails_at) return 5;
    if (s->at >= s->n) return 0;
    if (cairn_table_to_arrow(s->ctx, s->tables[s->at++], &schema, out)) return 12;
    schema.release(&schema);
    return 0;
}

static const char *last_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return "the disk is gone";
}

static void release_stream(struct ArrowArrayStream *stream)
{
    stream_state *s = stream->private_data;
    s->released++;
    stream->release = NULL;
}

static struct ArrowArrayStream make_stream(stream_state *s)
{
    return (struct ArrowArrayStream){next_schema, next_array, last_error, release_stream, s};
}

static void test_arrow__stream(void **state)
{
    cairn_context *ctx = *state;
    stream_state s = {.ctx = ctx, .n = 2, .fails_at = -1};
    cairn_table *t = NULL;
    s.tables[0] = read_text(ctx, "arff", sample);
    s.tables[1] = read_text(ctx, "arff",
                            "@relation r\n@attribute n numeric\n@attribute l {c,d}\n@attribute t "
                            "string\n@data\n7,d,'four'\n8,c,?\n");
    struct ArrowArrayStream stream = make_stream(&s);
    assert_ok(ctx, cairn_table_from_arrow_stream(ctx, &t, &stream));
    assert_int_equal(s.released, 1);
    assert_int_equal(t->n_rows, 5);
    assert_true(column_of(t, "n")->numbers[3] == 7 && isnan(column_of(t, "n")->numbers[1]));
    assert_string_equal(cell(t, "l", 0), "b");
    assert_string_equal(cell(t, "l", 3), "d");
    assert_string_equal(cell(t, "l", 4), "c");
    assert_int_equal(column_of(t, "l")->names.n, 4);
    assert_int_equal(column_of(t, "t")->kind, CAIRN_TEXT); /* as is noted */
    assert_string_equal(cell(t, "t", 3), "four");
    assert_int_equal(column_of(t, "t")->n_missing, 2);
    cairn_table_free(t);
    t = NULL;
    s.at = 0;
    s.fails_at = 1;
    stream = make_stream(&s);
    assert_fails(ctx, cairn_table_from_arrow_stream(ctx, &t, &stream), CAIRN_BAD_DATA,
                 "the disk is gone (error 5)");
    s.at = s.n;
    s.fails_at = -1;
    stream = make_stream(&s);
    assert_fails(ctx, cairn_table_from_arrow_stream(ctx, &t, &stream), CAIRN_BAD_DATA, "no array");
    assert_int_equal(s.released, 3);
    assert_fails(ctx, cairn_table_from_arrow_stream(ctx, &t, &stream), CAIRN_USAGE, "released");
    cairn_table_free(s.tables[0]);
    cairn_table_free(s.tables[1]);
}

/* Levels of all parts together meet the limit. */
static void test_arrow__limits_hold(void **state)
{
    cairn_context *ctx = *state;
    stream_state s = {.ctx = ctx, .n = 2, .fails_at = -1};
    cairn_table *t = NULL;
    s.tables[0] = read_text(ctx, "arff", "@relation r\n@attribute l {a,b}\n@data\na\nb\n");
    s.tables[1] = read_text(ctx, "arff", "@relation r\n@attribute l {c,dd}\n@data\nc\ndd\n");
    struct ArrowArrayStream stream = make_stream(&s);
    assert_ok(ctx, cairn_context_set_limit(ctx, CAIRN_LIMIT_LEVELS, 3));
    assert_fails(ctx, cairn_table_from_arrow_stream(ctx, &t, &stream), CAIRN_BAD_DATA,
                 "column 'l': 4 levels are too many: the limit of 'levels' is 3");
    assert_ok(ctx, cairn_context_set_limit(ctx, CAIRN_LIMIT_LEVELS, 4));
    assert_ok(ctx, cairn_context_set_limit(ctx, CAIRN_LIMIT_CELL, 1));
    s.at = 0;
    stream = make_stream(&s);
    assert_fails(ctx, cairn_table_from_arrow_stream(ctx, &t, &stream), CAIRN_BAD_DATA,
                 "column 'l': a cell of 2 bytes is too long");
    assert_null(t);
    assert_ok(ctx, cairn_context_set_limit(ctx, CAIRN_LIMIT_CELL, 2));
    s.at = 0;
    stream = make_stream(&s);
    assert_ok(ctx, cairn_table_from_arrow_stream(ctx, &t, &stream));
    cairn_table_free(t);
    cairn_table_free(s.tables[0]);
    cairn_table_free(s.tables[1]);
}

/* -- failing allocations -- */

static cairn_status there_and_back(cairn_context *ctx, void *data)
{
    cairn_status status;
    struct ArrowSchema schema = {0};
    struct ArrowArray array = {0};
    cairn_table *t = NULL, *back = NULL;
    (void)data;
    TRY(read_bytes(ctx, &t, "arff", sample, sizeof sample - 1));
    TRY(cairn_table_to_arrow(ctx, t, &schema, &array));
    TRY(cairn_table_from_arrow(ctx, &back, &schema, &array));
done:
    cairn_table_free(t);
    cairn_table_free(back);
    return status;
}

static void test_arrow__failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(there_and_back, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_arrow__reals_are_not_copied),
        context_test(test_arrow__nulls_and_offsets),
        context_test(test_arrow__types),
        context_test(test_arrow__decimals_of_every_width),
        context_test(test_arrow__decimals_longer_than_64_bits),
        context_test(test_arrow__decimals_that_are_refused),
        context_test(test_arrow__text),
        context_test(test_arrow__views_of_text),
        context_test(test_arrow__dictionary),
        context_test(test_arrow__one_array),
        context_test(test_arrow__refuses),
        context_test(test_arrow__round_trip),
        context_test(test_arrow__moved_child),
        context_test(test_arrow__times),
        context_test(test_arrow__dates),
        context_test(test_arrow__lists_go_around),
        context_test(test_arrow__stream),
        context_test(test_arrow__limits_hold),
        cmocka_unit_test(test_arrow__failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
