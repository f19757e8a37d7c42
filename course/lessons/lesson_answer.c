/* SPDX-License-Identifier: MIT */
/* Answers that a reader types.
 *
 * A number may be written as a decimal number, a fraction or a percentage. It is right when it is
 * within the tolerance of the lesson, or when it is the true value as far as its digits go: with
 * two significant digits it must be rounded correctly, with three or more the last one may be off
 * by one, because intermediate results are rounded on paper. */
#include "command/lesson.h"

#include "base/number.h"
#include "data/cell.h"

#include <math.h>
#include <string.h>

/* How far a decimal number or a percentage may be off because of its last digit; 0 for fewer than
 * two digits, for whole numbers and for those with an exponent. */
static double slack_of(const char *text, const char *end, bool percent)
{
    size_t digits = 0, decimals = 0;
    bool point = false;
    double unit = 1;
    for (; text < end; text++) {
        if (*text == '.') point = true;
        if (*text == 'e' || *text == 'E') return 0;
        if (*text < '0' || *text > '9') continue;
        digits += digits || *text != '0';
        decimals += point;
    }
    for (; decimals; decimals--) unit /= 10;
    if ((!point && !percent) || digits < 2) return 0;
    return digits == 2 ? unit / 2 : unit;
}

static bool read_word(const char *text, size_t length, double *value)
{
    static const struct {
        const char *word;
        double value;
    } words[] = {{"undefined", NAN}, {"n/a", NAN}, {"inf", INFINITY}, {"-inf", -INFINITY}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i].word) == length && strncmp(words[i].word, text, length) == 0) {
            *value = words[i].value;
            return true;
        }
    return false;
}

bool cairn_answer_read(const char *text, double *value, double *slack)
{
    size_t length = strlen(text);
    double below;
    cairn_cell_trim(&text, &length);
    *slack = 0;
    if (read_word(text, length, value)) return true;
    const char *end = text + length, *at = cairn_number_scan(text, end, value);
    if (!at || at == text) return false;
    *slack = slack_of(text, at, end[-1] == '%');
    if (at < end && *at == '/') {
        const char *from = at + 1;
        at = cairn_number_scan(from, end, &below);
        if (!at || at == from || below == 0) return false;
        *value /= below;
        *slack = 0;
    }
    while (at < end && *at == ' ') at++;
    if (at < end && *at == '%') {
        *value /= 100;
        *slack /= 100;
        at++;
    }
    return at == end;
}

bool cairn_answer_right(const cairn_asked *asked, const char *text, double truth)
{
    double value, slack;
    if (!cairn_answer_read(text, &value, &slack)) return false;
    if (isnan(value) || isnan(truth)) return isnan(value) && isnan(truth);
    if (isinf(value) || isinf(truth)) return value == truth;
    double allowed = fmax(asked->tolerance * fmax(1, fabs(truth)), slack * (1 + 1e-9));
    return fabs(value - truth) <= allowed;
}

bool cairn_answer_same_word(const char *text, const char *truth)
{
    enum { LONGEST = 200 };
    char typed[4 * LONGEST], right[4 * LONGEST];
    size_t length = strlen(text), true_length = strlen(truth);
    cairn_cell_trim(&text, &length);
    if (length > LONGEST || true_length > LONGEST)
        return length == true_length && strncmp(text, truth, length) == 0;
    size_t n = cairn_text_case(typed, text, length, false);
    return n == cairn_text_case(right, truth, true_length, false) && memcmp(typed, right, n) == 0;
}
