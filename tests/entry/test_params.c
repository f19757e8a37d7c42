/* SPDX-License-Identifier: MIT */
/* Parameter tables: defaults, parsing, ranges, specs, lists. */
#include "support/fail_alloc.h"
#include "base/memory.h"
#include "entry/entry.h"
#include "entry/range.h"
#include "wrappers/nested.h"
#include <math.h>

typedef struct inner_params {
    double gamma;
} inner_params;

typedef struct sample_params {
    int clusters;
    bool fast;
    double tolerance;
    int64_t big;
    int how;
    const char *name;
    const char *parts;
    inner_params kernel;
} sample_params;

static const cairn_choice hows[] = {{"slow", 7, "carefully"}, {"quick", 9, "boldly"}, {0}};
static const cairn_param inner_table[] = {
    CAIRN_PARAM(inner_params, gamma, "1", "(0,inf)", "width"),
    CAIRN_PARAM_END,
};
static const cairn_param sample_table[] = {
    CAIRN_PARAM(sample_params, clusters, NULL, "[1,inf)", "how many"),
    CAIRN_PARAM(sample_params, fast, "no", NULL, "hurry"),
    CAIRN_PARAM(sample_params, tolerance, "1e-4", "[0,1)", "when to stop", .when = "!fast"),
    CAIRN_PARAM(sample_params, big, "5", NULL, "a large number"),
    CAIRN_PARAM_CHOICE(sample_params, how, "slow", hows, "manner"),
    CAIRN_PARAM(sample_params, name, NULL, NULL, "some text"),
    {.name = "parts",
     .type = CAIRN_TYPE_TEXT,
     .offset = offsetof(sample_params, parts),
     .repeated = true,
     .help = "given several times"},
    CAIRN_PARAM_GROUP(sample_params, kernel, inner_table, .when = "how=quick or name=a*"),
    CAIRN_PARAM_END,
};
static const cairn_entry sample = {.kind = CAIRN_ENTRY_LEARNER,
                                   .name = "sample",
                                   .params = sample_table,
                                   .params_size = sizeof(sample_params)};

static void test_params__defaults_are_parsed(void **state)
{
    cairn_params *p;
    assert_ok(*state, cairn_params_for(*state, &p, &sample));
    const sample_params *v = p->values;
    assert_false(v->fast);
    assert_true(v->tolerance == 1e-4);
    assert_int_equal(v->how, 7);
    assert_int_equal(v->big, 5);
    assert_null(v->name);
    assert_true(v->kernel.gamma == 1);
    assert_fails(*state, cairn_params_check(*state, p), CAIRN_USAGE, "'clusters'");
    cairn_params_free(p);
}

static void test_params__values_are_set_by_name(void **state)
{
    cairn_params *p;
    assert_ok(*state, cairn_params_for(*state, &p, &sample));
    const sample_params *v = p->values;
    assert_ok(*state, cairn_params_set(*state, p, "clusters", "3"));
    assert_ok(*state, cairn_params_set(*state, p, "how", "quick"));
    assert_ok(*state, cairn_params_set(*state, p, "gamma", "0.5"));
    assert_ok(*state, cairn_params_set(*state, p, "big", "900000000000000001"));
    assert_ok(*state, cairn_params_set(*state, p, "parts", "a"));
    assert_ok(*state, cairn_params_set(*state, p, "parts", "b"));
    assert_int_equal(v->clusters, 3);
    assert_int_equal(v->how, 9);
    assert_true(v->kernel.gamma == 0.5);
    assert_true(v->big == INT64_C(900000000000000001));
    assert_string_equal(v->parts, "a\nb");
    assert_ok(*state, cairn_params_check(*state, p));
    cairn_params_free(p);
}

/* What was set and does nothing is refused, as the settings name their parameters. */
static void test_params__idle_ones_are_refused(void **state)
{
    cairn_params *p;
    assert_ok(*state, cairn_params_for(*state, &p, &sample));
    assert_ok(*state, cairn_params_set(*state, p, "clusters", "3"));
    assert_true(cairn_params_idle(p, "gamma"));
    assert_ok(*state, cairn_params_check(*state, p)); /* a default is never in the way */
    assert_ok(*state, cairn_params_set(*state, p, "gamma", "1"));
    assert_fails(*state, cairn_params_check(*state, p), CAIRN_USAGE,
                 "'gamma' counts only with how=quick or name=aX; here how is slow");
    p->said = CAIRN_SAID_KEY;
    assert_fails(*state, cairn_params_check(*state, p), CAIRN_USAGE, "sample: gamma counts only");
    p->said = CAIRN_SAID_OPTION;
    assert_fails(*state, cairn_params_check(*state, p), CAIRN_USAGE,
                 "--gamma counts only with --how quick or --name aX; here --how is slow");
    assert_ok(*state, cairn_params_set(*state, p, "name", "abc"));
    assert_ok(*state, cairn_params_check(*state, p));
    assert_ok(*state, cairn_params_set(*state, p, "tolerance", "0.5"));
    assert_ok(*state, cairn_params_set(*state, p, "fast", "yes"));
    assert_fails(*state, cairn_params_check(*state, p), CAIRN_USAGE,
                 "--tolerance counts only without --fast; here --fast is yes");
    assert_ok(*state, cairn_params_drop_idle(*state, p));
    assert_false(cairn_params_is_set(p, "tolerance"));
    assert_true(((const sample_params *)p->values)->tolerance == 1e-4);
    assert_true(cairn_params_is_set(p, "gamma"));
    assert_ok(*state, cairn_params_check(*state, p));
    cairn_params_free(p);
}

static void test_params__bad_values_are_refused(void **state)
{
    static const struct {
        const char *name, *value, *part;
    } bad[] = {
        {"clusters", "0", "[1,inf)"},        {"clusters", "2.5", "whole number"},
        {"clusters", "abc", "whole number"}, {"clusters", "1e99", "ten digits"},
        {"clusters", "nan", "whole number"}, {"tolerance", "1", "[0,1)"},
        {"tolerance", "", "number"},         {"fast", "maybe", "yes or no"},
        {"how", "fast", "slow or quick"},    {"gamma", "0", "(0,inf)"},
        {"clusers", "3", "'clusters'"},      {"zzzz", "3", "cairn help sample"},
        {"big", "1e18x", "whole number"},    {"big", "99999999999999999999", "18 digits"},
    };
    cairn_params *p;
    assert_ok(*state, cairn_params_for(*state, &p, &sample));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(*state, cairn_params_set(*state, p, bad[i].name, bad[i].value), CAIRN_USAGE,
                     bad[i].part);
    assert_true(((const sample_params *)p->values)->tolerance == 1e-4);
    cairn_params_free(p);
}

static void test_params__every_range_refuses_a_value(void **state)
{
    cairn_params *p;
    const cairn_param *row;
    char bad[64];
    size_t n = 0;
    assert_ok(*state, cairn_params_for(*state, &p, &sample));
    for (size_t i = 0; (row = cairn_params_row(&sample, i, NULL)); i++) {
        if (!cairn_range_bad_value(row->range, bad, sizeof bad)) continue;
        n++;
        assert_fails(*state, cairn_params_set(*state, p, row->name, bad), CAIRN_USAGE, row->range);
    }
    assert_int_equal(n, 3);
    cairn_params_free(p);
}

static void test_params__spec_goes_round(void **state)
{
    cairn_params *p;
    char *spec;
    assert_ok(*state, cairn_params_for(*state, &p, &sample));
    assert_ok(*state, cairn_params_set(*state, p, "clusters", "3"));
    assert_ok(*state, cairn_params_set(*state, p, "name", "a,b"));
    assert_ok(*state, cairn_params_set(*state, p, "fast", "no"));
    assert_ok(*state, cairn_params_spec(*state, p, &spec));
    assert_string_equal(spec, "sample:clusters=3,name=\"a,b\"");
    cairn_free(spec);
    assert_ok(*state, cairn_params_set(*state, p, "name", "a\",b"));
    assert_ok(*state, cairn_params_spec(*state, p, &spec));
    assert_string_equal(spec, "sample:clusters=3,name=\"a\"\",b\"");
    cairn_free(spec);
    cairn_params_free(p);
}

static void test_params__registered_specs(void **state)
{
    cairn_params *p;
    assert_ok(*state, cairn_params_from_spec(*state, &p, CAIRN_ENTRY_RESAMPLING, "cv:5,repeats=2"));
    assert_string_equal(cairn_params_text(p, "folds"), "5");
    assert_string_equal(cairn_params_text(p, "repeats"), "2");
    assert_string_equal(cairn_params_text(p, "shuffle"), "yes");
    assert_false(cairn_params_is_set(p, "shuffle"));
    cairn_params_free(p);
    assert_fails(*state, cairn_params_from_spec(*state, &p, CAIRN_ENTRY_RESAMPLING, "holdut:0.3"),
                 CAIRN_USAGE, "holdout");
    assert_fails(*state, cairn_params_from_spec(*state, &p, CAIRN_ENTRY_RESAMPLING, "cv:1"),
                 CAIRN_USAGE, "[2,inf)");
    assert_fails(*state, cairn_params_from_spec(*state, &p, CAIRN_ENTRY_RESAMPLING, "cv:5,7"),
                 CAIRN_USAGE, "name=value");
}

static void test_list__splits(void **state)
{
    char **items;
    size_t n;
    assert_ok(*state, cairn_list_split(*state, "a, \"b,c\" ,d(1,2),", &items, &n));
    assert_int_equal(n, 4);
    assert_string_equal(items[0], "a");
    assert_string_equal(items[1], "b,c");
    assert_string_equal(items[2], "d(1,2)");
    assert_string_equal(items[3], "");
    assert_ok(*state, cairn_list_split(*state, "", &items, &n));
    assert_int_equal(n, 0);
    double *numbers;
    assert_ok(*state, cairn_list_numbers(*state, "--at", "1,2.5,-3e2", &numbers, &n));
    assert_int_equal(n, 3);
    assert_true(numbers[2] == -300);
    assert_fails(*state, cairn_list_numbers(*state, "--at", "1,x", &numbers, &n), CAIRN_USAGE,
                 "item 2, 'x'");
}

typedef struct list_params {
    cairn_list at, layers, prior, words, theta, counts;
    double share;
} list_params;

static const cairn_param list_table[] = {
    CAIRN_PARAM_CELLS(list_params, at, NUMBERS, "1,2", "[0,10)", "places"),
    CAIRN_PARAM_CELLS(list_params, layers, WHOLE, NULL, "[1,inf)", "sizes"),
    CAIRN_PARAM_CELLS(list_params, prior, PROBABILITIES, NULL, NULL, "chances"),
    CAIRN_PARAM_CELLS(list_params, words, NAMES, NULL, NULL, "names"),
    CAIRN_PARAM_CELLS(list_params, theta, MATRIX, NULL, NULL, "rows", .repeated = true),
    CAIRN_PARAM_CELLS(list_params, counts, COUNTS, NULL, NULL, "a table"),
    CAIRN_PARAM(list_params, share, "0", "[0,1]", "a share"),
    CAIRN_PARAM_END,
};
static const cairn_entry lists = {.kind = CAIRN_ENTRY_CALCULATOR,
                                  .name = "lists",
                                  .params = list_table,
                                  .params_size = sizeof(list_params)};

static void test_params__lists_and_matrices_are_read(void **state)
{
    cairn_params *p, *copy;
    assert_ok(*state, cairn_params_for(*state, &p, &lists));
    const list_params *v = p->values;
    assert_int_equal(v->at.n, 2); /* the default is read, too */
    assert_true(v->at.values[1] == 2);
    assert_null(v->prior.text);
    assert_int_equal(v->prior.n, 0);
    assert_ok(*state, cairn_params_set(*state, p, "at", "1/4, 9"));
    assert_true(v->at.values[0] == 0.25 && v->at.values[1] == 9);
    assert_ok(*state, cairn_params_set(*state, p, "prior", "1/3,2/3"));
    assert_ok(*state, cairn_params_set(*state, p, "words", "spam, \"so, so\""));
    assert_int_equal(v->words.n, 2);
    assert_string_equal(v->words.names[1], "so, so");
    assert_ok(*state, cairn_params_set(*state, p, "theta", "1,2,3;4,5,6"));
    assert_ok(*state, cairn_params_give(*state, p, "theta", "7,8,9"));
    assert_int_equal(v->theta.rows, 3);
    assert_int_equal(v->theta.columns, 3);
    assert_true(v->theta.values[6] == 7);
    assert_ok(*state, cairn_params_set(*state, p, "share", "2/3"));
    assert_true(v->share == 2.0 / 3);
    assert_ok(*state, cairn_params_copy(*state, &copy, p)); /* with cells of its own */
    cairn_params_free(p);
    v = copy->values;
    assert_true(v->at.values[0] == 0.25 && v->theta.values[8] == 9);
    assert_string_equal(v->words.names[0], "spam");
    assert_ok(*state, cairn_params_unset(*state, copy, "at"));
    assert_true(v->at.values[0] == 1);
    assert_ok(*state, cairn_params_unset(*state, copy, "words"));
    assert_null(v->words.names);
    cairn_params_free(copy);
}

static void test_params__lists_say_which_number_is_wrong(void **state)
{
    cairn_params *p;
    assert_ok(*state, cairn_params_for(*state, &p, &lists));
    const list_params *v = p->values;
    static const struct {
        const char *name, *text, *message;
    } wrong[] = {
        {"at", "1,x", "'at': item 2, 'x', is not a number; give numbers separated by commas"},
        {"at", "1,10", "'at': number 2 must be in [0,10), not 10"},
        {"at", "1,inf", "'at': number 2 is not finite"},
        {"layers", "3,2.5", "'layers': number 2 must be a whole number in [1,inf), not 2.5"},
        {"prior", "0.5,-0.5,1", "'prior': number 2 is negative or missing"},
        {"prior", "0.5,0.6", "'prior': the probabilities add up to 1.1, not to 1"},
        {"theta", "1,2;3", "'theta': row 2 has 1 numbers and the first row has 2"},
        {"counts", "1,2;3,-4", "'counts': number 4 is -4"},
        {"share", "2/0", "'share' must be a number, not '2/0'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_fails(*state, cairn_params_set(*state, p, wrong[i].name, wrong[i].text), CAIRN_USAGE,
                     wrong[i].message);
    assert_true(v->at.values[0] == 1); /* what was there stays */
    p->said = CAIRN_SAID_OPTION;
    assert_fails(*state, cairn_params_set(*state, p, "prior", "1,1"), CAIRN_USAGE, "--prior: ");
    cairn_params_free(p);
}

static cairn_status make_lists(cairn_context *ctx, void *data)
{
    (void)data;
    cairn_status status;
    cairn_params *p = NULL, *copy = NULL;
    TRY(cairn_params_for(ctx, &p, &lists));
    TRY(cairn_params_set(ctx, p, "words", "a,b"));
    TRY(cairn_params_set(ctx, p, "theta", "1,2;3,4"));
    TRY(cairn_params_copy(ctx, &copy, p));
done:
    cairn_params_free(p);
    cairn_params_free(copy);
    return status;
}

static void test_params__lists_without_memory(void **state)
{
    (void)state;
    assert_survives_allocation_failures(make_lists, NULL);
}

static cairn_status make_settings(cairn_context *ctx, void *data)
{
    (void)data;
    cairn_status status;
    cairn_params *p = NULL, *copy = NULL;
    char *spec = NULL;
    TRY(cairn_params_for(ctx, &p, &sample));
    TRY(cairn_params_set(ctx, p, "clusters", "3"));
    TRY(cairn_params_set(ctx, p, "parts", "a"));
    TRY(cairn_params_set(ctx, p, "parts", "b"));
    TRY(cairn_params_copy(ctx, &copy, p));
    TRY(cairn_params_spec(ctx, copy, &spec));
done:
    cairn_free(spec);
    cairn_params_free(copy);
    cairn_params_free(p);
    return status;
}

/* A pair that names no parameter is a value of the first one where the entry says so; every value
 * of a repeated parameter is a pair of its own in the canonical text. */
static void test_params__assignments_go_round(void **state)
{
    cairn_context *ctx = *state;
    static const char *const specs[] = {"formula:z=x^2", "formula:z=max(a,b),w=z>1,truth=numbers",
                                        "formula:z=contains(name,'('),w=2",
                                        "formula:set=z=\"a\",q=1"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        cairn_params *first, *second;
        char *text, *again;
        assert_ok(ctx, cairn_params_from_spec(ctx, &first, CAIRN_ENTRY_TRANSFORM, specs[i]));
        assert_ok(ctx, cairn_params_spec(ctx, first, &text));
        assert_ok(ctx, cairn_params_from_spec(ctx, &second, CAIRN_ENTRY_TRANSFORM, text));
        assert_ok(ctx, cairn_params_spec(ctx, second, &again));
        assert_string_equal(text, again);
        assert_string_equal(cairn_params_text(first, "set"), cairn_params_text(second, "set"));
        assert_null(strchr(text, '\n'));
        cairn_free(text);
        cairn_free(again);
        cairn_params_free(first);
        cairn_params_free(second);
    }
}

/* A list goes on until the next pair; what follows no list is refused with the entry's name. */
static void test_params__lists_need_no_brackets(void **state)
{
    static const char *const same[][3] = {
        {"bins:columns=a,b,cuts=50,70", "columns", "a,b"},
        {"bins:columns=a,b,cuts=50,70", "cuts", "50,70"},
        {"bins:cuts=<50,<=70,-3=x,keep=yes", "cuts", "<50,<=70,-3=x"},
        {"bins:cuts=(50,70),keep=yes", "cuts", "(50,70)"},
        {"keep:a,b,c", "columns", "a,b,c"},
        {"rename:a=b,c=d", "names", "a=b\nc=d"},
        {"pca:columns=a,columns=b", "columns", "a,b"},
    };
    cairn_params *p;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        assert_ok(*state, cairn_params_from_spec(*state, &p, CAIRN_ENTRY_TRANSFORM, same[i][0]));
        assert_string_equal(cairn_params_text(p, same[i][1]), same[i][2]);
        cairn_params_free(p);
    }
    assert_fails(*state, cairn_params_from_spec(*state, &p, CAIRN_ENTRY_TRANSFORM, "bins:5,6"),
                 CAIRN_USAGE, "bins: '6' should read name=value");
    assert_fails(
        *state,
        cairn_params_from_spec(*state, &p, CAIRN_ENTRY_TRANSFORM, "scale:factor=1,factor=2"),
        CAIRN_USAGE, "scale: factor is given twice, as '1' and as '2'");
    assert_fails(*state, cairn_params_from_spec(*state, &p, CAIRN_ENTRY_TRANSFORM, "bins:bins=x"),
                 CAIRN_USAGE, "bins: bins must be a whole number, not 'x'");
}

static void test_params__survive_failing_allocations(void **state)
{
    (void)state;
    assert_survives_allocation_failures(make_settings, NULL);
}

/* A spec parameter that wants an object has it as soon as it is set, in copies too, and what is set
 * as an object is not spelt and read again. */
static void test_params__settings_inside_settings(void **state)
{
    cairn_context *ctx = *state;
    cairn_params *outer, *copy, *inner;
    char *spec;
    assert_ok(ctx, cairn_params_new(ctx, &outer, "calibrated:learner=(tree:max-depth=3)"));
    const cairn_wrapper_params *w = outer->values;
    assert_string_equal(w->learner->entry->name, "tree");
    assert_string_equal(cairn_params_text(w->learner, "max-depth"), "3");
    assert_ok(ctx, cairn_params_new(ctx, &inner, "knn:k=7"));
    assert_ok(ctx, cairn_params_set_object(ctx, outer, "base", inner));
    cairn_params_free(inner);
    assert_ok(ctx, cairn_params_copy(ctx, &copy, outer));
    cairn_params_free(outer);
    w = copy->values;
    assert_string_equal(w->learner->entry->name, "knn");
    assert_string_equal(cairn_params_text(w->learner, "k"), "7");
    assert_ok(ctx, cairn_params_spec(ctx, copy, &spec));
    assert_string_equal(spec, "calibrated:learner=knn:k=7");
    cairn_string_free(spec);
    assert_ok(ctx, cairn_params_unset(ctx, copy, "base"));
    assert_string_equal(w->learner->entry->name, "tree");
    assert_fails(ctx, cairn_params_set(ctx, copy, "base", "nosuch"), CAIRN_USAGE,
                 "calibrated: learner");
    assert_string_equal(w->learner->entry->name, "tree");
    assert_fails(ctx, cairn_params_set(ctx, copy, "base", "(((((((((tree)))))))))"), CAIRN_USAGE,
                 "deep");
    cairn_params_free(copy);
}

/* A parameter that may be given several times has a list of objects, in copies too; what is added
 * as an object stands behind what was typed, in the text as well. */
static void test_params__lists_of_settings_inside_settings(void **state)
{
    cairn_context *ctx = *state;
    cairn_params *outer, *copy, *list = NULL;
    const char *const specs[] = {"pca", "impute", NULL};
    char *spec;
    assert_ok(ctx, cairn_params_new(ctx, &outer, "calibrated:with=scale:range"));
    assert_ok(ctx, cairn_params_append_specs(ctx, &list, CAIRN_ENTRY_TRANSFORM, specs));
    assert_ok(ctx, cairn_params_set_object(ctx, outer, "with", list));
    cairn_params_free(list);
    assert_ok(ctx, cairn_params_set(ctx, outer, "with", "standardise"));
    assert_fails(ctx, cairn_params_set(ctx, outer, "with", "nosuch"), CAIRN_USAGE, "nosuch");
    assert_ok(ctx, cairn_params_copy(ctx, &copy, outer));
    cairn_params_free(outer);
    const cairn_wrapper_params *w = copy->values;
    const char *const names[] = {"scale", "pca", "impute", "standardise"};
    const cairn_params *t = w->transforms;
    for (size_t i = 0; i < 4; i++, t = t->next) assert_string_equal(t->entry->name, names[i]);
    assert_null(t);
    assert_string_equal(cairn_params_text(w->transforms, "method"), "range");
    assert_ok(ctx, cairn_params_spec(ctx, copy, &spec));
    assert_string_equal(spec, "calibrated:with=scale:range,with=pca,with=impute,with=standardise");
    cairn_string_free(spec);
    assert_ok(ctx, cairn_params_unset(ctx, copy, "with"));
    assert_null(w->transforms);
    cairn_params_free(copy);
}

/* What others call an option is taken, kept under the name of the house, and asked for where two
 * may be meant; names within names, too. */
static void test_params__names_of_others(void **state)
{
    cairn_context *ctx = *state;
    static const char *const specs[][2] = {
        {"forest:n_estimators=7,MAX_DEPTH=3", "forest:trees=7,max-depth=3"},
        {"random forest:ntree=7", "forest:trees=7"},
        {"kmeans:k=3", "kmeans:clusters=3"},
        {"svm:C=2", "svm:c=2"},
        {"svm:cost=2", "svm:c=2"},
        {"svm:preset=hard", "svm:preset=hard"},
        {"mixture:clusters=3", "mixture:components=3"},
        {"knn:n_neighbors=3", "knn:k=3"},
        {"bayes:alpha=1", "bayes:smooth=1"},
        {"bagging:base=decision-tree:depth=2", "bagging:learner=tree:max-depth=2"},
        {"bagging:estimator=(bagging:base=(naive-bayes:alpha=1))",
         "bagging:learner=\"bagging:learner=bayes:smooth=1\""},
        {"network:batch=16", "network:batch-size=16"},
        {"td:learning_rate=0.2", "td:alpha=0.2"},
    };
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        cairn_params *params;
        char *spec, *again;
        assert_ok(ctx, cairn_params_new(ctx, &params, specs[i][0]));
        assert_ok(ctx, cairn_params_spec(ctx, params, &spec));
        cairn_params_free(params);
        if (i != 10) assert_string_equal(spec, specs[i][1]);
        assert_null(strstr(spec, "naive"));
        assert_ok(ctx, cairn_params_new(ctx, &params, spec));
        assert_ok(ctx, cairn_params_spec(ctx, params, &again));
        assert_string_equal(spec, again);
        cairn_string_free(spec);
        cairn_string_free(again);
        cairn_params_free(params);
    }
    cairn_params *params;
    assert_fails(ctx, cairn_params_new(ctx, &params, "network:alpha=1"), CAIRN_USAGE,
                 "eta or decay");
    assert_fails(ctx, cairn_params_new(ctx, &params, "tree:learning_rate=1"), CAIRN_USAGE,
                 "no option");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_params__defaults_are_parsed),
        context_test(test_params__values_are_set_by_name),
        context_test(test_params__idle_ones_are_refused),
        context_test(test_params__bad_values_are_refused),
        context_test(test_params__every_range_refuses_a_value),
        context_test(test_params__spec_goes_round),
        context_test(test_params__registered_specs),
        context_test(test_params__assignments_go_round),
        context_test(test_params__lists_need_no_brackets),
        context_test(test_params__settings_inside_settings),
        context_test(test_params__lists_of_settings_inside_settings),
        context_test(test_params__names_of_others),
        context_test(test_list__splits),
        context_test(test_params__lists_and_matrices_are_read),
        context_test(test_params__lists_say_which_number_is_wrong),
        cmocka_unit_test(test_params__lists_without_memory),
        cmocka_unit_test(test_params__survive_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
