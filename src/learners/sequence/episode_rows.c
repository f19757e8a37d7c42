/* SPDX-License-Identifier: MIT */
#include "learners/sequence/episode_rows.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/number.h"

#include <math.h>
#include <string.h>

ptrdiff_t cairn_find_feature(const cairn_view *view, const char *name)
{
    for (size_t j = 0; j < view->n_features; j++)
        if (strcmp(view->names[j], name) == 0) return (ptrdiff_t)j;
    return -1;
}

/* The number of a row's episode: those of the same level, or number, are one. */
static cairn_status number_episode(cairn_context *ctx, size_t *out, cairn_map *episodes,
                                   const cairn_table *table, ptrdiff_t group, size_t row)
{
    double cell = 0;
    if (group >= 0) {
        const cairn_column *column = table->slots[group].column;
        bool known = column->kind == CAIRN_LEVEL || column->kind == CAIRN_NUMBER;
        if (!known || cairn_column_is_missing(column, row))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "row %zu, column '%s': the episode is missing, or neither a level "
                              "nor a number",
                              row + 1, table->slots[group].name);
        cell = column->kind == CAIRN_LEVEL ? column->codes[row] : column->numbers[row] + 0.0;
    }
    return cairn_map_add(ctx, episodes, (const char *)&cell, sizeof cell, out);
}

static cairn_status order_rows(cairn_context *ctx, cairn_episode_rows *out, const cairn_view *view,
                               ptrdiff_t group)
{
    SCOPED(cairn_map_clear) cairn_map episodes = {0};
    size_t n = view->rows.n, *at, *episode;
    CHECK(SCRATCH(ctx, &episode, n));
    CHECK(SCRATCH(ctx, &out->order, n));
    for (size_t i = 0; i < n; i++) {
        if (i % 4096 == 0) CHECK(cairn_tick(ctx, "reading", (double)i, (double)n));
        CHECK(number_episode(ctx, &episode[i], &episodes, view->table, group,
                             cairn_view_row(view, i)));
    }
    out->n = episodes.n;
    CHECK(SCRATCH(ctx, &out->ends, episodes.n + 1));
    CHECK(SCRATCH(ctx, &at, episodes.n + 1));
    for (size_t i = 0; i < n; i++) at[episode[i] + 1]++;
    for (size_t e = 0; e < episodes.n; e++) out->ends[e] = at[e + 1] += at[e];
    for (size_t i = 0; i < n; i++) out->order[at[episode[i]]++] = i;
    return CAIRN_OK;
}

/* The numbers of the steps of the table's rows; NULL = there are none. */
static cairn_status find_steps(cairn_context *ctx, cairn_episode_rows *out, const double **steps,
                               const cairn_view *view, const char *name)
{
    ptrdiff_t at = cairn_table_find(view->table, name ? name : "step");
    *steps = at >= 0 ? cairn_table_numbers(view->table, (size_t)at) : NULL;
    if (name && !*steps)
        return cairn_fail(ctx, CAIRN_USAGE, "{step}: there is no number column '%s'", name);
    out->step = *steps ? cairn_find_feature(view, view->table->slots[at].name) : -1;
    return CAIRN_OK;
}

static cairn_status check_step(cairn_context *ctx, const double *steps, size_t before, size_t row,
                               bool grouped)
{
    char now[CAIRN_NUMBER_SIZE], then[CAIRN_NUMBER_SIZE];
    if (steps[row] >= steps[before]) return CAIRN_OK;
    if (isnan(steps[row]) || isnan(steps[before]))
        return cairn_fail(ctx, CAIRN_BAD_DATA, "row %zu: the step is missing",
                          (isnan(steps[row]) ? row : before) + 1);
    cairn_number_format(now, steps[row], CAIRN_SHORTEST);
    cairn_number_format(then, steps[before], CAIRN_SHORTEST);
    return cairn_fail(
        ctx, CAIRN_BAD_DATA,
        "row %zu: step %s does not come after step %s of its episode; sort the rows by episode and "
        "step first%s",
        row + 1, now, then,
        grouped ? "" : cairn_say(ctx, ", and name the episodes with {group COLUMN}"));
}

cairn_status cairn_episode_rows_read(cairn_context *ctx, cairn_episode_rows *out,
                                     const cairn_view *view, const char *step)
{
    ptrdiff_t group = cairn_table_role_column(view->table, CAIRN_GROUP);
    const double *steps;
    *out = (cairn_episode_rows){.step = -1};
    CHECK(find_steps(ctx, out, &steps, view, step));
    CHECK(order_rows(ctx, out, view, group));
    for (size_t e = 0, at = 0; steps && e < out->n; at = out->ends[e++])
        for (size_t i = at + 1; i < out->ends[e]; i++)
            CHECK(check_step(ctx, steps, cairn_view_row(view, out->order[i - 1]),
                             cairn_view_row(view, out->order[i]), group >= 0));
    return CAIRN_OK;
}
