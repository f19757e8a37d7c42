/* SPDX-License-Identifier: MIT */
/* Times as text: the first line is a pattern, the rest a cell. What is read lies in our years,
 * prints, and reads back as the same time. Names of databases are shown without harm. */
#include "fuzz/fuzz.h"
#include "base/memory.h"
#include "data/source.h"
#include "data/time.h"
#include <math.h>

static void check_time(double time, const char *pattern)
{
    char out[CAIRN_TIME_SIZE];
    cairn_calendar parts;
    double back;
    if (!cairn_time_parts(time, &parts)) abort();
    size_t length = cairn_time_format(out, time, pattern);
    if (length != strlen(out) || length >= CAIRN_TIME_SIZE) abort();
    length = cairn_time_format(out, time, NULL);
    if (!cairn_time_parse(out, length, NULL, &back, NULL, NULL)) abort();
    if (!(fabs(back - time) <= (fabs(time) > 8e9 ? 1e-3 : 2e-6))) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size), *line = strchr(text, '\n');
    char letters[2 * CAIRN_TIME_PATTERN], pattern[CAIRN_TIME_PATTERN];
    cairn_context *ctx = fuzz_begin();
    const char *shown;
    double time;
    if (cairn_time_parse(text, size, NULL, &time, NULL, NULL)) check_time(time, NULL);
    if (cairn_time_from_letters(pattern, text, size) && strlen(pattern) >= sizeof pattern) abort();
    if (cairn_source_shown(ctx, &shown, text)) abort();
    if (line) {
        *line = 0;
        size_t left = size - (size_t)(line + 1 - text);
        if (cairn_time_check_pattern(ctx, text) == CAIRN_OK) {
            if (cairn_time_parse(line + 1, left, text, &time, NULL, NULL)) check_time(time, text);
            if (cairn_time_to_letters(letters, text) && strlen(letters) >= sizeof letters) abort();
        }
    }
    fuzz_end();
    free(text);
    return 0;
}
