/* SPDX-License-Identifier: MIT */
/* Ticks of an axis of times, which are seconds since 1970: at whole seconds, minutes, hours, days,
 * months or years. Labels say what changes from tick to tick; what all of them share, the year or
 * the day, goes to the note. */
#include "base/calendar.h"
#include "draw/axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MONTH_LETTERS = 3, MONTHS = 12 };

/* Steps in seconds below a month, and then in months. */
static const double second_steps[] = {1,     2,     5,     10,        15,     30,     60,
                                      120,   300,   600,   900,       1800,   3600,   7200,
                                      10800, 21600, 43200, CAIRN_DAY, 172800, 604800, 1209600};
static const double month_steps[] = {1,   2,   3,   6,    12,   24,   60,
                                     120, 240, 600, 1200, 2400, 6000, 12000};

static void add_tick(cairn_axis *axis, double tick)
{
    double slack = (axis->high - axis->low) * 1e-9;
    if (tick >= axis->low - slack && tick <= axis->high + slack && axis->n_ticks < CAIRN_MOST_TICKS)
        axis->ticks[axis->n_ticks++] = tick;
}

/* Weeks begin on a Monday. */
static void second_ticks(cairn_axis *axis, double step)
{
    double origin = step >= 604800 ? -3.0 * CAIRN_DAY : 0;
    double first = ceil((axis->low - origin) / step);
    for (int i = 0; axis->n_ticks < CAIRN_MOST_TICKS; i++) {
        double tick = origin + (first + i) * step;
        if (!(tick <= axis->high) || i > 2 * CAIRN_MOST_TICKS) return;
        add_tick(axis, tick);
    }
}

static void month_ticks(cairn_axis *axis, int step)
{
    cairn_calendar from;
    if (!cairn_time_parts(fmax(axis->low, CAIRN_FIRST_SECOND), &from)) return;
    int first = (from.year * MONTHS + from.month - 1) / step * step;
    for (int at = first; axis->n_ticks < CAIRN_MOST_TICKS; at += step) {
        double tick = cairn_time_of_date(at / MONTHS, at % MONTHS + 1, 1);
        if (at / MONTHS > CAIRN_LAST_YEAR || tick > axis->high) return;
        if (!isnan(tick)) add_tick(axis, tick);
    }
}

/* What the labels of ticks with this step (in seconds) show. */
typedef enum shown { SHOW_SECONDS, SHOW_MINUTES, SHOW_DAYS, SHOW_MONTHS, SHOW_YEARS } shown;

static void label_tick(char out[CAIRN_NUMBER_SIZE], const cairn_calendar *c, shown what,
                       bool same_day, bool same_year)
{
    char date[24] = "", year[12] = "";
    const char *month = cairn_month_name(c->month);
    if (!same_year) (void)snprintf(year, sizeof year, " %d", c->year);
    if (!same_day || what >= SHOW_DAYS)
        (void)snprintf(date, sizeof date, "%d %.*s%s", c->day, MONTH_LETTERS, month, year);
    if (what == SHOW_YEARS)
        (void)snprintf(out, CAIRN_NUMBER_SIZE, "%d", c->year);
    else if (what == SHOW_MONTHS)
        (void)snprintf(out, CAIRN_NUMBER_SIZE, "%.*s%s", MONTH_LETTERS, month, year);
    else if (what == SHOW_DAYS || (*date && c->hour == 0 && c->minute == 0 && c->second < 1))
        (void)snprintf(out, CAIRN_NUMBER_SIZE, "%s", date);
    else if (what == SHOW_SECONDS)
        (void)snprintf(out, CAIRN_NUMBER_SIZE, "%02d:%02d:%02d", c->hour, c->minute,
                       (int)c->second);
    else
        (void)snprintf(out, CAIRN_NUMBER_SIZE, "%02d:%02d", c->hour, c->minute);
}

/* Labels, and in the note the day or the year that all ticks have. */
static void label_ticks(cairn_axis *axis, shown what)
{
    cairn_calendar first, last, c;
    axis->note[0] = 0;
    if (!axis->n_ticks) return;
    (void)cairn_time_parts(axis->ticks[0], &first);
    (void)cairn_time_parts(axis->ticks[axis->n_ticks - 1], &last);
    bool same_year = first.year == last.year;
    bool same_day = same_year && first.day_of_year == last.day_of_year && what < SHOW_DAYS;
    for (size_t i = 0; i < axis->n_ticks; i++) {
        (void)cairn_time_parts(axis->ticks[i], &c);
        label_tick(axis->labels[i], &c, what, same_day, same_year);
    }
    if (same_day)
        (void)snprintf(axis->note, sizeof axis->note, "%d-%02d-%02d", first.year, first.month,
                       first.day);
    else if (same_year && what < SHOW_YEARS)
        (void)snprintf(axis->note, sizeof axis->note, "%d", first.year);
}

bool cairn_axis_time_ticks(cairn_axis *axis, int wanted)
{
    enum { N_SECONDS = sizeof second_steps / sizeof *second_steps };
    enum { N_MONTHS = sizeof month_steps / sizeof *month_steps };
    const double month = 30.436875 * CAIRN_DAY, step = (axis->high - axis->low) / wanted;
    size_t i = 0, m = 0;
    if (axis->low < CAIRN_FIRST_SECOND || axis->high >= CAIRN_END_SECOND || step < 0.5)
        return false;
    axis->n_ticks = 0;
    while (i < N_SECONDS && second_steps[i] < 0.8 * step) i++;
    while (m + 1 < N_MONTHS && month_steps[m] * month < 0.8 * step) m++;
    if (i < N_SECONDS)
        second_ticks(axis, second_steps[i]);
    else
        month_ticks(axis, (int)month_steps[m]);
    label_ticks(axis, i == N_SECONDS && m >= 4       ? SHOW_YEARS
                      : i == N_SECONDS               ? SHOW_MONTHS
                      : second_steps[i] >= CAIRN_DAY ? SHOW_DAYS
                      : second_steps[i] >= 60        ? SHOW_MINUTES
                                                     : SHOW_SECONDS);
    return axis->n_ticks > 0;
}
