/* SPDX-License-Identifier: MIT */
/* Least-squares classifier: classes are coded as numbers, the numbers are fitted by least squares.
 *
 * 1. Two classes have one target: +1 and −1, N/N₊ and −N/N₋ (Fisher's coding), or two numbers that
 *    are given. More classes have a target each, 1 for the rows of the class and 0 for the others.
 * 2. All targets are fitted by one factorisation, W = (X'X)⁻¹ X'T (least_squares.c).
 * 3. One score answers by its side of the threshold, which lies halfway between the codes, and at 0
 *    with Fisher's coding; of several scores the first largest answers.
 *
 * Slopes of all codings of two classes have one direction, that of Fisher's discriminant; constants
 * and thresholds differ. A score within 1e-12 of the threshold, in units of half the distance of
 * the codes, is on neither side: {at-zero} decides. Cost: n p²/2 for the pass, p³/3 once. */
#include "learners/linear/least_squares_classifier.h"
#include "learners/linear/coefficients.h"
#include "base/memory.h"
#include "base/need.h"
#include "learners/linear/logistic.h"
#include "rows/slopes.h"
#include "transforms/computing.h"
#include <float.h>
#include <math.h>
#include <string.h>

static const double AT_THRESHOLD = 1e-12;

static const cairn_choice zeros[] = {
    {"-1", CAIRN_ZERO_NEGATIVE, "the class that is not the positive one"},
    {"0", CAIRN_ZERO_UNKNOWN, "no class: the answer is unknown"},
    {"1", CAIRN_ZERO_POSITIVE, "the positive class"},
    {"reject", CAIRN_ZERO_REJECT, "the row is rejected"},
    {0},
};

static const cairn_param codes_parameters[] = {
    CAIRN_PARAM(cairn_codes_params, coding, "auto", NULL,
                "numbers that stand for the classes: pm1 (+1 and −1), fisher (N/N₊ and −N/N₋), "
                "onehot (a target of zeros and ones for each class), or two numbers such as 1,0, "
                "the positive class first; auto = pm1 for two classes, else onehot",
                .often = true),
    CAIRN_PARAM_CHOICE(cairn_codes_params, intercept, "minus", cairn_intercept_choices,
                       "whether there is a constant, and on which side it is written"),
    CAIRN_PARAM_CHOICE(cairn_codes_params, at_zero, "reject", zeros,
                       "two classes: the answer for a row on the boundary",
                       .when = "!coding=onehot"),
    CAIRN_PARAM_END,
};

/* -- codes -- */

/* The coding by its name, or the two codes. */
static cairn_status read_coding(cairn_context *ctx, const char *text, int32_t *coding,
                                double codes[2])
{
    static const char *const names[] = {"pm1", "fisher", "onehot"};
    SCOPED_SCRATCH(ctx);
    double *numbers;
    size_t n;
    *coding = -1;
    if (cairn_same(text, "auto")) return CAIRN_OK;
    for (int32_t i = 0; i < 3; i++)
        if (cairn_same(text, names[i])) *coding = i;
    if (*coding >= 0) return CAIRN_OK;
    cairn_status status = cairn_list_numbers(ctx, "coding", text, &numbers, &n);
    if (status == CAIRN_NO_MEMORY) return status;
    if (status || n != 2 || !isfinite(numbers[0]) || !isfinite(numbers[1]) ||
        numbers[0] == numbers[1] || !isfinite(numbers[0] - numbers[1]))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{coding} is '%s': give auto, pm1, fisher, onehot, or two different "
                          "numbers such as 1,0",
                          text);
    memcpy(codes, numbers, 2 * sizeof *codes);
    *coding = CAIRN_CODING_GIVEN;
    return CAIRN_OK;
}

static cairn_status codes_check_params(cairn_context *ctx, const void *values)
{
    const cairn_codes_params *p = values;
    int32_t coding;
    double codes[2];
    return read_coding(ctx, p->coding, &coding, codes);
}

/* Codes and threshold of two classes; `weights` are those of the rows of each. */
static void set_codes(cairn_codes_model *m, const double given[2], const double *weights)
{
    double here = weights[m->positive], there = weights[1 - m->positive], n = here + there;
    m->high = 1, m->low = -1;
    if (m->coding == CAIRN_CODING_GIVEN) m->high = given[0], m->low = given[1];
    if (m->coding == CAIRN_CODING_FISHER) {
        m->high = here > 0 ? n / here : 1;
        m->low = there > 0 ? -n / there : -1;
    }
    m->threshold = m->coding == CAIRN_CODING_FISHER ? 0 : m->low + (m->high - m->low) / 2;
}

/* -- answers -- */

int32_t cairn_codes_answer(const cairn_codes_model *m, const double *scores)
{
    if (m->n_scores == 1) {
        double side = m->high > m->low ? 1 : -1, half = fabs(m->high - m->low) / 2;
        double a = side * (scores[0] - m->threshold), near = AT_THRESHOLD * half;
        if (a > near) return m->positive;
        if (a < -near) return 1 - m->positive;
        if (m->at_zero == CAIRN_ZERO_REJECT) return -2;
        if (m->at_zero == CAIRN_ZERO_UNKNOWN) return -1;
        return m->at_zero == CAIRN_ZERO_POSITIVE ? m->positive : 1 - m->positive;
    }
    size_t best = 0;
    for (size_t k = 1; k < m->n_scores; k++)
        if (scores[k] > scores[best]) best = k;
    return (int32_t)best;
}

typedef struct answer_run {
    const cairn_codes_model *m;
    const cairn_row_matrix *x;
    int32_t *codes;
    double *scores; /* NULL = not wanted */
} answer_run;

/* Scores beyond all numbers are made anew, so small that only their order or their sign is left. */
static void rescue_scores(const answer_run *run, size_t i, double *scores)
{
    const cairn_codes_model *m = run->m;
    bool fine = true;
    for (size_t k = 0; k < m->n_scores; k++) fine = fine && isfinite(scores[k]);
    if (fine) return;
    cairn_matrix_small_scores(run->x, i, m->weights, m->n_scores, scores);
    if (m->n_scores == 1 && scores[0] != 0) scores[0] = copysign(DBL_MAX / 4, scores[0]);
}

/* Scores beyond all numbers are made anew before they are compared. */
static void answer_piece(void *data, const cairn_piece *piece, double *sums)
{
    const answer_run *run = data;
    const cairn_codes_model *m = run->m;
    (void)sums;
    cairn_matrix_scores(run->x, piece, m->weights, m->n_scores);
    for (size_t i = 0; i < piece->n; i++) {
        double *scores = piece->buffer + i * m->n_scores;
        rescue_scores(run, piece->first + i, scores);
        if (run->codes) run->codes[piece->first + i] = cairn_codes_answer(m, scores);
        if (run->scores) {
            /* What is said of a row beside its class: the scores, or for one score the distance
             * from the threshold in units of half the distance of the codes, with both signs. */
            double *out = run->scores + (piece->first + i) * m->n_classes;
            if (m->n_scores > 1) {
                memcpy(out, scores, m->n_classes * sizeof *out);
                continue;
            }
            double half = (m->high - m->low) / 2;
            out[m->positive] = (scores[0] - m->threshold) / half;
            out[1 - m->positive] = -out[m->positive];
        }
    }
}

static cairn_status answer_rows(cairn_context *ctx, const cairn_codes_model *m,
                                const cairn_view *view, int32_t *codes, double *scores)
{
    cairn_row_matrix x;
    answer_run run = {m, &x, codes, scores};
    cairn_matrix_options options = {.apart = true, .n_terms = m->n_terms, .scores = m->n_scores};
    cairn_row_sum sum = {.piece = answer_piece, .unread = true, .data = &run};
    options.buffer = view->n_features + m->n_scores;
    CHECK(cairn_matrix_open(ctx, &x, view, &options));
    return cairn_matrix_sum(ctx, &x, &sum, NULL);
}

/* The same boundaries as planes between the classes, for the distances of rows from them: of one
 * score the positive class is above the threshold, or below it where its code is the smaller. */
static cairn_status add_distance(cairn_context *ctx, cairn_table *extra, const cairn_codes_model *m,
                                 const cairn_job *job)
{
    size_t n = cairn_product(m->n_terms + 1, m->n_scores);
    double side = m->n_scores > 1 || m->high > m->low ? 1 : -1;
    cairn_class_planes planes = {.n_classes = m->n_classes, .n_present = m->n_classes};
    planes.n_vectors = m->n_scores;
    planes.pinned = m->n_scores == 1;
    cairn_terms_count(job->schema, &planes.n_dense, &planes.n_terms);
    CHECK(SCRATCH(ctx, &planes.classes, m->n_classes + 1));
    CHECK(SCRATCH(ctx, &planes.weights, n));
    for (size_t c = 0; c < m->n_classes; c++) planes.classes[c] = (int32_t)c;
    for (size_t i = 0; i < n; i++) planes.weights[i] = side * m->weights[i];
    if (m->n_scores == 1) {
        planes.classes[0] = m->positive;
        planes.classes[1] = 1 - m->positive;
        planes.weights[m->n_terms] -= side * m->threshold;
    }
    return cairn_class_planes_add_distance(ctx, extra, &planes, job->view);
}

static cairn_status codes_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                  const cairn_job *job)
{
    CHECK(answer_rows(ctx, model, job->view, out->codes, out->scores));
    out->codes_set = true;
    return out->extra ? add_distance(ctx, out->extra, model, job) : CAIRN_OK;
}

/* -- fitting -- */

/* Targets of the fit, one after the other, and the squares of the codes about their means. */
static cairn_status make_targets(cairn_context *ctx, const cairn_codes_model *m,
                                 const cairn_view *view, const int32_t *classes, double **out,
                                 double *spread)
{
    size_t n = view->rows.n;
    CHECK(SCRATCH_MATRIX(ctx, out, n, m->n_scores, "the code of every row for every class",
                         CAIRN_FEWER_CLASSES));
    for (size_t k = 0; k < m->n_scores; k++) {
        double *target = *out + k * n, total = 0, mean = 0, squares = 0;
        for (size_t i = 0; i < n; i++) {
            double w = cairn_view_weight(view, i);
            target[i] = m->n_scores == 1 ? cairn_codes_code(m, (size_t)classes[i])
                                         : (size_t)classes[i] == k;
            total += w;
            mean += w * target[i];
        }
        mean /= total > 0 ? total : 1;
        for (size_t i = 0; i < n; i++)
            squares += cairn_view_weight(view, i) * (target[i] - mean) * (target[i] - mean);
        *spread += squares;
    }
    return CAIRN_OK;
}

/* Right answers, rejected rows and the first misclassified ones. */
static cairn_status judge_rows(cairn_context *ctx, cairn_codes_history *history,
                               const cairn_codes_model *m, const cairn_view *view,
                               const int32_t *classes)
{
    size_t n = view->rows.n;
    int32_t *answers;
    CHECK(SCRATCH(ctx, &answers, n + 1));
    CHECK(answer_rows(ctx, m, view, answers, NULL));
    CHECK(NEW(ctx, &history->wrong, 3 * CAIRN_CODES_WRONG_ROWS));
    for (size_t i = 0; i < n; i++) {
        double w = cairn_view_weight(view, i);
        if (w <= 0) continue;
        if (answers[i] == classes[i]) history->right += w;
        if (answers[i] < 0) history->rejected += w;
        if (answers[i] == classes[i] || answers[i] < 0) continue;
        if (history->n_wrong++ >= CAIRN_CODES_WRONG_ROWS) continue;
        int32_t *row = history->wrong + 3 * history->n_listed++;
        row[0] = (int32_t)cairn_view_row(view, i);
        row[1] = classes[i];
        row[2] = answers[i];
    }
    return CAIRN_OK;
}

static void clear_history(void *data)
{
    cairn_codes_history *history = data;
    cairn_free(history->wrong);
    *history = (cairn_codes_history){0};
}

/* One fit for all targets, then a look at the rows that they were made of. */
static cairn_status fit_both(cairn_context *ctx, cairn_codes_model *m, cairn_codes_history *history,
                             const cairn_job *job)
{
    const cairn_codes_params *params = job->params;
    const cairn_view *view = job->view;
    cairn_least_squares fit;
    double *targets, *weights;
    int32_t *classes;
    CHECK(SCRATCH(ctx, &classes, view->rows.n + 1));
    CHECK(SCRATCH(ctx, &weights, job->n_classes + 2));
    cairn_view_target_codes(view, 0, view->rows.n, classes);
    for (size_t i = 0; i < view->rows.n; i++) weights[classes[i]] += cairn_view_weight(view, i);
    /* The coding for these classes. */
    double given[2] = {1, -1};
    m->n_classes = job->n_classes;
    m->at_zero = params->at_zero;
    m->positive = -1;
    CHECK(read_coding(ctx, params->coding, &m->coding, given));
    if (m->coding < 0) m->coding = m->n_classes == 2 ? CAIRN_CODING_PM1 : CAIRN_CODING_ONEHOT;
    if (m->coding != CAIRN_CODING_ONEHOT && m->n_classes != 2)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "{coding %s} is for two classes and the target has %zu: use "
                          "{coding onehot}",
                          params->coding, m->n_classes);
    m->n_scores = m->coding == CAIRN_CODING_ONEHOT ? m->n_classes : 1;
    if (m->coding != CAIRN_CODING_ONEHOT) {
        m->positive = job->positive >= 0 ? job->positive : 0;
        set_codes(m, given, weights);
    }
    CHECK(make_targets(ctx, m, view, classes, &targets, &history->spread));
    CHECK(cairn_least_squares_fit(ctx, &fit, view, targets, m->n_scores,
                                  params->intercept != CAIRN_INTERCEPT_NONE));
    m->n_terms = fit.n_terms;
    history->total = fit.total;
    history->rank = fit.rank;
    for (size_t k = 0; k < m->n_scores; k++) history->squares += fit.squares[k];
    size_t size = cairn_product(m->n_terms + 1, m->n_scores);
    CHECK(NEW(ctx, &m->weights, size));
    memcpy(m->weights, fit.weights, size * sizeof *m->weights);
    cairn_slopes_squares squares = {targets, view->rows.n, m->n_scores, 1};
    cairn_slopes s = {.view = view, .weights = m->weights, .n_scores = m->n_scores};
    s.constant = params->intercept != CAIRN_INTERCEPT_NONE;
    s.rows = cairn_slopes_squares_rows;
    s.data = &squares;
    CHECK(
        cairn_slopes_certify(ctx, job->certificate, CAIRN_PROOF_RESIDUAL, &s, CAIRN_SLOPES_DIRECT));
    CHECK(judge_rows(ctx, history, m, view, classes));
    return job->steps ? cairn_codes_show_steps(ctx, m, &fit, job) : CAIRN_OK;
}

static cairn_status codes_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    cairn_codes_history own = {0};
    cairn_status status = fit_both(ctx, model, job->history ? job->history : &own, job);
    clear_history(&own);
    return status;
}

/* -- keeping -- */

/* One-hot codes have a score for each class and no positive one; all other codes have one score,
 * and two classes. */
static cairn_status codes_archive(cairn_archive *a, void *model)
{
    cairn_codes_model *m = model;
    CHECK(cairn_archive_size(a, "n_terms", &m->n_terms, UINT32_MAX));
    CHECK(cairn_archive_size(a, "n_classes", &m->n_classes, 1 << 28));
    CHECK(cairn_archive_size(a, "n_scores", &m->n_scores, m->n_classes));
    CHECK(cairn_archive_int(a, "coding", &m->coding));
    CHECK(cairn_archive_int(a, "positive", &m->positive));
    CHECK(cairn_archive_int(a, "at_zero", &m->at_zero));
    CHECK(cairn_archive_real(a, "high", &m->high));
    CHECK(cairn_archive_real(a, "low", &m->low));
    CHECK(cairn_archive_real(a, "threshold", &m->threshold));
    bool several = m->coding == CAIRN_CODING_ONEHOT;
    if (m->coding < CAIRN_CODING_PM1 || m->coding > CAIRN_CODING_GIVEN ||
        m->at_zero < CAIRN_ZERO_NEGATIVE || m->at_zero > CAIRN_ZERO_REJECT ||
        m->n_scores != (several ? m->n_classes : 1) || (!several && m->n_classes != 2) ||
        (several ? m->positive != -1 : m->positive < 0 || m->positive > 1))
        CHECK(cairn_archive_damaged(a, "the coding does not fit the classes"));
    return cairn_archive_reals(a, "weights", &m->weights,
                               cairn_product(m->n_terms + 1, m->n_scores));
}

/* A listed class is one of the model's. */
static cairn_status archive_history(cairn_archive *a, void *data, const void *model)
{
    cairn_codes_history *history = data;
    int32_t n_classes = (int32_t)((const cairn_codes_model *)model)->n_classes;
    CHECK(cairn_archive_real(a, "total", &history->total));
    CHECK(cairn_archive_size(a, "rank", &history->rank, UINT32_MAX));
    CHECK(cairn_archive_real(a, "squares", &history->squares));
    CHECK(cairn_archive_real(a, "spread", &history->spread));
    CHECK(cairn_archive_real(a, "right", &history->right));
    CHECK(cairn_archive_real(a, "rejected", &history->rejected));
    CHECK(cairn_archive_size(a, "n_wrong", &history->n_wrong, SIZE_MAX));
    CHECK(cairn_archive_size(a, "n_listed", &history->n_listed, CAIRN_CODES_WRONG_ROWS));
    CHECK(cairn_archive_ints(a, "wrong", &history->wrong, 3 * history->n_listed));
    for (size_t i = 0; i < history->n_listed; i++)
        for (size_t j = 1; j < 3; j++)
            if (history->wrong[3 * i + j] < 0 || history->wrong[3 * i + j] >= n_classes)
                CHECK(cairn_archive_damaged(a, "a misclassified row has no class"));
    return CAIRN_OK;
}

static cairn_status codes_check(cairn_archive *a, const void *model, const cairn_job *job)
{
    const cairn_codes_model *m = model;
    if (m->n_classes != job->n_classes)
        return cairn_archive_damaged(a, "the learner has other classes than the target");
    return cairn_terms_check(a, job->schema, m->n_terms);
}

static void codes_clear(void *model)
{
    cairn_codes_model *m = model;
    cairn_free(m->weights);
    *m = (cairn_codes_model){0};
}

static cairn_model_size codes_size(const void *model)
{
    const cairn_codes_model *m = model;
    return (cairn_model_size){.parameters = (double)(m->n_terms + 1) * (double)m->n_scores};
}

/* -- as a program -- */

/* Two classes: score and its negative, then the side. More: the scores, whose largest is taken. */
static cairn_status codes_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    const cairn_codes_model *m = model;
    size_t n, outs = m->n_classes, nt = m->n_terms, ns = m->n_scores;
    double *weights, *constants, half = ns == 1 ? (m->high - m->low) / 2 : 1;
    int32_t *in;
    (void)job;
    CHECK(cairn_program_terms(out, &in, &n));
    if (n != nt) return cairn_program_refuse(out, "its columns are not those it has weights for");
    CHECK(SCRATCH(out->ctx, &weights, cairn_product(nt, outs) + 1));
    CHECK(SCRATCH(out->ctx, &constants, outs + 1));
    for (size_t k = 0; k < outs; k++) {
        size_t from = ns == 1 ? 0 : k;
        double by = ns > 1 ? 1 : (int32_t)k == m->positive ? 1 / half : -1 / half;
        for (size_t t = 0; t < nt; t++) weights[k * nt + t] = by * m->weights[t * ns + from];
        constants[k] = by * (m->weights[nt * ns + from] - (ns == 1 ? m->threshold : 0));
    }
    CHECK(cairn_lower_affine(out, in, nt, outs, constants, weights, NULL, &out->answer.scores));
    if (ns > 1) return cairn_lower_largest(out, out->answer.scores, outs, &out->answer.code);
    /* The side of one score, which is told in units of half the distance of the codes: on
     * neither side it is what {at-zero} says. */
    int32_t score = out->answer.scores + m->positive;
    cairn_computing c = cairn_computing_start(out);
    double zero = m->at_zero == CAIRN_ZERO_REJECT ? -2 : -1;
    if (m->at_zero == CAIRN_ZERO_POSITIVE) zero = m->positive;
    if (m->at_zero == CAIRN_ZERO_NEGATIVE) zero = 1 - m->positive;
    cairn_computing_slot(&c, score);
    cairn_computing_number(&c, AT_THRESHOLD);
    cairn_computing_do(&c, CAIRN_DO_GREATER, 2);
    cairn_computing_number(&c, m->positive);
    cairn_computing_slot(&c, score);
    cairn_computing_number(&c, -AT_THRESHOLD);
    cairn_computing_do(&c, CAIRN_DO_LESS, 2);
    cairn_computing_number(&c, 1 - m->positive);
    cairn_computing_number(&c, zero);
    cairn_computing_do(&c, CAIRN_DO_IF, 3);
    cairn_computing_do(&c, CAIRN_DO_IF, 3);
    cairn_computing_write(&c);
    return cairn_computing_end(&c, &out->answer.code);
}

static const cairn_history codes_history = {
    .size = sizeof(cairn_codes_history),
    .archive = archive_history,
    .clear = clear_history,
    .reports = CAIRN_REPORTS_ACCURACY,
};

static void write_coefficients(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const cairn_codes_model *m = model;
    ptrdiff_t target = cairn_schema_role(job->schema, CAIRN_TARGET);
    const cairn_map *names = &job->schema->fields[target].names;
    cairn_coefficients_begin(out);
    for (size_t k = 0; k < m->n_scores; k++) {
        size_t class = m->n_scores > 1 ? k : (size_t)m->positive;
        cairn_coefficients_write(
            out, job,
            &(cairn_coefficients){.class = class < names->n ? cairn_map_key(names, class) : NULL,
                                  .n_terms = m->n_terms,
                                  .weights = m->weights + k,
                                  .stride = m->n_scores});
    }
}

static const cairn_learned codes_tables[] = {CAIRN_COEFFICIENTS(write_coefficients),
                                             CAIRN_LEARNED_END};

const cairn_learner cairn_least_squares_classifier = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "least-squares-classifier",
            .also = "least squares discriminant, linear discriminant by regression, Fisher coding, "
                    "regression of class codes, 1-of-K regression",
            .title = "Least-squares classifier",
            .summary =
                "Codes the classes as numbers, fits the numbers by least squares and answers by "
                "the side of the threshold: +1 and −1 for two classes, Fisher's coding or two "
                "numbers on request, and for more classes a target of zeros and ones each, of "
                "which the largest answers. The simplest linear classifier, and the one that "
                "rows far on the right side still pull away.",
            .references = "Duda and Hart, Pattern Classification and Scene Analysis (1973), 5.8; "
                          "Bishop, Pattern Recognition and Machine Learning (2006), 4.1.3",
            .example = "cairn fit least-squares-classifier @two-sides --steps",
            .params = codes_parameters,
            .params_size = sizeof(cairn_codes_params),
            .check = codes_check_params,
        },
    .tasks = CAIRN_CLASSIFY,
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_BAGS |
               CAIRN_ACCEPTS_NO_FEATURES | CAIRN_WANTS_REFERENCE,
    .claims = CAIRN_CLAIM_WEIGHTS_REPEAT | CAIRN_CLAIM_ROW_ORDER | CAIRN_CLAIM_COLUMN_ORDER,
    .reports = CAIRN_REPORTS_ACCURACY,
    .traits =
        CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_GEOMETRIC | CAIRN_GRADING | CAIRN_MAY_ABSTAIN,
    .model_size = sizeof(cairn_codes_model),
    .tables = codes_tables,
    .history = &codes_history,
    .gives_scores = true,
    .sets_codes = true,
    .fit = codes_fit,
    .lower = codes_lower,
    .outputs = cairn_class_planes_outputs,
    .predict = codes_predict,
    .describe = cairn_codes_describe,
    .keeps_means = true,
    .explain = cairn_codes_explain,
    .archive = codes_archive,
    .check = codes_check,
    .clear = codes_clear,
    .size = codes_size,
};
