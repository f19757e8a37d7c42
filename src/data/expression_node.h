/* SPDX-License-Identifier: MIT */
/* The inside of an expression: a tree of nodes, shared by its parser, checker and evaluator. */
#ifndef CAIRN_DATA_EXPRESSION_NODE_H
#define CAIRN_DATA_EXPRESSION_NODE_H

#include "base/text.h"
#include "data/expression.h"
#include "data/time.h"

typedef enum cairn_op {
    OP_NUMBER,
    OP_TEXT,
    OP_TRUTH,
    OP_MISSING,
    OP_COLUMN,
    OP_ALL,   /* `*` as an argument: every number feature */
    OP_RANGE, /* `a:b` as an argument: columns from a to b, two OP_COLUMN children */
    OP_NEGATE,
    OP_ADD,
    OP_SUBTRACT,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_MOD,
    OP_POWER,
    OP_EQUAL,
    OP_UNEQUAL,
    OP_LESS,
    OP_LESS_EQUAL,
    OP_GREATER,
    OP_GREATER_EQUAL,
    OP_BETWEEN,
    OP_IN,
    OP_IS_MISSING,
    OP_NOT,
    OP_AND,
    OP_OR,
    /* functions */
    OP_ONE, /* a function of one number: function->one */
    OP_ATAN2,
    OP_HYPOT,
    OP_ROUND,
    OP_CLAMP,
    OP_SUM,
    OP_MEAN,
    OP_SD,
    OP_VARIANCE,
    OP_MIN,
    OP_MAX,
    OP_COUNT,
    OP_IF,
    OP_COALESCE,
    OP_PI,
    OP_ROW,
    OP_ROWS,
    OP_UNIFORM,
    OP_NORMAL,
    OP_TO_NUMBER,
    OP_TO_TEXT,
    OP_TO_TRUTH,
    OP_LENGTH,
    OP_LOWER,
    OP_UPPER,
    OP_TRIM,
    OP_CONTAINS,
    OP_STARTS,
    OP_ENDS,
    OP_MATCHES,
    OP_CONCAT,
    OP_PART,
    OP_REPLACE,
    OP_DATE,     /* seconds since 1970 of a day */
    OP_TO_TIME,  /* of a text */
    OP_TIME_PART /* function->part of a time */
} cairn_op;

typedef struct cairn_function {
    const char *name;
    cairn_op op;
    /* Types of the arguments: n number, b condition, t text, a any; capital = may be left out; a
     * star at the end = any number more of the last. */
    const char *arguments;
    char result; /* n, b, t; a = that of the arguments */
    double (*one)(double);
    cairn_fault fault;
    const char *help;
    double (*part)(const cairn_calendar *); /* OP_TIME_PART */
} cairn_function;

/* The function of that name, or NULL; number i of the table, or NULL at its end. */
const cairn_function *cairn_function_find(const char *name, size_t length);
const cairn_function *cairn_function_at(size_t i);

enum { CAIRN_NO_NODE = UINT32_MAX };

typedef struct cairn_node {
    cairn_op op;
    cairn_value_type type;
    uint32_t child, last, next; /* first and last child, next sibling; CAIRN_NO_NODE = none */
    uint32_t n_children;
    uint32_t depth;   /* of the tree below, 1 for a leaf */
    size_t at, end;   /* the place in the text */
    double number;    /* OP_NUMBER, OP_TRUTH */
    size_t word;      /* OP_TEXT, OP_COLUMN: offset of the zero-ended word in `words` */
    size_t length;    /* and its bytes */
    bool pure;        /* no random numbers, row numbers or faults below */
    ptrdiff_t column; /* OP_COLUMN: number of the table's column, -1 before checking */
    /* The only column below when that is one of levels, else -1; -2 = no column at all. */
    ptrdiff_t level;
    const cairn_function *function;
} cairn_node;

struct cairn_expression {
    char *text;
    cairn_node *nodes;
    size_t n_nodes, capacity;
    cairn_text words; /* constants and names, each zero-ended */
    uint32_t root;
    const cairn_table *table; /* NULL before checking */
    uint64_t salt;
};

/* expression.c: a tree that is bound to no table. */
CAIRN_CHECKED cairn_status cairn_expression_read(cairn_context *ctx, cairn_expression **out,
                                                 const char *text);

/* expression_parse.c: the tree of the text, names and types unchecked. */
CAIRN_CHECKED cairn_status cairn_expression_parse(cairn_context *ctx, cairn_expression *e);
/* A new node; its number may change until the next one only. */
CAIRN_CHECKED cairn_status cairn_node_new(cairn_context *ctx, cairn_expression *e, cairn_op op,
                                          size_t at, uint32_t *out);
void cairn_node_adopt(cairn_expression *e, uint32_t parent, uint32_t child);

/* expression_eval.c: the values of a node that reads one column of levels, for every level and then
 * for a missing cell; scratch, doubles or slices. */
CAIRN_CHECKED cairn_status cairn_expression_levels(cairn_context *ctx, const cairn_expression *e,
                                                   uint32_t number, void **out);

/* Whether a number is a time: a column of times, date() and time(), such a value with seconds added
 * or taken away, and what if, coalesce, min, max, mean and clamp make of nothing else. *pattern is
 * that of the first column of times, NULL when there is none. */
bool cairn_expression_is_time(const cairn_expression *expression, const char **pattern);

static inline const char *cairn_node_word(const cairn_expression *e, const cairn_node *node)
{
    return cairn_text_string(&e->words) + node->word;
}

/* A text value; bytes NULL = missing. */
typedef struct cairn_slice {
    const char *bytes;
    size_t length;
} cairn_slice;

/* expression_text.c: functions on texts; new bytes come from scratch. */
bool cairn_slice_matches(cairn_slice text, cairn_slice pattern);
bool cairn_slice_contains(cairn_slice text, cairn_slice part);
int cairn_slice_compare(cairn_slice a, cairn_slice b);
double cairn_slice_letters(cairn_slice text);
cairn_slice cairn_slice_trim(cairn_slice text);
cairn_slice cairn_slice_part(cairn_slice text, double from, double n);
CAIRN_CHECKED cairn_status cairn_slice_case(cairn_context *ctx, cairn_slice *out, cairn_slice text,
                                            bool upper);
CAIRN_CHECKED cairn_status cairn_slice_replace(cairn_context *ctx, cairn_slice *out,
                                               cairn_slice text, cairn_slice old, cairn_slice new);
CAIRN_CHECKED cairn_status cairn_slice_join(cairn_context *ctx, cairn_slice *out, cairn_slice a,
                                            cairn_slice b);
CAIRN_CHECKED cairn_status cairn_slice_number(cairn_context *ctx, cairn_slice *out, double number);
/* 1 for yes and true, 0 for no and false (in any case; also 1 and 0), NaN for anything else. */
double cairn_slice_truth(cairn_slice text);

#endif
