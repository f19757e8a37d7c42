/* SPDX-License-Identifier: MIT */
/* Reading and writing Bayesian networks as text: words, then statements, then the network and what
 * the statements say of its tables. */
#include "model/network_text.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/number.h"
#include "model/task.h"

#include <math.h>
#include <string.h>

enum { MOST_VARIABLES = 10000 };

typedef enum { TOKEN_END, TOKEN_STOP, TOKEN_NAME, TOKEN_ARROW, TOKEN_NOT, TOKEN_SIGN } token_kind;

typedef struct token {
    token_kind kind;
    bool quoted;
    char sign;
    size_t at;
    const char *text; /* NAME: scratch */
} token;

/* A variable that has a value: a condition of an entry. */
typedef struct setting {
    int32_t variable, value; /* value -1: the whole distribution */
} setting;

/* P(head | conditions) = numbers */
typedef struct entry {
    setting head;
    setting *conditions;
    size_t n_conditions;
    double *p;
    size_t n_p;
    size_t at;
} entry;

typedef struct reader {
    cairn_context *ctx;
    const cairn_given *given;
    token *tokens;
    size_t next;
    bool fixed;
    cairn_map variables;
    cairn_map *values; /* of each variable */
    bool *declared;    /* its values were named */
    int32_t **orders; /* fixed: of each variable, its values as a declaration names them, or NULL */
    size_t values_buffer, declared_buffer;
    cairn_arc *arcs;
    size_t n_arcs, arcs_buffer;
    entry *entries;
    size_t n_entries, entries_buffer;
} reader;

/* -- words -- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool in_name(const char *at)
{
    unsigned char c = (unsigned char)*at;
    if (*at == '-' && at[1] == '>') return false;
    if (!strncmp(at, "\xc2\xac", 2)) return false;
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c >= 128 ||
           strchr("_.-+", c) != NULL;
}

/* The quote itself stands in quotes twice. */
static bool in_quotes(const char *at, char quote)
{
    return *at != quote || at[1] == quote;
}

/* The next token of the text; blanks and comments are passed over. */
static cairn_status read_token(cairn_context *ctx, const cairn_given *given, size_t *at, token *out)
{
    const char *text = given->text;
    while (*at < given->length && is_blank(text[*at])) ++*at;
    if (text[*at] == '#')
        while (*at < given->length && text[*at] != '\n') ++*at;
    *out = (token){.kind = TOKEN_END, .at = *at};
    if (*at >= given->length) return CAIRN_OK;
    if (strchr("'\"`", text[*at]) || in_name(text + *at)) {
        /* A bare or quoted name at *at, which moves behind it. */
        char *kept, quote = strchr("'\"`", text[*at]) ? text[*at] : 0;
        size_t begin = *at + (quote != 0), end = begin, n = 0;
        while (end < given->length && (quote ? in_quotes(text + end, quote) : in_name(text + end)))
            end += 1 + (quote && text[end] == quote);
        if (quote && end >= given->length)
            return cairn_given_fail(ctx, given, *at, "the quote does not end");
        CHECK(SCRATCH_RAW(ctx, &kept, end - begin + 1));
        for (size_t i = begin; i < end; i++) {
            kept[n++] = text[i];
            if (quote && text[i] == quote) i++;
        }
        kept[n] = 0;
        *out = (token){.kind = TOKEN_NAME, .quoted = quote != 0, .at = *at, .text = kept};
        if (!quote && !strcmp(kept, "not")) out->kind = TOKEN_NOT;
        *at = end + (quote != 0);
        return CAIRN_OK;
    }
    bool arrow = text[*at] == '-' && text[*at + 1] == '>', negation = text[*at] == '\xc2';
    bool stop = text[*at] == '\n' || text[*at] == ';';
    out->kind = arrow                          ? TOKEN_ARROW
                : negation || text[*at] == '~' ? TOKEN_NOT
                : stop                         ? TOKEN_STOP
                                               : TOKEN_SIGN;
    out->sign = text[*at];
    if (out->kind == TOKEN_SIGN && !strchr(",=/|()", out->sign))
        return cairn_given_fail(ctx, given, *at,
                                "a network has no sign '%c'; names that have it "
                                "stand in quotes",
                                out->sign);
    *at += arrow || negation ? 2 : 1;
    return CAIRN_OK;
}

static cairn_status read_tokens(cairn_context *ctx, const cairn_given *given, token **out)
{
    size_t at = 0, n = 0;
    CHECK(SCRATCH(ctx, out, given->length + 1));
    if (memchr(given->text, 0, given->length) ||
        cairn_utf8_check(given->text, given->length) < given->length)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%s is no text", given->name);
    do CHECK(read_token(ctx, given, &at, &(*out)[n]));
    while ((*out)[n++].kind != TOKEN_END);
    return CAIRN_OK;
}

/* -- names -- */

static const char *map_name(size_t i, const void *data)
{
    const cairn_map *map = data;
    return i < map->n ? cairn_map_key(map, i) : NULL;
}

/* Fail on a name that is not there: what is, and the nearest. */
static cairn_status fail_name(const reader *r, const token *t, const char *what,
                              const cairn_map *map)
{
    const char *near = cairn_nearest_word(t->text, map_name, map);
    if (near)
        return cairn_given_fail(r->ctx, r->given, t->at, "there is no %s '%s'; is it '%s'?", what,
                                t->text, near);
    return cairn_given_fail(r->ctx, r->given, t->at, "there is no %s '%s'", what, t->text);
}

static cairn_status add_value(reader *r, size_t variable, const char *name)
{
    size_t at;
    return cairn_map_add(r->ctx, &r->values[variable], name, strlen(name), &at);
}

/* The variable of a name, a new one where variables are not fixed. */
static cairn_status find_variable(reader *r, const token *t, int32_t *out)
{
    int64_t found = cairn_map_find(&r->variables, t->text, strlen(t->text));
    size_t at = r->variables.n;
    if (found < 0 && r->fixed) return fail_name(r, t, "variable", &r->variables);
    if (found < 0 && at >= MOST_VARIABLES)
        return cairn_given_fail(r->ctx, r->given, t->at, "there are more than %d variables",
                                MOST_VARIABLES);
    if (found < 0) {
        CHECK(GROW(r->ctx, &r->values, &r->values_buffer, at + 1));
        CHECK(GROW(r->ctx, &r->declared, &r->declared_buffer, at + 1));
        r->values[at] = (cairn_map){0};
        r->declared[at] = false;
        CHECK(cairn_map_add(r->ctx, &r->variables, t->text, strlen(t->text), &at));
    }
    *out = (int32_t)(found < 0 ? (int64_t)at : found);
    return CAIRN_OK;
}

static int32_t truth_of(const cairn_map *values)
{
    if (values->n != 2) return -1;
    for (size_t l = 0; l < 2; l++)
        if (cairn_is_positive_word(cairn_map_key(values, l))) return (int32_t)l;
    return -1;
}

/* -- statements -- */

static const token *look(const reader *r)
{
    return &r->tokens[r->next];
}

static bool is_sign(const token *t, char sign)
{
    return t->kind == TOKEN_SIGN && t->sign == sign;
}

static bool at_end(const reader *r)
{
    return look(r)->kind == TOKEN_STOP || look(r)->kind == TOKEN_END;
}

static cairn_status need_name(reader *r, const token **out)
{
    *out = look(r);
    if ((*out)->kind != TOKEN_NAME)
        return cairn_given_fail(r->ctx, r->given, (*out)->at, "a name is expected here");
    r->next++;
    return CAIRN_OK;
}

static cairn_status need_sign(reader *r, char sign)
{
    if (!is_sign(look(r), sign))
        return cairn_given_fail(r->ctx, r->given, look(r)->at, "'%c' is expected here", sign);
    r->next++;
    return CAIRN_OK;
}

static cairn_status fail_twice(const reader *r, const token *value)
{
    return cairn_given_fail(r->ctx, r->given, value->at, "the value '%s' is there twice",
                            value->text);
}

/* Values of a variable that has them already: the same, in an order of their own, which lists of
 * probabilities then follow. */
static cairn_status read_order(reader *r, const token *name, size_t v)
{
    const cairn_map *values = &r->values[v];
    const token *value;
    size_t n = 0;
    bool *met;
    CHECK(SCRATCH_EACH(r->ctx, values->n + 1, &met, &r->orders[v]));
    do {
        CHECK(need_name(r, &value));
        int64_t found = cairn_map_find(values, value->text, strlen(value->text));
        if (found < 0) return fail_name(r, value, "value", values);
        if (met[found]) return fail_twice(r, value);
        met[found] = true;
        r->orders[v][n++] = (int32_t)found;
    } while (is_sign(look(r), '/') && r->next++);
    if (n == values->n) return CAIRN_OK;
    return cairn_given_fail(r->ctx, r->given, name->at,
                            "'%s' has %zu values in the table, and %zu are named", name->text,
                            values->n, n);
}

/* weather = sunny/rain/snow */
static cairn_status read_declaration(reader *r)
{
    const token *name, *value;
    int32_t v;
    CHECK(need_name(r, &name));
    CHECK(find_variable(r, name, &v));
    CHECK(need_sign(r, '='));
    if (r->fixed ? r->orders[v] != NULL : r->declared[v])
        return cairn_given_fail(r->ctx, r->given, name->at, "the values of '%s' are known already",
                                name->text);
    if (r->fixed) return read_order(r, name, (size_t)v);
    r->declared[v] = true;
    do {
        CHECK(need_name(r, &value));
        if (cairn_map_find(&r->values[v], value->text, strlen(value->text)) >= 0)
            return fail_twice(r, value);
        CHECK(add_value(r, (size_t)v, value->text));
    } while (is_sign(look(r), '/') && r->next++);
    return CAIRN_OK;
}

static cairn_status add_arc(reader *r, int32_t from, int32_t to)
{
    CHECK(GROW(r->ctx, &r->arcs, &r->arcs_buffer, r->n_arcs + 1));
    r->arcs[r->n_arcs++] = (cairn_arc){from, to};
    return CAIRN_OK;
}

/* earthquake -> alarm -> john, alarm -> mary */
static cairn_status read_arcs(reader *r)
{
    const token *name;
    int32_t from, to;
    do {
        CHECK(need_name(r, &name));
        CHECK(find_variable(r, name, &from));
        while (look(r)->kind == TOKEN_ARROW) {
            r->next++;
            CHECK(need_name(r, &name));
            CHECK(find_variable(r, name, &to));
            CHECK(add_arc(r, from, to));
            from = to;
        }
    } while (is_sign(look(r), ',') && r->next++);
    return CAIRN_OK;
}

/* "not a", "a", "a = value". Values are looked up once all of them are known, so that only places
 * are kept here: the variable, and as the value the number of the token that says it. */
static cairn_status read_setting(reader *r, setting *out)
{
    const token *name, *value;
    out->value = (int32_t)r->next;
    if (look(r)->kind == TOKEN_NOT) r->next++;
    CHECK(need_name(r, &name));
    CHECK(find_variable(r, name, &out->variable));
    if (!is_sign(look(r), '=')) return CAIRN_OK;
    r->next++;
    return need_name(r, &value);
}

/* Tokens up to the end of the statement: no list in it is longer. */
static size_t tokens_left(const reader *r)
{
    size_t n = 0;
    while (r->tokens[r->next + n].kind != TOKEN_STOP && r->tokens[r->next + n].kind != TOKEN_END)
        n++;
    return n;
}

static cairn_status read_numbers(reader *r, entry *e)
{
    CHECK(SCRATCH(r->ctx, &e->p, tokens_left(r) + 1));
    do {
        const token *t;
        CHECK(need_name(r, &t));
        if (!cairn_number_parse(t->text, strlen(t->text), &e->p[e->n_p]) ||
            !(e->p[e->n_p] >= 0 && e->p[e->n_p] <= 1))
            return cairn_given_fail(r->ctx, r->given, t->at,
                                    "'%s' is no probability, a number between 0 and 1", t->text);
        e->n_p++;
    } while ((is_sign(look(r), ',') && r->next++) || look(r)->kind == TOKEN_NAME);
    return CAIRN_OK;
}

static bool is_and(const token *t)
{
    return t->kind == TOKEN_NAME && !t->quoted && !strcmp(t->text, "and");
}

/* P(alarm | burglary, not earthquake) = 0.94 */
static cairn_status read_entry(reader *r)
{
    entry e = {.at = look(r)->at};
    r->next += 2;
    CHECK(read_setting(r, &e.head));
    CHECK(SCRATCH(r->ctx, &e.conditions, tokens_left(r) + 1));
    bool more = is_sign(look(r), '|');
    while (more) {
        setting *condition = &e.conditions[e.n_conditions++];
        r->next++;
        CHECK(read_setting(r, condition));
        CHECK(add_arc(r, condition->variable, e.head.variable));
        more = is_sign(look(r), ',') || is_and(look(r));
    }
    CHECK(need_sign(r, ')'));
    CHECK(need_sign(r, '='));
    CHECK(read_numbers(r, &e));
    CHECK(GROW(r->ctx, &r->entries, &r->entries_buffer, r->n_entries + 1));
    r->entries[r->n_entries++] = e;
    return CAIRN_OK;
}

static cairn_status read_statement(reader *r)
{
    const token *first = look(r), *second = first + (first->kind != TOKEN_END);
    bool probability = first->kind == TOKEN_NAME && !first->quoted && !strcmp(first->text, "P") &&
                       is_sign(second, '(');
    if (probability)
        CHECK(read_entry(r));
    else if (is_sign(second, '='))
        CHECK(read_declaration(r));
    else
        CHECK(read_arcs(r));
    if (at_end(r)) return CAIRN_OK;
    return cairn_given_fail(r->ctx, r->given, look(r)->at,
                            "the statement should end here; statements are 'a -> b', "
                            "'a = value/value' or 'P(a | b) = number'");
}

/* -- the network -- */

/* The value that a setting names: behind =, else true, or with `not` the other one. The head of an
 * entry with a number for every value names none. */
static cairn_status settle(const reader *r, setting *s, bool whole)
{
    const token *first = &r->tokens[s->value];
    bool negated = first->kind == TOKEN_NOT;
    const token *name = first + negated, *value = is_sign(name + 1, '=') ? name + 2 : NULL;
    const cairn_map *values = &r->values[s->variable];
    int32_t truth = truth_of(values);
    s->value = -1;
    if (!value && whole && !negated) return CAIRN_OK;
    if (!value && truth < 0)
        return cairn_given_fail(r->ctx, r->given, name->at,
                                "'%s' is neither true nor false; say what it is, such as %s = %s",
                                name->text, name->text, cairn_map_key(values, 0));
    int64_t found = value ? cairn_map_find(values, value->text, strlen(value->text)) : truth;
    if (found < 0) return fail_name(r, value, "value", values);
    if (negated && values->n != 2)
        return cairn_given_fail(r->ctx, r->given, first->at,
                                "'not' leaves several values of '%s' open", name->text);
    s->value = (int32_t)(negated ? 1 - found : found);
    return CAIRN_OK;
}

/* Whether a row of the table of v is one that the entry speaks of. */
static bool speaks_of(const int32_t *conditions, const cairn_network *net, size_t v, size_t row)
{
    for (size_t k = 0; k < cairn_network_n_parents(net, v); k++) {
        int32_t wanted = conditions[net->parents[(size_t)net->starts[v] + k]];
        if (wanted >= 0 && cairn_network_row_value(net, v, row, k) != wanted) return false;
    }
    return true;
}

/* What the conditions of an entry are, by variable; CAIRN_UNOBSERVED elsewhere. */
static cairn_status settle_conditions(const reader *r, entry *e, int32_t *conditions)
{
    for (size_t i = 0; i < e->n_conditions; i++) {
        setting *s = &e->conditions[i];
        CHECK(settle(r, s, false));
        if (conditions[s->variable] >= 0)
            return cairn_given_fail(r->ctx, r->given, e->at,
                                    "this entry names the parent '%s' twice",
                                    cairn_map_key(&r->variables, (size_t)s->variable));
        conditions[s->variable] = s->value;
    }
    return CAIRN_OK;
}

/* An entry that names all parents is about one row, another about several. `conditions` is room of
 * CAIRN_UNOBSERVED for every variable, and is left so. */
static cairn_status fill_entry(const reader *r, entry *e, const cairn_network *net,
                               int32_t *conditions)
{
    size_t v = (size_t)e->head.variable, k = (size_t)net->n_values[v];
    const int32_t *order = r->orders ? r->orders[v] : NULL;
    CHECK(settle(r, &e->head, e->n_p > 1 || k == 1));
    CHECK(settle_conditions(r, e, conditions));
    if (e->head.value < 0 ? e->n_p != k : e->n_p != 1)
        return cairn_given_fail(r->ctx, r->given, e->at, "there are %zu probabilities, and %s",
                                e->n_p,
                                e->head.value < 0 ? "the variable has another number of values"
                                                  : "one value is asked for");
    int64_t only = cairn_network_row(net, v, conditions);
    size_t begin = only < 0 ? 0 : (size_t)only;
    size_t end = only < 0 ? cairn_network_rows(net, v) : begin + 1;
    for (size_t row = begin; row < end; row++) {
        double *p = cairn_network_table(net, v) + row * k;
        if (!speaks_of(conditions, net, v, row)) continue;
        for (size_t l = 0; l < k && e->head.value < 0; l++)
            p[order ? (size_t)order[l] : l] = e->p[l];
        if (e->head.value >= 0) p[e->head.value] = e->p[0];
    }
    for (size_t i = 0; i < e->n_conditions; i++)
        conditions[e->conditions[i].variable] = CAIRN_UNOBSERVED;
    return CAIRN_OK;
}

/* A name as it can be read again. */
static void add_name(cairn_text *out, const char *name)
{
    bool bare = *name && strcmp(name, "not") != 0 && strcmp(name, "and") != 0;
    for (const char *at = name; bare && *at; at++) bare = in_name(at);
    if (bare)
        cairn_text_add(out, name);
    else
        cairn_given_add_quoted(out, name);
}

/* "P(alarm | burglary = true, earthquake = false)" */
static void add_row_name(cairn_text *out, const cairn_network *net,
                         const cairn_network_names *names, size_t v, size_t row)
{
    size_t n = cairn_network_n_parents(net, v);
    cairn_text_add(out, "P(");
    add_name(out, names->variables[v]);
    for (size_t k = 0; k < n; k++) {
        size_t parent = (size_t)net->parents[(size_t)net->starts[v] + k];
        cairn_text_add(out, k ? ", " : " | ");
        add_name(out, names->variables[parent]);
        cairn_text_add(out, " = ");
        add_name(out, names->values[parent][cairn_network_row_value(net, v, row, k)]);
    }
    cairn_text_add(out, ")");
}

/* One value that is not given gets the rest to 1; a row that is given must sum to 1. */
static cairn_status finish_row(const reader *r, cairn_typed_network *out, size_t v, size_t row)
{
    size_t k = (size_t)out->net.n_values[v], n_open = 0, open = 0;
    double *p = cairn_network_table(&out->net, v) + row * k, sum = 0;
    for (size_t l = 0; l < k; l++) {
        if (isnan(p[l]))
            n_open++, open = l;
        else
            sum += p[l];
    }
    bool none = n_open == k && !(k == 1);
    if (none && r->fixed) {
        out->whole = false;
        return CAIRN_OK;
    }
    if (n_open == 1 && sum <= 1 + 1e-6) {
        p[open] = fmax(0, 1 - sum);
        return CAIRN_OK;
    }
    if (n_open == 0 && fabs(sum - 1) <= 1e-6) return CAIRN_OK;
    SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(r->ctx);
    char number[CAIRN_NUMBER_SIZE];
    add_row_name(&name, &out->net, &out->names, v, row);
    CHECK(cairn_text_status(&name));
    cairn_number_format(number, sum, 6);
    if (n_open < 2)
        return cairn_fail(r->ctx, CAIRN_BAD_DATA,
                          "%s: the probabilities of %s sum to %s and not to 1", r->given->name,
                          cairn_text_string(&name), number);
    return cairn_fail(r->ctx, CAIRN_BAD_DATA, "%s: %s is not given%s", r->given->name,
                      cairn_text_string(&name), none ? "" : " for all values");
}

/* Copies of the keys, which outlive the map. */
static cairn_status copy_keys(cairn_context *ctx, const char *const **out, const cairn_map *map)
{
    const char **list;
    CHECK(SCRATCH(ctx, &list, map->n + 1));
    for (size_t i = 0; i < map->n; i++) {
        const char *key = cairn_map_key(map, i);
        char *kept;
        CHECK(SCRATCH_RAW(ctx, &kept, strlen(key) + 1));
        list[i] = memcpy(kept, key, strlen(key) + 1);
    }
    *out = list;
    return CAIRN_OK;
}

/* Variables whose values nobody named are true or false. */
static cairn_status make_names(reader *r, cairn_network_names *out, int32_t **n_values)
{
    size_t n = r->variables.n;
    const char *const **values;
    CHECK(SCRATCH_EACH(r->ctx, n + 1, &values, n_values));
    CHECK(copy_keys(r->ctx, &out->variables, &r->variables));
    for (size_t v = 0; v < n; v++) {
        if (!r->declared[v]) {
            CHECK(add_value(r, v, "true"));
            CHECK(add_value(r, v, "false"));
        }
        CHECK(copy_keys(r->ctx, &values[v], &r->values[v]));
        (*n_values)[v] = (int32_t)r->values[v].n;
    }
    out->values = values;
    return CAIRN_OK;
}

static cairn_status take_fixed(reader *r, const cairn_network_names *fixed, const int32_t *n_values,
                               size_t n)
{
    r->fixed = true;
    CHECK(GROW(r->ctx, &r->values, &r->values_buffer, n + 1));
    CHECK(GROW(r->ctx, &r->declared, &r->declared_buffer, n + 1));
    CHECK(SCRATCH(r->ctx, &r->orders, n + 1));
    memset(r->values, 0, (n + 1) * sizeof *r->values);
    for (size_t v = 0, at; v < n; v++) {
        CHECK(cairn_map_add(r->ctx, &r->variables, fixed->variables[v], strlen(fixed->variables[v]),
                            &at));
        r->declared[v] = true;
        for (int32_t l = 0; l < n_values[v]; l++) CHECK(add_value(r, v, fixed->values[v][l]));
    }
    return CAIRN_OK;
}

static void clear_reader(reader *r)
{
    for (size_t v = 0; v < r->variables.n && r->values; v++) cairn_map_clear(&r->values[v]);
    cairn_map_clear(&r->variables);
    cairn_free(r->values);
    cairn_free(r->declared);
    cairn_free(r->arcs);
    cairn_free(r->entries);
}

void cairn_typed_network_clear(cairn_typed_network *typed)
{
    cairn_network_clear(&typed->net);
}

static cairn_status fill_tables(reader *r, cairn_typed_network *out)
{
    const cairn_network *net = &out->net;
    int32_t *conditions;
    CHECK(SCRATCH_RAW(r->ctx, &conditions, net->n + 1));
    for (size_t v = 0; v < net->n; v++) conditions[v] = CAIRN_UNOBSERVED;
    for (int64_t i = 0; i < net->cells[net->n]; i++) net->p[i] = NAN;
    for (size_t i = 0; i < r->n_entries; i++) CHECK(fill_entry(r, &r->entries[i], net, conditions));
    out->whole = true;
    for (size_t v = 0; v < net->n; v++)
        for (size_t row = 0; row < cairn_network_rows(net, v); row++)
            CHECK(finish_row(r, out, v, row));
    return CAIRN_OK;
}

cairn_status cairn_network_read(cairn_context *ctx, cairn_typed_network *out,
                                const cairn_given *given, const cairn_network_names *fixed,
                                const int32_t *n_values, size_t n)
{
    SCOPED(clear_reader) reader r = {.ctx = ctx, .given = given};
    SCOPED(cairn_typed_network_clear) cairn_typed_network typed = {0};
    int32_t *counts;
    CHECK(read_tokens(ctx, given, &r.tokens));
    if (fixed) CHECK(take_fixed(&r, fixed, n_values, n));
    for (;;) {
        while (look(&r)->kind == TOKEN_STOP) r.next++;
        if (look(&r)->kind == TOKEN_END) break;
        CHECK(read_statement(&r));
    }
    if (r.variables.n == 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s holds no network; a line of it is 'a -> b' or 'P(a | b) = 0.3'",
                          given->name);
    CHECK(make_names(&r, &typed.names, &counts));
    CHECK(
        cairn_network_make(ctx, &typed.net, r.variables.n, counts, r.arcs, r.n_arcs, &typed.names));
    CHECK(fill_tables(&r, &typed));
    *out = typed;
    typed = (cairn_typed_network){0};
    return CAIRN_OK;
}

/* -- writing -- */

void cairn_network_write(cairn_text *out, const cairn_network *net,
                         const cairn_network_names *names)
{
    for (size_t v = 0; v < net->n; v++) {
        add_name(out, names->variables[v]);
        cairn_text_add(out, " = ");
        for (int32_t l = 0; l < net->n_values[v]; l++) {
            if (l) cairn_text_add(out, "/");
            add_name(out, names->values[v][l]);
        }
        cairn_text_add(out, "\n");
    }
    for (size_t v = 0; v < net->n; v++) {
        size_t k = (size_t)net->n_values[v];
        for (size_t row = 0; row < cairn_network_rows(net, v); row++) {
            add_row_name(out, net, names, v, row);
            cairn_text_add(out, " = ");
            for (size_t l = 0; l < k; l++) {
                if (l) cairn_text_add(out, ", ");
                cairn_text_add_number(out, cairn_network_table(net, v)[row * k + l],
                                      CAIRN_SHORTEST);
            }
            cairn_text_add(out, "\n");
        }
    }
}

/* -- questions -- */

int32_t cairn_network_truth(const cairn_network_names *names, const int32_t *n_values, size_t v)
{
    for (int32_t l = 0; l < n_values[v] && n_values[v] == 2; l++)
        if (cairn_is_positive_word(names->values[v][l])) return l;
    return -1;
}

ptrdiff_t cairn_network_find(const cairn_network_names *names, size_t n, const char *name,
                             size_t length)
{
    for (size_t v = 0; v < n; v++)
        if (strlen(names->variables[v]) == length && !memcmp(names->variables[v], name, length))
            return (ptrdiff_t)v;
    return -1;
}

/* The settings of a conjunction; false when there is something else in it. */
static bool is_conjunction(const token *t)
{
    for (;; t++) {
        if (t->kind == TOKEN_NOT) t++;
        if (t->kind != TOKEN_NAME) return false;
        t++;
        if (is_sign(t, '=')) t += 1 + (t[1].kind == TOKEN_NAME);
        if (t->kind == TOKEN_END) return true;
        if (!is_sign(t, ',') && !is_and(t)) return false;
    }
}

/* "not a = value" of more than two values is no value, but a proposition all the same. */
static bool leaves_several(const reader *r, const setting *s)
{
    const token *first = &r->tokens[s->value];
    return first->kind == TOKEN_NOT && is_sign(first + 2, '=') && r->values[s->variable].n != 2;
}

cairn_status cairn_network_evidence(cairn_context *ctx, int32_t *evidence, bool *simple,
                                    const char *option, const char *text, const cairn_network *net,
                                    const cairn_network_names *names)
{
    const cairn_given given = {option, text, strlen(text)};
    SCOPED(clear_reader) reader r = {.ctx = ctx, .given = &given};
    *simple = strpbrk(text, "()<>!+*/[") == NULL;
    if (!*simple) return CAIRN_OK;
    CHECK(read_tokens(ctx, &given, &r.tokens));
    *simple = is_conjunction(r.tokens);
    if (!*simple) return CAIRN_OK;
    CHECK(take_fixed(&r, names, net->n_values, net->n));
    for (bool more = true; more; r.next++) {
        setting s = {0};
        CHECK(read_setting(&r, &s));
        if (leaves_several(&r, &s)) {
            for (size_t v = 0; v < net->n; v++) evidence[v] = CAIRN_UNOBSERVED;
            *simple = false;
            return CAIRN_OK;
        }
        size_t at = look(&r)->at;
        CHECK(settle(&r, &s, false));
        if (evidence[s.variable] >= 0 && evidence[s.variable] != s.value)
            return cairn_given_fail(ctx, &given, at ? at - 1 : 0,
                                    "'%s' has two values here, and the probability of that is 0",
                                    names->variables[s.variable]);
        evidence[s.variable] = s.value;
        more = look(&r)->kind != TOKEN_END;
    }
    return CAIRN_OK;
}
