/* SPDX-License-Identifier: MIT */
/* The figure that a command draws, for tests that look into it. */
#ifndef CAIRN_TESTS_PICTURES_DRAWN_H
#define CAIRN_TESTS_PICTURES_DRAWN_H

#include "draw/figure_data.h"
#include "support/run.h"

#include <string.h>

/* It becomes svg and letters; the report that owns it goes to *report. */
static inline const cairn_figure *drawn(cairn_context *ctx, cairn_report **report,
                                        const char *const *words)
{
    char *text;
    assert_ok(ctx, run_words(ctx, report, words));
    assert_int_equal(cairn_report_figure_count(*report), 1);
    const cairn_figure *figure = cairn_report_figure_at(*report, 0);
    assert_ok(ctx, cairn_figure_svg(ctx, figure, &text));
    assert_non_null(strstr(text, "<svg"));
    assert_null(strstr(text, "nan"));
    cairn_string_free(text);
    assert_ok(ctx, cairn_figure_terminal(ctx, figure, 80, false, &text));
    assert_true(strlen(text) > 0);
    cairn_string_free(text);
    return figure;
}

#endif
