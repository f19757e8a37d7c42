/* SPDX-License-Identifier: MIT */
/* A program with libcairn, which leaves the course out: it fits and evaluates, and what is in the
 * course is refused with the library that has it. */
#include <cairn/cairn.h>
#include <stdio.h>
#include <string.h>

static int failures;

static void expect(bool holds, const char *what)
{
    if (!holds) printf("failed: %s\n", what);
    failures += !holds;
}

static cairn_status run(cairn_context *ctx, const char *verb, const char *name, const char *data)
{
    cairn_report *report = NULL;
    cairn_status status = cairn_report_new(ctx, &report);
    const char *words[] = {verb, name, data};
    if (!status) status = cairn_run(ctx, report, data ? 3 : name ? 2 : 1, words);
    cairn_report_free(report);
    return status;
}

int main(void)
{
    cairn_context *ctx = NULL;
    if (cairn_context_new(&ctx, NULL)) return 1;
    expect(run(ctx, "fit", "tree", "@weather") == CAIRN_OK, "a tree is fitted");
    expect(run(ctx, "evaluate", "tree", "@iris") == CAIRN_OK, "a tree is evaluated");
    expect(run(ctx, "list", NULL, NULL) == CAIRN_OK, "a list of what there is");
    expect(run(ctx, "help", "roc", NULL) == CAIRN_OK, "a search");
    const char *const absent[][2] = {
        {"compute", "roc"}, {"draw", "scatter"}, {"lesson", "id3-weather"}};
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) {
        expect(run(ctx, absent[i][0], absent[i][1], NULL) == CAIRN_USAGE, absent[i][0]);
        expect(strstr(cairn_message(ctx), "libcairn-course") != NULL, cairn_message(ctx));
    }
    cairn_context_free(ctx);
    return failures > 0;
}
