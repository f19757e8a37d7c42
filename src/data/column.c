/* SPDX-License-Identifier: MIT */
/* Columns: making, sharing, looking into, and copying rows of them. */
#include "data/column.h"
#include "base/hash.h"
#include "base/number.h"
#include "base/text.h"
#include "data/bag.h"
#include "data/lent.h"
#include "parallel/parallel.h"
#include <math.h>
#include <string.h>

/* Every value of a column will be written. */
static cairn_status allocate_values(cairn_context *ctx, cairn_column *column)
{
    size_t n = column->n_rows;
    switch (column->kind) {
    case CAIRN_NUMBER:
    case CAIRN_TIME:
        CHECK(NEW(ctx, &column->numbers, n));
        cairn_expect_dense(column->numbers);
        return CAIRN_OK;
    case CAIRN_LEVEL:
        CHECK(NEW(ctx, &column->codes, n));
        cairn_expect_dense(column->codes);
        return CAIRN_OK;
    case CAIRN_TEXT:
    case CAIRN_BAG:
    case CAIRN_SEQUENCE:
    case CAIRN_SERIES:
        CHECK(NEW(ctx, &column->starts, n + 1));
        cairn_expect_dense(column->starts);
        return CAIRN_OK;
    }
    return cairn_fail(ctx, CAIRN_INTERNAL, "a column of unknown kind %d", (int)column->kind);
}

cairn_status cairn_column_new(cairn_context *ctx, cairn_column **out, cairn_kind kind,
                              size_t n_rows)
{
    cairn_column *column;
    cairn_status status = NEW(ctx, &column, 1);
    if (status) return status;
    column->holders = 1;
    column->kind = kind;
    column->n_rows = n_rows;
    status = allocate_values(ctx, column);
    if (status)
        cairn_column_drop(column);
    else
        *out = column;
    return status;
}

cairn_status cairn_columns_new(cairn_context *ctx, cairn_column **out, size_t n, size_t n_rows,
                               bool dense)
{
    OWNED(cairn_lent_drop) cairn_lent *shared = NULL;
    size_t stride = (n_rows + 7) / 8 * 8;
    double *numbers;
    CHECK(NEW(ctx, &numbers, cairn_product(n, stride)));
    if (dense) cairn_expect_dense(numbers);
    CHECK(cairn_lent_new(ctx, &shared, cairn_free, numbers));
    for (size_t i = 0; i < n; i++) {
        cairn_status status =
            cairn_column_over_numbers(ctx, &out[i], numbers + i * stride, n_rows,
                                      cairn_lent_release, cairn_lent_hold(shared));
        if (!status) continue;
        cairn_columns_drop(out, i);
        return status;
    }
    return CAIRN_OK;
}

void cairn_columns_drop(cairn_column **columns, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        cairn_column_drop(columns[i]);
        columns[i] = NULL;
    }
}

cairn_column *cairn_column_hold(cairn_column *column)
{
    __atomic_add_fetch(&column->holders, 1, __ATOMIC_RELAXED);
    return column;
}

void cairn_column_drop(cairn_column *column)
{
    if (!column || __atomic_sub_fetch(&column->holders, 1, __ATOMIC_ACQ_REL) > 0) return;
    if (column->release) {
        column->release(column->owner);
    } else {
        FREE_EACH(column->numbers, column->codes);
    }
    cairn_map_clear(&column->names);
    FREE_EACH(column->starts, column->bytes, column->absent, column->items, column->amounts,
              column);
}

bool cairn_column_is_missing(const cairn_column *column, size_t row)
{
    switch (column->kind) {
    case CAIRN_NUMBER:
    case CAIRN_TIME: return isnan(column->numbers[row]);
    case CAIRN_LEVEL: return column->codes[row] < 0;
    default: return column->absent && column->absent[row];
    }
}

void cairn_column_count_missing(cairn_column *column)
{
    size_t n = column->n_rows, missing = 0;
    switch (column->kind) {
    case CAIRN_NUMBER:
    case CAIRN_TIME:
        for (size_t i = 0; i < n; i++) missing += column->numbers[i] != column->numbers[i];
        break;
    case CAIRN_LEVEL:
        for (size_t i = 0; i < n; i++) missing += column->codes[i] < 0;
        break;
    default:
        for (size_t i = 0; column->absent && i < n; i++) missing += column->absent[i] != 0;
        break;
    }
    column->n_missing = missing;
}

const char *cairn_level_name(const cairn_column *column, int32_t code)
{
    if (code < 0 || (size_t)code >= column->names.n) return "?";
    return cairn_map_key(&column->names, (size_t)code);
}

bool cairn_kind_is_many(cairn_kind kind)
{
    return kind == CAIRN_BAG || kind == CAIRN_SEQUENCE || kind == CAIRN_SERIES;
}

bool cairn_column_has_truths(const cairn_column *column)
{
    return column->kind == CAIRN_LEVEL && column->names.n == 2 &&
           cairn_same(cairn_map_key(&column->names, 0), "false") &&
           cairn_same(cairn_map_key(&column->names, 1), "true");
}

size_t cairn_column_width(const cairn_column *column)
{
    switch (column->kind) {
    case CAIRN_TEXT: return sizeof *column->bytes;
    case CAIRN_BAG:
    case CAIRN_SEQUENCE: return sizeof *column->items;
    default: return 0;
    }
}

/* The names of a part among those of the whole: codes[k] is what its code k becomes, codes[-1]
 * stays -1. Scratch. */
static cairn_status join_names(cairn_context *ctx, cairn_column *to, const cairn_column *from,
                               int32_t **codes)
{
    size_t index;
    CHECK(SCRATCH(ctx, codes, from->names.n + 1));
    *(*codes)++ = -1;
    for (size_t k = 0; k < from->names.n; k++) {
        CHECK(cairn_map_add(ctx, &to->names, cairn_map_key(&from->names, k), from->names.lengths[k],
                            &index));
        (*codes)[k] = (int32_t)index;
    }
    return CAIRN_OK;
}

static cairn_status join_levels(cairn_context *ctx, cairn_column *to, cairn_column *const *parts,
                                size_t n)
{
    SCOPED_SCRATCH(ctx);
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        int32_t *codes;
        CHECK(join_names(ctx, to, parts[i], &codes));
        for (size_t row = 0; row < parts[i]->n_rows; row++)
            to->codes[at++] = codes[parts[i]->codes[row]];
    }
    return CAIRN_OK;
}

/* Cells of a length of their own: what all parts hold is counted before any is copied, and the
 * starts of a part move by what stands before it. Bags of parts that number their items otherwise
 * are no longer ascending. */
static cairn_status join_runs(cairn_context *ctx, cairn_column *to, cairn_column *const *parts,
                              size_t n)
{
    SCOPED_SCRATCH(ctx);
    size_t total = 0, at = 0;
    bool amounts = to->kind == CAIRN_SERIES;
    for (size_t i = 0; i < n; i++) {
        total += parts[i]->starts[parts[i]->n_rows];
        amounts = amounts || parts[i]->amounts;
    }
    if (to->kind == CAIRN_TEXT) CHECK(NEW_RAW(ctx, &to->bytes, total));
    if (to->kind == CAIRN_BAG || to->kind == CAIRN_SEQUENCE) CHECK(NEW_RAW(ctx, &to->items, total));
    if (amounts) CHECK(NEW_RAW(ctx, &to->amounts, total));
    total = 0;
    for (size_t i = 0; i < n; i++) {
        const cairn_column *from = parts[i];
        size_t length = from->starts[from->n_rows];
        int32_t *codes = NULL;
        if (to->bytes && length) memcpy(to->bytes + total, from->bytes, length);
        if (to->items) CHECK(join_names(ctx, to, from, &codes));
        for (size_t k = 0; k < length && to->items; k++)
            to->items[total + k] = codes[from->items[k]];
        for (size_t k = 0; k < length && amounts; k++)
            to->amounts[total + k] = from->amounts ? from->amounts[k] : 1;
        for (size_t row = 0; row < from->n_rows; row++, at++) {
            to->starts[at] = total + from->starts[row];
            if (from->absent && from->absent[row]) CHECK(cairn_column_mark_absent(ctx, to, at));
        }
        total += length;
    }
    to->starts[at] = total;
    return to->kind == CAIRN_BAG ? cairn_bag_tidy(ctx, to) : CAIRN_OK;
}

cairn_status cairn_column_join(cairn_context *ctx, cairn_column *to, cairn_column *const *parts,
                               size_t n)
{
    if (to->kind == CAIRN_LEVEL) return join_levels(ctx, to, parts, n);
    if (to->starts) return join_runs(ctx, to, parts, n);
    size_t at = 0;
    memcpy(to->pattern, parts[0]->pattern, sizeof to->pattern);
    for (size_t i = 0; i < n; i++) {
        size_t n_rows = parts[i]->n_rows;
        if (n_rows) memcpy(to->numbers + at, parts[i]->numbers, n_rows * sizeof *to->numbers);
        at += n_rows;
    }
    return CAIRN_OK;
}

/* `name` becomes its first `stem` bytes with _number behind them. */
static cairn_status number_name(cairn_text *name, size_t stem, size_t number)
{
    name->length = stem;
    cairn_text_addf(name, "_%zu", number);
    return cairn_text_status(name);
}

static bool is_taken(const cairn_map *names, const cairn_text *name)
{
    return cairn_map_find(names, cairn_text_string(name), name->length) >= 0;
}

/* Numbers are tried in steps that double and then halve: 40,000 columns of one name would take
   forever when each of them counted from 2. */
cairn_status cairn_free_name(const cairn_map *names, cairn_text *name)
{
    size_t stem = name->length, taken = 1, number = 2;
    CHECK(cairn_text_status(name));
    if (!is_taken(names, name)) return CAIRN_OK;
    CHECK(number_name(name, stem, number));
    while (is_taken(names, name)) {
        taken = number;
        CHECK(number_name(name, stem, number *= 2));
    }
    while (number - taken > 1) {
        size_t between = taken + (number - taken) / 2;
        CHECK(number_name(name, stem, between));
        *(is_taken(names, name) ? &taken : &number) = between;
    }
    return number_name(name, stem, number);
}

cairn_status cairn_name_column(cairn_context *ctx, cairn_map *names, const char *wanted,
                               size_t length, const char *source)
{
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(ctx);
    size_t index;
    cairn_text_add_bytes(&name, wanted, length);
    CHECK(cairn_free_name(names, &name));
    CHECK(cairn_map_add(ctx, names, cairn_text_string(&name), name.length, &index));
    if (name.length > length)
        cairn_warn(ctx, "%s: there are several columns '%.*s'; column %zu is called '%s'", source,
                   (int)length, wanted, index + 1, name.bytes);
    return CAIRN_OK;
}

void cairn_column_set_pattern(cairn_column *column)
{
    if (*column->pattern) return;
    cairn_time_form_pattern(column->pattern, cairn_time_form_of(column->numbers, column->n_rows));
}

cairn_status cairn_column_mark_absent(cairn_context *ctx, cairn_column *column, size_t row)
{
    if (!column->absent) {
        cairn_status status = NEW(ctx, &column->absent, column->n_rows);
        if (status) return status;
    }
    column->absent[row] = 1;
    return CAIRN_OK;
}

/* -- taking rows -- */

enum { TAKE_BLOCK = 1 << 15 };

typedef struct taking {
    cairn_column *to;
    const cairn_column *from;
    const uint32_t *rows;
    size_t *totals; /* per block: what its runs hold, then where they begin */
} taking;

static void take_numbers(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const taking *t = data;
    const double *from = t->from->numbers;
    double *to = t->to->numbers;
    (void)block, (void)worker;
    for (size_t i = begin; i < end; i++)
        to[i] = t->rows[i] == CAIRN_NO_ROW ? NAN : from[t->rows[i]];
}

static void take_codes(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const taking *t = data;
    const int32_t *from = t->from->codes;
    int32_t *to = t->to->codes;
    (void)block, (void)worker;
    for (size_t i = begin; i < end; i++) to[i] = t->rows[i] == CAIRN_NO_ROW ? -1 : from[t->rows[i]];
}

enum { AHEAD = 24 }; /* rows that memory is asked for before they are needed */

/* The length of the run of each taken row, where the next one begins, and how much a block has; a
 * row that is not there has an empty, missing one. */
static void take_lengths(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const taking *t = data;
    const size_t *starts = t->from->starts;
    size_t total = 0;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        uint32_t row = t->rows[i];
        if (i + AHEAD < end && t->rows[i + AHEAD] != CAIRN_NO_ROW)
            __builtin_prefetch(&starts[t->rows[i + AHEAD]]);
        size_t n = row == CAIRN_NO_ROW ? 0 : starts[row + 1] - starts[row];
        t->to->starts[i + 1] = n;
        if (t->to->absent)
            t->to->absent[i] = row == CAIRN_NO_ROW || (t->from->absent && t->from->absent[row]);
        total += n;
    }
    t->totals[block] = total;
}

static void copy_runs(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const taking *t = data;
    const cairn_column *from = t->from;
    cairn_column *to = t->to;
    size_t at = t->totals[block];
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        size_t n = to->starts[i + 1];
        if (i + AHEAD < end && t->rows[i + AHEAD] != CAIRN_NO_ROW)
            __builtin_prefetch(&from->starts[t->rows[i + AHEAD]]);
        if (to->bytes && i + AHEAD / 2 < end && t->rows[i + AHEAD / 2] != CAIRN_NO_ROW)
            __builtin_prefetch(from->bytes + from->starts[t->rows[i + AHEAD / 2]]);
        to->starts[i + 1] = at + n;
        if (!n) continue;
        size_t source = from->starts[t->rows[i]];
        if (to->bytes) memcpy(to->bytes + at, from->bytes + source, n);
        if (to->items) memcpy(to->items + at, from->items + source, n * sizeof *to->items);
        if (to->amounts) memcpy(to->amounts + at, from->amounts + source, n * sizeof *to->amounts);
        at += n;
    }
}

/* The varying parts (text bytes, items) of the taken rows: how long each is, where the blocks
 * begin, then the parts themselves. */
static cairn_status take_runs(cairn_context *ctx, taking *t)
{
    SCOPED_SCRATCH(ctx);
    cairn_column *to = t->to;
    size_t n = to->n_rows, n_blocks = cairn_block_count(n, TAKE_BLOCK), total = 0;
    bool lacks = t->from->absent != NULL;
    CHECK(SCRATCH(ctx, &t->totals, n_blocks + 1));
    for (size_t i = 0; i < n && !lacks; i++) lacks = t->rows[i] == CAIRN_NO_ROW;
    if (lacks) CHECK(NEW(ctx, &to->absent, n));
    CHECK(cairn_blocks_sized(ctx, n, TAKE_BLOCK, 2 * (double)n, take_lengths, t));
    for (size_t b = 0; b < n_blocks; b++) {
        size_t bytes = t->totals[b];
        t->totals[b] = total;
        total += bytes;
    }
    if (to->kind == CAIRN_TEXT) CHECK(NEW_RAW(ctx, &to->bytes, total));
    if (to->bytes) cairn_expect_dense(to->bytes);
    if (to->kind != CAIRN_TEXT && to->kind != CAIRN_SERIES) CHECK(NEW_RAW(ctx, &to->items, total));
    if (t->from->amounts) CHECK(NEW_RAW(ctx, &to->amounts, total));
    return cairn_blocks_sized(ctx, n, TAKE_BLOCK, 4 * (double)n, copy_runs, t);
}

cairn_status cairn_column_take(cairn_context *ctx, cairn_column **out, const cairn_column *column,
                               const uint32_t *rows, size_t n)
{
    OWNED(cairn_column_drop) cairn_column *taken = NULL;
    CHECK(cairn_column_new(ctx, &taken, column->kind, n));
    taking t = {.to = taken, .from = column, .rows = rows};
    taken->ordered = column->ordered;
    taken->declared = column->declared;
    memcpy(taken->pattern, column->pattern, sizeof taken->pattern);
    CHECK(cairn_map_copy(ctx, &taken->names, &column->names));
    if (column->numbers)
        CHECK(cairn_blocks_sized(ctx, n, TAKE_BLOCK, 2 * (double)n, take_numbers, &t));
    else if (column->codes)
        CHECK(cairn_blocks_sized(ctx, n, TAKE_BLOCK, 2 * (double)n, take_codes, &t));
    else
        CHECK(take_runs(ctx, &t));
    cairn_column_count_missing(taken);
    *out = TAKE(taken);
    return CAIRN_OK;
}

/* Texts, bags, sequences and series of two columns, one behind the other. */
static cairn_status extend_runs(cairn_context *ctx, cairn_column *to, const cairn_column *first,
                                const cairn_column *second)
{
    const cairn_column *parts[] = {first, second};
    bool amounts = first->amounts || second->amounts;
    size_t total = first->starts[first->n_rows] + second->starts[second->n_rows], row = 0, at = 0;
    if (to->kind == CAIRN_TEXT) CHECK(NEW_RAW(ctx, &to->bytes, total));
    if (to->kind != CAIRN_TEXT && to->kind != CAIRN_SERIES) CHECK(NEW_RAW(ctx, &to->items, total));
    if (amounts) CHECK(NEW_RAW(ctx, &to->amounts, total));
    for (size_t p = 0; p < 2; p++) {
        const cairn_column *from = parts[p];
        size_t n = from->starts[from->n_rows];
        if (to->bytes && n) memcpy(to->bytes + at, from->bytes, n);
        if (to->items && n) memcpy(to->items + at, from->items, n * sizeof *to->items);
        for (size_t i = 0; amounts && i < n; i++)
            to->amounts[at + i] = from->amounts ? from->amounts[i] : 1;
        for (size_t i = 0; i < from->n_rows; i++, row++) {
            to->starts[row] = at + from->starts[i];
            if (from->absent && from->absent[i]) CHECK(cairn_column_mark_absent(ctx, to, row));
        }
        at += n;
    }
    to->starts[row] = at;
    return CAIRN_OK;
}

cairn_status cairn_column_extend(cairn_context *ctx, cairn_column **out, const cairn_column *first,
                                 const cairn_column *second)
{
    OWNED(cairn_column_drop) cairn_column *made = NULL;
    size_t n = first->n_rows, more = second->n_rows;
    CHECK(cairn_column_new(ctx, &made, first->kind, n + more));
    made->ordered = first->ordered;
    made->declared = first->declared;
    memcpy(made->pattern, first->pattern, sizeof made->pattern);
    CHECK(cairn_map_copy(ctx, &made->names, &first->names));
    if (made->numbers) {
        memcpy(made->numbers, first->numbers, n * sizeof *made->numbers);
        memcpy(made->numbers + n, second->numbers, more * sizeof *made->numbers);
    } else if (made->codes) {
        memcpy(made->codes, first->codes, n * sizeof *made->codes);
        memcpy(made->codes + n, second->codes, more * sizeof *made->codes);
    } else
        CHECK(extend_runs(ctx, made, first, second));
    cairn_column_count_missing(made);
    *out = TAKE(made);
    return CAIRN_OK;
}

static uint64_t hash_names(const cairn_map *names, uint64_t hash)
{
    hash = cairn_hash(&names->n, sizeof names->n, hash);
    for (size_t i = 0; i < names->n; i++)
        hash = cairn_hash(cairn_map_key(names, i), names->lengths[i], hash);
    return hash;
}

void cairn_add_names(cairn_text *out, const cairn_map *names)
{
    enum { MOST_NAMED = 10 };
    for (size_t i = 0; i < names->n && i < MOST_NAMED; i++)
        cairn_text_addf(out, "%s'%s'", i ? ", " : "", cairn_map_key(names, i));
    if (names->n > MOST_NAMED) cairn_text_addf(out, " and %zu more", names->n - MOST_NAMED);
}

uint64_t cairn_column_hash(const cairn_column *column, uint64_t seed)
{
    uint32_t about[3] = {(uint32_t)column->kind, column->ordered,
                         column->kind == CAIRN_LEVEL && column->declared};
    size_t n = column->n_rows;
    uint64_t hash = cairn_hash(about, sizeof about, seed);
    hash = hash_names(&column->names, hash);
    if (column->numbers) hash = cairn_hash(column->numbers, n * sizeof(double), hash);
    if (column->codes) hash = cairn_hash(column->codes, n * sizeof(int32_t), hash);
    if (!column->starts) return hash;
    size_t total = column->starts[n];
    hash = cairn_hash(column->starts, (n + 1) * sizeof(size_t), hash);
    if (column->bytes) hash = cairn_hash(column->bytes, total, hash);
    if (column->items) hash = cairn_hash(column->items, total * sizeof(int32_t), hash);
    if (column->amounts) hash = cairn_hash(column->amounts, total * sizeof(double), hash);
    if (column->absent) hash = cairn_hash(column->absent, n, hash);
    return hash;
}

size_t cairn_column_bytes(const cairn_column *column)
{
    size_t n = column->n_rows, bytes = sizeof *column;
    bytes += column->names.bytes_capacity + column->names.n_slots * sizeof(uint64_t);
    bytes += column->names.n * (2 * sizeof(uint64_t) + sizeof(uint32_t));
    if (column->numbers) bytes += n * sizeof(double);
    if (column->codes) bytes += n * sizeof(int32_t);
    if (!column->starts) return bytes;
    bytes += (n + 1) * sizeof(size_t) + column->starts[n] * cairn_column_width(column);
    if (column->amounts) bytes += column->starts[n] * sizeof(double);
    return bytes + (column->absent ? n : 0);
}

/* Text that is cut at the end of a caller's buffer but counted whole. */
typedef struct bounded {
    char *out;
    size_t size, length;
} bounded;

static void put(bounded *b, const char *bytes, size_t n)
{
    if (b->length + 1 < b->size) {
        size_t buffer = b->size - b->length - 1, part = n < buffer ? n : buffer;
        memcpy(b->out + b->length, bytes, part);
        b->out[b->length + part] = 0;
    }
    b->length += n;
}

static void put_number(bounded *b, double number)
{
    char digits[CAIRN_NUMBER_SIZE];
    put(b, digits, cairn_number_format(digits, number, CAIRN_SHORTEST));
}

static void put_items(bounded *b, const cairn_column *column, size_t row)
{
    for (size_t k = column->starts[row]; k < column->starts[row + 1]; k++) {
        size_t item = (size_t)column->items[k];
        if (k > column->starts[row]) put(b, " ", 1);
        if (column->items[k] < 0) {
            put(b, "?", 1);
            continue;
        }
        put(b, cairn_map_key(&column->names, item), column->names.lengths[item]);
        if (!column->amounts || column->amounts[k] == 1) continue;
        put(b, ":", 1);
        put_number(b, column->amounts[k]);
    }
}

/* Numbers with blanks between them, ? where one is missing. */
static void put_series(bounded *b, const cairn_column *column, size_t row)
{
    for (size_t k = column->starts[row]; k < column->starts[row + 1]; k++) {
        if (k > column->starts[row]) put(b, " ", 1);
        if (isnan(column->amounts[k]))
            put(b, "?", 1);
        else
            put_number(b, column->amounts[k]);
    }
}

size_t cairn_column_cell(const cairn_column *column, size_t row, char *out, size_t size)
{
    bounded b = {out, size, 0};
    if (size) out[0] = 0;
    if (cairn_column_is_missing(column, row)) {
        put(&b, "?", 1);
        return b.length;
    }
    switch (column->kind) {
    case CAIRN_NUMBER: put_number(&b, column->numbers[row]); break;
    case CAIRN_TIME: {
        char time[CAIRN_TIME_SIZE];
        put(&b, time, cairn_time_format(time, column->numbers[row], column->pattern));
        break;
    }
    case CAIRN_LEVEL: {
        size_t code = (size_t)column->codes[row];
        put(&b, cairn_map_key(&column->names, code), column->names.lengths[code]);
        break;
    }
    case CAIRN_TEXT:
        put(&b, column->bytes + column->starts[row], column->starts[row + 1] - column->starts[row]);
        break;
    case CAIRN_BAG:
    case CAIRN_SEQUENCE: put_items(&b, column, row); break;
    case CAIRN_SERIES: put_series(&b, column, row); break;
    }
    return b.length;
}

cairn_status cairn_column_places(cairn_context *ctx, const double **out, const cairn_column *column)
{
    double *places;
    cairn_status status = SCRATCH_RAW(ctx, &places, column->n_rows);
    if (status) return status;
    for (size_t i = 0; i < column->n_rows; i++)
        places[i] = column->codes[i] < 0 ? NAN : column->codes[i];
    *out = places;
    return CAIRN_OK;
}
