/* SPDX-License-Identifier: MIT */
/* JSON, parsed by descent into values that lie in the context's memory, so that a document is
 * counted against its limit whatever it holds. The members of an object, and the items of an array,
 * are gathered on one stack that all levels share and copied to their place when it is closed:
 * they lie side by side, and the i-th of them is found at once. */
#include "base/json.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum json_kind {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_INTEGER,
    JSON_REAL,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT
} json_kind;

struct cairn_json {
    json_kind kind;
    uint32_t key_length;
    const char *key; /* of a member */
    size_t n;        /* items or members */
    union {
        int64_t integer;
        double real;
        const char *string;
        const cairn_json *inside;
    };
};

/* Memory of a document in chunks, the newest first; each is twice as large as the one before. */
typedef struct json_chunk {
    struct json_chunk *older;
    size_t size, used;
    char bytes[];
} json_chunk;

typedef struct json_document {
    cairn_json value; /* what is handed out */
    json_chunk *chunks;
} json_document;

enum { DEEPEST = 2048, FIRST_CHUNK = 1 << 10, LARGEST_CHUNK = 1 << 20, FEW_KEYS = 12 };

typedef struct json_parser {
    cairn_context *ctx;
    const char *name; /* for messages */
    const char *bytes, *at, *end;
    size_t line, column; /* of the first byte */
    json_document *document;
    cairn_json *stack;
    size_t n_stack, stack_capacity;
    int depth;
} json_parser;

/* -- memory -- */

static cairn_status take(json_parser *p, size_t size, void *out)
{
    json_chunk *c = p->document->chunks;
    size = (size + 7) / 8 * 8;
    if (!c || c->size - c->used < size) {
        size_t usual = !c ? FIRST_CHUNK : c->size < LARGEST_CHUNK / 2 ? 2 * c->size : LARGEST_CHUNK;
        if (usual < size) usual = size;
        CHECK(cairn_new(p->ctx, &c, 1, sizeof *c + usual, false));
        *c = (json_chunk){.older = p->document->chunks, .size = usual};
        p->document->chunks = c;
    }
    void *block = c->bytes + c->used;
    c->used += size;
    memcpy(out, &block, sizeof block);
    return CAIRN_OK;
}

void cairn_json_free(cairn_json *value)
{
    json_document *document = (json_document *)value;
    if (!document) return;
    for (json_chunk *c = document->chunks; c;) {
        json_chunk *older = c->older;
        cairn_free(c);
        c = older;
    }
    cairn_free(document);
}

static cairn_status push(json_parser *p, const cairn_json *value)
{
    CHECK(GROW(p->ctx, &p->stack, &p->stack_capacity, p->n_stack + 1));
    p->stack[p->n_stack++] = *value;
    return CAIRN_OK;
}

/* What was pushed since `first` becomes the inside of a value. */
static cairn_status pop(json_parser *p, size_t first, cairn_json *out)
{
    cairn_json *inside = NULL;
    out->n = p->n_stack - first;
    if (out->n) {
        CHECK(take(p, out->n * sizeof *inside, &inside));
        memcpy(inside, p->stack + first, out->n * sizeof *inside);
    }
    out->inside = inside;
    p->n_stack = first;
    return CAIRN_OK;
}

/* -- mistakes -- */

static cairn_status refuse(const json_parser *p, const char *at, const char *why)
{
    size_t line = p->line, column = p->column;
    for (const char *c = p->bytes; c < at; c++) {
        column++;
        if (*c == '\n') line++, column = 0;
    }
    return cairn_fail(p->ctx, CAIRN_BAD_DATA, "%s, line %zu, column %zu: %s", p->name, line,
                      column + 1, why);
}

/* What is expected, and the word or sign that stands there instead. */
static cairn_status refuse_token(const json_parser *p, const char *expected)
{
    const char *stop = p->at;
    char why[160];
    if (p->at == p->end)
        return refuse(p, p->at, cairn_say(p->ctx, "the text ends too early; is it cut short?"));
    while (stop < p->end && stop - p->at < 20 && !strchr(" \t\r\n,:{}[]\"", *stop)) stop++;
    if (stop == p->at) stop += cairn_utf8_check(p->at, 1) == 1 ? 1 : 0;
    snprintf(why, sizeof why, "%s is expected, not '%.*s'", expected, (int)(stop - p->at), p->at);
    return refuse(p, p->at, why);
}

static void skip_blanks(json_parser *p)
{
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r'))
        p->at++;
}

/* Whether that sign comes next; it is passed over then. */
static bool takes(json_parser *p, char sign)
{
    skip_blanks(p);
    if (p->at == p->end || *p->at != sign) return false;
    p->at++;
    return true;
}

/* -- strings -- */

/* Four hexadecimal digits, -1 when they are none. */
static int hexadecimal(const char *at, const char *end)
{
    int value = 0;
    if (end - at < 4) return -1;
    for (int i = 0; i < 4; i++) {
        static const char digits[] = "0123456789abcdef";
        const char *digit =
            at[i] ? strchr(digits, at[i] >= 'A' && at[i] <= 'F' ? at[i] + 32 : at[i]) : NULL;
        if (!digit) return -1;
        value = value * 16 + (int)(digit - digits);
    }
    return value;
}

static size_t put_letter(char *out, unsigned letter)
{
    if (letter < 0x80) {
        out[0] = (char)letter;
        return 1;
    }
    size_t n = letter < 0x800 ? 2 : letter < 0x10000 ? 3 : 4;
    for (size_t i = n - 1; i > 0; i--, letter >>= 6) out[i] = (char)(0x80 | (letter & 0x3F));
    out[0] = (char)((0xF00 >> n & 0xFF) | letter);
    return n;
}

/* The letter behind \u at p->at, which may be two halves; it goes to `out`. */
static cairn_status unescape_number(json_parser *p, char **out)
{
    const char *begin = p->at - 2;
    int first = hexadecimal(p->at, p->end), second = -1;
    if (first < 0) return refuse(p, begin, "four hexadecimal digits belong behind \\u");
    p->at += 4;
    if (first == 0) return refuse(p, begin, "\\u0000: no text may hold a zero byte");
    if (first >= 0xD800 && first < 0xDC00 && p->end - p->at >= 2 && p->at[0] == '\\' &&
        p->at[1] == 'u')
        second = hexadecimal(p->at + 2, p->end);
    bool pair = second >= 0xDC00 && second < 0xE000;
    if (first >= 0xD800 && first < 0xE000 && !pair)
        return refuse(p, begin, "half of a letter: two such numbers are one letter together");
    if (pair) p->at += 6;
    *out += put_letter(*out, pair ? 0x10000u + ((unsigned)(first - 0xD800) << 10) +
                                        (unsigned)(second - 0xDC00)
                                  : (unsigned)first);
    return CAIRN_OK;
}

static cairn_status unescape(json_parser *p, char **out)
{
    static const char signs[] = "\"\\/bfnrt", letters[] = "\"\\/\b\f\n\r\t";
    p->at++;
    const char *sign = p->at < p->end && *p->at ? strchr(signs, *p->at) : NULL;
    if (p->at < p->end && *p->at == 'u') {
        p->at++;
        return unescape_number(p, out);
    }
    if (!sign) return refuse(p, p->at - 1, "an escape that JSON does not have");
    *(*out)++ = letters[sign - signs];
    p->at++;
    return CAIRN_OK;
}

/* Bytes up to the quote that ends the string at p->at; SIZE_MAX when there is none. */
static size_t string_extent(const json_parser *p)
{
    for (const char *c = p->at; c < p->end; c++) {
        if (*c == '"') return (size_t)(c - p->at);
        if (*c == '\\') c++;
    }
    return SIZE_MAX;
}

/* The string whose opening quote was passed over, zero-ended. No text is longer without its escapes
 * than with them. */
static cairn_status read_string(json_parser *p, const char **out, size_t *length)
{
    size_t extent = string_extent(p);
    char *text = NULL, *to;
    if (extent == SIZE_MAX) return refuse(p, p->at - 1, "this string has no end");
    size_t bad = cairn_utf8_check(p->at, extent);
    if (bad < extent) return refuse(p, p->at + bad, "a byte that is not UTF-8");
    CHECK(take(p, extent + 1, &text));
    to = text;
    for (const char *end = p->at + extent; p->at < end;) {
        if (*p->at == '\\')
            CHECK(unescape(p, &to));
        else if ((unsigned char)*p->at < 0x20)
            return refuse(p, p->at, "a control letter in a string; write it as an escape");
        else
            *to++ = *p->at++;
    }
    *to = 0;
    p->at++;
    *out = text;
    *length = (size_t)(to - text);
    return CAIRN_OK;
}

/* -- values -- */

static const char *digits_end(const char *at, const char *end)
{
    while (at < end && *at >= '0' && *at <= '9') at++;
    return at;
}

/* Where the number at `at` ends, by the grammar of JSON, NULL when it is none; *whole tells that it
 * has neither point nor exponent. */
static const char *number_end(const char *at, const char *end, bool *whole)
{
    const char *begin = at += at < end && *at == '-', *stop;
    at = digits_end(at, end);
    if (at == begin || (*begin == '0' && at > begin + 1)) return NULL;
    *whole = true;
    if (at < end && *at == '.') {
        stop = digits_end(at + 1, end);
        if (stop == at + 1) return NULL;
        at = stop;
        *whole = false;
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        at += 1 + (end - at > 1 && (at[1] == '+' || at[1] == '-'));
        stop = digits_end(at, end);
        if (stop == at) return NULL;
        at = stop;
        *whole = false;
    }
    return at;
}

static cairn_status read_number(json_parser *p, cairn_json *out)
{
    bool whole;
    const char *stop = number_end(p->at, p->end, &whole);
    if (!stop) return refuse_token(p, "a value");
    size_t length = (size_t)(stop - p->at);
    out->kind = whole ? JSON_INTEGER : JSON_REAL;
    if (whole && !cairn_integer_parse(p->at, length, &out->integer))
        return refuse(p, p->at, "a whole number beyond 64 bits; write it as 1e20 or as a string");
    if (!whole && (!cairn_number_parse(p->at, length, &out->real) || !isfinite(out->real)))
        return refuse(p, p->at, "a number beyond the largest there is, 1.8e308");
    p->at = stop;
    return CAIRN_OK;
}

static cairn_status read_word(json_parser *p, cairn_json *out)
{
    static const struct {
        const char *word;
        json_kind kind;
    } words[] = {{"null", JSON_NULL}, {"false", JSON_FALSE}, {"true", JSON_TRUE}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i].word);
        if ((size_t)(p->end - p->at) < n || memcmp(p->at, words[i].word, n) != 0) continue;
        out->kind = words[i].kind;
        p->at += n;
        return CAIRN_OK;
    }
    return refuse_token(p, "a value");
}

static cairn_status read_value(json_parser *p, cairn_json *out);

static cairn_status read_items(json_parser *p, cairn_json *out)
{
    size_t first = p->n_stack;
    out->kind = JSON_ARRAY;
    if (takes(p, ']')) return CAIRN_OK;
    do {
        cairn_json item = {0};
        CHECK(read_value(p, &item));
        CHECK(push(p, &item));
    } while (takes(p, ','));
    if (!takes(p, ']')) return refuse_token(p, "a comma or ]");
    return pop(p, first, out);
}

/* Whether a member of the object whose members begin at `first` has this key. Those of a small
 * object are compared, a large one numbers them in `keys`. */
static cairn_status find_twin(json_parser *p, size_t first, cairn_map *keys, const cairn_json *m,
                              bool *found)
{
    size_t n = p->n_stack - first, index;
    *found = false;
    if (n < FEW_KEYS) {
        for (size_t i = first; i < p->n_stack && !*found; i++)
            *found = p->stack[i].key_length == m->key_length &&
                     memcmp(p->stack[i].key, m->key, m->key_length) == 0;
        return CAIRN_OK;
    }
    for (size_t i = keys->n; i < n; i++) {
        const cairn_json *before = &p->stack[first + i];
        CHECK(cairn_map_add(p->ctx, keys, before->key, before->key_length, &index));
    }
    *found = cairn_map_find(keys, m->key, m->key_length) >= 0;
    return CAIRN_OK;
}

static cairn_status read_member(json_parser *p, size_t first, cairn_map *keys)
{
    cairn_json member = {0};
    size_t length;
    bool twice;
    skip_blanks(p);
    const char *begin = p->at;
    if (!takes(p, '"')) return refuse_token(p, "a key in quotes");
    CHECK(read_string(p, &member.key, &length));
    if (length > UINT32_MAX)
        return refuse(p, begin, "a key of more than four thousand million bytes");
    member.key_length = (uint32_t)length;
    CHECK(find_twin(p, first, keys, &member, &twice));
    if (twice) return refuse(p, begin, "this key comes twice in its object");
    if (!takes(p, ':')) return refuse_token(p, "a colon behind the key");
    CHECK(read_value(p, &member));
    return push(p, &member);
}

static cairn_status read_members(json_parser *p, cairn_json *out)
{
    SCOPED(cairn_map_clear) cairn_map keys = {0};
    size_t first = p->n_stack;
    out->kind = JSON_OBJECT;
    if (takes(p, '}')) return CAIRN_OK;
    do CHECK(read_member(p, first, &keys));
    while (takes(p, ','));
    if (!takes(p, '}')) return refuse_token(p, "a comma or }");
    return pop(p, first, out);
}

static cairn_status read_inside(json_parser *p, cairn_json *out, bool object)
{
    if (p->depth == DEEPEST) {
        char why[80];
        snprintf(why, sizeof why, "nested more than %d deep, which is fixed; flatten it", DEEPEST);
        return refuse(p, p->at - 1, why);
    }
    p->depth++;
    CHECK(object ? read_members(p, out) : read_items(p, out));
    p->depth--;
    return CAIRN_OK;
}

/* The key of `out` stays. */
static cairn_status read_value(json_parser *p, cairn_json *out)
{
    size_t length;
    if (takes(p, '{')) return read_inside(p, out, true);
    if (takes(p, '[')) return read_inside(p, out, false);
    if (takes(p, '"')) {
        out->kind = JSON_STRING;
        return read_string(p, &out->string, &length);
    }
    bool number = p->at < p->end && (*p->at == '-' || (*p->at >= '0' && *p->at <= '9'));
    return number ? read_number(p, out) : read_word(p, out);
}

/* -- documents -- */

/* The value at the beginning; `whole` refuses what follows it, and a value that is no object and no
 * array. */
static cairn_status parse(json_parser *p, cairn_json **out, bool whole)
{
    cairn_status status;
    TRY(NEW(p->ctx, &p->document, 1));
    skip_blanks(p);
    if (whole && (p->at == p->end || (*p->at != '{' && *p->at != '[')))
        TRY(refuse_token(p, "{ or ["));
    TRY(read_value(p, &p->document->value));
    if (whole) skip_blanks(p);
    if (whole && p->at < p->end) TRY(refuse_token(p, "the end"));
    *out = &p->document->value;
done:
    if (status) cairn_json_free((cairn_json *)p->document);
    cairn_free(p->stack);
    return status;
}

cairn_status cairn_json_parse(cairn_context *ctx, cairn_json **out, const char *name,
                              const char *bytes, size_t length)
{
    json_parser p = {.ctx = ctx, .name = name, .bytes = bytes, .at = bytes, .end = bytes + length};
    p.line = 1;
    return parse(&p, out, true);
}

cairn_status cairn_json_parse_one(cairn_context *ctx, cairn_json **out, const char *name,
                                  const char *bytes, size_t length, size_t line, size_t column,
                                  size_t *used)
{
    json_parser p = {.ctx = ctx, .name = name, .bytes = bytes, .at = bytes, .end = bytes + length};
    p.line = line;
    p.column = column;
    CHECK(parse(&p, out, false));
    *used = (size_t)(p.at - bytes);
    return CAIRN_OK;
}

/* -- walking -- */

const cairn_json *cairn_json_get(const cairn_json *object, const char *key)
{
    for (size_t i = 0; cairn_json_is_object(object) && i < object->n; i++)
        if (strcmp(object->inside[i].key, key) == 0) return &object->inside[i];
    return NULL;
}

size_t cairn_json_size(const cairn_json *value)
{
    return value ? value->n : 0;
}

const cairn_json *cairn_json_at(const cairn_json *array, size_t i)
{
    return cairn_json_is_array(array) && i < array->n ? &array->inside[i] : NULL;
}

const char *cairn_json_member(const cairn_json *object, size_t i, const cairn_json **value)
{
    if (!cairn_json_is_object(object) || i >= object->n) return NULL;
    *value = &object->inside[i];
    return object->inside[i].key;
}

bool cairn_json_is_object(const cairn_json *value)
{
    return value && value->kind == JSON_OBJECT;
}

bool cairn_json_is_array(const cairn_json *value)
{
    return value && value->kind == JSON_ARRAY;
}

bool cairn_json_is_null(const cairn_json *value)
{
    return value && value->kind == JSON_NULL;
}

const char *cairn_json_string(const cairn_json *value)
{
    return value && value->kind == JSON_STRING ? value->string : NULL;
}

bool cairn_json_number(const cairn_json *value, double *out)
{
    if (!value || (value->kind != JSON_INTEGER && value->kind != JSON_REAL)) return false;
    *out = value->kind == JSON_REAL ? value->real : (double)value->integer;
    return true;
}

bool cairn_json_integer(const cairn_json *value, int64_t *out)
{
    if (!value || value->kind != JSON_INTEGER) return false;
    *out = value->integer;
    return true;
}

bool cairn_json_truth(const cairn_json *value, bool *out)
{
    if (!value || (value->kind != JSON_TRUE && value->kind != JSON_FALSE)) return false;
    *out = value->kind == JSON_TRUE;
    return true;
}
