/* SPDX-License-Identifier: MIT */
/* Seconds since 1970-01-01 UTC and the parts of a time: the Gregorian calendar, also before its
 * time, for the years 1 to 9999. */
#ifndef CAIRN_BASE_CALENDAR_H
#define CAIRN_BASE_CALENDAR_H

#include <stdbool.h>

typedef struct cairn_calendar {
    int year, quarter, month, day; /* quarter 1 to 4, month 1 to 12 */
    int hour, minute;
    double second;       /* with its fraction, below 60 */
    int weekday;         /* 1 = Monday to 7 = Sunday */
    int day_of_year;     /* from 1 */
    int week, week_year; /* ISO: week 1 holds the first Thursday of its year */
} cairn_calendar;

enum { CAIRN_DAY = 86400, CAIRN_FIRST_YEAR = 1, CAIRN_LAST_YEAR = 9999 };
#define CAIRN_FIRST_SECOND (-62135596800.0) /* 0001-01-01 */
#define CAIRN_END_SECOND   253402300800.0   /* 10000-01-01 */

extern const char *const cairn_months[12], *const cairn_weekdays[7]; /* January, Monday first */

static inline bool cairn_is_leap(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}
/* Days from 1970-01-01 to a date that there is. */
static inline int cairn_days_of(int year, int month, int day)
{
    int y = month > 2 ? year : year - 1;
    int since_march = (month + 9) % 12; /* months of at most 31 days: 153 days in five of them */
    int in_year = (153 * since_march + 2) / 5 + day - 1;
    return y * 365 + y / 4 - y / 100 + y / 400 + in_year - 719468;
}
/* False (and zeros) when the time is missing or outside the years 1 to 9999. */
bool cairn_time_parts(double seconds, cairn_calendar *out);
/* Seconds of a date, NaN when there is no such day. */
double cairn_time_of_date(int year, int month, int day);
const char *cairn_weekday_name(int weekday); /* 1 = "Monday"; "?" for others */
const char *cairn_month_name(int month);     /* 1 = "January" */

#endif
