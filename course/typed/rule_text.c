/* SPDX-License-Identifier: MIT */
/* Tokens of typed rules, and rules as expressions. */
#include "typed/rule_text.h"

#include "base/number.h"
#include "base/text.h"
#include "model/task.h"

#include <string.h>

static bool is_name_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || (unsigned char)c >= 0x80;
}

static cairn_status copy_part(cairn_context *ctx, const char **out, const char *text, size_t begin,
                              size_t end)
{
    char *copy;
    CHECK(SCRATCH(ctx, &copy, end - begin + 1));
    memcpy(copy, text + begin, end - begin);
    *out = copy;
    return CAIRN_OK;
}

/* Words of the language, in small letters. */
static const char *const words[] = {"and",     "or",   "not",   "in", "is",   "between",
                                    "missing", "true", "false", "if", "then", "else"};

static const char *word_of(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        bool same = strlen(words[i]) == length, small = true, large = true;
        for (size_t k = 0; k < length && same; k++) {
            small &= text[k] == words[i][k];
            large &= text[k] == words[i][k] - ('a' - 'A');
        }
        if (same && (small || large)) return words[i];
    }
    return NULL;
}

/* The token at `at`, which is no blank. */
static cairn_status read_token(cairn_context *ctx, cairn_token *out, const char *text, size_t at)
{
    static const char *const relations[] = {"<=", ">=", "!=", "<>", "==", "=", "<", ">"};
    char c = text[at], close = c == '[' ? ']' : c;
    size_t length = strlen(text), end = at + 1;
    *out = (cairn_token){.kind = CAIRN_TOKEN_SIGN, .begin = at};
    if (c == '"' || c == '\'' || c == '`' || c == '[') {
        while (end < length && text[end] != close) end++;
        out->kind = c == '`' || c == '[' ? CAIRN_TOKEN_NAME : CAIRN_TOKEN_TEXT;
        if (out->kind == CAIRN_TOKEN_NAME) CHECK(copy_part(ctx, &out->name, text, at + 1, end));
        out->end = end < length ? end + 1 : length;
        return CAIRN_OK;
    }
    const char *stop = cairn_number_scan(text + at, text + length, &out->number);
    if (stop && c != '-' && c != '+') {
        out->kind = CAIRN_TOKEN_NUMBER;
        end = (size_t)(stop - text);
    } else if (is_name_letter(c)) {
        while (end < length && is_name_letter(text[end])) end++;
        out->name = word_of(text + at, end - at);
        out->kind = out->name ? CAIRN_TOKEN_WORD : CAIRN_TOKEN_NAME;
        if (!out->name) CHECK(copy_part(ctx, &out->name, text, at, end));
    } else if (c == '(' || c == ')') {
        out->kind = c == '(' ? CAIRN_TOKEN_OPEN : CAIRN_TOKEN_CLOSE;
    } else {
        for (size_t i = 0; i < sizeof relations / sizeof *relations; i++)
            if (cairn_starts_with(text + at, relations[i])) {
                out->kind = CAIRN_TOKEN_RELATION;
                end = at + strlen(relations[i]);
                break;
            }
    }
    out->end = end;
    return CAIRN_OK;
}

cairn_status cairn_rule_tokens(cairn_context *ctx, const char *text, cairn_token **out, size_t *n)
{
    *n = 0;
    CHECK(SCRATCH(ctx, out, strlen(text) + 1));
    for (size_t at = 0; text[at];) {
        if (text[at] == ' ' || text[at] == '\t') {
            at++;
            continue;
        }
        CHECK(read_token(ctx, &(*out)[*n], text, at));
        at = (*out)[(*n)++].end;
    }
    return CAIRN_OK;
}

/* The level that a column of two levels stands for: true, yes, 1; -1 when it is no such column. */
static int32_t true_level(const cairn_table *table, const char *name)
{
    ptrdiff_t at = table ? cairn_table_find(table, name) : -1;
    if (at < 0) return -1;
    const cairn_column *column = table->slots[at].column;
    if (column->kind != CAIRN_LEVEL || column->names.n == 0 || column->names.n > 2) return -1;
    for (size_t v = 0; v < column->names.n; v++)
        if (cairn_is_positive_word(cairn_map_key(&column->names, v))) return (int32_t)v;
    return -1;
}

/* Whether a name stands where a condition does: nothing is computed from it or compared with it. */
static bool stands_alone(const cairn_token *tokens, size_t n, size_t i)
{
    const cairn_token *before = i ? &tokens[i - 1] : NULL,
                      *after = i + 1 < n ? &tokens[i + 1] : NULL;
    if (before && (before->kind == CAIRN_TOKEN_RELATION || before->kind == CAIRN_TOKEN_SIGN))
        return false;
    bool argument =
        i > 1 && before->kind == CAIRN_TOKEN_OPEN && tokens[i - 2].kind == CAIRN_TOKEN_NAME;
    if (argument) return false;
    if (!after || after->kind == CAIRN_TOKEN_CLOSE) return true;
    return after->kind == CAIRN_TOKEN_WORD &&
           (cairn_same(after->name, "and") || cairn_same(after->name, "or"));
}

/* Tokens first .. last-1 as an expression. */
static cairn_status rewrite(cairn_context *ctx, const char **out, const char *text,
                            const cairn_token *tokens, size_t first, size_t last,
                            const cairn_table *table)
{
    SCOPED(cairn_text_clear) cairn_text result = cairn_text_start(ctx);
    for (size_t i = first; i < last; i++) {
        const cairn_token *t = &tokens[i];
        int32_t level = t->kind == CAIRN_TOKEN_NAME ? true_level(table, t->name) : -1;
        if (i > first && t->begin > tokens[i - 1].end) cairn_text_add_char(&result, ' ');
        if (t->kind == CAIRN_TOKEN_WORD) {
            cairn_text_add(&result, t->name);
        } else if (level >= 0 && stands_alone(tokens + first, last - first, i - first)) {
            ptrdiff_t at = cairn_table_find(table, t->name);
            const cairn_column *column = table->slots[at].column;
            cairn_text_addf(&result, "(`%s` = \"%s\")", t->name,
                            cairn_map_key(&column->names, (size_t)level));
        } else {
            cairn_text_add_bytes(&result, text + t->begin, t->end - t->begin);
        }
    }
    CHECK(cairn_text_status(&result));
    return copy_part(ctx, out, cairn_text_string(&result), 0, result.length);
}

static size_t find_word(const cairn_token *tokens, size_t n, const char *word)
{
    for (size_t i = 0; i < n; i++)
        if (tokens[i].kind == CAIRN_TOKEN_WORD && cairn_same(tokens[i].name, word)) return i;
    return n;
}

/* A class: what stands between two places, without blanks and quotes; a column and = may stand in
 * front of it, since that is the target. */
static cairn_status read_class(cairn_context *ctx, const char **out, const char *text,
                               const cairn_token *tokens, size_t first, size_t last)
{
    bool target = first + 2 < last && tokens[first].kind == CAIRN_TOKEN_NAME &&
                  tokens[first + 1].kind == CAIRN_TOKEN_RELATION &&
                  text[tokens[first + 1].begin] == '=';
    if (target) first += 2;
    if (first >= last)
        return cairn_fail(ctx, CAIRN_USAGE, "the rule '%s' has no class behind THEN or ELSE", text);
    size_t begin = tokens[first].begin, end = tokens[last - 1].end;
    bool quoted = first + 1 == last && tokens[first].kind == CAIRN_TOKEN_TEXT && end > begin + 1;
    return copy_part(ctx, out, text, begin + quoted, end - quoted);
}

cairn_status cairn_rule_read(cairn_context *ctx, cairn_rule *out, const char *text,
                             const cairn_table *table)
{
    cairn_token *tokens;
    size_t n, first = 0, then, otherwise;
    *out = (cairn_rule){0};
    CHECK(cairn_rule_tokens(ctx, text, &tokens, &n));
    if (n && tokens[0].kind == CAIRN_TOKEN_WORD && cairn_same(tokens[0].name, "if") &&
        find_word(tokens, n, "then") < n)
        first = 1;
    then = find_word(tokens, n, "then");
    otherwise = find_word(tokens, n, "else");
    if (otherwise < then)
        CHECK(cairn_fail(ctx, CAIRN_USAGE, "the rule '%s' has ELSE without THEN before it", text));
    CHECK(rewrite(ctx, &out->condition, text, tokens, first, then, table));
    if (then < n) CHECK(read_class(ctx, &out->yes, text, tokens, then + 1, otherwise));
    if (otherwise < n) CHECK(read_class(ctx, &out->no, text, tokens, otherwise + 1, n));
    return CAIRN_OK;
}
