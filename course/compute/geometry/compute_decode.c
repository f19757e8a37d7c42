/* SPDX-License-Identifier: MIT */
/* cairn compute decode: what becomes of the scores of two-class models, by votes, distances or
 * losses of a code matrix, or one against the rest. */
#include "base/memory.h"
#include "stats/class_codes.h"
#include "model/calculator.h"
#include "report/table_rows.h"
#include "typed/numbers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum { BY_REST, BY_ONE, BY_ALL, BY_MATRIX } matrix_choice;

typedef struct decode_params {
    const char *scores, *classes, *matrix;
    int codes;
    const char *decode;
    int vote_tie;
} decode_params;

static const cairn_choice matrices[] = {
    {"one-vs-rest", BY_REST, "a model for every class, or for all but the last"},
    {"one-vs-one", BY_ONE, "a model for every pair: 1 and 2, 1 and 3, ..., 2 and 3, ..."},
    {"exhaustive", BY_ALL, "a model for every split of the classes"},
    {"given", BY_MATRIX, "as --matrix says"},
    {0},
};

static const cairn_param decode_table[] = {
    CAIRN_PARAM(decode_params, scores, NULL, NULL,
                "scores of the models, such as 5,-0.5,4; several rows are separated by ;",
                .required = true),
    CAIRN_PARAM_CHOICE(decode_params, codes, "one-vs-one", matrices, "the code matrix"),
    CAIRN_PARAM(decode_params, matrix, NULL, NULL,
                "codes 1, -1 and 0, a row per class and a column per model, such as "
                "[1,1,0;-1,0,1;0,-1,-1]",
                .when = "codes=given"),
    CAIRN_PARAM(decode_params, classes, NULL, NULL, "names of the classes; C1,C2,... unless given"),
    CAIRN_PARAM(decode_params, decode, NULL, NULL,
                "vote, distance, loss:NAME with zero-one, hinge, logistic, exponential, squared or "
                "squared-truncated; one-vs-rest: argmax, reject or order. vote or argmax unless "
                "given"),
    CAIRN_PARAM_CHOICE(decode_params, vote_tie, "score", cairn_vote_ties,
                       "which class wins when several have the most votes"),
    CAIRN_PARAM_END,
};

typedef struct setting {
    cairn_code_matrix m;
    cairn_decoding how;
    const char **names; /* of the classes */
    double *scores;     /* n_rows x n_models */
    size_t n_rows;
} setting;

static cairn_status decode_check(cairn_context *ctx, const void *values)
{
    const decode_params *p = values;
    cairn_decoding how = {0};
    if (!p->decode) return CAIRN_OK;
    CHECK(cairn_decoding_parse(ctx, &how, cairn_say(ctx, "{decode}"), p->decode));
    if (how.decoder >= CAIRN_DECODE_LARGEST && p->codes != BY_REST)
        return cairn_fail(ctx, CAIRN_USAGE, "{decode %s} is for {codes one-vs-rest}", p->decode);
    return CAIRN_OK;
}

/* Names as given, or C1, C2, ...; their number is that of the classes. */
static cairn_status read_names(cairn_context *ctx, setting *s, const char *list, size_t k)
{
    char **given = NULL;
    size_t n = k;
    if (list) CHECK(cairn_list_split(ctx, list, &given, &n));
    CHECK(SCRATCH(ctx, &s->names, n + 1));
    for (size_t j = 0; j < n; j++) {
        char *name;
        CHECK(SCRATCH(ctx, &name, 24));
        snprintf(name, 24, "C%zu", j + 1);
        s->names[j] = given ? given[j] : name;
    }
    s->m.n_classes = n;
    return CAIRN_OK;
}

/* Classes that n models of the scheme are for; 0 = no number fits. */
static size_t classes_of(int codes, size_t n)
{
    for (size_t k = 2; k < 2000; k++) {
        if (codes == BY_REST && k == n) return k;
        if (codes == BY_ONE && k * (k - 1) / 2 == n) return k;
        if (codes == BY_ALL && k < 12 && ((size_t)1 << (k - 1)) - 1 == n) return k;
    }
    return 0;
}

/* The matrix that the scheme has for so many classes. */
static cairn_status make_matrix(cairn_context *ctx, setting *s, const decode_params *p, size_t n)
{
    size_t k = s->m.n_classes, rows;
    switch (p->codes) {
    case BY_REST: return cairn_codes_one_vs_rest(ctx, &s->m, k, n + 1 == k);
    case BY_ONE: return cairn_codes_one_vs_one(ctx, &s->m, k);
    case BY_ALL: return cairn_codes_exhaustive(ctx, &s->m, k);
    default: break;
    }
    const char *what = cairn_say(ctx, "{matrix}");
    CHECK(cairn_read_matrix(ctx, what, p->matrix, &s->m.codes, &rows, &s->m.n_models));
    if (rows != k)
        return cairn_fail(ctx, CAIRN_USAGE, "%s has %zu rows for %zu classes", what, rows, k);
    return cairn_codes_check(ctx, &s->m, what);
}

/* Without names of classes their number follows from the scores in a row, or from the matrix. */
static cairn_status read_setting(cairn_context *ctx, setting *s, const cairn_compute_job *job)
{
    decode_params typed = *(const decode_params *)job->params, *p = &typed;
    size_t n, k, rows, columns;
    double *cells;
    cairn_named_matrix codes = {0};
    if (job->table && p->matrix)
        return cairn_fail(ctx, CAIRN_USAGE, "the codes are typed, {matrix}, or in DATA, not both");
    if (job->table) {
        p->codes = BY_MATRIX;
        CHECK(cairn_named_matrix_read(ctx, &codes, job->table));
        CHECK(cairn_named_matrix_text(ctx, &p->matrix, &codes, false));
    }
    if (p->codes == BY_MATRIX && !p->matrix)
        return cairn_fail(ctx, CAIRN_USAGE, "{codes given} needs the codes: {matrix}, or DATA");
    *s = (setting){.how.tie = (cairn_vote_tie)p->vote_tie};
    CHECK(
        cairn_read_matrix(ctx, cairn_say(ctx, "{scores}"), p->scores, &s->scores, &s->n_rows, &n));
    for (size_t i = 0; i < s->n_rows * n; i++)
        if (!isfinite(s->scores[i]))
            return cairn_fail(ctx, CAIRN_USAGE, "{scores}: scores must be finite numbers");
    k = classes_of(p->codes, n);
    if (p->codes == BY_MATRIX)
        CHECK(cairn_read_matrix(ctx, cairn_say(ctx, "{matrix}"), p->matrix, &cells, &k, &columns));
    if (!k && !p->classes)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{scores} has %zu numbers in a row, which fits no number of classes; "
                          "check them, or give the {classes}",
                          n);
    CHECK(read_names(ctx, s, p->classes, k));
    if (codes.rows && !p->classes) s->names = codes.rows;
    rows = s->m.n_classes;
    if (rows < 2) return cairn_fail(ctx, CAIRN_USAGE, "{classes}: at least two are needed");
    CHECK(make_matrix(ctx, s, p, n));
    if (s->m.n_models != n)
        return cairn_fail(ctx, CAIRN_USAGE, "{scores} has %zu numbers in a row for %zu models", n,
                          s->m.n_models);
    const char *usual = p->codes == BY_REST ? "argmax" : "vote";
    return cairn_decoding_parse(ctx, &s->how, "decode", p->decode ? p->decode : usual);
}

/* Whether there is a model for every pair of classes. */
static bool is_one_vs_one(const cairn_code_matrix *m)
{
    size_t k = m->n_classes;
    if (m->n_models != k * (k - 1) / 2) return false;
    for (size_t i = 0; i < m->n_models; i++) {
        size_t plus = 0, minus = 0;
        for (size_t j = 0; j < k; j++) {
            plus += m->codes[j * m->n_models + i] > 0;
            minus += m->codes[j * m->n_models + i] < 0;
        }
        if (plus != 1 || minus != 1) return false;
    }
    for (size_t j = 0; j < k; j++) {
        size_t pairs = 0;
        for (size_t i = 0; i < m->n_models; i++) pairs += m->codes[j * m->n_models + i] != 0;
        if (pairs != k - 1) return false;
    }
    return true;
}

/* Votes and distances of a row side by side: of one against one their sum is the same for every
 * class, since each of its k − 1 pairs is a vote or a distance of 1, and every other model half. */
static cairn_status show_constant(cairn_context *ctx, cairn_report *out, const setting *s, size_t r)
{
    size_t k = s->m.n_classes, n = s->m.n_models;
    const double *scores = s->scores + r * n;
    double constant = (double)(k - 1) * (double)(k + 2) / 4, *votes, *distances;
    cairn_decoding vote = {.decoder = CAIRN_DECODE_VOTE},
                   distance = {.decoder = CAIRN_DECODE_DISTANCE};
    cairn_random random;
    SCOPED_SCRATCH(ctx);
    if (!is_one_vs_one(&s->m)) return CAIRN_OK;
    CHECK(SCRATCH_EACH(ctx, k, &votes, &distances));
    cairn_random_start(&random, cairn_context_seed(ctx), r);
    cairn_decode(&s->m, &vote, scores, &random, votes);
    cairn_decode(&s->m, &distance, scores, &random, distances);
    cairn_report_formula(out, "v + d = (k − 1)(k + 2)/4");
    cairn_report_worked(out, "v + d", "(# − 1)·(# + 2) / 4 = #", (double)k, (double)k, constant);
    cairn_report_table_of(out, "Votes and distances", 0, "lrrr", "class", "votes v", "distance d",
                          "v + d");
    for (size_t j = 0; j < k; j++) {
        cairn_report_prefix(out, "row%zu.both", r + 1);
        cairn_report_cells(out, "- @.votes.$1 @.distance.$1 @.sum.$1", s->names[j], votes[j],
                           distances[j], votes[j] + distances[j]);
    }
    cairn_report_table_end(out);
    cairn_report_hidden(out, constant, "constant");
    return CAIRN_OK;
}

/* The sums of a row with their numbers put in. */
static cairn_status show_sums(cairn_context *ctx, cairn_report *out, const setting *s, size_t r,
                              const double *values)
{
    size_t n = s->m.n_models;
    const double *scores = s->scores + r * n;
    double *terms;
    cairn_code_decoder decoder = s->how.decoder;
    if (decoder >= CAIRN_DECODE_LARGEST) return CAIRN_OK;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &terms, 2 * n + 1));
    cairn_report_step_begin(out, "Row %zu", r + 1);
    cairn_report_formula(out, decoder == CAIRN_DECODE_VOTE       ? "v = Σ [c·w > 0], w = ±1"
                              : decoder == CAIRN_DECODE_DISTANCE ? "d = Σ (1 − c·w)/2, w = ±1"
                                                                 : "d = Σ L(c·s)");
    for (size_t j = 0; j < s->m.n_classes; j++) {
        for (size_t i = 0; i < n; i++) {
            double c = s->m.codes[j * n + i];
            terms[2 * i] = c;
            terms[2 * i + 1] = decoder == CAIRN_DECODE_LOSS ? scores[i] : scores[i] > 0 ? 1 : -1;
            if (decoder == CAIRN_DECODE_LOSS)
                cairn_report_hidden(out, c * scores[i] + 0.0, "row%zu.margin.%s.%zu", r + 1,
                                    cairn_report_key(out, s->names[j]), i + 1);
        }
        cairn_report_worked_sum(out, s->names[j],
                                decoder == CAIRN_DECODE_VOTE       ? "[#·# > 0]"
                                : decoder == CAIRN_DECODE_DISTANCE ? "(1 − #·#)/2"
                                                                   : "L(#·#)",
                                terms, 2, n, values[j]);
    }
    if (decoder != CAIRN_DECODE_LOSS) CHECK(show_constant(ctx, out, s, r));
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* A line per row of scores: what every class gets, and the answer. */
static cairn_status show_rows(cairn_context *ctx, cairn_report *out, const setting *s, bool steps)
{
    size_t k = s->m.n_classes, rejected = 0, ambiguous = 0;
    double *values;
    cairn_random random;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &values, cairn_product(s->n_rows, k) + 1));
    cairn_decoded *found;
    CHECK(SCRATCH(ctx, &found, s->n_rows + 1));
    for (size_t r = 0; r < s->n_rows; r++) {
        cairn_random_start(&random, cairn_context_seed(ctx), r);
        found[r] =
            cairn_decode(&s->m, &s->how, s->scores + r * s->m.n_models, &random, values + r * k);
        if (steps) CHECK(show_sums(ctx, out, s, r, values + r * k));
    }
    cairn_report_table_of(out, "Answers", 0, "r", "row");
    for (size_t j = 0; j < k; j++) cairn_report_column(out, s->names[j], 'r');
    cairn_report_columns(out, "ll", "answer", "");
    for (size_t r = 0; r < s->n_rows; r++) {
        cairn_decoded d = found[r];
        const char *answer = d.class == -2 ? "reject" : d.class < 0 ? "unknown" : s->names[d.class];
        cairn_report_cellf(out, "%zu", r + 1);
        for (size_t j = 0; j < k; j++)
            cairn_report_cell_number(out, values[r * k + j], 6, "row%zu.%s.%s", r + 1,
                                     cairn_decoder_word(s->how.decoder),
                                     cairn_report_key(out, s->names[j]));
        cairn_report_cell_word(out, answer, "row%zu.class", r + 1);
        cairn_report_cell(out, d.ambiguous ? "ambiguous" : "");
        cairn_report_hidden(out, d.ambiguous ? 1 : 0, "row%zu.ambiguous", r + 1);
        rejected += d.class == -2;
        ambiguous += d.ambiguous;
    }
    cairn_report_value(out, "rejected", (double)rejected, "rejected");
    cairn_report_value(out, "ambiguous", (double)ambiguous, "ambiguous");
    return CAIRN_OK;
}

static cairn_status run_decode(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    setting s;
    double apart = 0;
    CHECK(read_setting(ctx, &s, job));
    CHECK(cairn_codes_apart(ctx, &s.m, &apart));
    cairn_report_heading(out, 1, "Decoding");
    cairn_report_value(out, "models", (double)s.m.n_models, "models");
    cairn_report_value(out, "least distance between the codes of two classes", apart, "apart");
    cairn_codes_show(out, &s.m, s.names);
    return show_rows(ctx, out, &s, job->steps);
}

const cairn_calculator cairn_compute_decode = {
    .entry =
        {
            .kind = CAIRN_ENTRY_CALCULATOR,
            .name = "decode",
            .also =
                "code matrix, one-vs-one voting, one-vs-rest decision, output codes, loss-based "
                "decoding",
            .title = "Decoding the scores of two-class models",
            .summary =
                "Takes the scores of two-class models and tells which of many classes they mean: "
                "votes of one against one with their ties, the largest score or the only one that "
                "fires of one against the rest, distances or losses to the rows of any code "
                "matrix, typed or of DATA: a row per class. Rows that are rejected or ambiguous "
                "are marked.",
            .references = "Allwein, Schapire and Singer, Reducing multiclass to binary (2000); "
                          "Flach, Machine Learning, Cambridge University Press 2012",
            .example = "cairn compute decode --scores 5,-0.5,4,-0.5,4,0.5 --decode "
                       "loss:exponential --steps",
            .params = decode_table,
            .params_size = sizeof(decode_params),
            .check = decode_check,
        },
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_FEATURES | CAIRN_READS_ID,
    .run = run_decode,
};
