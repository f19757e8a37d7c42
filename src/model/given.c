/* SPDX-License-Identifier: MIT */
/* Words and conditions of models that were written by hand. */
#include "model/given.h"

#include "base/json.h"
#include "base/memory.h"
#include "base/number.h"
#include "data/time.h"

#include <string.h>

/* -- messages -- */

cairn_status cairn_given_fail(cairn_context *ctx, const cairn_given *given, size_t at,
                              const char *format, ...)
{
    size_t line = 1, begin = 0, end;
    va_list arguments;
    for (size_t i = 0; i < at && i < given->length; i++) {
        if (given->text[i] != '\n') continue;
        line++;
        begin = i + 1;
    }
    for (end = begin; end < given->length && given->text[end] != '\n'; end++) continue;
    va_start(arguments, format);
    cairn_status status = cairn_fail_placev(ctx, CAIRN_BAD_DATA, given->text + begin, end - begin,
                                            at - begin, format, arguments);
    va_end(arguments);
    if (status == CAIRN_BAD_DATA)
        cairn_message_prefix(ctx, "%s, line %zu, column %zu", given->name, line, at - begin + 1);
    return status;
}

const char *cairn_word_show(const cairn_word *word, char out[80])
{
    if (word->kind == CAIRN_WORD_END) return "the end of the file";
    if (word->kind == CAIRN_WORD_LINE) return "the end of the line";
    size_t length = strlen(word->text), kept = length < 60 ? length : 60;
    while (kept < length && ((unsigned char)word->text[kept] & 0xC0) == 0x80) kept--;
    out[0] = '\'';
    memcpy(out + 1, word->text, kept);
    strncpy(out + 1 + kept, kept < length ? "...'" : "'", 6);
    return out;
}

/* -- words -- */

typedef struct scanner {
    cairn_context *ctx;
    const cairn_given *given;
    size_t at, indent;
    bool line_begins;
    cairn_word *words;
    size_t n, capacity; /* the list is scratch: it grows by doubling */
} scanner;

/* Of the ASCII letters only, whatever the locale says. */
static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static char small(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static const char single_signs[] = "=<>:;,&()[]{}";

static cairn_status add_word(scanner *s, cairn_word word)
{
    if (s->n == s->capacity) {
        cairn_word *larger;
        CHECK(SCRATCH(s->ctx, &larger, 2 * s->capacity + 16));
        if (s->n) memcpy(larger, s->words, s->n * sizeof *larger);
        s->words = larger;
        s->capacity = 2 * s->capacity + 16;
    }
    word.starts_line = s->line_begins && word.kind != CAIRN_WORD_END;
    word.indent = s->indent;
    s->line_begins = word.kind == CAIRN_WORD_LINE;
    s->words[s->n++] = word;
    return CAIRN_OK;
}

static cairn_status add_text(scanner *s, cairn_word_kind kind, size_t at, const char *bytes,
                             size_t length, bool quoted)
{
    char *text;
    CHECK(SCRATCH(s->ctx, &text, length + 1));
    memcpy(text, bytes, length);
    return add_word(s, (cairn_word){.kind = kind, .quoted = quoted, .at = at, .text = text});
}

/* A doubled quote stands for one; a quote must end on its line, so that a forgotten one is found
 * where it is. */
static cairn_status scan_quoted(scanner *s)
{
    const char *text = s->given->text;
    size_t begin = s->at, n = 0;
    char quote = text[s->at++], *copy;
    for (;; s->at++) {
        if (s->at >= s->given->length || text[s->at] == '\n')
            return cairn_given_fail(s->ctx, s->given, begin, "the quote has no end on this line");
        if (text[s->at] == quote && text[s->at + 1] != quote) break;
        if (text[s->at] == quote) s->at++;
    }
    CHECK(SCRATCH(s->ctx, &copy, s->at - begin));
    for (size_t i = begin + 1; i < s->at; i++) {
        if (text[i] == quote) i++;
        copy[n++] = text[i];
    }
    s->at++;
    return add_word(
        s, (cairn_word){.kind = CAIRN_WORD_NAME, .quoted = true, .at = begin, .text = copy});
}

/* Signs of two letters first; ≤ ≥ ≠ are the same as <= >= !=. */
static cairn_status scan_sign(scanner *s, bool *found)
{
    static const struct {
        const char *written, *sign;
    } pairs[] = {{"<=", "<="}, {">=", ">="}, {"!=", "!="}, {"<>", "!="}, {"==", "="},
                 {"≤", "<="},  {"≥", ">="},  {"≠", "!="},  {"&&", "&"},  {"->", "->"}};
    const char *at = s->given->text + s->at;
    *found = true;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (!cairn_starts_with(at, pairs[i].written)) continue;
        size_t place = s->at;
        s->at += strlen(pairs[i].written);
        return add_text(s, CAIRN_WORD_SIGN, place, pairs[i].sign, strlen(pairs[i].sign), false);
    }
    *found = *at && strchr(single_signs, *at);
    if (!*found) return CAIRN_OK;
    return add_text(s, CAIRN_WORD_SIGN, s->at++, at, 1, false);
}

static bool ends_name(const char *at)
{
    return is_blank(*at) || *at == 0 || *at == '#' || strchr(single_signs, *at) ||
           cairn_starts_with(at, "!=") || cairn_starts_with(at, "≤") ||
           cairn_starts_with(at, "≥") || cairn_starts_with(at, "≠") || cairn_starts_with(at, "->");
}

static cairn_status scan_name(scanner *s)
{
    const char *text = s->given->text;
    size_t begin = s->at++;
    while (s->at < s->given->length && !ends_name(text + s->at)) s->at++;
    return add_text(s, CAIRN_WORD_NAME, begin, text + begin, s->at - begin, false);
}

static cairn_status end_line(scanner *s)
{
    if (!s->line_begins) CHECK(add_word(s, (cairn_word){.kind = CAIRN_WORD_LINE, .at = s->at}));
    s->line_begins = true;
    s->indent = 0;
    return CAIRN_OK;
}

/* Indentation counts only at the beginning of a line, a tab to the next multiple of 8; a comment
 * goes to the end of the line. */
static cairn_status scan_word(scanner *s)
{
    const char *text = s->given->text;
    bool sign = false;
    char c = text[s->at];
    if (c == '\n') {
        CHECK(end_line(s));
        s->at++;
    } else if (is_blank(c) || c == 0) {
        if (s->line_begins) s->indent = c == '\t' ? s->indent / 8 * 8 + 8 : s->indent + 1;
        s->at++;
    } else if (c == '#') {
        while (s->at < s->given->length && text[s->at] != '\n') s->at++;
    } else if (c == '"' || c == '\'' || c == '`') {
        CHECK(scan_quoted(s));
    } else {
        CHECK(scan_sign(s, &sign));
        if (!sign) CHECK(scan_name(s));
    }
    return CAIRN_OK;
}

/* -- the same as JSON -- */

static void skip_blanks(scanner *s)
{
    while (s->at < s->given->length && is_blank(s->given->text[s->at])) s->at++;
}

/* The string at s->at without its quotes and escapes; scratch. */
static cairn_status json_string(scanner *s, char **out, size_t *length)
{
    OWNED(cairn_json_free) cairn_json *string = NULL;
    const char *text = s->given->text;
    size_t line = 1, begin = 0, used = 0;
    if (text[s->at] != '"')
        return cairn_given_fail(s->ctx, s->given, s->at,
                                "a \" is expected here: conditions and classes are strings in "
                                "JSON");
    for (size_t i = 0; i < s->at; i++)
        if (text[i] == '\n') line++, begin = i + 1;
    CHECK(cairn_json_parse_one(s->ctx, &string, s->given->name, text + s->at,
                               s->given->length - s->at, line, s->at - begin, &used));
    const char *word = cairn_json_string(string);
    *length = strlen(word);
    CHECK(SCRATCH(s->ctx, out, *length + 1));
    memcpy(*out, word, *length);
    s->at += used;
    return CAIRN_OK;
}

/* A key is a condition: its words begin a line. */
static cairn_status json_key(scanner *s, size_t depth)
{
    char *text = NULL;
    cairn_word *words;
    size_t begin = s->at + 1;
    cairn_given inside = {.name = s->given->name};
    CHECK(json_string(s, &text, &inside.length));
    inside.text = text;
    scanner inner = {.ctx = s->ctx, .given = &inside, .line_begins = true};
    while (inner.at < inside.length) CHECK(scan_word(&inner));
    words = inner.words;
    s->indent = 4 * depth;
    for (size_t i = 0; i < inner.n; i++) {
        if (words[i].kind == CAIRN_WORD_LINE) continue;
        words[i].at += begin;
        CHECK(add_word(s, words[i]));
    }
    skip_blanks(s);
    if (s->given->text[s->at] != ':')
        return cairn_given_fail(s->ctx, s->given, s->at,
                                "a : is expected between a condition and "
                                "what follows from it");
    return add_text(s, CAIRN_WORD_SIGN, s->at++, ":", 1, false);
}

/* An answer: a string, a number, or one of the words that trees know. */
static cairn_status json_answer(scanner *s)
{
    static const char *const bare[] = {"?", "...", "reject"};
    const char *text = s->given->text;
    size_t begin = s->at, length;
    char *word = NULL;
    if (text[begin] == '"') {
        bool quoted = true;
        CHECK(json_string(s, &word, &length));
        for (size_t i = 0; word && i < sizeof bare / sizeof *bare; i++)
            quoted &= strcmp(word, bare[i]) != 0;
        return add_word(
            s, (cairn_word){.kind = CAIRN_WORD_NAME, .quoted = quoted, .at = begin, .text = word});
    }
    while (s->at < s->given->length && !is_blank(text[s->at]) && !strchr(",}", text[s->at]))
        s->at++;
    if (s->at == begin)
        return cairn_given_fail(s->ctx, s->given, begin, "an answer or a { is expected here");
    return add_text(s, CAIRN_WORD_NAME, begin, text + begin, s->at - begin, false);
}

/* {"outlook = sunny": {"humidity = high": "no", ...}, ...}: objects are lines of one depth. */
static cairn_status scan_json(scanner *s)
{
    const char *text = s->given->text;
    size_t depth = 1;
    bool more = true; /* a condition may come */
    for (s->at++;;) {
        skip_blanks(s);
        char c = s->at < s->given->length ? text[s->at] : 0;
        if (c == '}' && depth > 0) {
            depth--, s->at++, more = false;
        } else if (c == ',' && !more && depth > 0) {
            s->at++, more = true;
        } else if (depth == 0) {
            break;
        } else if (!more || c == 0) {
            return cairn_given_fail(s->ctx, s->given, s->at, "a , or a } is expected here");
        } else {
            CHECK(json_key(s, depth - 1));
            skip_blanks(s);
            more = text[s->at] == '{';
            if (more)
                depth++, s->at++;
            else
                CHECK(json_answer(s));
            CHECK(end_line(s));
        }
    }
    if (s->at < s->given->length)
        return cairn_given_fail(s->ctx, s->given, s->at, "the tree has ended before this");
    return CAIRN_OK;
}

cairn_status cairn_given_words(cairn_context *ctx, const cairn_given *given, cairn_word **out)
{
    scanner s = {.ctx = ctx, .given = given, .line_begins = true};
    size_t valid = cairn_utf8_check(given->text, given->length);
    if (valid < given->length)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%s, byte %zu: the text is not UTF-8", given->name,
                          valid + 1);
    skip_blanks(&s);
    if (given->text[s.at] == '{')
        CHECK(scan_json(&s));
    else
        s.at = 0;
    while (s.at < given->length) CHECK(scan_word(&s));
    CHECK(end_line(&s));
    CHECK(add_word(&s, (cairn_word){.kind = CAIRN_WORD_END, .at = given->length}));
    *out = s.words;
    return CAIRN_OK;
}

cairn_status cairn_given_answers(cairn_context *ctx, const cairn_given *given, cairn_map *out)
{
    cairn_word *words;
    size_t index;
    CHECK(cairn_given_words(ctx, given, &words));
    for (const cairn_word *w = words; w->kind != CAIRN_WORD_END; w++) {
        const cairn_word *last = w + 1;
        bool ends = w->kind == CAIRN_WORD_NAME &&
                    (last->kind == CAIRN_WORD_LINE || last->kind == CAIRN_WORD_END);
        bool follows = w > words && (cairn_word_is(w - 1, ":") || cairn_word_is(w - 1, "then") ||
                                     cairn_word_is(w - 1, "else"));
        bool open = cairn_word_is(w, "?") || cairn_word_is(w, "...") || cairn_word_is(w, "…") ||
                    cairn_word_is(w, "reject") || (!w->quoted && w->text && w->text[0] == '@');
        if (ends && follows && !open)
            CHECK(cairn_map_add(ctx, out, w->text, strlen(w->text), &index));
    }
    return CAIRN_OK;
}

bool cairn_word_is(const cairn_word *word, const char *text)
{
    if (word->quoted || !word->text) return false;
    const char *a = word->text;
    while (*a && small(*a) == small(*text)) a++, text++;
    return *a == *text;
}

/* -- conditions -- */

static const char *feature_name(size_t i, const void *data)
{
    const cairn_schema *schema = data;
    for (size_t f = 0; f < schema->n_fields; f++)
        if (schema->fields[f].role == CAIRN_FEATURE && i-- == 0) return schema->fields[f].name;
    return NULL;
}

static const char *level_name(size_t i, const void *data)
{
    const cairn_map *names = data;
    return i < names->n ? cairn_map_key(names, i) : NULL;
}

/* Counts features only, since that is how models number their columns; the target is refused
 * with a word of its own. */
static cairn_status find_column(cairn_context *ctx, const cairn_given *given,
                                const cairn_word *word, const cairn_schema *schema,
                                cairn_condition *out)
{
    char shown[80];
    if (word->kind != CAIRN_WORD_NAME)
        return cairn_given_fail(ctx, given, word->at, "a column is expected here, not %s",
                                cairn_word_show(word, shown));
    out->column = 0;
    for (size_t f = 0; f < schema->n_fields; f++) {
        if (schema->fields[f].role != CAIRN_FEATURE) continue;
        out->field = &schema->fields[f];
        if (strcmp(out->field->name, word->text) == 0) return CAIRN_OK;
        out->column++;
    }
    ptrdiff_t target = cairn_schema_role(schema, CAIRN_TARGET);
    if (target >= 0 && strcmp(schema->fields[target].name, word->text) == 0)
        return cairn_given_fail(ctx, given, word->at,
                                "%s is the target, which is answered; only features are asked",
                                cairn_word_show(word, shown));
    const char *near = cairn_nearest_word(word->text, feature_name, schema);
    return cairn_given_fail(ctx, given, word->at, "there is no feature %s%s%s%s",
                            cairn_word_show(word, shown), near ? "; did you mean '" : "",
                            near ? near : "", near ? "'?" : "");
}

/* The values that there are, unless they are many. */
static cairn_status no_such_level(cairn_context *ctx, const cairn_given *given,
                                  const cairn_word *word, const cairn_field *field)
{
    enum { MOST_LISTED = 8 };
    char shown[80];
    SCOPED(cairn_text_clear) cairn_text list = cairn_text_start(ctx);
    for (size_t i = 0; field->names.n <= MOST_LISTED && i < field->names.n; i++) {
        cairn_text_add(&list, i ? ", " : "; it has ");
        cairn_text_add(&list, cairn_map_key(&field->names, i));
    }
    CHECK(cairn_text_status(&list));
    return cairn_given_fail(ctx, given, word->at,
                            "'%s' has no value %s%s; {kinds} can declare values that no row has",
                            field->name, cairn_word_show(word, shown), cairn_text_string(&list));
}

static cairn_status find_level(cairn_context *ctx, const cairn_given *given, const cairn_word *word,
                               const cairn_field *field, int32_t *out)
{
    char shown[80];
    int64_t code;
    if (word->kind != CAIRN_WORD_NAME)
        return cairn_given_fail(ctx, given, word->at, "a value of '%s' is expected here, not %s",
                                field->name, cairn_word_show(word, shown));
    code = cairn_map_find(&field->names, word->text, strlen(word->text));
    *out = (int32_t)code;
    if (code >= 0) return CAIRN_OK;
    const char *near = cairn_nearest_word(word->text, level_name, &field->names);
    if (near)
        return cairn_given_fail(ctx, given, word->at, "'%s' has no value %s; did you mean '%s'?",
                                field->name, cairn_word_show(word, shown), near);
    return no_such_level(ctx, given, word, field);
}

/* One level, or several in [ ] or { } with commas between them. */
static cairn_status read_levels(cairn_context *ctx, const cairn_given *given,
                                const cairn_word **words, cairn_condition *out)
{
    const cairn_word *at = *words;
    size_t most = 1;
    char shown[80];
    bool list = cairn_word_is(at, "[") || cairn_word_is(at, "{");
    for (const cairn_word *w = at; list && w->kind > CAIRN_WORD_LINE; w++) most++;
    CHECK(SCRATCH(ctx, &out->levels, most));
    if (list) at++;
    for (;;) {
        CHECK(find_level(ctx, given, at++, out->field, &out->levels[out->n_levels++]));
        if (!list) break;
        if (cairn_word_is(at, "]") || cairn_word_is(at, "}")) {
            at++;
            break;
        }
        if (!cairn_word_is(at, ","))
            CHECK(cairn_given_fail(ctx, given, at->at, "a comma or ] is expected here, not %s",
                                   cairn_word_show(at, shown)));
        at++;
    }
    *words = at;
    return CAIRN_OK;
}

/* A time may be written as in the data or in the standard form; not-a-number is no number to
 * compare with. */
static cairn_status read_number(cairn_context *ctx, const cairn_given *given,
                                const cairn_word *word, cairn_condition *out)
{
    char shown[80];
    bool time = out->field->kind == CAIRN_TIME;
    if (time && word->kind == CAIRN_WORD_NAME &&
        (cairn_time_parse(word->text, strlen(word->text), out->field->pattern, &out->number, NULL,
                          NULL) ||
         cairn_time_parse(word->text, strlen(word->text), NULL, &out->number, NULL, NULL)))
        return CAIRN_OK;
    if (!time && word->kind == CAIRN_WORD_NAME &&
        cairn_number_parse(word->text, strlen(word->text), &out->number) &&
        out->number == out->number)
        return CAIRN_OK;
    return cairn_given_fail(ctx, given, word->at,
                            time ? "'%s' is a time, and %s is none (2026-11-15, or "
                                   "\"2026-11-15 14:30\" in quotes)"
                                 : "'%s' is a number, and %s is none",
                            out->field->name, cairn_word_show(word, shown));
}

cairn_status cairn_given_condition(cairn_context *ctx, const cairn_given *given,
                                   const cairn_word **words, const cairn_schema *schema,
                                   cairn_condition *out)
{
    static const char *const signs[] = {"=", "!=", "<", "<=", ">", ">="};
    const cairn_word *at = *words;
    char shown[80];
    size_t sign = 0;
    *out = (cairn_condition){.at = at->at};
    CHECK(find_column(ctx, given, at++, schema, out));
    while (sign < 6 && !(at->kind == CAIRN_WORD_SIGN && cairn_word_is(at, signs[sign]))) sign++;
    if (sign == 6)
        CHECK(cairn_given_fail(ctx, given, at->at,
                               "one of = != < <= > >= is expected after '%s', not %s",
                               out->field->name, cairn_word_show(at, shown)));
    out->relation = (cairn_relation)sign;
    at++;
    if (sign == 0 && cairn_word_is(at, "?")) {
        out->relation = CAIRN_IS_MISSING;
        at++;
    } else if (out->field->kind == CAIRN_LEVEL) {
        if (sign > 1 && !out->field->ordered)
            CHECK(cairn_given_fail(ctx, given, at[-1].at,
                                   "the values of '%s' have no order; {kinds \"%s=ordered(...)\"} "
                                   "gives them one",
                                   out->field->name, out->field->name));
        CHECK(read_levels(ctx, given, &at, out));
    } else {
        CHECK(read_number(ctx, given, at++, out));
    }
    *words = at;
    return CAIRN_OK;
}

cairn_status cairn_given_class(cairn_context *ctx, const cairn_given *given, const cairn_word *word,
                               const cairn_schema *schema, int32_t *out)
{
    ptrdiff_t target = cairn_schema_role(schema, CAIRN_TARGET);
    return find_level(ctx, given, word, &schema->fields[target], out);
}

void cairn_given_add_name(cairn_text *out, const char *name)
{
    bool plain = *name && *name != '"' && *name != '\'' && *name != '`' && strcmp(name, "?") != 0;
    for (const char *at = name; plain && *at; at++) plain = !ends_name(at);
    if (plain)
        cairn_text_add(out, name);
    else
        cairn_given_add_quoted(out, name);
}

void cairn_given_add_quoted(cairn_text *out, const char *name)
{
    cairn_text_add_char(out, '"');
    for (const char *at = name; *at; at++) {
        if (*at == '"') cairn_text_add_char(out, '"');
        cairn_text_add_char(out, *at);
    }
    cairn_text_add_char(out, '"');
}
