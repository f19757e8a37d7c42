/* SPDX-License-Identifier: MIT */
/* Lists and matrices of numbers that are typed: cells separated by commas, rows by semicolons. */
#include "base/memory.h"
#include "base/number.h"
#include "entry/entry.h"
#include "entry/probabilities.h"
#include "entry/range.h"
#include "entry/split.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SAID = 160 }; /* bytes for a parameter as messages call it */

bool cairn_fraction_parse(const char *text, double *out)
{
    const char *slash = strchr(text, '/');
    size_t length = strlen(text);
    double above, below;
    if (length > 1 && text[length - 1] == '%') {
        if (!cairn_number_parse(text, length - 1, out)) return false;
        *out /= 100;
        return true;
    }
    if (!slash) return cairn_number_parse(text, length, out);
    if (!cairn_number_parse(text, (size_t)(slash - text), &above) ||
        !cairn_number_parse(slash + 1, strlen(slash + 1), &below) || below == 0)
        return false;
    *out = above / below;
    return true;
}

static cairn_status read_numbers(cairn_context *ctx, const char *said, const char *list,
                                 double **out, size_t *n)
{
    char **items;
    double *numbers;
    size_t count;
    CHECK(cairn_list_split(ctx, list, &items, &count));
    CHECK(SCRATCH(ctx, &numbers, count));
    for (size_t i = 0; i < count; i++)
        if (!cairn_fraction_parse(items[i], &numbers[i]))
            return cairn_fail(ctx, CAIRN_USAGE,
                              "%s: item %zu, '%s', is not a number; give numbers separated by "
                              "commas",
                              said, i + 1, items[i]);
    *out = numbers;
    *n = count;
    return CAIRN_OK;
}

static cairn_status check_finite(cairn_context *ctx, const char *said, const double *numbers,
                                 size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(numbers[i]))
            return cairn_fail(ctx, CAIRN_USAGE, "%s: number %zu is not finite", said, i + 1);
    return CAIRN_OK;
}

/* The name of a parameter, or one with more behind it, as messages call it; what a caller says for
 * itself stays. */
static const char *said_of(const cairn_context *ctx, char out[SAID], const char *what, bool more)
{
    char mark[SAID - 2];
    bool name = what[strspn(what, "abcdefghijklmnopqrstuvwxyz-")] == 0;
    if (*what == '-' || (!name && !more)) return what;
    snprintf(mark, sizeof mark, "{%.*s}", (int)sizeof mark - 3, what);
    return cairn_format_said(ctx, out, SAID, mark);
}

cairn_status cairn_list_any_numbers(cairn_context *ctx, const char *what, const char *list,
                                    double **out, size_t *n)
{
    char said[SAID];
    return read_numbers(ctx, said_of(ctx, said, what, false), list, out, n);
}

cairn_status cairn_list_numbers(cairn_context *ctx, const char *what, const char *list,
                                double **out, size_t *n)
{
    double *numbers;
    size_t count;
    char said[SAID];
    CHECK(cairn_list_any_numbers(ctx, what, list, &numbers, &count));
    CHECK(check_finite(ctx, said_of(ctx, said, what, false), numbers, count));
    *out = numbers;
    *n = count;
    return CAIRN_OK;
}

/* -- probabilities -- */

/* Probabilities that are typed are rounded: a sum a little off 1 is accepted and set right. */
static cairn_status check_probabilities(cairn_context *ctx, const char *said, double *numbers,
                                        size_t n)
{
    const double rounding = 1.5e-6, exact = 1e-12;
    char text[CAIRN_NUMBER_SIZE];
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(numbers[i] >= 0))
            return cairn_fail(ctx, CAIRN_USAGE,
                              "%s: number %zu is negative or missing; probabilities lie between "
                              "0 and 1",
                              said, i + 1);
        sum += numbers[i];
    }
    if (!(fabs(sum - 1) <= rounding)) {
        cairn_number_format(text, sum, 10);
        return cairn_fail(ctx, CAIRN_USAGE, "%s: the probabilities add up to %s, not to 1", said,
                          text);
    }
    for (size_t i = 0; fabs(sum - 1) > exact && i < n; i++) numbers[i] /= sum;
    return CAIRN_OK;
}

cairn_status cairn_check_probabilities(cairn_context *ctx, const char *what, double *numbers,
                                       size_t n)
{
    char said[SAID];
    return check_probabilities(ctx, said_of(ctx, said, what, false), numbers, n);
}

cairn_status cairn_list_probabilities(cairn_context *ctx, const char *what, const char *list,
                                      double **out, size_t *n)
{
    CHECK(cairn_list_numbers(ctx, what, list, out, n));
    return cairn_check_probabilities(ctx, what, *out, *n);
}

/* -- segments -- */

static const char *skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t' || *p == '\n') p++;
    return p;
}

/* Length of a minus or a dash (also − and –) at p, 0 when there is none. */
static size_t dash_length(const char *p)
{
    if (*p == '-') return 1;
    if (strncmp(p, "−", 3) == 0 || strncmp(p, "–", 3) == 0) return 3;
    return 0;
}

/* One "20+" or "5-" of a segment. */
static bool scan_amount(const char **at, double amounts[2])
{
    double number = 1;
    const char *begin = skip_blanks(*at), *p = begin;
    /* a sign belongs to the class, not to the number: "5-" has none in front */
    const char *after =
        *p == '+' || dash_length(p) ? p : cairn_number_scan(p, p + strlen(p), &number);
    if (after) p = skip_blanks(after);
    size_t dash = dash_length(p);
    bool has_sign = *p == '+' || dash;
    *at = has_sign ? begin : p;
    if (!has_sign || !(number >= 0) || isinf(number)) return false;
    amounts[*p == '+'] += number;
    p = skip_blanks(p + (dash ? dash : 1));
    if (*p == ',' || *p == ']') begin = p;
    *at = *p ? begin : p;
    return *p == ',' || *p == ']';
}

bool cairn_segment_scan(const char **at, double amounts[2])
{
    *at = skip_blanks(*at);
    if (**at != '[') return false;
    for (++*at; *(*at = skip_blanks(*at)) != ']';) {
        if (!scan_amount(at, amounts)) return false;
        if (**at == ',') ++*at;
    }
    ++*at;
    return true;
}

/* "[8+,2-][2+,8-]" as the matrix of positives and negatives; false where it is something else. */
static cairn_status read_segments(cairn_context *ctx, const char *text, double **out, size_t *n,
                                  bool *found)
{
    double amounts[2] = {0, 0};
    size_t count = 0;
    *found = false;
    for (const char *p = text; *(p = skip_blanks(p)); count++) {
        if (count && (*p == ',' || *p == ';')) p++;
        if (!cairn_segment_scan(&p, amounts)) return CAIRN_OK;
    }
    if (!count || !(amounts[0] + amounts[1] > 0)) return CAIRN_OK;
    CHECK(SCRATCH(ctx, out, 2 * count));
    for (size_t i = 0; i < count; i++) {
        double *row = *out + 2 * i;
        text += strcspn(text, "[");
        *found = cairn_segment_scan(&text, row);
        double positives = row[1];
        row[1] = row[0];
        row[0] = positives;
    }
    *n = count;
    return CAIRN_OK;
}

/* -- matrices -- */

static bool are_whole(const double *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (numbers[i] != floor(numbers[i])) return false;
    return true;
}

static cairn_status check_counts(cairn_context *ctx, const char *said, const double *cells,
                                 size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += cells[i];
        if (!(cells[i] >= 0) || isinf(cells[i])) {
            char number[CAIRN_NUMBER_SIZE];
            cairn_number_format(number, cells[i], 6);
            return cairn_fail(ctx, CAIRN_USAGE,
                              "%s: number %zu is %s; the numbers must be finite and not negative",
                              said, i + 1, number);
        }
    }
    if (isinf(sum))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s: the numbers are so large that their sum is not finite", said);
    if (n > 1 && fabs(sum - 1) <= 1e-6 && !are_whole(cells, n))
        cairn_warn(ctx,
                   "%s: the numbers add up to 1 and seem to be shares; what depends on how many "
                   "rows there are needs their counts",
                   said);
    return CAIRN_OK;
}

/* Rows are separated by semicolons or, of a parameter that is given several times, by lines; those
 * of positives and negatives may be segments. */
static cairn_status read_matrix(cairn_context *ctx, const char *said, const char *text,
                                double **out, size_t *n_rows, size_t *n_columns)
{
    double *cells = NULL, *row;
    size_t rows = 1, columns = 0, n;
    bool segments;
    CHECK(read_segments(ctx, text, out, n_rows, &segments));
    *n_columns = 2;
    if (segments) return CAIRN_OK;
    bool bracketed = *text == '[' && text[strlen(text) - 1] == ']'; /* as in name:key=[1,2;3,4] */
    text += bracketed;
    for (const char *p = text; *p; p++) rows += *p == ';' || *p == '\n';
    for (size_t r = 0; r < rows; r++) {
        size_t length = strcspn(text, bracketed ? ";\n]" : ";\n");
        char *line;
        CHECK(SCRATCH(ctx, &line, length + 1));
        memcpy(line, text, length);
        CHECK(read_numbers(ctx, said, line, &row, &n));
        CHECK(check_finite(ctx, said, row, n));
        if (n == 0) return cairn_fail(ctx, CAIRN_USAGE, "%s: row %zu has no numbers", said, r + 1);
        if (r == 0) {
            columns = n;
            CHECK(SCRATCH(ctx, &cells, cairn_product(rows, columns)));
        }
        if (n != columns)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "%s: row %zu has %zu numbers and the first row has %zu", said, r + 1,
                              n, columns);
        memcpy(cells + r * columns, row, columns * sizeof *cells);
        text += length + (text[length] != 0);
    }
    *out = cells;
    *n_rows = rows;
    *n_columns = columns;
    return CAIRN_OK;
}

cairn_status cairn_read_matrix(cairn_context *ctx, const char *what, const char *text, double **out,
                               size_t *n_rows, size_t *n_columns)
{
    char said[SAID];
    return read_matrix(ctx, said_of(ctx, said, what, true), text, out, n_rows, n_columns);
}

cairn_status cairn_read_counts(cairn_context *ctx, const char *what, const char *text, double **out,
                               size_t *n_rows, size_t *n_columns)
{
    char said[SAID];
    CHECK(cairn_read_matrix(ctx, what, text, out, n_rows, n_columns));
    return check_counts(ctx, said_of(ctx, said, what, true), *out, *n_rows * *n_columns);
}

/* -- what a row of a table of parameters reads -- */

/* The first number that the row does not take. */
static cairn_status check_range(cairn_context *ctx, const cairn_param *row, const char *said,
                                const double *numbers, size_t n)
{
    bool whole = row->cells == CAIRN_CELLS_WHOLE;
    cairn_range range = {.low = -INFINITY, .high = INFINITY};
    if (row->range && !cairn_range_parse(row->range, &range))
        return cairn_fail(ctx, CAIRN_INTERNAL, "%s is no range", row->range);
    for (size_t i = 0; i < n; i++) {
        char number[CAIRN_NUMBER_SIZE], hint[CAIRN_HINT];
        if (isnan(numbers[i]) && row->cells == CAIRN_CELLS_ANY) continue;
        if (cairn_range_contains(&range, numbers[i]) && !(whole && numbers[i] != floor(numbers[i])))
            continue;
        cairn_number_format(number, numbers[i], CAIRN_SHORTEST);
        cairn_range_hint(hint, row->range, numbers[i]);
        return cairn_fail(ctx, CAIRN_USAGE, "%s: number %zu must be%s%s%s, not %s%s", said, i + 1,
                          whole ? " a whole number" : "", row->range ? " in " : "",
                          row->range ? row->range : "", number, hint);
    }
    return CAIRN_OK;
}

cairn_status cairn_list_read(cairn_context *ctx, cairn_list *out, const cairn_param *row,
                             const char *said, const char *text)
{
    double *numbers = NULL;
    char **names = NULL;
    cairn_range range;
    *out = (cairn_list){.text = text, .rows = 1};
    if (row->cells == CAIRN_CELLS_NAMES)
        CHECK(cairn_list_split(ctx, text, &names, &out->columns));
    else if (row->cells >= CAIRN_CELLS_MATRIX)
        CHECK(read_matrix(ctx, said, text, &numbers, &out->rows, &out->columns));
    else
        CHECK(read_numbers(ctx, said, text, &numbers, &out->columns));
    out->names = (const char *const *)names;
    out->values = numbers;
    out->n = out->rows * out->columns;
    if (names) return CAIRN_OK;
    bool infinite =
        row->cells == CAIRN_CELLS_ANY || (row->range && cairn_range_parse(row->range, &range) &&
                                          isinf(range.high) && !range.high_open);
    if (!infinite) CHECK(check_finite(ctx, said, numbers, out->n));
    CHECK(check_range(ctx, row, said, numbers, out->n));
    if (row->cells == CAIRN_CELLS_COUNTS) CHECK(check_counts(ctx, said, numbers, out->n));
    if (row->cells == CAIRN_CELLS_PROBABILITIES)
        CHECK(check_probabilities(ctx, said, numbers, out->n));
    return CAIRN_OK;
}

cairn_status cairn_list_fits(cairn_context *ctx, const cairn_list *list, const char *option,
                             size_t n, const char *of)
{
    if (list->n == n) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE, "{%s} has %zu %s%s for %zu %s", option, list->n,
                      list->names ? "name" : "number", list->n == 1 ? "" : "s", n, of);
}

cairn_status cairn_list_or(cairn_context *ctx, double **out, const cairn_list *list,
                           const char *option, size_t n, const char *of, double otherwise)
{
    if (list->text) CHECK(cairn_list_fits(ctx, list, option, n, of));
    CHECK(SCRATCH(ctx, out, n));
    for (size_t i = 0; i < n; i++) (*out)[i] = list->text ? list->values[i] : otherwise;
    return CAIRN_OK;
}
