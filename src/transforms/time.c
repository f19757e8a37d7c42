/* SPDX-License-Identifier: MIT */
/* Time: a column of dates or times becomes columns of its parts.
 *
 * 1. Fitting looks at the training rows and notes, for each time column, which parts vary there
 *    (all that is the same everywhere can teach nothing) and the earliest time.
 * 2. Applying makes one number column per part, named column_part, where the time column stood: the
 *    calendar's numbers, or a sine and a cosine that close the circle (December is next to
 *    January), or levels with names; and the time elapsed since a reference in a unit.
 *
 * Parts are those of UTC. A missing time gives missing parts. A circle is as long as its part: 12
 * months, 7 days of the week, the days of that month or year, 24 hours, 60 minutes, 60 seconds, 4
 * quarters, the 52 or 53 weeks of that year; the first value has angle 0. Months and years as units
 * are those of the calendar on average (365.2425 days a year). Cost: one pass to fit, one to
 * apply. */
#include "base/number.h"
#include "data/column.h"
#include "data/time.h"
#include "transforms/columns.h"
#include "transforms/computing.h"
#include "base/functions.h"
#include <math.h>
#include <string.h>

typedef enum {
    PART_YEAR,
    PART_QUARTER,
    PART_MONTH,
    PART_WEEK,
    PART_DAY,
    PART_WEEKDAY,
    PART_DAY_OF_YEAR,
    PART_WEEKEND,
    PART_HOUR,
    PART_MINUTE,
    PART_SECOND,
    PART_ELAPSED,
    N_PARTS
} time_part;

static const char *const part_names[N_PARTS] = {"year", "quarter", "month",       "week",
                                                "day",  "weekday", "day_of_year", "weekend",
                                                "hour", "minute",  "second",      "elapsed"};
enum {
    USUAL_PARTS = 1 << PART_YEAR | 1 << PART_MONTH | 1 << PART_DAY | 1 << PART_WEEKDAY |
                  1 << PART_HOUR | 1 << PART_MINUTE | 1 << PART_SECOND
};

typedef enum { AS_NUMBERS, AS_NAMES, AS_CIRCLES, AS_BOTH } time_coding;
typedef enum { IN_SECONDS, IN_MINUTES, IN_HOURS, IN_DAYS, IN_WEEKS, IN_MONTHS, IN_YEARS } time_unit;

typedef struct time_params {
    const char *columns, *parts, *since;
    int code; /* time_coding */
    int unit; /* time_unit */
    bool keep;
} time_params;

static const cairn_choice codings[] = {
    {"numbers", AS_NUMBERS, "the calendar's numbers, Monday being 1"},
    {"names", AS_NAMES, "levels with names for months and weekdays, numbers for the rest"},
    {"circles", AS_CIRCLES, "a sine and a cosine for parts that come round, numbers for the rest"},
    {"both", AS_BOTH, "numbers, and sines and cosines beside them"},
    {0},
};
static const cairn_choice units[] = {
    {"seconds", IN_SECONDS, "60 to the minute"},
    {"minutes", IN_MINUTES, "60 to the hour"},
    {"hours", IN_HOURS, "24 to the day"},
    {"days", IN_DAYS, "of 86,400 seconds"},
    {"weeks", IN_WEEKS, "of 7 days"},
    {"months", IN_MONTHS, "a twelfth of a year"},
    {"years", IN_YEARS, "of 365.2425 days"},
    {0},
};
static const double unit_seconds[] = {1, 60, 3600, 86400, 604800, 31556952 / 12.0, 31556952};

static const cairn_param time_param_table[] = {
    CAIRN_PARAM_AS(time_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "the columns to take apart; all time features when not given"),
    CAIRN_PARAM(time_params, parts, NULL, NULL,
                "the parts, of year, quarter, month, week, day, weekday, day-of-year, "
                "weekend, hour, minute, second, elapsed; those of year, month, day, weekday, hour, "
                "minute and second that vary when not given"),
    CAIRN_PARAM_CHOICE(time_params, code, "numbers", codings, "how parts are written"),
    CAIRN_PARAM(time_params, since, NULL, NULL,
                "what elapsed counts from: a time such as 2020-01-01, a time column, or first, the "
                "earliest training row; adds the part elapsed"),
    CAIRN_PARAM_CHOICE(time_params, unit, "days", units, "unit of elapsed",
                       .when = "since or parts=*elapsed*"),
    CAIRN_PARAM(time_params, keep, "no", NULL, "keep the time column beside its parts"),
    CAIRN_PARAM_END,
};

typedef struct time_state {
    cairn_map names;      /* of the columns */
    int32_t *parts;       /* names.n: bits of time_part */
    double *references;   /* names.n: what elapsed counts from */
    double *lows, *highs; /* names.n: of the training rows, for the report */
    cairn_map other;      /* one name when elapsed counts from a column, else empty */
} time_state;

/* -- parameters -- */

static int part_of_word(const char *word)
{
    for (int i = 0; i < N_PARTS; i++) {
        const char *a = part_names[i], *b = word;
        while (*a && (*a == *b || (*a == '_' && *b == '-'))) a++, b++;
        if (!*a && !*b) return i;
    }
    return -1;
}

static const char *part_candidate(size_t i, const void *data)
{
    (void)data;
    return i < N_PARTS ? part_names[i] : NULL;
}

/* "[year,month]", "year" or "(year, month)" as bits; 0 when none were given. */
static cairn_status read_parts(cairn_context *ctx, const char *list, int32_t *out)
{
    SCOPED_SCRATCH(ctx);
    char **words, *inner;
    size_t n;
    *out = 0;
    if (!list) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &inner, strlen(list) + 1));
    memcpy(inner, list, strlen(list));
    if (strchr("[({", *inner) && *inner) {
        *inner++ = 0;
        if (*inner) inner[strlen(inner) - 1] = 0;
    }
    CHECK(cairn_list_split(ctx, inner, &words, &n));
    for (size_t i = 0; i < n; i++) {
        int part = part_of_word(words[i]);
        if (part < 0) {
            const char *near = cairn_nearest_word(words[i], part_candidate, NULL);
            CHECK(cairn_fail(
                ctx, CAIRN_USAGE,
                "time: there is no part '%s' (year, quarter, month, week, day, weekday, "
                "day-of-year, weekend, hour, minute, second, elapsed)%s%s%s",
                words[i], near ? "; did you mean '" : "", near ? near : "", near ? "'?" : ""));
        }
        *out |= 1 << part;
    }
    return CAIRN_OK;
}

static cairn_status time_check(cairn_context *ctx, const void *values)
{
    int32_t parts;
    return read_parts(ctx, ((const time_params *)values)->parts, &parts);
}

/* -- parts -- */

static bool is_weekend(const cairn_calendar *c)
{
    return c->weekday >= 6;
}

static double value_of(int part, const cairn_calendar *c)
{
    switch (part) {
    case PART_YEAR: return c->year;
    case PART_QUARTER: return c->quarter;
    case PART_MONTH: return c->month;
    case PART_WEEK: return c->week;
    case PART_DAY: return c->day;
    case PART_WEEKDAY: return c->weekday;
    case PART_DAY_OF_YEAR: return c->day_of_year;
    case PART_WEEKEND: return is_weekend(c);
    case PART_HOUR: return c->hour;
    case PART_MINUTE: return c->minute;
    default: return c->second;
    }
}

static bool is_leap(int year)
{
    return cairn_time_of_date(year, 2, 29) == cairn_time_of_date(year, 2, 29);
}

static double days_of_month(const cairn_calendar *c)
{
    static const double days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[c->month - 1] + (c->month == 2 && is_leap(c->year));
}

/* Weeks of an ISO year: the number of the week that holds 28 December. */
static double weeks_of_year(int week_year)
{
    cairn_calendar last;
    return cairn_time_parts(cairn_time_of_date(week_year, 12, 28), &last) ? last.week : 52;
}

/* Where the part begins and how long its circle is; 0 = it does not come round. */
static double circle_of(int part, const cairn_calendar *c, double *first)
{
    *first = part >= PART_HOUR ? 0 : 1;
    switch (part) {
    case PART_QUARTER: return 4;
    case PART_MONTH: return 12;
    case PART_WEEK: return weeks_of_year(c->week_year);
    case PART_DAY: return days_of_month(c);
    case PART_WEEKDAY: return 7;
    case PART_DAY_OF_YEAR: return 365 + is_leap(c->year);
    case PART_HOUR: return 24;
    case PART_MINUTE:
    case PART_SECOND: return 60;
    default: return 0;
    }
}

static bool comes_round(int part)
{
    return part != PART_YEAR && part != PART_WEEKEND && part != PART_ELAPSED;
}

static bool has_names(int part)
{
    return part == PART_MONTH || part == PART_WEEKDAY || part == PART_WEEKEND;
}

/* -- fitting -- */

static bool fits_time(const cairn_column *column)
{
    return column->kind == CAIRN_TIME;
}

/* Which parts take more than one value in the training rows, and their earliest and last time. */
static int32_t varying_parts(const cairn_view *view, size_t feature, double *low, double *high)
{
    const double *times = view->features[feature]->numbers;
    double first[N_PARTS];
    int32_t varies = 0;
    bool any = false;
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = 0; i < view->rows.n; i++) {
        cairn_calendar c;
        double time = times[cairn_view_row(view, i)];
        if (!cairn_time_parts(time, &c)) continue;
        *low = time < *low ? time : *low;
        *high = time > *high ? time : *high;
        for (int part = 0; part < PART_ELAPSED; part++) {
            double value = value_of(part, &c);
            if (!any) first[part] = value;
            if (value != first[part]) varies |= 1 << part;
        }
        any = true;
    }
    if (!any) *low = *high = NAN;
    return varies;
}

/* What elapsed counts from: a time, or the name of a column in s->other; else the earliest time. */
static cairn_status read_since(cairn_context *ctx, time_state *s, const time_params *p,
                               const cairn_view *view, double *fixed)
{
    size_t index;
    const char *why;
    *fixed = NAN;
    if (!p->since || strcmp(p->since, "first") == 0) return CAIRN_OK;
    ptrdiff_t at = cairn_table_find(view->table, p->since);
    if (at >= 0) {
        const cairn_slot *slot = &view->table->slots[at];
        if (slot->column->kind != CAIRN_TIME || slot->role != CAIRN_FEATURE)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "time: since=%s names a column that is no time feature; name a time "
                              "column, a time such as 2020-01-01, or first",
                              p->since);
        return cairn_map_add(ctx, &s->other, p->since, strlen(p->since), &index);
    }
    if (cairn_time_parse(p->since, strlen(p->since), NULL, fixed, NULL, &why)) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE,
                      "time: since=%s is neither a time (%s) nor a time column nor first", p->since,
                      cairn_say(ctx, why));
}

/* Without a list of parts a column gets those that vary in training, since a constant part teaches
 * nothing; elapsed time counts from a fixed time, another column or the earliest row. */
static cairn_status time_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const time_params *p = job->params;
    time_state *s = state;
    size_t n, *chosen, index;
    int32_t wanted;
    double fixed;
    CHECK(cairn_choose_features(ctx, job->view, "time", p->columns, fits_time, "a time column",
                                &chosen, &n));
    CHECK(read_parts(ctx, p->parts, &wanted));
    CHECK(read_since(ctx, s, p, job->view, &fixed));
    CHECK(NEW_EACH(ctx, n, &s->parts, &s->references, &s->lows, &s->highs));
    for (size_t i = 0; i < n; i++) {
        const char *name = job->view->names[chosen[i]];
        CHECK(cairn_map_add(ctx, &s->names, name, strlen(name), &index));
        int32_t varies = varying_parts(job->view, chosen[i], &s->lows[index], &s->highs[index]);
        s->parts[index] = wanted ? wanted : varies & USUAL_PARTS;
        bool is_other = s->other.n && strcmp(cairn_map_key(&s->other, 0), name) == 0;
        if (p->since && !is_other) s->parts[index] |= 1 << PART_ELAPSED;
        if (is_other) s->parts[index] &= ~(1 << PART_ELAPSED);
        s->references[index] = isnan(fixed) ? s->lows[index] : fixed;
    }
    return CAIRN_OK;
}

/* -- applying -- */

typedef struct making {
    cairn_table *table;
    const cairn_table *from; /* whose names are taken, too */
    const cairn_slot *slot;
    const double *times;
    const double *since; /* a column, or NULL */
    double reference;
    const time_params *params;
} making;

/* "column_part" or "column_part_sin", with _2, _3 ... behind it when the name is taken. */
static cairn_status add_named(cairn_context *ctx, making *m, int part, const char *suffix,
                              cairn_column *column)
{
    cairn_text name = cairn_text_start(ctx);
    for (int copy = 1; copy == 1 || cairn_table_find(m->table, cairn_text_string(&name)) >= 0 ||
                       cairn_table_find(m->from, cairn_text_string(&name)) >= 0;
         copy++) {
        name.length = 0;
        cairn_text_addf(&name, "%s_%s%s", m->slot->name, part_names[part], suffix);
        if (copy > 1) cairn_text_addf(&name, "_%d", copy);
        if (cairn_text_status(&name)) break;
    }
    cairn_status status = cairn_text_status(&name);
    if (status)
        cairn_column_drop(column);
    else
        status = cairn_table_add_column(ctx, m->table, name.bytes, m->slot->role, column);
    cairn_text_clear(&name);
    return status;
}

static cairn_status add_numbers(cairn_context *ctx, making *m, int part)
{
    cairn_column *column;
    cairn_status status = cairn_column_new(ctx, &column, CAIRN_NUMBER, m->slot->column->n_rows);
    if (status) return status;
    for (size_t i = 0; i < column->n_rows; i++) {
        cairn_calendar c;
        double from = m->since ? m->since[i] : m->reference;
        bool known = cairn_time_parts(m->times[i], &c);
        column->numbers[i] = part == PART_ELAPSED
                                 ? (m->times[i] - from) / unit_seconds[m->params->unit]
                             : known ? value_of(part, &c)
                                     : NAN;
    }
    cairn_column_count_missing(column);
    return add_named(ctx, m, part, "", column);
}

static cairn_status add_circle(cairn_context *ctx, making *m, int part, bool sine)
{
    cairn_column *column;
    cairn_status status = cairn_column_new(ctx, &column, CAIRN_NUMBER, m->slot->column->n_rows);
    if (status) return status;
    for (size_t i = 0; i < column->n_rows; i++) {
        cairn_calendar c;
        double first;
        column->numbers[i] = NAN;
        if (!cairn_time_parts(m->times[i], &c)) continue;
        double length = circle_of(part, &c, &first);
        double angle = 2 * M_PI * (value_of(part, &c) - first) / length;
        /* a quarter of a circle is rounded, its cosine is 0 */
        column->numbers[i] = cairn_number_left(sine ? cairn_sin(angle) : cairn_cos(angle), 1);
    }
    cairn_column_count_missing(column);
    return add_named(ctx, m, part, sine ? "_sin" : "_cos", column);
}

/* All names are declared, so that new rows meet no level that training did not know. */
static cairn_status declare_names(cairn_context *ctx, cairn_column *column, int part)
{
    static const char *const weekend[] = {"weekday", "weekend"};
    int n = part == PART_MONTH ? 12 : part == PART_WEEKDAY ? 7 : 2;
    size_t index;
    for (int i = 0; i < n; i++) {
        const char *name = part == PART_MONTH     ? cairn_month_name(i + 1)
                           : part == PART_WEEKDAY ? cairn_weekday_name(i + 1)
                                                  : weekend[i];
        CHECK(cairn_map_add(ctx, &column->names, name, strlen(name), &index));
    }
    column->declared = true;
    return CAIRN_OK;
}

static cairn_status add_levels(cairn_context *ctx, making *m, int part)
{
    cairn_column *done;
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    CHECK(cairn_column_new(ctx, &column, CAIRN_LEVEL, m->slot->column->n_rows));
    CHECK(declare_names(ctx, column, part));
    for (size_t i = 0; i < column->n_rows; i++) {
        cairn_calendar c;
        bool known = cairn_time_parts(m->times[i], &c);
        column->codes[i] = !known                 ? -1
                           : part == PART_WEEKEND ? is_weekend(&c)
                                                  : (int32_t)value_of(part, &c) - 1;
    }
    cairn_column_count_missing(column);
    done = TAKE(column);
    return add_named(ctx, m, part, "", done);
}

static cairn_status add_part(cairn_context *ctx, making *m, int part)
{
    int code = m->params->code;
    bool round = comes_round(part) && (code == AS_CIRCLES || code == AS_BOTH);
    if (code == AS_NAMES && has_names(part)) return add_levels(ctx, m, part);
    if (!round || code == AS_BOTH) CHECK(add_numbers(ctx, m, part));
    if (round) CHECK(add_circle(ctx, m, part, true));
    if (round) CHECK(add_circle(ctx, m, part, false));
    return CAIRN_OK;
}

/* The times that elapsed counts from, when they are a column. */
static cairn_status other_column(cairn_context *ctx, const time_state *s, const cairn_table *table,
                                 const double **out)
{
    size_t at;
    *out = NULL;
    if (!s->other.n) return CAIRN_OK;
    CHECK(cairn_table_get(ctx, table, cairn_map_key(&s->other, 0), &at));
    CHECK(cairn_expect_kind(ctx, &table->slots[at], CAIRN_TIME));
    *out = table->slots[at].column->numbers;
    return CAIRN_OK;
}

/* The parts stand where the time column stood. */
static cairn_status time_apply(cairn_context *ctx, cairn_table **out, const void *state,
                               const void *params, const cairn_table *table)
{
    const time_state *s = state;
    const time_params *p = params;
    cairn_status status;
    making m = {.params = p, .from = table};
    TRY(other_column(ctx, s, table, &m.since));
    TRY(cairn_table_new(ctx, &m.table, table->n_rows));
    for (size_t i = 0; i < table->n_columns; i++) {
        m.slot = &table->slots[i];
        int64_t at = m.slot->role == CAIRN_FEATURE
                         ? cairn_map_find(&s->names, m.slot->name, strlen(m.slot->name))
                         : -1;
        if (at < 0 || p->keep)
            TRY(cairn_table_add_column(ctx, m.table, m.slot->name, m.slot->role,
                                       cairn_column_hold(m.slot->column)));
        if (at < 0) continue;
        TRY(cairn_expect_kind(ctx, m.slot, CAIRN_TIME));
        m.times = m.slot->column->numbers;
        m.reference = s->references[at];
        for (int part = 0; part < N_PARTS; part++)
            if (s->parts[at] >> part & 1) TRY(add_part(ctx, &m, part));
    }
    *out = m.table;
    return CAIRN_OK;
done:
    cairn_table_free(m.table);
    return status;
}

/* -- as a program -- */

/* The part itself, or how far it is around its circle, times 2 pi. */
static void lower_part(cairn_computing *c, int part, int32_t calendar, bool angle)
{
    static const int lengths[N_PARTS] = {[PART_WEEK] = CAIRN_PART_WEEKS,
                                         [PART_DAY] = CAIRN_PART_DAYS,
                                         [PART_DAY_OF_YEAR] = CAIRN_PART_YEARDAYS};
    cairn_calendar any = {.month = 1, .year = 1};
    double first, length = circle_of(part, &any, &first);
    if (angle) cairn_computing_number(c, 2 * M_PI);
    cairn_computing_slot(c, calendar + part);
    if (!angle) return;
    cairn_computing_number(c, first);
    cairn_computing_do(c, CAIRN_DO_SUBTRACT, 2);
    cairn_computing_do(c, CAIRN_DO_MULTIPLY, 2);
    if (lengths[part])
        cairn_computing_slot(c, calendar + lengths[part]);
    else
        cairn_computing_number(c, length);
    cairn_computing_do(c, CAIRN_DO_DIVIDE, 2);
}

/* The columns of one part, as add_part makes them. */
static void lower_parts(cairn_computing *c, const time_params *p, int part, int32_t calendar)
{
    bool round = comes_round(part) && (p->code == AS_CIRCLES || p->code == AS_BOTH);
    bool level = p->code == AS_NAMES && has_names(part);
    if (!round || p->code == AS_BOTH) {
        lower_part(c, part, calendar, false);
        if (level && part != PART_WEEKEND) {
            cairn_computing_number(c, 1);
            cairn_computing_do(c, CAIRN_DO_SUBTRACT, 2);
        }
        cairn_computing_write(c);
    }
    for (int k = 0; round && k < 2; k++) {
        lower_part(c, part, calendar, true);
        (void)cairn_computing_function(c, k == 0 ? "sin" : "cos");
        cairn_computing_write(c);
    }
}

/* Time since the reference, or since another column. */
static cairn_status lower_elapsed(cairn_computing *c, const time_state *s, const time_params *p,
                                  size_t at, int32_t time)
{
    int32_t since;
    cairn_computing_slot(c, time);
    if (s->other.n) {
        CHECK(cairn_program_column(c->program, cairn_map_key(&s->other, 0), &since));
        cairn_computing_slot(c, since);
    } else {
        cairn_computing_number(c, s->references[at]);
    }
    cairn_computing_do(c, CAIRN_DO_SUBTRACT, 2);
    cairn_computing_number(c, unit_seconds[p->unit]);
    cairn_computing_do(c, CAIRN_DO_DIVIDE, 2);
    cairn_computing_write(c);
    return CAIRN_OK;
}

/* All new columns in the order of `apply`. */
static cairn_status time_lower(const void *state, const cairn_job *job, cairn_program *out)
{
    const time_state *s = state;
    cairn_computing c = cairn_computing_start(out);
    cairn_operation *op;
    int32_t time, first;
    for (size_t i = 0; i < out->now.n_fields; i++) {
        const char *name = out->now.fields[i].name;
        int64_t at = cairn_map_find(&s->names, name, strlen(name));
        if (at < 0 || out->now.fields[i].role != CAIRN_FEATURE) continue;
        CHECK(cairn_program_column(out, name, &time));
        CHECK(cairn_program_add(out, CAIRN_OP_CALENDAR, &time, 1, CAIRN_PARTS, &op));
        for (int part = 0; part < PART_ELAPSED; part++)
            if (s->parts[at] >> part & 1) lower_parts(&c, job->params, part, op->out);
        if (s->parts[at] >> PART_ELAPSED & 1)
            CHECK(lower_elapsed(&c, s, job->params, (size_t)at, time));
    }
    CHECK(cairn_computing_end(&c, &first));
    cairn_program_put_new(out, first, c.n_out);
    return CAIRN_OK;
}

/* -- the report -- */

static void show_time(cairn_report *out, double time, const char *label, const char *key)
{
    char text[CAIRN_TIME_SIZE];
    cairn_time_format(text, time, NULL);
    cairn_report_cell_word(out, isnan(time) ? "?" : text, "time.%s.%s", key, label);
}

/* The reference has a column of its own only when some column counts elapsed time. */
static void time_describe(cairn_report *out, const void *state, const void *params)
{
    const time_state *s = state;
    const time_params *p = params;
    bool elapsed = false;
    for (size_t i = 0; i < s->names.n; i++) elapsed = elapsed || s->parts[i] >> PART_ELAPSED & 1;
    cairn_report_table_of(out, "Times become their parts", 0, "llll", "column", "first", "last",
                          "parts");
    if (elapsed) cairn_report_column(out, "elapsed since", 'l');
    for (size_t i = 0; i < s->names.n; i++) {
        const char *name = cairn_map_key(&s->names, i), *key = cairn_report_key(out, name);
        cairn_report_cell(out, name);
        show_time(out, s->lows[i], "first", key);
        show_time(out, s->highs[i], "last", key);
        cairn_text parts = cairn_text_start(cairn_report_context(out));
        for (int part = 0; part < N_PARTS; part++)
            if (s->parts[i] >> part & 1)
                cairn_text_addf(&parts, "%s%s", parts.length ? ", " : "", part_names[part]);
        cairn_report_failed(out, cairn_text_status(&parts));
        cairn_report_cell_word(out, parts.length ? cairn_text_string(&parts) : "none",
                               "time.%s.parts", key);
        cairn_text_clear(&parts);
        if (!elapsed) continue;
        if (!(s->parts[i] >> PART_ELAPSED & 1))
            cairn_report_cell(out, "");
        else if (s->other.n)
            cairn_report_cell_word(out, cairn_map_key(&s->other, 0), "time.%s.since", key);
        else
            show_time(out, s->references[i], "since", key);
    }
    cairn_report_table_end(out);
    if (p->code == AS_CIRCLES || p->code == AS_BOTH)
        cairn_report_formula(out,
                             "sin(2π (part − first) / length), cos(2π (part − first) / length)");
}

static const cairn_kept time_keeps[] = {
    KEEP(time_state, names, other),
    KEEP_ARRAY(time_state, parts, "names", .most = (1 << N_PARTS) - 1,
               .why = "a time column has parts that do not exist"),
    KEEP_ARRAYS(time_state, "names", references, lows, highs),
    KEEP_FITS("other", "1", "times count from several columns"),
    KEEP_END,
};

const cairn_transform cairn_time = {
    .entry =
        {.kind = CAIRN_ENTRY_TRANSFORM,
         .name = "time",
         .also = "date features, calendar features, day of week, time of day",
         .title = "Parts of dates and times",
         .summary =
             "Turns every time column into number columns of its parts, such as month, weekday "
             "and hour, named column_month and so on. When no parts are named, those that vary "
             "in the training rows are taken. code=circles writes parts that come round as a "
             "sine and a cosine, so that December lies next to January; code=names makes "
             "levels of months and weekdays. since adds the time elapsed since a moment, the "
             "earliest training row or another time column. Learners get it by themselves "
             "when a feature is a time; the report says so.",
         .references = "Kuhn and Johnson, Feature Engineering and Selection",
         .example = "cairn fit tree @rides --target rides --with time:code=circles",
         .params = time_param_table,
         .params_size = sizeof(time_params),
         .check = time_check},
    .state_size = sizeof(time_state),
    .fit = time_fit,
    .apply = time_apply,
    .lower = time_lower,
    .describe = time_describe,
    .keeps = time_keeps,
};
