/* SPDX-License-Identifier: MIT */
/* The context: settings, the last message, the log, progress and cancelling. */
#include "base/context.h"
#include "base/hash.h"
#include "base/heap.h"
#include "base/memory.h"
#include "base/text.h"
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int cairn_status_exit_code(cairn_status status)
{
    switch (status) {
    case CAIRN_OK:
    case CAIRN_CHECK_FAILED:
    case CAIRN_USAGE:
    case CAIRN_BAD_DATA:
    case CAIRN_NO_SOLUTION:
    case CAIRN_FILE_ERROR:
    case CAIRN_NO_MEMORY: return (int)status;
    case CAIRN_INTERNAL: break;
    case CAIRN_CANCELLED: return 130;
    }
    return 70; /* and what is no status at all */
}

const char *cairn_status_name(cairn_status status)
{
    switch (status) {
    case CAIRN_OK: return "ok";
    case CAIRN_CHECK_FAILED: return "check failed";
    case CAIRN_USAGE: return "usage";
    case CAIRN_BAD_DATA: return "bad data";
    case CAIRN_NO_SOLUTION: return "no solution";
    case CAIRN_FILE_ERROR: return "file error";
    case CAIRN_NO_MEMORY: return "out of memory";
    case CAIRN_INTERNAL: return "internal error";
    case CAIRN_CANCELLED: return "cancelled";
    }
    return "unknown status";
}

const char *cairn_version(void)
{
    return CAIRN_VERSION;
}

uint32_t cairn_version_number(void)
{
    return CAIRN_VERSION_NUMBER;
}

/* The processors that this process may use, which its owner may have made fewer. */
static int machine_threads(void)
{
    cpu_set_t allowed;
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) n = CPU_COUNT(&allowed);
    return n < 1 ? 1 : n > 1024 ? 1024 : (int)n;
}

cairn_status cairn_context_new(cairn_context **out, const cairn_allocator *allocator)
{
    cairn_context *ctx;
    cairn_heap *heap = cairn_heap_new(allocator);
    if (!heap) return CAIRN_NO_MEMORY;
    ctx = cairn_heap_take(heap, sizeof *ctx + CAIRN_TEAM_SIZE, true);
    if (!ctx) {
        cairn_heap_drop(heap);
        return CAIRN_NO_MEMORY;
    }
    ctx->heap = heap;
    ctx->threads = machine_threads();
    ctx->seed = 1;
    ctx->cancelled = &ctx->own_cancelled;
    ctx->team = ctx + 1;
    *out = ctx;
    return CAIRN_OK;
}

void cairn_context_free(cairn_context *ctx)
{
    if (!ctx) return;
    cairn_heap *heap = ctx->heap;
    if (ctx->end_team) ctx->end_team(ctx->team);
    if (ctx->end_own_entries) ctx->end_own_entries(ctx->own_entries);
    cairn_scratch_release(ctx, (cairn_scratch_mark){0});
    cairn_free(ctx);
    cairn_heap_drop(heap);
}

const char *cairn_message(const cairn_context *ctx)
{
    return ctx ? ctx->message : "out of memory";
}

void cairn_context_set_threads(cairn_context *ctx, int threads)
{
    ctx->threads = threads > 0 ? threads : machine_threads();
}

int cairn_context_threads(const cairn_context *ctx)
{
    return ctx->threads;
}

void cairn_context_set_seed(cairn_context *ctx, uint64_t seed)
{
    ctx->seed = seed;
}

uint64_t cairn_context_seed(const cairn_context *ctx)
{
    return ctx->seed;
}

void cairn_context_set_memory(cairn_context *ctx, size_t bytes)
{
    cairn_heap_set_limit(ctx->heap, bytes);
}

void cairn_context_set_log(cairn_context *ctx, cairn_log_function log, void *data)
{
    ctx->log = log;
    ctx->log_data = data;
}

void cairn_context_set_progress(cairn_context *ctx, cairn_progress_function progress, void *data)
{
    ctx->progress = progress;
    ctx->progress_data = data;
}

void cairn_context_set_ask(cairn_context *ctx, cairn_ask_function ask, void *data)
{
    ctx->ask = ask;
    ctx->ask_data = data;
}

void cairn_context_cancel(cairn_context *ctx)
{
    int none = CAIRN_STOP_NONE;
    __atomic_compare_exchange_n(ctx->cancelled, &none, CAIRN_STOP_WANTED, false, __ATOMIC_RELAXED,
                                __ATOMIC_RELAXED);
}

void cairn_context_resume(cairn_context *ctx)
{
    __atomic_store_n(ctx->cancelled, CAIRN_STOP_NONE, __ATOMIC_RELAXED);
}

bool cairn_is_cancelled(const cairn_context *ctx)
{
    return __atomic_load_n(ctx->cancelled, __ATOMIC_RELAXED) != CAIRN_STOP_NONE;
}

/* A long message is cut at the end of a letter, so that it stays valid UTF-8. */
static void end_at_letter(char *message, size_t size, int wanted)
{
    if (wanted < 0 || (size_t)wanted < size) return;
    size_t at = size - 1;
    while (at > 0 && ((unsigned char)message[at - 1] & 0xC0) == 0x80) at--;
    if (at > 0 && (unsigned char)message[at - 1] >= 0xC0) at--;
    message[at] = 0;
}

/* What was formatted, made fit for a terminal: names and cells of a stranger's file are in it. Line
 * ends and tabs stay; what does not fit is cut. */
static void show(char *message, size_t size, int wanted)
{
    char copy[CAIRN_MESSAGE_SIZE], letter[CAIRN_SHOWN_SIZE];
    end_at_letter(message, size, wanted);
    size_t length = strlen(message), used = 0;
    memcpy(copy, message, length);
    for (size_t at = 0, step; at < length; at += step) {
        step = cairn_letter_shown(letter, copy + at, length - at);
        if (copy[at] == '\n' || copy[at] == '\t') letter[0] = copy[at], letter[1] = 0;
        size_t n = strlen(letter);
        if (used + n >= size) break;
        memcpy(message + used, letter, n);
        used += n;
    }
    message[used] = 0;
}

/* Bytes that are still added at `n`; the last one stays free. */
static size_t put(char *out, size_t size, size_t n, const char *bytes, size_t length)
{
    size_t buffer = size - 1 - n;
    if (length > buffer) length = buffer;
    memcpy(out + n, bytes, length);
    return n + length;
}

/* What stands for a mark; `content` is what is between its braces. */
static size_t put_mark(char *out, size_t size, size_t n, const char *content, size_t length,
                       bool options)
{
    const char *blank = memchr(content, ' ', length);
    size_t name = blank ? (size_t)(blank - content) : length;
    if (options) {
        n = put(out, size, n, "--", 2);
        return put(out, size, n, content, length);
    }
    if (!blank && length > 3 && memcmp(content, "no-", 3) == 0) {
        n = put(out, size, n, content + 3, length - 3);
        return put(out, size, n, "=no", 3);
    }
    n = put(out, size, n, "'", blank ? 0 : 1);
    n = put(out, size, n, content, name);
    n = put(out, size, n, blank ? "=" : "'", 1);
    return blank ? put(out, size, n, blank + 1, length - name - 1) : n;
}

const char *cairn_format_said(const cairn_context *ctx, char *out, size_t size, const char *format)
{
    size_t n = 0;
    if (!strchr(format, '{')) return format;
    while (*format) {
        /* The end of the mark that begins here, its closing brace, or NULL when there is none. */
        bool begins =
            format[0] == '{' && ((format[1] >= 'a' && format[1] <= 'z') || format[1] == '%');
        const char *end = begins ? strchr(format, '}') : NULL;
        if (end)
            n = put_mark(out, size, n, format + 1, (size_t)(end - format) - 1, ctx->options);
        else
            n = put(out, size, n, format, 1);
        format = end ? end + 1 : format + 1;
    }
    out[n] = 0;
    return out;
}

const char *cairn_say(cairn_context *ctx, const char *text)
{
    char *said = ctx->said[ctx->next_said++ % CAIRN_SAID_PIECES];
    return cairn_format_said(ctx, said, CAIRN_SAID_SIZE, text);
}

/* Write out a format with marks; as vsnprintf. */
static int print_said(const cairn_context *ctx, char *out, size_t size, const char *format,
                      va_list arguments)
{
    char said[CAIRN_MESSAGE_SIZE];
    format = cairn_format_said(ctx, said, sizeof said, format);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" /* the literal with its marks written out */
    return vsnprintf(out, size, format, arguments);
#pragma GCC diagnostic pop
}

cairn_status(cairn_fail)(cairn_context *ctx, cairn_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int wanted = print_said(ctx, ctx->message, sizeof ctx->message, format, arguments);
    va_end(arguments);
    show(ctx->message, sizeof ctx->message, wanted);
    if (status == CAIRN_CANCELLED)
        __atomic_store_n(ctx->cancelled, CAIRN_STOP_REPORTED, __ATOMIC_RELAXED);
    return status;
}

void cairn_message_prefix(cairn_context *ctx, const char *format, ...)
{
    char prefix[CAIRN_MESSAGE_SIZE / 2], rest[CAIRN_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    int wanted = print_said(ctx, prefix, sizeof prefix, format, arguments);
    va_end(arguments);
    show(prefix, sizeof prefix, wanted);
    memcpy(rest, ctx->message, sizeof rest);
    wanted = snprintf(ctx->message, sizeof ctx->message, "%s: %s", prefix, rest);
    end_at_letter(ctx->message, sizeof ctx->message, wanted);
}

void cairn_warn(cairn_context *ctx, const char *format, ...)
{
    if (!ctx->log) return;
    char message[CAIRN_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    int wanted = print_said(ctx, message, sizeof message, format, arguments);
    va_end(arguments);
    show(message, sizeof message, wanted);
    ctx->log(CAIRN_LOG_WARNING, message, ctx->log_data);
}

/* Whether a remark was made before; from now on it was. Beyond the most that are kept, the oldest
 * gives way and could be made again. */
static bool is_noted(cairn_context *ctx, const char *message)
{
    uint64_t hash = cairn_hash(message, strlen(message), 0);
    for (unsigned i = 0; i < CAIRN_MOST_NOTES && i < ctx->n_notes; i++)
        if (ctx->notes[i] == hash) return true;
    ctx->notes[ctx->n_notes++ % CAIRN_MOST_NOTES] = hash;
    return false;
}

void cairn_note_once(cairn_context *ctx, const char *format, ...)
{
    if (!ctx->log) return;
    char message[CAIRN_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    int wanted = print_said(ctx, message, sizeof message, format, arguments);
    va_end(arguments);
    show(message, sizeof message, wanted);
    if (!is_noted(ctx, message)) ctx->log(CAIRN_LOG_INFO, message, ctx->log_data);
}

void cairn_phase_begin(cairn_context *ctx, cairn_phase *phase, double total)
{
    *phase = (cairn_phase){.ctx = ctx, .around = ctx->phase, .total = total};
    ctx->phase = phase;
}

void cairn_phase_end(cairn_phase *phase)
{
    phase->ctx->phase = phase->around;
}

/* Whether a tick speaks of the parts of the innermost phase, not of what happens inside one. */
static bool ticks_phase(cairn_phase *phase, const char *what, double done, double total)
{
    if (!phase || phase->total != total) return false;
    if (!*phase->what) snprintf(phase->what, sizeof phase->what, "%s", what);
    if (strncmp(phase->what, what, sizeof phase->what - 1) != 0) return false;
    phase->done = done;
    return true;
}

/* "splits 3 of 10, " for each phase that has a name, the outermost first; the length. */
static size_t write_phases(char *out, size_t size, const cairn_phase *phase)
{
    if (!phase) return 0;
    size_t at = write_phases(out, size, phase->around);
    if (!*phase->what || at >= size) return at;
    double part = phase->done + 1 < phase->total ? phase->done + 1 : phase->total;
    int n = snprintf(out + at, size - at, "%s %zu of %zu, ", phase->what, (size_t)part,
                     (size_t)phase->total);
    return n < 0 ? at : at + (size_t)n;
}

/* The share of the innermost work goes into that of the phases around it. */
void cairn_show_progress(cairn_context *ctx, const char *what, double done, double total)
{
    char shown[200];
    const cairn_phase *outermost = NULL;
    double share = total > 0 ? done / total : 0;
    bool own = ticks_phase(ctx->phase, what, done, total);
    if (own) share = 0;
    for (const cairn_phase *p = ctx->phase; p; p = p->around) {
        share = (p->done + share) / p->total;
        outermost = p;
    }
    size_t at = write_phases(shown, sizeof shown, ctx->phase);
    if (at >= sizeof shown) at = sizeof shown - 1;
    if (own && at >= 2)
        shown[at -= 2] = 0;
    else
        at += (size_t)snprintf(shown + at, sizeof shown - at, "%s", what);
    show(shown, sizeof shown, (int)at);
    if (outermost)
        ctx->progress(shown, share * outermost->total, outermost->total, ctx->progress_data);
    else
        ctx->progress(shown, done, total, ctx->progress_data);
}

cairn_status cairn_tick(cairn_context *ctx, const char *what, double done, double total)
{
    if (cairn_is_cancelled(ctx)) return cairn_fail(ctx, CAIRN_CANCELLED, "interrupted");
    if (what && ctx->progress)
        cairn_show_progress(ctx, what, done, total);
    else if (what)
        (void)ticks_phase(ctx->phase, what, done, total);
    return CAIRN_OK;
}

cairn_status cairn_ask(cairn_context *ctx, const char *question, const char **line)
{
    if (!ctx->ask)
        return cairn_fail(ctx, CAIRN_USAGE, "there is nobody here who could answer questions");
    char shown[CAIRN_MESSAGE_SIZE];
    show(shown, sizeof shown, snprintf(shown, sizeof shown, "%s", question));
    *line = ctx->ask(shown, ctx->ask_data);
    return cairn_tick(ctx, NULL, 0, 0); /* interrupted while it waited? */
}

cairn_status cairn_ask_below(cairn_context *ctx, const char *text, const char *question,
                             const char **line)
{
    char *whole;
    size_t above = strlen(text), below = strlen(question) + 1;
    if (!ctx->ask) return cairn_ask(ctx, question, line); /* which says that nobody is there */
    CHECK(NEW_RAW(ctx, &whole, above + below));
    memcpy(whole, text, above);
    memcpy(whole + above, question, below);
    *line = ctx->ask(whole, ctx->ask_data);
    cairn_free(whole);
    return cairn_tick(ctx, NULL, 0, 0);
}

double cairn_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

cairn_status cairn_child_new(cairn_context *parent, cairn_context **out)
{
    cairn_context *child;
    cairn_status status = NEW(parent, &child, 1);
    if (status) return status;
    cairn_heap_hold(parent->heap);
    child->heap = parent->heap;
    child->threads = 1;
    child->seed = parent->seed;
    child->objects = parent->objects;
    child->own_entries = parent->own_entries;
    child->options = parent->options;
    child->cancelled = parent->cancelled;
    *out = child;
    return CAIRN_OK;
}

void cairn_child_join(cairn_context *parent, cairn_context *child, cairn_status status)
{
    if (!child) return;
    if (status != CAIRN_OK) memcpy(parent->message, child->message, sizeof parent->message);
    cairn_context_free(child);
}
