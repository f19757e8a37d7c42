/* SPDX-License-Identifier: MIT */
/* cairn compute no-free-lunch: every target there can be of a few bits, learned from the same
 * instances by several learners, and judged on the instances that they have not seen.
 *
 * The targets that agree on the instances seen differ on the others in all ways, so that any answer
 * is right in half of them: over all targets every learner has an accuracy of 1/2 off the training
 * rows, whatever it has on them. A learner is fitted once for each labelling of the instances seen
 * that has both classes; of one class alone it can answer that class only, and is not asked. */
#include "model/calculator.h"

#include "base/memory.h"
#include "base/text.h"
#include "entry/split.h"
#include "model/model.h"
#include "report/table_rows.h"

#include <stdio.h>
#include <string.h>

enum { MOST_LEARNERS = 8, MOST_BITS = 4, MOST_INSTANCES = 1 << MOST_BITS, MOST_SEEN = 8 };

typedef struct lunch_params {
    int bits;
    cairn_list seen;
    const char *labels, *learners;
} lunch_params;

static const cairn_param lunch_table[] = {
    CAIRN_PARAM(lunch_params, bits, "3", "[2,4]",
                "bits of an instance; there are 2^bits instances and 2^(2^bits) targets",
                .often = true),
    CAIRN_PARAM(lunch_params, learners, "majority;tree;knn:k=1", NULL,
                "the learners, separated by ; and each with its parameters", .often = true),
    CAIRN_PARAM_CELLS(lunch_params, seen, WHOLE, NULL, "[0,15]",
                      "the instances that are learned from, as numbers of their bits (5 is 101 of "
                      "three bits); those with an even number of ones if not given",
                      .often = true),
    CAIRN_PARAM(lunch_params, labels, NULL, NULL,
                "classes of the instances seen, such as 0110, for which all targets that agree are "
                "listed; their first bits if not given",
                .often = true),
    CAIRN_PARAM_END,
};

/* Labels of instances are bits, that of the first instance of a list lowest. */
typedef struct lunch {
    const lunch_params *p;
    size_t n_bits, n_seen, n_unseen, n_learners;
    uint32_t seen[MOST_INSTANCES], unseen[MOST_INSTANCES];
    const char *specs[MOST_LEARNERS];
    cairn_params *learners[MOST_LEARNERS];
    unsigned labels;                  /* that are listed */
    unsigned *answers[MOST_LEARNERS]; /* of each labelling: those for the instances not seen */
    unsigned *known[MOST_LEARNERS];   /* and for those seen */
} lunch;

static void lunch_clear(lunch *w)
{
    for (size_t i = 0; i < w->n_learners; i++) cairn_params_free(w->learners[i]);
}

static int ones(unsigned x)
{
    int n = 0;
    for (; x; x &= x - 1) n++;
    return n;
}

/* "101" of an instance, "0110" of labels whose first stands first. */
static const char *digits(char out[MOST_INSTANCES + 1], unsigned x, size_t n, bool first_high)
{
    for (size_t i = 0; i < n; i++) out[i] = x >> (first_high ? n - 1 - i : i) & 1 ? '1' : '0';
    out[n] = 0;
    return out;
}

/* -- reading -- */

static cairn_status read_seen(cairn_context *ctx, lunch *w)
{
    size_t n = (size_t)1 << w->n_bits;
    const cairn_list *typed = &w->p->seen;
    unsigned chosen = 0;
    for (size_t i = 0; i < typed->n; i++) {
        if (typed->values[i] >= (double)n)
            return cairn_fail(ctx, CAIRN_USAGE, "{seen}: the instances of %zu bits are 0 to %zu",
                              w->n_bits, n - 1);
        chosen |= 1U << (unsigned)typed->values[i];
    }
    for (uint32_t x = 0; x < n; x++) {
        bool learned = typed->text ? chosen >> x & 1 : ones(x) % 2 == 0;
        if (learned)
            w->seen[w->n_seen++] = x;
        else
            w->unseen[w->n_unseen++] = x;
    }
    if (w->n_seen < 2 || w->n_seen > MOST_SEEN || !w->n_unseen)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{seen}: 2 to %d instances are learned from, and at least one is not",
                          MOST_SEEN);
    return CAIRN_OK;
}

static cairn_status read_labels(cairn_context *ctx, lunch *w)
{
    const char *text = w->p->labels;
    if (text && (strlen(text) != w->n_seen || text[strspn(text, "01")]))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{labels}: a 0 or 1 for each of the %zu instances seen is wanted, not "
                          "'%s'",
                          w->n_seen, text);
    for (size_t i = 0; i < w->n_seen; i++) {
        unsigned label = text ? text[i] == '1' : w->seen[i] >> (w->n_bits - 1) & 1;
        w->labels |= label << i;
    }
    return CAIRN_OK;
}

static cairn_status read_learners(cairn_context *ctx, lunch *w)
{
    for (const char *at = w->p->learners, *end; *at; at = *end ? end + 1 : end) {
        char *spec;
        end = cairn_split_next(at, ';');
        CHECK(SCRATCH(ctx, &spec, (size_t)(end - at) + 1));
        memcpy(spec, at, (size_t)(end - at));
        if (strspn(spec, " ") == strlen(spec)) continue;
        if (w->n_learners == MOST_LEARNERS)
            return cairn_fail(ctx, CAIRN_USAGE, "{learners}: at most %d", MOST_LEARNERS);
        cairn_params **learner = &w->learners[w->n_learners];
        w->specs[w->n_learners++] = spec;
        CHECK(cairn_params_from_spec(ctx, learner, CAIRN_ENTRY_LEARNER, spec));
        CHECK(cairn_params_check(ctx, *learner));
    }
    if (w->n_learners) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE, "{learners} names none");
}

/* -- learning -- */

/* All instances as a table of numbers x1, x2 ...; the class of those not seen is missing. */
static cairn_status make_table(cairn_context *ctx, cairn_table **out, const lunch *w,
                               unsigned labels)
{
    static const char *const classes[] = {"0", "1"};
    OWNED(cairn_table_free) cairn_table *table = NULL;
    double column[MOST_INSTANCES];
    int32_t codes[MOST_INSTANCES];
    size_t n = (size_t)1 << w->n_bits;
    CHECK(cairn_table_new(ctx, &table, n));
    for (size_t j = 0; j < w->n_bits; j++) {
        char name[24];
        snprintf(name, sizeof name, "x%zu", j + 1);
        for (size_t x = 0; x < n; x++) column[x] = (double)(x >> (w->n_bits - 1 - j) & 1);
        CHECK(cairn_table_put_numbers(ctx, table, name, column));
    }
    for (size_t x = 0; x < n; x++) codes[x] = -1;
    for (size_t i = 0; i < w->n_seen; i++) codes[w->seen[i]] = (int32_t)(labels >> i & 1);
    CHECK(cairn_table_add_levels(ctx, table, "class", codes, classes, 2));
    CHECK(cairn_table_set_role(ctx, table, "class", CAIRN_TARGET));
    *out = TAKE(table);
    return CAIRN_OK;
}

/* What a learner answers for all instances after one labelling of those seen. */
static cairn_status learn(cairn_context *ctx, lunch *w, size_t learner, unsigned labels)
{
    SCOPED_SCRATCH(ctx);
    unsigned all = (1U << w->n_seen) - 1, unseen = (1U << w->n_unseen) - 1;
    OWNED(cairn_table_free) cairn_table *table = NULL;
    OWNED(cairn_model_free) cairn_model *model = NULL;
    SCOPED(cairn_prediction_clear) cairn_prediction p = {0};
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_match match;
    unsigned *known = &w->known[learner][labels], *answers = &w->answers[learner][labels];
    *known = labels == all ? all : 0;
    *answers = labels == all ? unseen : 0;
    if (labels == 0 || labels == all) return CAIRN_OK;
    options.task = CAIRN_CLASSIFY;
    CHECK(make_table(ctx, &table, w, labels));
    CHECK(cairn_model_fit_rows(ctx, &model, w->learners[learner], table,
                               (cairn_rows){.indices = w->seen, .n = w->n_seen}, &options));
    CHECK(cairn_model_predict_rows(ctx, &p, model, table, cairn_all_rows(table),
                                   (cairn_predict_wants){0}, &match));
    const cairn_map *names = &cairn_model_target(model)->names;
    unsigned said[MOST_INSTANCES];
    for (size_t x = 0; x < table->n_rows; x++)
        said[x] = p.codes[x] >= 0 && cairn_same(cairn_map_key(names, (size_t)p.codes[x]), "1");
    for (size_t i = 0; i < w->n_seen; i++) *known |= said[w->seen[i]] << i;
    for (size_t i = 0; i < w->n_unseen; i++) *answers |= said[w->unseen[i]] << i;
    return CAIRN_OK;
}

/* What a fit warns of is said of hundreds of small tables: the log is silent. */
static cairn_status learn_all(cairn_context *ctx, lunch *w)
{
    size_t n = (size_t)1 << w->n_seen;
    cairn_log_function log = ctx->log;
    cairn_status status = CAIRN_OK;
    for (size_t k = 0; k < w->n_learners; k++)
        CHECK(SCRATCH_EACH(ctx, n, &w->answers[k], &w->known[k]));
    ctx->log = NULL;
    for (size_t i = 0; i < w->n_learners * n && !status; i++) {
        status = cairn_tick(ctx, NULL, 0, 0);
        if (!status) status = learn(ctx, w, i / n, (unsigned)(i % n));
    }
    ctx->log = log;
    return status;
}

/* -- showing -- */

/* The share of n labels that are alike. */
static double agreement(unsigned a, unsigned b, size_t n)
{
    return 1 - (double)ones(a ^ b) / (double)n;
}

static void show_answers(cairn_report *out, const lunch *w)
{
    char text[MOST_INSTANCES + 1];
    cairn_report_step_begin(out, "What the learners answer");
    cairn_report_table_of(out, "Instances", 0, "ll", "instance", "class");
    for (size_t k = 0; k < w->n_learners; k++) cairn_report_column(out, w->specs[k], 'l');
    for (size_t i = 0; i < w->n_seen + w->n_unseen; i++) {
        bool seen = i < w->n_seen;
        size_t at = seen ? i : i - w->n_seen;
        cairn_report_cells(out, NULL,
                           digits(text, seen ? w->seen[at] : w->unseen[at], w->n_bits, true),
                           !seen                 ? "?"
                           : w->labels >> at & 1 ? "1"
                                                 : "0");
        for (size_t k = 0; k < w->n_learners; k++) {
            unsigned said = seen ? w->known[k][w->labels] : w->answers[k][w->labels];
            cairn_report_cell(out, said >> at & 1 ? "1" : "0");
        }
    }
    cairn_report_table_end(out);
    cairn_report_step_end(out);
}

/* A row for each target that agrees with the classes seen, and the mean. */
static void show_targets(cairn_report *out, const lunch *w)
{
    enum { SHOWN = 64 };
    char text[MOST_INSTANCES + 1];
    double sums[MOST_LEARNERS] = {0}, n = (double)(1U << w->n_unseen);
    cairn_report_paragraph(out, "The instances seen have the classes %s. On the others:",
                           digits(text, w->labels, w->n_seen, false));
    cairn_report_table_of(out, "Accuracy on the instances not seen, for every target that agrees",
                          SHOWN, "l", "target");
    for (size_t k = 0; k < w->n_learners; k++) cairn_report_column(out, w->specs[k], 'r');
    for (unsigned target = 0; target < 1U << w->n_unseen; target++) {
        cairn_report_cell(out, digits(text, target, w->n_unseen, false));
        for (size_t k = 0; k < w->n_learners; k++) {
            double right = agreement(w->answers[k][w->labels], target, w->n_unseen);
            cairn_report_cell_number(out, right, 4, "target%u.learner%zu", target + 1, k + 1);
            sums[k] += right;
        }
    }
    cairn_report_table_end(out);
    cairn_report_table_of(out, "Their mean", 0, "lr", "learner", "mean accuracy");
    for (size_t k = 0; k < w->n_learners; k++) {
        cairn_report_prefix(out, "agreeing.learner%zu", k + 1);
        cairn_report_cells(out, "- @", w->specs[k], sums[k] / n);
    }
    cairn_report_table_end(out);
}

/* All targets: accuracies on what was seen and what was not, and how often better than a coin. */
static void show_all(cairn_report *out, const lunch *w)
{
    size_t labellings = (size_t)1 << w->n_seen, completions = (size_t)1 << w->n_unseen;
    double n = (double)labellings * (double)completions;
    cairn_report_table_of(out, "Over all targets", 0, "lrrrr", "learner", "accuracy on those seen",
                          "on those not seen", "better than 1/2", "worse");
    for (size_t k = 0; k < w->n_learners; k++) {
        double seen = 0, unseen = 0, better = 0, worse = 0;
        for (unsigned labels = 0; labels < labellings; labels++) {
            seen += agreement(w->known[k][labels], labels, w->n_seen) * (double)completions;
            for (unsigned target = 0; target < completions; target++) {
                double right = agreement(w->answers[k][labels], target, w->n_unseen);
                unseen += right;
                better += right > 0.5;
                worse += right < 0.5;
            }
        }
        cairn_report_prefix(out, "learner%zu", k + 1);
        cairn_report_cells(out, "- @.seen @.unseen @.better @.worse", w->specs[k], seen / n,
                           unseen / n, better / n, worse / n);
    }
    cairn_report_table_end(out);
    cairn_report_value(out, "targets", n, "targets");
    cairn_report_paragraph(out, "Whatever is right about the instances not seen of one target is "
                                "wrong of another: without knowing which targets are likely no "
                                "learner is better than another off the training rows.");
}

static cairn_status lunch_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const lunch_params *p = job->params;
    SCOPED(lunch_clear) lunch w = {.p = p, .n_bits = (size_t)p->bits};
    CHECK(read_seen(ctx, &w));
    CHECK(read_labels(ctx, &w));
    CHECK(read_learners(ctx, &w));
    CHECK(learn_all(ctx, &w));
    cairn_report_heading(out, 1, "No free lunch");
    cairn_report_formula(out,
                         "Σ over all targets of the accuracy off the training rows is the same "
                         "for every learner: 1/2 of their number");
    if (job->steps) show_answers(out, &w);
    show_targets(out, &w);
    show_all(out, &w);
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_no_free_lunch = {
    .entry =
        {.kind = CAIRN_ENTRY_CALCULATOR,
         .name = "no-free-lunch",
         .also = "no-free-lunch theorem, off-training-set error, every target function",
         .title = "No learner is best for all targets",
         .summary =
             "Every target of a few bits is learned by several learners from the same "
             "instances: a table of the targets that agree with what was seen, with the "
             "accuracy of each learner on the other instances, and the means over all targets, "
             "which are 1/2 for every learner, however well it fits what it has seen.",
         .references = "Wolpert: The Lack of A Priori Distinctions Between Learning "
                       "Algorithms, Neural Computation 8, 1996",
         .example = "cairn compute no-free-lunch --bits 3 --learners 'majority;tree;knn:k=1' "
                    "--steps",
         .params = lunch_table,
         .params_size = sizeof(lunch_params)},
    .arguments = "",
    .run = lunch_run,
};
