/* SPDX-License-Identifier: MIT */
/* Many classes from two: any learner, fitted to several two-class problems, whose answers are
 * decoded to one class.
 *
 * 1. A code matrix has a row per class and a column per model (stats/class_codes.h): one against
 *    the rest, one against one, or any other.
 * 2. Model i learns from the rows whose class has a code in column i, with that sign as its class.
 *    Nothing is copied: it gets a set of rows of the same table, and a column of signs. The models
 *    are fitted side by side.
 * 3. A row gets a score from every model: p(+) − p(−) where the base gives probabilities, half the
 *    difference of other scores, ±1 where it gives none; votes, distances or losses decide.
 *
 * Classes without a training row have no row in the matrix and are never answered. Cost: that of
 * the models; predicting asks all of them. */
#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "model/kept_parts.h"
#include "model/learned.h"
#include "parallel/parallel.h"
#include "transforms/computing.h"
#include "wrappers/output_codes.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Many classes from two as a program: scores of the models, votes or distances, the largest. */

enum { REJECTED = -2 };

/* The score of a model from its answer: slots of p(+) and p(−), or the sign of its code. */
static cairn_status lower_score(cairn_program *p, const cairn_model *model, int32_t *out)
{
    double half =
        cairn_learner_gives_probabilities(model->learner, model->params->values) ? 1 : 0.5;
    double weights[] = {-half, half}, zero = 0;
    CHECK(cairn_program_member(p, model));
    if (model->learner->gives_scores && p->answer.scores >= 0) {
        int32_t in[] = {p->answer.scores, p->answer.scores + 1};
        return cairn_lower_affine(p, in, 2, 1, &zero, weights, NULL, out);
    }
    double two = 2, minus = -1;
    return cairn_lower_affine(p, &p->answer.code, 1, 1, &minus, &two, NULL, out);
}

/* The loss of the margin on top of the stack; see cairn_margin_loss. */
static void lower_loss(cairn_computing *c, cairn_loss loss)
{
    bool one_side = loss == CAIRN_LOSS_HINGE || loss == CAIRN_LOSS_SQUARED_ONE_SIDE;
    bool square = loss == CAIRN_LOSS_SQUARED || loss == CAIRN_LOSS_SQUARED_ONE_SIDE;
    if (loss == CAIRN_LOSS_ZERO_ONE) {
        cairn_computing_number(c, 0);
        cairn_computing_do(c, CAIRN_DO_GREATER, 2);
        cairn_computing_do(c, CAIRN_DO_NOT, 1);
        return;
    }
    cairn_computing_number(c, -700);
    cairn_computing_do(c, CAIRN_DO_MAX, 2);
    cairn_computing_number(c, -1);
    cairn_computing_do(c, CAIRN_DO_MULTIPLY, 2);
    if (one_side || square) {
        cairn_computing_number(c, 1);
        cairn_computing_do(c, CAIRN_DO_SUM, 2);
        if (one_side) cairn_computing_number(c, 0);
        if (one_side) cairn_computing_do(c, CAIRN_DO_MAX, 2);
        if (square) (void)cairn_computing_function(c, "square");
        return;
    }
    (void)cairn_computing_function(c, "exp");
    if (loss == CAIRN_LOSS_EXPONENTIAL) return;
    (void)cairn_computing_function(c, "log1p");
    cairn_computing_number(c, cairn_log(2));
    cairn_computing_do(c, CAIRN_DO_DIVIDE, 2);
}

/* Losses of all classes with their sign turned; a model that knows nothing of a class costs 1. */
static cairn_status lower_losses(cairn_program *p, const cairn_many_model *m, cairn_loss loss,
                                 const int32_t *scores, int32_t *out)
{
    cairn_computing c = cairn_computing_start(p);
    size_t n = m->matrix.n_models;
    for (size_t j = 0; j < m->matrix.n_classes; j++) {
        cairn_computing_number(&c, -1);
        for (size_t i = 0; i < n; i++) {
            cairn_computing_slot(&c, scores[i]);
            cairn_computing_number(&c, m->matrix.codes[j * n + i]);
            cairn_computing_do(&c, CAIRN_DO_MULTIPLY, 2);
            lower_loss(&c, loss);
        }
        cairn_computing_do(&c, CAIRN_DO_SUM, n);
        cairn_computing_do(&c, CAIRN_DO_MULTIPLY, 2);
        cairn_computing_write(&c);
    }
    return cairn_computing_end(&c, out);
}

static void push_fires(cairn_computing *c, int32_t score)
{
    cairn_computing_slot(c, score);
    cairn_computing_number(c, 0);
    cairn_computing_do(c, CAIRN_DO_GREATER, 2);
}

/* The only model that fires; none stands for the last class where that has no model; else the row
 * is rejected. */
static cairn_status lower_unique(cairn_program *p, size_t k, size_t n, const int32_t *scores,
                                 int32_t *out)
{
    cairn_computing c = cairn_computing_start(p);
    int32_t fired;
    for (size_t i = 0; i < n; i++) push_fires(&c, scores[i]);
    cairn_computing_do(&c, CAIRN_DO_SUM, n);
    cairn_computing_write(&c);
    CHECK(cairn_computing_end(&c, &fired));
    c = cairn_computing_start(p);
    cairn_computing_slot(&c, fired);
    cairn_computing_number(&c, 1);
    cairn_computing_do(&c, CAIRN_DO_EQUAL, 2);
    for (size_t i = 0; i < n; i++) {
        push_fires(&c, scores[i]);
        cairn_computing_number(&c, (double)i);
        cairn_computing_do(&c, CAIRN_DO_MULTIPLY, 2);
    }
    cairn_computing_do(&c, CAIRN_DO_SUM, n);
    push_fires(&c, fired);
    cairn_computing_number(&c, REJECTED);
    cairn_computing_number(&c, n < k ? (double)k - 1 : REJECTED);
    cairn_computing_do(&c, CAIRN_DO_IF, 3);
    cairn_computing_do(&c, CAIRN_DO_IF, 3);
    cairn_computing_write(&c);
    return cairn_computing_end(&c, out);
}

/* Votes, distances with their sign turned, or sums of scores of all classes. */
static cairn_status lower_values(cairn_program *p, const cairn_many_model *m,
                                 cairn_code_decoder decoder, const int32_t *scores, int32_t *out)
{
    cairn_computing c = cairn_computing_start(p);
    size_t n = m->matrix.n_models;
    for (size_t j = 0; j < m->matrix.n_classes; j++) {
        size_t terms = 1;
        cairn_computing_number(&c, 0);
        for (size_t i = 0; i < n; i++) {
            double code = m->matrix.codes[j * n + i];
            bool distance = decoder == CAIRN_DECODE_DISTANCE;
            if (code == 0 && !distance) continue;
            terms++;
            cairn_computing_slot(&c, scores[i]);
            if (decoder == CAIRN_DECODE_LARGEST) {
                cairn_computing_number(&c, code);
                cairn_computing_do(&c, CAIRN_DO_MULTIPLY, 2);
                continue;
            }
            cairn_computing_number(&c, 0);
            cairn_computing_do(&c, CAIRN_DO_GREATER, 2);
            cairn_computing_number(&c, distance ? -(1 - code) / 2 : code > 0);
            cairn_computing_number(&c, distance ? -(1 + code) / 2 : code < 0);
            cairn_computing_do(&c, CAIRN_DO_IF, 3);
        }
        cairn_computing_do(&c, CAIRN_DO_SUM, terms);
        cairn_computing_write(&c);
    }
    return cairn_computing_end(&c, out);
}

/* Of the classes with the most votes that with the larger sum of scores keeps it, the others get a
 * number below all. */
static cairn_status lower_tie(cairn_program *p, size_t k, int32_t votes, int32_t sums, int32_t *out)
{
    cairn_computing c = cairn_computing_start(p);
    for (size_t j = 0; j < k; j++) {
        cairn_computing_slot(&c, votes + (int32_t)j);
        for (size_t l = 0; l < k; l++) cairn_computing_slot(&c, votes + (int32_t)l);
        cairn_computing_do(&c, CAIRN_DO_MAX, k);
        cairn_computing_do(&c, CAIRN_DO_GREATER_EQUAL, 2);
        cairn_computing_slot(&c, sums + (int32_t)j);
        cairn_computing_number(&c, -1e300);
        cairn_computing_do(&c, CAIRN_DO_IF, 3);
        cairn_computing_write(&c);
    }
    return cairn_computing_end(&c, out);
}

/* What the classes are compared by. */
static cairn_status lower_compared(cairn_program *p, const cairn_many_model *m,
                                   const cairn_decoding *how, const int32_t *scores, int32_t *out)
{
    size_t n = m->matrix.n_models, k = m->matrix.n_classes;
    if (how->decoder >= CAIRN_DECODE_LARGEST) {
        /* One model per class, or for all but the last, which has 0. */
        cairn_computing c = cairn_computing_start(p);
        for (size_t j = 0; j < k; j++) {
            if (j < n)
                cairn_computing_slot(&c, scores[j]);
            else
                cairn_computing_number(&c, 0);
            cairn_computing_write(&c);
        }
        return cairn_computing_end(&c, out);
    }
    if (how->decoder == CAIRN_DECODE_LOSS) return lower_losses(p, m, how->loss, scores, out);
    return lower_values(p, m, how->decoder, scores, out);
}

/* Equal votes are decided by the scores where {tie} says so, else by the order of the classes. */
static cairn_status lower_code(cairn_program *p, const cairn_many_model *m,
                               const cairn_decoding *how, const int32_t *scores, int32_t values)
{
    size_t n = m->matrix.n_models, k = m->matrix.n_classes;
    int32_t sums, *code = &p->answer.code;
    if (how->decoder == CAIRN_DECODE_ORDER) {
        /* The first model that fires, else the last class. */
        cairn_computing c = cairn_computing_start(p);
        for (size_t i = 0; i < n; i++) {
            push_fires(&c, scores[i]);
            cairn_computing_number(&c, (double)i);
        }
        cairn_computing_number(&c, (double)k - 1);
        for (size_t i = 0; i < n; i++) cairn_computing_do(&c, CAIRN_DO_IF, 3);
        cairn_computing_write(&c);
        return cairn_computing_end(&c, code);
    }
    if (how->decoder == CAIRN_DECODE_UNIQUE) return lower_unique(p, k, n, scores, code);
    if (how->decoder == CAIRN_DECODE_VOTE && how->tie == CAIRN_TIE_SCORE) {
        CHECK(lower_values(p, m, CAIRN_DECODE_LARGEST, scores, &sums));
        CHECK(lower_tie(p, k, values, sums, &values));
    }
    return cairn_lower_largest(p, values, k, code);
}

static cairn_status cairn_many_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_many_model *m = model;
    size_t n = m->matrix.n_models, k = m->matrix.n_classes;
    int32_t *scores, values;
    cairn_decoding how;
    CHECK(cairn_many_decoding(out->ctx, &how, m->scheme, job->params));
    if (k != m->n_classes) return cairn_program_refuse(out, "some class had no training row");
    if (how.decoder == CAIRN_DECODE_VOTE && how.tie == CAIRN_TIE_RANDOM)
        return cairn_program_refuse(out, "equal votes are settled by chance, which a program has "
                                         "none of; fit it with another vote-tie");
    CHECK(SCRATCH(out->ctx, &scores, n + 1));
    for (size_t i = 0; i < n; i++) CHECK(lower_score(out, m->models[i], &scores[i]));
    CHECK(lower_compared(out, m, &how, scores, &values));
    out->answer = (cairn_program_answer){.code = -1, .number = -1, .scores = values, .n_scores = k};
    return lower_code(out, m, &how, scores, values);
}

/* Many classes from two: the code matrix, the models, and what they say of a row. */

/* Codes that are compared for a report. */
static const double MOST_COMPARED = 2e9;

static void cairn_many_show_matrix(cairn_report *out, const cairn_many_model *m,
                                   const cairn_job *job)
{
    cairn_context *ctx = cairn_report_context(out);
    const char **names;
    if (!ctx) return;
    SCOPED_SCRATCH(ctx);
    cairn_status status = SCRATCH(ctx, &names, m->matrix.n_classes + 1);
    cairn_report_failed(out, status);
    if (status) return;
    for (size_t j = 0; j < m->matrix.n_classes; j++)
        names[j] = cairn_many_class(job, m->classes[j]);
    cairn_codes_show(out, &m->matrix, names);
}

/* The first cells of a line about a model: its number, and who is against whom. */
static void show_sides(cairn_report *out, const cairn_many_model *m, const cairn_job *job, size_t i)
{
    SCOPED(cairn_text_clear) cairn_text side = cairn_text_start(cairn_report_context(out));
    cairn_report_cellf(out, "%zu", i + 1);
    for (double sign = 1; sign >= -1; sign -= 2) {
        side.length = 0;
        cairn_many_side(&side, m, job, i, sign);
        cairn_report_cell(out, cairn_text_string(&side));
    }
    cairn_report_failed(out, cairn_text_status(&side));
}

/* What every model says of the row, and what becomes of it. */
static void cairn_many_explain(cairn_report *out, const void *model, const cairn_job *job,
                               size_t row)
{
    const cairn_many_model *m = model;
    cairn_context *ctx = cairn_report_context(out);
    size_t n = m->matrix.n_models, k = m->matrix.n_classes;
    cairn_many_asked work = {.m = m, .table = job->view->table};
    uint32_t index = (uint32_t)cairn_view_row(job->view, row);
    double *values;
    cairn_decoding how;
    cairn_random random;
    if (!ctx) return;
    SCOPED_SCRATCH(ctx);
    work.rows = (cairn_rows){.indices = &index, .n = 1};
    cairn_status status = cairn_many_decoding(ctx, &how, m->scheme, job->params);
    if (!status) status = SCRATCH(ctx, &work.scores, n + 1);
    if (!status) status = SCRATCH(ctx, &values, k + 1);
    for (size_t i = 0; !status && i < n; i++) status = cairn_many_ask(ctx, &work, i);
    cairn_report_failed(out, status);
    if (status) return;
    cairn_report_table_of(out, "What the models say", 0, "rllr", "model", "positive side",
                          "negative side", "score");
    for (size_t i = 0; i < n; i++) {
        show_sides(out, m, job, i);
        cairn_report_cell_number(out, work.scores[i], 6, "model%zu.score", i + 1);
    }
    cairn_report_table_end(out);
    cairn_random_start(&random, cairn_context_seed(ctx), row);
    cairn_decoded d = cairn_decode(&m->matrix, &how, work.scores, &random, values);
    cairn_report_table_of(out, "What becomes of it", 0, "lr", "class",
                          cairn_decoder_word(how.decoder));
    for (size_t j = 0; j < k; j++) {
        const char *name = cairn_many_class(job, m->classes[j]);
        cairn_report_cell(out, name);
        if ((ptrdiff_t)j == d.class) cairn_report_row_mark(out);
        cairn_report_cell_number(out, values[j], 6, "%s.%s", cairn_decoder_word(how.decoder),
                                 cairn_report_key(out, name));
    }
    cairn_report_table_end(out);
    cairn_report_hidden(out, d.ambiguous ? 1 : 0, "ambiguous");
    if (d.class == -2) cairn_report_note(out, "The row is rejected.");
    if (d.ambiguous && d.class >= 0) cairn_report_note(out, "The row is ambiguous.");
}

static void show_history(cairn_report *out, const cairn_many_history *history)
{
    cairn_report_value(out, "training accuracy", history->accuracy, "training.accuracy");
    cairn_report_value(out, "rejected training rows", history->rejected, "training.rejected");
    cairn_report_value(out, "ambiguous training rows", history->ambiguous, "training.ambiguous");
}

/* A line per model: who is against whom, and how many rows it learned from. */
static void show_models(cairn_report *out, const cairn_many_model *m, const cairn_job *job)
{
    cairn_report_table_of(out, "Models", 0, "rllr", "model", "positive side", "negative side",
                          "rows");
    for (size_t i = 0; i < m->matrix.n_models; i++) {
        show_sides(out, m, job, i);
        cairn_report_cell_number(out, (double)m->models[i]->n_rows, 6, "model%zu.rows", i + 1);
    }
    cairn_report_table_end(out);
}

/* -- showing -- */

/* Codes are compared in pairs, so that their least distance is told only where there are few. */
static void cairn_many_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const cairn_many_model *m = model;
    const cairn_many_params *p = job->params;
    double apart = 0;
    char prefix[24];
    if (!out) return;
    cairn_report_word(out, "base", p->wrapper.base, "base");
    cairn_report_value(out, "models", (double)m->matrix.n_models, "models");
    if (cairn_codes_work(&m->matrix) < MOST_COMPARED) {
        cairn_report_failed(out, cairn_codes_apart(cairn_report_context(out), &m->matrix, &apart));
        cairn_report_value(out, "least distance between the codes of two classes", apart,
                           "codes.apart");
    }
    if (job->history) show_history(out, job->history);
    cairn_many_show_matrix(out, m, job);
    show_models(out, m, job);
    for (size_t i = 0; i < m->matrix.n_models && i < CAIRN_MANY_SHOWN; i++) {
        char heading[48];
        snprintf(prefix, sizeof prefix, "model%zu", i + 1);
        snprintf(heading, sizeof heading, "Model %zu", i + 1);
        cairn_nested_describe(out, m->models[i], prefix, heading);
    }
    if (m->matrix.n_models > CAIRN_MANY_SHOWN)
        cairn_report_note(out, "%zu more models are not shown.",
                          m->matrix.n_models - (size_t)CAIRN_MANY_SHOWN);
}

enum { MOST_CLASSES = 1 << 14, MOST_MODELS = 1 << 20 };
enum { CHUNK_NUMBERS = 1 << 23 }; /* scores of models that are held at a time */

typedef enum { CODES_EXHAUSTIVE, CODES_RANDOM, CODES_CORRECTING, CODES_GIVEN } codes_choice;
typedef enum { OVR_LARGEST, OVR_REJECT, OVR_ORDER } ovr_choice;

static const cairn_choice ovr_rules[] = {
    {"argmax", OVR_LARGEST, "the largest score"},
    {"reject", OVR_REJECT, "the only model that fires; a row with none or several is rejected"},
    {"order", OVR_ORDER, "the first model that fires, else the last class"},
    {0},
};
static const cairn_choice model_counts[] = {
    {"all", 0, "one for every class"},
    {"but-last", 1, "none for the last class, which is meant where no other model fires"},
    {0},
};
static const cairn_choice code_choices[] = {
    {"exhaustive", CODES_EXHAUSTIVE, "all splits of up to eleven classes"},
    {"random", CODES_RANDOM, "random signs"},
    {"error-correcting", CODES_CORRECTING,
     "of a thousand random ones that with rows farthest apart"},
    {"given", CODES_GIVEN, "as --matrix or --code-file says"},
    {0},
};

static const cairn_param rest_params[] = {
    CAIRN_WRAPPER(cairn_many_params),
    CAIRN_PARAM_CHOICE(cairn_many_params, ovr, "argmax", ovr_rules,
                       "how the answers become a class"),
    CAIRN_PARAM_CHOICE(cairn_many_params, models, "all", model_counts,
                       "which classes have a model"),
    CAIRN_PARAM_END,
};
static const cairn_param one_params[] = {
    CAIRN_WRAPPER(cairn_many_params),
    CAIRN_PARAM(cairn_many_params, decode, "vote", NULL,
                "how the answers become a class: vote, distance or loss:NAME with zero-one, hinge, "
                "logistic, exponential, squared or squared-truncated"),
    CAIRN_PARAM_CHOICE(cairn_many_params, vote_tie, "score", cairn_vote_ties,
                       "which class wins when several have the most votes", .when = "decode=vote"),
    CAIRN_PARAM_END,
};
static const cairn_param codes_params[] = {
    CAIRN_WRAPPER(cairn_many_params),
    CAIRN_PARAM_CHOICE(cairn_many_params, codes, "error-correcting", code_choices,
                       "the code matrix"),
    CAIRN_PARAM(cairn_many_params, matrix, NULL, NULL,
                "codes 1, -1 and 0, a row per class and a column per model, such as "
                "[1,1,0;-1,0,1;0,-1,-1]",
                .when = "codes=given"),
    CAIRN_PARAM_AS(cairn_many_params, code_file, CAIRN_TYPE_FILE, NULL,
                   "a table of codes: a column per model, and one with the names of the classes "
                   "unless the rows are in their order",
                   .when = "codes=given"),
    CAIRN_PARAM(cairn_many_params, length, "0", "[0,100000]",
                "number of models; 0 = ten for every doubling of the classes",
                .when = "codes=random|error-correcting"),
    CAIRN_PARAM(cairn_many_params, decode, "distance", NULL,
                "how the answers become a class: vote, distance or loss:NAME with zero-one, hinge, "
                "logistic, exponential, squared or squared-truncated"),
    CAIRN_PARAM_CHOICE(cairn_many_params, vote_tie, "score", cairn_vote_ties,
                       "which class wins when several have the most votes", .when = "decode=vote"),
    CAIRN_PARAM_END,
};

static const char *cairn_many_scheme(int32_t scheme)
{
    return scheme == CAIRN_SCHEME_REST  ? "one-vs-rest"
           : scheme == CAIRN_SCHEME_ONE ? "one-vs-one"
                                        : "output-codes";
}

cairn_status cairn_many_decoding(cairn_context *ctx, cairn_decoding *out, int32_t scheme,
                                 const cairn_many_params *p)
{
    *out = (cairn_decoding){.tie = (cairn_vote_tie)p->vote_tie};
    if (scheme != CAIRN_SCHEME_REST)
        return cairn_decoding_parse(ctx, out, cairn_say(ctx, "{decode}"), p->decode);
    out->decoder = p->ovr == OVR_LARGEST  ? CAIRN_DECODE_LARGEST
                   : p->ovr == OVR_REJECT ? CAIRN_DECODE_UNIQUE
                                          : CAIRN_DECODE_ORDER;
    return CAIRN_OK;
}

static cairn_status check_params(cairn_context *ctx, const void *values, int32_t scheme)
{
    const cairn_many_params *p = values;
    cairn_decoding how;
    CHECK(cairn_wrapper_check(ctx, cairn_many_scheme(scheme), &p->wrapper, NULL));
    CHECK(cairn_many_decoding(ctx, &how, scheme, p));
    if (scheme != CAIRN_SCHEME_REST && how.decoder >= CAIRN_DECODE_LARGEST)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{decode} must be vote, distance or loss:NAME, not '%s', which is for "
                          "one-vs-rest",
                          p->decode);
    if (scheme == CAIRN_SCHEME_CODES && p->codes == CODES_GIVEN && !p->matrix == !p->code_file)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{codes given} needs the codes: {matrix} or {code-file}");
    return CAIRN_OK;
}

/* -- the matrix -- */

const char *cairn_many_class(const cairn_job *job, int32_t code)
{
    ptrdiff_t target = cairn_schema_role(job->schema, CAIRN_TARGET);
    return cairn_map_key(&job->schema->fields[target].names, (size_t)code);
}

/* The row of the file for every class: by name where a column has names, else in order. */
static cairn_status find_class(cairn_context *ctx, size_t *out, const cairn_column *names,
                               const cairn_job *job, int32_t class, size_t k, const char *path)
{
    const char *name = cairn_many_class(job, class);
    *out = k;
    for (size_t i = 0; names && i < names->n_rows; i++)
        if (names->codes[i] >= 0 && cairn_same(cairn_level_name(names, names->codes[i]), name)) {
            *out = i;
            return CAIRN_OK;
        }
    if (!names) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA, "%s: there is no row for the class '%s'", path, name);
}

/* Codes from a file, a column per model. */
static cairn_status read_file(cairn_context *ctx, cairn_code_matrix *out, const cairn_many_model *m,
                              const cairn_job *job, const char *path)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    const cairn_column *names = NULL;
    size_t k = out->n_classes, at, n = 0;
    CHECK(cairn_table_read(ctx, &table, path, NULL));
    for (size_t c = 0; c < table->n_columns; c++) {
        const cairn_column *column = table->slots[c].column;
        if (column->kind == CAIRN_NUMBER) n++;
        if (column->kind == CAIRN_LEVEL && !names) names = column;
    }
    if (!names && table->n_rows != k)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s has %zu rows for %zu classes with training rows; a column with the "
                          "names of the classes would say which they are",
                          path, table->n_rows, k);
    out->n_models = n;
    CHECK(SCRATCH(ctx, &out->codes, cairn_product(k, n) + 1));
    for (size_t j = 0; j < k; j++) {
        size_t i = 0;
        CHECK(find_class(ctx, &at, names, job, m->classes[j], j, path));
        for (size_t c = 0; c < table->n_columns; c++)
            if (table->slots[c].column->kind == CAIRN_NUMBER)
                out->codes[j * n + i++] = table->slots[c].column->numbers[at];
    }
    return cairn_codes_check(ctx, out, path);
}

/* The codes that the user gives, in the command or in a file. */
static cairn_status read_codes(cairn_context *ctx, cairn_code_matrix *out,
                               const cairn_many_model *m, const cairn_job *job,
                               const cairn_many_params *p)
{
    const char *what = cairn_say(ctx, "{matrix}");
    size_t rows, k = out->n_classes;
    if (p->code_file) return read_file(ctx, out, m, job, p->code_file);
    CHECK(cairn_read_matrix(ctx, what, p->matrix, &out->codes, &rows, &out->n_models));
    if (rows != k)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "%s has %zu rows for %zu classes with training rows",
                          what, rows, k);
    return cairn_codes_check(ctx, out, what);
}

/* Classes with a training row, and the matrix for them. */
static cairn_status make_matrix(cairn_context *ctx, cairn_many_model *m, const cairn_job *job)
{
    const cairn_many_params *p = job->params;
    const cairn_view *view = job->view;
    cairn_code_matrix made = {0};
    double *weights;
    size_t k = 0, length = (size_t)p->length;
    CHECK(SCRATCH(ctx, &weights, job->n_classes + 1));
    for (size_t i = 0; i < view->rows.n; i++)
        weights[view->target->codes[cairn_view_row(view, i)]] += cairn_view_weight(view, i);
    CHECK(NEW(ctx, &m->classes, job->n_classes));
    for (size_t c = 0; c < job->n_classes; c++)
        if (weights[c] > 0) m->classes[k++] = (int32_t)c;
    made.n_classes = k;
    if (k > MOST_CLASSES || (m->scheme == CAIRN_SCHEME_ONE && k * (k - 1) / 2 > MOST_MODELS))
        return cairn_fail(
            ctx, CAIRN_BAD_DATA,
            "%s: %zu classes would need too many models; merge rare classes, or use a "
            "learner that takes them all",
            cairn_many_scheme(m->scheme), k);
    for (size_t all = 1; length == 0 && all < k; all *= 2) length += 10;
    if (k > 2 && k < 8 && p->length == 0 && length > ((size_t)1 << (k - 1)) - 1)
        length = ((size_t)1 << (k - 1)) - 1;
    if (k == 2 && p->length == 0) length = 1;
    if (m->scheme == CAIRN_SCHEME_REST)
        CHECK(cairn_codes_one_vs_rest(ctx, &made, k, p->models == 1));
    else if (m->scheme == CAIRN_SCHEME_ONE)
        CHECK(cairn_codes_one_vs_one(ctx, &made, k));
    else if (p->codes == CODES_GIVEN)
        CHECK(read_codes(ctx, &made, m, job, p));
    else if (p->codes == CODES_EXHAUSTIVE)
        CHECK(cairn_codes_exhaustive(ctx, &made, k));
    else
        CHECK(cairn_codes_random(ctx, &made, k, length, p->codes == CODES_RANDOM ? 1 : 1000,
                                 cairn_context_seed(ctx)));
    m->matrix = (cairn_code_matrix){.n_classes = k, .n_models = made.n_models};
    CHECK(NEW(ctx, &m->matrix.codes, made.n_classes * made.n_models));
    memcpy(m->matrix.codes, made.codes, made.n_classes * made.n_models * sizeof *made.codes);
    return CAIRN_OK;
}

/* -- fitting -- */

typedef struct member_work {
    const cairn_nested *nested;
    const int32_t *places; /* by code of the target: row of the matrix, -1 = none */
    size_t target;         /* column */
    cairn_report **steps;  /* of the first models; NULL = not wanted */
    cairn_many_model *m;
} member_work;

/* The two sides of model i by name: a class where it stands alone, else a list. */
void cairn_many_side(cairn_text *out, const cairn_many_model *m, const cairn_job *job, size_t i,
                     double sign)
{
    size_t n = 0, n_other = 0;
    for (size_t j = 0; j < m->matrix.n_classes; j++) {
        double code = m->matrix.codes[j * m->matrix.n_models + i];
        if (code == -sign) n_other++;
        if (code != sign) continue;
        if (n++ == 3) cairn_text_add(out, ", …");
        if (n > 3) continue;
        if (n > 1) cairn_text_add(out, ", ");
        cairn_text_add(out, cairn_many_class(job, m->classes[j]));
    }
    if (m->scheme == CAIRN_SCHEME_REST && sign < 0 && n > 1 && n_other == 1) {
        out->length = 0;
        cairn_text_add(out, "rest");
    }
}

/* The target of model i: the sign of the code of each row's class, missing where that is 0. */
static cairn_status make_target(cairn_context *ctx, const member_work *work, size_t i,
                                cairn_column **out, char **positive)
{
    const cairn_many_model *m = work->m;
    const cairn_job *job = work->nested->job;
    const cairn_column *target = job->view->target;
    SCOPED(cairn_text_clear) cairn_text plus = cairn_text_start(ctx);
    SCOPED(cairn_text_clear) cairn_text minus = cairn_text_start(ctx);
    size_t n = job->view->table->n_rows, at;
    cairn_many_side(&plus, m, job, i, 1);
    cairn_many_side(&minus, m, job, i, -1);
    if (cairn_same(cairn_text_string(&plus), cairn_text_string(&minus)))
        cairn_text_add(&minus, " (rest)");
    CHECK(cairn_text_status(&plus));
    CHECK(cairn_text_status(&minus));
    CHECK(cairn_column_new(ctx, out, CAIRN_LEVEL, n));
    CHECK(cairn_map_add(ctx, &(*out)->names, minus.bytes, minus.length, &at));
    CHECK(cairn_map_add(ctx, &(*out)->names, plus.bytes, plus.length, &at));
    for (size_t r = 0; r < n; r++) {
        int32_t place = target->codes[r] < 0 ? -1 : work->places[target->codes[r]];
        double code = place < 0 ? 0 : m->matrix.codes[(size_t)place * m->matrix.n_models + i];
        (*out)->codes[r] = code > 0 ? 1 : code < 0 ? 0 : -1;
    }
    cairn_column_count_missing(*out);
    CHECK(SCRATCH(ctx, positive, plus.length + 1));
    memcpy(*positive, plus.bytes, plus.length);
    return CAIRN_OK;
}

/* The rows of the view whose class model i knows. */
static cairn_status member_rows(cairn_context *ctx, cairn_rows *out, const cairn_view *view,
                                const cairn_column *signs)
{
    uint32_t *indices;
    double *weights = NULL;
    size_t n = 0;
    CHECK(SCRATCH_RAW(ctx, &indices, view->rows.n + 1));
    if (view->rows.weights) CHECK(SCRATCH_RAW(ctx, &weights, view->rows.n + 1));
    for (size_t i = 0; i < view->rows.n; i++) {
        size_t row = cairn_view_row(view, i);
        if (signs->codes[row] < 0) continue;
        if (weights) weights[n] = view->rows.weights[i];
        indices[n++] = (uint32_t)row;
    }
    *out = (cairn_rows){.indices = indices, .n = n, .weights = weights};
    return CAIRN_OK;
}

/* One column of the code matrix becomes a target of two classes, and a model learns it. */
static cairn_status fit_member(cairn_context *ctx, const member_work *work, size_t i)
{
    const cairn_job *job = work->nested->job;
    cairn_fit_options fit = work->nested->fit;
    OWNED(cairn_table_free) cairn_table *table = NULL;
    cairn_column *signs = NULL;
    cairn_rows rows;
    char *positive;
    cairn_status status = make_target(ctx, work, i, &signs, &positive);
    if (status) {
        cairn_column_drop(signs);
        return status;
    }
    status = cairn_table_share(ctx, &table, work->nested->table);
    if (status) {
        cairn_column_drop(signs);
        return status;
    }
    cairn_table_replace_column(table, work->target, signs);
    CHECK(member_rows(ctx, &rows, job->view, signs));
    fit.positive = positive;
    if (work->steps && i < CAIRN_MANY_SHOWN) {
        CHECK(cairn_report_new(ctx, &work->steps[i])); /* of this task's context */
        fit.steps = work->steps[i];
    }
    return cairn_model_fit_rows(ctx, &work->m->models[i], work->nested->params, table, rows, &fit);
}

static cairn_status run_member(cairn_context *ctx, void *data, size_t i)
{
    const member_work *work = data;
    SCOPED_SCRATCH(ctx);
    cairn_log_function log = ctx->log;
    CHECK(cairn_tick(ctx, NULL, 0, 0));
    ctx->log = NULL; /* warnings of models side by side would mix */
    cairn_status status = fit_member(ctx, work, i);
    ctx->log = log;
    if (status && status != CAIRN_NO_MEMORY && status != CAIRN_CANCELLED)
        cairn_message_prefix(ctx, "%s: model %zu", cairn_many_scheme(work->m->scheme), i + 1);
    return status;
}

static void append_steps(cairn_report *out, const member_work *work)
{
    char prefix[24];
    size_t n = work->m->matrix.n_models;
    if (!out) return;
    cairn_report_step_begin(out, "%s: the models", cairn_many_scheme(work->m->scheme));
    cairn_many_show_matrix(out, work->m, work->nested->job);
    cairn_report_step_end(out);
    for (size_t i = 0; i < n && i < CAIRN_MANY_SHOWN; i++) {
        cairn_report_step_begin(out, "%s: model %zu", cairn_many_scheme(work->m->scheme), i + 1);
        snprintf(prefix, sizeof prefix, "model%zu", i + 1);
        cairn_report_append(out, work->steps[i], prefix);
        cairn_report_step_end(out);
    }
}

/* -- decoding -- */

/* Scores of one model for all rows of a chunk. */
cairn_status cairn_many_ask(cairn_context *ctx, void *data, size_t i)
{
    const cairn_many_asked *work = data;
    const cairn_model *model = work->m->models[i];
    SCOPED(cairn_prediction_clear) cairn_prediction p = {0};
    SCOPED_SCRATCH(ctx);
    cairn_match match = {.first_field = -1};
    bool soft = model->learner->gives_scores;
    double half =
        cairn_learner_gives_probabilities(model->learner, model->params->values) ? 1 : 0.5;
    double *out = work->scores + i * work->rows.n;
    CHECK(cairn_model_predict_rows(ctx, &p, model, work->table, work->rows,
                                   (cairn_predict_wants){.scores = soft}, &match));
    for (size_t r = 0; r < work->rows.n; r++) {
        out[r] = p.codes[r] == 1 ? 1 : p.codes[r] == 0 ? -1 : NAN;
        if (soft && p.scores) out[r] = half * (p.scores[2 * r + 1] - p.scores[2 * r]);
    }
    return CAIRN_OK;
}

/* Where the decoded rows go; every array may be NULL. */
typedef struct decoded_rows {
    int32_t *codes;
    double *scores; /* n x n_classes of the target */
    double *fired, *ambiguous;
    char **votes;
} decoded_rows;

/* "a 2, b 1, c 0" of the values of the classes. */
static cairn_status list_values(cairn_context *ctx, char **out, const cairn_many_model *m,
                                const cairn_job *job, const double *values)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    for (size_t j = 0; j < m->matrix.n_classes; j++) {
        cairn_text_addf(&text, "%s%s ", j ? ", " : "", cairn_many_class(job, m->classes[j]));
        cairn_text_add_number(&text, values[j], 6);
    }
    CHECK(cairn_text_status(&text));
    CHECK(SCRATCH(ctx, out, text.length + 1));
    memcpy(*out, text.bytes, text.length);
    return CAIRN_OK;
}

/* Scores of the classes of the target, the more the better; one that had no row gets the least. */
static void put_scores(const cairn_many_model *m, const cairn_decoding *how, const double *values,
                       double *out)
{
    double least = INFINITY, sign = cairn_decoder_lowers(how->decoder) ? -1 : 1;
    for (size_t j = 0; j < m->matrix.n_classes; j++) least = fmin(least, sign * values[j]);
    for (size_t c = 0; c < m->n_classes; c++) out[c] = isinf(least) ? 0 : least;
    for (size_t j = 0; j < m->matrix.n_classes; j++)
        if (!isnan(values[j])) out[m->classes[j]] = sign * values[j];
}

/* The rows of a chunk, whose scores are there. */
static cairn_status decode_chunk(cairn_context *ctx, const cairn_many_model *m,
                                 const cairn_job *job, const cairn_decoding *how,
                                 const double *scores, size_t first, size_t n, decoded_rows *out)
{
    size_t n_models = m->matrix.n_models;
    double *row, *values;
    cairn_random random;
    cairn_code_matrix matrix = m->matrix;
    CHECK(cairn_codes_index(ctx, &matrix));
    CHECK(SCRATCH(ctx, &row, n_models + 1));
    CHECK(SCRATCH(ctx, &values, m->matrix.n_classes + 1));
    for (size_t r = 0; r < n; r++) {
        size_t at = first + r;
        for (size_t i = 0; i < n_models; i++) row[i] = scores[i * n + r];
        cairn_random_start(&random, cairn_context_seed(ctx), at);
        cairn_decoded d = cairn_decode(&matrix, how, row, &random, values);
        if (out->codes)
            out->codes[at] = d.class < 0 ? (int32_t)d.class : m->classes[(size_t)d.class];
        if (out->scores) put_scores(m, how, values, out->scores + at * m->n_classes);
        if (out->fired) out->fired[at] = (double)d.fired;
        if (out->ambiguous) out->ambiguous[at] = d.ambiguous ? 1 : 0;
        if (out->votes) CHECK(list_values(ctx, &out->votes[at], m, job, values));
    }
    return CAIRN_OK;
}

/* All rows of the view; many rows go in chunks, so that the scores of all models fit. */
static cairn_status decode_rows(cairn_context *ctx, const cairn_many_model *m, const cairn_job *job,
                                decoded_rows *out)
{
    const cairn_view *view = job->view;
    size_t n_models = m->matrix.n_models, chunk = CHUNK_NUMBERS / n_models;
    cairn_decoding how;
    cairn_many_asked work = {.m = m};
    CHECK(cairn_many_decoding(ctx, &how, m->scheme, job->params));
    if (chunk < 1024) chunk = 1024;
    if (chunk > view->rows.n) chunk = view->rows.n;
    CHECK(SCRATCH_RAW(ctx, &work.scores, cairn_product(chunk, n_models) + 1));
    for (size_t first = 0; first < view->rows.n; first += chunk) {
        OWNED(cairn_table_free) cairn_table *part = NULL;
        size_t n = view->rows.n - first < chunk ? view->rows.n - first : chunk;
        uint32_t *indices;
        work.table = view->table;
        work.rows = (cairn_rows){.indices = view->rows.indices, .n = n};
        if (n < view->rows.n || (view->rows.indices && n < view->table->n_rows / 2)) {
            CHECK(SCRATCH_RAW(ctx, &indices, n + 1));
            for (size_t i = 0; i < n; i++) indices[i] = (uint32_t)cairn_view_row(view, first + i);
            CHECK(cairn_table_take_rows(ctx, &part, view->table, indices, n));
            work.table = part;
            work.rows = cairn_all_rows(part);
        }
        CHECK(cairn_tasks(ctx, n_models, cairn_many_ask, &work));
        CHECK(decode_chunk(ctx, m, job, &how, work.scores, first, n, out));
    }
    return CAIRN_OK;
}

/* How the training rows do. */
static cairn_status judge(cairn_context *ctx, cairn_many_history *history,
                          const cairn_many_model *m, const cairn_job *job)
{
    const cairn_view *view = job->view;
    decoded_rows rows = {0};
    double total = 0, right = 0;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH_EACH(ctx, view->rows.n + 1, &rows.codes, &rows.ambiguous));
    CHECK(decode_rows(ctx, m, job, &rows));
    for (size_t i = 0; i < view->rows.n; i++) {
        double w = cairn_view_weight(view, i);
        total += w;
        if (rows.codes[i] == view->target->codes[cairn_view_row(view, i)]) right += w;
        history->rejected += rows.codes[i] == -2;
        history->ambiguous += rows.ambiguous[i];
    }
    history->accuracy = right / total;
    return CAIRN_OK;
}

static cairn_status fit_members(cairn_context *ctx, cairn_many_model *m, const cairn_nested *nested,
                                cairn_report **steps)
{
    const cairn_job *job = nested->job;
    member_work work = {.nested = nested, .m = m, .steps = steps};
    int32_t *places;
    CHECK(SCRATCH(ctx, &places, job->n_classes + 1));
    for (size_t c = 0; c < job->n_classes; c++) places[c] = -1;
    for (size_t j = 0; j < m->matrix.n_classes; j++) places[m->classes[j]] = (int32_t)j;
    work.places = places;
    while (nested->table->slots[work.target].column != job->view->target) work.target++;
    CHECK(NEW(ctx, &m->models, m->matrix.n_models));
    CHECK(cairn_tasks(ctx, m->matrix.n_models, run_member, &work));
    append_steps(job->steps, &work);
    return CAIRN_OK;
}

static cairn_status many_fit(cairn_context *ctx, void *model, const cairn_job *job,
                             cairn_scheme which)
{
    cairn_many_model *m = model;
    const cairn_many_params *p = job->params;
    SCOPED(cairn_nested_close) cairn_nested nested = {0};
    cairn_report **steps = NULL;
    m->scheme = which;
    m->n_classes = job->n_classes;
    CHECK(cairn_nested_open(ctx, &nested, cairn_many_scheme(which), &p->wrapper, job, false));
    CHECK(make_matrix(ctx, m, job));
    if (job->steps) CHECK(SCRATCH(ctx, &steps, CAIRN_MANY_SHOWN));
    cairn_status status = fit_members(ctx, m, &nested, steps);
    for (size_t i = 0; steps && i < CAIRN_MANY_SHOWN; i++) cairn_report_free(steps[i]);
    CHECK(status);
    return job->history ? judge(ctx, job->history, m, job) : CAIRN_OK;
}

/* -- predicting -- */

static cairn_status many_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                 const cairn_job *job)
{
    size_t n = out->n_rows;
    decoded_rows rows = {.codes = out->codes, .scores = out->scores};
    if (out->extra) {
        CHECK(SCRATCH_EACH(ctx, n + 1, &rows.fired, &rows.ambiguous, &rows.votes));
    }
    CHECK(decode_rows(ctx, model, job, &rows));
    out->codes_set = true;
    if (!out->extra) return CAIRN_OK;
    CHECK(cairn_table_add_texts(ctx, out->extra, "votes", (const char *const *)rows.votes));
    CHECK(cairn_table_put_numbers(ctx, out->extra, "fired", rows.fired));
    return cairn_table_put_numbers(ctx, out->extra, "ambiguous", rows.ambiguous);
}

/* -- keeping -- */

static const char nothing[] = "there are no classes or no models";

static const cairn_kept many_keeps[] = {
    KEEP_CHOICE(cairn_many_model, scheme, CAIRN_SCHEME_REST, CAIRN_SCHEME_CODES, nothing),
    KEEP_SIZE(cairn_many_model, n_classes, MOST_CLASSES),
    KEEP_SIZE_IN(cairn_many_model, matrix.n_classes, "n_classes", .name = "n_present", .least = 1,
                 .why = nothing),
    KEEP_SIZE(cairn_many_model, matrix.n_models, MOST_MODELS, .least = 1, .why = nothing),
    KEEP_CODES(cairn_many_model, classes, "matrix.n_classes", 0, "n_classes",
               "class $ is not a class"),
    KEEP_ARRAYS(cairn_many_model, "matrix.n_classes*matrix.n_models", matrix.codes),
    KEEP_PARTS(cairn_many_model, models, "matrix.n_models", .part = &cairn_kept_model),
    KEEP_END,
};

/* The scheme is that of the learner, whose parameters the decoder reads; models inside have two
 * classes, and there are as many as the decoder counts on. */
static cairn_status check_loaded(cairn_archive *a, const void *model, const cairn_job *job,
                                 cairn_scheme which)
{
    const cairn_many_model *m = model;
    if (m->scheme != (int32_t)which)
        return cairn_archive_damaged(a, "the codes are not those of %s", cairn_many_scheme(which));
    if (m->n_classes != job->n_classes)
        return cairn_archive_damaged(a, "the codes are of other classes than the target");
    if (m->scheme == CAIRN_SCHEME_REST && m->matrix.n_models != m->matrix.n_classes &&
        m->matrix.n_models + 1 != m->matrix.n_classes)
        return cairn_archive_damaged(a, "there are %zu models for %zu classes", m->matrix.n_models,
                                     m->matrix.n_classes);
    for (size_t i = 0; i < m->matrix.n_models; i++)
        if (!m->models[i]->learner || !m->models[i]->learner->predict ||
            m->models[i]->task != CAIRN_CLASSIFY || m->models[i]->n_classes != 2)
            return cairn_archive_damaged(a, "a model inside has not two classes");
    return CAIRN_OK;
}

static const cairn_kept history_keeps[] = {
    KEEP(cairn_many_history, accuracy, rejected, ambiguous),
    KEEP_END,
};

static const cairn_history many_histories = {
    .size = sizeof(cairn_many_history),
    .reports = CAIRN_REPORTS_ACCURACY,
    .keeps = history_keeps,
};

static const cairn_output many_outputs[] = {
    {"votes", "votes, distances, losses or scores of the classes"},
    {"fired", "models with a score above 0"},
    {"ambiguous", "1 where several classes are equally good, or where not exactly one fires"},
    {0},
};

/* -- the records -- */

static cairn_status rest_check(cairn_context *ctx, const void *values)
{
    return check_params(ctx, values, CAIRN_SCHEME_REST);
}

static cairn_status one_check(cairn_context *ctx, const void *values)
{
    return check_params(ctx, values, CAIRN_SCHEME_ONE);
}

static cairn_status codes_check(cairn_context *ctx, const void *values)
{
    return check_params(ctx, values, CAIRN_SCHEME_CODES);
}

static cairn_status rest_check_loaded(cairn_archive *a, const void *model, const cairn_job *job)
{
    return check_loaded(a, model, job, CAIRN_SCHEME_REST);
}

static cairn_status one_check_loaded(cairn_archive *a, const void *model, const cairn_job *job)
{
    return check_loaded(a, model, job, CAIRN_SCHEME_ONE);
}

static cairn_status codes_check_loaded(cairn_archive *a, const void *model, const cairn_job *job)
{
    return check_loaded(a, model, job, CAIRN_SCHEME_CODES);
}

static cairn_status rest_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    return many_fit(ctx, model, job, CAIRN_SCHEME_REST);
}

static cairn_status one_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    return many_fit(ctx, model, job, CAIRN_SCHEME_ONE);
}

static cairn_status codes_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    return many_fit(ctx, model, job, CAIRN_SCHEME_CODES);
}

static const cairn_model *many_member(const void *model, size_t i)
{
    const cairn_many_model *m = model;
    return i < m->matrix.n_models ? m->models[i] : NULL;
}

/* The code that each member has for each class: 1, -1, or 0 = it was not fitted to its rows. */
static void write_codes(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_many_model *m = model;
    cairn_ledger_columns(out, "lnn", "class", "number", "code");
    for (size_t c = 0; c < m->matrix.n_classes; c++)
        for (size_t k = 0; k < m->matrix.n_models; k++) {
            cairn_ledger_cells(out, cairn_learned_class(job, m->classes[c]), (double)k + 1,
                               m->matrix.codes[c * m->matrix.n_models + k]);
        }
}

static const cairn_learned many_tables[] = {
    CAIRN_LEARNED("codes", "class, and its code for a member", write_codes), CAIRN_LEARNED_END};

#define MANY_RECORD                                                                                \
    .tasks = CAIRN_CLASSIFY, .accepts = CAIRN_WRAPPER_ACCEPTS, .reports = CAIRN_REPORTS_ACCURACY,  \
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_AS_BASE,                                 \
    .model_size = sizeof(cairn_many_model), .tables = many_tables, .member = many_member,          \
    .history = &many_histories, .gives_scores = true, .sets_codes = true, .outputs = many_outputs, \
    .lower = cairn_many_lower, .predict = many_predict, .describe = cairn_many_describe,           \
    .explain = cairn_many_explain, .keeps = many_keeps, .parameters = ""

const cairn_learner cairn_one_vs_rest = {
    .entry = {.kind = CAIRN_ENTRY_LEARNER,
              .name = "one-vs-rest",
              .also =
                  "one-versus-all, one-against-all, OVR, OVA, OneVsRestClassifier, one-versus-rest",
              .title = "One class against the rest",
              .summary =
                  "Wraps a learner for two classes so that it answers many: a model for every "
                  "class against all others. The class with the largest score is the answer; or "
                  "the only one whose model fires, with rows rejected where none or several do; or "
                  "the first that fires. 'predict --explain' shows what every model says.",
              .references = "Bishop, Pattern Recognition and Machine Learning (2006), 4.1; Rifkin "
                            "and Klautau, In defense of one-vs-all classification (2004)",
              .example = "cairn fit one-vs-rest @iris --learner logistic",
              .params = rest_params,
              .params_size = sizeof(cairn_many_params),
              .check = rest_check},
    .fit = rest_fit,
    .check = rest_check_loaded,
    MANY_RECORD,
};

const cairn_learner cairn_one_vs_one = {
    .entry = {.kind = CAIRN_ENTRY_LEARNER,
              .name = "one-vs-one",
              .also = "all pairs, pairwise classification, round robin, OVO, all-vs-all, "
                      "OneVsOneClassifier, one-versus-one, one-against-one",
              .title = "One class against another",
              .summary =
                  "Wraps a learner for two classes so that it answers many: a model for every pair "
                  "of classes, fitted to their rows alone. The pairs vote; ties go to the larger "
                  "sum of scores, the first class, or by chance. Distances and losses decode the "
                  "answers otherwise. 'predict --explain' shows the votes.",
              .references = "Allwein, Schapire and Singer, Reducing multiclass to binary (2000); "
                            "Flach, Machine Learning, Cambridge University Press 2012",
              .example = "cairn fit one-vs-one @iris --learner logistic",
              .params = one_params,
              .params_size = sizeof(cairn_many_params),
              .check = one_check},
    .fit = one_fit,
    .check = one_check_loaded,
    MANY_RECORD,
};

const cairn_learner cairn_output_codes = {
    .entry = {.kind = CAIRN_ENTRY_LEARNER,
              .name = "output-codes",
              .also = "error-correcting output codes, ECOC, code matrix, output coding, "
                      "OutputCodeClassifier",
              .title = "Output codes",
              .summary =
                  "Wraps a learner for two classes so that it answers many: every column of a code "
                  "matrix splits the classes into two sides, or leaves some out, and has a model "
                  "of its own. A row gets the class whose codes are nearest to what the models "
                  "say, by distance, votes or a loss of the margins. The matrix is given, holds "
                  "all splits, is random, or is the random one whose rows are farthest apart.",
              .references = "Dietterich and Bakiri, Solving multiclass learning problems via "
                            "error-correcting output codes (1995); Allwein, Schapire and Singer, "
                            "Reducing multiclass to binary (2000)",
              .example = "cairn fit output-codes @iris --learner tree --codes exhaustive",
              .params = codes_params,
              .params_size = sizeof(cairn_many_params),
              .check = codes_check},
    .space = "codes=error-correcting,random",
    .fit = codes_fit,
    .check = codes_check_loaded,
    MANY_RECORD,
};
