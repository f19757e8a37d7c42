/* SPDX-License-Identifier: MIT */
/* Regular expressions by Thompson's construction.
 *
 *  1. parse the expression by recursive descent into a program of states: take a character of a
 *     set, go two ways, look at an edge, accept; repetitions x{m,n} are copies
 *  2. run all states side by side over the text; every state remembers where its earliest thread
 *     began, and the thread that began first wins, then the one that ends last
 *
 * Matches are counted in one pass. A thread that reaches the end of the expression ends a match
 * from its beginning to here; matches that begin later inside it are taken back, and threads that
 * began inside it are dropped. A state holds the thread that began first; a later one in the same
 * state would have the same future, so nothing is lost. Cost: characters times states, of which
 * there are at most MOST_STATES. */
#include "base/regex.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/words.h"
#include <string.h>

enum { MOST_STATES = 4000, MOST_REPEATS = 500, DEEPEST = 1000 };

typedef enum { OP_SET, OP_SPLIT, OP_JUMP, OP_EDGE, OP_ACCEPT } op_kind;
typedef enum { EDGE_BEGIN, EDGE_END, EDGE_WORD, EDGE_INSIDE } edge_kind;

/* Characters low .. high, or a class of them. */
typedef struct range {
    int32_t low, high;
    char class; /* 0, or one of d D w W s S */
} range;

typedef struct op {
    op_kind kind;
    uint32_t first, n; /* SET: ranges */
    bool negated;
    int32_t to, other; /* SPLIT: both ways; JUMP: to */
    edge_kind edge;
} op;

struct cairn_regex {
    op *ops;
    size_t n_ops, ops_capacity;
    range *ranges;
    size_t n_ranges, ranges_capacity;
    bool ignore_case;
    /* working memory of matching: states that are alive, and since when */
    int32_t *now, *next, *stack;
    size_t *now_from, *next_from;
    uint32_t *seen;
    uint32_t stamp;
};

void cairn_regex_free(cairn_regex *r)
{
    if (!r) return;
    cairn_free(r->ops);
    cairn_free(r->ranges);
    cairn_free(r->now);
    cairn_free(r->next);
    cairn_free(r->stack);
    cairn_free(r->now_from);
    cairn_free(r->next_from);
    cairn_free(r->seen);
    cairn_free(r);
}

/* -- parsing -- */

typedef struct parser {
    cairn_context *ctx;
    cairn_regex *regex;
    const char *pattern, *at;
    int depth;
} parser;

static cairn_status refuse(const parser *p, const char *what)
{
    size_t place = 1;
    for (const char *c = p->pattern; c < p->at; c++) place += ((unsigned char)*c & 0xC0) != 0x80;
    return cairn_fail(p->ctx, CAIRN_USAGE, "regular expression '%s', character %zu: %s", p->pattern,
                      place, what);
}

static cairn_status add_op(parser *p, op what)
{
    cairn_regex *r = p->regex;
    if (r->n_ops >= MOST_STATES) return refuse(p, "the expression becomes too large; repeat less");
    CHECK(GROW(p->ctx, &r->ops, &r->ops_capacity, r->n_ops + 1));
    r->ops[r->n_ops++] = what;
    return CAIRN_OK;
}

static cairn_status add_range(parser *p, range what)
{
    cairn_regex *r = p->regex;
    CHECK(GROW(p->ctx, &r->ranges, &r->ranges_capacity, r->n_ranges + 1));
    r->ranges[r->n_ranges++] = what;
    return CAIRN_OK;
}

static int32_t next_letter(parser *p)
{
    size_t step;
    int32_t letter = cairn_letter_decode(p->at, strlen(p->at), &step);
    p->at += step;
    return letter;
}

/* What follows a backslash, as a range. */
static cairn_status read_escape(parser *p, range *out)
{
    static const char plain[] = "\\^$.|?*+()[]{}-/\"'#&,:;<=>@!%~ _";
    if (!*p->at) return refuse(p, "a character must follow the backslash");
    char c = *p->at;
    *out = (range){.class = 0};
    if (strchr("dDwWsS", c))
        out->class = c;
    else if (c == 'n')
        out->low = out->high = '\n';
    else if (c == 't')
        out->low = out->high = '\t';
    else if (c == 'r')
        out->low = out->high = '\r';
    else if (strchr(plain, c))
        out->low = out->high = (unsigned char)c;
    else
        return refuse(p, "there is no such escape; known are \\d \\w \\s \\b, their capitals, \\n "
                         "\\t \\r and signs");
    p->at++;
    return CAIRN_OK;
}

static cairn_status read_set_item(parser *p, range *out)
{
    if (*p->at == '\\') {
        p->at++;
        return read_escape(p, out);
    }
    out->class = 0;
    out->low = out->high = next_letter(p);
    return CAIRN_OK;
}

/* After the opening bracket. */
static cairn_status read_set(parser *p)
{
    op set = {.kind = OP_SET, .first = (uint32_t)p->regex->n_ranges};
    if (*p->at == '^') {
        set.negated = true;
        p->at++;
    }
    for (bool first = true; *p->at != ']' || first; first = false) {
        range item = {0}, last = {0};
        if (!*p->at) return refuse(p, "the set lacks its closing ]");
        CHECK(read_set_item(p, &item));
        if (p->at[0] == '-' && p->at[1] && p->at[1] != ']' && !item.class) {
            p->at++;
            CHECK(read_set_item(p, &last));
            if (last.class || last.low < item.low)
                return refuse(p, "the range runs backwards; write it from low to high");
            item.high = last.high;
        }
        CHECK(add_range(p, item));
    }
    p->at++;
    set.n = (uint32_t)p->regex->n_ranges - set.first;
    return add_op(p, set);
}

static cairn_status add_one(parser *p, range what, bool negated)
{
    op set = {.kind = OP_SET, .first = (uint32_t)p->regex->n_ranges, .n = 1, .negated = negated};
    CHECK(add_range(p, what));
    return add_op(p, set);
}

static cairn_status read_either(parser *p);

static cairn_status add_edge(parser *p, edge_kind edge)
{
    return add_op(p, (op){.kind = OP_EDGE, .edge = edge});
}

/* One character, set, edge or group. */
static cairn_status read_atom(parser *p)
{
    range escaped;
    char c = *p->at;
    if (strchr("*+?{", c)) return refuse(p, "there is nothing to repeat");
    if (c != '\\') {
        int32_t letter = next_letter(p);
        if (c == '(') {
            /* After the opening parenthesis. */
            if (++p->depth > DEEPEST) return refuse(p, "groups are nested too deeply");
            if (p->at[0] == '?') {
                if (p->at[1] != ':')
                    return refuse(p, "only (?: is known here, and (?i) at the beginning");
                p->at += 2;
            }
            CHECK(read_either(p));
            if (*p->at != ')') return refuse(p, "a closing ) is needed");
            p->at++;
            p->depth--;
            return CAIRN_OK;
        }
        if (c == '[') return read_set(p);
        if (c == '^') return add_edge(p, EDGE_BEGIN);
        if (c == '$') return add_edge(p, EDGE_END);
        if (c == '.') return add_one(p, (range){'\n', '\n', 0}, true);
        return add_one(p, (range){letter, letter, 0}, false);
    }
    p->at++;
    if (*p->at == 'b' || *p->at == 'B')
        return add_edge(p, *p->at++ == 'b' ? EDGE_WORD : EDGE_INSIDE);
    CHECK(read_escape(p, &escaped));
    return add_one(p, escaped, false);
}

/* Another copy of the states begin .. end-1, behind the last. */
static cairn_status copy_ops(parser *p, size_t begin, size_t end)
{
    int32_t shift = (int32_t)(p->regex->n_ops - begin);
    for (size_t i = begin; i < end; i++) {
        op copy = p->regex->ops[i];
        copy.to += shift;
        copy.other += shift;
        CHECK(add_op(p, copy));
    }
    return CAIRN_OK;
}

/* Put a state in front of those from `begin` on. */
static cairn_status insert_op(parser *p, size_t begin, op what)
{
    cairn_regex *r = p->regex;
    CHECK(add_op(p, what));
    for (size_t i = r->n_ops - 1; i > begin; i--) {
        r->ops[i] = r->ops[i - 1];
        r->ops[i].to++;
        r->ops[i].other++;
    }
    r->ops[begin] = what;
    return CAIRN_OK;
}

/* x* of the states from `begin` on: split in front, jump behind. */
static cairn_status make_star(parser *p, size_t begin)
{
    CHECK(insert_op(p, begin, (op){.kind = OP_SPLIT}));
    CHECK(add_op(p, (op){.kind = OP_JUMP, .to = (int32_t)begin}));
    p->regex->ops[begin].to = (int32_t)begin + 1;
    p->regex->ops[begin].other = (int32_t)p->regex->n_ops;
    return CAIRN_OK;
}

static cairn_status make_optional(parser *p, size_t begin)
{
    cairn_status status = insert_op(p, begin, (op){.kind = OP_SPLIT});
    if (status) return status;
    p->regex->ops[begin].to = (int32_t)begin + 1;
    p->regex->ops[begin].other = (int32_t)p->regex->n_ops;
    return CAIRN_OK;
}

/* {m}, {m,} or {m,n}; most is -1 for no limit. */
static cairn_status read_counts(parser *p, int *least, int *most)
{
    int values[2] = {0, -1};
    p->at++;
    for (int k = 0; k < 2; k++) {
        bool digits = false;
        for (; *p->at >= '0' && *p->at <= '9'; p->at++, digits = true) {
            if (!digits) values[k] = 0;
            values[k] = values[k] * 10 + (*p->at - '0');
            if (values[k] > MOST_REPEATS) return refuse(p, "at most 500 repeats are possible");
        }
        if (k == 0 && !digits) return refuse(p, "a number of repeats is needed");
        if (k == 0 && *p->at != ',') {
            values[1] = values[0];
            break;
        }
        if (k == 0) p->at++;
    }
    if (*p->at != '}') return refuse(p, "the repeats lack their closing }");
    p->at++;
    if (values[1] >= 0 && values[1] < values[0])
        return refuse(p, "the largest number of repeats is smaller than the least");
    *least = values[0];
    *most = values[1];
    return CAIRN_OK;
}

/* The states from `begin` on, repeated: needed copies, then optional ones or a star. */
static cairn_status repeat(parser *p, size_t begin, int least, int most)
{
    size_t end = p->regex->n_ops, length = end - begin;
    for (int k = 1; k < least; k++) CHECK(copy_ops(p, begin, end));
    if (most < 0) {
        if (least > 0) CHECK(copy_ops(p, begin, end));
        CHECK(make_star(p, least > 0 ? p->regex->n_ops - length : begin));
        return CAIRN_OK;
    }
    if (most == 0) { /* nothing of it is left */
        p->regex->n_ops = begin;
        return CAIRN_OK;
    }
    /* x? needs the copies made before a split is put in front of the original */
    for (int k = least > 1 ? least : 1; k < most; k++) CHECK(copy_ops(p, begin, end));
    for (int k = most - 1; k >= least; k--) CHECK(make_optional(p, begin + (size_t)k * length));
    return CAIRN_OK;
}

static cairn_status read_repeated(parser *p)
{
    size_t begin = p->regex->n_ops;
    CHECK(read_atom(p));
    while (*p->at && strchr("*+?{", *p->at)) {
        int least = *p->at == '+', most = *p->at == '?' ? 1 : -1;
        if (*p->at == '{')
            CHECK(read_counts(p, &least, &most));
        else
            p->at++;
        CHECK(repeat(p, begin, least, most));
    }
    return CAIRN_OK;
}

static cairn_status read_either(parser *p)
{
    size_t begin = p->regex->n_ops;
    while (*p->at && *p->at != '|' && *p->at != ')') CHECK(read_repeated(p));
    if (*p->at != '|') return CAIRN_OK;
    p->at++;
    CHECK(insert_op(p, begin, (op){.kind = OP_SPLIT}));
    size_t jump = p->regex->n_ops;
    CHECK(add_op(p, (op){.kind = OP_JUMP}));
    p->regex->ops[begin].to = (int32_t)begin + 1;
    p->regex->ops[begin].other = (int32_t)p->regex->n_ops;
    if (++p->depth > DEEPEST) return refuse(p, "there are too many alternatives");
    CHECK(read_either(p));
    p->depth--;
    p->regex->ops[jump].to = (int32_t)p->regex->n_ops;
    return CAIRN_OK;
}

static cairn_status allocate_work(cairn_context *ctx, cairn_regex *r)
{
    CHECK(NEW_EACH(ctx, r->n_ops, &r->now, &r->next));
    CHECK(NEW(ctx, &r->stack, 2 * r->n_ops + 2));
    CHECK(NEW_EACH(ctx, r->n_ops, &r->now_from, &r->next_from));
    return NEW(ctx, &r->seen, r->n_ops);
}

cairn_status cairn_regex_new(cairn_context *ctx, cairn_regex **out, const char *pattern,
                             bool ignore_case)
{
    cairn_status status;
    parser p = {.ctx = ctx, .pattern = pattern, .at = pattern};
    TRY(NEW(ctx, &p.regex, 1));
    p.regex->ignore_case = ignore_case;
    if (cairn_utf8_check(pattern, strlen(pattern)) < strlen(pattern))
        TRY(cairn_fail(ctx, CAIRN_USAGE, "a regular expression must be UTF-8"));
    if (cairn_starts_with(pattern, "(?i)")) {
        p.regex->ignore_case = true;
        p.at += 4;
    }
    TRY(read_either(&p));
    if (*p.at) TRY(refuse(&p, "there is no opening ( to this )"));
    TRY(add_op(&p, (op){.kind = OP_ACCEPT}));
    TRY(allocate_work(ctx, p.regex));
    *out = p.regex;
    return CAIRN_OK;
done:
    cairn_regex_free(p.regex);
    return status;
}

/* -- matching -- */

typedef struct place {
    const char *text;
    size_t length;
    size_t at;
    int32_t letter; /* at the place, -1 at the end */
    size_t step;
    bool word_before; /* whether the character before is of a word */
} place;

static bool is_word(int32_t letter)
{
    return letter == '_' ||
           (letter >= 0 && (cairn_letter_class(letter) & (CAIRN_IS_LETTER | CAIRN_IS_DIGIT)));
}

static bool in_class(char class, int32_t letter)
{
    unsigned kinds = cairn_letter_class(letter);
    switch (class) {
    case 'd': return kinds & CAIRN_IS_DIGIT;
    case 'D': return !(kinds & CAIRN_IS_DIGIT);
    case 'w': return is_word(letter);
    case 'W': return !is_word(letter);
    case 's': return kinds & CAIRN_IS_SPACE;
    default: return !(kinds & CAIRN_IS_SPACE);
    }
}

static bool in_ranges(const cairn_regex *r, const op *o, int32_t letter)
{
    for (uint32_t k = o->first; k < o->first + o->n; k++) {
        const range *g = &r->ranges[k];
        if (g->class ? in_class(g->class, letter) : letter >= g->low && letter <= g->high)
            return true;
    }
    return false;
}

static bool in_set(const cairn_regex *r, const op *o, int32_t letter)
{
    if (letter < 0) return false;
    bool found = in_ranges(r, o, letter);
    if (!found && r->ignore_case) {
        int32_t lower = cairn_letter_lower(letter), upper = cairn_letter_upper(letter);
        found = in_ranges(r, o, lower) || in_ranges(r, o, upper);
    }
    return found != o->negated;
}

static bool at_edge(const place *p, edge_kind edge)
{
    bool word = p->word_before != is_word(p->letter);
    switch (edge) {
    case EDGE_BEGIN: return p->at == 0;
    case EDGE_END: return p->at == p->length;
    case EDGE_WORD: return word;
    default: return !word;
    }
}

/* Bring a state and all that is reached from it without a character to life; gives whether the end
 * of the expression is among them. Older threads come first, and a state is entered only once. */
static bool enter(cairn_regex *r, int32_t state, size_t from, const place *p, int32_t *states,
                  size_t *froms, size_t *n)
{
    size_t depth = 0;
    bool accepted = false;
    r->stack[depth++] = state;
    while (depth) {
        int32_t s = r->stack[--depth];
        if (r->seen[s] == r->stamp) continue;
        r->seen[s] = r->stamp;
        const op *o = &r->ops[s];
        if (o->kind == OP_ACCEPT) {
            accepted = true;
        } else if (o->kind == OP_SET) {
            states[*n] = s;
            froms[(*n)++] = from;
        } else if (o->kind == OP_EDGE) {
            if (at_edge(p, o->edge)) r->stack[depth++] = s + 1;
        } else {
            if (o->kind == OP_SPLIT) r->stack[depth++] = o->other;
            r->stack[depth++] = o->to;
        }
    }
    return accepted;
}

static void look(place *p)
{
    p->step = 0;
    p->letter = -1;
    if (p->at < p->length)
        p->letter = cairn_letter_decode(p->text + p->at, p->length - p->at, &p->step);
}

/* Marks of the states of a new place. */
static void new_stamp(cairn_regex *r)
{
    if (++r->stamp) return;
    memset(r->seen, 0, r->n_ops * sizeof *r->seen);
    r->stamp = 1;
}

/* Beginnings of the matches so far, ascending. */
typedef struct match_list {
    size_t *begins;
    size_t n, capacity;
} match_list;

/* Take the letter at the place: threads that cannot go on with it die. */
static cairn_status step(cairn_context *ctx, cairn_regex *r, place *p, size_t *n_now,
                         match_list *matches)
{
    int32_t letter = p->letter;
    size_t n = 0, winner = SIZE_MAX;
    p->word_before = is_word(p->letter);
    p->at += p->step;
    look(p);
    new_stamp(r);
    for (size_t i = 0; i < *n_now; i++) {
        size_t from = r->now_from[i];
        if (from > winner) break; /* it began inside a match that ends here */
        if (!in_set(r, &r->ops[r->now[i]], letter)) continue;
        if (!enter(r, r->now[i] + 1, from, p, r->next, r->next_from, &n)) continue;
        /* A match from `from` to here: it takes the place of those that begin at or after
         * `from`. */
        while (matches->n && matches->begins[matches->n - 1] >= from) matches->n--;
        cairn_status status = GROW(ctx, &matches->begins, &matches->capacity, matches->n + 1);
        if (!status) matches->begins[matches->n++] = from;
        CHECK(status);
        winner = from;
    }
    (void)enter(r, 0, p->at, p, r->next, r->next_from, &n); /* an empty match does not count */
    int32_t *states = r->now;
    size_t *froms = r->now_from;
    r->now = r->next;
    r->now_from = r->next_from;
    r->next = states;
    r->next_from = froms;
    *n_now = n;
    return CAIRN_OK;
}

cairn_status cairn_regex_count(cairn_context *ctx, cairn_regex *r, const char *text, size_t length,
                               bool any, size_t *out)
{
    cairn_status status = CAIRN_OK;
    place p = {.text = text, .length = length};
    match_list matches = {0};
    size_t n = 0;
    look(&p);
    new_stamp(r);
    (void)enter(r, 0, 0, &p, r->now, r->now_from, &n);
    for (size_t i = 1; p.letter >= 0 && !(any && matches.n); i++) {
        TRY(step(ctx, r, &p, &n, &matches));
        if (i % (1 << 14) == 0) TRY(cairn_tick(ctx, NULL, 0, 0));
    }
    *out = matches.n;
done:
    cairn_free(matches.begins);
    return status;
}
