/* SPDX-License-Identifier: MIT */
/* The first byte chooses: [ an array of objects, anything else lines. */
#include "cairn/table.h"

static void choose_format(cairn_read_options *options, const uint8_t **data, size_t *size)
{
    if (*size && **data == '[') options->format = "json";
    if (*size > 1 && **data == '!') {
        options->kinds = "v=sequence";
        ++*data;
        --*size;
    }
}

#define FORMAT                         "ndjson"
#define PREPARE(options, data, length) choose_format(options, data, length)
#include "fuzz/fuzz_format.h"
