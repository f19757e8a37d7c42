/* SPDX-License-Identifier: MIT */
/* Which rules fire in which rows, 64 rows at a time as the bits of a word: a rule keeps the rows
 * that meet its conditions one after the other and ends when none is left. A condition that several
 * rules have is matched once for each word. In a long list whose rules ask for levels of one
 * column, as those of 1R do, a row looks only at the rules of its own level.
 *
 * A missing cell meets no condition but "= ?". */
#include "learners/rules/rules.h"

#include "base/sort_by.h"
#include "parallel/parallel.h"
#include <math.h>
#include <string.h>

enum { BITS = CAIRN_MATCH_ROWS, FEW_ROWS = 256, LONG_LIST = 64 };

/* -- one condition -- */

static bool has_level(const cairn_rules *m, size_t literal, int32_t code)
{
    for (int32_t i = m->level_starts[literal]; i < m->level_starts[literal + 1]; i++)
        if (m->levels[i] == code) return true;
    return false;
}

bool cairn_relation_holds(cairn_relation relation, double x, double with)
{
    switch (relation) {
    case CAIRN_EQUAL: return x == with;
    case CAIRN_UNEQUAL: return x != with;
    case CAIRN_BELOW: return x < with;
    case CAIRN_AT_MOST: return x <= with;
    case CAIRN_ABOVE: return x > with;
    case CAIRN_AT_LEAST: return x >= with;
    default: return false;
    }
}

bool cairn_literal_meets(const cairn_rules *m, size_t literal, int32_t code, double number)
{
    cairn_relation relation = (cairn_relation)m->relations[literal];
    if (m->is_number[m->columns[literal]]) {
        if (isnan(number)) return relation == CAIRN_IS_MISSING;
        return cairn_relation_holds(relation, number, m->numbers[literal]);
    }
    if (code < 0) return relation == CAIRN_IS_MISSING;
    if (relation == CAIRN_EQUAL) return has_level(m, literal, code);
    if (relation == CAIRN_UNEQUAL) return !has_level(m, literal, code);
    if (relation == CAIRN_IS_MISSING) return false;
    return cairn_relation_holds(relation, code, m->levels[m->level_starts[literal]]);
}

static bool literal_holds(const cairn_rules *m, size_t literal, const cairn_column *column,
                          size_t row)
{
    bool level = column->kind == CAIRN_LEVEL;
    return cairn_literal_meets(m, literal, level ? column->codes[row] : -1,
                               level ? NAN : column->numbers[row]);
}

static bool rule_fires(const cairn_rules *m, size_t rule, const cairn_view *view, size_t row)
{
    for (int32_t l = m->starts[rule]; l < m->starts[rule + 1]; l++)
        if (!literal_holds(m, (size_t)l, view->features[m->columns[l]], row)) return false;
    return true;
}

void cairn_rules_pattern(uint8_t *out, const cairn_rules *m, const cairn_view *view, size_t row)
{
    memset(out, 0, m->n_bytes);
    for (size_t r = 0; r + 1 < m->n_rules; r++)
        if (rule_fires(m, r, view, row)) out[r / 8] |= (uint8_t)(1u << (r % 8));
}

/* -- conditions that occur again -- */

/* An order in which every number has its place, even NaN. */
static int compare_bits(double a, double b)
{
    uint64_t p, q;
    memcpy(&p, &a, sizeof p);
    memcpy(&q, &b, sizeof q);
    return (p > q) - (p < q);
}

/* An order of conditions, 0 for the same ones. */
static int compare(const cairn_rules *m, size_t a, size_t b)
{
    int32_t n = m->level_starts[a + 1] - m->level_starts[a];
    int32_t other = m->level_starts[b + 1] - m->level_starts[b];
    if (m->columns[a] != m->columns[b]) return m->columns[a] < m->columns[b] ? -1 : 1;
    if (m->relations[a] != m->relations[b]) return m->relations[a] < m->relations[b] ? -1 : 1;
    if (n != other) return n < other ? -1 : 1;
    if (m->is_number[m->columns[a]]) return compare_bits(m->numbers[a], m->numbers[b]);
    for (int32_t i = 0; i < n; i++) {
        int32_t p = m->levels[m->level_starts[a] + i], q = m->levels[m->level_starts[b] + i];
        if (p != q) return p < q ? -1 : 1;
    }
    return 0;
}

static bool comes_before(const void *a, const void *b, const void *data)
{
    return compare(data, *(const uint32_t *)a, *(const uint32_t *)b) < 0;
}

static cairn_status find_shared(cairn_context *ctx, cairn_matcher *out)
{
    const cairn_rules *m = out->rules;
    uint32_t *order = NULL;
    CHECK(SCRATCH_RAW(ctx, &out->places, m->n_literals));
    for (size_t l = 0; l < m->n_literals; l++) out->places[l] = -1;
    if (out->view->rows.n < FEW_ROWS) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &order, m->n_literals));
    for (size_t l = 0; l < m->n_literals; l++) order[l] = (uint32_t)l;
    CHECK(cairn_sort_by(ctx, order, m->n_literals, sizeof *order, comes_before, m));
    for (size_t i = 1; i < m->n_literals; i++) {
        if (compare(m, order[i - 1], order[i]) != 0) continue;
        if (out->places[order[i - 1]] < 0) out->places[order[i - 1]] = (int32_t)out->n_shared++;
        out->places[order[i]] = out->places[order[i - 1]];
    }
    return CAIRN_OK;
}

/* -- chains of the rules of a level -- */

/* The level of column `key` that a rule cannot do without; -1 = none. */
static int32_t key_level(const cairn_rules *m, size_t rule, size_t key)
{
    for (int32_t l = m->starts[rule]; l < m->starts[rule + 1]; l++)
        if ((size_t)m->columns[l] == key && m->relations[l] == CAIRN_EQUAL && !m->is_number[key] &&
            m->level_starts[l + 1] == m->level_starts[l] + 1)
            return m->levels[m->level_starts[l]];
    return -1;
}

/* The column of whose levels most rules ask for one, by their first conditions. */
static cairn_status find_key(cairn_context *ctx, size_t *key, const cairn_rules *m)
{
    SCOPED_SCRATCH(ctx);
    size_t *uses = NULL;
    CHECK(SCRATCH(ctx, &uses, m->n_columns + 1));
    *key = 0;
    for (size_t r = 0; r < m->n_rules; r++) {
        if (m->starts[r] == m->starts[r + 1]) continue;
        size_t c = (size_t)m->columns[m->starts[r]];
        if (key_level(m, r, c) >= 0 && ++uses[c] > uses[*key]) *key = c;
    }
    return CAIRN_OK;
}

/* Chains pay where nearly all rules are in one; they are made from the last rule to the first. */
static cairn_status make_chains(cairn_context *ctx, cairn_matcher *out)
{
    const cairn_rules *m = out->rules;
    size_t keyed = 0;
    if (!m->ordered || m->n_rules < LONG_LIST || out->view->rows.n < FEW_ROWS) return CAIRN_OK;
    CHECK(find_key(ctx, &out->key, m));
    for (size_t r = 0; r < m->n_rules; r++) {
        int32_t level = key_level(m, r, out->key);
        keyed += level >= 0;
        if (level >= 0 && (size_t)level >= out->n_heads) out->n_heads = (size_t)level + 1;
    }
    if ((m->n_rules - keyed) * 8 > m->n_rules) return CAIRN_OK;
    CHECK(SCRATCH_RAW(ctx, &out->follows, m->n_rules));
    CHECK(SCRATCH_RAW(ctx, &out->loose, m->n_rules - keyed));
    CHECK(SCRATCH_RAW(ctx, &out->heads, out->n_heads));
    for (size_t l = 0; l < out->n_heads; l++) out->heads[l] = -1;
    for (size_t r = m->n_rules; r-- > 0;) {
        int32_t level = key_level(m, r, out->key);
        if (level < 0) continue;
        out->follows[r] = out->heads[level];
        out->heads[level] = (int32_t)r;
    }
    for (size_t r = 0; r < m->n_rules; r++)
        if (key_level(m, r, out->key) < 0) out->loose[out->n_loose++] = (int32_t)r;
    return CAIRN_OK;
}

cairn_rule_walk cairn_rule_walk_start(const cairn_matcher *matcher, size_t view_row)
{
    size_t row = cairn_view_row(matcher->view, view_row);
    int32_t code = matcher->view->features[matcher->key]->codes[row];
    bool asked = code >= 0 && (size_t)code < matcher->n_heads;
    return (cairn_rule_walk){
        .matcher = matcher, .row = row, .chain = asked ? matcher->heads[code] : -1};
}

size_t cairn_rule_walk_next(cairn_rule_walk *walk)
{
    const cairn_matcher *matcher = walk->matcher;
    for (;;) {
        int32_t rule = matcher->loose[walk->loose];
        if (walk->chain >= 0 && walk->chain < rule) {
            rule = walk->chain;
            walk->chain = matcher->follows[rule];
        } else {
            walk->loose++;
        }
        if (rule_fires(matcher->rules, (size_t)rule, matcher->view, walk->row)) return (size_t)rule;
    }
}

cairn_status cairn_matcher_make(cairn_context *ctx, cairn_matcher *out, const cairn_rules *rules,
                                const cairn_view *view)
{
    size_t workers = (size_t)cairn_workers(ctx);
    *out = (cairn_matcher){.rules = rules, .view = view};
    CHECK(make_chains(ctx, out));
    if (out->heads) return CAIRN_OK;
    CHECK(find_shared(ctx, out));
    CHECK(SCRATCH(ctx, &out->masks, workers));
    CHECK(SCRATCH(ctx, &out->words, workers));
    for (size_t w = 0; w < workers; w++) {
        CHECK(SCRATCH_RAW(ctx, &out->masks[w], out->n_shared));
        CHECK(SCRATCH(ctx, &out->words[w], out->n_shared));
    }
    return CAIRN_OK;
}

/* -- words of rows -- */

uint64_t cairn_matcher_rows(const cairn_matcher *matcher, size_t word)
{
    size_t n = matcher->view->rows.n - word * BITS;
    return n < BITS ? ((uint64_t)1 << n) - 1 : ~(uint64_t)0;
}

/* Keep the rows of a word that meet a literal. */
static uint64_t meet_word(const cairn_matcher *matcher, size_t literal, size_t word, uint64_t bits)
{
    const cairn_rules *m = matcher->rules;
    const cairn_column *column = matcher->view->features[m->columns[literal]];
    cairn_relation relation = (cairn_relation)m->relations[literal];
    uint64_t kept = 0;
    bool level = column->kind == CAIRN_LEVEL;
    bool one = level && relation == CAIRN_EQUAL &&
               m->level_starts[literal + 1] == m->level_starts[literal] + 1;
    int32_t only = one ? m->levels[m->level_starts[literal]] : -1;
    double with = m->numbers[literal];
    for (uint64_t rest = bits; rest; rest &= rest - 1) {
        size_t at = (size_t)__builtin_ctzll(rest);
        size_t row = cairn_view_row(matcher->view, word * BITS + at);
        bool meets = one                                   ? column->codes[row] == only
                     : !level && relation == CAIRN_AT_MOST ? column->numbers[row] <= with
                     : !level && relation == CAIRN_ABOVE   ? column->numbers[row] > with
                                                           : literal_holds(m, literal, column, row);
        kept |= (uint64_t)meets << at;
    }
    return kept;
}

uint64_t cairn_matcher_keep(const cairn_matcher *matcher, size_t rule, size_t word, uint64_t bits,
                            int worker)
{
    const cairn_rules *m = matcher->rules;
    uint64_t *masks = matcher->masks[worker];
    size_t *words = matcher->words[worker];
    for (int32_t l = m->starts[rule]; bits && l < m->starts[rule + 1]; l++) {
        int32_t place = matcher->places[l];
        if (place < 0) {
            bits = meet_word(matcher, (size_t)l, word, bits);
            continue;
        }
        if (words[place] != word + 1) {
            words[place] = word + 1;
            masks[place] = meet_word(matcher, (size_t)l, word, cairn_matcher_rows(matcher, word));
        }
        bits &= masks[place];
    }
    return bits;
}

void cairn_matcher_patterns(uint8_t *out, const cairn_matcher *matcher, size_t word, int worker)
{
    const cairn_rules *m = matcher->rules;
    memset(out, 0, BITS * m->n_bytes);
    for (size_t r = 0; r + 1 < m->n_rules; r++) {
        uint64_t bits =
            cairn_matcher_keep(matcher, r, word, cairn_matcher_rows(matcher, word), worker);
        for (; bits; bits &= bits - 1)
            out[(size_t)__builtin_ctzll(bits) * m->n_bytes + r / 8] |= (uint8_t)(1u << (r % 8));
    }
}

void cairn_matcher_firsts(size_t out[CAIRN_MATCH_ROWS], const cairn_matcher *matcher, size_t word,
                          int worker)
{
    uint64_t left = cairn_matcher_rows(matcher, word);
    for (; matcher->heads && left; left &= left - 1) {
        size_t at = (size_t)__builtin_ctzll(left);
        cairn_rule_walk walk = cairn_rule_walk_start(matcher, word * BITS + at);
        out[at] = cairn_rule_walk_next(&walk);
    }
    for (size_t r = 0; left; r++) {
        uint64_t bits = cairn_matcher_keep(matcher, r, word, left, worker);
        left &= ~bits;
        for (; bits; bits &= bits - 1) out[__builtin_ctzll(bits)] = r;
    }
}

size_t cairn_pattern_next(const uint8_t *pattern, size_t rule, size_t n)
{
    while (rule < n) {
        uint64_t bytes;
        if (rule % 8 == 0 && rule + 64 <= n) {
            memcpy(&bytes, pattern + rule / 8, sizeof bytes);
            if (bytes == 0) {
                rule += 64;
                continue;
            }
        }
        if (rule % 8 == 0 && pattern[rule / 8] == 0) {
            rule += 8;
            continue;
        }
        if (cairn_pattern_has(pattern, rule)) return rule;
        rule++;
    }
    return n;
}
