/* SPDX-License-Identifier: MIT */
/* The text form of Markov models. */
#include "learners/sequence/hmm.h"

#include "base/memory.h"
#include "base/number.h"

#include <math.h>
#include <string.h>

typedef enum line_kind { STATES, SYMBOLS, START, FROM, EMIT, MEAN, COVARIANCE, N_KINDS } line_kind;

static const char *const kind_words[N_KINDS] = {"states", "symbols", "start",     "from",
                                                "emit",   "mean",    "covariance"};

typedef struct line {
    line_kind kind;
    size_t number;     /* from 1 */
    size_t n_words;    /* behind the kind */
    cairn_name *words; /* scratch */
} line;

typedef struct model_reader {
    cairn_context *ctx;
    const char *where;
    cairn_hmm *model;
    line *lines; /* those that say something */
    size_t n_lines, capacity;
    bool *seen; /* N_KINDS x n_states */
} model_reader;

/* -- words and lines -- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == ',' || c == ':' || c == '=';
}

const char *cairn_next_name(const char *at, const char *end, cairn_name *out)
{
    while (at < end && is_blank(*at)) at++;
    if (at == end) return NULL;
    bool quoted = *at == '"' && memchr(at + 1, '"', (size_t)(end - at) - 1);
    const char *begin = quoted ? ++at : at;
    while (at < end && (quoted ? *at != '"' : !is_blank(*at))) at++;
    *out = (cairn_name){begin, (size_t)(at - begin)};
    return quoted ? at + 1 : at;
}

static const char *kind_word(size_t i, const void *data)
{
    (void)data;
    return i < N_KINDS ? kind_words[i] : NULL;
}

static const char *name_of(size_t i, const void *map)
{
    return i < ((const cairn_map *)map)->n ? cairn_map_key(map, i) : NULL;
}

/* "; did you mean 'x'?", or nothing. */
static cairn_status add_nearest(cairn_context *ctx, cairn_name w,
                                const char *(*candidate)(size_t, const void *), const void *data,
                                cairn_text *out)
{
    OWNED(cairn_free) char *text = NULL;
    CHECK(cairn_copy_text(ctx, &text, w.at, w.length));
    const char *near = cairn_nearest_word(text, candidate, data);
    if (near) cairn_text_addf(out, "; did you mean '%s'?", near);
    return cairn_text_status(out);
}

/* Fail at a word that is none of the names. */
static cairn_status fail_unknown(model_reader *r, size_t number, const char *what, cairn_name w,
                                 const char *(*candidate)(size_t, const void *), const void *data)
{
    SCOPED(cairn_text_clear) cairn_text near = cairn_text_start(r->ctx);
    CHECK(add_nearest(r->ctx, w, candidate, data, &near));
    return cairn_fail(r->ctx, CAIRN_BAD_DATA, "%s, line %zu: there is no %s '%.*s'%s", r->where,
                      number, what, (int)(w.length < 100 ? w.length : 100), w.at,
                      cairn_text_string(&near));
}

/* One line: its kind and its words. */
static cairn_status read_line(model_reader *r, const char *at, const char *end, size_t number)
{
    cairn_name first, w;
    line *to;
    const char *rest = cairn_next_name(at, end, &first);
    if (!rest) return CAIRN_OK;
    CHECK(GROW(r->ctx, &r->lines, &r->capacity, r->n_lines + 1));
    to = &r->lines[r->n_lines];
    *to = (line){.kind = N_KINDS, .number = number};
    for (int k = 0; k < N_KINDS; k++)
        if (strlen(kind_words[k]) == first.length && !memcmp(kind_words[k], first.at, first.length))
            to->kind = (line_kind)k;
    if (to->kind == N_KINDS)
        return fail_unknown(r, number,
                            "kind of line (states, symbols, start, from, emit, mean, "
                            "covariance)",
                            first, kind_word, NULL);
    for (at = rest; (at = cairn_next_name(at, end, &w));) to->n_words++;
    CHECK(SCRATCH_RAW(r->ctx, &to->words, to->n_words + 1));
    for (size_t i = 0; i < to->n_words; i++) rest = cairn_next_name(rest, end, &to->words[i]);
    r->n_lines++;
    return CAIRN_OK;
}

/* Lines end with a line feed or a semicolon; # and what follows it up to the line feed is a
 * comment. Neither means anything in quotes. */
static cairn_status read_lines(model_reader *r, const char *text, size_t length)
{
    const char *end = text + length;
    size_t number = 1;
    while (text < end) {
        const char *stop = text, *said;
        bool quoted = false;
        for (; stop < end && *stop != '\n' && (quoted || (*stop != ';' && *stop != '#')); stop++)
            if (*stop == '"') quoted = !quoted;
        said = stop;
        if (stop < end && *stop == '#')
            while (stop < end && *stop != '\n') stop++;
        CHECK(read_line(r, text, said, number));
        number++;
        text = stop < end ? stop + 1 : end;
    }
    return CAIRN_OK;
}

/* -- names -- */

static const line *only_line(const model_reader *r, line_kind kind)
{
    for (size_t i = 0; i < r->n_lines; i++)
        if (r->lines[i].kind == kind) return &r->lines[i];
    return NULL;
}

static cairn_status read_names(model_reader *r, const line *from, cairn_map *out, size_t most)
{
    if (!from->n_words || from->n_words > most)
        return cairn_fail(r->ctx, CAIRN_BAD_DATA,
                          "%s, line %zu: %zu names of %s, where 1 to %zu are taken", r->where,
                          from->number, from->n_words, kind_words[from->kind], most);
    for (size_t i = 0; i < from->n_words; i++) {
        size_t index;
        CHECK(cairn_map_add(r->ctx, out, from->words[i].at, from->words[i].length, &index));
        if (index != i)
            return cairn_fail(r->ctx, CAIRN_BAD_DATA, "%s, line %zu: '%s' stands there twice",
                              r->where, from->number, cairn_map_key(out, index));
    }
    return CAIRN_OK;
}

/* States, symbols and the length of vectors decide the sizes of everything else. */
static cairn_status read_shape(model_reader *r)
{
    const line *states = only_line(r, STATES), *symbols = only_line(r, SYMBOLS);
    const line *mean = only_line(r, MEAN);
    if (!states)
        return cairn_fail(r->ctx, CAIRN_BAD_DATA,
                          "%s: a line 'states' with the names of the states is missing", r->where);
    if (symbols && mean)
        return cairn_fail(r->ctx, CAIRN_BAD_DATA,
                          "%s, line %zu: states give off symbols (line %zu) or numbers, not both",
                          r->where, mean->number, symbols->number);
    if (mean && (mean->n_words < 2 || mean->n_words > CAIRN_MOST_STATES))
        return cairn_fail(r->ctx, CAIRN_BAD_DATA,
                          "%s, line %zu: behind 'mean' stand a state and its numbers", r->where,
                          mean->number);
    CHECK(read_names(r, states, &r->model->states, CAIRN_MOST_STATES));
    if (symbols) CHECK(read_names(r, symbols, &r->model->symbols, INT32_MAX));
    return cairn_hmm_make(r->ctx, r->model, states->n_words, symbols ? symbols->n_words : 0,
                          mean ? mean->n_words - 1 : 0);
}

/* -- numbers -- */

/* A number, or a fraction of two. */
static bool read_number(cairn_name w, double *out)
{
    const char *bar = memchr(w.at, '/', w.length);
    double below;
    if (!bar) return cairn_number_parse(w.at, w.length, out) && isfinite(*out);
    size_t above = (size_t)(bar - w.at);
    if (!cairn_number_parse(w.at, above, out) ||
        !cairn_number_parse(bar + 1, w.length - above - 1, &below))
        return false;
    *out /= below;
    return isfinite(*out);
}

/* The numbers behind the first `skip` words of a line, which must be n. */
static cairn_status read_numbers(model_reader *r, const line *from, size_t skip, double *out,
                                 size_t n)
{
    if (from->n_words - skip != n)
        return cairn_fail(r->ctx, CAIRN_BAD_DATA,
                          "%s, line %zu: %zu numbers stand there for %zu %s", r->where,
                          from->number, from->n_words - skip, n,
                          from->kind == EMIT  ? "symbols"
                          : from->kind > EMIT ? "places"
                                              : "states");
    for (size_t i = 0; i < n; i++)
        if (!read_number(from->words[skip + i], &out[i]))
            return cairn_fail(r->ctx, CAIRN_BAD_DATA, "%s, line %zu: '%.*s' is not a number",
                              r->where, from->number, (int)from->words[skip + i].length,
                              from->words[skip + i].at);
    return CAIRN_OK;
}

/* The state that a line is about. */
static cairn_status read_state(model_reader *r, const line *from, size_t *out)
{
    if (!from->n_words)
        return cairn_fail(r->ctx, CAIRN_BAD_DATA,
                          "%s, line %zu: behind '%s' stand a state and its numbers", r->where,
                          from->number, kind_words[from->kind]);
    int64_t found = cairn_map_find(&r->model->states, from->words[0].at, from->words[0].length);
    if (found < 0)
        return fail_unknown(r, from->number, "state", from->words[0], name_of, &r->model->states);
    *out = (size_t)found;
    return CAIRN_OK;
}

/* As many numbers as the vectors have are variances. */
static cairn_status read_covariance(model_reader *r, const line *from, double *out)
{
    size_t d = r->model->n_numbers;
    if (d == 1 || from->n_words - 1 != d) return read_numbers(r, from, 1, out, d * d);
    CHECK(read_numbers(r, from, 1, out, d));
    for (size_t i = d; i-- > 1;) {
        out[i * d + i] = out[i];
        out[i] = 0;
    }
    return CAIRN_OK;
}

/* Put the numbers of a line where they belong. */
static cairn_status read_row(model_reader *r, const line *from, size_t state)
{
    cairn_hmm *m = r->model;
    size_t n = m->n_states, d = m->n_numbers;
    switch (from->kind) {
    case START: return read_numbers(r, from, 0, m->start, n);
    case FROM: return read_numbers(r, from, 1, m->move + state * n, n);
    case EMIT:
        if (!m->n_symbols) break;
        return read_numbers(r, from, 1, m->emit + state * m->n_symbols, m->n_symbols);
    case MEAN: return read_numbers(r, from, 1, m->mean + state * d, d);
    case COVARIANCE:
        if (!d) break;
        return read_covariance(r, from, m->covariance + state * d * d);
    default: return CAIRN_OK;
    }
    return cairn_fail(r->ctx, CAIRN_BAD_DATA, "%s, line %zu: '%s' needs a line '%s', too", r->where,
                      from->number, kind_words[from->kind],
                      from->kind == EMIT ? "symbols" : "mean");
}

/* Every line once, in any order, since names were found before. */
static cairn_status read_rows(model_reader *r)
{
    size_t n = r->model->n_states;
    CHECK(SCRATCH(r->ctx, &r->seen, N_KINDS * n));
    for (size_t i = 0; i < r->n_lines; i++) {
        const line *from = &r->lines[i];
        size_t state = 0;
        if (from->kind >= FROM) CHECK(read_state(r, from, &state));
        bool *seen = &r->seen[(size_t)from->kind * n + state];
        if (*seen)
            return cairn_fail(r->ctx, CAIRN_BAD_DATA, "%s, line %zu: a second line '%s%s%s'",
                              r->where, from->number, kind_words[from->kind],
                              from->kind >= FROM ? " " : "",
                              from->kind >= FROM ? cairn_map_key(&r->model->states, state) : "");
        *seen = true;
        CHECK(read_row(r, from, state));
    }
    return CAIRN_OK;
}

/* Every state has its lines; without a start all are equally probable. */
static cairn_status check_lines(model_reader *r)
{
    const cairn_hmm *m = r->model;
    bool needed[N_KINDS] = {[FROM] = true,
                            [EMIT] = m->n_symbols > 0,
                            [MEAN] = m->n_numbers > 0,
                            [COVARIANCE] = m->n_numbers > 0};
    for (size_t k = 0; k < N_KINDS; k++)
        for (size_t i = 0; i < m->n_states && needed[k]; i++)
            if (!r->seen[k * m->n_states + i])
                return cairn_fail(r->ctx, CAIRN_BAD_DATA,
                                  "%s: a line '%s %s' with the numbers of this state is missing",
                                  r->where, kind_words[k], cairn_map_key(&m->states, i));
    for (size_t i = 0; i < m->n_states && !r->seen[START * m->n_states]; i++)
        m->start[i] = 1 / (double)m->n_states;
    return CAIRN_OK;
}

static cairn_status read_model(model_reader *r, const char *text, size_t length)
{
    CHECK(read_lines(r, text, length));
    CHECK(read_shape(r));
    CHECK(read_rows(r));
    CHECK(check_lines(r));
    return cairn_hmm_check(r->ctx, r->model, r->where);
}

cairn_status cairn_hmm_read(cairn_context *ctx, cairn_hmm *out, const char *where, const char *text,
                            size_t length)
{
    SCOPED_SCRATCH(ctx);
    cairn_hmm model = {0};
    model_reader r = {.ctx = ctx, .where = where, .model = &model};
    cairn_status status = read_model(&r, text, length);
    cairn_free(r.lines);
    if (status == CAIRN_OK)
        *out = model;
    else
        cairn_hmm_clear(&model);
    return status;
}

/* -- writing -- */

/* In quotes where it would not read back as one word. */
static void write_name(cairn_text *out, const char *name)
{
    bool plain = *name != 0;
    for (const char *c = name; *c; c++) plain = plain && !is_blank(*c) && !strchr(";#\n", *c);
    cairn_text_addf(out, plain ? " %s" : " \"%s\"", name);
}

static void write_names(cairn_text *out, line_kind kind, const cairn_map *names)
{
    cairn_text_add(out, kind_words[kind]);
    for (size_t i = 0; i < names->n; i++) write_name(out, cairn_map_key(names, i));
    cairn_text_add_char(out, '\n');
}

/* One line of numbers; `state` NULL = of none. */
static void write_row(cairn_text *out, line_kind kind, const char *state, const double *row,
                      size_t n)
{
    cairn_text_add(out, kind_words[kind]);
    if (state) write_name(out, state);
    for (size_t i = 0; i < n; i++) {
        cairn_text_add_char(out, ' ');
        cairn_text_add_number(out, row[i], CAIRN_SHORTEST);
    }
    cairn_text_add_char(out, '\n');
}

void cairn_hmm_write(cairn_text *out, const cairn_hmm *m)
{
    size_t n = m->n_states, d = m->n_numbers;
    write_names(out, STATES, &m->states);
    if (m->n_symbols) write_names(out, SYMBOLS, &m->symbols);
    write_row(out, START, NULL, m->start, n);
    for (size_t i = 0; i < n; i++)
        write_row(out, FROM, cairn_map_key(&m->states, i), m->move + i * n, n);
    for (size_t i = 0; i < n; i++) {
        const char *name = cairn_map_key(&m->states, i);
        if (m->n_symbols) write_row(out, EMIT, name, m->emit + i * m->n_symbols, m->n_symbols);
        if (!d) continue;
        write_row(out, MEAN, name, m->mean + i * d, d);
        write_row(out, COVARIANCE, name, m->covariance + i * d * d, d * d);
    }
}
