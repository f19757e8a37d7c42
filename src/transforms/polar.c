/* SPDX-License-Identifier: MIT */
/* Two columns as polar coordinates, or back: r = sqrt(x^2 + y^2), angle = atan2(y, x) in (-pi, pi],
 * and x = r cos(angle), y = r sin(angle). Nothing is learned; the two new columns stand where the
 * first of the old ones stood. */
#include "base/number.h"
#include "transforms/columns.h"

#include "data/column.h"
#include "entry/entry.h"
#include "transforms/computing.h"
#include "parallel/parallel.h"
#include "base/functions.h"

#include <math.h>
#include <string.h>

typedef enum { TO_POLAR, TO_CARTESIAN } polar_direction;
typedef enum { UNIT_RADIANS, UNIT_DEGREES } polar_unit;

typedef struct polar_params {
    const char *columns;
    int to;   /* polar_direction */
    int unit; /* polar_unit */
    const char *names;
} polar_params;

static const cairn_choice directions[] = {
    {"polar", TO_POLAR, "from x and y to distance and angle"},
    {"cartesian", TO_CARTESIAN, "from distance and angle to x and y"},
    {0},
};
static const cairn_choice units[] = {
    {"radians", UNIT_RADIANS, "a full turn is 2 pi"},
    {"degrees", UNIT_DEGREES, "a full turn is 360"},
    {0},
};

static const cairn_param polar_param_table[] = {
    CAIRN_PARAM_AS(polar_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "the two columns; the only two number features when not given"),
    CAIRN_PARAM_CHOICE(polar_params, to, "polar", directions, "which way"),
    CAIRN_PARAM_CHOICE(polar_params, unit, "radians", units, "unit of the angle"),
    CAIRN_PARAM(polar_params, names, NULL, NULL,
                "names of the new columns; r,angle or x,y when not given"),
    CAIRN_PARAM_END,
};

typedef struct polar_state {
    cairn_map names; /* the two columns that go */
    cairn_map made;  /* and the two that come */
} polar_state;

static cairn_status name_new(cairn_context *ctx, polar_state *s, const polar_params *p)
{
    char **names;
    size_t n, index;
    const char *list = p->names ? p->names : p->to == TO_POLAR ? "r,angle" : "x,y";
    CHECK(cairn_list_split(ctx, list, &names, &n));
    if (n != 2 || strcmp(names[0], names[1]) == 0)
        return cairn_fail(ctx, CAIRN_USAGE, "polar: names has to be two names, not '%s'", list);
    for (size_t i = 0; i < 2; i++)
        CHECK(cairn_map_add(ctx, &s->made, names[i], strlen(names[i]), &index));
    return CAIRN_OK;
}

static cairn_status polar_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const polar_params *p = job->params;
    polar_state *s = state;
    size_t *chosen, n, index;
    CHECK(cairn_choose_features(ctx, job->view, "polar", p->columns, cairn_fits_number,
                                "a number column", &chosen, &n));
    if (n != 2 || chosen[0] == chosen[1])
        return cairn_fail(ctx, CAIRN_USAGE,
                          "polar: two different number columns are needed, not %zu; name them with "
                          "columns=\"a,b\"",
                          n);
    for (size_t i = 0; i < 2; i++) {
        const char *name = job->view->names[chosen[i]];
        CHECK(cairn_map_add(ctx, &s->names, name, strlen(name), &index));
    }
    return name_new(ctx, s, p);
}

typedef struct polar_work {
    const polar_params *p;
    const double *a, *b;
    double *first, *second;
} polar_work;

static void turn(void *data, size_t block, size_t begin, size_t end, int worker)
{
    (void)block, (void)worker;
    const polar_work *w = data;
    double unit = w->p->unit == UNIT_DEGREES ? 180 / 3.14159265358979323846 : 1;
    for (size_t i = begin; i < end; i++) {
        double a = w->a[i], b = w->b[i];
        bool missing = isnan(a) || isnan(b);
        bool to_polar = w->p->to == TO_POLAR;
        w->first[i] = missing    ? NAN
                      : to_polar ? cairn_hypot(a, b)
                                 : cairn_number_left(a * cairn_cos(b / unit), a);
        w->second[i] = missing    ? NAN
                       : to_polar ? cairn_atan2(b, a) * unit
                                  : cairn_number_left(a * cairn_sin(b / unit), a);
    }
}

/* Both new columns, filled. */
static cairn_status make_pair(cairn_context *ctx, cairn_column *made[2], const cairn_slot *a,
                              const cairn_slot *b, const polar_params *p)
{
    enum { ROW_BLOCK = 4096 };
    size_t n = a->column->n_rows;
    CHECK(cairn_expect_kind(ctx, a, CAIRN_NUMBER));
    CHECK(cairn_expect_kind(ctx, b, CAIRN_NUMBER));
    CHECK(cairn_column_new(ctx, &made[0], CAIRN_NUMBER, n));
    CHECK(cairn_column_new(ctx, &made[1], CAIRN_NUMBER, n));
    polar_work work = {p, a->column->numbers, b->column->numbers, made[0]->numbers,
                       made[1]->numbers};
    CHECK(cairn_blocks(ctx, n, ROW_BLOCK, turn, &work));
    cairn_column_count_missing(made[0]);
    cairn_column_count_missing(made[1]);
    return CAIRN_OK;
}

/* The new pair stands where the first of the two old columns stood; both are computed before either
 * goes. */
static cairn_status polar_apply(cairn_context *ctx, cairn_table **out, const void *state,
                                const void *params, const cairn_table *table)
{
    const polar_state *s = state;
    cairn_status status;
    cairn_table *transposed = NULL;
    cairn_column *made[2] = {0};
    size_t at[2] = {0};
    for (size_t i = 0; i < 2; i++)
        TRY(cairn_next_column(ctx, table, cairn_map_key(&s->names, i), &at[i]));
    TRY(make_pair(ctx, made, &table->slots[at[0]], &table->slots[at[1]], params));
    TRY(cairn_table_new(ctx, &transposed, table->n_rows));
    for (size_t i = 0; i < table->n_columns; i++) {
        const cairn_slot *slot = &table->slots[i];
        if (i != at[0] && i != at[1])
            TRY(cairn_table_add_column(ctx, transposed, slot->name, slot->role,
                                       cairn_column_hold(slot->column)));
        for (size_t k = 0; i == (at[0] < at[1] ? at[0] : at[1]) && k < 2; k++) {
            cairn_column *column = made[k];
            made[k] = NULL;
            TRY(cairn_table_add_column(ctx, transposed, cairn_map_key(&s->made, k), CAIRN_FEATURE,
                                       column));
        }
    }
    *out = transposed;
    transposed = NULL;
done:
    cairn_column_drop(made[0]);
    cairn_column_drop(made[1]);
    cairn_table_free(transposed);
    return status;
}

/* The angle takes y before x, as atan2 does, hence the swap; degrees are converted where the angle
 * comes in or goes out. */
static cairn_status polar_lower(const void *state, const cairn_job *job, cairn_program *out)
{
    const polar_params *p = job->params;
    const polar_state *s = state;
    double unit = p->unit == UNIT_DEGREES ? 180 / 3.14159265358979323846 : 1;
    cairn_computing c = cairn_computing_start(out);
    int32_t *in, first;
    CHECK(cairn_program_columns(out, &s->names, &in));
    for (int k = 0; k < 2; k++) {
        bool polar = p->to == TO_POLAR, swap = polar && k == 1;
        cairn_computing_slot(&c, in[swap]);
        cairn_computing_slot(&c, in[!swap]);
        if (!polar) {
            cairn_computing_number(&c, unit);
            cairn_computing_do(&c, CAIRN_DO_DIVIDE, 2);
            (void)cairn_computing_function(&c, k == 0 ? "cos" : "sin");
        }
        cairn_computing_do(&c,
                           !polar   ? CAIRN_DO_MULTIPLY
                           : k == 0 ? CAIRN_DO_HYPOT
                                    : CAIRN_DO_ATAN2,
                           2);
        if (swap) cairn_computing_number(&c, unit);
        if (swap) cairn_computing_do(&c, CAIRN_DO_MULTIPLY, 2);
        cairn_computing_write(&c);
    }
    CHECK(cairn_computing_end(&c, &first));
    return cairn_program_put_all(out, &s->made, first);
}

static void polar_describe(cairn_report *out, const void *state, const void *params)
{
    const polar_params *p = params;
    const polar_state *s = state;
    const char *a = cairn_map_key(&s->names, 0), *b = cairn_map_key(&s->names, 1);
    const char *c = cairn_map_key(&s->made, 0), *d = cairn_map_key(&s->made, 1);
    cairn_report_hidden_word(out, c, "polar.first");
    cairn_report_hidden_word(out, d, "polar.second");
    if (p->to == TO_POLAR) {
        cairn_report_formula(out, "%s = √(%s² + %s²)", c, a, b);
        cairn_report_formula(out, "%s = atan2(%s, %s)", d, b, a);
    } else {
        cairn_report_formula(out, "%s = %s · cos(%s)", c, a, b);
        cairn_report_formula(out, "%s = %s · sin(%s)", d, a, b);
    }
    if (p->unit == UNIT_DEGREES) cairn_report_paragraph(out, "The angle is in degrees.");
}

static const cairn_kept polar_keeps[] = {
    KEEP(polar_state, names, made),
    KEEP_SAME("names", "2", "polar coordinates need two columns"),
    KEEP_SAME("made", "2", "polar coordinates need two columns"),
    KEEP_END,
};

const cairn_transform cairn_polar = {
    .entry = {.kind = CAIRN_ENTRY_TRANSFORM,
              .name = "polar",
              .also = "polar coordinates, radius and angle",
              .title = "Polar coordinates",
              .summary =
                  "Replaces two number columns x and y by their distance from the origin and their "
                  "angle, or distance and angle by x and y. Rings around the origin, which no "
                  "straight line separates, become stripes.",
              .references = "Duda, Hart and Stork, Pattern Classification",
              .example = "cairn convert @iris petals.csv --features petal_length,petal_width "
                         "--with polar",
              .params = polar_param_table,
              .params_size = sizeof(polar_params)},
    .state_size = sizeof(polar_state),
    .fit = polar_fit,
    .apply = polar_apply,
    .lower = polar_lower,
    .describe = polar_describe,
    .keeps = polar_keeps,
};
