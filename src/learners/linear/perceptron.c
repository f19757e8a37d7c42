/* SPDX-License-Identifier: MIT */
/* The perceptron: a linear unit whose weights change example by example.
 *
 * Problem: find w with sign(w·x) = y for every row; x has a 1 in front, so that one of the weights
 * is the constant. Where the classes can be separated by a plane, the perceptron ends at one.
 *
 * Method: visit the rows epoch after epoch. What a visit adds to the weights:
 *  - mistake: η y x, where y w·x <= 0 (a row on the boundary counts as a mistake);
 *  - difference: (d − o) x, with o the output of the threshold unit;
 *  - delta: η (d − o) x, with o the output of a threshold or of a linear unit, after every row or
 *    the sum of a few; of a sigmoid unit η (d − o) s'(w·x) x, by the slope o (1 − o) of the
 *    sigmoid, or (1 + o) (1 − o) / 2 of its symmetric form where truth is coded −1 and 1;
 *  - batch: the same, summed over an epoch.
 * It ends after an epoch without a change, with a mean |d − o| below γ, with changes as small as
 * the tolerance (linear and sigmoid units), or at the limit of epochs, which is said.
 *
 * Choices: an activation of 0, within 1e-12 of the largest weight so far, is the output −1 (0 when
 * truth is coded 0 and 1). Of K > 2 classes each has a vector of weights; mistake adds η x to that
 * of the right class and takes it from the best of the others, unless the right one is ahead; the
 * other rules train K units, one against the rest. The averaged perceptron keeps the mean of the
 * weights after all visits, made from one more sum, in which a change counts by the visits before
 * it. A row weight multiplies the change.
 *
 * Cost: an epoch reads every number once; bags cost their entries. */
#include "base/number.h"
#include "base/memory.h"
#include "base/need.h"
#include "base/random.h"
#include "kernels/kernels.h"
#include "learners/linear/perceptron.h"
#include "report/table_rows.h"
#include "rows/class_sums.h"
#include "stats/activations.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What is shown of a perceptron: every visit of an example, the course of the errors, the plane. */

enum {
    SHOWN_EPOCHS = 20,
    SHOWN_VISITS = 1000,
    SHOWN_WEIGHTS = 12,
    SHOWN_LINES = 12,
    SHOWN_ROWS = 60
};

/* -- the trace -- */

/* Weight number j as it is shown, vector after vector with the constant first; false at the end. */
static bool shown_weight(const cairn_class_planes *m, size_t j, size_t *term, size_t *vector)
{
    size_t each = m->n_terms + (m->intercept ? 1 : 0);
    if (!each || j >= SHOWN_WEIGHTS || j >= each * m->n_vectors) return false;
    size_t at = j % each;
    *vector = j / each;
    *term = !m->intercept ? at : at == 0 ? m->n_terms : at - 1;
    return true;
}

/* Name of a weight for the head of a column, and as part of a value's name. */
static void name_weight(cairn_perceptron_trace *s, cairn_text *out, size_t term, size_t vector,
                        bool key)
{
    const char *name = term == s->m->n_terms ? "intercept" : s->names[term];
    const char *class = cairn_class_planes_class(s->m, s->job, vector);
    out->length = 0;
    if (s->m->n_vectors > 1)
        cairn_text_addf(out, "%s.", key ? cairn_report_key(s->steps, class) : class);
    if (key && term < s->m->n_terms) name = cairn_term_key(s->steps, name);
    cairn_text_add(out, name);
}

/* Only the first epochs are opened for the report; the visits of the others are not written. */
static void cairn_perceptron_trace_epoch(cairn_perceptron_trace *s, size_t epoch)
{
    size_t term, vector;
    s->open = s->steps && epoch <= SHOWN_EPOCHS;
    if (!s->open) return;
    cairn_text head = cairn_text_start(cairn_report_context(s->steps));
    cairn_report_step_begin(s->steps, "Epoch %zu", epoch);
    cairn_report_table_of(s->steps, "Visits: activation, output, wanted; weights afterwards",
                          SHOWN_ROWS, "rrlrrrl", "visit", "row", "class", "w·x", "output", "wanted",
                          "changes");
    for (size_t j = 0; shown_weight(s->m, j, &term, &vector); j++) {
        name_weight(s, &head, term, vector, false);
        cairn_report_column(s->steps, cairn_text_string(&head), 'r');
    }
    cairn_report_failed(s->steps, cairn_text_status(&head));
    cairn_text_clear(&head);
    s->lines.length = 0;
    s->n_lines = 0;
}

static double value_of(const cairn_example *e, size_t term)
{
    if (!e->terms) return term < e->n ? e->values[term] : 1;
    for (size_t j = 0; j < e->n; j++)
        if ((size_t)e->terms[j] == term) return e->values[j];
    return 0;
}

/* A weight, of which a change may leave no more than the rounding of what stood there. */
static double weight_now(const cairn_perceptron_trace *s, size_t j, size_t term, size_t vector)
{
    double w = s->m->weights[term * s->m->n_vectors + vector];
    return cairn_number_left(w, s->before[j]);
}

/* "(1, −2, 0.5)" of the weights before (0), the row (1) or the weights now (2), for one vector. */
static void add_vector(cairn_perceptron_trace *s, const cairn_example *e, size_t k, int which)
{
    size_t term, vector, n = 0;
    cairn_text_add_char(&s->lines, '(');
    for (size_t j = 0; shown_weight(s->m, j, &term, &vector); j++) {
        if (vector != k) continue;
        double x = which == 0              ? s->before[j]
                   : which == 2            ? weight_now(s, j, term, vector)
                   : term == s->m->n_terms ? 1
                                           : value_of(e, term);
        if (n++) cairn_text_add(&s->lines, ", ");
        cairn_text_add_number(&s->lines, x, 6);
    }
    cairn_text_add_char(&s->lines, ')');
}

/* The change of a vector as it is written on the board. */
static void add_line(cairn_perceptron_trace *s, size_t number, const cairn_example *e,
                     const cairn_visit *v, size_t k)
{
    if ((k + 1) * (s->m->n_terms + 1) > SHOWN_WEIGHTS || s->n_lines >= SHOWN_LINES ||
        v->factors[k] == 0)
        return;
    s->n_lines++;
    cairn_text_addf(&s->lines, "visit %zu: w", number);
    if (s->m->n_vectors > 1)
        cairn_text_addf(&s->lines, "(%s)", cairn_class_planes_class(s->m, s->job, k));
    cairn_text_add(&s->lines, " ← ");
    add_vector(s, e, k, 0);
    cairn_text_add(&s->lines, " + (");
    cairn_text_add_number(&s->lines, e->weight * v->factors[k], 6);
    cairn_text_add(&s->lines, ")·");
    add_vector(s, e, k, 1);
    cairn_text_add(&s->lines, " = ");
    add_vector(s, e, k, 2);
    cairn_text_add_char(&s->lines, '\n');
}

/* Numbers of all vectors in one cell: "0.5" or "0.5; −1; 2". */
static void show_numbers(cairn_perceptron_trace *s, const double *numbers, size_t epoch,
                         size_t number, const char *what)
{
    cairn_text cell = cairn_text_start(cairn_report_context(s->steps));
    for (size_t k = 0; k < s->m->n_vectors && k < SHOWN_WEIGHTS; k++) {
        if (k) cairn_text_add(&cell, "; ");
        cairn_text_add_number(&cell, numbers[k], 6);
        if (s->m->n_vectors == 1)
            cairn_report_hidden(s->steps, numbers[k], "epoch%zu.example%zu.%s", epoch, number,
                                what);
    }
    cairn_report_failed(s->steps, cairn_text_status(&cell));
    cairn_report_cell(s->steps, cairn_text_string(&cell));
    cairn_text_clear(&cell);
}

static void show_weights(cairn_perceptron_trace *s, size_t epoch, size_t number, bool changed)
{
    cairn_text key = cairn_text_start(cairn_report_context(s->steps));
    size_t term, vector;
    for (size_t j = 0; shown_weight(s->m, j, &term, &vector); j++) {
        double w = weight_now(s, j, term, vector);
        name_weight(s, &key, term, vector, true);
        if (changed) {
            cairn_report_row_mark(s->steps);
            cairn_report_hidden(s->steps, w, "update%zu.w.%s", s->updates, cairn_text_string(&key));
        }
        cairn_report_cell_number(s->steps, w, 6, "epoch%zu.example%zu.w.%s", epoch, number,
                                 cairn_text_string(&key));
    }
    cairn_report_failed(s->steps, cairn_text_status(&key));
    cairn_text_clear(&key);
}

/* Changes are counted even where nothing is shown, so that their numbers do not depend on the
 * report. */
static void cairn_perceptron_trace_visit(cairn_perceptron_trace *s, size_t epoch, size_t number,
                                         const cairn_example *e, const cairn_visit *v, bool at_once)
{
    bool changed = v->changes && e->weight > 0;
    s->updates += changed;
    if (!s->open || number > SHOWN_VISITS) return;
    if (changed) {
        cairn_report_hidden(s->steps, (double)epoch, "update%zu.epoch", s->updates);
        cairn_report_hidden(s->steps, (double)number, "update%zu.example", s->updates);
    }
    size_t row = cairn_view_row(s->job->view, e->at) + 1;
    cairn_report_cells(s->steps, NULL, number, row,
                       cairn_class_planes_class(s->m, s->job, e->place));
    show_numbers(s, v->activations, epoch, number, "activation");
    show_numbers(s, v->outputs, epoch, number, "output");
    show_numbers(s, v->wanted, epoch, number, "wanted");
    cairn_report_cell(s->steps, changed ? "yes" : "no");
    show_weights(s, epoch, number, changed);
    for (size_t k = 0; changed && at_once && k < s->m->n_vectors; k++) add_line(s, number, e, v, k);
}

/* Before and after the weights change by an example. */
static void cairn_perceptron_trace_end(cairn_perceptron_trace *s, size_t epoch, double error,
                                       double changes)
{
    if (!s->open) return;
    cairn_report_table_end(s->steps);
    for (char *at = s->lines.length ? s->lines.bytes : NULL; at && *at;) {
        size_t length = strcspn(at, "\n");
        cairn_report_formula(s->steps, "%.*s", (int)length, at);
        at += length + (at[length] == '\n');
    }
    cairn_report_value(s->steps, "mean |d − o|", error, "epoch%zu.error", epoch);
    cairn_report_value(s->steps, "changes", changes, "epoch%zu.changes", epoch);
    cairn_report_step_end(s->steps);
    s->open = false;
}

/* -- the description -- */

static cairn_status draw_course(cairn_context *ctx, cairn_report *out,
                                const cairn_perceptron_history *history)
{
    cairn_figure *figure = NULL;
    double *x;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &x, history->n_epochs + 1));
    for (size_t i = 0; i < history->n_epochs; i++) x[i] = (double)i + 1;
    CHECK(cairn_figure_new(ctx, &figure, "training", "Error per epoch"));
    cairn_figure_axes(figure, "epoch", "mean |d − o|");
    cairn_figure_line(figure, NULL, x, history->errors, history->n_epochs);
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

static const char *stop_word(int32_t stop)
{
    switch (stop) {
    case CAIRN_PERCEPTRON_STOP_SWEEP: return "an epoch without a change";
    case CAIRN_PERCEPTRON_STOP_ERROR: return "the error is below gamma";
    case CAIRN_PERCEPTRON_STOP_CHANGE: return "the weights hardly change";
    default: return "the limit of epochs: it did not converge";
    }
}

static void cairn_perceptron_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const cairn_perceptron_history *history = job->history;
    const cairn_perceptron_params *p = job->params;
    cairn_report_heading(out, 2, "Perceptron");
    cairn_class_planes_show(out, model, job, (cairn_plane_side)p->planes.intercept,
                            history ? &history->tally : NULL);
    if (!history || !history->n_epochs) return;
    bool limit = history->stop == CAIRN_PERCEPTRON_STOP_LIMIT;
    cairn_report_value(out, "epochs", (double)history->n_epochs, "epochs");
    cairn_report_value(out, "changes", history->updates, "updates");
    cairn_report_word(out, "ended by", stop_word(history->stop), "stop");
    cairn_report_hidden(out, limit ? 0 : 1, "converged");
    if (limit)
        cairn_report_note(out, "It did not converge: the last epoch still changed the weights.");
    cairn_report_table_of(out, "Errors by epoch", 0, "rrr", "epoch", "mean |d − o|", "changes");
    for (size_t i = 0; i < history->n_epochs; i++) {
        cairn_report_cell_number(out, (double)i + 1, 6, NULL);
        cairn_report_cell_number(out, history->errors[i], 6, "error.epoch%zu", i + 1);
        cairn_report_cell_number(out, history->changes[i], 6, "changes.epoch%zu", i + 1);
    }
    cairn_report_table_end(out);
    if (history->n_epochs > 1)
        cairn_report_failed(out, draw_course(cairn_report_context(out), out, history));
}

/* -- the history in the model file -- */

static cairn_status archive_history(cairn_archive *a, void *data, const void *model)
{
    cairn_perceptron_history *history = data;
    CHECK(cairn_archive_size(a, "n_epochs", &history->n_epochs, 10000000));
    CHECK(cairn_archive_reals(a, "errors", &history->errors, history->n_epochs));
    CHECK(cairn_archive_reals(a, "changes", &history->changes, history->n_epochs));
    CHECK(cairn_archive_real(a, "updates", &history->updates));
    CHECK(cairn_archive_int(a, "stop", &history->stop));
    return cairn_class_planes_tally_archive(a, &history->tally, model);
}

static void clear_history(void *data)
{
    cairn_perceptron_history *history = data;
    FREE_EACH(history->errors, history->changes, history->tally.distances);
    *history = (cairn_perceptron_history){0};
}

const cairn_history cairn_perceptron_histories = {
    .size = sizeof(cairn_perceptron_history),
    .reports = CAIRN_REPORTS_ACCURACY,
    .archive = archive_history,
    .clear = clear_history,
};

enum { MOST_NUMBERS = 65536, CANCEL_ROWS = 65536, MANY_CLASSES = 1000 };

typedef enum { INIT_ZERO, INIT_RANDOM, INIT_BASIC } start_choice;
typedef enum { ORDER_ROWS, ORDER_SHUFFLED, ORDER_GIVEN } order_choice;

static const cairn_choice updates[] = {
    {"mistake", CAIRN_PERCEPTRON_MISTAKE, "add η y x where y w·x <= 0"},
    {"delta", CAIRN_PERCEPTRON_DELTA, "add η (d − o) x after every row, or every few"},
    {"batch", CAIRN_PERCEPTRON_BATCH, "the same, summed over the epoch"},
    {"difference", CAIRN_PERCEPTRON_DIFFERENCE, "add (d − o) x, with the thresholded output"},
    {0},
};
static const cairn_choice units[] = {
    {"threshold", CAIRN_UNIT_THRESHOLD, "1 if w·x > 0, else −1 (or 0)"},
    {"linear", CAIRN_UNIT_LINEAR, "w·x itself, which makes it least squares by descent"},
    {"sigmoid", CAIRN_UNIT_SIGMOID, "1/(1 + e^(−w·x)); with truth pm1 twice that less 1"},
    {0},
};
static const cairn_choice truths[] = {
    {"pm1", 0, "classes and outputs are 1 and −1"},
    {"01", 1, "1 and 0"},
    {0},
};
static const cairn_choice starts[] = {
    {"zero", INIT_ZERO, "all weights 0"},
    {"random", INIT_RANDOM, "small random weights"},
    {"basic", INIT_BASIC, "those of the basic linear classifier, from the means of the classes"},
    {0},
};
static const cairn_choice orders[] = {
    {"rows", ORDER_ROWS, "as they come"},
    {"shuffled", ORDER_SHUFFLED, "in another order in each epoch"},
    {"given", ORDER_GIVEN, "as --visit says"},
    {0},
};
static const cairn_choice protocols[] = {
    {"batch", CAIRN_PROTOCOL_BATCH, "all rows, epoch after epoch"},
    {"random", CAIRN_PROTOCOL_RANDOM, "as many rows per epoch, drawn with repeats"},
    {"online", CAIRN_PROTOCOL_ONLINE, "every row once"},
    {0},
};

#define P cairn_perceptron_params
static const cairn_param perceptron_parameters[] = {
    CAIRN_PARAM_CHOICE(P, update, "mistake", updates, "what a visit of a row does to the weights",
                       .often = true),
    CAIRN_PARAM_CHOICE(P, unit, "threshold", units, "what the unit puts out",
                       .when = "update=delta|batch"),
    CAIRN_PARAM_CHOICE(P, truth, "pm1", truths, "how the classes are coded",
                       .when = "update=delta|batch|difference"),
    CAIRN_PARAM(P, eta, "1", "(0,inf)", "learning rate η", .when = "!update=difference",
                .often = true),
    CAIRN_PARAM(P, batch_size, "1", "[1,1000000000]", "rows whose changes are made together",
                .when = "update=delta"),
    CAIRN_PARAM_CHOICE(P, init, "zero", starts, "weights to start from"),
    CAIRN_PARAM(P, spread, "0.05", "(0,inf)", "random weights lie between −this and this",
                .when = "init=random"),
    CAIRN_PARAM_CHOICE(P, order, "rows", orders, "order of the rows in an epoch",
                       .when = "!protocol=random"),
    CAIRN_PARAM(P, visit, NULL, NULL, "rows in the order of their visits, such as 4,1-3",
                .when = "order=given"),
    CAIRN_PARAM_CHOICE(P, protocol, "batch", protocols, "which rows are taken"),
    CAIRN_PARAM(P, epochs, "100", "[1,10000000]", "most epochs", .when = "!protocol=online",
                .often = true),
    CAIRN_PARAM(P, gamma, "0", "[0,inf)",
                "end after an epoch whose mean |d − o| is below this; 0 = only without a change"),
    CAIRN_PARAM(P, tolerance, "1e-09", "[0,1)",
                "end when an epoch changes no weight by more than this part of the largest",
                .when = "unit=linear|sigmoid"),
    CAIRN_PARAM(P, average, "no", NULL, "the answer is the mean of the weights after all visits",
                .often = true),
    CAIRN_CLASS_PLANES(P),
    CAIRN_PARAM_END,
};
#undef P

typedef struct run {
    const cairn_perceptron_params *p;
    const cairn_job *job;
    cairn_class_planes *m;
    cairn_row_matrix x;
    cairn_view view; /* of the visits, where they are not the rows in order */
    size_t n_visits;
    uint32_t *order; /* n_visits rows of the view; NULL = all in order */
    uint32_t *rows;  /* the same in the table */
    int32_t *places; /* by code of the target: of the class in the model */
    double *z;       /* `piece` rows of numbers */
    size_t piece, loaded, n_loaded;
    size_t *entries; /* of a row with bags: as they are read */
    int32_t *terms;  /* and as they are visited */
    double *values;
    const cairn_column *bag; /* the only feature, read where it lies; NULL = there are others */
    double *sum;             /* changes that wait; NULL = none ever do */
    double *late;            /* Σ change · visits before it, for the mean; NULL = not wanted */
    double *before;
    double largest; /* weight so far */
    double visits;
    cairn_visit visit;
    cairn_activated function; /* of a sigmoid unit */
    cairn_random random;
    cairn_perceptron_trace trace;
} run;

/* Units without a jump always have something to correct; small changes end them. */
static bool is_smooth(const cairn_perceptron_params *p)
{
    return p->unit != CAIRN_UNIT_THRESHOLD;
}

static cairn_status perceptron_check(cairn_context *ctx, const void *values)
{
    const cairn_perceptron_params *p = values;
    if (p->order == ORDER_GIVEN && !p->visit)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{order given} needs the rows in their order: {visit 4,1-3}");
    return CAIRN_OK;
}

/* -- examples -- */

/* Example number i of the epoch; numbers come in pieces, entries of bags row by row. */
static cairn_example take_example(run *r, size_t i)
{
    const cairn_view *view = r->job->view;
    cairn_example e = {.at = r->order ? r->order[i] : i};
    int32_t code = view->target->codes[cairn_view_row(view, e.at)];
    e.place = (size_t)r->places[code];
    e.weight = cairn_view_weight(view, e.at);
    if (r->bag) {
        size_t row = cairn_view_row(view, e.at), from = r->bag->starts[row];
        e.n = r->bag->starts[row + 1] - from;
        e.terms = r->bag->items + from;
        e.values = r->bag->amounts ? r->bag->amounts + from : r->values;
        return e;
    }
    if (r->x.n_bags) {
        e.n = cairn_matrix_entries(&r->x, i, r->entries, r->values);
        for (size_t j = 0; j < e.n; j++) r->terms[j] = (int32_t)r->entries[j];
        e.terms = r->terms;
        e.values = r->values;
        return e;
    }
    if (i < r->loaded || i >= r->loaded + r->n_loaded) {
        r->loaded = i;
        r->n_loaded = r->n_visits - i < r->piece ? r->n_visits - i : r->piece;
        cairn_matrix_dense(&r->x, i, r->n_loaded, r->z);
    }
    e.n = r->x.n_dense;
    e.values = r->z + (i - r->loaded) * r->x.n_dense;
    return e;
}

/* w·x of every vector. */
static void activate(const run *r, const cairn_example *e, double *out)
{
    const double *w = r->m->weights;
    size_t nv = r->m->n_vectors, p = r->m->n_terms;
    if (nv == 1 && !e->terms) {
        out[0] = cairn_dot(w, e->values, e->n) + w[p];
        return;
    }
    for (size_t k = 0; k < nv; k++) out[k] = w[p * nv + k];
    if (nv == 1) {
        double sum = 0;
        for (size_t j = 0; j < e->n; j++) sum += e->values[j] * w[e->terms[j]];
        out[0] += sum;
        return;
    }
    for (size_t j = 0; j < e->n; j++) {
        size_t t = e->terms ? (size_t)e->terms[j] : j;
        for (size_t k = 0; k < nv; k++) out[k] += e->values[j] * w[t * nv + k];
    }
}

/* into += factor x, for vector k. */
static void add_row(const run *r, const cairn_example *e, size_t k, double factor, double *into)
{
    size_t nv = r->m->n_vectors;
    if (nv == 1 && !e->terms)
        cairn_axpy(into, factor, e->values, e->n);
    else
        for (size_t j = 0; j < e->n; j++)
            into[(e->terms ? (size_t)e->terms[j] : j) * nv + k] += factor * e->values[j];
    if (r->m->intercept) into[r->m->n_terms * nv + k] += factor;
}

/* -- the rules -- */

/* By how much the row's vectors change: y x where the row is on the wrong side of a plane or on
 * it; of more classes x for the right one and −x for the best of the others. */
static void judge_mistake(const run *r, const cairn_example *e, cairn_visit *v)
{
    size_t nv = r->m->n_vectors, rival = e->place == 0 ? 1 : 0;
    double zero = CAIRN_PLANE_TOLERANCE * r->largest, *a = v->activations;
    if (nv == 1) {
        v->wanted[0] = e->place == 0 ? 1 : -1;
        v->outputs[0] = a[0] > zero ? 1 : -1;
        v->changes = v->wanted[0] * a[0] <= zero;
        v->factors[0] = v->changes ? r->p->eta * v->wanted[0] : 0;
        return;
    }
    for (size_t k = 0; k < nv; k++)
        if (k != e->place && a[k] > a[rival]) rival = k;
    v->changes = a[e->place] <= a[rival] + zero;
    for (size_t k = 0; k < nv; k++) {
        double sign = k == e->place ? 1 : k == rival ? -1 : 0;
        v->wanted[k] = k == e->place ? 1 : -1;
        v->outputs[k] = v->changes ? -sign : v->wanted[k];
        v->factors[k] = v->changes ? r->p->eta * sign : 0;
    }
}

/* What a unit puts out, and the slope of that by w·x, by which the rule multiplies. */
static double put_out(const run *r, double activation, double *slope)
{
    double zero = CAIRN_PLANE_TOLERANCE * r->largest, low = r->p->truth ? 0 : -1;
    *slope = 1;
    if (r->p->unit == CAIRN_UNIT_LINEAR) return activation;
    if (r->p->unit == CAIRN_UNIT_THRESHOLD) return activation > zero ? 1 : low;
    const cairn_activated *f = &r->function;
    double output = cairn_activate(f, activation);
    *slope = cairn_activation_slope(f, activation, output);
    return output;
}

/* η (d − o), times the slope of the output, for every unit. */
static void judge_difference(const run *r, const cairn_example *e, cairn_visit *v)
{
    double low = r->p->truth ? 0 : -1, slope;
    double eta = r->p->update == CAIRN_PERCEPTRON_DIFFERENCE ? 1 : r->p->eta;
    v->changes = false;
    for (size_t k = 0; k < r->m->n_vectors; k++) {
        v->wanted[k] = k == e->place ? 1 : low;
        v->outputs[k] = put_out(r, v->activations[k], &slope);
        v->factors[k] = eta * (v->wanted[k] - v->outputs[k]) * slope;
        v->changes = v->changes || v->factors[k] != 0;
    }
}

/* Mean |d − o| of the units; of one against the best other it is 2 for a mistake. */
static double error_of(const run *r, const cairn_visit *v)
{
    double sum = 0;
    size_t nv = r->m->n_vectors;
    if (nv > 1 && r->p->update == CAIRN_PERCEPTRON_MISTAKE) return v->changes ? 2 : 0;
    for (size_t k = 0; k < nv; k++) sum += fabs(v->wanted[k] - v->outputs[k]);
    return sum / (double)nv;
}

/* The changes that have waited are made; they count for the mean from this visit on. */
static void apply_sum(run *r)
{
    size_t n = (r->m->n_terms + 1) * r->m->n_vectors;
    double *w = r->m->weights;
    if (!r->sum) return;
    for (size_t i = 0; i < n; i++) {
        w[i] += r->sum[i];
        if (r->late) r->late[i] += (r->visits - 1) * r->sum[i];
        if (fabs(w[i]) > r->largest) r->largest = fabs(w[i]);
    }
    memset(r->sum, 0, n * sizeof *r->sum);
}

/* Where changes wait for the end of a batch they go to the sum, otherwise to the weights; for an
 * average also, times the visits before, to `late`. */
static void visit_row(run *r, const cairn_example *e)
{
    cairn_visit *v = &r->visit;
    activate(r, e, v->activations);
    if (r->p->update == CAIRN_PERCEPTRON_MISTAKE)
        judge_mistake(r, e, v);
    else
        judge_difference(r, e, v);
    r->visits++;
    for (size_t k = 0; v->changes && k < r->m->n_vectors; k++) {
        double factor = e->weight * v->factors[k];
        if (factor == 0) continue;
        add_row(r, e, k, factor, r->sum ? r->sum : r->m->weights);
        if (r->sum) continue;
        if (r->late) add_row(r, e, k, (r->visits - 1) * factor, r->late);
        /* The largest weight may have grown where row e changed vector k. */
        const double *w = r->m->weights;
        size_t nv = r->m->n_vectors;
        for (size_t j = 0; j < e->n; j++) {
            double size = fabs(w[(e->terms ? (size_t)e->terms[j] : j) * nv + k]);
            if (size > r->largest) r->largest = size;
        }
        r->largest = fmax(r->largest, fabs(w[r->m->n_terms * nv + k]));
    }
}

/* -- epochs -- */

/* The rows of the next epoch in their order. */
static void arrange(run *r)
{
    size_t n = r->n_visits;
    const cairn_view *view = r->job->view;
    bool drawn = r->p->protocol == CAIRN_PROTOCOL_RANDOM;
    r->n_loaded = 0;
    if (!r->order || (!drawn && r->p->order == ORDER_GIVEN)) return;
    for (size_t i = 0; drawn && i < n; i++)
        r->order[i] = (uint32_t)cairn_random_below(&r->random, n);
    for (size_t i = n; !drawn && i > 1; i--) {
        size_t j = (size_t)cairn_random_below(&r->random, i);
        uint32_t other = r->order[j];
        r->order[j] = r->order[i - 1];
        r->order[i - 1] = other;
    }
    for (size_t i = 0; i < n; i++) r->rows[i] = (uint32_t)cairn_view_row(view, r->order[i]);
}

/* Mean error of the outputs and the number of rows that changed something. */
static cairn_status run_epoch(cairn_context *ctx, run *r, size_t epoch, double *error,
                              double *changes)
{
    double sum = 0, total = 0;
    size_t batch = r->p->update == CAIRN_PERCEPTRON_DELTA ? (size_t)r->p->batch_size : r->n_visits;
    size_t often = CANCEL_ROWS / r->m->n_vectors + 1; /* a row is as long as there are classes */
    *changes = 0;
    arrange(r);
    cairn_perceptron_trace_epoch(&r->trace, epoch);
    for (size_t i = 0; i < r->n_visits; i++) {
        if (i % often == 0) CHECK(cairn_tick(ctx, NULL, 0, 0));
        cairn_example e = take_example(r, i);
        size_t term, vector;
        if (r->trace.open) {
            for (size_t j = 0; shown_weight(r->trace.m, j, &term, &vector); j++)
                r->trace.before[j] = r->trace.m->weights[term * r->trace.m->n_vectors + vector];
        }
        visit_row(r, &e);
        sum += e.weight * error_of(r, &r->visit);
        total += e.weight;
        *changes += r->visit.changes && e.weight > 0;
        if ((i + 1) % batch == 0 || i + 1 == r->n_visits) apply_sum(r);
        cairn_perceptron_trace_visit(&r->trace, epoch, i + 1, &e, &r->visit, !r->sum);
    }
    *error = total > 0 ? sum / total : 0;
    cairn_perceptron_trace_end(&r->trace, epoch, *error, *changes);
    return CAIRN_OK;
}

/* Whether no row at all would change the weights; the order of rows is arranged anew afterwards. */
static bool is_at_rest(run *r)
{
    r->n_loaded = 0;
    for (size_t i = 0; i < r->n_visits; i++) {
        r->order[i] = (uint32_t)i;
        r->rows[i] = (uint32_t)cairn_view_row(r->job->view, i);
    }
    for (size_t i = 0; i < r->n_visits; i++) {
        cairn_example e = take_example(r, i);
        activate(r, &e, r->visit.activations);
        if (r->p->update == CAIRN_PERCEPTRON_MISTAKE)
            judge_mistake(r, &e, &r->visit);
        else
            judge_difference(r, &e, &r->visit);
        if (r->visit.changes && e.weight > 0) return false;
    }
    return true;
}

/* Whether this epoch was the last, and why. Rows that are drawn may leave out those that would
 * change something. */
static cairn_perceptron_stop stop_after(run *r, double error, double changes)
{
    size_t n = (r->m->n_terms + 1) * r->m->n_vectors;
    bool drawn = r->p->protocol == CAIRN_PROTOCOL_RANDOM;
    double most = 0;
    if (changes == 0 && (!drawn || is_at_rest(r))) return CAIRN_PERCEPTRON_STOP_SWEEP;
    if (changes == 0) return CAIRN_PERCEPTRON_STOP_LIMIT;
    if (error < r->p->gamma) return CAIRN_PERCEPTRON_STOP_ERROR;
    if (!is_smooth(r->p)) return CAIRN_PERCEPTRON_STOP_LIMIT;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(r->m->weights[i] - r->before[i]));
    return most <= r->p->tolerance * r->largest ? CAIRN_PERCEPTRON_STOP_CHANGE
                                                : CAIRN_PERCEPTRON_STOP_LIMIT;
}

/* Weights that are no numbers: name the epoch and the largest number, which takes the largest
 * steps. */
static cairn_status check_growth(cairn_context *ctx, const run *r, size_t epoch)
{
    char message[256];
    size_t n = (r->m->n_terms + 1) * r->m->n_vectors, i = 0;
    while (i < n && isfinite(r->m->weights[i])) i++;
    if (i == n) return CAIRN_OK;
    snprintf(message, sizeof message,
             "the weights grew beyond all numbers in epoch %zu; the largest number is %%s: bring "
             "the columns to one scale ({with scale:max-abs}), or lower {eta}",
             epoch);
    return cairn_matrix_refuse(ctx, &r->x, cairn_say(ctx, message));
}

/* Epoch after epoch until one of the rules ends it. */
static cairn_status train(cairn_context *ctx, run *r, cairn_perceptron_history *history)
{
    bool once = r->p->protocol == CAIRN_PROTOCOL_ONLINE;
    size_t most = once ? 1 : (size_t)r->p->epochs, buffer = 0, room2 = 0;
    size_t n = (r->m->n_terms + 1) * r->m->n_vectors;
    if (r->m->n_vectors > MANY_CLASSES)
        CHECK(cairn_need_work(ctx, (double)most * (double)r->x.n * (double)n,
                              "comparing every row with every class in every epoch",
                              CAIRN_FEWER_CLASSES));
    for (size_t epoch = 1; epoch <= most && history->stop == CAIRN_PERCEPTRON_STOP_LIMIT; epoch++) {
        double error, changes;
        CHECK(cairn_tick(ctx, "epochs", (double)epoch - 1, (double)most));
        if (r->before) memcpy(r->before, r->m->weights, n * sizeof *r->before);
        CHECK(run_epoch(ctx, r, epoch, &error, &changes));
        CHECK(check_growth(ctx, r, epoch));
        CHECK(GROW(ctx, &history->errors, &buffer, epoch));
        CHECK(GROW(ctx, &history->changes, &room2, epoch));
        history->errors[epoch - 1] = error;
        history->changes[epoch - 1] = changes;
        history->updates += changes;
        history->n_epochs = epoch;
        history->stop = stop_after(r, error, changes);
    }
    if (once && history->stop == CAIRN_PERCEPTRON_STOP_LIMIT) return CAIRN_OK;
    if (history->stop == CAIRN_PERCEPTRON_STOP_LIMIT)
        cairn_warn(ctx,
                   "the perceptron did not converge in %zu epoch%s: the last one still changed the "
                   "weights %zu times; raise {epochs}, or take the mean ({average}) if no "
                   "plane separates the classes",
                   history->n_epochs, history->n_epochs == 1 ? "" : "s",
                   history->changes ? (size_t)history->changes[history->n_epochs - 1] : 0);
    return CAIRN_OK;
}

/* -- starting and ending -- */

/* Without an intercept the place of the constant stays 0 even with random weights. */
static cairn_status start_weights(cairn_context *ctx, run *r)
{
    size_t n = (r->m->n_terms + 1) * r->m->n_vectors;
    if (!r->m->intercept) n -= r->m->n_vectors;
    if (r->p->init == INIT_BASIC) {
        /* Means of the classes as in the basic linear classifier: of two classes their
         * difference, of more every mean, with the threshold halfway. */
        size_t p = r->m->n_terms, nv = r->m->n_vectors;
        double *w = r->m->weights;
        cairn_class_sums sums;
        CHECK(cairn_class_sums_of(ctx, &sums, r->job->view, r->places, r->m->n_present,
                                  CAIRN_CLASS_MEANS));
        for (size_t t = 0; t < p; t++)
            for (size_t k = 0; k < sums.n_classes; k++) {
                double mean = sums.means[k * p + t], side = nv > 1 || k == 0 ? 1 : -1;
                w[t * nv + (nv > 1 ? k : 0)] += side * mean;
                if (r->m->intercept) w[p * nv + (nv > 1 ? k : 0)] -= side * mean * mean / 2;
            }
    }
    for (size_t i = 0; r->p->init == INIT_RANDOM && i < n; i++)
        r->m->weights[i] = r->p->spread * (2 * cairn_random_uniform(&r->random) - 1);
    for (size_t i = 0; i < n; i++) r->largest = fmax(r->largest, fabs(r->m->weights[i]));
    return CAIRN_OK;
}

/* The rows in another order than their own are another view of the table. */
static cairn_status open_order(cairn_context *ctx, run *r)
{
    const cairn_view *view = r->job->view;
    bool drawn = r->p->protocol == CAIRN_PROTOCOL_RANDOM, given = r->p->order == ORDER_GIVEN;
    r->n_visits = view->rows.n;
    if (!drawn && r->p->order == ORDER_ROWS) return CAIRN_OK;
    if (given && !drawn) {
        cairn_status status =
            cairn_row_list(ctx, &r->order, &r->n_visits, r->p->visit, view->rows.n);
        if (status == CAIRN_NO_MEMORY) return status;
        if (status) {
            cairn_message_prefix(ctx, "{visit}");
            return status;
        }
    } else {
        CHECK(SCRATCH(ctx, &r->order, r->n_visits + 1));
        for (size_t i = 0; i < r->n_visits; i++) r->order[i] = (uint32_t)i;
    }
    CHECK(SCRATCH(ctx, &r->rows, r->n_visits + 1));
    for (size_t i = 0; i < r->n_visits; i++)
        r->rows[i] = (uint32_t)cairn_view_row(view, r->order[i]);
    cairn_row_matrix all = r->x;
    return cairn_matrix_part(ctx, &r->x, &r->view, &all, r->rows, r->n_visits);
}

/* Only what the update rule and the kind of columns need is opened. */
static cairn_status open_buffer(cairn_context *ctx, run *r)
{
    size_t n = cairn_product(r->m->n_terms + 1, r->m->n_vectors), p = r->x.n_dense;
    bool waits = r->p->update == CAIRN_PERCEPTRON_BATCH ||
                 (r->p->update == CAIRN_PERCEPTRON_DELTA && r->p->batch_size > 1);
    size_t nv = r->m->n_vectors;
    r->piece = MOST_NUMBERS / (p + 1) < 1 ? 1 : MOST_NUMBERS / (p + 1);
    if (r->piece > CAIRN_PIECE_ROWS) r->piece = CAIRN_PIECE_ROWS;
    if (waits) CHECK(SCRATCH(ctx, &r->sum, n));
    if (r->p->average) CHECK(SCRATCH(ctx, &r->late, n));
    if (is_smooth(r->p)) CHECK(SCRATCH(ctx, &r->before, n));
    if (r->x.n_bags) CHECK(SCRATCH(ctx, &r->entries, r->x.n_terms + 1));
    if (r->x.n_bags) CHECK(SCRATCH(ctx, &r->terms, r->x.n_terms + 1));
    if (r->x.n_bags) CHECK(SCRATCH(ctx, &r->values, r->x.n_terms + 1));
    if (r->x.n_bags == 1 && r->x.n_dense == 0) r->bag = r->x.bags[0];
    for (size_t t = 0; r->bag && t <= r->x.n_terms; t++) r->values[t] = 1; /* without amounts */
    if (!r->x.n_bags) CHECK(SCRATCH_RAW(ctx, &r->z, cairn_product(r->piece, p) + 1));
    CHECK(SCRATCH_EACH(ctx, nv, &r->visit.activations, &r->visit.outputs, &r->visit.wanted));
    return SCRATCH(ctx, &r->visit.factors, nv);
}

static cairn_status open_run(cairn_context *ctx, run *r, cairn_class_planes *m,
                             const cairn_job *job)
{
    const cairn_perceptron_params *p = job->params;
    cairn_matrix_options options = {.apart = true};
    const int32_t *classes;
    size_t n;
    r->p = p;
    r->job = job;
    r->m = m;
    r->function = cairn_activation_named(p->truth ? "sigmoid" : "th");
    CHECK(cairn_class_planes_classes(ctx, &classes, &n, job, false));
    CHECK(cairn_class_planes_new(ctx, m, job, classes, n, false,
                                 p->planes.intercept != CAIRN_PLANE_NONE));
    CHECK(SCRATCH(ctx, &r->places, job->n_classes + 1));
    for (size_t k = 0; k < n; k++) r->places[classes[k]] = (int32_t)k;
    CHECK(cairn_matrix_open(ctx, &r->x, job->view, &options));
    cairn_random_start(&r->random, cairn_context_seed(ctx), 0);
    CHECK(open_order(ctx, r));
    CHECK(open_buffer(ctx, r));
    r->trace = (cairn_perceptron_trace){.steps = job->steps, .m = m, .job = job};
    r->trace.lines = cairn_text_start(ctx);
    if (!job->steps) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &r->trace.before, SHOWN_WEIGHTS));
    return cairn_term_names(ctx, &r->trace.names, job->schema);
}

static void close_run(run *r)
{
    cairn_report_failed(r->trace.steps, cairn_text_status(&r->trace.lines));
    cairn_text_clear(&r->trace.lines);
}

static cairn_status fit_both(cairn_context *ctx, cairn_class_planes *m,
                             cairn_perceptron_history *history, const cairn_job *job)
{
    SCOPED(close_run) run r = {.trace.lines = cairn_text_start(ctx)};
    CHECK(open_run(ctx, &r, m, job));
    CHECK(start_weights(ctx, &r));
    CHECK(train(ctx, &r, history));
    size_t n = (m->n_terms + 1) * m->n_vectors;
    for (size_t i = 0; r.late && i < n; i++) m->weights[i] -= r.late[i] / r.visits;
    CHECK(cairn_class_planes_check_finite(ctx, m, job->view));
    return cairn_class_planes_judge(ctx, &history->tally, m, job,
                                    (cairn_at_zero)r.p->planes.at_zero);
}

static cairn_status perceptron_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    cairn_perceptron_history own = {0};
    cairn_status status = fit_both(ctx, model, job->history ? job->history : &own, job);
    cairn_perceptron_histories.clear(&own);
    return status;
}

/* Weights that are given are judged on the rows and otherwise left alone. */
static cairn_status perceptron_read(cairn_context *ctx, void *model, const cairn_job *job,
                                    const cairn_given *given)
{
    const cairn_perceptron_params *p = job->params;
    cairn_perceptron_history own = {0}, *history = job->history ? job->history : &own;
    cairn_status status =
        cairn_class_planes_read(ctx, model, job, given, p->planes.intercept != CAIRN_PLANE_NONE);
    history->stop = CAIRN_PERCEPTRON_STOP_SWEEP;
    if (!status)
        status = cairn_class_planes_judge(ctx, &history->tally, model, job,
                                          (cairn_at_zero)p->planes.at_zero);
    cairn_perceptron_histories.clear(&own);
    return status;
}

const cairn_learner cairn_perceptron = {
    .entry =
        {
            .kind = CAIRN_ENTRY_LEARNER,
            .name = "perceptron",
            .also = "linear unit, adaline (update=delta,unit=linear), delta rule (update=delta), "
                    "averaged perceptron (average=yes), linear threshold unit",
            .title = "Perceptron",
            .summary =
                "Finds a plane between two classes by visiting the rows one after the other: a "
                "row on the wrong side moves the plane towards it. The rules w += η y x, "
                "w += (d − o) x and w += η (d − o) x, of a threshold, a linear or a sigmoid unit "
                "(the delta rule), after every row, every few or every epoch; the averaged "
                "perceptron; many classes by one "
                "vector of weights each. The steps show every visit with its activation, its "
                "output and the weights after it. It ends after an epoch without a change, and "
                "says so if it does not get there.",
            .references = "Rosenblatt, The perceptron (1958); Widrow and Hoff, Adaptive switching "
                          "circuits (1960); Freund and Schapire, Large margin classification "
                          "using the perceptron algorithm (1999)",
            .example = "cairn fit perceptron @fisher-points --steps",
            .params = perceptron_parameters,
            .params_size = sizeof(cairn_perceptron_params),
            .check = perceptron_check,
        },
    CAIRN_CLASS_PLANES_RECORD,
    .space = "epochs=10,100\n"
             "average=no,yes",
    .claims = 0,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_GEOMETRIC | CAIRN_GRADING,
    .history = &cairn_perceptron_histories,
    .fit = perceptron_fit,
    .read = perceptron_read,
    .lower = cairn_class_planes_lower,
    .predict = cairn_class_planes_predict,
    .describe = cairn_perceptron_describe,
};
