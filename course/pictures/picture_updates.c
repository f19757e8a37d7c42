/* SPDX-License-Identifier: MIT */
/* cairn draw updates: the line of a perceptron after each change of its weights, with the example
 * that made it. The perceptron itself is asked: it is fitted to the first visit, the first two
 * visits and so on, and its history says which of them changed the weights. One perceptron is a
 * panel for each change; several (of other rates or orders) are a panel each with all their lines,
 * the last one strong. */
#include "pictures/scatter_lines.h"
#include "pictures/slice.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "learners/linear/perceptron.h"
#include "plots/number_line.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_VISITS = 2000, MOST_FITS = 12 };

typedef struct updates_params {
    const char *x, *y, *fit;
    int marks;
    int64_t most, epochs, columns;
} updates_params;

static const cairn_param updates_table[] = {
    {.name = "fit",
     .names = "learner",
     .type = CAIRN_TYPE_SPEC,
     .offset = offsetof(updates_params, fit),
     .initial = "perceptron",
     .help = "the perceptron, such as perceptron:eta=0.2; several are drawn side by side",
     .often = true,
     .repeated = true},
    CAIRN_PARAM_AS(updates_params, x, CAIRN_TYPE_COLUMNS, NULL,
                   "column along the horizontal axis; the first number column if not given"),
    CAIRN_PARAM_AS(updates_params, y, CAIRN_TYPE_COLUMNS, NULL,
                   "column along the vertical axis; the second number column if not given"),
    CAIRN_PARAM_CHOICE(updates_params, marks, "signs", cairn_marking_choices,
                       "how the two classes are marked"),
    CAIRN_PARAM(updates_params, most, "12", "[1,60]", "changes that are drawn at most"),
    CAIRN_PARAM(updates_params, epochs, "10", "[1,100]", "epochs that are followed at most"),
    CAIRN_PARAM(updates_params, columns, "4", "[1,20]", "panels in a row"),
    CAIRN_PARAM_END,
};

/* One change: the row that made it and the line after it. */
typedef struct change {
    size_t row;
    cairn_typed_line line;
    char name[48];
} change;

typedef struct follow {
    cairn_context *ctx;
    const updates_params *p;
    const cairn_table *table;
    cairn_table *own; /* with the two columns as its features; owned */
    size_t at[2];
    cairn_groups groups;
    cairn_window_box window;
    change *changes; /* p->most */
    size_t n;
    bool ends; /* an epoch changed nothing */
} follow;

static void clear_follow(follow *f)
{
    cairn_table_free(f->own);
}

/* Rows in their order again and again, as --visit takes them: "1-4,1-4,1-2". */
static cairn_status visits_text(cairn_text *out, size_t n_rows, size_t visits)
{
    for (size_t left = visits; left > 0;) {
        size_t n = left < n_rows ? left : n_rows;
        cairn_text_addf(out, "%s1-%zu", left < visits ? "," : "", n);
        left -= n;
    }
    return cairn_text_status(out);
}

/* The perceptron after so many visits, which is not told of as one that stops too early. */
static cairn_status fit_visits(follow *f, cairn_model **out, const char *spec, size_t visits)
{
    OWNED(cairn_params_free) cairn_params *params = NULL;
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(f->ctx);
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    CHECK(visits_text(&text, f->table->n_rows, visits));
    CHECK(cairn_params_from_spec(f->ctx, &params, CAIRN_ENTRY_LEARNER, spec));
    if (!cairn_same(params->entry->name, "perceptron"))
        return cairn_fail(f->ctx, CAIRN_USAGE, "{fit %s}: only a perceptron tells of its changes",
                          spec);
    CHECK(cairn_params_set(f->ctx, params, "order", "given"));
    CHECK(cairn_params_set(f->ctx, params, "visit", cairn_text_string(&text)));
    CHECK(cairn_params_set(f->ctx, params, "epochs", "1"));
    cairn_log_function log = f->ctx->log;
    f->ctx->log = NULL;
    cairn_status status = cairn_model_fit(f->ctx, out, params, f->own, &options);
    f->ctx->log = log;
    return status;
}

/* Visit by visit until an epoch passes without a change, or enough is seen. */
static cairn_status follow_fit(follow *f, const char *spec)
{
    size_t n = f->table->n_rows, quiet = 0;
    double seen = 0;
    f->n = 0;
    f->ends = false;
    if (n == 0 || n > MOST_VISITS)
        return cairn_fail(f->ctx, CAIRN_BAD_DATA, "%zu rows; from 1 to %d can be followed", n,
                          MOST_VISITS);
    CHECK(SCRATCH(f->ctx, &f->changes, (size_t)f->p->most));
    for (size_t visit = 1; visit <= n * (size_t)f->p->epochs && visit <= MOST_VISITS; visit++) {
        SCOPED_SCRATCH(f->ctx);
        OWNED(cairn_model_free) cairn_model *model = NULL;
        CHECK(fit_visits(f, &model, spec, visit));
        const cairn_perceptron_history *history = model->history;
        double changes = history && history->n_epochs ? history->changes[0] : seen;
        bool changed = changes > seen;
        seen = changes;
        quiet = changed ? 0 : quiet + 1;
        if (changed) {
            const cairn_class_planes *m = model->state;
            if (m->n_vectors != 1 || m->n_terms != 2)
                return cairn_fail(
                    f->ctx, CAIRN_BAD_DATA,
                    "lines are drawn for two classes and two columns, not for %zu classes",
                    m->n_present);
            change *c = &f->changes[f->n++];
            c->row = f->table->n_rows ? (visit - 1) % f->table->n_rows : 0;
            snprintf(c->name, sizeof c->name, "change %zu: row %zu", f->n, c->row + 1);
            c->line = (cairn_typed_line){c->name, {m->weights[0], m->weights[1]}, -m->weights[2]};
        }
        f->ends = quiet >= n;
        if (f->ends || f->n == (size_t)f->p->most) return CAIRN_OK;
    }
    return CAIRN_OK;
}

/* -- drawing -- */

static void find_window(follow *f)
{
    for (int axis = 0; axis < 2; axis++) {
        const double *values = cairn_table_numbers(f->table, f->at[axis]);
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < f->table->n_rows; i++)
            if (isfinite(values[i])) low = fmin(low, values[i]), high = fmax(high, values[i]);
        double pad = high > low ? 0.3 * (high - low) : 1;
        f->window.low[axis] = low - pad;
        f->window.high[axis] = high + pad;
    }
}

static cairn_status start_panel(follow *f, cairn_figure **out, const char *title)
{
    const cairn_table *t = f->table;
    CHECK(cairn_figure_new(f->ctx, out, "update", title));
    cairn_figure_size(*out, 250, 240);
    cairn_figure_axes(*out, t->slots[f->at[0]].name, t->slots[f->at[1]].name);
    cairn_figure_x_range(*out, f->window.low[0], f->window.high[0]);
    cairn_figure_y_range(*out, f->window.low[1], f->window.high[1]);
    cairn_figure_marking(*out, (cairn_marking)f->p->marks);
    cairn_figure_points(*out, cairn_table_numbers(t, f->at[0]), cairn_table_numbers(t, f->at[1]),
                        f->groups.codes, t->n_rows, NULL, 0);
    return CAIRN_OK;
}

static bool draw_line(const follow *f, cairn_figure *panel, const change *c, bool strong)
{
    cairn_typed_line line = c->line;
    line.name = NULL;
    return cairn_line_draw(panel, &line, &f->window, !strong);
}

/* A panel for each change: the line before it dashed, the one after it solid. */
static cairn_status draw_changes(follow *f, cairn_figure *all)
{
    for (size_t i = 0; i < f->n; i++) {
        cairn_figure *panel = NULL;
        CHECK(start_panel(f, &panel, f->changes[i].name));
        if (i) (void)draw_line(f, panel, &f->changes[i - 1], false);
        if (!draw_line(f, panel, &f->changes[i], true)) {
            char title[80];
            snprintf(title, sizeof title, "%s, line outside", f->changes[i].name);
            cairn_figure_retitle(panel, title);
        }
        const change *c = &f->changes[i];
        cairn_figure_mark(panel, NULL, cairn_table_numbers(f->table, f->at[0])[c->row],
                          cairn_table_numbers(f->table, f->at[1])[c->row]);
        cairn_figure_panel(all, panel);
    }
    return CAIRN_OK;
}

/* One panel for the whole of one perceptron. */
static cairn_status draw_whole(follow *f, cairn_figure *all, const char *spec)
{
    cairn_figure *panel = NULL;
    char title[200];
    snprintf(title, sizeof title, "%.120s: %zu change%s%s", spec, f->n, f->n == 1 ? "" : "s",
             f->ends ? "" : ", not ended");
    CHECK(start_panel(f, &panel, title));
    for (size_t i = 0; i < f->n; i++) (void)draw_line(f, panel, &f->changes[i], i + 1 == f->n);
    cairn_figure_panel(all, panel);
    return CAIRN_OK;
}

/* One perceptron is drawn change by change; of several each gets one panel of its whole course. */
static cairn_status updates_draw(cairn_context *ctx, cairn_figure **out,
                                 const cairn_compute_job *job)
{
    const updates_params *p = job->params;
    SCOPED(clear_follow) follow f = {.ctx = ctx, .p = p, .table = job->table};
    const char *const *specs;
    size_t n = 0;
    CHECK(cairn_list_lines(ctx, p->fit, &specs));
    while (specs[n]) n++;
    if (n > MOST_FITS)
        return cairn_fail(ctx, CAIRN_USAGE, "{fit}: at most %d perceptrons", MOST_FITS);
    CHECK(cairn_picture_pair(ctx, f.at, job->table, p->x, p->y));
    CHECK(cairn_picture_groups(ctx, &f.groups, job->table, NULL));
    CHECK(cairn_slice_table(ctx, &f.own, job->table, f.at[0], f.at[1]));
    find_window(&f);
    CHECK(cairn_picture_new(ctx, out, "updates", job->table, "The line after each change"));
    for (size_t i = 0; i < n; i++) {
        CHECK(follow_fit(&f, specs[i]));
        if (f.n == 0)
            return cairn_fail(ctx, CAIRN_BAD_DATA, "'%s' does not change its weights on these rows",
                              specs[i]);
        CHECK(n == 1 ? draw_changes(&f, *out) : draw_whole(&f, *out, specs[i]));
    }
    cairn_figure_columns(*out, (size_t)p->columns);
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_updates = {
    .picture =
        {.kind = CAIRN_ENTRY_PICTURE,
         .name = "updates",
         .also = "perceptron updates, perceptron training, boundary after each update",
         .title = "The line of a perceptron after each change",
         .summary =
             "Follows a perceptron through its visits of two classes and two columns: a panel for "
             "each change of the weights, with the line before it dashed, the line after it "
             "solid, and the example that made it in a ring. Several perceptrons, of other "
             "learning rates or rules, are a panel each.",
         .example = "cairn draw updates @fisher-points --out updates.svg",
         .params = updates_table,
         .params_size = sizeof(updates_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .draw = updates_draw,
};
