/* SPDX-License-Identifier: MIT */
/* Agreement of predictions with the target of the same rows: share of right classes, or squared
 * error and R2. Rows whose target is missing do not count; weights do. */
#include "command/scores.h"
#include "command/judging.h"

#include "base/memory.h"
#include "base/number.h"
#include "data/column.h"
#include "data/row_names.h"
#include "data/target_labels.h"
#include "model/judged_clusters.h"
#include "model/judged_rows.h"
#include "report/table_rows.h"
#include "stats/errors.h"
#include "wrappers/multi_target.h"

#include <math.h>
#include <string.h>

/* Answers beside the target; rows that have none weigh nothing. */
typedef struct agreement {
    cairn_judged judged;
    size_t n;       /* rows with a target */
    size_t unknown; /* classes: of them, rows of a class that the model does not know */
} agreement;

/* `raw` is the target before it was matched: a class that the model does not know has no code, but
 * it is not missing, and no prediction can be right about it. */
static cairn_status leave_out_waiting(cairn_context *ctx, agreement *a, const cairn_column *raw)
{
    double *weights;
    cairn_judged *j = &a->judged;
    CHECK(SCRATCH(ctx, &weights, j->n + 1));
    for (size_t i = 0; i < j->n; i++) {
        bool given = j->n_classes ? !cairn_column_is_missing(raw, j->units ? j->units[i] : i)
                                  : !isnan(j->actual_number[i] - j->predicted_number[i]);
        if (!given) continue;
        weights[i] = cairn_judged_weight(j, i);
        a->n++;
        a->unknown += j->n_classes && j->actual[i] < 0;
    }
    j->weights = weights;
    return CAIRN_OK;
}

/* The kind of column that the answers are. */
static cairn_kind answered_kind(const cairn_prediction *p)
{
    return p->starts ? CAIRN_SEQUENCE : p->codes ? CAIRN_LEVEL : CAIRN_NUMBER;
}

/* Put the answers beside the target of the raw table; n stays 0 when it has none. Scratch. */
static cairn_status compare(cairn_context *ctx, agreement *out, const cairn_model *model,
                            const cairn_table *table, const cairn_prediction *p)
{
    const cairn_field *target = cairn_model_target(model);
    OWNED(cairn_table_free) cairn_table *matched = NULL;
    cairn_match match;
    cairn_view view;
    *out = (agreement){0};
    ptrdiff_t raw = target ? cairn_table_find(table, target->name) : -1;
    if (raw < 0) return CAIRN_OK;
    CHECK(cairn_schema_match(ctx, &matched, &model->schema, table, true, &match));
    CHECK(cairn_view_make(ctx, &view, matched, cairn_all_rows(matched)));
    if (!view.target || answered_kind(p) != view.target->kind) return CAIRN_OK;
    CHECK(cairn_judged_rows(ctx, &out->judged, &view, p, model->positive));
    return leave_out_waiting(ctx, out, table->slots[raw].column);
}

static cairn_errors errors_of(const agreement *a)
{
    cairn_errors errors = {0};
    const cairn_judged *j = &a->judged;
    if (!j->n_classes)
        cairn_errors_of(&errors, j->actual_number, j->predicted_number, j->weights, j->n);
    return errors;
}

/* The values that the learner has not reported in its own description; hidden when it reported the
 * like under names of its own. */
static void training_values(cairn_report *report, const agreement *a, unsigned reported,
                            bool hidden)
{
    bool classes = a->judged.n_classes > 0;
    double accuracy = classes ? cairn_judged_accuracy(&a->judged) : NAN;
    cairn_errors errors = errors_of(a);
    const struct {
        const char *label, *name;
        double value;
        bool of_classes;
    } rows[] = {{"share classified correctly", "training.accuracy", accuracy, true},
                {"error on the training rows", "training.error", 1 - accuracy, true},
                {"mean squared error", "training.mse", errors.mse, false},
                {"root of it", "training.rmse", errors.rmse, false},
                {"mean absolute error", "training.mae", errors.mae, false},
                {"R²", "training.r2", errors.r2, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool known = (reported & CAIRN_REPORTS_MSE) && strcmp(rows[i].name, "training.mse") == 0;
        if (rows[i].of_classes != classes || known) continue;
        if (hidden)
            cairn_report_hidden(report, rows[i].value, "%s", rows[i].name);
        else
            cairn_report_value(report, rows[i].label, rows[i].value, "%s", rows[i].name);
    }
    if (a->judged.units)
        cairn_report_value(report, "share of sequences without an error",
                           cairn_judged_whole_accuracy(&a->judged), "training.whole_accuracy");
}

/* Whether predicting all rows of the table would take much longer than fitting did: the learner
 * looks at its training rows again for each of them, or there are very many classes to score. */
static bool answers_slowly(const cairn_model *model, const cairn_table *table)
{
    static const double most_scores = 2e9;
    double scores = (double)model->n_classes * (double)table->n_rows;
    return model->learner->answers_slowly || scores > most_scores;
}

/* Predict the training rows and report how well they are met, unless the learner does. */
static cairn_status judge_training(cairn_command *c, const cairn_model *model,
                                   const cairn_table *table, unsigned reported)
{
    SCOPED_SCRATCH(c->ctx);
    SCOPED(cairn_prediction_clear) cairn_prediction prediction = {0};
    cairn_match match;
    OWNED(cairn_table_free) cairn_table *sample = NULL;
    agreement a;
    double begun = cairn_seconds();
    /* Rows spread evenly over a table that is too large to be predicted for the report; *out
     * stays NULL when it is not. */
    enum { ENOUGH = 2000 };
    uint32_t *rows;
    size_t step = table->n_rows / ENOUGH, n = 0;
    sample = NULL;
    if (answers_slowly(model, table) && !(step < 2)) {
        CHECK(SCRATCH_RAW(c->ctx, &rows, table->n_rows / step + 1));
        for (size_t row = 0; row < table->n_rows; row += step) rows[n++] = (uint32_t)row;
        CHECK(cairn_table_take_rows(c->ctx, &sample, table, rows, n));
    }
    if (sample) table = sample;
    CHECK(cairn_model_predict_rows(c->ctx, &prediction, model, table, cairn_all_rows(table),
                                   (cairn_predict_wants){0}, &match));
    c->seconds_predict = cairn_seconds() - begun;
    CHECK(compare(c->ctx, &a, model, table, &prediction));
    if (a.n == 0 || (reported & CAIRN_REPORTS_ACCURACY)) return CAIRN_OK;
    bool own_names = reported & CAIRN_REPORTS_ERRORS;
    bool other_units = prediction.numbers && cairn_model_changes_target(model);
    bool hidden = own_names && !other_units;
    if (!hidden && sample)
        cairn_report_heading(c->report, 2, "On %zu of the training rows", sample->n_rows);
    else if (!hidden)
        cairn_report_heading(c->report, 2,
                             own_names ? "On the training rows, in the units of the target"
                                       : "On the training rows");
    training_values(c->report, &a, reported, hidden);
    return cairn_command_report_cost(c, c->inner, model, &a.judged);
}

/* The same for several targets: a line each. */
static cairn_status judge_targets(cairn_command *c, const cairn_multi_target_parts *parts,
                                  const cairn_table *table)
{
    static const char *const heads[] = {"target", "rows", "accuracy", "mean squared error", "R²"};
    size_t n_heads = parts->labels ? 3 : 5;
    cairn_prediction prediction = {0};
    cairn_match match;
    cairn_status status = CAIRN_OK;
    double begun = cairn_seconds();
    cairn_report_heading(c->report, 2, "On the training rows");
    cairn_report_table_of(c->report, NULL, 0, "l", parts->labels ? "label" : heads[0]);
    for (size_t i = 1; i < n_heads; i++) cairn_report_column(c->report, heads[i], 'r');
    for (size_t t = 0; t < parts->n; t++) {
        const char *name = cairn_model_target(parts->models[t])->name;
        if (parts->labels) name = cairn_label_name(name, parts->labels);
        const char *key = cairn_report_key(c->report, name);
        agreement a;
        TRY(cairn_model_predict_rows(c->ctx, &prediction, parts->models[t], table,
                                     cairn_all_rows(table), (cairn_predict_wants){0}, &match));
        TRY(compare(c->ctx, &a, parts->models[t], table, &prediction));
        bool classes = prediction.codes != NULL;
        double accuracy = classes ? cairn_judged_accuracy(&a.judged) : NAN;
        cairn_errors errors = errors_of(&a);
        cairn_prediction_clear(&prediction);
        cairn_report_cells(c->report, NULL, name, (double)a.n);
        cairn_report_cell_number(c->report, accuracy, 5, classes ? "%s.training.accuracy" : NULL,
                                 key);
        if (parts->labels) continue;
        cairn_report_cell_number(c->report, classes ? NAN : errors.mse, 5,
                                 classes ? NULL : "%s.training.mse", key);
        cairn_report_cell_number(c->report, classes ? NAN : errors.r2, 5,
                                 classes ? NULL : "%s.training.r2", key);
    }
    c->seconds_predict = cairn_seconds() - begun;
done:
    cairn_report_table_end(c->report);
    cairn_prediction_clear(&prediction);
    return status;
}

/* Of a class with one row nothing can be learned but that row. */
static cairn_status note_single_rows(cairn_command *c, const cairn_model *model,
                                     const cairn_table *table)
{
    ptrdiff_t at = cairn_table_role_column(table, CAIRN_TARGET);
    size_t *counts, n = 0, first = 0;
    OWNED(cairn_column_drop) cairn_column *levels = NULL;
    if (model->task != CAIRN_CLASSIFY || at < 0) return CAIRN_OK;
    const cairn_column *target = table->slots[at].column;
    bool numbers = target->kind == CAIRN_NUMBER;
    if (target->kind != CAIRN_LEVEL && !numbers) return CAIRN_OK;
    if (numbers) {
        CHECK(cairn_column_convert(c->ctx, &levels, target, CAIRN_LEVEL, table->slots[at].name,
                                   table->source, NULL, NULL));
        target = levels;
    }
    const cairn_map *names = &target->names;
    CHECK(SCRATCH(c->ctx, &counts, names->n));
    for (size_t i = 0; i < target->n_rows; i++)
        if (target->codes[i] >= 0) counts[target->codes[i]]++;
    for (size_t k = names->n; k-- > 0;) {
        if (counts[k] != 1) continue;
        first = k;
        n++;
    }
    if (n) cairn_report_hidden(c->report, (double)n, "training.single_row_classes");
    if (n == 1)
        cairn_report_note(c->report,
                          "Class '%s' has one row: all that is known of it is that row, and no "
                          "estimate can both learn from it and test it. Collect more rows, merge "
                          "the class with another, or leave it out.",
                          cairn_map_key(names, first));
    else if (n)
        cairn_report_note(c->report,
                          "%zu classes have one row each, '%s' for one: all that is known of them "
                          "is that row, and no estimate can both learn from it and test it. "
                          "Collect more rows, merge classes, or leave these out%s.",
                          n, cairn_map_key(names, first),
                          numbers ? "; or predict the number as a number (linear, forest, knn)"
                                  : "");
    return CAIRN_OK;
}

/* Whether some column has series, between which there is no distance. */
static bool has_series(const cairn_model *model)
{
    for (size_t i = 0; i < model->schema.n_fields; i++)
        if (model->schema.fields[i].role == CAIRN_FEATURE &&
            model->schema.fields[i].kind == CAIRN_SERIES)
            return true;
    return false;
}

/* "{ann, bob}": the rows whose code is that of the cluster, of many the first. */
static cairn_status add_members(cairn_context *ctx, cairn_text *out, const cairn_table *table,
                                const int32_t *codes, int32_t code)
{
    enum { SHOWN = 100 };
    size_t n = 0;
    cairn_text_add_char(out, '{');
    for (size_t i = 0; i < table->n_rows; i++) {
        const char *name;
        SCOPED_SCRATCH(ctx);
        if (codes[i] != code || n++ >= SHOWN) continue;
        CHECK(cairn_row_name(ctx, &name, table, i));
        cairn_text_addf(out, "%s%s", n > 1 ? ", " : "", name ? name : "?");
    }
    if (n > SHOWN) cairn_text_addf(out, ", … %zu more", n - SHOWN);
    cairn_text_add_char(out, '}');
    return cairn_text_status(out);
}

/* The clusters as sets of names, where rows have names; rows without a cluster last. */
static cairn_status show_members(cairn_command *c, const cairn_model *model,
                                 const cairn_table *table, const int32_t *codes)
{
    enum { MOST_CLUSTERS = 200 };
    const char *name = NULL;
    int32_t n = 0, without = 0;
    if (model->learner->tells_members || !codes || !table->n_rows) return CAIRN_OK;
    CHECK(cairn_row_name(c->ctx, &name, table, 0));
    if (!name) return CAIRN_OK;
    for (size_t i = 0; i < table->n_rows; i++) {
        if (codes[i] >= n) n = codes[i] + 1;
        without += codes[i] < 0;
    }
    if (n + (without > 0) < 2 || n > MOST_CLUSTERS) return CAIRN_OK;
    cairn_report_table_of(c->report, "Clusters as sets of rows", MOST_CLUSTERS, "rl", "cluster",
                          "rows");
    for (int32_t k = 0; k < n + (without > 0); k++) {
        SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(c->ctx);
        CHECK(add_members(c->ctx, &text, table, codes, k < n ? k : -1));
        if (k == n) {
            cairn_report_cells(c->report, "- none.rows", "none", cairn_text_string(&text));
            continue;
        }
        cairn_report_cells(c->report, "- cluster$1.rows", k + 1, cairn_text_string(&text));
    }
    return CAIRN_OK;
}

/* The shape of the clusters that were found, where looking at every pair of rows costs little. */
static cairn_status judge_clusters(cairn_command *c, const cairn_model *model,
                                   const cairn_table *table)
{
    enum { FEW_ROWS = 2000, LEAST_MEMBERS = 6 };
    static const char *const names[] = {"silhouette", "davies-bouldin", "calinski-harabasz"};
    cairn_scratch_mark mark = cairn_scratch_now(c->ctx);
    cairn_judged_clusters clusters = {0};
    cairn_status status = CAIRN_OK;
    unsigned before;
    bool any = false;
    if (table->n_rows > FEW_ROWS || has_series(model)) return CAIRN_OK;
    TRY(cairn_judged_clusters_of(c->ctx, &clusters, model, table, cairn_all_rows(table), NULL,
                                 true));
    cairn_report_clip_begin(c->report, LEAST_MEMBERS);
    TRY(show_members(c, model, table, clusters.prediction.codes));
    cairn_report_clip_end(c->report);
    before = cairn_report_only(c->report, CAIRN_IN_FULL);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const cairn_entry *entry = cairn_entry_find(c->ctx, CAIRN_ENTRY_MEASURE, names[i]);
        double value;
        TRY(cairn_measure_clusters(c->ctx, &value, (const cairn_measure *)entry, &clusters));
        if (isnan(value)) continue;
        if (!any) cairn_report_heading(c->report, 2, "Shape of the clusters");
        cairn_report_value(c->report, names[i], value, "training.%s", names[i]);
        any = true;
    }
    cairn_report_note(
        c->report, "'cairn evaluate%s' has more measures%s.", c->line + strlen("cairn fit"),
        clusters.labelling ? "" : "; --target COLUMN compares with a known labelling");
    cairn_report_for(c->report, before & CAIRN_IN_BRIEF);
    cairn_report_paragraph(c->report, "How good the clusters are: cairn evaluate%s",
                           c->line + strlen("cairn fit"));
    cairn_report_for(c->report, before);
done:
    cairn_judged_clusters_clear(&clusters);
    cairn_scratch_release(c->ctx, mark);
    return status;
}

/* Of fewer rows one class is soon in none of those that are learned from, and numbers that are set
 * for all rows (neighbours, an order of visits) no longer fit. */
enum { FEW_TO_HOLD_OUT = 10 };

cairn_status cairn_report_training(cairn_command *c, const cairn_model *model,
                                   const cairn_table *table)
{
    cairn_multi_target_parts parts;
    unsigned reported = cairn_model_reports(model);
    if (model->task == CAIRN_CLUSTER) return judge_clusters(c, model, table);
    if (!model->learner->predict) return CAIRN_OK;
    unsigned before = cairn_report_only(c->report, CAIRN_IN_FULL | CAIRN_NOTES);
    if (cairn_multi_target_look(&parts, model) && (parts.n > 1 || parts.labels))
        CHECK(judge_targets(c, &parts, table));
    else if (!(reported & CAIRN_REPORTS_ACCURACY) || c->common->running.timings)
        CHECK(judge_training(c, model, table, reported));
    CHECK(note_single_rows(c, model, table));
    if (table->n_rows < FEW_TO_HOLD_OUT) {
        cairn_report_note(c->report,
                          "Errors on the rows that the model was fitted to are optimistic, and %zu "
                          "row%s too few to tell how it does on new ones.",
                          table->n_rows, table->n_rows == 1 ? " is" : "s are");
        cairn_report_for(c->report, before);
        return CAIRN_OK;
    }
    /* every option of fit that the line holds is one of evaluate too */
    (void)cairn_report_only(c->report, CAIRN_IN_FULL);
    cairn_report_note(c->report,
                      "Errors on the rows that the model was fitted to are optimistic; 'cairn "
                      "evaluate%s' estimates how it does on new rows.",
                      c->line + strlen("cairn fit"));
    cairn_report_for(c->report, before & CAIRN_IN_BRIEF);
    cairn_report_paragraph(c->report, "How good it is on new rows: cairn evaluate%s",
                           c->line + strlen("cairn fit"));
    cairn_report_for(c->report, before);
    return CAIRN_OK;
}

/* Several targets are compared by another verb. */
static cairn_status remark_targets(cairn_command *c, const cairn_multi_target_parts *parts,
                                   const cairn_table *table)
{
    const char *name = parts->labels ? parts->labels : cairn_model_target(parts->models[0])->name;
    if (cairn_table_find(table, name) >= 0)
        cairn_remark(c, "the data holds '%s', too: 'cairn evaluate %s %s' compares", name,
                     c->words[0], c->words[1]);
    return CAIRN_OK;
}

cairn_status cairn_remark_scores(cairn_command *c, const cairn_model *model,
                                 const cairn_table *table, const cairn_prediction *prediction)
{
    agreement a;
    cairn_multi_target_parts parts;
    if (cairn_multi_target_look(&parts, model)) return remark_targets(c, &parts, table);
    char first[CAIRN_NUMBER_SIZE], second[CAIRN_NUMBER_SIZE];
    cairn_status status = compare(c->ctx, &a, model, table, prediction);
    if (status || a.n == 0) return status;
    const char *target = cairn_model_target(model)->name;
    bool training = cairn_model_learned_from(model, table);
    const char *whose = training ? "; the model was fitted to them, so this is optimistic" : "";
    cairn_errors errors = errors_of(&a);
    cairn_report_hidden_word(c->report, training ? "the training rows" : "given", "rows_are");
    if (prediction->codes) {
        cairn_number_format(first, 100 * cairn_judged_accuracy(&a.judged), 4);
        cairn_remark(c, "the data holds '%s': %s%% of %zu %s%s classified correctly%s", target,
                     first, a.n, a.judged.units ? "item" : "row", a.n == 1 ? " is" : "s are",
                     whose);
        if (a.unknown)
            cairn_remark(c,
                         "%zu of them %s a class that the model does not know and %s as "
                         "wrong",
                         a.unknown, a.unknown == 1 ? "has" : "have",
                         a.unknown == 1 ? "counts" : "count");
        cairn_report_hidden(c->report, cairn_judged_accuracy(&a.judged), "accuracy");
    } else {
        cairn_number_format(first, errors.rmse, 6);
        cairn_number_format(second, errors.r2, 4);
        bool spread = !isnan(errors.r2); /* not where all values are equal */
        cairn_remark(c, "the data holds '%s': root mean squared error %s%s%s on %zu row%s%s",
                     target, first, spread ? ", R² " : "", spread ? second : "", a.n,
                     a.n == 1 ? "" : "s", whose);
        cairn_report_hidden(c->report, errors.rmse, "rmse");
        cairn_report_hidden(c->report, errors.r2, "r2");
    }
    return CAIRN_OK;
}
