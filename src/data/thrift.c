/* SPDX-License-Identifier: MIT */
#include "data/thrift.h"

enum { TRUE = 1, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT };
enum { DEEPEST = 32 };

static uint8_t take_byte(cairn_thrift *t)
{
    if (t->at < t->length) return t->bytes[t->at++];
    t->bad = true;
    return 0;
}

static uint64_t take_varint(cairn_thrift *t)
{
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        uint8_t byte = take_byte(t);
        value |= (uint64_t)(byte & 127) << shift;
        if (!(byte & 128)) return value;
    }
    t->bad = true;
    return 0;
}

static int64_t take_signed(cairn_thrift *t)
{
    uint64_t value = take_varint(t);
    return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

bool cairn_thrift_next(cairn_thrift *t, cairn_thrift_field *field)
{
    uint8_t head = take_byte(t);
    if (t->bad || !(head & 15)) return false;
    int step = head >> 4;
    field->type = head & 15;
    field->id = step ? field->id + step : (int)(int16_t)take_signed(t);
    return !t->bad;
}

int64_t cairn_thrift_int(cairn_thrift *t, const cairn_thrift_field *field)
{
    switch (field->type) {
    case TRUE: return 1;
    case FALSE: return 0;
    case BYTE: return (int8_t)take_byte(t);
    case I16:
    case I32:
    case I64: return take_signed(t);
    default: cairn_thrift_skip(t, field); return 0;
    }
}

const char *cairn_thrift_text(cairn_thrift *t, const cairn_thrift_field *field, size_t *length)
{
    *length = 0;
    if (field->type != BINARY) {
        cairn_thrift_skip(t, field);
        return "";
    }
    uint64_t n = take_varint(t);
    if (n > t->length - t->at) {
        t->bad = true;
        return "";
    }
    const char *text = (const char *)t->bytes + t->at;
    t->at += n;
    *length = n;
    return text;
}

/* No element takes less than a byte. */
size_t cairn_thrift_list(cairn_thrift *t, const cairn_thrift_field *field,
                         cairn_thrift_field *element)
{
    if (field->type != LIST && field->type != SET) {
        cairn_thrift_skip(t, field);
        return 0;
    }
    uint8_t head = take_byte(t);
    uint64_t n = head >> 4;
    if (n == 15) n = take_varint(t);
    *element = (cairn_thrift_field){0, head & 15};
    if (n <= t->length - t->at) return n;
    t->bad = true;
    return 0;
}

/* An element of a list or map: a truth value has a byte of its own there, not one in its head. */
static void skip_element(cairn_thrift *t, int type)
{
    if (type == TRUE || type == FALSE)
        take_byte(t);
    else
        cairn_thrift_skip(t, &(cairn_thrift_field){0, type});
}

void cairn_thrift_skip(cairn_thrift *t, const cairn_thrift_field *field)
{
    cairn_thrift_field inner = {0};
    size_t n;
    if (t->bad || ++t->depth > DEEPEST) {
        t->bad = true;
        return;
    }
    switch (field->type) {
    case TRUE:
    case FALSE: break;
    case BYTE: take_byte(t); break;
    case I16:
    case I32:
    case I64: take_varint(t); break;
    case DOUBLE:
        for (int i = 0; i < 8; i++) take_byte(t);
        break;
    case BINARY: cairn_thrift_text(t, field, &n); break;
    case LIST:
    case SET:
        n = cairn_thrift_list(t, field, &inner);
        for (size_t i = 0; i < n && !t->bad; i++) skip_element(t, inner.type);
        break;
    case MAP:
        n = take_varint(t);
        if (!n) break;
        uint8_t types = take_byte(t);
        if (n > t->length - t->at) t->bad = true;
        for (size_t i = 0; i < n && !t->bad; i++) {
            skip_element(t, types >> 4);
            skip_element(t, types & 15);
        }
        break;
    case STRUCT:
        while (cairn_thrift_next(t, &inner)) cairn_thrift_skip(t, &inner);
        break;
    default: t->bad = true;
    }
    t->depth--;
}
