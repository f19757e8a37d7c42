/* SPDX-License-Identifier: MIT */
/* The cells of a column of a Parquet file.
 *
 * The pages of its chunks are read one after the other: their levels, which say what is missing and
 * where lists begin, and the values that are there, packed. At the end levels and values become an
 * array of the Arrow C data interface. Every length is compared with the bytes there are before it
 * is used. */
#include "base/memory.h"
#include "base/text.h"
#include "base/unpack.h"
#include "data/arrow_decimal.h"
#include "data/parquet.h"
#include <math.h>
#include <string.h>

enum { PAGE_DATA, PAGE_INDEX, PAGE_DICTIONARY, PAGE_DATA_2 };
enum {
    ENCODING_PLAIN = 0,
    ENCODING_PLAIN_DICTIONARY = 2,
    ENCODING_RLE = 3,
    ENCODING_DELTA = 5,
    ENCODING_DELTA_LENGTHS = 6,
    ENCODING_DELTA_TEXTS = 7,
    ENCODING_DICTIONARY = 8,
    ENCODING_SPLIT = 9
};

/* Texts one behind the other: text i is starts[i] .. starts[i + 1]. */
typedef struct texts {
    int64_t *starts;
    char *bytes;
    size_t n, capacity, bytes_capacity;
} texts;

/* A column under way. Values are those that are there; levels count missing ones, too. */
typedef struct cells {
    cairn_context *ctx;
    const cairn_parquet_file *f;
    const cairn_parquet_column *column;
    const cairn_parquet_chunk *chunk;
    bool coded;
    size_t width; /* of a value in memory; 0 = texts */
    uint8_t *definitions, *repetitions;
    size_t n_levels, n_values;
    size_t chunk_levels; /* of those, in the chunk under way */
    char *values;        /* of fixed width */
    int32_t *codes;
    texts texts;
    /* The dictionary of the chunk: values of fixed width, or texts. For codes those of all chunks
     * are kept, one behind the other. */
    char *dictionary;
    texts entries;
    size_t first_entry, n_entries;
} cells;

static cairn_status damaged(const cells *c, const char *what)
{
    return cairn_fail(c->ctx, CAIRN_BAD_DATA, "%s: the Parquet data are damaged: column '%s': %s",
                      c->f->name, c->column->name, what);
}

/* Bytes that are read from the front. */
typedef struct bytes {
    const uint8_t *at, *end;
} bytes;

static size_t left(const bytes *b)
{
    return (size_t)(b->end - b->at);
}

/* -- pages -- */

typedef struct page {
    int type, encoding;
    int64_t packed, unpacked, values, definition_bytes, repetition_bytes;
    bool is_packed;
} page;

static void read_data_head(cairn_thrift *t, page *p, bool second)
{
    cairn_thrift_field field = {0};
    while (cairn_thrift_next(t, &field)) {
        if (field.id == 1)
            p->values = cairn_thrift_int(t, &field);
        else if (field.id == (second ? 4 : 2))
            p->encoding = (int)cairn_thrift_int(t, &field);
        else if (second && field.id == 5)
            p->definition_bytes = cairn_thrift_int(t, &field);
        else if (second && field.id == 6)
            p->repetition_bytes = cairn_thrift_int(t, &field);
        else if (second && field.id == 7)
            p->is_packed = cairn_thrift_int(t, &field);
        else
            cairn_thrift_skip(t, &field);
    }
}

/* The head of the page at the front of `b`, which moves behind it. */
static cairn_status read_page(const cells *c, bytes *b, page *p)
{
    cairn_thrift t = {.bytes = b->at, .length = left(b)};
    cairn_thrift_field field = {0};
    *p = (page){.type = -1, .is_packed = true};
    while (cairn_thrift_next(&t, &field)) {
        switch (field.id) {
        case 1: p->type = (int)cairn_thrift_int(&t, &field); break;
        case 2: p->unpacked = cairn_thrift_int(&t, &field); break;
        case 3: p->packed = cairn_thrift_int(&t, &field); break;
        case 5:
        case 7:
        case 8: read_data_head(&t, p, field.id == 8); break;
        default: cairn_thrift_skip(&t, &field);
        }
    }
    b->at += t.at;
    if (t.bad || p->packed < 0 || (uint64_t)p->packed > left(b) || p->unpacked < 0 ||
        p->unpacked > INT32_MAX || p->values < 0 || p->definition_bytes < 0 ||
        p->repetition_bytes < 0)
        return damaged(c, "the head of a page");
    return CAIRN_OK;
}

static bool is_coded(int encoding)
{
    return encoding == ENCODING_DICTIONARY || encoding == ENCODING_PLAIN_DICTIONARY;
}

static bool is_data(const page *p)
{
    return p->type == PAGE_DATA || p->type == PAGE_DATA_2;
}

/* Where the pages of a chunk lie: some writers leave the place of the dictionary out or count it
 * from elsewhere, but it stands in front of the data. */
static cairn_status find_pages(const cells *c, bytes *out)
{
    int64_t from = c->chunk->data;
    if (c->chunk->dictionary > 0 && c->chunk->dictionary < from) from = c->chunk->dictionary;
    if (from < 4 || c->chunk->bytes < 0 || (uint64_t)from > c->f->length ||
        (uint64_t)c->chunk->bytes > c->f->length - (uint64_t)from)
        return damaged(c, "it lies outside the file");
    out->at = c->f->bytes + from;
    out->end = out->at + c->chunk->bytes;
    return CAIRN_OK;
}

static cairn_status codec_of(const cells *c, cairn_codec *out)
{
    static const struct {
        int codec;
        const char *name;
    } unknown[] = {{3, "LZO"}, {4, "Brotli"}};
    switch (c->chunk->codec) {
    case 1: *out = CAIRN_CODEC_SNAPPY; return CAIRN_OK;
    case 2: *out = CAIRN_CODEC_GZIP; return CAIRN_OK;
    case 5: *out = CAIRN_CODEC_LZ4_HADOOP; return CAIRN_OK;
    case 6: *out = CAIRN_CODEC_ZSTD; return CAIRN_OK;
    case 7: *out = CAIRN_CODEC_LZ4_BLOCK; return CAIRN_OK;
    default: break;
    }
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        if (unknown[i].codec == c->chunk->codec)
            return cairn_fail(
                c->ctx, CAIRN_BAD_DATA,
                "%s: column '%s' is packed by %s, which cannot be read; write it with "
                "zstd, snappy, gzip or lz4",
                c->f->name, c->column->name, unknown[i].name);
    return damaged(c, "a codec that is not known");
}

/* What a page holds, unpacked; scratch where it was packed. */
static cairn_status unpack(const cells *c, const bytes *packed, size_t size, bytes *out)
{
    cairn_codec codec;
    uint8_t *to;
    *out = *packed;
    if (c->chunk->codec == 0) return CAIRN_OK;
    CHECK(codec_of(c, &codec));
    if (!size && !left(packed)) return CAIRN_OK;
    if (!cairn_unpack_possible(codec, packed->at, left(packed), size))
        return damaged(c, "the length of a packed page lies");
    CHECK(SCRATCH_RAW(c->ctx, &to, size + 8));
    if (!cairn_unpack(codec, to, size, packed->at, left(packed)))
        return damaged(c, "a page cannot be unpacked");
    *out = (bytes){to, to + size};
    return CAIRN_OK;
}

/* -- runs of small numbers -- */

static bool take_varint(bytes *b, uint64_t *out)
{
    *out = 0;
    for (int shift = 0; shift < 64 && b->at < b->end; shift += 7) {
        *out |= (uint64_t)(*b->at & 127) << shift;
        if (!(*b->at++ & 128)) return true;
    }
    return false;
}

/* Number i of numbers of `width` bits side by side, the lowest bit first; at most 8 bytes behind
 * `at` are looked at. */
static uint64_t bits_at(const uint8_t *at, size_t i, int width, const uint8_t *end)
{
    size_t bit = i * (size_t)width;
    uint64_t word = 0;
    const uint8_t *from = at + bit / 8;
    size_t n = (size_t)(end - from) < 8 ? (size_t)(end - from) : 8;
    memcpy(&word, from, n);
    word >>= bit % 8;
    if (bit % 8 + (size_t)width > 64 && end - from > 8) word |= (uint64_t)from[8] << (64 - bit % 8);
    return width == 64 ? word : word & (((uint64_t)1 << width) - 1);
}

/* Runs of a number repeated and of numbers packed in eights. */
static bool take_runs(bytes *b, int width, size_t n, int32_t *out)
{
    size_t i = 0, value_bytes = ((size_t)width + 7) / 8;
    while (i < n) {
        uint64_t head, value = 0;
        if (!take_varint(b, &head)) return false;
        if (head & 1) {
            size_t count = head >> 1, bytes_there = left(b);
            if (count > bytes_there) count = width ? bytes_there : n; /* the last run may be cut */
            size_t length = width ? count * (size_t)width : 0;
            if (length > bytes_there) length = bytes_there;
            size_t most = width ? length * 8 / (size_t)width : (head >> 1) * 8;
            if (most > n - i) most = n - i;
            if (!most) return false;
            const uint8_t *end = b->at + length;
            for (size_t k = 0; k < most; k++) out[i + k] = (int32_t)bits_at(b->at, k, width, end);
            i += most;
            b->at = end;
        } else {
            size_t count = head >> 1;
            if (left(b) < value_bytes || !count) return false;
            memcpy(&value, b->at, value_bytes);
            b->at += value_bytes;
            if (count > n - i) count = n - i;
            for (size_t k = 0; k < count; k++) out[i + k] = (int32_t)value;
            i += count;
        }
    }
    return true;
}

static int width_of(int most)
{
    int width = 0;
    while (most >> width) width++;
    return width;
}

/* Levels of n cells, none above `most`; `b` holds them alone. */
static cairn_status take_levels(const cells *c, bytes b, int most, size_t n, uint8_t *out)
{
    SCOPED_SCRATCH(c->ctx);
    int32_t *levels;
    CHECK(SCRATCH_RAW(c->ctx, &levels, n));
    if (!take_runs(&b, width_of(most), n, levels)) return damaged(c, "its levels are cut");
    for (size_t i = 0; i < n; i++) {
        if (levels[i] < 0 || levels[i] > most) return damaged(c, "a level that there is not");
        out[i] = (uint8_t)levels[i];
    }
    return CAIRN_OK;
}

/* -- differences -- */

/* Whole numbers as differences: blocks of miniblocks, each with bits of its own. */
static bool take_differences(bytes *b, size_t n, int64_t *out)
{
    uint64_t block, minis, total, first, least;
    if (!take_varint(b, &block) || !take_varint(b, &minis) || !take_varint(b, &total) ||
        !take_varint(b, &first) || !minis || minis > 4096 || block % minis || block > 1 << 24 ||
        total != n)
        return false;
    size_t each = block / minis, i = 0;
    uint64_t value = (first >> 1) ^ -(first & 1);
    if (!each || each % 8) return false;
    if (n) out[i++] = (int64_t)value;
    while (i < n) {
        if (!take_varint(b, &least) || left(b) < minis) return false;
        const uint8_t *widths = b->at;
        b->at += minis;
        uint64_t low = (least >> 1) ^ -(least & 1);
        for (size_t m = 0; m < minis && i < n; m++) {
            size_t length = each * widths[m] / 8;
            if (widths[m] > 64 || length > left(b)) return false;
            for (size_t k = 0; k < each && i < n; k++) {
                value += low + (widths[m] ? bits_at(b->at, k, widths[m], b->at + length) : 0);
                out[i++] = (int64_t)value;
            }
            b->at += length;
        }
    }
    return true;
}

/* -- texts -- */

static cairn_status add_text(cells *c, texts *t, const char *prefix, size_t n_prefix,
                             const uint8_t *text, size_t n)
{
    if (!t->n) {
        CHECK(GROW(c->ctx, &t->starts, &t->capacity, 2));
        t->starts[0] = 0;
    }
    CHECK(GROW(c->ctx, &t->starts, &t->capacity, t->n + 2));
    size_t at = (size_t)t->starts[t->n];
    ptrdiff_t from = prefix ? prefix - t->bytes : 0;
    CHECK(GROW(c->ctx, &t->bytes, &t->bytes_capacity, at + n_prefix + n + 1));
    if (n_prefix) memmove(t->bytes + at, t->bytes + from, n_prefix);
    if (n) memcpy(t->bytes + at + n_prefix, text, n);
    t->starts[++t->n] = (int64_t)(at + n_prefix + n);
    return CAIRN_OK;
}

static cairn_status plain_texts(cells *c, bytes *b, size_t n, texts *out)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t length;
        if (left(b) < sizeof length) return damaged(c, "its texts are cut");
        memcpy(&length, b->at, sizeof length);
        b->at += sizeof length;
        if (length > left(b)) return damaged(c, "the length of a text lies");
        CHECK(add_text(c, out, NULL, 0, b->at, length));
        b->at += length;
    }
    return CAIRN_OK;
}

/* Lengths of what begins as the text before it (of none without `prefixes`), lengths of the rest,
 * and the bytes of that. */
static cairn_status delta_texts(cells *c, bytes *b, size_t n, bool prefixes)
{
    SCOPED_SCRATCH(c->ctx);
    int64_t *common = NULL, *lengths;
    CHECK(SCRATCH_RAW(c->ctx, &lengths, n));
    if (prefixes) CHECK(SCRATCH_RAW(c->ctx, &common, n));
    if ((prefixes && !take_differences(b, n, common)) || !take_differences(b, n, lengths))
        return damaged(c, "the lengths of its texts are cut");
    for (size_t i = 0; i < n; i++) {
        texts *t = &c->texts;
        int64_t before = i ? t->starts[t->n] - t->starts[t->n - 1] : 0;
        int64_t shared = prefixes ? common[i] : 0;
        if (lengths[i] < 0 || (uint64_t)lengths[i] > left(b) || shared < 0 || shared > before)
            return damaged(c, "the length of a text lies");
        CHECK(add_text(c, t, shared ? t->bytes + t->starts[t->n - 1] : NULL, (size_t)shared, b->at,
                       (size_t)lengths[i]));
        b->at += lengths[i];
    }
    return CAIRN_OK;
}

/* -- values of fixed width -- */

/* Bytes of a value in the file. */
static size_t stored_width(const cairn_parquet_column *column)
{
    static const unsigned char widths[] = {1, 4, 8, 12, 4, 8};
    return column->type < CAIRN_PARQUET_BYTE_ARRAY ? widths[column->type] : column->width;
}

/* A number with the most significant byte first, as one with the least first and `width` bytes. */
static bool turn(char *to, size_t width, const uint8_t *from, size_t n)
{
    uint8_t sign = n && from[0] & 128 ? UINT8_MAX : 0;
    while (n > width)
        if (*from++ != sign)
            return false;
        else
            n--;
    memset(to, sign, width);
    for (size_t i = 0; i < n; i++) to[i] = (char)from[n - 1 - i];
    return true;
}

/* Nanoseconds within a day and a Julian day, as nanoseconds since 1970. */
static int64_t since_1970(const uint8_t *at)
{
    enum { JULIAN_1970 = 2440588 };
    uint64_t nanoseconds;
    int32_t day;
    memcpy(&nanoseconds, at, sizeof nanoseconds);
    memcpy(&day, at + sizeof nanoseconds, sizeof day);
    return (int64_t)(nanoseconds + (uint64_t)((int64_t)day - JULIAN_1970) * 86400000000000u);
}

/* n values as they stand in a file, `width` of them in memory. */
static cairn_status plain_values(cells *c, bytes *b, size_t n, char *out)
{
    cairn_parquet_type type = c->column->type;
    size_t stored = stored_width(c->column);
    if (type == CAIRN_PARQUET_BOOLEAN) {
        if ((n + 7) / 8 > left(b)) return damaged(c, "its values are cut");
        for (size_t i = 0; i < n; i++) out[i] = b->at[i / 8] >> i % 8 & 1;
        b->at += (n + 7) / 8;
        return CAIRN_OK;
    }
    if (stored && n > left(b) / stored) return damaged(c, "its values are cut");
    if (type == CAIRN_PARQUET_INT96) {
        for (size_t i = 0; i < n; i++) {
            int64_t time = since_1970(b->at + i * stored);
            memcpy(out + i * sizeof time, &time, sizeof time);
        }
    } else if (type == CAIRN_PARQUET_FIXED && c->column->format[0] == 'd') {
        for (size_t i = 0; i < n; i++)
            if (!turn(out + i * c->width, c->width, b->at + i * stored, stored))
                return damaged(c, "a decimal has more digits than its type allows");
    } else if (n) {
        memcpy(out, b->at, n * stored);
    }
    b->at += n * stored;
    return CAIRN_OK;
}

static cairn_status delta_values(cells *c, bytes *b, size_t n, char *out)
{
    SCOPED_SCRATCH(c->ctx);
    int64_t *numbers;
    if (c->column->type != CAIRN_PARQUET_INT32 && c->column->type != CAIRN_PARQUET_INT64)
        return damaged(c, "an encoding that its type has not");
    CHECK(SCRATCH_RAW(c->ctx, &numbers, n));
    if (!take_differences(b, n, numbers)) return damaged(c, "its differences are cut");
    for (size_t i = 0; i < n; i++) memcpy(out + i * c->width, &numbers[i], c->width);
    return CAIRN_OK;
}

/* The first bytes of all values, then the second ones. */
static cairn_status split_values(cells *c, bytes *b, size_t n, char *out)
{
    SCOPED_SCRATCH(c->ctx);
    size_t stored = stored_width(c->column);
    uint8_t *joined;
    if (c->column->type == CAIRN_PARQUET_BOOLEAN || !stored || n > left(b) / stored)
        return damaged(c, "its values are cut");
    CHECK(SCRATCH_RAW(c->ctx, &joined, n * stored));
    for (size_t k = 0; k < stored; k++)
        for (size_t i = 0; i < n; i++) joined[i * stored + k] = b->at[k * n + i];
    b->at += n * stored;
    return plain_values(c, &(bytes){joined, joined + n * stored}, n, out);
}

/* Places in the dictionary, whose bits stand in front. */
static cairn_status take_codes(cells *c, bytes *b, size_t n, int32_t *out)
{
    if (!n) return CAIRN_OK;
    if (!left(b)) return damaged(c, "its codes are cut");
    int width = *b->at++;
    if (width > 32 || !take_runs(b, width, n, out)) return damaged(c, "its codes are cut");
    for (size_t i = 0; i < n; i++)
        if (out[i] < 0 || (size_t)out[i] >= c->n_entries)
            return damaged(c, "a code lies outside its dictionary");
    for (size_t i = 0; c->first_entry && i < n; i++) out[i] += (int32_t)c->first_entry;
    return CAIRN_OK;
}

static cairn_status take_coded(cells *c, bytes *b, size_t n)
{
    SCOPED_SCRATCH(c->ctx);
    int32_t *codes;
    if (c->coded) return take_codes(c, b, n, c->codes + c->n_values);
    CHECK(SCRATCH_RAW(c->ctx, &codes, n));
    CHECK(take_codes(c, b, n, codes));
    for (size_t i = 0; i < n; i++) {
        if (c->width) {
            memcpy(c->values + (c->n_values + i) * c->width,
                   c->dictionary + (size_t)codes[i] * c->width, c->width);
            continue;
        }
        const int64_t *start = c->entries.starts + codes[i];
        CHECK(add_text(c, &c->texts, NULL, 0, (const uint8_t *)c->entries.bytes + start[0],
                       (size_t)(start[1] - start[0])));
    }
    return CAIRN_OK;
}

/* The values of a page, behind those there are. */
static cairn_status take_values(cells *c, bytes *b, int encoding, size_t n)
{
    char *out = c->values ? c->values + c->n_values * c->width : NULL;
    bool text = !c->width;
    if (is_coded(encoding)) return take_coded(c, b, n);
    switch (encoding) {
    case ENCODING_PLAIN: return text ? plain_texts(c, b, n, &c->texts) : plain_values(c, b, n, out);
    case ENCODING_DELTA: return delta_values(c, b, n, out);
    case ENCODING_DELTA_LENGTHS:
    case ENCODING_DELTA_TEXTS:
        if (text) return delta_texts(c, b, n, encoding == ENCODING_DELTA_TEXTS);
        break;
    case ENCODING_SPLIT:
        if (!text) return split_values(c, b, n, out);
        break;
    case ENCODING_RLE:
        if (c->column->type == CAIRN_PARQUET_BOOLEAN) {
            SCOPED_SCRATCH(c->ctx);
            int32_t *bits;
            CHECK(SCRATCH_RAW(c->ctx, &bits, n));
            if (left(b) < 4) return damaged(c, "its values are cut");
            b->at += 4;
            if (!take_runs(b, 1, n, bits)) return damaged(c, "its values are cut");
            for (size_t i = 0; i < n; i++) out[i] = (char)bits[i];
            return CAIRN_OK;
        }
        break;
    default: break;
    }
    return cairn_fail(
        c->ctx, CAIRN_BAD_DATA,
        "%s: column '%s' has the encoding %d, which cannot be read for its type; write "
        "it with the encodings PLAIN or RLE_DICTIONARY",
        c->f->name, c->column->name, encoding);
}

/* -- chunks -- */

static cairn_status take_dictionary(cells *c, bytes *b, size_t n)
{
    c->n_entries = n;
    if (!c->width) return plain_texts(c, b, n, &c->entries);
    if (n > left(b) * 8) return damaged(c, "its dictionary is cut");
    CHECK(NEW(c->ctx, &c->dictionary, n * c->width));
    return plain_values(c, b, n, c->dictionary);
}

/* Levels in front of the values in pages of the first kind, each behind its length. */
static cairn_status take_first_levels(cells *c, bytes *b, int most, size_t n, uint8_t *out)
{
    uint32_t length;
    if (!out) return CAIRN_OK;
    if (left(b) < sizeof length) return damaged(c, "its levels are cut");
    memcpy(&length, b->at, sizeof length);
    b->at += sizeof length;
    if (length > left(b)) return damaged(c, "the length of its levels lies");
    CHECK(take_levels(c, (bytes){b->at, b->at + length}, most, n, out));
    b->at += length;
    return CAIRN_OK;
}

static cairn_status take_data(cells *c, const page *p, const bytes *packed)
{
    SCOPED_SCRATCH(c->ctx);
    bytes b;
    size_t n = (size_t)p->values, n_values = n;
    if (n > (size_t)c->chunk->values - c->chunk_levels) return damaged(c, "more cells than it has");
    uint8_t *definitions = c->definitions ? c->definitions + c->n_levels : NULL;
    uint8_t *repetitions = c->repetitions ? c->repetitions + c->n_levels : NULL;
    if (p->type == PAGE_DATA) {
        CHECK(unpack(c, packed, (size_t)p->unpacked, &b));
        CHECK(take_first_levels(c, &b, 1, n, repetitions));
        CHECK(take_first_levels(c, &b, c->column->definition, n, definitions));
    } else {
        size_t first = (size_t)p->repetition_bytes, second = (size_t)p->definition_bytes;
        if (first > left(packed) || second > left(packed) - first ||
            first + second > (size_t)p->unpacked)
            return damaged(c, "the length of its levels lies");
        bytes values = {packed->at + first + second, packed->end};
        if (repetitions)
            CHECK(take_levels(c, (bytes){packed->at, packed->at + first}, 1, n, repetitions));
        if (definitions)
            CHECK(take_levels(c, (bytes){packed->at + first, values.at}, c->column->definition, n,
                              definitions));
        b = values;
        if (p->is_packed) CHECK(unpack(c, &values, (size_t)p->unpacked - first - second, &b));
    }
    for (size_t i = 0; definitions && i < n; i++)
        n_values -= definitions[i] < c->column->definition;
    if (repetitions && !c->chunk_levels && n && repetitions[0])
        return damaged(c, "its first list has no beginning");
    CHECK(take_values(c, &b, p->encoding, n_values));
    c->chunk_levels += n;
    c->n_levels += n;
    c->n_values += n_values;
    return cairn_tick(c->ctx, NULL, 0, 0);
}

static cairn_status take_chunk(cells *c)
{
    bytes b;
    page p;
    size_t n = (size_t)c->chunk->values;
    c->chunk_levels = c->n_entries = 0;
    if (c->coded)
        c->first_entry = c->entries.n;
    else
        c->entries.n = 0;
    cairn_free(c->dictionary);
    c->dictionary = NULL;
    CHECK(find_pages(c, &b));
    while (left(&b) && c->chunk_levels < n) {
        CHECK(read_page(c, &b, &p));
        bytes packed = {b.at, b.at + p.packed};
        b.at = packed.end;
        if (p.type == PAGE_DICTIONARY) {
            SCOPED_SCRATCH(c->ctx);
            bytes all;
            if (c->n_entries) return damaged(c, "two dictionaries");
            CHECK(unpack(c, &packed, (size_t)p.unpacked, &all));
            CHECK(take_dictionary(c, &all, (size_t)p.values));
        } else if (is_data(&p)) {
            CHECK(take_data(c, &p, &packed));
        }
    }
    return c->chunk_levels == n ? CAIRN_OK : damaged(c, "it is cut");
}

/* The chunks of all groups. */
static cairn_status take_pages(cells *c)
{
    size_t j = (size_t)(c->column - c->f->columns);
    for (size_t g = 0; g < c->f->n_groups; g++) {
        c->chunk = &c->f->chunks[g * c->f->n_columns + j];
        if (c->chunk->values) CHECK(take_chunk(c));
    }
    return CAIRN_OK;
}

/* -- arrays -- */

/* Texts as an array's offsets and bytes, of which they are moved. Decimals that were written as
 * texts of bytes become numbers. */
static cairn_status give_texts(cells *c, const texts *t, struct ArrowArray *array,
                               const uint8_t *valid, size_t n)
{
    int64_t *starts;
    char *all;
    size_t k = 0, total = t->n ? (size_t)t->starts[t->n] : 0;
    CHECK(cairn_arrow_own(c->ctx, array, 1, (n + 1) * sizeof *starts, &starts));
    CHECK(cairn_arrow_own(c->ctx, array, 2, total + 1, &all));
    if (total) memcpy(all, t->bytes, total);
    for (size_t i = 0; i < n; i++) {
        if (!valid || valid[i / 8] >> i % 8 & 1) k++;
        starts[i + 1] = t->n ? t->starts[k] : 0;
    }
    return CAIRN_OK;
}

static cairn_status give_decimals(cells *c, const texts *t, struct ArrowArray *array,
                                  const uint8_t *valid, size_t n)
{
    cairn_decimal decimal;
    char *to;
    size_t k = 0;
    if (!cairn_decimal_format(c->column->format, &decimal)) return damaged(c, "its type");
    CHECK(cairn_arrow_own(c->ctx, array, 1, n * decimal.width, &to));
    for (size_t i = 0; i < n; i++) {
        if (valid && !(valid[i / 8] >> i % 8 & 1)) continue;
        const int64_t *start = t->starts + k++;
        if (!turn(to + i * decimal.width, decimal.width, (const uint8_t *)t->bytes + start[0],
                  (size_t)(start[1] - start[0])))
            return damaged(c, "a decimal has more digits than its type allows");
    }
    return CAIRN_OK;
}

/* Doubles without a value are not-a-number, so that they can be used where they lie. */
static const char *blank_of(const cells *c)
{
    static const double missing = NAN;
    static const char zeros[32];
    return c->column->type == CAIRN_PARQUET_DOUBLE ? (const char *)&missing : zeros;
}

/* Values of fixed width to their places, the last first; what is missing is `blank`. */
static void spread(char *values, size_t width, size_t n_values, const uint8_t *valid, size_t n,
                   const char *blank)
{
    for (size_t i = n; n_values < n && i-- > 0;) {
        if (!(valid[i / 8] >> i % 8 & 1))
            memcpy(values + i * width, blank, width);
        else if (--n_values < i)
            memcpy(values + i * width, values + n_values * width, width);
        else
            break;
    }
}

/* The n cells (or items) of an array, of which those without a bit in `valid` (NULL = none) are
 * missing. */
static cairn_status give_cells(cells *c, struct ArrowArray *array, const uint8_t *valid, size_t n)
{
    void *to;
    if (c->coded) {
        CHECK(cairn_arrow_own(c->ctx, array, 1, n * sizeof *c->codes, &to));
        if (c->n_values) memcpy(to, c->codes, c->n_values * sizeof *c->codes);
        spread(to, sizeof *c->codes, c->n_values, valid, n, "\0\0\0");
        CHECK(cairn_arrow_array_dictionary(c->ctx, array, c->entries.n, 3));
        return give_texts(c, &c->entries, array->dictionary, NULL, c->entries.n);
    }
    if (!c->width && c->column->format[0] == 'd')
        return give_decimals(c, &c->texts, array, valid, n);
    if (!c->width) return give_texts(c, &c->texts, array, valid, n);
    spread(c->values, c->width, c->n_values, valid, n, blank_of(c));
    return CAIRN_OK;
}

/* Bits of what is there among the levels from `least` on. */
static cairn_status give_validity(cells *c, struct ArrowArray *array, size_t n, int least,
                                  const uint8_t **out)
{
    uint8_t *bits;
    size_t i = 0, missing = 0;
    CHECK(cairn_arrow_own(c->ctx, array, 0, n / 8 + 1, &bits));
    for (size_t k = 0; k < c->n_levels; k++) {
        if (c->definitions[k] < least) continue;
        bool there = c->definitions[k] == c->column->definition;
        if (there) bits[i / 8] |= (uint8_t)(1u << i % 8);
        missing += !there;
        i++;
    }
    array->null_count = (int64_t)missing;
    *out = bits;
    return CAIRN_OK;
}

/* Lists begin where the repetition is 0; below the level of a list in it, it is empty, and two
 * below, missing. */
static cairn_status give_lists(cells *c, struct ArrowArray *parent, size_t j, size_t n_rows)
{
    int least = c->column->list_definition;
    uint8_t *bits;
    int64_t *starts;
    size_t row = 0, items = 0, missing = 0;
    const uint8_t *valid;
    CHECK(cairn_arrow_array_child(c->ctx, parent, j, n_rows, 2, 1));
    struct ArrowArray *array = parent->children[j];
    CHECK(cairn_arrow_own(c->ctx, array, 0, n_rows / 8 + 1, &bits));
    CHECK(cairn_arrow_own(c->ctx, array, 1, (n_rows + 1) * sizeof *starts, &starts));
    for (size_t k = 0; k < c->n_levels; k++) {
        if (c->repetitions[k] == 0) {
            if (row == n_rows) return damaged(c, "more rows than its groups");
            starts[row] = (int64_t)items;
            bool there = c->definitions[k] >= least - 1;
            if (there) bits[row / 8] |= (uint8_t)(1u << row % 8);
            missing += !there;
            row++;
        }
        items += c->definitions[k] >= least;
    }
    if (row != n_rows) return damaged(c, "fewer rows than its groups");
    starts[n_rows] = (int64_t)items;
    array->null_count = (int64_t)missing;
    CHECK(cairn_arrow_array_child(c->ctx, array, 0, items, c->width || c->coded ? 2 : 3, 0));
    struct ArrowArray *inner = array->children[0];
    if (c->width && !c->coded) {
        char *to;
        CHECK(cairn_arrow_own(c->ctx, inner, 1, items * c->width, &to));
        if (c->n_values) memcpy(to, c->values, c->n_values * c->width);
        CHECK(give_validity(c, inner, items, least, &valid));
        spread(to, c->width, c->n_values, valid, items, blank_of(c));
        return CAIRN_OK;
    }
    CHECK(give_validity(c, inner, items, least, &valid));
    return give_cells(c, inner, valid, items);
}

/* Bytes of a value in memory; 0 for texts. */
static size_t kept_width(const cairn_parquet_column *column)
{
    cairn_decimal decimal;
    if (column->type == CAIRN_PARQUET_BYTE_ARRAY) return 0;
    if (column->type == CAIRN_PARQUET_INT96) return 8;
    if (column->type == CAIRN_PARQUET_FIXED && cairn_decimal_format(column->format, &decimal))
        return decimal.width;
    return stored_width(column);
}

/* How many cells the chunks say they have; those of columns without lists as many as rows. */
static cairn_status count_levels(cells *c, size_t *out)
{
    size_t j = (size_t)(c->column - c->f->columns);
    *out = 0;
    for (size_t g = 0; g < c->f->n_groups; g++) {
        c->chunk = &c->f->chunks[g * c->f->n_columns + j];
        if (c->chunk->values < 0 || c->chunk->values > UINT32_MAX ||
            (!c->column->list_definition && (size_t)c->chunk->values != c->f->rows[g]))
            return damaged(c, "it has not as many cells as its group");
        *out += (size_t)c->chunk->values;
    }
    return *out > UINT32_MAX ? damaged(c, "it has more cells than a table can have") : CAIRN_OK;
}

static cairn_status give_array(cells *c, struct ArrowArray *parent, size_t j, size_t n_rows)
{
    size_t n_levels;
    bool list = c->column->list_definition > 0;
    const uint8_t *valid = NULL;
    CHECK(count_levels(c, &n_levels));
    if (c->column->definition) CHECK(NEW(c->ctx, &c->definitions, n_levels));
    if (list) CHECK(NEW(c->ctx, &c->repetitions, n_levels));
    if (c->coded) CHECK(NEW_RAW(c->ctx, &c->codes, n_levels));
    if (list) {
        if (c->width && !c->coded) CHECK(NEW_RAW(c->ctx, &c->values, n_levels * c->width));
        CHECK(take_pages(c));
        return give_lists(c, parent, j, n_rows);
    }
    bool plain_text = !c->width && !c->coded && c->column->format[0] != 'd';
    CHECK(cairn_arrow_array_child(c->ctx, parent, j, n_rows, plain_text ? 3 : 2, 0));
    struct ArrowArray *array = parent->children[j];
    if (c->width && !c->coded)
        CHECK(cairn_arrow_own(c->ctx, array, 1, n_rows * c->width, &c->values));
    CHECK(take_pages(c));
    if (c->definitions) CHECK(give_validity(c, array, n_rows, 0, &valid));
    cairn_status status = give_cells(c, array, valid, n_rows);
    c->values = NULL; /* the array's */
    return status;
}

cairn_status cairn_parquet_cells(cairn_context *ctx, const cairn_parquet_file *file, size_t j,
                                 bool coded, struct ArrowArray *parent)
{
    cells c = {.ctx = ctx,
               .f = file,
               .column = &file->columns[j],
               .coded = coded,
               .width = kept_width(&file->columns[j])};
    cairn_status status = give_array(&c, parent, j, (size_t)parent->length);
    if (c.column->list_definition) cairn_free(c.values);
    cairn_free(c.definitions);
    cairn_free(c.repetitions);
    cairn_free(c.codes);
    cairn_free(c.dictionary);
    cairn_free(c.texts.starts);
    cairn_free(c.texts.bytes);
    cairn_free(c.entries.starts);
    cairn_free(c.entries.bytes);
    return status;
}

/* The heads of all pages say so. */
cairn_status cairn_parquet_is_coded(cairn_context *ctx, const cairn_parquet_file *file, size_t j,
                                    bool *coded)
{
    *coded = file->columns[j].type == CAIRN_PARQUET_BYTE_ARRAY && file->columns[j].format[0] == 'U';
    for (size_t g = 0; g < file->n_groups && *coded; g++) {
        cells c = {.ctx = ctx,
                   .f = file,
                   .column = &file->columns[j],
                   .chunk = &file->chunks[g * file->n_columns + j]};
        bytes b;
        page p;
        CHECK(find_pages(&c, &b));
        for (int64_t n = 0; left(&b) && n < c.chunk->values && *coded;) {
            CHECK(read_page(&c, &b, &p));
            b.at += p.packed;
            if (!is_data(&p)) continue;
            n += p.values;
            *coded = is_coded(p.encoding);
        }
    }
    return CAIRN_OK;
}
