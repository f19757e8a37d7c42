/* SPDX-License-Identifier: MIT */
/* Learners that exist in tests only, in place of the registered ones: each needs a room that no
 * learner of the library has needed yet. `label-items` gives every item of a sequence the commonest
 * label that its symbol had; `gaps` cuts the rows where the first number has a gap, and has no rule
 * for other rows. */
#define cairn_registry cairn_shipped
#include "registry.c"
#undef cairn_registry

#include "contract/room_learners.h"
#include "base/memory.h"
#include <stdlib.h>

static const cairn_param no_params[] = {CAIRN_PARAM_END};

/* -- label-items -- */

typedef struct label_model {
    size_t n_symbols, n_classes;
    int32_t *labels; /* n_symbols + 1: the last is for symbols that training did not have */
} label_model;

/* Weights of labels by symbol; the last symbol stands for all. */
static void count_labels(const cairn_view *view, size_t feature, const label_model *m,
                         double *counts)
{
    for (size_t i = 0; i < view->rows.n; i++) {
        cairn_sequence run, labels;
        double w = cairn_view_weight(view, i);
        cairn_view_sequences(view, feature, i, 1, &run);
        cairn_view_target_sequences(view, i, 1, &labels);
        for (size_t k = 0; k < run.n; k++) {
            counts[(size_t)run.items[k] * m->n_classes + (size_t)labels.items[k]] += w;
            counts[m->n_symbols * m->n_classes + (size_t)labels.items[k]] += w;
        }
    }
}

static cairn_status label_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    label_model *m = model;
    double *counts;
    size_t feature = (size_t)cairn_view_first(job->view, CAIRN_SEQUENCE);
    m->n_symbols = job->view->features[feature]->names.n;
    m->n_classes = job->n_classes;
    CHECK(SCRATCH(ctx, &counts, cairn_product(m->n_symbols + 1, m->n_classes)));
    CHECK(NEW(ctx, &m->labels, m->n_symbols + 1));
    count_labels(job->view, feature, m, counts);
    for (size_t s = 0; s <= m->n_symbols; s++) {
        const double *of = counts + s * m->n_classes;
        for (size_t c = 1; c < m->n_classes; c++)
            if (of[c] > of[m->labels[s]]) m->labels[s] = (int32_t)c;
    }
    return CAIRN_OK;
}

static cairn_status label_predict(cairn_context *ctx, cairn_prediction *out, const void *model,
                                  const cairn_job *job)
{
    const label_model *m = model;
    size_t feature = (size_t)cairn_view_first(job->view, CAIRN_SEQUENCE);
    (void)ctx;
    for (size_t i = 0; i < out->n_rows; i++) {
        cairn_sequence run;
        cairn_view_sequences(job->view, feature, i, 1, &run);
        for (size_t k = 0; k < run.n; k++)
            out->codes[out->starts[i] + k] =
                m->labels[run.items[k] < 0 ? m->n_symbols : (size_t)run.items[k]];
    }
    return CAIRN_OK;
}

static void label_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    (void)job;
    cairn_report_value(out, "symbols", (double)((const label_model *)model)->n_symbols, "symbols");
}

static cairn_status label_archive(cairn_archive *a, void *model)
{
    label_model *m = model;
    CHECK(cairn_archive_size(a, "symbols", &m->n_symbols, 1 << 20));
    CHECK(cairn_archive_size(a, "classes", &m->n_classes, 1 << 20));
    CHECK(cairn_archive_ints(a, "labels", &m->labels, m->n_symbols + 1));
    for (size_t s = 0; s <= m->n_symbols; s++)
        if (m->labels[s] < 0 || (size_t)m->labels[s] >= m->n_classes)
            return cairn_archive_damaged(a, "symbol %zu has no label", s);
    return CAIRN_OK;
}

static cairn_status label_check(cairn_archive *a, const void *model, const cairn_job *job)
{
    const label_model *m = model;
    for (size_t i = 0; i < job->schema->n_fields; i++) {
        const cairn_field *field = &job->schema->fields[i];
        if (field->role != CAIRN_FEATURE || field->kind != CAIRN_SEQUENCE) continue;
        if (field->names.n == m->n_symbols && m->n_classes == job->n_classes) return CAIRN_OK;
        break;
    }
    return cairn_archive_damaged(a, "the symbols are not those of the column");
}

static void label_clear(void *model)
{
    cairn_free(((label_model *)model)->labels);
}

const cairn_learner cairn_label_items = {
    .entry = {.kind = CAIRN_ENTRY_LEARNER,
              .name = "label-items",
              .title = "Labels of symbols",
              .summary = "Gives every item of a sequence the commonest label of its symbol.",
              .references = "tests only",
              .example = "cairn fit label-items data.csv",
              .params = no_params},
    .tasks = CAIRN_LABEL_ITEMS,
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_LEVELS | CAIRN_ACCEPTS_MISSING |
               CAIRN_ACCEPTS_SEQUENCES | CAIRN_ACCEPTS_WEIGHTS,
    .claims = CAIRN_CLAIM_WEIGHTS_REPEAT | CAIRN_CLAIM_ROW_ORDER,
    .traits = CAIRN_PREDICTIVE | CAIRN_SUPERVISED | CAIRN_LOGICAL | CAIRN_GROUPING,
    .model_size = sizeof(label_model),
    .sets_codes = true,
    .fit = label_fit,
    .predict = label_predict,
    .describe = label_describe,
    .archive = label_archive,
    .check = label_check,
    .clear = label_clear,
};

/* -- gaps -- */

typedef struct gap_params {
    double gap;
} gap_params;

static const cairn_param gap_param_table[] = {
    CAIRN_PARAM(gap_params, gap, "1", "(0,inf)", "cut where the first column has a wider gap"),
    CAIRN_PARAM_END,
};

typedef struct gap_model {
    size_t n_clusters;
} gap_model;

typedef struct placed {
    double x;
    size_t row;
} placed;

static int by_place(const void *a, const void *b)
{
    const placed *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return p->row < q->row ? -1 : p->row > q->row;
}

static cairn_status gap_fit(cairn_context *ctx, void *model, const cairn_job *job)
{
    gap_model *m = model;
    const cairn_view *view = job->view;
    placed *order;
    CHECK(cairn_tick(ctx, NULL, 0, 0));
    CHECK(SCRATCH(ctx, &order, view->rows.n + 1));
    for (size_t i = 0; i < view->rows.n; i++)
        order[i] = (placed){view->features[0]->numbers[cairn_view_row(view, i)], i};
    qsort(order, view->rows.n, sizeof *order, by_place);
    for (size_t i = 0; i < view->rows.n; i++) {
        const gap_params *p = job->params;
        if (i == 0 || order[i].x - order[i - 1].x > p->gap) m->n_clusters++;
        job->fitted[order[i].row] = (int32_t)m->n_clusters - 1;
    }
    return CAIRN_OK;
}

static void gap_describe(cairn_report *out, const void *model, const cairn_job *job)
{
    (void)job;
    cairn_report_value(out, "clusters", (double)((const gap_model *)model)->n_clusters, "clusters");
}

static cairn_status gap_archive(cairn_archive *a, void *model)
{
    return cairn_archive_size(a, "clusters", &((gap_model *)model)->n_clusters, UINT32_MAX);
}

static void gap_clear(void *model)
{
    (void)model;
}

const cairn_learner cairn_gaps = {
    .entry = {.kind = CAIRN_ENTRY_LEARNER,
              .name = "gaps",
              .title = "Clusters between gaps",
              .summary = "Cuts the rows into clusters where the first column has a wide gap.",
              .references = "tests only",
              .example = "cairn fit gaps data.csv",
              .params = gap_param_table,
              .params_size = sizeof(gap_params)},
    .tasks = CAIRN_CLUSTER,
    .accepts = CAIRN_ACCEPTS_NUMBERS | CAIRN_ACCEPTS_WEIGHTS,
    .traits = CAIRN_DESCRIPTIVE | CAIRN_UNSUPERVISED | CAIRN_GEOMETRIC | CAIRN_GROUPING,
    .model_size = sizeof(gap_model),
    .labels_rows = true,
    .fit = gap_fit,
    .describe = gap_describe,
    .archive = gap_archive,
    .clear = gap_clear,
};

/* -- the registry of these tests -- */

const cairn_entry *const *cairn_registry(size_t *n);

/* The two in place of the learners that are shipped, before everything else. */
const cairn_entry *const *cairn_registry(size_t *n)
{
    enum { MOST = 1000 };
    static const cairn_entry *entries[MOST];
    static size_t used;
    if (used == 0) {
        size_t shipped;
        const cairn_entry *const *all = cairn_shipped(&shipped);
        size_t at = 0;
        entries[at++] = &cairn_gaps.entry;
        entries[at++] = &cairn_label_items.entry;
        for (size_t i = 0; i < shipped && at < MOST; i++)
            if (all[i]->kind != CAIRN_ENTRY_LEARNER) entries[at++] = all[i];
        used = at;
    }
    *n = used;
    return entries;
}
