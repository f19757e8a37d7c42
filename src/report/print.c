/* SPDX-License-Identifier: MIT */
/* Choosing the printer and completing its options. */
#include "report/document.h"
#include "base/call.h"
#include "base/memory.h"
#include "base/options.h"
#include <string.h>

enum { WIDTH = 80, WIDTH_LEAST = 20, WIDTH_MOST = 500 };

void cairn_string_free(char *string)
{
    cairn_free(string);
}

cairn_status cairn_text_shown(cairn_context *ctx, const char *bytes, size_t length, char **out)
{
    PUBLIC_CALL(ctx);
    cairn_text text = cairn_text_start(ctx);
    cairn_text_add_shown(&text, bytes, length);
    cairn_status status = cairn_text_take(&text, out);
    cairn_text_clear(&text);
    return status;
}

cairn_status cairn_text_quote(cairn_context *ctx, const char *text, cairn_quoting how, char **out)
{
    PUBLIC_CALL(ctx);
    static void (*const ways[])(cairn_text *,
                                const char *) = {[CAIRN_QUOTE_NAME] = cairn_report_add_key,
                                                 [CAIRN_QUOTE_JSON] = cairn_text_add_json,
                                                 [CAIRN_QUOTE_CSV] = cairn_text_add_csv,
                                                 [CAIRN_QUOTE_HTML] = cairn_text_add_html};
    SCOPED(cairn_text_clear) cairn_text quoted = cairn_text_start(ctx);
    if ((size_t)how >= sizeof ways / sizeof *ways)
        return cairn_fail(ctx, CAIRN_USAGE, "there is no way %d of quoting", (int)how);
    ways[how](&quoted, text);
    return cairn_text_take(&quoted, out);
}

/* Widths and digits that nothing could be printed with are brought into range. */
static cairn_status complete_options(cairn_context *ctx, cairn_print_options *out,
                                     const cairn_print_options *given)
{
    *out = (cairn_print_options)CAIRN_PRINT_OPTIONS_INIT;
    CHECK(cairn_options_take(ctx, out, sizeof *out, given, "cairn_print_options"));
    if (out->width <= 0) out->width = WIDTH;
    if (out->width < WIDTH_LEAST) out->width = WIDTH_LEAST;
    if (out->width > WIDTH_MOST) out->width = WIDTH_MOST;
    if (out->digits < 0) out->digits = 0;
    if (out->digits > 17) out->digits = 17;
    return CAIRN_OK;
}

/* The report in one of its lengths: the blocks that are for it, and all else borrowed. */
static cairn_status choose_length(cairn_context *ctx, cairn_report *out, const cairn_report *report,
                                  unsigned length)
{
    *out = *report;
    out->n_blocks = 0;
    CHECK(NEW(ctx, &out->blocks, report->n_blocks + 1));
    for (size_t i = 0; i < report->n_blocks; i++) {
        const cairn_block *block = &report->blocks[i];
        bool clip = block->kind == CAIRN_BLOCK_CLIP || block->kind == CAIRN_BLOCK_CLIP_END;
        if (clip && length == CAIRN_IN_FULL) continue;
        if (block->lengths & length)
            out->blocks[out->n_blocks++] = *block;
        else
            out->left_out |= !cairn_block_is_bracket(block) && !cairn_block_is_for_pages(block);
    }
    return CAIRN_OK;
}

cairn_status cairn_report_print(cairn_context *ctx, const cairn_report *report, cairn_format format,
                                const cairn_print_options *given, char **out)
{
    PUBLIC_CALL(ctx);
    if (!report) return cairn_fail(ctx, CAIRN_USAGE, "there is no report to print");
    if (report->status) {
        if (!*cairn_message(ctx))
            return cairn_fail(ctx, report->status, "the report could not be completed");
        return report->status;
    }
    cairn_print_options options;
    CHECK(complete_options(ctx, &options, given));
    if (format != CAIRN_FORMAT_TEXT) options.lines = 0;
    static void (*const printers[])(cairn_text *, const cairn_report *,
                                    const cairn_print_options *) = {
        [CAIRN_FORMAT_TEXT] = cairn_report_print_text,
        [CAIRN_FORMAT_JSON] = cairn_report_print_json,
        [CAIRN_FORMAT_MARKDOWN] = cairn_report_print_markdown,
        [CAIRN_FORMAT_HTML] = cairn_report_print_html};
    if ((size_t)format >= sizeof printers / sizeof *printers)
        return cairn_fail(ctx, CAIRN_USAGE, "there is no report format %d", (int)format);
    cairn_report chosen;
    CHECK(choose_length(ctx, &chosen, report, options.lines ? CAIRN_IN_BRIEF : CAIRN_IN_FULL));
    cairn_text text = cairn_text_start(ctx);
    printers[format](&text, &chosen, &options);
    cairn_free(chosen.blocks);
    cairn_status status = cairn_text_take(&text, out);
    cairn_text_clear(&text);
    return status;
}
