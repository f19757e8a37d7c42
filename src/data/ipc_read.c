/* SPDX-License-Identifier: MIT */
/* Arrow files and streams in memory as tables.
 *
 * The batches become arrays of the C data interface, whose import makes columns of them. Buffers
 * are used where they lie, or unpacked when they are compressed. The import trusts its producer for
 * the sizes of buffers, so each is compared here with what its array needs, texts by all of their
 * offsets. */
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "base/unpack.h"
#include "data/arrow.h"
#include "data/arrow_decimal.h"
#include "data/arrow_notes.h"
#include "data/ipc.h"
#include "data/mapped.h"
#include "data/wanted.h"
#include <string.h>

typedef struct ipc {
    cairn_context *ctx;
    const char *file;
    const uint8_t *bytes;
    size_t length;
    cairn_lent *memory;
    struct ArrowSchema schema;
    struct ArrowSchema used; /* the same with the columns that are used: a view */
    struct ArrowSchema **used_columns;
    bool *is_used; /* of each column; NULL = all are */
    cairn_ipc_dictionaries dictionaries;
    cairn_table **tables; /* one for each batch */
    size_t n_tables;
} ipc;

static cairn_status damaged(const ipc *f, const char *what)
{
    return cairn_fail(f->ctx, CAIRN_BAD_DATA, "%s: the Arrow data are damaged: %s", f->file, what);
}

/* -- messages -- */

typedef struct message {
    cairn_flat flat;
    size_t header; /* the table that its kind says */
    int kind;
    const uint8_t *body;
    size_t body_length;
    size_t end; /* where the next one begins */
} message;

/* The message at a place; its kind is 0 at the end of a stream. Before format 5 the mark in front
 * of the length was missing. */
static cairn_status read_message(const ipc *f, size_t at, message *out)
{
    cairn_flat all = {f->bytes, f->length, false};
    *out = (message){0};
    if (f->length - at < 4) return CAIRN_OK;
    int64_t size = cairn_flat_at(&all, at, 4);
    if (size == -1) size = cairn_flat_at(&all, at += 4, 4);
    at += 4;
    if (size == 0 && !all.bad) return CAIRN_OK;
    if (all.bad || size < 0 || (uint64_t)size > f->length - at)
        return damaged(f, "it is cut, or the length of a message lies");
    out->flat = (cairn_flat){f->bytes + at, (size_t)size, false};
    size_t root = cairn_flat_root(&out->flat);
    out->kind = (int)cairn_flat_int(&out->flat, root, 1, 1, 0);
    out->header = cairn_flat_table(&out->flat, root, 2);
    int64_t body = cairn_flat_int(&out->flat, root, 3, 8, 0);
    at += (size_t)size;
    if (out->flat.bad || !out->header) return damaged(f, "the head of a message");
    if (body < 0 || (uint64_t)body > f->length - at)
        return damaged(f, "it is cut, or the length of a body lies");
    out->body = f->bytes + at;
    out->body_length = (size_t)body;
    out->end = at + (size_t)body;
    return CAIRN_OK;
}

/* -- buffers -- */

enum { CODEC_NONE = -1, CODEC_LZ4, CODEC_ZSTD };

/* A batch of rows under way: which of its nodes, buffers and counts of views come next. */
typedef struct batch {
    ipc *f;
    message *m;
    int64_t codec;
    size_t nodes, n_nodes, node;
    size_t buffers, n_buffers, buffer;
    size_t views, n_views, view;
    const char *column; /* for messages */
} batch;

static cairn_status damaged_column(const batch *b, const char *what)
{
    return cairn_fail(b->f->ctx, CAIRN_BAD_DATA, "%s: the Arrow data are damaged: column '%s': %s",
                      b->f->file, b->column, what);
}

/* Compressed buffers begin with their length when unpacked; -1 says that they are not packed. What
 * is claimed is compared with what the packed bytes can hold before memory is taken. */
static cairn_status unpack(const batch *b, struct ArrowArray *array, size_t i, const uint8_t *from,
                           size_t n, size_t *length)
{
    int64_t size;
    void *to;
    if (n < sizeof size) return damaged_column(b, "a packed buffer is cut");
    memcpy(&size, from, sizeof size);
    from += sizeof size;
    n -= sizeof size;
    if (size == -1) {
        cairn_arrow_buffer(array, i, from);
        *length = n;
        return CAIRN_OK;
    }
    cairn_codec codec = b->codec == CODEC_ZSTD ? CAIRN_CODEC_ZSTD : CAIRN_CODEC_LZ4_FRAME;
    if (size < 0 || !cairn_unpack_possible(codec, from, n, (size_t)size))
        return damaged_column(b, "the length of a packed buffer lies");
    CHECK(cairn_arrow_own(b->f->ctx, array, i, (size_t)size, &to));
    if (!cairn_unpack(codec, to, (size_t)size, from, n))
        return damaged_column(b, "a packed buffer cannot be unpacked");
    *length = (size_t)size;
    return CAIRN_OK;
}

/* The next buffer of the batch becomes buffer i of the array; it must have at least `least`
 * bytes. */
static cairn_status take_buffer(batch *b, struct ArrowArray *array, size_t i, size_t least,
                                size_t *length)
{
    cairn_flat *flat = &b->m->flat;
    size_t got = 0;
    if (b->buffer == b->n_buffers) return damaged_column(b, "a buffer is missing");
    size_t place = b->buffers + 16 * b->buffer++;
    int64_t offset = cairn_flat_at(flat, place, 8), n = cairn_flat_at(flat, place + 8, 8);
    if (offset < 0 || n < 0 || (uint64_t)offset > b->m->body_length ||
        (uint64_t)n > b->m->body_length - (uint64_t)offset)
        return damaged_column(b, "a buffer lies outside");
    const uint8_t *bytes = b->m->body + offset;
    if (b->codec != CODEC_NONE && n) {
        CHECK(unpack(b, array, i, bytes, (size_t)n, &got));
    } else {
        got = (size_t)n;
        if (n) cairn_arrow_buffer(array, i, bytes);
    }
    if (got < least) return damaged_column(b, "a buffer is too short");
    if (length) *length = got;
    return CAIRN_OK;
}

/* -- arrays -- */

/* Bits of a cell of fixed width; 0 when the format has none. */
static size_t cell_bits(const char *format)
{
    cairn_decimal decimal;
    if (cairn_decimal_format(format, &decimal)) return 8 * decimal.width;
    if (!format[1]) {
        static const char letters[] = "bcCsSeiIflLg";
        static const unsigned char bits[] = {1, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64};
        const char *at = strchr(letters, format[0]);
        return at ? bits[at - letters] : 0;
    }
    if (cairn_same(format, "tdD") || cairn_same(format, "tts") || cairn_same(format, "ttm"))
        return 32;
    return format[0] == 't' ? 64 : 0;
}

static int64_t offset_at(const struct ArrowArray *texts, bool large, int64_t i)
{
    int64_t offset = 0;
    int32_t small = 0;
    if (!texts->buffers[1]) return 0;
    if (large)
        memcpy(&offset, (const char *)texts->buffers[1] + i * 8, sizeof offset);
    else
        memcpy(&small, (const char *)texts->buffers[1] + i * 4, sizeof small);
    return large ? offset : small;
}

/* That the offsets of texts ascend is seen to by the import; here, that they lie inside. */
static cairn_status check_offsets(const batch *b, const struct ArrowArray *array, bool large,
                                  size_t bytes)
{
    for (int64_t i = 0; i <= array->length; i++) {
        int64_t offset = offset_at(array, large, i);
        if (offset < 0 || (uint64_t)offset > bytes)
            return damaged_column(b, "a text lies outside its buffer");
    }
    return CAIRN_OK;
}

/* Views: the buffers with the bytes come next, and the interface wants their sizes behind them. */
static cairn_status take_views(batch *b, struct ArrowArray *array, size_t n_views)
{
    int64_t *sizes;
    size_t length;
    CHECK(take_buffer(b, array, 1, (size_t)array->length * 16, NULL));
    CHECK(cairn_arrow_own(b->f->ctx, array, 2 + n_views, (n_views + 1) * sizeof *sizes, &sizes));
    for (size_t i = 0; i < n_views; i++) {
        CHECK(take_buffer(b, array, 2 + i, 0, &length));
        sizes[i] = (int64_t)length;
    }
    return CAIRN_OK;
}

static cairn_status next_node(batch *b, int64_t *length, int64_t *nulls)
{
    if (b->node == b->n_nodes) return damaged_column(b, "its length is missing");
    size_t place = b->nodes + 16 * b->node++;
    *length = cairn_flat_at(&b->m->flat, place, 8);
    *nulls = cairn_flat_at(&b->m->flat, place + 8, 8);
    if (*length < 0 || *length > UINT32_MAX || *nulls < 0 || *nulls > *length)
        return damaged_column(b, "its length is negative or absurd");
    return CAIRN_OK;
}

/* The values of the dictionary with these codes, shared. */
static cairn_status take_dictionary(batch *b, const struct ArrowSchema *schema,
                                    struct ArrowArray *array)
{
    const cairn_ipc_dictionaries *all = &b->f->dictionaries;
    for (size_t k = 0; k < all->n; k++) {
        const cairn_ipc_dictionary *d = &all->all[k];
        if (d->codes != schema) continue;
        if (!d->values) return damaged_column(b, "its dictionary is missing");
        CHECK(cairn_arrow_array_dictionary(b->f->ctx, array, (size_t)d->values->length,
                                           (size_t)d->values->n_buffers));
        array->dictionary->null_count = d->values->null_count;
        for (int64_t i = 0; i < d->values->n_buffers; i++)
            cairn_arrow_buffer(array->dictionary, (size_t)i, d->values->buffers[i]);
        cairn_arrow_lend(array->dictionary, cairn_lent_release, cairn_lent_hold(d->holder));
    }
    return CAIRN_OK;
}

static cairn_status take_values(batch *b, const struct ArrowSchema *schema,
                                struct ArrowArray *array, const char *format, size_t n_views);

/* How many buffers with bytes a column of views has, which stands apart; 0 for all others. */
static cairn_status next_views(batch *b, const char *format, int64_t *n)
{
    *n = 0;
    if (format[0] != 'v') return CAIRN_OK;
    if (b->view == b->n_views) return damaged_column(b, "the number of its buffers is missing");
    *n = cairn_flat_at(&b->m->flat, b->views + 8 * b->view++, 8);
    return *n < 0 || (uint64_t)*n > b->n_buffers
               ? damaged_column(b, "the number of its buffers lies")
               : CAIRN_OK;
}

/* Buffers of an array in the file. */
static size_t count_buffers(const char *format, int64_t n_views)
{
    if (format[0] == 'n') return 0;
    if (format[0] == 'v') return 2 + (size_t)n_views;
    if (strchr("uUzZ", format[0]) && !format[1]) return 3;
    return cairn_same(format, "+s") || cairn_starts_with(format, "+w:") ? 1 : 2;
}

/* Pass over the next array of the batch, which nobody uses. */
static cairn_status pass_array(batch *b, const struct ArrowSchema *schema)
{
    int64_t length, nulls, n_views;
    CHECK(next_node(b, &length, &nulls));
    CHECK(next_views(b, schema->format, &n_views));
    size_t n_buffers = count_buffers(schema->format, n_views);
    if (n_buffers > b->n_buffers - b->buffer) return damaged_column(b, "a buffer is missing");
    b->buffer += n_buffers;
    for (int64_t k = 0; k < schema->n_children; k++) CHECK(pass_array(b, schema->children[k]));
    return CAIRN_OK;
}

/* The next array of the batch, child i of `parent`. The interface wants the sizes of the buffers of
 * views in one buffer more. */
static cairn_status take_array(batch *b, const struct ArrowSchema *schema,
                               struct ArrowArray *parent, size_t i)
{
    const char *format = schema->format;
    int64_t length, nulls, n_views;
    CHECK(next_node(b, &length, &nulls));
    CHECK(next_views(b, format, &n_views));
    size_t n_buffers = count_buffers(format, n_views) + (format[0] == 'v');
    CHECK(cairn_arrow_array_child(b->f->ctx, parent, i, (size_t)length, n_buffers,
                                  (size_t)schema->n_children));
    struct ArrowArray *array = parent->children[i];
    array->null_count = nulls;
    if (format[0] == 'n') return CAIRN_OK;
    CHECK(take_buffer(b, array, 0, nulls ? ((size_t)length + 7) / 8 : 0, NULL));
    if (!nulls) cairn_arrow_buffer(array, 0, NULL);
    CHECK(take_values(b, schema, array, format, (size_t)n_views));
    for (int64_t k = 0; k < schema->n_children; k++)
        CHECK(take_array(b, schema->children[k], array, (size_t)k));
    if (cairn_starts_with(format, "+w:")) {
        /* the import finds cells by the length of a list */
        int64_t each = 0;
        if (!cairn_integer_parse(format + 3, strlen(format + 3), &each) || each < 1 ||
            array->children[0]->length / each < length)
            return damaged_column(b, "a list lies outside its values");
    }
    return schema->dictionary ? take_dictionary(b, schema, array) : CAIRN_OK;
}

/* The buffers behind the validity. */
static cairn_status take_values(batch *b, const struct ArrowSchema *schema,
                                struct ArrowArray *array, const char *format, size_t n_views)
{
    size_t n = (size_t)array->length, bits = cell_bits(format), bytes;
    if (format[0] == 'v') return take_views(b, array, n_views);
    if (bits) return take_buffer(b, array, 1, (n * bits + 7) / 8, NULL);
    if (array->n_buffers == 1) return CAIRN_OK;
    bool large = strchr("UZ", format[0]) || cairn_same(format, "+L");
    bool list = format[0] == '+';
    if (!list && !strchr("uUzZ", format[0]))
        return cairn_fail(b->f->ctx, CAIRN_BAD_DATA,
                          "%s: column '%s' has the Arrow format '%.40s', which cannot be read; "
                          "leave the column out",
                          b->f->file, b->column, schema->format);
    CHECK(take_buffer(b, array, 1, n ? (n + 1) * (large ? 8 : 4) : 0, NULL));
    if (list) return CAIRN_OK;
    CHECK(take_buffer(b, array, 2, 0, &bytes));
    if (!array->buffers[2]) cairn_arrow_buffer(array, 2, "");
    return check_offsets(b, array, large, bytes);
}

/* A batch of rows, or the values of a dictionary, which are a batch of one column: the columns of
 * `schema` as children of a new struct array. `column` names them, NULL = each has its name. */
static cairn_status take_batch(ipc *f, message *m, size_t table, const struct ArrowSchema *schema,
                               const char *column, struct ArrowArray *out)
{
    cairn_flat *flat = &m->flat;
    batch b = {.f = f, .m = m, .codec = CODEC_NONE};
    int64_t length = cairn_flat_int(flat, table, 0, 8, 0);
    b.nodes = cairn_flat_vector(flat, table, 1, 16, &b.n_nodes);
    b.buffers = cairn_flat_vector(flat, table, 2, 16, &b.n_buffers);
    size_t packed = cairn_flat_table(flat, table, 3);
    b.views = cairn_flat_vector(flat, table, 4, 8, &b.n_views);
    if (packed) b.codec = cairn_flat_int(flat, packed, 0, 1, 0);
    if (flat->bad || length < 0 || length > UINT32_MAX) return damaged(f, "the head of a batch");
    if (packed && b.codec != CODEC_LZ4 && b.codec != CODEC_ZSTD)
        return cairn_fail(f->ctx, CAIRN_BAD_DATA,
                          "%s: its buffers are compressed by codec %lld, which is not known; write "
                          "it with lz4, zstd or uncompressed",
                          f->file, (long long)b.codec);
    const bool *used = schema == &f->schema ? f->is_used : NULL;
    size_t n = (size_t)(used ? f->used.n_children : schema->n_children), k = 0;
    CHECK(cairn_arrow_array(f->ctx, out, (size_t)length, 1, n));
    cairn_arrow_lend(out, cairn_lent_release, cairn_lent_hold(f->memory));
    for (int64_t i = 0; i < schema->n_children; i++) {
        b.column = column ? column : schema->children[i]->name;
        if (used && !used[i]) {
            CHECK(pass_array(&b, schema->children[i]));
            continue;
        }
        CHECK(take_array(&b, schema->children[i], out, k));
        if (out->children[k++]->length < length)
            return damaged_column(&b, "it is shorter than others");
    }
    return flat->bad ? damaged(f, "the head of a batch") : CAIRN_OK;
}

/* -- dictionaries -- */

static void free_values(void *owner)
{
    cairn_arrow_array_drop(owner);
    cairn_free(owner);
}

/* Texts behind texts, of two arrays; `out` becomes an array of them and has one child. */
static cairn_status join_texts(const ipc *f, const cairn_ipc_dictionary *d, bool large,
                               const struct ArrowArray *const parts[2], struct ArrowArray *out)
{
    uint8_t *valid;
    char *starts, *bytes;
    size_t n = (size_t)(parts[0]->length + parts[1]->length), width = large ? 8 : 4, row = 0;
    int64_t total = 0;
    for (size_t p = 0; p < 2; p++)
        for (int64_t i = 0; i < parts[p]->length; i++) {
            int64_t length = offset_at(parts[p], large, i + 1) - offset_at(parts[p], large, i);
            if (length < 0) return damaged(f, "the offsets of a dictionary do not ascend");
            total += length;
        }
    if (!large && total > INT32_MAX)
        return cairn_fail(f->ctx, CAIRN_BAD_DATA,
                          "%s: the dictionary of column '%s' grows beyond 2 GB", f->file,
                          d->codes->name);
    CHECK(cairn_arrow_array(f->ctx, out, n, 1, 1));
    CHECK(cairn_arrow_array_child(f->ctx, out, 0, n, 3, 0));
    struct ArrowArray *texts = out->children[0];
    texts->null_count = parts[0]->null_count + parts[1]->null_count;
    if (texts->null_count) CHECK(cairn_arrow_own(f->ctx, texts, 0, n / 8 + 1, &valid));
    CHECK(cairn_arrow_own(f->ctx, texts, 1, (n + 1) * width, &starts));
    CHECK(cairn_arrow_own(f->ctx, texts, 2, (size_t)total + 1, &bytes));
    total = 0;
    for (size_t p = 0; p < 2; p++) {
        const uint8_t *bits = parts[p]->buffers[0];
        for (int64_t i = 0; i < parts[p]->length; i++, row++) {
            int64_t from = offset_at(parts[p], large, i), to = offset_at(parts[p], large, i + 1);
            if (to > from)
                memcpy(bytes + total, (const char *)parts[p]->buffers[2] + from,
                       (size_t)(to - from));
            total += to - from;
            int32_t small = (int32_t)total;
            memcpy(starts + (row + 1) * width, large ? (void *)&total : (void *)&small, width);
            if (texts->null_count && (!bits || bits[i / 8] >> i % 8 & 1))
                valid[row / 8] |= (uint8_t)(1u << row % 8);
        }
    }
    return CAIRN_OK;
}

/* New values of a dictionary, or more of them, which stand behind those there are. */
static cairn_status take_new_values(ipc *f, message *m, cairn_ipc_dictionary *d, bool more)
{
    cairn_context *ctx = f->ctx;
    cairn_status status;
    struct ArrowSchema *column[1] = {d->codes->dictionary};
    struct ArrowSchema wrapped = {.format = "+s", .n_children = 1, .children = column};
    struct ArrowArray fresh = {0}, joined = {0}, *values = NULL;
    cairn_lent *holder = NULL;
    const char *format = d->codes->dictionary->format;
    bool large = cairn_same(format, "U") || cairn_same(format, "Z");
    TRY(take_batch(f, m, cairn_flat_table(&m->flat, m->header, 1), &wrapped, d->codes->name,
                   &fresh));
    if (more && d->values) {
        const struct ArrowArray *const parts[2] = {d->values, fresh.children[0]};
        if (!large && !cairn_same(format, "u") && !cairn_same(format, "z"))
            TRY(cairn_fail(ctx, CAIRN_BAD_DATA,
                           "%s: the dictionary of column '%s' grows from batch to batch and holds "
                           "no texts; write it with one dictionary",
                           f->file, d->codes->name));
        TRY(join_texts(f, d, large, parts, &joined));
        cairn_arrow_array_drop(&fresh);
        fresh = joined;
        joined.release = NULL;
    }
    TRY(NEW(ctx, &values, 1));
    *values = fresh;
    fresh.release = NULL;
    status = cairn_lent_new(ctx, &holder, free_values, values);
    if (status) return status;
    cairn_lent_drop(d->holder);
    d->holder = holder;
    d->values = values->children[0];
done:
    cairn_arrow_array_drop(&fresh);
    cairn_arrow_array_drop(&joined);
    return status;
}

/* Whether a node of the schema is the other one or below it. */
static bool is_below(const struct ArrowSchema *node, const struct ArrowSchema *above)
{
    if (node == above) return true;
    for (int64_t i = 0; i < above->n_children; i++)
        if (is_below(node, above->children[i])) return true;
    return false;
}

static cairn_status take_dictionaries(ipc *f, message *m)
{
    int64_t id = cairn_flat_int(&m->flat, m->header, 0, 8, 0);
    bool more = cairn_flat_int(&m->flat, m->header, 2, 1, 0);
    for (size_t k = 0; k < f->dictionaries.n; k++)
        if (f->dictionaries.all[k].id == id && is_below(f->dictionaries.all[k].codes, &f->used))
            CHECK(take_new_values(f, m, &f->dictionaries.all[k], more));
    return CAIRN_OK;
}

/* -- files and streams -- */

/* Where messages begin: the dictionaries and batches in their order. */
typedef struct places {
    size_t *at;
    size_t n, capacity, n_batches;
} places;

static cairn_status add_place(ipc *f, places *p, size_t at, bool is_batch)
{
    CHECK(GROW(f->ctx, &p->at, &p->capacity, p->n + 1));
    p->at[p->n++] = at;
    p->n_batches += is_batch;
    return cairn_tick(f->ctx, NULL, 0, 0);
}

static cairn_status read_schema(ipc *f, cairn_flat *flat, size_t schema)
{
    CHECK(cairn_ipc_read_schema(f->ctx, &f->schema, &f->dictionaries, flat, schema, f->file));
    return flat->bad ? damaged(f, "the schema") : CAIRN_OK;
}

/* The foot of a file has the schema and says where everything else lies. */
static cairn_status read_foot(ipc *f, places *p)
{
    enum { MAGIC = sizeof CAIRN_IPC_MAGIC - 1, END = MAGIC + 4, BLOCK = 24 };
    cairn_flat all = {f->bytes, f->length, false};
    if (f->length < MAGIC + 2 + END ||
        memcmp(f->bytes + f->length - MAGIC, CAIRN_IPC_MAGIC, MAGIC) != 0)
        return damaged(f, "it is cut: its end is missing; fetch or write it again");
    int64_t size = cairn_flat_at(&all, f->length - END, 4);
    if (size < 0 || (uint64_t)size > f->length - END)
        return damaged(f, "the length of its foot lies");
    cairn_flat foot = {f->bytes + f->length - END - size, (size_t)size, false};
    size_t root = cairn_flat_root(&foot);
    CHECK(read_schema(f, &foot, cairn_flat_table(&foot, root, 1)));
    for (int id = 2; id <= 3; id++) {
        size_t n, blocks = cairn_flat_vector(&foot, root, id, BLOCK, &n);
        for (size_t i = 0; i < n; i++) {
            int64_t at = cairn_flat_at(&foot, blocks + BLOCK * i, 8);
            if (at < 0 || (uint64_t)at >= f->length) return damaged(f, "its foot points outside");
            CHECK(add_place(f, p, (size_t)at, id == 3));
        }
    }
    return foot.bad ? damaged(f, "its foot") : CAIRN_OK;
}

static cairn_status read_stream(ipc *f, places *p)
{
    message m;
    CHECK(read_message(f, 0, &m));
    if (m.kind != CAIRN_IPC_SCHEMA) return damaged(f, "it does not begin with a schema");
    CHECK(read_schema(f, &m.flat, m.header));
    for (size_t at = m.end;; at = m.end) {
        CHECK(read_message(f, at, &m));
        if (!m.kind) return CAIRN_OK;
        if (m.kind == CAIRN_IPC_DICTIONARY || m.kind == CAIRN_IPC_BATCH)
            CHECK(add_place(f, p, at, m.kind == CAIRN_IPC_BATCH));
    }
}

/* The columns that are used, those to which a note gives a role among them. */
static cairn_status choose_columns(ipc *f, const cairn_read_options *options)
{
    SCOPED_SCRATCH(f->ctx);
    size_t n = (size_t)f->schema.n_children, k = 0;
    const char **names;
    bool *has_role, narrows;
    f->used = f->schema;
    CHECK(NEW(f->ctx, &f->is_used, n));
    CHECK(SCRATCH(f->ctx, &names, n));
    CHECK(SCRATCH(f->ctx, &has_role, n));
    for (size_t i = 0; i < n; i++) {
        names[i] = f->schema.children[i]->name;
        has_role[i] = cairn_arrow_read_notes(f->schema.children[i]).role != CAIRN_FEATURE;
    }
    CHECK(cairn_wanted_columns(f->ctx, options, names, has_role, n, f->is_used, &narrows));
    if (!narrows) {
        cairn_free(f->is_used);
        f->is_used = NULL;
        return CAIRN_OK;
    }
    CHECK(NEW(f->ctx, &f->used_columns, n));
    for (size_t i = 0; i < n; i++)
        if (f->is_used[i]) f->used_columns[k++] = f->schema.children[i];
    f->used.children = f->used_columns;
    f->used.n_children = (int64_t)k;
    return CAIRN_OK;
}

static cairn_status read_all(ipc *f, cairn_table **out, places *p,
                             const cairn_read_options *options)
{
    cairn_context *ctx = f->ctx;
    message m;
    bool is_file = f->length >= 8 && memcmp(f->bytes, CAIRN_IPC_MAGIC, 6) == 0;
    CHECK(is_file ? read_foot(f, p) : read_stream(f, p));
    CHECK(choose_columns(f, options));
    CHECK(NEW(ctx, &f->tables, p->n_batches));
    for (size_t i = 0; i < p->n; i++) {
        struct ArrowArray rows = {0};
        CHECK(read_message(f, p->at[i], &m));
        if (m.kind == CAIRN_IPC_DICTIONARY) {
            CHECK(take_dictionaries(f, &m));
            continue;
        }
        if (m.kind != CAIRN_IPC_BATCH || f->n_tables == p->n_batches)
            return damaged(f, "its foot points to what is no batch");
        cairn_status status = take_batch(f, &m, m.header, &f->schema, NULL, &rows);
        if (status) {
            cairn_arrow_array_drop(&rows);
            return status;
        }
        CHECK(cairn_in_file(
            ctx, f->file,
            cairn_arrow_import(ctx, &f->tables[f->n_tables], &f->used, &rows, p->n_batches > 1)));
        f->n_tables++;
        CHECK(cairn_tick(ctx, "reading", (double)i, (double)p->n));
    }
    if (!f->n_tables)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: the file has columns but no rows", f->file);
    return cairn_arrow_join(ctx, out, f->tables, f->n_tables);
}

cairn_status cairn_ipc_read(cairn_context *ctx, cairn_table **out, const uint8_t *bytes,
                            size_t length, cairn_lent *memory, const char *file,
                            const cairn_read_options *options)
{
    ipc f = {.ctx = ctx, .file = file, .bytes = bytes, .length = length, .memory = memory};
    places p = {0};
    cairn_status status = read_all(&f, out, &p, options);
    for (size_t i = 0; i < f.n_tables; i++) cairn_table_free(f.tables[i]);
    for (size_t k = 0; k < f.dictionaries.n; k++) cairn_lent_drop(f.dictionaries.all[k].holder);
    FREE_EACH(f.tables, f.used_columns, f.is_used, f.dictionaries.all, p.at);
    cairn_arrow_schema_drop(&f.schema);
    return status;
}
