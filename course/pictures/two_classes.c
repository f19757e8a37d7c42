/* SPDX-License-Identifier: MIT */
/* One class against the rest: see two_classes.h. */
#include "pictures/two_classes.h"
#include "base/memory.h"
#include "model/task.h"
#include <math.h>
#include <string.h>

/* The class that is meant: the named one, or the usual positive of two; of more classes the user
 * must choose. */
static cairn_status find_class(cairn_context *ctx, cairn_two_classes *c, const char *of_class)
{
    const cairn_column *target = c->view.target;
    if (of_class) {
        int64_t code = cairn_map_find(&target->names, of_class, strlen(of_class));
        if (code < 0)
            return cairn_fail(ctx, CAIRN_USAGE, "the target '%s' has no class '%s'",
                              c->view.target_name, of_class);
        c->positive = (int32_t)code;
        return CAIRN_OK;
    }
    if (target->names.n < 2)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the target '%s' has one class only, and the picture compares two; add "
                          "rows of another class or choose another {target}",
                          c->view.target_name);
    CHECK(cairn_task_positive(ctx, &c->positive, &c->view, NULL));
    if (c->positive < 0)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the target '%s' has %zu classes; say with {of-class} which one is meant",
                          c->view.target_name, target->names.n);
    return CAIRN_OK;
}

cairn_status cairn_two_classes_find(cairn_context *ctx, cairn_two_classes *out,
                                    const cairn_table *table, const char *of_class)
{
    cairn_status status;
    ptrdiff_t at = cairn_table_role_column(table, CAIRN_TARGET);
    *out = (cairn_two_classes){0};
    if (at < 0)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the picture needs classes; name their column with {target}");
    TRY(cairn_table_share(ctx, &out->table, table));
    TRY(cairn_table_change_kind(ctx, out->table, (size_t)at, CAIRN_LEVEL));
    TRY(cairn_view_make(ctx, &out->view, out->table, cairn_all_rows(out->table)));
    TRY(find_class(ctx, out, of_class));
    TRY(SCRATCH_EACH(ctx, table->n_rows + 1, &out->is_positive, &out->weights));
    const cairn_column *target = out->view.target;
    for (size_t i = 0; i < table->n_rows; i++) {
        int32_t code = target->codes[i];
        out->is_positive[i] = (int8_t)(code < 0 ? -1 : code == out->positive);
        out->weights[i] = cairn_view_weight(&out->view, i);
    }
    out->name = cairn_level_name(target, out->positive);
    out->other = target->names.n == 2 ? cairn_level_name(target, 1 - out->positive) : "others";
    out->group[1] = out->positive;
    out->group[0] =
        out->positive == 0 || (target->names.n == 2 && out->positive == 1) ? 1 - out->positive : 0;
    out->n_groups = (size_t)(out->positive > 0 ? out->positive : 1) + 1;
    TRY(SCRATCH(ctx, &out->group_names, out->n_groups));
    for (size_t k = 0; k < out->n_groups; k++) out->group_names[k] = "";
    out->group_names[out->group[0]] = out->other;
    out->group_names[out->group[1]] = out->name;
done:
    if (status) cairn_table_free(out->table);
    if (status) out->table = NULL;
    return status;
}

cairn_status cairn_two_classes_map(cairn_context *ctx, cairn_calibration *out,
                                   const cairn_two_classes *c, size_t column,
                                   cairn_calibration_options options)
{
    cairn_status status;
    const double *numbers = c->table->slots[column].column->numbers;
    size_t n = 0;
    double *scores, *weights;
    int8_t *classes;
    cairn_ranking ranking;
    TRY(SCRATCH_EACH(ctx, c->table->n_rows + 1, &scores, &weights, &classes));
    for (size_t i = 0; i < c->table->n_rows; i++) {
        if (isnan(numbers[i]) || c->is_positive[i] < 0 || !(c->weights[i] > 0)) continue;
        scores[n] = numbers[i];
        weights[n] = c->weights[i];
        classes[n++] = c->is_positive[i];
    }
    TRY(cairn_ranking_make(ctx, &ranking, scores, classes, weights, n));
    options.falling = cairn_ranking_auc(&ranking) < 0.5;
    status = cairn_calibration_fit_ranking(ctx, out, &options, &ranking);
    if (status) cairn_message_prefix(ctx, "column '%s'", c->table->slots[column].name);
done:
    return status;
}
