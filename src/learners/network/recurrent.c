/* SPDX-License-Identifier: MIT */
/* Simple recurrent networks (Elman).
 *
 * Problem: a row is a sequence of steps of any length, and what matters may lie far back.
 *
 * Method: one layer of hidden nodes reads the step and what it put out itself one step before,
 * h(t) = tanh(b + W x(t) + U h(t-1)) with h(0) = 0; the outputs read the mean of h over the steps,
 * or h after the last of them. The
 * error goes back through all steps (backpropagation through time), and the weights, which all
 * steps share, move after every row.
 *
 * Choices: softmax and log loss for classes, a linear output and squares for numbers, which are
 * standardised inside; steps of Adam; slopes longer than --clip are shortened to it, since a
 * product over many steps may explode; what all steps say together is learned from far fewer rows
 * than what the last one remembers of them, so the mean is read unless asked; the weights of the
 * epoch with the least error are kept.
 *
 * Cost: steps x hidden x (inputs + hidden) per epoch, an input of symbols being one look.
 *
 * Sources: Elman, Finding structure in time (1990); Werbos, Backpropagation through time (1990). */
#include "learners/network/recurrent.h"
#include "base/functions.h"
#include "base/memory.h"
#include "base/need.h"
#include "base/number.h"
#include "base/random.h"
#include "kernels/steps.h"
#include "report/table_rows.h"
#include "rows/matrix.h"
#include <math.h>
#include <string.h>

enum { RECURRENT_PLAIN, RECURRENT_ADAM };
enum { MOST_INPUTS = 1 << 24, MOST_HIDDEN = 4096, SHOWN_EPOCHS = 50, MANY_OUTPUTS = 1000 };
static const double GROWN = 1e6; /* times the error of the first epoch, and 1, is divergence */

typedef struct recurrent_params {
    int hidden, epochs, solver, reading;
    double eta, clip, change;
    bool keep_best;
} recurrent_params;

static const cairn_choice solver_choices[] = {
    {"adam", RECURRENT_ADAM, "steps by the size of each slope"},
    {"plain", RECURRENT_PLAIN, "steps along the gradient"},
    {NULL, 0, NULL},
};

static const cairn_choice reading_choices[] = {
    {"mean", CAIRN_RECURRENT_MEAN, "of what they put out over all steps"},
    {"last", CAIRN_RECURRENT_LAST, "what they put out at the last step"},
    {NULL, 0, NULL},
};

static const cairn_param recurrent_table[] = {
    CAIRN_PARAM(recurrent_params, hidden, "10", "[1,4096]", "hidden nodes", .often = true),
    CAIRN_PARAM_CHOICE(recurrent_params, reading, "mean", reading_choices,
                       "what the outputs read of the hidden nodes", .often = true),
    CAIRN_PARAM(recurrent_params, epochs, "50", "[1,1000000]", "most passes over the rows",
                .often = true),
    CAIRN_PARAM(recurrent_params, eta, "0.01", "(0,inf)", "learning rate η", .often = true),
    CAIRN_PARAM_CHOICE(recurrent_params, solver, "adam", solver_choices, "how weights move"),
    CAIRN_PARAM(recurrent_params, clip, "1", "[0,inf)",
                "most length of the slopes of a row; longer ones are shortened; 0 = never"),
    CAIRN_PARAM(recurrent_params, change, "0", "[0,inf)",
                "end when an epoch changes the mean E by less"),
    CAIRN_PARAM(recurrent_params, keep_best, "yes", NULL,
                "keep the weights of the epoch with the least error, not the last ones"),
    CAIRN_PARAM_END,
};

/* -- what there is -- */

typedef struct run {
    const cairn_job *job;
    const recurrent_params *params;
    cairn_recurrent_model *m;
    cairn_recurrent_rows rows;
    cairn_recurrent_pass pass;
    double *targets, *by; /* of every row: code or number; weight */
    size_t *order, n;     /* rows that are learned from */
    double total;
    double *gradient, *first, *second, *best;
    double *history;
    size_t steps;
    bool classes;
} run;

static const cairn_field *feature_of(const cairn_schema *schema, cairn_kind kind, size_t *n)
{
    const cairn_field *first = NULL;
    *n = 0;
    for (size_t i = 0; i < schema->n_fields; i++) {
        const cairn_field *field = &schema->fields[i];
        if (field->role != CAIRN_FEATURE || field->kind != (int32_t)kind) continue;
        if (!first) first = field;
        ++*n;
    }
    return first;
}

/* The steps that the columns have, and how many inputs they make. */
static bool find_shape(const cairn_schema *schema, int32_t *shape, size_t *n_in)
{
    size_t n;
    const cairn_field *field = feature_of(schema, CAIRN_SEQUENCE, &n);
    *shape = CAIRN_RECURRENT_SYMBOLS;
    if (field) *n_in = field->names.n;
    if (field) return true;
    *shape = CAIRN_RECURRENT_SERIES;
    if (feature_of(schema, CAIRN_SERIES, n_in)) return true;
    *shape = CAIRN_RECURRENT_COLUMNS;
    *n_in = 1;
    return feature_of(schema, CAIRN_NUMBER, &n) != NULL;
}

/* -- rows -- */

/* Mean and deviation of every input over all steps, so that numbers of any size can be learned. */
static cairn_status find_units(cairn_context *ctx, run *r)
{
    cairn_recurrent_model *m = r->m;
    size_t n_in = m->n_in;
    double *count, *mean, *squares;
    CHECK(SCRATCH(ctx, &count, n_in));
    CHECK(SCRATCH(ctx, &mean, n_in));
    CHECK(SCRATCH(ctx, &squares, n_in));
    for (size_t i = 0; i < r->n; i++) {
        CHECK(cairn_recurrent_read(ctx, &r->rows, r->order[i]));
        for (size_t t = 0; t < r->rows.n * n_in; t++) {
            double x = r->rows.x[t], away = x - mean[t % n_in];
            count[t % n_in]++;
            mean[t % n_in] += away / count[t % n_in];
            squares[t % n_in] += away * (x - mean[t % n_in]);
        }
    }
    for (size_t k = 0; k < n_in; k++) {
        double spread = count[k] > 0 ? sqrt(squares[k] / count[k]) : 1;
        m->shift[k] = isfinite(mean[k]) ? mean[k] : 0;
        m->unit[k] = spread > 0 && isfinite(spread) ? spread : 1;
    }
    return CAIRN_OK;
}

static void find_centre(run *r)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < r->n; i++)
        sum += r->by[r->order[i]] / r->total * r->targets[r->order[i]];
    for (size_t i = 0; i < r->n; i++) {
        double away = r->targets[r->order[i]] - sum;
        squares += r->by[r->order[i]] / r->total * away * away;
    }
    r->m->centre = sum;
    r->m->spread = squares > 0 && isfinite(squares) ? sqrt(squares) : 1;
}

/* Targets, weights, and the rows that have both. */
static cairn_status open_rows(cairn_context *ctx, run *r)
{
    const cairn_view *view = r->job->view;
    size_t n = view->rows.n;
    CHECK(SCRATCH(ctx, &r->targets, n + 1));
    CHECK(SCRATCH(ctx, &r->by, n + 1));
    CHECK(SCRATCH(ctx, &r->order, n + 1));
    for (size_t i = 0; i < n; i++) {
        size_t row = cairn_view_row(view, i);
        r->by[i] = cairn_view_weight(view, i);
        if (!(r->by[i] > 0) || cairn_column_is_missing(view->target, row)) continue;
        r->targets[i] = r->classes ? (double)view->target->codes[row] : view->target->numbers[row];
        if (!isfinite(r->targets[i]))
            return cairn_refuse_number(ctx, view->target_name, row, r->targets[i]);
        r->order[r->n++] = i;
        r->total += r->by[i];
    }
    if (!r->n)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "there is no row to learn from: recurrent needs at least one row with a "
                          "positive weight and a target");
    return CAIRN_OK;
}

static void set_target(run *r, size_t i)
{
    if (!r->classes)
        r->pass.t[0] = (r->targets[i] - r->m->centre) / r->m->spread;
    else
        for (size_t k = 0; k < r->m->n_out; k++) r->pass.t[k] = k == (size_t)r->targets[i] ? 1 : 0;
}

/* -- learning -- */

static void first_weights(cairn_context *ctx, cairn_recurrent_model *m)
{
    size_t wide = cairn_recurrent_wide(m), n = m->n_hidden;
    double far = sqrt(6 / (double)(wide - 1 + n)), end = sqrt(6 / (double)(n + m->n_out));
    double *last = cairn_recurrent_last(m, m->weights);
    cairn_random random;
    cairn_random_start(&random, cairn_context_seed(ctx), 2);
    for (size_t i = 0; i < n * wide; i++)
        if ((i + 1) % wide) m->weights[i] = far * (2 * cairn_random_uniform(&random) - 1);
    for (size_t i = 0; i < m->n_out * (n + 1); i++)
        if ((i + 1) % (n + 1)) last[i] = end * (2 * cairn_random_uniform(&random) - 1);
}

/* Slopes that are longer than the limit are shortened: they keep their direction. */
static void clip(const run *r, size_t n)
{
    double square = 0, most = r->params->clip;
    for (size_t i = 0; i < n; i++) square += r->gradient[i] * r->gradient[i];
    if (most == 0 || !(square > most * most)) return;
    for (size_t i = 0; i < n; i++) r->gradient[i] *= most / sqrt(square);
}

static void move_weights(run *r)
{
    size_t n = cairn_recurrent_n_weights(r->m);
    double *w = r->m->weights, *g = r->gradient, eta = r->params->eta;
    cairn_adam adam = cairn_adam_at(eta, ++r->steps);
    clip(r, n);
    if (r->params->solver == RECURRENT_ADAM)
        cairn_adam_step_doubles(w, r->first, r->second, g, n, &adam);
    for (size_t i = 0; r->params->solver == RECURRENT_PLAIN && i < n; i++) w[i] += eta * g[i];
    memset(g, 0, n * sizeof *g);
}

/* One pass over the rows; *error is the mean E of the rows as they were met. */
static cairn_status epoch(cairn_context *ctx, run *r, double *error)
{
    double sum = 0;
    for (size_t i = 0; i < r->n && isfinite(sum); i++) {
        size_t row = r->order[i];
        CHECK(cairn_tick(ctx, NULL, 0, 0));
        CHECK(cairn_recurrent_read(ctx, &r->rows, row));
        set_target(r, row);
        cairn_recurrent_forward(&r->rows, &r->pass, r->classes);
        sum += r->by[row] * cairn_recurrent_cost(&r->rows, &r->pass, r->classes);
        cairn_recurrent_backward(&r->rows, &r->pass, r->by[row], r->gradient);
        move_weights(r);
    }
    *error = sum / r->total;
    return CAIRN_OK;
}

static bool is_sound(const run *r, double error)
{
    size_t n = cairn_recurrent_n_weights(r->m);
    if (!isfinite(error) || error > GROWN * (r->history[0] + 1)) return false;
    for (size_t i = 0; i < n; i++)
        if (!isfinite(r->m->weights[i])) return false;
    return true;
}

static void warn_divergence(cairn_context *ctx, const run *r)
{
    char eta[CAIRN_NUMBER_SIZE];
    cairn_number_format(eta, r->params->eta, 6);
    cairn_warn(ctx,
               "the error grew beyond all bounds in epoch %zu with {eta} %s: the last good weights "
               "are kept; lower {eta}",
               r->m->epochs, eta);
}

/* Epochs until there is a reason to end; then the model has the weights that are kept. */
static cairn_status learn(cairn_context *ctx, run *r)
{
    cairn_recurrent_model *m = r->m;
    size_t bytes = cairn_recurrent_n_weights(m) * sizeof *m->weights;
    cairn_random random;
    bool on = true, sound = true;
    cairn_random_start(&random, cairn_context_seed(ctx), 0);
    memcpy(r->best, m->weights, bytes);
    m->error = INFINITY;
    for (size_t e = 0; on && e < (size_t)r->params->epochs; e++) {
        CHECK(cairn_tick(ctx, "epochs", (double)e, (double)r->params->epochs));
        cairn_random_shuffle(&random, r->order, r->n);
        CHECK(epoch(ctx, r, &r->history[e]));
        m->epochs = e + 1;
        sound = is_sound(r, r->history[e]);
        if (sound && (r->history[e] < m->error || !r->params->keep_best)) {
            m->error = r->history[e];
            m->kept = e + 1;
            memcpy(r->best, m->weights, bytes);
        }
        on = sound && !(e && fabs(r->history[e] - r->history[e - 1]) < r->params->change);
    }
    memcpy(m->weights, r->best, bytes);
    if (!sound) warn_divergence(ctx, r);
    if (!isfinite(m->error)) m->error = NAN;
    return CAIRN_OK;
}

static void show_epochs(const run *r)
{
    cairn_report *out = r->job->steps;
    cairn_report_step_begin(out, "Error of every epoch");
    cairn_report_table_of(out, "Epochs: mean E of the rows as they were met", SHOWN_EPOCHS, "rr",
                          "epoch", "E");
    for (size_t e = 0; e < r->m->epochs; e++) {
        cairn_report_cells(out, "- epoch#.E", e + 1, r->history[e]);
    }
    cairn_report_step_end(out);
}

/* -- fitting -- */

static cairn_status open_model(cairn_context *ctx, run *r)
{
    cairn_recurrent_model *m = r->m;
    if (!find_shape(r->job->schema, &m->shape, &m->n_in))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "recurrent needs a column of sequences, columns of series, or columns of "
                          "numbers for the steps; declare one with {kinds COLUMN=sequence} or "
                          "{kinds COLUMN=series}");
    m->n_hidden = (size_t)r->params->hidden;
    m->reading = r->params->reading;
    m->n_out = r->classes ? r->job->n_classes : 1;
    m->spread = 1;
    CHECK(NEW(ctx, &m->weights, cairn_recurrent_n_weights(m)));
    CHECK(NEW(ctx, &m->shift, m->n_in));
    CHECK(NEW(ctx, &m->unit, m->n_in));
    for (size_t k = 0; k < m->n_in; k++) m->unit[k] = 1;
    return CAIRN_OK;
}

static cairn_status open_room(cairn_context *ctx, run *r)
{
    size_t n = cairn_recurrent_n_weights(r->m);
    CHECK(SCRATCH(ctx, &r->gradient, n));
    CHECK(SCRATCH(ctx, &r->first, n));
    CHECK(SCRATCH(ctx, &r->second, n));
    CHECK(SCRATCH(ctx, &r->best, n));
    return SCRATCH(ctx, &r->history, (size_t)r->params->epochs);
}

static cairn_status recurrent_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    run r = {.job = job, .params = job->params, .m = model};
    r.classes = job->task == CAIRN_CLASSIFY;
    CHECK(open_model(ctx, &r));
    CHECK(open_rows(ctx, &r));
    if (r.m->n_out > MANY_OUTPUTS)
        CHECK(cairn_need_work(
            ctx, (double)r.params->epochs * (double)r.n * (double)cairn_recurrent_n_weights(r.m),
            "moving all weights after every row", CAIRN_FEWER_CLASSES));
    CHECK(cairn_recurrent_open(ctx, &r.rows, &r.pass, job->view, r.m));
    CHECK(open_room(ctx, &r));
    if (r.m->shape != CAIRN_RECURRENT_SYMBOLS) CHECK(find_units(ctx, &r));
    if (!r.classes) find_centre(&r);
    first_weights(ctx, r.m);
    if (job->steps) {
        CHECK(cairn_recurrent_read(ctx, &r.rows, r.order[0]));
        set_target(&r, r.order[0]);
        cairn_recurrent_show_rule(job->steps, r.m, r.classes);
        cairn_recurrent_show_row(ctx, job->steps, &r.rows, &r.pass, r.classes);
    }
    CHECK(learn(ctx, &r));
    if (job->steps) show_epochs(&r);
    return CAIRN_OK;
}

static cairn_status recurrent_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                      const cairn_job *job)
{
    const cairn_recurrent_model *m = model;
    cairn_recurrent_rows rows;
    cairn_recurrent_pass pass;
    bool classes = job->task == CAIRN_CLASSIFY;
    CHECK(cairn_recurrent_open(ctx, &rows, &pass, job->view, m));
    for (size_t i = 0; i < out->n_rows; i++) {
        if (i % 1024 == 0) CHECK(cairn_tick(ctx, "rows", (double)i, (double)out->n_rows));
        CHECK(cairn_recurrent_read(ctx, &rows, i));
        cairn_recurrent_forward(&rows, &pass, classes);
        if (out->numbers) out->numbers[i] = m->centre + m->spread * pass.y[0];
        if (out->scores) memcpy(out->scores + i * m->n_out, pass.y, m->n_out * sizeof *pass.y);
    }
    return CAIRN_OK;
}

/* -- keeping -- */

/* Sizes first: they say how many weights follow. */
static cairn_status recurrent_archive(cairn_archive *a, void *model)
{
    cairn_recurrent_model *m = model;
    CHECK(cairn_archive_int(a, "shape", &m->shape));
    if (cairn_archive_version(a) >= 17) CHECK(cairn_archive_int(a, "reading", &m->reading));
    CHECK(cairn_archive_size(a, "inputs", &m->n_in, MOST_INPUTS));
    CHECK(cairn_archive_size(a, "hidden", &m->n_hidden, MOST_HIDDEN));
    CHECK(cairn_archive_size(a, "outputs", &m->n_out, MOST_INPUTS));
    if (m->shape < 0 || m->shape >= CAIRN_RECURRENT_SHAPES || !m->n_hidden || !m->n_out ||
        m->reading < CAIRN_RECURRENT_LAST || m->reading > CAIRN_RECURRENT_MEAN)
        CHECK(cairn_archive_damaged(a, "the network has impossible sizes"));
    CHECK(cairn_archive_size(a, "epochs", &m->epochs, UINT32_MAX));
    CHECK(cairn_archive_size(a, "kept", &m->kept, UINT32_MAX));
    CHECK(cairn_archive_real(a, "error", &m->error));
    CHECK(cairn_archive_real(a, "centre", &m->centre));
    CHECK(cairn_archive_real(a, "spread", &m->spread));
    CHECK(cairn_archive_reals(a, "shift", &m->shift, m->n_in));
    CHECK(cairn_archive_reals(a, "unit", &m->unit, m->n_in));
    return cairn_archive_reals(a, "weights", &m->weights, cairn_recurrent_n_weights(m));
}

static cairn_status recurrent_check(cairn_archive *a, const void *model, const cairn_job *job)
{
    const cairn_recurrent_model *m = model;
    int32_t shape;
    size_t n_in = 0, n_out = job->task == CAIRN_CLASSIFY ? job->n_classes : 1;
    if (!find_shape(job->schema, &shape, &n_in) || shape != m->shape || n_in != m->n_in)
        CHECK(cairn_archive_damaged(a, "the network reads other steps than the columns have"));
    if (n_out != m->n_out)
        CHECK(cairn_archive_damaged(a, "the network has another number of outputs than classes"));
    return CAIRN_OK;
}

static void recurrent_clear(void *model)
{
    cairn_recurrent_model *m = model;
    cairn_free(m->weights);
    cairn_free(m->shift);
    cairn_free(m->unit);
    *m = (cairn_recurrent_model){0};
}

static cairn_model_size recurrent_size(const void *model)
{
    return (cairn_model_size){.parameters = (double)cairn_recurrent_n_weights(model)};
}

const cairn_learner cairn_recurrent_network = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "recurrent",
            .also = "recurrent neural network, RNN, Elman network, simple recurrent network, "
                    "backpropagation through time, BPTT",
            .title = "Recurrent network",
            .summary =
                "Learns a layer of neurons that reads a sequence step by step together with what "
                "it put out one step before, so that it can remember; the outputs read its mean "
                "over the steps, or the last step, and give a class or a number. The steps stand "
                "in a column of sequences, in "
                "columns of series, or, where there are neither, in columns of numbers from left "
                "to right. The error goes back through all steps. --steps shows the first row with "
                "every hidden output and delta, and checks the slopes by small differences.",
            .references = "Elman, Finding structure in time, Cognitive Science 14 (1990); Werbos, "
                          "Backpropagation through time, Proceedings of the IEEE 78 (1990)",
            .example = "cairn fit recurrent @iris --hidden 4 --epochs 20 --steps",
            .params = recurrent_table,
            .params_size = sizeof(recurrent_params),
        },
    .tasks = CAIRN_CLASSIFY | CAIRN_REGRESS,
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_WEIGHTS | CAIRN_ACCEPTS_SEQUENCES |
               CAIRN_ACCEPTS_SERIES,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_GEOMETRIC | CAIRN_GRADING |
              CAIRN_GIVES_PROBABILITIES,
    .model_size = sizeof(cairn_recurrent_model),
    .tables = cairn_recurrent_tables,
    .gives_scores = true,
    .fit = recurrent_fit,
    .predict = recurrent_predict,
    .describe = cairn_recurrent_describe,
    .archive = recurrent_archive,
    .check = recurrent_check,
    .clear = recurrent_clear,
    .size = recurrent_size,
};
