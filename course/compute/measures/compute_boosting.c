/* SPDX-License-Identifier: MIT */
/* cairn compute boosting-weights: what a round of boosting does to the weights of a confusion
 * table.
 *
 *     ε = weight off the diagonal / all     α = ½ (ln((1 − ε) / ε) + ln(k − 1))
 *     wrong cells · e^α / Z, right ones · e^(−α) / Z, Z = (1 − ε) e^(−α) + ε e^α */
#include "base/functions.h"
#include "base/memory.h"
#include "typed/labels.h"

#include <math.h>

typedef struct boosting_params {
    cairn_label_option labels;
} boosting_params;

static const cairn_param boosting_table[] = {
    CAIRN_PARAM_GROUP(boosting_params, labels, cairn_label_group),
    CAIRN_PARAM_END,
};

/* What the table says of the round. */
typedef struct boosting_round {
    double total, wrong;
    double epsilon, alpha, z, delta, up, down;
} boosting_round;

static double formula_classes(const cairn_labels *l)
{
    return l->n < 2 ? 2 : (double)l->n;
}

static boosting_round round_of(const cairn_labels *l)
{
    boosting_round r = {0};
    for (size_t i = 0; i < l->n; i++)
        for (size_t j = 0; j < l->n; j++) {
            r.total += l->cells[i * l->n + j];
            if (i != j) r.wrong += l->cells[i * l->n + j];
        }
    r.epsilon = r.wrong / r.total;
    r.alpha = 0.5 * (cairn_log((1 - r.epsilon) / r.epsilon) + cairn_log(formula_classes(l) - 1));
    r.delta = cairn_exp(r.alpha);
    r.z = (1 - r.epsilon) / r.delta + r.epsilon * r.delta;
    r.up = r.delta / r.z;
    r.down = 1 / r.delta / r.z;
    return r;
}

/* The table with every cell times its factor; without factors as it is. */
static void show_table(cairn_report *out, const cairn_labels *l, const boosting_round *r,
                       const char *title, const char *name)
{
    cairn_context *ctx = cairn_report_context(out);
    double *sums, all = 0;
    SCOPED_SCRATCH(ctx);
    if (SCRATCH(ctx, &sums, l->n + 1)) return cairn_report_failed(out, CAIRN_NO_MEMORY);
    cairn_report_table_of(out, title, (size_t)-1, "l", "actual");
    for (size_t j = 0; j < l->n; j++) cairn_report_column(out, l->names[j], 'r');
    cairn_report_column(out, "total", 'r');
    for (size_t i = 0; i < l->n; i++) {
        const char *key = cairn_report_key(out, l->names[i]);
        double sum = 0;
        cairn_report_cell(out, l->names[i]);
        for (size_t j = 0; j < l->n; j++) {
            double cell = l->cells[i * l->n + j] * (!r ? 1 : i == j ? r->down : r->up);
            cairn_report_cell_number(out, cell, 0, "%s.%s.%s", name, key,
                                     cairn_report_key(out, l->names[j]));
            sum += cell;
            sums[j] += cell;
        }
        cairn_report_cell_number(out, sum, 0, "%s.actual.%s", name, key);
        all += sum;
    }
    cairn_report_cell(out, "total");
    for (size_t j = 0; j < l->n; j++)
        cairn_report_cell_number(out, sums[j], 0, "%s.predicted.%s", name,
                                 cairn_report_key(out, l->names[j]));
    cairn_report_cell_number(out, all, 0, "%s.total", name);
}

static void show_round(cairn_report *out, const cairn_labels *l, const boosting_round *r)
{
    double k = formula_classes(l), after = r->epsilon * r->up;
    cairn_report_value(out, "α", r->alpha, "alpha");
    cairn_report_value(out, "δ = e^α", r->delta, "delta");
    cairn_report_value(out, "Z", r->z, "z");
    cairn_report_value(out, "factor of wrong cells", r->up, "factor.wrong");
    cairn_report_value(out, "factor of right cells", r->down, "factor.right");
    show_table(out, l, r, "Weights of the next round", "updated");
    cairn_report_value(out, "error of the same model with these weights", after, "epsilon_after");
    if (r->epsilon < 1 - 1 / k) return;
    cairn_report_worked(out, "chance: 1 − 1 / k", "1 − 1 / # = #", k, 1 - 1 / k);
    cairn_report_note(out,
                      "The error is not below chance: boosting drops the model and stops here.");
}

/* Without errors, or without right answers, there is no weight of the vote and no next table. */
static cairn_status boosting_run(cairn_context *ctx, cairn_report *out,
                                 const cairn_compute_job *job)
{
    const boosting_params *p = job->params;
    cairn_labels l;
    CHECK(cairn_read_labels(ctx, &l, &p->labels, job->table, job->what));
    if (l.without_tn)
        return cairn_fail(ctx, CAIRN_USAGE, "a cell of the table is not known: give {tn}");
    boosting_round r = round_of(&l);
    if (!(r.total > 0) || isinf(r.total))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the cells of the table must sum to a number above 0, so that there is "
                          "weight to share out");
    cairn_report_heading(out, 1, "A round of boosting");
    show_table(out, &l, NULL, "Weights of this round (rows: actual, columns: predicted)", "table");
    cairn_report_value(out, "error ε", r.epsilon, "epsilon");
    if (!(r.epsilon > 0) || !(r.epsilon < 1)) {
        cairn_report_note(out, r.epsilon > 0 ? "Every answer is wrong, so α would be −∞: boosting "
                                               "drops the model and stops here."
                                             : "No answer is wrong, so α would be infinite: the "
                                               "model answers alone.");
        return CAIRN_OK;
    }
    if (job->steps) {
        /* The formulas with the numbers put in. */
        double e = r.epsilon, k = formula_classes(&l);
        cairn_report_step_begin(out, "The error and what the vote weighs");
        cairn_report_worked(out, "ε = wrong / all", "# / # = #", r.wrong, r.total, e);
        if (k == 2)
            cairn_report_worked(out, "α = ½ ln((1 − ε) / ε)", "½ ln(# / #) = #", 1 - e, e, r.alpha);
        else
            cairn_report_worked(out, "α = ½ (ln((1 − ε) / ε) + ln(k − 1))",
                                "½ (ln(# / #) + ln #) = #", 1 - e, e, k - 1, r.alpha);
        cairn_report_worked(out, "δ = e^α", "e^# = #", r.alpha, r.delta);
        cairn_report_step_end(out);
        cairn_report_step_begin(out, "The factors of the weights");
        cairn_report_worked(out, "Z = (1 − ε) / δ + ε δ", "# / # + # · # = #", 1 - e, r.delta, e,
                            r.delta, r.z);
        cairn_report_worked(out, "wrong: δ / Z", "# / # = #", r.delta, r.z, r.up);
        cairn_report_worked(out, "right: 1 / (δ Z)", "1 / (# · #) = #", r.delta, r.z, r.down);
        if (k == 2)
            cairn_report_worked(out, "the same as 1 / (2 ε) and 1 / (2 (1 − ε))", "1 / #, 1 / #",
                                2 * e, 2 * (1 - e));
        cairn_report_step_end(out);
    }
    show_round(out, &l, &r);
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_boosting = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "boosting-weights",
              .also = "AdaBoost weight update, boosting by hand, weighted error, confidence factor",
              .title = "Weights of a round of boosting",
              .summary =
                  "Takes the confusion table of a model, counts or weights, and does a round of "
                  "AdaBoost: the error ε, what the model's vote weighs (α), Z, and the table of "
                  "the next round, in which half of the weight (of k classes 1 − 1/k) is on the "
                  "errors. From typed counts, a typed table, two columns of labels, a table of "
                  "counts, or a model and data. The learner adaboost does it with rows.",
              .references = "Freund and Schapire, A decision-theoretic generalization of on-line "
                            "learning and an application to boosting (1997)",
              .example = "cairn compute boosting-weights --table '24,16;9,51' --steps",
              .params = boosting_table,
              .params_size = sizeof(boosting_params)},
    .arguments = "[MODEL] [DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET,
    .answers = CAIRN_ANSWERS_LABELS,
    .run = boosting_run,
};
