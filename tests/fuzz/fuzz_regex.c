/* SPDX-License-Identifier: MIT */
/* An expression, a zero byte, a text: any expression is refused or counts no more hits than there
 * are letters. */
#include "fuzz/fuzz.h"
#include "base/regex.h"
#include "base/text.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST = 2000 };
    cairn_context *ctx = fuzz_begin();
    cairn_regex *regex = NULL;
    size_t n = size < MOST ? size : MOST, hits = 0;
    char *copy = calloc(n + 2, 1);
    if (n) memcpy(copy, data, n);
    size_t length = strlen(copy);
    const char *text = length < n ? copy + length + 1 : copy + n;
    size_t left = length < n ? n - length - 1 : 0;
    cairn_status status = cairn_regex_new(ctx, &regex, copy, n % 2 == 1);
    fuzz_check(ctx, status);
    if (status == CAIRN_OK) {
        fuzz_check(ctx, cairn_regex_count(ctx, regex, text, left, n % 3 == 0, &hits));
        if (hits > left) abort();
    }
    cairn_regex_free(regex);
    fuzz_end();
    free(copy);
    return 0;
}
