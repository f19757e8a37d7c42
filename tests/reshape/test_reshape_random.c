/* SPDX-License-Identifier: MIT */
/* Random small tables, each step against the plainest way to do it: nested loops over rows whose
 * cells are compared one by one. */
#include "base/random.h"
#include "cairn/reshape.h"
#include "data/table.h"
#include "support/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CASES = 2000, MOST = 14, COLUMNS = 6, PAIRS = MOST * MOST + 2 * MOST };

/* One table as plain arrays: a (whole numbers), r (reals), l (levels), s (text), x (numbers), t
 * (times); NaN and -1 are missing. */
typedef struct plain {
    size_t n;
    double a[MOST], r[MOST], x[MOST], t[MOST];
    int32_t l[MOST];
    int s[MOST];
    const char *texts[MOST];
    cairn_table *table;
} plain;

static const char *const levels_left[] = {"red", "green", "blue"};
static const char *const levels_right[] = {"blue", "black", "red"};
static const char *const words[] = {"", "ab", "abc", "b"};

static double maybe(cairn_random *random, double value)
{
    return cairn_random_below(random, 6) == 0 ? NAN : value;
}

static plain make(cairn_context *ctx, cairn_random *random, bool right)
{
    plain p = {.n = (size_t)cairn_random_below(random, MOST + 1)};
    for (size_t i = 0; i < p.n; i++) {
        p.a[i] = maybe(random, (double)cairn_random_below(random, 4) - 1);
        p.r[i] = maybe(random, (double)cairn_random_below(random, 3) / 4 * 1e9);
        p.x[i] = maybe(random, (double)cairn_random_below(random, 9) / 2 - 1);
        p.t[i] = maybe(random, 86400.0 * (double)cairn_random_below(random, 3));
        p.l[i] = (int32_t)cairn_random_below(random, 4) - 1;
        p.s[i] = (int)cairn_random_below(random, 5) - 1;
        p.texts[i] = p.s[i] < 0 ? NULL : words[p.s[i]];
    }
    assert_ok(ctx, cairn_table_new(ctx, &p.table, p.n));
    assert_ok(ctx, cairn_table_add_numbers(ctx, p.table, "a", p.a));
    assert_ok(ctx, cairn_table_add_numbers(ctx, p.table, "r", p.r));
    assert_ok(
        ctx, cairn_table_add_levels(ctx, p.table, "l", p.l, right ? levels_right : levels_left, 3));
    assert_ok(ctx, cairn_table_add_texts(ctx, p.table, "s", p.texts));
    assert_ok(ctx, cairn_table_add_numbers(ctx, p.table, "x", p.x));
    assert_ok(ctx, cairn_table_add_times(ctx, p.table, "t", p.t));
    return p;
}

static bool cell_missing(const cairn_table *t, size_t column, size_t row)
{
    return cairn_column_is_missing(t->slots[column].column, row);
}

static bool same_cell(const cairn_table *a, size_t ca, size_t ra, const cairn_table *b, size_t cb,
                      size_t rb)
{
    char left[64], right[64];
    if (cell_missing(a, ca, ra) || cell_missing(b, cb, rb))
        return cell_missing(a, ca, ra) == cell_missing(b, cb, rb);
    cairn_table_cell(a, ca, ra, left, sizeof left);
    cairn_table_cell(b, cb, rb, right, sizeof right);
    return strcmp(left, right) == 0;
}

/* A few of the six columns, as numbers and as a list of names. */
typedef struct choice {
    size_t n, columns[COLUMNS];
    bool down[COLUMNS];
    char names[64], signs[80];
} choice;

static choice choose(cairn_random *random, const plain *p)
{
    choice c = {0};
    c.n = 1 + (size_t)cairn_random_below(random, 3);
    for (size_t i = 0; i < c.n; i++) {
        bool taken = true;
        while (taken) {
            c.columns[i] = (size_t)cairn_random_below(random, COLUMNS);
            taken = false;
            for (size_t k = 0; k < i; k++) taken = taken || c.columns[k] == c.columns[i];
        }
        const char *name = p->table->slots[c.columns[i]].name;
        c.down[i] = cairn_random_below(random, 2);
        strcat(strcat(c.names, i ? "," : ""), name);
        strcat(strcat(strcat(c.signs, i ? "," : ""), c.down[i] ? "-" : ""), name);
    }
    return c;
}

/* -- sorting -- */

static int compare_cells(const plain *p, size_t column, size_t a, size_t b)
{
    const double *numbers = p->table->slots[column].column->numbers;
    char left[64], right[64];
    if (numbers) return (numbers[a] > numbers[b]) - (numbers[a] < numbers[b]);
    cairn_table_cell(p->table, column, a, left, sizeof left);
    cairn_table_cell(p->table, column, b, right, sizeof right);
    return strcmp(left, right);
}

static bool stands_before(const plain *p, const choice *c, size_t a, size_t b)
{
    for (size_t k = 0; k < c->n; k++) {
        bool no_a = cell_missing(p->table, c->columns[k], a);
        bool no_b = cell_missing(p->table, c->columns[k], b);
        if (no_a != no_b) return no_b;
        int order = no_a ? 0 : compare_cells(p, c->columns[k], a, b);
        if (order) return c->down[k] ? order > 0 : order < 0;
    }
    return a < b;
}

static void check_sort(cairn_context *ctx, const plain *p, const choice *c)
{
    cairn_table *out = NULL;
    size_t order[MOST];
    for (size_t i = 0; i < p->n; i++) {
        size_t at = i;
        for (; at > 0 && stands_before(p, c, i, order[at - 1]); at--) order[at] = order[at - 1];
        order[at] = i;
    }
    assert_ok(ctx, cairn_table_sort(ctx, &out, p->table, c->signs));
    assert_int_equal(out->n_rows, p->n);
    for (size_t i = 0; i < p->n; i++)
        for (size_t k = 0; k < COLUMNS; k++)
            assert_true(same_cell(out, k, i, p->table, k, order[i]));
    cairn_table_free(out);
}

/* -- groups -- */

static bool same_keys(const plain *p, const choice *c, size_t a, size_t b)
{
    for (size_t k = 0; k < c->n; k++)
        if (!same_cell(p->table, c->columns[k], a, p->table, c->columns[k], b)) return false;
    return true;
}

/* The group of every row, numbered by first rows; returns how many. */
static size_t group_rows(const plain *p, const choice *c, size_t group[MOST], size_t first[MOST])
{
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++) {
        size_t g = 0;
        while (g < n && !same_keys(p, c, first[g], i)) g++;
        if (g == n) first[n++] = i;
        group[i] = g;
    }
    return n;
}

static void check_distinct(cairn_context *ctx, const plain *p, const choice *c)
{
    cairn_table *out = NULL;
    size_t group[MOST], first[MOST], n = group_rows(p, c, group, first);
    assert_ok(ctx, cairn_table_distinct(ctx, &out, p->table, c->names));
    assert_int_equal(out->n_rows, n);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < COLUMNS; k++)
            assert_true(same_cell(out, k, i, p->table, k, first[i]));
    cairn_table_free(out);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void assert_near(double got, double wanted)
{
    if (isnan(wanted) != isnan(got) || fabs(got - wanted) > 1e-12 * (1 + fabs(wanted)))
        fail_msg("%.17g instead of %.17g", got, wanted);
}

/* The aggregates of one group of x, by their definitions. */
typedef struct sums {
    double count, missing, sum, mean, var, median, p80, min, max, distinct, first, last;
} sums;

static sums sum_group(const plain *p, const size_t *group, size_t g)
{
    double v[MOST], place;
    size_t n = 0;
    sums s = {.min = NAN,
              .max = NAN,
              .first = NAN,
              .last = NAN,
              .mean = NAN,
              .var = NAN,
              .median = NAN,
              .p80 = NAN};
    for (size_t i = 0; i < p->n; i++) {
        if (group[i] != g) continue;
        if (isnan(p->x[i])) {
            s.missing++;
            continue;
        }
        if (!n) s.first = p->x[i];
        s.last = p->x[i];
        s.sum += p->x[i];
        v[n++] = p->x[i];
    }
    s.count = (double)n;
    if (!n) return s;
    s.mean = s.sum / s.count;
    double squares = 0;
    for (size_t i = 0; i < n; i++) squares += (v[i] - s.mean) * (v[i] - s.mean);
    if (n > 1) s.var = squares / (s.count - 1);
    qsort(v, n, sizeof *v, by_value);
    s.min = v[0];
    s.max = v[n - 1];
    s.median = n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
    place = 0.8 * (double)(n - 1);
    size_t low = (size_t)floor(place + 1e-9);
    s.p80 = v[low] + (low + 1 < n ? (place - (double)low) * (v[low + 1] - v[low]) : 0);
    for (size_t i = 0; i < n; i++) s.distinct += i == 0 || v[i] != v[i - 1];
    return s;
}

static void check_groups(cairn_context *ctx, const plain *p, const choice *c)
{
    cairn_table *out = NULL;
    size_t group[MOST], first[MOST], n = group_rows(p, c, group, first);
    assert_ok(ctx, cairn_table_aggregate(
                       ctx, &out, p->table, c->names,
                       "A=count(x),B=missing(x),C=sum(x),D=mean(x),E=var(x),F=sd(x),G=median(x),"
                       "H=quantile(x,0.8),I=min(x),J=max(x),K=distinct(x),L=first(x),M=last(x)"));
    assert_int_equal(out->n_rows, n);
    for (size_t g = 0; g < n; g++) {
        sums s = sum_group(p, group, g);
        double wanted[] = {s.count, s.missing, s.sum, s.mean,     s.var,   sqrt(s.var), s.median,
                           s.p80,   s.min,     s.max, s.distinct, s.first, s.last};
        for (size_t k = 0; k < c->n; k++)
            assert_true(same_cell(out, k, g, p->table, c->columns[k], first[g]));
        for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
            assert_near(out->slots[c->n + k].column->numbers[g], wanted[k]);
    }
    cairn_table_free(out);
}

/* -- joins -- */

typedef struct pairs {
    size_t n;
    int left[PAIRS], right[PAIRS]; /* -1 = none */
} pairs;

static bool keys_match(const plain *l, const plain *r, const choice *c, size_t i, size_t k,
                       bool match_missing)
{
    for (size_t q = 0; q < c->n; q++) {
        if (!match_missing && cell_missing(l->table, c->columns[q], i)) return false;
        if (!same_cell(l->table, c->columns[q], i, r->table, c->columns[q], k)) return false;
    }
    return true;
}

static void add_pair(pairs *p, int left, int right)
{
    p->left[p->n] = left;
    p->right[p->n++] = right;
}

static pairs join_plainly(const plain *l, const plain *r, const choice *c, cairn_join_kind kind,
                          bool match_missing)
{
    pairs out = {0};
    bool met[MOST] = {false};
    bool filters = kind == CAIRN_JOIN_SEMI || kind == CAIRN_JOIN_ANTI;
    for (size_t i = 0; i < l->n; i++) {
        bool any = false;
        for (size_t k = 0; k < r->n; k++) {
            if (!keys_match(l, r, c, i, k, match_missing)) continue;
            any = met[k] = true;
            if (!filters) add_pair(&out, (int)i, (int)k);
        }
        bool alone = !any && (kind == CAIRN_JOIN_LEFT || kind == CAIRN_JOIN_FULL);
        if (alone || (kind == CAIRN_JOIN_SEMI && any) || (kind == CAIRN_JOIN_ANTI && !any))
            add_pair(&out, (int)i, -1);
    }
    for (size_t k = 0; k < r->n; k++)
        if (!met[k] && (kind == CAIRN_JOIN_RIGHT || kind == CAIRN_JOIN_FULL))
            add_pair(&out, -1, (int)k);
    return out;
}

static bool is_key(const choice *c, size_t column)
{
    for (size_t k = 0; k < c->n; k++)
        if (c->columns[k] == column) return true;
    return false;
}

static void check_cell(const cairn_table *out, size_t column, size_t row, const plain *p, int from,
                       size_t source)
{
    if (from < 0)
        assert_true(cell_missing(out, column, row));
    else
        assert_true(same_cell(out, column, row, p->table, source, (size_t)from));
}

static void check_join(cairn_context *ctx, const plain *l, const plain *r, const choice *c,
                       cairn_join_kind kind, bool match_missing)
{
    cairn_join_options options = CAIRN_JOIN_OPTIONS_INIT;
    pairs wanted = join_plainly(l, r, c, kind, match_missing);
    cairn_table *out = NULL;
    options.kind = kind;
    options.match_missing = match_missing;
    assert_ok(ctx, cairn_table_join(ctx, &out, l->table, r->table, c->names, &options, NULL));
    assert_int_equal(out->n_rows, wanted.n);
    for (size_t i = 0; i < wanted.n; i++) {
        size_t at = COLUMNS;
        for (size_t k = 0; k < COLUMNS; k++) {
            bool lone = wanted.left[i] < 0 && is_key(c, k);
            check_cell(out, k, i, lone ? r : l, lone ? wanted.right[i] : wanted.left[i], k);
        }
        for (size_t k = 0; out->n_columns > COLUMNS && k < COLUMNS; k++)
            if (!is_key(c, k)) check_cell(out, at++, i, r, wanted.right[i], k);
    }
    cairn_table_free(out);
}

/* -- there and back -- */

static void check_unpivot(cairn_context *ctx, const plain *p)
{
    cairn_table *out = NULL;
    static const size_t transposed[] = {4, 0, 1};
    assert_ok(ctx, cairn_table_unpivot(ctx, &out, p->table, "x,a,r", "what", "much", false));
    assert_int_equal(out->n_rows, 3 * p->n);
    assert_int_equal(out->n_columns, 5);
    for (size_t i = 0; i < 3 * p->n; i++) {
        const char *name = p->table->slots[transposed[i % 3]].name;
        assert_true(same_cell(out, 0, i, p->table, 2, i / 3));
        assert_string_equal(cairn_table_level(out, 3, (size_t)cairn_table_codes(out, 3)[i]), name);
        assert_true(same_cell(out, 4, i, p->table, transposed[i % 3], i / 3));
    }
    cairn_table_free(out);
}

/* Sums of x, rows by `a` and columns by `l`, against sums over all rows. */
static void check_pivot(cairn_context *ctx, const plain *p)
{
    cairn_table *out = NULL;
    char name[64];
    assert_ok(ctx, cairn_table_pivot(ctx, &out, p->table, "l", NULL, "a", "sum(x)"));
    for (size_t i = 0; i < out->n_rows; i++)
        for (size_t k = 1; k < out->n_columns; k++) {
            double sum = 0;
            bool any = false;
            for (size_t row = 0; row < p->n; row++) {
                bool none = cell_missing(p->table, 2, row);
                cairn_table_cell(p->table, 2, row, name, sizeof name);
                if (strcmp(none ? "missing" : name, out->slots[k].name) != 0 ||
                    !same_cell(out, 0, i, p->table, 0, row))
                    continue;
                any = true;
                sum += isnan(p->x[row]) ? 0 : p->x[row];
            }
            assert_near(out->slots[k].column->numbers[i], any ? sum : NAN);
        }
    cairn_table_free(out);
}

static void test_reshape_random__agrees_with_plain_loops(void **state)
{
    cairn_context *ctx = *state;
    cairn_random random;
    cairn_random_start(&random, 7, 0);
    for (int i = 0; i < CASES; i++) {
        plain left = make(ctx, &random, false), right = make(ctx, &random, true);
        choice c = choose(&random, &left);
        check_sort(ctx, &left, &c);
        check_distinct(ctx, &left, &c);
        check_groups(ctx, &left, &c);
        check_unpivot(ctx, &left);
        check_pivot(ctx, &left);
        for (int kind = CAIRN_JOIN_INNER; kind <= CAIRN_JOIN_ANTI; kind++)
            check_join(ctx, &left, &right, &c, (cairn_join_kind)kind, i % 2);
        cairn_table_free(left.table);
        cairn_table_free(right.table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_reshape_random__agrees_with_plain_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
