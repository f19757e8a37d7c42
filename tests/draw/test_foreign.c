/* SPDX-License-Identifier: MIT */
/* This program lies beside a module of another version. */
#include "draw/figure.h"
#include "support/unit.h"

static void test_foreign__other_version_is_refused(void **state)
{
    cairn_context *ctx = *state;
    cairn_figure *figure = NULL;
    char *bytes = NULL;
    size_t length = 0;
    assert_ok(ctx, cairn_figure_new(ctx, &figure, "n", "t"));
    assert_fails(ctx, cairn_figure_render(ctx, figure, "pdf", &bytes, &length), CAIRN_FILE_ERROR,
                 "another version");
    cairn_figure_free(figure);
}

int main(void)
{
    const struct CMUnitTest tests[] = {context_test(test_foreign__other_version_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
