/* SPDX-License-Identifier: MIT */
/* The calendar. Days are counted in years that begin in March, so that the leap day is the last of
 * a year and the months before it always have the same lengths. */
#include "base/calendar.h"
#include <math.h>

const char *const cairn_months[12] = {"January",   "February", "March",    "April",
                                      "May",       "June",     "July",     "August",
                                      "September", "October",  "November", "December"};
const char *const cairn_weekdays[7] = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                       "Friday", "Saturday", "Sunday"};

const char *cairn_weekday_name(int weekday)
{
    return weekday >= 1 && weekday <= 7 ? cairn_weekdays[weekday - 1] : "?";
}

const char *cairn_month_name(int month)
{
    return month >= 1 && month <= 12 ? cairn_months[month - 1] : "?";
}

static int days_in_month(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month - 1] + (month == 2 && cairn_is_leap(year));
}

double cairn_time_of_date(int year, int month, int day)
{
    if (year < CAIRN_FIRST_YEAR || year > CAIRN_LAST_YEAR || month < 1 || month > 12 || day < 1 ||
        day > days_in_month(year, month))
        return NAN;
    return (double)CAIRN_DAY * cairn_days_of(year, month, day);
}

/* The year and week that the Thursday of the same week lies in. */
static void set_week(cairn_calendar *p)
{
    int thursday = p->day_of_year + 4 - p->weekday;
    int length = cairn_is_leap(p->year) ? 366 : 365;
    p->week_year = p->year;
    if (thursday < 1) {
        p->week_year--;
        thursday += cairn_is_leap(p->week_year) ? 366 : 365;
    } else if (thursday > length) {
        p->week_year++;
        thursday -= length;
    }
    p->week = (thursday - 1) / 7 + 1;
}

bool cairn_time_parts(double seconds, cairn_calendar *out)
{
    *out = (cairn_calendar){0};
    if (!(seconds >= CAIRN_FIRST_SECOND && seconds < CAIRN_END_SECOND)) return false;
    int days = (int)floor(seconds / CAIRN_DAY);
    double rest = seconds - (double)CAIRN_DAY * days;
    /* The date of a day; the cycle is 400 years. */
    int n = days + 719468 + 146097; /* from 1 March of the year -400: never negative */
    int cycle = n / 146097, in_cycle = n % 146097;
    int year = (in_cycle - in_cycle / 1460 + in_cycle / 36524 - in_cycle / 146096) / 365;
    int in_year = in_cycle - (365 * year + year / 4 - year / 100);
    int since_march = (5 * in_year + 2) / 153;
    out->day = in_year - (153 * since_march + 2) / 5 + 1;
    out->month = since_march < 10 ? since_march + 3 : since_march - 9;
    out->year = year + 400 * (cycle - 1) + (out->month <= 2);
    out->quarter = (out->month + 2) / 3;
    out->hour = (int)(rest / 3600);
    out->minute = (int)((rest - 3600.0 * out->hour) / 60);
    out->second = rest - 3600.0 * out->hour - 60.0 * out->minute;
    out->weekday = ((days + 3) % 7 + 7) % 7 + 1; /* 1970-01-01 was a Thursday */
    out->day_of_year = days - cairn_days_of(out->year, 1, 1) + 1;
    set_week(out);
    return true;
}
