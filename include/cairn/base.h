/* SPDX-License-Identifier: MIT */
/* Statuses, the context, and what every other public header needs.
 *
 * Every function that can fail returns a cairn_status; CAIRN_OK is 0, so calls chain with ||.
 * The sentence for the user is kept in the context: cairn_message(ctx).
 *
 * The library prints nothing, ends no process, and leaves locale, signals, environment, folder and
 * arithmetic of the program as they are. Threads belong to a context and end with it. After fork()
 * the child may go on with contexts, tables and models that no other thread was using.
 *
 * Functions that free take NULL; other pointers must not be NULL unless their comment says so.
 * Texts are UTF-8. Structs of options begin with their size; set them from their _INIT. */
#ifndef CAIRN_BASE_H
#define CAIRN_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CAIRN_VERSION_MAJOR 0
#define CAIRN_VERSION_MINOR 1
#define CAIRN_VERSION_PATCH 0
#define CAIRN_VERSION       "0.1.0"

/* The version of these headers as one number that grows with every release: 100 is 0.1.0. */
#define CAIRN_VERSION_NUMBER                                                                       \
    (CAIRN_VERSION_MAJOR * 10000 + CAIRN_VERSION_MINOR * 100 + CAIRN_VERSION_PATCH)

/* What the shared library exports. A program that links the static library on Windows defines
 * CAIRN_STATIC; the build of the library defines CAIRN_BUILDING. Windows is not tested. */
#if defined(_WIN32) && defined(CAIRN_STATIC)
#define CAIRN_API
#elif defined(_WIN32) && defined(CAIRN_BUILDING)
#define CAIRN_API __declspec(dllexport)
#elif defined(_WIN32)
#define CAIRN_API __declspec(dllimport)
#elif defined(__GNUC__)
#define CAIRN_API __attribute__((visibility("default")))
#else
#define CAIRN_API
#endif

#if defined(__GNUC__)
#define CAIRN_CHECKED        __attribute__((warn_unused_result))
#define CAIRN_PRINTF(AT, ON) __attribute__((format(printf, AT, ON)))
#else
#define CAIRN_CHECKED
#define CAIRN_PRINTF(AT, ON)
#endif

/* What became of a call. cairn_status_exit_code() gives the program's exit code for each. */
typedef enum cairn_status {
    CAIRN_OK = 0,
    CAIRN_CHECK_FAILED, /* a requested check did not hold */
    CAIRN_USAGE,        /* a wrong name, or a value outside its declared range */
    CAIRN_BAD_DATA,     /* data or model bad, or a parameter that the data cannot satisfy */
    CAIRN_NO_SOLUTION,  /* the problem has no solution */
    CAIRN_FILE_ERROR,   /* file or system error */
    CAIRN_NO_MEMORY,    /* out of memory, or more than the limit allows */
    CAIRN_INTERNAL,     /* a bug in Cairn */
    CAIRN_CANCELLED     /* stopped by the caller */
} cairn_status;

/* The exit code that the program gives for a status: 0 to 6, 70 or 130. */
CAIRN_API int cairn_status_exit_code(cairn_status status);

/* A short name for a status, such as "bad data"; never NULL. */
CAIRN_API const char *cairn_status_name(cairn_status status);

/* The version of the library that is running, such as "0.1.0". */
CAIRN_API const char *cairn_version(void);

/* The version that is running as a number: 10000 * major + 100 * minor + patch. A program may
 * compare it with CAIRN_VERSION_NUMBER, which is that of the headers it was built with. */
CAIRN_API uint32_t cairn_version_number(void);

/* Which instruction set the numeric loops use, and which ones there are on this machine, such as
 * "avx512 (there are generic, avx2, avx512)". The environment variable CAIRN_KERNELS, read once per
 * process, picks another one; the bits of every result stay the same. */
CAIRN_API const char *cairn_kernels(void);

/* Where the same data, seed and build give the same bytes: "on any x86-64 processor". */
CAIRN_API const char *cairn_same_bits(void);

/* Replaces all globals: threads, seed, log, progress, cancelling, memory and the last message.
 * One context serves one calling thread at a time. Objects made with it may outlive it. */
typedef struct cairn_context cairn_context;

/* Where memory comes from. `resize` and `release` get NULL or what `allocate`/`resize` gave.
 * The functions may be called from several threads at once. */
typedef struct cairn_allocator {
    void *(*allocate)(size_t size, void *data);
    void *(*resize)(void *block, size_t size, void *data);
    void (*release)(void *block, void *data);
    void *data;
} cairn_allocator;

typedef enum cairn_log_level { CAIRN_LOG_DEBUG, CAIRN_LOG_INFO, CAIRN_LOG_WARNING } cairn_log_level;

/* Gets warnings and notes as they arise. */
typedef void (*cairn_log_function)(cairn_log_level level, const char *message, void *data);

/* Gets the progress of long work; `total` is 0 when it is not known. */
typedef void (*cairn_progress_function)(const char *what, double done, double total, void *data);

/* Puts a question to a person and gives the line that was typed, without its end; NULL when there
 * is no more. The line stays until the next question. */
typedef const char *(*cairn_ask_function)(const char *question, void *data);

/* Make a context; `allocator` NULL means the C library's. The caller frees it. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_context_new(cairn_context **out,
                                                       const cairn_allocator *allocator);

/* Free a context; NULL is accepted. */
CAIRN_API void cairn_context_free(cairn_context *ctx);

/* The message of the last call that failed; "" when none did. Borrowed. */
CAIRN_API const char *cairn_message(const cairn_context *ctx);

/* Number of threads to use, at least 1; 0 means as many as there are processors that the process
 * may use (the default). The calling thread is one of them; the others are started when they are
 * first needed, block all signals and end with the context. When the system gives fewer, the work
 * goes on with those there are. Results do not depend on the number. */
CAIRN_API void cairn_context_set_threads(cairn_context *ctx, int threads);

/* The number of threads that was set, or that of the processors. */
CAIRN_API int cairn_context_threads(const cairn_context *ctx);

/* Seed of every random step; 1 unless set. */
CAIRN_API void cairn_context_set_seed(cairn_context *ctx, uint64_t seed);

/* The seed that was set, or 1. */
CAIRN_API uint64_t cairn_context_seed(const cairn_context *ctx);

/* Most bytes that the library may hold at once; 0 means as much as the machine can give. */
CAIRN_API void cairn_context_set_memory(cairn_context *ctx, size_t bytes);

/* Where warnings and notes go; NULL means nowhere (the default). */
CAIRN_API void cairn_context_set_log(cairn_context *ctx, cairn_log_function log, void *data);

/* Where progress goes; NULL means nowhere (the default). */
CAIRN_API void cairn_context_set_progress(cairn_context *ctx, cairn_progress_function progress,
                                          void *data);

/* Who answers the questions of calculators that ask; NULL means nobody (the default). */
CAIRN_API void cairn_context_set_ask(cairn_context *ctx, cairn_ask_function ask, void *data);

/* Ask the work under way to stop; it returns CAIRN_CANCELLED soon.
 * May be called from a signal handler and from another thread, as long as the context is not freed
 * meanwhile. The request ends with the call that it stopped: the next call works again. One that
 * comes too late for a call, or before it began, stops the next call that looks; see
 * cairn_context_resume. */
CAIRN_API void cairn_context_cancel(cairn_context *ctx);

/* Forget a request to stop that no call has answered: for a caller that begins new work and does
 * not want it stopped by a request that was meant for the work before. */
CAIRN_API void cairn_context_resume(cairn_context *ctx);

#ifdef __cplusplus
}
#endif
#endif
