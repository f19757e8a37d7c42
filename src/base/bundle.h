/* SPDX-License-Identifier: MIT */
/* Files that are part of the library: built-in data and lessons. tools/pack.c packs them at build
 * time, each compressed on its own, so that only what is asked for is unpacked. */
#ifndef CAIRN_BASE_BUNDLE_H
#define CAIRN_BASE_BUNDLE_H

#include "base/context.h"

/* Unpack the file "datasets/iris.csv"; the caller frees *bytes, which end with an extra zero byte
 * that is not counted. An unknown name fails (CAIRN_USAGE). */
CAIRN_CHECKED cairn_status cairn_bundle_get(cairn_context *ctx, const char *name, char **bytes,
                                            size_t *length);
bool cairn_bundle_has(const char *name);

/* The i-th name in the order of bytes, NULL at the end. */
const char *cairn_bundle_name(size_t i);
/* The title that a file declares, or NULL; also where there is no such file. */
const char *cairn_bundle_title(size_t i);
const char *cairn_bundle_title_of(const char *name);
/* The name with a title of the file that has this name, too: the name itself, or that of which it
 * is an alias; NULL where there is no such file. */
const char *cairn_bundle_own_name(const char *name);

/* What tools/pack.c writes. */
typedef struct cairn_bundle_file {
    const char *name;
    const char *title;
    size_t offset, packed, length; /* place in the blob, size there, size unpacked */
} cairn_bundle_file;
extern const cairn_bundle_file cairn_bundle_files[];
extern const size_t cairn_bundle_n_files;
extern const char cairn_bundle_blob[];

#endif
