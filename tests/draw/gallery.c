/* SPDX-License-Identifier: MIT */
/* gallery FOLDER: every figure of figures.h as svg, png, pdf and terminal text. */
#include "base/memory.h"
#include "figures.h"
#include <string.h>

static int write_file(const char *folder, const char *name, const char *ending, const char *bytes,
                      size_t length)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.%s", folder, name, ending);
    FILE *file = fopen(path, "wb");
    if (!file) return 1;
    size_t written = fwrite(bytes, 1, length, file);
    return fclose(file) || written != length;
}

static int show(cairn_context *ctx, const cairn_figure *figure, const char *folder)
{
    const char *name = cairn_figure_name(figure);
    char *bytes = NULL;
    size_t length = 0;
    int failures = 0;
    if (cairn_figure_svg(ctx, figure, &bytes)) return 1;
    failures += write_file(folder, name, "svg", bytes, strlen(bytes));
    cairn_free(bytes);
    static const char *const formats[] = {"png", "pdf"};
    for (int i = 0; i < 2; i++) {
        if (cairn_figure_render(ctx, figure, formats[i], &bytes, &length)) return 1;
        failures += write_file(folder, name, formats[i], bytes, length);
        cairn_free(bytes);
    }
    if (cairn_figure_terminal(ctx, figure, 76, false, &bytes)) return 1;
    failures += write_file(folder, name, "txt", bytes, strlen(bytes));
    cairn_free(bytes);
    return failures;
}

int main(int argc, char **argv)
{
    cairn_context *ctx;
    int failures = 0;
    if (argc != 2 || cairn_context_new(&ctx, NULL)) return 2;
    for (size_t i = 0; i < N_FIGURE_CASES; i++) {
        cairn_figure *figure = NULL;
        if (make_figure(ctx, &figure_cases[i], &figure) || show(ctx, figure, argv[1])) {
            fprintf(stderr, "%s: %s\n", figure_cases[i].name, cairn_message(ctx));
            failures++;
        }
        cairn_figure_free(figure);
    }
    cairn_context_free(ctx);
    return failures > 0;
}
