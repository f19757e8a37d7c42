/* SPDX-License-Identifier: MIT */
/* Modules: shared objects around libraries that the core does not link (cairo, SQLite, DuckDB ...).
 * Each exports one constant record, is looked for beside the library or in the folder cairn/ beside
 * it and nowhere else, and is loaded at first use. A module needs no symbol of the library. */
#ifndef CAIRN_BASE_MODULE_H
#define CAIRN_BASE_MODULE_H

#include "base/context.h"

typedef struct cairn_module {
    const char *file;    /* "cairn-cairo.so" */
    const char *symbol;  /* of its record, which begins with a uint32_t: the abi */
    uint32_t abi;        /* that the library was built with */
    const char *purpose; /* what it is for, in the plural: "png and pdf" */
    const char *package; /* the Debian package that it runs with */
    const char *build;   /* and the one that it is built with */
    const char *instead; /* what does without: "svg needs neither"; may be NULL */
} cairn_module;

/* The record of a module; the message of a failure names what is missing. It stays loaded. */
CAIRN_CHECKED cairn_status cairn_module_load(cairn_context *ctx, const void **out,
                                             const cairn_module *module);

#endif
