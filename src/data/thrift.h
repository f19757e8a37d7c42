/* SPDX-License-Identifier: MIT */
/* Thrift's compact protocol, as far as Parquet's heads need it: structs of numbered fields, read
 * one after the other. What lies outside, or is nested too deeply, sets `bad` and reads as 0. */
#ifndef CAIRN_DATA_THRIFT_H
#define CAIRN_DATA_THRIFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cairn_thrift {
    const uint8_t *bytes;
    size_t length, at;
    bool bad;
    int depth;
} cairn_thrift;

/* The number of a field of a struct and how its value is written. */
typedef struct cairn_thrift_field {
    int id, type;
} cairn_thrift_field;

/* The next field, false at the end of the struct; begin with {0}. Every value must be read, by the
 * function that fits, or skipped. */
bool cairn_thrift_next(cairn_thrift *t, cairn_thrift_field *field);
int64_t cairn_thrift_int(cairn_thrift *t, const cairn_thrift_field *field); /* truth values, too */
const char *cairn_thrift_text(cairn_thrift *t, const cairn_thrift_field *field, size_t *length);
/* The elements of a list, which are read as fields of *element. */
size_t cairn_thrift_list(cairn_thrift *t, const cairn_thrift_field *field,
                         cairn_thrift_field *element);
void cairn_thrift_skip(cairn_thrift *t, const cairn_thrift_field *field);

#endif
