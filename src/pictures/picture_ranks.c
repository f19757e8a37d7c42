/* SPDX-License-Identifier: MIT */
/* cairn draw ranks: the critical difference diagram of a table of results, one column per learner
 * and one row per data set. */
#include "pictures/picture.h"

#include "typed/results.h"
#include "plots/ranks_plot.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

typedef struct ranks_params {
    const char *control;
    double alpha;
    bool lower;
} ranks_params;

static const cairn_param ranks_table[] = {
    CAIRN_PARAM(ranks_params, lower, "no", NULL, "smaller results are better (errors, times)"),
    CAIRN_PARAM(ranks_params, control, NULL, NULL,
                "compare with this learner (Bonferroni and Dunn) in place of all pairs (Nemenyi)"),
    CAIRN_PARAM(ranks_params, alpha, "0.05", "(0,1)", "level of the test"),
    CAIRN_PARAM_END,
};

/* Against a control fewer pairs are compared, hence another critical difference (Bonferroni-Dunn)
 * than for all pairs (Nemenyi). */
static cairn_status ranks_draw(cairn_context *ctx, cairn_figure **out, const cairn_picture_job *job)
{
    const ranks_params *p = job->params;
    cairn_results r;
    cairn_friedman f;
    double *ranks;
    cairn_rank_comparison c = {.alpha = p->alpha, .own_q = NAN};
    CHECK(cairn_results_of(ctx, &r, job->table, 2));
    CHECK(SCRATCH(ctx, &ranks, cairn_product(r.n, r.k)));
    CHECK(SCRATCH(ctx, &c.averages, r.k));
    CHECK(cairn_friedman_of(ctx, &f, ranks, c.averages, r.values, r.n, r.k, p->lower, p->alpha,
                            CAIRN_EXACT_NO));
    c.n = r.n, c.k = r.k, c.names = r.names, c.control = r.k;
    for (size_t j = 0; p->control && j < r.k; j++)
        if (strcmp(r.names[j], p->control) == 0) c.control = j;
    if (p->control && c.control == r.k)
        CHECK(cairn_fail(ctx, CAIRN_USAGE, "{control}: there is no column '%s'", p->control));
    double q = p->control ? cairn_dunn_q(r.k, p->alpha) : cairn_nemenyi_q(r.k, p->alpha);
    return cairn_plot_ranks(ctx, out, &c, cairn_critical_difference(q, r.k, r.n),
                            p->control != NULL);
}

const cairn_picture cairn_picture_ranks = {
    .entry = {.kind = CAIRN_ENTRY_PICTURE,
              .name = "ranks",
              .also = "CD diagram, critical difference, Nemenyi",
              .title = "Critical difference diagram",
              .summary =
                  "Average ranks of several learners over several data sets on a line, with the "
                  "critical difference: bars join learners that cannot be told apart (Nemenyi), or "
                  "show the reach of a control (Bonferroni and Dunn). The table has a column of "
                  "results per learner and a row per data set.",
              .references = "Demsar: Journal of Machine Learning Research 7, 2006",
              .example = "cairn draw ranks @cv-accuracies --out ranks.svg",
              .params = ranks_table,
              .params_size = sizeof(ranks_params)},
    .arguments = "DATA",
    .needs_table = true,
    .draw = ranks_draw,
};
