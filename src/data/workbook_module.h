/* SPDX-License-Identifier: MIT */
/* The border between the library and the module that opens workbooks (cairn-xlsx.so): one exported
 * record. The module unpacks and parses; it needs no symbol of the library, hands cells over as
 * they come and understands no number. */
#ifndef CAIRN_DATA_WORKBOOK_MODULE_H
#define CAIRN_DATA_WORKBOOK_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Raised whenever this header changes shape. */
#define CAIRN_WORKBOOK_ABI    UINT32_C(2)
#define CAIRN_WORKBOOK_SYMBOL "cairn_workbook_module_record"

typedef enum cairn_workbook_type {
    CAIRN_WORKBOOK_NUMBER, /* a numeral */
    CAIRN_WORKBOOK_DATE,   /* a numeral: days since the workbook's first day */
    CAIRN_WORKBOOK_TEXT,
    CAIRN_WORKBOOK_SHARED, /* a numeral: which of the shared texts */
    CAIRN_WORKBOOK_TRUTH,  /* 0 or 1 */
    CAIRN_WORKBOOK_ERROR   /* #DIV/0! and the like */
} cairn_workbook_type;

/* How it ended. */
typedef enum cairn_workbook_end {
    CAIRN_WORKBOOK_DONE,
    CAIRN_WORKBOOK_STOPPED, /* a function of the library wanted no more */
    CAIRN_WORKBOOK_CANCELLED,
    CAIRN_WORKBOOK_BAD, /* no workbook, damaged, encrypted, too large: `message` tells */
    CAIRN_WORKBOOK_NO_SHEET,
    CAIRN_WORKBOOK_NO_MEMORY,
    CAIRN_WORKBOOK_UNPACKED /* its parts unpack to more than `most_unpacked` */
} cairn_workbook_end;

enum { CAIRN_WORKBOOK_MESSAGE = 1024 };

typedef struct cairn_workbook_job {
    const char *bytes; /* of the file */
    size_t length;
    uint64_t most_unpacked; /* bytes of all parts that are looked at */
    const char *sheet;      /* its name or its number from 1; NULL = the first */
    void *data;
    /* The shared texts in order, then the cells of the sheet by rows, numbers from 0; false stops
     * it. Texts live until the function returns. */
    bool (*shared)(void *data, const char *text, size_t length);
    bool (*cell)(void *data, size_t row, size_t column, cairn_workbook_type type, const char *text,
                 size_t length);
    bool (*is_cancelled)(const void *data);
    bool from_1904; /* set before the first cell: days count from 1904-01-01 */
    char message[CAIRN_WORKBOOK_MESSAGE];
} cairn_workbook_job;

typedef struct cairn_workbook_module {
    uint32_t abi; /* CAIRN_WORKBOOK_ABI of the header it was built with */
    cairn_workbook_end (*read)(cairn_workbook_job *job);
} cairn_workbook_module;

#endif
