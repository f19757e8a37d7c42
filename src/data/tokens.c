/* SPDX-License-Identifier: MIT */
/* Texts to tokens. Words are found byte by byte through a table for ASCII and by their Unicode
 * class beyond it. Where nothing is to be left out, replaced or joined, tokens are handed on as
 * they are found; otherwise they are written side by side with blanks between, so that an n-gram is
 * a slice of that memory. */
#include "data/tokens.h"
#include "base/memory.h"
#include "data/lines.h"
#include <string.h>

static const char stop_words[] =
    "a about above after again against all almost also although always am among an and another any "
    "anybody anyone anything are around as at away be became because become been before behind "
    "being below between both but by came can cannot come could did do does doing done down during "
    "each either else enough even ever every everybody everyone everything few for from further "
    "get gets getting go goes going gone got had has have having he her here hers herself him "
    "himself his how however if in indeed into is it its itself just keep least less let like many "
    "may me might mine more moreover most much must my myself near neither never no nobody none "
    "nor not nothing now of off often on once one only onto or other others otherwise our ours "
    "ourselves out over own per perhaps put quite rather really said same say says see seem seemed "
    "seems several shall she should since so some somebody someone something sometimes still such "
    "than that the their theirs them themselves then there therefore these they this those though "
    "through thus to together too toward towards under until up upon us very was we well were what "
    "whatever when where whether which while who whoever whole whom whose why will with within "
    "without would yet you your yours yourself yourselves";

cairn_status cairn_stop_words(cairn_context *ctx, cairn_map *out)
{
    size_t index;
    for (const char *at = stop_words; *at;) {
        size_t length = strcspn(at, " ");
        CHECK(cairn_map_add(ctx, out, at, length, &index));
        at += length + (at[length] == ' ');
    }
    return CAIRN_OK;
}

/* -- files of words -- */

typedef cairn_status (*line_taker)(cairn_context *ctx, void *data, const cairn_lines *lines,
                                   const char *from, const char *to);

/* Hand on every line that is not blank. */
static cairn_status each_line(cairn_context *ctx, const char *path, line_taker take, void *data)
{
    cairn_status status;
    cairn_input *input = NULL;
    cairn_lines lines = {0};
    TRY(cairn_input_open(ctx, &input, path));
    TRY(cairn_lines_read(ctx, &lines, input, NULL));
    for (const char *at = lines.begin; at < lines.end;) {
        const char *end = cairn_lines_end(&lines, at);
        const char *from = at, *to = cairn_lines_trim(at, end);
        while (from < to && (*from == ' ' || *from == '\t')) from++;
        if (from < to) TRY(take(ctx, data, &lines, from, to));
        at = end + 1;
    }
done:
    cairn_lines_clear(&lines);
    cairn_input_close(input);
    return status;
}

static cairn_status take_word(cairn_context *ctx, void *data, const cairn_lines *lines,
                              const char *from, const char *to)
{
    (void)lines;
    size_t index;
    return cairn_map_add(ctx, data, from, (size_t)(to - from), &index);
}

cairn_status cairn_words_read(cairn_context *ctx, cairn_map *out, const char *path)
{
    return each_line(ctx, path, take_word, out);
}

typedef struct lemma_reader {
    cairn_lemmas *out;
    const cairn_folding *folding;
    cairn_folded word, lemma;
} lemma_reader;

/* Word and lemma are folded like the texts, or they would not be found there; a word that stands
 * twice keeps its last lemma. */
static cairn_status take_lemma(cairn_context *ctx, void *data, const cairn_lines *lines,
                               const char *from, const char *to)
{
    lemma_reader *r = data;
    size_t word, lemma;
    const char *stop = from, *next;
    while (stop < to && *stop != '=' && *stop != ' ' && *stop != '\t') stop++;
    next = stop;
    while (next < to && (*next == '=' || *next == ' ' || *next == '\t')) next++;
    if (stop == from || next == to)
        return cairn_lines_refuse(ctx, lines, from, NULL, "'%.*s' should read word=lemma",
                                  cairn_lines_shown(from, to), from);
    CHECK(cairn_fold(ctx, &r->word, r->folding, from, (size_t)(stop - from)));
    CHECK(cairn_fold(ctx, &r->lemma, r->folding, next, (size_t)(to - next)));
    CHECK(cairn_map_add(ctx, &r->out->words, r->word.bytes, r->word.length, &word));
    CHECK(cairn_map_add(ctx, &r->out->lemmas, r->lemma.bytes, r->lemma.length, &lemma));
    CHECK(GROW(ctx, &r->out->of, &r->out->capacity, r->out->words.n));
    r->out->of[word] = (int32_t)lemma;
    return CAIRN_OK;
}

cairn_status cairn_lemmas_read(cairn_context *ctx, cairn_lemmas *out, const char *path,
                               const cairn_folding *folding)
{
    lemma_reader reader = {.out = out, .folding = folding};
    cairn_status status = each_line(ctx, path, take_lemma, &reader);
    cairn_folded_clear(&reader.word);
    cairn_folded_clear(&reader.lemma);
    return status;
}

void cairn_lemmas_clear(cairn_lemmas *lemmas)
{
    cairn_map_clear(&lemmas->words);
    cairn_map_clear(&lemmas->lemmas);
    cairn_free(lemmas->of);
    *lemmas = (cairn_lemmas){0};
}

/* -- the tokeniser -- */

cairn_status cairn_tokeniser_start(cairn_context *ctx, cairn_tokeniser *out,
                                   const cairn_token_rules *rules)
{
    *out = (cairn_tokeniser){.ctx = ctx, .rules = *rules};
    if (rules->stop && rules->stop->n == 0) out->rules.stop = NULL;
    if (rules->lemmas && rules->lemmas->words.n == 0) out->rules.lemmas = NULL;
    return rules->stem ? cairn_stemmer_new(ctx, &out->stemmer, rules->stem) : CAIRN_OK;
}

void cairn_tokeniser_clear(cairn_tokeniser *t)
{
    cairn_stemmer_free(t->stemmer);
    cairn_folded_clear(&t->folded);
    FREE_EACH(t->joined, t->begins, t->ends);
    *t = (cairn_tokeniser){0};
}

static cairn_status note_token(cairn_tokeniser *t, size_t begin, size_t end)
{
    CHECK(GROW(t->ctx, &t->begins, &t->begins_capacity, t->n + 1));
    CHECK(GROW(t->ctx, &t->ends, &t->ends_capacity, t->n + 1));
    t->begins[t->n] = begin;
    t->ends[t->n++] = end;
    return CAIRN_OK;
}

/* Put a word at the end of the joined ones, unless it is a stop word. */
static cairn_status keep_word(void *data, const char *word, size_t length)
{
    cairn_tokeniser *t = data;
    if (t->rules.stop && cairn_map_find(t->rules.stop, word, length) >= 0) return CAIRN_OK;
    if (t->rules.lemmas) {
        const cairn_lemmas *l = t->rules.lemmas;
        int64_t at = cairn_map_find(&l->words, word, length);
        if (at >= 0) {
            word = cairn_map_key(&l->lemmas, (size_t)l->of[at]);
            length = l->lemmas.lengths[l->of[at]];
        }
    }
    if (t->stemmer) word = cairn_stem(t->stemmer, word, &length);
    if (length == 0) return CAIRN_OK;
    CHECK(GROW(t->ctx, &t->joined, &t->joined_capacity, t->joined_length + length + 1));
    if (t->n) t->joined[t->joined_length++] = ' ';
    memcpy(t->joined + t->joined_length, word, length);
    CHECK(note_token(t, t->joined_length, t->joined_length + length));
    t->joined_length += length;
    return CAIRN_OK;
}

/* Bytes of ASCII that belong to words: 1 letters, 2 digits and the underscore. */
static const unsigned char ascii_class[128] = {
    ['0'] = 2, ['1'] = 2, ['2'] = 2, ['3'] = 2, ['4'] = 2, ['5'] = 2, ['6'] = 2, ['7'] = 2,
    ['8'] = 2, ['9'] = 2, ['_'] = 2, ['A'] = 1, ['B'] = 1, ['C'] = 1, ['D'] = 1, ['E'] = 1,
    ['F'] = 1, ['G'] = 1, ['H'] = 1, ['I'] = 1, ['J'] = 1, ['K'] = 1, ['L'] = 1, ['M'] = 1,
    ['N'] = 1, ['O'] = 1, ['P'] = 1, ['Q'] = 1, ['R'] = 1, ['S'] = 1, ['T'] = 1, ['U'] = 1,
    ['V'] = 1, ['W'] = 1, ['X'] = 1, ['Y'] = 1, ['Z'] = 1, ['a'] = 1, ['b'] = 1, ['c'] = 1,
    ['d'] = 1, ['e'] = 1, ['f'] = 1, ['g'] = 1, ['h'] = 1, ['i'] = 1, ['j'] = 1, ['k'] = 1,
    ['l'] = 1, ['m'] = 1, ['n'] = 1, ['o'] = 1, ['p'] = 1, ['q'] = 1, ['r'] = 1, ['s'] = 1,
    ['t'] = 1, ['u'] = 1, ['v'] = 1, ['w'] = 1, ['x'] = 1, ['y'] = 1, ['z'] = 1};

static inline bool in_word(const char *at, size_t left, unsigned mask, size_t *step)
{
    unsigned char c = (unsigned char)*at;
    *step = 1;
    if (c < 128) return ascii_class[c] & mask;
    return cairn_letter_class(cairn_letter_decode(at, left, step)) & mask;
}

static cairn_status cut_words(cairn_tokeniser *t, cairn_token_sink sink, void *data)
{
    unsigned mask =
        CAIRN_IS_LETTER | (t->rules.unit == CAIRN_TOKENS_WORDS ? (unsigned)CAIRN_IS_DIGIT : 0);
    const char *bytes = t->folded.bytes;
    size_t n = t->folded.length, step;
    for (size_t i = 0; i < n;) {
        while (i < n && !in_word(bytes + i, n - i, mask, &step)) i += step;
        size_t from = i, letters = 0;
        while (i < n && in_word(bytes + i, n - i, mask, &step)) i += step, letters++;
        if (letters && letters >= t->rules.shortest) CHECK(sink(data, bytes + from, i - from));
    }
    return CAIRN_OK;
}

/* Every run of min_gram .. max_gram tokens as a slice of `text`. */
static cairn_status make_grams(const cairn_tokeniser *t, const char *text, cairn_token_sink sink,
                               void *data)
{
    for (int g = t->rules.min_gram; g <= t->rules.max_gram && (size_t)g <= t->n; g++)
        for (size_t i = 0, last = (size_t)g - 1; last < t->n; i++, last++)
            CHECK(sink(data, text + t->begins[i], t->ends[last] - t->begins[i]));
    return CAIRN_OK;
}

/* The characters of the folded text, which is rewritten with one blank for several. */
static cairn_status cut_characters(cairn_tokeniser *t)
{
    char *bytes = t->folded.bytes;
    size_t n = t->folded.length, to = 0, step, run = 0;
    for (size_t i = 0; i < n; i += step) {
        bool space =
            cairn_letter_class(cairn_letter_decode(bytes + i, n - i, &step)) & CAIRN_IS_SPACE;
        run = space ? run + 1 : 0;
        if (run == 2) { /* what stands for the run becomes one plain blank */
            to = t->begins[t->n - 1];
            bytes[to++] = ' ';
            t->ends[t->n - 1] = to;
        }
        if (run >= 2) continue;
        memmove(bytes + to, bytes + i, step);
        CHECK(note_token(t, to, to + step));
        to += step;
    }
    return CAIRN_OK;
}

/* Grams of letters within words: each word stands between two blanks, so that its beginning and its
 * end make grams of their own. */
static cairn_status cut_inside(cairn_tokeniser *t, cairn_token_sink sink, void *data)
{
    const char *bytes = t->folded.bytes;
    size_t n = t->folded.length, step = 0;
    CHECK(GROW(t->ctx, &t->joined, &t->joined_capacity, n + 2));
    for (size_t i = 0; i < n;) {
        size_t from = i, at = 1;
        t->n = 0;
        t->joined[0] = ' ';
        CHECK(note_token(t, 0, 1));
        for (; i < n; i += step) {
            int32_t letter = cairn_letter_decode(bytes + i, n - i, &step);
            if (cairn_letter_class(letter) & CAIRN_IS_SPACE) break;
            memcpy(t->joined + at, bytes + i, step);
            CHECK(note_token(t, at, at + step));
            at += step;
        }
        t->joined[at] = ' ';
        CHECK(note_token(t, at, at + 1));
        if (i > from) {
            /* The n-grams of " word "; one that is shorter than n counts once, as it is. */
            for (int g = t->rules.min_gram; g <= t->rules.max_gram; g++) {
                size_t last = (size_t)g < t->n ? (size_t)g - 1 : t->n - 1;
                for (size_t j = 0; last < t->n; j++, last++)
                    CHECK(sink(data, t->joined + t->begins[j], t->ends[last] - t->begins[j]));
                if ((size_t)g >= t->n) break;
            }
        }
        if (i < n) i += step;
    }
    return CAIRN_OK;
}

cairn_status cairn_tokenise(cairn_tokeniser *t, const char *text, size_t length,
                            cairn_token_sink sink, void *data)
{
    const cairn_token_rules *r = &t->rules;
    t->n = 0;
    t->joined_length = 0;
    CHECK(cairn_fold(t->ctx, &t->folded, &r->folding, text, length));
    if (r->unit == CAIRN_TOKENS_INSIDE) return cut_inside(t, sink, data);
    if (r->unit == CAIRN_TOKENS_CHARACTERS) {
        CHECK(cut_characters(t));
        return make_grams(t, t->folded.bytes, sink, data);
    }
    bool plain = !r->stop && !r->lemmas && !t->stemmer && r->max_gram == 1;
    if (plain) return cut_words(t, sink, data);
    CHECK(cut_words(t, keep_word, t));
    return make_grams(t, t->joined, sink, data);
}
