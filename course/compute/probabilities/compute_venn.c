/* SPDX-License-Identifier: MIT */
/* cairn compute venn, cairn draw venn: two or three events and the probability of every region,
 * what lies in some of them and in none of the others.
 *
 *     P(region of S) = Σ over the sets T that hold S of (−1)^(|T| − |S|) P(all events of T)
 *
 * Probabilities of events and of what they have in common are typed, or events are propositions
 * about outcomes that are typed, read or counted. */
#include "model/calculator.h"
#include "typed/outcomes.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "draw/figure.h"
#include "entry/entry.h"
#include "entry/split.h"
#include "report/table_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_EVENTS = 3, SETS = 1 << MOST_EVENTS, ROUND = 120 };

typedef struct venn_params {
    cairn_outcomes_option outcomes;
    const char *event, *probabilities;
} venn_params;

static const cairn_param venn_table[] = {
    CAIRN_PARAM(venn_params, probabilities, NULL, NULL,
                "typed: events and what they have in common, such as 'A=0.5, B=0.4, A&B=0.2'; of "
                "three events all pairs, and A&B&C",
                .often = true),
    {.name = "event",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(venn_params, event),
     .help = "a proposition about the outcomes, perhaps with a name in front: 'A: first = heads'; "
             "two or three",
     .often = true,
     .repeated = true,
     .when = "!probabilities"},
    CAIRN_PARAM_GROUP(venn_params, outcomes, cairn_outcomes_params, .when = "!probabilities"),
    CAIRN_PARAM_END,
};

/* Sets of events are bits. */
typedef struct venn {
    const char *names[MOST_EVENTS];
    size_t n;
    double together[SETS]; /* P(all events of the set); 1 of none */
    double region[SETS];   /* P(these and no others) */
} venn;

/* -- typed -- */

/* The set that "A & B" names; a new name becomes an event where it stands alone. */
static cairn_status read_set(cairn_context *ctx, venn *v, char *text, unsigned *set)
{
    bool alone = !strchr(text, '&');
    *set = 0;
    for (char *part = text, *next; part; part = next) {
        size_t k = 0;
        next = strchr(part, '&');
        if (next) *next++ = 0;
        while (*part == ' ') part++;
        for (size_t length = strlen(part); length && part[length - 1] == ' ';) part[--length] = 0;
        while (k < v->n && !cairn_same(v->names[k], part)) k++;
        if (k == v->n && (!alone || !*part))
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{probabilities}: there is no event '%s'; each has its own "
                              "probability in front of those of several",
                              part);
        if (k == MOST_EVENTS)
            return cairn_fail(ctx, CAIRN_USAGE, "{probabilities}: more than %d events",
                              MOST_EVENTS);
        if (k == v->n) v->names[v->n++] = part;
        *set |= 1U << k;
    }
    return CAIRN_OK;
}

static cairn_status read_typed(cairn_context *ctx, venn *v, const char *text)
{
    char **parts;
    size_t n;
    CHECK(cairn_list_split(ctx, text, &parts, &n));
    for (unsigned set = 1; set < SETS; set++) v->together[set] = NAN;
    for (size_t i = 0; i < n; i++) {
        char *equals = strrchr(parts[i], '=');
        unsigned set;
        double p;
        if (!equals || !cairn_fraction_parse(equals + 1, &p) || !(p >= 0) || p > 1)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{probabilities}: '%s' is no event with a probability from 0 to 1, "
                              "as A=0.5 and A&B=0.2 are",
                              parts[i]);
        *equals = 0;
        CHECK(read_set(ctx, v, parts[i], &set));
        if (!isnan(v->together[set]))
            return cairn_fail(ctx, CAIRN_USAGE, "{probabilities}: '%s' is there twice", parts[i]);
        v->together[set] = p;
    }
    return CAIRN_OK;
}

/* -- counted -- */

static cairn_status read_events(cairn_context *ctx, venn *v, const venn_params *p,
                                const cairn_compute_job *job)
{
    SCOPED(cairn_outcomes_clear) cairn_outcomes o = {0};
    const char *const *lines;
    double *holds[MOST_EVENTS];
    cairn_outcomes_option option = p->outcomes;
    option.asked = p->event;
    CHECK(cairn_outcomes_read(ctx, &o, &option, job->table, job->what));
    CHECK(cairn_list_lines(ctx, p->event, &lines));
    for (; lines[v->n]; v->n++) {
        if (v->n == MOST_EVENTS)
            return cairn_fail(ctx, CAIRN_USAGE, "{event}: more than %d events", MOST_EVENTS);
        CHECK(cairn_event_named(ctx, &v->names[v->n], &holds[v->n], lines[v->n], o.table));
    }
    for (size_t i = 0; i < o.table->n_rows; i++)
        for (unsigned set = 1; set < 1U << v->n; set++) {
            bool all = true;
            for (size_t e = 0; e < v->n; e++) all &= !(set >> e & 1) || holds[e][i] > 0;
            if (all) v->together[set] += o.p[i];
        }
    return CAIRN_OK;
}

/* -- regions -- */

static void add_set(cairn_text *out, const venn *v, unsigned set, const char *between)
{
    bool any = false;
    for (size_t e = 0; e < v->n; e++)
        if (set >> e & 1) {
            cairn_text_addf(out, "%s%s", any ? between : "", v->names[e]);
            any = true;
        }
}

/* "A and B, not C"; "none of them". */
static cairn_status add_region(cairn_text *out, const venn *v, unsigned set)
{
    unsigned others = ((1U << v->n) - 1) & ~set;
    if (!set) cairn_text_add(out, "none of them");
    add_set(out, v, set, " and ");
    if (set && others) {
        cairn_text_add(out, ", not ");
        add_set(out, v, others, ", not ");
    }
    return cairn_text_status(out);
}

static int bits(unsigned set)
{
    int n = 0;
    for (; set; set &= set - 1) n++;
    return n;
}

/* The regions; what is below 0 by more than rounding is no probability of anything. */
static cairn_status find_regions(cairn_context *ctx, venn *v)
{
    unsigned all = (1U << v->n) - 1;
    v->together[0] = 1;
    for (unsigned set = 1; set <= all; set++)
        if (isnan(v->together[set])) {
            SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
            add_set(&text, v, set, "&");
            CHECK(cairn_text_status(&text));
            return cairn_fail(ctx, CAIRN_USAGE, "{probabilities} lacks that of %s",
                              cairn_text_string(&text));
        }
    for (unsigned set = 0; set <= all; set++) {
        double sum = 0;
        for (unsigned more = 0; more <= all; more++)
            if ((more & set) == set)
                sum += (bits(more) - bits(set)) % 2 ? -v->together[more] : v->together[more];
        if (sum < -1e-9) {
            char number[CAIRN_NUMBER_SIZE];
            SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
            CHECK(add_region(&text, v, set));
            cairn_number_format(number, sum, 6);
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "these are probabilities of no events: '%s' would have %s",
                              cairn_text_string(&text), number);
        }
        v->region[set] = fabs(sum) <= 1e-15 ? 0 : sum;
    }
    return CAIRN_OK;
}

static cairn_status read_venn(cairn_context *ctx, venn *v, const cairn_compute_job *job)
{
    const venn_params *p = job->params;
    if (p->probabilities && job->table)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "{probabilities} are typed and need no DATA; {event} asks the rows");
    if (p->probabilities)
        CHECK(read_typed(ctx, v, p->probabilities));
    else if (p->event)
        CHECK(read_events(ctx, v, p, job));
    if (v->n < 2)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "two or three events are wanted: {probabilities 'A=0.5, B=0.4, A&B=0.2'} "
                          "or {event 'A: CONDITION'} for each");
    return find_regions(ctx, v);
}

/* -- showing -- */

/* The sum of a region with its numbers. */
static cairn_status work_region(cairn_context *ctx, cairn_report *out, const venn *v, unsigned set)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(ctx);
    double numbers[SETS + 1];
    size_t n = 0;
    cairn_text_add(&label, "P(");
    CHECK(add_region(&label, v, set));
    cairn_text_add(&label, ")");
    for (int size = bits(set); size <= (int)v->n; size++)
        for (unsigned more = 0; more < 1U << v->n; more++) {
            if ((more & set) != set || bits(more) != size) continue;
            bool minus = (size - bits(set)) % 2;
            cairn_text_addf(&text, "%s#", n ? (minus ? " − " : " + ") : "");
            numbers[n++] = v->together[more];
        }
    cairn_text_add(&text, " = #");
    numbers[n++] = v->region[set];
    CHECK(cairn_text_status(&label));
    CHECK(cairn_text_status(&text));
    cairn_report_worked_numbers(out, cairn_text_string(&label), cairn_text_string(&text), numbers,
                                n);
    return CAIRN_OK;
}

static cairn_status show_work(cairn_context *ctx, cairn_report *out, const venn *v)
{
    cairn_report_step_begin(out, "Inclusion and exclusion");
    cairn_report_formula(out, "P(exactly S) = Σ (−1)^(|T| − |S|) P(all of T)  over the sets T that "
                              "hold S");
    for (unsigned set = 1; set + 1 < 1U << v->n; set++) CHECK(work_region(ctx, out, v, set));
    CHECK(work_region(ctx, out, v, 0));
    cairn_report_step_end(out);
    return CAIRN_OK;
}

/* Names of values end in the events joined by _, "none" for no event. */
static cairn_status set_key(cairn_context *ctx, const char **out, cairn_report *report,
                            const venn *v, unsigned set)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    if (!set) cairn_text_add(&text, "none");
    add_set(&text, v, set, "_");
    CHECK(cairn_text_status(&text));
    *out = cairn_report_key(report, cairn_text_string(&text));
    return CAIRN_OK;
}

static cairn_status show_regions(cairn_context *ctx, cairn_report *out, const venn *v)
{
    cairn_report_table_of(out, "Regions", 0, "lr", "what happens", "probability");
    for (unsigned set = 0; set < 1U << v->n; set++) {
        unsigned at = set + 1 < 1U << v->n ? set + 1 : 0;
        const char *key;
        SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
        CHECK(add_region(&text, v, at));
        CHECK(set_key(ctx, &key, out, v, at));
        cairn_report_cell(out, cairn_text_string(&text));
        cairn_report_cell_number(out, v->region[at], 0, "region.%s", key);
    }
    return CAIRN_OK;
}

/* Events together, and what one says of another. */
static cairn_status show_together(cairn_context *ctx, cairn_report *out, const venn *v)
{
    cairn_report_table_of(out, "Events", 0, "lr", "event", "probability");
    for (unsigned set = 1; set < 1U << v->n; set++) {
        const char *key;
        SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
        add_set(&text, v, set, " and ");
        CHECK(set_key(ctx, &key, out, v, set));
        CHECK(cairn_text_status(&text));
        cairn_report_cell(out, cairn_text_string(&text));
        cairn_report_cell_number(out, v->together[set], 0, "together.%s", key);
    }
    cairn_report_table_end(out);
    cairn_report_value(out, "at least one of them", 1 - v->region[0], "union");
    cairn_report_table_of(out, "Of one, given another", 0, "llr", "event", "given", "probability");
    for (size_t a = 0; a < v->n; a++)
        for (size_t b = 0; b < v->n; b++) {
            if (a == b) continue;
            double given = v->together[1U << b];
            const char *first = cairn_report_key(out, v->names[a]);
            cairn_report_prefix(out, "given.%s", first);
            cairn_report_cells(out, "- - @.$2", v->names[a], v->names[b],
                               given > 0 ? v->together[1U << a | 1U << b] / given : NAN);
        }
    return CAIRN_OK;
}

/* -- the picture -- */

/* Circles of the same size in a frame that stands for all that can happen. Of three the first is
 * above; what is in some of them is written away from the others. */
static cairn_status make_figure(cairn_context *ctx, cairn_figure **out, const venn *v)
{
    static const double places[2][MOST_EVENTS][2] = {{{-0.62, 0}, {0.62, 0}},
                                                     {{0, 0.62}, {-0.537, -0.31}, {0.537, -0.31}}};
    static const double labels[2][MOST_EVENTS][2] = {{{-0.9, 1.08}, {0.9, 1.08}},
                                                     {{0, 1.68}, {-1.35, -1.55}, {1.35, -1.55}}};
    const double turn = 6.28318530717958647692;
    const double(*at)[2] = places[v->n - 2], (*named)[2] = labels[v->n - 2];
    double x[ROUND], y[ROUND];
    double right = 2.1, top = v->n == 2 ? 1.45 : 2.0, bottom = v->n == 2 ? -1.45 : -1.65;
    CHECK(cairn_figure_new(ctx, out, "venn", "Regions of the events"));
    cairn_figure_no_axes(*out);
    cairn_figure_equal_axes(*out);
    const double frame_x[] = {-right, right, right, -right, -right};
    const double frame_y[] = {bottom, bottom, top, top, bottom};
    cairn_figure_guide(*out, frame_x, frame_y, 5);
    for (size_t e = 0; e < v->n; e++) {
        for (size_t i = 0; i < ROUND; i++) {
            x[i] = at[e][0] + cairn_cos(turn * (double)i / ROUND);
            y[i] = at[e][1] + cairn_sin(turn * (double)i / ROUND);
        }
        cairn_figure_shape(*out, (int32_t)e, x, y, ROUND);
    }
    for (size_t e = 0; e < v->n; e++) {
        char label[160], number[CAIRN_NUMBER_SIZE];
        cairn_number_format(number, v->together[1U << e], 4);
        snprintf(label, sizeof label, "%.80s (%s)", v->names[e], number);
        cairn_figure_text(*out, named[e][0], named[e][1], 'c', label);
    }
    for (unsigned set = 0; set < 1U << v->n; set++) {
        char number[CAIRN_NUMBER_SIZE];
        double at_x = 0, at_y = 0, n = bits(set);
        for (size_t e = 0; e < v->n; e++)
            if (set >> e & 1) at_x += at[e][0] / n, at_y += at[e][1] / n;
        double far = v->n == 2 ? 1.6 : n == 1 ? 1.75 : n == 2 ? 2.3 : 0;
        if (!set) at_x = right - 0.3, at_y = v->n == 2 ? bottom + 0.1 : top - 0.35, far = 1;
        cairn_number_format(number, v->region[set], 4);
        cairn_figure_text(*out, at_x * far, at_y * far - (set ? 0.07 : 0), set ? 'c' : 'r', number);
    }
    cairn_figure_x_range(*out, -right - 0.05, right + 0.05);
    cairn_figure_y_range(*out, bottom - 0.05, top + 0.05);
    cairn_figure_size(*out, 480, v->n == 2 ? 360 : 430);
    return CAIRN_OK;
}

static cairn_status venn_run(cairn_context *ctx, cairn_report *out, const cairn_compute_job *job)
{
    venn v = {0};
    cairn_figure *figure;
    CHECK(read_venn(ctx, &v, job));
    cairn_report_heading(out, 1, "Regions of %zu events", v.n);
    if (job->steps) CHECK(show_work(ctx, out, &v));
    CHECK(show_regions(ctx, out, &v));
    CHECK(show_together(ctx, out, &v));
    CHECK(make_figure(ctx, &figure, &v));
    cairn_report_page_figure(out, figure);
    return CAIRN_OK;
}

static cairn_status venn_draw(cairn_context *ctx, cairn_figure **out, const cairn_compute_job *job)
{
    venn v = {0};
    CHECK(read_venn(ctx, &v, job));
    return make_figure(ctx, out, &v);
}

const cairn_calculator cairn_compute_venn = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "venn",
              .also = "inclusion and exclusion, regions of events, union of events, probabilities "
                      "of a Venn diagram",
              .title = "Probabilities of the regions of events",
              .summary =
                  "Two or three events: the probability of every region of their Venn diagram, "
                  "what lies in some of them and in none of the others, of their union, and of "
                  "each given another. What the events have in common is typed, or events are "
                  "propositions about outcomes that are typed, read or counted from rows.",
              .references = "Feller, An Introduction to Probability Theory, Wiley 1968, chapter I",
              .example = "cairn compute venn --probabilities 'A=0.5, B=0.4, A&B=0.2' --steps",
              .params = venn_table,
              .params_size = sizeof(venn_params)},
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "venn",
                .also = "Venn diagram with probabilities",
                .title = "Venn diagram with probabilities",
                .summary = "Two or three events as circles in a frame, with the probability of "
                           "every region; the circles are of the same size whatever their "
                           "probabilities are.",
                .example = "cairn draw venn --probabilities 'A=0.5, B=0.4, C=0.3, A&B=0.2, "
                           "A&C=0.15, B&C=0.12, A&B&C=0.06' --out venn.svg",
                .params = venn_table,
                .params_size = sizeof(venn_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_COLUMNS | CAIRN_READS_WEIGHT,
    .run = venn_run,
    .draw = venn_draw,
};
