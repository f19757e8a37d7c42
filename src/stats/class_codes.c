/* SPDX-License-Identifier: MIT */
/* Code matrices and decoders: see class_codes.h. Source: Allwein, Schapire and Singer, Reducing
 * multiclass to binary (2000). */
#include "stats/class_codes.h"
#include "base/memory.h"
#include "base/text.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_EXHAUSTIVE = 11, MOST_TRIES = 1000, SHOWN_CODES = 30 };
static const double MOST_COMPARED = 2e9; /* codes, while matrices are drawn */

const cairn_choice cairn_vote_ties[] = {
    {"score", CAIRN_TIE_SCORE, "the larger sum of scores, then the first class"},
    {"first", CAIRN_TIE_FIRST, "the first class"},
    {"random", CAIRN_TIE_RANDOM, "one of them by chance"},
    {0},
};

/* -- decoding -- */

bool cairn_decoder_lowers(cairn_code_decoder decoder)
{
    return decoder == CAIRN_DECODE_DISTANCE || decoder == CAIRN_DECODE_LOSS;
}

const char *cairn_decoder_word(cairn_code_decoder decoder)
{
    switch (decoder) {
    case CAIRN_DECODE_VOTE: return "votes";
    case CAIRN_DECODE_DISTANCE: return "distance";
    case CAIRN_DECODE_LOSS: return "loss";
    default: return "score";
    }
}

/* What a model with score s says of a class with code c. */
static double share_of(const cairn_decoding *how, double c, double s)
{
    double side = s > 0 ? 1 : -1;
    if (isnan(s)) c = s = 0;
    switch (how->decoder) {
    case CAIRN_DECODE_VOTE: return c * side > 0 ? 1 : 0;
    case CAIRN_DECODE_DISTANCE: return (1 - c * side) / 2;
    case CAIRN_DECODE_LOSS: return cairn_margin_loss(how->loss, fmax(-700, c * s), 2);
    default: return 0;
    }
}

/* The sum of a class over all models; those that know nothing of it say all the same. */
static double sum_of(const cairn_code_matrix *m, const cairn_decoding *how, const double *scores,
                     size_t j)
{
    size_t n = m->n_models;
    double sum = 0, nothing = share_of(how, 0, 0);
    const double *codes = m->codes + j * n;
    if (!m->starts) {
        for (size_t i = 0; i < n; i++) sum += share_of(how, codes[i], scores[i]);
        return sum;
    }
    size_t known = m->starts[j + 1] - m->starts[j];
    for (size_t e = m->starts[j]; e < m->starts[j + 1]; e++)
        sum += share_of(how, codes[m->models[e]], scores[m->models[e]]);
    return sum + (double)(n - known) * nothing;
}

cairn_status cairn_codes_index(cairn_context *ctx, cairn_code_matrix *m)
{
    size_t n = m->n_models, found = 0;
    for (size_t i = 0; i < m->n_classes * n; i++) found += m->codes[i] != 0;
    CHECK(SCRATCH(ctx, &m->starts, m->n_classes + 1));
    CHECK(SCRATCH(ctx, &m->models, found + 1));
    found = 0;
    for (size_t j = 0; j < m->n_classes; j++) {
        for (size_t i = 0; i < n; i++)
            if (m->codes[j * n + i] != 0) m->models[found++] = (uint32_t)i;
        m->starts[j + 1] = found;
    }
    return CAIRN_OK;
}

static void decode_one_vs_rest(const cairn_code_matrix *m, const cairn_decoding *how,
                               const double *scores, double *values, cairn_decoded *out)
{
    size_t k = m->n_classes, n = m->n_models, first = k, best = 0, known = 0;
    for (size_t j = 0; j < k; j++) {
        values[j] = j < n ? (isnan(scores[j]) ? -INFINITY : scores[j]) : 0;
        known += j < n && !isnan(scores[j]);
        if (j < n && values[j] > 0 && first == k) first = j;
        if (values[j] > values[best]) best = j;
    }
    out->ambiguous = n == k ? out->fired != 1 : out->fired > 1;
    out->class = (ptrdiff_t)best;
    if (how->decoder == CAIRN_DECODE_ORDER) out->class = (ptrdiff_t)(first < k ? first : k - 1);
    if (how->decoder == CAIRN_DECODE_UNIQUE)
        out->class = out->ambiguous ? -2 : (ptrdiff_t)(first < k ? first : k - 1);
    if (!known) out->class = -1;
    for (size_t j = 0; j < k; j++)
        if (isinf(values[j])) values[j] = NAN;
}

/* Of equally good classes one; `better` is the value that they have. */
static size_t settle_tie(const cairn_code_matrix *m, const cairn_decoding *how,
                         const double *scores, const double *values, double better, size_t first,
                         cairn_random *random)
{
    size_t found = first, n = 0;
    double most = -INFINITY;
    for (size_t j = first; j < m->n_classes; j++) {
        double sum = 0;
        if (fabs(values[j] - better) > 1e-12 * (1 + fabs(better))) continue;
        for (size_t i = 0; i < m->n_models; i++)
            if (!isnan(scores[i])) sum += m->codes[j * m->n_models + i] * scores[i];
        n++;
        if (how->tie == CAIRN_TIE_RANDOM && random && cairn_random_below(random, n) == 0) found = j;
        if (how->tie == CAIRN_TIE_SCORE && sum > most + 1e-12 * fabs(sum)) {
            most = sum;
            found = j;
        }
    }
    return found;
}

cairn_decoded cairn_decode(const cairn_code_matrix *m, const cairn_decoding *how,
                           const double *scores, cairn_random *random, double *values)
{
    cairn_decoded out = {.class = -1};
    size_t k = m->n_classes, n = m->n_models, known = 0, best = 0, tied = 0;
    double sign = cairn_decoder_lowers(how->decoder) ? -1 : 1;
    for (size_t i = 0; i < n; i++) {
        out.fired += scores[i] > 0;
        if (!isnan(scores[i])) known++;
    }
    if (how->decoder >= CAIRN_DECODE_LARGEST) {
        decode_one_vs_rest(m, how, scores, values, &out);
        return out;
    }
    for (size_t j = 0; j < k; j++) {
        values[j] = sum_of(m, how, scores, j);
        if (sign * (values[j] - values[best]) > 1e-12 * (1 + fabs(values[best]))) best = j;
    }
    for (size_t j = 0; j < k; j++)
        tied += fabs(values[j] - values[best]) <= 1e-12 * (1 + fabs(values[best]));
    out.ambiguous = tied > 1;
    if (tied > 1 && how->decoder == CAIRN_DECODE_VOTE)
        best = settle_tie(m, how, scores, values, values[best], best, random);
    if (known) out.class = (ptrdiff_t)best;
    return out;
}

cairn_status cairn_decoding_parse(cairn_context *ctx, cairn_decoding *out, const char *what,
                                  const char *text)
{
    static const struct {
        const char *name;
        cairn_code_decoder decoder;
    } words[] = {{"vote", CAIRN_DECODE_VOTE},
                 {"distance", CAIRN_DECODE_DISTANCE},
                 {"argmax", CAIRN_DECODE_LARGEST},
                 {"reject", CAIRN_DECODE_UNIQUE},
                 {"order", CAIRN_DECODE_ORDER}};
    out->decoder = CAIRN_DECODE_LOSS;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (cairn_same(text, words[i].name)) {
            out->decoder = words[i].decoder;
            return CAIRN_OK;
        }
    for (size_t l = 0; strncmp(text, "loss:", 5) == 0 && l < CAIRN_N_LOSSES; l++) {
        const char *name = cairn_loss_name((cairn_loss)l);
        size_t at = 0;
        while (name[at] && (text[5 + at] == name[at] || (name[at] == '_' && text[5 + at] == '-')))
            at++;
        if (name[at] || text[5 + at]) continue;
        out->loss = (cairn_loss)l;
        return CAIRN_OK;
    }
    return cairn_fail(ctx, CAIRN_USAGE,
                      "%s: '%s' is no decoder; there are vote, distance, argmax, reject, order and "
                      "loss:NAME with zero-one, hinge, logistic, exponential, squared or "
                      "squared-truncated",
                      what, text);
}

/* -- matrices -- */

static cairn_status new_matrix(cairn_context *ctx, cairn_code_matrix *out, size_t n_classes,
                               size_t n_models)
{
    *out = (cairn_code_matrix){.n_classes = n_classes, .n_models = n_models};
    return SCRATCH(ctx, &out->codes, cairn_product(n_classes, n_models) + 1);
}

cairn_status cairn_codes_one_vs_rest(cairn_context *ctx, cairn_code_matrix *out, size_t k,
                                     bool but_last)
{
    size_t n = but_last ? k - 1 : k;
    CHECK(new_matrix(ctx, out, k, n));
    for (size_t i = 0; i < k * n; i++) out->codes[i] = i / n == i % n ? 1 : -1;
    return CAIRN_OK;
}

cairn_status cairn_codes_one_vs_one(cairn_context *ctx, cairn_code_matrix *out, size_t k)
{
    size_t n = cairn_product(k, k - 1) / 2, at = 0;
    CHECK(new_matrix(ctx, out, k, n));
    for (size_t a = 0; a < k; a++)
        for (size_t b = a + 1; b < k; b++, at++) {
            out->codes[a * n + at] = 1;
            out->codes[b * n + at] = -1;
        }
    return CAIRN_OK;
}

/* The first class is always on the positive side: a split and its mirror are one. */
cairn_status cairn_codes_exhaustive(cairn_context *ctx, cairn_code_matrix *out, size_t k)
{
    if (k > MOST_EXHAUSTIVE)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%zu classes have more than a thousand splits; {codes exhaustive} is for "
                          "up to %d, {codes error-correcting} for more",
                          k, MOST_EXHAUSTIVE);
    size_t n = ((size_t)1 << (k - 1)) - 1;
    CHECK(new_matrix(ctx, out, k, n));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < k; j++)
            out->codes[j * n + i] = j == 0 || (i >> (k - 1 - j) & 1) ? 1 : -1;
    return CAIRN_OK;
}

cairn_status cairn_codes_apart(cairn_context *ctx, const cairn_code_matrix *m, double *out)
{
    double least = INFINITY;
    for (size_t a = 0; a < m->n_classes; a++) {
        CHECK(cairn_tick(ctx, NULL, 0, 0));
        for (size_t b = 0; b < a; b++) {
            double sum = 0;
            for (size_t i = 0; i < m->n_models; i++)
                sum += (1 - m->codes[a * m->n_models + i] * m->codes[b * m->n_models + i]) / 2;
            if (sum < least) least = sum;
        }
    }
    *out = least;
    return CAIRN_OK;
}

double cairn_codes_work(const cairn_code_matrix *m)
{
    double k = (double)m->n_classes;
    return k * k / 2 * (double)m->n_models;
}

static bool same_columns(const cairn_code_matrix *m, size_t a, size_t b, double sign)
{
    for (size_t j = 0; j < m->n_classes; j++)
        if (m->codes[j * m->n_models + a] != sign * m->codes[j * m->n_models + b]) return false;
    return true;
}

/* A column with both signs that is neither one of those before it nor its mirror. */
static bool draw_column(cairn_code_matrix *m, size_t i, cairn_random *random)
{
    for (int try = 0; try < MOST_TRIES; try++) {
        double sum = 0;
        bool fresh = true;
        for (size_t j = 0; j < m->n_classes; j++)
            sum += m->codes[j * m->n_models + i] = cairn_random_below(random, 2) ? 1 : -1;
        if (fabs(sum) == (double)m->n_classes) continue;
        for (size_t b = 0; fresh && b < i; b++)
            fresh = !same_columns(m, i, b, 1) && !same_columns(m, i, b, -1);
        if (fresh) return true;
    }
    return false;
}

cairn_status cairn_codes_random(cairn_context *ctx, cairn_code_matrix *out, size_t k, size_t n,
                                size_t draws, uint64_t seed)
{
    cairn_code_matrix m;
    cairn_random random;
    double best = 0, apart = 0;
    CHECK(new_matrix(ctx, out, k, n));
    CHECK(new_matrix(ctx, &m, k, n));
    if ((double)draws * cairn_codes_work(&m) > MOST_COMPARED)
        draws = 1 + (size_t)(MOST_COMPARED / cairn_codes_work(&m));
    cairn_random_start(&random, seed, 0);
    for (size_t d = 0; d < draws || (best == 0 && d < draws + 100); d++) {
        bool fine = true;
        for (size_t i = 0; fine && i < n; i++) fine = draw_column(&m, i, &random);
        if (!fine) continue;
        CHECK(cairn_codes_apart(ctx, &m, &apart));
        if (apart <= best) continue;
        best = apart;
        memcpy(out->codes, m.codes, k * n * sizeof *m.codes);
    }
    if (best > 0) return CAIRN_OK;
    size_t least = 1;
    while (((size_t)1 << least) < k) least++;
    return cairn_fail(
        ctx, CAIRN_BAD_DATA,
        "no %zu random columns tell %zu classes apart; {length} must be at least %zu, "
        "and no more than there are splits of the classes",
        n, k, least);
}

/* The first two classes with equal rows, or models with equal columns, are named. */
static cairn_status check_equal(cairn_context *ctx, const cairn_code_matrix *m, const char *what)
{
    for (size_t a = 0; a < m->n_classes; a++)
        for (size_t b = 0; b < a; b++)
            if (memcmp(m->codes + a * m->n_models, m->codes + b * m->n_models,
                       m->n_models * sizeof *m->codes) == 0)
                return cairn_fail(ctx, CAIRN_BAD_DATA,
                                  "%s: rows %zu and %zu are the same, so nothing tells their "
                                  "classes apart; change one of them",
                                  what, b + 1, a + 1);
    for (size_t a = 0; a < m->n_models; a++)
        for (size_t b = 0; b < a; b++)
            if (same_columns(m, a, b, 1))
                return cairn_fail(ctx, CAIRN_BAD_DATA,
                                  "%s: columns %zu and %zu are the same model; leave one out", what,
                                  b + 1, a + 1);
    return CAIRN_OK;
}

cairn_status cairn_codes_check(cairn_context *ctx, const cairn_code_matrix *m, const char *what)
{
    for (size_t i = 0; i < m->n_models; i++) {
        bool plus = false, minus = false;
        for (size_t j = 0; j < m->n_classes; j++) {
            double c = m->codes[j * m->n_models + i];
            if (c != 0 && c != 1 && c != -1)
                return cairn_fail(ctx, CAIRN_BAD_DATA,
                                  "%s: row %zu, column %zu is no code; codes are 1, -1 and 0", what,
                                  j + 1, i + 1);
            plus = plus || c > 0;
            minus = minus || c < 0;
        }
        if (!plus || !minus)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "%s: column %zu has one sign only; a model needs classes on both "
                              "sides, 1 and -1",
                              what, i + 1);
    }
    return check_equal(ctx, m, what);
}

void cairn_codes_show(cairn_report *out, const cairn_code_matrix *m, const char *const *names)
{
    size_t n = m->n_models;
    char head[24];
    cairn_report_table_of(out, "Code matrix: a row per class, a column per model", SHOWN_CODES, "l",
                          "class");
    for (size_t i = 0; i < n && i < SHOWN_CODES; i++) {
        snprintf(head, sizeof head, "%zu", i + 1);
        cairn_report_column(out, head, 'r');
    }
    for (size_t j = 0; j < m->n_classes && j < SHOWN_CODES; j++) {
        cairn_report_cell(out, names[j]);
        for (size_t i = 0; i < n && i < SHOWN_CODES; i++)
            cairn_report_cell_number(out, m->codes[j * n + i], 6, "code.%s.%zu",
                                     cairn_report_key(out, names[j]), i + 1);
    }
    cairn_report_table_end(out);
    if (n > SHOWN_CODES || m->n_classes > SHOWN_CODES)
        cairn_report_paragraph(out, "The first of %zu classes and %zu models are shown.",
                               m->n_classes, n);
}
