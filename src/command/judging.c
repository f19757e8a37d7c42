/* SPDX-License-Identifier: MIT */
/* What the verbs that judge share: see judging.h. */
#include "command/judging.h"

#include "base/memory.h"
#include "base/number.h"
#include "evaluate/judge.h"
#include "model/task.h"
#include "stats/cost_matrix.h"
#include "stats/measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- costs -- */

/* A number among the settings of a learner; `otherwise` when it has none of the name or it was left
 * alone. */
static double setting(const cairn_params *learner, const char *name, double otherwise)
{
    const char *text =
        learner && cairn_params_is_set(learner, name) ? cairn_params_text(learner, name) : NULL;
    double value;
    return text && cairn_number_parse(text, strlen(text), &value) ? value : otherwise;
}

cairn_status cairn_command_costs(cairn_command *c, cairn_judge_options *out,
                                 const cairn_params *learner)
{
    const cairn_fitting *f = &c->common->fitting;
    bool given = f->costs || !isnan(f->cost_fn) || !isnan(f->cost_fp);
    const char *matrix = f->costs;
    if (given || !learner || !cairn_params_has(learner->entry, "cost-fn")) learner = NULL;
    if (learner && cairn_params_is_set(learner, "costs"))
        matrix = cairn_params_text(learner, "costs");
    if (matrix) CHECK(cairn_costs_read(c->ctx, NULL, matrix, NULL));
    out->cost_fn = isnan(f->cost_fn) ? setting(learner, "cost-fn", 1) : f->cost_fn;
    out->cost_fp = isnan(f->cost_fp) ? setting(learner, "cost-fp", 1) : f->cost_fp;
    out->costs = matrix;
    return CAIRN_OK;
}

cairn_status cairn_command_report_cost(cairn_command *c, const cairn_params *learner,
                                       const cairn_model *model, const cairn_judged *judged)
{
    cairn_judge_options judge = CAIRN_JUDGE_OPTIONS_INIT;
    const cairn_field *target = cairn_model_target(model);
    const double *costs;
    cairn_cost cost;
    if (!judged->n_classes) return CAIRN_OK;
    cairn_judged_classes of = {model->task, target->name, &target->names, model->positive};
    CHECK(cairn_command_costs(c, &judge, learner));
    CHECK(cairn_cost_matrix(c->ctx, &costs, &judge, &of));
    if (!costs) return CAIRN_OK;
    CHECK(cairn_judged_cost(c->ctx, &cost, judged, costs));
    cairn_report_value(c->report, "mean cost of the answers", cost.mean, "training.cost");
    cairn_report_value(c->report, "  of the cheapest constant answer", cost.baseline,
                       "training.baseline_cost");
    return CAIRN_OK;
}

cairn_status cairn_command_resampling(cairn_command *c, const char *option, const char *spec)
{
    cairn_params *checked = NULL;
    cairn_status status = cairn_params_from_spec(c->ctx, &checked, CAIRN_ENTRY_RESAMPLING, spec);
    if (status == CAIRN_OK) status = cairn_params_check(c->ctx, checked);
    if (status == CAIRN_USAGE) cairn_message_prefix(c->ctx, "--%s %s", option, spec);
    cairn_params_free(checked);
    return status;
}

/* -- measures -- */

cairn_status cairn_command_measures(cairn_command *c, const char *list, cairn_task *task)
{
    const cairn_entry *entry;
    char **names;
    size_t n;
    cairn_task common = CAIRN_TASK_AUTO;
    if (!list) return CAIRN_OK;
    CHECK(cairn_list_split(c->ctx, list, &names, &n));
    for (size_t i = 0; i < n; i++) {
        CHECK(cairn_entry_get(c->ctx, &entry, CAIRN_ENTRY_MEASURE, names[i]));
        cairn_task own = ((const cairn_measure *)entry)->task;
        if (common && own != common)
            CHECK(cairn_fail(c->ctx, CAIRN_USAGE,
                             "--measure: %s and %s do not go together: one judges %s, the other %s",
                             names[0], names[i], cairn_task_answers(common),
                             cairn_task_answers(own)));
        common = own;
    }
    if (task) *task = common;
    return CAIRN_OK;
}

/* -- pictures -- */

const char *cairn_picture_format(const char *path)
{
    static const char *const formats[] = {"svg", "png", "pdf"};
    for (size_t i = 0; path && i < 3; i++) {
        size_t length = strlen(path);
        if (length > 4 && path[length - 4] == '.' && strcmp(path + length - 3, formats[i]) == 0)
            return formats[i];
    }
    return NULL;
}

bool cairn_out_is_standard(const char *path)
{
    return cairn_starts_with(path, "-.") && cairn_picture_format(path);
}

cairn_status cairn_command_write_picture(cairn_command *c, const cairn_figure *figure,
                                         const char *path)
{
    const char *format = cairn_picture_format(path);
    OWNED(cairn_string_free) char *bytes = NULL;
    size_t length;
    if (strcmp(format, "svg") == 0) {
        CHECK(cairn_figure_svg(c->ctx, figure, &bytes));
        length = strlen(bytes);
    } else {
        CHECK(cairn_figure_render(c->ctx, figure, format, &bytes, &length));
    }
    c->out_done = true;
    if (cairn_out_is_standard(path)) {
        cairn_text text = cairn_text_start(c->ctx);
        cairn_text_add_bytes(&text, bytes, length);
        return cairn_command_give(c, &text);
    }
    CHECK(cairn_command_write_bytes(c, path, bytes, length));
    c->no_report = true;
    cairn_remark(c, "wrote %s", path);
    return CAIRN_OK;
}

/* How many figures up to number `i` have its name, itself included. */
static size_t place_of(const cairn_report *report, size_t i)
{
    const char *name = cairn_figure_name(cairn_report_figure_at(report, i));
    size_t place = 1;
    for (size_t j = 0; j < i; j++)
        place += strcmp(cairn_figure_name(cairn_report_figure_at(report, j)), name) == 0;
    return place;
}

/* With the names that there are. */
static cairn_status refuse_figure(cairn_command *c, const cairn_report *report, const char *name)
{
    size_t n = cairn_report_figure_count(report);
    cairn_text names = cairn_text_start(c->ctx);
    if (n == 0) return cairn_fail(c->ctx, CAIRN_USAGE, "the report has no pictures");
    for (size_t i = 0; i < n; i++) {
        size_t place = place_of(report, i);
        cairn_text_addf(&names, "%s%s", i ? ", " : "",
                        cairn_figure_name(cairn_report_figure_at(report, i)));
        if (place > 1) cairn_text_addf(&names, ":%zu", place);
    }
    cairn_status status = cairn_text_status(&names);
    if (status == CAIRN_OK)
        status =
            cairn_fail(c->ctx, CAIRN_USAGE, "--figure: the report has no picture '%s'; it has %s",
                       name, cairn_text_string(&names));
    cairn_text_clear(&names);
    return status;
}

/* The figure "NAME", or "NAME:2" for the second of that name; without a name the first of all. */
static cairn_figure *take_figure(cairn_report *report, const char *wanted)
{
    for (size_t i = 0; i < cairn_report_figure_count(report); i++) {
        const char *name = cairn_figure_name(cairn_report_figure_at(report, i));
        size_t length = strlen(name), place = place_of(report, i);
        char number[24];
        snprintf(number, sizeof number, ":%zu", place);
        bool same =
            !wanted || (strncmp(wanted, name, length) == 0 &&
                        (strcmp(wanted + length, number) == 0 || (place == 1 && !wanted[length])));
        if (!same) continue;
        cairn_figure *figure = NULL; /* earlier ones of the name go with the report */
        for (size_t k = 0; k < place; k++) {
            cairn_figure_free(figure);
            figure = cairn_report_take_figure(report, name);
            if (k + 1 < place) continue;
            return figure;
        }
    }
    return NULL;
}

cairn_status cairn_command_figure(cairn_command *c, const char *name,
                                  cairn_status (*fill)(cairn_command *command))
{
    const char *out = c->common->printing.out;
    cairn_report *report = c->report, *whole = NULL;
    cairn_figure *figure = NULL;
    cairn_status status;
    if (!name && !cairn_picture_format(out)) return fill(c);
    TRY(cairn_report_new(c->ctx, &whole));
    c->report = whole;
    status = fill(c);
    c->report = report;
    if (status) goto done;
    figure = take_figure(whole, name);
    if (!figure) TRY(refuse_figure(c, whole, name ? name : ""));
    if (cairn_picture_format(out)) TRY(cairn_command_write_picture(c, figure, out));
    cairn_report_figure(c->report, figure);
    figure = NULL;
done:
    cairn_figure_free(figure);
    cairn_report_free(whole);
    return status;
}
