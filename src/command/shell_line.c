/* SPDX-License-Identifier: MIT */
/* Words of a command line as bash splits and quotes them. */
#include "command/complete.h"

#include "base/memory.h"

#include <string.h>

typedef struct splitter {
    const char *at, *breaks;
    char quote;
    size_t skip;
    char *out; /* where the next letter of the word goes */
    const char *start;
} splitter;

/* One letter outside quotes; behind a letter that breaks words the shell replaces only the rest,
 * and an @ belongs to the rest. */
static void take_plain(splitter *s)
{
    char c = *s->at++;
    if (c == '\\' && *s->at) {
        *s->out++ = *s->at++;
    } else if (c == '"' || c == '\'') {
        s->quote = c;
        s->skip = (size_t)(s->out - s->start);
    } else {
        *s->out++ = c;
        if (strchr(s->breaks, c)) s->skip = (size_t)(s->out - s->start) - (c == '@');
    }
}

/* The next word; behind a closed quote the shell replaces all of it again. */
static void take_word(splitter *s)
{
    s->start = s->out;
    s->skip = 0;
    s->quote = 0;
    while (*s->at && (s->quote || !strchr(" \t\n", *s->at))) {
        bool open = s->quote != 0;
        if (open) {
            char c = *s->at++;
            if (c == s->quote)
                s->quote = 0;
            else if (c == '\\' && s->quote == '"' && *s->at && strchr("\"\\$`", *s->at))
                *s->out++ = *s->at++;
            else
                *s->out++ = c;
        } else
            take_plain(s);
        if (open && !s->quote) s->skip = 0;
    }
    *s->out++ = 0;
}

cairn_status cairn_shell_split(cairn_context *ctx, cairn_shell_line *out, const char *line,
                               const char *breaks)
{
    size_t length = strlen(line);
    char *letters;
    splitter s = {.at = line, .breaks = breaks ? breaks : ""};
    *out = (cairn_shell_line){0};
    CHECK(SCRATCH(ctx, &letters, 2 * length + 2));
    CHECK(SCRATCH(ctx, &out->words, length + 2));
    s.out = letters;
    for (;;) {
        while (*s.at && strchr(" \t\n", *s.at)) s.at++;
        bool begun = *s.at != 0;
        char *word = s.out;
        take_word(&s);
        out->words[out->n_words++] = word;
        if (!begun || !*s.at) break;
    }
    out->quote = s.quote;
    out->skip = s.skip;
    return CAIRN_OK;
}

void cairn_shell_add(cairn_text *out, const char *word, size_t skip, char quote)
{
    const char *special = quote == '"'    ? "\"\\$`"
                          : quote == '\'' ? ""
                                          : " \t\"'\\$`&|;<>()*?[]{}#!";
    for (size_t i = 0; word[i]; i++) {
        bool first_tilde = i == 0 && word[i] == '~' && !quote;
        if (i < skip) continue;
        if (word[i] == '\'' && quote == '\'') {
            cairn_text_add(out, "'\\''");
            continue;
        }
        if (first_tilde || strchr(special, word[i])) cairn_text_add_char(out, '\\');
        cairn_text_add_char(out, word[i]);
    }
}
