/* SPDX-License-Identifier: MIT */
/* Words of a column and their frequencies.
 *
 * Both passes work on fixed blocks of rows side by side. Learning gives every block a dictionary of
 * its own; they are joined in the order of the blocks and then sorted, so the result does not
 * depend on the threads. Making bags looks words up in the finished dictionary and counts them in
 * an array with a place for every word, of which only the touched places are sorted and cleared.
 * The bags of the rows that were learned from can be made of what learning found, without reading
 * the texts again. Cost: one look-up per token and pass. */
#include "transforms/lexicon.h"
#include "data/column.h"
#include "parallel/parallel.h"
#include <stdlib.h>
#include <string.h>

enum { BLOCK_ROWS = 1 << 9 };

/* A word of a row and how often it stands there: word number above, count below. */
typedef uint64_t row_word;

static row_word row_word_of(size_t word, uint32_t count)
{
    return (uint64_t)word << 32 | count;
}

static size_t word_of(row_word w)
{
    return (size_t)(w >> 32);
}

static uint32_t count_of(row_word w)
{
    return (uint32_t)w;
}

/* What learning found in the rows of a block; words are numbered as the block met them. */
typedef struct draft_block {
    row_word *words;
    size_t n, capacity;
    int32_t *joined; /* number of each word of the block in the joined dictionary */
} draft_block;

struct cairn_draft {
    draft_block *blocks;
    size_t n_blocks;
    uint32_t *lengths; /* n_rows: different words of the row */
    int32_t *numbers;  /* n_found: of the joined words in the lexicon as it is now, -1 = left out */
};

static void draft_free(cairn_draft *draft)
{
    if (!draft) return;
    for (size_t b = 0; draft->blocks && b < draft->n_blocks; b++)
        FREE_EACH(draft->blocks[b].words, draft->blocks[b].joined);
    FREE_EACH(draft->blocks, draft->lengths, draft->numbers, draft);
}

static cairn_status draft_new(cairn_context *ctx, cairn_draft **out, size_t n_rows, size_t n_blocks)
{
    cairn_status status;
    cairn_draft *draft = NULL;
    TRY(NEW(ctx, &draft, 1));
    draft->n_blocks = n_blocks;
    TRY(NEW(ctx, &draft->blocks, n_blocks));
    TRY(NEW(ctx, &draft->lengths, n_rows));
    *out = draft;
    return CAIRN_OK;
done:
    draft_free(draft);
    return status;
}

static void clear_draft(void *lexicon)
{
    draft_free(((cairn_lexicon *)lexicon)->draft);
}

const cairn_kept cairn_lexicon_keeps[] = {
    KEEP_CLEARED(clear_draft),
    KEEP(cairn_lexicon, words),
    KEEP_ARRAYS(cairn_lexicon, "words", documents, totals),
    KEEP(cairn_lexicon, n_documents, n_tokens),
    KEEP_SIZE(cairn_lexicon, n_found, INT64_MAX),
    KEEP_FITS("words", "2147483646", "too many words"),
    KEEP_END,
};

void cairn_lexicon_clear(cairn_lexicon *lexicon)
{
    cairn_kept_clear(cairn_lexicon_keeps, lexicon);
    *lexicon = (cairn_lexicon){0};
}

const char *cairn_text_at(const cairn_column *column, size_t row, size_t *length)
{
    *length = 0;
    if (cairn_column_is_missing(column, row)) return NULL;
    if (column->kind == CAIRN_LEVEL) {
        *length = column->names.lengths[column->codes[row]];
        return cairn_map_key(&column->names, (size_t)column->codes[row]);
    }
    *length = column->starts[row + 1] - column->starts[row];
    return column->bytes + column->starts[row];
}

/* -- learning -- */

typedef struct word_count {
    double total;
    uint32_t documents;
    uint32_t last; /* row of the block that was counted last, from 1 */
    uint32_t here; /* count in that row */
} word_count;

typedef struct block_words {
    cairn_context *ctx;
    cairn_map words;
    word_count *counts;
    size_t capacity;
    uint32_t row;
    uint32_t *touched; /* words of the row */
    size_t n_touched, touched_capacity;
    double n_documents, n_tokens;
} block_words;

typedef struct learn_work {
    const cairn_token_rules *rules;
    const cairn_view *view;
    const cairn_column *column;
    block_words *blocks;
    cairn_draft *draft; /* NULL = not wanted */
} learn_work;

/* Counts a token in its block: in all, and once for each row it is in; `touched` lists the words of
 * the row at hand. */
static cairn_status count_word(void *data, const char *token, size_t length)
{
    block_words *b = data;
    size_t n = b->words.n, at;
    cairn_status status = cairn_map_add(b->ctx, &b->words, token, length, &at);
    if (status) return status;
    if (at == n) {
        status = GROW(b->ctx, &b->counts, &b->capacity, n + 1);
        if (status) return status;
        b->counts[at] = (word_count){0};
    }
    word_count *count = &b->counts[at];
    count->total++;
    count->here++;
    b->n_tokens++;
    if (count->last == b->row) return CAIRN_OK;
    count->documents++;
    count->last = b->row;
    count->here = 1;
    status = GROW(b->ctx, &b->touched, &b->touched_capacity, b->n_touched + 1);
    if (!status) b->touched[b->n_touched++] = (uint32_t)at;
    return status;
}

/* Keep what the row that was just read has. */
static cairn_status draft_row(cairn_context *ctx, draft_block *d, block_words *b, uint32_t *length)
{
    cairn_status status = GROW(ctx, &d->words, &d->capacity, d->n + b->n_touched);
    if (status) return status;
    for (size_t k = 0; k < b->n_touched; k++)
        d->words[d->n++] = row_word_of(b->touched[k], b->counts[b->touched[k]].here);
    *length = (uint32_t)b->n_touched;
    return CAIRN_OK;
}

/* Each block of rows has its own words, so that threads share none; rows of weight 0 were left out
 * of training and teach no words. */
static cairn_status learn_block(cairn_context *ctx, void *data, size_t block)
{
    cairn_status status;
    learn_work *work = data;
    block_words *b = &work->blocks[block];
    cairn_tokeniser tokeniser;
    size_t end = (block + 1) * BLOCK_ROWS, length;
    if (end > work->view->rows.n) end = work->view->rows.n;
    b->ctx = ctx;
    TRY(cairn_tokeniser_start(ctx, &tokeniser, work->rules));
    for (size_t i = block * BLOCK_ROWS; i < end; i++) {
        if (cairn_view_weight(work->view, i) == 0) continue;
        const char *text = cairn_text_at(work->column, cairn_view_row(work->view, i), &length);
        b->n_documents++;
        b->row++;
        b->n_touched = 0;
        if (text) TRY(cairn_tokenise(&tokeniser, text, length, count_word, b));
        if (work->draft)
            TRY(draft_row(ctx, &work->draft->blocks[block], b, &work->draft->lengths[i]));
    }
    TRY(cairn_tick(ctx, NULL, 0, 0));
done:
    cairn_tokeniser_clear(&tokeniser);
    return status;
}

/* A word with its first bytes as a number, so that most comparisons are of numbers. */
typedef struct sorted_word {
    uint64_t head;
    const char *key;
    uint32_t length, index;
} sorted_word;

static int by_bytes(const void *a, const void *b)
{
    const sorted_word *x = a, *y = b;
    if (x->head != y->head) return x->head < y->head ? -1 : 1;
    int order = memcmp(x->key, y->key, x->length < y->length ? x->length : y->length);
    if (order) return order;
    return (x->length > y->length) - (x->length < y->length);
}

static cairn_status sort_words(cairn_context *ctx, const cairn_map *words, sorted_word **out)
{
    sorted_word *order;
    cairn_status status = SCRATCH_RAW(ctx, &order, words->n);
    for (size_t i = 0; !status && i < words->n; i++) {
        const char *key = cairn_map_key(words, i);
        uint64_t head = 0;
        for (size_t k = 0; k < 8; k++)
            head = head << 8 | (k < words->lengths[i] ? (unsigned char)key[k] : 0U);
        order[i] = (sorted_word){head, key, words->lengths[i], (uint32_t)i};
    }
    if (!status && words->n) qsort(order, words->n, sizeof *order, by_bytes);
    if (!status) *out = order;
    return status;
}

/* The lexicon was changed: its word i is now word numbers[i], or gone (-1). */
static void draft_renumber(cairn_draft *draft, const int32_t *numbers, size_t n_found)
{
    for (size_t i = 0; draft && i < n_found; i++)
        if (draft->numbers[i] >= 0) draft->numbers[i] = numbers[draft->numbers[i]];
}

/* The words `keep` (n of them, by number) of the lexicon in that order. */
static cairn_status rebuild(cairn_context *ctx, cairn_lexicon *lexicon, const uint32_t *keep,
                            size_t n)
{
    cairn_status status;
    cairn_lexicon made = *lexicon;
    size_t index;
    int32_t *numbers;
    made.words = (cairn_map){0};
    made.documents = made.totals = NULL;
    made.draft = NULL;
    TRY(SCRATCH_RAW(ctx, &numbers, lexicon->words.n));
    for (size_t i = 0; i < lexicon->words.n; i++) numbers[i] = -1;
    TRY(NEW_RAW_EACH(ctx, n, &made.documents, &made.totals));
    for (size_t i = 0; i < n; i++) {
        TRY(cairn_map_add(ctx, &made.words, cairn_map_key(&lexicon->words, keep[i]),
                          lexicon->words.lengths[keep[i]], &index));
        made.documents[i] = lexicon->documents[keep[i]];
        made.totals[i] = lexicon->totals[keep[i]];
        numbers[keep[i]] = (int32_t)i;
    }
    draft_renumber(lexicon->draft, numbers, lexicon->n_found);
    made.draft = lexicon->draft;
    lexicon->draft = NULL;
    cairn_lexicon_clear(lexicon);
    *lexicon = made;
    return CAIRN_OK;
done:
    cairn_lexicon_clear(&made);
    return status;
}

/* Blocks are joined in order, so the numbers of words are those of one thread; `draft->joined`
 * leads from a block's numbers to the common ones. */
static cairn_status join_block(cairn_context *ctx, cairn_lexicon *out, const block_words *b,
                               size_t capacity[2], draft_block *draft)
{
    if (draft) CHECK(NEW_RAW(ctx, &draft->joined, b->words.n));
    for (size_t i = 0; i < b->words.n; i++) {
        size_t n = out->words.n, at;
        CHECK(
            cairn_map_add(ctx, &out->words, cairn_map_key(&b->words, i), b->words.lengths[i], &at));
        if (at == n) {
            CHECK(GROW(ctx, &out->documents, &capacity[0], n + 1));
            CHECK(GROW(ctx, &out->totals, &capacity[1], n + 1));
            out->documents[at] = out->totals[at] = 0;
        }
        if (draft) draft->joined[i] = (int32_t)at;
        out->documents[at] += b->counts[i].documents;
        out->totals[at] += b->counts[i].total;
    }
    out->n_documents += b->n_documents;
    out->n_tokens += b->n_tokens;
    return CAIRN_OK;
}

static void clear_block(block_words *b)
{
    cairn_map_clear(&b->words);
    FREE_EACH(b->counts, b->touched);
    b->counts = NULL;
    b->touched = NULL;
}

/* Whether every row of the table is learned from, in order. */
static bool has_all_rows(const cairn_view *view, const cairn_column *column)
{
    if (view->rows.indices || view->rows.n != column->n_rows) return false;
    for (size_t i = 0; (view->rows.weights || view->row_weights) && i < view->rows.n; i++)
        if (cairn_view_weight(view, i) == 0) return false;
    return true;
}

/* Number the joined words for the draft: each is itself. */
static cairn_status number_draft(cairn_context *ctx, cairn_draft *draft, size_t n)
{
    cairn_status status = NEW_RAW(ctx, &draft->numbers, n);
    for (size_t i = 0; !status && i < n; i++) draft->numbers[i] = (int32_t)i;
    return status;
}

static cairn_status order_words(cairn_context *ctx, cairn_lexicon *lexicon)
{
    sorted_word *order;
    uint32_t *keep;
    CHECK(sort_words(ctx, &lexicon->words, &order));
    CHECK(SCRATCH_RAW(ctx, &keep, lexicon->words.n));
    for (size_t i = 0; i < lexicon->words.n; i++) keep[i] = order[i].index;
    return rebuild(ctx, lexicon, keep, lexicon->words.n);
}

cairn_status cairn_lexicon_learn(cairn_context *ctx, cairn_lexicon *out,
                                 const cairn_token_rules *rules, const cairn_view *view,
                                 const cairn_column *column, bool keep)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status;
    size_t n = cairn_block_count(view->rows.n, BLOCK_ROWS), capacity[2] = {0};
    learn_work work = {rules, view, column, NULL, NULL};
    cairn_lexicon made = {0};
    TRY(SCRATCH(ctx, &work.blocks, n));
    if (keep && has_all_rows(view, column)) TRY(draft_new(ctx, &made.draft, view->rows.n, n));
    work.draft = made.draft;
    TRY(cairn_tasks(ctx, n, learn_block, &work));
    for (size_t b = 0; b < n; b++) {
        TRY(join_block(ctx, &made, &work.blocks[b], capacity,
                       made.draft ? &made.draft->blocks[b] : NULL));
        clear_block(&work.blocks[b]);
    }
    if (made.words.n >= INT32_MAX)
        TRY(cairn_fail(ctx, CAIRN_BAD_DATA, "there are more than two thousand million words"));
    made.n_found = made.words.n;
    if (made.draft) TRY(number_draft(ctx, made.draft, made.n_found));
    TRY(order_words(ctx, &made));
    *out = made;
    memset(&made, 0, sizeof made);
done:
    for (size_t b = 0; work.blocks && b < n; b++) clear_block(&work.blocks[b]);
    cairn_lexicon_clear(&made);
    cairn_scratch_release(ctx, mark);
    return status;
}

/* -- leaving words out -- */

typedef struct ranked_word {
    double total;
    uint32_t index;
} ranked_word;

static int by_total(const void *a, const void *b)
{
    const ranked_word *x = a, *y = b;
    if (x->total != y->total) return x->total > y->total ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static int by_index(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

cairn_status cairn_lexicon_prune(cairn_context *ctx, cairn_lexicon *lexicon,
                                 const cairn_lexicon_limits *limits)
{
    SCOPED_SCRATCH(ctx);
    uint32_t *keep;
    ranked_word *ranks;
    size_t n = 0;
    CHECK(SCRATCH_RAW_EACH(ctx, lexicon->words.n, &keep, &ranks));
    for (size_t i = 0; i < lexicon->words.n; i++) {
        double documents = lexicon->documents[i];
        if (documents < limits->min_documents || documents > limits->max_documents) continue;
        ranks[n] = (ranked_word){lexicon->totals[i], (uint32_t)i};
        keep[n++] = (uint32_t)i;
    }
    if (limits->max_words && n > limits->max_words) {
        qsort(ranks, n, sizeof *ranks, by_total);
        n = limits->max_words;
        for (size_t i = 0; i < n; i++) keep[i] = ranks[i].index;
        qsort(keep, n, sizeof *keep, by_index);
    }
    if (n < lexicon->words.n) CHECK(rebuild(ctx, lexicon, keep, n));
    return CAIRN_OK;
}

cairn_status cairn_lexicon_pick(cairn_context *ctx, cairn_lexicon *lexicon, const cairn_map *words)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_lexicon_clear) cairn_lexicon made = *lexicon;
    int32_t *numbers;
    made.words = (cairn_map){0};
    made.documents = made.totals = NULL;
    made.draft = NULL;
    CHECK(SCRATCH_RAW(ctx, &numbers, lexicon->words.n));
    CHECK(NEW_EACH(ctx, words->n, &made.documents, &made.totals));
    CHECK(cairn_map_copy(ctx, &made.words, words));
    for (size_t i = 0; i < lexicon->words.n; i++) {
        int64_t at =
            cairn_map_find(words, cairn_map_key(&lexicon->words, i), lexicon->words.lengths[i]);
        numbers[i] = (int32_t)at;
        if (at < 0) continue;
        made.documents[at] = lexicon->documents[i];
        made.totals[at] = lexicon->totals[i];
    }
    draft_renumber(lexicon->draft, numbers, lexicon->n_found);
    made.draft = lexicon->draft;
    lexicon->draft = NULL;
    cairn_lexicon_clear(lexicon);
    *lexicon = made;
    memset(&made, 0, sizeof made);
    return CAIRN_OK;
}

/* -- making bags -- */

typedef struct bag_block {
    int32_t *items;
    double *amounts; /* NULL until one is not 1 */
    size_t n, items_capacity, amounts_capacity;
    row_word *spare; /* for sorting */
    size_t spare_capacity;
} bag_block;

typedef struct bag_work {
    const cairn_map *words;
    const cairn_token_rules *rules;
    const cairn_column *column;
    const cairn_bag_options *options;
    double *unknown;
    size_t *starts; /* n_rows + 1; here starts[i + 1] is the number of items of row i */
    bag_block *blocks;
    const cairn_draft *draft; /* of the rows; NULL = they are read */
} bag_work;

/* One row being counted. */
typedef struct row_counts {
    cairn_context *ctx;
    const cairn_map *words;
    uint32_t *counts; /* words->n, zero between rows */
    row_word *touched;
    size_t n, capacity, unknown;
} row_counts;

static cairn_status count_item(void *data, const char *token, size_t length)
{
    row_counts *r = data;
    int64_t at = cairn_map_find(r->words, token, length);
    if (at < 0) {
        r->unknown++;
        return CAIRN_OK;
    }
    if (r->counts[at]++) return CAIRN_OK;
    cairn_status status = GROW(r->ctx, &r->touched, &r->capacity, r->n + 1);
    if (status == CAIRN_OK) r->touched[r->n++] = row_word_of((size_t)at, 0);
    return status;
}

/* Order a row by its words: by bytes of their numbers, the lowest first, in linear time. `spare`
 * has room for as many. */
static void sort_row(row_word *words, size_t n, row_word *spare)
{
    enum { SHORT = 32, WORD = 32, DIGITS = 256 };
    uint64_t all = 0;
    if (n <= SHORT) {
        for (size_t i = 1; i < n; i++) {
            row_word word = words[i];
            size_t j = i;
            for (; j > 0 && words[j - 1] > word; j--) words[j] = words[j - 1];
            words[j] = word;
        }
        return;
    }
    for (size_t i = 0; i < n; i++) all |= words[i] >> WORD;
    for (unsigned shift = 0; all >> shift; shift += 8) {
        size_t counts[DIGITS] = {0}, sum = 0;
        for (size_t i = 0; i < n; i++) counts[words[i] >> (WORD + shift) & (DIGITS - 1)]++;
        for (size_t d = 0; d < DIGITS; d++) {
            size_t here = counts[d];
            counts[d] = sum;
            sum += here;
        }
        for (size_t i = 0; i < n; i++)
            spare[counts[words[i] >> (WORD + shift) & (DIGITS - 1)]++] = words[i];
        memcpy(words, spare, n * sizeof *words);
    }
}

/* Put the words of a row at the end of the block, in order. */
static cairn_status keep_row(cairn_context *ctx, bag_block *b, row_word *words, size_t n,
                             const cairn_bag_options *options)
{
    CHECK(GROW(ctx, &b->spare, &b->spare_capacity, n));
    sort_row(words, n, b->spare);
    CHECK(GROW(ctx, &b->items, &b->items_capacity, b->n + n));
    if (!options->bits) CHECK(GROW(ctx, &b->amounts, &b->amounts_capacity, b->n + n));
    for (size_t k = 0; k < n; k++) {
        if (!options->bits) {
            uint32_t count = count_of(words[k]);
            b->amounts[b->n + k] = options->cap > 0 && count > options->cap ? options->cap : count;
        }
        b->items[b->n + k] = (int32_t)word_of(words[k]);
    }
    b->n += n;
    return CAIRN_OK;
}

/* Known words are counted in an array over the whole vocabulary that a row leaves clean, unknown
 * ones only as a number. */
static cairn_status bag_rows(cairn_context *ctx, void *data, size_t block)
{
    cairn_status status;
    bag_work *work = data;
    bag_block *b = &work->blocks[block];
    row_counts row = {.ctx = ctx, .words = work->words};
    cairn_tokeniser tokeniser;
    size_t end = (block + 1) * BLOCK_ROWS, length;
    if (end > work->column->n_rows) end = work->column->n_rows;
    TRY(cairn_tokeniser_start(ctx, &tokeniser, work->rules));
    TRY(SCRATCH(ctx, &row.counts, work->words->n));
    for (size_t i = block * BLOCK_ROWS; i < end; i++) {
        const char *text = cairn_text_at(work->column, i, &length);
        if (text) TRY(cairn_tokenise(&tokeniser, text, length, count_item, &row));
        if (work->unknown) work->unknown[i] = (double)row.unknown;
        work->starts[i + 1] = row.n;
        /* The counted words of the row; their places are cleared for the next one. */
        for (size_t k = 0; k < row.n; k++) {
            size_t word = word_of(row.touched[k]);
            row.touched[k] = row_word_of(word, row.counts[word]);
            row.counts[word] = 0;
        }
        TRY(keep_row(ctx, b, row.touched, row.n, work->options));
        row.n = row.unknown = 0;
    }
    TRY(cairn_tick(ctx, NULL, 0, 0));
done:
    cairn_free(row.touched);
    cairn_tokeniser_clear(&tokeniser);
    return status;
}

/* The same from the draft of the rows. */
static cairn_status bag_draft(cairn_context *ctx, void *data, size_t block)
{
    bag_work *work = data;
    const draft_block *d = &work->draft->blocks[block];
    size_t end = (block + 1) * BLOCK_ROWS, at = 0;
    if (end > work->column->n_rows) end = work->column->n_rows;
    for (size_t i = block * BLOCK_ROWS; i < end; i++) {
        size_t n = 0, unknown = 0, length = work->draft->lengths[i];
        row_word *words = d->words + at;
        for (size_t k = 0; k < length; k++) {
            int32_t number = work->draft->numbers[d->joined[word_of(words[k])]];
            if (number < 0)
                unknown += count_of(words[k]);
            else
                words[n++] = row_word_of((size_t)number, count_of(words[k]));
        }
        at += length;
        if (work->unknown) work->unknown[i] = (double)unknown;
        work->starts[i + 1] = n;
        CHECK(keep_row(ctx, &work->blocks[block], words, n, work->options));
    }
    return CAIRN_OK;
}

/* The blocks one behind the other in the column. Amounts that are all 1 are not kept. */
static cairn_status join_bags(cairn_context *ctx, cairn_column *column, bag_block *blocks,
                              size_t n_blocks)
{
    size_t n = 0;
    bool plain = true;
    for (size_t b = 0; b < n_blocks; b++) {
        for (size_t k = 0; plain && blocks[b].amounts && k < blocks[b].n; k++)
            plain = blocks[b].amounts[k] == 1;
        n += blocks[b].n;
    }
    cairn_free(column->items);
    column->items = NULL;
    CHECK(NEW_RAW(ctx, &column->items, n));
    if (!plain) CHECK(NEW_RAW(ctx, &column->amounts, n));
    n = 0;
    for (size_t b = 0; b < n_blocks; b++) {
        size_t count = blocks[b].n;
        if (count) memcpy(column->items + n, blocks[b].items, count * sizeof *column->items);
        for (size_t k = 0; !plain && k < count; k++)
            column->amounts[n + k] = blocks[b].amounts ? blocks[b].amounts[k] : 1;
        n += count;
    }
    return CAIRN_OK;
}

static cairn_status keep_missing(cairn_context *ctx, cairn_column *out, const cairn_column *from)
{
    for (size_t i = 0; from->n_missing && i < from->n_rows; i++)
        if (cairn_column_is_missing(from, i)) CHECK(cairn_column_mark_absent(ctx, out, i));
    cairn_column_count_missing(out);
    return CAIRN_OK;
}

/* Rows first leave their lengths in `starts`, which become places once all blocks are there and can
 * be joined without moving anything twice. */
static cairn_status make_bag(cairn_context *ctx, cairn_column **out, bag_work *work)
{
    cairn_scratch_mark mark = cairn_scratch_now(ctx);
    cairn_status status;
    size_t n_rows = work->column->n_rows, n_blocks = cairn_block_count(n_rows, BLOCK_ROWS);
    cairn_column *made = NULL;
    TRY(cairn_column_new(ctx, &made, CAIRN_BAG, n_rows));
    TRY(SCRATCH(ctx, &work->blocks, n_blocks));
    work->starts = made->starts;
    TRY(cairn_tasks(ctx, n_blocks, work->draft ? bag_draft : bag_rows, work));
    for (size_t i = 0; i < n_rows; i++) made->starts[i + 1] += made->starts[i];
    TRY(join_bags(ctx, made, work->blocks, n_blocks));
    TRY(cairn_map_copy(ctx, &made->names, work->words));
    if (work->options->keep_missing) TRY(keep_missing(ctx, made, work->column));
    *out = made;
    made = NULL;
done:
    for (size_t b = 0; work->blocks && b < n_blocks; b++) {
        FREE_EACH(work->blocks[b].items, work->blocks[b].amounts, work->blocks[b].spare);
    }
    cairn_column_drop(made);
    cairn_scratch_release(ctx, mark);
    return status;
}

cairn_status cairn_lexicon_bag(cairn_context *ctx, cairn_column **out, const cairn_map *words,
                               const cairn_token_rules *rules, const cairn_column *column,
                               const cairn_bag_options *options, double *unknown)
{
    bag_work work = {words, rules, column, options, unknown, NULL, NULL, NULL};
    return make_bag(ctx, out, &work);
}

cairn_status cairn_lexicon_bag_learned(cairn_context *ctx, cairn_column **out,
                                       cairn_lexicon *lexicon, const cairn_column *column,
                                       const cairn_bag_options *options, double *unknown)
{
    bag_work work = {&lexicon->words, NULL, column, options, unknown, NULL, NULL, lexicon->draft};
    cairn_status status = make_bag(ctx, out, &work);
    draft_free(lexicon->draft);
    lexicon->draft = NULL;
    return status;
}
