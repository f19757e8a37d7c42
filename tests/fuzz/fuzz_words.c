/* SPDX-License-Identifier: MIT */
/* Folding and tokens: the first bytes choose the rules, the rest is text, valid or not. */
#include "fuzz/fuzz.h"
#include "base/text.h"
#include "data/tokens.h"
#include <stdlib.h>

/* Tokens of valid text are valid; the folded text itself is rewritten while they are cut. */
static cairn_status check_token(void *data, const char *token, size_t length)
{
    const bool *valid = data;
    if (length == 0 || !token) abort();
    if (*valid && cairn_utf8_check(token, length) < length) abort();
    return CAIRN_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { RULES = 3, MOST = 5000 };
    cairn_context *ctx = fuzz_begin();
    cairn_tokeniser tokeniser;
    if (size >= RULES) {
        cairn_token_rules rules = {.unit = data[0] % 4,
                                   .shortest = 1 + data[0] / 64,
                                   .folding = {data[1] % 3, data[1] & 4, data[1] & 8},
                                   .min_gram = 1 + data[2] % 3,
                                   .stem = data[2] & 16 && data[0] % 4 < 2 ? "german" : NULL};
        rules.max_gram = rules.min_gram + data[2] / 64;
        size_t n = size - RULES < MOST ? size - RULES : MOST;
        fuzz_check(ctx, cairn_tokeniser_start(ctx, &tokeniser, &rules));
        bool valid = cairn_utf8_check((const char *)data + RULES, n) == n;
        fuzz_check(ctx,
                   cairn_tokenise(&tokeniser, (const char *)data + RULES, n, check_token, &valid));
        cairn_tokeniser_clear(&tokeniser);
    }
    fuzz_end();
    return 0;
}
