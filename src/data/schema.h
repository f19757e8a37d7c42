/* SPDX-License-Identifier: MIT */
/* A schema: names, kinds, roles and levels of the columns that a model was trained on. It is what
 * a raw table is matched against before the model is applied. */
#ifndef CAIRN_DATA_SCHEMA_H
#define CAIRN_DATA_SCHEMA_H

#include "base/archive.h"
#include "data/table.h"

typedef struct cairn_field {
    char *name;
    int32_t kind; /* cairn_kind */
    int32_t role; /* cairn_role */
    bool ordered;
    bool declared;
    cairn_map names; /* level or item names */
    char *pattern;   /* TIME: how the training file wrote it; NULL = as usual */
} cairn_field;

typedef struct cairn_schema { /* named in cairn/table.h */
    cairn_field *fields;
    size_t n_fields;
} cairn_schema;

/* All columns with roles, kinds and names of levels, copied; free it with cairn_schema_clear. */
CAIRN_CHECKED cairn_status cairn_schema_from_table(cairn_context *ctx, cairn_schema *out,
                                                   const cairn_table *table);
void cairn_schema_clear(cairn_schema *schema);
CAIRN_CHECKED cairn_status cairn_schema_archive(cairn_archive *archive, cairn_schema *schema);
/* Index of the first field of the role, or -1. */
ptrdiff_t cairn_schema_role(const cairn_schema *schema, cairn_role role);
/* The feature of this number, counted from 0; NULL = there are fewer. */
const cairn_field *cairn_schema_feature(const cairn_schema *schema, size_t column);
/* The next feature at or after field *at, which moves behind it; NULL at the end. For loops over
 * all columns, which would be quadratic by number. */
const cairn_field *cairn_schema_next_feature(const cairn_schema *schema, size_t *at);
/* Its name; "?" at the end. */
const char *cairn_schema_next_name(const cairn_schema *schema, size_t *at);
/* The first target; NULL = there is none. */
const cairn_field *cairn_schema_target(const cairn_schema *schema);
/* The name of a class of the first target, "?" of one that it has not. */
const char *cairn_schema_class(const cairn_schema *schema, int32_t label);

/* What the cells of a column must be read as for a model, so that nothing of their spelling is
 * lost: the level 01 is not the number 1. */
typedef struct cairn_expected {
    int kind;            /* LEVEL, TEXT, TIME; -1 = as found */
    const char *pattern; /* TIME: borrowed */
} cairn_expected;

/* One for each of the columns, from scratch; `schema` may be NULL. */
CAIRN_CHECKED cairn_status cairn_schema_expect(cairn_context *ctx, cairn_expected **out,
                                               const cairn_schema *schema,
                                               const cairn_map *columns);

/* What matching found. */
typedef struct cairn_match {
    size_t n_unseen;       /* cells whose level or item was not seen in training: now missing */
    ptrdiff_t first_field; /* the field of the first such cell, -1 = none */
    size_t first_row;
    char first_value[64]; /* what it holds, cut where it is long */
} cairn_match;

/* A table with the schema's fields in its order and coding, made from a raw table whose columns are
 * found by name and converted in kind where every cell allows it. Missing features fail with a
 * message that names them; other roles may be missing and are then left out (`with_target` false
 * leaves the target out in any case). Columns that already fit are shared. */
CAIRN_CHECKED cairn_status cairn_schema_match(cairn_context *ctx, cairn_table **out,
                                              const cairn_schema *schema, const cairn_table *table,
                                              bool with_target, cairn_match *match);

/* A column of another table in the kind and coding of the field (a new holder). `table` is named in
 * messages. */
CAIRN_CHECKED cairn_status cairn_field_match(cairn_context *ctx, cairn_column **out,
                                             const cairn_field *field, cairn_column *column,
                                             const cairn_table *table);

#endif
