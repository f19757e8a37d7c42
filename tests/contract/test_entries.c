/* SPDX-License-Identifier: MIT */
/* What holds for every entry of the registry, whatever its kind. */
#include "support/unit.h"
#include "entry/condition.h"
#include "entry/range.h"
#include "model/learner.h"
#include <ctype.h>
#include <stdlib.h>

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

/* A value that the row accepts, not one of the term's and, if there is another, not its default. */
static const char *other_value(const cairn_param *row, const cairn_condition_term *without)
{
    static const char *const values[] = {"yes", "no",  "1",   "2", "3",    "0.3",
                                         "0.1", "0.5", "0.9", "7", "1000", "text"};
    if (row->object) return row->object_kind == CAIRN_ENTRY_TRANSFORM ? "standardise" : "majority";
    for (const cairn_choice *c = row->choices; c && c->name; c++)
        if ((!row->initial || strcmp(c->name, row->initial) != 0) &&
            !(without && without->values && cairn_term_has(without, c->name)))
            return c->name;
    for (size_t i = 0; !row->choices && i < sizeof values / sizeof *values; i++) {
        cairn_range range;
        bool word = i < 2 || i == 11, number = !word;
        if (row->type == CAIRN_TYPE_BOOL && (i > 1 || !strcmp(values[i], row->initial))) continue;
        bool numeric = row->type == CAIRN_TYPE_INT || row->type == CAIRN_TYPE_INT64 ||
                       row->type == CAIRN_TYPE_REAL ||
                       (row->cells && row->cells != CAIRN_CELLS_NAMES);
        if (numeric && (!number || !strcmp(values[i], row->initial ? row->initial : ""))) continue;
        if (numeric && row->type != CAIRN_TYPE_REAL && strchr(values[i], '.')) continue;
        if (row->cells == CAIRN_CELLS_PROBABILITIES && strcmp(values[i], "1") != 0) continue;
        if (row->range && cairn_range_parse(row->range, &range) &&
            !cairn_range_contains(&range, strtod(values[i], NULL)))
            continue;
        if (numeric || row->type == CAIRN_TYPE_BOOL) return values[i];
    }
    return row->choices ? row->initial : "text";
}

/* The first value of a term, without its stars. */
static const char *first_value(const cairn_condition_term *term, char out[64])
{
    size_t n = 0;
    for (size_t i = 0; i < term->values_length && term->values[i] != '|' && n < 63; i++)
        if (term->values[i] != '*') out[n++] = term->values[i];
    out[n] = 0;
    return out;
}

/* Bring a term to hold, or not to hold. */
static void settle(cairn_context *ctx, cairn_params *params, const cairn_condition_term *term,
                   bool hold)
{
    char name[64], value[64];
    const cairn_param *row = cairn_term_row(params->entry, term, name);
    bool plain = hold != term->contrary; /* the part behind the ! has to hold */
    if (term->values)
        assert_ok(ctx, cairn_params_set(ctx, params, name,
                                        plain ? first_value(term, value) : other_value(row, term)));
    else if (row->type == CAIRN_TYPE_BOOL)
        assert_ok(ctx, cairn_params_set(ctx, params, name, plain ? "yes" : "no"));
    else if (plain)
        assert_ok(ctx, cairn_params_set(ctx, params, name, other_value(row, NULL)));
    else
        assert_ok(ctx, cairn_params_unset(ctx, params, name));
}

/* A condition names other parameters of the entry and values that they accept. */
static void check_condition(cairn_context *ctx, const cairn_entry *e, const cairn_param *row,
                            const char *when)
{
    cairn_condition_term term;
    cairn_params *params;
    assert_ok(ctx, cairn_params_for(ctx, &params, e));
    while (cairn_condition_next(&when, &term)) {
        char name[64], value[64];
        const cairn_param *other = cairn_term_row(e, &term, name);
        if (!other || other == row) fail_msg("%s: %s: no parameter '%s'", e->name, row->name, name);
        if (term.values && other->type == CAIRN_TYPE_BOOL)
            fail_msg("%s: %s: write %s or !%s", e->name, row->name, name, name);
        const char *at = term.values, *end = at ? at + term.values_length : at;
        for (; at < end; at += strcspn(at, "|, ") + 1) {
            cairn_condition_term one = term;
            one.values = at;
            one.values_length = (size_t)(end - at);
            assert_ok(ctx, cairn_params_set(ctx, params, name, first_value(&one, value)));
        }
    }
    cairn_params_free(params);
}

/* Set where its condition holds it passes, set where it does not it is refused. */
static void check_refusal(cairn_context *ctx, const cairn_entry *e, size_t i)
{
    const char *when[CAIRN_MOST_NESTING + 1];
    const cairn_param *row = cairn_params_row(e, i, NULL);
    size_t n = cairn_params_when(e, i, when);
    for (int hold = 0; n && hold < 2; hold++) {
        cairn_params *params;
        cairn_condition_term term;
        assert_ok(ctx, cairn_params_for(ctx, &params, e));
        assert_ok(ctx, cairn_params_set(ctx, params, row->name, other_value(row, NULL)));
        for (size_t k = 0; k < n; k++)
            for (const char *at = when[k]; cairn_condition_next(&at, &term);)
                if (!hold || !term.alternative) settle(ctx, params, &term, hold);
        if (cairn_params_idle(params, row->name) == hold)
            fail_msg("%s: '%s' is %s where its condition %s", e->name, row->name,
                     hold ? "idle" : "not idle", hold ? "holds" : "does not hold");
        if (!hold) assert_int_equal(cairn_params_refuse_idle(ctx, params), CAIRN_USAGE);
        cairn_params_free(params);
    }
}

static void test_entries__conditions_of_parameters(void **state)
{
    const cairn_entry *e;
    const cairn_param *row;
    size_t found = 0;
    for (size_t i = 0; (e = entry_at(i)); i++)
        for (size_t j = 0; (row = cairn_params_row(e, j, NULL)); j++) {
            const char *when[CAIRN_MOST_NESTING + 1];
            size_t n = cairn_params_when(e, j, when);
            for (size_t k = 0; k < n; k++) {
                if (n > 1 && strstr(when[k], " or "))
                    fail_msg("%s: %s: 'or' inside a group with a condition", e->name, row->name);
                check_condition(*state, e, row, when[k]);
            }
            check_refusal(*state, e, j);
            found += n > 0;
        }
    assert_true(found > 150);
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
        if (!cairn_learner_counts(learner))
            fail_msg(
                "%s: .size or .parameters is missing, with which the run card counts parameters",
                e->name);
        if ((traits & CAIRN_GIVES_PROBABILITIES) && !learner->gives_scores)
            fail_msg("%s: .traits has probabilities, but .gives_scores is false", e->name);
    }
}

/* Of many options some matter more: the short help of learners and verbs fits a screen or two. */
static void test_entries__mark_options_that_matter(void **state)
{
    const cairn_entry *e;
    const cairn_param *row;
    (void)state;
    for (size_t i = 0; (e = entry_at(i)); i++) {
        size_t rows = 0, often = 0;
        if (e->kind != CAIRN_ENTRY_LEARNER && e->kind != CAIRN_ENTRY_VERB) continue;
        for (; (row = cairn_params_row(e, rows, NULL)); rows++) often += row->often;
        if (rows > 10 && (often < 2 || often > 14))
            fail_msg("%s: %zu of %zu parameters are marked", e->name, often, rows);
    }
}

/* How the work is done, what is read and where it goes is said in one way for all learners and
   calculators: a parameter of the same name would hide it. */
static void test_entries__parameters_hide_no_common_option(void **state)
{
    static const char *const common[] = {
        "memory", "threads", "seed",   "timings",      "out",       "format", "quiet",
        "save",   "force",   "target", "features",     "weight",    "id",     "ignore",
        "where",  "kinds",   "task",   "missing_mark", "separator", "header", "sequence"};
    const cairn_entry *e;
    const cairn_param *row;
    (void)state;
    for (size_t i = 0; (e = entry_at(i)); i++) {
        if (e->kind != CAIRN_ENTRY_LEARNER) continue;
        for (size_t j = 0; (row = cairn_params_row(e, j, NULL)); j++)
            for (size_t k = 0; k < sizeof common / sizeof *common; k++)
                if (strcmp(row->name, common[k]) == 0)
                    fail_msg("%s: %s is an option of every command", e->name, row->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_entries__are_sorted_and_unique),
        context_test(test_entries__explain_themselves),
        context_test(test_entries__parameters),
        context_test(test_entries__choices),
        context_test(test_entries__conditions_of_parameters),
        context_test(test_entries__learners_declare_their_traits),
        context_test(test_entries__mark_options_that_matter),
        context_test(test_entries__parameters_hide_no_common_option),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
