/* SPDX-License-Identifier: MIT */
/* cairn compute linear-family: planes of several linear classifiers of the same rows, side by side:
 * the members of w = M⁻¹ (n₊ m₊ − n₋ m₋) unless others are named. */
#include "base/functions.h"
#include "base/memory.h"
#include "learners/linear/planes.h"
#include "model/model.h"
#include "plots/margin_plot.h"
#include "model/calculator.h"
#include "typed/vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_TERMS = 10, MOST_MEMBERS = 50 };

typedef struct family_params {
    const char *learners, *positive;
} family_params;

static const cairn_param family_table[] = {
    CAIRN_PARAM(family_params, learners,
                "basic-linear;basic-linear:matrix=diagonal;basic-linear:matrix=covariance;"
                "basic-linear:matrix=pooled;basic-linear:matrix=gram,count=rows",
                NULL,
                "learners whose boundary is a plane, separated by ; such as "
                "basic-linear;perceptron;logistic"),
    CAIRN_PARAM(family_params, positive, NULL, NULL,
                "the class on the positive side; the usual one if not given"),
    CAIRN_PARAM_END,
};

typedef struct member {
    const char *spec;
    cairn_model *model;
    const cairn_class_planes *plane;
    double accuracy;
} member;

typedef struct family {
    member *members;
    size_t n;
} family;

static void clear_family(family *f)
{
    for (size_t i = 0; i < f->n; i++) cairn_model_free(f->members[i].model);
    f->n = 0;
}

/* The share of the rows with a class that the model gets right. */
static cairn_status judge(cairn_context *ctx, member *m, const cairn_table *table)
{
    SCOPED(cairn_prediction_clear) cairn_prediction p = {0};
    cairn_match match = {.first_field = -1};
    const cairn_column *target = NULL;
    double right = 0, total = 0;
    CHECK(cairn_model_predict_rows(ctx, &p, m->model, table, cairn_all_rows(table),
                                   (cairn_predict_wants){0}, &match));
    for (size_t c = 0; c < table->n_columns; c++)
        if (table->slots[c].role == CAIRN_TARGET) target = table->slots[c].column;
    const cairn_map *names = &cairn_model_target(m->model)->names;
    for (size_t i = 0; target && i < table->n_rows; i++) {
        char cell[256];
        if (cairn_column_is_missing(target, i)) continue;
        cairn_table_cell(table, (size_t)cairn_table_find(table, cairn_model_target(m->model)->name),
                         i, cell, sizeof cell);
        total++;
        if (p.codes[i] >= 0 && strcmp(cairn_map_key(names, (size_t)p.codes[i]), cell) == 0) right++;
    }
    m->accuracy = right / total;
    return CAIRN_OK;
}

/* Only learners whose boundary is a plane can be set side by side, and only for two classes. */
static cairn_status fit_member(cairn_context *ctx, member *m, const cairn_compute_job *job,
                               cairn_report *steps)
{
    const family_params *p = job->params;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    OWNED(cairn_params_free) cairn_params *params = NULL;
    CHECK(cairn_params_from_spec(ctx, &params, CAIRN_ENTRY_LEARNER, m->spec));
    CHECK(cairn_params_check(ctx, params));
    const cairn_learner *learner = (const cairn_learner *)params->entry;
    if (learner->archive != cairn_class_planes_archive)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{learners}: the boundary of %s is no plane; there are basic-linear, "
                          "discriminant, logistic and perceptron",
                          learner->entry.name);
    options.task = CAIRN_CLASSIFY;
    options.positive = p->positive;
    options.steps = steps;
    CHECK(cairn_model_fit(ctx, &m->model, params, job->table, &options));
    m->plane = m->model->state;
    if (m->plane->n_present != 2)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "%s needs two classes, and there are %zu; keep two of them with {where}",
                          job->what, m->plane->n_present);
    return judge(ctx, m, job->table);
}

/* All members, fitted; cleared by the caller, also after a failure. */
static cairn_status fit_family(cairn_context *ctx, family *f, const cairn_compute_job *job,
                               cairn_report *steps)
{
    const family_params *p = job->params;
    size_t length = strlen(p->learners);
    char *text, *rest = NULL;
    CHECK(SCRATCH(ctx, &text, length + 1));
    memcpy(text, p->learners, length);
    CHECK(SCRATCH(ctx, &f->members, MOST_MEMBERS));
    for (char *spec = strtok_r(text, "; ", &rest); spec; spec = strtok_r(NULL, "; ", &rest)) {
        if (f->n == MOST_MEMBERS)
            return cairn_fail(ctx, CAIRN_USAGE, "{learners}: at most %d", MOST_MEMBERS);
        member *m = &f->members[f->n++];
        m->spec = spec;
        if (steps) {
            /* The work of a member in a step of its own, with memberI. before the names of
             * values. */
            size_t i = f->n;
            OWNED(cairn_report_free) cairn_report *part = NULL;
            char prefix[24];
            snprintf(prefix, sizeof prefix, "member%zu", i);
            CHECK(cairn_report_new(ctx, &part));
            CHECK(fit_member(ctx, m, job, part));
            cairn_report_step_begin(steps, "%s", m->spec);
            cairn_report_append(steps, part, prefix);
            cairn_report_step_end(steps);
        } else
            CHECK(fit_member(ctx, m, job, NULL));
    }
    if (f->n == 0) return cairn_fail(ctx, CAIRN_USAGE, "{learners} names none");
    return CAIRN_OK;
}

/* Between the normals of two planes, in degrees; NaN where one has none. */
static double angle(const cairn_class_planes *a, const cairn_class_planes *b)
{
    double la = cairn_class_planes_length(a, 0, 1), lb = cairn_class_planes_length(b, 0, 1);
    double apart = 0, together = 0; /* lengths of difference and sum, which keep small angles */
    if (!(la > 0) || !(lb > 0) || a->n_terms != b->n_terms) return NAN;
    for (size_t t = 0; t < a->n_terms; t++) {
        double u = a->weights[t] / la, v = b->weights[t] / lb;
        apart += (u - v) * (u - v);
        together += (u + v) * (u + v);
    }
    return 2 * cairn_atan2(sqrt(apart), sqrt(together)) * 180 / M_PI;
}

/* A line per member: its normal of length 1, where it lies, how it turns, what it gets right. */
static cairn_status show_family(cairn_context *ctx, cairn_report *out, const family *f)
{
    const cairn_class_planes *first = f->members[0].plane;
    const char *const *names;
    size_t p = first->n_terms, shown = p < SHOWN_TERMS ? p : SHOWN_TERMS;
    CHECK(cairn_term_names(ctx, &names, &f->members[0].model->inner));
    cairn_report_table_of(out,
                          "Planes: w of length 1, distance from the origin, angle to the first", 0,
                          "l", "learner");
    for (size_t t = 0; t < shown; t++) cairn_report_column(out, names[t], 'r');
    cairn_report_columns(out, "rrrr", "t/‖w‖", "‖w‖", "angle", "accuracy");
    for (size_t i = 0; i < f->n; i++) {
        const cairn_class_planes *m = f->members[i].plane;
        double length = cairn_class_planes_length(m, 0, 1), t = -m->weights[m->n_terms] + 0.0;
        cairn_report_cell_word(out, f->members[i].spec, "member%zu.learner", i + 1);
        for (size_t j = 0; j < shown; j++) {
            double w = j < m->n_terms ? m->weights[j] : NAN;
            const char *key = cairn_term_key(out, names[j]);
            cairn_report_hidden(out, w, "member%zu.coefficient.%s", i + 1, key);
            cairn_report_cell_number(out, w / length, 6, "member%zu.unit.%s", i + 1, key);
        }
        cairn_report_hidden(out, t, "member%zu.threshold", i + 1);
        cairn_report_prefix(out, "member%zu", i + 1);
        cairn_report_cells(out, "@.origin_distance @.length @.angle @.accuracy", t / length, length,
                           angle(m, first), f->members[i].accuracy);
    }
    return CAIRN_OK;
}

/* The rows and the lines of all members; *out stays NULL unless there are two number columns. */
static cairn_status draw_family(cairn_context *ctx, cairn_figure **out, const family *f,
                                const cairn_compute_job *job)
{
    cairn_class_points rows;
    *out = NULL;
    if (f->members[0].plane->n_terms != 2) return CAIRN_OK;
    CHECK(cairn_class_points_read(ctx, &rows, job->table, true, job->what));
    if (rows.points.width != 2) return CAIRN_OK;
    cairn_margin_scene scene = {.points = rows.points.values,
                                .n = rows.points.n,
                                .stride = 2,
                                .groups = rows.classes.codes,
                                .group_names = rows.classes.names,
                                .n_groups = rows.classes.n,
                                .x = rows.columns[0],
                                .y = rows.columns[1]};
    CHECK(cairn_margin_start(ctx, out, &scene, "linear-family", "Planes of linear classifiers"));
    CHECK(cairn_margin_means(ctx, *out, &scene));
    for (size_t i = 0; i < f->n; i++)
        cairn_margin_line(*out, &scene, f->members[i].plane->weights, f->members[i].spec);
    return CAIRN_OK;
}

static cairn_status family_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    SCOPED(clear_family) family f = {0};
    cairn_figure *figure = NULL;
    cairn_report_heading(out, 1, "Linear classifiers of the same rows");
    cairn_report_formula(out, "w = M⁻¹ (n₊ m₊ − n₋ m₋)");
    CHECK(fit_family(ctx, &f, job, job->steps ? out : NULL));
    cairn_report_word(out, "positive side",
                      cairn_map_key(&cairn_model_target(f.members[0].model)->names,
                                    (size_t)f.members[0].plane->classes[0]),
                      "positive");
    CHECK(show_family(ctx, out, &f));
    CHECK(draw_family(ctx, &figure, &f, job));
    if (figure) cairn_report_figure(out, figure);
    return CAIRN_OK;
}

static cairn_status family_draw(cairn_context *ctx, cairn_figure **out,
                                const cairn_compute_job *job)
{
    SCOPED(clear_family) family f = {0};
    CHECK(fit_family(ctx, &f, job, NULL));
    CHECK(draw_family(ctx, out, &f, job));
    if (*out) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "%s needs two number columns and a target; choose them with {features}",
                      job->what);
}

const cairn_calculator cairn_compute_linear_family = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "linear-family",
              .also = "linear classifiers compared, basic linear classifier, template of linear "
                      "classifiers",
              .title = "Planes of several linear classifiers, compared",
              .summary =
                  "Fits several linear classifiers to the same rows of two classes and puts their "
                  "planes side by side: the normal of length 1, the distance from the origin, the "
                  "angle to the first, the training accuracy. Without --learners the family "
                  "w = M⁻¹ (n₊ m₊ − n₋ m₋): the basic linear classifier, variances, covariances, "
                  "covariances within the classes, least squares.",
              .references = "Flach, Machine Learning, Cambridge University Press 2012",
              .example = "cairn compute linear-family @fisher-points",
              .params = family_table,
              .params_size = sizeof(family_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "linear-family",
                .also = "linear classifiers compared",
                .title = "Lines of several linear classifiers",
                .summary =
                    "The rows of two classes in two columns, their means, and the boundaries "
                    "of several linear classifiers.",
                .example = "cairn draw linear-family @fisher-points",
                .params = family_table,
                .params_size = sizeof(family_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .run = family_run,
    .draw = family_draw,
};
