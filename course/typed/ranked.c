/* SPDX-License-Identifier: MIT */
/* Reading rankings. Typed segments and groups get the scores n, n-1, ... 1 in the order in which
 * they stand, unless they are to be ordered by the classes in them. */
#include "typed/ranked.h"

#include "base/functions.h"
#include "base/memory.h"
#include "base/number.h"
#include "typed/class_scores.h"
#include "typed/fitted_ranking.h"
#include "typed/labels.h"
#include "typed/numbers.h"
#include "typed/shown.h"
#include "data/row_names.h"
#include "data/view.h"
#include "entry/split.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { ORDER_GIVEN, ORDER_LOG_RATIO, ORDER_SHARE };

static const cairn_choice order_choices[] = {
    {"given", ORDER_GIVEN, "as they stand, best first; groups by --score if it is given"},
    {"log-ratio", ORDER_LOG_RATIO, "by log2(positives / negatives), which becomes their score"},
    {"share", ORDER_SHARE, "by the share of positives, which becomes their score"},
    {NULL, 0, NULL},
};

static const cairn_choice low_choices[] = {
    {"auto", -1, "of a column of ranks, in which 1 is the best"},
    {"yes", 1, "low scores"},
    {"no", 0, "high scores"},
    {NULL, 0, NULL},
};

const cairn_param cairn_ranked_group[] = {
    {.name = "segments",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(cairn_ranked_option, segments),
     .help =
         "a typed ranking, best first: [20+,5-][10+,5-], or p1 - p2 - n1, or ++--+-; a name may "
         "stand in front, as in tree=[2+][1-]; several are compared where that makes sense",
     .repeated = true},
    CAIRN_PARAM_AS(cairn_ranked_option, score, CAIRN_TYPE_COLUMNS, NULL,
                   "column of the score; the only number column if not given; several are compared "
                   "where that makes sense"),
    CAIRN_PARAM(
        cairn_ranked_option, positive, NULL, NULL,
        "the class that counts as positive; +, 1, yes, true, pos, spam or the rarer one if not "
        "given"),
    CAIRN_PARAM_CHOICE(cairn_ranked_option, low, "auto", low_choices,
                       "low scores speak for the positive class, not high ones"),
    CAIRN_PARAM_AS(cairn_ranked_option, hits, CAIRN_TYPE_COLUMNS, NULL,
                   "groups in place of rows: column with the number of positives of each"),
    CAIRN_PARAM_AS(cairn_ranked_option, misses, CAIRN_TYPE_COLUMNS, NULL,
                   "groups: column with the number of negatives of each"),
    CAIRN_PARAM_AS(cairn_ranked_option, size, CAIRN_TYPE_COLUMNS, NULL,
                   "groups: column with the size of each, in place of --misses"),
    CAIRN_PARAM_AS(cairn_ranked_option, rate, CAIRN_TYPE_COLUMNS, NULL,
                   "groups: column with the share of positives, in place of --hits; per cent when "
                   "a value is above 1"),
    CAIRN_PARAM(cairn_ranked_option, positives, NULL, NULL,
                "cut-offs: number of all positives, where the table has tp but not fn"),
    CAIRN_PARAM(cairn_ranked_option, negatives, NULL, NULL,
                "cut-offs: number of all negatives, where the table has one of tn and fp"),
    CAIRN_PARAM_CHOICE(cairn_ranked_option, order, "given", order_choices,
                       "how typed segments and groups are put in order"),
    {.name = "fit",
     .names = "learner",
     .type = CAIRN_TYPE_SPEC,
     .offset = offsetof(cairn_ranked_option, fit),
     .help = "a learner that is fitted to two thirds of the rows and ranks the others, such as "
             "tree; several are compared where that makes sense",
     .repeated = true,
     .when = "!segments,!score"},
    CAIRN_PARAM_END,
};

/* -- segments by hand -- */

typedef struct item {
    cairn_segment segment;
    const char *name;
    size_t at; /* keeps equal ones in order */
} item;

typedef struct item_list {
    item *items;
    size_t n, capacity;
} item_list;

static cairn_status add_item(cairn_context *ctx, item_list *list, double positives,
                             double negatives, const char *name)
{
    if (list->n == list->capacity) {
        item *more;
        size_t capacity = 2 * list->capacity + 16;
        CHECK(SCRATCH(ctx, &more, capacity));
        if (list->n) memcpy(more, list->items, list->n * sizeof *more);
        list->items = more;
        list->capacity = capacity;
    }
    list->items[list->n] = (item){{0, 0, positives, negatives}, name, list->n};
    list->n++;
    return CAIRN_OK;
}

static int by_score(const void *a, const void *b)
{
    const item *x = a, *y = b;
    if (x->segment.score != y->segment.score) return x->segment.score > y->segment.score ? -1 : 1;
    return x->at < y->at ? -1 : 1;
}

static double order_score(const cairn_segment *s, int order)
{
    double all = s->positives + s->negatives;
    if (order == ORDER_SHARE) return all > 0 ? s->positives / all : 0;
    if (s->negatives == 0) return s->positives == 0 ? 0 : INFINITY;
    return cairn_log2(s->positives / s->negatives);
}

/* Sort the items by their scores, join equal ones, and make a ranking of them. */
static cairn_status rank_items(cairn_context *ctx, cairn_ranked *out, item_list *list, bool join)
{
    cairn_ranking *r = &out->ranking;
    CHECK(SCRATCH_EACH(ctx, list->n, &r->segments, &out->item_names));
    if (list->n) qsort(list->items, list->n, sizeof *list->items, by_score);
    for (size_t i = 0; i < list->n; i++) {
        cairn_segment s = list->items[i].segment;
        r->positives += s.positives;
        r->negatives += s.negatives;
        s.low_score = s.score;
        if (join && r->n > 0 && r->segments[r->n - 1].score == s.score) {
            r->segments[r->n - 1].positives += s.positives;
            r->segments[r->n - 1].negatives += s.negatives;
            out->item_names[r->n - 1] = NULL;
        } else {
            out->item_names[r->n] = list->items[i].name;
            r->segments[r->n++] = s;
        }
    }
    bool any = false;
    for (size_t i = 0; i < r->n; i++) any |= out->item_names[i] != NULL;
    if (!any) out->item_names = NULL;
    return CAIRN_OK;
}

static void score_items(item_list *list, int order)
{
    for (size_t i = 0; i < list->n; i++) {
        cairn_segment *s = &list->items[i].segment;
        s->score = order == ORDER_GIVEN ? (double)(list->n - i) : order_score(s, order);
    }
}

/* -- typed -- */

static const char *skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t' || *p == '\n') p++;
    return p;
}

/* Length of a minus or a dash (also − and –) at p, 0 when there is none. */
static size_t dash_length(const char *p)
{
    if (*p == '-') return 1;
    if (strncmp(p, "−", 3) == 0 || strncmp(p, "–", 3) == 0) return 3;
    return 0;
}

static cairn_status bad_segments(cairn_context *ctx, const char *text, const char *p)
{
    return cairn_fail(ctx, CAIRN_USAGE,
                      "{segments}: cannot read '%.20s' at letter %zu; write [20+,5-][10+,5-], p1 - "
                      "p2 - n1 or ++--+-",
                      *p ? p : "the end", (size_t)(p - text) + 1);
}

static cairn_status read_brackets(cairn_context *ctx, item_list *list, const char *text)
{
    const char *p = skip_blanks(text);
    while (*p) {
        double amounts[2] = {0, 0};
        if (!cairn_segment_scan(&p, amounts)) return bad_segments(ctx, text, p);
        CHECK(add_item(ctx, list, amounts[1], amounts[0], NULL));
        p = skip_blanks(p);
    }
    return CAIRN_OK;
}

/* "p1 - p2 - n1": a name that begins with p is positive, with n negative. */
static cairn_status read_names(cairn_context *ctx, item_list *list, const char *text)
{
    const char *p = skip_blanks(text);
    while (*p) {
        char *name;
        size_t length = 0;
        if (*p != 'p' && *p != 'n') return bad_segments(ctx, text, p);
        while (p[length] && p[length] != ' ' && !dash_length(p + length)) length++;
        CHECK(SCRATCH(ctx, &name, length + 1));
        memcpy(name, p, length);
        CHECK(add_item(ctx, list, *p == 'p', *p == 'n', name));
        p = skip_blanks(p + length);
        size_t dash = dash_length(p);
        if (*p && !dash) return bad_segments(ctx, text, p);
        p = skip_blanks(p + dash);
    }
    return CAIRN_OK;
}

static cairn_status read_signs(cairn_context *ctx, item_list *list, const char *text)
{
    const char *p = skip_blanks(text);
    while (*p) {
        size_t dash = dash_length(p);
        if (*p != '+' && !dash) return bad_segments(ctx, text, p);
        CHECK(add_item(ctx, list, *p == '+', dash > 0, NULL));
        p = skip_blanks(p + (dash ? dash : 1));
    }
    return CAIRN_OK;
}

/* Line number `which` of the typed rankings, without the name in front of it. */
static cairn_status take_line(cairn_context *ctx, char **out, const char **name, const char *text,
                              size_t which, size_t *n_lines)
{
    char *copy;
    *n_lines = 1;
    for (const char *p = text; *p; p++) *n_lines += *p == '\n';
    for (; which > 0; which--) text += strcspn(text, "\n") + 1;
    size_t length = strcspn(text, "\n"), head = strcspn(text, "=\n");
    bool named = text[head] == '=';
    CHECK(SCRATCH(ctx, &copy, length + 2));
    memcpy(copy, text, length);
    if (named) copy[head] = 0;
    *name = named ? copy : NULL;
    *out = named ? copy + head + 1 : copy;
    return CAIRN_OK;
}

/* The first character tells which of the three notations is used: brackets, names such as p1 n1, or
 * signs. Without an order the segments rank as they stand. */
static cairn_status read_segments(cairn_context *ctx, cairn_ranked *out,
                                  const cairn_ranked_option *o, size_t which, size_t *n_rankings)
{
    item_list list = {0};
    char *text;
    CHECK(take_line(ctx, &text, &out->name, o->segments, which, n_rankings));
    const char *p = skip_blanks(text);
    CHECK(*p == '['                ? read_brackets(ctx, &list, text)
          : *p == 'p' || *p == 'n' ? read_names(ctx, &list, text)
                                   : read_signs(ctx, &list, text));
    if (list.n == 0) return bad_segments(ctx, text, p);
    if (*n_rankings > 1 && !out->name) {
        char *number;
        CHECK(SCRATCH(ctx, &number, CAIRN_NUMBER_SIZE));
        cairn_number_format(number, (double)(which + 1), 0);
        out->name = number;
    }
    score_items(&list, o->order);
    out->scored = o->order != ORDER_GIVEN;
    return rank_items(ctx, out, &list, out->scored);
}

/* -- groups -- */

static cairn_status number_column(cairn_context *ctx, const double **out, const cairn_table *table,
                                  const char *option, const char *name)
{
    size_t at;
    *out = NULL;
    if (!name) return CAIRN_OK;
    CHECK(cairn_table_get(ctx, table, name, &at));
    return cairn_number_column(ctx, out, table, at, option);
}

/* Text of a cell, scratch. */
static cairn_status cell_text(cairn_context *ctx, const char **out, const cairn_table *table,
                              size_t column, size_t row)
{
    char *text;
    size_t length = cairn_table_cell(table, column, row, NULL, 0);
    CHECK(SCRATCH(ctx, &text, length + 1));
    cairn_table_cell(table, column, row, text, length + 1);
    *out = text;
    return CAIRN_OK;
}

/* What the rates are divided by: they are per cent as soon as one of them exceeds 1. Where another
 * could be a share, a warning names the cell that decided, which may be a slip of the pen. */
static double rate_unit(cairn_context *ctx, const cairn_table *table, const char *column,
                        const double *rate)
{
    char text[CAIRN_NUMBER_SIZE];
    size_t above = table->n_rows, shares = 0;
    for (size_t r = 0; r < table->n_rows && rate; r++) {
        if (rate[r] > 1 && above == table->n_rows) above = r;
        shares += rate[r] > 0 && rate[r] <= 1;
    }
    if (above == table->n_rows) return 1;
    cairn_number_format(text, rate[above], CAIRN_SHORTEST);
    if (shares)
        cairn_warn(
            ctx,
            "%s, row %zu: '%s' is %s, above 1, so all its values are taken as per cent, also "
            "the %zu up to 1; correct the cell if they are shares",
            table->source ? table->source : "the table", above + 1, column, text, shares);
    return 100;
}

/* Whether low scores speak for the positive class: as the option says, else where the column holds
 * ranks, the whole numbers (and halves, of ties) from 1 to the number of rows under a name that
 * says so. */
static bool means_low(cairn_context *ctx, const cairn_ranked_option *o, const char *name,
                      const double *scores, size_t n)
{
    static const char *const words[] = {"rank", "ranks", "ranking", "place", "position", NULL};
    bool named = false, one = false;
    if (o->low >= 0) return o->low;
    for (size_t i = 0; words[i]; i++) named |= cairn_name_says(name, words[i]);
    for (size_t i = 0; i < n && named; i++) {
        double x = scores[i];
        one |= x == 1;
        named &= isnan(x) || (x >= 1 && x <= (double)n && 2 * x == floor(2 * x));
    }
    if (!named || !one) return false;
    cairn_warn(ctx,
               "'%s' holds ranks, of which 1 is the best, so that low ones speak for the "
               "positive class; {low no} takes high ones as better",
               name);
    return true;
}

/* Groups rank by a score, or else by their share of positives. */
static cairn_status read_groups(cairn_context *ctx, cairn_ranked *out, const cairn_ranked_option *o,
                                const cairn_table *table)
{
    const double *hits, *misses, *size, *rate, *score;
    item_list list = {0};
    ptrdiff_t id = cairn_table_role_column(table, CAIRN_ID);
    CHECK(number_column(ctx, &hits, table, "hits", o->hits));
    CHECK(number_column(ctx, &misses, table, "misses", o->misses));
    CHECK(number_column(ctx, &size, table, "size", o->size));
    CHECK(number_column(ctx, &rate, table, "rate", o->rate));
    CHECK(number_column(ctx, &score, table, "score", o->score));
    bool low = score && means_low(ctx, o, o->score, score, table->n_rows);
    out->low = low;
    if (!(hits ? misses || size : rate && size))
        return cairn_fail(ctx, CAIRN_USAGE,
                          "groups need {hits} with {misses} or {size}, or {rate} with {size}");
    double unit = rate_unit(ctx, table, o->rate, rate);
    for (size_t r = 0; r < table->n_rows; r++) {
        double p = hits ? hits[r] : rate[r] / unit * size[r];
        double n = misses ? misses[r] : size[r] - p;
        const char *name = NULL;
        if (!(p >= 0) || !(n >= 0) || isinf(p) || isinf(n))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "%s, row %zu: the positives of a group are not negative and at most "
                              "its size",
                              table->source ? table->source : "the table", r + 1);
        if (score && isnan(score[r]))
            return cairn_fail(ctx, CAIRN_BAD_DATA, "%s, row %zu: the score is not a number",
                              table->source ? table->source : "the table", r + 1);
        if (id >= 0) CHECK(cell_text(ctx, &name, table, (size_t)id, r));
        CHECK(add_item(ctx, &list, p, n, name));
    }
    int order = o->order == ORDER_GIVEN ? ORDER_SHARE : o->order;
    score_items(&list, order);
    for (size_t i = 0; i < list.n && score; i++)
        list.items[i].segment.score = low ? -score[list.items[i].at] : score[list.items[i].at];
    out->scored = !(score && low);
    out->name = o->score;
    return rank_items(ctx, out, &list, true);
}

/* -- cut-offs -- */

typedef struct cutoff {
    double fp, tp;
    const char *name;
    size_t at;
} cutoff;

static int by_point(const void *a, const void *b)
{
    const cutoff *x = a, *y = b;
    if (x->fp != y->fp) return x->fp < y->fp ? -1 : 1;
    if (x->tp != y->tp) return x->tp < y->tp ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static ptrdiff_t find_any_case(const cairn_table *table, const char *name)
{
    for (size_t c = 0; c < table->n_columns; c++)
        if (strcasecmp(table->slots[c].name, name) == 0 && cairn_table_numbers(table, c))
            return (ptrdiff_t)c;
    return -1;
}

static const double *count_column(const cairn_table *table, const char *name)
{
    ptrdiff_t c = find_any_case(table, name);
    return c < 0 ? NULL : cairn_table_numbers(table, (size_t)c);
}

static bool has_cutoffs(const cairn_table *table)
{
    return count_column(table, "tp") && (count_column(table, "fp") || count_column(table, "tn"));
}

/* The total of a class: typed, or the same in every row, or (positives only) the largest count. */
static cairn_status class_total(cairn_context *ctx, double *out, const char *option,
                                const char *typed, const double *right, const double *wrong,
                                const cairn_table *table)
{
    const char *source = table->source ? table->source : "the table";
    *out = 0;
    if (typed) return cairn_read_count(ctx, out, option, typed);
    if (!right || !wrong)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "%s has only one of the two counts of the %s: give their total with "
                          "{%s}",
                          source, option, option);
    for (size_t r = 0; r < table->n_rows; r++) {
        double sum = right[r] + wrong[r];
        if (r == 0) *out = sum;
        if (!(fabs(sum - *out) <= 1e-9 * (1 + *out)))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "%s, row %zu: the number of %s differs from the first row's", source,
                              r + 1, option);
    }
    return CAIRN_OK;
}

/* The column that names the cut-offs: the first that is no count. */
static ptrdiff_t cutoff_column(const cairn_table *table)
{
    static const char *const counts[] = {"tp", "fn", "fp", "tn"};
    for (size_t c = 0; c < table->n_columns; c++) {
        bool count = false;
        for (size_t i = 0; i < 4; i++) count |= strcasecmp(table->slots[c].name, counts[i]) == 0;
        if (!count) return (ptrdiff_t)c;
    }
    return -1;
}

/* Segments between neighbouring points, and the names of the splits. */
static cairn_status rank_cutoffs(cairn_context *ctx, cairn_ranked *out, cutoff *points, size_t n)
{
    cairn_ranking *r = &out->ranking;
    CHECK(SCRATCH_EACH(ctx, n, &r->segments, &out->split_names));
    for (size_t i = 0; i < n; i++) {
        const cutoff *before = &points[i ? i - 1 : 0];
        if (points[i].tp < before->tp)
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "cut-off '%s' finds fewer positives than '%s' with as many or more "
                              "false alarms: these are no cut-offs of one score",
                              points[i].name ? points[i].name : "?",
                              before->name ? before->name : "?");
        bool same = i > 0 && points[i].tp == before->tp && points[i].fp == before->fp;
        if (same && r->n > 0 && !out->split_names[r->n]) out->split_names[r->n] = points[i].name;
        if (i == 0) out->split_names[0] = points[0].name;
        if (i == 0 || same) {
            if (same && !out->split_names[r->n]) out->split_names[r->n] = points[i].name;
            continue;
        }
        double score = (double)(n - r->n);
        r->segments[r->n] =
            (cairn_segment){score, score, points[i].tp - before->tp, points[i].fp - before->fp};
        out->split_names[++r->n] = points[i].name;
    }
    return CAIRN_OK;
}

/* Cutoffs are points of a curve, to which the two ends are added; segments of the ranking are what
 * lies between neighbours. */
static cairn_status read_cutoffs(cairn_context *ctx, cairn_ranked *out,
                                 const cairn_ranked_option *o, const cairn_table *table)
{
    const double *tp = count_column(table, "tp"), *fn = count_column(table, "fn");
    const double *fp = count_column(table, "fp"), *tn = count_column(table, "tn");
    double positives, negatives;
    ptrdiff_t names = cutoff_column(table);
    cutoff *points;
    size_t n = 0;
    CHECK(class_total(ctx, &positives, "positives", o->positives, tp, fn, table));
    CHECK(class_total(ctx, &negatives, "negatives", o->negatives, fp, tn, table));
    CHECK(SCRATCH(ctx, &points, table->n_rows + 2));
    points[n++] = (cutoff){0, 0, NULL, SIZE_MAX};
    for (size_t r = 0; r < table->n_rows; r++) {
        cutoff c = {fp ? fp[r] : negatives - tn[r], tp[r], NULL, r};
        if (!(c.tp >= 0 && c.tp <= positives && c.fp >= 0 && c.fp <= negatives))
            return cairn_fail(ctx, CAIRN_BAD_DATA,
                              "%s, row %zu: the counts are negative, missing or above the totals",
                              table->source ? table->source : "the table", r + 1);
        if (names >= 0) CHECK(cell_text(ctx, &c.name, table, (size_t)names, r));
        points[n++] = c;
    }
    points[n++] = (cutoff){negatives, positives, NULL, SIZE_MAX};
    qsort(points, n, sizeof *points, by_point);
    CHECK(rank_cutoffs(ctx, out, points, n));
    out->ranking.positives = positives;
    out->ranking.negatives = negatives;
    out->name = names >= 0 ? table->slots[names].name : NULL;
    return CAIRN_OK;
}

/* -- scores and labels -- */

/* The score when none is named: the only number column that is a feature, else the one with the
 * probability of the positive class, p(CLASS); a table whose only feature holds no numbers has a
 * cell in it that is none. */
static cairn_status guess_score(cairn_context *ctx, size_t *out, const cairn_table *table,
                                const char *positive)
{
    size_t numbers = 0, features = 0, only = 0;
    for (size_t c = 0; c < table->n_columns; c++) {
        if (table->slots[c].role != CAIRN_FEATURE) continue;
        only = c, features++;
        if (cairn_table_numbers(table, c)) *out = c, numbers++;
    }
    if (numbers == 1) return CAIRN_OK;
    for (size_t c = 0; c < table->n_columns && numbers > 1; c++)
        if (cairn_table_numbers(table, c) && cairn_is_score_of(table->slots[c].name, positive)) {
            *out = c;
            return CAIRN_OK;
        }
    if (numbers == 0 && features == 1) {
        *out = only;
        return CAIRN_OK;
    }
    return cairn_fail(ctx, CAIRN_USAGE,
                      "there are %zu number columns that could be the score: name it with {score}",
                      numbers);
}

/* Column number `which` of --score, or the one that must be meant. */
static cairn_status score_column(cairn_context *ctx, size_t *out, const double **scores,
                                 const cairn_table *table, const char *wanted, const char *positive,
                                 size_t which, size_t *n_scores)
{
    char **names;
    *n_scores = 1;
    if (wanted) {
        CHECK(cairn_list_split(ctx, wanted, &names, n_scores));
        if (which >= *n_scores) return cairn_fail(ctx, CAIRN_USAGE, "{score} names no column");
        CHECK(cairn_table_get(ctx, table, names[which], out));
    } else {
        CHECK(guess_score(ctx, out, table, positive));
    }
    return cairn_number_column(ctx, scores, table, *out, "score");
}

/* The class of each row: codes of a level target, or numbers of which there are two. */
static cairn_status find_classes(cairn_context *ctx, int8_t **out, const char **positive,
                                 const cairn_table *table, const char *wanted)
{
    ptrdiff_t target = cairn_table_role_column(table, CAIRN_TARGET);
    if (target < 0)
        return cairn_fail(ctx, CAIRN_USAGE, "name the column of the classes with {target}");
    const cairn_column *column = table->slots[target].column;
    const char *name = table->slots[target].name;
    if (column->kind != CAIRN_LEVEL)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "the target '%s' holds numbers, not classes; {kinds \"%s=level\"} takes "
                          "its values as classes",
                          name, name);
    double weights[2] = {0, 0};
    size_t index = 0;
    if (column->names.n == 2) {
        const char *const names[2] = {cairn_map_key(&column->names, 0),
                                      cairn_map_key(&column->names, 1)};
        for (size_t r = 0; r < table->n_rows; r++)
            if (column->codes[r] >= 0) weights[column->codes[r]] += 1;
        CHECK(cairn_choose_positive(ctx, &index, names, weights, wanted));
    } else if (wanted) {
        int64_t code = cairn_map_find(&column->names, wanted, strlen(wanted));
        if (code < 0)
            return cairn_fail(ctx, CAIRN_USAGE, "{positive}: '%s' has no class '%s'", name, wanted);
        index = (size_t)code;
    } else if (column->names.n == 1) {
        return cairn_fail(ctx, CAIRN_BAD_DATA,
                          "all rows of %s are of the class '%s': with one class only there is "
                          "nothing to rank, and the area under the curve is undefined",
                          table->source ? table->source : "the table",
                          cairn_map_key(&column->names, 0));
    } else {
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'%s' has %zu classes: {positive} says which one is ranked against the "
                          "rest",
                          name, column->names.n);
    }
    CHECK(SCRATCH_RAW(ctx, out, table->n_rows));
    for (size_t r = 0; r < table->n_rows; r++)
        (*out)[r] = column->codes[r] < 0 ? -1 : (int8_t)((size_t)column->codes[r] == index);
    *positive = cairn_map_key(&column->names, index);
    return CAIRN_OK;
}

/* Low scores that mean positive are turned round; rows without a class are counted and left out,
 * but a missing score is refused. */
static cairn_status read_scores(cairn_context *ctx, cairn_ranked *out, const cairn_ranked_option *o,
                                const cairn_table *table, size_t which, size_t *n_scores)
{
    cairn_view view;
    int8_t *classes;
    const double *scores;
    double *transposed;
    size_t score;
    CHECK(cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    CHECK(find_classes(ctx, &classes, &out->positive, table, o->positive));
    CHECK(score_column(ctx, &score, &scores, table, o->score, out->positive, which, n_scores));
    out->name = table->slots[score].name;
    for (size_t r = 0; r < table->n_rows; r++) {
        out->left_out += classes[r] < 0;
        if (classes[r] >= 0 && isnan(scores[r]))
            return cairn_fail(ctx, CAIRN_BAD_DATA, "%s, row %zu: the score '%s' is not a number",
                              table->source ? table->source : "the table", r + 1, out->name);
    }
    out->low = means_low(ctx, o, out->name, scores, table->n_rows);
    if (out->low) {
        CHECK(SCRATCH_RAW(ctx, &transposed, table->n_rows));
        for (size_t r = 0; r < table->n_rows; r++) transposed[r] = -scores[r];
        scores = transposed;
    }
    CHECK(cairn_ranking_make(ctx, &out->ranking, scores, classes, view.row_weights, table->n_rows));
    out->scored = true;
    out->scores = scores;
    out->classes = classes;
    out->weights = view.row_weights;
    out->n_rows = table->n_rows;
    return CAIRN_OK;
}

static cairn_status read_table(cairn_context *ctx, cairn_ranked *out, const cairn_ranked_option *o,
                               const cairn_table *table, size_t which, size_t *n_scores)
{
    if (o->hits || o->rate) return read_groups(ctx, out, o, table);
    if (!o->score && has_cutoffs(table)) return read_cutoffs(ctx, out, o, table);
    return read_scores(ctx, out, o, table, which, n_scores);
}

/* The name of the file, and "file, score" when --score names several. */
static cairn_status name_by_file(cairn_context *ctx, cairn_ranked *out, const cairn_table *table,
                                 bool with_score)
{
    const char *file;
    char *name;
    CHECK(cairn_source_name(ctx, &file, table));
    if (with_score && out->name) {
        size_t buffer = strlen(file) + strlen(out->name) + 4;
        CHECK(SCRATCH(ctx, &name, buffer));
        snprintf(name, buffer, "%s, %s", file, out->name);
        file = name;
    }
    out->name = file;
    return CAIRN_OK;
}

/* One of the learners that --fit names; what they do is said once, with the last. */
static cairn_status read_fitted(cairn_context *ctx, cairn_ranked *out, const cairn_ranked_option *o,
                                cairn_tables tables, size_t which, size_t *n_rankings)
{
    const char *const *specs;
    CHECK(cairn_list_lines(ctx, o->fit, &specs));
    if (tables.n != 1)
        return cairn_fail(ctx, CAIRN_USAGE, "{fit} takes one table of rows with classes");
    for (*n_rankings = 0; specs[*n_rankings];) ++*n_rankings;
    if (which + 1 == *n_rankings)
        cairn_warn(ctx,
                   "%s fitted to two thirds of the rows and rank%s the others; 'cairn evaluate' "
                   "judges a learner by all rows in turn",
                   *n_rankings == 1 ? "the learner is" : "the learners are",
                   *n_rankings == 1 ? "s" : "");
    return cairn_fitted_ranking(ctx, out, specs[which], o->positive, tables.list[0]);
}

cairn_status cairn_read_ranked(cairn_context *ctx, cairn_ranked *out, const cairn_ranked_option *o,
                               cairn_tables tables, size_t which, size_t *n_rankings,
                               const char *what)
{
    size_t per_table = 1;
    *out = (cairn_ranked){0};
    *n_rankings = 1;
    if (!tables.n && !o->segments)
        return cairn_fail(ctx, CAIRN_USAGE,
                          "'%s' needs {segments}, or DATA with scores and classes", what);
    if (o->segments) return read_segments(ctx, out, o, which, n_rankings);
    if (o->fit) return read_fitted(ctx, out, o, tables, which, n_rankings);
    if (o->score && !o->hits && !o->rate) {
        char **names;
        CHECK(cairn_list_split(ctx, o->score, &names, &per_table));
        if (!per_table) per_table = 1;
    }
    const cairn_table *table = tables.list[which / per_table % tables.n];
    CHECK(read_table(ctx, out, o, table, which % per_table, n_rankings));
    if (tables.n > 1) CHECK(name_by_file(ctx, out, table, per_table > 1));
    *n_rankings *= tables.n;
    return CAIRN_OK;
}

cairn_status cairn_read_one_ranked(cairn_context *ctx, cairn_ranked *out,
                                   const cairn_ranked_option *o, const cairn_table *table,
                                   const char *what)
{
    size_t n;
    CHECK(cairn_read_ranked(ctx, out, o, (cairn_tables){&table, table ? 1 : 0}, 0, &n, what));
    if (n > 1)
        return cairn_fail(ctx, CAIRN_USAGE, "'%s' takes one ranking, and %zu were named", what, n);
    return CAIRN_OK;
}

/* -- showing -- */

void cairn_show_ranked(cairn_report *out, const cairn_ranked *ranked)
{
    const cairn_ranking *r = &ranked->ranking;
    if (ranked->name) cairn_report_word(out, "score", ranked->name, "score");
    if (ranked->positive) cairn_report_word(out, "positive class", ranked->positive, "positive");
    cairn_report_value(out, "positives", r->positives, "positives");
    cairn_report_value(out, "negatives", r->negatives, "negatives");
    cairn_report_value(out, "class ratio", r->negatives > 0 ? r->positives / r->negatives : NAN,
                       "class_ratio");
    cairn_report_value(out, "segments (different scores)", (double)r->n, "segments");
    if (ranked->left_out)
        cairn_report_note(out, "%zu row%s without a class %s left out.", ranked->left_out,
                          ranked->left_out == 1 ? "" : "s", ranked->left_out == 1 ? "is" : "are");
}

void cairn_show_notation(cairn_report *out, const cairn_ranking *r)
{
    enum { MOST = 24 };
    cairn_context *ctx = cairn_report_context(out);
    if (!ctx) return;
    cairn_text text = cairn_text_start(ctx);
    for (size_t i = 0; i < r->n && i < MOST; i++) {
        cairn_text_add(&text, "[");
        if (r->segments[i].positives > 0) {
            cairn_text_add_number(&text, r->segments[i].positives, 6);
            cairn_text_add(&text, "+");
        }
        if (r->segments[i].positives > 0 && r->segments[i].negatives > 0)
            cairn_text_add(&text, ",");
        if (r->segments[i].negatives > 0) {
            cairn_text_add_number(&text, r->segments[i].negatives, 6);
            cairn_text_add(&text, "-");
        }
        cairn_text_add(&text, "]");
    }
    if (r->n > MOST) cairn_text_add(&text, " ...");
    if (cairn_text_status(&text) == CAIRN_OK)
        cairn_report_word(out, "ranking", cairn_text_string(&text), "ranking");
    else
        cairn_report_failed(out, cairn_text_status(&text));
    cairn_text_clear(&text);
}

void cairn_split_text(char out[96], const cairn_ranked *ranked, size_t s)
{
    const cairn_ranking *r = &ranked->ranking;
    char a[CAIRN_NUMBER_SIZE], b[CAIRN_NUMBER_SIZE];
    if (ranked->split_names || !ranked->scored) {
        const char *name = ranked->split_names ? ranked->split_names[s] : NULL;
        snprintf(out, 96, "%.90s", name ? name : "");
        return;
    }
    bool low = ranked->low; /* the scores were turned round */
    if (s > 0)
        cairn_number_format(a, low ? -r->segments[s - 1].low_score : r->segments[s - 1].low_score,
                            6);
    if (s < r->n) cairn_number_format(b, low ? -r->segments[s].score : r->segments[s].score, 6);
    if (s == 0)
        snprintf(out, 96, "%c%s", low ? '<' : '>', r->n ? b : "");
    else if (s == r->n)
        snprintf(out, 96, "%c%s", low ? '>' : '<', a);
    else
        snprintf(out, 96, "%s..%s", low ? a : b, low ? b : a);
}
