/* SPDX-License-Identifier: MIT */
/* Markov models: room, checks, and sequences drawn at random. */
#include "learners/sequence/hmm.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "data/column.h"
#include "decompose/linalg.h"
#include "learners/sequence/markov.h"
#include "model/sample.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

cairn_status cairn_hmm_make(cairn_context *ctx, cairn_hmm *out, size_t n_states, size_t n_symbols,
                            size_t n_numbers)
{
    out->n_states = n_states;
    out->n_symbols = n_symbols;
    out->n_numbers = n_numbers;
    size_t square = cairn_product(n_numbers, n_numbers);
    CHECK(NEW(ctx, &out->start, n_states));
    CHECK(NEW(ctx, &out->move, cairn_product(n_states, n_states)));
    if (n_symbols) CHECK(NEW(ctx, &out->emit, cairn_product(n_states, n_symbols)));
    if (!n_numbers) return CAIRN_OK;
    CHECK(NEW(ctx, &out->mean, cairn_product(n_states, n_numbers)));
    return NEW(ctx, &out->covariance, cairn_product(n_states, square));
}

void cairn_hmm_clear(cairn_hmm *model)
{
    cairn_map_clear(&model->states);
    cairn_map_clear(&model->symbols);
    cairn_map_clear(&model->columns);
    FREE_EACH(model->start, model->move, model->emit, model->mean, model->covariance);
    *model = (cairn_hmm){0};
}

/* Whether no two numbers vary together in any state. */
static bool is_diagonal(const cairn_hmm *m)
{
    size_t d = m->n_numbers;
    for (size_t i = 0; i < m->n_states * d * d; i++)
        if (i % (d * d) / d != i % d && m->covariance[i] != 0) return false;
    return true;
}

double cairn_hmm_free(const cairn_hmm *m)
{
    double n = (double)m->n_states, d = (double)m->n_numbers;
    double total = n - 1 + n * (n - 1) + n * d + n * (is_diagonal(m) ? d : d * (d + 1) / 2);
    return m->n_symbols ? total + n * ((double)m->n_symbols - 1) : total;
}

/* -- checks -- */

/* Probabilities of one row; `what` names it in messages. */
static cairn_status check_row(cairn_context *ctx, const char *where, const char *what,
                              const char *state, const double *row, size_t n,
                              const cairn_map *names)
{
    char value[CAIRN_NUMBER_SIZE];
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += row[i];
        if (row[i] >= 0 && row[i] <= 1) continue;
        cairn_number_format(value, row[i], CAIRN_SHORTEST);
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s: %s%s: the probability of '%s' is %s, but probabilities lie between "
                          "0 and 1",
                          where, what, state, cairn_map_key(names, i), value);
    }
    if (fabs(sum - 1) <= 1e-6) return CAIRN_OK;
    cairn_number_format(value, sum, 6);
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "%s: %s%s: the probabilities sum to %s and not to 1; fractions such as 1/3 "
                      "are taken",
                      where, what, state, value);
}

/* Numbers of a normal density: finite, and variances above 0; whether the whole matrix is a
 * covariance shows when it is factorised. */
static cairn_status check_density(cairn_context *ctx, const cairn_hmm *m, const char *where,
                                  size_t state)
{
    size_t d = m->n_numbers;
    const double *c = m->covariance + state * d * d;
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j < d; j++)
            if (!isfinite(m->mean[state * d + i]) || !isfinite(c[i * d + j]) ||
                !(c[i * d + i] > 0) || fabs(c[i * d + j] - c[j * d + i]) > 1e-9 * c[i * d + i])
                return cairn_fail(ctx, CAIRN_BAD_DATA,
                                  "%s: covariance %s: number %zu of row %zu: variances must be "
                                  "above 0, and both triangles the same",
                                  where, cairn_map_key(&m->states, state), j + 1, i + 1);
    return CAIRN_OK;
}

cairn_status cairn_hmm_check(cairn_context *ctx, const cairn_hmm *m, const char *where)
{
    CHECK(check_row(ctx, where, "start", "", m->start, m->n_states, &m->states));
    for (size_t i = 0; i < m->n_states; i++) {
        const char *name = cairn_map_key(&m->states, i);
        CHECK(check_row(ctx, where, "from ", name, m->move + i * m->n_states, m->n_states,
                        &m->states));
        if (m->n_symbols)
            CHECK(check_row(ctx, where, "emit ", name, m->emit + i * m->n_symbols, m->n_symbols,
                            &m->symbols));
        if (m->n_numbers) CHECK(check_density(ctx, m, where, i));
    }
    return CAIRN_OK;
}

/* -- sequences at random -- */

size_t cairn_hmm_pick(cairn_random *random, const double *shares, size_t n)
{
    double sum = 0, so_far = 0;
    size_t last = 0;
    for (size_t i = 0; i < n; i++) sum += shares[i];
    double reach = cairn_random_uniform(random) * sum;
    for (size_t i = 0; i < n; i++) {
        if (!(shares[i] > 0)) continue;
        last = i;
        so_far += shares[i];
        if (so_far > reach) break;
    }
    return last;
}

/* Upper factors of the covariances, from scratch. */
static cairn_status factorise(cairn_context *ctx, const cairn_hmm *m, double **out)
{
    size_t square = m->n_numbers * m->n_numbers, pivot;
    double condition;
    CHECK(SCRATCH_RAW(ctx, out, cairn_product(m->n_states, square)));
    memcpy(*out, m->covariance, m->n_states * square * sizeof **out);
    for (size_t i = 0; i < m->n_states; i++) {
        CHECK(cairn_cholesky(ctx, *out + i * square, m->n_numbers, &condition, &pivot));
        if (pivot < m->n_numbers)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "the covariance of state '%s' is none: it is not positive definite "
                              "(row %zu)",
                              cairn_map_key(&m->states, i), pivot + 1);
    }
    return CAIRN_OK;
}

/* mean + R'z, where z is standard normal. */
static void draw_vector(const cairn_hmm *m, cairn_random *random, size_t state,
                        const double *factors, double *out)
{
    size_t d = m->n_numbers;
    const double *r = factors + state * d * d;
    memcpy(out, m->mean + state * d, d * sizeof *out);
    for (size_t i = 0; i < d; i++) {
        double z = cairn_random_normal(random);
        for (size_t j = i; j < d; j++) out[j] += r[i * d + j] * z;
    }
}

cairn_status cairn_hmm_sample(cairn_context *ctx, const cairn_hmm *m, cairn_random *random,
                              size_t n, int32_t *states, int32_t *symbols, double *numbers)
{
    SCOPED_SCRATCH(ctx);
    double *factors = NULL;
    const double *shares = m->start;
    if (m->n_numbers && numbers) CHECK(factorise(ctx, m, &factors));
    for (size_t t = 0; t < n; t++) {
        if (t % 65536 == 0) CHECK(cairn_tick(ctx, "steps", (double)t, (double)n));
        size_t state = cairn_hmm_pick(random, shares, m->n_states);
        states[t] = (int32_t)state;
        shares = m->move + state * m->n_states;
        if (m->n_symbols && symbols)
            symbols[t] =
                (int32_t)cairn_hmm_pick(random, m->emit + state * m->n_symbols, m->n_symbols);
        if (factors) draw_vector(m, random, state, factors, numbers + t * m->n_numbers);
    }
    return CAIRN_OK;
}

/* -- the text form of Markov models -- */

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
        if (from->kind >= FROM) {
            /* The state that a line is about. */
            if (!from->n_words)
                return cairn_fail(r->ctx, CAIRN_BAD_DATA,
                                  "%s, line %zu: behind '%s' stand a state and its numbers",
                                  r->where, from->number, kind_words[from->kind]);
            int64_t found =
                cairn_map_find(&r->model->states, from->words[0].at, from->words[0].length);
            if (found < 0) {
                CHECK(fail_unknown(r, from->number, "state", from->words[0], name_of,
                                   &r->model->states));
            } else {
                state = (size_t)found;
            }
        }
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

static cairn_status read_model(model_reader *r, const char *text, size_t length)
{
    CHECK(read_lines(r, text, length));
    CHECK(read_shape(r));
    CHECK(read_rows(r));
    /* Every state has its lines; without a start all are equally probable. */
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

/* -- forward, backward, posterior and Viterbi tables of one sequence -- */

static const double within = 1e-12; /* paths whose logarithms are as near are tied */

/* -- what is given off -- */

void cairn_hmm_step_logs(double *out, const cairn_hmm *m, const cairn_hmm_normals *normals,
                         const cairn_hmm_seen *seen, size_t t, cairn_hmm_filling *buffer)
{
    for (size_t j = 0; j < m->n_states; j++)
        out[j] = !seen->symbols
                     ? cairn_hmm_density(m, normals, j, seen->numbers + t * m->n_numbers, buffer)
                 : seen->symbols[t] < 0
                     ? 0
                     : cairn_log(m->emit[j * m->n_symbols + (size_t)seen->symbols[t]]);
}

/* -- forward and backward -- */

static double largest(const double *row, size_t n)
{
    double most = -INFINITY;
    for (size_t j = 0; j < n; j++) most = fmax(most, row[j]);
    return most;
}

/* alpha of a step from that of the step before (NULL = it is the first); its logarithms of b are
 * taken off their largest, so that densities far below 1 do not vanish. Returns ln of the sum. */
static double go_forward(double *to, const double *from, const double *logs, const cairn_hmm *m)
{
    size_t n = m->n_states;
    double sum = 0, top = largest(logs, n);
    if (isinf(top)) top = 0;
    for (size_t j = 0; j < n; j++) {
        double reach = from ? 0 : m->start[j];
        for (size_t i = 0; from && i < n; i++) reach += from[i] * m->move[i * n + j];
        to[j] = reach * cairn_exp(logs[j] - top);
        sum += to[j];
    }
    for (size_t j = 0; j < n && sum > 0; j++) to[j] /= sum;
    return sum > 0 ? cairn_log(sum) + top : -INFINITY;
}

cairn_status cairn_hmm_foretell(cairn_context *ctx, double *out, const cairn_hmm *m,
                                const cairn_hmm_seen *seen)
{
    SCOPED_SCRATCH(ctx);
    cairn_hmm_normals normals;
    cairn_hmm_filling buffer;
    double *now, *next, *logs;
    CHECK(SCRATCH_EACH(ctx, m->n_states, &now, &next, &logs));
    CHECK(cairn_hmm_normals_make(ctx, &normals, m));
    CHECK(cairn_hmm_filling_make(ctx, &buffer, m->n_numbers));
    for (size_t t = 0; t < seen->n; t++) {
        if (t % 65536 == 0) CHECK(cairn_tick(ctx, "steps", (double)t, (double)seen->n));
        cairn_hmm_step_logs(logs, m, &normals, seen, t, &buffer);
        out[t] = go_forward(next, t ? now : NULL, logs, m);
        double *swap = now;
        now = next;
        next = swap;
    }
    return CAIRN_OK;
}

/* What follows when step t is in state j, as far as it concerns the step before: next to nothing
 * divided by next to nothing stays finite, so that 0 times it is 0. */
static double follows(const cairn_hmm_tables *x, size_t t, size_t j)
{
    size_t at = t * x->n_states + j;
    return fmin(cairn_exp(x->logs[at] - x->scale[t]) * x->beta[at], 1e300);
}

static void go_back(const cairn_hmm_tables *x, const cairn_hmm *m, size_t t)
{
    size_t n = x->n_states;
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t j = 0; j < n; j++) sum += m->move[i * n + j] * follows(x, t + 1, j);
        x->beta[t * n + i] = sum;
    }
}

static void fill_posteriors(cairn_hmm_tables *x, const cairn_hmm *m)
{
    size_t n = x->n_states;
    for (size_t j = 0; j < n; j++) x->beta[(x->n_steps - 1) * n + j] = 1;
    for (size_t t = x->n_steps - 1; t-- > 0;) go_back(x, m, t);
    for (size_t t = 0; t < x->n_steps; t++) {
        for (size_t j = 0; j < n; j++)
            x->gamma[t * n + j] = x->alpha[t * n + j] * x->beta[t * n + j];
        /* The first of the largest, ties within the tolerance. */
        const double *row = x->gamma + t * n;
        size_t best = 0;
        for (size_t j = 1; j < n; j++)
            if (row[j] > row[best] * (1 + within)) best = j;
        x->decoded[t] = (int32_t)best;
    }
}

/* -- Viterbi -- */

/* The state before j from which the path to it is best, the first of equal ones. */
static size_t best_before(const cairn_hmm_tables *x, const cairn_hmm *m, size_t t, size_t j,
                          double *log)
{
    size_t n = x->n_states, best = 0;
    *log = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        double here = x->delta[(t - 1) * n + i] + cairn_log(m->move[i * n + j]);
        if (!(here > *log + within)) continue;
        best = i;
        *log = here;
    }
    return best;
}

static void fill_paths(cairn_hmm_tables *x, const cairn_hmm *m)
{
    size_t n = x->n_states, last = x->n_steps - 1, best = 0;
    for (size_t t = 0; t < x->n_steps; t++)
        for (size_t j = 0; j < n; j++) {
            double log = cairn_log(m->start[j]);
            x->from[t * n + j] = t ? (int32_t)best_before(x, m, t, j, &log) : -1;
            x->delta[t * n + j] = log + x->logs[t * n + j];
        }
    for (size_t j = 1; j < n; j++)
        if (x->delta[last * n + j] > x->delta[last * n + best] + within) best = j;
    x->log_path = x->delta[last * n + best];
    for (size_t t = last + 1; t-- > 0;) {
        x->path[t] = isinf(x->log_path) ? -1 : (int32_t)best;
        if (t) best = (size_t)x->from[t * n + best];
    }
}

/* -- all -- */

static cairn_status make_buffer(cairn_context *ctx, cairn_hmm_tables *x)
{
    size_t cells = cairn_product(x->n_steps, x->n_states);
    CHECK(SCRATCH_EACH(ctx, cells, &x->logs, &x->alpha));
    CHECK(SCRATCH(ctx, &x->scale, x->n_steps));
    CHECK(SCRATCH_EACH(ctx, cells, &x->beta, &x->gamma, &x->delta, &x->from));
    CHECK(SCRATCH(ctx, &x->path, x->n_steps));
    return SCRATCH(ctx, &x->decoded, x->n_steps);
}

cairn_status cairn_hmm_tables_make(cairn_context *ctx, cairn_hmm_tables *out, const cairn_hmm *m,
                                   const cairn_hmm_seen *seen)
{
    cairn_hmm_tables x = {.n_steps = seen->n, .n_states = m->n_states, .impossible = seen->n};
    cairn_hmm_normals normals;
    cairn_hmm_filling buffer;
    if (!seen->n) return cairn_fail(ctx, CAIRN_BAD_DATA, "the sequence is empty");
    CHECK(make_buffer(ctx, &x));
    CHECK(cairn_hmm_normals_make(ctx, &normals, m));
    CHECK(cairn_hmm_filling_make(ctx, &buffer, m->n_numbers));
    for (size_t t = 0; t < seen->n; t++) {
        cairn_hmm_step_logs(x.logs + t * x.n_states, m, &normals, seen, t, &buffer);
        double *alpha = x.alpha + t * x.n_states;
        x.scale[t] = go_forward(alpha, t ? alpha - x.n_states : NULL, x.logs + t * x.n_states, m);
        if (isinf(x.scale[t]) && x.impossible == seen->n) x.impossible = t;
        x.log_p += x.scale[t];
    }
    if (x.impossible == seen->n) fill_posteriors(&x, m);
    for (size_t t = 0; t < seen->n && x.impossible < seen->n; t++) x.decoded[t] = -1;
    fill_paths(&x, m);
    *out = x;
    return CAIRN_OK;
}

double cairn_hmm_tables_xi(const cairn_hmm_tables *x, const cairn_hmm *m, size_t t, size_t i,
                           size_t j)
{
    size_t n = x->n_states;
    return x->alpha[t * n + i] * m->move[i * n + j] * follows(x, t + 1, j);
}

/* -- the steps of tables for hidden Markov models -- */

static size_t count_kind(const cairn_view *view, cairn_kind kind)
{
    size_t n = 0;
    for (size_t f = 0; f < view->n_features; f++) n += view->features[f]->kind == kind;
    return n;
}

cairn_status cairn_hmm_find_steps(cairn_context *ctx, const cairn_view *view, bool rows,
                                  int32_t *shape)
{
    size_t numbers = count_kind(view, CAIRN_NUMBER), levels = count_kind(view, CAIRN_LEVEL);
    *shape = CAIRN_HMM_SEQUENCES;
    if (cairn_view_first(view, CAIRN_SEQUENCE) >= 0) return CAIRN_OK;
    *shape = CAIRN_HMM_SERIES;
    if (cairn_view_first(view, CAIRN_SERIES) >= 0) return CAIRN_OK;
    if (rows && levels > 1 && !numbers)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the rows are the steps of a sequence, and %zu columns of levels could "
                          "be its symbols; choose one with {features COLUMN}",
                          levels);
    if (!numbers && !levels)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "a hidden Markov model needs a column of sequences, or columns of levels "
                          "or numbers for the steps; declare one with {kinds COLUMN=sequence} "
                          "or {kinds COLUMN=series}");
    if (rows)
        *shape = numbers ? CAIRN_HMM_NUMBER_ROWS : CAIRN_HMM_LEVEL_ROWS;
    else
        *shape = levels ? CAIRN_HMM_LEVEL_COLUMNS : CAIRN_HMM_NUMBER_COLUMNS;
    return CAIRN_OK;
}

size_t cairn_hmm_width(const cairn_view *view, int32_t shape)
{
    return shape == CAIRN_HMM_NUMBER_ROWS      ? count_kind(view, CAIRN_NUMBER)
           : shape == CAIRN_HMM_SERIES         ? count_kind(view, CAIRN_SERIES)
           : shape == CAIRN_HMM_NUMBER_COLUMNS ? 1
                                               : 0;
}

cairn_status cairn_hmm_name_numbers(cairn_context *ctx, cairn_map *out, const cairn_schema *schema,
                                    int32_t shape)
{
    int32_t kind = shape == CAIRN_HMM_SERIES ? CAIRN_SERIES : CAIRN_NUMBER;
    if (shape != CAIRN_HMM_SERIES && shape != CAIRN_HMM_NUMBER_ROWS) return CAIRN_OK;
    for (size_t i = 0; i < schema->n_fields; i++) {
        const cairn_field *field = &schema->fields[i];
        size_t index;
        if (field->role == CAIRN_FEATURE && (int32_t)field->kind == kind)
            CHECK(cairn_map_add(ctx, out, field->name, strlen(field->name), &index));
    }
    return CAIRN_OK;
}

/* Infinite numbers have no density. */
static cairn_status take_number(cairn_context *ctx, const cairn_view *view, size_t feature,
                                size_t row, double *out)
{
    *out = view->features[feature]->numbers[row];
    if (isnan(*out)) return CAIRN_OK;
    return cairn_need_finite(ctx, "hmm", view->names[feature], row, *out);
}

/* -- symbols -- */

static size_t row_at(const uint32_t *list, size_t i)
{
    return list ? list[i] : i;
}

/* Rows that are sequences of symbols. */
static cairn_status read_symbols(cairn_context *ctx, cairn_hmm_data *out, const cairn_view *view,
                                 const uint32_t *list, size_t n, cairn_map *symbols, bool grow)
{
    cairn_markov_steps steps;
    size_t *begins;
    int32_t *all;
    CHECK(cairn_markov_open(ctx, &steps, view, symbols, grow));
    CHECK(SCRATCH(ctx, &begins, n + 1));
    for (size_t i = 0; i < n; i++)
        begins[i + 1] = begins[i] + cairn_markov_row(&steps, row_at(list, i));
    CHECK(SCRATCH(ctx, &all, begins[n]));
    for (size_t i = 0; i < n; i++) {
        size_t length = cairn_markov_row(&steps, row_at(list, i));
        memcpy(all + begins[i], steps.row, length * sizeof *all);
    }
    *out = (cairn_hmm_data){.n = n, .begins = begins, .symbols = all};
    return CAIRN_OK;
}

/* Rows that are the steps of one sequence of symbols. */
static cairn_status read_level_rows(cairn_context *ctx, cairn_hmm_data *out, const cairn_view *view,
                                    size_t n, cairn_map *symbols, bool grow)
{
    cairn_markov_steps steps;
    size_t *begins;
    int32_t *all;
    CHECK(cairn_markov_open(ctx, &steps, view, symbols, grow));
    CHECK(SCRATCH(ctx, &begins, 2));
    CHECK(SCRATCH(ctx, &all, n));
    begins[1] = n;
    ptrdiff_t f = cairn_view_first(view, CAIRN_LEVEL);
    const int32_t *codes = view->features[f]->codes, *symbol_of = steps.symbol_of[f];
    for (size_t i = 0; i < n; i++) {
        int32_t code = codes[cairn_view_row(view, i)];
        all[i] = code < 0 ? -1 : symbol_of[code];
    }
    *out = (cairn_hmm_data){.n = 1, .begins = begins, .symbols = all};
    return CAIRN_OK;
}

/* -- numbers -- */

/* Rows of numbers; `rows` = each is a step, else each number is one. */
static cairn_status read_vectors(cairn_context *ctx, cairn_hmm_data *out, const cairn_view *view,
                                 const uint32_t *list, size_t n, bool rows)
{
    size_t width = count_kind(view, CAIRN_NUMBER), *begins, at = 0;
    size_t n_sequences = rows ? 1 : n;
    double *all;
    CHECK(SCRATCH(ctx, &begins, n_sequences + 1));
    CHECK(SCRATCH(ctx, &all, cairn_product(n, width)));
    for (size_t i = 0; i < n; i++)
        for (size_t f = 0; f < view->n_features; f++)
            if (view->features[f]->kind == CAIRN_NUMBER)
                CHECK(take_number(ctx, view, f, cairn_view_row(view, row_at(list, i)), &all[at++]));
    for (size_t i = 0; i < n_sequences; i++) begins[i + 1] = rows ? n : (i + 1) * width;
    *out = (cairn_hmm_data){.n = n_sequences, .begins = begins, .numbers = all};
    return CAIRN_OK;
}

/* The numbers of one row's series, side by side; infinite ones are refused. */
static cairn_status take_series(cairn_context *ctx, const cairn_view *view, size_t row,
                                size_t width, double *out)
{
    size_t k = 0;
    for (size_t f = 0; f < view->n_features; f++) {
        cairn_number_series run;
        if (view->features[f]->kind != CAIRN_SERIES) continue;
        cairn_view_series(view, f, row, 1, &run);
        for (size_t t = 0; t < run.n; t++) {
            out[t * width + k] = run.values[t];
            if (!isnan(run.values[t]))
                CHECK(cairn_need_finite(ctx, "hmm", view->names[f], cairn_view_row(view, row),
                                        run.values[t]));
        }
        k++;
    }
    return CAIRN_OK;
}

/* Rows that are sequences of vectors, each number of which has a series of its own. */
static cairn_status read_series(cairn_context *ctx, cairn_hmm_data *out, const cairn_view *view,
                                const uint32_t *list, size_t n)
{
    size_t width = count_kind(view, CAIRN_SERIES), *begins;
    ptrdiff_t first = cairn_view_first(view, CAIRN_SERIES);
    double *all;
    CHECK(cairn_view_check_steps(ctx, view));
    CHECK(SCRATCH(ctx, &begins, n + 1));
    for (size_t i = 0; i < n; i++)
        begins[i + 1] = begins[i] + cairn_view_n_steps(view, (size_t)first, row_at(list, i));
    CHECK(SCRATCH(ctx, &all, cairn_product(begins[n], width)));
    for (size_t i = 0; i < n; i++)
        CHECK(take_series(ctx, view, row_at(list, i), width, all + begins[i] * width));
    *out = (cairn_hmm_data){.n = n, .begins = begins, .numbers = all};
    return CAIRN_OK;
}

cairn_status cairn_hmm_read_steps(cairn_context *ctx, cairn_hmm_data *out, const cairn_view *view,
                                  int32_t shape, const uint32_t *list, size_t n, cairn_map *symbols,
                                  bool grow)
{
    switch (shape) {
    case CAIRN_HMM_NUMBER_COLUMNS: return read_vectors(ctx, out, view, list, n, false);
    case CAIRN_HMM_NUMBER_ROWS: return read_vectors(ctx, out, view, list, n, true);
    case CAIRN_HMM_SERIES: return read_series(ctx, out, view, list, n);
    case CAIRN_HMM_LEVEL_ROWS: return read_level_rows(ctx, out, view, n, symbols, grow);
    default: return read_symbols(ctx, out, view, list, n, symbols, grow);
    }
}

/* Rows drawn from learned hidden Markov models: a class where there are classes, then states and
 * what they give off. A model says nothing of how long a sequence goes on, so that it gets the mean
 * length of those that it was learned from; where rows are steps, all rows are one sequence. */

/* Steps of all rows, one behind the other; scratch. */
typedef struct drawn {
    const cairn_hmm_model *m;
    size_t *begins; /* n_rows + 1, or 2 where rows are steps */
    int32_t *states, *symbols;
    double *numbers; /* steps x width */
    size_t width;
    const int32_t *classes; /* of the rows; NULL = there are none */
    cairn_random *random;
    double *shares; /* n_symbols: room */
    const cairn_sample_notes *notes;
} drawn;

static bool rows_are_steps(const cairn_hmm_model *m)
{
    return m->shape == CAIRN_HMM_NUMBER_ROWS || m->shape == CAIRN_HMM_LEVEL_ROWS;
}

static size_t length_of(const drawn *d, const cairn_schema *schema, size_t class)
{
    if (d->m->shape == CAIRN_HMM_LEVEL_COLUMNS || d->m->shape == CAIRN_HMM_NUMBER_COLUMNS) {
        /* Columns whose cells are the steps of a row, where they are. */
        cairn_kind kind = d->m->shape == CAIRN_HMM_LEVEL_COLUMNS ? CAIRN_LEVEL : CAIRN_NUMBER;
        size_t n = 0;
        for (size_t f = 0; f < schema->n_fields; f++)
            n += schema->fields[f].role == CAIRN_FEATURE && schema->fields[f].kind == (int32_t)kind;
        return n;
    }
    return (size_t)floor(d->m->lengths[class] + 0.5);
}

static const cairn_hmm *model_of(const drawn *d, size_t row)
{
    return &d->m->models[d->classes ? d->classes[row] : 0];
}

/* The numbers of a step as mean plus noise; the parts of the noise are what the normal numbers make
 * of the covariance. */
static void note_numbers(cairn_report *note, const cairn_hmm *model, size_t state,
                         const double *numbers, cairn_random *random)
{
    const double *mean = model->mean + state * model->n_numbers;
    for (size_t k = 0; k < model->n_numbers; k++) {
        char label[32];
        double g = cairn_random_normal(random);
        snprintf(label, sizeof label, "number %zu", k + 1);
        if (model->n_numbers == 1)
            cairn_report_worked(note, label, "mean + deviation · g = # + #·# = #", mean[k],
                                sqrt(model->covariance[state]), g, numbers[k]);
        else
            cairn_report_worked(note, label, "mean + noise = # + # = #, g = #", mean[k],
                                numbers[k] - mean[k], numbers[k], g);
    }
}

/* The first steps of a sequence once more, with the random numbers that they were drawn by. */
static void note_sequence(cairn_report *note, const drawn *d, const cairn_hmm *model, size_t at,
                          size_t n, cairn_random random)
{
    const double *shares = model->start;
    const char *after = "start";
    char label[200];
    for (size_t t = 0; t < n && t < CAIRN_SAMPLE_STEPS; t++) {
        size_t state = (size_t)d->states[at + t];
        snprintf(label, sizeof label, "state after %.150s", after);
        cairn_sample_say(note, label, cairn_random_uniform(&random), shares, model->n_states,
                         &model->states);
        after = cairn_map_key(&model->states, state);
        shares = model->move + state * model->n_states;
        snprintf(label, sizeof label, "given off by %.150s", after);
        double u = model->n_symbols ? cairn_random_uniform(&random) : 0;
        if (model->n_symbols && d->m->shape != CAIRN_HMM_LEVEL_COLUMNS)
            cairn_sample_say(note, label, u, model->emit + state * model->n_symbols,
                             model->n_symbols, &model->symbols);
        if (model->n_numbers)
            note_numbers(note, model, state, d->numbers + (at + t) * d->width, &random);
    }
    if (n > CAIRN_SAMPLE_STEPS) cairn_report_paragraph(note, "and so on");
}

/* Every sequence by the model of its class. */
static cairn_status draw_steps(cairn_context *ctx, drawn *d, const cairn_schema *schema,
                               size_t n_rows)
{
    bool one = rows_are_steps(d->m);
    size_t n = one ? 1 : n_rows;
    CHECK(SCRATCH(ctx, &d->begins, n + 1));
    for (size_t i = 0; i < n; i++)
        d->begins[i + 1] =
            d->begins[i] +
            (one ? n_rows : length_of(d, schema, d->classes ? (size_t)d->classes[i] : 0));
    d->width = d->m->models->n_numbers;
    CHECK(SCRATCH_EACH(ctx, d->begins[n], &d->states, &d->symbols));
    CHECK(SCRATCH(ctx, &d->numbers, cairn_product(d->begins[n], d->width)));
    for (size_t i = 0; i < n; i++) {
        const cairn_hmm *model = model_of(d, i);
        size_t at = d->begins[i];
        cairn_random before = *d->random;
        CHECK(cairn_hmm_sample(ctx, model, d->random, d->begins[i + 1] - at, d->states + at,
                               d->symbols + at, d->numbers + at * d->width));
        if (cairn_sample_note(d->notes, i))
            note_sequence(cairn_sample_note(d->notes, i), d, model, at, d->begins[i + 1] - at,
                          before);
    }
    return CAIRN_OK;
}

/* The code that a field has for every name of a map, -1 = none; scratch. */
static cairn_status code_names(cairn_context *ctx, int32_t **out, const cairn_map *names,
                               const cairn_field *field)
{
    CHECK(SCRATCH(ctx, out, names->n));
    for (size_t k = 0; k < names->n; k++) {
        const char *name = cairn_map_key(names, k);
        (*out)[k] = (int32_t)cairn_map_find(&field->names, name, strlen(name));
    }
    return CAIRN_OK;
}

/* A column of sequences: symbols, or the states where they are the target. */
static cairn_status add_sequences(cairn_context *ctx, cairn_table *out, const drawn *d,
                                  const cairn_field *field, const int32_t *codes,
                                  const cairn_map *names)
{
    OWNED(cairn_column_drop) cairn_column *column = NULL;
    int32_t *code_of;
    size_t steps = d->begins[out->n_rows];
    CHECK(code_names(ctx, &code_of, names, field));
    CHECK(cairn_column_new(ctx, &column, CAIRN_SEQUENCE, out->n_rows));
    CHECK(cairn_map_copy(ctx, &column->names, &field->names));
    memcpy(column->starts, d->begins, (out->n_rows + 1) * sizeof *column->starts);
    CHECK(NEW_RAW(ctx, &column->items, steps + 1));
    for (size_t t = 0; t < steps; t++) column->items[t] = code_of[codes[t]];
    return cairn_table_add_column(ctx, out, field->name, field->role, TAKE(column));
}

/* What the state of a step gives off, among the symbols that a column has; -1 = it has none. */
static int32_t draw_level(const drawn *d, size_t row, size_t step, const int32_t *code_of)
{
    const cairn_hmm *model = model_of(d, row);
    const double *emit = model->emit + (size_t)d->states[step] * model->n_symbols;
    double sum = 0;
    size_t known = 0;
    char label[200];
    for (size_t k = 0; k < model->n_symbols; k++) {
        d->shares[k] = code_of[k] < 0 ? 0 : emit[k];
        known += code_of[k] >= 0;
        sum += d->shares[k];
    }
    if (!known) return -1;
    for (size_t k = 0; !(sum > 0) && k < model->n_symbols; k++) d->shares[k] = code_of[k] >= 0;
    snprintf(label, sizeof label, "given off by %.150s",
             cairn_map_key(&model->states, (size_t)d->states[step]));
    cairn_report *note =
        step - d->begins[row] < CAIRN_SAMPLE_STEPS ? cairn_sample_note(d->notes, row) : NULL;
    return code_of[cairn_sample_noted(note, label, d->random, d->shares, model->n_symbols,
                                      &model->symbols)];
}

/* The cells of a column: the number or level of step `at` of every row, or number `at` of rows that
 * are steps. */
static cairn_status add_cells(cairn_context *ctx, cairn_table *out, const drawn *d,
                              const cairn_field *field, size_t at)
{
    bool one = rows_are_steps(d->m);
    int32_t *code_of, *codes;
    double *numbers;
    CHECK(SCRATCH_EACH(ctx, out->n_rows, &codes, &numbers));
    CHECK(code_names(ctx, &code_of, &d->m->models->symbols, field));
    for (size_t i = 0; i < out->n_rows; i++) {
        size_t step = one ? i : d->begins[i] + at;
        if (field->kind == CAIRN_NUMBER)
            numbers[i] = d->numbers[step * d->width + (one ? at : 0)];
        else
            codes[i] = one ? code_of[d->symbols[step]] : draw_level(d, i, step, code_of);
    }
    return field->kind == CAIRN_NUMBER ? cairn_table_put_numbers(ctx, out, field->name, numbers)
                                       : cairn_sample_add_levels(ctx, out, field, codes);
}

/* The kind of the columns that hold what is given off. */
static cairn_kind steps_kind(const cairn_hmm_model *m)
{
    switch (m->shape) {
    case CAIRN_HMM_SEQUENCES: return CAIRN_SEQUENCE;
    case CAIRN_HMM_SERIES: return CAIRN_SERIES;
    case CAIRN_HMM_LEVEL_COLUMNS:
    case CAIRN_HMM_LEVEL_ROWS: return CAIRN_LEVEL;
    default: return CAIRN_NUMBER;
    }
}

/* Only columns of the kind that holds the steps are drawn; one of sequences holds them all, so
 * that it is the last. */
static cairn_status add_columns(cairn_context *ctx, cairn_table *out, const drawn *d,
                                const cairn_schema *schema)
{
    size_t at = 0;
    for (size_t f = 0; f < schema->n_fields; f++) {
        SCOPED_SCRATCH(ctx);
        const cairn_field *field = &schema->fields[f];
        if (field->role != CAIRN_FEATURE || field->kind != (int32_t)steps_kind(d->m)) continue;
        if (field->kind == CAIRN_SEQUENCE)
            return add_sequences(ctx, out, d, field, d->symbols, &d->m->models->symbols);
        if (field->kind == CAIRN_SERIES) {
            size_t k = at++;
            OWNED(cairn_column_drop) cairn_column *column = NULL;
            size_t steps = d->begins[out->n_rows];
            CHECK(cairn_column_new(ctx, &column, CAIRN_SERIES, out->n_rows));
            memcpy(column->starts, d->begins, (out->n_rows + 1) * sizeof *column->starts);
            CHECK(NEW_RAW(ctx, &column->amounts, steps + 1));
            for (size_t t = 0; t < steps; t++) column->amounts[t] = d->numbers[t * d->width + k];
            CHECK(cairn_table_add_column(ctx, out, field->name, CAIRN_FEATURE, TAKE(column)));
        } else
            CHECK(add_cells(ctx, out, d, field, at++));
    }
    return CAIRN_OK;
}

cairn_status cairn_hmm_sample_rows(cairn_context *ctx, cairn_table *out, const void *model,
                                   const cairn_job *job, cairn_random *random)
{
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_sample_notes_clear) cairn_sample_notes notes = {0};
    drawn d = {.m = model, .random = random, .notes = &notes};
    int32_t *classes = NULL;
    ptrdiff_t target = cairn_schema_role(job->schema, CAIRN_TARGET);
    CHECK(cairn_sample_notes_open(ctx, &notes, job->steps, rows_are_steps(d.m) ? 1 : out->n_rows));
    if (job->task == CAIRN_CLASSIFY)
        CHECK(cairn_sample_classes(ctx, &classes, out, job, d.m->weights, d.m->n_models, random,
                                   &notes));
    d.classes = classes;
    CHECK(SCRATCH(ctx, &d.shares, d.m->models->n_symbols));
    CHECK(draw_steps(ctx, &d, job->schema, out->n_rows));
    if (d.m->known && target >= 0)
        CHECK(add_sequences(ctx, out, &d, &job->schema->fields[target], d.states,
                            &d.m->models->states));
    CHECK(add_columns(ctx, out, &d, job->schema));
    cairn_sample_notes_show(&notes, job->steps);
    return CAIRN_OK;
}
