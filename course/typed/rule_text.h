/* SPDX-License-Identifier: MIT */
/* Rules that were typed, "IF score >= M AND NOT absent THEN pass ELSE fail": taken apart and
 * brought into the language of expressions (docs/expressions.md). */
#ifndef CAIRN_TYPED_RULE_TEXT_H
#define CAIRN_TYPED_RULE_TEXT_H

#include "data/table.h"

typedef enum cairn_token_kind {
    CAIRN_TOKEN_NAME, /* of a column, a parameter, a function */
    CAIRN_TOKEN_WORD, /* and, or, not ... */
    CAIRN_TOKEN_NUMBER,
    CAIRN_TOKEN_TEXT, /* in quotes */
    CAIRN_TOKEN_RELATION,
    CAIRN_TOKEN_SIGN, /* arithmetic, comma */
    CAIRN_TOKEN_OPEN,
    CAIRN_TOKEN_CLOSE
} cairn_token_kind;

typedef struct cairn_token {
    cairn_token_kind kind;
    size_t begin, end; /* bytes of the text */
    const char *name;  /* NAME: without quotes; WORD: in small letters; else NULL. Scratch */
    double number;     /* NUMBER */
} cairn_token;

/* Scratch. Never fails on odd text: what it does not know is a sign. */
CAIRN_CHECKED cairn_status cairn_rule_tokens(cairn_context *ctx, const char *text,
                                             cairn_token **out, size_t *n);

typedef struct cairn_rule {
    const char *condition; /* as an expression */
    const char *yes, *no;  /* what follows THEN and ELSE; NULL = not given */
} cairn_rule;

/* Take a rule apart; a bare condition is a rule without classes. Words may be written in capitals.
 * A column of two levels such as true and false may stand for the condition that it is the first.
 * Scratch. */
CAIRN_CHECKED cairn_status cairn_rule_read(cairn_context *ctx, cairn_rule *out, const char *text,
                                           const cairn_table *table);

#endif
