/* SPDX-License-Identifier: MIT */
/* Single concepts and lists of them. */
#include "base/memory.h"
#include "concepts/concepts.h"
#include <stdlib.h>
#include <string.h>

/* Concepts as text, in two notations: a vector with one place per attribute, where `?` is any value
 * and `∅` none, or a conjunction of conditions. */

static const char separators[] = "&,=[]()|<>\"`";

/* Names that hold a separator or a blank are quoted, with the quote doubled. */
static void add_name(cairn_text *out, const char *name)
{
    bool plain = *name && !strpbrk(name, separators) && !strchr(name, ' ');
    if (plain) {
        cairn_text_add(out, name);
        return;
    }
    cairn_text_add_char(out, '"');
    for (; *name; name++) {
        if (*name == '"') cairn_text_add_char(out, '"');
        cairn_text_add_char(out, *name);
    }
    cairn_text_add_char(out, '"');
}

static void add_values(cairn_text *out, const cairn_attribute *a, uint64_t mask,
                       const char *separator)
{
    bool first = true;
    for (size_t v = 0; v < a->n_values; v++) {
        if (!(mask >> v & 1)) continue;
        if (!first) cairn_text_add(out, separator);
        add_name(out, a->values[v]);
        first = false;
    }
}

void cairn_concept_add_place(cairn_text *out, const cairn_domain *domain, const uint64_t *concept,
                             size_t j)
{
    const cairn_attribute *a = &domain->attributes[j];
    if (cairn_concept_is_empty(domain, concept))
        cairn_text_add(out, "∅");
    else if (concept[j] == a->any)
        cairn_text_add(out, "?");
    else if (a->interval && (concept[j] & (concept[j] - 1)))
        cairn_text_addf(out, "%s..%s", a->values[__builtin_ctzll(concept[j])],
                        a->values[63 - __builtin_clzll(concept[j])]);
    else
        add_values(out, a, concept[j], "|");
}

/* The notation of the field: ? is any value, the empty set in every place is the concept that
 * covers nothing. */
static void add_vector(cairn_text *out, const cairn_domain *domain, const uint64_t *concept)
{
    cairn_text_add(out, "(");
    for (size_t j = 0; j < domain->n; j++) {
        if (j) cairn_text_add(out, ", ");
        cairn_concept_add_place(out, domain, concept, j);
    }
    cairn_text_add(out, ")");
}

static void add_condition(cairn_text *out, const cairn_attribute *a, uint64_t mask)
{
    bool one = !(mask & (mask - 1));
    if (a->interval && !one) {
        cairn_text_addf(out, "%s<=", a->values[__builtin_ctzll(mask)]);
        add_name(out, a->name);
        cairn_text_addf(out, "<=%s", a->values[63 - __builtin_clzll(mask)]);
        return;
    }
    add_name(out, a->name);
    cairn_text_add(out, one ? "=" : "=[");
    add_values(out, a, mask, ",");
    if (!one) cairn_text_add(out, "]");
}

void cairn_concept_add_text(cairn_text *out, const cairn_domain *domain, const uint64_t *concept,
                            cairn_notation notation)
{
    bool first = true;
    if (notation == CAIRN_NOTATION_VECTOR) {
        add_vector(out, domain, concept);
        return;
    }
    if (cairn_concept_is_empty(domain, concept)) {
        cairn_text_add(out, "false");
        return;
    }
    for (size_t j = 0; j < domain->n; j++) {
        if (concept[j] == domain->attributes[j].any) continue;
        if (!first) cairn_text_add(out, " & ");
        add_condition(out, &domain->attributes[j], concept[j]);
        first = false;
    }
    if (first) cairn_text_add(out, "true");
}

/* -- reading -- */

typedef struct reader {
    cairn_context *ctx;
    const cairn_domain *domain;
    const char *text;
    size_t at;
    char *word;          /* the last name that was read; room for the whole text */
    const char *closing; /* the bracket behind a vector, or nothing */
} reader;

static void skip_blanks(reader *r)
{
    while (r->text[r->at] == ' ' || r->text[r->at] == '\t') r->at++;
}

static bool take(reader *r, const char *sign)
{
    skip_blanks(r);
    if (!cairn_starts_with(r->text + r->at, sign)) return false;
    r->at += strlen(sign);
    return true;
}

/* A bare or quoted name into r->word. */
static cairn_status read_name(reader *r)
{
    size_t n = 0;
    skip_blanks(r);
    size_t begin = r->at;
    char quote = r->text[r->at];
    if (quote == '"' || quote == '`') {
        for (r->at++;; r->at++) {
            if (!r->text[r->at])
                return cairn_fail_place(r->ctx, r->text, begin, "concept: the quote has no end");
            if (r->text[r->at] == quote && r->text[++r->at] != quote) break;
            r->word[n++] = r->text[r->at];
        }
    } else {
        while (r->text[r->at] && !strchr(separators, r->text[r->at]))
            r->word[n++] = r->text[r->at++];
        while (n && r->word[n - 1] == ' ') n--;
        if (!n) return cairn_fail_place(r->ctx, r->text, begin, "concept: a name is expected here");
    }
    r->word[n] = 0;
    return CAIRN_OK;
}

static cairn_status read_value(reader *r, const cairn_attribute *a, uint64_t *mask)
{
    skip_blanks(r);
    size_t at = r->at;
    CHECK(read_name(r));
    for (size_t v = 0; v < a->n_values; v++)
        if (cairn_same(a->values[v], r->word)) {
            *mask |= (uint64_t)1 << v;
            return CAIRN_OK;
        }
    const char *near = cairn_nearest_value(a, r->word);
    return cairn_fail_place(r->ctx, r->text, at,
                            "concept: this is no value of the column '%s'%s%s%s", a->name,
                            near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* Whether the set belongs to the language. */
static cairn_status check_set(const reader *r, size_t at, const cairn_attribute *a, uint64_t mask)
{
    if (mask != a->any && !r->domain->disjunction && (mask & (mask - 1)))
        return cairn_fail_place(
            r->ctx, r->text, at,
            "concept: several values of '%s' need the language with internal disjunction", a->name);
    return CAIRN_OK;
}

static cairn_status read_place(reader *r, size_t j, uint64_t *out)
{
    const cairn_attribute *a = &r->domain->attributes[j];
    skip_blanks(r);
    size_t at = r->at;
    out[j] = 0;
    if (take(r, "?"))
        out[j] = a->any;
    else if (!take(r, "∅"))
        do CHECK(read_value(r, a, &out[j]));
        while (take(r, "|"));
    if (out[j]) CHECK(check_set(r, at, a, out[j]));
    return CAIRN_OK;
}

static cairn_status read_vector(reader *r, uint64_t *out)
{
    for (size_t j = 0; j < r->domain->n; j++) {
        if (j && !take(r, ","))
            return cairn_fail_place(r->ctx, r->text, r->at,
                                    "concept: a comma and the value of '%s' are expected here",
                                    r->domain->attributes[j].name);
        CHECK(read_place(r, j, out));
    }
    if (*r->closing && !take(r, r->closing))
        return cairn_fail_place(r->ctx, r->text, r->at,
                                "concept: the vector should end here with '%s'", r->closing);
    if (cairn_concept_is_empty(r->domain, out)) memset(out, 0, r->domain->n * sizeof *out);
    return CAIRN_OK;
}

static const char *attribute_name(size_t i, const void *data)
{
    const cairn_domain *domain = data;
    return i < domain->n ? domain->attributes[i].name : NULL;
}

/* Several conditions on a column are joined by "and" and may contradict each other; a list in
 * brackets is one condition with several values, where the language has these. */
static cairn_status read_condition(reader *r, uint64_t *out)
{
    const cairn_domain *domain = r->domain;
    uint64_t mask = 0;
    size_t j = 0;
    skip_blanks(r);
    size_t at = r->at;
    CHECK(read_name(r));
    if (cairn_same(r->word, "true")) return CAIRN_OK;
    while (j < domain->n && !cairn_same(domain->attributes[j].name, r->word)) j++;
    if (j == domain->n) {
        const char *near = cairn_nearest_word(r->word, attribute_name, domain);
        return cairn_fail_place(r->ctx, r->text, at,
                                "concept: there is no column of this name%s%s%s",
                                near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    if (!take(r, "="))
        return cairn_fail_place(r->ctx, r->text, r->at,
                                "concept: '=' and a value are expected here");
    skip_blanks(r);
    at = r->at;
    if (take(r, "[")) {
        do CHECK(read_value(r, &domain->attributes[j], &mask));
        while (take(r, ","));
        if (!take(r, "]"))
            return cairn_fail_place(r->ctx, r->text, r->at,
                                    "concept: the list should end here with ']'");
    } else if (take(r, "?")) {
        mask = domain->attributes[j].any;
    } else {
        CHECK(read_value(r, &domain->attributes[j], &mask));
    }
    CHECK(check_set(r, at, &domain->attributes[j], mask));
    out[j] &= mask;
    if (!out[j])
        CHECK(cairn_fail_place(r->ctx, r->text, at,
                               "concept: the conditions on '%s' contradict each other",
                               domain->attributes[j].name));
    return CAIRN_OK;
}

bool cairn_vector_inside(const char *text, size_t *first, size_t *length)
{
    size_t begin = strspn(text, " \t"), end = strlen(text);
    while (end > begin && (text[end - 1] == ' ' || text[end - 1] == '\t')) end--;
    bool closed = end > begin + 1 && ((text[begin] == '(' && text[end - 1] == ')') ||
                                      (text[begin] == '<' && text[end - 1] == '>'));
    bool listed = false;
    *first = begin + closed;
    *length = end - *first - closed;
    for (size_t i = *first; i < *first + *length; i++) {
        if (strchr("<>=[]()&", text[i])) return false;
        listed |= text[i] == ',' || text[i] == '?';
    }
    return listed;
}

cairn_status cairn_concept_parse(cairn_context *ctx, uint64_t *out, const cairn_domain *domain,
                                 const char *text)
{
    reader r = {.ctx = ctx, .domain = domain, .text = text};
    CHECK(SCRATCH(ctx, &r.word, strlen(text) + 1));
    cairn_concept_any(domain, out);
    size_t first, length;
    bool vector = cairn_vector_inside(text, &first, &length), round = take(&r, "(");
    if (vector || round) {
        r.closing = round ? ")" : take(&r, "<") ? ">" : "";
        CHECK(read_vector(&r, out));
    } else if (cairn_same(text, "false")) {
        memset(out, 0, domain->n * sizeof *out);
        r.at = strlen(text);
    } else {
        do CHECK(read_condition(&r, out));
        while (take(&r, "&"));
    }
    skip_blanks(&r);
    if (text[r.at])
        CHECK(cairn_fail_place(r.ctx, text, r.at, "concept: '&' or the end is expected here"));
    return CAIRN_OK;
}

bool cairn_concept_covers(const cairn_domain *domain, const uint64_t *concept, const int32_t *codes)
{
    for (size_t j = 0; j < domain->n; j++)
        if (!(concept[j] >> codes[j] & 1)) return false;
    return true;
}

bool cairn_concept_is_empty(const cairn_domain *domain, const uint64_t *concept)
{
    for (size_t j = 0; j < domain->n; j++)
        if (!concept[j]) return true;
    return false;
}

bool cairn_concept_includes(const cairn_domain *domain, const uint64_t *a, const uint64_t *b)
{
    if (cairn_concept_is_empty(domain, b)) return true;
    for (size_t j = 0; j < domain->n; j++)
        if (b[j] & ~a[j]) return false;
    return true;
}

bool cairn_concept_equals(const cairn_domain *domain, const uint64_t *a, const uint64_t *b)
{
    return cairn_concept_includes(domain, a, b) && cairn_concept_includes(domain, b, a);
}

void cairn_concept_any(const cairn_domain *domain, uint64_t *out)
{
    for (size_t j = 0; j < domain->n; j++) out[j] = domain->attributes[j].any;
}

void cairn_concept_of(const cairn_domain *domain, uint64_t *out, const int32_t *codes)
{
    for (size_t j = 0; j < domain->n; j++) out[j] = (uint64_t)1 << codes[j];
}

/* The least set of the language that contains the mask, which is not empty. */
static uint64_t closed_mask(const cairn_domain *domain, const cairn_attribute *a, uint64_t mask)
{
    if (mask & ~a->seen) return a->any;
    if (a->interval) {
        /* All bits from the lowest to the highest one that is set. */
        int low = __builtin_ctzll(mask), high = 63 - __builtin_clzll(mask);
        return (((uint64_t)1 << high) - ((uint64_t)1 << low)) | (uint64_t)1 << high;
    }
    if (!domain->disjunction && (mask & (mask - 1))) return a->any;
    return mask;
}

void cairn_concept_join(const cairn_domain *domain, uint64_t *out, const uint64_t *a,
                        const uint64_t *b)
{
    size_t bytes = domain->n * sizeof *out;
    if (cairn_concept_is_empty(domain, a)) {
        memmove(out, b, bytes);
    } else if (cairn_concept_is_empty(domain, b)) {
        memmove(out, a, bytes);
    } else {
        for (size_t j = 0; j < domain->n; j++)
            out[j] = closed_mask(domain, &domain->attributes[j], a[j] | b[j]);
    }
}

size_t cairn_concept_conditions(const cairn_domain *domain, const uint64_t *concept)
{
    size_t n = 0;
    for (size_t j = 0; j < domain->n; j++) n += concept[j] != domain->attributes[j].any;
    return n;
}

static double volume_of(const uint64_t *concept, size_t n)
{
    double volume = 1;
    for (size_t j = 0; j < n; j++) volume *= __builtin_popcountll(concept[j]);
    return volume;
}

double cairn_concept_volume(const cairn_domain *domain, const uint64_t *concept)
{
    return volume_of(concept, domain->n);
}

void cairn_concepts_clear(cairn_concepts *list)
{
    cairn_free(list->masks);
    *list = (cairn_concepts){0};
}

cairn_status cairn_concepts_add(cairn_context *ctx, cairn_concepts *list,
                                const cairn_domain *domain, const uint64_t *concept)
{
    list->width = domain->n;
    CHECK(GROW(ctx, &list->masks, &list->capacity, (list->n + 1) * domain->n));
    memcpy(cairn_concepts_at(list, list->n++), concept, domain->n * sizeof *concept);
    return CAIRN_OK;
}

void cairn_concepts_keep_maximal(cairn_concepts *list, const cairn_domain *domain, size_t first)
{
    size_t kept = first;
    for (size_t i = first; i < list->n; i++) {
        const uint64_t *c = cairn_concepts_at(list, i);
        bool wanted = true;
        for (size_t k = 0; k < kept && wanted; k++)
            wanted = !cairn_concept_includes(domain, cairn_concepts_at(list, k), c);
        for (size_t k = i + 1; k < list->n && wanted; k++) {
            const uint64_t *other = cairn_concepts_at(list, k);
            wanted = !cairn_concept_includes(domain, other, c) ||
                     cairn_concept_includes(domain, c, other);
        }
        if (wanted) memmove(cairn_concepts_at(list, kept++), c, list->width * sizeof *c);
    }
    list->n = kept;
}

void cairn_concepts_maximal(cairn_concepts *list, const cairn_domain *domain)
{
    cairn_concepts_keep_maximal(list, domain, 0);
}

typedef struct ordered {
    double volume;
    size_t at;
} ordered;

static int by_volume(const void *a, const void *b)
{
    const ordered *x = a, *y = b;
    if (x->volume != y->volume) return x->volume < y->volume ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

cairn_status cairn_concepts_sort(cairn_context *ctx, cairn_concepts *list)
{
    SCOPED_SCRATCH(ctx);
    ordered *order;
    uint64_t *copy;
    CHECK(SCRATCH(ctx, &order, list->n));
    CHECK(SCRATCH_RAW(ctx, &copy, list->n * list->width));
    for (size_t i = 0; i < list->n; i++)
        order[i] = (ordered){volume_of(cairn_concepts_at(list, i), list->width), i};
    if (list->n) {
        qsort(order, list->n, sizeof *order, by_volume);
        memcpy(copy, list->masks, list->n * list->width * sizeof *copy);
    }
    for (size_t i = 0; i < list->n; i++)
        memcpy(cairn_concepts_at(list, i), copy + order[i].at * list->width,
               list->width * sizeof *copy);
    return CAIRN_OK;
}
