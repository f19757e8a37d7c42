/* SPDX-License-Identifier: MIT */
/* What models tell of themselves is what they answer by: coefficients are multiplied out, trees are
 * walked, distances from centres are measured, all from the tables alone. */
#include "support/learn.h"

/* The built-in data with its target, a model of it, and what the model answers. */
typedef struct scene {
    cairn_table *data, *answers;
    cairn_model *model;
} scene;

static scene fit_scene(cairn_context *ctx, const char *data, const char *target, const char *spec,
                       const char *const *with)
{
    scene s = {0};
    cairn_params *params;
    cairn_fit_options options = CAIRN_FIT_OPTIONS_INIT;
    options.with = with;
    assert_ok(ctx, cairn_table_read(ctx, &s.data, data, NULL));
    for (size_t j = 0; j < cairn_table_columns(s.data); j++)
        if (cairn_table_role(s.data, j) == CAIRN_TARGET)
            assert_ok(
                ctx, cairn_table_set_role(ctx, s.data, cairn_table_name(s.data, j), CAIRN_IGNORED));
    if (target) assert_ok(ctx, cairn_table_set_role(ctx, s.data, target, CAIRN_TARGET));
    assert_ok(ctx, cairn_params_new(ctx, &params, spec));
    assert_ok(ctx, cairn_model_fit(ctx, &s.model, params, s.data, &options));
    assert_ok(ctx, cairn_model_predict(ctx, &s.answers, s.model, s.data, true));
    cairn_params_free(params);
    return s;
}

static void free_scene(scene *s)
{
    cairn_table_free(s->data);
    cairn_table_free(s->answers);
    cairn_model_free(s->model);
}

static cairn_table *table_of_model(cairn_context *ctx, const scene *s, const char *name)
{
    cairn_table *table;
    assert_ok(ctx, cairn_model_table(ctx, &table, s->model, name));
    return table;
}

static size_t column(const cairn_table *table, const char *name)
{
    ptrdiff_t i = cairn_table_find(table, name);
    if (i < 0) fail_msg("there is no column %s", name);
    return (size_t)i;
}

static double number(const cairn_table *table, const char *name, size_t row)
{
    return cairn_table_numbers(table, column(table, name))[row];
}

static const char *word(const cairn_table *table, const char *name, size_t row, char out[128])
{
    cairn_table_cell(table, column(table, name), row, out, 128);
    return out;
}

/* The score of a class (NULL = of a number) for a row of the raw data, by `raw`. */
static double multiply_out(const cairn_table *coefficients, const cairn_table *data, size_t row,
                           const char *class)
{
    double sum = 0;
    char term[128], of[128];
    for (size_t i = 0; i < cairn_table_rows(coefficients); i++) {
        word(coefficients, "term", i, term);
        if (class && strcmp(word(coefficients, "class", i, of), class) != 0) continue;
        double x = strcmp(term, "(intercept)") == 0 ? 1 : number(data, term, row);
        sum += number(coefficients, "raw", i) * x;
    }
    return sum;
}

static void test_learned_values__coefficients_give_the_numbers(void **state)
{
    cairn_context *ctx = *state;
    const char *const with[] = {"scale:target=yes", NULL};
    static const char *const specs[] = {"linear", "ridge:lambda=3", "lasso:lambda=0.5", "huber"};
    for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
        scene s = fit_scene(ctx, "@iris", "petal_width", specs[k], with);
        cairn_table *c = table_of_model(ctx, &s, "coefficients");
        for (size_t i = 0; i < cairn_table_rows(s.data); i++)
            assert_float_equal(multiply_out(c, s.data, i, NULL),
                               cairn_table_numbers(s.answers, 0)[i], 1e-9);
        cairn_table_free(c);
        free_scene(&s);
    }
}

static void test_learned_values__coefficients_give_the_classes(void **state)
{
    cairn_context *ctx = *state;
    const char *const with[] = {"standardise", NULL};
    scene s = fit_scene(ctx, "@iris", "species", "logistic", with);
    cairn_table *c = table_of_model(ctx, &s, "coefficients");
    for (size_t i = 0; i < cairn_table_rows(s.data); i++) {
        size_t best = 0;
        double most = -INFINITY;
        for (size_t l = 0; l < cairn_model_class_count(s.model); l++) {
            double score = multiply_out(c, s.data, i, cairn_model_class(s.model, l));
            if (score > most) most = score, best = l;
        }
        char answer[128];
        cairn_table_cell(s.answers, 0, i, answer, sizeof answer);
        assert_string_equal(answer, cairn_model_class(s.model, best));
    }
    cairn_table_free(c);
    free_scene(&s);
}

/* Standard errors of least squares by hand: one feature, s²/Sxx. */
static void test_learned_values__errors_are_those_of_least_squares(void **state)
{
    cairn_context *ctx = *state;
    const double rows[] = {1, 2, 2, 3, 3, 5, 4, 4, 5, 6};
    cairn_table *table, *c;
    cairn_model *model;
    cairn_report *report;
    assert_ok(ctx, table_of(ctx, &table, "x y", rows, 5, 2));
    assert_ok(ctx, learn(ctx, &model, &report, table, "linear", "y", NULL));
    assert_ok(ctx, cairn_model_table(ctx, &c, model, "coefficients"));
    /* slope 0.9, constant 1.3, SSE 1.9, s² = 1.9/3, Sxx = 10 */
    assert_float_equal(number(c, "coefficient", 0), 0.9, 1e-12);
    assert_float_equal(number(c, "error", 0), sqrt(1.9 / 3 / 10), 1e-12);
    assert_float_equal(number(c, "t", 0), 0.9 / sqrt(1.9 / 3 / 10), 1e-10);
    assert_float_equal(number(c, "coefficient", 1), 1.3, 1e-12);
    assert_float_equal(number(c, "error", 1), sqrt(1.9 / 3 * (0.2 + 9.0 / 10)), 1e-12);
    cairn_table_free(c);
    cairn_table_free(table);
    cairn_report_free(report);
    cairn_model_free(model);
}

/* -- trees -- */

/* Whether a row meets the condition that leads to node i; lists of levels hold no quotes here. */
static bool meets(const cairn_table *nodes, size_t i, size_t parent, const cairn_table *data,
                  size_t row)
{
    char sign[128], levels[130] = ",", name[128], cell[130] = ",";
    word(nodes, "sign", i, sign);
    word(nodes, "column", parent, name);
    if (sign[0] == '<' || sign[0] == '>') {
        double x = number(data, name, row), t = number(nodes, "threshold", parent);
        if (!strcmp(sign, "<=")) return x <= t;
        if (!strcmp(sign, "<")) return x < t;
        return !strcmp(sign, ">") ? x > t : x >= t;
    }
    word(nodes, "levels", i, levels + 1);
    word(data, name, row, cell + 1);
    strcat(levels, ",");
    strcat(cell, ",");
    bool among = strstr(levels, cell);
    return strcmp(sign, "!=") == 0 ? !among : among;
}

/* The row of the table that is the leaf of one tree. */
static size_t walk(const cairn_table *nodes, double tree, const cairn_table *data, size_t row)
{
    size_t n = cairn_table_rows(nodes), at = n;
    for (size_t i = 0; i < n; i++)
        if (number(nodes, "tree", i) == tree && isnan(number(nodes, "parent", i))) at = i;
    assert_true(at < n);
    for (size_t next = at;; at = next) {
        for (size_t i = 0; i < n && next == at; i++)
            if (number(nodes, "tree", i) == tree &&
                number(nodes, "parent", i) == number(nodes, "node", at) &&
                meets(nodes, i, at, data, row))
                next = i;
        if (next == at) return at;
    }
}

static void check_tree(cairn_context *ctx, const char *data, const char *target, const char *spec)
{
    scene s = fit_scene(ctx, data, target, spec, NULL);
    cairn_table *nodes = table_of_model(ctx, &s, "nodes");
    char answer[128], wanted[128];
    for (size_t i = 0; i < cairn_table_rows(s.data); i++) {
        size_t leaf = walk(nodes, 1, s.data, i);
        assert_int_equal(cairn_table_codes(nodes, column(nodes, "column"))[leaf], -1);
        if (cairn_table_kind(s.answers, 0) == CAIRN_NUMBER) {
            assert_float_equal(number(nodes, "value", leaf), cairn_table_numbers(s.answers, 0)[i],
                               1e-12);
            continue;
        }
        cairn_table_cell(s.answers, 0, i, wanted, sizeof wanted);
        assert_string_equal(word(nodes, "answer", leaf, answer), wanted);
    }
    cairn_table_free(nodes);
    free_scene(&s);
}

static void test_learned_values__nodes_lead_to_the_answers(void **state)
{
    cairn_context *ctx = *state;
    check_tree(ctx, "@iris", "species", "tree");
    check_tree(ctx, "@weather", "play", "tree");
    check_tree(ctx, "@weather", "play", "tree:split=subset");
    check_tree(ctx, "@iris", "petal_width", "tree:max-depth=3");
}

/* The shares of the leaves of all trees, averaged, are those of the forest. */
static void test_learned_values__nodes_of_forests_give_the_shares(void **state)
{
    cairn_context *ctx = *state;
    scene s = fit_scene(ctx, "@iris", "species", "forest:trees=7,combine=shares", NULL);
    cairn_table *nodes = table_of_model(ctx, &s, "nodes");
    for (size_t i = 0; i < cairn_table_rows(s.data); i += 7)
        for (size_t l = 0; l < 3; l++) {
            char share[128];
            double sum = 0;
            snprintf(share, sizeof share, "share(%s)", cairn_model_class(s.model, l));
            for (int t = 1; t <= 7; t++) sum += number(nodes, share, walk(nodes, t, s.data, i));
            assert_float_equal(sum / 7, cairn_table_numbers(s.answers, 1 + l)[i], 1e-12);
        }
    cairn_table_free(nodes);
    free_scene(&s);
}

static void test_learned_values__nodes_of_boosts_add_up(void **state)
{
    cairn_context *ctx = *state;
    scene s = fit_scene(ctx, "@iris", "petal_width", "boost:rounds=5", NULL);
    cairn_table *nodes = table_of_model(ctx, &s, "nodes");
    cairn_table *start = table_of_model(ctx, &s, "start");
    for (size_t i = 0; i < cairn_table_rows(s.data); i += 5) {
        double sum = number(start, "start", 0);
        for (int t = 1; t <= 5; t++) sum += number(nodes, "value", walk(nodes, t, s.data, i));
        assert_float_equal(sum, cairn_table_numbers(s.answers, 0)[i], 1e-9);
    }
    cairn_table_free(nodes);
    cairn_table_free(start);
    free_scene(&s);
}

/* -- centres -- */

/* Squared distance of a row of numbers from a row of centres, by the names of the columns. */
static double away(const cairn_table *rows, size_t i, const cairn_table *centres, size_t c)
{
    static const char *const names[] = {"sepal_length", "sepal_width", "petal_length",
                                        "petal_width"};
    double sum = 0;
    for (size_t j = 0; j < 4; j++) {
        double d = number(rows, names[j], i) - number(centres, names[j], c);
        sum += d * d;
    }
    return sum;
}

static void test_learned_values__centres_give_the_clusters(void **state)
{
    cairn_context *ctx = *state;
    const char *const with[] = {"standardise", NULL};
    scene s = fit_scene(ctx, "@iris", NULL, "kmeans:clusters=3", with);
    cairn_table *centres = table_of_model(ctx, &s, "centres-as-fitted");
    cairn_table *in_units = table_of_model(ctx, &s, "centres"), *scaled;
    assert_ok(ctx, cairn_recipe_apply(ctx, &scaled, s.model, s.data));
    double sums[3] = {0}, counts[3] = {0};
    for (size_t i = 0; i < cairn_table_rows(scaled); i++) {
        size_t best = 0;
        char cluster[128], wanted[128];
        for (size_t c = 1; c < 3; c++)
            if (away(scaled, i, centres, c) < away(scaled, i, centres, best)) best = c;
        cairn_table_cell(s.answers, 0, i, cluster, sizeof cluster);
        snprintf(wanted, sizeof wanted, "%zu", best + 1);
        assert_string_equal(cluster, wanted);
        sums[best] += number(s.data, "petal_length", i);
        counts[best]++;
    }
    for (size_t c = 0; c < 3; c++) { /* centres in units are means of the raw column */
        assert_float_equal(number(in_units, "petal_length", c), sums[c] / counts[c], 1e-6);
        assert_float_equal(number(in_units, "rows", c), counts[c], 0);
    }
    cairn_table_free(scaled);
    cairn_table_free(centres);
    cairn_table_free(in_units);
    free_scene(&s);
}

/* Rules fire by their conditions: a list answers by the first. */
static void test_learned_values__conditions_give_the_rule(void **state)
{
    cairn_context *ctx = *state;
    scene s = fit_scene(ctx, "@iris", "species", "rule-list", NULL);
    cairn_table *rules = table_of_model(ctx, &s, "rules");
    cairn_table *conditions = table_of_model(ctx, &s, "conditions");
    char name[128], sign[128], answer[128], wanted[128];
    for (size_t i = 0; i < cairn_table_rows(s.data); i++) {
        size_t fired = cairn_table_rows(rules);
        for (size_t r = 0; r < cairn_table_rows(rules) && fired == cairn_table_rows(rules); r++) {
            bool holds = true;
            for (size_t k = 0; k < cairn_table_rows(conditions); k++) {
                if (number(conditions, "rule", k) != number(rules, "rule", r)) continue;
                double x = number(s.data, word(conditions, "column", k, name), i);
                double with = number(conditions, "number", k);
                word(conditions, "sign", k, sign);
                holds &= !strcmp(sign, "<")    ? x < with
                         : !strcmp(sign, "<=") ? x <= with
                         : !strcmp(sign, ">")  ? x > with
                                               : x >= with;
            }
            if (holds) fired = r;
        }
        assert_true(fired < cairn_table_rows(rules));
        cairn_table_cell(s.answers, 0, i, wanted, sizeof wanted);
        assert_string_equal(word(rules, "then", fired, answer), wanted);
    }
    cairn_table_free(rules);
    cairn_table_free(conditions);
    free_scene(&s);
}

static void test_learned_values__members_stand_behind_their_number(void **state)
{
    cairn_context *ctx = *state;
    scene s = fit_scene(ctx, "@iris", "species", "bagging:learner=tree,members=3", NULL);
    cairn_table *nodes = table_of_model(ctx, &s, "members.nodes");
    cairn_table *members = table_of_model(ctx, &s, "members");
    assert_int_equal(cairn_table_rows(members), 3);
    assert_string_equal(cairn_table_name(nodes, 0), "member");
    assert_int_equal(cairn_table_level_count(nodes, 0), 3);
    assert_string_equal(cairn_table_level(nodes, 0, 2), "3");
    cairn_table_free(nodes);
    cairn_table_free(members);
    free_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_learned_values__coefficients_give_the_numbers),
        context_test(test_learned_values__coefficients_give_the_classes),
        context_test(test_learned_values__errors_are_those_of_least_squares),
        context_test(test_learned_values__nodes_lead_to_the_answers),
        context_test(test_learned_values__nodes_of_forests_give_the_shares),
        context_test(test_learned_values__nodes_of_boosts_add_up),
        context_test(test_learned_values__centres_give_the_clusters),
        context_test(test_learned_values__conditions_give_the_rule),
        context_test(test_learned_values__members_stand_behind_their_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
