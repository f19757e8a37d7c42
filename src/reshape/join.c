/* SPDX-License-Identifier: MIT */
/* Two tables side by side where their keys are equal.
 *
 *  1. The keys of both are coded together (keys.h); the right rows are listed by code.
 *  2. A first pass over blocks of left rows counts the pairs, so that the size of the result is
 *     known, and refused when it is too large, before anything of it is made.
 *  3. A second pass writes the pairs: a left and a right row for each row of the result. Where
 *     every left row has exactly one place, the left columns are shared.
 *  4. Columns are gathered one by one. */
#include "base/call.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"
#include "cairn/reshape.h"
#include "data/column.h"
#include "entry/entry.h"
#include "parallel/parallel.h"
#include "reshape/keys.h"

#include <stdio.h>
#include <string.h>

enum { BLOCK = 1 << 15 };

typedef struct join_block { /* what a block of left rows found */
    size_t pairs, unmatched, several, rows;
    size_t place; /* of its first row in the result */
} join_block;

typedef struct join {
    const cairn_table *left, *right;
    cairn_join_options options;
    size_t n_keys;
    size_t *left_keys, *right_keys;
    const uint32_t *left_codes;
    const uint32_t *right_codes;
    size_t n_codes;
    cairn_row_lists lists; /* of right rows */
    uint8_t *seen;         /* per code: 1 = a left row has it, 3 = several */
    join_block *blocks;
    size_t n_out, n_left_out; /* rows of the result; those that come of left rows */
    uint32_t *left_rows, *right_rows;
    cairn_join_counts counts;
} join;

/* -- keys -- */

/* "id" or "id=customer"; a column that is called so on both sides comes first. */
static cairn_status read_key(cairn_context *ctx, join *j, char *word, size_t at)
{
    char *equals = strchr(word, '=');
    const char *other = word;
    if (equals && cairn_table_find(j->left, word) < 0) {
        *equals = 0;
        other = equals + 1;
    }
    CHECK(cairn_table_get(ctx, j->left, word, &j->left_keys[at]));
    CHECK(cairn_table_get(ctx, j->right, other, &j->right_keys[at]));
    for (size_t k = 0; k < at; k++)
        if (j->left_keys[k] == j->left_keys[at] || j->right_keys[k] == j->right_keys[at])
            return cairn_fail(ctx, CAIRN_USAGE, "{on} names the column '%s' twice",
                              j->left_keys[k] == j->left_keys[at] ? word : other);
    return CAIRN_OK;
}

static const char *source_of(const cairn_table *table)
{
    return table->source ? table->source : "the table";
}

static bool keys_go_together(cairn_kind a, cairn_kind b)
{
    bool words_a = a == CAIRN_LEVEL || a == CAIRN_TEXT,
         words_b = b == CAIRN_LEVEL || b == CAIRN_TEXT;
    return (a == b && !cairn_kind_is_many(a)) || (words_a && words_b);
}

/* Keys of different kinds are never equal, which nobody wants to find out from an empty result. */
static cairn_status check_key(cairn_context *ctx, const join *j, size_t at)
{
    const cairn_slot *left = &j->left->slots[j->left_keys[at]];
    const cairn_slot *right = &j->right->slots[j->right_keys[at]];
    cairn_kind a = left->column->kind, b = right->column->kind;
    if (keys_go_together(a, b)) return CAIRN_OK;
    if (a == b)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the key '%s' is a %s column; join by numbers, times, levels or text",
                          left->name, cairn_kind_name(a));
    return cairn_fail(
        ctx, CAIRN_USAGE,
        "the key '%s' of %s is a %s column, '%s' of %s a %s column, so no two are equal; "
        "{kinds %s=text} and {join-kinds %s=text} read both as text",
        left->name, source_of(j->left), cairn_kind_name(a), right->name, source_of(j->right),
        cairn_kind_name(b), left->name, right->name);
}

static cairn_status read_keys(cairn_context *ctx, join *j, const char *on)
{
    char **words;
    CHECK(cairn_list_split(ctx, on, &words, &j->n_keys));
    if (!j->n_keys) return cairn_fail(ctx, CAIRN_USAGE, "{on} names no column");
    CHECK(SCRATCH_EACH(ctx, j->n_keys, &j->left_keys, &j->right_keys));
    for (size_t i = 0; i < j->n_keys; i++) {
        CHECK(read_key(ctx, j, words[i], i));
        CHECK(check_key(ctx, j, i));
    }
    return CAIRN_OK;
}

/* Rows with a missing key equal no other. */
static void part_missing(uint32_t *codes, const cairn_column *column)
{
    if (!column->n_missing) return;
    for (size_t i = 0; i < column->n_rows; i++)
        if (cairn_column_is_missing(column, i)) codes[i] = CAIRN_NO_CODE;
}

/* Codes for the rows of both tables, and the right rows by code. */
static cairn_status code_keys(cairn_context *ctx, join *j)
{
    cairn_row_codes codes;
    cairn_coder *coders;
    CHECK(SCRATCH(ctx, &coders, j->n_keys));
    for (size_t i = 0; i < j->n_keys; i++)
        CHECK(cairn_coder_start(ctx, &coders[i], j->left->slots[j->left_keys[i]].column,
                                j->right->slots[j->right_keys[i]].column));
    CHECK(cairn_code_rows(ctx, &codes, coders, j->n_keys));
    for (size_t i = 0; i < j->n_keys && !j->options.match_missing; i++) {
        part_missing(codes.codes, j->left->slots[j->left_keys[i]].column);
        part_missing(codes.codes + j->left->n_rows, j->right->slots[j->right_keys[i]].column);
    }
    j->left_codes = codes.codes;
    j->right_codes = codes.codes + j->left->n_rows;
    j->n_codes = codes.n_codes;
    CHECK(SCRATCH(ctx, &j->seen, j->n_codes + 1));
    return cairn_list_rows(ctx, &j->lists, j->right_codes, j->right->n_rows, j->n_codes);
}

/* -- counting -- */

static bool keeps_unmatched_left(cairn_join_kind kind)
{
    return kind == CAIRN_JOIN_LEFT || kind == CAIRN_JOIN_FULL;
}

static bool keeps_unmatched_right(cairn_join_kind kind)
{
    return kind == CAIRN_JOIN_RIGHT || kind == CAIRN_JOIN_FULL;
}

/* How often a left row with so many partners stands in the result. */
static size_t times_kept(cairn_join_kind kind, size_t partners)
{
    if (kind == CAIRN_JOIN_SEMI) return partners > 0;
    if (kind == CAIRN_JOIN_ANTI) return partners == 0;
    return partners ? partners : keeps_unmatched_left(kind);
}

static size_t partners_of(const join *j, size_t row)
{
    uint32_t code = j->left_codes[row];
    return code == CAIRN_NO_CODE ? 0 : j->lists.starts[code + 1] - j->lists.starts[code];
}

/* Note that a left row has the code. Threads may meet here, and what they leave is the same. */
static void note_seen(uint8_t *seen)
{
    uint8_t now = __atomic_load_n(seen, __ATOMIC_RELAXED);
    if (now == 3) return;
    if (now == 0) now = __atomic_fetch_or(seen, 1, __ATOMIC_RELAXED);
    if (now) __atomic_fetch_or(seen, 2, __ATOMIC_RELAXED);
}

static void count_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    join *j = data;
    join_block found = {0};
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        size_t partners = partners_of(j, i);
        found.pairs += partners;
        found.unmatched += partners == 0;
        found.several += partners > 1;
        found.rows += times_kept(j->options.kind, partners);
        if (partners) note_seen(&j->seen[j->left_codes[i]]);
    }
    j->blocks[block] = found;
}

/* Right rows with and without a partner, and keys that are repeated on both sides. */
static void count_right(join *j)
{
    const uint32_t *starts = j->lists.starts;
    for (size_t c = 0; c < j->n_codes; c++) {
        size_t n = starts[c + 1] - starts[c];
        if (!j->seen[c]) continue;
        j->counts.right_matched += n;
        j->counts.many_to_many += n > 1 && j->seen[c] == 3;
    }
    j->counts.right_unmatched = j->right->n_rows - j->counts.right_matched;
}

/* How large the result is, where each block of it begins, and what is said about the join. */
static cairn_status count_pairs(cairn_context *ctx, join *j)
{
    size_t n = j->left->n_rows, n_blocks = cairn_block_count(n, BLOCK);
    CHECK(SCRATCH(ctx, &j->blocks, n_blocks + 1));
    CHECK(cairn_blocks_sized(ctx, n, BLOCK, 8 * (double)n, count_block, j));
    for (size_t b = 0; b < n_blocks; b++) {
        j->blocks[b].place = j->n_left_out;
        j->n_left_out += j->blocks[b].rows;
        j->counts.pairs += j->blocks[b].pairs;
        j->counts.left_unmatched += j->blocks[b].unmatched;
        j->counts.left_several += j->blocks[b].several;
    }
    j->counts.left_matched = n - j->counts.left_unmatched;
    count_right(j);
    j->n_out =
        j->n_left_out + (keeps_unmatched_right(j->options.kind) ? j->counts.right_unmatched : 0);
    return CAIRN_OK;
}

/* The number of rows is known: refuse what has no room. */
static cairn_status check_size(cairn_context *ctx, const join *j)
{
    char what[160];
    double bytes =
        (double)j->n_out * (cairn_table_row_bytes(j->left) + cairn_table_row_bytes(j->right) + 8);
    snprintf(what, sizeof what, "a join of %zu rows", j->n_out);
    if (j->n_out >= UINT32_MAX)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the join would have %zu rows, since %zu keys stand in several rows of "
                          "both tables; a table has at most %zu: join by more columns ({on}), or "
                          "make the rows of one side distinct first",
                          j->n_out, j->counts.many_to_many, (size_t)UINT32_MAX - 1);
    return cairn_memory_check(ctx, bytes, what,
                              j->counts.many_to_many
                                  ? "keys stand in several rows of both tables: join by more "
                                    "columns, or make the rows of one side distinct first"
                                  : "keep fewer columns or rows");
}

/* -- writing -- */

/* The left and right row of every row of the result that a block of left rows gives. */
static void write_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const join *j = data;
    size_t at = j->blocks[block].place;
    bool filters = j->options.kind == CAIRN_JOIN_SEMI || j->options.kind == CAIRN_JOIN_ANTI;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        size_t partners = partners_of(j, i), n = times_kept(j->options.kind, partners);
        const uint32_t *list = partners ? j->lists.order + j->lists.starts[j->left_codes[i]] : NULL;
        for (size_t k = 0; k < n; k++, at++) {
            j->left_rows[at] = (uint32_t)i;
            if (!filters) j->right_rows[at] = partners ? list[k] : CAIRN_NO_ROW;
        }
    }
}

/* Right rows that no left row met, behind the others. */
static void write_unmatched_right(join *j)
{
    size_t at = j->n_left_out;
    for (size_t i = 0; at < j->n_out && i < j->right->n_rows; i++) {
        uint32_t code = j->right_codes[i];
        if (code != CAIRN_NO_CODE && j->seen[code]) continue;
        j->left_rows[at] = CAIRN_NO_ROW;
        j->right_rows[at++] = (uint32_t)i;
    }
}

/* Whether every left row stands in the result once, and nothing else does. */
static bool left_is_whole(const join *j)
{
    return j->n_out == j->left->n_rows && j->n_left_out == j->n_out && !j->counts.left_several &&
           (j->counts.left_unmatched == 0 || keeps_unmatched_left(j->options.kind) ||
            (j->options.kind == CAIRN_JOIN_ANTI && j->counts.left_matched == 0));
}

/* A column whose rows all stay is shared, not copied. */
static cairn_status take_left(cairn_context *ctx, cairn_column **out, const join *j, size_t column)
{
    cairn_column *from = j->left->slots[column].column;
    if (left_is_whole(j)) {
        *out = cairn_column_hold(from);
        return CAIRN_OK;
    }
    for (size_t k = 0; k < j->n_keys && j->n_out > j->n_left_out; k++)
        if (j->left_keys[k] == column) {
            /* A key column of the result where right rows stand alone: their own key. */
            const cairn_slot *left = &j->left->slots[j->left_keys[k]];
            const cairn_slot *right = &j->right->slots[j->right_keys[k]];
            OWNED(cairn_column_drop) cairn_column *both = NULL;
            uint32_t *rows;
            CHECK(cairn_column_stack(ctx, &both,
                                     (cairn_column *const[]){left->column, right->column},
                                     (const char *const[]){left->name, right->name}, 2));
            CHECK(SCRATCH_RAW(ctx, &rows, j->n_out + 1));
            for (size_t i = 0; i < j->n_out; i++)
                rows[i] = j->left_rows[i] == CAIRN_NO_ROW
                              ? (uint32_t)j->left->n_rows + j->right_rows[i]
                              : j->left_rows[i];
            return cairn_column_take(ctx, out, both, rows, j->n_out);
        }
    return cairn_column_take(ctx, out, from, j->left_rows, j->n_out);
}

static cairn_status add_left(cairn_context *ctx, cairn_table *out, const join *j)
{
    for (size_t i = 0; i < j->left->n_columns; i++) {
        cairn_scratch_mark mark = cairn_scratch_now(ctx);
        const cairn_slot *slot = &j->left->slots[i];
        cairn_column *column;
        cairn_status status = take_left(ctx, &column, j, i);
        if (status == CAIRN_OK)
            status = cairn_table_append(ctx, out, slot->name, slot->role, column);
        cairn_scratch_release(ctx, mark);
        CHECK(status);
    }
    return CAIRN_OK;
}

static bool is_right_key(const join *j, size_t column)
{
    for (size_t k = 0; k < j->n_keys; k++)
        if (j->right_keys[k] == column) return true;
    return false;
}

/* The name of a right column: its own, or with the suffix when the left table has it. */
static cairn_status name_right(cairn_context *ctx, cairn_text *out, const join *j, const char *name)
{
    const char *suffix = j->options.suffix ? j->options.suffix : "_2";
    out->length = 0;
    cairn_text_add(out, name);
    if (cairn_table_find(j->left, name) < 0) return cairn_text_status(out);
    cairn_text_add(out, suffix);
    CHECK(cairn_text_status(out));
    if (cairn_table_find(j->left, out->bytes) >= 0 || cairn_table_find(j->right, out->bytes) >= 0)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "both tables have a column '%s', and '%s' is taken as well; say another "
                          "{suffix}",
                          name, out->bytes);
    return CAIRN_OK;
}

/* Columns one by one, so that only one of them is being gathered at a time. */
static cairn_status make_result(cairn_context *ctx, cairn_table **out, const join *j)
{
    bool filters = j->options.kind == CAIRN_JOIN_SEMI || j->options.kind == CAIRN_JOIN_ANTI;
    OWNED(cairn_table_free) cairn_table *made = NULL;
    CHECK(cairn_table_new(ctx, &made, j->n_out));
    CHECK(cairn_table_copy_source(ctx, made, j->left));
    CHECK(add_left(ctx, made, j));
    if (!filters) {
        /* The right columns but for the keys, under names that are free. */
        SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(ctx);
        for (size_t i = 0; i < j->right->n_columns; i++) {
            const cairn_slot *slot = &j->right->slots[i];
            cairn_column *column;
            if (is_right_key(j, i)) continue;
            CHECK(name_right(ctx, &name, j, slot->name));
            CHECK(cairn_column_take(ctx, &column, slot->column, j->right_rows, j->n_out));
            CHECK(cairn_table_append(ctx, made, name.bytes, CAIRN_FEATURE, column));
        }
    }
    *out = TAKE(made);
    return CAIRN_OK;
}

cairn_status cairn_table_join(cairn_context *ctx, cairn_table **out, const cairn_table *left,
                              const cairn_table *right, const char *on,
                              const cairn_join_options *options, cairn_join_counts *counts)
{
    PUBLIC_CALL(ctx);
    SCOPED_SCRATCH(ctx);
    join j = {.left = left, .right = right, .options = CAIRN_JOIN_OPTIONS_INIT};
    CHECK(cairn_options_take(ctx, &j.options, sizeof j.options, options, "cairn_join_options"));
    if ((int)j.options.kind < CAIRN_JOIN_INNER || j.options.kind > CAIRN_JOIN_ANTI)
        return cairn_fail(ctx, CAIRN_USAGE, "there is no join of kind %d", (int)j.options.kind);
    if (j.left->n_rows + j.right->n_rows >= UINT32_MAX)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "two tables that are joined have at most %zu rows",
                          (size_t)UINT32_MAX - 1);
    CHECK(read_keys(ctx, &j, on));
    CHECK(code_keys(ctx, &j));
    CHECK(count_pairs(ctx, &j));
    CHECK(check_size(ctx, &j));
    size_t n = j.left->n_rows;
    CHECK(SCRATCH_RAW_EACH(ctx, j.n_out + 1, &j.left_rows, &j.right_rows));
    CHECK(cairn_blocks_sized(ctx, n, BLOCK, 8 * (double)n, write_block, &j));
    write_unmatched_right(&j);
    CHECK(make_result(ctx, out, &j));
    if (counts) *counts = j.counts;
    return CAIRN_OK;
}
