/* SPDX-License-Identifier: MIT */
/* Text features: numbers that say something about a text as a whole.
 *
 * From the text alone: hits of regular expressions, occurrences of phrases (words one after the
 * other, case ignored), words in capitals, amounts of money, whether it is a palindrome, the
 * longest run of words of a list or outside it, lines that quote. From the row: the longest run of
 * words shared with another column, and whether the sender is on a list. From the other texts: how
 * many passages of k words stand in another training text; a text that is itself one of them is not
 * counted as another. Counts, or with values=bits 1 where the count reaches what was asked for.
 * Cost: linear in the text for each feature; the longest shared run takes a logarithm more. */
#include "base/hash.h"
#include "base/regex.h"
#include "parallel/parallel.h"
#include "report/table_rows.h"
#include "transforms/columns.h"
#include "transforms/lexicon.h"
#include "transforms/passages.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK_ROWS = 256 };

typedef enum { VALUES_COUNTS, VALUES_BITS } values_choice;

typedef struct features_params {
    const char *columns;
    const char *regex;
    const char *phrases;
    int caps;
    bool amounts, palindrome, quoted;
    const char *list, *list_file;
    int inside, outside;
    const char *sender, *senders, *senders_file;
    const char *against;
    int shared;
    int values; /* values_choice */
    bool ignore_case, keep;
} features_params;

static const cairn_choice value_choices[] = {
    {"counts", VALUES_COUNTS, "how often, or how long the longest run is"},
    {"bits", VALUES_BITS, "1 where it is there (or long enough), else 0"},
    {0},
};

static const cairn_param features_param_table[] = {
    CAIRN_PARAM_AS(features_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "text or level columns; all text features when not given"),
    CAIRN_PARAM_AS(features_params, regex, CAIRN_TYPE_TEXT, NULL,
                   "regular expressions separated by commas, each a feature: its hits"),
    CAIRN_PARAM_AS(features_params, phrases, CAIRN_TYPE_TEXT, NULL,
                   "phrases separated by commas, each a feature: how often it occurs"),
    CAIRN_PARAM(features_params, caps, "2", "[0,100]",
                "count words in capitals of at least so many letters; 0 = not"),
    CAIRN_PARAM(features_params, amounts, "yes", NULL, "count amounts of money such as $25"),
    CAIRN_PARAM(features_params, palindrome, "no", NULL,
                "whether letters and digits read the same backwards"),
    CAIRN_PARAM(features_params, quoted, "no", NULL, "count lines that begin with >"),
    CAIRN_PARAM_AS(features_params, list, CAIRN_TYPE_TEXT, NULL,
                   "a list of words for inside and outside, separated by commas",
                   .when = "inside or outside"),
    CAIRN_PARAM_AS(features_params, list_file, CAIRN_TYPE_FILE, NULL,
                   "the same from a file, one word per line", .when = "inside or outside"),
    CAIRN_PARAM(features_params, inside, "0", "[0,inf)",
                "the longest run of words of the list; as a bit, of at least so many; 0 = not"),
    CAIRN_PARAM(features_params, outside, "0", "[0,inf)",
                "the longest run of words outside the list, likewise; 0 = not"),
    CAIRN_PARAM_AS(features_params, sender, CAIRN_TYPE_COLUMNS, NULL,
                   "a column of senders: whether it is among the listed ones"),
    CAIRN_PARAM_AS(features_params, senders, CAIRN_TYPE_TEXT, NULL,
                   "the listed senders, separated by commas", .when = "sender"),
    CAIRN_PARAM_AS(features_params, senders_file, CAIRN_TYPE_FILE, NULL,
                   "the same from a file, one per line", .when = "sender"),
    CAIRN_PARAM_AS(features_params, against, CAIRN_TYPE_COLUMNS, NULL,
                   "another text column: the longest run of words that both share"),
    CAIRN_PARAM(features_params, shared, "0", "[0,1000]",
                "count passages of so many words that stand in another training text; 0 = not"),
    CAIRN_PARAM_CHOICE(features_params, values, "counts", value_choices, "what a feature holds"),
    CAIRN_PARAM(features_params, ignore_case, "no", NULL,
                "regular expressions take capitals and small letters alike", .when = "regex"),
    CAIRN_PARAM(features_params, keep, "no", NULL,
                "keep the texts beside the features, for a transform that follows"),
    CAIRN_PARAM_END,
};

static const char amount_pattern[] = "[$£€¥]\\s?\\d[\\d.,]*";

typedef enum {
    KIND_REGEX,
    KIND_PHRASE,
    KIND_CAPS,
    KIND_AMOUNTS,
    KIND_PALINDROME,
    KIND_QUOTED,
    KIND_INSIDE,
    KIND_OUTSIDE,
    KIND_AGAINST,
    KIND_SHARED
} feature_kind;

/* The features of a text column, in the order of their columns. */
typedef struct feature {
    feature_kind kind;
    const char *text; /* expression, phrase or column; borrowed */
    double least;     /* what a bit asks for */
} feature;

typedef struct feature_list {
    feature *features;
    size_t n, capacity;
} feature_list;

/* What was learned of one column for `shared`. */
typedef struct shared_texts {
    cairn_map passages; /* hashes of the passages of training texts, in hexadecimal digits */
    int32_t *texts;     /* passages.n: training texts that have it, 2 = two or more */
    cairn_map whole;    /* hashes of the texts */
    size_t capacity;
} shared_texts;

typedef struct features_state {
    cairn_map names;
    shared_texts *shared; /* names.n */
    cairn_map list;       /* folded words */
    cairn_map senders;    /* folded */
    char *sender;         /* column, NULL = none */
    char *against;
} features_state;

/* -- the list of features -- */

static cairn_status add_feature(cairn_context *ctx, feature_list *list, feature_kind kind,
                                const char *text, double least)
{
    feature *grown;
    if (list->n == list->capacity) {
        list->capacity = 2 * list->capacity + 16;
        CHECK(SCRATCH(ctx, &grown, list->capacity));
        if (list->n) memcpy(grown, list->features, list->n * sizeof *grown);
        list->features = grown;
    }
    list->features[list->n++] = (feature){kind, text, least};
    return CAIRN_OK;
    return CAIRN_OK;
}

static cairn_status add_texts(cairn_context *ctx, feature_list *list, feature_kind kind,
                              const char *texts)
{
    char **items;
    size_t n;
    if (!texts) return CAIRN_OK;
    CHECK(cairn_list_split(ctx, texts, &items, &n));
    for (size_t i = 0; i < n; i++)
        if (*items[i]) CHECK(add_feature(ctx, list, kind, items[i], 1));
    return CAIRN_OK;
}

/* From scratch. */
static cairn_status list_features(cairn_context *ctx, feature_list *out, const features_params *p)
{
    CHECK(add_texts(ctx, out, KIND_REGEX, p->regex));
    CHECK(add_texts(ctx, out, KIND_PHRASE, p->phrases));
    if (p->caps) CHECK(add_feature(ctx, out, KIND_CAPS, NULL, 1));
    if (p->amounts) CHECK(add_feature(ctx, out, KIND_AMOUNTS, NULL, 1));
    if (p->palindrome) CHECK(add_feature(ctx, out, KIND_PALINDROME, NULL, 1));
    if (p->quoted) CHECK(add_feature(ctx, out, KIND_QUOTED, NULL, 1));
    if (p->inside) CHECK(add_feature(ctx, out, KIND_INSIDE, NULL, p->inside));
    if (p->outside) CHECK(add_feature(ctx, out, KIND_OUTSIDE, NULL, p->outside));
    if (p->against)
        CHECK(add_feature(ctx, out, KIND_AGAINST, p->against, p->shared ? p->shared : 1));
    if (p->shared) CHECK(add_feature(ctx, out, KIND_SHARED, NULL, 1));
    return CAIRN_OK;
}

/* "column:caps", "column:/expression/", "column:phrase" ... */
static void name_feature(cairn_text *out, const char *column, const feature *f)
{
    static const char *const words[] = {"",       "",       "caps",    "amounts", "palindrome",
                                        "quoted", "inside", "outside", "shared",  "passages"};
    cairn_text_addf(out, "%s:", column);
    if (f->kind == KIND_REGEX)
        cairn_text_addf(out, "/%s/", f->text);
    else if (f->kind == KIND_PHRASE)
        cairn_text_add(out, f->text);
    else
        cairn_text_add(out, words[f->kind]);
}

/* Compiles every pattern once to refuse bad ones before the texts are read, and refuses options
 * whose lists are missing. */
static cairn_status features_check(cairn_context *ctx, const void *values)
{
    SCOPED_SCRATCH(ctx);
    const features_params *p = values;
    feature_list list = {0};
    CHECK(list_features(ctx, &list, p));
    for (size_t i = 0; i < list.n; i++) {
        cairn_regex *regex = NULL;
        if (list.features[i].kind != KIND_REGEX) continue;
        CHECK(cairn_regex_new(ctx, &regex, list.features[i].text, p->ignore_case));
        cairn_regex_free(regex);
    }
    if (list.n == 0 && !p->sender)
        CHECK(cairn_fail(ctx, CAIRN_USAGE,
                         "text-features: no feature is asked for; give regex, phrases, caps or "
                         "another one"));
    if ((p->inside || p->outside) && !p->list && !p->list_file)
        CHECK(cairn_fail(ctx, CAIRN_USAGE,
                         "text-features: inside and outside need a list of words: list or "
                         "list-file"));
    if (p->sender && !p->senders && !p->senders_file)
        CHECK(cairn_fail(ctx, CAIRN_USAGE,
                         "text-features: sender needs the listed ones: senders or senders-file"));
    return CAIRN_OK;
}

/* -- reading one text -- */

static const cairn_token_rules word_rules = {.unit = CAIRN_TOKENS_WORDS,
                                             .shortest = 1,
                                             .folding = {.lower = true},
                                             .min_gram = 1,
                                             .max_gram = 1};

/* Words of at least `least` letters, all of them capitals. */
static size_t count_caps(const char *text, size_t length, size_t least)
{
    size_t count = 0, letters = 0, step;
    bool capitals = true;
    for (size_t i = 0; i <= length; i += step) {
        step = 1;
        unsigned class =
            i < length ? cairn_letter_class(cairn_letter_decode(text + i, length - i, &step)) : 0;
        if (class & CAIRN_IS_LETTER) {
            letters++;
            capitals &= (class & CAIRN_IS_UPPER) != 0;
        } else {
            count += letters >= least && capitals;
            letters = 0;
            capitals = true;
        }
    }
    return count;
}

static size_t count_quoted(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length;) {
        const char *end = memchr(text + i, '\n', length - i);
        size_t stop = end ? (size_t)(end - text) : length;
        while (i < stop && (text[i] == ' ' || text[i] == '\t')) i++;
        count += i < stop && text[i] == '>';
        i = stop + 1;
    }
    return count;
}

/* Occurrences of a phrase that do not share words; both are words with blanks around them. */
static size_t count_phrase(const cairn_passage *words, const cairn_passage *phrase)
{
    size_t count = 0, at = 0;
    if (phrase->n == 0) return 0;
    while (at + phrase->length <= words->length) {
        const char *hit =
            memmem(words->joined + at, words->length - at, phrase->joined, phrase->length);
        if (!hit) break;
        count++;
        at = (size_t)(hit - words->joined) + phrase->length - 1;
    }
    return count;
}

/* The longest run of words that are (or are not) on the list. */
static size_t longest_run(const cairn_passage *words, const cairn_map *list, bool inside)
{
    size_t run = 0, longest = 0, at = 1;
    for (size_t i = 0; i < words->n; i++) {
        const char *end = memchr(words->joined + at, ' ', words->length - at);
        size_t length = (size_t)(end - words->joined) - at;
        bool listed = cairn_map_find(list, words->joined + at, length) >= 0;
        run = listed == inside ? run + 1 : 0;
        if (run > longest) longest = run;
        at += length + 1;
    }
    return longest;
}

/* A hash as letters, which any file can hold. */
static void hash_letters(char out[17], uint64_t hash)
{
    snprintf(out, 17, "%016llx", (unsigned long long)hash);
}

static size_t count_shared(const shared_texts *s, const cairn_passage *words, size_t length)
{
    char key[17];
    size_t count = 0;
    hash_letters(key, cairn_passage_hash(words, 0, words->n));
    int32_t own = cairn_map_find(&s->whole, key, 16) >= 0;
    for (size_t i = 0; i + length <= words->n; i++) {
        hash_letters(key, cairn_passage_hash(words, i, length));
        int64_t at = cairn_map_find(&s->passages, key, 16);
        count += at >= 0 && s->texts[at] > own;
    }
    return count;
}

/* -- all rows of a column -- */

typedef struct column_work {
    const features_params *params;
    const features_state *state;
    const shared_texts *shared;
    const feature_list *list;
    const cairn_column *column, *against;
    double **out; /* list->n arrays of n_rows */
} column_work;

/* What one task needs, made once for its rows. */
typedef struct reader {
    cairn_tokeniser tokeniser;
    cairn_passage words, other;
    cairn_passage *phrases; /* list->n, those of phrases */
    cairn_regex **regexes;  /* list->n, those of expressions */
} reader;

static cairn_status open_reader(cairn_context *ctx, reader *r, const column_work *work)
{
    const feature_list *list = work->list;
    CHECK(cairn_tokeniser_start(ctx, &r->tokeniser, &word_rules));
    CHECK(SCRATCH_EACH(ctx, list->n, &r->phrases, &r->regexes));
    for (size_t k = 0; k < list->n; k++) {
        const feature *f = &list->features[k];
        if (f->kind == KIND_REGEX)
            CHECK(cairn_regex_new(ctx, &r->regexes[k], f->text, work->params->ignore_case));
        if (f->kind == KIND_AMOUNTS)
            CHECK(cairn_regex_new(ctx, &r->regexes[k], amount_pattern, false));
        if (f->kind == KIND_PHRASE)
            CHECK(cairn_passage_read(&r->phrases[k], &r->tokeniser, f->text, strlen(f->text)));
    }
    return CAIRN_OK;
}

static void close_reader(reader *r, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        if (r->phrases) cairn_passage_clear(&r->phrases[k]);
        if (r->regexes) cairn_regex_free(r->regexes[k]);
    }
    cairn_passage_clear(&r->words);
    cairn_passage_clear(&r->other);
    cairn_tokeniser_clear(&r->tokeniser);
}

/* Finds the count of one feature in one text; a pattern stops at its first match when only bits are
 * wanted. */
static cairn_status measure(cairn_context *ctx, reader *r, const column_work *work, size_t k,
                            size_t row, const char *text, size_t length, size_t *out)
{
    bool yes;
    size_t n_other;
    const char *other;
    switch (work->list->features[k].kind) {
    case KIND_REGEX:
    case KIND_AMOUNTS:
        return cairn_regex_count(ctx, r->regexes[k], text, length,
                                 work->params->values == VALUES_BITS, out);
    case KIND_PHRASE: *out = count_phrase(&r->words, &r->phrases[k]); break;
    case KIND_CAPS: *out = count_caps(text, length, (size_t)work->params->caps); break;
    case KIND_PALINDROME: {
        /* Whether letters and digits, at least two of them, read the same from both ends. */
        cairn_scratch_mark mark = cairn_scratch_now(ctx);
        int32_t *letters;
        size_t n = 0, step;
        cairn_status status = SCRATCH_RAW(ctx, &letters, length);
        if (status) return status;
        for (size_t i = 0; i < length; i += step) {
            int32_t letter = cairn_letter_decode(text + i, length - i, &step);
            if (cairn_letter_class(letter) & (CAIRN_IS_LETTER | CAIRN_IS_DIGIT))
                letters[n++] = cairn_letter_lower(letter);
        }
        yes = n >= 2;
        for (size_t i = 0; i < n / 2; i++) yes &= letters[i] == letters[n - 1 - i];
        cairn_scratch_release(ctx, mark);
        *out = yes;
        break;
    }
    case KIND_QUOTED: *out = count_quoted(text, length); break;
    case KIND_INSIDE: *out = longest_run(&r->words, &work->state->list, true); break;
    case KIND_OUTSIDE: *out = longest_run(&r->words, &work->state->list, false); break;
    case KIND_AGAINST:
        other = cairn_text_at(work->against, row, &n_other);
        CHECK(cairn_passage_read(&r->other, &r->tokeniser, other ? other : "", n_other));
        CHECK(cairn_passage_longest(ctx, &r->words, &r->other, out));
        break;
    default: *out = count_shared(work->shared, &r->words, (size_t)work->params->shared); break;
    }
    return CAIRN_OK;
}

/* A missing text is missing in all features; a bit is whether the count reaches the feature's least
 * one. Each block opens its own patterns and buffers. */
static cairn_status read_rows(cairn_context *ctx, void *data, size_t block)
{
    cairn_status status;
    const column_work *work = data;
    reader r = {0};
    size_t end = (block + 1) * BLOCK_ROWS, length, found = 0;
    if (end > work->column->n_rows) end = work->column->n_rows;
    TRY(open_reader(ctx, &r, work));
    for (size_t i = block * BLOCK_ROWS; i < end; i++) {
        const char *text = cairn_text_at(work->column, i, &length);
        if (text) TRY(cairn_passage_read(&r.words, &r.tokeniser, text, length));
        for (size_t k = 0; k < work->list->n; k++) {
            if (text) TRY(measure(ctx, &r, work, k, i, text, length, &found));
            bool bits = work->params->values == VALUES_BITS;
            work->out[k][i] = !text  ? NAN
                              : bits ? (double)found >= work->list->features[k].least
                                     : (double)found;
        }
        TRY(cairn_tick(ctx, NULL, 0, 0));
    }
done:
    close_reader(&r, work->list->n);
    return status;
}

/* -- fitting -- */

static bool fits_text(const cairn_column *column)
{
    return column->kind == CAIRN_TEXT;
}

static bool fits_words(const cairn_column *column)
{
    return column->kind == CAIRN_TEXT || column->kind == CAIRN_LEVEL;
}

/* Words of a list and of a file, in lower case; `address` takes what stands between < and >. */
static cairn_status read_list(cairn_context *ctx, cairn_map *out, const char *list,
                              const char *path)
{
    SCOPED(cairn_map_clear) cairn_map raw = {0};
    SCOPED(cairn_folded_clear) cairn_folded word = {0};
    char **items;
    size_t n, index;
    if (list) CHECK(cairn_list_split(ctx, list, &items, &n));
    for (size_t i = 0; list && i < n; i++)
        if (*items[i]) CHECK(cairn_map_add(ctx, &raw, items[i], strlen(items[i]), &index));
    if (path) CHECK(cairn_words_read(ctx, &raw, path));
    for (size_t i = 0; i < raw.n; i++) {
        CHECK(cairn_fold(ctx, &word, &word_rules.folding, cairn_map_key(&raw, i), raw.lengths[i]));
        CHECK(cairn_map_add(ctx, out, word.bytes, word.length, &index));
    }
    return CAIRN_OK;
}

/* Count the passages of one more text, each once. */
static cairn_status learn_text(cairn_context *ctx, shared_texts *s, const cairn_passage *words,
                               size_t length)
{
    char key[17];
    size_t index;
    SCOPED(cairn_map_clear) cairn_map seen = {0};
    hash_letters(key, cairn_passage_hash(words, 0, words->n));
    CHECK(cairn_map_add(ctx, &s->whole, key, 16, &index));
    for (size_t i = 0; i + length <= words->n; i++) {
        size_t n = seen.n;
        hash_letters(key, cairn_passage_hash(words, i, length));
        CHECK(cairn_map_add(ctx, &seen, key, 16, &index));
        if (seen.n == n) continue;
        n = s->passages.n;
        CHECK(cairn_map_add(ctx, &s->passages, key, 16, &index));
        CHECK(GROW(ctx, &s->texts, &s->capacity, s->passages.n));
        if (index == n) s->texts[index] = 0;
        if (s->texts[index] < 2) s->texts[index]++;
    }
    return CAIRN_OK;
}

/* A passage counts once for each training text that has it; rows of weight 0 were left out of
 * training and share nothing. */
static cairn_status learn_shared(cairn_context *ctx, shared_texts *out, const cairn_job *job,
                                 size_t column, size_t length)
{
    cairn_status status;
    cairn_tokeniser tokeniser;
    cairn_passage words = {0};
    size_t n_bytes;
    TRY(cairn_tokeniser_start(ctx, &tokeniser, &word_rules));
    for (size_t i = 0; i < job->view->rows.n; i++) {
        const char *text =
            cairn_text_at(job->view->features[column], cairn_view_row(job->view, i), &n_bytes);
        if (!text || cairn_view_weight(job->view, i) == 0) continue;
        TRY(cairn_passage_read(&words, &tokeniser, text, n_bytes));
        TRY(learn_text(ctx, out, &words, length));
        TRY(cairn_tick(ctx, NULL, 0, 0));
    }
done:
    cairn_passage_clear(&words);
    cairn_tokeniser_clear(&tokeniser);
    return status;
}

/* One column by name, of words; kept as a name. */
static cairn_status keep_column(cairn_context *ctx, char **out, const cairn_view *view,
                                const char *name)
{
    size_t *chosen, n;
    CHECK(cairn_choose_features(ctx, view, "text-features", name, fits_words,
                                "a text or level column", &chosen, &n));
    if (n != 1)
        return cairn_fail(ctx, CAIRN_USAGE, "text-features: '%s' should name one column", name);
    return cairn_copy_text(ctx, out, view->names[chosen[0]], strlen(view->names[chosen[0]]));
}

static cairn_status run_column(cairn_context *ctx, cairn_table *out, const cairn_table *table,
                               size_t at, const features_params *p, const features_state *s,
                               const shared_texts *shared);

/* Columns that other texts are compared with are not texts to measure, unless they are named. */
static cairn_status features_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const features_params *p = job->params;
    features_state *s = state;
    size_t n, *chosen, index;
    CHECK(cairn_choose_features(ctx, job->view, "text-features", p->columns,
                                p->columns ? fits_words : fits_text, "a text column", &chosen, &n));
    CHECK(read_list(ctx, &s->list, p->list, p->list_file));
    CHECK(read_list(ctx, &s->senders, p->senders, p->senders_file));
    if (p->sender) CHECK(keep_column(ctx, &s->sender, job->view, p->sender));
    if (p->against) CHECK(keep_column(ctx, &s->against, job->view, p->against));
    CHECK(NEW(ctx, &s->shared, n));
    for (size_t i = 0; i < n; i++) {
        const char *name = job->view->names[chosen[i]];
        size_t before = s->names.n;
        if (!p->columns && (cairn_same(name, s->sender) || cairn_same(name, s->against))) continue;
        CHECK(cairn_map_add(ctx, &s->names, name, strlen(name), &index));
        if (p->shared && s->names.n > before)
            CHECK(learn_shared(ctx, &s->shared[index], job, chosen[i], (size_t)p->shared));
    }
    if (job->steps) {
        /* The features of the first rows. */
        OWNED(cairn_table_free) cairn_table *made = NULL;
        cairn_report *out = job->steps;
        CHECK(cairn_table_new(ctx, &made, job->view->table->n_rows));
        for (size_t i = 0, at = 0; i < s->names.n; i++) {
            CHECK(cairn_next_column(ctx, job->view->table, cairn_map_key(&s->names, i), &at));
            CHECK(run_column(ctx, made, job->view->table, at, job->params, s, &s->shared[i]));
        }
        if (made->n_columns != 0) {
            cairn_report_step_begin(out, "Features of the texts");
            cairn_show_made(out, "text-features", job->view, made, 0);
            cairn_report_step_end(out);
        }
    }
    return CAIRN_OK;
}

/* -- applying -- */

static cairn_status column_of(cairn_context *ctx, const cairn_table *table, const char *name,
                              const cairn_column **out)
{
    size_t at;
    CHECK(cairn_table_get(ctx, table, name, &at));
    if (table->slots[at].column->kind != CAIRN_LEVEL)
        CHECK(cairn_expect_kind(ctx, &table->slots[at], CAIRN_TEXT));
    *out = table->slots[at].column;
    return CAIRN_OK;
}

/* Put the features of a text column at the end of a table of as many rows. */
static cairn_status run_column(cairn_context *ctx, cairn_table *out, const cairn_table *table,
                               size_t at, const features_params *p, const features_state *s,
                               const shared_texts *shared)
{
    cairn_status status;
    const cairn_slot *slot = &table->slots[at];
    feature_list list = {0};
    column_work work = {p, s, shared, &list, slot->column, NULL, NULL};
    cairn_column **columns = NULL;
    cairn_text name = cairn_text_start(ctx);
    if (slot->column->kind != CAIRN_LEVEL) TRY(cairn_expect_kind(ctx, slot, CAIRN_TEXT));
    if (s->against) TRY(column_of(ctx, table, s->against, &work.against));
    TRY(list_features(ctx, &list, p));
    TRY(SCRATCH_EACH(ctx, list.n, &columns, &work.out));
    for (size_t k = 0; k < list.n; k++) {
        TRY(cairn_column_new(ctx, &columns[k], CAIRN_NUMBER, table->n_rows));
        work.out[k] = columns[k]->numbers;
    }
    TRY(cairn_tasks(ctx, cairn_block_count(table->n_rows, BLOCK_ROWS), read_rows, &work));
    for (size_t k = 0; k < list.n; k++) {
        cairn_column *column = columns[k];
        columns[k] = NULL;
        cairn_column_count_missing(column);
        name.length = 0;
        name_feature(&name, slot->name, &list.features[k]);
        if (name.status) cairn_column_drop(column);
        TRY(cairn_text_status(&name));
        TRY(cairn_table_add_column(ctx, out, cairn_text_string(&name), CAIRN_FEATURE, column));
    }
done:
    for (size_t k = 0; columns && k < list.n; k++) cairn_column_drop(columns[k]);
    cairn_text_clear(&name);
    return status;
}

/* Whether the sender is among those listed, after the same folding of letters that the list went
 * through. */
static cairn_status add_listed(cairn_context *ctx, cairn_table *out, const features_state *s)
{
    cairn_status status;
    const cairn_column *from;
    cairn_column *column = NULL;
    cairn_folded word = {0};
    cairn_text name = cairn_text_start(ctx);
    TRY(column_of(ctx, out, s->sender, &from));
    TRY(cairn_column_new(ctx, &column, CAIRN_NUMBER, from->n_rows));
    for (size_t i = 0; i < from->n_rows; i++) {
        size_t length;
        bool listed = false;
        const char *text = cairn_text_at(from, i, &length);
        if (text) {
            /* Whether the sender, or the address in <> that it holds, is listed. */
            TRY(cairn_fold(ctx, &word, &word_rules.folding, text, length));
            const char *open = memchr(word.bytes, '<', word.length);
            const char *end = word.bytes + word.length;
            const char *close = open ? memchr(open, '>', (size_t)(end - open)) : NULL;
            listed = cairn_map_find(&s->senders, word.bytes, word.length) >= 0;
            if (close)
                listed |= cairn_map_find(&s->senders, open + 1, (size_t)(close - open) - 1) >= 0;
        }
        column->numbers[i] = text ? listed : NAN;
    }
    cairn_column_count_missing(column);
    cairn_text_addf(&name, "%s:listed", s->sender);
    TRY(cairn_text_status(&name));
    status = cairn_table_add_column(ctx, out, cairn_text_string(&name), CAIRN_FEATURE, column);
    column = NULL;
done:
    cairn_column_drop(column);
    cairn_folded_clear(&word);
    cairn_text_clear(&name);
    return status;
}

static cairn_status features_apply(cairn_context *ctx, cairn_table **out, const void *state,
                                   const void *params, const cairn_table *table)
{
    const features_params *p = params;
    const features_state *s = state;
    OWNED(cairn_table_free) cairn_table *copy = NULL;
    CHECK(cairn_table_share(ctx, &copy, table));
    for (size_t i = 0, at = 0; i < s->names.n; i++) {
        CHECK(cairn_next_column(ctx, copy, cairn_map_key(&s->names, i), &at));
        CHECK(run_column(ctx, copy, table, at, p, s, &s->shared[i]));
    }
    if (s->sender) CHECK(add_listed(ctx, copy, s));
    if (!p->keep) {
        /* Texts that were read drop out; levels stay, they are of use by themselves. */
        for (size_t i = 0; i < copy->n_columns; i++) {
            const cairn_slot *slot = &copy->slots[i];
            bool read = cairn_map_find(&s->names, slot->name, strlen(slot->name)) >= 0 ||
                        cairn_same(slot->name, s->sender) || cairn_same(slot->name, s->against);
            if (read && slot->column->kind == CAIRN_TEXT) cairn_table_take_out(copy, i);
        }
        cairn_table_close_gaps(copy);
    }
    *out = TAKE(copy);
    return CAIRN_OK;
}

static void features_describe(cairn_report *out, const void *state, const void *params)
{
    const features_state *s = state;
    (void)params;
    cairn_report_table_of(out, "Texts that features are made of", 0, "lr", "column",
                          "passages learned");
    for (size_t i = 0; i < s->names.n; i++) {
        const char *name = cairn_map_key(&s->names, i);
        cairn_report_cells(out, "- text-features.$1.passages", name,
                           (double)s->shared[i].passages.n);
    }
    cairn_report_table_end(out);
    if (s->list.n)
        cairn_report_value(out, "words on the list", (double)s->list.n, "text-features.list");
    if (s->senders.n)
        cairn_report_value(out, "listed senders", (double)s->senders.n, "text-features.senders");
}

static const cairn_kept shared_keeps[] = {
    KEEP(shared_texts, passages),
    KEEP_ARRAYS(shared_texts, "passages", texts),
    KEEP(shared_texts, whole),
    KEEP_END,
};

static const cairn_kept features_keeps[] = {
    KEEP(features_state, names, list, senders, sender, against),
    KEEP_PARTS(features_state, shared, "names", .rows = shared_keeps),
    KEEP_END,
};

const cairn_transform cairn_text_features = {
    .entry =
        {.kind = CAIRN_ENTRY_TRANSFORM,
         .name = "text-features",
         .also = "regular expressions, regex, text statistics",
         .title = "Features of texts",
         .summary =
             "Makes numbers of texts: hits of regular expressions, phrases, words in capitals, "
             "amounts of money, palindromes, runs of words on or off a list, quoted lines, "
             "passages shared with another column or with other texts, and whether the sender is "
             "listed. Each is a number column, COLUMN:FEATURE; the texts drop out unless kept. "
             "Expressions know characters, sets, . \\d \\w \\s \\b ^ $, groups, |, and the repeats "
             "* + ? {2,5}; any text is matched in linear time.",
         .references = "Flach, Machine Learning",
         .example = "cairn convert @texts - --to csv --with text-features:regex=w[a-z]n",
         .params = features_param_table,
         .params_size = sizeof(features_params),
         .check = features_check},
    .state_size = sizeof(features_state),
    .fit = features_fit,
    .apply = features_apply,
    .describe = features_describe,
    .keeps = features_keeps,
};
