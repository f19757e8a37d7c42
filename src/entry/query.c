/* SPDX-License-Identifier: MIT */
/* The plain form of words, and entries held against it. */
#include "entry/query.h"
#include "entry/rows.h"

#include <string.h>

/* -- plain words -- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (unsigned char)c >= 128;
}

static char small_letter(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

static bool ends(const char *word, size_t n, const char *ending)
{
    size_t length = strlen(ending);
    return n > length && word[n - 1] == ending[length - 1] &&
           memcmp(word + n - length, ending, length) == 0;
}

/* Exchange the ending; the new one is not longer. */
static size_t change_end(char *word, size_t n, const char *ending, const char *other)
{
    if (!ends(word, n, ending)) return n;
    n -= strlen(ending);
    memcpy(word + n, other, strlen(other));
    return n + strlen(other);
}

/* trees: tree, entropies: entropy, boxes: box; class and analysis stay. */
static size_t make_singular(char *word, size_t n)
{
    if (n < 4 || word[n - 1] != 's') return n; /* most words, and this is asked of very many */
    if (ends(word, n, "ss") || ends(word, n, "is") || ends(word, n, "us")) return n;
    if (ends(word, n, "ies")) return change_end(word, n, "ies", "y");
    if (ends(word, n, "sses") || ends(word, n, "xes")) return n - 2;
    return change_end(word, n, "s", "");
}

/* British endings become American ones; what is changed wrongly is changed on both sides. */
static size_t make_american(char *word, size_t n)
{
    static const struct {
        const char *british, *american;
        char before; /* the letter before the last one, which most words have not */
    } endings[] = {
        {"isation", "ization", 'o'}, {"ise", "ize", 's'},     {"ised", "ized", 'e'},
        {"ising", "izing", 'n'},     {"iser", "izer", 'e'},   {"yse", "yze", 's'},
        {"ysed", "yzed", 'e'},       {"ysing", "yzing", 'n'}, {"tre", "ter", 'r'},
        {"tred", "ter", 'e'},        {"tring", "ter", 'n'},   {"ogue", "og", 'u'},
        {"lling", "ling", 'n'},      {"lled", "led", 'e'},
    };
    if (n < 2 || !memchr("degnr", word[n - 1], 5)) return n;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (word[n - 2] == endings[i].before && ends(word, n, endings[i].british))
            return change_end(word, n, endings[i].british, endings[i].american);
    return n;
}

static size_t make_plain(char *word, size_t n)
{
    n = make_american(word, make_singular(word, n));
    for (size_t i = 1; n > 4 && i + 2 < n; i++)
        if (memcmp(word + i, "our", 3) == 0) {
            /* The letter at `at` goes. */
            size_t at = i + 1;
            memmove(word + at, word + at + 1, n - at - 1);
            return n - 1;
        }
    return n;
}

/* The next word before `end` in plain form; false behind the last. */
static bool next_word(const char **at, const char *end, char out[CAIRN_WORD_SIZE])
{
    size_t n = 0;
    while (*at < end && !is_letter(**at)) ++*at;
    if (*at == end) return false;
    for (; *at < end && is_letter(**at); ++*at) {
        if (n < CAIRN_WORD_SIZE - 1) out[n++] = small_letter(**at);
    }
    out[make_plain(out, n)] = 0;
    return true;
}

/* -- queries -- */

enum { LONGEST_SMALL = 4 };

static bool is_small_word(const char *word)
{
    static const char *const words[] = {"a",  "an",  "the", "of",  "is", "to",   "in",
                                        "do", "how", "and", "for", "by", "what", "with"};
    if (strnlen(word, LONGEST_SMALL + 1) > LONGEST_SMALL) return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], word) == 0) return true;
    return false;
}

static void add_word(cairn_query *out, const char *word)
{
    size_t length = strlen(out->joined), n = strlen(word);
    memcpy(out->words[out->n_words++], word, n + 1);
    memcpy(out->joined + length, word, n + 1);
}

/* Small words count where there are no others. */
void cairn_query_read(cairn_query *out, const char *text)
{
    const char *end = text + strlen(text);
    char word[CAIRN_WORD_SIZE];
    for (int small = 0; small < 2; small++) {
        const char *at = text;
        *out = (cairn_query){0};
        while (out->n_words < CAIRN_QUERY_WORDS && next_word(&at, end, word))
            if (small || !is_small_word(word)) add_word(out, word);
        if (out->n_words) return;
    }
}

static bool is_capital(char c)
{
    return c >= 'A' && c <= 'Z';
}

bool cairn_query_part(char *out, size_t size, const char *text)
{
    size_t n = 0, parts = 0;
    for (size_t i = 0; text[i]; i++) {
        bool before = i && is_letter(text[i - 1]), after = text[i + 1] && is_letter(text[i + 1]);
        bool ends_small = before && !is_capital(text[i - 1]);
        bool begins_small = before && after && !is_capital(text[i + 1]);
        if (n + 3 > size) return false;
        if (is_capital(text[i]) && (ends_small || begins_small)) out[n++] = ' ', parts++;
        out[n++] = text[i];
    }
    out[n] = 0;
    return parts > 0;
}

/* In plain form. */
static bool is_filler(const char *word)
{
    static const char *const words[] = {
        "method",   "algorithm", "problem", "technique",  "approach",   "procedure", "model",
        "function", "theorem",   "example", "data",       "dataset",    "set",       "learning",
        "learner",  "rule",      "i",       "my",         "get",        "make",      "use",
        "using",    "from",      "on",      "it",         "does",       "can",       "analysi",
        "i",        "number",    "measure", "definition", "test",       "as",        "an",
        "or",       "between",   "at",      "into",       "classifier", "regressor", "eval",
        "display"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], word) == 0) return true;
    return false;
}

bool cairn_query_shorten(cairn_query *query)
{
    cairn_query left = {0};
    for (size_t i = 0; i < query->n_words; i++)
        if (!is_filler(query->words[i])) add_word(&left, query->words[i]);
    if (left.n_words == 0 || left.n_words == query->n_words) return false;
    *query = left;
    return true;
}

cairn_query cairn_query_run(const cairn_query *query, size_t first, size_t n)
{
    cairn_query run = {0};
    for (size_t i = 0; i < n; i++) add_word(&run, query->words[first + i]);
    return run;
}

cairn_query cairn_query_word(const cairn_query *query, size_t i)
{
    return cairn_query_run(query, i, 1);
}

/* Whether the next word is not the one that `left` goes on with, by its first letter, which no
 * plain form changes: most are not. A small word of many is left out, so it says nothing. */
static bool goes_otherwise(const cairn_query *query, const char *left, const char *at,
                           const char *end)
{
    size_t n = 0;
    while (at < end && !is_letter(*at)) at++;
    if (at == end || small_letter(*at) == *left) return false;
    while (n <= LONGEST_SMALL && at + n < end && is_letter(at[n])) n++;
    return query->n_words == 1 || n > LONGEST_SMALL;
}

/* Whether the letters are the same, without blanks. */
bool cairn_query_is(const cairn_query *query, const char *text, size_t length)
{
    const char *at = text, *left = query->joined;
    char word[CAIRN_WORD_SIZE];
    while (!goes_otherwise(query, left, at, text + length)) {
        if (!next_word(&at, text + length, word)) return !*left && *query->joined;
        size_t n = strlen(word);
        if (query->n_words > 1 && is_small_word(word)) continue;
        if (strncmp(left, word, n) != 0) return false;
        left += n;
    }
    return false;
}

/* The letters of a word, as bits. */
static uint32_t letters_of(const char *word)
{
    uint32_t letters = 0;
    for (; *word; word++) letters |= UINT32_C(1) << (*word & 31);
    return letters;
}

/* Whether a word can be spelt like another with so many slips: every letter that the other has not
 * is one. Most words differ in more, and edits take far longer to count. */
static bool may_be_near(const char *a, const char *b, int slips)
{
    uint32_t here = letters_of(a), there = letters_of(b);
    return __builtin_popcount(here & ~there) <= slips && __builtin_popcount(there & ~here) <= slips;
}

/* One word of the query and one of the text. */
static cairn_query_answer compare_words(const char *wanted, const char *word)
{
    size_t n = strlen(wanted), m = strlen(word);
    if (strcmp(wanted, word) == 0) return CAIRN_ANSWER_WORDS;
    if (n >= 3 && m > n && memcmp(word, wanted, n) == 0) return CAIRN_ANSWER_BEGUN;
    if (m >= 4 && n > m && n <= m + 4 && memcmp(word, wanted, m) == 0) return CAIRN_ANSWER_BEGUN;
    if (n < 5 || m < 4 || n > m + 2 || m > n + 2) return CAIRN_ANSWER_NONE;
    int slips = n < 8 ? 1 : 2;
    if (!may_be_near(wanted, word, slips)) return CAIRN_ANSWER_NONE;
    return cairn_word_edits(wanted, word) <= (size_t)slips ? CAIRN_ANSWER_NEAR : CAIRN_ANSWER_NONE;
}

cairn_query_answer cairn_query_match(const cairn_query *query, const char *text, size_t length)
{
    cairn_query_answer best[CAIRN_QUERY_WORDS], worst = CAIRN_ANSWER_WORDS;
    const char *at = text;
    char word[CAIRN_WORD_SIZE];
    if (!query->n_words) return CAIRN_ANSWER_NONE;
    if (cairn_query_is(query, text, length)) return CAIRN_ANSWER_WHOLE;
    for (size_t i = 0; i < query->n_words; i++) best[i] = CAIRN_ANSWER_NONE;
    while (next_word(&at, text + length, word))
        for (size_t i = 0; i < query->n_words; i++) {
            cairn_query_answer answer = compare_words(query->words[i], word);
            if (answer < best[i]) best[i] = answer;
        }
    for (size_t i = 0; i < query->n_words; i++)
        if (best[i] > worst) worst = best[i];
    return worst;
}

bool cairn_query_holds(const cairn_query *query, const char *text, size_t length, size_t *left)
{
    bool met[CAIRN_QUERY_WORDS] = {false}, says = false;
    const char *at = text;
    char word[CAIRN_WORD_SIZE];
    if (query->n_words < 2) return false;
    while (next_word(&at, text + length, word)) {
        size_t i = 0;
        if (is_small_word(word)) continue;
        while (i < query->n_words && strcmp(query->words[i], word) != 0) i++;
        if (i == query->n_words) return false;
        met[i] = true;
        says |= !is_filler(word);
    }
    *left = 0;
    for (size_t i = 0; i < query->n_words; i++) *left += !met[i];
    return says;
}

/* -- entries -- */

/* The i-th of a list with its settings cut off, or false. */
static bool item_of(const char *list, size_t i, cairn_entry_match *match)
{
    const char *at = list;
    for (; at && i; i--) {
        at = strchr(at, ',');
        if (at) at++;
    }
    if (!at) return false;
    while (*at == ' ') at++;
    size_t length = strcspn(at, ",");
    const char *open = memchr(at, '(', length);
    match->synonym = at;
    match->length = open ? (size_t)(open - at) - 1 : length;
    match->settings = open ? open + 1 : NULL;
    match->n_settings = open ? strcspn(open + 1, ")") : 0;
    return true;
}

bool cairn_entry_synonym(const cairn_entry *entry, size_t i, cairn_entry_match *match)
{
    return item_of(entry->also, i, match);
}

int cairn_match_score(cairn_found_by by, cairn_query_answer answer)
{
    static const int where[] = {0, 2, 4, 32, 40};
    static const int how[] = {0, 5, 8, 10, 24, 1000};
    return where[by] + how[answer];
}

int cairn_match_place(const cairn_entry_match *match)
{
    enum { WORD = 4 }; /* for each one that is left */
    int left = match->answer == CAIRN_ANSWER_WITHIN ? WORD * (int)match->left : 0;
    return cairn_match_score(match->by, match->answer) + left;
}

/* Take the new match where it is better. */
static void improve(cairn_entry_match *best, const cairn_entry_match *other)
{
    if (cairn_match_place(other) < cairn_match_place(best)) *best = *other;
}

/* What an entry is called, held against the query both ways. */
static void match_name(cairn_entry_match *best, const cairn_query *query, cairn_entry_match *found,
                       const char *text, size_t length)
{
    found->answer = cairn_query_match(query, text, length);
    improve(best, found);
    if (!cairn_query_holds(query, text, length, &found->left)) return;
    found->answer = CAIRN_ANSWER_WITHIN;
    improve(best, found);
}

static void match_text(cairn_entry_match *best, const cairn_query *query, cairn_found_by by,
                       const char *text)
{
    if (!text) return;
    cairn_entry_match found = {.by = by, .answer = cairn_query_match(query, text, strlen(text))};
    if (by == CAIRN_FOUND_SUMMARY && found.answer == CAIRN_ANSWER_NEAR) return;
    if (by == CAIRN_FOUND_SUMMARY && query->n_words == 1 && found.answer == CAIRN_ANSWER_BEGUN &&
        strlen(query->joined) < 5)
        return;
    improve(best, &found);
}

/* Several words may stand in several places: each is held against all that the entry says. */
static void match_scattered(cairn_entry_match *best, const cairn_entry *entry,
                            const cairn_query *query)
{
    cairn_entry_match found = {.by = CAIRN_FOUND_SUMMARY, .answer = CAIRN_ANSWER_WORDS};
    const char *texts[] = {entry->name, entry->also, entry->about, entry->title, entry->summary};
    for (size_t i = 0; i < query->n_words; i++) {
        cairn_query one = cairn_query_word(query, i);
        cairn_query_answer answer = CAIRN_ANSWER_NONE;
        for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
            if (!texts[t]) continue;
            cairn_query_answer here = cairn_query_match(&one, texts[t], strlen(texts[t]));
            if (here < answer) answer = here;
        }
        if (answer > found.answer) found.answer = answer;
    }
    if (found.answer < CAIRN_ANSWER_NEAR) improve(best, &found);
}

cairn_entry_match cairn_entry_called(const cairn_entry *entry, const cairn_query *query)
{
    cairn_entry_match best = {.answer = CAIRN_ANSWER_NONE};
    cairn_entry_match found = {.by = CAIRN_FOUND_NAME};
    match_name(&best, query, &found, entry->name, strlen(entry->name));
    found = (cairn_entry_match){.by = CAIRN_FOUND_SYNONYM};
    for (size_t i = 0; cairn_entry_synonym(entry, i, &found); i++)
        match_name(&best, query, &found, found.synonym, found.length);
    for (size_t i = 0; item_of(entry->about, i, &found); i++)
        match_name(&best, query, &found, found.synonym, found.length);
    match_text(&best, query, CAIRN_FOUND_TITLE, entry->title);
    return best;
}

bool cairn_entry_is_called(const cairn_entry *entry, const cairn_query *query,
                           cairn_entry_match *match)
{
    *match = (cairn_entry_match){.by = CAIRN_FOUND_NAME, .answer = CAIRN_ANSWER_WHOLE};
    if (cairn_query_is(query, entry->name, strlen(entry->name))) return true;
    match->by = CAIRN_FOUND_SYNONYM;
    for (size_t i = 0; cairn_entry_synonym(entry, i, match); i++)
        if (cairn_query_is(query, match->synonym, match->length)) return true;
    *match = (cairn_entry_match){.by = CAIRN_FOUND_TITLE, .answer = CAIRN_ANSWER_WHOLE};
    return entry->title && cairn_query_is(query, entry->title, strlen(entry->title));
}

cairn_entry_match cairn_entry_matches(const cairn_entry *entry, const cairn_query *query)
{
    cairn_entry_match best = cairn_entry_called(entry, query);
    /* Options and choices count under their whole names only. */
    cairn_entry_match found = {.by = CAIRN_FOUND_OPTION, .answer = CAIRN_ANSWER_WHOLE};
    cairn_row_walk walk = cairn_rows_of(entry);
    while ((found.row = cairn_next_row(&walk, NULL))) {
        found.choice = NULL;
        if (cairn_query_is(query, found.row->name, strlen(found.row->name))) improve(&best, &found);
        for (const cairn_choice *c = found.row->choices; c && c->name; c++) {
            found.choice = c->name;
            if (cairn_query_is(query, c->name, strlen(c->name))) improve(&best, &found);
        }
    }
    match_text(&best, query, CAIRN_FOUND_SUMMARY, entry->summary);
    if (query->n_words > 1) match_scattered(&best, entry, query);
    return best;
}

void cairn_match_type(cairn_text *out, const cairn_entry *entry, const cairn_entry_match *match)
{
    cairn_text_add(out, entry->name);
    if (match->settings) cairn_text_addf(out, ":%.*s", (int)match->n_settings, match->settings);
}
