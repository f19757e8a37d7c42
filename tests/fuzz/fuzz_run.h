/* SPDX-License-Identifier: MIT */
/* Commands with one word of any bytes: it is computed or refused with a message. The first byte
 * chooses the command, the rest is the word, or the file that stands in its place. */
#ifndef CAIRN_TESTS_FUZZ_RUN_H
#define CAIRN_TESTS_FUZZ_RUN_H

#include "fuzz/fuzz.h"
#include "cairn/cairn.h"

#define TEXT  NULL   /* where the text stands */
#define NAMES "FILE" /* what a word ends with that names the file */

enum { MOST_WORDS = 14 };

typedef struct shape {
    const char *words[MOST_WORDS]; /* the last one is empty */
    size_t most;                   /* bytes of the text, where work grows fast with them */
} shape;

/* The word with the file's name in place of its end, in `buffer`. */
static inline const char *word_of_file(const char *word, const char *path, char *buffer,
                                       size_t size)
{
    size_t length = strlen(word), end = strlen(NAMES);
    if (!path || length < end || strcmp(word + length - end, NAMES) != 0) return word;
    snprintf(buffer, size, "%.*s%s", (int)(length - end), word, path);
    return buffer;
}

/* Built-in data by its name, read when it is first asked for and kept for all inputs. */
static inline void keep_data(cairn_objects **kept, const char *name)
{
    cairn_table *table = NULL;
    if (*kept && cairn_objects_table(*kept, name)) return;
    cairn_context *ctx = fuzz_new_context(); /* none of an input's memory */
    if (!*kept && cairn_objects_new(ctx, kept)) abort();
    if (cairn_table_read(ctx, &table, name, NULL)) abort();
    if (cairn_objects_put_table(ctx, *kept, name, table)) abort();
    cairn_table_free(table);
    cairn_context_free(ctx);
}

static inline void run_shape(const shape *s, const char *text, const char *path)
{
    static cairn_objects *kept;
    char buffer[256];
    const char *words[MOST_WORDS];
    int n = 0;
    for (; !s->words[n] || *s->words[n]; n++) {
        words[n] = s->words[n] ? word_of_file(s->words[n], path, buffer, sizeof buffer) : text;
        if (s->words[n] && *s->words[n] == '@') keep_data(&kept, s->words[n]);
    }
    cairn_context *ctx = fuzz_begin();
    cairn_report *report = NULL;
    if (cairn_report_new(ctx, &report)) abort();
    fuzz_check(ctx, cairn_run_with(ctx, report, NULL, kept, n, words));
    cairn_report_free(report);
    fuzz_end();
}

static inline const shape *shape_of(const shape *shapes, size_t n, uint8_t byte)
{
    return &shapes[(size_t)(byte - (byte >= 'a' ? 'a' : 0)) % n];
}

/* What is longer than its command takes is cut. */
static inline size_t length_of(const shape *s, size_t size)
{
    return size - 1 < s->most ? size - 1 : s->most;
}

static inline void fuzz_text_of(const shape *shapes, size_t n, const uint8_t *data, size_t size)
{
    if (size == 0) return;
    const shape *s = shape_of(shapes, n, data[0]);
    char *text = fuzz_text(data + 1, length_of(s, size));
    run_shape(s, text, NULL);
    free(text);
}

static inline void fuzz_file_of(const shape *shapes, size_t n, const uint8_t *data, size_t size)
{
    if (size == 0) return;
    const shape *s = shape_of(shapes, n, data[0]);
    run_shape(s, NULL, fuzz_file(data + 1, length_of(s, size)));
}

#endif
