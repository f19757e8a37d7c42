/* SPDX-License-Identifier: MIT */
/* cairn compute shatter and cairn draw shattering: every labeling of a few points, with a
 * hypothesis of the class that produces it or the reason why none does. A class shatters the points
 * when it produces all. */
#include "compute/theory/labeling_figure.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { MOST_LABELINGS = 65536, SHOWN_LABELINGS = 1024, SHOWN_IMPOSSIBLE = 64, DRAWN = 64 };

typedef struct shatter_params {
    const char *points, *labeling;
    int class, labels, show, most;
    bool empty;
} shatter_params;

static const cairn_choice show_choices[] = {
    {"all", CAIRN_LABELINGS_ALL, "every labeling"},
    {"possible", CAIRN_LABELINGS_POSSIBLE, "those that a hypothesis produces"},
    {"impossible", CAIRN_LABELINGS_IMPOSSIBLE, "those that none produces"},
    {NULL, 0, NULL}};

static const cairn_param shatter_table[] = {
    CAIRN_PARAM(shatter_params, points, NULL, NULL,
                "points separated by ; with coordinates separated by commas, such as 0,0;1,0;0,1; "
                "for classes on a line also 1,2,3"),
    CAIRN_PARAM_CHOICE(shatter_params, class, "linear", cairn_hypotheses_choices, "the hypotheses"),
    CAIRN_PARAM(shatter_params, labels, "0", "[0,10]",
                "number of labels (threshold, linear, list); 0 = two, or those of the list"),
    CAIRN_PARAM(shatter_params, empty, "yes", NULL, "the contradiction is one of the conjunctions"),
    CAIRN_PARAM(shatter_params, labeling, NULL, NULL,
                "in the picture: this labeling only, a digit for each point such as 101"),
    CAIRN_PARAM_CHOICE(shatter_params, show, "all", show_choices, "in the picture: which labelings",
                       .when = "!labeling"),
    CAIRN_PARAM(shatter_params, most, "64", "[1,512]", "in the picture: most panels"),
    CAIRN_PARAM_END,
};

/* Labelings are written as digits, in the order of these points. */
static void show_legend(cairn_report *out, const cairn_instances *at)
{
    cairn_report_table_of(out, "Points, in the order of the digits", 64, "l", "point");
    for (size_t j = 0; j < at->p && j < 12; j++) cairn_report_column(out, at->columns[j], 'r');
    for (size_t i = 0; i < at->n; i++) {
        cairn_report_cell(out, at->names[i]);
        for (size_t j = 0; j < at->p && j < 12; j++) {
            double x = at->x[i * at->p + j];
            if (at->kind == CAIRN_LISTED)
                cairn_report_cell(out, at->label_names[(int)x]);
            else
                cairn_report_cell_number(out, x, 0, NULL);
        }
    }
    for (int k = 0; k < at->n_labels; k++)
        if (at->label_names[k][0] != '0' + k || at->label_names[k][1])
            cairn_report_paragraph(out, "The digit %d stands for %s.", k, at->label_names[k]);
}

typedef struct tally {
    size_t total, realised, impossible;
    cairn_text list; /* the impossible ones */
    char first[65];
} tally;

/* A labeling that is produced has a hypothesis as witness; one that is not has the reason. */
static cairn_status show_labeling(cairn_context *ctx, cairn_report *out, const cairn_instances *at,
                                  size_t code, tally *count)
{
    int labels[64];
    char digits[65] = "";
    bool realised;
    SCOPED(cairn_text_clear) cairn_text subset = cairn_text_start(ctx);
    SCOPED(cairn_text_clear) cairn_text words = cairn_text_start(ctx);
    cairn_labeling_of(at, code, labels);
    for (size_t i = 0; i < at->n; i++) digits[i] = (char)('0' + labels[i]);
    CHECK(cairn_labeling_realised(ctx, at, labels, &realised, &words, NULL));
    /* "{m,g}": the points with label 1. */
    bool any = false;
    cairn_text_add_char(&subset, '{');
    for (size_t i = 0; i < at->n; i++)
        if (labels[i] == 1) {
            cairn_text_addf(&subset, "%s%s", any ? "," : "", at->names[i]);
            any = true;
        }
    cairn_text_add_char(&subset, '}');
    cairn_report_cell(out, digits);
    if (at->n_labels == 2) cairn_report_cell(out, cairn_text_string(&subset));
    cairn_report_cell_word(out, realised ? cairn_text_string(&words) : "none", "labeling.%s",
                           digits);
    cairn_report_cell(out, realised ? "" : cairn_text_string(&words));
    CHECK(cairn_text_status(&words));
    CHECK(cairn_text_status(&subset));
    if (realised) {
        count->realised++;
    } else {
        if (count->impossible == 0) memcpy(count->first, digits, sizeof digits);
        if (count->impossible < SHOWN_IMPOSSIBLE)
            cairn_text_addf(&count->list, "%s%s", count->impossible ? " " : "", digits);
        else if (count->impossible == SHOWN_IMPOSSIBLE)
            cairn_text_add(&count->list, " ...");
        count->impossible++;
    }
    return CAIRN_OK;
}

static cairn_status show_labelings(cairn_context *ctx, cairn_report *out, const cairn_instances *at,
                                   tally *count)
{
    cairn_report_table_of(out, "Labelings", SHOWN_LABELINGS, "l", "labels");
    if (at->n_labels == 2) cairn_report_column(out, "points with 1", 'l');
    cairn_report_columns(out, "ll", "hypothesis", "why none");
    for (size_t code = 0; code < count->total; code++) {
        if (code % 256 == 0)
            CHECK(cairn_tick(ctx, "labelings", (double)code, (double)count->total));
        CHECK(show_labeling(ctx, out, at, code, count));
    }
    return CAIRN_OK;
}

/* General position: any p + 1 of the points (or all) are affinely independent. */
static cairn_status in_general_position(cairn_context *ctx, const cairn_instances *at, bool *out)
{
    size_t k = at->n < at->p + 1 ? at->n : at->p + 1, chosen[65], rank;
    double *rows, *range;
    CHECK(SCRATCH(ctx, &rows, cairn_product(k, at->p + 1)));
    CHECK(SCRATCH(ctx, &range, at->p));
    for (size_t i = 0; i < at->n * at->p; i++)
        range[i % at->p] = fmax(range[i % at->p], fabs(at->x[i] - at->x[i % at->p]));
    for (size_t i = 0; i < k; i++) chosen[i] = i;
    *out = true;
    do {
        for (size_t i = 0; i < k; i++) {
            for (size_t j = 0; j < at->p; j++)
                rows[i * (at->p + 1) + j] =
                    range[j] > 0 ? (at->x[chosen[i] * at->p + j] - at->x[j]) / range[j] : 0;
            rows[i * (at->p + 1) + at->p] = 1;
        }
        CHECK(cairn_matrix_rank(ctx, rows, k, at->p + 1, &rank));
        *out = rank == k;
    } while (*out && cairn_next_subset(chosen, k, at->n));
    return CAIRN_OK;
}

/* What is known about the class: Cover's and Sauer's numbers, or rank of a list. */
static cairn_status show_checks(cairn_context *ctx, cairn_report *out, const cairn_instances *at)
{
    double dimension = cairn_class_dimension(at->kind, at->p, at->empty);
    bool general;
    size_t rank, distinct = 0;
    if (at->kind == CAIRN_LISTED) {
        for (size_t j = 0; j < at->p; j++) {
            bool again = false;
            for (size_t k = 0; k < j && !again; k++) {
                again = true;
                for (size_t i = 0; i < at->n && again; i++)
                    again = at->x[i * at->p + j] == at->x[i * at->p + k];
            }
            distinct += !again;
        }
        CHECK(cairn_matrix_rank(ctx, at->x, at->n, at->p, &rank));
        cairn_report_value(out, "hypotheses", (double)at->p, "hypotheses");
        cairn_report_value(out, "different columns", (double)distinct, "distinct");
        cairn_report_value(out, "rank of the table", (double)rank, "rank");
    }
    if (isnan(dimension) || at->n_labels != 2) return CAIRN_OK;
    cairn_report_value(out, "VC dimension of the class", dimension, "class.vc");
    cairn_report_value(out, "most labelings of so many points (Sauer)",
                       cairn_binomial_sum(at->n, (size_t)dimension), "sauer");
    if (at->kind != CAIRN_LINEAR) return CAIRN_OK;
    CHECK(in_general_position(ctx, at, &general));
    cairn_report_formula(out, "in general position:   2 · Σ C(N − 1, k),  k = 0 .. p");
    cairn_report_value(out, "Cover's count", 2 * cairn_binomial_sum(at->n - 1, at->p), "cover");
    cairn_report_word(out, "points are in general position", general ? "yes" : "no",
                      "general_position");
    return CAIRN_OK;
}

/* "C(4, 0) + C(4, 1) = 1 + 4 = 5" for k = 0 .. d. */
static void work_sum(cairn_report *out, const char *label, size_t n, size_t d, double times)
{
    SCOPED(cairn_text_clear) cairn_text terms = cairn_text_start(cairn_report_context(out));
    SCOPED(cairn_text_clear) cairn_text numbers = cairn_text_start(cairn_report_context(out));
    if (d > n) d = n;
    for (size_t k = 0; k <= d; k++) {
        double term = cairn_binomial_sum(n, k) - (k ? cairn_binomial_sum(n, k - 1) : 0);
        cairn_text_addf(&terms, "%sC(%zu, %zu)", k ? " + " : "", n, k);
        cairn_text_add(&numbers, k ? " + " : "");
        cairn_text_add_number(&numbers, term, 15);
    }
    const char *open = times == 2 ? "2 · (" : "", *close = times == 2 ? ")" : "";
    cairn_text_addf(&numbers, "%s = ", close);
    cairn_text_add_number(&numbers, times * cairn_binomial_sum(n, d), 15);
    cairn_report_formula(out, "%s = %s%s%s = %s%s", label, open, cairn_text_string(&terms), close,
                         open, cairn_text_string(&numbers));
    cairn_report_failed(out, cairn_text_status(&terms));
    cairn_report_failed(out, cairn_text_status(&numbers));
}

/* The counts with the numbers put in. */
static void work(cairn_report *out, const cairn_instances *at, const tally *count)
{
    double dimension = cairn_class_dimension(at->kind, at->p, at->empty);
    cairn_report_step_begin(out, "Counting labelings");
    cairn_report_formula(out, "labelings = %d^%zu = %zu", at->n_labels, at->n, count->total);
    cairn_report_formula(out, "shattered when all are produced: %zu of %zu%s", count->realised,
                         count->total, count->impossible ? ", no" : ", yes");
    if (!isnan(dimension) && at->n_labels == 2) {
        work_sum(out, "Sauer", at->n, (size_t)dimension, 1);
        if (at->kind == CAIRN_LINEAR && at->n) work_sum(out, "Cover", at->n - 1, at->p, 2);
    }
    cairn_report_step_end(out);
}

/* All labelings, or where they are many the impossible ones, on pages. */
static cairn_status draw_labelings(cairn_context *ctx, cairn_report *out, const cairn_instances *at,
                                   const tally *count)
{
    cairn_labelings_shown which =
        count->total <= DRAWN ? CAIRN_LABELINGS_ALL : CAIRN_LABELINGS_IMPOSSIBLE;
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    size_t shown;
    if (which == CAIRN_LABELINGS_IMPOSSIBLE && (!count->impossible || count->impossible > DRAWN))
        return CAIRN_OK;
    CHECK(cairn_labelings_figure(ctx, &figure, at, count->total, which, DRAWN, &shown));
    cairn_report_page_figure(out, figure);
    figure = NULL;
    return CAIRN_OK;
}

/* The points, and how many labelings they have. */
static cairn_status read_points(cairn_context *ctx, cairn_instances *out, size_t *total,
                                const cairn_compute_job *job)
{
    const shatter_params *p = job->params;
    if (p->labels == 1) return cairn_fail(ctx, CAIRN_USAGE, "{labels}: two or more are needed");
    CHECK(cairn_instances_read(ctx, out, (cairn_hypotheses)p->class, p->points, job->table,
                               p->labels, p->empty));
    *total = 1;
    for (size_t i = 0; i < out->n && *total <= MOST_LABELINGS; i++) *total *= (size_t)out->n_labels;
    return CAIRN_OK;
}

static cairn_status refuse_many(cairn_context *ctx, const cairn_instances *at)
{
    return cairn_fail(ctx, CAIRN_USAGE,
                      "%zu points have more than %d labelings, too many to try; a part of the "
                      "points that is not shattered settles it, or draw one with {labeling}",
                      at->n, MOST_LABELINGS);
}

static cairn_status shatter_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    cairn_instances at;
    tally count = {.first = "none"};
    cairn_status status;
    count.list = cairn_text_start(ctx);
    TRY(read_points(ctx, &at, &count.total, job));
    if (count.total > MOST_LABELINGS) TRY(refuse_many(ctx, &at));
    cairn_report_heading(out, 1, "Labelings of %zu points", at.n);
    show_legend(out, &at);
    TRY(show_labelings(ctx, out, &at, &count));
    cairn_report_value(out, "labelings", (double)count.total, "labelings");
    cairn_report_value(out, "produced", (double)count.realised, "realised");
    cairn_report_word(out, "shattered", count.impossible ? "no" : "yes", "shattered");
    cairn_report_word(out, "first impossible labeling", count.first, "first_impossible");
    if (count.impossible)
        cairn_report_word(out, "impossible labelings", cairn_text_string(&count.list),
                          "impossible");
    TRY(cairn_text_status(&count.list));
    if (job->steps) work(out, &at, &count);
    TRY(show_checks(ctx, out, &at));
    TRY(draw_labelings(ctx, out, &at, &count));
done:
    cairn_text_clear(&count.list);
    return status;
}

/* -- the picture -- */

static cairn_status read_labeling(cairn_context *ctx, int *labels, const cairn_instances *at,
                                  const char *text)
{
    if (strlen(text) != at->n)
        return cairn_fail(ctx, CAIRN_USAGE, "{labeling %s}: %zu digits for %zu points", text,
                          strlen(text), at->n);
    for (size_t i = 0; i < at->n; i++) {
        labels[i] = text[i] - '0';
        if (labels[i] < 0 || labels[i] >= at->n_labels)
            return cairn_fail(ctx, CAIRN_USAGE, "{labeling %s}: labels are 0 to %d", text,
                              at->n_labels - 1);
    }
    return CAIRN_OK;
}

/* Too many labelings are refused rather than cut: a part of them would look like all. */
static cairn_status shattering_draw(cairn_context *ctx, cairn_figure **out,
                                    const cairn_compute_job *job)
{
    const shatter_params *p = job->params;
    const char *other = p->show == CAIRN_LABELINGS_IMPOSSIBLE ? "possible" : "impossible";
    cairn_instances at;
    size_t total, shown = 0;
    int labels[CAIRN_MOST_LABELLED_POINTS] = {0};
    CHECK(read_points(ctx, &at, &total, job));
    if (p->labeling) {
        CHECK(read_labeling(ctx, labels, &at, p->labeling));
        return cairn_labeling_figure(ctx, out, &at, labels);
    }
    if (total > MOST_LABELINGS) return refuse_many(ctx, &at);
    CHECK(cairn_labelings_figure(ctx, out, &at, total, (cairn_labelings_shown)p->show,
                                 (size_t)p->most, &shown));
    if (shown > (size_t)p->most)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%zu labelings are to be drawn, at most %d are; take fewer points, {show "
                          "%s}, one of them with {labeling}, or raise {most}",
                          shown, p->most, other);
    if (!shown)
        return cairn_fail(ctx, CAIRN_BAD_DATA, "no labeling is %s; {show all} draws every one",
                          p->show == CAIRN_LABELINGS_IMPOSSIBLE ? "impossible" : "possible");
    return CAIRN_OK;
}

const cairn_calculator cairn_compute_shatter = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "shatter",
              .also = "shattering, dichotomies, labellings",
              .title = "Can all labelings be produced?",
              .summary =
                  "For a few points and a class of hypotheses: a table of all labelings, each with "
                  "a hypothesis that produces it or the reason why there is none; how many are "
                  "produced, whether the points are shattered, and the first impossible labeling. "
                  "Classes: thresholds, intervals and their complements on a line, half-planes "
                  "and hyperplanes (by linear programming), boxes, conjunctions of literals, and "
                  "lists of hypotheses; thresholds, linear classes and lists with more than two "
                  "labels, too.",
              .references = "Vapnik, Chervonenkis: On the uniform convergence of relative "
                            "frequencies, 1971; Cover: Geometrical and statistical properties of "
                            "systems of linear inequalities, 1965; Sauer: On the density of "
                            "families of sets, 1972",
              .example = "cairn compute shatter --points '0,0;1,0;1,1;0,1' --class linear",
              .params = shatter_table,
              .params_size = sizeof(shatter_params)},
    .picture =
        {.kind = CAIRN_ENTRY_PICTURE,
         .name = "shattering",
         .also = "labellings of points",
         .title = "All labelings of a few points",
         .summary =
             "A panel for every labeling of a few points, with the half-plane, box, interval "
             "or other hypothesis of the class that produces it, or why it is impossible. "
             "The points are shattered when no panel says so. Points on a line and in the "
             "plane stand in their places, others around a circle.",
         .references = "Vapnik, Chervonenkis: On the uniform convergence of relative "
                       "frequencies, 1971",
         .example = "cairn draw shattering --points '0,0;1,0;0,1' --out lines.svg",
         .params = shatter_table,
         .params_size = sizeof(shatter_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .run = shatter_run,
    .draw = shattering_draw,
};
