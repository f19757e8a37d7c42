/* SPDX-License-Identifier: MIT */
/* The container of model files. The checksums keep a fuzzer out, so the harness puts them right
 * where the container allows it: any bytes are also stored as the body of a section, read back, and
 * compared; and any bytes are opened as a container. */
#include "fuzz/fuzz.h"
#include "base/archive.h"
#include "base/memory.h"

static void open_any(cairn_context *ctx, const uint8_t *data, size_t size)
{
    cairn_archive *archive = NULL;
    cairn_status status = cairn_archive_reader(ctx, &archive, "fuzz", data, size);
    fuzz_check(ctx, status);
    if (status == CAIRN_OK) {
        uint8_t *bytes = NULL;
        char *text = NULL;
        double *reals = NULL;
        cairn_map map = {0};
        fuzz_check(ctx, cairn_archive_section(archive, "body"));
        fuzz_check(ctx, cairn_archive_text(archive, "text", &text));
        fuzz_check(ctx, cairn_archive_bytes(archive, "bytes", &bytes, size));
        fuzz_check(ctx, cairn_archive_reals(archive, "reals", &reals, 3));
        fuzz_check(ctx, cairn_archive_map(archive, "map", &map));
        cairn_free(bytes);
        cairn_free(text);
        cairn_free(reals);
        cairn_map_clear(&map);
    }
    cairn_archive_free(archive);
}

/* Save or load one record made of the input. */
static cairn_status pass(cairn_archive *archive, uint8_t **bytes, size_t size, char **text)
{
    cairn_status status;
    TRY(cairn_archive_section(archive, "body"));
    TRY(cairn_archive_text(archive, "text", text));
    TRY(cairn_archive_bytes(archive, "bytes", bytes, size));
done:
    return status;
}

static void round_trip(cairn_context *ctx, const uint8_t *data, size_t size)
{
    cairn_archive *archive = NULL;
    char *text = fuzz_text(data, size), *back = NULL, *file = NULL;
    uint8_t *copy = (uint8_t *)text, *bytes = NULL;
    size_t length = 0;
    if (cairn_archive_writer(ctx, &archive) || pass(archive, &copy, size, &text) ||
        cairn_archive_finish(archive, &file, &length))
        abort();
    cairn_archive_free(archive);
    open_any(ctx, (const uint8_t *)file, length);
    if (cairn_archive_reader(ctx, &archive, "fuzz", file, length) ||
        pass(archive, &bytes, size, &back) || strcmp(text, back) ||
        (size && memcmp(bytes, data, size)))
        abort();
    cairn_archive_free(archive);
    cairn_free(back);
    cairn_free(bytes);
    cairn_free(file);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cairn_context *ctx = fuzz_begin();
    open_any(ctx, data, size);
    round_trip(ctx, data, size);
    fuzz_end();
    return 0;
}
