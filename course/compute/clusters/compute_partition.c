/* SPDX-License-Identifier: MIT */
/* cairn compute partition: how good a partition of rows is, beside another one that is taken for
 * right, by pairs of rows that must or must not be together, and by what it tells about columns of
 * levels.
 *
 * All that counts pairs does so over the n (n - 1) / 2 unordered ones. Rows that lack a class are
 * left out; rows without a cluster are one of their own. */
#include "base/memory.h"
#include "base/text.h"
#include "stats/clustering.h"
#include "typed/labelled_rows.h"
#include "model/calculator.h"
#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A group of parameters. */
typedef struct links_options {
    const char *must_link, *cannot_link; /* typed: 1,2;4,5 */
    const char *links;                   /* a file with the columns first, second and link */
} links_options;

typedef struct row_link {
    size_t first, second; /* rows, from 0 */
    bool must;
} row_link;

typedef struct row_links {
    row_link *links; /* scratch */
    size_t n;
} row_links;

/* -- links -- */

static const cairn_param links_group[] = {
    CAIRN_PARAM(links_options, must_link, NULL, NULL,
                "pairs of row numbers that must be in one cluster: 1,2;4,5"),
    CAIRN_PARAM(links_options, cannot_link, NULL, NULL,
                "pairs of row numbers that must not be in one cluster: 1,3;2,5"),
    CAIRN_PARAM_AS(links_options, links, CAIRN_TYPE_FILE, NULL,
                   "a file of such pairs: two columns of row numbers and one of the words must and "
                   "cannot"),
    CAIRN_PARAM_END,
};

typedef struct link_list {
    row_links *out;
    size_t capacity, n_rows;
} link_list;

/* Rows are typed from 1 and kept from 0; a row is never paired with itself. */
static cairn_status add_link(cairn_context *ctx, link_list *list, const char *where, double first,
                             double second, bool must)
{
    double most = (double)list->n_rows;
    bool fits = first >= 1 && second >= 1 && first <= most && second <= most &&
                first == floor(first) && second == floor(second);
    if (!fits || first == second)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s: a pair is two different row numbers from 1 to %zu, separated by a "
                          "comma",
                          where, list->n_rows);
    if (list->out->n == list->capacity) {
        size_t capacity = 2 * list->capacity + 16;
        row_link *links;
        CHECK(SCRATCH_RAW(ctx, &links, capacity));
        if (list->out->n) memcpy(links, list->out->links, list->out->n * sizeof *links);
        list->out->links = links;
        list->capacity = capacity;
    }
    list->out->links[list->out->n++] = (row_link){(size_t)first - 1, (size_t)second - 1, must};
    return CAIRN_OK;
}

/* "1,2;4,5" */
static cairn_status read_typed(cairn_context *ctx, link_list *list, const char *text, bool must)
{
    const char *option = cairn_say(ctx, must ? "{must-link}" : "{cannot-link}");
    while (text && *text) {
        size_t length = strcspn(text, ";"), comma = strcspn(text, ",");
        double first = NAN, second = NAN;
        if (comma < length && cairn_number_parse(text, comma, &first))
            cairn_number_parse(text + comma + 1, length - comma - 1, &second);
        CHECK(add_link(ctx, list, option, first, second, must));
        text += length + (text[length] == ';');
    }
    return CAIRN_OK;
}

/* Two number columns and one of levels, in any order. */
static cairn_status read_file(cairn_context *ctx, link_list *list, const char *path)
{
    OWNED(cairn_table_free) cairn_table *table = NULL;
    const cairn_column *numbers[2] = {NULL, NULL}, *words = NULL;
    CHECK(cairn_table_read(ctx, &table, path, NULL));
    for (size_t c = 0; c < table->n_columns; c++) {
        const cairn_column *column = table->slots[c].column;
        if (column->kind == CAIRN_LEVEL)
            words = column;
        else if (column->kind == CAIRN_NUMBER)
            numbers[numbers[0] != NULL] = column;
    }
    if (!numbers[1] || !words || table->n_columns != 3)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "{links}: %s needs two columns of row numbers and one of the words must "
                          "and cannot",
                          path);
    for (size_t i = 0; i < table->n_rows; i++) {
        const char *word = cairn_level_name(words, words->codes[i]);
        bool must = cairn_same(word, "must");
        if (!must && !cairn_same(word, "cannot"))
            return cairn_fail(ctx, CAIRN_BAD_DATA, "%s, row %zu: '%s' is neither must nor cannot",
                              path, i + 1, word);
        CHECK(add_link(ctx, list, path, numbers[0]->numbers[i], numbers[1]->numbers[i], must));
    }
    return CAIRN_OK;
}

static bool holds(const row_link *link, const int32_t *clusters)
{
    bool together = clusters[link->first] >= 0 && clusters[link->first] == clusters[link->second];
    return together == link->must;
}

/* How many hold for these clusters (codes of all rows, -1 = in none, together with nobody), and
 * those that are violated. Nothing where there are none. */
static void links_show(cairn_report *out, const row_links *links, const int32_t *clusters,
                       const char *const *names)
{
    size_t count[2] = {0, 0}, violated[2] = {0, 0};
    if (!links->n) return;
    for (size_t i = 0; i < links->n; i++) {
        count[links->links[i].must]++;
        violated[links->links[i].must] += !holds(&links->links[i], clusters);
    }
    cairn_report_value(out, "pairs that must be together", (double)count[1], "must_link");
    cairn_report_value(out, "of them violated", (double)violated[1], "must_link.violated");
    cairn_report_value(out, "pairs that must not be together", (double)count[0], "cannot_link");
    cairn_report_value(out, "of them violated", (double)violated[0], "cannot_link.violated");
    if (!violated[0] && !violated[1]) return;
    cairn_report_table_of(out, "Violated", 0, "rrlll", "row", "row", "link", "cluster", "cluster");
    for (size_t i = 0; i < links->n; i++) {
        const row_link *l = &links->links[i];
        if (holds(l, clusters)) continue;
        cairn_report_cells(out, NULL, l->first + 1, l->second + 1, l->must ? "must" : "cannot",
                           clusters[l->first] < 0 ? "(none)" : names[clusters[l->first]],
                           clusters[l->second] < 0 ? "(none)" : names[clusters[l->second]]);
    }
}

enum { MOST_SHOWN = 30, MOST_TERMS = 400 };

typedef struct partition_params {
    const char *actual, *actual_labels;
    cairn_labelled_options labelled;
    links_options links;
} partition_params;

static const cairn_param partition_table[] = {
    CAIRN_PARAM_AS(partition_params, actual, CAIRN_TYPE_COLUMNS, NULL,
                   "column of the classes that the clusters should be; the target, or 'actual'",
                   .when = "!actual_labels", .often = true),
    CAIRN_PARAM_AS(partition_params, actual_labels, CAIRN_TYPE_LIST, NULL,
                   "the class of every row, such as a,a,b,b,b", .often = true),
    CAIRN_PARAM_GROUP(partition_params, labelled, cairn_labelled_group),
    CAIRN_PARAM_GROUP(partition_params, links, links_group),
    CAIRN_PARAM_END,
};

/* The partition, the one it is put beside (n_groups 0 = there is none), and what is known of the
 * rows. */
typedef struct grouping {
    const char *by;
    const char **names;
    size_t n_groups;
    int32_t *codes; /* of all rows; -1 = none */
} grouping;

typedef struct partition_work {
    size_t n;
    grouping clusters, classes;
    double *weights; /* n; NULL = all 1 */
    cairn_view view; /* all rows; features that are neither clusters nor classes */
    cairn_judged judged;
    row_links links;
    cairn_table *bare;               /* owned: typed labels need a table with as many rows */
    cairn_labelled_rows first, both; /* owned: the columns that the view is of */
} partition_work;

static void clear_work(partition_work *w)
{
    cairn_labelled_rows_clear(&w->first);
    cairn_labelled_rows_clear(&w->both);
    cairn_table_free(w->bare);
}

/* -- reading -- */

/* Where clusters usually are when nothing is said: what `predict` writes, or the only column of a
 * file of their own. */
static const char *usual_column(const cairn_table *table, const char *const *usual, bool alone)
{
    for (; *usual; usual++)
        if (cairn_table_find(table, *usual) >= 0) return *usual;
    return alone && table->n_columns == 1 ? table->slots[0].name : NULL;
}

/* The codes of all rows, not only of those in a group. */
static cairn_status spread_codes(cairn_context *ctx, grouping *out, const cairn_labelled_rows *rows,
                                 size_t n)
{
    *out = (grouping){.by = rows->by, .names = rows->names, .n_groups = rows->n_clusters};
    CHECK(SCRATCH_RAW(ctx, &out->codes, n + 1));
    memset(out->codes, -1, n * sizeof *out->codes);
    for (size_t i = 0; i < rows->view.rows.n; i++)
        out->codes[cairn_view_row(&rows->view, i)] = rows->codes[i];
    return CAIRN_OK;
}

/* Typed classes are as many as the rows; what comes next would blame the clusters. */
static cairn_status count_classes(cairn_context *ctx, const char *list, size_t n_rows)
{
    char **items;
    size_t n;
    if (!list) return CAIRN_OK;
    CHECK(cairn_list_split(ctx, list, &items, &n));
    if (n == n_rows) return CAIRN_OK;
    return cairn_fail(ctx, CAIRN_USAGE,
                      "{actual-labels} has %zu class%s for %zu row%s; each row needs one", n,
                      n == 1 ? "" : "es", n_rows, n_rows == 1 ? "" : "s");
}

/* The classes; none where nothing names them. They are no feature of the table from now on. */
static cairn_status read_classes(cairn_context *ctx, partition_work *w, const partition_params *p,
                                 const cairn_compute_job *job)
{
    static const char *const usual[] = {"actual", NULL};
    cairn_labelled_options o = {.clusters = p->actual, .labels = p->actual_labels};
    cairn_compute_job plain = *job;
    bool target = cairn_table_role_column(job->table, CAIRN_TARGET) >= 0;
    bool taken =
        p->labelled.clusters && !p->actual && target &&
        cairn_same(job->table->slots[cairn_table_role_column(job->table, CAIRN_TARGET)].name,
                   p->labelled.clusters);
    plain.model = NULL;
    CHECK(count_classes(ctx, p->actual_labels, w->n));
    if (!o.clusters && !o.labels && !target)
        o.clusters = usual_column(job->table, usual, job->tables.n > 1);
    if ((!o.clusters && !o.labels && !target) || taken)
        return cairn_table_share(ctx, &w->first.table, job->table);
    CHECK(cairn_labelled_rows_read(ctx, &w->first, &o, &plain));
    return spread_codes(ctx, &w->classes, &w->first, w->n);
}

/* Clusters come from the second file if there is one; where nothing names them, usually from its
 * column `cluster` or `predicted`. */
static cairn_status read_clusters(cairn_context *ctx, partition_work *w, const partition_params *p,
                                  const cairn_compute_job *job)
{
    static const char *const usual[] = {"cluster", "predicted", NULL};
    cairn_labelled_options o = p->labelled;
    cairn_compute_job rest = *job;
    bool other = job->tables.n > 1;
    rest.table = other ? job->tables.list[1] : job->model ? job->table : w->first.table;
    if (rest.table->n_rows != w->n)
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "the two files have %zu and %zu rows; partitions of the same rows are "
                          "compared",
                          w->n, rest.table->n_rows);
    if (!o.clusters && !o.labels && !o.partition && !job->model) {
        o.clusters = usual_column(rest.table, usual, other);
        if (!o.clusters)
            return cairn_fail(ctx, CAIRN_USAGE,
                              "'%s' needs clusters: name their column with {clusters COLUMN}, type "
                              "them with {labels} or {partition}, put a model before the data, or "
                              "a file of clusters behind it",
                              job->what);
    }
    CHECK(cairn_labelled_rows_read(ctx, &w->both, &o, &rest));
    return spread_codes(ctx, &w->clusters, &w->both, w->n);
}

/* What is left of the table when neither classes nor clusters are features. */
static cairn_status look_at_rows(cairn_context *ctx, partition_work *w,
                                 const cairn_compute_job *job)
{
    const cairn_table *rest = job->tables.n > 1 || job->model ? w->first.table : w->both.table;
    CHECK(cairn_view_make(ctx, &w->view, rest, cairn_all_rows(rest)));
    if (cairn_view_is_weighted(&w->view)) {
        CHECK(SCRATCH_RAW(ctx, &w->weights, w->n + 1));
        cairn_view_weights(&w->view, 0, w->n, w->weights);
    }
    w->judged = (cairn_judged){.n = w->n,
                               .weights = w->weights,
                               .n_classes = w->classes.n_groups,
                               .n_answers = w->clusters.n_groups,
                               .positive = -1,
                               .actual = w->classes.codes,
                               .predicted = w->clusters.codes};
    return CAIRN_OK;
}

/* Typed labels stand for rows that nothing else is known of. */
static cairn_status make_bare(cairn_context *ctx, partition_work *w, const partition_params *p)
{
    const char *list = p->labelled.labels ? p->labelled.labels : p->actual_labels;
    char **items;
    size_t n;
    if (!list)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'compute partition' needs data or two typed partitions: {actual-labels} "
                          "a,a,b and {labels} 1,2,2");
    CHECK(cairn_list_split(ctx, list, &items, &n));
    return cairn_table_new(ctx, &w->bare, n);
}

/* Classes are read before clusters, which take what the table has left; pairs name row numbers. */
static cairn_status read_work(cairn_context *ctx, partition_work *w, const cairn_compute_job *job)
{
    const partition_params *p = job->params;
    cairn_compute_job with = *job;
    if (!job->table) {
        CHECK(make_bare(ctx, w, p));
        with.table = w->bare;
    }
    w->n = with.table->n_rows;
    if (job->tables.n > 2)
        return cairn_fail(ctx, CAIRN_USAGE, "'%s' compares two files at most", job->what);
    CHECK(read_classes(ctx, w, p, &with));
    CHECK(read_clusters(ctx, w, p, &with));
    CHECK(look_at_rows(ctx, w, &with));
    /* Rows are named by number, from 1, of n_rows. */
    size_t n_rows = w->n;
    link_list list = {.out = &w->links, .n_rows = n_rows};
    w->links = (row_links){0};
    CHECK(read_typed(ctx, &list, p->links.must_link, true));
    CHECK(read_typed(ctx, &list, p->links.cannot_link, false));
    return p->links.links ? read_file(ctx, &list, p->links.links) : CAIRN_OK;
}

/* -- beside the classes -- */

/* The table of classes and clusters with its margins. Scratch. */
typedef struct cell_table {
    size_t a, k;                /* classes; clusters, the last of rows in none */
    double *cells;              /* a x k */
    double *classes, *clusters; /* sums */
    double total;
    double *terms; /* room for four numbers per cell */
} cell_table;

/* Weights of classes and clusters together. */
static cairn_status count_cells(cairn_context *ctx, cell_table *out, const partition_work *w)
{
    size_t a = w->classes.n_groups, k = w->clusters.n_groups + 1;
    *out = (cell_table){.a = a, .k = k};
    CHECK(SCRATCH(ctx, &out->cells, cairn_product(a + 1, k)));
    CHECK(SCRATCH(ctx, &out->terms, cairn_product(cairn_product(a + 1, k), 4)));
    CHECK(SCRATCH(ctx, &out->classes, a + 1));
    CHECK(SCRATCH(ctx, &out->clusters, k));
    for (size_t i = 0; i < w->n; i++) {
        if (w->classes.codes[i] < 0) continue;
        size_t class = (size_t)w->classes.codes[i];
        size_t cluster = w->clusters.codes[i] >= 0 ? (size_t)w->clusters.codes[i] : k - 1;
        double weight = cairn_judged_weight(&w->judged, i);
        out->cells[class * k + cluster] += weight;
        out->classes[class] += weight;
        out->clusters[cluster] += weight;
        out->total += weight;
    }
    return CAIRN_OK;
}

static void show_cells(cairn_report *out, const partition_work *w, const double *cells)
{
    size_t k = w->clusters.n_groups, all = k + 1;
    bool lost = false;
    if (w->classes.n_groups > MOST_SHOWN || k > MOST_SHOWN) return;
    for (size_t a = 0; a < w->classes.n_groups; a++) lost |= cells[a * all + k] > 0;
    cairn_report_table_of(out, "Classes (rows) and clusters (columns)", 0, "l", "");
    for (size_t c = 0; c < k; c++) cairn_report_column(out, w->clusters.names[c], 'r');
    if (lost) cairn_report_column(out, "(none)", 'r');
    for (size_t a = 0; a < w->classes.n_groups; a++) {
        const char *row = cairn_report_key(out, w->classes.names[a]);
        cairn_report_cell(out, w->classes.names[a]);
        for (size_t c = 0; c < k + lost; c++)
            cairn_report_cell_number(out, cells[a * all + c], 0, "rows.%s.%s", row,
                                     c < k ? cairn_report_key(out, w->clusters.names[c]) : "none");
    }
}

/* Which pairs should be together, and which are. */
static void show_pairs(cairn_report *out, const cairn_pair_counts *p)
{
    double should = p->classes - p->both, are = p->clusters - p->both;
    double apart = p->all - p->classes - p->clusters + p->both;
    cairn_report_table_of(out, "Pairs of rows", 0, "lrrr", "", "are together", "are apart", "all");
    cairn_report_cells(out, "- pairs.both pairs.missed pairs.should", "should be together", p->both,
                       should, p->classes);
    cairn_report_cells(out, "- pairs.wrong pairs.apart pairs.should_apart", "should be apart", are,
                       apart, p->all - p->classes);
    cairn_report_cells(out, "- pairs.are pairs.are_apart pairs.all", "all", p->clusters,
                       p->all - p->clusters, p->all);
}

static const char *best_value(const cairn_measure *m)
{
    return m->lower_better ? "0" : m->is_share || m->at_most_one ? "1" : "high";
}

/* Every measure that compares clusters with classes. */
static cairn_status show_measures(cairn_context *ctx, cairn_report *out, const partition_work *w)
{
    size_t n;
    const cairn_entry *const *entries = cairn_registry(&n);
    cairn_report_table_of(out, "Measures", (size_t)-1, "lrrl", "measure", "value", "best", "");
    for (size_t i = 0; i < n; i++) {
        const cairn_measure *m = (const cairn_measure *)entries[i];
        double value;
        if (entries[i]->kind != CAIRN_ENTRY_MEASURE || !m->needs_classes) continue;
        CHECK(m->value(ctx, &value, &w->judged));
        cairn_report_prefix(out, "%s", m->entry.name);
        cairn_report_cells(out, "- @", m->entry.name, value, best_value(m), m->entry.title);
    }
    return CAIRN_OK;
}

/* -- the steps -- */

/* "pairs in one cluster = 3·2/2 + 2·1/2 = 4" for groups of these weights. */
static void work_together(cairn_report *out, const char *label, const double *weights, size_t n,
                          double *terms)
{
    double sum = 0;
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(weights[i] > 0)) continue;
        terms[2 * used] = weights[i];
        terms[2 * used++ + 1] = weights[i] - 1;
        sum += weights[i] * (weights[i] - 1) / 2;
    }
    cairn_report_worked_sum(out, label, "#·#/2", terms, 2, used, sum);
}

static void work_pairs(cairn_report *out, const cell_table *t)
{
    cairn_report_step_begin(out, "Pairs that are together");
    cairn_report_formula(out, "n rows make n (n − 1) / 2 unordered pairs");
    work_together(out, "one class and one cluster", t->cells, t->a * t->k, t->terms);
    work_together(out, "one class", t->classes, t->a, t->terms);
    work_together(out, "one cluster", t->clusters, t->k, t->terms);
    cairn_report_step_end(out);
}

/* The adjusted index is 0 where pairs are together as often as independent partitions of the same
 * sizes would put them. */
static void work_pair_measures(cairn_report *out, const cairn_pair_counts *p)
{
    double apart = p->all - p->classes - p->clusters + p->both;
    double chance = p->classes * p->clusters / p->all, most = (p->classes + p->clusters) / 2;
    cairn_report_step_begin(out, "Measures of pairs");
    cairn_report_formula(out, "Rand = (together in both + apart in both) / all pairs");
    cairn_report_worked(out, "Rand", "(# + #) / # = #", p->both, apart, p->all,
                        (p->both + apart) / p->all);
    cairn_report_formula(out, "adjusted Rand = (together in both − expected) / (mean of the two − "
                              "expected),   expected = one class · one cluster / all");
    cairn_report_worked(out, "expected", "#·# / # = #", p->classes, p->clusters, p->all, chance);
    cairn_report_worked(out, "adjusted Rand", "(# − #) / (# − #) = #", p->both, chance, most,
                        chance, (p->both - chance) / (most - chance));
    cairn_report_worked(out, "precision", "# / # = #", p->both, p->clusters, p->both / p->clusters);
    cairn_report_worked(out, "recall", "# / # = #", p->both, p->classes, p->both / p->classes);
    cairn_report_worked(out, "F", "2·# / (# + #) = #", p->both, p->clusters, p->classes,
                        2 * p->both / (p->clusters + p->classes));
    cairn_report_worked(out, "Jaccard", "# / (# + # − #) = #", p->both, p->clusters, p->classes,
                        p->both, p->both / (p->clusters + p->classes - p->both));
    cairn_report_worked(out, "Fowlkes-Mallows", "# / √(#·#) = #", p->both, p->clusters, p->classes,
                        p->both / sqrt(p->clusters * p->classes));
    cairn_report_step_end(out);
}

static void work_entropy(cairn_report *out, const char *label, const double *weights, size_t n,
                         const cell_table *t, double value)
{
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(weights[i] > 0)) continue;
        t->terms[2 * used] = weights[i] / t->total;
        t->terms[2 * used++ + 1] = weights[i] / t->total;
    }
    cairn_report_worked_sum(out, label, "#·ln(1/#)", t->terms, 2, used, value);
}

static void work_common(cairn_report *out, const cell_table *t, double value)
{
    size_t used = 0;
    for (size_t i = 0; i < t->a * t->k; i++) {
        if (!(t->cells[i] > 0)) continue;
        double *term = t->terms + 4 * used++;
        term[0] = term[1] = t->cells[i] / t->total;
        term[2] = t->classes[i / t->k] / t->total;
        term[3] = t->clusters[i % t->k] / t->total;
    }
    cairn_report_worked_sum(out, "I", "#·ln(#/(#·#))", t->terms, 4, used, value);
}

/* The adjusted information is left out where the expected one is not known. */
static void work_information(cairn_report *out, const cell_table *t,
                             const cairn_common_information *i)
{
    double mean = (i->classes + i->clusters) / 2;
    cairn_report_step_begin(out, "Information, in natural units");
    cairn_report_formula(out, "H = Σ p ln (1/p),   I = Σ p(a, k) ln (p(a, k) / (p(a) p(k)))");
    work_entropy(out, "H(classes)", t->classes, t->a, t, i->classes);
    work_entropy(out, "H(clusters)", t->clusters, t->k, t, i->clusters);
    work_common(out, t, i->common);
    cairn_report_worked(out, "normalised", "I / mean of the entropies = # / # = #", i->common, mean,
                        i->common / mean);
    if (!isnan(i->expected))
        cairn_report_worked(out, "adjusted",
                            "(I − expected) / (mean of the entropies − expected) = (# − #) / (# − "
                            "#) = #",
                            i->common, i->expected, mean, i->expected,
                            (i->common - i->expected) / (mean - i->expected));
    cairn_report_worked(out, "variation of information", "# + # − 2·# = #", i->classes, i->clusters,
                        i->common, i->classes + i->clusters - 2 * i->common);
    cairn_report_step_end(out);
}

/* Steps show the table of cells at any size, but the work only while its terms can be read. */
static cairn_status show_beside(cairn_context *ctx, cairn_report *out, const partition_work *w,
                                bool steps)
{
    cairn_pair_counts pairs;
    cairn_common_information information;
    cell_table table;
    CHECK(cairn_judged_pairs(ctx, &pairs, &w->judged));
    if (!(pairs.all > 0))
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "fewer than two rows have a class: there is no pair to judge by");
    if (steps || (w->classes.n_groups <= MOST_SHOWN && w->clusters.n_groups <= MOST_SHOWN)) {
        CHECK(count_cells(ctx, &table, w));
        if (steps && table.a * table.k <= MOST_TERMS) {
            CHECK(cairn_judged_information(ctx, &information, &w->judged));
            work_pairs(out, &table);
            work_pair_measures(out, &pairs);
            work_information(out, &table, &information);
        }
        show_cells(out, w, table.cells);
    }
    show_pairs(out, &pairs);
    return show_measures(ctx, out, w);
}

/* -- category utility -- */

/* Nothing where no column holds levels. */
static cairn_status show_utility(cairn_context *ctx, cairn_report *out, const partition_work *w,
                                 bool wanted)
{
    OWNED(cairn_report_free) cairn_report *steps = NULL;
    bool any = false;
    double sum = 0;
    size_t used;
    for (size_t f = 0; f < w->view.n_features; f++) any |= w->view.features[f]->kind == CAIRN_LEVEL;
    if (!any) return CAIRN_OK;
    CHECK(cairn_judged_used(ctx, &used, &w->judged));
    double k = (double)used;
    if (wanted) CHECK(cairn_report_new(ctx, &steps));
    cairn_report_step_begin(steps, "Category utility: what the clusters tell about each column");
    cairn_report_formula(steps,
                         "(1/K) Σ_k p_k [Σ P(level | k)² − Σ P(level)²],   a column's part is "
                         "its Gini reduction");
    cairn_report_table_of(out, "Levels of columns, guessed with and without the cluster", 0, "lrrr",
                          "column", "Σ P(level)²", "Σ p_k Σ P(level | k)²", "Gini reduction");
    for (size_t f = 0; f < w->view.n_features; f++)
        if (w->view.features[f]->kind == CAIRN_LEVEL) {
            /* How well the clusters tell the levels of one column, and with `steps` how that
             * comes about. */
            cairn_category_gain gain;
            const char *name = w->view.names[f];
            double *terms;
            size_t n = 0;
            CHECK(cairn_category_gain_of(ctx, &gain, &w->judged, &w->view, f));
            if (isnan(gain.all)) continue;
            sum += gain.within - gain.all;
            cairn_report_cells(out, "- category.$1.all category.$1.within category.$1.gain", name,
                               gain.all, gain.within, gain.within - gain.all);
            if (!steps) continue;
            CHECK(SCRATCH(ctx, &terms, 3 * w->clusters.n_groups + 3));
            for (size_t j = 0; j < w->clusters.n_groups; j++) {
                if (!(gain.parts[j] > 0)) continue;
                terms[3 * n] = gain.parts[j];
                terms[3 * n + 1] = gain.shares[j];
                terms[3 * n++ + 2] = gain.all;
            }
            cairn_report_worked_sum(steps, name, "#·(# − #)", terms, 3, n, gain.within - gain.all);
        }
    cairn_report_worked(steps, "category utility", "# / # = #", sum, k, sum / k);
    cairn_report_step_end(steps);
    if (steps) cairn_report_append(out, steps, NULL);
    cairn_report_value(out, "sum of the Gini reductions", sum, "gini_reduction");
    cairn_report_value(out, "category utility", sum / k, "category-utility");
    return CAIRN_OK;
}

/* -- the report -- */

static void show_facts(cairn_report *out, const partition_work *w)
{
    size_t classless = 0, without = 0;
    for (size_t i = 0; i < w->n; i++) {
        without += w->clusters.codes[i] < 0;
        classless += w->classes.codes && w->classes.codes[i] < 0;
    }
    cairn_report_word(out, "clusters by", w->clusters.by, "by");
    if (w->classes.codes) cairn_report_word(out, "classes by", w->classes.by, "actual");
    cairn_report_value(out, "rows", (double)w->n, "rows");
    if (without) cairn_report_value(out, "rows in no cluster", (double)without, "without");
    if (classless)
        cairn_report_value(out, "rows without a class, left out", (double)classless, "left_out");
}

/* Classes, pairs of rows or columns of levels: without one of them nothing judges the clusters. */
static cairn_status partition_run(cairn_context *ctx, cairn_report *out,
                                  const cairn_compute_job *job)
{
    SCOPED(clear_work) partition_work w = {0};
    bool levels = false;
    CHECK(read_work(ctx, &w, job));
    for (size_t f = 0; f < w.view.n_features; f++)
        levels |= w.view.features[f]->kind == CAIRN_LEVEL;
    if (!w.classes.codes && !w.links.n && !levels)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'%s' needs something to judge the clusters by: classes ({actual}, "
                          "{actual-labels} or {target}), pairs of rows ({must-link}, "
                          "{cannot-link}), or columns of levels",
                          job->what);
    cairn_report_heading(out, 1, "Partition of %s",
                         job->table && job->table->source ? job->table->source : "rows");
    show_facts(out, &w);
    if (w.classes.codes) CHECK(show_beside(ctx, out, &w, job->steps));
    links_show(out, &w.links, w.clusters.codes, w.clusters.names);
    return show_utility(ctx, out, &w, job->steps);
}

const cairn_calculator cairn_compute_partition = {
    .entry =
        {.kind = CAIRN_ENTRY_CALCULATOR,
         .name = "partition",
         .also = "Rand index, adjusted Rand index, pair counting, mutual information, cluster "
                 "agreement, must-link, cannot-link, category utility, COBWEB",
         .title = "Judging a partition",
         .summary =
             "A partition beside another one that is taken for right: the table of pairs of rows "
             "that should be and that are together, Rand and adjusted Rand index, precision, "
             "recall, F and Jaccard index of pairs, mutual information plain, normalised and "
             "adjusted, variation of information, purity. Pairs that must or must not be "
             "together (--must-link, --cannot-link) with those that are violated. With columns of "
             "levels the category utility. Partitions are columns, files, the clusters of a model, "
             "or typed.",
         .references = "Rand: Objective criteria for the evaluation of clustering methods, 1971; "
                       "Hubert and Arabie: Comparing partitions, 1985; Flach: Machine Learning, "
                       "2012",
         .example = "cairn compute partition --actual-labels a,a,b,b,b --labels 1,1,1,2,2 --steps",
         .params = partition_table,
         .params_size = sizeof(partition_params)},
    .arguments = "[MODEL] [DATA [DATA]]",
    .takes_data = true,
    .reads = CAIRN_READS_ROLES,
    .takes_model = true,
    .several = true,
    .run = partition_run,
};
