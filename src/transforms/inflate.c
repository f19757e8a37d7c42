/* SPDX-License-Identifier: MIT */
/* Inflate classes: the training rows of a class count several times, by copies or by weights.
 *
 *   factor, of-class   the rows of that class count `factor` times
 *   balance            every class counts as much as the largest one
 *
 * A factor that is not whole copies all rows floor(factor) times and draws the rest at random; a
 * factor below 1 draws which rows stay. Weights need no drawing: they multiply the weight column,
 * which is made if there is none. Copies follow the rows themselves, class by class. New rows are
 * not touched. */
#include "transforms/columns.h"

#include "base/random.h"
#include "data/column.h"
#include "report/table_rows.h"

#include <math.h>
#include <string.h>

typedef enum { BY_COPIES, BY_WEIGHTS } inflate_way;

typedef struct inflate_params {
    const char *of_class;
    double factor;
    bool balance;
    int by; /* inflate_way */
} inflate_params;

static const cairn_choice ways[] = {
    {"copies", BY_COPIES, "rows are repeated"},
    {"weights", BY_WEIGHTS, "rows get weights"},
    {0},
};

static const cairn_param inflate_param_table[] = {
    CAIRN_PARAM(inflate_params, of_class, NULL, NULL, "the class whose rows count more or less"),
    CAIRN_PARAM(inflate_params, factor, "2", "(0,10000]", "how many times they count",
                .when = "!balance"),
    CAIRN_PARAM(inflate_params, balance, "no", NULL,
                "bring every class to the size of the largest"),
    CAIRN_PARAM_CHOICE(inflate_params, by, "copies", ways, "how"),
    CAIRN_PARAM_END,
};

typedef struct inflate_state {
    cairn_map classes;
    double *before, *after; /* classes.n: total weight */
    double *factors;        /* classes.n */
} inflate_state;

static cairn_status inflate_check(cairn_context *ctx, const void *values)
{
    const inflate_params *p = values;
    if (p->balance == (p->of_class != NULL))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "inflate needs either of-class with a factor, or balance=yes");
    return CAIRN_OK;
}

static cairn_status check_target(cairn_context *ctx, const cairn_view *view)
{
    if (!view->target)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "inflate: there is no target with classes; name it with {target}");
    if (view->target->kind != CAIRN_LEVEL)
        return cairn_fail(
            ctx, CAIRN_BAD_DATA,
            "inflate: the target '%s' holds numbers, not classes; {kinds \"%s=level\"} "
            "takes its values as classes",
            view->target_name, view->target_name);
    return CAIRN_OK;
}

static cairn_status find_factors(cairn_context *ctx, inflate_state *s, const inflate_params *p)
{
    double largest = 0;
    for (size_t k = 0; k < s->classes.n; k++) {
        s->factors[k] = 1;
        largest = fmax(largest, s->before[k]);
    }
    for (size_t k = 0; p->balance && k < s->classes.n; k++)
        if (s->before[k] > 0) s->factors[k] = largest / s->before[k];
    if (p->balance) return CAIRN_OK;
    int64_t at = cairn_map_find(&s->classes, p->of_class, strlen(p->of_class));
    if (at < 0) return cairn_no_class(ctx, "inflate", &s->classes, p->of_class);
    s->factors[at] = p->factor;
    return CAIRN_OK;
}

static cairn_status inflate_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const inflate_params *p = job->params;
    inflate_state *s = state;
    CHECK(check_target(ctx, job->view));
    CHECK(cairn_map_copy(ctx, &s->classes, &job->view->target->names));
    CHECK(NEW_EACH(ctx, s->classes.n + 1, &s->before, &s->after, &s->factors));
    for (size_t i = 0; i < job->view->rows.n; i++) {
        int32_t code = job->view->target->codes[cairn_view_row(job->view, i)];
        if (code >= 0) s->before[code] += cairn_view_weight(job->view, i);
    }
    CHECK(find_factors(ctx, s, p));
    for (size_t k = 0; k < s->classes.n; k++) s->after[k] = s->before[k] * s->factors[k];
    return CAIRN_OK;
}

/* -- copies -- */

/* Rows of a class, `times` of each, the rest of the factor at random. */
static size_t repeat_class(cairn_random *random, uint32_t *out, size_t *rows, size_t n,
                           double factor)
{
    size_t total = (size_t)llround(factor * (double)n), at = 0;
    while (total - at >= n && n) {
        for (size_t i = 0; i < n; i++) out[at++] = (uint32_t)rows[i];
    }
    if (at < total) {
        cairn_random_shuffle(random, rows, n);
        for (size_t i = 0; at < total; i++) out[at++] = (uint32_t)rows[i];
    }
    return at;
}

/* The rows as they are to come: every row that stays once in its old place, then the copies. */
static cairn_status draw_rows(cairn_context *ctx, const inflate_state *s,
                              const cairn_column *target, uint32_t **out, size_t *n_out)
{
    cairn_random random;
    size_t n = target->n_rows, *rows, at = 0, extra = 0;
    double total = (double)n;
    uint32_t *drawn, *made;
    bool *once;
    for (size_t k = 0; k < s->classes.n; k++) total += s->before[k] + ceil(s->after[k]);
    for (size_t i = 0; i < n; i++) /* weights say nothing about the number of rows */
        if (target->codes[i] >= 0) total += ceil(s->factors[target->codes[i]]);
    if (total > UINT32_MAX)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "inflate: there would be too many rows; use by=weights");
    CHECK(SCRATCH_RAW(ctx, &rows, n + 1));
    CHECK(SCRATCH_RAW(ctx, &drawn, (size_t)total + 1));
    CHECK(SCRATCH_RAW(ctx, &made, (size_t)total + n + 1));
    CHECK(SCRATCH(ctx, &once, n + 1));
    cairn_random_start(&random, cairn_context_seed(ctx), UINT64_C(0x1F1A7E));
    for (size_t k = 0; k < s->classes.n; k++) {
        size_t of_class = 0;
        for (size_t i = 0; i < n; i++)
            if (target->codes[i] == (int32_t)k) rows[of_class++] = i;
        extra += repeat_class(&random, drawn + extra, rows, of_class, s->factors[k]);
    }
    for (size_t i = 0; i < extra; i++) once[drawn[i]] = true;
    for (size_t i = 0; i < n; i++)
        if (once[i] || target->codes[i] < 0) made[at++] = (uint32_t)i;
    for (size_t i = 0; i < extra; i++) {
        if (!once[drawn[i]]) made[at++] = drawn[i];
        once[drawn[i]] = false;
    }
    *out = made;
    *n_out = at;
    return CAIRN_OK;
}

/* -- weights -- */

/* Classes are made more frequent by weights, or by copies of rows where a learner takes no weights;
 * a table without a target is left alone, as new rows are. */
static cairn_status inflate_apply(cairn_context *ctx, cairn_table **out, const void *state,
                                  const void *params, const cairn_table *table)
{
    const inflate_params *p = params;
    const inflate_state *s = state;
    OWNED(cairn_table_free) cairn_table *made = NULL;
    uint32_t *rows;
    size_t n;
    ptrdiff_t at = cairn_table_role_column(table, CAIRN_TARGET);
    if (at < 0) return cairn_table_share(ctx, out, table);
    const cairn_column *target = table->slots[at].column;
    CHECK(cairn_expect_kind(ctx, &table->slots[at], CAIRN_LEVEL));
    if (target->names.n > s->classes.n)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "inflate: the target has classes that were not there "
                          "when it was fitted");
    if (p->by == BY_WEIGHTS) {
        CHECK(cairn_table_share(ctx, &made, table));
        double *factors = NULL;
        CHECK(SCRATCH_RAW(ctx, &factors, made->n_rows));
        for (size_t i = 0; i < made->n_rows; i++)
            factors[i] = target->codes[i] < 0 ? 1 : s->factors[target->codes[i]];
        CHECK(cairn_table_multiply_weights(ctx, made, factors));
    } else {
        CHECK(draw_rows(ctx, s, target, &rows, &n));
        CHECK(cairn_memory_check(
            ctx, (double)cairn_table_bytes(table) * (double)n / (double)(table->n_rows + 1),
            "inflate: the copies", "use by=weights"));
        CHECK(cairn_table_take_rows(ctx, &made, table, rows, n));
    }
    *out = TAKE(made);
    return CAIRN_OK;
}

static void inflate_describe(cairn_report *out, const void *state, const void *params)
{
    const inflate_params *p = params;
    const inflate_state *s = state;
    cairn_report_table_of(out, p->by == BY_WEIGHTS ? "Classes, by weights" : "Classes, by copies",
                          0, "lrrr", "class", "before", "factor", "after");
    for (size_t k = 0; k < s->classes.n; k++) {
        const char *key = cairn_report_key(out, cairn_map_key(&s->classes, k));
        cairn_report_prefix(out, "inflate.%s", key);
        cairn_report_cells(out, "- @.before @.factor @.after", cairn_map_key(&s->classes, k),
                           s->before[k], s->factors[k], s->after[k]);
    }
    cairn_report_table_end(out);
}

static cairn_status check_factors(cairn_archive *a, const void *state, const void *around)
{
    const inflate_state *s = state;
    (void)around;
    for (size_t k = 0; k < s->classes.n; k++)
        if (!(s->factors[k] > 0 && s->factors[k] < 1e9))
            return cairn_archive_damaged(a, "a class is inflated by an impossible factor");
    return CAIRN_OK;
}

static const cairn_kept inflate_keeps[] = {
    KEEP(inflate_state, classes),
    KEEP_ARRAYS(inflate_state, "classes+1", before, after, factors),
    KEEP_CHECK(check_factors),
    KEEP_END,
};

const cairn_transform cairn_inflate = {
    .entry =
        {.kind = CAIRN_ENTRY_TRANSFORM,
         .name = "inflate",
         .also = "oversampling, class imbalance, upsampling, RandomOverSampler",
         .about = "SMOTE",
         .title = "Inflate a class",
         .summary =
             "Makes the training rows of a class count several times, because they are rare or "
             "because mistakes on them cost more: by copies, or by weights, which learners "
             "that use weights take as the same thing. balance=yes brings every class to the "
             "size of the largest. New rows are not touched.",
         .references = "Flach, Machine Learning, 2012",
         .example = "cairn fit tree @weather --with inflate:of-class=no,factor=2",
         .params = inflate_param_table,
         .params_size = sizeof(inflate_params),
         .check = inflate_check},
    .state_size = sizeof(inflate_state),
    .changes_rows = true,
    .fit = inflate_fit,
    .apply = inflate_apply,
    .describe = inflate_describe,
    .keeps = inflate_keeps,
};
