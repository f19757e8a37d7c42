/* SPDX-License-Identifier: MIT */
/* Decimals of Arrow: whole numbers of 32 to 256 bits that stand for so many units of 10^-scale. */
#ifndef CAIRN_DATA_ARROW_DECIMAL_H
#define CAIRN_DATA_ARROW_DECIMAL_H

#include "base/context.h"

typedef struct cairn_decimal {
    int digits;   /* that a number has at most */
    int scale;    /* digits after the point; negative: zeros before it */
    size_t width; /* bytes of a number */
} cairn_decimal;

/* Read "d:DIGITS,SCALE" or "d:DIGITS,SCALE,BITS"; false when it is no such format, or one that no
 * number can have. */
bool cairn_decimal_format(const char *format, cairn_decimal *out);

/* Of the numbers whose digits the nearest double does not keep, the one with most digits. */
typedef struct cairn_decimal_loss {
    int digits;     /* 0 = there is none */
    char text[100]; /* the number as it was */
    double number;  /* and as it is */
} cairn_decimal_loss;

/* The double nearest to a number in memory; false when it has more digits than its format
 * allows. */
bool cairn_decimal_read(const cairn_decimal *decimal, const void *number, double *out,
                        cairn_decimal_loss *loss);
/* Say how many digits the numbers of a column lost, if any. */
void cairn_decimal_warn(cairn_context *ctx, const char *column, const cairn_decimal_loss *loss);

#endif
