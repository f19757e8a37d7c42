/* SPDX-License-Identifier: MIT */
/* cairn compute horn: a theory of Horn clauses learned by asking (Angluin, Frazier and Pitt).
 *
 * Two questions are allowed: is this instance a model of the target (membership), and is this
 * theory right, and if not, where (equivalence). S is a list of negative instances:
 *
 *   1. h = true, S = [].
 *   2. Ask whether h is right; stop if so. Else there is a counter-example x.
 *   3. x is positive: it violates clauses of h; delete these.
 *   4. x is negative: take the first s of S for which s & x has fewer true literals than s and is
 *      negative, and put s & x in its place; if there is none, append x to S. Then h is made anew:
 *      for each s, the literals that are true in it imply each one that is false in it.
 *   5. Back to 2.
 *
 * An instance in which everything is true satisfies all clauses with a head. It is asked for first:
 * if it is negative, clauses with the head 'false' are needed, and step 4 makes them too. When a
 * negative that stands in S comes back, all its clauses were violated by positives, which meet in
 * it: no Horn theory has these answers.
 *
 * A person answers by a list that was given with the command, or line by line when asked. What was
 * said once is not asked again and may not be taken back: it would fit no theory. */
#include "compute/theory/dichotomies.h"
#include "typed/shown.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/random.h"
#include "report/table_rows.h"

#include <stdio.h>
#include <string.h>

enum { MOST_VARIABLES = 16, MOST_ROUNDS = 20000, SHOWN_ROUNDS = 300 };
enum { ORDER_MOST, ORDER_FEWEST, ORDER_GIVEN, ORDER_RANDOM };
enum { PREFER_NEGATIVE, PREFER_POSITIVE, PREFER_NEITHER };
enum { UNLISTED_OPEN, UNLISTED_POSITIVE, UNLISTED_NEGATIVE, UNLISTED_REFUSED, UNLISTED_ASK };
enum { SHOWN_CLAUSES = 24 }; /* in a question */

typedef struct horn_params {
    const char *theory, *variables, *examples, *answers, *positive;
    int order, prefer, unlisted;
    bool ask;
} horn_params;

static const cairn_choice orders[] = {
    {"most", ORDER_MOST, "instances with most true literals first"},
    {"fewest", ORDER_FEWEST, "instances with fewest true literals first"},
    {"given", ORDER_GIVEN, "rows as they stand; of a target counting up, first variable leading"},
    {"random", ORDER_RANDOM, "shuffled by the seed"},
    {0},
};

static const cairn_choice preferences[] = {
    {"negative", PREFER_NEGATIVE, "negative counter-examples before positive ones"},
    {"positive", PREFER_POSITIVE, "positive ones before negative ones"},
    {"neither", PREFER_NEITHER, "whichever comes first"},
    {0},
};

static const cairn_choice unlisted[] = {
    {"open", UNLISTED_OPEN, "questions are answered by yes, and the theory is free there"},
    {"positive", UNLISTED_POSITIVE, "they are models, and the theory must say so"},
    {"negative", UNLISTED_NEGATIVE, "they are not, and the theory must say so"},
    {"refuse", UNLISTED_REFUSED, "the search ends with the instance that is missing"},
    {"ask", UNLISTED_ASK, "you are asked about them"},
    {0},
};

static const cairn_param horn_table[] = {
    CAIRN_PARAM(horn_params, theory, NULL, NULL,
                "the target that answers, such as 'a & b -> c; c & d -> false'"),
    CAIRN_PARAM_AS(horn_params, variables, CAIRN_TYPE_COLUMNS, NULL,
                   "names of the variables in order (default: as they come in the theory)"),
    CAIRN_PARAM(horn_params, examples, NULL, NULL,
                "counter-examples to be tried before others: true variables, 'a,b,c; a,d'"),
    CAIRN_PARAM_CHOICE(horn_params, order, "most", orders, "order of the other counter-examples"),
    CAIRN_PARAM_CHOICE(horn_params, prefer, "negative", preferences,
                       "which counter-examples come first"),
    CAIRN_PARAM_CHOICE(horn_params, unlisted, "open", unlisted,
                       "instances that the table does not have"),
    CAIRN_PARAM(horn_params, positive, NULL, NULL, "the level of the target column for models"),
    CAIRN_PARAM(horn_params, ask, "no", NULL,
                "answer yourself, line by line from the terminal or standard input, after what "
                "--answers says"),
    CAIRN_PARAM(horn_params, answers, NULL, NULL,
                "your answers beforehand, separated by ;: yes, no, right, or a counter-example by "
                "its true variables, 'a,b', with its sign if you like, '-a,c'; without --ask the "
                "report ends with the next question"),
    CAIRN_PARAM_END,
};

typedef struct clause {
    uint32_t body;
    int head; /* -1 = false */
} clause;

typedef struct clauses {
    clause *list;
    size_t n, capacity;
} clauses;

typedef struct horn {
    cairn_context *ctx;
    cairn_report *out;
    const horn_params *p;
    cairn_map names;
    size_t n_variables;
    clauses target, h;
    uint32_t *s; /* negative instances */
    size_t n_s, s_capacity;
    uint32_t *pool; /* instances that are tried as counter-examples */
    bool *labels;   /* of the pool */
    size_t n_pool;
    uint32_t *places;   /* of each instance in the pool of a table, from 1; 0 = unlisted */
    uint32_t *examples; /* to be tried first */
    size_t n_examples, examples_capacity;
    bool user;         /* a person answers everything */
    const char *left;  /* of --answers */
    uint8_t *said;     /* what the person said of each instance: 0 nothing, 1 no, 2 yes */
    cairn_text script; /* all answers, as --answers takes them */
    bool waiting;      /* the answers have come to an end */
    bool heads_false, has_target, steps;
    size_t round, queries, round_queries, equivalences;
    const char *trouble; /* why there is no theory */
} horn;

static int count_bits(uint32_t x)
{
    int n = 0;
    for (; x; x &= x - 1) n++;
    return n;
}

static uint32_t bit_of(const horn *t, size_t variable)
{
    return (uint32_t)1 << (t->n_variables - 1 - variable);
}

static bool holds(const horn *t, clause c, uint32_t x)
{
    return (x & c.body) != c.body || (c.head >= 0 && (x & bit_of(t, (size_t)c.head)));
}

static bool satisfies(const horn *t, const clauses *theory, uint32_t x)
{
    for (size_t i = 0; i < theory->n; i++)
        if (!holds(t, theory->list[i], x)) return false;
    return true;
}

static cairn_status add_clause(cairn_context *ctx, clauses *theory, clause c)
{
    cairn_status status = GROW(ctx, &theory->list, &theory->capacity, theory->n + 1);
    if (status == CAIRN_OK) theory->list[theory->n++] = c;
    return status;
}

/* -- reading -- */

static void skip_blanks(const char *text, size_t *at)
{
    while (text[*at] == ' ' || text[*at] == '\t' || text[*at] == '\n') ++*at;
}

/* Length of the name at text[at]: up to a blank, a mark or an arrow. */
static size_t name_length(const char *text, size_t at)
{
    size_t n = 0;
    while (text[at + n] && !strchr(" \t\n,;&", text[at + n]) &&
           !((text[at + n] == '-' || text[at + n] == '=') && text[at + n + 1] == '>'))
        n++;
    return n;
}

/* Where the name at text[*at] begins, and its length; a name in double quotes may hold blanks.
 * Moves behind it. */
static size_t take_name(const char *text, size_t *at, size_t *length)
{
    size_t from = *at;
    const char *end = text[from] == '"' ? strchr(text + from + 1, '"') : NULL;
    *length = end ? (size_t)(end - text) - ++from : name_length(text, from);
    *at = from + *length + (end != NULL);
    return from;
}

static cairn_status no_variable(horn *t, const char *option, const char *text, size_t at)
{
    cairn_text names = cairn_text_start(t->ctx);
    for (size_t v = 0; v < t->names.n; v++)
        cairn_text_addf(&names, "%s%s", v ? ", " : "", cairn_map_key(&t->names, v));
    cairn_status status = cairn_text_status(&names);
    if (status == CAIRN_OK)
        status =
            cairn_fail_place(t->ctx, text, at, "%s: there is no such variable; they are %.400s",
                             cairn_say(t->ctx, option), cairn_text_string(&names));
    cairn_text_clear(&names);
    return status;
}

/* The number of a variable; `fresh` = unknown names are new variables. */
static cairn_status read_variable(horn *t, size_t *out, const char *option, const char *text,
                                  size_t *at, bool fresh)
{
    size_t place = *at, length, from = take_name(text, at, &length);
    if (length == 0)
        CHECK(cairn_fail_place(t->ctx, text, place, "%s: a variable is expected here",
                               cairn_say(t->ctx, option)));
    int64_t found = cairn_map_find(&t->names, text + from, length);
    if (found < 0 && !fresh) CHECK(no_variable(t, option, text, place));
    if (found < 0 && t->names.n == MOST_VARIABLES)
        CHECK(cairn_fail_place(t->ctx, text, place, "%s: there are more than %d variables",
                               cairn_say(t->ctx, option), MOST_VARIABLES));
    CHECK(cairn_map_add(t->ctx, &t->names, text + from, length, out));
    skip_blanks(text, at);
    return CAIRN_OK;
}

static bool is_word(const char *text, size_t at, const char *word)
{
    return name_length(text, at) == strlen(word) && strncmp(text + at, word, strlen(word)) == 0;
}

/* One clause "a & b -> c" at *at, up to ; or the end. Bodies are numbers of variables here, because
 * bits depend on how many there are. */
static cairn_status read_clause(horn *t, const char *text, size_t *at, bool fresh, clause *out,
                                size_t *body, size_t *n_body)
{
    size_t head;
    *n_body = 0;
    skip_blanks(text, at);
    bool bare = text[*at] == '-' && text[*at + 1] == '>';
    if (!bare && is_word(text, *at, "true")) {
        *at += strlen("true");
        skip_blanks(text, at);
        bare = true;
        if (!text[*at] || text[*at] == ';') { /* says nothing */
            out->head = (int)MOST_VARIABLES;
            return CAIRN_OK;
        }
    }
    while (!bare) {
        if (*n_body == 64)
            CHECK(cairn_fail_place(t->ctx, text, *at, "{theory}: the body is too long"));
        CHECK(read_variable(t, &body[*n_body], "{theory}", text, at, fresh));
        ++*n_body;
        if (text[*at] != '&') break;
        ++*at;
        skip_blanks(text, at);
    }
    if (text[*at] == '=' && text[*at + 1] == '>')
        CHECK(cairn_fail_place(t->ctx, text, *at, "{theory}: an arrow is written ->"));
    if (text[*at] != '-' || text[*at + 1] != '>')
        CHECK(cairn_fail_place(t->ctx, text, *at, "{theory}: & or -> is expected here"));
    *at += 2;
    skip_blanks(text, at);
    out->head = -1;
    if (is_word(text, *at, "false")) {
        *at += strlen("false");
        skip_blanks(text, at);
    } else {
        CHECK(read_variable(t, &head, "{theory}", text, at, fresh));
        out->head = (int)head;
    }
    if (text[*at] && text[*at] != ';')
        CHECK(cairn_fail_place(t->ctx, text, *at,
                               "{theory}: a clause has one head; ; separates clauses"));
    return CAIRN_OK;
}

/* All clauses; called twice, to find the variables and then to use them. */
static cairn_status read_theory(horn *t, bool fresh, bool keep)
{
    const char *text = t->p->theory;
    size_t at = 0, body[64], n_body;
    for (;; at++) {
        clause c = {0};
        skip_blanks(text, &at);
        if (!text[at]) break;
        CHECK(read_clause(t, text, &at, fresh, &c, body, &n_body));
        for (size_t i = 0; keep && i < n_body; i++) c.body |= bit_of(t, body[i]);
        if (keep && c.head < MOST_VARIABLES) CHECK(add_clause(t->ctx, &t->target, c));
        if (!text[at]) break;
    }
    return CAIRN_OK;
}

static bool is_one_of(const char *word, size_t length, const char *const *list)
{
    for (; *list; list++)
        if (strlen(*list) == length && strncmp(word, *list, length) == 0) return true;
    return false;
}

static const char *const words_for_yes[] = {"pos", "positive", "yes", "true", "1", "+", NULL};
static const char *const words_for_no[] = {"neg", "negative", "no", "false", "0", "-", NULL};

/* "a=1" at text[from]: whether the variable is named and its value. */
static bool read_assignment(const horn *t, const char *text, size_t from, size_t length,
                            int64_t *variable, bool *value)
{
    size_t cut = length;
    while (cut > 0 && text[from + cut - 1] != '=') cut--;
    if (cut < 2) return false;
    const char *word = text + from + cut;
    *variable = cairn_map_find(&t->names, text + from, cut - 1);
    *value = is_one_of(word, length - cut, words_for_yes);
    return *variable >= 0 && (*value || is_one_of(word, length - cut, words_for_no));
}

/* A word of as many 0 and 1 as there are variables. */
static bool read_bits(const horn *t, const char *text, size_t *at, uint32_t *out)
{
    size_t n = name_length(text, *at);
    if (n != t->n_variables || cairn_map_find(&t->names, text + *at, n) >= 0) return false;
    for (size_t v = 0; v < n; v++) {
        if (text[*at + v] != '0' && text[*at + v] != '1') return false;
        if (text[*at + v] == '1') *out |= bit_of(t, v);
    }
    *at += n;
    return true;
}

/* An instance at *at: its variables, separated by commas, blanks or &; those that are not named are
 * false. */
static cairn_status read_instance(horn *t, const char *option, const char *text, size_t *at,
                                  uint32_t *out)
{
    uint32_t named = 0;
    *out = 0;
    skip_blanks(text, at);
    if (is_word(text, *at, "none") && cairn_map_find(&t->names, "none", 4) < 0)
        *at += strlen("none");
    else
        read_bits(t, text, at, out);
    skip_blanks(text, at);
    while (text[*at] && text[*at] != ';') {
        /* One part of an instance: a variable, "not" or ! before it, or an assignment. */
        size_t place = *at, length, from = take_name(text, at, &length);
        int64_t variable = cairn_map_find(&t->names, text + from, length);
        bool yes = true;
        if (variable < 0 && length == 3 && strncmp(text + from, "not", 3) == 0) {
            skip_blanks(text, at);
            from = take_name(text, at, &length);
            variable = cairn_map_find(&t->names, text + from, length);
            yes = false;
        } else if (variable < 0 && length > 1 && text[from] == '!') {
            variable = cairn_map_find(&t->names, text + from + 1, length - 1);
            yes = false;
        }
        if (variable < 0 && !read_assignment(t, text, from, length, &variable, &yes))
            CHECK(no_variable(t, option, text, place));
        uint32_t bit = bit_of(t, (size_t)variable);
        if ((named & bit) && !(*out & bit) == yes)
            CHECK(cairn_fail_place(t->ctx, text, place, "%s: this variable was the opposite before",
                                   cairn_say(t->ctx, option)));
        named |= bit;
        if (yes) *out |= bit;
        skip_blanks(text, at);
        if (text[*at] == ',' || text[*at] == '&') ++*at;
        skip_blanks(text, at);
    }
    return CAIRN_OK;
}

static cairn_status read_names(horn *t)
{
    char **list;
    size_t n, index;
    CHECK(cairn_list_split(t->ctx, t->p->variables, &list, &n));
    if (n > MOST_VARIABLES)
        CHECK(cairn_fail(t->ctx, CAIRN_USAGE, "{variables}: at most %d are taken", MOST_VARIABLES));
    for (size_t i = 0; i < n; i++)
        CHECK(cairn_map_add(t->ctx, &t->names, list[i], strlen(list[i]), &index));
    return CAIRN_OK;
}

/* -- oracles -- */

/* Numbers are positive above 0; names are read as yes or no where they are such words, else
 * {positive} must say. */
static cairn_status row_label(horn *t, const cairn_table *table, size_t row, bool *out)
{
    ptrdiff_t at = cairn_table_role_column(table, CAIRN_TARGET);
    const cairn_column *column = table->slots[at].column;
    if (column->kind != CAIRN_LEVEL && column->kind != CAIRN_NUMBER)
        return cairn_fail(t->ctx, CAIRN_BAD_DATA, "the target '%s' must hold classes",
                          table->slots[at].name);
    if (cairn_column_is_missing(column, row))
        return cairn_fail(t->ctx, CAIRN_BAD_DATA, "%s: row %zu has no answer in column '%s'",
                          table->source ? table->source : "the table", row + 1,
                          table->slots[at].name);
    if (column->kind == CAIRN_NUMBER) {
        *out = column->numbers[row] > 0;
        return CAIRN_OK;
    }
    const char *name = cairn_level_name(column, column->codes[row]);
    *out = t->p->positive ? cairn_same(name, t->p->positive)
                          : is_one_of(name, strlen(name), words_for_yes);
    if (!t->p->positive && !*out && !is_one_of(name, strlen(name), words_for_no))
        return cairn_fail(t->ctx, CAIRN_USAGE,
                          "is '%s' in column '%s' positive or negative? Say {positive LEVEL}", name,
                          table->slots[at].name);
    return CAIRN_OK;
}

/* The rows are the pool. */
static cairn_status read_data(horn *t, const cairn_table *table)
{
    cairn_instances at;
    size_t index, *rows;
    if (cairn_table_role_column(table, CAIRN_TARGET) < 0)
        CHECK(cairn_fail(t->ctx, CAIRN_USAGE,
                         "name the column that has the answers, such as {target} class"));
    CHECK(cairn_bits_read(t->ctx, &at, table, MOST_VARIABLES));
    for (size_t j = 0; j < at.p; j++)
        CHECK(cairn_map_add(t->ctx, &t->names, at.columns[j], strlen(at.columns[j]), &index));
    t->n_variables = at.p;
    CHECK(SCRATCH_EACH(t->ctx, at.n + ((size_t)1 << at.p), &t->pool, &t->labels));
    CHECK(SCRATCH(t->ctx, &t->places, (size_t)1 << at.p));
    CHECK(SCRATCH(t->ctx, &rows, at.n));
    for (size_t i = 0; i < at.n; i++) {
        uint32_t x = 0;
        bool label;
        for (size_t j = 0; j < at.p; j++)
            if (at.x[i * at.p + j] == 1) x |= bit_of(t, j);
        CHECK(row_label(t, table, i, &label));
        size_t place = t->places[x];
        if (place && t->labels[place - 1] != label)
            CHECK(cairn_fail(t->ctx, CAIRN_BAD_DATA,
                             "%s: rows %zu and %zu are the same instance with different answers; "
                             "correct one of them or leave it out with {where}",
                             table->source ? table->source : "the table", rows[place - 1] + 1,
                             i + 1));
        if (place) continue;
        rows[t->n_pool] = i;
        t->labels[t->n_pool] = label;
        t->pool[t->n_pool++] = x;
        t->places[x] = (uint32_t)t->n_pool;
    }
    bool closed = t->p->unlisted == UNLISTED_POSITIVE || t->p->unlisted == UNLISTED_NEGATIVE;
    for (uint32_t x = 0; closed && x >> at.p == 0; x++) {
        if (t->places[x]) continue;
        t->labels[t->n_pool] = t->p->unlisted == UNLISTED_POSITIVE;
        t->pool[t->n_pool++] = x;
        t->places[x] = (uint32_t)t->n_pool;
    }
    return CAIRN_OK;
}

/* Sort the pool by the number of true literals, keeping the order of equals, or shuffle it. */
static cairn_status order_pool(horn *t)
{
    size_t *order, n = 0;
    uint32_t *pool;
    bool *labels;
    CHECK(SCRATCH_EACH(t->ctx, t->n_pool, &order, &pool, &labels));
    if (t->p->order == ORDER_MOST || t->p->order == ORDER_FEWEST) {
        for (int k = 0; k <= (int)t->n_variables; k++)
            for (size_t i = 0; i < t->n_pool; i++) {
                int wanted = t->p->order == ORDER_MOST ? (int)t->n_variables - k : k;
                if (count_bits(t->pool[i]) == wanted) order[n++] = i;
            }
    } else {
        for (size_t i = 0; i < t->n_pool; i++) order[i] = i;
    }
    if (t->p->order == ORDER_RANDOM) {
        cairn_random random;
        cairn_random_start(&random, t->ctx->seed, 0);
        cairn_random_shuffle(&random, order, t->n_pool);
    }
    for (size_t i = 0; i < t->n_pool; i++) {
        pool[i] = t->pool[order[i]];
        labels[i] = t->labels[order[i]];
        if (t->places) t->places[pool[i]] = (uint32_t)i + 1;
    }
    t->pool = pool;
    t->labels = labels;
    return CAIRN_OK;
}

/* -- words -- */

static void add_instance(cairn_text *text, const horn *t, uint32_t x)
{
    for (size_t v = 0; v < t->n_variables; v++)
        cairn_text_addf(text, "%s%s%s", v ? " & " : "", x & bit_of(t, v) ? "" : "not ",
                        cairn_map_key(&t->names, v));
}

static void add_clause_words(cairn_text *text, const horn *t, clause c)
{
    bool any = false;
    for (size_t v = 0; v < t->n_variables; v++)
        if (c.body & bit_of(t, v)) {
            cairn_text_addf(text, "%s%s", any ? " & " : "", cairn_map_key(&t->names, v));
            any = true;
        }
    cairn_text_addf(text, "%s -> %s", any ? "" : "true",
                    c.head < 0 ? "false" : cairn_map_key(&t->names, (size_t)c.head));
}

static void add_set(cairn_text *text, const horn *t, uint32_t x)
{
    bool any = false;
    cairn_text_add_char(text, '{');
    for (size_t v = 0; v < t->n_variables; v++)
        if (x & bit_of(t, v)) {
            cairn_text_addf(text, "%s%s", any ? ", " : "", cairn_map_key(&t->names, v));
            any = true;
        }
    cairn_text_add_char(text, '}');
}

static void show_theory(horn *t, const char *label, const clauses *theory, const char *name)
{
    cairn_text text = cairn_text_start(t->ctx);
    for (size_t i = 0; i < theory->n; i++) {
        if (i) cairn_text_add(&text, "; ");
        add_clause_words(&text, t, theory->list[i]);
    }
    if (theory->n == 0) cairn_text_add(&text, "true");
    cairn_report_word(t->out, label, cairn_text_string(&text), "%s", name);
    cairn_report_failed(t->out, cairn_text_status(&text));
    cairn_text_clear(&text);
}

/* -- questions -- */

/* An answer: what is left of --answers, or a line that was typed. */
typedef struct reply {
    const char *text, *option;
    size_t at;
    bool live;
} reply;

/* Reads a reply; a mistake fails with CAIRN_USAGE. */
typedef cairn_status (*reply_reader)(horn *t, reply *r, void *out);

static cairn_status next_reply(horn *t, const char *question, reply *out)
{
    const char *line = NULL;
    *out = (reply){.text = t->p->answers, .option = "{answers}"};
    if (t->left) {
        out->at = (size_t)(t->left - t->p->answers);
        skip_blanks(out->text, &out->at);
        if (out->text[out->at]) return CAIRN_OK;
        t->left = NULL;
    }
    if (t->p->ask || t->p->unlisted == UNLISTED_ASK) CHECK(cairn_ask(t->ctx, question, &line));
    if (line && cairn_same(line, "quit") && cairn_map_find(&t->names, "quit", 4) < 0) line = NULL;
    *out = (reply){.text = line, .option = "the answer", .live = true};
    t->waiting = !line;
    return CAIRN_OK;
}

/* Ask until the reply is understood; a mistake in --answers is one of the command. */
static cairn_status ask(horn *t, const char *question, reply_reader read, void *out)
{
    cairn_status status;
    cairn_text again = cairn_text_start(t->ctx);
    cairn_text_add(&again, question);
    for (;;) {
        reply r;
        TRY(cairn_text_status(&again));
        TRY(next_reply(t, cairn_text_string(&again), &r));
        if (t->waiting) break;
        status = read(t, &r, out);
        if (status == CAIRN_OK) {
            /* Nothing but the end may follow. */
            skip_blanks(r.text, &r.at);
            if (r.text[r.at] && r.text[r.at] != ';')
                status =
                    cairn_fail_place(t->ctx, r.text, r.at, "%s: %s", cairn_say(t->ctx, r.option),
                                     r.live ? "the answer should end here" : "; separates answers");
            else if (r.live && r.text[r.at]) {
                status = cairn_fail_place(t->ctx, r.text, r.at, "%s: one answer at a time",
                                          cairn_say(t->ctx, r.option));
            } else {
                if (!r.live) t->left = r.text + r.at + (r.text[r.at] == ';');
            }
        }
        if (status == CAIRN_OK) break;
        if (status != CAIRN_USAGE || !r.live) goto done;
        cairn_text_clear(&again);
        again = cairn_text_start(t->ctx);
        cairn_text_addf(&again, "%s\n%s", cairn_message(t->ctx), question);
    }
done:
    cairn_text_clear(&again);
    return status;
}

static void keep_script(horn *t, const char *sign, const char *answer)
{
    cairn_text_addf(&t->script, "%s%s%s", t->script.length ? "; " : "", sign, answer);
}

/* Whether the reply is this word, which no variable may bear. */
static bool take_word(const horn *t, reply *r, const char *word)
{
    size_t length = strlen(word);
    if (!is_word(r->text, r->at, word) || cairn_map_find(&t->names, word, length) >= 0)
        return false;
    r->at += length;
    return true;
}

static cairn_status read_yes_no(horn *t, reply *r, void *out)
{
    bool *yes = out;
    size_t place = r->at;
    bool no = is_word(r->text, place, "no") || is_word(r->text, place, "n");
    *yes = is_word(r->text, place, "yes") || is_word(r->text, place, "y");
    if (!*yes && !no)
        return cairn_fail_place(t->ctx, r->text, place,
                                "%s: this question is answered by yes or no",
                                cairn_say(t->ctx, r->option));
    r->at += name_length(r->text, place);
    return CAIRN_OK;
}

/* Ask a person about x. */
static cairn_status ask_member(horn *t, uint32_t x, bool *out)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(t->ctx);
    cairn_text_add(&text, "Is this a model: ");
    add_instance(&text, t, x);
    cairn_text_add(&text, " ? [y/n] ");
    CHECK(cairn_text_status(&text));
    CHECK(ask(t, cairn_text_string(&text), read_yes_no, out));
    if (t->waiting) return CAIRN_OK;
    t->said[x] = *out ? 2 : 1;
    keep_script(t, "", *out ? "yes" : "no");
    return CAIRN_OK;
}

/* Is x a model of the target? */
static cairn_status member(horn *t, uint32_t x, bool *out)
{
    const char *remark = "";
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(t->ctx);
    t->queries++;
    t->round_queries++;
    add_instance(&text, t, x);
    CHECK(cairn_text_status(&text));
    if (!t->user && t->places && !t->places[x] && t->p->unlisted == UNLISTED_REFUSED)
        CHECK(cairn_fail(t->ctx, CAIRN_BAD_DATA,
                         "the table has no row for %s; choose another {unlisted}",
                         cairn_text_string(&text)));
    /* The answer without its words. */
    *out = true;
    if (t->said && t->said[x]) {
        *out = t->said[x] == 2;
        remark = ", as was said before";
    } else if (t->has_target) {
        *out = satisfies(t, &t->target, x);
    } else if (!t->user && t->places[x]) {
        *out = t->labels[t->places[x] - 1];
    } else if (t->user || t->p->unlisted == UNLISTED_ASK) {
        CHECK(ask_member(t, x, out));
    } else {
        remark = ", as the table does not say otherwise";
    }
    if (t->waiting) {
        t->queries--; /* nobody answered */
        cairn_text_add(&text, " is a model?");
        cairn_report_word(t->out, "next question", cairn_text_string(&text), "question");
        return CAIRN_OK;
    }
    cairn_report_paragraph(t->out, "Is %s a model? %s%s.", cairn_text_string(&text),
                           *out ? "Yes" : "No", remark);
    cairn_report_hidden_word(t->out, cairn_text_string(&text), "query%zu.instance", t->queries);
    cairn_report_hidden_word(t->out, *out ? "yes" : "no", "query%zu.answer", t->queries);
    return CAIRN_OK;
}

typedef struct verdict {
    uint32_t x;
    bool right, label;
} verdict;

/* "right", or a counter-example: h is wrong about it, so its sign need not be told. */
static cairn_status read_verdict(horn *t, reply *r, void *out)
{
    verdict *v = out;
    const char *text = r->text;
    size_t place = r->at;
    v->right = take_word(t, r, "right") || take_word(t, r, "yes") || take_word(t, r, "y");
    if (v->right) return CAIRN_OK;
    if (!text[r->at] || take_word(t, r, "no") || take_word(t, r, "n") || take_word(t, r, "wrong"))
        return cairn_fail_place(t->ctx, text, place,
                                "%s: then give an instance about which the theory is wrong: its "
                                "true variables, or 'none'",
                                cairn_say(t->ctx, r->option));
    char sign = text[r->at];
    if (sign == '+' || sign == '-') r->at++;
    CHECK(read_instance(t, r->option, text, &r->at, &v->x));
    v->label = !satisfies(t, &t->h, v->x);
    if ((sign == '+' || sign == '-') && v->label != (sign == '+'))
        CHECK(
            cairn_fail_place(t->ctx, text, place,
                             "%s: the theory says the same about this instance: no counter-example",
                             cairn_say(t->ctx, r->option)));
    if (t->said[v->x] && (t->said[v->x] == 2) != v->label)
        CHECK(cairn_fail_place(t->ctx, text, place,
                               "%s: the theory has it from you that this is %sa model",
                               cairn_say(t->ctx, r->option), t->said[v->x] == 2 ? "" : "not "));
    return CAIRN_OK;
}

/* An instance of which a person has said the opposite of what h says. */
static bool said_otherwise(const horn *t, uint32_t *x, bool *label)
{
    for (*x = 0; *x >> t->n_variables == 0; ++*x) {
        *label = t->said[*x] == 2;
        if (t->said[*x] && satisfies(t, &t->h, *x) != *label) return true;
    }
    return false;
}

/* Ask a person whether h is right. */
static cairn_status ask_equivalence(horn *t, uint32_t *x, bool *label, bool *right)
{
    verdict v = {0};
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(t->ctx);
    cairn_text_add(&text, "Is this theory right?\n");
    for (size_t i = 0; i < t->h.n && i < SHOWN_CLAUSES; i++) {
        cairn_text_add(&text, "    ");
        add_clause_words(&text, t, t->h.list[i]);
        cairn_text_add_char(&text, '\n');
    }
    if (t->h.n > SHOWN_CLAUSES) cairn_text_addf(&text, "    ... (%zu clauses)\n", t->h.n);
    if (!t->h.n) cairn_text_add(&text, "    true (everything is a model)\n");
    cairn_text_addf(&text, "[y, or an instance about which it is wrong, such as %s=1] ",
                    cairn_map_key(&t->names, 0));
    CHECK(cairn_text_status(&text));
    CHECK(ask(t, cairn_text_string(&text), read_verdict, &v));
    if (t->waiting) {
        t->equivalences--;
        cairn_report_word(t->out, "next question", "is this theory right?", "question");
        return CAIRN_OK;
    }
    *x = v.x;
    *label = v.label;
    *right = v.right;
    cairn_text_clear(&text);
    text = cairn_text_start(t->ctx);
    if (!v.right) {
        t->said[v.x] = v.label ? 2 : 1;
        for (size_t i = 0; i < t->n_variables; i++)
            cairn_text_add_char(&text, v.x & bit_of(t, i) ? '1' : '0');
    }
    CHECK(cairn_text_status(&text));
    keep_script(t,
                v.right   ? ""
                : v.label ? "+"
                          : "-",
                v.right ? "right" : cairn_text_string(&text));
    return CAIRN_OK;
}

/* A counter-example to h, the given ones first; `right` when there is none. */
static cairn_status equivalence(horn *t, uint32_t *x, bool *label, bool *right)
{
    *right = false;
    if (t->user && said_otherwise(t, x, label)) return CAIRN_OK;
    t->equivalences++;
    if (t->user) return ask_equivalence(t, x, label, right);
    for (size_t e = 0; e < t->n_examples; e++)
        for (size_t i = 0; i < t->n_pool; i++)
            if (t->pool[i] == t->examples[e] && satisfies(t, &t->h, t->pool[i]) != t->labels[i]) {
                *x = t->pool[i];
                *label = t->labels[i];
                t->n_examples--;
                memmove(t->examples + e, t->examples + e + 1,
                        (t->n_examples - e) * sizeof *t->examples);
                return CAIRN_OK;
            }
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < t->n_pool; i++) {
            bool wanted = t->p->prefer == PREFER_NEITHER ||
                          t->labels[i] == ((t->p->prefer == PREFER_POSITIVE) == (pass == 0));
            if (!wanted || satisfies(t, &t->h, t->pool[i]) == t->labels[i]) continue;
            *x = t->pool[i];
            *label = t->labels[i];
            return CAIRN_OK;
        }
    *right = true;
    return CAIRN_OK;
}

/* -- learning -- */

/* Every clause of h about a positive counter-example; those that it violates go. */
static void work_clauses(horn *t, uint32_t x)
{
    cairn_report_table_of(t->out, "The clauses of h about x", 0, "lccl", "clause", "body holds",
                          "head holds", "");
    for (size_t i = 0; i < t->h.n; i++) {
        clause c = t->h.list[i];
        SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(t->ctx);
        bool body = (x & c.body) == c.body;
        add_clause_words(&text, t, c);
        cairn_report_prefix(t->out, "round%zu.clause%zu", t->round, i + 1);
        cairn_report_cells(t->out, "- - - @", cairn_text_string(&text), body ? "yes" : "no",
                           c.head >= 0 && (x & bit_of(t, (size_t)c.head)) ? "yes" : "no",
                           holds(t, c, x) ? "stays" : "violated: goes");
        cairn_report_failed(t->out, cairn_text_status(&text));
    }
}

/* A negative counter-example with every s of S: the first s whose meeting with x is smaller and is
 * no model is replaced by it. */
static void work_meetings(horn *t, uint32_t x)
{
    if (!t->n_s) return;
    cairn_report_table_of(t->out, "S and x", 0, "lll", "s", "s & x", "");
    for (size_t i = 0; i < t->n_s; i++) {
        SCOPED(cairn_text_clear) cairn_text s = cairn_text_start(t->ctx);
        SCOPED(cairn_text_clear) cairn_text both = cairn_text_start(t->ctx);
        add_set(&s, t, t->s[i]);
        add_set(&both, t, t->s[i] & x);
        cairn_report_prefix(t->out, "round%zu.meeting%zu", t->round, i + 1);
        cairn_report_cells(t->out, "- @", cairn_text_string(&s), cairn_text_string(&both),
                           (t->s[i] & x) == t->s[i] ? "no smaller than s: passed over"
                           : (t->s[i] & x) == x     ? "x itself: no model"
                                                    : "smaller than s: is it a model?");
        cairn_report_failed(t->out, cairn_text_status(&s));
        cairn_report_failed(t->out, cairn_text_status(&both));
    }
}

static cairn_status make_theory(horn *t)
{
    t->h.n = 0;
    for (size_t i = 0; i < t->n_s; i++) {
        for (size_t v = 0; v < t->n_variables; v++)
            if (!(t->s[i] & bit_of(t, v)))
                CHECK(add_clause(t->ctx, &t->h, (clause){t->s[i], (int)v}));
        if (t->heads_false) CHECK(add_clause(t->ctx, &t->h, (clause){t->s[i], -1}));
    }
    return CAIRN_OK;
}

/* What a negative counter-example does to S; `action` says it. */
static cairn_status use_negative(horn *t, uint32_t x, const char **action)
{
    for (size_t i = 0; i < t->n_s; i++) {
        uint32_t both = t->s[i] & x;
        bool model = false; /* as x itself is known to be */
        if (both == t->s[i]) continue;
        if (both != x) CHECK(member(t, both, &model));
        if (t->waiting) return CAIRN_OK;
        if (model) continue;
        t->s[i] = both;
        *action = "replace s by s & x";
        return make_theory(t);
    }
    for (size_t i = 0; i < t->n_s; i++)
        if (t->s[i] == x) {
            t->trouble = "positive instances meet in this negative one: no Horn theory fits";
            return CAIRN_OK;
        }
    CHECK(GROW(t->ctx, &t->s, &t->s_capacity, t->n_s + 1));
    t->s[t->n_s++] = x;
    *action = "append x to S";
    return make_theory(t);
}

static void show_round(horn *t, const char *action)
{
    cairn_text text = cairn_text_start(t->ctx);
    char name[40];
    for (size_t i = 0; i < t->n_s; i++) {
        if (i) cairn_text_add(&text, "; ");
        add_set(&text, t, t->s[i]);
    }
    cairn_report_word(t->out, "action", action, "round%zu.action", t->round);
    cairn_report_word(t->out, "S", cairn_text_string(&text), "round%zu.s", t->round);
    snprintf(name, sizeof name, "round%zu.theory", t->round);
    show_theory(t, "h", &t->h, name);
    cairn_report_failed(t->out, cairn_text_status(&text));
    cairn_text_clear(&text);
}

/* One counter-example. */
static cairn_status one_round(horn *t, uint32_t x, bool label)
{
    cairn_status status = CAIRN_OK;
    const char *action = "remove violated clauses";
    char name[40];
    cairn_report *out = t->out;
    if (++t->round > SHOWN_ROUNDS) t->out = NULL;
    t->round_queries = 0;
    cairn_report_step_begin(t->out, "A %s counter-example", label ? "positive" : "negative");
    snprintf(name, sizeof name, "round%zu.example", t->round);
    if (t->out) {
        cairn_text text = cairn_text_start(t->ctx);
        add_instance(&text, t, x);
        cairn_report_word(t->out, "x", cairn_text_string(&text), "%s", name);
        cairn_report_failed(t->out, cairn_text_status(&text));
        cairn_text_clear(&text);
    }
    cairn_report_hidden_word(t->out, label ? "positive" : "negative", "round%zu.label", t->round);
    if (t->out && t->steps) label ? work_clauses(t, x) : work_meetings(t, x);
    if (label) {
        size_t n = 0;
        for (size_t i = 0; i < t->h.n; i++)
            if (holds(t, t->h.list[i], x)) t->h.list[n++] = t->h.list[i];
        t->h.n = n;
    } else
        TRY(use_negative(t, x, &action));
    if (t->out && !t->waiting && !t->trouble) show_round(t, action);
done:
    cairn_report_step_end(t->out);
    t->out = out;
    return status;
}

static cairn_status learn(horn *t)
{
    bool model = true, right = false, label = false;
    uint32_t x = 0;
    CHECK(member(t, (uint32_t)(((uint64_t)1 << t->n_variables) - 1), &model));
    t->heads_false = !model;
    while (!t->waiting && !t->trouble) {
        CHECK(cairn_tick(t->ctx, NULL, 0, 0));
        if (t->round == MOST_ROUNDS)
            CHECK(cairn_fail(t->ctx, CAIRN_USAGE, "no theory after %d counter-examples",
                             MOST_ROUNDS));
        CHECK(equivalence(t, &x, &label, &right));
        if (right || t->waiting) break;
        CHECK(one_round(t, x, label));
    }
    return CAIRN_OK;
}

/* -- result -- */

/* Whether the other clauses imply this one: what follows from its body has the head. */
static bool follows(const horn *t, const clauses *theory, const bool *dropped, size_t which)
{
    clause c = theory->list[which];
    uint32_t closed = c.body;
    for (bool grows = true; grows;) {
        grows = false;
        for (size_t i = 0; i < theory->n; i++) {
            clause other = theory->list[i];
            if (i == which || dropped[i] || (closed & other.body) != other.body) continue;
            if (other.head < 0) return true;
            if (closed & bit_of(t, (size_t)other.head)) continue;
            closed |= bit_of(t, (size_t)other.head);
            grows = true;
        }
    }
    return c.head >= 0 && (closed & bit_of(t, (size_t)c.head));
}

static cairn_status show_reduced(horn *t)
{
    clauses reduced = {0};
    bool *dropped;
    cairn_status status;
    TRY(SCRATCH(t->ctx, &dropped, t->h.n));
    for (size_t i = t->h.n; i-- > 0;) dropped[i] = follows(t, &t->h, dropped, i);
    for (size_t i = 0; i < t->h.n; i++)
        if (!dropped[i]) TRY(add_clause(t->ctx, &reduced, t->h.list[i]));
    show_theory(t, "without clauses that follow from others", &reduced, "reduced");
done:
    cairn_free(reduced.list);
    return status;
}

/* With a user as oracle the answers given so far are printed, to go on from there with the same
 * command. */
static cairn_status show_result(horn *t)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(t->ctx);
    cairn_report_heading(t->out, 2, t->waiting ? "So far" : "Learned");
    if (t->trouble) cairn_report_note(t->out, "%s.", t->trouble);
    show_theory(t, "theory", &t->h, "theory");
    for (size_t i = 0; i < t->h.n; i++) {
        cairn_text_clear(&text);
        text = cairn_text_start(t->ctx);
        add_clause_words(&text, t, t->h.list[i]);
        CHECK(cairn_text_status(&text));
        cairn_report_hidden_word(t->out, cairn_text_string(&text), "clause%zu", i + 1);
    }
    cairn_report_value(t->out, "clauses", (double)t->h.n, "clauses");
    CHECK(show_reduced(t));
    if (!t->waiting)
        cairn_report_word(t->out,
                          t->has_target ? "equivalent to the target"
                          : t->user     ? "right, as you say"
                                        : "agrees with all",
                          t->trouble ? "no" : "yes", "equivalent");
    if (t->script.length) {
        CHECK(cairn_text_status(&t->script));
        cairn_report_word(t->out, "your answers", cairn_text_string(&t->script), "answers");
    }
    if (t->waiting)
        cairn_report_note(t->out, "To go on from here, give your answers with {answers} and %s.",
                          cairn_say(cairn_report_context(t->out),
                                    t->p->ask ? "{ask} again" : "one more, or add {ask}"));
    cairn_report_value(t->out, "counter-examples", (double)t->round, "rounds");
    cairn_report_value(t->out, "membership questions", (double)t->queries, "queries.membership");
    cairn_report_value(t->out, "equivalence questions", (double)t->equivalences,
                       "queries.equivalence");
    return CAIRN_OK;
}

/* Exactly one answers the questions: a theory, a table or the user; a table may leave to the
 * user what it does not have. */
static cairn_status choose_oracle(horn *t, const cairn_table *table)
{
    const horn_params *p = t->p;
    bool answers = p->ask || p->answers;
    t->user = answers && !p->theory && !table;
    if (!!p->theory + !!table + t->user != 1)
        CHECK(cairn_fail(t->ctx, CAIRN_USAGE,
                         "who answers? Give one of {theory}, a table, or {ask} (or {answers})"));
    if (answers && (p->theory || p->unlisted != UNLISTED_ASK) && !t->user)
        CHECK(cairn_fail(
            t->ctx, CAIRN_USAGE, "%s answers already: leave out {ask} and {answers}%s",
            table ? "the table" : "the theory",
            cairn_say(t->ctx, table ? ", or let {unlisted ask} about what it does not have" : "")));
    if (t->user && !p->variables)
        CHECK(cairn_fail(t->ctx, CAIRN_USAGE, "%s needs the names of the {variables}",
                         cairn_say(t->ctx, p->ask ? "{ask}" : "{answers}")));
    if (t->user && p->examples)
        CHECK(
            cairn_fail(t->ctx, CAIRN_USAGE, "{examples}: the counter-examples are yours to give"));
    if (p->variables && table)
        CHECK(cairn_fail(t->ctx, CAIRN_USAGE, "{variables}: the table has names of its own"));
    if (p->variables) CHECK(read_names(t));
    if (table) {
        CHECK(read_data(t, table));
    } else if (p->theory) {
        CHECK(read_theory(t, !p->variables, false));
        t->n_variables = t->names.n;
        t->has_target = true;
        CHECK(read_theory(t, false, true));
        t->n_pool = (size_t)1 << t->n_variables;
        CHECK(SCRATCH_EACH(t->ctx, t->n_pool, &t->pool, &t->labels));
        for (size_t i = 0; i < t->n_pool; i++) {
            t->pool[i] = (uint32_t)i;
            t->labels[i] = satisfies(t, &t->target, (uint32_t)i);
        }
    } else {
        t->n_variables = t->names.n;
    }
    if (t->n_variables == 0) CHECK(cairn_fail(t->ctx, CAIRN_USAGE, "there are no variables"));
    t->left = p->answers;
    if (!p->theory) CHECK(SCRATCH(t->ctx, &t->said, (size_t)1 << t->n_variables));
    const char *text = t->p->examples;
    for (size_t at = 0; text && text[at]; at += text[at] == ';') {
        CHECK(GROW(t->ctx, &t->examples, &t->examples_capacity, t->n_examples + 1));
        CHECK(read_instance(t, "{examples}", text, &at, &t->examples[t->n_examples]));
        t->n_examples++;
    }
    if (!t->user) CHECK(order_pool(t));
    return CAIRN_OK;
}

/* Pools of instances are known only where a theory or a table answers; a user gives counter-
 * examples one by one. */
static cairn_status horn_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    horn t = {.ctx = ctx,
              .out = out,
              .p = job->params,
              .steps = job->steps,
              .script = cairn_text_start(ctx)};
    size_t positives = 0;
    cairn_status status;
    TRY(choose_oracle(&t, job->table));
    cairn_report_heading(out, 1, "A Horn theory from questions");
    if (t.has_target) show_theory(&t, "target", &t.target, "target");
    if (!t.user) {
        for (size_t i = 0; i < t.n_pool; i++) positives += t.labels[i];
        cairn_report_value(out, "positive instances", (double)positives, "positives");
        cairn_report_value(out, "negative instances", (double)(t.n_pool - positives), "negatives");
    }
    TRY(learn(&t));
    TRY(show_result(&t));
done:
    cairn_map_clear(&t.names);
    cairn_text_clear(&t.script);
    FREE_EACH(t.target.list, t.h.list, t.s, t.examples);
    return status;
}

const cairn_calculator cairn_compute_horn = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "horn",
              .also = "Horn clauses, active learning of a theory, membership query, "
                      "equivalence query",
              .title = "A Horn theory from questions",
              .summary =
                  "Learns a set of Horn clauses by asking whether instances are models and "
                  "whether its theory is right. A target theory answers, a table of 0 and 1 with "
                  "a target column, or you: --ask puts its questions to you one by one, and "
                  "--answers goes through answers that you gave before. "
                  "Every counter-example is shown with what it changes.",
              .references = "Angluin, Frazier, Pitt: Learning conjunctions of Horn clauses, "
                            "Machine Learning 9, 1992; Flach: Machine Learning, 2012, chapter 4",
              .example = "cairn compute horn --theory 'teeth & short -> beak; teeth & gills -> "
                         "short'",
              .params = horn_table,
              .params_size = sizeof(horn_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .run = horn_run,
};
