/* SPDX-License-Identifier: MIT */
/* Dates and times: text to seconds since 1970-01-01 UTC and back, and the parts of a time.
 *
 * The calendar is the Gregorian one, also before its time, for the years 1 to 9999. A time that is
 * written without an offset counts as UTC. Nothing here knows time zones by name or the locale.
 *
 * A pattern says how a time is written: %Y year, %y year of two digits (69 to 99 are 1969 to 1999),
 * %m month, %b or %B its English name, %d day, %j day of the year, %H hour, %I hour of twelve with
 * %p AM or PM, %M minute, %S second, %f digits of a fraction (%3f writes three), %z offset or Z,
 * %a or %A English name of the weekday, %s seconds and %Q milliseconds since 1970, %F %Y-%m-%d,
 * %T %H:%M:%S, %R %H:%M, %% a percent sign; a blank stands for any run of blanks. */
#ifndef CAIRN_DATA_TIME_H
#define CAIRN_DATA_TIME_H

#include "base/calendar.h"
#include "base/context.h"

enum {
    CAIRN_TIME_PATTERN = 40, /* bytes of a pattern with its end */
    CAIRN_TIME_SIZE = 128    /* room for any time that cairn_time_format writes */
};

/* How times were written, to be joined over a column: opaque bits, 0 = nothing seen. */
typedef unsigned cairn_time_form;
cairn_time_form cairn_time_form_join(cairn_time_form a, cairn_time_form b);
/* The form that these times need. */
cairn_time_form cairn_time_form_of(const double *seconds, size_t n);
/* The pattern of a form: date only if all were midnight. */
void cairn_time_form_pattern(char out[CAIRN_TIME_PATTERN], cairn_time_form form);

/* Read a whole cell. `pattern` NULL or "" = 2026-11-15 or 2026/11/15, then perhaps (after a blank
 * or T) 14:30, 14:30:05 or 14:30:05.123, then perhaps Z, +02, +0200 or +02:00. False when it is
 * something else; *why is then a clause about it. `form` and `why` may be NULL. */
bool cairn_time_parse(const char *text, size_t length, const char *pattern, double *out,
                      cairn_time_form *form, const char **why);
/* Write by a pattern; what the pattern would lose (or NULL, "") is written in full as
 * 2026-11-15 14:30:05.123. Returns the length. */
size_t cairn_time_format(char out[CAIRN_TIME_SIZE], double seconds, const char *pattern);

bool cairn_time_is_pattern(const char *text);
/* Fails (CAIRN_USAGE) when a pattern is none. */
CAIRN_CHECKED cairn_status cairn_time_check_pattern(cairn_context *ctx, const char *pattern);

/* Patterns of ARFF files ("yyyy-MM-dd'T'HH:mm:ss") and back; false when there is no equal. */
bool cairn_time_from_letters(char out[CAIRN_TIME_PATTERN], const char *letters, size_t length);
bool cairn_time_to_letters(char out[2 * CAIRN_TIME_PATTERN], const char *pattern);

/* A length of time in words: "2 h 5 min", "31 days", "4.2 years". */
void cairn_time_span(char out[CAIRN_TIME_SIZE], double seconds);

#endif
