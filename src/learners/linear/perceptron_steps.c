/* SPDX-License-Identifier: MIT */
/* What is shown of a perceptron: every visit of an example, the course of the errors, the plane. */
#include "base/memory.h"
#include "learners/linear/perceptron.h"
#include <math.h>
#include <string.h>

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

cairn_status cairn_perceptron_trace_start(cairn_context *ctx, cairn_perceptron_trace *out,
                                          const cairn_class_planes *m, const cairn_job *job)
{
    *out = (cairn_perceptron_trace){.steps = job->steps, .m = m, .job = job};
    out->lines = cairn_text_start(ctx);
    if (!job->steps) return CAIRN_OK;
    CHECK(SCRATCH(ctx, &out->before, SHOWN_WEIGHTS));
    return cairn_term_names(ctx, &out->names, job->schema);
}

void cairn_perceptron_trace_clear(cairn_perceptron_trace *trace)
{
    cairn_report_failed(trace->steps, cairn_text_status(&trace->lines));
    cairn_text_clear(&trace->lines);
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

void cairn_perceptron_trace_epoch(cairn_perceptron_trace *s, size_t epoch)
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

void cairn_perceptron_trace_before(cairn_perceptron_trace *s)
{
    size_t term, vector;
    if (!s->open) return;
    for (size_t j = 0; shown_weight(s->m, j, &term, &vector); j++)
        s->before[j] = s->m->weights[term * s->m->n_vectors + vector];
}

static double value_of(const cairn_example *e, size_t term)
{
    if (!e->terms) return term < e->n ? e->values[term] : 1;
    for (size_t j = 0; j < e->n; j++)
        if ((size_t)e->terms[j] == term) return e->values[j];
    return 0;
}

/* "(1, −2, 0.5)" of the weights before (0), the row (1) or the weights now (2), for one vector. */
static void add_vector(cairn_perceptron_trace *s, const cairn_example *e, size_t k, int which)
{
    size_t term, vector, n = 0;
    cairn_text_add_char(&s->lines, '(');
    for (size_t j = 0; shown_weight(s->m, j, &term, &vector); j++) {
        if (vector != k) continue;
        double x = which == 0              ? s->before[j]
                   : which == 2            ? s->m->weights[term * s->m->n_vectors + vector]
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
    if (s->m->n_terms + 1 > SHOWN_WEIGHTS || s->n_lines >= SHOWN_LINES || v->factors[k] == 0)
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
        double w = s->m->weights[term * s->m->n_vectors + vector];
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

void cairn_perceptron_trace_visit(cairn_perceptron_trace *s, size_t epoch, size_t number,
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
    cairn_report_cellf(s->steps, "%zu", number);
    cairn_report_cellf(s->steps, "%zu", row);
    cairn_report_cell(s->steps, cairn_class_planes_class(s->m, s->job, e->place));
    show_numbers(s, v->activations, epoch, number, "activation");
    show_numbers(s, v->outputs, epoch, number, "output");
    show_numbers(s, v->wanted, epoch, number, "wanted");
    cairn_report_cell(s->steps, changed ? "yes" : "no");
    show_weights(s, epoch, number, changed);
    for (size_t k = 0; changed && at_once && k < s->m->n_vectors; k++) add_line(s, number, e, v, k);
}

void cairn_perceptron_trace_end(cairn_perceptron_trace *s, size_t epoch, double error,
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

static void show_course(cairn_report *out, const cairn_perceptron_account *account)
{
    cairn_report_table_of(out, "Errors by epoch", 0, "rrr", "epoch", "mean |d − o|", "changes");
    for (size_t i = 0; i < account->n_epochs; i++) {
        cairn_report_cell_number(out, (double)i + 1, 6, NULL);
        cairn_report_cell_number(out, account->errors[i], 6, "error.epoch%zu", i + 1);
        cairn_report_cell_number(out, account->changes[i], 6, "changes.epoch%zu", i + 1);
    }
    cairn_report_table_end(out);
}

static cairn_status draw_course(cairn_context *ctx, cairn_report *out,
                                const cairn_perceptron_account *account)
{
    cairn_figure *figure = NULL;
    double *x;
    SCOPED_SCRATCH(ctx);
    CHECK(SCRATCH(ctx, &x, account->n_epochs + 1));
    for (size_t i = 0; i < account->n_epochs; i++) x[i] = (double)i + 1;
    CHECK(cairn_figure_new(ctx, &figure, "training", "Error per epoch"));
    cairn_figure_axes(figure, "epoch", "mean |d − o|");
    cairn_figure_line(figure, NULL, x, account->errors, account->n_epochs);
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

void cairn_perceptron_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const cairn_perceptron_account *account = job->account;
    const cairn_perceptron_params *p = job->params;
    cairn_report_heading(out, 2, "Perceptron");
    cairn_class_planes_show(out, model, job, (cairn_plane_side)p->planes.intercept,
                            account ? &account->tally : NULL);
    if (!account || !account->n_epochs) return;
    bool limit = account->stop == CAIRN_PERCEPTRON_STOP_LIMIT;
    cairn_report_value(out, "epochs", (double)account->n_epochs, "epochs");
    cairn_report_value(out, "changes", account->updates, "updates");
    cairn_report_word(out, "ended by", stop_word(account->stop), "stop");
    cairn_report_hidden(out, limit ? 0 : 1, "converged");
    if (limit)
        cairn_report_note(out, "It did not converge: the last epoch still changed the weights.");
    show_course(out, account);
    if (account->n_epochs > 1)
        cairn_report_failed(out, draw_course(cairn_report_context(out), out, account));
}

/* -- the account in the model file -- */

static cairn_status archive_account(cairn_archive *a, void *data, const void *model)
{
    cairn_perceptron_account *account = data;
    CHECK(cairn_archive_size(a, "n_epochs", &account->n_epochs, 10000000));
    CHECK(cairn_archive_reals(a, "errors", &account->errors, account->n_epochs));
    CHECK(cairn_archive_reals(a, "changes", &account->changes, account->n_epochs));
    CHECK(cairn_archive_real(a, "updates", &account->updates));
    CHECK(cairn_archive_int(a, "stop", &account->stop));
    return cairn_class_planes_tally_archive(a, &account->tally, model);
}

static void clear_account(void *data)
{
    cairn_perceptron_account *account = data;
    cairn_free(account->errors);
    cairn_free(account->changes);
    cairn_free(account->tally.distances);
    *account = (cairn_perceptron_account){0};
}

const cairn_account cairn_perceptron_accounts = {
    .size = sizeof(cairn_perceptron_account),
    .reports = CAIRN_REPORTS_ACCURACY,
    .archive = archive_account,
    .clear = clear_account,
};
