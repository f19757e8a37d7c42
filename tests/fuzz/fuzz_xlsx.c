/* SPDX-License-Identifier: MIT */
/* Bytes that begin like a zip file are taken as a workbook; others as the sheet of one, so that
 * changes reach the cells. */
#include "fuzz/fuzz.h"
#include "cairn/table.h"
#include "support/zip_maker.h"

#define PART(NAME, BYTES)                                                                          \
    {                                                                                              \
        NAME, BYTES, sizeof(BYTES) - 1, 0, 0                                                       \
    }

/* A workbook around one sheet; the caller frees its bytes. */
static zip_bytes book_around(const uint8_t *data, size_t size)
{
    const zip_part parts[] = {
        PART("xl/workbook.xml",
             "<workbook xmlns:r=\"r\"><sheets><sheet name=\"A\" r:id=\"a\"/></sheets></workbook>"),
        PART("xl/_rels/workbook.xml.rels",
             "<R><Relationship Id=\"a\" Type=\"/worksheet\" Target=\"sheet.xml\"/><Relationship "
             "Id=\"b\" Type=\"/sharedStrings\" Target=\"s.xml\"/><Relationship Id=\"c\" "
             "Type=\"/styles\" Target=\"f.xml\"/></R>"),
        PART("xl/s.xml", "<sst><si><t>one</t></si><si><t>two</t></si></sst>"),
        PART("xl/f.xml", "<s><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/></cellXfs></s>"),
        {"xl/sheet.xml", (const char *)data, size, 0, 0}};
    return zip_make(parts, sizeof parts / sizeof *parts);
}

static cairn_status read_table(cairn_context *ctx, cairn_table **out, const uint8_t *data,
                               size_t size)
{
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    options.format = "xlsx";
    if (size >= 2 && memcmp(data, "PK", 2) == 0)
        return cairn_table_read_memory(ctx, out, "fuzz", data, size, &options);
    zip_bytes z = book_around(data, size);
    cairn_status status = cairn_table_read_memory(ctx, out, "fuzz", z.bytes, z.n, &options);
    free(z.bytes);
    return status;
}

#include "fuzz/fuzz_format.h"
