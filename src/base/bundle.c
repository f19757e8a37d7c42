/* SPDX-License-Identifier: MIT */
/* Files inside the library, found by binary search and unpacked with zstd. */
#include "base/bundle.h"
#include "base/memory.h"
#include <string.h>
#include <zstd.h>

static const cairn_bundle_file *find_file(const char *name)
{
    size_t low = 0, high = cairn_bundle_n_files;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(name, cairn_bundle_files[middle].name);
        if (order == 0) return &cairn_bundle_files[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

bool cairn_bundle_has(const char *name)
{
    return find_file(name) != NULL;
}

const char *cairn_bundle_name(size_t i)
{
    return i < cairn_bundle_n_files ? cairn_bundle_files[i].name : NULL;
}

const char *cairn_bundle_title(size_t i)
{
    return i < cairn_bundle_n_files ? cairn_bundle_files[i].title : NULL;
}

const char *cairn_bundle_title_of(const char *name)
{
    const cairn_bundle_file *file = find_file(name);
    return file ? file->title : NULL;
}

const char *cairn_bundle_own_name(const char *name)
{
    const cairn_bundle_file *file = find_file(name);
    if (!file || file->title) return file ? file->name : NULL;
    for (size_t i = 0; i < cairn_bundle_n_files; i++)
        if (cairn_bundle_files[i].title && cairn_bundle_files[i].offset == file->offset)
            return cairn_bundle_files[i].name;
    return file->name;
}

cairn_status cairn_bundle_get(cairn_context *ctx, const char *name, char **bytes, size_t *length)
{
    const cairn_bundle_file *file = find_file(name);
    char *out;
    if (!file) return cairn_fail(ctx, CAIRN_USAGE, "there is no built-in file '%s'", name);
    cairn_status status = NEW_RAW(ctx, &out, file->length + 1);
    if (status) return status;
    size_t got = ZSTD_decompress(out, file->length, cairn_bundle_blob + file->offset, file->packed);
    if (ZSTD_isError(got) || got != file->length) {
        cairn_free(out);
        return cairn_fail(ctx, CAIRN_INTERNAL, "the built-in file '%s' is damaged", name);
    }
    out[got] = 0;
    *bytes = out;
    *length = got;
    return CAIRN_OK;
}
