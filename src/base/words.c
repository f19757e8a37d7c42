/* SPDX-License-Identifier: MIT */
/* Letters and words of Unicode text, on top of utf8proc and Snowball.
 *
 * Lower case is letter for letter with the two exceptions of full case mapping: a capital I with a
 * dot becomes two letters, and a capital sigma at the end of a word becomes the final sigma. */
#include "base/words.h"
#include "base/memory.h"
#include <libstemmer.h>
#include <string.h>
#include <utf8proc.h>

enum { REPLACEMENT = 0xFFFD, CAPITAL_SIGMA = 0x3A3, SIGMA = 0x3C3, FINAL_SIGMA = 0x3C2 };
enum { CAPITAL_I_DOT = 0x130, DOT_ABOVE = 0x307 };

int32_t cairn_letter_decode(const char *text, size_t left, size_t *length)
{
    utf8proc_int32_t letter;
    utf8proc_ssize_t n =
        utf8proc_iterate((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)left, &letter);
    *length = n > 0 ? (size_t)n : 1;
    return n > 0 ? letter : REPLACEMENT;
}

size_t cairn_letter_encode(int32_t letter, char out[4])
{
    return (size_t)utf8proc_encode_char(letter, (utf8proc_uint8_t *)out);
}

unsigned cairn_letter_class(int32_t letter)
{
    switch (utf8proc_category(letter)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LT: return CAIRN_IS_LETTER | CAIRN_IS_UPPER;
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO: return CAIRN_IS_LETTER;
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO: return CAIRN_IS_DIGIT;
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP: return CAIRN_IS_SPACE;
    default: break;
    }
    bool control = (letter >= 9 && letter <= 13) || (letter >= 28 && letter <= 31);
    return control || letter == 0x85 ? CAIRN_IS_SPACE : 0;
}

int32_t cairn_letter_lower(int32_t letter)
{
    return utf8proc_tolower(letter);
}

int32_t cairn_letter_upper(int32_t letter)
{
    return utf8proc_toupper(letter);
}

/* -- folding -- */

void cairn_folded_clear(cairn_folded *folded)
{
    FREE_EACH(folded->bytes, folded->letters);
    *folded = (cairn_folded){0};
}

static bool is_ascii(const char *text, size_t length)
{
    unsigned char seen = 0;
    for (size_t i = 0; i < length; i++) seen |= (unsigned char)text[i];
    return seen < 128;
}

/* Stands between the letters of a word without ending it. */
static bool is_ignorable(int32_t letter)
{
    switch (utf8proc_category(letter)) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_SK: return true;
    default: break;
    }
    return letter == '\'' || letter == '.' || letter == ':' || letter == 0xB7 || letter == 0x2018 ||
           letter == 0x2019 || letter == 0x2024 || letter == 0x2027;
}

static bool is_cased(int32_t letter)
{
    utf8proc_category_t c = utf8proc_category(letter);
    return c == UTF8PROC_CATEGORY_LU || c == UTF8PROC_CATEGORY_LL || c == UTF8PROC_CATEGORY_LT;
}

/* Whether the sigma at `at` ends a word: a cased letter before it and none after it. */
static bool ends_word(const int32_t *letters, size_t n, size_t at)
{
    size_t before = at, after = at + 1;
    while (before > 0 && is_ignorable(letters[before - 1])) before--;
    if (before == 0 || !is_cased(letters[before - 1])) return false;
    while (after < n && is_ignorable(letters[after])) after++;
    return after == n || !is_cased(letters[after]);
}

/* The letters of UTF-8 text, the first `buffer` of them; gives how many there are. */
static size_t decode_all(int32_t *out, const char *text, size_t length)
{
    size_t n = 0, step;
    for (size_t i = 0; i < length; i += step)
        out[n++] = cairn_letter_decode(text + i, length - i, &step);
    return n;
}

static int mark_class(int32_t letter)
{
    return utf8proc_get_property(letter)->combining_class;
}

/* The marks of one letter in the order of their classes, equal ones as they were: sorted by
 * counting, so that no text takes long. `spare` has room for n. */
static void order_marks(int32_t *letters, size_t n, int32_t *spare)
{
    for (size_t begin = 0, end; begin < n; begin = end + 1) {
        if (mark_class(letters[begin]) == 0) {
            end = begin;
            continue;
        }
        size_t counts[256] = {0}, sum = 0;
        bool sorted = true;
        for (end = begin; end < n && mark_class(letters[end]) > 0; end++) {
            counts[mark_class(letters[end])]++;
            sorted &= end == begin || mark_class(letters[end - 1]) <= mark_class(letters[end]);
        }
        if (sorted) continue;
        for (size_t c = 0; c < 256; c++) {
            size_t here = counts[c];
            counts[c] = sum;
            sum += here;
        }
        memcpy(spare, letters + begin, sum * sizeof *spare);
        for (size_t i = 0; i < sum; i++) letters[begin + counts[mark_class(spare[i])]++] = spare[i];
    }
}

/* Decompose n letters of folded->letters in place; there may be more of them afterwards. */
static cairn_status decompose(cairn_context *ctx, cairn_folded *f, size_t *n, bool compatible)
{
    utf8proc_option_t options = (utf8proc_option_t)(UTF8PROC_STABLE | UTF8PROC_DECOMPOSE |
                                                    (compatible ? UTF8PROC_COMPAT : 0));
    size_t made = 0, buffer = *n;
    for (size_t i = 0; i < *n; i++) {
        int boundary = 0;
        utf8proc_ssize_t count =
            utf8proc_decompose_char(f->letters[i], NULL, 0, options, &boundary);
        made += count > 0 ? (size_t)count : 1;
    }
    CHECK(GROW(ctx, &f->letters, &f->letters_capacity, 2 * made)); /* made >= room */
    int32_t *to = f->letters + buffer;
    size_t at = 0;
    for (size_t i = 0; i < buffer; i++) {
        int boundary = 0;
        utf8proc_ssize_t count = utf8proc_decompose_char(
            f->letters[i], to + at, (utf8proc_ssize_t)(made - at), options, &boundary);
        if (count <= 0) to[at] = f->letters[i];
        at += count > 0 ? (size_t)count : 1;
    }
    memmove(f->letters, to, made * sizeof *to);
    *n = made;
    order_marks(f->letters, made, f->letters + made);
    return CAIRN_OK;
}

/* Two letters have no letter of their own below: the dotted capital I becomes two, and sigma
 * depends on whether it ends a word. */
static cairn_status lower_all(cairn_context *ctx, cairn_folded *f, size_t *n)
{
    size_t dotted = 0, count = *n;
    for (size_t i = 0; i < count; i++) dotted += f->letters[i] == CAPITAL_I_DOT;
    CHECK(GROW(ctx, &f->letters, &f->letters_capacity, 2 * count + dotted + 1));
    int32_t *to = f->letters + count; /* the sigma looks at its neighbours as they were */
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        int32_t letter = f->letters[i];
        if (letter == CAPITAL_SIGMA)
            to[made++] = ends_word(f->letters, count, i) ? FINAL_SIGMA : SIGMA;
        else if (letter == CAPITAL_I_DOT)
            to[made++] = 'i', to[made++] = DOT_ABOVE;
        else
            to[made++] = utf8proc_tolower(letter);
    }
    memmove(f->letters, to, made * sizeof *to);
    *n = made;
    return CAIRN_OK;
}

static cairn_status strip_marks(cairn_context *ctx, cairn_folded *f, size_t *n)
{
    cairn_status status = decompose(ctx, f, n, true);
    size_t kept = 0;
    for (size_t i = 0; !status && i < *n; i++)
        if (utf8proc_get_property(f->letters[i])->combining_class == 0)
            f->letters[kept++] = f->letters[i];
    if (!status) *n = kept;
    return status;
}

/* The order is fixed: normal form, lower case, marks; each step only where it is asked for. */
static cairn_status fold_letters(cairn_context *ctx, cairn_folded *out, const cairn_folding *how,
                                 const char *text, size_t length)
{
    CHECK(GROW(ctx, &out->letters, &out->letters_capacity, length + 1));
    size_t n = decode_all(out->letters, text, length);
    if (how->form != CAIRN_FORM_NONE) {
        CHECK(decompose(ctx, out, &n, how->form == CAIRN_FORM_COMPATIBLE));
        /* One code point where there is one for several; the letters are decomposed and in
         * order. */
        utf8proc_ssize_t count =
            utf8proc_normalize_utf32(out->letters, (utf8proc_ssize_t) * &n,
                                     (utf8proc_option_t)(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
        if (count >= 0) n = (size_t)count;
    }
    if (how->lower) CHECK(lower_all(ctx, out, &n));
    if (how->strip_accents) CHECK(strip_marks(ctx, out, &n));
    CHECK(GROW(ctx, &out->bytes, &out->capacity, 4 * n + 1));
    out->length = 0;
    for (size_t i = 0; i < n; i++)
        out->length += cairn_letter_encode(out->letters[i], out->bytes + out->length);
    return CAIRN_OK;
}

cairn_status cairn_fold(cairn_context *ctx, cairn_folded *out, const cairn_folding *folding,
                        const char *text, size_t length)
{
    if (!is_ascii(text, length)) return fold_letters(ctx, out, folding, text, length);
    CHECK(GROW(ctx, &out->bytes, &out->capacity, length + 1));
    out->length = length;
    if (!folding->lower)
        memcpy(out->bytes, text, length);
    else
        for (size_t i = 0; i < length; i++) {
            unsigned char c = (unsigned char)text[i];
            out->bytes[i] = (char)(c + ((unsigned)(c - 'A') < 26U) * 32U);
        }
    return CAIRN_OK;
}

/* -- stems -- */

struct cairn_stemmer {
    struct sb_stemmer *snowball;
};

cairn_status cairn_stemmer_new(cairn_context *ctx, cairn_stemmer **out, const char *language)
{
    cairn_stemmer *stemmer = NULL;
    CHECK(NEW(ctx, &stemmer, 1));
    stemmer->snowball = sb_stemmer_new(language, "UTF_8");
    if (!stemmer->snowball) {
        cairn_free(stemmer);
        return cairn_fail(ctx, CAIRN_USAGE, "there are no stems for the language '%s'", language);
    }
    *out = stemmer;
    return CAIRN_OK;
}

const char *cairn_stem(cairn_stemmer *stemmer, const char *word, size_t *length)
{
    enum { LONGEST = 1 << 16 }; /* no word, and more than some of the algorithms bear */
    if (*length > LONGEST) return word;
    const sb_symbol *stem =
        sb_stemmer_stem(stemmer->snowball, (const sb_symbol *)word, (int)*length);
    if (!stem) return word;
    *length = (size_t)sb_stemmer_length(stemmer->snowball);
    return (const char *)stem;
}

void cairn_stemmer_free(cairn_stemmer *stemmer)
{
    if (!stemmer) return;
    sb_stemmer_delete(stemmer->snowball);
    cairn_free(stemmer);
}

/* Blanks of all kinds, hyphens and underscores. */
static bool is_gap(int32_t letter)
{
    utf8proc_category_t category = utf8proc_category(letter);
    return category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_PD || letter == '_' ||
           letter == '\t';
}

cairn_status cairn_spelling_key(cairn_context *ctx, cairn_folded *out, const char *text,
                                size_t length)
{
    const cairn_folding folding = {CAIRN_FORM_COMPATIBLE, true, true};
    size_t kept = 0, bytes;
    CHECK(cairn_fold(ctx, out, &folding, text, length));
    for (size_t i = 0; i < out->length; i += bytes) {
        if (is_gap(cairn_letter_decode(out->bytes + i, out->length - i, &bytes))) continue;
        memmove(out->bytes + kept, out->bytes + i, bytes);
        kept += bytes;
    }
    if (kept) out->length = kept; /* what is all gaps stays */
    return CAIRN_OK;
}
