/* SPDX-License-Identifier: MIT */
/* What the verbs that judge share: see judging.h. */
#include "command/judging.h"

#include "base/memory.h"
#include "base/number.h"
#include "data/column.h"
#include "data/schema.h"
#include "evaluate/judge.h"
#include "model/task.h"
#include "stats/cost_matrix.h"
#include "stats/measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- rows of their own to test on -- */

/* A column with the cells of the file behind those of the table; a name of rows that the file has
 * not is left out, since nothing is learned from it. */
static cairn_status extend_column(cairn_command *c, cairn_table *to, const cairn_slot *slot,
                                  const cairn_table *test, const char *path)
{
    ptrdiff_t at = cairn_table_find(test, slot->name);
    cairn_column *column;
    if (at < 0 && (slot->role == CAIRN_ID || slot->role == CAIRN_IGNORED)) return CAIRN_OK;
    if (at < 0)
        return cairn_fail(
            c->ctx, CAIRN_BAD_DATA,
            "%s has no column '%s', which is learned from or predicted; {test} takes a "
            "file with the columns of the data",
            path, slot->name);
    CHECK(cairn_column_extend(c->ctx, &column, slot->column, test->slots[at].column));
    CHECK(cairn_table_add_column(c->ctx, to, slot->name, slot->role, column));
    to->slots[to->n_columns - 1].chosen = slot->chosen;
    return CAIRN_OK;
}

static void warn_of_test(const cairn_command *c, const cairn_match *match, const char *path)
{
    if (match->n_unseen)
        cairn_warn(
            c->ctx,
            "%s: %zu cell%s hold%s what the rows that are learned from do not have (first '%s' "
            "in row %zu); %s missing there",
            path, match->n_unseen, match->n_unseen == 1 ? "" : "s", match->n_unseen == 1 ? "s" : "",
            match->first_value, match->first_row + 1,
            match->n_unseen == 1 ? "it is taken as" : "they are taken as");
}

cairn_status cairn_command_add_test(cairn_command *c, cairn_table **table, const char *path,
                                    const char **by)
{
    OWNED(cairn_table_free) cairn_table *test = NULL;
    OWNED(cairn_table_free) cairn_table *matched = NULL;
    OWNED(cairn_table_free) cairn_table *all = NULL;
    SCOPED(cairn_schema_clear) cairn_schema schema = {0};
    cairn_match match = {.first_field = -1};
    char *spec;
    CHECK(cairn_command_table(c, &test, path));
    CHECK(cairn_schema_from_table(c->ctx, &schema, *table));
    CHECK(cairn_schema_match(c->ctx, &matched, &schema, test, true, &match));
    warn_of_test(c, &match, path);
    if (cairn_table_hash(*table) == cairn_table_hash(test))
        cairn_warn(c->ctx,
                   "%s has the very rows that are learned from, so what is found is "
                   "optimistic",
                   path);
    CHECK(cairn_table_new(c->ctx, &all, (*table)->n_rows + matched->n_rows));
    CHECK(cairn_table_copy_source(c->ctx, all, *table));
    for (size_t j = 0; j < (*table)->n_columns; j++)
        CHECK(extend_column(c, all, &(*table)->slots[j], matched, path));
    CHECK(SCRATCH(c->ctx, &spec, 32));
    snprintf(spec, 32, "first:%zu", (*table)->n_rows);
    *by = spec;
    cairn_report_word(c->report, "tested on", path, "test");
    cairn_report_hidden(c->report, (double)matched->n_rows, "test.rows");
    cairn_table_free(*table);
    *table = TAKE(all);
    return CAIRN_OK;
}

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

/* One figure is picked from those that are drawn, and all are remembered by their labels: "roc",
 * "roc:2" for the second of the name. */
typedef struct picking {
    cairn_context *ctx;
    const char *wanted; /* a label, "roc:1" among them; NULL = the first of all */
    cairn_figure *found;
    cairn_map labels;
    cairn_status status;
} picking;

static void clear_picking(picking *p)
{
    cairn_figure_free(p->found);
    cairn_map_clear(&p->labels);
}

/* Takes the figure if it is the wanted one, and frees it otherwise. */
static void pick_figure(void *data, cairn_figure *figure)
{
    picking *p = data;
    SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(p->ctx);
    size_t index, place = 1, length = strlen(cairn_figure_name(figure));
    cairn_text_add(&label, cairn_figure_name(figure));
    for (; cairn_map_find(&p->labels, cairn_text_string(&label), label.length) >= 0; place++) {
        label.length = length;
        cairn_text_addf(&label, ":%zu", place + 1);
    }
    if (!p->status) p->status = cairn_text_status(&label);
    if (!p->status)
        p->status =
            cairn_map_add(p->ctx, &p->labels, cairn_text_string(&label), label.length, &index);
    bool same = !p->wanted || cairn_same(p->wanted, cairn_text_string(&label));
    if (place == 1) cairn_text_add(&label, ":1");
    same |= cairn_same(p->wanted, cairn_text_string(&label));
    if (same && !p->found)
        p->found = figure;
    else
        cairn_figure_free(figure);
}

/* With the names that there are. */
static cairn_status refuse_figure(const picking *p)
{
    SCOPED(cairn_text_clear) cairn_text names = cairn_text_start(p->ctx);
    if (!p->labels.n) return cairn_fail(p->ctx, CAIRN_USAGE, "the report has no pictures");
    for (size_t i = 0; i < p->labels.n; i++)
        cairn_text_addf(&names, "%s%s", i ? ", " : "", cairn_map_key(&p->labels, i));
    CHECK(cairn_text_status(&names));
    return cairn_fail(p->ctx, CAIRN_USAGE, "--figure: the report has no picture '%s'; it has %s",
                      p->wanted, cairn_text_string(&names));
}

cairn_status cairn_command_figure(cairn_command *c, const char *name,
                                  cairn_status (*fill)(cairn_command *command))
{
    const char *out = c->common->printing.out;
    cairn_report *report = c->report;
    OWNED(cairn_report_free) cairn_report *whole = NULL;
    SCOPED(clear_picking) picking p = {.ctx = c->ctx, .wanted = name};
    if (!name && !cairn_picture_format(out)) return fill(c);
    CHECK(cairn_report_new(c->ctx, &whole));
    cairn_report_hand_figures(whole, pick_figure, &p);
    c->report = whole;
    cairn_status status = fill(c);
    c->report = report;
    CHECK(status);
    CHECK(p.status);
    if (!p.found) return refuse_figure(&p);
    if (cairn_picture_format(out)) CHECK(cairn_command_write_picture(c, p.found, out));
    cairn_report_figure(c->report, TAKE(p.found));
    return CAIRN_OK;
}
