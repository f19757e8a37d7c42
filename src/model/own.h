/* SPDX-License-Identifier: MIT */
/* What learners and transforms of a program's own share (cairn/plugin.h): a state that only its
 * record understands, kept in model files as bytes. */
#ifndef CAIRN_MODEL_OWN_H
#define CAIRN_MODEL_OWN_H

#include "data/own_format.h"
#include "entry/own.h"
#include "model/learner.h"

/* The bytes of a state in a file, length and all; read into *bytes, which the caller frees. `save`
 * NULL writes none. */
CAIRN_CHECKED cairn_status cairn_own_archive(
    cairn_archive *archive, const cairn_entry *entry,
    cairn_status (*save)(cairn_context *ctx, const void *state, cairn_sink *out, void *data),
    const void *state, void *data, uint8_t **bytes, size_t *n);

/* How `load` ended: what a record refuses of the bytes of a file is damage of the file. */
CAIRN_CHECKED cairn_status cairn_own_loaded(cairn_archive *archive, const cairn_entry *entry,
                                            cairn_status status);

#endif
