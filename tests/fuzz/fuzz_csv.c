/* SPDX-License-Identifier: MIT */
/* The first byte chooses options: the letter A stands for none; a tilde before it those about lines
 * that are left out and marks in numbers. */
#include "cairn/table.h"

static void choose_options(cairn_read_options *options, const uint8_t **data, size_t *size)
{
    static const char separators[] = {0, ',', '\t', ' '};
    if (*size && **data == '~') {
        options->skip = 1;
        options->comment = "#";
        options->thousands = '\'';
        options->bad_lines = *size % 3;
        ++*data;
        --*size;
    }
    if (*size == 0) return;
    unsigned bits = (unsigned)**data ^ 'A';
    options->transpose = bits & 1;
    options->decimal = bits & 2 ? ',' : 0;
    options->header = bits & 4 ? (bits & 8 ? 1 : 0) : -1;
    options->separator = separators[bits >> 4 & 3];
    options->encoding = bits & 64 ? "latin1" : NULL;
    options->missing = bits & 128 ? "-9,none" : NULL;
    ++*data;
    --*size;
}

#define FORMAT                         "csv"
#define PREPARE(options, data, length) choose_options(options, data, length)
#include "fuzz/fuzz_format.h"
