/* SPDX-License-Identifier: MIT */
/* Numbers as text, independent of the locale and correctly rounded in both directions. */
#ifndef CAIRN_BASE_NUMBER_H
#define CAIRN_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CAIRN_NUMBER_SIZE = 40, /* room for any number that cairn_number_format writes */
    CAIRN_SHORTEST = 0,     /* fewest digits that read back as the same double */
};

/* Read a whole decimal number ([+-]digits[.digits][e[+-]digits], inf, infinity, nan) from `length`
 * bytes. False when anything else is there. Nearest double; huge becomes inf, tiny becomes 0. */
bool cairn_number_parse(const char *text, size_t length, double *out);

/* The same up to the first byte that cannot belong to the number; NULL when there is none.
 * Returns the end. Does not accept inf and nan. */
const char *cairn_number_scan(const char *text, const char *end, double *out);

/* Read a whole number; false when malformed or out of range. */
bool cairn_integer_parse(const char *text, size_t length, int64_t *out);

/* Write `number` with `digits` significant digits (1 to 17, or CAIRN_SHORTEST), trailing zeros
 * dropped, "nan", "inf", "-inf", never "-0". Returns the length. */
size_t cairn_number_format(char out[CAIRN_NUMBER_SIZE], double number, int digits);

/* Write with exactly `decimals` places after the point. */
size_t cairn_number_fixed(char out[CAIRN_NUMBER_SIZE], double number, int decimals);

/* The middle of a < b, without the noise of rounding in its last digits; `a` when there is no
 * number between them. */
double cairn_number_between(double a, double b);

/* What is left when numbers of the size `of` were added or taken from each other: 0 where it is no
 * more than their rounding. Never for a product, a probability or a distance that may be small. */
double cairn_number_left(double left, double of);

/* A size in bytes such as "512", "64K", "1.5G", "2GiB"; false when malformed. */
bool cairn_size_parse(const char *text, size_t *out);

/* "75.3 MB" and the like. */
void cairn_size_format(char out[CAIRN_NUMBER_SIZE], double bytes);

#endif
