/* SPDX-License-Identifier: MIT */
/* The archive and its container. Layout, all numbers little-endian:
 *
 *   file     = "CAIRNMDL" u32 version, u32 n_sections, section..., u64 hash of all bytes before
 *   section  = u32 name length, name, u64 body length, u64 hash of the body, body
 *   body     = item...
 *   item     = u8 type, u8 name length, name, u64 count, count elements
 *
 * Hashes are XXH3-64. docs/model-file.md is the specification; keep them together. */
#include "base/archive.h"
#include "base/memory.h"
#include "base/text.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

static const char magic[8] = {'C', 'A', 'I', 'R', 'N', 'M', 'D', 'L'};

enum {
    FORMAT_VERSION = 19,
    HEADER_SIZE = 16,
    TRAILER_SIZE = 8,
    MOST_SECTIONS = 1000000,
    MOST_DEPTH = 16,
    MOST_NAME = 255
};

typedef enum item_type {
    ITEM_BOOL = 1,
    ITEM_INT,
    ITEM_INT64,
    ITEM_REAL,
    ITEM_TEXT,
    ITEM_REALS,
    ITEM_FLOATS,
    ITEM_INTS,
    ITEM_BYTES,
    ITEM_MAP
} item_type;

struct cairn_archive {
    cairn_context *ctx;
    bool reading;
    int version; /* of the file */
    int depth;   /* of models within models */
    char *name;  /* of the file, for messages */
    /* writing */
    cairn_text file; /* finished sections */
    cairn_text body; /* the section under way */
    char *section;   /* its name */
    uint32_t n_sections;
    /* reading */
    const unsigned char *at; /* in the section under way */
    const unsigned char *section_end;
    const unsigned char *next; /* the section after it */
    const unsigned char *end;  /* of all sections */
};

bool cairn_archive_reading(const cairn_archive *a)
{
    return a->reading;
}

int cairn_archive_version(const cairn_archive *a)
{
    return a->version;
}

cairn_context *cairn_archive_context(cairn_archive *a)
{
    return a->ctx;
}

cairn_status(cairn_archive_damaged)(cairn_archive *a, const char *format, ...)
{
    char why[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    return cairn_fail(a->ctx, CAIRN_BAD_DATA,
                      "%s: the model file is damaged (%s); fit and save the model again", a->name,
                      why);
}

/* -- little-endian numbers; the compilers turn these into plain moves -- */

static void put_number(cairn_text *out, uint64_t value, size_t bytes)
{
    char raw[8];
    for (size_t i = 0; i < bytes; i++) raw[i] = (char)(value >> (8 * i));
    cairn_text_add_bytes(out, raw, bytes);
}

static uint64_t get_number(const unsigned char *raw, size_t bytes)
{
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; i++) value |= (uint64_t)raw[i] << (8 * i);
    return value;
}

/* -- writing -- */

static cairn_status close_section(cairn_archive *a)
{
    if (!a->section) return CAIRN_OK;
    size_t name_length = strlen(a->section);
    put_number(&a->file, name_length, 4);
    cairn_text_add_bytes(&a->file, a->section, name_length);
    put_number(&a->file, a->body.length, 8);
    put_number(&a->file, XXH3_64bits(cairn_text_string(&a->body), a->body.length), 8);
    cairn_text_add_bytes(&a->file, cairn_text_string(&a->body), a->body.length);
    cairn_status status = a->body.status ? a->body.status : a->file.status;
    cairn_text_clear(&a->body);
    cairn_free(a->section);
    a->section = NULL;
    a->n_sections++;
    return status;
}

static void put_item(cairn_archive *a, item_type type, const char *name, uint64_t count)
{
    size_t length = strlen(name);
    put_number(&a->body, type, 1);
    put_number(&a->body, length, 1);
    cairn_text_add_bytes(&a->body, name, length);
    put_number(&a->body, count, 8);
}

/* Elements of 1, 4 or 8 bytes, as they lie in memory on a little-endian machine. */
static void put_elements(cairn_archive *a, const void *values, size_t n, size_t size)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    cairn_text_add_bytes(&a->body, values, n * size);
#else
    const unsigned char *raw = values;
    for (size_t i = 0; i < n; i++)
        for (size_t b = size; b-- > 0;) cairn_text_add_char(&a->body, (char)raw[i * size + b]);
#endif
}

cairn_status cairn_archive_writer(cairn_context *ctx, cairn_archive **out)
{
    cairn_archive *a;
    cairn_status status = NEW(ctx, &a, 1);
    if (status) return status;
    a->ctx = ctx;
    a->version = FORMAT_VERSION;
    a->file = cairn_text_start(ctx);
    a->body = cairn_text_start(ctx);
    cairn_text_add_bytes(&a->file, magic, sizeof magic);
    put_number(&a->file, FORMAT_VERSION, 4);
    put_number(&a->file, 0, 4);
    *out = a;
    return CAIRN_OK;
}

/* -- reading -- */

/* Check the section that starts at `at`; NULL when it does not fit or its checksum is wrong. */
static const unsigned char *check_section(const unsigned char *at, const unsigned char *end)
{
    if (end - at < 4) return NULL;
    uint64_t name_length = get_number(at, 4);
    if (name_length > MOST_NAME || (uint64_t)(end - at) < 4 + name_length + 16) return NULL;
    const unsigned char *sizes = at + 4 + name_length;
    uint64_t length = get_number(sizes, 8), hash = get_number(sizes + 8, 8);
    if (length > (uint64_t)(end - sizes - 16)) return NULL;
    if (XXH3_64bits(sizes + 16, length) != hash) return NULL;
    return sizes + 16 + length;
}

/* The checksum is compared before anything is believed, and all sections are walked once, so that
 * later reads need only look at the end of their own. */
static cairn_status check_file(cairn_archive *a, const unsigned char *bytes, size_t length)
{
    if (length < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0)
        return cairn_fail(a->ctx, CAIRN_BAD_DATA,
                          "%s: this is not a Cairn model file, which is what 'cairn fit ... --save "
                          "FILE' writes",
                          a->name);
    if (length < HEADER_SIZE + TRAILER_SIZE) return cairn_archive_damaged(a, "it is cut short");
    uint64_t version = get_number(bytes + 8, 4), n = get_number(bytes + 12, 4);
    if (version == 0 || version > FORMAT_VERSION)
        return cairn_fail(a->ctx, CAIRN_BAD_DATA,
                          "%s: the model file has format version %llu; this Cairn (%s) reads "
                          "versions up to %d; use a newer Cairn",
                          a->name, (unsigned long long)version, CAIRN_VERSION, FORMAT_VERSION);
    a->version = (int)version;
    a->end = bytes + length - TRAILER_SIZE;
    if (XXH3_64bits(bytes, length - TRAILER_SIZE) != get_number(a->end, 8))
        return cairn_archive_damaged(a, "its checksum is wrong: it was cut short or changed");
    const unsigned char *at = bytes + HEADER_SIZE;
    for (uint64_t i = 0; i < n; i++) {
        if (n > MOST_SECTIONS || !(at = check_section(at, a->end)))
            return cairn_archive_damaged(a, "section %llu does not fit", (unsigned long long)i + 1);
    }
    if (at != a->end) return cairn_archive_damaged(a, "there are bytes after the last section");
    a->next = bytes + HEADER_SIZE;
    return CAIRN_OK;
}

cairn_status cairn_archive_reader(cairn_context *ctx, cairn_archive **out, const char *name,
                                  const void *bytes, size_t length)
{
    OWNED(cairn_archive_free) cairn_archive *a = NULL;
    CHECK(NEW(ctx, &a, 1));
    a->ctx = ctx;
    a->reading = true;
    a->file = cairn_text_start(ctx);
    a->body = cairn_text_start(ctx);
    CHECK(cairn_copy_text(ctx, &a->name, name, strlen(name)));
    CHECK(check_file(a, bytes, length));
    *out = TAKE(a);
    return CAIRN_OK;
}

void cairn_archive_free(cairn_archive *a)
{
    if (!a) return;
    cairn_text_clear(&a->file);
    cairn_text_clear(&a->body);
    FREE_EACH(a->section, a->name, a);
}

static cairn_status open_section(cairn_archive *a, const char *name)
{
    if (a->at != a->section_end)
        return cairn_archive_damaged(a, "a section is longer than it should be");
    if (a->next == a->end) return cairn_archive_damaged(a, "section '%s' is missing", name);
    uint64_t name_length = get_number(a->next, 4);
    if (name_length != strlen(name) || memcmp(a->next + 4, name, name_length) != 0)
        return cairn_archive_damaged(a, "section '%s' was expected", name);
    const unsigned char *sizes = a->next + 4 + name_length;
    a->at = sizes + 16;
    a->section_end = a->at + get_number(sizes, 8);
    a->next = a->section_end;
    return CAIRN_OK;
}

cairn_status cairn_archive_section(cairn_archive *a, const char *name)
{
    if (a->reading) return open_section(a, name);
    cairn_status status = close_section(a);
    if (status) return status;
    return cairn_copy_text(a->ctx, &a->section, name, strlen(name));
}

cairn_status cairn_archive_deeper(cairn_archive *a)
{
    if (++a->depth <= MOST_DEPTH) return CAIRN_OK;
    return cairn_archive_damaged(a, "models are nested more than %d deep", (int)MOST_DEPTH);
}

void cairn_archive_back(cairn_archive *a)
{
    a->depth--;
}

cairn_status cairn_archive_finish(cairn_archive *a, char **bytes, size_t *length)
{
    if (!a->reading) {
        cairn_status status = close_section(a);
        if (status) return status;
        for (int i = 0; i < 4; i++) a->file.bytes[12 + i] = (char)(a->n_sections >> (8 * i));
        put_number(&a->file, XXH3_64bits(a->file.bytes, a->file.length), 8);
        *length = a->file.length;
        return cairn_text_take(&a->file, bytes);
    }
    if (a->at != a->section_end || a->next != a->end)
        return cairn_archive_damaged(a, "it holds more than was expected");
    return CAIRN_OK;
}

/* Step over the head of the item that must come now; *count elements of `size` bytes follow. */
static cairn_status get_item(cairn_archive *a, item_type type, const char *name, size_t size,
                             size_t *count)
{
    size_t name_length = strlen(name), left = (size_t)(a->section_end - a->at);
    if (left < 2 + name_length + 8 || a->at[0] != type || a->at[1] != name_length ||
        memcmp(a->at + 2, name, name_length) != 0)
        return cairn_archive_damaged(a, "'%s' was expected", name);
    uint64_t n = get_number(a->at + 2 + name_length, 8);
    left -= 2 + name_length + 8;
    if (n > left / size) return cairn_archive_damaged(a, "'%s' does not fit", name);
    a->at += 2 + name_length + 8;
    *count = (size_t)n;
    return CAIRN_OK;
}

static void get_elements(cairn_archive *a, void *values, size_t n, size_t size)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (n) memcpy(values, a->at, n * size);
#else
    unsigned char *raw = values;
    for (size_t i = 0; i < n; i++)
        for (size_t b = 0; b < size; b++) raw[i * size + b] = a->at[i * size + size - 1 - b];
#endif
    a->at += n * size;
}

/* One value of `size` bytes in either direction. */
static cairn_status one_value(cairn_archive *a, item_type type, const char *name, void *value,
                              size_t size)
{
    if (!a->reading) {
        put_item(a, type, name, 1);
        put_elements(a, value, 1, size);
        return a->body.status;
    }
    size_t count;
    cairn_status status = get_item(a, type, name, size, &count);
    if (status) return status;
    if (count != 1) return cairn_archive_damaged(a, "'%s' has %zu values", name, count);
    get_elements(a, value, 1, size);
    return CAIRN_OK;
}

/* An array in either direction; `values` is the address of a pointer. */
static cairn_status many_values(cairn_archive *a, item_type type, const char *name, void *values,
                                size_t n, size_t size)
{
    void *block;
    memcpy(&block, values, sizeof block);
    if (!a->reading) {
        put_item(a, type, name, n);
        put_elements(a, block, n, size);
        return a->body.status;
    }
    size_t count;
    cairn_status status = get_item(a, type, name, size, &count);
    if (status) return status;
    if (count != n) return cairn_archive_damaged(a, "'%s' has %zu values, not %zu", name, count, n);
    void *fresh;
    status = cairn_new(a->ctx, &fresh, n, size, false);
    if (status) return status;
    get_elements(a, fresh, n, size);
    cairn_free(block);
    memcpy(values, &fresh, sizeof fresh);
    return CAIRN_OK;
}

cairn_status cairn_archive_bool(cairn_archive *a, const char *name, bool *value)
{
    uint8_t byte = *value;
    cairn_status status = one_value(a, ITEM_BOOL, name, &byte, 1);
    if (status) return status;
    if (byte > 1) return cairn_archive_damaged(a, "'%s' is %d", name, byte);
    if (a->reading) *value = byte != 0; /* what is saved may be read by others */
    return CAIRN_OK;
}

cairn_status cairn_archive_int(cairn_archive *a, const char *name, int32_t *value)
{
    return one_value(a, ITEM_INT, name, value, sizeof *value);
}

cairn_status cairn_archive_int64(cairn_archive *a, const char *name, int64_t *value)
{
    return one_value(a, ITEM_INT64, name, value, sizeof *value);
}

cairn_status cairn_archive_size(cairn_archive *a, const char *name, size_t *value, size_t most)
{
    int64_t number = (int64_t)*value;
    cairn_status status = cairn_archive_int64(a, name, &number);
    if (status) return status;
    if (number < 0 || (uint64_t)number > most)
        return cairn_archive_damaged(a, "'%s' is %lld", name, (long long)number);
    if (a->reading) *value = (size_t)number; /* what is saved may be read by others */
    return CAIRN_OK;
}

cairn_status cairn_archive_real(cairn_archive *a, const char *name, double *value)
{
    return one_value(a, ITEM_REAL, name, value, sizeof *value);
}

cairn_status cairn_archive_reals(cairn_archive *a, const char *name, double **values, size_t n)
{
    return many_values(a, ITEM_REALS, name, values, n, sizeof **values);
}

cairn_status cairn_archive_floats(cairn_archive *a, const char *name, float **values, size_t n)
{
    return many_values(a, ITEM_FLOATS, name, values, n, sizeof **values);
}

cairn_status cairn_archive_ints(cairn_archive *a, const char *name, int32_t **values, size_t n)
{
    return many_values(a, ITEM_INTS, name, values, n, sizeof **values);
}

cairn_status cairn_archive_bytes(cairn_archive *a, const char *name, uint8_t **values, size_t n)
{
    return many_values(a, ITEM_BYTES, name, values, n, sizeof **values);
}

/* Text: count 0 is NULL, otherwise the bytes with their final zero. */
cairn_status cairn_archive_text(cairn_archive *a, const char *name, char **value)
{
    if (!a->reading) {
        size_t n = *value ? strlen(*value) + 1 : 0;
        put_item(a, ITEM_TEXT, name, n);
        put_elements(a, *value ? *value : "", n, 1);
        return a->body.status;
    }
    size_t n;
    char *text = NULL;
    cairn_status status = get_item(a, ITEM_TEXT, name, 1, &n);
    if (status) return status;
    if (n && (a->at[n - 1] != 0 || memchr(a->at, 0, n - 1)))
        return cairn_archive_damaged(a, "text '%s' does not end as it must", name);
    if (n) {
        status = cairn_copy_text(a->ctx, &text, (const char *)a->at, n - 1);
        if (status) return status;
    }
    a->at += n;
    cairn_free(*value);
    *value = text;
    return CAIRN_OK;
}

/* Keys of a map: u32 length and the bytes of each. */
static cairn_status get_map(cairn_archive *a, const char *name, cairn_map *map)
{
    size_t n = 0, index;
    cairn_status status = get_item(a, ITEM_MAP, name, 4, &n);
    for (size_t i = 0; i < n && !status; i++) {
        if (a->section_end - a->at < 4) return cairn_archive_damaged(a, "'%s' does not fit", name);
        uint64_t length = get_number(a->at, 4);
        a->at += 4;
        if (length > (uint64_t)(a->section_end - a->at))
            return cairn_archive_damaged(a, "'%s' does not fit", name);
        status = cairn_map_add(a->ctx, map, (const char *)a->at, (size_t)length, &index);
        if (!status && index != i) return cairn_archive_damaged(a, "'%s' repeats a name", name);
        a->at += length;
    }
    return status;
}

cairn_status cairn_archive_map(cairn_archive *a, const char *name, cairn_map *map)
{
    if (a->reading) {
        cairn_map_clear(map);
        return get_map(a, name, map);
    }
    put_item(a, ITEM_MAP, name, map->n);
    for (size_t i = 0; i < map->n; i++) {
        put_number(&a->body, map->lengths[i], 4);
        cairn_text_add_bytes(&a->body, cairn_map_key(map, i), map->lengths[i]);
    }
    return a->body.status;
}
