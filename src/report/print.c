/* SPDX-License-Identifier: MIT */
/* Choosing the printer and completing its options. */
#include "report/document.h"
#include "base/memory.h"
#include <string.h>

enum { WIDTH = 80, WIDTH_LEAST = 20, WIDTH_MOST = 500 };

void cairn_string_free(char *string)
{
    cairn_free(string);
}

cairn_status cairn_text_shown(cairn_context *ctx, const char *bytes, size_t length, char **out)
{
    cairn_text text = cairn_text_start(ctx);
    cairn_text_add_shown(&text, bytes, length);
    cairn_status status = cairn_text_take(&text, out);
    cairn_text_clear(&text);
    return status;
}

/* What the caller set of the options it knows, brought into range. */
static cairn_print_options complete_options(const cairn_print_options *given)
{
    cairn_print_options options = CAIRN_PRINT_OPTIONS_INIT;
    if (given) {
        size_t size = given->size < sizeof options ? given->size : sizeof options;
        memcpy(&options, given, size);
    }
    options.size = sizeof options;
    if (options.width <= 0) options.width = WIDTH;
    if (options.width < WIDTH_LEAST) options.width = WIDTH_LEAST;
    if (options.width > WIDTH_MOST) options.width = WIDTH_MOST;
    if (options.digits < 0) options.digits = 0;
    if (options.digits > 17) options.digits = 17;
    return options;
}

cairn_status cairn_report_print(cairn_context *ctx, const cairn_report *report, cairn_format format,
                                const cairn_print_options *given, char **out)
{
    if (!report) return cairn_fail(ctx, CAIRN_USAGE, "there is no report to print");
    if (report->status) {
        if (!*cairn_message(ctx))
            return cairn_fail(ctx, report->status, "the report could not be completed");
        return report->status;
    }
    cairn_print_options options = complete_options(given);
    cairn_text text = cairn_text_start(ctx);
    switch (format) {
    case CAIRN_FORMAT_TEXT: cairn_report_print_text(&text, report, &options); break;
    case CAIRN_FORMAT_JSON: cairn_report_print_json(&text, report, &options); break;
    case CAIRN_FORMAT_MARKDOWN: cairn_report_print_markdown(&text, report, &options); break;
    case CAIRN_FORMAT_HTML: cairn_report_print_html(&text, report, &options); break;
    default: return cairn_fail(ctx, CAIRN_USAGE, "there is no report format %d", (int)format);
    }
    return cairn_text_take(&text, out);
}
