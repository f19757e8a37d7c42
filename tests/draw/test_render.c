/* SPDX-License-Identifier: MIT */
/* Rendering through the cairo module; this program lies beside it. */
#include "base/memory.h"
#include "figures.h"
#include "support/fail_alloc.h"
#include "support/unit.h"

static char *render(cairn_context *ctx, const figure_case *item, const char *format, size_t *length)
{
    cairn_figure *figure = NULL;
    char *bytes = NULL;
    assert_ok(ctx, make_figure(ctx, item, &figure));
    assert_ok(ctx, cairn_figure_render(ctx, figure, format, &bytes, length));
    cairn_figure_free(figure);
    return bytes;
}

static void test_render__same_figure_same_bytes(void **state)
{
    static const char *const formats[] = {"png", "pdf"}, *const starts[] = {"\x89PNG", "%PDF"};
    for (size_t k = 0; k < N_FIGURE_CASES; k += 3)
        for (int f = 0; f < 2; f++) {
            size_t n[2] = {0, 0};
            char *once = render(*state, &figure_cases[k], formats[f], &n[0]);
            char *again = render(*state, &figure_cases[k], formats[f], &n[1]);
            assert_int_equal(n[0], n[1]);
            assert_memory_equal(once, again, n[0]);
            assert_memory_equal(once, starts[f], 4);
            cairn_free(once);
            cairn_free(again);
        }
}

static uint32_t big_endian(const char *at)
{
    const unsigned char *b = (const unsigned char *)at;
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static void test_render__png_has_two_pixels_per_point(void **state)
{
    size_t n = 0;
    char *png = render(*state, &figure_cases[0], "png", &n);
    assert_int_equal(big_endian(png + 16), 960);
    assert_int_equal(big_endian(png + 20), 640);
    cairn_free(png);
}

static void test_render__pdf_has_no_clock(void **state)
{
    size_t n = 0;
    char *pdf = render(*state, &figure_cases[0], "pdf", &n);
    assert_null(memmem(pdf, n, "CreationDate", 12));
    assert_non_null(memmem(pdf, n, "/Title (Iris", 12));
    cairn_free(pdf);
}

static cairn_status render_work(cairn_context *ctx, void *data)
{
    cairn_figure *figure = NULL;
    char *bytes = NULL;
    size_t length;
    cairn_status status;
    TRY(make_figure(ctx, data, &figure));
    TRY(cairn_figure_render(ctx, figure, "png", &bytes, &length));
done:
    cairn_free(bytes);
    cairn_figure_free(figure);
    return status;
}

static void test_render__survives_failing_allocations(void **state)
{
    (void)state;
    figure_case item = {"failing", "Failing", fill_bars};
    assert_survives_allocation_failures(render_work, &item);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_render__same_figure_same_bytes),
        context_test(test_render__png_has_two_pixels_per_point),
        context_test(test_render__pdf_has_no_clock),
        cmocka_unit_test(test_render__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
