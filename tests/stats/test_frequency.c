/* SPDX-License-Identifier: MIT */
#include "support/unit.h"
#include "base/memory.h"
#include "stats/density.h"
#include "stats/frequency.h"
#include <math.h>

static const cairn_part all = {NULL, 0};

static void assert_close(double got, double wanted)
{
    if (isnan(wanted) ? !isnan(got) : !(fabs(got - wanted) <= 1e-9 * (1 + fabs(wanted))))
        fail_msg("got %.17g, wanted %.17g", got, wanted);
}

static void assert_counts(cairn_context *ctx, cairn_bin_options options, const double *x, size_t n,
                          const double *edges, const double *wanted, size_t n_bins)
{
    cairn_sample sample;
    cairn_bins bins;
    double counts[20];
    assert_ok(ctx, cairn_sample_make(ctx, &sample, x, NULL, n, all));
    assert_ok(ctx, cairn_bins_make(ctx, &bins, &options, &sample));
    assert_int_equal(bins.n, n_bins);
    cairn_bins_count(counts, &bins, &sample);
    for (size_t i = 0; i < n_bins; i++) {
        assert_close(bins.edges[i], edges[i]);
        assert_close(counts[i], wanted[i]);
    }
    assert_close(bins.edges[n_bins], edges[n_bins]);
}

static void test_bins__closed_sides(void **state)
{
    const double x[7] = {0, 1, 1, 2, 2.5, 3, 7}, edges[4] = {0, 1, 2, 3};
    const double left[3] = {1, 2, 3}, right[3] = {3, 1, 2};
    assert_counts(*state, (cairn_bin_options){.cuts = "0,1,2,3"}, x, 7, edges, left, 3);
    assert_counts(*state, (cairn_bin_options){.cuts = "0,1,2,3", .closed = 1}, x, 7, edges, right,
                  3);
}

static void test_bins__of_a_width(void **state)
{
    const double x[4] = {0.25, 1, 1.9, 2}, edges[4] = {0, 1, 2, 3}, counts[3] = {1, 2, 1};
    const double right_edges[3] = {0, 1, 2}, right[2] = {2, 2};
    const double shifted[4] = {-0.5, 0.5, 1.5, 2.5}, moved[3] = {1, 1, 2};
    assert_counts(*state, (cairn_bin_options){.bin_width = 1}, x, 4, edges, counts, 3);
    assert_counts(*state, (cairn_bin_options){.bin_width = 1, .closed = 1}, x, 4, right_edges,
                  right, 2);
    assert_counts(*state, (cairn_bin_options){.bin_width = 1, .start = "0.5"}, x, 4, shifted, moved,
                  3);
}

static void test_bins__by_number_and_of_one_value(void **state)
{
    const double x[5] = {0, 1, 2, 3, 4}, edges[3] = {0, 2, 4}, counts[2] = {2, 3};
    const double same[2] = {3, 3}, around[2] = {1.5, 4.5}, two[1] = {2};
    assert_counts(*state, (cairn_bin_options){.bins = 2}, x, 5, edges, counts, 2);
    assert_counts(*state, (cairn_bin_options){.bins = 1}, same, 2, around, two, 1);
}

static void test_bins__refusals(void **state)
{
    cairn_context *ctx = *state;
    const double x[2] = {0, 1e9}, none[1] = {NAN};
    cairn_sample sample;
    cairn_bins bins;
    assert_ok(ctx, cairn_sample_make(ctx, &sample, x, NULL, 2, all));
    assert_fails(ctx, cairn_bins_make(ctx, &bins, &(cairn_bin_options){.cuts = "1"}, &sample),
                 CAIRN_USAGE, "two edges");
    assert_fails(ctx, cairn_bins_make(ctx, &bins, &(cairn_bin_options){.cuts = "1,1"}, &sample),
                 CAIRN_USAGE, "ascend");
    assert_fails(ctx, cairn_bins_make(ctx, &bins, &(cairn_bin_options){.bin_width = 1e-3}, &sample),
                 CAIRN_BAD_DATA, "larger 'bin-width'");
    assert_fails(
        ctx,
        cairn_bins_make(ctx, &bins, &(cairn_bin_options){.bin_width = 1, .start = "x"}, &sample),
        CAIRN_USAGE, "'start'");
    assert_ok(ctx, cairn_sample_make(ctx, &sample, none, NULL, 1, all));
    assert_fails(ctx, cairn_bins_make(ctx, &bins, &(cairn_bin_options){.bins = 3}, &sample),
                 CAIRN_BAD_DATA, "no finite values");
}

static void test_peaks__with_plateaus_and_ends(void **state)
{
    (void)state;
    const double two[7] = {1, 3, 3, 2, 1, 1, 4}, none[3] = {0, 0, 0}, one[2] = {5, 2};
    cairn_peak peaks[5], valleys[5];
    assert_int_equal(cairn_find_peaks(peaks, valleys, two, 7, 0), 2);
    assert_int_equal(peaks[0].first, 1);
    assert_int_equal(peaks[0].last, 2);
    assert_int_equal(peaks[1].first, 6);
    assert_int_equal(valleys[0].first, 4);
    assert_int_equal(valleys[0].last, 5);
    assert_int_equal(cairn_find_peaks(peaks, valleys, none, 3, 0), 0);
    assert_int_equal(cairn_find_peaks(peaks, valleys, one, 2, 0), 1);
    assert_string_equal(cairn_modality_name(2), "bimodal");
    assert_string_equal(cairn_modality_name(7), "multimodal");
}

static void test_peaks__small_ones_are_passed_over(void **state)
{
    (void)state;
    const double y[9] = {0, 10, 9.5, 9.8, 2, 6, 5.9, 6.1, 0};
    cairn_peak peaks[5], valleys[5];
    assert_int_equal(cairn_find_peaks(peaks, valleys, y, 9, 0), 4);
    assert_int_equal(cairn_find_peaks(peaks, valleys, y, 9, 1), 2);
    assert_int_equal(peaks[0].first, 1);
    assert_int_equal(peaks[1].first, 7);
    assert_int_equal(valleys[0].first, 4);
    assert_int_equal(cairn_find_peaks(peaks, valleys, y, 9, 5), 1);
}

/* One value: the kernel itself. Several: the area is 1 for every kernel. */
static void test_density__is_a_density(void **state)
{
    cairn_context *ctx = *state;
    const double one[1] = {2}, x[5] = {0, 1, 1.5, 4, 4.2}, at[2] = {2, 3};
    double y[2], grid[4001], f[4001];
    cairn_sample sample;
    assert_ok(ctx, cairn_sample_make(ctx, &sample, one, NULL, 1, all));
    assert_ok(ctx, cairn_density_at(ctx, y, &sample, 0.5, CAIRN_DENSITY_NORMAL, at, 2));
    assert_close(y[0], 2 / sqrt(2 * M_PI));
    assert_close(y[1], 2 / sqrt(2 * M_PI) * exp(-2));
    assert_ok(ctx, cairn_sample_make(ctx, &sample, x, NULL, 5, all));
    for (int kernel = CAIRN_DENSITY_NORMAL; kernel <= CAIRN_DENSITY_UNIFORM; kernel++) {
        double area = 0;
        cairn_density_grid(grid, 4001, &sample, 0.4, 10);
        assert_ok(ctx,
                  cairn_density_at(ctx, f, &sample, 0.4, (cairn_density_kernel)kernel, grid, 4001));
        for (int i = 0; i < 4001; i++) area += f[i] * (grid[1] - grid[0]);
        assert_true(fabs(area - 1) < 2e-3);
    }
}

static void test_density__of_very_many_values_is_nearly_the_same(void **state)
{
    cairn_context *ctx = *state;
    enum { N = 30000 };
    double *x, at[41], whole[41], sum;
    cairn_sample sample;
    assert_ok(ctx, SCRATCH(ctx, &x, N));
    for (int i = 0; i < N; i++) x[i] = fmod(i * 0.6180339887, 1) * fmod(i * 0.4142135623, 1);
    assert_ok(ctx, cairn_sample_make(ctx, &sample, x, NULL, N, all));
    for (int k = 0; k < 41; k++) at[k] = k / 40.0;
    assert_ok(ctx, cairn_density_at(ctx, whole, &sample, 0.05, CAIRN_DENSITY_NORMAL, at, 41));
    for (int k = 0; k < 41; k++) {
        sum = 0;
        for (int i = 0; i < N; i++) sum += exp(-0.5 * pow((at[k] - x[i]) / 0.05, 2));
        sum /= N * 0.05 * sqrt(2 * M_PI);
        assert_true(fabs(whole[k] - sum) < 1e-4 * 3);
    }
}

/* Two dice: bins by Sturges' rule would hold one or two numbers each. */
static void test_bins__of_whole_numbers_hold_equally_many(void **state)
{
    cairn_context *ctx = *state;
    double x[66];
    cairn_sample sample;
    cairn_bins bins;
    size_t n = 0;
    for (int sum = 2; sum <= 12; sum++)
        for (int i = 0; i < 6; i++) x[n++] = sum;
    assert_ok(ctx, cairn_sample_make(ctx, &sample, x, NULL, n, (cairn_part){NULL, 0}));
    assert_ok(ctx, cairn_bins_show(ctx, &bins, &(cairn_bin_options){.bins = 0}, &sample));
    double counts[16] = {0};
    assert_in_range(bins.n, 4, 11);
    cairn_bins_count(counts, &bins, &sample);
    double numbers = bins.edges[1] - bins.edges[0];
    assert_close(bins.edges[0], 1.5);
    assert_close(numbers, floor(numbers));
    for (size_t i = 0; i + 1 < bins.n; i++) assert_close(counts[i], 6 * numbers);
    x[3] = 2.5; /* no longer whole: as without the picture */
    assert_ok(ctx, cairn_sample_make(ctx, &sample, x, NULL, n, (cairn_part){NULL, 0}));
    assert_ok(ctx, cairn_bins_show(ctx, &bins, &(cairn_bin_options){.bins = 0}, &sample));
    assert_close(bins.edges[0], 2);
}

static void test_mixture__two_normals_need_not_have_two_peaks(void **state)
{
    (void)state;
    double weights[2] = {0.5, 0.5}, means[2] = {0, 1.9}, sds[2] = {1, 1};
    cairn_normal_mixture m = {2, weights, means, sds};
    assert_true(cairn_mixture_density(&m, 0.95) > cairn_mixture_density(&m, 0));
    means[1] = 4;
    assert_true(cairn_mixture_density(&m, 2) < cairn_mixture_density(&m, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_bins__closed_sides),
        context_test(test_bins__of_a_width),
        context_test(test_bins__by_number_and_of_one_value),
        context_test(test_bins__of_whole_numbers_hold_equally_many),
        context_test(test_bins__refusals),
        cmocka_unit_test(test_peaks__with_plateaus_and_ends),
        cmocka_unit_test(test_peaks__small_ones_are_passed_over),
        context_test(test_density__is_a_density),
        context_test(test_density__of_very_many_values_is_nearly_the_same),
        cmocka_unit_test(test_mixture__two_normals_need_not_have_two_peaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
