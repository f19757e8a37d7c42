/* SPDX-License-Identifier: MIT */
/* cairn describe: the schema, and the statistics that the kind of each column permits. */
#include "command/describe.h"
#include "report/wrap.h"

#include "base/memory.h"
#include "data/time.h"
#include "report/document.h"
#include "report/table_rows.h"

#include <math.h>
#include <string.h>

enum { DOMAIN_LEVELS = 5, MOST_LEVELS = 12, MOST_NAMED_LEVELS = 200, MOST_GROUPS = 50 };

static const char *measurement_name(cairn_measurement m)
{
    static const char *const names[] = {"", "Boolean", "categorical", "ordinal", "quantitative"};
    return names[m];
}

static void add_value(cairn_text *out, const cairn_slot *slot, double value, int digits)
{
    char time[CAIRN_TIME_SIZE], number[CAIRN_NUMBER_SIZE];
    if (slot->column->kind != CAIRN_TIME || isnan(value)) {
        (void)cairn_number_show(number, value, digits); /* 500001 and not 5e+05 */
        cairn_text_add(out, number);
        return;
    }
    cairn_time_format(time, value, slot->column->pattern);
    cairn_text_add(out, time);
}

void cairn_describe_cell(cairn_describing *d, const cairn_slot *slot, double value, int digits,
                         const char *statistic)
{
    const char *key = cairn_report_key(d->report, slot->name);
    if (slot->column->kind != CAIRN_TIME || isnan(value)) {
        cairn_report_cell_number(d->report, value, digits, "%s.%s", statistic, key);
        return;
    }
    char time[CAIRN_TIME_SIZE];
    cairn_time_format(time, value, slot->column->pattern);
    cairn_report_hidden(d->report, value, "%s.%s", statistic, key);
    cairn_report_cell(d->report, time);
}

/* A difference of two values of the column: a length of time where it holds times. */
static void span_cell(cairn_describing *d, const cairn_slot *slot, double value,
                      const char *statistic)
{
    const char *key = cairn_report_key(d->report, slot->name);
    if (slot->column->kind != CAIRN_TIME || isnan(value)) {
        cairn_report_cell_number(d->report, value, 5, "%s.%s", statistic, key);
        return;
    }
    char span[CAIRN_TIME_SIZE];
    cairn_time_span(span, value);
    cairn_report_hidden(d->report, value, "%s.%s", statistic, key);
    cairn_report_cell(d->report, span);
}

/* -- the schema -- */

/* The commonest of texts: "short (3 of 6)", or that none comes twice. */
static void add_top(cairn_text *out, cairn_describing *d, size_t i)
{
    const cairn_slot *slot = &d->table->slots[i];
    const cairn_column_facts *f = &d->facts[i];
    char text[64];
    if (slot->column->kind != CAIRN_TEXT || !f->n) return;
    if (f->n_top < 2) {
        cairn_text_add(out, "all differ");
        return;
    }
    cairn_table_cell(d->table, i, f->top_row, text, sizeof text);
    cairn_text_addf(out, "most often %s (%zu of %zu)", text, f->n_top, f->n);
    if (!cairn_report_row_wanted(d->report)) return;
    const char *key = cairn_report_key(d->report, slot->name);
    cairn_report_hidden_word(d->report, text, "top.%s", key);
    cairn_report_hidden(d->report, (double)f->n_top, "top_count.%s", key);
}

static double distinct_values(const cairn_slot *slot, const cairn_column_facts *f)
{
    if (f->measurement == CAIRN_QUANTITATIVE) return (double)f->summary.n_distinct;
    if (slot->column->kind == CAIRN_LEVEL) return (double)f->n_used;
    return (double)(slot->column->kind == CAIRN_TEXT ? f->n_texts : slot->column->names.n);
}

/* "4.3..7.9", or the levels in the order of the bars beside them: their own where they have one,
 * else the commonest first; those that are declared but do not occur are counted. */
static void add_domain(cairn_text *text, const cairn_describing *d, size_t i)
{
    const cairn_slot *slot = &d->table->slots[i];
    const cairn_column_facts *f = &d->facts[i];
    const cairn_column *column = slot->column;
    if (f->measurement == CAIRN_QUANTITATIVE && f->n) {
        add_value(text, slot, f->summary.min, 5);
        cairn_text_add(text, "..");
        add_value(text, slot, f->summary.max, 5);
    }
    if (column->kind != CAIRN_LEVEL) return;
    bool ordered = f->measurement == CAIRN_ORDINAL;
    for (size_t k = 0; k < column->names.n && k < DOMAIN_LEVELS; k++)
        cairn_text_addf(text, k ? (ordered ? "<%s" : ", %s") : "%s",
                        cairn_map_key(&column->names, ordered ? k : f->order[k]));
    if (column->names.n > DOMAIN_LEVELS)
        cairn_text_addf(text, " and %zu more", column->names.n - DOMAIN_LEVELS);
    if (f->n_used < column->names.n)
        cairn_text_addf(text, " (%zu not seen)", column->names.n - f->n_used);
}

/* A small histogram in letters. */
static void add_bars(cairn_text *text, const cairn_column_facts *f)
{
    static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    double most = 0;
    cairn_text_add(text, "");
    for (size_t j = 0; j < f->n_bars; j++) most = fmax(most, f->bars[j]);
    for (size_t j = 0; j < f->n_bars; j++) {
        double share = most > 0 ? f->bars[j] / most : 0;
        int height = f->bars[j] > 0 ? 1 + (int)(share * 6.999) : 0;
        cairn_text_add(text, blocks[height > 7 ? 7 : height]);
    }
}

/* What a column is: kind, scale and role, how much is missing, how many values, its domain and a
 * small histogram. */
static void column_row(cairn_describing *d, size_t i)
{
    const cairn_slot *slot = &d->table->slots[i];
    const cairn_column_facts *f = &d->facts[i];
    cairn_report *r = d->report;
    const char *key = cairn_report_key(r, slot->name);
    cairn_text text = cairn_text_start(d->ctx);
    cairn_report_cells(r, "- kind.$1 scale.$1 role.$1", slot->name,
                       cairn_kind_name(slot->column->kind), measurement_name(f->measurement),
                       cairn_role_name(slot->role));
    if (cairn_report_row_wanted(r))
        cairn_report_hidden(r, (double)(slot->column->n_rows - slot->column->n_missing), "n.%s",
                            key);
    cairn_report_cell_number(r, (double)slot->column->n_missing, 0, "missing.%s", key);
    cairn_report_cell_number(r, distinct_values(slot, f), 0, "distinct.%s", key);
    if (slot->column->kind == CAIRN_LEVEL && cairn_report_row_wanted(r))
        cairn_report_hidden(r, (double)slot->column->names.n, "levels.%s", key);
    add_domain(&text, d, i);
    add_top(&text, d, i);
    cairn_report_cell(r, cairn_text_string(&text));
    cairn_report_text_end(r, &text);
    text = cairn_text_start(d->ctx);
    add_bars(&text, f);
    cairn_report_cell(r, cairn_text_string(&text));
    cairn_report_text_end(r, &text);
}

void cairn_describe_columns(cairn_describing *d)
{
    static const char *const heads[] = {"column",  "kind",     "scale",  "role",
                                        "missing", "distinct", "domain", "spread"};
    cairn_report_heading(d->report, 2, "Columns");
    cairn_report_table_begin(d->report, NULL, d->limit);
    for (size_t i = 0; i < 8; i++)
        cairn_report_column(d->report, heads[i], i == 4 || i == 5 ? 'r' : 'l');
    for (size_t i = 0; i < d->table->n_columns; i++) column_row(d, i);
}

/* -- in brief -- */

enum { MOST_GLANCED = 14, GLANCE_NAME = 20, GLANCE_VALUES = 30, GLANCE_CLASSES = 5 };

/* The whole table in a line. */
static void glance_head(cairn_describing *d)
{
    SCOPED(cairn_text_clear) cairn_text line = cairn_text_start(d->ctx);
    size_t missing = 0;
    for (size_t i = 0; i < d->table->n_columns; i++)
        missing += d->table->slots[i].column->n_missing;
    cairn_text_addf(&line, "%zu row%s · %zu column%s · ", d->table->n_rows,
                    d->table->n_rows == 1 ? "" : "s", d->table->n_columns,
                    d->table->n_columns == 1 ? "" : "s");
    if (missing)
        cairn_text_addf(&line, "%zu missing cell%s", missing, missing == 1 ? "" : "s");
    else
        cairn_text_add(&line, "no missing cells");
    if (d->target >= 0) cairn_text_addf(&line, " · target %s", d->table->slots[d->target].name);
    cairn_report_failed(d->report, cairn_text_status(&line));
    cairn_report_paragraph(d->report, "%s", cairn_text_string(&line));
}

/* A text that is cut to so many cells. */
static void glance_cell(cairn_describing *d, const char *text, size_t cells)
{
    SCOPED(cairn_text_clear) cairn_text cut = cairn_text_start(d->ctx);
    cairn_text_add(&cut, "");
    (void)cairn_text_add_cut(&cut, text, cells);
    cairn_report_failed(d->report, cairn_text_status(&cut));
    cairn_report_cell(d->report, cairn_text_string(&cut));
}

/* A column on a line: its kind, and its role where it is none to learn from. */
static void glance_row(cairn_describing *d, size_t i)
{
    const cairn_slot *slot = &d->table->slots[i];
    SCOPED(cairn_text_clear) cairn_text values = cairn_text_start(d->ctx);
    SCOPED(cairn_text_clear) cairn_text bars = cairn_text_start(d->ctx);
    glance_cell(d, slot->name, GLANCE_NAME);
    if (slot->role == CAIRN_FEATURE)
        cairn_report_cell(d->report, cairn_kind_name(slot->column->kind));
    else
        cairn_report_cellf(d->report, "%s (%s)", cairn_kind_name(slot->column->kind),
                           cairn_role_name(slot->role));
    if (slot->column->n_missing)
        cairn_report_cell_number(d->report, (double)slot->column->n_missing, 0, NULL);
    else
        cairn_report_cell(d->report, "");
    add_domain(&values, d, i);
    add_top(&values, d, i);
    add_bars(&bars, &d->facts[i]);
    cairn_report_failed(d->report, cairn_text_status(&values));
    glance_cell(d, cairn_text_string(&values), GLANCE_VALUES);
    cairn_report_failed(d->report, cairn_text_status(&bars));
    cairn_report_cell(d->report, cairn_text_string(&bars));
}

/* "survived: 549 are 0, 342 are 1". */
static void glance_target(cairn_describing *d)
{
    SCOPED(cairn_text_clear) cairn_text line = cairn_text_start(d->ctx);
    if (d->target < 0) return;
    const cairn_slot *slot = &d->table->slots[d->target];
    const cairn_column_facts *f = &d->facts[d->target];
    if (slot->column->kind != CAIRN_LEVEL) return;
    for (size_t k = 0; k < f->n_used && k < GLANCE_CLASSES; k++) {
        cairn_text_add(&line, k ? ", " : "");
        cairn_text_add_number(&line, f->counts[f->order[k]], 6);
        cairn_text_addf(&line, " are %s", cairn_map_key(&slot->column->names, f->order[k]));
    }
    if (f->n_used > GLANCE_CLASSES)
        cairn_text_addf(&line, " and %zu more classes", f->n_used - GLANCE_CLASSES);
    cairn_report_failed(d->report, cairn_text_status(&line));
    cairn_report_paragraph(d->report, "%s: %s.", slot->name, cairn_text_string(&line));
}

void cairn_describe_glance(cairn_describing *d)
{
    unsigned before = cairn_report_only(d->report, CAIRN_IN_BRIEF);
    glance_head(d);
    size_t n = d->table->n_columns, shown = n > MOST_GLANCED + 1 ? MOST_GLANCED : n;
    cairn_report_table_of(d->report, NULL, 0, "llrll", "column", "kind", "missing", "values",
                          "spread");
    for (size_t i = 0; i < shown; i++) glance_row(d, i);
    cairn_report_table_end(d->report);
    if (shown < n) cairn_report_paragraph(d->report, "... and %zu more columns.", n - shown);
    glance_target(d);
    cairn_report_more(d->report, "{full} · {show rows} (or target, levels ...) · {out page.html}");
    cairn_report_for(d->report, before);
}

/* Names of rows and what the user ignores need no statistics. */
static bool is_aside(const cairn_slot *slot)
{
    return slot->role == CAIRN_ID || slot->role == CAIRN_IGNORED;
}

/* -- centre and spread -- */

/* All modes as far as they fit: "5", "5, 7", "all differ". */
static void mode_cell(cairn_describing *d, size_t i)
{
    const cairn_slot *slot = &d->table->slots[i];
    const cairn_column_facts *f = &d->facts[i];
    const char *key = cairn_report_key(d->report, slot->name);
    cairn_text text = cairn_text_start(d->ctx);
    bool numbers = f->measurement == CAIRN_QUANTITATIVE;
    size_t n = numbers ? (size_t)f->summary.n_modes : 0;
    for (size_t k = 0; !numbers && k < f->n_used; k++)
        n += f->counts[f->order[k]] == f->counts[f->order[0]];
    for (size_t k = 0; k < n && k < CAIRN_SUMMARY_MODES; k++) {
        cairn_text_add(&text, k ? ", " : "");
        if (numbers)
            add_value(&text, slot, f->summary.modes[k], 5);
        else
            cairn_text_add(&text, cairn_map_key(&slot->column->names, f->order[k]));
        if (numbers)
            cairn_report_hidden(d->report, f->summary.modes[k], "mode.%s.%zu", key, k + 1);
        else
            cairn_report_hidden_word(d->report, cairn_map_key(&slot->column->names, f->order[k]),
                                     "mode.%s.%zu", key, k + 1);
    }
    if (n > CAIRN_SUMMARY_MODES) cairn_text_addf(&text, " and %zu more", n - CAIRN_SUMMARY_MODES);
    cairn_report_hidden(d->report, (double)n, "modes.%s", key);
    bool all = n > 1 && n == (numbers ? f->summary.n_distinct : f->n_used);
    cairn_report_cell(d->report, n == 0         ? "n/a"
                                 : all && n > 3 ? "none stands out"
                                                : cairn_text_string(&text));
    cairn_report_text_end(d->report, &text);
}

/* A statistic that only ordered levels permit: the level's name. */
static void level_cell(cairn_describing *d, size_t i, double code, const char *statistic)
{
    const cairn_slot *slot = &d->table->slots[i];
    if (d->facts[i].measurement != CAIRN_ORDINAL || isnan(code))
        cairn_report_cell(d->report, "n/a");
    else
        cairn_report_cell_word(d->report, cairn_map_key(&slot->column->names, (size_t)code),
                               "%s.%s", statistic, cairn_report_key(d->report, slot->name));
}

static void ordinal_range(const cairn_column_facts *f, size_t n, double *low, double *high)
{
    *low = *high = NAN;
    for (size_t k = 0; k < n; k++) {
        if (!(f->counts[k] > 0)) continue;
        if (isnan(*low)) *low = (double)k;
        *high = (double)k;
    }
}

/* Ordered levels have quartiles but no mean or deviation: the scale of the column decides which
 * cells are filled. */
static void statistics_row(cairn_describing *d, size_t i)
{
    const cairn_slot *slot = &d->table->slots[i];
    const cairn_column_facts *f = &d->facts[i];
    const cairn_summary *s = &f->summary;
    cairn_report_cell(d->report, slot->name);
    mode_cell(d, i);
    if (f->measurement == CAIRN_QUANTITATIVE) {
        cairn_describe_cell(d, slot, s->mean, 5, "mean");
        span_cell(d, slot, s->sd, "sd");
        cairn_describe_cell(d, slot, s->min, 5, "min");
        cairn_describe_cell(d, slot, s->q1, 5, "q1");
        cairn_describe_cell(d, slot, s->median, 5, "median");
        cairn_describe_cell(d, slot, s->q3, 5, "q3");
        cairn_describe_cell(d, slot, s->max, 5, "max");
        return;
    }
    double low, high;
    ordinal_range(f, slot->column->names.n, &low, &high);
    cairn_report_cells(d->report, NULL, "n/a", "n/a");
    level_cell(d, i, low, "min");
    level_cell(d, i, f->quantiles[0], "q1");
    level_cell(d, i, f->quantiles[1], "median");
    level_cell(d, i, f->quantiles[2], "q3");
    level_cell(d, i, high, "max");
}

void cairn_describe_statistics(cairn_describing *d)
{
    static const char *const heads[] = {"column", "mode",   "mean", "sd", "min",
                                        "q1",     "median", "q3",   "max"};
    size_t n = 0;
    for (size_t i = 0; i < d->table->n_columns; i++) {
        if (d->facts[i].measurement == CAIRN_NO_STATISTICS || is_aside(&d->table->slots[i]))
            continue;
        if (n++ == 0) {
            cairn_report_heading(d->report, 2, "Centre and spread");
            cairn_report_table_begin(d->report, NULL, d->limit);
            for (size_t h = 0; h < 9; h++)
                cairn_report_column(d->report, heads[h], h < 2 ? 'l' : 'r');
        }
        statistics_row(d, i);
    }
    if (!n) return;
    cairn_report_paragraph(
        d->report,
        "n/a: undefined, or not permitted by the kind of column (levels without an order have a "
        "mode only). sd divides by %s; quantiles by the rule '%s'%s.",
        cairn_divisors[d->options->divisor].name,
        cairn_quantile_rule_name((cairn_quantile_rule)d->options->quantile),
        d->weights ? "; rows count by their weights" : "");
}

/* -- shape -- */

void cairn_describe_shape(cairn_describing *d)
{
    static const char *const heads[] = {"column", "variance", "range",    "midrange",
                                        "IQR",    "skewness", "kurtosis", "excess"};
    cairn_report *r = d->report;
    size_t n = 0;
    for (size_t i = 0; i < d->table->n_columns; i++) {
        const cairn_slot *slot = &d->table->slots[i];
        const cairn_summary *s = &d->facts[i].summary;
        const char *key = cairn_report_key(r, slot->name);
        if (d->facts[i].measurement != CAIRN_QUANTITATIVE || is_aside(slot)) continue;
        if (n++ == 0) {
            cairn_report_heading(r, 2, "Shape");
            cairn_report_table_begin(r, NULL, d->limit);
            for (size_t h = 0; h < 8; h++) cairn_report_column(r, heads[h], h ? 'r' : 'l');
        }
        cairn_report_cell(r, slot->name);
        if (cairn_report_row_wanted(r)) {
            cairn_report_hidden(r, s->m2, "m2.%s", key);
            cairn_report_hidden(r, s->m3, "m3.%s", key);
            cairn_report_hidden(r, s->m4, "m4.%s", key);
        }
        if (slot->column->kind == CAIRN_TIME) { /* a square of seconds says nothing */
            cairn_report_hidden(r, s->variance, "variance.%s", key);
            cairn_report_cell(r, "");
        } else {
            cairn_report_cell_number(r, s->variance, 5, "variance.%s", key);
        }
        span_cell(d, slot, s->range, "range");
        cairn_describe_cell(d, slot, s->midrange, 5, "midrange");
        span_cell(d, slot, s->iqr, "iqr");
        cairn_report_prefix(r, "%s", key);
        cairn_report_cells(r, "skewness.@:4 kurtosis.@:4 excess.@:4", s->skewness, s->kurtosis,
                           s->excess);
    }
}

/* -- levels -- */

/* "sunny 5, rainy 5, overcast 4" */
static cairn_status counts_cell(cairn_describing *d, size_t i)
{
    const cairn_column_facts *f = &d->facts[i];
    const cairn_map *names = &d->table->slots[i].column->names;
    const char *key = cairn_report_key(d->report, d->table->slots[i].name);
    cairn_text text = cairn_text_start(d->ctx);
    for (size_t k = 0; k < names->n && k < MOST_NAMED_LEVELS; k++) {
        const char *level = cairn_map_key(names, f->order[k]);
        double count = f->counts[f->order[k]];
        if (k < MOST_LEVELS) {
            cairn_text_addf(&text, k ? ", %s " : "%s ", level);
            cairn_text_add_number(&text, count, 7);
        }
        cairn_report_hidden(d->report, count, "count.%s.%s", key,
                            cairn_report_key(d->report, level));
    }
    if (names->n > MOST_LEVELS) cairn_text_addf(&text, " and %zu more", names->n - MOST_LEVELS);
    cairn_status status = cairn_text_status(&text);
    if (status == CAIRN_OK) cairn_report_cell(d->report, cairn_text_string(&text));
    cairn_text_clear(&text);
    return status;
}

cairn_status cairn_describe_levels(cairn_describing *d)
{
    size_t n = 0;
    for (size_t i = 0; i < d->table->n_columns; i++) {
        const cairn_slot *slot = &d->table->slots[i];
        const cairn_column_facts *f = &d->facts[i];
        if (slot->column->kind != CAIRN_LEVEL || is_aside(slot)) continue;
        if (n++ == 0) {
            cairn_report_heading(d->report, 2, "Levels");
            cairn_report_table_of(d->report, NULL, d->limit, "lrl", "column", "largest share",
                                  d->weights ? "weights" : "counts");
        }
        double total = 0;
        for (size_t k = 0; k < slot->column->names.n; k++) total += f->counts[k];
        cairn_report_cells(d->report, "- largest_share.$1:3", slot->name,
                           total > 0 ? f->counts[f->order[0]] / total : NAN);
        CHECK(counts_cell(d, i));
    }
    return CAIRN_OK;
}

/* -- by group -- */

/* The same statistics as for all rows, with the same divisor and quantile rule, for the rows of
 * one group. */
static cairn_status group_row(cairn_describing *d, size_t column, const cairn_column *by, size_t g)
{
    SCOPED_SCRATCH(d->ctx);
    const cairn_slot *slot = &d->table->slots[column];
    cairn_report *r = d->report;
    cairn_sample sample;
    cairn_summary s;
    CHECK(cairn_sample_make(d->ctx, &sample, slot->column->numbers, d->weights, d->table->n_rows,
                            (cairn_part){by->codes, (int32_t)g}));
    cairn_summarise(&s, &sample, (cairn_divisor)d->options->divisor,
                    (cairn_quantile_rule)d->options->quantile);
    const struct {
        const char *name;
        double value;
    } cells[] = {{"n", (double)sample.n},
                 {"mean", s.mean},
                 {"sd", s.sd},
                 {"min", s.min},
                 {"q1", s.q1},
                 {"median", s.median},
                 {"q3", s.q3},
                 {"max", s.max},
                 {"skewness", s.skewness}};
    const char *level = cairn_map_key(&by->names, g);
    const char *key = cairn_report_key(r, slot->name), *group = cairn_report_key(r, level);
    cairn_report_cells(r, NULL, slot->name, level);
    for (size_t k = 0; k < sizeof cells / sizeof *cells; k++)
        cairn_report_cell_number(r, cells[k].value, 5, "by.%s.%s.%s", group, cells[k].name, key);
    return CAIRN_OK;
}

/* The table begins with the first column that has something to show, so that there is no empty
 * table. */
static cairn_status numbers_by(cairn_describing *d, size_t at, size_t n_groups)
{
    static const char *const heads[] = {"column", "group",  "n",  "mean", "sd",      "min",
                                        "q1",     "median", "q3", "max",  "skewness"};
    size_t n = 0;
    for (size_t i = 0; i < d->table->n_columns && n < d->limit; i++) {
        if (d->facts[i].measurement != CAIRN_QUANTITATIVE || i == at ||
            !cairn_describe_learns(&d->table->slots[i]))
            continue;
        if (n++ == 0) {
            cairn_report_table_begin(d->report, "Numbers", (size_t)-1);
            for (size_t h = 0; h < 11; h++)
                cairn_report_column(d->report, heads[h], h < 2 ? 'l' : 'r');
        }
        for (size_t g = 0; g < n_groups; g++) CHECK(group_row(d, i, d->table->slots[at].column, g));
    }
    return CAIRN_OK;
}

/* Counts of one level column in each group. */
static cairn_status level_rows(cairn_describing *d, size_t column, size_t at, size_t n_groups)
{
    SCOPED_SCRATCH(d->ctx);
    const cairn_column *levels = d->table->slots[column].column, *by = d->table->slots[at].column;
    const char *key = cairn_report_key(d->report, d->table->slots[column].name);
    size_t n = levels->names.n < MOST_GROUPS ? levels->names.n : MOST_GROUPS;
    double *cells;
    CHECK(SCRATCH(d->ctx, &cells, n * n_groups + 1));
    for (size_t i = 0; i < d->table->n_rows; i++) {
        int32_t level = levels->codes[i], group = by->codes[i];
        if (level >= 0 && (size_t)level < n && group >= 0 && (size_t)group < n_groups)
            cells[(size_t)level * n_groups + (size_t)group] += cairn_describe_weight(d, i);
    }
    for (size_t k = 0; k < n; k++) {
        const char *level = cairn_map_key(&levels->names, k);
        cairn_report_cells(d->report, NULL, d->table->slots[column].name, level);
        for (size_t g = 0; g < n_groups; g++)
            cairn_report_cell_number(d->report, cells[k * n_groups + g], 0, "by.%s.count.%s.%s",
                                     cairn_report_key(d->report, cairn_map_key(&by->names, g)), key,
                                     cairn_report_key(d->report, level));
    }
    return CAIRN_OK;
}

static cairn_status levels_by(cairn_describing *d, size_t at, size_t n_groups)
{
    size_t n = 0;
    for (size_t i = 0; i < d->table->n_columns && n < d->limit; i++) {
        if (d->table->slots[i].column->kind != CAIRN_LEVEL || i == at ||
            !cairn_describe_learns(&d->table->slots[i]))
            continue;
        if (n++ == 0) {
            cairn_report_table_of(d->report, "Levels", (size_t)-1, "ll", "column", "level");
            for (size_t g = 0; g < n_groups; g++)
                cairn_report_column(d->report, cairn_map_key(&d->table->slots[at].column->names, g),
                                    'r');
        }
        CHECK(level_rows(d, i, at, n_groups));
    }
    return CAIRN_OK;
}

cairn_status cairn_describe_by(cairn_describing *d, const char *name)
{
    size_t at;
    if (d->target >= 0 && cairn_same(name, "target") && cairn_table_find(d->table, name) < 0)
        at = (size_t)d->target;
    else
        CHECK(cairn_table_get(d->ctx, d->table, name, &at));
    const cairn_slot *slot = &d->table->slots[at];
    if (slot->column->kind != CAIRN_LEVEL)
        return cairn_fail(d->ctx, CAIRN_USAGE,
                          "--by: '%s' holds no levels; --kinds \"%s=level\" takes its values as "
                          "levels",
                          slot->name, slot->name);
    size_t n = slot->column->names.n < MOST_GROUPS ? slot->column->names.n : MOST_GROUPS;
    cairn_report_heading(d->report, 2, "By %s", slot->name);
    CHECK(numbers_by(d, at, n));
    CHECK(levels_by(d, at, n));
    if (n < slot->column->names.n)
        cairn_report_paragraph(d->report, "%zu more groups are not shown.",
                               slot->column->names.n - n);
    return CAIRN_OK;
}
