/* SPDX-License-Identifier: MIT */
/* One function saves and loads: an archive is either writing or reading, and every call either
 * appends the named value or fills it. Names, types and lengths are checked on reading; nothing in
 * a file is trusted. Arrays that are read are allocated (and freed by the owner with cairn_free).
 *
 *     TRY(cairn_archive_size(archive, "n_clusters", &m->n_clusters));
 *     TRY(cairn_archive_reals(archive, "centres", &m->centres, m->n_clusters * m->n_columns));
 *
 * On reading, an array whose stored length differs from `n` fails as damaged, so an owner reads
 * sizes first, checks that they make sense, and then the arrays. */
#ifndef CAIRN_BASE_ARCHIVE_H
#define CAIRN_BASE_ARCHIVE_H

#include "base/context.h"
#include "base/map.h"

typedef struct cairn_archive cairn_archive;

/* Whether values are read, and not written: an owner's one function does both and asks only to
 * check. */
bool cairn_archive_reading(const cairn_archive *archive);
cairn_context *cairn_archive_context(cairn_archive *archive);
/* Format version of the file that is read or written: what came later is not in an older file. */
int cairn_archive_version(const cairn_archive *archive);

/* Single values, written from or read into *value under a name that must be the same both times. */
CAIRN_CHECKED cairn_status cairn_archive_bool(cairn_archive *a, const char *name, bool *value);
CAIRN_CHECKED cairn_status cairn_archive_int(cairn_archive *a, const char *name, int32_t *value);
CAIRN_CHECKED cairn_status cairn_archive_int64(cairn_archive *a, const char *name, int64_t *value);
/* A count; reading refuses values above `most`. */
CAIRN_CHECKED cairn_status cairn_archive_size(cairn_archive *a, const char *name, size_t *value,
                                              size_t most);
CAIRN_CHECKED cairn_status cairn_archive_real(cairn_archive *a, const char *name, double *value);
/* Zero-ended text, NULL allowed. */
CAIRN_CHECKED cairn_status cairn_archive_text(cairn_archive *a, const char *name, char **value);
/* Arrays of n; reading allocates them for the owner (cairn_free) and refuses another length. */
CAIRN_CHECKED cairn_status cairn_archive_reals(cairn_archive *a, const char *name, double **values,
                                               size_t n);
CAIRN_CHECKED cairn_status cairn_archive_floats(cairn_archive *a, const char *name, float **values,
                                                size_t n);
CAIRN_CHECKED cairn_status cairn_archive_ints(cairn_archive *a, const char *name, int32_t **values,
                                              size_t n);
CAIRN_CHECKED cairn_status cairn_archive_bytes(cairn_archive *a, const char *name, uint8_t **values,
                                               size_t n);
/* All keys of a map in order. */
CAIRN_CHECKED cairn_status cairn_archive_map(cairn_archive *a, const char *name, cairn_map *map);

/* "the model file is damaged: <why>" (CAIRN_BAD_DATA), for checks of an owner while reading. */
CAIRN_PRINTF(2, 3)
CAIRN_CHECKED cairn_status cairn_archive_damaged(cairn_archive *a, const char *format, ...);
#ifdef __clang_analyzer__ /* which cannot see what comes back */
#define cairn_archive_damaged(...) ((void)!(cairn_archive_damaged)(__VA_ARGS__), CAIRN_BAD_DATA)
#endif

/* -- the container: magic, version, named sections with lengths and checksums -- */
/* An empty archive of the newest version, in memory. */
CAIRN_CHECKED cairn_status cairn_archive_writer(cairn_context *ctx, cairn_archive **out);
/* `bytes` must outlive the archive. Checks magic, version, lengths and all checksums first. */
CAIRN_CHECKED cairn_status cairn_archive_reader(cairn_context *ctx, cairn_archive **out,
                                                const char *name, const void *bytes, size_t length);
/* Everything until the next call belongs to this section; reading fails when it is not there or
 * when the section before was not read to its end. */
CAIRN_CHECKED cairn_status cairn_archive_section(cairn_archive *a, const char *name);
/* Into a model within a model and out again; reading fails when they are nested too deep. */
CAIRN_CHECKED cairn_status cairn_archive_deeper(cairn_archive *a);
void cairn_archive_back(cairn_archive *a);
/* Writing: the whole file. Reading: checks that everything was read. */
CAIRN_CHECKED cairn_status cairn_archive_finish(cairn_archive *a, char **bytes, size_t *length);
void cairn_archive_free(cairn_archive *a);
CAIRN_CAN_OWN(cairn_archive_free, cairn_archive)

#endif
