/* SPDX-License-Identifier: MIT */
/* Reading conditions, deciding them, and putting them into words. */
#include "entry/condition.h"
#include "base/number.h"
#include "entry/rows.h"
#include <string.h>

static const char either[] = " or ";

bool cairn_condition_next(const char **at, cairn_condition_term *out)
{
    const char *p = *at;
    *out = (cairn_condition_term){0};
    if (!*p) return false;
    if (*p == ',') p++;
    if (cairn_starts_with(p, either)) {
        out->alternative = true;
        p += sizeof either - 1;
    }
    if (*p == '!') {
        out->contrary = true;
        p++;
    }
    out->name = p;
    out->name_length = strcspn(p, "=, ");
    p += out->name_length;
    if (*p == '=') {
        out->values = p + 1;
        out->values_length = strcspn(p + 1, ", ");
        p += 1 + out->values_length;
    }
    *at = p;
    return true;
}

const cairn_param *cairn_term_row(const cairn_entry *entry, const cairn_condition_term *term,
                                  char name[64])
{
    const cairn_param *row;
    cairn_row_walk walk = cairn_rows_of(entry);
    if (term->name_length >= 64) return NULL;
    memcpy(name, term->name, term->name_length);
    name[term->name_length] = 0;
    while ((row = cairn_next_row(&walk, NULL)))
        if (strcmp(row->name, name) == 0) return row;
    return NULL;
}

static bool same_number(const char *a, size_t a_length, const char *b)
{
    double x, y;
    return cairn_number_parse(a, a_length, &x) && cairn_number_parse(b, strlen(b), &y) && x == y;
}

/* Whether the text is the value; a star at an end of it stands for anything. */
static bool matches(const char *value, size_t length, const char *text)
{
    bool before = length && value[0] == '*', after = length > 1 && value[length - 1] == '*';
    size_t kept = length - before - after, n = strlen(text);
    value += before;
    if (!before && !after)
        return (n == length && memcmp(value, text, n) == 0) || same_number(value, length, text);
    if (n < kept) return false;
    if (!before) return memcmp(text, value, kept) == 0;
    if (!after) return memcmp(text + n - kept, value, kept) == 0;
    for (size_t i = 0; i + kept <= n; i++)
        if (memcmp(text + i, value, kept) == 0) return true;
    return false;
}

bool cairn_term_has(const cairn_condition_term *term, const char *text)
{
    const char *at = term->values, *end = at + term->values_length;
    while (at < end) {
        const char *bar = memchr(at, '|', (size_t)(end - at));
        if (!bar) bar = end;
        if (matches(at, (size_t)(bar - at), text)) return true;
        at = bar + 1;
    }
    return false;
}

/* Whether the parameter is something else than by default; of a yes-or-no one whether it is yes. */
static bool is_given(const cairn_param *row, const char *text)
{
    if (!text) return false;
    if (row->type == CAIRN_TYPE_BOOL)
        return cairn_same(text, "yes") || cairn_same(text, "true") || cairn_same(text, "1");
    return !row->initial ||
           !(cairn_same(text, row->initial) || same_number(text, strlen(text), row->initial));
}

static bool term_holds(const cairn_params *params, const cairn_condition_term *term)
{
    char name[64];
    const cairn_param *row = cairn_term_row(params->entry, term, name);
    if (!row) return false;
    const char *text = cairn_params_text(params, name);
    bool holds = term->values ? text && cairn_term_has(term, text) : is_given(row, text);
    return holds != term->contrary;
}

bool cairn_condition_holds(const cairn_params *params, const char *when,
                           cairn_condition_term *failed)
{
    cairn_condition_term term;
    bool holds = true, reported = false;
    while (cairn_condition_next(&when, &term)) {
        if (term.alternative && holds) return true;
        if (term.alternative) holds = true;
        if (!holds || term_holds(params, &term)) continue;
        holds = false;
        if (!reported) *failed = term;
        reported = true;
    }
    return holds;
}

/* The values of a term: "a, b or c"; of m:* it says m:X, of *kernel* kernel. */
static void add_values(cairn_text *out, const cairn_condition_term *term)
{
    const char *at = term->values, *end = at + term->values_length;
    while (at < end) {
        const char *bar = memchr(at, '|', (size_t)(end - at));
        if (!bar) bar = end;
        bool before = *at == '*', after = bar > at + 1 && bar[-1] == '*';
        if (at > term->values) cairn_text_add(out, bar < end ? ", " : either);
        cairn_text_addf(out, "%.*s%s", (int)(bar - at - before - after), at + before,
                        after && !before ? "X" : "");
        at = bar + 1;
    }
}

void cairn_condition_words(cairn_text *out, const char *when, bool dashes)
{
    cairn_condition_term term;
    bool first = true, without = false;
    while (cairn_condition_next(&when, &term)) {
        char name[64] = "", option[64];
        if (term.name_length < sizeof name) memcpy(name, term.name, term.name_length);
        cairn_option_name(option, name);
        bool other = term.contrary && !term.values; /* "without" a parameter */
        if (!first)
            cairn_text_add(out, term.alternative ? either : other && without ? ", " : " and ");
        if (first || other != without) cairn_text_add(out, other ? "without " : "with ");
        cairn_text_addf(out, "%s%s", dashes ? "--" : "", option);
        if (term.values) {
            cairn_text_add(out, term.contrary ? " other than " : dashes ? " " : "=");
            add_values(out, &term);
        }
        first = false;
        without = other;
    }
}
