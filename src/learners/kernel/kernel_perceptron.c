/* SPDX-License-Identifier: MIT */
/* The perceptron in its dual form: mistakes are counted row by row, and a kernel compares rows.
 *
 * Problem: find α with y_i Σ_j α_j y_j k(x_i, x_j) > 0 for every row i: a plane in the space whose
 * inner product k is.
 *
 * Method: visit the rows epoch after epoch; a row with y_i f(x_i) <= 0 is a mistake, and its α_i
 * grows by 1 (by its weight). It ends after an epoch without a mistake, or at the limit of epochs,
 * which is said. The scores f of all rows are kept and grow by y_i k(x_i, ·) with every mistake, so
 * a visit without one costs nothing. Of K > 2 classes each has a score: a mistake adds the row to
 * that of the right class and takes it from the best of the others. With an intercept 1 is added to
 * every kernel value: the 1 in front of the rows of the primal form, whose weights are
 * Σ α_i y_i x_i for the linear kernel.
 *
 * The averaged perceptron answers by the mean of the scores after all visits; a change counts by
 * the visits that come after it.
 *
 * Cost: n kernel values for a mistake; where the matrix of all pairs is small, it is made once. */
#include "base/memory.h"
#include "base/need.h"
#include "base/random.h"
#include "kernels/kernels.h"
#include "learners/kernel/kernel_method.h"
#include "data/ledger.h"
#include "report/table_rows.h"
#include "rows/matrix.h"
#include "rows/used.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    WHOLE_ROWS = 4000, /* up to which the matrix of all pairs is made */
    SHOWN_EPOCHS = 20,
    SHOWN_VISITS = 1000
};
static const double nearly = 1e-12; /* of the largest score: it counts as 0 */

typedef enum { ORDER_ROWS, ORDER_SHUFFLED, ORDER_GIVEN } order_choice;

typedef struct kernel_perceptron_params {
    cairn_kernel_params kernel;
    int order;
    const char *visit;
    int epochs;
    bool average, intercept;
} kernel_perceptron_params;

static const cairn_choice orders[] = {
    {"rows", ORDER_ROWS, "as they come"},
    {"shuffled", ORDER_SHUFFLED, "in another order in each epoch"},
    {"given", ORDER_GIVEN, "as --visit says"},
    {0},
};

#define P kernel_perceptron_params
static const cairn_param kernel_perceptron_parameters[] = {
    CAIRN_KERNEL(P),
    CAIRN_PARAM(P, intercept, "no", NULL, "add 1 to every kernel value, which is a constant term"),
    CAIRN_PARAM_CHOICE(P, order, "rows", orders, "order of the rows in an epoch"),
    CAIRN_PARAM(P, visit, NULL, NULL, "rows in the order of their visits, such as 4,1-3",
                .when = "order=given"),
    CAIRN_PARAM(P, epochs, "100", "[1,1000000]", "most epochs", .often = true),
    CAIRN_PARAM(P, average, "no", NULL, "the answer is the mean of the scores after all visits",
                .often = true),
    CAIRN_PARAM_END,
};
#undef P

typedef struct kernel_perceptron_model {
    cairn_kernel kernel;
    cairn_kernel_rows rows; /* those with a coefficient */
    size_t n_scores;
    double *coefficients; /* n_scores x rows.n */
    double *constants;    /* n_scores */
    int32_t *numbers;     /* rows.n: which training rows they are */
    int32_t positive;     /* of one score, the class that it speaks for; else -1 */
    uint8_t *present;     /* of more: whether the class had rows */
} kernel_perceptron_model;

typedef struct kernel_perceptron_history {
    size_t n_epochs, n_rows;
    double *changes;  /* n_epochs: mistakes */
    double *mistakes; /* n_rows of the model: α */
    int32_t *classes; /* of these rows */
    double updates;
    bool converged;
} kernel_perceptron_history;

typedef struct run {
    const cairn_job *job;
    const kernel_perceptron_params *p;
    kernel_perceptron_model *m;
    cairn_view view; /* rows that count */
    cairn_kernel_rows rows;
    size_t n, n_scores, n_visits;
    uint32_t *order; /* n_visits */
    int32_t *codes;
    double *weights;
    uint8_t *present;
    double *gram, *row;   /* all pairs, or NULL and one row of them */
    double *scores;       /* n_scores x n */
    double *coefficients; /* n_scores x n */
    double *late;         /* Σ change · visits before it */
    double *mistakes;     /* n */
    double largest, visits;
    cairn_random random;
    size_t n_updates;
} run;

/* -- opening -- */

static cairn_status read_classes(cairn_context *ctx, run *r)
{
    const cairn_job *job = r->job;
    CHECK(SCRATCH_RAW_EACH(ctx, r->n, &r->codes, &r->weights));
    CHECK(SCRATCH(ctx, &r->present, job->n_classes + 1));
    cairn_view_target_codes(&r->view, 0, r->n, r->codes);
    cairn_view_weights(&r->view, 0, r->n, r->weights);
    for (size_t i = 0; i < r->n; i++) r->present[r->codes[i]] = 1;
    r->n_scores = job->n_classes > 2 ? job->n_classes : 1;
    r->m->positive = r->n_scores > 1 ? -1 : job->positive >= 0 ? job->positive : 0;
    return CAIRN_OK;
}

/* The matrix of all pairs, with the 1 of the constant, where it is small. */
static cairn_status open_kernels(cairn_context *ctx, run *r)
{
    size_t n_dense, n_terms, size = cairn_product(r->n_scores, r->n);
    static const char *const what = "the score of every row for every class";
    cairn_terms_count(r->job->schema, &n_dense, &n_terms);
    r->m->kernel = cairn_kernel_of(&r->p->kernel, n_terms);
    CHECK(
        cairn_kernel_rows_open(ctx, &r->rows, &r->m->kernel, &r->view, &(cairn_kernel_options){0}));
    CHECK(cairn_need_matrix(ctx, r->n, r->n_scores, 3 * sizeof *r->scores, what,
                            CAIRN_FEWER_CLASSES));
    CHECK(SCRATCH_EACH(ctx, size, &r->scores, &r->coefficients, &r->late));
    CHECK(SCRATCH(ctx, &r->mistakes, r->n));
    CHECK(SCRATCH_RAW(ctx, &r->row, r->n));
    CHECK(cairn_kernel_diagonal(ctx, &r->m->kernel, &r->rows, r->row)); /* refuses overflow */
    if (r->n > WHOLE_ROWS) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &r->gram, cairn_product(r->n, r->n)));
    CHECK(cairn_kernel_gram(ctx, &r->m->kernel, &r->rows, false, r->gram));
    for (size_t i = 0; r->p->intercept && i < r->n * r->n; i++) r->gram[i] += 1;
    return CAIRN_OK;
}

/* -- training -- */

/* What a visit finds: whether row i is a mistake, and whose score loses by it. */
static bool is_mistake(const run *r, size_t i, size_t *rival)
{
    double zero = nearly * r->largest;
    if (r->n_scores == 1) {
        double wanted = r->codes[i] == r->m->positive ? 1 : -1;
        return wanted * r->scores[i] <= zero;
    }
    size_t right = (size_t)r->codes[i], best = SIZE_MAX;
    for (size_t k = 0; k < r->n_scores; k++)
        if (k != right && r->present[k] &&
            (best == SIZE_MAX || r->scores[k * r->n + i] > r->scores[best * r->n + i]))
            best = k;
    *rival = best;
    return best != SIZE_MAX && r->scores[right * r->n + i] <= r->scores[best * r->n + i] + zero;
}

/* Score k gets `factor` times the kernels of row i. */
static void add_kernels(run *r, size_t k, size_t i, double factor, const double *kernels)
{
    double *scores = r->scores + k * r->n;
    r->coefficients[k * r->n + i] += factor;
    r->late[k * r->n + i] += (r->visits - 1) * factor;
    cairn_axpy(scores, factor, kernels, r->n);
    for (size_t j = 0; j < r->n; j++)
        if (fabs(scores[j]) > r->largest) r->largest = fabs(scores[j]);
}

/* Adds row i to its class and takes it from the rival; with one score the sign tells the class. */
static cairn_status correct(cairn_context *ctx, run *r, size_t i, size_t rival)
{
    const double *kernels;
    double weight = r->weights[i];
    /* Kernels of row i with all others. */
    uint32_t which = (uint32_t)i;
    kernels = r->gram ? r->gram + i * r->n : r->row;
    if (!r->gram) {
        CHECK(cairn_kernel_block(ctx, &r->m->kernel, &r->rows, &which, 1, &r->rows, 0, r->n, r->row,
                                 r->n));
        for (size_t j = 0; r->p->intercept && j < r->n; j++) r->row[j] += 1;
    }
    r->mistakes[i] += weight;
    if (r->n_scores == 1) {
        add_kernels(r, 0, i, r->codes[i] == r->m->positive ? weight : -weight, kernels);
    } else {
        add_kernels(r, (size_t)r->codes[i], i, weight, kernels);
        add_kernels(r, rival, i, -weight, kernels);
    }
    if (isfinite(r->largest)) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "the scores grew beyond all numbers at row %zu; bring the columns to one "
                      "scale ({with standardise})",
                      cairn_view_row(&r->view, i) + 1);
}

/* `scores` are those before the visit; the count of mistakes is that after it. */
static void show_visit(const run *r, size_t epoch, size_t visit, size_t i, const double *scores,
                       bool mistake)
{
    cairn_report *out = r->job->steps;
    ptrdiff_t target = cairn_schema_role(r->job->schema, CAIRN_TARGET);
    const char *class =
        target < 0 ? "?"
                   : cairn_map_key(&r->job->schema->fields[target].names, (size_t)r->codes[i]);
    double right = r->n_scores == 1 ? scores[0] : scores[r->codes[i]];
    if (!out || epoch > SHOWN_EPOCHS || visit > SHOWN_VISITS) return;
    if (mistake) cairn_report_row_mark(out);
    if (mistake) cairn_report_hidden(out, (double)epoch, "update%zu.epoch", r->n_updates);
    if (mistake) cairn_report_hidden(out, (double)visit, "update%zu.example", r->n_updates);
    cairn_report_prefix(out, "epoch%zu.example%zu", epoch, visit);
    cairn_report_cells(out, "- - - @.score:6 - @.alpha:6", visit, cairn_view_row(&r->view, i) + 1,
                       class, right, mistake ? "yes" : "no", r->mistakes[i]);
}

static void begin_epoch(const run *r, size_t epoch)
{
    cairn_report *out = r->job->steps;
    if (!out || epoch > SHOWN_EPOCHS) return;
    cairn_report_step_begin(out, "Epoch %zu", epoch);
    cairn_report_formula(out, r->n_scores == 1
                                  ? "f(xᵢ) = Σ αⱼ yⱼ k(xᵢ, xⱼ);  yᵢ f(xᵢ) ≤ 0: αᵢ ← αᵢ + 1"
                                  : "a mistake, where another class has no smaller score: αᵢ ← αᵢ "
                                    "+ 1 for the right class, −1 for the other");
    cairn_report_table_of(out, "Visits: the score before, the mistakes of the row afterwards", 60,
                          "rrlrlr", "visit", "row", "class",
                          r->n_scores == 1 ? "f(x)" : "score of its class", "mistake", "α");
}

static void end_epoch(const run *r, size_t epoch, double changes)
{
    cairn_report *out = r->job->steps;
    if (!out || epoch > SHOWN_EPOCHS) return;
    cairn_report_table_end(out);
    cairn_report_value(out, "mistakes", changes, "epoch%zu.changes", epoch);
    cairn_report_step_end(out);
}

static void shuffle(run *r)
{
    if (r->p->order != ORDER_SHUFFLED) return;
    for (size_t i = r->n_visits; i > 1; i--) {
        size_t j = (size_t)cairn_random_below(&r->random, i);
        uint32_t other = r->order[j];
        r->order[j] = r->order[i - 1];
        r->order[i - 1] = other;
    }
}

/* `changes` counts the mistakes: an epoch without one has converged. */
static cairn_status run_epoch(cairn_context *ctx, run *r, size_t epoch, double *before,
                              double *changes)
{
    *changes = 0;
    shuffle(r);
    begin_epoch(r, epoch);
    for (size_t v = 0; v < r->n_visits; v++) {
        size_t i = r->order[v], rival = 0;
        for (size_t k = 0; k < r->n_scores; k++) before[k] = r->scores[k * r->n + i];
        r->visits++;
        bool mistake = is_mistake(r, i, &rival);
        if (mistake) {
            r->n_updates++;
            ++*changes;
            CHECK(correct(ctx, r, i, rival));
            CHECK(cairn_tick(ctx, NULL, 0, 0));
        }
        show_visit(r, epoch, v + 1, i, before, mistake);
    }
    end_epoch(r, epoch, *changes);
    return CAIRN_OK;
}

/* Ends with the first epoch without a mistake; a limit that is reached before is warned of. */
static cairn_status train(cairn_context *ctx, run *r, kernel_perceptron_history *history)
{
    size_t most = (size_t)r->p->epochs, buffer = 0;
    double *before;
    CHECK(SCRATCH(ctx, &before, r->n_scores));
    for (size_t epoch = 1; epoch <= most && !history->converged; epoch++) {
        double changes;
        CHECK(cairn_tick(ctx, "epochs", (double)epoch - 1, (double)most));
        CHECK(run_epoch(ctx, r, epoch, before, &changes));
        CHECK(GROW(ctx, &history->changes, &buffer, epoch));
        history->changes[epoch - 1] = changes;
        history->n_epochs = epoch;
        history->updates += changes;
        history->converged = changes == 0;
    }
    if (!history->converged && history->n_epochs)
        cairn_warn(ctx,
                   "the kernel perceptron did not converge in %zu epoch%s: the last one still made "
                   "%zu mistakes; raise {epochs}, take the mean ({average}) or another {kernel}",
                   history->n_epochs, history->n_epochs == 1 ? "" : "s",
                   (size_t)history->changes[history->n_epochs - 1]);
    return CAIRN_OK;
}

/* -- keeping -- */

/* The rows with a coefficient; of the mean every change counts by the visits from it on. */
static cairn_status keep(cairn_context *ctx, run *r, kernel_perceptron_history *history)
{
    kernel_perceptron_model *m = r->m;
    uint32_t *which;
    size_t n = 0;
    CHECK(SCRATCH_RAW(ctx, &which, r->n));
    for (size_t i = 0; i < r->n; i++)
        if (r->mistakes[i] > 0) which[n++] = (uint32_t)i;
    m->n_scores = r->n_scores;
    CHECK(cairn_kernel_rows_keep(ctx, &m->rows, &r->rows, which, n));
    CHECK(NEW_RAW(ctx, &m->coefficients, cairn_product(m->n_scores, n)));
    CHECK(NEW(ctx, &m->constants, m->n_scores));
    CHECK(NEW_RAW(ctx, &m->numbers, n));
    CHECK(NEW(ctx, &m->present, r->job->n_classes));
    memcpy(m->present, r->present, r->job->n_classes);
    history->n_rows = n;
    CHECK(NEW_RAW_EACH(ctx, n, &history->mistakes, &history->classes));
    for (size_t s = 0; s < n; s++) {
        size_t i = which[s];
        m->numbers[s] = (int32_t)cairn_view_row(&r->view, i);
        history->mistakes[s] = r->mistakes[i];
        history->classes[s] = r->codes[i];
        for (size_t k = 0; k < m->n_scores; k++) {
            double c = r->coefficients[k * r->n + i];
            if (r->p->average) c -= r->late[k * r->n + i] / r->visits;
            m->coefficients[k * n + s] = c;
            if (r->p->intercept) m->constants[k] += c;
        }
    }
    return CAIRN_OK;
}

/* Rows without a mistake have α 0 and do not count. */
static void show_alphas(cairn_report *out, const run *r)
{
    if (!out || r->n > SHOWN_VISITS) return;
    cairn_report_step_begin(out, "Mistakes of all rows");
    cairn_report_formula(out, "f(x) = Σ αᵢ yᵢ k(xᵢ, x)");
    cairn_report_table_of(out, "Rows", 0, "rr", "row", "α");
    for (size_t i = 0; i < r->n; i++) {
        size_t number = cairn_view_row(&r->view, i) + 1;
        cairn_report_cells(out, "- alpha$1:6", number, r->mistakes[i]);
    }
    cairn_report_table_end(out);
    cairn_report_step_end(out);
}

/* A given order is the same in every epoch; others begin as the rows lie. */
static cairn_status fit_run(cairn_context *ctx, run *r, kernel_perceptron_history *history)
{
    CHECK(cairn_view_used(ctx, &r->view, r->job->view));
    r->n = r->view.rows.n;
    if (!r->n) return cairn_fail(ctx, CAIRN_BAD_DATA, "no row has a positive weight");
    CHECK(read_classes(ctx, r));
    r->n_visits = r->n;
    if (r->p->order == ORDER_GIVEN) {
        cairn_status status = cairn_row_list(ctx, &r->order, &r->n_visits, r->p->visit, r->n);
        if (status) cairn_message_prefix(ctx, "%s", cairn_say(ctx, "{visit}"));
        CHECK(status);
    } else {
        CHECK(SCRATCH_RAW(ctx, &r->order, r->n));
        for (size_t i = 0; i < r->n; i++) r->order[i] = (uint32_t)i;
        cairn_random_start(&r->random, cairn_context_seed(ctx), 0);
    }
    CHECK(open_kernels(ctx, r));
    if (r->gram)
        cairn_kernel_show_gram(r->job->steps, &r->m->kernel, r->gram, r->n, r->p->intercept);
    CHECK(train(ctx, r, history));
    show_alphas(r->job->steps, r);
    return keep(ctx, r, history);
}

static void clear_history(void *data)
{
    kernel_perceptron_history *history = data;
    FREE_EACH(history->changes, history->mistakes, history->classes);
    *history = (kernel_perceptron_history){0};
}

static cairn_status kernel_perceptron_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    kernel_perceptron_history own = {0};
    run r = {.job = job, .p = job->params, .m = model};
    cairn_status status = fit_run(ctx, &r, job->history ? job->history : &own);
    cairn_kernel_rows_clear(&r.rows);
    clear_history(&own);
    return status;
}

/* -- predicting -- */

/* A class that had no rows in training scores below all others, so that it is never answered. */
static cairn_status kernel_perceptron_predict(cairn_context *ctx, cairn_prediction *out,
                                              const void *model, const cairn_job *job)
{
    const kernel_perceptron_model *m = model;
    size_t n = job->view->rows.n, k = out->n_classes;
    double *scores;
    if (!out->scores) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &scores, cairn_product(n, m->n_scores)));
    CHECK(cairn_kernel_scores(ctx, &m->kernel, &m->rows, m->coefficients, m->n_scores, m->constants,
                              job->view, scores));
    for (size_t i = 0; i < n; i++) {
        double *to = out->scores + i * k, least = INFINITY;
        for (size_t c = 0; c < k; c++) {
            to[c] = m->n_scores > 1             ? scores[i * k + c]
                    : (int32_t)c == m->positive ? scores[i]
                                                : -scores[i];
            if (m->present[c]) least = fmin(least, to[c]);
        }
        for (size_t c = 0; c < k; c++) /* a class without rows is never ahead */
            if (!m->present[c]) to[c] = least - 1;
    }
    return CAIRN_OK;
}

static void kernel_perceptron_explain(cairn_report *out, const void *model, const cairn_job *job,
                                      size_t row)
{
    const kernel_perceptron_model *m = model;
    cairn_kernel_explain(out, &m->kernel, &m->rows, m->coefficients, m->n_scores, m->constants,
                         (const uint32_t *)m->numbers, job, row);
}

/* Classes without rows have no score of their own in a program. */
static cairn_status kernel_perceptron_lower(const void *model, const cairn_job *job,
                                            cairn_program *out)
{
    const kernel_perceptron_model *m = model;
    int32_t first;
    for (size_t c = 0; c < job->n_classes; c++)
        if (!m->present[c]) return cairn_program_refuse(out, "a class had no rows in training");
    CHECK(cairn_kernel_lower(out, &m->kernel, &m->rows, m->coefficients, m->n_scores, m->constants,
                             &first));
    return cairn_kernel_lower_classes(out, first, m->n_scores, m->positive);
}

/* -- showing -- */

/* w = Σ α_i y_i x_i, for the linear kernel of numbers. */
static void show_weights(cairn_report *out, const kernel_perceptron_model *m, const cairn_job *job)
{
    cairn_context *ctx = cairn_report_context(out);
    const char *const *names;
    double *w;
    if (!ctx || cairn_kernel_kind_of(&m->kernel) != CAIRN_KERNEL_LINEAR || m->n_scores > 1) return;
    SCOPED_SCRATCH(ctx);
    cairn_status status = cairn_term_names(ctx, &names, job->schema);
    if (!status) status = cairn_kernel_primal(ctx, &w, &m->rows, m->coefficients);
    cairn_report_failed(out, status);
    if (status) return;
    cairn_report_formula(out, "w = Σ αᵢ yᵢ xᵢ");
    cairn_report_table_of(out, "The weights that the linear kernel stands for", 0, "lr", "term",
                          "w");
    if (m->constants[0] != 0)
        cairn_report_cells(out, "- w.intercept:6", "intercept", m->constants[0]);
    for (size_t t = 0; t < m->rows.n_terms; t++) {
        cairn_report_cell(out, names[t]);
        cairn_report_cell_number(out, w[t], 6, "w.%s", cairn_term_key(out, names[t]));
    }
    cairn_report_table_end(out);
}

static void show_mistakes(cairn_report *out, const kernel_perceptron_model *m,
                          const kernel_perceptron_history *history, const cairn_job *job)
{
    ptrdiff_t target = cairn_schema_role(job->schema, CAIRN_TARGET);
    if (target < 0) return;
    cairn_report_table_of(out, "Rows with mistakes", 0, "rlr", "row", "class", "α");
    for (size_t i = 0; i < history->n_rows && i < SHOWN_VISITS; i++) {
        size_t number = (size_t)m->numbers[i] + 1;
        cairn_report_cells(
            out, "- - alpha$1:6", number,
            cairn_map_key(&job->schema->fields[target].names, (size_t)history->classes[i]),
            history->mistakes[i]);
    }
    cairn_report_table_end(out);
}

static void kernel_perceptron_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const kernel_perceptron_model *m = model;
    const kernel_perceptron_history *history = job->history;
    cairn_report_heading(out, 2, "Kernel perceptron");
    cairn_kernel_show(out, &m->kernel, m->rows.n_terms);
    cairn_report_value(out, "rows with mistakes", (double)m->rows.n, "support_vectors");
    show_weights(out, m, job);
    if (!history || !history->n_epochs) return;
    cairn_report_value(out, "epochs", (double)history->n_epochs, "epochs");
    cairn_report_value(out, "mistakes", history->updates, "updates");
    cairn_report_word(out, "ended by",
                      history->converged ? "an epoch without a mistake"
                                         : "the limit of epochs: it did not converge",
                      "stop");
    cairn_report_hidden(out, history->converged, "converged");
    cairn_report_table_of(out, "Mistakes by epoch", 0, "rr", "epoch", "mistakes");
    for (size_t e = 0; e < history->n_epochs; e++)
        cairn_report_cells(out, "- changes.epoch$1:6", e + 1, history->changes[e]);
    cairn_report_table_end(out);
    show_mistakes(out, m, history, job);
}

/* -- the model file -- */

static cairn_status archive_history(cairn_archive *a, void *data, const void *model)
{
    kernel_perceptron_history *history = data;
    history->n_rows = ((const kernel_perceptron_model *)model)->rows.n;
    CHECK(cairn_archive_size(a, "n_epochs", &history->n_epochs, 1000000));
    CHECK(cairn_archive_reals(a, "changes", &history->changes, history->n_epochs));
    CHECK(cairn_archive_reals(a, "mistakes", &history->mistakes, history->n_rows));
    CHECK(cairn_archive_ints(a, "classes", &history->classes, history->n_rows));
    CHECK(cairn_archive_real(a, "updates", &history->updates));
    return cairn_archive_bool(a, "converged", &history->converged);
}

static const cairn_history kernel_perceptron_story = {
    .size = sizeof(kernel_perceptron_history), .archive = archive_history, .clear = clear_history};

static cairn_status kernel_perceptron_archive(cairn_archive *a, void *model)
{
    kernel_perceptron_model *m = model;
    CHECK(cairn_kernel_archive(a, &m->kernel));
    CHECK(cairn_kernel_rows_archive(a, &m->kernel, &m->rows));
    CHECK(cairn_archive_size(a, "n_scores", &m->n_scores, INT32_MAX));
    CHECK(cairn_archive_int(a, "positive", &m->positive));
    size_t n_classes = m->n_scores > 1 ? m->n_scores : 2;
    CHECK(cairn_archive_reals(a, "coefficients", &m->coefficients,
                              cairn_product(m->n_scores, m->rows.n)));
    CHECK(cairn_archive_reals(a, "constants", &m->constants, m->n_scores));
    CHECK(cairn_archive_ints(a, "numbers", &m->numbers, m->rows.n));
    return cairn_archive_bytes(a, "present", &m->present, n_classes);
}

static cairn_status check_model(cairn_archive *a, const void *model, const cairn_job *job)
{
    const kernel_perceptron_model *m = model;
    bool several = job->n_classes > 2;
    const kernel_perceptron_history *history = job->history;
    if (job->n_classes < 2 || m->n_scores != (several ? job->n_classes : 1) ||
        (several ? m->positive != -1 : m->positive < 0 || m->positive > 1))
        return cairn_archive_damaged(a, "the coefficients do not fit the target");
    for (size_t i = 0; history && i < history->n_rows; i++)
        if (history->classes[i] < 0 || (size_t)history->classes[i] >= job->n_classes)
            return cairn_archive_damaged(a, "a row has a class that there is not");
    return cairn_kernel_rows_check(a, job, &m->rows);
}

static void kernel_perceptron_clear(void *model)
{
    kernel_perceptron_model *m = model;
    cairn_kernel_rows_clear(&m->rows);
    FREE_EACH(m->coefficients, m->constants, m->numbers, m->present);
    *m = (kernel_perceptron_model){0};
}

static cairn_model_size kernel_perceptron_size(const void *model)
{
    const kernel_perceptron_model *m = model;
    return (cairn_model_size){.parameters = (double)m->n_scores * (double)m->rows.n, .grows = true};
}

static unsigned kernel_perceptron_accepts(const void *params)
{
    return cairn_kernel_accepts(&((const kernel_perceptron_params *)params)->kernel);
}

static cairn_status kernel_perceptron_check(cairn_context *ctx, const void *values)
{
    const kernel_perceptron_params *p = values;
    if (p->order == ORDER_GIVEN && !p->visit)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{order given} needs the rows in their order: {visit 4,1-3}");
    return cairn_kernel_check(ctx, &p->kernel);
}

static void write_vectors(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const kernel_perceptron_model *m = model;
    const char **names = NULL;
    cairn_ledger_failed(out,
                        cairn_kernel_score_names(out->ctx, &names, m->n_scores, m->positive, job));
    if (!out->status)
        cairn_kernel_write(out, job, &m->rows, m->coefficients, m->n_scores, names, m->numbers);
}

static void write_constants(cairn_ledger *out, const void *model, const cairn_job *job)
{
    const kernel_perceptron_model *m = model;
    const char **names = NULL;
    cairn_ledger_failed(out,
                        cairn_kernel_score_names(out->ctx, &names, m->n_scores, m->positive, job));
    if (!out->status) cairn_kernel_write_constants(out, m->constants, m->n_scores, names);
}

static const cairn_learned kernel_perceptron_tables[] = {
    CAIRN_LEARNED("support-vectors", "row with a coefficient in a score, as the learner saw it",
                  write_vectors),
    CAIRN_LEARNED("constants", "score, and what it begins with", write_constants),
    CAIRN_LEARNED_END};

const cairn_learner cairn_kernel_perceptron = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "kernel-perceptron",
            .also = "dual perceptron, kernelised perceptron, averaged kernel perceptron, voted "
                    "perceptron",
            .about = "dual form, linear classifiers in dual form",
            .title = "Kernel perceptron",
            .summary =
                "The perceptron in its dual form: counts for every training row how often it was "
                "on the wrong side, and classifies by the sum of these counts times the kernel "
                "with the new row. With the linear kernel it is the perceptron, and its weights "
                "are shown; with others its boundary is curved. The steps show every visit. It "
                "ends after an epoch without a mistake, and says so if it does not get there. "
                "Columns are standardised first unless --scale says otherwise; --as gram takes a "
                "matrix of kernel values.",
            .references = "Aizerman, Braverman and Rozonoer, Theoretical foundations of the "
                          "potential function method (1964); Freund and Schapire, Large margin "
                          "classification using the perceptron algorithm (1999)",
            .example = "cairn fit kernel-perceptron @xor --target class --kernel poly --offset 1 "
                       "--scale none --steps",
            .params = kernel_perceptron_parameters,
            .params_size = sizeof(kernel_perceptron_params),
            .check = kernel_perceptron_check,
        },
    .tasks = CAIRN_CLASSIFY,
    .space = "gamma=0.01,0.1,1,10",
    .accepts = CAIRN_KERNEL_ACCEPTS,
    .accepts_with = kernel_perceptron_accepts,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_GEOMETRIC | CAIRN_GRADING,
    .model_size = sizeof(kernel_perceptron_model),
    .tables = kernel_perceptron_tables,
    .history = &kernel_perceptron_story,
    .gives_scores = true,
    .answers_slowly = true,
    .fit = kernel_perceptron_fit,
    .lower = kernel_perceptron_lower,
    .predict = kernel_perceptron_predict,
    .describe = kernel_perceptron_describe,
    .explain = kernel_perceptron_explain,
    .archive = kernel_perceptron_archive,
    .check = check_model,
    .clear = kernel_perceptron_clear,
    .size = kernel_perceptron_size,
};
