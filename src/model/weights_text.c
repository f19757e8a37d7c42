/* SPDX-License-Identifier: MIT */
#include "model/weights_text.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/number.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- reading -- */

typedef struct term {
    double weight;
    const char *name; /* NULL = the bias */
    size_t at;        /* in the text */
} term;

typedef struct equation {
    const char *name;
    size_t at, first, n; /* its terms */
    cairn_activated activation;
    size_t level; /* of its layer, from 1 */
    size_t node;  /* its place there */
} equation;

typedef struct reader {
    cairn_context *ctx;
    const cairn_given *given;
    cairn_word *word;
    term *terms;
    size_t n_terms;
    equation *list;
    size_t n;
    cairn_map inputs, nodes;
    bool open; /* the text names the inputs */
} reader;

static cairn_status expected(const reader *r, const char *what)
{
    char shown[80];
    return cairn_given_fail(r->ctx, r->given, r->word->at, "%s is expected here, not %s", what,
                            cairn_word_show(r->word, shown));
}

static bool at_end(const cairn_word *word)
{
    return word->kind == CAIRN_WORD_END || word->kind == CAIRN_WORD_LINE ||
           cairn_word_is(word, ";");
}

static bool is_bare(const cairn_word *word)
{
    return word->kind == CAIRN_WORD_NAME && !word->quoted;
}

static bool is_number(const char *text, size_t length, double *out)
{
    return length && cairn_number_parse(text, length, out) && isfinite(*out);
}

static void add_term(reader *r, double weight, const char *name, size_t at)
{
    r->terms[r->n_terms++] = (term){weight, name, at};
    r->list[r->n].n++;
}

/* The name behind a weight: the rest of the word, or the next one. */
static cairn_status read_name(reader *r, double weight, const char *rest)
{
    size_t at = r->word->at;
    if (!*rest) {
        r->word++;
        if (r->word->kind != CAIRN_WORD_NAME) CHECK(expected(r, "the name of an input"));
        rest = r->word->text;
        at = r->word->at;
    }
    if (!r->word->quoted && strchr(rest, '*'))
        CHECK(cairn_given_fail(r->ctx, r->given, at,
                               "'%s' is no input: a weight is a number, as in 0.5*a; a name with * "
                               "in it stands in quotes",
                               rest));
    add_term(r, weight, rest, at);
    r->word++;
    return CAIRN_OK;
}

/* A term: 0.35, i1, 0.15*i1, 0.15 * i1 or 0.15 i1; its sign has been read. */
static cairn_status read_term(reader *r, double sign)
{
    const cairn_word *word = r->word;
    double number;
    if (word->kind != CAIRN_WORD_NAME) CHECK(expected(r, "a number or the name of an input"));
    const char *star = word->quoted ? NULL : strchr(word->text, '*');
    if (star && is_number(word->text, (size_t)(star - word->text), &number))
        return read_name(r, sign * number, star + 1);
    if (word->quoted || !is_number(word->text, strlen(word->text), &number))
        return read_name(r, sign, word->text);
    const cairn_word *next = word + 1;
    bool signs = is_bare(next) && (*next->text == '+' || *next->text == '-');
    if (is_bare(next) && *next->text == '*') {
        r->word++;
        return read_name(r, sign * number, next->text + 1);
    }
    if (next->kind == CAIRN_WORD_NAME && !signs) return read_name(r, sign * number, "");
    add_term(r, sign * number, NULL, word->at);
    r->word++;
    return CAIRN_OK;
}

/* Terms up to the closing bracket or the end of the line. */
static cairn_status read_sum(reader *r, bool bracket)
{
    bool any = false;
    while (bracket ? !cairn_word_is(r->word, ")") : !at_end(r->word)) {
        /* Signs in front of a term: words of their own, or taken off the word that they begin; 0
         * = none. */
        double sign = 0;
        while (is_bare(r->word) && (*r->word->text == '+' || *r->word->text == '-')) {
            if (sign == 0) sign = 1;
            if (*r->word->text == '-') sign = -sign;
            r->word->text++;
            r->word->at++;
            if (!*r->word->text) r->word++;
        }
        if (at_end(r->word)) CHECK(expected(r, bracket ? "')'" : "a number or an input"));
        if (any && sign == 0) CHECK(expected(r, "'+' or '-'"));
        CHECK(read_term(r, sign == 0 ? 1 : sign));
        any = true;
    }
    if (!any) CHECK(expected(r, "a bias or a weight"));
    return CAIRN_OK;
}

/* "[m=2, c=1]", or nothing. */
static cairn_status read_params(reader *r, cairn_activated *a)
{
    size_t i = 0;
    if (!cairn_word_is(r->word, "[")) return CAIRN_OK;
    for (r->word++; !cairn_word_is(r->word, "]"); i++) {
        const char *key = NULL;
        double number = 0;
        size_t at = r->word->at;
        if (is_bare(r->word) && cairn_word_is(r->word + 1, "=")) {
            key = r->word->text;
            r->word += 2;
        }
        if (!is_bare(r->word) || !is_number(r->word->text, strlen(r->word->text), &number))
            CHECK(expected(r, "a number"));
        if (!cairn_activation_set(a, key, i, number))
            CHECK(cairn_given_fail(r->ctx, r->given, at, "%s has no such parameter", a->f->name));
        r->word++;
        if (cairn_word_is(r->word, ",")) r->word++;
    }
    r->word++;
    const char *fault = cairn_activation_fault(a);
    if (fault) CHECK(cairn_given_fail(r->ctx, r->given, r->word->at, "%s", fault));
    return CAIRN_OK;
}

/* One node: its name, its function, its sum. */
static cairn_status read_line(reader *r)
{
    equation *e = &r->list[r->n];
    size_t index, known = r->nodes.n;
    bool bracket;
    if (r->word->kind != CAIRN_WORD_NAME) CHECK(expected(r, "the name of a node"));
    *e = (equation){.name = r->word->text, .at = r->word->at, .first = r->n_terms};
    CHECK(cairn_map_add(r->ctx, &r->nodes, e->name, strlen(e->name), &index));
    if (r->nodes.n == known)
        CHECK(cairn_given_fail(r->ctx, r->given, e->at, "the node '%s' is there twice", e->name));
    r->word++;
    if (!cairn_word_is(r->word, "=")) CHECK(expected(r, "'='"));
    r->word++;
    /* The function in front of the sum, where there is one. */
    bool named =
        is_bare(r->word) && (cairn_word_is(r->word + 1, "(") || cairn_word_is(r->word + 1, "["));
    e->activation = cairn_activation_named("linear");
    bracket = named;
    if (named) {
        e->activation = cairn_activation_named(r->word->text);
        if (!e->activation.f)
            CHECK(cairn_given_fail(r->ctx, r->given, r->word->at,
                                   "there is no activation function '%s'; sigmoid, tanh, th, relu, "
                                   "linear and softmax are some",
                                   r->word->text));
        r->word++;
        CHECK(read_params(r, &e->activation));
        if (!cairn_word_is(r->word, "(")) CHECK(expected(r, "'('"));
        r->word++;
    }
    CHECK(read_sum(r, bracket));
    if (bracket) r->word++;
    if (!at_end(r->word)) CHECK(expected(r, "the end of the line"));
    r->n++;
    return CAIRN_OK;
}

/* -- layers -- */

static const char *input_at(size_t i, const void *data)
{
    const cairn_map *inputs = data;
    return i < inputs->n ? cairn_map_key(inputs, i) : NULL;
}

/* The level of what a term reads: 0 = an input, which is new where the text names them. */
static cairn_status term_level(reader *r, const term *t, size_t *out)
{
    size_t length = strlen(t->name), index;
    int64_t node = cairn_map_find(&r->nodes, t->name, length);
    bool input = cairn_map_find(&r->inputs, t->name, length) >= 0;
    *out = 0;
    if (node >= 0 && (r->list[node].level || !input)) {
        *out = r->list[node].level;
        if (!*out)
            CHECK(cairn_given_fail(r->ctx, r->given, t->at,
                                   "the node '%s' is read before it is there; write its line "
                                   "first (networks with loops are not read)",
                                   t->name));
        return CAIRN_OK;
    }
    if (input) return CAIRN_OK;
    if (r->open) return cairn_map_add(r->ctx, &r->inputs, t->name, length, &index);
    const char *near = cairn_nearest_word(t->name, input_at, &r->inputs);
    return cairn_given_fail(r->ctx, r->given, t->at, "there is no input or node '%s'%s%s%s",
                            t->name, near ? "; did you mean '" : "", near ? near : "",
                            near ? "'?" : "");
}

/* All terms of a node come from one layer; a node without any stands with the one before it. */
static cairn_status find_level(reader *r, size_t i)
{
    equation *e = &r->list[i];
    size_t level = 0, seen = 0;
    for (size_t k = e->first; k < e->first + e->n; k++) {
        size_t at;
        if (!r->terms[k].name) continue;
        CHECK(term_level(r, &r->terms[k], &at));
        if (seen++ && at + 1 != level)
            return cairn_given_fail(r->ctx, r->given, r->terms[k].at,
                                    "'%s' is of another layer than what '%s' reads before it; "
                                    "layers cannot be skipped",
                                    r->terms[k].name, e->name);
        level = at + 1;
    }
    e->level = seen ? level : i ? r->list[i - 1].level : 1;
    return CAIRN_OK;
}

static bool same_function(const cairn_activated *a, const cairn_activated *b)
{
    bool same = a->f == b->f;
    for (size_t i = 0; i < CAIRN_ACTIVATION_PARAMS; i++) same = same && a->p[i] == b->p[i];
    return same;
}

/* Places of the nodes in their layers, which have one function each. */
static cairn_status make_layers(reader *r, cairn_neural_layers *out)
{
    size_t most = 0;
    for (size_t i = 0; i < r->n; i++) {
        CHECK(find_level(r, i));
        if (r->list[i].level > most) most = r->list[i].level;
    }
    CHECK(SCRATCH(r->ctx, &out->list, most));
    out->n = most;
    out->n_in = r->inputs.n;
    for (size_t i = 0; i < r->n; i++) {
        equation *e = &r->list[i];
        cairn_neural_layer *layer = &out->list[e->level - 1];
        if (!layer->n_out) layer->activation = e->activation;
        if (!same_function(&layer->activation, &e->activation))
            return cairn_given_fail(r->ctx, r->given, e->at,
                                    "'%s' has another function than the nodes of its layer before "
                                    "it; a layer has one",
                                    e->name);
        e->node = layer->n_out++;
    }
    cairn_neural_layers_place(out);
    return CAIRN_OK;
}

/* The terms in the places that their nodes and inputs have; a place is filled once. */
static cairn_status place_weights(reader *r, cairn_neural_text *out)
{
    CHECK(SCRATCH_EACH(r->ctx, out->layers.n_weights, &out->weights, &out->reported));
    for (size_t i = 0; i < r->n; i++) {
        const equation *e = &r->list[i];
        const cairn_neural_layer *layer = &out->layers.list[e->level - 1];
        size_t row = layer->first + e->node * (layer->n_in + 1);
        for (size_t k = e->first; k < e->first + e->n; k++) {
            const term *t = &r->terms[k];
            size_t place = layer->n_in;
            if (t->name && e->level == 1)
                place = (size_t)cairn_map_find(&r->inputs, t->name, strlen(t->name));
            else if (t->name)
                place = r->list[cairn_map_find(&r->nodes, t->name, strlen(t->name))].node;
            if (out->reported[row + place])
                return cairn_given_fail(r->ctx, r->given, t->at, "this weight is given twice");
            out->reported[row + place] = 1;
            out->weights[row + place] = t->weight;
        }
    }
    return CAIRN_OK;
}

/* The names as they are found again, copied out of the maps. */
static cairn_status place_names(reader *r, cairn_neural_text *out)
{
    const char **inputs, ***nodes;
    CHECK(SCRATCH(r->ctx, &inputs, r->inputs.n + 1));
    CHECK(SCRATCH(r->ctx, &nodes, out->layers.n));
    for (size_t i = 0; i < r->inputs.n; i++) {
        const char *key = cairn_map_key(&r->inputs, i);
        char *copy;
        CHECK(SCRATCH(r->ctx, &copy, strlen(key) + 1));
        memcpy(copy, key, strlen(key));
        inputs[i] = copy;
    }
    for (size_t l = 0; l < out->layers.n; l++)
        CHECK(SCRATCH(r->ctx, &nodes[l], out->layers.list[l].n_out + 1));
    for (size_t i = 0; i < r->n; i++)
        nodes[r->list[i].level - 1][r->list[i].node] = r->list[i].name;
    out->names.inputs = inputs;
    out->names.nodes = (const char *const *const *)nodes;
    return CAIRN_OK;
}

/* Where a second term begins within a bare word, as in 0.3+0.5*x; 0 = nowhere. Names may have a
 * minus sign (petal-length), so that it divides only behind a number, or in front of a number times
 * something; a name that there is is left whole. */
static size_t next_term(const reader *r, const char *text)
{
    static const char digits[] = "0123456789.";
    const char *star = strchr(text, '*'), *name = star ? star + 1 : text;
    double number;
    if (cairn_map_find(&r->inputs, name, strlen(name)) >= 0) return 0;
    for (size_t i = 1; text[i]; i++) {
        size_t span = strspn(text + i + 1, digits);
        bool exponent =
            (text[i - 1] == 'e' || text[i - 1] == 'E') && span && is_number(text, i - 1, &number);
        bool times = span && text[i + 1 + span] == '*';
        if (exponent) continue;
        if (text[i] == '+' || (text[i] == '-' && (times || is_number(text, i, &number)))) return i;
    }
    return 0;
}

/* Words that hold several terms are made several words; *n counts them all but the end. */
static cairn_status split_terms(reader *r, cairn_word **words, size_t *n)
{
    cairn_word *list = *words, *out;
    size_t most = 1, made = 0;
    for (*n = 0; list[*n].kind != CAIRN_WORD_END; ++*n)
        most += is_bare(&list[*n]) ? strlen(list[*n].text) + 1 : 1;
    CHECK(SCRATCH(r->ctx, &out, most));
    for (size_t i = 0; i <= *n; i++) {
        size_t cut;
        out[made++] = list[i];
        if (i == *n || !is_bare(&list[i]) || cairn_word_is(&list[i + 1], "=")) continue;
        while ((cut = next_term(r, list[i].text)) > 0) {
            size_t length = strlen(list[i].text + cut);
            char *rest;
            CHECK(SCRATCH(r->ctx, &rest, length + 1));
            memcpy(rest, list[i].text + cut, length);
            list[i].text[cut] = '\0';
            list[i].text = rest;
            list[i].at += cut;
            list[i].starts_line = false;
            out[made++] = list[i];
        }
    }
    *words = out;
    *n = made - 1;
    return CAIRN_OK;
}

/* Words, lines, layers, weights. */
static cairn_status read_all(reader *r, cairn_neural_text *out, const char *const *inputs,
                             size_t n_inputs)
{
    cairn_word *words;
    size_t n, index;
    CHECK(cairn_given_words(r->ctx, r->given, &words));
    for (size_t i = 0; i < n_inputs; i++)
        CHECK(cairn_map_add(r->ctx, &r->inputs, inputs[i], strlen(inputs[i]), &index));
    r->open = !inputs;
    CHECK(split_terms(r, &words, &n));
    CHECK(SCRATCH_EACH(r->ctx, n + 1, &r->terms, &r->list));
    for (r->word = words; r->word->kind != CAIRN_WORD_END;) {
        if (at_end(r->word))
            r->word++;
        else
            CHECK(read_line(r));
    }
    if (!r->n)
        return cairn_given_fail(r->ctx, r->given, 0,
                                "there is no node; write lines such as 'h1 = sigmoid(0.3 + "
                                "0.5*x)'");
    CHECK(make_layers(r, &out->layers));
    CHECK(place_weights(r, out));
    return place_names(r, out);
}

cairn_status cairn_neural_text_read(cairn_context *ctx, cairn_neural_text *out,
                                    const cairn_given *given, const char *const *inputs,
                                    size_t n_inputs)
{
    reader r = {.ctx = ctx, .given = given};
    *out = (cairn_neural_text){0};
    cairn_status status = read_all(&r, out, inputs, n_inputs);
    cairn_map_clear(&r.inputs);
    cairn_map_clear(&r.nodes);
    return status;
}

/* -- writing -- */

static void write_function(cairn_text *out, const cairn_activated *a)
{
    bool any = false;
    cairn_text_add(out, a->f->name);
    for (size_t i = 0; a->f->params[i].name; i++) {
        if (a->p[i] == a->f->params[i].initial) continue;
        cairn_text_addf(out, "%s%s=", any ? ", " : "[", a->f->params[i].name);
        cairn_text_add_number(out, a->p[i], CAIRN_SHORTEST);
        any = true;
    }
    cairn_text_add(out, any ? "](" : "(");
}

/* A letter, then letters, digits, _ and points. */
static bool is_plain(const char *name)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
    return *name && strchr(letters, *name) &&
           strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_.0123456789") ==
               strlen(name);
}

static void write_name(cairn_text *out, const char *name)
{
    if (is_plain(name))
        cairn_text_add(out, name);
    else
        cairn_given_add_quoted(out, name);
}

/* " + 0.15*i1", or " - 0.15*i1"; the bias has no name. */
static void write_term(cairn_text *out, double weight, const char *name, bool *any)
{
    if (*any) cairn_text_add(out, signbit(weight) ? " - " : " + ");
    cairn_text_add_number(out, *any ? fabs(weight) : weight, CAIRN_SHORTEST);
    *any = true;
    if (!name) return;
    cairn_text_add(out, is_plain(name) ? "*" : " * "); /* a quote begins a word */
    write_name(out, name);
}

void cairn_neural_text_write(cairn_text *out, const cairn_neural_layers *layers,
                             const double *weights, const cairn_neural_names *names)
{
    for (size_t l = 0; l < layers->n; l++) {
        const cairn_neural_layer *layer = &layers->list[l];
        const char *const *from = l ? names->nodes[l - 1] : names->inputs;
        for (size_t j = 0; j < layer->n_out; j++) {
            const double *w = weights + layer->first + j * (layer->n_in + 1);
            bool any = false;
            write_name(out, names->nodes[l][j]);
            cairn_text_add(out, " = ");
            write_function(out, &layer->activation);
            if (w[layer->n_in] != 0) write_term(out, w[layer->n_in], NULL, &any);
            for (size_t i = 0; i < layer->n_in; i++)
                if (w[i] != 0 || j == 0) write_term(out, w[i], from[i], &any);
            if (!any) cairn_text_add_char(out, '0');
            cairn_text_add(out, ")\n");
        }
    }
}

/* Whether an input may have the name of a node: h or o and a digit. */
static bool is_taken(const char *const *inputs)
{
    for (; inputs && *inputs; inputs++)
        if (((*inputs)[0] == 'h' || (*inputs)[0] == 'o') && (*inputs)[1] >= '0' &&
            (*inputs)[1] <= '9')
            return true;
    return false;
}

cairn_status cairn_neural_node_names(cairn_context *ctx, const char *const *const **out,
                                     const cairn_neural_layers *layers, const char *const *inputs)
{
    const char ***names, *before = is_taken(inputs) ? "node_" : "";
    CHECK(SCRATCH(ctx, &names, layers->n));
    for (size_t l = 0; l < layers->n; l++) {
        size_t n = layers->list[l].n_out;
        char *buffer;
        CHECK(SCRATCH(ctx, &names[l], n + 1));
        CHECK(SCRATCH(ctx, &buffer, cairn_product(n, 48)));
        for (size_t j = 0; j < n; j++, buffer += 48) {
            if (l + 1 == layers->n)
                snprintf(buffer, 48, "%so%zu", before, j + 1);
            else if (layers->n == 2)
                snprintf(buffer, 48, "%sh%zu", before, j + 1);
            else
                snprintf(buffer, 48, "%sh%zu.%zu", before, l + 1, j + 1);
            names[l][j] = buffer;
        }
    }
    *out = (const char *const *const *)names;
    return CAIRN_OK;
}
