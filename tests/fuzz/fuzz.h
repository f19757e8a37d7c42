/* SPDX-License-Identifier: MIT */
/* What every harness needs: its entry point, and a context of one thread with a limit of memory, so
 * that an input that asks for a thousand gigabytes is refused and not served. */
#ifndef CAIRN_TESTS_FUZZ_H
#define CAIRN_TESTS_FUZZ_H

#include "cairn/base.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline cairn_context *fuzz_context(void)
{
    cairn_context *ctx = NULL;
    if (cairn_context_new(&ctx, NULL)) abort();
    cairn_context_set_threads(ctx, 1);
    cairn_context_set_memory(ctx, (size_t)256 << 20);
    return ctx;
}

/* What a user would see must hold after any input: a failure has a message. */
static inline void fuzz_check(cairn_context *ctx, cairn_status status)
{
    if (status != CAIRN_INTERNAL && (status == CAIRN_OK || *cairn_message(ctx))) return;
    fprintf(stderr, "status %d with the message '%s'\n", (int)status, cairn_message(ctx));
    abort();
}

/* The bytes as zero-ended text; the caller frees. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text) abort();
    if (size) memcpy(text, data, size);
    text[size] = 0;
    return text;
}

#endif
