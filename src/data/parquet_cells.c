/* SPDX-License-Identifier: MIT */
/* The cells of a column of a Parquet file.
 *
 * The pages of its chunks are read one after the other: their levels, which say what is missing and
 * where lists begin, and the values that are there, packed. Numbers and times become doubles at
 * their places in the table, texts with a dictionary the codes of levels; other texts, and lists,
 * become an array of the Arrow C data interface. Every length is compared with the bytes there are
 * before it is used. */
#include "base/memory.h"
#include "base/text.h"
#include "base/unpack.h"
#include "data/array.h"
#include "data/arrow.h"
#include "data/arrow_decimal.h"
#include "data/mapped.h"
#include "data/odd_numbers.h"
#include "data/parquet.h"
#include <math.h>
#include <stdio.h>
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

/* Memory that is used again from page to page. */
typedef struct buffer {
    uint8_t *bytes;
    size_t capacity;
} buffer;

/* A column under way. Of flat columns a page is put to its rows at once; of lists, levels and
 * values are kept apart until all are there. */
typedef struct cells {
    cairn_context *ctx;
    const cairn_parquet_file *f;
    const cairn_parquet_column *column;
    const cairn_parquet_chunk *chunk;
    size_t group;
    bool coded;    /* texts as codes */
    size_t stored; /* bytes of a value in the file; 0 = texts */
    bool is_decimal;
    cairn_decimal decimal;
    cairn_decoder decoder;
    double scale; /* seconds of a unit */
    /* What comes out: numbers, codes or texts. */
    double *numbers;
    int32_t *codes;
    cairn_map *names;
    texts texts;
    uint8_t *valid; /* bits of flat texts */
    size_t n_missing;
    bool rounded;
    cairn_decimal_loss loss;
    uint8_t *definitions, *repetitions; /* of lists */
    size_t n_levels, n_values;
    size_t chunk_levels; /* of those, in the chunk under way */
    /* The dictionary of the chunk. */
    double *entries;
    int32_t *entry_codes;
    texts entry_texts;
    size_t n_entries, entries_capacity, codes_capacity;
    buffer page, levels, places, joined;
} cells;

cairn_status cairn_parquet_damaged(cairn_context *ctx, const cairn_parquet_file *file, size_t j,
                                   size_t group, const char *what)
{
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "%s: the Parquet data are damaged: column '%s', row group %zu: %s; write the "
                      "file again",
                      file->name, file->columns[j].name, group + 1, what);
}

static size_t number_of(const cells *c)
{
    return (size_t)(c->column - c->f->columns);
}

static cairn_status damaged(const cells *c, const char *what)
{
    return cairn_parquet_damaged(c->ctx, c->f, number_of(c), c->group, what);
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

static cairn_status reserve(const cells *c, buffer *to, size_t size)
{
    if (size <= to->capacity && to->bytes) return CAIRN_OK;
    cairn_free(to->bytes);
    *to = (buffer){0};
    CHECK(NEW_RAW(c->ctx, &to->bytes, size + 8));
    to->capacity = size;
    return CAIRN_OK;
}

/* What a page holds, unpacked where it was packed. */
static cairn_status unpack(cells *c, const bytes *packed, size_t size, bytes *out)
{
    cairn_codec codec;
    *out = *packed;
    if (c->chunk->codec == 0) return CAIRN_OK;
    CHECK(codec_of(c, &codec));
    if (!size && !left(packed)) return CAIRN_OK;
    if (!cairn_unpack_possible(codec, packed->at, left(packed), size))
        return damaged(c, "the length of a packed page lies");
    CHECK(reserve(c, &c->page, size));
    if (!cairn_unpack(codec, c->page.bytes, size, packed->at, left(packed)))
        return damaged(c, "a page cannot be unpacked");
    *out = (bytes){c->page.bytes, c->page.bytes + size};
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

/* n numbers of `width` bits side by side, at most 32 each. As long as eight bytes are there for
 * each of the next eight numbers, they are loaded without looking for the end. */
static void unpack_bits(const uint8_t *at, const uint8_t *end, int width, size_t n, uint32_t *out)
{
    size_t i = 0, step = (size_t)width;
    uint32_t mask = width == 32 ? UINT32_MAX : ((uint32_t)1 << width) - 1;
    for (; i + 8 <= n && (size_t)(end - at) >= step + 8; i += 8, at += step)
        for (size_t k = 0; k < 8; k++) {
            uint64_t word;
            memcpy(&word, at + k * step / 8, sizeof word);
            out[i + k] = (uint32_t)(word >> k * step % 8) & mask;
        }
    for (size_t k = 0; i < n; i++, k++) out[i] = (uint32_t)bits_at(at, k, width, end);
}

/* A run of numbers: `value` repeated, or `packed` side by side up to `end`. */
typedef struct run {
    size_t count;
    bool repeated;
    uint32_t value;
    const uint8_t *packed, *end;
} run;

/* The next run of numbers of `width` bits, of at most n; the last one may be cut. */
static bool next_run(bytes *b, int width, size_t n, run *out)
{
    uint64_t head, value = 0;
    size_t value_bytes = ((size_t)width + 7) / 8;
    if (!take_varint(b, &head)) return false;
    out->repeated = !(head & 1);
    out->count = head >> 1;
    if (out->repeated) {
        if (left(b) < value_bytes) return false;
        memcpy(&value, b->at, value_bytes);
        out->value = (uint32_t)value;
        b->at += value_bytes;
    } else if (!width) {
        out->repeated = true;
        out->value = 0;
        out->count = out->count > n ? n : out->count * 8;
    } else {
        size_t length = out->count > left(b) ? left(b) : out->count * (size_t)width;
        if (length > left(b)) length = left(b);
        out->packed = b->at;
        out->end = b->end; /* to be looked at, though the run ends before */
        b->at += length;
        out->count = length * 8 / (size_t)width;
    }
    if (out->count > n) out->count = n;
    return out->count > 0;
}

static bool take_runs(bytes *b, int width, size_t n, uint32_t *out)
{
    run r;
    for (size_t i = 0; i < n; i += r.count) {
        if (!next_run(b, width, n - i, &r)) return false;
        if (!r.repeated)
            unpack_bits(r.packed, r.end, width, r.count, out + i);
        else
            for (size_t k = 0; k < r.count; k++) out[i + k] = r.value;
    }
    return true;
}

static int width_of(int most)
{
    int width = 0;
    while (most >> width) width++;
    return width;
}

/* Levels of n cells, none above `most`; `b` holds them alone. With *all nothing is written when a
 * single run says that all are at the highest, as it does where nothing is missing. */
static cairn_status take_levels(const cells *c, bytes b, int most, size_t n, uint8_t *out,
                                bool *all)
{
    int width = width_of(most);
    uint8_t highest = 0;
    run r;
    if (all) *all = false;
    for (size_t i = 0; i < n; i += r.count) {
        if (!next_run(&b, width, n - i, &r)) return damaged(c, "its levels are cut");
        if (r.repeated) {
            if (r.value > (uint32_t)most) return damaged(c, "a level that there is not");
            if (all && r.count == n && r.value == (uint32_t)most) {
                *all = true;
                return CAIRN_OK;
            }
            memset(out + i, (int)r.value, r.count);
            continue;
        }
        for (size_t k = 0; width == 1 && k < r.count; k++)
            out[i + k] = r.packed[k / 8] >> k % 8 & 1;
        for (size_t k = 0; width > 1 && k < r.count; k++) {
            out[i + k] = (uint8_t)bits_at(r.packed, k, width, r.end);
            if (out[i + k] > highest) highest = out[i + k];
        }
    }
    return highest > most ? damaged(c, "a level that there is not") : CAIRN_OK;
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

static cairn_status room_for_texts(cells *c, texts *t, size_t n, size_t size)
{
    CHECK(GROW(c->ctx, &t->starts, &t->capacity, t->n + n + 1));
    if (!t->n) t->starts[0] = 0;
    return GROW(c->ctx, &t->bytes, &t->bytes_capacity, (size_t)t->starts[t->n] + size + 1);
}

/* A text for which there is room, behind `shared` bytes of the one before it. */
static void add_text(texts *t, size_t shared, const uint8_t *text, size_t n)
{
    size_t at = (size_t)t->starts[t->n];
    if (shared) memmove(t->bytes + at, t->bytes + t->starts[t->n - 1], shared);
    if (n) memcpy(t->bytes + at + shared, text, n);
    t->starts[++t->n] = (int64_t)(at + shared + n);
}

static cairn_status plain_texts(cells *c, bytes *b, size_t n, texts *out)
{
    if (n > left(b) / sizeof(uint32_t)) return damaged(c, "its texts are cut");
    CHECK(room_for_texts(c, out, n, left(b)));
    for (size_t i = 0; i < n; i++) {
        uint32_t length;
        if (left(b) < sizeof length) return damaged(c, "its texts are cut");
        memcpy(&length, b->at, sizeof length);
        b->at += sizeof length;
        if (length > left(b)) return damaged(c, "the length of a text lies");
        add_text(out, 0, b->at, length);
        b->at += length;
    }
    return CAIRN_OK;
}

/* Lengths of what begins as the text before it (of none without `prefixes`), lengths of the rest,
 * and the bytes of that. */
static cairn_status delta_texts(cells *c, bytes *b, size_t n, texts *t, bool prefixes)
{
    SCOPED_SCRATCH(c->ctx);
    int64_t *common = NULL, *lengths;
    CHECK(SCRATCH_RAW(c->ctx, &lengths, n));
    if (prefixes) CHECK(SCRATCH_RAW(c->ctx, &common, n));
    if ((prefixes && !take_differences(b, n, common)) || !take_differences(b, n, lengths))
        return damaged(c, "the lengths of its texts are cut");
    CHECK(room_for_texts(c, t, n, left(b)));
    for (size_t i = 0; i < n; i++) {
        int64_t before = i ? t->starts[t->n] - t->starts[t->n - 1] : 0;
        int64_t shared = prefixes ? common[i] : 0;
        if (lengths[i] < 0 || (uint64_t)lengths[i] > left(b) || shared < 0 || shared > before)
            return damaged(c, "the length of a text lies");
        if (shared) CHECK(room_for_texts(c, t, n - i, (size_t)shared + left(b)));
        add_text(t, (size_t)shared, b->at, (size_t)lengths[i]);
        b->at += lengths[i];
    }
    return CAIRN_OK;
}

/* -- numbers -- */

/* Bytes of a value in the file; 0 = texts. */
static size_t stored_width(const cairn_parquet_column *column)
{
    static const unsigned char widths[] = {1, 4, 8, 12, 4, 8, 0};
    return column->type < CAIRN_PARQUET_FIXED ? widths[column->type] : column->width;
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

/* A decimal, whose bytes stand the other way round where it is not stored as a whole number. */
static cairn_status read_decimal(cells *c, const uint8_t *from, size_t n, double *out)
{
    enum { WIDEST = 32 };
    char number[WIDEST];
    bool fits = true;
    if (c->column->type >= CAIRN_PARQUET_BYTE_ARRAY)
        fits = turn(number, c->decimal.width, from, n);
    else
        memcpy(number, from, n);
    if (!fits || !cairn_decimal_read(&c->decimal, number, out, &c->loss))
        return damaged(c, "a decimal has more digits than its type allows");
    return CAIRN_OK;
}

/* Nanoseconds within a day and a Julian day, as seconds since 1970. */
static double since_1970(const uint8_t *at)
{
    enum { JULIAN_1970 = 2440588 };
    uint64_t nanoseconds;
    int32_t day;
    memcpy(&nanoseconds, at, sizeof nanoseconds);
    memcpy(&day, at + sizeof nanoseconds, sizeof day);
    nanoseconds += (uint64_t)((int64_t)day - JULIAN_1970) * 86400000000000u;
    return (double)(int64_t)nanoseconds * 1e-9;
}

/* n values as they are stored become doubles. */
static cairn_status widen(cells *c, const uint8_t *from, size_t n, double *out)
{
    enum { BEYOND = 8 };
    cairn_parquet_type type = c->column->type;
    if (type == CAIRN_PARQUET_INT96) {
        for (size_t i = 0; i < n; i++) out[i] = since_1970(from + i * c->stored);
        return CAIRN_OK;
    }
    for (size_t i = 0; c->is_decimal && i < n; i++)
        CHECK(read_decimal(c, from + i * c->stored, c->stored, &out[i]));
    if (c->is_decimal) return CAIRN_OK;
    c->decoder(out, (const char *)from, c->stored, n);
    for (size_t i = 0; c->scale != 1 && i < n; i++) out[i] *= c->scale;
    bool whole = type == CAIRN_PARQUET_INT64 && c->scale == 1, rounded = c->rounded;
    for (size_t i = 0; whole && i < n; i++) rounded |= fabs(out[i]) > 9007199254740992.0;
    c->rounded = rounded;
    return CAIRN_OK;
}

static cairn_status plain_numbers(cells *c, bytes *b, size_t n, double *out)
{
    if (c->column->type == CAIRN_PARQUET_BOOLEAN) {
        if ((n + 7) / 8 > left(b)) return damaged(c, "its values are cut");
        for (size_t i = 0; i < n; i++) out[i] = b->at[i / 8] >> i % 8 & 1;
        b->at += (n + 7) / 8;
        return CAIRN_OK;
    }
    if (n > left(b) / c->stored) return damaged(c, "its values are cut");
    CHECK(widen(c, b->at, n, out));
    b->at += n * c->stored;
    return CAIRN_OK;
}

static cairn_status delta_numbers(cells *c, bytes *b, size_t n, double *out)
{
    SCOPED_SCRATCH(c->ctx);
    int64_t *numbers;
    CHECK(SCRATCH_RAW(c->ctx, &numbers, n));
    if (!take_differences(b, n, numbers)) return damaged(c, "its differences are cut");
    for (size_t i = 0; c->stored == 4 && i < n; i++) {
        int32_t small = (int32_t)numbers[i];
        memcpy((char *)numbers + i * sizeof small, &small, sizeof small);
    }
    return widen(c, (const uint8_t *)numbers, n, out);
}

/* The first bytes of all values, then the second ones. */
static cairn_status split_numbers(cells *c, bytes *b, size_t n, double *out)
{
    if (n > left(b) / c->stored) return damaged(c, "its values are cut");
    CHECK(reserve(c, &c->joined, n * c->stored));
    for (size_t k = 0; k < c->stored; k++)
        for (size_t i = 0; i < n; i++) c->joined.bytes[i * c->stored + k] = b->at[k * n + i];
    b->at += n * c->stored;
    return widen(c, c->joined.bytes, n, out);
}

static cairn_status run_booleans(cells *c, bytes *b, size_t n, double *out)
{
    enum { LENGTH = 4 };
    CHECK(reserve(c, &c->places, n * sizeof(uint32_t)));
    uint32_t *bits = (uint32_t *)(void *)c->places.bytes;
    if (left(b) < LENGTH) return damaged(c, "its values are cut");
    b->at += LENGTH;
    if (!take_runs(b, 1, n, bits)) return damaged(c, "its values are cut");
    for (size_t i = 0; i < n; i++) out[i] = bits[i];
    return CAIRN_OK;
}

/* Decimals that are stored as texts of bytes. */
static cairn_status text_decimals(cells *c, texts *t, double *out)
{
    for (size_t i = 0; i < t->n; i++) {
        size_t length = (size_t)(t->starts[i + 1] - t->starts[i]);
        CHECK(read_decimal(c, (const uint8_t *)t->bytes + t->starts[i], length, &out[i]));
    }
    t->n = 0;
    return CAIRN_OK;
}

/* -- values -- */

/* Places in the dictionary, whose bits stand in front. */
static cairn_status take_places(cells *c, bytes *b, size_t n, const uint32_t **out)
{
    CHECK(reserve(c, &c->places, n * sizeof **out));
    uint32_t *places = (uint32_t *)(void *)c->places.bytes, most = 0;
    *out = places;
    if (!n) return CAIRN_OK;
    if (!left(b)) return damaged(c, "its codes are cut");
    int width = *b->at++;
    if (width > 32 || !take_runs(b, width, n, places)) return damaged(c, "its codes are cut");
    for (size_t i = 0; i < n; i++) most = places[i] > most ? places[i] : most;
    return most < c->n_entries ? CAIRN_OK : damaged(c, "a code lies outside its dictionary");
}

/* The texts of n places in the dictionary, behind those there are. */
static cairn_status copy_entries(cells *c, bytes *b, size_t n)
{
    const texts *from = &c->entry_texts;
    const uint32_t *places;
    size_t total = 0;
    CHECK(take_places(c, b, n, &places));
    for (size_t i = 0; i < n; i++)
        total += (size_t)(from->starts[places[i] + 1] - from->starts[places[i]]);
    CHECK(room_for_texts(c, &c->texts, n, total));
    for (size_t i = 0; i < n; i++) {
        const int64_t *start = from->starts + places[i];
        add_text(&c->texts, 0, (const uint8_t *)from->bytes + start[0],
                 (size_t)(start[1] - start[0]));
    }
    return CAIRN_OK;
}

/* n numbers or codes of one place in the dictionary. */
static bool repeat_entry(const cells *c, uint32_t place, size_t n, size_t at)
{
    if (place >= c->n_entries) return false;
    for (size_t i = 0; c->numbers && i < n; i++) c->numbers[at + i] = c->entries[place];
    for (size_t i = 0; c->codes && i < n; i++) c->codes[at + i] = c->entry_codes[place];
    return true;
}

/* Numbers or codes of places side by side, as many at once as stay close by. */
static bool look_up(const cells *c, const run *r, int width, size_t at)
{
    enum { BLOCK = 512 };
    uint32_t places[BLOCK];
    for (size_t k = 0; k < r->count; k += BLOCK) {
        size_t n = r->count - k < BLOCK ? r->count - k : BLOCK;
        uint32_t most = 0;
        unpack_bits(r->packed + k / 8 * (size_t)width, r->end, width, n, places);
        for (size_t i = 0; i < n; i++) most = places[i] > most ? places[i] : most;
        if (most >= c->n_entries) return false;
        double *numbers = c->numbers ? c->numbers + at + k : NULL;
        int32_t *codes = c->codes ? c->codes + at + k : NULL;
        for (size_t i = 0; numbers && i < n; i++) numbers[i] = c->entries[places[i]];
        for (size_t i = 0; codes && i < n; i++) codes[i] = c->entry_codes[places[i]];
    }
    return true;
}

static cairn_status take_from_dictionary(cells *c, bytes *b, size_t n, size_t at)
{
    run r;
    if (!c->numbers && !c->codes) return copy_entries(c, b, n);
    if (!n) return CAIRN_OK;
    if (!left(b)) return damaged(c, "its codes are cut");
    int width = *b->at++;
    for (size_t i = 0; i < n; i += r.count) {
        if (width > 32 || !next_run(b, width, n - i, &r)) return damaged(c, "its codes are cut");
        if (r.repeated ? !repeat_entry(c, r.value, r.count, at + i)
                       : !look_up(c, &r, width, at + i))
            return damaged(c, "a code lies outside its dictionary");
    }
    return CAIRN_OK;
}

static cairn_status refuse_encoding(const cells *c, int encoding)
{
    static const char *const names[] = {"PLAIN",
                                        "1",
                                        "PLAIN_DICTIONARY",
                                        "RLE",
                                        "BIT_PACKED",
                                        "DELTA_BINARY_PACKED",
                                        "DELTA_LENGTH_BYTE_ARRAY",
                                        "DELTA_BYTE_ARRAY",
                                        "RLE_DICTIONARY",
                                        "BYTE_STREAM_SPLIT"};
    char number[16];
    snprintf(number, sizeof number, "%d", encoding);
    bool known = encoding >= 0 && (size_t)encoding < sizeof names / sizeof *names;
    return cairn_fail(c->ctx, CAIRN_BAD_DATA,
                      "%s: column '%s', row group %zu has the encoding %s, which cannot be read "
                      "for its type; write it with the encodings PLAIN or RLE_DICTIONARY",
                      c->f->name, c->column->name, c->group + 1, known ? names[encoding] : number);
}

static cairn_status take_numbers(cells *c, bytes *b, int encoding, size_t n, double *out)
{
    cairn_parquet_type type = c->column->type;
    bool whole = type == CAIRN_PARQUET_INT32 || type == CAIRN_PARQUET_INT64;
    if (encoding == ENCODING_PLAIN) return plain_numbers(c, b, n, out);
    if (encoding == ENCODING_DELTA && whole) return delta_numbers(c, b, n, out);
    if (encoding == ENCODING_SPLIT && type != CAIRN_PARQUET_BOOLEAN)
        return split_numbers(c, b, n, out);
    if (encoding == ENCODING_RLE && type == CAIRN_PARQUET_BOOLEAN)
        return run_booleans(c, b, n, out);
    return refuse_encoding(c, encoding);
}

static cairn_status take_texts(cells *c, bytes *b, int encoding, size_t n, texts *out)
{
    if (encoding == ENCODING_PLAIN) return plain_texts(c, b, n, out);
    if (encoding == ENCODING_DELTA_LENGTHS || encoding == ENCODING_DELTA_TEXTS)
        return delta_texts(c, b, n, out, encoding == ENCODING_DELTA_TEXTS);
    return refuse_encoding(c, encoding);
}

/* n values of a page, from number `at` on; texts behind those there are. */
static cairn_status take_values(cells *c, bytes *b, int encoding, size_t n, size_t at)
{
    double *out = c->numbers ? c->numbers + at : NULL;
    if (is_coded(encoding)) return take_from_dictionary(c, b, n, at);
    if (c->coded) return refuse_encoding(c, encoding);
    if (c->stored) return take_numbers(c, b, encoding, n, out);
    CHECK(take_texts(c, b, encoding, n, &c->texts));
    return out ? text_decimals(c, &c->texts, out) : CAIRN_OK;
}

/* -- chunks -- */

/* Levels by their names: numbers that all chunks share. */
static cairn_status number_names(cells *c)
{
    const texts *t = &c->entry_texts;
    CHECK(GROW(c->ctx, &c->entry_codes, &c->codes_capacity, t->n + 1));
    for (size_t i = 0; i < t->n; i++) {
        const char *text = t->bytes + t->starts[i];
        size_t length = (size_t)(t->starts[i + 1] - t->starts[i]), code;
        if (cairn_utf8_check(text, length) < length)
            return damaged(c, "one of its texts is not UTF-8");
        CHECK(cairn_map_add(c->ctx, c->names, text, length, &code));
        c->entry_codes[i] = (int32_t)code;
    }
    return CAIRN_OK;
}

static cairn_status take_dictionary(cells *c, const page *p, const bytes *packed)
{
    bytes b;
    size_t n = (size_t)p->values;
    if (c->n_entries) return damaged(c, "two dictionaries");
    CHECK(unpack(c, packed, (size_t)p->unpacked, &b));
    if (n > left(&b) * 8) return damaged(c, "its dictionary is cut");
    c->n_entries = n;
    if (c->numbers) CHECK(GROW(c->ctx, &c->entries, &c->entries_capacity, n + 1));
    if (c->stored) return plain_numbers(c, &b, n, c->entries);
    c->entry_texts.n = 0;
    CHECK(plain_texts(c, &b, n, &c->entry_texts));
    if (c->numbers) return text_decimals(c, &c->entry_texts, c->entries);
    return c->coded ? number_names(c) : CAIRN_OK;
}

/* Levels in front of the values in pages of the first kind, each behind its length. */
static cairn_status first_levels(cells *c, bytes *b, bytes *out)
{
    uint32_t length;
    if (left(b) < sizeof length) return damaged(c, "its levels are cut");
    memcpy(&length, b->at, sizeof length);
    b->at += sizeof length;
    if (length > left(b)) return damaged(c, "the length of its levels lies");
    *out = (bytes){b->at, b->at + length};
    b->at += length;
    return CAIRN_OK;
}

/* The parts of a page: its levels, and its values, unpacked. */
static cairn_status take_apart(cells *c, const page *p, const bytes *packed, bytes *repetitions,
                               bytes *definitions, bytes *values)
{
    if (p->type == PAGE_DATA) {
        CHECK(unpack(c, packed, (size_t)p->unpacked, values));
        if (c->column->list_definition) CHECK(first_levels(c, values, repetitions));
        return c->column->definition ? first_levels(c, values, definitions) : CAIRN_OK;
    }
    size_t first = (size_t)p->repetition_bytes, second = (size_t)p->definition_bytes;
    if (first > left(packed) || second > left(packed) - first ||
        first + second > (size_t)p->unpacked)
        return damaged(c, "the length of its levels lies");
    *repetitions = (bytes){packed->at, packed->at + first};
    *definitions = (bytes){repetitions->end, repetitions->end + second};
    *values = (bytes){definitions->end, packed->end};
    if (!p->is_packed) return CAIRN_OK;
    bytes rest = *values;
    return unpack(c, &rest, (size_t)p->unpacked - first - second, values);
}

/* The values of a page that are there, from row `at` on, go to their places among n rows, the last
 * first. */
static void spread(cells *c, const uint8_t *levels, size_t n, size_t n_values, size_t at)
{
    int there = c->column->definition;
    double *numbers = c->numbers ? c->numbers + at : NULL;
    int32_t *codes = c->codes ? c->codes + at : NULL;
    for (size_t i = n, k = n_values; numbers && k < i; k -= levels[i] == there) {
        i--;
        numbers[i] = levels[i] == there ? numbers[k - 1] : NAN;
    }
    for (size_t i = n, k = n_values; codes && k < i; k -= levels[i] == there) {
        i--;
        codes[i] = levels[i] == there ? codes[k - 1] : -1;
    }
}

static void mark_valid(cells *c, const uint8_t *levels, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t row = c->n_levels + i;
        if (!levels || levels[i] == c->column->definition)
            c->valid[row / 8] |= (uint8_t)(1u << row % 8);
    }
}

/* Real numbers may be infinite, which no table holds, and NaN, which is a missing one. */
static bool count_reals(cells *c, const double *numbers, size_t n)
{
    if (c->column->type != CAIRN_PARQUET_DOUBLE && c->column->type != CAIRN_PARQUET_FLOAT &&
        c->column->format[0] != 'e')
        return true;
    cairn_odd_numbers odd = cairn_count_odd(numbers, n);
    c->n_missing += odd.n_missing;
    return !odd.n_infinite;
}

static cairn_status refuse_infinite(const cells *c, const double *numbers)
{
    size_t row = c->chunk_levels;
    for (size_t g = 0; g < c->group; g++) row += c->f->groups[g].rows;
    return cairn_in_file(c->ctx, c->f->name,
                         cairn_refuse_infinite(c->ctx, c->column->name, numbers, row));
}

/* A page of a flat column. */
static cairn_status take_rows(cells *c, const page *p, bytes definitions, bytes *values)
{
    size_t n = (size_t)p->values, n_values = n, at = c->n_levels;
    const uint8_t *levels = NULL;
    bool all = true;
    if (c->column->definition) {
        CHECK(reserve(c, &c->levels, n));
        CHECK(take_levels(c, definitions, c->column->definition, n, c->levels.bytes, &all));
    }
    if (!all) levels = c->levels.bytes;
    for (size_t i = 0; levels && i < n; i++) n_values -= levels[i] != c->column->definition;
    CHECK(take_values(c, values, p->encoding, n_values, at));
    bool finite = !c->numbers || count_reals(c, c->numbers + at, n_values);
    if (levels) spread(c, levels, n, n_values, at);
    if (!finite) return refuse_infinite(c, c->numbers + at);
    if (c->valid) mark_valid(c, levels, n);
    c->n_missing += n - n_values;
    return CAIRN_OK;
}

/* A page of a column of lists. */
static cairn_status take_items(cells *c, const page *p, bytes repetitions, bytes definitions,
                               bytes *values)
{
    size_t n = (size_t)p->values, n_values = n;
    uint8_t *levels = c->definitions + c->n_levels, *starts = c->repetitions + c->n_levels;
    CHECK(take_levels(c, repetitions, 1, n, starts, NULL));
    CHECK(take_levels(c, definitions, c->column->definition, n, levels, NULL));
    if (!c->chunk_levels && n && starts[0]) return damaged(c, "its first list has no beginning");
    for (size_t i = 0; i < n; i++) n_values -= levels[i] != c->column->definition;
    CHECK(take_values(c, values, p->encoding, n_values, c->n_values));
    c->n_values += n_values;
    return CAIRN_OK;
}

static cairn_status take_data(cells *c, const page *p, const bytes *packed)
{
    SCOPED_SCRATCH(c->ctx);
    bytes repetitions, definitions, values;
    size_t n = (size_t)p->values;
    if (n > (size_t)c->chunk->values - c->chunk_levels) return damaged(c, "more cells than it has");
    CHECK(take_apart(c, p, packed, &repetitions, &definitions, &values));
    CHECK(c->definitions ? take_items(c, p, repetitions, definitions, &values)
                         : take_rows(c, p, definitions, &values));
    c->chunk_levels += n;
    c->n_levels += n;
    return cairn_tick(c->ctx, NULL, 0, 0);
}

/* The pages of a chunk; of one that is skipped no more than its dictionary. */
static cairn_status take_chunk(cells *c, bool skipped)
{
    bytes b;
    page p;
    size_t n = (size_t)c->chunk->values;
    c->chunk_levels = c->n_entries = 0;
    CHECK(find_pages(c, &b));
    while (left(&b) && c->chunk_levels < n) {
        CHECK(read_page(c, &b, &p));
        bytes packed = {b.at, b.at + p.packed};
        b.at = packed.end;
        if (skipped && p.type != PAGE_DICTIONARY) return CAIRN_OK;
        if (p.type == PAGE_DICTIONARY)
            CHECK(take_dictionary(c, &p, &packed));
        else if (is_data(&p))
            CHECK(take_data(c, &p, &packed));
    }
    return c->chunk_levels == n || skipped ? CAIRN_OK : damaged(c, "it is cut");
}

/* The chunks of n groups. */
static cairn_status take_chunks(cells *c, size_t first, size_t n)
{
    size_t j = number_of(c);
    for (c->group = first; c->group < first + n; c->group++) {
        bool skipped = !cairn_parquet_reads(c->f, j, c->group);
        c->chunk = &c->f->chunks[c->group * c->f->n_columns + j];
        if (!c->chunk->values || (skipped && !c->coded)) continue;
        CHECK(take_chunk(c, skipped));
    }
    return CAIRN_OK;
}

/* -- columns -- */

static cells start(cairn_context *ctx, const cairn_parquet_file *file, size_t j)
{
    const cairn_parquet_column *column = &file->columns[j];
    cells c = {.ctx = ctx, .f = file, .column = column, .scale = 1};
    char type = 'u';
    size_t width = 1;
    c.stored = stored_width(column);
    c.is_decimal = cairn_decimal_format(column->format, &c.decimal);
    if (!cairn_arrow_number_format(column->format, &type, &width) &&
        cairn_arrow_time_format(column->format, &width, &c.scale))
        type = 'i';
    c.decoder = cairn_array_decoder(type, width);
    return c;
}

static void clear(cells *c)
{
    void *const all[] = {c->definitions,  c->repetitions,       c->texts.starts,
                         c->texts.bytes,  c->entry_texts.bytes, c->entry_texts.starts,
                         c->entries,      c->entry_codes,       c->page.bytes,
                         c->levels.bytes, c->places.bytes,      c->joined.bytes};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) cairn_free(all[i]);
}

/* How many cells the chunks of some groups say they have; of columns without lists as many as
 * rows. */
static cairn_status count_levels(cells *c, size_t first, size_t n, size_t *out)
{
    size_t j = number_of(c);
    *out = 0;
    for (c->group = first; c->group < first + n; c->group++) {
        int64_t values = c->f->chunks[c->group * c->f->n_columns + j].values;
        if (values < 0 || values > UINT32_MAX ||
            (!c->column->list_definition && (size_t)values != c->f->groups[c->group].rows))
            return damaged(c, "it has not as many cells as its group");
        if (cairn_parquet_reads(c->f, j, c->group)) *out += (size_t)values;
    }
    return *out > UINT32_MAX ? damaged(c, "it has more cells than a table can have") : CAIRN_OK;
}

bool cairn_parquet_is_number(const cairn_parquet_column *column)
{
    return !column->list_definition && column->format[0] != 'U';
}

cairn_status cairn_parquet_numbers(cairn_context *ctx, const cairn_parquet_file *file,
                                   cairn_parquet_part *part, double *numbers)
{
    size_t n;
    cells c = start(ctx, file, part->column);
    c.numbers = numbers;
    cairn_status status = count_levels(&c, part->first, part->n_groups, &n);
    if (!status) status = take_chunks(&c, part->first, part->n_groups);
    part->n_missing = c.n_missing;
    part->rounded = c.rounded;
    part->loss = c.loss;
    clear(&c);
    return status;
}

cairn_status cairn_parquet_codes(cairn_context *ctx, const cairn_parquet_file *file, size_t j,
                                 cairn_column *column)
{
    size_t n;
    cells c = start(ctx, file, j);
    c.coded = true;
    c.codes = column->codes;
    c.names = &column->names;
    cairn_status status = count_levels(&c, 0, file->n_groups, &n);
    if (!status) status = take_chunks(&c, 0, file->n_groups);
    column->n_missing = c.n_missing;
    clear(&c);
    return status;
}

/* As they are stored, without a length where that is always the same. */
cairn_status cairn_parquet_said_numbers(cairn_context *ctx, const cairn_parquet_file *file,
                                        size_t j, size_t group, double out[2], bool *said)
{
    cells c = start(ctx, file, j);
    const cairn_parquet_range *range = &file->chunks[group * file->n_columns + j].range;
    const uint8_t *ends[2] = {range->least, range->most};
    size_t lengths[2] = {range->least_bytes, range->most_bytes};
    c.group = group;
    *said = range->least && range->most && c.column->type != CAIRN_PARQUET_INT96;
    for (size_t i = 0; i < 2 && *said; i++) {
        if (c.stored && lengths[i] != c.stored)
            return damaged(&c, "its statistics have values of another length");
        if (c.is_decimal)
            CHECK(read_decimal(&c, ends[i], lengths[i], &out[i]));
        else if (c.column->type == CAIRN_PARQUET_BOOLEAN)
            out[i] = *ends[i] & 1;
        else
            CHECK(widen(&c, ends[i], 1, &out[i]));
        *said &= !isnan(out[i]);
    }
    if (*said && out[0] > out[1])
        return damaged(&c, "its statistics say that the least value is above the greatest");
    if (range->missing > (int64_t)file->groups[group].rows)
        return damaged(&c, "its statistics say that more cells are missing than there are");
    return CAIRN_OK;
}

/* -- arrays -- */

/* Texts as an array's offsets and bytes, which are copied. */
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

/* Bits of what is there among the levels of items. */
static cairn_status give_validity(cells *c, struct ArrowArray *array, size_t n, const uint8_t **out)
{
    uint8_t *bits;
    size_t i = 0, missing = 0;
    CHECK(cairn_arrow_own(c->ctx, array, 0, n / 8 + 1, &bits));
    for (size_t k = 0; k < c->n_levels; k++) {
        if (c->definitions[k] < c->column->list_definition) continue;
        bool there = c->definitions[k] == c->column->definition;
        if (there) bits[i / 8] |= (uint8_t)(1u << i % 8);
        missing += !there;
        i++;
    }
    array->null_count = (int64_t)missing;
    *out = bits;
    return CAIRN_OK;
}

/* The items of all lists, one behind the other, of which some may be missing. */
static cairn_status give_items(cells *c, struct ArrowArray *array, size_t n)
{
    const uint8_t *valid;
    size_t width = c->coded ? sizeof *c->codes : sizeof *c->numbers, k = 0;
    char *to;
    CHECK(give_validity(c, array, n, &valid));
    if (!c->coded && !c->numbers) return give_texts(c, &c->texts, array, valid, n);
    const char *from = c->coded ? (const char *)c->codes : (const char *)c->numbers;
    CHECK(cairn_arrow_own(c->ctx, array, 1, n * width, &to));
    for (size_t i = 0; i < n; i++)
        if (valid[i / 8] >> i % 8 & 1) memcpy(to + i * width, from + k++ * width, width);
    if (!c->coded) return CAIRN_OK;
    CHECK(cairn_arrow_array_dictionary(c->ctx, array, c->names->n, 3));
    c->texts.n = 0;
    CHECK(room_for_texts(c, &c->texts, c->names->n, c->names->n_bytes));
    for (size_t i = 0; i < c->names->n; i++)
        add_text(&c->texts, 0, (const uint8_t *)cairn_map_key(c->names, i), c->names->lengths[i]);
    return give_texts(c, &c->texts, array->dictionary, NULL, c->names->n);
}

/* Lists begin where the repetition is 0; below the level of a list in it, it is empty, and two
 * below, missing. */
static cairn_status give_lists(cells *c, struct ArrowArray *array, size_t n_rows)
{
    int least = c->column->list_definition;
    uint8_t *bits;
    int64_t *starts;
    size_t row = 0, items = 0, missing = 0;
    CHECK(cairn_arrow_array(c->ctx, array, n_rows, 2, 1));
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
    CHECK(cairn_arrow_array_child(c->ctx, array, 0, items, c->numbers || c->coded ? 2 : 3, 0));
    return give_items(c, array->children[0], items);
}

static cairn_status take_lists(cells *c, struct ArrowArray *array, size_t n_rows)
{
    SCOPED(cairn_map_clear) cairn_map names = {0};
    size_t n;
    c->names = &names;
    CHECK(count_levels(c, 0, c->f->n_groups, &n));
    CHECK(NEW_EACH(c->ctx, n, &c->definitions, &c->repetitions));
    if (c->coded)
        CHECK(NEW_RAW(c->ctx, &c->codes, n));
    else if (c->column->format[0] != 'U')
        CHECK(NEW_RAW(c->ctx, &c->numbers, n));
    CHECK(take_chunks(c, 0, c->f->n_groups));
    return give_lists(c, array, n_rows);
}

static cairn_status take_flat_texts(cells *c, struct ArrowArray *array, size_t n_rows)
{
    size_t n;
    CHECK(count_levels(c, 0, c->f->n_groups, &n));
    CHECK(cairn_arrow_array(c->ctx, array, n_rows, 3, 0));
    if (c->column->definition) CHECK(cairn_arrow_own(c->ctx, array, 0, n / 8 + 1, &c->valid));
    CHECK(take_chunks(c, 0, c->f->n_groups));
    array->null_count = (int64_t)c->n_missing;
    return give_texts(c, &c->texts, array, c->valid, n_rows);
}

cairn_status cairn_parquet_array(cairn_context *ctx, const cairn_parquet_file *file, size_t j,
                                 bool coded, size_t n_rows, struct ArrowArray *array)
{
    cells c = start(ctx, file, j);
    bool list = c.column->list_definition > 0;
    c.coded = coded;
    cairn_status status = list ? take_lists(&c, array, n_rows) : take_flat_texts(&c, array, n_rows);
    if (list) cairn_free(c.numbers);
    if (list) cairn_free(c.codes);
    if (!status && c.rounded) cairn_warn_rounded(ctx, c.column->name);
    if (!status) cairn_decimal_warn(ctx, c.column->name, &c.loss);
    clear(&c);
    return status;
}

/* The heads of all pages say so. */
cairn_status cairn_parquet_is_coded(cairn_context *ctx, const cairn_parquet_file *file, size_t j,
                                    bool *coded)
{
    cells c = {.ctx = ctx, .f = file, .column = &file->columns[j]};
    *coded = c.column->type == CAIRN_PARQUET_BYTE_ARRAY && c.column->format[0] == 'U';
    for (; c.group < file->n_groups && *coded; c.group++) {
        bytes b;
        page p;
        c.chunk = &file->chunks[c.group * file->n_columns + j];
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
