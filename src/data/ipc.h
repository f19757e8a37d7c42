/* SPDX-License-Identifier: MIT */
/* Arrow's messages in files and streams: the inside of the format `arrow`.
 *
 *     message   FF FF FF FF, the length of its head, the head (a FlatBuffer), its body
 *     stream    the schema, then dictionaries and batches of rows in any number
 *     file      ARROW1, a stream, and a foot that says where its messages lie
 *
 * Numbers of fields are those of Message.fbs, Schema.fbs and File.fbs of the Arrow format. */
#ifndef CAIRN_DATA_IPC_H
#define CAIRN_DATA_IPC_H

#include "base/file.h"
#include "data/arrow_nodes.h"
#include "data/flat.h"
#include "data/lent.h"

enum { CAIRN_IPC_SCHEMA = 1, CAIRN_IPC_DICTIONARY, CAIRN_IPC_BATCH };
enum { CAIRN_IPC_ALIGNMENT = 64 };
#define CAIRN_IPC_MAGIC "ARROW1"

/* The dictionary of a column: its number in the file, and the values that came last. */
typedef struct cairn_ipc_dictionary {
    int64_t id;
    const struct ArrowSchema *codes;
    const struct ArrowArray *values; /* NULL until they came */
    cairn_lent *holder;              /* of the values */
} cairn_ipc_dictionary;

typedef struct cairn_ipc_dictionaries {
    cairn_ipc_dictionary *all;
    size_t n, capacity;
} cairn_ipc_dictionaries;

/* A schema of the interface from a table Schema of a message. `file` is for messages; what cannot
 * be read is named with its column and a remedy. */
CAIRN_CHECKED cairn_status cairn_ipc_read_schema(cairn_context *ctx, struct ArrowSchema *out,
                                                 cairn_ipc_dictionaries *dictionaries,
                                                 cairn_flat *flat, size_t schema, const char *file);

/* A table of what `bytes`, a file or a stream, hold and `options` use; `memory` holds the bytes,
 * and columns whose cells can be used where they lie hold it, too. */
CAIRN_CHECKED cairn_status cairn_ipc_read(cairn_context *ctx, cairn_table **out,
                                          const uint8_t *bytes, size_t length, cairn_lent *memory,
                                          const char *file, const cairn_read_options *options);

/* The table as a file, or as a stream when `stream`, in batches of CAIRN_IPC_ROWS rows. */
enum { CAIRN_IPC_ROWS = 1 << 22 };
CAIRN_CHECKED cairn_status cairn_ipc_write(cairn_context *ctx, const cairn_table *table,
                                           cairn_output_file *file, bool stream);

/* The place of a table Schema. Dictionaries are numbered in the order of the schemas. */
uint32_t cairn_ipc_put_schema(cairn_flat_maker *maker, const struct ArrowSchema *schema);

#endif
