/* SPDX-License-Identifier: MIT */
/* Self-training: a learner teaches itself from rows without labels.
 *
 * Problem: few rows have a label, many have none, and these tell where rows lie.
 *
 * Method:
 * 1. The wrapped learner is fitted to the labelled rows.
 * 2. It answers the rows without a label. Those whose best score is at least `confidence` take that
 *    class as their label, all of them or the `most` surest of a round; of equally sure ones the
 *    first rows.
 * 3. The learner is fitted to all rows that have a label now, those that it labelled itself with
 *    the weight `trust`, and step 2 is repeated until no row is sure enough or `rounds` have gone.
 *    A label that was taken is not taken back.
 *
 * Rows without a label are those whose target is missing in the table; the rows that an evaluation
 * holds out have one, so they are never learned from. An error that was taken for a label is
 * learned: the report says how many labels are the learner's own. Cost: a fit and a prediction for
 * every round.
 *
 * Source: Yarowsky, Unsupervised word sense disambiguation rivaling supervised methods (1995). */
#include "model/kept_parts.h"
#include "base/number.h"
#include "data/column.h"
#include "report/table_rows.h"
#include "wrappers/nested.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROUNDS = 1000 };

typedef struct self_params {
    cairn_wrapper_params wrapper;
    double confidence, trust;
    int rounds;
    int64_t most;
} self_params;

static const cairn_param self_param_table[] = {
    CAIRN_WRAPPER(self_params),
    CAIRN_PARAM(self_params, confidence, "0.9", "(0,1]",
                "least score of a class that is taken as a label"),
    CAIRN_PARAM(self_params, rounds, "10", "[1,1000]", "most rounds in which labels are taken"),
    CAIRN_PARAM(self_params, most, "0", "[0,inf)",
                "most labels of a round, the surest first; 0 = all that are sure enough"),
    CAIRN_PARAM(self_params, trust, "1", "(0,1]",
                "weight of a row that was labelled in this way; a labelled row has 1"),
    CAIRN_PARAM_END,
};

typedef struct self_model {
    double labelled, unlabelled; /* rows at the start */
    size_t n_rounds;
    double *taken; /* n_rounds: labels of each */
    cairn_model *base;
} self_model;

/* A row without a label, and what it is taken for. */
typedef struct candidate {
    uint32_t row;
    int32_t code;
    double score;
} candidate;

typedef struct self_work {
    const cairn_nested *nested;
    const cairn_job *job;
    cairn_column *labels; /* of the nested table, not shared */
    uint32_t *rows;       /* labelled ones first, then those that were taken */
    double *weights;      /* of these rows, beside the weight column */
    size_t n;
    uint32_t *waiting; /* rows without a label */
    size_t n_waiting;
    candidate *sure;
} self_work;

static cairn_status self_check(cairn_context *ctx, const void *values)
{
    const self_params *p = values;
    return cairn_wrapper_check(ctx, "self-training", &p->wrapper, NULL);
}

/* -- the rows -- */

static cairn_status list_rows(cairn_context *ctx, self_work *w)
{
    const cairn_view *view = w->job->view;
    size_t all = view->table->n_rows;
    CHECK(SCRATCH_EACH(ctx, view->rows.n + all + 1, &w->rows, &w->weights));
    CHECK(SCRATCH_EACH(ctx, all + 1, &w->waiting, &w->sure));
    for (size_t i = 0; i < view->rows.n; i++) {
        w->weights[w->n] = view->rows.weights ? view->rows.weights[i] : 1;
        w->rows[w->n++] = (uint32_t)cairn_view_row(view, i);
    }
    for (size_t i = 0; i < all; i++)
        if (view->target->codes[i] < 0) w->waiting[w->n_waiting++] = (uint32_t)i;
    return CAIRN_OK;
}

/* -- a round -- */

static int by_score(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->score != y->score) return x->score > y->score ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

static int by_row(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* The rows whose best class has enough of a score, in row order. */
static cairn_status find_sure(cairn_context *ctx, self_work *w, const cairn_model *model, size_t *n)
{
    const self_params *p = w->job->params;
    SCOPED(cairn_prediction_clear) cairn_prediction answer = {0};
    cairn_predict_wants wants = {.scores = true};
    cairn_match match = {0};
    cairn_rows rows = {w->waiting, w->n_waiting, NULL};
    size_t k = w->job->n_classes;
    *n = 0;
    CHECK(cairn_model_predict_rows(ctx, &answer, model, w->nested->table, rows, wants, &match));
    for (size_t i = 0; i < w->n_waiting; i++) {
        int32_t code = answer.codes[i];
        double score = code < 0 ? NAN : answer.scores[i * k + (size_t)code];
        if (score >= p->confidence) w->sure[(*n)++] = (candidate){w->waiting[i], code, score};
    }
    if (!p->most || *n <= (size_t)p->most) return CAIRN_OK;
    qsort(w->sure, *n, sizeof *w->sure, by_score);
    *n = (size_t)p->most;
    qsort(w->sure, *n, sizeof *w->sure, by_row);
    return CAIRN_OK;
}

/* The sure ones leave those that wait, both in row order. */
static void take_sure(self_work *w, size_t n)
{
    const self_params *p = w->job->params;
    size_t left = 0, at = 0;
    for (size_t i = 0; i < w->n_waiting; i++) {
        if (at == n || w->waiting[i] != w->sure[at].row) {
            w->waiting[left++] = w->waiting[i];
            continue;
        }
        w->labels->codes[w->sure[at].row] = w->sure[at].code;
        w->weights[w->n] = p->trust;
        w->rows[w->n++] = w->sure[at++].row;
    }
    w->n_waiting = left;
    w->labels->n_missing -= n;
}

/* How many rows of each class a round labelled. */
static void show_round(const self_work *w, const self_model *m, size_t n)
{
    cairn_report *out = w->job->steps;
    const cairn_map *names = &w->labels->names;
    if (!out) return;
    cairn_report_step_begin(out, "Round %zu: %zu of %zu rows are sure enough", m->n_rounds, n,
                            n + w->n_waiting);
    cairn_report_table_of(out, NULL, 0, "lr", "class", "rows that take it");
    for (size_t c = 0; c < w->job->n_classes; c++) {
        double rows = 0;
        for (size_t i = 0; i < n; i++) rows += (size_t)w->sure[i].code == c;
        const char *name = cairn_map_key(names, c);
        cairn_report_cell(out, name);
        cairn_report_cell_number(out, rows, 0, "round%zu.%s", m->n_rounds,
                                 cairn_report_key(out, name));
    }
    cairn_report_table_end(out);
    cairn_report_value(out, "rows still without a label", (double)w->n_waiting, "round%zu.left",
                       m->n_rounds);
    cairn_report_step_end(out);
}

/* -- the learner -- */

/* The first fit shows its steps like any base; later ones would repeat them. */
static cairn_status fit_base(cairn_context *ctx, self_model *m, const self_work *w)
{
    cairn_rows rows = {w->rows, w->n, w->weights};
    cairn_log_function log = ctx->log;
    if (!m->base) return cairn_nested_fit(ctx, &m->base, w->nested);
    cairn_model_free(m->base);
    m->base = NULL;
    ctx->log = NULL; /* what there is to warn of, the first fit said */
    cairn_status status = cairn_model_fit_rows(ctx, &m->base, w->nested->params, w->nested->table,
                                               rows, &w->nested->fit);
    ctx->log = log;
    return status;
}

/* Rounds end where no row is sure, none is left, or their number is reached. */
static cairn_status self_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    self_model *m = model;
    const self_params *p = job->params;
    SCOPED(cairn_nested_close) cairn_nested nested = {0};
    self_work w = {.nested = &nested, .job = job};
    size_t n = 1;
    CHECK(cairn_nested_open(ctx, &nested, "self-training", &p->wrapper, job, true));
    /* The target of the table that the base sees is a copy, into which labels are written. */
    const cairn_column *target = w.job->view->target;
    ptrdiff_t at = cairn_table_role_column(w.nested->table, CAIRN_TARGET);
    CHECK(cairn_column_new(ctx, &w.labels, CAIRN_LEVEL, target->n_rows));
    memcpy(w.labels->codes, target->codes, target->n_rows * sizeof *target->codes);
    cairn_table_replace_column(w.nested->table, (size_t)at, w.labels);
    w.labels->ordered = target->ordered;
    w.labels->declared = true;
    w.labels->n_missing = target->n_missing;
    CHECK(cairn_map_copy(ctx, &w.labels->names, &target->names));
    CHECK(list_rows(ctx, &w));
    CHECK(NEW(ctx, &m->taken, (size_t)p->rounds));
    m->labelled = (double)w.n;
    m->unlabelled = (double)w.n_waiting;
    if (!w.n_waiting)
        cairn_warn(ctx,
                   "every row has a known '%s', so there is nothing for self-training to "
                   "label: the model is that of %s alone",
                   job->view->target_name, nested.params->entry->name);
    CHECK(fit_base(ctx, m, &w));
    while (n > 0 && w.n_waiting && m->n_rounds < (size_t)p->rounds) {
        CHECK(cairn_tick(ctx, "rounds", (double)m->n_rounds, (double)p->rounds));
        CHECK(find_sure(ctx, &w, m->base, &n));
        if (!n) break;
        take_sure(&w, n);
        m->taken[m->n_rounds++] = (double)n;
        show_round(&w, m, n);
        CHECK(fit_base(ctx, m, &w));
    }
    return CAIRN_OK;
}

static cairn_status self_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                 const cairn_job *job)
{
    const self_model *m = model;
    SCOPED(cairn_prediction_clear) cairn_prediction base = {0};
    CHECK(cairn_nested_ask(ctx, &base, m->base, job, out->scores != NULL));
    memcpy(out->codes, base.codes, out->n_rows * sizeof *out->codes);
    out->codes_set = true;
    if (out->scores)
        memcpy(out->scores, base.scores, out->n_rows * job->n_classes * sizeof *out->scores);
    return CAIRN_OK;
}

static cairn_status self_lower(const void *model, const cairn_job *job, cairn_program *out)
{
    (void)job;
    return cairn_program_member(out, ((const self_model *)model)->base);
}

/* How many rows each round took, then the model of all of them. */
static void self_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    const self_model *m = model;
    double taken = 0;
    (void)job;
    cairn_report_heading(out, 2, "Labels that were learned");
    if (m->n_rounds)
        cairn_report_table_of(out, NULL, 0, "rrr", "round", "rows that took a label", "rows left");
    for (size_t i = 0; i < m->n_rounds; i++) {
        taken += m->taken[i];
        cairn_report_cells(out, "- taken$1", i + 1, m->taken[i], m->unlabelled - taken);
    }
    if (m->n_rounds) cairn_report_table_end(out);
    cairn_report_value(out, "rows with a label", m->labelled, "labelled");
    cairn_report_value(out, "rows without one", m->unlabelled, "unlabelled");
    cairn_report_value(out, "  of these, labelled by the learner itself", taken, "taken");
    cairn_nested_describe(out, m->base, "base", "The model inside");
}

static const cairn_model *self_base(const void *model)
{
    return ((const self_model *)model)->base;
}

static const cairn_kept self_keeps[] = {
    KEEP(self_model, labelled, unlabelled),
    KEEP_SIZE(self_model, n_rounds, MOST_ROUNDS, .name = "rounds"),
    KEEP_ARRAYS(self_model, "n_rounds", taken),
    KEEP_PART(self_model, base, .part = &cairn_kept_model),
    KEEP_END,
};

static cairn_status self_check_loaded(cairn_archive *a, const void *model, const cairn_job *job)
{
    return cairn_nested_check_loaded(a, ((const self_model *)model)->base, job, true);
}

static unsigned self_accepts(const void *params)
{
    (void)params;
    return CAIRN_WRAPPER_ACCEPTS | CAIRN_ACCEPTS_UNLABELLED;
}

enum { SELF_TRAITS = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_AS_BASE };

static unsigned self_traits(const void *params)
{
    return cairn_wrapper_traits(SELF_TRAITS, &((const self_params *)params)->wrapper);
}

const cairn_learner cairn_self_training = {
    .entry = {.kind = CAIRN_ENTRY_LEARNER,
              .name = "self-training",
              .also = "semi-supervised learning, pseudo-labels, learning from unlabelled rows, "
                      "Yarowsky algorithm, SelfTrainingClassifier",
              .title = "Learning from rows without labels",
              .summary =
                  "Wraps a learner that gives scores: it is fitted to the labelled rows, answers "
                  "those whose target is missing, takes the answers of which it is sure as labels, "
                  "and is fitted again, round after round. What it takes wrongly it learns, so "
                  "compare it with the learner alone on rows that were held out.",
              .references = "Yarowsky, Unsupervised word sense disambiguation rivaling supervised "
                            "methods (1995)",
              .example = "cairn fit self-training @iris --learner bayes --confidence 0.8",
              .params = self_param_table,
              .params_size = sizeof(self_params),
              .check = self_check},
    .space = "confidence=0.95,0.9,0.8",
    .traits = SELF_TRAITS,
    CAIRN_WRAPPER_RECORD(self),
    .parameters = "",
    .accepts_with = self_accepts,
    .base = self_base,
    .traits_with = self_traits,
};
