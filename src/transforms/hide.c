/* SPDX-License-Identifier: MIT */
/* Hide columns from what comes after, in fitting and on new rows: to learn from computed columns
 * only, or to see what is lost when an attribute that matters cannot be observed. A column that was
 * hidden need not be there when the model is applied. */
#include "transforms/columns.h"

#include <string.h>

typedef struct hide_params {
    const char *columns;
} hide_params;

static const cairn_param hide_param_table[] = {
    {.name = "columns",
     .type = CAIRN_TYPE_COLUMNS,
     .offset = offsetof(hide_params, columns),
     .help = "the columns to hide",
     .required = true},
    CAIRN_PARAM_END,
};

typedef struct hide_state {
    cairn_map names;
} hide_state;

static bool fits_any(const cairn_column *column)
{
    (void)column;
    return true;
}

static cairn_status hide_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const hide_params *p = job->params;
    hide_state *s = state;
    cairn_status status;
    size_t *chosen, n, index;
    TRY(cairn_choose_features(ctx, job->view, "hide", p->columns, fits_any, "a column", &chosen,
                              &n));
    for (size_t i = 0; i < n; i++) {
        const char *name = job->view->names[chosen[i]];
        TRY(cairn_map_add(ctx, &s->names, name, strlen(name), &index));
    }
done:
    return status;
}

static cairn_status hide_apply(cairn_context *ctx, cairn_table **out, const void *state,
                               const void *params, const cairn_table *table)
{
    (void)params;
    const hide_state *s = state;
    cairn_status status;
    cairn_table *made = NULL;
    TRY(cairn_table_share(ctx, &made, table));
    for (size_t i = made->n_columns; i-- > 0;)
        if (cairn_map_find(&s->names, made->slots[i].name, strlen(made->slots[i].name)) >= 0)
            cairn_table_remove_column(made, i);
    *out = made;
done:
    return status;
}

static void hide_describe(cairn_report *out, const void *state, const void *params)
{
    (void)params;
    const hide_state *s = state;
    cairn_text names = cairn_text_start(cairn_report_context(out));
    for (size_t i = 0; i < s->names.n; i++)
        cairn_text_addf(&names, "%s%s", i ? ", " : "", cairn_map_key(&s->names, i));
    cairn_report_word(out, "hidden", cairn_text_string(&names), "hide.columns");
    cairn_report_failed(out, cairn_text_status(&names));
    cairn_text_clear(&names);
}

static cairn_status hide_archive(cairn_archive *a, void *state)
{
    return cairn_archive_map(a, "names", &((hide_state *)state)->names);
}

static void hide_clear(void *state)
{
    cairn_map_clear(&((hide_state *)state)->names);
}

const cairn_transform cairn_hide = {
    .entry = {.kind = CAIRN_ENTRY_TRANSFORM,
              .name = "hide",
              .title = "Hide columns",
              .summary =
                  "Takes columns away from what comes after, in fitting and in predicting: a "
                  "column that served to compute others (formula), or an attribute that plays the "
                  "part of one that nobody could observe. --ignore does the same before the first "
                  "transform.",
              .references = "Flach, Machine Learning, 2012",
              .example = "cairn fit tree @weather --with hide:outlook",
              .params = hide_param_table,
              .params_size = sizeof(hide_params)},
    .state_size = sizeof(hide_state),
    .fit = hide_fit,
    .apply = hide_apply,
    .describe = hide_describe,
    .archive = hide_archive,
    .clear = hide_clear,
};
