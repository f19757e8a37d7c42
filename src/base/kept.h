/* SPDX-License-Identifier: MIT */
/* What a struct keeps in a file, declared once as rows: saving, loading with its checks, and
 * clearing follow from them. The rows stand in the order of the items in the file.
 *
 *     static const cairn_kept means_keeps[] = {
 *         KEEP_SIZE(means_model, n_clusters, INT32_MAX, .least = 1, .why = "there are no
 * clusters"),
 *         KEEP_SIZE(means_model, n_columns, UINT32_MAX),
 *         KEEP_ARRAYS(means_model, "n_clusters*n_columns", centres, spreads),
 *         KEEP_CODES(means_model, codes, "n_rows", 0, "n_clusters", "row # is in no cluster"),
 *         KEEP(means_model, inertia, converged),
 *         KEEP_END,
 *     };
 *
 * The type of an item is that of its field, so that a row which disagrees with its struct does not
 * compile. An item is called like its field unless a row says otherwise (.name). Lengths are sums
 * of products of numbers and of fields that come before: sizes, counts, maps (how many names they
 * have); a name that the struct does not have is looked for in what is around it: the struct that a
 * part is in, or the model that a history is of. Nothing in a file is trusted: a size is bounded
 * before it allocates, and codes are looked at before anything is looked up by them. */
#ifndef CAIRN_BASE_KEPT_H
#define CAIRN_BASE_KEPT_H

#include "base/archive.h"
#include "base/memory.h"
#include <stddef.h>
#include <stdint.h>

typedef enum cairn_kept_type {
    CAIRN_KEEP_BOOL = 1,
    CAIRN_KEEP_INT,
    CAIRN_KEEP_INT64,
    CAIRN_KEEP_SIZE,
    CAIRN_KEEP_REAL,
    CAIRN_KEEP_TEXT,
    CAIRN_KEEP_MAP,
    CAIRN_KEEP_REALS,
    CAIRN_KEEP_FLOATS,
    CAIRN_KEEP_INTS,
    CAIRN_KEEP_BYTES,
    CAIRN_KEEP_MAPS,    /* an array of n maps */
    CAIRN_KEEP_OWNED,   /* a pointer that is freed and not in the file */
    CAIRN_KEEP_FLAG,    /* whether a field that is a pointer is there */
    CAIRN_KEEP_PART,    /* a struct inside, by rows or by functions of its own */
    CAIRN_KEEP_PARTS,   /* an array of n of them */
    CAIRN_KEEP_HERE,    /* further rows of this struct */
    CAIRN_KEEP_HISTORY, /* of a model: rows of its history, in files where both were one section */
    CAIRN_KEEP_COUNT,   /* not in the file: a size that a part of functions sets */
    CAIRN_KEEP_SAME,    /* two sums of fields are equal */
    CAIRN_KEEP_FITS,    /* or the first is at most the second */
    CAIRN_KEEP_CHECK,
    CAIRN_KEEP_BY
} cairn_kept_type;

/* A struct that has functions of its own. */
typedef struct cairn_kept_part {
    cairn_status (*archive)(cairn_archive *a, void *part);
    void (*clear)(void *part);
} cairn_kept_part;

typedef struct cairn_kept {
    cairn_kept_type type; /* 0 ends the rows */
    uint32_t at;          /* in the struct */
    const char *field;    /* "n_rows", of a struct inside "tree.n_rows" */
    const char *name;     /* of the item; NULL = the last word of the field */
    const char *n;        /* length of an array */
    int64_t least;        /* of a size, a number or the elements that are codes */
    int64_t most;         /* likewise */
    const char *within;   /* of a size, a sum of fields; codes are below it */
    const char *why;      /* what is damaged where a value is out of bounds: # is the place of the
                             element, counted from 1, $ the value, @ the same of codes that users
                             count from 1, ~ the bound; NULL = 'name' is so much */
    const char *when;     /* a field before that must not be 0, "!field" must be; NULL = always */
    const struct cairn_kept *rows;
    const cairn_kept_part *part;
    uint32_t size;  /* of an element of PARTS */
    uint16_t since; /* the first version of files that has it; 0 = all */
    int16_t absent; /* a number that an older file lacks */
    /* What rows cannot say. `around` is the model of a history, or the struct that a part is in, or
     * NULL. */
    union {
        cairn_status (*check)(cairn_archive *a, const void *kept, const void *around); /* CHECK: on
                             reading */
        cairn_status (*by)(cairn_archive *a, void *kept, const void *around); /* BY: both ways */
    };
    void (*clear)(void *kept); /* BY: what it allocates, or (by NULL) what the file does not have */
} cairn_kept;

/* Save or load. `history` is that of a model in a file that has both in one section; else NULL. */
CAIRN_CHECKED cairn_status cairn_kept_archive(cairn_archive *a, const cairn_kept *rows, void *kept,
                                              const cairn_kept *around_rows, const void *around,
                                              void *values);
/* Whether rows of a history stand among those of the model. */
bool cairn_kept_has_values(const cairn_kept *rows);
/* Free what the fields own and set them to 0. */
void cairn_kept_clear(const cairn_kept *rows, void *kept);
/* The same when the block is left. */
typedef struct cairn_kept_scope {
    const cairn_kept *rows;
    void *kept;
} cairn_kept_scope;
static inline void cairn_kept_leave(cairn_kept_scope *scope)
{
    cairn_kept_clear(scope->rows, scope->kept);
}
#define SCOPED_KEPT(rows, kept)                                                                    \
    SCOPED(cairn_kept_leave) __attribute__((unused)) cairn_kept_scope kept_scope = {(rows), (kept)}
/* Every struct inside of a kind that has functions of its own. */
void cairn_kept_each_part(const cairn_kept *rows, const void *kept, const cairn_kept_part *part,
                          void (*visit)(const void *part, void *data), void *data);
/* A sum of products of fields and numbers, as in a row. */
double cairn_kept_count(const cairn_kept *rows, const void *kept, const char *sum);

#define KEEP_TYPE(S, F)                                                                            \
    _Generic(((S *)0)->F, bool                                                                     \
             : CAIRN_KEEP_BOOL, int32_t                                                            \
             : CAIRN_KEEP_INT, int64_t                                                             \
             : CAIRN_KEEP_INT64, double                                                            \
             : CAIRN_KEEP_REAL, char *                                                             \
             : CAIRN_KEEP_TEXT, cairn_map                                                          \
             : CAIRN_KEEP_MAP)
#define KEEP_ARRAY_TYPE(S, F)                                                                      \
    _Generic(((S *)0)->F, double *                                                                 \
             : CAIRN_KEEP_REALS, float *                                                           \
             : CAIRN_KEEP_FLOATS, int32_t *                                                        \
             : CAIRN_KEEP_INTS, uint32_t *                                                         \
             : CAIRN_KEEP_INTS, uint8_t *                                                          \
             : CAIRN_KEEP_BYTES)
#define KEEP_AT(S, F) .field = #F, .at = offsetof(S, F)

#define KEEP_ONE(S, Y, F)                                                                          \
    {                                                                                              \
        .type = KEEP_TYPE(S, F), KEEP_AT(S, F)                                                     \
    }
#define KEEP_ONE_ARRAY(S, N, F)                                                                    \
    {                                                                                              \
        .type = KEEP_ARRAY_TYPE(S, F), KEEP_AT(S, F), .n = N                                       \
    }
/* Single values, texts and maps; arrays of one length. */
#define KEEP(S, ...)           CAIRN_EACH(KEEP_ONE, S, , __VA_ARGS__)
#define KEEP_ARRAYS(S, N, ...) CAIRN_EACH(KEEP_ONE_ARRAY, S, N, __VA_ARGS__)
/* One, and what else there is to say of it: .name, .when ... */
#define KEEP_AS(S, F, ...)                                                                         \
    {                                                                                              \
        .type = KEEP_TYPE(S, F), KEEP_AT(S, F), __VA_ARGS__                                        \
    }
#define KEEP_ARRAY(S, F, ...)                                                                      \
    {                                                                                              \
        .type = KEEP_ARRAY_TYPE(S, F), KEEP_AT(S, F), .n = __VA_ARGS__                             \
    }
#define KEEP_SIZE(S, F, ...)                                                                       \
    {                                                                                              \
        .type = _Generic(((S *)0)->F, size_t                                                       \
                         : CAIRN_KEEP_SIZE),                                                       \
        KEEP_AT(S, F), .most = __VA_ARGS__                                                         \
    }
/* The same, at most as much as other fields say. */
#define KEEP_SIZE_IN(S, F, ...)                                                                    \
    {                                                                                              \
        .type = _Generic(((S *)0)->F, size_t                                                       \
                         : CAIRN_KEEP_SIZE),                                                       \
        KEEP_AT(S, F), .within = __VA_ARGS__                                                       \
    }
/* A number between two others. */
#define KEEP_CHOICE(S, F, LEAST, MOST, ...)                                                        \
    {                                                                                              \
        .type = _Generic(((S *)0)->F, int32_t                                                      \
                         : CAIRN_KEEP_INT),                                                        \
        KEEP_AT(S, F), .least = LEAST, .most = MOST, .why = __VA_ARGS__                            \
    }
/* An array of n whole numbers from LEAST to below WITHIN. */
#define KEEP_CODES(S, F, N, LEAST, WITHIN, ...)                                                    \
    {                                                                                              \
        .type = KEEP_ARRAY_TYPE(S, F), KEEP_AT(S, F), .n = N, .least = LEAST, .within = WITHIN,    \
        .why = __VA_ARGS__                                                                         \
    }
#define KEEP_MAPS(S, F, ...)                                                                       \
    {                                                                                              \
        .type = _Generic(((S *)0)->F, cairn_map *                                                  \
                         : CAIRN_KEEP_MAPS),                                                       \
        KEEP_AT(S, F), .size = sizeof(cairn_map), .n = __VA_ARGS__                                 \
    }
#define KEEP_OWNED(S, F)                                                                           \
    {                                                                                              \
        .type = CAIRN_KEEP_OWNED, KEEP_AT(S, F)                                                    \
    }
#define KEEP_FLAG(S, F, NAME)                                                                      \
    {                                                                                              \
        .type = CAIRN_KEEP_FLAG, KEEP_AT(S, F), .name = NAME                                       \
    }
#define KEEP_PART(S, F, ...)                                                                       \
    {                                                                                              \
        .type = CAIRN_KEEP_PART, KEEP_AT(S, F), __VA_ARGS__                                        \
    }
#define KEEP_PARTS(S, F, N, ...)                                                                   \
    {                                                                                              \
        .type = CAIRN_KEEP_PARTS, KEEP_AT(S, F), .n = N, .size = sizeof *((S *)0)->F, __VA_ARGS__  \
    }
#define KEEP_HERE(ROWS)                                                                            \
    {                                                                                              \
        .type = CAIRN_KEEP_HERE, .rows = ROWS                                                      \
    }
#define KEEP_HISTORY(ROWS)                                                                         \
    {                                                                                              \
        .type = CAIRN_KEEP_HISTORY, .rows = ROWS                                                   \
    }
#define KEEP_COUNT(S, F)                                                                           \
    {                                                                                              \
        .type = _Generic(((S *)0)->F, size_t : CAIRN_KEEP_COUNT), KEEP_AT(S, F)                    \
    }
/* How counts fit together: a sum of fields is as large as another, or at most. In WHY $ is the
 * first and ~ the second. */
#define KEEP_SAME(N, WITHIN, ...)                                                                  \
    {                                                                                              \
        .type = CAIRN_KEEP_SAME, .n = N, .within = WITHIN, .why = __VA_ARGS__                      \
    }
#define KEEP_FITS(N, WITHIN, ...)                                                                  \
    {                                                                                              \
        .type = CAIRN_KEEP_FITS, .n = N, .within = WITHIN, .why = __VA_ARGS__                      \
    }
#define KEEP_CHECK(FUNCTION)                                                                       \
    {                                                                                              \
        .type = CAIRN_KEEP_CHECK, .check = FUNCTION                                                \
    }
#define KEEP_BY(...)                                                                               \
    {                                                                                              \
        .type = CAIRN_KEEP_BY, .by = __VA_ARGS__                                                   \
    }
#define KEEP_CLEARED(FUNCTION)                                                                     \
    {                                                                                              \
        .type = CAIRN_KEEP_BY, .clear = FUNCTION                                                   \
    }
#define KEEP_END                                                                                   \
    {                                                                                              \
        .type = 0                                                                                  \
    }

/* The functions of a type as those of a part. */
#define CAIRN_KEPT_PART(PART, TYPE, ARCHIVE, CLEAR)                                                \
    static cairn_status PART##_archive(cairn_archive *a, void *part)                               \
    {                                                                                              \
        return ARCHIVE(a, (TYPE *)part);                                                           \
    }                                                                                              \
    static void PART##_clear(void *part)                                                           \
    {                                                                                              \
        CLEAR((TYPE *)part);                                                                       \
    }                                                                                              \
    const cairn_kept_part PART = {PART##_archive, PART##_clear}

#endif
