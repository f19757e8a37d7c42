/* SPDX-License-Identifier: MIT */
/* cairn compute shapley: what every column adds to the answers of a model. */
#include "explain/shapley_report.h"
#include "model/calculator.h"

#include "base/memory.h"
#include "base/text.h"
#include "data/view.h"
#include "wrappers/multi_target.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN_ROWS = 5 };
enum { UNKNOWN_SHARES, UNKNOWN_ROWS };
enum { SHOW_ROW, SHOW_SUMMARY, SHOW_DEPENDENCE };

typedef struct shapley_params {
    const char *rows, *of_class, *column, *colour;
    int method, against, draws, permutations, part, row;
    bool interactions;
} shapley_params;

static const cairn_choice methods[] = {
    {"auto", CAIRN_SHAPLEY_AUTO,
     "exact where the model is a sum of trees or columns, else sampled"},
    {"exact", CAIRN_SHAPLEY_EXACT, "all orders of columns, or a refusal"},
    {"sampled", CAIRN_SHAPLEY_SAMPLED, "some orders, with standard errors; for any model"},
    {0},
};

static const cairn_choice unknowns[] = {
    {"shares", UNKNOWN_SHARES, "tests of them count all branches, by their background rows"},
    {"rows", UNKNOWN_ROWS, "their cells are those of background rows"},
    {0},
};

static const cairn_choice shows[] = {
    {"row", SHOW_ROW, "from the base to the sum of one row, a bar for each column"},
    {"summary", SHOW_SUMMARY, "all rows: a dot for each cell, by column"},
    {"dependence", SHOW_DEPENDENCE, "the values of one column over its cells"},
    {0},
};

/* What both the calculation and the picture have. */
#define SHAPLEY_PARAMS                                                                             \
    CAIRN_PARAM(shapley_params, of_class, NULL, NULL,                                              \
                "the class whose score is explained; of two the positive one when not given, "     \
                "else the one that a row is answered with",                                        \
                .often = true),                                                                    \
        CAIRN_PARAM_CHOICE(shapley_params, method, "auto", methods, "how the values are found",    \
                           .often = true),                                                         \
        CAIRN_PARAM_CHOICE(shapley_params, against, "shares", unknowns,                            \
                           "what stands for the columns of trees that are not known",              \
                           .when = "method=auto|exact"),                                           \
        CAIRN_PARAM(shapley_params, draws, "100", "[1,100000]",                                    \
                    "at most so many background rows, drawn with --seed, where each is asked "     \
                    "about: sampled, or against rows"),                                            \
        CAIRN_PARAM(                                                                               \
            shapley_params, permutations, "100", "[1,1000000]",                                    \
            "orders of the columns for each row, and as many opposite ones, where they "           \
            "are drawn; rounded up to a multiple of the background rows, which take turns",        \
                                                                                                   \
            .when = "method=auto|sampled")

static const cairn_param run_table[] = {
    CAIRN_PARAM(shapley_params, rows, NULL, NULL,
                "the rows that are explained, such as 1,5,7-9; all when not given", .often = true),
    SHAPLEY_PARAMS,
    CAIRN_PARAM(shapley_params, interactions, "no", NULL,
                "what columns do alone and what two do together, too", .often = true,
                .when = "method=auto|exact"),
    CAIRN_PARAM_END,
};

static const cairn_param draw_table[] = {
    CAIRN_PARAM_CHOICE(shapley_params, part, "row", shows, "what is drawn", .was = "show",
                       .often = true),
    CAIRN_PARAM(shapley_params, row, "1", "[1,inf)", "the number of the row", .when = "part=row"),
    CAIRN_PARAM(shapley_params, column, NULL, NULL,
                "the column; the one with the largest values "
                "when not given",
                .when = "part=dependence"),
    CAIRN_PARAM(shapley_params, colour, NULL, NULL,
                "a column that colours the dots; of trees the one with the largest interaction "
                "when not given",
                .when = "part=dependence"),
    SHAPLEY_PARAMS,
    CAIRN_PARAM_END,
};

/* -- what is asked for -- */

/* The class that the option names; of two classes the positive one otherwise. */
static cairn_status find_class(cairn_context *ctx, const cairn_compute_job *job, int32_t *out)
{
    const shapley_params *p = job->params;
    const cairn_field *target = cairn_model_target(job->model);
    *out = CAIRN_CLASS_ANSWERED;
    if (job->model->task != CAIRN_CLASSIFY || !target) {
        if (!p->of_class) return CAIRN_OK;
        return cairn_fail(ctx, CAIRN_USAGE, "{of-class %s}: the model answers no classes",
                          p->of_class);
    }
    if (!p->of_class) {
        if (job->model->n_classes == 2) *out = job->model->positive;
        return CAIRN_OK;
    }
    int64_t at = cairn_map_find(&target->names, p->of_class, strlen(p->of_class));
    if (at < 0)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{of-class %s}: '%s' has no such class; the first is '%s'", p->of_class,
                          target->name, cairn_map_key(&target->names, 0));
    *out = (int32_t)at;
    return CAIRN_OK;
}

static cairn_status check_words(cairn_context *ctx, const cairn_compute_job *job)
{
    if (!job->model)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'%s' needs a model, which stands before the data: cairn %s MODEL DATA",
                          job->what, job->what);
    cairn_multi_target_parts parts;
    if (cairn_multi_target_look(&parts, job->model))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the model answers %zu targets; 'cairn predict MODEL DATA {explain} "
                          "{explain-by shapley}' gives the values of each",
                          parts.n);
    if (job->tables.n > 2)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'%s' takes a model, data and background rows, and no further data",
                          job->what);
    return CAIRN_OK;
}

/* Values of all rows, or of those that are named. */
static cairn_status find_values(cairn_context *ctx, cairn_shapley *out,
                                const cairn_compute_job *job, const char *list, bool pairs)
{
    const shapley_params *p = job->params;
    uint32_t *rows = NULL;
    size_t n = 0;
    if (list) {
        cairn_status status = cairn_row_list(ctx, &rows, &n, list, job->table->n_rows);
        if (status) cairn_message_prefix(ctx, "{rows}");
        CHECK(status);
    }
    cairn_shapley_options options = {.method = (cairn_shapley_method)p->method,
                                     .against_rows = p->against == UNKNOWN_ROWS,
                                     .background = job->tables.n > 1 ? job->tables.list[1] : NULL,
                                     .most_background = (size_t)p->draws,
                                     .permutations = (size_t)p->permutations,
                                     .pairs = pairs,
                                     .rows = rows,
                                     .n_rows = n};
    return cairn_shapley_find(ctx, out, job->model, job->table, &options);
}

/* -- the report -- */

/* A row for each row: its number, the class, base, values, sum, and interactions where they were
 * asked for. */
static cairn_status make_table(cairn_context *ctx, cairn_table **out, const cairn_shapley *s,
                               const cairn_model *model, const uint32_t *rows, int32_t wanted)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    SCOPED_SCRATCH(ctx);
    double *numbers;
    const char **names;
    CHECK(cairn_table_new(ctx, &table, s->n_rows));
    CHECK(SCRATCH_EACH(ctx, s->n_rows + 1, &numbers, &names));
    for (size_t i = 0; i < s->n_rows; i++) numbers[i] = (double)(rows ? rows[i] : i) + 1;
    CHECK(cairn_table_put_numbers(ctx, table, "row", numbers));
    for (size_t i = 0; i < s->n_rows; i++)
        names[i] = cairn_shapley_class_name(ctx, model, cairn_shapley_class(s, i, wanted));
    if (!s->predictions.numbers) CHECK(cairn_table_add_texts(ctx, table, "class", names));
    for (size_t j = 0; j < s->n_players + 2; j++) {
        SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(ctx);
        for (size_t i = 0; i < s->n_rows; i++) {
            cairn_shapley_side side = cairn_shapley_side_of(s, cairn_shapley_class(s, i, wanted));
            numbers[i] = j == 0              ? side.sign * s->base[side.output]
                         : j <= s->n_players ? cairn_shapley_value(s, i, side, j - 1)
                                             : side.sign * s->sums[i * s->n_outputs + side.output];
        }
        cairn_text_addf(&name, "%s%s", j > 0 && j <= s->n_players ? "phi_" : "",
                        j == 0              ? "base"
                        : j <= s->n_players ? s->names[j - 1]
                                            : "sum");
        CHECK(cairn_text_status(&name));
        CHECK(cairn_table_put_numbers(ctx, table, cairn_text_string(&name), numbers));
    }
    if (s->pairs) {
        /* Interactions of every row: a column alone_A for each, pair_A_B for every two. */
        for (size_t a = 0; a < s->n_players; a++)
            for (size_t b = a; b < s->n_players; b++) {
                SCOPED(cairn_text_clear) cairn_text name = cairn_text_start(ctx);
                for (size_t i = 0; i < s->n_rows; i++) {
                    int32_t code = cairn_shapley_class(s, i, wanted);
                    numbers[i] = cairn_shapley_pair(s, i, cairn_shapley_side_of(s, code), a, b);
                }
                cairn_text_addf(&name, "%s_%s", a == b ? "alone" : "pair", s->names[a]);
                if (a != b) cairn_text_addf(&name, "_%s", s->names[b]);
                CHECK(cairn_text_status(&name));
                CHECK(cairn_table_put_numbers(ctx, table, cairn_text_string(&name), numbers));
            }
    }
    *out = TAKE(table);
    return CAIRN_OK;
}

/* The first rows one by one; their values are named "row1.column". */
static cairn_status show_rows(cairn_report *out, const cairn_shapley *s,
                              const cairn_compute_job *job, const uint32_t *rows, int32_t wanted)
{
    cairn_context *ctx = cairn_report_context(out);
    size_t n = s->n_rows < SHOWN_ROWS ? s->n_rows : SHOWN_ROWS;
    for (size_t i = 0; i < n; i++) {
        OWNED(cairn_report_free) cairn_report *part = NULL;
        size_t number = (size_t)(rows ? rows[i] : i) + 1;
        char prefix[32];
        CHECK(cairn_report_new(ctx, &part));
        cairn_report_heading(out, 2, "Row %zu", number);
        if (job->steps && i == 0) CHECK(cairn_shapley_show_steps(part, s, i, wanted));
        CHECK(cairn_shapley_show_row(part, s, job->model, i, wanted));
        snprintf(prefix, sizeof prefix, "row%zu", number);
        cairn_report_append(out, part, prefix);
    }
    if (n < s->n_rows)
        cairn_report_paragraph(out,
                               "These are the first %zu of %zu rows; {rows LIST} names others, "
                               "{out FILE.csv} writes all.",
                               n, s->n_rows);
    return cairn_report_status(out);
}

static cairn_status shapley_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    const shapley_params *p = job->params;
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_shapley_clear) cairn_shapley s = {0};
    uint32_t *rows = NULL;
    size_t n;
    int32_t wanted;
    CHECK(check_words(ctx, job));
    CHECK(find_class(ctx, job, &wanted));
    CHECK(find_values(ctx, &s, job, p->rows, p->interactions));
    if (p->rows) CHECK(cairn_row_list(ctx, &rows, &n, p->rows, job->table->n_rows));
    cairn_report_heading(out, 1, "Shapley values of %s", cairn_model_learner(job->model));
    cairn_shapley_show_method(out, &s, job->model);
    CHECK(show_rows(out, &s, job, rows, wanted));
    if (s.n_rows > 1 || s.pairs) CHECK(cairn_shapley_show_summary(out, &s, job->model, wanted));
    if (job->result) CHECK(make_table(ctx, job->result, &s, job->model, rows, wanted));
    return CAIRN_OK;
}

/* -- the picture -- */

/* The player of that name; the one with the largest values when there is no name. */
static cairn_status find_player(cairn_context *ctx, const cairn_shapley *s, const char *what,
                                const char *name, int32_t wanted, size_t *out)
{
    size_t *order;
    CHECK(cairn_shapley_order(ctx, &order, s, -1, wanted));
    *out = order[0];
    for (size_t j = 0; name && j < s->n_players; j++)
        if (strcmp(s->names[j], name) == 0) {
            *out = j;
            return CAIRN_OK;
        }
    if (!name) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE, "{%s %s}: the model has no such column; it has '%s'%s",
                      what, name, s->names[0], s->n_players > 1 ? " and others" : "");
}

static cairn_status draw_one(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job,
                             int32_t wanted)
{
    const shapley_params *p = job->params;
    SCOPED(cairn_shapley_clear) cairn_shapley s = {0};
    char row[24];
    if ((size_t)p->row > job->table->n_rows)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "{row %d}: the table has %zu rows", p->row,
                          job->table->n_rows);
    snprintf(row, sizeof row, "%d", p->row);
    CHECK(find_values(ctx, &s, job, row, false));
    return cairn_shapley_waterfall(ctx, out, &s, job->model, 0, wanted);
}

/* Interactions choose the colour, where there are some. */
static cairn_status draw_dependence(cairn_context *ctx, cairn_figure **out,
                                    const cairn_compute_job *job, int32_t wanted)
{
    const shapley_params *p = job->params;
    SCOPED(cairn_shapley_clear) cairn_shapley s = {0};
    bool exact = false;
    size_t player, colour;
    if (!p->colour && p->method != CAIRN_SHAPLEY_SAMPLED)
        CHECK(cairn_shapley_is_exact(ctx, job->model, &exact));
    CHECK(find_values(ctx, &s, job, NULL, exact));
    CHECK(find_player(ctx, &s, "column", p->column, wanted, &player));
    colour = s.n_players;
    if (p->colour) CHECK(find_player(ctx, &s, "colour", p->colour, wanted, &colour));
    return cairn_shapley_dependence(ctx, out, &s, job->model, player, colour, wanted);
}

static cairn_status shapley_draw(cairn_context *ctx, cairn_figure **out,
                                 const cairn_compute_job *job)
{
    const shapley_params *p = job->params;
    SCOPED_SCRATCH(ctx);
    SCOPED(cairn_shapley_clear) cairn_shapley s = {0};
    int32_t wanted;
    CHECK(check_words(ctx, job));
    CHECK(find_class(ctx, job, &wanted));
    if (p->part == SHOW_ROW) return draw_one(ctx, out, job, wanted);
    if (p->part == SHOW_DEPENDENCE) return draw_dependence(ctx, out, job, wanted);
    CHECK(find_values(ctx, &s, job, NULL, false));
    return cairn_shapley_swarm(ctx, out, &s, job->model, wanted);
}

const cairn_calculator cairn_compute_shapley = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "shapley",
              .also = "SHAP, Shapley values, TreeSHAP, feature attribution, contributions, "
                      "explanation, interaction values, why",
              .title = "What each column adds to an answer",
              .summary =
                  "Shapley values of the rows of DATA: the answer of the model is a base, the mean "
                  "over the background rows, and a value for each column, averaged over all orders "
                  "in which columns may become known. Exact for trees, forests, boosted trees and "
                  "linear models, estimated with standard errors for any other model. The "
                  "background is that of the training rows which the model keeps, or further data "
                  "behind DATA; DATA itself where the model keeps none. --interactions divides "
                  "the values into what columns do alone and in pairs, --steps shows all sets of "
                  "the columns of a small tree, --out FILE.csv writes all rows.",
              .references =
                  "Shapley: A Value for n-Person Games, 1953; Lundberg et al.: From Local "
                  "Explanations to Global Understanding, 2020",
              .example = "cairn fit tree @weather --save weather.cairn && "
                         "cairn compute shapley weather.cairn @weather --rows 1 --steps",
              .params = run_table,
              .params_size = sizeof(shapley_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "shapley",
                .also = "waterfall, beeswarm, SHAP summary, SHAP dependence",
                .title = "What columns add to answers",
                .summary =
                    "Shapley values: the way of one row from the base to its answer, the values of "
                    "all rows by column and coloured by cell, or those of one column over its "
                    "cells, coloured by the column that it acts with most.",
                .references = "Lundberg et al.: From Local Explanations to Global Understanding, "
                              "2020",
                .example =
                    "cairn fit forest @iris --target species --save iris.cairn && "
                    "cairn draw shapley iris.cairn @iris --part summary --of-class virginica",
                .params = draw_table,
                .params_size = sizeof(shapley_params)},
    .arguments = "MODEL DATA [BACKGROUND]",
    .needs_data = true,
    .takes_model = true,
    .several = true,
    .run = shapley_run,
    .draw = shapley_draw,
};
