/* SPDX-License-Identifier: MIT */
/* cairn compute independence: whether the probability of several things together is the product of
 * their own, for events and for variables.
 *
 *     events      P(A B ...) = P(A) P(B) ... for every two of them (pairwise), for every subfamily
 *                 (mutually)
 *     variables   P(x, y | z) = P(x | z) P(y | z) for all values x, y and every z
 *
 * Both sides of each equation are shown; what differs by more than the tolerance fails it. */
#include "model/calculator.h"
#include "typed/outcomes.h"

#include "base/memory.h"
#include "base/text.h"
#include "data/column.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_EVENTS = 12 };

typedef struct independence_params {
    cairn_outcomes_option outcomes;
    const char *event, *of, *given;
    double tolerance;
} independence_params;

static const cairn_param independence_table[] = {
    CAIRN_PARAM_GROUP(independence_params, outcomes, cairn_outcomes_params),
    {.name = "event",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(independence_params, event),
     .help = "a proposition, perhaps with a name in front: 'A: first = heads'; two or more",
     .often = true,
     .repeated = true},
    CAIRN_PARAM_AS(independence_params, of, CAIRN_TYPE_COLUMNS, NULL,
                   "variables in place of events, such as weather,cavity; each two of them; all "
                   "if there are neither",
                   .often = true),
    CAIRN_PARAM_AS(independence_params, given, CAIRN_TYPE_COLUMNS, NULL,
                   "a variable: independence given each of its values", .often = true),
    CAIRN_PARAM(independence_params, tolerance, "1e-9", "[0,1)",
                "largest difference of the two sides that counts as equal; for rows that were "
                "counted some hundredths"),
    CAIRN_PARAM_END,
};

/* -- events -- */

typedef struct family {
    const char *names[MOST_EVENTS];
    double *holds[MOST_EVENTS];
    double p[MOST_EVENTS];
    size_t n;
} family;

static cairn_status read_event(cairn_context *ctx, family *f, const char *line,
                               const cairn_outcomes *o)
{
    CHECK(cairn_event_named(ctx, &f->names[f->n], &f->holds[f->n], line, o->table));
    f->p[f->n] = cairn_event_probability(o, f->holds[f->n], NULL);
    f->n++;
    return CAIRN_OK;
}

/* The probability of all events of a set, and the product of their own. */
static void compare_set(const family *f, const cairn_outcomes *o, unsigned set, double *both,
                        double *product)
{
    *both = 0;
    *product = 1;
    for (size_t e = 0; e < f->n; e++)
        if (set >> e & 1) *product *= f->p[e];
    for (size_t i = 0; i < o->table->n_rows; i++) {
        bool all = true;
        for (size_t e = 0; e < f->n && all; e++) all = !(set >> e & 1) || f->holds[e][i] > 0;
        if (all) *both += o->p[i];
    }
}

static void name_set(cairn_text *out, const family *f, unsigned set, const char *between)
{
    out->length = 0;
    for (size_t e = 0; e < f->n; e++)
        if (set >> e & 1)
            cairn_text_addf(out, out->length ? "%s%s" : "%.0s%s", between, f->names[e]);
}

/* One equation: a row of the table, and with steps the calculation. Returns whether it holds. */
static bool show_equation(cairn_report *out, const family *f, const cairn_outcomes *o, unsigned set,
                          double tolerance, cairn_text *text)
{
    double both, product;
    compare_set(f, o, set, &both, &product);
    bool equal = fabs(both - product) <= tolerance;
    name_set(text, f, set, ", ");
    cairn_report_cell(out, cairn_text_string(text));
    name_set(text, f, set, "_");
    const char *key = cairn_report_key(out, cairn_text_string(text));
    cairn_report_cell_number(out, both, 0, "together.%s", key);
    cairn_report_cell_number(out, product, 0, "product.%s", key);
    cairn_report_cell_number(out, both - product, 0, NULL);
    cairn_report_cell_word(out, equal ? "yes" : "no", "equal.%s", key);
    return equal;
}

/* The equations of two, then of three, ...: how many of them hold, for pairs and for all. */
static cairn_status show_family(cairn_context *ctx, cairn_report *out, const family *f,
                                const cairn_outcomes *o, double tolerance)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    bool pairwise = true, mutual = true;
    cairn_report_table_of(out, "Events", 0, "lr", "event", "P");
    for (size_t e = 0; e < f->n; e++) {
        cairn_report_cells(out, "- p.$1", f->names[e], f->p[e]);
    }
    cairn_report_table_of(out, "Equations", 0, "lrrrl", "events", "P of all together",
                          "product of theirs", "difference", "equal");
    for (int size = 2; size <= (int)f->n; size++)
        for (unsigned set = 0; set < 1u << f->n; set++) {
            if (__builtin_popcount(set) != size) continue;
            bool equal = show_equation(out, f, o, set, tolerance, &text);
            mutual = mutual && equal;
            if (size == 2) pairwise = pairwise && equal;
        }
    cairn_report_word(out, "independent in pairs", pairwise ? "yes" : "no", "pairwise");
    if (f->n > 2) cairn_report_word(out, "mutually independent", mutual ? "yes" : "no", "mutual");
    if (f->n > 2 && pairwise && !mutual)
        cairn_report_note(out, "Every two are independent, but not all together.");
    return cairn_text_status(&text);
}

/* "P(A)·P(B)·P(C) = 0.5·0.5·0.5 = 0.125, together 0.25" */
static void work_set(cairn_report *out, const family *f, const cairn_outcomes *o, unsigned set)
{
    SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(cairn_report_context(out));
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(cairn_report_context(out));
    double numbers[MOST_EVENTS + 2];
    size_t n = 0;
    for (size_t e = 0; e < f->n; e++) {
        if (!(set >> e & 1)) continue;
        cairn_text_addf(&label, "%sP(%s)", n ? "·" : "", f->names[e]);
        cairn_text_add(&text, n ? "·#" : "#");
        numbers[n++] = f->p[e];
    }
    cairn_text_add(&text, " = #, together #");
    compare_set(f, o, set, &numbers[n + 1], &numbers[n]);
    cairn_report_failed(out, cairn_text_status(&label));
    cairn_report_failed(out, cairn_text_status(&text));
    cairn_report_worked_numbers(out, cairn_text_string(&label), cairn_text_string(&text), numbers,
                                n + 2);
}

static cairn_status run_events(cairn_context *ctx, cairn_report *out, const cairn_outcomes *o,
                               const independence_params *p, bool steps)
{
    const char *const *lines;
    family f = {.n = 0};
    CHECK(cairn_list_lines(ctx, p->event, &lines));
    for (size_t i = 0; lines[i]; i++) {
        if (f.n == MOST_EVENTS)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{event}: at most %d events, which have %d "
                              "equations",
                              MOST_EVENTS, (1 << MOST_EVENTS) - MOST_EVENTS - 1);
        CHECK(read_event(ctx, &f, lines[i], o));
    }
    if (f.n < 2) return cairn_fail(ctx, CAIRN_USAGE, "{event}: two events at least are compared");
    cairn_report_formula(out, "P(A B ...) = P(A)·P(B)·...");
    if (steps) {
        /* The products behind the equations: of two, of three, ... */
        for (int size = 2; size <= (int)f.n; size++)
            for (unsigned set = 0; set < 1u << f.n; set++)
                if (__builtin_popcount(set) == size) work_set(out, &f, o, set);
    }
    return show_family(ctx, out, &f, o, p->tolerance);
}

/* -- variables -- */

typedef struct pair {
    const cairn_slot *x, *y, *z; /* z NULL = absolutely */
} pair;

static size_t levels_of(const cairn_slot *slot)
{
    return slot ? slot->column->names.n : 1;
}

/* Tables of x and y for each z: the largest difference of the two sides and where it is. */
typedef struct difference {
    double most, both, product, px, py; /* ... and the two factors of the product */
    size_t x, y, z;
} difference;

/* Where the joint probability and the product are farthest apart, the first of equals; rows that
 * lack a level do not count. */
static cairn_status differ(cairn_context *ctx, difference *out, const pair *v,
                           const cairn_outcomes *o)
{
    size_t nx = levels_of(v->x), ny = levels_of(v->y), nz = levels_of(v->z);
    double *cells, *px, *py, *pz;
    CHECK(SCRATCH(ctx, &cells, cairn_product(cairn_product(nx, ny), nz)));
    CHECK(SCRATCH(ctx, &px, cairn_product(nx, nz)));
    CHECK(SCRATCH(ctx, &py, cairn_product(ny, nz)));
    CHECK(SCRATCH(ctx, &pz, nz));
    for (size_t i = 0; i < o->table->n_rows; i++) {
        int32_t x = v->x->column->codes[i], y = v->y->column->codes[i];
        int32_t z = v->z ? v->z->column->codes[i] : 0;
        if (x < 0 || y < 0 || z < 0) continue;
        cells[((size_t)z * nx + (size_t)x) * ny + (size_t)y] += o->p[i];
        px[(size_t)z * nx + (size_t)x] += o->p[i];
        py[(size_t)z * ny + (size_t)y] += o->p[i];
        pz[z] += o->p[i];
    }
    *out = (difference){.most = -1};
    for (size_t c = 0; c < nx * ny * nz; c++) {
        size_t z = c / (nx * ny), x = c / ny % nx, y = c % ny;
        if (!(pz[z] > 0)) continue;
        double both = cells[c] / pz[z];
        double one = px[z * nx + x] / pz[z], other = py[z * ny + y] / pz[z], product = one * other;
        if (fabs(both - product) > out->most)
            *out = (difference){fabs(both - product), both, product, one, other, x, y, z};
    }
    return CAIRN_OK;
}

/* "P(cavity = true | catch = true)" */
static void add_factor(cairn_text *out, const pair *v, const difference *d, const cairn_slot *slot,
                       size_t level)
{
    cairn_text_addf(out, "P(%s = %s", slot->name, cairn_map_key(&slot->column->names, level));
    if (v->z)
        cairn_text_addf(out, " | %s = %s", v->z->name, cairn_map_key(&v->z->column->names, d->z));
    cairn_text_add(out, ")");
}

/* Where the two sides differ most: the product with the numbers put in, and the other side. */
static cairn_status work_pair(cairn_context *ctx, cairn_report *out, const pair *v,
                              const cairn_outcomes *o)
{
    SCOPED(cairn_text_clear) cairn_text label = cairn_text_start(ctx);
    difference d;
    CHECK(differ(ctx, &d, v, o));
    add_factor(&label, v, &d, v->x, d.x);
    cairn_text_add(&label, "·");
    add_factor(&label, v, &d, v->y, d.y);
    cairn_report_worked(out, cairn_text_string(&label), "#·# = #, together #", d.px, d.py,
                        d.product, d.both);
    return cairn_text_status(&label);
}

/* "cavity_weather", the end of the names of a pair's values. */
static const char *pair_key(cairn_report *out, const pair *v)
{
    char key[200];
    snprintf(key, sizeof key, "%.90s_%.90s", v->x->name, v->y->name);
    return cairn_report_key(out, key);
}

/* Differences below rounding are shown as 0. */
static cairn_status show_pair(cairn_context *ctx, cairn_report *out, const pair *v,
                              const cairn_outcomes *o, double tolerance)
{
    SCOPED(cairn_text_clear) cairn_text text = cairn_text_start(ctx);
    difference d;
    CHECK(differ(ctx, &d, v, o));
    const char *name = pair_key(out, v);
    /* "cavity = true, weather = rain given catch = true" */
    text.length = 0;
    cairn_text_addf(&text, "%s = %s, %s = %s", v->x->name, cairn_map_key(&v->x->column->names, d.x),
                    v->y->name, cairn_map_key(&v->y->column->names, d.y));
    if (v->z)
        cairn_text_addf(&text, " given %s = %s", v->z->name,
                        cairn_map_key(&v->z->column->names, d.z));
    cairn_report_cell(out, cairn_text_string(&text));
    cairn_report_cell_number(out, d.both, 0, "together.%s", name);
    cairn_report_cell_number(out, d.product, 0, "product.%s", name);
    cairn_report_cell_number(out, d.most < 1e-15 ? 0 : d.most, 0, "difference.%s", name);
    cairn_report_cell_word(out, d.most <= tolerance ? "yes" : "no", "independent.%s", name);
    return cairn_text_status(&text);
}

/* How many free numbers the joint table of a pair has, and its factors. */
static void show_numbers(cairn_report *out, const pair *v)
{
    double nx = (double)levels_of(v->x), ny = (double)levels_of(v->y), nz = (double)levels_of(v->z);
    const char *name = pair_key(out, v);
    cairn_report_prefix(out, "parameters.%s", name);
    cairn_report_cells(out, "- - @", v->x->name, v->y->name, nz * (nx * ny - 1));
    cairn_report_cell_number(out, nz * (nx - 1 + ny - 1), 0, "factored.%s", name);
}

/* The columns that are compared: the named ones, else all but the condition. */
static cairn_status choose(cairn_context *ctx, const cairn_slot ***out, size_t *n,
                           const cairn_outcomes *o, const independence_params *p,
                           const cairn_slot *given)
{
    char **names = NULL;
    size_t n_names = 0, at;
    if (p->of) CHECK(cairn_list_split(ctx, p->of, &names, &n_names));
    CHECK(SCRATCH(ctx, out, o->table->n_columns + n_names));
    *n = 0;
    for (size_t i = 0; i < (p->of ? n_names : o->table->n_columns); i++) {
        at = i;
        if (p->of) CHECK(cairn_table_get(ctx, o->table, names[i], &at));
        const cairn_slot *slot = &o->levels->slots[at];
        if (slot == given || (!p->of && slot->column->kind != CAIRN_LEVEL)) continue;
        if (slot->column->kind != CAIRN_LEVEL)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "{of}: '%s' holds no levels; {kinds \"%s=level\"} takes its values "
                              "as levels",
                              slot->name, slot->name);
        (*out)[(*n)++] = slot;
    }
    if (*n >= 2) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE, "two variables at least are compared; {of} names them");
}

static cairn_status run_variables(cairn_context *ctx, cairn_report *out, const cairn_outcomes *o,
                                  const independence_params *p, bool steps)
{
    const cairn_slot **slots, *given = NULL;
    size_t n, at;
    if (p->given) {
        CHECK(cairn_table_get(ctx, o->table, p->given, &at));
        given = &o->levels->slots[at];
        if (given->column->kind != CAIRN_LEVEL)
            return cairn_fail(ctx, CAIRN_USAGE, "{given}: '%s' holds no levels", p->given);
    }
    CHECK(choose(ctx, &slots, &n, o, p, given));
    cairn_report_formula(out, given ? "P(x, y | z) = P(x | z)·P(y | z)" : "P(x, y) = P(x)·P(y)");
    for (size_t a = 0; a < n && steps; a++)
        for (size_t b = a + 1; b < n; b++)
            CHECK(work_pair(ctx, out, &(pair){slots[a], slots[b], given}, o));
    cairn_report_table_of(out, "Where the two sides differ most", 0, "lrrrl", "at", "P together",
                          "product", "difference", "independent");
    for (size_t a = 0; a < n; a++)
        for (size_t b = a + 1; b < n; b++)
            CHECK(show_pair(ctx, out, &(pair){slots[a], slots[b], given}, o, p->tolerance));
    cairn_report_table_of(out, "What independence saves", 0, "llrr", "x", "y",
                          "numbers of the joint table", "of the factors");
    for (size_t a = 0; a < n; a++)
        for (size_t b = a + 1; b < n; b++) show_numbers(out, &(pair){slots[a], slots[b], given});
    return CAIRN_OK;
}

static cairn_status independence_run(cairn_context *ctx, cairn_report *out,
                                     const cairn_compute_job *job)
{
    const independence_params *p = job->params;
    SCOPED(cairn_outcomes_clear) cairn_outcomes o = {0};
    CHECK(cairn_outcomes_read(ctx, &o, &p->outcomes, job->table, job->what));
    cairn_report_heading(out, 1, "Independence");
    if (p->event) return run_events(ctx, out, &o, p, job->steps);
    return run_variables(ctx, out, &o, p, job->steps);
}

const cairn_calculator cairn_compute_independence = {
    .entry = {.kind = CAIRN_ENTRY_CALCULATOR,
              .name = "independence",
              .also = "independent events, mutual independence, pairwise independence, "
                      "conditional independence",
              .title = "Independence of events and variables",
              .summary = "Holds the probability of events together against the product of their "
                         "own, for every two and for every subfamily, and says which equation "
                         "fails; for variables, also given another one, where the two sides "
                         "differ most and how many numbers the factors save. The table of outcomes "
                         "is typed, read, or counted from the rows of data.",
              .references = "Feller, An Introduction to Probability Theory, Wiley 1968, chapter V",
              .example = "cairn compute independence --variables first=H/T,second=H/T --table "
                         "0.25,0.25,0.25,0.25 --event 'A: first = H' --event 'B: second = H' "
                         "--event 'C: (first = H) != (second = H)' --steps",
              .params = independence_table,
              .params_size = sizeof(independence_params)},
    .arguments = "[DATA]",
    .takes_data = true,
    .reads = CAIRN_READS_COLUMNS | CAIRN_READS_WEIGHT,
    .run = independence_run,
};
