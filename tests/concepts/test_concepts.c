/* SPDX-License-Identifier: MIT */
/* Concepts and version spaces against their definitions: every concept of a small domain is held
 * against every instance. */
#include "support/unit.h"
#include "cairn/cairn.h"
#include "base/memory.h"
#include "concepts/concepts.h"

enum { COLUMNS = 3, ROWS = 6 };

/* A domain of 3 x 2 x 2 values. */
static cairn_domain small_domain(cairn_context *ctx, bool disjunction, cairn_unseen unseen)
{
    static const char text[] = "a,b,c,t\nx,p,u,1\ny,q,v,0\nz,p,v,1\n";
    static cairn_table *table;
    cairn_view view;
    cairn_domain domain;
    cairn_read_options options = CAIRN_READ_OPTIONS_INIT;
    options.kinds = "t=level";
    assert_ok(ctx,
              cairn_table_read_memory(ctx, &table, "small.csv", text, sizeof text - 1, &options));
    assert_ok(ctx, cairn_table_set_role(ctx, table, "t", CAIRN_TARGET));
    assert_ok(ctx, cairn_view_make(ctx, &view, table, cairn_all_rows(table)));
    assert_ok(ctx, cairn_domain_make(ctx, &domain, &view,
                                     &(cairn_language){disjunction, unseen, false, NULL}));
    /* names are copied, so that the table can go */
    for (size_t j = 0; j < domain.n; j++) {
        cairn_attribute *a = &domain.attributes[j];
        for (size_t v = 0; v < a->n_values; v++) {
            char *copy;
            assert_ok(ctx, SCRATCH(ctx, &copy, strlen(a->values[v]) + 1));
            memcpy(copy, a->values[v], strlen(a->values[v]));
            a->values[v] = copy;
        }
        char *name;
        assert_ok(ctx, SCRATCH(ctx, &name, 2));
        name[0] = a->name[0];
        a->name = name;
    }
    cairn_table_free(table);
    return domain;
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* Random instances of the domain with random classes. */
static cairn_examples random_examples(cairn_context *ctx, const cairn_domain *domain,
                                      uint64_t *state)
{
    cairn_examples e = {.n = 1 + next_random(state) % ROWS};
    assert_ok(ctx, SCRATCH(ctx, &e.codes, e.n * domain->n));
    assert_ok(ctx, SCRATCH(ctx, &e.positive, e.n));
    for (size_t i = 0; i < e.n; i++) {
        e.positive[i] = next_random(state) % 3 > 0;
        for (size_t j = 0; j < domain->n; j++)
            e.codes[i * domain->n + j] =
                (int32_t)(next_random(state) % domain->attributes[j].n_values);
    }
    return e;
}

static bool agrees(const cairn_domain *domain, const cairn_examples *e, const uint64_t *concept)
{
    for (size_t i = 0; i < e->n; i++)
        if (cairn_concept_covers(domain, concept, cairn_example(e, domain, i)) != e->positive[i])
            return false;
    return true;
}

/* All concepts that cover something and agree with the examples. */
static cairn_concepts brute_members(cairn_context *ctx, const cairn_domain *domain,
                                    const cairn_examples *e)
{
    cairn_concepts out = {.width = domain->n};
    cairn_walk walk;
    assert_ok(ctx, cairn_walk_start(ctx, &walk, domain, NULL, 1e6, ""));
    while (cairn_walk_next(&walk))
        if (agrees(domain, e, walk.concept))
            assert_ok(ctx, cairn_concepts_add(ctx, &out, domain, walk.concept));
    return out;
}

static bool contains(const cairn_concepts *list, const cairn_domain *domain, const uint64_t *c)
{
    for (size_t i = 0; i < list->n; i++)
        if (cairn_concept_equals(domain, cairn_concepts_at(list, i), c)) return true;
    return false;
}

static bool is_maximal(const cairn_concepts *list, const cairn_domain *domain, size_t at)
{
    const uint64_t *c = cairn_concepts_at(list, at);
    for (size_t i = 0; i < list->n; i++)
        if (i != at && cairn_concept_includes(domain, cairn_concepts_at(list, i), c)) return false;
    return true;
}

/* Counts, and decisions with and without the general boundary, at every instance. */
static void check_instances(cairn_context *ctx, const cairn_domain *domain, const cairn_examples *e,
                            const cairn_boundaries *b, const cairn_concepts *members)
{
    cairn_boundaries without = *b;
    uint64_t work[COLUMNS];
    double count, uncovered = 0, found;
    without.too_many = 1;
    assert_ok(ctx, cairn_version_count(ctx, &count, domain, e, b->special));
    assert_true(count == (double)members->n);
    for (int32_t i = 0; i < 3 * 2 * 2; i++) {
        int32_t codes[COLUMNS] = {i / 4, i / 2 % 2, i % 2};
        double yes = 0;
        int answer = cairn_boundaries_decide(b, domain, e, codes, work);
        for (size_t m = 0; m < members->n; m++)
            yes += cairn_concept_covers(domain, cairn_concepts_at(members, m), codes);
        if (members->n) {
            assert_int_equal(answer, cairn_boundaries_decide(&without, domain, e, codes, work));
            assert_int_equal(answer > 0, yes == (double)members->n &&
                                             !cairn_concept_is_empty(domain, b->special));
            if (answer == 0) assert_true(yes == 0);
        }
        uncovered += answer == 0;
        cairn_concept_of(domain, work, codes);
        cairn_concept_join(domain, work, work, b->special);
        assert_ok(ctx, cairn_version_count(ctx, &count, domain, e, work));
        assert_true(count == yes);
    }
    assert_ok(ctx, cairn_count_uncovered(ctx, &found, domain, &b->general));
    assert_true(found == uncovered);
}

static void check_boundaries(cairn_context *ctx, const cairn_domain *domain,
                             const cairn_examples *e)
{
    cairn_boundaries b;
    cairn_concepts brute = brute_members(ctx, domain, e), members = {.width = domain->n};
    cairn_conflict conflict;
    bool found;
    size_t positives = 0, n_maximal = 0;
    assert_ok(ctx, cairn_boundaries_start(ctx, &b, domain));
    for (size_t i = 0; i < e->n; i++) {
        positives += e->positive[i];
        assert_ok(ctx, cairn_boundaries_add(ctx, &b, domain, cairn_example(e, domain, i),
                                            e->positive[i]));
    }
    assert_ok(ctx, cairn_find_conflict(ctx, &found, &conflict, domain, e));
    assert_int_equal(found, b.collapsed);
    if (positives) assert_int_equal(b.collapsed, brute.n == 0);
    if (b.collapsed) {
        assert_true(e->positive[conflict.positive]);
        assert_false(e->positive[conflict.negative]);
    } else {
        for (size_t i = 0; i < brute.n; i++) {
            assert_true(cairn_concept_includes(domain, cairn_concepts_at(&brute, i), b.special));
            if (!is_maximal(&brute, domain, i)) continue;
            n_maximal++;
            assert_true(contains(&b.general, domain, cairn_concepts_at(&brute, i)));
        }
        if (brute.n) assert_int_equal(n_maximal, b.general.n);
        assert_ok(ctx, cairn_version_members(ctx, &members, domain, e, b.special, 1e6));
        assert_int_equal(members.n, brute.n);
        check_instances(ctx, domain, e, &b, &members);
    }
    cairn_concepts_clear(&members);
    cairn_concepts_clear(&brute);
    cairn_boundaries_clear(&b);
}

static void test_version_space__boundaries_are_those_of_the_list(void **state)
{
    cairn_context *ctx = *state;
    uint64_t random = 7;
    for (int unseen = CAIRN_UNSEEN_SINGLE; unseen <= CAIRN_UNSEEN_NONE; unseen++)
        for (int disjunction = 0; disjunction < 2; disjunction++) {
            cairn_domain domain = small_domain(ctx, disjunction, (cairn_unseen)unseen);
            for (int round = 0; round < 300; round++) {
                cairn_scratch_mark mark = cairn_scratch_now(ctx);
                cairn_examples e = random_examples(ctx, &domain, &random);
                check_boundaries(ctx, &domain, &e);
                cairn_scratch_release(ctx, mark);
            }
        }
}

static void test_concepts__counts_are_those_of_the_walk(void **state)
{
    cairn_context *ctx = *state;
    for (int unseen = CAIRN_UNSEEN_SINGLE; unseen <= CAIRN_UNSEEN_NONE; unseen++)
        for (int disjunction = 0; disjunction < 2; disjunction++) {
            cairn_domain domain = small_domain(ctx, disjunction, (cairn_unseen)unseen);
            cairn_walk walk;
            double n = 0;
            assert_ok(ctx, cairn_walk_start(ctx, &walk, &domain, NULL, 1e6, ""));
            while (cairn_walk_next(&walk)) n++;
            assert_true(n == cairn_domain_concepts(&domain));
        }
    cairn_domain domain = small_domain(ctx, false, CAIRN_UNSEEN_NONE);
    assert_true(cairn_domain_concepts(&domain) == 4 * 3 * 3);
    assert_true(cairn_domain_instances(&domain) == 12);
    domain = small_domain(ctx, true, CAIRN_UNSEEN_NONE);
    assert_true(cairn_domain_concepts(&domain) == 7 * 3 * 3);
}

static void test_concepts__join_is_the_least_upper_bound(void **state)
{
    cairn_context *ctx = *state;
    for (int disjunction = 0; disjunction < 2; disjunction++) {
        cairn_domain domain = small_domain(ctx, disjunction, CAIRN_UNSEEN_NONE);
        cairn_walk a, b, c;
        uint64_t join[COLUMNS];
        assert_ok(ctx, cairn_walk_start(ctx, &a, &domain, NULL, 1e6, ""));
        while (cairn_walk_next(&a)) {
            cairn_scratch_mark mark = cairn_scratch_now(ctx);
            assert_ok(ctx, cairn_walk_start(ctx, &b, &domain, NULL, 1e6, ""));
            for (int k = 0; k < 12 && cairn_walk_next(&b); k++) {
                cairn_concept_join(&domain, join, a.concept, b.concept);
                assert_true(cairn_concept_includes(&domain, join, a.concept));
                assert_true(cairn_concept_includes(&domain, join, b.concept));
                cairn_scratch_mark inner = cairn_scratch_now(ctx);
                assert_ok(ctx, cairn_walk_start(ctx, &c, &domain, NULL, 1e6, ""));
                while (cairn_walk_next(&c))
                    if (cairn_concept_includes(&domain, c.concept, a.concept) &&
                        cairn_concept_includes(&domain, c.concept, b.concept))
                        assert_true(cairn_concept_includes(&domain, c.concept, join));
                cairn_scratch_release(ctx, inner);
            }
            cairn_scratch_release(ctx, mark);
        }
    }
}

static void test_concepts__text_is_read_as_it_is_written(void **state)
{
    cairn_context *ctx = *state;
    for (int disjunction = 0; disjunction < 2; disjunction++)
        for (int notation = 0; notation < 2; notation++) {
            cairn_domain domain = small_domain(ctx, disjunction, CAIRN_UNSEEN_ALL);
            cairn_walk walk;
            uint64_t again[COLUMNS];
            assert_ok(ctx, cairn_walk_start(ctx, &walk, &domain, NULL, 1e6, ""));
            while (cairn_walk_next(&walk)) {
                cairn_text text = cairn_text_start(ctx);
                cairn_concept_add_text(&text, &domain, walk.concept, (cairn_notation)notation);
                assert_ok(ctx, cairn_concept_parse(ctx, again, &domain, cairn_text_string(&text)));
                assert_true(cairn_concept_equals(&domain, again, walk.concept));
                cairn_text_clear(&text);
            }
        }
}

static void test_concepts__mistakes_are_shown(void **state)
{
    cairn_context *ctx = *state;
    cairn_domain domain = small_domain(ctx, false, CAIRN_UNSEEN_NONE);
    uint64_t out[COLUMNS];
    int32_t codes[COLUMNS];
    assert_fails(ctx, cairn_concept_parse(ctx, out, &domain, "d=x"), CAIRN_USAGE, "no column");
    assert_fails(ctx, cairn_concept_parse(ctx, out, &domain, "a=w"), CAIRN_USAGE, "no value of");
    assert_fails(ctx, cairn_concept_parse(ctx, out, &domain, "a=[x,y]"), CAIRN_USAGE,
                 "internal disjunction");
    assert_fails(ctx, cairn_concept_parse(ctx, out, &domain, "a=x & a=y"), CAIRN_USAGE,
                 "contradict");
    assert_fails(ctx, cairn_concept_parse(ctx, out, &domain, "(x, ?"), CAIRN_USAGE, "comma");
    assert_fails(ctx, cairn_concept_parse(ctx, out, &domain, "a=\"x"), CAIRN_USAGE, "no end");
    assert_fails(ctx, cairn_concept_parse(ctx, out, &domain, "a=x b=p"), CAIRN_USAGE,
                 "no value of");
    assert_fails(ctx, cairn_concept_parse(ctx, out, &domain, ""), CAIRN_USAGE, "name is expected");
    assert_fails(ctx, cairn_domain_instance(ctx, codes, &domain, "x,p"), CAIRN_USAGE, "2 values");
    assert_fails(ctx, cairn_domain_instance(ctx, codes, &domain, "x,p,w"), CAIRN_USAGE,
                 "no value 'w'");
    cairn_walk walk;
    assert_fails(ctx, cairn_walk_start(ctx, &walk, &domain, NULL, 35, "take fewer columns"),
                 CAIRN_USAGE, "36 hypotheses");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        context_test(test_version_space__boundaries_are_those_of_the_list),
        context_test(test_concepts__counts_are_those_of_the_walk),
        context_test(test_concepts__join_is_the_least_upper_bound),
        context_test(test_concepts__text_is_read_as_it_is_written),
        context_test(test_concepts__mistakes_are_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
