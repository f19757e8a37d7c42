/* SPDX-License-Identifier: MIT */
/* Tables in and out through the Arrow C data interface: the structs of its specification, which any
 * library that speaks Arrow can fill and read, and no library to link. */
#ifndef CAIRN_ARROW_H
#define CAIRN_ARROW_H

#include "cairn/table.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE           2
#define ARROW_FLAG_MAP_KEYS_SORTED    4

/* What the values of an array are. */
struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

/* The values. */
struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

/* Arrays of one schema, one after the other. */
struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif

/* A table of a struct array, one column per child (or of any other array, as one column). Both
 * structs are moved in: they are released by the library, also when it fails, and their `release`
 * is NULL afterwards. Whole numbers, reals, decimals (each as the nearest double) and truth values
 * become number columns, dates and timestamps times, text levels (few distinct values) or text,
 * dictionaries of text levels with declared values; nulls are missing. Reals of 64 bits without
 * nulls, and codes of 32 bits, are not copied: the array lives on until the last column that uses
 * it is gone. Other types fail with a message that names the column and its format. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_from_arrow(cairn_context *ctx, cairn_table **out,
                                                            struct ArrowSchema *schema,
                                                            struct ArrowArray *array);

/* All arrays of a stream as one table. The stream is moved in, as above. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_from_arrow_stream(cairn_context *ctx,
                                                                   cairn_table **out,
                                                                   struct ArrowArrayStream *stream);

/* The table as a struct array. The two structs (whose contents need not be set) become the
 * caller's, who calls their `release`; they may outlive the table and the context. Numbers, codes
 * and text are shared with the table, not copied. Bags and sequences fail. */
CAIRN_API CAIRN_CHECKED cairn_status cairn_table_to_arrow(cairn_context *ctx,
                                                          const cairn_table *table,
                                                          struct ArrowSchema *schema,
                                                          struct ArrowArray *array);

#ifdef __cplusplus
}
#endif
#endif
