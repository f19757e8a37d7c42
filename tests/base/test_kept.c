/* SPDX-License-Identifier: MIT */
/* Rows say what a struct keeps: it goes round, what is out of bounds is refused in the words of its
 * row, and clearing leaves nothing behind. */
#include "support/fail_alloc.h"
#include "base/kept.h"

typedef struct pair {
    int32_t code;
    char *name;
} pair;

typedef struct kind {
    size_t width;
} kind;

typedef struct sample {
    size_t n, k;
    kind inside;
    int32_t choice;
    bool yes;
    double *values;  /* n x k + 1 */
    double *weights; /* n; NULL = ones */
    int32_t *codes;  /* n: below k */
    cairn_map names;
    cairn_map *levels; /* names.n */
    pair *pairs;       /* n */
    int64_t late;
    double *spare; /* not in the file */
} sample;

static cairn_status check_pair(cairn_archive *a, const void *kept, const void *around)
{
    const pair *p = kept;
    const sample *s = around;
    if ((size_t)p->code < s->k) return CAIRN_OK;
    return cairn_archive_damaged(a, "a pair of no code");
}

static const cairn_kept pair_keeps[] = {
    KEEP(pair, code, name),
    KEEP_CHECK(check_pair),
    KEEP_END,
};

static const cairn_kept rows[] = {
    KEEP_SIZE(sample, n, 4, .least = 1, .why = "$ rows are not from 1 to ~"),
    KEEP_SIZE_IN(sample, k, "n", .name = "clusters"),
    KEEP_SIZE(sample, inside.width, 9),
    KEEP_CHOICE(sample, choice, -1, 2, "there is no choice $"),
    KEEP(sample, yes),
    KEEP_ARRAYS(sample, "n*k+1", values),
    KEEP_FLAG(sample, weights, "weighted"),
    KEEP_ARRAY(sample, weights, "n", .when = "weighted"),
    KEEP_CODES(sample, codes, "n", 0, "k", "row # is in cluster @ of ~"),
    KEEP(sample, names),
    KEEP_MAPS(sample, levels, "names"),
    KEEP_PARTS(sample, pairs, "n", .rows = pair_keeps),
    KEEP_SAME("inside.width", "names", "$ columns and ~ names"),
    KEEP_FITS("inside.width", "3", "more than ~ columns", .when = "yes"),
    KEEP_AS(sample, late, .since = 1000, .absent = -1),
    KEEP_OWNED(sample, spare),
    KEEP_END,
};

static cairn_status make_sample(cairn_context *ctx, sample *s)
{
    size_t index;
    *s = (sample){.n = 3, .k = 2, .inside = {2}, .choice = 2, .yes = true, .late = 7};
    CHECK(NEW(ctx, &s->values, 7));
    CHECK(NEW_EACH(ctx, 3, &s->codes, &s->weights, &s->spare, &s->pairs));
    CHECK(NEW(ctx, &s->levels, 2));
    for (int32_t i = 0; i < 3; i++) {
        s->codes[i] = s->pairs[i].code = i % 2;
        s->weights[i] = 0.5 + i;
        CHECK(cairn_copy_text(ctx, &s->pairs[i].name, "pair", 4));
    }
    s->values[6] = 6;
    CHECK(cairn_map_add(ctx, &s->names, "one", 3, &index));
    CHECK(cairn_map_add(ctx, &s->names, "two", 3, &index));
    return cairn_map_add(ctx, &s->levels[1], "red", 3, &index);
}

static cairn_status save(cairn_context *ctx, sample *s, char **bytes, size_t *length)
{
    OWNED(cairn_archive_free) cairn_archive *a = NULL;
    CHECK(cairn_archive_writer(ctx, &a));
    CHECK(cairn_archive_section(a, "sample"));
    CHECK(cairn_kept_archive(a, rows, s, NULL, NULL, NULL));
    return cairn_archive_finish(a, bytes, length);
}

static cairn_status load(cairn_context *ctx, sample *s, const char *bytes, size_t length)
{
    OWNED(cairn_archive_free) cairn_archive *a = NULL;
    CHECK(cairn_archive_reader(ctx, &a, "m.cairn", bytes, length));
    CHECK(cairn_archive_section(a, "sample"));
    CHECK(cairn_kept_archive(a, rows, s, NULL, NULL, NULL));
    return cairn_archive_finish(a, NULL, NULL);
}

static void test_kept__goes_round(void **state)
{
    sample s, t = {0};
    char *bytes;
    size_t length;
    assert_ok(*state, make_sample(*state, &s));
    assert_ok(*state, save(*state, &s, &bytes, &length));
    assert_ok(*state, load(*state, &t, bytes, length));
    assert_int_equal(t.n, 3);
    assert_int_equal(t.inside.width, 2);
    assert_int_equal(t.choice, 2);
    assert_true(t.yes && t.values[6] == 6 && t.weights[2] == 2.5);
    assert_int_equal(t.codes[1], 1);
    assert_int_equal(t.levels[1].n, 1);
    assert_string_equal(t.pairs[2].name, "pair");
    assert_int_equal(t.late, -1);
    assert_null(t.spare);
    assert_true(cairn_kept_count(rows, &t, "2*n*k+names+1") == 15);
    cairn_kept_clear(rows, &t);
    assert_null(t.values);
    assert_null(t.pairs);
    cairn_kept_clear(rows, &t); /* once more is nothing */
    cairn_free(s.weights);
    s.weights = NULL;
    cairn_free(bytes);
    assert_ok(*state, save(*state, &s, &bytes, &length));
    assert_ok(*state, load(*state, &t, bytes, length));
    assert_null(t.weights);
    cairn_kept_clear(rows, &t);
    cairn_kept_clear(rows, &s);
    cairn_free(bytes);
}

/* A file that was written from such a sample is refused, and what was read of it is released. */
static void refused(cairn_context *ctx, sample *s, const char *why)
{
    sample t = {0};
    char *bytes;
    size_t length;
    assert_ok(ctx, save(ctx, s, &bytes, &length));
    assert_fails(ctx, load(ctx, &t, bytes, length), CAIRN_BAD_DATA, why);
    cairn_kept_clear(rows, &t);
    cairn_free(bytes);
}

static void test_kept__what_is_out_of_bounds_is_refused(void **state)
{
    sample s;
    assert_ok(*state, make_sample(*state, &s));
    s.codes[1] = 4;
    refused(*state, &s, "row 2 is in cluster 5 of 2");
    s.codes[1] = -1;
    refused(*state, &s, "row 2 is in cluster 0 of 2");
    s.codes[1] = 0;
    s.choice = -2;
    refused(*state, &s, "there is no choice -2");
    s.choice = 0;
    s.inside.width = 1;
    refused(*state, &s, "1 columns and 2 names");
    s.inside.width = 10;
    refused(*state, &s, "'width' is 10");
    s.inside.width = 2;
    s.pairs[0].code = 2;
    refused(*state, &s, "a pair of no code");
    s.n = 0;
    refused(*state, &s, "0 rows are not from 1 to 4");
    s.n = 1;
    refused(*state, &s, "'clusters' is 2");
    s.n = 3;
    cairn_kept_clear(rows, &s);
}

static cairn_status round_trip(cairn_context *ctx, void *data)
{
    sample s = {0}, t = {0};
    SCOPED_KEPT(rows, &s);
    OWNED(cairn_free) char *bytes = NULL;
    size_t length;
    (void)data;
    CHECK(make_sample(ctx, &s));
    CHECK(save(ctx, &s, &bytes, &length));
    cairn_status status = load(ctx, &t, bytes, length);
    cairn_kept_clear(rows, &t);
    return status;
}

static void test_kept__survives_allocation_failures(void **state)
{
    (void)state;
    assert_survives_allocation_failures(round_trip, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_kept__goes_round),
        context_test(test_kept__what_is_out_of_bounds_is_refused),
        cmocka_unit_test(test_kept__survives_allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
