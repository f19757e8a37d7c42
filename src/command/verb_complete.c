/* SPDX-License-Identifier: MIT */
/* cairn complete: what the completion scripts of the shells ask for. It is no verb of the registry:
 * people do not type it. */
#include "command/complete.h"

#include <string.h>

typedef struct complete_options {
    cairn_common common;
    const char *line, *breaks;
} complete_options;

static const cairn_param complete_params[] = {
    CAIRN_PARAM(complete_options, line, NULL, NULL,
                "the line up to the cursor as bash has it; without it the words behind -- count"),
    CAIRN_PARAM(complete_options, breaks, NULL, NULL,
                "letters at which bash begins a new word (COMP_WORDBREAKS)", .when = "line"),
    CAIRN_PARAM_END,
};

typedef struct answer {
    cairn_text text;
    const cairn_shell_line *line; /* NULL = the shell quotes by itself and shows what they are */
} answer;

/* One line for each offer: as bash inserts it, or the word, a tab and what it is. */
static void add_offer(const char *word, const char *help, void *data)
{
    answer *a = data;
    if (a->line)
        cairn_shell_add(&a->text, word, a->line->skip, a->line->quote);
    else
        cairn_text_add(&a->text, word);
    if (!a->line && help) cairn_text_addf(&a->text, "\t%s", help);
    cairn_text_add_char(&a->text, '\n');
}

/* A line with nothing but a tab asks the shell to complete a path itself. */
static cairn_status complete_run(cairn_command *c)
{
    const complete_options *options = c->options->values;
    answer a = {.text = cairn_text_start(c->ctx)};
    cairn_shell_line line;
    const char *const *words = c->given;
    size_t n_words = c->n_words;
    c->ctx->log = NULL; /* the run gives it back */
    if (options->line) {
        CHECK(cairn_shell_split(c->ctx, &line, options->line, options->breaks));
        a.line = &line;
        words = (const char *const *)line.words + 1;
        n_words = line.n_words - 1;
    }
    cairn_status status = CAIRN_OK;
    if (n_words && cairn_complete_by_shell(words[n_words - 1]))
        cairn_text_add(&a.text, "\t\n");
    else
        status = cairn_complete(c->ctx, words, n_words, add_offer, &a);
    if (status == CAIRN_OK) return cairn_command_give(c, &a.text);
    cairn_text_clear(&a.text);
    return status;
}

const cairn_verb cairn_verb_complete = {
    .entry = {.kind = CAIRN_ENTRY_VERB,
              .name = "complete",
              .title = "What may come next",
              .summary = "Lists what may stand in the place of the last word, one per line; the "
                         "completion scripts of shells call it.",
              .example = "cairn complete -- fit tr",
              .params = complete_params,
              .params_size = sizeof(complete_options)},
    .arguments = "[-- WORDS]",
    .least = 0,
    .most = SIZE_MAX,
    .run = complete_run,
};
