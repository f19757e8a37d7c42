/* SPDX-License-Identifier: MIT */
/* libsvm and svmlight: one row per line, `label index:value index:value ... # comment`.
 *
 * The table has a column `target` (role target), a column `qid` (role group) when rows say qid:N,
 * and a bag column `features` whose items are named by the indices as they stand in the file, so
 * that files that count from 0 and from 1 need no telling apart. Only indices that occur have a
 * name. Labels that are all numbers give a number column; labels with commas between them a bag
 * (several labels per row); others levels. A row without a label has a missing target. */
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "data/bag.h"
#include "data/format.h"
#include "data/lines.h"
#include <math.h>
#include <string.h>

enum { TICK_LINES = 1 << 14, FLUSH_AT = 1 << 15 };

typedef struct label {
    const char *text;
    size_t length; /* 0 = none */
} label;

typedef struct reader {
    cairn_lines lines;
    cairn_bag_builder features;
    label *labels; /* one per row */
    size_t labels_capacity;
    double *groups; /* one per row, NaN = none; NULL when no row has one */
    size_t groups_capacity;
    bool saw_comma, saw_word; /* among the labels */
} reader;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && is_blank(*at)) at++;
    return at;
}

static const char *token_end(const char *at, const char *end)
{
    while (at < end && !is_blank(*at)) at++;
    return at;
}

static cairn_status keep_label(cairn_context *ctx, reader *r, const char *text, size_t length)
{
    size_t row = r->features.n_rows - 1;
    double number;
    cairn_status status = GROW(ctx, &r->labels, &r->labels_capacity, row + 1);
    if (status) return status;
    r->labels[row] = (label){text, length};
    if (!length) return CAIRN_OK;
    if (memchr(text, ',', length)) r->saw_comma = true;
    if (!cairn_number_parse(text, length, &number) || !isfinite(number)) r->saw_word = true;
    return CAIRN_OK;
}

static cairn_status refuse_pair(cairn_context *ctx, const reader *r, const char *at,
                                const char *end)
{
    return cairn_lines_refuse(ctx, &r->lines, at, NULL,
                              "'%.*s' is not index:value; after the label, write pairs such as "
                              "12:0.5 (indices are whole numbers from 0)",
                              cairn_lines_shown(at, end), at);
}

/* One index:value. `last` is the index before it in the line, -1 at first. */
static cairn_status read_pair(cairn_context *ctx, reader *r, const char *at, const char *end,
                              int64_t *last)
{
    const char *colon = at;
    int64_t index = 0;
    double value;
    while (colon < end && *colon >= '0' && *colon <= '9') {
        index = index * 10 + (*colon++ - '0');
        if (index > UINT32_MAX)
            return cairn_lines_refuse(ctx, &r->lines, at, NULL,
                                      "the index in '%.*s' is too large; the largest is %u",
                                      cairn_lines_shown(at, end), at, UINT32_MAX);
    }
    if (colon == at || colon == end || *colon != ':') return refuse_pair(ctx, r, at, end);
    if (cairn_number_scan(colon + 1, end, &value) != end) {
        if (!cairn_number_parse(colon + 1, (size_t)(end - colon - 1), &value))
            return refuse_pair(ctx, r, at, end);
        value = INFINITY; /* nan or inf by name */
    }
    if (!isfinite(value))
        return cairn_lines_refuse(ctx, &r->lines, at, NULL,
                                  "the value in '%.*s' is not a finite number; leave the pair out",
                                  cairn_lines_shown(at, end), at);
    if (index <= *last)
        return cairn_lines_refuse(ctx, &r->lines, at, NULL,
                                  "index %lld comes after %lld; the indices of a row must ascend",
                                  (long long)index, (long long)*last);
    *last = index;
    while (*at == '0' && at + 1 < colon) at++;
    return cairn_bag_add(ctx, &r->features, at, (size_t)(colon - at), value);
}

/* A label is what stands before the first pair, if anything does; "qid" makes the row part of a
 * group. */
static cairn_status read_row(cairn_context *ctx, reader *r, const char *at, const char *end)
{
    int64_t last = -1;
    const char *stop = token_end(at, end);
    CHECK(cairn_bag_begin_row(ctx, &r->features));
    if (memchr(at, ':', (size_t)(stop - at))) { /* no label: the first pair stands here */
        CHECK(keep_label(ctx, r, at, 0));
    } else {
        CHECK(keep_label(ctx, r, at, (size_t)(stop - at)));
        at = skip_blanks(stop, end);
    }
    while (at < end) {
        stop = token_end(at, end);
        if (stop - at > 4 && memcmp(at, "qid:", 4) == 0) {
            /* qid:N, the group of the row. */
            const char *value = at + 4;
            size_t row = r->features.n_rows - 1;
            int64_t group;
            if (!cairn_integer_parse(value, (size_t)(stop - value), &group)) {
                CHECK(cairn_lines_refuse(ctx, &r->lines, value, "qid",
                                         "'%.*s' is not a whole number",
                                         cairn_lines_shown(value, stop), value));
            } else {
                size_t before = r->groups_capacity;
                CHECK(GROW(ctx, &r->groups, &r->groups_capacity, row + 1));
                for (size_t i = before; i < r->groups_capacity; i++) r->groups[i] = NAN;
                r->groups[row] = (double)group;
            }
        } else
            CHECK(read_pair(ctx, r, at, stop, &last));
        at = skip_blanks(stop, end);
    }
    return CAIRN_OK;
}

/* -- the columns -- */

static cairn_status make_numbers(cairn_context *ctx, cairn_column **out, const label *labels,
                                 size_t n)
{
    cairn_status status = cairn_column_new(ctx, out, CAIRN_NUMBER, n);
    if (status) return status;
    for (size_t i = 0; i < n; i++) {
        double number = NAN;
        if (labels[i].length && !cairn_number_parse(labels[i].text, labels[i].length, &number))
            number = NAN; /* cannot be: saw_word would be set */
        (*out)->numbers[i] = number;
    }
    return CAIRN_OK;
}

static cairn_status make_levels(cairn_context *ctx, cairn_column **out, const label *labels,
                                size_t n)
{
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    CHECK(cairn_column_new(ctx, &column, CAIRN_LEVEL, n));
    for (size_t i = 0; i < n; i++) {
        size_t code;
        column->codes[i] = -1;
        if (!labels[i].length) continue;
        CHECK(cairn_map_add(ctx, &column->names, labels[i].text, labels[i].length, &code));
        column->codes[i] = (int32_t)code;
    }
    *out = TAKE(column);
    return CAIRN_OK;
}

static cairn_status make_label_sets(cairn_context *ctx, cairn_column **out, const label *labels,
                                    size_t n)
{
    SCOPED(cairn_bag_clear) cairn_bag_builder bag = {0};
    for (size_t i = 0; i < n; i++) {
        CHECK(cairn_bag_begin_row(ctx, &bag));
        const char *at = labels[i].text, *end = at + labels[i].length;
        while (at < end) {
            const char *comma = memchr(at, ',', (size_t)(end - at));
            const char *stop = comma ? comma : end;
            if (stop > at) CHECK(cairn_bag_add(ctx, &bag, at, (size_t)(stop - at), 1));
            at = stop + 1;
        }
    }
    return cairn_bag_finish(ctx, out, &bag);
}

static cairn_status add_target(cairn_context *ctx, cairn_table *table, const reader *r)
{
    cairn_column *column;
    cairn_status status;
    if (r->saw_comma)
        status = make_label_sets(ctx, &column, r->labels, table->n_rows);
    else if (r->saw_word)
        status = make_levels(ctx, &column, r->labels, table->n_rows);
    else
        status = make_numbers(ctx, &column, r->labels, table->n_rows);
    if (status) return status;
    cairn_column_count_missing(column);
    return cairn_table_append(ctx, table, "target", CAIRN_TARGET, column);
}

static cairn_status add_groups(cairn_context *ctx, cairn_table *table, reader *r)
{
    cairn_column *column;
    size_t n = table->n_rows, had = r->groups_capacity;
    if (!r->groups) return CAIRN_OK;
    cairn_status status = cairn_column_new(ctx, &column, CAIRN_NUMBER, n);
    if (status) return status;
    for (size_t i = 0; i < n; i++) column->numbers[i] = i < had ? r->groups[i] : NAN;
    cairn_column_count_missing(column);
    return cairn_table_append(ctx, table, "qid", CAIRN_GROUP, column);
}

/* Pairs become one bag of features: columns would need the largest index, which may be millions,
 * for each row. */
static cairn_status read_libsvm(cairn_context *ctx, cairn_table **out, cairn_input *input,
                                const cairn_read_options *options)
{
    cairn_status status;
    reader r = {0};
    cairn_table *table = NULL;
    cairn_column *features;
    TRY(cairn_lines_read(ctx, &r.lines, input, options->encoding));
    /* Everything behind # is a comment, also behind a row; lines without anything else are no
     * rows. */
    const cairn_lines *lines = &r.lines;
    double length = (double)(lines->end - lines->begin);
    size_t n_lines = 0;
    for (const char *at = lines->begin; at < lines->end;) {
        const char *feed = cairn_lines_end(lines, at);
        const char *comment = memchr(at, '#', (size_t)(feed - at));
        const char *end = comment ? comment : feed;
        const char *first = skip_blanks(at, end);
        if (first < end) TRY(read_row(ctx, &r, first, end));
        at = feed + 1;
        if (++n_lines % TICK_LINES == 0)
            TRY(cairn_tick(ctx, "reading", (double)(at - lines->begin), length));
    }
    if (r.features.n_rows == 0)
        TRY(cairn_fail(ctx, CAIRN_BAD_DATA, "%s: there is no row of data", lines->name));
    TRY(cairn_table_new(ctx, &table, r.features.n_rows));
    TRY(add_target(ctx, table, &r));
    TRY(add_groups(ctx, table, &r));
    TRY(cairn_bag_finish(ctx, &features, &r.features));
    TRY(cairn_table_append(ctx, table, "features", CAIRN_FEATURE, features));
    *out = table;
    table = NULL;
done:
    cairn_table_free(table);
    cairn_bag_clear(&r.features);
    FREE_EACH(r.labels, r.groups);
    cairn_lines_clear(&r.lines);
    return status;
}

/* -- writing -- */

typedef struct writer {
    const cairn_table *table;
    const cairn_slot *target, *group; /* NULL when there is none */
    const cairn_slot **features;      /* number columns, or one bag */
    size_t n_features;
    uint32_t *indices; /* of the bag's items; NULL for number columns, which count from 1 */
} writer;

static cairn_status refuse_column(cairn_context *ctx, const cairn_slot *slot, const char *remedy)
{
    return cairn_fail(ctx, CAIRN_USAGE, "column '%s' (%s): libsvm cannot hold it; %s", slot->name,
                      cairn_kind_name(slot->column->kind), remedy);
}

/* Which column goes where; what does not fit is refused by name. */
static cairn_status sort_columns(cairn_context *ctx, writer *w)
{
    const cairn_table *table = w->table;
    CHECK(SCRATCH(ctx, &w->features, table->n_columns));
    for (size_t j = 0; j < table->n_columns; j++) {
        const cairn_slot *slot = &table->slots[j];
        cairn_kind kind = slot->column->kind;
        if (slot->role == CAIRN_IGNORED) continue;
        if (slot->role == CAIRN_TARGET && !w->target) {
            if (kind == CAIRN_TEXT || kind == CAIRN_SEQUENCE || kind == CAIRN_SERIES ||
                kind == CAIRN_TIME)
                return refuse_column(ctx, slot, "a target is a number, a level or a bag");
            w->target = slot;
        } else if (slot->role == CAIRN_GROUP && !w->group) {
            if (kind != CAIRN_NUMBER)
                return refuse_column(ctx, slot,
                                     cairn_say(ctx, "groups (qid) are whole numbers; use {kinds}"));
            w->group = slot;
        } else if (slot->role != CAIRN_FEATURE) {
            return refuse_column(ctx, slot,
                                 cairn_say(ctx,
                                           "it has room for one target, one group and features; "
                                           "leave it out ({ignore})"));
        } else if (kind != CAIRN_NUMBER && kind != CAIRN_BAG) {
            return refuse_column(ctx, slot,
                                 cairn_say(ctx, "make numbers of it first ({with indicators})"));
        } else {
            if (w->n_features && (kind == CAIRN_BAG || w->features[0]->column->kind == CAIRN_BAG))
                return refuse_column(ctx, slot, "features are one bag or numbers, not both");
            w->features[w->n_features++] = slot;
        }
    }
    return CAIRN_OK;
}

/* Indices of a bag's items: their names where these are ascending whole numbers, else 1, 2, ... */
static cairn_status number_items(cairn_context *ctx, writer *w)
{
    if (w->n_features != 1 || w->features[0]->column->kind != CAIRN_BAG) return CAIRN_OK;
    const cairn_map *names = &w->features[0]->column->names;
    int64_t last = -1, index;
    bool numbered = true;
    cairn_status status = SCRATCH(ctx, &w->indices, names->n);
    if (status) return status;
    for (size_t i = 0; i < names->n && numbered; i++) {
        numbered = cairn_integer_parse(cairn_map_key(names, i), names->lengths[i], &index) &&
                   index > last && index <= UINT32_MAX;
        if (numbered) w->indices[i] = (uint32_t)(last = index);
    }
    for (size_t i = 0; i < names->n && !numbered; i++) w->indices[i] = (uint32_t)i + 1;
    return CAIRN_OK;
}

static cairn_status add_label_name(cairn_context *ctx, cairn_text *line, const cairn_slot *slot,
                                   size_t code)
{
    const char *name = cairn_map_key(&slot->column->names, code);
    if (!*name || strpbrk(name, " \t\r\n,:#"))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "column '%s', level '%s': a libsvm label cannot be empty or hold blanks, "
                          "commas, colons or #; rename the level",
                          slot->name, name);
    cairn_text_add(line, name);
    return CAIRN_OK;
}

/* Without a target the label is 0, as programs that read the format expect one; several labels are
 * separated by commas. */
static cairn_status add_label(cairn_context *ctx, cairn_text *line, const writer *w, size_t row)
{
    const cairn_slot *slot = w->target;
    if (!slot) {
        cairn_text_add(line, "0");
        return CAIRN_OK;
    }
    const cairn_column *column = slot->column;
    if (column->kind != CAIRN_BAG && cairn_column_is_missing(column, row)) return CAIRN_OK;
    if (column->kind == CAIRN_NUMBER) {
        cairn_text_add_number(line, column->numbers[row], CAIRN_SHORTEST);
    } else if (column->kind == CAIRN_LEVEL) {
        CHECK(add_label_name(ctx, line, slot, (size_t)column->codes[row]));
    } else {
        size_t begin = column->starts[row], n = column->starts[row + 1] - begin;
        for (size_t k = 0; k < n; k++) {
            if (k) cairn_text_add_char(line, ',');
            CHECK(add_label_name(ctx, line, slot, (size_t)column->items[begin + k]));
        }
        if (n == 1) cairn_text_add_char(line, ','); /* so that it reads back as a set */
    }
    return CAIRN_OK;
}

static void add_pair(cairn_text *line, uint32_t index, double value)
{
    cairn_text_addf(line, " %u:", index);
    cairn_text_add_number(line, value, CAIRN_SHORTEST);
}

/* A bag keeps its own indices, columns are numbered from 1 by place; zeros are left out, which is
 * what the format means by a gap. */
static cairn_status add_features(cairn_context *ctx, cairn_text *line, const writer *w, size_t row)
{
    if (w->indices) {
        const cairn_column *bag = w->features[0]->column;
        for (size_t k = bag->starts[row]; k < bag->starts[row + 1]; k++)
            add_pair(line, w->indices[bag->items[k]], bag->amounts ? bag->amounts[k] : 1);
        return CAIRN_OK;
    }
    for (size_t j = 0; j < w->n_features; j++) {
        double value = w->features[j]->column->numbers[row];
        if (isnan(value))
            return cairn_fail(ctx, CAIRN_USAGE,
                              "column '%s', row %zu: libsvm has no missing values; fill them first "
                              "({with impute})",
                              w->features[j]->name, row + 1);
        if (value != 0) add_pair(line, (uint32_t)j + 1, value);
    }
    return CAIRN_OK;
}

static cairn_status add_row(cairn_context *ctx, cairn_text *line, const writer *w, size_t row)
{
    size_t before = line->length;
    CHECK(add_label(ctx, line, w, row));
    if (w->group && !isnan(w->group->column->numbers[row])) {
        cairn_text_add(line, " qid:");
        cairn_text_add_number(line, w->group->column->numbers[row], CAIRN_SHORTEST);
    }
    CHECK(add_features(ctx, line, w, row));
    CHECK(cairn_text_status(line));
    if (line->length == before)
        CHECK(cairn_fail(
            ctx, CAIRN_USAGE,
            "row %zu has neither a label nor a feature; libsvm cannot hold an empty row", row + 1));
    cairn_text_add_char(line, '\n');
    return CAIRN_OK;
}

static cairn_status write_libsvm(cairn_context *ctx, const cairn_table *table,
                                 cairn_output_file *file)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    writer w = {.table = table};
    CHECK(sort_columns(ctx, &w));
    CHECK(number_items(ctx, &w));
    for (size_t i = 0; i < table->n_rows; i++) {
        CHECK(add_row(ctx, &text, &w, i));
        if (text.length < FLUSH_AT && i + 1 < table->n_rows) continue;
        CHECK(cairn_text_status(&text));
        CHECK(cairn_output_write(ctx, file, text.bytes, text.length));
        text.length = 0;
        CHECK(cairn_tick(ctx, "writing", (double)i, (double)table->n_rows));
    }
    return CAIRN_OK;
}

const cairn_data_format cairn_libsvm_format = {
    .entry =
        {
            .kind = CAIRN_ENTRY_FORMAT,
            .name = "libsvm",
            .also = "svmlight, sparse format",
            .title = "Sparse rows of libsvm and svmlight",
            .summary = "One row per line: a label, then index:value pairs with ascending indices; "
                       "# begins a comment. The table has a column target, a column qid when rows "
                       "name their group, and a bag column features whose items are named by the "
                       "indices. Several labels are separated by commas.",
            .example = "cairn convert @iris iris.libsvm --target species",
        },
    .extensions = "libsvm svmlight svm",
    .read = read_libsvm,
    .write = write_libsvm,
};
