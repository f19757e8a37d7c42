/* SPDX-License-Identifier: MIT */
/* The inside of a context: failing with a message, warning, ticking, children for tasks. */
#ifndef CAIRN_BASE_CONTEXT_H
#define CAIRN_BASE_CONTEXT_H

#include "cairn/base.h"

/* Return the status of a call that failed: for functions that have nothing to clean up. */
#define CHECK(call)                                                                                \
    do {                                                                                           \
        cairn_status call_status = (call);                                                         \
        if (call_status != CAIRN_OK) return call_status;                                           \
    } while (0)

/* Leave the function through `done:` when a call fails, where more is to be done than a scope does
 * (below); needs a local `cairn_status status`. */
#define TRY(call)                                                                                  \
    do {                                                                                           \
        status = (call);                                                                           \
        if (status != CAIRN_OK) goto done;                                                         \
    } while (0)

/* Clean-up when a block is left, whichever way (gcc and clang): a value by its clear function, a
 * pointer by its free function. What is handed out is taken from its owner first.
 *
 *     SCOPED(cairn_text_clear) cairn_text list = cairn_text_start(ctx);
 *     OWNED(cairn_table_free) cairn_table *table = NULL;
 *     ...
 *     *out = TAKE(table);
 *
 * They are released in the reverse order of their declarations; scratch (base/memory.h) is declared
 * first. CAIRN_CAN_OWN stands beside the free function of a type. */
#define SCOPED(clear)  __attribute__((cleanup(clear)))
#define OWNED(release) __attribute__((cleanup(release##_owned)))
#define TAKE(pointer)                                                                              \
    __extension__({                                                                                \
        __typeof__(pointer) taken_pointer = (pointer);                                             \
        (pointer) = NULL;                                                                          \
        taken_pointer;                                                                             \
    })
#define CAIRN_CAN_OWN(release, type)                                                               \
    static inline void release##_owned(type **owned)                                               \
    {                                                                                              \
        release(*owned);                                                                           \
    }

typedef struct cairn_scratch_chunk cairn_scratch_chunk;
typedef struct cairn_heap cairn_heap;

enum { CAIRN_TEAM_SIZE = 16 << 10 }; /* bytes of room for threads */
enum { CAIRN_MOST_NOTES = 16 };
enum { CAIRN_MESSAGE_SIZE = 2048, CAIRN_SAID_PIECES = 8, CAIRN_SAID_SIZE = 512 };

/* Work in parts that is under way, for progress: what happens inside a part is a share of it, so
 * that the whole never starts over. Its name is that of the first tick over as many parts. */
typedef struct cairn_phase {
    cairn_context *ctx;
    struct cairn_phase *around; /* the phase that this one is a part of; NULL = none */
    char what[48];              /* "" = nothing named it yet */
    double done, total;
} cairn_phase;

/* How far a wish to stop has come. */
typedef enum cairn_stop { CAIRN_STOP_NONE, CAIRN_STOP_WANTED, CAIRN_STOP_REPORTED } cairn_stop;

struct cairn_context {
    cairn_heap *heap;            /* shared with children and with every block it gave out */
    cairn_scratch_chunk *chunks; /* scratch memory, the newest chunk first */
    int threads;                 /* what this context may use; 1 inside a task */
    uint64_t seed;
    cairn_log_function log;
    void *log_data;
    cairn_progress_function progress;
    void *progress_data;
    cairn_phase *phase; /* the innermost that is under way */
    cairn_ask_function ask;
    void *ask_data;
    int *cancelled; /* atomic, a cairn_stop; the root's */
    int own_cancelled;
    struct cairn_objects *objects; /* what @name means first, while a command runs; NULL = none */
    int calls;  /* public calls that are under way, one inside the other: base/call.h */
    void *team; /* room for the threads that help, NULL for a child: parallel/team.h */
    void (*end_team)(void *team); /* NULL = none was started */
    void *own_entries; /* what a program registered (entry/own.h), NULL = nothing; the root's */
    void (*end_own_entries)(void *entries); /* NULL for a child */
    bool options; /* parameters are options of a command line: --max-depth, not 'max-depth' */
    char message[CAIRN_MESSAGE_SIZE];
    char said[CAIRN_SAID_PIECES][CAIRN_SAID_SIZE]; /* pieces of messages, taken in turn */
    unsigned next_said;
    uint64_t notes[CAIRN_MOST_NOTES]; /* hashes of what cairn_note_once said */
    unsigned n_notes;
};

/* Messages name parameters by marks, {max-depth} or with a value {target COLUMN}, in their formats:
 * a command line reads --max-depth and --target COLUMN, other callers 'max-depth' and
 * target=COLUMN; {no-truth} is --no-truth or truth=no. What is put in by % is never touched.
 *
 * The format with its marks written out, in `out` or, where it has none, as it is. */
const char *cairn_format_said(const cairn_context *ctx, char *out, size_t size, const char *format);
/* The same for a piece of a message that is put in by %s. It lies in the context and is valid until
 * the eighth call after it; what is kept longer keeps its marks and is said when it is told. */
const char *cairn_say(cairn_context *ctx, const char *text);

/* Set the message, with marks in its format, and return `status`, so that `return cairn_fail(...)`
 * reads well. */
CAIRN_PRINTF(3, 4)
cairn_status cairn_fail(cairn_context *ctx, cairn_status status, const char *format, ...);
#ifdef __clang_analyzer__ /* which cannot see in another file that `status` is what comes back */
#define cairn_fail(ctx, status, ...) ((void)(cairn_fail)(ctx, status, __VA_ARGS__), (status))
#endif

/* Put "prefix: " in front of the message of a failure that is on its way out. */
CAIRN_PRINTF(2, 3) void cairn_message_prefix(cairn_context *ctx, const char *format, ...);

/* Hand a warning to the log; its format may have marks. */
CAIRN_PRINTF(2, 3) void cairn_warn(cairn_context *ctx, const char *format, ...);

/* Hand a remark to the log, the same one only once while a command runs (for other callers: once in
 * a context); its format may have marks. */
CAIRN_PRINTF(2, 3) void cairn_note_once(cairn_context *ctx, const char *format, ...);

/* Report progress of `what` (NULL keeps quiet); fails with CAIRN_CANCELLED when the caller wants
 * to stop. Call it often enough that Ctrl-C is felt within a tenth of a second. */
CAIRN_CHECKED cairn_status cairn_tick(cairn_context *ctx, const char *what, double done,
                                      double total);

/* The same without asking whether to stop. */
void cairn_show_progress(cairn_context *ctx, const char *what, double done, double total);

/* Begin work of `total` parts, and end it: SCOPED(cairn_phase_end) cairn_phase phase. */
void cairn_phase_begin(cairn_context *ctx, cairn_phase *phase, double total);
void cairn_phase_end(cairn_phase *phase);

/* Put a question to the person at the keyboard; `line` is NULL when nobody answers any more.
 * Borrowed until the next question. Fails where nobody can be asked. */
CAIRN_CHECKED cairn_status cairn_ask(cairn_context *ctx, const char *question, const char **line);
/* The same below a text of any length that is safe to print: a report. */
CAIRN_CHECKED cairn_status cairn_ask_below(cairn_context *ctx, const char *text,
                                           const char *question, const char **line);

/* Seconds of a steady clock. */
double cairn_seconds(void);

/* Whether somebody asked to stop; safe inside parallel blocks. */
bool cairn_is_cancelled(const cairn_context *ctx);

/* A context for one task that runs beside others: one thread, its own scratch and message,
 * the same heap, log and cancel flag. `cairn_child_join` frees it; if `status` is a failure the
 * child's message becomes the parent's. */
CAIRN_CHECKED cairn_status cairn_child_new(cairn_context *parent, cairn_context **out);
void cairn_child_join(cairn_context *parent, cairn_context *child, cairn_status status);

#endif
