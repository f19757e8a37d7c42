/* SPDX-License-Identifier: MIT */
/* Tf-idf: amounts in a bag become weights, term frequency times inverse document frequency.
 *
 * tf is the amount, or 1 + ln(amount) (sublinear). With n training rows, d of which have the item,
 * idf is ln((1+n) / (1+d)) + 1 (smooth: as if one more row had every item), ln(n/d) + 1 (shifted),
 * ln(n/d) (plain) or 1 (none). Rows are then divided by their length (l2), by the sum of absolute
 * values (l1), or left alone. n and d count the weights of rows. An item that no training row has
 * gets idf 0 in the forms that would divide by 0. Cost: one pass over the items. */
#include "data/ledger.h"
#include "data/column.h"
#include "transforms/columns.h"
#include "transforms/computing.h"
#include "base/functions.h"
#include <math.h>
#include <string.h>

typedef enum { IDF_SMOOTH, IDF_SHIFTED, IDF_PLAIN, IDF_NONE } idf_choice;
typedef enum { NORM_L2, NORM_L1, NORM_NONE } norm_choice;

typedef struct tf_idf_params {
    const char *columns;
    int idf; /* idf_choice */
    bool sublinear;
    int norm; /* norm_choice */
} tf_idf_params;

static const cairn_choice idf_choices[] = {
    {"smooth", IDF_SMOOTH, "ln((1+n)/(1+d)) + 1"},
    {"shifted", IDF_SHIFTED, "ln(n/d) + 1"},
    {"plain", IDF_PLAIN, "ln(n/d), which is 0 for an item of every row"},
    {"none", IDF_NONE, "1: term frequencies alone"},
    {0},
};

static const cairn_choice norm_choices[] = {
    {"l2", NORM_L2, "rows of Euclidean length 1"},
    {"l1", NORM_L1, "rows whose absolute values add up to 1"},
    {"none", NORM_NONE, "rows as they are"},
    {0},
};

static const cairn_param tf_idf_param_table[] = {
    CAIRN_PARAM_AS(tf_idf_params, columns, CAIRN_TYPE_COLUMNS, NULL,
                   "the bag columns; all bag features when not given"),
    CAIRN_PARAM_CHOICE(tf_idf_params, idf, "smooth", idf_choices,
                       "inverse document frequency of n rows, d of which have the item"),
    CAIRN_PARAM(tf_idf_params, sublinear, "no", NULL, "1 + ln(amount) in place of the amount"),
    CAIRN_PARAM_CHOICE(tf_idf_params, norm, "l2", norm_choices, "length of every row"),
    CAIRN_PARAM_END,
};

/* What was learned of one column. */
typedef struct tf_idf_column {
    cairn_map items;
    double *documents; /* items.n: weight of the rows that have the item */
    double *idf;       /* items.n */
    double n;          /* weight of all rows */
} tf_idf_column;

typedef struct tf_idf_state {
    cairn_map names;
    tf_idf_column *columns; /* names.n */
} tf_idf_state;

static bool fits_bag(const cairn_column *column)
{
    return column->kind == CAIRN_BAG;
}

static double idf_of(int form, double n, double d)
{
    if (form == IDF_NONE) return 1;
    if (form == IDF_SMOOTH) return cairn_log((1 + n) / (1 + d)) + 1;
    if (d <= 0 || n <= 0) return 0;
    return cairn_log(n / d) + (form == IDF_SHIFTED ? 1 : 0);
}

static cairn_status refuse_amount(cairn_context *ctx, const char *name, size_t row,
                                  const char *item)
{
    return cairn_fail(ctx, CAIRN_BAD_DATA,
                      "tf-idf: column '%s', row %zu, item '%s': the amount is not positive, but "
                      "term frequencies are counts; leave the column out, or sublinear",
                      name, row + 1, item);
}

/* Documents are counted by weight and once for each row, whatever the amount; rows without a bag
 * count neither above nor below the fraction. */
static cairn_status learn_column(cairn_context *ctx, tf_idf_column *out, const cairn_job *job,
                                 size_t feature)
{
    const tf_idf_params *p = job->params;
    const cairn_column *bag = job->view->features[feature];
    CHECK(cairn_map_copy(ctx, &out->items, &bag->names));
    CHECK(NEW_EACH(ctx, out->items.n, &out->documents, &out->idf));
    for (size_t i = 0; i < job->view->rows.n; i++) {
        size_t row = cairn_view_row(job->view, i);
        double weight = cairn_view_weight(job->view, i);
        if (cairn_column_is_missing(bag, row)) continue;
        out->n += weight;
        for (size_t k = bag->starts[row]; k < bag->starts[row + 1]; k++)
            out->documents[bag->items[k]] += weight;
    }
    for (size_t k = 0; k < out->items.n; k++)
        out->idf[k] = idf_of(p->idf, out->n, out->documents[k]);
    return CAIRN_OK;
}

/* -- showing -- */

enum { SHOWN = 12 };

/* The items of most rows, at most SHOWN of them; ties in their order. */
static size_t shown_items(const tf_idf_column *c, size_t out[SHOWN])
{
    size_t n = 0;
    for (size_t i = 0; i < c->items.n; i++) {
        size_t at = n;
        while (c->items.n > SHOWN && at > 0 && c->documents[out[at - 1]] < c->documents[i]) at--;
        if (at >= SHOWN) continue;
        if (n < SHOWN) n++;
        for (size_t k = n - 1; k > at; k--) out[k] = out[k - 1];
        out[at] = i;
    }
    return n;
}

/* The commonest items only: what most rows have is what the weights push down. */
static void show_column(cairn_report *out, const tf_idf_column *c, const char *name)
{
    const char *key = cairn_report_key(out, name);
    size_t items[SHOWN], n = shown_items(c, items);
    cairn_report_word(out, "bag", name, NULL);
    cairn_report_value(out, "training rows", c->n, "tf-idf.%s.n", key);
    cairn_report_table_of(out,
                          n < c->items.n ? "Inverse document frequency of the commonest items"
                                         : "Inverse document frequency",
                          0, "lrr", "item", "rows", "idf");
    for (size_t k = 0; k < n; k++) {
        const char *item = cairn_map_key(&c->items, items[k]);
        const char *item_key = cairn_report_key(out, item);
        cairn_report_cell(out, item);
        cairn_report_cell_number(out, c->documents[items[k]], 0, "tf-idf.%s.documents.%s", key,
                                 item_key);
        cairn_report_cell_number(out, c->idf[items[k]], 0, "tf-idf.%s.idf.%s", key, item_key);
    }
    cairn_report_table_end(out);
}

static const char *formula_of(int idf)
{
    return idf == IDF_SMOOTH    ? "idf = ln((1 + n) / (1 + d)) + 1"
           : idf == IDF_SHIFTED ? "idf = ln(n / d) + 1"
           : idf == IDF_PLAIN   ? "idf = ln(n / d)"
                                : "idf = 1";
}

static void tf_idf_describe(cairn_report *out, const void *state, const void *params)
{
    const tf_idf_params *p = params;
    const tf_idf_state *s = state;
    cairn_report_formula(out, "w = tf · idf,  tf = %s,  %s%s",
                         p->sublinear ? "1 + ln(amount)" : "amount", formula_of(p->idf),
                         p->norm == NORM_L2   ? ",  then w / √(Σ w²)"
                         : p->norm == NORM_L1 ? ",  then w / Σ |w|"
                                              : "");
    for (size_t i = 0; i < s->names.n; i++)
        show_column(out, &s->columns[i], cairn_map_key(&s->names, i));
}

/* -- applying -- */

static cairn_status tf_idf_fit(cairn_context *ctx, void *state, const cairn_job *job)
{
    const tf_idf_params *p = job->params;
    tf_idf_state *s = state;
    size_t n, *chosen, index;
    CHECK(cairn_choose_features(ctx, job->view, "tf-idf", p->columns, fits_bag, "a bag column",
                                &chosen, &n));
    CHECK(NEW(ctx, &s->columns, n));
    for (size_t i = 0; i < n; i++) {
        const char *name = job->view->names[chosen[i]];
        size_t before = s->names.n;
        CHECK(cairn_map_add(ctx, &s->names, name, strlen(name), &index));
        if (s->names.n > before) CHECK(learn_column(ctx, &s->columns[index], job, chosen[i]));
    }
    return CAIRN_OK;
}

/* Divide the weights of a row by its length. */
static void scale_row(double *weights, size_t n, int norm)
{
    double length = 0;
    if (norm == NORM_NONE) return;
    for (size_t k = 0; k < n; k++)
        length += norm == NORM_L2 ? weights[k] * weights[k] : fabs(weights[k]);
    if (norm == NORM_L2) length = sqrt(length);
    for (size_t k = 0; length > 0 && k < n; k++) weights[k] /= length;
}

/* The weights of the rows; items that were not there in training drop out. */
static cairn_status weigh(cairn_context *ctx, cairn_column *out, const cairn_column *bag,
                          const tf_idf_column *c, const tf_idf_params *p, const char *name)
{
    int32_t *codes;
    size_t n = 0;
    CHECK(SCRATCH(ctx, &codes, bag->names.n));
    for (size_t i = 0; i < bag->names.n; i++)
        codes[i] = (int32_t)cairn_map_find(&c->items, cairn_map_key(&bag->names, i),
                                           bag->names.lengths[i]);
    for (size_t i = 0; i < bag->n_rows; i++) {
        out->starts[i] = n;
        for (size_t k = bag->starts[i]; k < bag->starts[i + 1]; k++) {
            int32_t item = codes[bag->items[k]];
            double amount = bag->amounts ? bag->amounts[k] : 1;
            if (item < 0) continue;
            if (p->sublinear && !(amount > 0))
                return refuse_amount(ctx, name, i, cairn_map_key(&c->items, (size_t)item));
            out->items[n] = item;
            out->amounts[n++] = (p->sublinear ? 1 + cairn_log(amount) : amount) * c->idf[item];
        }
        scale_row(out->amounts + out->starts[i], n - out->starts[i], p->norm);
    }
    out->starts[bag->n_rows] = n;
    return CAIRN_OK;
}

static cairn_status apply_column(cairn_context *ctx, cairn_column **out, const cairn_column *bag,
                                 const tf_idf_column *c, const tf_idf_params *p, const char *name)
{
    OWNED(cairn_column_drop) cairn_column *made = NULL;
    size_t n = bag->starts[bag->n_rows];
    CHECK(cairn_column_new(ctx, &made, CAIRN_BAG, bag->n_rows));
    cairn_free(made->items);
    made->items = NULL;
    CHECK(NEW_RAW_EACH(ctx, n, &made->items, &made->amounts));
    CHECK(weigh(ctx, made, bag, c, p, name));
    for (size_t i = 0; bag->absent && i < bag->n_rows; i++)
        if (bag->absent[i]) CHECK(cairn_column_mark_absent(ctx, made, i));
    CHECK(cairn_map_copy(ctx, &made->names, &c->items));
    cairn_column_count_missing(made);
    *out = TAKE(made);
    return CAIRN_OK;
}

static cairn_status tf_idf_apply(cairn_context *ctx, cairn_table **out, const void *state,
                                 const void *params, const cairn_table *table)
{
    const tf_idf_state *s = state;
    OWNED(cairn_table_free) cairn_table *copy = NULL;
    CHECK(cairn_table_share(ctx, &copy, table));
    for (size_t i = 0, at = 0; i < s->names.n; i++) {
        cairn_column *column;
        const char *name = cairn_map_key(&s->names, i);
        CHECK(cairn_next_column(ctx, copy, name, &at));
        CHECK(cairn_expect_kind(ctx, &copy->slots[at], CAIRN_BAG));
        CHECK(apply_column(ctx, &column, copy->slots[at].column, &s->columns[i], params, name));
        cairn_table_replace_column(copy, at, column);
    }
    *out = TAKE(copy);
    return CAIRN_OK;
}

/* The weight of one item, of which there is as much as the slot says. */
static void lower_weight(cairn_computing *c, const tf_idf_params *p, int32_t slot, double idf)
{
    cairn_computing_slot(c, slot);
    if (p->sublinear) {
        cairn_computing_number(c, 0);
        cairn_computing_do(c, CAIRN_DO_GREATER, 2);
        cairn_computing_number(c, 1);
        cairn_computing_slot(c, slot);
        (void)cairn_computing_function(c, "log");
        cairn_computing_do(c, CAIRN_DO_SUM, 2);
        cairn_computing_number(c, 0);
        cairn_computing_do(c, CAIRN_DO_IF, 3);
    }
    cairn_computing_number(c, idf);
    cairn_computing_do(c, CAIRN_DO_MULTIPLY, 2);
    cairn_computing_write(c);
}

/* The items of training have a slot each, next to each other; the norm is taken over the weighted
 * items, as in apply. */
static cairn_status tf_idf_lower(const void *state, const cairn_job *job, cairn_program *out)
{
    const tf_idf_state *s = state;
    const tf_idf_params *p = job->params;
    int32_t slot, first, *items;
    for (size_t i = 0; i < s->names.n; i++) {
        const tf_idf_column *column = &s->columns[i];
        cairn_computing c = cairn_computing_start(out);
        CHECK(cairn_program_column(out, cairn_map_key(&s->names, i), &slot));
        for (size_t k = 0; k < column->items.n; k++)
            lower_weight(&c, p, slot + (int32_t)k, column->idf[k]);
        CHECK(cairn_computing_end(&c, &first));
        CHECK(SCRATCH(out->ctx, &items, column->items.n + 1));
        for (size_t k = 0; k < column->items.n; k++) items[k] = first + (int32_t)k;
        if (p->norm != NORM_NONE && column->items.n)
            CHECK(cairn_lower_unit(out, p->norm == NORM_L1 ? CAIRN_NORM_L1 : CAIRN_NORM_L2, items,
                                   column->items.n, &first));
        CHECK(cairn_program_put(out, cairn_map_key(&s->names, i), first));
    }
    return CAIRN_OK;
}

static void write_items(cairn_ledger *out, const void *state, const cairn_job *job)
{
    const tf_idf_state *s = state;
    (void)job;
    cairn_ledger_columns(out, "ttnn", "column", "item", "documents", "idf");
    for (size_t i = 0; i < s->names.n; i++)
        for (size_t k = 0; k < s->columns[i].items.n; k++) {
            cairn_ledger_cells(out, cairn_map_key(&s->names, i),
                               cairn_map_key(&s->columns[i].items, k), s->columns[i].documents[k],
                               s->columns[i].idf[k]);
        }
}

static const cairn_learned tf_idf_tables[] = {
    CAIRN_LEARNED("tf-idf.items", "item of a bag: rows that have it, and its weight", write_items),
    CAIRN_LEARNED_END};

static const cairn_kept column_keeps[] = {
    KEEP(tf_idf_column, items),
    KEEP_ARRAYS(tf_idf_column, "items", documents, idf),
    KEEP(tf_idf_column, n),
    KEEP_END,
};

static const cairn_kept tf_idf_keeps[] = {
    KEEP(tf_idf_state, names),
    KEEP_PARTS(tf_idf_state, columns, "names", .rows = column_keeps),
    KEEP_END,
};

const cairn_transform cairn_tf_idf = {
    .entry =
        {.kind = CAIRN_ENTRY_TRANSFORM,
         .name = "tf-idf",
         .also =
             "TFIDF, term weighting, inverse document frequency, TfidfVectorizer, TfidfTransformer",
         .title = "Term frequency times inverse document frequency",
         .summary =
             "Weighs the items of bags: an item counts for more the more often it stands in "
             "the row, and for less the more rows have it. Document frequencies are those of "
             "the training rows. Rows are brought to length 1 unless told otherwise, so that "
             "long texts do not outweigh short ones.",
         .references = "Manning, Raghavan and Schuetze, Introduction to Information Retrieval",
         .example = "cairn convert @texts - --to csv --with bag --with tf-idf",
         .params = tf_idf_param_table,
         .params_size = sizeof(tf_idf_params)},
    .state_size = sizeof(tf_idf_state),
    .tables = tf_idf_tables,
    .fit = tf_idf_fit,
    .apply = tf_idf_apply,
    .lower = tf_idf_lower,
    .describe = tf_idf_describe,
    .keeps = tf_idf_keeps,
};
