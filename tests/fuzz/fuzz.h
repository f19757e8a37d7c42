/* SPDX-License-Identifier: MIT */
/* What every harness needs: its entry point, and a context that its inputs share. */
#ifndef CAIRN_TESTS_FUZZ_H
#define CAIRN_TESTS_FUZZ_H

#include "base/memory.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FUZZ_MEMORY = 256 << 20 };

/* One thread and a limit of memory, so that an input that asks for a thousand gigabytes is refused
 * and not served. */
static inline cairn_context *fuzz_new_context(void)
{
    cairn_context *ctx = NULL;
    if (cairn_context_new(&ctx, NULL)) abort();
    cairn_context_set_threads(ctx, 1);
    cairn_context_set_memory(ctx, FUZZ_MEMORY);
    return ctx;
}

/* The context that all inputs share, with the scratch that every call begins with: to make both
 * again takes longer than most inputs do. */
static struct fuzz_shared {
    cairn_context *ctx;
    cairn_scratch_mark mark;
    size_t held; /* bytes, before an input */
} fuzz_shared;

static inline cairn_context *fuzz_begin(void)
{
    struct fuzz_shared *s = &fuzz_shared;
    char *first;
    if (!s->ctx) {
        s->ctx = fuzz_new_context();
        if (SCRATCH(s->ctx, &first, 1)) abort();
        s->mark = cairn_scratch_now(s->ctx);
        s->held = cairn_memory_in_use(s->ctx);
    }
    cairn_context_set_memory(s->ctx, FUZZ_MEMORY);
    s->ctx->message[0] = 0; /* one of an earlier input is none of this one's */
    return s->ctx;
}

/* Nothing of an input stays. */
static inline void fuzz_end(void)
{
    struct fuzz_shared *s = &fuzz_shared;
    cairn_scratch_release(s->ctx, s->mark);
    size_t held = cairn_memory_in_use(s->ctx);
    if (held == s->held) return;
    fprintf(stderr, "%zu bytes are held, %zu were before\n", held, s->held);
    abort();
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

static char fuzz_path[64];

static inline void fuzz_remove_file(void)
{
    unlink(fuzz_path);
}

/* The name of a file of these bytes, where files cost little: one for all inputs, to the end. */
static inline const char *fuzz_file(const void *data, size_t size)
{
    if (!*fuzz_path) {
        const char *folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
        snprintf(fuzz_path, sizeof fuzz_path, "%s/cairn-fuzz-XXXXXX", folder);
        int made = mkstemp(fuzz_path);
        if (made < 0 || close(made) || atexit(fuzz_remove_file)) abort();
    }
    int file = open(fuzz_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || write(file, data, size) != (ssize_t)size || close(file)) abort();
    return fuzz_path;
}

#endif
