/* SPDX-License-Identifier: MIT */
#include "data/mapped.h"
#include "base/memory.h"
#include <sys/mman.h>

typedef struct mapping {
    void *bytes;
    size_t length;
} mapping;

static void unmap(void *owner)
{
    mapping *m = owner;
    munmap(m->bytes, m->length);
    cairn_free(m);
}

cairn_status cairn_input_map(cairn_context *ctx, cairn_input *input, const uint8_t **bytes,
                             size_t *length, cairn_lent **memory)
{
    int file = cairn_input_plain_descriptor(input);
    int64_t size = cairn_input_size(input);
    char *all;
    mapping *m;
    if (file >= 0 && size > 0) {
        void *at = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, file, 0);
        if (at != MAP_FAILED) {
            *bytes = at;
            *length = (size_t)size;
            cairn_status status = NEW(ctx, &m, 1);
            if (status) {
                munmap(at, *length);
                return status;
            }
            *m = (mapping){at, *length};
            return cairn_lent_new(ctx, memory, unmap, m);
        }
    }
    CHECK(cairn_input_read_all(ctx, input, &all, length));
    *bytes = (const uint8_t *)all;
    return cairn_lent_new(ctx, memory, cairn_free, all);
}

cairn_status cairn_in_file(cairn_context *ctx, const char *file, cairn_status status)
{
    if (status == CAIRN_BAD_DATA) cairn_message_prefix(ctx, "%s", file);
    return status;
}
