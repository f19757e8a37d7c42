/* SPDX-License-Identifier: MIT */
/* Rows and their distances: many at a time against pair by pair, to the last bit, for every
 * distance and many widths; matrices that are given; keeping and saving; refusals. */
#include "rows/distances.h"
#include "base/memory.h"
#include "data/bag.h"
#include "data/shape.h"
#include "stats/edit_distance.h"
#include "support/fail_alloc.h"
#include "support/learn.h"

enum { MOST = 300 };

static double drawn(size_t i)
{
    uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9u;
    return (double)(x >> 40) / (double)(1 << 24) - 0.5;
}

static cairn_table *numbers(cairn_context *ctx, size_t n, size_t width)
{
    cairn_table *table;
    double values[MOST];
    char name[32];
    assert_ok(ctx, cairn_table_new(ctx, &table, n));
    for (size_t j = 0; j < width; j++) {
        for (size_t i = 0; i < n; i++)
            values[i] = i % 7 == 3 && j % 2 ? 0 : drawn(i * 1009 + j) * 4;
        snprintf(name, sizeof name, "x%zu", j);
        assert_ok(ctx, cairn_table_add_numbers(ctx, table, name, values));
    }
    return table;
}

static cairn_table *words(cairn_context *ctx, size_t n)
{
    static const char *const parts[] = {"kitten", "sitting", "", "häuser", "abracadabra", "kit"};
    cairn_table *table;
    static char buffer[MOST][200];
    const char *texts[MOST];
    assert_ok(ctx, cairn_table_new(ctx, &table, n));
    for (size_t i = 0; i < n; i++) {
        buffer[i][0] = 0;
        for (size_t k = 0; k <= i % 14; k++) strcat(buffer[i], parts[(i + k * k) % 6]);
        texts[i] = buffer[i];
    }
    assert_ok(ctx, cairn_table_add_texts(ctx, table, "word", texts));
    for (size_t i = 0; i < n; i++) texts[i] = parts[i % 6];
    assert_ok(ctx, cairn_table_add_texts(ctx, table, "other", texts));
    return table;
}

static cairn_view view_of(cairn_context *ctx, const cairn_table *table)
{
    cairn_view view;
    assert_ok(ctx, cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    return view;
}

/* Blocks of any shape and the list of all pairs, with one thread and with three. */
static void check_rows(cairn_context *ctx, const cairn_table *table, const char *spec)
{
    cairn_view view = view_of(ctx, table);
    cairn_distance_rows rows;
    static double all[MOST * MOST], pairs[MOST * MOST], some[MOST * MOST];
    uint32_t which[MOST];
    size_t n = view.rows.n;
    assert_ok(ctx, cairn_distance_rows_open(ctx, &rows, &view, spec));
    int32_t *buffer = malloc(cairn_distance_buffer(&rows, &rows) * sizeof *buffer);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            all[i * n + j] = cairn_distance_pair(&rows, i, &rows, j, buffer);
    for (int threads = 1; threads <= 3; threads += 2) {
        cairn_context_set_threads(ctx, threads);
        assert_ok(ctx, cairn_distances_condensed(ctx, &rows, pairs));
        for (size_t i = 0; i < n; i++)
            for (size_t j = i + 1; j < n; j++) {
                if (pairs[cairn_pair_at(n, i, j)] != all[i * n + j])
                    fail_msg("%s, %zu columns: rows %zu and %zu: %.17g, not %.17g", spec,
                             view.n_features, i + 1, j + 1, pairs[cairn_pair_at(n, i, j)],
                             all[i * n + j]);
                if (all[i * n + j] != all[j * n + i])
                    fail_msg("%s: rows %zu and %zu: not symmetric", spec, i + 1, j + 1);
            }
        for (size_t m = 1; m <= n; m += 1 + m / 2) {
            size_t first = m % 3, width = n - first - (m < n / 2 ? m % 5 : 0);
            for (size_t r = 0; r < m; r++) which[r] = (uint32_t)((r * 7 + 5) % n);
            assert_ok(ctx,
                      cairn_distances_block(ctx, &rows, which, m, &rows, first, width, some, MOST));
            for (size_t r = 0; r < m; r++)
                for (size_t j = 0; j < width; j++)
                    if (some[r * MOST + j] != all[which[r] * n + first + j])
                        fail_msg("%s: %zu rows at once: rows %u and %zu: %.17g, not %.17g", spec, m,
                                 which[r] + 1, first + j + 1, some[r * MOST + j],
                                 all[which[r] * n + first + j]);
        }
    }
    free(buffer);
    cairn_distance_rows_clear(&rows);
}

static void test_distances__many_at_a_time_are_those_of_pairs(void **state)
{
    cairn_context *ctx = *state;
    static const char *const specs[] = {"euclidean",
                                        "squared",
                                        "manhattan",
                                        "chebyshev",
                                        "minkowski:p=3",
                                        "minkowski:p=0.5",
                                        "minkowski:p=0",
                                        "cosine",
                                        "canberra",
                                        "hamming",
                                        "jaccard",
                                        "gower",
                                        "kernel:poly:degree=2,offset=1",
                                        "kernel:rbf:gamma=0.5",
                                        "kernel:laplace:sigma=2"};
    static const size_t widths[] = {1, 2, 3, 7, 8, 9, 16, 17, 31, 32, 33, 40, 71, 130};
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        cairn_table *table = numbers(ctx, w % 3 == 0 ? 70 : 37, widths[w]);
        for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) check_rows(ctx, table, specs[s]);
        if (widths[w] < 20) check_rows(ctx, table, "mahalanobis");
        cairn_table_free(table);
    }
    cairn_table *one = numbers(ctx, 1, 3), *many = numbers(ctx, MOST, 16);
    check_rows(ctx, one, "euclidean");
    check_rows(ctx, many, "euclidean");
    cairn_table_free(one);
    cairn_table_free(many);
}

static void test_distances__texts(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = words(ctx, 60);
    check_rows(ctx, table, "edit");
    cairn_table_free(table);
}

/* The table of the dynamic program, row by row. */
static size_t plain_edits(const int32_t *a, size_t n, const int32_t *b, size_t m)
{
    size_t row[400];
    for (size_t j = 0; j <= m; j++) row[j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t corner = row[0];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t best = corner + (a[i - 1] != b[j - 1]);
            corner = row[j];
            if (corner + 1 < best) best = corner + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            row[j] = best;
        }
    }
    return row[m];
}

static void test_edits__are_those_of_the_table(void **state)
{
    (void)state;
    int32_t a[300], b[300], buffer[301];
    for (size_t trial = 0; trial < 600; trial++) {
        size_t n = trial % 5 ? trial * 7 % 80 : trial * 13 % 300, m = trial * 11 % 299;
        int32_t letters = trial % 4 == 0 ? 2 : trial % 4 == 1 ? 4 : trial % 4 == 2 ? 30 : 100000;
        for (size_t i = 0; i < n; i++)
            a[i] = (int32_t)((drawn(trial * 1000 + i) + 0.5) * letters) - 1;
        for (size_t i = 0; i < m; i++)
            b[i] = trial % 3 && i < n ? a[i] : (int32_t)((drawn(i * 77 + trial) + 0.5) * letters);
        size_t wanted = plain_edits(a, n, b, m);
        assert_int_equal(cairn_edit_distance(a, n, b, m, buffer), wanted);
        assert_int_equal(cairn_edit_distance(b, m, a, n, buffer), wanted);
    }
}

/* -- matrices -- */

static cairn_table *matrix(cairn_context *ctx, const char *text)
{
    cairn_table *table = NULL;
    assert_ok(ctx, cairn_table_read_memory(ctx, &table, "d.csv", text, strlen(text), NULL));
    assert_ok(ctx, cairn_table_as(ctx, &table, "distances"));
    return table;
}

static void test_distances__given(void **state)
{
    cairn_context *ctx = *state;
    /* the second matrix is not quite symmetric: the mean of both halves counts */
    static const char *const texts[] = {"a,b,c,d\n0,1,2,3\n1,0,4,5\n2,4,0,6\n3,5,6,0\n",
                                        "a,b,c,d\n0,1,2,3\n1,0,4,5\n2,4.000000001,0,6\n3,5,6,0\n"};
    for (size_t t = 0; t < 2; t++) {
        cairn_table *table = matrix(ctx, texts[t]);
        cairn_view view = view_of(ctx, table);
        uint32_t chosen[] = {3, 1, 2}, which[] = {2, 0};
        cairn_distance_rows rows, kept, queries;
        double pairs[3], block[4];
        view.rows = (cairn_rows){.indices = chosen, .n = 3};
        assert_ok(ctx, cairn_distance_rows_open(ctx, &rows, &view, "euclidean"));
        assert_ok(ctx, cairn_distances_condensed(ctx, &rows, pairs));
        assert_true(pairs[0] == 5 && pairs[1] == 6);
        assert_true(t ? pairs[2] > 4 && pairs[2] < 4.000000001 : pairs[2] == 4);
        assert_true(cairn_distance_pair(&rows, 2, &rows, 1, NULL) == pairs[2]);
        assert_ok(ctx, cairn_distances_block(ctx, &rows, which, 2, &rows, 1, 2, block, 2));
        assert_true(block[0] == pairs[2] && block[1] == 0 && block[2] == 5 && block[3] == 6);
        assert_ok(ctx, cairn_distance_rows_keep(ctx, &kept, &rows, which, 2));
        assert_int_equal(kept.numbers[0], 2);
        assert_int_equal(kept.numbers[1], 3);
        assert_ok(ctx, cairn_distance_rows_like(ctx, &queries, &kept, &view));
        assert_true(cairn_distance_pair(&queries, 0, &kept, 1, NULL) == 0);
        assert_true(cairn_distance_pair(&queries, 1, &kept, 1, NULL) == 5);
        cairn_distance_rows_clear(&queries);
        cairn_distance_rows_clear(&kept);
        cairn_distance_rows_clear(&rows);
        cairn_table_free(table);
    }
}

static void test_distances__refusals(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = matrix(ctx, "a,b\n0,1\n1,0\n"), *three = NULL;
    static const char text[] = "x,y\n1,\n,2\n3,4\n";
    cairn_view view = view_of(ctx, table);
    cairn_distance_rows rows;
    double pairs[3];
    assert_fails(ctx, cairn_distance_rows_open(ctx, &rows, &view, "manhattan"), CAIRN_USAGE,
                 "taken as they are");
    view.n_features = 1;
    assert_fails(ctx, cairn_distance_rows_open(ctx, &rows, &view, "euclidean"), CAIRN_BAD_DATA,
                 "1 columns and 2 rows");
    cairn_table_free(table);
    assert_ok(ctx, cairn_table_read_memory(ctx, &three, "m.csv", text, strlen(text), NULL));
    view = view_of(ctx, three);
    assert_ok(ctx, cairn_distance_rows_open(ctx, &rows, &view, "gower"));
    assert_fails(ctx, cairn_distances_condensed(ctx, &rows, pairs), CAIRN_BAD_DATA,
                 "rows 1 and 2 have no gower distance");
    cairn_distance_rows_clear(&rows);
    cairn_table_free(three);
    cairn_context_set_memory(ctx, 1 << 20);
    assert_fails(ctx, cairn_distances_fit(ctx, 20000, 8, "use another method"), CAIRN_NO_MEMORY,
                 "keeping the distances of 20000 rows needs about 1.5 GB");
}

/* -- keeping -- */

static cairn_distance_rows saved_and_read(cairn_context *ctx, cairn_distance_rows *rows)
{
    cairn_archive *a;
    char *bytes;
    size_t length;
    cairn_distance_rows read = {0};
    assert_ok(ctx, cairn_archive_writer(ctx, &a));
    assert_ok(ctx, cairn_archive_section(a, "rows"));
    assert_ok(ctx, cairn_distance_rows_archive(a, rows));
    assert_ok(ctx, cairn_archive_finish(a, &bytes, &length));
    cairn_archive_free(a);
    assert_ok(ctx, cairn_archive_reader(ctx, &a, "file", bytes, length));
    assert_ok(ctx, cairn_archive_section(a, "rows"));
    assert_ok(ctx, cairn_distance_rows_archive(a, &read));
    assert_ok(ctx, cairn_archive_finish(a, NULL, NULL));
    cairn_archive_free(a);
    cairn_free(bytes);
    return read;
}

static void check_kept(cairn_context *ctx, const cairn_table *table, const char *spec)
{
    cairn_view view = view_of(ctx, table);
    cairn_distance_rows rows, kept, read, queries;
    uint32_t which[] = {4, 0, 7};
    assert_ok(ctx, cairn_distance_rows_open(ctx, &rows, &view, spec));
    assert_ok(ctx, cairn_distance_rows_keep(ctx, &kept, &rows, which, 3));
    read = saved_and_read(ctx, &kept);
    assert_ok(ctx, cairn_distance_rows_like(ctx, &queries, &read, &view));
    int32_t *buffer = malloc(cairn_distance_buffer(&rows, &rows) * sizeof *buffer);
    for (size_t i = 0; i < rows.n; i++)
        for (size_t k = 0; k < 3; k++)
            assert_true(cairn_distance_pair(&queries, i, &read, k, buffer) ==
                        cairn_distance_pair(&rows, i, &rows, which[k], buffer));
    free(buffer);
    cairn_distance_rows_clear(&queries);
    cairn_distance_rows_clear(&read);
    cairn_distance_rows_clear(&kept);
    cairn_distance_rows_clear(&rows);
}

static void test_distances__kept_rows_are_the_same(void **state)
{
    cairn_context *ctx = *state;
    static const char baskets[] = "a b c\nb c d e\na\nf g\na f\nb d\n\ne f g\nc\n";
    cairn_table *table = numbers(ctx, 20, 5), *texts = words(ctx, 20), *bags = NULL;
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    options.format = "basket";
    check_kept(ctx, table, "euclidean");
    check_kept(ctx, table, "mahalanobis");
    check_kept(ctx, table, "gower");
    check_kept(ctx, texts, "edit");
    assert_ok(ctx, cairn_table_read_memory(ctx, &bags, "b", baskets, strlen(baskets), &options));
    check_kept(ctx, bags, "jaccard");
    check_rows(ctx, bags, "jaccard");
    check_rows(ctx, bags, "cosine");
    check_rows(ctx, bags, "kernel:poly:degree=2");
    cairn_table_free(table);
    cairn_table_free(texts);
    cairn_table_free(bags);
}

static cairn_status open_once(cairn_context *ctx, void *data)
{
    const cairn_view *view = data;
    SCOPED(cairn_distance_rows_clear) cairn_distance_rows rows = {0};
    SCOPED(cairn_distance_rows_clear) cairn_distance_rows kept = {0};
    double pairs[190];
    uint32_t which[] = {3, 1};
    CHECK(cairn_distance_rows_open(ctx, &rows, view, "mahalanobis"));
    CHECK(cairn_distances_condensed(ctx, &rows, pairs));
    return cairn_distance_rows_keep(ctx, &kept, &rows, which, 2);
}

static void test_distances__every_allocation_may_fail(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = numbers(ctx, 20, 3);
    cairn_view view = view_of(ctx, table);
    assert_survives_allocation_failures(open_once, &view);
    cairn_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_distances__many_at_a_time_are_those_of_pairs),
        context_test(test_distances__texts),
        context_test(test_edits__are_those_of_the_table),
        context_test(test_distances__given),
        context_test(test_distances__refusals),
        context_test(test_distances__kept_rows_are_the_same),
        context_test(test_distances__every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
