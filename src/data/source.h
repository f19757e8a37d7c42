/* SPDX-License-Identifier: MIT */
/* Sources beyond files: entries of kind CAIRN_ENTRY_SOURCE. "sqlite:file.db?query=SELECT ..." and
 * "postgres://user@host/db?table=name" stand where a path stands; what follows query= or table= is
 * taken to its end, as it is. */
#ifndef CAIRN_DATA_SOURCE_H
#define CAIRN_DATA_SOURCE_H

#include "base/module.h"
#include "base/text.h"
#include "data/source_module.h"
#include "data/table.h"
#include "entry/entry.h"

typedef struct cairn_data_source {
    cairn_entry entry;
    const char *form;         /* how it is written: "sqlite:FILE?query=SQL" */
    const char *other_scheme; /* another word before the colon; may be NULL */
    bool needs_no_file;       /* a query alone is enough */
    bool keeps_scheme;        /* what begins with scheme:// is handed over whole */
    cairn_module module;
    const char *remedy; /* when it is not there */
} cairn_data_source;

/* The source that a path names by what stands before its colon, or NULL. */
const cairn_data_source *cairn_source_find(const char *path);

/* The path with *** in place of passwords, for everything that is shown or kept. From scratch, or
 * the path itself. */
CAIRN_CHECKED cairn_status cairn_source_shown(cairn_context *ctx, const char **out,
                                              const char *path);

/* Rows are taken as they come and held once. `options` are full. */
CAIRN_CHECKED cairn_status cairn_source_read(cairn_context *ctx, cairn_table **out,
                                             const char *path, const cairn_read_options *options);
/* A table of that name that is there already: */
typedef enum cairn_existing {
    CAIRN_EXISTING_STAYS, /* the new one is refused */
    CAIRN_EXISTING_ASKS,  /* the same; the message names {force} */
    CAIRN_EXISTING_GOES   /* the new one takes its place, when it is complete */
} cairn_existing;

/* All rows or none, in one transaction. */
CAIRN_CHECKED cairn_status cairn_source_write(cairn_context *ctx, const cairn_table *table,
                                              const char *path, cairn_existing existing);

/* -- inside -- */

typedef struct cairn_locator {
    const cairn_data_source *source;
    const cairn_source_module *module;
    const char *shown; /* without passwords */
    char *place;
    char *query, *table; /* NULL = not given */
} cairn_locator;

/* Take a path apart and load the module; texts come from scratch. */
CAIRN_CHECKED cairn_status cairn_locator_open(cairn_context *ctx, cairn_locator *out,
                                              const char *path);
/* A table's name in quotes; where there are schemas, a dot separates one from it. */
void cairn_source_add_name(cairn_text *text, const cairn_locator *locator, const char *name);
/* What the limit of the context leaves for a module's own memory; 0 = there is none. */
size_t cairn_source_memory(const cairn_context *ctx);
/* The status and message of how a module ended; `said` are its words. */
CAIRN_CHECKED cairn_status cairn_source_failed(cairn_context *ctx, const cairn_locator *locator,
                                               cairn_source_end end, const char *said);

extern const cairn_data_source cairn_duckdb_source;
extern const cairn_data_source cairn_postgres_source;
extern const cairn_data_source cairn_sqlite_source;

#endif
