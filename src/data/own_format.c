/* SPDX-License-Identifier: MIT */
/* Formats of a program's own: see cairn/plugin.h. */
#include "data/own_format.h"
#include "base/call.h"
#include "base/memory.h"
#include "base/options.h"
#include "entry/own.h"

typedef struct own_format {
    cairn_own own; /* first: the block is freed through it */
    cairn_data_format format;
    cairn_plugin_format record; /* as this library knows it */
} own_format;

bool cairn_own_format_detects(const cairn_data_format *format, const char *name, const char *head,
                              size_t n)
{
    const cairn_plugin_format *record = format->plugin;
    return record->read && record->detect && record->detect(name, head, n, record->data);
}

cairn_status cairn_own_format_read(cairn_context *ctx, const cairn_data_format *format,
                                   cairn_table **out, cairn_input *input)
{
    const cairn_plugin_format *record = format->plugin;
    OWNED(cairn_table_free) cairn_table *table = NULL;
    cairn_stream stream = {input};
    if (!record->read)
        return cairn_fail(ctx, CAIRN_USAGE, "%s: the format %s can be written but not read",
                          cairn_input_name(input), record->name);
    cairn_own_begins(ctx);
    cairn_status status = record->read(ctx, &stream, &table, record->data);
    CHECK(cairn_own_ended(ctx, &format->entry, "read", status));
    if (!table)
        return cairn_fail(ctx, CAIRN_INTERNAL, "%s: the format %s gave no table",
                          cairn_input_name(input), record->name);
    *out = TAKE(table);
    return CAIRN_OK;
}

cairn_status cairn_own_format_write(cairn_context *ctx, const cairn_data_format *format,
                                    const cairn_table *table, cairn_output_file *file)
{
    const cairn_plugin_format *record = format->plugin;
    cairn_sink sink = {file};
    cairn_own_begins(ctx);
    cairn_status status = record->write(ctx, table, &sink, record->data);
    return cairn_own_ended(ctx, &format->entry, "write", status);
}

cairn_status cairn_register_format(cairn_context *ctx, const cairn_plugin_format *record)
{
    PUBLIC_CALL(ctx);
    own_format *mine;
    cairn_plugin_format full = {.size = sizeof full};
    CHECK(cairn_options_take(ctx, &full, sizeof full, record, "cairn_plugin_format"));
    CHECK(NEW(ctx, &mine, 1));
    mine->record = full;
    mine->format.extensions = full.extensions;
    mine->format.plugin = &mine->record;
    cairn_own_words words = {.kind = CAIRN_ENTRY_FORMAT,
                             .name = full.name,
                             .title = full.title,
                             .summary = full.summary,
                             .also = full.also};
    cairn_status status = cairn_own_fill(ctx, &mine->own, &mine->format.entry, &words);
    if (!status) status = cairn_own_needs(ctx, full.name, "read or write", full.read || full.write);
    if (!status) status = cairn_own_register(ctx, &mine->format.entry);
    cairn_entry_drop(&mine->format.entry);
    return status;
}

/* -- bytes in and out -- */

cairn_status cairn_sink_write(cairn_context *ctx, cairn_sink *sink, const void *bytes, size_t n)
{
    PUBLIC_CALL(ctx);
    return cairn_output_write(ctx, sink->file, bytes, n);
}

cairn_status cairn_stream_read(cairn_context *ctx, cairn_stream *stream, void *buffer, size_t size,
                               size_t *got)
{
    PUBLIC_CALL(ctx);
    return cairn_input_read(ctx, stream->input, buffer, size, got);
}

const char *cairn_stream_name(const cairn_stream *stream)
{
    return cairn_input_name(stream->input);
}

/* -- failing and ticking, for the functions of all records -- */

cairn_status cairn_plugin_fail(cairn_context *ctx, cairn_status status, const char *message)
{
    return cairn_fail(ctx, status, "%s", message ? message : "");
}

cairn_status cairn_plugin_tick(cairn_context *ctx, const char *what, double done, double total)
{
    PUBLIC_CALL(ctx);
    return cairn_tick(ctx, what, done, total);
}
