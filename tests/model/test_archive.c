/* SPDX-License-Identifier: MIT */
/* The archive: everything goes round, every kind of damage is found. */
#include "support/fail_alloc.h"
#include "base/archive.h"
#include "base/memory.h"
#include <math.h>

typedef struct sample {
    bool yes;
    int32_t small;
    int64_t large;
    size_t n;
    double real;
    char *text, *none;
    double *reals;
    int32_t *ints;
    cairn_map map;
} sample;

static cairn_status archive_sample(cairn_archive *a, sample *s)
{
    cairn_status status;
    TRY(cairn_archive_section(a, "first"));
    TRY(cairn_archive_bool(a, "yes", &s->yes));
    TRY(cairn_archive_int(a, "small", &s->small));
    TRY(cairn_archive_int64(a, "large", &s->large));
    TRY(cairn_archive_real(a, "real", &s->real));
    TRY(cairn_archive_text(a, "text", &s->text));
    TRY(cairn_archive_text(a, "none", &s->none));
    TRY(cairn_archive_section(a, "second"));
    TRY(cairn_archive_size(a, "n", &s->n, 1000));
    TRY(cairn_archive_reals(a, "reals", &s->reals, s->n));
    TRY(cairn_archive_ints(a, "ints", &s->ints, s->n));
    TRY(cairn_archive_map(a, "map", &s->map));
done:
    return status;
}

static void clear_sample(sample *s)
{
    cairn_free(s->text);
    cairn_free(s->none);
    cairn_free(s->reals);
    cairn_free(s->ints);
    cairn_map_clear(&s->map);
}

static cairn_status make_sample(cairn_context *ctx, sample *s)
{
    cairn_status status;
    size_t index;
    *s = (sample){.yes = true, .small = -7, .large = INT64_MIN, .n = 3, .real = -0.0};
    TRY(cairn_copy_text(ctx, &s->text, "größer", strlen("größer")));
    TRY(NEW(ctx, &s->reals, 3));
    TRY(NEW(ctx, &s->ints, 3));
    for (int i = 0; i < 3; i++) {
        s->reals[i] = 1.0 / (i + 1);
        s->ints[i] = -i;
    }
    TRY(cairn_map_add(ctx, &s->map, "one", 3, &index));
    TRY(cairn_map_add(ctx, &s->map, "", 0, &index));
done:
    return status;
}

static cairn_status save_sample(cairn_context *ctx, char **bytes, size_t *length)
{
    cairn_status status;
    sample s = {0};
    cairn_archive *a = NULL;
    TRY(make_sample(ctx, &s));
    TRY(cairn_archive_writer(ctx, &a));
    TRY(archive_sample(a, &s));
    TRY(cairn_archive_finish(a, bytes, length));
done:
    cairn_archive_free(a);
    clear_sample(&s);
    return status;
}

static cairn_status load_sample(cairn_context *ctx, sample *s, const char *bytes, size_t length)
{
    cairn_status status;
    cairn_archive *a = NULL;
    TRY(cairn_archive_reader(ctx, &a, "m.cairn", bytes, length));
    TRY(archive_sample(a, s));
    TRY(cairn_archive_finish(a, NULL, NULL));
done:
    cairn_archive_free(a);
    return status;
}

static void test_archive__goes_round(void **state)
{
    char *bytes;
    size_t length;
    sample s = {0};
    assert_ok(*state, save_sample(*state, &bytes, &length));
    assert_ok(*state, load_sample(*state, &s, bytes, length));
    assert_true(s.yes);
    assert_int_equal(s.small, -7);
    assert_true(s.large == INT64_MIN);
    assert_true(s.real == 0 && signbit(s.real));
    assert_string_equal(s.text, "größer");
    assert_null(s.none);
    assert_true(s.reals[2] == 1.0 / 3);
    assert_int_equal(s.ints[2], -2);
    assert_int_equal(s.map.n, 2);
    assert_string_equal(cairn_map_key(&s.map, 0), "one");
    clear_sample(&s);
    cairn_free(bytes);
}

static void test_archive__every_flipped_bit_is_found(void **state)
{
    char *bytes;
    size_t length;
    assert_ok(*state, save_sample(*state, &bytes, &length));
    for (size_t bit = 0; bit < 8 * length; bit++) {
        sample s = {0};
        bytes[bit / 8] ^= (char)(1 << bit % 8);
        assert_int_equal(load_sample(*state, &s, bytes, length), CAIRN_BAD_DATA);
        assert_non_null(strstr(cairn_message(*state), "m.cairn"));
        bytes[bit / 8] ^= (char)(1 << bit % 8);
        clear_sample(&s);
    }
    cairn_free(bytes);
}

static void test_archive__every_cut_is_found(void **state)
{
    char *bytes;
    size_t length;
    assert_ok(*state, save_sample(*state, &bytes, &length));
    for (size_t cut = 0; cut < length; cut++) {
        sample s = {0};
        assert_int_equal(load_sample(*state, &s, bytes, cut), CAIRN_BAD_DATA);
        clear_sample(&s);
    }
    cairn_free(bytes);
}

static cairn_status wrong_reader(cairn_archive *a)
{
    cairn_status status;
    sample s = {0};
    TRY(cairn_archive_section(a, "first"));
    TRY(cairn_archive_int(a, "yes", &s.small));
done:
    return status;
}

static void test_archive__other_names_and_types_are_damage(void **state)
{
    char *bytes;
    size_t length;
    cairn_archive *a;
    assert_ok(*state, save_sample(*state, &bytes, &length));
    assert_ok(*state, cairn_archive_reader(*state, &a, "m", bytes, length));
    assert_fails(*state, wrong_reader(a), CAIRN_BAD_DATA, "'yes' was expected");
    cairn_archive_free(a);
    assert_ok(*state, cairn_archive_reader(*state, &a, "m", bytes, length));
    assert_fails(*state, cairn_archive_section(a, "second"), CAIRN_BAD_DATA, "'second'");
    assert_fails(*state, cairn_archive_finish(a, NULL, NULL), CAIRN_BAD_DATA, "more than");
    cairn_archive_free(a);
    cairn_free(bytes);
}

static cairn_status round_trip(cairn_context *ctx, void *data)
{
    (void)data;
    cairn_status status;
    char *bytes = NULL;
    size_t length;
    sample s = {0};
    TRY(save_sample(ctx, &bytes, &length));
    TRY(load_sample(ctx, &s, bytes, length));
done:
    clear_sample(&s);
    cairn_free(bytes);
    return status;
}

static void test_archive__survives_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(round_trip, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_archive__goes_round),
        context_test(test_archive__every_flipped_bit_is_found),
        context_test(test_archive__every_cut_is_found),
        context_test(test_archive__other_names_and_types_are_damage),
        cmocka_unit_test(test_archive__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
