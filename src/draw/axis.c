/* SPDX-License-Identifier: MIT */
/* Ranges and ticks. Linear ticks stand at multiples of 1, 2 or 5 times a power of ten; log ticks at
 * powers of ten, or at 1, 2, 5 between them when few powers are in view. Labels carry just the
 * decimals that the step needs; a common power of ten or a common large offset goes to the note. */
#include "draw/axis.h"
#include "base/functions.h"
#include "base/text.h"
#include <math.h>
#include <string.h>

static const double largest = 1e300, smallest = 1e-300;

void cairn_range_include(double *low, double *high, double value, cairn_scale scale)
{
    if (!isfinite(value) || (scale == CAIRN_SCALE_LOG && value <= 0)) return;
    if (!(*low <= value)) *low = value;
    if (!(*high >= value)) *high = value;
}

static double held(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static void fit_linear(cairn_axis *axis, double low, double high, double pad_low, double pad_high)
{
    low = held(low, -largest, largest);
    high = held(high, -largest, largest);
    double size = fmax(fabs(low), fabs(high));
    if (high - low <= size * 1e-12 || high - low < smallest) {
        double middle = low + (high - low) / 2;
        double reach = size < 2 * smallest ? 0.5 : size / 2;
        low = middle - reach;
        high = middle + reach;
    } else {
        double span = high - low;
        low -= span * pad_low;
        high += span * pad_high;
    }
    axis->low = low;
    axis->high = high;
}

static void fit_log(cairn_axis *axis, double low, double high, double pad_low, double pad_high)
{
    low = held(low, smallest, largest);
    high = held(high, smallest, largest);
    double from = cairn_log10(low), to = cairn_log10(high);
    if (to - from < 1e-9) {
        from -= 0.5;
        to += 0.5;
    } else {
        double span = to - from;
        from -= span * pad_low;
        to += span * pad_high;
    }
    axis->low = cairn_pow(10, held(from, -305, 305));
    axis->high = cairn_pow(10, held(to, -305, 305));
}

void cairn_axis_fit(cairn_axis *axis, cairn_scale scale, double asked_low, double asked_high,
                    double data_low, double data_high, double pad_low, double pad_high)
{
    bool log_scale = scale == CAIRN_SCALE_LOG;
    axis->scale = scale;
    if (!isfinite(asked_low) || (log_scale && asked_low <= 0)) asked_low = NAN;
    if (!isfinite(asked_high) || (log_scale && asked_high <= 0)) asked_high = NAN;
    double low = isnan(asked_low) ? data_low : asked_low;
    double high = isnan(asked_high) ? data_high : asked_high;
    if (isnan(low)) low = isnan(high) ? (log_scale ? 1 : 0) : (log_scale ? high / 10 : high - 1);
    if (isnan(high)) high = log_scale ? low * 10 : low + 1;
    if (low > high) { /* the data lie beyond the asked end */
        if (isnan(asked_low))
            low = high;
        else
            high = low;
    }
    if (!isnan(asked_low)) pad_low = 0;
    if (!isnan(asked_high)) pad_high = 0;
    if (log_scale)
        fit_log(axis, low, high, pad_low, pad_high);
    else
        fit_linear(axis, low, high, pad_low, pad_high);
}

/* Of 1, 2, 5 times a power of ten, the one whose ratio to `step` is nearest to one. */
static double nice_step(double step)
{
    double power = cairn_pow(10, floor(cairn_log10(step)));
    double times = step / power;
    times = times < 1.415 ? 1 : times < 3.163 ? 2 : times < 7.072 ? 5 : 10;
    return times * power;
}

/* The plain hyphen of a written number becomes a minus sign. */
static void use_minus_sign(char out[CAIRN_NUMBER_SIZE])
{
    size_t length = strlen(out);
    for (size_t at = 0; at < length && length + 2 < CAIRN_NUMBER_SIZE; at++) {
        if (out[at] != '-') continue;
        memmove(out + at + 3, out + at + 1, length - at);
        memcpy(out + at, "\xE2\x88\x92", 3);
        length += 2;
    }
}

void cairn_label_number(char out[CAIRN_NUMBER_SIZE], double number, int digits)
{
    cairn_number_format(out, number, digits);
    use_minus_sign(out);
}

void cairn_label_fixed(char out[CAIRN_NUMBER_SIZE], double number, int decimals)
{
    cairn_number_fixed(out, number, decimals);
    use_minus_sign(out);
}

/* Add to a buffer that is known to be long enough. */
static void append(char *out, const char *more)
{
    memcpy(out + strlen(out), more, strlen(more) + 1);
}

/* Write 10 to a whole power with raised digits. */
static void write_power(char *out, int power)
{
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char digits[CAIRN_NUMBER_SIZE];
    cairn_number_format(digits, fabs((double)power), 6);
    append(out, "10");
    if (power < 0) append(out, "⁻");
    for (const char *p = digits; *p; p++) append(out, raised[*p - '0']);
}

/* Decimals that tell multiples of `step` apart. */
static int decimals_of(double step)
{
    int decimals = (int)ceil(-cairn_log10(step) - 1e-9);
    return decimals < 0 ? 0 : decimals > 15 ? 15 : decimals;
}

/* Take out a common power of ten when the labels would be long, and a common offset when they
 * would differ only far behind the first digit. */
static void label_linear(cairn_axis *axis, double step)
{
    double size = 0, offset = 0;
    int power = 0;
    for (size_t i = 0; i < axis->n_ticks; i++) size = fmax(size, fabs(axis->ticks[i]));
    if (axis->n_ticks && size / step > 2e6) {
        offset = axis->ticks[0];
        size = 0;
        for (size_t i = 0; i < axis->n_ticks; i++) size = fmax(size, axis->ticks[i] - offset);
    }
    if (size > 0 && (size >= 999999.5 || size < 1e-3))
        power = (int)(3 * floor((cairn_log10(size) + 1e-9) / 3));
    double unit = cairn_pow(10, power);
    int decimals = decimals_of(step / unit);
    for (size_t i = 0; i < axis->n_ticks; i++) {
        cairn_number_fixed(axis->labels[i], (axis->ticks[i] - offset) / unit, decimals);
        use_minus_sign(axis->labels[i]);
    }
    axis->note[0] = 0;
    if (power) {
        append(axis->note, "×");
        write_power(axis->note, power);
    }
    if (offset != 0) {
        char number[CAIRN_NUMBER_SIZE];
        cairn_label_number(number, fabs(offset), CAIRN_SHORTEST);
        if (power) append(axis->note, " ");
        append(axis->note, offset < 0 ? "− " : "+ ");
        append(axis->note, number);
    }
}

bool cairn_axis_shows(const cairn_axis *axis, double value)
{
    return isfinite(value) && (axis->scale != CAIRN_SCALE_LOG || value > 0);
}

static void linear_ticks(cairn_axis *axis, int wanted)
{
    double span = axis->high - axis->low, step = nice_step(span / wanted);
    if (axis->whole && step < 1) step = 1;
    double slack = step * 1e-6, first = ceil((axis->low - slack) / step);
    axis->n_ticks = 0;
    for (int i = 0; i < CAIRN_MOST_TICKS; i++) {
        double tick = (first + i) * step;
        if (tick > axis->high + slack) break;
        if (cairn_axis_shows(axis, tick)) axis->ticks[axis->n_ticks++] = tick;
    }
    label_linear(axis, step);
}

/* Plain numbers while they are short, powers of ten for all when some are not. */
static void label_log(char label[CAIRN_NUMBER_SIZE], double tick, bool plain)
{
    double power = cairn_log10(tick), whole = round(power);
    label[0] = 0;
    if (plain || fabs(power - whole) > 1e-9)
        cairn_number_format(label, tick, 6);
    else
        write_power(label, (int)whole);
    use_minus_sign(label);
}

static void add_log_tick(cairn_axis *axis, double tick)
{
    if (tick < axis->low * (1 - 1e-9) || tick > axis->high * (1 + 1e-9)) return;
    if (axis->n_ticks == CAIRN_MOST_TICKS) return;
    label_log(axis->labels[axis->n_ticks], tick, axis->low > 0.9e-4 && axis->high < 1.1e5);
    axis->ticks[axis->n_ticks++] = tick;
}

static void log_ticks(cairn_axis *axis, int wanted)
{
    double from = floor(cairn_log10(axis->low) - 1e-9), to = ceil(cairn_log10(axis->high) + 1e-9);
    double decades = cairn_log10(axis->high) - cairn_log10(axis->low);
    int stride = (int)fmax(1, ceil(decades / (1.5 * wanted)));
    bool between = decades * 3 <= 1.5 * wanted;
    axis->n_ticks = 0;
    axis->note[0] = 0;
    for (int k = (int)ceil(from / stride) * stride; k <= (int)to; k += stride) {
        add_log_tick(axis, cairn_pow(10, k));
        if (between) {
            add_log_tick(axis, 2 * cairn_pow(10, k));
            add_log_tick(axis, 5 * cairn_pow(10, k));
        }
    }
    if (axis->n_ticks < 2 && decades < 1) linear_ticks(axis, wanted);
}

void cairn_axis_ticks(cairn_axis *axis, int wanted)
{
    enum { LEAST = 3, ENOUGH = 8 };
    if (wanted < 1) wanted = 1;
    if (wanted > CAIRN_MOST_TICKS / 2) wanted = CAIRN_MOST_TICKS / 2;
    if (axis->scale == CAIRN_SCALE_LOG)
        log_ticks(axis, wanted);
    else if (axis->scale != CAIRN_SCALE_TIME || !cairn_axis_time_ticks(axis, wanted))
        linear_ticks(axis, wanted);
    /* One tick or two do not say what lies between. */
    if (axis->scale == CAIRN_SCALE_LINEAR)
        while (axis->n_ticks < LEAST && wanted++ < ENOUGH) linear_ticks(axis, wanted);
}

double cairn_axis_place(const cairn_axis *axis, double value)
{
    if (!cairn_axis_shows(axis, value)) return NAN;
    double share = axis->scale == CAIRN_SCALE_LOG
                       ? (cairn_log(value) - cairn_log(axis->low)) /
                             (cairn_log(axis->high) - cairn_log(axis->low))
                       : (value - axis->low) / (axis->high - axis->low);
    share = held(share, -1000, 1000); /* far outside stays drawable */
    return axis->from + share * (axis->to - axis->from);
}
