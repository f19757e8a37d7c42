/* SPDX-License-Identifier: MIT */
/* Bayesian networks as classifiers: tables and answers by hand, missing cells summed out, graphs
 * that are typed and graphs that are learned, refusals. */
#include "support/fail_alloc.h"
#include "support/learn.h"
#include "base/random.h"
#include "data/table.h"
#include <stdio.h>

static cairn_table *read_csv(cairn_context *ctx, const char *text)
{
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    cairn_table *table;
    assert_ok(ctx, cairn_table_read_memory(ctx, &table, "t.csv", text, strlen(text), &options));
    return table;
}

/* Fit and describe; `arcs` may be NULL. */
static cairn_status fit(cairn_context *ctx, cairn_model **model, cairn_report **report,
                        cairn_table *table, const char *spec, const char *arcs)
{
    cairn_params *params = NULL;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_status status;
    *model = NULL;
    *report = NULL;
    TRY(cairn_table_set_role(ctx, table, "y", CAIRN_TARGET));
    TRY(cairn_params_new(ctx, &params, spec));
    if (arcs) TRY(cairn_params_set(ctx, params, "arcs", arcs));
    TRY(cairn_report_new(ctx, report));
    options.steps = *report;
    TRY(cairn_model_fit(ctx, model, params, table, &options));
    TRY(cairn_model_describe(ctx, *report, *model));
done:
    cairn_params_free(params);
    if (status) {
        cairn_model_free(*model);
        cairn_report_free(*report);
        *model = NULL;
        *report = NULL;
    }
    return status;
}

/* Probability of the first class for the first row of `text`. */
static double ask(cairn_context *ctx, const cairn_model *model, const char *text)
{
    cairn_table *table = read_csv(ctx, text), *answer;
    assert_ok(ctx, cairn_model_predict(ctx, &answer, model, table, true));
    double p = cairn_table_numbers(answer, 1)[0];
    cairn_table_free(answer);
    cairn_table_free(table);
    return p;
}

#define assert_close(a, b) assert_true(fabs((a) - (b)) < 1e-12)

static const char nine[] = "a,b,y\nu,p,n\nu,p,n\nu,q,n\nv,q,n\nu,q,s\nv,q,s\nv,p,s\nv,p,s\nu,p,s\n";

static void test_bayes_net__naive_is_the_product(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = read_csv(ctx, nine);
    cairn_model *model;
    cairn_report *report;
    assert_ok(ctx, fit(ctx, &model, &report, table, "bayes-net:structure=naive", NULL));
    double n = 5.0 / 11 * 4 / 6 * 3 / 6, s = 6.0 / 11 * 3 / 7 * 3 / 7;
    assert_close(ask(ctx, model, "a,b\nu,q\n"), n / (n + s));
    n = 5.0 / 11 * 3 / 6, s = 6.0 / 11 * 3 / 7;
    assert_close(ask(ctx, model, "a,b\n?,q\n"), n / (n + s));
    assert_close(ask(ctx, model, "a,b\n?,?\n"), 5.0 / 11);
    assert_value(report, "p.a.u.n", 4.0 / 6, 1e-15);
    assert_value(report, "parameters", 5, 0);
    cairn_report_free(report);
    cairn_model_free(model);
    cairn_table_free(table);
}

static void test_bayes_net__missing_cells_are_summed_out(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = read_csv(ctx, nine);
    cairn_model *model;
    cairn_report *report;
    assert_ok(ctx, fit(ctx, &model, &report, table, "bayes-net", "y -> a -> b, y -> b"));
    double n = 5.0 / 11 * (4.0 / 6 * 2 / 5 + 2.0 / 6 * 2 / 3);
    double s = 6.0 / 11 * (3.0 / 7 * 1 / 2 + 4.0 / 7 * 2 / 5);
    assert_close(ask(ctx, model, "a,b\n?,q\n"), n / (n + s));
    assert_close(ask(ctx, model, "a,b\nunseen,q\n"), n / (n + s));
    n = 5.0 / 11 * 4 / 6 * 2 / 5, s = 6.0 / 11 * 3 / 7 * 1 / 2;
    assert_close(ask(ctx, model, "a,b\nu,q\n"), n / (n + s));
    cairn_report_free(report);
    cairn_model_free(model);
    cairn_table_free(table);
}

static void test_bayes_net__given_tables_stay(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = read_csv(ctx, nine);
    cairn_model *model;
    cairn_report *report;
    assert_ok(ctx, fit(ctx, &model, &report, table, "bayes-net:smooth=none",
                       "a; b; P(y = n) = 0.9; P(a = u | y = n) = 0.2"));
    assert_value(report, "p.y.n", 0.9, 0);
    assert_value(report, "p.a.u.n", 0.2, 0);
    assert_value(report, "p.a.u.s", 2.0 / 5, 1e-15);
    assert_value(report, "p.b.p", 5.0 / 9, 1e-15);
    double n = 0.9 * 0.2, s = 0.1 * 2 / 5;
    assert_close(ask(ctx, model, "a,b\nu,q\n"), n / (n + s));
    cairn_report_free(report);
    cairn_model_free(model);
    cairn_table_free(table);
}

/* Rows in which b is y and a is b three times out of four. */
static cairn_table *chain(cairn_context *ctx, size_t times)
{
    char text[20000] = "a,b,y\n";
    for (int cell = 0; cell < 8; cell++) {
        int a = cell & 1, b = cell >> 1 & 1, y = cell >> 2;
        size_t n = times * (b == y ? 3 : 1) * (a == b ? 3 : 1);
        for (size_t i = 0; i < n; i++) {
            char row[] = {(char)('p' + a), ',', (char)('p' + b), ',', (char)('p' + y), '\n', 0};
            strcat(text, row);
        }
    }
    return read_csv(ctx, text);
}

static const double spread = 0.5623351446188083; /* -(3/4 ln 3/4 + 1/4 ln 1/4) */

static void test_bayes_net__tree_of_largest_information(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = chain(ctx, 1);
    cairn_model *model;
    cairn_report *report;
    assert_ok(ctx, fit(ctx, &model, &report, table, "bayes-net:structure=tree", NULL));
    assert_value(report, "information.b.y", log(2) - spread, 1e-12);
    assert_value(report, "information.a.b", log(2) - spread, 1e-12);
    assert_value(report, "information.a.y", log(2) + 0.625 * log(0.625) + 0.375 * log(0.375),
                 1e-12);
    assert_value(report, "tree.information", 2 * (log(2) - spread), 1e-12);
    assert_string_equal(cairn_report_string(report, "parents.b"), "y");
    assert_string_equal(cairn_report_string(report, "parents.a"), "b");
    cairn_report_free(report);
    cairn_model_free(model);
    cairn_table_free(table);
}

/* a and y are independent given b, so that a third arc would only cost. */
static void test_bayes_net__climbs_to_the_chain(void **state)
{
    cairn_context *ctx = *state;
    cairn_table *table = chain(ctx, 10);
    cairn_model *model;
    cairn_report *report;
    double likelihood = 320 * (-log(2) - 2 * spread);
    assert_ok(ctx, fit(ctx, &model, &report, table, "bayes-net:structure=climb,smooth=none", NULL));
    assert_value(report, "arcs", 2, 0);
    assert_value(report, "log_likelihood", likelihood, 1e-9);
    assert_value(report, "bic", -2 * likelihood + log(320) * 5, 1e-9);
    assert_value(report, "move2.score", likelihood - log(320) / 2 * 5, 1e-9);
    assert_value(report, "move1.gain", 320 * (log(2) - spread) - log(320) / 2, 1e-9);
    cairn_report_free(report);
    cairn_model_free(model);
    cairn_table_free(table);
}

/* -- random rows -- */

enum { ROWS = 400, COLUMNS = 5 };

static const size_t levels[COLUMNS] = {3, 20, 2, 4, 3};

/* Codes of columns a, b, c, d and y that depend on each other; -1 where a cell is missing. */
static void draw_rows(int codes[ROWS][COLUMNS], double missing)
{
    cairn_random random;
    cairn_random_start(&random, 7, 0);
    for (size_t i = 0; i < ROWS; i++)
        for (size_t v = 0; v < COLUMNS; v++) {
            bool copies = v && codes[i][v - 1] >= 0 && cairn_random_uniform(&random) < 0.4;
            codes[i][v] = copies ? codes[i][v - 1] % (int)levels[v]
                                 : (int)cairn_random_below(&random, levels[v]);
            if (v < COLUMNS - 1 && cairn_random_uniform(&random) < missing) codes[i][v] = -1;
        }
}

/* Those rows as a table; `more` is the end of the first line and that of the others. */
static cairn_table *make_table(cairn_context *ctx, int codes[ROWS][COLUMNS], const char *head,
                               const char *more)
{
    char text[ROWS * 32];
    size_t at = (size_t)sprintf(text, "a,b,c,d,y%s\n", head);
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t v = 0; v < COLUMNS; v++)
            at +=
                (size_t)(codes[i][v] < 0 ? sprintf(text + at, "%s?", v ? "," : "")
                                         : sprintf(text + at, "%sl%d", v ? "," : "", codes[i][v]));
        at += (size_t)sprintf(text + at, "%s\n", more);
    }
    return read_csv(ctx, text);
}

/* I(x; y | class), or without the condition, of the rows that have the cells. */
static double information(int codes[ROWS][COLUMNS], size_t x, size_t y, bool given)
{
    static double n[20][20][3], nx[20][3], ny[20][3];
    double all[3] = {0}, total = 0, sum = 0;
    memset(n, 0, sizeof n), memset(nx, 0, sizeof nx), memset(ny, 0, sizeof ny);
    for (size_t i = 0; i < ROWS; i++) {
        int a = codes[i][x], b = codes[i][y], c = given ? codes[i][COLUMNS - 1] : 0;
        if (a < 0 || b < 0) continue;
        n[a][b][c]++, nx[a][c]++, ny[b][c]++, all[c]++, total++;
    }
    for (size_t a = 0; a < levels[x]; a++)
        for (size_t b = 0; b < levels[y]; b++)
            for (size_t c = 0; c < 3; c++)
                if (n[a][b][c] > 0)
                    sum += n[a][b][c] / total * log(n[a][b][c] * all[c] / (nx[a][c] * ny[b][c]));
    return sum;
}

static void check_information(cairn_context *ctx, double missing, const char *head,
                              const char *more)
{
    static int codes[ROWS][COLUMNS];
    static const char *const names[COLUMNS] = {"a", "b", "c", "d", "y"};
    draw_rows(codes, missing);
    for (int given = 0; given < 2; given++) {
        cairn_table *table = make_table(ctx, codes, head, more);
        cairn_model *model;
        cairn_report *report;
        if (*head) assert_ok(ctx, cairn_table_set_role(ctx, table, "w", CAIRN_WEIGHT));
        assert_ok(ctx, fit(ctx, &model, &report, table,
                           given ? "bayes-net:structure=tan" : "bayes-net:structure=tree", NULL));
        for (size_t x = 0; x < COLUMNS; x++)
            for (size_t y = x + 1; y < COLUMNS - (size_t)given; y++) {
                char name[40];
                sprintf(name, "information.%s.%s", names[x], names[y]);
                assert_value(report, name, information(codes, x, y, given), 1e-12);
            }
        cairn_report_free(report);
        cairn_model_free(model);
        cairn_table_free(table);
    }
}

static void test_bayes_net__information_is_that_of_the_rows(void **state)
{
    check_information(*state, 0, "", "");
    check_information(*state, 0.1, "", "");
    check_information(*state, 0.1, ",w", ",2");
}

/* -- climbing -- */

/* BIC of a typed graph; false when it has a circle. */
static bool bic_of(cairn_context *ctx, double *out, cairn_table *table, bool arcs[COLUMNS][COLUMNS])
{
    static const char names[] = "abcdy";
    char text[200] = "a, b";
    cairn_model *model;
    cairn_report *report;
    for (size_t u = 0; u < COLUMNS; u++)
        for (size_t v = 0; v < COLUMNS; v++)
            if (arcs[u][v]) sprintf(text + strlen(text), ", %c -> %c", names[u], names[v]);
    if (fit(ctx, &model, &report, table, "bayes-net:smooth=none", text)) return false;
    assert_true(cairn_report_number(report, "bic", out));
    cairn_report_free(report);
    cairn_model_free(model);
    return true;
}

static void read_arcs(bool arcs[COLUMNS][COLUMNS], const cairn_report *report)
{
    static const char names[] = "abcdy";
    for (size_t v = 0; v < COLUMNS; v++) {
        char name[20];
        sprintf(name, "parents.%c", names[v]);
        const char *parents = cairn_report_string(report, name);
        for (size_t u = 0; u < COLUMNS; u++) arcs[u][v] = strchr(parents, names[u]) != NULL;
    }
}

/* No arc that is added, deleted or reversed makes BIC smaller than where climbing ended. */
static void test_bayes_net__no_move_gains_at_the_top(void **state)
{
    static int codes[ROWS][COLUMNS];
    cairn_context *ctx = *state;
    bool arcs[COLUMNS][COLUMNS];
    cairn_model *model;
    cairn_report *report;
    double top, there;
    size_t n_better = 0, n_tried = 0;
    draw_rows(codes, 0);
    cairn_table *table = make_table(ctx, codes, "", "");
    assert_ok(ctx, fit(ctx, &model, &report, table, "bayes-net:structure=climb,smooth=none", NULL));
    read_arcs(arcs, report);
    assert_true(cairn_report_number(report, "bic", &top));
    assert_true(bic_of(ctx, &there, table, arcs) && there == top);
    for (size_t u = 0; u < COLUMNS; u++)
        for (size_t v = 0; v < COLUMNS; v++)
            for (int back = 0; back < 2 && u != v; back++) {
                bool old[2] = {arcs[u][v], arcs[v][u]};
                if (back ? !old[0] : old[1]) continue;
                arcs[u][v] = !old[0];
                arcs[v][u] = back;
                bool legal = bic_of(ctx, &there, table, arcs);
                n_tried += legal;
                n_better += legal && there < top - 1e-6;
                arcs[u][v] = old[0];
                arcs[v][u] = old[1];
            }
    assert_true(n_tried >= COLUMNS * (COLUMNS - 1) / 2);
    assert_int_equal(n_better, 0);
    cairn_report_free(report);
    cairn_model_free(model);
    cairn_table_free(table);
}

/* Which cells of a column are missing says much about y, its one value nothing. */
static void test_bayes_net__missing_cells_make_no_arcs(void **state)
{
    char text[4000] = "a,b,y\n";
    cairn_context *ctx = *state;
    cairn_model *model;
    cairn_report *report;
    for (int i = 0; i < 200; i++)
        strcat(text, i % 2 ? (i % 20 == 1 ? "?,p,s\n" : "?,q,s\n") : "u,p,n\n");
    cairn_table *table = read_csv(ctx, text);
    assert_ok(ctx, fit(ctx, &model, &report, table, "bayes-net:structure=climb", NULL));
    assert_value(report, "arcs", 1, 0);
    assert_string_equal(cairn_report_string(report, "parents.a"), "");
    assert_string_equal(cairn_report_string(report, "parents.y"), "b");
    cairn_report_free(report);
    cairn_model_free(model);
    cairn_table_free(table);
}

/* -- the best of all graphs -- */

enum { FEW = 4, FEW_ROWS = 50 };
static const int few_levels[FEW] = {2, 3, 2, 2};

/* The term of a variable with these parents, from the rows. */
static double term_of(const int codes[FEW_ROWS][FEW], int v, const bool parents[FEW], bool bde,
                      double prior)
{
    double counts[24][3] = {{0}}, q = 1, k = few_levels[v], sum = 0;
    for (int u = 0; u < FEW; u++)
        if (parents[u]) q *= few_levels[u];
    for (int i = 0; i < FEW_ROWS; i++) {
        int at = 0;
        for (int u = 0; u < FEW; u++)
            if (parents[u]) at = at * few_levels[u] + codes[i][u];
        counts[at][codes[i][v]]++;
    }
    for (int at = 0; at < (int)q; at++) {
        double total = counts[at][0] + counts[at][1] + counts[at][2];
        if (bde) sum += lgamma(prior / q) - lgamma(prior / q + total);
        for (int l = 0; l < (int)k; l++)
            if (bde)
                sum += lgamma(prior / (q * k) + counts[at][l]) - lgamma(prior / (q * k));
            else if (counts[at][l] > 0)
                sum += counts[at][l] * log(counts[at][l] / total);
    }
    return bde ? sum : sum - log(FEW_ROWS) / 2 * q * (k - 1);
}

/* The largest score of all graphs over the variables: of each pair one arc, the other, or none. */
static double best_of_all(const int codes[FEW_ROWS][FEW], bool bde, double prior)
{
    double best = -INFINITY;
    for (int graph = 0; graph < 729; graph++) {
        bool parents[FEW][FEW] = {{false}}, gone[FEW] = {false};
        double sum = 0;
        int rest = graph, n_gone = 0, before = -1;
        for (int u = 0; u < FEW; u++)
            for (int v = u + 1; v < FEW; v++, rest /= 3) {
                parents[v][u] = rest % 3 == 1;
                parents[u][v] = rest % 3 == 2;
            }
        while (n_gone > before) { /* variables without parents that are left are taken out */
            before = n_gone;
            for (int v = 0; v < FEW; v++) {
                bool free = !gone[v];
                for (int u = 0; u < FEW; u++) free &= !parents[v][u] || gone[u];
                if (free) gone[v] = true, n_gone++;
            }
        }
        if (n_gone < FEW) continue;
        for (int v = 0; v < FEW; v++) sum += term_of(codes, v, parents[v], bde, prior);
        if (sum > best) best = sum;
    }
    return best;
}

/* Climbing from many starts finds the best of all 543 graphs, by both scores. */
static void test_bayes_net__starts_find_the_best_of_all_graphs(void **state)
{
    cairn_context *ctx = *state;
    int n_single = 0, n_tables = 0;
    for (uint64_t seed = 1; seed <= 12; seed++)
        for (int bde = 0; bde < 2; bde++) {
            static int codes[FEW_ROWS][FEW];
            char text[4000] = "a,b,c,y\n", spec[160];
            double best, found, single;
            cairn_random random;
            cairn_random_start(&random, seed, 5);
            for (int i = 0; i < FEW_ROWS; i++) {
                for (int v = 0; v < FEW; v++) {
                    int of = v ? codes[i][(size_t)cairn_random_below(&random, (uint64_t)v)] : 0;
                    codes[i][v] = v && cairn_random_uniform(&random) < 0.6
                                      ? of % few_levels[v]
                                      : (int)cairn_random_below(&random, (uint64_t)few_levels[v]);
                }
                sprintf(text + strlen(text), "v%d,v%d,v%d,v%d\n", codes[i][0], codes[i][1],
                        codes[i][2], codes[i][3]);
            }
            best = best_of_all(codes, bde, 2);
            for (int starts = 40; starts; starts = starts == 40) {
                cairn_table *table = read_csv(ctx, text);
                cairn_model *model;
                cairn_report *report;
                sprintf(spec, "bayes-net:structure=climb,smooth=none,score=%s,starts=%d%s",
                        bde ? "bde" : "bic", starts, bde ? ",prior-rows=2" : "");
                assert_ok(ctx, fit(ctx, &model, &report, table, spec, NULL));
                assert_true(cairn_report_number(report, "best_score", &found));
                if (starts == 1) single = found;
                if (starts == 40) assert_value(report, "best_score", best, 1e-8);
                cairn_report_free(report);
                cairn_model_free(model);
                cairn_table_free(table);
            }
            n_single += single > best - 1e-8;
            n_tables++;
        }
    assert_true(n_single > 0 && n_single < n_tables);
}

static void test_bayes_net__refusals(void **state)
{
    static const struct {
        const char *arcs, *message;
    } bad[] = {
        {"a -> b -> y -> a", "a -> b -> y -> a"},
        {"a -> a", "'a' has an arc to itself"},
        {"a -> yy", "is it 'y'"},
        {"P(a = u) = 0.7; P(a = v) = 0.4", "sum to 1.1 and not to 1"},
        {"P(a = u) = 1.5", "is no probability"},
        {"P(a) = 0.5", "neither true nor false"},
        {"a -> ", "a name is expected"},
        {"P(a = w) = 0.5", "there is no value 'w'"},
    };
    cairn_context *ctx = *state;
    cairn_table *table = read_csv(ctx, nine);
    cairn_model *model;
    cairn_report *report;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(ctx, fit(ctx, &model, &report, table, "bayes-net", bad[i].arcs),
                     CAIRN_BAD_DATA, bad[i].message);
    cairn_table_free(table);
}

/* -- no target -- */

static const char weather[] = "outlook,temperature,humidity,wind,play\n"
                              "sunny,hot,high,weak,no\nsunny,hot,high,strong,no\n"
                              "overcast,hot,high,weak,yes\nrain,mild,high,weak,yes\n"
                              "rain,cool,normal,weak,yes\nrain,cool,normal,strong,no\n"
                              "overcast,cool,normal,strong,yes\nsunny,mild,high,weak,no\n"
                              "sunny,cool,normal,weak,yes\nrain,mild,normal,weak,yes\n"
                              "sunny,mild,normal,strong,yes\novercast,mild,high,strong,yes\n"
                              "overcast,hot,normal,weak,yes\nrain,mild,high,strong,no\n";

static cairn_status fit_alone(cairn_context *ctx, cairn_model **model, const cairn_table *table,
                              const char *spec)
{
    cairn_params *params = NULL;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    cairn_status status = cairn_params_new(ctx, &params, spec);
    *model = NULL;
    if (!status) status = cairn_model_fit(ctx, model, params, table, &options);
    cairn_params_free(params);
    return status;
}

/* The outputs of a row beside its cluster. */
static void check_row(cairn_context *ctx, const cairn_model *model, const char *cells,
                      double log_density, const char *completion)
{
    char text[200];
    sprintf(text, "outlook,temperature,humidity,wind,play\n%s\n", cells);
    OWNED(cairn_table_free) cairn_table *table = read_csv(ctx, text);
    OWNED(cairn_table_free) cairn_table *answer = NULL;
    assert_ok(ctx, cairn_model_predict(ctx, &answer, model, table, true));
    const cairn_column *texts = answer->slots[3].column;
    assert_int_equal(answer->slots[0].column->codes[0], 0);
    assert_true(cairn_table_numbers(answer, 1)[0] == 1);
    assert_true(fabs(cairn_table_numbers(answer, 2)[0] - log_density) < 1e-12);
    assert_int_equal(texts->starts[1], strlen(completion));
    assert_memory_equal(texts->bytes, completion, strlen(completion));
}

/* Numbers by an enumeration of all combinations. */
static void test_bayes_net__without_a_target_rows_get_their_probability(void **state)
{
    cairn_context *ctx = *state;
    OWNED(cairn_table_free) cairn_table *table = read_csv(ctx, weather);
    cairn_model *model;
    assert_ok(ctx, fit_alone(ctx, &model, table, "bayes-net:structure=tree"));
    check_row(ctx, model, "sunny,hot,high,weak,no", -3.834661884270678, "");
    check_row(ctx, model, "sunny,?,high,?,no", -2.243444517950106,
              "temperature = hot, wind = strong");
    check_row(ctx, model, "?,?,?,?,?", 0,
              "outlook = overcast, temperature = hot, humidity = high, wind = weak, play = yes");
    cairn_model_free(model);
    assert_ok(ctx, fit_alone(ctx, &model, table, "bayes-net:root=wind"));
    check_row(ctx, model, "sunny,?,high,?,no", -2.283561465935203,
              "temperature = hot, wind = strong");
    check_row(ctx, model, "rain,cool,normal,weak,?", -2.800313270254636, "play = yes");
    cairn_model_free(model);
}

/* 1,500 columns of two values without arcs: 2^-1499, which no double holds. */
static void test_bayes_net__probabilities_below_all_numbers_have_logarithms(void **state)
{
    enum { WIDE = 1500 };
    static char text[WIDE * 20];
    cairn_context *ctx = *state;
    cairn_model *model;
    char *at = text;
    for (int j = 0; j < WIDE; j++) at += sprintf(at, "%sc%d", j ? "," : "", j);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < WIDE; j++)
            at += sprintf(at, "%s%s", j ? "," : "\n", i == 2 && j == 7 ? "?" : i ? "q" : "p");
    OWNED(cairn_table_free) cairn_table *table = read_csv(ctx, text);
    assert_ok(ctx, fit_alone(ctx, &model, table, "bayes-net:structure=none,smooth=m:1e9"));
    OWNED(cairn_table_free) cairn_table *answer = NULL;
    assert_ok(ctx, cairn_model_predict(ctx, &answer, model, table, false));
    const double *logs = cairn_table_numbers(answer, 1);
    assert_true(fabs(logs[0] - WIDE * log(0.5)) < 1e-3);
    assert_true(fabs(logs[2] - (WIDE - 1) * log(0.5)) < 1e-3);
    cairn_model_free(model);
}

static void test_bayes_net__refusals_without_a_target(void **state)
{
    static const struct {
        const char *spec, *message;
    } bad[] = {
        {"bayes-net:structure=tan", "there is none; say"},
        {"bayes-net:structure=naive", "there is none; say"},
        {"bayes-net:root=wynd", "did you mean 'wind'?"},
        {"bayes-net:root=temperament", "has no column 'temperament'"},
    };
    cairn_context *ctx = *state;
    OWNED(cairn_table_free) cairn_table *table = read_csv(ctx, weather);
    cairn_model *model;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(ctx, fit_alone(ctx, &model, table, bad[i].spec), CAIRN_USAGE, bad[i].message);
    assert_ok(ctx, cairn_table_set_role(ctx, table, "play", CAIRN_TARGET));
    assert_fails(ctx, fit_alone(ctx, &model, table, "bayes-net:root=play"), CAIRN_USAGE,
                 "'play' is the target");
}

static cairn_status whole_way_alone(cairn_context *ctx, void *data)
{
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    const char *text = "a,b,y\nu,p,n\nu,q,n\nv,p,s\nv,?,s\n?,?,n\n";
    cairn_table *table = NULL, *answer = NULL;
    cairn_model *model = NULL;
    cairn_status status;
    TRY(cairn_table_read_memory(ctx, &table, "t.csv", text, strlen(text), &options));
    TRY(fit_alone(ctx, &model, table, data));
    TRY(cairn_model_predict(ctx, &answer, model, table, true));
done:
    cairn_table_free(answer);
    cairn_model_free(model);
    cairn_table_free(table);
    return status;
}

static cairn_status whole_way(cairn_context *ctx, void *data)
{
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    cairn_table *table = NULL, *answer = NULL;
    cairn_model *model = NULL;
    cairn_report *report = NULL;
    cairn_status status;
    TRY(cairn_table_read_memory(ctx, &table, "t.csv", nine, strlen(nine), &options));
    TRY(fit(ctx, &model, &report, table, data, NULL));
    TRY(cairn_model_predict(ctx, &answer, model, table, true));
done:
    cairn_model_free(model);
    cairn_report_free(report);
    cairn_table_free(answer);
    cairn_table_free(table);
    return status;
}

static void test_bayes_net__survives_failing_allocations(void **state)
{
    static char tan[] = "bayes-net", climb[] = "bayes-net:structure=climb";
    (void)state;
    assert_survives_allocation_failures(whole_way, tan);
    assert_survives_allocation_failures(whole_way, climb);
    assert_survives_allocation_failures(whole_way_alone, tan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_bayes_net__naive_is_the_product),
        context_test(test_bayes_net__missing_cells_are_summed_out),
        context_test(test_bayes_net__given_tables_stay),
        context_test(test_bayes_net__tree_of_largest_information),
        context_test(test_bayes_net__climbs_to_the_chain),
        context_test(test_bayes_net__information_is_that_of_the_rows),
        context_test(test_bayes_net__no_move_gains_at_the_top),
        context_test(test_bayes_net__missing_cells_make_no_arcs),
        context_test(test_bayes_net__starts_find_the_best_of_all_graphs),
        context_test(test_bayes_net__refusals),
        context_test(test_bayes_net__without_a_target_rows_get_their_probability),
        context_test(test_bayes_net__probabilities_below_all_numbers_have_logarithms),
        context_test(test_bayes_net__refusals_without_a_target),
        context_test(test_bayes_net__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
