/* SPDX-License-Identifier: MIT */
/* What holds for every entry of the registry, whatever its kind. */
#include "support/unit.h"
#include "entry/entry.h"
#include "entry/range.h"
#include "model/learner.h"
#include <ctype.h>

static const cairn_entry *entry_at(size_t i)
{
    size_t n;
    const cairn_entry *const *entries = cairn_registry(&n);
    return i < n ? entries[i] : NULL;
}

static void test_entries__are_sorted_and_unique(void **state)
{
    (void)state;
    const cairn_entry *e, *before = NULL;
    for (size_t i = 0; (e = entry_at(i)); before = e, i++) {
        if (!before) continue;
        bool sorted = e->kind > before->kind ||
                      (e->kind == before->kind && strcmp(e->name, before->name) > 0);
        if (!sorted) fail_msg("%s stands after %s", e->name, before->name);
    }
}

static void test_entries__explain_themselves(void **state)
{
    (void)state;
    const cairn_entry *e;
    for (size_t i = 0; (e = entry_at(i)); i++) {
        if (!e->title || !*e->title) fail_msg("%s has no title", e->name);
        if (!e->summary || strlen(e->summary) < 40) fail_msg("%s: summary too short", e->name);
        if (!e->example || strncmp(e->example, "cairn ", 6)) fail_msg("%s: no example", e->name);
        bool needs = e->kind == CAIRN_ENTRY_LEARNER || e->kind == CAIRN_ENTRY_TRANSFORM ||
                     e->kind == CAIRN_ENTRY_RESAMPLING;
        if (needs && !e->references) fail_msg("%s has no references", e->name);
        for (const char *c = e->name; *c; c++)
            if (!islower((unsigned char)*c) && !isdigit((unsigned char)*c) && *c != '-')
                fail_msg("name '%s' has other than a-z, 0-9 and -", e->name);
    }
}

/* Names are unique, defaults parse, every range and every choice refuses something. */
static void check_parameters(cairn_context *ctx, const cairn_entry *e)
{
    cairn_params *params;
    const cairn_param *row, *other;
    char bad[64];
    assert_ok(ctx, cairn_params_for(ctx, &params, e));
    for (size_t i = 0; (row = cairn_params_row(e, i, NULL)); i++) {
        cairn_range range;
        if (!row->help || !*row->help) fail_msg("%s: %s has no help", e->name, row->name);
        if (row->help[strlen(row->help) - 1] == '.')
            fail_msg("%s: %s: full stop", e->name, row->name);
        for (size_t j = 0; j < i && (other = cairn_params_row(e, j, NULL)); j++)
            if (!strcmp(row->name, other->name)) fail_msg("%s: %s twice", e->name, row->name);
        if (row->range && !cairn_range_parse(row->range, &range))
            fail_msg("%s: %s: '%s' is no range", e->name, row->name, row->range);
        if (cairn_range_bad_value(row->range, bad, sizeof bad))
            assert_fails(ctx, cairn_params_set(ctx, params, row->name, bad), CAIRN_USAGE,
                         row->range);
        if (row->type == CAIRN_TYPE_CHOICE || row->type == CAIRN_TYPE_BOOL)
            assert_fails(ctx, cairn_params_set(ctx, params, row->name, "no such choice"),
                         CAIRN_USAGE, "no such choice");
        if (row->type == CAIRN_TYPE_INT)
            assert_fails(ctx, cairn_params_set(ctx, params, row->name, "1.5"), CAIRN_USAGE,
                         "whole number");
        if (row->type == CAIRN_TYPE_REAL)
            assert_fails(ctx, cairn_params_set(ctx, params, row->name, "1,5"), CAIRN_USAGE,
                         "number");
    }
    assert_int_equal(cairn_params_set(ctx, params, "no-such-option-at-all", "1"), CAIRN_USAGE);
    cairn_params_free(params);
}

static void test_entries__parameters(void **state)
{
    const cairn_entry *e;
    for (size_t i = 0; (e = entry_at(i)); i++) check_parameters(*state, e);
}

/* Choices can all be set, and a spec goes round. */
static void test_entries__choices(void **state)
{
    const cairn_entry *e;
    const cairn_param *row;
    for (size_t i = 0; (e = entry_at(i)); i++)
        for (size_t j = 0; (row = cairn_params_row(e, j, NULL)); j++) {
            cairn_params *params;
            if (row->type != CAIRN_TYPE_CHOICE) continue;
            assert_ok(*state, cairn_params_for(*state, &params, e));
            for (const cairn_choice *c = row->choices; c->name; c++) {
                assert_ok(*state, cairn_params_set(*state, params, row->name, c->name));
                assert_string_equal(cairn_params_text(params, row->name), c->name);
                if (!c->help || !*c->help) fail_msg("%s: %s has no help", e->name, c->name);
            }
            cairn_params_free(params);
        }
}

/* How many of the flags are set. */
static int count_flags(unsigned traits, unsigned flags)
{
    return __builtin_popcount(traits & flags);
}

/* Lists, help and run cards say where a learner stands: the record must have it. */
static void test_entries__learners_declare_their_traits(void **state)
{
    (void)state;
    const cairn_entry *e;
    for (size_t i = 0; (e = entry_at(i)); i++) {
        const cairn_learner *learner = (const cairn_learner *)e;
        if (e->kind != CAIRN_ENTRY_LEARNER) continue;
        unsigned traits = learner->traits;
        if (count_flags(traits, CAIRN_PREDICTIVE | CAIRN_DESCRIPTIVE) != 1)
            fail_msg("%s: .traits needs CAIRN_PREDICTIVE or CAIRN_DESCRIPTIVE", e->name);
        if (count_flags(traits, CAIRN_SUPERVISED | CAIRN_UNSUPERVISED) != 1)
            fail_msg("%s: .traits needs CAIRN_SUPERVISED or CAIRN_UNSUPERVISED", e->name);
        if (!(traits & (CAIRN_GEOMETRIC | CAIRN_PROBABILISTIC | CAIRN_LOGICAL | CAIRN_CONSTANT |
                        CAIRN_AS_BASE)))
            fail_msg("%s: .traits needs CAIRN_GEOMETRIC, CAIRN_PROBABILISTIC, CAIRN_LOGICAL, "
                     "CAIRN_CONSTANT or CAIRN_AS_BASE",
                     e->name);
        if (!(traits & (CAIRN_GROUPING | CAIRN_GRADING | CAIRN_CONSTANT | CAIRN_AS_BASE)))
            fail_msg("%s: .traits needs CAIRN_GROUPING or CAIRN_GRADING", e->name);
        bool target = learner->tasks & (CAIRN_CLASSIFY | CAIRN_REGRESS);
        if (target != !!(traits & CAIRN_SUPERVISED))
            fail_msg("%s: .traits and .tasks disagree whether there is a target", e->name);
        if (!learner->size)
            fail_msg("%s: .size is missing, with which the run card counts parameters", e->name);
        if ((traits & CAIRN_GIVES_PROBABILITIES) && !learner->gives_scores)
            fail_msg("%s: .traits has probabilities, but .gives_scores is false", e->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_entries__are_sorted_and_unique),
        context_test(test_entries__explain_themselves),
        context_test(test_entries__parameters),
        context_test(test_entries__choices),
        context_test(test_entries__learners_declare_their_traits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
