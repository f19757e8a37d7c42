/* SPDX-License-Identifier: MIT */
/* cairn draw merging: rows in the plane, step by step, as clusters are joined or divided; the two
 * parts of each step in colour, with the lines that their distance comes from. */
#include "base/memory.h"
#include "base/number.h"
#include "base/sort_by.h"
#include "base/text.h"
#include "compute/clusters/dendrogram_source.h"
#include "pictures/picture.h"
#include "plots/dendrogram_plot.h"
#include "rows/distances.h"
#include "stats/dendrogram_forms.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LINES_AUTO, LINES_NEAREST, LINES_FARTHEST, LINES_ALL, LINES_CENTRES, LINES_NONE };
enum { MOST_ROWS = 2000, MOST_LINES = 400, MOST_NAMED = 30 };

typedef struct merging_params {
    cairn_dendrogram_options source;
    const char *x, *y;
    int most, lines;
} merging_params;

static const cairn_choice line_choices[] = {
    {"auto", LINES_AUTO, "as the linkage takes it"},
    {"nearest", LINES_NEAREST, "the two rows of the parts that are nearest to each other"},
    {"farthest", LINES_FARTHEST, "the two that are farthest from each other"},
    {"all", LINES_ALL, "every pair of a row of one part and a row of the other"},
    {"centres", LINES_CENTRES, "the means of the parts"},
    {"none", LINES_NONE, "no lines"},
    {0},
};

static const cairn_param merging_table[] = {
    CAIRN_PARAM_GROUP(merging_params, source, cairn_dendrogram_options_group),
    CAIRN_PARAM_AS(merging_params, x, CAIRN_TYPE_COLUMNS, NULL,
                   "column along the horizontal axis; the first number column if not given"),
    CAIRN_PARAM_AS(merging_params, y, CAIRN_TYPE_COLUMNS, NULL,
                   "column along the vertical axis; the second number column if not given"),
    CAIRN_PARAM(merging_params, most, "9", "[1,60]",
                "most steps to draw: the last ones of joining, the first ones of dividing"),
    CAIRN_PARAM_CHOICE(merging_params, lines, "auto", line_choices,
                       "which lines join the two parts"),
    CAIRN_PARAM_END,
};

typedef struct merging {
    cairn_context *ctx;
    const merging_params *p;
    const cairn_table *table;
    cairn_dendrogram_source source;
    cairn_leaf_sets sets;
    const double *x, *y;
    const char *x_name, *y_name;
    const double *pairs; /* distances of all rows */
    size_t n;
    bool divides;
    int lines;
} merging;

static void clear_merging(merging *m)
{
    cairn_dendrogram_source_clear(&m->source);
}

/* -- outlines -- */

static bool is_left(const void *a, const void *b, const void *data)
{
    const merging *m = data;
    uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    return m->x[i] < m->x[j] || (m->x[i] == m->x[j] && m->y[i] < m->y[j]);
}

static double turn(const merging *m, uint32_t a, uint32_t b, uint32_t c)
{
    return (m->x[b] - m->x[a]) * (m->y[c] - m->y[a]) - (m->y[b] - m->y[a]) * (m->x[c] - m->x[a]);
}

/* An area around the rows of a cluster; of two rows a line. */
static cairn_status add_outline(merging *m, cairn_figure *figure, size_t cluster, int32_t group)
{
    SCOPED_SCRATCH(m->ctx);
    size_t n = m->sets.count[cluster];
    uint32_t *rows, *hull;
    double *x, *y;
    if (n < 2) return CAIRN_OK;
    CHECK(SCRATCH(m->ctx, &rows, n));
    CHECK(SCRATCH_EACH(m->ctx, 2 * n + 2, &hull, &x, &y));
    memcpy(rows, m->sets.order + m->sets.first[cluster], n * sizeof *rows);
    CHECK(cairn_sort_by(m->ctx, rows, n, sizeof *rows, is_left, m));
    /* The convex hull of some rows, which are sorted from left to right: lower chain, then
     * upper. */
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        while (k >= 2 && turn(m, hull[k - 2], hull[k - 1], rows[i]) <= 0) k--;
        hull[k++] = rows[i];
    }
    for (size_t i = n - 1, lower = k + 1; i-- > 0;) {
        while (k >= lower && turn(m, hull[k - 2], hull[k - 1], rows[i]) <= 0) k--;
        hull[k++] = rows[i];
    }
    size_t corners = k > 1 ? k - 1 : k;
    for (size_t i = 0; i < corners; i++) x[i] = m->x[hull[i]], y[i] = m->y[hull[i]];
    if (corners < 3)
        cairn_figure_guide(figure, x, y, corners);
    else
        cairn_figure_side(figure, group, group < 0 ? 0.25 : 0.18, x, y, corners);
    return CAIRN_OK;
}

/* -- lines between the parts -- */

static double pair_distance(const merging *m, uint32_t i, uint32_t j)
{
    return m->pairs[i < j ? cairn_pair_at(m->n, i, j) : cairn_pair_at(m->n, j, i)];
}

static void add_line(const merging *m, cairn_figure *figure, uint32_t i, uint32_t j, bool chosen)
{
    const double x[] = {m->x[i], m->x[j]}, y[] = {m->y[i], m->y[j]};
    if (chosen)
        cairn_figure_dashed(figure, NULL, x, y, 2);
    else
        cairn_figure_faint(figure, x, y, 2);
}

/* The nearest or farthest pair of rows from two lists; of one list with itself the diameter. */
static void add_pair(const merging *m, cairn_figure *figure, const uint32_t *a, size_t n_a,
                     const uint32_t *b, size_t n_b, bool farthest)
{
    uint32_t from = a[0], to = b[0];
    double best = NAN;
    for (size_t i = 0; i < n_a; i++)
        for (size_t j = 0; j < n_b; j++) {
            if (a[i] == b[j]) continue;
            double d = pair_distance(m, a[i], b[j]);
            if (!isnan(best) && !(farthest ? d > best : d < best)) continue;
            best = d;
            from = a[i];
            to = b[j];
        }
    add_line(m, figure, from, to, true);
}

static void mean_of(const merging *m, const uint32_t *rows, size_t n, double *x, double *y)
{
    *x = *y = 0;
    for (size_t i = 0; i < n; i++) {
        *x += (m->x[rows[i]] - *x) / (double)(i + 1);
        *y += (m->y[rows[i]] - *y) / (double)(i + 1);
    }
}

/* What the distance of the two parts comes from; a split by DIANA shows the diameter of the
 * whole. */
static void add_lines(const merging *m, cairn_figure *figure, const cairn_merge *merge,
                      size_t whole)
{
    const uint32_t *a = m->sets.order + m->sets.first[merge->left];
    const uint32_t *b = m->sets.order + m->sets.first[merge->right];
    size_t n_a = m->sets.count[merge->left], n_b = m->sets.count[merge->right];
    if (m->lines == LINES_AUTO) {
        const uint32_t *all = m->sets.order + m->sets.first[whole];
        add_pair(m, figure, all, n_a + n_b, all, n_a + n_b, true);
    } else if (m->lines == LINES_CENTRES) {
        double x[2], y[2];
        mean_of(m, a, n_a, &x[0], &y[0]);
        mean_of(m, b, n_b, &x[1], &y[1]);
        cairn_figure_dashed(figure, NULL, x, y, 2);
        for (int k = 0; k < 2; k++) cairn_figure_mark(figure, NULL, x[k], y[k]);
    } else if (m->lines == LINES_ALL && n_a * n_b <= MOST_LINES) {
        for (size_t i = 0; i < n_a; i++)
            for (size_t j = 0; j < n_b; j++) add_line(m, figure, a[i], b[j], false);
    } else if (m->lines == LINES_NEAREST || m->lines == LINES_FARTHEST) {
        add_pair(m, figure, a, n_a, b, n_b, m->lines == LINES_FARTHEST);
    }
}

/* -- panels -- */

/* Some room around the rows, the same in all panels. */
static void add_range(const double *values, size_t n, double *low, double *high)
{
    *low = INFINITY, *high = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        *low = fmin(*low, values[i]);
        *high = fmax(*high, values[i]);
    }
    double buffer = *high > *low ? 0.1 * (*high - *low) : 1;
    *low -= buffer, *high += buffer;
}

/* Clusters that are there when a merge is made, or when the split is: those before it that no
 * earlier merge has taken. */
static cairn_status add_others(merging *m, cairn_figure *figure, size_t merge)
{
    SCOPED_SCRATCH(m->ctx);
    const cairn_dendrogram *tree = m->source.tree;
    bool *taken;
    CHECK(SCRATCH(m->ctx, &taken, 2 * m->n));
    for (size_t i = 0; i <= merge; i++)
        taken[tree->merges[i].left] = taken[tree->merges[i].right] = true;
    for (size_t c = m->n; c < m->n + merge; c++)
        if (!taken[c]) CHECK(add_outline(m, figure, c, -1));
    return CAIRN_OK;
}

static cairn_status add_rows(merging *m, cairn_figure *figure, const cairn_merge *merge)
{
    SCOPED_SCRATCH(m->ctx);
    int32_t *groups;
    char buffer[CAIRN_LEAF_NAME];
    CHECK(SCRATCH(m->ctx, &groups, m->n));
    for (size_t i = 0; i < m->n; i++) groups[i] = -1;
    for (int side = 0; side < 2; side++) {
        size_t part = side ? merge->right : merge->left;
        for (size_t i = 0; i < m->sets.count[part]; i++)
            groups[m->sets.order[m->sets.first[part] + i]] = side;
    }
    cairn_figure_points(figure, m->x, m->y, groups, m->n, NULL, 0);
    for (size_t i = 0; i < m->n && m->n <= MOST_NAMED; i++)
        cairn_figure_label(figure, m->x[i], m->y[i], cairn_leaf_name(m->source.tree, i, buffer));
    return CAIRN_OK;
}

/* One merge or split: divisions are numbered from the root, merges from the leaves. */
static cairn_status make_panel(merging *m, cairn_figure **out, size_t merge)
{
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    const cairn_merge *step = &m->source.tree->merges[merge];
    size_t number = m->divides ? m->n - 1 - merge : merge + 1;
    char height[CAIRN_NUMBER_SIZE], title[96];
    cairn_number_format(height, step->height, 4);
    snprintf(title, sizeof title, "%s %zu at %s", m->divides ? "split" : "merge", number, height);
    CHECK(cairn_figure_new(m->ctx, &figure, "merging", title));
    cairn_figure_axes(figure, m->x_name, m->y_name);
    cairn_figure_size(figure, 260, 230);
    double low, high;
    add_range(m->x, m->n, &low, &high);
    cairn_figure_x_range(figure, low, high);
    add_range(m->y, m->n, &low, &high);
    cairn_figure_y_range(figure, low, high);
    CHECK(add_others(m, figure, merge));
    CHECK(add_outline(m, figure, step->left, 0));
    CHECK(add_outline(m, figure, step->right, 1));
    add_lines(m, figure, step, m->n + merge);
    CHECK(add_rows(m, figure, step));
    *out = TAKE(figure);
    return CAIRN_OK;
}

/* The lines that the method itself looks at. */
static int usual_lines(const merging *m)
{
    const cairn_hierarchy_model *model = m->source.model->state;
    if (model->method == CAIRN_HIERARCHY_DIANA) return LINES_AUTO;
    if (model->method == CAIRN_HIERARCHY_BISECTING) return LINES_CENTRES;
    switch (model->linkage) {
    case CAIRN_LINKAGE_SINGLE: return LINES_NEAREST;
    case CAIRN_LINKAGE_COMPLETE: return LINES_FARTHEST;
    case CAIRN_LINKAGE_AVERAGE:
    case CAIRN_LINKAGE_WEIGHTED: return LINES_ALL;
    default: return LINES_CENTRES;
    }
}

/* Refuses trees whose leaves are not the rows of the table: the steps are drawn between rows. */
static cairn_status open_merging(merging *m, const cairn_compute_job *job)
{
    size_t columns[2];
    double *pairs;
    CHECK(cairn_picture_pair(m->ctx, columns, m->table, m->p->x, m->p->y));
    m->x = cairn_table_numbers(m->table, columns[0]);
    m->y = cairn_table_numbers(m->table, columns[1]);
    m->x_name = m->table->slots[columns[0]].name;
    m->y_name = m->table->slots[columns[1]].name;
    if (m->table->n_rows > MOST_ROWS)
        return cairn_fail(m->ctx, CAIRN_BAD_DATA,
                          "%zu rows are too many for pictures of single steps; at most %d are "
                          "drawn ({where} takes some)",
                          m->table->n_rows, MOST_ROWS);
    CHECK(cairn_dendrogram_source_open(m->ctx, &m->source, job, &m->p->source, NULL, NULL));
    m->n = m->source.tree->n_leaves;
    if (!m->source.model || m->n != m->table->n_rows)
        return cairn_fail(m->ctx, CAIRN_BAD_DATA,
                          "the steps are drawn of a tree whose leaves are the rows of the table");
    if (m->n < 2) return cairn_fail(m->ctx, CAIRN_BAD_DATA, "one row has nothing to be joined to");
    CHECK(cairn_leaf_sets_make(m->ctx, &m->sets, m->source.tree));
    CHECK(cairn_dendrogram_source_pairs(m->ctx, &pairs, &m->source));
    m->pairs = pairs;
    m->lines = m->p->lines == LINES_AUTO ? usual_lines(m) : m->p->lines;
    m->divides = ((const cairn_hierarchy_model *)m->source.model->state)->method !=
                 CAIRN_HIERARCHY_AGGLOMERATIVE;
    return CAIRN_OK;
}

/* Where not all steps fit, a tree of merges shows its last ones and one of divisions its first:
 * those nearest to the root. */
static cairn_status merging_draw(cairn_context *ctx, cairn_figure **out,
                                 const cairn_compute_job *job)
{
    SCOPED(clear_merging)
    merging m = {.ctx = ctx, .p = job->params, .table = job->table};
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    CHECK(open_merging(&m, job));
    size_t steps = m.n - 1, shown = (size_t)m.p->most < steps ? (size_t)m.p->most : steps;
    SCOPED(cairn_text_clear) cairn_text title = cairn_text_start(ctx);
    cairn_text_addf(&title, "%s%s%s", m.source.title, m.source.scaled ? "; distances of " : "",
                    m.source.scaled ? m.source.scaled : "");
    CHECK(cairn_text_status(&title));
    CHECK(cairn_figure_new(ctx, &figure, "merging", cairn_text_string(&title)));
    cairn_figure_columns(figure, 3);
    for (size_t k = 0; k < shown; k++) {
        cairn_figure *panel;
        CHECK(make_panel(&m, &panel, m.divides ? steps - 1 - k : steps - shown + k));
        cairn_figure_panel(figure, panel);
    }
    CHECK(cairn_figure_status(figure));
    *out = TAKE(figure);
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_merging = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "merging",
                .also = "agglomerative steps, divisive steps, nearest pair, farthest pair, linkage",
                .title = "Clusters joined or divided, step by step",
                .summary =
                    "A panel for each step of a tree of clusters over two number columns: the two "
                    "parts that are joined (or come of a split) in colour, the other clusters in "
                    "grey, and the lines that the distance comes from: the nearest pair of rows "
                    "for single linkage, the farthest for complete linkage, all pairs for average "
                    "linkage, the means for centroid and Ward; of DIANA the diameter.",
                .references = "Flach: Machine Learning, 2012, section 8.5",
                .example = "cairn draw merging @grid --learner hierarchy:linkage=single",
                .params = merging_table,
                .params_size = sizeof(merging_params)},
    .arguments = "[MODEL] DATA",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .takes_model = true,
    .draw = merging_draw,
};

/* cairn draw linkages: the same rows as trees of several linkages, side by side, next to the points
 * where the rows lie in the plane. */

enum { LINKAGES_NAMED = 40 };

typedef struct linkages_params {
    const char *linkages;
    cairn_dendrogram_options source;
    cairn_dendrogram_look look;
} linkages_params;

static const cairn_param linkages_table[] = {
    CAIRN_PARAM(linkages_params, linkages, "single,complete,average", NULL,
                "linkages to compare, separated by commas", .often = true),
    CAIRN_PARAM_GROUP(linkages_params, source, cairn_dendrogram_options_group),
    CAIRN_PARAM_GROUP(linkages_params, look, cairn_dendrogram_look_group),
    CAIRN_PARAM_END,
};

/* The rows with their numbers, if they have two number columns and no others. */
static cairn_status add_points(cairn_context *ctx, cairn_figure *figure, const cairn_table *table,
                               const cairn_dendrogram_source *source)
{
    OWNED(cairn_figure_free) cairn_figure *points = NULL;
    char buffer[CAIRN_LEAF_NAME];
    size_t at[2], n = 0;
    for (size_t j = 0; j < table->n_columns; j++) {
        if (table->slots[j].role != CAIRN_FEATURE) continue;
        if (!cairn_table_numbers(table, j) || n == 2) return CAIRN_OK;
        at[n++] = j;
    }
    if (n != 2 || source->tree->n_leaves != table->n_rows) return CAIRN_OK;
    const double *x = cairn_table_numbers(table, at[0]), *y = cairn_table_numbers(table, at[1]);
    CHECK(cairn_figure_new(ctx, &points, "points", "rows"));
    cairn_figure_axes(points, table->slots[at[0]].name, table->slots[at[1]].name);
    cairn_figure_size(points, 360, 320);
    cairn_figure_points(points, x, y, NULL, table->n_rows, NULL, 0);
    for (size_t i = 0; i < table->n_rows && table->n_rows <= LINKAGES_NAMED; i++)
        cairn_figure_label(points, x[i], y[i], cairn_leaf_name(source->tree, i, buffer));
    cairn_figure_panel(figure, TAKE(points));
    return CAIRN_OK;
}

static cairn_status add_tree(cairn_context *ctx, cairn_figure *figure, const cairn_compute_job *job,
                             const char *linkage, bool first)
{
    SCOPED_SCRATCH(ctx);
    const linkages_params *p = job->params;
    SCOPED(cairn_dendrogram_source_clear) cairn_dendrogram_source source = {0};
    cairn_figure *panel;
    CHECK(cairn_dendrogram_source_open(ctx, &source, job, &p->source, linkage, NULL));
    if (first) CHECK(add_points(ctx, figure, job->table, &source));
    SCOPED(cairn_text_clear) cairn_text title = cairn_text_start(ctx);
    cairn_text_addf(&title, "%s linkage", linkage);
    CHECK(cairn_text_status(&title));
    CHECK(cairn_dendrogram_figure(ctx, &panel, source.tree, &p->look,
                                  source.has_cut ? &source.cut : NULL, cairn_text_string(&title),
                                  source.height));
    cairn_figure_panel(figure, panel);
    return CAIRN_OK;
}

/* The first panel shows the rows, those after it one tree for each linkage. */
static cairn_status linkages_draw(cairn_context *ctx, cairn_figure **out,
                                  const cairn_compute_job *job)
{
    const linkages_params *p = job->params;
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    char **names;
    size_t n;
    if (cairn_is_merge_table(job->table))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "linkages are compared on rows or distances; a table of merges has one "
                          "tree, which 'cairn draw dendrogram' draws");
    CHECK(cairn_list_split(ctx, p->linkages, &names, &n));
    CHECK(cairn_figure_new(ctx, &figure, "linkages",
                           job->table->source ? job->table->source : "linkages"));
    cairn_figure_columns(figure, 2);
    for (size_t i = 0; i < n; i++) CHECK(add_tree(ctx, figure, job, names[i], i == 0));
    CHECK(cairn_figure_status(figure));
    *out = TAKE(figure);
    return CAIRN_OK;
}

const cairn_calculator cairn_picture_linkages = {
    .picture = {.kind = CAIRN_ENTRY_PICTURE,
                .name = "linkages",
                .also = "single linkage, complete linkage, average linkage, Ward, dendrograms side "
                        "by side",
                .title = "Trees of several linkages side by side",
                .summary = "The rows of a table as trees of clusters by several linkages, and "
                           "beside them, where they have two number columns, the rows as numbered "
                           "points: what the linkage makes of the same distances.",
                .references = "Flach: Machine Learning, 2012, section 8.5",
                .example = "cairn draw linkages @grid",
                .params = linkages_table,
                .params_size = sizeof(linkages_params)},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_ROLES,
    .draw = linkages_draw,
};

/* cairn draw splinter: why a row would leave its cluster. D(x) is the average length of the dashed
 * lines, to the rows that stay, minus that of the solid ones, to the splinter group. */

enum { MOST_SPLINTERS = 200, SPLINTERS_NAMED = 40 };

typedef struct splinter_params {
    int row;
    const char *splinter, *distance, *x, *y;
} splinter_params;

typedef struct splinter {
    cairn_context *ctx;
    const splinter_params *p;
    const cairn_table *table;
    size_t n, row;
    double *pairs; /* all distances */
    bool *gone;    /* n: in the splinter group */
    const double *x, *y;
    double stay, leave; /* averages */
} splinter;

static const cairn_param splinter_table[] = {
    CAIRN_PARAM(splinter_params, row, "1", "[1,inf)", "number of the row x that may leave",
                .often = true),
    CAIRN_PARAM_AS(splinter_params, splinter, CAIRN_TYPE_LIST, NULL,
                   "numbers of the rows that have left already; the one with the largest average "
                   "distance to the others if not given",
                   .often = true),
    CAIRN_DISTANCE_PARAM(splinter_params),
    CAIRN_PARAM_AS(splinter_params, x, CAIRN_TYPE_COLUMNS, NULL,
                   "column along the horizontal axis; the first number column if not given"),
    CAIRN_PARAM_AS(splinter_params, y, CAIRN_TYPE_COLUMNS, NULL,
                   "column along the vertical axis; the second number column if not given"),
    CAIRN_PARAM_END,
};

static double distance(const splinter *s, size_t i, size_t j)
{
    return s->pairs[i < j ? cairn_pair_at(s->n, i, j) : cairn_pair_at(s->n, j, i)];
}

/* The row that would start a splinter group: the farthest on average, the first of equal ones. */
static size_t farthest(const splinter *s)
{
    size_t best = 0;
    double most = -1;
    for (size_t i = 0; i < s->n; i++) {
        double sum = 0;
        for (size_t j = 0; j < s->n; j++) sum += i == j ? 0 : distance(s, i, j);
        if (sum > most * (1 + 1e-12)) best = i, most = sum;
    }
    return best;
}

/* The splinter group as typed, or else the farthest row alone; the row in question stays outside
 * it and does not stay alone. */
static cairn_status read_group(splinter *s)
{
    double *numbers;
    size_t n, left = s->n;
    CHECK(SCRATCH(s->ctx, &s->gone, s->n));
    if (!s->p->splinter) {
        s->gone[farthest(s)] = true;
        left--;
    } else {
        CHECK(cairn_list_numbers(s->ctx, cairn_say(s->ctx, "{splinter}"), s->p->splinter, &numbers,
                                 &n));
        for (size_t k = 0; k < n; k++) {
            if (!(numbers[k] >= 1 && numbers[k] <= (double)s->n) || numbers[k] != floor(numbers[k]))
                return cairn_fail(s->ctx, CAIRN_BAD_DATA,
                                  "{splinter %s}: rows are numbered from 1 to %zu", s->p->splinter,
                                  s->n);
            bool *gone = &s->gone[(size_t)numbers[k] - 1];
            left -= !*gone;
            *gone = true;
        }
    }
    if (s->gone[s->row])
        return cairn_fail(s->ctx, CAIRN_BAD_DATA,
                          "row %zu is in the splinter group itself; {row} names another one",
                          s->row + 1);
    if (left < 2 || left == s->n)
        return cairn_fail(s->ctx, CAIRN_BAD_DATA,
                          "there must be a splinter group, and rows beside row %zu that stay",
                          s->row + 1);
    return CAIRN_OK;
}

static void average(splinter *s)
{
    double sums[2] = {0}, counts[2] = {0};
    for (size_t j = 0; j < s->n; j++) {
        if (j == s->row) continue;
        sums[s->gone[j]] += distance(s, s->row, j);
        counts[s->gone[j]]++;
    }
    s->stay = sums[0] / counts[0];
    s->leave = sums[1] / counts[1];
}

static cairn_status measure(splinter *s)
{
    SCOPED(cairn_distance_rows_clear) cairn_distance_rows rows = {0};
    cairn_view view;
    s->n = s->table->n_rows;
    s->row = (size_t)s->p->row - 1;
    if (s->n > MOST_SPLINTERS || s->n < 3)
        return cairn_fail(s->ctx, CAIRN_BAD_DATA, "the picture needs 3 to %d rows, not %zu",
                          MOST_SPLINTERS, s->n);
    if (s->row >= s->n)
        return cairn_fail(s->ctx, CAIRN_BAD_DATA, "there is no row %zu among %zu", s->row + 1,
                          s->n);
    CHECK(cairn_view_make(s->ctx, &view, s->table, cairn_all_rows(s->table)));
    CHECK(cairn_distance_rows_open(s->ctx, &rows, &view, s->p->distance));
    CHECK(SCRATCH(s->ctx, &s->pairs, s->n * (s->n - 1) / 2));
    CHECK(cairn_distances_condensed(s->ctx, &rows, s->pairs));
    CHECK(read_group(s));
    average(s);
    return CAIRN_OK;
}

/* -- drawing -- */

static void add_splinter_lines(const splinter *s, cairn_figure *figure)
{
    for (size_t j = 0; j < s->n; j++) {
        const double x[] = {s->x[s->row], s->x[j]}, y[] = {s->y[s->row], s->y[j]};
        if (j == s->row) continue;
        if (s->gone[j])
            cairn_figure_guide(figure, x, y, 2);
        else
            cairn_figure_dashed(figure, NULL, x, y, 2);
    }
}

static cairn_status add_splinter_rows(const splinter *s, cairn_figure *figure)
{
    static const char *const names[] = {"rows that stay", "splinter group"};
    int32_t *groups;
    char number[32];
    CHECK(SCRATCH(s->ctx, &groups, s->n));
    for (size_t i = 0; i < s->n; i++) groups[i] = s->gone[i];
    cairn_figure_points(figure, s->x, s->y, groups, s->n, names, 2);
    cairn_figure_mark(figure, "x", s->x[s->row], s->y[s->row]);
    for (size_t i = 0; i < s->n && s->n <= SPLINTERS_NAMED; i++) {
        snprintf(number, sizeof number, "%zu", i + 1);
        cairn_figure_label(figure, s->x[i], s->y[i], number);
    }
    return CAIRN_OK;
}

static cairn_status make_title(const splinter *s, cairn_text *out)
{
    double d = s->stay - s->leave;
    cairn_text_addf(out, "D(%zu) = ", s->row + 1);
    cairn_text_add_number(out, s->stay, 4);
    cairn_text_add(out, " (dashed) − ");
    cairn_text_add_number(out, s->leave, 4);
    cairn_text_add(out, " (solid) = ");
    cairn_text_add_number(out, d, 4);
    cairn_text_add(out, d > 0 ? ": it would go over" : ": it stays");
    return cairn_text_status(out);
}

static cairn_status splinter_draw(cairn_context *ctx, cairn_figure **out,
                                  const cairn_compute_job *job)
{
    OWNED(cairn_figure_free) cairn_figure *figure = NULL;
    SCOPED(cairn_text_clear) cairn_text title = cairn_text_start(ctx);
    splinter s = {.ctx = ctx, .p = job->params, .table = job->table};
    size_t columns[2];
    CHECK(cairn_picture_pair(ctx, columns, s.table, s.p->x, s.p->y));
    s.x = cairn_table_numbers(s.table, columns[0]);
    s.y = cairn_table_numbers(s.table, columns[1]);
    CHECK(measure(&s));
    CHECK(make_title(&s, &title));
    CHECK(cairn_figure_new(ctx, &figure, "splinter", cairn_text_string(&title)));
    cairn_figure_axes(figure, s.table->slots[columns[0]].name, s.table->slots[columns[1]].name);
    add_splinter_lines(&s, figure);
    CHECK(add_splinter_rows(&s, figure));
    CHECK(cairn_figure_status(figure));
    *out = TAKE(figure);
    return CAIRN_OK;
}

static cairn_status splinter_check(cairn_context *ctx, const void *values)
{
    return cairn_metric_check(ctx, cairn_say(ctx, "{distance}"),
                              ((const splinter_params *)values)->distance);
}

const cairn_calculator cairn_picture_splinter = {
    .picture =
        {.kind = CAIRN_ENTRY_PICTURE,
         .name = "splinter",
         .also = "DIANA, divisive analysis, splinter group",
         .title = "Why a row leaves its cluster",
         .summary =
             "What DIANA asks of a row x: dashed lines to the rows that stay, solid lines "
             "to those that have left. D(x) is the average length of the dashed lines minus "
             "that of the solid ones, and x goes over where it is above 0 (and the largest).",
         .references = "Kaufman and Rousseeuw: Finding Groups in Data, 1990, chapter 6",
         .example = "cairn draw splinter @kmeans-seven --row 2",
         .params = splinter_table,
         .params_size = sizeof(splinter_params),
         .check = splinter_check},
    .arguments = "DATA",
    .needs_data = true,
    .reads = CAIRN_READS_TARGET | CAIRN_READS_COLUMNS,
    .draw = splinter_draw,
};
