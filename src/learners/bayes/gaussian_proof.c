/* SPDX-License-Identifier: MIT */
/* The proof of what EM found where cells are missing: the log-likelihood of the rows once more, row
 * by row, through the covariances of what is there. One pass over the rows. */
#include "base/memory.h"
#include "learners/bayes/gaussian.h"
#include "parallel/parallel.h"
#include "stats/plain_normal.h"

#include <math.h>

enum { BLOCK = 4096 };

typedef struct room {
    double *x, *y; /* n_columns */
    cairn_plain_normal part;
} room;

typedef struct proving {
    const cairn_gaussian_model *m;
    const cairn_view *view;
    cairn_plain_normal *laws; /* n_classes: of complete rows */
    room *rooms;
    cairn_em_again *partial; /* of the blocks */
} proving;

static const double *covariance_of(const cairn_gaussian_model *m, size_t f)
{
    return m->covariance_of + f * cairn_gaussian_size(m);
}

/* A row, without the columns that are constant; returns whether a cell is missing. */
static bool read_row(const proving *p, size_t row, double *x)
{
    bool gaps = false;
    for (size_t j = 0; j < p->m->n_columns; j++) {
        x[j] = p->view->features[j]->numbers[row];
        gaps |= isnan(x[j]) && !p->m->constant[j];
        if (p->m->constant[j]) x[j] = NAN;
    }
    return gaps;
}

/* ln of prior and density of a row in its class. */
static double row_log(const proving *p, room *to, size_t row)
{
    const cairn_gaussian_model *m = p->m;
    size_t c = (size_t)p->view->target->codes[row], f = cairn_gaussian_factor(m, c);
    bool gaps = read_row(p, row, to->x);
    if (gaps) cairn_plain_normal_set(&to->part, covariance_of(m, f), to->x);
    cairn_plain_normal law = gaps ? to->part : p->laws[c];
    law.y = to->y;
    return m->log_prior[c] + cairn_plain_normal_log(&law, to->x, m->means + c * m->n_columns);
}

static void add_block(void *data, size_t block, size_t begin, size_t end, int worker)
{
    const proving *p = data;
    for (size_t i = begin; i < end; i++) {
        double weight = cairn_view_weight(p->view, i);
        if (!(weight > 0)) continue;
        double log = weight * row_log(p, p->rooms + worker, cairn_view_row(p->view, i));
        p->partial[block].log_likelihood += log;
        p->partial[block].size += weight + fabs(log);
    }
}

/* Laws of complete rows by the covariances in force, and room for the workers. */
static cairn_status make_room(cairn_context *ctx, proving *p)
{
    const cairn_gaussian_model *m = p->m;
    size_t d = m->n_columns, workers = (size_t)cairn_workers(ctx);
    double *present;
    CHECK(SCRATCH(ctx, &present, d + 1));
    for (size_t j = 0; j < d; j++) present[j] = m->constant[j] ? NAN : 0;
    CHECK(SCRATCH(ctx, &p->laws, m->n_classes));
    for (size_t c = 0; c < m->n_classes; c++) {
        p->laws[c] = p->laws[0];
        if (c > 0 && m->n_factors == 1) continue;
        CHECK(cairn_plain_normal_make(ctx, p->laws + c, d, m->diagonal));
        cairn_plain_normal_set(p->laws + c, covariance_of(m, c), present);
    }
    CHECK(SCRATCH(ctx, &p->rooms, workers));
    for (size_t i = 0; i < workers; i++) {
        CHECK(SCRATCH(ctx, &p->rooms[i].x, d + 1));
        CHECK(SCRATCH(ctx, &p->rooms[i].y, d + 1));
        CHECK(cairn_plain_normal_make(ctx, &p->rooms[i].part, d, m->diagonal));
    }
    return SCRATCH(ctx, &p->partial, cairn_block_count(p->view->rows.n, BLOCK) + 1);
}

cairn_status cairn_gaussian_again(cairn_context *ctx, cairn_em_again *out,
                                  const cairn_gaussian_model *m, const cairn_view *view)
{
    SCOPED_SCRATCH(ctx);
    proving p = {.m = m, .view = view};
    double d = (double)m->n_columns;
    CHECK(make_room(ctx, &p));
    CHECK(cairn_blocks_sized(ctx, view->rows.n, BLOCK, (double)view->rows.n * (d * d + 1),
                             add_block, &p));
    *out = (cairn_em_again){.rounding = 1e-9};
    for (size_t c = 0; c < m->n_classes; c++)
        if (m->totals[c] > 0)
            out->rounding =
                fmax(out->rounding,
                     cairn_plain_normal_rounding(p.laws + c, m->means + c * m->n_columns, 1));
    for (size_t b = 0; b < cairn_block_count(view->rows.n, BLOCK); b++) {
        out->log_likelihood += p.partial[b].log_likelihood;
        out->size += p.partial[b].size;
    }
    return CAIRN_OK;
}
