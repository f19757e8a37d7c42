/* SPDX-License-Identifier: MIT */
/* Reading confusion tables. */
#include "typed/labels.h"

#include "base/memory.h"
#include "base/number.h"
#include "data/view.h"
#include "entry/split.h"
#include "model/task.h"
#include "stats/confusion.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const cairn_choice row_choices[] = {
    {"as-given", -1, "predicted when the column of row names is called so, else actual"},
    {"actual", 0, "a row is an actual class, a column a predicted one"},
    {"predicted", 1, "a row is a predicted class, a column an actual one"},
    {NULL, 0, NULL},
};

const cairn_param cairn_label_group[] = {
    CAIRN_PARAM(cairn_label_option, table, NULL, NULL,
                "a typed table: rows separated by semicolons, cells by commas, such as 30,5;2,63"),
    CAIRN_PARAM(cairn_label_option, classes, NULL, NULL,
                "names of the classes, in the order of the table; with labels no others may occur"),
    CAIRN_PARAM(cairn_label_option, tp, NULL, NULL, "true positives"),
    CAIRN_PARAM(cairn_label_option, fn, NULL, NULL, "false negatives"),
    CAIRN_PARAM(cairn_label_option, fp, NULL, NULL, "false positives"),
    CAIRN_PARAM(cairn_label_option, tn, NULL, NULL,
                "true negatives; what counts them is undefined if not given"),
    CAIRN_PARAM(cairn_label_option, total, NULL, NULL, "in a search: all records"),
    CAIRN_PARAM(cairn_label_option, relevant, NULL, NULL, "in a search: relevant records"),
    CAIRN_PARAM(cairn_label_option, retrieved, NULL, NULL, "in a search: retrieved records"),
    CAIRN_PARAM(cairn_label_option, found, NULL, NULL, "in a search: relevant among the retrieved"),
    CAIRN_PARAM_AS(cairn_label_option, actual, CAIRN_TYPE_COLUMNS, NULL,
                   "column of the actual classes; the target, or 'actual'"),
    CAIRN_PARAM_AS(cairn_label_option, predicted, CAIRN_TYPE_COLUMNS, NULL,
                   "column of the predicted classes; 'predicted', or the only other one"),
    CAIRN_PARAM(cairn_label_option, labels, NULL, NULL, "actual classes as a typed list"),
    CAIRN_PARAM(cairn_label_option, predictions, NULL, NULL,
                "predicted classes as a typed list, as long as that of --labels"),
    CAIRN_PARAM_CHOICE(cairn_label_option, rows, "as-given", row_choices,
                       "what the rows of a typed or given table are; the report shows it alike"),
    CAIRN_PARAM(
        cairn_label_option, positive, NULL, NULL,
        "the class that counts as positive; +, 1, yes, true, pos, spam or the rarer one if not "
        "given"),
    CAIRN_PARAM_END,
};

cairn_status cairn_read_count(cairn_context *ctx, double *out, const char *option, const char *text)
{
    if (!cairn_number_parse(text, strlen(text), out) || !(*out >= 0) || isinf(*out))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{%s %s}: a count is a finite number that is not negative", option, text);
    return CAIRN_OK;
}

cairn_status cairn_choose_positive(cairn_context *ctx, size_t *out, const char *const names[2],
                                   const double weights[2], const char *wanted)
{
    if (wanted) {
        for (size_t i = 0; i < 2; i++)
            if (cairn_same(names[i], wanted)) {
                *out = i;
                return CAIRN_OK;
            }
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{positive}: there is no class '%s'; there are '%s' "
                          "and '%s'",
                          wanted, names[0], names[1]);
    }
    bool first = cairn_is_positive_word(names[0]), second = cairn_is_positive_word(names[1]);
    *out = first != second ? (second ? 1 : 0) : weights[0] < weights[1] ? 0 : 1;
    return CAIRN_OK;
}

/* -- typed -- */

/* Names from --classes, or what is given as their default. */
static cairn_status name_classes(cairn_context *ctx, cairn_labels *out, const char *classes)
{
    char **names;
    size_t n;
    if (!classes) {
        CHECK(SCRATCH(ctx, &out->names, out->n));
        for (size_t i = 0; i < out->n; i++) {
            char *name;
            CHECK(SCRATCH(ctx, &name, 32));
            cairn_number_format(name, (double)(i + 1), 0);
            out->names[i] = name;
        }
        return CAIRN_OK;
    }
    CHECK(cairn_list_split(ctx, classes, &names, &n));
    if (n != out->n)
        return cairn_fail(ctx, CAIRN_USAGE, "{classes}: %zu names for a table of %zu classes", n,
                          out->n);
    CHECK(SCRATCH(ctx, &out->names, n));
    for (size_t i = 0; i < n; i++) out->names[i] = names[i];
    return cairn_names_differ(ctx, out->names, n, "classes");
}

static void turn(cairn_labels *l)
{
    for (size_t i = 0; i < l->n; i++)
        for (size_t j = 0; j < i; j++) {
            double cell = l->cells[i * l->n + j];
            l->cells[i * l->n + j] = l->cells[j * l->n + i];
            l->cells[j * l->n + i] = cell;
        }
}

static cairn_status read_typed_table(cairn_context *ctx, cairn_labels *out,
                                     const cairn_label_option *o)
{
    size_t columns;
    CHECK(cairn_read_counts(ctx, "table", o->table, &out->cells, &out->n, &columns));
    if (columns != out->n)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{table}: a confusion table is square, this one has %zu rows and %zu "
                          "columns",
                          out->n, columns);
    out->rows_predicted = o->rows == 1;
    if (out->rows_predicted) turn(out);
    return name_classes(ctx, out,
                        o->classes    ? o->classes
                        : out->n == 2 ? "positive,negative"
                                      : NULL);
}

/* Shares of all rows, or weighted rows: ratios are the same, intervals and tests are not. */
static void tell_uncounted(cairn_context *ctx, const double cells[4])
{
    double sum = 0;
    bool whole = true;
    for (size_t i = 0; i < 4; i++) {
        if (isnan(cells[i])) continue;
        sum += cells[i];
        whole &= cells[i] == floor(cells[i]);
    }
    if (whole) return;
    cairn_warn(ctx,
               "%s; what depends on how many rows there are, such as an interval, needs their "
               "counts",
               fabs(sum - 1) <= 1e-6 ? "the numbers add up to 1 and seem to be shares of all rows"
                                     : "not all of the numbers are whole, as counts of rows are");
}

static cairn_status put_counts(cairn_context *ctx, cairn_labels *out, const cairn_label_option *o,
                               cairn_binary_counts c)
{
    out->n = 2;
    out->rows_predicted = o->rows == 1;
    CHECK(SCRATCH(ctx, &out->cells, 4));
    out->cells[0] = c.tp, out->cells[1] = c.fn, out->cells[2] = c.fp, out->cells[3] = c.tn;
    tell_uncounted(ctx, out->cells);
    return name_classes(ctx, out, o->classes ? o->classes : "positive,negative");
}

static cairn_status read_typed_counts(cairn_context *ctx, cairn_labels *out,
                                      const cairn_label_option *o)
{
    const struct {
        const char *option, *text;
    } given[] = {{"tp", o->tp}, {"fn", o->fn}, {"fp", o->fp}, {"tn", o->tn}};
    double counts[4] = {0, 0, 0, NAN};
    out->without_tn = !o->tn;
    for (size_t i = 0; i < (o->tn ? 4 : 3); i++) {
        if (!given[i].text)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{%s} is missing: {tp} {fn} {fp}, and {tn} where it is known, make a "
                              "table",
                              given[i].option);
        CHECK(cairn_read_count(ctx, &counts[i], given[i].option, given[i].text));
    }
    return put_counts(ctx, out, o,
                      (cairn_binary_counts){counts[0], counts[1], counts[2], counts[3]});
}

/* A search is told by what was found, retrieved and relevant; the other cells of the matrix follow
 * by subtraction and must not be negative. */
static cairn_status read_search(cairn_context *ctx, cairn_labels *out, const cairn_label_option *o)
{
    const struct {
        const char *option, *text;
    } given[] = {{"relevant", o->relevant},
                 {"retrieved", o->retrieved},
                 {"found", o->found},
                 {"total", o->total}};
    double v[4] = {0, 0, 0, NAN};
    out->without_tn = !o->total;
    for (size_t i = 0; i < (o->total ? 4 : 3); i++) {
        if (!given[i].text)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{%s} is missing: a search needs {relevant} {retrieved} {found}, and "
                              "{total} where it is known",
                              given[i].option);
        CHECK(cairn_read_count(ctx, &v[i], given[i].option, given[i].text));
    }
    cairn_binary_counts c = {v[2], v[0] - v[2], v[1] - v[2], v[3] - v[0] - v[1] + v[2]};
    if (c.fn < 0 || c.fp < 0 || c.tn < 0)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the counts contradict each other: found is at most relevant and "
                          "retrieved, and relevant or retrieved records are at most all of them");
    return put_counts(ctx, out, o, c);
}

/* -- two lists of labels -- */

/* Numbers of both lists in one set of names, those of the actual labels first. */
typedef struct label_lists {
    const int32_t *actual, *predicted;
    const double *weights;
    size_t n_rows;
} label_lists;

/* Rows without a label or without a prediction count as left out, not as mistakes. */
static cairn_status count_lists(cairn_context *ctx, cairn_labels *out, const cairn_map *names,
                                const label_lists *lists)
{
    out->n = names->n;
    if (names->n == 0) return cairn_fail(ctx, CAIRN_BAD_DATA, "there are no labels to compare");
    CHECK(SCRATCH(ctx, &out->cells, cairn_product(names->n, names->n)));
    CHECK(SCRATCH(ctx, &out->names, names->n));
    for (size_t i = 0; i < names->n; i++) {
        const char *key = cairn_map_key(names, i);
        char *copy;
        CHECK(SCRATCH(ctx, &copy, strlen(key) + 1));
        memcpy(copy, key, strlen(key));
        out->names[i] = copy;
    }
    for (size_t r = 0; r < lists->n_rows; r++)
        out->left_out += lists->actual[r] < 0 || lists->predicted[r] < 0;
    cairn_confusion_add(out->cells, names->n, lists->actual, lists->predicted, lists->weights,
                        lists->n_rows);
    return CAIRN_OK;
}

/* The classes of --classes, in that order; the labels may then hold no others. */
static cairn_status declare_classes(cairn_context *ctx, cairn_map *names, const char *classes)
{
    char **words;
    size_t n, code;
    if (!classes) return CAIRN_OK;
    CHECK(cairn_list_split(ctx, classes, &words, &n));
    for (size_t i = 0; i < n; i++)
        CHECK(cairn_map_add(ctx, names, words[i], strlen(words[i]), &code));
    return cairn_names_differ(ctx, (const char *const *)words, n, "classes");
}

/* Declared classes fix the order and refuse all others; without them classes come in order of
 * appearance in the labels, then in the predictions. */
static cairn_status read_lists(cairn_context *ctx, cairn_labels *out, const cairn_label_option *o)
{
    const char *texts[2] = {o->labels, o->predictions};
    int32_t *codes[2];
    size_t n[2] = {0, 0}, declared;
    SCOPED(cairn_map_clear) cairn_map names = {0};
    if (!texts[0] || !texts[1])
        return cairn_fail(ctx, CAIRN_USAGE, "{labels} and {predictions} go together");
    CHECK(declare_classes(ctx, &names, o->classes));
    declared = names.n;
    for (int side = 0; side < 2; side++) {
        char **words;
        CHECK(cairn_list_split(ctx, texts[side], &words, &n[side]));
        CHECK(SCRATCH(ctx, &codes[side], n[side]));
        for (size_t i = 0; i < n[side]; i++) {
            size_t code;
            CHECK(cairn_map_add(ctx, &names, words[i], strlen(words[i]), &code));
            codes[side][i] = (int32_t)code;
            if (declared && code >= declared)
                CHECK(cairn_fail(ctx, CAIRN_USAGE,
                                 "{%s}: entry %zu, '%s', is none of the {classes}",
                                 side ? "predictions" : "labels", i + 1, words[i]));
        }
    }
    if (n[0] != n[1])
        CHECK(cairn_fail(ctx, CAIRN_USAGE, "{labels} has %zu entries and {predictions} %zu", n[0],
                         n[1]));
    return count_lists(ctx, out, &names, &(label_lists){codes[0], codes[1], NULL, n[0]});
}

/* -- tables -- */

/* A column by its option, a usual name, or (for the actual classes) the target; -1 = none. */
static cairn_status find_column(cairn_context *ctx, ptrdiff_t *out, const cairn_table *table,
                                const char *wanted, const char *usual, bool target)
{
    size_t at;
    *out = -1;
    if (wanted) {
        cairn_status status = cairn_table_get(ctx, table, wanted, &at);
        if (status) return status;
        *out = (ptrdiff_t)at;
    } else if (target && cairn_table_role_column(table, CAIRN_TARGET) >= 0) {
        *out = cairn_table_role_column(table, CAIRN_TARGET);
    } else {
        *out = cairn_table_find(table, usual);
    }
    return CAIRN_OK;
}

/* The only level column that is neither `other` nor an id. */
static ptrdiff_t only_level(const cairn_table *table, ptrdiff_t other)
{
    ptrdiff_t found = -1;
    for (size_t c = 0; c < table->n_columns; c++) {
        if ((ptrdiff_t)c == other || table->slots[c].role == CAIRN_ID ||
            table->slots[c].column->kind != CAIRN_LEVEL)
            continue;
        if (found >= 0) return -1;
        found = (ptrdiff_t)c;
    }
    return found;
}

static cairn_status need_levels(cairn_context *ctx, const cairn_table *table, ptrdiff_t c,
                                const char *option)
{
    if (c < 0)
        return cairn_fail(ctx, CAIRN_USAGE, "name the column of the %s classes with {%s}", option,
                          option);
    if (table->slots[c].column->kind != CAIRN_LEVEL)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{%s}: '%s' holds no classes; {kinds \"%s=level\"} takes its values as "
                          "classes",
                          option, table->slots[c].name, table->slots[c].name);
    return CAIRN_OK;
}

/* Codes of a column in the common set of names. */
static cairn_status translate(cairn_context *ctx, int32_t **out, cairn_map *names,
                              const cairn_table *table, ptrdiff_t column, size_t declared)
{
    const cairn_column *from = table->slots[column].column;
    size_t *codes;
    CHECK(SCRATCH(ctx, out, table->n_rows));
    CHECK(SCRATCH(ctx, &codes, from->names.n));
    for (size_t i = 0; i < from->names.n; i++) {
        const char *key = cairn_map_key(&from->names, i);
        CHECK(cairn_map_add(ctx, names, key, strlen(key), &codes[i]));
    }
    for (size_t r = 0; r < table->n_rows; r++) {
        int32_t code = from->codes[r];
        (*out)[r] = code < 0 ? -1 : (int32_t)codes[code];
        if (declared && code >= 0 && codes[code] >= declared)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "%s, row %zu: '%s' in '%s' is none of the {classes}",
                              table->source ? table->source : "the table", r + 1,
                              cairn_map_key(&from->names, (size_t)code), table->slots[column].name);
    }
    return CAIRN_OK;
}

static cairn_status compare_columns(cairn_context *ctx, cairn_labels *out, const cairn_table *table,
                                    ptrdiff_t actual, ptrdiff_t predicted, const char *classes)
{
    int32_t *a, *p;
    SCOPED(cairn_map_clear) cairn_map names = {0};
    cairn_view view;
    CHECK(cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    CHECK(declare_classes(ctx, &names, classes));
    size_t declared = names.n;
    CHECK(translate(ctx, &a, &names, table, actual, declared));
    CHECK(translate(ctx, &p, &names, table, predicted, declared));
    return count_lists(ctx, out, &names, &(label_lists){a, p, view.row_weights, table->n_rows});
}

/* A matrix: as many number columns as rows, and perhaps a column that names the rows. */
static cairn_status read_matrix(cairn_context *ctx, cairn_labels *out, const cairn_table *table,
                                const cairn_label_option *o, bool *is_matrix)
{
    size_t n = 0, at = 0;
    ptrdiff_t names = -1;
    for (size_t c = 0; c < table->n_columns; c++) {
        if (cairn_table_numbers(table, c))
            n++;
        else if (names < 0 && table->slots[c].column->kind == CAIRN_LEVEL)
            names = (ptrdiff_t)c;
    }
    *is_matrix = n == table->n_rows && n >= 2;
    if (!*is_matrix) return CAIRN_OK;
    out->n = n;
    CHECK(SCRATCH(ctx, &out->cells, n * n));
    CHECK(SCRATCH(ctx, &out->names, n));
    for (size_t c = 0; c < table->n_columns; c++) {
        const double *numbers = cairn_table_numbers(table, c);
        if (!numbers) continue;
        for (size_t r = 0; r < n; r++) {
            if (!(numbers[r] >= 0) || isinf(numbers[r]))
                return cairn_fail(ctx, CAIRN_BAD_DATA,
                                  "%s, row %zu, column '%s': a count is finite and not negative",
                                  table->source ? table->source : "the table", r + 1,
                                  table->slots[c].name);
            out->cells[r * n + at] = numbers[r];
        }
        out->names[at++] = table->slots[c].name;
    }
    const char *head = names >= 0 ? table->slots[names].name : "";
    out->rows_predicted = o->rows == 1 || (o->rows < 0 && strcasecmp(head, "predicted") == 0);
    if (out->rows_predicted) turn(out);
    if (o->classes) CHECK(name_classes(ctx, out, o->classes));
    return CAIRN_OK;
}

static cairn_status read_table(cairn_context *ctx, cairn_labels *out, const cairn_label_option *o,
                               const cairn_table *table)
{
    ptrdiff_t actual, predicted;
    bool is_matrix = false;
    if (!o->actual && !o->predicted) CHECK(read_matrix(ctx, out, table, o, &is_matrix));
    if (is_matrix) return CAIRN_OK;
    CHECK(find_column(ctx, &actual, table, o->actual, "actual", true));
    CHECK(find_column(ctx, &predicted, table, o->predicted, "predicted", false));
    if (predicted < 0) predicted = only_level(table, actual);
    CHECK(need_levels(ctx, table, actual, "actual"));
    CHECK(need_levels(ctx, table, predicted, "predicted"));
    CHECK(compare_columns(ctx, out, table, actual, predicted, o->classes));
    out->rows_predicted = o->rows == 1;
    return CAIRN_OK;
}

cairn_status cairn_read_labels(cairn_context *ctx, cairn_labels *out, const cairn_label_option *o,
                               const cairn_table *table, const char *what)
{
    *out = (cairn_labels){0};
    if (table)
        CHECK(read_table(ctx, out, o, table));
    else if (o->table)
        CHECK(read_typed_table(ctx, out, o));
    else if (o->tp || o->fn || o->fp || o->tn)
        CHECK(read_typed_counts(ctx, out, o));
    else if (o->total || o->relevant || o->retrieved || o->found)
        CHECK(read_search(ctx, out, o));
    else if (o->labels || o->predictions)
        CHECK(read_lists(ctx, out, o));
    else
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'%s' needs DATA, {table}, {tp} {fn} {fp} {tn}, or {labels} with "
                          "{predictions}",
                          what);
    if (out->n == 2) {
        double sizes[2] = {out->cells[0] + out->cells[1], out->cells[2] + out->cells[3]};
        const char *const names[2] = {out->names[0], out->names[1]};
        if (out->without_tn) sizes[1] = INFINITY; /* the first is the one that was sought */
        CHECK(cairn_choose_positive(ctx, &out->positive, names, sizes, o->positive));
        if (out->without_tn && out->positive)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{positive}: without {tn} only '%s' can be the positive class",
                              out->names[0]);
    } else if (o->positive) {
        return cairn_fail(ctx, CAIRN_USAGE, "{positive} needs two classes; there are %zu", out->n);
    }
    return CAIRN_OK;
}
