/* SPDX-License-Identifier: MIT */
/* Reading and writing dates and times by patterns: see time.h. */
#include "data/time_pattern.h"
#include "base/functions.h"
#include "base/number.h"
#include "base/text.h"
#include "data/cell.h"
#include <math.h>
#include <string.h>

/* -- forms -- */

enum {
    FORM_CLOCK = 1,
    FORM_SECONDS = 2,
    FORM_T = 4,
    FORM_ZONE = 8,
    FORM_SLASH = 16,
    FORM_DAYTIME = 32, /* some time is not midnight */
    FORM_FLAGS = 63,
    FORM_DIGITS = 64 /* times the digits of a fraction */
};

cairn_time_form cairn_time_form_join(cairn_time_form a, cairn_time_form b)
{
    cairn_time_form digits = a / FORM_DIGITS > b / FORM_DIGITS ? a / FORM_DIGITS : b / FORM_DIGITS;
    return ((a | b) & FORM_FLAGS) + digits * FORM_DIGITS;
}

/* The microsecond is the finest that a double can tell for times of our days. */
static unsigned fraction_digits(double seconds)
{
    double micro = round((seconds - floor(seconds)) * 1e6);
    if (micro == 0 || micro == 1e6) return 0;
    bool coarse = fabs(seconds) > 8.6e9 || fmod(micro, 1000) == 0; /* beyond the year 2242 */
    return coarse ? 3 : 6;
}

static cairn_time_form form_of(double seconds)
{
    if (!(seconds >= CAIRN_FIRST_SECOND && seconds < CAIRN_END_SECOND)) return 0;
    double rest = seconds - CAIRN_DAY * floor(seconds / CAIRN_DAY);
    if (rest == 0) return 0;
    cairn_time_form form = FORM_DAYTIME | FORM_CLOCK;
    if (rest != 60 * floor(rest / 60)) form |= FORM_SECONDS;
    return form + fraction_digits(seconds) * FORM_DIGITS;
}

/* Whether n times are days, as most columns of times are; those of no year of ours count for
 * nothing. Days of ours fit into 32 bits, so that there is an instruction for several at once. */
static bool are_days(const double *seconds, size_t n)
{
    bool days = true;
    for (size_t i = 0; i < n; i++) {
        double ours =
            seconds[i] >= CAIRN_FIRST_SECOND && seconds[i] < CAIRN_END_SECOND ? seconds[i] : 0;
        days &= (double)(int32_t)(ours / CAIRN_DAY) * CAIRN_DAY == ours;
    }
    return days;
}

cairn_time_form cairn_time_form_of(const double *seconds, size_t n)
{
    enum { BLOCK = 256 };
    cairn_time_form form = 0;
    for (size_t first = 0; first < n; first += BLOCK) {
        size_t end = n - first < BLOCK ? n : first + BLOCK;
        if (are_days(seconds + first, end - first)) continue; /* their form is 0 */
        for (size_t i = first; i < end; i++) form = cairn_time_form_join(form, form_of(seconds[i]));
    }
    return form;
}

void cairn_time_form_pattern(char out[CAIRN_TIME_PATTERN], cairn_time_form form)
{
    const char *date = form & FORM_SLASH ? "%Y/%m/%d" : "%Y-%m-%d";
    unsigned digits = form / FORM_DIGITS;
    char *at = out;
    memcpy(at, date, strlen(date));
    at += strlen(date);
    if (form & FORM_DAYTIME) {
        *at++ = form & FORM_T ? 'T' : ' ';
        memcpy(at, "%H:%M", 5);
        at += 5;
        if (form & FORM_SECONDS || digits) {
            memcpy(at, ":%S", 3);
            at += 3;
        }
        if (digits) {
            const char fraction[] = {'.', '%', (char)('0' + digits), 'f'};
            memcpy(at, fraction, sizeof fraction);
            at += sizeof fraction;
        }
        if (form & FORM_ZONE) {
            memcpy(at, "%z", 2);
            at += 2;
        }
    }
    *at = 0;
}

/* -- reading -- */

/* What was read so far. */
typedef struct scan {
    const char *at, *end;
    int year, month, day, day_of_year; /* -1 = not seen */
    int hour, minute, second;
    int half; /* 1 = AM, 2 = PM */
    double fraction;
    unsigned digits;
    bool has_zone, has_clock, has_epoch;
    int offset;   /* seconds east */
    double epoch; /* %s, %Q */
    const char *why;
} scan;

static const char shape_iso[] =
    "it is not written like 2026-11-15 or 2026-11-15 14:30:05 ({time-format} tells another way)";
static const char shape_pattern[] = "it is not written as the pattern says";

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A whole number of `least` to `most` digits. */
static bool take_digits(scan *s, int least, int most, int *out)
{
    int n = 0, value = 0;
    while (s->at < s->end && n < most && is_digit(*s->at)) {
        value = value * 10 + (*s->at++ - '0');
        n++;
    }
    *out = value;
    return n >= least;
}

static bool take_char(scan *s, char c)
{
    if (s->at >= s->end || *s->at != c) return false;
    s->at++;
    return true;
}

/* Digits of a fraction; those after the ninth do not count. */
static bool take_fraction(scan *s)
{
    double scale = 1, value = 0;
    unsigned n = 0;
    for (; s->at < s->end && is_digit(*s->at); s->at++, n++) {
        if (n >= 9) continue;
        value = value * 10 + (*s->at - '0');
        scale *= 10;
    }
    s->fraction = value / scale;
    s->digits = n <= 3 ? 3 : 6;
    return n > 0;
}

/* Z, +02, +0200 or +02:00. */
static bool take_zone(scan *s)
{
    int hours, minutes = 0;
    s->has_zone = true;
    if (take_char(s, 'Z') || take_char(s, 'z')) return true;
    bool west = s->at < s->end && *s->at == '-';
    if (!take_char(s, west ? '-' : '+') || !take_digits(s, 2, 2, &hours)) return false;
    bool colon = take_char(s, ':');
    if ((colon || (s->at < s->end && is_digit(*s->at))) && !take_digits(s, 2, 2, &minutes))
        return false;
    if (hours > 15 || minutes > 59) {
        s->why = "its offset is more than 15:59 hours";
        return false;
    }
    s->offset = (west ? -1 : 1) * (hours * 3600 + minutes * 60);
    return true;
}

static bool scan_clock(scan *s)
{
    s->has_clock = true;
    if (!take_digits(s, 2, 2, &s->hour) || !take_char(s, ':') || !take_digits(s, 2, 2, &s->minute))
        return false;
    if (take_char(s, ':')) {
        if (!take_digits(s, 2, 2, &s->second)) return false;
        if (take_char(s, '.') && !take_fraction(s)) return false;
    }
    return s->at == s->end || take_zone(s);
}

/* The form records what the text had (slashes, T, seconds, digits of a fraction, a zone), so that
 * times can be written as they were read. */
static bool scan_iso(scan *s, cairn_time_form *form)
{
    const char *from = s->at;
    /* most words are no dates: told by two letters */
    if (s->end - from < 10 || (from[4] != '-' && from[4] != '/') || from[7] != from[4])
        return false;
    if (!take_digits(s, 4, 4, &s->year) || !take_char(s, from[4]) ||
        !take_digits(s, 2, 2, &s->month) || !take_char(s, from[4]) ||
        !take_digits(s, 2, 2, &s->day))
        return false;
    *form = from[4] == '/' ? FORM_SLASH : 0;
    if (s->at == s->end) return true;
    char gap = *s->at++;
    if (gap != ' ' && gap != 'T') return false;
    if (!scan_clock(s)) return false;
    *form |= FORM_CLOCK | (gap == 'T' ? FORM_T : 0) | (s->has_zone ? FORM_ZONE : 0);
    if (s->end - from > 16 && from[16] == ':') *form |= FORM_SECONDS;
    *form += s->digits * FORM_DIGITS;
    return true;
}

/* One of the names, whole or its first three letters, in any case; 0 = none. */
static int take_name(scan *s, const char *const *names, int n)
{
    for (int i = 0; i < n; i++) {
        size_t whole = strlen(names[i]), same = 0;
        while (same < whole && s->at + same < s->end &&
               (s->at[same] | 0x20) == (names[i][same] | 0x20))
            same++;
        if (same < 3) continue;
        s->at += same == whole ? whole : 3;
        return i + 1;
    }
    return 0;
}

static bool take_half(scan *s)
{
    if (s->end - s->at < 2 || (s->at[1] | 0x20) != 'm') return false;
    char letter = (char)(s->at[0] | 0x20);
    s->half = letter == 'a' ? 1 : letter == 'p' ? 2 : 0;
    s->at += 2;
    return s->half != 0;
}

static bool take_epoch(scan *s, double unit)
{
    const char *end = cairn_number_scan(s->at, s->end, &s->epoch);
    if (!end) return false;
    s->at = end;
    s->epoch *= unit;
    s->has_epoch = true;
    return true;
}

static bool take_year(scan *s, bool two)
{
    if (!take_digits(s, two ? 2 : 4, two ? 2 : 4, &s->year)) return false;
    if (two) s->year += s->year < 69 ? 2000 : 1900;
    return true;
}

static bool scan_pattern(scan *s, const char *pattern);

/* Digits may be fewer than a writer would put, as in 1/2/2024, and names of weekdays are read past
 * without being compared with the date. */
static bool take_field(scan *s, char letter)
{
    switch (letter) {
    case 'Y': return take_year(s, false);
    case 'y': return take_year(s, true);
    case 'm': return take_digits(s, 1, 2, &s->month);
    case 'b':
    case 'B': return (s->month = take_name(s, cairn_months, 12)) > 0;
    case 'a':
    case 'A': return take_name(s, cairn_weekdays, 7) > 0;
    case 'e':
    case 'd': return take_digits(s, 1, 2, &s->day);
    case 'j': return take_digits(s, 1, 3, &s->day_of_year) && s->day_of_year > 0;
    case 'I':
    case 'H': return take_digits(s, 1, 2, &s->hour);
    case 'M': return take_digits(s, 1, 2, &s->minute);
    case 'S': return take_digits(s, 1, 2, &s->second);
    case 'f': return take_fraction(s);
    case 'p': return take_half(s);
    case 'z': return take_zone(s);
    case 's': return take_epoch(s, 1);
    case 'Q': return take_epoch(s, 1e-3);
    case 'F': return scan_pattern(s, "%Y-%m-%d");
    case 'T': return scan_pattern(s, "%H:%M:%S");
    case 'R': return scan_pattern(s, "%H:%M");
    default: return take_char(s, letter); /* %% */
    }
}

static bool scan_pattern(scan *s, const char *pattern)
{
    for (const char *p = pattern; *p; p++) {
        if (*p == ' ') {
            while (s->at < s->end && (*s->at == ' ' || *s->at == '\t')) s->at++;
        } else if (*p != '%') {
            if (!take_char(s, *p)) return false;
        } else {
            p++;
            if (is_digit(*p)) p++;
            if (!take_field(s, *p)) return false;
        }
    }
    return true;
}

static bool settle_hour(scan *s)
{
    if (!s->half) return true;
    if (s->hour < 1 || s->hour > 12) {
        s->why = "its hour of twelve is not 1 to 12";
        return false;
    }
    s->hour = s->hour % 12 + (s->half == 2 ? 12 : 0);
    return true;
}

/* Seconds of what was read; NaN with a reason when there is no such time. */
static double settle(scan *s)
{
    if (s->has_epoch) {
        s->why = "it lies outside the years 0001 to 9999";
        return s->epoch >= CAIRN_FIRST_SECOND && s->epoch < CAIRN_END_SECOND ? s->epoch : NAN;
    }
    if (!settle_hour(s)) return NAN;
    int year = s->year < 0 ? 1970 : s->year;
    int month = s->month < 0 ? 1 : s->month, day = s->day < 0 ? 1 : s->day;
    double date = cairn_time_of_date(year, month, day);
    if (s->day_of_year > 0)
        date = cairn_time_of_date(year, 1, 1) + (s->day_of_year - 1.0) * CAIRN_DAY;
    if (year < CAIRN_FIRST_YEAR || year > CAIRN_LAST_YEAR)
        s->why = "its year is not 0001 to 9999";
    else if (month < 1 || month > 12)
        s->why = "its month is not 01 to 12";
    else if (isnan(date) || (s->day_of_year > 365 + cairn_is_leap(year)))
        s->why = "there is no such day in that month";
    else if (s->hour > 23)
        s->why = "its hour is not 00 to 23";
    else if (s->minute > 59 || s->second > 60)
        s->why = "its minute or second is not 00 to 59";
    else
        s->why = NULL;
    if (s->why) return NAN;
    double seconds = date + 3600.0 * s->hour + 60.0 * s->minute + s->second - s->offset;
    /* the last instant of all rounds to the next year, and means the one before it */
    double whole = seconds;
    seconds += s->fraction;
    if (whole < CAIRN_END_SECOND && seconds >= CAIRN_END_SECOND) seconds = CAIRN_END_SECOND - 1e-3;
    if (seconds >= CAIRN_FIRST_SECOND && seconds < CAIRN_END_SECOND) return seconds;
    s->why = "in UTC it lies outside the years 0001 to 9999";
    return NAN;
}

/* Two digits, or more than 99 when they are none. */
static inline unsigned two(const char *at)
{
    unsigned tens = (unsigned char)(at[0] - '0'), ones = (unsigned char)(at[1] - '0');
    return tens > 9 || ones > 9 ? 1000 : 10 * tens + ones;
}

/* The usual cells at once: 2026-11-15 and 2026-11-15 14:30:05, if nothing is odd about them. */
static inline bool parse_usual(const char *t, size_t length, double *out, cairn_time_form *form)
{
    if ((length != 10 && length != 19) || (t[4] != '-' && t[4] != '/') || t[7] != t[4])
        return false;
    unsigned century = two(t), years = two(t + 2), month = two(t + 5), day = two(t + 8);
    unsigned hour = 0, minute = 0, second = 0;
    if (century > 99 || years > 99 || month - 1 > 11 || day - 1 > 27 || century + years == 0)
        return false; /* the 29th and later are looked at closely elsewhere */
    if (length == 19) {
        if ((t[10] != ' ' && t[10] != 'T') || t[13] != ':' || t[16] != ':') return false;
        hour = two(t + 11);
        minute = two(t + 14);
        second = two(t + 17);
        if (hour > 23 || minute > 59 || second > 59) return false;
        *form |= FORM_CLOCK | FORM_SECONDS | (t[10] == 'T' ? FORM_T : 0);
    }
    unsigned daytime = hour * 3600 + minute * 60 + second;
    if (daytime) *form |= FORM_DAYTIME;
    if (t[4] == '/') *form |= FORM_SLASH;
    *out = (double)CAIRN_DAY * cairn_days_of((int)(100 * century + years), (int)month, (int)day) +
           daytime;
    return true;
}

bool cairn_time_parse(const char *text, size_t length, const char *pattern, double *out,
                      cairn_time_form *form, const char **why)
{
    cairn_time_form seen = 0;
    cairn_cell_trim(&text, &length);
    if ((!pattern || !*pattern) && parse_usual(text, length, out, form ? form : &seen)) return true;
    bool by_pattern = pattern && *pattern;
    const char *shape = by_pattern ? shape_pattern : shape_iso;
    scan s = {
        .at = text, .end = text + length, .year = -1, .month = -1, .day = -1, .day_of_year = -1};
    bool read = by_pattern ? scan_pattern(&s, pattern) : scan_iso(&s, &seen);
    if (s.at < s.end) read = false;
    double seconds = read ? settle(&s) : NAN;
    if (isnan(seconds)) {
        if (why) *why = s.why ? s.why : shape;
        return false;
    }
    if (form) {
        if (fmod(seconds, CAIRN_DAY) != 0) seen |= FORM_DAYTIME;
        *form = cairn_time_form_join(*form, seen);
    }
    *out = seconds;
    return true;
}

/* -- writing -- */

typedef struct writer {
    char *at, *end;
    cairn_calendar parts;
    double seconds;  /* rounded to what the pattern shows */
    double fraction; /* of a second */
} writer;

static void put_bytes(writer *w, const char *text, size_t length)
{
    if (w->at + length >= w->end) return;
    memcpy(w->at, text, length);
    w->at += length;
}

static void put_digits(writer *w, int value, int width)
{
    char digits[16];
    for (int i = width - 1; i >= 0; i--, value /= 10) digits[i] = (char)('0' + value % 10);
    put_bytes(w, digits, (size_t)width);
}

static void put_number(writer *w, double number)
{
    char digits[CAIRN_NUMBER_SIZE];
    put_bytes(w, digits, cairn_number_format(digits, number, CAIRN_SHORTEST));
}

static void put_name(writer *w, const char *name, bool whole)
{
    put_bytes(w, name, whole ? strlen(name) : 3);
}

static void put_pattern(writer *w, const char *pattern);

/* Writes what take_field reads; times have no zone of their own, so %z is always Z. */
static void put_field(writer *w, char letter, int digits)
{
    const cairn_calendar *p = &w->parts;
    switch (letter) {
    case 'Y': put_digits(w, p->year, 4); break;
    case 'y': put_digits(w, p->year % 100, 2); break;
    case 'm': put_digits(w, p->month, 2); break;
    case 'b':
    case 'B': put_name(w, cairn_month_name(p->month), letter == 'B'); break;
    case 'a':
    case 'A': put_name(w, cairn_weekday_name(p->weekday), letter == 'A'); break;
    case 'e':
    case 'd': put_digits(w, p->day, 2); break;
    case 'j': put_digits(w, p->day_of_year, 3); break;
    case 'H': put_digits(w, p->hour, 2); break;
    case 'I': put_digits(w, (p->hour + 11) % 12 + 1, 2); break;
    case 'M': put_digits(w, p->minute, 2); break;
    case 'S': put_digits(w, (int)p->second, 2); break;
    case 'f': put_digits(w, (int)round(w->fraction * cairn_pow(10, digits)), digits); break;
    case 'p': put_bytes(w, p->hour < 12 ? "AM" : "PM", 2); break;
    case 'z': put_bytes(w, "Z", 1); break;
    case 's': put_number(w, w->seconds); break;
    case 'Q': put_number(w, round(w->seconds * 1e6) / 1e3); break;
    case 'F': put_pattern(w, "%Y-%m-%d"); break;
    case 'T': put_pattern(w, "%H:%M:%S"); break;
    case 'R': put_pattern(w, "%H:%M"); break;
    default: put_bytes(w, &letter, 1); break;
    }
}

static void put_pattern(writer *w, const char *pattern)
{
    for (const char *p = pattern; *p; p++) {
        int digits = 6;
        if (*p != '%') {
            put_bytes(w, p, 1);
            continue;
        }
        p++;
        if (is_digit(*p)) digits = *p++ - '0';
        put_field(w, *p, digits);
    }
}

/* The digits of a second's fraction that a pattern writes. */
static int pattern_digits(const char *pattern)
{
    for (const char *p = strchr(pattern, '%'); p; p = strchr(p, '%')) {
        p++;
        if (*p == 'f') return 6;
        if (is_digit(*p) && p[1] == 'f') return *p - '0';
        if (*p) p++;
    }
    return 0;
}

/* Whether reading what the pattern wrote gives the time again, within what it can tell. */
static bool keeps(const char *pattern, const char *text, size_t length, double seconds)
{
    double again;
    return cairn_time_parse(text, length, pattern, &again, NULL, NULL) &&
           fabs(again - seconds) < 2e-6 * fmax(1, fabs(seconds) / 1e9);
}

/* The fraction is rounded to the digits that the pattern shows; one that rounds up to a second
 * carries, except at the very last second of the calendar. Returns 0 for a time out of range. */
static size_t write_by(char out[CAIRN_TIME_SIZE], double seconds, const char *pattern)
{
    writer w = {.at = out, .end = out + CAIRN_TIME_SIZE};
    double scale = cairn_pow(10, pattern_digits(pattern));
    double whole = floor(seconds);
    double fraction = round((seconds - whole) * scale) / scale;
    if (fraction >= 1 && whole + 1 < CAIRN_END_SECOND) {
        whole++;
        fraction = 0;
    } else if (fraction >= 1) {
        fraction = (scale - 1) / scale;
    }
    w.seconds = seconds;
    w.fraction = fraction;
    if (!cairn_time_parts(whole, &w.parts)) return 0;
    put_pattern(&w, pattern);
    *w.at = 0;
    return (size_t)(w.at - out);
}

size_t cairn_time_format(char out[CAIRN_TIME_SIZE], double seconds, const char *pattern)
{
    if (pattern && *pattern) {
        size_t length = write_by(out, seconds, pattern);
        if (length && keeps(pattern, out, length, seconds)) return length;
    }
    char plain[CAIRN_TIME_PATTERN];
    cairn_time_form_pattern(plain, form_of(seconds));
    size_t length = write_by(out, seconds, plain);
    if (length) return length;
    length = cairn_number_format(out, seconds, CAIRN_SHORTEST); /* no year of ours */
    return length;
}

/* -- patterns -- */

/* The letter behind a % that stands for nothing, NULL when all stand for something; whether any
 * part of a time is named. */
static const char *strange_letter(const char *pattern, bool *any)
{
    *any = false;
    for (const char *p = pattern; *p; p++) {
        if (*p != '%') continue;
        p++;
        if (is_digit(*p) && *p != '0' && p[1] == 'f') p++;
        if (!*p || !strchr("YymbBaAedjHIMSfpzsQFTR%", *p)) return p;
        *any = *any || *p != '%';
    }
    return NULL;
}

bool cairn_time_is_pattern(const char *text)
{
    bool any;
    return strlen(text) < CAIRN_TIME_PATTERN && !strange_letter(text, &any) && any;
}

cairn_status cairn_time_check_pattern(cairn_context *ctx, const char *pattern)
{
    bool any;
    if (strlen(pattern) >= CAIRN_TIME_PATTERN)
        return cairn_fail(ctx, CAIRN_USAGE, "the time pattern '%s' is longer than %d letters",
                          pattern, CAIRN_TIME_PATTERN - 1);
    const char *strange = strange_letter(pattern, &any);
    if (strange)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the time pattern '%s' holds %%%.1s, which stands for nothing; there "
                          "are %%Y %%y %%m %%b %%d %%j %%H %%I %%p %%M %%S %%f %%z %%a %%s %%Q "
                          "%%F %%T %%R and %%%%",
                          pattern, strange);
    if (any) return CAIRN_OK;
    return cairn_fail(
        ctx, CAIRN_USAGE,
        "the time pattern '%s' names no part of a time; write one such as %%d.%%m.%%Y", pattern);
}

/* Letters of ARFF patterns: runs of a letter, by the length of the run. */
static const struct {
    char letter;
    size_t least, most;
    const char *field;   /* without its percent sign */
    const char *written; /* on the way back */
} letter_fields[] = {
    {'y', 3, 4, "Y", "yyyy"}, {'y', 1, 2, "y", "yy"},     {'M', 4, 9, "B", "MMMM"},
    {'M', 3, 3, "b", "MMM"},  {'M', 1, 2, "m", "MM"},     {'d', 1, 2, "d", "dd"},
    {'D', 1, 3, "j", "DDD"},  {'H', 1, 2, "H", "HH"},     {'h', 1, 2, "I", "hh"},
    {'a', 1, 2, "p", "a"},    {'m', 1, 2, "M", "mm"},     {'s', 1, 2, "S", "ss"},
    {'S', 1, 3, "3f", "SSS"}, {'S', 4, 9, "f", "SSSSSS"}, {'E', 4, 9, "A", "EEEE"},
    {'E', 1, 3, "a", "EEE"},  {'Z', 1, 5, "z", "XX"},     {'X', 1, 3, "z", "XX"},
};
enum { N_LETTER_FIELDS = sizeof letter_fields / sizeof *letter_fields };

static bool append(char *out, size_t size, const char *text, size_t n)
{
    size_t length = strlen(out);
    if (length + n >= size) return false;
    memcpy(out + length, text, n);
    out[length + n] = 0;
    return true;
}

bool cairn_time_from_letters(char out[CAIRN_TIME_PATTERN], const char *letters, size_t length)
{
    bool quoted = false;
    out[0] = 0;
    for (size_t i = 0; i < length;) {
        char c = letters[i];
        size_t run = 1, field = 0;
        if (c == '\'') {
            quoted = !quoted;
            i++;
            continue;
        }
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (quoted || !letter) {
            if (!append(out, CAIRN_TIME_PATTERN, c == '%' ? "%%" : &c, c == '%' ? 2 : 1))
                return false;
            i++;
            continue;
        }
        while (i + run < length && letters[i + run] == c) run++;
        while (field < N_LETTER_FIELDS &&
               (letter_fields[field].letter != c || run < letter_fields[field].least ||
                run > letter_fields[field].most))
            field++;
        if (field == N_LETTER_FIELDS) return false;
        const char *text = letter_fields[field].field;
        if (!append(out, CAIRN_TIME_PATTERN, "%", 1) ||
            !append(out, CAIRN_TIME_PATTERN, text, strlen(text)))
            return false;
        i += run;
    }
    return !quoted && *out;
}

/* The letters of one field of a pattern, NULL when there are none. */
static const char *letters_of(char field, bool three)
{
    if (field == 'F') return "yyyy-MM-dd";
    if (field == 'T') return "HH:mm:ss";
    if (field == 'R') return "HH:mm";
    if (field == 'e') return "dd";
    for (size_t i = 0; i < N_LETTER_FIELDS; i++) {
        const char *text = letter_fields[i].field;
        if (text[strlen(text) - 1] == field && (field != 'f' || three == (*text == '3')))
            return letter_fields[i].written;
    }
    return NULL;
}

bool cairn_time_to_letters(char out[2 * CAIRN_TIME_PATTERN], const char *pattern)
{
    const size_t size = 2 * CAIRN_TIME_PATTERN;
    out[0] = 0;
    for (const char *p = pattern; *p; p++) {
        bool letter = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z');
        if (*p != '%') {
            const char quoted[] = {'\'', *p, '\''};
            if (*p == '\'' || !append(out, size, letter ? quoted : p, letter ? 3 : 1)) return false;
            continue;
        }
        p++;
        bool three = *p == '3';
        if (is_digit(*p)) p++;
        const char *letters = letters_of(*p, three);
        if (!letters || !append(out, size, letters, strlen(letters))) return false;
    }
    return true;
}

/* -- patterns of computed times -- */

static bool ends_like(const char *pattern, const char *a, const char *b)
{
    return cairn_ends_with(pattern, a) || cairn_ends_with(pattern, b);
}

/* Whether the pattern tells the hour, one way or the other. */
static bool has_hour(const char *pattern)
{
    for (const char *p = strchr(pattern, '%'); p && p[1]; p = strchr(p + 2, '%'))
        if (strchr("HITRsQ", p[1])) return true;
    return false;
}

void cairn_time_fit_pattern(char out[CAIRN_TIME_PATTERN], const char *pattern,
                            const double *seconds, size_t n)
{
    cairn_time_form form = cairn_time_form_of(seconds, n);
    unsigned digits = form / FORM_DIGITS;
    const char fraction[] = {'.', '%', (char)('0' + digits), 'f', 0};
    char fitted[CAIRN_TIME_PATTERN] = "";
    if (!pattern || !*pattern) {
        cairn_time_form_pattern(out, form);
        return;
    }
    bool fits = append(fitted, sizeof fitted, pattern, strlen(pattern));
    if ((form & FORM_DAYTIME) && !has_hour(fitted))
        fits = fits && append(fitted, sizeof fitted, " %H:%M", 6);
    if (((form & FORM_SECONDS) || digits) && ends_like(fitted, "%H:%M", "%R"))
        fits = fits && append(fitted, sizeof fitted, ":%S", 3);
    if (digits && ends_like(fitted, "%S", "%T"))
        fits = fits && append(fitted, sizeof fitted, fraction, 4);
    memcpy(out, fits ? fitted : pattern, strlen(fits ? fitted : pattern) + 1);
}

void cairn_time_span(char out[CAIRN_TIME_SIZE], double seconds)
{
    static const struct {
        double least, unit;
        const char *name;
    } units[] = {
        {2 * 365.2425 * CAIRN_DAY, 365.2425 * CAIRN_DAY, " years"},
        {2.0 * CAIRN_DAY, CAIRN_DAY, " days"},
        {7200, 3600, " hours"},
        {120, 60, " minutes"},
        {0, 1, " seconds"},
    };
    char digits[CAIRN_NUMBER_SIZE];
    size_t i = 0;
    out[0] = 0;
    while (i < 4 && fabs(seconds) < units[i].least) i++;
    size_t n = cairn_number_format(digits, seconds / units[i].unit, 4);
    memcpy(out, digits, n);
    memcpy(out + n, units[i].name, strlen(units[i].name) + 1);
}
