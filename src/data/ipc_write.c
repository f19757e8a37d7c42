/* SPDX-License-Identifier: MIT */
/* Tables as Arrow files and streams.
 *
 * The table becomes an array of the C data interface, of which each batch takes its rows: cells of
 * fixed width as they lie, offsets counted anew from 0. Batches are large, so that a file of some
 * million rows is used where it lies when it is read. */
#include "base/memory.h"
#include "base/text.h"
#include "data/ipc.h"
#include <string.h>

/* The numbers of Message.fbs. */
enum { VERSION_5 = 4 };
/* Where a message lies, as a file's foot has it. */
typedef struct block {
    int64_t offset;
    int32_t head, unused;
    int64_t body;
} block;

typedef struct piece {
    const void *bytes;
    size_t length;
    void *own; /* the bytes, when they were made for the batch */
} piece;

typedef struct writer {
    cairn_context *ctx;
    cairn_output_file *file;
    size_t position;
    /* of the message under way */
    int64_t (*nodes)[2];
    size_t n_nodes, nodes_capacity;
    piece *pieces;
    size_t n_pieces, pieces_capacity;
    /* of all: dictionaries, then batches */
    block *blocks;
    size_t n_blocks, blocks_capacity, n_dictionaries;
} writer;

/* -- what a batch holds -- */

static cairn_status add_node(writer *w, size_t length, size_t nulls)
{
    CHECK(GROW(w->ctx, &w->nodes, &w->nodes_capacity, w->n_nodes + 1));
    w->nodes[w->n_nodes][0] = (int64_t)length;
    w->nodes[w->n_nodes++][1] = (int64_t)nulls;
    return CAIRN_OK;
}

static cairn_status add_piece(writer *w, const void *bytes, size_t length)
{
    CHECK(GROW(w->ctx, &w->pieces, &w->pieces_capacity, w->n_pieces + 1));
    w->pieces[w->n_pieces++] = (piece){bytes, length, NULL};
    return CAIRN_OK;
}

/* A piece of memory of its own, zeroed. */
static cairn_status add_own(writer *w, size_t length, void *out)
{
    char *own;
    CHECK(add_piece(w, NULL, length));
    CHECK(NEW(w->ctx, &own, length));
    w->pieces[w->n_pieces - 1].bytes = w->pieces[w->n_pieces - 1].own = own;
    memcpy(out, &own, sizeof own);
    return CAIRN_OK;
}

/* Validity of rows first .. first + n - 1, moved to the first bit; none when all are valid. */
static cairn_status add_validity(writer *w, const struct ArrowArray *array, size_t first, size_t n)
{
    const uint8_t *bits = array->null_count ? array->buffers[0] : NULL;
    uint8_t *own;
    size_t nulls = 0;
    for (size_t i = first; bits && i < first + n; i++) nulls += !(bits[i / 8] >> i % 8 & 1);
    CHECK(add_node(w, n, nulls));
    if (!nulls) return add_piece(w, NULL, 0);
    CHECK(add_own(w, (n + 7) / 8, &own));
    for (size_t i = 0; i < n; i++)
        if (bits[(first + i) / 8] >> (first + i) % 8 & 1) own[i / 8] |= (uint8_t)(1u << i % 8);
    return CAIRN_OK;
}

static int64_t offset_at(const struct ArrowArray *array, bool large, size_t i)
{
    return large ? ((const int64_t *)array->buffers[1])[i]
                 : ((const int32_t *)array->buffers[1])[i];
}

/* The offsets of these rows from 0, as wide as the format says; where their cells lie in *from and
 * *to. */
static cairn_status add_offsets(writer *w, const char *format, const struct ArrowArray *array,
                                bool large, size_t first, size_t n, size_t *from, size_t *to)
{
    bool wide = cairn_same(format, "U") || cairn_same(format, "+L");
    char *own;
    int64_t start = offset_at(array, large, first);
    CHECK(add_own(w, (n + 1) * (wide ? 8 : 4), &own));
    for (size_t i = 0; i <= n; i++) {
        int64_t offset = offset_at(array, large, first + i) - start;
        int32_t small = (int32_t)offset;
        memcpy(own + i * (wide ? 8 : 4), wide ? (void *)&offset : (void *)&small, wide ? 8 : 4);
    }
    *from = (size_t)start;
    *to = (size_t)offset_at(array, large, first + n);
    return CAIRN_OK;
}

/* Some readers look at the codes of nulls, too. */
static cairn_status add_codes(writer *w, const int32_t *codes, size_t n)
{
    int32_t *own;
    CHECK(add_own(w, n * sizeof *own, &own));
    for (size_t i = 0; i < n; i++) own[i] = codes[i] < 0 ? 0 : codes[i];
    return CAIRN_OK;
}

/* Rows first .. first + n - 1 of an array that arrow_export.c made, and what they hold. There
 * offsets have 64 bits (`large`), but for those of maps and of the texts of dictionaries. */
static cairn_status add_array(writer *w, const struct ArrowSchema *schema,
                              const struct ArrowArray *array, bool large, size_t first, size_t n)
{
    const char *format = schema->format;
    size_t from = first, to = first + n;
    CHECK(add_validity(w, array, first, n));
    bool text = cairn_same(format, "u") || cairn_same(format, "U"), map = cairn_same(format, "+m");
    if (text || map || cairn_same(format, "+l") || cairn_same(format, "+L")) {
        CHECK(add_offsets(w, format, array, large && !map, first, n, &from, &to));
        if (text) return add_piece(w, (const char *)array->buffers[2] + from, to - from);
    } else if (cairn_same(format, "i") && w->nodes[w->n_nodes - 1][1]) {
        CHECK(add_codes(w, (const int32_t *)array->buffers[1] + first, n));
    } else if (format[0] != '+') {
        size_t width = cairn_same(format, "i") || cairn_same(format, "tdD") ? 4 : 8;
        const char *cells = array->buffers[1];
        CHECK(add_piece(w, n ? cells + first * width : NULL, n * width));
    }
    for (int64_t i = 0; i < schema->n_children; i++)
        CHECK(add_array(w, schema->children[i], array->children[i], true, from, to - from));
    return CAIRN_OK;
}

/* -- messages -- */

static size_t padded(size_t length)
{
    return (length + CAIRN_IPC_ALIGNMENT - 1) / CAIRN_IPC_ALIGNMENT * CAIRN_IPC_ALIGNMENT;
}

static cairn_status put(writer *w, const void *bytes, size_t length)
{
    w->position += length;
    return length ? cairn_output_write(w->ctx, w->file, bytes, length) : CAIRN_OK;
}

static cairn_status pad(writer *w)
{
    static const char zeros[CAIRN_IPC_ALIGNMENT];
    return put(w, zeros, padded(w->position) - w->position);
}

/* The head of a message around the header, and its body; bodies begin aligned, so that cells can be
 * used where they lie. */
static cairn_status put_message(writer *w, cairn_flat_maker *maker, int kind, uint32_t header)
{
    const uint8_t *head;
    size_t length, body = 0;
    for (size_t i = 0; i < w->n_pieces; i++) body += padded(w->pieces[i].length);
    cairn_flat_begin(maker);
    cairn_flat_put_int(maker, 0, VERSION_5, 2);
    cairn_flat_put_int(maker, 1, kind, 1);
    cairn_flat_put_place(maker, 2, header);
    cairn_flat_put_int(maker, 3, (int64_t)body, 8);
    CHECK(cairn_flat_finish(maker, cairn_flat_end(maker), &head, &length));
    size_t whole = padded(w->position + 8 + length) - w->position;
    int32_t prefix[2] = {-1, (int32_t)(whole - 8)};
    block b = {(int64_t)w->position, (int32_t)whole, 0, (int64_t)body};
    CHECK(put(w, prefix, sizeof prefix));
    CHECK(put(w, head, length));
    CHECK(pad(w));
    for (size_t i = 0; i < w->n_pieces; i++) {
        CHECK(put(w, w->pieces[i].bytes, w->pieces[i].length));
        CHECK(pad(w));
        CHECK(cairn_tick(w->ctx, NULL, 0, 0));
    }
    if (kind == CAIRN_IPC_SCHEMA) return CAIRN_OK;
    CHECK(GROW(w->ctx, &w->blocks, &w->blocks_capacity, w->n_blocks + 1));
    w->blocks[w->n_blocks++] = b;
    w->n_dictionaries += kind == CAIRN_IPC_DICTIONARY;
    return CAIRN_OK;
}

static void drop_pieces(writer *w)
{
    for (size_t i = 0; i < w->n_pieces; i++) cairn_free(w->pieces[i].own);
    w->n_pieces = w->n_nodes = 0;
}

/* A table RecordBatch of what was collected. */
static uint32_t put_batch(writer *w, cairn_flat_maker *maker, size_t n)
{
    SCOPED_SCRATCH(w->ctx);
    int64_t(*buffers)[2];
    size_t at = 0;
    if (!maker->status) maker->status = SCRATCH(w->ctx, &buffers, w->n_pieces + 1);
    if (maker->status) return 0;
    for (size_t i = 0; i < w->n_pieces; i++) {
        buffers[i][0] = (int64_t)at;
        buffers[i][1] = (int64_t)w->pieces[i].length;
        at += padded(w->pieces[i].length);
    }
    uint32_t places = cairn_flat_put_structs(maker, buffers, sizeof *buffers, w->n_pieces);
    uint32_t nodes = cairn_flat_put_structs(maker, w->nodes, sizeof *w->nodes, w->n_nodes);
    cairn_flat_begin(maker);
    cairn_flat_put_int(maker, 0, (int64_t)n, 8);
    cairn_flat_put_place(maker, 1, nodes);
    cairn_flat_put_place(maker, 2, places);
    return cairn_flat_end(maker);
}

static cairn_status write_schema(writer *w, const struct ArrowSchema *schema)
{
    cairn_flat_maker maker = {.ctx = w->ctx};
    cairn_status status =
        put_message(w, &maker, CAIRN_IPC_SCHEMA, cairn_ipc_put_schema(&maker, schema));
    cairn_flat_clear(&maker);
    return status;
}

/* Dictionaries in the order in which cairn_ipc_put_schema numbers them. */
static cairn_status write_dictionaries(writer *w, const struct ArrowSchema *schema,
                                       const struct ArrowArray *array, int64_t *id)
{
    cairn_status status = CAIRN_OK;
    cairn_flat_maker maker = {.ctx = w->ctx};
    if (schema->dictionary) {
        size_t n = (size_t)array->dictionary->length;
        drop_pieces(w);
        TRY(add_array(w, schema->dictionary, array->dictionary, false, 0, n));
        uint32_t data = put_batch(w, &maker, n);
        cairn_flat_begin(&maker);
        cairn_flat_put_int(&maker, 0, (*id)++, 8);
        cairn_flat_put_place(&maker, 1, data);
        TRY(put_message(w, &maker, CAIRN_IPC_DICTIONARY, cairn_flat_end(&maker)));
    }
    for (int64_t i = 0; i < schema->n_children; i++)
        TRY(write_dictionaries(w, schema->children[i], array->children[i], id));
done:
    cairn_flat_clear(&maker);
    return status;
}

static cairn_status write_batch(writer *w, const struct ArrowSchema *schema,
                                const struct ArrowArray *array, size_t first, size_t n)
{
    cairn_status status = CAIRN_OK;
    cairn_flat_maker maker = {.ctx = w->ctx};
    drop_pieces(w);
    for (int64_t j = 0; j < schema->n_children; j++)
        TRY(add_array(w, schema->children[j], array->children[j], true, first, n));
    TRY(put_message(w, &maker, CAIRN_IPC_BATCH, put_batch(w, &maker, n)));
done:
    cairn_flat_clear(&maker);
    return status;
}

static cairn_status write_foot(writer *w, const struct ArrowSchema *schema)
{
    cairn_status status;
    cairn_flat_maker maker = {.ctx = w->ctx};
    const uint8_t *foot;
    size_t length, n = w->n_dictionaries;
    uint32_t fields = cairn_ipc_put_schema(&maker, schema);
    uint32_t batches =
        cairn_flat_put_structs(&maker, w->blocks + n, sizeof *w->blocks, w->n_blocks - n);
    uint32_t dictionaries = cairn_flat_put_structs(&maker, w->blocks, sizeof *w->blocks, n);
    cairn_flat_begin(&maker);
    cairn_flat_put_int(&maker, 0, VERSION_5, 2);
    cairn_flat_put_place(&maker, 1, fields);
    cairn_flat_put_place(&maker, 2, dictionaries);
    cairn_flat_put_place(&maker, 3, batches);
    TRY(cairn_flat_finish(&maker, cairn_flat_end(&maker), &foot, &length));
    int32_t size = (int32_t)length;
    TRY(put(w, foot, length));
    TRY(put(w, &size, sizeof size));
    TRY(put(w, CAIRN_IPC_MAGIC, sizeof CAIRN_IPC_MAGIC - 1));
done:
    cairn_flat_clear(&maker);
    return status;
}

/* Offsets of 32 bits where they are enough for all rows: every tool reads these. */
static cairn_status use_small_offsets(cairn_context *ctx, struct ArrowSchema *schema,
                                      const struct ArrowArray *array, size_t n_rows)
{
    for (int64_t j = 0; j < schema->n_children; j++) {
        struct ArrowSchema *child = schema->children[j];
        bool text = cairn_same(child->format, "U"), list = cairn_same(child->format, "+L");
        if ((text || list) && offset_at(array->children[j], true, n_rows) <= INT32_MAX)
            CHECK(cairn_arrow_reformat(ctx, child, text ? "u" : "+l"));
    }
    return CAIRN_OK;
}

static cairn_status write_all(writer *w, const struct ArrowSchema *schema,
                              const struct ArrowArray *array, size_t n_rows, bool stream)
{
    int64_t id = 0;
    int32_t end[2] = {-1, 0};
    if (!stream) CHECK(put(w, CAIRN_IPC_MAGIC "\0", sizeof CAIRN_IPC_MAGIC + 1));
    CHECK(write_schema(w, schema));
    CHECK(write_dictionaries(w, schema, array, &id));
    for (size_t first = 0; first < n_rows; first += CAIRN_IPC_ROWS) {
        size_t n = n_rows - first < CAIRN_IPC_ROWS ? n_rows - first : CAIRN_IPC_ROWS;
        CHECK(write_batch(w, schema, array, first, n));
        CHECK(cairn_tick(w->ctx, "writing", (double)first, (double)n_rows));
    }
    CHECK(put(w, end, sizeof end));
    return stream ? CAIRN_OK : write_foot(w, schema);
}

cairn_status cairn_ipc_write(cairn_context *ctx, const cairn_table *table, cairn_output_file *file,
                             bool stream)
{
    cairn_status status;
    struct ArrowSchema schema = {0};
    struct ArrowArray array = {0};
    writer w = {.ctx = ctx, .file = file};
    if (table->n_columns == 0)
        return cairn_fail(ctx, CAIRN_USAGE, "the table has no column to write as arrow");
    TRY(cairn_table_to_arrow(ctx, table, &schema, &array));
    TRY(use_small_offsets(ctx, &schema, &array, table->n_rows));
    TRY(write_all(&w, &schema, &array, table->n_rows, stream));
done:
    drop_pieces(&w);
    FREE_EACH(w.pieces, w.nodes, w.blocks);
    cairn_arrow_schema_drop(&schema);
    cairn_arrow_array_drop(&array);
    return status;
}
