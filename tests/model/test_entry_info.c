/* SPDX-License-Identifier: MIT */
/* The registry for programs (cairn/registry.h): what it lists, and structs of older and newer
 * headers. */
#include "cairn/cairn.h"
#include "entry/entry.h"
#include "support/unit.h"
#include <math.h>

/* The parameter of that name; fails when there is none. */
static size_t param_of(const cairn_entry *entry, const char *name, cairn_param_info *out)
{
    for (size_t i = 0; cairn_param_at(entry, i, out); i++)
        if (strcmp(out->name, name) == 0) return i;
    fail_msg("there is no parameter %s", name);
    return 0;
}

static void test_entry_info__lists_all_of_a_kind(void **state)
{
    cairn_context *ctx = *state;
    size_t n, listed = 0;
    (void)cairn_registry(&n);
    for (int kind = CAIRN_ENTRY_LEARNER; kind <= CAIRN_ENTRY_VERB; kind++) {
        size_t count = cairn_entry_count(ctx, (cairn_entry_kind)kind);
        assert_true(count > 0);
        assert_null(cairn_entry_at(ctx, (cairn_entry_kind)kind, count));
        listed += count;
    }
    assert_int_equal(listed, n);
    assert_int_equal(cairn_entry_count(ctx, (cairn_entry_kind)99), 0);
}

static void test_entry_info__says_what_a_learner_can_do(void **state)
{
    cairn_context *ctx = *state;
    cairn_entry_details tree = CAIRN_ENTRY_DETAILS_INIT, kmeans = CAIRN_ENTRY_DETAILS_INIT;
    assert_true(cairn_entry_info(cairn_entry_by_name(ctx, CAIRN_ENTRY_LEARNER, "tree"), &tree));
    assert_string_equal(tree.name, "tree");
    assert_int_equal(tree.kind, CAIRN_ENTRY_LEARNER);
    assert_int_equal(tree.tasks, CAIRN_CLASSIFY | CAIRN_REGRESS);
    assert_true(tree.kinds & 1u << CAIRN_LEVEL && tree.kinds & 1u << CAIRN_NUMBER);
    assert_true(tree.takes_missing && tree.needs_target && tree.gives_probabilities);
    assert_false(tree.wraps);
    assert_true(cairn_entry_info(cairn_entry_by_name(ctx, CAIRN_ENTRY_LEARNER, "kmeans"), &kmeans));
    assert_int_equal(kmeans.tasks, CAIRN_CLUSTER);
    assert_false(kmeans.needs_target);
    assert_null(cairn_entry_by_name(ctx, CAIRN_ENTRY_LEARNER, "csv"));
}

static void test_entry_info__parameters_have_types_ranges_and_choices(void **state)
{
    cairn_context *ctx = *state;
    const cairn_entry *entry = cairn_entry_by_name(ctx, CAIRN_ENTRY_LEARNER, "tree");
    cairn_param_info info = CAIRN_PARAM_INFO_INIT;
    const char *help = NULL;
    (void)param_of(entry, "max-depth", &info);
    assert_int_equal(info.type, CAIRN_TYPE_INT);
    assert_string_equal(cairn_type_name(info.type), "int");
    assert_non_null(info.range);
    assert_true(info.low >= 0 && info.high > 1000);
    size_t i = param_of(entry, "impurity", &info);
    assert_int_equal(info.type, CAIRN_TYPE_CHOICE);
    assert_true(info.choice_count > 2);
    assert_true(info.low == -INFINITY && info.high == INFINITY);
    assert_non_null(cairn_param_choice(entry, i, 0, &help));
    assert_non_null(help);
    assert_null(cairn_param_choice(entry, i, info.choice_count, &help));
    assert_false(cairn_param_at(entry, cairn_param_count(entry), &info));
}

/* Defaults, ranges and choices as they are said can be set; what is just outside is refused. */
static void try_parameters(cairn_context *ctx, const cairn_entry *entry)
{
    cairn_param_info info = CAIRN_PARAM_INFO_INIT;
    cairn_params *params;
    assert_ok(ctx, cairn_params_for(ctx, &params, entry));
    for (size_t i = 0; cairn_param_at(entry, i, &info); i++) {
        if (!info.help || !info.name[0]) fail_msg("%s: parameter %zu has no words", entry->name, i);
        if (info.low > info.high) fail_msg("%s: %s: empty range", entry->name, info.name);
        if ((info.type == CAIRN_TYPE_CHOICE) != (info.choice_count > 0))
            fail_msg("%s: %s: choices", entry->name, info.name);
        if (info.required && info.initial) fail_msg("%s: %s: default", entry->name, info.name);
        for (size_t k = 0; k < info.choice_count; k++)
            assert_ok(ctx, cairn_params_set(ctx, params, info.name,
                                            cairn_param_choice(entry, i, k, NULL)));
    }
    cairn_params_free(params);
}

static void test_entry_info__what_is_said_can_be_set(void **state)
{
    cairn_context *ctx = *state;
    const cairn_entry *entry;
    for (int kind = CAIRN_ENTRY_LEARNER; kind <= CAIRN_ENTRY_VERB; kind++)
        for (size_t i = 0; (entry = cairn_entry_at(ctx, (cairn_entry_kind)kind, i)); i++)
            try_parameters(ctx, entry);
}

static void test_entry_info__conditions_of_groups_are_reported(void **state)
{
    cairn_context *ctx = *state;
    const cairn_entry *entry;
    size_t conditions = 0;
    cairn_param_info info = CAIRN_PARAM_INFO_INIT;
    for (size_t i = 0; (entry = cairn_entry_at(ctx, CAIRN_ENTRY_LEARNER, i)); i++)
        for (size_t k = 0; cairn_param_at(entry, k, &info); k++)
            for (const char **w = info.when; *w; w++) conditions++;
    assert_true(conditions > 100);
}

static void test_entry_info__honours_the_size_both_ways(void **state)
{
    cairn_context *ctx = *state;
    const cairn_entry *entry = cairn_entry_by_name(ctx, CAIRN_ENTRY_LEARNER, "tree");
    struct {
        cairn_entry_details details;
        char later[24];
    } newer;
    memset(&newer, 7, sizeof newer);
    newer.details.size = sizeof newer;
    assert_true(cairn_entry_info(entry, &newer.details));
    assert_int_equal(newer.details.size, sizeof newer);
    for (size_t i = 0; i < sizeof newer.later; i++) assert_int_equal(newer.later[i], 0);
    cairn_entry_details older = CAIRN_ENTRY_DETAILS_INIT;
    older.size = offsetof(cairn_entry_details, title);
    older.title = "as it was";
    assert_true(cairn_entry_info(entry, &older));
    assert_string_equal(older.name, "tree");
    assert_string_equal(older.title, "as it was");
    older.size = 0;
    assert_false(cairn_entry_info(entry, &older));
}

static void test_entry_info__texts_say_parameters_by_name(void **state)
{
    cairn_context *ctx = *state;
    char *said = NULL;
    assert_ok(ctx, cairn_text_said(ctx, "see {max-depth} and {target COLUMN}", &said));
    assert_string_equal(said, "see 'max-depth' and target=COLUMN");
    cairn_string_free(said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_entry_info__lists_all_of_a_kind),
        context_test(test_entry_info__says_what_a_learner_can_do),
        context_test(test_entry_info__parameters_have_types_ranges_and_choices),
        context_test(test_entry_info__what_is_said_can_be_set),
        context_test(test_entry_info__conditions_of_groups_are_reported),
        context_test(test_entry_info__honours_the_size_both_ways),
        context_test(test_entry_info__texts_say_parameters_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
