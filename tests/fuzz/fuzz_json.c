/* SPDX-License-Identifier: MIT */
/* JSON of any bytes: what parses can be walked to its last leaf. */
#include "fuzz/fuzz.h"
#include "base/json.h"

/* Every kind of question about every value; the number of values below it. */
static size_t walk(const cairn_json *value, int depth)
{
    double number;
    size_t n = 1, size = cairn_json_size(value);
    const cairn_json *member;
    const char *key, *string = cairn_json_string(value);
    if (string && cairn_json_number(value, &number)) abort();
    if (cairn_json_is_array(value) && cairn_json_is_object(value)) abort();
    if (depth > 4000) abort();
    if (cairn_json_is_array(value))
        for (size_t i = 0; i < size; i++) n += walk(cairn_json_at(value, i), depth + 1);
    if (cairn_json_is_object(value))
        for (size_t i = 0; (key = cairn_json_member(value, i, &member)); i++) {
            if (i >= size || cairn_json_get(value, key) != member) abort();
            n += walk(member, depth + 1);
        }
    if (cairn_json_at(value, size) || cairn_json_get(value, "no such key \x01")) abort();
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cairn_context *ctx = fuzz_begin();
    cairn_json *document = NULL;
    cairn_status status = cairn_json_parse(ctx, &document, "fuzz", (const char *)data, size);
    fuzz_check(ctx, status);
    if (status == CAIRN_OK && walk(document, 0) == 0) abort();
    cairn_json_free(document);
    walk(NULL, 0);
    fuzz_end();
    return 0;
}
